"""Real dice as they are typed: a digit each, or numbers for dice with more than ten sides.

Open dice are picked by typing their faces, a digit each; 0 is the ten.
"""

from __future__ import annotations

import re

from waylog.rules.model.moves import Act, Move, PickMany, Refusal

_LONGEST = 3


class DiceInput:
    """The dice that have been typed so far. Only Enter ends them: a slip can be corrected, and no stray key rolls anything."""

    def __init__(self) -> None:
        self._faces: tuple[int, ...] = ()
        self._number = ""
        """The digits of a number that may continue."""
        self.done = False
        """Whether the dice are confirmed. With none typed, the app rolls."""

    @property
    def faces(self) -> tuple[int, ...]:
        """The dice, including a number that may continue."""
        return (*self._faces, int(self._number)) if self._number else self._faces

    def takes(self, key: str, character: str | None, wanted: int, *, whole: bool) -> bool:
        """Take a key. Return False if it is not for the dice. With `whole`, a number ends at a space or at Enter."""
        if character and character.isascii() and character.isdigit():
            # A digit beyond the last die is dropped: it must not reach another screen either.
            if len(self._faces) >= wanted:
                pass
            elif whole:
                self._number = (self._number + character)[:_LONGEST]
            else:
                self._faces = (*self._faces, int(character) or 10)
        elif key == "space" and whole:
            self._faces, self._number = self.faces, ""
        elif key == "backspace":
            self._faces = self._faces if self._number else self._faces[:-1]
            self._number = self._number[:-1]
        elif key == "enter":
            self._faces, self._number = self.faces, ""
            self.done = True
        else:
            return False
        return True


_LAST = re.compile(r"\d+ $")


def dice_ask(move: Move) -> PickMany | None:
    """Return the ask of a move that is answered with open dice; None if there is none."""
    for ask in move.asks:
        if isinstance(ask, PickMany) and ask.repeats and all(option.word.isdigit() for option in ask.options):
            return ask
    return None


def picks(act: Act | None, text: str) -> bool:
    """Whether a digit after `text` is one more die: the line has nothing but dice so far."""
    if act is None or dice_ask(act.move) is None or not text.endswith(" "):
        return False
    verb, *typed = text.split()
    return act.move.verb.startswith(verb.lower()) and all(word.isdigit() for word in typed)


def without_last(text: str) -> str:
    """Return the line without its last die; unchanged if it ends with none."""
    return _LAST.sub("", text)


def problem(act: Act | None) -> Refusal | None:
    """Return which die isn't there, or how many are still to be picked or too many; None if they may be put forward."""
    ask = dice_ask(act.move) if act else None
    if act is None or ask is None:
        return None
    chosen = act.answers.get(ask.name, ())
    for option in ask.options:
        if option.blocked and isinstance(chosen, tuple) and option.word in chosen:
            return option.blocked
    dice = [int(word) for word in chosen] if isinstance(chosen, tuple) else []
    come = f"{' + '.join(map(str, dice))} = {sum(dice)}" if len(dice) > 1 else "".join(map(str, dice))
    if len(dice) < ask.least:
        left, others = ask.least - len(dice), "more " if dice else ""
        more = f"pick {left} {others}{'die' if left == 1 else 'dice'}: type what {'it shows' if left == 1 else 'they show'}"
        return Refusal(f"{come}: {more}" if come else more)
    if len(dice) > ask.most:
        return Refusal(f"{come}: at most {ask.most} dice, not {len(dice)}", ask.clause)
    return None
