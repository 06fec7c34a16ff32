"""The tutorial: its hints are enough to finish it, every way of doing a step counts, and it goes on where it was left."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import drained, looked, seen
from tests.kit.cli import CommandLine
from tests.kit.table import Falling, ticking
from tests.kit.thorough import cases
from waylog.app.tutorial import CAMPAIGN, STEPS, Tutorial
from waylog.app.wayfinder_app import WayfinderApp
from waylog.cli import main, open_play_watch_and_serve
from waylog.cli.results_and_crashes import CommandResult
from waylog.table import Table
from waylog.ui.views.recap import RecapScreen

_KEYS = {"Enter": "enter", "Esc": "escape", " ": "space"}


def tutorial_table(tmp_path: Path) -> Table:
    """The tutorial's campaign, with dice that fall as told and a clock that ticks evenly."""
    folder = tmp_path / "learn"
    folder.mkdir()
    (folder / "campaign.toml").write_text(CAMPAIGN.format(began="2026-01-05 20:00"), encoding="utf-8")
    return Table(folder, now=ticking(), chance=Falling(4, 4, 4, 4))


def hint_on_screen(pilot: Pilot[None]) -> str:
    """The tutorial's hint, as it can be read on the screen, in one line; empty while a recap lies over it."""
    lines = seen(pilot).splitlines()
    if isinstance(pilot.app.screen, RecapScreen):
        return ""
    start = next(number for number, line in enumerate(lines) if line.startswith(" · "))
    parts = [lines[start][3:]]
    for line in lines[start + 1 :]:
        if not line.startswith("   "):
            break
        parts.append(line[3:])
    return " ".join(parts)


def change_role(path: str) -> None:
    """Change a role in the file, as an editor would."""
    file = Path(path).expanduser()
    file.write_text(file.read_text(encoding="utf-8").replace('"Engineer"', '"Captain"'), encoding="utf-8")


async def do_as_it_says(pilot: Pilot[None], hint: str) -> None:
    """Press the keys in brackets and type what is quoted, in order, until another hint is there. A file is edited."""
    for key, text in re.findall(r"\[([^\]]+)\]|“([^”]+)”", hint):
        if text.replace(" ", "").endswith(".toml"):
            change_role(text.replace(" ", ""))
            looked(pilot)
        elif text:
            await pilot.press(*(_KEYS.get(char, char) for char in text))
        else:
            await pilot.press(_KEYS.get(key, key.lower() if key.startswith("Ctrl+") else key))
        await drained(pilot)
        if not pilot.app.is_running or hint_on_screen(pilot) not in (hint, ""):
            return


@pytest.mark.parametrize("size", cases([(40, 20), (80, 24), (120, 36)], 1, 3))
async def test_its_hints_are_enough_to_finish_it(tmp_path: Path, size: tuple[int, int]) -> None:
    """Whoever does only what the hints on the screen say does each step in turn, gets a recap, and leaves."""
    table = tutorial_table(tmp_path)
    tutorial = Tutorial(table)
    hints = []
    async with WayfinderApp(table, tutorial=tutorial).run_test(size=size) as pilot:
        await pilot.pause()
        while not tutorial.is_over:
            hints.append(hint_on_screen(pilot))
            assert len(hints) <= len(STEPS), hints
            await do_as_it_says(pilot, hints[-1])
        assert [hint.split()[0] for hint in hints] == [f"{number}/{len(STEPS)}" for number in range(1, len(STEPS) + 1)]
        await do_as_it_says(pilot, hint_on_screen(pilot))
    assert pilot.app.return_code == 0
    recap = (table.folder / "recap-0001.md").read_text(encoding="utf-8")
    assert "The fog comes in" in recap


OTHER_WAYS = (
    ("roll", "mara", "primary"),
    ("roll", "nav", "--dice", "3,5"),
    ("keep",),
    ("set", "clocks.fog.filled", "3"),
    ("secret", "It is no fog"),
    ("damage", "joss"),
    ("undo",),
    ("hide", "clock", "fog"),
    ("show", "clock", "fog"),
    (),
    ("session", "end"),
)
"""Every step done at a shell, and differently from its hint. The empty one is the edit."""


def test_every_way_of_doing_a_step_counts(tmp_path: Path) -> None:
    """A step counts however it is done, by keys or at a shell. What belongs to a later step doesn't count before its turn."""
    table = tutorial_table(tmp_path)
    waylog = CommandLine(tmp_path)
    waylog.done("do", "learn", "note", "Too early")
    for number, words in enumerate(OTHER_WAYS, 1):
        table.refresh()
        assert Tutorial(table).advise({}).startswith(f"{number}/{len(STEPS)} "), words
        if words:
            waylog.done("do", "learn", *words)
        else:
            file = waylog.file("learn")
            file.write_text(file.read_text(encoding="utf-8").replace('"Pilot"', '"Navigator"'), encoding="utf-8")
    table.refresh()
    assert Tutorial(table).is_over


async def test_it_names_keys_as_they_are_set(tmp_path: Path) -> None:
    """A key that somebody has changed is named in the hint."""
    table = tutorial_table(tmp_path)
    app = WayfinderApp(table, tutorial=Tutorial(table))
    async with app.run_test(size=(80, 24)) as pilot:
        app.set_keymap({"roll": "z"})
        app.frame.window.banner.show(table.snapshot)
        await pilot.pause()
        assert "[z] [m] [Enter]" in hint_on_screen(pilot)


def test_it_goes_on_where_it_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`waylog learn` makes its campaign beside Waylog's own state; one that is over begins anew, and so does `--again`."""
    opened: list[Table] = []

    def run(table: Table, *_: object) -> CommandResult:
        opened.append(table)
        return CommandResult(tuple, dict)

    monkeypatch.setattr(main, "in_terminal", lambda: True)
    monkeypatch.setattr(open_play_watch_and_serve, "_run_app", run)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    waylog = CommandLine(tmp_path / "campaigns")
    for arguments, words, number in (
        ([], ["roll", "mara"], "1"),
        ([], ["damage", "joss"], "2"),
        (["--again"], ["roll", "mara"], "1"),
        ([], [], "2"),
    ):
        waylog.done("learn", *arguments)
        assert Tutorial(opened[-1]).advise({}).startswith(f"{number}/")
        if words:
            waylog.done("do", f"{tmp_path}/waylog/learn/", *words)
    monkeypatch.setattr(Tutorial, "is_over", True)
    waylog.done("learn")
    assert opened[-1].snapshot.entries == 0
    assert not (tmp_path / "campaigns").exists(), "it is no campaign among people's own"
