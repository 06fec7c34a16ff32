"""Rolls of a game file that are based on others; and what replaces parts of a game file: values of its house rules, and another file that
changes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from waylog.rules.codec import base_and_limits
from waylog.rules.codec.base_and_limits import Fault, find_excess
from waylog.rules.codec.changes import Path, parse_path
from waylog.rules.codec.records import codec
from waylog.rules.file_game.game_file_format import Flaw, GameFile, did_you_mean

REPLACED = ("dice", "spend", "after", "moves", "when", "panels", "clauses")
"""The tables of a game file that a house rule may change. The sheet stays, as campaigns are saved in its form."""


BY_NAME = ("options", "pick")
"""The keys of a roll to which a roll based on it adds its own, by name."""


class GameEdition:
    """A game file with its plain values, so that house rules can change parts of them."""

    def __init__(self, tree: Mapping[str, Any], game: GameFile) -> None:
        self.tree, self.game = tree, game
        self.of_rules = lru_cache(64)(self._of_rules)
        self.with_parts = tuple(name for name, rule in game.house_rules.items() if rule.when)
        """The house rules that replace parts of the game."""

    def _of_rules(self, chosen: tuple[tuple[str, str], ...]) -> GameFile:
        """Return the game with these values of its house rules: names and values as texts."""
        tree: Any = self.tree
        for name, value in chosen:
            when = self.game.house_rules[name].when
            changes = when.get(value) if isinstance(when, dict) else None
            tree = merge_trees(tree, changes if isinstance(changes, dict) else {})
        return self.game if tree is self.tree else read_game(tree)[0]


def in_force(edition: GameEdition, rules: Any) -> GameFile:
    """Return the game as the house rules of a campaign have it."""
    if not edition.with_parts:
        return edition.game
    values = ((name, getattr(rules, name)) for name in edition.with_parts)
    # The values as keys of the file.
    keys = ((name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in values)
    return edition.of_rules(tuple(keys))


def merge_trees(tree: Mapping[str, Any], changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a tree with the values of another in the place of its own, table by table. The same tree if there are none."""
    if not changes:
        return tree
    found = dict(tree)
    for key, value in changes.items():
        old = found.get(key)
        found[key] = merge_trees(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return found


def without_paths(tree: Mapping[str, Any], paths: Iterable[Path]) -> Mapping[str, Any]:
    """Return a tree without what stands at these paths. One that leads nowhere changes nothing."""
    for path in paths:
        tree = _without(tree, path)
    return tree


def _without(tree: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    key, *inner = path
    if key not in tree:
        return tree
    if not inner:
        return {other: value for other, value in tree.items() if other != key}
    below = tree[key]
    return {**tree, key: _without(below, tuple(inner))} if isinstance(below, dict) else tree


def wrong_removals(base: Mapping[str, Any], paths: Sequence[str]) -> Iterator[Flaw]:
    """Yield what a game takes out of its base that isn't there."""
    for place, text in enumerate(paths):
        found: Any = base
        for key in parse_path(text) or ("",):
            if not isinstance(found, dict) or key not in found:
                known = [*found] if isinstance(found, dict) else []
                at = ("without", str(place))
                yield Flaw(
                    at, f"the game that this one is based on has no “{text[:60]}”. {did_you_mean(key, known, 'keys')}"
                )
                break
            found = found[key]


def read_game(tree: Mapping[str, Any]) -> tuple[GameFile, list[Fault]]:
    """Read the values of a game file, with the faults of their types. Of a file with too many things, only that is said."""
    if excess := find_excess(tree, base_and_limits.GAME_LIMITS):
        return GameFile(), [*excess]
    faults: list[Fault] = []
    game: GameFile = codec(GameFile).decode(_with_bases(tree), (), faults)
    return game, faults


def _with_bases(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tree in which rolls that are based on others have what they don't say themselves, but for what outcomes do that they don't
    have. A base that isn't there, or that leads back to the roll, is left to the check.
    """
    dice, after = (dict(part) if isinstance(part := tree.get(key), dict) else {} for key in ("dice", "after"))

    def whole(name: str, above: tuple[str, ...] = ()) -> tuple[Any, Any]:
        rule, does = dice[name], after.get(name)
        base = rule.get("base") if isinstance(rule, dict) else None
        if not isinstance(base, str) or base in (*above, name) or not isinstance(dice.get(base), dict):
            return rule, does
        of_base, done = whole(base, (*above, name))
        without = rule.get("without")
        not_of_base = ("label", "base", "without", *(without if isinstance(without, list) else ()))
        # Of the options and the choices, one alone can be left out: `options.help`.
        of_base = without_paths(of_base, [tuple(key.split(".")) for key in not_of_base if isinstance(key, str)])
        found = {**of_base, **rule}
        for key in BY_NAME:
            if isinstance(rule.get(key), dict) and isinstance(of_base.get(key), dict):
                found[key] = {**of_base[key], **rule[key]}
        if isinstance(done, dict):
            left_out = {*_outcomes_in(of_base)} - {*_outcomes_in(found)}
            done = {outcome: effects for outcome, effects in done.items() if outcome not in left_out}
            does = {**done, **does} if isinstance(does, dict) else done
        return found, does

    based = {name: whole(name) for name, rule in dice.items() if isinstance(rule, dict) and "base" in rule}
    if not based:
        return dict(tree)
    effects = {name: does for name, (_, does) in based.items() if does is not None}
    return {**tree, "dice": dice | {name: rule for name, (rule, _) in based.items()}, "after": after | effects}


def _outcomes_in(part: object) -> Iterator[str]:
    """Yield the outcomes that stand in a roll of a tree, with those of its answers."""
    for key, value in part.items() if isinstance(part, dict) else ():
        if key == "bands" and isinstance(value, list):
            named = (band.get("outcome") for band in value if isinstance(band, dict))
            yield from (outcome for outcome in named if isinstance(outcome, str))
        else:
            yield from _outcomes_in(value)


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
