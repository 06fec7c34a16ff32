"""Veil Runners, reference edition."""

from types import MappingProxyType

from waylog.rules.kit import Rulebook
from waylog.rules.model.answers import ActList, RowKey, VerbKeys
from waylog.rules.model.clocks import WhileRunning
from waylog.rules.model.moves import RollKey
from waylog.rules.systems._veil_hits import damage, roll_moves
from waylog.rules.systems._veil_hits.moment import Moment
from waylog.rules.systems.veil_reference import crew, panels, rolls
from waylog.rules.systems.veil_reference.clauses import CLAUSES, TOPICS
from waylog.rules.systems.veil_reference.sheet import AKIN, REFERENCE, HouseRules, Sheet

ACT_KEYS = MappingProxyType(
    {
        "roll": VerbKeys(row=(RowKey.OPEN,)),
        "damage": VerbKeys(ActList.DAMAGE),
        "destroy": VerbKeys(ActList.DAMAGE, (RowKey.TOGGLE,)),
        "lose": VerbKeys(ActList.DAMAGE, (RowKey.OPEN, RowKey.TOGGLE)),
        "restore": VerbKeys(ActList.MEND, (RowKey.TOGGLE,)),
        "rest": VerbKeys(ActList.MEND),
        "resupply": VerbKeys(ActList.MEND),
    }
)
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
    chapters=(rolls, roll_moves, damage, crew),
    wayfinder=("damage", "destroy", "lose", "restore", "resupply", "join"),
    panels_of=panels.panels,
    faults_of=panels.faults,
    akin=AKIN,
    running=(WhileRunning.DESPERATE,),
    act_keys=ACT_KEYS,
    roll_key=RollKey(nothing="Nobody is in the crew to roll; : join adds a crew member"),
)
