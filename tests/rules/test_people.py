"""The people of the table, and who is away (NM-44, NM-46), as the rules see them."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.kit.rules import play, state_of, told
from tests.rules.beside_table import game, offered, secrets
from waylog.rules.language.completion_and_what_is_wrong import completions
from waylog.rules.model.moves import ActRefused, PickMany
from waylog.rules.model.players_and_permissions import away_characters, away_players, names
from waylog.rules.model.state import State

GAME = game()
PEOPLE = {
    "crew": {"odile": {"name": "Odile"}, "bram": {"name": "Bram"}},
    "players": {"ana": {"name": "Ana", "character": "odile", "may": ["note"]}, "ben": {"character": "bram"}},
}


def with_people(**more: Any) -> State:
    """A campaign with two players."""
    return state_of(GAME, {**PEOPLE, **more})


def present(who: str, **more: Any) -> State:
    """The same while a session is in progress with that list."""
    return with_people(sessions={"1": {"began": "2026-11-21 19:30", "present": who}}, **more)


@pytest.mark.clause("NM-44")
def test_players_are_read_from_the_file_and_written_back() -> None:
    """A player without a name is called by the key."""
    state = with_people()
    assert names(state.players) == ("Ana", "ben")
    assert GAME.write(state)["players"] == {
        "ana": {"name": "Ana", "character": "odile", "may": ["note"]},
        "ben": {"name": "", "character": "bram"},
    }


@pytest.mark.clause("NM-44", "NM-45")
@pytest.mark.parametrize(
    ("player", "said"),
    [
        ({"../x": {}}, "“../x” can't be a player's key"),
        ({"Ana": {}}, "“Ana” can't be a player's key"),
        ({"ana": {"character": "tove"}}, "Characters in this campaign: bram and odile"),
        ({"ana": {"may": ["set"]}}, "`may` lists “set”, which is only for the wayfinder"),
        ({"ana": {"tonight": ["hide"]}}, "`tonight` lists “hide”, which is only for the wayfinder"),
        ({"ana": {"may": ["Roll it"]}}, "`may` lists “Roll it”, which is not a command"),
    ],
)
def test_what_is_wrong_about_a_player_is_said(player: Mapping[str, Any], said: str) -> None:
    """The rest of the campaign is played all the same."""
    _, faults = GAME.read({"name": "Trial", "crew": PEOPLE["crew"], "players": player})
    assert [said in fault.message and not fault.grave for fault in faults] == [True]
    assert {fault.clause for fault in faults} <= {"NM-44", "NM-45"}


@pytest.mark.clause("NM-46")
@pytest.mark.parametrize(
    ("who", "away"),
    [
        ("Ana, Ben", ()),
        ("ana and Cy", ("ben",)),
        ("BEN; Cy", ("ana",)),
        ("", ()),
        ("Cy, Dan", ()),
        ("everybody but Ben, who is on a train to Lille tonight", ()),
    ],
)
def test_a_list_of_those_present_says_who_is_away(who: str, away: tuple[str, ...]) -> None:
    """A list that names no player, or is not a list of names, says nothing about anyone."""
    state = present(who)
    assert away_players(state.players, state.sessions) == away
    ended = with_people(sessions={"1": {"began": "2026-11-21 19:30", "ended": "x", "present": who}})
    assert away_players(ended.players, ended.sessions) == ()


@pytest.mark.clause("NM-46")
def test_a_character_of_two_players_is_there_with_either() -> None:
    """Only characters whose players are all away are left out."""
    both = {"ana": {"character": "odile"}, "ben": {"character": "odile"}, "cy": {"character": "bram"}}
    state = present("ana", players=both)
    assert away_characters(state.players, state.sessions) == {"bram"}


@pytest.mark.clause("NM-46", "VK-20")
def test_a_group_roll_leaves_out_whoever_is_away() -> None:
    """`all` is everyone else; a name includes them all the same. Their sheet is marked."""
    state = present("Ana")
    everyone = play(GAME, state, "group all").state
    assert "Odile still has to roll" in (GAME.question(everyone) or "")
    named = play(GAME, state, "group odile bram").state
    assert "Odile and Bram still have to roll" in (GAME.question(named) or "")
    panels = {panel.key: panel for panel in GAME.panels(state)}
    assert [panels[key].absent for key in ("crew.odile", "crew.bram")] == [False, True]
    assert [tag.text for tag in panels["crew.bram"].tags][-1] == "player away"


@pytest.mark.clause("NM-40", "NM-44")
def test_the_names_of_players_complete_who_is_here() -> None:
    """Before the first session all are ticked. Guests are one line of text, and so is the whole list if one likes."""
    state = with_people()
    begin = offered(GAME, state, "session")["session begin"]
    here = begin.asks[0]
    assert isinstance(here, PickMany)
    assert ([option.label for option in here.options], here.suggested) == (["Ana", "ben"], ("ana", "ben"))
    state = play(GAME, state, "session begin ana with “Uncle Joe”").state
    assert state.sessions["1"].present == "Ana, Uncle Joe"
    words = [each.word for each in completions(GAME.moves(state), "session present Ana, b")]
    assert words == ["ben"]
    state = play(GAME, state, "session present “all but Ben, I think, who is late again”").state
    assert state.sessions["1"].present == "all but Ben, I think, who is late again"


@pytest.mark.clause("NM-45")
def test_leave_for_the_evening_ends_with_the_session() -> None:
    """What the file allows always stays. Only the wayfinder reads of it in the log."""
    state = present("Ana, ben")
    allowed = play(GAME, state, "allow ana Roll, note")
    assert allowed.state.players["ana"].permissions == ("note", "roll")
    assert told(allowed) == ["Until the session ends, Ana can use these commands without asking: roll and note"]
    assert secrets(allowed.facts) == [True]
    more = play(GAME, allowed.state, "allow ana tick").state
    assert more.players["ana"].tonight == ("roll", "note", "tick")
    assert GAME.read(GAME.write(more))[0].players == more.players
    assert play(GAME, more, "disallow ana").state.players == state.players
    ended = play(GAME, more, "session end").state
    assert ended.players == state.players
    assert play(GAME, state, "session end").state.players is state.players


@pytest.mark.clause("NM-45")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("allow ana set", "“set” is only for the wayfinder"),
        ("allow ana roll2", "“roll2” is not a command"),
        ('allow ana ","', "type commands"),
        ("disallow ana", "you haven't allowed Ana any commands for this session"),
    ],
)
def test_leave_that_makes_no_sense_is_refused(words: str, said: str) -> None:
    """With the reason; between sessions there is no evening."""
    with pytest.raises(ActRefused, match=said):
        play(GAME, present("Ana, ben"), words)
    with pytest.raises(ActRefused, match="no session is in progress"):
        play(GAME, with_people(), "allow ana roll")


@pytest.mark.clause("NM-45")
def test_a_player_asks_for_the_spotlight() -> None:
    """It is a line in the log and changes nothing. Without players, nobody can ask."""
    state = with_people()
    asked = play(GAME, state, "spotlight ana")
    assert (told(asked), asked.state) == (["Ana asks for the spotlight"], state)
    assert offered(GAME, state_of(GAME), "spotlight") == {}
