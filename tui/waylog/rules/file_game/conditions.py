"""What follows from values by itself: dice more or fewer, words beside a name, and rolls that are impossible."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.file_game.clauses import CONDITIONS
from waylog.rules.file_game.declaration import ConditionRule
from waylog.rules.file_game.moment import FileMoment, Scope, label_of
from waylog.rules.model.moves import Refusal
from waylog.rules.model.panels import Tag


def in_force(moment: FileMoment, roll: str, scope: Scope) -> Iterator[tuple[str, ConditionRule]]:
    """Yield the conditions that hold for a roll by the thing that `scope` sees."""
    for name, condition in moment.game.when.items():
        if condition.rolls and roll not in condition.rolls:
            continue
        if condition.who in ("", scope.who, scope.who.partition(".")[0]) and scope.holds(condition.condition):
            yield name, condition


def refusal(moment: FileMoment, roll: str, scope: Scope) -> Refusal | None:
    """Return why a roll is impossible now, if a condition says so."""
    for _, condition in in_force(moment, roll, scope):
        if condition.refuses:
            return Refusal(condition.refuses, condition.clause or CONDITIONS)
    return None


def why(name: str, condition: ConditionRule) -> str:
    """Return what a condition says beside the odds."""
    return condition.about or label_of(name, "")


def tags(moment: FileMoment, who: str, keys: tuple[str, ...]) -> tuple[Tag, ...]:
    """Return the words beside the name of a thing, or of a table for which no list is named."""
    scope = Scope(moment, who if keys else "", keys)
    return tuple(
        Tag(condition.tag, condition.tone, condition.about)
        for condition in moment.game.when.values()
        if condition.tag and condition.who == (who if keys else "") and scope.holds(condition.condition)
    )
