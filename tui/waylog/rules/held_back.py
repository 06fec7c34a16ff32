"""Lines and veils: an entry of a table or a deck that mentions one is hidden from players until the wayfinder shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from waylog.rules.act_words import format_act, quote_text
from waylog.rules.changes import parse_path
from waylog.rules.common.common_rules import offer_words, with_offers
from waylog.rules.facts import Fact, NoteFact, RollFact
from waylog.rules.moves import Act
from waylog.rules.state import ACT, EffectOffer, OpenScene, PlayResult, State
from waylog.values import replace

_SOURCES = ("tables.", "decks.")
_AGAIN = ("table", "draw")
"""Verbs that bring up something else when they are played again."""


def hold_back(
    before: State, played: PlayResult, act: Act, find_mentions: Callable[[str], tuple[str, ...]]
) -> PlayResult:
    """Return the result with each text that mentions a line or a veil hidden, and its dice. Two offers are added: to show the text
    to players, and to bring up something else.

    `act` was played in the state `before`. `find_mentions` returns the lines and veils in a text.
    """
    marked = [(fact, text, found) for fact, text in _find_texts(played.facts) if (found := find_mentions(text))]
    if not marked:
        return played
    hidden = [fact for fact, _, _ in marked]
    facts = tuple(
        replace(fact, secret=True) if fact in hidden or (isinstance(fact, RollFact) and _is_outside(fact)) else fact
        for fact in played.facts
    )
    offers = [
        EffectOffer(_source_of(fact), f"Mentions {', '.join(found)}", f"note {quote_text(text)}")
        for fact, text, found in marked
    ]
    if again := _find_command(before, act):
        offers.append(EffectOffer(_source_of(hidden[0]), "Something else", again, instead=True))
    opened = with_offers(played.state.open or OpenScene(), offers)
    return replace(played, facts=facts, state=replace(played.state, open=opened))


def _find_texts(facts: Sequence[Fact]) -> Iterator[tuple[NoteFact, str]]:
    """Yield the facts in which players would read a text that a table or a deck has brought up, with that text."""
    for fact in facts:
        if isinstance(fact, NoteFact) and fact.quote is not None and not fact.secret and _is_outside(fact):
            yield fact, fact.quote


def _find_command(before: State, act: Act) -> str:
    """Return the command that brings something else up; empty if the same would come up again."""
    if act.move.verb == "effect" and before.open:
        return offer_words(before.open)[act.move.words[0]].act
    return format_act(act.move, act.answers) if act.move.verb in _AGAIN else ""


def _source_of(fact: NoteFact) -> str:
    """Return the source of the offers for a fact. It is no path of the file: offers of the file show nothing to players."""
    return f"{ACT}{parse_path(fact.about[-1])[1]}"


def _is_outside(fact: NoteFact | RollFact) -> bool:
    """Whether it comes from a table or a deck."""
    return any(path.startswith(_SOURCES) for path in fact.about)
