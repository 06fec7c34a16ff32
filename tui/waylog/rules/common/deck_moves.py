"""The moves for decks: build, draw, return, shuffle, show (NM-10…NM-16)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from waylog.rules.codec.changes import format_path, words_for
from waylog.rules.model.act_lists_and_row_verbs import letters_of_names
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.decks import (
    Card,
    CardKind,
    Deck,
    Decks,
    DeckVisibility,
    cannot_draw,
    keep,
    kept_cards,
    owed_words,
    remaining_uses,
    use,
    with_drawn,
)
from waylog.rules.model.dice import TEN, Dice, Die
from waylog.rules.model.facts import Fact, NoteFact
from waylog.rules.model.moves import (
    ActRefused,
    Answers,
    Move,
    Number,
    Option,
    PickMany,
    PickOne,
    Refusal,
    Text,
    refuse_for_state,
)
from waylog.rules.model.panels import Panel, TextRow
from waylog.rules.model.state import EffectOffer
from waylog.values import dataclass, replace

VERBS = ("deck", "card", "draw", "back", "aside", "shuffle", "show", "hide", "stash", "play")
FOLLOWING = ("keep", "return", "stay")
"""The verbs of the moves that follow a draw."""
_SHOW_DRAWN = ("card",)
"""The words of the act that shows the card just drawn."""

_MOST_USES = 99
_BY = PickOne("by", "Whose card", (Option("mine", "the wayfinder's"), Option("theirs", "a player's")), "mine", "NM-15")
_LUCK = PickOne(
    "luck",
    "Kind",
    (Option("good", "good"), Option("neutral", "neutral"), Option("bad", "bad")),
    clause="NM-10",
)


@dataclass(frozen=True, slots=True)
class DeckResult:
    """The result of a deck move."""

    decks: Decks
    facts: tuple[Fact, ...]
    drawn: tuple[str, ...] = ()
    """The deck and the drawn card, or the deck and two cards, one of which is to be kept."""
    offers: tuple[EffectOffer, ...] = ()


def deck_words(decks: Decks) -> Mapping[str, str]:
    """Return the keys of decks by the word to type for each."""
    return words_for(((key, key) for key in decks), "deck", ("deck",))


def card_words(deck: Deck) -> Mapping[str, str]:
    """Return the keys of a deck's cards by the word to type for each."""
    return words_for(((key, key) for key in deck.cards), "card", ("all",))


def _real_cards(deck: Deck) -> PickMany:
    """Ask which cards came up, if they were drawn from real ones on the table. Without an answer, dice or Waylog draw (NM-11)."""
    options = tuple(
        Option(word, deck.cards[key].text or key, deck.cards[key].luck.value)
        for word, key in card_words(deck).items()
        if key in deck.pile
    )
    return PickMany("cards", "Real cards" if deck.draw > 1 else "Real card", options, most=deck.draw, clause="NM-11")


def _options(deck: Deck, keys: Collection[str], state: str, clause: str) -> tuple[Option, ...]:
    """Return an option for each card: first those in `keys`, then the others, refused because they are already in that `state`."""
    options = [
        Option(
            word,
            deck.cards[key].text,
            deck.cards[key].luck.value,
            blocked=None if key in keys else refuse_for_state(deck.cards[key].text or key, f"already {state}", clause),
        )
        for word, key in card_words(deck).items()
    ]
    return tuple(sorted(options, key=lambda option: option.blocked is not None))


def moves(decks: Decks, letters: Mapping[str, str]) -> tuple[Move, ...]:
    """Return every move for decks that is possible at any time. `letters` has those that tables have already, by path: a deck gets
    another one.
    """
    letters = letters_of_names({f"decks.{key}": deck.name for key, deck in decks.items()}, letters)
    kinds = (Option("ready", "made by the wayfinder"), Option("together", "built with the players"))
    name = Text("name", "Name", required=True, reserved=("copy",))
    offered = [Move("deck", (), "New deck", (name, PickOne("kind", "How", kinds, "ready", "NM-15")))]
    new = Text("name", "Name", required=True)
    for word, key in deck_words(decks).items():
        deck, about = decks[key], (f"decks.{key}",)
        does = f"{'Draw two of' if deck.draw > 1 else 'Draw from'} “{deck.name}”"
        label = f"{does} ({len(deck.pile)} left)"
        copy, many = f"Copy “{deck.name}”, with all its cards undrawn", len(deck.pile) > TEN
        deck_own = (
            Move(
                "draw",
                (word,),
                label,
                (_real_cards(deck),),
                cannot_draw(deck),
                key=letters.get(about[0], ""),
                about=about,
                effect=True,
                whole=many,
                title=does,  # How many were left before it is no part of what was done.
                heading=f"{'Two cards' if deck.draw > 1 else 'Card'} drawn from “{deck.name}”",
            ),
            *_card_moves(word, deck, about),
            *_sight_moves(word, deck, about),
            Move("deck", ("copy", word), copy, (new,), about=about, heading=f"“{deck.name}” copied"),
        )
        offered += (replace(move, name=deck.name) for move in deck_own)
    return (*offered, *_uses(decks))


def kept_words(decks: Decks) -> Mapping[str, tuple[str, str]]:
    """Return the deck and key of each kept card, by the word to type for it."""
    named = {f"{place}": (deck, key) for place, (deck, key, _) in enumerate(kept_cards(decks))}
    words = words_for(((place, key) for place, (_, key) in named.items()), "card")
    return {word: named[place] for word, place in words.items()}


def _uses(decks: Decks) -> Iterator[Move]:
    """Yield `play med-bay`, the use of a kept card if its condition is met, for each kept card; and, if there are any, why the
    other cards with uses can't be used (NM-18).
    """
    kept = kept_words(decks)
    for word, (deck, key) in kept.items():
        card = decks[deck].cards[key]
        holds = (Option("yes", "Yes"), Option("no", "No"))
        asks = (
            (PickOne("holds", f"Is this condition met: {card.condition}?", holds, clause="NM-18"),)
            if card.condition
            else ()
        )
        label = f"Use “{card.text}” ({_uses_left_text(card)})"
        about = (f"decks.{deck}.cards.{key}",)
        yield Move("play", (word,), label, asks, about=about, heading=f"“{card.text}” used")
    others = [
        (deck, key)
        for deck in decks
        for key, card in decks[deck].cards.items()
        if card.uses and key not in decks[deck].kept
    ]
    places = words_for(((f"{place}", key) for place, (_, key) in enumerate(others)), "card", kept)
    for word, place in places.items():
        deck, key = others[int(place)]
        card = decks[deck].cards[key]
        missing = "isn't in hand yet: draw it first" if remaining_uses(card) else "has no uses left"
        why = Refusal(f"“{card.text}” {missing}", "NM-18")
        yield Move("play", (word,), f"Use “{card.text}”", (), why, about=(f"decks.{deck}.cards.{key}",))


def _uses_left_text(card: Card) -> str:
    """Return a text such as `1 of 2 uses left`."""
    uses = "use" if card.uses == 1 else "uses"
    return f"{left} of {card.uses} {uses} left" if (left := remaining_uses(card)) else "no uses left"


def check_condition(decks: Decks, move: Move, answers: Answers) -> None:
    """Raise `ActRefused` if the condition of a kept card is not met (NM-18)."""
    if answers.get("holds") == "no":
        deck, key = kept_words(decks)[move.words[0]]
        card = decks[deck].cards[key]
        raise ActRefused(f"“{card.text}” can be used only if {card.condition}", "NM-18")


def panel(decks: Decks) -> Iterator[Panel]:
    """Yield the panel of kept cards, beside the ship, if there are any. A card that players don't see is marked secret."""
    rows = tuple(
        TextRow(
            f"decks.{deck}.cards.{key}",
            _uses_left_text(card),
            card.text + (f", if {card.condition}" if card.condition else ""),
            secret=not decks[deck].shows(key),
        )
        for deck, key, card in kept_cards(decks)
    )
    if rows:
        yield Panel("kept", "ship", "Kept cards", rows, secret=all(row.secret for row in rows))


def _card_moves(word: str, deck: Deck, about: tuple[str, ...]) -> tuple[Move, ...]:
    """Return the moves that add a card, and that move cards between pile, table and aside."""
    name, which = f"“{deck.name}”", "Which card"
    nothing = Refusal(f"no card from {name} has been drawn or set aside", "NM-12")
    undrawn = Refusal(f"no cards have been drawn from {name}", "NM-11")
    empty = Refusal(f"every card in {name} is already set aside", "NM-12")
    all_kept = Refusal(f"{name} has no card to keep", "NM-18")
    drawn = any(key in deck.cards for key in deck.drawn)
    unkept = [key for key in deck.cards if key not in deck.kept]
    later = (
        PickOne("card", which, _options(deck, unkept, "kept", "NM-18"), clause="NM-18"),
        Number("uses", "Number of uses", 1, _MOST_USES, 1),
        Text("condition", "If"),
    )
    back = PickOne("card", which, _options(deck, deck.out, "in the pile", "NM-12"), clause="NM-12")
    playing = [key for key in deck.cards if key not in deck.aside]
    away = PickOne("card", which, _options(deck, playing, "set aside", "NM-12"), clause="NM-12")
    added = (_LUCK, _BY, Text("text", "Text", required=True))
    none_out, none_in_play = None if deck.out else nothing, None if playing else empty
    none_unkept, none_drawn = None if unkept else all_kept, None if drawn else undrawn
    return (
        Move("card", (word,), f"Add a card to {name}", added, about=about, heading=f"Card added to {name}"),
        Move("back", (word,), f"Return a card to {name}", (back,), none_out, about=about, heading=f"Back in {name}"),
        Move(
            "aside",
            (word,),
            f"Set aside a card from {name}",
            (away,),
            none_in_play,
            about=about,
            heading=f"Card from {name} set aside",
        ),
        Move(
            "stash",
            (word,),
            f"Keep a card from {name} for later",
            later,
            none_unkept,
            about=about,
            heading=f"Card from {name} kept for later",
        ),
        Move(
            "shuffle",
            (word,),
            f"Shuffle {name} (drawn cards return)",
            (),
            none_drawn,
            about=about,
            heading=f"{name} shuffled",
        ),
    )


def _sight_moves(word: str, deck: Deck, about: tuple[str, ...]) -> tuple[Move, ...]:
    """Return the moves that show cards to players, and hide them."""
    name, known = f"“{deck.name}”", deck.known
    hidden = [key for key in deck.cards if not deck.shows_all(key)]
    cards = (
        replace(option, reveals="" if option.blocked else f"Show “{option.label}” from {name} to the players?")
        for option in _options(deck, hidden, "visible", "NM-14")
    )
    count = f"all {len(deck.cards)} cards" if len(deck.cards) != 1 else "the one card"
    undrawn = f" Cards not drawn yet: {len(deck.pile)}." if deck.pile else ""
    asked = f"Show the players {count} in {name}, and every card added later?{undrawn}"
    every = Option("all", "every card", reveals=asked)
    shown = PickOne("card", "Which card", (every, *cards), "all", "NM-14")
    seen = (
        Refusal(f"players already see every card in {name}", "NM-14")
        if not hidden and known is DeckVisibility.KNOWN
        else None
    )
    shows_none = known is DeckVisibility.SECRET and not any(map(deck.shows, deck.cards))
    secret = Refusal(f"every card in {name} is already hidden from players", "NM-14") if shows_none else None
    return (
        Move(
            "show",
            ("deck", word),
            f"Show cards in {name} to players",
            (shown,),
            seen,
            about=about,
            heading=f"Shown to players from {name}",
        ),
        Move(
            "hide",
            ("deck", word),
            f"Hide the cards in {name} from players",
            (),
            secret,
            about=about,
            heading=f"Cards in {name} hidden from players",
        ),
    )


def is_sight(move: Move) -> bool:
    """Whether a show or hide move is about a deck or a card, not a clock."""
    return move.verb in ("show", "hide") and move.words[0] in ("deck", *_SHOW_DRAWN)


def question(decks: Decks, drawn: tuple[str, ...]) -> str | None:
    """Ask which of two drawn cards is kept (NM-13), if the file still has both; None if nothing is asked."""
    return (
        f"Which card from “{decks[drawn[0]].name}” will you keep?"
        if len(_there(decks, drawn)) and len(drawn) > 2
        else None
    )


def _there(decks: Decks, drawn: tuple[str, ...]) -> tuple[str, ...]:
    """Return the drawn cards that the deck still has. An edit of the file may have removed some."""
    return tuple(key for key in drawn[1:] if key in decks[drawn[0]].cards) if drawn and drawn[0] in decks else ()


def follow_ups(decks: Decks, drawn: tuple[str, ...]) -> tuple[Move, ...]:
    """Return the follow-ups of a draw: keep one of two cards (NM-13), or choose the other way than the card says
    (NM-12), and show the players a card that they don't see (NM-14).
    """
    if not (there := _there(decks, drawn)):
        return ()
    deck, about = decks[drawn[0]], (f"decks.{drawn[0]}",)
    if question(decks, drawn):
        words = {word: key for word, key in card_words(deck).items() if key in there}
        return tuple(
            Move(
                "keep",
                (word,),
                f"{_card_text(deck.cards[key])}",
                follows=True,
                about=about,
                key=str(place),
                heading=f"{_quote_card(deck.cards[key])} kept",
            )
            for place, (word, key) in enumerate(words.items(), 1)
        )
    # The move belongs to this card and to its deck. It is not offered on other cards.
    subjects = (*about, f"{about[0]}.cards.{drawn[1]}")
    seen = deck.shows_all(drawn[1])
    label, asked = "Show the card to the players", f"Show {_quote_card(deck.cards[drawn[1]])} to the players?"
    show = Move("show", _SHOW_DRAWN, label, follows=True, apart=True, about=subjects, offer="v", reveals=asked)
    show = replace(show, heading=f"{_quote_card(deck.cards[drawn[1]])} shown to the players")
    # Whoever presses its key by a slip is asked, and reads which card it is.
    text = _quote_card(deck.cards[drawn[1]])
    if drawn[1] in (*deck.drawn, *deck.kept):
        label, title = f"Return {text} to the deck", "Return the last card to the deck"
        other = Move("return", (), label, follows=True, about=subjects, offer="b", title=title)
        other = replace(other, heading=f"{text} returned to the deck")
    else:
        label, title = f"Leave {text} out of the deck", "Leave the last card out of the deck"
        other = Move("stay", (), label, follows=True, about=subjects, offer="b", title=title)
        other = replace(other, heading=f"{text} left out of the deck")
    return (other,) if seen else (show, other)


def play(decks: Decks, drawn: tuple[str, ...], move: Move, answers: Answers, dice: Dice) -> DeckResult:
    """Play one of `moves` or `follow_ups`."""
    if move.verb in FOLLOWING or move.words == _SHOW_DRAWN:
        return _play_follow_up(decks, drawn, move)
    if not move.words:
        name = str(answers["name"]).strip()
        deck = Deck(name, together=answers["kind"] == "together")
        text = f"New deck “{name}”" + (f". Add {owed_words(deck)} first" if deck.together else "")
        made = _note(text, "NM-15" if deck.together else "NM-10")
        return DeckResult({**decks, new_key(name, decks): deck}, (made,))
    if move.verb == "play":
        # One use of a kept card is counted. The game applies its effect.
        key, card = kept_words(decks)[move.words[0]]
        after = use(decks[key], card)
        used = _card_note(
            key, after, card, "NM-18", f"Card from “{decks[key].name}” used ({_uses_left_text(after.cards[card])})"
        )
        return DeckResult({**decks, key: after}, (used,))
    key = deck_words(decks)[move.words[-1]]
    deck = decks[key]
    match move.verb:
        case "draw":
            cards = answers.get("cards", ())
            named = (
                [card_words(deck)[word] for word in cards if isinstance(word, str)] if isinstance(cards, tuple) else []
            )
            return _draw_cards(decks, key, named, dice)
        case "deck":
            name = str(answers["name"]).strip()
            copy = replace(deck, name=name, drawn=(), kept=(), aside=(), shown=(), known=DeckVisibility.SECRET)
            return DeckResult(
                {**decks, new_key(name, decks): copy}, (_note(f"New deck “{name}”: a copy of “{deck.name}”", "NM-10"),)
            )
        case "card":
            text, luck = str(answers["text"]), CardKind(str(answers["luck"]))
            new = Card(text, luck, by="players" if answers["by"] == "theirs" else "wayfinder")
            after = replace(deck, cards={**deck.cards, new_key(text, deck.cards): new})
            # What the wayfinder owes for a card of the players is counted.
            debt = f". Still to add: {missing}" if (missing := owed_words(after)) else ""
            added = f"New card in “{deck.name}”: {_card_text(new)}"
            note = _note(added + debt, "NM-15" if deck.together else "NM-10")
        case "stash":
            card = card_words(deck)[str(answers["card"])]
            condition = str(answers["condition"]).strip() or deck.cards[card].condition
            stashed = replace(deck.cards[card], uses=int(str(answers["uses"])), condition=condition)
            after = keep(deck, card, stashed)
            note = _card_note(key, after, card, "NM-18", _describe_kept_card(after, card))
        case "shuffle":
            after, note = replace(deck, drawn=()), _note(f"“{deck.name}” shuffled", "NM-11")
        case "show":
            after, note = _show_deck(key, deck, str(answers["card"]))
        case "hide":
            after = replace(_for_all(deck, deck.cards), known=DeckVisibility.SECRET, shown=())
            note = _note(f"The cards in “{deck.name}” are now hidden from players", "NM-14")
        case _:
            after, note = _move_card(key, deck, move.verb, card_words(deck)[str(answers["card"])])
    return DeckResult({**decks, key: after}, (note,))


def _draw_cards(decks: Decks, key: str, named: Sequence[str], dice: Dice) -> DeckResult:
    """Draw a random card from the pile (NM-11), or two (NM-13). Those that were `named` have been drawn from real cards."""
    deck, cards = decks[key], list(named)
    pile = [card for card in deck.pile if card not in cards]
    for _ in range(min(deck.draw - len(cards), len(pile))):
        place = dice.roll([Die(f"{deck.name}, {len(pile)} cards", len(pile))])[0].face if len(pile) > 1 else 1
        cards.append(pile.pop(place - 1))
    if len(cards) > 1:
        facts = tuple(_card_note(key, deck, card, "NM-13") for card in cards)
        return DeckResult(decks, facts, (key, *cards))
    return _keep_card(decks, key, cards[0], "NM-12")


def _keep_card(decks: Decks, key: str, card: str, clause: str) -> DeckResult:
    deck, drawn_card = decks[key], decks[key].cards[card]
    facts = [_card_note(key, deck, card, clause)]
    after = with_drawn(deck, card)
    if drawn_card.uses:
        facts.append(_card_note(key, after, card, "NM-18", _describe_kept_card(after, card)))
        return DeckResult({**decks, key: after}, tuple(facts), (key, card))
    if drawn_card.returns:
        facts.append(_card_note(key, deck, card, "NM-12", _RETURNED.format(deck.name)))
    if after.draw != deck.draw:
        facts.append(_note("From now on: draw two, keep one" if after.draw > 1 else "From now on: draw one", "NM-13"))
    offers = (
        (EffectOffer(f"decks.{key}.cards.{card}", drawn_card.text, drawn_card.effect),) if drawn_card.effect else ()
    )
    return DeckResult({**decks, key: after}, tuple(facts), (key, card), offers)


_RETURNED = "Card returned to “{}”"


def _describe_kept_card(deck: Deck, key: str) -> str:
    """Return a text such as `Card kept from “The wreck” (1 use, if the power is back)`."""
    card = deck.cards[key]
    uses = "1 use" if card.uses == 1 else f"{card.uses} uses"
    return f"Card from “{deck.name}” kept ({uses}{f', if {card.condition}' if card.condition else ''})"


def _play_follow_up(decks: Decks, drawn: tuple[str, ...], move: Move) -> DeckResult:
    key, deck = drawn[0], decks[drawn[0]]
    if move.verb == "keep":
        return _keep_card(decks, key, card_words(deck)[move.words[0]], "NM-13")
    if move.words == _SHOW_DRAWN:
        word = next(word for word, card in card_words(deck).items() if card == drawn[1])
        after, note = _show_deck(key, deck, word)
        return DeckResult({**decks, key: after}, (note,), drawn=drawn)
    back = move.verb == "return"
    after, note = _move_card(key, deck, "back" if back else "stay", drawn[1])
    return DeckResult({**decks, key: after}, (note,))


def _move_card(key: str, deck: Deck, verb: str, card: str) -> tuple[Deck, NoteFact]:
    """Return a card to the pile, leave it out, or set it aside (NM-12)."""
    drawn = tuple(key for key in deck.drawn if key != card)
    aside = tuple(key for key in deck.aside if key != card)
    deck = replace(deck, kept=tuple(key for key in deck.kept if key != card))
    match verb:
        case "back":
            after, what = replace(deck, drawn=drawn, aside=aside), _RETURNED.format(deck.name)
        case "aside":
            after, what = replace(deck, drawn=drawn, aside=(*aside, card)), f"Card set aside from “{deck.name}”"
        case _:
            after, what = replace(deck, drawn=(*drawn, card)), f"Card left out of “{deck.name}”"
    return after, _card_note(key, deck, card, "NM-12", what)


def _show_deck(key: str, deck: Deck, word: str) -> tuple[Deck, NoteFact]:
    """Show one card of a deck, or all of them, to the players (NM-14)."""
    if word == "all":
        after = replace(_for_all(deck, deck.cards), known=DeckVisibility.KNOWN)
        return after, NoteFact(f"Players can now see all cards from “{deck.name}”", "NM-14")
    card = card_words(deck)[word]
    seen = tuple(known for known in deck.cards if known != card and deck.shows_all(known))
    after = replace(_for_all(deck, (card,)), known=DeckVisibility.PARTLY, shown=(*seen, card))
    return after, _card_note(key, after, card, "NM-14", f"Card from “{deck.name}” shown")


def _for_all(deck: Deck, cards: Collection[str]) -> Deck:
    """Return the deck without the marks of cards that only some players see."""
    freed = {key: replace(card, seen_by=()) for key, card in deck.cards.items() if key in cards and card.seen_by}
    return replace(deck, cards={**deck.cards, **freed}) if freed else deck


def _note(text: str, clause: str) -> NoteFact:
    """Make a note about decks. Players don't see it."""
    return NoteFact(text, clause, secret=True)


def _card_note(key: str, deck: Deck, card: str, clause: str, what: str = "") -> NoteFact:
    """Make a note about one card: that it was drawn, or `what` happened to it. Players see it if they see the card."""
    text = f"{what or f'“{deck.name}”'}: {_card_text(deck.cards[card])}"
    about, quote = (format_path(("decks", key, "cards", card)),), None if what else deck.cards[card].text
    return NoteFact(text, clause, secret=not deck.shows(card), about=about, quote=quote)


def _card_text(card: Card) -> str:
    return f"{card.text} ({card.luck.value})"


def _quote_card(card: Card) -> str:
    return f"“{card.text}” ({card.luck.value})"
