"""The questions before something is undone. Functions of the snapshot, without a window.

A question says what would be undone, and what players would see again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from waylog.rules.model.moves import ActRefused, Refusal
from waylog.rules.model.state import EntryKind
from waylog.snapshot import Snapshot
from waylog.store.log.act_texts import name_act
from waylog.store.log.entries import LogEntry
from waylog.ui.act_flow import Confirmation, UndoRequested
from waylog.ui.draw.layout import key_name, keys_of
from waylog.ui.parts.menus import NO_CONFLICT, NOT_HELD
from waylog.ui.window import TableReader
from waylog.words.sentences import describe_act, name_place, names_of, quote

_ALONE = "l"
"""The key that takes back only the last step of an act."""


def ask_undo(snapshot: Snapshot, table: TableReader) -> Confirmation:
    """Return the question before an undo."""
    undo, keys = snapshot.undo, dict(_keys_to_confirm("undo", "u", UndoRequested()))
    question = f"Undo {describe_act(undo)}? {key_name('undo', 'u')} or Enter confirms" if undo else ""
    if len(undo) > 1:
        question += f", {_ALONE} undoes only {quote(name_act(undo[-1]))}"
        keys[_ALONE] = UndoRequested(last_step=True)
    question += ", Esc cancels" if undo else ""
    what = "undo"
    if not snapshot.entries:
        what += f": nothing has been played yet. {key_name('edit', 'e')} edits what is under the cursor"
    return _confirmation(table, keys, question, what, undo)


def ask_redo(snapshot: Snapshot, table: TableReader) -> Confirmation:
    """Return the question before a redo."""
    redo = snapshot.redo
    undone = list[LogEntry]()
    for number in redo.undoes if redo else ():
        with suppress(KeyError):  # somebody has broken it in the log since; what the undo took is known without it
            undone.append(table.entry(number))
    what = describe_act(tuple(undone)) if undone else "it"
    if redo and redo.kind is EntryKind.REWIND:
        what = f"what was rewound ({len(redo.undoes)} action{'s' if len(redo.undoes) > 1 else ''})"
    question = f"Redo {what}? {key_name('redo', 'U')} or Enter confirms, Esc cancels" if redo else ""
    keys = _keys_to_confirm("redo", "U", UndoRequested(again=True))
    return _confirmation(table, keys, question, "redo", (redo,) if redo else ())


def ask_rewind(snapshot: Snapshot, table: TableReader) -> Confirmation:
    """Return the question before a rewind: how many acts would go, and which is the first."""
    scene, question = table.scene_so_far(), ""
    if scene:
        acts = [entry for entry in scene if entry.root == entry.number]
        undone = describe_act(scene) if len(acts) < 2 else f"{len(acts)} actions, from {quote(acts[0].heading)} on"
        key = key_name("rewind", "R")
        question = f"Rewind the scene? This undoes {undone}. {key} or Enter confirms, Esc cancels"
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
    question = f"Undo {describe_act(plan.act)}? {key_name('log.take_back', 'X')} or Enter confirms, Esc cancels"
    keys = dict(_keys_to_confirm("log.take_back", "X", UndoRequested(number=number)))
    if plan.later:
        later = ", ".join(quote(entry.heading) for entry in plan.later[:3])
        question = f"{question}. Later actions changed the same values: {later}. They stay; a undoes them too"
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
            f"Take the game's value of {name_place(conflict.path, names_of(snapshot))}? Enter confirms, Esc cancels"
        )
        return _confirmation(table, keys, question, "take", (conflict.entry,))
    return None


def _confirmation(
    table: TableReader, keys: Mapping[str, UndoRequested], question: str, what: str, undone: Sequence[LogEntry]
) -> Confirmation:
    """Return a question that says what players would see again if these entries were undone."""
    if question and (shown := " and ".join(table.shown_by_undo(undone))):
        question = f"{question}. The players would see {shown}"
    return Confirmation(keys, question, what)


def _keys_to_confirm(id_: str, usual: str, request: UndoRequested) -> Mapping[str, UndoRequested]:
    """Return the keys that confirm a request: those that asked, and Enter."""
    return dict.fromkeys((*keys_of(id_, usual), "enter"), request)
