"""Campaigns to play on, and a witness that looks at their folders from outside."""

from __future__ import annotations

import re
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from waylog.rules.codec.changes import Change
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.state import State
from waylog.rules.systems import system
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.file import hand_edits
from waylog.store.file.template_and_conversion import make
from waylog.store.log.entries_and_version_0_1 import LogEntry, Mark, decode_entry, encode_entry
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import UnreadableFile

SYSTEM = "veil-core"
FILE = "campaign.toml"
_PATIENCE = 120.0
"""Seconds for which a campaign may be held by another program that gets little of the processor."""
_AT_HOME = re.compile(
    r"campaign\.toml|\.lock|\.lock\.claim|\.seal|\.schema\.json|log|history|players\.toml|log/\d{4}\.toml|log/\d{4}\.torn-\d+(-\d+)?|history/written|history/known|history/[^/.][^/]*\.toml"
)
"""What may lie in a campaign folder when nobody plays."""
_HEAD = b"[[entry]]\n"
_CHECK = re.compile(rb'check = "([0-9a-f]{8})"\n\s*\Z')


@contextmanager
def saves_in_one_piece() -> Iterator[None]:
    """While this is entered, each save counts as finished at once: nobody saves in pieces."""
    before = hand_edits.STILL, hand_edits.STILL_WHILE_OPEN
    hand_edits.STILL = hand_edits.STILL_WHILE_OPEN = -1.0
    try:
        yield
    finally:  # other harnesses run in this process
        hand_edits.STILL, hand_edits.STILL_WHILE_OPEN = before


def made(folder: Path) -> Path:
    """A new campaign in a new folder."""
    make(folder, folder.name, Game(system(SYSTEM)))
    return folder


def opened(folder: Path, random: Random) -> Table:
    """The table of a campaign, its dice thrown by `random`. It waits for the others as long as a busy machine may need."""
    table = Table(folder, now=lambda: datetime.now(UTC), chance=ChanceDice(random.randrange))
    table.limit_waiting(_PATIENCE)
    return table


def fingerprint(entry: LogEntry) -> int:
    """What tells one entry from every other, to the byte."""
    return zlib.crc32(encode_entry(entry))


def standing(snapshot: Snapshot) -> int:
    """What tells one state of play from another: all that screens show of it."""
    shown = (snapshot.name, snapshot.panels, sorted(snapshot.clocks.items()), snapshot.question)
    return zlib.crc32(repr(shown).encode("utf-8", "surrogatepass"))


def standing_of(game: Game, state: State) -> int:
    """The same of a state that was worked out from the log alone."""
    shown = (state.name, game.panels(state), sorted(state.clocks.items()), game.question(state))
    return zlib.crc32(repr(shown).encode("utf-8", "surrogatepass"))


class Found(NamedTuple):
    """What a start found wrong."""

    unreadable: list[str]
    """Files that are no files of a campaign any more, or not whole."""
    states: list[str]
    """States that are not what the log says."""
    strays: list[str]
    """What lies about."""


class Witness:
    """Follows a campaign from outside: reads its files by the standard library, and works out what they must say.

    The log is read block by block, held against its checksums and against what it was at the last look, and replayed.
    """

    def __init__(self, folder: Path, same: Witness | None = None) -> None:
        """Of a campaign whose log is still empty; or of a copy of the one that another witness has seen so."""
        self.folder = folder
        self.game = Game(system(SYSTEM))
        self.states: list[State] = same.states[:1] if same else [self.game.read(self.tree())[0]]
        """The state after each entry; the first is that of the new campaign."""
        self.entries: list[LogEntry] = []
        self._read: dict[Path, bytes] = {}

    def tree(self) -> dict[str, Any]:
        """The campaign file, by the standard library. Raises `ValueError` when it is no TOML."""
        return tomllib.loads((self.folder / FILE).read_bytes().decode("utf-8-sig"))

    def follow(self) -> Iterator[str]:
        """Take in what the log has grown by. Yields what is wrong with it."""
        for path in sorted((self.folder / "log").glob("*.toml")):
            text, seen = path.read_bytes(), self._read.get(path, b"")
            if not text.startswith(seen):
                yield f"{path.name} was rewritten"
                return
            try:
                tomllib.loads(text.decode())
            except ValueError as error:
                yield f"{path.name} is no TOML: {error}"
                return
            yield from self._replayed(path, text[len(seen) :], first=not seen)
            self._read[path] = text

    def _replayed(self, path: Path, text: bytes, *, first: bool) -> Iterator[str]:
        title, *blocks = text.split(_HEAD)
        if not first and title.strip():
            yield f"{path.name} goes on with {title[:40]!r}"
        for body in blocks:
            block = _HEAD + body.rstrip(b"\n") + b"\n"
            check = _CHECK.search(block)
            if check is None or int(check[1], 16) != zlib.crc32(block[: check.start()]):
                yield f"{path.name}: entry after {len(self.entries)} is torn: {block[:60]!r}"
                return
            entry = decode_entry(block, path.name)
            if entry.number != len(self.entries) + 1:
                yield f"{path.name}: entry {entry.number} comes after {len(self.entries)}"
                return
            scene = {key: value for key, value in entry.scene.items() if key != "act"}
            after = replace(self.game.apply_changes(self.states[-1], entry.changes), open=self.game.read_open(scene))
            self.states.append(after)
            self.entries.append(entry)

    def file_is_wrong(self, *, settled: bool) -> str:
        """Why the campaign file isn't one of the states that the log went through; if `settled`, the last. Empty if it is."""
        try:
            tree = self.tree()
            mark = Mark.read(tree["log"])
        except (OSError, ValueError, KeyError) as error:
            return f"{FILE} can't be read: {error!r}"
        state, faults = self.game.read(tree)
        if grave := [fault for fault in faults if fault.grave]:
            return f"{FILE} is not legal: {grave[0]}"
        if mark.number >= len(self.states):
            return f"{FILE} claims {mark}, and the log ends at {len(self.entries)}"
        # A save leaves the mark in the file as it is, and so the file may say more than its mark tells.
        last = len(self.entries)
        # Nor is a value logged that the game can't have: it stays in the file as a problem, and what held before holds on.
        problems = [fault.path for fault in faults]
        first = last if settled else mark.number
        if all(self._differences(state, number, problems) for number in range(first, last + 1)):
            difference = self._differences(state, first, problems)
            return f"{FILE} at {mark} is not what the log says, which ends at {last}: {difference[:3]}"
        return ""

    def _differences(self, state: State, number: int, problems: Sequence[ValuePath]) -> Sequence[Change]:
        """What the file says otherwise than the log did at that entry, but for values that are shown as problems."""
        return [
            change
            for change in self.game.difference(self.states[number], state)
            if not any(change.path[: len(path)] == path or path[: len(change.path)] == change.path for path in problems)
        ]

    def lost(self, acknowledged: Mapping[int, int]) -> list[int]:
        """The numbers of entries that were acknowledged, with their fingerprints, and are not in the log so."""
        entries = self.entries
        return [n for n, mark in acknowledged.items() if n > len(entries) or fingerprint(entries[n - 1]) != mark]

    def next_start(self) -> Found:
        """Start again, as any window or command does, and look at everything."""
        found = Found([], [], [])
        try:
            table = opened(self.folder, Random(0))
            table.refresh()
            table.settle()
        except (UnreadableFile, LogWriteFailed, OSError) as error:
            found.unreadable.append(f"it does not open: {error}")
            return found
        found.unreadable.extend(self.follow())
        if wrong := self.file_is_wrong(settled=True):
            found.states.append(wrong)
        if standing(table.snapshot) != self.standing_at(len(self.entries)):
            found.states.append("the table shows something else than the log says")
        found.strays.extend(self.strays())
        return found

    def unreadable(self) -> list[str]:
        """What is wrong with the campaign file as it lies there, before anybody mends anything."""
        try:
            self.tree()
        except (OSError, ValueError) as error:
            return [f"{FILE} as it was left: {error!r}"]
        return []

    def standing_at(self, number: int) -> int:
        """What screens must show after that entry."""
        return standing_of(self.game, self.states[number])

    def strays(self) -> list[str]:
        """What lies in the folder and has no place there, and log blocks that were cut short and not set aside."""
        return [
            str(name) for path in sorted(self.folder.rglob("*")) if not _belongs(name := path.relative_to(self.folder))
        ]


def _belongs(name: Path) -> bool:
    return _AT_HOME.fullmatch(name.as_posix()) is not None
