"""Finds the parts of a game without mistakes that never do anything, by trying them.

Each part of the game is under suspicion until some state of a campaign clears it: a new one, one with every value at its lowest or its
highest, and others at random, the same each time. In each state a roll is tried with every answer by itself, and with the answers that
one formula reads in every combination. What is left then is looked for in states in which its conditions hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, islice, product
from math import prod
from typing import Any

from waylog.rules.codec.changes import join_names
from waylog.rules.file_game.check_names_and_formulas import bands_in, choices_in, effects_in, outcomes_of, text_of
from waylog.rules.file_game.check_sample_campaigns import (
    MOST_TRIES,
    pseudo_random,
    states_at_random,
    states_that_differ,
)
from waylog.rules.file_game.check_tried_rolls import (
    MATTERS,
    MOST_AMOUNTS,
    OF_ANSWERS,
    OF_CHOICES,
    OF_EFFECTS,
    OF_RESULT,
    SAME,
    RollTrial,
    Suspects,
    Tries,
    happening,
)
from waylog.rules.file_game.effects_and_offers import ANY, WHOM
from waylog.rules.file_game.game_file_format import CHOSEN, Flaw, GameFile, Path, ValueRule, questions_of, values_in
from waylog.rules.file_game.misspelt_names import value_at
from waylog.rules.file_game.moves_without_rolls import offers_of
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Found,
    Scope,
    WrongPath,
    label_of,
    lasting_values,
    paths_read,
    places_in,
    things,
)
from waylog.rules.file_game.offered_rolls import offers as offers_of_rolls
from waylog.rules.file_game.roll_and_effect_format import (
    AMOUNT,
    DOWN,
    TYPED,
    UP,
    EffectRule,
    RollOption,
    RollRule,
    WrongEffect,
    dice_in,
    parse_effect,
)
from waylog.rules.file_game.roll_plans_and_options import CALL, OPTIONS, PICK, usual_answer, ways_of
from waylog.rules.game import Game
from waylog.rules.model.moves import PickOne
from waylog.rules.model.state import State
from waylog.rules.rulebook import Rulebook
from waylog.values import NamedTuple, replace

_FIRST = 8
"""In how many of the states every roll is tried, for results that no outcome has."""
_BASES = 4
"""How many of the states are changed in what a condition reads."""
MOST_OF_ROLLS, _MOST_OF_EFFECTS, _MOST_OF_AIMS, _LEAST_OF_AIM = 40_000, 40_000, 60_000, 5_000
"""The tries of rolls and of effects in states at random; those in states in which conditions hold, and of these, how many there are at
least for one part of the game, as long as some are left.
"""
_MOST_HITS = 12
"""In how many states where its conditions hold a part is tried."""
_NOT_ALL_TRIED = "This roll has so many combinations of answers that Waylog tried only some of them"
_OR, _INSIDE = re.compile(r"\b(?:or|if)\b"), re.compile(r"\(.*\)")
_OF_OTHERS = re.compile(r"\bcount\b|\beach\b|\brules\.")
"""What formulas read that differs from campaign to campaign in more than the values of the sheet."""
_OF_PARTS = ("roll", "take", "do", "twice", "default", *OF_ANSWERS)
"""Keys of which nothing is said where what they belong to never happens."""
_ROLLS: Mapping[str, Path] = {"roll": (), "group": ("group",), "pay": ("instead",)}
"""The verbs that make a roll or pay for it, and what of a roll each is about."""


def never_seen(system: Rulebook) -> Iterator[Flaw]:
    """Yield what nobody can do or choose, what never happens, and what changes nothing; then the results that no outcome is for."""
    game: GameFile = system.edition.game
    suspects = _suspects(game)
    player, trials = Game(system), [RollTrial(game, name, suspects) for name in game.dice]
    moments, tries, of_effects = list[FileMoment](), Tries(MOST_OF_ROLLS), Tries(_MOST_OF_EFFECTS)
    fresh = _moment_of(system, player.fresh(""))
    impossible = {path: suspects.pop(path) for path in [*suspects] if _is_impossible(fresh, path)}
    for number, tree in enumerate(states_at_random(player, game)):
        if not suspects and number >= _FIRST:
            break
        moments.append(moment := _moment_of(system, player.decode(tree)[0]))
        _clear_by_moves(moment, suspects)
        for trial in trials:
            # One roll leaves tries to the others about which something is to be seen.
            its_own = Tries(tries.left // max(1, sum(one.is_wanted for one in trials)))
            tries.left -= its_own.left
            trial.try_out(moment, its_own, everything=number < _FIRST)
            tries.left += max(0, its_own.left)
        _clear_effects(moment, suspects, of_effects)
        _clear_conditions(moment, suspects)
    # Of what takes too many tries, nothing is said, but of outcomes that depend on the dice alone.
    cut, numbers = [trial for trial in trials if trial.is_cut], pseudo_random()
    for moment, trial in product(moments, cut):
        trial.try_outcomes(moment, numbers)
    for path in [path for path in suspects if any(trial.may_clear(path) for trial in cut)]:
        if any(trial.is_plain_outcome(path) for trial in cut):
            suspects[path] = suspects[path]._replace(message=f"{suspects[path].message}. {_NOT_ALL_TRIED}")
        else:
            del suspects[path]
    tries = Tries(_MOST_OF_AIMS)
    for place, path in enumerate(waiting := [*suspects]):
        its_own = Tries(max(tries.left // (len(waiting) - place), min(tries.left, _LEAST_OF_AIM)))
        tries.left -= its_own.left
        _clear_by_aiming(moments[:_BASES], path, suspects, its_own)
        tries.left += max(0, its_own.left)
    suspects |= impossible
    yield from _without_consequences(system, suspects)
    # Beside an outcome that never happens there are results without one.
    wrong = {path[1] for path in suspects if path[2:3] == ("bands",)}
    yield from (trial.gap for trial in trials if trial.gap and trial.gap.path[1] not in wrong)
    yield from _idle_limits(moments[:_BASES])


def _moment_of(system: Rulebook, state: State) -> FileMoment:
    return FileMoment(state.sheet, state.rules, state.clocks, system.edition)


def _without_consequences(system: Rulebook, suspects: Suspects) -> Iterator[Flaw]:
    """Yield what was never seen, without what follows from something else that wasn't: where one outcome takes everything, nothing else
    about the roll matters, nor a spend on it; what nobody can do does nothing else; and what a roll has from its base is told there.
    """
    game: GameFile = system.edition.game
    flat = {path[1] for path in suspects if path[0] == "dice" and (len(path) == 2 or path[-1] == "bands")}
    useless = {name for name, spend in game.spend.items() if {*(spend.rolls or game.dice)} <= flat}
    bands = (path for path in suspects if path[0] == "dice" and path[2:3] == ("bands",) and len(path) > 3)
    impossible = {("after", path[1], game.dice[path[1]].bands[int(path[3])].outcome) for path in bands}
    for path, flaw in suspects.items():
        whole, name = path[:2], path[1]
        match path[0]:
            case "spend":
                follows = name in useless
            case "after" if path[:3] in impossible:
                follows = True
            case "dice" | "after":
                is_first = path == whole or (path[-1] == "bands" and whole not in suspects)
                follows = name in flat and not is_first
            case _:
                follows = path != whole and whole in suspects
        if SAME in path:
            at, other = path[: path.index(SAME)], path[-1]
            follows |= (*at[:-1], other) in suspects or any((*at, key) in suspects for key in OF_ANSWERS)
        if path[2:3] and path[2] in ("options", "calls", "pick") and path[-1] != "when":
            follows |= any(path[:end] in suspects for end in range(3, len(path)))
        if path[0] in ("dice", "after") and (path[0], game.dice[name].base, *path[2:]) in suspects:
            follows |= path[2:] != () and value_at(system.edition.tree, path) is None
        above = path[:-1] if path[-1] in _OF_PARTS else path
        if not (follows or (*above, "when") in suspects):
            yield flaw


def _is_impossible(fresh: FileMoment, path: Path) -> bool:
    """Whether a part of the condition of an effect after a roll reads only how the roll was made and its outcome, and never holds."""
    if path[0] != "after" or path[-1] != "when":
        return False
    game, rule = fresh.game, fresh.game.dice[path[1]]
    outcomes = outcomes_of(rule) if path[2] == ANY else path[2:3]
    answers: dict[tuple[str, ...], Sequence[Found]] = {(CALL,): ["", *rule.calls], ("outcome",): [*outcomes]}
    answers |= {(PICK, name): ["", *ways] for name, ways in rule.pick.items()}
    answers |= {(OPTIONS, word): (False, True) for word, option in rule.options.items() if not option.who}
    for part in _parts_of(_at(game, path)):
        every = paths_read(game, part) if isinstance(part, str) else ()
        read = [one for one in every if one[1:] or one[0] not in game.formulas]
        ways = [answers.get(one, ()) for one in read]
        if read and 0 < prod(map(len, ways)) <= MOST_TRIES:
            scopes = (Scope(fresh, names=dict(zip(read, words, strict=True))) for words in product(*ways))
            if not any(one.holds(part) for one in scopes):
                return True
    return False


def _suspects(game: GameFile) -> Suspects:
    """Return what is still to be seen, by its place."""
    found: dict[Path, str] = {}
    for name, rule in game.dice.items():
        found |= {**_outcomes_to_see(name, rule), **_choices_to_see(game, name, rule)}
    for name, spend in game.spend.items():
        found["spend", name] = "this spend never helps: nobody can pay for it, or it can't improve any outcome"
        if spend.when != "":
            text = "this spend can never be used: no roll in any state of the game fits its `when`"
            found["spend", name, "when"] = text
    for name, move in game.moves.items():
        found["moves", name] = "this move can never be made: check its `when` and its costs"
        never = "nobody can ever choose this answer: check its `when`"
        answers = (("moves", name, *path, word) for path, choices in questions_of(move).items() for word in choices)
        found |= dict.fromkeys(answers, never)
    found |= {("when", name): "this condition is never true: check its `if`" for name in game.when}
    for key in ("dice", "plus"):
        text = f"`{key}` is 0 whenever this condition holds: check the formula"
        found |= {("when", name, key): text for name, one in game.when.items() if getattr(one, key) != 0}
    found |= {("when", name, "twice"): _never_twice(one.twice) for name, one in game.when.items() if one.twice}
    for at, effect, _, _ in effects_in(game):
        if effect.when != "":
            ended = (path[-1] for path, one, _ in lasting_values(game) if at[0] == "after" and _ends_with(one, at[1]))
            name = next((name for name in ended if name in re.findall(r"\w+", text_of(game, effect.when))), "")
            why = f"`{name}` ends with the roll, before this. Without `ends`, an effect here can clear it"
            found[*at, "when"] = f"this effect never happens: {why if name else 'check its `when`'}"
        with suppress(WrongEffect):
            words = parse_effect(effect.do)
            if words.verb in (*UP, *DOWN) and not (any(dice_in(words)) or re.fullmatch(r"-?[0-9]*", words.rest)):
                text = f"this number is never above 0, so `{words.verb}` does nothing, or the opposite of what it says: check the formula"
                found[*at, "do"] = text
        if effect.one_of and (effect.take, effect.takes) != (1, 1):
            text = (
                "this is never offered: `take` (how many offers can be taken) is always less than `takes` (at least 1)"
            )
            found[*at, "take"] = text
        conditions = [
            name for name, one in game.when.items() if one.refuses and effect.roll in (one.rolls or game.dice)
        ]
        refusing = [f"[when.{name}]" for name in conditions]
        refusing += [f"the `when` of [dice.{effect.roll}]"] if effect.roll and game.dice[effect.roll].when != "" else []
        if effect.roll and refusing:
            text = f"this roll never happens here, because {join_names(refusing, 'or')} always refuses it at that point. In a condition, use `rolls` to name only the rolls that the condition should refuse"
            found[*at, "roll"] = text
    places = {path: path[: path.index(SAME)] if SAME in path else path for path in found}
    return {
        path: Flaw(at, found[path], at_key=at[-1] not in ("bands", "do") and not at[-1].isdigit())
        for path, at in places.items()
    }


def _ends_with(value: ValueRule, roll: str) -> bool:
    return not {"roll", f"roll {roll}"}.isdisjoint(value.ends)


def _outcomes_to_see(name: str, rule: RollRule) -> dict[Path, str]:
    found: dict[Path, str] = {}
    found["dice", name] = "this roll can never be made: check its `when`, its pool, and conditions with `refuses`"
    if rule.pool == 0 and rule.reading != "beats":
        text = 'this roll can never be made: it has no dice. pool = 0 is for rolls with reading = "beats"'
        found["dice", name] = text
    if len({band.outcome for band in rule.bands}) > 1:
        text = "every result has the same outcome, because the last outcome that fits is used: put the worst outcome first, and give each of the others a `from`"
        found["dice", name, "bands"] = text
    seen = set[str]()
    for place, band in enumerate(rule.bands):
        if band.outcome not in seen and not (rule.instead and band.outcome == rule.instead.outcome):
            text = f"{band.outcome} never happens: no result fits it, or an outcome further down always fits as well. If several fit, the last one counts"
            found["dice", name, "bands", str(place)] = text
        seen.add(band.outcome)
    return found


def _without_effect(key: str, *, repeats_roll: bool = False) -> str:
    if repeats_roll:
        return f"`{key}` is the same as the roll's own {key}. Remove it, or change it"
    return f"`{key}` changes nothing: it makes no outcome more or less likely. Check its number, or remove it"


def _never_twice(twice: str) -> str:
    other = "worse" if twice == "better" else "better"
    return f"this never makes a roll {twice}: whenever it applies, something else makes the roll {other}, and the two cancel each other out. Remove one of them"


def _choices_to_see(game: GameFile, name: str, rule: RollRule) -> dict[Path, str]:
    """Return what of a roll should make a difference, and what should be possible."""
    at: Path = ("dice", name)
    found = {**_options_to_see(game, at, rule), **_answers_to_see(game, at, rule)}
    several = len({band.outcome for band in bands_in(rule)}) > 1
    if rule.twice and several:
        found[*at, "twice"] = _never_twice(rule.twice)
    for where, one in choices_in(rule):
        if _is_of_one_alone(game, rule, one):
            continue
        # Of the highest die, to keep the highest is only to say so.
        keys = (key for key in OF_ANSWERS if getattr(one, key) not in ("", 0) and key != f"keep_{rule.reading}")
        for key in keys:
            repeats_roll = key not in ("dice", "plus") and getattr(one, key) == getattr(rule, key)
            found[*at, *where, key] = _without_effect(key, repeats_roll=repeats_roll)
        if one.twice and several:
            found[*at, *where, "twice"] = _never_twice(one.twice)
        if one.default not in ("", True):
            text = "this is never the default answer: check the formula, and whether an answer before it is always the default"
            found[*at, *where, "default"] = text
    if rule.instead:
        found[*at, "instead"] = "nobody can ever pay this price: check its `when` and its cost"
    if rule.group:
        text = "this can never be a group roll: check the list in `who`, and which of its members can roll"
        found[*at, "group"] = text
    # Where something reads what the dice show, any other key makes a difference.
    mattering = () if OF_RESULT.search(text_of(game, game.after.get(name))) else MATTERS[:-1]
    changed: list[Path] = [(key,) for key in mattering if getattr(rule, key) not in ("", 0, (), None, {})]
    for path in (*changed, *(("more", str(place)) for place in range(len(rule.more)))):
        found[*at, *path] = _without_effect(path[0])
    return found


_NEVER_CHOSEN = "nobody can ever choose this answer: check its `when` and its cost"


def _options_to_see(game: GameFile, at: Path, rule: RollRule) -> dict[Path, str]:
    found: dict[Path, str] = {}
    read = _read_of_choices(game, at, rule)
    for word, option in rule.options.items():
        if not _is_of_one_alone(game, rule, option):
            found[*at, "options", word, "when"] = _NEVER_CHOSEN
        if f"options.{word}" not in read:
            text = (
                f"this option changes nothing: give it `dice`, `plus` or `target`, or use options.{word} in a formula"
            )
            found[*at, "options", word] = text
    return found


def _is_of_one_alone(game: GameFile, rule: RollRule, option: RollOption) -> bool:
    """Whether an option needs somebody beside whoever rolls, who begins alone: there is nobody to choose yet."""
    part = game.sheet.get(option.who)
    start: Any = part.start if part else {}
    return option.who == rule.who and len(start) == 1


def _read_of_choices(game: GameFile, at: Path, rule: RollRule) -> str:
    """Return the text of what follows from a roll, and of what makes its answers possible: it may read other answers."""
    follows = text_of(game, (game.after.get(at[-1]), game.spend, game.when))
    return follows + repr([one.when for one in rule.answers()])


def _answers_to_see(game: GameFile, at: Path, rule: RollRule) -> dict[Path, str]:
    found: dict[Path, str] = {}
    read = _read_of_choices(game, at, rule)
    for way, answers in ways_of(rule).items():
        place, name = ((*at, "calls"), way) if way == CALL else ((*at, "pick", way), f"{PICK}.{way}")
        says = any(one.changes_roll for one in answers.values())
        if name not in read and says and len(answers) > 1:
            text = f"this choice changes nothing: give one of its answers `dice`, `plus` or `target`, or use `{name}` in a formula"
            found[place] = text
        found |= {(*place, word): _NEVER_CHOSEN for word in answers}
        for word, other in combinations(answers, 2) if name not in read else ():
            if answers[word].changes_roll or answers[other].changes_roll:
                text = f"this makes the same roll as `{word}`, and nothing in the game tells them apart. Give one of them different dice or numbers, or use `{name}` in a formula"
                found[*place, other, SAME, word] = text
    return found


# -- what clears a part ------------------------------------------------------------------------------------------------


def _clear_by_moves(moment: FileMoment, suspects: Suspects) -> None:
    """Clear the moves, and the rolls, that are possible, and the answers to what moves ask."""
    made = [move for name in {path[1] for path in suspects if path[0] == "moves"} for move in offers_of(moment, name)]
    of_rolls = (path[2:] for path in suspects if path[0] == "dice")
    made += offers_of_rolls(moment) if any(inner in _ROLLS.values() for inner in of_rolls) else ()
    for move in made:
        if move.blocked:
            continue
        at = ("dice", move.words[0]) if move.verb in _ROLLS else ("moves", move.verb)
        suspects.pop((*at, *_ROLLS.get(move.verb, ())), None)
        for ask in (ask for ask in move.asks if isinstance(ask, PickOne)):
            place = (CHOSEN,) if ask.name == CHOSEN else (PICK, ask.name)
            for option in (one for one in ask.options if not one.blocked):
                suspects.pop((*at, *place, option.word), None)


def _clear_conditions(moment: FileMoment, suspects: Suspects) -> None:
    """Clear the conditions that hold, and the answers that are the default."""
    for path in [path for path in suspects if path[-1] == "default" or (path[0] == "when" and len(path) == 2)]:
        if path[0] == "when":
            condition = moment.game.when[path[1]]
            is_seen = any(True for _ in _holding(moment, condition.who, (condition.condition,)))
        else:
            rule = moment.game.dice[path[1]]
            ways = ways_of(rule)[CALL if path[2] == "calls" else path[3]]
            is_seen = any(usual_answer(ways, scope) == path[-2] for scope in _holding(moment, rule.who, ()))
        if is_seen:
            del suspects[path]


def _idle_limits(bases: Sequence[FileMoment]) -> Iterator[Flaw]:
    """Yield the formulas of limits that never change the range, or that leave nothing of it, whatever the values that they read."""
    for at, value, who in values_in(bases[0].game):
        for key in ("most", "least") if value.range else ():
            formula = getattr(value, key)
            text = text_of(bases[0].game, formula)
            if formula == "" or _OF_OTHERS.search(text):
                continue
            count, moments = states_that_differ(bases, text)
            if count > MOST_TRIES:
                continue
            (low, high), shown = value.range, label_of(at[-1], value.label)
            found = list[int]()
            for scope in (one for moment in moments for one in _holding(moment, who, ())):
                found = sorted((*found[:1], *found[-1:], scope.number(formula)))
                if found[0] < high and found[-1] > low:
                    break
            if not found or (found[0] < high and found[-1] > low):
                continue
            above, below = f"always {found[0]} or more", f"always {found[-1]} or less"
            if key == "most":
                idle, stuck, comes, ends = found[0] >= high, found[-1] <= low, (above, below), (high, low)
            else:
                idle, stuck, comes, ends = found[-1] <= low, found[0] >= high, (below, above), (low, high)
            if idle:
                text = f"this changes nothing: it is {comes[0]}, and the range ends at {ends[0]}. Check the formula, or remove `{key}`"
                yield Flaw((*at, key), text)
            elif stuck:
                text = f"{shown} can never be anything but {ends[1]}, because `{key}` is {comes[1]}. Check the formula"
                yield Flaw((*at, key), text)


def _clear_effects(moment: FileMoment, suspects: Suspects, tries: Tries) -> None:
    """Clear the effects of moves, and those at the limits of values; all of them if there are too few tries to see any."""
    wanted = {path[: 2 if path[0] == "moves" else -2] for path in suspects if path[-1] in OF_EFFECTS}
    for at, before, effects, scope in _occasions(moment, wanted):
        places = ((place, key) for place in range(len(effects)) for key in OF_EFFECTS)
        left = {(len(before) + place, key): (*at, str(place), key) for place, key in places}
        unseen = [one for one, path in left.items() if path in suspects]
        if unseen and not tries.take():
            for path in [path for path in suspects if path[-1] in OF_EFFECTS and path[0] in ("moves", "sheet")]:
                del suspects[path]
            return
        for one in happening((*before, *effects), unseen, scope) if unseen else ():
            del suspects[left[one]]


def _occasions(
    moment: FileMoment, wanted: Collection[Path]
) -> Iterator[tuple[Path, Sequence[EffectRule], Sequence[EffectRule], Scope]]:
    """Yield effects of moves and at the limits of values with their place, those that come before them, and what they read then."""
    for path, value, who in values_in(moment.game):
        for key in ("when_full", "when_empty"):
            for at, keys in places_in(moment.sheet, path, who) if (*path, key) in wanted else ():
                limit = moment.limits(value, at)[key == "when_full"]
                yield (*path, key), (), getattr(value, key), Scope(moment.put(at, limit), who, keys)
    for name, rule in moment.game.moves.items():
        for keys, _ in things(moment.sheet, rule.who) if ("moves", name) in wanted else ():
            scope = Scope(moment, rule.who, keys)
            amounts = range(scope.number(rule.amount[0]), scope.number(rule.amount[-1]) + 1) if rule.amount else (0,)
            others = [*moment.things_by_word(rule.whom).values()]
            questions = questions_of(rule)
            for amount, other, words in product(amounts[:MOST_AMOUNTS], others, [*product(*questions.values())]):
                names: dict[tuple[str, ...], Found] = {(AMOUNT,): amount, (TYPED,): "Something"}
                names |= zip(questions, words, strict=True)
                acting = replace(scope, names=names, chosen={WHOM: (rule.whom, (other,))} if rule.whom else {})
                yield ("moves", name, "does"), (), rule.does, acting
                for (path, choices), word in zip(questions.items(), words, strict=True):
                    yield ("moves", name, *path, word, "does"), rule.does, choices[word].does, acting


# -- states in which what is under suspicion should happen ----------------------------------------------------------------


_AIMED_AT = ("options", "calls", "pick", "group", "instead", "twice", "more")
"""The parts of a roll that depend on the state of the sheet."""


class _Aim(NamedTuple):
    """Conditions that are aimed at, in place of states at random."""

    who: str
    """The list of those for whom the conditions should hold."""
    conditions: tuple[object, ...]
    parts: tuple[object, ...]
    """The other parts of the game that it depends on."""


def _aim_at(game: GameFile, path: Path) -> _Aim | None:
    """Return what has to hold for something to be seen; None if no state of the sheet stands in its way."""
    kind, name, *inner = path
    match kind:
        case "when":
            return _Aim(game.when[name].who, (game.when[name].condition,), ())
        case "moves":
            move = game.moves[name]
            questions = questions_of(move)
            choice = next(
                (one[inner[-1]] for at, one in questions.items() if [*at] == inner[:-1] and inner[-1] in one), None
            )
            costs = [one.do for one in (*move.does, *(choice.does if choice else ())) if one.do.startswith("spend")]
            choices = (choice,) if choice else tuple(one for answers in questions.values() for one in answers.values())
            parts = (costs, _at(game, path), move.amount, [one.when for one in choices])
            return _Aim(move.who, (move.when, *((choice.when,) if choice else ())), parts)
        case "spend":
            return _Aim("", (), (game.spend[name].when, game.spend[name].cost))
        case "sheet":
            return _Aim("", (), (_at(game, path),))
        case "dice" | "after":
            rule = game.dice[name]
            if kind == "dice" and inner and inner[0] not in _AIMED_AT:
                return None
            if SAME in path:
                path = path[: path.index(SAME) - 1]
            if path[-1] == "default":
                return _Aim(rule.who, (_at(game, path),), ())
            refusing = [one.condition for one in game.when.values() if one.refuses or one.twice]
            part = rule.pool if path == ("dice", name) else _at(game, path)
            return _Aim(rule.who, (rule.when,), (refusing, part))
        case _:
            return None


def _at(game: GameFile, path: Path) -> Any:
    found: Any = game
    for key in path:
        if isinstance(found, Mapping):
            found = found[key]
        else:
            found = found[int(key)] if key.isdigit() else getattr(found, key)
    return found


def _holding(moment: FileMoment, who: str, conditions: Iterable[object]) -> Iterator[Scope]:
    """Yield what each thing of a list reads for which conditions hold."""
    scopes = (Scope(moment, who, keys) for keys, _ in things(moment.sheet, who))
    return (scope for scope in scopes if all(map(scope.holds, conditions)))


def _clear_by_aiming(bases: Sequence[FileMoment], path: Path, suspects: Suspects, tries: Tries) -> None:
    """Clear one thing if it is seen in a state where its conditions hold, or if there are too many states, or too few tries, to say that
    there is none.
    """
    game = bases[0].game
    if path not in suspects or (aim := _aim_at(game, path)) is None:
        return
    only = {path: suspects[path]}
    parts = [part for one in aim.conditions for part in _parts_of(one)]
    conditions = [one for one in parts if not OF_CHOICES.search(text_of(game, one))]
    names = [path[1]] if path[0] in ("dice", "after") else game.dice if path[0] in ("when", "spend") else ()
    trials = [RollTrial(game, name, only) for name in names]
    # An effect is looked for where its own condition holds as well, if that reads nothing but values.
    effect, wanted = _at(game, path[:-1]) if path[-1] == "when" else None, [conditions]
    if isinstance(effect, EffectRule) and not effect.who:
        with suppress(WrongPath):
            any(True for _ in _holding(bases[0], aim.who, (effect.when,)))
            wanted = [[*conditions, effect.when], conditions]
    count, hits = 0, list[FileMoment]()
    for these in wanted:
        count, moments = states_that_differ(bases, text_of(game, (aim.conditions, aim.parts)))
        moments = (one for one in moments if tries.take() and any(True for _ in _holding(one, aim.who, these)))
        hits += (one.within_limits() for one in islice(moments, _MOST_HITS))
    for moment in hits:
        _clear_conditions(moment, only)
        _clear_by_moves(moment, only)
        _clear_effects(moment, only, tries)
        for trial in trials if only else ():
            trial.try_out(moment, tries, everything=True)
        if not only or tries.left < 0:
            del suspects[path]
            return
    is_open = len(hits) < _MOST_HITS and count > MOST_TRIES
    if tries.left < 0 or (is_open and not any(_never_holds(bases, aim.who, part) for part in conditions)):
        del suspects[path]


def _parts_of(condition: object) -> Sequence[object]:
    """Return the parts of a condition that all have to hold, as far as its text shows them."""
    parts = condition.split(" and ") if isinstance(condition, str) else ()
    plain = all(part.count("(") == part.count(")") and not _OR.search(_INSIDE.sub("", part)) for part in parts)
    return parts if parts and plain else (condition,)


def _never_holds(bases: Sequence[FileMoment], who: str, condition: object) -> bool:
    """Whether a condition doesn't hold in any state of what it reads, of which there are few enough."""
    count, moments = states_that_differ(bases, text_of(bases[0].game, condition))
    return count <= MOST_TRIES and not any(True for one in moments for _ in _holding(one, who, (condition,)))
