"""Course and Flow."""

from dataclasses import replace
from typing import Any, get_args

from hypothesis import strategies as st

from tests.rules import legal
from tests.rules.trial import Trial
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import system
from waylog.rules.systems.course_flow.sheet import (
    Course,
    DieType,
    Flow,
    HouseRules,
    Lying,
    Matrix,
    Member,
    Sheet,
    Ship,
    Tokens,
    Track,
)

GAME = Game(system("course-flow"))
ACROSS = {"CF-02", "CF-03", "CF-04", "CF-11", "CF-14"}
"""Refusals that no single answer can tell: what is so already, one die without another, a lesson too late."""
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
    rules = draw(legal.rules(HouseRules))
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
    clocks = {"storm": Clock("Storm", draw(st.sampled_from(ClockKind)), 4, 3, when_full=effect)}
    fresh = GAME.fresh("Trial")
    sheet = Sheet(course, flows, ships, crew)
    return replace(fresh, rules=rules, sheet=sheet, clocks=clocks if draw(st.booleans()) else {})


def holds(before: State, played: PlayResult) -> None:
    """Whenever nothing more is asked of a roll, the Course that lies was set by whoever made it."""
    if played.words.startswith("elect") and GAME.question(played.state) is None:
        assert played.state.sheet.course.set_by in played.state.sheet.crew
        assert played.state.sheet.course != before.sheet.course


OFTEN = ("roll", "throw", "elect")
TRIAL = Trial(
    GAME, states(), ACROSS, passing={OUT_OF_REACH}, often=OFTEN, holds=holds, proves=("CF-23", "CF-40"), steps=9
)
