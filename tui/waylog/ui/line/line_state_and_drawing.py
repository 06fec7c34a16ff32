"""The line at the bottom while something is typed into it, as a value: the prompt makes it, the tray shows it.

A key changes the prompt, which makes a new `LineInput`; `render_input` renders it, with hit areas for its choices and for dice that lie
in places.

The meaning of a typed line in a few lines: the act with its odds, or what keeps it from being played.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from waylog.rules.codec.changes import quote
from waylog.rules.model.answers import has_no_default, reveals, shown_digits
from waylog.rules.model.dice import ZERO_IS_TEN, Die, faces_to_type
from waylog.rules.model.moves import Act, Allocate, Move, Number, PickOne, Refusal, Text, reason_of
from waylog.rules.model.rules_reference import Reference
from waylog.ui.draw.acts_in_log_and_tray import draw_preview
from waylog.ui.draw.cell_lines import CellLine, cells_of, has_room, heads, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, Page, SplitPage
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.odds import draw_odds
from waylog.ui.line import dice_input
from waylog.ui.line.choice_list import ChoiceCell, depth_of, draw_choices, fit_choices, is_form, layout_choices
from waylog.ui.line.choices import REMARKS, Choice, NumberStep, OptionToggle, PromptRequest, TextField
from waylog.ui.line.dice_input import AtSlot, DiceAllocation, render_remap
from waylog.ui.line.line_editor_and_recall import CLOSE, discard_question
from waylog.ui.line.parsed_line import ParsedLine, next_field
from waylog.values import NamedTuple, dataclass, replace
from waylog.words.sentences import kind_of_die, with_capital


def draw_refusal(refusal: Refusal, ink: Palette, width: int) -> list[CellLine]:
    """Draw why the line was refused."""
    return [
        CellLine(width).to(2).add("✗ " if not n else "  ", ink.bad).add(part, ink.bad)
        for n, part in enumerate(wrap_text(with_capital(reason_of(refusal)), width - 6, 3))
    ]


def _answer_texts(act: Act) -> str:
    """Return the answers so far, texts last, because they may be long. The list may have no room to show them."""
    words, texts = list[str](), list[str]()
    for ask in act.move.asks:
        match act.answers.get(ask.name):
            case str(answer) if isinstance(ask, Text) and answer:
                texts.append(f"“{answer}”")
            case str() | int() as answer if answer != "":
                words.append(str(answer))
            case tuple() as answer if not isinstance(ask, Allocate):
                words += map(str, answer)
            case _:
                pass
    return " ".join((*((", ".join(words),) if words else ()), *texts))


def meaning(
    reading: ParsedLine,
    problem: Refusal | None,
    marked: Choice | None,
    ink: Palette,
    width: int,
    height: int,
    *,
    title: str,
    pool: bool = True,
) -> list[CellLine]:
    """Draw the line as far as it is understood. `problem` is the reason why it can't be played. What `title` says already
    isn't said again. With `pool`, a roll's dice are drawn too.
    """
    if marked and marked.refused:
        refused = CellLine(width).to(2).add(f"✗ {with_capital(marked.refused)}", ink.warn)
        # The figures stay where they are while the cursor passes what can't be chosen.
        odds_lines = draw_odds(reading.odds, ink, width, height - 1, pool=pool) if reading.odds and height > 1 else []
        return [*odds_lines, refused]
    if reading.act is None:
        return [
            CellLine(width).to(2).add(part, ink.warn)
            for part in wrap_text(with_capital(reason_of(problem)), width - 4, 2)
        ]
    label = _label(reading.act.move)
    line = CellLine(width).to(2).add("" if label == title else label, ink.accent)
    answered = _answer_texts(reading.act)
    # A single word says nothing without the label before it, and the list has it ticked.
    if answered and (label != title or not answered.isalnum()):
        line.add(answered if label == title else f": {answered}", ink.strong)
    if reading.act.faces:
        line.add("  real dice ", ink.dim).add(" ".join(map(str, reading.act.faces)), ink.strong)
    says = [line] if line.text.strip() else []
    if problem:
        why = wrap_text(f"· {with_capital(reason_of(problem))}", width - 4, 2)
        lines = [CellLine(width).to(2).add(part, ink.warn) for part in why]
        if reading.wrong and reading.odds and height > len(lines):
            # The figures are those of the other words, and stay where they are.
            return [*draw_odds(reading.odds, ink, width, height - len(lines), pool=pool), *lines]
        return [*says, *lines] if len(lines) < height else lines[:height]
    if reading.preview:
        # The line itself says which dice they are.
        return [*draw_preview(reading.preview, ink, width)][:height]
    if reading.odds is None:
        shows = wrap_text(reveals(reading.act.move, reading.act.answers), width - 4)
        warning = [CellLine(width).to(2).add(part, ink.warn) for part in shows]
        forecast = reading.act.move.forecast
        warning += [
            CellLine(width).to(2).add(part, ink.dim) for part in wrap_text(f"→ {forecast}", width - 4) if forecast
        ]
        # If there is no room for both, what players would see comes before what Enter does.
        return [*says, *warning] if len(warning) < height else warning[:height] or says[:height]
    return draw_odds(reading.odds, ink, width, height, pool=pool)


_LEAST = 4
"""The least height of a line's meaning, if the window has the room."""
_MOST_TYPED = 3
"""The most lines of what is typed."""


class AtChoice(NamedTuple):
    """A choice by its position in the list, as it was drawn: what a click on it means."""

    position: int
    choice: Choice


InputTarget = AtChoice | AtSlot


@dataclass(frozen=True, slots=True)
class LineInput:
    """The typed text, what it means so far, and the choices to continue with."""

    asked: PromptRequest
    text: str = ""
    at: int = 0
    """The index of the character under the cursor."""
    reading: ParsedLine = ParsedLine()
    selected: int | None = None
    """The index of the marked choice."""
    taken: bool = False
    """Enter or Space has been pressed on it since it was marked: the next Enter goes on with the whole line."""
    remap: DiceAllocation | None = None
    """The dice that the line spreads over slots. Arrows and digits move them while no choice is marked."""
    refusal: Refusal | None = None
    """Why the line was refused."""
    turns_to: str = ""
    """The verb of `REMARKS` that Tab makes of this one; empty for every other line."""
    field: TextField | None = None
    """The text that the cursor was put into; None while the line is typed from its beginning."""
    at_stake: Act | None = None
    """The roll whose stakes players see."""
    leaving: str = ""
    """The key that was pressed once and would discard a text if it were pressed again; empty if none was."""

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices."""
        return self.reading.choices

    @property
    def marked_choice(self) -> Choice | None:
        """The choice that is marked."""
        return None if self.selected is None else self.choices[self.selected]

    @property
    def problem(self) -> Refusal | None:
        """The reason why Enter can't play the line; None if it can."""
        dice = self.remap.problem if self.remap else dice_input.problem(self.reading.act)
        return dice or self.reading.problem

    @property
    def roll(self) -> Act | None:
        """The roll that the line means, whose stakes can be shown; None for any other line, and where a text is typed."""
        act = self.reading.act
        if act is None or not act.move.rolls or not self.reading.odds or '"' in self.text or self.has_text:
            return None
        return replace(act, faces=None)

    @property
    def has_text(self) -> bool:
        """Whether somebody has written a text that they wouldn't want to write again, not only command words."""
        asked, act = self.asked, self.reading.act
        if asked.choices is not None or not self.has_typed:
            return False
        if act is None:
            return '"' in self.text
        return any(isinstance(ask, Text) and str(act.answers.get(ask.name, "")).strip() for ask in act.move.asks)

    @property
    def has_fields(self) -> bool:
        """Whether the line is a form with several texts, which Tab goes through."""
        act = self.reading.act
        return act is not None and sum(isinstance(ask, Text) for ask in act.move.asks) > 1

    @property
    def is_form(self) -> bool:
        """Whether the line has several questions, or several texts."""
        return self.has_fields or is_form(self.choices)

    @property
    def is_menu(self) -> bool:
        """Whether nothing is typed yet, and everything is listed by its purpose."""
        is_empty = not (self.text or self.asked.verb) and self.reading.act is None
        return is_empty and self.asked.choices is None and any(choice.group for choice in self.choices)

    def steps_in(self, by: int) -> bool:
        """Whether an arrow to the right, or to the left if `by` is below 0, marks a choice: none is marked yet, and no letter that was
        typed lies there.
        """
        is_free = self.selected is None and self.at >= len(self.text) and (by > 0 or not self.has_typed)
        return is_free and bool(self.choices) and not (self.remap or self.has_fields)

    @property
    def first_choice(self) -> int:
        """The index of the answer to the first question so far; without one, of the first choice there that can be made."""
        first = [at for at, choice in enumerate(self.choices) if choice.group == self.choices[0].group]
        picked = (at for at in first if self.choices[at].held)
        return next(picked, next((at for at in first if not self.choices[at].refused), 0))

    @property
    def has_typed(self) -> bool:
        """Whether anything was typed behind what the line began with."""
        return self.text not in (self.asked.text, self.asked.text + self.asked.suggested)

    def groups_at(self, by: int) -> Sequence[str]:
        """Return the question of the choice that lies so far from the marked one; nothing at the end of the list."""
        at = (self.selected or 0) + by
        return [choice.group for choice in self.choices[at : at + 1]] if at >= 0 else []

    @property
    def next_text(self) -> TextField | None:
        """The text that Enter goes on to before it plays the line: the next empty one that is usually answered. In a command that was typed
        from its first word on, a text that has a word of its own would have been typed behind that.
        """
        act = self.reading.act
        texts = [ask for ask in act.move.asks if isinstance(ask, Text)] if act else []
        here = next((at for at, ask in enumerate(texts) if self.field and ask.name == self.field.ask), 0)
        by_words = not (self.asked.verb or self.asked.text or self.field)
        behind = (
            ask
            for ask in texts[here + 1 :]
            if ask.usual and act and not (act.answers.get(ask.name) or (by_words and ask.word))
        )
        return next((TextField(ask.name) for ask in behind), None)

    @property
    def missing_text(self) -> TextField | None:
        """The next text that the act needs; None if it needs none, or the cursor is in the only one."""
        act = self.reading.act
        is_there = self.selected is None and self.text.endswith(" ") and not self.has_fields
        if act is None or self.reading.wrong or is_there:
            return None
        field = next_field(act, self.asked.verb, self.text)
        needed = {TextField(ask.name) for ask in act.move.asks if isinstance(ask, Text) and ask.required}
        return field if field in needed and field != self.field else None

    @property
    def missing_choice(self) -> int | None:
        """The index of the first choice of a question that has to be answered and isn't; None if no choice is missing."""
        act = self.reading.act
        asks = act.move.asks if act else ()
        missing = {ask.name for ask in asks if act and has_no_default(ask) and ask.name not in act.answers}
        asked = (
            index
            for index, choice in enumerate(self.choices)
            if isinstance(choice.does, OptionToggle | NumberStep) and choice.does.ask in missing
        )
        return next(asked, None)

    @property
    def enter_goes_on(self) -> bool:
        """Whether Enter goes on to the next question that has to be answered."""
        if self.problem is None or self.reading.meant or self.reading.runs:
            return False
        is_here = self.missing_choice is None or self.missing_choice == self.selected
        return not is_here or (self.problem is self.reading.problem and self.text_ahead is not None)

    @property
    def text_ahead(self) -> TextField | None:
        """The text that Enter goes on to while the line can't be played: one that is missing, or the next that is usually answered, once
        all choices are made.
        """
        return self.missing_text or (self.next_text if self.missing_choice is None else None)

    def position_of(self, field: TextField | None) -> int | None:
        """Return the index of the choice that is this text; without one, of the first choice, if that is a text."""
        wanted = field or next((choice.does for choice in self.choices[:1] if isinstance(choice.does, TextField)), None)
        return next((index for index, choice in enumerate(self.choices) if wanted and choice.does == wanted), None)

    @property
    def position_of_empty_text(self) -> int | None:
        """Return the index of the text that the cursor was put into, while nothing is typed there: its place isn't seen otherwise."""
        act, field = self.reading.act, self.field
        is_empty = self.selected is None and act and field and not act.answers.get(field.ask)
        return self.position_of(field) if is_empty else None

    @property
    def unmarks(self) -> bool:
        """Whether Esc only takes the mark from a choice and leaves what was typed."""
        return self.has_typed and self.asked.choices is None and self.selected is not None

    def after_escape(self) -> LineInput | None:
        """Return the line after Esc, without the mark of a choice and with the question about a text; None if it closes, as a line does
        at once in which nothing was typed.
        """
        loses = self.has_text and self.leaving != CLOSE
        if not (self.unmarks or loses):
            return None
        selected, leaving = None if self.unmarks else self.selected, CLOSE if loses else self.leaving
        return replace(self, selected=selected, leaving=leaving)


def rules_of_line(line: LineInput, reference: Reference) -> tuple[str, ...]:
    """Return the ids of the line's rules: why it can't be played, what is marked, the act, and what its odds depend on."""
    refusals = [refusal.clause for refusal in (line.refusal, line.problem) if refusal]
    marked, act, odds = line.marked_choice, line.reading.act, line.reading.odds
    moves = [move for move in (marked.does if marked else None, act.move if act else None) if isinstance(move, Move)]
    notes = [note.clause for note in (*odds.reasons, *odds.forecast)] if odds else []
    names = [
        marked.clause if marked else None,
        *refusals,
        *(id_ for move in moves for id_ in reference.about_move(move)),
    ]
    return reference.about(*filter(None, (*names, *notes, line.asked.verb)))


def dice_help(reading: ParsedLine, most: int = 1000) -> str:
    """Return the real dice that may be typed at the end of the line, in order, or the next one. In fewer than `most` cells, if that can
    be said so shortly; or else nothing.
    """
    if reading.dice is None:
        return ""
    whole = _dice_in_order(reading, reading.dice)
    alike = [(die, len([*same])) for die, same in groupby(reading.dice, lambda die: (kind_of_die(die), die.kind))]
    kinds = "+".join(f"{count}{' ' if symbols else ''}{kind}" for (kind, symbols), count in alike)
    bare = whole.removeprefix("or type ")
    # Without what they are for, only where nothing else comes before them.
    has_cards = any(die.is_card for die in reading.dice)
    short = f"real dice: {kinds}" if bare != whole and not has_cards else ""
    if reading.dice and reading.dice[0].kind and reading.act and reading.act.faces:
        short = _faces_in_short(reading.dice[0])
    has_ten = any(ZERO_IS_TEN in die.question for die in reading.dice)
    ways = *([f"{whole}. {ZERO_IS_TEN}"] if has_ten else []), whole, bare, short
    return next((way for way in ways if len(way) < most), "")


def _dice_in_order(reading: ParsedLine, wanted: Sequence[Die]) -> str:
    if reading.act and reading.act.faces:
        if wanted and wanted[0].kind:  # Nobody knows the numbers of its faces.
            return f"next die: {wanted[0].asked}"
        return f"next die: {_die(wanted[0])}" if wanted else "all dice typed"
    if reading.act:  # The name of a table is a title.
        title = reading.act.move.name
        wanted = [replace(die, source=quote(title)) if title and die.source == title else die for die in wanted]
    groups = [(key, len([*same])) for key, same in groupby(wanted, key=lambda die: (_die(die), die.is_card, die.kind))]
    shared = _shared_source(wanted) if len(groups) > 1 else ""
    dice = ", then ".join(
        name if is_card else f"{count}{' ' if kind else ''}{name.removesuffix(shared)}"
        for (name, is_card, kind), count in groups
    )
    if dice and reading.act and (first := _asks_before_dice(reading.act)):
        return f"real dice: first {first[0].label}, then {dice}"
    if wanted and all(die.is_card and die.source == wanted[0].source for die in wanted):
        return f"or type real cards for {wanted[0].source}: {', then '.join(map(kind_of_die, wanted))}"
    return f"or type real {'cards' if wanted and wanted[0].is_card else 'dice'}{shared}: {dice}"


def _shared_source(dice: Sequence[Die]) -> str:
    """Return ` for Act` if all dice are for the same, so that it is told once; otherwise empty."""
    return f" for {dice[0].source}" if all(_die(die).endswith(f" for {dice[0].source}") for die in dice) else ""


def _faces_in_short(die: Die) -> str:
    """Return the numbers of a die with symbols, with the first letters of each symbol: `ability: 1 –, 2 s, 3 ss, 4 s+a`."""
    every = {symbol for symbols in die.shows for symbol in symbols}

    def begin(symbol: str) -> str:
        sizes = range(1, len(symbol))
        return next(
            (symbol[:size] for size in sizes if sum(one.startswith(symbol[:size]) for one in every) == 1), symbol
        )

    faces = {place: "+".join(map(begin, symbols)) or "–" for place, symbols in faces_to_type(die.shows).items()}
    return f"{die.kind}: {', '.join(f'{place} {shown}' for place, shown in faces.items())}"


def _asks_before_dice(act: Act) -> Sequence[PickOne | Number]:
    """Return the unanswered asks whose answers are digits, as dice are."""
    numbers = [ask for ask in act.move.asks if isinstance(ask, Number) and not ask.overrules]
    return (*shown_digits(act.move.asks, act.answers), *(ask for ask in numbers if ask.name not in act.answers))


def _die(die: Die) -> str:
    """Return the kind of a die and what it is for, as after a number. Free dice are named after their dice, which is enough."""
    kind = kind_of_die(die)
    return kind if kind in die.source else f"{kind} for {die.source}"


def render_input(line: LineInput, ink: Palette, width: int, height: int, scroll: int = 0) -> Page[InputTarget]:
    """Draw the title, dice that are moved, the list from line `scroll` on, the meaning of the line, and at the bottom
    the line itself.
    """
    return arrange_input(line, ink, width, height, scroll).fill(width, height)


def arrange_input(line: LineInput, ink: Palette, width: int, height: int, scroll: int = 0) -> SplitPage[InputTarget]:
    """Draw the same in as many lines as it needs, at most `height`."""
    title = title_lines(line, ink, width)
    foot = _render_line(line, ink, width, min(_MOST_TYPED, height - 1 - len(title)))
    room = max(0, height - len(title) - len(foot))
    unmarked = line.selected is None
    dice = render_remap(line.remap, ink, width, room, marked=unmarked) if line.remap else Page(())
    room = max(0, room - len(dice.lines))
    cells: Sequence[ChoiceCell] = layout_choices(line.choices, width, room - 1)
    # The list has room in full before the bar and the details; figures and forecast have their lines in any case.
    # Below dice that are moved, one line each is enough: for the list, and for why they can't stay so.
    least, few = (1, 1) if dice.lines else (_LEAST, 2)
    means = _render_meaning(line, ink, width, max(min(room, least), room - depth_of(cells)))
    cells = fit_choices(line.choices, cells, width, room - len(means))
    depth = depth_of(cells)
    count = min(depth, max(room - len(means), min(few, depth, room)))
    means = means[: room - count]
    choices = _render_choices(line, cells, ink, width, count, scroll)
    dice, choices = dice.below(title), choices.below([*title, *dice.lines])
    top = Page(choices.lines, [*dice.areas, *choices.areas], choices.scroll)
    return SplitPage(top, Page([*means, *foot]))


def title_lines(line: LineInput, ink: Palette, width: int) -> Sequence[CellLine]:
    """Return the title of the line, with the dice of its roll if there is room for both."""
    return heads(_title(line), ink, width, _pool(line), most=2)


def _title(line: LineInput) -> str:
    """Return the title of the line: the roll that it makes, as soon as that is known, or what is no act of the line's own verb."""
    act = line.reading.act
    if line.is_menu:
        return "Menu: choose, or type a command"
    is_other = act is not None and bool(line.asked.verb) and act.move.verb != line.asked.verb
    return _label(act.move) if act and (line.reading.odds or is_other) else line.asked.title


def _label(move: Move) -> str:
    """Return what the move is called above its dice, which may be more than the usual ones."""
    return move.title if move.rolls and move.title else move.label


def _pool(line: LineInput) -> str:
    """Return the dice of the roll."""
    return line.reading.odds.dice if line.reading.odds else ""


def _render_choices(
    line: LineInput, cells: Sequence[ChoiceCell], ink: Palette, width: int, height: int, scroll: int
) -> Page[InputTarget]:
    """Draw as much of the list as there is room for, with the marked choice in sight."""
    top = scroll
    if line.selected is not None:
        marked = cells[line.selected]
        top = min(max(scroll, marked.line + marked.height - height), marked.line)
    whole = draw_choices(line.choices, cells, ink, width, line.selected, line.position_of_empty_text)
    lines = whole[top : top + height]
    if len(whole) > top + height and lines:
        below = sum(cell.line + cell.height > top + height for cell in cells)
        # If the last line has no room for the mark, the line gives way: a list that is cut always says so.
        more = f"↓ {below} more "
        roomy = lines[-1].cells_left > len(more)
        lines[-1] = lines[-1].right(more, ink.key) if roomy else lines[-1].with_end(f"↓ {below} ", ink.key)
    areas = [
        HitArea(cell.x, y, cell.width, 1, AtChoice(cell.choice, line.choices[cell.choice]))
        for cell in cells
        for y in range(cell.line - top, cell.line + cell.height - top)
        if 0 <= y < height
    ]
    return Page(lines, areas, top)


def _render_meaning(line: LineInput, ink: Palette, width: int, height: int) -> list[CellLine]:
    """Draw the meaning of the line, or why it has none."""
    if line.leaving:
        return [CellLine(width).to(2).add(discard_question(line.leaving), ink.key)]
    if line.refusal:
        return draw_refusal(line.refusal, ink, width)
    if line.reading.act and line.asked.verb in REMARKS:
        return []
    title = _title(line)
    pool = not has_room(title, width, _pool(line))
    return meaning(line.reading, line.problem, line.marked_choice, ink, width, height, title=title, pool=pool)


def _render_line(line: LineInput, ink: Palette, width: int, most: int) -> Sequence[CellLine]:
    """Draw the text in at most so many lines, scrolled so that the cursor is in sight."""
    from_list = "find" if line.asked.from_text is None else "type"
    mark = f"{line.asked.verb or (from_list if line.asked.choices is not None else ':')} › "
    foot = CellLine(width).to(1).add(mark, ink.key)
    margin = foot.used
    starts = _line_starts(line.text, foot.cells_left - 1)
    here = max(number for number, start in enumerate(starts) if start <= line.at)
    top = max(0, here + 1 - max(1, most))
    ends = [*starts[1:], len(line.text)]
    wrong = range(*line.reading.wrong) if line.reading.wrong else range(0)
    lines = [foot, *(CellLine(width).to(margin) for _ in range(min(len(starts) - top, max(1, most)) - 1))]
    for number, shown in enumerate(lines, top):
        for index in range(starts[number], ends[number]):
            is_left_out = (number == top > 0 and index == starts[number]) or (
                shown is lines[-1] and index == ends[number] - 1 and number < len(starts) - 1
            )
            style = ink.caret if index == line.at else ink.bad if index in wrong else ink.strong
            shown.add("…" if is_left_out and index != line.at else line.text[index], style)
    if line.at >= len(line.text):
        lines[-1].add(" ", ink.caret)
    help_with_dice = dice_help(line.reading, lines[-1].cells_left - 3)
    if help_with_dice:
        lines[-1].right(f" {help_with_dice} ", ink.dim)
    return lines


def _line_starts(text: str, room: int) -> Sequence[int]:
    """Return where the lines of a text begin that is typed into `room` cells: behind blanks, if possible."""
    starts, blank, used = [0], 0, 0
    for at, letter in enumerate(text):
        size = cells_of(letter)
        if used + size > room and letter != " " and at > starts[-1]:
            starts.append(blank if blank > starts[-1] else at)
            used = cells_of(text[starts[-1] : at])
        used += size
        blank = at + 1 if letter == " " else blank
    return starts
