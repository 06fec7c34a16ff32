"""The line of hints at the foot of the window: what it says in each state, and how it fits."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN, playing, seen, typed
from tests.kit.table import Falling, ticking
from tests.ui.test_palette import INK
from waylog.app.wayfinder_app import WayfinderApp
from waylog.table import Table
from waylog.ui.draw.cell_lines import cells_of
from waylog.ui.parts.hints import Hint, fit_hints, render_hints

pytestmark = pytest.mark.usefixtures("every_frame")

HINTS = (
    Hint("⏎", "roll or menu", "enter"),
    Hint("+", "change", "plus"),
    Hint("r", "Roll", "r"),
    Hint("n", "Note", "n"),
    Hint("u", "Undo", "u"),
)
WHOLE = "⏎ roll or menu  + change  r Roll  n Note  u Undo"


def text_of(hints: tuple[Hint, ...], room: int) -> str:
    """The hints that fit, as they stand on the line."""
    return "  ".join(f"{hint.key} {hint.words}".strip() for hint in fit_hints(hints, room))


def hint_line(pilot: Pilot[None]) -> str:
    """The line as it stands on the screen."""
    return seen(pilot).splitlines()[-1]


def test_hints_are_shortened_from_the_end() -> None:
    """The first ones stay whole longest; what one leaves free goes to the one before it."""
    assert text_of(HINTS, cells_of(WHOLE)) == WHOLE
    assert text_of(HINTS, cells_of(WHOLE) - 1) == WHOLE.removesuffix("  u Undo")
    assert text_of(HINTS, 26) == "⏎ roll or menu  + change"
    assert text_of(HINTS, 13) == "⏎ roll"
    assert text_of(HINTS, 0) == ""


@pytest.mark.parametrize("room", range(60))
def test_hints_never_take_more_than_their_room(room: int) -> None:
    """Whatever the room, they fit, and no shorter form stands before a longer one that would have had room in its place."""
    assert cells_of(text_of(HINTS, room)) <= room
    keys = [hint.key for hint in fit_hints(HINTS, room)]
    assert keys == [hint.key for hint in HINTS][: len(keys)]


def test_spare_hints_go_first() -> None:
    """Those behind them stay, and room that is left takes the next spare one that fits."""
    hints = (Hint("f", "focus"), Hint("← →", "choose", spare=True), Hint("u", "Undo"), Hint("n", "Note", spare=True))
    whole = "f focus  ← → choose  u Undo  n Note"
    assert text_of(hints, cells_of(whole)) == whole
    assert text_of(hints, cells_of(whole) - 1) == "f focus  ← → choose  u Undo"
    assert text_of(hints, cells_of("f focus  u Undo  n Note")) == "f focus  u Undo  n Note"
    assert text_of(hints, cells_of("f focus  u Undo")) == "f focus  u Undo"


@pytest.mark.parametrize("width", [30, 40, 80, 120, 200])
def test_the_line_always_ends_with_the_way_to_everything(width: int) -> None:
    """`:` and `?` stand at the right end, each with a place to click; so does every hint that stands for a key."""
    page = render_hints(HINTS, INK, width)
    assert page.lines[0].used <= width
    ends = (
        ": menu   ? help" if width >= 112 else ": menu ? help" if width >= 80 else ": menu ?" if width >= 50 else ": ?"
    )
    assert page.lines[0].text.rstrip().endswith(ends)
    targets = [area.target for area in page.areas]
    assert targets[-2:] == ["colon", "question_mark"]
    assert len(targets) == len(fit_hints(HINTS, width)) + 2 or width < 80


async def test_the_hints_follow_what_is_done(tmp_path: Path) -> None:
    """At first how to begin; while a line is typed, its keys; while something is asked, the answers; in a question, yes and no."""
    async with playing(tmp_path, 5, 2) as (pilot, table):
        assert "r roll  c new clock  n note" in hint_line(pilot)
        await pilot.press("r")
        assert "↑↓ choose" in hint_line(pilot)
        await typed(pilot, "n")
        assert "⏎ roll" in hint_line(pilot)
        assert "?" not in hint_line(pilot)
        await pilot.press("enter")
        assert "? help" in hint_line(pilot)
        assert table.snapshot.question
        assert "f focus  k keep" in hint_line(pilot)
        await pilot.press("k")
        assert "f focus" not in hint_line(pilot)
        await pilot.press("u")
        assert "u ⏎ yes  l only the last step  n Esc no" in hint_line(pilot)


async def test_n_answers_no_where_enter_means_yes(tmp_path: Path) -> None:
    """The hints say so. After that it is a note again."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("n", "a", "enter", "u")
        assert "n Esc no" in hint_line(pilot)
        await pilot.press("n")
        assert "u ⏎ yes" not in hint_line(pilot)
        assert "─ Note ─" not in seen(pilot)
        assert table.snapshot.entries == 1
        await pilot.press("n")
        assert "─ Note ─" in seen(pilot)


async def test_the_key_for_everybody_is_refused_where_one_is_asked(tmp_path: Path) -> None:
    """`*` takes all people in lists; a question that is for one says so, and nothing is done."""
    async with playing(tmp_path, 5, 4) as (pilot, table):
        await pilot.press("r", "n", "enter", "asterisk")
        assert "* chooses everybody at once, but this question is for one person" in " ".join(seen(pilot).split())
        assert table.snapshot.entries == 1


async def test_help_on_what_players_see_names_a_key_once(tmp_path: Path) -> None:
    """`q` goes back there, and quits nothing."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("p")
        await pilot.pause()
        await pilot.press("question_mark")
        await pilot.pause()
        assert re.search(r"Esc p q +Back", seen(pilot))
        assert re.search(r"Ctrl\+Q Ctrl\+D +Quit", seen(pilot))


async def test_an_answer_never_takes_the_key_of_the_rule(tmp_path: Path) -> None:
    """The Defender Ines has another letter than her first meanwhile."""
    ines = '\n[crew.ines]\nname = "Ines"\nfocus = 1\nadvancements = ["defender"]\n'
    async with playing(tmp_path, size=(160, 36), text=CAMPAIGN + ines) as (pilot, _):
        await pilot.press("colon")
        await typed(pilot, "damage mara")
        await pilot.press("enter")
        assert "e defend" in hint_line(pilot)
        assert "i rule" in hint_line(pilot)


async def test_an_answer_without_a_key_of_its_own_leaves_the_rule_its_key(tmp_path: Path) -> None:
    """In the example, Ilka's new relationship has another letter: `i` shows a rule, and `l` is Ilka herself in every list."""
    folder = tmp_path / "soft-answer"
    copytree(EXAMPLES / "soft-answer", folder)
    table = Table(folder, now=ticking(), chance=Falling())
    for words in ("see 6 2", "raise 5 1", "see 6"):
        table.play(table.understand(words))
    async with WayfinderApp(table).run_test(size=(160, 36)) as pilot:
        await pilot.pause()
        assert "k relate" in hint_line(pilot)
        assert "i rule" in hint_line(pilot)


async def test_answers_of_the_same_word_have_one_hint(tmp_path: Path) -> None:
    """Where a blow goes is the same act four times; resisting it is another."""
    folder = tmp_path / "soft-answer"
    copytree(EXAMPLES / "soft-answer", folder)
    table = Table(folder, now=ticking(), chance=Falling())
    table.play(table.understand("see 5 2 1"))
    async with WayfinderApp(table).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert hint_line(pilot).startswith(" p m s f fallout  r resist  ← → choose")


async def test_a_question_goes_with_its_answer(tmp_path: Path) -> None:
    """What was asked before an undo is not on the screen any more once it is done."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("n", "a", "enter")
        await pilot.press("u")
        assert "Esc cancels" in seen(pilot)
        await pilot.press("u")
        assert table.snapshot.undo == ()
        assert "Undone" in seen(pilot)
        assert "Esc cancels" not in seen(pilot)


@pytest.mark.parametrize(
    ("size", "free"),
    [
        ((80, 24), "u undo  t tick : menu ? help"),
        ((120, 36), "u undo  t tick  n note"),
        ((160, 45), "c clock  . time passes"),
    ],
)
async def test_what_can_be_done_meanwhile_stands_beside_the_answers(
    tmp_path: Path, size: tuple[int, int], free: str
) -> None:
    """A question leaves acts free that are on the line at rest, so they are on it then too; and their letters are no answers."""
    folder = Path(copytree(EXAMPLES / "soft-answer", tmp_path / "soft-answer"))
    async with WayfinderApp(Table(folder, now=ticking(), chance=Falling())).run_test(size=size) as pilot:
        await pilot.pause()
        assert free in hint_line(pilot)
        await pilot.press("t")
        assert "Tick which clock?" in seen(pilot)


async def test_what_a_question_forbids_has_no_hint(tmp_path: Path) -> None:
    """After a roll in the Veil, nobody else rolls and no session starts before the question is answered; clocks tick."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\n'
    async with playing(tmp_path, 5, 2, text=CAMPAIGN + clock, size=(160, 36)) as (pilot, table):
        await pilot.press("r", "n", "enter")
        assert table.snapshot.question
        assert "t tick  n note" in hint_line(pilot)
        assert "Roll" not in hint_line(pilot)
        assert "session" not in hint_line(pilot)


async def test_where_nothing_is_rolled_enter_rolls_nothing(tmp_path: Path) -> None:
    """A Success that is bought with engineering is confirmed, and the forecast says what that leads to."""
    async with playing(tmp_path, text=CAMPAIGN, size=(100, 30)) as (pilot, _):
        await pilot.press("r")
        await typed(pilot, "n engineering")
        assert hint_line(pilot).startswith(" ⏎ confirm ")
        assert "Engineering is spent: every ship roll is Desperate" in seen(pilot)
        await pilot.press(*["backspace"] * len("engineering"))
        assert hint_line(pilot).startswith(" ⏎ roll ")


async def test_the_list_of_clocks_says_that_a_number_comes_first(tmp_path: Path) -> None:
    """In the title and in the order of the hints; once one is typed, the title has only that."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\n'
    async with playing(tmp_path, text=CAMPAIGN + clock, size=(80, 24)) as (pilot, table):
        await pilot.press("t")
        assert "+1 · type a number first for more" in seen(pilot)
        assert hint_line(pilot).startswith(" 1–9 segments  A–Z choose")
        await pilot.press("3")
        assert "type a number first" not in seen(pilot)
        await pilot.press("f")
        assert table.snapshot.clocks["fog"].filled == 3


async def test_a_call_is_offered_only_where_somebody_can_be_called(tmp_path: Path) -> None:
    """In The Emissaries nobody rolls on call: neither the menu nor help has it, and the key says why."""
    text = 'format = 1\nname = "Envoy"\nsystem = "emissaries"\nlog = "0001:0"\n\n[crew.mara]\nname = "Mara"\n'
    for name, campaign, offers in (("envoy", text, False), ("veil", CAMPAIGN, True)):
        async with playing(tmp_path / name, text=campaign, size=(120, 36)) as (pilot, _):
            await pilot.press("colon")
            assert ("Call for a roll" in seen(pilot)) is offers
            await pilot.press("escape", "question_mark")
            await pilot.pause()
            await typed(pilot, "call for")
            assert ("Call for a roll" in seen(pilot)) is offers
            await pilot.press("escape", "escape", "C")
            await pilot.pause()
            assert ("Nobody has a roll that you could call for" in seen(pilot)) is not offers


async def test_answers_of_one_kind_have_one_hint(tmp_path: Path) -> None:
    """The same word behind each of their letters would say nothing: what they are stands in the tray."""
    text = 'format = 1\nname = "Envoy"\nsystem = "emissaries"\nlog = "0001:0"\n\n[crew.mara]\nname = "Mara"\n'
    async with playing(tmp_path, size=(80, 24), text=text) as (pilot, _):
        await pilot.press("colon")
        await typed(pilot, "make mara")
        await pilot.press("enter")
        assert "which background?" in seen(pilot)
        assert seen(pilot).splitlines()[-1].startswith(" A–Z choose  ← → choose  ⏎ confirm ▸")


async def test_enter_confirms_typed_dice(tmp_path: Path) -> None:
    """From the first digit on. While no die is typed, Enter takes none away from the players: a key of its own lets Waylog roll."""
    async with playing(tmp_path, 6) as (pilot, table):
        await typed(pilot, "rn 5")
        await pilot.press("enter", "enter")
        assert "You haven't typed any dice yet" in seen(pilot)
        assert len(table.snapshot.missing_dice) == 1
        assert "W let Waylog roll" in hint_line(pilot)
        await pilot.press("3")
        assert "⏎ confirm" in hint_line(pilot)
        await pilot.press("W")
        assert "First press Enter to confirm the dice you typed" in seen(pilot)
        await pilot.press("backspace")
        assert "⏎" not in hint_line(pilot)
        await pilot.press("W")
        assert not table.snapshot.missing_dice
        assert table.entry(2).words == "rest"


async def test_keys_without_an_act_in_this_game_have_no_hint(tmp_path: Path) -> None:
    """In Emissaries nothing takes damage and nobody is Exposed, so neither the line nor the help offers these keys."""
    text = 'format = 1\nname = "Envoy"\nsystem = "emissaries"\nlog = "0001:0"\n\n[crew.mara]\nname = "Mara"\nbody = 3\n'
    async with playing(tmp_path, text=text) as (pilot, _):
        await pilot.press("n", "a", "enter")
        assert "t tick" in hint_line(pilot)
        assert "Damage" not in hint_line(pilot)
        assert "Exposed" not in hint_line(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Exposed" not in seen(pilot)
        assert "Tick a clock" in seen(pilot)


async def test_undo_in_the_log_says_what_it_undoes(tmp_path: Path) -> None:
    """There u undoes the latest action and X the one under the cursor."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("n", "a", "enter", "3")
        assert "X undo this" in hint_line(pilot)
        await pilot.press("X", "X")
        await pilot.pause()
        assert "X undo" not in hint_line(pilot)


async def test_what_a_row_has_of_its_own_leaves_no_gap(tmp_path: Path) -> None:
    """A count has + and −, a row that Enter plays has all its actions, and one that is only a text can be copied."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("n", "a", "enter")
        count = hint_line(pilot)
        assert "+ − change" in count
        await pilot.press("down")
        assert "⏎ roll  a actions" in hint_line(pilot)
        assert "a actions" in hint_line(pilot)
        await pilot.press("end")
        assert "y copy" in hint_line(pilot)
        assert "   " not in hint_line(pilot).partition(": menu")[0].strip()


async def test_a_layout_forgets_nothing_that_is_not_sent_yet(tmp_path: Path) -> None:
    """The hints change in the moment in which the tray grows, and the layout draws only what it moves."""
    async with playing(tmp_path) as (pilot, _):
        line = pilot.app.screen.query_one("#hints")
        line._repaint_regions.clear()
        changed = Region(0, 0, 9, 1)
        line._repaint_regions.add(changed)
        line._size_updated(line.size, line.virtual_size, line.container_size)
        assert line._repaint_regions == {changed}


async def test_a_click_on_a_hint_presses_its_key(tmp_path: Path) -> None:
    """A click on a hint does what its key does."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.click("#hints", offset=(hint_line(pilot).index("n note"), 0))
        await pilot.pause()
        assert "note ›" in seen(pilot)


async def test_a_low_window_has_no_hints(tmp_path: Path) -> None:
    """A window of fewer than twelve lines has no hints: the view needs the room."""
    async with playing(tmp_path, size=(80, 11), text=CAMPAIGN) as (pilot, _):
        assert "r roll " not in seen(pilot)


@pytest.mark.parametrize("opens", ["i", "e", "question_mark", "ctrl+t"])
async def test_no_hint_is_shown_for_a_key_that_a_window_above_takes(tmp_path: Path, opens: str) -> None:
    """What stands over the view has keys of its own, and says so. Afterwards the hints are back."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        last = seen(pilot).splitlines()[-1]
        assert "r roll " in last
        await pilot.press(opens)
        await pilot.pause()
        assert "r roll " not in seen(pilot).splitlines()[-1]
        await pilot.press("escape")
        await pilot.pause()
        assert seen(pilot).splitlines()[-1] == last


@pytest.mark.parametrize(
    ("tab", "begins"),
    [
        ("1", "⏎ actions  + − change  r roll  e edit  d damage"),
        ("2", "⏎ roll  + − change  r roll  d damage  M mend  x Exposed"),
        ("3", "⏎ unfold  X undo this"),
        ("4", "⏎ actions  + fill  − empty  c new clock  . time passes  v hide  e edit  K close  r roll"),
        ("5", "A new table  D new deck  r roll"),
    ],
)
async def test_the_line_begins_with_what_is_special_in_the_view(tmp_path: Path, tab: str, begins: str) -> None:
    """On the clocks a new clock, on the crew healing; what works everywhere comes after that."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, _):
        await pilot.press("n", "a", "enter", *"cFog", "space", "6", "space", *"death", "enter", tab)
        await pilot.pause()
        assert hint_line(pilot).strip().startswith(begins)


async def test_the_log_names_the_keys_that_its_entry_has(tmp_path: Path) -> None:
    """A note can be edited, and a roll has details to unfold."""
    async with playing(tmp_path, 5, 2) as (pilot, _):
        await pilot.press(*"rn", "enter", "k", "3")
        await pilot.pause()
        assert hint_line(pilot).startswith(" ⏎ unfold  X undo this")
        await pilot.press("n", "a", "enter")
        await pilot.pause()
        assert hint_line(pilot).startswith(" e edit  X undo this")


async def test_undo_and_mend_are_named_in_a_small_window(tmp_path: Path) -> None:
    """Undo as soon as there is something to undo; mending comes forward where something is broken."""
    lost = CAMPAIGN.replace('name = "Lars"', 'name = "Lars"\nvitality = 1')
    for text, mends in ((CAMPAIGN, False), (lost, True)):
        async with playing(tmp_path / str(mends), text=text, size=(80, 24), bridge=True) as (pilot, _):
            await pilot.press("s", "enter", "n", "a", "enter")
            assert " u undo " in hint_line(pilot)
            assert (" M mend " in hint_line(pilot)) is mends
            assert ": menu ? help" in hint_line(pilot)


async def test_the_log_says_that_a_die_can_be_corrected(tmp_path: Path) -> None:
    """Where real dice were typed; and how to look at earlier moments, which Esc leaves."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        await pilot.press(*"rn", "space", *"52", "enter", "k", "3")
        assert "e misread die" in hint_line(pilot)
        assert "[ earlier" in hint_line(pilot)
        await pilot.press("left_square_bracket")
        assert hint_line(pilot).startswith(" Esc back to now")
        await pilot.press("escape")
        assert "AS OF" not in seen(pilot)
        assert table.snapshot.as_of is None
        await pilot.press("left_square_bracket", "n", "a", "enter", "escape")
        assert "WHAT IF" in seen(pilot)


@pytest.mark.parametrize("tab", "012345")
async def test_esc_leaves_an_earlier_moment_in_every_view(tmp_path: Path, tab: str) -> None:
    """As the banner says. In a table's entries it goes back to the list first."""
    async with playing(tmp_path, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter", "n", "b", "enter", "escape", tab, "left_square_bracket")
        assert "Esc returns to the present" in seen(pilot)
        await pilot.press("escape")
        assert "AS OF" not in seen(pilot)


def test_the_key_that_leaves_is_the_last_to_go() -> None:
    """However many keys a form has, a narrow window says how one gets out of it. Short words say what the whole ones do."""
    hints = (
        Hint("⏎", "roll", "enter"),
        Hint("↑↓", "question"),
        Hint("!", "show players the stakes", "exclamation_mark", "stakes"),
        Hint("Esc", "close", "escape"),
    )
    assert text_of(hints, 40) == "⏎ roll  ↑↓ question  ! stakes  Esc close"
    assert text_of(hints, 30) == "⏎ roll  ↑↓ question  Esc close"
    assert text_of(hints, 17) == "⏎ roll  Esc close"


async def test_all_words_of_the_line_begin_with_a_small_letter(tmp_path: Path) -> None:
    """Those of the bindings and those of a question alike, but for what the rules give a name."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("n", "a", "enter")
        for key in ("0", "1", "2", "3", "4", "5", "s", "escape", "slash", "escape", "r"):
            await pilot.press(key)
            assert {*re.findall(r"\b[A-Z][a-z]+", hint_line(pilot))} <= {"Exposed", "Esc", "Tab", "Space"}, key


async def test_redo_is_in_sight_as_long_as_there_is_something_to_redo(tmp_path: Path) -> None:
    """Right after an undo, and not after the next act."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("n", "a", "enter", "u", "u")
        assert "U redo" in hint_line(pilot)
        await pilot.press("n", "b", "enter")
        assert "U redo" not in hint_line(pilot)


async def test_the_bridge_names_the_keys_of_an_evening(tmp_path: Path) -> None:
    """At 104 columns there is room for nearly all of them, also while a clock is full; at 80 for what people do most in an evening."""
    clock = '\n[clocks.leak]\nname = "A leak with a long name"\nkind = "push"\nsegments = 4\nfilled = 4\n'
    async with playing(tmp_path, text=CAMPAIGN + clock, size=(104, 30)) as (pilot, _):
        await pilot.press("s", "enter", "n", "a", "enter", "0")
        for hint in ("r roll", "K close", "d damage", "t tick", "c new clock", "u undo", ". time passes"):
            assert f" {hint} " in hint_line(pilot), hint
    async with playing(tmp_path / "low", text=CAMPAIGN, size=(80, 24), bridge=True) as (pilot, _):
        await pilot.press("s", "enter", "n", "a", "enter", "0")
        for hint in ("r roll", "d damage", "t tick", "c new clock", "u undo", ". time"):
            assert f" {hint} " in hint_line(pilot), hint


async def test_a_call_for_rolls_is_found_without_help(tmp_path: Path) -> None:
    """In the line of hints, and among the rolls, where its letter leads to it; early in the line where no roll is a group roll."""
    path = copytree(EXAMPLES / "slack-water", tmp_path / "slack-water")
    app = WayfinderApp(Table(path, now=ticking(), chance=Falling()))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert " C call " in hint_line(pilot)
        await pilot.press("r")
        await pilot.pause()
        assert "C  Call for a roll: one player, several or everyone" in seen(pilot)
        await pilot.press("C", "enter")
        await pilot.pause()
        assert "─ Call for a roll ─" in seen(pilot)
    async with playing(tmp_path / "veil") as (pilot, _):
        await pilot.press("r")
        assert re.search(r"g  Group.*C  Call for a roll.*2d6  Any other dice", seen(pilot), re.DOTALL)


async def test_the_session_key_says_what_it_does(tmp_path: Path) -> None:
    """It starts a session where none is in progress, and ends the current one; Enter in its line says which. Its hint never says “end”
    alone, which could end anything.
    """
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("n", "a", "enter")
        assert "s session" in hint_line(pilot)
        await pilot.press("s")
        assert "⏎ start the session" in hint_line(pilot)
        await pilot.press("enter")
        await pilot.resize_terminal(200, 30)
        await pilot.pause()
        assert "s end session" in hint_line(pilot)
        await pilot.press("0", "s")
        assert "⏎ end the session" in hint_line(pilot)


DECK = """
[decks.hold]
name = "Hold"

[decks.hold.cards.bulb]
text = "A bulb"

[clocks.fog]
name = "Fog"
segments = 4
kind = "death"
"""


async def test_a_key_that_does_nothing_with_the_item_has_no_hint(tmp_path: Path) -> None:
    """A table has no cards to add, and what players see of it is in its file; Enter says what it does. A closed clock can
    only be opened again, and what players see is hidden, not shown.
    """
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "door.toml").write_text('name = "Door"\nentries = ["A hall", "A wall"]\n')
    async with playing(tmp_path, text=CAMPAIGN + DECK) as (pilot, _):
        await pilot.press("n", "a", "enter", "5")
        assert hint_line(pilot).startswith(" ⏎ roll table  A new table  r roll")
        await pilot.press("right")
        assert hint_line(pilot).startswith(" ⏎ pick  ← back  A new table")
        await pilot.press("left", "down")
        assert hint_line(pilot).startswith(" ⏎ draw  + add a card  D new deck  v show the whole deck to players")
        await pilot.press("right")
        assert "v show card" in hint_line(pilot)
        await pilot.press("4")
        assert "v hide" in hint_line(pilot)
        await pilot.press("v")
        assert "Hide “Fog” from players? Enter confirms, Esc cancels" in seen(pilot)
        await pilot.press("enter")
        assert "v show" in hint_line(pilot)
        await pilot.press("K", "K")
        assert hint_line(pilot).startswith(" ⏎ actions  c new clock")
        assert "K reopen" in hint_line(pilot)


async def test_enter_is_named_in_a_list_only_if_it_takes_something(tmp_path: Path) -> None:
    """On somebody whom nothing can be done for, the list of menders has others, and Enter takes none of them."""
    hurt = CAMPAIGN.replace('name = "Lars"', 'name = "Lars"\nvitality = 1')
    async with playing(tmp_path, text=hurt) as (pilot, _):
        await pilot.press("n", "a", "enter", "2", "slash", *"Mara", "enter", "escape", "M")
        assert "A–Z choose  ↑↓ choose  Esc close" in hint_line(pilot)
        await pilot.press("escape", "slash", *"Lars", "enter", "escape", "M")
        assert "⏎ Lars" in hint_line(pilot)


@pytest.mark.parametrize("key", ["r", "T"])
async def test_enter_is_named_as_soon_as_a_row_is_marked(tmp_path: Path, key: str) -> None:
    """In each list: the first Enter or arrow marks a row, and the bar says that the next takes it."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "cargo.toml").write_text('entries = ["Salt", "Grain"]')
    async with playing(tmp_path) as (pilot, _):
        await pilot.press(*"na", "enter", key, "down")
        assert hint_line(pilot).startswith(" ⏎ Tab complete")


async def test_tab_makes_a_secret_of_a_note(tmp_path: Path) -> None:
    """The text stays; the line says what Tab makes of it next."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("n", *"He lies", "tab")
        assert "Secret note: players never see it" in seen(pilot)
        assert "Tab new scene" in hint_line(pilot)
        await pilot.press("enter")
        assert table.entry(table.snapshot.entries).words == 'secret "He lies"'
        await pilot.press("n", *"Home", "tab", "tab")
        assert "New scene" in seen(pilot)
        await pilot.press("tab", "enter")
        assert table.entry(table.snapshot.entries).words == 'note "Home"'


@pytest.mark.parametrize("keys", ["N H e", "n H tab e"])
async def test_tab_makes_nothing_public_of_what_was_typed_as_a_secret(tmp_path: Path, keys: str) -> None:
    """Tab is not offered and changes nothing; without words it goes on as ever."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("N")
        assert "Tab new scene" in hint_line(pilot)
        await pilot.press("escape", *keys.split())
        assert "Tab" not in hint_line(pilot)
        await pilot.press("tab", "enter")
        assert table.entry(table.snapshot.entries).words == 'secret "He"'


async def test_enter_writes_letters_with_the_blanks_that_they_lack(tmp_path: Path) -> None:
    """It says so, and plays nothing; the next Enter rolls."""
    async with playing(tmp_path, 6, 6, 6) as (pilot, table):
        await pilot.press("r", "n", "a")
        assert "⏎ roll" in hint_line(pilot)
        await pilot.press("ctrl+u", "n", "d")
        assert "Did you mean “n d”" in seen(pilot)
        assert hint_line(pilot).startswith(" ⏎ accept")
        before = table.snapshot.entries
        await pilot.press("enter")
        assert "roll › n d" in seen(pilot)
        assert table.snapshot.entries == before
        await pilot.press("enter")
        assert table.entry(table.snapshot.entries).words == "roll nav desperate"


def test_a_hint_may_have_short_words_of_its_own() -> None:
    """Where the first word alone would say something else."""
    hints = (Hint("r", "roll"), Hint("z", "take back", short="unsend"))
    assert [hint.words for hint in fit_hints(hints, 20)] == ["roll", "take back"]
    assert [hint.words for hint in fit_hints(hints, 17)] == ["roll", "unsend"]


async def test_offers_of_a_kind_are_one_line_and_are_said_once(tmp_path: Path) -> None:
    """Each of a dozen upgrades would take the room of the latest act; their letter opens the list. The line of keys doesn't say
    again what the tray offers, and a letter that an offer has means nothing else there.
    """
    async with playing(tmp_path, text=CORE) as (pilot, _):
        await pilot.press(":", *"mission begin Fog", "enter", ":", *"mission success", "enter")
        assert "L  Level up: 4 to choose from" in seen(pilot)
        assert "L " not in hint_line(pilot)
        await pilot.press("L")
        assert "New module in slot 4" in seen(pilot)
        await pilot.press("escape", *"rc", "space", *"66", "enter", "5")
        assert "S  System shunt" in seen(pilot)
        assert "S Shuffle" not in hint_line(pilot)


CORE = """format = 1
name = "Upgrades"
system = "veil-core"
log = "0001:0"

[decks.keeper]
name = "Keeper"

[decks.keeper.cards.bell]
text = "Bell"
"""


async def test_enter_is_named_behind_offers_because_it_takes_none_of_them(tmp_path: Path) -> None:
    """It opens the menu of the row under the cursor: while a roll offers something, other keys come first."""
    async with playing(tmp_path, bridge=True, size=(120, 36)) as (pilot, table):
        await pilot.press("colon", *"clock Fog 6 push", "enter", "escape", "down")
        assert hint_line(pilot).startswith(" ⏎")
        await pilot.press("colon", *"roll nav 6 6", "enter")
        assert any(move.offer == "o" for move in table.snapshot.moves)
        assert "Fill 2 segments of “Fog”" in seen(pilot)
        assert not hint_line(pilot).startswith(" ⏎")
