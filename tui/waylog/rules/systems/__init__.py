"""The games, one folder each. A folder that defines `SYSTEM` is a game: nothing else has to know of it.

A folder whose name begins with `_` is no game: it has rules that several games share.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol, cast

from waylog.rules.clause_texts import Clause
from waylog.rules.common.clocks import WhileRunning
from waylog.rules.dice import Dice
from waylog.rules.facts import Position, Turn
from waylog.rules.moves import Answers, Move, RollKey
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.sheets import Fault


class System(Protocol):
    """A game. It is asked what may be done and told what was done; it keeps nothing."""

    @property
    def id(self) -> str:
        """`veil-core`: the folder's name, with hyphens."""

    @property
    def name(self) -> str:
        """As people call it."""

    @property
    def about(self) -> str:
        """One line, for choosing it."""

    @property
    def clauses(self) -> Mapping[str, Clause]:
        """Its clauses by id."""

    @property
    def sheet(self) -> type:
        """A frozen dataclass; its fields are top-level tables of the campaign file."""

    @property
    def rules(self) -> type:
        """A frozen dataclass of house rules, with their legal values and defaults."""

    @property
    def scene(self) -> Any:
        """The union of the frozen dataclasses that may be `Position.scene`."""

    def fresh(self) -> Any:
        """The sheet of a new campaign."""

    def faults(self, position: Position) -> Sequence[Fault]:
        """What in the sheet breaks a clause, beyond what its types say."""

    def question(self, position: Position) -> str | None:
        """What has to be answered before anything else goes on, or None."""

    def moves(self, position: Position) -> Sequence[Move]:
        """What may be done now, and what can't and why. While there is a question: its answers alone."""

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        """What comes of it. `move` is one of `moves(position)` and not blocked; `answers` are complete. May raise `ActRefused`."""

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:
        """The exact chances of a move that rolls, or None."""

    def panels(self, position: Position) -> Sequence[Panel]:
        """The sheet as the screens draw it."""


@cache
def names() -> tuple[str, ...]:
    """The ids of all games, without loading one."""
    found = pkgutil.iter_modules(__path__)
    return tuple(sorted(module.name.replace("_", "-") for module in found if module.ispkg and module.name[0] != "_"))


def system(name: str) -> System:
    """The game with that id. Raises `KeyError` for an unknown id, and `ValueError` if the game says that it has another one."""
    if name not in names():
        raise KeyError(name)
    folder = name.replace("-", "_")
    found = cast("System", importlib.import_module(f"{__name__}.{folder}").SYSTEM)
    if found.id != name:
        raise ValueError(f"the game in the folder {folder} has the id “{found.id}”. It must be “{name}”")
    return found


def conversion_map(game: System) -> Mapping[str, str]:
    """What of its sheet other games have under another name: its own path, with * for any key, and a name they share.

    A game that has kin says so with an attribute of that name; it is asked when a campaign is taken over into another.
    """
    found: Mapping[str, str] = getattr(game, "akin", {})
    return found


def running_effects(game: System) -> tuple[WhileRunning, ...]:
    """What a clock may do to play while it runs, beside nothing (NM-25).

    A game whose rules look for it says so with an attribute `running`; one that says nothing knows of none.
    """
    found: tuple[WhileRunning, ...] = getattr(game, "running", ())
    return found


def roll_key(game: System) -> RollKey:
    """What the key for rolling opens.

    A game whose rolls have other verbs than `roll` says so with an attribute of that name.
    """
    found: RollKey = getattr(game, "roll_key", RollKey())
    return found


def clause_topics(game: System) -> Mapping[str, tuple[str, ...]]:
    """The clauses that are shown for a row of its sheet, a house rule or a move (`Reference.about`).

    A game names them with an attribute `topics`; without one, its rules are found by search alone.
    """
    found: Mapping[str, tuple[str, ...]] = getattr(game, "topics", {})
    return found


def conflict_view(game: System, position: Position) -> Any:
    """What lies open between sides, as a value of the game's own for a screen of its own; None where nothing does.

    A game that has such a thing says so with a function of that name.
    """
    found = getattr(game, "board", None)
    return found(position) if found else None
