"""The width of a text on a terminal, and how to cut it."""

from __future__ import annotations

from rich.cells import cell_len, chop_cells


def cells_of(text: str) -> int:
    """Return how many cells `text` takes."""
    return len(text) if text.isascii() else cell_len(text)


def cut(text: str, room: int, mark: str = "…") -> str:
    """Return `text` in at most `room` cells, with a mark if something is cut."""
    if room <= 0:
        return ""
    if len(text) <= room and cells_of(text) <= room:
        return text
    # A cell holds few characters, so a very long text needn't be measured to its end.
    head = text[: room * 4 + 8]
    if cells_of(head) <= room and len(head) == len(text):
        return text
    keep = room - cells_of(mark)
    if keep <= 0:
        return mark[:room]
    return chop_cells(head, keep)[0] + mark
