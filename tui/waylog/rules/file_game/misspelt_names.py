"""A game file with mistakes, as it was most likely meant, and without what is wrong: so that the check goes on behind each mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.file_game.check_names_and_formulas import FormulaCheck
from waylog.rules.file_game.game_file_format import Flaw, GameFile, Path, did_you_mean, there_is_no
from waylog.rules.file_game.named_values_and_conditions import lists_of
from waylog.rules.file_game.roll_and_effect_format import RollRule, is_clocks
from waylog.rules.language.similar_names import nearest
from waylog.values import fields


def spell_keys(tree: Mapping[str, Any], faults: Sequence[Fault]) -> tuple[Mapping[str, Any], Mapping[Path, Path]]:
    """Return a game file with its unknown keys as they were most likely meant, and how each of these paths is written in the file."""
    as_written = dict[Path, Path]()
    for fault in faults:
        *above, key = fault.path
        table = value_at(tree, above)
        if fault.at_key and isinstance(table, dict) and (near := nearest(key, fault.known)) and near not in table:
            as_written[*above, near] = fault.path
            tree = put_value(tree, above, {near if old == key else old: value for old, value in table.items()})
    return tree, as_written


def put_names_meant(tree: Mapping[str, Any], game: GameFile) -> tuple[Mapping[str, Any], Sequence[Flaw]]:
    """Return a game file with the lists and the rolls that were most likely meant, where a name is that of none; and these flaws."""
    formulas, flaws = FormulaCheck(game), list[Flaw]()
    lists, keys = [*lists_of(game.sheet)], [key.name for key in fields(RollRule)]
    for path, name in _names_of_lists(game):
        if name and name not in lists and not is_clocks(name) and (near := nearest(name, lists)):
            tree = put_value(tree, path, near)
            flaws += formulas.who(path, name)
    for path, name, kind in _names_of_rolls_and_keys(game):
        known = keys if kind == "key" else [one for one in game.dice if one != path[1] or path[0] != "dice"]
        if name and name not in known and (near := nearest(name, known)):
            tree = put_value(tree, path, near)
            of_key = f"a roll has no key `{name[:40]}`. {did_you_mean(name, known, 'keys')}"
            flaws.append(Flaw(path, of_key if kind == "key" else there_is_no("roll", name, known)))
    return tree, flaws


def _names_of_lists(game: GameFile) -> Iterator[tuple[Path, str]]:
    for part in ("dice", "moves", "when", "spend"):
        yield from (((part, name, "who"), rule.who) for name, rule in getattr(game, part).items())
    for name, rule in game.dice.items():
        yield from ((("dice", name, "options", word, "who"), option.who) for word, option in rule.options.items())
    yield from ((("moves", name, "whom"), rule.whom) for name, rule in game.moves.items())


def _names_of_rolls_and_keys(game: GameFile) -> Iterator[tuple[Path, str, str]]:
    """Yield what should name a roll or a key of rolls, with its place, and which of the two."""
    for name, rule in game.dice.items():
        yield ("dice", name, "base"), rule.base, "roll"
        yield from ((("dice", name, "without", str(at)), key, "key") for at, key in enumerate(rule.without))
    for part in ("when", "spend"):
        for name, reads in getattr(game, part).items():
            yield from (((part, name, "rolls", str(at)), roll, "roll") for at, roll in enumerate(reads.rolls))


# -- values of a file by their places ---------------------------------------------------------------------------------


def value_at(tree: Any, path: Sequence[str]) -> Any:
    """Return what stands at a place; None if nothing does."""
    for key in path:
        if isinstance(tree, dict):
            tree = tree.get(key)
        else:
            tree = tree[int(key)] if isinstance(tree, list) and key.isdigit() and int(key) < len(tree) else None
    return tree


def put_value(tree: Any, path: Sequence[str], value: Any) -> Any:
    """Return a tree with a value at a place. Tables that lack on the way there are made."""
    if not path:
        return value
    key, inner = path[0], path[1:]
    if isinstance(tree, list):
        return [put_value(item, inner, value) if str(place) == key else item for place, item in enumerate(tree)]
    table = tree if isinstance(tree, dict) else {}
    return {**table, key: put_value(table.get(key), inner, value)}


_OF_EFFECTS = ("does", "cost", "leader", "when_full", "when_empty")
"""The keys of lists of effects, apart from those in [after] and in `together`."""


def without_value(tree: Any, path: Sequence[str], above: Path = ()) -> Any:
    """Return a tree without what stands at a place. An effect says something instead, so that those after it keep their places."""
    key, inner, at = path[0], path[1:], (*above, path[0])
    if isinstance(tree, list):
        place = int(key) if key.isdigit() else len(tree)
        if place >= len(tree):
            return tree
        is_effect = above[-1] in _OF_EFFECTS or above[0] == "after" or "together" in above
        if is_effect and inner != ("when",):
            left = [{"say": "-"}]
        else:
            left = [without_value(tree[place], inner, at)] if inner else []
        return [*tree[:place], *left, *tree[place + 1 :]]
    if not isinstance(tree, dict) or key not in tree:
        return tree
    if inner:
        return {**tree, key: without_value(tree[key], inner, at)}
    return {other: value for other, value in tree.items() if other != key}
