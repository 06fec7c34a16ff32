"""Scene cards: the scenes that the wayfinder has prepared, each in a file of its own (NM-50).

To open a card is one act: it begins the scene and does what the card lists, each line an act in words like any other effect. Then
its secrets are told one by one. The files stay as they were written: what was opened and told is in the campaign file, so undo and
the log need nothing new, and a card may be edited, copied or removed at any time. Players never get a card, nor a move about one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Path, join_names, words_for
from waylog.rules.codec.records import codec
from waylog.rules.common import seen_by_some_players
from waylog.rules.common.random_tables import Tables
from waylog.rules.model.clocks_situations_and_timers import Clock, Situations, Timers
from waylog.rules.model.decks import Decks
from waylog.rules.model.facts import Fact, NoteFact, quotes_name
from waylog.rules.model.moves import Move, Refusal
from waylog.rules.model.state import CardProgress, State
from waylog.values import dataclass, field, replace

OPEN, REVEAL = "open", "reveal"
CLAUSE = "NM-50"
_KNOWN = Refusal("players already know that", CLAUSE)


@dataclass(frozen=True, slots=True)
class CardSecret:
    """Something that players may learn in a scene. A file may write it as its text alone."""

    SHORT: ClassVar = "text"

    text: Annotated[str, "The text that players read once you tell them the secret"] = ""
    told: Annotated[bool, "Whether players already know this secret"] = False


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A file in `prep/`: a scene that you have prepared. Players see none of it until you open it or tell them."""

    title: Annotated[str, "The title of the scene, which players see once it starts (default: the file's name)"] = ""
    pitch: Annotated[str, "Text to read aloud when the scene starts"] = ""
    who: Annotated[tuple[str, ...], "Who is there, with a line of text for each person"] = ()
    do: Annotated[tuple[str, ...], "Commands to carry out when the scene opens, for example: clock Fog 6 death"] = ()
    tables: Annotated[tuple[str, ...], "Random tables for this scene, by the names of their files"] = ()
    decks: Annotated[tuple[str, ...], "Decks for this scene, by key"] = ()
    secrets: Annotated[
        Mapping[str, CardSecret], "Secrets that players may learn. You reveal each one with a single key"
    ] = field(default_factory=dict)
    otherwise: Annotated[str, "What happens if nobody comes"] = ""
    notes: Annotated[str, "For the wayfinder"] = ""


SceneCards = Mapping[str, SceneCard]
"""Scene cards by the name of their file, without its ending."""
Progress = Mapping[str, CardProgress]
"""The campaign's progress with each card, by the name of its file."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a card's file."""
    properties: dict[str, Any] = codec(SceneCard).schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Waylog scene card", **properties}


def current(cards: SceneCards, progress: Progress) -> str:
    """Return the key of the card that was opened last; empty if none was, or its file is gone."""
    opened = {key: one.opened for key, one in progress.items() if one.opened}
    latest = max(opened, key=opened.__getitem__, default="")
    return latest if latest in cards else ""


def untold(card: SceneCard, progress: CardProgress) -> tuple[str, ...]:
    """Return the keys of the secrets that players don't know yet."""
    return tuple(key for key, secret in card.secrets.items() if not (secret.told or key in progress.told))


def card_words(cards: SceneCards) -> Mapping[str, str]:
    """Return the keys of cards by the word to type for each."""
    return words_for(((key, key) for key in cards), "card")


def _secret_words(card: SceneCard) -> Mapping[str, str]:
    return words_for(((key, key) for key in card.secrets), "secret")


def moves(
    cards: SceneCards,
    progress: Progress,
    clocks: Mapping[str, Clock],
    decks: Decks,
    situations: Situations,
    timers: Timers,
) -> tuple[Move, ...]:
    """Return the moves that open a card, and those that tell players a secret of one. A text that names something hidden can't be told:
    players would not see it.
    """
    hidden, found = seen_by_some_players.hidden_names(clocks, decks, situations, timers), list[Move]()
    for word, key in card_words(cards).items():
        card, known, about = cards[key], progress.get(key, CardProgress()), (f"prep.{key}",)
        label = f"{'Return to' if known.opened else 'Open'} the scene “{card.title}”"
        heading = f"{'Back to' if known.opened else 'New'} scene: {card.title}"
        found.append(Move(OPEN, (word,), label, about=about, name=card.title, heading=heading))
        for secret_word, secret in _secret_words(card).items():
            text = card.secrets[secret].text
            blocked = None if secret in untold(card, known) else _KNOWN
            if names := [name for name in hidden if quotes_name(NoteFact(text), (name,))]:
                blocked = Refusal(
                    f"this secret mentions something hidden from players. First show {join_names(f'“{name}”' for name in names)}",
                    CLAUSE,
                )
            label, path = f"Tell players: {text}", (f"prep.{key}.secrets.{secret}",)
            move = Move(REVEAL, (word, secret_word), label, (), blocked, about=path, name=card.title)
            move = replace(move, heading=f"Players are told: {text}")
            found.append(replace(move, reveals="" if blocked else f"Tell players “{text}”?"))
    return tuple(found)


def put_needed_first(moves: Sequence[Move], cards: SceneCards, progress: Progress) -> Sequence[Move]:
    """Return the moves with those of the tables and decks of the current card before the others."""
    card = cards.get(current(cards, progress))
    if card is None or not (card.tables or card.decks):
        return moves
    needed = {*(f"tables.{key}" for key in card.tables), *(f"decks.{key}" for key in card.decks)}
    return sorted(moves, key=lambda move: not needed.intersection(move.about))


def open_card(cards: SceneCards, state: State, move: Move) -> tuple[State, str, tuple[str, ...]]:
    """Return the state with a card as the current one, its title, and the effects that come with it: only the first time there are any."""
    key = card_words(cards)[move.words[0]]
    known, latest = state.prep.get(key, CardProgress()), max((one.opened for one in state.prep.values()), default=0)
    prep = {**state.prep, key: replace(known, opened=latest + 1)}
    return replace(state, prep=prep), cards[key].title, () if known.opened else cards[key].do


def reveal(cards: SceneCards, state: State, move: Move) -> tuple[State, tuple[Fact, ...]]:
    """Return the state with a secret told, and the fact that players then see."""
    key = card_words(cards)[move.words[0]]
    secret = _secret_words(cards[key])[move.words[1]]
    known = state.prep.get(key, CardProgress())
    prep = {**state.prep, key: replace(known, told=(*known.told, secret))}
    return replace(state, prep=prep), (NoteFact(cards[key].secrets[secret].text, CLAUSE),)


def faults(card: SceneCard, tables: Tables, decks: Collection[str]) -> Iterator[Fault]:
    """Yield a fault for each table and deck that a card needs and that isn't there."""
    for part, needed, known in (("tables", card.tables, tables), ("decks", card.decks, decks)):
        for number, key in enumerate(needed):
            if key not in known:
                there = f"the {part} are {join_names(known)}" if known else f"there are no {part} yet"
                message = f"there is no {part.removesuffix('s')} “{key[:40]}”: {there}"
                yield Fault((part, str(number)), message, CLAUSE, grave=False)


def effects(card: SceneCard) -> Iterator[tuple[Path, str]]:
    """Yield the effects of a card with their paths in its file."""
    yield from ((("do", str(number)), words) for number, words in enumerate(card.do))


def texts(card: SceneCard) -> Iterator[tuple[Path, str]]:
    """Yield every text of a card that may be read out, with its path in the file."""
    yield from (((name,), getattr(card, name)) for name in ("title", "pitch", "otherwise"))
    yield from ((("who", str(number)), text) for number, text in enumerate(card.who))
    yield from ((("secrets", key, "text"), secret.text) for key, secret in card.secrets.items())
