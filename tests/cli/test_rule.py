"""`waylog rule`: rules are looked up by code and by words, with a campaign and without one."""

from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from waylog.rules.systems import names

CAMPAIGN = """\
name = "Swallow"
system = "veil-core"

[house_rules]
shunt_focus = "roller"

[rulings]
VK-16 = "suit hits don't count in hard vacuum"
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


def test_a_rule_is_shown_by_its_code(waylog: CommandLine) -> None:
    """Its title and text come first, then related rules; capitals don't matter, and no campaign is needed."""
    lines = waylog.done("rule", "vk-15").out.splitlines()
    assert lines[0] == "Focus on a Fiasco  VK-15"
    assert lines[1].startswith("  A Fiasco gives")
    assert "  VK-16  Desperate Fiasco" in lines[lines.index("See also") :]


def test_rules_are_found_by_their_words(waylog: CommandLine) -> None:
    """The best come first, and a code of another game is found without naming the game."""
    found = waylog.done("rule", "focus", "--json").data
    assert [rule["id"] for rule in found["rules"]][:2] == ["VK-04", "VK-15"]
    assert waylog.done("rule", "EG-20", "--json").data["system"] == "emissaries"
    assert waylog.done("rule", "tie", "--system", "course-flow", "--json").data["rules"][0]["id"] == "CF-14"
    nothing = waylog("rule", "zyx")
    assert (nothing.code, nothing.err) == (1, "waylog: no rule mentions “zyx”. `waylog rule` lists all rules\n")


@pytest.mark.parametrize("game", names())
def test_without_words_every_rule_is_listed_by_chapter(waylog: CommandLine, game: str) -> None:
    """Each code of the list opens its rule."""
    listed = waylog.done("rule", "--system", game, "--json").data
    assert all(chapter["title"] and chapter["rules"] for chapter in listed["chapters"])
    lines = waylog.done("rule", "--system", game).out.splitlines()
    assert lines[0] == listed["chapters"][0]["title"]
    last = listed["chapters"][-1]["rules"][-1]
    assert lines[-1].split("  ")[1:] == [last["id"], last["title"]]


def test_a_campaign_adds_its_house_rules_and_rulings(waylog: CommandLine, swallow: Path) -> None:
    """What the file says is shown with the rule; other rules show nothing of the kind."""
    assert swallow.exists()
    out = waylog.done("rule", "swallow", "VK-33").out
    assert 'shunt_focus = "roller": ' in out
    assert 'shunt_after_critical = "any-roll" (default): ' in out
    (rule,) = waylog.done("rule", "swallow", "vk-16", "--json").data["rules"]
    assert rule["ruling"] == "suit hits don't count in hard vacuum"
    assert "Your ruling  suit hits don't count" in waylog.done("rule", "swallow", "vk-16").out
    assert "Your ruling" not in waylog.done("rule", "vk-16").out
    assert waylog.done("rule", "swallow", "vacuum", "--json").data["rules"] == [rule]


def test_a_ruling_is_undone_like_any_act(waylog: CommandLine, swallow: Path) -> None:
    """It goes into the file at its place, and undo takes it out again; what the editor wrote stays as it was."""
    file = swallow / "campaign.toml"
    waylog.done("do", "swallow", "ruling", "VK-15", "one Focus a scene")
    assert 'VK-15 = "one Focus a scene"\n' in file.read_text()
    waylog.done("do", "swallow", "ruling", "end", "VK-16")
    assert "VK-16" not in file.read_text()
    waylog.done("undo", "swallow")
    waylog.done("undo", "swallow")
    assert file.read_text().partition("[rulings]")[2] == CAMPAIGN.partition("[rulings]")[2]
