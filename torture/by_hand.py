"""A person writes anything anywhere in the file between acts: the table follows, and the file comes up to the log again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

from torture.acts import one
from torture.campaigns import FILE, Witness, made, opened, saves_in_one_piece
from torture.figures import Harness, Tally, Work
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import UnreadableFile

_ROUNDS = 14
"""Of acts and an edit, for each campaign."""
_LATELY = 3
"""A person may have had any of so many versions before them."""
_BLOCK = re.compile(r"^\[(?:crew|clocks|decks|sessions)\.[^\]]+\][^\n]*\n(?:[^\[\n][^\n]*\n)*", re.MULTILINE)
_LINE = re.compile(r"^(?!format|system|log|name)\w+ = [^\n]*\n", re.MULTILINE)
_TEXT = re.compile(r'^(about|role|notes|outcome) = "[^"\n]*"', re.MULTILINE)


def run(work: Work) -> Iterator[Tally]:
    """Blocks and lines are deleted, renamed and put back, texts changed, old copies saved over new ones."""
    wrongs = ("files that stay behind", "states wrong", "breakdowns")
    tally = Tally("acts and edits of every kind, by hand", "edits", wrongs, work.times(10_000, 140, 28))
    random = Random(work.seed)
    with saves_in_one_piece():
        while tally.count < tally.wanted:
            folder = made(work.folder / "campaign")
            _played(folder, random, tally)
            shutil.rmtree(folder)
    yield tally


def _played(folder: Path, random: Random, tally: Tally) -> None:
    table, witness = opened(folder, random), Witness(folder)
    one(random, table)  # from now on what a person changes is a change
    versions = [_text(folder)]
    for _ in range(_ROUNDS):
        where = f"edit {tally.count}"
        try:
            for _ in range(random.randrange(3)):
                one(random, table)
            if random.random() < 0.6:
                table.settle()
            versions.append(_text(folder))
            save(folder, edited(random, random.choice(versions[-_LATELY:])))
            tally.did()
            if random.random() < 0.2:
                table = _reopened(folder, random, versions[-1])
            _followed(table, folder, versions[-1], random)
        except (LogWriteFailed, OSError, ValueError, KeyError) as error:
            tally.wrong("breakdowns", f"{where}: {error!r}")
            return
        if not table.settle():
            tally.wrong("files that stay behind", f"{where}: {table.snapshot.unsaved}")
            return
        tally.all_wrong("states wrong", where, witness.follow())
        if wrong := witness.file_is_wrong(settled=True):
            tally.wrong("states wrong", f"{where}: {wrong}")
            return


def _reopened(folder: Path, random: Random, good: str) -> Table:
    try:
        return opened(folder, random)
    except UnreadableFile:
        save(folder, good)
        return opened(folder, random)


def _followed(table: Table, folder: Path, good: str, random: Random) -> None:
    """Take the edit in; one that no campaign file may say is taken back, as a person would."""
    table.refresh()
    table.refresh()  # what looked unfinished is looked at once more
    if table.snapshot.broken:
        save(folder, good)
        table.refresh()
    if table.snapshot.asked:
        table.answer_file(keep=random.random() < 0.5)


def _text(folder: Path) -> str:
    return (folder / FILE).read_bytes().decode()


def save(folder: Path, text: str) -> None:
    """Save the campaign file as an editor does."""
    beside = folder / f"{FILE}~"
    beside.write_bytes(text.encode())
    beside.replace(folder / FILE)


def edited(random: Random, text: str) -> str:
    """The text with a block or a line taken out, a block under another name, or another text in one place."""
    blocks, lines = [*_BLOCK.finditer(text)], [*_LINE.finditer(text)]
    match random.randrange(4):
        case 0 if blocks:
            return _without(text, random.choice(blocks))
        case 1 if lines:
            return _without(text, random.choice(lines))
        case 2 if blocks:
            block = random.choice(blocks)
            return text[: block.start()] + block[0].replace(".", f".k{random.randrange(99)}-", 1) + text[block.end() :]
        case _:
            return _TEXT.sub(lambda found: f'{found[1]} = "by hand {random.randrange(999)}"', text, count=1)


def _without(text: str, found: re.Match[str]) -> str:
    return text[: found.start()] + text[found.end() :]


HARNESS = Harness("byhand", "acts and hand edits of every kind in turn", run)
