"""What players may see of a campaign: values with nothing hidden in them, and the file that `waylog watch` reads.

A projection is made where the campaign is open, and nothing else ever leaves it. Whoever reads the file needs neither the
campaign file nor the log, so that what is hidden is not in that program at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from waylog.campaign.entries import Entry, public_facts
from waylog.rules.clocks import Clock, Kind, Running, Segments
from waylog.rules.decks import Deck, Luck
from waylog.rules.panels import Panel, Row, TextRow
from waylog.rules.sessions import under_way
from waylog.rules.state import State
from waylog.rules.systems import System, while_running
from waylog.rules.turns import Fact, Position
from waylog.values import dataclass

LINES = 60
"""Lines of the log that players see, at most."""
_LOOKED_AT = 400
"""Entries among which those lines are looked for: an evening may be full of what is secret."""
_UNKNOWN = "?"
"""What a hidden clock is called."""


@dataclass(frozen=True, slots=True)
class SeenClock:
    """A clock that players know of."""

    name: str
    kind: Kind
    segments: Segments
    filled: int | None
    """None where they may not see how full it is (NM-20)."""
    outcome: str
    """What it leads to, where they may know (NM-28)."""
    running: Running
    """What it does to play while it runs."""

    @property
    def full(self) -> bool:
        """It is known to be full."""
        return self.filled is not None and self.filled >= self.segments


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card that players know."""

    text: str
    luck: Luck
    out: bool
    """It was drawn, or put aside."""


@dataclass(frozen=True, slots=True)
class SeenDeck:
    """A deck of which players know cards (NM-14)."""

    name: str
    cards: tuple[SeenCard, ...]


@dataclass(frozen=True, slots=True)
class SeenAct:
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
    clocks: tuple[SeenClock, ...] = ()
    decks: tuple[SeenDeck, ...] = ()
    log: tuple[SeenAct, ...] = ()
    """The latest of what was done and holds, newest last."""


def projected(system: System, state: State, holding: Iterable[Entry]) -> Projection:
    """What players may see. `holding` are the entries that hold, newest first; no more of them are taken than needed."""
    session = under_way(state.sessions)
    return Projection(
        state.name,
        system.name,
        session,
        state.sessions[str(session)].title if str(session) in state.sessions else "",
        tuple(_seen_panels(system, state)),
        tuple(_seen_clock(system, clock) for clock in state.clocks.values() if clock.seen and not clock.closed),
        tuple(_seen_deck(deck) for deck in state.decks.values() if any(map(deck.shows, deck.cards))),
        tuple(reversed([*islice(_seen_acts(islice(holding, _LOOKED_AT)), LINES)])),
    )


def _seen_panels(system: System, state: State) -> Iterator[Panel]:
    """The panels as the game draws them when it knows of hidden clocks no more than that they run."""
    running = {key: clock for key, clock in state.clocks.items() if not clock.closed}
    clocks = {f"{number}": _masked(clock) for number, clock in enumerate(running.values())}
    stage = state.open.stage if state.open else None
    for panel in system.panels(Position(state.sheet, state.rules, clocks, stage)):
        if not panel.secret:
            yield replace(panel, key="", rows=tuple(replace(row, key="") for row in panel.rows if not _secret(row)))


def _secret(row: Row) -> bool:
    return isinstance(row, TextRow) and row.secret


def _masked(clock: Clock) -> Clock:
    """A clock of which only that it runs, and what it does meanwhile, can be told; and its name if players see it."""
    name, running = clock.name if clock.seen else _UNKNOWN, clock.running if clock.runs else Running.NOTHING
    return Clock(name, seen=clock.seen, running=running)


def _seen_clock(system: System, clock: Clock) -> SeenClock:
    filled = clock.filled if clock.shows_count else None
    outcome = clock.outcome if clock.shows_outcome else ""
    # What a person has written that this game doesn't look for does nothing, and nobody is told that it does.
    running = clock.running if clock.running in while_running(system) else Running.NOTHING
    return SeenClock(clock.name, clock.kind, clock.segments, filled, outcome, running)


def _seen_deck(deck: Deck) -> SeenDeck:
    pile = deck.pile
    return SeenDeck(
        deck.name,
        tuple(SeenCard(card.text, card.luck, key not in pile) for key, card in deck.cards.items() if deck.shows(key)),
    )


def _seen_acts(holding: Iterable[Entry]) -> Iterator[SeenAct]:
    for entry in holding:
        if facts := public_facts(entry):
            yield SeenAct(f"{entry.at:%H:%M}", facts)
