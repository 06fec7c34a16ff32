"""Veil Runners, CORE edition."""

from types import MappingProxyType

from waylog.rules.model.act_lists_and_row_verbs import ActList, RowKey, VerbKeys
from waylog.rules.model.clocks_situations_and_timers import WhileRunning
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems.veil_core import (
    crew_focus_and_mission_end,
    damage,
    focus_on_dice,
    missions_and_advancement,
    modules,
    odds,
    panels,
    roll_group_and_heal_moves,
    rolls,
    story_awards_and_losses,
    tokens_restoring_and_shunts,
)
from waylog.rules.systems.veil_core.clauses import CLAUSES, TOPICS
from waylog.rules.systems.veil_core.sheet import AKIN, CoreHouseRules, Sheet
from waylog.rules.systems.veil_core.state_stages_and_typed_names import Call, Edition, Moment, OpenStages

EDITION = Edition(
    core_dice=6,
    core_least=1,
    core_most=4,
    core_clause="VK-01",
    calls=(Call.STANDARD, Call.DESPERATE),
    call_clause="VK-17",
    harm=frozenset({(Call.DESPERATE, OutcomeGrade.FIASCO)}),
    harm_clause="VK-16",
    no_dice=rolls.refuse_no_dice,
    most_dice=lambda _rules: None,
    group=roll_group_and_heal_moves.all_as_one,
    how_group_counts=roll_group_and_heal_moves.how_all_count,
    group_clause="VK-20",
)
ROLLS = (roll_group_and_heal_moves, focus_on_dice, odds, damage)
BETWEEN_ROLLS = (
    tokens_restoring_and_shunts,
    story_awards_and_losses,
    modules,
    crew_focus_and_mission_end,
    missions_and_advancement,
)
ACT_KEYS = MappingProxyType(
    {
        "roll": VerbKeys(row=(RowKey.OPEN,)),
        "use": VerbKeys(row=(RowKey.OPEN,)),
        "damage": VerbKeys(ActList.DAMAGE, (RowKey.TOGGLE,)),
        "lose": VerbKeys(ActList.DAMAGE, (RowKey.OPEN, RowKey.TOGGLE)),
        "suffer": VerbKeys(hurts=True),
        **dict.fromkeys(("focus", "reroll", "raise", "pay", "drop", "defend"), VerbKeys(hurts=True)),
        "restore": VerbKeys(ActList.MEND, (RowKey.TOGGLE,)),
        "heal": VerbKeys(ActList.MEND, explains=True),
        "repair": VerbKeys(ActList.MEND, explains=True),
        "refill": VerbKeys(ActList.MEND),
        "expose": VerbKeys(ActList.EXPOSED),
        "cover": VerbKeys(ActList.EXPOSED),
        "award": VerbKeys(row=(RowKey.MORE,)),
        "take": VerbKeys(row=(RowKey.LESS,), hurts=True),
    }
)
SYSTEM = Rulebook(
    id="veil-core",
    name="Veil Runners, CORE edition",
    about="CPU, HUL and NAV, modules, tokens and Focus: the edition to begin with",
    clauses=CLAUSES,
    topics=TOPICS,
    sheet=Sheet,
    rules=CoreHouseRules,
    edition=EDITION,
    scene=OpenStages,
    moment=Moment,
    chapters=(*ROLLS, *BETWEEN_ROLLS),
    wayfinder=(
        "damage",
        "lose",
        "award",
        "take",
        "restore",
        "expose",
        "cover",
        "mission",
        "carry-on",
        "join",
        "refill",
        "state",
    ),
    panels_of=panels.panels,
    faults_of=panels.faults,
    akin=AKIN,
    act_keys=ACT_KEYS,
    running=(WhileRunning.DESPERATE, WhileRunning.EXPOSED),
)
