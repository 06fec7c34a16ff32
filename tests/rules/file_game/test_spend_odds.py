"""Tokens spent on a roll: exact odds of the best way, against every decision that a player could make."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.kit.rules import best_spend
from tests.kit.thorough import IS_AT_A_DESK
from tests.rules.file_game.every_throw import every_way, tables
from tests.rules.file_game.sample_rolls import (
    BAD,
    BANDS,
    BANDS_OF_SOME,
    BEST,
    COUNT,
    GOOD,
    HIGHEST,
    LABELLED,
    MOVE_BANDS,
    PARTLY,
    POOL_BANDS,
    POOLS,
    READINGS,
    RULES,
    SUM,
    TWICE,
    band,
    planned,
)
from waylog.rules.file_game.dice_readings import Band, Keep, ReadingKind, RollPlan, worst_first
from waylog.rules.file_game.dice_throws_and_cards import TableDie, ThrowRules
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany
from waylog.rules.file_game.odds.odds_with_spends import best_odds, weigh_spends
from waylog.rules.file_game.odds.odds_without_spends import exact_odds
from waylog.rules.file_game.roll_and_effect_format import ExplodeRule
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.file_game.spends import (
    Picked,
    RaiseDie,
    RaiseTotal,
    Reroll,
    SetScore,
    Spend,
    StepOutcome,
    can_spend,
    outcome_now,
    places_for,
    spend_on,
)
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.odds import Ratio
from waylog.values import replace

_FEW = 10
"""Tables of dice: those of one die that explodes."""
Chances = tuple[Ratio, ...]
"""Of each outcome, worst first."""


def merit(roll: RollPlan, chances: Chances) -> tuple[Ratio, list[Ratio], list[Ratio]]:
    """What is better: a high grade in the mean, then few outcomes of the worst grades, then few of the worst outcomes."""
    grades = [band.grade for band in worst_first(roll.bands)]
    by_grade: dict[str, Ratio] = defaultdict(Ratio)
    for grade, chance in zip(grades, chances, strict=True):
        by_grade[grade] += chance
    mean = sum(([*OutcomeGrade].index(grade) * chance for grade, chance in by_grade.items()), Ratio())
    return mean, [-chance for chance in accumulate(by_grade.values())], [-chance for chance in accumulate(chances)]


class Trying:
    """Tries every spend on every table, in no hurry."""

    def __init__(self, plan: RollPlan, spends: Sequence[Spend], purse: Mapping[str, int]) -> None:
        self.plan = plan
        self.spends = spends
        self.purse = purse
        self.order = [band.outcome for band in worst_first(plan.bands)]
        self.best = cache(self._best)

    def kept(self, roll: FileRoll) -> Chances:
        """The outcome as it is."""
        return tuple(Ratio(outcome == outcome_now(self.plan, roll).outcome) for outcome in self.order)

    def ways(self, roll: FileRoll) -> Iterator[tuple[Spend, int | None, Chances]]:
        """Every spend that is possible, with its die, and what it leads to."""
        costs = {spend.name: spend for spend in self.spends}
        for spend in self.spends:
            left = self.purse.get(spend.token, 0)
            left -= sum(costs[name].cost for name in roll.used if costs[name].token == spend.token)
            if not can_spend(self.plan, roll, spend, {spend.token: max(0, left)}):
                continue
            for place in chosen_places(roll, spend):
                found = [Ratio()] * len(self.order)
                for after, chance in every_way(partial(spend_on, self.plan, roll, spend, place)).items():
                    for number, part in enumerate(self.best(in_order(after))):
                        found[number] += chance * part
                yield spend, place, tuple(found)

    def _best(self, roll: FileRoll) -> Chances:
        found = [self.kept(roll), *(chances for _, _, chances in self.ways(roll))]
        return max(found, key=lambda chances: merit(self.plan, chances))

    def odds(self) -> Mapping[str, Ratio]:
        """The odds before the dice are rolled."""
        found = [Ratio()] * len(self.order)
        first: dict[FileRoll, Ratio] = defaultdict(Ratio)
        for table, chance in tables(self.plan.pool, self.plan.rules).items():
            first[in_order(FileRoll(dice=table))] += chance
        for roll, chance in (self._counted(first) if self.plan.twice else first).items():
            for number, part in enumerate(self.best(roll)):
                found[number] += chance * part
        return dict(zip(self.order, found, strict=True))

    def _counted(self, once: Mapping[FileRoll, Ratio]) -> Mapping[FileRoll, Ratio]:
        """The chance of each table to be the one that counts of two; the first, if both have one outcome."""
        sign = 1 if self.plan.twice == "better" else -1
        ranks = {roll: sign * self.order.index(outcome_now(self.plan, roll).outcome) for roll in once}
        of_rank: dict[int, Ratio] = defaultdict(Ratio)
        for roll, chance in once.items():
            of_rank[ranks[roll]] += chance
        return {
            roll: chance
            * sum(
                (
                    part
                    for rank, part in of_rank.items()
                    for is_it in (rank <= ranks[roll], rank < ranks[roll])
                    if is_it
                ),
                Ratio(),
            )
            for roll, chance in once.items()
        }


def chosen_places(roll: FileRoll, spend: Spend) -> Sequence[int | None]:
    """The dice that a player may choose for a spend."""
    effect = spend.effect
    if isinstance(effect, RaiseDie) or (isinstance(effect, Reroll) and effect.asks):
        adds = isinstance(effect, Reroll) and effect.more
        return places_for(roll, effect) or ((None,) if adds else ())
    return (None,)


def in_order(roll: FileRoll) -> FileRoll:
    """The roll with its dice and spends in order, so that equal ones are looked at once."""
    dice = sorted(roll.dice, key=lambda die: (die.against, die.die, die.face, die.final))
    return replace(roll, dice=tuple(dice), used=tuple(sorted(roll.used)))


def _added(count: int = 1, die: str = "d6") -> Reroll:
    return Reroll(Picked.NONE, more=count, die=die)


RAISE = Spend("raise", RaiseDie(), "focus")
FORCE = Spend("force", Reroll(), "focus")
EFFECTS = st.one_of(
    st.builds(RaiseDie, st.integers(1, 2)),
    st.builds(RaiseTotal, st.sampled_from([-2, 1, 3])),
    st.builds(
        Reroll,
        st.sampled_from(Picked),
        st.none() | st.integers(1, 3),
        st.none() | st.integers(1, 3),
        st.booleans(),
        st.booleans(),
        st.sampled_from(((), ("a",), ("a", "b"))),
        more=st.sampled_from((0, 0, 1)),
        die=st.sampled_from(("d2", "d3")),
    ),
    st.builds(lambda die: _added(1, die), st.sampled_from(["d2", "d3"])),
    st.builds(StepOutcome, st.integers(0, 1), st.integers(0, 1)),
    st.builds(SetScore, st.integers(-1, 6)),
)
SPENDS = st.lists(
    st.builds(
        Spend,
        st.just(""),
        EFFECTS,
        st.sampled_from(["focus", "luck"]),
        cost=st.sampled_from([1, 1, 1, 2, 0]),
        limit=st.integers(0, 2),
        when=st.sampled_from([(), (), ("a",), ("a", "b", "c")]),
        partly=st.booleans(),
    ),
    min_size=1,
    max_size=2,
).map(
    lambda spends: tuple(
        Spend(f"spend {n}", s.effect, s.token, s.cost, s.limit, s.when, s.partly) for n, s in enumerate(spends)
    )
)
PURSES = st.fixed_dictionaries({"focus": st.integers(0, 2), "luck": st.integers(0, 1)})


def _takes_long(plan: RollPlan, spends: Sequence[Spend]) -> bool:
    """Whether several dice that explode may be thrown again: there are thousands of ways, each to be tried."""
    explodes = plan.rules.explosion and len(tables(plan.pool, plan.rules)) > _FEW
    return bool(explodes) and any(isinstance(spend.effect, Reroll) for spend in spends)


@settings(max_examples=5 if IS_AT_A_DESK else 60, deadline=None)
@given(st.builds(RollPlan, POOLS | LABELLED, READINGS, BANDS | BANDS_OF_SOME, RULES, TWICE), SPENDS, PURSES)
@example(  # A step before a die that is added counts for nothing: the dice are read anew.
    planned("1d6", HIGHEST, POOL_BANDS),
    (Spend("push", _added(), "luck", limit=1), Spend("brace", StepOutcome(), "focus", when=(POOL_BANDS[0].outcome,))),
    {"focus": 1, "luck": 1},
)
@example(  # Dice that are thrown again explode again.
    planned("1d2", COUNT, POOL_BANDS, ThrowRules((1,), ExplodeRule())),
    (Spend("again", Reroll(Picked.ALL, once=False), "focus", limit=2, partly=True),),
    {"focus": 2},
)
@example(  # Nor does that change if some of them neither explode nor are rerolled.
    planned("1d3", COUNT, POOL_BANDS, ThrowRules((1,), ExplodeRule())),
    (Spend("again", Reroll(Picked.ALL, once=False), "focus", limit=1, partly=True),),
    {"focus": 1},
)
def test_the_best_way_is_the_best_of_all_ways(plan: RollPlan, spends: tuple[Spend, ...], purse: dict[str, int]) -> None:
    """Whatever the dice, the reading and the spends, trying everything on every table gives the same odds."""
    if IS_AT_A_DESK and _takes_long(plan, spends):
        return
    try:
        (found,) = best_odds(plan, spends, [tuple(purse.items())])
    except TooMany:
        return
    assert found == Trying(plan, spends, purse).odds()
    assert sum(found.values()) == 1


@given(
    st.builds(RollPlan, POOLS | LABELLED, READINGS, BANDS | BANDS_OF_SOME, RULES),
    SPENDS,
    PURSES,
    st.randoms(use_true_random=False),
)
def test_the_advice_on_the_table_is_a_best_spend(
    plan: RollPlan, spends: tuple[Spend, ...], purse: dict[str, int], random: Random
) -> None:
    """It is legal, it leads to the best odds, and there is none where keeping the dice is as good."""
    roll = FileRoll(dice=random.choice(sorted(tables(plan.pool, plan.rules), key=str)))
    trying = Trying(plan, spends, purse)
    try:
        advice = best_spend(plan, spends, roll, purse)
    except TooMany:
        return
    best, ways = trying.best(in_order(roll)), list(trying.ways(roll))
    if advice is None:
        assert merit(plan, best) == merit(plan, trying.kept(roll))
    else:
        assert tuple(advice.odds.values()) == best
        assert merit(plan, best) > merit(plan, trying.kept(roll))
    weighed = weigh_spends(plan, spends, roll, purse)
    for one in weighed:
        for place in one.places or (None,):
            assert (one.spend, place, tuple(one.odds.values())) in ways
        assert one.helps is (merit(plan, tuple(one.odds.values())) > merit(plan, trying.kept(roll)))
    assert {(spend, chances) for spend, _, chances in ways} == {
        (one.spend, tuple(one.odds.values())) for one in weighed
    }


def close(name: str, roll: RollPlan, *spends: Spend, tokens: int = 1) -> Any:
    """A roll where something that looks alike is not."""
    return pytest.param(roll, spends, tokens, id=name)


AGAIN = Spend("again", Reroll(once=False), "focus")


@pytest.mark.parametrize(
    ("roll", "spends", "tokens"),
    [
        close("doubles", planned("2d4", HIGHEST, (band(BAD), band(BEST, doubles=True))), FORCE),
        close("all equal", planned("3d3", HIGHEST, (band(BAD), band(BEST, all_equal=True))), FORCE),
        close("ones", planned("2d4", HIGHEST, (band(PARTLY), band(GOOD, 3), band(BAD, ones=2))), FORCE),
        close("the other side", planned("2d4 / 1d4", HIGHEST, (band(BAD), band(PARTLY, 0), band(GOOD, 1))), FORCE),
        close("a raise in reach", planned("2d6", HIGHEST, POOL_BANDS), RAISE, tokens=2),
        close("matching faces in a band", planned("3d4", HIGHEST, (band(BAD), band(GOOD, 2, matches=2))), FORCE),
        close(
            "matching faces above any die",
            planned("2d3", HIGHEST, (band(BAD), band(BEST, 4, matches=2)), ThrowRules((), ExplodeRule(adds=True))),
            FORCE,
        ),
        close(
            "a lower die that may be raised further",
            planned("1d3 1d6", HIGHEST, (band(BAD), band(GOOD, 4), band(BEST, 6))),
            RAISE,
            tokens=3,
        ),
        close(
            "a lower die that stops at the right face",
            planned("2d6", HIGHEST, (band(BAD), band(GOOD, 5), band(PARTLY, 6))),
            Spend("raise", RaiseDie(2), "focus"),
        ),
        close(
            "a dropped die that may count later",
            planned("3d4", SUM, MOVE_BANDS, keep=Keep(1, drops=True)),
            Spend("push", _added(1, "d4"), "focus"),
        ),
        close(
            "a die that stays final",
            planned("1d4", SUM, (band(BAD), band(GOOD, 4))),
            FORCE,
            Spend("all", Reroll(Picked.ALL, once=False), "focus", limit=1),
            tokens=3,
        ),
        close(
            "what the dice show",
            planned("2d4", SUM, (band(BAD), band(GOOD, 6), band(BEST, face_low=7))),
            Spend("luck", RaiseTotal(), "focus"),
            tokens=2,
        ),
        close(
            "dice of a kind that are looked at alone, below the best",
            planned("1d4 1d4-gear", HIGHEST, (band(PARTLY), band(GOOD, 4), band(BAD, ones=1, of="gear"))),
            Spend("push", _added(1, "d4"), "focus"),
        ),
        close(
            "alike dice of a kind that are looked at alone",
            planned("1d4 2d4-gear", HIGHEST, (band(BAD), band(GOOD, 4, matches=2, of="gear"))),
            FORCE,
        ),
        close(
            "a face that counts twice",
            planned("2d4", COUNT, (band(BAD), band(GOOD, 1), band(BEST, 3)), target=3, worth=((4, 2), (1, -1))),
            FORCE,
        ),
        close("what is free", planned("1d6", SUM, MOVE_BANDS, plus=2), Spend("free", RaiseTotal(), cost=0), RAISE),
        close(
            "what the other side has, where the lowest die is rerolled",
            planned("2d4 / 1d4", SUM, (band(BAD), band(GOOD, 1)), keep=Keep(1)),
            Spend("lowest", Reroll(Picked.LOWEST), "focus", limit=1),
        ),
        close(
            "doubles, where the result can be raised and the die rerolled",
            planned("1d66", SUM, (band(BAD), band(GOOD, 40), band(BEST, 50, doubles=True))),
            Spend("luck", RaiseTotal(5), "focus", limit=1, when=("fiasco",)),
            AGAIN,
            tokens=2,
        ),
        close(
            "which of two spends may reroll the die",
            planned("1d6", SUM, (band(BAD), band(GOOD, 5))),
            Spend("dear", Reroll(high=2, once=False), "focus", cost=2),
            Spend("cheap", Reroll(low=3, once=False), "focus"),
            tokens=2,
        ),
        close(
            "how far a result can be raised and lowered",
            planned("1d6", SUM, (band(BAD), Band("exactly", "", BEST, 4, 4))),
            Spend("up", RaiseTotal(2), "focus", limit=1),
            Spend("down", RaiseTotal(-1), "focus", limit=2),
            tokens=3,
        ),
        close(
            "two outcomes of one grade",
            planned("1d4", SUM, (Band("a", "", BAD), Band("b", "", BAD, 2), Band("c", "", PARTLY, 3))),
            Spend("step", StepOutcome(), "focus"),
            AGAIN,
        ),
        close(
            "rerolled dice and others, of which the lowest is next",
            planned("2d4", HIGHEST, (band(BAD), band(GOOD, 4))),
            Spend("low", Reroll(high=2), "focus", limit=2),
            Spend("lowest", Reroll(Picked.LOWEST, once=False), "focus", limit=1),
            tokens=3,
        ),
    ],
)
def test_what_makes_a_difference_is_never_merged(roll: RollPlan, spends: tuple[Spend, ...], tokens: int) -> None:
    """Each of these would come out wrong if odds looked at fewer tables than they do."""
    (found,) = best_odds(roll, spends, [(("focus", tokens),)])
    assert found == Trying(roll, spends, {"focus": tokens}).odds()


def purses(most: int, token: str = "focus") -> list[tuple[tuple[str, int], ...]]:
    """From no token to so many."""
    return [((token, count),) for count in range(most + 1)]


@pytest.mark.parametrize(
    ("roll", "spends"),
    [
        (planned("4d6", HIGHEST, POOL_BANDS), (RAISE,)),
        (planned("4d6", HIGHEST, POOL_BANDS), (FORCE,)),
        (planned("2d6", SUM, MOVE_BANDS, plus=1), (Spend("luck", RaiseTotal(), "focus"),)),
        (planned("2d6", SUM, MOVE_BANDS), (Spend("again", Reroll(Picked.ALL, once=False), "focus", limit=1), Spend("step", StepOutcome(), "focus", 2))),
        (planned("3d6", COUNT, POOL_BANDS, target=5), (Spend("push", _added(), "focus"),)),
        (planned("1d100", ReadingKind.UNDER, MOVE_BANDS, target=50), (Spend("luck", RaiseTotal(), "focus"),)),
    ],
)  # fmt: skip
def test_one_token_more_never_makes_the_best_way_worse(roll: RollPlan, spends: tuple[Spend, ...]) -> None:
    """One token more never makes the best way worse; without tokens, the odds are those of the dice alone."""
    found = best_odds(roll, spends, purses(3))
    assert found[0] == exact_odds(roll)
    merits = [merit(roll, tuple(odds.values())) for odds in found]
    assert merits == sorted(merits)
    assert merits[0] < merits[-1]


def test_what_would_take_too_long_says_so_every_time() -> None:
    """The odds without spends are exact all the same."""
    roll = planned("10d10", SUM, MOVE_BANDS)
    for _ in range(2):
        with pytest.raises(TooMany):
            best_odds(roll, (FORCE,), purses(3))
    assert sum(exact_odds(roll).values()) == 1
    with pytest.raises(TooMany):
        best_odds(planned("1d100", SUM, MOVE_BANDS), (Spend("luck", RaiseTotal(), "focus"),), purses(101))
    with pytest.raises(TooMany):
        best_odds(
            planned("6d6", HIGHEST, POOL_BANDS, ThrowRules(explosion=ExplodeRule(times=5))),
            (Spend("all", Reroll(Picked.ALL, once=False), "focus"),),
            purses(9),
        )


def test_what_purses_take_at_the_least_is_known_before_a_table_is_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four d12 that can be raised, with three purses, are refused before the first of their tables is looked at."""

    def weigh(play: object, now: object) -> None:
        raise AssertionError(play, now)

    monkeypatch.setattr("waylog.rules.file_game.odds.odds_with_spends._Play._worth", weigh)
    with pytest.raises(TooMany):
        best_odds(
            planned("4d12", ReadingKind.MATCH, MOVE_BANDS), (RAISE, Spend("step", StepOutcome(), "focus")), purses(3)
        )


def test_a_spend_has_its_price_its_limit_and_its_occasion() -> None:
    """What costs nothing is possible once."""
    roll, table = planned("2d6", HIGHEST, POOL_BANDS), FileRoll(dice=(TableDie("d6", 3), TableDie("d6", 6)))
    assert not can_spend(roll, table, Spend("dear", RaiseDie(), "focus", 2), {"focus": 1})
    assert can_spend(roll, table, Spend("dear", RaiseDie(), "focus", 2), {"focus": 2})
    free = Spend("free", _added(), cost=0)
    assert can_spend(roll, table, free, {})
    assert not can_spend(roll, replace(table, used=("free",)), free, {})
    assert not can_spend(roll, table, Spend("late", RaiseDie(), when=("fiasco",), cost=0), {})
    assert not can_spend(roll, table, Spend("low", Reroll(high=2), cost=0), {})
    assert places_for(table, RaiseDie()) == (0,)


def test_dice_rerolled_and_added_follow_the_rules_of_the_roll() -> None:
    """An added die that shows its highest face explodes, and what comes of a reroll is final."""
    roll = planned("1d6", COUNT, POOL_BANDS, ThrowRules((1,), ExplodeRule()), target=5)
    added = spend_on(roll, FileRoll(), Spend("push", _added()), None, TypedDice([1, 6, 2]).roll)
    assert [(die.face, die.label, die.final) for die in added.dice] == [(6, "Push", False), (2, "Push", False)]
    again = spend_on(roll, added, Spend("again", Reroll(), "luck"), 1, TypedDice([6, 3]).roll)
    assert [(die.face, die.final) for die in again.dice] == [(6, False), (6, True), (3, True)]
    assert again.used == ("push", "again")
