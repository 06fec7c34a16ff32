"""Scene cards: opened as one act with one undo, told secret by secret, read beside the campaign file, and unknown to players (NM-50)."""

from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN
from tests.kit.table import but_the_mark, play, play_and_settle, table_at, text_of, written
from waylog.rules.common.scene_cards import schema
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import CardProgress, EntryKind
from waylog.store.file.campaign_file_tables_and_scene_cards import check
from waylog.store.players import players_file
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table

DOCK = """\
# The first one
title = "Zq title"
pitch = "Zq pitch"
who = ["Zq who"]
do = ["clock \\"The tide\\" 6 death", "situation \\"No power\\" desperate", "damage lars"]
tables = ["rats"]
decks = ["hold"]
otherwise = "Zq otherwise"

[secrets]
door = "Zq door is open"
key = { text = "Zq key fits", told = true }
fog = "Zq fog: “The fog” is alive"
"""
PIER = 'do = ["table rats", "clock Boats 4 push", "table rats"]\n'
RATS = 'entries = ["1", "2", "3", "4", "5", "6"]\n'
HIDDEN = """
[clocks.fog]
name = "The fog"
kind = "augury"
segments = 4
seen = false

[players.ana]
character = "lars"

[decks.hold]
name = "The hold"
cards.rope = { text = "A rope" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign with two cards."""
    found = written(tmp_path / "tenacity", CAMPAIGN + HIDDEN)
    put(found, "prep/dock", DOCK)
    put(found, "prep/the-pier", PIER)
    put(found, "tables/rats", RATS)
    return found


@pytest.fixture
def table(folder: Path) -> Table:
    """A table there, in a session."""
    found = table_at(folder)
    found.add_reader()
    play(found, "session begin")
    return found


def put(folder: Path, name: str, text: str) -> None:
    """Save a file beside the campaign file."""
    path = folder / f"{name}.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


@pytest.mark.clause("NM-50")
def test_opening_a_card_is_one_act(table: Table) -> None:
    """It begins the scene and does what it lists, in one entry; the state has what the log says."""
    number = play(table, "open dock")
    entry, snapshot = table.entry(number), table.snapshot
    assert (entry.root, entry.kind, number) == (number, EntryKind.SCENE, 2)
    assert [clock.name for clock in snapshot.clocks.values()] == ["The fog", "The tide"]
    assert [one.name for one in snapshot.situations.values()] == ["No power"]
    assert snapshot.prep == {"dock": CardProgress(1)}
    assert table._state.sheet.crew["lars"].vitality == 3  # his suit took it
    assert "crew.lars" in {".".join(change.path[:2]) for change in entry.changes}


@pytest.mark.clause("NM-50")
@pytest.mark.parametrize("opening", ["open dock", "open the-pier"])
def test_one_undo_gives_the_same_bytes(folder: Path, table: Table, opening: str) -> None:
    """Undo takes back the scene with everything that began with it, and leaves the file as it was to the byte."""
    table.settle()
    before, state = text_of(folder), table._state
    play_and_settle(table, opening)
    assert text_of(folder) != before
    table.undo()
    table.settle()
    assert but_the_mark(text_of(folder)) == but_the_mark(before)
    assert table._state == state
    table.redo()
    assert table.snapshot.prep


def test_another_program_reads_the_same_from_the_log(folder: Path, table: Table) -> None:
    """The files of cards may be gone: the log has all that opening and telling have changed."""
    play(table, "open dock", "reveal dock door", "open the-pier")
    for file in (folder / "prep").iterdir():
        file.unlink()
    again = table_at(folder)
    assert again._state.prep == table._state.prep == {"dock": CardProgress(1, ("door",)), "the-pier": CardProgress(2)}
    assert again._state.clocks == table._state.clocks


@pytest.mark.clause("NM-50")
def test_a_secret_is_told(table: Table) -> None:
    """Players read its text, once. The recap has it, and the wayfinder's recap what was not told."""
    play(table, "open dock", "reveal dock door")
    fact = table.entry(3).facts[0]
    assert isinstance(fact, NoteFact)
    assert (fact.text, fact.secret) == ("Zq door is open", False)
    assert "> Zq door is open" in recap_text(table.recap())
    left = table.recap(secrets=True).unused
    assert left == ("Zq title: Zq fog: “The fog” is alive", "The scene “The pier”")
    assert table.recap().unused == ()
    for words in ("reveal dock door", "reveal dock key"):
        with pytest.raises(ActRefused, match="already know that"):
            play(table, words)
    table.undo()
    assert "Zq door" not in recap_text(table.recap())


@pytest.mark.clause("NM-50")
def test_what_names_something_hidden_is_not_told_in_vain(table: Table) -> None:
    """Players would not see it, so it is refused, until what it names is shown."""
    with pytest.raises(ActRefused, match=r"mentions something hidden from players\. First show “The fog”"):
        play(table, "reveal dock fog")
    play(table, "show clock fog", "reveal dock fog")
    table.settle()
    assert "Zq fog" in (table.folder / players_file.FILE).read_text()


@pytest.mark.clause("NM-50")
def test_players_learn_of_a_card_only_what_is_shown(table: Table) -> None:
    """Neither their file nor their recap has a word of a card before it is opened or told."""

    def seen() -> str:
        table.settle()
        texts = [path.read_text() for path in table.folder.rglob("player*.toml")]
        return "\n".join((*texts, recap_text(table.recap())))

    assert "Zq" not in seen()
    play(table, "open dock")
    assert seen().replace("Zq title", "").count("Zq") == 0
    assert "Zq title" in seen()
    play(table, "reveal dock door")
    assert seen().replace("Zq title", "").replace("Zq door", "").count("Zq") == 0
    game = table._proposals.players_game
    assert not [move for move in game.moves_of(table._state, "ana") if move.verb in ("open", "reveal")]


@pytest.mark.clause("NM-50")
def test_a_card_opened_again_begins_its_scene_alone(table: Table) -> None:
    """Its clocks are not started twice. The card that was opened last is the current one, and its tables come first."""
    put(table.folder, "tables/ants", RATS)
    table.refresh()
    assert [move.words for move in table.snapshot.moves if move.verb == "table"] == [("ants",), ("rats",)]
    play(table, "open dock")
    assert [move.words for move in table.snapshot.moves if move.verb == "table"] == [("rats",), ("ants",)]
    play(table, "open the-pier", "open dock")
    assert [clock.name for clock in table.snapshot.clocks.values()] == ["The fog", "The tide", "Boats"]
    assert table.snapshot.prep == {"dock": CardProgress(3), "the-pier": CardProgress(2)}


def test_an_effect_that_is_impossible_refuses_the_card(table: Table) -> None:
    """Nothing has happened then, and the reason names the line."""
    put(table.folder, "prep/late", 'do = ["clock Late 4 push", "expose lars"]\n')
    table.refresh()
    play(table, "expose lars")
    with pytest.raises(ActRefused, match="“expose lars” on the scene card can't be done now: Lars is already marked"):
        play(table, "open late")
    assert [clock.name for clock in table.snapshot.clocks.values()] == ["The fog"]


def test_what_comes_after_a_question_is_offered(table: Table) -> None:
    """Damage to the ship may ask something; the rest of the card is then one key away, and belongs to the same undo."""
    put(table.folder, "prep/wreck", 'do = ["draw hold", "damage ship", "clock Last 4 push"]\n')
    text = (table.folder / "campaign.toml").read_text()
    (table.folder / "campaign.toml").write_text(
        text.replace('name = "The hold"', 'name = "The hold"\ndraw = 2\ncards.net = { text = "A net" }')
    )
    table.refresh()
    play(table, "open wreck")
    assert table.question == "Which card from “The hold” will you keep?"
    play(table, "keep rope")
    assert [offer.act for offer in table._state.open.offers] == ["damage ship", "clock Last 4 push"]  # type: ignore[union-attr]
    play(table, "effect wreck-2")
    assert "Last" in [clock.name for clock in table.snapshot.clocks.values()]
    table.undo()
    assert table.snapshot.prep == {}


def test_cards_are_edited_while_one_plays(folder: Path, table: Table) -> None:
    """What was saved counts at the next look. Mistakes are named with their lines, and the check finds the same."""
    put(folder, "prep/dock", DOCK.replace("Zq title", "Zq other"))
    put(folder, "prep/new", 'title = "New"\ndo = ["clock X 6 push", "dmage ship"]\ntables = ["none"]\npich = "?"\n')
    put(folder, "prep/broken", "title = \n")
    assert table.refresh()
    assert [card.title for card in table.snapshot.cards.values()] == ["Zq other", "New", "The pier"]
    found = [f"{each.file}:{each.line}" for each in table.snapshot.problems]
    assert found == ["prep/broken.toml:1", "prep/new.toml:4", "prep/new.toml:2", "prep/new.toml:3"]
    assert [f"{each.file}:{each.line}" for each in check(folder / "campaign.toml", "campaign.toml")] == found


def test_the_schema_describes_a_card() -> None:
    """An editor completes its keys."""
    assert {"title", "pitch", "do", "secrets", "otherwise"} <= schema()["properties"].keys()


def test_a_rewind_keeps_the_scene_of_the_card(table: Table) -> None:
    """As after any beginning of a scene: what came since is undone, and the card stays open."""
    play(table, "open dock", "reveal dock door")
    table.rewind()
    assert table.snapshot.prep == {"dock": CardProgress(1)}
