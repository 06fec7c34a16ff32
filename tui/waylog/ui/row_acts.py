"""The keys of a row, and the lists that `d`, `x`, `t`, `v` and `M` open: from a snapshot to an act, without a window.

The rules say which verb a key is for (`rules/act_keys.py`). Nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from waylog.rules.act_keys import ActList, RowKey, has_list, move_at_row, subject_of, subjects
from waylog.rules.moves import Act, ActRefused, Move, Number
from waylog.rules.panels import ClockRow, MarkRow, PipsRow, Row, TextRow
from waylog.snapshot import Snapshot
from waylog.ui.draw.cards import HIDDEN
from waylog.ui.key_names import key_name
from waylog.words.place_names import names_of

if TYPE_CHECKING:
    from waylog.ui.line.act_picker import ActPicker

TITLES: Mapping[ActList, str] = {
    ActList.DAMAGE: "Damage: who or what?",
    ActList.EXPOSED: "Exposed, or no longer: who?",
    ActList.TICK: "Tick which clock?",
    ActList.SIGHT: "Show to players, or hide: which?",
    ActList.MEND: "Mend: who or what?",
}
_NOTHING: Mapping[ActList, str] = {
    ActList.DAMAGE: "nothing takes damage in {game}",
    ActList.EXPOSED: "nobody can be Exposed in {game}",
    ActList.TICK: "no clocks yet: {clock} starts one",
    ActList.SIGHT: "there is nothing to show or to hide",
    ActList.MEND: "there is nothing to mend now",
}
LIST_KEYS: Mapping[str, ActList] = {"damage": ActList.DAMAGE, "exposed": ActList.EXPOSED, "mend": ActList.MEND}
"""Bindings, by their ids, that open a list which only some games have."""
_ROW_WORDS = {"row.more": "change", "row.toggle": "toggle", "row.menu": "menu    ", "copy": "copy    "}
"""The hints for a row beside that for Enter. Each row has one of them, of about the same width."""
_SET = "set"
"""The verb of the act that sets a value of the sheet."""


def open_picker(snapshot: Snapshot, which: ActList, row: str) -> ActPicker:
    """Return the list of a key, with the row under the cursor. Raises `ActRefused` if there is nothing to choose."""
    from waylog.ui.line.act_picker import ActPicker

    names = names_of(snapshot)
    for key, clock in snapshot.clocks.items():
        # What decides which one is meant: a hidden clock is shown, a full one is hardly ever ticked.
        states = ("full" if clock.full else "", HIDDEN if not clock.seen else "")
        names = {**names, f"clocks.{key}": " ".join((clock.name, *filter(None, states)))}
    found = subjects(snapshot.moves, snapshot.act_keys, which, names)
    if not found:
        question = snapshot.question
        raise ActRefused(
            f"answer this first: {question}"
            if question
            else _NOTHING[which].format(game=snapshot.system_name, clock=key_name("clock", "c"))
        )
    if all(each.moves[0].blocked for each in found) and (blocked := found[0].moves[0].blocked):
        raise ActRefused(blocked.reason, blocked.clause)
    here = next((each for each in found if each.key in (row, subject_of(row))), None) if row else None
    return ActPicker(TITLES[which], which, tuple(found), here)


def obvious_move(snapshot: Snapshot, row: str) -> Move | None:
    """Return what Enter does with a row; None if nothing is obvious."""
    return move_at_row(snapshot.moves, snapshot.act_keys, row, RowKey.OPEN)


def row_act(snapshot: Snapshot, row: Row, which: RowKey) -> Act | Move:
    """Return what `+`, `-` or Space does with a row: an act, or a move that asks for more. Raises `ActRefused`."""
    move = _move_at(snapshot, row, which)
    if move is not None and not move.blocked:
        return move
    if which is RowKey.LESS and (less := _one_less(snapshot, row)):
        return less
    setting = next((each for each in snapshot.moves if each.verb == _SET and not each.blocked), None)
    match row:
        case PipsRow(key, _, value, top) if setting and which in (RowKey.MORE, RowKey.LESS) and move is None:
            wanted = value + (1 if which is RowKey.MORE else -1)
            if 0 <= wanted <= max(top, value):
                return Act(setting, {"text": f"{key} {wanted}"})
            raise ActRefused(f"{row.label} is at {value} of {top}")
        case MarkRow() if setting and which is RowKey.TOGGLE and row.switch:
            return Act(setting, {"text": f"{row.switch} {'false' if row.held else 'true'}"})
        case TextRow(switch=switch) if setting and which is RowKey.TOGGLE and switch:
            return Act(setting, {"text": switch})
        case _:
            pass
    if move is not None and move.blocked:
        raise ActRefused(move.blocked.reason, move.blocked.clause)
    if snapshot.question:
        raise ActRefused(f"answer this first: {snapshot.question}")
    key = "Space" if which is RowKey.TOGGLE else "+ and −"
    raise ActRefused(f"{key} can't change “{row.label}”; {key_name('edit', 'e')} edits it")


def _one_less(snapshot: Snapshot, row: Row) -> Act | None:
    """Return the opposite of what `+` does with a row, if its number may be below 0, as for a clock that is emptied."""
    more = _move_at(snapshot, row, RowKey.MORE)
    if more is None or more.blocked:
        return None
    return next((Act(more, {ask.name: -1}) for ask in more.asks if isinstance(ask, Number) and ask.least < 0), None)


def loses_question(row: Row, act: Act | Move) -> str:
    """Return the question before Space takes something away; empty if it gives it back."""
    if not (isinstance(row, MarkRow) and row.held):
        return ""
    what = act.label if isinstance(act, Move) else f"{row.label}: {row.state} no longer"
    return f"{what}? {key_name('row.toggle', 'space')} or Enter confirms, Esc cancels"


def hint_words(snapshot: Snapshot, row: Row | None) -> Mapping[str, str]:
    """Return the words of the hints for some keys, by the ids of their bindings. They are empty for keys that do nothing: keys
    that need a row if there is none, and keys for which this game has no act.
    """
    words = {
        "log.take_back": "Undo this",
        "clock": "New clock",
        "session": "End session" if snapshot.session else "Start session",
    } | {id_: "" for id_, which in LIST_KEYS.items() if not has_list(snapshot.act_keys, which)}
    if row is None:
        return {**words, "sheet.open": "", **dict.fromkeys(_ROW_WORDS, "")}
    move = obvious_move(snapshot, row.key)
    is_open = move is not None and not move.blocked
    does = [
        name
        for name, can in (
            ("row.more", isinstance(row, PipsRow | ClockRow) or _move_at(snapshot, row, RowKey.MORE) is not None),
            ("row.toggle", isinstance(row, MarkRow) or (isinstance(row, TextRow) and row.switch)),
        )
        if can
    ] or ["row.menu" if is_open else "copy"]
    # Most verbs have the same width, so that the rest of the line stays in place.
    return {
        **words,
        **{name: word if name in does else "" for name, word in _ROW_WORDS.items()},
        "sheet.open": (move.verb if move and is_open else "menu").ljust(4),
    }


def _move_at(snapshot: Snapshot, row: Row, which: RowKey) -> Move | None:
    return move_at_row(snapshot.moves, snapshot.act_keys, row.key, which)
