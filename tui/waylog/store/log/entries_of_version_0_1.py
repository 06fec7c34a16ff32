"""Entries of Waylog 0.1: what their words alone tell.

They have no `kind` and no `title`, and their facts don't say what they are about. `derive_parts` makes this from their words, and nothing
else does; `decode_entry` calls it for each of them.
"""

from __future__ import annotations

import re

from waylog.rules.model.facts import ClockStep, Fact, NoteFact, NotePart, RollFact
from waylog.rules.model.state import EntryKind
from waylog.values import NamedTuple, replace

_WORDS = {
    "redo": EntryKind.REDO,
    "rewind": EntryKind.REWIND,
    "by hand": EntryKind.BY_HAND,
    "by hand against play": EntryKind.AGAINST_PLAY,
    "session begin": EntryKind.SESSION_BEGINS,
    "session end": EntryKind.SESSION_ENDS,
}
_SCENE = "Scene: "
_REMARKS = {EntryKind.NOTE: "Note: ", EntryKind.SECRET: "Secret note: "}
_VERBS = {
    "undo": EntryKind.UNDO,
    "restore": EntryKind.RESTORE,
    "note": EntryKind.NOTE,
    "secret": EntryKind.SECRET,
    "scene": EntryKind.SCENE,
    "session": EntryKind.SESSION,
    "set": EntryKind.SET,
    "effect": EntryKind.EFFECT,
    "return": EntryKind.CARD,
    "stay": EntryKind.CARD,
}
_DEEDS = ("heal", "table", "draw", "pick", "enter")
"""Verbs whose first note says what was done."""
_STEP = r"“(.+)” ([+−])(\d{1,2}), now (\d{1,2})/(\d{1,2})"
_DETAILS = r": Focus [+−]\d|: Focus stays|^Desperate|^\d → \d|^Shunted: |^\d+ hits? |target \d|^Success[\w ]*, .* and |^the app rolled|^[a-z]+ clock “.*”, \d+ segments|^“.*” is closed at|^“.*” is open again"
_SYSTEMS = ("cpu", "hul", "nav")
SHIP_ROLLS_OF_0_1 = tuple(f'act = "roll {system}'.encode() for system in _SYSTEMS)
"""How entries of 0.1 begin that are about the ship and don't name it."""


class DerivedParts(NamedTuple):
    """What an entry of 0.1 says in words alone."""

    facts: tuple[Fact, ...]
    kind: EntryKind = EntryKind.PLAY
    title: str = ""
    about: tuple[str, ...] = ()
    settles: int = 0


def derive_parts(words: str, facts: tuple[Fact, ...]) -> DerivedParts:
    """Return what follows from the words of an entry of 0.1: its kind and the rest that later entries say themselves.

    Later entries of play have a title, and all others have a kind, so no other entry is read by its words.
    """
    verb, _, rest = words.partition(" ")
    if verb == "keep" and rest.isascii() and rest.isdigit():
        return DerivedParts(facts, EntryKind.KEEP, settles=int(rest[:9]))
    kind = _WORDS.get(words) or _VERBS.get(verb, EntryKind.PLAY)
    if kind is EntryKind.SCENE:
        return DerivedParts(tuple(map(_quoting_title, facts)), kind, _title(facts))
    if kind is not EntryKind.PLAY:
        return DerivedParts(tuple(map(_with_part, facts)), kind, _REMARKS.get(kind, "") + _title(facts))
    if verb == "group":
        return DerivedParts(facts, title="Group roll")
    who = rest.partition(" ")[0]
    about = ("ship" if who in _SYSTEMS else f"crew.{who}",) if verb == "roll" and who else ()
    marked = _with_deed(facts, verb, who)
    return DerivedParts(marked, title=_title(marked), about=about)


def _title(facts: tuple[Fact, ...]) -> str:
    """Return what the first fact says, as a title; empty if there is none, or if its outcome is all it says."""
    match facts[:1]:
        case (RollFact(what, deed=deed),):
            return deed or what
        case (NoteFact(text),):
            return text
        case _:
            return ""


def _with_deed(facts: tuple[Fact, ...], verb: str, who: str) -> tuple[Fact, ...]:
    """Return the facts of an entry of 0.1. If the verb shows which fact says what was done, that one is marked."""
    wanted = RollFact if verb == "roll" else NoteFact if verb in _DEEDS else None
    first = next((fact for fact in facts if wanted and isinstance(fact, wanted)), None)
    match first:
        case RollFact(what):
            name, _, system = what.partition(", ")
            deed = f"The ship rolls {what}" if what.lower() == who in _SYSTEMS else f"{name} rolls {system}".rstrip()
            marked: Fact = replace(first, deed=deed)
        case NoteFact():
            marked = replace(first, part=NotePart.DEED)
        case _:
            return tuple(map(_with_part, facts))
    return tuple(marked if fact is first else _with_part(fact) for fact in facts)


def _with_part(fact: Fact) -> Fact:
    """A note of 0.1: details and moved clocks are marked as such."""
    if not isinstance(fact, NoteFact):
        return fact
    if step := re.fullmatch(_STEP, fact.text):
        name, sign, count, now, segments = step.groups()
        after = int(now)
        before = after - int(count) if sign == "+" else after + int(count)
        return replace(fact, step=ClockStep(name, before, after, int(segments)))
    return replace(fact, part=NotePart.DETAIL) if re.search(_DETAILS, fact.text) else fact


def _quoting_title(fact: Fact) -> Fact:
    """Return the note of 0.1 on a new scene, with the scene's title as its quote."""
    if isinstance(fact, NoteFact) and fact.text.startswith(_SCENE):
        return replace(fact, quote=fact.text.removeprefix(_SCENE))
    return fact
