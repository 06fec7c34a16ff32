"""A list of choices: how it is laid out in lines, drawn and searched.

`ActPicker` has names with a letter each. One key takes a name: who is damaged, which clock ticks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, takewhile
from math import inf

from rich.style import Style

from waylog.rules.model.act_lists_and_row_verbs import ActList, Subject
from waylog.rules.model.moves import Move, Number, reason_beside
from waylog.ui.draw.cell_lines import CellLine, cells_of, fold, head, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.line.choices import Choice, NumberStep, TextField
from waylog.values import dataclass, replace
from waylog.words.sentences import with_capital

_STEPS = {"up": -1, "left": -1, "shift+tab": -1, "down": 1, "right": 1, "tab": 1}
"""The keys that mark another name, and how far on it is."""


@dataclass(frozen=True, slots=True)
class ActPicker:
    """The names, and what has been typed so far."""

    title: str
    which: ActList | None
    """None for a list of a few moves, which are chosen as they stand."""
    subjects: Sequence[Subject]
    marked: Subject | None = None
    """The subject that Enter takes, or the key that opened the list: at first that of the row under the cursor. Without one, Enter takes
    the only subject that there is.
    """
    number: int = 0
    """For ticks: the number of segments, if it was typed."""
    back: bool = False
    """For ticks: segments are emptied."""
    refused: str = ""
    """Why the last key took nothing; empty after any other."""

    @property
    def by(self) -> int:
        """The number of segments to tick; below 0 to empty them."""
        return (self.number or 1) * (-1 if self.back else 1)

    @property
    def able(self) -> Sequence[Subject]:
        """The subjects to which something can be done now."""
        return [each for each in self.subjects if not each.moves[0].blocked]

    @property
    def at_enter(self) -> Subject | None:
        """The subject that Enter takes."""
        return self.marked or (self.able[0] if len(self.able) == 1 and self.which else None)

    @property
    def _most(self) -> int:
        """The most segments that any of the clocks takes."""
        asks = (ask for subject in self.subjects for move in subject.moves for ask in move.asks)
        return max((ask.most for ask in asks if isinstance(ask, Number)), default=99)

    def subject_for(self, key: str) -> Subject | None:
        """Return the subject that a key takes: its letter, or the first of its name if no other begins so; None if it takes none."""
        named = [each for each in self.subjects if each.letter and each.letter == key]
        if named or key in (self.which or "enter", "enter"):
            return named[0] if named else self.at_enter if key == "enter" else self.marked
        begun = [each for each in self.subjects if key.isalpha() and each.name.casefold().startswith(key)]
        return begun[0] if len(begun) == 1 else None

    @property
    def again(self) -> str:
        """The key of the list, if it takes what is marked; empty if it is somebody's letter, or there is none."""
        return "" if self.which is None or any(each.letter == self.which for each in self.subjects) else self.which

    def consume_key(self, key: str) -> ActPicker | None:
        """Return the list after a key that moves the mark or changes the number of segments; None for any other key."""
        if self.refused:
            return replace(self, refused="").consume_key(key)
        if (by := _STEPS.get(key)) and (able := self.able):
            at = able.index(self.marked) + by if self.marked in able else min(by, 0)
            return replace(self, marked=able[at % len(able)])
        if self.which is not ActList.TICK:
            return None
        if key == "minus":
            return replace(self, back=not self.back)
        if len(key) == 1 and key.isdigit():
            number = self.number * 10 + int(key)
            # No clock takes more: what was typed before is corrected.
            return replace(self, number=number if number <= self._most else int(key))
        return replace(self, number=self.number // 10) if key == "backspace" else None


def render_picker(picker: ActPicker, ink: Palette, width: int) -> Page[Subject]:
    """Draw the title, and the names with their letters, in as many lines as they take. Names that can't be taken are
    left out, or stand below the others with the reason.
    """
    ticks = f"{'−' if picker.back else '+'}{abs(picker.by)}" if picker.which is ActList.TICK else ""
    if ticks and not picker.number:
        ticks += " · type a number first for more"
    lines, areas = [head(picker.title, ink, width, ticks)], list[HitArea[Subject]]()

    for subject in picker.able:
        letter, mark = subject.letter or "·", "▸ " if subject is picker.at_enter else "  "
        size = cells_of(letter) + cells_of(subject.name) + 1
        if len(lines) == 1 or lines[-1].used + _GAP + size > width - 1:
            lines.append(CellLine(width))
        line = lines[-1]
        start = max(_MARGIN, line.used + _GAP) if line.used else _MARGIN
        line.to(start - _MARGIN).add(mark, ink.key)
        areas.append(HitArea(line.used, len(lines) - 1, size, 1, subject))
        line.add(letter, ink.key).add(f" {subject.name}", ink.plain)
    for reason, alike in groupby((each for each in picker.subjects if each.refused), lambda each: each.refused):
        lines += _draw_refused([*alike], f"✗ {with_capital(reason)}", ink, width)
    lines += [CellLine(width).to(_MARGIN).add(part, ink.bad) for part in wrap_text(picker.refused, width - 4)]
    return Page(lines, areas)


def _draw_refused(subjects: Sequence[Subject], reason: str, ink: Palette, width: int) -> Sequence[CellLine]:
    """Draw names that can't be taken for the same reason, which is said once and whole: behind the last of them, or below."""
    names = [f"{subject.letter or '·'} {subject.name}" for subject in subjects]
    parts = [(bool(number), part) for name in names for number, part in enumerate(wrap_text(name, width - 3 * _MARGIN))]
    lines = [CellLine(width).to(_MARGIN * (2 if is_below else 1)).add(part, ink.dim) for is_below, part in parts]
    if 2 + cells_of(reason) <= lines[-1].cells_left:
        lines[-1].add(f"  {reason}", ink.dim)
        return lines
    return [
        *lines,
        *(CellLine(width).to(2 * _MARGIN).add(part, ink.dim) for part in wrap_text(reason, width - 3 * _MARGIN)),
    ]


@dataclass(frozen=True, slots=True)
class ChoiceCell:
    """The place of a choice: its first line, its column, its width and its lines."""

    choice: int
    line: int
    x: int
    width: int
    height: int = 1


_MARGIN = 2
_GAP = 3
_WIDEST = 46
"""The least width of a column, if there are more choices than fit side by side."""
_TWO_COLUMNS, _TWO_SHORT_COLUMNS = 64, 48
"""The widths from which on a line has room for two columns; the second if one alone would be half out of sight."""
_LOW = 5
"""The lines of a list whose texts fit side by side."""
_LEAST_TEXT = 10
"""Cells that a text has in a list beside what is said of it."""
_LONGEST = 400
"""More than any window is wide."""


def layout_choices(choices: Sequence[Choice], width: int, height: int = 0, *, whole: bool = False) -> list[ChoiceCell]:
    """Lay out choices. Groups follow one another, each over as many lines as it needs; a list without groups is in
    columns, down and then across.

    A list that fits into `height` lines has as few columns as possible, so that no text is cut for want of width; one of short texts
    has as many as keep it low, because it covers the view. If `whole`, nothing is cut: a choice with what is said of it takes as many
    lines as it needs, and the list is as low as it can be then.
    """
    choices = _in_words(choices)
    if any(choice.group for choice in choices):
        return _flow_choices(choices, width, whole=whole)
    # Two columns at least, if a line has room for them: half a label says more than a list that is half out of sight.
    has_two = width >= _TWO_COLUMNS or (width >= _TWO_SHORT_COLUMNS and 0 < height < len(choices))
    room = (width - _MARGIN) // 2 - _GAP if has_two else width - 2 * _MARGIN
    longest = max(map(_cells, choices), default=1)
    columns = max(1, (width - _MARGIN) // (min(_WIDEST, room, longest) + _GAP))
    if whole:
        columns = max(columns, 1 + (width >= _TWO_SHORT_COLUMNS))
        return min((_in_columns(choices, width, count, whole=True) for count in range(1, columns + 1)), key=depth_of)

    def fits(columns: int) -> bool:
        cells = _in_columns(choices, width, columns)
        return all(_cells(choices[cell.choice]) <= cell.width for cell in cells)

    while columns > 1 and -(-len(choices) // (columns - 1)) <= (min(height, _LOW) if fits(columns) else height):
        columns -= 1
    return _in_columns(choices, width, columns)


def _in_columns(choices: Sequence[Choice], width: int, columns: int, *, whole: bool = False) -> list[ChoiceCell]:
    """Return the places of choices in so many columns. Each column is as wide as its longest text. Where there is no room for that, the
    short ones are, and the long ones share the rest.
    """
    depth = -(-len(choices) // columns) or 1
    parts = [choices[first : first + depth] for first in range(0, len(choices), depth)]
    widths = [max(map(_cells, part)) for part in parts]
    room = width - 2 * _MARGIN - (len(parts) - 1) * _GAP
    for rank, column in enumerate(sorted(range(len(widths)), key=widths.__getitem__)):
        widths[column] = max(1, min(widths[column], room // (len(widths) - rank)))
        room -= widths[column]
    cells, x = list[ChoiceCell](), _MARGIN
    for column, part in enumerate(parts):
        line = 0
        for index, choice in enumerate(part, column * depth):
            height = _height(choice, widths[column], whole=True) if whole else 1
            cells.append(ChoiceCell(index, line, x, widths[column], height))
            line += height
        x += widths[column] + _GAP
    return cells


def _in_words(choices: Sequence[Choice]) -> Sequence[Choice]:
    """Return the choices as they are shown: an act in words alone, without its command."""
    return [replace(choice, key="") if isinstance(choice.does, Move) else choice for choice in choices]


def _flow_choices(choices: Sequence[Choice], width: int, *, whole: bool = False) -> list[ChoiceCell]:
    cells, line, end, x, group = list[ChoiceCell](), -1, 0, 0, ""
    head = max(_question_width(choice.group, width) for choice in choices) + 2
    # In a narrow window, questions as wide as a third of it stand in front of their first choice alone.
    is_narrow = width < _TWO_COLUMNS and head > width // 3
    below = _MARGIN + (_MARGIN if is_narrow else head)
    for index, choice in enumerate(choices):
        size = min(_cells(choice), max(8, width - 2 * _MARGIN))
        if choice.group != group or line < 0:
            line, end, group = end, end + 1, choice.group
            x = _MARGIN + (_question_width(group, width) + _GAP if is_narrow else head)
        if x > below and x + size > width - _MARGIN:
            line, x = end, below
        room = min(size, width - x)
        cell = ChoiceCell(index, line, x, room, _height(choice, room, whole=whole))
        cells.append(cell)
        end = max(end, line + cell.height)
        x += size + _GAP
    return cells


def _height(choice: Choice, width: int, *, whole: bool = False) -> int:
    """Return how many lines a choice takes: one, unless its own words are cut; if `whole`, unless what is said of it is cut. A text stands
    whole in the line where it is typed.
    """
    size = _cells(choice) if whole else _indent(choice) + cells_of(choice.label[:_LONGEST])
    if size <= width or isinstance(choice.does, TextField):
        return 1
    return len(_fold(choice, width, Style.null(), Style.null()))


def _fold(choice: Choice, width: int, style: Style, aside: Style) -> Sequence[CellLine]:
    """Return a choice without what is in front of it, in as many lines as it takes."""
    line, after = CellLine(2 * _LONGEST).add(choice.label, style, most=_LONGEST), _note(choice)
    return fold(line.add(f"  {after}" if after else "", aside), max(_LEAST_TEXT, width - _hang(choice)))


def _hang(choice: Choice) -> int:
    """Return the cells in front of the further lines of a choice, which look like no choice of their own."""
    return _indent(choice) or _MARGIN


def _indent(choice: Choice) -> int:
    """Return the cells in front of a choice's label."""
    gap = 2 if choice.label else 0  # A command may be its own name.
    return (cells_of(choice.key) + gap if choice.key else 0) + (4 if choice.held is not None else 0)


def _question_width(group: str, width: int) -> int:
    """Return how wide the question that a group answers may be: at most a third of the line."""
    return min(cells_of(group), max(16, width // 3))


def _cells(choice: Choice) -> int:
    after = _note(choice)
    return _indent(choice) + cells_of(choice.label[:_LONGEST]) + (2 + cells_of(after[:_LONGEST]) if after else 0)


def _note(choice: Choice) -> str:
    """Return what stands behind a choice: why it can't be taken, without the name that is there already; or what it does."""
    reason = reason_beside(choice.label, choice.refused)
    return f"✗ {with_capital(reason)}" if reason else choice.note


def draw_choices(
    choices: Sequence[Choice],
    cells: Sequence[ChoiceCell],
    ink: Palette,
    width: int,
    selected: int | None,
    typed: int | None = None,
) -> list[CellLine]:
    """Draw the lines of a list that `layout_choices` has laid out, with a sign before the one that is selected and before the text that
    is about to be `typed`. If labels are cut, they lose the words that all of them begin with.
    """
    has_cut, choices = is_cut(choices, cells), _in_words(choices)
    if has_cut:
        choices = _without_shared_start(choices)
    pieces: list[tuple[int, int, CellLine]] = []
    group, after = "", 0
    for cell in sorted(cells, key=lambda cell: (cell.line, cell.x)):
        choice = choices[cell.choice]
        if choice.group and choice.group != group:
            group = choice.group
            # A choice that doesn't fit beside its question stands below it, and leaves it the line.
            most = _question_width(group, width) if cell.line == after else None
            pieces.append((after, _MARGIN, CellLine(width - _MARGIN).add(group, ink.dim, most=most)))
        after = cell.line + cell.height
        if cell.choice in (selected, typed):
            # A sign as well: without colours, the background says nothing.
            pieces.append((cell.line, cell.x - _MARGIN, CellLine(1).add("▸", ink.key)))
        for line, drawn in enumerate(_draw_choice(choice, ink, cell), cell.line):
            pieces.append((line, cell.x, drawn.over(ink.under_cursor) if cell.choice == selected else drawn))
    lines = [CellLine(width) for _ in range(depth_of(cells))]
    for line, x, drawn in sorted(pieces, key=lambda piece: piece[:2]):
        lines[line].to(x).join(drawn)
    return lines


def _without_shared_start(choices: Sequence[Choice]) -> Sequence[Choice]:
    """Return the choices without the words that all labels begin with, such as `Roll for`; one may begin otherwise."""
    labels = [choice.label.split(" ") for choice in choices]
    first, among = Counter(words[0] for words in labels).most_common(1)[0]
    if among < max(2, len(choices) - 1):
        return choices
    alike = (words[:-1] for words in labels if words[0] == first)
    start = "".join(f"{each[0]} " for each in takewhile(lambda each: len({*each}) == 1, zip(*alike, strict=False)))
    return [replace(choice, label=with_capital(choice.label.removeprefix(start))) for choice in choices]


def fit_choices(choices: Sequence[Choice], cells: Sequence[ChoiceCell], width: int, room: int) -> Sequence[ChoiceCell]:
    """Return the places of choices in which nothing is cut, if these have room and something of `cells` is cut, or a long list is lower
    like this; otherwise `cells`.
    """
    if len(choices) > 2 * room:
        return cells
    whole = layout_choices(choices, width, room, whole=True)
    is_lower = depth_of(cells) > _LOW and depth_of(whole) < depth_of(cells) - 1
    return whole if (is_lower or is_cut(choices, cells)) and depth_of(whole) <= room else cells


def depth_of(cells: Sequence[ChoiceCell]) -> int:
    """Return how many lines a list has."""
    return max((cell.line + cell.height for cell in cells), default=0)


def is_cut(choices: Sequence[Choice], cells: Sequence[ChoiceCell]) -> bool:
    """Whether something of the choices has no room in their places."""
    shown = _in_words(choices)
    return any(cell.height == 1 and _cells(shown[cell.choice]) > cell.width for cell in cells)


def _draw_choice(choice: Choice, ink: Palette, cell: ChoiceCell) -> Sequence[CellLine]:
    width = cell.width
    line, open_now = CellLine(width), not choice.refused
    if choice.held is not None:
        line.add("[x] " if choice.held else "[ ] ", ink.key if choice.held else ink.dim)
    if choice.key:
        line.add(f"{choice.key}  " if choice.label else choice.key, ink.key if open_now else ink.dim)
    after, style = _note(choice), ink.plain if open_now else ink.dim
    if cell.height > 1:
        first, *more = _fold(choice, width, style, ink.dim)
        lines = [line.join(first), *(CellLine(width).to(_hang(choice)).join(part) for part in more)]
        return [part.to(width) for part in lines]
    # A text stands whole in the line where it is typed: here it leaves room for what the rules say of it.
    room = line.cells_left - (cells_of(after) + 2 if after and isinstance(choice.does, TextField) else 0)
    line.add(choice.label, style, most=max(_LEAST_TEXT, room))
    if cells_of(after) + 2 > line.cells_left:
        after = after.partition(". ")[0]  # A part of the next sentence says less than an end.
    return [line.add(f"  {after}", ink.dim) if after else line]


def is_form(choices: Sequence[Choice]) -> bool:
    """Whether the choices answer several questions, each as a group, and not one question or none."""
    answers = any(choice.held is not None or isinstance(choice.does, NumberStep | TextField) for choice in choices)
    return answers and len({choice.group for choice in choices}) > 1


def step_group(choices: Sequence[Choice], selected: int | None, by: int, width: int = _LONGEST) -> int | None:
    """Return where one comes from a choice by going down or up. In a form that is the next question, however many lines one has: its answer
    so far, or its first choice. In other groups it is the same place of the next line, of which a group that is wider than `width` has
    several. None if there is at most one group, or nothing is selected.
    """
    if selected is None or not choices[selected].group or len({choice.group for choice in choices}) < 2:
        return None
    if is_form(choices):
        lines = [[*group] for _, group in groupby(range(len(choices)), lambda at: choices[at].group)]
    else:
        cells = _flow_choices(choices, width)
        lines = [[cell.choice for cell in line] for _, line in groupby(cells, lambda cell: cell.line)]
    here = next(number for number, indices in enumerate(lines) if selected in indices)
    there = lines[(here + by) % len(lines)]
    if is_form(choices):
        return next((at for at in there if choices[at].held), there[0])
    return there[min(lines[here].index(selected), len(there) - 1)]


def search_choices(choices: Sequence[Choice], text: str) -> tuple[Choice, ...]:
    """Return the choices that fit a text, as `rank_names` ranks them, refused ones last. Without a text, all of them in their
    order: what can't be chosen now keeps its place for the time when it can.
    """
    found = rank_names([(choice.key, choice.label, *choice.also) for choice in choices], text)
    return tuple(sorted((choices[index] for index in found), key=lambda choice: bool(choice.refused and text.strip())))


_WORST = 4
"""How well a name fits that has the searched words somewhere."""
_MOST_LETTERS, _SEARCHED = 10, 40
"""The longest text that is searched for letter by letter, and the part of a name that is searched: more takes too long."""


def rank_names(items: Sequence[Sequence[str]], text: str) -> Sequence[int]:
    """Return the indices of the items, each of which has several names, that fit a text; those that fit best come first.

    A name that begins with the text comes before one with a word that begins with it, and that before one that has it somewhere; last
    come items of which only all names together have every word. If none fits, those with a name that has the letters in that order,
    the first of them at the start of a word (`lck` for “luck”).
    """
    text = text.strip().lower()
    words = text.split()

    def rank(names: Sequence[str]) -> int:
        lowered = [name.lower() for name in names]
        if not all(any(word in name for name in lowered) for word in words):
            return _WORST + 1
        starts = any(name.startswith(text) for name in lowered)
        return (
            0
            if starts
            else 1
            if any(f" {text}" in name for name in lowered)
            else 2
            if any(text in name for name in lowered)
            else _WORST
        )

    ranks = [rank(names) for names in items]
    if not words:
        return [*range(len(items))]
    if found := sorted((index for index, place in enumerate(ranks) if place <= _WORST), key=ranks.__getitem__):
        return found
    return _rank_by_letters(items, "".join(words))


def _rank_by_letters(items: Sequence[Sequence[str]], letters: str) -> Sequence[int]:
    if not 1 < len(letters) <= _MOST_LETTERS:
        return ()
    from textual.fuzzy import FuzzySearch  # Nearly every text fits without it.

    search = FuzzySearch()

    def rank(name: str) -> tuple[float, float]:
        """Names in which the letters stand close together come first."""
        points, places = search.match(letters, name[:_SEARCHED])
        begins = places and places[0] in search.get_first_letters(name[:_SEARCHED])
        return (places[-1] - places[0], -points) if points and begins else (inf, 0)

    ranks = [min(map(rank, names), default=(inf, 0)) for names in items]
    return sorted((index for index, (span, _) in enumerate(ranks) if span < inf), key=ranks.__getitem__)
