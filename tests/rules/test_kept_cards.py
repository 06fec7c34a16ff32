"""Cards that are kept for later (NM-18)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.rules import ONES, play, project_state, state_of, told
from tests.rules.beside_table import game, offered, table
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.decks import Card, CardKind, Deck
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import State
from waylog.rules.what_players_know import Visibility

OWN = game(door=table("Door", [f"thing {number}" for number in range(1, 7)]))
CREW: Mapping[str, Any] = {"mara": {"name": "Mara", "vitality": 1}, "lars": {"name": "Lars", "vitality": 0}}
MEDBAY: Mapping[str, Any] = {
    "text": "A med bay",
    "luck": "good",
    "uses": 1,
    "condition": "the power is back",
    "effect": "restore vitality crew",
}


def hold(card: Mapping[str, Any] = MEDBAY, **values: Any) -> State:
    """A campaign with a deck of that card and another one."""
    cards = {"med-bay": card, "dust": {"text": "Dust"}}
    return state_of(OWN, {"crew": CREW, "decks": {"hold": {"name": "The hold", "cards": cards, **values}}})


def deck_of(state: State) -> Deck:
    """The deck as it is now."""
    return state.decks["hold"]


@pytest.mark.clause("NM-18")
def test_a_card_with_uses_is_kept_when_it_is_drawn() -> None:
    """It is listed with the ship, and its effect waits; one key puts it back into the pile all the same."""
    drawn = play(OWN, hold(), "draw hold 1")
    assert told(drawn)[-1] == "Card from “The hold” kept (1 use, if the power is back): A med bay (good)"
    assert (deck_of(drawn.state).kept, deck_of(drawn.state).drawn) == (("med-bay",), ())
    assert deck_of(drawn.state).pile == ("dust",)
    assert not offered(OWN, drawn.state, "effect")
    (panel,) = (panel for panel in OWN.panels(drawn.state) if panel.key == "kept")
    (row,) = panel.rows
    assert (panel.place, row.label) == ("ship", "1 of 1 use left")
    assert getattr(row, "text", "") == "A med bay, if the power is back"
    assert [move.about for move in offered(OWN, drawn.state, "play").values()] == [(row.key,)]
    back = play(OWN, drawn.state, "return")
    assert deck_of(back.state) == deck_of(hold())
    assert not [panel for panel in OWN.panels(back.state) if panel.key == "kept"]


@pytest.mark.clause("NM-18")
def test_using_one_asks_for_its_condition_does_its_effect_and_counts() -> None:
    """All of it one act. After its last use the card is out like any other; shuffled in and drawn again, it is as new."""
    state = play(OWN, hold({**MEDBAY, "uses": 2}), "draw hold 1").state
    with pytest.raises(ActRefused, match="Is this condition met: the power is back"):
        play(OWN, state, "play med-bay")
    with pytest.raises(ActRefused, match="“A med bay” can be used only if the power is back") as refused:
        play(OWN, state, "play med-bay no")
    assert refused.value.refusal.clause == "NM-18"
    used = play(OWN, state, "play med-bay yes")
    assert told(used) == [
        "Card from “The hold” used (1 of 2 uses left): A med bay (good)",
        "Mara: vitality +2, now 3",
        "Lars: vitality +3, now 3",
    ]
    assert deck_of(used.state).cards["med-bay"].used == 1
    hurt = play(OWN, used.state, "set crew.mara.vitality 2").state
    last = play(OWN, hurt, "play med-bay yes").state
    assert (deck_of(last).kept, deck_of(last).drawn) == ((), ("med-bay",))
    with pytest.raises(ActRefused, match="“A med bay” has no uses left") as refused:
        play(OWN, last, "play med-bay yes")
    assert refused.value.refusal.clause == "NM-18"
    again = play(OWN, play(OWN, last, "shuffle hold").state, "draw hold 1").state
    assert deck_of(again).cards["med-bay"].used == 0


@pytest.mark.clause("NM-18")
def test_a_use_that_would_change_nothing_is_not_counted() -> None:
    """The effect's own reason is given, and the card stays as it is."""
    state = play(OWN, hold(), "draw hold 1").state
    healed = play(OWN, state, "restore vitality crew").state
    with pytest.raises(ActRefused, match="unhurt"):
        play(OWN, healed, "play med-bay yes")


@pytest.mark.clause("NM-18")
def test_the_wayfinder_keeps_any_card() -> None:
    """With as many uses as they say; it can be put back or out of the game like any other."""
    state = play(OWN, hold(drawn=["dust"]), 'stash hold dust 3 "it is dry"')
    assert told(state) == ["Card from “The hold” kept (3 uses, if it is dry): Dust (neutral)"]
    deck = deck_of(state.state)
    assert (deck.kept, deck.drawn) == (("dust",), ())
    assert deck.cards["dust"] == Card("Dust", CardKind.NEUTRAL, uses=3, condition="it is dry")
    with pytest.raises(ActRefused, match="“Dust” is already kept"):
        play(OWN, state.state, "stash hold dust")
    assert deck_of(play(OWN, state.state, "play dust yes").state).cards["dust"].used == 1
    assert deck_of(play(OWN, state.state, "back hold dust").state).pile == ("med-bay", "dust")
    away = deck_of(play(OWN, state.state, "aside hold dust").state)
    assert (away.kept, away.aside) == ((), ("dust",))
    assert deck_of(play(OWN, state.state, "draw hold").state).kept == ("dust", "med-bay")
    copied = play(OWN, state.state, "deck copy hold “New”").state
    assert copied.decks["new"].kept == ()


@pytest.mark.clause("NM-18")
def test_what_is_kept_is_in_the_file() -> None:
    """Kept cards are written to the file and read from it. A card that the deck doesn't have is a problem with its place."""
    state = play(OWN, hold(), "draw hold 1").state
    tree = OWN.write(state)
    assert tree["decks"]["hold"]["kept"] == ["med-bay"]
    assert OWN.read(tree)[0].decks == state.decks
    _, (fault,) = OWN.read({"decks": {"hold": {"name": "Hold", "kept": ["ghost"]}}})
    assert (fault.path, fault.clause) == (("decks", "hold", "kept", "0"), "NM-10")


@pytest.mark.clause("NM-18", "NM-14")
def test_players_see_a_kept_card_if_they_know_it() -> None:
    """In the ship's place and in the log alike."""
    for known in (False, True):
        values: dict[str, Any] = {"known": "partly", "shown": ["med-bay"]} if known else {}
        state = hold(MEDBAY, **values)
        drawn = play(OWN, state, "draw hold 1")
        panels = project_state(OWN.system, drawn.state, ()).panels
        assert ("A med bay" in str(panels)) is known
        assert Visibility.of_players(drawn.state, {}).fact(drawn.facts[-1]) is known


@pytest.mark.clause("NM-18")
def test_real_dice_of_a_use_are_asked_for_and_counted_once() -> None:
    """A card whose effect rolls waits for its dice, and has been used once when they are there."""
    state = play(OWN, hold({**MEDBAY, "uses": 3, "effect": "table door", "condition": ""}), "draw hold 1").state
    by_hand = play(OWN, state, "play med-bay 4").state
    assert deck_of(by_hand).cards["med-bay"].used == 1
    assert told(play(OWN, state, "play med-bay 4"))[-1] == "“Door”, 4: thing 4"


@pytest.mark.clause("NM-18")
def test_a_use_that_waits_for_dice_and_can_not_be_done_any_more_is_dropped() -> None:
    """Its random table may be gone by the time the dice are typed. Then nothing waits, and everything else can be done."""
    card = {**MEDBAY, "uses": 3, "effect": "table door", "condition": ""}
    state = play(OWN, hold(card), "draw hold 1").state
    act = parse_act(OWN.moves(state), "play med-bay")
    waits = OWN.play(state, replace(act, faces=()), ONES).state
    assert OWN.question(waits)
    without = Game(OWN.system, {})
    assert without.question(waits) is None
    assert without.settled_facts(waits) == ()
    assert without.missing_dice(waits) == ()
    assert "note" in [move.verb for move in without.moves(waits)]
    assert deck_of(waits).cards["med-bay"].used == 0


@pytest.mark.clause("NM-18")
def test_two_kept_cards_of_one_name_are_told_apart() -> None:
    """By their number, whatever deck they are of."""
    decks = {key: {"name": key, "kept": ["lamp"], "cards": {"lamp": {"text": key, "uses": 1}}} for key in ("a", "b")}
    state = state_of(OWN, {"decks": decks})
    assert [*offered(OWN, state, "play")] == ["play lamp", "play lamp-2"]
    assert play(OWN, state, "play lamp-2").state.decks["b"].kept == ()
