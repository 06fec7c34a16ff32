"""An act in lines. In the log: its sentence with the outcome at the right, its results beneath, and the headings of scenes and sessions.
In the tray: a heading, and its dice beside its words; or a line or two while nothing is open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from rich.style import Style

from waylog.rules.codec.changes import with_full_stop
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import Fact, NoteFact, NotePart, RollFact
from waylog.rules.model.state import EntryKind, read_shared
from waylog.rules.what_players_know import Visibility
from waylog.snapshot_and_act_preview import ActPreview, Snapshot
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import (
    UNREADABLE,
    ActPart,
    ActText,
    LoggedAct,
    border_title,
    describe_facts,
)
from waylog.ui.draw import dice
from waylog.ui.draw.cell_lines import CellLine, StyledText, cells_of, cut, wrap_text
from waylog.ui.draw.colours import Palette, outcome_words
from waylog.ui.draw.dice import HIDDEN, RevealedItem, came_up, draw_frames, items_that_fit, mention_words
from waylog.values import replace
from waylog.words.sentences import (
    ENTRY_NOT_FOR_PLAYERS,
    PlaceNames,
    describe_for,
    foresee,
    name_change,
    names_of,
    part_text,
    sentence_with_dice,
    sight_of,
    untold_changes,
    whole_cards,
)

BORDERS = (EntryKind.SCENE, EntryKind.REWIND, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)
"""The kinds of entries that begin or end a session or scene. They are headings."""
_TIMED = 44
"""The width from which on the time of day stands before a sentence."""
_INDENT = 2
_MOST = 2
"""The lines of a sentence, and of what came of it, where not all of an act is shown."""
_LONG_LINES = 118
"""The width from which on what came of an act has twice as many lines."""


def render_act(
    act: LoggedAct,
    sight: Visibility,
    ink: Palette,
    width: int,
    *,
    whole: bool = False,
    mark: str = " ",
    dated: bool = False,
) -> list[CellLine]:
    """Return the lines of an act in a window of that width.

    `mark` stands before the first line, and as many blanks before the others. With `whole`, all of it is wrapped;
    otherwise two lines say what was done and two or four what came of it, cut with `…`. With `dated`, the day stands before the time.
    """
    entry = act.first
    margin = cells_of(mark)
    if entry.at == UNREADABLE.at:
        return [CellLine(width).add(mark, ink.key).add(f"Entry {entry.number} can't be read", ink.bad)]
    if entry.kind in BORDERS and not act.undone:
        return [*_render_border(act, ink, width, mark)]
    text = describe_for(sight, act.entries)
    indent = margin + start_of_text(width, dated=dated)
    plain = ink.struck if act.undone else ink.dim if entry.kind is EntryKind.SECRET else ink.plain
    head = CellLine(width).add(mark, ink.key)
    if width >= _TIMED:
        head.add(f"{entry.at:%d %b %H:%M}" if dated else f"{entry.at:%H:%M}", ink.dim).to(indent)
    lines = [*_render_sentence(text, act, ink, head, plain, indent, whole=whole)]
    under = ink.struck if act.undone else ink.dim
    if whole:
        results = [consequence_words(one, sign=not text.hidden) for one in text.consequences if not one.detail]
        for words in filter(None, (*results, _join_details(text))):
            parts = wrap_text(words, width - indent - _INDENT - 1)
            lines += [CellLine(width).to(indent + _INDENT).add(part, under) for part in parts]
    elif text.consequences and not act.undone:
        in_order = sorted(text.consequences, key=lambda one: one.detail)
        words = _join_consequences(consequence_words(one, sign=not text.hidden) for one in in_order)
        parts = wrap_text(words, width - indent - _INDENT - 1, _MOST if width < _LONG_LINES else 2 * _MOST)
        lines += [CellLine(width).to(indent + _INDENT).add(part, under) for part in parts]
    return lines


def render_day(act: LoggedAct, before: LoggedAct | None, ink: Palette, width: int) -> list[CellLine]:
    """Return the line with the day of an act, to stand above it; nothing if the act before it is of the same day, or if its own
    heading says it.
    """
    at, session = act.first.at, act.first.kind.is_session and not act.undone
    if at == UNREADABLE.at or session or (before and before.first.at.date() == at.date()):
        return []
    return [CellLine(width).to(_INDENT).add(f"{at:%d %b %Y}", ink.dim)]


def act_text(act: LoggedAct, sight: Visibility) -> str:
    """Return an act as text to copy: its sentence with dice and outcome, and what came of it, a line for each consequence."""
    text = describe_for(sight, act.entries)
    parts = (
        _sentence_with_dice(text, act),
        text.outcome.label if text.outcome else "",
        "(undone)" if act.undone else "",
    )
    lines = [consequence_words(one, sign=False) for one in text.consequences if not one.detail]
    return "\n".join(filter(None, (" · ".join(filter(None, parts)), *lines, _join_details(text))))


def _sentence_with_dice(text: ActText, act: LoggedAct) -> str:
    """Return what was done, with its dice, and that they were real ones, if some of them were."""
    return sentence_with_dice(text) + (_whose_dice(act.entries) if text.dice else "")


def _join_details(text: ActText) -> str:
    """Return the steps of a rule in one line."""
    return _join_consequences(consequence_words(one, sign=not text.hidden) for one in text.consequences if one.detail)


def _join_consequences(parts: Iterable[str]) -> str:
    """Return what came of an act in one line: a part with a capital is a new sentence, any other goes on after a semicolon."""
    words = ""
    for part in parts:
        is_sentence = part.removeprefix(f"{HIDDEN} ")[:1].isupper() or words.endswith(("?", "!"))
        words = f"{with_full_stop(words) if is_sentence else f'{words};'} {part}" if words else part
    return words


def start_of_text(width: int, *, dated: bool = False) -> int:
    """Return the column in which sentences begin."""
    return 14 if dated else 7 if width >= _TIMED else 0


def _render_border(act: LoggedAct, ink: Palette, width: int, mark: str) -> Iterator[CellLine]:
    """Draw a heading across the log, a double line for a session. A long title is wrapped. The time stands at the end."""
    entry = act.first
    glyph = "═" if entry.kind.is_session else "─"
    at = f" {entry.at:%d %b %H:%M}" if entry.kind.is_session else f" {entry.at:%H:%M}"
    line = CellLine(width).add(mark, ink.key).add(f"{glyph * 2} ", ink.rule)
    start = line.used
    *above, last = wrap_text(border_title(entry), line.cells_left - (cells_of(at) + 3 if width >= _TIMED else 2)) or [
        ""
    ]
    for part in above:
        yield line.add(part, ink.accent)
        line = CellLine(width).to(start)
    line.add(last, ink.accent).add(" ", ink.rule)
    if width < _TIMED:
        yield line.fill(glyph, ink.rule)
    else:
        yield line.fill(glyph, ink.rule, until=width - cells_of(at) - 1).add(at, ink.dim)


def _render_sentence(
    text: ActText, act: LoggedAct, ink: Palette, head: CellLine, style: Style, indent: int, *, whole: bool
) -> Iterator[CellLine]:
    """Draw the sentence with its dice. The outcome stands at the right end of its last line."""
    width = head.width
    ends = [*_right_column(text, act, ink, whole=whole)]
    column = sum(cells_of(span.text) for span in ends)
    sentence = f"{HIDDEN} " if text.hidden_sentence and not text.hidden else ""
    sentence += _sentence_with_dice(text, act)
    room = max(8, width - indent - 1)
    parts = wrap_text(sentence, room) or [""]
    if column and cells_of(parts[-1]) + column + 1 > room:
        parts = [*parts, ""]
    if not whole and len(parts) > _MOST:
        rest = wrap_text(sentence, room, _MOST)[-1]
        parts = [*parts[: _MOST - 1], cut(rest.removesuffix("…") + "…", room - (column + 1 if column else 0))]
    for index, part in enumerate(parts):
        line = head if index == 0 else CellLine(width).to(indent)
        line.add(part, style)
        yield _with_right_column(line, ends) if index == len(parts) - 1 else line


def _right_column(text: ActText, act: LoggedAct, ink: Palette, *, whole: bool) -> Iterator[StyledText]:
    if act.undone:
        state = "rewound" if act.rewound else "undone"
        yield StyledText(f"{state} at {act.undone.at:%H:%M}" if whole else state, ink.dim)
        if text.outcome:
            yield StyledText(" · ", ink.dim)
    if text.outcome:
        yield StyledText(outcome_words(text.outcome), ink.dim if act.undone else ink.moods[text.outcome.mood])
    if text.hidden:
        yield StyledText(f" {HIDDEN}" if text.outcome or act.undone else HIDDEN, ink.dim)


def _with_right_column(line: CellLine, spans: Sequence[StyledText]) -> CellLine:
    if spans:
        line.to(line.width - sum(cells_of(span.text) for span in spans) - 1)
    for span in spans:
        line.add(span.text, span.style)
    return line


def consequence_words(one: ActPart, *, sign: bool) -> str:
    """Return a result in one line. `sign` marks it if it is hidden from players."""
    words = part_text(one)
    return f"{HIDDEN} {words}" if sign and one.hidden else words


_SIDE = 34
"""The least width of words beside drawn dice."""
_ROOMY = 64
"""The width from which on the heading has more than the act."""
_LEAST_ROOM = 8
"""The room that a text needs to continue in the same line."""
DRAWN = 4
"""The height of drawn dice."""


def heading_line(snapshot: Snapshot, ink: Palette, width: int) -> CellLine:
    """Return a line across the window with the act and its time."""
    line = CellLine(width).add("─ ", ink.rule)
    act = snapshot.act
    if not act:
        return line.add("The log is empty ", ink.dim).fill("─", ink.rule)
    latest = act[-1]
    words = " · ".join(_name_entry(entry) for entry in act if entry.root == entry.number or len(act) == 1)
    typed = _whose_dice(act)
    mark = _mention_mark(snapshot)
    if all(map(sight_of(snapshot).hides_entry, act)):
        in_full, short = f" · {HIDDEN} {ENTRY_NOT_FOR_PLAYERS}", f" {HIDDEN}"
        needed = cells_of(f"{words}{mark}{typed}{in_full} {latest.at:%H:%M} · {latest.number} ") + 6
        typed += in_full if width >= max(_ROOMY, needed) else short
    when, room = f" {latest.at:%H:%M} · entry {latest.number} ", width - 6 - cells_of(typed + mark)
    shorter = (f" {latest.at:%H:%M} · {latest.number} ", f" {latest.at:%H:%M} ", "")
    if cells_of(words + when) > room:  # What was done matters more than when, and what its number is.
        when = next(each for each in shorter if not each or cells_of(words + each) <= room)
    line.add(words, ink.strong, most=max(0, room - cells_of(when)))
    line.add(mark, ink.warn).add(f"{typed} ", ink.dim)
    return line.fill("─", ink.rule, until=width - cells_of(when) - 1).add(when, ink.dim).fill("─", ink.rule)


def _name_entry(entry: LogEntry) -> str:
    """Return what an entry did, without a text that is shown in full below the heading: `Note` for a note."""
    texts = (f": {fact.text}" for fact in entry.facts if isinstance(fact, NoteFact))
    return next((entry.heading.removesuffix(text) for text in texts if entry.heading.endswith(text)), entry.heading)


def shows_dice(snapshot: Snapshot) -> bool:
    """Whether the latest act has dice to draw, or a card or an entry that came up."""
    rolled = any(isinstance(fact, RollFact) for entry in snapshot.act for fact in entry.facts)
    return rolled or bool(came_up(snapshot.act, snapshot.decks))


def draw_act(snapshot: Snapshot, ink: Palette, width: int, height: int) -> list[CellLine]:
    """Return what happened in at most `height` lines, with dice beside words if there is room for both."""
    if not snapshot.act:
        return []
    act: Sequence[LogEntry] = snapshot.act
    names, latest = names_of(snapshot), _called_roll(act)
    # While a call is open, the dice of those who rolled before are not this person's. Then all is told, if there is room for it.
    if len(latest) < len(act) and (
        read_shared(act[-1].scene).called or len(_words(act, names, ink, width, 2, height + 1, figures=True)) > height
    ):
        act = latest
    *before, last = act
    act = _with_changed_dice([*before, replace(last, facts=(*last.facts, *snapshot.settled_facts))])
    rolled = [fact for entry in act for fact in entry.facts if isinstance(fact, RollFact)]
    thrown = whole_cards([face for fact in rolled for face in fact.dice])
    ups = came_up(act, snapshot.decks)
    if ups and height >= dice.LEAST:
        return _up(act, ups, thrown, names, ink, width, height)
    room = width - _SIDE - 2
    for dice_shown in (thrown, whole_cards(rolled[-1].dice) if rolled else ()):
        has_figures = dice_shown and not any(die.symbols for die in dice_shown)
        if height >= DRAWN and has_figures and min(dice.width_of(dice_shown), dice.box_width(dice_shown)) <= room:
            return _beside(act, dice_shown, names, ink, width, height)
    return _words(act, names, ink, width, 2, height, figures=True)


def _called_roll(act: Sequence[LogEntry]) -> Sequence[LogEntry]:
    """Return the entries of the latest called roll (NM-48). Of any other act, all entries."""
    called = [read_shared(entry.scene).called for entry in act]
    steps = enumerate(pairwise(called), 1)
    starts = [place for place, (before, now) in steps if before and now and before.rolls != now.rolls]
    return act[starts[-1] :] if starts else act


def draw_preview(preview: ActPreview, ink: Palette, width: int) -> Iterator[CellLine]:
    """Yield what an act with its dice would come to, the outcome in its colour."""
    outcome, more = foresee(preview)
    lead = CellLine(width).to(2).add("→ ", ink.dim)
    if outcome:
        yield lead.add(outcome_words(outcome), ink.moods[outcome.mood])
        lead = CellLine(width).to(4)
    for text in wrap_text(more, width - 6, 3):
        yield lead.add(text, ink.plain)
        lead = CellLine(width).to(4)


def summarise_act(
    snapshot: Snapshot, ink: Palette, width: int, rows: int, *, recap_saved: bool = False
) -> list[CellLine]:
    """Return the act in a sentence, in at most `rows` lines: when, what, its outcome and its results; for the end of a session, how to
    write the recap, unless it is saved.
    """
    act = snapshot.act
    if not act:
        key = snapshot.roll_key
        able = [move for move in snapshot.moves if not move.blocked]
        hint = f". r {key.hint}" if key.verb(able) else ""
        return [CellLine(width).to(2).add(f"The log is empty{hint}", ink.dim)]
    line = CellLine(width).to(2)
    if width >= _ROOMY:
        line.add(f"{act[-1].at:%H:%M}  ", ink.dim)
    start = line.used
    text = describe_for(sight_of(snapshot), act)
    line.add(f"{mark}  " if (mark := _mention_mark(snapshot).strip()) else "", ink.warn)
    lines = [line.add(f"{HIDDEN} " if text.hidden else "", ink.dim)]
    words = f"  {outcome_words(text.outcome)}" if text.outcome else ""
    _run_on(lines, text.sentence, ink.plain, start, rows, cells_of(words))
    if text.outcome:
        if cells_of(words) > lines[-1].cells_left and len(lines) < rows:
            lines, words = [*lines, CellLine(width).to(start)], words.lstrip()
        lines[-1].add(words, ink.moods[text.outcome.mood])
    # As in the log, what came of it stands before the steps that led there.
    consequences = sorted(text.consequences, key=lambda one: one.detail)
    came = [consequence_words(replace(each, dice=None), sign=not text.hidden) for each in consequences]
    # The offer to write it was open until the next key.
    if act[-1].kind is EntryKind.SESSION_ENDS and not recap_saved:
        came.append("type :recap to write a recap for players")
    lines[-1].to(lines[-1].used + 2 if came else 0, ink.plain)
    _run_on(lines, _join_consequences(came), ink.dim, start, rows)
    return lines


def _mention_mark(snapshot: Snapshot) -> str:
    """Return the mark of an act whose texts mention a line or a veil of the table; empty if they mention none."""
    texts = [fact.text for entry in snapshot.act for fact in entry.facts if isinstance(fact, NoteFact)]
    return f" {words}" if (words := mention_words(snapshot.find_mentions(*texts))) else ""


def _run_on(lines: list[CellLine], text: str, style: Style, start: int, rows: int, spare: int = 0) -> None:
    """Continue the last of the lines with a text, and wrap it under itself, in at most `rows` lines. Where it is cut, it leaves `spare`
    cells.
    """
    words = text.split()
    while words:
        room, last = lines[-1].cells_left - 1, len(lines) == rows
        fitting = wrap_text(" ".join(words), room)[0] if room > _LEAST_ROOM else ""
        lines[-1].add(" ".join(words) if last else fitting, style, most=room + 1 - (spare if last else 0))
        words = [] if last else words[len(fitting.split()) :]
        if words:
            lines.append(CellLine(lines[-1].width).to(start))


def _up(
    act: Sequence[LogEntry],
    ups: Sequence[RevealedItem],
    thrown: Sequence[Face],
    names: PlaceNames,
    ink: Palette,
    width: int,
    height: int,
) -> list[CellLine]:
    """Draw cards and entries in frames, with the dice beside them if there is room, and everything else under them."""
    # The frames name the tables that were rolled on; of dice in an entry, only their size is new.
    thrown = [replace(die, source=_source_beside(die.source, ups)) for die in thrown]
    drawn = height >= DRAWN and 0 < dice.width_of(thrown) <= width - 2 * _SIDE
    room = max(width // 4, width - 4 - dice.frames_width(len(ups)))
    named = max(dice.width_of(thrown), min(dice.named_dice_width(thrown), room))
    left = 2 + (named + 2 if drawn else 0)
    faces = dice.faces(thrown, ink, left - 4) if drawn else []
    ups = items_that_fit(ups, width - left - 2)
    shown_notes = frozenset(up.note for up in ups)
    frames = draw_frames(ups, ink, width - left - 2, height)
    words = _words(act, names, ink, width, left, height - len(frames), figures=not drawn, shown_facts=shown_notes)
    if drawn:
        return _side_by_side(faces, [*frames, *words], left, width, height)
    return [*(CellLine(width).to(left).join(frame) for frame in frames[:height]), *words]


def _source_beside(source: str, ups: Sequence[RevealedItem]) -> str:
    """Return what the source of a die says that none of the frames says already."""
    table, _, rest = source.rpartition(", ")
    names = [up.source for up in ups]
    if any(name.startswith(source) for name in names):
        return ""
    return rest if table and any(name.startswith(table) for name in names) else source


def _beside(
    act: Sequence[LogEntry], thrown: Sequence[Face], names: PlaceNames, ink: Palette, width: int, height: int
) -> list[CellLine]:
    """Draw dice with the words beside them: large dice if there is room, otherwise small ones. The dice have at most half of the room, or
    more if the words take no more lines for it.
    """
    if dice.width_of(thrown) <= width - _SIDE - 2:
        named = min(dice.named_dice_width(thrown), width - _SIDE)
        left, most = (
            2 + max(dice.width_of(thrown), min(named, each)) for each in (width - max(_SIDE, width // 2), width)
        )
        lengths = [len(_words(act, names, ink, width, margin + 2, 99, figures=False)) for margin in (left, most)]
        left = most if lengths[1] <= lengths[0] else left
        faces = dice.faces(thrown, ink, left - 2)
    else:
        left = dice.box_width(thrown) + 2
        faces = dice.boxes(thrown, ink, left - 2)
    words = _words(act, names, ink, width, left + 2, height, figures=False)
    return _side_by_side(faces, words, left + 2, width, height)


def _side_by_side(
    faces: Sequence[CellLine], words: Sequence[CellLine], column: int, width: int, height: int
) -> list[CellLine]:
    """Return dice with what stands beside them, from that column on."""
    lines = [CellLine(width).to(2) for _ in range(min(height, max(len(faces), len(words))))]
    for line, drawn in zip(lines, faces, strict=False):
        line.join(drawn)
    for line, beside in zip(lines, words, strict=False):
        line.to(column).join(beside)
    return lines


def _words(
    act: Sequence[LogEntry],
    names: PlaceNames,
    ink: Palette,
    width: int,
    margin: int,
    height: int,
    *,
    figures: bool,
    shown_facts: Collection[Fact] = (),
) -> list[CellLine]:
    """Return dice, outcomes, results and changes, without what is shown elsewhere.

    If there is no room for all, the last dice and the last outcome stay; then what the latest entry says, from its beginning, and what
    those before it say. `…` stands where something is left out.
    """
    if height < 1:
        return []
    room, indent = (width, margin) if figures else (width - margin, 0)
    parts: list[Sequence[CellLine]] = []
    ranks: list[tuple[int, bool]] = []
    pinned: dict[bool, int] = {}
    for place, entry in enumerate(act):
        facts = [fact for fact in entry.facts if fact not in shown_facts and _note_part(fact) is not NotePart.SUMMARY]
        for fact, part in zip(facts, describe_facts(facts), strict=True):
            if part.outcome or (part.dice is not None and figures):
                pinned[part.outcome is None] = len(parts)
            parts.append(_draw_part(part, ink, room, indent, figures=figures))
            ranks.append((-place, _note_part(fact) is NotePart.DETAIL))
    changed = " · ".join(name_change(each, names) for each in untold_changes(act))
    parts.append([CellLine(room).to(indent).add(each, ink.dim) for each in wrap_text(changed, room - indent - 2)])
    ranks.append((1, False))
    order = sorted(range(len(parts)), key=lambda index: (index not in pinned.values(), *ranks[index]))
    return _keep_within(parts, order, height, ink)


def _note_part(fact: Fact) -> NotePart | None:
    return fact.part if isinstance(fact, NoteFact) else None


def _keep_within(
    parts: Sequence[Sequence[CellLine]], order: Sequence[int], height: int, ink: Palette
) -> list[CellLine]:
    """Return the lines of parts, at most `height` of them: the parts get their lines in that order. `…` stands where some are missing."""
    counts = [0] * len(parts)
    for index in order:
        counts[index] = min(len(parts[index]), height - sum(counts))
    lines: list[CellLine] = []
    marks: dict[int, str] = {}
    for part, count in zip(parts, counts, strict=True):
        lines += part[:count]
        if count < len(part):
            marks.setdefault(max(0, len(lines) - 1), "…" if count else " …")
    for index, mark in marks.items():
        lines[index].add(mark, ink.dim)  # A wrapped text leaves two cells free.
    return lines


def _whose_dice(act: Sequence[LogEntry]) -> str:
    """Return the words for real dice, if some of them are."""
    rolled = [fact for entry in act for fact in entry.facts if isinstance(fact, RollFact)]
    if not any(entry.faces for entry in act):
        return ""
    return " · real dice" if all(fact.typed for fact in rolled) else " · some real dice"


def _with_changed_dice(act: Sequence[LogEntry]) -> Sequence[LogEntry]:
    """Return the act as if its latest roll had come as the dice are now, if some of them were changed."""
    changed: tuple[Face, ...] = ()
    after = []
    for entry in reversed(act):
        facts = list(entry.facts)
        for at in reversed(range(len(facts))):
            match facts[at]:
                case NoteFact(dice=now) if now:
                    changed = changed or now
                case RollFact(dice=rolled) as roll if changed and len(rolled) == len(changed):
                    facts[at], changed = replace(roll, dice=changed), ()
                case _:
                    pass
        after.append(replace(entry, facts=tuple(facts)))
    return after[::-1]


def _draw_part(part: ActPart, ink: Palette, width: int, indent: int, *, figures: bool) -> list[CellLine]:
    """Draw a fact. Without `figures`, its dice are drawn elsewhere."""
    text = f"{HIDDEN} {part.text}" if part.hidden else part.text
    if part.dice is not None:
        line = CellLine(width).to(indent).add(f"{text}  ", ink.dim)
        return dice.inline(part.dice, ink, line, indent + 2) if figures else []
    if part.outcome:
        line = CellLine(width).to(indent).add(outcome_words(part.outcome), ink.moods[part.outcome.mood])
        if cells_of(text) + 2 > line.cells_left:
            return [
                line,
                *(CellLine(width).to(indent).add(each, ink.dim) for each in wrap_text(text, width - indent - 2)),
            ]
        return [line.add(f"  {text}", ink.dim) if text else line]
    return [CellLine(width).to(indent).add(each, ink.plain) for each in wrap_text(text, width - indent - 2)]
