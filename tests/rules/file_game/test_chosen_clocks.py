"""Clocks of the campaign that whoever acts chooses, and that an effect fills by a formula."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.dice import EqualDice, TypedDice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, Option, PickMany, PickOne
from waylog.rules.model.players_and_permissions import Player
from waylog.rules.model.state import PlayResult, State
from waylog.rules.what_players_may_do import PlayersGame

Tree = dict[str, Any]
_AT = "2026-01-05 20:00"
PUSH, DEATH = ClockKind.PUSH, ClockKind.DEATH
CLOCKS = {
    "boat": Clock("The boat", PUSH, 6, filled=4),
    "song": Clock("The song", PUSH, 8, seen=False),
    "cold": Clock("The cold", DEATH, 4, filled=1, count_seen=False),
    "old": Clock("Old work", PUSH, 4, closed=True),
}


def _tree(who: str = "clocks", option: Tree | None = None, **parts: Any) -> Tree:
    """A game with a roll on a clock, which everybody who has one works on."""
    work: Tree = {
        "who": "crew",
        "bands": [{"outcome": "bad", "grade": "fiasco"}, {"outcome": "good", "from": 4}],
        "options": {"project": {"who": who, **(option or {})}},
        "group": {"counts": "best"},
    }
    tree: Tree = {
        "id": "projects",
        "name": "Projects",
        "sheet": {
            "crew": {
                "each": {"stress": {"range": [0, 9]}, "craft": {"range": [0, 4], "start": 2}},
                "start": {"ada": {"name": "Ada"}, "hob": {"name": "Hob"}},
            },
        },
        "dice": {"work": work},
        "after": {"work": {"bad": ["tick options.project"], "good": ["tick options.project result - craft"]}},
    }
    return tree | parts


def _game(tree: Tree) -> tuple[Game, State]:
    assert [flaw.message for flaw in check_game(tree)[1]] == []
    game = Game(rulebook_of(tree))
    return game, replace(game.fresh("Trial"), clocks=CLOCKS)


def _play(game: Game, state: State, line: str, *faces: int) -> PlayResult:
    dice = TypedDice(faces) if faces else EqualDice(1)
    return game.play(state, parse_act(game.moves(state), line), dice, _AT)


def _filled(state: State) -> dict[str, int]:
    return {key: clock.filled for key, clock in state.clocks.items()}


def _offered(game: Game, state: State, id_: str) -> dict[str, Option]:
    move = next(move for move in game.moves(state) if move.id == id_)
    asks = [ask for ask in move.asks if isinstance(ask, PickOne | PickMany)]
    return {option.word: option for ask in asks for option in ask.options}


def test_an_effect_fills_the_clock_that_was_chosen_by_a_formula() -> None:
    """Of the result, and of values of who rolls; the grade of the roll fills nothing else."""
    game, first = _game(_tree())
    good = _play(game, first, "roll work ada boat", 4)
    assert _filled(good.state) == {**_filled(first), "boat": 6}
    assert _filled(_play(game, first, "roll work ada boat cold", 1).state) == {**_filled(first), "boat": 5, "cold": 2}
    assert _filled(_play(game, first, "roll work ada", 6).state) == _filled(first)
    assert not [move for move in game.moves(good.state) if move.verb == "on"]


@pytest.mark.parametrize(("who", "words"), [("clocks", {"boat", "song", "cold"}), ("clocks.push", {"boat", "song"})])
def test_clocks_that_are_open_and_of_the_kind_can_be_chosen(who: str, words: set[str]) -> None:
    """Each with how full it is. A roll that has them isn't made on clocks beside."""
    game, state = _game(_tree(who))
    offered = _offered(game, state, "roll work ada")
    assert {*offered} == words
    assert (offered["boat"].label, offered["boat"].note, offered["boat"].paths) == ("The boat", "4/6", ("clocks.boat",))
    assert {*_offered(game, state, "group work ada")} == {*words, "hob"}


def test_formulas_of_the_option_read_the_clock_and_who_rolls() -> None:
    """Who rolls pays for it, and the odds are those of the clock."""
    option = {
        "plus": "filled - craft",
        "when": "segments > 4 and kind == 'push'",
        "cost": ["mark stress 1 + filled // 4"],
    }
    game, state = _game(_tree(option=option))
    offered = _offered(game, state, "roll work ada")
    assert [word for word, one in offered.items() if one.blocked] == ["cold"]
    assert offered["boat"].note == "4/6, +2, costs 2 Stress"
    act = parse_act(game.moves(state), "roll work ada boat")
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    assert {one.outcome: float(one.chance) for one in odds.spread.chances} == {"bad": 1 / 6, "good": 5 / 6}
    after = _play(game, state, "roll work ada boat", 2).state
    assert (after.sheet.crew["ada"].stress, after.sheet.crew["hob"].stress) == (2, 0)
    with pytest.raises(ActRefused):
        _play(game, state, "roll work ada cold")


def test_the_leader_of_a_group_fills_it_once() -> None:
    """With the outcome that counts."""
    game, state = _game(_tree())
    assert _filled(_play(game, state, "group work ada hob boat", 2, 3).state)["boat"] == 5


def test_a_move_asks_for_a_clock_and_ticks_it() -> None:
    """Its formulas read the clock, and dice may fill it."""
    moves = {
        "wait": {"who": "crew", "whom": "clocks.death", "does": ["tick whom 1d3", "mark stress whom.segments // 2"]},
        "undo-it": {"whom": "clocks", "does": ["tick whom -whom.filled"]},
    }
    game, state = _game(_tree(moves=moves))
    assert {*_offered(game, state, "wait ada")} == {"cold"}
    waited = _play(game, state, "wait ada cold", 3)
    assert (_filled(waited.state)["cold"], waited.state.sheet.crew["ada"].stress) == (4, 2)
    assert waited.title == "Wait (Ada): The cold"
    assert _filled(_play(game, state, "undo-it boat").state)["boat"] == 0


def test_a_condition_can_want_a_clock() -> None:
    """A roll without one is refused, with the reason of the file."""
    wants = {"none": {"rolls": ["work"], "if": "not options.project", "refuses": "choose a project"}}
    game, state = _game(_tree(when=wants))
    with pytest.raises(ActRefused, match="choose a project"):
        _play(game, state, "roll work ada")
    assert _filled(_play(game, state, "roll work ada boat", 1).state)["boat"] == 5


# -- what players see -------------------------------------------------------------------------------------------------


def test_players_choose_among_the_clocks_that_they_see() -> None:
    """Without the progress of those that hide it."""
    game, state = _game(_tree())
    state = replace(state, players={"lea": Player("Lea", character="ada")})
    offered = _offered(PlayersGame(game), state, "roll work ada")  # type: ignore[arg-type]
    assert {word: one.note for word, one in offered.items()} == {"the-boat": "4/6", "the-cold": ""}
    players = PlayersGame(game)
    act = players.understand(state, "lea", "roll work ada the-cold")
    whole = players.whole_act(state, "lea", game.moves(state), act)
    assert whole
    assert whole.answers["options.project"] == ("cold",)


def test_the_name_of_a_hidden_clock_is_no_part_of_what_was_done() -> None:
    """Its other effects are seen, and so is that it was done."""
    moves = {"wait": {"who": "crew", "whom": "clocks", "does": ["tick whom", "mark stress"]}}
    game, state = _game(_tree(moves=moves))
    for word, seen in (("song", False), ("boat", True)):
        result = _play(game, state, f"wait ada {word}")
        shown = repr([fact for fact in result.facts if isinstance(fact, NoteFact) and not fact.secret])
        assert "Ada: Wait" in shown
        assert "Stress" in shown
        assert (f"The {word}" in shown) is seen


# -- what is wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (
            {"after": {"work": {"bad": ["tick options.projct"]}}},
            "there is no clock `options.projct` in [clocks]. Did you mean",
        ),
        ({"after": {"work": {"bad": [{"do": "mark stress", "who": "options.project"}]}}}, "a clock can only be ticked"),
        ({"after": {"work": {"bad": [{"offer": "tick options.project"}]}}}, "can't be applied"),
        ({"moves": {"wait": {"whom": "clocks.dead", "does": ["tick whom"]}}}, "there is no clock kind `dead`"),
        ({"moves": {"wait": {"whom": "crew", "does": ["tick whom"]}}}, "there is no clock `whom`"),
        ({"moves": {"wait": {"who": "clocks", "does": ["mark stress"]}}}, "`clocks` is not a list of the sheet"),
        ({"moves": {"wait": {"whom": "clocks", "does": ["tick whom whom.full"]}}}, "there is no `whom.full`"),
    ],
)
def test_mistakes_about_clocks_are_named(change: Tree, wrong: str) -> None:
    """With the clocks that there are, or with what to write."""
    assert any(wrong in flaw.message for flaw in check_game(_tree() | change)[1])


def test_the_check_has_nothing_against_chosen_clocks() -> None:
    """A clock of the game that can be chosen moves, and conditions that read the clock can hold."""
    clocks = {"alarm": {"kind": "push"}}
    option = {"when": "filled < segments", "cost": [{"do": "mark stress", "when": "filled > 3"}]}
    assert [*advise(rulebook_of(_tree("clocks.push", option, clocks=clocks)))] == []
    (flaw,) = advise(rulebook_of(_tree("clocks.death", clocks=clocks)))
    assert flaw.path == ("clocks", "alarm")
