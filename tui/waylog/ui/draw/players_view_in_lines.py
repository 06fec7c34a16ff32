"""The players' view in lines: ship and crew, the clocks and cards that they know, and what was done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.style import Style

from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.facts import Fact, RollFact
from waylog.rules.what_players_know import VisibleClock, VisibleDeck
from waylog.store.log.grouped_acts_and_texts import NOTHING_PLAYED, ActPart, describe_seen, only_for
from waylog.store.players.players_file import Projection
from waylog.ui.draw import clock_face, odds
from waylog.ui.draw.cell_lines import CellLine, StyledText, cells_of, wrap_text
from waylog.ui.draw.clock_face import FaceSize
from waylog.ui.draw.colours import Palette, outcome_words
from waylog.ui.draw.drawn_panels import without_repeats
from waylog.ui.draw.panel_layout import layout_panels
from waylog.ui.draw.window_layout_and_key_names import GAP, clock_columns
from waylog.words.sentences import BOXED_DICE, die_text

_UNSEEN = "?"
_LEAST_WORDS = 20
"""The width that the words beside a disc need."""
_EDGE = 1
"""Cells that stay free at the right edge."""


def title(seen: Projection, ink: Palette, width: int, keys: str = " ? help ", view: str = "") -> CellLine:
    """Draw what this `view` is, the campaign's name, its game, and the current session, and the keys that lead on. Where that is too
    long, the keys stay, and the name in front of what is left out.
    """
    texts = [f" · {seen.system}"]
    if seen.session:
        texts.append(f" · session {seen.session}" + (f" “{seen.title}”" if seen.title else ""))
    line = CellLine(width - cells_of(keys)).add(f" {view}" if view else "", ink.accent)
    line.add(f" {seen.name or '(no name)'}", ink.strong)
    for number, text in enumerate(texts):
        # Without keys, the last of it may as well be cut.
        if cells_of(text) <= line.cells_left or not keys or number < len(texts) - 1:
            line.add(text, ink.dim)
    line = CellLine(width).join(line)
    return line.to(width - cells_of(keys)).add(keys, ink.dim) if keys else line


def sheet(seen: Projection, ink: Palette, width: int, height: int) -> list[CellLine]:
    """Return the lines of the players' sheet: ship and crew, and the cards below them.

    Ship and crew get the most generous layout that leaves room for the cards in `height` lines. If none does, all of it
    takes more lines, and nothing is cut.
    """
    shown = cards(seen, ink, width)
    layout = layout_panels([*without_repeats(seen.panels)], ink, width, max(1, height - len(shown)), scrolls=True)
    return [*(layout.line(y, None, ink) for y in range(len(layout.lines))), *shown]


def cards(seen: Projection, ink: Palette, width: int) -> list[CellLine]:
    """Draw every card that players see, by decks, each below a blank line."""
    return [line for deck in seen.decks for line in (CellLine(width), *_deck(deck, ink, width))]


def clocks(seen: Projection, ink: Palette, width: int, height: int = 0) -> list[CellLine]:
    """Draw every clock that players know of, as discs if they fit into `height` lines; nothing if there is none."""
    if not seen.clocks:
        return []
    head = CellLine(width).to(2).add("Clocks ", ink.accent).fill("─", ink.rule, until=width - 2)
    columns = clock_columns(width)
    each = (width - GAP * columns) // columns
    rows = -(-len(seen.clocks) // columns)
    for size in (clock_face.MEDIUM, clock_face.SMALL):
        room = each - size.width - GAP - _EDGE
        words = [_words(clock, ink, room) for clock in seen.clocks]
        # Nothing is cut in a window without a cursor.
        if room >= _LEAST_WORDS and max(map(len, words)) <= size.height and 1 + rows * (size.height + 1) <= height:
            discs = [_disc(clock, about, ink, each, size) for clock, about in zip(seen.clocks, words, strict=True)]
            return [head, *_in_columns(discs, columns, width)]
    return [head, *(line for clock in seen.clocks for line in _clock(clock, ink, width))]


def clock_list(seen: Projection, ink: Palette, width: int) -> list[CellLine]:
    """Draw every clock that players know of in a line without its outcome, as many side by side as there is room for, full ones last."""
    lines = [CellLine(width).to(2).add("Clocks ", ink.accent).fill("─", ink.rule, until=width - 2)]
    for number, clock in enumerate(sorted(seen.clocks, key=lambda clock: clock.full)):
        part, (state, style) = _bar(clock, ink, width).add(clock.name or "(no name)", ink.strong), _state(clock, ink)
        # Its bar says that it is full.
        part.add(state if cells_of(state) + GAP < part.cells_left else "", style)
        if not number or lines[-1].used + GAP + part.used >= width:
            lines.append(CellLine(width))
        lines[-1].to(lines[-1].used + GAP).join(part)
    return lines if seen.clocks else []


def _in_columns(blocks: Sequence[Sequence[CellLine]], columns: int, width: int) -> Iterator[CellLine]:
    """Put blocks of equal height side by side, with a blank line between rows of them."""
    each = (width - GAP * columns) // columns + GAP
    for start in range(0, len(blocks), columns):
        if start:
            yield CellLine(width)
        for parts in zip(*blocks[start : start + columns], strict=True):
            line = CellLine(width)
            for number, part in enumerate(parts):
                line.to(GAP + number * each).join(part)
            yield line


def _disc(clock: VisibleClock, words: Sequence[CellLine], ink: Palette, width: int, size: FaceSize) -> list[CellLine]:
    """Draw a clock as a disc with words beside it. If players may not see its count, the disc is an empty outline."""
    face = clock_face.draw_face(clock.segments, clock.filled, ink, size)
    lines = [CellLine(width).join(part).to(size.width + GAP) for part in face]
    return [line.join(words[y]) if y < len(words) else line for y, line in enumerate(lines)]


def _words(clock: VisibleClock, ink: Palette, width: int) -> list[CellLine]:
    """Return the words beside the disc of a clock."""
    count = f"{_UNSEEN if clock.filled is None else clock.filled}/{clock.segments}"
    state = CellLine(width).add(count, ink.strong)
    state.add(*_state(clock, ink))
    words = [CellLine(width).add(part, ink.strong) for part in wrap_text(clock.name or "(no name)", width)]
    kind = f"  {clock.kind.value}"
    # The sign of a full clock says what it was for.
    words.append(state.add("" if clock.full and cells_of(kind) > state.cells_left else kind, ink.dim))
    effect = "" if clock.full else clock_face.WHILE_IT_RUNS[clock.running]
    for text, style in ((clock.outcome, ink.plain), (effect, ink.warn), (only_for(clock.seen_by), ink.dim)):
        words += [CellLine(width).add(part, style) for part in wrap_text(text, width)]
    return words


def _bar(clock: VisibleClock, ink: Palette, width: int) -> CellLine:
    """Return the beginning of a line: how far a clock is, as a bar and as a number."""
    line = CellLine(width)
    if clock.filled is None:
        line.add(_UNSEEN * sum(clock_face.bar_lengths(Clock(segments=clock.segments))), ink.empty).add(
            f" {_UNSEEN}/{clock.segments}", ink.strong
        )
    else:
        clock_face.inline(Clock(segments=clock.segments, filled=clock.filled), ink, line)
    return line.add("  ", ink.plain)


def _state(clock: VisibleClock, ink: Palette) -> tuple[str, Style]:
    """Return that a clock is full; nothing if it isn't. A push clock counts towards what the crew wants."""
    if not clock.full:
        return "", ink.plain
    return ("  ✓ full", ink.held) if clock.kind is ClockKind.PUSH else ("  ✗ full", ink.bad)


def _clock(clock: VisibleClock, ink: Palette, width: int) -> Iterator[CellLine]:
    line = CellLine(width).to(2).join(_bar(clock, ink, width - 2))
    begins = line.used
    parts = wrap_text(clock.name, width - begins) or ["(no name)"]
    for part in parts[:-1]:
        yield line.add(part, ink.strong)
        line = CellLine(width).to(begins)
    line.add(parts[-1], ink.strong)
    state, kind = _state(clock, ink), f"  {clock.kind.value}"
    if clock.full and cells_of(state[0]) <= line.cells_left < cells_of(state[0] + kind):
        kind = ""  # The sign of a full clock says what it was for.
    for words, style in (state, (kind, ink.dim)):
        if cells_of(words) > line.cells_left:
            yield line
            line = CellLine(width).to(begins - 2)
        line.add(words, style)
    yield line
    for text, style in (
        (clock.outcome and f"→ {clock.outcome}", ink.plain),
        ("" if clock.full else clock_face.WHILE_IT_RUNS[clock.running], ink.warn),
        (only_for(clock.seen_by), ink.dim),
    ):
        for part in wrap_text(text, width - 6):
            yield CellLine(width).to(4).add(part, style)


def _deck(deck: VisibleDeck, ink: Palette, width: int) -> Iterator[CellLine]:
    yield CellLine(width).to(2).add(f"{deck.name} ", ink.accent).fill("─", ink.rule, until=width - 2)
    for card in deck.cards:
        line = CellLine(width).to(2).add("· ", ink.dim)
        words = ", ".join(filter(None, (card.luck.value, "out" if card.out else "", only_for(card.seen_by))))
        *above, last = wrap_text(card.text, width - 5) or [""]
        for part in above:
            yield line.add(part, ink.plain)
            line = CellLine(width).to(4)
        line.add(last, ink.plain)
        if cells_of(words) + 2 > line.cells_left:
            yield line
            line = CellLine(width).to(2)
        yield line.add(f"  {words}", ink.dim)


def stakes(seen: Projection, ink: Palette, width: int) -> list[CellLine]:
    """Draw what is at stake in the next roll: its odds, and what each outcome would do; nothing if that isn't shown."""
    lines = list[CellLine]()
    for one in seen.stakes:
        lines.append(CellLine(width).to(2).add("At stake ", ink.warn).fill("─", ink.rule, until=width - 2))
        lines += [CellLine(width).to(2).add(part, ink.strong) for part in wrap_text(one.title, width - 4)]
        lines += odds.figures(one.odds.spread, ink, width)
        for note in one.forecast:
            lines += [CellLine(width).to(2).add(part, ink.plain) for part in wrap_text(note.text, width - 4)]
    return lines


def acts(seen: Projection, ink: Palette, width: int) -> list[CellLine]:
    """Draw what was done, the newest last."""
    lines = [line for act in seen.log for line in _act(act.at, act.facts, ink, width)]
    return lines or [CellLine(width).to(2).add(NOTHING_PLAYED, ink.dim)]


def latest_acts(seen: Projection, ink: Palette, width: int, room: int) -> list[CellLine]:
    """Draw the end of what was done in at most so many lines. It begins with an act: one that has no room for all of its lines is left
    out, unless those after it fill less than half of the room.
    """
    lines, whole = list[CellLine](), list[CellLine]()
    for act in reversed(seen.log):
        lines = [*_act(act.at, act.facts, ink, width), *lines]
        if len(lines) > room:
            break
        whole = lines
    return (whole if 2 * len(whole) >= min(room, len(lines)) else lines[-room:]) or acts(seen, ink, width)


_TIME = 7
"""The width of the time of day, which stands before what was done then."""


def _act(at: str, facts: Sequence[Fact], ink: Palette, width: int) -> Iterator[CellLine]:
    """Yield the lines of an act. `at` stands before the first of them."""
    line = CellLine(width).to(1).add(at, ink.dim).to(_TIME)
    for span in _act_spans(facts, ink, width - _TIME - 1):
        if line.used > _TIME and (span is None or cells_of(span.text.rstrip()) > line.cells_left):
            yield line
            line = CellLine(width).to(_TIME)
        if span is not None:
            line.add(span.text if cells_of(span.text) <= line.cells_left else span.text.rstrip(), span.style)
    yield line


def _act_spans(facts: Sequence[Fact], ink: Palette, width: int) -> Iterator[StyledText | None]:
    """Yield the act in parts that stay together; None ends a line. Who did what stands first, then what came of it."""
    act = describe_seen(facts)
    real = any(isinstance(fact, RollFact) and fact.typed for fact in facts)
    for place, part in enumerate((ActPart(act.sentence, act.dice or None, act.outcome, real), *act.consequences)):
        if place:
            yield None
        is_roll = part.dice is not None or part.outcome is not None
        for number, text in enumerate(wrap_text(part.text, width)):
            if number:
                yield None
            yield StyledText(f"{text}  " if is_roll else text, ink.strong if is_roll else ink.plain)
        yield from (StyledText(f"{die_text(die, BOXED_DICE)} ", ink.strong) for die in part.dice or ())
        yield StyledText(" real dice  " if part.real_dice else " " if is_roll else "", ink.dim)
        if part.outcome:
            yield StyledText(outcome_words(part.outcome), ink.moods[part.outcome.mood])
