"""A player's window: it shows what players see, proposes what is typed, and follows what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from tests.kit.app import SIZES, seen, typed
from tests.kit.thorough import cases
from tests.store.test_proposals import Seat
from waylog.app.players_apps_and_phones import JoinApp
from waylog.store.players.inbox import Answer, AnswerKind, Inbox
from waylog.store.players.pause_and_presence import Attendance, is_paused
from waylog.ui.views.join import JoinScreen


async def looks(pilot: Pilot[None]) -> None:
    """The app looks at its files now."""
    pilot.app._look()  # type: ignore[attr-defined]  # what its timer calls
    await pilot.pause()


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    """A campaign with two players, whose file is there."""
    seat = Seat(tmp_path / "trial", 3, 3, 3, 3)
    assert seat.table.settle()
    return seat


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_a_roll_is_proposed_and_its_answer_shown(seat: Seat, size: tuple[int, int]) -> None:
    """With exact odds while it is typed. It waits until the wayfinder plays it, and then stands in the log."""
    async with JoinApp(seat.folder, "ana").run_test(size=size) as pilot:
        await looks(pilot)
        assert "roll" in seen(pilot)
        await pilot.press("r", *"odile 4 2")
        assert "%" in seen(pilot)
        await pilot.press("enter")
        assert "waiting for the wayfinder" in " ".join(seen(pilot).split())
        seat.table.refresh()
        (proposal,) = seat.table.proposals
        assert (proposal.by, proposal.act and proposal.act.faces) == ("ana", (4, 2))
        seat.table.accept(proposal.id)
        assert seat.table.settle()
        await looks(pilot)
        assert "✓" in seen(pilot)
        assert "waiting" not in seen(pilot)


async def test_a_declined_proposal_says_why(seat: Seat) -> None:
    """A player reads in the wayfinder’s words why a proposal was declined."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press(":", *"roll odile", "enter")
        seat.table.refresh()
        seat.table.decline(seat.table.proposals[0].id, "not in the dark")
        await looks(pilot)
        assert "declined — not in the dark" in seen(pilot)


async def test_an_answer_stays_until_the_player_goes_on(seat: Seat) -> None:
    """However the wayfinder answers two proposals, neither answer takes the place of the other."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press(":", *"roll odile", "enter", "s")
        seat.table.refresh()
        roll, spotlight = seat.table.proposals
        seat.table.decline(spotlight.id, "soon")
        await looks(pilot)
        seat.table.decline(roll.id, "not in the dark")
        await looks(pilot)
        shown = seen(pilot)
        assert "The spotlight: declined — soon" in shown
        assert shown.index("declined — soon") < shown.index("declined — not in the dark")
        await pilot.press("n", "escape")
        assert "declined — soon" not in seen(pilot)
        assert "declined — not in the dark" in seen(pilot)


async def test_what_may_be_done_alone_is_played_at_once(seat: Seat) -> None:
    """Ana may write notes without asking."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("n", *"I lock the door", "enter")
        seat.table.refresh()
        assert seat.table.snapshot.act[0].by == "ana"
        assert seat.table.settle()
        await looks(pilot)
        assert "I lock the door" in seen(pilot)


async def test_keys_that_come_at_once_are_handled_one_by_one(seat: Seat) -> None:
    """What Esc closes gets no key behind it, and what a key opens gets all of them, as if they were typed slowly."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        for key in (":", *"roll bram", "enter", "escape", "escape", "n", *"I hide", "enter", "n", *"so"):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        assert "note › so" in seen(pilot)
        seat.table.refresh()
        assert "I hide" in str(seat.table.snapshot.act)


async def test_a_digit_answers_what_is_asked(seat: Seat) -> None:
    """Only the player whose roll it is has answers."""
    seat.table.play(seat.table.understand("roll odile"))
    assert seat.table.snapshot.question
    assert seat.table.settle()
    async with JoinApp(seat.folder, "ben").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        assert "Focus" in seen(pilot)
        assert "2 Keep the dice" not in seen(pilot)
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        assert "2 Keep the dice" in seen(pilot)
        await pilot.press("2")
        seat.table.refresh()
        (proposal,) = seat.table.proposals
        seat.table.accept(proposal.id)
        assert seat.table.snapshot.question is None


async def test_digits_are_dice_while_a_roll_waits_for_them(seat: Seat) -> None:
    """They never choose an answer meanwhile. A key of its own lets Waylog roll, and Enter doesn't."""
    seat.table.play(seat.table.understand("roll odile 5"))
    assert seat.table.settle()
    async with JoinApp(seat.folder, "ben").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        assert "what do the 2 dice show?" in seen(pilot)
        assert "Type what the dice show" not in seen(pilot)
        await pilot.press(":", *"roll bram")
        assert "Not now. This question comes first: Odile: what do" in seen(pilot)
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        assert "Type what the dice show, or press W to let Waylog roll them" in seen(pilot)
        assert "2 Let Waylog" not in seen(pilot)
        await pilot.press("2")
        assert "all dice typed" not in seen(pilot)
        await pilot.press("1", "enter")
        seat.table.refresh()
        (proposal,) = seat.table.proposals
        assert proposal.act
        assert (proposal.act.move.verb, proposal.act.faces) == ("dice", (2, 1))
        seat.table.decline(proposal.id)
        await pilot.press("enter")
        seat.table.refresh()
        assert not seat.table.proposals
        await pilot.press("W")
        seat.table.refresh()
        assert [each.words for each in seat.table.proposals] == ["rest"]


async def test_the_spotlight_is_one_key(seat: Seat) -> None:
    """It is a proposal like any other."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("s")
        seat.table.refresh()
        assert [each.title for each in seat.table.proposals] == ["Ana asks for the spotlight"]
        assert [each.summary for each in seat.table.proposals] == ["Ana asks for the spotlight"]


async def test_an_unknown_command_names_no_key_that_players_lack(seat: Seat) -> None:
    """Ctrl+P lists the commands of the wayfinder's app only."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press(":", *"outcome")
        assert "No such command: “outcome”" in seen(pilot)
        assert "Ctrl+P" not in seen(pilot)


async def test_nobody_else_is_offered_and_escape_closes(seat: Seat) -> None:
    """Ana's list has no roll for Bram; letters are keys again after Escape, and x twice asks for a pause."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("r")
        assert "Bram" not in seen(pilot).split("─")[-1]
        await pilot.press("x", "x")
        assert not is_paused(seat.folder)
        await pilot.press("escape", "escape", "escape", "x", "x")
        assert is_paused(seat.folder)


async def test_a_stranger_is_told_what_is_missing(seat: Seat) -> None:
    """The wayfinder's file decides who plays."""
    async with JoinApp(seat.folder, "mara").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        assert "[players.mara]" in " ".join(seen(pilot).split())
        await pilot.press("r")
        assert "You can't propose a roll now" in seen(pilot)


async def test_hidden_names_are_never_there(seat: Seat) -> None:
    """A hidden clock is no choice, and its name means as little as any other."""
    async with JoinApp(seat.folder, "ben").run_test(size=(120, 36)) as pilot:
        await looks(pilot)
        await pilot.press(":", *"tick voice")
        one = seen(pilot).replace("voice", "…")
        await pilot.press(*["backspace"] * 5, *"vodka")
        assert seen(pilot).replace("vodka", "…") == one
        assert "learned" not in one


async def test_a_proposal_is_taken_back_while_it_waits(seat: Seat) -> None:
    """Only then: one that was played stays played, and the player reads that."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("s", "z")
        seat.table.refresh()
        assert not seat.table.snapshot.proposals
        assert "The spotlight: taken back" in seen(pilot)
        await pilot.press("s")
        seat.table.accept(read_waiting(seat))
        await pilot.press("z")
        assert "The spotlight: played" in seen(pilot)
        assert "You have no proposals waiting" in seen(pilot)


async def test_one_that_is_played_at_the_moment_it_is_taken_back_counts_as_played(seat: Seat) -> None:
    """The wayfinder's program has read it already."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("s")
        proposal = read_waiting(seat)
        await pilot.press("z")
        Inbox(seat.folder).answer("ana", proposal, Answer(AnswerKind.PLAYED))
        await looks(pilot)
        assert "The spotlight: played" in seen(pilot)


def read_waiting(seat: Seat) -> str:
    """Return the id of the one proposal that waits."""
    seat.table.refresh()
    (proposal,) = seat.table.proposals
    return proposal.id


async def test_a_proposal_stands_there_in_words_for_people(seat: Seat) -> None:
    """A player's proposal is shown in words for people, not in those that the program reads."""
    async with JoinApp(seat.folder, "ana").run_test(size=(120, 36)) as pilot:
        await looks(pilot)
        await pilot.press("r", *"odile tether 4 2", "enter")
        assert "Roll for Odile: tether gun, real dice 4 2: waiting" in seen(pilot)


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_a_players_own_character_comes_first(seat: Seat, size: tuple[int, int]) -> None:
    """It is in sight without scrolling, and marked."""
    async with JoinApp(seat.folder, "ben").run_test(size=size) as pilot:
        await looks(pilot)
        text = seen(pilot)
        assert "you" in next(line for line in text.splitlines() if "Bram" in line)
        assert "Odile" not in text or text.index("Bram") < text.index("Odile")
        assert "Trial" in text.splitlines()[0]


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_the_keys_of_an_open_line_are_named(seat: Seat, size: tuple[int, int]) -> None:
    """Enter and the arrows stand below what is typed; in small windows they have the room."""
    async with JoinApp(seat.folder, "ana").run_test(size=size) as pilot:
        await looks(pilot)
        await pilot.press("r", *"odile")
        await pilot.pause()
        assert "⏎ roll" in seen(pilot).splitlines()[-1]
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert "x x pause" in seen(pilot).splitlines()[-1]


async def test_players_are_told_when_nobody_can_see_what_they_propose(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as no program of a wayfinder has the campaign open."""
    monkeypatch.setattr("waylog.store.players.own_proposals_and_notes._LONG", 0.0)
    monkeypatch.setattr("waylog.store.players.own_proposals_and_notes._SELDOM", 0.0)
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("s")
        await looks(pilot)
        assert "open the campaign" in seen(pilot)
        attendance = Attendance(seat.folder)
        attendance.hold(())
        await looks(pilot)
        assert "opens the campaign" not in seen(pilot)
        attendance.end()
        await looks(pilot)
        assert "open the campaign" in seen(pilot)


async def test_a_question_of_somebody_else_says_why_there_is_no_roll(seat: Seat) -> None:
    """A question to somebody else says why this player can't roll, and isn't drawn as if they were asked."""
    seat.table.play(seat.table.understand("roll odile"))
    assert seat.table.settle()
    async with JoinApp(seat.folder, "ben").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("r")
        assert "Somebody else has to answer a question first" in seen(pilot)
        seat.table.play(seat.table.understand("keep"))
        assert seat.table.settle()
        await looks(pilot)
        assert "has to answer a question first" not in seen(pilot)
        seat.table.play(seat.table.understand("roll odile"))
        assert seat.table.settle()
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("r")
        assert "First answer the question with 1 to 2" in seen(pilot)


async def test_what_waits_is_there_again_in_the_next_window(seat: Seat) -> None:
    """A connection was cut, say. It can still be taken back."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("s")
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        assert "… Ana asks for the spotlight: waiting for the wayfinder" in seen(pilot)
        await pilot.press("z")
        assert "Ana asks for the spotlight: taken back" in seen(pilot)
    seat.table.refresh()
    assert not seat.table.proposals
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        assert "asks for the spotlight" not in seen(pilot)


async def test_what_waits_stays_in_sight_beside_a_question_in_a_small_window(seat: Seat) -> None:
    """Each text gets fewer lines, so that the player sees that what they sent has been sent."""
    seat.table.play(seat.table.understand("roll odile"))
    assert seat.table.settle()
    async with JoinApp(seat.folder, "ana").run_test(size=(40, 20)) as pilot:
        await looks(pilot)
        await pilot.press("n")
        await typed(pilot, "The lamp has not moved since this morning and yet its shadow has")
        await pilot.press("enter")
        await looks(pilot)
        text = " ".join(seen(pilot).split())
        assert "… Note: The lamp has not moved since" in text
        assert "? Odile 3 3 3" in text
        assert "1 Raise dice" in text
        assert "2 Keep the dice" in text


@pytest.mark.parametrize("size", [(60, 18), (40, 20)])
async def test_a_question_and_its_answers_are_in_sight_in_a_small_window(seat: Seat, size: tuple[int, int]) -> None:
    """They may take more than half of it, and so may a roll. How their own character is comes first, what the player missed stands above
    the rest of their sheet only until then, and goes as soon as a line opens.
    """
    async with JoinApp(seat.folder, "ana").run_test(size=size) as pilot:
        await looks(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, JoinScreen)
        screen.show_missed(tuple(f"A door opened, and then another one, number {number}" for number in range(9)))
        await pilot.pause()
        assert "While you were away" in seen(pilot)
        assert seen(pilot).index("Vitality") < seen(pilot).index("While you were away")
        assert "m hide" in seen(pilot)
        assert "? help" in seen(pilot)
        seat.table.play(seat.table.understand("call odile"))
        assert seat.table.settle()
        await looks(pilot)
        assert "While you were away" not in seen(pilot)
        assert "Vitality" in seen(pilot)
        assert " ".join(seen(pilot).split()).count("Roll for Odile") == 2  # What is asked for, and the answer.
        assert "1 Roll for Odile" in seen(pilot)
        assert "1 answer" in seen(pilot)
        await pilot.press("1")
        await pilot.pause()
        shown = seen(pilot).splitlines()
        assert "While you were away" not in "".join(shown)
        rule = next(number for number, line in enumerate(shown) if line.startswith("─ "))
        assert size[1] - rule >= size[1] // 2
        assert "Waylog needs" not in "".join(shown)


async def test_what_is_marked_stays_marked_while_others_play(seat: Seat) -> None:
    """Space then ticks what the player has marked, and goes nowhere else."""
    async with JoinApp(seat.folder, "ana").run_test(size=(80, 24)) as pilot:
        await looks(pilot)
        await pilot.press("r", "o", "down")
        assert "▸ [ ] Tether gun" in seen(pilot)
        seat.table.play(seat.table.understand("note It creaks"))
        assert seat.table.settle()
        await looks(pilot)
        assert "It creaks" in seen(pilot)
        await pilot.press("space")
        assert "▸ [x] Tether gun" in seen(pilot)


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_a_short_list_leaves_no_blank_lines(seat: Seat, size: tuple[int, int]) -> None:
    """The line that is typed stands right under it."""
    async with JoinApp(seat.folder, "ana").run_test(size=size) as pilot:
        await looks(pilot)
        await pilot.press("r")
        await pilot.pause()
        lines = seen(pilot).splitlines()
        (typed,) = (number for number, line in enumerate(lines) if line.startswith(" roll ›"))
        assert lines[typed - 1].strip()


async def test_taking_back_is_named_in_a_small_window(seat: Seat) -> None:
    """By a word that says it, beside the keys that are always named."""
    async with JoinApp(seat.folder, "ana").run_test(size=(40, 20)) as pilot:
        await looks(pilot)
        await pilot.press("r", *"odile 4 2", "enter")
        await looks(pilot)
        assert "x x pause z unsend" in seen(pilot)
