"""Dice as a parameter: by chance or typed in from the table, a rule cannot tell which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol

from waylog.rules.moves import ActRefused
from waylog.values import dataclass

TEN = 10
"""The sides of the largest die whose faces are typed as one digit each."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die about to be rolled, and what it is rolled for (`NAV`, `AFTERBURNERS`, `damage`)."""

    source: str
    sides: int = 6
    asked: str = ""
    """What a person who types it is told, where the source alone is too short: the entry of a table that it stands in."""


@dataclass(frozen=True, slots=True)
class Face:
    """A die that was rolled. `face` is 1…`sides`."""

    KEYS: ClassVar = {"sides": "sides", "face": "face", "from": "source"}
    ALWAYS_WRITTEN: ClassVar = ("sides",)

    source: str
    face: int
    sides: int = 6


class Dice(Protocol):
    """What a rule rolls with."""

    @property
    def are_real(self) -> bool:
        """True when the faces come from real dice."""

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """The faces, in the order of `dice`. Raises `DiceWanted` when real dice are still to be typed."""


class DiceWanted(Exception):
    """Real dice are in use and more of them are needed: `dice` are the ones still to be typed."""

    def __init__(self, dice: Sequence[Die]) -> None:
        super().__init__(f"{len(dice)} more to type: {', '.join(die.source for die in dice)}")
        self.dice = tuple(dice)


class ChanceDice:
    """Dice rolled by the app. `below(n)` must give an even whole number from 0 to n - 1."""

    are_real = False

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        return tuple(Face(die.source, self._below(die.sides) + 1, die.sides) for die in dice)


class EqualDice:
    """Every die shows the same face, or its highest where that is lower: for finding out what dice decide."""

    are_real = False

    def __init__(self, face: int) -> None:
        self._face = face

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        return tuple(Face(die.source, min(self._face, die.sides), die.sides) for die in dice)


class TypedDice:
    """Real dice: `faces` in the order in which they are asked for. `rest`, if given, rolls what was not typed."""

    def __init__(self, faces: Sequence[int], rest: Dice | None = None) -> None:
        self._faces = list(faces)
        self._rest = rest
        self.rolled = 0
        """How many dice `rest` has rolled."""

    @property
    def are_real(self) -> bool:
        """Every die so far was a real one."""
        return not self.rolled

    @property
    def unused_faces(self) -> tuple[int, ...]:
        """Faces that were typed and that nothing asked for."""
        return tuple(self._faces)

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        typed = dice[: len(self._faces)]
        for die, face in zip(typed, self._faces, strict=False):
            if not 1 <= face <= die.sides:
                shown = "0 or 10" if face == TEN else face  # a typed 0 is the ten of a d10
                raise ActRefused(f"a d{die.sides} has no {shown} (for {die.source})")
        missing = dice[len(typed) :]
        if missing and self._rest is None:
            raise DiceWanted(missing)
        faces = tuple(Face(die.source, face, die.sides) for die, face in zip(typed, self._faces, strict=False))
        del self._faces[: len(typed)]
        if not missing or self._rest is None:
            return faces
        self.rolled += len(missing)
        return faces + self._rest.roll(missing)
