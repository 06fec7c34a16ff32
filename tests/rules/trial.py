"""What it takes to try a game at random: campaigns to begin from, and what of it no rule for all games can know."""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from tests.rules import legal
from tests.rules.any_sheet import any_sheet
from waylog.rules.file_game.clauses import CONDITIONS, COSTS
from waylog.rules.game import Game
from waylog.rules.model.moves import Answers, Move
from waylog.rules.model.state import PlayResult, State
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems import names, system
from waylog.store.file.template_and_conversion import text_of
from waylog.store.games.game_files import system_named

_ALWAYS = frozenset({"NM-05", "NM-26"})
"""A 17 on a d66, and a clock already at its end: whatever the game."""


def plain_answers(state: State, move: Move) -> st.SearchStrategy[Answers]:
    """Legal answers to all that a move asks, each for itself."""
    return legal.answers(move, state.open.stage if state.open else None)


def nothing_more(_before: State, _played: PlayResult) -> None:
    """Nothing holds of this game that doesn't hold of all."""


@dataclass(frozen=True)
class Trial:
    """A game, and how it is tried."""

    game: Game
    states: st.SearchStrategy[State]
    """Legal campaigns."""
    across: Collection[str] = ()
    """Clauses by which an act may be refused though each of its answers is legal for itself."""
    passing: Collection[str] = ()
    """Clauses by which the check of a file may come to say more in the course of play."""
    answers: Callable[[State, Move], st.SearchStrategy[Answers]] = plain_answers
    often: Collection[str] = ("roll",)
    """Verbs that lead on, where others lead aside."""
    seldom: Collection[str] = ()
    """Verbs with which there would soon be nothing more to see."""
    holds: Callable[[State, PlayResult], None] = nothing_more
    """What else holds whenever something was done."""
    proves: tuple[str, ...] = ()
    """The clauses that a walk through this game proves."""
    every_roll_has_odds: bool = True
    """False for pools of any kind, of which some take too long to work out."""
    rolls_follow: bool = False
    """A roll may bring another one, whose outcome its odds don't foresee."""
    steps: int = 7
    walks: int = 40

    def may_refuse(self, clause: str | None) -> bool:
        """An act may turn out to break that clause only when all its answers are taken together."""
        return clause in _ALWAYS or clause in self.across


def trial(name: str) -> Trial:
    """How a game is tried. One of which nothing more is said begins as `waylog new` has it, or with any values of its file."""
    module = f"tests.rules.trials.{name.replace('-', '_')}"
    if importlib.util.find_spec(module) is None:
        return from_the_template(Game(system(name))) if name in names() else from_the_file(Game(system_named(name)))
    found: Trial = importlib.import_module(module).TRIAL
    return found


def from_the_template(game: Game) -> Trial:
    """A game tried from a new campaign."""
    state, faults = game.read(tomllib.loads(text_of("Trial", game)))
    assert not faults
    return Trial(game, st.just(state))


def from_the_file(game: Game) -> Trial:
    """A game in a file tried from any values that the file allows."""
    fresh = game.fresh("Trial")
    assert isinstance(game.system, Rulebook)
    states = st.builds(
        lambda sheet, rules, clocks: replace(fresh, sheet=sheet, rules=rules, clocks=clocks),
        any_sheet(game.system.edition.game, fresh.sheet),
        legal.rules(type(fresh.rules)),
        legal.clocks(),
    )
    declared = game.system.edition.game
    # Options may exclude each other, and be too dear together.
    rolls = [rule for rule in declared.dice.values() if any(one.when != "" for one in rule.options.values())]
    effects = [effect for outcomes in declared.after.values() for each in outcomes.values() for effect in each]
    across = (CONDITIONS, COSTS, *(rule.clause for rule in rolls if rule.clause))
    return Trial(game, states, across if rolls else (), rolls_follow=any(effect.roll for effect in effects))
