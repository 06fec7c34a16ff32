"""`waylog list`: the campaigns and examples, without opening one."""

from pathlib import Path

import pytest

from tests.kit.cli import CommandLine


@pytest.fixture
def waylog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line of somebody with three campaigns, of which two have been opened, one of them elsewhere."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for folder, text in (
        ("mine/heron", 'name = "The Heron"\nsystem = "veil-core"\n'),
        ("mine/swallow", 'name = "Swallow"\nsystem = "veil-2026"\n[sessions.3]\nbegan = "2026-11-19 20:00"\n'),
        ("mine/broken", "name ="),
        ("elsewhere/wren", 'name = "Wren"\n'),
    ):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "campaign.toml").write_text(text, encoding="utf-8")
    (tmp_path / "state" / "waylog").mkdir(parents=True)
    opened = [tmp_path / "mine" / "swallow", tmp_path / "elsewhere" / "wren"]
    (tmp_path / "state" / "waylog" / "recent").write_text("".join(f"{folder}\n" for folder in opened))
    return CommandLine(tmp_path / "mine")


def test_campaigns_come_by_the_last_opening_then_by_name(waylog: CommandLine, tmp_path: Path) -> None:
    """Each with the word that opens it, its game, and its last session; the examples come last."""
    lines = waylog.done("list").out.splitlines()
    assert lines[0].split() == ["swallow", "Swallow", "veil-2026", "session", "3", "2026-11-19"]
    assert [line.split()[0] for line in lines[1:4]] == [str(tmp_path / "elsewhere" / "wren"), "broken", "heron"]
    assert lines[5].startswith("Examples")
    assert "tenacity" in {line.split()[0] for line in lines[6:]}
    listed = {each["name"]: each for each in waylog.json("list")["campaigns"]}
    assert listed["heron"]["title"] == "The Heron"
    assert (listed["swallow"]["session"], listed["swallow"]["example"]) == (3, False)
    assert (listed["broken"]["game"], listed["tenacity"]["example"]) == (None, True)


def test_without_campaigns_it_says_how_to_get_one(
    waylog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples are there from the beginning."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "nothing"))
    lines = CommandLine(tmp_path / "empty").done("list").out.splitlines()
    assert lines[0] == "No campaigns yet. To create one, type: waylog new NAME"
    assert len(lines) > 4
