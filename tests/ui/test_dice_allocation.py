"""Digits typed for dice that lie in places, and taken back again."""

import pytest

from waylog.rules.model.moves import Allocate, AllocationSlot
from waylog.ui.line.dice_input import DiceAllocation

STATS = Allocate(
    "stats",
    "Stats",
    tuple(AllocationSlot(name, name.capitalize(), 2, 11, 2) for name in ("body", "mind", "soft", "hard")),
    17,
)


def after(keys: str) -> DiceAllocation:
    """What typed digits make of four stats; `<` is backspace."""
    remap = DiceAllocation(STATS, (2, 2, 2, 2))
    for key in keys:
        pressed = remap.consume_key("backspace" if key == "<" else key)
        assert pressed is not None
        remap = pressed
    return remap


@pytest.mark.parametrize(
    ("keys", "counts", "at"),
    [
        ("5", (5, 2, 2, 2), 1),
        ("5<", (0, 2, 2, 2), 0),
        ("5<4", (4, 2, 2, 2), 1),
        ("11<", (1, 2, 2, 2), 0),
        ("11<0", (10, 2, 2, 2), 1),
        ("11<<", (0, 2, 2, 2), 0),
        ("11<<3", (3, 2, 2, 2), 1),
        ("553<4", (5, 5, 4, 3), 3),
    ],
)
def test_backspace_takes_back_the_digit_that_was_typed_last(keys: str, counts: tuple[int, ...], at: int) -> None:
    """The cursor goes back to its place, and the next digit is typed there."""
    assert (after(keys).counts, after(keys).at) == (counts, at)


def test_backspace_is_for_the_line_when_no_digit_was_typed() -> None:
    """Before any, and after an arrow."""
    for remap in (DiceAllocation(STATS, (2, 2, 2, 2)), after("5").consume_key("left"), after("5").consume_key("up")):
        assert remap is not None
        assert remap.consume_key("backspace") is None
