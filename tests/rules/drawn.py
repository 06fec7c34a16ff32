"""Panels as text, so that a test can say what a sheet looks like."""

from typing import assert_never

from waylog.rules.game import Game
from waylog.rules.panels import DiceRow, FacesRow, MarkRow, Panel, PipsRow, Row, TextRow
from waylog.rules.state import State


def panel_of(game: Game, state: State, key: str) -> Panel:
    """The panel of that key."""
    return next(panel for panel in game.panels(state) if panel.key == key)


def rows_of(panel: Panel) -> dict[str, str]:
    """Each row by its key behind the panel's, as `label: content`."""
    return {row.key.removeprefix(f"{panel.key}."): _row(row) for row in panel.rows}


def tags_of(panel: Panel) -> dict[str, str]:
    """The tone of each tag."""
    return {tag.text: tag.tone.value for tag in panel.tags}


def _row(row: Row) -> str:
    match row:
        case TextRow():
            return f"{row.label}: {row.text}"
        case DiceRow():
            return f"{row.label}: {row.count} dice{_note(row.note)}"
        case PipsRow():
            return f"{row.label}: {row.value}/{row.top}{_note(row.note)}"
        case MarkRow():
            return f"{row.label}: {row.state}{_note(row.note)}"
        case FacesRow():
            lying = " ".join(f"{die.face}/d{die.sides}{' kept' * (die.source == 'kept')}" for die in row.dice)
            return f"{row.label}: {lying}{_note(row.note)}"
        case _:
            assert_never(row)


def _note(note: str) -> str:
    return f" ({note})" if note else ""
