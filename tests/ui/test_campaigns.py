"""Other campaigns without leaving: switching with Ctrl+O, and making a new one step by step."""

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from math import inf
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.file_games import SHIPPED
from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN, closed, drained, seen, typed
from tests.kit.table import seeded, ticking, written
from tests.kit.thorough import cases
from waylog.app.campaign_choice import StartApp
from waylog.app.wayfinder_app import WayfinderApp
from waylog.cli.results_and_crashes import as_seen_from_here
from waylog.rules.codec.form_fields_and_paths import FormField
from waylog.rules.game import Game
from waylog.rules.systems import names, system
from waylog.store.file.campaign_file_tables_and_scene_cards import check
from waylog.store.file.template_and_conversion import make
from waylog.store.folders_and_recent import Locations, locations, summarise_campaign
from waylog.store.games.game_files import system_named, tables_of
from waylog.table import Table
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.form import FormScreen

SIZES = ((80, 24), (120, 36))
NOW = datetime(2026, 11, 2, 19, 0, tzinfo=UTC)


@pytest.fixture
def places(tmp_path: Path) -> Locations:
    """Three campaigns of one's own; the first two were opened, the first one last."""
    found = locations(str(tmp_path / "campaigns"), {"XDG_STATE_HOME": str(tmp_path / "state")})
    for name in ("alba", "beta", "gamma"):
        written(found.campaigns / name, CAMPAIGN.replace("Tenacity", name.title()))
    for name in ("beta", "alba"):
        found.remember(found.campaigns / name)
    return found


def opened(folder: Path) -> Table:
    """A campaign, to play."""
    return Table(folder, now=ticking(), chance=seeded(lambda _: 0))


@asynccontextmanager
async def starting(
    places: Locations, size: tuple[int, int] = (80, 24), *, new: bool = False, game: str = ""
) -> AsyncIterator[tuple[Pilot[None], StartApp]]:
    """The app while no campaign is open."""
    app = StartApp(places, opened, now=NOW, new=new, game=game)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot, app


@pytest.mark.parametrize("size", SIZES)
async def test_ctrl_o_lists_the_campaigns_and_switches(places: Locations, size: tuple[int, int]) -> None:
    """Those that were opened last come first, without the one that is open; Enter alone goes back to the one before."""
    app = WayfinderApp(opened(places.campaigns / "alba"), places=places)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+o")
        await drained(pilot)
        listed = [line.lstrip("▸ ").split("  ")[0] for line in seen(pilot).partition("─ Campaigns")[2].splitlines()[1:]]
        assert [name for name in listed if name][:7] == [
            *("Your campaigns", "Beta", "Gamma"),
            *("New campaign", "Learn Waylog in ten minutes"),
            *("Examples to try", "Tenacity"),
        ]
        await closed(pilot, "enter")
        assert app.handover.is_due, "what is typed from now on is for the next campaign"
    assert app.next_table
    assert app.next_table.folder == places.campaigns / "beta"


async def test_the_list_is_searched_and_left(places: Locations) -> None:
    """Letters search names and what stands beside them; Esc clears the search, then closes the list."""
    app = WayfinderApp(opened(places.campaigns / "alba"), places=places)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await drained(pilot)
        await typed(pilot, "gam")
        assert "Beta" not in seen(pilot)
        await typed(pilot, "x")
        assert "Nothing contains “gamx”" in seen(pilot)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)
        assert app.next_table is None


async def test_a_campaign_that_cannot_be_opened_is_said_and_the_list_stays(places: Locations) -> None:
    """The one that is open goes on."""
    (places.campaigns / "beta" / "campaign.toml").write_text("name = ")
    app = WayfinderApp(opened(places.campaigns / "alba"), places=places)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await drained(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert "✗ campaign.toml:1:8" in seen(pilot)
        assert app.next_table is None


async def test_an_example_is_copied_before_it_is_opened(places: Locations) -> None:
    """From the list that `waylog` shows while no campaign is the last one, by the letters of its title in their order."""
    async with starting(places) as (pilot, app):
        await typed(pilot, "sfan")
        await closed(pilot, "enter")
    assert app.table
    assert app.table.folder == places.campaigns / "soft-answer"


async def test_an_example_names_its_game(places: Locations) -> None:
    """Whoever knows a game, and not the examples, finds the one to look at; so does a search for the game. No id is shown."""
    async with starting(places, (80, 36)) as (pilot, _):
        assert re.search("Tenacity +Veil Runners, CORE edition", seen(pilot))
        assert re.search("Station Ten +Under the Ice", seen(pilot))
        assert not re.search("veil-core|station-ten", seen(pilot))
        await typed(pilot, "course")
        assert re.search("▸ Slack Water +Course and Flow", seen(pilot))


async def test_the_first_screen_says_what_it_is_in_the_middle_of_the_window(tmp_path: Path) -> None:
    """In a new home: the name, a sentence, a new campaign, the tutorial, the examples. What begins with a typed text comes before what
    has it somewhere, so that the first roll is five keys away.
    """
    found = locations(str(tmp_path / "campaigns"), {"XDG_STATE_HOME": str(tmp_path / "state")})
    async with starting(found, (120, 40)) as (pilot, app):
        lines = seen(pilot).splitlines()
        first = next(number for number, line in enumerate(lines) if "Waylog" in line)
        last = next(number for number, line in enumerate(lines) if "Esc leave" in line)
        assert abs(first - (40 - last)) <= 2
        assert "starship role-playing game" in lines[first + 1]
        assert "▸ New campaign" in lines[first + 3]
        assert "Learn Waylog in ten minutes" in lines[first + 4]
        await closed(pilot, "enter")
        assert "which game?" in seen(pilot).splitlines()[0], "at the top, as the steps that follow"
        await closed(pilot, "escape")
        assert "▸ New campaign" in seen(pilot), "Esc goes back to where one came from"
        await typed(pilot, "t")
        assert re.search("▸ Tenacity", seen(pilot))
        await closed(pilot, "enter")
    assert app.table
    assert app.table.folder == found.campaigns / "tenacity"


async def test_a_small_window_has_every_example(tmp_path: Path) -> None:
    """At 60×18 each has its line with its whole game, and nothing is free while one is hidden."""
    found = locations(str(tmp_path / "campaigns"), {"XDG_STATE_HOME": str(tmp_path / "state")})
    async with starting(found, (60, 18)) as (pilot, _):
        assert "more" not in seen(pilot)
        assert all(summarise_campaign(found.examples / name).title in seen(pilot) for name in found.uncopied_examples())
        games = {
            line.index(words)
            for words in ("Veil Runners", "Course")
            for line in seen(pilot).splitlines()
            if words in line
        }
        assert len(games) == 1, "one below the other"
        assert "Veil Runners, reference edition" in seen(pilot)


@pytest.mark.parametrize(("size", "keys"), [((100, 30), 0), ((80, 24), 5)])
async def test_an_example_says_what_its_game_is(places: Locations, size: tuple[int, int], keys: int) -> None:
    """Beside all of them where there is room for that; otherwise for the row under the cursor, below the list."""
    shutil.rmtree(places.campaigns)
    async with starting(places, size) as (pilot, _):
        for _ in range(keys):
            assert "Breakers' Yard · Cutters in the wrecks" not in seen(pilot)
            await pilot.press("down")
        assert "Breakers' Yard · Cutters in the wrecks" in seen(pilot)
        assert ("Under the Ice · A station" in seen(pilot)) is (not keys)


async def test_a_narrow_window_has_the_beginning_of_descriptions(places: Locations) -> None:
    """Beside the names that leave room for some words; what is marked is described below the list."""
    async with starting(places, (40, 20)) as (pilot, _):
        await typed(pilot, "new")
        await pilot.press("enter")
        await pilot.pause()
        rows = [line[2:] for line in seen(pilot).splitlines()]
        assert sum(row.startswith("Breakers' Yard  Cutters in the ") and row.endswith("…") for row in rows) == 1
        assert any(row == "The Emissaries of Guenašk" for row in rows), "too little room for a description"


async def test_enter_pressed_twice_in_the_list_does_nothing_to_what_was_opened(
    places: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second Enter is swallowed where the campaign was chosen in the app; any other key, and the next Enter, act."""
    monkeypatch.setattr("waylog.app.keyboard_and_pastes.TWICE", inf)
    app = WayfinderApp(opened(places.campaigns / "alba"), places=places, chosen_in_app=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = seen(pilot)
        await pilot.press("enter")
        await drained(pilot)
        assert seen(pilot) == before
        await pilot.press("enter")
        await drained(pilot)
        assert seen(pilot) != before


async def test_the_tutorial_is_one_of_the_list(places: Locations) -> None:
    """It is made when it is first opened, and is not among the campaigns that were opened."""
    async with starting(places) as (pilot, app):
        await typed(pilot, "learn")
        await closed(pilot, "enter")
    assert app.table
    assert app.table.folder == places.tutorial
    places.remember(places.tutorial)
    assert places.last() == places.campaigns / "alba"


async def test_ones_own_campaigns_name_their_game_and_latest_session(places: Locations) -> None:
    """So the right one of several is found without opening them: how long ago it was played, and what the evening ended on."""
    table = opened(places.campaigns / "beta")
    for words in ("session begin", "scene The quay", "note The crane is out", "session end"):
        table.play(table.understand(words))
    table.settle()
    (places.campaigns / "alba" / "campaign.toml").write_text("name = ")
    async with starting(places, (120, 36)) as (pilot, _):
        assert re.search(r"Beta +session 1, \w+ \w+ ago · “The quay” · Veil Runners, CORE edition", seen(pilot))
        assert re.search(r"Gamma +Veil Runners, CORE edition", seen(pilot))
        assert re.search(r"alba *\n", seen(pilot))


async def test_up_goes_from_the_first_row_to_the_last(places: Locations) -> None:
    """One key reaches the end of the list, and one goes back; a page goes no further than the end."""
    async with starting(places) as (pilot, _):
        first = next(line for line in seen(pilot).splitlines() if line.startswith("▸"))
        await pilot.press("up")
        assert "▸ The Sunday ferry" in seen(pilot)
        await pilot.press("pagedown")
        assert "▸ The Sunday ferry" in seen(pilot)
        await pilot.press("down")
        assert first in seen(pilot)


@pytest.mark.parametrize("size", [(80, 24), (60, 18), (40, 20)])
async def test_what_a_game_is_can_be_read_in_full(places: Locations, size: tuple[int, int]) -> None:
    """What is cut in the list of games stands in full below it, for the row under the cursor."""
    async with starting(places, size, new=True) as (pilot, _):
        lacking = {system(name).about for name in names()}
        for _ in range(3 * len(lacking)):
            lacking = {about for about in lacking if about not in " ".join(seen(pilot).split())}
            await pilot.press("down")
    assert not lacking


async def test_a_description_begins_behind_a_short_name_where_it_would_be_cut(places: Locations) -> None:
    """The longest name doesn't take the room of all others."""
    async with starting(places, (80, 24), new=True) as (pilot, _):
        assert "Pole Star  Riders on a frozen moon: one die against two, momentum and oaths\n" in seen(pilot)


@pytest.mark.parametrize("size", [(100, 30), (80, 40), (60, 90)])
async def test_descriptions_are_whole_where_the_list_has_room(places: Locations, size: tuple[int, int]) -> None:
    """They run on under their first line, beside the name; the rows stay rows: an arrow goes to the next game."""
    async with starting(places, size, new=True) as (pilot, _):
        assert "…" not in seen(pilot)
        assert "the edition to begin with" in " ".join(seen(pilot).split())
        await pilot.press("down")
        assert next(line for line in seen(pilot).splitlines() if "▸" in line).startswith("▸ Blind Jump")


def assert_is_red_dwarf(table: Table) -> None:
    """The campaign has what was typed in session zero, and its file has no mistake."""
    sheet, clocks = table._store.campaign.state.sheet, table._store.campaign.state.clocks
    assert sheet.ship.name == "Starbug"
    assert not sheet.ship.wrecked
    assert [(key, each.name, each.system) for key, each in sheet.ship.modules.items()] == [
        ("1", "LIFEWATCH", "CPU"),
        ("2", "KICKER", "NAV"),
    ]
    assert {key: member.primary.name for key, member in sheet.crew.items()} == {
        key: f"{key.title()} 2" for key in ("lister", "rimmer", "cat", "kryten")
    }
    assert len({member.secondary.name for member in sheet.crew.values()} - {""}) == 4
    assert {clock.name: (clock.outcome, clock.segments) for clock in clocks.values()} == {
        "Fog": ("Boom", 8),
        "Air": ("Boom", 8),
    }
    assert {key: (each.name, each.character) for key, each in table.snapshot.players.items()} == {
        "ana": ("Ana", "lister"),
        "ben": ("Ben", "rimmer"),
        "emile": ("Émile", "kryten"),
    }
    assert "campaign.toml" in table.news
    assert "Players join with: waylog join 'Red Dwarf' --as ana (or ben or emile)" in table.news
    assert [deck.name for deck in table.snapshot.decks.values()] == ["Searching the wreck"]
    assert [*table.snapshot.tables] == ["derelict"]
    assert table.snapshot.entries == 0
    text = (table.folder / "campaign.toml").read_text(encoding="utf-8")
    assert "# Dice to navigate" in text
    assert not check(table.folder / "campaign.toml", as_seen_from_here(table.folder))


async def test_a_name_that_is_typed_in_full_brings_what_tab_would_bring(places: Locations) -> None:
    """The system of a module of the game's kit. It is gone again with the name, and a choice that a person made stays."""
    async with starting(places, (80, 24), new=True) as (pilot, _):
        await pilot.press("enter")
        await typed(pilot, "Red Dwarf")
        await pilot.press("enter")
        await typed(pilot, "Starbug")
        await pilot.press("pagedown", "pagedown")
        await typed(pilot, "kicker")
        assert "(•) NAV" in seen(pilot)
        await typed(pilot, "s")
        assert "(•) NAV" not in seen(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_session_zero_by_keys(places: Locations, size: tuple[int, int]) -> None:
    """Game, name, a ship with two modules of the starter kit, four crew with their players and two tools each, two clocks, a deck and a
    table take no more than 60 keys besides what has to be typed. Nothing that only play sets is asked; then the players can join.
    """
    keys = 0

    async def press(*pressed: str, closes: bool = False) -> None:
        nonlocal keys
        keys += len(pressed)
        if closes:
            await closed(pilot, *pressed)
        else:
            await pilot.press(*pressed)
        for word in ("Wrecked", "spent", "estroyed", "Uses left", "Burned", "Exposed", "Filled"):
            assert word not in seen(pilot)

    async with starting(places, size, new=True) as (pilot, app):
        assert "which game?" in seen(pilot)
        await press("enter", closes=True)
        await typed(pilot, "Red Dwarf")
        await press("enter", closes=True)
        assert "Red Dwarf, step 2 of 5: Ship" in seen(pilot)
        await typed(pilot, "Starbug")
        assert re.search("CPU +2.*HUL +2.*NAV +2", seen(pilot), re.DOTALL)
        await press("pagedown", "pagedown", "tab", "down")
        await typed(pilot, "Kick")
        await press("tab")
        assert "(•) NAV" in seen(pilot)
        await press("ctrl+s", closes=True)
        assert "or leave it empty to use Mara, Joss and Imre" in seen(pilot)
        for name, player in (("Lister", "Ana"), ("Rimmer", "Ben"), ("Cat", "Ana"), ("Kryten", "Émile")):
            assert "step 3 of 5" in seen(pilot)
            for text in (name, "Crew", player, f"{name} 2"):
                await typed(pilot, text)
                await press("enter")
            await press("tab")
            await press("enter", closes=True)
        assert "so far Lister, Rimmer, Cat and Kryten" in seen(pilot)
        await press("enter", closes=True)
        for name in ("Fog", "Air"):
            assert "step 4 of 5" in seen(pilot)
            await typed(pilot, name)
            await press("enter", "d", "enter", "right", "enter")
            await typed(pilot, "Boom")
            await press("enter", closes=True)
        await press("enter", closes=True)
        assert "step 5 of 5: Starter decks and tables" in seen(pilot)
        notes = [re.search(r"\[ \] no +(Deck|Table): ", line) for line in seen(pilot).splitlines()]
        assert len({note.start(1) for note in notes if note}) == 1
        await press("space", "down", "down", "down", "down", "space")
        assert "Ctrl+S create" in seen(pilot)
        await press("ctrl+s", closes=True)
    assert keys <= 60
    table = app.table
    assert table
    assert_is_red_dwarf(table)


async def test_session_zero_has_the_window_for_itself(places: Locations, tmp_path: Path) -> None:
    """Nothing of the campaign that is open stands below its steps, so that they don't read as a part of it."""
    shutil.copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")
    async with WayfinderApp(opened(tmp_path / "tenacity"), places=places).run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert "Odile" in seen(pilot)
        await pilot.press("ctrl+p")
        await typed(pilot, "new campaign")
        await closed(pilot, "enter")
        assert "which game?" in seen(pilot)
        await closed(pilot, "enter")
        assert "step 1 of 5" in seen(pilot)
        assert not seen(pilot).partition("Esc back")[2].strip()


async def test_esc_leaves_session_zero_step_by_step(places: Locations, tmp_path: Path) -> None:
    """From the first step to the games, from there to the campaigns, and only then to the campaign that is open. What is typed on behind
    such an Esc is for what it shows.
    """
    shutil.copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")
    async with WayfinderApp(opened(tmp_path / "tenacity"), places=places).run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o")
        await typed(pilot, "new")
        await closed(pilot, "enter")
        await pilot.press("down")
        chosen = re.findall("▸ (.+?)  ", seen(pilot))
        await closed(pilot, "enter")
        assert "step 1 of" in seen(pilot)
        await closed(pilot, "escape")
        assert re.findall("▸ (.+?)  ", seen(pilot)) == chosen
        await closed(pilot, "enter")
        pilot.app.simulate_key("escape")
        await closed(pilot, "c")
        await typed(pilot, "ourse")
        assert "which game?" in seen(pilot)
        assert "find › course" in seen(pilot)
        await pilot.press("escape")
        pilot.app.simulate_key("escape")
        await closed(pilot, "l")
        await typed(pilot, "earn")
        assert "▸ Learn Waylog" in seen(pilot)
        await pilot.press("escape")
        await closed(pilot, "escape")
        assert "NAV" in seen(pilot)


async def test_back_in_session_zero_goes_to_what_was_made(places: Locations) -> None:
    """One step at a time, with what was typed there; changing it makes nothing twice. Where the campaign is, is said at the end; `u` says
    what can be done as long as nothing has been played.
    """
    async with starting(places, new=True, game="veil-core") as (pilot, app):
        await typed(pilot, "Nova")
        await closed(pilot, "enter")
        await closed(pilot, "ctrl+s")
        await typed(pilot, "Mara")
        await pilot.press("down", "down")
        await typed(pilot, "Ana")
        await closed(pilot, "ctrl+n")
        await closed(pilot, "escape")
        assert re.search(r"Player +Ana", seen(pilot))
        await typed(pilot, " Voss")
        await pilot.press("down", "down", "ctrl+u")
        await typed(pilot, "Ben")
        await closed(pilot, "ctrl+s")
        assert "so far Mara Voss" in seen(pilot)
        await closed(pilot, "escape")
        await closed(pilot, "escape")
        assert "step 2 of 5: Ship" in seen(pilot)
        await closed(pilot, "escape")
        assert re.search(r"▸ Name +Nova", seen(pilot))
        for _ in range(6):
            await closed(pilot, "ctrl+s")
    assert app.table
    assert {key: each.name for key, each in app.table._store.campaign.state.sheet.crew.items()} == {"mara": "Mara Voss"}
    assert {key: each.character for key, each in app.table.snapshot.players.items()} == {"ben": "mara"}
    async with WayfinderApp(app.table).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "which you can edit while you play" in " ".join(seen(pilot).split())
        await pilot.press("u")
        await pilot.pause()
        assert "nothing has been played yet. e edits the row under the cursor" in " ".join(seen(pilot).split())


@pytest.mark.parametrize(("steps_back", "key", "named"), [(3, "escape", "Esc"), (0, "ctrl+c", "Ctrl+C")])
async def test_a_key_that_loses_all_steps_of_session_zero_asks_first(
    places: Locations, steps_back: int, key: str, named: str
) -> None:
    """Once any of them is filled in: Esc at the first, and Ctrl+C at any. Another key goes on, with everything that was entered."""
    async with starting(places, new=True, game="veil-core") as (pilot, app):
        await closed(pilot, "enter")
        await closed(pilot, "ctrl+s")
        await typed(pilot, "Mara")
        await closed(pilot, "ctrl+s")
        for _ in range(steps_back):
            await closed(pilot, "escape")
        step = app.screen
        await pilot.press(key)
        await pilot.pause()
        assert f"Discard what you typed in all steps? {named} again" in " ".join(seen(pilot).split())
        await pilot.press("right", key)
        await pilot.pause()
        assert app.screen is step
        await closed(pilot, key)
        assert app.screen is not step
    assert app.table is None


async def test_who_is_emptied_in_session_zero_is_not_made(places: Locations) -> None:
    """Del empties the form of somebody who was added before, and saving it adds nobody: no runner without a name, nor their player."""
    async with starting(places, new=True, game="veil-core") as (pilot, app):
        await typed(pilot, "Nova")
        await closed(pilot, "enter")
        await closed(pilot, "ctrl+s")
        await typed(pilot, "Mara")
        await pilot.press("down", "down")
        await typed(pilot, "Ana")
        await closed(pilot, "ctrl+n")
        await typed(pilot, "Joss")
        await closed(pilot, "ctrl+n")
        await closed(pilot, "escape")
        await closed(pilot, "escape")
        await pilot.press("delete")
        await closed(pilot, "ctrl+s")
        assert re.search(r"▸ Name +Joss", seen(pilot))
        await closed(pilot, "ctrl+s")
        assert "(so far Joss)" in seen(pilot)
        for _ in range(3):
            await closed(pilot, "ctrl+s")
    assert app.table
    assert [each.name for each in app.table._store.campaign.state.sheet.crew.values()] == ["Joss"]
    assert not app.table.snapshot.players


async def test_the_first_letter_replaces_a_placeholder(places: Locations) -> None:
    """The ship of some games has a name until it gets its own; nothing else is proposed behind it. What was typed is gone on with."""
    async with starting(places, new=True, game="course-flow") as (pilot, _):
        await closed(pilot, "enter")
        assert re.search(r"▸ Name +The ship$", seen(pilot), re.MULTILINE)
        await typed(pilot, "Nova")
        assert re.search(r"▸ Name +Nova$", seen(pilot), re.MULTILINE)
        await closed(pilot, "ctrl+s")
        await closed(pilot, "escape")
        await typed(pilot, "s")
        assert re.search(r"▸ Name +Novas$", seen(pilot), re.MULTILINE)


async def test_equipment_is_asked_for_before_enter_adds_a_character(places: Locations) -> None:
    """In Course and Flow, Enter on the empty row of a skill ends the form; equipment stands above the skills, so nobody misses it."""
    async with starting(places, new=True, game="course-flow") as (pilot, app):
        for _ in range(2):
            await closed(pilot, "ctrl+s")
        await typed(pilot, "Anouk")
        labels = []
        while "⏎ add" not in seen(pilot):
            screen = app.screen
            assert isinstance(screen, FormScreen)
            labels.append(screen._draft.row.part.label)
            await pilot.press("enter")
        assert "Equipment" in labels


async def test_what_can_wait_follows_what_a_step_asks_for(places: Locations) -> None:
    """Enter doesn't go there: behind the last field of a new runner it adds the runner. The dice of the ship are checked as soon as one is
    typed. No arrow ticks a box.
    """
    async with starting(places, new=True, game="veil-core") as (pilot, _):
        await closed(pilot, "enter")
        await pilot.press("pagedown", "right")
        assert re.search("✗ .*6", seen(pilot))
        await pilot.press("left", "pagedown", *["down"] * 3, "enter")
        assert re.search(r"Can wait until you play\n +Focus .*\n +Modules.*\n +About \(4\) ", seen(pilot))
        await closed(pilot, "ctrl+s")
        await typed(pilot, "Mara")
        await pilot.press("enter", "enter", "enter", "enter")
        assert "▸ Secondary tool" in seen(pilot)
        assert "⏎ add" in seen(pilot)
        await pilot.press("down")
        assert "▸ Vitality" in seen(pilot)
        await pilot.press("up")
        await closed(pilot, "enter")
        assert "so far Mara" in seen(pilot)
        await closed(pilot, "enter")
        await typed(pilot, "Fog")
        await pilot.press(*["down"] * 5)
        assert re.search(r"▸ Visible +\[x\] yes", seen(pilot))
        await pilot.press("right", "left", "right")
        assert re.search(r"▸ Visible +\[x\] yes", seen(pilot))


async def test_a_skill_that_is_typed_in_session_zero_is_kept(places: Locations) -> None:
    """A name and its number; another follows, as in the form of `e`. The player comes right after the name. Where Enter adds somebody,
    the keys lead to what it leaves out.
    """
    async with starting(places, new=True, game="course-flow") as (pilot, app):
        await closed(pilot, "enter")
        await closed(pilot, "ctrl+s")
        await typed(pilot, "Iko")
        assert re.search(r"Iko\s+Player .*\s+About", seen(pilot))
        assert "optional fields" not in seen(pilot)
        await pilot.press("down", "down", "down", "down")
        assert "type a name to add one" in seen(pilot)
        assert "⏎ add  ↓ optional fields" in seen(pilot)
        await typed(pilot, "piloting 2")
        await pilot.press("enter")
        await typed(pilot, "repairs 1")
        for _ in range(4):
            await closed(pilot, "ctrl+s")
    assert app.table
    crew = app.table._store.campaign.state.sheet.crew
    assert {each.name: dict(each.skills) for each in crew.values()} == {"Iko": {"piloting": 2, "repairs": 1}}


async def test_a_ship_is_made_in_session_zero_where_play_makes_ships(places: Locations) -> None:
    """A game whose campaigns begin without a ship has a step for one. It can be left empty; the Ship tab then says how one is added."""
    async with starting(places, (100, 30), new=True, game="emissaries") as (pilot, app):
        await closed(pilot, "enter")
        assert "step 2 of 5: Assets" in seen(pilot)
        await typed(pilot, "Kestrel")
        await pilot.press("enter", "enter", "enter")
        await typed(pilot, "Engines 3d6, Hull 3d6, Systems 2d8")
        await closed(pilot, "enter")
        assert "so far Kestrel" in seen(pilot)
        for _ in range(4):
            await closed(pilot, "ctrl+s")
    assert app.table
    assert [each.name for each in app.table._store.campaign.state.sheet.assets.values()] == ["Kestrel"]
    folder = places.new("Bare")
    make(folder, "Bare", Game(system("emissaries")))
    async with WayfinderApp(opened(folder), places=places).run_test(size=(100, 30)) as pilot:
        await pilot.press("1", "G")
        assert "None yet. e adds the first one" in seen(pilot)
        await pilot.press("enter")
        assert "Assets: a new entry" in seen(pilot)


def test_ships_of_a_game_in_a_file_are_those_of_its_ship_tab() -> None:
    """The list that its file puts there."""
    assert system_named("boarding-party").ships == "foes"
    assert system_named("blind-jump").ships == ""


async def test_session_zero_takes_few_keys(places: Locations) -> None:
    """A ship with two modules, four runners with their players and tools, and two clocks: at most 53 keys beside what is typed."""
    ship = ["Nova", *["down"] * 5, "enter", "down", "tab", *["down"] * 4, "tab", "ctrl+s"]
    runner = ["down", "down", "Ana", "enter", "tab", "enter", "tab", "enter"]
    runners = [key for name in ("Mara", "Joss", "Imre", "Pell") for key in (name, *runner)]
    clocks = ["Fog", "down", "right", "ctrl+s", "Bilge", "down", "right", "right", "ctrl+s"]
    keys = ["Fox", "enter", *ship, *runners, "enter", *clocks, "enter", "ctrl+s"]
    keyed = ("down", "right", "enter", "tab", "ctrl+s")
    assert sum(key in keyed for key in keys) <= 53
    async with starting(places, new=True, game="veil-core") as (pilot, app):
        for key in keys:
            await (closed(pilot, key) if key in keyed else typed(pilot, key))
    assert app.table
    state = app.table._store.campaign.state
    assert [len(each) for each in (state.sheet.crew, state.clocks)] == [4, 2]
    assert sum(bool(each.name) for each in state.sheet.ship.modules.values()) == 2
    assert all(each.primary.name and each.secondary.name for each in state.sheet.crew.values())


@pytest.mark.parametrize("name", [*names(), *cases(SHIPPED, 0)])
async def test_a_step_leaves_no_lines_empty_under_fields_that_are_out_of_sight(name: str, places: Locations) -> None:
    """Its form begins at the top of the window; one that is longer goes down to the end, and says that there is more."""
    async with starting(places, new=True, game=name) as (pilot, app):
        while isinstance(form := app.screen, FormScreen):
            for size in ((40, 20), (60, 18), (100, 30)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                lines = seen(pilot).splitlines()
                if max(at for at, line in enumerate(lines, 1) if line.strip()) < size[1] - 1:
                    assert "↓ more" not in seen(pilot)
                    parts = form.source.group.parts
                    labels = [each.label for each in parts if not (isinstance(each, FormField) and each.only_with)]
                    assert all(re.search(rf"^. {label}", seen(pilot), re.MULTILINE) for label in labels)
            await closed(pilot, "ctrl+s")


async def test_a_new_clock_has_no_kind_until_one_is_chosen(places: Locations) -> None:
    """The form says so only when it is to go on, and leads to the kinds."""
    async with starting(places, new=True, game="veil-core") as (pilot, app):
        for key in ("enter", "ctrl+s", "enter"):
            await closed(pilot, key)
        await typed(pilot, "Storm")
        assert re.search(r"Kind +\( \) push", seen(pilot))
        assert "✗" not in seen(pilot)
        await pilot.press("ctrl+s")
        assert "Kind: choose push, catastrophe, death or augury" in seen(pilot)
        await pilot.press("d")
        assert "✗" not in seen(pilot)
        for _ in range(3):
            await closed(pilot, "ctrl+s")
    assert app.table
    assert [each.kind.value for each in app.table.snapshot.clocks.values()] == ["death"]


@pytest.mark.parametrize("game", ["veil-core", "slow-freight"])
async def test_a_step_with_lines_to_spare_cuts_no_text(places: Locations, game: str) -> None:
    """In the smallest window: title, labels, and what stands below the fields are there to the end, as nothing else is in the window."""
    async with starting(places, (40, 20), new=True, game=game) as (pilot, app):
        titles = set()
        while app.table is None:
            text = seen(pilot)
            assert "…" not in re.sub(r"About \(.*", "", text)
            titles |= set(re.findall(r"step (\d) of (\d)", text))
            await closed(pilot, "ctrl+s")
        assert {step for step, _ in titles} == {str(step) for step in range(1, int(max(titles)[1]) + 1)}


@pytest.mark.parametrize("name", [*names(), *cases(SHIPPED, 0)])
async def test_each_step_can_be_skipped_in_each_game(name: str, places: Locations) -> None:
    """What comes of it is what `waylog new NAME` makes, with a name that nobody has taken."""
    async with starting(places, new=True, game=name) as (pilot, app):
        for _ in range(5):
            if app.is_running and app.table is None:
                await closed(pilot, "ctrl+s")
    assert app.table
    assert app.table.folder == places.campaigns / "New campaign"
    make(places.campaigns / "plain", "New campaign", Game(system_named(name)), beside=tables_of(name))
    made, plain = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.toml")}
        for folder in (app.table.folder, places.campaigns / "plain")
    )
    assert made == plain
    assert any("tables" in path.parts for path in made) is bool(tables_of(name))


async def test_a_name_that_is_taken_is_refused_while_it_is_typed(places: Locations) -> None:
    """In the words of `waylog new`; Esc at the name makes nothing."""
    async with starting(places, new=True, game="veil-core") as (pilot, app):
        await typed(pilot, "ALBA")
        assert "There is already a campaign “alba”" in seen(pilot)
        await pilot.press("enter")
        assert "There is already a campaign “alba”" in seen(pilot)
        await pilot.press("escape", "escape")
        await pilot.pause()
    assert app.table is None
    assert places.campaign_names() == ["alba", "beta", "gamma"]


async def test_ctrl_c_leaves_where_no_campaign_is_open(places: Locations) -> None:
    """At a step, too: there is nothing behind it."""
    async with starting(places, new=True, game="veil-core") as (pilot, app):
        await closed(pilot, "enter")
        await closed(pilot, "ctrl+c")
        assert app._exit
    assert app.table is None


async def test_ctrl_c_makes_no_campaign(places: Locations) -> None:
    """At any step. In a window with a campaign, that one goes on."""
    app = WayfinderApp(opened(places.campaigns / "alba"), places=places)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await typed(pilot, "new campaign")
        await pilot.press("enter")
        await drained(pilot)
        await closed(pilot, "enter")
        await closed(pilot, "enter")
        assert "step 2 of 5" in seen(pilot)
        await closed(pilot, "ctrl+c")
        assert isinstance(app.screen, MainScreen)
    assert places.campaign_names() == ["alba", "beta", "gamma"]
