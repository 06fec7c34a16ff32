"""Exact fractions of our own do what those of the standard library do."""

from __future__ import annotations

import operator
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from waylog.rules.model.odds import Ratio

NUMBERS = st.integers(-50, 50) | st.integers(-(10**40), 10**40)
PARTS = st.tuples(NUMBERS, NUMBERS.filter(bool))
MODULUS = sys.hash_info.modulus


@given(PARTS)
@example((0, -7))
@example((1, MODULUS))
@example((-1, 2 * MODULUS))
@example((MODULUS, 3))
@example((-1, 1))
def test_one_number_is_as_the_standard_library_has_it(parts: tuple[int, int]) -> None:
    """In lowest terms, with the same text, size and hash; and equal."""
    ours, theirs = Ratio(*parts), Fraction(*parts)
    assert (ours.numerator, ours.denominator) == (theirs.numerator, theirs.denominator)
    assert (str(ours), int(ours), bool(ours), hash(ours)) == (str(theirs), int(theirs), bool(theirs), hash(theirs))
    assert float(ours) == float(theirs)
    assert ours == theirs
    assert theirs == ours
    assert -ours == -theirs
    assert abs(ours) == abs(theirs)
    assert Ratio.parse(str(ours)) == ours
    assert repr(ours) == repr(theirs).replace("Fraction", "Ratio")


@pytest.mark.parametrize("made", [Ratio, Fraction, lambda numerator, _: numerator])
@given(PARTS, PARTS)
@example((1, 3), (1, 3))
@example((2, 1), (2, 1))
def test_two_numbers_are_reckoned_with_and_compared_as_there(
    made: Callable[[int, int], Any], one: tuple[int, int], other: tuple[int, int]
) -> None:
    """Ratios are added, compared and so on as the standard library's fractions are, with its fractions and whole numbers on either side."""
    ours, theirs = Ratio(*one), Fraction(*one)
    second = made(*other)
    same = Fraction(second.numerator, second.denominator)
    kinds = (operator.add, operator.sub, operator.mul, operator.lt, operator.le, operator.gt, operator.ge, operator.eq)
    for of_two in kinds:
        assert of_two(ours, second) == of_two(theirs, same), of_two
        assert of_two(second, ours) == of_two(same, theirs), of_two
    if same:
        assert ours / second == theirs / same
    if theirs:
        assert second / ours == same / theirs


@given(PARTS, st.integers(-6, 6))
def test_a_power_is_as_there(parts: tuple[int, int], times: int) -> None:
    """Of nothing, there is no negative one."""
    if parts[0] == 0 and times < 0:
        with pytest.raises(ZeroDivisionError):
            Ratio(*parts) ** times
        return
    assert Ratio(*parts) ** times == Fraction(*parts) ** times


@pytest.mark.parametrize("text", ["", "half", "1/0", "1/", "/2", "1.5", "1/2/3"])
def test_a_text_that_is_no_fraction_is_refused(text: str) -> None:
    """A file of players may say anything."""
    with pytest.raises(ValueError, match=r"."):
        Ratio.parse(text)


def test_nothing_is_divided_by_nothing() -> None:
    """As with any number."""
    with pytest.raises(ZeroDivisionError):
        Ratio(1, 0)
    with pytest.raises(ZeroDivisionError):
        Ratio(1, 2) / 0


def test_a_text_is_no_number() -> None:
    """It is different, and can be compared with nothing."""
    assert Ratio(1) != "1"
    with pytest.raises((TypeError, AttributeError)):
        assert Ratio(1) < "1"  # type: ignore[operator]


def test_odds_import_no_fractions_of_the_standard_library() -> None:
    """They are what made the first odds slow."""
    code = "import sys, waylog.rules.systems.veil_core.odds, waylog.rules.file_game.odds.odds_with_spends; print('fractions' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
