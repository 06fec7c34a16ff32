"""Tries a roll in states of a campaign, to see what of it happens and makes a difference."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, product
from math import prod
from typing import Any

from waylog.rules.file_game.check_names_and_formulas import bands_in, choices_in, text_of
from waylog.rules.file_game.dice_readings import (
    NO_MARKS,
    OF_DICE,
    OF_SOME,
    THEIRS,
    Band,
    Marks,
    Names,
    Result,
    RollPlan,
    marks_read,
    outcome_of,
    worst_first,
)
from waylog.rules.file_game.effects_and_offers import ADDED, ANY, after_each, apply_all, end_what_lasts, scopes_of
from waylog.rules.file_game.game_file_format import Flaw, GameFile, Path, values_in
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Scope,
    condition_refusal,
    conditions_for,
    lists_of,
    once_for,
    thing_path,
    things,
)
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany
from waylog.rules.file_game.odds.odds_of_symbols import asked_alone
from waylog.rules.file_game.odds.odds_with_spends import best_odds, can_be_paid
from waylog.rules.file_game.odds.odds_without_spends import exact_odds, possible_results
from waylog.rules.file_game.roll_and_effect_format import TICK, EffectRule, RollOption, RollRule, parse_effect
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
from waylog.rules.file_game.sheet_types import GONE
from waylog.rules.file_game.spends import OfferedSpend, spends_for
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.odds import Ratio
from waylog.values import NamedTuple, replace

_MOST_WAYS = 401
"""How many combinations of the answers that one formula reads are tried in one state, about."""
MOST_AMOUNTS = 30
OF_RESULT = re.compile(rf"\b({'|'.join(OF_DICE)})\b")
OF_CHOICES = re.compile(rf"\b(?:{CALL}|{MODIFIER}|(?:{PICK}|{OPTIONS})\.\w+)\b")
_OF_SUIT = re.compile(r"\bsuit\b")
_NOT_IN_RESULTS = re.compile(rf"\b({'|'.join((*OF_SOME, THEIRS))})\.")
"""Values that formulas read and that no odds are made of."""
MATTERS = (*KEEPS, "reroll", "explode", "cap", "blank", "worth", "none", "plus", "more")
"""Keys of a roll that should make a difference to its odds. `theirs` does: a roll is wrong where nothing reads it."""
OF_ANSWERS = ("pool", "die", "target", *KEEPS[:2], "dice", "plus")
"""Keys of an answer that should make a difference to the odds."""
SAME = "="
"""Stands in a path between two answers to one question that may make the same roll."""
_READS = ("pool", "plus", "target", "cap", "blank", *KEEPS[:2], "more", "bands")
"""Keys of a roll that may read answers."""
_NO_ROLL, _NO_ANSWER, _NO_EFFECT = RollRule(), RollOption(), EffectRule()
_NO_BAND = Band("", "", OutcomeGrade.SUCCESS)
_WORD = re.compile(r"[^\W\d]\w*")
_MOST_PLANS = 24
"""In how many plans with the same outcomes a result without an outcome is looked for."""
_AT_RANDOM = 6
"""How often somebody makes a roll in one state with answers at random."""
_MOST_CONTESTS = 8
"""Contests of one roll whose results are looked at: each of one's own results meets every one of the other side (d100: 10,000 meetings)."""
OF_EFFECTS = ("when", "roll", "take", "do")
"""Keys of an effect that may be under suspicion."""
Suspects = dict[Path, Flaw]
"""What is still to be seen, by its place, with what is told if it never is."""
_LETTERS = 2_000
"""To try a roll with so many letters of formulas more takes as long as one try more, about."""


class Tries:
    """How many tries are left: counted, so that the check of a game finds the same on any machine."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self, count: int = 1) -> bool:
        """Make so many tries. Whether there were as many left."""
        self.left -= count
        return self.left >= 0


def happening(
    effects: Sequence[EffectRule], wanted: Collection[tuple[int, str]], scope: Scope
) -> Iterator[tuple[int, str]]:
    """Yield those of the `wanted` keys of effects, each with the place of its effect, that happen once the effects before are done. The
    effects are done once for all of them, and nothing is offered: no effect sees the offers of another.
    """
    keys = dict[int, list[str]]()
    for place, key in wanted:
        keys.setdefault(place, []).append(key)
    until = effects[: max(keys, default=-1) + 1]
    silent = (replace(one, offer="", withdraw="") if one.offer or one.withdraw else one for one in until)
    moments = chain((scope.moment,), after_each(scope.moment, silent, scope))
    # The last effect isn't done.
    for place, (effect, before) in enumerate(zip(until, moments, strict=False)):
        yield from ((place, key) for key in keys.get(place, ()) if _happens(effect, before, scope, key))


def _happens(effect: EffectRule, after: FileMoment, scope: Scope, key: str) -> bool:
    """Whether the condition of an effect holds after those before it; whether its number is above 0; whether an offer can be taken; or
    whether the roll that it brings is possible.
    """
    if key == "when" and effect.who == ADDED:
        return True
    if key != "roll":
        every = scopes_of(effect, replace(scope, moment=after))
        if key == "do":
            return any(one.number(parse_effect(effect.do).rest) > 0 for one in every)
        if key == "take":
            return any(max(one.number(effect.takes), 1) <= one.number(effect.take) for one in every)
        return any(one.holds(effect.when) for one in every)
    followed = apply_all(after, (effect,), replace(scope, moment=after))
    who = after.game.dice[effect.roll].who
    return any(
        condition_refusal(followed, name, Scope(followed, who, keys if who else ())) is None
        for name, keys, _ in followed.forced[len(after.forced) :]
    )


class _Needs(NamedTuple):
    """What has to be known to say whether an effect happens."""

    places: Collection[int]
    """Its own place, and those of the effects before it that may change something that it reads."""
    names: Collection[str]
    """Those of all that these read: values, what was chosen, and what the dice show."""


@once_for
def needs_of(game: GameFile, effects: tuple[EffectRule, ...], key: str) -> _Needs:
    """Return what has to be known to say whether a key of the last of these effects happens."""
    *before, last = effects
    read: tuple[object, ...] = (last.who, {"do": last.do, "take": (last.take, last.takes)}.get(key, last.when))
    if key == "roll" and last.roll:
        read = (last, game.when, game.dice[last.roll].when)
    places, words = {len(before)}, {*_WORD.findall(text_of(game, read)), GONE}
    for place in range(len(before) - 1, -1, -1):
        reach = reach_of(game, before[place])
        if not words.isdisjoint(reach.changed):
            places.add(place)
            words |= reach.read
    return _Needs(places, words)


class EffectReach(NamedTuple):
    """What an effect may lead to, by the moves that it brings and by what follows at the limits of values."""

    read: set[str]
    """The names of the values that are read."""
    changed: set[str]
    """Those of the values that may change; with `GONE` if things of a list may come or go."""
    effects: Collection[EffectRule]
    """All that may be done, with itself."""


@once_for
def reach_of(game: GameFile, effect: EffectRule) -> EffectReach:
    """Return what an effect may lead to, whatever the values of the sheet are."""
    lists = {who.rpartition(".")[2] for who in lists_of(game.sheet)}
    values = [(at[-1], one, _WORD.findall(text_of(game, (one.most, one.least)))) for at, one, _ in values_in(game)]
    read, changed, done, new = set[str](), set[str](), set[EffectRule](), [effect]
    while new:
        one = new.pop()
        if one in done:
            continue
        done.add(one)
        move = game.moves.get(one.move)
        new += move.does if move else ()
        formulas = (one.do, one.who, one.when, one.amount, (move.when, move.amount) if move else ())
        read |= {*_WORD.findall(text_of(game, formulas))}
        if one.do:
            words = parse_effect(one.do)
            changed |= {words.names[-1], *(_WORD.findall(words.rest) if words.verb == "swap" else ())}
            changed |= {"filled"} if words.verb == TICK else {GONE} if words.names[-1] in lists else set()
        before = -1
        while before != (before := len(changed)):  # What a change does to the limits of others changes these.
            for name, value, limits in values:
                if name in changed or not changed.isdisjoint(limits):
                    changed.add(name)
                    read |= {*limits}
                    new += (*value.when_full, *value.when_empty)
    return EffectReach(read, changed, done)


class RollTrial:
    """Tries a roll in states of a campaign, and clears what it sees of those under suspicion."""

    def __init__(self, game: GameFile, name: str, suspects: Suspects) -> None:
        self.gap: Flaw | None = None
        """The results that no outcome is for, if there are some."""
        self.is_cut = False
        """Whether it has been tried less than it should be, so that nothing can be said of what is still under suspicion."""
        self._suspects, self._name, self._at = suspects, name, ("dice", name)
        self._rule = rule = game.dice[name]
        self._follows = game.after.get(name, {})
        self._spends = {
            key: text_of(game, spend.when) for key, spend in game.spend.items() if name in (spend.rolls or game.dice)
        }
        self._whens, self._together = dict[Path, str](), dict[Path, list[str]]()
        self._needs: dict[Path, Mapping[str, _Needs]] = {}
        """For each outcome that does something before, and for all others by an empty text."""
        self._read: dict[Path, set[str]] = {}
        """The names of all that has to be known to say whether an effect happens, whatever the outcome."""
        self._tried = set[tuple[object, ...]]()
        for outcome, effects in self._follows.items():
            earlier = {"": (), **(self._follows if outcome == ANY else {})}
            earlier.pop(ANY, None)
            for place, effect in enumerate(effects):
                path = ("after", name, outcome, str(place))
                self._whens[path] = text_of(game, (effect.when, effect.take, effect.takes, effect.do))
                self._together[path] = OF_CHOICES.findall(f"{self._whens[path]} {effect.who}")
                for key in OF_EFFECTS:
                    self._needs[*path, key] = {
                        other: needs_of(game, (*before, *effects[: place + 1]), key)
                        for other, before in earlier.items()
                    }
                    self._read[*path, key] = {name for one in self._needs[*path, key].values() for name in one.names}
        for key, condition in game.when.items():
            choices = OF_CHOICES.findall(text_of(game, condition.condition))
            if name in (condition.rolls or game.dice):
                self._together["when", key] = choices
        refusing = [one.condition for one in game.when.values() if one.refuses and name in one.rolls]
        wanted = OF_CHOICES.findall(text_of(game, refusing))
        for at, one in choices_in(rule):
            name_of_answer = CALL if at[0] == "calls" else ".".join(at[:2])
            self._together[*self._at, *at] = [name_of_answer, *wanted, *OF_CHOICES.findall(text_of(game, one))]
        for key in _READS:
            self._together[*self._at, key] = OF_CHOICES.findall(text_of(game, getattr(rule, key)))
        read = text_of(game, (self._follows, *self._spends.values()))
        self._reads_result = bool(OF_RESULT.search(read))
        self._marks = marks_read({*re.findall(r"\w+\b(?!\.)", read)})
        self._twice = set[str]()
        """What of two rolls has counted so far: the better, the worse, or nothing where there is one roll."""
        self._gapless = dict[tuple[Band, ...], set[RollPlan]]()
        """By their outcomes, the plans in which a result without an outcome has been looked for."""
        self._results: dict[tuple[RollPlan, Marks], Mapping[str, Collection[Result]]] = {}
        self._outcomes: dict[tuple[Band, ...], dict[Result, str]] = {}
        self._names: dict[Result, Names] = {}
        # Results don't say of which suit a card is: it may be any.
        self._suits = ("", *dict.fromkeys(suit for _, value, _ in values_in(game) for suit in value.deck))
        raised = any(game.spend[key].step or game.spend[key].grade for key in self._spends)
        self._about: set[Path] = {self._at, ("after", name), *(("spend", key) for key in self._spends)}
        self._about |= {path for path in self._together if path[0] == "when"}
        every = (rule.bands, *(one.bands for one in rule.answers()))
        self._has_plain_bands = any(band.when == "" for bands in every for band in bands[1:])
        """Whether there may be results without an outcome: formulas say where theirs begin."""
        self._cost = 1 + len(text_of(game, rule)) // _LETTERS
        self._bought = (*self._follows,) if raised else (rule.instead.outcome,) if rule.instead else ()

    @property
    def is_wanted(self) -> bool:
        """Whether something is under suspicion that the roll may clear."""
        return any(map(self.may_clear, self._suspects))

    def may_clear(self, path: Path) -> bool:
        # Whether a condition holds that reads no choices is seen without a roll.
        return path[:2] in self._about and (path[0] != "when" or len(path) > 2 or bool(self._together[path]))

    def try_out(self, moment: FileMoment, tries: Tries, *, everything: bool) -> None:
        """Try the roll in a state, if something about it is under suspicion, or if `everything` is to be seen. If there are too few
        tries for that, `is_cut` says so from then on.
        """
        self._tried = set()
        for keys, _ in things(moment.sheet, self._rule.who):
            answers = self._answers(moment, keys) if self._looks_for(everything=everything) else {}
            plain = {name: words[0] for name, words in answers.items()}
            odds: dict[tuple[object, ...], object] = {}
            for chosen in _ways_to_answer(answers, plain, self._groups(answers, everything=everything)):
                if not self._looks_for(everything=everything):
                    return
                if not tries.take(self._cost):
                    self.is_cut = True
                    return
                choice = self._choice(keys, chosen)
                plan = plan_roll(moment, choice).plan
                self._clear_of_conditions(moment, choice, plan)
                if everything and plan.has_dice and not self.gap:
                    self._find_gap(plan)
                if self.is_wanted:
                    self._clear_answers(moment, choice)
                    # Where an answer brings the only dice, there are none without it.
                    odds[*chosen.values()] = self._clear(moment, choice, plan) if plan.has_dice else None
                    if plan.has_dice:
                        self._compare(odds, answers, plain, chosen)

    def try_outcomes(self, moment: FileMoment, numbers: Iterator[int]) -> None:
        """Try the roll in a state with some answers at random, if an outcome is under suspicion for which only the number on the dice
        counts: what it needs may be there with many answers, and isn't tied to a few.
        """
        for keys, _ in things(moment.sheet, self._rule.who):
            for _ in range(_AT_RANDOM if any(map(self.is_plain_outcome, self._suspects)) else 0):
                answers = self._answers(moment, keys)
                choice = self._choice(
                    keys, {name: words[next(numbers) % len(words)] for name, words in answers.items()}
                )
                plan = plan_roll(moment, choice).plan
                if plan.has_dice:
                    self._clear(moment, choice, plan)

    def is_plain_outcome(self, path: Path) -> bool:
        """Whether a place is that of the roll's outcomes, and these depend on nothing but the dice."""
        bands = bands_in(self._rule) if path[:3] == (*self._at, "bands") else ()
        reads = [formula for band in bands for formula in (band.when, band.least, band.most)]
        return bool(reads) and not any(isinstance(formula, str) and formula for formula in reads)

    def _choice(self, keys: tuple[str, ...], chosen: Mapping[str, str | int]) -> RollChoice:
        options = tuple(str(word) for name, word in chosen.items() if "." in name and word)
        call, modifier = str(chosen.get(CALL, "")), int(chosen.get(MODIFIER, 0))
        return RollChoice(self._name, self._rule, keys, options, call, modifier)

    def _looks_for(self, *, everything: bool) -> bool:
        """Whether anything about the roll is still to be seen: with `everything`, results that no outcome is for, too."""
        return self.is_wanted or (everything and self._has_plain_bands and not self.gap)

    def _compare(
        self,
        odds: Mapping[tuple[object, ...], object],
        answers: Mapping[str, Sequence[str | int]],
        plain: Mapping[str, str | int],
        chosen: Mapping[str, str | int],
    ) -> None:
        """Clear the answers that make the roll differ from what it is with others, as far as it has been tried with these."""
        now = odds[*chosen.values()]
        for name in [name for name, word in chosen.items() if word != plain[name]]:
            path: Path = (*self._at, *(("calls",) if name == CALL else name.split(".")))
            for other in (word for word in answers[name] if word != chosen[name]):
                if odds.get((*({**chosen, name: other}).values(),), now) != now:
                    self._suspects.pop(path, None) if other == plain[name] else None
                    words = [str(one).rpartition(".")[2] for one in (chosen[name], other)]
                    for one, same in (words, words[::-1]):
                        self._suspects.pop((*path, one, SAME, same), None)

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
            found[MODIFIER] = [*dict.fromkeys(((least + most) // 2, *range(least, most + 1)[:MOST_AMOUNTS], most))]
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
            # What an answer adds or keeps may count only beside another one.
            keys = [
                path for path in self._suspects if path[:2] == self._at and path[-1] in OF_ANSWERS and len(path) > 4
            ]
            named = dict.fromkeys(CALL if path[2] == "calls" else ".".join(path[2:4]) for path in keys)
            yield from ((name, other) for name in named for other in names)
            follows = [self._together[path[:4]] for path in self._suspects if path[:2] == ("after", self._name)]
            yield from ((*read, name) for read in follows if read for name in names)
            # What outcomes read of one answer may count only beside the dice that another brings.
            of_bands = (*self._at, "bands")
            if any(path[: len(of_bands)] == of_bands for path in self._suspects) and self._together[of_bands]:
                yield from ((*self._together[of_bands], name) for name in names)

    def _find_gap(self, plan: RollPlan) -> None:
        if all(band.when for band in plan.bands[1:]):
            return
        plans = self._gapless.setdefault(plan.bands, set())
        if plan in plans or len(plans) >= _MOST_PLANS:
            return
        plans.add(plan)
        results = self._results_of(plan, NO_MARKS)
        if gap := _uncovered_results(plan, {one for every in results.values() for one in every}):
            self.gap = Flaw((*self._at, "bands"), gap)

    def _results_of(self, plan: RollPlan, marks: Marks) -> Mapping[str, Collection[Result]]:
        """Return the results that a roll may come to, by their outcomes; nothing where these, or such contests, are too many."""
        is_known = (plan, marks) in self._results
        if not is_known and not (plan.reading.theirs and len(self._results) >= _MOST_CONTESTS):
            found = self._results[plan, marks] = dict[str, set[Result]]()
            outcomes = self._outcomes.setdefault(plan.bands, {})
            with suppress(TooMany):
                for result in possible_results(plan, marks):
                    if result not in outcomes:
                        outcomes[result] = outcome_of(plan.bands, result).outcome
                    found.setdefault(outcomes[result], set()).add(result)
        return self._results.get((plan, marks), {})

    def _clear(self, moment: FileMoment, choice: RollChoice, plan: RollPlan) -> object:
        """Clear what a roll shows, and return what should differ where another answer does."""
        tally: Mapping[str, Ratio] = {}
        if any(path[:2] == self._at or path[0] == "spend" for path in self._suspects):
            with suppress(TooMany):
                tally = exact_odds(plan)
        self._clear_keys(moment, choice, plan, tally)
        self._clear_after(moment, choice, plan)
        came = {outcome for outcome, chance in tally.items() if chance} or {band.outcome for band in plan.bands}
        if len(came) > 1:
            self._suspects.pop((*self._at, "bands"), None)
        came |= self._clear_spends(moment, choice, plan, tally)
        for place, band in enumerate(self._rule.bands):
            if band.outcome in came:
                self._suspects.pop((*self._at, "bands", str(place)), None)
        return tally, plan if self._reads_result else None

    def _chosen_at(self, choice: RollChoice) -> Iterator[Path]:
        if choice.call:
            yield (*self._at, "calls", choice.call)
        for name, _, word in (id_.partition(".") for id_ in choice.options):
            yield (*self._at, PICK, name, word) if name in self._rule.pick else (*self._at, OPTIONS, name)

    def _clear_answers(self, moment: FileMoment, choice: RollChoice) -> None:
        paths = ((*path, "when") if OPTIONS in path[2:3] else path for path in self._chosen_at(choice))
        unseen = [path for path in paths if path in self._suspects]
        if unseen and refusal_of_choices(moment, choice) is None:
            for path in unseen:
                del self._suspects[path]

    def _clear_of_conditions(self, moment: FileMoment, choice: RollChoice, plan: RollPlan) -> None:
        """Clear the conditions that hold, what they add, and what has the roll made twice."""
        scope, answers = choice.scope(moment), {(*self._at, *at): one.twice for at, one in choices_in(self._rule)}
        for name, condition in conditions_for(moment, self._name, scope):
            answers["when", name] = condition.twice
            self._suspects.pop(("when", name), None)
            for key in ("dice", "plus"):
                if ("when", name, key) in self._suspects and scope.number(getattr(condition, key)):
                    del self._suspects["when", name, key]
        answers[self._at] = self._rule.twice
        chosen = {*self._chosen_at(choice)}
        self._twice.add(plan.twice)
        for at, twice in answers.items():
            # What takes away the disadvantage that the roll has without it changes the odds, too.
            is_felt = plan.twice == twice or (not plan.twice and bool(self._twice - {"", twice}))
            if is_felt and (at == self._at or at[0] == "when" or at in chosen):
                self._suspects.pop((*at, "twice"), None)

    def _clear_keys(self, moment: FileMoment, choice: RollChoice, plan: RollPlan, tally: Mapping[str, Ratio]) -> None:
        chosen, scope = {*self._chosen_at(choice)}, choice.scope(moment)
        for path in [path for path in self._suspects if path[:2] == self._at and len(path) > 2]:
            if not (path[2] in MATTERS or (path[-1] in OF_ANSWERS and path[:-1] in chosen)):
                continue
            # To plan a roll takes long: without dice that it doesn't have, it is the same.
            extra = self._rule.more[int(path[-1])] if path[2] == "more" else None
            if extra and not (scope.holds(extra.when) and scope.number(extra.dice) > 0):
                continue
            other = plan_roll(moment, choice._replace(rule=self._without(path))).plan
            try:
                makes_a_difference = not tally or not other.has_dice or exact_odds(other) != tally
            except TooMany:
                makes_a_difference = True
            if path[2:] == ("cap",) and (results := self._results_of(plan, self._marks)):
                # Without a cap, all is the same if no result is above it.
                makes_a_difference |= results != self._results_of(other, self._marks)
            elif self._reads_result:
                makes_a_difference |= other != plan
            if makes_a_difference:
                del self._suspects[path]

    def _without(self, path: Path) -> RollRule:
        """Return the roll without a key of its own or of an answer, or without some of its `more`."""
        rule: Any = self._rule
        kind, *inner = path[2:]
        if kind in MATTERS:
            left = tuple(extra for place, extra in enumerate(rule.more) if str(place) != path[-1])
            changed: Any = left if kind == "more" else getattr(_NO_ROLL, kind)
        else:
            *question, word, key = inner
            changed = rule.pick[question[0]] if question else getattr(rule, kind)
            changed = {**changed, word: replace(changed[word], **{key: getattr(_NO_ANSWER, key)})}
            changed = {**rule.pick, question[0]: changed} if question else changed
        found: RollRule = replace(rule, **{kind: changed})
        return found

    def _clear_after(self, moment: FileMoment, choice: RollChoice, plan: RollPlan) -> None:
        paths = [path for path in self._suspects if path[:2] == ("after", self._name)]
        results = self._results_of(self._as_far_as_read(plan, paths), self._marks) if paths else {}
        answers, chosen = choice.names(), choice.chosen_things(moment)
        if not self._rule.instead:  # What is paid in place of rolling ends nothing.
            moment = end_what_lasts(moment, "roll", self._name, thing_path(self._rule.who, choice.keys))
        for key in dict.fromkeys(path[2] for path in paths):
            outcomes = dict.fromkeys((*results, *self._bought)) if key == ANY else (key,)
            bought = {outcome: [Result(0)] for outcome in self._bought}
            shown = [(outcome, one) for outcome in outcomes for one in results.get(outcome, bought.get(outcome, []))]
            # What is still to be seen, with what it reads of this choice.
            left, asked = dict[tuple[int, str], Path](), dict[tuple[int, str], tuple[object, ...]]()
            for path in (path for path in paths if path[2] == key):
                words = self._read[path]
                if not results or (shown and _NOT_IN_RESULTS.search(self._whens[path[:4]])):
                    del self._suspects[path]
                    continue
                left[at := (int(path[3]), path[-1])] = path
                of_choice = [(name, found) for name, found in answers.items() if name[-1] in words]
                of_things = [(name, found) for name, found in chosen.items() if name.rpartition(".")[2] in words]
                asked[at] = (path, choice.keys, *of_choice, *of_things)
            suits = self._suits if any("suit" in self._read[path] for path in left.values()) else ("",)
            for (outcome, result), suit in product(shown, suits) if left else ():
                if result not in self._names:
                    self._names[result] = result.names()
                names = {("outcome",): outcome, ("suit",): suit, **self._names[result]}
                # Its own effects come before those of every outcome.
                before = self._follows.get(outcome, ()) if key == ANY else ()
                wanted, first = list[tuple[int, str]](), len(before)
                for at, path in left.items():
                    words = self._read[path]
                    tried = (
                        *asked[at],
                        bool(before) and outcome,
                        *(one for one in names.items() if one[0][-1] in words),
                    )
                    if tried not in self._tried:
                        self._tried.add(tried)
                        wanted.append(at)
                if not wanted:
                    continue
                which = outcome if before else ""
                needed = {place for at in wanted for place in self._needs[left[at]][which].places}
                every = enumerate((*before, *self._follows[key]))
                effects = [effect if place in needed else _NO_EFFECT for place, effect in every]
                later = [(first + place, of_effect) for place, of_effect in wanted]
                for place, of_effect in happening(effects, later, choice.scope(moment, names)):
                    del self._suspects[left.pop((place - first, of_effect))]

    def _as_far_as_read(self, plan: RollPlan, paths: Sequence[Path]) -> RollPlan:
        """Return a roll without the symbols, and the outcomes, that nothing asks for of what is still to be seen after it: others make many
        results of one.
        """
        if not plan.reading.symbols:
            return plan
        words = {word for path in paths for word in self._read[path]}
        bands = plan.bands if "outcome" in words or any(path[2] != ANY for path in paths) else (_NO_BAND,)
        first, of_bands = plan.reading.symbols[0], asked_alone(plan.reading, bands).symbols
        read = {*words, *of_bands, *([] if words.isdisjoint(("result", "score")) else [first])}
        symbols = tuple(name if name in read else "" for name in plan.reading.symbols)
        return replace(plan, reading=replace(plan.reading, symbols=symbols), bands=bands)

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
        if not (OF_RESULT.search(when) or "outcome" in when) or _NOT_IN_RESULTS.search(when) or _OF_SUIT.search(when):
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


def _uncovered_results(plan: RollPlan, results: Collection[Result]) -> str:
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
        ends = [*covered, *(end for band in plain for end in (band.low, band.high) if end is not None)]
        missed = [value for value in missed if min(ends) < value < max(ends)]
    if not missed or not covered:
        return ""
    shown = f"{missed[0]} to {missed[-1]}" if len(missed) > 1 else f"{missed[0]}"
    return f"no outcome covers a result of {shown}, so it counts as “{first.label}”, the first in the list: make another outcome cover it"
