"""What the keys of a row and of a clock mean.

Functions from a snapshot and the row under the cursor to a `Step`, without a window. The rules say which verb a key is for
(`rules/model/act_lists_and_row_verbs.py`): nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from waylog.rules.model.act_lists_and_row_verbs import (
    RowKey,
    has_list,
    is_whole,
    may_hurt,
    move_at_row,
)
from waylog.rules.model.answers import describe
from waylog.rules.model.moves import Act, Answer, Move, Number, PickOne, Refusal
from waylog.rules.model.panels import ClockRow, MarkRow, PipsRow, Row, TextRow
from waylog.snapshot_and_act_preview import Snapshot
from waylog.ui.act_flow_and_confirmations import confirm_act, pick_move
from waylog.ui.draw.window_layout_and_key_names import key_name
from waylog.ui.line.choices import PromptRequest
from waylog.ui.line.lists_and_lines_that_keys_open import (
    LIST_KEYS,
    NO_FULL_CLOCK,
    choice,
    nothing_to_do,
    row_label,
    with_defaults,
)
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.ui.act_flow_and_confirmations import Step

NO_ROW = "first choose a row of the ship or the crew"
_CLOCK_VERBS = ("tick", "time", "close", "reopen", "show", "hide")
_SHOWN = ("show", "hide")
_SIGHT: Mapping[str, tuple[str, str]] = {
    "all": ("clocks.show", "v"),
    "count": ("clocks.count", "V"),
    "outcome": ("clocks.outcome", "o"),
}
"""The parts of a clock that players may see (NM-20), each with the binding that shows or hides it and its usual key."""
_ROW_WORDS = {"row.more": "Change", "row.toggle": "Toggle", "row.menu": "Actions", "copy": "Copy"}
"""The hints for a row beside that for Enter. Each row has one of them."""
_SET = "set"
"""The verb of the act that sets a value of the sheet."""


# -- the row under the cursor -----------------------------------------------------------------------------------


def open_row(snapshot: Snapshot, row: Row) -> Step:
    """Return what Enter does with a row: the line of its roll, or else the list of what can be done. It never acts by itself."""
    move = _move_at(snapshot, row, RowKey.OPEN)
    return move if move and move.rolls and not move.blocked else list_moves(snapshot, row.key, row.label)


def list_moves(snapshot: Snapshot, key: str, label: str) -> PromptRequest | Refusal:
    """Return the list of the moves of a row, a deck or a clock. Moves that can't be made now are listed with the reason."""

    def concerns(name: str) -> bool:
        """Whether a move is about that row, a part of it, or what it is a part of."""
        return name == key or name.startswith(f"{key}.") or key.startswith(f"{name}.")

    about = [move for move in snapshot.moves if any(map(concerns, move.about))]
    if sight := [move for move in about if move.verb in _SHOWN and not move.blocked and is_whole(move)]:
        # Of the two only what changes something as a whole: a part of it has keys of its own.
        about = [move for move in about if move.verb not in _SHOWN or move in sight]
    if not about:
        return Refusal(f"“{label}” has no actions of its own. Press : to type any command")

    # The purpose of a row comes first: its own moves stand before those of which it is only a part, and those that are about more come
    # after those that are about less. What hurts comes last in both.
    # What can't be done now keeps its place, so that showing and hiding, for example, never swap theirs.
    # A full clock takes no more ticks: what it can have come after.
    full = {f"clocks.{clock_key}" for clock_key, clock in snapshot.clocks.items() if clock.full}

    def depth(move: Move) -> int:
        """Return how near to the row a move is: 0 for one that is about all of the crew."""
        return max(min(name.count("."), key.count(".")) for name in move.about if concerns(name))

    def rank(move: Move) -> tuple[bool, bool, bool, bool, int, int]:
        is_full, hurts = move.verb == "tick" and not full.isdisjoint(move.about), may_hurt(snapshot.act_keys, move)
        return key not in move.about, is_full, hurts, not move.rolls, -depth(move), len(move.about)

    from waylog.ui.line.app_commands_and_menu import commands_of_row

    listed = sorted(about, key=rank)
    # In place of the row's own act, if that can't be done now, nobody wants one that is about more than the row is a part of; in place of
    # its roll, nobody wants anything else.
    moves = tuple(
        replace(
            one,
            label=row_label(move),
            hurts=one.hurts or (bool(listed[0].blocked) and (listed[0].rolls or depth(move) < depth(listed[0]))),
        )
        for move in listed
        for one in [choice(snapshot, move)]
    )
    return PromptRequest(label, choices=moves if snapshot.read_only else (*moves, *commands_of_row()))


def change_row(snapshot: Snapshot, row: Row | None, which: RowKey) -> Step:
    """Return what `+`, `-` or Space does with the row under the cursor. Space asks before something is lost."""
    if row is None:
        return Refusal(NO_ROW)
    if which is RowKey.MORE and isinstance(row, PipsRow) and row.value >= row.top and row.beyond:
        begun = (move for move in snapshot.moves if row.beyond.startswith(f"{move.id} ") and not move.blocked)
        if move := next(begun, None):
            return PromptRequest(move.label, "", f"{row.beyond} ")
    act = row_act(snapshot, row, which)
    if isinstance(act, Refusal):
        return act
    if which is RowKey.TOGGLE and (question := loses_question(row, act)):
        return confirm_act(act if isinstance(act, Act) else Act(act), question, "row.toggle", "space")
    return act if isinstance(act, Act) else with_defaults(act)


def row_act(snapshot: Snapshot, row: Row, which: RowKey) -> Act | Move | Refusal:
    """Return what `+`, `-` or Space does with a row: an act, or a move that asks for more."""
    move = _move_at(snapshot, row, which)
    if move is not None and not move.blocked:
        return move
    if which is RowKey.LESS and (more := _move_at(snapshot, row, RowKey.MORE)) and not more.blocked:
        # The opposite of what `+` does, if its number may be below 0, as for a clock that is emptied.
        below = [ask.name for ask in more.asks if isinstance(ask, Number) and ask.least < 0]
        if below:
            return Act(more, {below[0]: -1})
    setting = next((each for each in snapshot.moves if each.verb == _SET and not each.blocked), None)
    match row:
        case PipsRow(key, _, value, top) if setting and which in (RowKey.MORE, RowKey.LESS) and move is None:
            wanted = value + (1 if which is RowKey.MORE else -1)
            if 0 <= wanted <= max(top, value):
                return Act(setting, {"text": f"{key} {wanted}"})
            return Refusal(f"{row.label} is already at its {'minimum (0)' if wanted < 0 else f'maximum ({top})'}")
        case MarkRow() if setting and which is RowKey.TOGGLE and row.switch:
            return Act(setting, {"text": f"{row.switch} {'false' if row.held else 'true'}"})
        case TextRow(switch=switch) if setting and which is RowKey.TOGGLE and switch:
            return Act(setting, {"text": switch})
        case _:
            pass
    if move is not None and move.blocked:
        return move.blocked
    if snapshot.question:
        return nothing_to_do(snapshot, "")
    key = "Space" if which is RowKey.TOGGLE else "+ and −"
    return Refusal(f"{key} can't change “{row.label}”. {key_name('edit', 'e')} edits it")


def loses_question(row: Row, act: Act | Move) -> str:
    """Return the question before Space takes something away; empty if it gives it back."""
    if not (isinstance(row, MarkRow) and row.held):
        return ""
    return act.label if isinstance(act, Move) else f"{row.label}: no longer {row.state}"


def hint_words(snapshot: Snapshot, row: Row | None) -> Mapping[str, str]:
    """Return the words of the hints for some keys, by the ids of their bindings. They are empty for keys that do nothing: keys
    that need a row if there is none, and keys for which this game has no act.
    """
    full = full_clocks(snapshot)
    words = {
        "log.take_back": "Undo this",
        "clock": "Clock" if snapshot.question else "New clock",
        "close": "Close clock" if full else "",
        "session": "End session" if snapshot.session else "Start session",
    } | {id_: "" for id_, which in LIST_KEYS.items() if not has_list(snapshot.act_keys, which)}
    if row is None:
        return {**words, "sheet.open": "", **dict.fromkeys(_ROW_WORDS, "")}
    move = _move_at(snapshot, row, RowKey.OPEN)
    rolls = move is not None and move.rolls and not move.blocked
    does = [
        name
        for name, can in (
            ("row.more", isinstance(row, PipsRow | ClockRow) or _move_at(snapshot, row, RowKey.MORE) is not None),
            ("row.toggle", not isinstance(row_act(snapshot, row, RowKey.TOGGLE), Refusal)),
        )
        if can
    ] or ["row.menu" if rolls else "copy"]
    return {
        **words,
        **{name: word if name in does else "" for name, word in _ROW_WORDS.items()},
        "sheet.open": move.verb.capitalize() if move and rolls else "Actions",
    }


def _move_at(snapshot: Snapshot, row: Row, which: RowKey) -> Move | None:
    return move_at_row(snapshot.moves, snapshot.act_keys, row.key, which)


# -- clocks -----------------------------------------------------------------------------------------------------


def change_clock(snapshot: Snapshot, key: str, verb: str, by: int) -> Step:
    """Return the act that does something with the clock `key`, the question before it, or why it can't be done now.

    `verb` is one of these:

    - `tick` fills `by` segments, or empties them if `by` is negative;
    - `close` closes the clock, which it asks if the clock isn't full; or reopens a closed one;
    - `all`, `count` or `outcome` shows that part of the clock to players, or hides it if they see it;
    - `menu` lists everything that can be done with the clock;
    - `time` lets time pass for every clock that time moves, and `key` is empty.
    """
    if verb == "menu" and key:
        return list_moves(snapshot, f"clocks.{key}", snapshot.clocks[key].name)
    about = () if verb == "time" else (f"clocks.{key}",)
    clock_moves_by_verb = {
        move.verb: move for move in snapshot.moves if move.about == about and move.verb in _CLOCK_VERBS
    }
    if not clock_moves_by_verb:
        return Refusal(
            "this can't be done while a roll is waiting for an answer"
            if key
            else f"no clocks yet. {key_name('clock', 'c')} starts one"
        )
    if "reopen" in clock_moves_by_verb and verb != "close":
        return Refusal(f"this clock is closed. {key_name('clocks.close', 'K')} reopens it", "NM-26")
    if verb in _SIGHT:
        show = clock_moves_by_verb["show"]
        options = next(ask.options for ask in show.asks if isinstance(ask, PickOne))
        seen = bool(show.blocked) or any(option.word == verb and option.blocked for option in options)
        move = clock_moves_by_verb["hide" if seen else "show"]
        answers: dict[str, Answer] = {"what": verb}
    else:
        move = clock_moves_by_verb.get(verb) or clock_moves_by_verb["reopen"]
        answers = {"by": by} if verb == "tick" else {}
    if verb == "close" and move.verb == "close" and not (move.blocked or snapshot.clocks[key].full):
        clock = snapshot.clocks[key]
        question = f"Close “{clock.name}” at {clock.filled}/{clock.segments}"
        return confirm_act(Act(move, answers), question, "clocks.close", "K")
    if move.verb == "hide" and not move.blocked:
        # What players see is shown only by Enter, because a key that is held down repeats.
        return confirm_act(Act(move, answers), describe(move, answers), *_SIGHT[verb])
    if verb == "close" and move.verb == "close" and not move.blocked:
        return _close_full(snapshot, move, "clocks.close")
    return move.blocked or Act(move, answers)


def full_clocks(snapshot: Snapshot) -> Sequence[Move]:
    """Return the moves that close the clocks which are full."""
    full = {f"clocks.{key}" for key, clock in snapshot.clocks.items() if clock.full and not clock.closed}
    return [
        move for move in snapshot.moves if move.verb == "close" and not move.blocked and full.intersection(move.about)
    ]


def _close_full(snapshot: Snapshot, move: Move, id_: str) -> Step:
    """Return the act that closes a full clock, or the question that names its effect, if that wasn't applied yet. `id_` is the binding."""
    waits = (each for each in snapshot.moves if each.verb == "effect" and not each.blocked and each.about == move.about)
    effect = next(waits, None)
    if effect is None:
        return Act(move)
    return confirm_act(
        Act(move), f"“{move.name}” has an effect that isn't applied yet: {effect.label}. Close it anyway", id_, "K"
    )


def close_full_clock(snapshot: Snapshot) -> Step:
    """Return the act that closes the full clock, or the list of those that are full. If its effect still waits, that is asked."""
    closing = full_clocks(snapshot)
    if not closing:
        return nothing_to_do(snapshot, "") if snapshot.question else NO_FULL_CLOCK
    if len(closing) == 1:
        return _close_full(snapshot, closing[0], "close")
    return pick_move(snapshot, "Close which clock?", closing)


def pass_time(snapshot: Snapshot) -> Step:
    """Return the question whether time passes, which moves every clock that time moves."""
    act = change_clock(snapshot, "", "time", 0)
    if not isinstance(act, Act):
        return act
    return confirm_act(act, act.move.label, "time", "full_stop")
