"""The Emissaries, outside of a conflict and in one."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.rules import legal
from tests.rules.emissaries_table import GAME, SYSTEM
from tests.rules.trial import Trial
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import Act, ActRefused, Answer, Move
from waylog.rules.model.state import PlayResult, State
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems.emissaries.sheet import (
    Asset,
    Emissary,
    Fallout,
    FalloutTrack,
    HouseRules,
    Npc,
    Relationship,
    Row,
    RowNumber,
    Sheet,
    Stage,
    Thing,
    Trait,
)
from waylog.rules.systems.emissaries.state_stages_and_typed_names import ConflictStage, Phase

ACROSS = {
    "EG-01", "EG-04", "EG-05", "EG-10", "EG-12", "EG-14", "EG-15", "EG-16", "EG-19", "EG-31", "EG-40", "EG-45", "EG-50",
}  # fmt: skip
"""Refusals that no single answer can tell: dice that are too few together or not there twice, an ally by the side taken, dice in a
name, a row that fills and a condition that is not said."""
REMARKS = {"EG-05"}
"""What the check of a file only remarks on: a sixth object."""
NAMES = ("Mara", "thoss", "The guild", "7", "Ö", "argue", "ours", "12 dice", "physical")
KEYS = ("mara", "thoss", "body", "Nora Quist", "7", "dice", "same")
RATINGS = ("1d4", "1d6", "2d6", "2d8", "3d10")
ONE_SIZE, MIXED = st.sampled_from(RATINGS), st.sampled_from((*RATINGS, "1d4 1d8"))


def keyed(item: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[dict[str, Any]]:
    """Up to so many things under keys that people might choose."""
    return st.dictionaries(st.sampled_from(KEYS), item, max_size=most)


def rows(numbers: Any) -> st.SearchStrategy[dict[Any, Row]]:
    """A track in any state."""
    row = st.builds(Row, st.integers(0, 4), st.sampled_from(("", "", "Worn")))
    return st.dictionaries(st.sampled_from(numbers), row, max_size=len(numbers))


def own() -> dict[str, st.SearchStrategy[Any]]:
    """What emissaries and others have alike."""
    return {
        "traits": keyed(st.builds(Trait, st.sampled_from(NAMES), ONE_SIZE)),
        "relationships": keyed(st.builds(Relationship, st.sampled_from(NAMES), ONE_SIZE, st.booleans())),
        "objects": keyed(st.builds(Thing, st.sampled_from(NAMES), MIXED, st.booleans())),
    }


EMISSARIES = st.builds(
    Emissary,
    st.sampled_from(NAMES),
    background=st.sampled_from(("", "", "strong-community")),
    body=st.integers(2, 3),
    mind=st.integers(2, 4),
    hard=st.integers(2, 3),
    hope=st.sampled_from(("", "Fame")),
    made=st.booleans(),
    dead=st.sampled_from((False, False, False, True)),
    may_recover=st.booleans(),
    may_accept=st.booleans(),
    fallout=st.builds(Fallout, *(rows(tuple(RowNumber)) for _ in FalloutTrack)),
    **own(),
)
NPCS = st.builds(
    Npc,
    st.sampled_from(NAMES),
    dice=st.sampled_from(("", "4d6 4d8")),
    body=st.integers(0, 3),
    hard=st.integers(0, 3),
    rows=st.just(2),
    fallout=rows((Stage.ONE, Stage.TWO)),
    **own(),
)
ASSETS = st.builds(
    Asset,
    st.sampled_from(NAMES),
    stats=st.just(("Engines 3d6", "Hull 2d6", "Systems 2d8")),
    may_recover=st.booleans(),
    fallout=rows(tuple(RowNumber)),
)
RULES = legal.rules(HouseRules)
CLOCKS = st.sampled_from(({}, {"storm": Clock("Storm", ClockKind.CATASTROPHE, 4, 1)}))


@st.composite
def states(draw: st.DrawFn) -> State:
    """A legal campaign, but for background dice that may be overdrawn."""
    sheet = Sheet(draw(keyed(EMISSARIES, 3)), draw(keyed(NPCS)), draw(keyed(ASSETS)))
    return replace(GAME.fresh("Trial"), rules=draw(RULES), sheet=sheet, clocks=draw(CLOCKS))


def conflict(state: State) -> ConflictStage | None:
    """The conflict under way."""
    stage = state.open.stage if state.open else None
    return stage if isinstance(stage, ConflictStage) else None


@st.composite
def answers(draw: st.DrawFn, state: State, move: Move) -> Mapping[str, Answer]:
    """Legal answers. Dice to raise or see with lie there as often as not; else they are any faces that do."""
    if move.verb in ("obstacle", "asset"):
        rated = draw(st.sampled_from(("4d6 4d8", "2d6 1d4 3d10", "2d6 2d6 2d8", "fog")))
        return {**draw(legal.answers(move, None)), "dice": rated}
    under_way = conflict(state)
    if under_way is None or move.verb not in ("raise", "see"):
        return draw(legal.answers(move, None))
    rest = draw(legal.answers(replace(move, asks=move.asks[1:]), None))
    raising = move.verb == "raise"
    word = under_way.turn if raising else under_way.waiting[0]
    pool = next(one.pool for one in under_way.people if one.word == word)
    usable = [str(die.face) for die in pool if raising or not die.kept]
    count = 2 if raising else draw(st.integers(1, len(usable)))
    if draw(st.booleans()):
        return {**rest, "dice": tuple(draw(st.permutations(usable))[:count])}
    return {**rest, "dice": tuple(draw(st.lists(st.sampled_from(usable), min_size=count, max_size=count)))}


def holds(before: State, played: PlayResult) -> None:
    """A step of a conflict is an act of its own; its dice are on the table or spent, and each side has somebody left."""
    now = conflict(played.state)
    if conflict(before) is not None:
        assert not played.follows
    if now is None:
        return
    assert isinstance(SYSTEM, Rulebook)
    board = SYSTEM.board(GAME.position(played.state))
    assert board is not None
    assert (board.sees is not None) is (board.phase is Phase.SEE)
    assert len([seat for seat in board.seats if seat.turn]) == (board.phase in (Phase.RAISE, Phase.SEE, Phase.FALLOUT))
    assert not any(isinstance(fact, OutcomeFact) and fact.mood for fact in played.facts)
    if now.phase is not Phase.GATHER:
        assert len({one.side for one in now.people if not one.gave}) == 2
        assert all(not one.gave for one in now.people if one.word in (*now.waiting, now.taker))


@st.composite
def in_a_conflict(draw: st.DrawFn) -> State:
    """A conflict that everybody has come into who can, with a storm against them, each with what they please."""
    state, dice = draw(states()), ChanceDice(Random(draw(st.integers(0, 2**32))).randrange)
    for verb in ("conflict", "obstacle", *["enter"] * 6, "begin"):
        move = next((move for move in GAME.moves(state) if move.verb == verb and legal.answerable(move)), None)
        if move:
            state = played_or_as_before(state, Act(move, draw(answers(state, move))), dice)
    return state


def played_or_as_before(state: State, act: Act, dice: ChanceDice) -> State:
    """The state after an act, or before one that can't be done after all."""
    try:
        return GAME.play(state, act, dice).state
    except ActRefused:
        return state


TRIAL = Trial(
    GAME,
    st.one_of(states(), in_a_conflict()),
    ACROSS,
    passing=REMARKS,
    answers=answers,
    often=("raise", "see", "fallout"),
    seldom=("call-off",),
    holds=holds,
    proves=("EG-07", "EG-10", "EG-24"),
    steps=16,
)
