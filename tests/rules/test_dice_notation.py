"""Dice in notation: what can be written, how it is read, and the exact odds of every total."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waylog.rules.model.dice_notation import DicePool, NotDice, begins_like_dice, distribution, parse_dice

LARGEST = ("30d33", "d1000", "10d100", "30d20kh29", "30d20dl1", "6d100kh5", "28d10kh27+2d360")
"""Pools at the bounds."""


def icepool_of(pool: DicePool) -> Any:
    """The same pool, made by another library."""
    found: Any = icepool.d1 - 1
    for term in pool.terms:
        die: Any = icepool.d(term.sides)
        if term.is_d66:
            part: Any = 10 * icepool.d6 + icepool.d6
        elif term.kept and term.highest:
            part = die.highest(term.count, term.kept)
        elif term.kept:
            part = die.lowest(term.count, term.kept)
        else:
            part = term.count @ die
        found = found - part if term.minus else found + part
    return found + pool.plus


@st.composite
def terms(draw: st.DrawFn) -> str:
    """One kind of dice, some of them perhaps dropped."""
    count, sides = draw(st.integers(1, 6)), draw(st.integers(2, 12))
    keep = draw(st.sampled_from(("", "kh", "kl", "dh", "dl", "k")))
    number = draw(st.integers(1, count - (keep[:1] == "d"))) if keep and count > 1 else 0
    return f"{count}d{sides}" + (f"{keep}{number}" if number else "")


POOLS = st.lists(
    st.tuples(st.sampled_from("+-"), st.one_of(terms(), st.integers(0, 20).map(str))), min_size=1, max_size=4
)


@pytest.mark.clause("FD-02")
@given(POOLS.filter(lambda parts: any("d" in part for _, part in parts)))
def test_the_odds_are_those_of_an_independent_library(parts: list[tuple[str, str]]) -> None:
    """Every total has the same chance there, and the average and the chances of a total or more follow from them."""
    pool = parse_dice("".join(sign + part for sign, part in parts))
    odds, other = distribution(pool), icepool_of(pool)
    assert odds.chances == {total: Fraction(ways, other.denominator()) for total, ways in other.items()}
    assert odds.average == other.mean()
    assert all(odds.at_least[total] == other.probability(">=", total) for total in odds.chances)


@pytest.mark.clause("FD-01", "FD-02")
@pytest.mark.parametrize(
    "notation", ["2d6+3", "4d6kh3", "4d6dl1", "3d6kl2", "3d6dh1", "2d20k", "2d20kl", "2d6-d4", "d66", "d4+d6+2d8-5"]
)
def test_every_combination_of_faces_adds_up_as_the_odds_say(notation: str) -> None:
    """All faces that the dice can show, counted one by one."""
    pool = parse_dice(notation)
    sides = [each for term in pool.terms for each in term.dice]
    every = [*product(*(range(1, most + 1) for most in sides))]
    counted = Counter(pool.total(faces) for faces in every)
    assert distribution(pool).chances == {total: Fraction(ways, len(every)) for total, ways in counted.items()}


@pytest.mark.clause("FD-01")
@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("2D6 + 3", "2d6+3"),
        ("1d6", "d6"),
        ("d%", "d100"),
        ("4d6k3", "4d6kh3"),
        ("2d20kh", "2d20kh1"),
        ("3+d6", "3+d6"),
        ("2d6−1", "2d6-1"),
        ("-d4+10", "-d4+10"),
        ("d66", "d66"),
        ("02d06", "2d6"),
    ],
)
def test_each_way_to_write_dice_has_one_plain_form(written: str, plain: str) -> None:
    """Which reads back to itself."""
    assert parse_dice(written).notation == plain
    assert parse_dice(plain).notation == plain
    assert begins_like_dice(written)


@pytest.mark.clause("FD-01")
@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "has no dice in it"), ("7", "has no dice in it"), ("2d", "is not a dice roll"), ("2d6+", "is not a dice roll"), ("2d6*2", "is not a dice roll"),
        ("2d6!", "is not a dice roll"), ("2d6 3", "is not a dice roll"), ("0d6", "at least one die"), ("2d1", "at least two sides"),
        ("31d6", "at most 30 dice"), ("20d6+11d6", "at most 30 dice at once, but “20d6+11d6” has 31"), ("d1001", "at most 1000 sides"),
        ("2d1000", "the dice of a roll can total at most 1000"), ("+".join(["d4"] * 11), "at most 10 terms"), ("d6+10000", "at most 9999"),
        ("4d6kh5", "keep at least one of the dice, and at most 4"), ("4d6dl4", "keep at least one"), ("7d100kh2", "roll at most 6 dice"),
        ("2d66", "a single d66"), ("d" + "9" * 5000, "at most 1000 sides"), ("4dF", "type Fudge dice as d3s, in this case 4d3-8"),
        ("9" * 5000 + "d6", "at most 30 dice"),
    ],
)  # fmt: skip
def test_what_is_no_dice_or_too_much_is_refused_by_name(written: str, why: str) -> None:
    """The message says which bound it is, or how dice are written."""
    with pytest.raises(NotDice, match=re.escape(why)):
        parse_dice(written)


@pytest.mark.clause("FD-02")
@pytest.mark.parametrize("notation", LARGEST)
def test_the_largest_pools_have_odds_too(notation: str) -> None:
    """Their chances add up to 1."""
    assert sum(distribution(parse_dice(notation)).chances.values()) == 1


@given(st.text("0123456789dkhl+-−%fF !", max_size=24))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing that is typed breaks the reading."""
    try:
        pool = parse_dice(text)
    except NotDice:
        return
    assert parse_dice(pool.notation) == pool
