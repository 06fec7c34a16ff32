"""What players may see. The players' file and the recap both use this, so that neither shows more than the other.

Players may see a fact if it was not secret when it was made, and if they see everything that it is about now. So hiding
a clock also hides the log's facts about it. What a player wrote is an exception: it is never hidden by what it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from waylog.rules.codec.changes import parse_path
from waylog.rules.common.random_tables import Tables
from waylog.rules.model.clocks import Clock, ClockKind, Segments, Situations, WhileRunning
from waylog.rules.model.decks import CardKind, Deck
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact
from waylog.rules.model.people import Players, name_of
from waylog.rules.model.state import State
from waylog.rules.model.timers import Timers
from waylog.store.log.entries import LogEntry, quotes_name
from waylog.values import dataclass, replace


@dataclass(frozen=True, slots=True)
class VisibleClock:
    """A clock as players see it."""

    name: str
    kind: ClockKind
    segments: Segments
    filled: int | None
    """Its progress; None if it is hidden (NM-20)."""
    outcome: str
    """Its ending, if players see it (NM-28)."""
    running: WhileRunning
    """Its effect while running."""

    @property
    def full(self) -> bool:
        """Whether it is visibly full."""
        return self.filled is not None and self.filled >= self.segments


@dataclass(frozen=True, slots=True)
class VisibleCard:
    """A card that players see."""

    text: str
    luck: CardKind
    out: bool
    """It was drawn, or set aside."""


@dataclass(frozen=True, slots=True)
class VisibleDeck:
    """A deck with cards that players see (NM-14)."""

    name: str
    cards: tuple[VisibleCard, ...]


class Visibility:
    """The visible parts of a campaign: for players, or with `everything` for the wayfinder."""

    def __init__(
        self,
        clocks: Mapping[str, Clock],
        decks: Mapping[str, Deck],
        situations: Situations,
        tables: Tables,
        timers: Timers | None = None,
        players: Players | None = None,
        *,
        everything: bool = False,
    ) -> None:
        self._clocks, self._decks, self._tables = clocks, decks, tables
        self._situations, self._timers, self.everything = situations, timers or {}, everything
        self._players = players or {}

    @classmethod
    def of_players(cls, state: State, tables: Tables) -> Visibility:
        """Return the parts that players see now."""
        return cls(state.clocks, state.decks, state.situations, tables, state.timers, state.players)

    @classmethod
    def of_wayfinder(cls, state: State, tables: Tables) -> Visibility:
        """Return everything."""
        return cls(state.clocks, state.decks, state.situations, tables, state.timers, state.players, everything=True)

    def name_player(self, key: str) -> str:
        """Return the name of one of the people of the table."""
        return name_of(self._players, key)

    # -- things -------------------------------------------------------------------------------------------------

    def clock(self, clock: Clock) -> VisibleClock | None:
        """Return the visible parts of a clock; None if it is hidden."""
        if not (clock.seen or self.everything):
            return None
        filled = clock.filled if clock.shows_count or self.everything else None
        outcome = clock.outcome if clock.shows_outcome or self.everything else ""
        return VisibleClock(clock.name, clock.kind, clock.segments, filled, outcome, clock.running)

    def deck(self, deck: Deck) -> VisibleDeck | None:
        """Return the visible cards of a deck; None if there are none."""
        shown = [key for key in deck.cards if deck.shows(key) or self.everything]
        pile = deck.pile
        cards = tuple(VisibleCard(deck.cards[key].text, deck.cards[key].luck, key not in pile) for key in shown)
        return VisibleDeck(deck.name, cards) if shown else None

    def sees(self, about: str) -> bool:
        """Whether a thing, or a part of it, is visible: `clocks.storm`, `clocks.storm.filled`, `decks.hold.cards.rats`,
        `tables.door.4`.

        Things that are no longer in the campaign are not.
        """
        if self.everything:
            return True
        match parse_path(about):
            case ("clocks", key, *part) if key in self._clocks:
                clock = self._clocks[key]
                return {"filled": clock.shows_count, "outcome": clock.shows_outcome}.get(".".join(part), clock.seen)
            case ("decks", key, "cards", card) if key in self._decks:
                return card in self._decks[key].cards and self._decks[key].shows(card)
            case ("situations", key) if key in self._situations:
                return self._situations[key].seen
            case ("tables", key, *_) if key in self._tables:
                return self._tables[key].seen
            case _:
                return False

    # -- facts ------------------------------------------------------------------------------------------------------

    def facts(self, entry: LogEntry) -> tuple[Fact, ...]:
        """Return the visible facts of an entry, without their paths, which are the wayfinder's own keys. Its command
        and changes are never shown.
        """
        if self.everything:
            return entry.facts
        return tuple(
            fact if isinstance(fact, OutcomeFact) or not fact.about else replace(fact, about=())
            for fact in entry.facts
            if self.shows(entry, fact)
        )

    def hides_entry(self, entry: LogEntry) -> bool:
        """Whether the entry has facts, but none that is visible."""
        return bool(entry.facts) and not any(self.shows(entry, fact) for fact in entry.facts)

    def shows(self, entry: LogEntry, fact: Fact) -> bool:
        """Whether a fact of the entry is visible. What a player wrote is never hidden by what it names: otherwise players
        could guess at names and see from what vanishes which guess is right.
        """
        if not entry.by:
            return self.fact(fact) and (self.everything or not quotes_name(fact, self._hidden_names))
        # The notes of players in older logs say that they are about the clocks that they name.
        return self.fact(replace(fact, about=()) if isinstance(fact, NoteFact) and entry.kind.is_remark else fact)

    def fact(self, fact: Fact) -> bool:
        """Whether a fact is visible, as far as it says itself what it is about."""
        if isinstance(fact, OutcomeFact) or self.everything:
            return True
        return not fact.secret and all(map(self.sees, fact.about))

    @cached_property
    def _hidden_names(self) -> tuple[str, ...]:
        """Return the names of hidden clocks, decks, situations and timers, except names that a visible one also has."""
        marked = (self._clocks, self._situations, self._timers)
        seen = {thing.name for things in marked for thing in things.values() if thing.seen}
        seen |= {deck.name for deck in self._decks.values() if self.deck(deck)}
        every = {thing.name for things in (*marked, self._decks) for thing in things.values()}
        return tuple(name for name in every - seen if name)


def revealed_names(before: State, after: State, tables: Tables) -> tuple[str, ...]:
    """Return what was hidden from players in `before` and is not in `after`, with names for the wayfinder."""
    then, now = Visibility.of_players(before, tables), Visibility.of_players(after, tables)
    found = list[str]()
    for key in [key for key in after.clocks if key in before.clocks]:
        was, seen, name = then.clock(before.clocks[key]), now.clock(after.clocks[key]), f"“{after.clocks[key].name}”"
        if seen and was is None:
            found.append(name)
        elif seen and was:
            found += [f"the progress of {name}"] if was.filled is None and seen.filled is not None else []
            found += (
                [f"the ending of {name}"] if seen.outcome and not was.outcome and before.clocks[key].outcome else []
            )
    for key in [key for key in after.decks if key in before.decks]:
        old, deck = before.decks[key], after.decks[key]
        if any(deck.shows(card) and not old.shows(card) for card in deck.cards if card in old.cards):
            found.append(f"cards of “{deck.name}”")
    for key, situation in after.situations.items():
        if situation.seen and key in before.situations and not before.situations[key].seen:
            found.append(f"“{situation.name}”")
    found += [
        f"the timer “{timer.name}”"
        for key, timer in after.timers.items()
        if timer.seen and key in before.timers and not before.timers[key].seen
    ]
    return tuple(found)
