"""The tray is as tall as what it says."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN, SIZES, drained, playing, seen, typed
from tests.kit.table import table_at
from tests.kit.thorough import cases
from tests.ui.test_palette import INK
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import OutcomeFact, OutcomeGrade
from waylog.store.log.grouped_acts_and_texts import ActPart
from waylog.ui.draw.acts_in_log_and_tray import _draw_part, draw_act, heading_line
from waylog.ui.draw.clickable_line_view import SplitPage
from waylog.ui.draw.colours import Palette, ink_of, outcome_words
from waylog.ui.draw.dice import boxes, faces, named_dice_width
from waylog.ui.draw.drawn_screen import LineCompositor
from waylog.ui.draw.large_letters_and_dice import big_dice
from waylog.ui.main_screen import MainScreen
from waylog.ui.parts.tray import LEAST_ROWS, Tray, most_rows
from waylog.words.last_evening import Welcome
from waylog.words.sentences import whole_cards

pytestmark = pytest.mark.usefixtures("every_frame")

if TYPE_CHECKING:
    from waylog.ui.parts.tray import TrayTarget


def rows(pilot: Pilot[None]) -> int:
    """How tall the tray is."""
    screen = pilot.app.screen
    assert isinstance(screen, MainScreen)
    return screen.window.tray.size.height


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_it_has_two_rows_at_rest_and_no_more_than_it_needs(tmp_path: Path, size: tuple[int, int]) -> None:
    """It grows for a form, which leaves two lines of the view, shrinks to the result without a blank line, and further with the next
    key that is for something else.
    """
    async with playing(tmp_path, 6, 5, 5, size=size) as (pilot, table):
        assert rows(pilot) == LEAST_ROWS
        await pilot.press("r")
        listed = rows(pilot)
        await typed(pilot, "nav aft")
        form = rows(pilot)
        assert LEAST_ROWS < listed <= form <= most_rows(size[1], form=True)
        await pilot.press("enter")
        assert table.snapshot.entries == 1
        result = rows(pilot)
        assert LEAST_ROWS < result <= form
        assert all(line.strip() for line in seen(pilot).splitlines()[-1 - result : -1])
        await pilot.press("k" if table.snapshot.question else "tab", "tab")
        assert rows(pilot) <= 4


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_it_has_no_blank_line_while_something_is_typed(tmp_path: Path, size: tuple[int, int]) -> None:
    """A list that has become shorter gives its lines back at once, as a form does that is left."""
    async with playing(tmp_path, size=size) as (pilot, _):
        for key in ("ctrl+p", *"focus", "escape", "r", "n", "backspace", "escape"):
            await pilot.press(key)
            assert all(line.strip() for line in seen(pilot).splitlines()[-1 - rows(pilot) : -1]), key
        assert rows(pilot) == LEAST_ROWS


async def test_dice_stay_until_their_act_is_over(tmp_path: Path) -> None:
    """While it is asked what to do with them, and while the answer is typed; afterwards a line tells how it came out."""
    async with playing(tmp_path, 5, 2, size=(80, 24)) as (pilot, _):
        await pilot.press("r", "n", "enter")
        drawn = [line for line in seen(pilot).splitlines() if "5 NAV" in line]
        assert drawn
        await pilot.press("f")
        assert drawn[0] in seen(pilot).splitlines()
        assert "focus 5" in seen(pilot)
        await pilot.press("enter")
        assert "6 NAV" in seen(pilot) or "★" in seen(pilot) or "Success" in seen(pilot)
        await pilot.press("tab")
        assert "5 NAV" not in seen(pilot)
        assert "Success" in seen(pilot).splitlines()[-2]


@pytest.mark.parametrize(("size", "is_low"), [((60, 18), True), ((80, 24), False)])
async def test_dice_that_wait_for_more_leave_a_low_window_to_the_view(
    tmp_path: Path, size: tuple[int, int], is_low: bool
) -> None:
    """They stand there in figures."""
    async with playing(tmp_path, size=size, text=CAMPAIGN, bridge=True) as (pilot, _):
        await pilot.press(*"rn", "space", "3", "enter")
        await drained(pilot)
        assert "Type the dice" in seen(pilot)
        assert ("NAV  [3]" in seen(pilot)) is is_low
        assert ("3 NAV" in seen(pilot)) is not is_low


async def test_the_row_under_the_cursor_stays_in_sight(tmp_path: Path) -> None:
    """The view scrolls as far as that takes, and is back where it was when the tray has shrunk."""
    async with playing(tmp_path, size=(80, 24), text=CAMPAIGN) as (pilot, _):
        await pilot.press("end")
        before = seen(pilot)
        assert "▸" in before
        await pilot.press("r", "n")
        assert "▸" in "\n".join(seen(pilot).splitlines()[:12])
        await pilot.press("escape")
        assert seen(pilot) == before


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_a_key_that_makes_it_grow_lays_the_window_out_once(
    tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not again because of that layout, which would draw everything a frame later, and nothing is left for the next key."""
    layouts = list[Screen[None]]()
    lay_out = Screen._refresh_layout

    def count(screen: Screen[None], *arguments: Any, **options: Any) -> None:
        layouts.append(screen)
        lay_out(screen, *arguments, **options)

    monkeypatch.setattr(Screen, "_refresh_layout", count)
    async with playing(tmp_path, size=size) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        tray = screen.window.tray
        for key in ("r", "n", "escape"):
            before, layouts[:] = tray.size.height, []
            await pilot.press(key)
            await pilot.pause()
            assert len(layouts) == (tray.size.height != before)
            assert not tray._repaint_regions


async def test_a_part_that_is_mounted_does_not_draw_the_window_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the command line after the first frame, nor a view that is opened for the first time."""
    whole = list[bool]()
    draw_all = LineCompositor.render_full_update

    def count(compositor: LineCompositor, simplify: bool = False) -> Any:
        whole.append(True)
        return draw_all(compositor, simplify)

    async with playing(tmp_path) as (pilot, _):
        await pilot.pause(0.05)
        monkeypatch.setattr(LineCompositor, "render_full_update", count)
        await pilot.press("r", "escape", "3")
        await pilot.pause(0.05)
        assert not whole


async def test_the_command_line_lies_below_the_parts_that_were_there_before_it(tmp_path: Path) -> None:
    """Textual draws each part again whose place in the order of all parts has changed."""
    async with playing(tmp_path) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        window, prompt = screen.window, screen.window.prompt
        await pilot.press("r", "escape")
        with_prompt = screen._compositor.full_map
        await prompt.remove()
        window._prompt = None
        screen.refresh(layout=True)
        await pilot.pause()
        without = screen._compositor.full_map
        assert prompt in with_prompt
        assert {widget: place for widget, place in with_prompt.items() if widget is not prompt} == without


async def test_an_act_renders_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing the line, the dice that fell and the question about them are one picture; so is each letter that is typed."""
    rendered = list[int]()
    render = Tray._render_parts

    def count(tray: Tray, ink: Palette, width: int, most: int) -> SplitPage[TrayTarget]:
        rendered.append(most)
        return render(tray, ink, width, most)

    async with playing(tmp_path, 5, 2) as (pilot, table):
        await pilot.press("r", "n")
        monkeypatch.setattr(Tray, "_render_parts", count)
        await pilot.press("space")
        assert len(rendered) == 1
        rendered.clear()
        await pilot.press("enter")
        await pilot.pause()
        assert table.snapshot.entries == 1
        assert len(rendered) == 1


def test_a_long_name_below_several_dice_stands_once() -> None:
    """Below the first of them, so that the outcome beside them is whole. A short one stands below each, where it takes no room."""
    named, short = ([Face(name, face) for face in (4, 2, 5)] for name in ("Ines Adeyemi", "NAV"))
    for dice, count in ((named, 1), (short, 3)):
        assert faces(dice, INK, 40)[-1].text.count(dice[0].source) == count
    assert named_dice_width(named) < 3 * named_dice_width(named[:1])


async def test_what_a_hidden_act_did_is_whole_before_the_words_that_it_is_hidden(tmp_path: Path) -> None:
    """The sign alone says it in a narrower window."""
    name = "The long way down to the engine room and back"
    async with playing(tmp_path) as (_, table):
        table.play(table.understand(f'clock "{name}" 6 death hidden'))
        wide, narrow = (heading_line(table.snapshot, INK, width).text for width in (200, 140))
    words = f"New clock: {name}, death: advances with time, ends badly, hidden from players"
    assert f"{words} · ⊘ players don't see this entry" in wide
    assert f"{words} ⊘ " in narrow


def test_for_whom_an_outcome_is_goes_on_below_it_where_that_is_long() -> None:
    """Nothing of it is cut."""
    who = "Ines Adeyemi, with the very good spanner and two friends"
    outcome = OutcomeFact("partial", "Success with drawback", OutcomeGrade.DRAWBACK)
    lines = [line.text.rstrip() for line in _draw_part(ActPart(who, outcome=outcome), INK, 44, 2, figures=False)]
    assert lines[0].strip() == outcome_words(outcome)
    assert " ".join(line.strip() for line in lines[1:]) == who


async def test_the_names_below_dice_are_in_full_where_there_is_room(tmp_path: Path) -> None:
    """Each die has the width that its own name needs, and the words beside them keep what they need."""
    tools = '\n[crew.mara.secondary]\nname = "the very good spanner"\n'
    async with playing(tmp_path, text=CAMPAIGN + tools, size=(100, 30)) as (pilot, _):
        await pilot.press("r")
        await typed(pilot, "mara secondary 1 2 4 6")
        await pilot.press("enter")
        shown = seen(pilot)
        assert "6 the very good spanner" in shown
        assert "◐ Success with drawback" in shown or "✓ Success" in shown


async def test_a_note_stands_in_it_once(tmp_path: Path) -> None:
    """The heading says that it is a note; what it says stands below, in full."""
    async with playing(tmp_path, size=(40, 20)) as (pilot, table):
        await pilot.press("n")
        await typed(pilot, "they knock back")
        await pilot.press("enter")
        assert table.snapshot.entries == 1
        shown = seen(pilot)
        assert "─ Note ─" in shown
        assert shown.count("hey knock back") == 1


LONG = "Last note: " + " ".join(f"word{number}" for number in range(60))


async def test_a_welcome_is_whole_where_the_view_leaves_lines_free(tmp_path: Path) -> None:
    """A note of many words runs on over empty lines of the view. It covers nothing of a low window's, and neither does the scene."""
    clock = '\n[clocks.fog]\nname = "Fog"\nsegments = 6\noutcome = "It comes in"\n'
    async with playing(tmp_path, size=(80, 24), text=CAMPAIGN + clock) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        for tab in "541":
            await pilot.press(tab)
            screen.window.tray.welcome(Welcome("Last played yesterday", "Scene: a door", "", LONG))
            await pilot.pause()
            shown = " ".join(seen(pilot).split())
            assert ("Scene: a door" in shown) == (tab != "1")
            assert (LONG in shown) == (tab != "1")
            assert tab != "4" or "It comes in" in shown
        assert rows(pilot) == LEAST_ROWS


@pytest.mark.parametrize("size", [(60, 18), (40, 20)])
async def test_a_welcome_leaves_a_low_window_to_the_view(tmp_path: Path, size: tuple[int, int]) -> None:
    """It says how long ago the campaign was played and what is open."""
    async with playing(tmp_path, size=size, bridge=True) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        title = "Session 7 “First light in nine days” ended yesterday"
        screen.window.tray.welcome(Welcome(title, "Scene: a door", "Still open: “Fog” is full", LONG))
        await pilot.pause()
        assert f"{title} Still open: “Fog” is full" in " ".join(seen(pilot).split())
        assert "word0" not in seen(pilot)
        assert rows(pilot) <= LEAST_ROWS + 2


@pytest.mark.parametrize("keys", [["2", "1"], ["i", "escape"], ["w", "escape"], ["question_mark", "escape"]])
async def test_a_welcome_is_over_once_something_else_was_seen(tmp_path: Path, keys: Sequence[str]) -> None:
    """After another tab or a screen over the view, the latest act is shown."""
    async with playing(tmp_path, size=(100, 30), bridge=True) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        screen.window.tray.welcome(Welcome("Last played yesterday", "", "", ""))
        await pilot.press("down")
        assert "Last played yesterday" in seen(pilot)
        await pilot.press(keys[0])
        assert "Last played yesterday" not in seen(pilot)
        await pilot.press(*keys[1:])
        await pilot.pause()
        assert "Last played yesterday" not in seen(pilot)


@pytest.mark.parametrize("size", [(60, 18), (40, 20)])
async def test_a_question_takes_the_place_of_a_welcome(tmp_path: Path, size: tuple[int, int]) -> None:
    """Each answer is in sight, and the question to its end. What is asked before an undo comes before a welcome, too."""
    async with playing(tmp_path, 1, 2, size=size, text=f"{CAMPAIGN}focus = 1\n", bridge=True) as (pilot, table):
        table.play(table.understand("roll mara 1 2 3"))
        pilot.app._look()  # type: ignore[attr-defined]
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        welcome = Welcome("Session 7 ended", "Scene: a door", "Still open: 1 offer", LONG)
        screen.window.tray.welcome(welcome)
        await pilot.pause()
        shown = " ".join(seen(pilot).split())
        assert "Session 7 ended" not in shown
        assert "f Raise dice" in shown
        assert "k Keep the dice: Fiasco" in shown
        assert "more: Ctrl+P" not in shown
        await pilot.press("k")
        screen.window.tray.welcome(welcome)
        await pilot.press("down")
        assert "Session 7 ended" in seen(pilot)
        await pilot.press("u")
        assert "Undo “" in seen(pilot)
        assert "Session 7 ended" not in seen(pilot)


@pytest.mark.parametrize("size", [(60, 18), (40, 20)])
async def test_what_enter_takes_is_whole_in_a_low_window(tmp_path: Path, size: tuple[int, int]) -> None:
    """So is a choice that the arrows have marked. The ends of others give way to the view; where that isn't enough, so does what can't be
    taken.
    """
    table = table_at(Path(shutil.copytree(EXAMPLES / "soft-answer", tmp_path / "soft-answer")))
    app = WayfinderApp(table, None)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        shown = " ".join(seen(pilot).split())
        assert "block with 6 and 2, or take the blow with 5, 2 and 1…" in shown
        assert "e Venn Adaro: escalate (change ap" in shown
        assert "C Call off the conflict" in shown
        await pilot.press("right")
        await drained(pilot)
        assert "escalate (change approach or add dice)…" in " ".join(seen(pilot).split())
        assert " d  Join the conflict" not in seen(pilot) or "✗ People can" in seen(pilot)


@pytest.mark.parametrize("key", ["d", "r", "a", "w", "question_mark"])
async def test_only_one_thing_at_a_time_is_under_a_cursor(tmp_path: Path, key: str) -> None:
    """While a list, a line or a screen over the view has the keys, the row of the sheet has no bar; afterwards it has it again."""
    async with playing(tmp_path, size=(100, 30), bridge=True) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)

        def bars() -> int:
            bar = ink_of(screen).under_cursor.bgcolor
            return sum(
                style.bgcolor == bar for line in screen.window.view.page.lines for text, style in line.spans if text
            )

        assert bars()
        await pilot.press(key)
        await pilot.pause()
        assert not bars()
        await pilot.press("escape")
        await pilot.pause()
        assert bars()


async def test_what_happened_is_read_from_its_beginning(tmp_path: Path) -> None:
    """Where not all of it has room, the end says so, and a text that is left out leaves a sign."""
    async with playing(tmp_path) as (_, table):
        table.play(table.understand("note " + " ".join(f"word{number}" for number in range(30))))
        note = [line.text.strip() for line in draw_act(table.snapshot, INK, 40, 3)]
        assert note[0].startswith("word0 ")
        assert note[-1].endswith("…")
        table.play(table.understand("roll nav desperate 1 1"))
        whole, short = ([line.text.strip() for line in draw_act(table.snapshot, INK, 40, rows)] for rows in (20, 3))
        assert whole[-1] == "Tenacity: Focus +1, now 3"
        assert short == ["NAV  [1] [1]  …", "✗ Fiasco  NAV …", "Integrity is lost, with no further…"]


async def test_a_result_is_whole_in_a_low_window_until_the_next_key(tmp_path: Path) -> None:
    """It takes lines of the view, and gives them back."""
    async with playing(tmp_path, 1, 1, size=(40, 20)) as (pilot, _):
        await pilot.press("r", "n", "space", "d", "enter")
        assert all(words in seen(pilot) for words in ("✗ Fiasco", "Desperate (set", "Focus +1, now 3", "shunt (costs"))
        await pilot.press("down")
        assert re.search(r"^  Tenacity makes.*…  ✗ Fiasco", seen(pilot), re.MULTILINE)
        assert rows(pilot) <= LEAST_ROWS + 2


async def test_a_long_note_is_read_to_its_end_in_a_tall_window(tmp_path: Path) -> None:
    """Also when the person has moved on: it goes on under itself, as what came of an act does."""
    async with playing(tmp_path, size=(100, 30)) as (pilot, _):
        await pilot.press("n")
        await typed(pilot, " ".join(f"word{number}" for number in range(20)))
        await pilot.press("enter", "1", "down")
        tray = seen(pilot).splitlines()[-1 - rows(pilot) :]
        assert re.search(r"word19\s*$", "\n".join(tray), re.MULTILINE)


@pytest.mark.parametrize("size", [(60, 18), (40, 20)])
async def test_each_offer_shows_its_key_in_a_low_window(tmp_path: Path, size: tuple[int, int]) -> None:
    """One that is wider than the window is cut there, and no other is hidden by its second line."""
    table = table_at(Path(shutil.copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")))
    app = WayfinderApp(table, None)
    async with app.run_test(size=size) as pilot:
        await pilot.press("left_square_bracket", "left_square_bracket", "1")
        await pilot.pause()
        assert re.search(r"^.* S  System shunt.*…$", seen(pilot), re.MULTILINE)
        assert re.search(r"^.* o  Fill 2 segments", seen(pilot), re.MULTILINE)


async def test_a_result_at_rest_begins_with_what_came_of_it(tmp_path: Path) -> None:
    """In the words of the log: damage to the ship is the ship's in both, and its steps come last."""
    async with playing(tmp_path, 1, 1, 2, size=(170, 40)) as (pilot, _):
        await pilot.press("r", "n", "space", "d", "enter")
        await pilot.press("down")
        shown = seen(pilot)
        assert "✗ Fiasco  Integrity is lost, with no further damage." in shown
        assert "Desperate Fiasco: the ship takes damage" in " ".join(shown.split())


@pytest.mark.parametrize("tab", "345")
async def test_a_long_act_at_rest_takes_blank_lines_of_the_view_in_a_low_window(tmp_path: Path, tab: str) -> None:
    """All of it can be read there. A short act gives the lines back."""
    clock = '\n[clocks.fog]\nname = "Fog"\nsegments = 6\noutcome = "It comes in"\n'
    async with playing(tmp_path, size=(80, 24), text=CAMPAIGN + clock) as (pilot, _):
        await pilot.press("n")
        await typed(pilot, " ".join(f"word{number}" for number in range(30)))
        await pilot.press("enter", tab, "down")
        tray = seen(pilot).splitlines()[-1 - rows(pilot) :]
        assert re.search(r"word29\s*$", "\n".join(tray), re.MULTILINE)
        await pilot.press("n")
        await typed(pilot, "short")
        await pilot.press("enter", "down")
        assert rows(pilot) == LEAST_ROWS


async def test_a_long_act_at_rest_leaves_a_long_table_its_lines(tmp_path: Path) -> None:
    """Blank lines go to the act beside a short table, and back to the table beside a long one."""
    (tmp_path / "tables").mkdir()
    for name, count in (("long", 30), ("short", 4)):
        (tmp_path / "tables" / f"{name}.toml").write_text(f"entries = {[f'Entry {number}' for number in range(count)]}")
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("n")
        await typed(pilot, " ".join(f"word{number}" for number in range(30)))
        await pilot.press("enter", "5", "down", "up")
        heights = list[int]()
        for key in ("down", "up", "down"):
            await pilot.press(key)
            heights.append(rows(pilot))
        assert heights == [LEAST_ROWS + 2, LEAST_ROWS, LEAST_ROWS + 2]


@pytest.mark.parametrize("size", [(100, 30), (46, 24)])
async def test_a_card_is_drawn_once_with_its_suit_and_its_number(size: tuple[int, int], tmp_path: Path) -> None:
    """Two dice stand for it where the deck has suits: neither is shown alone, nor the place of the suit."""
    text = 'format = 1\nname = "Jump"\nsystem = "blind-jump"\n\n[crew.vane]\nname = "Vane"\neye = 4\n'
    async with playing(tmp_path / "t", size=size, text=text) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "draw vane eye two 1 10 2 3")
        await pilot.press("enter")
        assert table.snapshot.entries == 1
        screen = seen(pilot)
        for shown in ("suns 10 Draw", "moons 3 Draw") if size[0] > 60 else ("[suns 10] [moons 3]",):
            assert shown in screen
        assert "2 Draw" not in screen


def test_small_cards_and_large_ones_have_their_suits() -> None:
    """The number stands in the box, and the whole card below."""
    cards = whole_cards([Face("Draw", 4, 4, card="voids"), Face("Draw", 2, 10, card="2")])
    for lines in (faces(cards, INK, 40), boxes(cards, INK, 40), big_dice(cards, INK, 40)):
        words = "\n".join(line.text for line in lines)
        assert "voids 2" in words
        assert "4" not in words
