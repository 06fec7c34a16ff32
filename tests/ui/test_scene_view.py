"""The scene: a view that is there while a conflict lasts, where dice that lie open are picked by typing them."""

import shutil
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN, SIZES, drained, listed, looked, playing, seen, typed
from tests.kit.table import play
from tests.kit.thorough import cases
from waylog.ui.main_screen import MainScreen

EGG = """\
format = 1
name = "Egg"
system = "emissaries"
log = "0001:0"
crew.mara = { name = "Mara", made = true, body = 4, mind = 3, soft = 3, hard = 3 }
npcs.thoss = { name = "Thoss", body = 3, mind = 4, soft = 3, hard = 3, rows = 2 }
"""
BEGUN = ("conflict Egg", "enter mara argue 1 2 2 3 4 4", "enter thoss argue 1 1 3 4 5 6 6", "begin mara")


def looking(pilot: Pilot[None]) -> str:
    """The view that is looked at."""
    frame = pilot.app.screen
    assert isinstance(frame, MainScreen)
    return frame.window.tab


def line(pilot: Pilot[None]) -> str:
    """What is typed."""
    return seen(pilot).splitlines()[-2].strip()


async def shown(pilot: Pilot[None]) -> None:
    """Wait until the app shows what the table has done."""
    looked(pilot)
    await pilot.pause()
    await pilot.pause()


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_the_window_goes_to_a_scene_that_opens_and_back_when_it_ends(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """Its tab is there while it lasts. Who was at the crew is at the crew again, and so it is after an undo."""
    async with playing(tmp_path, size=size, text=EGG) as (pilot, table):
        await pilot.press("2", "colon")
        await typed(pilot, 'conflict "Egg"')
        assert " 6 " not in seen(pilot).splitlines()[0]
        await pilot.press("enter")
        await pilot.pause()
        assert looking(pilot) == "scene"
        assert " 6 Sc" in seen(pilot).splitlines()[0]
        assert "Egg" in "".join(seen(pilot).splitlines()[1:3])
        await pilot.press("u", "u")
        await pilot.pause()
        assert looking(pilot) == "crew"
        assert "Mara" in seen(pilot)
        assert " 6 " not in seen(pilot).splitlines()[0]
        await pilot.press("U", "U")
        await pilot.pause()
        assert looking(pilot) == "scene"
        await pilot.press("3")
        await pilot.pause()
        play(table, "call-off")
        await shown(pilot)
        assert looking(pilot) == "log", "who had looked elsewhere stays there"


async def test_keys_behind_the_act_that_opens_a_scene_meet_it(tmp_path: Path) -> None:
    """Digits that come in a burst with it, before the view has ever been seen, pick dice."""
    async with playing(tmp_path, text=EGG) as (pilot, table):
        play(table, *BEGUN, "give")
        await shown(pilot)
        assert looking(pilot) == "ship"
        for key in ("u", "u", "4", "1", "enter"):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        for _ in range(100):
            await drained(pilot)
            if table.entry(table.snapshot.entries).words != "undo":
                break
        assert table.entry(table.snapshot.entries).words == "raise 4 1"


async def test_a_campaign_left_in_a_scene_opens_there(tmp_path: Path) -> None:
    """What is under way is what one sees first."""
    async with playing(tmp_path, text=EGG) as (_, table):
        play(table, *BEGUN)
        table.settle()
    async with playing(tmp_path, text=(tmp_path / "campaign.toml").read_text()) as (pilot, _):
        assert looking(pilot) == "scene"
        assert "[4] [4] [3]" in seen(pilot) or "│ 4 │ │ 4 │ │ 3 │" in seen(pilot)


async def test_there_is_no_scene_without_one(tmp_path: Path) -> None:
    """`6` says so, and that a game has no such tab where it never has one; no tab stands for it."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, _):
        await pilot.press("6")
        assert "Veil Runners, CORE edition has no tab 6" in seen(pilot)
        assert looking(pilot) == "ship"
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Go to scene" not in seen(pilot)


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_dice_are_picked_by_their_number(tmp_path: Path, size: tuple[int, int]) -> None:
    """A digit a die into the line of the move, and what it will be is said before Enter: reverse, block, take the blow."""
    async with playing(tmp_path, size=size, text=EGG) as (pilot, table):
        play(table, *BEGUN)
        await shown(pilot)
        await pilot.press("4")
        assert line(pilot) == ": › raise 4"
        assert "pick 1 more die: type what it shows" in " ".join(seen(pilot).split())
        await pilot.press("enter")
        assert table.entry(table.snapshot.entries).words == "begin mara"
        await pilot.press("1")
        assert line(pilot) == ": › raise 4 1"
        assert "4 + 1 = 5" in seen(pilot)
        assert "One die could reverse it" in seen(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert table.entry(table.snapshot.entries).words == "raise 4 1"
        await pilot.press("6")
        assert "Reverse" in seen(pilot)
        assert "against 5" in seen(pilot)
        await pilot.press("1")
        assert "Block or dodge" in seen(pilot)
        await pilot.press("backspace", "backspace", "3", "1")
        assert line(pilot) == ": › see 3 1"
        assert "3 + 1 = 4 is too low: the raise is 5" in " ".join(seen(pilot).split())
        await pilot.press("1")
        assert "Takes the blow" in seen(pilot)
        assert "fallout" in seen(pilot)
        await pilot.press("enter")
        assert table.entry(table.snapshot.entries).words == "see 3 1 1"


async def test_a_zero_is_the_ten(tmp_path: Path) -> None:
    """As with real dice; and dice go on with words that are said."""
    trait = 'npcs.thoss = { name = "Thoss", body = 3, mind = 4, soft = 3, hard = 3, rows = 2, traits.old = { text = "Old", dice = "1d10" } }'
    text = "\n".join(trait if row.startswith("npcs") else row for row in EGG.splitlines()) + "\n"
    async with playing(tmp_path, text=text) as (pilot, table):
        play(table, *BEGUN[:2], "enter thoss argue old 1 1 3 4 5 6 6 0", "begin mara", "raise 4 3")
        await shown(pilot)
        await pilot.press("0")
        assert line(pilot) == ": › see 0"
        assert "10 against 7" in seen(pilot)
        await typed(pilot, "Not with me")
        await pilot.press("enter")
        assert table.entry(table.snapshot.entries).words == 'see 10 "Not with me"'
        await pilot.pause()
        assert "╭kept╮" in seen(pilot) or "[10/d10 kept]" in seen(pilot)


async def test_digits_take_the_place_of_what_is_suggested(tmp_path: Path) -> None:
    """The move's own key opens the line with the adviser's dice; whoever types others has picked those."""
    async with playing(tmp_path, text=EGG) as (pilot, table):
        play(table, *BEGUN)
        await shown(pilot)
        await pilot.press("r")
        assert line(pilot) == ": › raise 4 3"
        await pilot.press("4", "4")
        assert line(pilot) == ": › raise 4 4"
        await pilot.press("backspace", "5")
        assert "You have no 5 to put forward" in seen(pilot)
        await pilot.press("backspace", "4", "2")
        assert "at most 2 dice, not 3" in seen(pilot)
        await pilot.press("escape")
        assert table.entry(table.snapshot.entries).words == "begin mara"


async def test_a_text_goes_on_behind_what_is_suggested(tmp_path: Path) -> None:
    """Tab leads to the text of the line, and so keeps the adviser's dice."""
    async with playing(tmp_path, text=EGG) as (pilot, table):
        play(table, *BEGUN)
        await shown(pilot)
        await pilot.press("r", "tab")
        await typed(pilot, "We go")
        assert line(pilot) == ": › raise 4 3 We go"


async def test_words_keep_the_dice_that_are_suggested(tmp_path: Path) -> None:
    """They are the text of the line, and so is a sign. Once they are cleared, a digit takes the place of the dice as before."""
    async with playing(tmp_path, text=EGG) as (pilot, table):
        play(table, *BEGUN)
        await shown(pilot)
        await pilot.press("r", "question_mark", "backspace")
        assert seen(pilot).splitlines()[-1].startswith(" ⏎ raise ")
        assert line(pilot) == ": › raise 4 3"
        await typed(pilot, "We go")
        assert line(pilot) == ": › raise 4 3 We go"
        await pilot.press("ctrl+u")
        assert line(pilot) == ": › raise 4 3"
        await pilot.press("4", "4")
        assert line(pilot) == ": › raise 4 4"


async def test_a_digit_is_no_answer_while_dice_are_chosen(tmp_path: Path) -> None:
    """Whoever has a number in the name gets a letter; the last line says what digits do, and what else can be done meanwhile."""
    async with playing(tmp_path, text=EGG, size=(160, 36)) as (pilot, table):
        play(table, *BEGUN[:2], 'obstacle "Raider 2" 4d6', "obstacle Raider-3 4d6")
        await shown(pilot)
        assert not [key for key, _ in pilot.app.screen.window.tray.choices if key.isdigit()]  # type: ignore[attr-defined]
        play(table, "enter thoss argue 1 1 3 4 5 6 6", "begin mara")
        await shown(pilot)
        hints = seen(pilot).splitlines()[-1]
        assert " r raise  e escalate  g give " in hints
        assert "  0–9 dice  " in hints
        assert "  c clock  " in hints


async def test_one_letter_gives_nothing_up(tmp_path: Path) -> None:
    """Who gives last loses the stakes, and the question before it says so. Neither the key again nor Esc gives."""
    async with playing(tmp_path, text=EGG) as (pilot, table):
        play(table, *BEGUN)
        await shown(pilot)
        entries = table.snapshot.entries
        await pilot.press("g", "g", "escape")
        assert table.snapshot.entries == entries
        await pilot.press("g")
        assert "Let Mara give? The stakes go to Thoss. Enter confirms, Esc continues" in " ".join(seen(pilot).split())
        await pilot.press("enter")
        assert table.snapshot.question is None


@pytest.mark.parametrize(("third", "first"), [("alt+3", "alt+1"), ("ctrl+3", "ctrl+1"), ("alt+3", "escape")])
async def test_the_views_stay_in_reach(tmp_path: Path, third: str, first: str) -> None:
    """Alt or Ctrl with the digit goes to a view from the scene, and the digit alone from anywhere else; `?` says so."""
    async with playing(tmp_path, size=(120, 60), text=EGG) as (pilot, table):
        play(table, *BEGUN)
        await shown(pilot)
        assert "0–9 dice" in seen(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Choose dice to raise: one digit per die" in listed(pilot)
        assert "Alt+1…6" in listed(pilot)
        await pilot.press("escape", third)
        await pilot.pause()
        assert looking(pilot) == "log"
        assert "0–9 dice" not in seen(pilot)
        await pilot.press("2")
        await pilot.pause()
        assert looking(pilot) == "crew"
        await pilot.press("6", "4", first)
        await pilot.pause()
        still_open = first != "escape"
        assert looking(pilot) == ("ship" if still_open else "scene")
        await pilot.press("3", "enter")
        assert (table.entry(table.snapshot.entries).words == "raise 4 3") is still_open


async def test_large_dice_take_no_room_from_the_exchange(tmp_path: Path) -> None:
    """Nor from the best ways: what a question covers is left free."""
    shutil.copytree(EXAMPLES / "soft-answer", tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / "soft-answer" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(100, 30), text=text) as (pilot, _):
        await pilot.press("alt+6", "s", "enter")
        for words in ("Venn Adaro   [5] [1]", "Can't be reversed", "takes off her robe"):
            assert words in seen(pilot)
        await pilot.resize_terminal(100, 44)
        await pilot.pause()
        assert "│ 5 │ │ 1 │" in seen(pilot)


async def test_the_sides_lie_beside_one_another_where_there_is_room(tmp_path: Path) -> None:
    """Side by side and as chips in a wide window, one under the other in a narrower one; the latest exchange on top."""
    async with playing(tmp_path, size=(120, 36), text=EGG) as (pilot, table):
        play(table, *BEGUN, 'raise 4 3 "It is ours"', "see 5 1 1")
        await shown(pilot)
        screen = seen(pilot)
        heads = next(row for row in screen.splitlines() if "Our side" in row)
        assert "Their side" in heads
        assert "╭───╮" in screen
        assert "Fallout due" in screen
        rows = [row for row in screen.splitlines() if "takes the blow: 5 + 1 + 1 = 7" in row or "“It is ours”" in row]
        assert len(rows) == 2
        assert "takes the blow" in rows[0]
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        heads = next(row for row in seen(pilot).splitlines() if "Our side" in row)
        assert "Their side" not in heads
        assert "Their side" in seen(pilot)


async def test_all_dice_are_in_reach_in_a_narrow_window(tmp_path: Path) -> None:
    """Dice that don't fit in a line go on in the next, and what is further down is walked to."""
    async with playing(tmp_path, size=(40, 20), text=EGG) as (pilot, table):
        play(table, *BEGUN)
        await shown(pilot)
        found = set[str]()
        for _ in range(30):
            found |= {row.strip() for row in seen(pilot).splitlines()}
            await pilot.press("down")
        text = "\n".join(found)
        thoss = [row for row in found if "[" in row]
        assert sum(row.count("[") for row in thoss) >= 7 + 6
        assert "Can't be reversed" in text or "Can't be re" in text
        assert "enters" in text


async def test_enter_never_stands_on_an_answer_that_is_refused(tmp_path: Path) -> None:
    """Mara's dice can't reach the raise: the first answer that she has is chosen, not the one that can't be given."""
    async with playing(tmp_path, text=EGG) as (pilot, table):
        play(table, "conflict Egg", "enter mara argue 1 1 1 1 1 1", "enter thoss argue 1 1 3 4 5 6 6", "begin thoss")
        play(table, 'raise 6 6 "So"')
        looked(pilot)
        await pilot.pause()
        frame = pilot.app.screen
        assert isinstance(frame, MainScreen)
        see, escalate, *_ = (move for _, move in frame.window.tray.choices)
        assert see.blocked
        assert frame.window.tray.selected_follow_up is escalate


async def test_a_count_without_a_limit_names_none(tmp_path: Path) -> None:
    """How much fallout there is has no highest number, and what a form says of it has none either."""
    async with playing(tmp_path, text=EGG, size=(120, 36)) as (pilot, _):
        await typed(pilot, ":fallout mara")
        assert "1 or more" in seen(pilot)
        assert "1000000" not in seen(pilot)


@pytest.mark.parametrize("said", [BEGUN[:1], BEGUN])
async def test_a_conflict_is_called_off_only_after_a_question(tmp_path: Path, said: tuple[str, ...]) -> None:
    """Before it has begun and afterwards: neither the key nor the key again ends it, Esc goes on, and Enter ends it."""
    async with playing(tmp_path, text=EGG) as (pilot, table):
        play(table, *said)
        await shown(pilot)
        entries = table.snapshot.entries
        await pilot.press("C")
        assert "Enter confirms, Esc continues" in seen(pilot)
        await pilot.press("C", "escape")
        assert table.snapshot.entries == entries
        await pilot.press("C", "enter")
        assert table.snapshot.question is None


@pytest.mark.parametrize("size", [(60, 18), (40, 20)])
async def test_the_dice_that_a_question_is_about_are_in_sight_in_a_small_window(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """What was said last gives way to them, and so do the ends of long answers; what Enter takes is said in full. They are in sight under
    the form of an answer as well, which begins with what it asks.
    """
    shutil.copytree(EXAMPLES / "soft-answer", tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / "soft-answer" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=size, text=text) as (pilot, _):
        await drained(pilot)
        words = " ".join(seen(pilot).split())
        assert "Harbourmaster Quell raises [6] [2] 6 + 2 = 8" in words.replace("▸ ", "")
        assert "[6] [5] [2] [1]" in words
        assert "See 8: block with 6 and 2, or take the blow with 5, 2 and 1…" in words
        assert "Call off the conflict" in words
        await pilot.press("s")
        await drained(pilot)
        assert "[6] [5] [2] [1]" in seen(pilot)
        rows = [row.split("  ") for row in seen(pilot).splitlines()]
        title = next(at for at, row in enumerate(rows) if row[0].startswith("─ See 8"))
        assert "Dice" in rows[title + 2]
