"""The projection: everything that players may see of a campaign, as values without anything hidden.

It is made in the program that has the campaign open, and only the projection leaves it. `waylog watch` needs neither
the campaign file nor the log, so hidden things never get into that program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from types import MappingProxyType

from waylog.rules.common import deck_moves, situation_moves
from waylog.rules.common.clocks import Clock, WhileRunning
from waylog.rules.common.people import away_characters
from waylog.rules.common.random_tables import Tables
from waylog.rules.common.sessions import under_way
from waylog.rules.common.situations import Situation, for_all, in_force
from waylog.rules.facts import ClockStep, Fact, NoteFact, NotePart, RollFact
from waylog.rules.game import Game, mark_absent
from waylog.rules.panels import MarkRow, Panel, Row, TextRow
from waylog.rules.players_game import PlayersGame
from waylog.rules.position import Position
from waylog.rules.state import State
from waylog.rules.systems import System, running_effects
from waylog.store.countdowns import Countdown, countdowns
from waylog.store.entries import LogEntry
from waylog.store.players_moves import OpenMove, VisibleOdds, VisiblePlayer, open_moves, visible_odds, visible_players
from waylog.store.visibility import Visibility, VisibleClock, VisibleDeck
from waylog.values import dataclass, replace

LINES = 60
"""The most lines of the log that players see."""
_LOOKED_AT = 400
"""Entries among which those lines are looked for, because many may be secret."""
_NO_TABLES: Tables = MappingProxyType({})
_UNKNOWN = "?"
"""The name of a hidden clock."""


@dataclass(frozen=True, slots=True)
class VisibleAct:
    """The part of an act that players may see."""

    at: str
    """The time of day."""
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Projection:
    """Everything that players see at one moment."""

    name: str = ""
    system: str = ""
    """The game's name for people."""
    session: int = 0
    """The number of the session in progress; 0 between sessions."""
    title: str = ""
    """The session's title."""
    panels: tuple[Panel, ...] = ()
    """The panels of ship and crew. Their rows have no keys, because those are the wayfinder's own words."""
    clocks: tuple[VisibleClock, ...] = ()
    decks: tuple[VisibleDeck, ...] = ()
    log: tuple[VisibleAct, ...] = ()
    """The latest acts that still hold, newest last."""
    question: str = ""
    """The open question; empty if there is none, or the campaign has no players."""
    players: tuple[VisiblePlayer, ...] = ()
    """The people of the table."""
    moves: tuple[OpenMove, ...] = ()
    """What players may propose now."""
    odds: tuple[VisibleOdds, ...] = ()
    """The exact odds of the rolls among these moves."""
    timers: tuple[Countdown, ...] = ()
    """The timers that players see. Each program counts them down by itself."""


def project_table(
    players: PlayersGame, game: Game, state: State, holding: Iterable[LogEntry], acting: Collection[str]
) -> Projection:
    """Return everything that players may see and do. `acting` has the paths of the people and things that the open act is about."""
    seen = project_state(game.system, state, holding, game.tables)
    if not state.players:
        return seen
    moves = open_moves(players, state, acting)
    people, odds = visible_players(players, state), visible_odds(players, state, moves)
    return replace(seen, question=players.question(state) or "", players=people, moves=moves, odds=odds)


def project_state(system: System, state: State, holding: Iterable[LogEntry], tables: Tables = _NO_TABLES) -> Projection:
    """Return everything that players may see.

    `holding` yields the entries that still hold, newest first; only as many as needed are taken.
    """
    session, sight = under_way(state.sessions), Visibility.of_players(state, tables)
    rest = iter(holding)
    newest = next(rest, None)
    entries = chain(() if newest is None else (newest,), islice(rest, _LOOKED_AT - 1))
    running = countdowns(state.timers, newest.at if newest else None)
    return Projection(
        state.name,
        system.name,
        session,
        state.sessions[str(session)].title if str(session) in state.sessions else "",
        tuple(_seen_panels(system, state)),
        tuple(_seen_clocks(system, state, sight)),
        tuple(filter(None, map(sight.deck, state.decks.values()))),
        tuple(reversed([*islice(_seen_acts(entries, sight), LINES)])),
        timers=tuple(one for one in running if one.seen),
    )


def _seen_panels(system: System, state: State) -> Iterator[Panel]:
    """Return the panels as the game draws them if hidden clocks show only that they run."""
    running = {key: clock for key, clock in state.clocks.items() if not clock.closed}
    clocks = {f"{number}": _mask_clock(clock) for number, clock in enumerate(running.values())}
    stage = state.open.stage if state.open else None
    known = running_effects(system)
    holding = for_all(in_force(state.situations, state.clocks, known))
    situations = {f"{number}": _masked_situation(one) for number, one in enumerate(holding.values())}
    game_panels = system.panels(Position(state.sheet, state.rules, clocks, stage, situations))
    away = away_characters(state.players, state.sessions)
    for panel in (
        *mark_absent(system, game_panels, away),
        *deck_moves.panel(state.decks),
        *situation_moves.panel(state.situations, state.clocks, known),
    ):
        if not panel.secret:
            yield replace(panel, key="", rows=tuple(_without_keys(row) for row in panel.rows if not _secret(row)))


def _without_keys(row: Row) -> Row:
    return replace(row, key="", switch="") if isinstance(row, MarkRow | TextRow) else replace(row, key="")


def _secret(row: Row) -> bool:
    return isinstance(row, TextRow) and row.secret


def _mask_clock(clock: Clock) -> Clock:
    """Return a clock that shows only its running effect, and its name if players see it."""
    name, running = clock.name if clock.seen else _UNKNOWN, clock.running if clock.runs else WhileRunning.NOTHING
    return Clock(name, seen=clock.seen, running=running)


def _masked_situation(situation: Situation) -> Situation:
    """Return a situation that shows only its effect, and its name if players see it."""
    return Situation(situation.name if situation.seen else _UNKNOWN, situation.makes, seen=situation.seen)


def _seen_clocks(system: System, state: State, sight: Visibility) -> Iterator[VisibleClock]:
    for clock in state.clocks.values():
        seen = None if clock.closed else sight.clock(clock)
        if seen:
            # Leave out values that this game ignores: they have no effect.
            does = seen.running in running_effects(system)
            yield seen if does else replace(seen, running=WhileRunning.NOTHING)


def _seen_acts(holding: Iterable[LogEntry], sight: Visibility) -> Iterator[VisibleAct]:
    for entry in holding:
        if facts := sight.facts(entry):
            yield VisibleAct(f"{entry.at:%H:%M}", tuple(map(_for_players, facts)))


def _for_players(fact: Fact) -> Fact:
    """Return the fact without what only the wayfinder's log and recap look at."""
    match fact:
        case NoteFact():
            return replace(fact, quote=None, part=NotePart.RESULT, step=ClockStep())
        case RollFact():
            return replace(fact, deed="")
        case _:
            return fact
