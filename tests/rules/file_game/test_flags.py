"""Which value of a flag is well: how the panel shows it, and what Space does with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.table import table_at, written
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.model.act_lists_and_row_verbs import RowKey
from waylog.rules.model.moves import Act, Refusal
from waylog.rules.model.panels import MarkRow, Row, TextRow, Tone
from waylog.snapshot_and_act_preview import Snapshot
from waylog.ui.row_keys import hint_words, loses_question, row_act

GAME = """\
id = "flags"
name = "Flags"

[sheet.team.values]
cover = { flag = true, good = true, about = "Nobody looks twice" }
cold = { flag = false, good = false, about = "Every roll has 1 less" }
inside = { flag = false, about = "Past the gate", moves = false }
"""
CAMPAIGN = """\
format = 1
name = "Trial"
system = "flags"
log = "0001:0"
"""


def _tree(value: dict[str, Any]) -> dict[str, Any]:
    return {"id": "flags", "name": "Flags", "sheet": {"team": {"values": {"cold": value}}}}


def _row(value: dict[str, Any]) -> Row:
    assert not check_game(_tree(value))[1]
    game = Game(rulebook_of(_tree(value)))
    (panel,) = game.panels(game.fresh("Trial"))
    return panel.rows[0]


@pytest.mark.parametrize(
    ("flag", "good", "shown"),
    [
        (True, True, MarkRow("team.cold", "Cold", held=True, state="yes", switch="team.cold")),
        (False, True, MarkRow("team.cold", "Cold", held=False, state="no", switch="team.cold")),
        (True, False, TextRow("team.cold", "Cold", "yes", Tone.WARN, switch="team.cold false")),
        (False, False, TextRow("team.cold", "Cold", "no", switch="team.cold true")),
        (True, None, TextRow("team.cold", "Cold", "yes", switch="team.cold false")),
        (False, None, TextRow("team.cold", "Cold", "no", switch="team.cold true")),
    ],
)
def test_only_the_value_that_is_not_well_stands_out(flag: bool, good: bool | None, shown: Row) -> None:
    """A flag of which no value is well is a word without a sign: being asleep is no loss."""
    assert _row({"flag": flag} | ({} if good is None else {"good": good})) == shown


def test_what_a_flag_means_is_said_while_it_holds() -> None:
    """While it doesn't, nobody needs to know."""
    assert _row({"flag": True, "about": "Every roll has 1 less"}) == TextRow(
        "team.cold", "Cold", "yes · Every roll has 1 less", switch="team.cold false"
    )


@pytest.mark.parametrize("value", [{"range": [0, 3]}, {"text": ""}])
def test_only_a_flag_has_a_good_value(value: dict[str, Any]) -> None:
    """A track has no such key."""
    assert [flaw.message for flaw in check_game(_tree({**value, "good": True}))[1]] == [
        "`good` is only for flags, but cold isn't one"
    ]


def _rows(snapshot: Snapshot) -> dict[str, Row]:
    return {row.key: row for panel in snapshot.panels for row in panel.rows}


def test_space_turns_over_each_kind_of_flag(tmp_path: Path) -> None:
    """It asks before something is lost, and only then. The line of keys names Space, and undo takes the change back."""
    folder = written(tmp_path / "trial", CAMPAIGN)
    (folder / "game.toml").write_text(GAME, encoding="utf-8")
    table = table_at(folder)
    for key, asks in (("team.cover", True), ("team.cold", False), ("team.inside", False)):
        before = _rows(table.snapshot)[key]
        act = row_act(table.snapshot, before, RowKey.TOGGLE)
        assert not isinstance(act, Refusal)
        assert bool(loses_question(before, act)) is asks
        assert hint_words(table.snapshot, before)["row.toggle"]
        table.play(act if isinstance(act, Act) else Act(act))
        assert _rows(table.snapshot)[key] != before
        table.undo()
        assert _rows(table.snapshot)[key] == before
