"""Files with more things than any table plays with are refused, with place, number and limit, before anything else reads them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.kit import ROOT
from tests.kit.cli import CommandLine
from tests.kit.table import CAMPAIGN, saved, table_at, text_of, written
from waylog.rules.codec import base_and_limits
from waylog.rules.codec.base_and_limits import ANY, DEEP, Count, find_excess
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.model.moves import ActRefused
from waylog.toml.document import Document, UnreadableFile

LIMITS = [
    (of_file, limit)
    for of_file in (base_and_limits.CAMPAIGN_LIMITS, base_and_limits.GAME_LIMITS, base_and_limits.LINES_LIMITS)
    for limit in of_file
]

pytestmark = pytest.mark.usefixtures("only_small_game")


def tree_with(limit: Count, count: int) -> dict[str, Any]:
    """A file with so many things where the limit holds."""
    path = [key.replace(ANY, "x") for key in limit.path]
    if path[0] == DEEP:
        path = ["dice", "x", path[1]]
    if limit.path == ("decks", ANY, "cards") and limit.in_all:
        path[1] = "x0"  # In several decks, so that none of them has too many.
    if len(path) == 5:
        count -= 1  # A list within a table is a value itself.
    tree: dict[str, Any] = {}
    left, number = count, 0
    while left:
        here = tree
        for key in path[:-1]:
            here = here.setdefault(key.replace("x0", f"x{number}"), {})
        some = min(left, 900) if "x0" in path else left
        here[path[-1]] = {f"k{each}": 1 for each in range(some)}
        left, number = left - some, number + 1
    return tree


@pytest.mark.parametrize(("of_file", "limit"), LIMITS)
def test_each_limit_is_the_last_number_that_is_taken(of_file: tuple[Count, ...], limit: Count) -> None:
    """One more is a fault, and the only one, which names both numbers."""
    assert find_excess(tree_with(limit, limit.most), of_file) == ()
    (fault,) = find_excess(tree_with(limit, limit.most + 1), of_file)
    assert fault.grave
    assert fault.message == f"too many {limit.what}: {limit.most + 1:,} (the limit is {limit.most:,})"


def test_what_no_limit_names_has_one_too() -> None:
    """Any list, any table, and all values of a file together."""
    assert [fault.path for fault in find_excess({"x": {"y": [0] * 1001}}, ())] == [("x", "y")]
    crowd = {f"t{number}": dict.fromkeys(map(str, range(1000)), 0) for number in range(21)}
    assert [fault.path for fault in find_excess(crowd, ())] == [()]
    assert find_excess({f"t{number}": 0 for number in range(999)}, ()) == ()


def test_values_that_a_file_leaves_out_count_too() -> None:
    """A hundred people with sixty values each are few lines, and as much work as if all of them were written."""
    values = "".join(f"v{each} = {{ flag = false }}\n" for each in range(60))
    game = Game(rulebook_of(tomllib.loads(GAME.replace("[dice.act]", f"{values}[dice.act]"))))
    for people, wrong in ((50, False), (100, True)):
        _, faults = game.read({"system": "big", "crew": {f"p{each}": {} for each in range(people)}})
        assert any(fault.grave and "the limit is 5,000" in fault.message for fault in faults) is wrong


GAME = """\
format = 1
id = "big"
name = "Big"
[sheet.crew.each]
nerve = { range = [0, 6], start = 3 }
[dice.act]
who = "crew"
pool = "nerve"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", grade = "success", from = 5 }]
"""
CROWDS = {
    "players": (
        "campaign.toml",
        CAMPAIGN + "".join(f"[players.p{each}]\n" for each in range(3000)),
        "too many players: 3,000",
    ),
    "clocks": (
        "campaign.toml",
        CAMPAIGN + "".join(f"[clocks.c{each}]\n" for each in range(5000)),
        "too many clocks: 5,001",
    ),
    "cards": (
        "campaign.toml",
        CAMPAIGN + "[decks.d.cards]\n" + "".join(f'c{each} = {{ text = "x" }}\n' for each in range(9000)),
        "too many cards in a deck: 9,000",
    ),
    "list": ("campaign.toml", CAMPAIGN + f"[x]\ny = [{'1, ' * 60_000}]\n", "too many things: 60,000"),
    "file": ("campaign.toml", CAMPAIGN + f"[x]\ny = [{'1, ' * 2_000_000}]\n", "2,000,0"),
    "values": (
        "game.toml",
        GAME + "[sheet.team.values]\n" + "".join(f"v{each} = {{ flag = false }}\n" for each in range(5000)),
        "too many values in the sheet: 5,001",
    ),
    "effects": (
        "game.toml",
        GAME + "[moves.rest]\ndoes = [" + '"clear crew.x.nerve", ' * 5000 + "]\n",
        "too many effects: 5,000",
    ),
    "variants": (
        "game.toml",
        GAME
        + "[house_rules.h]\nrange = [0, 5000]\n"
        + "".join(f"[house_rules.h.when.{each}.dice.act]\nplus = 1\n" for each in range(1000)),
        "too many variants of house rules: 1,000",
    ),
    "lines": ("lines.toml", "lines = [" + '"spiders", ' * 50_000 + "]\n", "too many lines: 50,000"),
}


@pytest.mark.parametrize("name", CROWDS)
def test_a_crowded_file_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    """By every command that reads it, at the line where there are too many, and nothing is written."""
    waylog = CommandLine(tmp_path)
    file, text, told = CROWDS[name]
    folder = written(tmp_path / "crowd", CAMPAIGN if file == "lines.toml" else CAMPAIGN.replace('"small"', '"big"'))
    (folder / file).write_text(text)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    ran = waylog("check", "crowd")
    assert ran.code == 1
    (problem,) = [line for line in ran.err.splitlines() if told in line]
    assert f"{file}:" in problem
    assert "the limit is" in problem
    if file == "campaign.toml":
        assert told in waylog("do", "crowd", "note", "x").err
        assert told in waylog("show", "crowd").err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_no_act_makes_a_file_that_could_not_be_read_again(tmp_path: Path) -> None:
    """It is refused with the limit. What changes no number goes on, and so does what makes room."""
    timers = "".join(f'[timers.t{each}]\nbegan = "2026-01-05 20:00:00"\nseconds = 9000\n' for each in range(99))
    folder = written(tmp_path / "swallow", CAMPAIGN + timers)
    table = table_at(folder)
    table.play(table.understand("timer 10m Tea"))
    with pytest.raises(
        ActRefused, match=r"too many timers: 101 \(the limit is 100\)\. Remove some from campaign.toml first"
    ):
        table.play(table.understand("timer 10m Coffee"))
    table.play(table.understand("note still here"))
    table.settle()
    assert len(table_at(folder).snapshot.timers) == 100
    saved(folder, '[timers.t0]\nbegan = "2026-01-05 20:00:00"\nseconds = 9000\n', "")
    table.refresh()
    table.play(table.understand("timer 10m Coffee"))


def test_a_file_that_gets_crowded_while_it_is_open_is_held_back(tmp_path: Path) -> None:
    """Play goes on with the last good version, and the problem is shown until the file is mended."""
    folder = written(tmp_path / "swallow")
    table = table_at(folder)
    table.play(table.understand("note first"))
    table.settle()
    good = text_of(folder)
    crowd = "".join(f"[players.p{each}]\n" for each in range(65))
    saved(folder, "[boat]", f"{crowd}[boat]")
    table.refresh()
    assert [each.message for each in table.snapshot.problems] == ["too many players: 65 (the limit is 64)"]
    table.play(table.understand("set boat.hull 2"))
    assert "hull = 0x3" in text_of(folder)
    saved(folder, f"{crowd}[boat]", "[boat]")
    table.refresh()
    table.settle()
    assert table.snapshot.problems == ()
    assert "hull = 2" in text_of(folder)
    assert good != text_of(folder)


def test_a_file_with_countless_values_is_not_even_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with countless values is refused before it is parsed, which alone would take longer than anybody waits."""
    monkeypatch.setattr("waylog.toml.document.tomli.loads", lambda _: pytest.fail("the file is parsed"))
    for text in (b"x = [" + b"1," * 200_000 + b"]", b"[x]\n" * 200_000, b"x = 1\n" * 200_000):
        with pytest.raises(UnreadableFile, match=r"too many values: about 200,00\d \(the limit is 150,000\)"):
            Document.parse(text, "campaign.toml")


def test_the_limits_are_documented() -> None:
    """Each number beside what it is a limit of."""
    page = (ROOT / "docs" / "file-formats.md").read_text(encoding="utf-8")
    for limit in (*base_and_limits.CAMPAIGN_LIMITS, *base_and_limits.LINES_LIMITS):
        pattern = rf"(?m)^\| [^|]*{limit.what}{' together' * limit.in_all}[^|]* \| {limit.most:,} \|$"
        assert re.search(pattern, page), limit
    assert f"| things in any other table or list | {base_and_limits.MOST_ELSEWHERE:,} |" in page
    assert f"| values in a file | {base_and_limits.MOST_VALUES:,} |" in page
    assert f"| values in the sheet, including defaults | {base_and_limits.MOST_IN_SHEET:,} |" in page
