"""The starter kit: everything in it has a place, and is added by a shell, in the window, in line mode and in forms."""

from pathlib import Path

import pytest

from tests.file_games import SHIPPED, game_of
from tests.kit.app import playing, seen, typed
from tests.kit.cli import CommandLine
from tests.kit.lines import Lines
from tests.kit.table import but_the_mark, table_at, text_of, written
from tests.kit.thorough import cases
from waylog.rules.game import Game
from waylog.rules.model.moves import ActRefused
from waylog.rules.systems import names, system
from waylog.store.file.campaign_file_tables_and_scene_cards import read_hand_files
from waylog.store.file.template_and_conversion import first_state
from waylog.store.kit import KitKind, choices, kit, kit_for, settings_for
from waylog.store.log.grouped_acts_and_texts import describe_entries
from waylog.table import Table

CAMPAIGN = """\
format = 1
name = "Tenacity"
system = "veil-core"
log = "0001:0"

[ship]
name = "Tenacity"

[ship.modules.1]
name = "KEELWING"   # ours
kind = "passive"

[crew.odile]
name = "Odile"
primary = { name = "arc cutter" }

[crew.bram]
name = "Bram"
"""
SHAPES = {
    "veil-core": "module tool person deck table",
    "veil-2026": "module tool person deck table",
    "veil-reference": "module tool person deck table",
    "veil-classic": "module person deck table",
    "course-flow": "person deck table",
}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign with three free slots, and room for three tools."""
    return table_at(written(tmp_path / "tenacity", CAMPAIGN))


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line with its campaigns in a folder of their own."""
    return CommandLine(tmp_path / "campaigns")


@pytest.mark.parametrize("name", cases([*names(), *SHIPPED], 0, 3))
def test_everything_that_a_game_has_a_place_for_is_sound_in_a_new_campaign(name: str) -> None:
    """Each module, tool, person and deck brings no fault, not even a lacking value, and each game has all that its sheet can hold."""
    game = Game(system(name) if name in names() else game_of(name))
    state = first_state(game, "New")
    kinds = {item.kind.label for item in kit_for(game)}
    assert kinds == set(SHAPES.get(name, "deck table").split())
    for item in kit_for(game):
        for settings in settings_for(game, state, [item]):
            outcome = game.try_settings(state, settings)
            assert outcome.faults == (), item.key
            assert outcome.state != state


def test_the_tables_are_sound_in_any_game(waylog: CommandLine) -> None:
    """`waylog check` finds nothing to say of a campaign with all of them and all decks, of a game that has no other place."""
    waylog.done("new", "Ice", "--system", "emissaries")
    every = [item.key for item in kit() if item.kind in (KitKind.DECK, KitKind.TABLE)]
    waylog.done("kit", "Ice", *every)
    assert waylog("check", "Ice").out == "Ice: no problems\n"
    tables = read_hand_files(waylog.campaigns / "Ice").tables
    assert len(tables) == sum(item.kind is KitKind.TABLE for item in kit())
    assert all(table.dice in ("d6", "d8", "d66") for table in tables.values())


def test_keys_and_names_are_words_of_one_thing() -> None:
    """No two things of the kit share a key or a name, so whatever is typed means one thing."""
    words = [word for item in kit() for word in {item.key, item.name.lower().replace(" ", "-")}]
    assert len(words) == len(set(words))


def test_a_thing_goes_to_the_first_free_place_and_is_undone_by_itself(table: Table) -> None:
    """Modules to slots, tools to whoever has a place, or to the person named; the file has its bytes again after as many undos."""
    before = text_of(table.folder)
    entries, items = table.add_from_kit(["skipdrive", "LIFEWATCH", "ram drill"])
    assert [item.key for item in items] == ["skipdrive", "lifewatch", "ram-drill"]
    assert [entry.words.split()[1].strip('"') for entry in entries] == [
        "ship.modules.2.name",
        "ship.modules.3.name",
        "crew.odile.secondary.name",
    ]
    table.add_from_kit(["grapnel"], "bram")
    assert table.settle()
    text = text_of(table.folder)
    for part in (
        'name = "SKIPDRIVE"',
        'system = "CPU"',
        "uses = 3",
        'name = "ram drill"',
        'name = "grapnel"',
        "# ours",
    ):
        assert part in text
    for _ in range(4):
        table.undo()
    assert table.settle()
    assert but_the_mark(text_of(table.folder)) == but_the_mark(before)


def test_a_deck_is_added_in_one_line(table: Table) -> None:
    """The log names it and counts its cards: no key of the file, and no line for each value. A thing with few values has them all."""
    (wreck,), _ = table.add_from_kit(["wreck"])
    assert wreck.title == "Add Searching the wreck, with 11 cards"
    assert [str(getattr(fact, "text", fact)) for fact in wreck.facts] == [
        "Added to the decks: Searching the wreck, with 11 cards"
    ]
    assert describe_entries((wreck,)).sentence == "Added to the decks: Searching the wreck, with 11 cards"
    (module,), _ = table.add_from_kit(["skipdrive"])
    said = "Added to the modules: SKIPDRIVE (About: Jumps the ship a hundred kilometres in an instant; Kind: additional; Uses: 3)"
    assert [str(getattr(fact, "text", "")) for fact in module.facts] == [said]


def test_a_table_is_a_file_that_undo_leaves(table: Table) -> None:
    """It can be rolled on at once. Nothing is logged for it."""
    entries, _ = table.add_from_kit(["derelict"])
    assert entries == ()
    assert "derelict" in table.snapshot.tables
    assert any(move.id == "table derelict" for move in table.snapshot.moves)
    table.add_from_kit(["wreck"])
    table.undo()
    assert (table.folder / "tables" / "derelict.toml").exists()


@pytest.mark.parametrize(
    ("things", "who", "why"),
    [
        (["derelict", "warp drive"], "", "nothing in the kit has this name"),
        (["derelict", "decoy", "kicker", "towbeam", "longear"], "", "no free slot for LONGEAR"),
        (["derelict", "grapnel", "hush-gun"], "odile", "Odile has no room for hush gun"),
        (
            ["derelict", *(item.key for item in kit() if item.kind is KitKind.TOOL)],
            "",
            "nobody in the crew has room for",
        ),
        (["derelict", "grapnel"], "pell", "nobody in the crew has the key “pell”"),
        (["derelict", "lars", "lars"], "", "is already in the campaign"),
        (["cargo", "signal"], "", "tables/signal.toml already exists"),
    ],
)
def test_what_has_no_place_is_refused_and_nothing_is_added(table: Table, things: list[str], who: str, why: str) -> None:
    """If one thing has no place, nothing is added: neither the things before it, nor a table."""
    written_by_hand = table.folder / "tables" / "signal.toml"
    written_by_hand.parent.mkdir()
    written_by_hand.write_text('entries = ["Ours"]\n')
    with pytest.raises(ActRefused) as refused:
        table.add_from_kit(things, who)
    assert why in str(refused.value)
    assert table.snapshot.entries == 0
    assert [path.name for path in written_by_hand.parent.iterdir()] == ["signal.toml"]
    assert written_by_hand.read_text() == 'entries = ["Ours"]\n'


def test_a_game_without_a_place_says_so(tmp_path: Path) -> None:
    """It names the game."""
    table = table_at(written(tmp_path, 'format = 1\nname = "Quiet"\nsystem = "emissaries"\nlog = "0001:0"\n'))
    with pytest.raises(ActRefused, match="has no place for this"):
        table.add_from_kit(["lifewatch"])


def test_the_shell_lists_and_adds(waylog: CommandLine) -> None:
    """Everything, what fits a game, and what was added; a program reads the same."""
    whole = waylog("kit").out
    assert all(f"  {item.key} " in whole for item in kit())
    waylog.done("new", "Out", "--system", "veil-classic")
    fitting = waylog("kit", "Out").out
    assert "skipdrive" in fitting
    assert "ram-drill" not in fitting
    said = waylog("kit", "Out", "skipdrive", "lars", "derelict").out
    assert said == (
        "1  Add SKIPDRIVE\n2  Add Lars of the Stars\nNew table: A derelict station, in tables/derelict.toml\n"
    )
    data = waylog.json("kit", "Out", "kicker")
    assert (data["entries"], [thing["key"] for thing in data["kit"]]) == ([3], ["kicker"])
    assert waylog("kit", "Out", "grapnel").code == 3
    assert (
        waylog("kit", "Out", "Heard in port", "d20").out == "New table: Heard in port, in tables/heard-in-port.toml\n"
    )
    assert "lifewatch" in waylog("completion", "words", "kit", "Out", "li").out


async def test_the_list_of_everything_adds(tmp_path: Path) -> None:
    """A tool is listed for everybody with a place for it; undo takes back what was added."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        await pilot.press("ctrl+p")
        await typed(pilot, "grapnel for")
        assert "grapnel for Bram" in seen(pilot)
        await pilot.press("down", "enter")
        assert table.entry(1).title == "Set Bram: primary tool name, primary tool about"
        assert "Added from the starter kit: grapnel" in seen(pilot)
        await pilot.press("u", "u")
        assert [one.who for one in choices(table.game, table._store.campaign.state) if one.item.key == "grapnel"] == [
            "odile",
            "bram",
        ]


async def test_a_form_is_filled_in_by_a_name_of_the_kit(tmp_path: Path) -> None:
    """Tab completes it, in whatever case it is typed, and fills the fields that nobody has filled."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        pilot.app.action_edit(["ship"])  # type: ignore[attr-defined]
        await pilot.pause()
        await pilot.press("pagedown", "pagedown", "pagedown", "pagedown")
        assert "Starter kit: LIFEWATCH" in seen(pilot)
        await typed(pilot, "sk")
        await pilot.press("tab", "ctrl+s")
        await pilot.pause()
        assert table.entry(1).words.startswith('set "ship.modules.2.name \\"SKIPDRIVE\\" ship.modules.2.about')
        module = table._store.campaign.state.sheet.ship.modules["2"]
        assert (module.kind, module.uses) == ("additional", 3)


def test_line_mode_offers_by_number(tmp_path: Path) -> None:
    """A word finds things, and a number adds one."""
    lines = Lines(written(tmp_path, CAMPAIGN))
    assert lines.type("kit hush") == [
        "The starter kit.",
        "1. Hush gun for Odile: Puts one person to sleep, at arm's length.",
        "2. Hush gun for Bram: Puts one person to sleep, at arm's length.",
    ]
    lines.done("2")
    assert lines.type("kit derelict")[1:] == ["1. A derelict station: 6 entries."]
    assert lines.type("1") == ["New table: A derelict station, in tables/derelict.toml."]
    lines.type("kit derelict")
    assert lines.type("1") == [
        "A derelict station: tables/derelict.toml already exists. Choose another name, or edit that table."
    ]
    lines.type("roll bram 4 3")
    lines.type("kit signal")
    assert lines.type("1")[0] == "New table: What the signal is, in tables/signal.toml."
    assert lines.type("kit Heard in port d66")[0] == "New table: Heard in port, in tables/heard-in-port.toml."
    assert lines.type("kit Heard d1") == ["A table's die can be d2 to d100, or d66 for two d6. Rule NM-01."]
    assert lines.type("kit warp") == ["Nothing in the starter kit for this game matches “warp”."]
