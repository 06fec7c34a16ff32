"""Real dice as they are typed while some are waited for: a digit each, or numbers where a die has more than ten sides."""

from __future__ import annotations

_LONGEST = 3


class DiceInput:
    """What has been typed so far. Only Enter ends it: a slip can be mended, and no key that is hit by mistake rolls anything."""

    def __init__(self) -> None:
        self._faces: tuple[int, ...] = ()
        self._number = ""
        """The digits of a number that may go on."""
        self.done = False
        """What was typed is confirmed, or with nothing typed, the app is to roll."""

    @property
    def faces(self) -> tuple[int, ...]:
        """The dice, a number that may go on among them."""
        return (*self._faces, int(self._number)) if self._number else self._faces

    def takes(self, key: str, character: str | None, wanted: int, *, whole: bool) -> bool:
        """Take a key. False when it is not for the dice. With `whole` a number ends at a space, or at Enter."""
        if character and character.isascii() and character.isdigit():
            # A digit more than there are dice is for nothing: it must not go to another screen either.
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
