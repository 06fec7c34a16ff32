"""Scenes in the log: what was played since the last scene marker, its title, and the way from one scene or act to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from waylog.rules.language.similar_names import fold
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries import LogEntry
from waylog.store.log.log import Log
from waylog.store.log.undo import effective_entries

_EVENING = 80
"""The entries in which the beginning of a scene is looked for."""


def scene_so_far(log: Log) -> tuple[LogEntry, ...]:
    """Return what was played since the last scene marker, or since the session began, oldest first; without either,
    nothing (NM-43). The end of a session ends its scene. An act of which a die was misread comes before its correction, and a note before
    the one with its new text: without that, it holds again.
    """
    found, gone = list[LogEntry](), set[int]()
    for entry in log.backwards(1):
        if entry.number in gone:
            continue
        if not entry.kind.is_instead:
            gone.update(entry.ends)
        if entry.kind in (EntryKind.SCENE, EntryKind.SESSION_BEGINS):
            return tuple(reversed(found))
        if entry.kind is EntryKind.SESSION_ENDS:
            return ()
        if not (entry.is_undo or entry.kind.is_session or entry.kind.is_edit or entry.kind is EntryKind.TITLE):
            found.append(entry)
    return ()


def scene_title(log: Log) -> str:
    """Return the title of the scene that is played, if it began in the latest acts; empty between scenes, and without a title."""
    if not log.may_hold(EntryKind.SCENE):  # Reading an evening's entries takes longer than drawing the window.
        return ""
    for entry in islice(effective_entries(log), _EVENING):
        if entry.kind is EntryKind.SCENE:
            return next((fact.quote or "" for fact in entry.facts if isinstance(fact, NoteFact)), "")
        if entry.kind in (EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS):
            return ""
    return ""


def step_act(log: Log, number: int, by: int) -> int | None:
    """Return the last entry of the act before (`by` -1) or after (1) the one that ends with an entry; None if there is none."""
    last = log.mark.number
    number += by
    while 0 <= number < last and log.entry(number + 1).root != number + 1:
        number += by
    return number if 0 <= number <= last else None


def step_scene(log: Log, number: int, by: int) -> int | None:
    """Return the entry with which a scene or session begins, before (`by` -1) or after (1) that entry; the last entry if none comes
    after it, and None if there is none at all.
    """
    last = log.mark.number
    found = log.find_scenes(1, number)[::-1] if by < 0 else log.find_scenes(number + 1, last + 1)
    for one in found:
        with suppress(KeyError):
            if log.entry(one).kind in (EntryKind.SCENE, EntryKind.SESSION_BEGINS):
                return one
    return last if number < last and by > 0 else None


def numbers_within(scenes: Iterable[range], count: int) -> Iterator[int]:
    """Yield the numbers in these ranges up to `count`, highest first."""
    for scene in sorted(scenes, key=lambda scene: -scene.start):
        yield from reversed(range(scene.start, min(scene.stop, count + 1)))


def scenes_named(title: str, scenes: Iterable[tuple[str, range]]) -> tuple[range, ...]:
    """Return the entries of the scenes whose titles have that text in them."""
    return tuple(entries for name, entries in scenes if fold(title) in fold(name))
