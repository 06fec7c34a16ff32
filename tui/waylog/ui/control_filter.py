"""Filters for every line that is drawn: no control characters, and no colours where none are wanted."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from waylog.safe_text import escape_controls, is_visible


class ControlCharFilter(LineFilter):
    """Replace the characters that `escape_controls` replaces."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - the filter's shape
        """Return the segments without control characters."""
        if all(is_visible(segment.text) for segment in segments):
            return segments
        return [Segment(escape_controls(segment.text), segment.style, segment.control) for segment in segments]


class Uncoloured(LineFilter):
    """Remove all colours. Bold, dim, underline, strike and reverse stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - the filter's shape
        """Return the segments in the terminal's own colours."""
        return [Segment(text, style and style.without_color, control) for text, style, control in segments]
