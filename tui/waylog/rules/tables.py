"""Random tables, for every system: what is behind the door, who answers the call (NM-01…NM-05)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from waylog.rules.dice import Dice, Die, Face
from waylog.rules.moves import Refused
from waylog.rules.sheets import Fault

_SIX = 6
_MOST = 100
_DICE = re.compile(r"(?<![\w])(\d{0,2})d([1-9]\d{0,2})(?:\+(\d{1,3}))?(?![\w])")


@dataclass(frozen=True, slots=True)
class TableEntry:
    """One line of a table. In a file it may stand as its text alone."""

    SHORT: ClassVar = "text"

    text: Annotated[str, "What is read out. Dice in it (d6 survivors) are rolled with it"] = ""
    table: Annotated[str, "Another table to roll on with it: the name of its file"] = ""
    effect: Annotated[str, "An act in words, offered when it comes up: damage ship, clock …"] = ""


Entries = tuple[TableEntry, ...]


@dataclass(frozen=True, slots=True)
class RandomTable:
    """A file in `tables/`: a list of entries, or six sections of six, which make a d66."""

    name: Annotated[str, "As it is called at the table; without one, the file's name"] = ""
    seen: Annotated[bool, "The players see what comes of it"] = False
    notes: Annotated[str, "For the wayfinder"] = ""
    entries: Annotated[Entries, "1 to 100 of them, each as likely as the next"] = ()
    sections: Annotated[Mapping[str, Entries], "A d66 table: six sections of six entries"] = field(default_factory=dict)

    @property
    def is_d66(self) -> bool:
        """Two dice choose: the section, then the entry (NM-02)."""
        return bool(self.sections)

    @property
    def dice(self) -> str:
        """What is rolled on it: `d6`, `d66`, `d20` (NM-01)."""
        return "d66" if self.is_d66 else f"d{len(self.entries)}"

    @property
    def numbered(self) -> Sequence[tuple[int, TableEntry]]:
        """Every entry with the number that is rolled for it: 1, 2, 3…, or 11, 12 … 66."""
        if not self.is_d66:
            return tuple(enumerate(self.entries, 1))
        return tuple(
            (10 * section + number, entry)
            for section, entries in enumerate(self.sections.values(), 1)
            for number, entry in enumerate(entries, 1)
        )

    def entry(self, number: int) -> TableEntry:
        """The entry of that number. Raises `Refused` when there is none."""
        for own, entry in self.numbered:
            if own == number:
                return entry
        first, last = self.numbered[0][0], self.numbered[-1][0]
        raise Refused(f"“{self.name}” has {first} to {last}, not {number}", "NM-05")

    def roll(self, dice: Dice) -> tuple[int, tuple[Face, ...]]:
        """The number that comes up and the dice that say so (NM-01, NM-02)."""
        if self.is_d66:
            faces = dice.roll([Die(f"{self.name}, section"), Die(f"{self.name}, entry")])
            return 10 * faces[0].face + faces[1].face, faces
        faces = dice.roll([Die(self.name, len(self.entries))])
        return faces[0].face, faces


Tables = Mapping[str, RandomTable]
"""By the name of the file, without its ending."""


@dataclass(frozen=True, slots=True)
class DiceIn:
    """Dice that an entry's text names (NM-03)."""

    said: str
    count: int
    sides: int
    more: int

    def roll(self, source: str, dice: Dice) -> tuple[int, tuple[Face, ...]]:
        """What they come to."""
        faces = dice.roll([Die(source, self.sides)] * self.count)
        return sum(face.face for face in faces) + self.more, faces


def dice_in(text: str) -> Iterator[tuple[str, DiceIn | None]]:
    """The text in parts: words as they stand, and the dice between them."""
    at = 0
    for match in _DICE.finditer(text):
        count, sides, more = int(match[1] or 1), int(match[2]), int(match[3] or 0)
        if not (1 <= count <= _SIX * 2 and 2 <= sides <= _MOST):
            continue
        yield text[at : match.start()], None
        yield match[0], DiceIn(match[0], count, sides, more)
        at = match.end()
    yield text[at:], None


def faults(tables: Tables, key: str) -> Iterator[Fault]:
    """What is wrong with one table, beyond what its types say: its size (NM-01), and where its entries lead (NM-03)."""
    table = tables[key]
    if table.entries and table.sections:
        yield Fault(("sections",), "a table has entries, or six sections of six; not both", "NM-01", grave=False)
    elif table.sections:
        if len(table.sections) != _SIX:
            message = f"a d66 table has six sections; here are {len(table.sections)}"
            yield Fault(("sections",), message, "NM-01", grave=False)
        for name, entries in table.sections.items():
            if len(entries) != _SIX:
                message = f"a section has six entries; here are {len(entries)}"
                yield Fault(("sections", name), message, "NM-01", grave=False)
    elif not 1 <= len(table.entries) <= _MOST:
        message = f"a table has 1 to {_MOST} entries; here are {len(table.entries)}"
        yield Fault(("entries",), message, "NM-01", grave=False)
    for path, entry in _placed(table):
        if entry.table and entry.table not in tables:
            known = ", ".join(tables) or "none"
            yield Fault(path, f"there is no table “{entry.table[:40]}”; there are {known}", "NM-03", grave=False)


def _placed(table: RandomTable) -> Iterator[tuple[tuple[str, ...], TableEntry]]:
    for entry in table.entries:
        yield ("entries",), entry
    for name, entries in table.sections.items():
        for entry in entries:
            yield ("sections", name), entry


def all_entries(table: RandomTable) -> Iterator[TableEntry]:
    """Its entries, whatever its shape."""
    for _, entry in _placed(table):
        yield entry
