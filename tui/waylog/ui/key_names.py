"""The names of keys, and the keys that a person has set, for texts that name a key and for questions that a key confirms.

A person's own keys hold for the whole program, as the character set of the terminal does, so they are kept once: texts with keys in
them are written in many places, few of which know the window.
"""

from __future__ import annotations

from collections.abc import Mapping

_NAMES = {
    "question_mark": "?", "colon": ":", "plus": "+", "minus": "-", "equals_sign": "=", "enter": "Enter", "tab": "Tab",
    "shift+tab": "Shift+Tab", "shift+left": "Shift+←", "shift+right": "Shift+→", "up": "↑", "down": "↓", "left": "←", "right": "→", "pageup": "PgUp", "pagedown": "PgDn",
    "escape": "Esc", "full_stop": ".", "slash": "/", "greater_than_sign": ">", "home": "Home", "end": "End", "space": "Space", "f1": "F1",
}  # fmt: skip


_own: dict[str, str] = {}
"""The keys that a person has set, by the ids of the bindings."""


def use_keys(keymap: Mapping[str, str]) -> None:
    """From now on these bindings, by their ids, have these keys, as Textual writes them: `n,ctrl+n`. All others have their
    usual ones.
    """
    _own.clear()
    _own.update(keymap)


def keys_of(id_: str, usual: str) -> tuple[str, ...]:
    """Return the keys of a binding as Textual calls them. `usual` are those that it has if a person has set none."""
    return tuple(_own.get(id_, usual).split(","))


def key_name(id_: str, usual: str) -> str:
    """Return the first key of a binding as people call it."""
    return format_keys(keys_of(id_, usual)[0])


def format_keys(keys: str) -> str:
    """Return the keys of a binding as people call them. For a view this is its digit, and for quitting its letter,
    without other ways.
    """
    every = keys.split(",")
    plain = [key for key in every if not key.startswith("ctrl+")] or every
    return " ".join(_NAMES.get(key) or _with_control(key) for key in (plain[:1] if plain[0].isdigit() else plain))


def _with_control(key: str) -> str:
    before, control, letter = key.rpartition("ctrl+")
    return f"{before}Ctrl+{letter.upper() if len(letter) == 1 else letter}" if control else key


def digit(key: str) -> str:
    """Return the digit of a key; empty for any other key."""
    return key if len(key) == 1 and key.isascii() and key.isdigit() else ""
