"""Veil Runners, CORE edition."""

from waylog.rules.systems.veil_core.clauses import CLAUSES
from waylog.rules.systems.veil_core.editions import CORE
from waylog.rules.systems.veil_core.house_rules import CoreHouseRules
from waylog.rules.systems.veil_core.sheet import Sheet
from waylog.rules.systems.veil_core.system import Veil

SYSTEM = Veil(
    id="veil-core",
    name="Veil Runners, CORE edition",
    about="A starship of three systems, her crew, and six-sided dice",
    clauses=CLAUSES,
    sheet=Sheet,
    rules=CoreHouseRules,
    edition=CORE,
)
