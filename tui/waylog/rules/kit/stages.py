"""The rules of a stage: its question, its answers, and what happens if there is no choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move
from waylog.values import dataclass

M = TypeVar("M")
"""A game's own subclass of `MomentBase`."""
S = TypeVar("S")
"""A class of stages."""


@dataclass(frozen=True, slots=True)
class StageStack:
    """Several stages, one opened on top of another. A game that needs this subclasses it and names the type of its
    stages.
    """

    stages: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class StageRules(Generic[M, S]):
    """The rules of one class of stages. A stage without a question stays open, and asks nothing, until another act
    closes it.
    """

    stage: type[S]
    question: Callable[[M, S], str] | None = None
    """Returns the question."""
    answers: Callable[[M, S], Iterable[Move]] | None = None
    """Returns the moves that answer it."""
    resolve: Callable[[M, S, Move, Answers, Dice], M] | None = None
    """Plays an answer. The stage is still open: this function closes it. Raises `ActRefused` or `DiceWanted`."""
    choices: Callable[[M, S], object] | None = None
    """Returns the choices. If there are none (an empty or false value), the stage is done without a question."""
    automatic: Callable[[M, S, Dice], M] | None = None
    """Plays a stage without choices. May raise `DiceWanted`."""
    keep: Callable[[M, S], S | None] | None = None
    """Returns the stage after an edit of the file: unchanged, changed, or None if it makes no sense any more."""
