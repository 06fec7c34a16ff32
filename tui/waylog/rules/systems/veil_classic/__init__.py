"""Veil Runners, first edition."""

from types import MappingProxyType

from waylog.rules.model.act_lists_and_row_verbs import RowKey, VerbKeys
from waylog.rules.model.clocks_situations_and_timers import WhileRunning
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems._veil_older_editions import damage, roll_moves
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import Moment
from waylog.rules.systems.veil_classic import crew_and_panels, rolls, shunts
from waylog.rules.systems.veil_classic.clauses import CLAUSES, TOPICS
from waylog.rules.systems.veil_classic.sheet import AKIN, CLASSIC, HouseRules, Sheet, Stage

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
    chapters=(rolls, shunts, roll_moves, damage, crew_and_panels),
    wayfinder=("damage", "destroy", "lose", "restore", "grit", "day", "join", "state"),
    panels_of=crew_and_panels.panels,
    faults_of=crew_and_panels.faults,
    akin=AKIN,
    running=(WhileRunning.DESPERATE,),
    act_keys=MappingProxyType(
        {**roll_moves.ACT_KEYS, "grit": VerbKeys(row=(RowKey.MORE,)), "falls": VerbKeys(hurts=True)}
    ),
    roll_key=roll_moves.ROLL_KEY,
)
