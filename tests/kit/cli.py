"""The command line as a person and a program meet it, in the process of the test."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from tests.kit.table import ticking
from waylog.cli.main import main
from waylog.rules.model.dice import ChanceDice, Dice


@dataclass(frozen=True)
class Ran:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The one JSON object that it printed."""
        (line,) = self.out.splitlines()
        return json.loads(line)


class CommandLine:
    """Commands on one folder of campaigns, with one clock and one set of dice."""

    def __init__(self, campaigns: Path, *, now: Callable[[], datetime] | None = None, chance: Dice | None = None):
        self.campaigns = campaigns
        self._now = now or ticking()
        self._chance = chance or ChanceDice(Random(7).randrange)

    def __call__(self, *arguments: str) -> Ran:
        """Run one command."""
        return self.alone("--dir", str(self.campaigns), *arguments)

    def alone(self, *arguments: str) -> Ran:
        """Run one command without saying where campaigns are."""
        with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
            code = main(arguments, now=self._now, chance=self._chance)
        return Ran(code, out.getvalue(), err.getvalue())

    def done(self, *arguments: str) -> Ran:
        """Run one command that has to succeed and to complain of nothing."""
        ran = self(*arguments)
        assert (ran.code, ran.err) == (0, ""), ran
        return ran

    def json(self, *arguments: str) -> Any:
        """What one command that has to succeed tells a program."""
        return self.done(*arguments, "--json").data

    def file(self, name: str) -> Path:
        """A campaign's file."""
        return self.campaigns / name / "campaign.toml"
