"""Acts as a person might do them: any that is offered, with any answers, now and then taken back or put back."""

from __future__ import annotations

from random import Random
from typing import assert_never

from waylog.rules.model.moves import Act, ActRefused, Allocate, Answer, Ask, Move, Number, PickMany, PickOne, Text
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import Table

_MOST_CLOCKS = 12
_TEXTS = (
    "Hull breach",
    "The beacon answers",
    "Ça brûle — 舟 🎲",
    'with "quotes" and \\',
    "two\nlines\r\n",
    "\x1b[2J\x07",
    "[[entry]]",
)
_LONG = "The pilot swears that the beacon answered, though nothing was sent. " * 300
"""Longer than the pages in which a kernel takes a write."""


def one(random: Random, table: Table) -> LogEntry | None:
    """Do one act, or undo or redo one. None when the rules say no."""
    try:
        match random.randrange(20):
            case 0 | 1:
                return table.undo()
            case 2:
                return table.redo()
            case _:
                return table.play(any_act(random, table.snapshot))
    except ActRefused:
        return None


def any_act(random: Random, snapshot: Snapshot) -> Act:
    """One of the acts that are offered, each verb as likely as another."""
    moves = [move for move in snapshot.moves if not move.blocked]
    if len(snapshot.clocks) >= _MOST_CLOCKS:
        moves = [move for move in moves if move.verb != "clock"]
    verb = random.choice(sorted({move.verb for move in moves}))
    move = random.choice([move for move in moves if move.verb == verb])
    faces = tuple(random.randint(1, 6) for _ in range(random.randint(1, 4)))
    typed = move.verb == "dice" or (move.rolls and random.random() < 0.2)
    return Act(move, _answers(random, move, snapshot), faces if typed else None)


def _answers(random: Random, move: Move, snapshot: Snapshot) -> dict[str, Answer]:
    if move.verb == "set" and not move.words:
        return {"text": _setting(random, snapshot)}
    return {ask.name: _answer(random, ask) for ask in move.asks}


def _setting(random: Random, snapshot: Snapshot) -> str:
    """A value to set by hand: of a clock if there is one."""
    if not snapshot.clocks:
        return f"ship.focus {random.randint(0, 3)}"
    key = random.choice(sorted(snapshot.clocks))
    return random.choice(
        (f"clocks.{key}.filled {random.randint(0, 4)}", f'clocks.{key}.notes "as of {random.random()}"')
    )


def _answer(random: Random, ask: Ask) -> Answer:
    match ask:
        case PickOne():
            return random.choice([option.word for option in ask.options if not option.blocked] or [""])
        case PickMany():
            words = [option.word for option in ask.options if not option.blocked]
            return tuple(random.sample(words, min(len(words), random.randint(ask.least, max(ask.least, 2)))))
        case Allocate():
            numbers = [slot.least for slot in ask.slots]
            while sum(numbers) < ask.total:
                numbers[random.randrange(len(numbers))] += 1
            return tuple(numbers)
        case Number():
            return random.randint(ask.least, ask.most)
        case Text():
            return _LONG[: random.randrange(len(_LONG))] if random.random() < 0.1 else random.choice(_TEXTS)
        case _:
            assert_never(ask)
