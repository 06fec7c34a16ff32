"""The keys of the line at the bottom, while something is typed: rolls, any act in words, notes, clocks, and lists to choose from.

The text is all the state there is: picking an option writes it into the line, so what a list can do, words can. Each change is shown
as a `LineInput`; what a click on it means comes back by `click`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, Protocol

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from waylog.rules.codec.changes import quote_text
from waylog.rules.model.moves import Act, ActRefused, Move, PickOne, Refusal, Text
from waylog.ui.draw.window_layout_and_key_names import digit, format_keys
from waylog.ui.line import dice_input
from waylog.ui.line.choice_list import search_choices, step_group
from waylog.ui.line.choices import (
    REMARKS,
    AppCommand,
    Choice,
    CompletionWord,
    NumberStep,
    OptionToggle,
    PromptRequest,
    TextField,
)
from waylog.ui.line.dice_input import DiceAllocation, remap_of
from waylog.ui.line.line_editor_and_recall import QUIT, LineEditor, RecalledLines
from waylog.ui.line.line_state_and_drawing import AtChoice, InputTarget, LineInput
from waylog.ui.line.parsed_line import (
    ParsedLine,
    completed_line,
    ends_escaped,
    is_in_quotes,
    line_at_text,
    line_of,
    needs_text,
    next_field,
    read_form,
    step_number,
    toggle_option,
)
from waylog.values import dataclass, replace


class LineHost(Protocol):
    """The part of the window that the line uses."""

    def read_line(self, verb: str, text: str) -> ParsedLine:
        """Parse a line with that verb and text."""
        ...

    def show_line(self, line: LineInput) -> None:
        """Show what is typed."""
        ...

    def list_for(self, text: str) -> tuple[Choice, ...] | None:
        """Return the list for a line that begins with a word of the app instead of the game; None for any other line."""
        ...

    @property
    def shows_stakes(self) -> bool:
        """Whether it can show players what is at stake in a roll."""
        ...

    @property
    def line_width(self) -> int:
        """The width in which the line and its choices are drawn."""
        ...

    def lines_before(self) -> Sequence[str]:
        """Return the lines that were typed before, newest first."""
        ...


class Prompt(Widget, can_focus=True):
    """The command line while it is open. It has the keys then."""

    FOCUS_ON_CLICK = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter,ctrl+s", "enter", "Confirm", id="line.enter", tooltip="Confirm the line, or the highlighted choice"
        ),
        Binding("escape", "leave", "Close", id="line.close", tooltip="Cancel"),
        Binding("ctrl+c", "close", "Close", id="line.leave", tooltip="Cancel"),
        Binding("f1", "rule", "Rule", id="line.rule", tooltip="Show the rule for the highlighted or typed action"),
        Binding(
            "up",
            "up",
            "Previous",
            id="line.previous",
            tooltip="Previous choice, or the last command if the line is empty",
        ),
        Binding("down", "down", "Next", id="line.next", tooltip="Next choice"),
        Binding("pageup", "step(-8)", "Page up", id="line.back", tooltip="Up 8 choices"),
        Binding("pagedown", "step(8)", "Page down", id="line.on", tooltip="Down 8 choices"),
        Binding(
            "tab",
            "complete",
            "Complete",
            id="line.complete",
            tooltip="Complete the word, or toggle the choice",
        ),
        Binding("shift+tab", "step(-1)", "Previous", id="line.up", tooltip="Previous choice"),
    ]

    @dataclass
    class Submitted(Message):
        """The line is to be played."""

        act: Act
        recalled: bool = False
        """It was played before, and nobody typed it now."""

    @dataclass
    class ChoiceSelected(Message):
        """A choice was taken from a list."""

        choice: Choice

    @dataclass
    class StakesChosen(Message):
        """Players are to see what is at stake in this roll; with None, no longer."""

        act: Act | None

    class Closed(Message):
        """The person closed the line."""

    @dataclass
    class RuleRequested(Message):
        """The rules of the line, as it is now, are wanted."""

        line: LineInput

    def __init__(self, host: LineHost) -> None:
        super().__init__(id="prompt")
        self._host = host
        self._recalled = RecalledLines(host.lines_before)
        self._line = LineInput(PromptRequest(""))
        self._field: TextField | None = None
        """The text that the cursor was put into, until the line is replaced."""
        self._editor = LineEditor()
        self._suggested = False
        self._typed_as_note = ""
        """What Tab took from a note into a secret one: it may go back."""
        self._may_tick = False
        """Space ticks the choice that an arrow has just marked. After that it is a space, as digits of real dice often follow
        it, but in a form with several texts, where none do.
        """

    @property
    def line(self) -> LineInput:
        """The line that is being typed."""
        return self._line

    def takes_dice(self, move: Move) -> bool:
        """Whether real dice may be typed after the words of a move."""
        return bool(self._host.read_line("", move.id).dice)

    def _put(self, line: LineInput) -> None:
        self._line = line
        if line.at_stake and line.at_stake != line.roll:
            self._show_stakes(line.roll)
        else:
            self._host.show_line(line)

    def _toggle_stakes(self) -> bool:
        """Show players what is at stake in the roll that is typed, or no longer. Return False if the line is no roll."""
        if not (self._host.shows_stakes and self._line.roll):
            return False
        self._show_stakes(None if self._line.at_stake else self._line.roll)
        return True

    def _show_stakes(self, roll: Act | None) -> None:
        """Show players what is at stake in a roll, or no longer. It follows the line as long as that is a roll."""
        self.post_message(self.StakesChosen(roll))
        self._line = replace(self._line, at_stake=roll)
        self._host.show_line(self._line)

    # -- what comes in ------------------------------------------------------------------------------------------

    def ask(self, asked: PromptRequest) -> None:
        """Start with another request."""
        self._line = LineInput(asked)
        self._may_tick, self._typed_as_note = False, ""
        self._set(asked.text + asked.suggested)
        self._suggested = bool(asked.suggested)

    def refuse(self, refusal: Refusal) -> None:
        """Show why the line was refused. It stays open."""
        self._put(replace(self._line, refusal=refusal))

    def read_again(self) -> None:
        """Parse again, because the table has changed. What is marked stays marked, if it is still there."""
        marked, line = self._line.marked_choice, self._read()
        same = (index for index, choice in enumerate(line.choices) if marked and choice.does == marked.does)
        self._put(replace(line, selected=next(same, line.selected)))

    def _read(self) -> LineInput:
        """Return the line as it is parsed now, without a refusal. In a list, the first choice is marked; one that hurts only if it
        was meant by what was typed.
        """
        before, text, at = self._line, self._editor.text, self._editor.at
        asked, words = before.asked, text.strip()
        if (choices := self._find_choices(asked, text)) is not None:
            problem = None if choices or not words else Refusal(f"nothing contains “{words}”")
            reading = ParsedLine(problem=problem, choices=choices)
            first = next((index for index, choice in enumerate(choices) if not choice.refused), 0)
            marked = first if choices and (not choices[first].hurts or _is_meant(choices[first], words)) else None
            return LineInput(asked, text, at, reading, marked, at_stake=before.at_stake, leaving=before.leaving)
        reading = read_form(self._host.read_line, asked.verb, asked.text, text)
        spread = remap_of(reading.act, before.remap)
        turns_to = self._next_remark(asked.verb, words)
        return LineInput(
            asked,
            text,
            at,
            reading,
            remap=spread,
            turns_to=turns_to,
            field=self._field,
            at_stake=before.at_stake,
            leaving=before.leaving,
        )

    def _next_remark(self, verb: str, words: str) -> str:
        """Return the verb that Tab goes on to from a note: one that can be written now. Empty on other lines, and for words that were
        typed as a secret: Enter would show them to players.
        """
        kinds = [*REMARKS]
        if verb not in kinds or (verb == "secret" and words not in ("", self._typed_as_note)):
            return ""
        after = kinds[kinds.index(verb) + 1 :] + kinds[: kinds.index(verb)]
        return next((kind for kind in after if self._host.read_line(kind, "").act), "")

    def _find_choices(self, asked: PromptRequest, text: str) -> tuple[Choice, ...] | None:
        """Return the list to choose from by typing; None on a line of words."""
        if asked.choices is not None:
            searched = search_choices(asked.found_by_search, text) if text.strip() else ()
            typed = (asked.from_text(words),) if asked.from_text and (words := text.strip()) else ()
            return (*search_choices(asked.choices, text), *searched, *typed)
        return None if asked.verb else self._host.list_for(text)

    # -- keys ---------------------------------------------------------------------------------------------------

    def takes(self, event: events.Key) -> bool:
        """Handle a key. On a marked choice, Space picks it, and left and right change a number. Return False for other keys. The one that
        keeps a text which is about to be discarded does nothing else.
        """
        if event.key != "escape" and self._line.leaving:
            self._put(replace(self._line, leaving=""))
            return True
        if self._line.remap and self._moves_dice(self._line.remap, event.key):
            return True
        if self._line.selected is None and self._picks_dice(event.key):
            return True
        marked, asked = self._line.marked_choice, self._line.asked
        if named := self._choice_of_sign(event):
            self.post_message(self.ChoiceSelected(named))
        elif marked and isinstance(marked.does, NumberStep) and event.key in ("left", "right", "minus", "plus"):
            self._step_number(marked.does, 1 if event.key in ("right", "plus") else -1)
        elif marked and isinstance(marked.does, OptionToggle) and event.key == "space" and self._may_tick:
            self._toggle(marked)
        elif event.key in ("left", "right") and self._step_aside(1 if event.key == "right" else -1):
            return True
        elif event.key == "ctrl+u" and self._clear_text():
            self._suggested = bool(asked.suggested) and self._editor.text.rstrip() == f"{asked.text}{asked.suggested}"
            return True
        elif event.character == "!" and self._toggle_stakes():
            pass
        elif self._edit(event.key):
            self._put(self._read())
        elif event.is_printable and event.character:
            self._type(event.character, marked)
        else:
            return False
        self._suggested = False
        self._recalled.forget_place()
        self._may_tick = self._line.has_fields and self._line.selected is not None
        return True

    def _step_aside(self, by: int) -> bool:
        """Mark the choice beside the marked one; without one, that of the first question, or the last of all. Return False where the
        arrow is for the text.
        """
        line = self._line
        if line.marked_choice is None:
            if not line.steps_in(by):
                return False
            if by < 0:
                self.action_step(by)
            else:
                self._may_tick = True
                self._put(replace(line, selected=line.first_choice, taken=False))
        # In a form, the arrows stay among the choices of one question.
        elif not line.has_fields or line.marked_choice.group in line.groups_at(by):
            self.action_step(by)
        return True

    def _choice_of_sign(self, event: events.Key) -> Choice | None:
        """Return what the menu says that a key does, if no command can begin with it: a sign, or a key with Ctrl."""
        if not self._line.is_menu or (event.is_printable and (event.character or " ").isalnum()):
            return None
        return next((each for each in self._line.choices if each.key == format_keys(event.key)), None)

    def _type(self, letter: str, marked: Choice | None) -> None:
        """Type a letter into the marked text, or into the line; in a form, on a choice, it ticks one."""
        act, does = self._line.reading.act, marked.does if marked else None
        # Where several may be ticked, as those who are present, the text behind them may follow at once.
        one_of = (
            {ask.name for ask in act.move.asks if isinstance(ask, PickOne)} if act and self._line.has_fields else ()
        )
        if marked and isinstance(does, OptionToggle) and does.ask in one_of:
            self._tick_by_letter(marked, letter)
            return
        if marked and isinstance(marked.does, TextField):
            self._go_to_text(marked.does)
        elif self._suggested and letter != " ":
            # Dice that are proposed stay when words are typed behind them.
            goes_on = (
                act is not None
                and dice_input.dice_ask(act.move)
                and any(isinstance(ask, Text) for ask in act.move.asks)
            )
            self._editor.set(f"{self._editor.text.rstrip()} " if goes_on else self._line.asked.text)
        self.paste(letter)

    def _tick_by_letter(self, marked: Choice, letter: str) -> None:
        """Tick the choice of the same question that begins with a letter. It isn't typed into a text that the cursor has left."""
        for index, choice in enumerate(self._line.choices):
            does = choice.does
            if choice.group == marked.group and isinstance(does, OptionToggle) and does.word.startswith(letter.lower()):
                self._line = replace(self._line, selected=index)
                if not choice.held:
                    self._toggle(choice)
                return
        self.refuse(
            Refusal(f"No choice starts with “{letter}”. Space ticks a choice, and ↑ and ↓ move to the text fields")
        )

    def _moves_dice(self, remap: DiceAllocation, key: str) -> bool:
        """Move dice between slots, or go from them to the choices below and back. Return False for other keys."""
        if self._line.selected is not None:
            if self._line.selected == 0 and key in ("up", "shift+tab"):
                self._put(replace(self._line, selected=None))
                return True
            return False
        if key == "tab" and self._line.choices:
            self.action_step(1)
            return True
        if key == "space" and not remap.begun:
            # Behind a number there is a blank already, for those who type one.
            return self._editor.text.endswith(" ")
        return self._put_dice(remap, partial(remap.consume_key, key))

    def _put_dice(self, remap: DiceAllocation, move: Callable[[], DiceAllocation | None]) -> bool:
        """Write the dice into the line, or say why they can't stay so. Return False if nothing was asked of them."""
        try:
            after = move()
        except ActRefused as refused:
            self.refuse(refused.refusal)
            return True
        act = self._started_act
        if after is None or act is None:
            return False
        self._line = replace(self._line, remap=after, refusal=None)
        if (after.counts, after.touched) != (remap.counts, remap.touched):
            spread = replace(act, answers={**act.answers, after.ask.name: after.counts})
            self._editor.set(line_of(spread, self._line.asked.verb))
            self._line = self._read()
        self._put(self._line)
        return True

    def _picks_dice(self, key: str) -> bool:
        """Pick one more open die, or one less, while the line has nothing else. Return False for other keys."""
        text = self._line.asked.text if self._suggested and key != "backspace" else self._editor.text
        if self._editor.at < len(self._editor.text) or not dice_input.picks(self._line.reading.act, text):
            return False
        if die := digit(key):
            self._set(f"{text}{die} ")
        elif key == "backspace" and dice_input.without_last(text) != text:
            self._set(dice_input.without_last(text))
        else:
            return False
        return True

    def paste(self, text: str) -> None:
        """Insert one line; a paste never acts by itself. What goes into a text of a form belongs to it, with its quotes."""
        self._begin_field()
        self._editor.insert(quote_text(text)[1:-1] if self._is_in_field else text)
        self._put(self._read())

    def _edit(self, key: str) -> bool:
        """Edit the line with a key. A quote of a text goes together with the backslash before it. Return False for other keys."""
        is_escaped = self._is_in_field and ends_escaped(self._editor.text[: self._editor.at])
        if is_escaped and key in ("backspace", "ctrl+h"):
            self._editor.consume_key(key)
        return self._editor.consume_key(key)

    @property
    def _is_in_field(self) -> bool:
        """Whether the cursor was put into a text of a form, behind the quotes that the line has opened for it."""
        return self._field is not None and is_in_quotes(self._editor.text[: self._editor.at])

    def _begin_field(self) -> None:
        """Open the quotes of the text that the cursor was put into while it is empty. The first text of a line has none, as the words of
        other answers may be typed behind it.
        """
        text, act, verb = self._editor.text, self._line.reading.act, self._line.asked.verb
        is_behind = self._editor.at == len(text) and text not in ("", self._line.asked.text) and not is_in_quotes(text)
        if self._field and act and is_behind and text == line_at_text(act, verb, self._field):
            self._editor.insert('"')

    def action_leave(self) -> None:
        """Close the line. If a choice is marked behind typed words, or a text would be lost, that takes a second Esc: the first
        one unmarks the choice, and asks about the text.
        """
        stays = self._line.after_escape()
        if stays and self._leaves_text():
            stays = replace(self._read(), leaving=stays.leaving)
        if stays:
            self._put(stays)
        else:
            self.action_close()

    def _leaves_text(self) -> bool:
        """Close the quotes of the text that the line ends in, if dice may be typed behind it: they would become words of the text.
        Return False, with nothing changed, on any other line.
        """
        act, verb, field = self._line.reading.act, self._line.asked.verb, self._field
        if not (act and field and self._line.reading.dice):
            return False
        if self._editor.text.rstrip() != line_at_text(act, verb, field).rstrip():
            return False
        self._field = None
        self._editor.set(line_of(act, verb))
        return True

    def may_be_discarded(self) -> bool:
        """Return whether quitting loses no text, or the person has been asked. Otherwise ask."""
        asked = self._line.leaving == QUIT
        if self._line.has_text and not asked:
            self._put(replace(self._line, leaving=QUIT))
            return False
        return True

    def action_rule(self) -> None:
        """Ask for the rules of the line."""
        self.post_message(self.RuleRequested(self._line))

    def action_close(self) -> None:
        """Close the line. What was at stake in it isn't any more."""
        if self._line.at_stake:
            self.post_message(self.StakesChosen(None))
        self.post_message(self.Closed())

    def action_step(self, by: int) -> None:
        """Mark another choice."""
        if not self._line.choices:
            return
        self._may_tick = True
        last, selected = len(self._line.choices) - 1, self._line.selected
        if selected is None:
            # In a list in which nothing was marked, the first step goes to what can be done.
            first = next((at for at, choice in enumerate(self._line.choices) if not choice.refused), 0)
            selected = last if by < 0 else first if self._line.asked.choices else 0
        elif abs(by) > 1:
            selected = max(0, min(last, selected + by))
        else:
            selected = (selected + by) % (last + 1)
        self._put(replace(self._line, selected=selected, taken=False))

    def action_up(self) -> None:
        """Mark the choice above; in an empty command line go back through the lines that were typed before."""
        if not self._recall(1):
            self._step_line(-1)

    def action_down(self) -> None:
        """Mark the choice below; after `action_up` has recalled a line, go forward again."""
        if not self._recall(-1):
            self._step_line(1)

    def _step_line(self, by: int) -> None:
        """Mark a choice in the next line, of the same question or another, or in the line before; in a list without questions, the next
        choice. If none is marked, it starts from the text that is typed.
        """
        self._may_tick = self._may_tick or bool(self._line.choices)
        start = self._line.position_of(self._field) if self._line.selected is None else self._line.selected
        wanted = step_group(self._line.choices, start, by, self._host.line_width)
        if wanted is None:
            self.action_step(by)
        else:
            self._put(replace(self._line, selected=wanted, taken=False))

    def _recall(self, by: int) -> bool:
        """Show the line that was typed before this one, or after it. False where the arrows are for choices."""
        asked = self._line.asked
        if asked.verb or asked.text or asked.choices is not None or self._line.selected is not None:
            return False
        text = self._recalled.step(by, self._editor.text)
        if text is None:
            return False
        self._write(text)
        return True

    def action_complete(self) -> None:
        """Take the marked choice into the line, or the only completion of its last word; or else begin the next text. In a form
        with several texts it always begins the next one, and Space ticks. A note becomes a secret one, or a scene.
        """
        act, marked, reading = self._line.reading.act, self._line.marked_choice, self._line.reading
        if marked is None and reading.wrong:
            # Going on to the next text would drop the word.
            if reading.fits:
                self._set(completed_line(self._editor.text, reading.fits[0]))
            return
        if marked is None and self._line.choices and (act is None or not self._editor.text):
            marked = self._line.choices[0]
        match marked.does if marked else None:
            case OptionToggle() if marked and not self._line.has_fields:
                self._toggle(marked)
                self._may_tick = False
            case CompletionWord(word):
                self._set(completed_line(self._editor.text, word))
            case TextField() as field:
                self._go_to_text(field)
            case _ if kind := self._line.turns_to:
                if kind == "secret":
                    self._typed_as_note = self._editor.text.strip()
                self._line = replace(self._line, asked=replace(self._line.asked, verb=kind, title=REMARKS[kind]))
                self.read_again()
            case _ if act and self._line.asked.verb not in REMARKS:
                here = "" if marked else self._editor.text
                # A text that nobody needs isn't begun in a line of words: they are written in full.
                goes_on = self._line.has_fields or needs_text(act)
                self._go_to_text(next_field(act, self._line.asked.verb, here) if goes_on else None)
            case _:
                self.action_step(1)

    def action_enter(self) -> None:
        """Take the marked choice, or play the line if it is complete. If a word was mistyped and can mean one thing only, write
        that; the next Enter plays it. A choice is only taken, ticked as it is or not: what is played was on the screen before.
        """
        marked = self._line.marked_choice
        if marked and marked.refused:
            self.refuse(Refusal(marked.refused, marked.clause))
            return
        match marked.does if marked else None:
            case Move() | AppCommand() if marked:
                self.post_message(self.ChoiceSelected(marked))
            case CompletionWord(word):
                self._set(completed_line(self._editor.text, word))
            case OptionToggle() if marked and not self._line.taken:
                if marked.held:
                    self._put(replace(self._line, taken=True))
                else:
                    self._toggle(marked)
                self._may_tick = self._line.has_fields
            case TextField() as field:
                self._go_to_text(field)
            case _:
                self._go_on()

    def _go_on(self) -> None:
        """Play the line if it is complete, or go to what is missing."""
        line = self._line
        if line.reading.meant:
            self._set(completed_line(self._editor.text, line.reading.meant))
        elif line.reading.plays and line.reading.act:
            self._play(line.reading.act)
        elif line.reading.runs:
            self.post_message(self.ChoiceSelected(line.reading.runs))
        elif line.problem:
            if not (line.problem is line.reading.problem and self._go_to_missing_text()):
                self._mark_missing_choice()
                if self._line.selected == line.selected or line.reading.unknown:
                    self.refuse(line.problem)
                else:  # What is missing has not been looked at yet: the line says what it needs.
                    self._put(self._line)
        elif line.asked.choices and line.selected is None:
            self.refuse(Refusal("No line is chosen. Choose one with ↑ and ↓"))
        elif not line.text and line.choices and line.selected is None:
            self.action_step(1)
        elif line.asked.from_text and not line.choices:
            self.refuse(Refusal(line.asked.from_text("").refused))

    def _play(self, act: Act) -> None:
        """Play the line, or first ask for a text. The verb of a scene alone asks for its title, as its key does."""
        line, verb = self._line, act.move.verb
        if not line.asked.verb and verb in REMARKS and line.text.strip() == verb:
            self.ask(PromptRequest(REMARKS[verb], verb))
        elif line.next_text:
            self._go_to_text(line.next_text)
        else:
            self.post_message(self.Submitted(act, self._recalled.is_shown))

    def _set(self, text: str, field: TextField | None = None) -> None:
        self._recalled.forget_place()
        self._write(text, field)

    def _write(self, text: str, field: TextField | None = None) -> None:
        self._field, self._suggested = field, False
        self._editor.set(text)
        self._put(self._read())

    def _toggle(self, choice: Choice) -> None:
        act = self._started_act
        if choice.refused:
            self.refuse(Refusal(choice.refused, choice.clause))
        elif act and isinstance(choice.does, OptionToggle):
            self._rewrite(line_of(toggle_option(act, choice.does), self._line.asked.verb))

    def _step_number(self, step: NumberStep, by: int) -> None:
        if act := self._started_act:
            self._rewrite(line_of(step_number(act, step, by), self._line.asked.verb))

    def _go_to_text(self, field: TextField | None) -> None:
        """Put the cursor of the line into that text; with None, after the last one."""
        verb = self._line.asked.verb
        if act := self._started_act:
            self._set(line_at_text(act, verb, field) if field else line_of(act, verb), field)

    def _clear_text(self) -> bool:
        """Clear the text that the line ends in, or all behind the words that the line began with. False if there is neither, as on
        a line of which the person has typed every word.
        """
        line, text = self._line, self._editor.text
        if self._editor.at < len(text) or not (line.asked.verb or line.asked.text):
            return False
        act, verb, start = line.reading.act, line.asked.verb, line.asked.text
        begun: dict[str, TextField | None] = {start: None} if start else {}
        for ask in act.move.asks if act else ():
            if act and isinstance(ask, Text) and act.answers.get(ask.name):
                field = TextField(ask.name)
                begun[line_at_text(replace(act, answers={**act.answers, ask.name: ""}), verb, field)] = field
        rest = max((each for each in begun if text.startswith(each) and text != each), key=len, default=None)
        if rest is None:
            return False
        self._set(rest, begun[rest])
        return True

    def _go_to_missing_text(self) -> bool:
        """Go on to the next text that the act needs or is usually given. False if there is none, or the cursor is in the only one."""
        if field := self._line.text_ahead:
            self._go_to_text(field)
        return field is not None

    def _mark_missing_choice(self) -> None:
        """Mark the first choice of a question that has to be answered, or of what the words may go on with."""
        act, choices = self._line.reading.act, self._line.choices
        if act is None and not self._line.reading.wrong and self._line.selected is None:
            able = (at for at, each in enumerate(choices) if not (each.refused or isinstance(each.does, OptionToggle)))
            self._line = replace(self._line, selected=next(able, None))
            return
        if (missing := self._line.missing_choice) is not None:
            self._line, self._may_tick = replace(self._line, selected=missing, taken=False), True

    @property
    def _started_act(self) -> Act | None:
        """The act of the line, or of its verb alone while nothing has been typed."""
        return self._line.reading.act or self._host.read_line("", self._line.asked.verb).act

    def _rewrite(self, text: str) -> None:
        """Rewrite the line, with the same choice marked. A word that has no meaning isn't in it any more, which the line says."""
        wrong = self._line.text[slice(*self._line.reading.wrong)] if self._line.reading.wrong else ""
        loss = Refusal(f"The word “{wrong}” was left out") if wrong and not self._line.reading.fits else None
        marked, self._field, self._suggested = self._line.selected, None, False
        self._editor.set(text)
        line = self._read()
        stays = marked is not None and marked < len(line.choices)
        self._put(replace(line, selected=marked if stays else None, taken=stays, refusal=loss))

    def click(self, target: InputTarget) -> None:
        """Take the choice that was clicked, or move a die. A choice that has gone since it was drawn is not taken."""
        if isinstance(target, AtChoice):
            choice = target.choice
            if choice not in self._line.choices[target.position : target.position + 1]:
                return
            self._line = replace(self._line, selected=target.position)
            if isinstance(choice.does, OptionToggle):
                self._toggle(choice)
            else:
                self.action_enter()
        elif (remap := self._line.remap) and target.slot < len(remap.ask.slots):
            self._line = replace(self._line, selected=None)
            self._put_dice(remap, partial(remap.click, target.slot))


def _is_meant(choice: Choice, typed: str) -> bool:
    """Whether a choice that hurts is what somebody typed: the first letters, more than one, of a word that it has."""
    return len(typed) > 1 and f" {typed}".lower() in f" {choice.key} {choice.label}".lower()
