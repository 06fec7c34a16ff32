"""Course and Flow by keys: both elections stand side by side, whole, and one key takes one."""

from pathlib import Path

import pytest

from tests.kit.app import listed, looked, playing, seen, typed
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.ui.main_screen import MainScreen

CAMPAIGN = """\
format = 1
name = "Moth"
system = "course-flow"
log = "0001:0"

[course]
die = "sneaky"
face = 2
set_by = "iko"

[flows.patrol]
name = "The harbour patrol is tired"
value = 3

[crew.iko]
name = "Iko"

[crew.mara]
name = "Mara"
skills = { Piloting = 1 }
"""


@pytest.mark.clause("CF-13")
@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_both_elections_are_read_to_their_end(tmp_path: Path, size: tuple[int, int]) -> None:
    """In the smallest window too nothing of what follows is cut off; the die's letter elects it, and Enter elects none."""
    async with playing(tmp_path, size=size, text=CAMPAIGN) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "m 16 pil patrol dangerous watched thr daring 2 6")
        await pilot.press("enter")
        whole = " ".join(seen(pilot).split())
        assert (
            "t Thriving 2: a tie: Setback; Flow 3 → 0; Piloting 1 → 2; harm; noticed; next Course Daring 6… "
            "d Daring 6: total 12, a win; high Daring: no harm; Flow 3 → 0; +1 Initiative; noticed; next Course Thriving 2"
        ) in whole
        await pilot.press("enter", "enter")
        assert "Press the letter of an answer" in seen(pilot)
        assert table.snapshot.entries == 1
        await pilot.press("d")
        assert table.entry(2).words == "elect daring"
        assert "Take the win" in seen(pilot)


async def test_enter_on_a_ticked_choice_rolls_nothing(tmp_path: Path) -> None:
    """It takes what is marked, ticked or not, and the next Enter rolls, as the line of hints says. Of the pairs of dice that can then be
    thrown, none is marked.
    """
    async with playing(tmp_path, 5, 3, text=CAMPAIGN, size=(100, 30)) as (pilot, table):
        await pilot.press("r", "m", "enter", "enter", "down")
        assert "▸ [x] Piloting" in seen(pilot)
        assert seen(pilot).splitlines()[-1].startswith(" ⏎ accept  ↑↓ field  ← → choice")
        await pilot.press("enter")
        assert table.snapshot.entries == 0
        assert seen(pilot).splitlines()[-1].startswith(" ⏎ roll")
        await pilot.press("enter")
        assert [table.entry(number).words for number in (1, table.snapshot.entries)] == ["roll mara 7 piloting"] * 2
        await pilot.press("enter")
        assert "Press the letter of an answer" in seen(pilot)
        assert table.snapshot.entries == 1


async def test_without_a_course_the_key_of_rolls_opens_the_line_for_it(tmp_path: Path) -> None:
    """And a roll that is refused names that key."""
    text = CAMPAIGN.replace('die = "sneaky"\nface = 2\nset_by = "iko"\n', "")
    async with playing(tmp_path, text=text) as (pilot, table):
        roll = next(move for move in table.snapshot.moves if move.id == "roll mara")
        pilot.app.frame.flow.choose(roll)  # type: ignore[attr-defined]
        await pilot.pause()
        assert "There is no Course yet. The wayfinder sets the first one. r opens “Set the Course”" in " ".join(
            seen(pilot).split()
        )
        await pilot.press("r")
        assert "─ There is no Course yet. Set the Course ─" in seen(pilot)
        await pilot.press("down", "right", "enter", "enter")
        assert "Face▸ ‹ ? ›" in seen(pilot), "Enter goes to the next question, be it a number"
        await pilot.press("right", "enter")
        assert table.entry(1).words == "course daring 1"
        assert "─ Roll ─" in seen(pilot), "the line that was wanted first opens"
        await pilot.press("m")
        assert seen(pilot).splitlines()[-2].startswith(" roll › m")


async def test_an_answer_with_a_new_flow_says_where_each_text_goes(tmp_path: Path) -> None:
    """Letters go into the text that the bar names, and Enter goes to the other, which has a sign before it."""
    text = CAMPAIGN.partition("[flows.patrol]")[0] + '[crew.iko]\nname = "Iko"\ntokens = { focus = 1 }\n'
    async with playing(tmp_path, text=text, size=(100, 30)) as (pilot, table):
        table.play(table.understand("spend iko focus-1"))
        looked(pilot)
        await pilot.pause()
        assert seen(pilot).splitlines()[-1].startswith(" A–Z type “New Flow”")
        await typed(pilot, "The gate")
        assert seen(pilot).splitlines()[-1].startswith(" ⏎ next")
        await pilot.press("enter")
        assert "Answer  ▸ required" in seen(pilot)
        await typed(pilot, "They run")
        await pilot.press("enter")
        assert table.entry(2).words == 'answer new-flow "The gate" "They run"'


@pytest.mark.clause("CF-22")
async def test_enter_neither_spares_harm_nor_takes_a_win(tmp_path: Path) -> None:
    """No answer of these questions is marked, in any view, and Enter asks for a letter. The line for harm says where the text is kept."""
    async with playing(tmp_path, text=CAMPAIGN, size=(100, 30)) as (pilot, table):
        for line in (
            "roll mara 7 piloting no-flow dangerous",
            "throw compelling expertise 5 4",
            "elect compelling",
        ):
            table.play(table.understand(line))
        looked(pilot)
        await pilot.press("2", "enter")
        assert "Press the letter of an answer" in seen(pilot)
        assert "harm" in (table.snapshot.question or "")
        await pilot.press("m")
        assert "required  a few words for the log; a marked slot stays on the sheet" in seen(pilot)
        await pilot.press("escape", "s")
        for line in ("roll iko 16 no-flow unskilled", "throw daring sneaky 5 4", "elect daring"):
            table.play(table.understand(line))
        looked(pilot)
        await pilot.press("enter")
        assert "Press the letter of an answer" in seen(pilot)
        assert "offers a win" in (table.snapshot.question or "")


async def test_which_slot_of_a_grid_is_marked_is_always_chosen(tmp_path: Path) -> None:
    """Enter goes to the slots and marks none; the right arrow goes there too, and the left one to the last of them. Enter takes the only
    person that the list has.
    """
    text = f'{CAMPAIGN}\n[crew.mara.matrices.body]\nname = "Body"\n'
    async with playing(tmp_path, text=text, size=(100, 30)) as (pilot, table):
        await pilot.press("d")
        assert seen(pilot).splitlines()[-1].startswith(" A–Z choose  ⏎ Mara")
        await pilot.press("enter")
        assert "─ Mark a slot: Mara, Body ─" in seen(pilot)
        await pilot.press("enter")
        assert (table.snapshot.entries, "▸ [ ] a1" in seen(pilot)) == (0, True)
        await pilot.press("escape", "d", "enter", "left")
        assert "▸ [ ] b3" in seen(pilot)
        await pilot.press("escape", "d", "enter", "right", "right", "enter", "enter")
        assert table.entry(1).words == "mark mara-body a2"
        await pilot.press("M", "enter")
        assert table.entry(2).words == "recover mara-body", "the only slot that is marked needs no answer"
        for slot in ("a3", "b2"):
            table.play(table.understand(f"mark mara-body {slot}"))
        looked(pilot)
        await pilot.press("M", "enter", "right")
        assert "▸ [ ] a3" in seen(pilot), "of several that are marked, one is chosen"


async def test_a_grid_stands_beside_a_track_in_the_list_of_damage(tmp_path: Path) -> None:
    """Also though its slot is asked, and that of the track is not."""
    boards = '[crew.mara.matrices.body]\nname = "Body"\n\n[crew.mara.tracks.past]\nname = "The past"\n'
    async with playing(tmp_path, text=f"{CAMPAIGN}\n{boards}") as (pilot, _):
        await pilot.press("d", "m")
        assert "Mark a slot: Mara, The past" in seen(pilot)
        assert "Mark a slot: Mara, Body" in seen(pilot)


async def test_the_row_of_somebody_who_cannot_roll_marks_nothing_else(tmp_path: Path) -> None:
    """Enter takes no other act in place of the roll that is refused."""
    async with playing(tmp_path, text=CAMPAIGN.replace('set_by = "iko"', 'set_by = "mara"')) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        await pilot.press("2")
        while screen.window.row_key != "crew.mara.skills.Piloting":
            await pilot.press("down")
        await pilot.press("enter", "enter")
        assert "No line is chosen" in seen(pilot)


async def test_help_names_dice_for_damage_only_where_it_takes_some(tmp_path: Path) -> None:
    """In this game a slot is marked, without dice."""
    async with playing(tmp_path / "moth", text=CAMPAIGN) as (pilot, _):
        await pilot.press("question_mark")
        assert "d  Damage\n" in listed(pilot)
    async with playing(tmp_path / "tenacity") as (pilot, _):
        await pilot.press("question_mark")
        assert "d  Damage (type a real die last)" in listed(pilot)


async def test_the_row_of_tokens_spends_one(tmp_path: Path) -> None:
    """Enter on it opens the line for a question."""
    text = CAMPAIGN.replace('name = "Iko"', 'name = "Iko"\ntokens = { focus = 1 }')
    async with playing(tmp_path, text=text) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        await pilot.press("2")
        while screen.window.row_key != "crew.iko.tokens":
            await pilot.press("down")
        await pilot.press("enter")
        assert "Spend one of Iko's tokens" in seen(pilot)


@pytest.mark.clause("NM-48")
@pytest.mark.parametrize(("size", "is_whole"), [((100, 30), True), ((80, 24), False)])
async def test_the_end_of_a_call_is_told_whole_or_by_its_latest_roll(
    tmp_path: Path, size: tuple[int, int], is_whole: bool
) -> None:
    """Where there is no room for all who rolled, nobody's result begins in the middle of a sentence."""
    text = f'{CAMPAIGN}\n[crew.bram]\nname = "Bram"\n'
    async with playing(tmp_path, 5, 4, 2, 6, text=text, size=size, bridge=True) as (pilot, table):
        for line in ("call 7 mara bram", "roll mara pil no-flow", "throw compelling daring", "elect compelling"):
            table.play(table.understand(line))
        for line in ("roll bram unskilled no-flow", "throw compelling expertise", "elect expertise"):
            table.play(table.understand(line))
        pilot.app._look()  # type: ignore[attr-defined]
        await pilot.pause()
        tray = seen(pilot)[seen(pilot).index("─ Call for a roll") :]
        assert ("set by Mara" in tray) is is_whole
        assert "set by Bram" in tray


@pytest.mark.clause("NM-48")
async def test_a_called_roll_shows_no_dice_of_those_who_rolled_before(tmp_path: Path) -> None:
    """Whoever is about to throw sees neither the dice nor the result of the other."""
    async with playing(tmp_path, 5, 3, text=f'{CAMPAIGN}\n[crew.bram]\nname = "Bram"\n') as (pilot, table):
        for line in ("call 10 unskilled mara bram", "roll mara", "throw compelling daring"):
            table.play(table.understand(line))
        looked(pilot)
        await pilot.pause()
        assert "5 Compelling  3 Daring" in seen(pilot)
        for line in ("elect compelling", "take"):
            table.play(table.understand(line))
        looked(pilot)
        await pilot.pause()
        assert "5 Compelling  3 Daring" in seen(pilot)
        table.play(table.understand("roll bram"))
        looked(pilot)
        await pilot.pause()
        assert "throw" in {move.verb for move in table.snapshot.moves}
        assert "5 Compelling" not in seen(pilot)


@pytest.mark.clause("CF-12")
@pytest.mark.parametrize("tab", ["1", "2"])
async def test_who_may_not_roll_is_in_sight_beside_ship_and_crew(tmp_path: Path, tab: str) -> None:
    """Whoever may not roll is named beside ship and crew, and on the line for a roll."""
    async with playing(tmp_path, size=(80, 24), text=CAMPAIGN) as (pilot, table):
        await pilot.press(tab)
        await pilot.pause()
        assert "Iko can't roll" in seen(pilot)
        await pilot.press("r", "i")
        await pilot.press("enter")
        assert "Iko set the Course" in seen(pilot)
        assert table.snapshot.entries == 0


@pytest.mark.clause("CF-35")
@pytest.mark.parametrize(
    ("roll", "keys", "words"),
    [
        ("roll mara 16 daring thriving 5 1", ["d"], "elect daring"),
        ("roll mara 16 sneaky daring 5 1", ["d", "enter"], "elect daring"),
        ("roll mara 16 compelling daring 5 1", ["c", "enter"], "elect compelling"),
        ("roll mara 16 compelling daring 5 1", [*"cPell", "enter"], 'elect compelling "Pell"'),
    ],
)
async def test_an_election_takes_one_key_unless_it_has_witnesses(
    tmp_path: Path, roll: str, keys: list[str], words: str
) -> None:
    """Enter passes over the witnesses, or they are typed before it."""
    text = CAMPAIGN.replace('"sneaky"', '"expertise"')
    async with playing(tmp_path, text=text) as (pilot, table):
        table.play(table.understand(roll))
        looked(pilot)
        await pilot.pause()
        await pilot.press(*keys)
        assert table.entry(table.snapshot.entries).words == words


@pytest.mark.clause("CF-33")
async def test_a_session_offers_its_first_course_and_waits_for_nobody(tmp_path: Path) -> None:
    """Its letter sets it; undo takes the Course alone. A roll is begun with the same keys as ever, and the offer is gone."""
    async with playing(tmp_path, 6, 1, text=CAMPAIGN) as (pilot, table):
        await pilot.press("s", "enter")
        assert "f  Set the session's first Course" in seen(pilot)
        await pilot.press(*"fdar", "space", "5", "enter")
        assert table.entry(2).words == "course daring 5"
        await pilot.press("u", "u")
        assert table.snapshot.session == 1
        assert "Sneaky 2" in seen(pilot)
        await pilot.press("s", "enter", "s", "enter")
        assert "Set the session's first Course" in seen(pilot)
        await pilot.press("r")
        await typed(pilot, "m 16 thr daring")
        await pilot.press("enter")
        assert "Which die does Mara pair" in seen(pilot)
        assert all(not (move.verb == "course" and move.follows) for move in table.snapshot.moves)


@pytest.mark.clause("CF-32", "CF-34", "CF-35")
async def test_the_recap_tells_what_a_roll_was_for_and_who_saw_it(tmp_path: Path) -> None:
    """Players read the intent with the result, the witness and the last reaction."""
    async with playing(tmp_path, text=CAMPAIGN) as (_, table):
        for words in (
            'roll mara 7 patrol compelling daring intent "Board the tender" 6 1',
            "react",
            'elect compelling "the pilot"',
            'reaction "The lights go out"',
        ):
            table.play(table.understand(words))
        told = recap_text(table.recap())
        for sentence in ("Mara achieves the intent: Board the tender.", "Impressed: the pilot.", "The lights go out."):
            assert sentence in told
        assert "waits for" not in told


@pytest.mark.clause("CF-10")
async def test_no_skill_is_ticked_for_somebody_who_has_several(tmp_path: Path) -> None:
    """Enter asks which and goes there; nothing that costs the roll its bonus is chosen beforehand."""
    text = CAMPAIGN.replace("{ Piloting = 1 }", "{ Piloting = 1, Knots = 3 }")
    async with playing(tmp_path, size=(80, 24), text=text) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "m 10")
        assert "[x] A skill they lack" not in seen(pilot)
        await pilot.press("enter")
        assert "Skill to use: choose Piloting, Knots or a skill they lack" in seen(pilot)
        assert "▸[ ] Piloting" in seen(pilot).replace("▸ ", "▸")
        assert table.snapshot.entries == 0
        await pilot.press("enter", "enter")
        assert "Mara rolls Piloting 1 against 10" in seen(pilot)


@pytest.mark.clause("CF-11", "CF-20")
async def test_a_pair_of_dice_has_one_letter_in_every_roll(tmp_path: Path) -> None:
    """Whoever rolls, and whatever else there is to choose."""
    text = CAMPAIGN.replace('set_by = "iko"\n', "")
    letters = []
    async with playing(tmp_path, text=text) as (pilot, table):
        for who in ("iko", "mara"):
            table.play(table.understand(f"roll {who} 7"))
            looked(pilot)
            await pilot.pause()
            screen = pilot.app.screen
            assert isinstance(screen, MainScreen)
            letters.append({move.words: key for key, move in screen.window.tray.choices if move.verb == "throw"})
            table.play(table.understand("leave"))
    assert letters[0] == letters[1]
    assert letters[0]["compelling", "daring"] == "a"
    assert len({*letters[0].values()}) == 6


@pytest.mark.clause("CF-11", "CF-34")
async def test_a_pair_of_dice_keeps_its_letter_whatever_the_course_is(tmp_path: Path) -> None:
    """What else is asked has letters of its own, also while the pair that has that letter can't be picked."""
    letters = set[tuple[tuple[str, ...], str]]()
    async with playing(tmp_path, text=CAMPAIGN.replace('set_by = "iko"\n', "")) as (pilot, table):
        for die in ("compelling", "daring", "expertise", "sneaky", "thriving"):
            table.play(table.understand(f"set course.die {die}"))
            table.play(table.understand("roll iko 7"))
            looked(pilot)
            await pilot.pause()
            screen = pilot.app.screen
            assert isinstance(screen, MainScreen)
            letters |= {((move.verb, *move.words), key) for key, move in screen.window.tray.choices}
            table.play(table.understand("leave"))
    assert len(letters) == len(dict(letters)) == 10 + 3
    assert len({letter for _, letter in letters}) == 10 + 3


async def test_ctrl_s_confirms_a_line_as_it_does_a_form(tmp_path: Path) -> None:
    """A new clock is made by the same key in its line and in session zero."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        await pilot.press("c", *"Fog", "space", *"6", "space", *"push", "ctrl+s")
        assert table.snapshot.clocks["fog"].name == "Fog"


async def test_the_course_is_on_the_bridge_once(tmp_path: Path) -> None:
    """Among what the ship has; the crew's own tab says it again."""
    async with playing(tmp_path, text=CAMPAIGN, bridge=True) as (pilot, _):
        assert "Sneaky 2" in seen(pilot)
        assert "On the table" not in seen(pilot)
        await pilot.press("2")
        assert "On the table" in seen(pilot)


async def test_tab_writes_words_in_full_and_begins_no_text_that_nobody_needs(tmp_path: Path) -> None:
    """A complete line of a roll gets no quote; the text is reached by its own word, or by the arrows."""
    async with playing(tmp_path, text=CAMPAIGN.replace('set_by = "iko"\n', "")) as (pilot, _):
        await pilot.press("r", *"iko 7", "tab", "tab")
        assert '"' not in seen(pilot).splitlines()[-2]
        assert "(Tab)" not in seen(pilot)


@pytest.mark.parametrize("leave", [("escape",), ("down", "escape")], ids=["Esc", "Down and Esc"])
async def test_dice_behind_a_text_that_was_left_are_dice(tmp_path: Path, leave: tuple[str, ...]) -> None:
    """They don't become words of the intent, and Waylog rolls none of its own."""
    async with playing(tmp_path, 1, 1, text=CAMPAIGN) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "m 7 pil compelling daring")
        for _ in range(20):
            await pilot.press("down")
            if "Intent   ▸" in seen(pilot):
                break
        await typed(pilot, "Reach the buoy")
        await pilot.press(*leave)
        await typed(pilot, " 2 5")
        await pilot.press("enter")
        assert table.entry(1).faces == (2, 5)
        assert "Reach the buoy 2" not in seen(pilot)


async def test_the_key_of_rolls_answers_no_question_about_dice(tmp_path: Path) -> None:
    """Whoever wants the next roll holds no Course by it: that has a key of its own."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "m 16 pil patrol dangerous watched thr daring 2 6")
        await pilot.press("enter", "r")
        assert table.snapshot.entries == 1
        await pilot.press("H")
        assert table.entry(2).words == "react"
