"""Campaigns with tables, decks and sessions, for the tests of what stands beside every game."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from tests.kit.rules import play
from waylog.rules.codec import records
from waylog.rules.common.random_tables import RandomTable
from waylog.rules.game import Game
from waylog.rules.model.dice import Die, Face
from waylog.rules.model.facts import Fact, OutcomeFact, RollFact
from waylog.rules.model.moves import Move
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import system


def table(name: str, entries: Any = (), **values: Any) -> RandomTable:
    """A table as its file would say it."""
    read, faults = records.read(RandomTable, {"name": name, "entries": list(entries), **values})
    assert not [fault for fault in faults if fault.grave]
    assert isinstance(read, RandomTable)
    return read


def game(**tables: RandomTable) -> Game:
    """A game of Veil Runners with these tables."""
    return Game(system("veil-core"), tables)


def thrown(facts: Sequence[Fact]) -> list[tuple[str, list[tuple[int, int]]]]:
    """What was rolled, each die with its face and its sides."""
    return [(fact.what, [(die.face, die.sides) for die in fact.dice]) for fact in facts if isinstance(fact, RollFact)]


def secrets(facts: Sequence[Fact]) -> list[bool]:
    """For each fact, whether it is kept from the players."""
    return [fact.secret for fact in facts if not isinstance(fact, OutcomeFact)]


def typed(facts: Sequence[Fact]) -> list[bool]:
    """For each roll, whether its dice were real."""
    return [fact.typed for fact in facts if isinstance(fact, RollFact)]


def offered(own: Game, state: State, verb: str) -> dict[str, Move]:
    """The moves of a verb that are there, by what is typed for them."""
    return {move.id: move for move in own.moves(state) if move.verb == verb}


class Listed:
    """Dice that show the faces of a list, and remember what dice they were."""

    are_real = False

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = list(faces)
        self.sides: list[int] = []

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """The next faces."""
        self.sides += [die.sides for die in dice]
        return tuple(Face(die.source, self._faces.pop(0), die.sides) for die in dice)


def every(own: Game, state: State, words: str, *sides: int) -> list[PlayResult]:
    """The act with each combination of faces that dice of these sides can show."""
    found = []
    for faces in product(*(range(1, most + 1) for most in sides)):
        dice = Listed(faces)
        found.append(play(own, state, words, dice))
        assert dice.sides == list(sides)
    return found
