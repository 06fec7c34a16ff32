"""What fair dice come to: equal to enumeration, and their chances are uniform over many campaigns."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.thorough import IS_AT_A_DESK, examples
from waylog.store.shown.luck_and_fairness import Tails, binomial_tails, correct_for_many, count_faces, sum_tails

_CLOSE = 1e-12


@given(st.lists(st.integers(1, 8), min_size=1, max_size=5), st.data())
def test_a_sum_of_unlike_dice_is_as_likely_as_enumeration_says(dice: list[int], data: st.DataObject) -> None:
    """Less, the same and more are each the share of all ways that the dice can fall."""
    sums = Counter(sum(faces) for faces in product(*(range(1, sides + 1) for sides in dice)))
    came = data.draw(st.sampled_from(sorted(sums)))
    tails = sum_tails(Counter(dice), came)
    ways = sums.total()
    assert tails.less == pytest.approx(sum(n for total, n in sums.items() if total < came) / ways, abs=_CLOSE)
    assert tails.same == pytest.approx(sums[came] / ways, abs=_CLOSE)
    assert tails.more == pytest.approx(sum(n for total, n in sums.items() if total > came) / ways, abs=_CLOSE)


@given(st.integers(1, 7), st.integers(2, 4), st.data())
def test_a_face_comes_as_often_as_enumeration_says(count: int, sides: int, data: st.DataObject) -> None:
    """Of all ways that the dice can fall, so many have the face less, as and more often."""
    often = Counter(faces.count(1) for faces in product(range(1, sides + 1), repeat=count))
    came = data.draw(st.integers(0, count))
    tails = binomial_tails(came, count, 1 / sides)
    assert tails.less == pytest.approx(sum(often[n] for n in range(came)) / sides**count, abs=_CLOSE)
    assert tails.same == pytest.approx(often[came] / sides**count, abs=_CLOSE)
    assert tails.more == pytest.approx(sum(often[n] for n in range(came + 1, count + 1)) / sides**count, abs=_CLOSE)


def test_long_sums_are_as_exact_as_short_ones() -> None:
    """Of thousands of dice, the chances of a sum and of all others still make one, and both ends of the middle are equal."""
    middle = sum_tails({6: 1000, 8: 200}, 4_400)
    assert middle.less + middle.same + middle.more == pytest.approx(1, abs=_CLOSE)
    assert middle.less == pytest.approx(middle.more, abs=_CLOSE)
    assert sum_tails({20: 300}, 300).as_low < _CLOSE < 1 - _CLOSE < sum_tails({20: 300}, 300).as_high
    with pytest.raises(ValueError, match="these dice can't total"):
        sum_tails({6: 2}, 13)


def _distance_from_uniform(values: list[float]) -> float:
    """The statistic of Kolmogorov and Smirnov."""
    at, count = sorted(values), len(values)
    return max(max((n + 1) / count - value, value - n / count) for n, value in enumerate(at))


def test_chances_are_uniform_over_simulated_campaigns() -> None:
    """Of fair dice, sums and faces of every size of campaign have chances that are uniform once ties are drawn by chance."""
    sums, faces = simulate(200 if IS_AT_A_DESK else 10_000, Random(24))
    for values in (sums, faces):
        assert _distance_from_uniform(values) < 1.95 / sqrt(len(values))  # One test in a thousand is farther out.


def simulate(campaigns: int, chance: Random) -> tuple[list[float], list[float]]:
    """The chances of the sum, and of one face, of so many campaigns with fair dice."""
    sums, faces = list[float](), list[float]()
    for _ in range(campaigns):
        kinds = Counter(chance.choices((4, 6, 8, 20), (1, 6, 2, 1), k=chance.randint(30, 120)))
        dice = [(sides, chance.randint(1, sides)) for sides, count in kinds.items() for _ in range(count)]
        sums.append(drawn_chance(sum_tails(kinds, sum(face for _, face in dice)), chance))
        faces.append(drawn_chance(chance.choice(count_faces(dice)).tails, chance))
    return sums, faces


def drawn_chance(tails: Tails, chance: Random) -> float:
    """The chance of being as far out at either end, with a share of the chance of what came that is drawn: uniform for fair dice."""
    low = tails.less + chance.random() * tails.same
    return 2 * min(low, 1 - low)


def test_fair_dice_are_seldom_called_unusual() -> None:
    """After the correction, something is below 5 % in about one campaign of twenty at most, however many faces there are."""
    chance, unusual, campaigns = Random(5), 0, examples(300)
    for _ in range(campaigns):
        counts = count_faces((20, chance.randint(1, 20)) for _ in range(300))
        unusual += min(correct_for_many([each.tails.as_far for each in counts])) < 0.05
    assert unusual / campaigns < 0.05 + 3 * sqrt(0.05 * 0.95 / campaigns)


def test_a_loaded_die_is_found() -> None:
    """A six that comes twice as often as it should is below 5 % after 300 dice."""
    chance = Random(6)
    counts = count_faces((6, chance.choice((1, 2, 3, 4, 5, 6, 6))) for _ in range(600))
    corrected = correct_for_many([each.tails.as_far for each in counts])
    assert min(zip(corrected, (each.face for each in counts), strict=True))[1] == 6
    assert min(corrected) < 0.05


def test_corrected_chances_are_those_of_holm() -> None:
    """The smallest counts as often as there are tests, the next one test less; none is smaller than one before it, none above 1."""
    assert correct_for_many([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert correct_for_many([0.6, 0.7]) == [1.0, 1.0]
    assert correct_for_many([]) == []
