"""Course and Flow walked at random: what holds for every move of every legal campaign."""

from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules import legal
from tests.rules.test_properties import check_changes, check_refusals, check_state, check_words, fault_set, moves_of
from waylog.rules.clocks import Clock, Kind
from waylog.rules.dice import ChanceDice
from waylog.rules.game import Game
from waylog.rules.moves import Move, PickMany, PickOne, Refused, completed
from waylog.rules.state import Played, State
from waylog.rules.systems import system
from waylog.rules.systems.course_flow.house_rules import HouseRules
from waylog.rules.systems.course_flow.sheet import (
    Course,
    DieType,
    Flow,
    Lying,
    Matrix,
    Member,
    Sheet,
    Ship,
    Tokens,
    Track,
)
from waylog.rules.words import Act

GAME = Game(system("course-flow"))
STEPS = 9
ACROSS = {"CF-02", "CF-03", "CF-04", "CF-11", "CF-14", "NM-26"}
"""Refusals that no single answer can tell: what is so already, one die without another, a lesson too late, a clock's end."""
OUT_OF_REACH = "NM-25"
"""A clock that raises a Flow says so in the file's check once that Flow is over."""
NAMES = ("Mara", "sneaky", "Storm front", "7", "Ö", "…", "new-flow", "mara")
KEYS = ("mara", "iko", "daring", "Nora Quist", "7", "ship")


def counts(most: int) -> st.SearchStrategy[int]:
    """Small numbers, 0 most of all."""
    return st.sampled_from((0, 0, *range(1, most + 1)))


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    """A track and a matrix, or one of them, or none, marked anyhow."""
    slots = draw(st.integers(1, 4))
    track = Track(draw(st.sampled_from(NAMES)), slots, tuple(n for n in range(1, slots + 1) if draw(st.booleans())))
    rows, columns = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    grid = (f"{row}{column}" for row in "ab"[:rows] for column in range(1, columns + 1))
    matrix = Matrix(draw(st.sampled_from(NAMES)), rows, columns, tuple(slot for slot in grid if draw(st.booleans())))
    return {
        "tracks": {"past": track} if draw(st.booleans()) else {},
        "matrices": {"hull": matrix} if draw(st.booleans()) else {},
    }


@st.composite
def members(draw: st.DrawFn) -> Member:
    """Someone in any state that the rules can bring about."""
    dice = draw(st.one_of(st.just(list(DieType)), st.lists(st.sampled_from(DieType), min_size=2, unique=True)))
    skills = draw(st.lists(st.sampled_from(("Piloting", "Zero gee", "sneaky", "7")), max_size=2, unique=True))
    return Member(
        draw(st.sampled_from(NAMES)),
        draw(st.sampled_from(("", "", "Jo"))),
        dice=tuple(dice),
        equipment=tuple(draw(st.lists(st.sampled_from(NAMES), max_size=2))),
        skills={skill: draw(st.integers(0, 6)) for skill in skills},
        tokens=draw(st.builds(Tokens, counts(2), counts(1), counts(1), counts(1), counts(1))),
        **draw(boards()),
    )


@st.composite
def states(draw: st.DrawFn) -> State:
    """A legal campaign."""
    hints = get_type_hints(HouseRules)
    rules = draw(
        st.builds(HouseRules, **{f.name: st.sampled_from(get_args(hints[f.name])) for f in fields(HouseRules)})
    )
    crew = {key: draw(members()) for key in draw(st.lists(st.sampled_from(KEYS), max_size=3, unique=True))}
    lies: Lying = draw(st.sampled_from(get_args(Lying)))
    someone = st.sampled_from(("", "", *crew))
    course = Course(lies, draw(st.integers(1, 6)), draw(someone), draw(someone)) if lies else Course()
    flows = {
        key: Flow(
            draw(st.sampled_from(NAMES)), draw(st.integers(0, 4)), over=draw(st.sampled_from((False, False, True)))
        )
        for key in draw(st.lists(st.sampled_from(("chase", "sneaky", "12", "Smoke")), max_size=3, unique=True))
    }
    ships = {"moth": Ship("Moth", **draw(boards())), "mara": Ship(**draw(boards()))} if draw(st.booleans()) else {}
    effect = draw(st.sampled_from(("", "raise chase", "mark moth-hull")))
    clocks = {"storm": Clock("Storm", draw(st.sampled_from(Kind)), 4, 3, when_full=effect)}
    fresh = GAME.fresh("Trial")
    sheet = Sheet(course, flows, ships, crew)
    return replace(fresh, rules=rules, sheet=sheet, clocks=clocks if draw(st.booleans()) else {})


def played_or_refused(state: State, act: Act, dice: ChanceDice) -> Played | None:
    """What the act comes to; None where its answers don't go together, which is refused by a clause of `ACROSS`."""
    try:
        odds = GAME.odds(state, act.move, completed(act.move, act.answers))
        assert odds or not act.move.rolls
        assert odds is None or sum(chance.chance for chance in odds.spread.chances) == 1
        return GAME.play(state, act, dice)
    except Refused as refused:
        if refused.refusal.clause in ACROSS or act.move.verb == "effect":
            return None
        raise


def check_blocked_answers(state: State) -> None:
    """An answer that can't be given is refused with its clause, whatever the others are."""
    for move in moves_of(GAME, state):
        for ask in move.asks:
            for option in ask.options if isinstance(ask, PickOne | PickMany) and not move.blocked else ():
                if option.blocked:
                    assert option.blocked.clause
                    said = option.word if isinstance(ask, PickOne) else (option.word,)
                    with pytest.raises(Refused) as refused:
                        completed(replace(move, asks=(ask,)), {ask.name: said})
                    assert refused.value.refusal == option.blocked


def a_move(data: st.DataObject, state: State) -> Move:
    """A move that can be made, of any verb as likely as of any other."""
    able = [move for move in moves_of(GAME, state) if legal.answerable(move)]
    verb = data.draw(st.sampled_from(sorted({move.verb for move in able})))
    return data.draw(st.sampled_from([move for move in able if move.verb == verb]))


@pytest.mark.clause("CF-23")
@settings(max_examples=100)
@given(data=st.data())
def test_a_walk_through_legal_moves(data: st.DataObject) -> None:
    """Every open move plays and every blocked one is refused with its clause; what is open survives being saved and read.

    And whenever nothing more is asked of a roll, the Course that lies was set by whoever made it.
    """
    state = data.draw(states())
    dice = ChanceDice(data.draw(st.randoms(use_true_random=False)).randrange)
    wrong: set[tuple[Any, ...]] = fault_set(GAME, state)
    assert not {clause for _, clause in wrong if clause and clause.startswith("CF")}
    for _ in range(STEPS):
        check_refusals(GAME, state, dice)
        check_blocked_answers(state)
        move = a_move(data, state)
        answers = data.draw(legal.answers(move, None))
        check_words(GAME, state, move, answers)
        played = played_or_refused(state, Act(move, answers), dice)
        if played is None:
            continue
        check_changes(GAME, state, played.state)
        check_state(GAME, played.state)
        assert {fault for fault in fault_set(GAME, played.state) if fault[1] != OUT_OF_REACH} <= wrong
        if move.verb == "elect" and GAME.question(played.state) is None:
            assert played.state.sheet.course.set_by in played.state.sheet.crew
            assert played.state.sheet.course != state.sheet.course
        state = played.state
