"""A thousand acts, taken back one by one: the campaign file is what it was, to the byte, but for how far the log is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from torture.acts import any_act
from torture.campaigns import FILE, Witness, made, opened
from torture.figures import Harness, Tally, Work
from waylog.rules.model.moves import ActRefused
from waylog.table import Table

_ACTS = 1000
_WRONGS = ("not byte-identical", "not taken back", "states wrong")
_MARK = re.compile(rb'^log = "[0-9:]*"', re.MULTILINE)


def run(work: Work) -> Iterator[Tally]:
    """Play chains on files of many hands; the file is brought up at random moments on the way there and back."""
    tally = Tally("chains of acts, undone to the start", "chains", _WRONGS, work.times(20, 2, 1))
    tally.also["acts"] = tally.also["undos"] = 0
    for number in range(tally.wanted):
        random = Random(f"{work.seed} {number}")
        folder = made(work.folder / f"campaign-{number}")
        (folder / FILE).write_bytes(_by_another_hand(random, (folder / FILE).read_bytes()))
        _chain(folder, random, work.times(_ACTS, 250, 50), tally)
        tally.did()
    yield tally


def _chain(folder: Path, random: Random, acts: int, tally: Tally) -> None:
    before, witness = (folder / FILE).read_bytes(), Witness(folder)
    table = opened(folder, random)
    while acts:
        acts -= _played(random, table)
        tally.also["acts"] = tally.also["acts"] + 1
        _sometimes_settled(random, table)
        if random.random() < 0.01:
            table = opened(folder, random)
    while True:
        try:
            entry = table.undo()
        except ActRefused:
            break
        tally.also["undos"] += 1
        left = [fact for fact in entry.facts if "changed since" in getattr(fact, "text", "")]
        if left:
            tally.wrong("not taken back", f"{folder.name}: entry {entry.number}: {left}")
        _sometimes_settled(random, table)
    table.settle()
    after = (folder / FILE).read_bytes()
    if _unmarked(after) != _unmarked(before):
        tally.wrong("not byte-identical", f"{folder.name}: {_difference(before, after)}")
    for wrong in witness.follow():
        tally.wrong("states wrong", f"{folder.name}: {wrong}")
    if wrong := witness.file_is_wrong(settled=True):
        tally.wrong("states wrong", f"{folder.name}: {wrong}")


def _played(random: Random, table: Table) -> bool:
    try:
        table.play(any_act(random, table.snapshot))
    except ActRefused:
        return False
    return True


def _sometimes_settled(random: Random, table: Table) -> None:
    if random.random() < 0.1:
        table.settle()


def _by_another_hand(random: Random, text: bytes) -> bytes:
    """The file with odd spellings, remarks and line ends."""
    lines = text.decode().splitlines()
    for at, line in enumerate(lines):
        if random.random() < 0.2 and not line.startswith(("log", "format", "system", "#:")):
            line = re.sub(r"= (\d+)\b", lambda found: f"= {hex(int(found[1]))}", line)
            line = line.replace(" = ", random.choice(("=", "  =  ", " =\t")), 1) + random.choice(
                ("", "  # by hand", "\t")
            )
            lines[at] = random.choice(("", "  ", "\t")) + line
    end = random.choice(("\n", "\n", "\r\n"))
    return (end.join(lines) + random.choice(("", end, end * 3))).encode()


def _unmarked(text: bytes) -> bytes:
    return _MARK.sub(b"log", text)


def _difference(before: bytes, after: bytes) -> str:
    old, new = _unmarked(before).splitlines(), _unmarked(after).splitlines()
    return f"{[line for line in new if line not in old][:3]} for {[line for line in old if line not in new][:3]}"


HARNESS = Harness("chains", "a thousand acts, undone to the start", run)
