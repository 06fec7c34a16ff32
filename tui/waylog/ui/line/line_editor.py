"""A line of text with the usual editing keys of a shell."""

from __future__ import annotations

import re

_WORD_BEFORE = re.compile(r"\S+\s*$")
_WORD_AFTER = re.compile(r"^\s*\S+")
_LONGEST = 2000


class LineEditor:
    """A text with a cursor."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.at = len(text)

    def set(self, text: str) -> None:
        """Replace the text, with the cursor at its end."""
        self.text, self.at = text, len(text)

    def insert(self, text: str) -> None:
        """Insert text at the cursor: one line of it, without control characters."""
        clean = "".join(char for char in " ".join(text.splitlines()) if char.isprintable())
        clean = clean[: max(0, _LONGEST - len(self.text))]
        self.text = self.text[: self.at] + clean + self.text[self.at :]
        self.at += len(clean)

    def break_line(self) -> None:
        """Insert a line break at the cursor."""
        self.text = self.text[: self.at] + "\n" + self.text[self.at :]
        self.at += 1

    def consume_key(self, key: str) -> bool:
        """Do what an editing key does. Return False if it is none."""
        before, after = self.text[: self.at], self.text[self.at :]
        match key:
            case "backspace" | "ctrl+h":
                before = before[:-1]
            case "delete":
                after = after[1:]
            case "ctrl+u":
                before = ""
            case "ctrl+k":
                after = ""
            case "ctrl+w" | "ctrl+backspace" | "alt+backspace":
                before = _WORD_BEFORE.sub("", before)
            case "left" | "ctrl+b":
                before, after = before[:-1], before[-1:] + after
            case "right" | "ctrl+f":
                before, after = before + after[:1], after[1:]
            case "home" | "ctrl+a":
                before, after = "", before + after
            case "end" | "ctrl+e":
                before, after = before + after, ""
            case "ctrl+left" | "alt+b":
                kept = _WORD_BEFORE.sub("", before)
                before, after = kept, before[len(kept) :] + after
            case "ctrl+right" | "alt+f":
                moved = _WORD_AFTER.match(after)
                over = moved.end() if moved else 0
                before, after = before + after[:over], after[over:]
            case _:
                return False
        self.text, self.at = before + after, len(before)
        return True
