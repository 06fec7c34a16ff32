"""kill -9 at any moment of play: what was acknowledged is there at the next start, and nothing else is."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from torture.acts import one
from torture.campaigns import Witness, fingerprint, made, opened, standing, started
from torture.figures import Harness, Tally, Work
from torture.processes import forked
from waylog.campaign.document import Unreadable
from waylog.table import Table

_OF_ONE_CAMPAIGN = 40
"""Kills before a new campaign is begun."""
_WRONGS = ("acknowledged acts lost", "files unreadable", "states wrong", "strays")


def run(work: Work) -> Iterator[Tally]:
    """Kill a player again and again, and look each time at what the next start finds."""
    wanted = work.times(2000, 120)
    tally = Tally("kill -9 while playing", "kills", _WRONGS, wanted)
    random = Random(work.seed)
    tally.also["acts acknowledged"] = 0
    while tally.count < wanted:
        folder = made(work.folder / f"campaign-{tally.count}")
        witness = Witness(folder)
        for _ in range(min(_OF_ONE_CAMPAIGN, wanted - tally.count)):
            acknowledged = _killed(folder, random)
            tally.also["acts acknowledged"] += len(acknowledged)
            tally.did()
            _look(witness, acknowledged, tally)
            if tally.faults:
                break
    yield tally


def _killed(folder: Path, random: Random) -> list[tuple[int, int, int]]:
    """Let a process play, kill it at a random moment, and give what it acknowledged: number, entry, state."""
    reading, writing = os.pipe()
    seed, wait = random.random(), random.uniform(0, random.choice((0.02, 0.1, 0.3)))
    pid = forked(lambda: _play_on(folder, Random(seed), writing))
    os.close(writing)
    time.sleep(wait)
    os.kill(pid, signal.SIGKILL)
    with os.fdopen(reading, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    os.waitpid(pid, 0)
    return [(int(number), int(entry), int(state)) for number, entry, state in map(str.split, lines)]


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
        if not table.unsettled() or not table.settle():
            time.sleep(0.001)


def _look(witness: Witness, acknowledged: list[tuple[int, int, int]], tally: Tally) -> None:
    """Hold what the next start finds against what was acknowledged."""
    where = f"after kill {tally.count} in {witness.folder.name}"
    if wrong := _file_before(witness):
        tally.wrong("files unreadable", f"{where}: {wrong}")
    try:
        table = started(witness.folder)
    except (Unreadable, OSError) as error:
        tally.wrong("files unreadable", f"{where}: {error}")
        return
    for wrong in witness.follow():
        tally.wrong("files unreadable", f"{where}: {wrong}")
    for number, entry, state in acknowledged:
        if number > len(witness.entries) or witness.entries[number - 1] != entry:
            tally.wrong("acknowledged acts lost", f"{where}: entry {number}")
        elif witness.standing_at(number) != state:
            tally.wrong("states wrong", f"{where}: after entry {number}")
    if wrong := witness.file_is_wrong(settled=True):
        tally.wrong("states wrong", f"{where}: {wrong}")
    if standing(table.snapshot) != witness.standing_at(len(witness.entries)):
        tally.wrong("states wrong", f"{where}: the table shows something else than the log says")
    for stray in witness.strays():
        tally.wrong("strays", f"{where}: {stray}")


def _file_before(witness: Witness) -> str:
    """What is wrong with the campaign file as the kill has left it, before anybody mends anything."""
    try:
        witness.tree()
    except (OSError, ValueError) as error:
        return f"the campaign file as it was left: {error!r}"
    return ""


HARNESS = Harness("kill", "kill -9 at random moments of play", run)
