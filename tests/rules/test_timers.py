"""Timers as the rules see them (NM-47): when they began, and how long they are."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.kit.rules import state_of, told
from tests.rules.beside_table import game, offered, secrets
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.clocks_situations_and_timers import LONGEST, Timer
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import PlayResult, State

GAME = game()
BEGAN = "2026-11-21 19:30:05+0100"
FUSE = {"fuse": {"name": "The fuse", "began": BEGAN, "seconds": 90}}


def play(state: State, words: str, moment: str = BEGAN) -> PlayResult:
    """One act in words, at that moment."""
    return GAME.play(state, parse_act(GAME.moves(state), words), ChanceDice(lambda _: 0), moment)


def with_timers(timers: Mapping[str, Any] = FUSE, **more: Any) -> State:
    """A campaign with these timers."""
    return state_of(GAME, {"timers": dict(timers), **more})


@pytest.mark.clause("NM-47")
@pytest.mark.parametrize(
    ("words", "seconds", "name"),
    [
        ("90s boarding", 90, "boarding"),
        ("5m boarding party", 300, "boarding party"),
        ("20 talk", 1200, "talk"),
        ("5", 300, "Timer"),
        ("5 3 sharks", 300, "3 sharks"),
        ('1h30m "Boarding party"', 5400, "Boarding party"),
        ('"2m open the doors"', 120, "open the doors"),
        ("5 Minutes, boarding", 300, "boarding"),
        ("1 hour 1 second stop", 3601, "stop"),
        ("24h", LONGEST, "Timer"),
        ("5m sharks", 300, "sharks"),
    ],
)
@pytest.mark.parametrize("seen", [False, True])
def test_a_timer_starts_with_its_length_and_its_name(words: str, seconds: int, name: str, seen: bool) -> None:
    """It is kept with the moment to the second. Players know of it only if it was started for them."""
    played = play(state_of(GAME), f"timer {'open ' * seen}{words}")
    assert [*played.state.timers.values()] == [Timer(name, BEGAN, seconds, seen)]
    assert secrets(played.facts) == [not seen]
    read, faults = GAME.read(GAME.write(played.state))
    assert (read.timers, [*faults]) == (played.state.timers, [])
    assert play(state_of(GAME), played.words).state == played.state


@pytest.mark.clause("NM-47")
@pytest.mark.parametrize("words", ["boarding", "0", "1441 long", "0s now", "24h 1s much", "-5m back", "m", "5mm"])
def test_a_length_that_is_none_or_out_of_bounds_is_refused(words: str) -> None:
    """With the clause, and an example or the bounds."""
    with pytest.raises(ActRefused) as refused:
        play(state_of(GAME), f"timer {words}")
    assert refused.value.refusal.clause == "NM-47"
    assert "5 (minutes), 90s or 1h" in str(refused.value) or "between 1 second and 24 hours" in str(refused.value)


@pytest.mark.clause("NM-47")
def test_a_timer_of_the_same_name_starts_again() -> None:
    """In whatever letters; another name is another timer, even if both have the same key."""
    after = play(with_timers(), "timer 5m THE FUSE", "2026-11-21 20:00:00+0100").state
    assert after.timers == {"fuse": Timer("THE FUSE", "2026-11-21 20:00:00+0100", 300)}
    assert [*play(after, "timer 5m fuse").state.timers] == ["fuse", "fuse-2"]


@pytest.mark.clause("NM-47")
def test_a_timer_stays_until_it_is_stopped_or_the_session_ends() -> None:
    """The start of a session lets it run."""
    state = with_timers()
    stopped = play(state, "timer stop fuse")
    assert (stopped.state.timers, told(stopped), secrets(stopped.facts)) == (
        {}, ["The timer “The fuse” has been stopped"], [True],
    )  # fmt: skip
    begun = play(state, "session begin").state
    assert begun.timers == state.timers
    assert begun.sessions["1"].began == "2026-11-21 19:30"
    assert play(begun, "session end").state.timers == {}


@pytest.mark.clause("NM-47")
@pytest.mark.parametrize("words", ["5", "5 Airlock"])
def test_the_only_timer_needs_no_name_to_be_stopped(words: str) -> None:
    """Nor does one without a name, which has that of the command."""
    started = play(state_of(GAME), f"timer {words}").state
    assert len(started.timers) == 1
    assert play(started, "timer stop").state.timers == {}


@pytest.mark.clause("NM-47")
def test_a_timer_is_shown_to_players_and_hidden_from_them() -> None:
    """It is asked about before; the log of the players has nothing of either."""
    state = with_timers()
    show, hide = offered(GAME, state, "show")["show timer fuse"], offered(GAME, state, "hide")["hide timer fuse"]
    assert show.reveals == "Show the timer “The fuse” to players?"
    assert hide.blocked
    assert hide.blocked.clause == "NM-47"
    shown = play(state, "show timer fuse")
    assert (shown.state.timers["fuse"].seen, secrets(shown.facts)) == (True, [True])
    hidden = play(shown.state, "hide timer fuse")
    assert (hidden.state.timers["fuse"].seen, secrets(hidden.facts)) == (False, [True])


@pytest.mark.clause("NM-47")
@pytest.mark.parametrize(
    ("timer", "said"),
    [
        ({"began": "soon"}, "began can't be “soon”: it should be a time"),
        ({"seconds": 0}, "1 to 86400"),
        ({"seconds": LONGEST + 1}, "1 to 86400"),
    ],
)
def test_what_is_wrong_about_a_timer_is_said(timer: Mapping[str, Any], said: str) -> None:
    """The rest of the campaign is played all the same."""
    _, faults = GAME.read({"name": "Trial", "timers": {"fuse": {**FUSE["fuse"], **timer}}})
    assert [(said in fault.message, fault.clause, fault.grave) for fault in faults] == [(True, "NM-47", False)]


@pytest.mark.clause("NM-47")
def test_a_timer_starts_while_something_is_asked() -> None:
    """What is asked stays open."""
    state = state_of(GAME, {"ship": {"focus": 1}})
    asked = play(state, "roll nav 2 5").state
    assert GAME.question(asked)
    after = play(asked, "timer 5m boarding").state
    assert (after.open, GAME.question(after)) == (asked.open, GAME.question(asked))
