"""The keys that work on every screen.

A person's own keys: from the names that people write to the keys of the app, with every conflict named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from textual.binding import Binding, BindingType
from textual.keys import Keys, _character_to_key

from waylog.signs import escape_controls
from waylog.ui.draw.window_layout_and_key_names import BRIDGE, SCENE, TABS
from waylog.values import NamedTuple, replace


def _key(
    key: str,
    action: str,
    name: str,
    id: str,  # noqa: A002 - as `Binding` calls it
    tooltip: str,
    *,
    display: str | None = None,
) -> Binding:
    """`name` is what the line of hints says; `display` is what it calls the key, where that is not the key itself."""
    return Binding(key, action, name, id=id, tooltip=tooltip, key_display=display)


EVERYWHERE: tuple[BindingType, ...] = (
    _key(
        "0,alt+0,ctrl+0",
        f"look('{BRIDGE}')",
        "Bridge",
        "look.bridge",
        "Go to the bridge: ship, crew, clocks and log together",
    ),
    *(
        # With Alt or Ctrl also while digits are dice.
        _key(f"{n},alt+{n},ctrl+{n}", f"look('{tab}')", tab.title(), f"look.{tab}", f"Go to {tab.title()}")
        for n, tab in enumerate((*TABS, SCENE), 1)
    ),
    _key("r", "roll", "Roll", "roll", "Roll (type real dice last, such as 4 6)"),
    _key("C", "line('call')", "Call for a roll", "call", "Call for a roll from one player, several or everyone"),
    _key("colon", "line('')", "Command", "do", "Menu and command line"),
    _key("d", "acts('d')", "Damage", "damage", "Damage"),
    _key(
        "t",
        "acts('t')",
        "Tick",
        "tick",
        "Tick a clock by its letter (first type 3 for three segments, or - to empty one)",
    ),
    _key("x", "acts('x')", "Exposed", "exposed", "Mark or clear Exposed"),
    _key("M", "acts('M')", "Mend", "mend", "Mend: heal, repair, restore, rest"),
    _key("v", "acts('v')", "Show or hide", "sight", "Choose what players see"),
    _key("full_stop,greater_than_sign", "time", "Time passes", "time", "Let time pass (asks first)"),
    _key("plus,equals_sign", "row('more')", "Change", "row.more", "Increase the value of this row", display="+ −"),
    _key("minus", "row('less')", "Change", "row.less", "Decrease the value of this row"),
    _key(
        "space",
        "row('toggle')",
        "Toggle",
        "row.toggle",
        "Switch between lost and held, or destroyed and whole (asks first)",
    ),
    _key("a", "row_menu", "Actions", "row.menu", "Actions for this row"),
    _key("e", "app.edit", "Edit", "edit", "Edit a note, a misread die, a scene's title, a table, or this row"),
    _key("T", "line('table')", "Table", "table", "Roll on a random table, or draw a card (type real dice last)"),
    _key("n", "line('note')", "Note", "note", "Write a note in the log"),
    _key("N", "line('secret')", "Secret note", "secret", "Write a secret note, which players never see"),
    _key("m", "line('scene')", "Scene", "scene", "Start a scene"),
    _key("O", "scene_cards", "Cards", "scene_cards", "Scene cards: read one, open its scene, tell its secrets"),
    _key("s", "session", "Session", "session", "Start or end a session"),
    _key("c", "line('clock')", "Clock", "clock", "New clock (name, segments, kind)"),
    _key("K", "close_clock", "Close clock", "close", "Close a full clock"),
    _key("slash", "search", "Search", "search", "Search this view (↑ and ↓ then go from match to match)"),
    _key("p", "app.players", "Players", "players", "Show what players see"),
    _key("u", "ask_undo", "Undo", "undo", "Undo the last action (asks first)"),
    _key("U", "ask_redo", "Redo", "redo", "Redo the last undone action (asks first)"),
    _key("R", "ask_rewind", "Rewind", "rewind", "Rewind the scene (asks first)"),
    _key(
        "tilde",
        "app.what_if",
        "What if",
        "what_if",
        "What if: try things out on a copy (press the key again to go back)",
    ),
    _key(
        "left_square_bracket",
        "app.step_moment(-1)",
        "Earlier",
        "moment.earlier",
        "Look back one action",
    ),
    _key(
        "right_square_bracket",
        "app.step_moment(1)",
        "Later",
        "moment.later",
        "Look forward one action, up to now",
    ),
    _key(
        "left_curly_bracket",
        "app.step_moment(-1, True)",
        "Scene before",
        "moment.scene_before",
        "Look back to the start of a scene",
    ),
    _key(
        "right_curly_bracket",
        "app.step_moment(1, True)",
        "Next scene",
        "moment.scene_after",
        "Go on to the start of the next scene, or to now",
    ),
    _key("escape", "app.leave_moment", "Back to now", "moment.now", "Return from an earlier moment to now"),
    _key("ctrl+s", "app.make_real", "Make it so", "what_if.real", "What if: carry out everything that you tried"),
    _key("F", "mend('keep_file')", "Keep my edit", "conflict.file", "Edit conflict: keep your edit"),
    _key("P", "mend('take_played')", "Keep the game's", "conflict.played", "Edit conflict: keep the game's value"),
    _key("W", "mend('write_held')", "Retry", "held.write", "Try to save the action again"),
    _key("D", "mend('drop_held')", "Discard", "held.drop", "Discard the unsaved action"),
    _key("Y", "play_proposal", "Play", "proposal.play", "Play a player's proposal"),
    _key("Z", "decline_proposal", "Decline", "proposal.decline", "Decline a player's proposal, with a reason"),
    _key("shift+right", "step_proposal(1)", "Next", "proposal.next", "Next proposal"),
    _key("shift+left", "step_proposal(-1)", "Previous", "proposal.before", "Previous proposal"),
    _key("y", "copy", "Copy", "copy", "Copy the row, the clock or the log entry"),
    _key("ctrl+e", "app.edit_file", "Editor", "editor", "Open your own editor at this row ($VISUAL or $EDITOR)"),
    _key("ctrl+o", "app.campaigns", "Campaigns", "campaigns", "Switch to another campaign, or make a new one"),
    _key("ctrl+p", "palette", "Commands", "palette", "Commands: search everything you can do"),
    _key("i,f1", "rule", "Rule", "rule", "Show the rule behind a refusal, a question or this row"),
    _key("question_mark", "keys", "Keys", "keys", "Keys that work here"),
)


KeyMap = Mapping[str, str]
"""For the id of a binding its keys, as Textual writes them: `n,ctrl+n`."""
_ALIASES = {
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "del": "delete",
    "ins": "insert",
    "bksp": "backspace",
    "spacebar": "space",
}
_RESERVED = ("escape", "ctrl+c")
"""Keys that always close, cancel or leave."""
_MODIFIERS = ("ctrl", "alt", "shift")
_MOST_HINTS = 20
"""The most unknown ids for which the nearest right one is looked for, which takes milliseconds each."""
_KNOWN = {key.value for key in Keys} | {"space"}


class KeyFault(NamedTuple):
    """A key that can't be as it was set: the id it was set for, and why."""

    id: str
    reason: str


def view_bindings() -> Mapping[str, Sequence[BindingType]]:
    """Return the bindings of each kind of view, by the word that their ids begin with."""
    # A start without keys of one's own needs one of these views.
    from waylog.ui.views.bridge_ship_and_crew import SheetView
    from waylog.ui.views.clocks import ClocksView
    from waylog.ui.views.log import LogView
    from waylog.ui.views.tables_and_decks import TablesView

    return {
        "sheet": SheetView.BINDINGS,
        "log": LogView.BINDINGS,
        "clocks": ClocksView.BINDINGS,
        "tables": TablesView.BINDINGS,
    }


def build_keymap(wanted: Mapping[str, Sequence[str]], app: Iterable[BindingType]) -> tuple[KeyMap, Sequence[KeyFault]]:
    """Return the keys to use for what was set, and what can't be as it was set. `app` has the app's own bindings.

    A key that something else has already stays with that: in the same view, or in all of them if one of the two works everywhere.
    """
    bindings = all_bindings(app)
    keymap, faults = dict[str, str](), list[KeyFault]()
    for id_, names in wanted.items():
        if id_ not in bindings:
            near = get_close_matches(id_, bindings, 1) if len(faults) < _MOST_HINTS else []
            hint = f"Did you mean `{near[0]}`?" if near else "`waylog config --keys` lists all the names"
            faults.append(KeyFault(id_, f"there is no key setting called `{escape_controls(id_)[:40]}`. {hint}"))
            continue
        keys = [key_of(name) for name in names]
        unknown = [name for name, key in zip(names, keys, strict=True) if key is None]
        if unknown:
            faults.append(
                KeyFault(
                    id_,
                    f"“{escape_controls(unknown[0])[:20]}” is not a key. Keys are written like this: n, +, space, f5 or ctrl+n",
                )
            )
        elif reserved := next((key for key in keys if key in _RESERVED), None):
            faults.append(
                KeyFault(id_, f"{reserved} is reserved for closing and quitting, so `{id_}` needs another key")
            )
        else:
            keymap[id_] = ",".join(filter(None, keys))
    for id_ in list(keymap):
        if clash := _clash(id_, keymap, bindings):
            faults.append(KeyFault(id_, clash))
            del keymap[id_]
    return keymap, faults


def all_bindings(app: Iterable[BindingType]) -> Mapping[str, Binding]:
    """Return every binding that may have other keys, by its id."""
    found = (*EVERYWHERE, *app, *(one for view in view_bindings().values() for one in view))
    return {one.id: one for one in found if isinstance(one, Binding) and one.id}


def key_of(name: str) -> str | None:
    """Return a key as Textual calls it; None if there is no such key. Letters are as they are typed: `M` is not `m`."""
    if len(name) == 1:
        return (
            _character_to_key(name) if name.isprintable() and not name.isspace() else "space" if name == " " else None
        )
    *modifiers, key = name.split("+") if not name.endswith("+") else [*name[:-2].split("+"), "+"]
    modifiers = [one.lower() for one in modifiers]
    if any(one not in _MODIFIERS for one in modifiers) or not key:
        return None
    if len(key) == 1:
        return "+".join((*modifiers, _character_to_key(key.lower() if modifiers else key)))
    key = _ALIASES.get(key.lower(), key.lower())
    return "+".join((*modifiers, key)) if key in _KNOWN else None


def _clash(id_: str, keymap: Mapping[str, str], bindings: Mapping[str, Binding]) -> str:
    """Return why the keys of a binding can't be what they were set to; empty if they can."""
    before = set(bindings[id_].key.split(","))
    for key in keymap[id_].split(","):
        for other, binding in bindings.items():
            taken = keymap.get(other, binding.key).split(",")
            if other != id_ and key in taken and key not in before and _meet(id_, other):
                return f"{key} is already the key for `{other}` ({binding.tooltip.split('(')[0].strip()})"
    return ""


def _meet(one: str, other: str) -> bool:
    """Both may be pressed in one view."""
    views = view_bindings()
    places = [id_.partition(".")[0] if id_.partition(".")[0] in views and "." in id_ else "" for id_ in (one, other)]
    return "" in places or places[0] == places[1]


def rebind(bindings: Iterable[BindingType], keymap: KeyMap) -> Sequence[BindingType]:
    """Return the bindings with the keys that are set for them, for hints and help."""
    return [
        replace(one, key=keymap[one.id], key_display=None)
        if isinstance(one, Binding) and one.id and one.id in keymap
        else one
        for one in bindings
    ]
