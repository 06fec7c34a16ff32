"""What players may see of a campaign: values with nothing hidden in them, and the file that `waylog watch` reads.

A projection is made where the campaign is open, and nothing else ever leaves it. Whoever reads the file needs neither the
campaign file nor the log, so that what is hidden is not in that program at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from types import MappingProxyType

from waylog.rules.common import deck_moves, situation_moves
from waylog.rules.common.clocks import Clock, WhileRunning
from waylog.rules.common.random_tables import Tables
from waylog.rules.common.sessions import under_way
from waylog.rules.common.situations import Situation, for_all, in_force
from waylog.rules.facts import Fact, Position
from waylog.rules.panels import Panel, Row, TextRow
from waylog.rules.state import State
from waylog.rules.systems import System, running_effects
from waylog.store.entries import LogEntry
from waylog.store.visibility import Visibility, VisibleClock, VisibleDeck
from waylog.values import dataclass

LINES = 60
"""Lines of the log that players see, at most."""
_LOOKED_AT = 400
"""Entries among which those lines are looked for: an evening may be full of what is secret."""
_NO_TABLES: Tables = MappingProxyType({})
_UNKNOWN = "?"
"""What a hidden clock is called."""


@dataclass(frozen=True, slots=True)
class VisibleAct:
    """What players may know of something that was done."""

    at: str
    """The time of day."""
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Projection:
    """Everything that players see, as it stood at one moment."""

    name: str = ""
    system: str = ""
    """As people call it."""
    session: int = 0
    """The number of the session under way; 0 between sessions."""
    title: str = ""
    """What the session is called."""
    panels: tuple[Panel, ...] = ()
    """The ship's and the crew's. Their rows have no keys: those are the wayfinder's own words."""
    clocks: tuple[VisibleClock, ...] = ()
    decks: tuple[VisibleDeck, ...] = ()
    log: tuple[VisibleAct, ...] = ()
    """The latest of what was done and holds, newest last."""


def project_state(system: System, state: State, holding: Iterable[LogEntry], tables: Tables = _NO_TABLES) -> Projection:
    """What players may see. `holding` are the entries that hold, newest first; no more of them are taken than needed."""
    session, sight = under_way(state.sessions), Visibility.of_players(state, tables)
    return Projection(
        state.name,
        system.name,
        session,
        state.sessions[str(session)].title if str(session) in state.sessions else "",
        tuple(_seen_panels(system, state)),
        tuple(_seen_clocks(system, state, sight)),
        tuple(filter(None, map(sight.deck, state.decks.values()))),
        tuple(reversed([*islice(_seen_acts(islice(holding, _LOOKED_AT), sight), LINES)])),
    )


def _seen_panels(system: System, state: State) -> Iterator[Panel]:
    """The panels as the game draws them when it knows of hidden clocks no more than that they run."""
    running = {key: clock for key, clock in state.clocks.items() if not clock.closed}
    clocks = {f"{number}": _mask_clock(clock) for number, clock in enumerate(running.values())}
    stage = state.open.stage if state.open else None
    known = running_effects(system)
    holding = for_all(in_force(state.situations, state.clocks, known))
    situations = {f"{number}": _masked_situation(one) for number, one in enumerate(holding.values())}
    game_panels = system.panels(Position(state.sheet, state.rules, clocks, stage, situations))
    for panel in (
        *game_panels,
        *deck_moves.panel(state.decks),
        *situation_moves.panel(state.situations, state.clocks, known),
    ):
        if not panel.secret:
            yield replace(panel, key="", rows=tuple(replace(row, key="") for row in panel.rows if not _secret(row)))


def _secret(row: Row) -> bool:
    return isinstance(row, TextRow) and row.secret


def _mask_clock(clock: Clock) -> Clock:
    """A clock of which only that it runs, and what it does meanwhile, can be told; and its name if players see it."""
    name, running = clock.name if clock.seen else _UNKNOWN, clock.running if clock.runs else WhileRunning.NOTHING
    return Clock(name, seen=clock.seen, running=running)


def _masked_situation(situation: Situation) -> Situation:
    """A situation of which only what it makes can be told; and its name if players see it."""
    return Situation(situation.name if situation.seen else _UNKNOWN, situation.makes, seen=situation.seen)


def _seen_clocks(system: System, state: State, sight: Visibility) -> Iterator[VisibleClock]:
    for clock in state.clocks.values():
        seen = None if clock.closed else sight.clock(clock)
        if seen:
            # What a person has written that this game doesn't look for does nothing, and nobody is told that it does.
            does = seen.running in running_effects(system)
            yield seen if does else replace(seen, running=WhileRunning.NOTHING)


def _seen_acts(holding: Iterable[LogEntry], sight: Visibility) -> Iterator[VisibleAct]:
    for entry in holding:
        if facts := sight.facts(entry):
            yield VisibleAct(f"{entry.at:%H:%M}", facts)
