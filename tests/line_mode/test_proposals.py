"""What a player proposes, in line mode: it is said once, and a number plays or declines it."""

import os
from pathlib import Path

import pytest

from tests.kit.table import Falling, ticking
from tests.store.test_proposals import Seat
from waylog.line_mode.loop import LineLoop, run
from waylog.line_mode.wayfinder import Wayfinder
from waylog.store.players.inbox import AnswerKind, send
from waylog.store.players.pause_and_presence import is_attended, is_paused
from waylog.table import Table


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    """A campaign with two players."""
    return Seat(tmp_path / "t")


def test_a_proposal_is_said_and_played_by_number(seat: Seat) -> None:
    """Line mode reports a proposal once; its number plays it as one entry."""
    loop = LineLoop(Wayfinder(seat.table))
    loop.begin()
    proposal = send(seat.folder, "ana", "roll odile")
    lines = loop.look()
    assert "To play or decline them, type “proposals”." in lines
    assert loop.look() == []
    assert [line[:7] for line in loop.take("proposals")] == ["1. Play", "2. Decl"]
    loop.take("1")
    assert seat.answer("ana", proposal)[0] is AnswerKind.PLAYED
    assert loop.take("proposals") == ["No proposals are waiting."]


def test_a_proposal_is_declined_by_number(seat: Seat) -> None:
    """Nothing is logged, and the player is told."""
    loop = LineLoop(Wayfinder(seat.table))
    loop.begin()
    proposal = send(seat.folder, "ana", "roll odile")
    before = seat.table.snapshot.entries
    loop.take("proposals")
    loop.take("2")
    assert seat.answer("ana", proposal)[0] is AnswerKind.DECLINED
    assert seat.table.snapshot.entries == before


def test_what_a_player_may_do_without_asking_is_news(seat: Seat) -> None:
    """An act that a player may do without asking is reported as theirs, not as that of another window."""
    loop = LineLoop(Wayfinder(seat.table))
    loop.begin()
    send(seat.folder, "ana", "note hello")
    assert loop.look() == ["Hello, by Ana."]


def test_players_can_tell_that_somebody_looks(seat: Seat) -> None:
    """Until the wayfinder's program ends; one that is read-only answers nothing, so it doesn't count."""
    send(seat.folder, "ana", "roll odile")
    LineLoop(Wayfinder(Table(seat.folder, now=ticking(), chance=Falling(), read_only=True))).begin()
    assert not is_attended(seat.folder)
    wayfinder = Wayfinder(seat.table)
    LineLoop(wayfinder).begin()
    assert is_attended(seat.folder)
    wayfinder.end()
    assert not is_attended(seat.folder)


def test_the_wayfinder_hears_why_players_are_cut_off(seat: Seat) -> None:
    """Once, and again if it is something else."""
    (seat.folder / "inbox").touch()
    loop = LineLoop(Wayfinder(seat.table))
    assert any("Players can't reach you" in line for line in loop.begin())
    assert loop.look() == []


def test_a_name_is_said_once(seat: Seat) -> None:
    """Some titles begin with it."""
    loop = LineLoop(Wayfinder(seat.table))
    loop.begin()
    send(seat.folder, "ana", "spotlight ana")
    send(seat.folder, "ana", "roll odile")
    lines = loop.look()
    assert "Ana asks for the spotlight." in lines
    assert any(line.startswith("Ana: Roll for Odile") for line in lines)


@pytest.mark.clause("NM-45")
def test_a_number_never_comes_to_mean_another_proposal(seat: Seat) -> None:
    """As it was told: if that one is gone, nothing is played. What a player may read is told with it."""
    loop = LineLoop(Wayfinder(seat.table))
    loop.begin()
    first, second = send(seat.folder, "ana", "roll odile"), send(seat.folder, "ben", "spotlight ben")
    loop.take("proposals")
    seat.table.decline(first)
    loop.take("play 1")
    assert loop.code == 3
    assert loop.take("decline 2 Not yet")[0] == "Proposal 2 declined."
    assert seat.answer("ben", second) == (AnswerKind.DECLINED, "Not yet")
    loop.take("pause")
    assert is_paused(seat.folder)
    loop.take("pause end")
    assert not is_paused(seat.folder)


@pytest.mark.clause("NM-45")
def test_a_proposal_is_played_while_a_pipe_is_silent(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two lines of a script, or for a person who wants no announcements: it is played then, and told with the next line."""
    monkeypatch.setattr("waylog.line_mode.loop._LOOK", 0.001)
    wayfinder = Wayfinder(seat.table)
    loop, told = LineLoop(wayfinder), list[str]()
    reads, writes = os.pipe()

    def attend() -> None:
        wayfinder.attend()
        os.write(writes, b"status\n")
        os.close(writes)

    def tell(lines: object, _: str) -> None:
        assert isinstance(lines, list)
        told.append(" ".join(lines))
        if len(told) == 1:
            send(seat.folder, "ana", "note hello")

    run(loop, reads, tell, prompts=False, looks=False, attend=attend)
    os.close(reads)
    assert next(seat.table.latest()).by == "ana"
    assert ["Hello, by Ana." in each for each in told] == [False, True, False]
