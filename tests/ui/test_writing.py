"""Texts that are typed: where they go, how the next field is reached, and that they are not thrown away."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, listed, playing, seen, typed
from tests.kit.app import looked as look
from tests.ui.test_course_flow import CAMPAIGN as MOTH
from waylog.rules.systems.emissaries.sheet import Lun
from waylog.table import Table
from waylog.ui.line.choices import Choice
from waylog.ui.line.line_keys import Prompt
from waylog.ui.line.line_state_and_drawing import AtChoice
from waylog.ui.main_screen import MainScreen


async def test_esc_asks_before_a_text_is_thrown_away(tmp_path: Path) -> None:
    """Once asks, and unmarks what is marked; once more leaves, and any other key only keeps the text."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("c")
        await typed(pilot, "The fog 6 death")
        await pilot.press("down", "escape")
        assert "Discard what you typed? Esc again" in seen(pilot)
        assert "clock › The fog 6 death" in seen(pilot)
        await pilot.press("n")
        assert "Discard" not in seen(pilot)
        assert "clock › The fog 6 deathn" not in seen(pilot)
        await pilot.press("enter")
        assert table.snapshot.clocks["the-fog"].name == "The fog"
        await pilot.press("n")
        await typed(pilot, "Gone")
        await pilot.press("escape", "escape")
        assert "note ›" not in seen(pilot)
        assert table.snapshot.entries == 1


async def test_esc_leaves_a_line_of_commands_at_once(tmp_path: Path) -> None:
    """Words of commands are soon typed again: nobody is asked about them."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("r", "n", "escape")
        assert "roll ›" not in seen(pilot)
        await pilot.press("n", "escape")
        assert "note ›" not in seen(pilot)


async def test_more_than_one_text_names_the_key_to_the_next(tmp_path: Path) -> None:
    """Tab goes on to the next text, past the choices, and the title says so; without another field it completes."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, "clock Fog 6 death")
        assert "Tab next field" in seen(pilot).splitlines()[-1]
        await pilot.press("ctrl+u")
        await typed(pilot, "roll nav")
        assert "Tab complete" in seen(pilot).splitlines()[-1]
        assert table.snapshot.entries == 0


async def test_what_is_typed_goes_into_the_marked_field(tmp_path: Path) -> None:
    """What is typed is added to the marked field, even where another field has a text already."""
    async with playing(tmp_path, text=CAMPAIGN.partition("[crew.lars]")[0]) as (pilot, table):
        await pilot.press("s", "down")
        await typed(pilot, "Zoe")
        assert "Who is here  Zoe" in seen(pilot)
        await pilot.press("up")
        await typed(pilot, "The Gate")
        await pilot.press("down", "comma", "space")
        await typed(pilot, "Ana")
        await pilot.press("enter")
        session = table.snapshot.sessions["1"]
        assert (session.title, session.present) == ("The Gate", "Zoe, Ana")


async def test_tab_goes_from_the_title_of_a_session_to_who_is_here(tmp_path: Path) -> None:
    """The field that Tab goes to takes what is typed next, without a word that one must know."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("s")
        await typed(pilot, "The Gate")
        await pilot.press("tab")
        await typed(pilot, "Ilse, Bram")
        assert "Ilse, Bram" in seen(pilot)
        await pilot.press("enter")
        session = table.snapshot.sessions["1"]
        assert (session.title, session.present) == ("The Gate", "Ilse, Bram")


async def test_tab_keeps_whom_space_has_ticked(tmp_path: Path) -> None:
    """In a form Tab goes on to the next text, as the line at the bottom says; Space ticks, and the next Space unticks."""
    people = "".join(f'\n[players.{key}]\nname = "{key.title()}"\n' for key in ("ana", "bo", "cy"))
    async with playing(tmp_path, text=CAMPAIGN + people) as (pilot, table):
        await pilot.press("s", "down", "right", "right", "space", "space", "space")
        assert "[x] Bo ▸ [ ] Cy" in seen(pilot)
        assert "Tab next field" in seen(pilot).splitlines()[-1]
        await pilot.press("tab")
        await typed(pilot, "The Gate")
        await pilot.press("tab")
        await typed(pilot, "Eve")
        await pilot.press("enter")
        session = table.snapshot.sessions["1"]
        assert (session.title, session.present) == ("The Gate", "Ana, Bo, Eve")


async def test_tab_leaves_an_empty_field_as_it_is(tmp_path: Path) -> None:
    """A session without a title has those who are here; Tab behind the last field is back at the first."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("s", "tab")
        assert 'with "' in seen(pilot)
        await pilot.press("tab", "tab")
        await typed(pilot, "Ilse")
        await pilot.press("enter")
        session = table.snapshot.sessions["1"]
        assert (session.title, session.present) == ("", "Ilse")


def _unnamed(table: Table) -> None:
    """A roll that asks for nothing but a name."""
    table.play(table.understand("roll mara 7 pil daring thriving 3 5"))
    table.play(table.understand("elect daring"))


async def test_letters_go_into_the_only_field_there_is(tmp_path: Path) -> None:
    """Where a question has one answer and that is a text, typing it opens its field, and no letter runs a key."""
    async with playing(tmp_path, text=MOTH) as (pilot, table):
        _unnamed(table)
        await looked(pilot)
        assert "type your answer" in seen(pilot)
        await typed(pilot, "quiet under Tide 2")
        assert "quiet under Tide 2" in seen(pilot).splitlines()[-2]
        await pilot.press("enter")
        assert table.snapshot.question is None
        assert table.entry(3).words == 'name "quiet under Tide 2"'


@pytest.mark.parametrize("answer", ["nervous dockhands", "undertow", "3 crates", "?"])
async def test_a_text_keeps_its_first_letter(tmp_path: Path, answer: str) -> None:
    """Whatever key it is elsewhere: the answer has no letter of its own, and no letter is named as a key."""
    async with playing(tmp_path, text=MOTH) as (pilot, table):
        _unnamed(table)
        await looked(pilot)
        hints = " ".join(seen(pilot).splitlines()[-1].split())
        assert hints == "A–Z type your answer ⏎ edit Esc use shortcuts Ctrl+P commands"
        await typed(pilot, answer)
        await pilot.press("enter")
        assert table.entry(3).words == f'name "{answer}"'


@pytest.mark.parametrize("before", [(), ("escape",)])
async def test_enter_opens_the_field_of_a_text_empty(tmp_path: Path, before: tuple[str, ...]) -> None:
    """Also once letters are keys again."""
    async with playing(tmp_path, text=MOTH) as (pilot, table):
        _unnamed(table)
        await looked(pilot)
        await pilot.press(*before, "enter")
        await typed(pilot, "Tides")
        await pilot.press("enter")
        assert table.entry(3).words == 'name "Tides"'


async def test_esc_makes_letters_keys_again(tmp_path: Path) -> None:
    """A question can be left open for a note, or undone; the next question has the letters again."""
    async with playing(tmp_path, text=MOTH) as (pilot, table):
        _unnamed(table)
        await looked(pilot)
        await pilot.press("escape", "N")
        await typed(pilot, "Later")
        await pilot.press("enter")
        assert table.entry(3).words == 'secret "Later"'
        assert "type your answer" in seen(pilot)


async def looked(pilot: Pilot[None]) -> None:
    """Wait until the app shows what the table has done."""
    look(pilot)
    await pilot.pause()
    await pilot.pause()


async def test_real_dice_are_helped_with_where_they_are_typed(tmp_path: Path) -> None:
    """The end of the line names the dice of a roll in their order, and behind those that are typed the next."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("r")
        await typed(pilot, "n aft ")
        assert "real dice: 2d6 for NAV, then 1d6 for AFTERBURNERS" in seen(pilot).splitlines()[-2]
        await typed(pilot, "35")
        assert "next die: d6 for AFTERBURNERS" in seen(pilot).splitlines()[-2]
        await typed(pilot, "6")
        assert "all dice typed" in seen(pilot).splitlines()[-2]


async def test_damage_says_beforehand_what_it_would_do(tmp_path: Path) -> None:
    """To the ship, and to each of the crew."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        for keys, forecast in (
            (("d", "s"), "→ integrity is lost"),
            (("d", "m"), "→ suit life support is lost (1–2); "),
        ):
            await pilot.press(*keys)
            assert forecast in seen(pilot)
            await pilot.press("escape")


async def test_keys_fit_the_game_that_is_played(tmp_path: Path) -> None:
    """The example of a roll that the list of keys gives is one of this game."""
    async with playing(tmp_path, text=MOTH) as (pilot, _):
        await pilot.press("question_mark")
        assert "355" not in listed(pilot)
        assert "(type real dice last, such as 4 6), for example r m 7" in listed(pilot)


async def test_a_click_on_a_choice_that_has_gone_does_nothing(tmp_path: Path) -> None:
    """Clicks that come fast may mean a list that was drawn before the line changed."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r")
        await pilot.pause()
        prompt = pilot.app.query_one(Prompt)
        gone = Choice(prompt._line.choices[0].does, "gone")
        for position in (0, 99):
            prompt.click(AtChoice(position, gone))
            await pilot.pause()
        assert table.snapshot.entries == 0
        assert prompt._line.selected is None


async def test_enter_goes_to_the_next_text_that_is_needed(tmp_path: Path) -> None:
    """It never goes on with the first one; and Ctrl+U clears the text alone, not the words before it."""
    async with playing(tmp_path, text=MOTH) as (pilot, table):
        table.play(table.understand("ask mara clue-1"))
        await looked(pilot)
        assert isinstance(pilot.app.screen, MainScreen)
        choices = pilot.app.screen.window.tray.choices
        await pilot.press(next(key for key, move in choices if move.id == "answer new-flow"))
        await typed(pilot, "Teh thaw")
        await pilot.press("ctrl+u")
        await typed(pilot, "The thaw")
        await pilot.press("enter")
        await typed(pilot, "An old hatsch")
        await pilot.press("ctrl+u")
        await typed(pilot, "An old hatch")
        assert table.snapshot.question
        await pilot.press("enter")
        assert table.snapshot.question is None
        answered = next(table.latest())
        assert answered.words == 'answer new-flow "The thaw" "An old hatch"'


LUN = """\
format = 1
name = "Ring"
system = "emissaries"
log = "0001:0"
"""
_MADE = ('join "Ilka"', "background well", "stats 5 4 4 4", 'trait "Tall" 1d4', 'trait "Patient" 6d8', "keep")


@pytest.mark.parametrize("texts", [("red", "glass", "round"), ("blue", "", "")])
async def test_enter_goes_on_to_the_texts_of_a_lun(tmp_path: Path, texts: tuple[str, str, str]) -> None:
    """Behind each text Enter goes to the next, once, and says so. What stays empty is left out, and then it is played."""
    async with playing(tmp_path, text=LUN) as (pilot, table):
        for words in _MADE:
            table.play(table.understand(words))
        await looked(pilot)
        entries = table.snapshot.entries
        await pilot.press("colon")
        await typed(pilot, "lun ")
        for number, text in enumerate(texts, 1):
            assert table.snapshot.entries == entries
            await typed(pilot, text)
            assert ("⏎ next" if number < len(texts) else "⏎ lun") in seen(pilot).splitlines()[-1]
            await pilot.press("enter")
        assert table._store.campaign.state.sheet.crew["ilka"].lun == Lun(*texts)


async def test_enter_behind_a_name_and_a_kind_makes_a_clock(tmp_path: Path) -> None:
    """Its other texts are seldom answered, so Enter doesn't stop at them."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("c")
        await typed(pilot, "Fog push")
        await pilot.press("enter")
        assert table.snapshot.clocks["fog"].name == "Fog"


@pytest.mark.parametrize(
    "name",
    [
        'Say "no" now',
        'Say "no" now push',
        "The push to gate 8",
        'The "Guild" is "here" now',
        "Fog push later 4",
    ],
)
async def test_a_name_that_is_no_whole_command_keeps_each_word_and_quote(tmp_path: Path, name: str) -> None:
    """Its kind is asked for then, as behind any other name, and ticking it drops nothing."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("c")
        await typed(pilot, name)
        await pilot.press("enter", "enter")
        assert table.snapshot.entries == 0
        await pilot.press("enter")
        (clock,) = table.snapshot.clocks.values()
        assert (clock.name, clock.kind, clock.segments) == (name, "push", 6)


@pytest.mark.parametrize("verb", ["c", ":clock "])
async def test_a_whole_command_is_read_as_one(tmp_path: Path, verb: str) -> None:
    """Its quotes then say where a text begins and ends."""
    async with playing(tmp_path) as (pilot, table):
        await typed(pilot, f'{verb}Storm "It breaks" 8 death')
        await pilot.press("enter")
        (clock,) = table.snapshot.clocks.values()
        assert (clock.name, clock.outcome, clock.segments, clock.kind) == ("Storm", "It breaks", 8, "death")


async def test_quotes_within_a_text_of_a_form_belong_to_it(tmp_path: Path) -> None:
    """In the first text and in the next one. Backspace takes a quote away whole."""
    async with playing(tmp_path, text=LUN) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, 'Will the "Guild" hear us')
        await pilot.press("enter")
        await typed(pilot, 'they say "no"')
        await pilot.press("backspace")
        await typed(pilot, '" and leave')
        await pilot.press("enter")
        latest = next(table.latest())
        assert latest.words == r'conflict "Will the \"Guild\" hear us" losing "they say \"no\" and leave"'


async def test_quotes_belong_to_a_text_that_has_no_word_before_it(tmp_path: Path) -> None:
    """The cursor is put into it by an arrow, and what is typed there is all of it, also a word of another answer."""
    async with playing(tmp_path) as (pilot, table):
        await typed(pilot, "cFog push")
        prompt = pilot.app.screen.query_one(Prompt)
        await pilot.press("tab")
        assert prompt.line.field is not None
        await typed(pilot, 'they say "no" to death')
        await pilot.press("enter")
        (clock,) = table.snapshot.clocks.values()
        assert (clock.name, clock.kind, clock.outcome) == ("Fog", "push", 'they say "no" to death')


async def test_enter_goes_on_from_the_name_of_an_obstacle_to_its_dice(tmp_path: Path) -> None:
    """They are required, and the form says so. Typed behind the name, they are its dice too."""
    async with playing(tmp_path, text=LUN) as (pilot, table):
        for words in ('conflict "The egg goes home"',):
            table.play(table.understand(words))
        await looked(pilot)
        await pilot.press("o")
        await typed(pilot, "Guild elder")
        assert "optional" not in seen(pilot)
        assert "⏎ next" in seen(pilot).splitlines()[-1]
        await pilot.press("enter")
        await typed(pilot, "4d6 2d8")
        await pilot.press("enter")
        assert next(table.latest()).words == 'obstacle "Guild elder" "4d6 2d8"'
        await pilot.press("o")
        await typed(pilot, "The storm 4d6")
        await pilot.press("enter")
        assert next(table.latest()).words == 'obstacle "The storm" "4d6"'


async def test_a_line_says_which_word_a_tick_has_left_out(tmp_path: Path) -> None:
    """It is a command that somebody typed from its first word on, so the word belongs to no text."""
    async with playing(tmp_path) as (pilot, table):
        await typed(pilot, ':clock Say "no" now')
        await pilot.press("enter", "enter")
        assert "The word “now” was left out" in seen(pilot)
        assert table.snapshot.entries == 0
