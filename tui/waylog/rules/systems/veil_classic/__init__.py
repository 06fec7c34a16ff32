"""Veil Runners, first edition."""

from waylog.rules.systems.veil_classic.clauses import CLAUSES
from waylog.rules.systems.veil_classic.system import Classic

SYSTEM = Classic(
    id="veil-classic",
    name="Veil Runners, first edition",
    about="Telemetry, Engines and Shields, proficiency and helpers, dice shunted as they come back",
    clauses=CLAUSES,
)
