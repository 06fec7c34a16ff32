"""Veil Runners, the first edition."""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import strategies as st

from tests.rules import legal
from tests.rules.trial import Trial
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind, WhileRunning
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import system
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import Bay, Module
from waylog.rules.systems.veil_classic.sheet import ClassicTokens, FiveDice, FiveDiceShip, HouseRules, Member

GAME = Game(system("veil-classic"))
ACROSS = {"VC-05", "VC-20", "VC-26"}
"""Refusals that no single answer can tell: grit for what is Expert anyway, engineering where no ship is pushed, a roll that
comes to no dice."""
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
    rules = draw(legal.rules(HouseRules))
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
    running = draw(st.sampled_from((WhileRunning.NOTHING, WhileRunning.DESPERATE)))
    effect = draw(st.sampled_from(("", "damage ship", "day passes")))
    return {"storm": Clock("Storm", draw(st.sampled_from(ClockKind)), 4, 3, running=running, when_full=effect)}


def holds(_before: State, played: PlayResult) -> None:
    """Five dice lie on the ship or are lost."""
    ship = played.state.sheet.ship
    assert sum(getattr(ship.systems, name) for name in ("Telemetry", "Engines", "Shields")) + ship.dice_lost == 5


TRIAL = Trial(GAME, states(), ACROSS, holds=holds, proves=("VC-01", "VC-14", "VC-25"))
