"""Line mode without a terminal: a campaign, the clock and dice of the sessions, and what was typed and said."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from tests.sessions.playing import Evening, Step, Told
from waylog.line_mode.loop import LineLoop
from waylog.line_mode.wayfinder import Wayfinder
from waylog.rules.codec.changes import quote_text
from waylog.table import Table


def line_of(words: str, dice: Sequence[int]) -> str:
    """The line for an act with real dice."""
    return f"{words} {''.join(map(str, dice))}".strip()


class Lines:
    """A person in line mode."""

    def __init__(self, folder: Path) -> None:
        self.dice, self._evening = Told(), Evening()
        self.table = Table(folder, now=self._evening, chance=self.dice)
        self.loop = LineLoop(Wayfinder(self.table))
        self.said = self.loop.begin()
        """The last output."""

    def type(self, line: str) -> list[str]:
        """Type a line; gives what is said then."""
        self.said = self.loop.take(line)
        return self.said

    def done(self, line: str) -> list[str]:
        """Type a line that is one entry of the log, and saved at once."""
        before = self.table.snapshot.entries
        self.type(line)
        assert self.table.snapshot.entries == before + 1, (line, self.said)
        assert not self.table.file_is_behind()
        self._evening.minutes += 1
        return self.said

    def play(self, step: Step) -> None:
        """One step of a session."""
        self.dice.left = list(step.app)
        before = self.table.snapshot.entries
        words = (quote_text(word) if " " in word else word for word in shlex.split(step.do))
        line = line_of(" ".join(words), step.dice)
        if step.refused:
            self.type(line)
            assert self.table.snapshot.entries == before, (step, self.said)
            assert step.refused in (self.said[-1], "none") or f"Rule {step.refused}." in " ".join(self.said), (
                step,
                self.said,
            )
            return
        self.done(line)
        assert not self.dice.left, step
