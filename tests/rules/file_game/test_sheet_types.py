"""What is kept of games in files: the classes of their sheets, and what was worked out for them. Few are kept."""

from __future__ import annotations

from weakref import ref

from waylog.rules.file_game.game_file_format import PartRule, ValueRule
from waylog.rules.file_game.named_values_and_conditions import once_for
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


def test_what_is_worked_out_once_is_not_kept_of_many_games() -> None:
    """An editor reads a game anew with each change, and each house rule makes another one."""

    class AnyGame:
        """A game."""

    work_out = once_for(lambda _game, word: [word])
    first = AnyGame()
    assert work_out(first, "crew") is work_out(first, "crew")
    assert work_out(first, "team") == ["team"]
    read = list[ref[AnyGame]]()
    for _ in range(_MANY):
        game = AnyGame()
        read.append(ref(game))
        assert work_out(game, "crew") is not work_out(first, "crew")
    assert sum(each() is not None for each in read) < 100
