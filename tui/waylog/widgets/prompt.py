"""The line at the bottom and the list above it: rolls, any act in words, notes, clocks, and lists to choose from.

The text is all the state there is: picking an option writes it into the line, so what a list can do, words can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from waylog.rules.moves import Move, Refusal, Refused, Text
from waylog.rules.words import Act
from waylog.values import dataclass
from waylog.widgets import picking, remap
from waylog.widgets.choices import Cell, Choice, Command, Step, Toggle, Word, found, listed, placed
from waylog.widgets.drawing import Drawing
from waylog.widgets.editor import Editor
from waylog.widgets.head import head
from waylog.widgets.ink import Ink, Line
from waylog.widgets.meaning import meaning, refused
from waylog.widgets.reading import REMARKS, Reading, completed_line, line_of, stepped, toggled
from waylog.widgets.remap import Area, Remap, remap_of

_LEAST = 4
"""Lines that the meaning of a line has at least, if the window has them."""
Reader = Callable[[str, str], Reading]
"""What a line with that verb and text means."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the prompt is opened for."""

    title: str
    verb: str = ""
    text: str = ""
    choices: tuple[Choice, ...] | None = None
    """A list to choose from by typing; None for a line of words."""
    suggested: str = ""
    """Words behind `text` that Enter takes; whoever types something else has typed it in their place."""


def dice_help(reading: Reading) -> str:
    """Which real dice may be typed at the end of the line, in their order, or which is next."""
    if reading.dice is None:
        return ""
    named = [die.source if die.sides == 6 else f"{die.source} d{die.sides}" for die in reading.dice]
    if reading.act and reading.act.faces:
        return f"next die: {named[0]}" if named else "all dice typed"
    counted = [f"{len([*same])}× {name}" for name, same in groupby(named)]
    return f"real dice: {', '.join(each.removeprefix('1× ') for each in counted)}"


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

    def __init__(self, reader: Reader, place: Widget, elsewhere: Mapping[str, str]) -> None:
        """Drawn in `place`; this widget itself only holds the keys. `elsewhere`: words that are no act, and where that is done."""
        super().__init__(id="prompt")
        self._reader, self._place, self._elsewhere = reader, place, elsewhere
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
        self._areas: Sequence[Area] = ()
        self._refusal: Refusal | None = None
        self._leaving = False
        """Esc was pressed once, and there is a text that the next would throw away."""
        self._cells: list[Cell] = []
        self._top = 0
        self._list_at = (0, 0)
        self.drawing = Drawing(place, self._draw)

    # -- what comes in ------------------------------------------------------------------------------------------

    def ask(self, asked: Asked) -> None:
        """Begin anew."""
        self._asked = asked
        self._editor = Editor(asked.text + asked.suggested)
        self._suggested, self._may_tick, self._remap = bool(asked.suggested), False, None
        self._leaving = False
        self._read()
        self.drawing.stale()

    def refuse(self, refusal: Refusal) -> None:
        """Say why what was entered can't be done; the line stays."""
        self._refusal = refusal
        self.drawing.stale()

    def read_again(self) -> None:
        """The table has changed under the line."""
        self._read()
        self.drawing.stale()

    def _read(self) -> None:
        self._refusal, self._selected, self._top = None, None, 0
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
            self.drawing.stale()
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
                self.drawing.stale()
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
            self._set(line_of(spread, self._asked.verb))
        self.drawing.stale()
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
        self.drawing.stale()

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
        self.drawing.stale()

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
        self._place.post_message(self.Closed())

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
        self.drawing.stale()

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
                self._place.post_message(self.Picked(marked))
                return
            case Word(word) if word:
                self._set(completed_line(self._editor.text, word))
                return
            case Toggle() if marked and not marked.held:
                self._toggle(marked)
            case _:
                pass
        if self._reading.plays and self._reading.act:
            self._place.post_message(self.Entered(self._reading.act))
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
        held = self._selected
        self._set(text)
        self._selected = held if held is not None and held < len(self._choices) else None

    # -- mouse --------------------------------------------------------------------------------------------------

    def clicked(self, x: int, y: int) -> None:
        """Take the choice under the mouse, or move a die."""
        for area in self._areas:
            held = self._remap
            if held and 0 <= x - area.x < area.width and 0 <= y - 1 - area.y < area.height:
                self._selected = None
                self._dice_lie(held, partial(held.clicked, area.slot))
                return
        start, count = self._list_at
        if not start <= y < start + count:
            return
        for cell in self._cells:
            if cell.line == y - start + self._top and cell.x <= x < cell.x + cell.width:
                self._selected = cell.choice
                choice = self._choices[cell.choice]
                if isinstance(choice.does, Toggle):
                    self._toggle(choice)
                else:
                    self.action_enter()
                return

    # -- drawing ------------------------------------------------------------------------------------------------

    def _draw(self, ink: Ink, width: int, height: int) -> list[Line]:
        foot = self._line(ink, width)
        room = max(0, height - 2)
        dice = self._dice(ink, width, room)
        room = max(0, room - len(dice))
        cells = placed(self._choices, width, room - 1)
        depth = max((cell.line for cell in cells), default=-1) + 1
        # The list in full before the bar and the asides; figures and forecast have their lines in any case.
        # Under dice that are moved one line each will do: of the list, and of why they can't lie so.
        least, few = (1, 1) if dice else (_LEAST, 2)
        means = self._meaning(ink, width, max(min(room, least), room - depth))
        shown = min(depth, max(room - len(means), min(few, depth, room)))
        means = means[: room - shown]
        self._cells, self._list_at = cells, (1 + len(dice), shown)
        self._scroll(cells, shown)
        lines = listed(self._choices, cells, ink, width, self._selected)[self._top : self._top + shown]
        if (below := depth - self._top - shown) > 0 and lines:
            # Where the last line leaves no room for it, the line gives way: a list never ends without a sign.
            more = f"↓ {below} more "
            roomy = lines[-1].left > len(more)
            lines[-1] = lines[-1].right(more, ink.key) if roomy else lines[-1].ended(f"↓ {below} ", ink.key)
        gap = [Line(width) for _ in range(room - len(lines) - len(means))]
        moving = self._remap is not None and self._selected is None
        return [
            head(self._asked.title, ink, width, moving=moving, fields=self._fields > 1),
            *dice,
            *lines,
            *gap,
            *means,
            foot,
        ][-height:]

    @property
    def _fields(self) -> int:
        """How many texts the line asks for."""
        act = self._reading.act
        return sum(isinstance(ask, Text) for ask in act.move.asks) if act else 0

    def _dice(self, ink: Ink, width: int, height: int) -> list[Line]:
        """Dice to be spread, as they lie."""
        marked, held = self._selected is None, self._remap
        lines, self._areas = remap.drawn(held, ink, width, height, marked=marked) if held else ([], ())
        return lines

    def _scroll(self, cells: Sequence[Cell], shown: int) -> None:
        if self._selected is None:
            return
        line = cells[self._selected].line
        self._top = min(max(self._top, line - shown + 1), line)

    def _meaning(self, ink: Ink, width: int, height: int) -> list[Line]:
        """What the line means, or why it means nothing."""
        if self._leaving:
            return [Line(width).to(2).add("Discard what you have typed? Esc again. Any other key goes on", ink.key)]
        if self._refusal:
            return refused(self._refusal, ink, width)
        if self._reading.act and self._asked.verb in REMARKS:
            return []
        return meaning(self._reading, self._problem, self._marked, ink, width, height)

    def _line(self, ink: Ink, width: int) -> Line:
        """What is typed, scrolled so that the cursor shows."""
        mark = f"{self._asked.verb or ('find' if self._asked.choices is not None else ':')} › "
        line = Line(width).to(1).add(mark, ink.key)
        text, at = self._editor.text, self._editor.at
        start = max(0, at - max(1, line.left - 2))
        line.add(text[start:at], ink.strong)
        line.add(text[at : at + 1] or " ", ink.cursor).add(text[at + 1 :], ink.strong)
        help_with_dice = dice_help(self._reading)
        return line.right(f" {help_with_dice} ", ink.dim) if len(help_with_dice) + 3 < line.left else line
