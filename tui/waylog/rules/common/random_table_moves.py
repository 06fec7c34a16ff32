"""The moves for random tables: roll on one, or pick an entry (NM-01…NM-05)."""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.changes import format_path
from waylog.rules.common.random_tables import RandomTable, Tables, dice_in, largest_dice
from waylog.rules.dice import TEN, Dice
from waylog.rules.facts import Fact, NoteFact, RollFact
from waylog.rules.moves import Answers, Move, Number, Refusal
from waylog.rules.naming import letters_for, slug, words_in_order
from waylog.rules.state import EffectOffer
from waylog.values import replace

VERBS = ("table", "pick")
Told = tuple[tuple[Fact, ...], tuple[EffectOffer, ...]]


def table_words(tables: Tables) -> Mapping[str, str]:
    """Return the keys of tables by the word to type for each."""
    return words_in_order(tables, [key for key, table in tables.items() if table.seen], "table")


def moves(tables: Tables, blocked: Mapping[str, Refusal]) -> tuple[Move, ...]:
    """Return a roll and a pick for each table. `blocked` says why some can't be used: they lead back to themselves, or
    have the wrong size.
    """
    offered = []
    largest = largest_dice(tables)
    words = table_words(tables)
    letters = letters_for(words)
    for word, key in words.items():
        table, about, no = tables[key], (f"tables.{key}",), blocked.get(key)
        whole = largest[key] > TEN
        what = f"Roll {table.dice} on" if len(table.entries) != 1 else "Read"
        title = f"{what} “{table.name}”"
        label = title if slug(table.name) == word else f"{title} · {word}"
        roll = Move(
            "table", (word,), label, (), no, about=about, effect=True, whole=whole, name=table.name, title=title
        )
        offered.append(replace(roll, key=letters[key]))
        numbers = [number for number, _ in table.numbered_entries] or [1]
        asks = (Number("number", "Entry", numbers[0], numbers[-1]),)
        offered.append(
            Move("pick", (word,), f"Pick from “{table.name}”", asks, no, about=about, whole=whole, name=table.name)
        )
    return tuple(offered)


def play(tables: Tables, move: Move, answers: Answers, dice: Dice) -> Told:
    """Play a roll on a table, or a pick: return its facts, those of every table it leads to, and the effects to offer."""
    key = table_words(tables)[move.words[0]]
    if move.verb == "pick":
        number = int(str(answers["number"]))
        return _read_out(tables, key, number, f"{tables[key].name} {number}, picked", dice)
    return _roll_table(tables, key, dice)


def _roll_table(tables: Tables, key: str, dice: Dice) -> Told:
    table = tables[key]
    number, faces = table.roll(dice)
    thrown = RollFact(table.name, faces, dice.are_real, secret=not table.seen, about=(_path(key),))
    facts, offers = _read_out(tables, key, number, f"{table.name} {number}", dice)
    return ((thrown, *facts) if faces else facts), offers


def _read_out(tables: Tables, key: str, number: int, title: str, dice: Dice) -> Told:
    """Read out an entry with its dice rolled, then the entries it leads to (NM-03). The caller makes sure that there is
    no circle.
    """
    table, row = tables[key], tables[key].entry(number)
    words, facts = "", []
    for text, thrown in dice_in(row.text):
        words += text
        if thrown:
            what = f"{table.name}, {thrown.said}"
            total, faces = thrown.roll(what, f"{title}, “{row.text}”: {thrown.said}", dice)
            facts.append(RollFact(what, faces, dice.are_real, secret=not table.seen, about=(_path(key),)))
            words += f": {total}"
    note = NoteFact(f"{title}: {words}", "NM-05", secret=not table.seen, about=(_path(key, number),), quote=words)
    facts_so_far: tuple[Fact, ...] = (*facts, note)
    offers = (EffectOffer(f"tables.{key}", row.text, row.effect),) if row.effect else ()
    if row.table in tables:
        more, others = _roll_table(tables, row.table, dice)
        return (*facts_so_far, *_hide_facts(more, key, table)), (*offers, *others)
    return facts_so_far, offers


def _hide_facts(facts: tuple[Fact, ...], key: str, table: RandomTable) -> tuple[Fact, ...]:
    """Hide the facts of a hidden table, and of every table that it leads to."""
    return tuple(
        replace(fact, secret=fact.secret or not table.seen, about=(_path(key), *fact.about))
        if isinstance(fact, NoteFact | RollFact)
        else fact
        for fact in facts
    )


def _path(key: str, *number: int) -> str:
    """Return the path of a table, or of one of its entries, for the `about` of a fact."""
    return format_path(("tables", key, *map(str, number)))
