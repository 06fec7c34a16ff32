"""What a game without mistakes says that its author can't have meant: what happens, and the usual cure.

Each part of the game is under suspicion until some state of a campaign clears it: a new one, one with every value at its lowest or its
highest, and others at random, the same each time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from waylog.rules.file_game.declaration import Flaw, GameFile, PartRule, Path, RollRule, ValueRule
from waylog.rules.file_game.dice_readings import Band, RollPlan, parse_die
from waylog.rules.file_game.effects import WrongEffect, parse_effect
from waylog.rules.file_game.moment import FileMoment, label_of, things
from waylog.rules.file_game.odds.spends import best_odds, can_be_paid
from waylog.rules.file_game.odds.tables import exact_odds, possible_results
from waylog.rules.file_game.odds.weights import TooMany
from waylog.rules.file_game.roll_plans import CALL, RollChoice, dice_named, option_of, options_by_word, plan_roll
from waylog.rules.file_game.sheet_types import GONE, kind_of
from waylog.rules.file_game.spends import spends_for
from waylog.rules.game import Game
from waylog.rules.kit import Rulebook
from waylog.rules.model.moves import PickMany, PickOne
from waylog.rules.model.odds import Ratio
from waylog.values import replace

_STATES = 40
_FIRST = 8
"""In how many of the states rolls are tried for results that no outcome has."""


def advise(system: Rulebook) -> tuple[Flaw, ...]:
    """Return what its author can't have meant, in the order of the file."""
    game: GameFile = system.edition.game
    suspects = _suspects(game)
    player, gaps = Game(system), dict[Path, Flaw]()
    for number, tree in enumerate(_states(player, game)):
        state = player.decode(tree)[0]
        if any(path[0] in ("moves", "dice") and len(path) in (2, 4, 5) for path in suspects):
            _clear_by_moves(player, state, suspects)
        moment = FileMoment(state.sheet, state.rules, state.clocks, system.edition)
        for name, rule in game.dice.items():
            mine = [path for path in suspects if path[:2] == ("dice", name) or path[0] == "spend"]
            if mine or number < _FIRST:
                _clear_by_rolls(moment, name, rule, suspects, gaps if number < _FIRST else None)
        for name, condition in game.when.items():
            scopes = (
                RollChoice("", RollRule(who=condition.who), keys).scope(moment)
                for keys, _ in things(moment.sheet, condition.who)
            )
            if any(scope.holds(condition.condition) for scope in scopes):
                suspects.pop(("when", name), None)
    # Where one outcome takes everything, nothing else about the roll matters, nor a spend on it; and what nobody can do does nothing else.
    flat = {path[1] for path in suspects if path[-1] == "bands" or (path[0] == "dice" and len(path) == 2)}
    useless = {name for name, spend in game.spend.items() if {*(spend.rolls or game.dice)} <= flat}
    cause = {path for path in suspects if path[-1] == "bands" or len(path) == 2} - {("spend", name) for name in useless}
    unseen = [
        flaw
        for path, flaw in suspects.items()
        if path in cause or not (path[1] in flat | useless or any(path[:2] == one for one in cause))
    ]
    return (*unseen, *gaps.values(), *_of_the_text(game))


def _suspects(game: GameFile) -> dict[Path, Flaw]:
    """Return what is still to be seen, by its place."""
    found: dict[Path, str] = {}
    for name, rule in game.dice.items():
        found["dice", name] = (
            "nobody can ever make this roll: look at its `when`, its pool, and conditions with `refuses`"
        )
        if len({band.outcome for band in rule.bands}) > 1:
            found["dice", name, "bands"] = (
                "one outcome takes every result: the last that fits counts, so put the worst first, and give each of the others a `from`"
            )
        seen = set[str]()
        for place, band in enumerate(rule.bands):
            if band.outcome not in seen:
                found["dice", name, "bands", str(place)] = (
                    f"{band.outcome} never happens: no result reaches it, or an outcome further down takes those that do. The last that fits counts"
                )
            seen.add(band.outcome)
        follows = repr((game.after.get(name), game.spend))
        for word, option in rule.options.items():
            if not option.who and f"options.{word}" not in follows:
                found["dice", name, "options", word] = (
                    "this option changes nothing: give it dice, plus or a target, or read options."
                    + word
                    + " in [after]"
                )
        ways = ((("calls",), rule.calls), *((("pick", key), ways) for key, ways in rule.pick.items()))
        found |= {
            ("dice", name, *at, word): "this can never be chosen: look at its `when` and its cost"
            for at, one in ways
            for word in one
        }
    found |= {
        ("spend", name): "this spend never helps: it can't be paid, or no outcome can be better for it"
        for name in game.spend
    }
    for name, move in game.moves.items():
        found["moves", name] = "nobody can ever do this: look at its `when`, and at what it takes"
        found |= {
            ("moves", name, "choose", word): "this can never be chosen: look at its `when`" for word in move.choose
        }
    found |= {("when", name): "this condition never holds: look at its `if`" for name in game.when}
    return {
        path: Flaw(path, message, at_key=path[-1] != "bands" and not path[-1].isdigit())
        for path, message in found.items()
    }


# -- states -----------------------------------------------------------------------------------------------------------


def _states(player: Game, game: GameFile) -> Iterator[Mapping[str, Any]]:
    fresh = player.write(player.fresh(""))
    numbers = _pseudo_random()
    yield _fill_campaign(game, fresh, None)
    yield _fill_campaign(game, fresh, lambda legal: legal[0])
    yield _fill_campaign(game, fresh, lambda legal: legal[-1])
    for _ in range(_STATES - 3):
        yield _fill_campaign(game, fresh, lambda legal: legal[next(numbers) % len(legal)])


def _pseudo_random() -> Iterator[int]:
    """Yield numbers without order, the same each time."""
    number = 1
    while True:
        number = (number * 1_103_515_245 + 12_345) % 2**31
        yield number >> 8


def _fill_campaign(game: GameFile, fresh: Mapping[str, Any], choose: Callable[[Any], Any] | None) -> Mapping[str, Any]:
    """Return a campaign with every value chosen of those that it may have; somebody is in each list."""

    def thing(values: Mapping[str, ValueRule], now: Any) -> dict[str, Any]:
        found = dict(now) if isinstance(now, dict) else {}
        for key, value in values.items():
            kind, start = kind_of(value), found.get(key, value.start)
            if kind == "each":
                found[key] = {one: thing(value.each, there) for one, there in (start or {"one": {}}).items()}
            elif choose and key != GONE and (legal := _legal(value, kind)):
                found[key] = choose(legal)
        return found

    def part(rule: PartRule, now: Any) -> dict[str, Any]:
        if rule.values:
            return thing(rule.values, now)
        return {key: thing(rule.each, there) for key, there in (now or {"one": {}, "other": {}}).items()}

    return {**fresh, **{key: part(rule, fresh.get(key, {})) for key, rule in game.sheet.items()}}


def _legal(value: ValueRule, kind: str) -> Any:
    match kind:
        case "range":
            return range(value.range[0], value.range[-1] + 1)
        case "number":
            return range(100)
        case "flag":
            return (False, True)
        case "tags":
            return ([], [*value.choices])
        case _:
            return value.choices if kind == "choices" else ()


# -- what clears a part ------------------------------------------------------------------------------------------------


def _clear_by_moves(player: Game, state: Any, suspects: dict[Path, Flaw]) -> None:
    for move in player.moves(state):
        if move.blocked:
            continue
        at = ("dice", move.words[0]) if move.verb == "roll" else ("moves", move.verb)
        suspects.pop(at, None)
        for ask in move.asks:
            if isinstance(ask, PickOne | PickMany):
                inner = ("calls",) if ask.name == CALL else ("choose",) if at[0] == "moves" else ("pick", ask.name)
                for option in ask.options:
                    if not option.blocked:
                        suspects.pop((*at, *inner, option.word), None)


def _clear_by_rolls(
    moment: FileMoment, name: str, rule: RollRule, suspects: dict[Path, Flaw], gaps: dict[Path, Flaw] | None
) -> None:
    at = ("dice", name)
    for keys, _ in things(moment.sheet, rule.who):
        before: Mapping[str, Ratio] = {}
        for choice in _ways_to_roll(moment, name, rule, keys):
            plan = plan_roll(moment, choice).plan
            if not any(group.count and not group.against for group in plan.pool):
                continue
            try:
                tally = exact_odds(plan)
                if gaps is not None and at not in gaps and (gap := _gap(plan)):
                    gaps[at] = Flaw((*at, "bands"), gap)
            except TooMany:
                tally = {}
            _clear_spends(moment, choice, plan, tally, suspects)
            came = [outcome for outcome, chance in tally.items() if chance] or [band.outcome for band in plan.bands]
            for place, band in enumerate(rule.bands):
                if band.outcome in came:
                    suspects.pop((*at, "bands", str(place)), None)
            if len(came) > 1:
                suspects.pop((*at, "bands"), None)
            if choice.options and tally != before:
                suspects.pop((*at, "options", option_of(choice.options[-1])), None)
            before = before or tally


def _ways_to_roll(moment: FileMoment, name: str, rule: RollRule, keys: tuple[str, ...]) -> Iterator[RollChoice]:
    """Yield a roll with its default answers, and then with each other answer."""
    picked = tuple(f"{key}.{next(iter(ways))}" for key, ways in rule.pick.items())
    plain = RollChoice(name, rule, keys, picked, next(iter(rule.calls), ""))
    yield plain
    yield from (plain._replace(options=(*picked, one.id)) for one in options_by_word(moment, plain).values())
    yield from (plain._replace(call=word) for word in rule.calls)
    yield from (plain._replace(modifier=number) for number in rule.modifier)
    for key, ways in rule.pick.items():
        others = tuple(one for one in picked if option_of(one) != key)
        yield from (plain._replace(options=(*others, f"{key}.{word}")) for word in ways)


def _clear_spends(
    moment: FileMoment, choice: RollChoice, plan: RollPlan, tally: Mapping[str, Ratio], suspects: dict[Path, Flaw]
) -> None:
    for one in spends_for(moment, choice):
        if ("spend", one.name) in suspects and can_be_paid(one):
            purse = tuple((price.token, price.there) for price in one.prices[:1])
            try:
                helps = best_odds(plan, (one.spend,), [purse])[0] != tally
            except TooMany:
                helps = True
            if helps:
                suspects.pop(("spend", one.name), None)


def _gap(plan: RollPlan) -> str:
    """Return what is wrong if there are results that no outcome is for, though others lie beside them."""
    first, *others = plan.bands
    plain = [
        band for band in others if replace(band, low=None, high=None) == Band(band.outcome, band.label, band.grade)
    ]
    is_for_all = first == Band(first.outcome, first.label, first.grade)
    results = [*possible_results(plan)]
    covered = {
        result.value for result in results if any(band.fits(result) for band in (plain if is_for_all else plan.bands))
    }
    missed = sorted({result.value for result in results} - covered)
    if is_for_all and covered:
        missed = [value for value in missed if min(covered) < value < max(covered)]
    if not missed or not covered:
        return ""
    shown = f"{missed[0]} to {missed[-1]}" if len(missed) > 1 else f"{missed[0]}"
    return f"no outcome is for a result of {shown}, so it is “{first.label}”, the first of the list: let another one begin there"


# -- what the text itself says -----------------------------------------------------------------------------------------


def _of_the_text(game: GameFile) -> Iterator[Flaw]:
    yield from _of_rolls(game)
    yield from _of_spends_and_conditions(game)
    yield from _of_what_never_moves(game)


def _of_rolls(game: GameFile) -> Iterator[Flaw]:
    for name, rule in game.dice.items():
        keeps = rule.keep_highest or rule.keep_lowest or rule.drop_highest or rule.drop_lowest
        more = next(
            (word for word, one in rule.options.items() if one.dice != 0 and not one.against and not one.keep_lowest),
            "",
        )
        if rule.reading == "under" and not keeps and (more or not isinstance(rule.pool, int) or rule.pool > 1):
            at = ("dice", name, "options", more) if more else ("dice", name, "pool")
            yield Flaw(
                at,
                "the dice are added up under a target, so each die more makes it harder: keep_lowest = 1 keeps the best one",
            )
        top = max((parse_die(die).top for die in dice_named(game, rule.who, rule.die)), default=0)
        faces = (
            *rule.reroll,
            rule.explode.at if rule.explode else 0,
            *(face for band in rule.bands for face in band.face),
        )
        if over := [face for face in faces if face > top]:
            yield Flaw(("dice", name), f"no {rule.die} shows {over[0]}: its highest face is {top}", at_key=True)
        if rule.target != 0 and rule.reading not in ("count", "count-under", "under"):
            yield Flaw(
                ("dice", name, "target"),
                f'nothing is compared with `target` where reading = "{rule.reading}": write `from` in the outcomes',
            )
        if rule.group and rule.group.leader and not rule.group.outcomes:
            yield Flaw(
                ("dice", name, "group"), 'the leader never pays: write for which outcomes, such as outcomes = ["bad"]'
            )


def _of_spends_and_conditions(game: GameFile) -> Iterator[Flaw]:
    for name, spend in game.spend.items():
        if (spend.faces or spend.again) and not spend.reroll:
            yield Flaw(("spend", name), "faces and again mean nothing without `reroll`", at_key=True)
        if spend.die and not spend.dice:
            yield Flaw(("spend", name, "die"), "`die` means nothing without `dice`, which says how many are added")
    for name, condition in game.when.items():
        if not (condition.dice or condition.plus or condition.refuses or condition.tag or condition.about):
            yield Flaw(
                ("when", name), "this condition changes nothing: give it dice, plus, refuses or a tag", at_key=True
            )


def _of_what_never_moves(game: GameFile) -> Iterator[Flaw]:
    moved = {name for effect in _effects(game) for name in effect}
    for name in game.clocks:
        if name not in moved:
            yield Flaw(
                ("clocks", name),
                f'nothing but you ever ticks this clock: write an effect such as "tick {name}"',
                at_key=True,
            )
    whole = repr((game.dice, game.spend, game.after, game.moves, game.when))
    for name, switch in game.house_rules.items():
        if not switch.when and f"rules.{name}" not in whole:
            yield Flaw(
                ("house_rules", name),
                f"nothing depends on this house rule: read rules.{name} in a formula, or give it a `when`",
                at_key=True,
            )
    for key, part in game.sheet.items():
        for name, value in (part.each or part.values).items():
            readers = [when for when, rule in game.when.items() if re.search(rf"\b{name}\b", str(rule.condition))]
            if kind_of(value) == "range" and readers and name not in moved:
                inner = "each" if part.each else "values"
                text = f"[when.{readers[0]}] reads {label_of(name, value.label)}, and nothing but a mark by hand ever changes it"
                yield Flaw(("sheet", key, inner, name), f'{text}: write an effect such as "mark {name}"', at_key=True)


def _effects(game: GameFile) -> Iterator[tuple[str, ...]]:
    """Yield the names in every effect of the game, costs and offers included."""
    after = chain.from_iterable(effects for outcomes in game.after.values() for effects in outcomes.values())
    moves = chain.from_iterable(
        (*move.does, *(effect for choice in move.choose.values() for effect in choice.does))
        for move in game.moves.values()
    )
    costs = chain.from_iterable(
        (
            *(rule.instead.cost if rule.instead else ()),
            *(rule.group.leader if rule.group else ()),
            *(one for option in rule.options.values() for one in option.cost),
        )
        for rule in game.dice.values()
    )
    spent = chain.from_iterable(spend.cost for spend in game.spend.values())
    for effect in (*after, *moves, *costs, *spent):
        for text in (effect.do, effect.offer):
            try:
                words = parse_effect(text)
            except WrongEffect:
                continue
            yield (*words.names, *re.findall(r"[a-z_]+", words.rest))
