"""The folder of random tables: read beside the campaign, checked to the place, and taken in while play goes on."""

import os
from pathlib import Path
from textwrap import dedent

import pytest

from tests.kit.table import CAMPAIGN, saved, table_at, text_of, written
from waylog.rules.common.random_tables import schema
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.store.file import campaign_file_tables_and_scene_cards
from waylog.store.file.campaign_file_tables_and_scene_cards import check
from waylog.table import Table

DOOR = """\
# Behind the door
name = "Behind the door"
seen = true
entries = [
  "nothing",      # as ever
  "d6 rats",
  { text = "a way down", table = "cellar" },
  { text = "a trap", effect = "damage boat" },
]
"""
CELLAR = """\
[sections]
1 = ["11", "12", "13", "14", "15", "16"]
2 = ["21", "22", "23", "24", "25", "26"]
3 = ["31", "32", "33", "34", "35", "36"]
4 = ["41", "42", "43", "44", "45", "46"]
5 = ["51", "52", "53", "54", "55", "56"]
6 = ["61", "62", "63", "64", "65", "66"]
"""

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign with a folder of two tables."""
    found = written(tmp_path / "swallow")
    put(found, door=DOOR, cellar=CELLAR)
    return found


def put(folder: Path, **files: str | bytes) -> None:
    """Save files in the folder of tables, each as a new file in the place of the old one."""
    (folder / "tables").mkdir(exist_ok=True)
    for name, text in files.items():
        beside = folder / "tables" / f"{name}.toml~"
        beside.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
        beside.replace(folder / "tables" / f"{name}.toml")


def problems(table: Table) -> list[str]:
    """What is wrong, with its place."""
    return [str(problem) for problem in table.snapshot.problems]


def checked(folder: Path) -> list[str]:
    """What `waylog check` would say."""
    return [str(problem) for problem in check(folder / "campaign.toml", "swallow/campaign.toml")]


def told(table: Table, words: str) -> list[str]:
    """The notes of an act."""
    return [fact.text for fact in table.play(table.understand(words)).facts if isinstance(fact, NoteFact)]


def test_tables_are_read_from_their_folder(folder: Path) -> None:
    """Each under the name of its file, which is its name too where it says none; nothing else in there is a table."""
    put(folder, **{".hidden": "entries = 3", "notes.txt": "x"})
    (folder / "tables" / "notes.md").write_text("not a table")
    table = table_at(folder)
    assert {key: own.name for key, own in table.snapshot.tables.items() if key != "notes.txt"} == {
        "cellar": "Cellar",
        "door": "Behind the door",
    }
    assert told(table, "table door 3 4 2") == ["“Behind the door”, 3: a way down", "“Cellar”, 42: 42"]


def test_a_campaign_needs_no_tables(tmp_path: Path) -> None:
    """Without the folder, or with an empty one, nothing is offered and nothing is wrong."""
    folder = written(tmp_path / "swallow")
    assert dict(table_at(folder).snapshot.tables) == {}
    (folder / "tables").mkdir()
    table = table_at(folder)
    assert not [move for move in table.snapshot.moves if move.verb in ("table", "pick")]
    assert problems(table) == checked(folder) == []


@pytest.mark.clause("NM-03", "NM-16")
def test_an_effect_of_an_entry_is_part_of_the_act_and_undone_with_it(folder: Path) -> None:
    """The roll, what came up and what was done about it: one undo takes all of it, to the byte."""
    table = table_at(folder)
    table.play(table.understand("table door 4"))
    table.play(table.understand("effect door 1"))
    assert table.settle()
    assert "hull = 2" in text_of(folder)
    table.undo()
    assert table.settle()
    assert "  hull = 0x3   # in hex, for fun" in text_of(folder)
    assert table.snapshot.undo == ()


@pytest.mark.clause("NM-01", "NM-03")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('name = "x"\nentries = ["a", \n', "swallow/tables/bad.toml:3:1: this is not a valid value"),
        ("entries = 3", "swallow/tables/bad.toml:1:1: entries can't be 3: it should be a list in square brackets"),
        (b'entries = ["\xff"]', "swallow/tables/bad.toml:1:13: the byte 0xFF is not UTF-8: save the file as UTF-8"),
        (
            'entries = [\n  "a",\n  3,\n]',
            "swallow/tables/bad.toml:3:3: entries can't be 3: it should be text or a table",
        ),
        ('nmae = "x"\nentries = ["a"]', "swallow/tables/bad.toml:1:1: unknown key nmae, so Waylog ignores it (known"),
        ("", "swallow/tables/bad.toml:1:1: a table has 1 to 100 entries, but this one has 0"),
        (f"entries = {['x'] * 101}", "swallow/tables/bad.toml:1:1: a table has 1 to 100 entries, but this one has 101"),
        (CELLAR.partition("6 =")[0], "swallow/tables/bad.toml:1:2: a d66 table has six sections, but this one has 5"),
        (CELLAR.replace(', "36"', ""), "swallow/tables/bad.toml:4:1: a section has six entries, but this one has 5"),
        (
            'entries = [\n  "a",\n  { text = "b", table = "nowhere" },\n]',
            "swallow/tables/bad.toml:3:3: an entry leads to “nowhere”, but there is no such table. The tables are bad, cellar, door",
        ),
        (
            '[[entries]]\ntext = "a"\n[[entries]]\ntable = "bad"',
            "swallow/tables/bad.toml:3:3: this table leads back to itself (table bad → table bad)",
        ),
        (
            'entries = [\n  "a",\n  { text = "b", effect = "explode" },\n]',
            "swallow/tables/bad.toml:3:17: “explode” is not an effect in this game: ",
        ),
        (CELLAR + 'entries = "x"', "swallow/tables/bad.toml:8:1: "),
    ],
)
def test_what_is_wrong_in_a_table_has_its_place(folder: Path, text: str | bytes, problem: str) -> None:
    """File, line and column, at the very entry; by the check and in the app alike, where all other tables play on."""
    put(folder, bad=text)
    (found, *more) = checked(folder)
    assert found.startswith(problem)
    table = table_at(folder)
    assert [f"swallow/{own}" for own in problems(table)] == [found, *more]
    assert not table.snapshot.broken
    assert told(table, "table door 1") == ["“Behind the door”, 1: nothing"]


def test_all_problems_are_told_at_once(folder: Path) -> None:
    """Those of the campaign first, then each table's in the order of its lines; also where the campaign can't be read."""
    put(folder, a='entries = ["x", { table = "b" }, { table = "c" }, 4, { effect = "explode" }]', b="x = 1")
    saved(folder, "hull = 0x3", "hull = 7")
    found = checked(folder)
    assert [line.split(": ")[0] for line in found] == [
        "swallow/campaign.toml:9:10",
        "swallow/tables/a.toml:1:51",
        "swallow/tables/b.toml:1:1",
        "swallow/tables/b.toml:1:1",
    ]
    put(folder, a='entries = ["x", { table = "b" }, { table = "c" }, { effect = "explode" }]')
    assert [line.partition(" ")[0] for line in checked(folder)[1:]] == [
        "swallow/tables/b.toml:1:1:",
        "swallow/tables/a.toml:1:34:",
        "swallow/tables/a.toml:1:53:",
        "swallow/tables/b.toml:1:1:",
    ]
    (folder / "campaign.toml").write_text("system = ")
    assert [line.partition(" ")[0] for line in checked(folder)] == [
        "swallow/campaign.toml:1:10:",
        "swallow/tables/b.toml:1:1:",
        "swallow/tables/a.toml:1:34:",
        "swallow/tables/b.toml:1:1:",
    ]


def test_an_edit_of_a_table_is_taken_in_while_play_goes_on(folder: Path) -> None:
    """Within one look: changed, added, broken, mended and removed; what is open stays open."""
    table = table_at(folder)
    table.play(table.understand("table door 4"))
    assert not table.refresh()
    put(folder, door=DOOR.replace("nothing", "everything"), attic='entries = ["bats"]')
    assert table.refresh()
    assert [move.id for move in table.snapshot.moves if move.verb == "effect"] == ["effect door"]
    assert told(table, "table door 1") == ["“Behind the door”, 1: everything"]
    assert told(table, "table attic") == ["“Attic”, 1: bats"]
    put(folder, attic='entries = ["bats"')
    assert table.refresh()
    assert [own.split(": ")[0] for own in problems(table)] == ["tables/attic.toml:1:18"]
    with pytest.raises(ActRefused):
        table.play(table.understand("table attic"))
    put(folder, attic='entries = ["owls"]')
    assert table.refresh()
    assert problems(table) == []
    held = table.understand("table attic")
    (folder / "tables" / "attic.toml").unlink()
    assert table.refresh()
    with pytest.raises(ActRefused, match="can't be done any more"):
        table.play(held)
    assert not table.refresh()


@pytest.mark.clause("NM-16")
def test_what_a_card_rolls_on_may_come_and_go(tmp_path: Path) -> None:
    """The campaign file is checked by the tables there are now, and not by those of the start."""
    deck = '\n[decks.hold]\nname = "Hold"\ncards.a = { text = "A", effect = "table door" }\n'
    folder = written(tmp_path / "swallow", CAMPAIGN + deck)
    table = table_at(folder)
    assert [own.partition(" ")[0] for own in problems(table)] == ["campaign.toml:21:34:"]
    assert len(checked(folder)) == 1
    put(folder, door='entries = ["x"]')
    assert table.refresh()
    assert problems(table) == checked(folder) == []
    table.play(table.understand("draw hold"))
    assert told(table, "effect a") == ["“Door”, 1: x"]
    (folder / "tables" / "door.toml").unlink()
    assert table.refresh()
    assert len(problems(table)) == 1


def test_what_is_no_file_is_a_problem_and_holds_nothing_up(folder: Path) -> None:
    """A folder, a pipe and a link that leads nowhere are named; nothing waits for them."""
    (folder / "tables" / "folder.toml").mkdir()
    os.mkfifo(folder / "tables" / "pipe.toml")
    (folder / "tables" / "gone.toml").symlink_to("nowhere")
    found = problems(table_at(folder))
    assert [own.split(":")[0] for own in found] == [f"tables/{name}.toml" for name in ("folder", "gone", "pipe")]
    assert told(table_at(folder), "table cellar") == ["“Cellar”, 11: 11"]


def test_more_tables_than_anybody_has_are_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More tables than anybody plays with are not read, and a problem says so."""
    monkeypatch.setattr(campaign_file_tables_and_scene_cards, "_MOST_HAND_FILES", 1)
    table = table_at(folder)
    assert [*table.snapshot.tables] == ["cellar"]
    assert problems(table) == ["tables:1:1: there are more than 1 tables, so only the first 1 are used"]
    assert not table.refresh()


def test_the_folder_is_never_written_to(folder: Path) -> None:
    """Neither play nor undo ever writes into the folder of tables."""
    before = {path.name: path.read_bytes() for path in (folder / "tables").iterdir()}
    table = table_at(folder)
    for words in ("table door 4", "effect door 1", "pick door 2", "session begin", "table cellar"):
        table.play(table.understand(words))
        assert table.settle()
    while table.snapshot.undo:
        table.undo()
    assert table.settle()
    assert {path.name: path.read_bytes() for path in (folder / "tables").iterdir()} == before


def test_the_schema_knows_all_of_a_table() -> None:
    """For editors: what a table's file may hold, an entry as a text or as a table."""
    tree = schema()
    assert set(tree["properties"]) == {"name", "seen", "notes", "entries", "sections"}
    text, whole = tree["properties"]["entries"]["items"]["anyOf"]
    assert text == {"type": "string"}
    assert set(whole["properties"]) == {"text", "table", "effect", "weight", "seen_by"}
