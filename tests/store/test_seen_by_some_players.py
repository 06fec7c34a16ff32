"""What only some players see: things marked with `seen_by`, notes for one of them, and the file that each of them reads (NM-49)."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import saved, table_at, written
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.set_command import Setting
from waylog.store.files_and_lock import INBOX, OWN_FILE
from waylog.store.players.inbox import send
from waylog.store.players.players_file import FollowedFile, Projection
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table

CAMPAIGN = """\
format = 1
name = "Tenacity"
system = "veil-core"
log = "0001:0"

[crew.mara]
name = "Mara"

[crew.bo]
name = "Bo"

[players.ana]
name = "Ana"
character = "mara"

[players.ben]
name = "Ben"
character = "bo"

[clocks.fog]
name = "The fog"
kind = "catastrophe"
segments = 4
running = "desperate"
seen_by = ["ana"]

[clocks.bell]
name = "The bell"
kind = "death"
segments = 4

[decks.hold]
name = "The hold"
cards.rope = { text = "A rope", luck = "good" }
cards.rats = { text = "Rats", luck = "bad", seen_by = ["ben"] }
"""
RUMOURS = 'name = "Rumours"\nentries = ["Rain", { text = "The cook lies", seen_by = ["ana"] }]\n'


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign with a clock for Ana, a card for Ben, and an entry of a hidden table for Ana."""
    folder = written(tmp_path / "t", CAMPAIGN)
    (folder / "tables").mkdir()
    (folder / "tables" / "rumours.toml").write_text(RUMOURS)
    return table_at(folder)


def done(table: Table, *lines: str) -> None:
    """Do these, one after another, and write the files."""
    for line in lines:
        table.play(table.understand(line))
    table.settle()


def seen(table: Table, player: str = "") -> Projection:
    """What a player reads, or what everybody does."""
    file = FollowedFile(table.folder, "gone", player)
    file.look()
    assert file.seen
    return file.seen


def read(table: Table) -> dict[str, str]:
    """All that everybody, Ana and Ben read."""
    return {player: repr(seen(table, player)) for player in ("", "ana", "ben")}


def who_reads(table: Table, text: str) -> set[str]:
    """Who of them reads a text."""
    return {player for player, shown in read(table).items() if text in shown}


def notes(shown: Projection) -> Iterator[str]:
    """The notes in somebody's log."""
    return (fact.text for act in shown.log for fact in act.facts if isinstance(fact, NoteFact))


@pytest.mark.clause("NM-49")
def test_a_thing_for_some_players_is_in_their_file_alone(table: Table) -> None:
    """With what happens to it, what may be done with it, and who else sees it."""
    done(table, "tick fog", "pick rumours 2", "tell ben The crate is empty")
    for text in ("The fog", "The cook lies", "tick"):
        assert who_reads(table, text) - {""} >= {"ana"}, text
    assert who_reads(table, "The fog") == who_reads(table, "The cook lies") == {"ana"}
    assert who_reads(table, "Rats") == who_reads(table, "The crate is empty") == {"ben"}
    assert "Rumours" not in "".join(read(table).values())
    assert seen(table, "ana").clocks[0].seen_by == ("Ana",)
    assert not any(text in recap_text(table.recap()) for text in ("The fog", "The cook lies", "The crate"))
    assert all(text in recap_text(table.recap(secrets=True)) for text in ("only Ana sees this", "only Ben sees this"))


@pytest.mark.clause("NM-49")
def test_the_others_know_its_effect_alone(table: Table) -> None:
    """Ana reads why her roll is Desperate. For Ben, it is something that he doesn't know."""
    done(table, "roll mara")
    assert "while the clock “The fog” runs" in "".join(notes(seen(table, "ana")))
    assert who_reads(table, "The fog") == {"ana"}
    game, state = table._proposals.players_game, table._state
    assert game.understand(state, "ana", "tick fog 1").move.verb == "tick"
    refusals = []
    for words in ("tick fog 1", "tick fob 1"):
        with pytest.raises(ActRefused) as refused:
            game.understand(state, "ben", words)
        refusals.append(refused.value.refusal.reason.replace("fob", "fog"))
    assert refusals[0] == refusals[1]


@pytest.mark.clause("NM-49")
def test_show_hide_and_only_say_who_sees_it(table: Table) -> None:
    """Each move changes who sees a thing or a card. What happened while one player alone saw it stays theirs. Undo restores who saw it."""
    done(table, "tick fog", "show clock fog", "tick fog")
    assert who_reads(table, "The fog") == {"", "ana", "ben"}
    assert [len([text for text in notes(seen(table, who)) if "The fog" in text]) for who in ("ana", "ben")] == [2, 1]
    done(table, "only clock bell ben ana")
    assert who_reads(table, "The bell") == {"ana", "ben"}
    assert [clock.seen_by for clock in seen(table, "ben").clocks if clock.seen_by] == [("Ben", "Ana")]
    done(table, "only deck hold rope ana", "hide clock fog")
    assert who_reads(table, "A rope") == {"ana"}
    assert not who_reads(table, "The fog") - {""}
    for _ in range(2):
        table.undo()
    table.settle()
    assert who_reads(table, "A rope") == set()
    done(table, "show deck hold")
    assert who_reads(table, "A rope") == who_reads(table, "Rats") == {"", "ana", "ben"}


@pytest.mark.clause("NM-49")
def test_showing_a_thing_to_somebody_asks_first(table: Table) -> None:
    """For those who don't see it yet."""
    move = table.understand("only clock fog ana ben").move
    options = {option.word: option.reveals for ask in move.asks for option in getattr(ask, "options", ())}
    assert options == {"ana": "", "ben": "Show “The fog” to Ben?"}
    settings = (Setting(("clocks", "fog", "seen_by"), "ana, ben"), Setting(("clocks", "bell", "seen_by"), "ben"))
    assert table.shown_by_settings(settings) == ("“The fog”",)


@pytest.mark.clause("NM-49", "NM-45")
def test_a_player_tells_another_and_notes_things_for_themselves(table: Table) -> None:
    """The wayfinder reads both; of the players, only those whom it concerns."""
    table.settle()
    for by, words in (("ana", "tell ben I take the crate"), ("ana", "tell ana Bo lies")):
        send(table.folder, by, words)
        table.refresh()
        table.accept(table.proposals[0].id)
    table.settle()
    assert [*notes(seen(table, "ben"))] == ["Ana: I take the crate"]
    assert [*notes(seen(table, "ana"))] == ["Ana: I take the crate", "Bo lies"]
    assert not [*notes(seen(table))]
    done(table, "reword 2 Bo lies to me")
    assert who_reads(table, "Bo lies to me") == {"ana"}


def test_the_file_of_a_player_is_closed_to_others_and_goes_when_it_is_not_needed(table: Table) -> None:
    """It lies in the player's folder of the inbox. Without it, a player reads what all players do."""
    done(table, "tick fog")
    own = table.folder / INBOX / "ana" / OWN_FILE
    assert stat.S_IMODE(own.parent.stat().st_mode) == 0o700
    file = FollowedFile(table.folder, "gone", "ana")
    file.look()
    text = (table.folder / "campaign.toml").read_text()
    (table.folder / "campaign.toml").write_text(
        text.replace('seen_by = ["ana"]\n', "").replace(', seen_by = ["ben"]', "")
    )
    table.refresh()
    table.undo(1)
    table.settle()
    assert not (table.folder / INBOX / "ben" / OWN_FILE).exists()
    saved(table.folder, "[clocks.bell]", "# nothing\n[clocks.bell]")
    assert file.look()
    assert not file.trouble
    assert file.seen == seen(table, "ana")


def test_check_names_a_player_who_does_not_exist(tmp_path: Path) -> None:
    """With the line, in the campaign file and in a table; and a thing that is hidden from those who alone should see it."""
    waylog = CommandLine(tmp_path)
    folder = written(
        tmp_path / "t",
        CAMPAIGN.replace('["ana"]', '["anna"]').replace('kind = "death"', 'seen = false\nseen_by = ["ben"]'),
    )
    (folder / "tables").mkdir()
    (folder / "tables" / "rumours.toml").write_text(RUMOURS.replace('"ana"', '"cy"'))
    said = waylog("check", "t").err
    assert "there is no player “anna”: the players are ana and ben" in said
    assert "there is no player “cy”" in said
    assert "seen is false, so no player sees this" in said
