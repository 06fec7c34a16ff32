"""The line in which a search is typed, as a value: `SearchKeys` makes it, the tray shows it."""

from __future__ import annotations

from waylog.ui.draw.palette import CellLine, Palette
from waylog.ui.line.header import head
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class SearchLine:
    """What is searched for, and how much of it was found."""

    title: str
    text: str
    at: int
    """The character that the cursor is on."""
    found: str
    """`3 of 17`"""


def render_search(line: SearchLine, ink: Palette, width: int) -> list[CellLine]:
    """Return the title with the count, and the text with its cursor."""
    before, under, after = line.text[: line.at], line.text[line.at : line.at + 1], line.text[line.at + 1 :]
    typed = CellLine(width).add(" / ", ink.key)
    # The end that is being typed is what has to be seen.
    typed.add(before[-max(1, width - 8 - len(after[:8])) :], ink.strong).add(under or " ", ink.caret)
    return [head(line.title, ink, width, line.found), typed.add(after, ink.strong)]
