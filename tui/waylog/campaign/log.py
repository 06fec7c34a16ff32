"""The log of a campaign: one file a session, only ever appended to, and the truth if the power fails.

Each entry is a `[[entry]]` block that ends with a checksum of itself, so that a block which was cut short is known for
what it is. Strings are written without raw line ends, so a block can be found by its first line alone.
"""

from __future__ import annotations

import mmap
import os
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, assert_never

import tomli

from waylog.campaign.document import Problem, Unreadable, render
from waylog.campaign.folder import sync
from waylog.rules.changes import Change, dotted, undotted
from waylog.rules.dice import Face
from waylog.rules.turns import Fact, Mood, Note, Result, Rolled

_HEAD = b"[[entry]]\n"
_MARK = b"\n" + _HEAD
_CHECK = re.compile(rb'check = "([0-9a-f]{8})"\n\Z')
_TAIL = 32 * 1024
_BLOCK_CAP = 1 << 20
TITLE = "# Waylog's log: it only ever grows. Read it as you like, and leave it as it is.\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """One act, as it is kept."""

    number: int
    """Counts up from 1 through all sessions."""
    at: datetime
    words: str
    facts: tuple[Fact, ...] = ()
    changes: tuple[Change, ...] = ()
    faces: tuple[int, ...] | None = None
    """The real dice that were typed; None when the app rolled."""
    root: int = 0
    """The first entry of the act that this one belongs to: its own number unless it is a follow-up."""
    undoes: tuple[int, ...] = ()
    """The entries that this one takes back."""
    scene: dict[str, Any] = field(default_factory=dict)
    """What is open after it."""


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """How far the log has come: a session's file and an entry's number. Written `0001:42`."""

    number: int = 0
    session: int = 1

    def __str__(self) -> str:
        return f"{self.session:04}:{self.number}"

    @classmethod
    def read(cls, text: str) -> Mark:
        """The mark written as `text`. Raises `ValueError`."""
        session, _, number = text.partition(":")
        if not (session.isascii() and session.isdigit() and number.isascii() and number.isdigit()):
            raise ValueError(f"“{text[:20]}” is not a place in the log, like 0001:42")
        return cls(int(number), int(session))


def encoded(entry: Entry) -> bytes:
    """The block of an entry, checksum and all."""
    lines = ["[[entry]]", f"number = {entry.number}", f"at = {entry.at.isoformat(timespec='seconds')}"]
    lines.append(f"act = {render(entry.words)}")
    if entry.root != entry.number:
        lines.append(f"root = {entry.root}")
    if entry.faces is not None:
        lines.append(f"dice = {render(list(entry.faces))}")
    if entry.undoes:
        lines.append(f"undoes = {render(list(entry.undoes))}")
    lines.extend(_listed("facts", [fact_tree(fact) for fact in entry.facts]))
    lines.extend(_listed("changes", [_change_tree(change) for change in entry.changes]))
    if entry.scene:
        lines.append(f"scene = {render(entry.scene)}")
    body = ("\n".join(lines) + "\n").encode()
    return body + f'check = "{zlib.crc32(body):08x}"\n'.encode()


def _listed(name: str, trees: Sequence[dict[str, Any]]) -> list[str]:
    if not trees:
        return []
    return [f"{name} = [", *(f"  {render(tree)}," for tree in trees), "]"]


def whole(block: bytes) -> bool:
    """The block is all there: its checksum is right."""
    found = _CHECK.search(block)
    return found is not None and int(found[1], 16) == zlib.crc32(block[: found.start()])


def decoded(block: bytes, name: str) -> Entry:
    """The entry in a block. Raises `Unreadable` when it is not whole."""
    if not whole(block):
        raise Unreadable(Problem(name, 1, 1, "an entry of the log is not whole"))
    raw = tomli.loads(block.decode())["entry"][0]
    return Entry(
        number=raw["number"],
        at=raw["at"],
        words=raw["act"],
        facts=tuple(_fact(tree) for tree in raw.get("facts", ())),
        changes=tuple(_change(tree) for tree in raw.get("changes", ())),
        faces=tuple(raw["dice"]) if "dice" in raw else None,
        root=raw.get("root", raw["number"]),
        undoes=tuple(raw.get("undoes", ())),
        scene=raw.get("scene", {}),
    )


def fact_tree(fact: Fact) -> dict[str, Any]:
    """A fact as plain values, with the keys that the command line promises."""
    match fact:
        case Rolled(what, dice, typed):
            faces = [{"sides": die.sides, "face": die.face, "from": die.source} for die in dice]
            return {"kind": "rolled", "what": what, "dice": faces, "source": "typed" if typed else "app"}
        case Result(outcome, label, mood, who):
            named = {"mood": mood.value} if mood else {}
            return {"kind": "result", "outcome": outcome, "label": label, **named, **({"who": who} if who else {})}
        case Note(text, clause):
            return {"kind": "note", "text": text, **({"clause": clause} if clause else {})}
        case _:
            assert_never(fact)


def _fact(tree: dict[str, Any]) -> Fact:
    match tree["kind"]:
        case "rolled":
            faces = tuple(Face(die["from"], die["face"], die["sides"]) for die in tree["dice"])
            return Rolled(tree["what"], faces, tree["source"] == "typed")
        case "result":
            mood = Mood(tree["mood"]) if "mood" in tree else None
            return Result(tree["outcome"], tree["label"], mood, tree.get("who", ""))
        case _:
            return Note(tree["text"], tree.get("clause"))


def _change_tree(change: Change) -> dict[str, Any]:
    values = {"before": change.before, "after": change.after, "was": change.was, "now": change.now}
    return {"path": dotted(change.path), **{key: value for key, value in values.items() if value is not None}}


def _change(tree: dict[str, Any]) -> Change:
    return Change(undotted(tree["path"]), tree.get("before"), tree.get("after"), tree.get("was"), tree.get("now"))


class Log:
    """The log's files. What was read is kept; what others append is found by `follow`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._entries: dict[int, Entry] = {}
        self._offsets: dict[Path, tuple[int, Sequence[int], int]] = {}
        self._file = folder / "0001.toml"
        self._end = 0
        self.last: Entry | None = None

    @property
    def session(self) -> int:
        """The number of the session that is being written."""
        return int(self._file.stem)

    @property
    def mark(self) -> Mark:
        """Where the log ends."""
        return Mark(self.last.number if self.last else 0, self.session)

    def files(self) -> list[Path]:
        """One file a session, oldest first."""
        return sorted(path for path in self._folder.glob("[0-9][0-9][0-9][0-9].toml"))

    def follow(self) -> list[Entry]:
        """Entries that were appended since the last look; at the first look, those at the end of the log.

        A last block that is not whole is left unread: an append may be under way, or was cut short (see `mend`).
        """
        if self.last is None:
            return self._first_look()
        found: list[Entry] = []
        if self._size(self._file) != self._end:
            found += self._read_from(self._file, self._end)
        while (following := self._folder / f"{self.session + 1:04}.toml").exists():
            found += self._read_from(following, 0)
        return found

    def _first_look(self) -> list[Entry]:
        """The end of the newest file that holds an entry, a good part at a time."""
        for path in reversed(self.files()):
            size = self._size(path)
            for back in (_TAIL, _TAIL * 32, size):
                if found := self._read_from(path, max(0, size - back)):
                    return found
                if back >= size:
                    break
        return []

    def _read_from(self, path: Path, start: int) -> list[Entry]:
        with path.open("rb") as file:
            file.seek(start)
            text = file.read()
        self._file, self._end = path, start
        found = []
        for offset, block in _blocks(text):
            if not whole(block):
                break
            found.append(self._keep(decoded(block, path.name)))
            self._end = start + offset + len(block)
        return found

    def stands(self) -> bool:
        """Nothing was appended since the last look."""
        following = self._folder / f"{self.session + 1:04}.toml"
        return self._size(self._file) == self._end and not following.exists()

    @staticmethod
    def _size(path: Path) -> int:
        try:
            return path.stat().st_size
        except FileNotFoundError:
            return 0

    def _keep(self, entry: Entry) -> Entry:
        self._entries[entry.number] = entry
        if self.last is None or entry.number > self.last.number:
            self.last = entry
        return entry

    def mend(self) -> Path | None:
        """Set aside a last block that was cut short, and tell where it lies now. Only with the lock held."""
        if self._size(self._file) <= self._end:
            return None
        with self._file.open("rb+") as file:
            file.seek(self._end)
            aside = self._file.with_suffix(f".torn-{self._end}")
            aside.write_bytes(file.read())
            file.truncate(self._end)
            os.fsync(file.fileno())
        return aside

    def append(self, entry: Entry) -> None:
        """Write the entry behind the others and make it durable. Only with the lock held, and after `follow`.

        Raises `OSError` with the log as it was when it can't be written whole.
        """
        block = encoded(entry)
        if self._end == 0:
            self._folder.mkdir(exist_ok=True)
            block = f"{TITLE}\n".encode() + block
        else:
            block = b"\n" + block
        descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            try:
                written = os.write(descriptor, block)
                if written < len(block):
                    raise OSError(28, "the disk is full")
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, self._end)
                raise
        finally:
            os.close(descriptor)
        if self._end == 0:
            sync(self._folder)
        self._end += len(block)
        self._keep(entry)

    def entry(self, number: int) -> Entry:
        """The entry with that number. Raises `KeyError`."""
        if number not in self._entries:
            self._read_around(number)
        return self._entries[number]

    def since(self, number: int) -> list[Entry]:
        """The entries after that one, oldest first."""
        newest = self.last.number if self.last else 0
        return [self.entry(wanted) for wanted in range(number + 1, newest + 1)]

    def _read_around(self, number: int) -> None:
        """Read the block of one entry, by the offsets of its file."""
        for path in reversed(self.files()):
            first, offsets, size = self._index(path)
            if first <= number < first + len(offsets):
                place = number - first
                end = offsets[place + 1] if place + 1 < len(offsets) else size
                with path.open("rb") as file:
                    file.seek(offsets[place])
                    block = file.read(end - offsets[place]).rstrip(b"\n") + b"\n"
                self._keep(decoded(block, path.name))
                return
        raise KeyError(number)

    def _index(self, path: Path) -> tuple[int, Sequence[int], int]:
        """The number of a file's first entry, where its blocks begin, and the size that was looked at."""
        size = self._end if path == self._file else path.stat().st_size
        held = self._offsets.get(path)
        if held and held[2] == size:
            return held
        offsets: list[int] = []
        first = 0
        if size:
            with path.open("rb") as file, mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as text:
                at = text.find(_MARK)
                while at >= 0:
                    offsets.append(at + 1)
                    at = text.find(_MARK, at + 1)
                if offsets:
                    number = re.search(rb"number = (\d+)", text[offsets[0] : offsets[0] + 200])
                    first = int(number[1]) if number else 0
        self._offsets[path] = (first, offsets, size)
        return self._offsets[path]


def _blocks(text: bytes) -> list[tuple[int, bytes]]:
    """Every block in `text` and where it begins. What stands before the first one is passed over."""
    starts = [match.start() for match in re.finditer(rb"^\[\[entry\]\]\n", text, re.MULTILINE)]
    ends = [*starts[1:], len(text)]
    found = []
    for start, end in zip(starts, ends, strict=True):
        block = text[start:end]
        found.append((start, block.rstrip(b"\n") + b"\n" if end < len(text) or whole(block) else block))
    return found
