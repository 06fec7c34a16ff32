"""Blows and what they do: tracks, conditions, death, assets, and getting rid of it all again (EG-20…EG-22, EG-30…EG-44)."""

from typing import Any

import pytest

from tests.kit.rules import told
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
    refused,
    two,
)
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import PickMany, PickOne, Refusal
from waylog.rules.model.panels import MarkRow, PipsRow
from waylog.rules.model.state import State
from waylog.rules.systems.emissaries.state_stages_and_typed_names import Phase
from waylog.values import replace

FULL = {"boxes": 4, "condition": "Worn"}
ALL_FULL = {"1": FULL, "2": FULL, "3": FULL}
KESTREL: dict[str, Any] = {"name": "Kestrel", "stats": ["Engines 3d6", "Hull 3d6", "Systems 2d10"]}
SIXES = ("6", "6", "6", "6", "6", "6", "6")


def mara(**values: Any) -> dict[str, Any]:
    """Mara, with what else is so."""
    return {"mara": {**MARA, **values}}


def struck(state: State, approach: str = "talk", rest: str = "", dice: str = "1 1 1 1 1 1") -> State:
    """Mara has taken a blow of Thoss's, and its fallout is due."""
    state = after(state, 'conflict "The ring"', f"enter thoss talk {' '.join(SIXES)}")
    state = after(state, f"enter mara {approach} {rest} {dice}", "begin thoss", "raise 6 6")
    faces = sorted((die.face for die in conflict(state).people[1].pool), reverse=True)
    more = next(count for count in range(3, 99) if sum(faces[:count]) >= 12)
    return after(state, f"see {' '.join(map(str, faces[:more]))}")


def boxes(state: State, track: str = "physical") -> dict[str, tuple[int, str]]:
    """What stands in a track of Mara's."""
    rows = getattr(state.sheet.crew["mara"].fallout, track)
    return {str(number): (row.boxes, row.condition) for number, row in rows.items()}


FIST = "6 5 4 4 3 3 2"
"""Seven dice with which twelve can be seen in three, and a blow resisted after."""


# -- how much, and where -------------------------------------------------------------------------------------------------


@pytest.mark.clause("EG-20")
@pytest.mark.parametrize(
    ("approach", "dice", "fallout"),
    [
        ("talk", "6 5 4 4 3 3", 1),
        ("argue", "6 5 4 4 3 3", 2),
        ("exert", FIST, 2),
        ("fight", FIST, 3),
        ("fight blade", f"{FIST} 1", 4),
        ("fight blade lun", f"{FIST} 1 1", 4),
    ],
)
def test_a_blow_is_worse_for_body_hard_and_dangerous_objects(approach: str, dice: str, fallout: int) -> None:
    """One, and one for each of these in play; an object that is not marked adds none."""
    objects = {"blade": {"name": "Blade", "dangerous": True}, "lun": {"name": "Lun"}}
    state = struck(two(crew=mara(objects=objects)), approach, "", dice)
    assert conflict(state).fallout == fallout
    assert board(state).fallout == fallout


@pytest.mark.clause("EG-20")
@pytest.mark.parametrize(
    ("rules", "fallout"),
    [
        ({}, 2),
        ({"stats_count_for": "anyone"}, 4),
        ({"dangers_count_for": "taker"}, 1),
        ({"stats_count_for": "anyone", "dangers_count_for": "taker"}, 3),
    ],
)
def test_whose_stats_and_dangers_count_is_a_house_rule(rules: dict[str, str], fallout: int) -> None:
    """The taker's own stats and everybody's dangerous objects, unless the table plays otherwise."""
    blaster = {"blaster": {"name": "Blaster", "dangerous": True}}
    state = two(npcs={"thoss": {**THOSS, "objects": blaster}}, house_rules=rules)
    state = after(state, "conflict Egg", "enter thoss fight blaster 6 6 6 6 6 6 6", "enter mara talk 6 5 4 4 3 3")
    assert conflict(after(state, "begin thoss", "raise 6 6", "see 6 4 4")).fallout == fallout


@pytest.mark.clause("EG-21", "EG-30")
def test_fallout_goes_into_one_track_of_four_as_the_taker_says() -> None:
    """All of it, with how it came about; nothing happens before that is said."""
    before = struck(two(), "argue", "", "6 5 4 4 3 3")
    assert GAME.difference(two(), before) == ()
    places = [offered.words[0] for offered in GAME.moves(before) if offered.verb == "fallout"]
    assert places == ["physical", "mental", "social", "societal"]
    state = after(before, 'fallout social "Her own crew looked away"')
    assert boxes(state, "social") == {"1": (2, "")}
    assert [boxes(state, track) for track in ("physical", "mental", "societal")] == [{}, {}, {}]
    assert conflict(state).exchange[-1].said == "social · Her own crew looked away"


@pytest.mark.clause("EG-22")
def test_fallout_is_resisted_with_one_higher_die() -> None:
    """It shows more than the fallout, and is spent; a die that shows as much or less does not do."""
    state = struck(two(), "fight", "", "6 4 4 4 3 3 2")
    assert conflict(state).fallout == 3
    resist = move(state, "resist")
    (ask, _) = resist.asks
    assert isinstance(ask, PickOne)
    assert [option.word for option in ask.options] == ["4"]
    resisted = after(state, "resist 4")
    assert boxes(resisted) == {}
    assert sorted(die.face for die in conflict(resisted).people[1].pool) == [2, 3, 3]
    low = struck(two(), "fight", "", "6 4 4 3 3 2 2")
    assert refused(low, "resist 3").clause == "EG-22"


@pytest.mark.clause("EG-31")
def test_boxes_then_a_condition_then_the_next_row() -> None:
    """The point after the fourth box is a condition in the wayfinder's words; what is left of the fallout is gone."""
    state = struck(two(crew=mara(fallout={"physical": {"1": {"boxes": 3}}})), "fight", "", FIST)
    state = after(state, "fallout physical")
    assert boxes(state) == {"1": (4, "")}
    assert GAME.question(state) == "Mara, physical, row 1: which condition?"
    state = after(state, 'condition "A broken wrist"')
    assert boxes(state) == {"1": (4, "A broken wrist")}
    next_row = struck(two(crew=mara(fallout={"physical": {"1": FULL}})), "talk", "", "6 5 4 4 3 3")
    assert boxes(after(next_row, "fallout physical")) == {"1": (4, "Worn"), "2": (1, "")}
    exactly = struck(two(crew=mara(fallout={"physical": {"1": {"boxes": 1}}})), "fight", "", FIST)
    full_boxes = after(exactly, "fallout physical")
    assert boxes(full_boxes) == {"1": (4, "")}
    assert conflict(full_boxes).phase is Phase.RAISE
    fifth = struck(two(crew=mara(fallout={"physical": {"1": {"boxes": 4}}})), "talk", "", "6 5 4 4 3 3")
    assert conflict(after(fifth, "fallout physical")).phase is Phase.CONDITION


@pytest.mark.clause("EG-31", "EG-37")
def test_a_row_that_was_cleared_waits_for_the_newest_one_to_fill() -> None:
    """Fallout goes on in the row in use, also when one above it is empty again."""
    rows = {"physical": {"1": {"boxes": 0}, "2": {"boxes": 2}}}
    state = struck(two(crew=mara(fallout=rows)), "talk", "", "6 5 4 4 3 3")
    assert boxes(after(state, "fallout physical")) == {"1": (0, ""), "2": (3, "")}


# -- what it costs -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("EG-32")
@pytest.mark.parametrize(("full", "dice"), [(0, "Body 4d6"), (1, "Body 3d6"), (2, "Body 2d6"), (3, "Body 0d6")])
def test_full_rows_take_dice_off_the_tracks_stat(full: int, dice: str) -> None:
    """One, two, then all of them; the stat comes into play all the same. Boxes alone cost nothing."""
    rows = {str(number): FULL for number in range(1, full + 1)}
    state = two(crew=mara(fallout={"physical": {**rows, **({"3": {"boxes": 4}} if full < 3 else {})}}))
    state = after(state, "conflict Egg")
    found = odds(state, "enter mara exert")
    assert found.dice.partition(": ")[2] == f"{dice} + Soft 3d6"
    assert [note.clause for note in found.reasons] == (["EG-32"] if full else [])
    entered = after(state, "enter mara exert")
    assert "Body" in board(entered).seats[0].in_play


@pytest.mark.clause("EG-32")
def test_which_stat_a_track_takes_dice_off() -> None:
    """Physical Body, Mental Mind, Social Soft, Societal Hard; by house rule the last two change places."""

    def rolled(track: str, rules: dict[str, str], approach: str) -> str:
        state = two(crew=mara(fallout={track: {"1": FULL}}), house_rules=rules)
        return odds(after(state, "conflict Egg"), f"enter mara {approach}").dice.partition(": ")[2]

    assert rolled("mental", {}, "talk") == "Mind 2d6 + Soft 3d6"
    assert rolled("social", {}, "talk") == "Mind 3d6 + Soft 2d6"
    assert rolled("societal", {}, "argue") == "Mind 3d6 + Hard 2d6"
    assert rolled("social", {"social_takes": "hard"}, "argue") == "Mind 3d6 + Hard 2d6"
    assert rolled("societal", {"social_takes": "hard"}, "talk") == "Mind 3d6 + Soft 2d6"


@pytest.mark.clause("EG-33")
def test_a_full_track_takes_no_more() -> None:
    """Another has to be chosen; where there is none at all, the blow leaves nothing."""
    state = struck(two(crew=mara(fallout={"physical": ALL_FULL})), "talk", "", "6 5 4 4 3 3")
    assert refused(state, "fallout physical").clause == "EG-33"
    assert boxes(after(state, "fallout mental"), "mental") == {"1": (1, "")}
    everything = dict.fromkeys(("physical", "mental", "social", "societal"), ALL_FULL)
    state = two(crew=mara(fallout=everything, objects={"rope": {"name": "Rope", "dice": "9d6"}}))
    state = struck(state, "talk", "rope", "6 5 4 4 3 3 1 1 1")
    assert conflict(state).phase is Phase.RAISE


@pytest.mark.clause("EG-34")
def test_two_full_tracks_are_death_at_the_end_of_the_conflict() -> None:
    """It is said at once and done then; the sheet stays in the file, and its owner is gone from play."""
    almost = {"physical": ALL_FULL, "social": {"1": FULL, "2": FULL, "3": {"boxes": 4}}}
    objects = {"rope": {"name": "Rope", "dice": "4d6"}}
    state = struck(two(crew=mara(fallout=almost, objects=objects)), "talk", "rope", "6 5 4 4 3 3 1 1")
    played = play(after(state, "fallout social"), "condition Shunned")
    assert "Mara dies when this conflict ends: two tracks are full" in told(played)
    assert not played.state.sheet.crew["mara"].dead
    assert played.state.open is not None
    last = play(played.state, "give")
    assert last.state.sheet.crew["mara"].dead
    assert told(last)[-1] == "Mara is dead"
    assert not [offered for offered in GAME.moves(last.state) if "mara" in offered.words]
    assert [panel.title for panel in GAME.panels(last.state)] == ["Thoss"]


@pytest.mark.clause("EG-35")
def test_a_stage_may_be_a_condition_without_boxes() -> None:
    """By house rule; then each blow to an NPC writes one."""
    state = two(house_rules={"npc_stage": "condition"})
    state = after(state, "conflict Egg", "enter mara talk 6 6 6 6 6 6", "enter thoss talk 4 4 4 4 4 4 4", "begin mara")
    state = after(state, "raise 6 6", "see 4 4 4", "fallout thoss")
    assert GAME.question(state) == "Thoss, row 1: which condition?"
    state = after(state, "condition Rattled")
    assert state.sheet.npcs["thoss"].fallout["1"].condition == "Rattled"


@pytest.mark.clause("EG-35")
def test_a_new_npc_has_one_track_of_so_many_rows() -> None:
    """One to five."""
    state = after(campaign(), 'npc "The Chaksku family" 5', "npc Guard")
    assert [(npc.name, npc.rows) for npc in state.sheet.npcs.values()] == [("The Chaksku family", 5), ("Guard", 1)]
    refused(state, "npc Crowd 6")
    wrong = {"guard": {"name": "Guard", "fallout": {"2": {"boxes": 1}}}}
    faults = GAME.read({"name": "Trial", "npcs": wrong})[1]
    assert [(".".join(fault.path), fault.clause) for fault in faults] == [("npcs.guard.fallout.2", "EG-35")]


# -- getting rid of it ---------------------------------------------------------------------------------------------------


def over(state: State) -> State:
    """After a conflict that Mara has won."""
    acts = ("conflict Egg", "enter mara talk", "enter thoss talk", "begin mara", "raise 1 1", "give")
    return after(state, *acts)


@pytest.mark.clause("EG-36")
def test_boxes_come_off_once_after_a_conflict() -> None:
    """Up to three off the newest row in use of one track, with a scene; a row with a condition is locked."""
    rows = {"physical": {"1": FULL, "2": {"boxes": 4}}, "mental": {"1": {"boxes": 2}}, "social": {"1": FULL}}
    before = two(crew=mara(fallout=rows))
    assert refused(before, "recover mara physical 3 Rest").clause == "EG-36"
    state = over(before)
    refused(state, "recover mara physical 4 Rest")
    refused(state, "recover mara physical 3")
    refused(state, "recover mara social 1 Rest")
    played = play(state, 'recover mara physical 3 "The ship\'s doctor, and no questions"')
    assert boxes(played.state) == {"1": (4, "Worn"), "2": (1, "")}
    assert told(played) == ["Mara clears 3 boxes in row 2 of the physical track: The ship's doctor, and no questions"]
    assert refused(played.state, "recover mara mental 1 Sleep").clause == "EG-36"
    assert boxes(after(state, "recover mara mental 3 Sleep"), "mental") == {"1": (0, "")}
    both = {"physical": {"1": {"boxes": 3}, "2": {"boxes": 2}}}
    assert boxes(after(over(two(crew=mara(fallout=both))), "recover mara physical 3 x")) == {"1": (3, ""), "2": (0, "")}
    first = over(two(crew=mara(fallout=both), house_rules={"lowest_row": "first"}))
    assert boxes(after(first, "recover mara physical 3 x")) == {"1": (0, ""), "2": (2, "")}


@pytest.mark.clause("EG-36", "EG-38", "EG-44")
def test_what_may_come_after_a_conflict_is_offered_until_something_else_is_done() -> None:
    """Each open choice, and none that is blocked; an object or a note in between leaves them there, a conflict does not."""
    rows = {"physical": {"1": FULL, "2": {"boxes": 4}}}
    assets = {"kestrel": {**KESTREL, "fallout": {"1": {"boxes": 2}}}}
    crew = {**mara(fallout=rows), "lars": {"name": "Lars"}}

    def offered(state: State) -> list[str]:
        return [move.id for move in GAME.moves(state) if move.follows]

    state = over(two(crew=crew, assets=assets))
    assert GAME.question(state) is None
    assert offered(state) == ["recover mara", "accept mara", "recover kestrel"]
    state = after(state, "object lars Rope", "note Tea", "recover kestrel 2 Dock")
    assert offered(state) == ["recover mara", "accept mara"]
    assert offered(after(state, 'conflict "The next one"', "call-off")) == []
    assert not move(after(state, 'conflict "The next one"', "call-off"), "recover mara").blocked
    state = after(state, "accept mara physical-1", "recover mara physical 3 Sleep")
    assert state.open is None
    assert over(two()).open is None


@pytest.mark.clause("EG-37")
def test_a_condition_is_fought_and_clears_its_row_alone() -> None:
    """Against 4d6 4d8; won, that row is empty and no other is touched; lost, it stays."""
    rows = {"physical": {"1": FULL, "2": {"boxes": 4, "condition": "Burned"}, "3": {"boxes": 2}}}
    state = after(two(crew=mara(fallout=rows)), "cure mara physical-2")
    storm = board(state).seats[0]
    assert (storm.name, storm.rating) == ("Burned", "4d6 4d8")
    state = after(state, "enter mara exert", "enter burned", "begin mara")
    won = after(state, "raise 1 1", "give")
    assert boxes(won) == {"1": (4, "Worn"), "2": (0, ""), "3": (2, "")}
    assert boxes(after(state, "give")) == {"1": (4, "Worn"), "2": (4, "Burned"), "3": (2, "")}
    assert refused(two(), "cure mara").clause == "EG-37"


@pytest.mark.clause("EG-37")
def test_a_condition_that_is_no_longer_in_the_file_is_won_against_nothing() -> None:
    """The asset was removed by hand during the conflict: it ends as won, and no row is told to be clear."""
    state = two(assets={"kestrel": {**KESTREL, "fallout": {"1": {"boxes": 4, "condition": "Adrift"}}}})
    state = after(state, "cure kestrel own-1", "enter mara exert", "enter adrift", "begin mara", "raise 1 1")
    here, gone = state, replace(state, sheet=replace(state.sheet, assets={}))
    assert [fact for fact in told(play(here, "give")) if "its row is clear" in fact]
    assert not [fact for fact in told(play(gone, "give")) if "its row is clear" in fact]
    assert after(gone, "give").sheet.assets == {}


@pytest.mark.clause("EG-38")
def test_a_condition_becomes_a_trait_once_after_a_conflict() -> None:
    """At 1d4, in other words if need be; it is drawn from no background, and its row clears."""
    rows = {"physical": {"1": {"boxes": 4, "condition": "Severed hand"}, "2": FULL}}
    before = two(crew=mara(background="strong-history", fallout=rows))
    assert refused(before, "accept mara physical-1").clause == "EG-38"
    state = after(over(before), 'accept mara physical-1 "Has a hand of brass"')
    (trait,) = state.sheet.crew["mara"].traits.values()
    assert (trait.text, trait.dice, trait.drawn) == ("Has a hand of brass", "1d4", "none")
    assert boxes(state) == {"1": (0, ""), "2": (4, "Worn")}
    assert refused(state, "accept mara physical-2").clause == "EG-38"
    assert "severed-hand" in after(over(before), "accept mara physical-1").sheet.crew["mara"].traits


@pytest.mark.clause("EG-37", "EG-38")
def test_a_condition_is_named_by_its_words_or_not_at_all_if_it_is_the_only_one() -> None:
    """Its row is what is logged; nobody has to type that. Of several, the refusal has both."""
    laughed = {"boxes": 4, "condition": "The man who laughed"}
    one, both = (
        two(crew=mara(fallout={"social": {"1": laughed}})),
        two(crew=mara(fallout={"social": {"1": laughed}, "physical": {"1": FULL}})),
    )
    for state, line in ((one, "cure mara"), (both, "cure mara the man who laughed")):
        assert board(after(state, line)).seats[0].name == "The man who laughed"
    named = after(over(both), "accept mara the man who laughed Still hears him")
    assert [trait.text for trait in named.sheet.crew["mara"].traits.values()] == ["Still hears him"]
    assert refused(both, "cure mara").reason == "Condition: choose physical-1 (Worn) or social-1 (The man who laughed)"


# -- assets --------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("EG-41", "EG-42")
def test_a_blow_may_be_taken_on_an_asset_that_is_in_play() -> None:
    """Its fallout is the number of its stats in play; one that was not brought in is not there to take it."""
    state = two(assets={"kestrel": KESTREL})
    plain = struck(state, "fight", "", FIST)
    assert [offered.words for offered in GAME.moves(plain) if offered.id == "fallout kestrel"] == []
    found = odds(after(state, "conflict Egg"), "enter mara fight kestrel-engines kestrel-systems")
    assert found.dice == "10d6 2d10: Body 4d6 + Hard 3d6 + Kestrel: Engines 3d6 + Kestrel: Systems 2d10"
    flown = struck(state, "fight", "kestrel-engines kestrel-systems", f"{FIST} 1 1 1 1 1")
    assert conflict(flown).fallout == 3
    assert refused(flown, "escalate kestrel-engines").clause is None
    taken = after(flown, 'fallout kestrel "She shudders"')
    assert taken.sheet.assets["kestrel"].fallout["1"].boxes == 2
    assert boxes(taken) == {}


@pytest.mark.clause("EG-41")
def test_a_fighter_is_for_its_owner_and_each_stat_is_rolled_once() -> None:
    """A shared ship is for every emissary and for nobody else; what one has brought in, no other rolls again."""
    dart = {"name": "Dart", "kind": "fighter", "stats": ["Engines 2d6", "Hull 2d6", "Systems 2d6"], "owner": "mara"}
    crew = {**mara(), "lars": {"name": "Lars"}}
    state = after(two(crew=crew, assets={"kestrel": KESTREL, "dart": dart}), "conflict Egg")
    words = {
        offered.words[0]: [option.word for ask in offered.asks if ask.name == "with" for option in ask.options]  # type: ignore[union-attr]
        for offered in GAME.moves(state)
        if offered.verb == "enter"
    }
    kestrel = ["kestrel-engines", "kestrel-hull", "kestrel-systems"]
    assert words == {
        "mara": [*kestrel, "dart-engines", "dart-hull", "dart-systems"],
        "lars": kestrel,
        "thoss": [],
    }
    state = after(state, "enter mara exert kestrel-engines")
    assert refused(state, "enter lars exert kestrel-engines").clause == "EG-19"


@pytest.mark.clause("EG-41")
def test_an_asset_is_of_one_even_where_two_have_the_key_of_its_owner() -> None:
    """The emissary's; the file says so. Nobody new is given a key that somebody has."""
    dart = {"name": "Dart", "kind": "fighter", "stats": ["Engines 2d6", "Hull 2d6", "Systems 2d6"], "owner": "mara"}
    tables = {"crew": mara(), "npcs": {"mara": {"name": "The other"}}, "assets": {"dart": dart}}
    state, faults = GAME.read({"name": "Trial", **tables})
    assert ("assets.dart.owner", "EG-45") in [(".".join(fault.path), fault.clause) for fault in faults]
    state = after(state, "conflict Egg")
    for word, brings_it in (("mara", True), ("npc-mara", False)):
        (ask,) = [ask for ask in move(state, f"enter {word}").asks if ask.name == "with"]
        assert isinstance(ask, PickMany)
        assert ("dart-engines" in [option.word for option in ask.options]) is brings_it
    state = after(state, "call-off")
    for word in ("mara", "npc-mara"):
        assert refused(state, f'asset "Rig" cyberdeck {word} 1d6 1d6 1d6').clause == "EG-45"
    joined = after(two(), "npc Mara", 'npc "Lars"', 'join "Lars"', "later")
    assert (set(joined.sheet.crew), set(joined.sheet.npcs)) == ({"mara", "lars-2"}, {"thoss", "mara-2", "lars"})


@pytest.mark.clause("EG-45", "EG-43", "EG-41")
def test_a_ship_has_traits_as_emissaries_have() -> None:
    """They come into play once, beside its stats and with all their dice; they open it to no fallout; a wreck has no use of them."""
    traits = {"nimble": {"text": "Turns on a coin", "dice": "2d8"}}
    ship = {**KESTREL, "traits": traits, "fallout": {"1": FULL}}
    state = after(two(crew={**mara(), "lars": {"name": "Lars"}}, assets={"kestrel": ship}), "conflict Egg")
    assert odds(state, "enter mara talk kestrel-nimble").dice.endswith("Kestrel: Turns on a coin 2d8")
    state = after(state, "enter mara talk kestrel-nimble 6 6 4 4 3 3 8 7")
    assert board(state).seats[0].in_play == ("Mind", "Soft", "Kestrel: Turns on a coin")
    assert refused(state, "enter lars talk kestrel-nimble").clause == "EG-19"
    blow = after(state, "enter thoss talk 6 6 6 6 6 6 6", "begin thoss", "raise 6 6", "see 6 4 3")
    assert [offered.words[0] for offered in GAME.moves(blow) if offered.verb == "fallout"] == [
        "physical",
        "mental",
        "social",
        "societal",
    ]
    wreck = after(two(assets={"kestrel": {**ship, "fallout": ALL_FULL}}), "conflict Egg")
    assert refused(wreck, "enter mara talk kestrel-nimble").clause == "EG-43"


@pytest.mark.clause("EG-43")
@pytest.mark.parametrize(("full", "dice"), [(0, "2d10"), (1, "1d10"), (2, "no dice")])
def test_each_full_row_takes_a_die_off_every_stat_of_an_asset(full: int, dice: str) -> None:
    """With three it can't be used at all."""
    rows = {str(number): FULL for number in range(1, full + 1)}
    state = after(two(assets={"kestrel": {**KESTREL, "fallout": rows}}), "conflict Egg")
    assert odds(state, "enter mara talk kestrel-systems").dice.endswith(f"Kestrel: Systems {dice}")
    wreck = after(two(assets={"kestrel": {**KESTREL, "fallout": ALL_FULL}}), "conflict Egg")
    assert refused(wreck, "enter mara talk kestrel-systems").clause == "EG-43"


@pytest.mark.clause("EG-43")
def test_an_asset_that_is_full_takes_no_more() -> None:
    """The last row fills while it is in play; the next blow goes elsewhere."""
    rows = {"1": FULL, "2": FULL, "3": {"boxes": 4}}
    asset = {**KESTREL, "stats": ["Engines 9d6", "Hull 3d6", "Systems 2d6"], "fallout": rows}
    state = struck(two(assets={"kestrel": asset}), "talk", "kestrel-engines", "6 5 4 4 3 3 1 1 1 1 1 1 1")
    state = after(state, "fallout kestrel", "condition Adrift")
    assert state.sheet.assets["kestrel"].fallout["3"].condition == "Adrift"
    state = after(state, "raise 1 1", "see 6", "raise 6 6", "see 4 3 3 1 1")
    assert refused(state, "fallout kestrel").clause == "EG-43"
    assert boxes(after(state, "fallout social"), "social") == {"1": (1, "")}


@pytest.mark.clause("EG-44")
def test_boxes_come_off_assets_besides_an_emissarys_own() -> None:
    """Off each of them, once; its conditions are fought and never become traits."""
    rows = {"1": FULL, "2": {"boxes": 4}}
    assets = {
        "kestrel": {**KESTREL, "fallout": rows},
        "rig": {"name": "Rig", "kind": "custom", "stats": KESTREL["stats"]},
    }
    before = two(crew=mara(fallout={"physical": {"1": {"boxes": 1}}}), assets=assets)
    assert refused(before, "recover kestrel own 3 Dock").clause == "EG-44"
    state = after(over(before), "recover mara physical 1 Sleep", "recover kestrel 2 Dock")
    assert state.sheet.assets["kestrel"].fallout["2"].boxes == 2
    assert refused(state, "recover kestrel 2 Dock").clause == "EG-44"
    assert refused(state, "recover rig 2 Dock").clause == "EG-44"
    assert not [offered.id for offered in GAME.moves(state) if offered.verb == "accept" and "kestrel" in offered.words]
    fought = after(state, "cure kestrel own-1", "enter mara talk", "enter worn", "begin mara", "raise 1 1", "give")
    assert fought.sheet.assets["kestrel"].fallout["1"].condition == ""


@pytest.mark.clause("EG-36", "EG-38")
def test_who_was_not_in_the_conflict_recovers_too() -> None:
    """Any emissary who lives: boxes of one track, and a condition that becomes a trait, once each."""
    rows = {"mental": {"1": FULL, "2": {"boxes": 3}}}
    crew = {**mara(), "lars": {"name": "Lars", "fallout": rows}, "gone": {"name": "Gone", "dead": True}}
    state = over(two(crew=crew))
    rested = after(state, 'recover lars mental 3 "A day at the baths"', 'accept lars mental-1 "Slow to trust"')
    lars = rested.sheet.crew["lars"]
    assert {number: row.boxes for number, row in lars.fallout.mental.items()} == {"1": 0, "2": 0}
    assert "slow-to-trust" in lars.traits
    assert refused(rested, "recover lars mental 3 Again").clause == "EG-36"
    assert refused(rested, "accept lars mental-1").clause == "EG-38"
    assert not state.sheet.crew["gone"].may_recover


@pytest.mark.clause("EG-44")
def test_boxes_come_off_the_assets_of_every_emissary() -> None:
    """Of shared ones too, and of somebody else's who took part; not of who stayed away, nor where the owner is unknown."""
    guild = {"name": "Guild", "kind": "organisation", "stats": ["People 1d6", "Assets 1d6", "Clout 1d6"]}
    owners = {"thoss": "thoss", "mara": "mara", "lars": "lars", "crowd": "crowd", "shared": "", "gone": "nobody"}
    assets = {key: {**guild, "owner": owner, "fallout": {"1": {"boxes": 2}}} for key, owner in owners.items()}
    crew = {**mara(), "lars": {"name": "Lars"}}
    npcs = {"thoss": THOSS, "crowd": {"name": "Crowd"}}
    state = over(GAME.read({"name": "Trial", "crew": crew, "npcs": npcs, "assets": assets})[0])
    assert {key for key, asset in state.sheet.assets.items() if asset.may_recover} == {
        "thoss",
        "mara",
        "lars",
        "shared",
    }
    assert after(state, "recover asset-thoss 2 Pay").sheet.assets["thoss"].fallout["1"].boxes == 0


@pytest.mark.clause("EG-40", "EG-44")
def test_what_somebody_elses_asset_is_worth_is_the_wayfinders_to_know() -> None:
    """Its panel, that it comes into the campaign, and what comes off it; an emissary's and a shared one are everybody's."""
    state = after(campaign(crew=mara(), npcs={"thoss": {**THOSS, "name": "Captain Thoss"}}), "npc Crowd")
    for owner, secret in (("thoss", True), ("mara", False), ("shared", False)):
        made = play(state, f'asset "Guild" organisation {owner} 2d6 3d6 1d6')
        assert [fact.secret for fact in made.facts if isinstance(fact, NoteFact)] == [secret]
        assert {panel.title: panel.secret for panel in GAME.panels(made.state)}["Guild"] is secret
        worn = {"name": "Guild", "kind": "organisation", "stats": ["People 1d6", "Assets 1d6", "Clout 1d6"]}
        own = {**worn, "owner": owner.replace("shared", ""), "may_recover": True, "fallout": {"1": {"boxes": 2}}}
        rested = play(two(assets={"guild": own}), "recover guild 1 Pay")
        assert [fact.secret for fact in rested.facts if isinstance(fact, NoteFact)] == [secret]
    (of_thoss,) = [
        panel
        for panel in GAME.panels(after(state, 'asset "Guild" organisation thoss 2d6 3d6 1d6'))
        if panel.place == "ship"
    ]
    assert [tag.text for tag in of_thoss.tags] == ["organisation", "Captain Thoss's"]
    lost = GAME.read({"name": "Trial", "assets": {"guild": {"name": "Guild", "owner": "thoss"}}})[0]
    assert [panel.secret for panel in GAME.panels(lost) if panel.key == "assets.guild"] == [True]


@pytest.mark.clause("EG-30")
def test_the_sheet_shows_rows_in_use_and_conditions() -> None:
    """Four tracks, each with what is full and the row that is next."""
    rows = {"physical": {"1": FULL, "2": {"boxes": 1}}, "mental": {"1": FULL}, "societal": ALL_FULL}
    state = two(crew=mara(fallout=rows))
    (panel,) = [panel for panel in GAME.panels(state) if panel.key == "crew.mara"]
    shown = [
        (row.label, row.note if isinstance(row, MarkRow) else row.value)
        for row in panel.rows
        if isinstance(row, MarkRow | PipsRow)
    ]
    assert shown == [
        ("Physical 1/3", "Worn"),
        ("Physical 2/3", 1),
        ("Mental 1/3", "Worn"),
        ("Mental 2/3", 0),
        ("Social 1/3", 0),
        ("Societal 1/3", "Worn"),
        ("Societal 2/3", "Worn"),
        ("Societal 3/3", "Worn"),
    ]


def test_a_hand_edit_in_the_middle_of_a_blow_does_no_harm() -> None:
    """Whoever has gone from the file, or can take no more, takes none, and the conflict goes on."""
    state = struck(two(), "talk", "", "6 5 4 4 3 3")
    gone = GAME.apply_changes(state, [change.reverse() for change in GAME.difference(two(crew={}), two())])
    assert GAME.question(gone) == "Mara raises"
    assert [offered.id for offered in GAME.moves(gone) if offered.verb == "fallout"] == []


@pytest.mark.clause("EG-31")
def test_a_condition_with_open_boxes_is_named() -> None:
    """Of emissaries, others and assets; not where a house rule gives an NPC's row no boxes."""

    def said(**tables: Any) -> list[str]:
        return [".".join(fault.path) for fault in GAME.read(tables)[1] if fault.clause == "EG-31"]

    worn = {"1": {"boxes": 4, "condition": "Limps"}, "2": {"boxes": 2, "condition": "Worn"}, "3": {"condition": "Lost"}}
    tables = {
        "crew": {"mara": {**MARA, "fallout": {"physical": worn}}},
        "npcs": {"thoss": {**THOSS, "fallout": {"1": worn["2"]}}},
        "assets": {"wren": {"stats": ["Engines 2d6", "Hull 2d6", "Systems 2d6"], "fallout": {"1": worn["2"]}}},
    }
    mara = ["crew.mara.fallout.physical.2.condition", "crew.mara.fallout.physical.3.condition"]
    asset = ["assets.wren.fallout.1.condition"]
    assert said(**tables) == [*mara, "npcs.thoss.fallout.1.condition", *asset]
    assert said(**tables, house_rules={"npc_stage": "condition"}) == [*mara, *asset]
    (fault,) = (fault for fault in GAME.read({"npcs": tables["npcs"]})[1] if fault.clause == "EG-31")
    assert fault.message == "“Worn” has 2 of 4 boxes filled, but a condition fills all 4"


@pytest.mark.clause("EG-33")
def test_a_full_track_of_ones_own_names_no_other_track() -> None:
    """A passer-by has one; an emissary is told to choose another."""
    state = campaign(crew=mara(fallout={"physical": ALL_FULL}), npcs={"tee": {"name": "Tee", "fallout": {"1": FULL}}})
    moves = {move.id: move for move in GAME.moves(state)}
    assert moves["fallout tee"].blocked == Refusal("Tee's track is full", "EG-33")
    (track, *_) = moves["fallout mara"].asks
    assert isinstance(track, PickOne)
    assert track.options[0].blocked == Refusal("the physical track is full: choose another", "EG-33")


@pytest.mark.clause("EG-42")
@pytest.mark.parametrize(
    ("stats", "dice", "points"), [("kestrel-engines", 10, 1), ("kestrel-engines kestrel-hull kestrel-systems", 15, 3)]
)
def test_a_blow_on_an_asset_weighs_as_much_as_it_has_stats_in_play(stats: str, dice: int, points: int) -> None:
    """One and three of Kestrel's three; the rest of the fallout is not asked for."""
    flown = struck(two(assets={"kestrel": KESTREL}), "fight", stats, f"{FIST} {'1 ' * (dice - 7)}".strip())
    taken = after(flown, 'fallout kestrel "She shudders"')
    assert sum(row.boxes for row in taken.sheet.assets["kestrel"].fallout.values()) == points


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("crew.mara.fallout.physical.1.boxes 2", "Mara: Physical 1/3, boxes 1 → 2"),
        ("crew.mara.fallout.social.1.boxes 1", "Mara: Social 1/3, boxes set to 1"),
        ("assets.kestrel.fallout.1.boxes 3", "Kestrel: Fallout 1/3, boxes 2 → 3"),
        ("assets.kestrel.fallout.2.boxes 1", "Kestrel: Fallout 2/3, boxes set to 1"),
    ],
)
def test_a_changed_row_says_whose_it_is(line: str, text: str) -> None:
    """A row has only a number: it is called what the sheet calls it, if it is there."""
    state = two(
        crew=mara(fallout={"physical": {"1": {"boxes": 1}}}),
        assets={"kestrel": {**KESTREL, "fallout": {"1": {"boxes": 2}}}},
    )
    assert told(play(state, f"set {line}")) == [text]


def test_without_a_conflict_nobody_is_said_to_have_recovered() -> None:
    """The refusal is as true before the first conflict as after a scene of recovery."""
    state = two(crew=mara(fallout={"physical": {"1": FULL, "2": {"boxes": 1}}}))
    for verb, deed in (("recover", "recover"), ("accept", "accept a condition")):
        reason = f"Mara can {deed} only once after a conflict: the next chance is when a conflict ends"
        blocked = move(state, f"{verb} mara").blocked
        assert blocked is not None
        assert blocked.reason == reason
