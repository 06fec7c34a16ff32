"""Exact odds of a roll if tokens are spent on it in the best way; and what each spend on the dice on the table leads to.

A player who plays in the best way knows all dice on the table before each spend. So a table is worth the most that any spend makes of
it, or what it is worth as it is. Each table is looked at once, and tables that no reading and no spend can tell apart are one
(`odds_without_spends.py`, `tables_worth_the_same.py`). If there are too many, `TooMany` says so; how many that is does not depend on
the machine.

Each table is worth something else for each number that the other side may come to. All of these worths are worked out together: a table
has a list of them (`_Worth`).

Worth: the chances of a roll as one whole number, so that the better way to play is the larger number.

The best way is that with the highest grade in the mean, where each grade is one better than the one before. Of ways that are as good, it
is that with the fewest outcomes of the worst grade, then the fewest of the two worst, and so on; outcomes of one grade are told apart
only then. The mean grade and the chances of each outcome or a better one, in the order in which they matter, are the digits of the
number. So the worth of a throw is the mean of the worths that it can lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import pairwise
from math import lcm
from operator import mul

from waylog.rules.codec.changes import join_names
from waylog.rules.file_game.clauses import CONDITIONS
from waylog.rules.file_game.dice_readings import (
    OF_DICE,
    Band,
    ReadingKind,
    RollPlan,
    Seen,
    marks_of,
    other_side,
    step_up,
    worst_first,
)
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, parse_die
from waylog.rules.file_game.named_values_and_conditions import FileMoment, label_of, paths_read
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany, remembers
from waylog.rules.file_game.odds.odds_without_spends import (
    DiceTables,
    LaidDie,
    Tally,
    count_dice,
    exact_odds,
    other_ways,
    side_ways,
    steps_for,
)
from waylog.rules.file_game.odds.tables_worth_the_same import (
    FEW_OTHERS,
    Ranks,
    Table,
    TableMerging,
    Usable,
    rerolls,
    throw_again,
)
from waylog.rules.file_game.roll_plans_and_options import (
    RollChoice,
    bands_of,
    least_that_reach,
    plan_in_words,
    plan_roll,
)
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.file_game.spends import (
    ON_DICE,
    OfferedSpend,
    Picked,
    RaiseDie,
    RaiseTotal,
    Reroll,
    SetScore,
    Spend,
    StepOutcome,
    places_for,
    spends_for,
)
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.rules.model.odds import Chance, Odds, Ratio, Spread, count_chances
from waylog.values import NamedTuple, replace


class Worths:
    """The worths of the outcomes of one roll."""

    def __init__(self, bands: Sequence[Band], certain: int, ways: int) -> None:
        """`certain` is what a chance of 1 is written as: every throw on the way must divide it. `ways` is the most by which a worth
        is multiplied.
        """
        self.order = order = worst_first(bands)
        self.outcomes = [band.outcome for band in order]
        """Worst first; the place of an outcome is its rank."""
        self._certain = certain
        self._bits = (certain * ways).bit_length() + 1
        # The worst outcome needs no digit. The first digits are those of outcomes that begin a grade.
        ranks = sorted(range(1, len(order)), key=lambda rank: (order[rank].grade is order[rank - 1].grade, rank))
        self._shifts = {rank: self._bits * (len(ranks) - 1 - place) for place, rank in enumerate(ranks)}
        grades, grade_shift = [*OutcomeGrade], self._bits * len(ranks)
        self.of_rank = [
            (grades.index(order[rank].grade) * certain << grade_shift)
            + sum(certain << shift for above, shift in self._shifts.items() if above <= rank)
            for rank in range(len(order))
        ]
        """The worth of each outcome if it is certain."""

    def chances(self, worth: int, ways: int = 1) -> Tally:
        """Return the chance of each outcome, worst first, given the sum of so many worths."""
        whole, mask = self._certain * ways, (1 << self._bits) - 1
        at_least = [whole, *((worth >> self._shifts[rank]) & mask for rank in sorted(self._shifts)), 0]
        return {
            outcome: Ratio(this - better, whole)
            for outcome, (this, better) in zip(self.outcomes, pairwise(at_least), strict=True)
        }

    def ranks(self) -> Mapping[str, int]:
        """Return the rank of each outcome."""
        return {outcome: rank for rank, outcome in enumerate(self.outcomes)}


_MOST_SPENDS = 100
"""The most spends on one roll."""
_MOST_BITS = 4000
"""The most bits of a worth, about."""
_STEPS_FOR_TABLE = 4
"""The steps that it takes to read a table and to look for spends."""
Purse = tuple[tuple[str, int], ...]
"""Tokens that may be spent, each kind with its number."""
_Worth = list[int]
"""The worth of a table: one for each number that the other side can come to."""


def best_odds(plan: RollPlan, spends: tuple[Spend, ...], purses: Sequence[Purse | None]) -> tuple[Tally, ...]:
    """Return the chance of each outcome, worst first, with each of these purses spent in the best way; for None, if nothing is spent, not
    even what is free. Raises `TooMany`.
    """
    pool = tuple(replace(group, label="") for group in plan.pool)
    return _best_odds(replace(plan, pool=pool), spends, tuple(purses))


@remembers
def _best_odds(plan: RollPlan, spends: tuple[Spend, ...], purses: tuple[Purse | None, ...]) -> tuple[Tally, ...]:
    most: dict[str, int] = {}
    for purse in purses:
        for token, count in purse or ():
            most[token] = max(count, most.get(token, 0))
    play = _Play(plan, spends, most)
    play.expect([dict(purse) for purse in purses if purse is not None])
    return tuple(play.odds_as_rolled() if purse is None else play.odds(dict(purse)) for purse in purses)


class Advice(NamedTuple):
    """A spend on the dice on the table, and what it leads to."""

    spend: Spend
    places: tuple[int, ...]
    """The dice of which one is meant, by their places on the table, the first to take first; empty if it is for none in particular."""
    odds: Tally
    """If all that is left is then spent in the best way."""
    helps: bool
    """It is better than to keep the dice."""


def weigh_spends(
    plan: RollPlan, spends: Sequence[Spend], roll: FileRoll, purse: Mapping[str, int]
) -> tuple[Advice, ...]:
    """Return all spends that are possible on the dice on the table, best first. Dice that are as good for a spend are together: those to
    raise highest first, those to reroll lowest first. Raises `TooMany`.
    """
    return _weigh_spends(plan, tuple(spends), roll, tuple(purse.items()))


@remembers
def _weigh_spends(plan: RollPlan, spends: tuple[Spend, ...], roll: FileRoll, purse: Purse) -> tuple[Advice, ...]:
    ours = tuple(DiceGroup(1, die.die) for die in roll.dice if not die.against)
    theirs = tuple(die for die in roll.dice if die.against)
    plays = _plays_for(replace(plan, pool=ours), spends, replace(roll, dice=theirs), purse)
    # What it knows from other dice is work that it counts too, so only a new one can find that there is too much.
    for play in plays:
        with suppress(TooMany):
            return play.weigh(roll, dict(purse))
    plays[:] = [_Play(replace(plan, pool=ours), spends, dict(purse), roll)]
    return plays[0].weigh(roll, dict(purse))


@lru_cache(16)
def _plays_for(*_: Hashable) -> list[_Play]:
    """Return where the play of such dice is kept for whatever they show, if there is one."""
    return []


class Standing(NamedTuple):
    """A roll on the table, and what is left to spend."""

    table: Table
    plus: int
    steps: tuple[int, int]
    """How many outcomes better it counts, and then how many grades."""
    left: int
    """The tokens that are left, by their place in the list of a `_Play`."""
    score: int | None = None
    """The number that stands in place of that of the dice."""


_AS_ROLLED = (0, 0)


class _Affordable(NamedTuple):
    """Spends that can still be paid."""

    spends: tuple[tuple[Spend, int], ...]
    """Each spend that may still be used and paid, with the place of what is left after it."""
    on_dice: Usable
    """The places of those with dice, in the order of all spends."""


class _Play:
    """All that a player can do with one roll and at most so many tokens."""

    def __init__(
        self, plan: RollPlan, spends: Sequence[Spend], most: Mapping[str, int], roll: FileRoll | None = None
    ) -> None:
        """Look at a plan whose dice are still to be rolled, or at one's own dice on the table. May raise `TooMany`."""
        if plan.twice and plan.by_result and not roll:  # Which roll counts isn't known from outcomes.
            raise TooMany
        self._plan = plan
        used = roll.used if roll else ()
        uses = [(spend, spend.uses(most.get(spend.token, 0), used.count(spend.name))) for spend in spends]
        self._spends = [(spend, count) for spend, count in uses if count]
        self._tokens = sorted({spend.token for spend, _ in self._spends if spend.cost > 0})
        self._kinds = [self._tokens.index(spend.token) if spend.cost > 0 else -1 for spend, _ in self._spends]
        self._on_dice: Usable = tuple(
            place for place, (spend, _) in enumerate(self._spends) if isinstance(spend.effect, ON_DICE)
        )
        theirs = count_dice(plan.pool, against=True)
        others = other_ways(theirs, plan.reading, plan.rules) if not roll else {other_side(plan.reading, roll.dice): 1}
        lying, (other, *_) = plan, others
        if roll and isinstance(other, int):  # Known numbers decide which faces can be merged.
            lying = replace(plan, reading=replace(plan.reading, plus=plan.reading.plus + roll.raised - other))
        self._dice = DiceTables(lying, self._spends)
        self._purses: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        """All that can be left: the tokens, and how often each spend may still be used, apart from its tokens."""
        self._left: dict[int, _Affordable] = {}
        self._known: dict[Standing, _Worth] = {}
        self._kept: dict[tuple[Ranks, tuple[int, int]], _Worth] = {}
        self._means: dict[tuple[Standing, tuple[LaidDie, ...], Table | None, tuple[str, ...]], _Worth] = {}
        if sum(min(count, most.get(spend.token, count)) for spend, count in self._spends) > _MOST_SPENDS:
            raise TooMany
        tables: Iterable[tuple[Table, int]]
        if roll:
            tables = []
        elif self._on_dice:
            tables = self._dice.throw_pool().items()
        else:
            tables = side_ways(self._dice.pool, plan.reading, plan.rules, marks_of(plan.bands, plan.reading)).items()
        self._other_ways = [*others.values()]
        self._worths = self._measure((1 if roll else sum(ways for _, ways in tables)) * sum(self._other_ways))
        self._best = len(self._worths.outcomes) - 1
        self._tables = TableMerging(plan, self._dice, self._spends, self._worths.ranks(), [*others])
        self._starts = self._tables.merge_starts(tables, self._on_dice)

    def _measure(self, starts: int) -> Worths:
        """Return the worths of the outcomes, fine enough for all dice that may still be thrown. `starts` is the number of ways to begin.
        Raises `TooMany`.
        """
        throws = self._dice.throws
        longest = max((len(faces) for falls in throws for faces in falls), default=1)
        added = sum(uses * spend.effect.more for spend, uses in self._spends if isinstance(spend.effect, Reroll))
        size = longest * (sum(self._dice.pool.values()) + added)
        thrown, at_once = added, added + 1
        for spend, uses in self._spends:
            match spend.effect:
                case Reroll(which=Picked.ALL, once=once):
                    # Each time, the dice may bring more; a die that is rerolled once is not rerolled again.
                    most = size if once else size * longest**uses
                    thrown, at_once = thrown + (most if once else uses * most), max(at_once, most)
                case Reroll() as effect if effect.asks:
                    thrown += uses
                case Reroll() | RaiseDie() | RaiseTotal() | StepOutcome() | SetScore():
                    pass
        weights = [sum(falls.values()) for falls in throws]
        if thrown * lcm(*weights).bit_length() * len(self._plan.bands) > _MOST_BITS:
            raise TooMany
        most_ways = max(starts**2 if self._plan.twice else starts, max(weights, default=1) ** at_once)
        return Worths(self._plan.bands, lcm(*weights) ** thrown, most_ways)

    # -- what comes of it ----------------------------------------------------------------------------------------------

    def expect(self, purses: Iterable[Mapping[str, int]]) -> None:
        """Raise `TooMany` at once if what these purses take at the least is too much: each table is looked at with each of them, and again
        for each spend that leaves the dice as they are.
        """
        looks = 0
        for purse in purses:
            spends = self._find_left(self._begin((), FileRoll(), purse).left).spends
            looks += 1 + sum(not (spend.when or isinstance(spend.effect, ON_DICE)) for spend, _ in spends)
        self._dice.work.expect(_STEPS_FOR_TABLE * looks * len(self._starts))

    def odds(self, purse: Mapping[str, int]) -> Tally:
        """Return the chance of each outcome, worst first. Raises `TooMany`."""
        return self._mean_odds(lambda table: self._worth(self._begin(table, FileRoll(), purse)))

    def odds_as_rolled(self) -> Tally:
        """Return the chance of each outcome, worst first, if nothing is spent."""
        return self._mean_odds(lambda table: self._keep(self._tables.ranks(table, 0), _AS_ROLLED))

    def _mean_odds(self, worth_of: Callable[[Table], _Worth]) -> Tally:
        worth = sum(ways * sum(map(mul, worth_of(table), self._count_ways(table))) for table, ways in self._starts)
        ours = sum(ways for _, ways in self._starts)
        return self._worths.chances(worth, self._plan.all_ways(ours, sum(self._other_ways)))

    def _count_ways(self, table: Table) -> Sequence[int]:
        """Return in how many ways a table counts with each number of the other side; of a roll that is made twice, with the other one."""
        if not self._plan.twice:
            return self._other_ways
        ranks = zip(self._other_ways, self._ways_by_rank, self._tables.ranks(table, 0), strict=True)
        return [ways * counted[rank] for ways, counted, rank in ranks]

    @cached_property
    def _ways_by_rank(self) -> Sequence[Sequence[int]]:
        """The factors of each rank, for each thing that the other side can come to."""
        each = [[0] * len(self._worths.outcomes) for _ in self._other_ways]
        for table, ways in self._starts:
            for more, column, rank in zip(self._other_ways, each, self._tables.ranks(table, 0), strict=True):
                column[rank] += ways if self._plan.reading.theirs else ways * more
        if self._plan.reading.theirs:  # Its dice are rolled once.
            return [*map(self._plan.factors, each)]
        return [self._plan.factors([sum(column) for column in zip(*each, strict=True)])] * len(each)

    def weigh(self, roll: FileRoll, purse: Mapping[str, int]) -> tuple[Advice, ...]:
        """Return each spend on one's own dice on the table, best first. Raises `TooMany`."""
        table = self._dice.lay(roll.dice)
        now = self._begin(table if self._on_dice else self._dice.see(table), roll, purse)
        (kept,) = self._keep(self._ranks(now), now.steps)
        found = list[Advice]()
        for spend, laid, (worth,) in sorted(self._ways_on(now), key=lambda way: [-each for each in way[2]]):
            places: list[int] = []
            if laid and isinstance(spend.effect, RaiseDie | Reroll):
                places = [at for at in places_for(roll, spend.effect) if self._dice.lay_one(roll.dice[at]) == laid]
                if not places:  # It shows its highest face, which is merged with a lower one.
                    continue
                places.sort(key=lambda at: roll.dice[at].face, reverse=isinstance(spend.effect, RaiseDie))
            found.append(Advice(spend, tuple(places), self._worths.chances(worth), worth > kept))
        return tuple(found)

    def _begin(self, table: Table, roll: FileRoll, purse: Mapping[str, int]) -> Standing:
        tokens = tuple(purse.get(token, 0) for token in self._tokens)
        left = self._place_of(tokens, tuple(uses for _, uses in self._spends))
        return Standing(table, roll.raised, (roll.steps, roll.grades), left, roll.score)

    def _ranks(self, now: Standing) -> Ranks:
        """Return the outcomes of a table, without steps."""
        return self._tables.ranks(now.table, now.plus, now.score)

    def _worth(self, now: Standing) -> _Worth:
        """Return the worth of a table if what is left is spent in the best way. Raises `TooMany`."""
        known = self._known.get(now)
        if known is None:
            dice = 0 if isinstance(now.table, Seen) else len(now.table)
            steps = _STEPS_FOR_TABLE + 2 * (steps_for(dice) - 1) + max(0, len(self._other_ways) - FEW_OTHERS) // 6
            self._dice.work.count(steps)
            ranks = self._ranks(now)
            kept = self._keep(ranks, now.steps)
            # Nothing is spent on the best outcome.
            is_best = min(self._step_up(ranks, now.steps)) == self._best
            spent = [] if is_best else [worth for _, _, worth in self._ways_on(now)]
            known = self._known[now] = [*map(max, kept, *spent)] if spent else kept
        return known

    def _keep(self, ranks: Ranks, steps: tuple[int, int]) -> _Worth:
        """Return the worth of outcomes as they are, so many steps up."""
        kept = self._kept.get((ranks, steps))
        if kept is None:
            worths = self._worths.of_rank
            kept = self._kept[ranks, steps] = [worths[rank] for rank in self._step_up(ranks, steps)]
        return kept

    def _step_up(self, ranks: Ranks, steps: tuple[int, int]) -> Sequence[int]:
        return ranks if steps == _AS_ROLLED else [step_up(self._worths.order, rank, *steps) for rank in ranks]

    # -- spends --------------------------------------------------------------------------------------------------------

    def _ways_on(self, now: Standing) -> Iterator[tuple[Spend, LaidDie | None, _Worth]]:
        """Yield each spend that is possible, with the die that it is for, if it is for one, and its worth. Raises `TooMany`."""
        ranks = self._step_up(self._ranks(now), now.steps)
        for spend, left in self._find_left(now.left).spends:
            # For which of the other side's numbers it is possible.
            occasions = [self._worths.outcomes[rank] in spend.when for rank in ranks] if spend.when else ()
            if occasions and not any(occasions):
                continue
            if now.score is not None and isinstance(spend.effect, (*ON_DICE, SetScore)):
                continue
            for die, worth in self._results(spend, now, left):
                yield spend, die, [*map(mul, worth, occasions)] if occasions else worth

    def _find_left(self, place: int) -> _Affordable:
        found = self._left.get(place)
        if found is None:
            tokens, uses = self._purses[place]
            spends, on_dice = list[tuple[Spend, int]](), list[int]()
            for number, (spend, _) in enumerate(self._spends):
                kind = self._kinds[number]
                cost = spend.cost
                if kind >= 0 and spend.partly:
                    cost = min(cost, max(1, tokens[kind]))
                if not uses[number] or (kind >= 0 and tokens[kind] < cost):
                    continue
                paid = tokens if kind < 0 else (*tokens[:kind], tokens[kind] - cost, *tokens[kind + 1 :])
                is_counted = spend.limit or spend.cost <= 0
                used = (*uses[:number], uses[number] - 1, *uses[number + 1 :]) if is_counted else uses
                spends.append((spend, self._place_of(paid, used)))
                on_dice += [number] if number in self._on_dice else []
            found = self._left[place] = _Affordable(tuple(spends), tuple(on_dice))
        return found

    def _place_of(self, tokens: tuple[int, ...], uses: tuple[int, ...]) -> int:
        """Return the place of what is left in the list of all that can be left."""
        if (tokens, uses) not in self._purses:
            self._purses.append((tokens, uses))
        return self._purses.index((tokens, uses))

    def _results(self, spend: Spend, now: Standing, left: int) -> Iterator[tuple[LaidDie | None, _Worth]]:
        """Yield, for each die that a spend may be for, the worth of what it leads to; `left` is what is left after it."""
        at, plus, (outcomes, grades), _, score = now
        table: tuple[LaidDie, ...] = at if not isinstance(at, Seen) else ()
        # A changed table is read without the steps (`spend_on`).
        match spend.effect:
            case RaiseTotal(by=by):
                yield None, self._worth(Standing(at, plus + by, _AS_ROLLED, left, score))
            case StepOutcome(by=by, grades=more):
                yield None, self._worth(Standing(at, plus, (outcomes + by, grades + more), left, score))
            case SetScore(score=instead):
                yield None, self._worth(Standing(at, 0, _AS_ROLLED, left, instead))
            case RaiseDie(by=by):
                for die in dict.fromkeys(reversed(table)):
                    if die.face < self._dice.kinds[die.size].top:
                        raised = self._dice.raise_die(table, die, by)
                        yield die, self._worth(Standing(raised, plus, _AS_ROLLED, left, score))
            case Reroll(more=more) as effect:
                added = [LaidDie(0, self._dice.find_size(effect.die))] * more if more else []
                for rest, dice in rerolls(table, effect):
                    picked = dice[0] if dice and effect.asks else None
                    thrown = (*[throw_again(die, effect) for die in dice], *added)
                    back = self._dice.settle(rest, dice, final=effect.once) if effect.better else None
                    after = Standing(rest, plus, _AS_ROLLED, left, score)
                    yield picked, self._worth_of_throw(after, thrown, back, effect.accept)

    def _worth_of_throw(
        self, now: Standing, dice: tuple[LaidDie, ...], back: Table | None, accept: tuple[str, ...]
    ) -> _Worth:
        """Return the mean worth of throwing dice, whatever they show, beside those that lie there. If the outcome is worse than that of
        the table `back`, that one stands, unless it is one to `accept`. Raises `TooMany`.
        """
        known = self._means.get((now, dice, back, accept))
        if known is None:
            at, plus, steps, left, score = now
            spends, on_dice = self._find_left(left)
            if spends:
                tables = [
                    (Standing(table, plus, steps, left, score), ways)
                    for table, ways in self._tables.throw(at, dice, plus, on_dice)
                ]
                found = [(self._ranks(after), self._worth(after), ways) for after, ways in tables]
            else:
                seen = self._tables.fall_last(at, dice)
                ranked = [(self._tables.ranks_of(rest, number + plus), ways) for rest, number, ways in seen]
                found = [(ranks, self._keep(ranks, steps), ways) for ranks, ways in ranked]
            if back is not None:
                before = now._replace(table=back)
                was, kept = self._ranks(before), self._worth(before)
                stay = {rank for rank, outcome in enumerate(self._worths.outcomes) if outcome in accept}
                for place, (ranks, worth, ways) in enumerate(found):
                    each = zip(ranks, was, worth, kept, strict=True)
                    best = [old if rank < lost and rank not in stay else new for rank, lost, new, old in each]
                    found[place] = ranks, best, ways
            self._dice.work.count(len(found))
            weights = [ways for _, _, ways in found]
            whole, columns = sum(weights), zip(*[worth for _, worth, _ in found], strict=True)
            known = self._means[now, dice, back, accept] = [
                sum(map(mul, column, weights)) // whole for column in columns
            ]
        return known


_MOST_SPREADS = 4
AS_ROLLED, EVERYTHING = "with nothing spent", "with everything spent"
_NEVER = ("",)
"""The outcomes of a spend that is possible with none."""
_HIGHER_IS_BETTER = (ReadingKind.SUM, ReadingKind.HIGHEST, ReadingKind.BEATS)
_LOWEST = 20
"""No score is lower than this below zero."""


def odds_of(moment: FileMoment, choice: RollChoice) -> Odds | None:
    """Return the chances of each outcome, as rolled and with what can be spent in the best way; None for a pool so large that they would
    take too long.
    """
    planned, texts = plan_roll(moment, choice), list[str]()
    plan = planned.plan
    payable = [one for one in spends_for(moment, choice) if can_be_paid(one)]
    by_result = bool(plan.twice and plan.by_result)
    offered = [] if by_result else spends_that_count(payable, plan)
    if left_out := dict.fromkeys(one.label for one in payable if by_result or _as_counted(one, plan) is None):
        why = "which they can't include where the results of two rolls are compared"
        why = why if by_result else "whose effect depends on the dice"
        texts.append(f"The odds leave out {join_names(left_out)}, {why}")
    purses = dict(_purses(offered)) if offered else {}
    found: tuple[Tally, ...] = ()
    if offered:
        with suppress(TooMany):
            found = best_odds(plan, tuple(one.spend for one in offered), [None, *purses.values()])
    if not found:
        try:
            found = (exact_odds(plan),)
        except TooMany:
            return None
        if offered:
            several = join_names(dict.fromkeys(one.label for one in offered), "or")
            texts.append(f"The odds leave out {several}, which would take too long to work out")
    tally, *tallies = found
    rolled = spread_of(AS_ROLLED, plan, tally)
    spends: list[Spread] = []
    known = {AS_ROLLED: dict(tally)}
    for label, best in zip(purses, tallies, strict=False):
        if dict(best) not in known.values():
            spends.append(spread_of(label, plan, best))
            known[label] = dict(best)
    rerolls = dict.fromkeys(one.label for one in offered if isinstance(one.spend.effect, Reroll))
    if tallies and rerolls and not spends and len(rolled.chances) > 1:
        texts.append(f"{join_names(rerolls, 'or')}: not worth it on this roll. On average, the outcome gets no better")
    elif tallies and EVERYTHING in purses and EVERYTHING not in known:
        same = next(label for label, chances in known.items() if chances == dict(tallies[-1]))
        texts.append(f"Spending everything gives no better odds than {same}")
    notes = (NoteFact(text, choice.rule.clause or CONDITIONS) for text in texts)
    return Odds(plan_in_words(plan), rolled, tuple(spends), (*planned.reasons, *notes))


def group_odds(moment: FileMoment, members: Sequence[RollChoice]) -> tuple[Odds, Sequence[Spread]] | None:
    """Return the chances of several who roll together: of the outcome that counts, or of each; and those of each alone. None if they would
    take too long.
    """
    planned = [plan_roll(moment, one) for one in members]
    plans = [one.plan for one in planned]
    names = [moment.thing_name(one.rule.who, one.keys) for one in members]
    try:
        tallies = [exact_odds(plan) for plan in plans]
    except TooMany:
        return None
    bare = (replace(plan, pool=tuple(replace(group, label="") for group in plan.pool)) for plan in plans)
    # Without dice, what is rolled looks like the roll of somebody who has some.
    lacks = [" (no dice)" if one.none and one.plan.pool else "" for one in planned]
    each = zip(names, bare, lacks, strict=True)
    pools = ", ".join(f"{name} {plan_in_words(plan)}{lack}" for name, plan, lack in each)
    group, alone = members[0].rule.group, [*map(spread_of, names, plans, tallies)]
    if group is None or group.counts == "each":
        return Odds(pools, alone[0], tuple(alone[1:])), alone
    # One without dice may have fewer outcomes than the others.
    every_band = bands_of(members[0], members[0].scope(moment), none=False)
    needed, outcomes = least_that_reach(group, len(members)), [band.outcome for band in worst_first(every_band)]
    reached = list[Ratio]()
    for place in range(len(outcomes)):
        chances = [sum((tally.get(outcome, Ratio()) for outcome in outcomes[place:]), Ratio()) for tally in tallies]
        reached.append(sum(count_chances(chances)[needed:], Ratio()))
    counted = {
        outcome: this - better for outcome, (this, better) in zip(outcomes, pairwise([*reached, Ratio()]), strict=True)
    }
    return Odds(pools, spread_of("together", replace(plans[0], bands=every_band), counted)), alone


def spends_that_count(offered: Iterable[OfferedSpend], plan: RollPlan) -> Sequence[OfferedSpend]:
    """Return the spends that odds count on: those that can be paid, without any whose effect or condition depends on the dice."""
    found = (_as_counted(one, plan) for one in offered if can_be_paid(one))
    return [one for one in found if one and one.spend.when != _NEVER]


def can_be_paid(one: OfferedSpend) -> bool:
    """Whether a spend can be paid. A condition that reads the result is taken to hold."""
    if any((min(price.by, 1) if price.partly else price.by) > price.there for price in one.prices):
        return False
    return bool(_read_of_result(one)) or one.scope.holds(one.rule.when)


def _read_of_result(one: OfferedSpend) -> set[str]:
    """Return what the condition of a spend reads that only the roll tells."""
    read = paths_read(one.scope.moment.game, one.rule.when)
    return {path[0] for path in read} & {"outcome", *OF_DICE}


def _as_counted(one: OfferedSpend, plan: RollPlan) -> OfferedSpend | None:
    """Return a spend that is limited to the outcomes of its condition, if that reads the roll's outcome. None if it rerolls the other
    side's dice, of which only the sum is known, or if the condition reads the dice: tables of dice are merged by what their outcomes
    are, not by what a condition reads. A score that may replace only lower ones is limited by that alone, since nobody spends on a lower
    one.
    """

    def holds(name: str, value: str | int) -> bool:
        return replace(one.scope, names={**one.scope.names, (name,): value}).holds(one.rule.when)

    if one.spend.is_on_theirs:
        return None
    match sorted(_read_of_result(one)), one.spend.effect:
        case [], _:
            return one
        case ["outcome"], _:
            those = [band.outcome for band in plan.bands if not one.spend.when or band.outcome in one.spend.when]
            fitting = tuple(outcome for outcome in dict.fromkeys(those) if holds("outcome", outcome))
            return one._replace(spend=replace(one.spend, when=fitting or _NEVER))
        case ["score"], SetScore(score=score) if plan.reading.kind in _HIGHER_IS_BETTER:
            highest = sum(group.count * parse_die(group.die).top for group in plan.pool)
            every = range(plan.reading.plus - _LOWEST, plan.reading.plus + highest + _LOWEST)
            holding = [each for each in every if holds("score", each)]
            if not holding:  # Whatever the dice show, such as without any momentum.
                return one._replace(spend=replace(one.spend, when=_NEVER))
            return one if holding == [each for each in every if each < score] else None
        case _:
            return None


def _purses(offered: Sequence[OfferedSpend]) -> Iterator[tuple[str, Purse]]:
    """Yield what may be spent, in words and in tokens: of one kind, more and more; of several, each alone and then all."""
    paid: dict[str, list[OfferedSpend]] = {}
    for one in offered:
        if one.prices and one.spend.cost > 0:
            paid.setdefault(one.spend.token, []).append(one)
    most: dict[str, int] = {}
    """How many tokens of each kind can be spent on one roll."""
    for token, spends in paid.items():
        there = spends[0].prices[0].there
        useful = [one.spend.limit * one.spend.cost for one in spends]
        most[token] = min(there, sum(useful)) if all(useful) else there
    if not paid:
        yield f"with {join_names(dict.fromkeys(one.label for one in offered), 'and')}", ()
    elif len(paid) == 1:
        ((token, spends),) = paid.items()
        least = min(one.spend.cost for one in spends)
        counts = dict.fromkeys(
            (*range(least, most[token] + 1, least), *([most[token]] if spends[0].spend.partly else []))
        )
        for count in [*counts][:_MOST_SPREADS]:
            yield f"with {_paid_in_words(spends, count)}", ((token, count),)
    else:
        for token, spends in paid.items():
            by = f" of {spends[0].payer}" if spends[0].payer else ""
            yield f"with {_paid_in_words(spends, most[token])}{by}", ((token, most[token]),)
        yield EVERYTHING, tuple(most.items())


def _paid_in_words(spends: Sequence[OfferedSpend], count: int) -> str:
    """Return so much of what these spends cost, for people; where that is a mark, the spends."""
    price = spends[0].prices[0]
    if price.is_flag:
        return join_names(dict.fromkeys(label_of(one.name, one.rule.label) for one in spends), "and")
    return price.place.count_in_words(count)


def spread_of(label: str, plan: RollPlan, tally: Tally) -> Spread:
    """Return the chances of outcomes, with their labels and grades; without those that are impossible."""
    bands = {band.outcome: band for band in worst_first(plan.bands)}
    possible = [(bands[outcome], chance) for outcome, chance in tally.items() if chance]
    return Spread(label, tuple(Chance(band.outcome, band.label, band.grade, chance) for band, chance in possible))
