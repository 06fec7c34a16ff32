"""A recap as Markdown, for the screen and for a file in the campaign's folder; and the files of recaps that are there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from pathlib import Path

from waylog.rules.common.scene_cards import Progress, SceneCards, untold
from waylog.rules.model.facts import ClockStep, NoteFact, OutcomeFact, OutcomeGrade
from waylog.rules.model.sessions import Session
from waylog.rules.model.state import CardProgress
from waylog.signs import escape_controls
from waylog.store.files_and_lock import open_inside
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import NOTHING_PLAYED, only_for, opens_others
from waylog.store.shown.recap import ClockEvent, Recap, RecapAct
from waylog.toml.document import UnreadableFile, read_bytes
from waylog.values import replace

_MARKUP = re.compile(r"[\\`*_\[\]<|~]|#(?=#*\s*$)|&(?=#?\w+;)")
_FILE_NAME = re.compile(r"recap-(\d{4,})(?:-(\d+))?\.md")
_AT_THE_START = re.compile(r"^(?=[-+=>:#])|^(\d+)(?=[.)])")


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


def saved_recaps(folder: Path) -> dict[int, Path]:
    """Return the recaps in a campaign's folder by session, in that order; of several for a session, the last. Raises `OSError`."""
    found = [match for path in folder.iterdir() if (match := _FILE_NAME.fullmatch(path.name))]
    found.sort(key=lambda match: (int(match[1]), int(match[2] or 1)))
    return {int(match[1]): folder / match[0] for match in found}


def _says(path: Path, data: bytes) -> bool:
    """Whether the file has exactly these contents."""
    try:
        return read_bytes(path) == data
    except UnreadableFile:
        return False


def _lines(of: Recap) -> Iterator[str]:
    yield from _heading(of)
    if not of.scenes:
        yield nothing(of)
    for number, scene in enumerate(of.scenes):
        if scene.title:
            yield from ("",) if number else ()
            yield f"## {escape_markdown(scene.title)}"
            yield ""
        yield from _acts(scene.acts, secrets=of.secrets)
    if of.clocks or of.steps:
        yield from ("", "## Clocks", "")
        yield from clock_lines(of)
    # What nobody rolled, such as the end of a conflict, has no roller.
    if outcomes := {who: counts for who, counts in of.outcomes.items() if who}:
        yield from ("", "## The dice", "")
        yield from _outcome_table(outcomes)
    if of.pace:
        yield from ("", "## Pace", "")
        yield from (f"- {escape_markdown(scene.summary)}" for scene in of.pace.scenes)
        if of.pace.who_acted:
            yield f"- Who acted: {escape_markdown(of.pace.who_acted)}"
    if of.unused:
        yield from ("", "## Prepared, but not used yet", "")
        yield from (f"- {escape_markdown(line)} *(secret)*" for line in of.unused)


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
    (day, began), (last, ended) = map(day_and_time, (session.began, session.ended))
    start, end = (escape_markdown(" ".join(filter(None, each))) for each in ((day, began), (last, ended)))
    if not session.ended:
        return f"Since {start}"
    if session.began == session.ended:
        return start
    until = escape_markdown(ended) if last == day else end
    return f"{escape_markdown(day)}, {escape_markdown(began)} to {until}" if began else f"{start} to {until}"


def day_and_time(written: str) -> tuple[str, str]:
    """Return `2026-11-24 20:00` as `24 Nov 2026` and `20:00`. A day that a person writes in another way stays as it is."""
    day, _, time = written.partition(" ")
    try:
        return f"{date.fromisoformat(day):%d %b %Y}", time
    except ValueError:
        return day, time


def _acts(acts: Sequence[RecapAct], *, secrets: bool) -> Iterator[str]:
    """Yield notes as quotations and everything else as a list, with a blank line between the two."""
    number = 0
    for note, group in groupby(acts, key=lambda act: act.note):
        of_kind = [*group]
        lines = (
            [*_quotations(of_kind)] if note else [line for act in of_kind for line in act_lines(act, secrets=secrets)]
        )
        if lines:
            yield from ("",) if number else ()
            yield from lines
            number += 1


def _quotations(notes: Iterable[RecapAct]) -> Iterator[str]:
    for number, act in enumerate(notes):
        yield from ("",) if number else ()
        by = f"{escape_markdown(act.by)}: " if act.by else ""
        yield from (f"> {by}{note_text(fact)}" for fact in act.facts if isinstance(fact, NoteFact))


def act_lines(act: RecapAct, *, secrets: bool) -> Iterator[str]:
    """Yield who did what, the outcome, and the consequences. In a group roll everyone has a line.

    Players are not told the details of the rules, and clocks that moved have a line of their own (`clock_lines`). An act that did
    nothing else has no line.
    """
    if secrets:
        act = replace(act, entries=tuple(map(_with_plain_notes, act.entries)))
    text = act.describe(secrets=secrets)
    lines = [[_sentence(text.sentence, text.outcome, hidden=text.hidden_sentence)]]
    for one in text.consequences:
        if one.dice and opens_others(act.entries[0]):
            lines.append([])
        lines[-1].append(_sentence(one.text, one.outcome, hidden=one.hidden))
    for number, parts in enumerate(filter(None, (" ".join(filter(None, parts)) for parts in lines))):
        yield f"  - {parts}" if number else f"- {parts}"


def _with_plain_notes(entry: LogEntry) -> LogEntry:
    """Return the entry with notes alone for clocks that moved, which keep their own words."""
    facts = (replace(fact, step=ClockStep()) if isinstance(fact, NoteFact) else fact for fact in entry.facts)
    return replace(entry, facts=tuple(facts))


def _sentence(text: str, outcome: OutcomeFact | None, *, hidden: bool) -> str:
    """`Bram rolls with arc cutter: **Success**.`"""
    words = escape_markdown(text)
    if outcome:
        label = f"**{escape_markdown(outcome.label)}**"
        words = f"{words}: {label}" if words else label
    end = "" if not words or words[-1] in ".!?…" else "."
    # What only the wayfinder reads may begin with the path of a value, which stays as it is.
    return f"{words} *(secret)*{end}" if hidden else words[:1].upper() + words[1:] + end


def nothing(of: Recap) -> str:
    """Return the sentence for a session in which nothing was played."""
    return "Nothing was played." if of.session else NOTHING_PLAYED


def note_text(note: NoteFact) -> str:
    """Return a note as Markdown, with a mark if not all players read it."""
    mark = "secret" if note.secret else escape_markdown(only_for(note.seen_by))
    return escape_markdown(note.text) + (f" *({mark})*" if mark else "")


def clock_lines(of: Recap) -> Iterator[str]:
    """Return a line for each clock that was started, moved, filled or closed: `- **Moorings** filled, 3→6. The ring tears.`"""
    steps = {step.name: step for step in of.steps}
    turned = {one.clock.name: [other for other in of.clocks if other.clock.name == one.clock.name] for one in of.clocks}
    for name in dict.fromkeys((*turned, *steps)):
        events, step = turned.get(name, []), steps.get(name)
        done = {one.what for one in events}
        what = next((each for each in (ClockEvent.FILLED, ClockEvent.STARTED) if each in done), None)
        is_full = what is ClockEvent.FILLED
        way = f"{step.before} → {step.after}" + ("" if is_full else f" of {step.segments}") if step else ""
        if not way and what is ClockEvent.STARTED:
            way = f"{events[0].clock.kind.value}, {events[0].clock.segments} segments"
        closed = next(
            (f"{one.what} at {one.clock.filled}/{one.clock.segments}" for one in events if one.was_closed), ""
        )
        line = f"- **{escape_markdown(name)}** {', '.join(filter(None, (what, way, closed)))}"
        ending = next((one.outcome for one in events if one.outcome), "")
        line += f". {_sentence(ending, None, hidden=False)}" if ending else ""
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
        yield f"| {escape_markdown(who)} | {' | '.join(str(total or '') for total in totals)} |"


def describe_unused(cards: SceneCards, progress: Progress) -> Iterator[str]:
    """Yield a line for each card that was not opened, and for each secret of an opened one that was not told."""
    for key, card in cards.items():
        known = progress.get(key, CardProgress())
        if not known.opened:
            yield f"The scene “{card.title}”" + (f". {card.otherwise}" if card.otherwise else "")
        else:
            yield from (f"{card.title}: {card.secrets[secret].text}" for secret in untold(card, known))
