"""The state that the rules of a game file work on, and what its formulas read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from waylog.rules.changes import format_path
from waylog.rules.facts import NoteFact
from waylog.rules.file_game.declaration import GameFile
from waylog.rules.file_game.expression_parser import parse_expression
from waylog.rules.file_game.expressions import ExpressionError
from waylog.rules.file_game.house_rules import in_force
from waylog.rules.file_game.places import (
    ValuePlace,
    WrongPath,
    find,
    in_play,
    read,
    thing_path,
    things,
    value_at,
    write,
)
from waylog.rules.file_game.sheet_types import kind_of
from waylog.rules.kit import MomentBase
from waylog.rules.naming import words_for
from waylog.values import dataclass, field, replace

RULES = "rules"
"""What formulas call the house rules."""
Found = int | bool | str | tuple[int | bool | str, ...]
"""What a formula reads and comes to."""


@dataclass(frozen=True, slots=True)
class FileMoment(MomentBase):
    """The sheet of a game in a file."""

    @property
    def game(self) -> GameFile:
        """The game, with the house rules of this campaign."""
        return in_force(self.edition, self.rules)

    def put(self, path: Sequence[str], value: Any) -> FileMoment:
        """Set a value of the sheet."""
        return replace(self, sheet=write(self.sheet, path, value))

    def thing_name(self, who: str, keys: Sequence[str]) -> str:
        """Return what a thing in a list is called, with its owner's name before it."""
        path = thing_path(who, keys)
        owner = f"{self.thing_name(who.partition('.')[0], keys[:1])}, " if len(keys) > 1 else ""
        return f"{owner}{getattr(read(self.sheet, path), 'name', '') or path[-1]}"

    def name_of(self, path: Sequence[str]) -> str:
        """Return the name of the thing that a path leads through, with its owner's; empty if there is none."""
        found, names = self.sheet, list[str]()
        for key in path[:-1]:
            inside_list = isinstance(found, Mapping)
            found = read(found, (key,))
            if inside_list:
                names.append(str(getattr(found, "name", "") or key))
        return ", ".join(names)

    def changes(self, place: ValuePlace, keys: Sequence[str], value: Any) -> FileMoment:
        """Set a declared value, and say so."""
        path = place.of(keys)
        before = read(self.sheet, path)
        if before is None or before == value:
            return self
        return self.put(path, value).tells(self._note(place, path, f"{in_words(before)} → {in_words(value)}"))

    def changes_list(self, place: ValuePlace, path: Sequence[str], thing: Any) -> FileMoment:
        """Put a thing into a list, in place of the one with that key if there is one, and say whether it comes or goes."""
        *above, key = path
        before = dict(in_play(read(self.sheet, above)))
        name = str(getattr(thing, "name", "")) or key
        if (key in before) is (key in dict(in_play({key: thing}))):
            return self
        noted = self.put(above, {**read(self.sheet, above), key: thing})
        return noted.tells(self._note(place, path, f"{name} is gone" if key in before else f"{name} is new"))

    def _note(self, place: ValuePlace, path: Sequence[str], what: str) -> NoteFact:
        """Return what the log has of a change at a place."""
        owner = self.name_of(path if kind_of(place.value) != "each" else path[:-1])
        secret = place.value.secret or self.game.sheet[path[0]].secret
        text = f"{f'{owner}: ' if owner else ''}{place.label}{':' if kind_of(place.value) == 'each' else ''} {what}"
        return NoteFact(text, place.value.clause or None, secret, (format_path(tuple(path)),) if secret else ())

    def things_by_word(self, who: str) -> Mapping[str, tuple[str, ...]]:
        """Return the things of a list by the words that are typed for them; without a list, one thing without a word."""
        if not who:
            return {"": ()}
        named = {"\0".join(keys): keys for keys, _ in things(self.sheet, who)}
        found = words_for(
            ((joined, keys[-1]) for joined, keys in named.items()), who.rpartition(".")[2], self._words_in_use
        )
        return {word: named[joined] for word, joined in found.items()}

    @property
    def _words_in_use(self) -> tuple[str, ...]:
        """The words that mean something else after a verb."""
        return tuple(key for part_key, part in self.game.sheet.items() for key in (part_key, *part.values))


def in_words(value: Any) -> str:
    """Return a value in a sentence."""
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(value) or "nothing"
        case _:
            return str(value) or "nothing"


@dataclass(frozen=True, slots=True)
class Scope:
    """What a formula reads: the sheet, seen from the thing that acts."""

    moment: FileMoment
    who: str = ""
    keys: tuple[str, ...] = ()
    names: Mapping[tuple[str, ...], Found] = field(default_factory=dict)
    """Names that only this act has, such as `amount` or `options.help`."""

    def look_up(self, path: tuple[str, ...]) -> Found:
        """Return the value that a path means. Raises `WrongPath` for none."""
        if path in self.names:
            return self.names[path]
        if path[0] == RULES and len(path) == 2:
            return plain(getattr(self.moment.rules, path[1], False))
        place = find(self.moment.game.sheet, self.who, path)
        if place.of_all:
            return tuple(_one(read(thing, path[1:])) for _, thing in things(self.moment.sheet, path[0]))
        return plain(value_at(self.moment.sheet, place, self.keys))

    def number(self, formula: object, otherwise: int = 0) -> int:
        """Return what a formula comes to as a number; `otherwise` for an empty one."""
        if formula == "":
            return otherwise
        found = self.value(formula)
        return int(found) if isinstance(found, int) else otherwise

    def holds(self, formula: object) -> bool:
        """Whether a condition holds. An empty one always does."""
        return formula == "" or bool(self.value(formula))

    def value(self, formula: object) -> Found:
        """Return what a formula comes to. What can't be worked out, such as a division by nothing, is 0."""
        if not isinstance(formula, str):
            return formula if isinstance(formula, int) else 0
        try:
            return parse_expression(formula).evaluate(self.look_up)
        except (ExpressionError, WrongPath):
            return 0


def plain(value: Any) -> Found:
    """Return a value of a sheet as formulas know it. Each thing of a list is true, so that they can be counted."""
    match value:
        case int() | str() | tuple():
            return value
        case Mapping():
            return tuple(True for _ in in_play(value))
        case _:
            return 0


def _one(value: Any) -> int | bool | str:
    """Return one of several values. A list counts how many it has."""
    found = plain(value)
    return len(found) if isinstance(found, tuple) else found
