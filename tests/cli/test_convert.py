"""A campaign taken over into another game: shown first, written as a new campaign, the old one untouched."""

from pathlib import Path

import pytest

from tests.kit.cli import CommandLine

CAMPAIGN = """\
system = "veil-core"
name = "Swallow"

[ship]
name = "Swallow"
focus = 2
core = { CPU = 1, HUL = 2, NAV = 3 }

[crew.mara]
name = "Mara"
role = "Pilot"
vitality = 2

[clocks.storm]
name = "Storm"
kind = "death"
segments = 6
filled = 2
"""


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line, with a folder of campaigns."""
    return CommandLine(tmp_path)


@pytest.fixture
def swallow(waylog: CommandLine) -> Path:
    """The campaign's folder."""
    folder = waylog.campaigns / "swallow"
    folder.mkdir()
    (folder / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    return folder


def test_what_would_become_of_it_is_shown_and_nothing_is_written(waylog: CommandLine, swallow: Path) -> None:
    """What keeps its place, what is called otherwise, what is left behind, what is to be chosen."""
    told = waylog.done("convert", "swallow", "--system", "veil-reference").out
    assert "ship.core.NAV = 3 → ship.systems.Engines" in told
    assert "ship.focus = 2" in told.partition("Dropped")[2]
    assert "This is only a preview" in told
    assert sorted(path.name for path in swallow.parent.iterdir()) == ["swallow"]


def test_what_the_other_rules_would_have_otherwise_is_named(waylog: CommandLine, swallow: Path) -> None:
    """Six dice are two too many for an edition of four; everything else is kept."""
    told = waylog.done("convert", "swallow", "--system", "veil-2026", "--json").data
    assert told["dropped"] == []
    assert [choose["clause"] for choose in told["choose"]] == ["VN-01"]
    assert swallow.exists()


def test_a_new_campaign_begins_there(waylog: CommandLine, swallow: Path) -> None:
    """Ship, crew and clocks are in it; the old campaign is byte for byte as it was, tables go along."""
    (swallow / "tables").mkdir()
    (swallow / "tables" / "door.toml").write_text('entries = ["Nothing"]\n', encoding="utf-8")
    done = waylog.done("convert", "swallow", "--system", "veil-classic", "--into", "heron").out
    assert done.endswith("`waylog check` lists what you still have to choose. swallow and its log stay as they are\n")
    assert (swallow / "campaign.toml").read_text(encoding="utf-8") == CAMPAIGN
    shown = waylog.done("show", "heron", "--json").data
    assert shown["system"] == "veil-classic"
    assert [clock["filled"] for clock in shown["clocks"]] == [2]
    assert (swallow.parent / "heron" / "tables" / "door.toml").exists()
    again = waylog("convert", "swallow", "--system", "veil-classic", "--into", "heron")
    assert (again.code, "already" in again.err) == (2, True)


def test_a_campaign_stays_what_it_is(waylog: CommandLine, swallow: Path) -> None:
    """There is nothing to take over into its own game, and no game without a name."""
    assert swallow.exists()
    assert waylog("convert", "swallow", "--system", "veil-core").code == 2
    assert waylog("convert", "swallow").code == 2
    assert waylog("convert", "swallow", "--system", "chess").code == 2


def test_a_table_that_leads_nowhere_does_not_stop_it(waylog: CommandLine, swallow: Path) -> None:
    """The new campaign is there whole, with the tables that are."""
    tables = swallow / "tables"
    tables.mkdir()
    (tables / "weather.toml").write_text('name = "Weather"\ndice = "d6"\n')
    (tables / "gone.toml").symlink_to(swallow / "nowhere.toml")
    waylog.done("convert", "swallow", "--system", "veil-classic", "--into", "classic")
    assert [path.name for path in (waylog.campaigns / "classic" / "tables").iterdir()] == ["weather.toml"]
