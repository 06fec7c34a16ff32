"""Tries a roll in states of a campaign, to see what of it happens and makes a difference."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from math import prod
from typing import Any

from waylog.rules.file_game.check_names_and_formulas import choices_in, text_of
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
from waylog.rules.file_game.effects_and_offers import ADDED, ANY, after_each, apply_all, scopes_of
from waylog.rules.file_game.game_file_format import Flaw, GameFile, Path
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Scope,
    condition_refusal,
    conditions_for,
    things,
)
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany
from waylog.rules.file_game.odds.odds_with_spends import best_odds, can_be_paid
from waylog.rules.file_game.odds.odds_without_spends import exact_odds, possible_results
from waylog.rules.file_game.roll_and_effect_format import EffectRule, RollOption, RollRule, Twice, parse_effect
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
from waylog.rules.model.odds import Ratio
from waylog.values import replace

_MOST_WAYS = 401
"""How many combinations of the answers that one formula reads are tried in one state, about."""
MOST_AMOUNTS = 30
OF_RESULT = re.compile(rf"\b({'|'.join(OF_DICE)})\b")
OF_CHOICES = re.compile(rf"\b(?:{CALL}|{MODIFIER}|(?:{PICK}|{OPTIONS})\.\w+)\b")
_NOT_IN_ODDS = re.compile(rf"\bsuit\b|\b({'|'.join((*OF_SOME, THEIRS))})\.")
"""Values that formulas read and that no odds are made of."""
MATTERS = (*KEEPS, "reroll", "explode", "cap", "blank", "worth", "none", "plus", "more")
"""Keys of a roll that should make a difference to its odds. `theirs` does: a roll is wrong where nothing reads it."""
OF_ANSWERS = ("pool", "die", "target", *KEEPS[:2], "dice", "plus")
"""Keys of an answer that should make a difference to the odds."""
SAME = "="
"""Stands in a path between two answers to one question that may make the same roll."""
_READS = ("pool", "plus", "target", "cap", "blank", *KEEPS[:2], "more", "bands")
"""Keys of a roll that may read answers."""
_NO_ROLL, _NO_ANSWER = RollRule(), RollOption()
_MOST_PLANS = 24
"""In how many plans with the same outcomes a result without an outcome is looked for."""
_MOST_CONTESTS = 8
"""Contests of one roll whose results are looked at: each of one's own results meets every one of the other side (d100: 10,000 meetings)."""
OF_EFFECTS = ("when", "roll", "take", "do")
"""Keys of an effect that may be under suspicion."""
Suspects = dict[Path, Flaw]
"""What is still to be seen, by its place, with what is told if it never is."""


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


class RollTrial:
    """Tries a roll in states of a campaign, and clears what it sees of those under suspicion."""

    def __init__(self, game: GameFile, name: str, suspects: Suspects) -> None:
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
                self._whens[path] = text_of(game, (effect.when, effect.take, effect.takes, effect.do))
                self._together[path] = OF_CHOICES.findall(f"{self._whens[path]} {effect.who}")
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
        seen = {*re.findall(r"\w+\b(?!\.)", read)}
        self._marks = Marks(
            99 * ("matches" in seen),
            99 * ("ones" in seen),
            doubles="doubles" in seen,
            all_equal="all_equal" in seen,
            face="face" in seen,
        )
        self._gapless = dict[tuple[Band, ...], set[RollPlan]]()
        """By their outcomes, the plans in which a result without an outcome has been looked for."""
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
                self._clear_numbers(moment, choice)
                for at, twice in self._asking_for_two(moment, choice):
                    self._suspects.pop(at, None) if at[0] == "when" else None
                    self._suspects.pop((*at, "twice"), None) if plan.twice == twice else None
                if is_wanted:
                    self._clear_answers(moment, choice)
                if everything and plan.has_dice and not self.gap:
                    self._find_gap(plan)
                if is_wanted and plan.has_dice:
                    odds[*chosen.values()] = now = self._clear(moment, choice, plan)
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

    def _find_gap(self, plan: RollPlan) -> None:
        if all(band.when for band in plan.bands[1:]):
            return  # Their formulas say where they begin.
        plans = self._gapless.setdefault(plan.bands, set())
        if plan in plans or len(plans) >= _MOST_PLANS:
            return
        plans.add(plan)
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
        """Yield the places of the answers that were chosen."""
        if choice.call:
            yield (*self._at, "calls", choice.call)
        for name, _, word in (id_.partition(".") for id_ in choice.options):
            yield (*self._at, PICK, name, word) if name in self._rule.pick else (*self._at, OPTIONS, name)

    def _clear_answers(self, moment: FileMoment, choice: RollChoice) -> None:
        """Clear the answers that can be chosen."""
        paths = ((*path, "when") if OPTIONS in path[2:3] else path for path in self._chosen_at(choice))
        unseen = [path for path in paths if path in self._suspects]
        if unseen and refusal_of_choices(moment, choice) is None:
            for path in unseen:
                del self._suspects[path]

    def _asking_for_two(self, moment: FileMoment, choice: RollChoice) -> Iterator[tuple[Path, Twice]]:
        """Yield the roll, what was chosen and the conditions that hold, each with whether it has the roll made twice."""
        yield self._at, self._rule.twice
        answers = {(*self._at, *at): one.twice for at, one in choices_in(self._rule)}
        yield from ((at, answers[at]) for at in self._chosen_at(choice))
        for name, condition in conditions_for(moment, self._name, choice.scope(moment)):
            yield ("when", name), condition.twice

    def _clear_numbers(self, moment: FileMoment, choice: RollChoice) -> None:
        """Clear the numbers of conditions that hold and add something."""
        scope = choice.scope(moment)
        for name, condition in conditions_for(moment, self._name, scope):
            for key in ("dice", "plus"):
                if ("when", name, key) in self._suspects and scope.number(getattr(condition, key)):
                    del self._suspects["when", name, key]

    def _clear_keys(self, moment: FileMoment, choice: RollChoice, plan: RollPlan, tally: Mapping[str, Ratio]) -> None:
        """Clear what makes a difference to the odds."""
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
            if makes_a_difference or (self._reads_result and other != plan):
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
        """Clear the effects of outcomes that happen."""
        paths = [path for path in self._suspects if path[:2] == ("after", self._name)]
        results = self._results_of(plan, self._marks) if paths else {}
        for key in dict.fromkeys(path[2] for path in paths):
            outcomes = dict.fromkeys((*results, *self._bought)) if key == ANY else (key,)
            bought = {outcome: [Result(0)] for outcome in self._bought}
            shown = [(outcome, one) for outcome in outcomes for one in results.get(outcome, bought.get(outcome, []))]
            # What is still to be seen, and of that, what may differ from result to result.
            left, differing = dict[tuple[int, str], Path](), set[tuple[int, str]]()
            for path in (path for path in paths if path[2] == key):
                at, when = (int(path[3]), path[-1]), self._whens[path[:4]]
                if not results or (shown and _NOT_IN_ODDS.search(when)):
                    del self._suspects[path]
                    continue
                left[at] = path
                differing |= {at} if key == ANY or OF_RESULT.search(when) else set()
            for number, (outcome, result) in enumerate(shown):
                wanted = [at for at in left if number == 0 or at in differing]
                if not wanted:
                    break
                scope = choice.scope(moment, {("outcome",): outcome, ("suit",): "", **result.names()})
                for at in happening(self._follows[key], wanted, scope):
                    del self._suspects[left.pop(at)]

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
        if not (OF_RESULT.search(when) or "outcome" in when) or _NOT_IN_ODDS.search(when):
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
        ends = [*covered, *(end for band in plain for end in (band.low, band.high) if end is not None)]
        missed = [value for value in missed if min(ends) < value < max(ends)]
    if not missed or not covered:
        return ""
    shown = f"{missed[0]} to {missed[-1]}" if len(missed) > 1 else f"{missed[0]}"
    return f"no outcome covers a result of {shown}, so it counts as “{first.label}”, the first in the list: make another outcome cover it"
