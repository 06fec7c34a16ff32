"""Veil Runners, reference edition."""

from types import MappingProxyType

from waylog.rules.model.act_lists_and_row_verbs import ActList, VerbKeys
from waylog.rules.model.clocks_situations_and_timers import WhileRunning
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems._veil_older_editions import damage, roll_moves
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import Moment
from waylog.rules.systems.veil_reference import crew_and_panels, rolls
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
    chapters=(rolls, roll_moves, damage, crew_and_panels),
    wayfinder=("damage", "destroy", "lose", "restore", "resupply", "join"),
    panels_of=crew_and_panels.panels,
    faults_of=crew_and_panels.faults,
    akin=AKIN,
    running=(WhileRunning.DESPERATE,),
    act_keys=MappingProxyType({**roll_moves.ACT_KEYS, "resupply": VerbKeys(ActList.MEND)}),
    roll_key=roll_moves.ROLL_KEY,
)
