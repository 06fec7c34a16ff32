"""The recap: a session as Markdown for the players; or for the wayfinder, with everything secret (NM-41)."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, groupby
from pathlib import Path
from types import MappingProxyType

from waylog.rules.changes import Change, parse_path
from waylog.rules.common.clocks import Clock
from waylog.rules.common.random_tables import Tables
from waylog.rules.common.sessions import Session
from waylog.rules.facts import ClockStep, Fact, NoteFact, OutcomeFact, OutcomeGrade
from waylog.rules.open_scene import read_shared
from waylog.rules.state import EffectOffer, EntryKind, OpenScene, State
from waylog.safe_text import escape_controls
from waylog.store.entries import LogEntry, quotes_name
from waylog.store.lock_and_replace import open_inside
from waylog.store.logged_acts import describe_entries, opens_others
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
    entries: tuple[LogEntry, ...]
    """Its entries, each with the facts that may be told."""
    note: bool = False
    """It is a note, not an act."""

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
    """A clock that was started, or that filled."""

    key: str
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
    steps: tuple[ClockStep, ...]
    """For each clock that moved, from where to where it came in the session; named as it is now."""
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
        tuple(_sum_steps(visible_entries, state.clocks, sight)),
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
        elif found or (opens_others(entry) and entry.root == entry.number):
            act = of[entry.number]
            begun = acts.get(act)
            before, at = (begun.entries, begun.at) if begun else ((), entry.at)
            acts[act] = RecapAct(act, at, (*before, replace(entry, facts=found)), entry.kind.is_remark)
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
                yield Turned(key, seen, full, seen.outcome, not clock.seen)
            elif not full and is_shown and len(change.path) == 2 and change.before is None:
                yield Turned(key, seen, full, "", not clock.seen)


def _sum_steps(entries: Sequence[LogEntry], clocks: Mapping[str, Clock], sight: Visibility) -> Iterator[ClockStep]:
    """The steps of each clock as one, in the order in which they moved first."""
    keys = {clock.name: key for key, clock in clocks.items()}
    sums = dict[str, ClockStep]()
    for fact in (fact for entry in entries for fact in entry.facts):
        if not isinstance(fact, NoteFact) or not fact.step.segments or not sight.fact(fact):
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
        yield from _acts(scene.acts, secrets=of.secrets)
    if of.clocks or of.steps:
        yield from ("", "## Clocks", "")
        yield from _clock_lines(of)
    if of.outcomes:
        yield from ("", "## The dice", "")
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


def _acts(acts: Sequence[RecapAct], *, secrets: bool) -> Iterator[str]:
    """Yield notes as quotations and everything else as a list, with a blank line between the two."""
    number = 0
    for note, group in groupby(acts, key=lambda act: act.note):
        of_kind = [*group]
        lines = (
            [*_quotations(of_kind)] if note else [line for act in of_kind for line in _act_lines(act, secrets=secrets)]
        )
        if lines:
            yield from ("",) if number else ()
            yield from lines
            number += 1


def _quotations(notes: Iterable[RecapAct]) -> Iterator[str]:
    for number, act in enumerate(notes):
        yield from ("",) if number else ()
        yield from (f"> {_note_text(fact)}" for fact in act.facts if isinstance(fact, NoteFact))


def _act_lines(act: RecapAct, *, secrets: bool) -> Iterator[str]:
    """Yield who did what, the outcome, and the consequences. In a group roll everyone has a line.

    Players are not told the details of the rules, and clocks that moved have a line of their own (`_clock_lines`). An act that did
    nothing else has no line.
    """
    entries = tuple(map(_with_plain_notes, act.entries)) if secrets else act.entries
    text = describe_entries(entries, _is_open, titles=False)
    lines = [
        [] if text.minor and not secrets else [_sentence(text.sentence, text.outcome, hidden=text.hidden_sentence)]
    ]
    for one in text.consequences:
        if one.dice and opens_others(act.entries[0]):
            lines.append([])
        if secrets or not (one.detail or one.moves_clock):
            lines[-1].append(_sentence(one.text, one.outcome, hidden=one.hidden))
    for number, parts in enumerate(filter(None, (" ".join(filter(None, parts)) for parts in lines))):
        yield f"  - {parts}" if number else f"- {parts}"


def _with_plain_notes(entry: LogEntry) -> LogEntry:
    """The entry with notes alone for clocks that moved, which keep their own words."""
    facts = (replace(fact, step=ClockStep()) if isinstance(fact, NoteFact) else fact for fact in entry.facts)
    return replace(entry, facts=tuple(facts))


def _is_open(fact: Fact) -> bool:
    return isinstance(fact, OutcomeFact) or not fact.secret


def _sentence(text: str, outcome: OutcomeFact | None, *, hidden: bool) -> str:
    """`Bram rolls with arc cutter: **Success**.`"""
    words = escape_markdown(text)
    if outcome:
        label = f"**{escape_markdown(outcome.label)}**"
        words = f"{words}: {label}" if words else label
    end = "" if not words or words[-1] in ".!?…" else "."
    # What only the wayfinder reads may begin with the path of a value, which stays as it is.
    return f"{words} *(secret)*{end}" if hidden else words[:1].upper() + words[1:] + end


def _note_text(note: NoteFact) -> str:
    return escape_markdown(note.text) + (" *(secret)*" if note.secret else "")


def _clock_lines(of: Recap) -> Iterator[str]:
    """A line for each clock that was started, moved or filled: `- **Moorings** filled, 3→6. The ring tears.`"""
    steps = {step.name: step for step in of.steps}
    turned = {one.clock.name: [other for other in of.clocks if other.clock.name == one.clock.name] for one in of.clocks}
    for name in dict.fromkeys((*turned, *steps)):
        events, step = turned.get(name, []), steps.get(name)
        full = next((one for one in events if one.full), None)
        what = "filled" if full else "started" if events else ""
        way = f"{step.before}→{step.after}" + ("" if full else f" of {step.segments}") if step else ""
        if not way and events and not full:
            way = f"{events[0].clock.kind.value}, {events[0].clock.segments} segments"
        line = f"- **{escape_markdown(name)}** {', '.join(filter(None, (what, way)))}"
        line += f". {_sentence(full.outcome, None, hidden=False)}" if full and full.outcome else ""
        yield line + (" *(secret)*" if any(one.hidden for one in events) else "")


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
