"""The gallery of themes, and a theme file that is edited while the app runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, playing, seen
from tests.kit.table import table_at, written
from waylog import themes
from waylog.app.players_apps_and_phones import PlayersApp
from waylog.app.wayfinder_app import WayfinderApp
from waylog.settings import read_settings
from waylog.ui.draw.colours import ink_of

pytestmark = pytest.mark.usefixtures("every_frame")


def colour(pilot: Pilot[None]) -> str:
    """The colour of the keys on the ship."""
    style = ink_of(pilot.app.query_one("#ship")).key
    assert style.color is not None
    return style.color.name


async def test_the_theme_under_the_cursor_is_worn_at_once(tmp_path: Path) -> None:
    """It is kept by Enter and taken off again by Esc; a sample of what it colours stands below the names."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("ctrl+t")
        await pilot.pause()
        text = seen(pilot)
        for label in (*themes.names().values(), "✗ Fiasco", "★ Critical success", "✗ lost", "3/6"):
            assert label in text
        await pilot.press("down")
        await pilot.pause()
        assert pilot.app.theme == "ember"
        assert colour(pilot) == themes.theme("ember").variables["key"]
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.theme == "dark"
        await pilot.press("ctrl+t", "up", "enter")
        await pilot.pause()
        assert pilot.app.theme == "contrast"
        assert pilot.app.screen is pilot.app.screen_stack[0]


def backgrounds(pilot: Pilot[None]) -> set[str]:
    """Every background in the window."""
    cells = [segment.style for strip in pilot.app.screen._compositor.render_strips() for segment in strip]
    return {style.bgcolor.name for style in cells if style and style.bgcolor}


async def test_the_window_behind_the_gallery_wears_the_whole_theme(tmp_path: Path) -> None:
    """Its backgrounds as well as its letters, while the cursor moves and after a theme is kept."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("ctrl+t")
        for name, key in (("ember", "down"), ("light", "down"), ("light", "enter")):
            await pilot.press(key)
            await pilot.pause()
            assert pilot.app.theme == name
            worn = themes.theme(name).background
            assert worn
            assert worn.lower() in backgrounds(pilot)
            assert backgrounds(pilot).isdisjoint(
                str(each.background).lower() for each in themes.themes() if each.name != name
            )


async def test_the_stylesheet_is_parsed_once_for_each_theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a start Textual asks for it a second time."""
    parsed = list[Stylesheet]()
    parse_again = Stylesheet.reparse

    def reparse(stylesheet: Stylesheet) -> None:
        parsed.append(stylesheet)
        parse_again(stylesheet)

    monkeypatch.setattr(Stylesheet, "reparse", reparse)
    async with playing(tmp_path) as (pilot, _):
        await pilot.pause()
        assert not parsed
        await pilot.press("ctrl+t")
        await pilot.pause()
        parsed.clear()  # for the gallery's own
        await pilot.press("down")
        await pilot.pause()
        assert len(parsed) == 1


@pytest.mark.parametrize("size", [(30, 8), (40, 20), (200, 50)])
async def test_the_gallery_fits_every_window(tmp_path: Path, size: tuple[int, int]) -> None:
    """The names come before the sample, and the keys are always there."""
    async with playing(tmp_path, size=size) as (pilot, _):
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert "▸ Night passage" in seen(pilot)
        assert "Esc back" in seen(pilot)


async def test_the_kept_theme_is_there_at_the_next_start(tmp_path: Path) -> None:
    """It is written into the settings, and a file that can't be understood is left alone and told."""
    file = tmp_path / "config.toml"
    file.write_text('theme = "light"  # by day\n')
    app = WayfinderApp(table_at(written(tmp_path / "campaign", CAMPAIGN)), None, None, read_settings(file))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert app.theme == "light"
        await pilot.press("ctrl+t", "down", "enter")
        await pilot.pause()
        assert file.read_text() == 'theme = "clear"  # by day\n'
        file.write_text("theme = ")
        await pilot.press("ctrl+t", "down", "enter")
        await pilot.pause()
        assert app.theme == "contrast"
        assert "Waylog can't save this setting: config.toml has a problem on line 1" in " ".join(seen(pilot).split())


async def test_a_theme_file_that_is_edited_is_worn_as_it_is_now(tmp_path: Path, home: Path) -> None:
    """Within a look at the files. One that has a problem is told with its place, and the colours stay."""
    folder = home / ".config" / "waylog" / "themes"
    own = folder / "dark.toml"
    text = (themes.folders()[-1] / "dark.toml").read_text()
    write(own, text)
    async with playing(tmp_path) as (pilot, _):
        assert colour(pilot) == "#f0c578"
        write(own, text.replace('key   = "#f0c578"', 'key   = "#ffffff"'))
        pilot.app._look()  # type: ignore[attr-defined]
        await pilot.pause()
        assert colour(pilot) == "#ffffff"
        write(own, "name = ")
        pilot.app._look()  # type: ignore[attr-defined]
        await pilot.pause()
        assert "dark.toml:1:" in seen(pilot)
        assert colour(pilot) == "#ffffff"


async def test_a_window_has_the_colours_of_its_own_home(tmp_path: Path, home: Path) -> None:
    """Colours that another window of the same program had, under the same name, are not taken over."""
    own = home / ".config" / "waylog" / "themes" / "dark.toml"
    write(own, (themes.folders()[-1] / "dark.toml").read_text().replace('key   = "#f0c578"', 'key   = "#ffffff"'))
    async with playing(tmp_path / "first") as (pilot, _):
        assert colour(pilot) == "#ffffff"
    own.unlink()
    async with playing(tmp_path / "second") as (pilot, _):
        assert colour(pilot) == "#f0c578"


def write(file: Path, text: str) -> None:
    """Save a file, at another time than before."""
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_text(text)
    if file.stat().st_mtime_ns == before:
        os.utime(file, ns=(before + 1, before + 1))


async def test_players_have_the_gallery_too(tmp_path: Path) -> None:
    """`T` opens it in their window."""
    app = PlayersApp(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("T", "down", "enter")
        await pilot.pause()
        assert app.theme == "ember"


async def test_ctrl_q_quits_from_the_gallery(tmp_path: Path) -> None:
    """Ctrl+Q quits from the gallery of themes, as from everywhere else."""
    app = PlayersApp(tmp_path)
    async with app.run_test() as pilot:
        await pilot.press("T", "ctrl+q")
        await pilot.pause()
        assert app._exit


async def test_the_gallery_leaves_no_narrow_piece_of_the_view_beside_it(tmp_path: Path) -> None:
    """In a narrow window it takes the whole width; the view below it wears the theme."""
    async with playing(tmp_path, size=(40, 20)) as (pilot, _):
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert seen(pilot).splitlines()[1].startswith(" Themes ─")
