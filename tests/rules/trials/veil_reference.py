"""Veil Runners, the reference edition."""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import strategies as st

from tests.rules import legal
from tests.rules.trial import Trial
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind, WhileRunning
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import system
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import Bay, Module, Tokens
from waylog.rules.systems.veil_reference.sheet import HouseRules, Item, Member, SixDice, SixDiceShip, Skill

GAME = Game(system("veil-reference"))
ACROSS = {"RF-20"}
"""Refusals that no single answer can tell: a roll that comes to no dice."""
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
    rules = draw(legal.rules(HouseRules))
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
    running = draw(st.sampled_from((WhileRunning.NOTHING, WhileRunning.DESPERATE)))
    effect = draw(st.sampled_from(("", "damage ship", "lose supplies")))
    return {"storm": Clock("Storm", draw(st.sampled_from(ClockKind)), 4, 3, running=running, when_full=effect)}


def holds(_before: State, played: PlayResult) -> None:
    """Six dice lie on the ship, wherever they went."""
    ship = played.state.sheet.ship
    assert sum(getattr(ship.systems, name) for name in ("SigInt", "Shields", "Engines")) == 6


TRIAL = Trial(GAME, states(), ACROSS, holds=holds, proves=("RF-01", "RF-19"))
