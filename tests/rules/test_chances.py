"""Chances against brute force: every throw, every way to spend Focus, and icepool where throws are too many to list."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import accumulate, combinations_with_replacement, product

import icepool
import pytest

from tests.kit.thorough import IS_AT_A_DESK
from waylog.rules.model.odds import Ratio
from waylog.rules.systems.veil_core.odds import reroll_odds
from waylog.rules.systems.veil_core.probabilities import (
    best_raises,
    best_rerolls,
    lowest_of_two,
    odds_with_raises,
    odds_with_rerolls,
    read,
)

D6 = range(1, 7)
DICE, TOKENS = range(1, 9), range(4)
DICE_AT_A_DESK = range(1, 7)
"""With more of them, to try all takes half as long again."""

Tally = tuple[Ratio, Ratio, Ratio, Ratio]
Faces = tuple[int, ...]
Counts = tuple[int, ...]
"""How many of 6 to the power of the tokens left end in each outcome, worst first."""


def outcome(faces: Faces, lowest: bool) -> int:
    """The outcome as the rules put it, in no hurry."""
    if lowest:
        return {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 2}[min(faces)]
    if faces.count(6) >= 2:
        return 3
    if 6 in faces:
        return 2
    return 1 if 4 in faces or 5 in faces else 0


@cache
def throws(dice: int) -> dict[Faces, int]:
    """Every throw with its dice in order of size, and how often it comes up."""
    if dice > 6:
        return {tuple(faces): count for faces, count in icepool.d6.pool(dice).expand().items()}
    return Counter(tuple(sorted(faces)) for faces in product(D6, repeat=dice))


def without(faces: Faces, face: int) -> Faces:
    """The dice less one that shows `face`."""
    place = faces.index(face)
    return faces[:place] + faces[place + 1 :]


def ordered(faces: Sequence[int]) -> Faces:
    """The dice in order of size, in which equal tables are one."""
    return tuple(sorted(faces))


@cache
def best_by_raising(faces: Faces, tokens: int, lowest: bool) -> int:
    """The best outcome of any way to raise these dice, by trying them all."""
    options = [outcome(faces, lowest)]
    if tokens:
        options += [
            best_by_raising(ordered((*without(faces, face), face + 1)), tokens - 1, lowest)
            for face in set(faces)
            if face < 6
        ]
    return max(options)


def merit(counts: Counts) -> tuple[int, int, int]:
    """What is better, in the order in which it matters: fewest Fiascos, most Successes or better, most Criticals."""
    fiasco, _, success, critical = counts
    return -fiasco, success + critical, critical


@cache
def stopped(faces: Faces, tokens: int) -> Counts:
    """The outcome of the dice as they lie, however the tokens left would have fallen."""
    return tuple(6**tokens if each == outcome(faces, lowest=False) else 0 for each in range(4))


@cache
def after_rerolling(face: int, fresh: Faces, final: Faces, tokens: int) -> Counts:
    """What comes of rolling a die that shows `face` again now, and going on in the best way."""
    rest = without(fresh, face)
    results = [best_by_rerolling(rest, ordered((*final, new)), tokens - 1) for new in D6]
    return tuple(map(sum, zip(*results, strict=True)))


@cache
def best_by_rerolling(fresh: Faces, final: Faces, tokens: int) -> Counts:
    """The best that can come of stopping or of any way to go on, over every result of every die."""
    options = [stopped(fresh + final, tokens)]
    if tokens:
        options += [after_rerolling(face, fresh, final, tokens) for face in set(fresh)]
    return max(options, key=merit)


def first_rerolls(fresh: Faces, final: Faces, tokens: int) -> list[int]:
    """The faces that it is best to roll again now, lowest first; none where stopping is as good."""
    best = best_by_rerolling(fresh, final, tokens)
    if best == stopped(fresh + final, tokens):
        return []
    return [face for face in sorted(set(fresh)) if after_rerolling(face, fresh, final, tokens) == best]


@cache
def longest(fresh: Faces, final: Faces, tokens: int) -> int:
    """The most tokens that taking the lowest of the best dice each time can come to."""
    firsts = first_rerolls(fresh, final, tokens)
    if not firsts:
        return 0
    rest = without(fresh, firsts[0])
    return 1 + max(longest(rest, ordered((*final, new)), tokens - 1) for new in D6)


def tally(of: int, *counts: int) -> Tally:
    """Counts of each outcome as chances."""
    fiasco, drawback, success, critical = (Ratio(count, of) for count in counts)
    return fiasco, drawback, success, critical


def total(dice: int, played: Callable[[Faces], Counts]) -> Tally:
    """The tally over all throws of `dice` dice, each played out into counts of the same sum."""
    sums = [0, 0, 0, 0]
    for faces, often in throws(dice).items():
        for each, count in enumerate(played(faces)):
            sums[each] += often * count
    return tally(sum(sums), *sums)


def tables() -> Iterator[tuple[Faces, int]]:
    """Small tables, the dice in an order that is not their size's, with 0 to 4 tokens."""
    for dice, tokens in product(range(1, 5), range(5)):
        for faces in product(D6, repeat=dice):
            yield faces, tokens


@pytest.mark.clause("VK-14")
def test_the_highest_die_is_read() -> None:
    """Every throw of one to five dice reads as VK-14 says, in whatever order it lies."""
    for dice in range(1, 6):
        for faces in product(D6, repeat=dice):
            assert read(faces) == outcome(faces, lowest=False)


@pytest.mark.clause("VN-02")
def test_the_lowest_of_two_is_read_and_is_never_critical() -> None:
    """The lower of two dice decides, and two 6s are no more than a Success."""
    for faces in product(D6, repeat=2):
        assert read(faces, lowest=True) == outcome(faces, lowest=True) < 3


@pytest.mark.clause("VK-14")
def test_chances_a_person_can_check_by_hand() -> None:
    """One die: half, a third, a sixth. Two dice: a quarter is a Fiasco, and 1 in 36 a Critical."""
    assert odds_with_raises(1) == odds_with_rerolls(1) == tally(6, 3, 2, 1, 0)
    assert odds_with_raises(2) == odds_with_rerolls(2) == tally(36, 9, 16, 10, 1)
    assert lowest_of_two() == tally(36, 27, 8, 1, 0)


@pytest.mark.clause("VK-13", "VK-14", "VK-21")
@pytest.mark.parametrize("tokens", TOKENS)
@pytest.mark.parametrize("dice", DICE)
def test_chances_with_dice_raised(dice: int, tokens: int) -> None:
    """The best of all ways to raise, over every throw, has exactly the chances that are shown."""

    def played(faces: Faces) -> Counts:
        best = best_by_raising(faces, tokens, lowest=False)
        return tuple(int(each == best) for each in range(4))

    assert odds_with_raises(dice, tokens) == total(dice, played)


@pytest.mark.clause("VK-63", "VK-21")
@pytest.mark.parametrize("tokens", TOKENS)
@pytest.mark.parametrize("dice", DICE_AT_A_DESK if IS_AT_A_DESK else DICE)
def test_chances_with_dice_rolled_again(dice: int, tokens: int) -> None:
    """The best of all ways to reroll, seeing each result, has exactly the chances that are shown."""
    assert odds_with_rerolls(dice, tokens) == total(dice, lambda faces: best_by_rerolling(faces, (), tokens))


@pytest.mark.clause("VK-63")
@pytest.mark.parametrize("tokens", [4, 5, 6])
@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_chances_with_more_tokens_than_dice(dice: int, tokens: int) -> None:
    """Doubled mission prep may bring six tokens; they roll a die again once each, as shown."""
    assert odds_with_rerolls(dice, tokens) == total(dice, lambda faces: best_by_rerolling(faces, (), tokens))


@pytest.mark.clause("VN-02", "VK-13", "VK-21")
@pytest.mark.parametrize("tokens", range(7))
def test_chances_of_the_lowest_of_two_raised(tokens: int) -> None:
    """The best of all ways to raise two dice of which the lowest counts has the chances that are shown."""

    def played(faces: Faces) -> Counts:
        best = best_by_raising(faces, tokens, lowest=True)
        return tuple(int(each == best) for each in range(4))

    assert lowest_of_two(tokens) == total(2, played)


@pytest.mark.clause("VK-21")
@pytest.mark.parametrize(
    "chances",
    [
        *(partial(kind, dice) for kind in (odds_with_raises, odds_with_rerolls) for dice in range(1, 13)),
        lowest_of_two,
    ],
)
def test_a_token_more_never_hurts(chances: Callable[[int], Tally]) -> None:
    """Chances add up to 1, none is below 0, and with a token more no chance to do at least so well falls."""
    before: tuple[Ratio, ...] = (Ratio(1),) * 4
    for tokens in range(7):
        shown = chances(tokens)
        assert sum(shown) == 1
        assert min(shown) >= 0
        at_worst = tuple(accumulate(shown))
        assert all(now <= then for now, then in zip(at_worst, before, strict=True))
        before = at_worst


@pytest.mark.clause("VK-13", "VK-19", "VK-63")
@pytest.mark.parametrize(("dice", "tokens"), [(0, 0), (-1, 2), (3, -1)])
def test_no_chances_without_dice(dice: int, tokens: int) -> None:
    """A roll without dice, or with fewer tokens than none, has no chances to show and says so."""
    for chances in (odds_with_raises, odds_with_rerolls):
        with pytest.raises(ValueError, match=f"{dice} dice and {tokens} tokens"):
            chances(dice, tokens)


@pytest.mark.clause("VN-02")
def test_no_chances_of_the_lowest_of_two_with_less_focus_than_none() -> None:
    """There are always two dice, and never fewer tokens than none."""
    with pytest.raises(ValueError, match="2 dice and -1 tokens"):
        lowest_of_two(-1)


@cache
def cheapest(faces: Faces, lowest: bool) -> dict[int, int]:
    """The fewest tokens for each outcome that dice can be raised to, by trying every way."""
    costs: dict[int, int] = {}
    for after in product(*(range(face, 7) for face in faces)):
        reached, cost = outcome(after, lowest), sum(after) - sum(faces)
        costs[reached] = min(cost, costs.get(reached, cost))
    return costs


@pytest.mark.clause("VK-13", "VK-21")
@pytest.mark.parametrize("lowest", [False, True])
def test_the_cheapest_raise_to_each_better_outcome(lowest: bool) -> None:
    """Each better outcome within reach is offered, no other is, and no way costs fewer tokens than the one offered."""
    for faces, tokens in tables():
        now = outcome(faces, lowest)
        costs = cheapest(faces, lowest)
        within_reach = {reached: cost for reached, cost in costs.items() if reached > now and cost <= tokens}
        offers = best_raises(faces, tokens, lowest)
        assert [(offer.outcome, len(offer.steps)) for offer in offers] == sorted(within_reach.items())


@pytest.mark.clause("VK-13", "VK-21")
@pytest.mark.parametrize("lowest", [False, True])
def test_a_raise_can_be_said_face_by_face(lowest: bool) -> None:
    """Naming the steps one after another, each a face that lies there, leads to the dice and the outcome promised."""
    for faces, tokens in tables():
        for offer in best_raises(faces, tokens, lowest):
            dice = list(faces)
            for step in offer.steps:
                dice[dice.index(step)] += 1
            assert tuple(dice) == offer.faces
            assert max(dice) <= 6
            assert outcome(offer.faces, lowest) == offer.outcome


@pytest.mark.clause("VK-21")
def test_raises_in_words_of_the_table() -> None:
    """A 4, a 2 and a 5: one token for a Success, three for a Critical."""
    success, critical = best_raises((4, 2, 5), 3)
    assert (success.steps, success.outcome, success.faces) == ((5,), 2, (4, 2, 6))
    assert (critical.steps, critical.outcome, critical.faces) == ((5, 4, 5), 3, (6, 2, 6))


@pytest.mark.clause("VK-63", "VK-21")
@pytest.mark.parametrize("tokens", range(5))
def test_the_die_to_roll_again(tokens: int) -> None:
    """On every small table: the lowest of the best dice to take, its exact chances, and the most tokens it may take.

    Some dice may have been rolled again already, and are not taken twice. Where stopping is as good, none is taken.
    """
    for many, done in product(range(4 if IS_AT_A_DESK else 5), range(3)):
        fresh_tables = combinations_with_replacement(D6, many)
        for fresh, final in product(fresh_tables, combinations_with_replacement(D6, done)):
            if not fresh + final:
                continue
            advice = best_rerolls(fresh[::-1], tokens, final=final[::-1])
            firsts = first_rerolls(fresh, final, tokens)
            if advice is None:
                assert not firsts
                continue
            best = best_by_rerolling(fresh, final, tokens)
            assert advice.face == firsts[0]
            assert advice.tokens == longest(fresh, final, tokens)
            assert advice.tally == tally(6**tokens, *best)


@pytest.mark.clause("VK-63")
def test_a_drawback_in_hand_is_not_staked() -> None:
    """The die that alone keeps a Fiasco away stays, and may go once another one holds it off."""
    assert best_rerolls((4,), 3) is None
    assert best_rerolls((5,), 3, final=(2,)) is None
    safe = best_rerolls((5,), 3, final=(4,))
    assert safe is not None
    assert (safe.face, safe.tokens) == (5, 1)
    assert safe.tally == tally(6, 0, 5, 1, 0)


@pytest.mark.clause("VK-14")
def test_chances_of_a_reroll_beside_dice_that_stay() -> None:
    """Any one or two dice that stay, and none, beside zero to three that are thrown again, over every throw."""
    for count in range(3):
        for kept in combinations_with_replacement(D6, count):
            for dice in range(0 if kept else 1, 4):
                found = Counter(read((*kept, *faces)) for faces in product(D6, repeat=dice))
                assert reroll_odds(kept, dice) == tuple(Ratio(found[grade], 6**dice) for grade in range(4))
