"""The tutorial: a small campaign, and steps that are judged by what the log has.

A step is done when an entry has what it asks for, whichever keys, clicks or shell commands led there. So the tutorial knows nothing
of the screen, and one that was left goes on where its log ends. `waylog learn` opens it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from waylog.rules.codec.changes import Change
from waylog.rules.model.facts import Fact, OutcomeFact, RollFact
from waylog.rules.model.state import EntryKind
from waylog.store.files_and_lock import FILE
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import Table

CAMPAIGN = """\
# A campaign to learn with. Nothing in it matters: `waylog learn --again` begins with a new one.

format = 1
name = "Learning"
system = "veil-core"

[sessions.1]
began = "{began}"
title = "A first evening"

[ship]
name = "Swallow"
about = "Small, patched, and yours"
focus = 1

[ship.core]
CPU = 2
HUL = 2
NAV = 2

[ship.modules.1]
name = "FOG HORN"
about = "Heard for miles, and never answered"
kind = "additional"
uses = 3
uses_left = 3

[crew.joss]
name = "Joss"
role = "Pilot"          # change this line when the tutorial asks for it
primary = {{ name = "charts", about = "For finding the way" }}

[crew.mara]
name = "Mara"
role = "Engineer"
primary = {{ name = "spanner", about = "For what is stuck" }}

[clocks.fog]
name = "Fog"
kind = "catastrophe"
segments = 6
filled = 1
outcome = "Nobody sees the reef"
"""
"""The campaign's file. `began` is the time at which its session started."""


class TutorialStep(NamedTuple):
    """One step of the tutorial."""

    hint: str
    """The instruction, with keys in brackets and typed text in quotes. `{roll}` is the key of that binding, `{file}` the campaign file."""
    is_done: Callable[[LogEntry], bool]


def _has(is_meant: Callable[[Fact], bool]) -> Callable[[LogEntry], bool]:
    return lambda entry: any(map(is_meant, entry.facts))


def _changes(entry: LogEntry, part: str) -> Iterator[Change]:
    return (change for change in entry.changes if change.path[0] == part)


def _fills_clock(entry: LogEntry) -> bool:
    return any(
        change.path[-1] == "filled" and _is_less(change.before, change.after) for change in _changes(entry, "clocks")
    )


def _does_damage(entry: LogEntry) -> bool:
    changed = (change for part in ("ship", "crew") for change in _changes(entry, part))
    return entry.kind is EntryKind.PLAY and any(_is_less(change.after, change.before) for change in changed)


def _is_less(one: Any, other: Any) -> bool:
    """Return whether the first value is less. Values that are neither numbers nor marks are not."""
    return isinstance(one, int) and isinstance(other, int) and one < other


def _hides_clock(entry: LogEntry) -> bool:
    return any(_sight_after(change) is False for change in _changes(entry, "clocks"))


def _shows_clock(entry: LogEntry) -> bool:
    return any(change.before is False and _sight_after(change) is True for change in _changes(entry, "clocks"))


def _sight_after(change: Change) -> Any:
    """Return whether players see the clock after the change; None if the change is about something else."""
    if change.path[-1] == "seen":
        return change.after
    return change.after.get("seen") if len(change.path) == 2 and isinstance(change.after, Mapping) else None


def _is(*kinds: EntryKind) -> Callable[[LogEntry], bool]:
    return lambda entry: entry.kind in kinds


STEPS = (
    TutorialStep(
        "This is your ship. [{look.crew}] shows its crew. Roll for Mara: [{roll}] [m] [Enter]",
        _has(lambda fact: isinstance(fact, RollFact)),
    ),
    TutorialStep(
        "Now with real dice: suppose you rolled a 3 and a 5 for NAV. Type them with the roll: [{roll}] “n 35” [Enter]",
        _has(lambda fact: isinstance(fact, RollFact) and fact.typed),
    ),
    TutorialStep(
        "The ship has 1 Focus, which can turn the 5 into a 6. Spend it: [f] [5] [Enter]. [k] keeps the dice as they are",
        _has(lambda fact: isinstance(fact, OutcomeFact)),
    ),
    TutorialStep("A clock shows trouble getting closer. Fill a segment of Fog: [{tick}] [f]", _fills_clock),
    TutorialStep(
        "Write down what happened: [{note}] “The fog comes in” [Enter]", _is(EntryKind.NOTE, EntryKind.SECRET)
    ),
    TutorialStep("A rock scrapes the hull. Damage the ship: [{damage}] [s] [Enter]", _does_damage),
    TutorialStep("The rock missed after all. Undo the damage: [{undo}] [Enter]", _is(EntryKind.UNDO, EntryKind.REWIND)),
    TutorialStep("Now add a clock that players can't see: [{clock}] “Reef 4 death hidden” [Enter]", _hides_clock),
    TutorialStep(
        "Now the crew sees the surf. Show the clock to players (Waylog asks first): [{sight}] [r] [Enter]", _shows_clock
    ),
    TutorialStep(
        "The whole campaign is a text file. Open “{file}” in any editor ([{editor}] opens yours), change a role, and save",
        _is(EntryKind.BY_HAND),
    ),
    TutorialStep("That was your first session. End it: [{session}] [Enter]", _is(EntryKind.SESSION_ENDS)),
)
"""The steps, in order."""
END = "You're ready to run a game. To write a recap for the players: [{palette}] “recap” [Enter]. [Esc] closes the recap, and [{quit}] quits. To create your own campaign: [{campaigns}] “new campaign”"


def open_tutorial(folder: Path, opens: Callable[[Path], Table], now: datetime, *, again: bool = False) -> Table:
    """Return the campaign of the tutorial as it was left. It is made if it is not there, if the tutorial is over, or to start `again`.

    Raises `UnreadableFile` or `OSError`.
    """
    table = opens(folder) if (folder / FILE).is_file() and not again else None
    if table is None or Tutorial(table).is_over:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / FILE).write_text(CAMPAIGN.format(began=f"{now:%Y-%m-%d %H:%M}"), encoding="utf-8")
        table = opens(folder)
    return table


class Tutorial:
    """The progress of a person in the tutorial."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._read = 0
        self._done = 0

    @property
    def is_over(self) -> bool:
        """Whether every step is done."""
        self._take_entries()
        return self._done == len(STEPS)

    def advise(self, keys: Mapping[str, str]) -> str:
        """Return what to do next. `keys` has the name of each binding's key, by the id of the binding."""
        self._take_entries()
        file = str(self._table.folder / FILE)
        home = str(Path.home())
        known = {**keys, "file": f"~{file[len(home) :]}" if file.startswith(f"{home}/") else file}
        if self._done == len(STEPS):
            return _fill(END, known)
        return f"{self._done + 1}/{len(STEPS)} {_fill(STEPS[self._done].hint, known)}"

    def _take_entries(self) -> None:
        """Read what was logged since the last call. One entry may complete several steps."""
        while self._read < self._table.snapshot.entries:
            self._read += 1
            entry = self._table.entry(self._read)
            while self._done < len(STEPS) and STEPS[self._done].is_done(entry):
                self._done += 1


def _fill(hint: str, known: Mapping[str, str]) -> str:
    """Return the hint with keys and file in their places. A binding without a key leaves its place empty."""
    return re.sub(r"\{([\w.]+)\}", lambda found: known.get(found[1], ""), hint)
