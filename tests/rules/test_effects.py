"""Effects: what a card, an entry of a table or a full clock does, offered and done by one act (NM-16, NM-25)."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.kit.rules import play, state_of, told
from tests.rules.beside_table import game, offered, table
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import describe
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind, WhileRunning
from waylog.rules.model.moves import ActRefused, Refusal
from waylog.rules.model.state import State
from waylog.values import replace

CREW: Mapping[str, Any] = {"mara": {}, "lars": {}}
OWN = game(door=table("Door", ["A door", {"text": "A mine", "effect": "damage ship"}]))


def with_card(effect: str, own: Game = OWN, **values: Any) -> State:
    """A campaign with one card, which has that effect."""
    deck = {"name": "Hold", "cards": {"card": {"text": "Oh no", "effect": effect}}}
    return state_of(own, {"crew": CREW, "mission": {"name": "Fall"}, **values, "decks": {"hold": deck}})


EFFECTS: Mapping[str, set[tuple[str, ...]]] = {
    'clock "The hunters" 4 death': {("clocks", "the-hunters")},
    'clock "The dark" 6 catastrophe desperate': {("clocks", "the-dark")},
    "expose mara": {("crew", "mara", "exposed")},
    "expose crew": {("crew", "mara", "exposed"), ("crew", "lars", "exposed")},
    "damage ship": {("ship", "focus")},
    "damage lars": {("crew", "lars", "focus")},
    "lose integrity": {("ship", "tokens", "integrity")},
    "mission over failure": {("mission", "over")},
    "tick storm 2": {("clocks", "storm", "filled")},
    "time passes": {("clocks", "storm", "filled")},
    "table door": set(),
    "draw hunt": {("decks", "hunt", "drawn")},
}
STORM = {"name": "Storm", "kind": "death"}
HUNT = {"name": "Hunt", "cards": {"fox": {"text": "A fox"}}}


def campaign(source: str, effect: str) -> tuple[State, str, str]:
    """A campaign in which a thing has that effect, the act that brings it up, and the word for it."""
    tree: dict[str, Any] = {
        "crew": CREW,
        "mission": {"name": "Fall"},
        "ship": {"focus": 1},
        "clocks": {"storm": STORM},
        "decks": {"hunt": HUNT},
    }
    match source:
        case "card":
            tree["decks"] = {
                "hunt": HUNT,
                "hold": {"name": "Hold", "cards": {"mimic": {"text": "X", "effect": effect}}},
            }
            return state_of(OWN, tree), "draw hold", "mimic"
        case _:
            tree["clocks"] = {"storm": STORM, "fire": {"name": "Fire", "segments": 4, "filled": 3, "when_full": effect}}
            return state_of(OWN, tree), "tick fire", "fire"


@pytest.mark.clause("NM-16", "NM-25")
@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("source", ["card", "clock"])
def test_an_effect_is_offered_and_done_by_one_act(source: str, effect: str) -> None:
    """Of every kind, and wherever it stands. Nothing of it happens before it is chosen; then it belongs to the act that brought it."""
    state, words, name = campaign(source, effect)
    brought = play(OWN, state, words)
    own = {change.path for change in OWN.difference(state, brought.state)}
    assert own <= {("decks", "hold", "drawn"), ("clocks", "fire", "filled")}
    (offer,) = offered(OWN, brought.state, "effect").values()
    assert (offer.id, offer.blocked, offer.follows) == (f"effect {name}", None, True)
    act = parse_act(OWN.moves(brought.state), effect)
    title = describe(act.move, act.answers)
    assert offer.label.endswith(f": {title[:1].lower()}{title[1:]}")
    done = play(OWN, brought.state, offer.id)
    assert done.follows
    paths = {change.path for change in OWN.difference(brought.state, done.state)}
    assert EFFECTS[effect] <= paths
    assert bool(paths) == bool(EFFECTS[effect])
    assert told(done)
    assert not offered(OWN, done.state, "effect")


@pytest.mark.clause("NM-16", "NM-25")
@pytest.mark.parametrize("effect", EFFECTS)
def test_whoever_does_by_hand_what_is_offered_takes_the_offer(effect: str) -> None:
    """The same act with the same answers, and of two such offers one. Undo brings it back with the act; another act leaves it open."""
    state, words, _ = campaign("card", effect)
    brought = play(OWN, state, words).state
    done = play(OWN, brought, effect)
    mine = [move.label for move in offered(OWN, done.state, "effect").values() if move.label.startswith("X: ")]
    assert (mine, done.follows) == ([], False)
    assert [*offered(OWN, play(OWN, brought, "damage mara").state, "effect")] == ["effect mimic"]


@pytest.mark.clause("NM-16", "NM-25")
def test_of_two_equal_offers_one_is_taken_by_hand() -> None:
    """The newest: each is for something else that has happened. With another number it is another act."""
    cards = {key: {"text": key, "effect": "tick storm 2"} for key in ("ash", "oak")}
    state = state_of(
        OWN,
        {"clocks": {"storm": {"name": "Storm", "segments": 8}}, "decks": {"hold": {"name": "Hold", "cards": cards}}},
    )
    state = play(OWN, play(OWN, state, "draw hold").state, "draw hold").state
    assert len(offered(OWN, state, "effect")) == 2
    assert len(offered(OWN, play(OWN, state, "tick storm 1").state, "effect")) == 2
    once = play(OWN, state, "tick storm 2").state
    assert len(offered(OWN, once, "effect")) == 1
    assert not offered(OWN, play(OWN, once, "tick storm 2").state, "effect")


@pytest.mark.clause("NM-16")
def test_an_entry_of_a_table_may_have_an_effect() -> None:
    """Offered like a card's, rolled or picked, and also on the table that another led to."""
    own = game(
        way=table("Way", [{"text": "On", "table": "door"}, "a wall"]),
        door=table("Door", ["A door", {"text": "A mine", "effect": "lose integrity"}]),
    )
    state = state_of(own)
    for words in ("table door 2", "pick door 2", "table way 1 2"):
        brought = play(own, state, words).state
        assert [move.label for move in offered(own, brought, "effect").values()] == ["A mine: lose integrity"]
        assert not play(own, brought, "effect door").state.sheet.ship.tokens.integrity
    assert not offered(own, play(own, state, "table door 1").state, "effect")


@pytest.mark.clause("NM-16", "NM-25")
def test_a_clock_made_by_a_card_runs_like_any_other() -> None:
    """All rolls are Desperate while it runs, and what it does once full is told by hand like any clock's."""
    state = with_card('clock "The dark" 4 death desperate')
    state = play(OWN, play(OWN, state, "draw hold").state, "effect card").state
    assert state.clocks == {"the-dark": Clock("The dark", ClockKind.DEATH, 4, running=WhileRunning.DESPERATE)}
    assert "Desperate while the clock “The dark” runs" in told(play(OWN, state, "roll nav 6 1"))
    state = play(OWN, state, "set clocks.the-dark.when_full “damage ship”").state
    full = play(OWN, state, "tick the-dark 4").state
    assert [*offered(OWN, full, "effect")] == ["effect the-dark"]
    assert "Desperate while the clock “The dark” runs" not in told(play(OWN, full, "roll nav 6 1"))


@pytest.mark.clause("NM-25", "VK-43")
def test_while_a_clock_runs_the_crew_is_exposed_and_rolls_say_so() -> None:
    """By itself, for as long as it runs."""
    clock = {"name": "Gas", "kind": "death", "segments": 4, "running": "exposed"}
    state = state_of(OWN, {"crew": {"mara": {"life_support": False}}, "clocks": {"gas": clock}})
    said = "Desperate while Exposed (the clock “Gas” is running) without suit life support"
    assert said in told(play(OWN, state, "roll mara 6 1 1"))
    assert said not in told(play(OWN, play(OWN, state, "close gas").state, "roll mara 6 1 1"))


@pytest.mark.clause("NM-24", "NM-25")
@pytest.mark.parametrize("words", [("roll nav fire 1 1",), ("roll nav 1 1", "on fire")])
def test_a_roll_that_fills_a_clock_brings_its_effect(words: tuple[str, ...]) -> None:
    """Whether the clock was named before the dice fell or after; the roll, the segments and the effect are one act."""
    clock = {"name": "Fire", "kind": "catastrophe", "segments": 4, "filled": 3, "when_full": "table door"}
    state = state_of(OWN, {"clocks": {"fire": clock}})
    first, *later = words
    played = play(OWN, state, first)
    for word in later:
        played = play(OWN, played.state, word)
        assert played.follows
    assert played.state.clocks["fire"].full
    done = play(OWN, played.state, "effect fire 2")
    assert done.follows
    assert told(done) == ["“Door”, 2: A mine"]
    assert [move.label for move in offered(OWN, done.state, "effect").values()] == ["A mine: the ship takes damage"]


@pytest.mark.clause("NM-16")
def test_real_dice_stay_real_for_the_effect() -> None:
    """A draw by hand asks for the effect's dice too; one by the app rolls them; large ones are typed as numbers."""
    own = game(door=table("Door", [f"thing {number}" for number in range(1, 21)]))
    card = {"text": "Oh no", "effect": "table door"}
    state = state_of(own, {"decks": {"hold": {"name": "Hold", "cards": {"a": card, "b": {**card, "text": "Ah"}}}}})
    by_hand = play(own, play(own, state, "draw hold 1").state, "effect a").state
    assert own.question(by_hand) == "Door: what does the die show?"
    assert told(play(own, by_hand, "dice 17")) == ["“Door”, 17: thing 17"]
    assert told(play(own, play(own, state, "draw hold 1").state, "effect a 17")) == ["“Door”, 17: thing 17"]
    by_app = play(own, play(own, state, "draw hold").state, "effect a")
    assert told(by_app) == ["“Door”, 1: thing 1"]


@pytest.mark.clause("NM-16")
def test_effects_of_several_things_wait_side_by_side() -> None:
    """The latest first, to be done in any order. Each keeps its own name as long as it is offered, also of two of one name."""
    cards = {"mimic": {"text": "A mimic", "effect": "lose integrity"}}
    decks = {key: {"name": key, "cards": cards} for key in ("hold", "hunt")}
    state = state_of(OWN, {"decks": decks, "crew": CREW})
    state = play(OWN, play(OWN, state, "draw hold").state, "draw hunt").state
    assert [*offered(OWN, state, "effect")] == ["effect mimic-2", "effect mimic"]
    (other,) = offered(OWN, play(OWN, state, "effect mimic").state, "effect")
    assert other == "effect mimic-2"
    state = play(OWN, state, "effect mimic-2").state
    (left,) = offered(OWN, state, "effect").values()
    assert left.about == ("decks.hold.cards.mimic",)
    assert left.blocked
    assert "integrity" in left.blocked.reason


@pytest.mark.clause("NM-16")
def test_an_effect_that_can_not_be_done_now_says_why() -> None:
    """It is there, dimmed, with the rule; and it is refused with the same reason."""
    state = play(OWN, with_card("expose mara", crew={"mara": {"name": "Mara", "exposed": True}}), "draw hold").state
    (offer,) = offered(OWN, state, "effect").values()
    assert offer.blocked
    assert offer.blocked.reason == "Mara is already marked as Exposed"
    with pytest.raises(ActRefused, match="already marked as Exposed"):
        play(OWN, state, "effect card")


@pytest.mark.clause("NM-16", "NM-26")
def test_a_tick_on_a_full_clock_says_why_before_it_is_chosen() -> None:
    """A clock that has room is ticked."""
    for filled, reason in ((6, "“Storm” is already full (6/6)"), (5, None)):
        state = play(OWN, with_card("tick storm", clocks={"storm": {**STORM, "filled": filled}}), "draw hold").state
        (offer,) = offered(OWN, state, "effect").values()
        assert (offer.blocked and offer.blocked.reason) == reason


@pytest.mark.clause("NM-16", "NM-26")
def test_a_tick_on_a_closed_clock_is_no_mistake() -> None:
    """The file is right; the offer says what to do first, and is refused until that is done."""
    state, faults = OWN.read(
        {
            "clocks": {"storm": {**STORM, "closed": True}},
            "decks": {"hold": {"name": "Hold", "cards": {"card": {"text": "Thunder", "effect": "tick storm"}}}},
        }
    )
    assert [*faults] == []
    state = play(OWN, state, "draw hold").state
    (offer,) = offered(OWN, state, "effect").values()
    assert offer.blocked == Refusal("“Storm” is closed: reopen it first", "NM-26")
    with pytest.raises(ActRefused, match="reopen it first"):
        play(OWN, state, "effect card")


@pytest.mark.clause("NM-16", "NM-26")
@pytest.mark.parametrize("last", ["close storm", "set clocks.storm"])
def test_an_offer_goes_with_its_clock(last: str) -> None:
    """One that ticks it is over once it is closed or deleted by a later act, and so is what it offered itself. A note drops nothing."""
    full = {**STORM, "filled": 5, "when_full": "damage ship"}
    state = play(OWN, with_card("tick storm", clocks={"storm": full, "fog": STORM}), "draw hold").state
    noted = play(OWN, play(OWN, state, "time passes").state, "note meanwhile").state
    assert [*offered(OWN, noted, "effect")] == ["effect storm", "effect card"]
    if last == "close storm":
        assert [*offered(OWN, play(OWN, noted, last).state, "effect")] == ["effect storm"]
    else:
        gone = replace(noted, clocks={"fog": noted.clocks["fog"]})
        assert [*offered(OWN, play(OWN, gone, "tick fog").state, "effect")] == []


@pytest.mark.clause("NM-16", "NM-25")
@pytest.mark.parametrize(
    ("effect", "why"),
    [
        ("explode", "explode"),
        ("damage nobody", "nobody"),
        ("roll nav", "roll"),
        ("undo", "undo"),
        ('note "x"', "note"),
        ('clock "No type" 4', "Kind"),
        ("tick storm 99", "99|-6 to 6"),
        ("table nowhere", "nowhere"),
        ("draw nothing", "nothing"),
        ("table door 3", "leave out 3"),
    ],
)
def test_what_no_effect_may_be_is_a_problem_with_its_place(effect: str, why: str) -> None:
    """In a card, a clock and an entry alike, with the clause of each; and it is never done."""
    own = game(door=table("Door", ["x", "y", "z"]), bad=table("Bad", [{"text": "x", "effect": effect}]))
    deck = {"name": "Hold", "cards": {"card": {"text": "Oh no", "effect": effect}}}
    clock = {"name": "Fire", "segments": 4, "filled": 3, "when_full": effect}
    state, faults = own.read({"clocks": {"fire": clock, "storm": STORM}, "decks": {"hold": deck}})
    assert [(fault.path, fault.clause) for fault in faults] == [
        (("clocks", "fire", "when_full"), "NM-25"),
        (("decks", "hold", "cards", "card", "effect"), "NM-16"),
    ]
    (of_table,) = own.table_faults(state)["bad"]
    assert (of_table.path, of_table.clause) == (("entries", "0", "effect"), "NM-16")
    for fault in (*faults, of_table):
        assert re.search(why, fault.message), fault.message
    for words in ("draw hold", "tick fire", "table bad"):
        (offer,) = offered(own, play(own, state, words).state, "effect").values()
        assert offer.blocked
        assert offer.blocked.clause


@pytest.mark.clause("NM-16", "NM-25")
def test_an_effect_that_is_blocked_today_is_no_problem_of_the_file() -> None:
    """Someone who is Exposed already, a pile that is empty, a clock that does not run: the file is right all the same."""
    decks = {
        "hold": {
            "name": "Hold",
            "cards": {"a": {"text": "A", "effect": "draw hunt"}, "b": {"text": "B", "effect": "expose crew"}},
        },
        "hunt": {"name": "Hunt"},
    }
    crew = {"mara": {"exposed": True}}
    assert [
        *OWN.read({"decks": decks, "crew": crew, "clocks": {"c": {"name": "C", "when_full": "time passes"}}})[1]
    ] == []


@pytest.mark.clause("NM-16")
def test_decks_that_lead_round_are_a_problem_with_their_way() -> None:
    """From a deck to itself or by another; drawing goes on, for a draw is never made by itself."""
    for cards, ways in (
        ({"hold": "draw hold"}, {"hold": "deck hold → deck hold"}),
        (
            {"hold": "draw hunt", "hunt": "draw hold"},
            {"hold": "deck hold → deck hunt → deck hold", "hunt": "deck hunt → deck hold → deck hunt"},
        ),
    ):
        decks = {key: {"name": key, "cards": {"a": {"text": "A", "effect": effect}}} for key, effect in cards.items()}
        state, faults = OWN.read({"decks": decks})
        assert {(fault.path, fault.message, fault.clause) for fault in faults} == {
            (("decks", key, "cards", "a", "effect"), f"this deck leads back to itself ({way})", "NM-03")
            for key, way in ways.items()
        }
        play(OWN, state, "draw hold")


@pytest.mark.clause("NM-20", "NM-26")
def test_a_clock_called_deck_is_a_clock() -> None:
    """What may be shown and hidden is told apart by its kind, whatever it is called."""
    state = state_of(OWN, {"clocks": {"deck": STORM, "clock": STORM}, "decks": {"clock": HUNT}})
    assert play(OWN, state, "tick deck").state.clocks["deck"].filled == 1
    assert play(OWN, state, "close deck").state.clocks["deck"].closed
    assert not play(OWN, state, "hide clock deck").state.clocks["deck"].seen
    assert not play(OWN, state, "hide clock clock").state.clocks["clock"].seen
    shown = [move for move in OWN.moves(state) if move.verb == "show"]
    assert {move.id for move in shown} == {"show clock deck", "show clock clock", "show deck clock"}


@pytest.mark.clause("NM-03")
def test_a_draw_does_not_ask_again_where_tables_lead() -> None:
    """What depends on no card's place is as it was, move for move; a card with another effect is looked at anew."""
    state = with_card("damage ship")
    before, after = offered(OWN, state, "table"), offered(OWN, play(OWN, state, "draw hold").state, "table")
    assert all(after[key] is move for key, move in before.items())
    assert before["table door"].blocked is None
    circle = game(door=table("Door", [{"text": "x", "effect": "draw hold"}]))
    free = state_of(circle, {"decks": {"hold": {"name": "Hold", "cards": {"a": {"text": "A"}}}}})
    assert offered(circle, free, "table")["table door"].blocked is None
    bound = play(circle, free, "set decks.hold.cards.a.text “B”").state
    assert offered(circle, bound, "table")["table door"].blocked is None
    with pytest.raises(ActRefused, match="leads back to itself"):
        play(circle, bound, "set decks.hold.cards.a.effect “table door”")
