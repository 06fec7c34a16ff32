"""A game is a folder: put beside the others it is listed, played, saved and undone, and nothing else is edited."""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import invalidate_caches
from pathlib import Path

import pytest

from tests.kit import small_game
from tests.kit.app import drained, seen, typed
from tests.kit.cli import CommandLine
from tests.kit.table import Falling, table_at
from tests.rules.trial import from_the_template
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules import systems
from waylog.rules.game import Game

PACKAGE = f"{systems.__name__}.small"


@pytest.fixture
def dropped_in(tmp_path: Path) -> Iterator[None]:
    """The small game as a folder among the systems, and gone again afterwards."""
    folder = tmp_path / "more" / "small"
    folder.mkdir(parents=True)
    (folder / "boat.py").write_text(Path(small_game.__file__).read_text())
    (folder / "__init__.py").write_text(f'from {PACKAGE}.boat import SYSTEM\n\n__all__ = ["SYSTEM"]\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(systems, "__path__", [*systems.__path__, str(folder.parent)])
        systems.names.cache_clear()
        invalidate_caches()
        yield
    systems.names.cache_clear()
    for module in [name for name in sys.modules if name == PACKAGE or name.startswith(f"{PACKAGE}.")]:
        del sys.modules[module]


@pytest.fixture
def waylog(tmp_path: Path, dropped_in: None) -> CommandLine:
    """The command line, with a campaign of that game."""
    found = CommandLine(tmp_path / "campaigns", chance=Falling(6))
    found.done("new", "swallow", "--system", "small")
    return found


def boat(waylog: CommandLine) -> dict[str, int]:
    """The boat as the file has it."""
    held: dict[str, int] = tomllib.loads(waylog.file("swallow").read_text())["boat"]
    return held


def test_its_id_is_the_name_of_its_folder(waylog: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """With another id its campaigns could be made and never opened, so it is refused at once."""
    monkeypatch.setattr(f"{PACKAGE}.SYSTEM", replace(systems.system("small"), id="tiny"))
    with pytest.raises(ValueError, match="folder small has the id “tiny”"):
        systems.system("small")


def test_it_is_known(waylog: CommandLine) -> None:
    """Listed with the others, described to editors, its new file explained and without a problem."""
    assert ("small", "Small Game") in [(one["id"], one["name"]) for one in waylog.json("systems")["systems"]]
    assert waylog.json("schema", "small")["properties"]["boat"]["properties"]["hull"]["maximum"] == 3
    assert "How whole it is: 0 to 3" in waylog.file("swallow").read_text()
    assert waylog.json("check", "swallow")["problems"] == []
    assert from_the_template(Game(systems.system("small"))).game.system.id == "small"


def test_it_is_played_by_the_command_line(waylog: CommandLine) -> None:
    """Its moves, its chances, a roll with real dice and what it costs, refusals by its clause, undo and redo."""
    assert "row boat" in [move["id"] for move in waylog.json("moves", "swallow")["moves"]]
    chances = {one["outcome"]: one["chance"] for one in waylog.json("odds", "swallow", "row", "boat")["outcomes"]}
    assert chances == {"fiasco": "1/2", "drawback": "1/6", "success": "1/6", "critical": "1/6"}
    for hull in (2, 1, 0):
        done = waylog.json("do", "swallow", "row", "boat", "wild", "--dice", "2,4")
        assert [(change["path"], change["after"]) for change in done["changes"]] == [("boat.hull", hull)]
        assert boat(waylog)["hull"] == hull
    refused = waylog("do", "swallow", "row", "boat", "--json")
    assert (refused.code, refused.data["clause"]) == (3, "SG-01")
    waylog.done("undo", "swallow")
    assert boat(waylog)["hull"] == 1
    waylog.done("redo", "swallow")
    assert boat(waylog)["hull"] == 0
    assert waylog.json("show", "swallow")["panels"][0]["rows"][0]["value"] == 0


def test_a_clock_does_what_the_game_offers(waylog: CommandLine) -> None:
    """What stands beside every game stands beside this one: a clock that a roll moves, and its effect."""
    waylog.done("do", "swallow", "clock", "Storm", "4", "catastrophe")
    waylog.done("do", "swallow", "set", "clocks.storm.when_full", "damage boat")
    waylog.done("do", "swallow", "tick", "storm", "2")
    waylog.done("do", "swallow", "row", "boat", "storm", "--dice", "1")
    assert "effect storm" in [move["id"] for move in waylog.json("moves", "swallow")["moves"]]
    waylog.done("do", "swallow", "effect", "storm", "--dice", "1")
    assert boat(waylog)["hull"] == 2


async def test_it_is_played_in_the_app(waylog: CommandLine) -> None:
    """Drawn by its panels, rolled by its words with the odds and what the dice come to, a question by its keys, undone by one."""
    table = table_at(waylog.campaigns / "swallow")
    async with WayfinderApp(table).run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert "Hull" in seen(pilot)
        await pilot.press(":")
        await typed(pilot, "set boat.luck 1")
        await pilot.press("enter", ":")
        await typed(pilot, "row boat")
        await drained(pilot)
        assert "50" in seen(pilot)
        await typed(pilot, " 4")
        await drained(pilot)
        assert "→ Use luck?" in seen(pilot)
        await pilot.press("enter")
        await drained(pilot)
        assert table.snapshot.question == "Use luck?"
        await pilot.press("l")
        await drained(pilot)
        assert table.entry(3).words == "luck"
        await pilot.press("u", "u")
        await drained(pilot)
        assert table.snapshot.entries == 4
    assert table.settle()
    assert boat(waylog)["luck"] == 1
