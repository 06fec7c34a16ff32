"""What every line passes on its way out: nothing in it steers the terminal, and where no colours are wanted it has none."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from waylog.safe_text import escape_controls, is_visible


class ControlCharFilter(LineFilter):
    """Replaces what `escape_controls` would have replaced in every line on its way out."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - the filter's shape
        """The same segments, harmless."""
        if all(is_visible(segment.text) for segment in segments):
            return segments
        return [Segment(escape_controls(segment.text), segment.style, segment.control) for segment in segments]


class Uncoloured(LineFilter):
    """Takes all colours away and leaves bold, dim, underlined, struck and reversed."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - the filter's shape
        """The same segments in the terminal's own colours."""
        return [Segment(text, style and style.without_color, control) for text, style, control in segments]
