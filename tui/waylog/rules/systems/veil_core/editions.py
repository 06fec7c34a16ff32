"""The differences between editions of Veil Runners: numbers and functions in one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from waylog.rules.facts import OutcomeGrade
from waylog.rules.moves import ActRefused
from waylog.rules.systems.veil_core.stages import Call
from waylog.values import dataclass

Harm = frozenset[tuple[Call, OutcomeGrade]]
"""The outcomes that hurt the roller, for each roll type."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The rules of one edition. All editions share the others."""

    core_dice: int
    """Number of dice in the ship's three CORE systems."""
    core_least: int
    """Lowest number of dice in one of them."""
    core_most: int
    core_clause: str
    calls: tuple[Call, ...]
    """Roll types, mildest first."""
    call_clause: str
    harm: Harm
    harm_clause: str
    no_dice: Callable[[str], int]
    """Returns how many dice to roll, lowest read, if a roll has no dice. Raises `ActRefused` if it can't be made."""
    most_dice: Callable[[Any], int | None]
    """Returns the most dice that may be rolled at once under these house rules, or None."""
    group: Callable[[Sequence[OutcomeGrade], Any], OutcomeGrade]
    """Returns the shared outcome of a group roll under these house rules."""
    group_clause: str

    def harms(self, call: Call, outcome: OutcomeGrade) -> bool:
        """Whether a roll of that type with that outcome hurts its roller."""
        return (call, outcome) in self.harm


def refuse_no_dice(more: str) -> int:
    """Refuse a roll without dice (VK-19). `more` says what would add one."""
    raise ActRefused(f"no dice to roll: {more}", "VK-19")


def any_number(_rules: object) -> None:
    """Return None: a roll may have any number of dice."""


def all_as_one(outcomes: Sequence[OutcomeGrade], rules: Any) -> OutcomeGrade:
    """Return the shared outcome of a group (VK-20)."""
    if all(outcome is OutcomeGrade.CRITICAL for outcome in outcomes):
        return OutcomeGrade.CRITICAL
    if OutcomeGrade.CRITICAL in outcomes or all(outcome is OutcomeGrade.SUCCESS for outcome in outcomes):
        return OutcomeGrade.SUCCESS
    if OutcomeGrade.SUCCESS in outcomes:
        return OutcomeGrade.DRAWBACK
    if OutcomeGrade.DRAWBACK in outcomes:
        return OutcomeGrade(rules.group_of_drawbacks)
    return OutcomeGrade.FIASCO


CORE = Edition(
    core_dice=6,
    core_least=1,
    core_most=4,
    core_clause="VK-01",
    calls=(Call.STANDARD, Call.DESPERATE),
    call_clause="VK-17",
    harm=frozenset({(Call.DESPERATE, OutcomeGrade.FIASCO)}),
    harm_clause="VK-16",
    no_dice=refuse_no_dice,
    most_dice=any_number,
    group=all_as_one,
    group_clause="VK-20",
)
