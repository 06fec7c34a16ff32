"""The scene cards over the main screen: read, opened, told and rolled from by keys (NM-50)."""

from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN, SIZES, playing, seen
from tests.kit.thorough import cases
from tests.table.test_scene_cards import DOCK, HIDDEN, PIER, RATS, put


def prepared(folder: Path) -> Path:
    """A campaign's folder with two cards and a table."""
    folder.mkdir()
    put(folder, "prep/dock", DOCK)
    put(folder, "prep/the-pier", PIER)
    put(folder, "tables/rats", RATS)
    return folder


@pytest.mark.clause("NM-50")
async def test_a_card_is_opened_and_a_secret_told_by_keys(tmp_path: Path) -> None:
    """`O` shows them, Enter opens; then `O` shows the current card first, and Enter on a secret asks and tells it."""
    async with playing(prepared(tmp_path / "t"), text=CAMPAIGN + HIDDEN) as (pilot, table):
        await pilot.press("O")
        for text in (
            "Zq title",
            "Zq pitch",
            "Zq who",
            "If nobody comes: Zq otherwise",
            "The pier",
            "⊘ Zq door",
            "◉ Zq key",
        ):
            assert text in seen(pilot)
        await pilot.press("enter", "enter")  # It damages Lars, so the real die may be typed in the line.
        assert table.snapshot.prep["dock"].opened == 1
        await pilot.press("O")
        assert "this scene · 2 to tell" in seen(pilot)
        await pilot.press("down", "enter")
        assert "Tell players “Zq door is open”?" in seen(pilot)
        await pilot.press("enter")
        assert table.snapshot.prep["dock"].told == ("door",)


async def test_a_table_of_the_card_is_rolled(tmp_path: Path) -> None:
    """Enter on it opens the line in which a real die may be typed."""
    async with playing(prepared(tmp_path / "t"), text=CAMPAIGN + HIDDEN) as (pilot, table):
        await pilot.press("O", "down", "down", "down", "down")
        assert "Table: Rats" in seen(pilot)
        await pilot.press("enter", "5", "enter")
        assert table.snapshot.act[-1].faces == (5,)


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_it_fits_into_each_window(tmp_path: Path, size: tuple[int, int]) -> None:
    """The title, the card and the way out are there."""
    async with playing(prepared(tmp_path / "t"), text=CAMPAIGN + HIDDEN, size=size) as (pilot, _):
        await pilot.press("O")
        assert "Scene cards" in seen(pilot)
        assert "Zq pitch" in seen(pilot)
        assert "Esc close" in seen(pilot)


async def test_without_cards_it_says_where_they_go(tmp_path: Path) -> None:
    """Without scene cards the view says where they go, and Enter does nothing."""
    async with playing(tmp_path / "t") as (pilot, table):
        await pilot.press("O")
        assert "No scene cards yet" in seen(pilot)
        await pilot.press("enter", "escape")
        assert table.snapshot.entries == 0
