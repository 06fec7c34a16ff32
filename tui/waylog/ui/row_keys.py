"""The keys of a row and of a clock, and the lists of letters that `d`, `x`, `t`, `v` and `M` open, in the window.

`row_acts` says which act a key stands for; here it is confirmed if needed, and sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from waylog.rules.model.answers import ActList, RowKey, Subject, acts_on
from waylog.rules.model.moves import Act, ActRefused, Number, Refusal
from waylog.rules.model.panels import Row
from waylog.ui.act_flow import ActFlow
from waylog.ui.draw.layout import key_name, keys_of
from waylog.ui.line.choices import PromptRequest
from waylog.ui.parts.menus import loses_question, obvious_move, open_picker, row_act, with_clock
from waylog.ui.window import Window
from waylog.words.sentences import names_of

if TYPE_CHECKING:
    from waylog.ui.line.choice_list import ActPicker


class RowKeys:
    """What the keys do with the row under the cursor, and what a letter of a list does."""

    def __init__(self, window: Window, flow: ActFlow) -> None:
        self._window, self._flow = window, flow

    # -- lists of letters ---------------------------------------------------------------------------------------

    def open_list(self, key: str) -> None:
        """Open the list of a key. The letter pressed next is damaged, Exposed, or ticked."""
        which = ActList(key)
        try:
            picker = open_picker(self._window.snapshot, which, self._window.row_key)
        except ActRefused as refused:
            self._window.refuse(refused.refusal)
            return
        self._flow.pick(picker)

    def take_letter(self, picker: ActPicker, event: events.Key) -> None:
        """Take the name of a letter; Esc closes the list."""
        key = event.character if event.is_printable and event.character else event.key
        if changed := picker.consume_key(event.key):
            self._flow.pick(changed)
        elif subject := picker.subject_for(key):
            self.take_subject(subject)
        elif event.key in ("escape", "ctrl+c"):
            self._flow.pick(None)

    def take_subject(self, subject: Subject) -> None:
        """Do what the open list is for to one of its names."""
        picker = self._flow.picker
        if picker is None:
            return
        if len(subject.moves) > 1:
            acts = tuple(acts_on(subject, picker.which, names_of(self._window.snapshot)))
            from waylog.ui.line.choice_list import ActPicker

            self._flow.pick(ActPicker(f"{subject.name}: which of these?", picker.which, acts))
            return
        (move,) = subject.moves
        self._flow.pick(None)
        if move.blocked:
            self._window.refuse(move.blocked)
        elif picker.which.asks:
            self._flow.ask(PromptRequest(move.label, "", f"{move.id} "))
        else:
            self._flow.do_move(move, {ask.name: picker.by for ask in move.asks if isinstance(ask, Number)})

    # -- the row under the cursor -------------------------------------------------------------------------------

    def change(self, key: str) -> None:
        """Change the row under the cursor: one more, one less, or lost and back."""
        row = self._window.row
        if row is None:
            self._window.refuse(Refusal("choose a row of the ship or the crew first"))
            return
        try:
            act = row_act(self._window.snapshot, row, RowKey(key))
        except ActRefused as refused:
            self._window.refuse(refused.refusal)
            return
        question = loses_question(row, act) if key == RowKey.TOGGLE else ""
        if question:
            self._flow.confirm_act(act if isinstance(act, Act) else Act(act), question, keys_of("row.toggle", "space"))
        elif isinstance(act, Act):
            self._flow.play(act)
        else:
            self._flow.do_move(act)

    def open(self, row: Row) -> None:
        """Do what is obvious with a row. If nothing is, list what can be done."""
        snapshot = self._window.snapshot
        move = obvious_move(snapshot, row.key)
        if move is None or move.blocked:
            self._flow.offer(row.key, row.label)
        elif RowKey.TOGGLE in snapshot.act_keys[move.verb].row and (question := loses_question(row, move)):
            self._flow.confirm_act(Act(move), question, keys_of("row.toggle", "space"))
        elif move.rolls:
            self._flow.choose(move)
        else:
            self._flow.do_move(move)

    def open_menu(self) -> None:
        """List everything that can be done with the row under the cursor."""
        if row := self._window.row:
            self._flow.offer(row.key, row.label)
        elif key := self._window.row_key.removeprefix("clocks."):
            self._offer_clock(key)

    # -- clocks -------------------------------------------------------------------------------------------------

    def change_clock(self, key: str, verb: str, by: int) -> None:
        """Do something with a clock, or say why not. `menu` lists everything that can be done with it."""
        if verb == "menu" and key:
            self._offer_clock(key)
            return
        try:
            self._flow.play(with_clock(self._window.snapshot.moves, key, verb, by))
        except ActRefused as refused:
            self._window.refuse(refused.refusal)

    def _offer_clock(self, key: str) -> None:
        self._flow.offer(f"clocks.{key}", self._window.snapshot.clocks[key].name)

    def ask_time(self) -> None:
        """Ask whether time passes, which moves every clock that time moves."""
        try:
            act = with_clock(self._window.snapshot.moves, "", "time", 0)
        except ActRefused as refused:
            self._window.refuse(refused.refusal)
        else:
            self._flow.confirm_act(
                act,
                f"{act.move.label}? {key_name('time', 'full_stop')} or Enter confirms, Esc cancels",
                keys_of("time", "full_stop"),
            )
