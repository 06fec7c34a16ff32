"""Emissaries as they are made, what they have, and what becomes of it (EG-01…EG-07, EG-40, EG-45, EG-50)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.kit.rules import told
from tests.rules.emissaries_table import GAME, after, campaign, move, play, refused, two
from tests.rules.promises import clauses_are_told, faults_hold
from waylog.rules.model.moves import PickMany
from waylog.rules.model.panels import TextRow
from waylog.rules.model.state import State
from waylog.rules.systems.emissaries.clauses import CLAUSES
from waylog.rules.systems.emissaries.sheet import (
    BACKGROUNDS,
    DRAWN,
    RATED_OR_EMPTY,
    Emissary,
    HouseRules,
    dice_remaining,
    format_rating,
    larger,
    rating,
    trait_dice,
    without,
)

STATS: dict[str, Any] = {"body": 4, "mind": 5, "soft": 3, "hard": 5}
BEGUN = ('join "Ilka Brandt"', "background well")
"""Somebody whose background is chosen."""


def walking() -> State:
    """Ilka Brandt, half made, before her objects."""
    return after(campaign(), *BEGUN, "stats 5 4 4 4", 'trait "Tall" 1d4', 'trait "Patient" 6d8', "keep")


def faults(**tables: Any) -> list[tuple[str, str | None]]:
    """What the check of a campaign file says: where, and by which clause; but for a Lun and a data-pad that are missing."""
    found = GAME.read({"name": "Trial", **tables})[1]
    faults_hold(GAME, found)
    return [(".".join(fault.path), fault.clause) for fault in found if not fault.lacking]


def test_every_clause_is_listed() -> None:
    """In order, each a sentence that fits two lines of a wide screen."""
    numbers = [*range(1, 8), *range(10, 25), *range(30, 39), *range(40, 46), *range(50, 54)]
    clauses_are_told(CLAUSES, "EG", numbers)


@pytest.mark.clause("EG-03")
def test_ratings_are_read_and_written() -> None:
    """Smallest dice first; what is none says what would be."""
    assert rating("1d4 4d8 2d8") == (4, 8, 8, 8, 8, 8, 8)
    assert format_rating(rating("2d8 1d4 4d8")) == "1d4 6d8"
    assert rating("") == ()
    for wrong in ("d6", "0d6", "3d7", "3 d6", "99d6", "six"):
        with pytest.raises(ValueError, match="like 3d6"):
            rating(wrong)
    assert rating("30d6 10d6 40d8") == (6,) * 40 + (8,) * 40
    for many in ("41d6", "30d6 20d6", "40d10 " * 20):
        with pytest.raises(ValueError, match="more than 40d"):
            rating(many)
    assert larger(rating("2d6 1d8")) == rating("2d8 1d10")
    assert larger(rating("1d6 1d10")) is None
    assert without(rating("3d6"), rating("2d6")) == rating("1d6")
    assert without(rating("3d6"), rating("1d8")) is None


@pytest.mark.clause("EG-02")
def test_five_backgrounds_with_their_dice() -> None:
    """As they are written; Well-Rounded's traits are six d8s, or by house rule four d6 and two d8."""
    rules = HouseRules()
    listed = {
        name: (own.stats, format_rating(trait_dice(rules, name)), format_rating(own.relationships))
        for name, own in BACKGROUNDS.items()
    }
    assert listed == {
        "well-rounded": (17, "1d4 6d8", "4d6 2d8"),
        "strong-history": (13, "3d6 4d8 3d10", "1d4 3d6 2d8"),
        "complicated-history": (15, "4d4 2d6 2d10", "5d6 2d8"),
        "strong-community": (13, "1d4 3d6 2d8", "4d6 4d8 3d10"),
        "complicated-community": (15, "6d6 2d8", "4d4 2d6 2d8 2d10"),
    }
    assert format_rating(trait_dice(HouseRules(well_rounded_traits="four-d6"), "well-rounded")) == "1d4 4d6 2d8"


@pytest.mark.clause("EG-01", "EG-02", "EG-03", "EG-04", "EG-05", "EG-06", "EG-07")
def test_the_whole_walk() -> None:
    """One step after another, each on the sheet at once, until the emissary is made."""
    state = after(campaign(), 'join "Ilka Brandt"')
    assert GAME.question(state) == "Ilka Brandt: which background?"
    state = after(state, "background strong-history", "stats 3 4 3 3")
    assert state.sheet.crew["ilka-brandt"].mind == 4
    state = after(state, 'trait "I fly by ear" 3d10', 'trait "Bad with names" 3d6')
    assert GAME.question(state) == "Ilka Brandt: a trait (4d8 left)"
    state = after(state, 'trait "Raised on the ring" 4d8', 'relate "The harbour crows" 2d8')
    assert GAME.question(state) == "Ilka Brandt: a relationship (1d4 3d6 left, to use now or to keep)"
    state = after(state, "keep", 'object "Repair kit" excellent', 'lun "green" "bone" "a closed ring"', "enough")
    last = play(state, 'hope "I hope I learned restraint"')
    assert told(last) == ["Ilka Brandt's hope: I hope I learned restraint", "Ilka Brandt's sheet is finished"]
    made = last.state.sheet.crew["ilka-brandt"]
    assert made.made
    assert last.state.open is None
    assert {key: thing.dice for key, thing in made.objects.items()} == {
        "data-pad": "2d6",
        "lun": "2d6",
        "repair-kit": "2d6",
    }
    assert move(last.state, "make ilka-brandt").blocked
    assert faults(**{key: value for key, value in GAME.write(last.state).items() if key != "name"}) == []


@pytest.mark.clause("EG-07")
def test_the_walk_can_be_left_at_each_step_and_taken_up_again() -> None:
    """Somebody half made stands in the file without a fault, and goes on where they were left."""
    walk = (
        *BEGUN[1:],
        "stats 5 4 4 4",
        'trait "Tall" 1d4',
        'trait "Patient" 6d8',
        "keep",
        "lun red",
        "enough",
        "hope Fame",
    )
    state = after(campaign(), BEGUN[0])
    for words in walk:
        question = GAME.question(state)
        put_by = play(state, "later")
        assert put_by.state.open is None
        assert faults(**{key: value for key, value in GAME.write(put_by.state).items() if key != "name"}) == []
        again = after(put_by.state, "make ilka")
        if words not in ("lun red", "enough", "hope Fame"):
            assert GAME.question(again) == question
        state = after(state, words)
    assert state.sheet.crew["ilka-brandt"].made


@pytest.mark.clause("EG-07")
def test_a_background_has_to_cover_what_the_sheet_has_already() -> None:
    """Dice written by hand before it was chosen count; without a background there are none to assign."""
    traits = {"tall": {"text": "Tall", "dice": "2d10"}}
    state = after(
        campaign(crew={"ilka": {"name": "Ilka", "traits": traits, "body": 7, "mind": 3, "soft": 3}}), "make ilka"
    )
    open_now = [
        offered.words[0] for offered in GAME.moves(state) if offered.verb == "background" and not offered.blocked
    ]
    assert open_now == ["complicated-history"]
    assert refused(state, "background strong-history").reason == (
        "Strong History doesn't fit the sheet, which already has 2d6 in stats"
    )
    assert refused(after(state, "later"), "relate ilka Nobody").clause == "EG-04"


@pytest.mark.clause("EG-01")
def test_stats_use_up_the_dice_and_none_is_below_two() -> None:
    """Too few, too many and a stat of one are refused; a file that uses too many says so."""
    state = after(campaign(), *BEGUN)
    for words in ("stats 5 4 4 3", "stats 5 5 4 4", "stats 1 8 4 4"):
        refused(state, words)
    assert after(state, "stats 2 2 2 11").sheet.crew["ilka-brandt"].hard == 11
    over = {"ilka": {"background": "well-rounded", **STATS, "hard": 6}}
    assert faults(crew=over) == [("crew.ilka.background", "EG-01")]
    assert faults(crew={"ilka": {"body": 1}}) == [("crew.ilka.body", "EG-01")]


@pytest.mark.clause("EG-03")
def test_trait_dice_are_used_up_and_not_overdrawn() -> None:
    """One size each; what the background did not give is refused by name, and a file that takes it says so."""
    state = after(campaign(), *BEGUN, "stats 5 4 4 4")
    assert refused(state, 'trait "Tall" 2d4').clause == "EG-03"
    refused(state, 'trait "Tall" 4d10')
    assert refused(state, 'trait "Tall" 1d10').clause == "EG-03"
    state = after(state, 'trait "Tall" 2d8')
    emissary = state.sheet.crew["ilka-brandt"]
    assert format_rating(dice_remaining(state.rules, emissary).traits) == "1d4 4d8"
    rows = [row for panel in GAME.panels(state) for row in panel.rows if isinstance(row, TextRow)]
    assert ("Left for traits", "1d4 4d8") in [(row.label, row.text) for row in rows]
    mixed = {"ilka": {"background": "well-rounded", "traits": {"tall": {"text": "Tall", "dice": "1d4 1d8"}}}}
    assert faults(crew=mixed) == [("crew.ilka.traits.tall.dice", "EG-03")]
    over = {"ilka": {"background": "well-rounded", "traits": {"tall": {"text": "Tall", "dice": "2d10"}}}}
    assert faults(crew=over) == [("crew.ilka.traits", "EG-03")]
    none = {"ilka": {"traits": {"tall": {"text": "Tall", "dice": ""}, "odd": {"text": "Odd", "dice": "2d12"}}}}
    assert [clause for _, clause in faults(crew=none)] == ["EG-03", "EG-03"]


@pytest.mark.clause("EG-04")
def test_relationship_dice_are_kept_back_and_assigned_in_play() -> None:
    """Relationship dice can be assigned in the middle of a conflict. A family member's 1d6 costs nothing, any other rating does."""
    crew = {"ilka": {"name": "Ilka", "background": "well-rounded", **STATS, "made": True}}
    state = campaign(crew=crew)
    state = after(state, 'relate ilka "Her mother" 1d6 family', 'conflict "Who pays?"', 'relate ilka "The crows" 2d8')
    emissary = state.sheet.crew["ilka"]
    assert format_rating(dice_remaining(state.rules, emissary).relationships) == "4d6"
    assert refused(state, 'relate ilka "The guild" 1d8').clause == "EG-04"
    state = after(state, 'relate ilka "Her aunt" 4d6 family')
    assert refused(state, 'relate ilka "Nobody"').clause == "EG-04"
    assert after(state, 'relate ilka "Her uncle" family').sheet.crew["ilka"].relationships["her-uncle"].dice == "1d6"
    over = {"ilka": {"background": "well-rounded", "relationships": {"guild": {"who": "The guild", "dice": "3d8"}}}}
    assert faults(crew=over) == [("crew.ilka.relationships", "EG-04")]


@pytest.mark.clause("EG-05")
def test_objects_are_rated_by_what_they_are() -> None:
    """Five qualities; dangerous where it is marked; a data-pad and a Lun from the start; above five a remark."""
    state = after(
        two(), "object mara Knife", "object mara Rope bad", "object thoss Blaster big-and-excellent dangerous"
    )
    assert {key: thing.dice for key, thing in state.sheet.crew["mara"].objects.items()} == {
        "knife": "1d6",
        "rope": "1d4",
    }
    blaster = state.sheet.npcs["thoss"].objects["blaster"]
    assert (blaster.dice, blaster.dangerous) == ("2d8", True)
    quality = move(state, "object mara").asks[1]
    assert isinstance(quality, PickMany)
    notes = {option.word: option.note for option in quality.options if option.note}
    assert notes == {"excellent": "+2d6", "big": "+1d8", "bad": "+1d4", "big-and-excellent": "+2d8", "average": "+1d6"}
    walk = after(campaign(), *BEGUN, "stats 5 4 4 4", 'trait "Tall" 1d4', 'trait "Patient" 6d8', "keep")
    assert set(walk.sheet.crew["ilka-brandt"].objects) == {"data-pad", "lun"}
    assert move(walk, "enough").blocked
    five = after(walk, "lun red", "object Knife", "object Rope", "object Lamp")
    sixth = play(five, "object Drum")
    assert told(sixth)[-1] == "6 objects: more than 5 is a lot to start with"
    assert [clause for _, clause in faults(crew=GAME.write(sixth.state)["crew"])] == ["EG-05"]


@pytest.mark.clause("EG-05")
@pytest.mark.parametrize(
    ("words", "name", "dice", "dangerous"),
    [
        ("Blaster 1d4 1d8", "Blaster", "1d4 1d8", False),
        ("blaster 2d6 dangerous", "blaster", "2d6", True),
        ('"The big gun" "1d8 1d4" dangerous', "The big gun", "1d4 1d8", True),
        ('"The big gun" 2d10', "The big gun", "2d10", False),
        ("Model 6 drum", "Model 6 drum", "1d6", False),
        ("Saw big excellent", "Saw", "2d8", False),
        ("Saw excellent big", "Saw", "2d8", False),
        ("Saw big and excellent", "Saw", "2d8", False),
        ("Saw excellent and big dangerous", "Saw", "2d8", True),
        ("Saw dangerous excellent big", "Saw", "2d8", True),
        ("Saw excellent dangerous big", "Saw", "2d8", True),
        ('excellent "The big saw" big', "The big saw", "2d8", False),
        ('"The big saw" dangerous excellent', "The big saw", "2d6", True),
        ("Saw dangerous bad", "Saw", "1d4", True),
        ("Big Saw excellent", "Big Saw", "2d6", False),
        ("Blaster dangerous 1d8 1d4", "Blaster", "1d4 1d8", True),
        ("Blaster 1d8 dangerous 1d4", "Blaster", "1d4 1d8", True),
        ('"Blaster" 1d8 dangerous 1d4', "Blaster", "1d4 1d8", True),
        ("1d4 1d8 Blaster", "Blaster", "1d4 1d8", False),
    ],
)
def test_an_object_has_the_dice_that_are_named(words: str, name: str, dice: str, dangerous: bool) -> None:
    """Of one size or of several, as the rules' own blaster has; in play and while an emissary is made. The words for its rating
    stand in any order.
    """
    for played, key in (
        (play(two(), f"object mara {words}"), "mara"),
        (play(walking(), f"object {words}"), "ilka-brandt"),
    ):
        *_, thing = played.state.sheet.crew[key].objects.values()
        assert (thing.name, thing.dice, thing.dangerous) == (name, dice, dangerous)
        assert told(played)[0].endswith(f"{name} {dice}{', dangerous' if dangerous else ''}")
        assert "EG-05" not in [clause for _, clause in faults(crew=GAME.write(played.state)["crew"])]


@pytest.mark.clause("EG-05")
def test_dice_that_an_object_can_not_have_are_refused() -> None:
    """Those of another game, dice beside a quality, and dice without an object; so are words that contradict each other."""
    for words in ("Saw big bad", "Saw bad excellent", "Saw average big", "Saw dangerous harmless"):
        assert refused(two(), f"object mara {words}").clause == "EG-05", words
    for words in ("Blaster 1d7", '"Blaster" excellent 2d8', "2d6", "1d4 1d8 dangerous", 'Blaster "99d6"'):
        assert refused(two(), f"object mara {words}").clause == "EG-05", words
    three = refused(two(), "object mara Saw big bad excellent").reason
    assert three == "an object can't be big, bad and excellent at the same time"


@pytest.mark.clause("EG-05")
def test_a_file_says_that_a_new_emissary_lacks_what_all_start_with() -> None:
    """A Lun, a data-pad, or both, by key or by name; not of one who is made, who may have lost them."""

    def said(**emissary: Any) -> list[str]:
        found = GAME.read({"name": "Trial", "crew": {"mara": {"name": "Mara", **emissary}}})[1]
        return [fault.message.partition(". ")[0] for fault in found if fault.clause == "EG-05"]

    assert said() == []
    assert said(body=3) == ["missing among the objects: a Lun and a data-pad"]
    assert said(objects={"lun": {"name": "Lun"}}) == ["missing among the objects: a data-pad"]
    assert said(objects={"blade": {"name": "Her mother's Lun"}, "pad": {"name": "Data-pad"}}) == []
    assert said(objects={"lunch": {"name": "Lunch"}}) == ["missing among the objects: a Lun and a data-pad"]
    assert said(made=True) == []


@pytest.mark.clause("EG-06")
def test_a_hope_comes_true_or_does_not() -> None:
    """What has become of a hope is told once."""
    state = campaign(crew={"mara": {"name": "Mara", "hope": "I hope I won the race"}})
    played = play(state, "hoped mara yes")
    assert played.state.sheet.crew["mara"].came_true == "yes"
    assert told(played) == ["Mara's hope came true"]
    assert "hoped mara" not in [offered.id for offered in GAME.moves(played.state)]


@pytest.mark.clause("EG-50")
def test_dice_grow_or_are_added_by_the_wayfinders_word() -> None:
    """A size, or a die; a phrase is put in other words; a d10 and a stat have no larger size; the background's sums hold."""
    traits = {"pilot": {"text": "I fly", "dice": "2d8"}}
    state = campaign(crew={"ilka": {"name": "Ilka", "background": "well-rounded", **STATS, "traits": traits}})
    grown = after(state, 'advance ilka pilot larger "I fly blind"', "advance ilka pilot more", "advance ilka body more")
    emissary = grown.sheet.crew["ilka"]
    assert (emissary.traits["pilot"].text, emissary.traits["pilot"].dice) == ("I fly blind", "3d10")
    assert (emissary.body, emissary.added) == (5, 1)
    before = dice_remaining(state.rules, state.sheet.crew["ilka"])
    assert dice_remaining(grown.rules, emissary) == before
    assert refused(grown, "advance ilka pilot larger").clause == "EG-50"
    assert refused(grown, "advance ilka body larger").clause == "EG-01"
    gained = after(grown, 'gain ilka "Scarred" 1d4', 'rephrase ilka scarred "Scarred, and proud of it"')
    assert gained.sheet.crew["ilka"].traits["scarred"].text == "Scarred, and proud of it"
    assert dice_remaining(gained.rules, gained.sheet.crew["ilka"]) == before
    assert told(play(grown, "advance ilka hard more")) == ["Ilka: Hard is now 6d6"]


@pytest.mark.clause("EG-50")
def test_nothing_grows_beyond_what_a_rating_may_name() -> None:
    """The die that would be one too many is refused, so that what was rolled before is rolled after."""
    traits = {"pilot": {"text": "I fly", "dice": "40d6"}, "deft": {"text": "Deft", "dice": "39d8"}}
    state = two(npcs={"thoss": {"name": "Thoss", "traits": traits}})
    assert refused(state, "advance thoss pilot more").clause == "EG-50"
    assert after(state, "advance thoss pilot larger").sheet.npcs["thoss"].traits["pilot"].dice == "40d8"
    assert after(state, "advance thoss deft more").sheet.npcs["thoss"].traits["deft"].dice == "40d8"


@pytest.mark.clause("EG-40")
def test_each_stat_of_an_asset_has_a_rating_of_its_own() -> None:
    """Three large ones are not one that is too large."""
    state = after(two(), 'asset "Guild" organisation 40d6 40d6 40d6')
    assert state.sheet.assets["guild"].stats == ("People 40d6", "Assets 40d6", "Clout 40d6")


@pytest.mark.clause("EG-04", "EG-50")
def test_a_family_member_who_grows_on_one_costs_nothing_afterwards() -> None:
    """The free 1d6 stays free, however it grows."""
    mother = {"mother": {"who": "Mother", "family": True}}
    state = campaign(crew={"ilka": {"name": "Ilka", "background": "well-rounded", **STATS, "relationships": mother}})
    grown = after(state, "advance ilka mother larger").sheet.crew["ilka"]
    assert grown.relationships["mother"].dice == "1d8"
    assert format_rating(dice_remaining(state.rules, grown).relationships) == "4d6 2d8"


@pytest.mark.clause("EG-40", "EG-45")
def test_assets_of_every_kind() -> None:
    """Each with its three stats; a custom one with names of its own; a ship with two d6 in each at the least."""
    state = after(
        two(),
        'asset "Kestrel" frigate 3d6 2d6 2d8',
        'asset "Dart" fighter mara 2d6 2d6 2d6',
        'asset "Rig" cyberdeck 1d6 1d4 1d6',
        'asset "Guild" organisation 2d6 1d10 1d6',
        'asset "Old Wing" custom 2d8 1d6 1d6 "Ferocity" "Size" "Cunning"',
    )
    assert {key: asset.stats for key, asset in state.sheet.assets.items()} == {
        "kestrel": ("Engines 3d6", "Hull 2d6", "Systems 2d8"),
        "dart": ("Engines 2d6", "Hull 2d6", "Systems 2d6"),
        "rig": ("Network 1d6", "Storage 1d4", "Software 1d6"),
        "guild": ("People 2d6", "Assets 1d10", "Clout 1d6"),
        "old-wing": ("Ferocity 2d8", "Size 1d6", "Cunning 1d6"),
    }
    assert (state.sheet.assets["kestrel"].owner, state.sheet.assets["dart"].owner) == ("", "mara")
    assert refused(state, 'asset "Slug" frigate 3d6 1d6 2d6').clause == "EG-45"
    assert refused(state, 'asset "Slug" frigate 3d6 2d6').clause == "EG-40"
    for names in ("", '"A" "B" "B"', '"A" "B" "2d6 C"'):
        assert refused(state, f'asset "Beast" custom 2d6 1d6 2d6 {names}').clause == "EG-40"
    assert faults(assets={"slug": {"stats": ["Engines 3d6", "Hull 1d6", "Systems 2d4"]}}) == [
        ("assets.slug.stats", "EG-45"),
        ("assets.slug.stats", "EG-45"),
    ]
    assert faults(assets={"slug": {"stats": ["Engines 3d6"]}}) == [("assets.slug.stats", "EG-40")]
    wrong = {"kind": "cyberdeck", "stats": ["Engines 3d6", "Hull 2d6", "Systems 2d6"], "owner": "nobody"}
    assert faults(assets={"rig": wrong}) == [("assets.rig.stats", "EG-40"), ("assets.rig.owner", "EG-45")]


@pytest.mark.clause("EG-45")
def test_a_frigate_is_shared_and_a_fighter_is_somebodys() -> None:
    """An emissary has no frigate of their own, and no fighter is everybody's; whoever else has ships has what they like."""
    assert refused(two(), 'asset "Dart" fighter 2d6 2d6 2d6').clause == "EG-45"
    assert refused(two(), 'asset "Slug" frigate mara 2d6 2d6 2d6').clause == "EG-45"
    state = after(two(), 'asset "Slug" frigate thoss 2d6 2d6 2d6')
    assert state.sheet.assets["slug"].owner == "thoss"
    stats = ["Engines 2d6", "Hull 2d6", "Systems 2d6"]
    assert faults(assets={"dart": {"kind": "fighter", "stats": stats}}) == [("assets.dart.owner", "EG-45")]
    assert faults(crew={"mara": {}}, assets={"slug": {"stats": stats, "owner": "mara"}}) == [
        ("assets.slug.owner", "EG-45")
    ]


@pytest.mark.clause("EG-45")
def test_the_wayfinder_sets_what_a_ship_comes_to() -> None:
    """By house rule, for frigates and for fighters; without one any total is right."""
    state = two(house_rules={"frigate_dice": 9})
    assert refused(state, 'asset "Slug" frigate 3d6 2d6 3d6').clause == "EG-45"
    assert after(state, 'asset "Slug" frigate 3d6 2d6 4d6', 'asset "Dart" fighter mara 2d6 2d6 3d6').sheet.assets
    short = {"kind": "fighter", "stats": ["Engines 2d6", "Hull 2d6", "Systems 2d6"], "owner": "mara"}
    told_of = faults(crew={"mara": {}}, assets={"dart": short}, house_rules={"fighter_dice": 7})
    assert told_of == [("assets.dart.stats", "EG-45")]


@pytest.mark.clause("EG-45")
def test_ships_have_traits_at_the_wayfinders_word() -> None:
    """Gained, grown and put in other words like an emissary's; of a ship class's dice, where a house rule counts them."""
    state = after(two(), 'asset "Kestrel" frigate 3d6 2d6 2d8', 'asset "Rig" cyberdeck 1d6 1d4 1d6')
    played = play(state, 'gain kestrel "Turns on a coin" 2d8')
    assert told(played) == ["Kestrel gains a trait: Turns on a coin 2d8"]
    grown = after(played.state, "advance kestrel turns more", 'rephrase kestrel turns "Turns on a pin"')
    (trait,) = grown.sheet.assets["kestrel"].traits.values()
    assert (trait.text, trait.dice) == ("Turns on a pin", "3d8")
    assert "gain rig" not in [offered.id for offered in GAME.moves(state)]
    rows = {row.label: row.text for panel in GAME.panels(grown) for row in panel.rows if isinstance(row, TextRow)}
    assert rows["Turns on a pin"] == "3d8"
    stats = ["Network 1d6", "Storage 1d6", "Software 1d6"]
    nimble = {"nimble": {"text": "Nimble", "dice": "2d8"}}
    assert faults(assets={"rig": {"kind": "cyberdeck", "stats": stats, "traits": nimble}}) == [
        ("assets.rig.traits", "EG-45")
    ]


@pytest.mark.clause("EG-45", "EG-03")
def test_a_ship_class_may_have_trait_dice_by_house_rule() -> None:
    """The sheet says what is left of them, and the check what is too much; dice of several sizes are no trait's."""
    state = two(house_rules={"frigate_traits": "1d6 2d8"})

    def left_over(state: State) -> list[str]:
        rows = [row for panel in GAME.panels(state) for row in panel.rows if isinstance(row, TextRow)]
        return [row.text for row in rows if row.key == "assets.kestrel.left.traits"]

    state = after(state, 'asset "Kestrel" frigate 3d6 2d6 2d8')
    assert left_over(state) == ["1d6 2d8"]
    state = after(state, 'gain kestrel "Nimble" 2d8')
    assert left_over(state) == ["1d6"]
    gift = after(state, 'gain kestrel "Lucky" 1d10')
    assert left_over(gift) == ["1d6"]
    assert left_over(after(gift, 'gain kestrel "Loud" 1d6')) == []
    ship = {"kind": "frigate", "stats": ["Engines 2d6", "Hull 2d6", "Systems 2d6"]}

    def wrong(dice: str, rules: str) -> list[tuple[str, str | None]]:
        assets = {"kestrel": {**ship, "traits": {"nimble": {"text": "Nimble", "dice": dice}}}}
        return faults(assets=assets, house_rules={"frigate_traits": rules})

    assert wrong("2d8", "1d6 2d8") == wrong("9d8", "") == []
    assert wrong("3d8", "1d6 2d8") == [("assets.kestrel.traits", "EG-45")]
    assert ("assets.kestrel.traits.nimble.dice", "EG-03") in wrong("1d6 1d8", "")
    assert ("house_rules.frigate_traits", "EG-45") in wrong("1d6", "2d7")


@pytest.mark.clause("EG-02", "EG-03")
def test_dice_that_are_left_to_give_out_are_named_beside_the_background() -> None:
    """While an emissary is being made, and not before a background is chosen; nothing is wrong with it."""

    def left(**given: object) -> list[str]:
        mara = {"name": "Mara", "background": "well-rounded", **given}
        faults = GAME.read({"name": "Trial", "crew": {"mara": mara}})[1]
        return [fault.message for fault in faults if fault.unfinished and fault.path[-1] == "background"]

    assert left(body=4, mind=4, soft=4, hard=4) == ["left to assign: 1d6 for the stats and 1d4 6d8 for traits"]
    assert left(body=5, mind=4, soft=4, hard=4, traits={"sly": {"name": "Sly", "dice": "1d4 6d8"}}) == []
    assert left(background="", body=5) == left(made=True) == []


@pytest.mark.clause("EG-07")
def test_the_first_thing_in_a_new_campaign_is_to_make_an_emissary() -> None:
    """It is offered, and a panel says so, until something of anybody is chosen; then whoever is half made comes first."""

    def offered(state: State) -> list[str]:
        return [move.id for move in GAME.moves(state) if move.follows]

    def said(state: State) -> list[str]:
        (panel,) = [panel for panel in GAME.panels(state) if panel.key == "start"]
        return [row.text for row in panel.rows if isinstance(row, TextRow)]

    def opened_by_it(state: State) -> list[str]:
        return [move.id for move in GAME.moves(state) if "start.make" in move.about]

    empty, names_alone = campaign(), campaign(crew={"mara": {"name": "Mara"}, "joss": {"about": "A pilot"}})
    assert offered(empty) == opened_by_it(empty) == ["join"]
    assert said(empty) == ["create an emissary, step by step"]
    assert offered(names_alone) == opened_by_it(names_alone) == ["make mara", "make joss", "join"]
    assert said(names_alone) == ["finish Mara, step by step"]
    begun = after(names_alone, "make joss", "later")
    assert offered(begun) == []
    assert [move.id for move in GAME.moves(begun)][:4] == ["conflict", "make mara", "make joss", "join"]
    assert "start" not in [panel.key for panel in GAME.panels(begun)]
    assert opened_by_it(begun) == []


@pytest.mark.clause("EG-07")
def test_nobody_is_whoever_a_hand_edit_has_removed() -> None:
    """The walk of somebody who is gone from the file is over."""
    state = after(campaign(), *BEGUN)
    (joined,) = GAME.difference(campaign(), state)
    gone = GAME.apply_changes(state, [joined.reverse()])
    assert GAME.question(gone) is None
    assert isinstance(state.sheet.crew["ilka-brandt"], Emissary)


@pytest.mark.clause("EG-03", "EG-05")
@pytest.mark.parametrize(
    ("text", "fits"),
    [("3d6", True), ("1d4 4d8", True), ("2d7", False), ("d6", False), ("2d61d4", False), ("", False), ("0d6", False)],
)
def test_an_editor_knows_what_a_rating_looks_like(text: str, fits: bool) -> None:
    """Each rating of the schema has a pattern, which fits what the game reads and nothing else."""
    found = list(ratings(GAME.schema()))
    assert len(found) == 16
    for name, part in found:
        written_so = f"Engines {text}" if name == "items" else text
        optional = part["pattern"] == RATED_OR_EMPTY and not text
        assert bool(re.search(part["pattern"], written_so)) is (fits or optional), (name, part)
    assert bool(re.search(DRAWN, "all")) is bool(re.search(DRAWN, "none")) is True


def ratings(schema: Mapping[str, Any], name: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The texts with a pattern, by name."""
    if "pattern" in schema:
        yield name, schema
    for key, part in schema.get("properties", {}).items():
        yield from ratings(part, key)
    for key in ("items", "additionalProperties"):
        if key in schema:
            yield from ratings(schema[key], key)
