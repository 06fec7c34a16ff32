"""The file `lines.toml` beside a campaign, and the marks that it brings."""

import re
from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN, looked, playing, seen
from tests.kit.cli import CommandLine
from tests.kit.table import table_at, written
from waylog.store.file import lines_and_veils_file

LINES = 'lines = ["storms"]\nveils = ["ropes"]\n'
TABLE = 'entries = ["A calm", "A rope, cut"]\n'
CLOCK = '[clocks.storm]\nname = "The storm"\nkind = "push"\nsegments = 4\nfilled = 0\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign whose clock mentions a line, and whose table mentions a veil."""
    return _beside(written(tmp_path / "tenacity", CAMPAIGN + CLOCK))


def _beside(folder: Path) -> Path:
    (folder / "tables").mkdir(parents=True)
    (folder / "tables" / "sea.toml").write_text(TABLE)
    (folder / "lines.toml").write_text(LINES)
    return folder


def test_every_mention_is_found_with_its_place(folder: Path) -> None:
    """First those of the tables, then those of the campaign file. `waylog check` lists them, and they are no problems."""
    found = [(each.file, each.line, each.message) for each in lines_and_veils_file.find_in_files(folder)]
    line = (CAMPAIGN + CLOCK).splitlines().index("[clocks.storm]") + 1
    assert found == [("tables/sea.toml", 1, "mentions veil: ropes"), ("campaign.toml", line, "mentions line: storms")]
    waylog = CommandLine(folder.parent)
    said = waylog.done("check", "tenacity").out
    assert "no problems" in said
    assert re.search(r"tables/sea\.toml:1:\d+: mentions veil: ropes", said)
    assert [each["message"] for each in waylog.json("check", "tenacity", "--json")["mentions"]] == [
        "mentions veil: ropes",
        "mentions line: storms",
    ]


def test_mentions_are_found_in_a_campaign_whose_game_is_in_a_file(tmp_path: Path) -> None:
    """The game is looked for as when the campaign is opened."""
    folder = tmp_path / "post"
    folder.mkdir()
    (folder / "campaign.toml").write_text(f'format = 1\nname = "Post"\nsystem = "long-post"\n\n{CLOCK}')
    (folder / "lines.toml").write_text(LINES)
    assert [each.message for each in lines_and_veils_file.find_in_files(folder)] == ["mentions line: storms"]


def test_the_file_is_read_again_when_it_is_saved(folder: Path) -> None:
    """A mistake in it is named with its place, and nothing is marked then."""
    table = table_at(folder)
    assert table.snapshot.find_mentions("a rope") == ("veil: ropes",)
    (folder / "lines.toml").write_text('lines = ["rope"]\n')
    assert table.refresh()
    assert table.snapshot.find_mentions("a rope") == ("line: rope",)
    (folder / "lines.toml").write_text("lines = 3\n")
    table.refresh()
    assert table.snapshot.find_mentions("a rope") == ()
    assert [(each.file, each.line) for each in table.snapshot.problems] == [("lines.toml", 1)]
    (folder / "lines.toml").unlink()
    table.refresh()
    assert not table.snapshot.problems


def test_players_never_get_what_is_in_the_file(folder: Path) -> None:
    """Players never get the lines and veils themselves, not even where a text that they see mentions one."""
    table = table_at(folder)
    table.add_reader()
    table.play(table.understand("tick storm"))
    assert table.settle()
    text = (folder / "players.toml").read_text()
    assert "The storm" in text
    assert "storms" not in text
    assert "ropes" not in text


async def test_texts_are_marked_where_the_wayfinder_reads_them(tmp_path: Path) -> None:
    """An entry in its table, the entry that was rolled, and a clock."""
    async with playing(_beside(tmp_path / "t"), 2, text=CAMPAIGN + CLOCK, size=(80, 24)) as (pilot, table):
        await pilot.press("4")
        assert "! line: storms" in seen(pilot)
        await pilot.press("5", "enter")
        assert "! veil: ropes" in seen(pilot)
        await pilot.press("escape", "1")
        assert "! veil: ropes" not in seen(pilot)
        table.play(table.understand("table sea"))
        looked(pilot)
        await pilot.pause()
        assert "! veil: ropes" in seen(pilot)
