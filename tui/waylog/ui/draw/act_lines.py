"""An act in as many lines as it needs: its dice and outcome, then its results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from waylog.rules.facts import Fact, NoteFact, OutcomeFact, RollFact
from waylog.ui.draw import dice
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.palette import SIGNS, CellLine, Palette, StyledText, wrap_text

TIME = 7
"""The width of the time of day, which stands before what was done then."""


def act_lines(
    at: str, facts: Sequence[Fact], ink: Palette, width: int, sign: Callable[[Fact], str] = lambda _: ""
) -> Iterator[CellLine]:
    """Return the lines. `at` stands before the first of them, `sign` before each roll and note."""
    line = CellLine(width).to(1).add(at, ink.dim).to(TIME)
    for span in _spans(facts, ink, width - TIME - 1, sign):
        if line.used > TIME and (span is None or cells_of(span.text.rstrip()) > line.cells_left):
            yield line
            line = CellLine(width).to(TIME)
        if span is not None:
            line.add(span.text if cells_of(span.text) <= line.cells_left else span.text.rstrip(), span.style)
    yield line


def _spans(facts: Sequence[Fact], ink: Palette, width: int, sign: Callable[[Fact], str]) -> Iterator[StyledText | None]:
    """Yield the act in parts that stay together; None ends a line."""
    rolled, noted = "", False
    for fact in facts:
        if noted or isinstance(fact, NoteFact):
            yield None
        noted = isinstance(fact, NoteFact)
        match fact:
            case RollFact(what, thrown, typed):
                rolled = what
                yield StyledText(f"{sign(fact)}{what} ", ink.strong)
                for die in thrown:
                    yield StyledText(dice.inline((die,), ink, CellLine(width)).text, ink.strong)
                yield StyledText("real dice  " if typed else " ", ink.dim)
            case OutcomeFact(_, label, mood, who):
                yield StyledText(f"{SIGNS[mood]} {label}  ", ink.moods[mood])
                if who != rolled:
                    yield StyledText(who, ink.dim)
            case NoteFact(text):
                for number, part in enumerate(wrap_text(sign(fact) + text, width)):
                    if number:
                        yield None
                    yield StyledText(part, ink.plain)
            case _:
                assert_never(fact)
