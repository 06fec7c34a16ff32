"""Random tables, for every system: what is behind the door, who answers the call (NM-01…NM-05)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any, ClassVar

from waylog.rules.changes import Path
from waylog.rules.dice import Dice, Die, Face
from waylog.rules.moves import ActRefused, Refusal
from waylog.rules.sheets import Fault, codec
from waylog.values import dataclass

_SIX = 6
_MOST = 100
_D66 = 66
_NUMBER = re.compile(r"[0-9]{1,4}")
_DICE = r"(?i)(?<!\w)(\d{0,2})d([1-9]\d{0,2})([+−-]\d{1,3})?(?!\w)"


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
    def in_order(self) -> Sequence[tuple[str, Entries]]:
        """The sections, as they stand in the file; those that are numbered, by their numbers."""
        named = list(self.sections.items())
        return (
            sorted(named, key=lambda item: int(item[0])) if all(_NUMBER.fullmatch(name) for name, _ in named) else named
        )

    @property
    def is_d66(self) -> bool:
        """Two dice choose: the section, then the entry (NM-02)."""
        return bool(self.sections)

    @property
    def dice(self) -> str:
        """What is rolled on it: `d6`, `d66`, `d20` (NM-01). A single entry needs no die."""
        if len(self.entries) == 1:
            return "no die"
        return "d66" if self.is_d66 else f"d{len(self.entries)}"

    @property
    def numbered_entries(self) -> Sequence[tuple[int, TableEntry]]:
        """Every entry with the number that is rolled for it: 1, 2, 3…, or 11, 12 … 66."""
        if not self.is_d66:
            return tuple(enumerate(self.entries, 1))
        return tuple(
            (10 * section + number, entry)
            for section, (_, entries) in enumerate(self.in_order, 1)
            for number, entry in enumerate(entries, 1)
        )

    def entry(self, number: int) -> TableEntry:
        """The entry of that number. Raises `ActRefused` when there is none."""
        for entry_number, entry in self.numbered_entries:
            if entry_number == number:
                return entry
        there = "11 to 66, both figures from 1 to 6" if self.is_d66 else f"1 to {len(self.entries)}"
        raise ActRefused(f"“{self.name}” has no {number}; it has {there}", "NM-05")

    def roll(self, dice: Dice) -> tuple[int, tuple[Face, ...]]:
        """The number that comes up and the dice that say so (NM-01, NM-02)."""
        if self.is_d66:
            faces = dice.roll([Die(f"{self.name}, section"), Die(f"{self.name}, entry")])
            return 10 * faces[0].face + faces[1].face, faces
        if len(self.entries) == 1:
            return 1, ()
        faces = dice.roll([Die(self.name, len(self.entries))])
        return faces[0].face, faces


def schema() -> dict[str, Any]:
    """JSON Schema of a table's file."""
    properties: dict[str, Any] = codec(RandomTable).schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Waylog random table", **properties}


Tables = Mapping[str, RandomTable]
"""By the name of the file, without its ending."""


@dataclass(frozen=True, slots=True)
class InlineDice:
    """Dice that an entry's text names (NM-03)."""

    said: str
    count: int
    sides: int
    more: int

    @property
    def largest(self) -> int:
        """The sides of each die of them. A d66 is two d6, here as on a table."""
        return _SIX if self.sides == _D66 else self.sides

    def roll(self, source: str, asked: str, dice: Dice) -> tuple[int, tuple[Face, ...]]:
        """What they come to; `asked` is said while one of them is still to be typed."""
        if self.sides == _D66:
            faces = dice.roll([Die(source, asked=asked)] * 2)
            return 10 * faces[0].face + faces[1].face + self.more, faces
        faces = dice.roll([Die(source, self.sides, asked)] * self.count)
        return sum(face.face for face in faces) + self.more, faces


def dice_in(text: str) -> Iterator[tuple[str, InlineDice | None]]:
    """The text in parts: words as they stand, and the dice between them."""
    at = 0
    for match in re.finditer(_DICE, text):
        count, sides, more = int(match[1] or 1), int(match[2]), int((match[3] or "0").replace("−", "-"))
        if count < 1 or not 2 <= sides <= _MOST or (sides == _D66 and count > 1):
            continue
        yield text[at : match.start()], None
        yield match[0], InlineDice(match[0], count, sides, more)
        at = match.end()
    yield text[at:], None


def faults(tables: Tables, key: str) -> Iterator[Fault]:
    """What is wrong with one table, beyond what its types say: its size (NM-01), and tables that there are none of (NM-03)."""
    table = tables[key]
    yield from _of_size(table)
    for path, entry in entries_with_paths(table):
        if entry.table and entry.table not in tables:
            known = ", ".join(tables)
            yield Fault(path, f"there is no table “{entry.table[:40]}”; there are {known}", "NM-03", grave=False)


def _of_size(table: RandomTable) -> Iterator[Fault]:
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


def entries_with_paths(table: RandomTable) -> Iterator[tuple[Path, TableEntry]]:
    """Its entries, whatever its shape, each with its place in the file."""
    for number, entry in enumerate(table.entries):
        yield ("entries", str(number)), entry
    for name, entries in table.sections.items():
        for number, entry in enumerate(entries):
            yield ("sections", name, str(number)), entry


def unusable_tables(tables: Tables, wrong: Mapping[str, Fault]) -> Mapping[str, Refusal]:
    """Why tables can't be rolled on: they are `wrong`, or an entry of theirs would send one on to such a table."""
    found = {key: Refusal(f"“{tables[key].name}”: {fault.message}", fault.clause) for key, fault in wrong.items()}
    leading = {key: {entry.table for _, entry in entries_with_paths(table)} for key, table in tables.items()}
    reached = list(found)
    for key in reached:
        for above in [above for above, below in leading.items() if key in below and above not in found]:
            reason = f"“{tables[above].name}” leads to “{tables[key].name}”, which can't be rolled on; see check"
            found[above] = Refusal(reason, "NM-03")
            reached.append(above)
    return found


def largest_dice(tables: Tables) -> Mapping[str, int]:
    """The sides of the largest die that a roll on each table may ask for, wherever its entries lead."""
    found = {
        key: max((_SIX if table.is_d66 else len(table.entries), *_dice_of(table))) for key, table in tables.items()
    }
    leading = {
        key: {entry.table for _, entry in entries_with_paths(table)} & set(tables) for key, table in tables.items()
    }
    growing = True
    while growing:
        further = {key: max((dice, *(found[below] for below in leading[key]))) for key, dice in found.items()}
        growing, found = further != found, further
    return found


def _dice_of(table: RandomTable) -> Iterator[int]:
    return (thrown.largest for _, entry in entries_with_paths(table) for _, thrown in dice_in(entry.text) if thrown)
