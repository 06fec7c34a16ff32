"""Dice are moved over the ship's systems by one gesture, wherever a move asks for it, and in words all the same."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, SIZES, looked, playing, seen, typed
from tests.kit.thorough import cases
from waylog.table import Table
from waylog.ui.main_screen import MainScreen

CREW = '\n[crew.mara]\nname = "Mara"\nskills = ["sharp mind"]\n'
REFERENCE = f'format = 1\nname = "Half"\nsystem = "veil-reference"\nlog = "0001:0"\n{CREW}'
CLASSIC = (
    'format = 1\nname = "Ferry"\nsystem = "veil-classic"\nlog = "0001:0"\n\n[ship]\nstate = "downtime"\n'
    '\n[crew.mara]\nname = "Mara"\n'
)
DOWNTIME = CAMPAIGN.replace("focus = 1", 'focus = 1\nstate = "downtime"')


def last(table: Table) -> str:
    """The words of the latest entry."""
    return table.entry(table.snapshot.entries).words


def _key_of(pilot: Pilot[None], verb: str) -> str:
    """The key of a follow-up."""
    frame = pilot.app.screen
    assert isinstance(frame, MainScreen)
    return next(key for key, move in frame.window.tray.choices if move.verb == verb)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (("1", "3"), "shunt 1 3 2"),
        (("3", "backspace", "1", "3"), "shunt 1 3 2"),
        (("3", "1"), "shunt 3 1 2"),
        (("1", "2"), "shunt 1 2 3"),
        (("3", "2"), "shunt 3 2 1"),
        (("2", "1"), "shunt 2 1 3"),
        (("2", "3"), "shunt 2 3 1"),
        (("right", "up"), "shunt 1 3 2"),
        (("left", "up"), "shunt 1 2 3"),
        (("down", "right", "up"), "shunt 1 3 2"),
        (("minus", "left", "plus"), "shunt 1 2 3"),
        (("right", "right", "1"), "shunt 2 2 1"),
    ],
)
async def test_any_die_is_shunted_by_two_keys_between_opening_and_enter(
    tmp_path: Path, keys: tuple[str, ...], words: str
) -> None:
    """Two digits say all there is to say of three systems; an arrow brings a die along. Enter keeps what is legal."""
    async with playing(tmp_path, 6, 2) as (pilot, table):
        table.play(table.understand("roll cpu"))
        looked(pilot)
        await pilot.press(_key_of(pilot, "shunt"), *keys)
        assert words in seen(pilot).splitlines()[-2]
        legal = sum(map(int, words.split()[1:])) == 6
        await pilot.press("enter")
        assert (last(table) == words) is legal
        if not legal:
            assert "1 die left to place" in seen(pilot)


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_limits_and_what_is_still_in_hand_show_as_one_moves(tmp_path: Path, size: tuple[int, int]) -> None:
    """The least and most of each system, and how many dice lie nowhere yet; what can't be is not done, and says why."""
    async with playing(tmp_path, size=size, text=DOWNTIME) as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, "shunt")
        screen = seen(pilot)
        assert "6 in all" in screen
        assert screen.count("(1–4)") == 3
        await pilot.press("down")
        assert "1 left to place" in seen(pilot)
        await pilot.press("down")
        assert "CPU must keep at least 1 die" in seen(pilot)
        await pilot.press("enter")
        assert "1 die left to place" in seen(pilot)
        assert table.snapshot.entries == 0
        await pilot.press("right", "up", "up")
        assert "✓ all placed" in seen(pilot), "the second die came from where there was one to give"
        assert "shunt 1 4 1" in seen(pilot)
        await pilot.press("up")
        assert "HUL takes at most 4 dice" in seen(pilot)
        await pilot.press("9")
        assert "HUL takes 1 to 4, not 9" in seen(pilot)
        await pilot.press("enter")
        assert table.snapshot.entries == 0
        await pilot.press("escape")
        assert "left to place" not in seen(pilot)


async def test_nothing_is_kept_before_anything_has_moved(tmp_path: Path) -> None:
    """Enter on dice that lie as they lay spends nothing: it says how they are moved."""
    async with playing(tmp_path, text=DOWNTIME) as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, "shunt")
        await pilot.press("enter")
        assert "You haven't moved any dice yet" in seen(pilot)
        assert table.snapshot.entries == 0


@pytest.mark.parametrize("words", ["shunt 1 2 3", "shunt 123", "shunt 1 2 3 ", "sh 123", "shunt downtime 1 2 3"])
async def test_the_words_go_on_working(tmp_path: Path, words: str) -> None:
    """The same line, typed: numbers with or without blanks, and other answers before them."""
    async with playing(tmp_path, text=DOWNTIME) as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, words)
        await pilot.press("enter")
        assert last(table) == "shunt 1 2 3"


async def test_a_second_answer_is_chosen_below_the_dice(tmp_path: Path) -> None:
    """Tab goes on to what allows it, the arrow up back to the dice; both stand in one line."""
    async with playing(tmp_path, text=DOWNTIME) as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, "shunt")
        await pilot.press("3", "1", "tab", "down", "space")
        assert "shunt 3 1 2 engineering" in seen(pilot).splitlines()[-2]
        await pilot.press("up", "up", "up")
        assert "shunt 2 1 3 engineering" in seen(pilot).splitlines()[-2]
        await pilot.press("enter")
        assert last(table) == "shunt 2 1 3 engineering"


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_a_click_moves_a_die(tmp_path: Path, size: tuple[int, int]) -> None:
    """A click takes a die up, the next puts it down where it falls."""
    async with playing(tmp_path, size=size, text=DOWNTIME) as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, "shunt")
        lines = seen(pilot).splitlines()
        y = next(y for y, line in enumerate(lines) if "(1–4)" in line)
        names = lines[y - 2]
        await pilot.click(offset=(names.index("CPU"), y - 1))
        assert "1 left to place" in seen(pilot)
        await pilot.click(offset=(names.index("NAV"), y))
        assert "shunt 1 2 3" in seen(pilot).splitlines()[-2]
        await pilot.press("enter")
        assert last(table) == "shunt 1 2 3"


async def test_from_a_row_of_a_system(tmp_path: Path) -> None:
    """`a` on a system lists everything, and the shunt there is the same gesture."""
    async with playing(tmp_path, text=DOWNTIME) as (pilot, table):
        while not seen(pilot).count("▸   CPU") and not seen(pilot).count("▸ CPU"):
            await pilot.press("down")
        await pilot.press("a")
        await typed(pilot, "shunt")
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("1", "3", "enter")
        assert last(table) == "shunt 1 3 2"


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_the_reference_edition_remaps_and_places_so(tmp_path: Path, size: tuple[int, int]) -> None:
    """After a Success all dice, after a Complication those in hand, each as a follow-up by its key (RF-09, RF-10)."""
    async with playing(tmp_path, size=size, text=REFERENCE) as (pilot, table):
        for rolled, key, slots, keys, words in (
            ("5 2 6 1 5", "m", "(0–6)", ("0", "1"), "remap 0 1 5"),
            ("5 2 6 1 1 1 1 1", "p", "(0–5)", ("right", "up"), "place 0 1 4"),
        ):
            table.play(table.understand(f"roll mara engines sharp-mind two {rolled}"))
            looked(pilot)
            await pilot.press(key)
            assert seen(pilot).count(slots) == 3
            await pilot.press(*keys, "enter")
            assert last(table) == words
            assert table.snapshot.question is None


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_the_first_edition_remaps_and_places_so(tmp_path: Path, size: tuple[int, int]) -> None:
    """Anew in downtime, and after a roll those in hand (VC-11, VC-15)."""
    async with playing(tmp_path, size=size, text=CLASSIC) as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, "remap 113")
        await pilot.press("enter")
        assert last(table) == "remap 1 1 3"
        table.play(table.understand("roll mara engines risky 6 6 6 6"))
        table.play(table.understand("consequence"))
        looked(pilot)
        await pilot.press("p", "left", "up", "enter")
        assert last(table) == "place 0 0 1"


async def test_a_shunt_in_the_middle_of_a_roll(tmp_path: Path) -> None:
    """Typed in the line while Focus is asked for: the dice move, the same is asked, and undo takes the shunt alone (VK-33)."""
    async with playing(tmp_path, 5, 1) as (pilot, table):
        table.play(table.understand("roll nav"))
        looked(pilot)
        await pilot.pause()
        asked = table.snapshot.question
        assert asked
        assert asked in seen(pilot)
        await pilot.press("colon")
        await typed(pilot, "shunt 1 1 4 engineering")
        await pilot.press("enter")
        assert last(table) == "shunt 1 1 4 engineering"
        assert table.snapshot.question == asked
        assert asked in seen(pilot)
        await pilot.press("u", "u")
        assert last(table) == "undo"
        assert table.snapshot.question == asked
        assert "Undone: “System shunt" in seen(pilot)
