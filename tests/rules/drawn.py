"""Panels as text, so that a test can say what a sheet looks like."""

from typing import assert_never

from waylog.rules.model.panels import ClockRow, DiceRow, FacesRow, MarkRow, Panel, PipsRow, Row, TextRow


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
            return f"{row.label}: {row.count} dice{_note(row)}"
        case PipsRow():
            return f"{row.label}: {row.value}/{row.top}{_note(row)}"
        case MarkRow():
            return f"{row.label}: {row.state}{_note(row)}"
        case FacesRow():
            lying = " ".join(f"{die.face}/d{die.sides}{' kept' * (die.source == 'kept')}" for die in row.dice)
            return f"{row.label}: {lying}{_note(row)}"
        case ClockRow():
            return f"{row.label}: {row.clock.filled}/{row.clock.segments}"
        case _:
            assert_never(row)


def _note(row: Row) -> str:
    notes = " · ".join(filter(None, (row.note, row.about)))
    return f" ({notes})" if notes else ""
