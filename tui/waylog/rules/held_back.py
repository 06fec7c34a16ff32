"""What a table or a deck brings up is held back from players if it mentions a line or a veil, until the wayfinder has seen it."""

from __future__ import annotations

from collections.abc import Callable

from waylog.rules.changes import parse_path
from waylog.rules.command_grammar import quote_text
from waylog.rules.common.common_rules import offer_words, with_offers
from waylog.rules.facts import Fact, NoteFact, RollFact
from waylog.rules.moves import Move
from waylog.rules.state import ACT, EffectOffer, OpenScene, PlayResult, State
from waylog.values import replace

_SOURCES = ("tables.", "decks.")
_AGAIN = ("table", "draw")
"""The verbs that bring something else up when they are played again."""


def _is_brought_up(fact: Fact) -> bool:
    """Whether players see a text in this fact that a table or a deck has brought up."""
    return isinstance(fact, NoteFact) and fact.quote is not None and not fact.secret and _is_from_outside(fact)


def hold_back(
    before: State, played: PlayResult, move: Move, find_mentions: Callable[[str], tuple[str, ...]]
) -> PlayResult:
    """Return the result with what mentions a line or a veil made secret, with its dice, and two offers for each: to tell it after
    all, and to bring up something else.

    `move` was played in the state `before`. `find_mentions` returns the lines and veils in a text.
    """
    marked = [fact for fact in played.facts if isinstance(fact, NoteFact) and _is_brought_up(fact)]
    marked = [fact for fact in marked if find_mentions(fact.text)]
    if not marked:
        return played
    facts = tuple(
        replace(fact, secret=True)
        if fact in marked or (isinstance(fact, RollFact) and _is_from_outside(fact))
        else fact
        for fact in played.facts
    )
    offers = [
        EffectOffer(
            _source_of(fact), f"Mentions {', '.join(find_mentions(fact.text))}", f"note {quote_text(fact.text)}"
        )
        for fact in marked
    ]
    if again := _find_command(before, played, move):
        offers.append(EffectOffer(_source_of(marked[0]), "Something else", again))
    opened = with_offers(played.state.open or OpenScene(), offers)
    return replace(played, facts=facts, state=replace(played.state, open=opened))


def _find_command(before: State, played: PlayResult, move: Move) -> str:
    """Return the command that brings something else up; empty if the same would come up again."""
    if move.verb == "effect" and before.open:
        return offer_words(before.open)[move.words[0]].act
    return played.words if move.verb in _AGAIN else ""


def _source_of(fact: NoteFact) -> str:
    """Return the source of the offers for a fact. It is no place in the file: what a file offers can't tell players anything."""
    return f"{ACT}{parse_path(fact.about[-1])[1]}"


def _is_from_outside(fact: NoteFact | RollFact) -> bool:
    return any(path.startswith(_SOURCES) for path in fact.about)
