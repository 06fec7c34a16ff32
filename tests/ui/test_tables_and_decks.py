"""Random tables on their screen, beside decks, and from anywhere: rolled, picked, shown, made."""

import re
import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN, SIZES, looked, playing, seen, typed
from tests.kit.tables_and_decks import DECKS, TABLES, key_of, screen_of, searching, to_deck
from tests.kit.thorough import cases
from tests.ui.test_palette import INK
from tests.ui.test_playing import HOSTILE
from waylog.app.wayfinder_app import WayfinderApp
from waylog.app.window_commands_and_external_editor import find_line
from waylog.rules.model.facts import NoteFact
from waylog.ui.views.tables_and_decks import TablesView


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_tables_and_decks_are_listed_and_the_chosen_one_shows_what_it_holds(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """Entries with numbers, dice, where they lead and what they do in words; cards with sign and word (NM-01, NM-10)."""
    async with searching(tmp_path, size=size) as (pilot, _):
        await pilot.press("down", "right", *["down"] * 3)
        said = seen(pilot)
        assert "Behind the door" in said
        assert "4  The hull groans" in said
        assert "effect: damage ship" in said
        await pilot.press("left")
        assert "d6 ⊘" in seen(pilot)
        await to_deck(pilot)
        await pilot.press("right")
        assert "✗ bad" in seen(pilot)
        assert "3/3" in seen(pilot)


async def test_sections_of_a_d66_stand_over_their_entries(tmp_path: Path) -> None:
    """Entries are numbered 11 to 66, each six under the name of their section."""
    async with searching(tmp_path) as (pilot, _):
        await pilot.press("down", "down")
        said = seen(pilot)
        assert said.index("1  Deck 0") < said.index("11  a") < said.index("16  f") < said.index("2  Deck 1")


async def test_enter_rolls_with_the_app_or_with_what_is_typed(tmp_path: Path) -> None:
    """The line has the table already: Enter rolls, digits behind it are real dice (NM-02)."""
    async with searching(tmp_path, 5) as (pilot, table):
        await pilot.press("down", "enter", "enter")
        assert table.entry(1).words == "table door"
        assert "Nothing" in seen(pilot)
        await pilot.press("enter", "1", "enter")
        assert table.entry(2).faces == (1,)
        assert "An empty corridor" in seen(pilot)


async def test_the_lines_that_are_needed_are_counted_once_for_each_act(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window asks whenever it places its parts: the answer is the same until another act, or another place of the cursor."""
    async with searching(tmp_path) as (pilot, _):
        view = screen_of(pilot).window.view
        assert isinstance(view, TablesView)
        render = Mock(wraps=view._render_parts)
        monkeypatch.setattr(view, "_render_parts", render)
        for n in (1, 2):
            await pilot.press("n", "a", "enter")
            render.reset_mock()
            lines = [view.least_lines(INK, 80, 20) for _ in range(3)]
            assert (len({*lines}), render.call_count) == (1, 1), n
        await pilot.press("down")
        render.reset_mock()
        view.least_lines(INK, 80, 20)
        assert render.called


async def test_t_rolls_from_any_screen(tmp_path: Path) -> None:
    """`t`, first letters, dice if there are some, Enter."""
    async with searching(tmp_path) as (pilot, table):
        for key in ("1", "2", "3", "4", "5"):
            await pilot.press(key, "T", "d")
            await typed(pilot, " 6")
            await pilot.press("enter")
            assert table.snapshot.act[-1].words == "table door"
            assert table.snapshot.act[-1].faces == (6,)
        assert "Cold" in seen(pilot)


@pytest.mark.parametrize("has_tables", [True, False])
async def test_t_draws_too(tmp_path: Path, has_tables: bool) -> None:
    """What is random at the table is on one key: decks stand below the tables, and take their names or a marked choice."""
    if has_tables:
        (tmp_path / "tables").mkdir()
        (tmp_path / "tables" / "cargo.toml").write_text(TABLES["cargo"])
    async with playing(tmp_path, 2, 1, text=CAMPAIGN + DECKS) as (pilot, table):
        await pilot.press("T")
        assert "Roll on a table, or draw a card" in seen(pilot)
        assert ("cargo" in seen(pilot).lower()) is has_tables
        assert "Draw from “Search the station” (3 left)" in seen(pilot)
        await pilot.press(*"station", "enter")
        assert table.entry(1).words == "draw station"
        await pilot.press("escape", "T", *["down"] * (2 if has_tables else 1), "enter", "enter")
        assert table.entry(2).words == "draw station"


async def test_each_table_and_deck_of_the_list_has_a_letter_of_its_name(tmp_path: Path) -> None:
    """Of the words on its row, and not of the word in the file; one letter takes a deck as it takes a table."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "cargo.toml").write_text('name = "What is in the hold"\nentries = ["Salt", "Grain"]')
    (tmp_path / "tables" / "hunt.toml").write_text('name = "Who hunts us"\nentries = ["Rooks", "Crows"]')
    async with playing(tmp_path, *[1] * 5, text=CAMPAIGN + DECKS) as (pilot, table):
        await pilot.press("T")
        rows = [line.strip() for line in seen(pilot).splitlines() if "on “" in line or "Draw" in line]
        letters = {row.partition("“")[2].partition("”")[0]: row[0] for row in rows}
        assert letters == {
            "What is in the hold": "w",
            "Who hunts us": "h",
            "Search the station": "s",
            "The hunt": "u",
            "Ours": "o",
        }
        await pilot.press("s", "enter")
        await pilot.press("escape", "T", *"s2", "enter")
        await pilot.press("escape", "T", "h", "enter")
        assert [table.entry(n).words for n in (1, 2, 3)] == ["draw station", "draw station", "table hunt"]
        assert table.entry(2).faces == (2,)


async def test_numbers_over_ten_are_typed_as_numbers(tmp_path: Path) -> None:
    """A table of twenty takes 17 as one die."""
    async with searching(tmp_path) as (pilot, table):
        await pilot.press("T")
        await typed(pilot, "tw 17")
        await pilot.press("enter")
        assert table.entry(1).faces == (17,)
        assert "17" in table.entry(1).facts[-1].text  # type: ignore[union-attr]  # a note


async def test_a_nested_table_shows_both_that_came_up(tmp_path: Path) -> None:
    """An entry that leads to another table is framed beside what came up there (NM-03)."""
    async with searching(tmp_path) as (pilot, _):
        await pilot.press("T", "d")
        await typed(pilot, " 3 2")
        await pilot.press("enter")
        framed = [line for line in seen(pilot).splitlines() if "Wreckage" in line and "Grain" in line]
        assert framed
        assert framed[0].count("│") >= 4


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_dice_still_to_be_typed_are_asked_for(tmp_path: Path, size: tuple[int, int]) -> None:
    """Survivors are rolled for with the real die that is typed next."""
    async with searching(tmp_path, size=size) as (pilot, _):
        await pilot.press("T", "d")
        await typed(pilot, " 2")
        await pilot.press("enter")
        assert "Type the dice" in seen(pilot)
        await pilot.press("4", "enter")
        assert "4 (d6) survivors" in seen(pilot)


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_numbers_over_ten_can_be_typed_into_the_tray(tmp_path: Path, size: tuple[int, int]) -> None:
    """Two dice that are waited for, one of them of twenty sides: a number each, a space between, Enter at the end."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "sky.toml").write_text('entries = ["2d20 stars over d6 ships that nobody counts", "Fog"]')
    async with playing(tmp_path, size=size) as (pilot, table):
        await pilot.press("T")
        await typed(pilot, "sky 1")
        await pilot.press("enter")
        assert "[_]" in seen(pilot), "the next one is marked"
        assert seen(pilot).count("[ ]") == 1
        await typed(pilot, "17")
        assert "2d20 [17]" in seen(pilot)
        await pilot.press("space", "1", "3", "backspace", "enter")
        assert table.entry(2).faces == (17, 1)
        await pilot.press("5", "enter")
        assert table.entry(3).faces == (5,)
        assert "18 (2d20) stars over 5 (d6) ships" in " ".join(seen(pilot).replace("│", "").split())


async def test_an_effect_names_the_clock_that_it_moves(tmp_path: Path) -> None:
    """Not by the word that the file has for it."""
    text = CAMPAIGN + DECKS.replace('effect = "damage ship"', 'effect = "tick fog"')
    text += '\n[clocks.fog]\nname = "The fog"\nsegments = 4\n'
    async with playing(tmp_path, text=text) as (pilot, _):
        await pilot.press("5")
        assert "! effect: tick “The fog”" in " ".join(seen(pilot).split())


async def test_an_effect_is_done_by_one_key(tmp_path: Path) -> None:
    """What an entry brings is offered where it came up, and belongs to its act (NM-16)."""
    async with searching(tmp_path, 4) as (pilot, table):
        await pilot.press("T", "d", "enter")
        await pilot.press(key_of(pilot, "effect door"))
        assert table.entry(2).words == "effect door"
        assert table.entry(2).root == 1


async def test_an_entry_is_picked_where_it_stands(tmp_path: Path) -> None:
    """Right to the entries, Enter on one; or `I` and its number (NM-05)."""
    async with searching(tmp_path) as (pilot, table):
        await pilot.press("down", "right", "down", "down", "down", "down", "enter")
        assert table.entry(1).words == "pick door 5"
        assert "╭─ Behind the door 5 (picked)" in seen(pilot)
        await pilot.press("left", "I")
        await typed(pilot, "6")
        await pilot.press("enter")
        assert table.entry(2).words == "pick door 6"


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_a_refused_table_shows_why(tmp_path: Path, size: tuple[int, int]) -> None:
    """One that leads back to itself says so where it stands, and where it is rolled (NM-03)."""
    async with searching(tmp_path, size=size) as (pilot, table):
        await pilot.press("down", "down", "down", "enter")
        said = " ".join(seen(pilot).split())
        assert "✗ This table leads back to itself (table round → table round)" in said.replace("↓ more ", "")
        await pilot.press("T", "r", "enter")
        assert table.snapshot.entries == 0
        assert "leads back to itself" in seen(pilot)


async def test_e_on_a_table_opens_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the person's own editor, as a table is a file of its own; on one of its entries, at the line of that."""
    opened = list[Path]()
    lines = list[int]()

    def note(_app: WayfinderApp, file: Path, path: tuple[str, ...]) -> None:
        opened.append(file)
        lines.append(find_line(file, path))

    monkeypatch.setattr(WayfinderApp, "edit_in_editor", note)
    async with searching(tmp_path) as (pilot, table):
        await pilot.press("e")
        await pilot.press("right", "e")
        await pilot.press("down", "e")
        text = opened[0].read_text().splitlines()
        assert opened == [opened[0]] * 3
        key = opened[0].stem
        second = table.snapshot.tables[key].numbered_entries[1][1].text
        assert lines[0] == 1
        assert second in text[lines[2] - 1]
        assert all(file.parent == table.folder / "tables" and file.is_file() for file in opened)


async def test_what_players_see_of_a_table_is_its_files_to_say(tmp_path: Path) -> None:
    """`v` on a table says which keys show one result, and which open its file for all of them (NM-04)."""
    async with searching(tmp_path) as (pilot, table):
        assert "◉ visible to players" in seen(pilot)
        await pilot.press("down", "v")
        shown = " ".join(seen(pilot).split())
        assert "Players don't see the results of" in shown
        assert "press e and write “seen = true” in its file" in shown
        assert table.snapshot.entries == 0


async def test_what_came_up_on_a_hidden_table_is_shown_to_the_players_by_one_key(tmp_path: Path) -> None:
    """`v` on the table, and from any view, where it is marked in the list; a question first, and only until something else is done."""
    async with searching(tmp_path, 2, 6, 1, 5) as (pilot, table):
        await pilot.press("down", "enter", "enter")
        assert "show result" in seen(pilot).splitlines()[-1]
        await pilot.press("v")
        assert "Show “6 (d6) survivors” to the players?" in " ".join(seen(pilot).split())
        await pilot.press("escape", "1", "v")
        assert "▸ r 6 (d6) survivors" in seen(pilot)
        await pilot.press("v", "enter")
        last = table.entry(table.snapshot.entries)
        assert [fact.text for fact in last.facts if isinstance(fact, NoteFact) and not fact.secret] == [
            "6 (d6) survivors"
        ]
        await pilot.press("v")
        assert "survivors" not in seen(pilot).split("Show or hide what?")[1]
        await pilot.press("escape", "5", "v")
        assert "Press v right after a roll to show them the result" in " ".join(seen(pilot).split())


async def test_an_entry_without_a_text_can_not_be_shown(tmp_path: Path) -> None:
    """`v` right after it came up says why, and which key fills it in; it doesn't ask for a roll."""
    async with searching(tmp_path, 2) as (pilot, table):
        folder = table.folder / "tables"
        folder.mkdir(exist_ok=True)
        (folder / "aaa.toml").write_text('name = "Aaa"\nentries = ["", "", ""]\n')
        table.refresh()
        pilot.app.screen.show(table.snapshot)  # type: ignore[attr-defined]
        await pilot.press("home", "enter", "enter")
        assert table.entry(table.snapshot.entries).words == "table aaa"
        await pilot.press("v")
        shown = " ".join(seen(pilot).split())
        assert "The entry that came up on “Aaa” has no text to show. e opens the table's file" in shown


async def test_what_players_see_anyway_is_not_shown_again(tmp_path: Path) -> None:
    """`v` after a roll on a table that players see is about the table, as always; so it is on another table."""
    async with searching(tmp_path, 1, 5) as (pilot, table):
        await pilot.press("enter", "enter", "v")
        assert table.entry(1).words == "table cargo"
        shown = " ".join(seen(pilot).split())
        assert "Players don't see the results of" in shown
        assert "press e and write “seen = true” in its file" in shown
        await pilot.press("down", "enter", "enter", "up", "v")
        assert table.entry(2).words == "table door"
        shown = " ".join(seen(pilot).split())
        assert "Players don't see the results of" in shown
        assert "press e and write “seen = true” in its file" in shown


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_the_entry_under_the_cursor_is_in_sight(tmp_path: Path, size: tuple[int, int]) -> None:
    """However long the table and its entries, walked down and up again, and by leaps."""
    (tmp_path / "tables").mkdir()
    entries = ", ".join(f"'Omen {n} {'and on ' * 30}'" for n in range(1, 101))
    (tmp_path / "tables" / "omens.toml").write_text(f"entries = [{entries}]")
    async with playing(tmp_path, size=size) as (pilot, _):
        await pilot.press("5", "right")
        for key, number in (("end", 100), ("pageup", 92), ("up", 91), ("home", 1), ("pagedown", 9), ("up", 8)):
            await pilot.press(key)
            assert any("▸" in line and f"Omen {number} " in line for line in seen(pilot).splitlines())
        await pilot.press("home")
        assert any("Omens" in line for line in seen(pilot).splitlines()[1:5])


@pytest.mark.clause("NM-01", "NM-02")
async def test_a_table_is_made_from_a_name_and_a_die(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file has an empty entry for each number, and is opened in the person's editor. What the line would make is said before Enter;
    without a die that is a d6. A table that is there already is never replaced, and a die that no table has is refused.
    """
    opened: list[Path] = []
    monkeypatch.setattr(WayfinderApp, "edit_in_editor", lambda _, file, *__: opened.append(file))
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("5", "A", "enter")
        assert "Type its name, then a die" in seen(pilot)
        await typed(pilot, "Heard in port")
        assert "Create “Heard in port” with 6 entries to fill in" in seen(pilot)
        await typed(pilot, " d20")
        assert "Create “Heard in port” with 20 entries to fill in" in seen(pilot)
        await pilot.press("enter")
        file = tmp_path / "tables" / "heard-in-port.toml"
        assert opened == [file]
        assert "New table: Heard in port, in tables/heard-in-port.toml" in seen(pilot)
        assert (table.snapshot.tables["heard-in-port"].dice, table.snapshot.problems) == ("d20", ())
        file.write_text(file.read_text().replace('"", # 3\n', '"The gate is shut", # 3\n'))
        looked(pilot)
        await pilot.press("T", *"heard 3", "enter")
        assert "The gate is shut" in seen(pilot)
        await pilot.press("ctrl+p", *"new table", "enter", *"Crew 7 d66", "enter")
        assert (table.snapshot.tables["crew-7"].dice, len(table.snapshot.tables["crew-7"].numbered_entries)) == (
            "d66",
            36,
        )
        for typed_text, why in (("heard in port d6", "already exists"), ("Fog d101", "die can be d2 to d100")):
            await pilot.press("A")
            await typed(pilot, typed_text)
            await pilot.press("enter")
            assert why in seen(pilot)
            await pilot.press("escape", "escape")
        assert len(opened) == 2
        assert "The gate is shut" in file.read_text()


@pytest.mark.parametrize("keys", [(":",), ("ctrl+p", *"fog")], ids=["menu", "list of everything"])
async def test_a_table_with_a_mistake_can_be_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    """Nothing lists it, as it can't be rolled on; but what says that its file has a mistake says what opens the file."""
    opened: list[Path] = []

    def edit(app: WayfinderApp, file: Path, *_: object) -> None:
        if not opened:
            file.write_text('entries = ["", "", "", ""]\nThe gate is shut\n')
        opened.append(file)
        looked(pilot)

    monkeypatch.setattr(WayfinderApp, "edit_in_editor", edit)
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("5", "A")
        await typed(pilot, "Fog d4")
        await pilot.press("enter")
        assert "“Fog” has a mistake in its file" in seen(pilot)
        await pilot.press(*keys)
        assert "Open the file with the mistake: tables/fog.toml" in seen(pilot)
        if len(keys) > 1:
            await pilot.press("enter")
            assert opened == [tmp_path / "tables" / "fog.toml"] * 2


async def test_an_empty_screen_tells_how_to_begin(tmp_path: Path) -> None:
    """The keys that make a table and a deck, and no path; Enter and `T` ask for a table, too. A file appears by itself once it is saved."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("5")
        await pilot.pause()
        assert "A makes one" in seen(pilot)
        assert "tables/" not in seen(pilot)
        assert "D makes one" in seen(pilot)
        for key in ("enter", "T", "A"):
            await pilot.press(key)
            assert "New table: type a name and a die" in seen(pilot)
            await pilot.press("escape")
        (tmp_path / "tables").mkdir()
        (tmp_path / "tables" / "door.toml").write_text(TABLES["door"].replace(', table = "cargo"', ""))
        looked(pilot)
        await pilot.pause()
        assert "door" in table.snapshot.tables
        assert "The hull groans" in seen(pilot)


async def test_the_mouse_chooses_and_a_second_click_does(tmp_path: Path) -> None:
    """A table, an entry; clicked twice the entry is picked."""
    async with searching(tmp_path) as (pilot, table):
        lines = seen(pilot).splitlines()
        row = next(y for y, line in enumerate(lines) if "Behind the door" in line)
        await pilot.click(offset=(6, row))
        lines = seen(pilot).splitlines()
        entry = next(y for y, line in enumerate(lines) if "5  Nothing" in line)
        await pilot.click(offset=(60, entry), times=2)
        assert table.entry(1).words == "pick door 5"


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_hostile_names_and_cards_are_drawn_as_text(tmp_path: Path, size: tuple[int, int]) -> None:
    """Markup, control characters and length in tables and cards change nothing but what is read."""
    out = HOSTILE.replace("\x1b", "\\u001b").replace("\x07", "\\u0007").replace("\u202e", "\\u202e")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "a.toml").write_text(f'name = "{out}"\nnotes = "{out}"\nentries = ["{out}", "{out}"]')
    (tmp_path / "tables" / "b.toml").write_text(f'[sections]\n"{out}" = ["{out}"]')
    decks = f'\n[decks.x]\nname = "{out}"\n[decks.x.cards.c]\ntext = "{out}"\nluck = "bad"\n'
    async with playing(tmp_path, size=size, text=CAMPAIGN + decks) as (pilot, table):
        for keys in ("5", "enter", "enter", "down", "right", "left", "down", "right", "enter", "escape", "left"):
            await pilot.press(keys)
            await pilot.pause()
            assert not {"\x1b", "\x07", "\u202e"} & set(seen(pilot))
            assert len(seen(pilot).splitlines()) <= size[1]
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert table.snapshot.decks["x"].drawn == ("c",)
        assert "[red]x[/red]" in seen(pilot)
        assert not {"\x1b", "\x07", "\u202e"} & set(seen(pilot))


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_every_word_of_an_entry_can_be_read(tmp_path: Path, size: tuple[int, int]) -> None:
    """The cursor goes through one that is taller than the window before it goes on to the next, and back again."""
    async with searching(tmp_path, size=size) as (pilot, _):
        text = " ".join(f"word{n:03}" for n in range(150))
        (tmp_path / "tables" / "door.toml").write_text(f'entries = ["One", "{text}", "A", "B", "C", "D"]')
        looked(pilot)
        await pilot.press("down", "right")
        words, read = {f"word{n:03}" for n in range(150)}, set[str]()

        def marked(words: str) -> bool:
            return any("▸" in line and words in line for line in seen(pilot).splitlines())

        for _ in range(40):
            await pilot.press("down")
            read |= words & set(seen(pilot).split())
            if marked("6  D"):
                break
        assert read == words
        assert marked("6  D")
        for _ in range(40):
            await pilot.press("up")
            if marked("1  One"):
                break
        assert marked("1  One")


@pytest.mark.parametrize("size", [*SIZES, (30, 10)])
async def test_what_makes_a_first_table_or_deck_can_be_read_to_its_end(tmp_path: Path, size: tuple[int, int]) -> None:
    """In a window that is too small for it, a mark says so and the cursor's keys go on in it."""
    async with playing(tmp_path, size=size) as (pilot, _):
        await pilot.press("5")
        assert ("↓ more" in seen(pilot)) == (size[1] < 20)
        await pilot.press("end")
        assert "↓ more" not in seen(pilot)
        assert "adds cards to it." in seen(pilot)
        await pilot.press("home")
        assert "No tables yet" in seen(pilot)


async def test_the_list_is_as_wide_as_its_names(tmp_path: Path) -> None:
    """Within two fifths of the window; what is rolled on is named in the tray without the word that is typed for it."""
    async with playing(tmp_path, text=CAMPAIGN + DECKS, size=(80, 24)) as (pilot, table):
        (table.folder / "tables").mkdir(exist_ok=True)
        (table.folder / "tables" / "calloway.toml").write_text('name = "Inside the Lantern"\nentries = ["A", "B"]\n')
        looked(pilot)
        await pilot.press("5")
        (line,) = (line for line in seen(pilot).splitlines() if "Inside the Lantern  d2 ⊘ │" in line)
        assert line.index("│") == len("  Search the station 3/3 ⊘ "), "the longest name and its cards need no more"
        await pilot.press("T", *"calloway", "enter")
        assert "Roll d2 on “Inside the Lantern” ⊘" in seen(pilot)
        assert "calloway" not in seen(pilot)
        assert "Inside the Lante…" not in seen(pilot)


async def test_a_frame_names_the_table_and_the_dice_beside_it_say_what_else_they_are(tmp_path: Path) -> None:
    """The name of the table isn't repeated under each die, where it would be cut."""
    shutil.copytree(EXAMPLES / "tenacity", tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / "tenacity" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, 4, 2, size=(120, 36), text=text) as (pilot, _):
        await pilot.press("5", "enter", "enter")
        assert re.search(r"\d section +\d entry", seen(pilot))
