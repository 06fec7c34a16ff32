"""The first edition walked at random: what holds for every move of every legal campaign."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules import legal
from tests.rules.test_properties import check_changes, check_refusals, check_state, check_words, fault_set, moves_of
from tests.rules.test_veil_reference_walk import chance_dice, next_moves
from waylog.rules.clocks import Clock, Kind, Running
from waylog.rules.dice import ChanceDice
from waylog.rules.game import Game
from waylog.rules.moves import Refused, completed
from waylog.rules.state import Played, State
from waylog.rules.systems import system
from waylog.rules.systems.veil_classic.house_rules import HouseRules
from waylog.rules.systems.veil_classic.sheet import ClassicTokens, FiveDice, FiveDiceShip, Member
from waylog.rules.systems.veil_core.sheet import Bay
from waylog.rules.systems.veil_reference.sheet import Module
from waylog.rules.words import Act

GAME = Game(system("veil-classic"))
STEPS = 7
ACROSS = {"VC-05", "VC-20", "VC-26", "NM-26"}
"""Refusals that no single answer can tell: grit for what is Expert anyway, engineering where no ship is pushed, a roll that
comes to no dice, a clock already at its end."""
NAMES = ("Mara", "engines", "risky", "Mk 2", "7", "WIDE ARRAY", "help", "Ö", "joss skill")
TEXTS = ("", "A pilot", "…")


@st.composite
def members(draw: st.DrawFn, most: int) -> Member:
    """Someone in any state that the rules can bring about."""
    said = st.sampled_from(TEXTS)
    personal, grit = draw(st.integers(0, most)), draw(st.integers(0, 4))
    return Member(draw(st.sampled_from(NAMES)), draw(said), draw(said), draw(said), personal, grit)


@st.composite
def states(draw: st.DrawFn) -> State:
    """A legal campaign."""
    hints = get_type_hints(HouseRules)
    rules = draw(
        st.builds(HouseRules, **{f.name: st.sampled_from(get_args(hints[f.name])) for f in fields(HouseRules)})
    )
    module = st.builds(Module, st.sampled_from(NAMES), destroyed=st.booleans())
    tokens = draw(st.builds(ClassicTokens, st.booleans(), st.booleans(), st.booleans(), st.booleans()))
    dice = FiveDice(*draw(st.sampled_from(((1, 2, 2), (0, 0, 5), (0, 2, 1), (1, 0, 0), (0, 0, 0), (4, 1, 0)))))
    ship = FiveDiceShip(
        destroyed=draw(st.sampled_from((*(False,) * 7, True))),
        systems=dice,
        tokens=tokens,
        modules={bay: draw(module) for bay in Bay if draw(st.booleans())},
        state=draw(st.sampled_from(("action", "downtime"))),
        dice_lost=5 - dice.Telemetry - dice.Engines - dice.Shields,
    )
    keys = draw(
        st.lists(
            st.sampled_from(("mara", "joss", "joss-skill", "Nora Quist", "7")), min_size=1, max_size=3, unique=True
        )
    )
    crew = {key: draw(members(rules.personal_dice)) for key in keys}
    fresh = GAME.fresh("Trial")
    return replace(fresh, rules=rules, sheet=replace(fresh.sheet, ship=ship, crew=crew), clocks=draw(clocks()))


@st.composite
def clocks(draw: st.DrawFn) -> Mapping[str, Clock]:
    """A clock, or none."""
    if draw(st.booleans()):
        return {}
    running = draw(st.sampled_from((Running.NOTHING, Running.DESPERATE)))
    effect = draw(st.sampled_from(("", "damage ship", "day passes")))
    return {"storm": Clock("Storm", draw(st.sampled_from(Kind)), 4, 3, running=running, when_full=effect)}


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
    assert not {clause for _, clause in wrong if clause and clause.startswith("VC")}
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
        ship = played.state.sheet.ship
        assert sum(getattr(ship.systems, name) for name in ("Telemetry", "Engines", "Shields")) + ship.dice_lost == 5
        state = played.state
