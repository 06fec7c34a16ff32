"""The tray at the bottom of every view: the latest act, the open question, and confirmations.

It is as tall as its content at every moment: a rule and a line while nothing is open, up to half the window for the command line,
a question or a result.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message

from waylog.rules.model.act_lists_and_row_verbs import ActList, Subject, letters_of_people, may_hurt
from waylog.rules.model.moves import Move, Text, merge_equal, offer_lines, reason_of
from waylog.snapshot_and_act_preview import Snapshot
from waylog.ui.draw.acts_in_log_and_tray import DRAWN, draw_act, heading_line, shows_dice, summarise_act
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page, SplitPage
from waylog.ui.draw.colours import Palette, ink_of
from waylog.ui.draw.window_layout_and_key_names import key_name
from waylog.ui.line.choices import ANSWER_FIRST
from waylog.ui.line.lists_and_lines_that_keys_open import row_label, tell_rolled
from waylog.ui.parts.letter_assignment import WAYLOG_ROLLS, AnswerLetters, follow_ups
from waylog.values import dataclass, replace
from waylog.words.sentences import names_of, with_capital

if TYPE_CHECKING:
    from waylog.ui.line.choice_list import ActPicker
    from waylog.ui.line.line_editor_and_recall import SearchLine
    from waylog.ui.line.line_state_and_drawing import InputTarget, LineInput
    from waylog.words.last_evening import Welcome

    TrayTarget = Move | InputTarget | Subject
    """What a click in the tray can mean."""

_RULE_KEY = " i rule "
"""The key that shows the rule of a refusal, beside it."""
LEAST_ROWS = 2
"""The least height of the tray: a rule and one line."""
LOW = 24
"""The window height below which what the tray says takes lines that a view needs."""
_TALL = 28
"""The window height from which on the latest act has more than one line while nothing is open."""
_NARROW = 50
"""The width from which on two lines have room for nearly every question."""
_AT_REST = 3
"""The height below the rule while nothing is open, in a tall window or with offers."""


_AROUND_FORM = 4
"""The lines that a form leaves to the rest of a window: bar, keys, and two of the view."""


def most_rows(height: int, *, form: bool = False) -> int:
    """Return the greatest height of the tray in a window of that height, heading included: about half. A form, the menu and what is asked
    may take more, so that none of it is out of sight.
    """
    half = 1 + max(4, (height - 2) // 2 - 1)
    return max(half, height - _AROUND_FORM) if form else half


@dataclass(frozen=True, slots=True)
class TrayMessage:
    """A message in place of the question: a refusal, a confirmation, or news."""

    text: str
    bad: bool = False
    sign: str = "↶"
    clause: str | None = None
    """The clause of a refusal."""


class TakenWord:
    """The rest of the words that a letter may begin which was taken as an answer: whoever types `well` for the letter `w` means the
    answer, and not the keys `e` and `l`.
    """

    def __init__(self) -> None:
        self._rests: Sequence[str] = ()
        self._goes_on = False

    def begin(self, letter: str, move: Move, *names: str) -> None:
        """Note the letter that was taken for a move. Behind a move that needs a text, that text is typed."""
        needs_text = any(isinstance(ask, Text) and ask.required for ask in move.asks)
        self.begin_one_of(letter, *(() if needs_text else (move.label, move.id, *move.words, *names)))

    def begin_one_of(self, letter: str, *texts: str) -> None:
        """Note the letter that was taken for something with these names."""
        words = [text.casefold().split(":")[0].replace("-", " ") for text in texts]
        words += [part for word in words for part in word.split()]
        self._rests = [word[len(letter) :] for word in words if word.startswith(letter.casefold())]
        self._goes_on = False

    def end(self) -> None:
        """Note that the next letters belong to no such word."""
        self._rests, self._goes_on = (), False

    def takes(self, key: str, character: str | None) -> bool:
        """Whether a key goes on with one of the words, or ends one with Enter. If not, the word is over."""
        if key == "enter" and self._goes_on:
            self.end()
            return True
        letter = (character or " ").casefold().replace("-", " ")
        self._rests = [rest[1:] for rest in self._rests if rest[:1] == letter]
        self._goes_on = bool(self._rests)
        return self._goes_on


class Tray(LineView["TrayTarget"]):
    """The widget that shows what just happened and what may follow; or, while something is typed, the line with its
    list.

    One widget for both costs a fraction of the layout that showing and hiding widgets costs.
    """

    @dataclass
    class FollowUpChosen(Message):
        """A follow-up was clicked."""

        move: Move

    @dataclass
    class SubjectChosen(Message):
        """A name in a list of letters was clicked."""

        subject: Subject

    @dataclass
    class InputClicked(Message):
        """A part of the command line was clicked."""

        target: InputTarget

    def __init__(self, snapshot: Snapshot, resized: Callable[[], bool], free_lines: Callable[[], int]) -> None:
        """`resized` is called whenever the height has changed. It returns whether the window is laid out again. `free_lines` counts the
        blank lines of the view. It is called only where a text has no room, because the view may have to be laid out for it.
        """
        super().__init__(id="tray")
        self._snapshot, self._resized, self._free_lines = snapshot, resized, free_lines
        self._room = (80, 24, 24, 0)
        """The width of the tray, the height of the window, how tall the tray can be there, and how many lines the view leaves free."""
        self.rows = LEAST_ROWS
        """The height of the tray."""
        self.is_fresh = False
        """Whether the latest act was played just now, and no key has been pressed since."""
        self.letters = AnswerLetters()
        """The letters of what can be answered or chosen, for as long as the window is open."""
        self._at_rest = snapshot
        """The latest snapshot without a question."""
        self._choices = self._assign_keys(snapshot)
        self._said: TrayMessage | None = None
        self._welcome: Welcome | None = None
        """What somebody wants to know who has opened the campaign again, until they have seen something else."""
        self._free: int | None = None
        """The blank lines of the view as they were counted for a long act at rest; None for anything that takes none of them."""
        self._typed: tuple[int, ...] = ()
        self._hint = ""
        self._recap_at = -1
        """The number of entries at which the recap was saved."""
        self._selected: int | None = None
        self._input: LineInput | None = None
        self._picker: ActPicker | None = None
        self._search: SearchLine | None = None
        self.taken = TakenWord()
        """The word that the letter which was taken last may begin."""
        self._parts: tuple[Palette, int, SplitPage[TrayTarget]] | None = None
        """The content as it was drawn to find its height, with the palette and the width; None if it has changed since."""

    def fit(self, width: int, height: int, most: int, spare: int) -> None:
        """Take the height that the content needs at that width, in a window of that height, whose other parts leave at most `most` lines,
        and whose view leaves `spare` lines free.
        """
        if (width, height, most, spare) != self._room:
            self._room = width, height, most, spare
            self._take_height()

    def take_free_lines(self) -> None:
        """Take as many of the lines that the view leaves blank now as a long act needs, and give back those that the view fills."""
        if self._free is not None and self._free != self._free_lines():
            self._refit()

    @property
    def welcomes(self) -> bool:
        """Whether the tray greets somebody who has opened the campaign again. What is asked or said comes before that."""
        return self._welcome is not None and not (self._is_open or self._said)

    def _refit(self) -> None:
        """Before the next frame, take the height that the content needs then, and render again."""
        self.before_frame(self._take_height)

    def _take_height(self) -> None:
        if not self.is_attached:
            return
        width, height, room, spare = self._room
        line, is_asked = self._input, self._snapshot.question is not None
        # What was just done is read before the view is, and the next key gives the lines back.
        is_read = self.is_fresh and height < LOW
        # A list that can be in sight as a whole is.
        is_tall = (
            line.is_form or line.is_menu or bool(line.remap) or len(line.choices) <= room
            if line
            else is_asked or is_read
        )
        ink = ink_of(self)
        # What a view leaves free is no loss to it.
        most = min(room, max(most_rows(height, form=is_tall), spare + LEAST_ROWS))
        self._free = self._free_lines() if self._is_long(ink, width, most) else None
        parts = self._render_parts(ink, width, most)
        self._parts = ink, width, parts
        rows = min(most, max(LEAST_ROWS, parts.rows))
        before, self.rows = self.rows, rows
        if rows != before and self._resized():
            self.repaint_with_layout()
        else:
            self.repaint()

    @property
    def _is_open(self) -> bool:
        """Whether the latest act is shown in full: it asks something, or it was played just now."""
        return self.is_fresh or self._snapshot.question is not None or bool(self._snapshot.missing_dice)

    @property
    def is_brief(self) -> bool:
        """Whether the next keys remove what the tray shows: a line, a list of letters, a message, or a result that asks nothing."""
        passing = self._input or self._search or self._picker or self._said
        return bool(passing) or (self._is_open and not (self._snapshot.question or self._snapshot.missing_dice))

    def settle(self) -> None:
        """Note that the person has moved on: an act that asks nothing takes one line from now on."""
        if self.is_fresh:
            self.is_fresh = False
            # At once: a view shows below it what has happened, even if the next line covers most of that.
            self._take_height()

    def show_picker(self, picker: ActPicker | None) -> None:
        """Show a list of letters; with None, what was there before."""
        self._picker = picker
        self._refit()

    def show_search(self, line: SearchLine | None) -> None:
        """Show a search; with None, what was there before."""
        if line != self._search:
            self._search = line
            self._refit()

    def show_input(self, line: LineInput | None, *, done: bool = False) -> None:
        """Show the command line; with None, it is closed. With `done`, its text has been played."""
        if line is None or self._input is None or line.choices is not self._input.choices:
            self.scroll = 0
        self._input = line
        self.is_fresh |= done
        self._refit()

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot. Dice and selection are dropped if something was done since the last one. A message
        stays until the next key, because somebody else may have acted.
        """
        before, self._snapshot = self._snapshot, snapshot
        if (snapshot.act, snapshot.moves) != (before.act, before.moves):
            self._choices = self._assign_keys(snapshot)
        if snapshot.entries != before.entries:
            self._typed, self.is_fresh, self._welcome = (), True, None
        if (snapshot.entries, snapshot.moves) != (before.entries, before.moves) or self._selected is None:
            # The first follow-up that can be done now and doesn't hurt, as Enter takes it; the first of all where none can.
            able = [index for index, (_, move) in enumerate(self.choices) if not move.blocked]
            moves = [move for _, move in self.choices]
            safe = (index for index in able if not (may_hurt(snapshot.act_keys, moves[index]) or moves[index].ends))
            self._selected = next(safe, None if able or not self.choices else 0) if snapshot.question else None
        self._refit()

    def say(self, message: TrayMessage | None) -> None:
        """Show a message until the next key."""
        if message != self._said:
            self._said = message
            self._refit()

    def welcome(self, welcome: Welcome | None) -> None:
        """Show how the campaign was left in place of the latest act, until something is done; with None, no longer."""
        if welcome != self._welcome:
            self._welcome = welcome
            self._refit()
            self._resized()  # How many lines the view leaves free is counted only for a welcome.

    def note_recap(self) -> None:
        """Note that the recap is saved, so that it is not offered until something else is done."""
        self._recap_at = self._snapshot.entries

    def hint(self, text: str) -> None:
        """Show beside the question what the keys do in this view."""
        if text != self._hint:
            self._hint = text
            self._refit()

    def type(self, faces: tuple[int, ...]) -> None:
        """Show the real dice that have been typed so far."""
        self._typed = faces
        self._refit()

    @property
    def dice_typed(self) -> bool:
        """Real dice have been typed, and not confirmed yet."""
        return bool(self._typed)

    @property
    def choices(self) -> tuple[tuple[str, Move], ...]:
        """The follow-ups with their keys."""
        return self._choices

    def _assign_keys(self, snapshot: Snapshot) -> tuple[tuple[str, Move], ...]:
        asked, moves = snapshot.question is not None, follow_ups(snapshot.moves)
        if not asked:
            self._at_rest = snapshot
            # Offers that can't be taken stand last: the tray may have no room for all.
            moves = merge_equal(sorted(moves, key=lambda move: move.blocked is not None))
            if tell_rolled(snapshot):
                # The key shows what came up last. An earlier card stands below it in the list of that key.
                moves = tuple(move for move in moves if move.offer != ActList.SIGHT)
        people = letters_of_people(self._at_rest.moves, names_of(self._at_rest)) if moves else {}
        return self.letters.assign(moves, people, [entry.words for entry in snapshot.act], asked=asked)

    @property
    def refuses(self) -> bool:
        """Whether a refusal is shown."""
        in_list = self._picker is not None and bool(self._picker.refused)
        return in_list or (self._said is not None and self._said.bad)

    @property
    def refusal_clause(self) -> str | None:
        """The clause of the refusal that is shown, if there is one."""
        return self._said.clause if self._said else None

    @property
    def selected_follow_up(self) -> Move | None:
        """The follow-up that Enter would choose."""
        return None if self._selected is None else self.choices[self._selected][1]

    def step(self, by: int) -> None:
        """Select the next or the previous follow-up."""
        if count := len(self.choices):
            self._selected = ((self._selected or 0) + by) % count if self._selected is not None else 0
            self._parts = None
            self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Choose the follow-up under the mouse. Clicks in the command line are passed on."""
        match self.target_at(event):
            case None:
                pass
            case Move() as move:
                self.post_message(self.FollowUpChosen(move))
            case Subject() as subject:
                self.post_message(self.SubjectChosen(subject))
            case target:
                self.post_message(self.InputClicked(target))

    # -- rendering ----------------------------------------------------------------------------------------------

    def render_page(self, ink: Palette, width: int, height: int) -> Page[TrayTarget]:
        if self._parts and self._parts[:2] == (ink, width) and self._parts[2].rows <= height:
            return self._parts[2].fill(width, height)
        return self._render_parts(ink, width, height).fill(width, height)

    def _render_parts(self, ink: Palette, width: int, most: int) -> SplitPage[TrayTarget]:
        """Draw the content in as many lines as it needs, at most `most`."""
        if self._input:
            return self._render_input(self._input, ink, width, most)
        if self._search:
            from waylog.ui.line.line_editor_and_recall import render_search

            return SplitPage(Page(render_search(self._search, ink, width)[:most]), Page(()))
        if self._picker:
            from waylog.ui.line.choice_list import render_picker

            page = render_picker(self._picker, ink, width)
            notice = self._notice(self._said, ink, width) if self._said else []
            return SplitPage(page.part(0, most), Page(notice[: max(0, most - len(page.lines))]))
        if self._welcome and self.welcomes:
            return self._render_welcome(self._welcome, ink, width, most)
        if self._is_open:
            # What was said last is in the log. The dice that a question is about may be in the view.
            gives_way = bool(self._snapshot.question) and not shows_dice(self._snapshot)
            foot = self._foot(ink, width, max(1, most - 1 if gives_way else most - 2))
            rows = most - 1 - len(foot.lines)
            if self._snapshot.missing_dice and self._room[1] < LOW:
                rows = min(rows, DRAWN - 1)  # In figures: more dice are to come, and the view is as low as it is.
            if gives_way:
                rows = min(rows, max(0, most_rows(self._room[1]) - 1 - len(foot.lines)))
            act = draw_act(self._snapshot, ink, width, rows)
            return SplitPage(Page([heading_line(self._snapshot, ink, width), *act]), foot)
        foot = self._foot(ink, width, most - 2 if self._said else _AT_REST - 1)
        rows = max(self._least_summary, _AT_REST - len(foot.lines) if self._room[1] >= _TALL else 1)
        rows = max(rows, LEAST_ROWS - 1 + (self._free or 0) - len(foot.lines))
        act = self._summarise(ink, width, max(1, min(rows, most - 1)))
        return SplitPage(Page([CellLine(width).fill("─", ink.rule), *act]), foot)

    def _render_welcome(self, welcome: Welcome, ink: Palette, width: int, most: int) -> SplitPage[TrayTarget]:
        """Draw how the campaign was left, in full where the view has blank lines for it. A low window has no room for what was told."""
        _, height, _, spare = self._room
        foot = self._foot(ink, width, max(1, most - LEAST_ROWS))
        texts = [wrap_text(text, width - 4) for text in welcome]
        if sum(map(len, texts)) + len(foot.lines) >= LEAST_ROWS + spare:
            # In a lower window, people have these lines.
            is_tall = height >= _TALL
            texts = [
                wrap_text(text, width - 4, 2) for text in (welcome[:-1] if is_tall else (welcome.left, welcome.is_open))
            ]
            room = most - 1 - sum(map(len, texts)) - len(foot.lines)
            if is_tall and room > 0:  # The note may be long.
                texts.append(wrap_text(welcome.note, width - 4, min(3, room)))
        lines = [CellLine(width).fill("─", ink.rule)]
        for number, parts in enumerate(texts):
            style = ink.plain if number else ink.strong
            lines += [CellLine(width).to(2).add(part, style) for part in parts]
        return SplitPage(Page(lines[: most - len(foot.lines)]), foot)

    @property
    def _least_summary(self) -> int:
        """How many lines the latest act has at rest in any case, if it needs them."""
        return 2 if self._room[1] >= _TALL else 1

    def _is_long(self, ink: Palette, width: int, most: int) -> bool:
        """Whether the latest act is at rest and needs more lines than it has in any case."""
        if self._is_open or self._input or self._search or self._picker or self.welcomes:
            return False
        return len(self._summarise(ink, width, most - 1)) > self._least_summary

    def _summarise(self, ink: Palette, width: int, rows: int) -> list[CellLine]:
        saved = self._recap_at == self._snapshot.entries
        return summarise_act(self._snapshot, ink, width, rows, recap_saved=saved)

    def _render_input(self, line: LineInput, ink: Palette, width: int, most: int) -> SplitPage[TrayTarget]:
        """Draw the command line. If it continues an act, the dice of that act stand above it."""
        from waylog.ui.line.line_state_and_drawing import arrange_input, title_lines

        act = line.reading.act
        follows = self._snapshot.question or self._snapshot.missing_dice or (act and act.move.follows)
        if not (follows and shows_dice(self._snapshot)):
            return arrange_input(line, ink, width, most, self.scroll)
        spare = most - arrange_input(line, ink, width, most - 2, self.scroll).rows
        above = draw_act(self._snapshot, ink, width, min(spare, DRAWN) if spare >= DRAWN else 2)
        parts = arrange_input(line, ink, width, most - len(above), self.scroll)
        under = len(title_lines(line, ink, width))
        lines = [*parts.top.lines[:under], *above, *parts.top.lines[under:]]
        areas = [area.shift_down(len(above)) for area in parts.top.areas]
        return SplitPage(Page(lines, areas, parts.top.scroll), parts.bottom)

    # -- the foot: what is asked --------------------------------------------------------------------------------

    def _foot(self, ink: Palette, width: int, most: int) -> Page[Move]:
        message, question = self._said, None if self._snapshot.missing_dice else self._snapshot.question
        if message and question and message.text == ANSWER_FIRST.format(question):
            message = replace(message, text=ANSWER_FIRST.removesuffix(". {}"))  # The question stands below.
        lines = self._notice(message, ink, width)[:most] if message else []
        if lines and not (self._is_open or self.choices):  # What is offered can be taken, and so it is in sight.
            return Page(lines)
        asked = self._question_lines(ink, width, most - len(lines)) if len(lines) < most else Page(())
        return asked.below(lines)

    @staticmethod
    def _notice(message: TrayMessage, ink: Palette, width: int) -> list[CellLine]:
        style = ink.bad if message.bad else ink.key
        sign = "✗ " if message.bad else f"{message.sign} "
        lines = [
            CellLine(width).to(2).add("  " if index else sign, style).add(part, style)
            for index, part in enumerate(wrap_text(with_capital(message.text), width - 6))
        ]
        if message.clause and lines and lines[-1].cells_left > len(_RULE_KEY):
            lines[-1].right(_RULE_KEY, ink.key)
        return lines

    def _question_lines(self, ink: Palette, width: int, most: int) -> Page[Move]:
        if wanted := self._snapshot.missing_dice:
            return Page(self._dice(wanted, ink, width)[:most])
        lines = list[CellLine]()
        question = self._snapshot.question
        if question:
            parts = wrap_text(question, width - 6, 2 if width >= _NARROW else 3)
            lines += [
                CellLine(width).to(2).add("  " if index else "? ", ink.key).add(part, ink.strong)
                for index, part in enumerate(parts)
            ]
        if lines and self._hint:
            lines[-1].right(f" {self._hint} ", ink.key)
        every = range(len(self.choices))

        def draw(whole: Collection[int], among: Collection[int] = every) -> Page[Move]:
            return self._offer_lines(ink, width, asked=question is not None, whole=whole, among=among).below(lines)

        page, half = draw(every), min(most, most_rows(self._room[1]) - 1)
        if len(page.lines) > half:
            # The key of each choice is worth more than the end of a long text; and what the view shows, such as the dice that a question is
            # about, more than that end, and than what can't be chosen. What Enter takes is said in full.
            free, whole = [index for index in every if self.choices[index][1].blocked is None], frozenset[int]()
            page, among = draw(whole), [*every]
            if question and free and len(page.lines) > half:
                page, among = draw(whole, free), free
            for index in sorted(among, key=lambda index: (index != self._selected, index not in free)):
                longer = draw(whole | {index}, among)
                if len(longer.lines) <= (most if index == self._selected or not question else half):
                    page, whole = longer, whole | {index}
        if len(page.lines) > most:
            fitting = page.part(0, max(1, most - 1))
            more = CellLine(width).to(2).add(f"… more: {key_name('palette', 'ctrl+p')} lists all", ink.dim)
            page = Page([*fitting.lines, more], fitting.areas)
        return page

    def _dice(self, wanted: Sequence[str], ink: Palette, width: int) -> list[CellLine]:
        lines = [CellLine(width).to(2).add("? ", ink.key).add("Type the dice  ", ink.strong)]
        for index, source in enumerate(wanted):
            following = "[_]" if index == len(self._typed) else "[ ]"
            typed = f"[{self._typed[index]}]" if index < len(self._typed) else following
            # Dice with the same source share its name.
            named = index > 0 and source == wanted[index - 1]
            *above, name = [""] if named else (wrap_text(source, width - 12) or [""])
            lines += [CellLine(width).to(4).add(part, ink.dim) for part in above]
            if above or cells_of(name) + len(typed) + 3 > lines[-1].cells_left:
                lines.append(CellLine(width).to(4))
            lines[-1].add(f"{name} " if name else "", ink.dim).add(typed, ink.strong).add("  ", ink.plain)
        hint = typing_hint(len(self._typed), len(wanted))
        whole = any(move.whole for move in self._snapshot.moves if move.verb == "dice")
        hint = f"Type one number per die, separated by spaces. {hint}" if whole and len(wanted) > 1 else hint
        return [*lines, *(CellLine(width).to(4).add(part, ink.dim) for part in wrap_text(hint, width - 6, 2))]

    def _offer_lines(
        self, ink: Palette, width: int, *, asked: bool, whole: Collection[int], among: Collection[int]
    ) -> Page[Move]:
        """Draw the choices with these numbers, each with its key. One that is wider than the window is cut, unless it is in `whole`."""
        if not self.choices:
            return Page(())
        lines, areas, alone = [CellLine(width).to(2)], list[HitArea[Move]](), False
        # Many offers of a kind are one line; their letter opens them as a list.
        offered = () if self._snapshot.question else offer_lines(follow_ups(self._snapshot.moves))
        of_kind = {(line.moves[0].offer, line.moves[0].late): line.text for line in offered if len(line.moves) > 1}
        for index, (key, move) in enumerate(self.choices):
            if index not in among:
                continue
            refused = with_capital(reason_of(move.blocked))
            text = row_label(move) + (f"  ✗ {refused}" if refused else "")
            is_gathered = (key, move.late) in of_kind
            if is_gathered:
                if (key, move.late) in [(other, each.late) for other, each in self.choices[:index]]:
                    continue
                text, refused = of_kind[key, move.late], ""
            # An offer that is wider than the window has lines of its own, so that all of it can be read.
            alone_before, alone = alone, index in whole and cells_of(text) + 5 > width - 4
            parts = wrap_text(text, width - 9) if alone else [text]
            for number, part in enumerate(parts):
                size = min(cells_of(part) + 5, width - 4)
                full = number or alone or alone_before or lines[-1].used + size > width - 2
                if full and lines[-1].used > 2:
                    lines.append(CellLine(width).to(2))
                line, start = lines[-1], lines[-1].used
                mark = "▸" if index == self._selected else " "
                # A letter that several have opens a list of them.
                piece = CellLine(size).add(
                    "    " if number else f"{mark}{key or '·':3}", ink.dim if refused else ink.key
                )
                piece.add(part, ink.dim if refused or not asked else ink.plain).to(size)
                line.join(piece.over(ink.under_cursor) if index == self._selected else piece).add(" ", ink.plain)
                if not is_gathered:
                    areas.append(HitArea(start, len(lines) - 1, size, 1, move))
        return Page(lines, areas)


def typing_hint(typed: int, wanted: int) -> str:
    """Return what may be typed while real dice are missing, and what Enter does."""
    if not typed:
        dice_show, it = ("the die shows", "it") if wanted == 1 else ("the dice show", "them")
        return f"Type what {dice_show}, or press {WAYLOG_ROLLS} to let Waylog roll {it}"
    if typed < wanted:
        return f"Enter confirms {'this die' if typed == 1 else 'these dice'}, {wanted - typed} more to come"
    return "Enter confirms"
