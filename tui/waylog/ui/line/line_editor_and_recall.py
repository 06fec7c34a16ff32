"""A line of text with the usual editing keys of a shell.

The lines that were typed before, from the log: an empty command line goes back through them, newest first.

The line in which a search is typed, as a value: `SearchKeys` makes it, the tray shows it.

The question before a key discards what was typed, in a line or in a form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import Entries
from waylog.store.log.grouped_acts_and_texts import LoggedActs
from waylog.toml.document import UnreadableFile
from waylog.ui.draw.cell_lines import CellLine, head
from waylog.ui.draw.colours import Palette
from waylog.values import dataclass

_WORD_BEFORE = r"\S+\s*$"
_WORD_AFTER = r"^\s*\S+"
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
        """Edit the line with a key, by its Textual name. Return False, with nothing changed, if the key doesn't edit."""
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
                before = re.sub(_WORD_BEFORE, "", before)
            case "left" | "ctrl+b":
                before, after = before[:-1], before[-1:] + after
            case "right" | "ctrl+f":
                before, after = before + after[:1], after[1:]
            case "home" | "ctrl+a":
                before, after = "", before + after
            case "end" | "ctrl+e":
                before, after = before + after, ""
            case "ctrl+left" | "alt+b":
                kept = re.sub(_WORD_BEFORE, "", before)
                before, after = kept, before[len(kept) :] + after
            case "ctrl+right" | "alt+f":
                moved = re.match(_WORD_AFTER, after)
                over = moved.end() if moved else 0
                before, after = before + after[:over], after[over:]
            case _:
                return False
        self.text, self.at = before + after, len(before)
        return True


_TYPED = frozenset(
    (
        *(EntryKind.PLAY, EntryKind.CARD, EntryKind.EFFECT, EntryKind.SET, EntryKind.NOTE, EntryKind.SECRET),
        *(EntryKind.SCENE, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS, EntryKind.SESSION),
    )
)
"""The kinds of entries whose words are a command. The others are about the log or the file."""
_MOST = 50
"""Lines that can be recalled."""
_FAR = 500
"""Entries that are looked through for them."""


def recent_lines(entries: Entries, count: int) -> Sequence[str]:
    """Return the commands of the latest acts of a log with `count` entries, the newest first and each once.

    An entry that can't be read is passed over, and so is one of a scene that was rewound (NM-43).
    """
    found, acts = dict[str, None](), LoggedActs(entries, count)
    for number in range(count, max(0, count - _FAR), -1):
        if len(found) == _MOST:
            break
        try:
            entry = entries(number)
        except (KeyError, UnreadableFile, OSError):
            continue
        if not acts.rewind_of(number) and entry.kind in _TYPED and entry.root == entry.number and entry.words:
            found.setdefault(entry.words)
    return tuple(found)


class RecalledLines:
    """The lines to go back to, and which of them the command line shows. They are read when the first is wanted."""

    def __init__(self, read: Callable[[], Sequence[str]]) -> None:
        self._read = read
        self._lines: Sequence[str] = ()
        self._back = 0
        """How many lines the command line has gone back. As long as it is not 0, it shows one of them."""

    @property
    def is_shown(self) -> bool:
        """Whether the command line shows one of them, as it was played."""
        return self._back > 0

    def forget_place(self) -> None:
        """Begin with the newest line the next time, because the command line says something else now."""
        self._back = 0

    def step(self, by: int, typed: str) -> str | None:
        """Return the line before the one that is shown, or after it; an empty one after the newest.

        None if nothing has been recalled, and there is nothing to go back to or `typed` would be lost.
        """
        if self._back == 0:
            if by < 0 or typed:
                return None
            self._lines = self._read()
        wanted = min(self._back + by, len(self._lines))
        if wanted == self._back == 0:
            return None
        self._back = wanted
        return self._lines[wanted - 1] if wanted else ""


@dataclass(frozen=True, slots=True)
class SearchLine:
    """A search: its text, and the number of matches."""

    title: str
    text: str
    at: int
    """The character that the cursor is on."""
    found: str
    """`3 of 17`"""


def render_search(line: SearchLine, ink: Palette, width: int) -> list[CellLine]:
    """Return the title with the count, and the text with its cursor."""
    before, under, after = line.text[: line.at], line.text[line.at : line.at + 1], line.text[line.at + 1 :]
    typed = CellLine(width).add(" / ", ink.key)
    # The end that is being typed is what has to be seen.
    typed.add(before[-max(1, width - 8 - len(after[:8])) :], ink.strong).add(under or " ", ink.caret)
    return [head(line.title, ink, width, line.found), typed.add(after, ink.strong)]


CLOSE, CANCEL, QUIT = "Esc", "Ctrl+C", "Ctrl+Q"
"""The keys that close an input, that leave all steps of what is being made, and that quit, as the question before a text is discarded names
them.
"""


def discard_question(key: str, where: str = "") -> str:
    """Return the question before a key discards a text; `where` says where it was typed, such as ` in all steps`."""
    return f"Discard what you typed{where}? {key} again discards it, any other key keeps it"
