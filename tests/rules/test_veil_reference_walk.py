"""The reference edition walked at random: what holds for every move of every legal campaign."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules import legal
from tests.rules.test_properties import check_changes, check_refusals, check_state, check_words, fault_set, moves_of
from waylog.rules.clocks import Clock, Kind, Running
from waylog.rules.dice import ChanceDice
from waylog.rules.game import Game
from waylog.rules.moves import Move, Refused, completed
from waylog.rules.state import Played, State
from waylog.rules.systems import system
from waylog.rules.systems.veil_core.sheet import Bay
from waylog.rules.systems.veil_reference.house_rules import HouseRules
from waylog.rules.systems.veil_reference.sheet import Item, Member, Module, SixDice, SixDiceShip, Skill, Tokens
from waylog.rules.words import Act

GAME = Game(system("veil-reference"))
STEPS = 7
ACROSS = {"RF-20", "NM-26"}
"""Refusals that no single answer can tell: a roll that comes to no dice, a clock already at its end."""
NAMES = ("Mara", "engines", "two", "Mk 2", "7", "BIG EAR", "help", "Ö", "mara")


@st.composite
def members(draw: st.DrawFn, most: int, most_dice: int) -> Member:
    """Someone in any state that the rules can bring about."""
    equipment = {
        key: Item(draw(st.sampled_from(NAMES)), "", draw(st.integers(1, most_dice)), draw(st.booleans()))
        for key in ("a", "b")[: draw(st.integers(0, 2))]
    }
    skills = st.lists(st.sampled_from(("sharp mind", "Gut feelings", "engines", "coax")), max_size=3, unique=True)
    return Member(draw(st.sampled_from(NAMES)), "", draw(st.integers(0, most)), tuple(draw(skills)), equipment)


@st.composite
def states(draw: st.DrawFn) -> State:
    """A legal campaign."""
    hints = get_type_hints(HouseRules)
    rules = draw(
        st.builds(HouseRules, **{f.name: st.sampled_from(get_args(hints[f.name])) for f in fields(HouseRules)})
    )
    module = st.builds(Module, st.sampled_from(NAMES), destroyed=st.booleans())
    tokens = draw(st.builds(Tokens, st.booleans(), st.booleans(), st.booleans(), st.booleans()))
    dice = SixDice(*draw(st.sampled_from(((2, 2, 2), (0, 0, 6), (0, 3, 3), (1, 2, 3), (5, 1, 0)))))
    built = {bay: draw(module) for bay in Bay if draw(st.booleans())}
    ship = SixDiceShip(
        destroyed=draw(st.sampled_from((False, False, False, True))), systems=dice, tokens=tokens, modules=built
    )
    keys = draw(
        st.lists(st.sampled_from(("mara", "joss", "engines", "Nora Quist", "7")), min_size=1, max_size=3, unique=True)
    )
    crew = {key: draw(members(rules.vitality, rules.equipment_dice)) for key in keys}
    skills = {"engines": Skill("", "Tend", "Engines"), "c": Skill("coax")}
    fresh = GAME.fresh("Trial")
    sheet = replace(fresh.sheet, ship=ship, crew=crew, skills=skills)
    return replace(fresh, rules=rules, sheet=sheet, clocks=draw(clocks()))


@st.composite
def clocks(draw: st.DrawFn) -> Mapping[str, Clock]:
    """A clock, or none."""
    if draw(st.booleans()):
        return {}
    running = draw(st.sampled_from((Running.NOTHING, Running.DESPERATE)))
    effect = draw(st.sampled_from(("", "damage ship", "lose supplies")))
    return {"storm": Clock("Storm", draw(st.sampled_from(Kind)), 4, 3, running=running, when_full=effect)}


def next_moves(moves: list[Move]) -> st.SearchStrategy[Move]:
    """Any of them, but mostly answers to what is asked, and else mostly rolls: of all that can be done they lead on."""
    likely = [move for move in moves if move.follows] or [move for move in moves if move.rolls] or moves
    return st.one_of(st.sampled_from(likely), st.sampled_from(likely), st.sampled_from(moves))


def chance_dice() -> st.SearchStrategy[ChanceDice]:
    """Dice that fall as they may, or all as high as they can: many an outcome is rare otherwise."""
    random = st.randoms(use_true_random=False).map(lambda source: ChanceDice(source.randrange))
    return st.one_of(random, random, st.just(ChanceDice(lambda sides: sides - 1)))


def played_or_refused(state: State, act: Act, dice: ChanceDice) -> Played | None:
    """What the act comes to; None where its answers don't go together, which is refused by a clause of `ACROSS`."""
    try:
        odds = GAME.odds(state, act.move, completed(act.move, act.answers))
        assert (odds is not None) == act.move.rolls
        assert odds is None or sum(chance.chance for chance in odds.spread.chances) == 1
        return GAME.play(state, act, dice)
    except Refused as refused:
        if refused.refusal.clause in ACROSS or act.move.verb == "full":
            return None
        raise


@settings(max_examples=100)
@given(data=st.data())
def test_a_walk_through_legal_moves(data: st.DataObject) -> None:
    """Every open move plays and every blocked one is refused with its clause; what is open survives being saved and read."""
    state = data.draw(states())
    dice = data.draw(chance_dice())
    wrong: set[tuple[Any, ...]] = fault_set(GAME, state)
    assert not {clause for _, clause in wrong if clause and clause.startswith("RF")}
    for _ in range(STEPS):
        check_refusals(GAME, state, dice)
        move = data.draw(next_moves([move for move in moves_of(GAME, state) if legal.answerable(move)]))
        answers = data.draw(legal.answers(move, None))
        check_words(GAME, state, move, answers)
        played = played_or_refused(state, Act(move, answers), dice)
        if played is None:
            continue
        check_changes(GAME, state, played.state)
        check_state(GAME, played.state)
        assert fault_set(GAME, played.state) <= wrong
        assert sum(getattr(played.state.sheet.ship.systems, name) for name in ("SigInt", "Shields", "Engines")) == 6
        state = played.state
