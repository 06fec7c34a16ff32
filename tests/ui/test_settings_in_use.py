"""What a person has set, in the app: keys, first view, hints, dice, signs, bell and notification."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from difflib import get_close_matches
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, drained, seen, typed
from tests.kit.table import table_at, written
from tests.kit.terminal import Terminal, opened
from waylog.app.wayfinder_app import WayfinderApp
from waylog.cli.check_and_convert import all_problems
from waylog.settings import read_settings
from waylog.table import Table
from waylog.toml.document import Document

CLOCK = CAMPAIGN + '\n[clocks.storm]\nname = "Ion storm"\nkind = "catastrophe"\nsegments = 4\nfilled = 3\nseen = true\n'


def settings_file(folder: Path, text: str) -> Path:
    """A file of settings in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "config.toml"
    file.write_text(text)
    return file


@asynccontextmanager
async def app_with(
    folder: Path, settings: str, *faces: int, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[Pilot[None], Table]]:
    """The app with these settings."""
    file = settings_file(folder, settings)
    table = table_at(written(folder / "campaign", CAMPAIGN), *faces)
    app = WayfinderApp(table, None, None, read_settings(file))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot, table


def opened_with(tmp_path: Path, home: Path, settings: str, text: str = CLOCK) -> Terminal:
    """The command on a terminal, with these settings."""
    settings_file(home / ".config" / "waylog", settings)
    written(tmp_path / "tenacity", text)
    return opened("tenacity", tmp_path, home)


async def test_keys_that_are_set_work_and_are_shown(tmp_path: Path) -> None:
    """In the line of hints and in help; the key from before does nothing any more."""
    async with app_with(tmp_path, 'first_view = "ship"\n[keys]\nnote = ["z", "ctrl+n"]\n') as (pilot, _):
        assert "z note" in seen(pilot)
        await pilot.press("n")
        assert "note ›" not in seen(pilot)
        await pilot.press("z")
        await pilot.pause()
        assert "note ›" in seen(pilot)
        await pilot.press("escape", "question_mark")
        await pilot.pause()
        await typed(pilot, "write a note")
        await pilot.pause()
        assert "z Ctrl+N" in seen(pilot) or "z" in seen(pilot).split("Write a note")[0].split()[-1]


async def test_the_editor_of_the_settings_is_announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name; Esc opens nothing. What is wrong in the settings afterwards is said at once."""
    monkeypatch.setenv("EDITOR", "true")
    async with app_with(tmp_path, "") as (pilot, _):
        await pilot.press("colon", *"settings", "enter")
        assert "Enter opens it in true, Esc cancels" in seen(pilot)
        (tmp_path / "config.toml").write_text('dice = "wood"\n', encoding="utf-8")
        await pilot.press("escape")
        await pilot.pause()
        assert "true" not in seen(pilot)
        assert "config.toml" not in seen(pilot)
        await pilot.press("colon", *"settings", "enter")
        await pilot.press("enter")
        await drained(pilot)
        assert "config.toml, line 1: `dice`" in seen(pilot)


async def test_what_is_wrong_in_the_settings_is_told_and_the_app_starts(tmp_path: Path) -> None:
    """The first with its line, and how many more there are; a key in conflict stays with what had it."""
    async with app_with(tmp_path, 'bell = 3\ntheme = "drk"\n[keys]\nnote = "u"\n') as (pilot, _):
        await pilot.pause()
        assert "config.toml, line 1: `bell` must be true or false" in seen(pilot)
        assert "2 more: see `waylog config`" in " ".join(seen(pilot).split())
        assert pilot.app.theme == "dark"
        await pilot.press("n")
        await pilot.pause()
        assert "note ›" in seen(pilot)


@pytest.mark.parametrize("view", ["ship", "crew", "log", "clocks", "tables", "bridge"])
async def test_the_first_view_is_the_one_that_is_set(tmp_path: Path, view: str) -> None:
    """The app opens on the view of the settings, whatever the size of the window."""
    async with app_with(tmp_path, f'first_view = "{view}"\n', size=(80, 24)) as (pilot, _):
        assert pilot.app.frame.window.tab == view  # type: ignore[attr-defined]


async def test_the_log_stands_beside_from_the_width_that_is_set(tmp_path: Path) -> None:
    """In a narrower window than usual, or never. An empty log has its column too: nothing moves when the first entry comes."""
    async with app_with(tmp_path, "log_beside = 110\n") as (pilot, _):
        before = pilot.app.frame.window.frame.log  # type: ignore[attr-defined]
        assert before.width > 0
        lines = pilot.app.screen._compositor.render_strips()
        (middle,) = (y for y, line in enumerate(lines) if "The log is empty. n writes a note" in line.text)
        assert abs(middle - before.y - before.height // 2) <= 1, "in the middle of its column"
        await pilot.press("n", "a", "enter")
        assert pilot.app.frame.window.frame.log == before  # type: ignore[attr-defined]
    async with app_with(tmp_path / "b", "log_beside = 0\n", size=(200, 50)) as (pilot, _):
        await pilot.press("n", "a", "enter")
        assert pilot.app.frame.window.frame.log.width == 0  # type: ignore[attr-defined]


async def test_hints_can_be_hidden_and_that_is_remembered(tmp_path: Path) -> None:
    """From the list of everything, and back; the file keeps its comments."""
    async with app_with(tmp_path, "hints = true  # mine\n") as (pilot, _):
        assert "? help" in seen(pilot).splitlines()[-1]
        await pilot.press("ctrl+p")
        await typed(pilot, "key hints")
        await pilot.press("enter")
        await pilot.pause()
        assert "? help" not in seen(pilot).splitlines()[-1]
        assert (tmp_path / "config.toml").read_text() == "hints = false  # mine\n"


async def test_real_dice_first_asks_for_them(tmp_path: Path) -> None:
    """Enter on a roll asks for the dice; a key of its own lets Waylog roll; dice in the line are taken at once."""
    async with app_with(tmp_path, 'dice = "real"\nfirst_view = "ship"\n', 6, 6) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "n")
        await pilot.press("enter")
        await pilot.pause()
        assert len(table.snapshot.missing_dice) == 2
        await pilot.press("W")
        await pilot.pause()
        assert not table.snapshot.missing_dice
        await pilot.press("r")
        await typed(pilot, "n 66")
        await pilot.press("enter")
        await pilot.pause()
        assert not table.snapshot.missing_dice


def test_a_full_clock_rings_and_is_shown_if_that_is_wanted(tmp_path: Path, home: Path) -> None:
    """Once, when it becomes full."""
    terminal = opened_with(tmp_path, home, 'bell = true\nnotification = "osc9"\n')
    try:
        terminal.until(lambda text: "CORE" in text)
        before = terminal.raw.replace(b"\x07", b"", terminal.raw.count(b"\x07"))
        assert b"\x1b]9;" not in before
        terminal.press("ti")
        terminal.until(lambda text: "4/4" in text)
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.raw.count(b"\x1b]9;Ion storm is full\x07") == 1
    finally:
        terminal.close()


def test_nothing_rings_unless_it_is_wanted(tmp_path: Path, home: Path) -> None:
    """Nothing rings or calls from the terminal unless the settings want it, and neither is on to begin with."""
    terminal = opened_with(tmp_path, home, "")
    try:
        terminal.until(lambda text: "CORE" in text)
        terminal.press("ti")
        terminal.until(lambda text: "4/4" in text)
        terminal.press("q")
        assert terminal.end() == 0
        assert b"\x1b]9;" not in terminal.raw
        assert b"\x1b]777;" not in terminal.raw
    finally:
        terminal.close()


def test_a_hidden_clock_is_not_named_outside_the_window(tmp_path: Path, home: Path) -> None:
    """Others may see the desktop that the message appears on."""
    terminal = opened_with(tmp_path, home, 'notification = "osc777"\n', CLOCK.replace("seen = true", "seen = false"))
    try:
        terminal.until(lambda text: "CORE" in text)
        terminal.press("ti")
        terminal.until(lambda text: "4/4" in text)
        terminal.press("q")
        assert terminal.end() == 0
        assert b"\x1b]777;notify;Waylog;A hidden clock is full\x07" in terminal.raw
    finally:
        terminal.close()


def test_plain_signs_are_drawn_where_they_are_wanted(tmp_path: Path, home: Path) -> None:
    """In a terminal of Unicode, and letters stay as they are."""
    terminal = opened_with(tmp_path, home, 'glyphs = "ascii"\n', CAMPAIGN.replace('"Lars"', '"Lärs"'))
    try:
        terminal.until(lambda text: "+ Life support" in text)
        terminal.press("2")
        terminal.until(lambda text: "Lärs" in text)
    finally:
        terminal.close()


@pytest.mark.parametrize(
    ("variable", "kept"),
    [
        ("120", "120"),
        ("0500", "0500"),
        ("99999999", "500"),
        ("9" * 5000, "500"),
        ("wide", None),
        ("²", None),
        ("", None),
        ("0", None),
    ],
)
def test_the_window_is_no_larger_than_what_is_drawn_whatever_variables_say(
    variable: str, kept: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """COLUMNS and LINES go before the terminal's own answer, so they are limited like that."""
    monkeypatch.setenv("COLUMNS", variable)
    monkeypatch.setenv("LINES", "99999999")
    app = WayfinderApp(table_at(written(tmp_path / "campaign", CAMPAIGN)), None, None, None)
    assert (os.environ.get("COLUMNS"), os.environ["LINES"]) == (kept, "200")
    assert app.console.size.width <= 500
    assert app.console.size.height <= 200


def test_two_thousand_unknown_keys_are_told_in_one_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is parsed once for all their lines, and the nearest right names are looked for only for the first."""
    file = settings_file(tmp_path, "[keys]\n" + "".join(f'note{number} = "z"\n' for number in range(2000)))
    parse, parsed, matched = Document.parse, list[str](), list[str]()

    def parse_counted(data: bytes, name: str) -> Document:
        parsed.append(name)
        return parse(data, name)

    def match_counted(word: str, words: Mapping[str, Binding], most: int) -> list[str]:
        matched.append(word)
        return get_close_matches(word, words, most)

    monkeypatch.setattr(Document, "parse", parse_counted)
    monkeypatch.setattr("waylog.ui.key_bindings.get_close_matches", match_counted)
    problems = all_problems(file)
    assert [problem.line for problem in problems] == [*range(2, 2002)]
    assert "Did you mean `note`?" in problems[0].message
    assert "`waylog config --keys` lists all" in problems[-1].message
    assert len([name for name in parsed if name.endswith("config.toml")]) == 2
    assert len(matched) < 50
