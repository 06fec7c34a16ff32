"""A session as a list of acts in words, and the two ways in which a person plays it: at a shell, and in the app."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import tomllib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from tests.kit.cli import CommandLine
from tests.kit.idle import until_idle
from tests.kit.table import written
from tests.kit.thorough import IS_AT_A_DESK
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.model.dice import Die, Face
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact, RollFact
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log
from waylog.table import Table
from waylog.ui.line.line_state_and_drawing import rules_of_line

HERE = Path(__file__).parent
NAME = "tenacity"
REFUSED = 3
LINE_ENDS = {"lf": "\n"} if IS_AT_A_DESK else {"lf": "\n", "crlf": "\r\n"}
"""What the lines of a campaign file end with. At a desk, random walks on files from Windows have to do for the second."""
_PRESSED = ("ctrl+p", "home", "enter", "escape", "tab", "up", "down", "left", "right", "backspace")
"""Keys that a step names; anything else on its list is typed, a key for each character."""
_PATIENCE = 100
"""Rounds of the event loop in which an act that was entered has to show."""


@dataclass(frozen=True)
class Step:
    """One thing that a person does."""

    do: str
    """In words, as one would type it."""
    dice: tuple[int, ...] = ()
    """Real dice."""
    app: tuple[int, ...] = ()
    """What the app's own dice show, in the order in which they fall."""
    keys: tuple[str, ...] = ()
    """How it is done in the app, where that is not `:`, the words, a digit for each die, and Enter, or the digits and Enter."""
    told: tuple[str, ...] = ()
    """What has to be told of it: results by their label, notes by any part of them, their clause behind them."""
    refused: str = ""
    """The clause that refuses it, `none` where the words alone do."""
    asks: str = ""
    """A part of the question that is open afterwards; nothing is asked where this is empty."""

    def pressed(self) -> tuple[str, ...]:
        """What is pressed and typed in the app."""
        digits = "".join(map(str, self.dice))
        return self.keys or ((":", f"{self.do} {digits}".strip(), "enter") if self.do else (digits, "enter"))

    def said(self) -> list[str]:
        """The shell's words."""
        if self.do in ("undo", "redo"):
            return [self.do, NAME]
        dice = ["--dice", ",".join(map(str, self.dice))] if self.dice else []
        return ["do", NAME, *shlex.split(self.do), *dice]

    @property
    def takes(self) -> bool:
        """It takes back or puts back, and is not an act of its own."""
        return self.do in ("undo", "redo")


def session() -> tuple[Step, ...]:
    """The session, oldest act first."""
    tree = tomllib.loads((HERE / "session.toml").read_text(encoding="utf-8"))
    return tuple(map(_step, tree["act"]))


def _step(tree: dict[str, Any]) -> Step:
    """A step with every key that a file may give it, and no other."""
    lists = {key: tuple(tree.pop(key, ())) for key in ("dice", "app", "keys", "told")}
    step = Step(tree.pop("do"), **lists, refused=tree.pop("refused", ""), asks=tree.pop("asks", ""))
    assert not tree, tree
    return step


def campaign(line_end: str = "\n") -> bytes:
    """The campaign file as a person has written it."""
    return (HERE / "campaign.toml").read_bytes().replace(b"\n", line_end.encode())


class Told:
    """The app's dice, which fall as the step says that is being played, and no more often."""

    are_real = False

    def __init__(self) -> None:
        self.left: list[int] = []

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """The next faces of the step."""
        return tuple(Face(die.source, self.left.pop(0), die.sides) for die in dice)


class Evening:
    """A clock that goes on by a minute behind every act, however often anybody looks at it, and not for one that was refused."""

    def __init__(self) -> None:
        self.minutes = 0

    def __call__(self) -> datetime:
        return datetime(2026, 1, 5, 20, tzinfo=UTC) + timedelta(minutes=self.minutes)


# -- at a shell ----------------------------------------------------------------------------------------------------


class Shell:
    """The session at a shell: each step is a program of its own, with one clock and one set of dice for all."""

    def __init__(
        self, campaigns: Path, *, data: bytes | None = None, now: Callable[[], datetime] | None = None
    ) -> None:
        self.folder = written(campaigns / NAME, campaign() if data is None else data)
        self._dice, self._evening = Told(), Evening()
        self._run = CommandLine(campaigns, now=now or self._evening, chance=self._dice)

    def play(self, step: Step, *, warned: str = "") -> None:
        """One step; what it comes to is as the step says. `warned` begins the one line that it warns of."""
        self._dice.left = list(step.app)
        ran = self._run(*step.said(), "--json")
        if step.refused:
            assert ran.code in (2, REFUSED), (step, ran)
            assert (ran.data["clause"] or "none") == step.refused, (step, ran)
            return
        assert (ran.code, ran.err.count("\n")) == (0, bool(warned)), (step, ran)
        assert ran.err.startswith(warned), (step, ran)
        assert not self._dice.left, step
        self._evening.minutes += 1
        asked = ran.data["pending"]["question"] if ran.data["pending"] else ""
        _as_told(step, last_entry(self.folder), asked)

    def looked(self, *command: str) -> Any:
        """What a command that changes nothing tells a program: `show`, `moves`."""
        ran = self._run(command[0], NAME, *command[1:], "--json")
        assert (ran.code, ran.err) == (0, ""), ran
        return ran.data

    def undo(self) -> bool:
        """Take back the latest act; false when there is none."""
        ran = self._run("undo", NAME)
        assert ran.code == 0 or "nothing to undo" in ran.err, ran
        return ran.code == 0

    def copy(self, campaigns: Path) -> Shell:
        """The same campaign in another folder, to go on from here."""
        shell = Shell(campaigns)
        shutil.copytree(self.folder, shell.folder, dirs_exist_ok=True)
        shell._evening.minutes = self._evening.minutes
        return shell


@dataclass(frozen=True)
class Played:
    """The whole session as it was played once. Several tests look at it: what changes anything works on a copy of the shell."""

    shell: Shell
    versions: tuple[tuple[Step, bytes, bytes], ...]
    """Each step, with the campaign file before and after it."""
    before: Mapping[int, bytes]
    """For each entry of the log the campaign file as it was before that act."""


def play_session(campaigns: Path, line_end: str) -> Played:
    """Play the session at a shell on a campaign file with these line ends."""
    shell = Shell(campaigns, data=campaign(line_end))
    file, versions, before = shell.folder / "campaign.toml", list[tuple[Step, bytes, bytes]](), dict[int, bytes]()
    for step in session():
        version = file.read_bytes()
        shell.play(step)
        versions.append((step, version, file.read_bytes()))
        before.setdefault(last_entry(shell.folder).number, version)
    return Played(shell, tuple(versions), before)


# -- in the app ----------------------------------------------------------------------------------------------------


class Keys:
    """The session in the app: one program for all of it, played by keys alone."""

    def __init__(self, pilot: Pilot[None], table: Table, dice: Told, evening: Evening) -> None:
        self.pilot, self.table, self._dice, self._evening = pilot, table, dice, evening

    @property
    def _app(self) -> WayfinderApp:
        app = self.pilot.app
        assert isinstance(app, WayfinderApp)
        return app

    async def play(self, step: Step) -> None:
        """One step; what it comes to is as the step says."""
        self._dice.left = list(step.app)
        before = self.table.snapshot.entries
        for before_it, part in pairwise(("", *step.pressed())):
            await (self.type(part) if before_it == ":" else self.press(*([part] if part in _PRESSED else part)))
        if step.refused:
            if step.refused != "none":
                await self.until(lambda: step.refused in self._refused_by(), f"{step} is not refused\n{self.seen()}")
            assert self.table.snapshot.entries == before, step
            await self.press("escape")
            if self._app.frame.window.typing:  # a text that was written is not thrown away by the first
                await self.press("escape")
            return
        await self.until(lambda: self.table.snapshot.entries > before, f"{step} is not in the log\n{self.seen()}")
        await self._idle()
        assert self.table.snapshot.entries == before + 1, step
        assert not self._dice.left, step
        self._evening.minutes += 1
        assert not self._app.frame.window.typing, (step, self.seen())
        # A person is slower than the disk: the file has come up, and shows, before the next key.
        assert await asyncio.to_thread(self.table.settle), step
        await self.look()
        _as_told(step, self.table.entry(before + 1), self.table.snapshot.question or "")

    async def look(self) -> None:
        """The look at the files that the app takes twice a second, now."""
        self._app._look()
        await self._idle()

    def _refused_by(self) -> Sequence[str | None]:
        """The rules that `F1` opens for the line, or `i` for the refusal in the tray."""
        frame = self._app.frame
        line, reference = frame.window.prompt._line, frame.snapshot.reference
        return rules_of_line(line, reference) if frame.window.typing else (frame.window.tray.refusal_clause,)

    async def press(self, *keys: str) -> None:
        """Keys one right after another, and all that follows from them before anything else."""
        await self._send(
            events.Key(key if len(key) > 1 else _character_to_key(key), key if len(key) == 1 else None) for key in keys
        )

    async def type(self, text: str) -> None:
        """A text for the line that is open, a key for each character. At a desk it is pasted: to read the line anew with each key takes
        most of a session.
        """
        await (self._send([events.Paste(text)]) if IS_AT_A_DESK else self.press(*text))

    async def _send(self, sent: Iterable[events.Key | events.Paste]) -> None:
        driver = self._app._driver
        assert driver is not None
        for event in sent:
            event.set_sender(self._app)
            driver.send_message(event)
        await self._idle()

    async def _idle(self) -> None:
        """Until every widget has done what was asked of it, and what that asked of others.

        The app hears nothing while it waits for the thread that writes the file; so it is waited for first.
        """
        await self.pilot._wait_for_screen()
        await until_idle()

    async def until(self, happened: Callable[[], bool], otherwise: str) -> None:
        """Wait for a condition, as long as the app goes on."""
        for _ in range(_PATIENCE):
            if happened():
                return
            await self._idle()
        raise AssertionError(otherwise)

    def seen(self) -> str:
        """What is on the screen, line by line."""
        lines = self._app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in lines)


@asynccontextmanager
async def opened(folder: Path, *, now: Callable[[], datetime] | None = None) -> AsyncIterator[Keys]:
    """The app on the campaign in a folder. On the way out the file is brought up to the log, as whenever the app is left."""
    dice, evening = Told(), Evening()
    table = Table(folder, now=now or evening, chance=dice)
    async with WayfinderApp(table).run_test(size=(120, 36)) as pilot:
        yield Keys(pilot, table, dice, evening)
    assert table.settle()


# -- what came of it -------------------------------------------------------------------------------------------------


def _as_told(step: Step, entry: LogEntry, asked: str) -> None:
    """The entry is what the step says it comes to."""
    said = [told(fact) for fact in entry.facts]
    for wanted in step.told:
        assert any(wanted in line for line in said), f"{step.do}: “{wanted}” is not told: {said}"
    assert bool(asked) == bool(step.asks), f"{step.do} asks: {asked}"
    assert step.asks in asked, f"{step.do} asks: {asked}"


def told(fact: Fact) -> str:
    """A fact in a line."""
    match fact:
        case OutcomeFact():
            return f"= {fact.label}"
        case NoteFact():
            return f"{fact.text} ({fact.clause})"
        case RollFact():
            return f"{fact.what}: {' '.join(str(die.face) for die in fact.dice)}"


def last_entry(folder: Path) -> LogEntry:
    """The log's last entry."""
    log = Log(folder / "log")
    log.follow()
    assert log.last is not None
    return log.last


def files(folder: Path) -> dict[str, bytes]:
    """The campaign file and the log, as they lie there."""
    found = [folder / "campaign.toml", *sorted((folder / "log").iterdir())]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
