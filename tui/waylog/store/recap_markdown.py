"""The recap as Markdown, for the screen and for a file in the campaign's folder (NM-41)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from waylog.rules.common.sessions import Session
from waylog.rules.facts import ClockStep, Fact, NoteFact, OutcomeFact, OutcomeGrade
from waylog.safe_text import escape_controls
from waylog.store.entries import LogEntry
from waylog.store.lock_and_replace import open_inside
from waylog.store.logged_acts import describe_entries, opens_others
from waylog.store.recap import Recap, RecapAct
from waylog.toml.document import UnreadableFile, read_bytes
from waylog.values import replace

_MARKUP = re.compile(r"[\\`*_\[\]<#|~]|&(?=#?\w+;)")
_FILE_NAME = re.compile(r"recap-(\d{4,})(?:-(\d+))?\.md")
_AT_THE_START = re.compile(r"^(?=[-+=>:])|^(\d+)(?=[.)])")


def escape_markdown(text: str) -> str:
    """Escape Markdown in a text and keep it on one line."""
    plain = _MARKUP.sub(r"\\\g<0>", escape_controls(text).strip())
    return _AT_THE_START.sub(lambda found: f"{found[1] or ''}\\", plain)


def recap_text(of: Recap) -> str:
    """Return a recap as Markdown."""
    return "\n".join(_lines(of)) + "\n"


def write_recap(of: Recap, folder: Path) -> Path:
    """Write the recap to the campaign's folder as `recap-0001.md`. Raises `OSError` and leaves nothing behind.

    An earlier recap that a person has edited is kept; the new one is then `recap-0001-2.md`.
    """
    data, stem = recap_text(of).encode(), f"recap-{of.session:04}"
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


def latest_recap(folder: Path) -> Path | None:
    """Return the recap of the latest session in a campaign's folder, the last one if it has several; None without any.

    Raises `OSError`.
    """
    found = [match for path in folder.iterdir() if (match := _FILE_NAME.fullmatch(path.name))]
    latest = max(found, key=lambda match: (int(match[1]), int(match[2] or 1)), default=None)
    return folder / latest[0] if latest else None


def _says(path: Path, data: bytes) -> bool:
    """Whether the file has exactly these contents."""
    try:
        return read_bytes(path) == data
    except UnreadableFile:
        return False


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
    if of.pace:
        yield from ("", "## Pace", "")
        yield from (f"- {escape_markdown(scene.summary)}" for scene in of.pace.scenes)
        if of.pace.who_acted:
            yield f"- Who acted: {escape_markdown(of.pace.who_acted)}"


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
        by = f"{escape_markdown(act.by)}: " if act.by else ""
        yield from (f"> {by}{_note_text(fact)}" for fact in act.facts if isinstance(fact, NoteFact))


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
    """Return the entry with notes alone for clocks that moved, which keep their own words."""
    facts = (replace(fact, step=ClockStep()) if isinstance(fact, NoteFact) else fact for fact in entry.facts)
    return replace(entry, facts=tuple(facts))


def _is_open(_entry: LogEntry, fact: Fact) -> bool:
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
    """Return a line for each clock that was started, moved or filled: `- **Moorings** filled, 3→6. The ring tears.`"""
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
