"""Veil Runners, first edition."""

from waylog.rules.common.clocks import WhileRunning
from waylog.rules.kit import Rulebook
from waylog.rules.moves import RollKey
from waylog.rules.systems._veil_hits import damage, dice_placement
from waylog.rules.systems._veil_hits.moment import Moment
from waylog.rules.systems.veil_classic import checks, crew, odds, panels, rolls, sharing, shunts
from waylog.rules.systems.veil_classic.clauses import CLAUSES, TOPICS
from waylog.rules.systems.veil_classic.sheet import AKIN, CLASSIC, HouseRules, Sheet
from waylog.rules.systems.veil_classic.stages import Stage

SYSTEM = Rulebook(
    id="veil-classic",
    name="Veil Runners, first edition",
    about="Telemetry, Engines and Shields, proficiency and helpers, and shunts after each roll",
    clauses=CLAUSES,
    topics=TOPICS,
    sheet=Sheet,
    rules=HouseRules,
    edition=CLASSIC,
    scene=Stage,
    moment=Moment,
    chapters=(rolls, odds, shunts, sharing, dice_placement, damage, crew),
    panels_of=panels.panels,
    faults_of=checks.faults,
    akin=AKIN,
    running=(WhileRunning.DESPERATE,),
    roll_key=RollKey(nothing="Nobody is in the crew to roll; : join adds a crew member"),
)
