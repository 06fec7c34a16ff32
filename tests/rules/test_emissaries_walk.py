"""The Emissaries walked at random: what holds for every move of every legal campaign, and at every step of a conflict."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules import legal
from tests.rules.emissaries_table import GAME, SYSTEM
from tests.rules.test_properties import check_changes, check_refusals, check_state, check_words, fault_set, moves_of
from waylog.rules.clocks import Clock, Kind
from waylog.rules.dice import ChanceDice
from waylog.rules.moves import Answer, Move, Refused, completed
from waylog.rules.state import Played, State
from waylog.rules.systems.emissaries.house_rules import HouseRules
from waylog.rules.systems.emissaries.sheet import (
    Asset,
    Emissary,
    Fallout,
    Npc,
    Place,
    Relationship,
    Row,
    Sheet,
    Stage,
    Thing,
    Track,
    Trait,
)
from waylog.rules.systems.emissaries.stages import Conflict, Phase
from waylog.rules.systems.emissaries.system import Emissaries
from waylog.rules.turns import Result
from waylog.rules.words import Act

STEPS = 12
ACROSS = {"EG-01", "EG-04", "EG-10", "EG-12", "EG-14", "EG-15", "EG-16", "EG-19", "EG-40", "EG-45", "EG-50", "NM-26"}
"""Refusals that no single answer can tell: dice that are too few together or not there twice, an ally by the side taken."""
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
    fallout=st.builds(Fallout, *(rows(tuple(Place)) for _ in Track)),
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
    fallout=rows(tuple(Place)),
)
_HINTS = get_type_hints(HouseRules)
RULES = st.builds(
    HouseRules,
    **{
        field.name: st.sampled_from(get_args(_HINTS[field.name]))
        for field in fields(HouseRules)
        if field.type != "int" and not field.name.endswith("_dice")
    },
)
CLOCKS = st.sampled_from(({}, {"storm": Clock("Storm", Kind.CATASTROPHE, 4, 1)}))


@st.composite
def states(draw: st.DrawFn) -> State:
    """A legal campaign, but for background dice that may be overdrawn."""
    sheet = Sheet(draw(keyed(EMISSARIES, 3)), draw(keyed(NPCS)), draw(keyed(ASSETS)))
    return replace(GAME.fresh("Trial"), rules=draw(RULES), sheet=sheet, clocks=draw(CLOCKS))


def conflict(state: State) -> Conflict | None:
    """The conflict under way."""
    stage = state.open.stage if state.open else None
    return stage if isinstance(stage, Conflict) else None


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


def played_or_refused(state: State, act: Act, dice: ChanceDice) -> Played | None:
    """What the act comes to; None where its answers don't go together, which is refused by a clause of `ACROSS`."""
    try:
        odds = GAME.odds(state, act.move, completed(act.move, act.answers))
        assert odds is None or sum(chance.chance for chance in odds.spread.chances) == 1
        return GAME.play(state, act, dice)
    except Refused as refused:
        if refused.refusal.clause in ACROSS:
            return None
        raise


def a_move(data: st.DataObject, state: State) -> Move:
    """A move of the game that can be made, of any verb as likely as of any other; a raise and a see more so than giving."""
    verbs_here = {move.verb for move in SYSTEM.moves(GAME.position(state))} - {"call-off"}
    able = [move for move in moves_of(GAME, state) if move.verb in verbs_here and legal.answerable(move)]
    verbs = sorted({move.verb for move in able})
    often = [verb for verb in ("raise", "see", "fallout") if verb in verbs]
    verb = data.draw(st.sampled_from([*verbs, *often * 6]))
    return data.draw(st.sampled_from([move for move in able if move.verb == verb]))


def check_conflict(before: State, played: Played) -> None:
    """A step of a conflict is an act of its own; its dice are on the table or spent, and each side has somebody left."""
    now = conflict(played.state)
    if conflict(before) is not None:
        assert not played.follows
    if now is None:
        return
    assert isinstance(SYSTEM, Emissaries)
    board = SYSTEM.board(GAME.position(played.state))
    assert board is not None
    assert (board.sees is not None) is (board.phase is Phase.SEE)
    assert len([seat for seat in board.seats if seat.turn]) == (board.phase in (Phase.RAISE, Phase.SEE, Phase.FALLOUT))
    assert not any(isinstance(fact, Result) and fact.mood for fact in played.facts)
    if now.phase is not Phase.GATHER:
        assert len({one.side for one in now.people if not one.gave}) == 2
        assert all(not one.gave for one in now.people if one.word in (*now.waiting, now.taker))


def walked(data: st.DataObject, state: State, dice: ChanceDice, move: Move) -> State:
    """The state after one move, with everything checked that holds for any."""
    given_answers = data.draw(answers(state, move))
    check_words(GAME, state, move, given_answers)
    played = played_or_refused(state, Act(move, given_answers), dice)
    if played is None:
        return state
    check_changes(GAME, state, played.state)
    check_state(GAME, played.state)
    check_conflict(state, played)
    return played.state


def some_dice(data: st.DataObject) -> ChanceDice:
    """Dice that fall as drawn."""
    return ChanceDice(data.draw(st.randoms(use_true_random=False)).randrange)


@pytest.mark.clause("EG-07", "EG-24")
@settings(max_examples=60)
@given(data=st.data())
def test_a_walk_through_legal_moves(data: st.DataObject) -> None:
    """Every open move plays and every blocked one is refused with its clause; what is open survives being saved and read.

    Nothing that holds stops holding, and each change leads back.
    """
    state, dice = data.draw(states()), some_dice(data)
    wrong = fault_set(GAME, state)
    for _ in range(STEPS):
        check_refusals(GAME, state, dice)
        state = walked(data, state, dice, a_move(data, state))
        assert {fault for fault in fault_set(GAME, state) if fault[1] not in REMARKS} <= wrong


def in_the_middle(data: st.DataObject, dice: ChanceDice) -> State:
    """A conflict that everybody has come into who can, with a storm against them, each with what they please."""
    state = data.draw(states())
    words = ("conflict", "obstacle", *["enter"] * 6, "begin")
    for word in words:
        able = [move for move in GAME.moves(state) if move.verb == word and legal.answerable(move)]
        if able:
            state = walked(data, state, dice, able[0])
    return state


@pytest.mark.clause("EG-10", "EG-24")
@settings(max_examples=60)
@given(data=st.data())
def test_a_walk_through_a_conflict(data: st.DataObject) -> None:
    """The same from the beginning of a conflict, in which there is always something that can be done, to its end."""
    dice = some_dice(data)
    state = in_the_middle(data, dice)
    for _ in range(2 * STEPS):
        if conflict(state) is None:
            break
        check_refusals(GAME, state, dice)
        state = walked(data, state, dice, a_move(data, state))
