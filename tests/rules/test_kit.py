"""The kit of which games are made: what a rulebook calls, in what order, and what it saves of open stages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.dice import Dice, TypedDice
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.rules.model.moves import Answers, Move
from waylog.rules.model.odds import Chance, Odds, Ratio, Spread
from waylog.rules.model.panels import Panel
from waylog.rules.model.state import Position
from waylog.rules.rulebook import Chapter, CommonHouseRules, MomentBase, Rulebook, RulebookError, StageRules, StageStack
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Purse:
    """The sheet."""

    coins: int = 1


@dataclass(frozen=True, slots=True)
class Toll:
    """So many coins are asked at a gate."""

    TAG = "toll"

    coins: int = 1


@dataclass(frozen=True, slots=True)
class Gust:
    """It blows a coin away, and asks nobody."""

    TAG = "gust"


@dataclass(frozen=True, slots=True)
class Rest:
    """It stays open and asks nothing."""

    TAG = "rest"


@dataclass(frozen=True, slots=True)
class Road(StageStack):
    """All that is open."""

    stages: tuple[Toll | Gust | Rest, ...] = ()


def offers(_moment: MomentBase) -> tuple[Move, ...]:
    """`walk`."""
    return (Move("walk", (), "Walk on", rolls=True),)


def whistles(_moment: MomentBase) -> tuple[Move, ...]:
    """`whistle`, which may be done while a toll is asked."""
    return (Move("whistle", (), "Whistle", anytime=True),)


def walk(moment: MomentBase, _move: Move, _answers: Answers, dice: Dice) -> MomentBase:
    """A die, and a toll of that many coins behind a gust."""
    moment, (face,) = moment.rolls(dice, "the road", ("road",))
    return moment.then(Rest(), Toll(face), Gust())


def whistle(moment: MomentBase, _move: Move, _answers: Answers, _dice: Dice) -> MomentBase:
    """A tune."""
    return moment.says("A tune")


def other_tune(moment: MomentBase, _move: Move, _answers: Answers, _dice: Dice) -> MomentBase:
    """Another tune."""
    return moment.says("Another tune", "KI-01")


def pay(moment: MomentBase, toll: Toll, _move: Move, _answers: Answers, _dice: Dice) -> MomentBase:
    """The coins are gone."""
    return replace(moment.closes(), sheet=Purse(moment.sheet.coins - toll.coins)).says(f"{toll.coins} paid")


def blow(moment: MomentBase, _gust: Gust, _dice: Dice) -> MomentBase:
    """A coin is gone."""
    return replace(moment.closes(), sheet=Purse(moment.sheet.coins - 1)).says("A gust")


def walk_odds(_moment: MomentBase, _move: Move, _answers: Answers) -> Odds:
    """It is sure."""
    return Odds("1d6: road", Spread("", (Chance("on", "On", None, Ratio(1)),)))


TOLL = StageRules[MomentBase, Toll](
    Toll,
    question=lambda _moment, toll: f"Pay {toll.coins}?",
    answers=lambda _moment, _toll: (Move("pay", (), "Pay"),),
    resolve=pay,
    choices=lambda moment, toll: moment.sheet.coins >= toll.coins,
    automatic=lambda moment, _toll, _dice: moment.closes().says("Turned back"),
    keep=lambda moment, toll: toll if moment.sheet.coins else None,
)
ROAD = Chapter[MomentBase](
    offers=offers,
    plays={"walk": walk},
    stages=(TOLL, StageRules[MomentBase, Gust](Gust, automatic=blow), StageRules[MomentBase, Rest](Rest)),
    odds={"walk": walk_odds},
)
TUNES = Chapter[MomentBase](offers=whistles, plays={"whistle": whistle}, anytime=whistles)
LATER = Chapter[MomentBase](plays={"whistle": other_tune})


def panels(moment: MomentBase) -> tuple[Panel, ...]:
    """The purse."""
    return (Panel("purse", "ship", f"{moment.sheet.coins} coins", ()),)


def faults(moment: MomentBase) -> tuple[Fault, ...]:
    """An empty purse."""
    return () if moment.sheet.coins else (Fault(("coins",), "no coins", grave=False),)


def rulebook(*chapters: Chapter[Any], scene: Any = Road) -> Rulebook:
    """A game of these chapters, each as if it were a module."""
    return Rulebook(
        id="road",
        name="The road",
        about="Coins and tolls",
        clauses={"KI-01": Clause("Order", "A later chapter goes before an earlier one.")},
        sheet=Purse,
        rules=CommonHouseRules,
        scene=scene,
        moment=MomentBase,
        chapters=tuple(SimpleNamespace(CHAPTER=chapter) for chapter in chapters),
        panels_of=panels,
        faults_of=faults,
    )


GAME = rulebook(ROAD, TUNES)


def position(coins: int, *stages: Any) -> Position:
    """So many coins, and what is open."""
    return Position(Purse(coins), Purse(), scene=Road(stages) if stages else None)


def done(game: Rulebook, at: Position, verb: str, *faces: int) -> Any:
    """What a move comes to."""
    (move,) = (move for move in game.moves(at) if move.verb == verb)
    return game.play(at, move, {}, TypedDice(faces))


def test_moves_come_in_the_order_of_the_chapters() -> None:
    """The first chapter's first."""
    assert [move.verb for move in GAME.moves(position(3))] == ["walk", "whistle"]
    assert [move.verb for move in rulebook(TUNES, ROAD).moves(position(3))] == ["whistle", "walk"]


def test_stages_without_a_choice_are_done_at_once() -> None:
    """The gust blows, and then the toll is asked; all of it is told in order."""
    turn = done(GAME, position(3), "walk", 2)
    assert turn.position == position(2, Rest(), Toll(2))
    assert [fact.text if isinstance(fact, NoteFact) else type(fact) for fact in turn.facts] == [RollFact, "A gust"]
    assert GAME.question(turn.position) == "Pay 2?"


def test_a_stage_that_leaves_no_choice_is_not_asked() -> None:
    """With too few coins nobody is asked for them; a stage without a question stays open below."""
    turn = done(GAME, position(3), "walk", 5)
    assert turn.position == position(2, Rest())
    assert GAME.question(turn.position) is None
    assert [move.verb for move in GAME.moves(turn.position)] == ["walk", "whistle"]


def test_a_stage_may_open_another_that_is_equal() -> None:
    """Such as dice that fall the same once more. Only one that stays open itself would be done without end."""

    def blow_again(moment: MomentBase, gust: Gust, dice: Dice) -> MomentBase:
        moment = blow(moment, gust, dice)
        return moment.then(Gust()) if moment.sheet.coins else moment

    again = Chapter[MomentBase](
        offers=offers,
        plays={"walk": walk},
        stages=(TOLL, replace(ROAD.stages[1], automatic=blow_again), ROAD.stages[2]),
    )
    turn = done(rulebook(again), position(3), "walk", 2)
    assert [fact.text for fact in turn.facts if isinstance(fact, NoteFact)] == ["A gust"] * 3


def test_while_a_stage_asks_there_are_its_answers_and_what_may_be_done_at_any_time() -> None:
    """An answer resolves the stage; what may be done at any time leaves it open."""
    asked = position(2, Toll(2))
    assert [move.verb for move in GAME.moves(asked)] == ["pay", "whistle"]
    assert done(GAME, asked, "pay").position == position(0)
    assert done(GAME, asked, "whistle").position == asked


def test_a_stage_that_an_edit_of_the_file_has_made_senseless_is_dropped() -> None:
    """Without a coin there is no toll any more, whatever is asked about the position."""
    stale = position(0, Toll(1))
    assert GAME.question(stale) is None
    assert [move.verb for move in GAME.moves(stale)] == ["walk", "whistle"]


MUTE = replace(TOLL, answers=None)
ENDLESS = replace(TOLL, choices=None, automatic=lambda moment, *_: moment.says("Nothing closes it"))
MISTAKES: Mapping[str, tuple[Chapter[Any], str, str]] = {
    "a question without answers": (Chapter(stages=(MUTE,)), "whistle", "Toll asks a question. Give its StageRules"),
    "a stage without rules": (TUNES, "whistle", "no StageRules for Toll. Add some to the `stages`"),
    "a stage that nothing closes": (Chapter(plays=TUNES.plays, stages=(ENDLESS,)), "whistle", "leaves Toll as it was"),
    "a verb that nothing plays": (Chapter(stages=ROAD.stages), "whistle", "no chapter plays “whistle”. Add it"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_a_game_is_named_with_its_remedy(mistake: str) -> None:
    """The message has the id of the game, the stage or verb, and the part of the rulebook where it is mended."""
    chapter, verb, message = MISTAKES[mistake]
    with pytest.raises(RulebookError, match=f"^road: .*{re.escape(message)}"):
        rulebook(chapter).play(position(1, Toll(1)), Move(verb, (), "", anytime=True), {}, TypedDice([]))


def test_a_roll_without_odds_is_a_mistake_of_the_game() -> None:
    """`rolls=True` promises odds; a move without it need not have any."""
    with pytest.raises(RulebookError, match="“whistle” has rolls=True and no odds"):
        GAME.odds(position(1), Move("whistle", (), "", rolls=True), {})


def test_of_two_chapters_that_play_a_verb_the_later_one_does() -> None:
    """Of two chapters with one verb the later one plays it, so that a game can replace a rule of an engine that it shares."""
    turn = done(rulebook(ROAD, TUNES, LATER), position(1), "whistle")
    assert turn.facts == (NoteFact("Another tune", "KI-01"),)


def test_a_game_without_a_stack_saves_the_one_stage_itself() -> None:
    """The log has the stage on top, as it is."""
    game = rulebook(ROAD, scene=Toll | Gust | Rest)
    move = Move("walk", (), "Walk on")
    assert game.play(position(9), move, {}, TypedDice([3])).position.scene == Toll(3)
    assert game.question(Position(Purse(9), Purse(), scene=Toll(3))) == "Pay 3?"


@pytest.mark.parametrize("verb", ["walk", "whistle"])
def test_odds_come_from_the_chapter_that_has_them_for_the_verb(verb: str) -> None:
    """A verb that no chapter has odds for has none."""
    found = GAME.odds(position(1), Move(verb, (), ""), {})
    assert (found is not None) is (verb == "walk")


def test_the_rest_of_a_game_is_asked_by_its_moment() -> None:
    """Panels, faults, a blank sheet for a new campaign, and no board where the game has none."""
    assert [panel.title for panel in GAME.panels(position(2))] == ["2 coins"]
    assert [fault.message for fault in GAME.faults(position(0))] == ["no coins"]
    assert GAME.fresh() == Purse()
    assert replace(GAME, first_sheet=lambda: Purse(5)).fresh() == Purse(5)
    assert GAME.board(position(1)) is None
