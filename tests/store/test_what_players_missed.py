"""What a player missed who was away: at most ten lines, each of them from the log as that player sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.table import table_at, written
from tests.store.test_seen_by_some_players import CAMPAIGN
from waylog.line_mode.players import JoinSpeaker
from waylog.store.players.own_proposals_and_notes import LastLook, PrivateNotes
from waylog.store.players.players_file import FollowedFile, Projection
from waylog.store.players.what_players_missed import MOST_LINES, what_was_missed
from waylog.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign with a clock that only Ana sees; Ana plays Mara, and Ben plays Bo."""
    return table_at(written(tmp_path / "t", CAMPAIGN))


def done(table: Table, *lines: str) -> None:
    """Do these, one after another, and write the files."""
    for line in lines:
        table.play(table.understand(line))
    table.settle()


def seen(table: Table, player: str) -> Projection:
    """What a player reads."""
    file = FollowedFile(table.folder, "gone", player)
    file.look()
    assert file.seen
    return file.seen


def missed(table: Table, player: str, since: float = 0) -> str:
    """What a player missed, as one text of at most ten lines."""
    lines = what_was_missed(seen(table, player), player, since)
    assert len(lines) <= MOST_LINES
    return "\n".join(lines)


@pytest.mark.clause("NM-49")
def test_each_reads_what_happened_to_their_character_and_what_they_know(table: Table) -> None:
    """Their own acts, the scene, notes, the clocks as they are now, and what they may do. Nothing that another sees alone."""
    done(
        table,
        "session begin",
        "scene The long way",
        "roll mara",
        "tick bell",
        "tell ben The crate is empty",
        "note It rains",
    )
    ana, ben = missed(table, "ana"), missed(table, "ben")
    assert "Mara makes a Desperate roll: Fiasco" in ana
    assert "Nothing happened to Bo" in ben
    assert "The crate is empty" in ben
    assert "The crate" not in ana
    assert "The fog" in ana
    assert "The fog" not in ben
    for text in (ana, ben):
        assert "Scene: The long way" in text
        assert "Note: It rains" in text
        assert "The bell 1/4" in text
    assert "Roll for Mara" in ana.splitlines()[-1]


def test_many_acts_are_ten_lines_and_what_is_undone_is_none(table: Table) -> None:
    """However much was played."""
    done(table, "session begin", *["tick bell", "note Again", "tick bell -1"] * 12)
    assert "other actions were played" in missed(table, "ana")
    newest = seen(table, "ana").when
    done(table, "tick bell")
    assert missed(table, "ana", newest)
    table.undo()
    table.settle()
    assert not missed(table, "ana", newest)


@pytest.mark.clause("NM-49", "NM-20")
def test_what_is_hidden_leaves_no_trace_in_it(table: Table) -> None:
    """What is hidden changes neither the number of acts nor whom they were about, however much of it was played."""
    done(table, "session begin", *["tick bell", "tick bell -1"] * 6)
    before = seen(table, "ben").past
    for number in range(100):
        table.play(table.understand(f"tell ana Mara knows {number}"))
    done(table, "secret Bo lies")
    assert seen(table, "ben").past == before
    assert {player for act in seen(table, "ana").past for player in act.players} == set()


def test_a_player_who_comes_back_reads_what_is_new_to_them(table: Table) -> None:
    """Whoever was there missed nothing. It is kept in their folder, so another window of theirs knows it too."""
    done(table, "session begin", "roll mara")
    first = LastLook(table.folder, "ana")
    assert first.follow(seen(table, "ana"))
    assert first.missed
    done(table, "tick bell")
    assert not first.follow(seen(table, "ana"))
    again = LastLook(table.folder, "ana")
    assert again.follow(seen(table, "ana"))
    assert not again.missed
    done(table, "note It rains")
    later = LastLook(table.folder, "ana")
    later.follow(seen(table, "ana"))
    assert "Note: It rains" in later.missed
    (table.folder / "inbox" / "ana" / "looked").write_text("nonsense\n")
    assert LastLook(table.folder, "ana").follow(seen(table, "ana"))


def test_a_private_note_is_kept_in_no_file_of_the_campaign(table: Table, tmp_path: Path) -> None:
    """A private note goes to the player's own state folder, and is never proposed. On the wayfinder's account, it says who can read it."""
    done(table, "tick bell")
    speaker = JoinSpeaker(table.folder, "ana", PrivateNotes(tmp_path / "state", table.folder, "ana"))
    speaker.greet()
    assert [*speaker.say("private Bo lies").lines] == [
        "The note is kept in this account, so the account's owner can read it too."
    ]
    assert [*speaker.commands["notes"]("").lines] == ["Bo lies"]
    assert not PrivateNotes(tmp_path / "state", table.folder, "ben").read()
    assert not any(b"Bo lies" in path.read_bytes() for path in table.folder.rglob("*") if path.is_file())
    table.refresh()
    assert not table.proposals
