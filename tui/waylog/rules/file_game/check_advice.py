"""What a game without mistakes says that its author can't have meant: what happens, and the usual cure.

Each part of the game is under suspicion until some state of a campaign clears it: a new one, one with every value at its lowest or its
highest, and others at random, the same each time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from waylog.rules.file_game.check_formulas import choices_in, effects_in, text_of, values_in
from waylog.rules.file_game.dice_readings import OF_DICE, OF_SOME, Band, Marks, Result, RollPlan, cards_of, outcome_of
from waylog.rules.file_game.effects import DOWN, UP, VERBS, WrongEffect, apply_all, parse_effect
from waylog.rules.file_game.game_file_format import EffectRule, Flaw, GameFile, PartRule, Path, RollRule, ValueRule
from waylog.rules.file_game.moment import FileMoment, Found, Scope, WrongPath, find, label_of, things
from waylog.rules.file_game.odds.one_die import TooMany
from waylog.rules.file_game.odds.pool_odds import exact_odds, possible_results
from waylog.rules.file_game.odds.with_spends import best_odds, can_be_paid
from waylog.rules.file_game.replaced_parts import merge_trees, read_game, variants
from waylog.rules.file_game.roll_options import CALL, OPTIONS, PICK, RollChoice, option_of, options_by_word, ways_of
from waylog.rules.file_game.roll_plans import KEEPS, plan_roll
from waylog.rules.file_game.sheet_types import GONE, kind_of, start_of
from waylog.rules.file_game.spends import spends_for
from waylog.rules.game import Game
from waylog.rules.model.moves import PickMany, PickOne
from waylog.rules.model.odds import Ratio
from waylog.rules.rulebook import Rulebook
from waylog.values import replace

_STATES = 30
_FIRST = 8
"""In how many of the states rolls are tried for results that no outcome has."""
_OF_RESULT = re.compile(rf"\b({'|'.join(OF_DICE)})\b")
_NOT_IN_ODDS = re.compile(rf"\bsuit\b|\b({'|'.join(OF_SOME)})\.")
"""What formulas read that no odds are made of."""
_MATTERS = (*KEEPS, "twice", "reroll", "explode", "cap", "blank", "worth", "none", "plus", "more")
"""What of a roll should make a difference to its odds."""
_NO_ROLL = RollRule()
_OF_DICE = ("dice", "plus", "pool", "die", "target", "keep_highest", "keep_lowest", "twice", "bands")
"""What an answer may change of a roll."""
_ROLLS: Mapping[str, Path] = {"roll": (), "group": ("group",), "pay": ("instead",)}
"""The verbs that make a roll or pay for it, and what of a roll each is about."""


def advise(system: Rulebook) -> tuple[Flaw, ...]:
    """Return what its author can't have meant, in the order of the file."""
    game: GameFile = system.edition.game
    suspects = _suspects(game)
    player, gaps = Game(system), dict[Path, Flaw]()
    for number, tree in enumerate(_states(player, game)):
        state = player.decode(tree)[0]
        if any(path[0] == "moves" or (path[:1] == ("dice",) and _is_of_a_move(path)) for path in suspects):
            _clear_by_moves(player, state, suspects)
        moment = FileMoment(state.sheet, state.rules, state.clocks, system.edition)
        for name, rule in game.dice.items():
            mine = [path for path in suspects if path[:2] in (("dice", name), ("after", name)) or path[0] == "spend"]
            if mine or number < _FIRST:
                _clear_by_rolls(moment, name, rule, suspects, gaps if number < _FIRST else None)
        for name, condition in game.when.items():
            scopes = (Scope(moment, condition.who, keys) for keys, _ in things(moment.sheet, condition.who))
            if any(scope.holds(condition.condition) for scope in scopes):
                suspects.pop(("when", name), None)
    # Where one outcome takes everything, nothing else about the roll matters, nor a spend on it; and what nobody can do does nothing else.
    flat = {path[1] for path in suspects if path[-1] == "bands" or (path[0] == "dice" and len(path) == 2)}
    useless = {name for name, spend in game.spend.items() if {*(spend.rolls or game.dice)} <= flat}
    whole = {path for path in suspects if len(path) == 2}
    cause = {path for path in suspects if path[-1] == "bands" and path[:2] not in whole} | whole
    cause -= {("spend", name) for name in useless}
    unseen = [
        flaw
        for path, flaw in suspects.items()
        if path in cause or not (path[1] in flat | useless or any(path[:2] == one for one in cause))
    ]
    for (name, value), changes in variants(game).items():
        if read_game(merge_trees(system.edition.tree, changes))[0] == game:
            text = "this changes nothing: the game is already like that"
            unseen.append(Flaw(("house_rules", name, "when", value), text, at_key=True))
    of_the_text = (_of_rolls, _of_labels_and_answers, _of_numbers, _of_spends_and_conditions, _of_what_never_moves)
    return (*unseen, *gaps.values(), *(flaw for check in of_the_text for flaw in check(game)))


def _suspects(game: GameFile) -> dict[Path, Flaw]:
    """Return what is still to be seen, by its place."""
    found: dict[Path, str] = {}
    for name, rule in game.dice.items():
        found |= {**_of_outcomes(name, rule), **_of_choices(game, name, rule)}
    found |= {
        ("spend", name): "this spend never helps: nobody can pay for it, or it can't improve any outcome"
        for name in game.spend
    }
    for name, move in game.moves.items():
        found["moves", name] = "nobody can ever do this: check its `when` and its costs"
        found |= {("moves", name, "choose", word): "this can never be chosen: check its `when`" for word in move.choose}
    found |= {("when", name): "this condition is never true: check its `if`" for name in game.when}
    return {
        path: Flaw(path, message, at_key=path[-1] != "bands" and not path[-1].isdigit())
        for path, message in found.items()
    }


def _of_outcomes(name: str, rule: RollRule) -> dict[Path, str]:
    found: dict[Path, str] = {}
    found["dice", name] = "nobody can ever make this roll: check its `when`, its pool, and conditions with `refuses`"
    if rule.pool == 0 and rule.reading != "beats":
        found["dice", name] = (
            'nobody can ever make this roll: it has no dice. pool = 0 is for rolls with reading = "beats"'
        )
    if len({band.outcome for band in rule.bands}) > 1:
        found["dice", name, "bands"] = (
            "every result has the same outcome, because the last one that fits counts: put the worst first, and give each of the others a `from`"
        )
    seen = set[str]()
    for place, band in enumerate(rule.bands):
        if band.outcome not in seen:
            found["dice", name, "bands", str(place)] = (
                f"{band.outcome} never happens: no result fits it, or an outcome further down fits too. The last one that fits counts"
            )
        seen.add(band.outcome)
    return found


def _of_choices(game: GameFile, name: str, rule: RollRule) -> dict[Path, str]:
    """Return what of a roll should make a difference, and what should be possible."""
    at, found, never = ("dice", name), dict[Path, str](), "this can never be chosen: check its `when` and its cost"
    follows = text_of(game, (game.after.get(name), game.spend))
    unlocks = repr([one.when for _, one in choices_in(rule)])
    for word, option in rule.options.items():
        if not option.who:
            found[*at, "options", word, "when"] = never
        if not option.who and f"options.{word}" not in follows + unlocks:
            found[*at, "options", word] = (
                f"this option changes nothing: give it `dice`, `plus` or `target`, or use options.{word} in a formula"
            )
    for way, answers in ways_of(rule).items():
        place, read = (("calls",), way) if way == CALL else (("pick", way), f"{PICK}.{way}")
        says = any(getattr(one, key) not in ("", 0, ()) for one in answers.values() for key in _OF_DICE)
        if read not in follows and says:
            found[*at, *place] = (
                f"this choice changes nothing: give an answer `dice`, `plus` or `target`, or use {read} in a formula"
            )
        found |= {(*at, *place, word): never for word in answers}
    if rule.instead:
        found[*at, "instead"] = "nobody can ever pay this: check its `when` and its cost"
    if rule.group:
        found[*at, "group"] = "nobody can ever make this as a group roll: check the list, and who can roll"
    if not _OF_RESULT.search(text_of(game, game.after.get(name))):
        keys = [(key,) for key in _MATTERS[:-1] if getattr(rule, key) not in ("", 0, (), None, {})]
        for key in (*keys, *(("more", str(place)) for place in range(len(rule.more)))):
            found[*at, *key] = (
                f"`{key[0]}` changes nothing: it makes no outcome more or less likely. Check its number, or remove it"
            )
    for outcome, effects in game.after.get(name, {}).items():
        numbers = (str(number) for number, effect in enumerate(effects) if effect.when != "")
        found |= {
            ("after", name, outcome, number, "when"): "this never happens: check its `when`" for number in numbers
        }
    return found


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
        case "deck":
            cards = [*cards_of(value.deck)]
            return ([], cards[::2], cards[:-3])
        case _:
            return value.choices if kind == "choices" else ()


# -- what clears a part ------------------------------------------------------------------------------------------------


def _is_of_a_move(path: Path) -> bool:
    """Whether what is suspected about a roll is cleared by moves that are offered."""
    return len(path) in (2, 5) or path[-1] in ("group", "instead") or (len(path) == 4 and path[2] == "calls")


def _clear_by_moves(player: Game, state: Any, suspects: dict[Path, Flaw]) -> None:
    for move in player.moves(state):
        if move.blocked:
            continue
        at = ("dice", move.words[0]) if move.verb in _ROLLS else ("moves", move.verb)
        suspects.pop((*at, *_ROLLS.get(move.verb, ())), None)
        for ask in move.asks:
            if isinstance(ask, PickOne | PickMany):
                inner = ("calls",) if ask.name == CALL else ("choose",) if at[0] == "moves" else ("pick", ask.name)
                inner, end = (("options",), ("when",)) if ask.name == OPTIONS else (inner, ())
                for option in ask.options:
                    if not option.blocked:
                        suspects.pop((*at, *inner, option.word, *end), None)


def _clear_by_rolls(
    moment: FileMoment, name: str, rule: RollRule, suspects: dict[Path, Flaw], gaps: dict[Path, Flaw] | None
) -> None:
    at = ("dice", name)
    reads_result = _OF_RESULT.search(text_of(moment.game, moment.game.after.get(name)))
    for keys, _ in things(moment.sheet, rule.who):
        before: tuple[Mapping[str, Ratio], RollPlan | None] | None = None
        for choice in (ways := [*_ways_to_roll(moment, name, rule, keys)]):
            plan = plan_roll(moment, choice).plan
            if not plan.has_dice:
                continue
            try:
                tally = exact_odds(plan)
                looks = reads_result or gaps is not None or any(path[:2] == ("after", name) for path in suspects)
                results = {*possible_results(plan, Marks() if reads_result else None)} if looks else set()
                if gaps is not None and at not in gaps and (gap := _gap(plan, results)):
                    gaps[at] = Flaw((*at, "bands"), gap)
            except TooMany:
                tally, results = {}, set()
            _clear_keys(moment, choice, tally, suspects)
            _clear_after(moment, choice, plan, results, suspects)
            _clear_spends(moment, choice, plan, tally, suspects)
            came = [outcome for outcome, chance in tally.items() if chance] or [band.outcome for band in plan.bands]
            for place, band in enumerate(rule.bands):
                if band.outcome in came:
                    suspects.pop((*at, "bands", str(place)), None)
            if len(came) > 1:
                suspects.pop((*at, "bands"), None)
            now = tally, plan if reads_result else None
            before = before or now
            if now != before:
                for one in {*choice.options} - {*ways[0].options}:
                    suspects.pop((*at, "options", option_of(one)), None)
                    suspects.pop((*at, "pick", option_of(one)), None)
                if choice.call != ways[0].call:
                    suspects.pop((*at, "calls"), None)


def _ways_to_roll(moment: FileMoment, name: str, rule: RollRule, keys: tuple[str, ...]) -> Iterator[RollChoice]:
    """Yield a roll with its default answers, and then with each other answer."""
    picked = tuple(f"{key}.{next(iter(ways))}" for key, ways in rule.pick.items())
    middle = sum(rule.modifier[:2]) // 2
    plain = RollChoice(name, rule, keys, picked, next(iter(rule.calls), ""), middle)
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


def _clear_keys(moment: FileMoment, choice: RollChoice, tally: Mapping[str, Ratio], suspects: dict[Path, Flaw]) -> None:
    """Clear what makes a difference to the odds."""
    for path in [path for path in suspects if path[:2] == ("dice", choice.name) and path[2:3] and path[2] in _MATTERS]:
        more = tuple(extra for place, extra in enumerate(choice.rule.more) if str(place) != path[-1])
        without = {"more": more} if path[2] == "more" else {path[2]: getattr(_NO_ROLL, path[2])}
        other = plan_roll(moment, choice._replace(rule=replace(choice.rule, **without))).plan
        try:
            makes_a_difference = not tally or not other.has_dice or exact_odds(other) != tally
        except TooMany:
            makes_a_difference = True
        if makes_a_difference:
            suspects.pop(path)


def _clear_after(
    moment: FileMoment, choice: RollChoice, plan: RollPlan, results: Collection[Result], suspects: dict[Path, Flaw]
) -> None:
    """Clear the effects of outcomes that happen."""
    at = ("after", choice.name)
    for path in [path for path in suspects if path[:2] == at]:
        effects, place = moment.game.after[choice.name][path[2]], int(path[3])
        for result in results or (None,):
            if result is None or outcome_of(plan.bands, result).outcome != path[2]:
                if result is None:
                    suspects.pop(path, None)
                continue
            names: dict[tuple[str, ...], Found] = {**choice.names(), ("outcome",): path[2], ("suit",): ""}
            names |= result.names()
            unknown = _NOT_IN_ODDS.search(text_of(moment.game, effects[place].when))
            if unknown or _happens(moment, effects, place, choice, names):
                suspects.pop(path, None)
                break


def _happens(
    moment: FileMoment, effects: Sequence[EffectRule], place: int, choice: RollChoice, names: Mapping[Any, Any]
) -> bool:
    """Whether the condition of an effect holds before, or once those before it are done."""
    scope = replace(choice.scope(moment), names=names)
    if scope.holds(effects[place].when):
        return True
    return replace(scope, moment=apply_all(moment, effects[:place], scope)).holds(effects[place].when)


def _gap(plan: RollPlan, results: Collection[Result]) -> str:
    """Return what is wrong if there are results that no outcome is for, though others lie beside them."""
    first, *others = plan.bands
    plain = [
        band for band in others if replace(band, low=None, high=None) == Band(band.outcome, band.label, band.grade)
    ]
    is_for_all = first == Band(first.outcome, first.label, first.grade)
    covered = {
        result.value for result in results if any(band.fits(result) for band in (plain if is_for_all else plan.bands))
    }
    missed = sorted({result.value for result in results} - covered)
    if is_for_all and covered:
        missed = [value for value in missed if min(covered) < value < max(covered)]
    if not missed or not covered:
        return ""
    shown = f"{missed[0]} to {missed[-1]}" if len(missed) > 1 else f"{missed[0]}"
    return f"no outcome covers a result of {shown}, so it counts as “{first.label}”, the first in the list: let another outcome start there"


# -- what the text itself says -----------------------------------------------------------------------------------------


def _of_rolls(game: GameFile) -> Iterator[Flaw]:
    for name, rule in game.dice.items():
        yield from _of_kept_dice(name, rule)
        keeps = any(getattr(rule, key) for key in KEEPS)
        adding = (word for word, one in rule.options.items() if one.dice != 0 and not (one.against or one.keep_lowest))
        more = next(adding, "")
        if rule.reading == "under" and not keeps and (more or not isinstance(rule.pool, int) or rule.pool > 1):
            at = ("dice", name, "options", more) if more else ("dice", name, "pool")
            text = "the sum of the dice has to be under the target, so each extra die makes the roll harder: keep_lowest = 1 keeps only the best one"
            yield Flaw(at, text)
        if rule.target != 0 and rule.reading not in ("count", "count-under", "under"):
            text = f'`target` has no effect with reading = "{rule.reading}": write `from` in the outcomes'
            yield Flaw(("dice", name, "target"), text)
        if rule.group and rule.group.leader and not rule.group.outcomes:
            text = 'the leader never pays: list the outcomes that cost the leader something, such as outcomes = ["bad"]'
            yield Flaw(("dice", name, "group"), text)


def _of_kept_dice(name: str, rule: RollRule) -> Iterator[Flaw]:
    """Say of an answer that keeps one of several dice what an option's dice make of it: they are all together."""
    answers = {
        at[-1]: (at, one)
        for at, one in choices_in(rule)
        if at[0] != OPTIONS and any(getattr(one, key) != "" for key in KEEPS[:2])
    }
    for word, option in rule.options.items():
        keeps = any(getattr(option, key) != "" for key in KEEPS[:2])
        if option.against or not (keeps or option.dice != 0):
            continue
        for answer, (at, one) in answers.items():
            better = "lowest" if rule.reading in ("under", "lowest", "count-under") else "highest"
            if not keeps and (getattr(one, f"keep_{better}") != "" or not (one.dice != 0 or one.pool != "")):
                continue
            what = f"only the kept dice of `{word}` count" if keeps else f"a die added by `{word}` makes the roll worse"
            text = f'with {answer}, {what}: for advantage or disadvantage, write twice = "better" or "worse" instead'
            yield Flaw(("dice", name, *at), text, at_key=True)


def _of_labels_and_answers(game: GameFile) -> Iterator[Flaw]:
    for kind, rules in (("dice", game.dice), ("moves", game.moves)):
        labels = {name: label_of(name, rule.label) for name, rule in rules.items()}
        for place, (name, label) in enumerate(labels.items()):
            if label in [*labels.values()][:place]:
                text = f"two of these are called “{label}”: give each a label of its own"
                yield Flaw((kind, name), text, at_key=True)
    for name, rule in game.dice.items():
        shown = Counter({band.outcome: label_of(band.outcome, band.label) for band in rule.bands}.values())
        if alike := [label for label, count in shown.items() if count > 1]:
            yield Flaw(("dice", name, "bands"), f"two outcomes are called “{alike[0]}”: give each a label of its own")
    for name, move in game.moves.items():
        does = repr((move.does, [(choice.does, choice.when) for choice in move.choose.values()]))
        for key, asked in (("amount", move.amount), ("text", move.text), ("choose", move.choose), ("whom", move.whom)):
            is_done = key == "choose" and any(choice.does for choice in move.choose.values())
            if asked and not is_done and not re.search(rf"\b{key}\b", does):
                text = f"the answer to this question changes nothing: use `{key}` in `does`"
                yield Flaw(("moves", name, key), text, at_key=True)


def _of_numbers(game: GameFile) -> Iterator[Flaw]:
    for at, effect, who, _ in effects_in(game):
        try:
            words = parse_effect(effect.do)
            value = find(game.sheet, who, words.names).value
        except (WrongEffect, WrongPath):
            continue
        number = int(words.rest) if re.fullmatch(r"-?[0-9]+", words.rest) else None
        if number is None:
            continue
        if words.verb in (*UP, *DOWN) and number <= 0:
            yield Flaw(at, f"`{words.verb}` by {number} does nothing, or the opposite: write a number above 0")
        elif words.verb == "set" and value.range and not value.range[0] <= number <= value.range[-1]:
            yield Flaw(at, f"{words.names[-1]} is from {value.range[0]} to {value.range[-1]}, so it can't be {number}")


def _of_spends_and_conditions(game: GameFile) -> Iterator[Flaw]:
    for name, spend in game.spend.items():
        if (spend.faces or spend.again or spend.keep_better) and not spend.reroll:
            wrong = "`faces`, `again` and `keep_better` have no effect without `reroll`"
            yield Flaw(("spend", name), wrong, at_key=True)
        for key in ("die", "dice_label"):
            if getattr(spend, key) and not spend.dice:
                yield Flaw(("spend", name, key), f"`{key}` has no effect without `dice`, which says how many to add")
    for name, condition in game.when.items():
        if not any(getattr(condition, key) for key in ("dice", "plus", "twice", "refuses", "tag", "about")):
            text = "this condition changes nothing: give it `dice`, `plus`, `twice`, `refuses` or `tag`"
            yield Flaw(("when", name), text, at_key=True)


def _of_what_never_moves(game: GameFile) -> Iterator[Flaw]:
    moved = _names_in_effects(game)
    for name in game.clocks:
        if name not in moved:
            text = f'no effect ever fills this clock: add one, such as "tick {name}"'
            yield Flaw(("clocks", name), text, at_key=True)
    whole = repr((game.dice, game.spend, game.after, game.moves, game.when))
    at_limits = [(value.when_full, value.when_empty) for _, value, _ in values_in(game)]
    written = repr((game.dice, game.spend, game.after, game.moves, game.clocks, at_limits))
    for name, switch in game.house_rules.items():
        if not switch.when and f"rules.{name}" not in whole:
            text = f"nothing depends on this house rule: use rules.{name} in a formula, or give it a `when`"
            yield Flaw(("house_rules", name), text, at_key=True)
    for key, part in game.sheet.items():
        for name, value in (part.each or part.values).items():
            inner = "each" if part.each else "values"
            verbs = {*re.findall(rf"\b([a-z]+) (?:[a-z_.]+\.)?{name}\b", written)} & {*VERBS}
            ends = ((UP, value.range[-1:]), (DOWN, value.range[:1]))
            if any(verbs and verbs <= {*ways} and (start_of(value),) == end for ways, end in ends if value.range):
                end = "highest" if verbs <= {*UP} else "lowest"
                text = f"{label_of(name, value.label)} starts at its {end}, and nothing moves it the other way: give it another `start`"
                yield Flaw(("sheet", key, inner, name), text, at_key=True)
            readers = [when for when, rule in game.when.items() if re.search(rf"\b{name}\b", str(rule.condition))]
            if kind_of(value) == "range" and readers and name not in moved:
                text = f"[when.{readers[0]}] depends on {label_of(name, value.label)}, but nothing in the game changes it, only marks by hand"
                yield Flaw(("sheet", key, inner, name), f'{text}: write an effect such as "mark {name}"', at_key=True)


def _names_in_effects(game: GameFile) -> set[str]:
    """Return the names in all effects of the game, costs and offers included."""
    effects = [effect for _, effect, _, _ in effects_in(game)]
    for rule in game.dice.values():
        effects += (*(rule.instead.cost if rule.instead else ()), *(rule.group.leader if rule.group else ()))
        effects += (effect for _, one in choices_in(rule) for effect in one.cost)
    effects += (effect for spend in game.spend.values() for effect in spend.cost)
    found = set[str]()
    for text in (text for effect in effects for text in (effect.do, effect.offer)):
        with suppress(WrongEffect):
            words = parse_effect(text)
            found |= {*words.names, *re.findall(r"[a-z_]+", words.rest)}
    return found
