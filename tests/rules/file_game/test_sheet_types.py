"""The classes of sheets that game files declare: few are kept, and a game in use keeps its own."""

from __future__ import annotations

from waylog.rules.file_game.game_file_format import PartRule, ValueRule
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.file_game.sheet_types import rules_type, sheet_type

_MANY = 600
"""More classes than are kept."""


def test_a_class_in_use_is_never_made_again() -> None:
    """However many other games are read meanwhile."""
    parts = {"team": PartRule(values={"coin": ValueRule(range=(0, 5))})}
    first = sheet_type(parts)
    for number in range(_MANY):
        sheet_type({"team": PartRule(about=f"Team {number}")})
        assert sheet_type(parts) is first


def test_a_game_keeps_its_class_when_many_others_are_read() -> None:
    """Its new campaigns have the class that its campaign files are read as."""
    tree = {
        "id": "small",
        "name": "Small",
        "about": "A game.",
        "sheet": {"team": {"label": "Team", "values": {"coin": {"range": [0, 5]}}}},
    }
    game = rulebook_of(tree, is_sound=True)
    for number in range(_MANY):
        sheet_type({"team": PartRule(about=f"Team {number}")})
    rules_type({})
    assert type(game.fresh()) is game.sheet
