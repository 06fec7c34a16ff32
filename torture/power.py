"""A power cut: the disk as it is at the moment of an acknowledgement has everything that was acknowledged.

The disk is a file; a copy of that file is what a machine finds when it comes up again.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

from torture.acts import one
from torture.campaigns import Witness, fingerprint, made, opened
from torture.disks import mounted, new_image
from torture.figures import Harness, Tally, Work
from torture.processes import forked

_SIZE = 12 * 1024 * 1024
_WRONGS = ("acknowledged acts lost", "files unreadable", "states wrong", "strays")
_OF_ONE_CAMPAIGN = 10


def run(work: Work) -> Iterator[Tally]:
    """Play on a disk in a file; copy it when an act has been acknowledged; see what the copy holds."""
    tally = Tally("power cut at the acknowledgement", "cuts", _WRONGS, work.times(100, 5, 2))
    random = Random(work.seed)
    with mounted(new_image(work.folder / "disk", _SIZE), work.folder / "running") as disk:
        while tally.count < tally.wanted:
            witness = Witness(made(disk / f"campaign-{tally.count}"))
            done = dict[int, int]()
            for _ in range(min(_OF_ONE_CAMPAIGN, tally.wanted - tally.count)):
                acknowledged = _cut(work, witness.folder, random)
                done |= {number: entry for number, entry, _ in acknowledged}
                _look(work, witness, done, settled=acknowledged[-1][2], tally=tally)
                tally.did()
    yield tally


def _cut(work: Work, folder: Path, random: Random) -> list[tuple[int, int, bool]]:
    """Let a process play a little, copy the disk at its last acknowledgement, and end it.

    Gives each entry's number and fingerprint, and whether the campaign file was brought up to it.
    """
    reading, writing = os.pipe()
    seed, acts = random.random(), random.randint(1, 4)
    pid = forked(lambda: _play(folder, Random(seed), acts, writing))
    os.close(writing)
    with os.fdopen(reading) as pipe:
        lines = [pipe.readline().split() for _ in range(acts)]
        shutil.copyfile(work.folder / "disk", work.folder / "copy")
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return [(int(number), int(entry), settled == "True") for number, entry, settled in lines]


def _play(folder: Path, random: Random, acts: int, acknowledge: int) -> None:
    """Do so many acts, say so after each, and wait for the end."""
    table = opened(folder, random)
    while acts:
        entry = one(random, table)
        if entry is not None:
            acts -= 1
            settled = random.random() < 0.5 and table.settle()
            os.write(acknowledge, f"{entry.number} {fingerprint(entry)} {settled}\n".encode())
    signal.pause()


def _look(work: Work, running: Witness, done: dict[int, int], *, settled: bool, tally: Tally) -> None:
    """Start up again from the copy."""
    where = f"cut {tally.count}"
    with mounted(work.folder / "copy", work.folder / "again") as disk:
        witness = Witness(disk / running.folder.name, running)
        tally.all_wrong("files unreadable", where, witness.unreadable())
        if settled and not witness.unreadable() and not str(witness.tree().get("log")).endswith(f":{max(done)}"):
            tally.wrong("acknowledged acts lost", f"{where}: the file was brought up to {max(done)}, and is not now")
        found = witness.next_start()
        tally.all_wrong("files unreadable", where, found.unreadable)
        tally.all_wrong("states wrong", where, found.states)
        tally.all_wrong("strays", where, found.strays)
        tally.all_wrong("acknowledged acts lost", where, witness.lost(done))


HARNESS = Harness("power", "power cuts, on a disk in a file", run, ("mkfs.ext4", "mount"), mounts=True)
