"""`waylog join --lines`: a player proposes in words, and hears what became of it (NM-45)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.store.test_proposals import Seat
from waylog.line_mode.loop import PAUSED, LineLoop
from waylog.line_mode.players import ALONE, LOST, REACHED, JoinSpeaker
from waylog.store.files_and_lock import PLAYERS
from waylog.store.players.pause_and_presence import CLOSED, UNANSWERED, Attendance, end_pause, is_paused, mark_shown


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    """A campaign with two players, whose file is there."""
    seat = Seat(tmp_path / "trial", 3, 3, 3, 3)
    assert seat.table.settle()
    return seat


@pytest.fixture(autouse=True)
def attendance(seat: Seat) -> Iterator[Attendance]:
    """A wayfinder's program that has the campaign open."""
    attendance = Attendance(seat.folder)
    attendance.hold(())
    yield attendance
    attendance.end()


def joined(seat: Seat, player: str = "ana") -> LineLoop:
    """A player who has heard how things stand."""
    loop = LineLoop(JoinSpeaker(seat.folder, player))
    loop.begin()
    return loop


@pytest.mark.clause("NM-45")
def test_a_line_is_proposed_and_its_end_is_said_once(seat: Seat) -> None:
    """Played, or declined with the wayfinder's words."""
    loop = joined(seat)
    assert loop.take("Roll odile, 4 2") == [
        "Roll for Odile, real dice 4 2. Your proposal is waiting for the wayfinder."
    ]
    assert loop.take("waiting") == ["Roll for Odile, real dice 4 2: waiting for the wayfinder."]
    seat.table.refresh()
    (proposal,) = seat.table.proposals
    assert (proposal.by, proposal.act and proposal.act.faces) == ("ana", (4, 2))
    seat.table.decline(proposal.id, "not in the dark")
    assert loop.look() == ["Roll for Odile, real dice 4 2: declined (not in the dark)."]
    assert (loop.look(), loop.take("waiting")) == ([], ["You have no proposals waiting."])


@pytest.mark.clause("NM-45")
def test_a_number_answers_what_is_asked(seat: Seat) -> None:
    """Only the player whose roll it is hears choices."""
    ana, ben = joined(seat), joined(seat, "ben")
    seat.table.play(seat.table.understand("roll odile"))
    assert seat.table.settle()
    heard = ana.look()
    assert any(line.startswith("2. ") for line in heard)
    (others,) = [line for line in ben.look() if "Spend Focus" in line]
    assert others.startswith("A question for somebody else: Odile 3 3 3")
    ana.take("2")
    seat.table.refresh()
    seat.table.accept(seat.table.proposals[0].id)
    assert seat.table.snapshot.question is None


@pytest.mark.clause("NM-45")
def test_what_waits_can_be_taken_back_and_is_known_after_a_restart(seat: Seat) -> None:
    """The latest first. What was answered meanwhile is said."""
    loop = joined(seat)
    for words in ("roll odile", "tick storm", "spotlight ana"):
        loop.take(words)
    seat.table.refresh()
    seat.table.decline(seat.table.proposals[2].id, "later")
    assert loop.take("Take back.") == [
        "Ana asks for the spotlight: declined (later).",
        "Tick “The storm”: taken back.",
    ]
    again = LineLoop(JoinSpeaker(seat.folder, "ana"))
    assert "Roll for Odile: waiting for the wayfinder." in again.begin()
    assert again.take("undo") == ["Roll for Odile: taken back."]
    assert again.take("take back") == ["You have no proposals waiting."]
    seat.table.refresh()
    assert seat.table.proposals == ()


@pytest.mark.clause("NM-45")
def test_a_proposal_played_at_the_moment_it_is_taken_back_is_said(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once."""
    loop = joined(seat)
    loop.take("roll odile")
    seat.table.refresh()
    monkeypatch.setattr("waylog.line_mode.players.take_back", lambda *_: seat.table.accept(seat.table.proposals[0].id))
    assert loop.take("take back") == ["Roll for Odile: taken back."]
    assert loop.look() == ["Roll for Odile: the wayfinder had already played it."]
    assert loop.look() == []


@pytest.mark.clause("NM-45")
def test_numbers_are_dice_while_dice_are_asked_for(seat: Seat) -> None:
    """While dice are asked for, a number is a die: no numbered choices stand beside them."""
    ana, ben = joined(seat), joined(seat, "ben")
    seat.table.play(seat.table.understand("roll odile 5"))
    assert seat.table.settle()
    heard = ana.look()
    assert heard[-1] == "To let Waylog roll, type “rest”."
    assert heard[-2] == "Odile: what do the 2 dice show?"
    assert not any(line.startswith("1. ") for line in heard)
    assert "To let Waylog roll, type “rest”." not in ben.look()
    (said,) = ben.take("roll bram")
    assert said.startswith("Not now. This question comes first: Odile: what do")
    assert ana.take("2, 1") == ["Type 2 more: Odile, real dice 2 1. Your proposal is waiting for the wayfinder."]
    seat.table.refresh()
    (proposal,) = seat.table.proposals
    assert proposal.act
    assert (proposal.act.move.verb, proposal.act.faces) == ("dice", (2, 1))
    seat.table.accept(proposal.id)
    assert seat.table.settle()
    assert any(line.startswith("1. ") for line in ana.look())


@pytest.mark.clause("NM-45")
def test_news_leaves_what_a_number_means(seat: Seat) -> None:
    """As long as the answers are the same. If they are others, they are listed anew."""
    ana = joined(seat)
    seat.table.play(seat.table.understand("roll odile 5 2 1"))
    assert seat.table.settle()
    assert ana.look()[-2:] == [
        "1. Raise dice. Raising 5 to 6 makes it a Success.",
        "2. Keep the dice: Success with drawback.",
    ]
    asks = ana.take("1")
    assert asks[-1].startswith("Raise by 1: type")
    seat.table.play(seat.table.understand("note meanwhile"))
    assert seat.table.settle()
    assert [line.partition(": ")[2] for line in ana.look()] == ["Meanwhile."]
    assert ana.take("5") == ["Odile raises dice: 5 to 6. Your proposal is waiting for the wayfinder."]
    assert ana.take("roll odile")[0].startswith("Finish this first. ")
    assert ana.take("question")[-1].startswith("2. Keep")
    seat.table.play(seat.table.understand("keep"))
    assert seat.table.settle()
    ana.look()
    assert ana.take("question") == ["There is no open question."]


def test_odds_that_cannot_be_read_are_none(seat: Seat) -> None:
    """Somebody has damaged the players' file, and the window stays."""
    players = seat.folder / PLAYERS
    text, changed = re.subn(r"\b\d+/\d+\b", "1/0", players.read_text())
    assert changed
    players.write_text(text)
    assert joined(seat).take("odds roll odile") == ["There are no odds for that."]


def test_odds_moves_and_refusals_tell_nothing_hidden(seat: Seat) -> None:
    """A hidden clock means as little as a word that nobody knows."""
    loop = joined(seat)
    assert any("Success 34.7 %" in line for line in loop.take("odds roll odile"))
    assert "learned" not in " ".join((*loop.take("moves tick"), *loop.take("clocks")))
    assert [line.replace("voice", "…") for line in loop.take("tick voice")] == [
        line.replace("vodka", "…") for line in loop.take("tick vodka")
    ]


def test_a_pause_is_confirmed_when_the_wayfinder_sees_it(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause is confirmed once the wayfinder's screen shows it, and not before, so that nobody waits in silence."""
    monkeypatch.setattr("waylog.store.players.pause_and_presence.time.sleep", lambda _: mark_shown(seat.folder))
    assert joined(seat).take("pause") == [PAUSED, REACHED]
    assert is_paused(seat.folder)


def test_a_pause_that_the_wayfinder_does_not_see_is_shouted(
    seat: Seat, attendance: Attendance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason; the exit code is not 0. When the wayfinder sees it after all, that is said, too."""
    monkeypatch.setattr("waylog.store.players.pause_and_presence.PATIENCE", 0.0)
    loop = joined(seat)
    assert loop.take("pause") == [PAUSED, LOST.format(UNANSWERED)]
    assert loop.code
    mark_shown(seat.folder)
    assert loop.look() == [REACHED]
    end_pause(seat.folder)
    loop.look()
    attendance.end()
    assert loop.take("pause") == [PAUSED, LOST.format(CLOSED)]


def test_it_starts_by_itself_without_a_terminal(seat: Seat, tmp_path: Path) -> None:
    """As standard input is no terminal here, so nothing is drawn."""
    ran = CommandLine(tmp_path)("join", "trial", "--as", "ana")
    assert ran.code == 0
    assert "Trial: Veil Runners" in ran.out


@pytest.mark.clause("NM-45")
def test_a_player_hears_when_nobody_can_see_what_waits(
    seat: Seat, attendance: Attendance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once after each proposal, and whenever they ask what waits."""
    monkeypatch.setattr("waylog.line_mode.players.LONG", 0.0)
    loop = joined(seat)
    loop.take("note one")
    assert loop.look() == []
    attendance.end()
    loop.take("note two")
    assert [loop.look(), loop.look()] == [[ALONE], []]
    assert loop.take("waiting")[-1] == "Note: two: waiting for the wayfinder to open the campaign."


@pytest.mark.clause("NM-45")
def test_words_are_named_as_people_call_them(seat: Seat) -> None:
    """As in the window, also after a restart: not by words of the command that the player has not typed."""
    assert joined(seat).take("tick storm")[0].startswith("Tick “The storm”")
    assert "Tick “The storm”: waiting for the wayfinder." in LineLoop(JoinSpeaker(seat.folder, "ana")).begin()
