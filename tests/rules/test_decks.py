"""Decks of cards at the table (NM-10…NM-16)."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.rules import play, state_of, told
from tests.kit.thorough import examples
from tests.rules.beside_table import every, game, offered, secrets
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import reveals
from waylog.rules.model.decks import Card, CardKind, Deck, DeckVisibility, balance, cannot_draw, chances, owed_count
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import RollFact
from waylog.rules.model.moves import Act, ActRefused, PickOne
from waylog.rules.model.state import State
from waylog.rules.what_players_know import Visibility

GAME = game()
HOLD: Mapping[str, Mapping[str, Any]] = {
    "mimic": {"text": "A mimic", "luck": "bad"},
    "rats": {"text": "Rats", "luck": "bad"},
    "dust": {"text": "Dust"},
    "medkit": {"text": "A medkit", "luck": "good"},
    "door": {"text": "A hidden door", "luck": "good", "returns": True},
    "gas": {"text": "Gas", "luck": "bad", "sets_draw": 2},
}


def hold(cards: Mapping[str, Any] = HOLD, **values: Any) -> State:
    """A campaign with one deck."""
    return state_of(GAME, {"decks": {"hold": {"name": "The hold", "cards": cards, **values}}})


def deck_of(state: State) -> Deck:
    """The deck as it is now."""
    return state.decks["hold"]


@pytest.mark.clause("NM-11", "NM-13")
def test_a_card_that_was_drawn_from_real_ones_is_named() -> None:
    """No die is asked for, and there are no odds; it is a card of the pile. Of two, one that isn't named is drawn by chance."""
    state = hold()
    named = parse_act(GAME.moves(state), "draw hold medkit")
    assert GAME.odds(state, named.move, named.answers) is None
    assert GAME.odds(state, named.move, {}) is not None
    drawn = play(GAME, state, "draw hold medkit")
    assert deck_of(drawn.state).drawn == ("medkit",)
    assert not any(isinstance(fact, RollFact) for fact in drawn.facts)
    with pytest.raises(ActRefused):
        play(GAME, drawn.state, "draw hold medkit")
    two = hold(draw=2)
    for words, open_cards in (("draw hold rats gas", ("rats", "gas")), ("draw hold gas 1", ("gas", "mimic"))):
        opened = play(GAME, two, words).state.open
        assert opened is not None
        assert opened.drawn == ("hold", *open_cards)
    with pytest.raises(ActRefused):
        play(GAME, two, "draw hold rats gas dust")


@pytest.mark.clause("NM-10")
def test_a_deck_is_built_card_by_card() -> None:
    """A name starts it; each card has a text and is good, neutral or bad. What is in the pile, drawn or aside is in the file."""
    state = play(GAME, state_of(GAME), 'deck "The hold"').state
    assert state.decks == {"the-hold": Deck("The hold")}
    for words in ('card the-hold bad "A mimic"', 'card the-hold neutral "Dust"', 'card the-hold good "A medkit"'):
        state = play(GAME, state, words).state
    assert state.decks["the-hold"].cards == {
        "a-mimic": Card("A mimic", CardKind.BAD),
        "dust": Card("Dust"),
        "a-medkit": Card("A medkit", CardKind.GOOD),
    }
    with pytest.raises(ActRefused, match="Kind"):
        play(GAME, state, 'card the-hold "No kind"')
    state = play(GAME, play(GAME, state, "draw the-hold").state, "aside the-hold dust").state
    assert GAME.write(state)["decks"] == {
        "the-hold": {
            "name": "The hold",
            "drawn": ["a-mimic"],
            "aside": ["dust"],
            "cards": {
                "a-mimic": {"text": "A mimic", "luck": "bad"},
                "dust": {"text": "Dust", "luck": "neutral"},
                "a-medkit": {"text": "A medkit", "luck": "good"},
            },
        }
    }
    assert GAME.read(GAME.write(state))[0].decks == state.decks


@pytest.mark.clause("NM-10")
@pytest.mark.parametrize("name", ["drawn", "aside", "shown"])
def test_a_card_that_there_is_none_of_is_a_problem(name: str) -> None:
    """At its place in the list; play goes on without it."""
    tree = {"decks": {"hold": {"name": "Hold", "cards": HOLD, name: ["dust", "ghost"]}}}
    state, faults = GAME.read(tree)
    assert [(fault.path, fault.clause, fault.grave) for fault in faults] == [
        (("decks", "hold", name, "1"), "NM-10", False)
    ]
    assert faults[0].message == f"{name} lists “ghost”, but the deck has no such card"
    for words in ("draw hold", "show deck hold", "aside hold gas", "deck copy hold “New”"):
        state = play(GAME, state, words).state
    ghosts, _ = GAME.read({"decks": {"hold": {"name": "Hold", "cards": HOLD, "drawn": ["ghost"]}}})
    for words in ("shuffle hold", "back hold"):
        with pytest.raises(ActRefused, match=r"been drawn"):
            play(GAME, ghosts, words)


@pytest.mark.clause("NM-11")
def test_each_card_of_the_pile_comes_by_one_face() -> None:
    """Even by construction; neither what is drawn nor what is aside ever comes."""
    state = hold(drawn=["dust"], aside=["rats"])
    results = every(GAME, state, "draw hold", 4)
    assert [deck_of(played.state).drawn[-1] for played in results] == ["mimic", "medkit", "dust", "gas"]
    assert [told(played)[0] for played in results] == [
        "“The hold”: A mimic (bad)",
        "“The hold”: A medkit (good)",
        "“The hold”: A hidden door (good)",
        "“The hold”: Gas (bad)",
    ]


@pytest.mark.clause("NM-11", "NM-13")
@pytest.mark.parametrize(("draw", "kinds"), [(1, 6), (2, 15)])
def test_draws_are_even(draw: int, kinds: int) -> None:
    """Over many draws of one seed, each card comes as often as another, and of two each pair."""
    state, dice, each = hold(draw=draw), ChanceDice(Random(7).randrange), examples(900)
    (move,) = offered(GAME, state, "draw").values()
    count: Counter[tuple[str, ...]] = Counter()
    for _ in range(each * kinds):
        opened = GAME.play(state, Act(move), dice).state.open
        assert opened
        count[tuple(sorted(opened.drawn[1:]))] += 1
    assert len(count) == kinds
    squares = sum((own - each) ** 2 / each for own in count.values())
    assert abs(squares - (kinds - 1)) < 4.5 * (2 * (kinds - 1)) ** 0.5


@pytest.mark.clause("NM-11")
def test_an_empty_deck_says_so_and_is_shuffled() -> None:
    """What was drawn goes back; what is set aside does not."""
    state = hold({key: HOLD[key] for key in ("mimic", "dust")}, drawn=["mimic"], aside=["dust"])
    with pytest.raises(ActRefused, match="“The hold” is empty: shuffle it") as refused:
        play(GAME, state, "draw hold")
    assert refused.value.refusal.clause == "NM-11"
    assert offered(GAME, state, "shuffle")["shuffle hold"].blocked is None
    shuffled = play(GAME, state, "shuffle hold").state
    assert deck_of(shuffled).pile == ("mimic",)
    with pytest.raises(ActRefused, match="no cards have been drawn from “The hold”"):
        play(GAME, shuffled, "shuffle hold")
    assert offered(GAME, state, "draw")["draw hold"].label == "Draw from “The hold” (0 left)"


@pytest.mark.clause("NM-14")
@pytest.mark.parametrize("known", ["secret", "known"])
def test_players_hear_of_the_dice_of_a_draw_only_if_they_see_the_card(known: str) -> None:
    """Players learn the dice of a draw only if they see the card, also where Waylog rolled them for the wayfinder."""
    half = play(GAME, hold(draw=2, known=known), "draw hold 1").state
    whole = play(GAME, half, "rest")
    assert told(whole)[0] == "Waylog rolled 1 of these dice"
    assert Visibility.of_players(whole.state, {}).fact(whole.facts[0]) is (known == "known")


@pytest.mark.clause("NM-12")
def test_a_card_stays_out_or_goes_back_as_it_says() -> None:
    """A drawn card goes where its deck says. The wayfinder may choose the other way, by the key that follows or at any time."""
    stays = play(GAME, hold(), "draw hold 1")
    assert deck_of(stays.state).drawn == ("mimic",)
    back = play(GAME, stays.state, "return")
    assert back.follows
    assert deck_of(back.state) == deck_of(hold())
    returns = play(GAME, hold(), "draw hold 5")
    assert told(returns)[1] == "Card returned to “The hold”: A hidden door (good)"
    assert deck_of(returns.state) == deck_of(hold())
    out = play(GAME, returns.state, "stay")
    assert out.follows
    assert deck_of(out.state).drawn == ("door",)
    assert deck_of(play(GAME, out.state, "back hold door").state) == deck_of(hold())


@pytest.mark.clause("NM-12")
def test_cards_are_put_out_of_the_game_and_back() -> None:
    """Any card can be set aside, the last one and a drawn one too, and put back. What is set aside is not shuffled in."""
    state = hold({key: HOLD[key] for key in ("mimic", "dust")}, drawn=["mimic", "dust"])
    state = play(GAME, state, "aside hold mimic").state
    assert (deck_of(state).drawn, deck_of(state).aside) == (("dust",), ("mimic",))
    state = play(GAME, play(GAME, state, "shuffle hold").state, "aside hold dust").state
    with pytest.raises(ActRefused, match=r"“The hold” is empty$"):
        play(GAME, state, "draw hold")
    with pytest.raises(ActRefused, match="every card in “The hold” is already set aside"):
        play(GAME, state, "aside hold dust")
    assert deck_of(play(GAME, state, "back hold mimic").state).pile == ("mimic",)


@pytest.mark.parametrize(
    ("words", "reason", "clause"),
    [
        ("back hold rats", "“Rats” is already in the pile", "NM-12"),
        ("aside hold dust", "“Dust” is already set aside", "NM-12"),
        ("show deck hold mimic", "“A mimic” is already visible", "NM-14"),
    ],
)
def test_a_card_that_is_so_already_says_so(words: str, reason: str, clause: str) -> None:
    """The refusal names the card and where it lies; cards that can be chosen come first."""
    state = hold(drawn=["mimic"], aside=["dust"], known="partly", shown=["mimic"])
    with pytest.raises(ActRefused) as refused:
        play(GAME, state, words)
    assert (refused.value.refusal.reason, refused.value.refusal.clause) == (reason, clause)
    (ask,) = parse_act(GAME.moves(state), words).move.asks
    assert isinstance(ask, PickOne)
    blocked = [option.blocked is not None for option in ask.options]
    assert blocked == sorted(blocked)


@pytest.mark.clause("NM-12")
def test_what_follows_a_draw_is_about_the_card_that_was_drawn() -> None:
    """What follows a draw is about the drawn card, and stands after the deck's own moves, so that no other card is put back by mistake."""
    for faces, verb in (("1", "return"), ("5", "stay")):
        drawn = play(GAME, hold(), f"draw hold {faces}").state
        (move,) = offered(GAME, drawn, verb).values()
        assert move.about == ("decks.hold", f"decks.hold.cards.{'mimic' if verb == 'return' else 'door'}")
        assert len(move.about) > max(len(own.about) for own in offered(GAME, drawn, "aside").values())
        assert "last card" in move.title
        assert drawn.decks["hold"].cards[move.about[1].rpartition(".")[2]].text in move.label


@pytest.mark.clause("NM-14")
def test_the_card_just_drawn_may_be_shown_to_the_players() -> None:
    """By an offer, as long as they don't see it, and with an undo of its own. It may still go back afterwards; and another card of its deck
    stays hidden.
    """
    drawn = play(GAME, hold(), "draw hold 1")
    (offer,) = (move for move in GAME.moves(drawn.state) if move.id == "show card")
    assert offer.reveals.startswith("Show “")
    shown = play(GAME, drawn.state, "show card")
    assert (shown.follows, deck_of(shown.state).shown) == (False, ("mimic",))
    assert secrets(drawn.facts) == [True]
    assert secrets(shown.facts) == [False]
    assert not [move for move in GAME.moves(shown.state) if move.id == "show card"]
    assert offered(GAME, shown.state, "return")


@pytest.mark.clause("NM-13")
def test_of_two_cards_one_is_kept_and_the_other_goes_back() -> None:
    """Every pair comes by its own faces, and nothing else goes on before one of the two is chosen."""
    state = hold(draw=2)
    for (first, second), played in zip(permutations(HOLD, 2), every(GAME, state, "draw hold", 6, 5), strict=True):
        assert deck_of(played.state) == deck_of(state)
        assert GAME.question(played.state) == "Which card from “The hold” will you keep?"
        assert set(offered(GAME, played.state, "keep")) == {f"keep {first}", f"keep {second}"}
        assert not offered(GAME, played.state, "roll")
        for kept, other in ((first, second), (second, first)):
            after = play(GAME, played.state, f"keep {kept}")
            assert after.follows
            assert other in deck_of(after.state).pile
            assert (kept in deck_of(after.state).pile) == (kept == "door")
            assert GAME.question(after.state) is None


@pytest.mark.clause("NM-13")
def test_by_its_letter_a_card_is_kept_with_one_key() -> None:
    """The first of the two in the file is 1, the other 2."""
    drawn = play(GAME, hold(draw=2), "draw hold 6 1").state
    assert [(move.words, move.key) for move in offered(GAME, drawn, "keep").values()] == [
        (("mimic",), "1"),
        (("gas",), "2"),
    ]
    assert deck_of(play(GAME, drawn, "keep 2").state).drawn == ("gas",)


@pytest.mark.clause("NM-13")
def test_a_card_changes_how_its_deck_is_drawn_from() -> None:
    """From then on two, until another says one; the last card of a pile comes alone."""
    cards = {**HOLD, "calm": {"text": "Calm", "sets_draw": 1}}
    two = play(GAME, hold(cards), "draw hold 6")
    assert told(two)[-1] == "From now on: draw two, keep one"
    assert deck_of(two.state).draw == 2
    drawn = play(GAME, two.state, "draw hold 6 1").state
    one = play(GAME, drawn, "keep calm")
    assert told(one)[-1] == "From now on: draw one"
    assert deck_of(one.state).draw == 1
    last = hold({"dust": HOLD["dust"]}, draw=2)
    assert deck_of(play(GAME, last, "draw hold").state).drawn == ("dust",)


@pytest.mark.clause("NM-13")
def test_cards_that_are_gone_from_the_file_hold_nothing_up() -> None:
    """A person takes them out while they lie on the table: what is left may be kept, and without any play goes on."""
    drawn = play(GAME, hold(draw=2), "draw hold 1 1").state
    one_left = GAME.read({"decks": {"hold": {"name": "Hold", "cards": {"rats": HOLD["rats"]}}}})[0]
    none_left = GAME.read({"decks": {"hold": {"name": "Hold", "cards": {"gas": HOLD["gas"]}}}})[0]
    for after, keys in ((one_left, {"keep rats"}), (none_left, set()), (state_of(GAME), set())):
        state = State(after.name, after.rules, after.sheet, decks=after.decks, open=drawn.open)
        assert set(offered(GAME, state, "keep")) == keys
        assert (GAME.question(state) is None) == (not keys)
        assert (not offered(GAME, state, "roll")) == bool(keys)
    single = play(GAME, hold(), "draw hold 1").state
    for after in (one_left, state_of(GAME)):
        state = State(after.name, after.rules, after.sheet, decks=after.decks, open=single.open)
        assert not offered(GAME, state, "return")
        assert not offered(GAME, state, "stay")


@pytest.mark.clause("NM-14")
def test_what_players_know_of_a_deck() -> None:
    """Nothing at first, then the cards they are shown, or all; what is told of a card is theirs if they know it."""
    state = hold()
    assert deck_of(state).known is DeckVisibility.SECRET
    with pytest.raises(ActRefused, match="every card in “The hold” is already hidden from players"):
        play(GAME, state, "hide deck hold")
    some = play(GAME, state, "show deck hold mimic")
    assert (deck_of(some.state).known, deck_of(some.state).shown) == (DeckVisibility.PARTLY, ("mimic",))
    assert secrets(some.facts) == [False]
    for faces, secret in (("1", False), ("2", True)):
        assert secrets(play(GAME, some.state, f"draw hold {faces}").facts)[0] is secret
        assert secrets(play(GAME, state, f"draw hold {faces}").facts)[0] is True
    full = play(GAME, some.state, "show deck hold").state
    assert deck_of(full).known is DeckVisibility.KNOWN
    assert secrets(play(GAME, full, "draw hold 2").facts) == [False]
    with pytest.raises(ActRefused, match="players already see every card in “The hold”") as refused:
        play(GAME, full, "show deck hold")
    assert refused.value.refusal.clause == "NM-14"
    hidden = play(GAME, full, "hide deck hold")
    assert (deck_of(hidden.state), secrets(hidden.facts)) == (deck_of(state), [True])


@pytest.mark.clause("NM-14")
def test_one_card_that_is_shown_shows_no_other() -> None:
    """A deck that is secret may still list cards as shown in its file; they stay as hidden as they were."""
    state = play(GAME, hold(shown=["gas"]), "show deck hold mimic").state
    assert [key for key in deck_of(state).cards if deck_of(state).shows(key)] == ["mimic"]


@pytest.mark.clause("NM-14")
def test_a_move_that_shows_cards_says_which() -> None:
    """One by its text and its deck; all by their number; a card that is known is not asked about again."""
    state = play(GAME, hold(drawn=["dust"]), "show deck hold mimic").state
    move = next(move for move in GAME.moves(state) if move.id == "show deck hold")
    count = len(deck_of(state).cards)
    whole = f"Show the players all {count} cards in “The hold”, and every card added later?"
    assert reveals(move, {}) == f"{whole} Cards not drawn yet: {count - 1}."
    assert reveals(move, {"card": "gas"}) == "Show “Gas” from “The hold” to the players?"
    assert reveals(move, {"card": "mimic"}) == ""


@pytest.mark.clause("NM-15")
def test_building_together_obliges_the_wayfinder() -> None:
    """Four bad cards first; then a bad or neutral one for each of the players', before anybody draws. The balance is told."""
    state = play(GAME, state_of(GAME), 'deck "Hold" together').state
    assert cannot_draw(state.decks["hold"])
    for number in range(4):
        with pytest.raises(
            ActRefused, match=rf"“Hold” needs {4 - number} bad cards? before anyone can draw"
        ) as refused:
            play(GAME, state, "draw hold")
        assert refused.value.refusal.clause == "NM-15"
        state = play(GAME, state, f'card hold bad "Bad {number}"').state
    assert cannot_draw(state.decks["hold"]) is None
    added = play(GAME, state, 'card hold good theirs "A friend"')
    assert told(added) == ["New card in “Hold”: A friend (good). Still to add: 1 bad or neutral card"]
    with pytest.raises(ActRefused, match=r"needs 1 bad or neutral card before anyone can draw"):
        play(GAME, added.state, "draw hold")
    good = play(GAME, added.state, 'card hold good "Nice"').state
    assert owed_count(good.decks["hold"]) == 1
    for luck in ("neutral", "bad"):
        paid = play(GAME, added.state, f'card hold {luck} "Paid"').state
        assert owed_count(paid.decks["hold"]) == 0
        play(GAME, paid, "draw hold")


@pytest.mark.clause("NM-15")
def test_a_card_is_a_players_only_when_that_is_said_in_full() -> None:
    """A card whose text begins like the word for it is the wayfinder's, word for word, and nothing is owed for it."""
    state = play(GAME, state_of(GAME), 'deck "Hold" together').state
    for text in ("The lamp is lit", "Mine shaft", "they wait"):
        (card,) = play(GAME, state, f"card hold good {text}").state.decks["hold"].cards.values()
        assert (card.text, card.by) == (text, "wayfinder")
    (card,) = play(GAME, state, "card hold good theirs The lamp").state.decks["hold"].cards.values()
    assert (card.text, card.by) == ("The lamp", "players")


@pytest.mark.clause("NM-15")
def test_what_is_owed_is_told_by_its_kind() -> None:
    """The first four are bad; neutral ones beside them answer players' cards, before these come or after."""
    started = play(GAME, state_of(GAME), 'deck "Hold" together')
    assert told(started) == ["New deck “Hold”. Add 4 bad cards first"]
    state = started.state
    for said in ("Still to add: 4 bad cards", "Still to add: 4 bad cards"):
        played = play(GAME, state, 'card hold neutral "Dust"')
        assert told(played)[0].endswith(f"(neutral). {said}")
        state = played.state
    for left in ("4 bad cards", "4 bad cards", "4 bad cards and 1 bad or neutral card"):
        played = play(GAME, state, 'card hold good theirs "A friend"')
        assert told(played)[0].endswith(f". Still to add: {left}")
        state = played.state
    for left in (
        ". Still to add: 3 bad cards and 1 bad or neutral card",
        *(". Still to add: 2 bad", ". Still to add: 1 bad card and 1"),
        ". Still to add: 1 bad or",
        "(bad)",
    ):
        played = play(GAME, state, 'card hold bad "Teeth"')
        assert told(played)[0].endswith(left) if left == "(bad)" else left in told(played)[0]
        state = played.state
    assert cannot_draw(state.decks["hold"]) is None


@pytest.mark.clause("NM-15")
@given(st.lists(st.tuples(st.sampled_from(CardKind), st.sampled_from(("wayfinder", "players"))), max_size=14))
def test_what_is_owed_counts_up_and_down(cards: list[tuple[CardKind, Any]]) -> None:
    """Whatever the order: bad ones up to four first, then one for each card of a player; a good one of one's own pays nothing."""
    deck = Deck("Hold", together=True, cards={str(n): Card("x", luck, by=by) for n, (luck, by) in enumerate(cards)})
    own = [luck for luck, by in cards if by == "wayfinder"]
    bad, neutral = own.count(CardKind.BAD), own.count(CardKind.NEUTRAL)
    theirs = len(cards) - len(own)
    wanted = max(0, 4 - bad) + max(0, theirs - neutral - max(0, bad - 4))
    assert owed_count(deck) == wanted
    assert owed_count(Deck("Hold", cards=deck.cards)) == 0
    assert balance(deck) == {luck: sum(own is luck for own, _ in cards) for luck in CardKind}


@pytest.mark.clause("NM-11", "NM-13")
@given(st.lists(st.sampled_from(CardKind), max_size=9), st.integers(1, 2), st.data())
def test_the_odds_of_a_draw_are_those_of_counting(lucks: list[CardKind], draw: Any, data: st.DataObject) -> None:
    """Every card of the pile, or every pair of them and its better card, counted one by one."""
    cards = {str(number): Card("x", luck) for number, luck in enumerate(lucks)}
    out = tuple(data.draw(st.lists(st.sampled_from(sorted(cards)), unique=True))) if cards else ()
    deck = Deck("Hold", draw=draw, drawn=out, cards=cards)
    pile = [cards[key].luck for key in cards if key not in out]
    odds = chances(deck)
    if not pile:
        assert odds is None
        return
    ways = [(luck,) for luck in pile] if draw == 1 or len(pile) == 1 else [*permutations(pile, 2)]
    best = Counter(min(way, key=(CardKind.GOOD, CardKind.NEUTRAL, CardKind.BAD).index) for way in ways)
    assert odds
    assert {chance.outcome: chance.chance for chance in odds.spread.chances} == {
        luck.value: Fraction(best[luck], len(ways)) for luck in CardKind
    }


@pytest.mark.clause("NM-10", "NM-14")
def test_a_copy_has_every_card_in_the_pile() -> None:
    """Under a new name and a key of its own; the first deck stays as it is."""
    state = hold(drawn=["mimic"], aside=["rats"], known="partly", shown=["mimic"], draw=2)
    copied = play(GAME, state, 'deck copy hold "The other hold"').state
    other = copied.decks["the-other-hold"]
    assert copied.decks["hold"] == state.decks["hold"]
    assert other.cards == deck_of(state).cards
    assert (other.pile, other.known, other.draw) == (tuple(HOLD), DeckVisibility.SECRET, 2)
    twice = play(GAME, copied, 'deck copy hold "The other hold"').state
    assert [*twice.decks] == ["hold", "the-other-hold", "the-other-hold-2"]
    for mistyped in ("deck copy hlod Attic", "deck copy attic Attic"):
        with pytest.raises(ActRefused, match="No such deck"):
            play(GAME, state, mistyped)
    with pytest.raises(ActRefused, match="If your text starts with “copy”, put the text in quotes"):
        play(GAME, state_of(GAME), "deck copy hold Attic")
    assert "copy-that" in play(GAME, state_of(GAME), 'deck "copy that"').state.decks


@pytest.mark.clause("NM-11", "NM-13")
def test_real_cards_are_drawn_by_their_place_in_the_pile() -> None:
    """A die of as many sides as there are cards; more than ten are typed as numbers; too few are asked for."""
    many = {f"card-{number}": {"text": f"Card {number}"} for number in range(1, 13)}
    assert told(play(GAME, hold(many), "draw hold 12")) == ["“The hold”: Card 12 (neutral)"]
    two = hold(many, draw=2)
    half = play(GAME, two, "draw hold 12").state
    assert GAME.question(half) == "The hold, 11 cards: what does the die show?"
    assert [*offered(GAME, play(GAME, half, "dice 11").state, "keep")] == ["keep card-11", "keep card-12"]
    with pytest.raises(ActRefused, match="a d11 has no 12"):
        play(GAME, half, "dice 12")
    with pytest.raises(ActRefused, match="Too many dice"):
        play(GAME, hold(), "draw hold 1 2")


@pytest.mark.clause("NM-13", "VK-13")
def test_a_draw_leaves_what_a_roll_allows() -> None:
    """The question of a roll is asked again once the card is chosen, also where real dice were awaited between."""
    asked = play(
        GAME,
        state_of(GAME, {"ship": {"focus": 1}, "decks": {"hold": {"name": "H", "draw": 2, "cards": HOLD}}}),
        "roll nav 5 1",
    ).state
    question = GAME.question(asked)
    half = play(GAME, asked, "draw hold 1").state
    drawn = play(GAME, half, "dice 1").state
    assert GAME.question(drawn) == "Which card from “H” will you keep?"
    after = play(GAME, drawn, "keep mimic").state
    assert GAME.question(after) == question
    assert offered(GAME, after, "focus") == offered(GAME, asked, "focus")


@pytest.mark.clause("NM-11", "NM-14")
def test_keys_and_cards_may_be_called_anything() -> None:
    """What is a number, a blank or a verb can be typed; and `all` is every card, whatever a card is called."""
    cards = {key: {"text": key} for key in ("all", "12", "A b", "copy", "…")}
    state = state_of(GAME, {"decks": {key: {"name": key, "cards": cards} for key in ("deck", "copy", "12", "hold")}})
    assert len(offered(GAME, state, "draw")) == 4
    for move in offered(GAME, state, "draw").values():
        assert told(play(GAME, state, move.id))
    shown = play(GAME, state, "show deck hold card-all").state
    assert shown.decks["hold"].shown == ("all",)
    assert play(GAME, state, "show deck hold all").state.decks["hold"].known is DeckVisibility.KNOWN
    assert play(GAME, state, 'deck copy copy "New"').state.decks["new"].cards == state.decks["copy"].cards
