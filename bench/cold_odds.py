"""Prints how many milliseconds of processor time the slowest odds take that anybody can ask for, in a process that has computed none."""

from __future__ import annotations

import gc
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.moves import Act, ActRefused, Answer, Move, PickMany, PickOne
from waylog.table import Table


def slowest(table: Table) -> float:
    """The slowest of all rolls that are legal now, each with everything that may help it."""
    times = [_timed(table, move) for move in table.snapshot.moves if move.rolls and not move.blocked]
    return max(times)


def _timed(table: Table, move: Move) -> float:
    act = Act(move, _everything(move))
    began = time.process_time()
    try:
        table.odds(act)
    except ActRefused:
        act = Act(move, {})
        began = time.process_time()
        table.odds(act)
    return (time.process_time() - began) * 1000


def _everything(move: Move) -> dict[str, Answer]:
    """As much as can be picked, and of one thing or another, the last."""
    answers: dict[str, Answer] = {}
    for ask in move.asks:
        match ask:
            case PickMany():
                answers[ask.name] = tuple(option.word for option in ask.options if not option.blocked)[: ask.most]
            case PickOne():
                answers[ask.name] = [option.word for option in ask.options if not option.blocked][-1]
            case _:
                pass
    return answers


if __name__ == "__main__":
    gc.disable()  # As commands do; the app looks for garbage as rarely.
    print(slowest(Table(Path(sys.argv[1]), now=lambda: datetime.now(UTC), chance=ChanceDice(lambda _: 0))))
