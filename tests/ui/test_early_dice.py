"""Real dice that are typed while a question with letters is open: they are dice, and never switch the view."""

from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN, playing, seen

DEFENDED = CAMPAIGN.replace('name = "Mara"\n', 'name = "Mara"\nfocus = 2\nadvancements = ["defender"]\n')


@pytest.mark.parametrize("keys", [("k", "4"), ("4", "k")])
async def test_a_die_may_be_typed_behind_the_letter_or_before_it(tmp_path: Path, keys: tuple[str, str]) -> None:
    """“Does a Defender step in?” `k 4` and `4 k` both mean: nobody does, and the damage die shows a 4."""
    async with playing(tmp_path, 1, text=DEFENDED) as (pilot, table):
        await pilot.press("d", "l", "enter")
        assert "Defender" in (table.snapshot.question or "")
        await pilot.press(*keys)
        assert "CORE" in seen(pilot), "still the ship: 4 is no view here"
        assert table.snapshot.entries == 1, "a letter doesn't roll dice that may lie on the table"
        await pilot.press("enter")
        assert (table.entry(2).words, table.entry(2).faces) == ("keep", (4,))


async def test_enter_spends_no_focus_on_a_defence(tmp_path: Path) -> None:
    """A Defender pays for stepping in, so that answer is never the marked one."""
    async with playing(tmp_path, text=DEFENDED) as (pilot, _):
        await pilot.press("d", "l", "enter")
        assert "▸k  Nobody defends" in seen(pilot)


async def test_a_die_that_is_typed_before_the_question_is_told_to_wait(tmp_path: Path) -> None:
    """`d l 4`, where a Defender is asked first: nothing is done, and the line says why."""
    async with playing(tmp_path, text=DEFENDED) as (pilot, table):
        await pilot.press("d", "l", "4", "enter")
        assert "this takes no dice yet. A question comes first" in seen(pilot)
        assert table.snapshot.entries == 0


async def test_without_a_die_enter_rolls(tmp_path: Path) -> None:
    """The letter opens the line, where Enter lets Waylog roll."""
    async with playing(tmp_path, 6, text=DEFENDED) as (pilot, table):
        await pilot.press("d", "l", "enter", "k", "enter")
        assert (table.entry(2).words, table.entry(2).faces) == ("keep", None)


async def test_a_die_is_named_until_its_letter_comes_and_can_be_taken_back(tmp_path: Path) -> None:
    """The tray asks which answer the die is for. Backspace takes it back."""
    async with playing(tmp_path, 6, text=DEFENDED) as (pilot, _):
        await pilot.press("d", "l", "enter", "4")
        assert "4 on the table: for which answer?" in seen(pilot)
        await pilot.press("backspace")
        assert "on the table" not in seen(pilot)


async def test_digits_are_views_while_no_answer_takes_dice(tmp_path: Path) -> None:
    """Whether Focus is spent needs no dice, so the crew can be looked at meanwhile."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        await pilot.press("r", "n", "space", "5", "2", "enter")
        assert table.snapshot.question
        await pilot.press("2")
        assert "Vitality" in seen(pilot)
