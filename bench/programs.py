"""The programs that are measured, all started alike: with this Python, and with a home folder of their own."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from bench.campaigns import campaign
from bench.terminal import Terminal

_HELLO = Path(__file__).with_name("hello.py")
EXAMPLE = 12_000
"""Bytes in the file of a campaign that is played: ship, crew, a dozen clocks, and remarks."""


class Failed(Exception):
    """A program that should have done its work did not; says what it said."""


class ProgramRun(NamedTuple):
    """One run of a program, from start to end, in milliseconds."""

    wall: float
    cpu: float
    """Processor time: on a busy machine it says more than the clock on the wall."""


@dataclass(frozen=True)
class Bench:
    """A folder to work in, and how often each thing is done."""

    folder: Path
    rounds: int

    @cached_property
    def environment(self) -> Mapping[str, str]:
        """What programs are told: nothing of the person's own settings.

        Modules are compiled once, as they are where a program was installed, and into the bench's own folder.
        """
        not_ours = ("WAYLOG", "TEXTUAL", "XDG_", "PYTHONDONTWRITEBYTECODE")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(not_ours)}
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        return {**kept, **terminal, "HOME": str(home), "PYTHONPYCACHEPREFIX": str(self.folder / "compiled")}

    def campaign(self, name: str, *, size: int = EXAMPLE, entries: int = 0, game: str = "veil-core") -> Path:
        """The campaign of that name; made when it is first asked for."""
        folder = self.folder / name
        return folder if folder.exists() else campaign(folder, size=size, entries=entries, game=game)

    def app(self, folder: Path) -> Terminal:
        """The app on a campaign."""
        command = [sys.executable, "-m", "waylog", "open", folder.name, "--dir", str(folder.parent)]
        return Terminal(command, self.environment, self.folder)

    def hello(self) -> Terminal:
        """The app with one line."""
        command = [sys.executable, str(_HELLO), str(self.folder / "hello.log")]
        return Terminal(command, self.environment, self.folder)

    def output(self, *arguments: str) -> str:
        """What Python prints when it is run with these arguments. Raises `Failed`."""
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, env=dict(self.environment), cwd=self.folder, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Failed(f"{' '.join(arguments)}: {(done.stderr or done.stdout).strip()}")
        return done.stdout

    def run(self, *arguments: str) -> ProgramRun:
        """Run Python with these arguments. Raises `Failed`."""
        began, cpu = time.perf_counter(), _cpu_of_children()
        self.output(*arguments)
        return ProgramRun((time.perf_counter() - began) * 1000, _cpu_of_children() - cpu)


def _cpu_of_children() -> float:
    """Milliseconds of processor time of all programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000
