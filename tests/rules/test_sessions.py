"""Sessions, scenes and notes, as the rules see them (NM-40, NM-42, NM-43)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.rules import play, state_of, told
from tests.rules.beside_table import game, offered
from waylog.rules.game import Game
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, PickMany
from waylog.rules.model.sessions import Session, under_way
from waylog.rules.model.state import EntryKind, State
from waylog.rules.systems import system

GAME = game()


def with_sessions(sessions: Mapping[str, Any]) -> State:
    """A campaign with these sessions, right or wrong."""
    return GAME.read({"sessions": sessions})[0]


@pytest.mark.clause("NM-40")
def test_a_session_begins_and_ends_with_a_word_each() -> None:
    """It is numbered, and dated by the moment; the other of the two is refused until then."""
    state = state_of(GAME)
    with pytest.raises(ActRefused, match="no session is in progress") as refused:
        play(GAME, state, "session end")
    assert refused.value.refusal.clause == "NM-40"
    state = play(GAME, state, "session begin").state
    assert state.sessions == {"1": Session("2026-11-21 19:30")}
    assert under_way(state.sessions) == 1
    with pytest.raises(ActRefused, match="session 1 is already in progress"):
        play(GAME, state, "session begin")
    ended = play(GAME, state, "session end")
    assert told(ended) == ["Session 1 ends"]
    assert ended.state.sessions == {"1": Session("2026-11-21 19:30", "2026-11-21 19:30")}
    assert under_way(ended.state.sessions) == 0
    assert offered(GAME, ended.state, "session")["session begin"].label == "Start session 2"
    again = play(GAME, ended.state, "session begin “The hold” with “Ada, Bo”")
    assert [*again.state.sessions] == ["1", "2"]
    assert told(again) == ["Session 2 starts: The hold", "Present: Ada, Bo"]


@pytest.mark.clause("NM-40")
def test_a_session_has_a_title_who_was_there_and_notes() -> None:
    """Told while it is played or after it has ended; not before there has been one."""
    state = state_of(GAME)
    for words in ("session title “The hold”", "session present “Ada, Bo”"):
        with pytest.raises(ActRefused, match="no session yet"):
            play(GAME, state, words)
    state = play(GAME, state, "session begin").state
    state = play(GAME, state, "session present “Ada, Bo”").state
    state = play(GAME, play(GAME, state, "session end").state, "session title “The hold”").state
    state = play(GAME, state, "set sessions.1.notes “ask Bo about the key”").state
    moment = "2026-11-21 19:30"
    assert state.sessions == {"1": Session(moment, moment, "The hold", "Ada, Bo", "ask Bo about the key")}


BEFORE = {
    "1": {"began": "x", "ended": "y", "present": "Cy & Dee"},
    "2": {"began": "x", "ended": "y", "present": "Ana, Bo and Cy"},
}


@pytest.mark.clause("NM-40")
def test_those_who_were_here_last_time_are_suggested() -> None:
    """Everybody who has ever been present can be chosen, those of the last time first."""
    (here, *_) = offered(GAME, state_of(GAME, {"sessions": BEFORE}), "session")["session begin"].asks
    assert isinstance(here, PickMany)
    assert [option.label for option in here.options] == ["Ana", "Bo", "Cy", "Dee"]
    assert here.suggested == ("ana", "bo", "cy")
    told_in_a_sentence = {
        "1": {"began": "x", "ended": "y", "present": "All four, and Bo left out the galley fire again"}
    }
    for sessions in ({}, told_in_a_sentence):
        asks = offered(GAME, state_of(GAME, {"sessions": sessions}), "session")["session begin"].asks
        assert not any(isinstance(ask, PickMany) for ask in asks)


@pytest.mark.clause("NM-40")
@pytest.mark.parametrize(
    ("words", "title", "present"),
    [
        ("session begin", "", ""),
        ("session begin ana bo", "", "Ana, Bo"),
        ("session begin ana dee The long way down", "The long way down", "Ana, Dee"),
        ('session begin ana "The way" with "Eve, Fay"', "The way", "Ana, Eve, Fay"),
        ("session begin ana with Eve", "", "Ana, Eve"),
    ],
)
def test_a_session_begins_with_its_title_and_its_people_in_one_act(words: str, title: str, present: str) -> None:
    """What is left out can follow."""
    played = play(GAME, state_of(GAME, {"sessions": BEFORE}), words)
    assert played.state.sessions["3"] == Session("2026-11-21 19:30", title=title, present=present)
    assert ("Present: " + present in told(played)) == bool(present)


@pytest.mark.clause("NM-40")
def test_without_players_the_characters_can_be_ticked() -> None:
    """None of them is ticked beforehand. Once players are listed, only they are asked for."""
    veil = Game(system("veil-core"))
    tree = {"crew": {"mara": {"name": "Mara"}, "joss": {"name": "Joss"}}}
    state = veil.read(tree)[0]
    (present,) = (ask for ask in offered(veil, state, "session")["session begin"].asks if isinstance(ask, PickMany))
    assert [option.label for option in present.options] == ["Mara", "Joss"]
    assert present.suggested == ()
    assert play(veil, state, "session begin mara").state.sessions["1"].present == "Mara"
    with_player = veil.read({**tree, "players": {"ana": {"name": "Ana"}}})[0]
    (present,) = (
        ask for ask in offered(veil, with_player, "session")["session begin"].asks if isinstance(ask, PickMany)
    )
    assert [option.label for option in present.options] == ["Ana"]
    for before, ticked in (("Everyone but Ana, who was away the whole day", ("ana",)), ("", ())):
        last = {"1": {"began": "x", "ended": "y", "present": before}}
        state = veil.read({**tree, "players": {"ana": {"name": "Ana"}}, "sessions": last})[0]
        here = next(ask for ask in offered(veil, state, "session")["session begin"].asks if isinstance(ask, PickMany))
        assert here.suggested == ticked, "all after a sentence, and nobody again after nobody"


@pytest.mark.clause("NM-40")
def test_a_title_may_be_given_at_the_end() -> None:
    """Unless there is one."""
    state = play(GAME, state_of(GAME), "session begin").state
    assert play(GAME, state, "session end The hold").state.sessions["1"].title == "The hold"
    titled = play(GAME, state, "session title “Night”").state
    assert not offered(GAME, titled, "session")["session end"].asks
    assert play(GAME, titled, "session end").state.sessions["1"].title == "Night"


@pytest.mark.clause("NM-40")
@pytest.mark.parametrize("key", ["pilot", "01", "0", "-1", "1.5", "²", "٣", "9" * 5000, ""])
def test_a_session_is_known_by_its_number_alone(key: str) -> None:
    """Another key is a problem at its place, and stands in nobody's way."""
    state, faults = GAME.read({"sessions": {key: {"began": "once"}}})
    assert [(fault.path, fault.clause, fault.grave) for fault in faults] == [(("sessions", key), "NM-40", False)]
    with pytest.raises(ActRefused, match="no session yet"):
        play(GAME, state, "session title “X”")
    begun = play(GAME, state, "session begin").state
    assert [*begun.sessions] == [key, "1"]
    assert under_way(play(GAME, begun, "session end").state.sessions) == 0


@pytest.mark.clause("NM-40")
def test_numbers_go_on_from_the_highest() -> None:
    """A new session has the number after the highest, also where a person has left some out or not ended an earlier one."""
    state = with_sessions({"7": {"began": "x", "ended": "y"}, "3": {"began": "x", "ended": "y"}})
    assert [*play(GAME, state, "session begin").state.sessions] == ["7", "3", "8"]
    unended = with_sessions({"1": {"began": "x"}, "2": {"began": "x", "ended": "y"}})
    assert under_way(unended.sessions) == 1
    assert play(GAME, unended, "session end").state.sessions["1"].ended


@pytest.mark.clause("NM-42")
def test_a_secret_note_is_for_the_wayfinder_alone() -> None:
    """An open one is for all; neither changes anything nor closes what is open, whatever is asked."""
    decks = {"hold": {"name": "Hold", "draw": 2, "cards": {"a": {"text": "A"}, "b": {"text": "B"}}}}
    state = state_of(GAME, {"ship": {"focus": 1}, "decks": decks})
    for words in ("session begin", "roll nav 5 1", "draw hold", "draw hold 1", "roll nav 5"):
        after = play(GAME, state, words).state
        for verb, secret in (("note", False), ("secret", True)):
            noted = play(GAME, after, f"{verb} “they are being followed”")
            assert noted.facts == (NoteFact("they are being followed", secret=secret),)
            assert (noted.state, noted.kind) == (after, EntryKind(verb))


@pytest.mark.clause("NM-43")
def test_a_scene_is_a_mark_and_nothing_more() -> None:
    """With a title or without. What was offered in the last scene is not offered in the next; nothing else changes."""
    state = play(GAME, state_of(GAME, {"ship": {"focus": 1}}), "roll nav 6 1").state
    assert state.open
    assert told(play(GAME, state, "scene “The bridge”")) == ["Scene: The bridge"]
    assert told(play(GAME, state, "scene")) == ["A new scene"]
    assert play(GAME, state, "scene").state == replace(state, open=None)


@pytest.mark.clause("NM-40", "NM-43")
@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize(
    "acts", [["roll nav 5 1"], ["roll nav 5"], ["draw hold 1 1"], ["group mara nav", "roll nav 6 1"]]
)
def test_no_scene_or_session_begins_or_ends_while_an_act_waits_for_its_answer(acts: list[str], begun: bool) -> None:
    """The act would be in neither; notes go on, and so does the scene once the answer is given."""
    hold = {"name": "Hold", "draw": 2, "cards": {key: {"text": key} for key in ("rat", "rope", "oar")}}
    tree = {"ship": {"focus": 1}, "crew": {"mara": {}}, "decks": {"hold": hold}}
    state = play(GAME, state_of(GAME, tree), "session begin").state if begun else state_of(GAME, tree)
    for words in acts:
        state = play(GAME, state, words).state
    assert GAME.question(state)
    for words, clause in (
        ("scene", "NM-43"),
        ("scene Later", "NM-43"),
        (f"session {'end' if begun else 'begin'}", "NM-40"),
    ):
        moves = {move.id: move for move in GAME.moves(state)}
        if words in ("session end", "session begin") and words not in moves:
            continue
        with pytest.raises(ActRefused, match="answer the open question first, or undo the action") as refused:
            play(GAME, state, words)
        assert refused.value.refusal.clause == clause
    for words in ("note It creaks", "secret It counts"):
        assert play(GAME, state, words).state == state
    if acts == ["roll nav 5 1"]:
        assert play(GAME, play(GAME, state, "keep").state, "scene Later").facts


@pytest.mark.clause("NM-40", "NM-43", "EG-24")
def test_a_conflict_in_which_each_turn_is_its_own_act_may_be_parted() -> None:
    """A session may end before a conflict does, which goes on in the next. A new scene ends it."""
    emissaries = Game(system("emissaries"))
    state = replace(emissaries.fresh("Trial"), sessions={"1": Session("2026-01-05 20:00")})
    state = play(emissaries, state, "conflict “The last seat”").state
    asked = emissaries.question(state)
    assert asked
    for words in ("session end", "session begin"):
        played = play(emissaries, state, words)
        assert played.facts
        state = played.state
        assert emissaries.question(state) == asked
    assert emissaries.question(play(emissaries, state, "scene Later").state) is None
