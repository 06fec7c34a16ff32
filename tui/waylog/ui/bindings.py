"""The keys that work on every screen."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from waylog.ui.menus import TABS
from waylog.ui.views.sheet import SCENE


def _key(key: str, action: str, name: str, id: str, tooltip: str) -> Binding:  # noqa: A002 - as `Binding` calls it
    return Binding(key, action, name, id=id, tooltip=tooltip)


_ALT = ("inverted_exclamation_mark", "trade_mark_sign", "pound_sign", "cent_sign", "infinity", "section_sign")
"""What Textual calls Alt with 1 to 6 where a terminal sends it as Escape and the digit, as most do."""
EVERYWHERE: tuple[BindingType, ...] = (
    *(
        # With Alt or Ctrl also while digits are dice.
        _key(f"{n},alt+{n},ctrl+{n},{sent}", f"look('{tab}')", tab.title(), f"look.{tab}", f"To the {tab}")
        for n, (tab, sent) in enumerate(zip((*TABS, SCENE), _ALT, strict=True), 1)
    ),
    _key("r", "roll", "Roll", "roll", "Roll: who rolls, with what, and real dice at the end"),
    _key("colon", "line('')", "Do", "do", "Anything that can be done, in words"),
    _key("t", "line('table')", "Table", "table", "Roll on a random table: its first letters, and real dice at the end"),
    _key("n", "line('note')", "Note", "note", "A note for the log"),
    _key("N", "line('secret')", "Secret note", "secret", "A note for the log that the players never see"),
    _key("m", "line('scene')", "Scene", "scene", "Mark the beginning of a scene, with a title or without"),
    _key("s", "session", "Session", "session", "Begin a session, or end the one under way"),
    _key("c", "line('clock')", "Clock", "clock", "A new clock in one line: its name, segments and type"),
    _key("p", "app.players", "Players", "players", "What the players see at this moment"),
    _key("u", "ask_undo", "Undo", "undo", "Take back the latest act with all it caused, after naming it"),
    _key("U", "ask_redo", "Redo", "redo", "Put back what undo took, after naming it"),
    _key("R", "ask_rewind", "Rewind", "rewind", "Take back all that came since the scene began, after saying how much"),
    _key("F", "mend('keep_file')", "The file's", "conflict.file", "Of a value changed by hand and in play: the file's"),
    _key("P", "mend('take_played')", "The played", "conflict.played", "Of such a value: what play had made of it"),
    _key("W", "mend('write_held')", "Write again", "held.write", "Write the act that could not be written"),
    _key("D", "mend('drop_held')", "Let go", "held.drop", "Let go of the act that could not be written"),
    _key("ctrl+p", "palette", "Everything", "palette", "Everything that can be done, to search by typing"),
    _key("question_mark,f1", "keys", "Keys", "keys", "The keys that work here and now"),
)
