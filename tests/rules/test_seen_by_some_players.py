"""What only some players see, as a rule: which moves there are, what they ask, whom each fact is for, and what is wrong (NM-49)."""

from typing import Any

import pytest

from tests.kit.rules import NOW, ONES, play, state_of, told
from tests.rules.beside_table import table
from waylog.rules.common.random_tables import RandomTable
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, Move, PickMany
from waylog.rules.model.state import State
from waylog.rules.systems import system
from waylog.values import replace

OWN = Game(system("veil-core"))
THINGS: dict[str, Any] = {
    "players": {"ana": {"name": "Ana"}, "ben": {"name": "Ben"}, "cleo": {"name": "Cleo"}},
    "clocks": {
        "storm": {"name": "The storm", "kind": "death", "segments": 4},
        "fog": {"name": "The fog", "kind": "death", "segments": 4, "seen_by": ["ana"]},
        "bell": {"name": "The bell", "kind": "death", "segments": 4, "seen": False},
    },
    "situations": {"dark": {"name": "No power", "seen": False}},
    "timers": {"tide": {"name": "The tide", "seconds": 60, "seen": False}},
    "decks": {"hold": {"name": "The hold", "cards": {"rope": {"text": "A rope"}, "rats": {"text": "Rats"}}}},
}

pytestmark = pytest.mark.clause("NM-49")


def campaign(**tables: Any) -> State:
    """A campaign with three players, and something of each kind."""
    return state_of(OWN, {**THINGS, **tables})


def move(state: State, of: str) -> Move:
    """The move of that id."""
    return next(each for each in OWN.moves(state) if each.id == of)


@pytest.mark.parametrize(
    ("words", "part", "key", "said"),
    [
        ("only clock storm ana", "clocks", "storm", "Only Ana sees “The storm”"),
        ("only clock bell ben ana", "clocks", "bell", "Only Ben and Ana see “The bell”"),
        ("only situation dark ana", "situations", "dark", "Only Ana sees “No power”"),
        ("only timer tide cleo", "timers", "tide", "Only Cleo sees “The tide”"),
    ],
)
def test_a_thing_is_shown_to_those_who_are_named(words: str, part: str, key: str, said: str) -> None:
    """Those who are named see the thing, even if it was hidden. Nobody is told who else sees it."""
    played = play(OWN, campaign(), words)
    thing = getattr(played.state, part)[key]
    assert (thing.seen, [*thing.seen_by]) == (True, words.split()[3:])
    (fact,) = (fact for fact in played.facts if isinstance(fact, NoteFact))
    assert (fact.text, fact.clause, fact.secret) == (said, "NM-49", True)


def test_a_card_is_shown_and_the_others_stay() -> None:
    """The deck asks which card."""
    played = play(OWN, campaign(), "only deck hold rope ana cleo")
    cards = played.state.decks["hold"].cards
    assert {key: card.seen_by for key, card in cards.items()} == {"rope": ("ana", "cleo"), "rats": ()}
    assert told(played) == ["Only Ana and Cleo see a card from “The hold”: A rope"]


@pytest.mark.parametrize("of", ["only clock storm", "only situation dark", "only timer tide", "only deck hold"])
def test_somebody_has_to_be_named(of: str) -> None:
    """A thing for nobody is a hidden one, which has a move of its own."""
    state = campaign()
    (ask,) = (ask for ask in move(state, of).asks if isinstance(ask, PickMany))
    assert (ask.least, [option.word for option in ask.options]) == (1, ["ana", "ben", "cleo"])
    with pytest.raises(ActRefused):
        play(OWN, state, f"{of} rope" if of == "only deck hold" else of)


@pytest.mark.parametrize(
    ("of", "see"),
    [("only clock storm", ["ana", "ben", "cleo"]), ("only clock fog", ["ana"]), ("only clock bell", []), ("only deck hold", [])],
)  # fmt: skip
def test_what_would_be_revealed_is_said_of_each_who_doesnt_see_it(of: str, see: list[str]) -> None:
    """Of a card that is in everybody's case, for its deck may hide it."""
    asks = [ask for ask in move(campaign(), of).asks if isinstance(ask, PickMany)]
    assert [option.word for ask in asks for option in ask.options if not option.reveals] == see
    named = "a card from “The hold”" if of == "only deck hold" else f"“{move(campaign(), of).name}”"
    assert {option.reveals for ask in asks for option in ask.options} - {""} <= {
        f"Show {named} to {who}?" for who in ("Ana", "Ben", "Cleo")
    }


@pytest.mark.parametrize(
    ("by", "words", "readers", "said"),
    [
        ("", "tell ana The cook lies", ("ana",), "The cook lies"),
        ("ben", "tell ana The cook lies", ("ana", "ben"), "Ben: The cook lies"),
        ("ana", "tell ana The cook lies", ("ana",), "The cook lies"),
    ],
)
def test_what_is_told_is_for_two(by: str, words: str, readers: tuple[str, ...], said: str) -> None:
    """Who is told and who tells; a note for oneself names nobody."""
    state = campaign()
    act = replace(parse_act(OWN.moves(state), words), by=by)
    (fact,) = (fact for fact in OWN.play(state, act, ONES, NOW).facts if isinstance(fact, NoteFact))
    assert (fact.text, fact.clause, fact.seen_by, fact.secret) == (said, "NM-49", readers, False)


def test_nothing_is_told_without_words() -> None:
    """The text has to be typed."""
    with pytest.raises(ActRefused):
        play(OWN, campaign(), "tell ana")


def test_without_players_there_is_nobody_to_choose() -> None:
    """Neither of the moves is offered, and an empty deck has no card to show."""
    alone = state_of(OWN, {"clocks": {"storm": THINGS["clocks"]["storm"]}})
    assert not [each.id for each in OWN.moves(alone) if each.verb in ("only", "tell")]
    bare = campaign(decks={"hold": {"name": "The hold"}})
    assert not [each.id for each in OWN.moves(bare) if each.id.startswith("only deck")]


def test_what_happens_is_for_those_who_see_all_that_it_is_about() -> None:
    """The readers of the clock that moves."""
    clocks = {**THINGS["clocks"], "storm": {**THINGS["clocks"]["storm"], "seen_by": ["ana", "ben"]}}
    (fact,) = (f for f in play(OWN, campaign(clocks=clocks), "tick storm").facts if isinstance(f, NoteFact))
    assert (fact.seen_by, fact.secret) == (("ana", "ben"), False)
    (fact,) = (f for f in play(OWN, campaign(clocks=clocks), "tick fog").facts if isinstance(f, NoteFact))
    assert (fact.seen_by, fact.secret) == (("ana",), False)


@pytest.mark.parametrize(
    ("tables", "path", "says"),
    [
        ({"fog": {"seen_by": ["dan"]}}, ("clocks", "fog", "seen_by", "0"), "no player “dan”: the players are ana, ben and cleo"),
        ({"fog": {"seen_by": ["ana"], "seen": False}}, ("clocks", "fog", "seen"), "seen is false, so no player sees this"),
    ],
)  # fmt: skip
def test_readers_who_cannot_see_it_are_a_fault_of_the_file(
    tables: dict[str, Any], path: tuple[str, ...], says: str
) -> None:
    """It is named with its place, and play goes on."""
    clocks = {"fog": {**THINGS["clocks"]["fog"], **tables["fog"]}}
    _, faults = OWN.read({"name": "Trial", **THINGS, "clocks": clocks})
    (fault,) = faults
    assert (fault.path, fault.clause, fault.grave) == (path, "NM-49", False)
    assert says in fault.message


def test_an_entry_of_a_table_for_an_unknown_player_is_a_fault() -> None:
    """In each entry, by its number."""
    door: RandomTable = table("Door", ["mud", {"text": "rats", "seen_by": ["ana", "dan"]}])
    (fault,) = Game(system("veil-core"), {"door": door}).table_faults(campaign())["door"]
    assert (fault.path, fault.clause) == (("entries", "1", "seen_by", "1"), "NM-49")
