"""Conflicts: sides and order, who has to see, what comes into play, and what a screen is given (EG-10…EG-24)."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.rules import told
from tests.kit.table import Falling, ticking, written
from tests.rules.emissaries_table import (
    GAME,
    MARA,
    THOSS,
    after,
    board,
    campaign,
    conflict,
    move,
    odds,
    play,
    pools,
    refused,
    two,
)
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.facts import OutcomeFact, RollFact
from waylog.rules.model.moves import ActRefused, PickMany
from waylog.rules.model.panels import FacesRow, TextRow
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems.emissaries.advice import Stop
from waylog.rules.systems.emissaries.state_stages_and_typed_names import Did, Phase, Side
from waylog.table import Table

LARS = {"name": "Lars", "body": 2, "mind": 2, "soft": 2, "hard": 2}
EGG = ("conflict Egg", "enter mara argue 1 2 2 3 4 4", "enter thoss argue 1 1 3 4 5 6 6", "begin mara")
THREE = (
    'conflict "The lock"',
    "enter mara fight 6 6 5 5 4 4 1",
    "enter lars argue 3 3 2 1",
    "enter thoss fight 6 5 4 3 2 1",
)
"""Mara and Lars against Thoss."""


def three() -> State:
    """A campaign of these three."""
    return campaign(crew={"mara": MARA, "lars": LARS}, npcs={"thoss": THOSS})


# -- beginning -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("EG-10")
def test_an_obstacle_is_rated_and_rolls_like_anybody() -> None:
    """It stands there first, with its dice named, and rolls them as it enters; it can't escalate, and takes no fallout."""
    state = after(two(), 'conflict "Through the storm?"', 'obstacle "The storm" 4d6 4d8')
    assert board(state).seats[0].rating == "4d6 4d8"
    assert refused(state, "obstacle Sleet").clause == "EG-10"
    assert refused(state, 'obstacle "Sleet" 4d7').clause == "EG-10"
    for many in ('obstacle "Sleet" "30d6 20d6"', "obstacle Sleet 30d6 20d6"):
        assert refused(state, many).clause == "EG-10"
    assert board(after(state, "obstacle Driving sleet 4d6 1d4")).seats[1].rating == "1d4 4d6"
    state = after(state, "enter mara exert 6 6 6 6 6 6 6", "enter the-storm 1 1 1 1 2 2 2 2", "begin mara")
    assert pools(state)["the-storm"] == (1, 1, 1, 1, 2, 2, 2, 2)
    state = after(state, "raise 6 6")
    assert refused(state, "escalate").clause == "EG-19"
    played = play(state, "see 2 2 2 2 1 1 1 1")
    assert told(played)[-1] == "The storm is an obstacle, so the fallout has no effect"
    assert conflict(played.state).phase is Phase.RAISE


@pytest.mark.clause("EG-10")
def test_each_side_needs_somebody() -> None:
    """Until then it can't begin, and may be called off; two emissaries may be at odds with each other."""
    state = after(three(), "conflict Egg", "enter mara argue")
    assert refused(state, "begin mara").clause == "EG-10"
    assert after(state, "call-off").open is None
    state = after(state, "enter lars argue theirs", "begin mara")
    assert [one.side for one in conflict(state).people] == [Side.OURS, Side.THEIRS]


@pytest.mark.clause("EG-10", "EG-51")
def test_calling_off_has_a_letter_that_no_name_has() -> None:
    """A capital C, before a conflict begins and once it has begun, so that no letter of a person ends it by a slip."""
    people = {"crew": {"mara": MARA}, "npcs": {"thoss": THOSS}}
    for state in (after(campaign(**people), EGG[0]), after(campaign(**people), *EGG)):
        (end,) = (move for move in GAME.moves(state) if move.verb == "call-off")
        assert end.key == "C"


@pytest.mark.clause("EG-10", "EG-35")
def test_somebody_else_is_made_with_dice_also_in_the_middle_of_a_conflict() -> None:
    """Dice and rows in one line; what waits for an answer waits on, and the act is an act of its own."""
    state = after(two(), "conflict Egg", "enter mara argue")
    played = play(state, 'npc "Pirate queen" 5d6 2')
    queen = played.state.sheet.npcs["pirate-queen"]
    assert (queen.name, queen.dice, queen.rows) == ("Pirate queen", "5d6", 2)
    assert not played.follows
    assert conflict(played.state) == conflict(state)
    state = after(played.state, "enter pirate-queen argue 6 6 6 6 6", "begin mara")
    assert pools(state)["pirate-queen"] == (6, 6, 6, 6, 6)
    for words in ("npc Guard 4d6 4d8", "npc Guard 3", 'npc "Guard"', "npc Old guard 1d8 5"):
        assert conflict(after(state, words)) == conflict(state)
    old = after(state, "npc Old guard 1d8 5").sheet.npcs["old-guard"]
    assert (old.name, old.dice, old.rows) == ("Old guard", "1d8", 5)
    for words in ("npc 5d6", "npc Guard 5d7"):
        assert refused(state, words).clause == "EG-10"


@pytest.mark.clause("EG-10")
def test_nobody_without_dice_takes_part() -> None:
    """The refusal says what gives them some, and that may be done there and then."""
    state = after(two(npcs={"thoss": THOSS, "queen": {"name": "Pirate queen"}}), "conflict Egg")
    why = refused(state, "enter queen argue")
    assert (why.reason, why.clause) == (
        "Pirate queen has no dice yet. To add some, type “rate queen 4d6 4d8”",
        "EG-10",
    )
    for words in ("rate queen 4d6 4d8", "gain queen Feared 2d6"):
        assert not move(after(state, words), "enter queen").blocked
    assert refused(state, "rate thoss 4d6").clause == "EG-11"
    assert refused(state, "rate queen 4d7").clause == "EG-10"
    assert pools(after(state, "rate queen 2d6", "enter queen argue 3 4"))["queen"] == (3, 4)
    armed = after(state, "object queen Knife")
    assert refused(armed, "enter queen argue").clause == "EG-10"
    assert pools(after(armed, "enter queen argue knife 5"))["queen"] == (5,)


@pytest.mark.clause("EG-05", "EG-19", "EG-50")
def test_what_is_handed_over_in_a_conflict_comes_into_play_by_escalating() -> None:
    """An object, a trait or a ship that was not there before; nobody advances until it is over."""
    state = after(two(), *EGG, "raise 4 3")
    asked = GAME.question(state)
    state = after(
        state, "object thoss Blaster 1d4 1d8 dangerous", 'gain mara "Cornered" 1d8', 'asset "Dart" frigate 2d6 2d6 2d6'
    )
    assert GAME.question(state) == asked
    escalated = play(state, "escalate blaster 3 7")
    assert pools(escalated.state)["thoss"] == (1, 1, 3, 3, 4, 5, 6, 6, 7)
    assert [fact.deed for fact in escalated.facts if isinstance(fact, RollFact)] == ["Thoss escalates"]
    assert "dart" in state.sheet.assets
    verbs = {offered.verb for offered in GAME.moves(state)}
    assert verbs >= {"npc", "asset", "object", "gain", "rephrase"}
    assert not verbs & {"advance", "recover", "cure", "join", "conflict"}


@pytest.mark.clause("EG-11")
@pytest.mark.parametrize(
    ("words", "rolled"),
    [
        ("unopposed-neutral", "Mind 3d6 + Soft 3d6"),
        ("opposed-neutral", "Mind 3d6 + Hard 3d6"),
        ("unopposed-physical", "Body 4d6 + Soft 3d6"),
        ("opposed-physical", "Body 4d6 + Hard 3d6"),
        ("talk", "Mind 3d6 + Soft 3d6"),
        ("argue", "Mind 3d6 + Hard 3d6"),
        ("exert", "Body 4d6 + Soft 3d6"),
        ("body-hard", "Body 4d6 + Hard 3d6"),
    ],
)
def test_each_approach_rolls_its_two_stats(words: str, rolled: str) -> None:
    """By its full name, in a word, or by its stats."""
    assert odds(after(two(), "conflict Egg"), f"enter mara {words}").dice.partition(": ")[2] == rolled


@pytest.mark.clause("EG-12")
def test_what_fits_comes_into_play_and_an_ally_does_not() -> None:
    """Traits, objects and relationships are rolled with the stats, whoever's they are; an ally's relationship is refused."""
    has = {
        "traits": {"calm": {"text": "Calm", "dice": "1d4"}},
        "objects": {"rope": {"name": "Rope", "dice": "1d10"}},
        "relationships": {"thoss": {"who": "Thoss", "dice": "1d8"}, "lars": {"who": "Lars", "dice": "2d6"}},
    }
    state = campaign(crew={"mara": {**MARA, **has}, "lars": LARS}, npcs={"thoss": THOSS})
    state = after(state, "conflict Egg", "enter lars argue 1 1 1 1")
    assert refused(state, "enter mara argue lars").clause == "EG-12"
    against = after(state, "enter mara argue lars theirs 1 1 1 1 1 1 6 6")
    assert pools(against)["mara"][-1] == 6
    played = play(state, "enter mara argue calm rope thoss 1 2 3 4 5 6 4 0 8")
    assert pools(played.state)["mara"] == (1, 2, 3, 4, 4, 5, 6, 8, 10)
    assert board(played.state).seats[1].in_play == ("Mind", "Hard", "Calm", "Rope", "Thoss")
    playing = after(played.state, "enter thoss argue 1 1 1 1 1 1 1", "begin mara")
    with_ = move(playing, "escalate").asks[1]
    assert isinstance(with_, PickMany)
    assert {option.word: option.blocked and option.blocked.clause for option in with_.options} == {
        "calm": "EG-19",
        "rope": "EG-19",
        "thoss": "EG-19",
        "lars": "EG-12",
    }


def joined(*acts: str, people: Mapping[str, Any] | None = None) -> PlayResult:
    """Somebody comes in after these acts, in a conflict of Mara, who knows Joss, with Joss and Thoss."""
    known = {"joss": {"who": "Joss", "dice": "2d8"}}
    crew = people or {"mara": {**MARA, "relationships": known}, "joss": {**LARS, "name": "Joss"}}
    *before, last = ("conflict Egg", *acts)
    return play(after(campaign(crew=crew, npcs={"thoss": THOSS}), *before), last)


@pytest.mark.clause("EG-12")
def test_the_dice_of_a_relationship_leave_the_pool_when_that_person_joins_the_same_side() -> None:
    """The fact names the dice; the other side, or nobody, changes nothing; escalating can't bring them back."""
    enters = "enter mara argue joss 1 1 1 1 1 1 8 7"
    played = joined(enters, "enter joss argue 1 1 1 1")
    assert told(played)[-1] == "Joss is now on Mara's side, so Mara's pool loses 2 dice: 8 7"
    assert pools(played.state)["mara"] == (1, 1, 1, 1, 1, 1)
    assert board(played.state).seats[0].in_play == ("Mind", "Hard")
    begun = after(played.state, "enter thoss argue", "begin mara")
    assert refused(begun, "raise 8 7").clause == "EG-14"
    assert refused(begun, "escalate joss").clause == "EG-12"
    against = joined(enters, "enter joss argue theirs 1 1 1 1")
    assert pools(against.state)["mara"] == (1, 1, 1, 1, 1, 1, 7, 8)
    assert told(against) == ["Joss takes part (opposed, neutral)"]


@pytest.mark.clause("EG-52", "EG-12")
def test_whoever_enters_late_is_as_much_in_the_conflict_as_the_others() -> None:
    """An ally's relationship leaves the pool; the odds are those of entering before it begins, and undone it is as before;
    nobody enters twice, nor after giving.
    """
    state = joined("enter mara argue joss 1 1 1 1 1 1 8 7", "enter thoss argue").state
    late = after(state, "begin mara")
    assert odds(late, "enter joss argue") == odds(state, "enter joss argue")
    played = play(late, "enter joss argue 1 1 1 1")
    assert told(played)[-1] == "Joss is now on Mara's side, so Mara's pool loses 2 dice: 8 7"
    assert [seat.name for seat in board(played.state).seats] == ["Joss", "Mara", "Thoss"]
    assert GAME.question(played.state) == GAME.question(late) == "Mara raises"
    gone = after(played.state, "give", "raise 1 1 joss", "give")
    assert not {"enter mara", "enter joss"} & {offered.id for offered in GAME.moves(gone)}


@pytest.mark.clause("EG-51", "EG-52")
def test_by_house_rule_a_conflict_is_played_to_its_end_by_those_who_began_it() -> None:
    """`call_off` and `late_entry` refuse both once it has begun; before that, everybody enters and it can be cancelled."""
    people = {"crew": {"mara": MARA, "lars": LARS}, "npcs": {"thoss": THOSS}}
    state = after(campaign(**people, house_rules={"call_off": "not-allowed", "late_entry": "not-allowed"}), *EGG)
    for words, clause in (("call-off", "EG-51"), ("enter lars argue", "EG-52")):
        refusal = refused(state, words)
        assert (refusal.clause, refusal.reason.startswith("by house rule")) == (clause, True)
    assert after(campaign(**people, house_rules={"call_off": "not-allowed"}), *EGG[:2], "call-off").open is None


@pytest.mark.clause("EG-12")
def test_only_the_dice_of_that_relationship_leave_the_pool() -> None:
    """A trait of the same name and size stays, and so does a relationship with somebody else."""
    has = {
        "traits": {"joss-taught-me": {"text": "Joss", "dice": "1d8"}},
        "relationships": {"brother": {"who": "Joss", "dice": "1d8"}, "thoss": {"who": "Thoss", "dice": "1d8"}},
    }
    people = {"mara": {**MARA, **has}, "joss": {**LARS, "name": "Joss"}}
    enters = "enter mara argue joss-taught-me brother thoss 1 1 1 1 1 1 3 8 5"
    played = joined(enters, "enter joss argue 1 1 1 1", people=people)
    assert pools(played.state)["mara"] == (1, 1, 1, 1, 1, 1, 3, 5)
    assert told(played)[-1] == "Joss is now on Mara's side, so Mara's pool loses 1 die: 8"


@pytest.mark.clause("EG-12")
def test_an_ally_who_is_renamed_by_hand_counts_as_one_when_it_begins() -> None:
    """Whoever the relationship is with, as the file has it by then."""
    known = {"sister": {"who": "Her sister", "dice": "2d8"}}
    people = {"mara": {**MARA, "relationships": known}, "joss": {**LARS, "name": "Joss"}}
    state = joined("enter mara argue sister", "enter joss argue", "enter thoss argue", people=people).state
    renamed, _ = GAME.read(
        {
            **GAME.write(state),
            "crew": {**people, "mara": {**MARA, "relationships": {"sister": {**known["sister"], "who": "Joss"}}}},
        }
    )
    begun = play(replace(renamed, open=state.open), "begin mara")
    assert pools(begun.state)["mara"] == (1, 1, 1, 1, 1, 1)
    assert "Joss is now on Mara's side, so Mara's pool loses 2 dice: 1 1" in told(begun)


@pytest.mark.clause("EG-12")
@pytest.mark.parametrize(
    ("key", "who", "ally"),
    [
        ("friend", "Joss Marlow", {"joss": "Joss Marlow"}),
        ("joss", "My oldest friend", {"joss": "Joss Marlow"}),
        ("friend", "Joss", {"joss": "Joss Marlow"}),
        ("joss-marlow", "My oldest friend", {"pilot": "Joss Marlow"}),
    ],
)
def test_an_ally_is_known_by_name_and_by_key(key: str, who: str, ally: Mapping[str, str]) -> None:
    """Of the relationship the name or the key, of the ally the name or the word that is typed: any two that agree."""
    ((word, name),) = ally.items()
    people = {"mara": {**MARA, "relationships": {key: {"who": who, "dice": "2d8"}}}, word: {**LARS, "name": name}}
    state = joined(f"enter {word} argue", people=people).state
    assert refused(state, f"enter mara argue {key}").clause == "EG-12"
    later = joined(f"enter mara argue {key}", f"enter {word} argue", people=people)
    assert pools(later.state)["mara"] == (1, 1, 1, 1, 1, 1)


@pytest.mark.clause("EG-13")
def test_who_goes_first_where_nobody_started_it() -> None:
    """The higher sum of two best dice; on equal ones the wayfinder says, or by house rule our side goes first."""
    state = after(two(), *EGG[:2])
    first = play(after(state, "enter thoss argue 1 1 1 1 1 6 6"), "begin")
    assert told(first) == ["Thoss has the best two dice (6 + 6) and goes first"]
    even = after(state, "enter thoss argue 1 1 1 1 2 2 6", "begin")
    assert GAME.question(even) == "Equal dice: who goes first, Mara or Thoss?"
    assert [offered.id for offered in GAME.moves(even) if offered.follows] == [
        "first mara",
        "first thoss",
        "enter",
        "call-off",
    ]
    assert conflict(after(even, "first thoss")).turn == "thoss"
    house = two(house_rules={"first_when_equal": "ours"})
    assert conflict(after(house, *EGG[:2], "enter thoss argue 1 1 1 1 2 2 6", "begin")).turn == "mara"


# -- the exchange ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("EG-13", "EG-17")
def test_the_sides_take_turns_and_everyone_affected_sees() -> None:
    """One after another; a raise may be at some of them; who gives is passed over, and the others go on."""
    state = after(three(), *THREE, "begin thoss")
    assert conflict(state).order == ("thoss", "mara", "lars")
    state = after(state, "raise 6 5")
    assert GAME.question(state) == "Thoss raises 6 + 5 = 11. Mara must see"
    state = after(state, "see 6 5")
    assert GAME.question(state) == "Thoss raises 6 + 5 = 11. Lars must see"
    assert refused(state, "see 3 3 2 1").clause == "EG-17"
    state = after(state, "give")
    assert GAME.question(state) == "Mara raises"
    state = after(state, "raise 6 5", "give")
    assert state.open is None


@pytest.mark.clause("EG-17")
def test_a_raise_may_be_at_one_of_several() -> None:
    """Only who is affected has to see; by default all of the other side are."""
    state = after(three(), *THREE, "begin thoss", "raise 3 2 lars")
    assert conflict(state).waiting == ("lars",)
    state = after(state, "see 3 3")
    assert GAME.question(state) == "Mara raises"
    state = after(state, "raise 6 6", "see 6 5 1", "resist 4")
    assert conflict(state).turn == "lars"


@pytest.mark.clause("EG-14")
def test_a_raise_is_two_dice_that_lie_there() -> None:
    """No more, no fewer, none twice; with what is said in a line, or nothing."""
    state = after(two(), *EGG)
    refused(state, "raise 4")
    refused(state, "raise 4 4 3")
    assert refused(state, "raise 3 3").clause == "EG-14"
    assert refused(state, "raise 6 4").clause == "EG-14"
    raised = after(state, 'raise 4 4 "Think of our mother"')
    assert conflict(raised).exchange[-1].said == "Think of our mother"
    assert pools(raised)["mara"] == (1, 2, 2, 3)
    assert conflict(after(state, "raise 4 4")).exchange[-1].said == ""


@pytest.mark.clause("EG-15")
@pytest.mark.parametrize(
    ("words", "did", "left"),
    [
        ("see 6", Did.REVERSES, (1, 1, 3, 4, 5, 6, 6)),
        ("see 3 4", Did.BLOCKS, (1, 1, 5, 6, 6)),
        ("see 6 6", Did.BLOCKS, (1, 1, 3, 4, 5)),
        ("see 6 1 1", Did.TAKES, (3, 4, 5, 6)),
    ],
)
def test_the_number_put_forward_decides(words: str, did: Did, left: tuple[int, ...]) -> None:
    """Two dice block although one would reverse; three take the blow although two would block."""
    state = after(two(), *EGG, "raise 2 2", words)
    assert conflict(state).exchange[-1].did is did
    assert pools(state)["thoss"] == left


@pytest.mark.clause("EG-16")
def test_a_die_that_reversed_is_one_of_the_next_two() -> None:
    """It can't see meanwhile, is put forward before another that shows the same, and is spent then."""
    state = after(two(), *EGG, "raise 2 2", "see 6")
    assert refused(state, "raise 5 4").clause == "EG-16"
    state = after(state, "raise 6 6")
    assert pools(state)["thoss"] == (1, 1, 3, 4, 5)
    kept = after(three(), *THREE, "begin mara", "raise 4 1", "see 6", "raise 6 3")
    assert not any(die.kept for one in conflict(kept).people for die in one.pool)


@pytest.mark.clause("EG-16")
def test_a_kept_die_waits_while_others_raise() -> None:
    """Who has to see again before their own turn sees with other dice, and may end up keeping two, both for one raise."""
    people = {"thoss": THOSS, "guard": {"name": "Guard", "body": 3, "hard": 3}}
    state = campaign(crew={"mara": MARA, "lars": LARS}, npcs=people)
    state = after(state, *THREE, "enter guard fight 6 6 6 3 2 1", "begin mara")
    assert conflict(state).order == ("mara", "thoss", "lars", "guard")
    state = after(state, "raise 4 1 guard", "see 6", "raise 6 5 mara", "see 6 6", "raise 3 3 guard")
    assert GAME.question(state) == "Lars raises 3 + 3 = 6. Guard must see"
    assert [die.face for die in conflict(state).people[3].pool if die.kept] == [6]
    state = after(state, "see 6")
    assert GAME.question(state) == "Guard raises"
    assert refused(state, "raise 6 3").clause == "EG-16"
    assert pools(after(state, "raise 6 6"))["guard"] == (1, 2, 3, 6)


@pytest.mark.clause("EG-16", "EG-30")
def test_a_preview_says_what_will_come_of_it() -> None:
    """A raise without the kept die is refused before it is made; a blow to an obstacle is no fallout."""
    state = after(two(), *EGG, "raise 2 2", "see 6")
    act = parse_act(GAME.moves(state), "raise 5 4")
    with pytest.raises(ActRefused, match="reversed the last blow") as caught:
        GAME.odds(state, act.move, complete_answers(act.move, act.answers))
    assert caught.value.refusal.clause == "EG-16"
    storm = after(two(), "conflict Egg", 'obstacle "The storm" 4d6', "enter mara argue 1 1 1 1 1 1", "enter the-storm")
    forecast = odds(after(storm, "begin mara", "raise 1 1"), "see 1 1 1").forecast
    assert [note.text for note in forecast] == ["The storm is an obstacle, so the fallout has no effect", "left: 1"]


@pytest.mark.clause("EG-20", "EG-11")
def test_who_has_no_stats_has_no_body_and_no_hard_in_play() -> None:
    """Whatever the approach, a blow is one point; who has a Hard and no Body has that alone in play."""
    crowd, guard = {"name": "Crowd", "dice": "4d6 4d8"}, {"name": "Guard", "dice": "9d6", "hard": 1}
    for key, npc, counted in (("crowd", crowd, ("the blow",)), ("guard", guard, ("the blow", "Hard"))):
        state = after(two(npcs={key: npc}), "conflict Egg", "enter mara talk 6 6 6 6 6 6", f"enter {key} fight")
        seat = board(state).seats[1]
        assert seat.fallout == counted
        assert seat.in_play == counted[1:]


@pytest.mark.clause("EG-24")
def test_the_whole_exchange_shows_however_long_it_is() -> None:
    """On the board from the first line on, and in its panel the latest first."""
    state = after(
        two(), "conflict Egg", "enter mara argue 1 1 1 1 1 1", "enter thoss argue 6 6 6 6 6 6 6", "begin thoss"
    )
    said = ["raise 6 6", "escalate fight 6 6 6 6", "see 6 6", "raise 1 1", "see 6", "raise 6 6", "see 6 6"]
    state = after(state, *said)
    lines = board(state).exchange
    assert [told.line.did for told in lines[:3]] == [Did.ENTERS, Did.ENTERS, Did.RAISES]
    assert len(lines) == 2 + len(said)
    (panel,) = [panel for panel in GAME.panels(state) if panel.key == "conflict.exchange"]
    assert len(panel.rows) == len(lines)


@pytest.mark.clause("EG-18")
def test_who_can_not_raise_gives_or_escalates() -> None:
    """With fewer than two dice a raise is refused; who gives takes no fallout, and has lost the stakes."""
    state = after(
        two(), "conflict Egg", "enter mara argue 6 1 1 1 1 1", "enter thoss argue 2 2 2 2 2 2 2", "begin thoss"
    )
    state = after(state, "raise 2 2", "see 1 1 1 1", "resist 6")
    assert GAME.question(state) == "Mara raises"
    assert refused(state, "raise 1 1").clause == "EG-18"
    assert not move(state, "escalate").blocked
    last = play(state, "give")
    assert [fact.label for fact in last.facts if isinstance(fact, OutcomeFact)] == ["Lost"]
    assert last.state.sheet.crew["mara"].fallout == state.sheet.crew["mara"].fallout
    assert last.state.open is None


@pytest.mark.clause("EG-19")
def test_each_stat_and_each_thing_is_rolled_once_in_a_conflict() -> None:
    """Escalating by turns of one's own: a stat in play already adds nothing, and dice left over stay."""
    blaster = {"blaster": {"name": "Blaster", "dice": "1d8", "dangerous": True}}
    state = after(two(crew={"mara": {**MARA, "objects": blaster}}), *EGG)
    state = after(state, "escalate fight 1 1 1 1")
    assert pools(state)["mara"] == (1, 1, 1, 1, 1, 2, 2, 3, 4, 4)
    assert odds(state, "escalate exert").dice == "3d6: Soft 3d6"
    assert refused(state, "escalate fight").clause == "EG-19"
    armed = after(state, "escalate blaster 8")
    assert conflict(armed).people[0].approach == "opposed-physical"
    assert refused(armed, "escalate blaster").clause == "EG-19"
    none = play(after(armed, "escalate exert 6 6 6"), "escalate talk")
    assert told(none) == ["Mara escalates but gets no new dice"]
    assert conflict(none.state).people[1].approach == "opposed-neutral"


# -- what a screen is given, and what is kept ---------------------------------------------------------------------------


@pytest.mark.clause("EG-23", "EG-24")
def test_the_board_shows_both_pools_the_raise_and_the_exchange() -> None:
    """Dice with size and face, what a blow would be, whose turn it is, and what the adviser has found."""
    trait = {"traits": {"calm": {"text": "Calm", "dice": "1d8"}}}
    state = after(two(crew={"mara": {**MARA, **trait}}), "conflict Egg", "enter mara argue calm 1 2 2 3 4 4 8", EGG[2])
    shown = board(after(state, "begin mara"))
    mara, thoss = shown.seats
    assert [(die.face, die.sides) for die in mara.dice][:2] == [(8, 8), (4, 6)]
    assert (mara.total, mara.best_two, mara.turn, thoss.turn) == (24, (8, 4), True, False)
    assert mara.fallout == ("the blow", "Hard")
    assert [(offer.split.dice, offer.stops) for offer in shown.raises if offer.stops is not Stop.NOTHING] == [
        ((4, 3), Stop.REVERSE),
        ((4, 4), Stop.REVERSE),
        ((8, 1), Stop.REVERSE),
        ((8, 2), Stop.REVERSE),
        ((8, 3), Stop.REVERSE),
        ((8, 4), Stop.REVERSE),
    ]
    raised = board(after(state, "begin mara", 'raise 8 2 "Enough"'))
    assert ([die.face for die in raised.raised], raised.total, raised.waiting) == ([8, 2], 10, ("thoss",))
    assert raised.sees is not None
    assert raised.sees.block is not None
    assert raised.sees.block.dice == (6, 4)
    assert [(told.name, told.line.did, told.line.faces, told.line.said) for told in raised.exchange[-1:]] == [
        ("Mara", Did.RAISES, (8, 2), "Enough")
    ]
    due = board(after(state, "begin mara", "raise 8 2", "see 6 3 1"))
    assert (due.phase, due.taker, due.fallout) == (Phase.FALLOUT, "thoss", 2)


@pytest.mark.clause("EG-23")
def test_the_adviser_speaks_in_moves_and_panels() -> None:
    """The best ways stand in the label of the move, and all of them in the panel, with what they leave."""
    state = after(two(), *EGG)
    assert move(state, "raise").label == "Raise: 4 and 3 can't be reversed"
    state = after(state, "raise 4 3")
    assert move(state, "see").label == "See 7: block with 4 and 3, or take the blow with 5, 1 and 1"
    assert play(state, "see 4 3").title == "Thoss sees the raise of 7: 4, 3"
    shown = {panel.key: panel for panel in GAME.panels(state) if panel.place == "scene"}
    rows = {row.label: row.text for row in shown["conflict.advice"].rows if isinstance(row, TextRow)}
    assert rows["Fewest dice"] == rows["Block"] == "4 3, leaves 6 6 5 1 1"
    assert rows["Reverse"] == "no dice reach it"
    assert rows["Take the blow"] == "5 1 1, leaves 6 6 4 3"
    (raised,) = shown["conflict"].rows
    assert isinstance(raised, FacesRow)
    assert (raised.label, raised.note) == ("Mara raises", "4 + 3 = 7")


FILE = """\
name = "Egg"
system = "emissaries"
crew.mara = { name = "Mara", body = 4, mind = 3, soft = 3, hard = 3 }
npcs.thoss = { name = "Thoss", body = 3, mind = 4, soft = 3, hard = 3, rows = 2 }
"""
SESSION = (
    "conflict Egg",
    "enter mara argue 1 2 2 3 4 4",
    "enter thoss argue 1 1 3 4 5 6 6",
    "begin mara",
    "raise 4 3",
    "note Tea",
    "see 5 1 1",
    "fallout thoss",
    "raise 6 6",
    "escalate fight 6 6 6 6",
    "see 6 6",
    "raise 6 6",
    "escalate fight 6 6 1",
    "see 6 6",
    "raise 4 3",
    "see 4 2 2",
    'fallout physical "A rib"',
    "give",
)


@pytest.mark.clause("EG-10", "EG-24")
def test_every_step_is_kept_and_undo_goes_back_through_it(tmp_path: Path) -> None:
    """Another window, opened at each step, is offered the same; each undo gives the step before, and redo the one after."""
    written(tmp_path / "egg", FILE)
    table = Table(tmp_path / "egg", now=ticking(), chance=Falling())
    shown = []
    for words in SESSION:
        shown.append((table.snapshot.question, table.snapshot.moves, table.snapshot.panels))
        entry = table.play(table.understand(words))
        assert entry.root == entry.number
        again = Table(tmp_path / "egg", now=ticking(), chance=Falling(), read_only=True).snapshot
        now = table.snapshot
        assert (again.question, again.moves, again.panels) == (now.question, now.moves, now.panels)
        assert again.board == now.board
        assert (now.board is None) is (words == "give")
    end = table.snapshot
    for before in reversed(shown):
        table.undo()
        assert (table.snapshot.question, table.snapshot.moves, table.snapshot.panels) == before
    for _ in SESSION:
        table.redo()
    assert (table.snapshot.question, table.snapshot.panels) == (end.question, end.panels)
    assert table.settle()


@pytest.mark.clause("EG-12", "EG-24")
def test_dice_that_left_a_pool_come_back_with_undo(tmp_path: Path) -> None:
    """What is undone is that somebody joined, and all that came of it."""
    knows = 'crew.mara = { relationships.joss = { who = "Joss", dice = "2d8" }, '
    written(tmp_path / "egg", FILE.replace("crew.mara = { ", knows) + 'crew.joss = { name = "Joss" }\n')
    table = Table(tmp_path / "egg", now=ticking(), chance=Falling())
    table.play(table.understand("conflict Egg"))
    table.play(table.understand("enter mara argue joss 1 1 1 1 1 1 8 7"))
    before = table.snapshot.board
    table.play(table.understand("enter joss argue"))
    assert [len(seat.dice) for seat in table.snapshot.board.seats] == [6, 4]
    table.undo()
    assert table.snapshot.board == before
    table.redo()
    assert [len(seat.dice) for seat in table.snapshot.board.seats] == [6, 4]
    assert table.settle()


@pytest.mark.clause("EG-10", "EG-12")
def test_real_dice_can_be_typed_a_few_at_a_time(tmp_path: Path) -> None:
    """The act waits for the rest, in the middle of a conflict as before it; it is one act, and the next rolls as it likes."""
    written(tmp_path / "egg", FILE)
    table = Table(tmp_path / "egg", now=ticking(), chance=Falling())
    for words in SESSION[:4]:
        table.play(table.understand(words))
    before = table.snapshot
    first = table.play(table.understand("escalate fight 6 6"))
    assert table.snapshot.question == "Body: what do the 2 dice show?"
    again = Table(tmp_path / "egg", now=ticking(), chance=Falling())
    rest = again.play(again.understand("dice 5 5"))
    assert rest.root == first.number
    assert again.snapshot.question == before.question
    table.refresh()
    table.play(table.understand("escalate exert"))
    rolled = [fact.typed for fact in table.snapshot.act[-1].facts if isinstance(fact, RollFact)]
    assert rolled == [False]
    table.undo()
    table.undo()
    assert (table.snapshot.moves, table.snapshot.panels) == (before.moves, before.panels)


@pytest.mark.clause("EG-18")
def test_a_conflict_won_or_lost_moves_no_clock() -> None:
    """Neither is one of the outcomes that clocks know, so that nothing is offered to be made on one."""
    clocks = {kind: {"name": kind.capitalize(), "kind": kind, "segments": 4} for kind in ("catastrophe", "push")}
    state = after(two(clocks=clocks), *EGG)
    for last, label in ((play(state, "give"), "Lost"), (play(after(state, "raise 4 4"), "give"), "Won")):
        assert [(fact.label, fact.mood) for fact in last.facts if isinstance(fact, OutcomeFact)] == [(label, None)]
        assert [offered.id for offered in GAME.moves(last.state) if offered.verb == "on"] == []
        assert last.state.open is None
        assert last.state.clocks == state.clocks


@pytest.mark.clause("EG-53")
def test_stakes_of_one_text_are_kept_in_the_log_as_they_always_were() -> None:
    """So a log of any age is read: it has no second text."""
    state = after(two(), "conflict Egg")
    kept = GAME.write_open(state)
    assert kept == {"stage": {"is": "conflict", "stakes": "Egg"}, "open": True}
    assert GAME.read_open(kept) == state.open


@pytest.mark.clause("EG-53")
def test_what_losing_brings_stands_in_the_middle_of_the_conflict() -> None:
    """Where the raise is; without a second text there is no such row."""
    for words, loss in (('conflict "Egg" losing "Sold by morning"', ["Sold by morning"]), ("conflict Egg", [])):
        state = after(two(), words)
        middle = next(panel for panel in GAME.panels(state) if panel.key == "conflict")
        assert middle.title == "Egg"
        assert [row.text for row in middle.rows if isinstance(row, TextRow) and row.key == "conflict.loss"] == loss
