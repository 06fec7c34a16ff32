"""The steps from a key, a click or a choice to an act: the command line, lists of letters, and questions.

Everything in the window that leads to an act comes here. What is to be played leaves as a message, which the app
answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from waylog.rules.model.answers import complete_answers, reveals
from waylog.rules.model.facts import RollFact
from waylog.rules.model.moves import Act, ActRefused, Answers, Move, Refusal
from waylog.ui.draw.layout import key_name
from waylog.ui.line.choices import PromptRequest
from waylog.ui.parts.menus import (
    LOOKING_ON,
    NO_TABLE,
    TITLES,
    choice,
    concerns,
    in_the_line,
    initial_line,
    session_line,
)
from waylog.ui.parts.tray import TrayMessage
from waylog.ui.window import Window
from waylog.values import dataclass

if TYPE_CHECKING:
    from waylog.ui.line.choice_list import ActPicker


@dataclass
class PlayRequested(Message):
    """An act is to be played."""

    act: Act


@dataclass
class UndoRequested(Message):
    """The latest act is to be undone, or that of an entry, or the scene. With `again`, the last undo is to be reversed."""

    again: bool = False
    scene: bool = False
    number: int | None = None
    with_later: bool = False


@dataclass
class ProposalAnswered(Message):
    """A player's proposal is to be played; or declined, if there is a reason, which may be empty."""

    proposal: str
    declined_for: str | None = None


@dataclass
class CopyRequested(Message):
    """A text is to be copied."""

    wanted: str


class RecapRequested(Message):
    """The recap of the latest session is to be written."""


class LeaveRequested(Message):
    """The person wants to leave the app."""


Confirmable = PlayRequested | UndoRequested | CopyRequested | RecapRequested | LeaveRequested
"""What may need a confirmation."""


class ActFlow:
    """The steps that lead to an act: a line, a list of letters, a question."""

    def __init__(self, window: Window, post: Callable[[Message], object], show_hints: Callable[[], None]) -> None:
        """`post` sends what is to be played. `show_hints` is called when other keys have become useful."""
        self._window, self._post, self._show_hints = window, post, show_hints
        self.confirming: Mapping[str, Confirmable] = {}
        """The keys that confirm the open question, each with what it would do."""
        self.picker: ActPicker | None = None
        """The list of letters that is open."""

    def drop_question(self) -> None:
        """Drop the open question, because something was done meanwhile."""
        self.confirming = {}
        self.pick(None)

    # -- the line -----------------------------------------------------------------------------------------------

    def ask(self, asked: PromptRequest) -> None:
        """Open the command line."""
        self.pick(None)
        self.confirming = {}
        self._window.open_line(asked)
        self._show_hints()

    def close(self, *, done: bool = False) -> None:
        """Close the line, if it is open. With `done`, its text has been played, and what came of it is about to be shown."""
        if self._window.typing:
            self._window.close_line(done=done)
            if not done:
                self._show_hints()

    def open_verb(self, verb: str) -> None:
        """Open the line for acts of a verb, or for any act."""
        snapshot = self._window.snapshot
        if verb == "table" and not snapshot.tables:
            self._window.refuse(Refusal(NO_TABLE))
        elif verb and all(move.verb != verb for move in snapshot.moves):
            self._refuse_line(f"There is nothing to {verb} now")
        else:
            self.ask(PromptRequest(TITLES[verb], verb))

    def open_roll(self) -> None:
        """Open the line for what the game calls a roll."""
        key = self._window.snapshot.roll_key
        if verb := key.verb(self._window.snapshot.moves):
            self.ask(PromptRequest(TITLES.get(verb, verb.capitalize()), verb))
        else:
            self._refuse_line(f"{key.nothing}; : 2d6 rolls any dice")

    def _refuse_line(self, reason: str) -> None:
        """Say why a key opens no line: the question that comes first, or else the given reason."""
        from waylog.ui.line.parsed_line import ANSWER_FIRST

        question = self._window.snapshot.question
        text = (
            ANSWER_FIRST.format(question)
            if question
            else f"{reason}. {key_name('palette', 'ctrl+p')} lists what can be done"
        )
        self._window.refuse(Refusal(text))

    def pick(self, picker: ActPicker | None) -> None:
        """Open a list of letters; with None, close the one that is open."""
        if picker is not self.picker:
            self.picker, self.confirming = picker, {}
            self._window.tray.show_picker(picker)
            self._show_hints()

    # -- acts ---------------------------------------------------------------------------------------------------

    def offer(self, key: str, label: str) -> None:
        """List the moves of a row. Moves that can't be made now are listed with the reason."""
        about = [move for move in self._window.snapshot.moves if any(concerns(name, key) for name in move.about)]
        if not about:
            self._window.refuse(Refusal(f"nothing is done to “{label}” by itself; : takes any act"))
            return
        # The purpose of a row comes first: its own moves stand before moves of which it is only a part.
        # What can't be done now keeps its place, so that showing and hiding, for example, never swap theirs.
        about.sort(key=lambda move: (not move.rolls, len(move.about)))
        self.ask(PromptRequest(label, choices=tuple(map(choice, about))))

    def choose(self, move: Move, answers: Answers | None = None) -> None:
        """Make a move that was picked. If it asks for more or rolls, it continues in the line."""
        if move.blocked:
            self._window.refuse(move.blocked)
        elif in_the_line(move, answers or {}) or self._first_dice(move):
            self.ask(initial_line(move))
        else:
            self.play(Act(move, answers or {}))

    def _first_dice(self, move: Move) -> bool:
        """Whether this answers a question with the first dice of its act. The line is where real dice can be typed; later
        dice come from where the first ones came.
        """
        snapshot = self._window.snapshot
        if not move.follows or snapshot.question is None:
            return False
        rolled = any(isinstance(fact, RollFact) for entry in snapshot.act for fact in entry.facts)
        return not rolled and self._window.prompt.takes_dice(move)

    def choose_with_dice(self, move: Move, digits: str) -> None:
        """Open the line for an answer, with real dice that were typed before it."""
        if move.blocked:
            self._window.refuse(move.blocked)
        else:
            self.ask(PromptRequest(move.label, "", f"{move.id} {' '.join(digits)} "))

    def do_move(self, move: Move, answers: Answers | None = None) -> None:
        """Make a move with its defaults. If it needs more answers, it continues in the line."""
        try:
            complete_answers(move, answers or {})
        except ActRefused:
            self.ask(initial_line(move))
        else:
            self.play(Act(move, answers or {}))

    def play(self, act: Act) -> None:
        """Play the act of a single key. If it would show players something hidden, the question names it; if it ends what is in
        progress, that is asked. Only Enter or `y` confirms.

        The same key doesn't confirm, because a key that is held down repeats.
        """
        play, shows, ends = PlayRequested(act), reveals(act.move, act.answers), act.move.ends
        if not (shows or ends) or self._window.snapshot.read_only:
            self._post(play)
            return
        question = f"{shows} Enter shows, Esc keeps it hidden" if shows else f"{ends} Enter confirms, Esc goes on"
        self.confirm({"enter": play, "y": play}, question, "show")

    def open_session(self) -> None:
        """Open the line that starts a session, or ends the current one."""
        try:
            self.ask(session_line(self._window.snapshot))
        except ActRefused as refused:
            self._window.refuse(refused.refusal)

    # -- questions before an act --------------------------------------------------------------------------------

    def confirm_act(self, act: Act, question: str, keys: Sequence[str]) -> None:
        """Ask before an act. One of the keys that asked, or Enter, confirms."""
        play = PlayRequested(act)
        self.confirm(dict.fromkeys((*keys, "enter"), play), question, "do")

    def confirm(self, keys: Mapping[str, Confirmable], question: str, what: str) -> None:
        """Ask before anything is undone or shown to the players. Without a question, say that there is nothing to `what`."""
        if self._window.snapshot.read_only:
            self._window.refuse(LOOKING_ON)
        elif question:
            self.offer_keys(keys, TrayMessage(question))
        else:
            self._window.tray.say(TrayMessage(f"There is nothing to {what}", bad=True))

    def offer_keys(self, keys: Mapping[str, Confirmable], message: TrayMessage) -> None:
        """Show a message, and let the next key do what is offered for it. Any other key works as always."""
        self.confirming = keys
        self._show_hints()
        self._window.tray.say(message)
