"""The questions before something is undone: an act, a scene, or one side of an edit conflict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from waylog.rules.changes import format_path
from waylog.rules.moves import ActRefused, Refusal
from waylog.rules.state import EntryKind
from waylog.snapshot import UndoPlan
from waylog.store.entries import Entries, LogEntry
from waylog.ui.act_flow import ActFlow, UndoRequested
from waylog.ui.key_names import key_name, keys_of
from waylog.ui.menus import NO_CONFLICT, NOT_HELD, question_about, rewind_question
from waylog.ui.window import Window
from waylog.words.acts import describe_act

Rests = Callable[[int], UndoPlan]
"""Returns the act of an entry, and later changes of the same values. Raises `ActRefused`."""
SceneSoFar = Callable[[], tuple[LogEntry, ...]]
"""Returns what a rewind would undo, oldest first."""
Shows = Callable[[Sequence[LogEntry]], Sequence[str]]
"""Returns what is hidden from players now, and wouldn't be if these entries were undone."""


class UndoQuestions:
    """Asks before an undo: what would be undone, and what players would see again."""

    def __init__(
        self, window: Window, flow: ActFlow, entries: Entries, resting: Rests, scene: SceneSoFar, shows: Shows
    ) -> None:
        self._window, self._flow = window, flow
        self._entries, self._resting, self._scene, self._shows = entries, resting, scene, shows

    def ask_undo(self) -> None:
        """Ask before an undo."""
        back = UndoRequested()
        undo = self._window.snapshot.undo
        question = f"Undo {describe_act(undo)}? {key_name('undo', 'u')} or Enter confirms, Esc cancels" if undo else ""
        self._confirm(_keys_to_confirm("undo", "u", back), question, "undo", undo)

    def ask_redo(self) -> None:
        """Ask before a redo."""
        redo = self._window.snapshot.redo
        undone = list[LogEntry]()
        for number in redo.undoes if redo else ():
            with suppress(KeyError):  # somebody has broken it in the log since; what the undo took is known without it
                undone.append(self._entries(number))
        again = UndoRequested(again=True)
        key = key_name("redo", "U")
        what = describe_act(tuple(undone)) if undone else "it"
        if redo and redo.kind is EntryKind.REWIND:
            what = f"what was rewound ({len(redo.undoes)} action{'s' if len(redo.undoes) > 1 else ''})"
        question = f"Redo {what}? {key} or Enter confirms, Esc cancels" if redo else ""
        self._confirm(_keys_to_confirm("redo", "U", again), question, "redo", (redo,) if redo else ())

    def ask_rewind(self) -> None:
        """Ask before a rewind, with how much would be undone."""
        scene, entries = UndoRequested(scene=True), self._scene()
        what = "rewind since a scene or session began"
        if not self._window.snapshot.session:
            what += f". No session is in progress: {key_name('session', 's')} starts one"
        self._confirm(_keys_to_confirm("rewind", "R", scene), rewind_question(entries), what, entries)

    def ask_undo_of(self, number: int) -> None:
        """Ask before the act of an entry is undone, with later changes of the same values."""
        try:
            resting = self._resting(number)
        except ActRefused as refused:
            self._window.refuse(refused.refusal)
            return
        keys = dict(_keys_to_confirm("log.take_back", "X", UndoRequested(number=number)))
        if resting.later:
            keys["a"] = UndoRequested(number=number, with_later=True)
        self._confirm(keys, question_about(resting), "undo", (*resting.act, *resting.later))

    def may_mend(self, what: str) -> bool:
        """Return whether a conflict or an act that could not be written can be settled at once. It can't if there is
        none, or if players would see more afterwards, which is asked first.
        """
        snapshot = self._window.snapshot
        if what in ("keep_file", "take_played") and not (snapshot.conflicts or snapshot.asked):
            self._window.refuse(Refusal(NO_CONFLICT))
        elif what in ("write_held", "drop_held") and not snapshot.held:
            self._window.refuse(Refusal(NOT_HELD))
        elif what == "take_played" and not snapshot.asked and self._shows((snapshot.conflicts[0].entry,)):
            conflict = snapshot.conflicts[0]
            back = UndoRequested(number=conflict.entry.number)
            question = f"Take the played value of {format_path(conflict.path)}? Enter takes it, Esc leaves it"
            self._confirm({"enter": back, "y": back}, question, "take", (conflict.entry,))
        else:
            return True
        return False

    def _confirm(self, keys: Mapping[str, UndoRequested], question: str, what: str, undone: Sequence[LogEntry]) -> None:
        """Ask, and say what players would see again if these entries were undone."""
        shown = " and ".join(self._shows(undone)) if question else ""
        self._flow.confirm(keys, f"{question}. The players would see {shown}" if shown else question, what)


def _keys_to_confirm(id_: str, usual: str, request: UndoRequested) -> Mapping[str, UndoRequested]:
    """Return the keys that confirm a request: those that asked, and Enter."""
    return dict.fromkeys((*keys_of(id_, usual), "enter"), request)
