"""House rules whose values replace parts of a game file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from waylog.rules.codec.base import Fault
from waylog.rules.codec.records import codec
from waylog.rules.file_game.declaration import GameFile

REPLACED = ("dice", "spend", "after", "moves", "when", "panels", "clauses")
"""The tables of a game file that a house rule may change. The sheet stays, as campaigns are saved in its form."""


class GameEdition:
    """A game file with its plain values, so that house rules can change parts of them."""

    def __init__(self, tree: Mapping[str, Any], game: GameFile) -> None:
        self.tree, self.game = tree, game
        self.of_rules = lru_cache(64)(self._of_rules)

    def _of_rules(self, chosen: tuple[tuple[str, str], ...]) -> GameFile:
        """Return the game with these values of its house rules: names and values as texts."""
        tree: Any = self.tree
        for name, value in chosen:
            tree = merge_trees(tree, _replacements(self.game, name, value))
        return self.game if tree is self.tree else read_game(tree)[0]


def in_force(edition: GameEdition, rules: Any) -> GameFile:
    """Return the game as the house rules of a campaign have it."""
    with_parts = [name for name, rule in edition.game.house_rules.items() if rule.when]
    if not with_parts:
        return edition.game
    return edition.of_rules(tuple((name, as_key(getattr(rules, name))) for name in with_parts))


def as_key(value: Any) -> str:
    """Return a value of a house rule as a key of the file."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _replacements(game: GameFile, name: str, value: str) -> Mapping[str, Any]:
    when = game.house_rules[name].when
    found = when.get(value) if isinstance(when, dict) else None
    return found if isinstance(found, dict) else {}


def merge_trees(tree: Mapping[str, Any], changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a tree with the values of another in the place of its own, table by table. The same tree if there are none."""
    if not changes:
        return tree
    found = dict(tree)
    for key, value in changes.items():
        old = found.get(key)
        found[key] = merge_trees(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return found


def read_game(tree: Mapping[str, Any]) -> tuple[GameFile, list[Fault]]:
    """Read the values of a game file, with the faults of their types."""
    faults: list[Fault] = []
    game: GameFile = codec(GameFile).decode(dict(tree), (), faults)
    return game, faults


def variants(game: GameFile) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Return the parts that each value of each house rule replaces."""
    return {
        (name, value): changes
        for name, rule in game.house_rules.items()
        if isinstance(rule.when, dict)
        for value, changes in rule.when.items()
        if isinstance(changes, dict)
    }


def legal_values(game: GameFile, name: str) -> tuple[str, ...]:
    """Return the values that a house rule may have, as keys of the file."""
    rule = game.house_rules[name]
    if rule.flag is not None:
        return ("true", "false")
    if rule.choices:
        return rule.choices
    return tuple(map(str, range(rule.range[0], rule.range[-1] + 1))) if rule.range else ()
