"""The recap: a session as Markdown for the players; or for the wayfinder, with everything secret (NM-41)."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from itertools import chain, groupby, takewhile
from pathlib import Path
from types import MappingProxyType

from waylog.rules.changes import Change, parse_path
from waylog.rules.common.clocks import Clock
from waylog.rules.common.random_tables import Tables
from waylog.rules.common.sessions import Session
from waylog.rules.facts import Fact, NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.pending import read_shared
from waylog.rules.state import EffectOffer, EntryKind, OpenScene, State
from waylog.safe_text import escape_controls
from waylog.store.entries import LogEntry, quotes_name
from waylog.store.lock_and_replace import open_inside
from waylog.store.visibility import Visibility, VisibleClock
from waylog.toml.document import UnreadableFile, read_bytes
from waylog.values import dataclass

_UNTITLED = "A new scene"
_NO_TABLES: Tables = MappingProxyType({})
_MARKUP = re.compile(r"[\\`*_\[\]<#|~]|&(?=#?\w+;)")
_AT_THE_START = re.compile(r"^(?=[-+=>:])|^(\d+)(?=[.)])")


@dataclass(frozen=True, slots=True)
class RecapAct:
    """An act in the recap, with its follow-ups."""

    entry: int
    """The number of its first entry."""
    at: datetime
    parts: tuple[tuple[Fact, ...], ...]
    """The facts of each entry."""
    note: bool = False
    """It is a note, not an act."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of all its entries."""
        return tuple(chain.from_iterable(self.parts))


@dataclass(frozen=True, slots=True)
class RecapScene:
    """The acts from one scene marker to the next."""

    title: str
    """Empty before the first scene marker."""
    acts: tuple[RecapAct, ...]


@dataclass(frozen=True, slots=True)
class Turned:
    """A clock that was started, or that filled."""

    clock: VisibleClock
    full: bool
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
    outcomes: Mapping[str, Mapping[OutcomeFact, int]]
    """How often each outcome came up, by roller."""
    secrets: bool

    @property
    def text(self) -> str:
        """Return it as Markdown."""
        return "\n".join(_lines(self)) + "\n"


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
        tuple(_scenes(visible_entries, facts, acts)),
        tuple(_clocks(visible_entries, state.clocks, sight)),
        {
            who: Counter(result for result in results if result.who == who)
            for who in dict.fromkeys(r.who for r in results)
        },
        secrets,
    )


def write_recap(of: Recap, folder: Path) -> Path:
    """Write the recap to the campaign's folder as `recap-0001.md`. Raises `OSError` and leaves nothing behind.

    An earlier recap that a person has edited is kept; the new one is then `recap-0001-2.md`.
    """
    data, stem = of.text.encode(), f"recap-{of.session:04}"
    path, count = folder / f"{stem}.md", 1
    while os.path.lexists(path):
        if _says(path, data):
            return path
        count += 1
        path = folder / f"{stem}-{count}.md"
    descriptor = open_inside(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            file.write(data)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path


def _says(path: Path, data: bytes) -> bool:
    """Whether the file has exactly these contents."""
    try:
        return read_bytes(path) == data
    except UnreadableFile:
        return False


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
    entries: Sequence[LogEntry], facts: Mapping[int, Sequence[Fact]], of: Mapping[int, int]
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
        elif found:
            act = of[entry.number]
            begun = acts.get(act)
            before, at = (begun.parts, begun.at) if begun else ((), entry.at)
            acts[act] = RecapAct(act, at, (*before, found), entry.kind.is_remark)
    if acts or title:
        yield RecapScene(title, tuple(acts.values()))


def _clocks(entries: Sequence[LogEntry], clocks: Mapping[str, Clock], sight: Visibility) -> Iterator[Turned]:
    """Return clocks that were started and that filled. For players, only those that they were shown then and see now."""
    for entry in entries:
        visible = [fact for fact in entry.facts if sight.fact(fact)]
        for change in entry.changes:
            key = change.path[1] if change.path[0] == "clocks" and len(change.path) > 1 else ""
            clock = clocks.get(key)
            seen = sight.clock(clock) if clock else None
            if clock is None or seen is None:
                continue
            full = _fills(change, clock)
            is_shown = sight.everything or any(_is_about(fact, key, clock) for fact in visible)
            if full and is_shown and seen.filled is not None:
                yield Turned(seen, full, seen.outcome, not clock.seen)
            elif not full and is_shown and len(change.path) == 2 and change.before is None:
                yield Turned(seen, full, "", not clock.seen)


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


# -- as Markdown ---------------------------------------------------------------------------------------------------


def escape_markdown(text: str) -> str:
    """Escape Markdown in a text and keep it on one line."""
    plain = _MARKUP.sub(r"\\\g<0>", escape_controls(text).strip())
    return _AT_THE_START.sub(lambda found: f"{found[1] or ''}\\", plain)


def _lines(of: Recap) -> Iterator[str]:
    yield from _heading(of)
    if not of.scenes:
        yield "Nothing was played." if of.session else "Nothing has been played yet."
    for number, scene in enumerate(of.scenes):
        if scene.title:
            yield from ("",) if number else ()
            yield f"## {escape_markdown(scene.title)}"
            yield ""
        yield from _acts(scene.acts)
    if of.clocks:
        yield from ("", "## Clocks", "")
        yield from map(_clock, of.clocks)
    if of.outcomes:
        yield from ("", "## How the dice fell", "")
        yield from _outcome_table(of.outcomes)


def _heading(of: Recap) -> Iterator[str]:
    name, of_session = escape_markdown(of.campaign) or "Unnamed", of.held
    session = f": session {of.session}" if of.session else ""
    yield f"# {name}{session}" + (f", {escape_markdown(of_session.title)}" if of_session.title else "")
    yield ""
    if of_session.began:
        yield _when(of_session)
    if of_session.present:
        yield from ("",) if of_session.began else ()
        yield f"Present: {escape_markdown(of_session.present)}"
    if of_session.notes and of.secrets:
        yield ""
        yield f"Notes: {escape_markdown(of_session.notes)} *(secret)*"
    if of_session.began or of_session.present or (of_session.notes and of.secrets):
        yield ""


def _when(session: Session) -> str:
    day, _, began = session.began.partition(" ")
    last, _, ended = session.ended.partition(" ")
    if not session.ended:
        return f"Since {escape_markdown(session.began)}"
    if session.began == session.ended:
        return escape_markdown(session.began)
    until = ended if last == day else session.ended
    return (
        f"{escape_markdown(day)}, {escape_markdown(began)} to {escape_markdown(until)}"
        if began
        else f"{escape_markdown(day)} to {escape_markdown(until)}"
    )


def _acts(acts: Sequence[RecapAct]) -> Iterator[str]:
    """Yield notes as quotations and everything else as a list, with a blank line between the two."""
    for number, (note, group) in enumerate(groupby(acts, key=lambda act: act.note)):
        if number:
            yield ""
        for place, act in enumerate(group):
            if not note:
                yield from _act_lines(act.parts)
                continue
            yield from ("",) if place else ()
            yield from (f"> {_note_text(fact)}" for fact in act.facts if isinstance(fact, NoteFact))


@dataclass(slots=True)
class _Line:
    """A roll with its outcome and consequences; or consequences alone."""

    who: str = ""
    dice: str = ""
    outcomes: list[str] = field(default_factory=list)
    followed: list[str] = field(default_factory=list)


def _act_lines(parts: Sequence[Sequence[Fact]]) -> Iterator[str]:
    """Yield an act: one line for each roll with its consequences below; without a roll, one line.

    Facts before an entry's dice belong to them: the purpose of the roll, and its type.
    """
    lines = list[_Line]()
    before = list[str]()
    for facts in parts:
        rolls = any(
            isinstance(fact, RollFact) for fact in takewhile(lambda fact: not isinstance(fact, OutcomeFact), facts)
        )
        for fact in facts:
            match fact:
                case RollFact():
                    lines.append(_Line(fact.what, _dice(fact), followed=before))
                    rolls, before = False, []
                case OutcomeFact():
                    if not lines or fact.who not in ("", lines[-1].who):
                        lines.append(_Line(fact.who, followed=before))
                        before = []
                    lines[-1].outcomes.append(fact.label)
                case NoteFact():
                    (before if rolls or not lines else lines[-1].followed).append(_note_text(fact))
    if not lines:
        yield f"- {'; '.join(before)}"
        return
    for line in lines:
        yield "- " + ": ".join(
            filter(None, (f"**{escape_markdown(line.who)}**" if line.who else "", line.dice, _outcome(line)))
        )
        if line.followed:
            yield f"  - {'; '.join(line.followed)}"


def _outcome(line: _Line) -> str:
    return " → ".join(f"**{escape_markdown(label)}**" for label in line.outcomes)


def _dice(of: RollFact) -> str:
    """Return the faces by the source of the dice, and whether the dice were real."""
    groups = [(source, [*faces]) for source, faces in groupby(of.dice, key=lambda die: die.source)]
    parts = []
    for source, faces in groups:
        shown_faces = " ".join(f"{die.face}" + (f" (d{die.sides})" if die.sides != 6 else "") for die in faces)
        die_name = source.removeprefix(f"{of.what}, ")
        parts.append(shown_faces if source == of.what else f"{escape_markdown(die_name)} {shown_faces}")
    real = " (real dice)" if of.typed else ""
    secret = " *(secret)*" if of.secret else ""
    return f"{', '.join(parts)}{real}{secret}"


def _note_text(note: NoteFact) -> str:
    return escape_markdown(note.text) + (" *(secret)*" if note.secret else "")


def _clock(of: Turned) -> str:
    name = f"“{escape_markdown(of.clock.name)}”"
    hidden = " *(secret)*" if of.hidden else ""
    if of.full:
        return f"- Filled: {name}" + (f". {escape_markdown(of.outcome)}" if of.outcome else "") + hidden
    return f"- Started: {name}, {of.clock.kind.value}, {of.clock.segments} segments{hidden}"


_ORDER: Sequence[OutcomeGrade | None] = (*OutcomeGrade, None)


def _outcome_table(outcomes: Mapping[str, Mapping[OutcomeFact, int]]) -> Iterator[str]:
    """Return a table with a row for each roller and a column for each outcome, worst first."""
    all_of_them = {result for counts in outcomes.values() for result in counts}
    labels = list(dict.fromkeys(r.label for r in sorted(all_of_them, key=lambda r: (_ORDER.index(r.mood), r.label))))
    yield f"| | {' | '.join(map(escape_markdown, labels))} |"
    yield "|---" * (len(labels) + 1) + "|"
    for who, counts in outcomes.items():
        totals = [sum(count for result, count in counts.items() if result.label == label) for label in labels]
        yield f"| {escape_markdown(who) or '—'} | {' | '.join(str(total or '') for total in totals)} |"
