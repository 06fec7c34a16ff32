"""What every game is made of: a rulebook of chapters, the stages that a roll may open, and the state that a move works on.

A game is a folder in `rules/systems`. Its author writes:

- `sheet.py`: frozen dataclasses for what the campaign file keeps, and for the house rules.
- `stages.py`: a frozen dataclass with a `TAG` for each thing that may stay open after a move: dice that wait for a choice, a
  debt to pay. Stages are saved in the log, so they hold plain values and no functions.
- `moment.py`: `Moment`, a subclass of `MomentBase` with what the rules of this game ask again and again.
- One module for each chapter of the rulebook, with its rules as functions. It ends with `CHAPTER = Chapter(…)`: the moves that
  it offers, the function that plays each verb, the `StageRules` of its stages, and the odds of its rolls.
- `__init__.py`: `SYSTEM = Rulebook(…)`, which lists the chapters. Moves are offered in that order.

What is called when a move is played (`Rulebook.play`):

1. The position becomes a `Moment`. Stages that make no sense any more, because the file was edited, are dropped (`StageRules.keep`).
2. While the stage on top asks something, `StageRules.resolve` takes the answer. Otherwise, and for a move that may be made at any
   time, the function that a chapter gives for the verb plays it. Both return the next moment, with the facts for the log.
3. Stages on top that leave nobody a choice are done at once (`StageRules.automatic`), until one asks something or none is left.
4. The moment becomes a `Turn`: the new position, and the facts.

A rule never changes a moment; it returns another one: `moment.closes().spends(who, 1, "VK-13")`. It rolls with the `Dice` it is
given, and raises `ActRefused` to say no. Everything else (log, undo, clocks, real dice) happens outside the game, in `rules/game.py`.
"""

from waylog.rules.kit.moment import MomentBase
from waylog.rules.kit.rulebook import Chapter, Play, Rulebook, RulebookError
from waylog.rules.kit.stages import StageRules, StageStack

__all__ = ["Chapter", "MomentBase", "Play", "Rulebook", "RulebookError", "StageRules", "StageStack"]
