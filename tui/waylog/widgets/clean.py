"""The net under `shown`: whatever a widget draws, nothing in it steers the terminal."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from waylog.campaign.shown import shown


class Clean(LineFilter):
    """Replaces what `shown` would have replaced in every line on its way out."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - the filter's shape
        """The same segments, harmless."""
        if all(_harmless(segment.text) for segment in segments):
            return segments
        return [Segment(shown(segment.text), segment.style, segment.control) for segment in segments]


def _harmless(text: str) -> bool:
    return text.isprintable() if text.isascii() else shown(text) == text
