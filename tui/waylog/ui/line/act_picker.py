"""A list of names with a letter each. One key takes a name: who is damaged, which clock ticks."""

from __future__ import annotations

from collections.abc import Sequence

from waylog.rules.act_keys import ActList, Subject
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.line_view import HitArea, Page
from waylog.ui.draw.palette import CellLine, Palette
from waylog.ui.line.header import head
from waylog.values import dataclass, replace

_MARGIN = 2
_GAP = 3


@dataclass(frozen=True, slots=True)
class ActPicker:
    """The names, and what has been typed so far."""

    title: str
    which: ActList
    subjects: Sequence[Subject]
    here: Subject | None = None
    """The subject of the row under the cursor. The key that opened the list, or Enter, takes it."""
    number: int = 0
    """For ticks: the number of segments, if it was typed."""
    back: bool = False
    """For ticks: segments are emptied."""

    @property
    def by(self) -> int:
        """The number of segments to tick; below 0 to empty them."""
        return (self.number or 1) * (-1 if self.back else 1)

    @property
    def enter_subject(self) -> Subject | None:
        """The subject of the row under the cursor, if anything can be done to it now."""
        return None if self.here is None or self.here.moves[0].blocked else self.here

    def subject_for(self, key: str) -> Subject | None:
        """Return the subject that a key takes; None if it takes none."""
        if key in (self.which, "enter"):
            return self.here
        return next((each for each in self.subjects if each.letter and each.letter == key), None)

    def consume_key(self, key: str) -> ActPicker | None:
        """Return the list after a key that changes the number of segments; None for any other key."""
        if self.which is not ActList.TICK:
            return None
        if key == "minus":
            return replace(self, back=not self.back)
        if len(key) == 1 and key.isdigit():
            return replace(self, number=min(99, self.number * 10 + int(key)))
        return replace(self, number=self.number // 10) if key == "backspace" else None


def render_picker(picker: ActPicker, ink: Palette, width: int) -> Page[Subject]:
    """Draw the title, and the names with their letters, in as many lines as they take. Names that can't be taken are
    left out.
    """
    ticks = f"{'−' if picker.back else '+'}{abs(picker.by)}" if picker.which is ActList.TICK else ""
    lines, areas = [head(picker.title, ink, width, ticks)], list[HitArea[Subject]]()

    def put(letter: str, text: str, subject: Subject, mark: str = "  ") -> None:
        size = cells_of(letter) + cells_of(text) + 1
        if len(lines) == 1 or lines[-1].used + _GAP + size > width - 1:
            lines.append(CellLine(width))
        line = lines[-1]
        start = max(_MARGIN, line.used + _GAP) if line.used else _MARGIN
        line.to(start - _MARGIN).add(mark, ink.key)
        areas.append(HitArea(line.used, len(lines) - 1, size, 1, subject))
        line.add(letter or "·", ink.key).add(f" {text}", ink.plain)

    if here := picker.enter_subject:
        put(picker.which, f"{here.name}, under the cursor", here, "▸ ")
    for subject in picker.subjects:
        if not subject.moves[0].blocked:
            put(subject.letter, subject.name, subject)
    return Page(lines, areas)
