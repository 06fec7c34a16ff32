"""Real dice as they are typed: a digit each, or numbers for dice with more than ten sides."""

from __future__ import annotations

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
