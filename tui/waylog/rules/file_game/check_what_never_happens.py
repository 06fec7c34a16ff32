"""Finds the parts of a game without mistakes that never do anything, by trying them.

Each part of the game is under suspicion until some state of a campaign clears it: a new one, one with every value at its lowest or its
highest, and others at random, the same each time. In each state a roll is tried with every answer by itself, and with the answers that
one formula reads in every combination. What is left then is looked for in states in which its conditions hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, product
from math import prod
from typing import Any

from waylog.rules.codec.changes import join_names
from waylog.rules.file_game.check_names_and_formulas import choices_in, effects_in, text_of
from waylog.rules.file_game.check_sample_campaigns import MOST_TRIES, states_at_random, states_that_differ
from waylog.rules.file_game.dice_readings import (
    OF_DICE,
    OF_SOME,
    THEIRS,
    Band,
    Marks,
    Result,
    RollPlan,
    outcome_of,
    worst_first,
)
from waylog.rules.file_game.effects_and_offers import ADDED, AMOUNT, ANY, TYPED, WHOM, apply_all, scopes_of
from waylog.rules.file_game.game_file_format import CHOSEN, Flaw, GameFile, Path, questions_of, values_in
from waylog.rules.file_game.moves_without_rolls import offers_of
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Found,
    Scope,
    WrongPath,
    condition_refusal,
    conditions_for,
    places_in,
    things,
)
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany
from waylog.rules.file_game.odds.odds_with_spends import best_odds, can_be_paid
from waylog.rules.file_game.odds.odds_without_spends import exact_odds, possible_results
from waylog.rules.file_game.offered_rolls import offers as offers_of_rolls
from waylog.rules.file_game.roll_and_effect_format import EffectRule, RollRule
from waylog.rules.file_game.roll_plans_and_options import (
    CALL,
    KEEPS,
    MODIFIER,
    OPTIONS,
    PICK,
    RollChoice,
    offered_option,
    option_of,
    options_by_word,
    plan_roll,
    refusal_of_choices,
    ways_by_word,
    ways_of,
)
from waylog.rules.file_game.spends import OfferedSpend, spends_for
from waylog.rules.game import Game
from waylog.rules.model.moves import PickOne
from waylog.rules.model.odds import Ratio
from waylog.rules.rulebook import Rulebook
from waylog.values import NamedTuple, replace

_FIRST = 8
"""In how many of the states every roll is tried, for results that no outcome has."""
_BASES = 4
"""How many of the states are changed in what a condition reads."""
_MOST_HITS = 12
"""In how many states where its conditions hold a part is tried."""
_MOST_WAYS = 401
"""How many combinations of the answers that one formula reads are tried in one state, about."""
_MOST_AMOUNTS = 30
_OF_RESULT = re.compile(rf"\b({'|'.join(OF_DICE)})\b")
_OF_CHOICES = re.compile(rf"\b(?:{CALL}|{MODIFIER}|(?:{PICK}|{OPTIONS})\.\w+)\b")
_OR, _INSIDE = re.compile(r"\b(?:or|if)\b"), re.compile(r"\(.*\)")
_NOT_IN_ODDS = re.compile(rf"\bsuit\b|\b({'|'.join((*OF_SOME, THEIRS))})\.")
"""Values that formulas read and that no odds are made of."""
_MATTERS = (*KEEPS, "twice", "reroll", "explode", "cap", "blank", "worth", "none", "plus", "more")
"""Keys of a roll that should make a difference to its odds. `theirs` does: a roll is wrong where nothing reads it."""
_READS = ("pool", "plus", "target", "cap", "blank", *KEEPS[:2], "more", "bands")
"""Keys of a roll that may read answers."""
_NO_ROLL = RollRule()
_ROLLS: Mapping[str, Path] = {"roll": (), "group": ("group",), "pay": ("instead",)}
"""The verbs that make a roll or pay for it, and what of a roll each is about."""
_Suspects = dict[Path, Flaw]
_MOST_CONTESTS = 8
"""Contests of one roll whose results are looked at: each of one's own results meets every one of the other side (d100: 10,000 meetings)."""


def never_seen(system: Rulebook) -> Iterator[Flaw]:
    """Yield what nobody can do or choose, what never happens, and what changes nothing; then the results that no outcome is for."""
    game: GameFile = system.edition.game
    suspects = _suspects(game)
    player, trials = Game(system), [_RollTrial(game, name, suspects) for name in game.dice]
    moments = list[FileMoment]()
    for number, tree in enumerate(states_at_random(player, game)):
        if not suspects and number >= _FIRST:
            break
        state = player.decode(tree)[0]
        moments.append(moment := FileMoment(state.sheet, state.rules, state.clocks, system.edition))
        _clear_by_moves(moment, suspects)
        for trial in trials:
            trial.try_out(moment, everything=number < _FIRST)
        _clear_effects(moment, suspects)
        for name, condition in game.when.items():
            if any(True for _ in _holding(moment, condition.who, (condition.condition,))):
                suspects.pop(("when", name), None)
    for path in [*suspects]:
        _clear_by_aiming(moments[:_BASES], path, suspects)
    yield from _causes(game, suspects)
    yield from (trial.gap for trial in trials if trial.gap)


def _causes(game: GameFile, suspects: _Suspects) -> Iterator[Flaw]:
    """Yield what was never seen, without what follows from something else that wasn't: where one outcome takes everything, nothing else
    about the roll matters, nor a spend on it; and what nobody can do does nothing else.
    """
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
        above = path[:-1] if path[-1] == "roll" else path
        if not (follows or (*above, "when") in suspects):
            yield flaw


def _suspects(game: GameFile) -> _Suspects:
    """Return what is still to be seen, by its place."""
    found: dict[Path, str] = {}
    for name, rule in game.dice.items():
        found |= {**_of_outcomes(name, rule), **_of_choices(game, name, rule)}
    for name, spend in game.spend.items():
        found["spend", name] = "this spend never helps: nobody can pay for it, or it can't improve any outcome"
        if spend.when != "":
            found["spend", name, "when"] = (
                "this spend can never be used: no roll in any state of the game fits its `when`"
            )
    for name, move in game.moves.items():
        found["moves", name] = "this move can never be made: check its `when` and its costs"
        found |= {
            ("moves", name, *path, word): "nobody can ever choose this answer: check its `when`"
            for path, choices in questions_of(move).items()
            for word in choices
        }
    found |= {("when", name): "this condition is never true: check its `if`" for name in game.when}
    for at, effect, _, _ in effects_in(game):
        if effect.when != "":
            found[*at, "when"] = "this effect never happens: check its `when`"
        refusing = [
            f"[when.{name}]"
            for name, one in game.when.items()
            if one.refuses and (not one.rolls or effect.roll in one.rolls)
        ]
        refusing += [f"the `when` of [dice.{effect.roll}]"] if effect.roll and game.dice[effect.roll].when != "" else []
        if effect.roll and refusing:
            found[*at, "roll"] = (
                f"this roll never happens here, because {join_names(refusing, 'or')} always refuses it at that point. In a condition, use `rolls` to name only the rolls that the condition should refuse"
            )
    return {
        path: Flaw(path, message, at_key=path[-1] != "bands" and not path[-1].isdigit())
        for path, message in found.items()
    }


def _of_outcomes(name: str, rule: RollRule) -> dict[Path, str]:
    found: dict[Path, str] = {}
    found["dice", name] = "this roll can never be made: check its `when`, its pool, and conditions with `refuses`"
    if rule.pool == 0 and rule.reading != "beats":
        found["dice", name] = (
            'this roll can never be made: it has no dice. pool = 0 is for rolls with reading = "beats"'
        )
    if len({band.outcome for band in rule.bands}) > 1:
        found["dice", name, "bands"] = (
            "every result has the same outcome, because the last outcome that fits is used: put the worst outcome first, and give each of the others a `from`"
        )
    seen = set[str]()
    for place, band in enumerate(rule.bands):
        if band.outcome not in seen and not (rule.instead and band.outcome == rule.instead.outcome):
            found["dice", name, "bands", str(place)] = (
                f"{band.outcome} never happens: no result fits it, or an outcome further down always fits as well. If several fit, the last one counts"
            )
        seen.add(band.outcome)
    return found


def _of_choices(game: GameFile, name: str, rule: RollRule) -> dict[Path, str]:
    """Return what of a roll should make a difference, and what should be possible."""
    at, found, never = (
        ("dice", name),
        dict[Path, str](),
        "nobody can ever choose this answer: check its `when` and its cost",
    )
    follows = text_of(game, (game.after.get(name), game.spend, game.when))
    unlocks = repr([one.when for _, one in choices_in(rule)])
    for word, option in rule.options.items():
        part = game.sheet.get(option.who)
        start: Any = part.start if part else {}
        # Whoever begins alone can choose nobody else yet.
        if option.who != rule.who or len(start) != 1:
            found[*at, "options", word, "when"] = never
        if f"options.{word}" not in follows + unlocks:
            found[*at, "options", word] = (
                f"this option changes nothing: give it `dice`, `plus` or `target`, or use options.{word} in a formula"
            )
    for way, answers in ways_of(rule).items():
        place, read = (("calls",), way) if way == CALL else (("pick", way), f"{PICK}.{way}")
        says = any(one.changes_roll for one in answers.values())
        if read not in follows and says and len(answers) > 1:
            found[*at, *place] = (
                f"this choice changes nothing: give one of its answers `dice`, `plus` or `target`, or use {read} in a formula"
            )
        found |= {(*at, *place, word): never for word in answers}
    if rule.instead:
        found[*at, "instead"] = "nobody can ever pay this price: check its `when` and its cost"
    if rule.group:
        found[*at, "group"] = (
            "this can never be a group roll: check the list in `who`, and which of its members can roll"
        )
    if not _OF_RESULT.search(text_of(game, game.after.get(name))):
        keys = [(key,) for key in _MATTERS[:-1] if getattr(rule, key) not in ("", 0, (), None, {})]
        for key in (*keys, *(("more", str(place)) for place in range(len(rule.more)))):
            found[*at, *key] = (
                f"`{key[0]}` changes nothing: it makes no outcome more or less likely. Check its number, or remove it"
            )
    return found


# -- what clears a part ------------------------------------------------------------------------------------------------


def _is_of_a_move(path: Path) -> bool:
    """Whether what is suspected about a roll is cleared by moves that are offered."""
    return len(path) == 2 or path[-1] in ("group", "instead")


def _clear_by_moves(moment: FileMoment, suspects: _Suspects) -> None:
    """Clear the moves, and the rolls, that are possible, and the answers to what moves ask."""
    made = [move for name in {path[1] for path in suspects if path[0] == "moves"} for move in offers_of(moment, name)]
    made += offers_of_rolls(moment) if any(path[0] == "dice" and _is_of_a_move(path) for path in suspects) else ()
    for move in made:
        if move.blocked:
            continue
        at = ("dice", move.words[0]) if move.verb in _ROLLS else ("moves", move.verb)
        suspects.pop((*at, *_ROLLS.get(move.verb, ())), None)
        for ask in (ask for ask in move.asks if isinstance(ask, PickOne)):
            place = (CHOSEN,) if ask.name == CHOSEN else (PICK, ask.name)
            for option in (one for one in ask.options if not one.blocked):
                suspects.pop((*at, *place, option.word), None)


def _clear_effects(moment: FileMoment, suspects: _Suspects) -> None:
    """Clear the effects of moves, and those at the limits of values."""
    wanted = {path[: 2 if path[0] == "moves" else -2] for path in suspects if path[-1] in ("when", "roll")}
    for at, before, effects, scope in _occasions(moment, wanted):
        for place in range(len(effects)):
            for key in ("when", "roll"):
                path = (*at, str(place), key)
                if path in suspects and _happens((*before, *effects), len(before) + place, scope, key):
                    del suspects[path]


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
            for amount, other, words in product(amounts[:_MOST_AMOUNTS], others, [*product(*questions.values())]):
                names: dict[tuple[str, ...], Found] = {(AMOUNT,): amount, (TYPED,): "Something"}
                names |= zip(questions, words, strict=True)
                acting = replace(scope, names=names, chosen={WHOM: (rule.whom, (other,))} if rule.whom else {})
                yield ("moves", name, "does"), (), rule.does, acting
                for (path, choices), word in zip(questions.items(), words, strict=True):
                    yield ("moves", name, *path, word, "does"), rule.does, choices[word].does, acting


def _happens(effects: Sequence[EffectRule], place: int, scope: Scope, key: str) -> bool:
    """Whether the condition of an effect holds before, or once those before it are done; or whether the roll that it brings is possible."""
    moment, effect = scope.moment, effects[place]
    after = apply_all(moment, effects[:place], scope)
    if key == "when" and effect.who == ADDED:
        return True
    if key == "when":
        every = (replace(scope, moment=one) for one in (moment, after))
        return any(one.holds(effect.when) for now in every for one in scopes_of(effect, now))
    followed = apply_all(after, (effect,), replace(scope, moment=after))
    who = moment.game.dice[effect.roll].who
    return any(
        condition_refusal(followed, name, Scope(followed, who, keys if who else ())) is None
        for name, keys, _ in followed.forced[len(after.forced) :]
    )


# -- states in which what is under suspicion should happen ----------------------------------------------------------------


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
            if kind == "dice" and inner and inner[0] not in ("options", "calls", "pick", "group", "instead"):
                return None
            refusing = [one.condition for one in game.when.values() if one.refuses]
            part = rule.pool if path == ("dice", name) else _at(game, path)
            return _Aim(rule.who, (rule.when,), (refusing, part))
        case _:
            return None


def _at(game: GameFile, path: Path) -> Any:
    """Return the part of a game at a place."""
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


def _clear_by_aiming(bases: Sequence[FileMoment], path: Path, suspects: _Suspects) -> None:
    """Clear one thing if it is seen in a state where its conditions hold, or if there are too many states to say that there is none."""
    game = bases[0].game
    if path not in suspects or (aim := _aim_at(game, path)) is None:
        return
    only = {path: suspects[path]}
    parts = [part for one in aim.conditions for part in _parts_of(one)]
    conditions = [one for one in parts if not _OF_CHOICES.search(text_of(game, one))]
    names = [path[1]] if path[0] in ("dice", "after") else game.dice if path[0] in ("when", "spend") else ()
    trials = [_RollTrial(game, name, only) for name in names]
    # An effect is looked for where its own condition holds as well, if that reads nothing but values.
    effect, wanted = _at(game, path[:-1]) if path[-1] == "when" else None, [conditions]
    if isinstance(effect, EffectRule) and not effect.who:
        with suppress(WrongPath):
            any(True for _ in _holding(bases[0], aim.who, (effect.when,)))
            wanted = [[*conditions, effect.when], conditions]
    count, hits = 0, list[FileMoment]()
    for these in wanted:
        count, moments = states_that_differ(bases, text_of(game, (aim.conditions, aim.parts)))
        hits += islice((one for one in moments if any(True for _ in _holding(one, aim.who, these))), _MOST_HITS)
    for moment in hits:
        if path[0] == "when" and len(conditions) == len(parts):
            only.clear()
        _clear_by_moves(moment, only)
        _clear_effects(moment, only)
        for trial in trials if only else ():
            trial.try_out(moment, everything=True)
        if not only:
            del suspects[path]
            return
    if (
        len(hits) < _MOST_HITS
        and count > MOST_TRIES
        and not any(_never_holds(bases, aim.who, part) for part in conditions)
    ):
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


class _RollTrial:
    """Tries a roll in states of a campaign, and clears what it sees of those under suspicion."""

    def __init__(self, game: GameFile, name: str, suspects: _Suspects) -> None:
        self.gap: Flaw | None = None
        """The results that no outcome is for, if there are some."""
        self._suspects, self._name, self._at = suspects, name, ("dice", name)
        self._rule = rule = game.dice[name]
        self._follows = game.after.get(name, {})
        self._spends = {
            key: text_of(game, spend.when) for key, spend in game.spend.items() if name in (spend.rolls or game.dice)
        }
        self._whens, self._together = dict[Path, str](), dict[Path, list[str]]()
        for outcome, effects in self._follows.items():
            for place, effect in enumerate(effects):
                path = ("after", name, outcome, str(place))
                self._whens[path] = text_of(game, effect.when)
                self._together[path] = _OF_CHOICES.findall(f"{self._whens[path]} {effect.who}")
        for key, condition in game.when.items():
            choices = _OF_CHOICES.findall(text_of(game, condition.condition))
            if choices and name in (condition.rolls or game.dice):
                self._together["when", key] = choices
        refusing = [one.condition for one in game.when.values() if one.refuses and name in one.rolls]
        wanted = _OF_CHOICES.findall(text_of(game, refusing))
        for at, one in choices_in(rule):
            name_of_answer = CALL if at[0] == "calls" else ".".join(at[:2])
            self._together[*self._at, *at] = [name_of_answer, *wanted, *_OF_CHOICES.findall(text_of(game, one))]
        for key in _READS:
            self._together[*self._at, key] = _OF_CHOICES.findall(text_of(game, getattr(rule, key)))
        read = text_of(game, (self._follows, *self._spends.values()))
        self._reads_result = bool(_OF_RESULT.search(read))
        seen = {*re.findall(r"\w+\b(?!\.)", read)}
        self._marks = Marks(
            99 * ("matches" in seen),
            99 * ("ones" in seen),
            doubles="doubles" in seen,
            all_equal="all_equal" in seen,
            face="face" in seen,
        )
        self._results: dict[tuple[RollPlan, Marks], Mapping[str, Collection[Result]]] = {}
        raised = any(game.spend[key].step or game.spend[key].grade for key in self._spends)
        self._bought = (*self._follows,) if raised else (rule.instead.outcome,) if rule.instead else ()

    def try_out(self, moment: FileMoment, *, everything: bool) -> None:
        """Try the roll in a state, if something about it is under suspicion, or if `everything` is to be seen."""
        about = {
            ("dice", self._name),
            ("after", self._name),
            *(("spend", key) for key in self._spends),
            *(path for path in self._together if path[0] == "when"),
        }
        for keys, _ in things(moment.sheet, self._rule.who):
            answers = self._answers(moment, keys)
            plain = {name: words[0] for name, words in answers.items()}
            odds: dict[tuple[object, ...], object] = {}
            for chosen in _ways_to_answer(answers, plain, self._groups(answers, everything=everything)):
                is_wanted = any(path[:2] in about for path in self._suspects)
                if not (everything or is_wanted):
                    return
                options = tuple(str(word) for name, word in chosen.items() if "." in name and word)
                call, modifier = str(chosen.get(CALL, "")), int(chosen.get(MODIFIER, 0))
                choice = RollChoice(self._name, self._rule, keys, options, call, modifier)
                plan = plan_roll(moment, choice).plan
                for name, _ in conditions_for(moment, self._name, choice.scope(moment)):
                    self._suspects.pop(("when", name), None)
                if is_wanted:
                    self._clear_answers(moment, choice)
                if everything and plan.has_dice and not self.gap:
                    self._find_gap(plan)
                if is_wanted and plan.has_dice:
                    odds[*chosen.values()] = now = self._clear(moment, choice, plan)
                    for name in [name for name, word in chosen.items() if word != plain[name]]:
                        if odds.get((*({**chosen, name: plain[name]}).values(),), now) != now:
                            path = ("calls",) if name == CALL else tuple(name.split("."))
                            self._suspects.pop((*self._at, *path), None)

    def _answers(self, moment: FileMoment, keys: tuple[str, ...]) -> Mapping[str, Sequence[str | int]]:
        """Return what may be answered, by what formulas call it, with the default first. Of a list, one thing or none is chosen;
        what is blocked whatever else is chosen isn't.
        """
        rule, plain = self._rule, RollChoice(self._name, self._rule, keys)
        found: dict[str, list[str | int]] = {}
        for name in ways_of(rule):
            ways = ways_by_word(moment, plain, name)
            possible = [word for word, one in ways.items() if not offered_option(word, one, "", "").blocked]
            of_name, before = (CALL, "") if name == CALL else (f"{PICK}.{name}", f"{name}.")
            found[of_name] = [f"{before}{word}" for word in dict.fromkeys([*possible[:1], *ways])]
        for word, one in options_by_word(moment, plain).items():
            possible = [] if offered_option(word, one, "", "").blocked else [one.id]
            found.setdefault(f"{OPTIONS}.{option_of(one.id)}", [""]).extend(possible)
        if rule.modifier:
            least, most = rule.modifier[0], rule.modifier[-1]
            found[MODIFIER] = [*dict.fromkeys(((least + most) // 2, *range(least, most + 1)[:_MOST_AMOUNTS], most))]
        return found

    def _groups(self, names: Collection[str], *, everything: bool) -> Iterator[Collection[str]]:
        """Yield the names of answers to try in every combination: none, each, and those that something under suspicion reads; at last, with
        each other one, as the outcome may depend on it.
        """
        yield ()
        yield from ((name,) for name in names)
        # What options read of each other is tried in the first states alone, as there may be many.
        reading = [(path, read) for path, read in self._together.items() if everything or path[2:3] != (OPTIONS,)]
        unseen = (read for path, read in reading if any(path == one[: len(path)] for one in self._suspects))
        yield from unseen
        # Whether an answer changes anything may depend on another one that the roll reads.
        read_by_roll = dict.fromkeys(name for key in _READS for name in self._together[*self._at, key])
        unclear = [".".join(path[2:]) for path in self._suspects if path[:2] == self._at and len(path) == 4]
        yield from ((name, other) for name in unclear if name in read_by_roll for other in read_by_roll)
        if everything:
            follows = [self._together[path[:4]] for path in self._suspects if path[:2] == ("after", self._name)]
            yield from ((*read, name) for read in follows if read for name in names)

    def _find_gap(self, plan: RollPlan) -> None:
        if all(band.when for band in plan.bands[1:]):
            return  # Their formulas say where they begin.
        results = self._results_of(plan, Marks(0, 0, doubles=False, all_equal=False, face=False))
        if gap := _gap(plan, {one for every in results.values() for one in every}):
            self.gap = Flaw((*self._at, "bands"), gap)

    def _results_of(self, plan: RollPlan, marks: Marks) -> Mapping[str, Collection[Result]]:
        """Return the results that a roll may come to, by their outcomes; nothing where these, or such contests, are too many."""
        is_known = (plan, marks) in self._results
        if not is_known and not (plan.reading.theirs and len(self._results) >= _MOST_CONTESTS):
            found = self._results[plan, marks] = dict[str, set[Result]]()
            with suppress(TooMany):
                for result in possible_results(plan, marks):
                    found.setdefault(outcome_of(plan.bands, result).outcome, set()).add(result)
        return self._results.get((plan, marks), {})

    def _clear(self, moment: FileMoment, choice: RollChoice, plan: RollPlan) -> object:
        """Clear what a roll shows, and return what should differ where another answer does."""
        tally: Mapping[str, Ratio] = {}
        with suppress(TooMany):
            tally = exact_odds(plan)
        self._clear_keys(moment, choice, tally)
        self._clear_after(moment, choice, plan)
        came = {outcome for outcome, chance in tally.items() if chance} or {band.outcome for band in plan.bands}
        if len(came) > 1:
            self._suspects.pop((*self._at, "bands"), None)
        came |= self._clear_spends(moment, choice, plan, tally)
        for place, band in enumerate(self._rule.bands):
            if band.outcome in came:
                self._suspects.pop((*self._at, "bands", str(place)), None)
        return tally, plan if self._reads_result else None

    def _clear_answers(self, moment: FileMoment, choice: RollChoice) -> None:
        """Clear the answers that can be chosen."""
        paths: list[Path] = [(*self._at, "calls", choice.call)]
        for id_ in choice.options:
            name, _, word = id_.partition(".")
            paths.append(
                (*self._at, PICK, name, word) if name in self._rule.pick else (*self._at, OPTIONS, name, "when")
            )
        unseen = [path for path in paths if path in self._suspects]
        if unseen and refusal_of_choices(moment, choice) is None:
            for path in unseen:
                del self._suspects[path]

    def _clear_keys(self, moment: FileMoment, choice: RollChoice, tally: Mapping[str, Ratio]) -> None:
        """Clear what makes a difference to the odds."""
        for path in [path for path in self._suspects if path[:2] == self._at and path[2:3] and path[2] in _MATTERS]:
            more = tuple(extra for place, extra in enumerate(self._rule.more) if str(place) != path[-1])
            without = {"more": more} if path[2] == "more" else {path[2]: getattr(_NO_ROLL, path[2])}
            other = plan_roll(moment, choice._replace(rule=replace(self._rule, **without))).plan
            try:
                makes_a_difference = not tally or not other.has_dice or exact_odds(other) != tally
            except TooMany:
                makes_a_difference = True
            if makes_a_difference:
                del self._suspects[path]

    def _clear_after(self, moment: FileMoment, choice: RollChoice, plan: RollPlan) -> None:
        """Clear the effects of outcomes that happen."""
        for path in [path for path in self._suspects if path[:2] == ("after", self._name)]:
            key, when = path[2], self._whens[path[:4]]
            results = self._results_of(plan, self._marks)
            outcomes = dict.fromkeys((*results, *self._bought)) if key == ANY else (key,)
            bought = {outcome: [Result(0)] for outcome in self._bought}
            shown = [(outcome, one) for outcome in outcomes for one in results.get(outcome, bought.get(outcome, []))]
            if not results or (shown and _NOT_IN_ODDS.search(when)):
                del self._suspects[path]
                continue
            for outcome, result in shown if key == ANY or _OF_RESULT.search(when) else shown[:1]:
                scope = choice.scope(moment, {("outcome",): outcome, ("suit",): "", **result.names()})
                if _happens(self._follows[key], int(path[3]), scope, path[-1]):
                    del self._suspects[path]
                    break

    def _clear_spends(
        self, moment: FileMoment, choice: RollChoice, plan: RollPlan, tally: Mapping[str, Ratio]
    ) -> set[str]:
        """Clear the spends that are possible and help, and return the outcomes that come with them."""
        came = set[str]()
        wanted = {path[1] for path in self._suspects if path[0] == "spend"}
        if any(path[:3] == (*self._at, "bands") for path in self._suspects):
            wanted |= {*self._spends}
        best = worst_first(plan.bands)[-1].outcome
        for one in spends_for(moment, choice) if wanted else ():
            if one.name not in wanted or not can_be_paid(one):
                continue
            able = {outcome for outcome in tally or (best, "") if self._is_possible(one, plan, outcome)}
            if able:
                self._suspects.pop(("spend", one.name, "when"), None)
            if not able & {*(one.spend.when or able)} - {best}:
                continue
            found: Mapping[str, Ratio] = {}
            with suppress(TooMany):
                purse = tuple((price.token, price.there) for price in one.prices[:1])
                found = best_odds(plan, (one.spend,), [purse])[0]
            came |= {outcome for outcome, chance in found.items() if chance}
            if found != tally or one.spend.is_on_theirs:
                self._suspects.pop(("spend", one.name), None)
        return came

    def _is_possible(self, one: OfferedSpend, plan: RollPlan, outcome: str) -> bool:
        """Whether the condition of a spend that can be paid holds for a result."""
        when = self._spends[one.name]
        if not (_OF_RESULT.search(when) or "outcome" in when) or _NOT_IN_ODDS.search(when):
            return True
        results = self._results_of(plan, self._marks)
        names = ({**one.scope.names, ("outcome",): outcome, **result.names()} for result in results.get(outcome, ()))
        return not results or any(replace(one.scope, names=read).holds(one.rule.when) for read in names)


def _ways_to_answer(
    answers: Mapping[str, Sequence[str | int]], plain: Mapping[str, str | int], groups: Iterable[Collection[str]]
) -> Iterator[Mapping[str, str | int]]:
    """Yield the answers of these groups in every combination, with the default for all others."""
    seen = set[tuple[str | int, ...]]()
    for group in groups:
        names = [name for name in answers if name in group]
        every = prod(len(answers[name]) for name in names)
        # Of too many, those at equal distances.
        for number in range(0, every, (every // _MOST_WAYS + 1) | 1):
            chosen, rest = dict(plain), number
            for name in reversed(names):
                rest, place = divmod(rest, len(answers[name]))
                chosen[name] = answers[name][place]
            if (key := (*chosen.values(),)) not in seen:
                seen.add(key)
                yield chosen


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
    return f"no outcome covers a result of {shown}, so it counts as “{first.label}”, the first in the list: make another outcome cover it"
