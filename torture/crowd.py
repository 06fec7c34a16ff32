"""Four programs play one campaign at once: acts take turns, none is lost, none is doubled, and all see the same."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

from torture.acts import one
from torture.campaigns import Witness, fingerprint, made, opened, standing
from torture.figures import Harness, Tally, Work
from torture.processes import forked
from waylog.table import Table

_PROCESSES = 4
_WRONGS = ("lost", "doubled", "torn", "states wrong", "strays", "programs that gave up")


def run(work: Work) -> Iterator[Tally]:
    """Let them play, then hold the log against what each says it did."""
    each = work.times(2000, 150, 12)
    tally = Tally(f"{_PROCESSES} processes on one campaign", "acts", _WRONGS, each * _PROCESSES)
    folder = made(work.folder / "campaign")
    witness = Witness(folder)
    players = [
        forked(partial(_play, folder, Random(work.seed + n), each, work.folder / f"player-{n}"))
        for n in range(_PROCESSES)
    ]
    for n, pid in enumerate(players):
        if os.waitpid(pid, 0)[1]:
            tally.wrong("programs that gave up", f"player {n}")
    for torn in witness.follow():
        tally.wrong("torn", torn)
    tally.also["entries"] = len(witness.entries)
    said: dict[int, int] = {}
    for n in range(_PROCESSES):
        for number, entry, state in _acknowledged(work.folder / f"player-{n}"):
            tally.did()
            if number in said:
                tally.wrong("doubled", f"entry {number}, by player {n} and another")
            said[number] = entry
            if number <= len(witness.entries) and witness.standing_at(number) != state:
                tally.wrong("states wrong", f"player {n} saw something else after entry {number}")
    tally.all_wrong("lost", "entry", witness.lost(said))
    tally.all_wrong("doubled", "nobody's entry", sorted(set(range(1, len(witness.entries) + 1)) - set(said)))
    if wrong := witness.file_is_wrong(settled=False):
        tally.wrong("states wrong", wrong)
    found = witness.next_start()
    tally.all_wrong("torn", "next start", found.unreadable)
    tally.all_wrong("states wrong", "next start", found.states)
    tally.all_wrong("strays", "next start", found.strays)
    yield tally


def _play(folder: Path, random: Random, acts: int, said: Path) -> None:
    """Play so many acts, and say each one in a file of one's own."""
    table = opened(folder, random)
    done = threading.Event()
    settling = threading.Thread(target=_settle_until, args=(table, done))
    settling.start()
    with said.open("w") as lines:
        while acts:
            table.refresh()
            entry = one(random, table)
            if entry is not None:
                acts -= 1
                lines.write(f"{entry.number} {fingerprint(entry)} {standing(table.snapshot)}\n")
    done.set()
    settling.join()


def _settle_until(table: Table, done: threading.Event) -> None:
    """Bring the file up beside the play, as the app does."""
    while not done.is_set():
        if not table.file_is_behind() or not table.settle():
            time.sleep(0.001)


def _acknowledged(said: Path) -> Iterator[tuple[int, int, int]]:
    for line in said.read_text().splitlines():
        number, entry, state = map(int, line.split())
        yield number, entry, state


HARNESS = Harness("crowd", "four processes play one campaign", run)
