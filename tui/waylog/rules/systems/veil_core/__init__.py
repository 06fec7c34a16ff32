"""Veil Runners, CORE edition."""

from waylog.rules.common.clocks import WhileRunning
from waylog.rules.kit import Rulebook
from waylog.rules.systems.veil_core import (
    advancement,
    checks,
    crew,
    damage,
    focus,
    group_rolls,
    healing,
    missions,
    modules,
    odds,
    panels,
    roll_moves,
    story,
    tokens,
)
from waylog.rules.systems.veil_core.clauses import CLAUSES, TOPICS
from waylog.rules.systems.veil_core.editions import CORE
from waylog.rules.systems.veil_core.moment import Moment
from waylog.rules.systems.veil_core.sheet import AKIN, CoreHouseRules, Sheet
from waylog.rules.systems.veil_core.stages import OpenStages

ROLLS = (roll_moves, focus, odds, group_rolls, healing, damage)
BETWEEN_ROLLS = (tokens, story, modules, crew, missions, advancement)
SYSTEM = Rulebook(
    id="veil-core",
    name="Veil Runners, CORE edition",
    about="A starship of three systems, its crew, and six-sided dice",
    clauses=CLAUSES,
    topics=TOPICS,
    sheet=Sheet,
    rules=CoreHouseRules,
    edition=CORE,
    scene=OpenStages,
    moment=Moment,
    chapters=(*ROLLS, *BETWEEN_ROLLS),
    panels_of=panels.panels,
    faults_of=checks.faults,
    akin=AKIN,
    running=(WhileRunning.DESPERATE, WhileRunning.EXPOSED),
)
