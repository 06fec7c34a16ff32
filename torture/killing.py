"""kill -9 at any moment of play: what was acknowledged is there at the next start, and nothing else is."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from torture.acts import one
from torture.campaigns import FILE, Witness, fingerprint, made, opened, standing
from torture.figures import Harness, Tally, Work
from torture.processes import forked
from waylog.rules.codec.changes import Change
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import Table

_OF_ONE_CAMPAIGN = 40
"""Kills before a new campaign is begun."""
_WRONGS = ("acknowledged acts lost", "files unreadable", "states wrong", "strays")


def run(work: Work) -> Iterator[Tally]:
    """Kill a player alone; then one that has company."""
    yield _alone(work)
    yield _in_company(work)


def _alone(work: Work) -> Tally:
    """Kill a player again and again, and look each time at what the next start finds."""
    tally = Tally("kill -9 while playing", "kills", _WRONGS, work.times(2000, 100, 10))
    random = Random(work.seed)
    for witness in _campaigns(work, tally):
        pid, heard = _player(witness.folder, random)
        time.sleep(_moment(random))
        _look(witness, _killed(pid, heard), tally)
    return tally


def _in_company(work: Work) -> Tally:
    """The same while another window plays on and a person edits the file, then and between the kill and the next start."""
    wrongs = (*_WRONGS, "hand edits lost", "hand edits taken in twice")
    tally = Tally("kill -9 beside another window and hand edits", "kills", wrongs, work.times(400, 25, 4))
    random = Random(work.seed)
    for witness in _campaigns(work, tally):
        (pid, heard), (other, also_heard) = _player(witness.folder, random), _player(witness.folder, random)
        moment = _moment(random)
        time.sleep(moment * random.random())
        edits = [_edited(witness.folder, "ship", f"edit {tally.count} while it plays")]
        time.sleep(moment * random.random())
        acknowledged = _killed(pid, heard)
        time.sleep(_moment(random) / 4)
        acknowledged |= _killed(other, also_heard)
        if random.random() < 0.5:
            edits.append(_edited(witness.folder, "crew.mara", f"edit {tally.count} after the kill"))
        _look(witness, acknowledged, tally)
        for edit in edits:
            told = [entry.number for entry in witness.entries for change in entry.changes if _is(edit, entry, change)]
            if not told:
                tally.wrong("hand edits lost", f"kill {tally.count} in {witness.folder.name}: {edit}")
            elif len(told) > 1:
                tally.wrong("hand edits taken in twice", f"in {witness.folder.name}: {edit} as {told}")
    return tally


def _is(edit: str, entry: LogEntry, change: Change) -> bool:
    return entry.kind.is_edit and change.after == edit


def _campaigns(work: Work, tally: Tally) -> Iterator[Witness]:
    """A campaign for each kill, so many on one and then a new one; no more once something went wrong on it."""
    tally.also["acts acknowledged"] = 0
    while tally.count < tally.wanted:
        witness = Witness(made(work.folder / f"campaign-{len([*work.folder.iterdir()])}"))
        # From now on what a person changes is a change; before, it is how the campaign begins.
        one(Random(0), opened(witness.folder, Random(0)))
        for _ in range(min(_OF_ONE_CAMPAIGN, tally.wanted - tally.count)):
            yield witness
            tally.did()
            if tally.faults:
                break


def _moment(random: Random) -> float:
    return random.uniform(0, random.choice((0.02, 0.1, 0.3)))


def _player(folder: Path, random: Random) -> tuple[int, int]:
    """Start a process that plays for ever. Gives its id, and where it says what it has done."""
    reading, writing = os.pipe()
    seed = random.random()
    pid = forked(lambda: _play_on(folder, Random(seed), writing))
    os.close(writing)
    return pid, reading


def _killed(pid: int, heard: int) -> dict[int, tuple[int, int]]:
    """Kill a player; gives what it had acknowledged: entry and state, by number."""
    os.kill(pid, signal.SIGKILL)
    with os.fdopen(heard, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    os.waitpid(pid, 0)
    return {int(number): (int(entry), int(state)) for number, entry, state in map(str.split, lines)}


def _play_on(folder: Path, random: Random, acknowledge: int) -> None:
    """Play for ever, the file brought up beside it as in the app; say so after each act."""
    table = opened(folder, random)
    threading.Thread(target=_settle_on, args=(table,), daemon=True).start()
    while True:
        entry = one(random, table)
        if entry is not None:
            os.write(acknowledge, f"{entry.number} {fingerprint(entry)} {standing(table.snapshot)}\n".encode())


def _settle_on(table: Table) -> None:
    while True:
        if not table.file_is_behind() or not table.settle():
            time.sleep(0.001)


def _edited(folder: Path, table: str, text: str) -> str:
    """A person's editor saves the file with another text in a place that no act touches. Gives the text."""
    file, key = folder / FILE, {"ship": "about", "crew.mara": "role"}[table]
    pattern = rf'^(\[{re.escape(table)}\]\n(?:[^\[\n]*\n)*?{key} = )"[^"]*"'
    edited = re.sub(pattern, rf'\g<1>"{text}"', file.read_text(), count=1, flags=re.MULTILINE)
    beside = folder / f"{FILE}~"
    beside.write_text(edited)
    beside.replace(file)
    return text


def _look(witness: Witness, acknowledged: Mapping[int, tuple[int, int]], tally: Tally) -> None:
    """Hold what the next start finds against what was acknowledged."""
    where = f"after kill {tally.count} in {witness.folder.name}"
    tally.also["acts acknowledged"] += len(acknowledged)
    tally.all_wrong("files unreadable", where, witness.unreadable())
    found = witness.next_start()
    tally.all_wrong("files unreadable", where, found.unreadable)
    tally.all_wrong("states wrong", where, found.states)
    tally.all_wrong("strays", where, found.strays)
    lost = witness.lost({number: entry for number, (entry, _) in acknowledged.items()})
    tally.all_wrong("acknowledged acts lost", where, lost)
    for number, (_, state) in acknowledged.items():
        if number not in lost and witness.standing_at(number) != state:
            tally.wrong("states wrong", f"{where}: after entry {number}")


HARNESS = Harness("kill", "kill -9 at random moments of play", run)
