"""Markdown as lines of cells: what recaps are made of, at every width, with nothing left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from waylog.themes import theme
from waylog.ui.draw.colours import Palette
from waylog.ui.views.recap import draw_markdown

_THEME = theme("dark")
INK = Palette({**_THEME.to_color_system().generate(), **_THEME.variables})
RECAP = Path(__file__).parents[1] / "sessions" / "recap-1.md"
NAMES = {INK.accent: "accent", INK.strong: "strong", INK.dim: "dim", INK.plain: "plain", INK.rule: "rule"}


def lines(text: str, width: int = 40) -> list[str]:
    """The lines without styles."""
    return [line.text for line in draw_markdown(text, INK, width)]


def styles(text: str) -> list[tuple[str, str]]:
    """Each word run with the name of its style."""
    spans = [span for line in draw_markdown(text, INK, 80) for span in line.spans]
    return [(span.text.strip(), NAMES[span.style]) for span in spans if span.text.strip()]


def test_headings_are_in_the_accent_and_strong_words_strong() -> None:
    """Their signs are gone."""
    assert styles("# The Tenacity") == [("The Tenacity", "accent")]
    assert styles("### Deck **3**") == [("Deck 3", "accent")]
    assert styles("Mara: **Critical success**.") == [("Mara:", "plain"), ("Critical success", "strong"), (".", "plain")]
    assert styles("It counts *(secret)*") == [("It counts", "plain"), ("(secret)", "dim")]


def test_lists_hang_and_quotations_are_dim() -> None:
    """A wrapped item goes on under its own text, in a list in a list too; each line of a quotation has its mark."""
    assert lines("- Mara rolls with the arc cutter", 20) == ["• Mara rolls with", "  the arc cutter"]
    assert lines("  - Lars takes damage again", 20) == ["  • Lars takes", "    damage again"]
    assert lines("12. Lars takes damage again", 20) == ["12. Lars takes", "    damage again"]
    assert lines("> Three bells, and nobody rings", 20) == ["│ Three bells, and", "│ nobody rings"]
    assert styles("> Three bells") == [("│", "rule"), ("Three bells", "dim")]


def test_escaped_signs_are_signs() -> None:
    """What a person typed is read as it was typed."""
    assert lines(r"\*Three\* bells \<Bo> \\ \#1") == [r"*Three* bells <Bo> \ #1"]
    assert lines(r"\- no list") == ["- no list"]
    assert lines(r"2 * 3 * 4 and **open") == ["2 * 3 * 4 and **open"]


TABLE = "| | Fiasco | Success |\n|---|---|---|\n| NAV |  | 2 |\n| Mara | 1 | 3 |\n"


def test_a_table_has_columns_or_lines() -> None:
    """Where the columns don't fit, each row names its own."""
    assert lines(TABLE) == ["      Fiasco  Success", "NAV           2", "Mara  1       3"]
    assert lines(TABLE, 20) == ["NAV: Success 2", "Mara: Fiasco 1,", "Success 3"]
    to_right = TABLE.replace("|---|---|---|", "|---|---|---:|").replace("2 |", "12 |")
    assert lines(to_right) == ["      Fiasco  Success", "NAV                12", "Mara  1             3"]


@pytest.mark.parametrize("width", [1, 8, 38, 90])
def test_nothing_is_left_out(width: int) -> None:
    """Every letter of a whole recap, and of a line longer than any screen, is drawn; no line is wider than there is room."""
    text = RECAP.read_text(encoding="utf-8").split("## The dice")[0] + "very long " * 900
    drawn = draw_markdown(text, INK, width)
    assert all(line.used <= width for line in drawn)
    if width > 1:
        assert re.sub(r"[\W\d_]+", "", "".join(line.text for line in drawn)) == re.sub(r"[\W\d_]+", "", text)


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "|",
        "|---|",
        "| |\n|-",
        ">",
        "- ",
        "**",
        "* *",
        "****",
        "#",
        "`a`",
        "\x1b[31m",
        "\\",
        "|a\\|b|",
        " " * 500 + "x",
    ],
)
def test_odd_texts_are_drawn(odd: str) -> None:
    """Whatever a person writes into the file."""
    for width in (1, 2, 10):
        assert all(line.used <= width and "\x1b" not in line.text for line in draw_markdown(odd, INK, width))
