"""Effects: the commands that a full clock, a card or a table's entry stores. Which of them are possible in a game, how they are
offered, and the circles of tables and decks that lead back to themselves (NM-03).

Only moves that say `effect=True` can be effects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Path, join_names, words_for
from waylog.rules.common.random_tables import Tables, entries_with_paths
from waylog.rules.model.answers import complete_answers, complete_offer
from waylog.rules.model.decks import Decks
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Act, ActRefused, Move, Refusal
from waylog.rules.model.state import ACT, EffectOffer, OpenState
from waylog.values import replace

Node = tuple[str, str]
"""A table or a deck: its kind and key, `("table", "door")` or `("deck", "hold")`."""
Reads = Callable[[str], Node | None]
"""Returns the table or deck that an effect rolls on or draws from, or None."""
Circles = Mapping[Node, Fault]
"""The tables and decks that lead back to themselves, each with a fault that names the path."""
_Ways = Mapping[Node, Mapping[Node, Path]]
"""For each table and deck, where it may lead, and the path of the entry or card that says so."""


def circles(tables: Tables, decks: Decks, reads: Reads) -> Circles:
    """Return the tables and decks that lead back to themselves, each with its path (NM-03)."""
    ways, found = _ways(tables, decks, reads), {}
    for start in ways:
        if way := _way_back(ways, start):
            path_text = " → ".join(f"{kind} {key}" for kind, key in way)
            found[start] = Fault(
                ways[start][way[1]], f"this {start[0]} leads back to itself ({path_text})", "NM-03", grave=False
            )
    return found


def _ways(tables: Tables, decks: Decks, reads: Reads) -> _Ways:
    found: dict[Node, dict[Node, Path]] = {}
    for key, table in tables.items():
        ways = found["table", key] = {}
        for path, entry in entries_with_paths(table):
            if entry.table:
                ways.setdefault(("table", entry.table), path)
            if entry.effect and (node := reads(entry.effect)):
                ways.setdefault(node, path)
    for key, deck in decks.items():
        ways = found["deck", key] = {}
        for name, card in deck.cards.items():
            if card.effect and (node := reads(card.effect)):
                ways.setdefault(node, ("decks", key, "cards", name, "effect"))
    return found


def _way_back(ways: _Ways, start: Node) -> tuple[Node, ...]:
    """Return the shortest path from `start` back to itself; empty if there is none."""
    reached: dict[Node, tuple[Node, ...]] = {start: (start,)}
    waiting = [start]
    for node in waiting:
        for following in sorted(ways.get(node, ())):
            if following == start:
                return (*reached[node], start)
            if following not in reached:
                reached[following] = (*reached[node], following)
                waiting.append(following)
    return ()


WHEN_FULL = "when_full"
"""The name of the answer that is itself an effect: what a clock does when it is full."""
EffectRefusal = Callable[[str], Refusal | None]
"""Returns why the effect with these words can never be applied, or None if it can."""
CLOCK = "clocks."
"""The beginning of an offer's source if that is a full clock."""
SKIP = "skip"
"""The verb that takes none of the offers of a choice."""


def skipped_words(offer: EffectOffer) -> str:
    """Return what is said if a choice is skipped: `Mara: no reward`."""
    none = f"no {'more ' if offer.taken else ''}{offer.one_of.replace('_', ' ')}"
    return f"{offer.why}: {none}" if offer.why else none.capitalize()


def names_already(does: str, why: str) -> bool:
    """Whether what an offer does names the person whom it is for, as “Roll for Mara: Resist” does; or there is nobody to name."""
    return not why or re.search(rf"(?<!\w){re.escape(why)}(?!\w)", does) is not None


def as_own_act(move: Move) -> Move:
    """Return an offer of an earlier act. It is undone by itself, because another act has come between."""
    title = move.title or move.label
    label = f"{title} (offered earlier)" if move.label == title else move.label
    return replace(move, label=label, title=title, apart=True)


def with_offers(opened: OpenState, offers: Collection[EffectOffer]) -> OpenState:
    """Add offered effects to what is open, the newest first. Those that are offered again are not kept from before, and a new choice
    replaces the one before. Each has a name that no other one has that is still offered. An offer of nothing takes a choice
    back.
    """
    others = [
        offer
        for offer in opened.offers
        if replace(offer, late=False, number=1) not in offers and not any(new.is_beside(offer) for new in offers)
    ]
    taken = {(offer.word, offer.number) for offer in others}
    named = list[EffectOffer]()
    for offer in (new for new in offers if new.act):
        number = next(number for number in count(1) if (offer.word, number) not in taken)
        taken.add((offer.word, number))
        named.append(replace(offer, number=number))
    return replace(opened, offers=(*named, *others)) if offers else opened


def notes_on_withdrawn(opened: OpenState, offers: Collection[EffectOffer], *, secret: bool) -> tuple[NoteFact, ...]:
    """Return a note on each choice that is open and that new offers take back: `Mara: no consequence any more`."""
    back = [new for new in offers if not new.act and not any(new.is_beside(other) for other in offers if other.act)]
    gone = dict.fromkeys(
        (old.why, old.one_of, old.source) for old in opened.offers if any(new.is_beside(old) for new in back)
    )
    return tuple(
        NoteFact(
            f"{f'{why}: ' if why else ''}no {name.replace('_', ' ')} any more",
            secret=secret,
            about=() if source.startswith(ACT) else (source,),
        )
        for why, name, source in gone
    )


def without_offer(opened: OpenState, taken: EffectOffer, *, skips: bool = False) -> OpenState:
    """Return what is open once an offer is taken: without it, and without those that it takes the place of. Of its choice, those go too for
    which not enough is left, or all if they are skipped.
    """
    place = opened.offers.index(taken)
    others = list[EffectOffer]()
    for other in (*opened.offers[:place], *opened.offers[place + 1 :]):
        is_beside = taken.is_beside(other)
        after = replace(other, taken=other.taken + taken.takes) if is_beside else other
        ends = is_beside and (skips or after.still_to_take < after.takes)
        is_same = taken.once and not skips and other.one_of != taken.one_of and other.act == taken.act
        if not ends and not ((taken.instead or is_same) and other.source == taken.source):
            others.append(after)
    return replace(opened, offers=tuple(others))


def offer_words(opened: OpenState) -> Mapping[str, EffectOffer]:
    """Return the offered effects by the word to type for each: the name of the clock, card or table that brought it."""
    named = {f"{place}": offer for place, offer in enumerate(opened.offers)}
    names = (f"{offer.word}-{offer.number}" if offer.number > 1 else offer.word for offer in opened.offers)
    words = words_for(zip(named, names, strict=True), "effect")
    return {word: named[key] for word, key in words.items()}


_NEEDS = {"tick": "clock", "draw": "deck", "table": "random table"}
"""The thing that an effect with that verb needs."""


def read_effect(moves: Sequence[Move], words: str) -> Act:
    """Return the act of an effect, which is one of `moves`. Raises `ActRefused` if its words are none. Like an entry of the log, it was
    written when a question that is asked now may have had a usual answer; of a roll, whoever makes it is asked.
    """
    from waylog.rules.language.command_parser import CommandUnclear, parse_act, with_unlogged
    from waylog.rules.language.line_tokens_and_matching import tokens

    try:
        act = parse_act(moves, words)
    except CommandUnclear:
        verbs = sorted({move.verb for move in moves})
        if any(verb.startswith(token.text.lower()) for token in tokens(words)[:1] for verb in verbs):
            raise
        verb = next((token.text.lower() for token in tokens(words)), "")
        reason = f"“{words}” is not an effect in this game: effects start with {join_names(verbs, 'or')}"
        if verb in _NEEDS:
            reason = f"“{words}” needs a {_NEEDS[verb]}, but this campaign has none yet"
        raise ActRefused(reason) from None
    if act.faces:
        raise ActRefused(
            f"“{words}” includes dice that have not been rolled yet: leave out {', '.join(map(str, act.faces))}"
        )
    return act if act.move.rolls else with_unlogged(act)


def refusal_of_effect(moves: Sequence[Move], words: str, *, asks: bool = False) -> Refusal | None:
    """Return why words are no effect, whatever the campaign is like now; None if they are one. With `asks`, whoever takes it is asked what
    a roll or a move of the game's file leaves open.
    """
    try:
        act = read_effect(moves, words)
        leaves_open = asks and (act.move.asks_when_offered or act.move.rolls)
        answers = (complete_offer if leaves_open else complete_answers)(act.move, act.answers)
    except ActRefused as refused:
        return refused.refusal
    # A clock may be started with an effect of its own. That effect has to be legal too.
    ending = str(answers.get(WHEN_FULL, ""))
    return refusal_of_effect(moves, ending, asks=True) if ending else None


def effect_faults(path: Path, words: str, clause: str, refusal: EffectRefusal) -> Iterator[Fault]:
    """Yield the fault of an effect at that path of a file, if it can never be applied."""
    if words and (why := refusal(words)):
        yield Fault(path, why.reason, why.clause or clause, grave=False)
