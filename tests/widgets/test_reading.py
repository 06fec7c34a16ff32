"""What the line means as it is typed, and what it offers to go on with."""

from waylog.rules.moves import Move
from waylog.widgets.choices import Word
from waylog.widgets.reading import read

MOVES = (
    Move("roll", ("wenna",), "Roll for Wenna (EVA, 3d6)", rolls=True),
    Move("roll", ("wenna", "shields"), "Roll Shields for Wenna (6d6)", rolls=True),
    Move("roll", ("nav",), "Roll NAV", rolls=True, key="n"),
)


def test_a_list_shows_what_may_be_typed() -> None:
    """The letter of a move stands before its label, and of one without a letter its words."""
    shown = {choice.label: choice.key for choice in read(MOVES, lambda _: None, "roll", "").choices}
    assert shown["Roll NAV"] == "n"
    assert shown["Roll Shields for Wenna (6d6)"] == "wenna shields"
    table = Move("table", ("door",), "Roll d6 on “Behind the door” · door")
    assert [choice.key for choice in read([table], lambda _: None, "table", "").choices] == [""]


def test_a_begun_line_offers_the_words_that_fit() -> None:
    """Also one that is not the first of its move."""
    assert [choice.does for choice in read(MOVES, lambda _: None, "roll", "sh").choices] == [Word("shields")]
