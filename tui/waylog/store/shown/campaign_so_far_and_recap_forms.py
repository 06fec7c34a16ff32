"""The campaign so far, over all its sessions; and a recap in other forms: as a story, as “previously on” in ten lines, as plain text, or
for a folder of notes.

All of them are made from the facts of a recap, by its own sentences. Nothing is added, and what players don't see is left out here as
there. Each form is Markdown first; `as_text` and `as_notes` turn any of them into something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from waylog.rules.codec.changes import format_path
from waylog.rules.model.facts import NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.panels import MarkRow, Panel, PipsRow, Rank
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.shown.recap import ClockEvent, Recap, RecapAct, Turned
from waylog.store.shown.recap_in_markdown import (
    act_lines,
    clock_lines,
    day_and_time,
    escape_markdown,
    note_text,
    nothing,
)
from waylog.toml.document import format_value
from waylog.values import dataclass, replace

_PREVIOUSLY = 9
"""The lines below the heading of “previously on”."""
_CREW = "crew"
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Toll:
    """The range of one number of a character over a campaign, or a thing that was lost in it."""

    who: str
    what: str
    least: int = 0
    most: int = 0
    now: int = 0
    top: int = 0
    """The number of a row between its least and its most, and as it is now; without a top, the thing is lost."""


def story(of: Recap) -> str:
    """Return a session as paragraphs: notes as they were written, and what was rolled, drawn and decided. Bookkeeping is left out."""
    name = escape_markdown(of.campaign) or "Unnamed"
    lines = [f"# {name}: {escape_markdown(of.held.title)}" if of.held.title else f"# {name}", ""]
    for scene in of.scenes:
        lines += [f"## {escape_markdown(scene.title)}", ""] if scene.title else []
        paragraph = list[str]()
        for act in scene.acts:
            if act.note:
                lines += [" ".join(paragraph), ""] if paragraph else []
                paragraph = []
                lines += [line for text in _notes(act) for line in (text, "")]
            elif _is_told(act):
                paragraph += _sentences(act)
        lines += [" ".join(paragraph), ""] if paragraph else []
    if not of.scenes:
        lines += [nothing(of), ""]
    return "\n".join(lines)


def previously(of: Recap) -> str:
    """Return what mattered most in a session, in at most ten lines, in the order in which it happened."""
    found = list[tuple[int, int, str]]()
    for scene in of.scenes:
        for act in scene.acts:
            moods = {fact.mood for fact in act.facts if isinstance(fact, OutcomeFact)}
            if act.note:
                found += [(2, len(found), text) for text in _notes(act)]
            elif moods & {OutcomeGrade.FIASCO, OutcomeGrade.CRITICAL}:
                found.append((3, len(found), " ".join(_sentences(act))))
            elif _is_told(act):
                found.append((1, len(found), " ".join(_sentences(act))))
    ended = {one.clock.name for one in of.clocks if one.what is not ClockEvent.STARTED}
    filled = replace(
        of,
        clocks=tuple(one for one in of.clocks if one.clock.name in ended),
        steps=tuple(step for step in of.steps if step.name in ended),
    )
    found += [(4, len(found), line.removeprefix("- ")) for line in clock_lines(filled)]
    best = sorted(sorted(found, key=lambda each: (-each[0], -each[1]))[:_PREVIOUSLY], key=lambda each: each[1])
    lines = [f"- {text}" for _, _, text in best if text] or [f"- {nothing(of)}"]
    return "\n".join((f"# Previously on {escape_markdown(of.campaign) or 'Unnamed'}", *lines, ""))


def so_far(recaps: Sequence[Recap], tolls: Iterable[Toll]) -> str:
    """Return all sessions in a line each, the clocks that were started, filled and closed, what it cost the crew, and what was lost."""
    lines = [f"# {escape_markdown(recaps[-1].campaign) or 'Unnamed'}: the campaign so far", "", "## Sessions", ""]
    for of in recaps:
        titles = [escape_markdown(scene.title) for scene in of.scenes if scene.title]
        number = str(of.session) if of.session else "Between sessions"
        head = ", ".join(filter(None, (number, escape_markdown(of.held.title))))
        day = f" ({escape_markdown(day_and_time(of.held.began)[0])})" if of.held.began and of.session else ""
        if of.session or of.scenes:
            lines.append(f"- **{head}**{day}{': ' if titles else ''}{' · '.join(titles)}")
    lines += _section("Clocks", _clocks_so_far(recaps))
    hurt, lost = [each for each in tolls if each.top], [each for each in tolls if not each.top]
    lines += _section("What it cost", (_describe_toll(each) for each in hurt))
    lines += _section("What was lost", (f"{escape_markdown(each.who)}: {escape_markdown(each.what)}" for each in lost))
    return "\n".join((*lines, ""))


def _section(title: str, lines: Iterable[str]) -> list[str]:
    listed = [f"- {line}" for line in lines]
    return ["", f"## {title}", "", *listed] if listed else []


def _clocks_so_far(recaps: Sequence[Recap]) -> Iterator[str]:
    """Yield each clock with the sessions in which it was started, became full and was closed."""
    events: dict[str, list[tuple[Recap, Turned]]] = {}
    for of in recaps:
        for one in of.clocks:
            events.setdefault(one.clock.name, []).append((of, one))
    for name, found in events.items():
        words = []
        for of, one in found:
            when = f" in session {of.session}" if of.session else ""
            words.append(f"{one.what}{when}")
        last = found[-1][1]
        progress = f", now {last.clock.filled} of {last.clock.segments}" if last.clock.filled is not None else ""
        ending = f". {escape_markdown(last.outcome)}" if last.outcome else ""
        hidden = " *(secret)*" if any(one.hidden for _, one in found) else ""
        yield f"**{escape_markdown(name)}** {', '.join(dict.fromkeys(words))}{progress if last.what is ClockEvent.STARTED else ''}{ending}{hidden}"


def _describe_toll(toll: Toll) -> str:
    return f"{escape_markdown(toll.who)}: {escape_markdown(toll.what)} ranged from {toll.least} to {toll.most}, now {toll.now} of {toll.top}"


def find_tolls(
    entries: Iterable[LogEntry], panels: Iterable[Panel], shown: Collection[tuple[str, str]]
) -> tuple[Toll, ...]:
    """Return what changed in the vital numbers of the crew, and the things that play has taken and that are gone now. `shown` has the
    titles of panels with the labels of rows that may be told.
    """
    values: dict[str, list[object]] = {}
    for entry in entries:
        for change in entry.changes:
            values.setdefault(format_path(change.path), []).extend((change.before, change.after))
    found = list[Toll]()
    for panel in panels:
        for row in panel.rows:
            if (panel.title, row.label) not in shown:
                continue
            if isinstance(row, PipsRow) and panel.place == _CREW and row.rank is Rank.VITAL:
                numbers = [each for each in values.get(row.key, ()) if isinstance(each, int)]
                if numbers:
                    numbers.append(row.value)
                    found.append(Toll(panel.title, row.label, min(numbers), max(numbers), row.value, row.top))
            elif isinstance(row, MarkRow) and not row.held and any(_is_of(path, row.key) for path in values):
                found.append(Toll(panel.title, f"{row.label} ({row.state})"))
    return tuple(found)


def _is_of(path: str, key: str) -> bool:
    """Whether a value is that of a row, or a part of it."""
    return path == key or path.startswith(f"{key}.")


def _notes(act: RecapAct) -> list[str]:
    by = f"{escape_markdown(act.by)}: " if act.by else ""
    return [f"{by}{note_text(fact)}" for fact in act.facts if isinstance(fact, NoteFact)]


def _is_told(act: RecapAct) -> bool:
    """Whether an act belongs to a story: dice fell, something was decided, or a card or an entry came up."""
    return any(isinstance(fact, OutcomeFact | RollFact) or fact.quote for fact in act.facts)


def _sentences(act: RecapAct) -> list[str]:
    return [line.strip().removeprefix("- ") for line in act_lines(act, secrets=False)]


# -- other formats -----------------------------------------------------------------------------------------------------


def as_text(markdown: str) -> str:
    """Return Markdown of a recap as plain text: without marks, with tables in columns."""
    lines = list[str]()
    table = list[list[str]]()
    for line in (*markdown.splitlines(), ""):
        if line.startswith("|"):
            if not set(line) <= set("|-"):
                table.append([_plain(cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
            continue
        if table:
            widths = [max(map(len, column)) for column in zip(*table, strict=True)]
            lines += [
                "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table
            ]
            table = []
        heading = re.match(r"(#+) (.*)", line)
        if heading:
            text = _plain(heading[2])
            lines += [text, ("=" if len(heading[1]) == 1 else "-") * len(text)]
        else:
            lines.append(_plain(re.sub(r"^> ", "    ", line)))
    return "\n".join(lines).rstrip() + "\n"


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", re.sub(r"(?<!\\)\*+", "", text))


def as_notes(markdown: str, of: Recap, names: Collection[str]) -> str:
    """Return Markdown for a folder of notes: with front matter, and with a link at the first mention of each of the names."""
    day = of.held.began.partition(" ")[0]
    matter: dict[str, str | int] = {
        "campaign": of.campaign,
        "session": of.session,
        "date": day,
        "title": of.held.title,
        "present": of.held.present,
    }
    head = "".join(f"{key}: {format_value(value)}\n" for key, value in matter.items() if value)
    body = markdown
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"(?<![\w\[]){re.escape(escape_markdown(name))}(?![\w\]])"
        body = re.sub(pattern, lambda found: f"[[{found[0]}]]", body, count=1) if name else body
    return f"---\n{head}tags: [waylog, recap]\n---\n\n{body}"
