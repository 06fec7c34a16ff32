"""The keys that work here and now, by purpose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from textual.binding import Binding

from waylog.rules.act_keys import has_list
from waylog.rules.moves import Move, PickMany, PickOne
from waylog.snapshot import Snapshot
from waylog.ui import scene_tab
from waylog.ui.key_names import format_keys
from waylog.ui.menus import LOOKING_ON, NO_CONFLICT, NO_TABLE, NOT_HELD
from waylog.ui.row_acts import LIST_KEYS
from waylog.ui.tabs import TABS
from waylog.ui.views.sheet import BRIDGE, SCENE
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class KeyHint:
    """A key and what it does. `why_not` says why it does nothing now."""

    key: str
    does: str
    why_not: str = ""
    group: str = ""
    press: str = ""
    """The key as the app calls it, for Enter to press; empty if a key alone does nothing."""


_PURPOSES: Mapping[str, Sequence[str]] = {
    "At the table": (
        "roll", "damage", "tick", "exposed", "mend", "sight", "time", "note", "secret", "clock", "table", "scene", "session",
    ),
    "On this row": ("row.more", "row.less", "row.toggle", "edit", "row.menu", "copy", "editor"),
    "Look and find": ("search", *(f"look.{tab}" for tab in (BRIDGE, *TABS, SCENE)), "players"),
    "Take back": ("undo", "redo", "rewind"),
    "Program": ("do", "palette", "campaigns", "keys", "hints", "theme", "suspend", "interrupt", "quit"),
}  # fmt: skip
"""The keys that work everywhere, by purpose, the most used of each group first."""
_MOVING = (
    "down", "up", "right", "left", "home", "end", "pagedown", "pageup",
)  # fmt: skip
"""The ends of the ids of keys that only move the cursor. They come last."""


def hints(
    snapshot: Snapshot,
    choices: Sequence[tuple[str, Move]],
    own_keys: Iterable[object],
    where: str,
    everywhere: Iterable[object] = (),
) -> Iterator[KeyHint]:
    """Return what the keys do: answers to the open question, then keys of this view, then those that work everywhere,
    by purpose.

    Keys that do nothing now are left out.
    """
    if wanted := snapshot.missing_dice:
        yield KeyHint("0–9", f"Type the dice: {', '.join(wanted)}", group="Now")
        yield KeyHint("Enter", "Confirm the dice that are typed; with none typed, Waylog rolls the rest", group="Now")
    if move := scene_tab.pickable_dice(snapshot, where):
        yield KeyHint("0–9", f"Pick dice to {move.verb} with, a digit each", group="Now")
        yield KeyHint(f"Alt+1…{scene_tab.KEY}", "Go to another tab meanwhile (Ctrl too)", group="Now")
    yield from (KeyHint(key or "·", move.label, group="Now", press=key) for key, move in choices if not move.blocked)
    known = {one.id: one for one in everywhere if isinstance(one, Binding) and not _why_not(one, snapshot)}
    yield from (_hint(known[name], _does(known[name], snapshot), "Now") for name in _SELDOM if name in known)
    moving = list[Binding]()
    for binding in own_keys:
        if isinstance(binding, Binding) and (binding.id or "").rpartition(".")[2] in _MOVING:
            moving.append(binding)
        elif isinstance(binding, Binding):
            yield _hint(binding, binding.tooltip, f"On the {where} tab")
    for purpose, names in _PURPOSES.items():
        yield from (_hint(known[name], _does(known[name], snapshot), purpose) for name in names if name in known)
    yield from (_hint(binding, binding.tooltip, "Move") for binding in moving)


def _hint(binding: Binding, does: str, group: str) -> KeyHint:
    return KeyHint(format_keys(binding.key), does, group=group, press=binding.key.split(",")[0])


def _does(binding: Binding, snapshot: Snapshot) -> str:
    """Return what a key that works everywhere does now."""
    match binding.id:
        case "roll":
            return binding.tooltip + _example(snapshot, format_keys(binding.key))
        case "conflict.file" if snapshot.asked:
            return f"Answer the question about the file: {snapshot.asked.keep}"
        case "conflict.played" if snapshot.asked:
            return f"Answer the question about the file: {snapshot.asked.update}"
        case _:
            return binding.tooltip


def _example(snapshot: Snapshot, key: str) -> str:
    """Return the keys for the first roll that can be made in this game now, such as `r n`."""
    verb = snapshot.roll_key.verb(snapshot.moves)
    for move in snapshot.moves:
        if move.verb == verb and move.words and not move.blocked:
            wanted = [ask for ask in move.asks if isinstance(ask, PickOne | PickMany) and _has_to_be_said(ask)]
            answers = [option.word for ask in wanted for option in ask.options[: getattr(ask, "least", 1)]]
            return f", as in: {' '.join((key, move.key or ' '.join(move.words), *answers))}"
    return ""


def _has_to_be_said(ask: PickOne | PickMany) -> bool:
    return ask.default is None if isinstance(ask, PickOne) else ask.least > 0


_VERBS = ("note", "secret", "scene", "clock", "table", "session")
"""The keys that are named after the verb that they begin."""
_ACTS = (*_VERBS, "roll", "do", "edit", "undo", "redo", "rewind")
_SELDOM = ("conflict.file", "conflict.played", "held.write", "held.drop")
"""The keys for rare events. They are listed only while they do something."""


def _why_not(binding: Binding, snapshot: Snapshot) -> str:
    verbs = {move.verb for move in snapshot.moves if not move.blocked}
    match binding.id:
        case str(id) if id in _ACTS and snapshot.read_only:
            return LOOKING_ON.reason
        case "look.scene" if not scene_tab.is_open(snapshot):
            return scene_tab.NO_SCENE
        case "table" if not snapshot.tables:
            return NO_TABLE
        case "damage" | "exposed" | "mend" if not has_list(snapshot.act_keys, LIST_KEYS[binding.id]):
            return "not in this game"
        case "conflict.file" | "conflict.played" if not (snapshot.conflicts or snapshot.asked):
            return NO_CONFLICT
        case "held.write" | "held.drop" if not snapshot.held:
            return NOT_HELD
        case "undo" if not snapshot.undo:
            return "there is nothing to undo"
        case "redo" if snapshot.redo is None:
            return "there is nothing to redo"
        case "roll" if snapshot.roll_key.verb([move for move in snapshot.moves if not move.blocked]):
            return ""
        case "roll":
            return snapshot.question or snapshot.roll_key.nothing
        case str(verb) if verb in _VERBS and verb not in verbs:
            return snapshot.question or "not now"
        case _:
            return ""
