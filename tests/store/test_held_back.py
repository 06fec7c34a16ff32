"""What a table or a deck brings up is held back from players if it mentions a line or a veil (NM-05, NM-12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN
from tests.kit.table import Falling, play, ticking, written
from waylog.store.players.players_file import VisibleAct
from waylog.table import Table

DECK = """
[decks.hold]
name = "The hold"
known = "known"

[decks.hold.cards]
web = { text = "A web", luck = "bad" }
rope = { text = "A rope", luck = "good" }
"""
TABLE = 'name = "Omens"\ndice = "d6"\nseen = true\nentries = ["Dust", "Spiders", "Rain", "Fog", "Wind", "Frost"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign with a table and a deck that players see."""
    folder = written(tmp_path / "tenacity", CAMPAIGN + DECK)
    (folder / "tables").mkdir()
    (folder / "tables" / "omens.toml").write_text(TABLE)
    (folder / "lines.toml").write_text('lines = ["spiders", "web"]\n')
    return folder


def opened(folder: Path, *faces: int) -> Table:
    """The campaign, with dice that fall so."""
    return Table(folder, now=ticking(), chance=Falling(*faces))


def told(table: Table) -> str:
    """What players read of the log."""
    log: tuple[VisibleAct, ...] = table.projection().log
    return " ".join(getattr(fact, "text", "") or getattr(fact, "what", "") for act in log for fact in act.facts)


def test_players_read_nothing_of_it_until_it_is_told(folder: Path) -> None:
    """Neither its text nor its dice. What the wayfinder then tells is an act like any other."""
    table = opened(folder, 2)
    play(table, "table omens")
    assert "Spiders" not in told(table)
    assert "Omens" not in told(table)
    offers = {move.label: move.id for move in table.snapshot.moves if move.offer == "E"}
    assert [*offers] == [
        "Mentions line: spiders: tell the players: Spiders",
        "Something else: roll d6 on “Omens”",
    ]
    play(table, offers["Mentions line: spiders: tell the players: Spiders"])
    assert "Spiders" in told(table)
    table.undo()
    assert "Spiders" not in told(table)


def test_something_else_may_come_up_in_its_place(folder: Path) -> None:
    """Players see only that. If that mentions a line as well, it is held back, too. What it replaced can't be told any more."""
    table = opened(folder, 2, 2, 3)
    play(table, "table omens")
    for left in (2, 0):
        play(table, next(move.id for move in table.snapshot.moves if move.label.startswith("Something else")))
        assert sum(move.offer == "E" for move in table.snapshot.moves) == left
    assert "“Omens”, 3: Rain" in told(table)
    assert "Spiders" not in told(table)


def test_a_card_and_a_pick_are_held_back_too(folder: Path) -> None:
    """A card that mentions nothing is told at once, and so is everything without lines."""
    table = opened(folder, 1, 1)
    play(table, "draw hold", "pick omens 2")
    assert "web" not in told(table).casefold()
    assert "Spiders" not in told(table)
    play(table, "draw hold")
    assert "A rope" in told(table)
    (folder / "lines.toml").write_text("lines = []\n")
    table.refresh()
    offered = sum(move.offer == "E" for move in table.snapshot.moves)
    play(table, "pick omens 2")
    assert "“Omens”, 2 (picked): Spiders" in told(table)
    assert sum(move.offer == "E" for move in table.snapshot.moves) == offered
