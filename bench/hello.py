"""What everything is measured against: a Textual app with one line.

u, Escape: another line, without a new layout. w: the same, after a line was appended to a file and is safe on disk.
"""

from __future__ import annotations

import os
import sys
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

_ENTRY = b"x" * 400 + b"\n"
"""About as long as a roll is in the log."""


class Hello(App[None]):
    """One Static."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "update"),
        Binding("escape", "update", priority=True),
        Binding("w", "write"),
        Binding("q", "quit"),
    ]

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path, self._count = path, 0

    def compose(self) -> ComposeResult:
        yield Static("Hello")

    def action_update(self) -> None:
        """Another line."""
        self._count += 1
        self.query_one(Static).update(f"Hello {self._count}", layout=False)

    def action_write(self) -> None:
        """Append, make it durable, and only then show."""
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(descriptor, _ENTRY)
        os.fsync(descriptor)
        os.close(descriptor)
        self.action_update()


if __name__ == "__main__":
    Hello(sys.argv[1]).run()
