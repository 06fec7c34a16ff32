"""Random tables at the table (NM-01…NM-05)."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from tests.kit.rules import ONES, play, state_of, told
from tests.kit.thorough import examples
from tests.rules.beside_table import every, game, offered, secrets, table, thrown, typed
from waylog.rules.codec import records
from waylog.rules.common.random_tables import RandomTable, dice_in, numbers_text
from waylog.rules.game import Game
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.what_players_know import known_tables

SIX = [f"thing {number}" for number in range(1, 7)]
SECTIONS = {f"part {section}": [f"{section}{entry}" for entry in range(1, 7)] for section in range(1, 7)}
EVEN = 4.5
"""Deviations of a binomial count that no even die of this many throws goes beyond."""


def wrong(own: Game, key: str = "door") -> list[tuple[tuple[str, ...], str, str | None]]:
    """What is wrong in a table, with its place and clause. None of it stops play."""
    faults = own.table_faults(state_of(own))[key]
    assert not any(fault.grave for fault in faults)
    return [(fault.path, fault.message, fault.clause) for fault in faults]


@pytest.mark.clause("NM-01")
@pytest.mark.parametrize("size", [2, 6, 7, 10, 20, 100])
def test_any_number_of_entries_is_one_even_die(size: int) -> None:
    """Each face of the die gives one entry, and each entry has one face: even by construction. The table says its die."""
    own = game(door=table("Door", [f"thing {number}" for number in range(1, size + 1)]))
    assert own.tables["door"].dice == f"d{size}"
    move = offered(own, state_of(own), "table")["table door"]
    assert move.label == f"Roll d{size} on “Door”"
    results = every(own, state_of(own), "table door", size)
    assert [told(played) for played in results] == [[f"“Door”, {n}: thing {n}"] for n in range(1, size + 1)]
    assert wrong(own) == []


@pytest.mark.clause("NM-01")
def test_an_entry_with_a_weight_has_that_many_numbers_of_the_die() -> None:
    """The die has a face for each, so the odds are exact; picked and shown by any of its numbers; players learn the die, not the entry."""
    own = game(door=table("Door", ["mud", {"text": "rats", "weight": 3}, {"text": "gold", "weight": 2}], seen=True))
    assert own.tables["door"].dice == "d6"
    results = [told(played)[0] for played in every(own, state_of(own), "table door", 6)]
    assert results == [
        "“Door”, 1: mud",
        *(f"“Door”, {n}: rats" for n in (2, 3, 4)),
        "“Door”, 5: gold",
        "“Door”, 6: gold",
    ]
    assert told(play(own, state_of(own), "pick door 4")) == ["“Door”, 4 (picked): rats"]
    with pytest.raises(ActRefused):
        play(own, state_of(own), "pick door 7")
    assert [numbers_text(*each) for each in own.tables["door"].numbered_entries] == ["1", "2–4", "5–6"]
    assert known_tables(own.tables)["door"].dice == "d6"
    heavy = game(door=table("Door", [{"text": "rats", "weight": 99}, "mud", "gold"]))
    assert wrong(heavy) == [
        (("entries",), "the weights of a table can add up to 100 at most, but these add up to 101", "NM-01")
    ]
    sections = {**SECTIONS, "part 1": [{"text": "rats", "weight": 2}, *SECTIONS["part 1"][1:]]}
    assert (
        wrong(game(door=table("Door", sections=sections)))[0][1]
        == "on a d66, each entry has one number, so none can have a weight"
    )


@pytest.mark.clause("NM-01")
def test_a_table_of_one_entry_wants_no_die() -> None:
    """It is read out as it stands, by real dice too; and dice typed for it are too many."""
    own = game(door=table("Door", ["2d6 rats"]), plain=table("Plain", ["a wall"]))
    assert own.tables["door"].dice == "no die"
    assert offered(own, state_of(own), "table")["table plain"].label == "Read “Plain”"
    played = play(own, state_of(own), "table plain")
    assert (told(played), thrown(played.facts)) == (["“Plain”, 1: a wall"], [])
    by_hand = play(own, state_of(own), "table door 3 4")
    assert told(by_hand) == ["“Door”, 1: 7 (2d6) rats"]
    assert thrown(by_hand.facts) == [("Door, 2d6", [(3, 6), (4, 6)])]
    with pytest.raises(ActRefused, match="Too many dice: this takes no dice"):
        play(own, state_of(own), "table plain 1")


@pytest.mark.clause("NM-01", "NM-02")
def test_a_d66_is_two_dice_and_both_show() -> None:
    """Section, then entry; each of the thirty-six pairs of faces gives an entry of its own."""
    own = game(door=table("Door", sections=SECTIONS))
    results = every(own, state_of(own), "table door", 6, 6)
    numbers = [10 * section + entry for section in range(1, 7) for entry in range(1, 7)]
    assert [told(played) for played in results] == [[f"“Door”, {number}: {number}"] for number in numbers]
    for number, played in zip(numbers, results, strict=True):
        assert thrown(played.facts) == [("Door", [(number // 10, 6), (number % 10, 6)])]
    assert own.tables["door"].dice == "d66"


@pytest.mark.clause("NM-01", "NM-02")
@pytest.mark.parametrize(("rolled", "kinds"), [(table("Door", SIX), 6), (table("Door", sections=SECTIONS), 36)])
def test_rolls_on_a_table_are_even(rolled: RandomTable, kinds: int) -> None:
    """By chance too, over many rolls of one seed: no entry comes up much more often than another."""
    own, throws = game(door=rolled), 36 * examples(300)
    state, dice = state_of(own), ChanceDice(Random(20261121).randrange)
    (move,) = offered(own, state, "table").values()
    count = Counter(told(own.play(state, Act(move), dice))[-1] for _ in range(throws))
    assert len(count) == kinds
    wanted = throws / kinds
    squares = sum((own - wanted) ** 2 / wanted for own in count.values())
    freedom = kinds - 1
    assert abs(squares - freedom) < EVEN * (2 * freedom) ** 0.5


@pytest.mark.clause("NM-01", "NM-02")
def test_numbered_sections_come_in_the_order_of_their_numbers() -> None:
    """A person may write the second section first; the die's two is the section called 2 all the same."""
    sections = {str(section): [f"{section}{entry}" for entry in range(1, 7)] for section in (2, 1, 3, 4, 6, 5)}
    own = game(door=table("Door", sections=sections))
    assert told(play(own, state_of(own), "table door 2 5")) == ["“Door”, 25: 25"]


@pytest.mark.clause("NM-02")
@pytest.mark.parametrize(
    ("size", "words", "result"),
    [(6, "table door 4", 4), (10, "table door 0", 10), (20, "table door 17", 17), (100, "table door 100", 100)],
)
def test_real_dice_on_one_die(size: int, words: str, result: int) -> None:
    """Up to a d10 one digit a die; from there on the number that stands on it."""
    own = game(door=table("Door", [f"thing {number}" for number in range(1, size + 1)]))
    played = play(own, state_of(own), words)
    assert told(played) == [f"“Door”, {result}: thing {result}"]
    assert played.faces == (result,)
    assert typed(played.facts) == [True]


@pytest.mark.clause("NM-02")
def test_real_dice_on_a_d66_together_and_one_by_one() -> None:
    """Both digits in one word or two; with one typed the act waits for the other, and has not happened yet."""
    own = game(door=table("Door", sections=SECTIONS))
    state = state_of(own)
    for words in ("table door 35", "table door 3 5"):
        assert told(play(own, state, words)) == ["“Door”, 35: 35"]
    half = play(own, state, "table door 3")
    assert half.facts == ()
    assert own.question(half.state) == "Door, entry: what does the die show?"
    whole = play(own, half.state, "dice 5")
    assert (told(whole), whole.follows) == (["“Door”, 35: 35"], True)
    assert told(play(own, half.state, "rest")) == ["Waylog rolled 1 of these dice", "“Door”, 31: 31"]
    for words, why in (("table door 7 1", "a d6 has no 7"), ("table door 3 5 6", "Too many dice: this takes")):
        with pytest.raises(ActRefused, match=why):
            play(own, state, words)


@pytest.mark.clause("NM-03")
def test_large_dice_are_typed_as_numbers_wherever_the_way_leads() -> None:
    """In an entry, on a table that it names, in what is asked for later: 15 on a d20 is never a one and a five."""
    twenty = table("Loot", [f"loot {number}" for number in range(1, 21)])
    own = game(door=table("Door", [{"text": "d100 coins", "table": "loot"}, *SIX[1:]]), loot=twenty)
    state = state_of(own)
    whole = told(play(own, state, "table door 1 55 15"))
    assert whole == ["“Door”, 1: 55 (d100) coins", "“Loot”, 15: loot 15"]
    half = play(own, state, "table door 1").state
    assert own.question(half) == "“Door”, 1, “d100 coins”: d100: what does the die show?"
    more = play(own, half, "dice 55").state
    assert own.question(more) == "Loot: what does the die show?"
    assert told(play(own, more, "dice 15")) == whole
    assert told(play(own, state, "pick door 1 55 15"))[1:] == whole[1:]
    far = game(a=table("A", [{"table": "b"}]), b=table("B", [{"table": "c"}]), c=table("C", [{"table": "d"}]), d=twenty)
    assert told(play(far, state, "table a 15"))[-1] == "“Loot”, 15: loot 15"


@pytest.mark.clause("NM-03")
@pytest.mark.parametrize(
    ("text", "faces", "said"),
    [
        ("d6 surviving crew", "4", "4 (d6) surviving crew"),
        ("crew: 2d6+1, angry", "4 5", "crew: 10 (2d6+1), angry"),
        ("D6 rats and d10 cats", "2 7", "2 (D6) rats and 7 (d10) cats"),
        ("2D6-2 hours", "1 1", "0 (2D6-2) hours"),
        ("room d66", "4 2", "room 42 (d66)"),
        ("d20 days", "17", "17 (d20) days"),
    ],
)
def test_dice_in_an_entry_are_rolled_and_shown_as_both(text: str, faces: str, said: str) -> None:
    """What was written, what fell, and what it comes to."""
    own = game(door=table("Door", [text]))
    played = play(own, state_of(own), f"table door {faces}")
    assert told(played) == [f"“Door”, 1: {said}"]
    shown = [face for _, dice in thrown(played.facts) for face, _ in dice]
    assert shown == [int(face) for face in faces.split()]


@pytest.mark.clause("NM-03")
@pytest.mark.parametrize("text", ["the d6ers", "R2d2", "a d1", "d101", "0d6", "id66", "3d66", "d6d", "½d", "the 3rd"])
def test_what_only_looks_like_dice_is_text(text: str) -> None:
    """Only dice that there are, standing as words of their own."""
    assert [part for part, dice in dice_in(text) if dice] == []
    own = game(door=table("Door", [text]))
    assert told(play(own, state_of(own), "table door")) == [f"“Door”, 1: {text}"]


@pytest.mark.clause("NM-03")
def test_an_entry_may_lead_to_another_table() -> None:
    """However far: each table's own dice and entry are told in turn, and it is one act."""
    own = game(
        door=table("Door", [{"text": "Someone", "table": "who"}, "a wall"]),
        who=table("Who", ["nobody", {"text": "d6 guards", "table": "mood"}]),
        mood=table("Mood", ["calm", "angry", "asleep"]),
    )
    played = play(own, state_of(own), "table door 1 2 4 3")
    assert told(played) == ["“Door”, 1: Someone", "“Who”, 2: 4 (d6) guards", "“Mood”, 3: asleep"]
    assert thrown(played.facts) == [
        ("Door", [(1, 2)]),
        ("Who", [(2, 2)]),
        ("Who, d6", [(4, 6)]),
        ("Mood", [(3, 3)]),
    ]
    assert played.state == state_of(own)


CIRCLES: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any], str]] = {
    "to itself": ({"door": [{"table": "door"}]}, {}, "table door → table door"),
    "there and back": (
        {"door": [{"table": "who"}], "who": ["x", {"table": "door"}]},
        {},
        "table door → table who → table door",
    ),
    "by three": (
        {"door": [{"table": "who"}], "who": [{"table": "mood"}], "mood": [{"table": "door"}]},
        {},
        "table door → table who → table mood → table door",
    ),
    "by an effect": (
        {"door": [{"table": "who"}], "who": [{"effect": "table door"}]},
        {},
        "table door → table who → table door",
    ),
    "by a deck": (
        {"door": [{"effect": "draw hold"}]},
        {"hold": {"name": "Hold", "cards": {"a": {"text": "A", "effect": "table door"}}}},
        "table door → deck hold → table door",
    ),
    "by two decks": (
        {"door": [{"effect": "draw hold"}]},
        {
            "hold": {"name": "Hold", "cards": {"a": {"text": "A", "effect": "draw hunt"}}},
            "hunt": {"name": "Hunt", "cards": {"b": {"text": "B", "effect": "table door"}}},
        },
        "table door → deck hold → deck hunt → table door",
    ),
}


@pytest.mark.clause("NM-03")
@pytest.mark.parametrize("way", CIRCLES)
def test_a_circle_is_refused_with_the_way_round(way: str) -> None:
    """When the file is checked, at the entry that leads on; and the table can be neither rolled on nor picked from."""
    entries, decks, said = CIRCLES[way]
    own = game(**{key: table(key.capitalize(), listed) for key, listed in entries.items()})
    state, faults = own.read({"decks": decks})
    assert {fault.path[1] for fault in faults} == set(decks)
    assert {fault.clause for fault in faults} <= {"NM-03"}
    found = own.table_faults(state)["door"]
    assert [(fault.path, fault.message, fault.clause) for fault in found] == [
        (("entries", "0"), f"this table leads back to itself ({said})", "NM-03")
    ]
    for verb in ("table door", "pick door 1"):
        with pytest.raises(ActRefused, match=said):
            play(own, state, verb)


@pytest.mark.clause("NM-03")
def test_what_only_leads_into_a_circle_is_not_rolled_either() -> None:
    """It is no circle itself, and says which table it can't go on to; a clock's effect goes no further than a key."""
    own = game(
        way=table("Way", ["x", {"table": "door"}]), door=table("Door", [{"table": "door"}]), free=table("Free", ["y"])
    )
    clock = {"name": "Fire", "kind": "death", "segments": 4, "filled": 3, "when_full": "table door"}
    state = state_of(own, {"clocks": {"fire": clock}})
    assert wrong(own, "way") == []
    with pytest.raises(ActRefused, match="“Way” leads to “Door”, which has a problem"):
        play(own, state, "table way")
    assert told(play(own, state, "table free")) == ["“Free”, 1: y"]
    full = play(own, state, "tick fire").state
    (effect,) = offered(own, full, "effect").values()
    assert effect.blocked
    assert "leads back to itself" in effect.blocked.reason


@pytest.mark.clause("NM-03")
def test_a_table_that_there_is_none_of_is_named() -> None:
    """With those that there are, at its entry; the table is not rolled on until it is mended."""
    own = game(door=table("Door", ["x", {"text": "y", "table": "dor"}]))
    assert wrong(own) == [
        (("entries", "1"), "an entry leads to “dor”, but there is no such table. The tables are door", "NM-03")
    ]
    with pytest.raises(ActRefused, match="an entry leads to “dor”, but there is no such table"):
        play(own, state_of(own), "table door")


@pytest.mark.clause("NM-01")
@pytest.mark.parametrize(
    ("values", "place", "said"),
    [
        ({}, ("entries",), "1 to 100 entries, but this one has 0"),
        ({"entries": ["x"] * 101}, ("entries",), "1 to 100 entries, but this one has 101"),
        ({"sections": dict([*SECTIONS.items()][:5])}, ("sections",), "six sections, but this one has 5"),
        ({"sections": {**SECTIONS, "part 3": SIX[:5]}}, ("sections", "part 3"), "six entries, but this one has 5"),
        ({"sections": SECTIONS, "entries": SIX}, ("sections",), "not both"),
    ],
)
def test_a_table_of_no_such_shape_is_a_problem_and_rests(values: dict[str, Any], place: Any, said: str) -> None:
    """The check says where; a roll on it is refused with the same reason; other tables are rolled on as ever."""
    own = game(door=table("Door", **values), free=table("Free", ["y"]))
    ((path, message, clause),) = wrong(own)
    assert (path, clause) == (place, "NM-01")
    assert said in message
    for words in ("table door", "pick door 1"):
        with pytest.raises(ActRefused, match=said) as refused:
            play(own, state_of(own), words)
        assert refused.value.refusal.clause == "NM-01"
    assert told(play(own, state_of(own), "table free")) == ["“Free”, 1: y"]


@pytest.mark.clause("NM-04")
def test_a_table_is_hidden_unless_it_is_open() -> None:
    """All that comes of a hidden one is the wayfinder's own, and of an open one the players'."""
    assert not RandomTable().seen
    for seen in (False, True):
        own = game(door=table("Door", ["d6 guards"], seen=seen))
        for words in ("table door", "pick door 1"):
            assert set(secrets(play(own, state_of(own), words).facts)) == {not seen}


@pytest.mark.clause("NM-04")
def test_what_a_hidden_table_leads_to_is_hidden() -> None:
    """Whatever the other table says; and an open one that leads to a hidden one keeps that one hidden."""
    own = game(
        hidden=table("Hidden", [{"text": "a", "table": "plain"}]),
        plain=table("Plain", ["b"], seen=True),
        open=table("Open", [{"text": "c", "table": "hidden"}], seen=True),
    )
    assert secrets(play(own, state_of(own), "table hidden").facts) == [True] * 2
    facts = play(own, state_of(own), "table open").facts
    assert secrets(facts) == [False, True, True]


@pytest.mark.clause("NM-05")
def test_a_result_is_logged_with_table_dice_and_entry() -> None:
    """Rolled or picked; a picked one says so, and no die of the table was rolled for it."""
    own = game(door=table("Door", SIX), grid=table("Grid", sections=SECTIONS))
    state = state_of(own)
    rolled = play(own, state, "table door 4")
    assert (thrown(rolled.facts), told(rolled)) == ([("Door", [(4, 6)])], ["“Door”, 4: thing 4"])
    assert [fact.clause for fact in rolled.facts if isinstance(fact, NoteFact)] == ["NM-05"]
    picked = play(own, state, "pick door 4")
    assert (thrown(picked.facts), told(picked)) == ([], ["“Door”, 4 (picked): thing 4"])
    assert told(play(own, state, "pick grid 35")) == ["“Grid”, 35 (picked): 35"]
    with pytest.raises(ActRefused, match="no entry 37: its entries are 11 to 66, both digits from 1 to 6") as refused:
        play(own, state, "pick grid 37")
    assert refused.value.refusal.clause == "NM-05"
    with pytest.raises(ActRefused, match="1 to 6"):
        play(own, state, "pick door 7")


@pytest.mark.clause("NM-03", "NM-05")
def test_a_picked_entry_rolls_what_stands_in_it() -> None:
    """Its dice and the tables it leads to are as ever."""
    own = game(door=table("Door", ["x", {"text": "d6 guards", "table": "mood"}]), mood=table("Mood", ["calm", "angry"]))
    assert told(play(own, state_of(own), "pick door 2 5 2")) == [
        "“Door”, 2 (picked): 5 (d6) guards",
        "“Mood”, 2: angry",
    ]


@pytest.mark.clause("NM-01", "NM-03")
def test_an_entry_is_its_text_or_a_table() -> None:
    """Anything else is a problem at its place, and unknown keys are named."""
    read, faults = records.read(RandomTable, {"entries": ["a", {"text": "b"}, 3, {"txt": "c"}]})
    assert [entry.text for entry in read.entries] == ["a", "b", "", ""]
    assert [(fault.path, fault.grave) for fault in faults] == [
        (("entries", "2"), True),
        (("entries", "3", "txt"), False),
    ]
    assert faults[0].message == "entries can't be 3: it should be text or a table"


@pytest.mark.clause("NM-05")
def test_tables_may_be_called_anything() -> None:
    """Keys that are numbers, have blanks or are the verb itself can all be typed, and no two share a word."""
    own = game(**{key: table(key, [key.upper()]) for key in ("12", "Far door", "far-door", "table", "die", "…")})
    state = state_of(own)
    words = [move.words[0] for move in offered(own, state, "table").values()]
    assert len(set(words)) == 6
    results = [told(play(own, state, f"table {word}"))[0] for word in words]
    assert results == [
        "“12”, 1: 12",
        "“Far door”, 1: FAR DOOR",
        "“far-door”, 1: FAR-DOOR",
        "“table”, 1: TABLE",
        "“die”, 1: DIE",
        "“…”, 1: …",
    ]


@pytest.mark.clause("NM-02")
def test_a_table_is_rolled_on_whatever_is_asked() -> None:
    """What is open stays open, also while real dice for the table are awaited."""
    own = game(door=table("Door", sections=SECTIONS))
    asked = play(own, state_of(own, {"ship": {"focus": 1}}), "roll nav 5 1").state
    assert own.question(asked)
    assert play(own, asked, "table door").state == asked
    half = play(own, asked, "table door 3").state
    whole = play(own, half, "dice 5")
    assert told(whole) == ["“Door”, 35: 35"]
    assert own.question(whole.state) == own.question(asked)
    assert offered(own, whole.state, "focus") == offered(own, asked, "focus")


@pytest.mark.clause("NM-02")
def test_dice_that_fall_by_chance_are_not_said_to_be_typed() -> None:
    """A table's fact says whether its dice were typed or fell by chance."""
    own = game(door=table("Door", ["d6 guards", "a wall"]))
    by_chance = own.play(state_of(own), Act(offered(own, state_of(own), "table")["table door"]), ONES)
    assert typed(by_chance.facts) == [False, False]
    assert typed(play(own, state_of(own), "table door 1 4").facts) == [True, True]
