"""The states of a campaign in which the check tries the parts of a game: at random, and those that differ in what a condition reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import gcd, prod
from typing import Any

from waylog.rules.file_game.check_names_and_formulas import text_of
from waylog.rules.file_game.dice_throws_and_cards import cards_of
from waylog.rules.file_game.game_file_format import GameFile, PartRule, ValueRule, values_in
from waylog.rules.file_game.named_values_and_conditions import FileMoment, places_in
from waylog.rules.file_game.roll_and_effect_format import CLOCKS
from waylog.rules.file_game.sheet_types import GONE, NAME, kind_of
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import ClockKind

MOST_TRIES = 4_000
"""In how many states a condition is tried."""
_STATES = 16
_MOST_LEGAL = 25
_FREE_WORDS = ("first", "second", "third", "fourth")
_MANY_WORDS = tuple(f"word-{number}" for number in range(40))
"""What is in a list of words that a game leaves open, and in a long one."""
_WORD, _NUMBER, _QUOTED = re.compile(r"[a-z_]\w*"), re.compile(r"\b\d+"), re.compile(r"'([^'\\]+)\\?'")
_OF_TAGS = re.compile(r"'([^'\\]+)\\?' (?:not )?in (?:\w+\.)*(\w+)")
"""A word and the list of words in which a formula looks for it."""


def states_at_random(player: Game, game: GameFile) -> Iterator[Mapping[str, Any]]:
    """Yield campaign files: a new one, those with every value at its lowest and its highest, and others at random, the same each time."""
    fresh = player.write(player.fresh(""))
    numbers = pseudo_random()
    yield _fill_campaign(game, fresh, None)
    yield _fill_campaign(game, fresh, lambda legal: legal[0], alone=True)
    yield _fill_campaign(game, fresh, lambda legal: legal[-1])
    for number in range(_STATES - 3):
        yield _fill_campaign(game, fresh, lambda legal: legal[next(numbers) % len(legal)], alone=number % 2 == 1)


def pseudo_random() -> Iterator[int]:
    """Yield numbers without order, the same each time."""
    number = 1
    while True:
        number = (number * 1_103_515_245 + 12_345) % 2**31
        yield number >> 8


def _fill_campaign(
    game: GameFile, fresh: Mapping[str, Any], choose: Callable[[Any], Any] | None, *, alone: bool = False
) -> Mapping[str, Any]:
    """Return a campaign with every value and house rule chosen of those that it may have. In each list that begins empty are two things,
    or one that is `alone`.
    """
    asked = {(name, word): None for word, name in _OF_TAGS.findall(repr(game))}

    def thing(values: Mapping[str, ValueRule], now: Any) -> dict[str, Any]:
        found = dict(now) if isinstance(now, dict) else {}
        for key, value in values.items():
            kind, start = kind_of(value), found.get(key, value.start)
            if kind == "each":
                found[key] = {one: thing(value.each, there) for one, there in (start or {"one": {}}).items()}
            elif choose and key not in (GONE, NAME):
                legal = _legal(value, kind, [word for name, word in asked if name == key])
                found |= {key: choose(legal)} if legal else {}
        return found

    def part(rule: PartRule, now: Any) -> dict[str, Any]:
        if rule.values:
            return thing(rule.values, now)
        there = now or {key: {} for key in ("one", "other")[: 1 if alone else 2]}
        return {key: thing(rule.each, found) for key, found in there.items()}

    found = {**fresh, **{key: part(rule, fresh.get(key, {})) for key, rule in game.sheet.items()}}
    # A house rule that replaces parts makes another game of it, which is checked by itself.
    plain = {name: rule for name, rule in game.house_rules.items() if choose and not rule.when}
    found["house_rules"] = {
        **fresh.get("house_rules", {}),
        **{
            name: choose(rule.choices or (range(rule.range[0], rule.range[-1] + 1) if rule.range else (False, True)))
            for name, rule in plain.items()
            if choose
        },
    }
    segments = choose(range(7)) if choose else 0
    made = {kind.value: {"name": kind, "kind": kind.value, "segments": 6, "filled": segments} for kind in ClockKind}
    # Those that groups start; a game can choose among them.
    return {**found, CLOCKS: {**fresh.get(CLOCKS, {}), **made}}


def _legal(value: ValueRule, kind: str, words: Sequence[str]) -> Any:
    """Return what a value may be: numbers at distances, and of free words those that formulas ask for."""
    match kind:
        case "range":
            # In play, what begins again never stays at that limit.
            ends = (value.wraps and bool(value.when_empty), value.wraps and bool(value.when_full))
            return range(value.range[0] + ends[0], value.range[-1] + 1 - ends[1])
        case "number":
            return (*range(20), 30, 50, 99, 200, 500, 1000, 5000)
        case "text":
            return ("", "Something")
        case "flag":
            return (False, True)
        case "tags":
            few = [*(value.choices or (*words, *_FREE_WORDS))]
            return ([], few) if value.choices else ([], few, *([*few, *_MANY_WORDS[:more]] for more in (28, 12)))
        case "deck":
            cards = [*cards_of(value.deck)]
            return ([], cards[::2], cards[:-3])
        case _:
            return value.choices if kind == "choices" else ()


def states_that_differ(bases: Sequence[FileMoment], text: str) -> tuple[int, Iterator[FileMoment]]:
    """Return how many states there are that differ in the values that a text names, and yield some of them, or all, without order. Only
    these values are within their limits.
    """
    game = bases[0].game
    every = [(path, value, who) for path, value, who in values_in(game) if path[-1] not in (GONE, NAME)]
    every = [one for one in every if kind_of(one[1]) not in ("each", "deck")]
    # Those that the text names, and those on which their limits depend.
    limits = text_of(game, [(one.most, one.least) for path, one, _ in every if path[-1] in _WORD.findall(text)])
    words = {*_WORD.findall(text + limits)}
    read = [one for one in every if one[0][-1] in words]
    legal = [_legal_near(value, text) for _, value, _ in read]
    # What each thing of a list has may differ, too.
    sizes = (len(bases), 2, *map(len, legal))
    count = prod(sizes)
    have_limits = any(value.most != "" or value.least != "" for _, value, _ in read)
    step = next(one for one in range(int(count * 0.618) | 1, 2 * count + 3) if gcd(one, count) == 1)

    def state(number: int) -> FileMoment:
        places = list[int]()
        for size in sizes:
            number, place = divmod(number, size)
            places.append(place)
        moment = bases[places[0]]
        for (path, _, who), found, place in zip(read, legal, places[2:], strict=True):
            for nth, (at, _) in enumerate(places_in(moment.sheet, path, who)):
                moment = moment.put(at, found[(place + nth * places[1]) % len(found)])
        return moment.within_limits() if have_limits else moment

    return count, (state(number * step % count) for number in range(min(count, MOST_TRIES)))


def _legal_near(value: ValueRule, text: str) -> Sequence[Any]:
    """Return what a value may be: of many numbers, the ends, those beside numbers in a text, and some between."""
    kind, quoted = kind_of(value), _QUOTED.findall(text)
    near = [int(number) + more for number in _NUMBER.findall(text) for more in (-1, 0, 1)]
    legal = _legal(value, kind, quoted)
    match kind:
        case "range" if len(legal) > _MOST_LEGAL:
            between = legal[:: len(legal) // _MOST_LEGAL + 1]
            return [*dict.fromkeys((*between, legal[-1], *(one for one in near if one in legal)))]
        case "number":
            return [*dict.fromkeys((*legal, *near))]
        case "text":
            return [*dict.fromkeys((*legal, *quoted))]
        case "tags":
            # A formula may look for one of the words, or count them.
            words = legal[1]
            begun = (tuple(words[:count]) for count in range(len(words) + 1))
            return [*dict.fromkeys((*begun, *((word,) for word in words), *map(tuple, legal[2:])))]
        case _:
            return [*legal]
