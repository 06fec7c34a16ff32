"""An act of the log in lines: its sentence with the outcome at the right, and its results beneath; the heading of a scene or a session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.style import Style

from waylog.rules.model.state import EntryKind
from waylog.rules.what_players_know import Visibility
from waylog.store.log.act_texts import (
    UNREADABLE,
    ActPart,
    ActText,
    LoggedAct,
    border_title,
)
from waylog.ui.draw.cell_lines import CellLine, StyledText, cells_of, cut, wrap_text
from waylog.ui.draw.dice import HIDDEN
from waylog.ui.draw.palette import Palette, outcome_words
from waylog.words.sentences import (
    describe_for,
    part_text,
    sentence_with_dice,
)

BORDERS = (EntryKind.SCENE, EntryKind.REWIND, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)
"""The kinds of entries that begin or end a session or scene. They are headings."""
_TIMED = 44
"""The width from which on the time of day stands before a sentence."""
_INDENT = 2
_MOST = 2
"""The lines of a sentence, and of what came of it, where not all of an act is shown."""
_LONG_LINES = 118
"""The width from which on what came of an act has twice as many lines."""


def render_act(
    act: LoggedAct,
    sight: Visibility,
    ink: Palette,
    width: int,
    *,
    whole: bool = False,
    mark: str = " ",
    dated: bool = False,
) -> list[CellLine]:
    """Return the lines of an act in a window of that width.

    `mark` stands before the first line, and as many blanks before the others. With `whole`, all of it is wrapped;
    otherwise two lines say what was done and two or four what came of it, cut with `…`. With `dated`, the day stands before the time.
    """
    entry = act.first
    margin = cells_of(mark)
    if entry.at == UNREADABLE.at:
        return [CellLine(width).add(mark, ink.key).add(f"Entry {entry.number} can't be read", ink.bad)]
    if entry.kind in BORDERS and not act.undone:
        return [_render_border(act, ink, width, mark)]
    text = describe_for(sight, act.entries)
    indent = margin + start_of_text(width, dated=dated)
    plain = ink.struck if act.undone else ink.dim if entry.kind is EntryKind.SECRET else ink.plain
    head = CellLine(width).add(mark, ink.key)
    if width >= _TIMED:
        head.add(f"{entry.at:%d %b %H:%M}" if dated else f"{entry.at:%H:%M}", ink.dim).to(indent)
    lines = [*_render_sentence(text, act, ink, head, plain, indent, whole=whole)]
    under = ink.struck if act.undone else ink.dim
    if whole:
        results = [consequence_words(one, sign=not text.hidden) for one in text.consequences if not one.detail]
        for words in filter(None, (*results, _join_details(text))):
            parts = wrap_text(words, width - indent - _INDENT - 1)
            lines += [CellLine(width).to(indent + _INDENT).add(part, under) for part in parts]
    elif text.consequences and not act.undone:
        in_order = sorted(text.consequences, key=lambda one: one.detail)
        words = "; ".join(consequence_words(one, sign=not text.hidden) for one in in_order)
        parts = wrap_text(words, width - indent - _INDENT - 1, _MOST if width < _LONG_LINES else 2 * _MOST)
        lines += [CellLine(width).to(indent + _INDENT).add(part, under) for part in parts]
    return lines


def render_day(act: LoggedAct, before: LoggedAct | None, ink: Palette, width: int) -> list[CellLine]:
    """Return the line with the day of an act, to stand above it; nothing if the act before it is of the same day, or if its own
    heading says it.
    """
    at, session = act.first.at, act.first.kind.is_session and not act.undone
    if at == UNREADABLE.at or session or (before and before.first.at.date() == at.date()):
        return []
    return [CellLine(width).to(_INDENT).add(f"{at:%d %b %Y}", ink.dim)]


def act_text(act: LoggedAct, sight: Visibility) -> str:
    """Return an act as text to copy: its sentence with dice and outcome, and what came of it, a line for each consequence."""
    text = describe_for(sight, act.entries)
    parts = (sentence_with_dice(text), text.outcome.label if text.outcome else "", "(undone)" if act.undone else "")
    lines = [consequence_words(one, sign=False) for one in text.consequences if not one.detail]
    return "\n".join(filter(None, (" · ".join(filter(None, parts)), *lines, _join_details(text))))


def _join_details(text: ActText) -> str:
    """Return the steps of a rule in one line."""
    return "; ".join(consequence_words(one, sign=not text.hidden) for one in text.consequences if one.detail)


def start_of_text(width: int, *, dated: bool = False) -> int:
    """Return the column in which sentences begin."""
    return 14 if dated else 7 if width >= _TIMED else 0


def _render_border(act: LoggedAct, ink: Palette, width: int, mark: str) -> CellLine:
    """Draw a heading across the log, a double line for a session. The time stands at its end."""
    entry = act.first
    glyph = "═" if entry.kind.is_session else "─"
    at = f" {entry.at:%d %b %H:%M}" if entry.kind.is_session else f" {entry.at:%H:%M}"
    line = CellLine(width).add(mark, ink.key).add(f"{glyph * 2} ", ink.rule)
    room = line.cells_left - (cells_of(at) + 3 if width >= _TIMED else 2)
    line.add(border_title(entry), ink.accent, most=room).add(" ", ink.rule)
    if width < _TIMED:
        return line.fill(glyph, ink.rule)
    return line.fill(glyph, ink.rule, until=width - cells_of(at) - 1).add(at, ink.dim)


def _render_sentence(
    text: ActText, act: LoggedAct, ink: Palette, head: CellLine, style: Style, indent: int, *, whole: bool
) -> Iterator[CellLine]:
    """Draw the sentence with its dice. The outcome stands at the right end of its last line."""
    width = head.width
    ends = [*_right_column(text, act, ink, whole=whole)]
    column = sum(cells_of(span.text) for span in ends)
    sentence = f"{HIDDEN} " if text.hidden_sentence and not text.hidden else ""
    sentence += sentence_with_dice(text)
    room = max(8, width - indent - 1)
    parts = wrap_text(sentence, room) or [""]
    if column and cells_of(parts[-1]) + column + 1 > room:
        parts = [*parts, ""]
    if not whole and len(parts) > _MOST:
        rest = wrap_text(sentence, room, _MOST)[-1]
        parts = [*parts[: _MOST - 1], cut(rest.removesuffix("…") + "…", room - (column + 1 if column else 0))]
    for index, part in enumerate(parts):
        line = head if index == 0 else CellLine(width).to(indent)
        line.add(part, style)
        yield _with_right_column(line, ends) if index == len(parts) - 1 else line


def _right_column(text: ActText, act: LoggedAct, ink: Palette, *, whole: bool) -> Iterator[StyledText]:
    if act.undone:
        state = "rewound" if act.rewound else "undone"
        yield StyledText(f"{state} at {act.undone.at:%H:%M}" if whole else state, ink.dim)
        if text.outcome:
            yield StyledText(" · ", ink.dim)
    if text.outcome:
        yield StyledText(outcome_words(text.outcome), ink.dim if act.undone else ink.moods[text.outcome.mood])
    if text.hidden:
        yield StyledText(f" {HIDDEN}" if text.outcome or act.undone else HIDDEN, ink.dim)


def _with_right_column(line: CellLine, spans: Sequence[StyledText]) -> CellLine:
    if spans:
        line.to(line.width - sum(cells_of(span.text) for span in spans) - 1)
    for span in spans:
        line.add(span.text, span.style)
    return line


def consequence_words(one: ActPart, *, sign: bool) -> str:
    """Return a result in one line. `sign` marks it if it is hidden from players."""
    words = part_text(one)
    return f"{HIDDEN} {words}" if sign and one.hidden else words
