"""A disk that fills up under the play: what was acknowledged stays, what was not done is said, nothing is cut short."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from torture.campaigns import Witness, fingerprint, made, opened
from torture.disks import in_memory, mounted, new_image
from torture.figures import Harness, Tally, Work
from torture.processes import forked
from waylog.rules.model.moves import ActRefused
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import LogWriteFailed, Table

_LEVELS = 64
_ACTS = 25
_LINES = ('note "{}"', "roll nav 6 1", 'clock "Clock {}" 4 push', "roll nav 3 5", "damage mara", "undo")
_WRONGS = ("acknowledged acts lost", "damaged", "not told", "strays")
_KIB = 1024
_ENTRY = 960
"""Bytes, more than an entry has."""


def disks(work: Work) -> Iterator[Tally]:
    """So many levels of free space, on both kinds of disk."""
    with in_memory(work.folder / "memory", 512 * _KIB) as disk:
        yield _on_disk(work, "tmpfs", disk)
    with mounted(new_image(work.folder / "image", 2048 * _KIB), work.folder / "loop") as disk:
        yield _on_disk(work, "ext4", disk)


def _on_disk(work: Work, kind: str, disk: Path) -> Tally:
    tally = Tally(f"levels of a full disk ({kind})", "levels", _WRONGS, work.times(_LEVELS, 8, 2))
    tally.also["acts done"] = tally.also["acts refused for want of room"] = 0
    fresh = made(work.folder / f"fresh-{kind}")
    witness = Witness(fresh)
    for level in range(0, _LEVELS, _LEVELS // tally.wanted):
        campaign = Path(shutil.copytree(fresh, disk / "campaign"))
        table = opened(campaign, Random(level))
        filler = disk / "filler"
        _fill(filler, level * _KIB)
        trial = Witness(campaign, witness)
        _fills_up(table, trial, Random(f"{work.seed} {level}"), f"{kind}, {level} KiB free", tally)
        filler.unlink()
        _with_room_again(table, f"{kind}, {level} KiB free", tally)
        _look(trial, f"{kind}, {level} KiB free", tally)
        shutil.rmtree(campaign)
        tally.did()
    return tally


def _fill(filler: Path, leave: int) -> None:
    """Take all room but so many bytes."""
    with filler.open("wb", buffering=0) as file:
        for size in (64 * _KIB, _KIB):
            try:
                while file.write(b"\1" * size):
                    os.fsync(file.fileno())
            except OSError:
                continue
        os.ftruncate(file.fileno(), max(0, file.tell() - leave))
        os.fsync(file.fileno())


def _fills_up(table: Table, trial: Witness, random: Random, where: str, tally: Tally) -> None:
    """Play until nothing goes any more, and a little longer."""
    done, refused = dict[int, int](), 0
    for turn in range(_ACTS):
        line = random.choice(_LINES).format("x" * random.randrange(3000) if turn % 2 else turn)
        try:
            entry = _done(table, line)
        except ActRefused:
            continue
        except LogWriteFailed:
            refused += 1
            if table.snapshot.held is None:
                tally.wrong("not told", f"{where}: {line[:20]} was not done, and is not held either")
            elif random.random() < 0.5:
                table.discard_unsaved()
            continue
        except OSError as error:
            tally.wrong("not told", f"{where}: {line[:20]}: {error!r} came out of the table")
            continue
        done[entry.number] = fingerprint(entry)
        if not table.settle() and not table.snapshot.unsaved:
            tally.wrong("not told", f"{where}: the file stayed behind, and the snapshot does not say so")
    tally.also["acts done"] += len(done)
    tally.also["acts refused for want of room"] += refused
    _hold(trial, done, where, tally)


def _done(table: Table, line: str) -> LogEntry:
    """Do an act; or the one that is held, first."""
    if table.snapshot.held is not None:
        return table.retry_save()
    return table.undo() if line == "undo" else table.play(table.understand(line))


def _hold(trial: Witness, done: Mapping[int, int], where: str, tally: Tally) -> None:
    """What was acknowledged is in the log, and nothing else is; and the campaign file is whole."""
    tally.all_wrong("damaged", where, (*trial.unreadable(), *trial.follow()))
    tally.all_wrong("acknowledged acts lost", where, trial.lost(done))
    if len(trial.entries) > len(done):
        tally.wrong("not told", f"{where}: {len(trial.entries)} entries of {len(done)} acts")


def _with_room_again(table: Table, where: str, tally: Tally) -> None:
    """What was held can be written now, and the file brought up."""
    if table.snapshot.held is not None:
        words = table.snapshot.held.words
        if table.retry_save().words != words:
            tally.wrong("acknowledged acts lost", f"{where}: {words[:20]} was held")
        tally.also["acts held and written later"] += 1
    if not table.settle():
        tally.wrong("damaged", f"{where}: the file can't be brought up: {table.snapshot.unsaved}")


def _look(trial: Witness, where: str, tally: Tally) -> None:
    """With room again, the next start finds everything."""
    found = trial.next_start()
    tally.all_wrong("damaged", where, (*found.unreadable, *found.states))
    tally.all_wrong("strays", where, found.strays)


def limits(work: Work) -> Iterator[Tally]:
    """A file that may grow by so many bytes and no more: writes are cut short in the middle of an entry."""
    tally = Tally("writes cut short at any byte", "levels", _WRONGS, work.times(2 * _LEVELS, 24, 8))
    fresh = made(work.folder / "fresh")
    witness = Witness(fresh)
    table = opened(fresh, Random(0))
    table.play(table.understand(f'note "{"long " * 4000}"'))
    table.settle()
    for level in range(tally.wanted):
        campaign = Path(shutil.copytree(fresh, work.folder / f"campaign-{level}"))
        trial = Witness(campaign, witness)
        room = level * _ENTRY // tally.wanted
        told = _cut_short(campaign, room)
        tally.did()
        where = f"room for {room} bytes"
        tally.all_wrong("damaged", where, trial.follow())
        if told != (len(trial.entries) == 1):
            tally.wrong("not told", f"{where}: {len(trial.entries)} entries, and {'refused' if told else 'done'}")
        _look(trial, where, tally)
    yield tally


def _cut_short(campaign: Path, room: int) -> bool:
    """Do one act in a process whose files can grow by that much. True when it says that it was not done."""
    reading, writing = os.pipe()

    def act() -> None:
        table = opened(campaign, Random(0))
        size = (campaign / "log" / "0001.toml").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, resource.RLIM_INFINITY))
        try:
            table.play(table.understand("roll nav 6 1"))
        except LogWriteFailed:
            os.write(writing, b"not saved")

    pid = forked(act)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    assert os.waitpid(pid, 0)[1] == 0, "the table raised something else"
    return bool(told)


DISKS = Harness("full", "64 levels of a full disk, in memory and on ext4", disks, ("mkfs.ext4", "mount"), mounts=True)
LIMITS = Harness("limits", "writes cut short in the middle of an entry", limits)
