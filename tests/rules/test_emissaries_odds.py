"""What dice come to before they are rolled, against every throw and against icepool; and what raises and sees will be."""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

import icepool
import pytest

from tests.rules.emissaries_table import after, odds, refused, two
from waylog.rules.systems.emissaries.odds import best_two, total

EGG = ("conflict Egg", "enter mara argue 1 2 2 3 4 4", "enter thoss argue 1 1 3 4 5 6 6", "begin mara")


def counted(dice: Sequence[int], there: Sequence[int], best: int) -> dict[int, Fraction]:
    """The chances of the sum of the `best` highest, each throw listed."""
    sums = Counter(sum(sorted((*faces, *there))[-best:]) for faces in product(*(range(1, sides + 1) for sides in dice)))
    return {value: Fraction(count, prod(dice)) for value, count in sums.items()}


@pytest.mark.clause("EG-12", "EG-13")
def test_sums_of_mixed_dice_against_every_throw() -> None:
    """The two best and all together, with and without dice that lie there already: fraction for fraction."""
    chance = random.Random(12)
    for _ in range(120):
        dice = [chance.choice((4, 6, 8, 10)) for _ in range(chance.randint(0, 5))]
        there = [chance.randint(1, 10) for _ in range(chance.choice((0, 0, 1, 2, 3)))]
        assert best_two(dice, there) == counted(dice, there, 2)
        assert total(dice, there) == counted(dice, there, len(dice) + len(there) + 1)


@pytest.mark.clause("EG-12", "EG-13")
@pytest.mark.parametrize("dice", [(6,) * 13, (4, 8, 8, 8, 10), (4,) * 4 + (6,) * 8 + (8,) * 4 + (10,) * 4])
def test_sums_of_many_dice_against_icepool(dice: tuple[int, ...]) -> None:
    """Where throws are too many to list, another library counts the same, up to twenty dice."""
    pool = icepool.Pool([icepool.d(sides) for sides in dice])
    for ours, theirs in ((best_two(dice), pool.highest(2).sum()), (total(dice), pool.sum())):
        assert ours == {value: theirs.probability(value) for value in theirs.outcomes()}
        assert sum(ours.values()) == 1


@pytest.mark.clause("EG-11", "EG-12")
def test_the_dice_and_their_sums_show_before_they_are_rolled() -> None:
    """What comes together, what its two best and its sum may be, and their averages."""
    state = after(two(), "conflict Egg")
    found = odds(state, "enter mara argue")
    assert found.dice == "6d6: Mind 3d6 + Hard 3d6"
    assert {int(chance.outcome): chance.chance for chance in found.spread.chances} == counted((6,) * 6, (), 2)
    (everything,) = found.spends
    assert {int(chance.outcome): chance.chance for chance in everything.chances} == counted((6,) * 6, (), 6)
    assert [note.text for note in found.forecast] == ["the two best average 10.3", "all together average 21.0"]


@pytest.mark.clause("EG-19")
def test_escalating_counts_the_dice_that_lie_there() -> None:
    """The two best of old and new together; a stat that was rolled already adds nothing."""
    state = after(two(), *EGG)
    found = odds(state, "escalate fight")
    assert found.dice == "4d6: Body 4d6"
    lie = (1, 2, 2, 3, 4, 4)
    assert {int(chance.outcome): chance.chance for chance in found.spread.chances} == counted((6,) * 4, lie, 2)


@pytest.mark.clause("EG-15", "EG-20")
def test_a_see_says_what_it_will_be_before_it_is_confirmed() -> None:
    """By the number of dice put forward, not by the number that would do; with what it leaves, keeps and costs."""
    state = after(two(), *EGG, "raise 2 1")
    for words, outcome, notes in (
        ("see 6", "Reverse", ["the 6 is kept for the next raise", "left: 6 5 4 3 1 1"]),
        ("see 6 1", "Block or dodge", ["left: 6 5 4 3 1"]),
        ("see 6 1 1", "Takes the blow", ["2 fallout, from the blow and Hard", "left: 6 5 4 3"]),
    ):
        found = odds(state, words)
        assert [(chance.label, str(chance.chance)) for chance in found.spread.chances] == [(outcome, "1")]
        assert [note.text for note in found.forecast] == notes
    assert odds(state, "see 6 1").dice == "6 + 1 = 7 against 3"
    assert refused(state, "see 1 1").clause == "EG-15"


@pytest.mark.clause("EG-23")
def test_a_raise_says_what_it_stops_before_it_is_made() -> None:
    """Against the dice that lie open."""
    state = after(two(), *EGG)
    for words, stops in (
        ("raise 2 2", "One die could reverse it"),
        ("raise 4 4", "Can't be reversed"),
    ):
        assert [chance.label for chance in odds(state, words).spread.chances] == [stops]
    worn = after(state, "raise 4 3", "see 6 1", "raise 1 3", "see 4", "raise 4 2", "see 6")
    assert [chance.label for chance in odds(worn, "raise 6 5").spread.chances] == ["Can't be seen at all"]
