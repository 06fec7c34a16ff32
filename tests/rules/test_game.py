"""The door that every act goes through: real dice, clocks beside the rules, values set by hand, what is open."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit.rules import ONES
from tests.kit.small_game import CHAPTER, LUCK, LUCK_ANSWERS, Boat, Harbour, Lucky
from tests.kit.small_game import SYSTEM as SMALL_GAME
from tests.rules.veil_table import CORE
from waylog.rules.codec.changes import Change, Path, format_path
from waylog.rules.common.random_tables import RandomTable, TableEntry
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import EffectOffer, OpenState, PlayResult, State, Waiting
from waylog.rules.systems import names, system

GAME = Game(SMALL_GAME)


def play(state: State, words: str, faces: Sequence[int] | None = None) -> PlayResult:
    """One act in words; the app's dice all show 1."""
    act = parse_act(GAME.moves(state), words)
    return GAME.play(state, replace(act, faces=act.faces if faces is None else tuple(faces)), ONES)


def fresh(**values: Any) -> State:
    """A new campaign with some of its values changed."""
    return replace(GAME.fresh("Trial"), **values)


def test_the_app_rolls_what_is_not_typed() -> None:
    """Without faces every die is the app's, the follow-on die too."""
    played = play(fresh(), "row boat wild")
    assert [fact.typed for fact in played.facts if isinstance(fact, RollFact)] == [False, False]
    assert played.state.sheet.boat.hull == 2
    assert played.words == "row boat wild"


def test_too_few_real_dice_leave_the_act_open() -> None:
    """Nothing of the act has happened until the rest is typed, and then all of it has."""
    state = fresh()
    first = play(state, "row boat wild", (1,))
    assert first.state.open == OpenState(typed=True, waiting=Waiting("row boat wild", (1,), ("damage",)))
    assert GAME.difference(state, first.state) == ()
    assert GAME.question(first.state) == "Damage: what does the die show?"
    second = play(first.state, "dice 2")
    assert second.state.sheet.boat.hull == 2
    assert second.state.open is None
    assert second.follows
    assert all(fact.typed for fact in second.facts if isinstance(fact, RollFact))


def test_a_move_apart_goes_on_with_what_is_open_and_is_its_own_act() -> None:
    """It sees the scene like a follow-up, but belongs to no earlier act, and rolls its own way."""
    apart = replace(LUCK, answers=lambda *_: [replace(answer, apart=True) for answer in LUCK_ANSWERS])
    game = Game(replace(SMALL_GAME, chapters=(SimpleNamespace(CHAPTER=replace(CHAPTER, stages=(apart,))),)))
    lucky = replace(game.fresh("Trial"), sheet=Harbour(Boat(luck=1)))
    rowed = game.play(lucky, parse_act(game.moves(lucky), "row boat 3"), ONES).state
    assert rowed.open == OpenState(Lucky(3), typed=True)
    better = game.play(rowed, parse_act(game.moves(rowed), "luck"), ONES)
    assert [fact.outcome for fact in better.facts if isinstance(fact, OutcomeFact)] == ["drawback"]
    assert not better.follows
    assert better.state.sheet.boat.luck == 0
    assert better.state.open is None or not better.state.open.typed


def test_the_rest_can_be_left_to_the_app() -> None:
    """The typed faces stay; the app rolls what is missing."""
    waiting = play(fresh(), "row boat wild", (2,)).state
    rolled = [fact.dice[0].face for fact in play(waiting, "rest").facts if isinstance(fact, RollFact)]
    assert rolled == [2, 1]


@pytest.mark.parametrize(
    ("faces", "reason"),
    [
        ((5, 1), "Too many dice: this takes 1, but you typed 2"),
        ((7,), "a d6 has no 7"),
        ((10,), r"a d6 has no 0 or 10: check the die for oar"),
    ],
)
def test_faces_that_no_die_has_are_refused(faces: tuple[int, ...], reason: str) -> None:
    """Too many, or none that such a die shows."""
    with pytest.raises(ActRefused, match=reason):
        play(fresh(), "row boat", faces)


def test_later_dice_of_a_typed_act_are_asked_for() -> None:
    """Who has real dice in hand is not rolled for behind their back."""
    state = fresh(
        sheet=Harbour(Boat(luck=1)),
        clocks={"storm": Clock("Storm", ClockKind.CATASTROPHE, 4, 3, when_full="damage boat")},
    )
    rolled = play(state, "row boat storm", (1,)).state
    assert GAME.question(rolled) == "Use luck?"
    kept = play(rolled, "keep")
    assert kept.state.clocks["storm"].full
    hit = play(kept.state, "effect storm")
    assert hit.state.open
    assert hit.state.open.waiting == Waiting("effect storm", (), ("damage",))
    assert play(hit.state, "dice 3").state.sheet.boat.hull == 2


@pytest.mark.clause("NM-24")
def test_a_roll_moves_the_clocks_it_is_made_on_once_it_is_read() -> None:
    """Chosen before the roll, moved after the choice that ends it, in the same act."""
    state = fresh(sheet=Harbour(Boat(luck=1)), clocks={"repair": Clock("Repair", ClockKind.PUSH, 4)})
    rolled = play(state, "row boat repair", (4,))
    assert rolled.state.clocks["repair"].filled == 0
    lucky = play(rolled.state, "luck")
    assert lucky.state.clocks["repair"].filled == 1
    assert lucky.follows
    assert lucky.state.open is None


@pytest.mark.clause("NM-24")
def test_a_clock_can_be_chosen_after_the_roll() -> None:
    """It is offered with what it would fill, once."""
    rolled = play(fresh(clocks={"repair": Clock("Repair", ClockKind.PUSH, 4)}), "row boat", (6,)).state
    offered = next(move for move in GAME.moves(rolled) if move.id == "on repair")
    assert offered.label == "Fill 2 segments of “Repair”"
    after = play(rolled, "on repair").state
    assert after.clocks["repair"].filled == 2
    assert "on repair" not in {move.id for move in GAME.moves(after)}


@pytest.mark.clause("NM-24")
def test_what_a_roll_would_do_to_its_clocks_shows_before_it() -> None:
    """Each outcome that moves it, with how far."""
    state = fresh(clocks={"storm": Clock("Storm", ClockKind.CATASTROPHE, 6, 1)})
    act = parse_act(GAME.moves(state), "row boat storm")
    odds = GAME.odds(state, act.move, {"call": "calm", **act.answers})
    assert odds
    assert odds.forecast == (NoteFact("“Storm” 1/6: fiasco fills 2, drawback fills 1", "NM-24"),)


def test_a_value_is_set_by_hand_within_the_rules() -> None:
    """As in the file; what would break a clause is refused with it."""
    played = play(fresh(), "set boat.luck 2")
    assert GAME.difference(fresh(), played.state) == (Change(("boat", "luck"), 0, 2),)
    for words, reason in (
        ("set boat.hull 9", "from 0 to 3"),
        ("set boat.wings 2", "has no wings"),
        ("set boat.luck lots", "lots"),
    ):
        with pytest.raises(ActRefused, match=reason):
            play(fresh(), words)


@pytest.mark.clause("NM-42")
def test_a_note_leaves_what_is_open_as_it_is() -> None:
    """Notes can be written at any time."""
    rolled = play(fresh(sheet=Harbour(Boat(luck=1))), "row boat", (3,)).state
    noted = play(rolled, "note the oar is cracked")
    assert noted.state == rolled
    assert noted.facts == (NoteFact("the oar is cracked"),)
    assert not noted.follows


@pytest.mark.parametrize(
    "opened",
    [
        None,
        OpenState(Lucky(4), typed=True, on=("storm",)),
        OpenState(waiting=Waiting("row boat", (1, 2), ("damage",)), typed=True),
        OpenState(offers=(EffectOffer("clocks.storm", "“Storm” is full", "damage boat"),)),
        OpenState(drawn=("hold", "mimic")),
        OpenState(
            offers=(EffectOffer("tables.door", "Rats", "damage boat", late=True),),
            missed={"storm": (OutcomeGrade.FIASCO,)},
        ),
    ],
)
def test_what_is_open_survives_the_program(opened: OpenState | None) -> None:
    """To plain values and back."""
    assert GAME.read_open(GAME.write_open(fresh(open=opened))) == opened


def test_what_version_0_3_left_open_is_read() -> None:
    """It kept the grade of one earlier roll for each clock."""
    assert GAME.read_open({"open": True, "missed": {"storm": "fiasco"}}) == OpenState(
        missed={"storm": (OutcomeGrade.FIASCO,)}
    )


def test_a_campaign_survives_the_program() -> None:
    """To plain values and back, and nothing is wrong with it."""
    state = fresh(
        clocks={"storm": Clock("Storm", ClockKind.DEATH, 8, 2, when_full="damage boat")}, sheet=Harbour(Boat(1, 2))
    )
    assert GAME.read(GAME.write(state)) == (state, [])


@pytest.mark.clause("NM-25")
def test_a_file_that_is_read_again_is_read_as_it_is_now() -> None:
    """Parts that say the same are the same objects. An edit in place, a 1 for true and a true for 1 are seen, and faults come each time."""
    game = Game(SMALL_GAME)
    tree: dict[str, Any] = game.write(fresh(clocks={"storm": Clock("Storm", ClockKind.DEATH, 4, seen=False)}))
    state, faults = game.read(tree)
    assert not faults
    again, _ = game.read(tree)
    assert again.sheet is state.sheet
    assert again.clocks is state.clocks
    tree["clocks"]["storm"]["segments"] = 6
    assert game.read(tree)[0].clocks["storm"].segments == 6
    assert game.read(tree)[0].sheet is state.sheet
    tree["clocks"]["storm"]["filled"] = 1
    assert not game.read(tree)[1]
    tree["clocks"]["storm"]["filled"] = True
    for _ in range(2):
        assert [fault.path for fault in game.read(tree)[1]] == [("clocks", "storm", "filled")]


def test_an_effect_that_is_no_act_is_found_when_the_file_is_read() -> None:
    """An effect that is no act is a fault of the file, so that it can't fail at the table."""
    faults = GAME.read({"clocks": {"storm": {"name": "Storm", "when_full": "sing"}}})[1]
    assert [(fault.path, fault.clause) for fault in faults] == [(("clocks", "storm", "when_full"), "NM-25")]


def test_a_result_is_kept_apart_from_notes() -> None:
    """What a roll came to can be told without reading sentences."""
    results = [fact for fact in play(fresh(), "row boat", (6,)).facts if isinstance(fact, OutcomeFact)]
    assert [(result.outcome, result.who) for result in results] == [("critical", "Boat")]


@pytest.mark.parametrize(
    "said", ['""', "boat.hull ²", "boat.hull --1", "boat.hull ٣", f"boat.hull {'9' * 5000}", '"\x01" 3', ". 1", '" 1']
)
def test_what_is_no_value_is_refused_and_not_stumbled_over(said: str) -> None:
    """Digits that are no number, a path that is none: refused in words, whatever was typed."""
    act = parse_act(GAME.moves(fresh()), "set boat.hull 2")
    with pytest.raises(ActRefused):
        GAME.play(fresh(), replace(act, answers={"text": said}), ONES)


def test_an_act_that_waits_for_dice_and_is_gone_holds_nothing_up() -> None:
    """A person takes it out of the files meanwhile: its dice are asked for no more, and what was open before is open."""
    with_table = Game(SMALL_GAME, {"door": RandomTable("Door", entries=tuple(TableEntry(f"d6 {n}") for n in range(6)))})
    asked = play(fresh(sheet=Harbour(Boat(3, 1))), "row boat", [3]).state
    waiting = with_table.play(asked, parse_act(with_table.moves(asked), "table door 3"), ONES).state
    assert with_table.question(waiting) == "“Door”, 3, “d6 2”: d6: what does the die show?"
    assert GAME.question(waiting) == GAME.question(asked) == "Use luck?"
    assert GAME.moves(waiting) == GAME.moves(asked)
    assert play(waiting, "keep").state.open is None
    alone = with_table.play(fresh(), parse_act(with_table.moves(fresh()), "table door 3"), ONES).state
    assert (GAME.question(alone), GAME.moves(alone)) == (None, GAME.moves(fresh()))
    assert play(alone, "note hm").state.open is None


@pytest.mark.clause("VK-05", "VK-42")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            "crew.lras.focus 2",
            "there is no crew.lras. Did you mean crew.lars? To add it, type: set crew.lras.name Lras",
        ),
        ("crew.Lars.vitality 1", "there is no crew.Lars. Did you mean crew.lars?"),
        ("crew.lras.primary.name TORCH", "there is no crew.lras. Did you mean crew.lars?"),
        ("crew.lras.name", "there is no crew.lras. Did you mean crew.lars?"),
        ("clocks.x.filled 3", "there is no clocks.x, only storm. To add it, type: set clocks.x.name X"),
        ("clocks.hull.filled 3", "there is no clocks.hull, only storm"),
        ("clocks.the-strom.filled 3", "Did you mean clocks.storm?"),
        ("decks.hold.shown true", "there is no decks.hold. To add it, type: set decks.hold.name Hold"),
        ("sessions.3.title Late", "there is no sessions.3. To add it, type: set sessions.3.began"),
    ],
)
def test_a_slip_in_a_key_adds_nothing(words: str, reason: str) -> None:
    """The refusal names the entry that was probably meant, and how a new one is added."""
    tree = {"crew": {"lars": {"name": "Lars"}}, "clocks": {"storm": {"name": "The storm", "kind": "death"}}}
    state, faults = CORE.read(tree)
    assert not faults
    with pytest.raises(ActRefused) as refused:
        CORE.play(state, parse_act(CORE.moves(state), f"set {words}"), ONES)
    said = refused.value.refusal.reason
    assert said.endswith(reason) if "To add" in reason else reason in said


def entries(schema: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, list[str]]]:
    """Where a file has entries under keys of a person's own, each with its fields."""
    for name, of in schema.get("properties", {}).items():
        yield from entries(of, (*path, name))
    entry = schema.get("additionalProperties", {})
    if "properties" in entry:
        yield (*path, "new-one"), [*entry["properties"]]
        yield from entries(entry, (*path, "new-one"))


MADE_WHOLE = ("assets", "sessions", "prep")
"""What has more to it from the beginning than what it is called, a number for a key, or no name of its own."""


@pytest.mark.parametrize("name", names())
def test_an_entry_is_added_by_hand_with_what_it_is_called_and_with_nothing_else(name: str) -> None:
    """In every game, for everything that has a key of its own: no other value of it may be set first."""
    game = Game(system(name))
    state = game.fresh("Trial")
    # A situation makes rolls Desperate or the crew Exposed: a game that knows neither has none.
    left_out = MADE_WHOLE if game.system.running else (*MADE_WHOLE, "situations")
    found = [(path, fields) for path, fields in entries(game.schema()) if path[0] not in left_out]
    assert ("clocks", "new-one") in [path for path, _ in found]
    for path, (first, second, *_) in found:
        new = format_path(path)
        with pytest.raises(ActRefused, match=f"there is no {new}.*To add it, type: set {new}.{first}"):
            game.play(state, parse_act(game.moves(state), f"set {new}.{second} 1"), ONES)
        done = game.play(state, parse_act(game.moves(state), f"set {new}.{first} Something"), ONES)
        fact, *later = done.facts
        assert isinstance(fact, NoteFact)
        assert re.fullmatch(r"Added to the \w[\w ]*: Something", fact.text)
        assert fact == NoteFact(fact.text, secret=True, part=NotePart.DEED)
        assert [
            note for note in later if not (isinstance(note, NoteFact) and note.text.startswith("Not complete yet: "))
        ] == []
        state = done.state
