"""The keys of the line at the bottom, while something is typed: rolls, any act in words, notes, clocks, and lists to choose from.

The text is all the state there is: picking an option writes it into the line, so what a list can do, words can. Each change is shown
as a `LineInput`; what a click on it means comes back by `click`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from waylog.rules.moves import Move, Refusal, Refused, Text
from waylog.rules.words import Act
from waylog.widgets import picking
from waylog.widgets.choices import Choice, Command, Step, Toggle, Word, found
from waylog.widgets.editor import Editor
from waylog.widgets.line_input import Asked, AtChoice, InputTarget, LineInput
from waylog.widgets.reading import REMARKS, Reading, completed_line, line_of, stepped, toggled
from waylog.widgets.remap import Remap, remap_of

Reader = Callable[[str, str], Reading]
"""What a line with that verb and text means."""
Shows = Callable[[LineInput], None]
"""Shows what is typed."""


class Prompt(Widget, can_focus=True):
    """Open while something is typed. It has the keys then."""

    FOCUS_ON_CLICK = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "enter", "Do it", id="line.enter", tooltip="Play what the line says, or take what is marked"),
        Binding("escape", "leave", "Close", id="line.close", tooltip="Leave the list, then the line; nothing is done"),
        Binding("ctrl+c", "close", "Close", id="line.leave", tooltip="Leave the line; nothing is done"),
        Binding("up", "step(-1)", "Previous", id="line.previous", tooltip="Mark the choice before"),
        Binding("down", "step(1)", "Next", id="line.next", tooltip="Mark the next choice"),
        Binding("pageup", "step(-8)", "Further back", id="line.back", tooltip="Mark an earlier choice"),
        Binding("pagedown", "step(8)", "Further on", id="line.on", tooltip="Mark a later choice"),
        Binding(
            "tab",
            "complete",
            "Complete",
            id="line.complete",
            tooltip="Complete the word, or pick and drop what is marked",
        ),
        Binding("shift+tab", "step(-1)", "Previous", id="line.up", tooltip="Mark the choice before"),
    ]

    @dataclass
    class Entered(Message):
        """The line is to be played."""

        act: Act

    @dataclass
    class Picked(Message):
        """Something was chosen from a list."""

        choice: Choice

    class Closed(Message):
        """The person left."""

    def __init__(self, reader: Reader, elsewhere: Mapping[str, str], shows: Shows) -> None:
        """`elsewhere`: words that are no act, and where that is done. `shows` is called with each change."""
        super().__init__(id="prompt")
        self._reader, self._elsewhere, self._shows = reader, elsewhere, shows
        self._asked = Asked("")
        self._editor = Editor()
        self._reading = Reading()
        self._choices: tuple[Choice, ...] = ()
        self._selected: int | None = None
        self._suggested = False
        self._may_tick = False
        """Space ticks what an arrow has just marked. After that it is a space: digits of real dice often follow it."""
        self._remap: Remap | None = None
        """Dice that the line spreads over places; arrows and digits move them while no choice is marked."""
        self._refusal: Refusal | None = None
        self._leaving = False
        """Esc was pressed once, and there is a text that the next would throw away."""

    @property
    def line(self) -> LineInput:
        """What is typed now, and what it means."""
        return LineInput(
            self._asked,
            self._editor.text,
            self._editor.at,
            self._reading,
            self._problem,
            self._choices,
            self._selected,
            self._remap,
            self._refusal,
            self._leaving,
        )

    def _show(self) -> None:
        self._shows(self.line)

    # -- what comes in ------------------------------------------------------------------------------------------

    def ask(self, asked: Asked) -> None:
        """Begin anew."""
        self._asked = asked
        self._editor = Editor(asked.text + asked.suggested)
        self._suggested, self._may_tick, self._remap = bool(asked.suggested), False, None
        self._leaving = False
        self._read()
        self._show()

    def refuse(self, refusal: Refusal) -> None:
        """Say why what was entered can't be done; the line stays."""
        self._refusal = refusal
        self._show()

    def read_again(self) -> None:
        """The table has changed under the line."""
        self._read()
        self._show()

    def _read(self) -> None:
        self._refusal, self._selected = None, None
        if self._asked.choices is None:
            self._reading = self._reader(self._asked.verb, self._editor.text)
            said = self._editor.text.strip()
            if self._reading.act is None and (where := self._elsewhere.get(said.lower())):
                self._reading = Reading(problem=Refusal(where))
            self._choices = self._reading.choices
            self._remap = remap_of(self._reading.act, self._remap)
            return
        self._choices = found(self._asked.choices, self._editor.text)
        nothing = Refusal(f"nothing has “{self._editor.text.strip()}” in it")
        self._reading = Reading(problem=None if self._choices else nothing)
        self._selected = 0 if self._choices else None

    # -- keys ---------------------------------------------------------------------------------------------------

    def takes(self, event: events.Key) -> bool:
        """Edit the line. With something marked: space picks it, left and right move a number. False for other keys."""
        if event.key != "escape" and self._leaving:
            self._leaving = False
            self._show()
        if self._remap and self._moves_dice(self._remap, event.key):
            return True
        if self._selected is None and self._picks_dice(event.key):
            return True
        marked = self._marked
        if marked and isinstance(marked.does, Step) and event.key in ("left", "right", "minus", "plus"):
            self._step_number(marked.does, 1 if event.key in ("right", "plus") else -1)
        elif marked and isinstance(marked.does, Toggle) and event.key == "space" and self._may_tick:
            self._toggle(marked)
        elif self._editor.pressed(event.key):
            self._edited()
        elif event.is_printable and event.character:
            if self._suggested and event.key != "space":
                self._editor.set(self._asked.text)
            self._editor.insert(event.character)
            self._edited()
        else:
            return False
        self._suggested = self._may_tick = False
        return True

    def _moves_dice(self, held: Remap, key: str) -> bool:
        """Move dice about, or go from them to the choices below and back. False for other keys."""
        if self._selected is not None:
            if self._selected == 0 and key in ("up", "shift+tab"):
                self._selected = None
                self._show()
                return True
            return False
        if key == "tab" and self._choices:
            self.action_step(1)
            return True
        if key == "space" and not held.begun:
            # Behind a number there is a blank already, for those who type one.
            return self._editor.text.endswith(" ")
        return self._dice_lie(held, partial(held.pressed, key))

    def _dice_lie(self, held: Remap, moved: Callable[[], Remap | None]) -> bool:
        """Say in the line how they lie now, or why they can't. False when nothing was asked of them."""
        try:
            after = moved()
        except Refused as refused:
            self.refuse(refused.refusal)
            return True
        act = self._act_begun
        if after is None or act is None:
            return False
        self._remap, self._refusal = after, None
        if (after.counts, after.touched) != (held.counts, held.touched):
            spread = replace(act, answers={**act.answers, after.ask.name: after.counts})
            self._editor.set(line_of(spread, self._asked.verb))
            self._read()
        self._show()
        return True

    def _picks_dice(self, key: str) -> bool:
        """One more of the dice that lie open, or one less, while nothing else has been said. False for other keys."""
        text = self._asked.text if self._suggested and key != "backspace" else self._editor.text
        if self._editor.at < len(self._editor.text) or not picking.picks(self._reading.act, text):
            return False
        if die := picking.digit(key):
            self._set(f"{text}{die} ")
        elif key == "backspace" and picking.without_last(text) != text:
            self._set(picking.without_last(text))
        else:
            return False
        self._suggested = False
        return True

    @property
    def _problem(self) -> Refusal | None:
        """What stands in the way of playing the line."""
        dice = self._remap.problem if self._remap else picking.problem(self._reading.act)
        return dice or self._reading.problem

    def paste(self, text: str) -> None:
        """Put one line in; nothing that is pasted acts by itself."""
        self._editor.insert(text)
        self._edited()

    def _edited(self) -> None:
        self._read()
        self._show()

    @property
    def _marked(self) -> Choice | None:
        return None if self._selected is None else self._choices[self._selected]

    def action_leave(self) -> None:
        """Leave what is marked; then the line, after one more Esc if that throws a text away."""
        if self._asked.choices is None and self._selected is not None:
            self._selected = None
        elif self._has_text and not self._leaving:
            self._leaving = True
        else:
            self.action_close()
            return
        self._show()

    @property
    def _has_text(self) -> bool:
        """Something has been written that nobody wants to write again: a text, not only words of commands."""
        if self._asked.choices is not None or self._editor.text in (
            self._asked.text,
            self._asked.text + self._asked.suggested,
        ):
            return False
        act = self._reading.act
        if act is None:
            return '"' in self._editor.text
        return any(isinstance(ask, Text) and str(act.answers.get(ask.name, "")).strip() for ask in act.move.asks)

    def action_close(self) -> None:
        """Leave."""
        self.post_message(self.Closed())

    def action_step(self, by: int) -> None:
        """Mark another choice."""
        if not self._choices:
            return
        self._may_tick = True
        last = len(self._choices) - 1
        if self._selected is None:
            self._selected = 0 if by > 0 else last
        elif abs(by) > 1:
            self._selected = max(0, min(last, self._selected + by))
        else:
            self._selected = (self._selected + by) % (last + 1)
        self._show()

    def action_complete(self) -> None:
        """Take what is marked into the line, or the only thing that its last word can mean."""
        act = self._reading.act
        marked = self._marked
        if marked is None and self._choices and (act is None or not self._editor.text):
            marked = self._choices[0]
        match marked.does if marked else None:
            case Toggle() if marked:
                self._toggle(marked)
            case Word(word) if word:
                self._set(completed_line(self._editor.text, word))
            case _ if act and self._asked.verb not in REMARKS:
                self._set(line_of(act, self._asked.verb))
            case _:
                self.action_step(1)

    def action_enter(self) -> None:
        """Take what is marked; play the line when it is whole."""
        marked = self._marked
        if marked and marked.refused:
            self.refuse(Refusal(marked.refused))
            return
        match marked.does if marked else None:
            case Move() | Command() if marked:
                self.post_message(self.Picked(marked))
                return
            case Word(word) if word:
                self._set(completed_line(self._editor.text, word))
                return
            case Toggle() if marked and not marked.held:
                self._toggle(marked)
            case _:
                pass
        if self._reading.plays and self._reading.act:
            self.post_message(self.Entered(self._reading.act))
        elif self._problem:
            self.refuse(self._problem)
        elif not self._editor.text and self._choices and self._selected is None:
            self.action_step(1)

    def _set(self, text: str) -> None:
        self._editor.set(text)
        self._edited()

    def _toggle(self, choice: Choice) -> None:
        act = self._act_begun
        if choice.refused:
            self.refuse(Refusal(choice.refused))
        elif act and isinstance(choice.does, Toggle):
            self._rewrite(line_of(toggled(act, choice.does), self._asked.verb))

    def _step_number(self, step: Step, by: int) -> None:
        if act := self._act_begun:
            self._rewrite(line_of(stepped(act, step, by), self._asked.verb))

    @property
    def _act_begun(self) -> Act | None:
        """The act of the line, or of its bare verb while nothing has been typed."""
        return self._reading.act or self._reader("", self._asked.verb).act

    def _rewrite(self, text: str) -> None:
        """The line in other words, with the same choice marked."""
        marked = self._selected
        self._editor.set(text)
        self._read()
        self._selected = marked if marked is not None and marked < len(self._choices) else None
        self._show()

    def click(self, target: InputTarget) -> None:
        """Take the choice that was clicked, or move a die."""
        if isinstance(target, AtChoice):
            self._selected = target.choice
            choice = self._choices[target.choice]
            if isinstance(choice.does, Toggle):
                self._toggle(choice)
            else:
                self.action_enter()
        elif self._remap:
            self._selected = None
            self._dice_lie(self._remap, partial(self._remap.clicked, target.slot))
