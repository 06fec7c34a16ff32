"""What players see: nothing hidden, all that is public, and the same when it has been through the file."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.rules import project_state
from tests.kit.small_game import SYSTEM as SMALL_GAME
from tests.kit.table import Falling, saved, small_game, table_at, ticking, written
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind, WhileRunning
from waylog.rules.model.decks import Card, CardKind, Deck, DeckVisibility
from waylog.rules.model.dice import ChanceDice, Face
from waylog.rules.model.facts import NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.panels import DiceRow, MarkRow, Panel, PipsRow, Tag, TextRow, Tone
from waylog.rules.model.sessions import Session
from waylog.rules.model.state import State
from waylog.rules.rulebook import MomentBase
from waylog.rules.systems import system
from waylog.rules.what_players_know import VisibleCard, VisibleClock, VisibleDeck
from waylog.store.files_and_lock import request_players_file
from waylog.store.players import players_file
from waylog.store.players.players_file import FollowedFile, Projection, UnreadablePlayersFile, VisibleAct
from waylog.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table on the smallest game."""
    with small_game():
        return table_at(written(tmp_path / "swallow"), 5)


def done(table: Table, *acts: str) -> None:
    """Do these, one after another."""
    for words in acts:
        table.play(table.understand(words))


CLOCKS = {
    "open": Clock("Storm", ClockKind.CATASTROPHE, 8, 3, "The mast goes"),
    "uncounted": Clock("Patience", ClockKind.PUSH, 6, 2, "They come over", count_seen=False),
    "augury": Clock("The bell", ClockKind.AUGURY, 4, 1, "It is under us"),
    "hidden": Clock("The stowaway", outcome="He has a knife", seen=False),
    "closed": Clock("Harbour", closed=True),
}


def state(**parts: object) -> State:
    """A campaign of the smallest game with something in it."""
    return State("The Swallow", SMALL_GAME.rules(), SMALL_GAME.sheet(), **parts)  # type: ignore[arg-type] # parts of many types


def test_clocks_are_as_players_know_them() -> None:
    """Without what they may not see: how full it is, what it leads to, or that there is one (NM-20, NM-28)."""
    seen = project_state(SMALL_GAME, state(clocks=CLOCKS), ())
    told = [(clock.name, clock.filled, clock.outcome) for clock in seen.clocks]
    assert told == [("Storm", 3, "The mast goes"), ("Patience", None, "They come over"), ("The bell", 1, "")]


def test_of_a_deck_players_know_the_cards_that_they_were_shown() -> None:
    """All of them, some, or nothing, not even that there is one (NM-14)."""
    cards = {"rope": Card("A rope", CardKind.GOOD), "rats": Card("Rats", CardKind.BAD)}
    decks = {
        "hold": Deck("The hold", DeckVisibility.PARTLY, ("rope",), drawn=("rope",), cards=cards),
        "bilge": Deck("The bilge", DeckVisibility.KNOWN, cards=cards),
        "hunt": Deck("The hunt", shown=("rats",), cards=cards),
    }
    hold, bilge = project_state(SMALL_GAME, state(decks=decks), ()).decks
    assert [(card.text, card.out) for card in hold.cards] == [("A rope", True)]
    assert [(card.text, card.luck) for card in bilge.cards] == [("A rope", CardKind.GOOD), ("Rats", CardKind.BAD)]


def telling_panels(moment: MomentBase) -> tuple[Panel, ...]:
    """Panels that say all that they are shown: one for everybody, and one for the wayfinder."""
    rows = (
        TextRow("boat.clocks", "Clocks", repr(moment.clocks)),
        TextRow("boat.own", "Own", "eyes only", secret=True),
    )
    return Panel("boat", "ship", "Boat", rows), Panel("foe", "ship", "Foe", rows, secret=True)


def test_panels_know_nothing_of_what_is_hidden() -> None:
    """Secret panels and rows are left out, and a game that draws is shown hidden clocks without anything that tells of them."""
    hidden = {
        "uncanny": Clock(
            "uncanny",
            ClockKind.DEATH,
            12,
            7,
            "uncanny",
            "uncanny",
            seen=False,
            running=WhileRunning.EXPOSED,
            when_full="uncanny",
        )
    }
    (panel,) = project_state(
        replace(SMALL_GAME, panels_of=telling_panels, running=(WhileRunning.EXPOSED,)), state(clocks=hidden), ()
    ).panels
    (row,) = panel.rows
    assert isinstance(row, TextRow)
    assert "uncanny" not in row.text
    assert "exposed" in row.text
    assert "12" not in row.text
    assert row.key == panel.key == ""


def test_the_session_under_way_is_named() -> None:
    """By its number and title; between sessions by neither."""
    held = {"1": Session("x", "y", "Out"), "2": Session("x", title="Back")}
    assert project_state(SMALL_GAME, state(sessions=held), ()).title == "Back"
    assert project_state(SMALL_GAME, state(sessions={"1": held["1"]}), ()).session == 0


def test_the_log_is_told_by_public_facts_alone(table: Table) -> None:
    """What is secret or was taken back is not there, nor are the words of an act or what it changed."""
    done(table, "row boat", "secret nothing", "set boat.luck 1", "note hello")
    done(table, 'clock "Mutiny" 4 death hidden', "row boat wild", "tick mutiny 1")
    table.undo()
    table.undo()
    log = table.projection().log
    assert [[type(fact).__name__ for fact in act.facts] for act in log] == [["RollFact", "OutcomeFact"], ["NoteFact"]]
    assert [act.at for act in log] == ["20:00", "20:03"]


def test_the_file_says_what_is_seen(table: Table) -> None:
    """Written by `settle`, it is read as what the table would tell; an act that players see nothing of leaves it alone."""
    table.add_reader()
    done(table, "row boat", "note hello", 'clock "A \\"storm\\"" 4 death')
    table.settle()
    path = table.folder / players_file.FILE
    assert players_file.decode_projection(path.read_bytes()) == table.projection()
    before = path.stat()
    done(table, "secret nothing")
    table.settle()
    assert path.stat() == before


def test_it_may_be_read_by_whoever_may_read_the_campaign_or_as_a_person_says(tmp_path: Path) -> None:
    """A campaign that is one's own makes a file that is one's own, and what a person has set stays."""
    with small_game():
        folder = written(tmp_path / "swallow")
        (folder / "campaign.toml").chmod(0o600)
        table = table_at(folder)
        table.add_reader()
        table.settle()
        path = folder / players_file.FILE
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o644)
        done(table, "note hello")
        table.settle()
        assert path.stat().st_mode & 0o777 == 0o644


def test_whoever_knows_less_says_nothing(tmp_path: Path) -> None:
    """A table that has not taken in yet what another has played doesn't tell players of an earlier moment."""
    with small_game():
        folder = written(tmp_path / "swallow")
        one, two = table_at(folder), table_at(folder)
        one.add_reader()
        done(one, "note first")
        done(two, "note second")
        two.settle()
        told = (folder / players_file.FILE).read_bytes()
        assert b"second" in told
        one.settle()
        assert (folder / players_file.FILE).read_bytes() == told
        one.refresh()
        done(one, "note third")
        one.settle()
        assert b"third" in (folder / players_file.FILE).read_bytes()


def test_a_window_that_only_looks_on_writes_nothing(tmp_path: Path) -> None:
    """Players are told by those who play."""
    with small_game():
        folder = written(tmp_path / "swallow")
        table = Table(folder, now=ticking(), chance=Falling(), read_only=True)
        table.add_reader()
        assert not (folder / players_file.FILE).exists()
        request_players_file(folder)
        table.settle()
    assert not (folder / players_file.FILE).read_bytes()


def test_what_nobody_reads_is_not_written(table: Table) -> None:
    """It would take each act some time. With the first player, or the first watch, it is there, and from then on it is kept."""
    path = table.folder / players_file.FILE
    done(table, "note first")
    assert table.settle()
    assert not path.exists()
    request_players_file(table.folder)
    assert table.has_new_reader
    assert table.file_is_behind()
    assert table.settle()
    assert b"first" in path.read_bytes()
    assert (table.has_new_reader, table.file_is_behind()) == (False, False)
    done(table, "note second")
    assert table.settle()
    assert b"second" in path.read_bytes()
    path.unlink()
    request_players_file(table.folder)
    assert table.settle()
    assert b"second" in path.read_bytes()


def test_a_campaign_with_players_is_written_for_them(table: Table) -> None:
    """Nobody has to ask first."""
    done(table, "note hello")
    saved(table.folder, "[boat]  # she leaks", '[players.ana]\nname = "Ana"\n\n[boat]  # she leaks')
    table.refresh()
    assert table.settle()
    assert b"Ana" in (table.folder / players_file.FILE).read_bytes()


def test_who_follows_the_file_asks_for_it(table: Table) -> None:
    """It may be read by whoever may read the campaign. What is there is left alone, and a campaign that is gone isn't made again."""
    (table.folder / "campaign.toml").chmod(0o640)
    path = table.folder / players_file.FILE
    file = FollowedFile(table.folder, "gone")
    file.look()
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"", 0o640)
    assert (file.look(), file.seen, file.trouble) == (True, None, "")
    assert table.settle()
    assert file.look()
    assert file.seen == table.projection()
    path.unlink()
    assert (file.look(), file.trouble) == (True, "gone")
    assert not file.look()
    assert not path.exists()


def test_who_may_not_ask_hears_what_the_wayfinder_has_to_do(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, until the file is there."""

    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", folder)

    file = FollowedFile(table.folder, "gone")
    with monkeypatch.context() as closed:
        closed.setattr(players_file, "request_players_file", refuse)
        assert [file.look(), file.look()] == [True, False]
    assert f"waylog players {table.folder} setup" in file.trouble
    table.add_reader()
    assert table.settle()
    assert file.look()
    assert (file.trouble, file.seen) == ("", table.projection())


def test_an_act_is_done_whether_or_not_players_can_be_told(tmp_path: Path) -> None:
    """Where their file can't be written the campaign's is, and the table says what is behind; they are told as soon as it can."""
    with small_game():
        folder = written(tmp_path / "swallow")
        (folder / players_file.FILE).mkdir()
        table = table_at(folder)
        done(table, "note hello")
        assert not table.settle()
        assert table.file_is_behind()
        assert b"0001:1" in (folder / "campaign.toml").read_bytes()
        assert [path.name for path in folder.iterdir() if path.suffix == ".part"] == []
        (folder / players_file.FILE).rmdir()
        table.add_reader()
        assert table.settle()
    assert b"hello" in (folder / players_file.FILE).read_bytes()


WHOLE = Projection(
    'The "Swallow"',
    "Small Game",
    3,
    "Out\tand back",
    (
        Panel(
            "",
            "ship",
            "Boat",
            (
                DiceRow("", "Oars", 2, "wet"),
                PipsRow("", "Hull", 4, 3, ""),
                MarkRow("", "Mast", held=False, state="gone", note="…"),
                TextRow("", "Says", "\u202eno", Tone.BAD),
            ),
            (Tag("sinking", Tone.WARN),),
        ),
    ),
    (
        VisibleClock("Storm", ClockKind.CATASTROPHE, 8, 3, "The mast goes", WhileRunning.DESPERATE),
        VisibleClock("Calm", ClockKind.AUGURY, 12, None, "", WhileRunning.NOTHING),
    ),
    (VisibleDeck("Hold", (VisibleCard("A rope", CardKind.GOOD, out=True),)),),
    (
        VisibleAct(
            "20:00", (RollFact("Boat", (Face("oar", 3), Face("luck", 0, 10)), typed=True), OutcomeFact("x", "X", None))
        ),
        VisibleAct(
            "20:01",
            (OutcomeFact("fiasco", "Fiasco", OutcomeGrade.FIASCO, "Boat"), NoteFact("hull", "SG-01"), NoteFact("wet")),
        ),
    ),
)


def test_whatever_players_see_survives_the_file() -> None:
    """Every kind of row, fact, clock and card comes back as it was."""
    assert players_file.decode_projection(players_file.encode_projection(WHOLE)) == WHOLE
    assert players_file.decode_projection(players_file.encode_projection(Projection())) == Projection()


ODD = (b'[["odd"]]', b'[["note", 3, ""]]', b'[["result", "", "", "good", ""]]', b'[["rolled", "", [[1]], true]]')


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"format = 2",
        b"format = 1",
        players_file.encode_projection(WHOLE)[:-20],
        *(
            players_file.encode_projection(Projection()).replace(b"log = [", b'log = [["20:00", %b]' % odd)
            for odd in ODD
        ),
    ],
)
def test_what_is_no_such_file_is_not_shown(data: bytes) -> None:
    """Cut short, of another Waylog, or with something in it that nobody knows: it says so."""
    with pytest.raises(UnreadablePlayersFile):
        players_file.decode_projection(data)


@pytest.mark.parametrize("name", ["veil-core", "veil-2026", "veil-classic", "veil-reference"])
def test_why_a_roll_is_desperate_is_as_hidden_as_the_clock(name: str) -> None:
    """The wayfinder reads which clock makes it so; players do only when they see it."""
    game = Game(system(name))
    crewed = game.read({"system": name, "crew": {"mara": {"name": "Mara"}}})[0]
    for seen in (True, False):
        held = replace(crewed, clocks={"ghost": Clock("Ghost", running=WhileRunning.DESPERATE, seen=seen)})
        facts = game.play(held, parse_act(game.moves(held), "roll mara"), ChanceDice(lambda _: 3)).facts
        notes = [fact for fact in facts if isinstance(fact, NoteFact) and "Ghost" in fact.text]
        assert [note.secret for note in notes] == [not seen]


def test_what_is_the_wayfinders_in_a_game_is_no_panel_of_the_players() -> None:
    """Notes on a Flow, and the sheets of others than the crew."""
    course, emissaries = Game(system("course-flow")), Game(system("emissaries"))
    tree = {"system": "course-flow", "flows": {"tide": {"name": "The tide", "value": 1, "notes": "It is alive"}}}
    seen = repr(project_state(course.system, course.read(tree)[0], ()).panels)
    assert "The tide" in seen
    assert "alive" not in seen
    state = emissaries.read({"system": "emissaries", "npcs": {"thoss": {"name": "Thoss", "mind": 3}}})[0]
    assert "Thoss" in repr(emissaries.panels(state))
    assert "Thoss" not in repr(project_state(emissaries.system, state, ()))
    played = emissaries.play(
        state, parse_act(emissaries.moves(state), 'object thoss "A knife"'), ChanceDice(lambda _: 0)
    )
    assert all(isinstance(fact, NoteFact) and fact.secret for fact in played.facts)
