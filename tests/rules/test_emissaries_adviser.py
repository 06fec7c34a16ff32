"""The adviser against brute force: no better see, and no raise that it has not looked at (EG-23)."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from waylog.rules.systems.emissaries.advice import DiceSplit, RaiseOption, Sees, Stop, raises, sees

POOLS = 10_000
MOST = 9

Key = tuple[int, int, tuple[int, ...]]
"""The smaller, the better: what is put forward, in how many dice, and what it leaves."""


def left(pool: Sequence[int], taken: Sequence[int]) -> tuple[int, ...]:
    """What is left, highest first."""
    dice = list(pool)
    for face in taken:
        dice.remove(face)
    return tuple(sorted(dice, reverse=True))


def key(pool: Sequence[int], taken: Sequence[int]) -> Key:
    """How good it is to put these forward."""
    return sum(taken), len(taken), tuple(-face for face in left(pool, taken))


def ways(pool: Sequence[int], raised: int) -> dict[int, Key]:
    """The best way to see with each number of dice, of all there are."""
    found: dict[int, Key] = {}
    for count in range(1, len(pool) + 1):
        reach = [taken for taken in set(combinations(sorted(pool), count)) if sum(taken) >= raised]
        if reach:
            found[count] = min(key(pool, taken) for taken in reach)
    return found


def of(pool: Sequence[int], way: DiceSplit | None) -> Key | None:
    """How good a way is; it uses dice that lie there, and says rightly what it leaves."""
    if way is None:
        return None
    assert way.left == left(pool, way.dice)
    assert way.total == sum(way.dice)
    return key(pool, way.dice)


def some_pool(chance: random.Random, most: int) -> list[int]:
    """Dice of mixed sizes as they fell."""
    return [chance.randint(1, chance.choice((4, 6, 8, 10))) for _ in range(chance.randint(0, most))]


@pytest.mark.clause("EG-23")
def test_no_better_see_exists() -> None:
    """On ten thousand pools of up to nine dice, each way it names is the best of its sort, and none is missed."""
    chance = random.Random(2310)
    for _ in range(POOLS):
        pool, raised = some_pool(chance, MOST), chance.randint(2, 20)
        best, found = ways(pool, raised), sees(pool, raised)
        blows = [best[count] for count in best if count > 2]
        assert of(pool, found.reverse) == best.get(1)
        assert of(pool, found.block) == best.get(2)
        assert of(pool, found.blow) == min(blows, default=None)
        assert of(pool, found.fewest) == (best[min(best)] if best else None)


def stops(pair: Sequence[int], others: Sequence[Sequence[int]]) -> Stop:
    """What a raise stops everybody from doing, tried out with every few dice of theirs."""
    reached = [ways(other, sum(pair)) for other in others]
    if not any(reached):
        return Stop.SEE
    if not any(1 in way or 2 in way for way in reached):
        return Stop.BLOCK
    return Stop.NOTHING if any(1 in way for way in reached) else Stop.REVERSE


@pytest.mark.clause("EG-16", "EG-23")
def test_every_raise_is_there_with_what_it_stops() -> None:
    """On two thousand tables, with one or two across and with dice kept from a reverse: each pair once, best first."""
    chance = random.Random(1623)
    for _ in range(POOLS // 5):
        pool, kept = some_pool(chance, MOST), some_pool(chance, 1) if chance.random() < 0.3 else []
        others = [some_pool(chance, 7) for _ in range(chance.choice((1, 1, 2)))]
        pairs = {(max(one, two), min(one, two)) for one, two in combinations((*kept, *pool), 2)}
        if kept:
            pairs = {(max(kept[0], mate), min(kept[0], mate)) for mate in pool}
        offers = raises(pool, others, kept)
        assert sorted(offer.split.dice for offer in offers) == sorted(pairs)
        for offer in offers:
            assert offer.stops is stops(offer.split.dice, others)
            assert offer.split.left == left((*pool, *kept), offer.split.dice)
        ranks = [(-offer.stops, offer.split.total, [-face for face in offer.split.left]) for offer in offers]
        assert ranks == sorted(ranks)


@pytest.mark.clause("EG-23")
def test_what_the_worked_example_would_be_told() -> None:
    """Against 11 the emissary's 7 and 4 block; later her two best are 6 and 5, so a raise of 7 and 4 could be blocked."""
    assert sees((1, 2, 2, 4, 7), 11).fewest == DiceSplit((7, 4), (2, 2, 1))
    assert sees((1, 1, 4, 5, 6), 7 + 4).block == DiceSplit((6, 5), (4, 1, 1))
    assert sees((1, 1, 4, 5, 6), 12) == Sees(None, None, DiceSplit((6, 5, 1), (4, 1)), DiceSplit((6, 5, 1), (4, 1)))
    assert sees((1,), 7) == Sees()


@pytest.mark.clause("EG-16")
def test_dice_kept_from_two_reverses_are_both_put_forward() -> None:
    """Who has kept two raises with these two; of three, with any two."""
    assert raises((6, 6), ((),), (5, 4)) == (RaiseOption(DiceSplit((5, 4), (6, 6)), Stop.SEE),)
    assert [offer.split.dice for offer in raises((6,), ((6, 6),), (5, 4, 4))] == [(4, 4), (5, 4)]


@pytest.mark.clause("EG-23")
def test_twenty_dice_against_twenty() -> None:
    """A large table is looked at whole: what it names can't be bettered by a die more or a die less."""
    chance = random.Random(20)
    for _ in range(50):
        pool = [chance.randint(1, chance.choice((4, 6, 8, 10))) for _ in range(20)]
        raised = chance.randint(2, 20)
        found = sees(pool, raised)
        assert found.blow is not None
        three = min(key(pool, taken) for taken in set(combinations(sorted(pool), 3)) if sum(taken) >= raised)
        assert key(pool, found.blow.dice) <= three
        assert found.blow.total == max(raised, sum(sorted(pool)[:3]))
