"""Veil Runners, the 2026 edition: the CORE edition's rules, with some changes.

The rules of the 2026 edition: four dice, Risky rolls, and group outcomes that cancel each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal

from waylog.rules.codec.base_and_limits import Between
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.systems.veil_2026.clauses import CLAUSES, TOPICS
from waylog.rules.systems.veil_core import SYSTEM as CORE
from waylog.rules.systems.veil_core.sheet import CARRIED, Bay, CoreDice, HouseRules, Module, Sheet, Ship
from waylog.rules.systems.veil_core.state_stages_and_typed_names import Call, Edition
from waylog.values import dataclass, field, replace

_MOST_DICE = 6


@dataclass(frozen=True, slots=True)
class FourDice(CoreDice):
    """The dice of each CORE system: four in all (VN-01)."""

    CPU: Annotated[int, Between(0, 4, "VN-01", (0, CARRIED)), "Dice to communicate, detect or compute"] = 1
    HUL: Annotated[int, Between(0, 4, "VN-01", (0, CARRIED)), "Dice to resist, sustain or survive"] = 1
    NAV: Annotated[int, Between(0, 4, "VN-01", (0, CARRIED)), "Dice to navigate, avoid or manoeuvre"] = 2


@dataclass(frozen=True, slots=True)
class FourDiceShip(Ship):
    """A ship with four dice."""

    core: Annotated[FourDice, "Dice in each CORE system"] = FourDice()
    modules: Annotated[Mapping[Bay, Module], "Modules, slots 1 to 4"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FourDiceSheet(Sheet):
    """A campaign of the 2026 edition."""

    ship: Annotated[FourDiceShip, "The ship"] = FourDiceShip()


@dataclass(frozen=True, slots=True)
class HouseRules2026(HouseRules):
    """The house rules of this edition, beside those of every edition."""

    most_dice: Annotated[Literal["six", "any"], "The most dice in one roll"] = "six"


def two_for_none(_more: str) -> int:
    """Return the number of dice for a roll that has none (VN-02)."""
    return 2


def most_dice(rules: Any) -> int | None:
    """Return the most dice in one roll: six, unless a house rule says otherwise (VN-05)."""
    return _MOST_DICE if rules.most_dice == "six" else None


def against_each_other(outcomes: Sequence[OutcomeGrade], _rules: object) -> OutcomeGrade:
    """Return the shared outcome of a group: Fiascos and Criticals cancel each other first (VN-04)."""
    pairs = min(outcomes.count(OutcomeGrade.FIASCO), outcomes.count(OutcomeGrade.CRITICAL))
    fiascos, criticals = outcomes.count(OutcomeGrade.FIASCO) - pairs, outcomes.count(OutcomeGrade.CRITICAL) - pairs
    if pairs or OutcomeGrade.SUCCESS in outcomes:
        return OutcomeGrade.DRAWBACK if fiascos else OutcomeGrade.SUCCESS
    if criticals:
        return OutcomeGrade.CRITICAL
    return OutcomeGrade.DRAWBACK if OutcomeGrade.DRAWBACK in outcomes else OutcomeGrade.FIASCO


def how_they_cancel(_rules: object) -> str:
    """Return in one sentence what `against_each_other` does."""
    return "Each Fiasco turns a Critical into a Success. Success: anyone succeeds, with a drawback if a Fiasco is left"


EDITION = Edition(
    core_dice=4,
    core_least=0,
    core_most=4,
    core_clause="VN-01",
    calls=(Call.STANDARD, Call.RISKY, Call.DESPERATE),
    call_clause="VN-03",
    harm=frozenset(
        {
            (Call.RISKY, OutcomeGrade.FIASCO),
            (Call.DESPERATE, OutcomeGrade.FIASCO),
            (Call.DESPERATE, OutcomeGrade.DRAWBACK),
        },
    ),
    harm_clause="VN-03",
    no_dice=two_for_none,
    most_dice=most_dice,
    group=against_each_other,
    how_group_counts=how_they_cancel,
    group_clause="VN-04",
)


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
