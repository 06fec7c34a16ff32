"""The recap: what a session came to, for the players; or for the wayfinder, with everything secret (NM-41).

`recap_of` collects it, and `recap_in_markdown.py` writes it. The pace of a session is in it: how often each character acted, and how long
each scene took. It ranks nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain, pairwise
from types import MappingProxyType

from waylog.rules.codec.changes import Change, Value, parse_path
from waylog.rules.common.random_tables import Tables
from waylog.rules.model.clocks_situations_and_timers import Clock
from waylog.rules.model.facts import ClockStep, Fact, NoteFact, OutcomeFact, RollFact, quotes_name
from waylog.rules.model.moves import NotThere
from waylog.rules.model.panels import Panel
from waylog.rules.model.players_and_permissions import PERMISSIONS_CLAUSE, Players, name_of
from waylog.rules.model.sessions import Session, sessions_by_number
from waylog.rules.model.state import EntryKind, State
from waylog.rules.what_acts_do import SCENE_CLAUSE
from waylog.rules.what_players_know import Visibility, VisibleClock
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import ActText, LoggedActs, describe_entries, opens_others
from waylog.values import dataclass, field, replace

_LEAST_SCENES = 3
"""With fewer scenes, a session has no pace."""
NONE_YET = "The pace is shown once a session has three scenes"
_CREW = "crew."
_SAME_EVENING = timedelta(hours=12)
"""What was played without a session and so long before the next one began, at most, belongs to that one."""
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
        return f"{self.title or 'Untitled scene'}: {length}, from {self.began:%H:%M}"


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a session."""

    scenes: tuple[SceneLength, ...] = ()
    acted: Mapping[str, int] = field(default_factory=dict)
    """The number of acts of each character, in the order of the crew."""

    @property
    def who_acted(self) -> str:
        """The number of acts of each character, as one line: `Odile twice, Bram not yet`. Empty if there is nobody."""
        return ", ".join(f"{name} {_times(count)}" for name, count in self.acted.items())


def pace_of(entries: Iterable[LogEntry], panels: Sequence[Panel]) -> Pace | None:
    """Return the pace of a session, from its entries that are not undone, oldest first; None if it has fewer than three scenes."""
    in_order = [entry for entry in entries if not entry.is_undo]
    scenes = _scene_lengths(in_order)
    if len(scenes) < _LEAST_SCENES:
        return None
    crew = {panel.key: panel.title for panel in panels if panel.key.startswith(_CREW)}
    acted = {key: {entry.root for entry in in_order if is_in(entry, key, name)} for key, name in crew.items()}
    return Pace(tuple(scenes), {crew[key]: len(roots) for key, roots in acted.items()})


def _scene_lengths(entries: Sequence[LogEntry]) -> list[SceneLength]:
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


def is_in(entry: LogEntry, key: str, name: str) -> bool:
    """Whether an entry is about a character, or has their dice or their outcome."""
    if key in entry.about:
        return True
    who = [fact.what for fact in entry.facts if isinstance(fact, RollFact)]
    who += [fact.who for fact in entry.facts if isinstance(fact, OutcomeFact)]
    return any(one == name or one.startswith(f"{name}, ") for one in who)


def _times(count: int) -> str:
    return _TIMES[count] if count < len(_TIMES) else f"{count} times"


_UNTITLED = "A new scene"
_NO_TABLES: Tables = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RecapAct:
    """An act in the recap, with its follow-ups."""

    entry: int
    """The number of its first entry."""
    at: datetime
    entries: tuple[LogEntry, ...]
    """Its entries, each with the facts that may be told."""
    note: bool = False
    """It is a note, not an act."""
    by: str = ""
    """The name of the player who proposed it; empty for the wayfinder."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of all its entries."""
        return tuple(chain.from_iterable(entry.facts for entry in self.entries))

    def describe(self, *, secrets: bool) -> ActText:
        """Return the act in words. Without `secrets`, leave out the details of the rules, and clocks that moved: the recap lists these
        by themselves.
        """
        text = describe_entries(self.entries, lambda _, fact: not fact.secret, titles=False)
        if secrets:
            return text
        shown = tuple(one for one in text.told_without_dice if not (one.detail or one.moves_clock))
        if text.minor:
            text = replace(text, sentence="", outcome=None, hidden_sentence=False)
        return replace(text, consequences=shown)


@dataclass(frozen=True, slots=True)
class RecapScene:
    """The acts from one scene marker to the next."""

    title: str
    """Empty before the first scene marker."""
    acts: tuple[RecapAct, ...]


class ClockEvent(StrEnum):
    """A change of a clock that a recap tells."""

    STARTED = "started"
    FILLED = "filled"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Turned:
    """A clock that was started, became full or was closed during the session."""

    key: str
    clock: VisibleClock
    what: ClockEvent
    outcome: str
    """Its ending, if the clock is full and it may be shown."""
    hidden: bool
    """Players don't see it."""

    @property
    def full(self) -> bool:
        """Whether it became full."""
        return self.what is ClockEvent.FILLED

    @property
    def was_closed(self) -> bool:
        """Whether it was closed, and had not become full in the same session."""
        return self.what is ClockEvent.CLOSED


@dataclass(frozen=True, slots=True)
class Recap:
    """The recap of one session."""

    campaign: str
    session: int
    """The session's number; 0 for acts between sessions."""
    held: Session
    scenes: tuple[RecapScene, ...]
    clocks: tuple[Turned, ...]
    steps: tuple[ClockStep, ...]
    """For each clock that moved, from where to where it came in the session; named as it is now."""
    outcomes: Mapping[str, Mapping[OutcomeFact, int]]
    """For each roller, the number of times that each outcome came up."""
    secrets: bool
    pace: Pace | None = None
    """The lengths of the scenes and the acts of each character, for the wayfinder; None for a session of fewer than three scenes."""
    unused: tuple[str, ...] = ()
    """A line for each thing that was prepared and not used so far, for the wayfinder."""


def recap_of(
    entries: Iterable[LogEntry],
    state: State,
    session: int | None,
    *,
    tables: Tables = _NO_TABLES,
    secrets: bool = False,
    panels: Sequence[Panel] = (),
    unused: Iterable[str] = (),
) -> Recap:
    """Return the recap of a session, of the latest one with None; without any session, of everything. `entries` are those that still hold,
    newest first. `unused` belongs to the latest session. Raises `NotThere` for a session that doesn't exist.
    """
    session_numbers = [*sessions_by_number(state.sessions)]
    wanted = max(session_numbers, default=0) if session is None else session
    in_session, later = _entries_of(wanted, entries)
    if not in_session and wanted and wanted not in session_numbers:
        there = (
            f"Sessions run from {min(session_numbers)} to {max(session_numbers)}"
            if session_numbers
            else "There have been no sessions yet"
        )
        raise NotThere(f"there is no session {wanted}. {there}", "NM-40")
    found = recap(in_session, state, wanted, later=later, tables=tables, secrets=secrets)
    is_latest = wanted == max(session_numbers, default=0)
    left = tuple(unused) if is_latest else ()
    return replace(found, pace=pace_of(in_session, panels), unused=left) if secrets else found


def _entries_of(session: int, entries: Iterable[LogEntry]) -> tuple[list[LogEntry], list[LogEntry]]:
    """Return the entries of a session and the later ones, both oldest first, from those that still hold, newest first. What stands in the
    place of another entry, such as a roll whose die was misread, belongs to the session of that one.
    """
    found, elsewhere, passed = list[LogEntry](), list[LogEntry](), list[LogEntry]()
    for entry in _with_what_came_before(entries):
        was_in = 0 if entry.kind is EntryKind.SESSION_ENDS else entry.session
        if was_in == session:  # So it was when what stood right behind this entry was done.
            found += [replace(one, session=session) for one in elsewhere if _place_of(one) > entry.number]
        elsewhere = [one for one in elsewhere if _place_of(one) < entry.number]
        if _place_of(entry) != entry.number:
            elsewhere.append(entry)
        elif entry.session == session:
            found.append(entry)
        elif found and session and entry.session:  # It is an earlier session.
            break
        passed.append(entry)
    if not session:
        found += [replace(one, session=0) for one in elsewhere]
    numbers = {entry.number for entry in found}
    first = min(numbers, default=0)
    later = [entry for entry in reversed(passed) if first < entry.number not in numbers]
    return sorted(found, key=lambda entry: entry.number), later


def _with_what_came_before(entries: Iterable[LogEntry]) -> Iterator[LogEntry]:
    """Yield the entries, newest first. What was played on the same evening before somebody started the session is in that session: all
    from the first public roll or the first scene on. What comes before those is how the wayfinder prepared it.
    """
    begins, before = None, list[LogEntry]()
    for entry in entries:
        if begins and not entry.session and begins.at - entry.at <= _SAME_EVENING:
            before.append(entry)
            if entry.kind is EntryKind.SCENE or any(
                isinstance(fact, RollFact) and not fact.secret for fact in entry.facts
            ):
                yield from (replace(one, session=begins.session) for one in before)
                before = []
            continue
        yield from before
        before = []
        if entry.session:
            begins = entry if entry.kind is EntryKind.SESSION_BEGINS else None
        yield entry
    yield from before


def recap(
    entries: Iterable[LogEntry],
    state: State,
    session: int,
    *,
    later: Sequence[LogEntry] = (),
    tables: Tables = _NO_TABLES,
    secrets: bool = False,
) -> Recap:
    """Return the recap of a session. `entries` are those that still hold, oldest first. `later` ones, behind them, tell which clocks
    players saw in the session.

    Of an entry, only the facts are told; its command and changes may name hidden things. Without `secrets`, it has only
    what players see of the campaign now, by the same rules as their view, and nothing that was undone or rewound.
    """
    sight = (Visibility.of_wayfinder if secrets else Visibility.of_players)(state, tables)
    in_session = [entry for entry in entries if entry.session == session]
    by_number = {entry.number: entry for entry in in_session}
    logged = LoggedActs(by_number.__getitem__, max(by_number, default=0))
    acts = {entry.number: logged.act_of(entry) for entry in in_session}
    visible_entries = [entry for entry in in_session if secrets or not entry.is_undo]
    facts = {entry.number: sight.facts(entry) for entry in visible_entries}
    session_data = state.sessions.get(str(session)) or _undated_session(in_session)
    results = [fact for found in facts.values() for fact in found if isinstance(fact, OutcomeFact)]
    return Recap(
        state.name,
        session,
        session_data,
        tuple(_scenes(sorted(visible_entries, key=_place_of), facts, acts, state.players)),
        tuple(_clocks(visible_entries, state.clocks, sight)),
        tuple(_sum_steps(in_session, later, state.clocks, sight)),
        {
            who: Counter(result for result in results if result.who == who)
            for who in dict.fromkeys(r.who for r in results)
        },
        secrets,
    )


def _place_of(entry: LogEntry) -> int:
    """Return the number of the entry in whose place one stands, such as that of a roll whose die was misread; or its own."""
    return min(entry.undoes) if entry.kind.is_instead and entry.undoes else entry.number


def _undated_session(entries: Sequence[LogEntry]) -> Session:
    """Return a stand-in if there is no session: from the first entry to the last."""
    if not entries:
        return Session()
    first, last = (f"{entry.at:%Y-%m-%d %H:%M}" for entry in (entries[0], entries[-1]))
    return Session(first, last)


def _scenes(
    entries: Sequence[LogEntry], facts: Mapping[int, Sequence[Fact]], of: Mapping[int, int], players: Players
) -> Iterator[RecapScene]:
    """Group the entries by scene, and within each by act."""
    title, acts = "", dict[int, RecapAct]()
    for entry in entries:
        found = tuple(facts[entry.number])
        if entry.kind.is_session or entry.kind is EntryKind.TITLE:  # A heading shows it.
            continue
        if all(isinstance(fact, NoteFact) and fact.clause == PERMISSIONS_CLAUSE for fact in found):
            found = ()  # Who wants to act, and who may without asking, is no part of the story.
        if entry.kind is EntryKind.SCENE:
            if acts or title:
                yield RecapScene(title, tuple(acts.values()))
            # The title is in a fact that may be hidden. A hidden scene still separates what comes before it from what comes after.
            title = next((fact.quote for fact in found if isinstance(fact, NoteFact) and fact.quote), _UNTITLED)
            # A scene card may do more than begin the scene.
            rest = tuple(fact for fact in found if not (isinstance(fact, NoteFact) and fact.clause == SCENE_CLAUSE))
            acts = {of[entry.number]: RecapAct(entry.number, entry.at, (replace(entry, facts=rest),))} if rest else {}
        elif found or (opens_others(entry) and entry.root == entry.number):
            act = of[entry.number]
            begun = acts.get(act)
            before, at = (begun.entries, begun.at) if begun else ((), entry.at)
            by = begun.by if begun else name_of(players, entry.by) if entry.by else ""
            acts[act] = RecapAct(act, at, (*before, replace(entry, facts=found)), entry.kind.is_remark, by)
    if acts or title:
        yield RecapScene(title, tuple(acts.values()))


def _clocks(entries: Sequence[LogEntry], clocks: Mapping[str, Clock], sight: Visibility) -> Iterator[Turned]:
    """Return clocks that were started, that filled and that were closed. For players, only those that they were shown then and see now.
    Of one that filled, the closing is not news; of one that the wayfinder then set lower, it isn't that it filled.
    """
    filled = set[str]()
    by_hand = [entry for entry in entries if entry.kind.is_wayfinders and not entry.is_undo]
    last_set = {change.path: (entry.number, change.after) for entry in by_hand for change in entry.changes}
    for entry in entries:
        visible = [fact for fact in entry.facts if sight.shows(entry, fact)]
        for change in entry.changes:
            key = change.path[1] if change.path[0] == "clocks" and len(change.path) > 1 else ""
            clock = clocks.get(key)
            seen = sight.clock(clock) if clock else None
            if clock is None or seen is None:
                continue
            is_shown = sight.everything or any(_is_about(fact, key, clock) for fact in visible)
            what = _what_turned(change, clock) if is_shown else None
            set_in, set_to = last_set.get(change.path, (0, None))
            if what is ClockEvent.FILLED and set_in > entry.number and not _fills(set_to, clock):
                continue
            filled |= {key} if what is ClockEvent.FILLED else set()
            if what is ClockEvent.CLOSED and key in filled:
                continue
            if what is ClockEvent.STARTED or (what and seen.filled is not None):
                ends = what is ClockEvent.FILLED or (what is ClockEvent.CLOSED and seen.full)
                yield Turned(key, seen, what, seen.outcome if ends else "", not clock.seen)


def _sum_steps(
    entries: Sequence[LogEntry], later: Sequence[LogEntry], clocks: Mapping[str, Clock], sight: Visibility
) -> Iterator[ClockStep]:
    """Return for each clock the step from where it was to where it came in the entries, oldest first, in the order in which they moved
    first.

    It tells every change of a clock, also one by a form or in the file, which players are not told of: if they saw the clock before and
    after, they saw it move. What they saw then is worked out from the end.
    """
    then, sums = dict(clocks), dict[str, ClockStep]()
    numbers = {entry.number for entry in entries}
    for entry in sorted((*entries, *later), key=lambda entry: entry.number, reverse=True):
        if entry.is_undo:
            continue
        after, then = then, _clocks_before(entry, then)
        if entry.number not in numbers:
            continue
        visible = [fact for fact in entry.facts if sight.shows(entry, fact)]
        for change in reversed(entry.changes):
            match change.path:
                case ("clocks", key, "filled") if key in then:
                    clock, by_hand = clocks[key], entry.kind.is_wayfinders
                    is_seen = all(_shows_count(sight, one[key]) for one in (then, after))
                    is_told = is_seen if by_hand else any(_is_about(fact, key, clock) for fact in visible)
                    if sight.everything or (is_told and _shows_count(sight, clock)):
                        filled = [each if isinstance(each, int) else 0 for each in (change.before, change.after)]
                        last = sums.pop(key, None)
                        sums[key] = ClockStep(clock.name, filled[0], last.after if last else filled[1], clock.segments)
                case _:
                    pass
    yield from (step for step in reversed(sums.values()) if step.before != step.after)


def _clocks_before(entry: LogEntry, clocks: Mapping[str, Clock]) -> dict[str, Clock]:
    """Return the clocks that were there before an entry and are in `clocks`, each with those who saw it; the rest of it may be another."""
    then = dict(clocks)
    for change in reversed(entry.changes):
        match change.path:
            case ("clocks", key, "seen") if key in then:
                then[key] = replace(then[key], seen=change.before is not False)
            case ("clocks", key, "count_seen") if key in then:
                then[key] = replace(then[key], count_seen=change.before is not False)
            case ("clocks", key, "seen_by") if key in then:
                people = change.before if isinstance(change.before, Sequence) else ()
                then[key] = replace(then[key], seen_by=tuple(map(str, people)))
            case ("clocks", key):
                then.pop(key, None)
            case _:
                pass
    return then


def _shows_count(sight: Visibility, clock: Clock) -> bool:
    """Whether a clock is shown with its progress."""
    shown = sight.clock(clock)
    return shown is not None and shown.filled is not None


def _is_about(fact: Fact, key: str, clock: Clock) -> bool:
    """Whether the fact is about that clock."""
    if isinstance(fact, OutcomeFact) or not fact.about:
        return quotes_name(fact, (clock.name,))
    return any(parse_path(path)[:2] == ("clocks", key) for path in fact.about)


def _what_turned(change: Change, clock: Clock) -> ClockEvent | None:
    """Return what the change did to the clock; None if it was none of the three. One that was reopened since was not closed."""
    before, after, part = change.before, change.after, change.path[2:]
    if not part:
        return ClockEvent.STARTED if before is None else None
    if part == ("closed",):
        return ClockEvent.CLOSED if after is True and clock.closed else None
    is_full = part == ("filled",) and _fills(after, clock)
    return ClockEvent.FILLED if is_full and not _fills(before, clock) else None


def _fills(filled: Value | None, clock: Clock) -> bool:
    return isinstance(filled, int) and filled >= clock.segments
