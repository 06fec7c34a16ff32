"""Saves that arrive in pieces: the file is emptied, written in part, and the rest comes later, while the campaign is played.

Many campaigns are played at once, as almost all of the time goes by waiting.
"""

from __future__ import annotations

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

from torture.campaigns import FILE, Witness, made, opened
from torture.figures import Form, Harness, Tally, Work
from waylog.cli.do_undo_and_odds import act_result
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import EntryKind
from waylog.store.files_and_lock import CampaignBusy
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import UnreadableFile

_AT_ONCE, _OF_ONE_CAMPAIGN = 16, 8
_LOOK = 0.5
"""Seconds between two looks, as the app has it."""
_SHORTEST, _LONGEST, _LONGEST_IN_SHORT = 0.05, 3.0, 0.6
"""Seconds between two pieces."""
_DELAY, _TURNS = 3.0, 7
"""Seconds after the last byte within which a save must be taken in, and so many looks or commands: on a slow machine they take longer."""
_PATIENCE = 120.0
_WRONGS = ("cut off", "delayed", "values removed", "acts lost", "states wrong", "breakdowns")
_CLOCKS = "".join(
    f'\n# What k{number} is about\n[clocks.k{number}]\nname = "Threat {number}"\nkind = "push"\nsegments = 12\nfilled = 0\n'
    for number in range(12)
)
_PLAYED_ON = (UnreadableFile, LogWriteFailed, CampaignBusy, ActRefused)
"""What a person who plays may be told while a file is being written."""


@dataclass
class Turns:
    """How often whoever plays has looked at the file, or run a command, to the end."""

    ended: int = 0


def run(work: Work) -> Iterator[Tally]:
    """The same for the app, which looks twice a second, and for commands, each of which starts anew."""
    tallies, lock = list[Tally](), threading.Lock()
    longest = _LONGEST if work.form is Form.WHOLE else _LONGEST_IN_SHORT
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for promise, plays in (("the app", _as_the_app), ("the command line", _by_commands)):
            tally = Tally(f"saves in pieces, against {promise}", "saves", _WRONGS, work.times(1_000, 8, 4))
            tallies.append(tally)
            campaigns = -(-tally.wanted // (_OF_ONE_CAMPAIGN if work.form is Form.WHOLE else 1))
            for number in range(campaigns):
                saves = tally.wanted // campaigns + (number < tally.wanted % campaigns)
                random = Random(f"{work.seed} {promise} {number}")
                folder = work.folder / f"{plays.__name__}-{number}"
                pool.submit(_campaign, folder, random, saves, longest, plays, tally, lock)
    yield from tallies


def _campaign(
    folder: Path,
    random: Random,
    saves: int,
    longest: float,
    plays: Callable[..., None],
    tally: Tally,
    lock: threading.Lock,
) -> None:
    """Save into one campaign again and again, and look at what came of it."""
    faults, said, done, slowest = list[tuple[str, str]](), list[str](), 0, 0.0
    turns = Turns()
    try:
        made(folder)
        with (folder / FILE).open("a") as file:
            file.write(_CLOCKS)
        witness = Witness(folder)
        begins = opened(folder, random)
        begins.play(begins.understand("note begins"))
        begins.settle()
        ended = threading.Event()
        player = threading.Thread(target=plays, args=(folder, Random(random.random()), ended, said, turns))
        player.start()
        for number in range(saves):
            delay, passed = _saved(folder, f"save {number} of {folder.name}", random, longest, turns)
            done += 1
            slowest = max(slowest, delay)
            if delay > _PATIENCE:
                faults.append(("cut off", f"{folder.name}, save {number}"))
            elif delay > _DELAY and passed > _TURNS:
                faults.append(("delayed", f"{folder.name}, save {number}: {delay:.2f} s, {passed} turns"))
        ended.set()
        player.join()
        faults += _looked(folder, witness, said)
    except (OSError, ValueError, KeyError, AssertionError, *_PLAYED_ON) as error:
        faults.append(("breakdowns", f"{folder.name}: {error!r}"))
    finally:
        with lock:
            tally.did(done)
            tally.also["acts"] += len(said)
            tally.also["ms at most"] = max(tally.also["ms at most"], int(slowest * 1000))
            for kind, where in faults:
                tally.wrong(kind, where)
    if not faults:
        shutil.rmtree(folder)


def _saved(folder: Path, text: str, random: Random, longest: float, turns: Turns) -> tuple[float, int]:
    """Save the file in pieces, with a new text somewhere.

    Gives the seconds and the turns that have gone by since the last byte and after which the log did not tell of it yet.
    """
    file = folder / FILE
    keys = ("about", "role") if random.random() < 0.8 else ("outcome", "role")
    pattern = rf'^({random.choice(keys)}) = "[^"\n]*"' if random.random() < 0.8 else r'^(about) = "[^"\n]*"'
    edited = re.sub(pattern, rf'\g<1> = "{text}"', file.read_text(), count=1, flags=re.MULTILINE)
    if text not in edited:
        edited = re.sub(r'^(about|role) = "[^"\n]*"', rf'\g<1> = "{text}"', edited, count=1, flags=re.MULTILINE)
    data = f"{edited.rstrip()}\n# {text}\n".encode() if random.random() < 0.3 else edited.encode()
    assert text.encode() in data, "nowhere to write it"
    cuts = sorted(random.randrange(len(data)) for _ in range(random.choice((1, 1, 2))))
    with file.open("wb", buffering=0) as writer:
        for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            if begin:
                time.sleep(random.uniform(_SHORTEST, longest))
            writer.write(data[begin:end])
    last, before, wanted = time.monotonic(), turns.ended, text.encode()
    delay, passed = 0.0, 0
    while delay < _PATIENCE:
        now = time.monotonic() - last, turns.ended - before
        if any(wanted in path.read_bytes() for path in (folder / "log").glob("*.toml")):
            return delay, passed
        delay, passed = now
        time.sleep(0.02)
    return _PATIENCE + 1, passed


def _as_the_app(folder: Path, random: Random, ended: threading.Event, said: list[str], turns: Turns) -> None:
    """Look twice a second, and now and then do something."""
    table: Table | None = None
    for number in count():
        if ended.wait(_LOOK):
            return
        if table is None:
            with suppress(UnreadableFile):  # a file that is cut within a word is none yet
                table = opened(folder, random)
            continue
        with suppress(*_PLAYED_ON):
            table.refresh()
        if random.random() < 0.3:
            _noted(table, f"played {number}", said)
        table.settle()
        turns.ended += 1


def _by_commands(folder: Path, random: Random, ended: threading.Event, said: list[str], turns: Turns) -> None:
    """One command after another, each by a table of its own."""
    for number in count():
        if ended.wait(random.uniform(0.1, 0.8)):
            return
        with suppress(UnreadableFile):
            table = opened(folder, random)
            if entry := _noted(table, f"played {number}", said):
                act_result(table, entry)
        turns.ended += 1


def _noted(table: Table, text: str, said: list[str]) -> LogEntry | None:
    """Write a note, and remember it as acknowledged. None when the campaign can't be played now."""
    with suppress(*_PLAYED_ON):
        entry = table.play(table.understand(f'note "{text}"'))
        said.append(entry.words)
        return entry
    return None


def _looked(folder: Path, witness: Witness, said: list[str]) -> Iterator[tuple[str, str]]:
    """What is wrong at the end."""
    table = opened(folder, Random(0))
    table.refresh()
    table.settle()
    found = witness.next_start()
    yield from (("states wrong", f"{folder.name}: {wrong}") for wrong in (*found.states, *found.unreadable))
    words = [entry.words for entry in witness.entries]
    yield from (("acts lost", f"{folder.name}: {one}") for one in said if one not in words)
    for number in range(12):
        if f"k{number}" not in table.snapshot.clocks:
            yield "cut off", f"{folder.name}: clock k{number} is gone"
    for entry in witness.entries:
        gone = [
            change for change in entry.changes if entry.kind is EntryKind.BY_HAND and isinstance(change.before, dict)
        ]
        if any(change.after is None for change in gone):
            yield "values removed", f"{folder.name}: entry {entry.number} took out {len(gone)} things"


HARNESS = Harness("pieces", "saves in pieces while the app or commands play on", run)
