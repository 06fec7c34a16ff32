"""Random tables, for every game: what is behind the door, who answers the call (NM-01…NM-05).

The moves for random tables: roll on one, or pick an entry (NM-01…NM-05).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Annotated, Any, ClassVar

from waylog.rules.codec.base_and_limits import Between, Fault
from waylog.rules.codec.changes import Path, format_path, words_in_order
from waylog.rules.codec.records import codec
from waylog.rules.model.act_lists_and_row_verbs import letters_of_names
from waylog.rules.model.dice import TEN, Dice, Die, Face
from waylog.rules.model.facts import Fact, NoteFact, RollFact, SeenBy
from waylog.rules.model.moves import ActRefused, Answers, Move, Number, Refusal
from waylog.rules.model.state import EffectOffer
from waylog.values import dataclass, field, replace

_SIX = 6
_MOST = 100
_D66 = 66
_NUMBER = r"[0-9]{1,4}"
_DICE = r"(?i)(?<!\w)(\d{0,2})d([1-9]\d{0,2})([+−-]\d{1,3})?(?!\w)"


@dataclass(frozen=True, slots=True)
class TableEntry:
    """One entry of a table. A file may write it as its text alone."""

    SHORT: ClassVar = "text"

    text: Annotated[str, "The text to read out. Any dice in it, as in “d6 survivors”, are rolled too"] = ""
    table: Annotated[str, "Another table to roll on afterwards: the name of its file"] = ""
    effect: Annotated[
        str, "A command to offer when the entry is rolled, such as clock … or one of the game's own commands"
    ] = ""
    weight: Annotated[
        int,
        Between(1, 100, "NM-01"),
        "How many numbers on the die this entry covers, for example on a d100 (default: 1)",
    ] = 1
    seen_by: SeenBy = ()


Entries = tuple[TableEntry, ...]


@dataclass(frozen=True, slots=True)
class RandomTable:
    """A file in `tables/`: a list of entries, or six sections of six, which make a d66."""

    name: Annotated[str, "The table's name (default: the file's name)"] = ""
    seen: Annotated[bool, "Whether players see the table's results"] = False
    notes: Annotated[str, "For the wayfinder"] = ""
    entries: Annotated[Entries, "1 to 100 entries, equally likely unless they have weights"] = ()
    sections: Annotated[Mapping[str, Entries], "A d66 table: six sections of six entries"] = field(default_factory=dict)

    @property
    def in_order(self) -> Sequence[tuple[str, Entries]]:
        """The sections of a d66 table, each as its name and entries: in the order of the file, or by number if all names are numbers."""
        named = list(self.sections.items())
        return (
            sorted(named, key=lambda item: int(item[0]))
            if all(re.fullmatch(_NUMBER, name) for name, _ in named)
            else named
        )

    @property
    def is_d66(self) -> bool:
        """Whether two dice are rolled: one for the section, one for the entry (NM-02)."""
        return bool(self.sections)

    @property
    def sides(self) -> int:
        """The number of sides of its one die: the weights of its entries together (NM-01)."""
        return sum(entry.weight for entry in self.entries)

    @property
    def dice(self) -> str:
        """The dice to roll: `d6`, `d66`, `d20` (NM-01). A single entry needs no die."""
        if len(self.entries) == 1:
            return "no die"
        return "d66" if self.is_d66 else f"d{self.sides}"

    @property
    def numbered_entries(self) -> Sequence[tuple[int, TableEntry]]:
        """Every entry with its number: 1, 2, 3…, or 11, 12 … 66. One with a weight has as many numbers, of which this is the first."""
        if not self.is_d66:
            before = accumulate((entry.weight for entry in self.entries), initial=1)
            return tuple(zip(before, self.entries, strict=False))
        return tuple(
            (10 * section + number, entry)
            for section, (_, entries) in enumerate(self.in_order, 1)
            for number, entry in enumerate(entries, 1)
        )

    @property
    def paths(self) -> Sequence[Path]:
        """The path in the file of each of `numbered_entries`."""
        if not self.is_d66:
            return tuple(("entries", str(index)) for index in range(len(self.entries)))
        return tuple(("sections", name, str(index)) for name, entries in self.in_order for index in range(len(entries)))

    def entry(self, number: int) -> TableEntry:
        """Return the entry with that number. Raises `ActRefused` if there is none."""
        for first, entry in self.numbered_entries:
            if first <= number < first + (1 if self.is_d66 else entry.weight):
                return entry
        there = "11 to 66, both digits from 1 to 6" if self.is_d66 else f"1 to {self.sides}"
        raise ActRefused(f"“{self.name}” has no entry {number}: its entries are {there}", "NM-05")

    def find_entry(self, number: str) -> TableEntry | None:
        """Return the entry with that number; None if the table has none, or no longer."""
        try:
            return self.entry(int(number)) if re.fullmatch(_NUMBER, number) else None
        except ActRefused:
            return None

    def roll(self, dice: Dice) -> tuple[int, tuple[Face, ...]]:
        """Roll; return the number, and the dice that were rolled for it (NM-01, NM-02)."""
        if self.is_d66:
            faces = dice.roll([Die(f"{self.name}, section"), Die(f"{self.name}, entry")])
            return 10 * faces[0].face + faces[1].face, faces
        if len(self.entries) == 1:
            return 1, ()
        faces = dice.roll([Die(self.name, self.sides)])
        return faces[0].face, faces


def numbers_text(first: int, entry: TableEntry) -> str:
    """Return the numbers of an entry as they are written: `4`, or `4–6` for one with a weight."""
    return f"{first}–{first + entry.weight - 1}" if entry.weight > 1 else f"{first}"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a table's file."""
    properties: dict[str, Any] = codec(RandomTable).schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Waylog random table", **properties}


Tables = Mapping[str, RandomTable]
"""Random tables by the name of their file, without its ending."""


@dataclass(frozen=True, slots=True)
class InlineDice:
    """Dice in the text of an entry (NM-03)."""

    said: str
    count: int
    sides: int
    more: int

    @property
    def dice(self) -> str:
        """The dice without what is added: `2d6`. The faces that they show are named with it."""
        return re.split("[+−-]", self.said)[0].strip()

    @property
    def largest(self) -> int:
        """The number of sides of each die. A d66 is two d6."""
        return _SIX if self.sides == _D66 else self.sides

    def roll(self, source: str, asked: str, dice: Dice) -> tuple[int, tuple[Face, ...]]:
        """Roll them and add them up. A person who types real dice is asked for them with the text `asked`."""
        if self.sides == _D66:
            faces = dice.roll([Die(source, asked=asked)] * 2)
            return 10 * faces[0].face + faces[1].face + self.more, faces
        faces = dice.roll([Die(source, self.sides, asked)] * self.count)
        return sum(face.face for face in faces) + self.more, faces


def dice_in(text: str) -> Iterator[tuple[str, InlineDice | None]]:
    """Split a text at the dice in it."""
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
    """Yield the faults of one table that its types don't show: its size (NM-01), and tables it names that don't exist
    (NM-03).
    """
    table = tables[key]
    if table.entries and table.sections:
        yield Fault(("sections",), "a table has either entries or six sections of six, not both", "NM-01", grave=False)
    elif table.sections:
        if len(table.sections) != _SIX:
            message = f"a d66 table has six sections, but this one has {len(table.sections)}"
            yield Fault(("sections",), message, "NM-01", grave=False)
        for name, entries in table.sections.items():
            if len(entries) != _SIX:
                message = f"a section has six entries, but this one has {len(entries)}"
                yield Fault(("sections", name), message, "NM-01", grave=False)
            for number, entry in enumerate(entries):
                if entry.weight > 1:
                    message = "on a d66, each entry has one number, so none can have a weight"
                    yield Fault(("sections", name, str(number)), message, "NM-01", grave=False)
    elif not 1 <= len(table.entries) <= _MOST:
        message = f"a table has 1 to {_MOST} entries, but this one has {len(table.entries)}"
        yield Fault(("entries",), message, "NM-01", grave=False)
    elif table.sides > _MOST:
        message = f"the weights of a table can add up to {_MOST} at most, but these add up to {table.sides}"
        yield Fault(("entries",), message, "NM-01", grave=False)
    for path, entry in entries_with_paths(table):
        if entry.table and entry.table not in tables:
            known = ", ".join(tables)
            yield Fault(
                path,
                f"an entry leads to “{entry.table[:40]}”, but there is no such table. The tables are {known}",
                "NM-03",
                grave=False,
            )


def entries_with_paths(table: RandomTable) -> Iterator[tuple[Path, TableEntry]]:
    """Yield the entries of a table of any shape, each with its path in the file."""
    for number, entry in enumerate(table.entries):
        yield ("entries", str(number)), entry
    for name, entries in table.sections.items():
        for number, entry in enumerate(entries):
            yield ("sections", name, str(number)), entry


def unusable_tables(tables: Tables, wrong: Mapping[str, Fault]) -> Mapping[str, Refusal]:
    """Return why tables can't be rolled on: they are in `wrong`, or one of their entries leads to such a table."""
    found = {key: Refusal(f"“{tables[key].name}”: {fault.message}", fault.clause) for key, fault in wrong.items()}
    leading = {key: {entry.table for _, entry in entries_with_paths(table)} for key, table in tables.items()}
    reached = list(found)
    for key in reached:
        for above in [above for above, below in leading.items() if key in below and above not in found]:
            reason = f"“{tables[above].name}” leads to “{tables[key].name}”, which has a problem (see waylog check)"
            found[above] = Refusal(reason, "NM-03")
            reached.append(above)
    return found


def largest_dice(tables: Tables) -> Mapping[str, int]:
    """Return, for each table, the sides of the largest die that a roll on it may need, on other tables too."""
    found = dict[str, int]()
    for key, table in tables.items():
        inline = (dice for _, entry in entries_with_paths(table) for _, dice in dice_in(entry.text) if dice)
        found[key] = max((_SIX if table.is_d66 else table.sides, *(dice.largest for dice in inline)))
    leading = {
        key: {entry.table for _, entry in entries_with_paths(table)} & set(tables) for key, table in tables.items()
    }
    growing = True
    while growing:
        further = {key: max((dice, *(found[below] for below in leading[key]))) for key, dice in found.items()}
        growing, found = further != found, further
    return found


VERBS = ("table", "pick")
RolledEntry = tuple[tuple[Fact, ...], tuple[EffectOffer, ...]]
"""The result of a roll on a table: its facts, and the effects that the entry offers."""


def table_words(tables: Tables) -> Mapping[str, str]:
    """Return the keys of tables by the word to type for each."""
    return words_in_order(tables, [key for key, table in tables.items() if table.seen], "table")


def table_letters(tables: Tables) -> Mapping[str, str]:
    """Return the letter of each table by its path, from its name. Those of tables that players see don't depend on the others."""
    in_order = sorted(tables, key=lambda key: not tables[key].seen)
    return letters_of_names({f"tables.{key}": tables[key].name for key in in_order})


def moves(tables: Tables, blocked: Mapping[str, Refusal]) -> tuple[Move, ...]:
    """Return a roll and a pick for each table. `blocked` says why some can't be used: they lead back to themselves, or
    have the wrong size.
    """
    offered = []
    largest = largest_dice(tables)
    words, letters = table_words(tables), table_letters(tables)
    for word, key in words.items():
        table, about, no = tables[key], (f"tables.{key}",), blocked.get(key)
        whole = largest[key] > TEN
        what = f"Roll {table.dice} on" if len(table.entries) != 1 else "Read"
        label = f"{what} “{table.name}”"
        roll = Move("table", (word,), label, (), no, about=about, effect=True, whole=whole, name=table.name)
        offered.append(replace(roll, key=letters.get(about[0], "")))
        least, most = (11, _D66) if table.is_d66 else (1, max(1, table.sides))
        asks = (Number("number", "Entry", least, most),)
        offered.append(
            Move("pick", (word,), f"Pick from “{table.name}”", asks, no, about=about, whole=whole, name=table.name)
        )
    return tuple(offered)


def play(tables: Tables, move: Move, answers: Answers, dice: Dice) -> RolledEntry:
    """Play a roll on a table, or a pick: return its facts, those of every table it leads to, and the effects to offer."""
    key = table_words(tables)[move.words[0]]
    if move.verb == "pick":
        number = int(str(answers["number"]))
        return _read_out(tables, key, number, f"“{tables[key].name}”, {number} (picked)", dice)
    return _roll_table(tables, key, dice)


def _roll_table(tables: Tables, key: str, dice: Dice) -> RolledEntry:
    table = tables[key]
    number, faces = table.roll(dice)
    thrown = RollFact(table.name, faces, dice.are_real, secret=not table.seen, about=(_path(key),))
    facts, offers = _read_out(tables, key, number, f"“{table.name}”, {number}", dice)
    return ((thrown, *facts) if faces else facts), offers


def _read_out(tables: Tables, key: str, number: int, title: str, dice: Dice) -> RolledEntry:
    """Read out an entry with its dice rolled, then the entries it leads to (NM-03). The caller makes sure that there is
    no circle.
    """
    table, row = tables[key], tables[key].entry(number)
    words, facts = "", []
    for text, thrown in dice_in(row.text):
        if thrown is None:
            words += text
        else:
            what = f"{table.name}, {thrown.dice}"
            total, faces = thrown.roll(what, f"{title}, “{row.text}”: {thrown.said}", dice)
            facts.append(RollFact(what, faces, dice.are_real, secret=not table.seen, about=(_path(key, number),)))
            words += f"{total} ({thrown.said})"
    hidden = not (table.seen or row.seen_by)
    note = NoteFact(f"{title}: {words}", "NM-05", secret=hidden, about=(_path(key, number),), quote=words)
    facts_so_far: tuple[Fact, ...] = (*facts, note)
    offers = (EffectOffer(f"tables.{key}", row.text, row.effect),) if row.effect else ()
    if row.table in tables:
        more, others = _roll_table(tables, row.table, dice)
        # A hidden table hides the facts of every table that it leads to.
        below = (
            replace(fact, secret=fact.secret or hidden, about=(_path(key, number), *fact.about))
            if isinstance(fact, NoteFact | RollFact)
            else fact
            for fact in more
        )
        return (*facts_so_far, *below), (*offers, *others)
    return facts_so_far, offers


def _path(key: str, *number: int) -> str:
    """Return the path of a table, or of one of its entries, for the `about` of a fact."""
    return format_path(("tables", key, *map(str, number)))
