"""The pace of a session: how often each character acted, and how long each scene took. It ranks nobody (NM-41)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from waylog.rules.facts import NoteFact, OutcomeFact, RollFact
from waylog.rules.panels import Panel
from waylog.rules.state import EntryKind
from waylog.store.entries import LogEntry
from waylog.values import dataclass, field

_LEAST_SCENES = 3
"""With fewer scenes, a session has no pace."""
NONE_YET = "This session has had fewer than three scenes so far"
_CREW = "crew."
_TIMES = (
    "not yet",
    "once",
    "twice",
    "three times",
    "four times",
    "five times",
    "six times",
    "seven times",
    "eight times",
    "nine times",
    "ten times",
)


@dataclass(frozen=True, slots=True)
class SceneLength:
    """A scene and its length so far."""

    title: str
    """Empty for a scene without a title, and before the first scene marker."""
    began: datetime
    minutes: int

    @property
    def summary(self) -> str:
        """The scene in one line: `The long way down: 38 minutes, from 20:14`."""
        length = "1 minute" if self.minutes == 1 else f"{self.minutes} minutes"
        return f"{self.title or 'A scene without a title'}: {length}, from {self.began:%H:%M}"


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a session."""

    scenes: tuple[SceneLength, ...] = ()
    acted: Mapping[str, int] = field(default_factory=dict)
    """The number of acts of each character, in the order of the crew."""

    @property
    def who_acted(self) -> str:
        """Who acted how much, as one line: `Odile twice, Bram not yet`. Empty if there is nobody."""
        return ", ".join(f"{name} {_times(count)}" for name, count in self.acted.items())


def pace_of(entries: Iterable[LogEntry], panels: Sequence[Panel]) -> Pace | None:
    """Return the pace of a session, from its entries that are not undone, oldest first; None if it has fewer than three scenes."""
    in_order = [entry for entry in entries if not entry.undoes]
    scenes = _scenes(in_order)
    if len(scenes) < _LEAST_SCENES:
        return None
    crew = {panel.key: panel.title for panel in panels if panel.key.startswith(_CREW)}
    acted = {key: {entry.root for entry in in_order if _is_in(entry, key, name)} for key, name in crew.items()}
    return Pace(tuple(scenes), {crew[key]: len(roots) for key, roots in acted.items()})


def _scenes(entries: Sequence[LogEntry]) -> list[SceneLength]:
    """Return the scenes. The time before the first scene marker is a scene only if something was played in it."""
    found = list[SceneLength]()
    starts = [place for place, entry in enumerate(entries) if entry.kind is EntryKind.SCENE]
    if any(not entry.kind.is_session for entry in entries[: starts[0] if starts else len(entries)]):
        starts = [0, *starts]
    for start, stop in pairwise((*starts, len(entries))):
        first, last = entries[start], entries[min(stop, len(entries) - 1)]
        title = next((fact.quote or "" for fact in first.facts if isinstance(fact, NoteFact)), "")
        is_marker = first.kind is EntryKind.SCENE
        minutes = max(0, round((last.at - first.at).total_seconds() / 60))
        found.append(SceneLength(title if is_marker else "", first.at, minutes))
    return found


def _is_in(entry: LogEntry, key: str, name: str) -> bool:
    """Whether an entry is about a character, or has their dice or their outcome."""
    if key in entry.about:
        return True
    who = [fact.what for fact in entry.facts if isinstance(fact, RollFact)]
    who += [fact.who for fact in entry.facts if isinstance(fact, OutcomeFact)]
    return any(one == name or one.startswith(f"{name}, ") for one in who)


def _times(count: int) -> str:
    return _TIMES[count] if count < len(_TIMES) else f"{count} times"
