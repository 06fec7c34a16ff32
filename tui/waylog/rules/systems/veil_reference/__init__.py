"""Veil Runners, reference edition."""

from waylog.rules.systems.veil_reference.clauses import CLAUSES
from waylog.rules.systems.veil_reference.system import Reference

SYSTEM = Reference(
    id="veil-reference",
    name="Veil Runners, reference edition",
    about="SigInt, Shields and Engines, hits against a target, and equipment for outside",
    clauses=CLAUSES,
)
