"""Edit in place: `e` opens a form of all that the file knows about a row, and saving it is one act with one undo."""

import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.file_games import SHIPPED
from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN, SIZES, drained, playing, seen, typed
from tests.kit.table import but_the_mark, seeded, text_of, ticking
from tests.kit.thorough import IS_AT_A_DESK, cases
from tests.ui.test_palette import INK
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.codec.base_and_limits import ValueShape
from waylog.rules.codec.changes import NEW
from waylog.rules.codec.form_fields_and_paths import FieldGroup, FormField, FormSource
from waylog.rules.game import Game
from waylog.rules.model.facts import NoteFact
from waylog.rules.set_command import Setting
from waylog.rules.systems import names
from waylog.rules.systems.veil_core.sheet import Module, Tool
from waylog.store.games.game_files import system_named
from waylog.table import Table
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.bridge_ship_and_crew import SheetView
from waylog.ui.views.form import FormScreen, _FormView
from waylog.ui.views.form_filling import FormDraft

NAMES = sorted(path.name for path in EXAMPLES.iterdir())
IN_FULL = NAMES if not IS_AT_A_DESK else ["soft-answer", "tenacity"]
"""The examples of which every form is opened: all in CI. At a desk, a third of their forms; and some others show one form of each tab."""
TRIED = [*IN_FULL, *cases([name for name in NAMES if name not in IN_FULL], 0)]


def copied(name: str, folder: Path) -> Table:
    """A copy of an example, to play."""
    shutil.copytree(EXAMPLES / name, folder / name)
    return Table(folder / name, now=ticking(), chance=seeded(lambda _: 0))


def form(pilot: Pilot[None]) -> FormScreen:
    """The form that is open."""
    screen = pilot.app.screen
    assert isinstance(screen, FormScreen), seen(pilot)
    return screen


@pytest.mark.parametrize("name", TRIED)
async def test_a_form_that_is_saved_unchanged_changes_nothing(name: str, tmp_path: Path) -> None:
    """A form of the ship, the crew, the clocks, the decks and the scene logs nothing, and the file keeps its bytes."""
    table = copied(name, tmp_path)
    app = WayfinderApp(table)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        entries, before, opened = table.snapshot.entries, text_of(table.folder), 0
        for tab in ("ship", "crew", "scene", "clocks", "tables"):
            await app.frame.action_look(tab)
            await pilot.pause()
            view = app.frame.window.view
            if app.frame.window.tab != tab:
                continue
            rows = range(len(view._panels) and view.count() if isinstance(view, SheetView) else 9)
            for row in cases(rows, 0, 3):
                if row:
                    view.move_to(row)
                app.action_edit()
                await pilot.pause()
                if is_form := isinstance(app.screen, FormScreen):
                    opened += 1
                    await pilot.press("down", "escape" if form(pilot)._draft.is_new else "ctrl+s")
                    await pilot.pause()
                assert isinstance(app.screen, MainScreen)
                if is_form and name not in IN_FULL:
                    break
        assert opened > (12 if name in IN_FULL else 1)
        assert table.snapshot.entries == entries
        assert text_of(table.folder) == before


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_each_kind_of_field_is_changed_with_one_act_and_one_undo(tmp_path: Path, size: tuple[int, int]) -> None:
    """A text, a number, a switch, a list and a field of a tool. The comments of the file stay, and undo brings its bytes back."""
    text = CAMPAIGN.replace('name = "Lars"', 'name = "Lars"   # my cousin plays him')
    async with playing(tmp_path, size=size, text=text) as (pilot, table):
        before = text_of(table.folder)
        await pilot.press("2", "e", "pageup")
        await typed(pilot, " Berg")
        await pilot.press("tab")
        await typed(pilot, "Pilot, retired")
        await pilot.press("down", "2", "down", "right", "down", "space", "down", "down", "down")
        await typed(pilot, "exp")
        await pilot.press("tab")
        await typed(pilot, ", rel")
        await pilot.press("tab", "pagedown")
        await typed(pilot, 'lamp "Vesta"')
        assert "✗" not in seen(pilot)
        await pilot.press("ctrl+s")
        await drained(pilot)
        assert isinstance(pilot.app.screen, MainScreen)
        assert table.snapshot.entries == 1
        lars = table._store.campaign.state.sheet.crew["lars"]
        assert (lars.name, lars.role, lars.vitality, lars.focus) == ("Lars Berg", "Pilot, retired", 2, 1)
        assert (lars.life_support, [*lars.advancements], lars.primary.name) == (
            False,
            ["expert", "relentless"],
            'lamp "Vesta"',
        )
        assert table.entry(1).title == "Set Lars Berg: name, role, vitality and 4 more"
        table.settle()
        assert '"Lars Berg"   # my cousin plays him' in text_of(table.folder)
        await pilot.press("u", "enter")
        table.settle()
        assert but_the_mark(text_of(table.folder)) == but_the_mark(before)


async def test_a_choice_is_taken_by_arrow_letter_or_click(tmp_path: Path) -> None:
    """In the form of an empty slot, which makes the module."""
    async with playing(tmp_path, size=(120, 36)) as (pilot, table):
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        app.action_edit(("ship", "modules", "2"))
        await pilot.pause()
        assert "Modules: 2, empty" in seen(pilot)
        await typed(pilot, "Searchlight")
        await pilot.press("down", "down", "right", "right", "left", "left", "down", "N")
        assert "(•) NAV" in seen(pilot)
        line = next(index for index, line in enumerate(seen(pilot).splitlines()) if "( ) HUL" in line)
        await pilot.click(offset=(seen(pilot).splitlines()[line].index("( ) HUL"), line))
        await pilot.pause()
        assert "(•) HUL" in seen(pilot)
        await pilot.press("ctrl+s")
        await drained(pilot)
        module = table._store.campaign.state.sheet.ship.modules
        assert [(key, each.name, each.system) for key, each in module.items()][1:] == [("2", "Searchlight", "HUL")]


async def test_a_name_that_is_typed_on_an_empty_slot_opens_it_and_goes_into_it(tmp_path: Path) -> None:
    """A typed name opens an empty slot and becomes its module, before and after Enter. A slot with a module is left as it is."""
    async with playing(tmp_path, size=(120, 36)) as (pilot, table):
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        app.action_edit(("ship",))
        await pilot.press(*["pagedown"] * 3)
        await typed(pilot, "x")
        assert "nothing changed" in seen(pilot)
        await pilot.press("pagedown")
        await typed(pilot, "Grapple")
        await pilot.press("pagedown", "enter")
        await typed(pilot, "Scanner")
        await pilot.press("ctrl+s")
        await drained(pilot)
        module = table._store.campaign.state.sheet.ship.modules
        assert [(key, each.name) for key, each in module.items()][1:] == [("2", "Grapple"), ("3", "Scanner")]


async def test_what_is_wrong_stands_under_the_field_and_nothing_is_saved(tmp_path: Path) -> None:
    """As soon as it is typed, in the words of the check. Saving goes there."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        await pilot.press("2", "e", "9", "9")
        shown = seen(pilot).splitlines()
        below = next(index for index, line in enumerate(shown) if "Vitality" in line and "▸" in line) + 1
        assert "Vitality can't be 99: it should be a whole number from 0 to 5" in shown[below]
        await pilot.press("pageup", "ctrl+s")
        await drained(pilot)
        assert form(pilot)._draft.row.part.label == "Vitality"
        assert table.snapshot.entries == 0
        await pilot.press("2", "enter")
        assert "should be" not in seen(pilot)


async def test_what_a_rule_forbids_is_said_too(tmp_path: Path) -> None:
    """What only the whole sheet shows, as a third advancement of two."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("2", "e", "pageup", *["down"] * 7)
        assert form(pilot)._draft.row.part.label == "Advancements"
        await typed(pilot, "expert, reckless, defender")
        assert "✗" in seen(pilot)


@pytest.mark.parametrize("name", [*names(), *cases(SHIPPED, 0)])
def test_each_choice_in_a_form_is_one_that_the_game_takes(name: str) -> None:
    """In the form of each thing, also of one more: a game in which nothing is Desperate doesn't offer that a clock makes rolls so."""
    game = Game(system_named(name))
    state, tried = game.fresh("Nova"), 0
    for place in game.form_places():
        form = game.form(state, place.path)
        for field in form.group.fields if form else ():
            first = () if NEW not in field.path else (Setting((field.path[0], "a", "name"), "A thing"),)
            path = tuple("a" if key == NEW else key for key in field.path)
            for choice in field.choices if field.shape is ValueShape.CHOICE else ():
                faults = game.try_settings(state, (*first, Setting(path, choice))).faults
                found = [each.message for each in faults if each.path == path]
                # With a background, dice are left to assign. That is not the choice's fault.
                assert [message for message in found if not message.startswith("left to assign")] == [], choice
                tried += 1
    assert tried


async def test_escape_asks_before_it_throws_something_away(tmp_path: Path) -> None:
    """Once; any other key only keeps what is typed. An untouched form closes at once."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        await pilot.press("2", "e", "escape")
        assert isinstance(pilot.app.screen, MainScreen)
        await pilot.press("e", "2", "escape")
        assert "Discard what you typed?" in seen(pilot)
        typed_before = form(pilot)._draft.settings
        await pilot.press("3", "escape")
        assert form(pilot)._draft.settings == typed_before
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, MainScreen)
        assert table.snapshot.entries == 0


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_new_people_one_after_the_other(tmp_path: Path, size: tuple[int, int]) -> None:
    """Ctrl+N saves the form and opens one for the next of the kind; a key is made of the name, and a name is needed."""
    async with playing(tmp_path, size=size) as (pilot, table):
        await pilot.press("2", "e", "ctrl+n")
        await drained(pilot)
        assert "a new entry" in seen(pilot)
        await pilot.press("down")
        await typed(pilot, "medic")
        await pilot.press("ctrl+s")
        assert "Name is missing" in seen(pilot)
        await typed(pilot, "Mara")
        await pilot.press("ctrl+n")
        await drained(pilot)
        await typed(pilot, "Tove")
        await pilot.press("ctrl+s")
        await drained(pilot)
        crew = table._store.campaign.state.sheet.crew
        assert {key: (each.name, each.role) for key, each in crew.items()} == {
            "lars": ("Lars", ""),
            "mara": ("Mara", ""),
            "mara-2": ("Mara", "medic"),
            "tove": ("Tove", ""),
        }
        assert table.snapshot.entries == 2


async def test_things_within_a_thing_are_opened_and_added_in_its_form(tmp_path: Path) -> None:
    """A trait and a skill of someone, named on the row `+`: all of it is one act."""
    table = copied("slack-water", tmp_path)
    async with WayfinderApp(table).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        entries = table.snapshot.entries
        app.action_edit(("crew", "pim", "skills", "Fibs"))
        await pilot.pause()
        await pilot.press("5", "down")
        await typed(pilot, "Sea shanties")
        await pilot.press("enter", "2")
        assert "Sea shanties  2" in seen(pilot)
        while "add one" not in (shown := seen(pilot)) or form(pilot)._draft.row.part.path[:-1] != (
            "crew",
            "pim",
            "tracks",
        ):
            await pilot.press("down")
        assert shown
        await typed(pilot, "The goat")
        await pilot.press("enter", "6", "ctrl+s")
        await drained(pilot)
        pim = table._store.campaign.state.sheet.crew["pim"]
        assert dict(pim.skills) == {"Fibs": 5, "Sea shanties": 2}
        assert [(key, track.name, track.slots) for key, track in pim.tracks.items()] == [("the-goat", "The goat", 6)]
        assert table.snapshot.entries == entries + 1


async def test_a_name_and_a_number_add_a_track_as_they_add_a_skill(tmp_path: Path) -> None:
    """`body 3` in the row `+` is a track of three slots, and the next name may follow; a name alone goes on to its number. What stands in
    quotes is a name to the end.
    """
    table = copied("slack-water", tmp_path)
    async with WayfinderApp(table).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        app.action_edit(("crew", "pim", "skills", "Fibs"))
        await pilot.pause()
        while form(pilot)._draft.row.part.path != ("crew", "pim", "tracks", NEW):
            await pilot.press("down")
        assert "or a name and its number of slots, such as body 3" in seen(pilot)
        await typed(pilot, "Body 3")
        await pilot.press("enter")
        await typed(pilot, "Nerve 2")
        await pilot.press("down")
        await typed(pilot, '"Unit 4" 5')
        await pilot.press("enter")
        await typed(pilot, '"Unit 7"')
        await pilot.press("enter", "3", "down", "down")
        await typed(pilot, "The goat")
        await pilot.press("enter", "6", "ctrl+s")
        await drained(pilot)
        tracks = table._store.campaign.state.sheet.crew["pim"].tracks
        assert [(key, each.name, each.slots) for key, each in tracks.items()] == [
            ("body", "Body", 3),
            ("nerve", "Nerve", 2),
            ("unit-4", "Unit 4", 5),
            ("unit-7", "Unit 7", 3),
            ("the-goat", "The goat", 6),
        ]


@pytest.mark.parametrize("size", [(40, 20), (80, 24), (120, 36)])
async def test_del_removes_an_entry_and_ctrl_z_brings_it_back(tmp_path: Path, size: tuple[int, int]) -> None:
    """One of the file, with its whole row, or one that has just been named. Saved, it is one act, and undo brings it back."""
    table = copied("slack-water", tmp_path)
    async with WayfinderApp(table).run_test(size=size) as pilot:
        await pilot.pause()
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        app.action_edit(("crew", "pim", "skills", "Fibs"))
        await pilot.pause()
        assert "Del remove" in seen(pilot)
        await pilot.press("delete")
        assert "Fibs" not in seen(pilot)
        assert ("Ctrl+Z restore" in seen(pilot)) is (size[0] > 40)
        await pilot.press("ctrl+z")
        assert "Fibs 4" in " ".join(seen(pilot).split())
        assert not form(pilot)._draft.is_changed
        await pilot.press("down")
        await typed(pilot, "Piloting 2")
        await pilot.press("enter")
        assert "Piloting 2" in " ".join(seen(pilot).split())
        await pilot.press("up", "delete", "up", "delete", "ctrl+s")
        await drained(pilot)
        assert dict(table._store.campaign.state.sheet.crew["pim"].skills) == {}
        assert next(table.latest()).title == "Remove Pim: Fibs"
        table.undo()
        assert dict(table._store.campaign.state.sheet.crew["pim"].skills) == {"Fibs": 4}


async def test_del_deletes_letters_before_it_removes_an_entry(tmp_path: Path) -> None:
    """As long as any stand behind the cursor. Of a form that Escape leaves, nothing is removed."""
    table = copied("slack-water", tmp_path)
    async with WayfinderApp(table).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        app.action_edit(("crew", "pim", "skills", "Fibs"))
        await pilot.pause()
        await pilot.press("home", "delete")
        # The arrows change a number, so its start is where Home goes.
        assert "Fibs needs a number. Del removes the entry" in seen(pilot)
        await pilot.press("delete")
        assert "Fibs" not in seen(pilot)
        await pilot.press("escape", "escape")
        await drained(pilot)
        assert dict(table._store.campaign.state.sheet.crew["pim"].skills) == {"Fibs": 4}


@pytest.mark.parametrize("size", [(40, 20), (80, 24)])
@pytest.mark.parametrize(
    ("at", "name"), [(("ship", "modules", "1"), "AFTERBURNERS"), (("crew", "mara", "primary", "name"), "MEDKIT")]
)
async def test_del_empties_a_slot_and_ctrl_z_brings_it_back(
    tmp_path: Path, at: tuple[str, ...], name: str, size: tuple[int, int]
) -> None:
    """A module, or a tool on its name: whatever is known about it goes with one key, and comes back with one. Saved, it is one act."""
    text = f'{CAMPAIGN}primary = {{ name = "MEDKIT", about = "Mends", works = false }}\n'
    async with playing(tmp_path, size=size, text=text) as (pilot, table):
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        app.action_edit(at)
        await pilot.pause()
        assert "Del clear" in seen(pilot)
        draft = form(pilot)._draft
        assert draft.text_of(draft.row.part) == name
        await pilot.press("delete")
        assert draft.text_of(draft.row.part) == ""
        assert "Del" not in seen(pilot)
        await pilot.press("ctrl+z")
        assert draft.text_of(draft.row.part) == name
        assert not draft.is_changed
        await pilot.press("delete", "ctrl+s")
        await drained(pilot)
        sheet = table._store.campaign.state.sheet
        assert sheet.ship.modules["1"] == Module() if at[0] == "ship" else sheet.crew["mara"].primary == Tool()
        assert table.snapshot.entries == 1
        table.undo()
        assert table.settle()
        assert name in (table.folder / "campaign.toml").read_text()


async def test_what_another_thing_is_called_completes_no_name(tmp_path: Path) -> None:
    """The ghost behind the cursor reads as the field's value; so it comes only from fields of the same kind of thing."""
    text = CAMPAIGN + '\n[clocks.luck]\nname = "The ship\'s luck"\nsegments = 6\n'
    async with playing(tmp_path, size=(80, 24), text=text) as (pilot, _):
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        app.action_edit(("ship", "name"))
        await pilot.pause()
        await pilot.press("ctrl+u")
        await typed(pilot, "The ship")
        assert "The ship's luck" not in seen(pilot)


async def test_forms_are_in_the_palette(tmp_path: Path) -> None:
    """House rules have no row: their form is opened there, as is one for a new deck."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        await pilot.press("ctrl+p")
        await typed(pilot, "house rules")
        await pilot.press("enter")
        await drained(pilot)
        assert form(pilot).source.title == "House rules"
        await pilot.press("down", "down", "right", "ctrl+s")
        await drained(pilot)
        assert table.entry(1).words == 'set "house_rules.tools_per_roll 2"'


async def test_a_window_that_only_looks_on_has_no_forms(tmp_path: Path) -> None:
    """It says why."""
    table = Table(EXAMPLES / "tenacity", now=ticking(), chance=seeded(lambda _: 0), read_only=True)
    async with WayfinderApp(table).run_test(size=(80, 24)) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert "read-only" in seen(pilot)


async def test_the_log_names_what_was_set_and_why_finds_it(tmp_path: Path) -> None:
    """The sentence has the thing and the fields; the values stand beneath."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("2", "e", "1", "down", "2", "ctrl+s")
        await drained(pilot)
        await pilot.press("w")
        await pilot.pause()
        assert "vitality" in seen(pilot)
        await pilot.press("escape", "3")
        assert "Set Lars: vitality, focus" in seen(pilot)


async def test_the_name_of_a_list_finds_its_form_first(tmp_path: Path) -> None:
    """The palette finds the form of a list by its name, before the hiding of a clock “from players”."""
    async with playing(tmp_path, size=(120, 36)) as (pilot, _):
        await pilot.press("ctrl+p")
        await typed(pilot, "players")
        assert "▸ Add a player" in seen(pilot)


async def test_the_last_row_of_the_crew_adds_someone(tmp_path: Path) -> None:
    """By Enter as well as by `e`, in a campaign with a crew, and in one without; what was set is told in words, and not in keys of the
    file.
    """
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        await pilot.press("2", "G")
        assert "Add to crew" in seen(pilot)
        await pilot.press("enter")
        await typed(pilot, "Tove")
        await pilot.press("tab")
        await typed(pilot, "medic")
        await pilot.press("ctrl+s")
        await drained(pilot)
        assert "Role: medic" in seen(pilot)
        assert "crew.tove" not in seen(pilot)
        assert [*table._store.campaign.state.sheet.crew] == ["lars", "mara", "tove"]
    nobody = CAMPAIGN.partition("[crew")[0]
    async with playing(tmp_path / "other", size=(80, 24), text=nobody) as (pilot, table):
        await pilot.press("2")
        assert "Nobody yet. e adds the first person" in seen(pilot)
        await pilot.press("e")
        await typed(pilot, "Tove")
        await pilot.press("ctrl+s")
        await drained(pilot)
        assert [*table._store.campaign.state.sheet.crew] == ["tove"]


@pytest.mark.clause("NM-20")
async def test_a_form_shows_players_nothing_unasked(tmp_path: Path) -> None:
    """A clock that would be seen is named first. Enter alone saves then; any other key goes on with the form."""
    hidden = CAMPAIGN + '\n[clocks.tide]\nname = "The tide turns"\nkind = "augury"\nsegments = 8\nseen = false\n'
    async with playing(tmp_path, text=hidden) as (pilot, table):
        await pilot.press("4")
        pilot.app.action_edit(["clocks", "tide"])  # type: ignore[attr-defined]
        await pilot.pause()
        draft = form(pilot)._draft
        while draft.row.part.path[-1] != "seen":
            await pilot.press("down")
        await pilot.press("space", "ctrl+s")
        assert "Players would see “The tide turns”" in seen(pilot)
        await pilot.press("x")
        assert not table._state.clocks["tide"].seen
        assert isinstance(pilot.app.screen, FormScreen)
        await pilot.press("ctrl+s", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, MainScreen)
        assert table._state.clocks["tide"].seen


@pytest.mark.parametrize("size", [(130, 36), (160, 40), (200, 50)])
async def test_a_form_leaves_no_piece_of_the_view_beside_it(tmp_path: Path, size: tuple[int, int]) -> None:
    """Beside a form stands no piece of the view, nor of the hints and the log."""
    async with playing(tmp_path, size=size) as (pilot, _):
        await pilot.press("e")
        await pilot.pause()
        assert form(pilot)._view.region.width == size[0]
        assert seen(pilot).splitlines()[-1].endswith("Esc close")


@pytest.mark.parametrize(("width", "columns"), [(78, {24, 27}), (100, {36})])
async def test_what_a_field_means_is_whole_where_the_line_has_room(
    tmp_path: Path, width: int, columns: set[int]
) -> None:
    """Descriptions stand in one column, close behind the values. One that has no room there begins further left."""
    async with playing(tmp_path, size=(width, 40)) as (pilot, _):
        await pilot.press("2", "e")
        await drained(pilot)
        lines = seen(pilot).splitlines()
        starts = set[int]()
        for about in (
            "Focus tokens: 3 at most, 6 after doubled mission prep",
            "Dead and out of the crew. The sheet stays in the file",
            "The suit's life support works",
        ):
            (line,) = (line for line in lines if line.endswith(about) or f"{about} " in line)
            starts.add(line.index(about))
        assert starts == columns


@pytest.mark.parametrize(("width", "lines", "whole"), [(60, 12, True), (40, 9, False), (40, 12, True)])
def test_each_field_of_a_narrow_form_says_what_it_means_where_that_has_room(
    width: int, lines: int, whole: bool
) -> None:
    """One that has no room leaves the others theirs. While the cursor moves, nothing else does."""
    long = "The player's name, and how to let the player join"
    fields = [("Job", ValueShape.TEXT, "What they did"), ("Cut", ValueShape.NUMBER, "Dice for torches")]
    fields += [("Player", ValueShape.TEXT, long), ("Nerve", ValueShape.NUMBER, "Dice beside Cut")]
    parts = tuple(FormField((name,), name, about, shape, "1") for name, shape, about in fields)
    view = _FormView(FormDraft(FormSource(FieldGroup((), "Crew", "", parts)), lambda _: ()), "Crew")
    drawn = [line.text for line in view.render_page(INK, width, lines).lines]
    words = " ".join(" ".join(drawn).split())
    assert "Cut 1 Dice for torches" in words
    assert "Nerve 1 Dice beside Cut" in words
    assert (long in words) is whole
    places = set[tuple[int, ...]]()
    for row in range(len(parts)):
        view.draft.go_to(row)
        drawn = [line.text[2:].split("  ")[0] for line in view.render_page(INK, width, lines).lines]
        places.add(tuple(drawn.index(name) for name, _, _ in fields))
    assert len(places) == 1


def test_a_form_that_is_scrolled_says_what_short_fields_mean() -> None:
    """They share lines only where their descriptions have no room beside them, or where all fields are in sight then."""
    parts = tuple(
        FormField((f"n{number}",), f"N{number}", "What it is for", ValueShape.NUMBER, "1") for number in range(20)
    )
    view = _FormView(FormDraft(FormSource(FieldGroup((), "Ship", "", parts)), lambda _: ()), "Ship")
    for width, height, is_said in ((60, 5, True), (60, 9, False), (26, 5, False)):
        rows = [line.text for line in view.render_page(INK, width, height).lines[1:-2]]
        assert ("What it is for" in "".join(rows)) is is_said
        assert (sum(row.count("N") for row in rows) > len(rows)) is not is_said


async def test_a_form_of_one_field_names_each_key_once(tmp_path: Path) -> None:
    """Enter saves it, and there is no other part to go to."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("1", "e")
        await drained(pilot)
        assert "Ctrl+S save  ⏎ next" in seen(pilot)
        assert "PgDn next part" in seen(pilot)
        await pilot.press("end")
        await drained(pilot)
        assert seen(pilot).splitlines()[-1].count("save") == 1


async def test_a_long_text_is_whole_where_the_form_has_room(tmp_path: Path) -> None:
    """It runs on under its first line, also while it is edited. Only where all rows just fit into a wide window has it a single line."""
    role = "Engineer who hums when it is going well, and stops when it is not, which is how the others know"
    text, rows = CAMPAIGN.replace('name = "Mara"', f'name = "Mara"\nrole = "{role}"'), 0
    for at, (lines, whole) in enumerate(((40, True), (18, True), (0, False))):
        size = (60, lines) if lines else (80, rows + 4)
        async with playing(tmp_path / str(at), size=size, text=text) as (pilot, table):
            await pilot.press("2", "slash", *"mara", "enter", "e")
            await drained(pilot)
            rows = len(form(pilot)._draft.rows)
            while form(pilot)._draft.row.part.label != "Role":
                await pilot.press("down" if form(pilot)._draft.cursor < 1 else "up")
            assert (role in " ".join(seen(pilot).split())) is whole
            await pilot.press("end", *"!")
            assert "know!" in seen(pilot)
            await pilot.press("down")
            assert (f"{role}!" in " ".join(seen(pilot).split())) is whole
            await pilot.press("ctrl+s")
            await drained(pilot)
            assert table._state.sheet.crew["mara"].role == f"{role}!"


async def test_a_cut_text_has_the_lines_that_a_form_leaves_free(tmp_path: Path) -> None:
    """Where not all of it has room, as much as there are lines for."""
    notes = "Master of the convoy: Captain Ruiz-Hale, on the Second Helping. Decent, tired, not to be turned round."
    clock = f'\n[clocks.convoy]\nname = "The grain convoy"\nkind = "death"\nsegments = 8\nnotes = "{notes}"\n'
    async with playing(tmp_path, size=(60, 18), text=CAMPAIGN + clock) as (pilot, _):
        await pilot.press("4", "e")
        await drained(pilot)
        words = " ".join(seen(pilot).split())
        assert "on the Second Helping. …" in words
        assert "Closed [ ] no And kept The clock's name" in words


@pytest.mark.parametrize("width", [40, 60])
def test_switches_and_numbers_share_lines_where_a_narrow_form_would_scroll(width: int) -> None:
    """In their order, each with the cursor before it in its turn while nothing moves; a click means the field that it is on. A text has
    its line to itself, and where there is room for all, each field has.
    """
    kinds = dict.fromkeys(("Vitality", "Focus"), ValueShape.NUMBER) | {"Role": ValueShape.TEXT}
    kinds |= dict.fromkeys(("Life support", "Exposed", "Aboard"), ValueShape.SWITCH)
    texts = {ValueShape.NUMBER: "3", ValueShape.TEXT: "Pilot", ValueShape.SWITCH: "true"}
    fields = tuple(FormField((name,), name, "", shape, texts[shape]) for name, shape in kinds.items())
    view = _FormView(FormDraft(FormSource(FieldGroup((), "Crew", "", fields)), lambda _: ()), "Crew")

    def rows(height: int) -> list[str]:
        return [line.text for line in view.render_page(INK, width, height).lines[1:-2]]

    assert [row[2:].split("  ")[0] for row in rows(9)] == [*kinds]
    places, labels = [], set[tuple[tuple[int, int], ...]]()
    for index, name in enumerate(kinds):
        view.draft.go_to(index)
        page = view.render_page(INK, width, 7)
        y, x = next((y, line.text.index(f"▸ {name}")) for y, line in enumerate(page.lines) if f"▸ {name}" in line.text)
        places.append((y, x))
        assert (target := page.target_at(x + 3, y)) is not None
        assert target.row == index
        drawn = [(y, line.text) for y, line in enumerate(page.lines)]
        labels.add(tuple(next((y, text.index(each)) for y, text in drawn if each in text) for each in kinds))
    assert len(labels) == 1
    assert places == sorted(places)
    assert len({y for y, _ in places}) < len(kinds)
    role = places[[*kinds].index("Role")][0]
    assert [y for y, _ in places].count(role) == 1


def test_what_a_switch_means_is_whole_where_the_form_has_room(tmp_path: Path) -> None:
    """It runs on beside the switch."""
    about = "One card for each place they ask in, and one more whenever they stop, rest, or call out to whoever may be there"
    fields = tuple(
        FormField((name,), name, about if name == "two" else "", ValueShape.SWITCH, "false") for name in ("one", "two")
    )
    for height, whole in ((12, True), (5, False)):
        view = _FormView(FormDraft(FormSource(FieldGroup((), "Decks", "", fields)), lambda _: ()), "Decks")
        lines = [line.text for line in view.render_page(INK, 80, height).lines]
        assert (about in " ".join(" ".join(lines).split())) is whole


async def test_a_new_player_is_told_how_to_join(tmp_path: Path) -> None:
    """As at the end of session zero."""
    text = CAMPAIGN.replace("[crew.mara]", "[crew.lars-of-the-stars]")
    async with playing(tmp_path, text=text) as (pilot, table):
        await pilot.press("colon", *"player", "enter")
        await pilot.pause()
        await pilot.press(*"Dov", "down", "right", "right", "ctrl+s")
        await pilot.pause()
        # It isn't among one's own campaigns: another one may have its name.
        assert f"Dov can join with: waylog join {table.folder} --as dov".replace(" ", "") in "".join(
            seen(pilot).split()
        )
        await pilot.press("n", "a", "enter", "ctrl+p", *"how players", "enter")
        assert "can join with: waylog join" in " ".join(seen(pilot).split())
        assert table.snapshot.players["dov"].character == "lars-of-the-stars"
        entry = table.entry(1)
        assert entry.heading == "Add Dov"
        assert [fact.text for fact in entry.facts if isinstance(fact, NoteFact)] == [
            "Added to the players: Dov (Character: Mara)"
        ]


async def test_a_new_player_is_named_in_the_line(tmp_path: Path) -> None:
    """What is typed behind the word is the name that the form begins with, and nothing happens before it is saved."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("colon", *"player Cleo of Tarn")
        assert "Enter: Add a player: Cleo of Tarn" in seen(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert "Add a player" in seen(pilot)
        assert table.snapshot.entries == 0
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert [one.name for one in table.snapshot.players.values()] == ["Cleo of Tarn"]


async def test_a_new_thing_is_called_by_its_name_alone(tmp_path: Path) -> None:
    """The log doesn't say that its name was set to its name."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("colon", *"player", "enter")
        await pilot.pause()
        await pilot.press(*"Dov", "ctrl+s")
        await pilot.pause()
        entry = table.entry(1)
        assert (entry.heading, [fact.text for fact in entry.facts if isinstance(fact, NoteFact)]) == (
            "Add Dov",
            ["Added to the players: Dov"],
        )


async def test_a_field_is_there_only_beside_what_it_needs_and_a_list_takes_names(tmp_path: Path) -> None:
    """Whoever has no ablative armour has no field for its token, until it is typed into the list; there it is called by its name."""
    text = CAMPAIGN.replace('name = "Lars"', 'name = "Lars"\nadvancements = ["expert"]\nexpertise = "currents"')
    text = text.replace('name = "Mara"', 'name = "Mara"\nablative = false')
    async with playing(tmp_path, text=text, size=(120, 40)) as (pilot, table):

        def labels() -> list[str]:
            return [row.part.label for row in form(pilot)._draft.rows]

        await pilot.press("2", "slash", *"Lars", "enter", "escape", "e")
        assert "Expertise" in labels()
        assert not {"Ablative armour", "Auxiliary arm"} & {*labels()}
        await pilot.press(*["down"] * (labels().index("Advancements") - form(pilot)._draft.cursor))
        assert "Advancements" in seen(pilot)
        assert "Adaptive plating" in seen(pilot), "what the list may have"
        await pilot.press("end", *", abl", "tab")
        assert "Ablative armour" in labels()
        await pilot.press("down", "down", "space", "ctrl+s")
        assert table.snapshot.entries == 1
        assert {change.path[-1]: change.after for change in table.entry(1).changes} == {
            "advancements": ["expert", "ablative-armour"],
            "ablative": False,
        }
        await pilot.press("slash", *"Mara", "enter", "escape", "e")
        assert "Ablative armour" in labels(), "what the file says is never out of sight"
