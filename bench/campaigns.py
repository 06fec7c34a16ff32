"""Campaigns to measure with: one as people play it, larger ones, and logs of years. All made by Waylog's own code."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from waylog.rules.codec.changes import Change
from waylog.rules.game import Game
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import OutcomeFact, OutcomeGrade, RollFact
from waylog.store.file.template_and_conversion import make
from waylog.store.games.game_files import system_named
from waylog.store.log.entries_and_version_0_1 import LogEntry, Mark, encode_entry
from waylog.store.log.log_and_torn_entries import TITLE

_BEGAN = datetime(2026, 1, 5, 20, tzinfo=UTC)
_SESSION = 5000
"""Entries in one file of the log."""
_OPEN = 4
"""Clocks that run; all others are closed and kept, as they are after years."""
_PROSE = (
    "The pilot swears that the beacon answered, though nothing was sent; nobody believes her, and the drive hums on. "
)


def campaign(folder: Path, *, size: int = 0, entries: int = 0, game: str = "veil-core") -> Path:
    """A campaign in a new folder, its file of at least `size` bytes and its log of `entries` entries. Gives the folder."""
    make(folder, folder.name, Game(system_named(game)))
    path = folder / "campaign.toml"
    text = path.read_text(encoding="utf-8")
    if entries:
        mark = _write_log(folder / "log", entries)
        text = text.replace(f'log = "{Mark()}"', f'log = "{mark}"')
    path.write_text(text + "".join(_clocks(size - len(text))), encoding="utf-8")
    return folder


def _clocks(size: int) -> Iterator[str]:
    """Clocks as a person writes them, with remarks, until there are `size` bytes."""
    number = 0
    while size > 0:
        number += 1
        block = (
            f"\n# Session {number}. {_PROSE}\n# {_PROSE}\n\n[clocks.threat-{number}]\n"
            f'name = "Threat {number}"   # as the crew calls it\nsegments = 6\nfilled = {number % 4}\n'
            f'notes = """\n{_PROSE * 4}"""\n'
        )
        block += "" if number <= _OPEN else "closed = true\n"
        size -= len(block)
        yield block


def _write_log(folder: Path, entries: int) -> Mark:
    """A log of so many rolls, one file for every `_SESSION` of them. Gives where it ends."""
    folder.mkdir()
    sessions = range(1, 2 + (entries - 1) // _SESSION)
    for session in sessions:
        numbers = range(1 + (session - 1) * _SESSION, 1 + min(session * _SESSION, entries))
        blocks = b"\n".join(encode_entry(_entry(number)) for number in numbers)
        (folder / f"{session:04}.toml").write_bytes(f"{TITLE}\n".encode() + blocks)
    return Mark(entries, sessions[-1])


def _entry(number: int) -> LogEntry:
    """A roll that brings a Focus token, and another that takes it away."""
    face = 1 + number % 3
    facts = (
        RollFact("NAV", (Face("NAV", face), Face("NAV", 1)), typed=False),
        OutcomeFact("fiasco", "Fiasco", OutcomeGrade.FIASCO, "Ship"),
    )
    focus = number % 2
    changes = (Change(("ship", "focus"), 1 - focus, focus),)
    return LogEntry(number, _BEGAN + timedelta(minutes=number), "roll nav", facts, changes, root=number)
