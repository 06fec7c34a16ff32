"""The keys that work on every screen."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from waylog.ui.tabs import TABS
from waylog.ui.views.sheet import BRIDGE, SCENE


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


_ALT = ("inverted_exclamation_mark", "trade_mark_sign", "pound_sign", "cent_sign", "infinity", "section_sign")
"""What Textual calls Alt with 1 to 6 where a terminal sends it as Escape and the digit, as most do."""
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
        _key(f"{n},alt+{n},ctrl+{n},{sent}", f"look('{tab}')", tab.title(), f"look.{tab}", f"Go to {tab}")
        for n, (tab, sent) in enumerate(zip((*TABS, SCENE), _ALT, strict=True), 1)
    ),
    _key("r", "roll", "Roll", "roll", "Roll, with real dice at the end"),
    _key("colon", "line('')", "Do", "do", "Command line"),
    _key("d", "acts('d')", "Damage", "damage", "Damage: who or what, then the die or Enter"),
    _key("t", "acts('t')", "Tick", "tick", "Tick a clock: its letter (t 3 g by three, t - g back)"),
    _key("x", "acts('x')", "Exposed", "exposed", "Exposed, or no longer: a letter"),
    _key("M", "acts('M')", "Mend", "mend", "Mend: heal, repair, restore, rest"),
    _key("v", "acts('v')", "Players see", "sight", "Show to the players (asks first), or hide"),
    _key("full_stop,greater_than_sign", "time", "Time passes", "time", "Time passes (asks first)"),
    _key("plus,equals_sign", "row('more')", "change", "row.more", "One more on this row", display="+ −"),
    _key("minus", "row('less')", "change", "row.less", "One less on this row"),
    _key("space", "row('toggle')", "toggle", "row.toggle", "Lost or back, destroyed or whole (asks before it is lost)"),
    _key("a", "row_menu", "Actions", "row.menu", "Everything that can be done with this row"),
    _key("e", "app.edit", "Edit", "edit", "Edit: a form of all that the file knows about this row"),
    _key("T", "line('table')", "Table", "table", "Roll on a random table, with real dice at the end"),
    _key("n", "line('note')", "Note", "note", "Write a note in the log"),
    _key("N", "line('secret')", "Secret note", "secret", "Write a secret note, which players never see"),
    _key("m", "line('scene')", "Scene", "scene", "Start a scene"),
    _key("s", "session", "Session", "session", "Start or end a session"),
    _key("c", "line('clock')", "Clock", "clock", "New clock (name, segments, kind)"),
    _key("slash", "search", "Search", "search", "Search this view; n and N then go from match to match"),
    _key("p", "app.players", "Players", "players", "Show what players see"),
    _key("u", "ask_undo", "Undo", "undo", "Undo the last action (asks first)"),
    _key("U", "ask_redo", "Redo", "redo", "Redo the last undone action (asks first)"),
    _key("R", "ask_rewind", "Rewind", "rewind", "Rewind the scene (asks first)"),
    _key("F", "mend('keep_file')", "Keep my edit", "conflict.file", "Edit conflict: keep your edit"),
    _key("P", "mend('take_played')", "Keep the game's", "conflict.played", "Edit conflict: keep the game's value"),
    _key("W", "mend('write_held')", "Retry", "held.write", "Try again to save the action"),
    _key("D", "mend('drop_held')", "Discard", "held.drop", "Discard the action that is not saved"),
    _key("Y", "play_proposal", "Play", "proposal.play", "Play what a player proposes"),
    _key("Z", "decline_proposal", "Decline", "proposal.decline", "Decline what a player proposes, with a word"),
    _key("shift+right", "step_proposal(1)", "Next", "proposal.next", "Next proposal"),
    _key("shift+left", "step_proposal(-1)", "Previous", "proposal.before", "Previous proposal"),
    _key("y", "copy", "Copy", "copy", "Copy the row, the clock or the log entry"),
    _key("ctrl+e", "app.edit_file", "Editor", "editor", "Open your own editor at this row ($VISUAL or $EDITOR)"),
    _key("ctrl+o", "app.campaigns", "Campaigns", "campaigns", "Switch to another campaign, or make a new one"),
    _key("ctrl+p", "palette", "Everything", "palette", "Commands: search everything you can do"),
    _key("i,f1", "rule", "Rule", "rule", "Show the rule: of what was refused or is asked, or of this row"),
    _key("question_mark", "keys", "Keys", "keys", "Keys that work here"),
)
