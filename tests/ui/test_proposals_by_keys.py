"""What players propose, at the wayfinder's window: a line above the tray, and keys that answer it (NM-45)."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from tests.kit.app import SIZES, looked, playing, seen
from tests.kit.thorough import cases
from tests.store.test_proposals import CAMPAIGN, Seat
from waylog.app import wayfinder_app
from waylog.app.base_app_and_attention import news_of_proposals
from waylog.app.keyboard_and_pastes import KeyQueue
from waylog.app.wayfinder_app import WayfinderApp
from waylog.store.players.inbox import AnswerKind, read_answer, send
from waylog.values import replace


def line_of(text: str) -> str:
    """The lines of the proposal and its keys."""
    lines = text.splitlines()
    at = next((n for n, line in enumerate(lines) if line.startswith(" · ")), None)
    return " ".join(" ".join(lines[at : at + 3]).split()) if at is not None else ""


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_a_proposal_is_shown_with_its_odds_and_played_by_a_key(tmp_path: Path, size: tuple[int, int]) -> None:
    """The act is the player's, and an undo takes it back like any other."""
    async with playing(tmp_path, 5, text=CAMPAIGN, size=size) as (pilot, table):
        sent = send(table.folder, "ana", "roll odile 4 2")
        looked(pilot)
        await pilot.pause()
        line = line_of(seen(pilot))
        assert "Ana: Roll for Odile, real dice 4 2" in line
        assert "%)" in line
        assert "[Y] play [Z] decline" in line
        await pilot.press("Y")
        assert table.snapshot.act[0].by == "ana"
        assert read_answer(table.folder, "ana", sent).kind is AnswerKind.PLAYED
        assert line_of(seen(pilot)) == ""


async def test_a_reason_is_chosen_or_typed(tmp_path: Path) -> None:
    """Enter at once gives none; nothing of it is logged."""
    for keys, reason in (
        (("enter",), ""),
        (("down", "enter"), "not now"),
        ((*"later, please", "enter"), "later, please"),
    ):
        async with playing(tmp_path / reason, text=CAMPAIGN) as (pilot, table):
            sent = send(table.folder, "ana", "roll odile")
            looked(pilot)
            await pilot.pause()
            await pilot.press("Z")
            assert "type ›" in seen(pilot)
            await pilot.press(*keys)
            answer = read_answer(table.folder, "ana", sent)
            assert (answer.kind, answer.why) == (AnswerKind.DECLINED, reason)
            assert table.snapshot.entries == 0


async def test_arrows_choose_among_several(tmp_path: Path) -> None:
    """After the last comes the first. When one is answered, the next takes its place."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        first, second = (send(table.folder, "ana", f"roll odile {roll}") for roll in ("4", "5"))
        third = send(table.folder, "ana", "set ship.focus 2")
        looked(pilot)
        await pilot.pause()
        assert third not in [each.id for each in table.proposals]
        assert "1 of 2" in line_of(seen(pilot))
        await pilot.press("shift+right")
        assert "2 of 2" in line_of(seen(pilot))
        await pilot.press("shift+right", "shift+left")
        await pilot.press("Z", "enter")
        assert [each.id for each in table.proposals] == [first]
        assert read_answer(table.folder, "ana", second).kind is AnswerKind.DECLINED
        assert " of " not in line_of(seen(pilot))


async def test_a_long_proposal_leaves_room_for_its_keys(tmp_path: Path) -> None:
    """The keys stand in a line of their own, whole, also in the narrowest window."""
    async with playing(tmp_path, text=CAMPAIGN, size=(40, 20)) as (pilot, table):
        for _ in range(2):
            send(table.folder, "ana", "roll odile primary 4 2")
        looked(pilot)
        await pilot.pause()
        assert "   [Y] play [Z] decline [Shift+→] next" in seen(pilot).splitlines()
        assert "1 of 2 · Ana: Roll" in line_of(seen(pilot))


async def test_nothing_waits_for_a_proposal(tmp_path: Path) -> None:
    """It takes no focus: a line that is typed goes on, and other acts come first. Without a proposal the keys say so."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        await pilot.press("Y")
        assert "No player has proposed anything" in seen(pilot)
        await pilot.press(*":note one")
        send(table.folder, "ana", "roll odile")
        looked(pilot)
        await pilot.pause()
        await pilot.press(*" two", "enter")
        assert table.snapshot.act[0].by == ""
        assert "Ana: Roll" in line_of(seen(pilot))


async def test_what_cannot_be_played_now_says_why(tmp_path: Path) -> None:
    """While a question is open, a proposal waits for its answer."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        table.play(replace(table.understand("roll odile"), faces=()))
        assert table.snapshot.missing_dice
        send(table.folder, "ben", "heal bram")
        looked(pilot)
        await pilot.pause()
        line = line_of(seen(pilot))
        assert "a question is open" in line
        assert "play" not in line
        assert "[Z] decline" in line


def test_a_proposal_is_worth_the_bell_once(tmp_path: Path) -> None:
    """Whose it is is said. What was there already is no news, and neither is what has gone."""
    seat = Seat(tmp_path / "trial")
    nothing = seat.table.snapshot
    send(seat.folder, "ana", "roll odile")
    send(seat.folder, "ana", "spotlight ana")
    seat.table.refresh()
    both = seat.table.snapshot
    assert news_of_proposals(nothing, both) == "Ana proposes something"
    assert news_of_proposals(both, both) == ""
    assert news_of_proposals(both, nothing) == ""
    send(seat.folder, "ben", "spotlight ben")
    seat.table.refresh()
    assert news_of_proposals(both, seat.table.snapshot) == "Ben proposes something"


async def test_proposals_wait_for_somebody_who_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proposal is played in a pause of typing, or after a few seconds, because playing it takes as long as several keys."""
    async with playing(tmp_path, text=CAMPAIGN) as (pilot, table):
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        app._sync.look()
        passed, pauses = monotonic(), False
        monkeypatch.setattr(KeyQueue, "is_resting", lambda *_: pauses)
        monkeypatch.setattr("waylog.app.table_sync.monotonic", lambda: passed)
        send(table.folder, "ana", "note hello")
        app._sync.look()
        assert table.snapshot.entries == 0
        passed += 9.0
        app._sync.look()
        assert table.snapshot.entries == 1
        send(table.folder, "ana", "note again")
        app._sync.look()
        assert table.snapshot.entries == 1
        pauses = True
        app._look()
        assert table.snapshot.entries == 2


async def test_one_look_plays_what_several_players_may_do_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other, each as a turn of its own between keys. While somebody types, they wait."""
    text = CAMPAIGN.replace('"roll", "tick"', '"note"')
    monkeypatch.setattr(wayfinder_app, "_LOOK", 3600.0)
    async with playing(tmp_path, text=text) as (pilot, table):
        app = pilot.app
        assert isinstance(app, WayfinderApp)
        for who in ("ana", "ben"):
            send(table.folder, who, f"note from {who}")
        monkeypatch.setattr(KeyQueue, "is_resting", lambda *_: False)
        app._sync._answered = monotonic()
        app._look()
        assert table.snapshot.entries == 0
        monkeypatch.setattr(KeyQueue, "is_resting", lambda *_: True)
        app._look()
        assert table.snapshot.entries == 1
        for _ in range(100):
            if table.snapshot.entries == 2:
                break
            await pilot.pause(0.02)
        assert {entry.by for entry in table.entries()} == {"ana", "ben"}
