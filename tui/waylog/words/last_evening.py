"""How a campaign was left: the session and how long ago, the scene, what is open, the last note.

The list of campaigns says a part of it, and whoever opens a campaign again is told all of it, on the screen and in line mode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import chain, islice
from pathlib import Path

from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import count_offers
from waylog.rules.model.sessions import sessions_by_number
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log
from waylog.store.log.undo_and_scenes import effective_entries
from waylog.table_queries import TableQueries
from waylog.toml.document import UnreadableFile
from waylog.values import NamedTuple

_FARTHEST = 80
"""The entries in which the scene and the note are looked for: about an evening. Each takes an eighth of a millisecond to read."""
_AWAY = 10
"""The minutes without an act after which somebody has been away."""


class Welcome(NamedTuple):
    """What somebody wants to know who opens a campaign again, a sentence each; empty where there is nothing to tell."""

    left: str
    """The session and how long ago it was."""
    scene: str
    is_open: str
    """Offers, proposals and full clocks."""
    note: str


class LastEvening(NamedTuple):
    """The end of the log, as far as people remember an evening by it."""

    at: datetime | None = None
    """The time of the last act; None if nothing has been played."""
    scene: str = ""
    note: str = ""
    """The last note that players may hear, too."""


def last_evening(entries: Iterable[LogEntry], may_hold: Callable[[EntryKind], bool]) -> LastEvening:
    """Return how an evening ended, from entries that still hold, newest first. They are read as long as a scene or note may follow:
    `may_hold` says whether the log has any.
    """
    at, scene, note = None, "", ""
    to_find = {kind for kind in (EntryKind.NOTE, EntryKind.SCENE) if may_hold(kind)}
    for entry in islice(entries, _FARTHEST):
        at = at or entry.at
        text = next((fact.quote or fact.text for fact in entry.facts if isinstance(fact, NoteFact)), "")
        if entry.kind is EntryKind.NOTE:
            note = note or text
            to_find -= {EntryKind.NOTE} if note else set()
        elif entry.kind is EntryKind.SCENE:
            scene = next((fact.quote or "" for fact in entry.facts if isinstance(fact, NoteFact)), "")
        if not to_find or entry.kind in (EntryKind.SCENE, EntryKind.SESSION_BEGINS):
            break
    return LastEvening(at, scene, note)


def evening_in(folder: Path) -> LastEvening:
    """Return how the last evening of a campaign ended, from its log alone; an empty one if that can't be read."""
    log = Log(folder / "log")
    try:
        log.follow()
        return last_evening(effective_entries(log), log.may_hold)
    except (OSError, UnreadableFile):
        return LastEvening()


def how_long_ago(then: datetime, now: datetime) -> str:
    """Return how long ago something was, in the words of people who talk about their evenings: `yesterday`, `3 weeks ago`."""
    minutes, days = (now - then).total_seconds() // 60, (now.date() - then.astimezone(now.tzinfo).date()).days
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return _count(int(minutes), "minute")
    if days < 1 or minutes < 6 * 60:
        return _count(int(minutes // 60), "hour")
    if days == 1:
        return "yesterday"
    if days < 14:
        return _count(days, "day")
    if days < 60:
        return _count(days // 7, "week")
    return _count(days // 30, "month") if days < 700 else _count(days // 365, "year")


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'} ago"


def welcome_back(table: TableQueries) -> Welcome | None:
    """Return how a campaign was left; None before the first act, and for somebody who was here a moment ago."""
    newest_first, snapshot, now = table.latest(), table.snapshot, table.now()
    last = next(newest_first, None)
    if last is None or (now - last.at).total_seconds() < 60 * _AWAY:
        return None
    evening = last_evening(chain((last,), newest_first), table.may_hold)
    sessions = sessions_by_number(snapshot.sessions)
    number = max(sessions, default=0)
    ago = how_long_ago(last.at, now)
    title = f" “{sessions[number].title}”" if number and sessions[number].title else ""
    went = f"{title}, last played {ago}" if snapshot.session else f"{title} ended {ago}"
    # An open question is shown or told wherever these lines are, and so are the offers and the proposals themselves.
    full = [f"“{clock.name}” is full" for clock in snapshot.clocks.values() if clock.full and not clock.closed]
    offers = [move for move in snapshot.moves if move.follows and move.offer and not move.blocked]
    proposals = len(snapshot.proposals)
    waiting = [f"{proposals} proposal{'' if proposals == 1 else 's'}"] if proposals else []
    is_open = [*([count_offers(offers)] if offers else []), *waiting, *full]
    return Welcome(
        f"Session {number}{went}" if number else f"Last played {ago}",
        f"Scene: {evening.scene}" if evening.scene else "",
        f"Still open: {', '.join(is_open)}" if is_open else "",
        f"Last note: {evening.note}" if evening.note else "",
    )
