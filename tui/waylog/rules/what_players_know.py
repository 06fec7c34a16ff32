"""What players know of a campaign. It is decided here and nowhere else: the players' file, their recap, and their moves, odds and
refusals (`what_players_may_do.py`) come from it, so none shows more than another (NM-45).

`Visibility` says which things and facts players see. They see a fact if it was not secret when it was made, and if they see everything
that it is about now. So hiding a clock also hides the log's facts about it. What a player wrote is an exception: it is never hidden by
what it names.

`KnownCampaign` is the campaign that is left. The key of a clock, a situation or a table may reveal more than its name, so players get keys
that are made from the names. A hidden clock that makes rolls Desperate or the crew Exposed is included with the name `?`, because players
see its effect.

Each of them is for one player, or for what all players know: what is marked for some players alone is visible to these, and hidden from the
others like anything else (NM-49).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import Protocol

from waylog.rules.codec.changes import parse_path, words_for
from waylog.rules.common import clock_and_situation_moves, deck_moves
from waylog.rules.common.random_tables import Entries, RandomTable, TableEntry, Tables
from waylog.rules.common.seen_by_some_players import (
    campaign_of_one,
    deck_of_one,
    hidden_names,
    readers,
    sees_entry,
    thing_of_one,
)
from waylog.rules.game import mark_absent
from waylog.rules.model.clocks_situations_and_timers import (
    Clock,
    ClockKind,
    Segments,
    Situation,
    Situations,
    Timers,
    WhileRunning,
    clock_path,
    for_all,
    in_force,
)
from waylog.rules.model.decks import CardKind, Deck
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact, quotes_name
from waylog.rules.model.panels import MarkRow, Panel, TextRow
from waylog.rules.model.players_and_permissions import Players, away_characters, name_of
from waylog.rules.model.state import EntryKind, OpenState, Position, State
from waylog.rules.rulebook import Rulebook
from waylog.values import dataclass, replace

UNKNOWN = "?"
"""The name of a hidden clock or situation whose effect players see."""


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
    """The effect of the clock while it runs."""
    seen_by: tuple[str, ...] = ()
    """The names of the players who alone see it; empty if all of them do."""

    @property
    def full(self) -> bool:
        """Whether it is visibly full."""
        return self.filled is not None and self.filled >= self.segments


@dataclass(frozen=True, slots=True)
class VisibleCard:
    """A card as players see it (NM-14)."""

    text: str
    luck: CardKind
    out: bool
    """It was drawn, or set aside."""
    seen_by: tuple[str, ...] = ()
    """The names of the players who alone see it; empty if all of them do."""


@dataclass(frozen=True, slots=True)
class VisibleDeck:
    """A deck with cards that players see (NM-14)."""

    name: str
    cards: tuple[VisibleCard, ...]


class FactSource(Protocol):
    """The part of a log entry that decides which of its facts players see."""

    @property
    def facts(self) -> tuple[Fact, ...]: ...

    @property
    def kind(self) -> EntryKind: ...

    @property
    def by(self) -> str: ...


class Visibility:
    """The visible parts of a campaign: for one player, without a key for all of them, or with `everything` for the wayfinder."""

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
        player: str = "",
    ) -> None:
        self._clocks, self._decks, self._tables = clocks, decks, tables
        self._situations, self._timers, self.everything = situations, timers or {}, everything
        self._players, self._player = players or {}, player

    @classmethod
    def of_players(cls, state: State, tables: Tables, player: str = "") -> Visibility:
        """Return the parts that this player sees now, or all players."""
        return cls(state.clocks, state.decks, state.situations, tables, state.timers, state.players, player=player)

    @classmethod
    def of_wayfinder(cls, state: State, tables: Tables) -> Visibility:
        """Return what the wayfinder sees: everything."""
        return cls(state.clocks, state.decks, state.situations, tables, state.timers, state.players, everything=True)

    def name_player(self, key: str) -> str:
        """Return the name of one of the people of the table."""
        return name_of(self._players, key)

    def _names_of(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(self.name_player, keys))

    # -- things -------------------------------------------------------------------------------------------------

    def clock(self, clock: Clock) -> VisibleClock | None:
        """Return the visible parts of a clock; None if it is hidden. A game may know no rule for its effect."""
        if not (self.everything or thing_of_one(clock, self._player).seen):
            return None
        filled = clock.filled if clock.shows_count or self.everything else None
        outcome = clock.outcome if clock.shows_outcome or self.everything else ""
        return VisibleClock(
            clock.name, clock.kind, clock.segments, filled, outcome, clock.running, self._names_of(clock.seen_by)
        )

    def deck(self, deck: Deck) -> VisibleDeck | None:
        """Return the visible cards of a deck; None if there are none."""
        visible, pile = deck_of_one(deck, self._player), deck.pile
        shown = [(key, card) for key, card in deck.cards.items() if self.everything or visible.shows(key)]
        cards = tuple(
            VisibleCard(card.text, card.luck, key not in pile, self._names_of(card.seen_by)) for key, card in shown
        )
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
                clock = thing_of_one(self._clocks[key], self._player)
                return {"filled": clock.shows_count, "outcome": clock.shows_outcome}.get(".".join(part), clock.seen)
            case ("decks", key, "cards", card) if key in self._decks:
                return card in self._decks[key].cards and deck_of_one(self._decks[key], self._player).shows(card)
            case ("situations", key) if key in self._situations:
                return thing_of_one(self._situations[key], self._player).seen
            case ("tables", key, number) if key in self._tables:
                return sees_entry(self._tables[key], number, self._player)
            case ("tables", key) if key in self._tables:
                return self._tables[key].seen
            case _:
                return False

    # -- facts ------------------------------------------------------------------------------------------------------

    def facts(self, entry: FactSource) -> tuple[Fact, ...]:
        """Return the visible facts of an entry, without their paths, which are the wayfinder's own keys, and with the names of those who
        alone see them. Its command and changes are never shown.
        """
        if self.everything:
            return tuple(map(self._with_names, entry.facts))
        return tuple(self._without_keys(fact) for fact in entry.facts if self.shows(entry, fact))

    def _with_names(self, fact: Fact) -> Fact:
        if isinstance(fact, OutcomeFact) or not fact.seen_by:
            return fact
        return replace(fact, seen_by=self._names_of(fact.seen_by))

    def _without_keys(self, fact: Fact) -> Fact:
        fact = self._with_names(fact)
        if isinstance(fact, OutcomeFact) or not fact.about:
            return fact
        match parse_path(fact.about[0]) if fact.about else ():
            # Of an entry that some players see of a hidden table, they see what came up, not what the table is called.
            case ("tables", key, *_) if isinstance(fact, NoteFact) and fact.quote and not self.sees(f"tables.{key}"):
                return replace(fact, about=(), text=fact.quote)
            case _:
                return replace(fact, about=())

    def hides_entry(self, entry: FactSource) -> bool:
        """Whether the entry has facts, but none that is visible."""
        return bool(entry.facts) and not any(self.shows(entry, fact) for fact in entry.facts)

    def shows(self, entry: FactSource, fact: Fact) -> bool:
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
            return self.everything or not fact.secret
        is_theirs = not fact.seen_by or self._player in fact.seen_by
        return is_theirs and not fact.secret and all(map(self.sees, fact.about))

    @cached_property
    def _hidden_names(self) -> tuple[str, ...]:
        """The names of hidden clocks, decks, situations and timers, except names that a visible one also has."""
        return hidden_names(self._clocks, self._decks, self._situations, self._timers, self._player)


def revealed_names(before: State, after: State, tables: Tables) -> tuple[str, ...]:
    """Return what was hidden from players, or from one of them, in `before` and is not in `after`, with names for the wayfinder."""
    if not readers(before) | readers(after):
        return _names_revealed_to("", before, after, tables)
    return tuple(
        dict.fromkeys(chain(*(_names_revealed_to(each, before, after, tables) for each in ("", *after.players))))
    )


def _names_revealed_to(player: str, before: State, after: State, tables: Tables) -> tuple[str, ...]:
    before, after = (campaign_of_one(state, player) for state in (before, after))
    then, now = (Visibility.of_players(state, tables, player) for state in (before, after))
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
            found.append(f"cards in “{deck.name}”")
    for key, situation in after.situations.items():
        if situation.seen and key in before.situations and not before.situations[key].seen:
            found.append(f"“{situation.name}”")
    found += [
        f"the timer “{timer.name}”"
        for key, timer in after.timers.items()
        if timer.seen and key in before.timers and not before.timers[key].seen
    ]
    return tuple(found)


# -- the campaign that is left ---------------------------------------------------------------------------------------------


class KnownCampaign:
    """A campaign as one player knows it, or all of them. All of it may leave the wayfinder's program, to these players alone."""

    def __init__(self, system: Rulebook, state: State, tables: Tables, player: str = "") -> None:
        self.system = system
        self.sight = Visibility.of_players(state, tables, player)
        """Says which facts of the log players know."""
        self._whole = state = campaign_of_one(state, player)
        effects = system.running
        clocks = {
            key: seen if seen.running in effects else replace(seen, running=WhileRunning.NOTHING)
            for key, clock in state.clocks.items()
            if not clock.closed and (seen := self.sight.clock(clock))
        }
        self.clocks = tuple(clocks.values())
        forces = in_force(state.situations, state.clocks, effects)
        keys = {
            "clocks": words_for(((key, clock.name) for key, clock in clocks.items()), "clock"),
            "situations": words_for(((key, one.name) for key, one in forces.items() if one.seen), "situation"),
            "tables": table_keys(tables),
        }
        self.paths = {f"{part}.{known}": f"{part}.{key}" for part, of in keys.items() for known, key in of.items()}
        """The paths in the whole campaign of the things that have another key here."""
        opened = state.open and _known_scene(state.open, {key: known for known, key in keys["clocks"].items()})
        running = {key: clock.running for key, clock in state.clocks.items() if clock.runs}
        hidden = [running[key] for key in running if key not in clocks and running[key] in effects]
        self.state = State(
            state.name,
            state.rules,
            system.players_sheet(state.sheet, opened.stage if opened else None),
            {
                **{known: _as_played(clocks[key], runs=key in running) for known, key in keys["clocks"].items()},
                **{
                    f"{UNKNOWN}{number}": Clock(UNKNOWN, ClockKind.AUGURY, seen=False, running=effect)
                    for number, effect in enumerate(hidden)
                },
            },
            sessions={key: replace(session, notes="") for key, session in state.sessions.items()},
            open=opened,
            situations=_known_situations(forces, keys["situations"]),
            players={key: replace(player, notes="") for key, player in state.players.items()},
            overruled=state.overruled,
        )
        """The campaign that the rules work on when players ask what they may do. Decks, saved dice, rulings and timers are left out:
        only the wayfinder plays with them.
        """

    @property
    def decks(self) -> tuple[VisibleDeck, ...]:
        """The decks of which players see any card."""
        return tuple(filter(None, map(self.sight.deck, self._whole.decks.values())))

    @property
    def timers(self) -> Timers:
        """The timers that players see, with the names of those who alone see them."""
        names = self.sight.name_player
        seen = {key: timer for key, timer in self._whole.timers.items() if timer.seen}
        return {key: replace(one, seen_by=tuple(map(names, one.seen_by))) for key, one in seen.items()}

    def panels(self) -> Iterator[Panel]:
        """Yield the panels as the game draws them for players. Their rows have no keys, because those are the wayfinder's own words."""
        for panel in self._keyed_panels():
            without_keys = (
                replace(row, key="", switch="") if isinstance(row, MarkRow | TextRow) else replace(row, key="")
                for row in panel.rows
            )
            yield replace(panel, key="", rows=tuple(without_keys))

    def row_labels(self) -> Iterator[tuple[str, str]]:
        """Yield the key and the label of each row that players see. The keys stay in the wayfinder's program."""
        for panel in self._keyed_panels():
            yield from ((row.key, row.label) for row in panel.rows if row.label)

    def _keyed_panels(self) -> Iterator[Panel]:
        state, system, whole = self.state, self.system, self._whole
        stage, situations = state.open.stage if state.open else None, for_all(state.situations)
        position = Position(state.sheet, state.rules, state.clocks, stage, situations)
        for panel in (
            *mark_absent(system, system.panels(position), away_characters(state.players, state.sessions)),
            *deck_moves.panel(whole.decks),
            *clock_and_situation_moves.panel(whole.situations, whole.clocks, system.running),
        ):
            if not panel.secret:
                rows = (row for row in panel.rows if not (isinstance(row, TextRow) and row.secret))
                yield replace(panel, rows=tuple(rows))


def _as_played(seen: VisibleClock, *, runs: bool) -> Clock:
    """Return a clock as the rules see it when players ask what they may do. They know whether its effect holds, even if it hides how
    full it is.
    """
    return Clock(
        seen.name,
        seen.kind,
        seen.segments,
        seen.filled or 0,
        seen.outcome,
        count_seen=seen.filled is not None,
        running=seen.running if runs else WhileRunning.NOTHING,
    )


def _known_scene(opened: OpenState, keys: Mapping[str, str]) -> OpenState:
    """Return what is open, without hidden clocks. Offers and drawn cards are the wayfinder's."""
    on, moved = (tuple(keys[key] for key in found if key in keys) for found in (opened.on, opened.moved))
    paths = {clock_path(key): clock_path(known) for key, known in keys.items()}
    called = opened.called and replace(
        opened.called, on=tuple(paths[path] for path in opened.called.on if path in paths)
    )
    return replace(opened, on=on, moved=moved, offers=(), drawn=(), missed={}, called=called)


def _known_situations(forces: Situations, seen: Mapping[str, str]) -> Situations:
    known = {one: Situation(forces[key].name, forces[key].makes, forces[key].rolls) for one, key in seen.items()}
    hidden = [each for each in for_all(forces).values() if not each.seen]
    masks = {f"{UNKNOWN}{number}": Situation(UNKNOWN, each.makes, seen=False) for number, each in enumerate(hidden)}
    return {**known, **masks}


def table_keys(tables: Tables) -> Mapping[str, str]:
    """Return the keys of the tables that players see, by the keys under which players get them: the keys can't give a name away."""
    return words_for(((key, table.name) for key, table in tables.items() if table.seen), "table")


def known_tables(tables: Tables) -> Tables:
    """Return the visible tables without their contents, by the keys that players know them by."""
    return {known: _known_table(tables[key]) for known, key in table_keys(tables).items()}


def _known_table(table: RandomTable) -> RandomTable:
    sections = {f"{number}": _blank_entries(entries) for number, (_, entries) in enumerate(table.in_order, 1)}
    return RandomTable(table.name, seen=True, entries=_blank_entries(table.entries), sections=sections)


def _blank_entries(entries: Entries) -> Entries:
    # The die stays the same, and nothing tells which entry has a weight.
    return (TableEntry(UNKNOWN),) * (sum(entry.weight for entry in entries) if len(entries) > 1 else len(entries))
