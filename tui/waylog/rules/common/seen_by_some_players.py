"""What only some players see, for every game: things with `seen_by`, and what the wayfinder or a player tells some of them (NM-49).

A thing with `seen_by` is visible to these players and to nobody else. `campaign_of_one` hides what is marked for others,
so whatever comes after it asks only whether a thing is seen. `narrow` gives what happens to such a thing the same readers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Path, format_path, join_names, parse_path, words_for
from waylog.rules.common.clock_and_situation_moves import clock_words, open_clocks, situation_words
from waylog.rules.common.deck_moves import card_words, deck_words
from waylog.rules.common.random_tables import RandomTable, Tables, entries_with_paths
from waylog.rules.model.answers import selected_words
from waylog.rules.model.clocks_situations_and_timers import Clock, Situation, Timer, timer_words
from waylog.rules.model.decks import Card, Deck, Decks, DeckVisibility
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact
from waylog.rules.model.moves import Act, Move, Option, PickMany, PickOne, Text
from waylog.rules.model.players_and_permissions import Players, name_of
from waylog.rules.model.state import State
from waylog.values import replace

VERBS = ("only", "tell")
_TO = "to"
_Marked = TypeVar("_Marked", bound=Clock | Situation | Timer)


# -- who sees it -------------------------------------------------------------------------------------------------------


def hidden_names(
    clocks: Mapping[str, Clock],
    decks: Decks,
    situations: Mapping[str, Situation],
    timers: Mapping[str, Timer],
    player: str = "",
) -> tuple[str, ...]:
    """Return the names of things that are hidden from a player, or from any of them, except names that a visible one also has."""
    marked = (clocks, situations, timers)
    seen = {one.name for things in marked for one in things.values() if thing_of_one(one, player).seen}
    known = (deck_of_one(deck, player) for deck in decks.values())
    seen |= {deck.name for deck in known if any(map(deck.shows, deck.cards))}
    every = {thing.name for things in (*marked, decks) for thing in things.values()}
    return tuple(name for name in every - seen if name)


def readers(state: State) -> frozenset[str]:
    """Return the players who see something of the campaign file that not all of them see."""
    marked = (_readers_of(format_path(path), state, {}) for path in _find_marked(state))
    return frozenset(chain.from_iterable(marked)) & state.players.keys()


def campaign_of_one(state: State, player: str) -> State:
    """Return the campaign as this player sees it: what is marked for others is hidden. An empty key is for what all of them see."""
    if not any(True for _ in _find_marked(state)):
        return state
    return replace(
        state,
        clocks={key: thing_of_one(one, player) for key, one in state.clocks.items()},
        situations={key: thing_of_one(one, player) for key, one in state.situations.items()},
        timers={key: thing_of_one(one, player) for key, one in state.timers.items()},
        decks={key: deck_of_one(deck, player) for key, deck in state.decks.items()},
    )


def thing_of_one(thing: _Marked, player: str) -> _Marked:
    """Return a thing as this player sees it: hidden if it is marked for others."""
    return replace(thing, seen=False, seen_by=()) if thing.seen_by and player not in thing.seen_by else thing


def deck_of_one(deck: Deck, player: str) -> Deck:
    """Return a deck as this player sees it: the cards that are marked for others are hidden."""
    others = {key for key, card in deck.cards.items() if card.seen_by and player not in card.seen_by}
    if not others:
        return deck
    shown = tuple(key for key in deck.cards if key not in others and deck.shows(key))
    cards = {key: replace(card, seen_by=()) if key in others else card for key, card in deck.cards.items()}
    return replace(deck, known=DeckVisibility.PARTLY, shown=shown, cards=cards)


def sees_entry(table: RandomTable, number: str, player: str) -> bool:
    """Whether a player sees what comes up as that number of a table."""
    entry = table.find_entry(number)
    return player in entry.seen_by if entry and entry.seen_by else table.seen


def narrow(before: State, after: State, tables: Tables, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts of an act, each for those players alone who see everything that it is about. What is secret stays so."""
    parts = ("clocks", "situations", "timers", "decks")
    states = (before,) if all(getattr(before, part) is getattr(after, part) for part in parts) else (before, after)
    if not (tables or any(any(_find_marked(state)) for state in states)):
        return tuple(facts)
    return tuple(_narrow_fact(fact, (before, after), tables) for fact in facts)


def _narrow_fact(fact: Fact, states: tuple[State, State], tables: Tables) -> Fact:
    if isinstance(fact, OutcomeFact) or fact.secret:
        return fact
    found = (_readers_of(path, state, tables) for path in fact.about for state in states)
    limits = [set(keys) for keys in (fact.seen_by, *found) if keys]
    if not limits:
        return fact
    left = set.intersection(*limits)
    return replace(fact, secret=not left, seen_by=tuple(sorted(left)))


def _readers_of(about: str, state: State, tables: Tables) -> tuple[str, ...]:
    """Return the players who alone see a thing, by its path; nothing if it has no such mark."""
    thing: Clock | Situation | Timer | Card | None = None
    match parse_path(about):
        case ("clocks", key, *_):
            thing = state.clocks.get(key)
        case ("situations", key, *_):
            thing = state.situations.get(key)
        case ("timers", key, *_):
            thing = state.timers.get(key)
        case ("decks", key, "cards", card, *_) if key in state.decks:
            thing = state.decks[key].cards.get(card)
        case ("tables", key, number, *_) if key in tables:
            entry = tables[key].find_entry(number)
            return entry.seen_by if entry else ()
        case _:
            pass
    return thing.seen_by if thing else ()


def _find_marked(state: State) -> Iterator[Path]:
    """Yield the path of each thing of the campaign file that not all players see."""
    for part, things in (("clocks", state.clocks), ("situations", state.situations), ("timers", state.timers)):
        yield from ((part, key) for key, one in things.items() if one.seen_by)
    for key, deck in state.decks.items():
        yield from (("decks", key, "cards", card) for card, one in deck.cards.items() if one.seen_by)


# -- moves -------------------------------------------------------------------------------------------------------------


def moves(
    players: Players,
    clocks: Mapping[str, Clock],
    decks: Decks,
    situations: Mapping[str, Situation],
    timers: Mapping[str, Timer],
) -> tuple[Move, ...]:
    """Return the moves that show a thing to some players alone, and those that tell one of them something; without players, none."""
    words = _player_words(players)
    if not words:
        return ()
    named: Mapping[str, tuple[Mapping[str, str], Mapping[str, Clock | Situation | Timer]]] = {
        "clock": (clock_words(open_clocks(clocks)), clocks),
        "situation": (situation_words(situations), situations),
        "timer": (timer_words(timers), timers),
    }
    found = list[Move]()
    for kind, (known, things) in named.items():
        for word, key in known.items():
            one, about = things[key], (format_path((f"{kind}s", key)),)
            seen_by = one.seen_by or ((*players,) if one.seen else ())
            options = tuple(_options(players, words, f"“{one.name}”", seen_by))
            asks = (PickMany(_TO, "Who sees it", options, 1, clause="NM-49", preposition="to"),)
            found.append(
                Move(
                    "only",
                    (kind, word),
                    f"Show “{one.name}” to some players only",
                    asks,
                    about=about,
                    name=one.name,
                    title=f"Show “{one.name}” only",
                    heading=f"“{one.name}” shown only",
                )
            )
    for word, key in deck_words(decks).items():
        deck = decks[key]
        cards = tuple(Option(card, deck.cards[of].text) for card, of in card_words(deck).items())
        # A card that its deck hides is shown to each of them.
        asked = tuple(_options(players, words, f"a card from “{deck.name}”", ()))
        which = (
            PickOne("card", "Which card", cards, clause="NM-49"),
            PickMany(_TO, "Who sees it", asked, 1, preposition="to"),
        )
        if cards:
            label = f"Show a card from “{deck.name}” to some players only"
            about, title = (format_path(("decks", key)),), f"Show a card from “{deck.name}” only"
            only = Move("only", ("deck", word), label, which, about=about, name=deck.name, title=title)
            found.append(replace(only, heading=f"Card from “{deck.name}” shown only"))
    text = Text("text", "Text", required=True)
    names = {word: name_of(players, key) for word, key in words.items()}
    tells = (
        Move("tell", (word,), f"Tell only {name}", (text,), heading=f"Told only {name}") for word, name in names.items()
    )
    return (*found, *tells)


def _options(players: Players, words: Mapping[str, str], name: str, seen_by: Collection[str]) -> Iterator[Option]:
    for word, key in words.items():
        who = name_of(players, key)
        yield Option(word, who, reveals="" if key in seen_by else f"Show {name} to {who}?")


def _player_words(players: Players) -> Mapping[str, str]:
    return words_for(((key, key) for key in players), "player")


def play(state: State, act: Act) -> tuple[State, tuple[Fact, ...]]:
    """Play one of `moves`: return the state and the facts."""
    move, answers, words = act.move, act.answers, _player_words(state.players)
    if move.verb == "tell":
        to, text = words[move.words[0]], str(answers["text"])
        is_from_other = act.by not in ("", to)
        text = f"{name_of(state.players, act.by)}: {text}" if is_from_other else text
        return state, (NoteFact(text, "NM-49", seen_by=tuple(sorted({to, act.by} - {""}))),)
    seen_by = tuple(words[word] for word in selected_words(answers, _TO))
    who = join_names((name_of(state.players, key) for key in seen_by), "and")
    (kind, word), what = move.words, f"“{move.name}”"
    match kind:
        case "clock":
            key = clock_words(open_clocks(state.clocks))[word]
            after = replace(state, clocks=_mark(state.clocks, key, seen_by))
        case "situation":
            key = situation_words(state.situations)[word]
            after = replace(state, situations=_mark(state.situations, key, seen_by))
        case "timer":
            key = timer_words(state.timers)[word]
            after = replace(state, timers=_mark(state.timers, key, seen_by))
        case _:
            key = deck_words(state.decks)[word]
            deck = state.decks[key]
            card = card_words(deck)[str(answers["card"])]
            cards = {**deck.cards, card: replace(deck.cards[card], seen_by=seen_by)}
            after = replace(state, decks={**state.decks, key: replace(deck, cards=cards)})
            what = f"a card from “{deck.name}”: {deck.cards[card].text}"
    text = f"Only {who} {'sees' if len(seen_by) == 1 else 'see'} {what}"
    return after, (NoteFact(text, "NM-49", secret=True),)


def _mark(things: Mapping[str, _Marked], key: str, seen_by: tuple[str, ...]) -> Mapping[str, _Marked]:
    return {**things, key: replace(things[key], seen=True, seen_by=seen_by)}


# -- what is wrong -----------------------------------------------------------------------------------------------------


def faults(state: State) -> Iterator[Fault]:
    """Yield a fault for each player that doesn't exist, and for each thing that is hidden from those who alone should see it."""
    for path in _find_marked(state):
        yield from player_faults((*path, "seen_by"), _readers_of(format_path(path), state, {}), state.players)
    hidden = (("clocks", state.clocks), ("situations", state.situations), ("timers", state.timers))
    for part, things in hidden:
        for key, one in things.items():
            if one.seen_by and not one.seen:
                message = (
                    "seen is false, so no player sees this. To show it only to the players in seen_by, set seen to true"
                )
                yield Fault((part, key, "seen"), message, "NM-49", grave=False)


def player_faults(path: Path, seen_by: Sequence[str], players: Players) -> Iterator[Fault]:
    """Yield a fault for each of these keys that is no player's."""
    for number, key in enumerate(seen_by):
        if key not in players:
            there = f"the players are {join_names(players, 'and')}" if players else "the campaign has no players yet"
            yield Fault((*path, str(number)), f"there is no player “{key[:40]}”: {there}", "NM-49", grave=False)


def table_faults(table: RandomTable, players: Players) -> Iterator[Fault]:
    """Yield a fault for each player in a random table who doesn't exist."""
    for path, entry in entries_with_paths(table):
        yield from player_faults((*path, "seen_by"), entry.seen_by, players)
