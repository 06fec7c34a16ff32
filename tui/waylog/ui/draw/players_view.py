"""What players see, in lines: the ship and the crew, clocks as they know them, cards they know, and what was done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from waylog.rules.common.clocks import Clock, Kind
from waylog.rules.facts import Note, Result, Rolled
from waylog.store.projection import Projection, SeenAct
from waylog.store.visibility import SeenClock, SeenDeck
from waylog.ui.draw import clock_face, dice
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.odds import SIGNS
from waylog.ui.draw.palette import Ink, Line, Span, wrapped
from waylog.ui.draw.panels import laid_out

_UNSEEN = "?"
_TIME = 7
"""Cells for the time of day before what was done then."""


def title(seen: Projection, ink: Ink, width: int) -> Line:
    """The campaign, its game, and the session under way."""
    line = Line(width).add(f" {seen.name or '(no name)'}", ink.strong).add(f" · {seen.system}", ink.dim)
    if seen.session:
        line.add(f" · session {seen.session}", ink.dim).add(f" “{seen.title}”" if seen.title else "", ink.dim)
    return line.right(" ? keys ", ink.dim)


def sheet(seen: Projection, ink: Ink, width: int, height: int) -> list[Line]:
    """The ship, then the crew, then cards: as large as the room allows, and in full where it doesn't."""
    layout = laid_out(seen.panels, ink, width, height, scrolls=True)
    lines = [layout.line(y, None, ink) for y in range(len(layout.lines))]
    for deck in seen.decks:
        lines += [Line(width), *_deck(deck, ink, width)]
    return lines


def clocks(seen: Projection, ink: Ink, width: int) -> list[Line]:
    """Every clock that players know of; nothing when there is none."""
    if not seen.clocks:
        return []
    head = Line(width).to(2).add("Clocks ", ink.accent).fill("─", ink.rule, until=width - 2)
    return [head, *(line for clock in seen.clocks for line in _clock(clock, ink, width))]


def _clock(clock: SeenClock, ink: Ink, width: int) -> Iterator[Line]:
    line = Line(width).to(2)
    if clock.filled is None:
        line.add(_UNSEEN * clock.segments, ink.empty).add(f" {_UNSEEN}/{clock.segments}", ink.strong)
    else:
        clock_face.inline(Clock(segments=clock.segments, filled=clock.filled), ink, line)
    # A push clock counts up to what the crew wants.
    wanted = clock.kind is Kind.PUSH
    full = ("  ✓ full" if wanted else "  ✗ full") if clock.full else ""
    begins = line.add("  ", ink.plain).used
    parts = wrapped(clock.name, width - begins) or ["(no name)"]
    for part in parts[:-1]:
        yield line.add(part, ink.strong)
        line = Line(width).to(begins)
    line.add(parts[-1], ink.strong)
    for said, style in ((full, ink.held if wanted else ink.bad), (f"  {clock.kind.value}", ink.dim)):
        if cells_of(said) > line.left:
            yield line
            line = Line(width).to(begins - 2)
        line.add(said, style)
    yield line
    for text, style in (
        (clock.outcome and f"→ {clock.outcome}", ink.plain),
        ("" if clock.full else clock_face.WHILE_IT_RUNS[clock.running], ink.warn),
    ):
        for part in wrapped(text, width - 6):
            yield Line(width).to(4).add(part, style)


def _deck(deck: SeenDeck, ink: Ink, width: int) -> Iterator[Line]:
    yield Line(width).to(2).add(f"{deck.name} ", ink.accent).fill("─", ink.rule, until=width - 2)
    for card in deck.cards:
        line = Line(width).to(2).add("✗ " if card.out else "· ", ink.dim)
        line.add(card.text, ink.dim if card.out else ink.plain, most=max(8, width - 20))
        yield line.add(f"  {card.luck.value}" + (", out" if card.out else ""), ink.dim)


def acts(seen: Projection, ink: Ink, width: int) -> list[Line]:
    """What was done, the newest last."""
    lines = [line for act in seen.log for line in _act(act, ink, width)]
    return lines or [Line(width).to(2).add("Nothing has been done yet.", ink.dim)]


def _act(act: SeenAct, ink: Ink, width: int) -> Iterator[Line]:
    """Its dice and outcomes, then what followed, in as many lines as they need."""
    line = Line(width).to(1).add(act.at, ink.dim).to(_TIME)
    for span in _spans(act, ink, width - _TIME - 1):
        if line.used > _TIME and (span is None or cells_of(span.text.rstrip()) > line.left):
            yield line
            line = Line(width).to(_TIME)
        if span is not None:
            line.add(span.text if cells_of(span.text) <= line.left else span.text.rstrip(), span.style)
    yield line


def _spans(act: SeenAct, ink: Ink, width: int) -> Iterator[Span | None]:
    """What is told of an act in parts that stay together; None where a line ends."""
    rolled, noted = "", False
    for fact in act.facts:
        if noted or isinstance(fact, Note):
            yield None
        noted = isinstance(fact, Note)
        match fact:
            case Rolled(what, thrown, typed):
                rolled = what
                yield Span(f"{what} ", ink.strong)
                for die in thrown:
                    yield Span(dice.inline((die,), ink, Line(width)).text, ink.strong)
                yield Span("real dice  " if typed else " ", ink.dim)
            case Result(_, label, mood, who):
                yield Span(f"{SIGNS[mood]} {label}  ", ink.moods[mood])
                if who != rolled:
                    yield Span(who, ink.dim)
            case Note(text):
                for number, part in enumerate(wrapped(text, width)):
                    if number:
                        yield None
                    yield Span(part, ink.plain)
            case _:
                assert_never(fact)
