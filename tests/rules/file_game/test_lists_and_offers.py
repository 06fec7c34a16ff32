"""Lists that grow and shrink in play, and what outcomes and moves offer afterwards."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import Any

import pytest

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.common.random_tables import RandomTable, TableEntry
from waylog.rules.file_game.check import check_game, check_offers
from waylog.rules.file_game.named_values_and_conditions import find
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import EqualDice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, Text
from waylog.rules.model.state import State

Tree = dict[str, Any]


def _tree(**moves: Any) -> Tree:
    """A game with a list at large, a list that each person has, and moves."""
    gone = {"gone": {"flag": False}}
    return {
        "id": "lists",
        "name": "Lists",
        "sheet": {
            "team": {"values": {"stress": {"range": [0, 9], "start": 3}, "plan": {"text": ""}}},
            "loot": {"each": {"worth": {"range": [0, 3]}, **gone}, "start": {"ring": {"name": "Ring"}}},
            "crew": {
                "each": {"harm": {"range": [0, 3]}, "lost": {"flag": False, "moves": False}, "gear": {"each": gone}},
                "start": {"mara": {"name": "Mara"}, "joss": {"name": "Joss", "gear": {"saw": {"name": "Saw"}}}},
            },
            "notes": {"each": {"page": {"number": 0}}},
        },
        "moves": {"rest": {"does": ["clear stress 1"]}, **moves},
    }


def _flaws(tree: Tree) -> list[str]:
    return [flaw.message for flaw in check_game(tree)[1]]


def _game(tree: Tree) -> tuple[Game, State]:
    assert _flaws(tree) == []
    game = Game(rulebook_of(tree))
    return game, game.fresh("Trial")


def _do(game: Game, state: State, *lines: str) -> State:
    for line in lines:
        state = game.play(state, parse_act(game.moves(state), line), EqualDice(1), "2026-01-05 20:00").state
    return state


def _changes(game: Game, before: State, after: State) -> dict[str, Any]:
    return {".".join(change.path): change.after for change in game.difference(before, after)}


# -- lists ------------------------------------------------------------------------------------------------------------


def test_one_of_a_value_has_a_name_of_its_own() -> None:
    """In a refusal for want of it, and nowhere else than after the number 1."""
    tree = _tree(lose={"does": ["spend bennies 4"]})
    tree["sheet"]["team"]["values"]["bennies"] = {"range": [0, 5], "start": 2, "label": "Bennies", "one": "Benny"}
    tree["sheet"]["team"]["values"]["coins"] = {"range": [0, 5], "start": 2, "label": "Coins"}
    system = rulebook_of(tree)
    counted = find(system.edition.game.sheet, "", ("bennies",)).count_in_words
    assert [counted(number) for number in (0, 1, 2)] == ["0 Bennies", "1 Benny", "2 Bennies"]
    assert find(system.edition.game.sheet, "", ("coins",)).count_in_words(1) == "1 Coins"
    game, state = _game(tree)
    assert [move.blocked and move.blocked.reason for move in game.moves(state) if move.verb == "lose"] == [
        "not enough Bennies: this needs 4 (2 left)"
    ]


def test_a_list_whose_label_begins_with_the_gets_no_second_article() -> None:
    """Where the log says what was added by hand."""
    tree = _tree()
    tree["sheet"]["team"]["values"]["bags"] = {"each": {"to": {"text": ""}}, "label": "The post"}
    game, state = _game(tree)
    added = game.play(state, parse_act(game.moves(state), "set team.bags.red.name Parcel"), EqualDice(1)).facts
    assert [fact.text for fact in added if isinstance(fact, NoteFact)] == ["Added to the post: Parcel"]


def test_a_thing_is_added_and_removed_by_its_name() -> None:
    """What was removed keeps its values, and has them again when it comes back."""
    game, first = _game(
        _tree(
            find={"does": ["add loot 'Old key'", "set loot.old-key.worth to 2"]},
            sell={"does": ["remove loot 'old KEY'"]},
        )
    )
    found = _do(game, first, "find")
    assert _changes(game, first, found) == {"loot.old-key": {"name": "Old key", "worth": 2}}
    sold = _do(game, found, "sell")
    assert _changes(game, found, sold) == {"loot.old-key.gone": True}
    with pytest.raises(ActRefused, match="nothing would change"):
        _do(game, sold, "sell")
    assert _changes(game, found, _do(game, sold, "find")) == {}


def test_a_text_that_is_asked_names_the_thing() -> None:
    """In any words, whether it can be typed or not; a second one of the same name is another thing."""
    game, first = _game(_tree(clue={"text": "What is found", "does": ["add notes text", "set plan to text"]}))
    found = _do(game, first, "clue The wet umbrella, again")
    assert _changes(game, first, found) == {
        "team.plan": "The wet umbrella, again",
        "notes.the-wet-umbrella-again": {"name": "The wet umbrella, again"},
    }
    again = _do(game, found, "clue the wet umbrella AGAIN", "clue ★")
    assert {key: change["name"] for key, change in _changes(game, found, again).items() if key != "team.plan"} == {
        "notes.the-wet-umbrella-again-2": "the wet umbrella AGAIN",
        "notes.thing": "★",
    }


def test_a_text_that_is_asked_names_what_is_removed() -> None:
    """What isn't there is refused, and what was removed comes back under its key."""
    game, first = _game(
        _tree(
            lose={"text": "What is lost", "does": ["remove loot text"]},
            find={"text": "What is found", "does": ["add loot text"]},
        )
    )
    with pytest.raises(ActRefused, match="Loot has no “Crown”"):
        _do(game, first, "lose crown")
    lost = _do(game, first, "lose RING")
    assert _changes(game, first, lost) == {"loot.ring.gone": True}
    assert _changes(game, first, _do(game, lost, "find ring")) == {}


def test_what_acts_can_remove_itself() -> None:
    """In a list of the sheet, and in what a person has."""
    game, first = _game(
        _tree(
            sell={"who": "loot", "does": ["remove loot", "clear stress 1"]},
            drop={"who": "crew.gear", "does": ["remove gear"]},
            lend={"who": "crew", "does": ["add gear rope"]},
        )
    )
    sold = _do(game, first, "sell ring")
    assert _changes(game, first, sold) == {"loot.ring.gone": True, "team.stress": 2}
    assert _changes(game, first, _do(game, first, "drop saw")) == {"crew.joss.gear.saw.gone": True}
    assert _changes(game, first, _do(game, first, "lend mara")) == {"crew.mara.gear.rope": {"name": "Rope"}}


def test_what_is_gone_acts_no_more_and_is_not_shown_or_counted() -> None:
    """It has no moves, no row, and formulas leave it out."""
    game, first = _game(
        _tree(
            sell={"who": "loot", "does": ["remove loot"]},
            leave={"does": ["mark stress 1"], "when": "count(loot) == 0 and max(loot.worth) == 0"},
        )
    )
    sold = _do(game, first, "sell ring")
    shown = {panel.key for panel in game.panels(first)} - {panel.key for panel in game.panels(sold)}
    assert shown == {"loot.ring"}
    assert {move.id for move in game.moves(first)} - {move.id for move in game.moves(sold)} == {
        *("sell ring", "mark ring worth", "clear ring worth", "mark ring gone", "clear ring gone")
    }
    assert _changes(game, sold, _do(game, sold, "leave")) == {"team.stress": 4}
    with pytest.raises(ActRefused):
        _do(game, first, "leave")


def test_a_choice_can_name_the_thing() -> None:
    """A choice whose thing isn't there is blocked, and the others are open."""
    tree = _tree(toss={"choose": {"ring": {}, "crown": {}}, "does": ["remove loot choose"]})
    game, first = _game(tree)
    with pytest.raises(ActRefused, match="Loot has no “Crown”"):
        _do(game, first, "toss crown")
    assert _changes(game, first, _do(game, first, "toss ring")) == {"loot.ring.gone": True}


def _scarred(move: Tree) -> Tree:
    """A game of people with scars, one of them with a scar to name."""
    tree = _tree(name={"who": "crew", "does": ["clear fresh"], "when": "fresh", **move})
    tree["sheet"]["crew"]["each"] |= {"scars": {"tags": []}, "fresh": {"flag": False}}
    tree["sheet"]["crew"]["start"]["mara"] |= {"scars": ["cold"], "fresh": True}
    return tree


@pytest.mark.parametrize(
    ("move", "line", "other"),
    [
        ({"choose": {"cold": {"does": ["add scars cold"]}, "soft": {"does": ["add scars soft"]}}}, "cold", "soft"),
        ({"choose": {"cold": {}, "soft": {}}, "does": ["add scars choose", "clear fresh"]}, "cold", "soft"),
        ({"text": "Which", "does": ["add scars text", "clear fresh"]}, "cold", "soft"),
        ({"text": "Which", "does": ["remove scars text", "clear fresh"]}, "soft", "cold"),
    ],
)
def test_a_tag_that_is_there_already_is_no_answer(move: Tree, line: str, other: str) -> None:
    """Nor is one to remove that isn't: otherwise the move would only use up its flag."""
    game, first = _game(_scarred(move))
    with pytest.raises(ActRefused, match=r"Scars (already has “cold”|has no “soft”)"):
        _do(game, first, f"name mara {line}")
    assert "crew.mara.scars" in _changes(game, first, _do(game, first, f"name mara {other}"))


def test_an_answer_that_does_something_else_may_find_its_tag() -> None:
    """Such as one that takes away a tag first, which may not be there. A tag that is there stays where it is among the others."""
    game, first = _game(_scarred({"choose": {"cold": {"does": ["remove scars soft", "add scars cold", "mark harm"]}}}))
    done = game.play(first, parse_act(game.moves(first), "name mara cold"), EqualDice(1), "2026-01-05 20:00")
    assert _changes(game, first, done.state) == {"crew.mara.fresh": False, "crew.mara.harm": 1}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cold,soft,odd", "Mara: “soft” and “odd” added to scars"),
        ("soft", "Mara: “soft” added to scars, “cold” removed from scars"),
        ('""', "Mara: “cold” removed from scars"),
    ],
)
def test_tags_that_are_set_are_told_one_by_one(line: str, told: str) -> None:
    """What has come and what has gone."""
    game, first = _game(_scarred({}))
    done = game.play(
        first, parse_act(game.moves(first), f"set crew.mara.scars {line}"), EqualDice(1), "2026-01-05 20:00"
    )
    assert [getattr(fact, "text", "") for fact in done.facts] == [told]


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ({"does": ["add loot"]}, "what should be added? For example: add loot 'Old key'"),
        ({"does": ["add loot '★'"]}, "“★” needs at least one letter or digit"),
        ({"does": ["add loot text"]}, "`text` can be used only in `does`, in a move that asks for a text"),
        ({"does": ["add team 'Old key'"]}, "`team` is not a value here"),
        ({"does": ["mark loot"]}, "`mark` changes a range, number, flag or choice, but loot is a list"),
        ({"does": ["add stress 'Old key'"]}, "`add` changes a list of words or list, but stress is a range"),
        ({"does": ["remove loot"]}, "what should be removed? For example: remove loot 'Old key'"),
        ({"does": ["remove notes umbrella"]}, "add gone = { flag = false } to sheet.notes.each"),
        ({"who": "crew", "does": ["remove gear"]}, "what should be removed?"),
    ],
)
def test_a_wrong_change_of_a_list_is_told(move: Tree, said: str) -> None:
    """Once, with what would be right."""
    (message,) = _flaws(_tree(wrong=move))
    assert said in message


def test_gone_is_a_flag() -> None:
    """Of things in lists."""
    tree = _tree()
    tree["sheet"]["notes"]["each"]["gone"] = {"text": ""}
    assert _flaws(tree) == ["gone says whether a thing is out of play: gone = { flag = false }"]


# -- offers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "offer", "typed"),
    [
        ("", "mark team.stress 2", "mark stress 2"),
        ("", "mark stress", "mark stress 1"),
        ("", "clear team.stress", "clear stress 3"),
        ("", "mark mara harm", "mark mara harm"),
        ("", "mark crew.mara.harm 2", "mark mara harm 2"),
        ("crew", "mark harm", "mark joss harm 1"),
        ("crew", "mark harm 1 + team.stress", "mark joss harm 4"),
        ("loot", "mark gone", "mark ring gone"),
        ("", "rest", "rest"),
    ],
)
def test_an_offer_names_a_value_as_effects_do_or_as_it_is_typed(who: str, offer: str, typed: str) -> None:
    """A value of what acts has its plain name, and a formula says how much."""
    game, state = _game(_tree(look={"who": who, "does": [{"say": "They look"}, {"offer": offer}]}))
    state = _do(game, state, {"crew": "look joss", "loot": "look ring"}.get(who, "look"))
    assert state.open
    assert [offered.act for offered in state.open.offers] == [typed]


@pytest.mark.parametrize(
    "offer",
    [
        "tick alarm",
        "draw The hold",
        "table x",
        "time passes",
        "dice 2d6",
        "mark umbrella page",
        "mark ring gone",
    ],
)
def test_an_offer_may_name_what_only_a_campaign_has(offer: str) -> None:
    """Clocks, decks, tables, and things of a list that begins empty or grows."""
    tree = _tree(look={"does": [{"offer": offer}]})
    tree["sheet"]["notes"]["each"]["page"] = {"range": [0, 9]}
    assert _flaws(tree) == []


@pytest.mark.parametrize(
    ("offer", "said"),
    [
        ("tikc alarm", "effects start with"),
        ("mark harm", "Which character? mara · joss"),
        ("mark bob harm", "Unknown word “bob” after “mark”"),
        ("mark team.plan", "only a range, number or flag can be marked and cleared, but plan is none of these"),
        ("mark crew.mara.lost", "lost says moves = false, so nobody can mark it"),
        ("mark stress amount", "`amount` can be used only in `does`"),
        ("rest now", "One word too many: “now”. “rest” is already complete"),
    ],
)
def test_an_offer_that_no_act_can_match_is_told(offer: str, said: str) -> None:
    """In moves, in their choices, behind a roll, and in what a house rule changes: with its place."""
    effect = {"offer": offer}
    roll = {"bands": [{"outcome": "bad"}]}
    places: list[tuple[Tree, tuple[str, ...]]] = [
        (_tree(look={"does": [effect]}), ("moves", "look", "does", "0", "offer")),
        (
            _tree(look={"choose": {"up": {"does": [effect]}}}),
            ("moves", "look", "choose", "up", "does", "0", "offer"),
        ),
        ({**_tree(), "dice": {"a": roll}, "after": {"a": {"bad": [effect]}}}, ("after", "a", "bad", "0", "offer")),
    ]
    changed = {"moves": {"rest": {"does": [effect]}}}
    house = {**_tree(), "house_rules": {"hard": {"flag": False, "when": {"true": changed}}}}
    places.append((house, ("house_rules", "hard", "when", "true", "moves", "rest", "does", "0", "offer")))
    for tree, path in places:
        (flaw,) = check_game(tree)[1]
        assert flaw.path == path
        assert said in flaw.message


def test_a_house_rule_with_wrong_moves_is_told_where_an_offer_is_too() -> None:
    """An offer is tried with every verb, also with those that a house rule adds."""
    for moves in (3, "rest", ["rest"], {"rest": 3}):
        house = {"hard": {"flag": False, "when": {"true": {"moves": moves}}}}
        (flaw, *_) = check_game({**_tree(look={"does": [{"offer": "look"}]}), "house_rules": house})[1]
        assert flaw.path[:5] == ("house_rules", "hard", "when", "true", "moves")


_HURT: Tree = {
    "who": "crew",
    "amount": [1, 3],
    "choose": {"cold": {}, "heat": {}},
    "does": ["mark harm amount", "set plan to choose"],
}


@pytest.mark.parametrize(
    ("offer", "asked", "answers", "changed"),
    [
        ("hurt", ["amount", "choose"], "2 cold", {"crew.joss.harm": 2, "team.plan": "cold"}),
        ("hurt joss heat", ["amount"], "", {"crew.joss.harm": 1, "team.plan": "heat"}),
        ("hurt joss heat", ["amount"], "3", {"crew.joss.harm": 3, "team.plan": "heat"}),
        ("hurt joss 3 heat", [], "", {"crew.joss.harm": 3, "team.plan": "heat"}),
        ("find", ["text"], "A silver ring", {"loot.a-silver-ring": {"name": "A silver ring"}}),
        ("find A silver ring", [], "", {"loot.a-silver-ring": {"name": "A silver ring"}}),
    ],
)
def test_an_offered_move_asks_what_the_offer_does_not_say(
    offer: str, asked: list[str], answers: str, changed: Tree
) -> None:
    """Whoever takes it answers, or does the same by hand."""
    find = {"text": "What is found", "does": ["add loot text"]}
    game, state = _game(_tree(find=find, hurt=_HURT, look={"who": "crew", "does": [{"offer": offer}]}))
    state = _do(game, state, "look joss")
    (offered,) = (move for move in game.moves(state) if move.verb == "effect")
    assert [ask.name for ask in offered.asks] == asked
    after = _do(game, state, f"{offered.id} {answers}")
    assert _changes(game, state, after) == changed
    by_hand = _do(game, state, f"find {answers or 'A silver ring'}" if "find" in offer else "hurt joss 3 heat")
    assert not [move for move in game.moves(by_hand) if move.verb == "effect"]


def test_an_offered_move_that_lacks_an_answer_is_refused_with_what_is_asked() -> None:
    """As any move is."""
    game, state = _game(_tree(hurt=_HURT, look={"who": "crew", "does": [{"offer": "hurt"}]}))
    state = _do(game, state, "look joss")
    (offered,) = (move for move in game.moves(state) if move.verb == "effect")
    with pytest.raises(ActRefused, match=r"Which\? Choose cold or heat"):
        _do(game, state, f"{offered.id} 2")


_REWARDS: Tree = {
    "who": "crew",
    "does": [
        {"offer": "clear stress 1", "one_of": "reward"},
        {"offer": "mark stress team.stress - 1", "one_of": "reward"},
        {"offer": "hurt", "one_of": "price"},
        {"offer": "rest"},
    ],
}


def _offered(game: Game, state: State) -> list[str]:
    return [move.label for move in game.moves(state) if move.follows]


def test_of_offers_that_exclude_each_other_one_is_taken() -> None:
    """As an offer or by hand; the others of that choice go, and all else stays. Somebody else has a choice of their own."""
    game, first = _game(_tree(hurt=_HURT, win=_REWARDS))
    won = _do(game, first, "win mara")
    every = _offered(game, won)
    assert every[-2:] == ["Mara: no reward", "Mara: no price"]
    assert len(every) == 6
    for line in (next(move.id for move in game.moves(won) if move.label.startswith("Mara: lower")), "mark stress 2"):
        left = [label.removesuffix(" (offered earlier)") for label in _offered(game, _do(game, won, line))]
        assert left == [every[2], every[3], every[5]]
    both = _do(game, won, "win joss")
    assert len(_offered(game, both)) == 12
    again = _offered(game, _do(game, both, "mark stress 1", "win mara"))
    assert len(again) == 12
    assert again[1] == "Mara: raise Stress by 3"


def test_offers_of_a_choice_are_skipped() -> None:
    """All of one choice; the log says so, and nothing else changes."""
    game, first = _game(_tree(hurt=_HURT, win=_REWARDS))
    won = _do(game, first, "win mara")
    skips = [move.id for move in game.moves(won) if move.verb == "skip"]
    done = game.play(won, parse_act(game.moves(won), skips[0]), EqualDice(1), "2026-01-05 20:00")
    assert [getattr(fact, "text", "") for fact in done.facts] == ["Mara: no reward"]
    assert _offered(game, done.state) == [
        label for place, label in enumerate(_offered(game, won)) if place in (2, 3, 5)
    ]
    assert _changes(game, won, done.state) == {}


def test_a_choice_is_for_offers() -> None:
    """Nothing else can be skipped."""
    assert _flaws(_tree(win={"does": [{"do": "clear stress 1", "one_of": "reward"}]})) == [
        "`one_of` is for offers: add `offer` as well"
    ]


def test_a_table_that_does_not_come_with_the_game_is_told_if_those_are_known() -> None:
    """A campaign alone may have any table."""
    tree = _tree(look={"does": [{"offer": "table sounds"}]})
    game, flaws = check_game(tree)
    assert flaws == ()
    table = RandomTable(entries=(TableEntry("a"), TableEntry("b")))
    assert [*check_offers(tree, game, {"sounds": table})] == []
    (flaw,) = check_offers(tree, game, {"sound-of-ice": table})
    assert flaw.path == ("moves", "look", "does", "0", "offer")
    assert flaw.message == "there is no table `sounds`. Did you mean `sound-of-ice`?"


# -- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "set loot.old-crown.worth 2",
            "there is no loot.old-crown, only ring. To add it, type: set loot.old-crown.name Old crown",
        ),
        ("set loot.crown Crown", "there is no loot.crown, only ring. To add it, type: set loot.crown.name Crown"),
        ("set loot.crown.worth 2", "there is no loot.crown, only ring. To add it, type: set loot.crown.name Crown"),
        ("set loot Old key", "loot is a list. To add something, type: set loot.old-key.name Old key"),
    ],
)
def test_a_thing_that_is_set_wrongly_is_told_how_it_is_added(line: str, told: str) -> None:
    """A refused `set` of a new thing says how it is added, and what it says adds it."""
    game, first = _game(_tree())
    with pytest.raises(ActRefused) as refused:
        _do(game, first, line)
    assert str(refused.value) == told
    after = _do(game, first, told.partition(": ")[2])
    assert len(_changes(game, first, after)) == 1


def test_a_thing_that_somebody_has_is_not_called_a_character() -> None:
    """A wrong word for it names the things to choose from."""
    tree = _tree()
    tree["sheet"]["crew"]["each"]["gear"] = {"each": {"uses": {"range": [0, 3]}}}
    someone = next(iter(tree["sheet"]["crew"]["start"].values()))
    someone["gear"] = {"rope": {"name": "Rope"}, "saw": {"name": "Saw"}}
    tree["moves"]["ready"] = {"who": "crew.gear", "does": ["mark uses"]}
    game, first = _game(tree)
    with pytest.raises(ActRefused, match="Unknown word") as refused:
        _do(game, first, "ready ana.hook")
    assert str(refused.value) == "Unknown word “ana.hook” after “ready”. Choose “rope”, “saw” or “saw-2”"


def test_what_is_asked_for_a_value_names_one_of_this_game() -> None:
    """Its first number, which can be set as it stands there."""
    game, first = _game(_tree())
    (ask,) = next(move.asks for move in game.moves(first) if move.verb == "set")
    assert isinstance(ask, Text)
    assert ask.example == "what to set and its new value, such as “team.stress 3”"


def test_numbers_alone_are_the_dice_that_a_roll_waits_for() -> None:
    """Only while it waits for them."""
    tree = {**_tree(), "dice": {"look": {"pool": 3, "bands": [{"outcome": "bad"}]}}}
    game, first = _game(tree)
    with pytest.raises(ActRefused, match="No such command: “4”"):
        _do(game, first, "4 2")
    state = game.play(first, replace(parse_act(game.moves(first), "roll look"), faces=(5,)), EqualDice(1), "").state
    assert game.missing_dice(state) == ("Look", "Look")
    state = _do(game, state, "4 2")
    assert game.missing_dice(state) == ()


def test_every_mistake_is_told_in_one_pass() -> None:
    """Those of the sheet, of formulas, of offers and of house rules; a formula that reads a faulty value says nothing of its own."""
    tree = _tree(
        one={"does": ["mark stres"]},
        two={"does": [{"offer": "fly away"}]},
        three={"does": ["mark late"]},
    )
    tree["house_rules"] = {"hard": {"flag": False, "when": {"true": {"moves": {"four": {"does": ["mark strss"]}}}}}}
    told = " | ".join(_flaws(tree))
    assert told.count(" | ") == 3
    assert all(said in told for said in ("`stres` is not", "`strss` is not", "`late` is not", "can't be applied"))
    tree["sheet"]["team"]["values"]["late"] = {"range": [5, 0]}
    told = " | ".join(_flaws(tree))
    assert "`range` should be the lowest" in told
    assert "`stres` is not a value" in told


# -- the thing that was just added ------------------------------------------------------------------------------------

VOWS: Tree = {
    "vows": {
        "each": {"rank": {"choices": ["low", "high", "epic"], "start": "high"}, "ticks": {"range": [0, 40]}},
    }
}


def _vows(*does: Any, **moves: Any) -> Tree:
    """A game with a list that begins empty, and a move that adds to it."""
    sworn = {"low": {}, "epic": {"does": [{"do": "mark ticks 3", "who": "added"}]}}
    tree = _tree(vow={"text": "What is sworn", "choose": sworn, "does": ["add vows text", *does]}, **moves)
    tree["sheet"] |= VOWS
    return tree


def test_effects_reach_what_was_just_added() -> None:
    """Its values, also from the answer that was chosen, and only it; a list in an effect behind has it too."""
    swear = {"who": "vows", "does": ["mark ticks"]}
    rank = {"do": "set rank to choose", "who": "added"}
    game, first = _game(
        _vows(rank, {"do": "mark ticks", "who": "vows"}, {"offer": "swear", "who": "added"}, swear=swear)
    )
    done = _do(game, first, 'vow epic "Burn the ships"', 'vow low "Feed the dog"')
    vows = {key: (vow.rank, vow.ticks) for key, vow in done.sheet.vows.items()}
    assert vows == {"burn-the-ships": ("epic", 5), "feed-the-dog": ("low", 1)}
    assert done.open
    assert done.open.offers[0].act == "swear feed-the-dog"


def test_what_a_person_gets_is_reached_too() -> None:
    """In a list of theirs."""
    game, first = _game(
        _tree(find={"who": "crew", "text": "What", "does": ["add gear text", {"do": "mark gone", "who": "added"}]})
    )
    assert _do(game, first, "find mara Rope").sheet.crew["mara"].gear["rope"].gone


@pytest.mark.parametrize(
    ("does", "wrong"),
    [
        (
            "set vows.text.rank to 'epic'",
            "`vows.text.rank` would look for something with the key “text”: to change what was just added, write do",
        ),
        ({"do": "set rnak to 'epic'", "who": "added"}, "`rnak` is not a value here"),
        ({"offer": "swear"}, "the offer doesn't say who or what in vows it is for: write who"),
    ],
)
def test_mistakes_about_what_was_added_are_named(does: Any, wrong: str) -> None:
    """With what to write."""
    assert any(wrong in text for text in _flaws(_vows(does, swear={"who": "vows", "does": ["mark ticks"]})))
    assert (
        "no effect before this one adds anything"
        in _flaws(_tree(bad={"does": [{"do": "mark ticks", "who": "added"}]}))[0]
    )


# -- formulas over the things that somebody has ------------------------------------------------------------------------

GEAR = """
[sheet.ship.values.bays]
each = { uses = { range = [0, 3], start = 1 } }
start = { fore = { name = "Fore" }, aft = { name = "Aft", uses = 3 } }
[sheet.crew.each]
nerve = { range = [0, 9], start = 1 }
[sheet.crew.each.gear]
each = { lucky = { flag = false }, uses = { range = [0, 3], start = 1 } }
start = { rope = { name = "Rope" } }
[sheet.crew.start.ana]
name = "Ana"
gear = { coin = { name = "Coin", lucky = true }, rope = { name = "Rope", uses = 2 } }
[sheet.crew.start.bo]
name = "Bo"
[moves.count]
who = "crew"
does = ["set nerve to FORMULA"]
"""


@pytest.mark.parametrize(
    ("formula", "ana", "bo"),
    [
        ("count(crew.gear.each.lucky)", 1, 0),
        ("count(gear.each.lucky)", 1, 0),
        ("count(gear)", 2, 1),
        ("max(gear.each.uses)", 2, 1),
        ("count(crew.each.gear.each.uses > 0)", 3, 3),
        ("max(ship.bays.each.uses)", 3, 3),
        ("count(crew.each.nerve)", 2, 2),
    ],
)
def test_a_formula_reads_all_that_somebody_has(formula: str, ana: int, bo: int) -> None:
    """What whoever acts has, what everybody has, and what a table has."""
    trial = Trial(GEAR.replace("FORMULA", formula))
    for who, number in (("ana", ana), ("bo", bo)):
        trial.play(f"set crew.{who}.nerve 9")
        trial.play(f"count {who}")
        assert trial.state.sheet.crew[who].nerve == number


@pytest.mark.parametrize("path", ["crew.gear.lucky", "crew.each.gear.lucky", "gear.lucky", "ship.bays.uses"])
def test_a_list_that_somebody_has_is_read_with_each(path: str) -> None:
    """The mistake says how."""
    (flaw, *_) = check_game(tomllib.loads('id = "t"\nname = "T"\n' + GEAR.replace("FORMULA", f"count({path})")))[1]
    assert "A formula can read all of them: count(" in flaw.message
    cure = flaw.message.partition("all of them: ")[2]
    assert check_game(tomllib.loads('id = "t"\nname = "T"\n' + GEAR.replace("FORMULA", cure)))[1] == ()


BLOW = """
[sheet.crew.each]
health = { range = [0, 9], start = 6 }
[sheet.crew.start.ana]
name = "Ana"
[sheet.foes.each]
weight = { range = [0, 9] }
[sheet.foes.start]
wolf = { weight = 3 }
bear = { weight = 8 }
rat = { weight = 0 }
[dice.act]
who = "crew"
options = { foe = { who = "foes", most = 1 } }
bands = [{ outcome = "bad" }]
[after.act]
bad = [{ offer = "hurt", amount = "options.foe.weight" }]
[moves.hurt]
who = "crew"
amount = [1, 5]
does = ["lose health amount"]
"""


def test_an_offered_move_gets_its_number_from_the_roll() -> None:
    """As for a move that is done at once: one that is too high is the highest, and with one that is too low, nothing is offered."""
    for foe, left in (("wolf", 3), ("bear", 1), ("rat", 6)):
        trial = Trial(BLOW)
        trial.play(f"roll act ana {foe}", 1)
        if foe == "rat":
            with pytest.raises(ActRefused):
                trial.play("effect ana")
        else:
            trial.play("effect ana")
        assert trial.state.sheet.crew["ana"].health == left


def test_the_number_of_an_offer_is_checked() -> None:
    """It is for a move that takes one, without dice; and one that was written into the offer is told where to stand."""
    for effect, why in (
        ('{ offer = "hurt options.foe.weight" }', "stands beside it"),
        ('{ offer = "hurt", amount = "1d4" }', "dice"),
        ('{ offer = "roll act", amount = 2 }', "nothing here takes one"),
        ('{ do = "lose health", amount = 2 }', "add `move` or `offer`"),
        ('{ offer = "hurt", amount = "options.foe.wait" }', "wait"),
    ):
        text = BLOW.replace('{ offer = "hurt", amount = "options.foe.weight" }', effect)
        flaws = check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}'))[1]
        assert [why in flaw.message for flaw in flaws] == [True], flaws
