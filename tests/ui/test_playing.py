"""A session by keys alone: roll, real dice, follow-ups where the roll is, undo, notes, clocks."""

from pathlib import Path

import pytest
from textual import events

from tests.kit.app import CAMPAIGN, SIZES, drained, free_answer, looked, playing, seen, typed
from tests.kit.table import saved
from tests.kit.thorough import cases
from waylog.rules.model.facts import RollFact
from waylog.ui.draw.clock_face import GIANT, slice_lines
from waylog.ui.main_screen import MainScreen


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
@pytest.mark.parametrize(
    ("key", "word"),
    [("1", "CORE"), ("2", "Vitality"), ("3", "The log is empty"), ("4", "clock"), ("5", "No tables yet")],
)
async def test_every_screen_draws_at_every_size(tmp_path: Path, size: tuple[int, int], key: str, word: str) -> None:
    """Each of the five screens shows what it is for, with the bar above and no line wider than the window."""
    async with playing(tmp_path, size=size) as (pilot, _):
        await pilot.press(key)
        await pilot.pause()
        screen = seen(pilot)
        assert word in screen
        assert ":" in screen.splitlines()[0], "the key of the menu shows at every width"
        assert len(screen.splitlines()) <= size[1]


async def test_a_roll_is_three_keys(tmp_path: Path) -> None:
    """`r`, the roller's letter, Enter: the dice are on the tray and in the log."""
    async with playing(tmp_path, 3, 2) as (pilot, table):
        await pilot.press("r", "c", "enter")
        assert table.entry(1).words == "roll cpu"
        assert "Roll CPU" in seen(pilot)


async def test_keys_that_come_in_a_burst_are_taken_one_by_one(tmp_path: Path) -> None:
    """Whole rolls typed faster than the screen can follow come out as typed: no key goes to what the last one left."""
    async with playing(tmp_path, 6, 2, 6, 1, text=CAMPAIGN.replace("focus = 1", "focus = 0")) as (pilot, table):
        for char in "rc\rrh\rnq and u\ruu":
            key = {"\r": "enter", " ": "space"}.get(char, char)
            pilot.app.post_message(events.Key(key, None if key == "enter" else char))
        await drained(pilot)
        words = [table.entry(number).words for number in range(1, table.snapshot.entries + 1)]
        assert words == ["roll cpu", "roll hul", 'note "q and u"', "undo"]


@pytest.mark.parametrize(("asks", "cancelled"), [("u", "Undo"), ("uuU", "Redo")])
async def test_a_question_that_another_key_drops_says_so(tmp_path: Path, asks: str, cancelled: str) -> None:
    """An undo or a redo that waits is gone at the next key, which does what it always does; Esc needs no words."""
    async with playing(tmp_path, 3, 2) as (pilot, table):
        await typed(pilot, "rc")
        await pilot.press("enter", *asks)
        assert "confirms, Esc cancels" in seen(pilot)
        entries = table.snapshot.entries
        await pilot.press("j")
        assert f"{cancelled} cancelled" in seen(pilot)
        await pilot.press("j")
        assert " cancelled" not in seen(pilot)
        await pilot.press(asks[-1], "escape")
        assert " cancelled" not in seen(pilot)
        assert table.snapshot.entries == entries


async def test_a_question_about_an_act_that_another_key_drops_says_what_is_not_done(tmp_path: Path) -> None:
    """Also while that key's list is open."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "death"\nsegments = 6\n'
    async with playing(tmp_path, text=CAMPAIGN + clock) as (pilot, table):
        await pilot.press(".", "v")
        assert "↶ Cancelled: " in seen(pilot)
        assert "Fog" in seen(pilot)
        await pilot.press("escape", ".", "escape")
        assert "Cancelled" not in seen(pilot)
        assert table.snapshot.entries == 0


async def test_odds_show_before_the_roll(tmp_path: Path) -> None:
    """While a roll is being typed its four chances stand there, and change with every word."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("r", "n")
        assert "25 %" in seen(pilot), "two dice: a Fiasco is one in four"
        await typed(pilot, " a")
        assert "12.5 %" in seen(pilot), "three dice: one in eight"


async def test_stakes_follow_the_line_until_its_roll_ends(tmp_path: Path) -> None:
    """`!` shows them, and hides them again. They are gone with the line, or once nothing is asked about the roll any more."""
    async with playing(tmp_path, 5, 6, text=CAMPAIGN.replace("focus = 1", "focus = 0")) as (pilot, table):

        def shown() -> list[str]:
            return [one.title for one in table.projection().stakes]

        await pilot.press("r", "n", "exclamation_mark")
        assert shown() == ["Roll NAV"]
        await typed(pilot, " d")
        assert shown() == ["Roll NAV: Desperate"]
        await pilot.press("escape")
        assert shown() == []
        await pilot.press("r", "n", "exclamation_mark", "exclamation_mark")
        assert shown() == []
        await pilot.press("exclamation_mark", "enter")
        assert (table.entry(1).words, shown()) == ("roll nav", [])


async def test_real_dice_go_behind_the_words(tmp_path: Path) -> None:
    """Digits at the end of the line are the dice on the table."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r", "n")
        await typed(pilot, " a 3 5 5")
        await pilot.press("enter")
        assert table.entry(1).words == "roll nav afterburners"
        assert table.entry(1).faces == (3, 5, 5)
        await pilot.press("3")
        assert "3 5 5 · real dice" in " ".join(seen(pilot).split()), "the log says so, too"


async def test_dice_that_are_still_to_be_typed_go_straight_in(tmp_path: Path) -> None:
    """With too few dice the tray asks for the rest: a digit each, which Enter confirms and backspace mends."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r", "n")
        await typed(pilot, " 3")
        await pilot.press("enter")
        assert "Type the dice" in seen(pilot)
        await pilot.press("5", "backspace", "6", "4")
        assert "Enter confirms" in seen(pilot)
        assert table.snapshot.entries == 1, "a last digit must not play by itself: the usual Enter would go astray"
        await pilot.press("enter")
        assert table.entry(2).words == "dice"
        assert table.entry(2).faces == (6,)
        assert "Type the dice" not in seen(pilot)
        assert "· real dice" in seen(pilot)


async def test_a_ten_is_typed_into_the_tray_as_a_one_and_a_zero_or_as_a_zero(tmp_path: Path) -> None:
    """No digit is dropped without a word, and a space parts a 1 from a 0. A die without a ten has none."""
    async with playing(tmp_path) as (pilot, table):
        for dice, keys, faces in (
            ("3d10 5", ("1", "0", "0", "backspace", "backspace", "backspace", "1", "0", "3"), (10, 3)),
            ("2d10 5", ("0",), (10,)),
            ("3d10 5", ("1", "space", "0"), (1, 10)),
            ("2d8 5", ("1", "0"), (1,)),
        ):
            await pilot.press("colon")
            await typed(pilot, f"dice {dice}")
            await pilot.press("enter")
            assert ("0 counts as 10" in seen(pilot)) is ("d10" in dice)
            await pilot.press(*keys, "enter")
            assert table.snapshot.act[-1].faces == faces
        await pilot.press("colon")
        await typed(pilot, "dice 2d10 5")
        await pilot.press("enter", "4", "2")
        assert "You have typed all the dice" in seen(pilot)
        await pilot.press("enter")
        assert table.snapshot.act[-1].faces == (4,)


async def test_one_key_lets_the_app_roll_the_rest(tmp_path: Path) -> None:
    """Where real dice are asked for, the app rolls none before it is pressed, however often Enter is."""
    async with playing(tmp_path, 6) as (pilot, table):
        await pilot.press("r", "n")
        await typed(pilot, " 3")
        await pilot.press("enter", "enter", "enter")
        assert table.snapshot.entries == 1
        await pilot.press("W")
        assert table.entry(2).words == "rest"
        assert "Waylog rolled 1 of these dice" in seen(pilot)
        assert "· some real dice" in seen(pilot)
        assert [fact.typed for fact in table.entry(2).facts if isinstance(fact, RollFact)] == [False]


async def test_no_other_key_rolls_dice_that_are_to_be_typed(tmp_path: Path) -> None:
    """A letter that is hit by mistake while the dice lie on the table does nothing to them."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r", "n")
        await typed(pilot, " 3")
        await pilot.press("enter")
        await pilot.press(*"abdefkyz")
        await pilot.press("r")
        assert "Finish this first. NAV: what does the die show?" in seen(pilot)
        assert table.snapshot.entries == 1
        await pilot.press("e")
        assert "press W to let Waylog roll it" in seen(pilot)
        for key in "msdxM":
            await pilot.press(key)
            assert "Finish this first. NAV: what does the die show?" in seen(pilot), key
            assert isinstance(pilot.app.screen, MainScreen)
            assert not pilot.app.screen.window.typing, key
        await pilot.press("n", "tab", "tab")
        assert "note ›" in seen(pilot), "from a note, Tab goes on to what can be written now"


async def test_a_follow_up_is_chosen_where_the_roll_is(tmp_path: Path) -> None:
    """A roll that asks is answered by Enter on the marked answer, and is one act with it."""
    async with playing(tmp_path, 5, 2) as (pilot, table):
        await pilot.press("r", "n", "enter")
        assert table.snapshot.question
        assert table.snapshot.question[:20] in seen(pilot)
        await pilot.press(free_answer(pilot))
        assert table.snapshot.question is None
        assert table.entry(2).root == 1


async def test_undo_can_take_back_the_answer_alone(tmp_path: Path) -> None:
    """`u l` right after it: the question is there again, with the same dice."""
    async with playing(tmp_path, 3, 5) as (pilot, table):
        await pilot.press("r", "n", "enter")
        asked = table.snapshot.question
        assert asked
        await pilot.press("k", "u")
        assert "l undoes only “Tenacity keeps the dice: Success with drawback”" in " ".join(seen(pilot).split())
        assert "l only the last step" in seen(pilot).splitlines()[-1]
        await pilot.press("l")
        assert (table.entry(3).undoes, table.snapshot.question) == ((2,), asked)
        await pilot.press("u")
        assert "takes back only" not in seen(pilot)


async def test_undo_names_the_act_and_asks_for_the_key_again(tmp_path: Path) -> None:
    """One `u` says what would go; a second takes it back; `U` twice puts it back."""
    async with playing(tmp_path, 3, 2) as (pilot, table):
        await pilot.press("r", "c", "enter", "u")
        assert "Undo “Roll CPU" in seen(pilot)
        assert table.snapshot.entries == 1
        await pilot.press("u")
        assert table.entry(2).undoes == (1,)
        await pilot.press("U", "U")
        assert table.entry(3).undoes == (2,)


async def test_any_other_key_leaves_the_act_alone(tmp_path: Path) -> None:
    """Undo that is not said twice is not done, and the other key does what it does."""
    async with playing(tmp_path, 3, 2) as (pilot, table):
        await pilot.press("r", "c", "enter", "u", "down", "enter")
        # What costs nothing is marked.
        assert [entry.words for entry in table.entries()] == ["keep", "roll cpu"]


async def test_the_log_follows_what_is_played(tmp_path: Path) -> None:
    """Whoever looked at an old entry is told how many are newer, and at the next visit sees the newest."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        for number in range(25):
            table.play(table.understand(f"note number-{number}"))
        looked(pilot)
        await pilot.press("3", "g")
        assert "newer ↓" in seen(pilot)
        await pilot.press("1", "n", "x", "enter", "3")
        assert "newer ↓" not in seen(pilot)
        assert "▸" in next(line for line in seen(pilot).splitlines() if line.endswith(" x"))


@pytest.mark.parametrize("odd", [0, 1])
async def test_how_many_are_newer_hides_no_outcome(tmp_path: Path, odd: int) -> None:
    """It stands on a line that has room for it, and not over the end of an entry."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        for number in range(40):
            between = "-" * (48 if number % 2 == odd else 1)
            table.play(table.understand(f'note "number {between} end{number}"'))
        looked(pilot)
        await pilot.press("3", "g")
        assert "newer ↓" in seen(pilot)
        for line in seen(pilot).splitlines():
            assert ("number" in line) == ("end" in line)


async def test_an_old_act_is_taken_back_from_the_log(tmp_path: Path) -> None:
    """`x` on an entry names its act and asks; the acts since stay."""
    async with playing(tmp_path) as (pilot, table):
        for words in ("set ship.focus 0", "note first", "note second"):
            table.play(table.understand(words))
        looked(pilot)
        await pilot.press("3", "up", "up", "X")
        assert "Undo “Set Ship: focus to 0”" in seen(pilot)
        await pilot.press("X")
        assert table.entry(4).undoes == (1,)
        assert "undone at" in seen(pilot)


async def test_nothing_to_take_back_says_so(tmp_path: Path) -> None:
    """`u` in a new campaign explains itself."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("u")
        assert "nothing to undo" in seen(pilot)


async def test_a_note_is_a_line(tmp_path: Path) -> None:
    """`n`, the words, Enter (NM-42). Words that look like an act stay words."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("n")
        await typed(pilot, "nav 3 5")
        await pilot.press("enter")
        assert table.entry(1).words == 'note "nav 3 5"'


async def test_a_clock_is_a_line_and_is_drawn_as_one(tmp_path: Path) -> None:
    """`c` and one line start a clock (NM-29); its screen shows segments and count without colour (NM-27)."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("c")
        await typed(pilot, "Hull breach 6 catastrophe")
        await pilot.press("enter", "4", "plus", "plus")
        screen = seen(pilot)
        assert next(iter(table.snapshot.clocks.values())).filled == 2
        assert "2/6" in screen
        assert all("".join(run.text for run in runs).rstrip() in screen for runs in slice_lines(6, 2, GIANT))
        await pilot.press("minus")
        assert "1/6" in seen(pilot)


@pytest.mark.parametrize(
    ("key", "said"), [("1", "3/3"), ("3", "focus 1 → 3"), ("4", "Hull breach"), ("5", "Night watch")]
)
async def test_a_screen_shows_what_was_done_while_another_was_looked_at(tmp_path: Path, key: str, said: str) -> None:
    """Each has been seen before, and is up to date when one comes back to it."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("1", "2", "3", "4", "5", "2")
        for words in ('clock "Hull breach" 6 catastrophe', 'deck "Night watch"', "set ship.focus 3"):
            table.play(table.understand(words))
        looked(pilot)
        await pilot.press(key)
        await pilot.pause()
        assert said in "\n".join(seen(pilot).splitlines()[:-3])


async def test_a_refusal_leaves_the_line_as_it_was(tmp_path: Path) -> None:
    """What the rules refuse is said with its clause, and can be mended where it stands."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r", "n")
        await typed(pilot, " 3 5 5")
        await pilot.press("enter")
        assert "Too many dice: this takes 2, but you typed 3" in seen(pilot)
        await pilot.press("backspace", "backspace", "enter")
        assert table.entry(1).faces == (3, 5)


async def test_escape_closes_the_line(tmp_path: Path) -> None:
    """Nothing is played, and the keys of the screen work again."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r", "n", "escape", "3")
        assert table.snapshot.entries == 0
        assert "The log is empty" in seen(pilot)


async def test_options_are_picked_by_arrows(tmp_path: Path) -> None:
    """Arrows mark an option, Tab picks it, and the words appear in the line."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r", "n", "down", "tab")
        assert "roll › nav afterburners" in seen(pilot)
        await pilot.press("tab")
        assert "roll › nav" in seen(pilot)
        assert "roll › nav afterburners" not in seen(pilot)
        await pilot.press("escape")
        assert table.snapshot.entries == 0


async def test_a_on_a_row_lists_what_can_be_done_with_it(tmp_path: Path) -> None:
    """The moves about the row under the cursor; what can't be done now says why."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("2", "a")
        assert "Lars" in seen(pilot)
        assert "Deal damage to Lars" in seen(pilot)


async def test_the_palette_has_everything(tmp_path: Path) -> None:
    """Ctrl+P lists all moves and the app's own doings, and finds by typing."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("ctrl+p")
        await typed(pilot, "downtime")
        assert "downtime" in seen(pilot).lower()
        await pilot.press("enter")
        assert table.snapshot.entries == 1
        await pilot.press("ctrl+p")
        await typed(pilot, "look at the log")
        await pilot.press("enter")
        await pilot.pause()
        assert "└" in seen(pilot) or "downtime" in seen(pilot)


async def test_the_keys_show_over_everything(tmp_path: Path) -> None:
    """`?` lists the keys that do something here and now, by what they are for; Esc leaves."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("question_mark")
        await pilot.pause()
        assert "At the table" in seen(pilot)
        assert "Undo the last action" not in seen(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert "CORE" in seen(pilot)


async def test_a_broken_file_is_a_banner_and_play_goes_on(tmp_path: Path) -> None:
    """While the file can't be read the place is said; mended, the banner goes."""
    async with playing(tmp_path, 3, 2) as (pilot, table):
        saved(tmp_path, "focus = 1", "focus = = 1")
        looked(pilot)
        await pilot.pause()
        assert "campaign.toml:9" in seen(pilot)
        await pilot.press("r", "c", "enter")
        assert table.snapshot.entries == 1
        saved(tmp_path, "focus = = 1", "focus = 1")
        looked(pilot)
        await pilot.pause()
        assert "campaign.toml:9" not in seen(pilot)


async def test_a_hand_edit_shows_by_itself(tmp_path: Path) -> None:
    """What an editor saves is on the screen at the next look."""
    async with playing(tmp_path) as (pilot, table):
        saved(tmp_path, "focus = 1", "focus = 3")
        looked(pilot)
        await pilot.pause()
        assert "3/3" in seen(pilot)
        assert table.entry(1).words == "by hand"


async def test_a_window_that_is_too_small_says_so(tmp_path: Path) -> None:
    """One plain line, and everything is back when the window grows."""
    async with playing(tmp_path, size=(28, 7)) as (pilot, _):
        assert "Waylog needs 30×8" in seen(pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "CORE" in seen(pilot)


async def test_the_mouse_works_too(tmp_path: Path) -> None:
    """A tab, a row and a choice can be clicked."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.click("#bar", offset=(20, 0))
        await pilot.pause()
        assert "Vitality" in seen(pilot)
        await pilot.press("r")
        await pilot.click("#tray", offset=(4, 1))
        assert "roll › cpu" in seen(pilot)


async def test_a_click_outside_the_window_leaves_the_keys_where_they_were(tmp_path: Path) -> None:
    """A line that is open still takes Escape, and a view its own keys."""
    async with playing(tmp_path) as (pilot, _):
        outside = events.MouseDown(None, 200, 3, 0, 0, 1, shift=False, meta=False, ctrl=False, screen_x=200, screen_y=3)
        await pilot.press("r")
        pilot.app.post_message(outside)
        await pilot.pause()
        assert "roll ›" in seen(pilot)
        await pilot.press("escape")
        assert "roll ›" not in seen(pilot)


HOSTILE = "[red]x[/red] \x1b]0;owned\x07 \u202egnp.exe 👩‍🚀 " + "very long " * 40


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_hostile_text_is_drawn_as_text(tmp_path: Path, size: tuple[int, int]) -> None:
    """Markup, control characters, direction marks and length in a file change nothing but what is read."""
    written_out = HOSTILE.replace("\x1b", "\\u001b").replace("\x07", "\\u0007").replace("\u202e", "\\u202e")
    text = f"""format = 1
name = "{written_out}"
system = "veil-core"
[ship]
name = "{written_out}"
[crew.lars]
name = "{written_out}"
[clocks.c]
name = "{written_out}"
outcome = "{written_out}"
"""
    async with playing(tmp_path, size=size, text=text) as (pilot, _):
        for key in ("1", "2", "3", "4", "question_mark", "escape", "ctrl+p", "escape", "r"):
            await pilot.press(key)
            await pilot.pause()
            screen = seen(pilot)
            assert not {"\x1b", "\x07", "\u202e"} & set(screen)
        await pilot.press("escape", "n")
        await typed(pilot, "[b]bold[/b]")
        await pilot.press("enter", "3")
        await pilot.pause()
        assert "[b]bold[/b]" in seen(pilot)


async def test_quitting_never_asks(tmp_path: Path) -> None:
    """`q` leaves at once, with a roll open too."""
    async with playing(tmp_path, 5, 2) as (pilot, _):
        await pilot.press("r", "n", "enter", "q")
        await pilot.pause()
        assert not pilot.app.is_running


async def test_every_binding_says_what_it_does(tmp_path: Path) -> None:
    """Each has an id of its own, a description and a tooltip."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("2", "3", "4", "5")
        await pilot.pause()
        screen = pilot.app.screen
        nodes = [pilot.app, screen, *screen.query("*")]
        own = [b for node in nodes if type(node).__module__.startswith("waylog") for b in type(node).BINDINGS]
        assert all(binding.id and binding.description and binding.tooltip for binding in own)
        ids = {binding.id for binding in own}
        assert len(ids) > 30


async def test_focus_begins_with_what_is_suggested(tmp_path: Path) -> None:
    """`f` after a roll has the cheapest raise in the line already, so Enter takes it."""
    async with playing(tmp_path, 5, 2) as (pilot, table):
        await pilot.press("r", "n", "enter", "f")
        assert "› focus 5" in seen(pilot)
        assert "5 NAV" in seen(pilot)
        await pilot.press("enter")
        assert table.entry(2).words == "focus 5"
        assert "6 NAV" in seen(pilot)
        assert "5 NAV" not in seen(pilot)


async def test_a_group_roll_is_the_whole_crews_unless_others_are_chosen(tmp_path: Path) -> None:
    """Enter begins it; whoever is ticked first takes the place of the crew, and the next ones join."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r", "g")
        assert "[x] The whole crew" in seen(pilot)
        assert "─ Group roll ─" in seen(pilot)
        await pilot.press("enter")
        assert table.entry(1).words == "group all"
    async with playing(tmp_path / "two") as (pilot, table):
        await pilot.press("r", "g", "down", "right", "space", "right", "space", "enter")
        assert table.entry(1).words == "group lars mara"


@pytest.mark.parametrize("words", ["g", "gr", "group"])
async def test_a_group_rolls_by_the_key_for_rolls(tmp_path: Path, words: str) -> None:
    """It is a roll, so `r` lists it with its letter, and its first letters are enough, also beside a tool with such a name."""
    text = CAMPAIGN.replace('name = "Mara"', 'name = "Mara"\nprimary = { name = "the good spanner" }')
    async with playing(tmp_path, text=text) as (pilot, table):
        await pilot.press("r")
        assert "g  Group roll" in seen(pilot)
        await typed(pilot, f"{words} l m")
        await pilot.press("enter")
        assert table.entry(1).words == "group lars mara"
