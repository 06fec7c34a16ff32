"""The line with its list and its meaning, as they are drawn, without a window."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN, drained, playing, seen, typed
from tests.ui.test_palette import INK
from waylog.rules.model.dice import Die
from waylog.rules.model.moves import Act, Answer, Move, Number, Option, PickMany, PickOne, Refusal, Text
from waylog.ui.draw.cell_lines import foot, has_room, head
from waylog.ui.draw.window_layout_and_key_names import SCENE, TABS
from waylog.ui.line.app_commands_and_menu import app_commands
from waylog.ui.line.choice_list import draw_choices, layout_choices, rank_names, search_choices, step_group
from waylog.ui.line.choices import Choice, CompletionWord, OptionToggle, PromptRequest
from waylog.ui.line.line_keys import Prompt
from waylog.ui.line.line_state_and_drawing import AtChoice, LineInput, dice_help, render_input
from waylog.ui.line.parsed_line import ParsedLine, parse_line
from waylog.ui.main_screen import MainScreen

_SIZES = tuple(Option(str(size), f"{size} segments, of those that there are") for size in (4, 6, 8, 10, 12))
_HELPS = PickMany("helps", "Helps", (Option("rope", "Rope"), Option("lamp", "Lamp")))
MOVES = (
    Move(
        "clock",
        (),
        "New clock",
        (
            Text("name", "Name", required=True),
            PickOne("segments", "Segments", _SIZES, "6"),
            PickOne("kind", "Type", (Option("push", "push"), Option("death", "death"))),
            _HELPS,
        ),
    ),
)


class ShownLine:
    """A window that has nothing but the line."""

    line = LineInput(PromptRequest(""))

    def read_line(self, verb: str, text: str) -> ParsedLine:
        return parse_line(MOVES, lambda _: None, verb, text)

    def show_line(self, line: LineInput) -> None:
        self.line = line

    def list_for(self, text: str) -> None:  # noqa: ARG002 - as `LineHost` calls it
        return None

    @property
    def shows_stakes(self) -> bool:
        return False

    @property
    def line_width(self) -> int:
        return 80

    def lines_before(self) -> tuple[str, ...]:
        return ()


def drawn(asked: PromptRequest, width: int, height: int, *, down: int = 0) -> list[str]:
    """What the line shows with something typed, and a choice marked by so many steps."""
    shown = ShownLine()
    prompt = Prompt(shown)
    prompt.ask(asked)
    for _ in range(down):
        prompt.action_step(1)
    lines = render_input(shown.line, INK, width, height).lines
    assert all(line.used <= width for line in lines)
    assert len(lines) == height
    return [line.text for line in lines]


@pytest.mark.parametrize("width", [24, 40, 80])
def test_a_list_that_goes_on_says_so(width: int) -> None:
    """A list with more below says how many, and its last line in sight is cut where there is no room for both."""
    lines = drawn(PromptRequest("New clock", "clock", "Fog 6 death"), width, 8)
    (last,) = (at for at, line in enumerate(lines) if "↓" in line)
    assert not [line for line in lines[last + 1 :] if "[ ]" in line or "[x]" in line]
    choices = tuple(Choice(CompletionWord(str(n)), f"{n} " + "long " * 30) for n in range(30))
    listed = [line for line in drawn(PromptRequest("Everything", choices=choices), 40, 8) if "long" in line]
    assert "↓" not in "".join(listed[:-1])
    assert listed[-1].endswith(f"↓ {30 - len(listed)} ")
    # In columns, it is how many choices there are, and not how many lines.
    choices = tuple(Choice(CompletionWord(str(n)), f"thing{n}") for n in range(90))
    text = "\n".join(drawn(PromptRequest("Everything", choices=choices), 100, 10))
    assert int(text.split("↓ ")[1].split()[0]) + text.count(" thing") == 90


def test_what_was_understood_is_said_where_the_list_can_not_show_it() -> None:
    """The answers stand behind what is done, as they were said, a text last."""
    lines = drawn(PromptRequest("New clock", "clock", "Fog 8 death rope lamp"), 60, 8)
    assert lines[-2].strip() == "8, death, rope, lamp “Fog”"
    assert drawn(PromptRequest("New clock", "clock", "Fog"), 60, 8)[-3].strip() == "“Fog”"


@pytest.mark.parametrize("width", [40, 120])
def test_what_is_marked_has_a_sign(width: int) -> None:
    """Without colours too one sees it: the same list, and `▸` in the free cells before the choice that is marked."""
    choices = tuple(Choice(CompletionWord(name), name) for name in ("rope", "lamp", "bulb", "cord"))
    for asked, steps in (
        (PromptRequest("Everything", choices=choices), 2),
        (PromptRequest("New clock", "clock", "Fog"), 5),
    ):
        marked, before = (drawn(asked, width, 16, down=down) for down in (steps, steps - 1))
        assert "".join(marked).count("▸") == 1
        assert [line.replace("▸", " ") for line in marked] == [line.replace("▸", " ") for line in before]
        assert marked != before
    assert "▸ bulb" in "".join(drawn(PromptRequest("Everything", choices=choices), width, 16, down=2))


@pytest.mark.parametrize("count", [1, 2])
def test_few_choices_have_the_width_that_there_is(count: int) -> None:
    """What fits in the window is not cut, however narrow the columns of longer lists are."""
    label = "Roll d8 on “Out of the sorting room”"
    choices = tuple(Choice(CompletionWord(str(n)), label, "sorting-room") for n in range(count))
    assert (
        "".join(drawn(PromptRequest("Everything", choices=choices), 120, 10)).count(f"sorting-room  {label}") == count
    )


def test_questions_leave_a_narrow_list_its_width() -> None:
    """Where they would take more than a third of it, choices follow their question, and go on below it."""
    choices = tuple(
        Choice(CompletionWord(name), name, group=group)
        for group, names in (
            ("Log and session", ("Note", "Secret note", "Start or end a session")),
            ("Undo", ("What if", "A choice as long as the line is wide")),
        )
        for name in names
    )
    lines = [line.text.rstrip() for line in draw_choices(choices, layout_choices(choices, 40), INK, 40, None)]
    assert lines == [
        "  Log and session   Note   Secret note",
        "    Start or end a session",
        "  Undo   What if",
        "    A choice as long as the line is wide",
    ]
    assert {cell.x for cell in layout_choices(choices, 60) if cell.choice in (0, 3)} == {19}


def test_a_choice_that_is_wider_than_its_line_goes_on_below() -> None:
    """Behind its box, with what is said of it, and clicks on each of its lines mean it; the next choice stands below all of it. What is
    said of a choice takes a second line only where the list has one to spare.
    """
    choices = tuple(
        Choice(OptionToggle("kind", name), name, note=note, held=name == "Death", group="Kind")
        for name, note in (
            ("Push", "fills on successes, as often as there are some"),
            ("Catastrophe: fills when rolls go wrong", "!"),
            ("Death", "bad"),
        )
    )
    cells = layout_choices(choices, 40)
    lines = [line.text.rstrip() for line in draw_choices(choices, cells, INK, 40, 1)]
    assert lines == [
        "  Kind  [ ] Push  fills on successes, a…",
        "      ▸ [ ] Catastrophe: fills when",
        "            rolls go wrong  !",
        "        [x] Death  bad",
    ]
    assert [(cell.line, cell.height) for cell in cells] == [(0, 1), (1, 2), (3, 1)]
    shown = LineInput(PromptRequest(""), reading=ParsedLine(choices=choices))
    for height, positions in ((6, [0, 1, 1, 2]), (9, [0, 0, 1, 1, 2])):
        page = render_input(shown, INK, 40, height)
        targets = [page.target_at(12, y) for y in range(1, height - 1)]
        assert [target.position for target in targets if isinstance(target, AtChoice)] == positions


def test_short_choices_stand_low_beside_a_long_one() -> None:
    """A list covers the view, so it is as low as it can be with nothing cut, though one text is wider than half of the line."""
    choices = tuple(Choice(CompletionWord(str(n)), "Roll" * (10 if n == 7 else 5)) for n in range(8))
    cells = layout_choices(choices, 80, 8)
    assert max(cell.line for cell in cells) == 3
    assert [cell.width for cell in cells] == [20] * 4 + [40] * 4


def test_a_message_that_is_cut_says_so() -> None:
    """Three lines of a refusal stand above the line; a longer one ends with an ellipsis."""
    for words, end in ((12, "long 11"), (60, "…")):
        reason = "It is " + ", ".join(f"long {n}" for n in range(words))
        line = LineInput(PromptRequest(""), "x", refusal=Refusal(reason))
        text = "\n".join(each.text.rstrip() for each in render_input(line, INK, 60, 12).lines[:-1])
        assert text.rstrip().endswith(end)


def test_short_choices_leave_their_room_to_long_ones() -> None:
    """A column of short texts is no wider than these; what is still too long goes on below, and doesn't run into the other column."""
    labels = [*(f"Roll {n}" for n in range(5)), *("Group", "Nobody", "All"), "Call for " + "one, " * 8, "Dice " * 9]
    choices = tuple(Choice(CompletionWord(str(n)), label.strip()) for n, label in enumerate(labels))
    assert {cell.width for cell in layout_choices(choices, 60, 5)} == {6, 47}
    whole = layout_choices(choices, 60, 8, whole=True)
    lines = [line.text.rstrip() for line in draw_choices(choices, whole, INK, 60, None)]
    assert lines[3:] == [
        "  Roll 3   Call for one, one, one, one, one, one, one,",
        "  Roll 4     one,",
        "           Dice Dice Dice Dice Dice Dice Dice Dice Dice",
    ]


def test_a_long_line_is_wrapped_and_scrolls_behind_three_lines() -> None:
    """The word at the cursor is in sight; a sign stands where something isn't."""
    words = [f"word{n}" for n in range(1, 25)]

    def typed_lines(count: int, at: int | None = None) -> list[str]:
        text = " ".join(words[:count])
        line = LineInput(PromptRequest("Note", "note"), text, len(text) if at is None else at)
        return [each.text.rstrip() for each in render_input(line, INK, 40, 9).lines[-3:]]

    assert typed_lines(4)[-1] == " note › word1 word2 word3 word4"
    assert typed_lines(7)[1:] == [" note › word1 word2 word3 word4 word5", "        word6 word7"]
    assert typed_lines(14) == [
        " note › word1 word2 word3 word4 word5",
        "        word6 word7 word8 word9 word10",
        "        word11 word12 word13 word14",
    ]
    far = typed_lines(24)
    assert far[0].startswith(" note › …")
    assert far[-1].endswith("word24")
    back = typed_lines(24, 0)
    assert back[0].startswith(" note › word1 ")
    assert back[-1].endswith("…")


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_title_comes_before_what_it_comes_to(width: int) -> None:
    """The title is whole where the window is as wide; the dice of a roll stand behind it where they have room."""
    title, pool = "Roll for Wick on the lantern", "5d6: vitality 3 + listening set 2"
    rule = head(title, INK, width, pool).text
    assert title in rule
    assert (pool in rule) is has_room(title, width, pool) is (width > 40)


def test_what_is_not_found_is_said() -> None:
    """A list that nothing is left of says which words nothing has; what has other names is found by those too."""
    choices = (
        Choice(CompletionWord("back"), "Undo the last action", "u", also=("undo",)),
        Choice(CompletionWord("rope"), "Rope"),
    )
    assert "Nothing contains “boat”" in "".join(drawn(PromptRequest("Everything", text="boat", choices=choices), 60, 8))
    lines = drawn(PromptRequest("Everything", text="und", choices=choices), 60, 8)
    assert "Undo the last action" in lines[1]
    assert "nothing has" not in "".join(lines)


async def test_what_is_no_act_says_where_it_is_done(tmp_path: Path) -> None:
    """Whoever types it into the line is told, and not that no word of the game is like it. What answers a question that isn't open is no
    unknown word either.
    """
    async with playing(tmp_path / "t") as (pilot, _):
        await pilot.press("colon")
        await typed(pilot, "Undo")
        assert "Enter: Undo the last action (u)" in seen(pilot)
        await pilot.press("ctrl+u")
        await typed(pilot, "keep")
        assert "You can't use “keep” now: nothing asks for it or offers it" in seen(pilot)
        await pilot.press("ctrl+u", "escape", "colon")
        await typed(pilot, "new")
        assert "New campaign" in seen(pilot), "the app is searched too where no act has the word"


async def test_a_scene_asks_for_its_title(tmp_path: Path) -> None:
    """`scene` alone begins none, as what is typed next would be taken for keys; Enter without a title does."""
    async with playing(tmp_path / "t") as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, "scene")
        await pilot.press("enter")
        assert table.snapshot.entries == 0
        await typed(pilot, "Under")
        await pilot.press("enter")
        await drained(pilot)
        assert table.entry(1).words == 'scene "Under"'


@pytest.mark.parametrize("width", range(12, 60))
def test_keys_at_the_foot_are_whole_or_absent(width: int) -> None:
    """The way out is always there."""
    keys = [("⏎", "choose"), ("↑↓", "move"), ("letters", "search"), ("Esc", "leave")]
    shown = foot(keys, INK, width).text.split("  ")
    assert shown[-1].strip() == "Esc leave"
    assert {one.strip() for one in shown} <= {f"{key} {does}" for key, does in keys}
    assert len(shown) == len(keys) or width < 45


@pytest.mark.parametrize("size", [(60, 18), (40, 20)])
async def test_each_choice_of_a_short_list_is_in_sight_in_a_low_window(tmp_path: Path, size: tuple[int, int]) -> None:
    """Nothing of them is cut either: the list takes lines of the view."""
    async with playing(tmp_path, size=size, bridge=True) as (pilot, _):
        await pilot.press("r")
        shown = " ".join(seen(pilot).split())
        assert "Roll CPU" in shown
        assert "2d6 Any other dice: 2d6+3, d20," in shown
        assert "4d6kh3" in shown
        assert "more" not in seen(pilot).split("─ Roll ─")[1]


def test_a_list_says_acts_in_words_alone() -> None:
    """Commands are found by typing them, and not shown: their names for things are not those of the screen. Words that are typed stay."""
    choices = (
        Choice(
            Move("award", ("focus", "ship"), "Award Focus to the ship"), "Award Focus to the ship", "award focus ship"
        ),
        Choice(CompletionWord("n"), "Roll NAV", "n"),
    )
    assert search_choices(choices, "award focus ship") == choices[:1]
    for width in (40, 60, 120):
        lines = draw_choices(choices, layout_choices(choices, width), INK, width, 0)
        text = "\n".join(line.text for line in lines)
        assert "award focus ship" not in text
        assert "Award Focus to the ship" in text
        assert "n  Roll NAV" in text


GROUPED = tuple(
    Choice(CompletionWord(word), word, group=group)
    for group, words in (("Type", ("standard", "risky", "desperate")), ("Tools", ("hammer", "saw")))
    for word in words
)


@pytest.mark.parametrize(("start", "by", "end"), [(0, 1, 3), (1, 1, 4), (2, 1, 4), (3, 1, 0), (4, -1, 1), (0, -1, 3)])
def test_down_goes_to_the_next_question(start: int, by: int, end: int) -> None:
    """Questions lie below each other and their answers beside each other, so ↓ keeps its place in the line."""
    assert step_group(GROUPED, start, by) == end


@pytest.mark.parametrize(("start", "by", "end"), [(0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 1, 0), (3, -1, 2), (2, -1, 1)])
def test_down_goes_to_the_next_line_of_a_question_that_has_several(start: int, by: int, end: int) -> None:
    """In a narrow window the answers of a question may lie below each other: ↓ passes none of them."""
    assert step_group(GROUPED, start, by, 26) == end


FORM = tuple(
    Choice(OptionToggle(group, word), word, held=word in ("risky", "saw"), group=group)
    for group, words in (("Type", ("standard", "risky", "desperate")), ("Tools", ("hammer", "saw")), ("On", ("fog",)))
    for word in words
)


@pytest.mark.parametrize("width", [80, 26])
@pytest.mark.parametrize(("start", "by", "end"), [(0, 1, 4), (2, 1, 4), (4, 1, 5), (5, 1, 1), (4, -1, 1), (0, -1, 5)])
def test_down_in_a_form_goes_to_the_next_question(start: int, by: int, end: int, width: int) -> None:
    """However many lines a question has: to its answer so far, or to its first choice."""
    assert step_group(FORM, start, by, width) == end


def test_a_list_without_questions_has_no_groups_to_step() -> None:
    """There ↓ goes to the next choice."""
    plain = tuple(Choice(CompletionWord(word), word) for word in ("one", "two"))
    assert step_group(plain, 0, 1) is None
    assert step_group(GROUPED[:3], 0, 1) is None
    assert step_group(GROUPED, None, 1) is None


def test_without_a_text_every_choice_keeps_its_place() -> None:
    """What can't be chosen now is not moved to the end, so that Show and Hide never swap places."""
    show, hide = Choice(CompletionWord("show"), "Show", refused="shown already"), Choice(CompletionWord("hide"), "Hide")
    assert search_choices((show, hide), "") == (show, hide)
    assert search_choices((show, hide), "h") == (hide, show)


def test_what_begins_with_a_text_comes_before_what_has_it_somewhere() -> None:
    """Names that begin with the text come first, then those with such a word, then those with it inside, then those with all its words."""
    names = [("Often",), ("Last Tender",), ("Tenacity",), ("en", "t")]
    assert rank_names(names, "ten") == [2, 1, 0]
    assert rank_names(names, "t en") == [0, 1, 2, 3]


def test_letters_in_their_order_are_enough_where_nothing_has_the_text() -> None:
    """The first of them begins a word. A text that is nowhere finds nothing."""
    names = [("Stop the timer",), ("Luck",), ("Start a timer", "tick")]
    assert {*rank_names(names, "tmr")} == {0, 2}
    assert rank_names(names, "lck") == [1]
    assert rank_names([("take focus from bram",), ("timer",)], "tmr") == [1, 0], (
        "letters that stand close together first"
    )
    assert rank_names(names, "uck") == [1], "it is part of a name"
    assert not rank_names(names, "ukc")


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("tutorial", "Learn Waylog in ten minutes"),
        ("learn", "Learn Waylog in ten minutes"),
        ("settings", "Open the settings in your editor"),
        ("config", "Open the settings in your editor"),
        ("luck", "Luck: compare the dice rolled so far with fair dice"),
        ("fair", "Luck: compare the dice rolled so far with fair dice"),
        ("keys", "Show the keys"),
        ("stngs", "Open the settings in your editor"),
    ],
)
def test_the_list_of_everything_knows_other_words(word: str, label: str) -> None:
    """Whoever looks for a thing by its usual name finds what Waylog calls otherwise, also with letters left out."""
    assert label in [choice.label for choice in search_choices(app_commands(()), word)[:2]]


def test_a_refused_choice_names_itself_once() -> None:
    """In the form of a roll, a full clock says its name and that it is full."""
    full = Choice(OptionToggle("on", "fog"), "Fog", refused="“Fog” is full", held=False, group="On clocks")
    (line,) = draw_choices((full,), layout_choices((full,), 80), INK, 80, None)
    assert line.text.split("[ ]")[1].strip() == "Fog  ✗ Full"


def test_a_view_that_does_not_exist_now_is_not_in_the_list() -> None:
    """Without a conflict there is no sixth view to go to."""
    with_scene, without = ({one.label for one in app_commands(tabs)} for tabs in ((*TABS, SCENE), TABS))
    assert with_scene - without == {f"Go to {SCENE.title()}"}


# -- words that mean nothing, or several things -------------------------------------------------------------------------


async def test_what_spends_a_token_is_written_in_full_before_it_is_played(tmp_path: Path) -> None:
    """`e` is no order to spend engineering: the first Enter writes the word into the line, the second plays it.

    Esc closes a list at once in which nothing was typed, also if Enter has marked something there.
    """
    async with playing(tmp_path / "t") as (pilot, table):
        await pilot.press("r", "enter")
        await pilot.press("escape", "r")
        await typed(pilot, "n e")
        await pilot.press("enter")
        assert table.snapshot.entries == 0
        assert "n engineering" in seen(pilot)
        await pilot.press("enter")
        assert table.entry(1).words == "roll nav engineering"


async def test_the_bar_says_what_escape_does(tmp_path: Path) -> None:
    """It goes from a marked choice back to the line, and closes that."""
    async with playing(tmp_path / "t", size=(120, 36)) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "n")
        assert "Esc close" in seen(pilot).splitlines()[-1]
        await pilot.press("down")
        assert "Esc back to typing" in seen(pilot).splitlines()[-1]
        await pilot.press("escape")
        assert "Esc close" in seen(pilot).splitlines()[-1]
        await pilot.press("escape")
        assert "Roll NAV" not in seen(pilot)
        assert table.snapshot.entries == 0


async def test_the_form_stays_with_a_word_that_could_be_several_marked_in_it(tmp_path: Path) -> None:
    """Odds, and what was chosen, stay; Enter refuses the word, and Tab completes it in place."""
    text = CAMPAIGN + '\n[ship.modules.2]\nname = "AFTERGLOW"\nkind = "specialised"\nsystem = "NAV"\n'
    async with playing(tmp_path / "t", 6, 6, 6, text=text) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "n d aft")
        shown = seen(pilot)
        assert "“aft” could be afterburners or afterglow" in shown
        assert "[x] Desperate" in shown
        assert "Critical success" in shown
        await pilot.press("enter")
        assert table.snapshot.entries == 0
        await pilot.press("tab")
        assert "n d afterburners" in seen(pilot)
        await pilot.press("enter")
        assert table.entry(1).words == "roll nav afterburners desperate"


def test_the_wrong_word_is_marked_in_the_line() -> None:
    """The colour of what is wrong is on it and on no other letter."""
    line = LineInput(PromptRequest("Roll", "roll"), "n aft d", 7, ParsedLine(wrong=(2, 5)))
    foot = render_input(line, INK, 60, 6).lines[-1]
    assert "".join(span.text for span in foot.spans if span.style == INK.bad) == "aft"


@pytest.mark.clause("VK-13")
async def test_dice_that_are_all_typed_are_read_before_enter(tmp_path: Path) -> None:
    """What they come to stands in the place of the chances, with what Focus would make of them; and what the die of damage does."""
    async with playing(tmp_path / "t", size=(80, 24)) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "n 5")
        assert "25 %" in seen(pilot)
        await typed(pilot, "2")
        assert "→ NAV 5 2: Success with drawback. Spend Focus (1 left)? Raising 5 to 6 makes it a Success" in " ".join(
            seen(pilot).split()
        )
        assert "25 %" not in seen(pilot)
        await pilot.press("escape", "d", "m", "6")
        assert "Focus +1" in seen(pilot)
        assert table.snapshot.entries == 0


@pytest.mark.clause("FD-01")
async def test_the_dice_that_the_list_of_rolls_offers_are_free_dice(tmp_path: Path) -> None:
    """`2d6` stands in the label of a roll as well, and is not that roll."""
    async with playing(tmp_path / "t", 4, 5) as (pilot, table):
        await pilot.press("r")
        assert "Roll NAV (2d6)" in seen(pilot)
        await typed(pilot, "2d6")
        await pilot.press("enter")
        assert table.entry(1).words == "dice 2d6"


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({}, "real dice: first Difficulty, then 2d6 for Mara"),
        ({"difficulty": "two"}, "or type real dice: 2d6 for Mara"),
    ],
)
def test_the_line_says_whether_a_digit_is_an_answer_or_a_die(answers: dict[str, Answer], says: str) -> None:
    """As long as a digit would answer a question of the form, that question is named before the dice."""
    ask = PickOne("difficulty", "Difficulty", (Option("one", "1"), Option("two", "2")), "one")
    act = Act(Move("roll", ("mara",), "Roll for Mara", (ask,), rolls=True), answers)
    assert dice_help(ParsedLine(act, dice=(Die("Mara", 6), Die("Mara", 6)))) == says


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        (60, "or type real dice: 2d6 for NAV, then 1d6 for KEELWING"),
        (50, "real dice: 2d6 for NAV, then 1d6 for KEELWING"),
        (30, "real dice: 3d6"),
        (10, ""),
    ],
)
def test_a_narrow_line_says_more_briefly_which_dice_may_be_typed(cells: int, says: str) -> None:
    """It has their number before it says nothing; but a line that asks for an answer first doesn't name the dice alone."""
    dice = (Die("NAV", 6), Die("NAV", 6), Die("KEELWING", 6))
    assert dice_help(ParsedLine(Act(Move("roll", ("nav",), "Roll NAV", rolls=True)), dice=dice), cells) == says
    ask = Number("modifier", "Modifier", -2, 6, 0)
    asking = ParsedLine(Act(Move("roll", ("nav",), "Roll NAV", (ask,), rolls=True)), dice=dice)
    assert dice_help(asking, 30) == ""


@pytest.mark.parametrize(
    ("answers", "overrules", "says"),
    [
        ({}, False, "real dice: first Modifier, then 1d6 for Mara"),
        ({"modifier": 2}, False, "or type real dice: 1d6 for Mara"),
        ({}, True, "or type real dice: 1d6 for Mara"),
    ],
)
def test_the_line_says_that_a_number_comes_before_dice(answers: dict[str, Answer], overrules: bool, says: str) -> None:
    """As long as a number is asked for, it is typed first; but not one that needs a sign."""
    ask = Number("modifier", "Modifier", -2, 6, 0, overrules=overrules)
    act = Act(Move("roll", ("mara",), "Roll for Mara", (ask,), rolls=True), answers)
    assert dice_help(ParsedLine(act, dice=(Die("Mara", 6),))) == says


async def test_letters_tick_choices_in_a_form_and_texts_keep_theirs(tmp_path: Path) -> None:
    """On a question with choices a letter ticks the choice that it begins, or is refused; none is typed into a text that the cursor has
    left. → stops at the last choice of the question, and Enter goes to what is missing. The whole form is in sight.
    """
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        await pilot.press("c")
        await typed(pilot, "Air runs out")
        assert "An action to offer" in seen(pilot).replace("an action", "An action")
        await pilot.press("enter")
        assert "choose push, catastrophe" in seen(pilot)
        await pilot.press("d", "z")
        assert "No choice starts with “z”" in seen(pilot)
        await pilot.press("up", "1", *["down"] * 3, "right", "right", "right", "space", "enter")
        (clock,) = table.snapshot.clocks.values()
        assert (clock.name, clock.kind, clock.segments, clock.seen) == ("Air runs out", "death", 10, False)


async def test_enter_plays_what_is_on_the_screen(tmp_path: Path) -> None:
    """On a choice that the roll doesn't have, Enter ticks it, as the bar says, and shows what that does; the next Enter rolls."""
    async with playing(tmp_path, size=(100, 30)) as (pilot, table):
        before = table.snapshot.entries
        await pilot.press("r", "n", *["down"] * 2)
        while "▸ Risk" not in seen(pilot) and "▸ [ ]" not in seen(pilot):
            await pilot.press("right")
        assert "tick" in seen(pilot).splitlines()[-1]
        await pilot.press("enter")
        assert (table.snapshot.entries, "▸ [x]" in seen(pilot)) == (before, True)
        assert "roll" in seen(pilot).splitlines()[-1]
        await pilot.press("enter")
        assert table.snapshot.entries > before


async def test_the_bar_promises_the_menu_only_where_its_key_is_one(tmp_path: Path) -> None:
    """In a line that is typed, `:` is a letter: the bar shows it dim, until the line is closed."""
    async with playing(tmp_path) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)

        def key_style() -> object:
            line = screen.window.bar.page.lines[0]
            at = next(index for index, (text, _) in enumerate(line.spans) if text.strip() == ":")
            return line.spans[at][1]

        usual = key_style()
        await pilot.press("n")
        await pilot.pause()
        assert key_style() != usual
        await pilot.press("escape")
        await pilot.pause()
        assert key_style() == usual


async def test_enter_opens_the_choice_that_a_word_lacks(tmp_path: Path) -> None:
    """It says what is missing and marks the first that can be taken; the next Enter writes that, and nothing is played."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("colon", *"damage", "enter")
        assert "Which" in seen(pilot)
        assert "▸" in seen(pilot)
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, MainScreen)
        assert pilot.app.screen.window.prompt.line.text.startswith("damage ")
        assert table.snapshot.entries == 0


async def test_a_question_that_nobody_has_looked_at_yet_is_no_mistake(tmp_path: Path) -> None:
    """Enter goes to it and says what it needs, without the sign of a refusal. A word that means nothing has that at once."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("c")
        await typed(pilot, "Fog")
        await pilot.press("enter")
        assert "▸" in seen(pilot)
        assert "Kind" in seen(pilot)
        assert "✗" not in seen(pilot)
        assert table.snapshot.entries == 0
        await pilot.press("escape", "escape", "colon", *"xyzzy", "enter")
        assert "✗" in seen(pilot)


@pytest.mark.parametrize("tick", ["enter", "tab", "space"])
async def test_a_space_behind_a_tick_unticks_nothing(tick: str, tmp_path: Path) -> None:
    """Whoever goes on to type real dice types a space first. The tick stays, whichever key made it."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("r")
        await typed(pilot, "nav")
        await pilot.press("down", tick)
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        ticked = screen.window.prompt.line.text
        assert len(ticked.split()) == 2
        await pilot.press("space", "2")
        assert screen.window.prompt.line.text.split() == [*ticked.split(), "2"]


async def test_a_hit_that_a_defender_may_take_says_which_die_can_be_typed(tmp_path: Path) -> None:
    """The die is for the damage once nobody steps in, and stays with the question."""
    text = CAMPAIGN.replace('name = "Mara"', 'name = "Mara"\nadvancements = ["defender"]\nfocus = 1')
    async with playing(tmp_path, size=(80, 24), text=text) as (pilot, table):
        await pilot.press("d", "l")
        assert "or type real dice: 1d6 for damage" in seen(pilot)
        await pilot.press("4", "enter")
        assert table.snapshot.question
        assert "Dice already typed: 4" in table.snapshot.question


EMISSARY = """\
format = 1
name = "Egg"
system = "emissaries"
log = "0001:0"

[crew.mara]
name = "Mara"
made = true
may_recover = true
body = 4
mind = 3
soft = 3
hard = 3
"""


async def test_enter_goes_where_its_word_says(tmp_path: Path) -> None:
    """From a choice that was ticked to the text that is missing, or usually given; where it would go nowhere, the line names no Enter. The
    only choice is ticked from the beginning.
    """
    tired = f"{EMISSARY}\n[crew.mara.fallout.social.1]\nboxes = 2\n"
    async with playing(tmp_path / "one", size=(80, 24), text=tired) as (pilot, table):
        await pilot.press("M", "m")
        assert "[x] Social, row 1" in seen(pilot)
        await pilot.press("enter")
        await typed(pilot, "Tea")
        await pilot.press("enter")
        assert table.entry(1).words == 'recover mara social "Tea"'
    both = f"{tired}\n[crew.mara.fallout.mental.1]\nboxes = 2\n"
    async with playing(tmp_path / "two", size=(80, 24), text=both) as (pilot, table):
        await pilot.press("M", "m", "enter", "enter")
        assert seen(pilot).splitlines()[-1].startswith(" ⏎ next")
        await pilot.press("enter")
        assert "⏎" not in seen(pilot).splitlines()[-1], "the text is required, and empty"
        await typed(pilot, "Tea")
        await pilot.press("enter", "colon")
        assert table.entry(1).words.endswith('"Tea"')
        await typed(pilot, "asset Kestrel")
        await pilot.press("enter", "enter")
        assert "[x] Frigate" in seen(pilot)
        assert seen(pilot).splitlines()[-1].startswith(" ⏎ next")
        await pilot.press("enter")
        assert re.search(r"Dice of its three stats +▸ required", seen(pilot))
