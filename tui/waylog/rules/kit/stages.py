"""What a stage asks, how it may be answered, and what happens when nobody has a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move
from waylog.values import dataclass

M = TypeVar("M")
"""The game's own subclass of `MomentBase`."""
S = TypeVar("S")
"""A class of stages."""


@dataclass(frozen=True, slots=True)
class StageStack:
    """Several stages, one opened upon another. A game that needs this subclasses it and names the type of its stages."""

    stages: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class StageRules(Generic[M, S]):
    """The rules of one class of stages. A stage without a question stays open and asks nothing, until another act closes it."""

    stage: type[S]
    question: Callable[[M, S], str] | None = None
    """What has to be answered."""
    answers: Callable[[M, S], Iterable[Move]] | None = None
    """The moves that answer it."""
    resolve: Callable[[M, S, Move, Answers, Dice], M] | None = None
    """What an answer leads to. The stage is still on top: this function closes it. Raises `ActRefused` or `DiceWanted`."""
    choices: Callable[[M, S], object] | None = None
    """What there is to choose between. Where that is empty or false, the stage is done without a question."""
    automatic: Callable[[M, S, Dice], M] | None = None
    """What happens then. May raise `DiceWanted`."""
    keep: Callable[[M, S], S | None] | None = None
    """The stage after an edit of the file: as it is, changed, or None where it makes no sense any more."""
