"""Veil Runners, reference edition."""

from waylog.rules.common.clocks import WhileRunning
from waylog.rules.kit import Rulebook
from waylog.rules.moves import RollKey
from waylog.rules.systems._veil_hits import damage, dice_placement
from waylog.rules.systems._veil_hits.moment import Moment
from waylog.rules.systems.veil_reference import checks, crew, odds, panels, rolls, skills
from waylog.rules.systems.veil_reference.clauses import CLAUSES, TOPICS
from waylog.rules.systems.veil_reference.sheet import AKIN, REFERENCE, HouseRules, Sheet

SYSTEM = Rulebook(
    id="veil-reference",
    name="Veil Runners, reference edition",
    about="SigInt, Shields and Engines, hits against a target, and equipment for outside",
    clauses=CLAUSES,
    topics=TOPICS,
    sheet=Sheet,
    rules=HouseRules,
    edition=REFERENCE,
    scene=rolls.Stage,
    moment=Moment,
    chapters=(rolls, odds, dice_placement, damage, crew, skills),
    panels_of=panels.panels,
    faults_of=checks.faults,
    akin=AKIN,
    running=(WhileRunning.DESPERATE,),
    roll_key=RollKey(nothing="Nobody is in the crew to roll; : join adds a crew member"),
)
