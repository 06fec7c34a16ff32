"""The contract between a game and everything else, held by every game there is and by the small one of the tests.

A game that is new is tried from the campaign that `waylog new` makes; how more of it is tried stands in `trials/`.
"""

from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.file_games import SHIPPED
from tests.kit.thorough import cases, examples
from tests.rules import promises
from tests.rules.legal import answerable
from tests.rules.promises import Noted
from tests.rules.trial import Trial, trial
from waylog.rules.common import clock_and_situation_moves, deck_moves, random_tables, rulings
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers, format_act, without_refusal
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.dice import ChanceDice, Dice
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import Act, ActRefused, Move, PickOne, Refusal
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import names

OWN = (*names(), "small", "night-heist", "odd-dice", "iron-ledge")
GAMES = (*OWN, *SHIPPED)
EACH = pytest.mark.parametrize("name", GAMES)
WALKS = [pytest.param(name, marks=pytest.mark.clause(*trial(name).proves)) for name in (*OWN, *cases(SHIPPED, 0))]
ASIDE = {
    *clock_and_situation_moves.VERBS,
    *deck_moves.VERBS,
    *random_tables.VERBS,
    "session",
    "note",
    "secret",
    "scene",
}
"""Verbs of what may be done beside every game."""
WAYLOGS = {*ASIDE, *clock_and_situation_moves.SITUATION_VERBS, *rulings.VERBS, "set", "overrule", "dice", "effect"}
"""Verbs that mean the same in every game."""
PHASES = (Phase.explicit, Phase.generate)
"""A walk is told as it was: to look for a shorter one that fails as well would take minutes."""
WRITTEN: tuple[Any, ...] = (-1, 0, 1, 99, "", "nobody", True, [], ["nobody"], ["daring", "daring"], "3d7")
"""What a person may write at any place of a file."""
LAST_STRAW = "last-straw"


def chance(data: st.DataObject) -> Dice:
    """Dice that fall as drawn: anyhow, or all as high as they can."""
    high = data.draw(st.sampled_from((False, False, True)))
    below = Random(data.draw(st.integers(0, 2**32))).randrange
    return ChanceDice((lambda sides: sides - 1) if high else below)


def next_move(data: st.DataObject, tried: Trial, state: State) -> Move:
    """A move that can be made: mostly an answer to what is asked or one of the game's own, any verb as likely as another."""
    able = [move for move in promises.moves_of(tried.game, state) if answerable(move)]
    leading = [move for move in able if move.follows or move.verb not in (*ASIDE, *tried.seldom)]
    aside = data.draw(st.integers(0, 3)) == 0
    moves = able if aside or not leading else leading
    verbs = sorted({move.verb for move in moves})
    verb = data.draw(st.sampled_from([*verbs, *[verb for verb in verbs if verb in tried.often] * 4]))
    return data.draw(st.sampled_from([move for move in moves if move.verb == verb]))


def done(data: st.DataObject, tried: Trial, state: State, move: Move, dice: Dice) -> PlayResult | None:
    """What the move comes to with answers as drawn, held to every promise; None where they don't go together."""
    game, noted = tried.game, Noted(dice)
    act = Act(move, data.draw(tried.answers(state, move)))
    promises.words_hold(game, state, move, act.answers)
    try:
        odds = game.odds(state, move, complete_answers(move, act.answers)) if move.id not in ("dice", "rest") else None
        played = promises.by_chance(game, state, act, noted)
    except ActRefused as refused:
        if tried.may_refuse(refused.refusal.clause):
            return None
        raise
    faces = tuple(noted.faces)
    assert odds or not move.rolls or not tried.every_roll_has_odds, f"“{move.id}” has rolls=True and no odds"
    if odds:
        promises.odds_hold(game, odds)
    if odds and move.rolls:
        outcomes = [fact for fact in played.facts if isinstance(fact, OutcomeFact)]
        promises.outcome_was_foreseen(odds, outcomes[:1] if tried.rolls_follow else outcomes)
    if not noted.redrew:
        promises.typed_at_the_end_holds(game, state, act, faces)
        promises.real_dice_hold(game, state, act, faces, played, data.draw(st.integers(0, 9)))
    promises.facts_hold(game, played.facts)
    promises.changes_hold(game, state, played.state)
    tried.holds(state, played)
    return played


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_through_legal_moves(name: str) -> None:
    """From any legal campaign every open move plays, every blocked one is refused, and all that is promised holds.

    Nothing that the check of the file has nothing against becomes wrong by play.
    """
    tried = trial(name)

    @settings(max_examples=examples(tried.walks), phases=PHASES)
    @given(data=st.data())
    def walk(data: st.DataObject) -> None:
        state, dice = data.draw(tried.states), chance(data)
        wrong = promises.position_holds(tried.game, state)
        promises.edit_holds(tried.game, state, data.draw(st.integers(0, 999)), data.draw(st.sampled_from(WRITTEN)))
        for _ in range(tried.steps):
            promises.refusals_hold(tried.game, state, dice)
            played = done(data, tried, state, next_move(data, tried, state), dice)
            if played is None:
                continue
            state = played.state
            new = promises.position_holds(tried.game, state) - wrong
            broken = {fault for fault in new if fault[1] not in tried.passing}
            assert not broken, f"“{played.words}” led to values that `waylog check` calls wrong: {broken}"

    walk()


@EACH
def test_a_game_has_verbs_of_its_own(name: str) -> None:
    """A verb that Waylog itself plays in every game would never reach the game."""
    game = trial(name).game
    offered = {move.verb for move in game.system.moves(game.position(game.fresh("Trial")))}
    assert not offered & WAYLOGS, f"these verbs are Waylog's: {offered & WAYLOGS}"


@pytest.mark.clause("VK-01", "VN-01", "VC-01", "RF-01")
@EACH
def test_a_fresh_sheet_has_no_faults(name: str) -> None:
    """A fresh sheet has no faults, and is read again as it was written."""
    game = trial(name).game
    state = game.fresh("Trial")
    assert game.read(game.write(state)) == (state, [])


@pytest.mark.clause("NM-25")
@pytest.mark.parametrize("name", [*OWN, *cases(SHIPPED, 1)])
def test_every_effect_may_be_what_a_full_clock_does(name: str) -> None:
    """What may stand in a file as an effect has words that the check lets stand, and by them the same is done as by itself.

    At a desk, each campaign tries a third of them.
    """
    tried, turns = trial(name), count()

    @settings(max_examples=examples(15), phases=PHASES)
    @given(data=st.data())
    def effects(data: st.DataObject) -> None:
        state, dice = replace(data.draw(tried.states), open=None), chance(data)
        # Whoever is alone has nobody to choose.
        moves = [
            move
            for move in promises.moves_of(tried.game, state)
            if move.effect and all(ask.options for ask in move.asks if isinstance(ask, PickOne))
        ]
        for move in cases(moves, next(turns), 3):
            full(data, tried, state, move, dice)

    effects()


def full(data: st.DataObject, tried: Trial, state: State, move: Move, dice: Dice) -> None:
    """A clock fills that does that."""
    game, act = tried.game, Act(move, data.draw(tried.answers(state, without_refusal(move))))
    straw = Clock("Last straw", ClockKind.DEATH, 4, 3, when_full=format_act(move, act.answers))
    state = replace(state, clocks={**state.clocks, LAST_STRAW: straw})
    path = ("clocks", LAST_STRAW, "when_full")
    assert not [fault for fault in game.read(game.write(state))[1] if fault.path == path]
    filled = game.play(state, parse_act(game.moves(state), f"tick {LAST_STRAW} 1"), dice).state
    (effect,) = (move for move in game.moves(filled) if move.id == f"effect {LAST_STRAW}")
    legal = promises.tried(lambda: complete_answers(move, act.answers))
    if isinstance(legal, Refusal):
        assert effect.blocked
        assert effect.blocked.reason == legal.reason
        assert effect.blocked.clause in promises.clauses_of(game)
        return
    noted = Noted(dice)
    alone = promises.tried(lambda: game.play(replace(filled, open=None), act, noted).state)
    if effect.blocked:  # It would be refused, so it is not offered.
        assert alone == effect.blocked
        return
    offered = promises.tried(lambda: game.play(filled, Act(effect, faces=tuple(noted.faces)), dice).state)
    if isinstance(alone, Refusal) or isinstance(offered, Refusal):
        assert alone == offered
        return
    assert game.difference(alone, offered) == ()
