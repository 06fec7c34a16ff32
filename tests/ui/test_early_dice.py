"""Real dice that are typed while a question with letters is open: they are dice, and never switch the view."""

from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN, playing, seen
from waylog.rules.model.facts import RollFact
from waylog.store.log.grouped_acts_and_texts import describe_entries

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


async def test_a_die_that_is_typed_before_the_question_waits_for_its_roll(tmp_path: Path) -> None:
    """`d l 4`, where a Defender is asked first: the 4 is for the damage, and `k` deals it without asking for a die again."""
    async with playing(tmp_path, text=DEFENDED) as (pilot, table):
        await pilot.press("d", "l", "4", "enter")
        assert "Dice already typed: 4 (damage)" in seen(pilot)
        await pilot.press("k")
        (roll,) = [fact for fact in table.entry(2).facts if isinstance(fact, RollFact)]
        assert ([face.face for face in roll.dice], roll.typed) == ([4], True)
        assert not table.snapshot.question


async def test_a_die_for_the_damage_is_none_of_the_defence(tmp_path: Path) -> None:
    """The Defender's own dice are asked for. If they fail, the die that waits is the damage."""
    async with playing(tmp_path, text=DEFENDED) as (pilot, table):
        await pilot.press("d", "l", "4", "enter", "m", "enter")
        assert table.snapshot.missing_dice
        assert all(label != "damage" for label in table.snapshot.missing_dice)
        await pilot.press(*"1" * len(table.snapshot.missing_dice), "enter")
        assert table.snapshot.missing_dice == ("damage",), "a Fiasco hurts both: one more die is wanted"
        await pilot.press("2", "enter")
        dice = [face for fact in table.snapshot.act[-1].facts if isinstance(fact, RollFact) for face in fact.dice]
        assert ("damage", 4) in [(face.source, face.face) for face in dice]


async def test_a_die_that_nothing_takes_is_refused_before_the_question(tmp_path: Path) -> None:
    """One die is damage; a second is too many, and a d6 has no 9."""
    async with playing(tmp_path, text=DEFENDED) as (pilot, table):
        await pilot.press("d", "l", "4", "5", "enter")
        assert "this takes 1, but you typed 2" in seen(pilot)
        await pilot.press("backspace", "backspace", "9", "enter")
        assert "A d6 has no 9" in seen(pilot)
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
        assert "Real dice so far: 4. Press m or k to use them. Alt+digit opens a tab" in seen(pilot)
        await pilot.press("backspace")
        assert "Real dice so far" not in seen(pilot)


async def test_a_face_that_the_die_does_not_have_is_refused_as_it_is_typed(tmp_path: Path) -> None:
    """A d6 has no 0 and no 9: neither is taken, and the next digit is that die."""
    async with playing(tmp_path, text=DEFENDED) as (pilot, table):
        await pilot.press("d", "l", "4", "enter", "m", "enter")
        await pilot.press(*"1" * len(table.snapshot.missing_dice), "enter", "0")
        assert "A d6 has no 0 or 10: check the die for damage" in seen(pilot)
        assert "[_]" in seen(pilot)
        await pilot.press("9")
        assert "A d6 has no 9: check the die for damage" in seen(pilot)
        await pilot.press("5")
        assert "[5]" in seen(pilot)


async def test_digits_are_views_while_no_answer_takes_dice(tmp_path: Path) -> None:
    """Whether Focus is spent needs no dice, so the crew can be looked at meanwhile."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        await pilot.press("r", "n", "space", "5", "2", "enter")
        assert table.snapshot.question
        await pilot.press("2")
        assert "Vitality" in seen(pilot)


async def test_the_headline_of_damage_is_who_is_hurt(tmp_path: Path) -> None:
    """Subject and cause first, also where a Defender was asked in between, and with the die; what came of it is below."""
    async with playing(tmp_path, text=DEFENDED) as (pilot, table):
        await pilot.press("d", "l", "4", "enter", "k")
        (text,) = [describe_entries(table.snapshot.act)]
        assert (text.sentence, [die.face for die in text.dice] or text.sentence[-1:]) == ("Lars takes damage", [4])
        assert all("takes damage" not in part.text for part in text.consequences), "said once"
        assert describe_entries(table.snapshot.act, titles=False).sentence == "Lars takes damage"


async def test_a_defence_has_the_sign_of_its_outcome_and_moves_no_clock(tmp_path: Path) -> None:
    """It is a roll like any other to look at."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\n'
    async with playing(tmp_path, text=DEFENDED + clock) as (pilot, table):
        await pilot.press("d", "l", "enter", "m", "6", "6", "6", "enter")
        assert "★ Critical success" in seen(pilot)
        assert not [move for move in table.snapshot.moves if move.follows and move.verb == "on"]
