"""The steps from a key, a click or a choice to an act: the command line, lists of letters, and questions before something is done.

Everything in the window that leads to an act comes here, as a `Step`: what a key means now. Functions of the snapshot return it
(`row_keys.py`, `line/lists_and_lines_that_keys_open.py`, and in this file the questions before something is undone), and `ActFlow.follow`
does it. What is to be played leaves as a message, which the app answers. The keys that answer something are in `answer_keys.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from textual import events
from textual.message import Message

from waylog.rules.codec.changes import quote
from waylog.rules.model.act_lists_and_row_verbs import ActList, Subject, letters_of_people, list_acts, may_hurt
from waylog.rules.model.answers import describe, reveals
from waylog.rules.model.facts import RollFact
from waylog.rules.model.moves import Act, ActRefused, Answers, Move, Number, Refusal
from waylog.rules.model.state import EntryKind
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import name_act
from waylog.ui.draw.window_layout_and_key_names import key_name, keys_of
from waylog.ui.line.choices import PromptRequest
from waylog.ui.line.lists_and_lines_that_keys_open import (
    LOOKING_ON,
    NO_CONFLICT,
    NOT_HELD,
    continues_in_line,
    initial_line,
    row_label,
    with_defaults,
)
from waylog.ui.parts.tray import TrayMessage
from waylog.ui.window import TableReader, Window
from waylog.values import dataclass, replace
from waylog.words.sentences import describe_act, name_place, names_of

if TYPE_CHECKING:
    from waylog.ui.line.choice_list import ActPicker


@dataclass
class PlayRequested(Message):
    """An act is to be played."""

    act: Act


@dataclass
class StakesRequested(Message):
    """The stakes of a roll are to be shown to the players; with None, they are to be hidden again."""

    act: Act | None


@dataclass
class UndoRequested(Message):
    """The latest act is to be undone, or its last step, or that of an entry, or the scene. With `again`, the last undo is reversed."""

    again: bool = False
    scene: bool = False
    number: int | None = None
    with_later: bool = False
    last_step: bool = False


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


class SettingsRequested(Message):
    """The settings are to be opened in the person's editor."""


class LeaveRequested(Message):
    """The person wants to leave the app."""


Confirmable = PlayRequested | UndoRequested | CopyRequested | RecapRequested | SettingsRequested | LeaveRequested
"""The messages that may need a confirmation."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question before something is undone, lost or shown to the players."""

    keys: Mapping[str, Confirmable]
    """The keys that confirm it, each with what it does."""
    question: str
    """Empty if there is nothing to `what`."""
    what: str
    """The verb for it: `undo`."""


if TYPE_CHECKING:
    Step = Act | Move | PromptRequest | Confirmation | Refusal | ActPicker
    """What a key means now. An act is played and a move is chosen; the others open a line, ask, refuse, and list letters."""


def pick_move(
    snapshot: Snapshot, title: str, moves: Sequence[Move], which: ActList | None = None, on: str = ""
) -> ActPicker:
    """Return a list of moves with a letter each, such as the several that may be done to `on` in the list of a key. Of moves that
    belong to no such list, the first is marked that can be made and doesn't hurt.
    """
    from waylog.ui.line.choice_list import ActPicker

    names = names_of(snapshot)
    listed = tuple(list_acts(moves, which or "", names, letters_of_people(snapshot.moves, names), on))
    if which is None:
        listed = tuple(replace(each, name=row_label(each.moves[0])) for each in listed)
    safe = (each for each in listed if not (each.moves[0].blocked or may_hurt(snapshot.act_keys, each.moves[0])))
    return ActPicker(title, which, listed, None if which else next(safe, None))


def confirm_act(act: Act, question: str, id_: str, usual: str) -> Confirmation:
    """Return the question before the act of a key, the binding `id_`. The same key again confirms, as Enter does."""
    return Confirmation(_keys_to_confirm(id_, usual, PlayRequested(act)), f"{question}? {_ask_again()}", "do")


def _ask_again(others: str = "") -> str:
    """Return the words behind a question. `others` is what other keys do. The line of hints has the key that asked it, which confirms,
    too.
    """
    return f"Enter confirms{others}, Esc cancels"


def _keys_to_confirm(id_: str, usual: str, request: Confirmable) -> Mapping[str, Confirmable]:
    """Return the keys that confirm a request: those that asked, and Enter."""
    return dict.fromkeys((*keys_of(id_, usual), "enter"), request)


class KeyHost(Protocol):
    """The part of the main screen that the classes for its keys use."""

    window: Window
    flow: ActFlow

    def post_message(self, message: Message) -> bool:
        """Send a message to the app."""
        ...

    def show_hints(self) -> None:
        """Show that other keys have become useful."""
        ...

    def call_next(self, callback: Callable[..., Any], *args: Any) -> None:
        """Call it right after what is being handled now."""
        ...


class ActFlow:
    """The steps that lead to an act: a line, a list of letters, a question."""

    def __init__(self, screen: KeyHost) -> None:
        self._screen, self._window = screen, screen.window
        self.confirming: Mapping[str, Confirmable] = {}
        """The keys that confirm the open question, each with what it would do."""
        self.picker: ActPicker | None = None
        """The list of letters that is open."""

    def follow(self, step: Step) -> None:
        """Do what a key means."""
        match step:
            case Act():
                self.play(step)
            case Move():
                self.choose(step)
            case PromptRequest():
                self.ask(step)
            case Confirmation():
                self.confirm(step)
            case Refusal():
                self._window.refuse(step)
            case picker:
                self.pick(picker)

    def drop_question(self) -> None:
        """Drop the open question and its words, because something was done meanwhile. An offer to copy a text stays as true."""
        if not all(isinstance(offer, CopyRequested) for offer in self.confirming.values()):
            self.confirming = {}
            self._window.tray.say(None)
        self.pick(None)

    # -- the line -----------------------------------------------------------------------------------------------

    def ask(self, asked: PromptRequest) -> None:
        """Open the command line."""
        self.pick(None)
        self.confirming = {}
        self._window.open_line(asked)
        self._screen.show_hints()

    def close(self, *, done: bool = False) -> None:
        """Close the line, if it is open. With `done`, its text has been played, and what came of it is about to be shown."""
        if self._window.typing:
            self._window.close_line(done=done)
            if not done:
                self._screen.show_hints()

    # -- a list of letters --------------------------------------------------------------------------------------

    def pick(self, picker: ActPicker | None) -> None:
        """Open a list of letters; with None, close the one that is open."""
        if picker is not self.picker:
            if picker:
                listed = self._window.tray.letters.keep_in_list(picker.which or picker.title, picker.subjects)
                marked = (one for one in listed if picker.marked and one.key == picker.marked.key)
                picker = replace(picker, subjects=listed, marked=next(marked, None))
            self.picker, self.confirming = picker, {}
            self._window.tray.show_picker(picker)
            self._screen.show_hints()

    def take_letter(self, picker: ActPicker, event: events.Key) -> None:
        """Take the name of a letter; Esc closes the list."""
        key = event.character if event.is_printable and event.character else event.key
        if changed := picker.consume_key(event.key):
            self.pick(changed)
        elif subject := picker.subject_for(key):
            self.take_subject(subject)
        elif event.key in ("escape", "ctrl+c"):
            self.pick(None)
        elif event.key == "enter" or (event.is_printable and event.character):
            what = "Nothing is marked" if key in ("enter", picker.again) else f"No choice has the letter “{key}”"
            self.pick(replace(picker, refused=f"✗ {what}. Press a letter from the list, or choose with the arrow keys"))

    def take_subject(self, subject: Subject) -> None:
        """Do what the open list is for to one of its names."""
        picker = self.picker
        if picker is None:
            return
        if len(subject.moves) > 1:
            title = f"{subject.name}: which of these?"
            self.pick(pick_move(self._window.snapshot, title, subject.moves, picker.which, subject.key))
            return
        (move,) = subject.moves
        self.pick(None)
        if move.blocked:
            self._window.refuse(move.blocked)
        elif picker.which is None:
            self.choose(move)
        elif self._is_confirmed(move):
            self.ask(initial_line(move))
        else:
            numbers = {ask.name: picker.by for ask in move.asks if isinstance(ask, Number)}
            self.follow(with_defaults(move, {**subject.answers, **numbers}))

    # -- acts ---------------------------------------------------------------------------------------------------

    def choose(self, move: Move, answers: Answers | None = None) -> None:
        """Make a move that was picked. If it asks for more, rolls, or hurts, it continues in the line."""
        if move.blocked:
            self._window.refuse(move.blocked)
        elif continues_in_line(move, answers or {}) or self._is_confirmed(move):
            self.ask(initial_line(move))
        else:
            self.play(Act(move, answers or {}))

    def _is_confirmed(self, move: Move) -> bool:
        """Whether Enter confirms the move in the line, where real dice can be typed: an act that hurts or throws dice, and the first
        dice of what follows an act. Later ones come from where the first came: an offer takes real dice if those before it were.
        """
        shown = self._window.snapshot
        if not move.follows:
            return may_hurt(shown.act_keys, move) or self._window.prompt.takes_dice(move)
        rolls = [fact for entry in shown.act for fact in entry.facts if isinstance(fact, RollFact)]
        goes_on = not rolls or (shown.question is None and any(fact.typed for fact in rolls))
        return goes_on and self._window.prompt.takes_dice(move)

    def choose_with_dice(self, move: Move, digits: str) -> None:
        """Open the line for an answer, with real dice that were typed before it."""
        if move.blocked:
            self._window.refuse(move.blocked)
        else:
            self.ask(PromptRequest(move.label, "", f"{move.id} {digits}"))

    def play(self, act: Act) -> None:
        """Play the act of a single key. If it would show players something, or hide it, the question names that; if it ends what is
        in progress, that is asked. Only Enter or `y` confirms.

        The same key doesn't confirm, because a key that is held down repeats.
        """
        play, shows, ends = PlayRequested(act), reveals(act.move, act.answers), act.move.ends
        known = self._window.snapshot.act_keys.get(act.move.verb)
        if shows:
            question = f"{shows} Enter shows it, Esc keeps it hidden"
        elif ends:
            question = f"{ends} Enter confirms, Esc continues"
        elif known and known.is_asked:
            # The log leaves out what the thing is, such as a hidden card; a question doesn't.
            question = f"{describe(replace(act.move, title=''), act.answers)}? Enter confirms, Esc cancels"
        else:
            question = ""
        if not question or self._window.snapshot.read_only:
            self._screen.post_message(play)
            return
        self.confirm(Confirmation({"enter": play, "y": play}, question, "show"))

    # -- questions before an act --------------------------------------------------------------------------------

    def confirm(self, asked: Confirmation) -> None:
        """Ask before anything is undone, lost or shown to the players, or say that there is nothing to ask about."""
        if self._window.snapshot.read_only:
            self._window.refuse(LOOKING_ON)
        elif asked.question:
            # The sign of undo stands before no other question.
            plain = {"do", "show"}
            self.offer_keys(asked.keys, TrayMessage(asked.question, sign="?" if asked.what in plain else "↶"))
        else:
            self._window.tray.say(TrayMessage(f"There is nothing to {asked.what}", bad=True))

    def offer_keys(self, keys: Mapping[str, Confirmable], message: TrayMessage) -> None:
        """Show a message, and let the next key do what is offered for it. Any other key works as always."""
        self.confirming = keys
        self._screen.show_hints()
        self._window.tray.say(message)


_LAST_STEP_KEY = "l"
"""The key that undoes only the last step of an act."""


def ask_undo(snapshot: Snapshot, table: TableReader) -> Confirmation:
    """Return the question before an undo."""
    undo, keys = snapshot.undo, dict(_keys_to_confirm("undo", "u", UndoRequested()))
    alone = ""
    if len(undo) > 1:
        alone = f", {_LAST_STEP_KEY} undoes only {quote(name_act(undo[-1]))}"
        keys[_LAST_STEP_KEY] = UndoRequested(last_step=True)
    question = f"Undo {describe_act(undo)}? {_ask_again(alone)}" if undo else ""
    what = "undo"
    if not snapshot.entries:
        what += f": nothing has been played yet. {key_name('edit', 'e')} edits the row under the cursor"
    return _confirmation(table, keys, question, what, undo)


def ask_redo(snapshot: Snapshot, table: TableReader) -> Confirmation:
    """Return the question before a redo."""
    redo = snapshot.redo
    undone = list[LogEntry]()
    for number in redo.undoes if redo else ():
        with suppress(KeyError):  # Somebody has broken it in the log since. What the undo took is known without it.
            undone.append(table.entry(number))
    what = describe_act(tuple(undone)) if undone else "it"
    if redo and redo.kind is EntryKind.REWIND:
        what = f"what was rewound ({len(redo.undoes)} action{'s' if len(redo.undoes) > 1 else ''})"
    question = f"Redo {what}? {_ask_again()}" if redo else ""
    keys = _keys_to_confirm("redo", "U", UndoRequested(again=True))
    return _confirmation(
        table, keys, question, "redo: you can redo an action only right after an undo", (redo,) if redo else ()
    )


def ask_rewind(snapshot: Snapshot, table: TableReader) -> Confirmation:
    """Return the question before a rewind: how many acts would go, and which is the first."""
    scene, question = table.scene_so_far(), ""
    if scene:
        acts = [entry for entry in scene if entry.root == entry.number]
        undone = (
            describe_act(scene) if len(acts) < 2 else f"{len(acts)} actions, starting with {quote(acts[0].heading)}"
        )
        question = f"Rewind the scene? This undoes {undone}. {_ask_again()}"
    what = "rewind in this scene or session"
    if not snapshot.session:
        what += f". No session is in progress: {key_name('session', 's')} starts one"
    return _confirmation(table, _keys_to_confirm("rewind", "R", UndoRequested(scene=True)), question, what, scene)


def ask_undo_of(number: int, table: TableReader) -> Confirmation | Refusal:
    """Return the question before the act of an entry is undone, with later changes of the same values."""
    try:
        plan = table.undo_plan(number)
    except ActRefused as refused:
        return refused.refusal
    question = f"Undo {describe_act(plan.act)}? {_ask_again()}"
    keys = dict(_keys_to_confirm("log.take_back", "X", UndoRequested(number=number)))
    if plan.later:
        later = ", ".join(quote(entry.heading) for entry in plan.later[:3])
        question = f"{question}. Later actions changed the same values: {later}. Those actions stay unless you press “a” to undo them too"
        keys["a"] = UndoRequested(number=number, with_later=True)
    return _confirmation(table, keys, question, "undo", (*plan.act, *plan.later))


def ask_to_mend(what: str, snapshot: Snapshot, table: TableReader) -> Confirmation | Refusal | None:
    """Return None if a conflict or an act that could not be written can be settled at once. It can't if there is none, or if players
    would see more afterwards, which is asked first.
    """
    if what in ("keep_file", "take_played") and not (snapshot.conflicts or snapshot.asked):
        return Refusal(NO_CONFLICT)
    if what in ("write_held", "drop_held") and not snapshot.held:
        return Refusal(NOT_HELD)
    if what == "take_played" and not snapshot.asked and table.shown_by_undo((snapshot.conflicts[0].entry,)):
        conflict = snapshot.conflicts[0]
        keys = dict.fromkeys(("enter", "y"), UndoRequested(number=conflict.entry.number))
        question = (
            f"Use the game's value for {name_place(conflict.path, names_of(snapshot))}? Enter confirms, Esc cancels"
        )
        return _confirmation(table, keys, question, "take", (conflict.entry,))
    return None


def _confirmation(
    table: TableReader, keys: Mapping[str, Confirmable], question: str, what: str, undone: Sequence[LogEntry]
) -> Confirmation:
    """Return a question that says what players would see again if these entries were undone."""
    if question and (shown := " and ".join(table.shown_by_undo(undone))):
        question = f"{question}. The players would see {shown}"
    return Confirmation(keys, question, what)
