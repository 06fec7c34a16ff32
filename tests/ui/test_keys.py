"""The list of keys, over whatever is on screen."""

import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.pilot import Pilot

from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN, closed, drained, listed, playing, seen, typed
from tests.kit.app import looked as look
from tests.ui.test_palette import INK
from waylog.rules.systems import names
from waylog.ui.draw.cell_lines import CellLine, cells_of, foot
from waylog.ui.draw.window_layout_and_key_names import format_keys
from waylog.ui.key_bindings import EVERYWHERE
from waylog.ui.line.line_state_and_drawing import LineInput
from waylog.ui.main_screen import MainScreen
from waylog.ui.views import help_on_keys
from waylog.ui.views.help_on_keys import _PURPOSES, _SELDOM, KeyHint, KeysScreen, _KeyList
from waylog.ui.views.themes import ThemesScreen

pytestmark = pytest.mark.usefixtures("every_frame")


def _screen_line(pilot: Pilot[None]) -> LineInput:
    assert isinstance(pilot.app.screen, MainScreen)
    return pilot.app.screen.window.prompt.line


async def test_keys_in_a_burst_leave_the_list_once(tmp_path: Path) -> None:
    """A second key, or a click, that comes before the first has had its effect takes nothing else away."""
    async with playing(tmp_path / "tenacity") as (pilot, _):
        await pilot.press("question_mark")
        screen = pilot.app.screen
        assert isinstance(screen, KeysScreen)
        for _ in range(3):
            screen.post_message(events.Key("escape", None))
        await pilot.pause()
        assert isinstance(pilot.app.screen, MainScreen)


@pytest.mark.parametrize("width", [24, 36, 68, 96])
def test_what_keys_do_and_why_not_is_said_to_its_end(width: int) -> None:
    """However narrow it is nothing is cut, and what is long goes on under itself; keys have a quarter at the most, and in a narrow window
    no more than those of their group need.
    """
    hints = (
        KeyHint("6", "Scene", "no conflict is in progress", "Everywhere"),
        KeyHint("Enter", "The moves about the row under the cursor, and what else there is to be done about it"),
        KeyHint("↑ k Shift+Tab PgUp Home g", "Previous row"),
    )
    lines = [line.text for line in _KeyList(hints).render_page(INK, width, 99).lines]
    said = " ".join(" ".join(lines).split())
    assert "Scene ✗ No conflict is in progress" in said
    assert hints[1].does in said
    assert "…" not in said
    starts = [line.index(word) for line in lines for word in ("Scene", "The moves", "Previous row") if word in line]
    assert starts[1] == starts[2] <= width // 4 + 4
    assert starts[0] == (5 if width < 60 else starts[1])


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("q,ctrl+q,ctrl+c,ctrl+d", "q"),
        ("ctrl+p", "Ctrl+P"),
        ("1,alt+1,ctrl+1", "1"),
        ("up,k,shift+tab", "↑ k Shift+Tab"),
        ("tilde", "~"),
        ("left_square_bracket", "["),
        ("right_curly_bracket", "}"),
    ],
)
def test_keys_are_said_without_their_other_ways(keys: str, said: str) -> None:
    """One letter to leave with is enough to know."""
    assert format_keys(keys) == said


async def test_a_narrow_window_is_the_lists_own(tmp_path: Path) -> None:
    """Below 64 columns it has the whole width; above, a frame of the screen stays in sight."""
    for size, whole in (((40, 20), True), ((80, 24), False)):
        async with playing(tmp_path / f"{size[0]}", size=size) as (pilot, _):
            await pilot.press("question_mark")
            assert (pilot.app.screen.query_one("_KeyList").size.width >= size[0] - 2) is whole


async def test_the_frame_of_few_keys_is_as_large_as_they_are(tmp_path: Path) -> None:
    """In a column that is as wide as the longest line, and with no line to spare; a search changes nothing about it."""
    hints = [KeyHint(chr(97 + n), f"Do number {n}, which takes a while and goes on", "", "Here") for n in range(20)]
    async with playing(tmp_path, size=(200, 50)) as (pilot, _):
        screen = KeysScreen(hints)
        await pilot.app.push_screen(screen)
        await pilot.pause()
        region = screen.query_one("_KeyList").region
        assert region.height == 21 + 6
        assert region.width == 64
        await typed(pilot, "19")
        assert screen.query_one("_KeyList").region == region


async def test_a_wide_window_has_all_keys_in_sight(tmp_path: Path) -> None:
    """In as many columns as that takes, each with the room that its own keys need; a click finds the key that is there."""
    async with playing(tmp_path, size=(200, 50)) as (pilot, _):
        await pilot.press("question_mark")
        screen = pilot.app.screen
        assert isinstance(screen, KeysScreen)
        assert "more" not in seen(pilot)
        page = screen._list.page
        assert [area.target for area in sorted(page.areas, key=lambda area: area.target)] == [*range(len(screen.keys))]
        for area in page.areas:
            words = page.lines[area.y].text[area.x : area.x + area.width].split()
            assert screen.keys[area.target].key.startswith(words[1] if words[0] == "▸" else words[0])


@pytest.mark.parametrize("width", [8, 36, 96])
def test_a_line_is_cut_for_what_stands_at_its_end(width: int) -> None:
    """Whatever the line says already, the text is there whole and the line is no wider."""
    for said in ("", "long " * 30):
        line = CellLine(width).add(said, Style()).with_end("↓ 12 ", Style())
        assert line.text.endswith("↓ 12 ")
        assert cells_of(line.text) == width


def test_a_rule_gives_way_to_what_stands_at_the_end() -> None:
    """What a heading says stays whole as long as its rule can be shorter; the rule of another column stays as it is."""
    line = CellLine(36).add("Tove ", Style()).fill("─", Style(), until=26).add(" ! Exposed", Style())
    assert line.with_end("↓ more ", Style()).text == "Tove ───────────── ! Exposed ↓ more "
    line = CellLine(36).add("Mission ", Style()).fill("─", Style())
    assert line.with_end("↓ more ", Style()).text == "Mission ──────────────────── ↓ more "
    line = CellLine(36).add("Clocks ", Style()).fill("─", Style(), until=16).to(18).add("✓ flare rack +1d6", Style())
    assert line.with_end("↓ more ", Style()).text == "Clocks ─────────  ✓ flare r… ↓ more "
    line = (
        CellLine(28)
        .add("Odile ", Style())
        .fill("─", Style(), until=7)
        .add(" ✓ 4 more ", Style())
        .add(" ! Exposed", Style())
    )
    # A shorter mark is worth less than what the heading says.
    assert line.with_end("↓ more ", Style(), "↓").text == "Odile  ✓ 4 more  ! Exposed ↓"


def test_the_chief_key_is_named_in_a_narrow_window() -> None:
    """By its first word, if there is no room for more; the key that leaves is always there."""
    keys = (("⏎", "open (players will see the title)"), ("↑↓", "move"), ("Esc", "close"))
    assert foot(keys, INK, 60).text.strip() == "⏎ open (players will see the title)  ↑↓ move  Esc close"
    assert foot(keys, INK, 40).text.strip() == "⏎ open  ↑↓ move  Esc close"
    assert foot(keys, INK, 20).text.strip() == "⏎ open  Esc close"


async def test_help_leaves_no_room_free_while_keys_are_out_of_sight(tmp_path: Path) -> None:
    """A long group goes on in the next column, under its name, where all fit only so; a command stands in its line with what it does."""
    async with playing(tmp_path, size=(200, 50), text=(EXAMPLES / "tenacity" / "campaign.toml").read_text()) as (
        pilot,
        _,
    ):
        await pilot.press("question_mark")
        assert "more" not in seen(pilot)
        assert ": willpower  Spend Wick's Willpower" in seen(pilot)


def test_a_group_of_keys_that_is_taller_than_the_window_is_in_two_columns() -> None:
    """Both have its name, and no key is out of sight."""
    hints = [KeyHint(f"{number}", "Does something", group="At the table") for number in range(18)]
    lines = [line.text for line in _KeyList(hints).render_page(INK, 100, 16).lines]
    assert sum(line.count("At the table") for line in lines) == 2
    assert sum(line.count("Does something") for line in lines) == 18


async def test_every_command_in_help_says_what_it_does(tmp_path: Path) -> None:
    """Also where the names of its moves begin with whom they are about."""
    async with playing(tmp_path, text=(EXAMPLES / "soft-answer" / "campaign.toml").read_text()) as (pilot, _):
        await pilot.press("question_mark")
        screen = pilot.app.screen
        assert isinstance(screen, KeysScreen)
        assert all(hint.does for hint in screen.keys)


async def test_who_does_not_know_the_key_is_told(tmp_path: Path) -> None:
    """What is done by a key is found in the list of everything by what people call it; typed as an act, its key is named, and Enter does
    it.
    """
    async with playing(tmp_path / "tenacity") as (pilot, table):
        for word, does in (("undo", "u  Undo the last action"), ("theme", "Ctrl+T  Switch theme"), ("quit", "q  Quit")):
            await pilot.press("ctrl+p", *word)
            assert does in seen(pilot)
            await pilot.press("escape", "colon", *word)
            key, label = does.split("  ")
            assert f"Enter: {label} ({key})" in seen(pilot)
            await pilot.press("escape", "escape")
        await pilot.press("colon", *"theme", "enter")
        assert isinstance(pilot.app.screen, ThemesScreen)
        await pilot.press("escape")
        await pilot.press("ctrl+p", *"parrots")
        assert "Nothing contains “parrots”" in seen(pilot)
        assert table.snapshot.entries == 0


def campaign_of(game: str, *crew: str) -> str:
    """A campaign file of a game, with people in it."""
    people = "".join(f'[crew.{name}]\nname = "{name.title()}"\n' for name in crew)
    return f'format = 1\nname = "Night post"\nsystem = "{game}"\nlog = "0001:0"\n{people}'


@pytest.mark.parametrize("game", names())
async def test_one_key_opens_what_each_game_calls_a_roll(game: str, tmp_path: Path) -> None:
    """`r` opens a line for the first verb that the game names, and the tray says so before anything has happened."""
    async with playing(tmp_path, text=campaign_of(game, "mara")) as (pilot, table):
        key = table.snapshot.roll_key
        able = [move for move in table.snapshot.moves if not move.blocked]
        assert (f"r {key.hint}" in seen(pilot)) is bool(key.verb(able))
        await pilot.press("r")
        blocked = [move.blocked for move in table.snapshot.moves if move.verb == key.verbs[0]]
        first = blocked[0].first if blocked and blocked[0] else ""
        # What has to be done before anybody can roll is what the key opens.
        line = f": › {first}" if first else f"{key.verb(table.snapshot.moves)} ›"
        assert line in seen(pilot).splitlines()[-2]
        assert {move.verb for move in table.snapshot.moves} >= {key.verbs[0]}


NOBODY = {
    "course-flow": "There is no crew yet",
    "veil-classic": "There is no crew yet",
    "veil-reference": "There is no crew yet",
}
"""What the games say that can't roll without a crew."""


@pytest.mark.parametrize("game", names())
async def test_where_nothing_can_be_rolled_the_game_says_why(game: str, tmp_path: Path) -> None:
    """No empty list opens, and neither the tray nor help lists the key."""
    async with playing(tmp_path, text=campaign_of(game)) as (pilot, table):
        if game not in NOBODY:
            assert table.snapshot.roll_key.verb(table.snapshot.moves)
            return
        assert "r rolls" not in seen(pilot)
        await pilot.press("r")
        assert NOBODY[game] in seen(pilot)
        assert "›" not in seen(pilot).splitlines()[-2]
        await pilot.press("question_mark")
        assert "type real dice last" not in seen(pilot)


async def test_a_conflict_is_begun_and_entered_by_the_key_for_rolls(tmp_path: Path) -> None:
    """Its stakes first; then who takes part; and, when it comes to raising, more dice by escalating."""
    async with playing(tmp_path, text=campaign_of("emissaries", "joss", "mara")) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "Does the egg go home")
        await pilot.press("enter")
        assert table.snapshot.question is None, "what happens if it is lost comes first"
        await pilot.press("enter", "r")
        assert "enter ›" in seen(pilot).splitlines()[-2]
        assert "Add Mara to the conflict" in seen(pilot)
        await pilot.press("escape")
        table.play(table.understand("enter mara unopposed-physical 1 3 4 5"))
        table.play(table.understand('obstacle "The storm" "4d6"'))
        table.play(table.understand("enter the-storm 1 2 4 5"))
        table.play(table.understand("begin the-storm"))
        table.play(table.understand('raise 4 2 "Wind"'))
        look(pilot)
        await pilot.pause()
        await pilot.press("r")
        assert "escalate ›" in seen(pilot).splitlines()[-2]


async def test_where_nothing_takes_damage_the_keys_of_a_row_are_named(tmp_path: Path) -> None:
    """In a game in a file, numbers of rows stand for damage; so `d` and `M` say which keys change them."""
    async with playing(tmp_path, text=(EXAMPLES / "lot-nine" / "campaign.toml").read_text()) as (pilot, _):
        await pilot.press("d")
        assert "Nothing takes damage in Breakers' Yard. + and − change a row's number" in seen(pilot)
        await pilot.press("M")
        assert "+ and − change a row's number" in " ".join(seen(pilot).split())


async def test_help_names_the_commands_of_the_game_that_have_no_key(tmp_path: Path) -> None:
    """Enter begins the command. A search that finds nothing says so."""
    async with playing(tmp_path, text=(EXAMPLES / "lot-nine" / "campaign.toml").read_text()) as (pilot, _):
        await pilot.press("question_mark", *"sell the")
        assert ": sell  Sell the haul" in seen(pilot)
        await pilot.press("enter")
        assert ": › sell" in seen(pilot)
        await pilot.press("escape", "escape", "question_mark", *"zzz")
        assert "No key matches “zzz”" in seen(pilot)


async def test_a_key_is_listed_once_with_what_it_does_in_this_view(tmp_path: Path) -> None:
    """`a` and `+` belong to the deck among the tables, and are no keys of a row there."""
    async with playing(tmp_path, text=f'{CAMPAIGN}\n[decks.hold]\nname = "The hold"\n') as (pilot, _):
        for view, least in (("1", 0), ("3", 0), ("4", 0), ("5", 2)):
            await pilot.press(view, "question_mark")
            assert isinstance(pilot.app.screen, KeysScreen)
            listed = [hint.press for hint in pilot.app.screen.keys if hint.press]
            assert len(listed) == len({*listed}), view
            assert len({*listed} & {"a", "plus"}) >= least
            await pilot.press("escape")


def test_every_key_that_works_everywhere_is_in_help() -> None:
    """Each has its place under a purpose, or is listed while it does something."""
    named = {name for names in _PURPOSES.values() for name in names} | {*_SELDOM}
    assert {one.id for one in EVERYWHERE if isinstance(one, Binding)} <= named


async def test_what_has_no_key_is_found_from_help(tmp_path: Path) -> None:
    """The last line of a search goes on in the list of all commands, with the same words."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("question_mark", *"xyzzy")
        assert "No key matches “xyzzy”" in seen(pilot)
        await pilot.press("enter")
        assert "find › xyzzy" in seen(pilot)


@pytest.mark.parametrize(
    ("word", "found", "then"),
    [
        ("pause", "Pause the game on every screen", "PAUSE"),
        ("player", "Add a player", ""),
        ("timer", "Start a timer", "› timer"),
        ("tell only", "Tell only Ana", "› tell"),
        ("allow", "Let Ana act without asking", "› allow"),
    ],
)
async def test_help_finds_what_has_no_key(tmp_path: Path, word: str, found: str, then: str) -> None:
    """The commands of the app, and those of the game; Enter does what is marked."""
    async with playing(tmp_path, text=f'{CAMPAIGN}\n[players.ana]\nname = "Ana"\n') as (pilot, _):
        await pilot.press("question_mark", *word)
        assert found in seen(pilot)
        assert "No key matches" not in seen(pilot)
        if then:
            await pilot.press("enter")
            await pilot.pause()
            assert then.casefold() in seen(pilot).casefold()


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("pause", "Enter: Pause the game on every screen"),
        ("player", "Enter: Add a player"),
        ("campaign", "New campaign"),
        ("camp", "New campaign"),
        ("Camp", "No such command: “Camp”. Did you mean one of these?"),
        ("new", "New table"),
        ("add", "Add a player"),
        ("earlier", "Enter: Look back to an earlier moment ([)"),
    ],
)
async def test_the_command_line_finds_what_the_list_of_everything_finds(tmp_path: Path, word: str, said: str) -> None:
    """Whatever its key, it is found by its words; where only one thing can be meant, Enter does it."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("colon", *word)
        assert said in " ".join(seen(pilot).split())
        await pilot.press("ctrl+u")
        assert "Pause the game" in seen(pilot) or "↓" in seen(pilot)


async def test_an_empty_command_line_is_a_menu(tmp_path: Path) -> None:
    """It has what can be done by purpose, with the keys, and all of it is in sight in a small window. Enter does what is marked; what
    has no key is there too; what is typed is a command.
    """
    async with playing(tmp_path / "tenacity", size=(80, 24), bridge=True) as (pilot, table):
        await pilot.press("n", "a", "enter", "u", "u", "colon")
        shown = " ".join(seen(pilot).split())
        for name in (
            "Start a timer", "Add a player", "~ What if", "Take a break", "Ctrl+O Other campaigns", "q Quit", "U Redo", "Write the recap",
            "Read the recap", ". Time passes", "c New clock", "Commands without a key",
        ):  # fmt: skip
            assert name in shown
        assert "shunt   state" in seen(pilot), "as far apart as others"
        await pilot.press("down", "enter")
        assert "Roll CPU" in seen(pilot), "the first item, which is its key"
        await pilot.press("escape", "escape", "colon", "down", "down")
        assert "▸ x  Exposed" in seen(pilot), "the next line, of the same purpose"
        for _ in range(12):
            if "▸ Add a player" not in seen(pilot):
                await pilot.press("down")
        assert "▸ Add a player" in seen(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert "Character" in seen(pilot)
        await pilot.press("escape", "colon")
        assert ".  Time passes  ✗ No death or augury clock is running" in seen(pilot)
        assert "K  Close a full clock  ✗ No clock is full" in seen(pilot)
        await pilot.press("full_stop")
        assert "time has nothing to advance" in seen(pilot), "a sign begins no command: it does what the list says"
        await pilot.press("escape", "colon", "tilde")
        await pilot.pause()
        assert "What if: nothing you do here is real" in seen(pilot)
    async with playing(tmp_path / "typed", size=(80, 24)) as (pilot, table):
        await pilot.press("colon", *"add player")
        assert "Enter: Add a player" in seen(pilot), "its words are enough"
        await pilot.press(*["backspace"] * 7)
        assert "Choose one of these" in seen(pilot)
        await pilot.press("escape", "escape", "colon", *"start a timer")
        assert "Enter: Start a timer" in seen(pilot)
        await pilot.press("ctrl+u", *["backspace"] * 13, *"timer", "enter", *"5m")
        assert "─ Menu" not in seen(pilot)
        await pilot.press("enter")
        assert [*table.snapshot.countdowns]
        await pilot.press("colon")
        assert "Stop the timer" in seen(pilot)


async def test_the_beginning_of_a_label_is_nothing_wrong(tmp_path: Path) -> None:
    """The first Enter marks the first command that begins so, and says in a neutral way that one has to be chosen; the next takes it."""
    async with playing(tmp_path, size=(100, 30)) as (pilot, _):
        await pilot.press("colon", *"new c", "enter")
        assert "▸ clock" in seen(pilot)
        assert "Choose one of these" in seen(pilot)
        assert "✗ Choose" not in seen(pilot)
        await pilot.press("enter")
        assert "Enter: New clock" in seen(pilot)
        assert seen(pilot).splitlines()[-1].startswith(" ⏎ do it ")


async def test_what_begins_with_the_typed_word_comes_first_in_the_menu(tmp_path: Path) -> None:
    """And of that what people want most often, in the order of the menu. Only what adds something is found by `new`."""
    async with playing(tmp_path / "tenacity", size=(80, 36)) as (pilot, _):
        await pilot.press("colon", *"new")
        line = _screen_line(pilot)
        assert [each.label for each in line.choices[:5]] == [
            "New clock",
            "New scene",
            "New table",
            "New campaign",
            "New deck",
        ]
        assert "Edit mission" not in seen(pilot)
        await pilot.press("escape", "escape", "ctrl+p", *"new")
        labels = [each.label for each in _screen_line(pilot).choices]
        assert "Add a player" in labels
        assert not [label for label in labels if label.startswith("Edit")]
        first = [label.startswith("New") for label in labels]
        assert first == sorted(first, reverse=True)


@pytest.mark.parametrize("tab", "012345")
async def test_whatever_was_undone_can_be_redone_by_a_key_in_sight(tmp_path: Path, tab: str) -> None:
    """In every view, as soon as something is undone."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("n", "a", "enter", "u", "u", tab)
        await pilot.pause()
        assert " U redo " in seen(pilot).splitlines()[-1]


async def test_enter_in_the_command_line_opens_the_form_of_a_player(tmp_path: Path) -> None:
    """As in the list of everything."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("colon", *"player", "enter")
        await pilot.pause()
        assert "Character" in seen(pilot)


async def test_moving_in_help_lays_nothing_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The columns stay as they are until something else is searched for, or the window has another size."""
    async with playing(tmp_path, size=(200, 50)) as (pilot, _):
        await pilot.press("question_mark")
        lay_out = Mock(wraps=help_on_keys._lay_out)
        monkeypatch.setattr(help_on_keys, "_lay_out", lay_out)
        await pilot.press("down", "down", "up")
        assert not lay_out.called
        await pilot.press("u", "down")
        assert lay_out.call_count == 1


async def test_while_something_is_asked_help_has_no_key_that_answers(tmp_path: Path) -> None:
    """A letter or Enter that answers does nothing else, and help says so."""
    text = (EXAMPLES / "soft-answer" / "campaign.toml").read_text()
    shutil.copytree(EXAMPLES / "soft-answer", tmp_path, dirs_exist_ok=True)
    async with playing(tmp_path, text=text) as (pilot, _):
        await pilot.press("alt+4", "question_mark")
        screen = pilot.app.screen
        assert isinstance(screen, KeysScreen)
        keys = [hint.press for hint in screen.keys if hint.press in ("enter", "s", "e", "a")]
        assert sorted(keys) == ["a", "e", "enter", "s"]


async def test_a_letter_that_the_menu_names_does_in_the_line_what_the_key_does(tmp_path: Path) -> None:
    """`x` doesn't pause the game, as the command that begins with it would, and what is typed behind `N` is no public note."""
    async with playing(tmp_path, size=(100, 30)) as (pilot, table):
        before = table.snapshot.entries
        for letter, label, opens in (
            ("x", "Exposed", "m Mara"),
            ("t", "Tick a clock", "c starts one"),
            ("N", "Secret note", "secret ›"),
        ):
            await pilot.press("colon", letter)
            assert f"Enter: {label}" in seen(pilot), letter
            await pilot.press("enter")
            await pilot.pause()
            assert opens in seen(pilot), letter
            await pilot.press("escape", "escape")
        await pilot.press("colon", *"N the captain lies", "enter")
        assert "To add a secret note, type “secret”, or press Esc, then N" in " ".join(seen(pilot).split())
        assert table.snapshot.entries == before


async def test_while_something_is_asked_nothing_behind_n_is_a_public_note(tmp_path: Path) -> None:
    """The bar names N for a secret note there, too. Letters that answer mean their answers."""
    async with playing(tmp_path, 4, 5, size=(100, 30)) as (pilot, table):
        await pilot.press("r", "n", "enter")
        assert table.snapshot.question
        before = table.snapshot.entries
        await pilot.press("colon", *"N the captain lies", "enter")
        assert "To add a secret note, type “secret”, or press Esc, then N" in " ".join(seen(pilot).split())
        assert table.snapshot.entries == before
        await pilot.press("escape", "escape", "colon", *"n she lies", "enter")
        assert table.snapshot.entries == before + 1


async def test_a_key_of_the_menu_before_a_text_is_not_taken_for_another_command(tmp_path: Path) -> None:
    """`K op` meant a clock, and Enter opened an editor."""
    async with playing(tmp_path, size=(100, 30)) as (pilot, _):
        await pilot.press("colon", *"K op", "enter")
        assert "To use the K key, press Esc first" in " ".join(seen(pilot).split())


async def test_a_list_of_letters_has_help_of_its_own_and_leaves_to_the_menu(tmp_path: Path) -> None:
    """The bar names both keys. Help returns to the list; a letter that is chosen there is taken."""
    clocks = "".join(f'\n[clocks.{key}]\nname = "{key.title()}"\nsegments = 6\n' for key in ("hull", "fog"))
    async with playing(tmp_path, text=CAMPAIGN + clocks) as (pilot, table):
        await pilot.press("t", "?")
        assert ("f  Fog" in listed(pilot), "Roll" in listed(pilot)) == (True, False)
        await closed(pilot, "escape")
        assert "f Fog" in seen(pilot)
        await pilot.press("?", *"fog")
        await closed(pilot, "enter")
        await drained(pilot)
        assert table.snapshot.clocks["fog"].filled == 1
        await pilot.press("t", ":")
        assert "─ Menu" in seen(pilot)
        await pilot.press("escape")
        assert table.snapshot.entries == 1
