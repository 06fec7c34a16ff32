"""The games, one folder each.

A folder that defines `SYSTEM` is a game; nothing else has to know of it. A folder whose name begins with `_` is not a
game: it has rules that several games share.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, cast

from waylog.rules.codec.base import Fault
from waylog.rules.codec.changes import format_path
from waylog.rules.model.answers import COMMON, ActKeys
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.clocks import WhileRunning
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, RollKey
from waylog.rules.model.odds import Odds
from waylog.rules.model.panels import Panel
from waylog.rules.model.state import Position, Turn


class System(Protocol):
    """The interface of a game. It keeps no state: each answer follows from the position."""

    @property
    def id(self) -> str:
        """`veil-core`: the folder's name, with hyphens."""

    @property
    def name(self) -> str:
        """The name for people."""

    @property
    def about(self) -> str:
        """One line, for choosing a game."""

    @property
    def clauses(self) -> Mapping[str, Clause]:
        """Its clauses by id."""

    @property
    def sheet(self) -> type:
        """A frozen dataclass. Its fields are top-level tables of the campaign file."""

    @property
    def rules(self) -> type:
        """A frozen dataclass of house rules, with their legal values and defaults."""

    @property
    def scene(self) -> Any:
        """The type of `Position.scene`: a union of frozen dataclasses, or a stack of stages."""

    def fresh(self) -> Any:
        """Return the sheet of a new campaign."""

    def faults(self, position: Position) -> Sequence[Fault]:
        """Return the faults of a sheet that break a clause and that types alone don't show."""

    def question(self, position: Position) -> str | None:
        """Return the question that has to be answered first, or None."""

    def moves(self, position: Position) -> Sequence[Move]:
        """Return the moves; one that can't be made now says why. While there is a question: only its answers."""

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        """Play a move. `move` is one of `moves(position)` and not blocked; `answers` are complete. May raise
        `ActRefused`.
        """

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:
        """Return the exact odds of a move that rolls, or None."""

    def panels(self, position: Position) -> Sequence[Panel]:
        """Return the panels of the sheet."""


@cache
def names() -> tuple[str, ...]:
    """Return the ids of all games, without loading any."""
    import pkgutil  # A campaign that is opened says which game it is, and needs no list.

    found = pkgutil.iter_modules(__path__)
    return tuple(sorted(module.name.replace("_", "-") for module in found if module.ispkg and module.name[0] != "_"))


def system(name: str) -> System:
    """Return the game with that id. Raises `KeyError` for an unknown id, and `ValueError` if the game says that it has another one."""
    folder = name.replace("-", "_")
    module = f"{__name__}.{folder}"
    if not folder.isidentifier() or folder[0] == "_" or "_" in name:
        raise KeyError(name)
    try:
        found = cast("System", importlib.import_module(module).SYSTEM)
    except ModuleNotFoundError as missing:
        if missing.name != module:
            raise
        raise KeyError(name) from None
    if found.id != name:
        raise ValueError(f"the game in the folder {folder} has the id “{found.id}”. It must be “{name}”")
    return found


def conversion_map(game: System) -> Mapping[str, str]:
    """Return the paths of a game's sheet that correspond to other games' paths.

    Each path (with * for any key) has a name that the games share. A game without the attribute `akin` has none.
    `waylog convert` uses this.
    """
    found: Mapping[str, str] = getattr(game, "akin", {})
    return found


def running_effects(game: System) -> tuple[WhileRunning, ...]:
    """Return the effects that a running clock may have on a game's rolls (NM-25), from its attribute `running`. A game
    without it has none.
    """
    found: tuple[WhileRunning, ...] = getattr(game, "running", ())
    return found


def why_no_odds(game: System, position: Position, move: Move, answers: Answers) -> str:
    """Return why a roll has no odds, from the game's method of this name; empty if it has none."""
    found: Callable[[Position, Move, Answers], str] | None = getattr(game, "why_no_odds", None)
    return found(position, move, answers) if found else ""


def characters(game: System, sheet: Any) -> Mapping[str, str]:
    """Return the names of the characters that players may have, by key, from the sheet of a game."""
    found = getattr(sheet, character_table(game), {})
    return {key: getattr(each, "name", "") or key for key, each in found.items()}


def character_path(game: System, key: str) -> str:
    """Return the path of a character, as in `Move.about`: `crew.mara`."""
    return format_path((character_table(game), key))


def character_table(game: System) -> str:
    """Return the key of the game's table of characters, from its attribute `characters`. The default is `crew`."""
    found: str = getattr(game, "characters", "crew")
    return found


def wayfinder_verbs(game: System) -> tuple[str, ...]:
    """Return the verbs of a game that players may not propose, from its attribute `wayfinder`. The default is none."""
    found: tuple[str, ...] = getattr(game, "wayfinder", ())
    return found


def wayfinder_answers(game: System) -> tuple[str, ...]:
    """Return the verbs of answers and follow-ups that are only the wayfinder's, from a game's attribute `wayfinder_answers`. The
    default is none.
    """
    found: tuple[str, ...] = getattr(game, "wayfinder_answers", ())
    return found


def private_tables(game: System) -> tuple[str, ...]:
    """Return the tables of a game's sheet whose keys players never see, from its attribute `private`. The default is none."""
    found: tuple[str, ...] = getattr(game, "private", ())
    return found


def players_sheet(game: System, sheet: Any, stage: Any) -> Any:
    """Return the sheet of a game without what it hides from players while `stage` is open.

    A game whose sheet hides something defines the function `players_sheet`.
    """
    found = getattr(game, "players_sheet", None)
    return found(sheet, stage) if found else sheet


def first_in_session(game: System) -> Any:
    """Return the stage that is open once a session has begun, from a game's attribute `session_begins`; None by default."""
    return getattr(game, "session_begins", None)


def roll_key(game: System) -> RollKey:
    """Return the moves that the roll key opens, from the game's attribute `roll_key`. The default is the verb `roll`."""
    found: RollKey = getattr(game, "roll_key", RollKey())
    return found


def act_keys(game: System) -> ActKeys:
    """Return which keys are for which of its verbs.

    A game names those of its own verbs with an attribute of that name; without one, it has what every game has.
    """
    found: ActKeys = getattr(game, "act_keys", {})
    return {**COMMON, **found}


def clause_topics(game: System) -> Mapping[str, tuple[str, ...]]:
    """Return the clauses that are shown for a row of its sheet, a house rule or a move (`Reference.about`).

    A game names them with an attribute `topics`; without one, its rules are found by search alone.
    """
    found: Mapping[str, tuple[str, ...]] = getattr(game, "topics", {})
    return found


def conflict_view(game: System, position: Position) -> Any:
    """Return the value for the game's own view of what is open between two sides; None if nothing is.

    A game with such a view defines the function `board`.
    """
    found = getattr(game, "board", None)
    return found(position) if found else None
