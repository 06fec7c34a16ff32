"""Veil Runners, the 2026 edition: the CORE edition's rules, with some changes."""

from types import MappingProxyType

from waylog.rules.systems.veil_2026.clauses import CLAUSES, TOPICS
from waylog.rules.systems.veil_2026.edition import EDITION, FourDiceSheet, HouseRules2026
from waylog.rules.systems.veil_core import SYSTEM as CORE
from waylog.values import replace

SYSTEM = replace(
    CORE,
    id="veil-2026",
    name="Veil Runners 2026",
    about="The CORE edition as its author plays it now: four dice, Risky rolls",
    clauses=MappingProxyType({**CORE.clauses, **CLAUSES}),
    topics=MappingProxyType({**CORE.topics, **TOPICS}),
    sheet=FourDiceSheet,
    rules=HouseRules2026,
    edition=EDITION,
)
