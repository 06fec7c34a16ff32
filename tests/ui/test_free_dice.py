"""Free dice by keys, and what goes on while real dice are waited for."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, playing, seen, typed
from waylog.rules.model.dice import Face
from waylog.ui.draw import dice
from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.main_screen import MainScreen

CLOCK = '\n[clocks.storm]\nname = "Storm"\nkind = "death"\nsegments = 4\n\n[dice]\npanic = "2d6"\n'


def ink_of(pilot: Pilot[None]) -> object:
    """The colours of the tray."""
    from waylog.ui.draw.colours import ink_of as inks

    assert isinstance(pilot.app.screen, MainScreen)
    return inks(pilot.app.screen.window.tray)


@pytest.mark.clause("FD-01", "FD-02")
@pytest.mark.parametrize("keys", ["r", "colon"])
@pytest.mark.parametrize("view", ["1", "2", "3", "4", "5"])
async def test_any_dice_are_rolled_from_any_view(view: str, keys: str, tmp_path: Path) -> None:
    """The roll key or the colon, then the dice; the odds show before, the total after."""
    async with playing(tmp_path / "t", 4, 5) as (pilot, table):
        await pilot.press(view, keys)
        await typed(pilot, "2d6+3")
        shown = seen(pilot)
        assert "from 5 to 15, average 10" in shown
        assert "10+ 58.3 %" in shown
        assert "▂▂▂▂▃▃▃▃" in shown
        assert "or type real dice: 2d6" in shown
        await pilot.press("enter")
        assert table.entry(1).words == "dice 2d6+3"
        assert "2d6+3 = 12" in seen(pilot)


async def test_the_list_of_rolls_names_any_dice(tmp_path: Path) -> None:
    """As its last choice, which Tab or Enter writes into the line."""
    async with playing(tmp_path / "t") as (pilot, _):
        await pilot.press("r")
        assert "Any other dice: 2d6+3, d20, 4d6kh3" in seen(pilot)


@pytest.mark.clause("FD-01")
async def test_saved_dice_are_completed_on_the_line(tmp_path: Path) -> None:
    """The line completes the names of saved dice, and such a name rolls them."""
    async with playing(tmp_path / "t", 2, 2, text=CAMPAIGN + CLOCK) as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, "dice pa")
        await pilot.press("tab")
        assert "2d6, from 2 to 12, average 7" in seen(pilot)
        await pilot.press("enter")
        assert "Panic: 2d6 = 4" in seen(pilot)
        await pilot.press("u", "u")
        assert table.snapshot.undo == ()


async def test_where_there_is_nothing_to_roll_the_key_says_how_any_dice_are_rolled(tmp_path: Path) -> None:
    """Where nothing can be rolled, the key says why, and how any dice are rolled."""
    text = 'format = 1\nname = "Quiet"\nsystem = "course-flow"\nlog = "0001:0"\n'
    async with playing(tmp_path / "t", 17, text=text) as (pilot, table):
        await pilot.press("r")
        assert "To roll any dice, press : and type them, such as 2d6" in " ".join(seen(pilot).split())
        await pilot.press("colon")
        await typed(pilot, "d20")
        await pilot.press("enter")
        assert table.entry(1).words == "dice d20"


async def test_dice_that_do_not_count_look_different(tmp_path: Path) -> None:
    """Dice that do not count stand dimmed in brackets of another shape."""
    async with playing(tmp_path / "t") as (pilot, _):
        ink = ink_of(pilot)
        faces = Face("3d6kh1", 6), Face("3d6kh1", 2, dropped=True)
        (line,) = dice.inline(faces, ink, CellLine(40), 0)  # type: ignore[arg-type]
        assert line.text.strip() == "[6] (2)"


async def test_dice_with_symbols_go_on_in_the_next_line(tmp_path: Path) -> None:
    """Each shows what is on it, and none is cut."""
    async with playing(tmp_path / "t") as (pilot, _):
        faces = [Face("Act", 7, 12, symbols="success + advantage"), Face("Act", 1, 8, symbols="blank")] * 2
        lines = dice.inline(faces, ink_of(pilot), CellLine(40).to(2), 2)  # type: ignore[arg-type]
        assert [line.text.strip() for line in lines] == ["[success + advantage] [blank]"] * 2


async def test_clocks_notes_and_dice_go_on_while_real_dice_are_waited_for(tmp_path: Path) -> None:
    """Each by its own key, and the digits finish the roll afterwards; undo takes the roll first."""
    async with playing(tmp_path / "t", 3, 3, text=CAMPAIGN + CLOCK) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "lars 2")
        await pilot.press("enter")
        assert "Type the dice" in seen(pilot)
        await pilot.press("t", "s")
        assert table.snapshot.clocks["storm"].filled == 1
        await pilot.press("n")
        await typed(pilot, "hush")
        await pilot.press("enter", "colon")
        await typed(pilot, "dice panic")
        await pilot.press("enter")
        assert [entry.words for entry in table.entries()] == ["dice panic", 'note "hush"', "tick storm", "roll lars"]
        assert "Type the dice" in seen(pilot)
        await pilot.press("5", "1", "enter")
        assert table.snapshot.missing_dice == ()
        assert table.entry(5).words == "dice"
        assert table.entry(5).root == 1
