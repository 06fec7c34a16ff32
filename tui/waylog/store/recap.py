"""The recap: what a session came to, for the players; or for the wayfinder, with everything secret (NM-41).

Here is what belongs into it; `recap_markdown` writes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from types import MappingProxyType

from waylog.rules.changes import Change, parse_path
from waylog.rules.common.clocks import Clock
from waylog.rules.common.people import Players, name_of
from waylog.rules.common.random_tables import Tables
from waylog.rules.common.sessions import Session, sessions_by_number
from waylog.rules.facts import ClockStep, Fact, NoteFact, OutcomeFact
from waylog.rules.moves import ActRefused
from waylog.rules.open_scene import read_shared
from waylog.rules.panels import Panel
from waylog.rules.state import EffectOffer, EntryKind, OpenScene, State
from waylog.store.entries import LogEntry, quotes_name
from waylog.store.logged_acts import opens_others
from waylog.store.pace import Pace, pace_of
from waylog.store.visibility import Visibility, VisibleClock
from waylog.values import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class RecapScene:
    """The acts from one scene marker to the next."""

    title: str
    """Empty before the first scene marker."""
    acts: tuple[RecapAct, ...]


@dataclass(frozen=True, slots=True)
class Turned:
    """A clock that was started or became full during the session."""

    key: str
    clock: VisibleClock
    full: bool
    """The clock became full. Otherwise it was started."""
    outcome: str
    """Its ending, if it may be shown."""
    hidden: bool
    """Players don't see it."""


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
    """How often each outcome came up, by roller."""
    secrets: bool
    pace: Pace | None = None
    """How the session was shared, for the wayfinder; None if it had fewer than three scenes."""


def recap_of(
    entries: Iterable[LogEntry],
    state: State,
    session: int | None,
    *,
    tables: Tables = _NO_TABLES,
    secrets: bool = False,
    panels: Sequence[Panel] = (),
) -> Recap:
    """Return the recap of a session, of the latest one with None; without any session, of everything. `entries` are those that still hold,
    newest first. Raises `ActRefused` for a session that doesn't exist.
    """
    session_numbers = [*sessions_by_number(state.sessions)]
    wanted = max(session_numbers, default=0) if session is None else session
    in_session: list[LogEntry] = []
    for entry in entries:
        if entry.session == wanted:
            in_session.append(entry)
        elif in_session and wanted and entry.session:  # It is an earlier session.
            break
    if not in_session and wanted and wanted not in session_numbers:
        there = (
            f"the sessions are {min(session_numbers)} to {max(session_numbers)}"
            if session_numbers
            else "there has been none yet"
        )
        raise ActRefused(f"there is no session {wanted}; {there}", "NM-40")
    in_session.reverse()
    found = recap(in_session, state, wanted, tables=tables, secrets=secrets)
    return replace(found, pace=pace_of(in_session, panels)) if secrets else found


def recap(
    entries: Iterable[LogEntry], state: State, session: int, *, tables: Tables = _NO_TABLES, secrets: bool = False
) -> Recap:
    """Return the recap of a session. `entries` are those that still hold, oldest first.

    Only the facts of an entry are used; its command and changes may name hidden things. Without `secrets`, it has only
    what players see of the campaign now, by the same rules as their view, and nothing that was undone or rewound.
    """
    sight = (Visibility.of_wayfinder if secrets else Visibility.of_players)(state, tables)
    in_session = [entry for entry in entries if entry.session == session]
    acts = _acts_of(in_session)
    visible_entries = [entry for entry in in_session if secrets or not entry.undoes]
    facts = {entry.number: sight.facts(entry) for entry in visible_entries}
    session_data = state.sessions.get(str(session)) or _undated_session(in_session)
    results = [fact for found in facts.values() for fact in found if isinstance(fact, OutcomeFact)]
    return Recap(
        state.name,
        session,
        session_data,
        tuple(_scenes(visible_entries, facts, acts, state.players)),
        tuple(_clocks(visible_entries, state.clocks, sight)),
        tuple(_sum_steps(visible_entries, state.clocks, sight)),
        {
            who: Counter(result for result in results if result.who == who)
            for who in dict.fromkeys(r.who for r in results)
        },
        secrets,
    )


def _undated_session(entries: Sequence[LogEntry]) -> Session:
    """Return a stand-in if there is no session: from the first entry to the last."""
    if not entries:
        return Session()
    first, last = (f"{entry.at:%Y-%m-%d %H:%M}" for entry in (entries[0], entries[-1]))
    return Session(first, last)


def _acts_of(entries: Sequence[LogEntry]) -> Mapping[int, int]:
    """Return, for each entry, the number of the act it belongs to in the recap.

    A first entry belongs to its own act. A follow-up belongs to the act that it follows from, which is not always the
    one that undo takes it with (`LogEntry.root`): after a roll, somebody may fill a clock by hand or draw a card before
    the roll's follow-up. What was open after each entry shows which act it follows from.
    """
    acts = dict[int, int]()
    roll, waiting, card = 0, 0, 0
    offers = dict[EffectOffer, int]()
    before = OpenScene()
    for entry in entries:
        after, act = read_shared(entry.scene), entry.root
        if entry.root != entry.number:
            done = next((act for offer, act in offers.items() if offer not in after.offers), 0)
            act = _find_root(entry, before, waiting=waiting, card=card, done=done, roll=roll) or entry.root
        acts[entry.number] = act
        is_read = any(isinstance(fact, OutcomeFact) for fact in entry.facts)
        if not entry.undoes and (after.stage != before.stage or is_read):
            roll = act
        waiting = (waiting if before.waiting else act) if after.waiting else 0
        card = card if after.drawn == before.drawn else act
        offers = {offer: offers.get(offer, act) for offer in after.offers}
        before = after
    return acts


def _find_root(entry: LogEntry, before: OpenScene, *, waiting: int, card: int, done: int, roll: int) -> int:
    """Return the act that a follow-up follows from, among those that left something open; 0 if unknown."""
    if waiting or done:
        return waiting or done
    # A deck and more than one card: one of the cards has to be kept.
    if entry.kind is EntryKind.CARD or len(before.drawn) > 2:
        return card
    return 0 if entry.kind is EntryKind.EFFECT else roll


def _scenes(
    entries: Sequence[LogEntry], facts: Mapping[int, Sequence[Fact]], of: Mapping[int, int], players: Players
) -> Iterator[RecapScene]:
    """Group the entries by scene, and within each by act."""
    title, acts = "", dict[int, RecapAct]()
    for entry in entries:
        found = tuple(facts[entry.number])
        if entry.kind.is_session:  # The heading shows it.
            continue
        if entry.kind is EntryKind.SCENE:
            if acts or title:
                yield RecapScene(title, tuple(acts.values()))
            # The title is in a fact that may be hidden. A hidden scene still separates what comes before it from what comes after.
            title = next((fact.quote for fact in found if isinstance(fact, NoteFact) and fact.quote), _UNTITLED)
            acts = {}
        elif found or (opens_others(entry) and entry.root == entry.number):
            act = of[entry.number]
            begun = acts.get(act)
            before, at = (begun.entries, begun.at) if begun else ((), entry.at)
            by = begun.by if begun else name_of(players, entry.by) if entry.by else ""
            acts[act] = RecapAct(act, at, (*before, replace(entry, facts=found)), entry.kind.is_remark, by)
    if acts or title:
        yield RecapScene(title, tuple(acts.values()))


def _clocks(entries: Sequence[LogEntry], clocks: Mapping[str, Clock], sight: Visibility) -> Iterator[Turned]:
    """Return clocks that were started and that filled. For players, only those that they were shown then and see now."""
    for entry in entries:
        visible = [fact for fact in entry.facts if sight.shows(entry, fact)]
        for change in entry.changes:
            key = change.path[1] if change.path[0] == "clocks" and len(change.path) > 1 else ""
            clock = clocks.get(key)
            seen = sight.clock(clock) if clock else None
            if clock is None or seen is None:
                continue
            full = _fills(change, clock)
            is_shown = sight.everything or any(_is_about(fact, key, clock) for fact in visible)
            if full and is_shown and seen.filled is not None:
                yield Turned(key, seen, full, seen.outcome, not clock.seen)
            elif not full and is_shown and len(change.path) == 2 and change.before is None:
                yield Turned(key, seen, full, "", not clock.seen)


def _sum_steps(entries: Sequence[LogEntry], clocks: Mapping[str, Clock], sight: Visibility) -> Iterator[ClockStep]:
    """Return the steps of each clock as one, in the order in which they moved first."""
    keys = {clock.name: key for key, clock in clocks.items()}
    sums = dict[str, ClockStep]()
    for entry, fact in ((each, fact) for each in entries for fact in each.facts):
        if not isinstance(fact, NoteFact) or not fact.step.segments or not sight.shows(entry, fact):
            continue
        # Facts of 0.1 name the clock, and don't say its key.
        key = parse_path(fact.about[0])[1] if fact.about else keys.get(fact.step.name, "")
        if key in clocks:
            first = sums.get(key, fact.step)
            sums[key] = ClockStep(clocks[key].name, first.before, fact.step.after, fact.step.segments)
    yield from (step for step in sums.values() if step.before != step.after)


def _is_about(fact: Fact, key: str, clock: Clock) -> bool:
    """Whether the fact is about that clock."""
    if isinstance(fact, OutcomeFact) or not fact.about:
        return quotes_name(fact, (clock.name,))
    return any(parse_path(path)[:2] == ("clocks", key) for path in fact.about)


def _fills(change: Change, clock: Clock) -> bool:
    """Whether the change filled the clock."""
    before, after = change.before, change.after
    return (
        change.path[2:] == ("filled",)
        and isinstance(after, int)
        and after >= clock.segments
        and (not isinstance(before, int) or before < clock.segments)
    )
