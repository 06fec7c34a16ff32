"""Changes: the differences between two sheets. They are written to the file, shown in the log, and reversed by undo.

Paths as text, texts in quotes, and words to type for things that people have named, whatever characters the names have.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from waylog.values import dataclass

Path = tuple[str, ...]
NEW = ""
"""The key of an entry that isn't in the file yet and has no name."""
Value = Any
"""A plain TOML value: text, whole number, true or false, a list or a table of these."""

BARE_KEY = r"[A-Za-z0-9_-]+"
"""A part of a path that needs no quotes."""
INSIDE_QUOTES = r'(?:[^"\\]|\\.)*'
"""The text between straight quotes: a quote or a backslash in it has a backslash before it. For patterns with `re.DOTALL`."""
QUOTED = rf'"(?P<straight>{INSIDE_QUOTES})(?:"|\Z)|“(?P<curly>[^”]*)(?:”|\Z)'
"""A text in quotes as people type it, straight or curly. One that is never closed runs to the end. See `quoted_text`."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that differs. `before` is None if it was added, `after` is None if it was removed."""

    path: Path
    before: Value | None
    after: Value | None
    was: str | None = None
    """The source of `before` in the file, if it isn't the plain one; empty if the key was left out."""
    now: str | None = None
    """The source of `after` to write to the file, in the same sense."""

    def reverse(self) -> Change:
        """Return the change that reverses this one, with its source texts."""
        return Change(self.path, self.after, self.before, self.now, self.was)


@lru_cache(4096)
def format_path(path: Path) -> str:
    """Return the path as a TOML key, such as `ship.focus`. Parts are quoted if TOML requires it."""
    if all(re.fullmatch(BARE_KEY, part) for part in path):
        return ".".join(path)
    import json  # Only some commands need this module, and start-up doesn't.

    return ".".join(part if re.fullmatch(BARE_KEY, part) else json.dumps(part, ensure_ascii=False) for part in path)


def parse_path(text: str) -> Path:
    """Return the path that `format_path` wrote as `text`. A part with wrong quotation marks is taken as it is."""
    if '"' not in text:
        return tuple(part for part in text.split(".") if part)
    parts = re.findall(rf'"{INSIDE_QUOTES}"|[^."]+', text)
    for place, part in enumerate(parts):
        if part.startswith('"'):
            import json

            with suppress(ValueError):
                parts[place] = str(json.loads(part))
    return tuple(parts)


def quote_text(text: str) -> str:
    """Return a text as one token, in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def quoted_text(match: re.Match[str]) -> str | None:
    """Return the text that `QUOTED` found, without its quotes and backslashes; None if the match is something else.

    A pattern may also allow straight quotes alone, as a group of that name.
    """
    if match["straight"] is not None:
        return re.sub(r"\\(.)", r"\1", match["straight"], flags=re.DOTALL)
    return match.groupdict().get("curly")


ALPHABET = "abcdefghijklmnopqrstuvwxyz"
"""The small letters of English. The module `string` has them too, but compiles patterns when it is imported."""


@lru_cache(1024)
def slug(text: str) -> str:
    """Turn a name into one word: `Mara Voss` → `mara-voss`. Empty if none of its characters can be typed."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")


def words_for(names: Iterable[tuple[str, str]], kind: str, taken: Collection[str] = ()) -> Mapping[str, str]:
    """Return a word for each (identity, name). All words differ, none is in `taken`, and none is a number.

    If a name would give such a word, `kind` is put before it: `crew-nav`, `clock-12`.
    """
    return _words_for(tuple(names), kind, frozenset(taken))


@lru_cache(256)
def _words_for(names: tuple[tuple[str, str], ...], kind: str, taken: frozenset[str]) -> Mapping[str, str]:
    """The work of `words_for`. Results are remembered, because the list of moves needs the same names many times per
    act.
    """
    words: dict[str, str] = {}
    for identity, name in names:
        base = slug(name)
        if not base or base.isdigit() or base in taken:
            base = f"{kind}-{base}" if base else kind
        word, count = base, 2
        while word in words or word in taken:
            word, count = f"{base}-{count}", count + 1
        words[word] = identity
    return MappingProxyType(words)


def words_in_order(
    keys: Iterable[str], first: Collection[str], kind: str, taken: Collection[str] = ()
) -> Mapping[str, str]:
    """Return a word for each key, in the order of `keys`. The words of those in `first` don't depend on the others.

    So what players may type is the same whatever is hidden from them.
    """
    every = [*keys]
    if len(first) in (0, len(every)):
        return words_for(((key, key) for key in every), kind, taken)
    words = words_for(((key, key) for key in (*first, *(key for key in every if key not in first))), kind, taken)
    places = {key: place for place, key in enumerate(every)}
    return dict(sorted(words.items(), key=lambda item: places[item[1]]))


NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number_word(number: int) -> str:
    """Return a small number as a word, a larger one in digits: `two`, `13`."""
    return NUMBER_WORDS[number - 1] if 0 < number <= len(NUMBER_WORDS) else str(number)


def join_names(parts: Iterable[str], last: str = "and") -> str:
    """Join words as in `a, b and c`."""
    every = list(parts)
    return f"{', '.join(every[:-1])} {last} {every[-1]}" if len(every) > 1 else "".join(every)


def quote(text: str) -> str:
    """Return a text in quotation marks. Quotation marks inside it become single ones."""
    return f"“{text.replace('“', '‘').replace('”', '’')}”"


_LONGEST_ROLE = 24
_BREAKS = ".,;:(–—"


def with_full_stop(text: str) -> str:
    """Return a text as a sentence to go on after: with a full stop, unless it ends with a mark, perhaps in quotes."""
    return text if text.rstrip('”"')[-1:] in ".!?…" else f"{text}."


def in_short(text: str) -> str:
    """Return the words of a description before its first comma or the like; empty if that is more than a few words.

    `Medic, and everybody's conscience` → `Medic`.
    """
    ends = [at for at in map(text.find, _BREAKS) if at >= 0]
    first = text[: min(ends, default=len(text))].strip()
    return first if len(first) <= _LONGEST_ROLE else ""


def letters_for(words: Mapping[str, str], taken: Collection[str] = ()) -> Mapping[str, str]:
    """Return a letter for each identity. `words` has the identities by word.

    An identity gets the first letter of its word, unless one before it has that; or else the first of its word that is free then, or
    of the alphabet. A letter in `taken` is not free. If no letter is left, the identity gets an empty text.
    """
    letters: dict[str, str] = {}
    for most in (1, None):
        for word, identity in words.items():
            used = {*taken, *letters.values()}
            free = (letter for letter in (word + ALPHABET)[:most] if letter.isalpha() and letter not in used)
            if not letters.get(identity):
                letters[identity] = next(free, "")
    return letters
