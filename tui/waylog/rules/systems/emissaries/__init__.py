"""The Emissaries of Guenašk."""

from types import MappingProxyType

from waylog.rules.model.act_lists_and_row_verbs import ActList, VerbKeys
from waylog.rules.model.moves import RollKey
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems.emissaries import (
    character_creation_and_checks,
    conflict,
    conflict_start,
    fallout,
    npcs_and_assets,
    odds,
    panels,
    traits_and_recovery,
)
from waylog.rules.systems.emissaries.clauses import CLAUSES, TOPICS
from waylog.rules.systems.emissaries.sheet import HouseRules, Sheet
from waylog.rules.systems.emissaries.state_stages_and_typed_names import Moment, Scene

SYSTEM = Rulebook(
    id="emissaries",
    name="The Emissaries of Guenašk",
    about="Peacemakers among the stars: raise and see with open dice",
    clauses=CLAUSES,
    topics=TOPICS,
    sheet=Sheet,
    rules=HouseRules,
    scene=Scene,
    moment=Moment,
    chapters=(
        conflict,
        conflict_start,
        odds,
        character_creation_and_checks,
        traits_and_recovery,
        npcs_and_assets,
        fallout,
    ),
    ships="assets",
    private=("npcs",),
    sheet_of_players=npcs_and_assets.sheet_of_players,
    wayfinder=("npc", "rate", "asset", "conflict", "fallout", "advance", "gain", "object"),
    panels_of=panels.panels,
    faults_of=character_creation_and_checks.faults,
    board_of=panels.open_board,
    act_keys=MappingProxyType(
        {
            "fallout": VerbKeys(hurts=True),
            "give": VerbKeys(hurts=True),
            "recover": VerbKeys(ActList.MEND),
            "cure": VerbKeys(ActList.MEND),
        }
    ),
    roll_key=RollKey(("conflict", "escalate", "enter"), "starts a conflict"),
)
