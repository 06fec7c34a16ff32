"""What stays open for a moment in a game in a file: a roll on the table."""

from __future__ import annotations

from waylog.rules.file_game.pools import TableDie
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class FileRoll:
    """A roll that waits for a choice. All games in files share it, so a log is read without the game."""

    TAG = "file-roll"

    roll: str = ""
    """The key of its declaration."""
    who: tuple[str, ...] = ()
    """The keys of the thing that rolls."""
    options: tuple[str, ...] = ()
    call: str = ""
    modifier: int = 0
    none: bool = False
    """The pool came to no dice, so others are rolled."""
    plus: int = 0
    """What is added to the result, as it was when the dice were rolled."""
    target: int = 0
    dice: tuple[TableDie, ...] = ()
    raised: int = 0
    """What spends have added to the result."""
    steps: int = 0
    """How many outcomes better it counts."""
    used: tuple[str, ...] = ()
    """The spends so far, in order."""
