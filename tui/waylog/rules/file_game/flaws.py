"""A mistake in a game file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from waylog.values import NamedTuple

Path = tuple[str, ...]
VERB = re.compile(r"[a-z][a-z0-9-]*")
"""A word that is typed."""
_OF_EVERY_GAME = """
    allow aside back card clock close deck dice disallow draw effect hide note on pay pick play reopen ruling scene secret session set show
    shuffle situation spotlight overrule stash table tick time timer roll keep
"""
_OF_LINE_MODE = "conflicts help kit log moves odds pace pause proposals recap redo rewind rule undo why"
WAYLOGS_VERBS = frozenset((*_OF_EVERY_GAME.split(), *_OF_LINE_MODE.split()))
"""Verbs that Waylog plays in every game, those of rolls, and the commands of line mode, which would hide a move of that name."""


class Flaw(NamedTuple):
    """Something that is wrong in a game file, and what would be right."""

    path: Path
    """The place in the file. Items of a list are named by their numbers."""
    message: str
    at_key: bool = False
    """The key is wrong, not the value."""
    within: int = 0
    """The column within a text, counted from 1; 0 for the text as a whole."""


def did_you_mean(word: str, known: Sequence[str], kind: str) -> str:
    """Return the end of a message: the word that was probably meant, or those that there are."""
    from waylog.rules.language.matching import nearest  # Only a mistake needs this module.

    if close := nearest(word, known):
        return f"did you mean `{close}`?"
    shown = ", ".join(known[:16]) + (" …" if len(known) > 16 else "")
    return f"the {kind} are {shown}" if known else f"there are no {kind}"
