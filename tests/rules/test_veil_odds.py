"""What is known before a roll: exact chances, why it is what it is, and what its bad outcomes would do (VK-21)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from tests.rules.veil_table import CORE, Y2026, after, campaign, move, odds, play
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.odds import Odds, Spread
from waylog.rules.systems.veil_2026 import against_each_other
from waylog.rules.systems.veil_core.roll_group_and_heal_moves import all_as_one
from waylog.rules.systems.veil_core.sheet import CoreHouseRules

D6 = range(1, 7)
SHIP = {"modules": {"1": {"name": "AFTERBURNERS", "system": "NAV"}}}


def chances(spread: Spread) -> tuple[str, ...]:
    """The chances, worst first."""
    return tuple(str(chance.chance) for chance in spread.chances)


def read(faces: Sequence[int]) -> OutcomeGrade:
    """An outcome as the rules put it."""
    if faces.count(6) > 1:
        return OutcomeGrade.CRITICAL
    return {6: OutcomeGrade.SUCCESS, 5: OutcomeGrade.DRAWBACK, 4: OutcomeGrade.DRAWBACK}.get(
        max(faces), OutcomeGrade.FIASCO
    )


def counted(throws: Sequence[OutcomeGrade]) -> tuple[str, ...]:
    """The chances of outcomes that are equally likely each."""
    counts = Counter(throws)
    return tuple(str(Fraction(counts[mood], len(throws))) for mood in OutcomeGrade)


def forecast(found: Odds) -> list[str]:
    """What would happen, in words."""
    return [note.text for note in found.forecast]


@pytest.mark.clause("VK-21")
def test_the_chances_of_all_four_outcomes_show_before_a_roll() -> None:
    """Exactly, for the dice that the answers make, and with each number of Focus spent well."""
    found = odds(campaign(ship={"focus": 2, **SHIP}), "roll nav afterburners")
    assert found.dice == "3d6: NAV 2 + AFTERBURNERS"
    assert chances(found.spread) == counted([read(faces) for faces in product(D6, repeat=3)])
    assert [chance.label for chance in found.spread.chances] == [
        "Fiasco",
        "Success with drawback",
        "Success",
        "Critical success",
    ]
    assert [spread.label for spread in found.spends] == ["with 1 Focus", "with 2 Focus"]
    assert chances(found.spends[1])[0] == str(Fraction(1, 6**3))
    for spread in (found.spread, *found.spends):
        assert sum(chance.chance for chance in spread.chances) == 1
    assert odds(campaign(), "roll nav").dice == "2d6: NAV 2"


@pytest.mark.clause("VK-21", "VK-12")
def test_a_crew_rolls_chances_follow_its_answers() -> None:
    """Tools, expertise, limiter: each die is there for a reason."""
    crew = {
        "mara": {"name": "Mara", "vitality": 2, "advancements": ["expert", "limiter-override"], "expertise": "hacking"}
    }
    found = odds(campaign(crew=crew), "roll mara primary hacking")
    assert found.dice == "6d6: vitality 2 + primary tool 2 + hacking + limiter override"
    assert [note.clause for note in found.reasons] == ["VK-69"]
    assert chances(found.spread) == counted([read(faces) for faces in product(D6, repeat=6)])


@pytest.mark.clause("VK-21", "VK-63")
def test_the_forceful_have_chances_of_their_own() -> None:
    """Rerolls, not raises."""
    crew = {"mara": {"vitality": 1, "focus": 1, "advancements": ["forceful"]}}
    found = odds(campaign(crew=crew), "roll mara")
    assert chances(found.spread) == ("1/2", "1/3", "1/6", "0")
    assert chances(found.spends[0]) == ("1/4", "1/2", "1/4", "0")


@pytest.mark.clause("VK-21", "VK-35", "VK-36", "VK-65")
def test_what_is_sure_is_shown_as_sure() -> None:
    """Without dice there is one outcome."""
    state = campaign(crew={"mara": {"advancements": ["reckless"]}})
    assert chances(odds(state, "roll nav integrity").spread) == ("0", "0", "0", "1")
    assert chances(odds(state, "roll nav engineering").spread) == ("0", "0", "1", "0")
    spent = [note.text for word in ("integrity", "engineering") for note in odds(state, f"roll nav {word}").forecast]
    assert spent == [
        "Integrity is spent: the next damage hits a module. No dice are rolled",
        "Engineering is spent: every ship roll is Desperate. No dice are rolled",
    ]
    reckless = odds(state, "roll mara reckless")
    assert chances(reckless.spread) == ("0", "0", "1", "0")
    assert [(note.text[:7], note.clause) for note in reckless.forecast] == [("Damage:", "VK-65")]
    prepared = campaign(crew={"mara": {"prep": {"ingenuity": 1}}})
    assert chances(odds(prepared, "roll mara ingenuity").spread) == ("0", "0", "1", "0")
    with pytest.raises(ActRefused, match="needs a Standard roll"):
        odds(prepared, "roll mara ingenuity desperate")


@pytest.mark.clause("VK-21")
def test_the_best_of_the_dice_on_the_table_is_said() -> None:
    """Each better outcome within reach and the cheapest way there; nothing is asked where nothing could be better."""
    state = campaign(ship={"focus": 3})
    asked = after(state, "roll nav 5 4")
    assert CORE.question(asked) == (
        "NAV 5 4: Success with drawback. Spend Focus (3 left)? Raising 5 to 6 makes it a Success; "
        "raising 5 to 6, 4 to 5 and 5 to 6 makes it a Critical success"
    )
    options = {option.word: (option.label, option.note) for option in move(asked, "focus").asks[0].options}  # type: ignore[union-attr]
    assert options == {
        "4": ("4 to 5", "Success with drawback"),
        "5": ("5 to 6", "Success"),
    }
    assert move(asked, "keep").label == "Keep the dice: Success with drawback"
    assert CORE.question(after(state, "roll nav 6 6")) is None
    assert CORE.question(after(campaign(ship={"focus": 1}), "roll nav 4 1")) is None


@pytest.mark.clause("VK-21", "VK-63")
@pytest.mark.parametrize(
    ("faces", "again"),
    [((1, 2, 4), (1,)), ((1, 2, 4), (1, 2)), ((6, 2, 4), (2, 4)), ((4, 4, 4), (4,)), ((1, 1, 2), (1, 1, 2))],
)
def test_rerolled_dice_have_exact_chances(faces: tuple[int, ...], again: tuple[int, ...]) -> None:
    """Of the dice that would be rolled again beside those that stay, against every throw."""
    crew = {"mara": {"focus": 3, "advancements": ["forceful"]}}
    state = after(campaign(crew=crew), "roll mara " + " ".join(map(str, faces)))
    kept = list(faces)
    for face in again:
        kept.remove(face)
    found = CORE.odds(state, move(state, "reroll"), {"faces": tuple(map(str, again))})
    assert found
    assert chances(found.spread) == counted([read((*kept, *new)) for new in product(D6, repeat=len(again))])


@pytest.mark.clause("VK-20", "VK-21")
def test_a_groups_chances_are_those_of_all_their_dice() -> None:
    """Against every throw of everyone, without tools."""
    state = campaign(crew={"mara": {"name": "Mara", "vitality": 2}, "lars": {"name": "Lars", "vitality": 1}})
    found = odds(state, "group mara lars nav")
    assert found.dice == "Mara 2d6, Lars 1d6, NAV 2d6, without tools"
    shared = [
        all_as_one((read(nav), read(mara), read(lars)), CoreHouseRules())
        for nav in product(D6, repeat=2)
        for mara in product(D6, repeat=2)
        for lars in product(D6, repeat=1)
    ]
    assert chances(found.spread) == counted(shared)


@pytest.mark.clause("VK-20")
def test_a_group_says_how_it_counts() -> None:
    """Before the roll, and by the house rule; not for one alone."""
    people = {"mara": {"name": "Mara"}, "lars": {"name": "Lars"}}
    (how,) = odds(campaign(crew=people), "group mara lars").forecast
    assert (how.text, how.clause) == (
        "Success: one Critical, or all succeed. Fiasco: all are. Otherwise a drawback",
        "VK-20",
    )
    (how,) = odds(campaign(crew=people, house_rules={"group_of_drawbacks": "fiasco"}), "group mara lars").forecast
    assert how.text.endswith("Drawback: anyone does. Otherwise a Fiasco")
    assert odds(campaign(crew=people), "group mara").forecast == ()


@pytest.mark.clause("NM-20", "NM-25", "VK-20")
@pytest.mark.parametrize("seen", [True, False])
def test_why_a_group_rolls_as_it_does_is_as_secret_as_for_one(seen: bool) -> None:
    """A clock that players can't see stays unseen, whether one rolls while it runs or all."""
    fire = {"name": "Fire", "kind": "death", "running": "desperate", "seen": seen}
    state = campaign(clocks={"fire": fire}, crew={"mara": {"name": "Mara"}})
    (alone,) = odds(state, "roll mara").reasons
    (together,) = odds(state, "group mara").reasons
    assert together == replace(alone, text=f"Mara: {alone.text}")
    assert together.secret is not seen


@pytest.mark.clause("VK-20")
@pytest.mark.parametrize(
    ("rolled", "shared"),
    [
        ("cc", "c"),
        ("cs", "s"),
        ("cf", "s"),
        ("ss", "s"),
        ("sd", "d"),
        ("sf", "d"),
        ("df", "d"),
        ("dd", "d"),
        ("ff", "f"),
        ("c", "c"),
        ("sdf", "d"),
        ("cff", "s"),
    ],
)
def test_one_outcome_for_a_group(rolled: str, shared: str) -> None:
    """Line by line as the rule has it."""
    letters: Mapping[str, OutcomeGrade] = {mood.value[0]: mood for mood in OutcomeGrade}
    assert all_as_one([letters[letter] for letter in rolled], CoreHouseRules()) is letters[shared]


@pytest.mark.clause("VN-04")
@pytest.mark.parametrize(
    ("rolled", "shared"),
    [
        ("cs", "s"),
        ("cd", "c"),
        ("cc", "c"),
        ("cf", "s"),
        ("cff", "d"),
        ("ccf", "s"),
        ("ccff", "s"),
        ("sf", "d"),
        ("sd", "s"),
        ("df", "d"),
        ("dd", "d"),
        ("ff", "f"),
        ("ss", "s"),
        ("ccd", "c"),
        ("cfd", "s"),
        ("sff", "d"),
    ],
)
def test_one_outcome_for_a_group_in_2026(rolled: str, shared: str) -> None:
    """Fiascos and Criticals make Successes of each other; then a Success decides, or else the best."""
    letters: Mapping[str, OutcomeGrade] = {mood.value[0]: mood for mood in OutcomeGrade}
    assert against_each_other([letters[letter] for letter in rolled], None) is letters[shared]


@pytest.mark.clause("VK-21", "VK-15", "VK-16")
def test_what_a_fiasco_would_do_to_the_ship() -> None:
    """Focus, then integrity, or modules with their chances, and Wrecked."""
    found = odds(campaign(), "roll nav desperate")
    assert forecast(found) == ["Fiasco (25 %): +1 Focus", "Fiasco (25 %): integrity is lost"]
    modules = {
        "1": {"name": "AFTERBURNERS", "system": "NAV"},
        "2": {"name": "MEDBAYS", "kind": "passive", "destroyed": True},
    }
    state = campaign(ship={"focus": 3, "tokens": {"integrity": False}, "modules": modules})
    assert forecast(odds(state, "roll nav desperate")) == [
        "Fiasco (25 %): Focus stays at 3",
        "Fiasco (25 %): 1 in 6, AFTERBURNERS #1 is destroyed; 1 in 6, the ship is Wrecked; 4 in 6, no further damage",
    ]
    assert forecast(odds(state, "roll nav standard")) == ["Fiasco (25 %): Focus stays at 3"]


@pytest.mark.clause("VK-21", "VK-40", "VK-61", "VK-68")
def test_what_a_fiasco_would_do_to_someone() -> None:
    """What may be lost and how likely, down to the last vitality; armour and death are said."""
    crew = {
        "mara": {
            "name": "Mara",
            "vitality": 1,
            "primary": {"name": "DRILL", "works": False},
            "advancements": ["recirculation-kit"],
        },
        "lars": {"name": "Lars", "advancements": ["ablative-armour"]},
        "nora": {"name": "Nora", "vitality": 0, "advancements": ["relentless"]},
    }
    state = campaign(crew=crew)
    assert forecast(odds(state, "roll mara desperate")) == [
        "Fiasco (50 %): +2 Focus",
        "Fiasco (50 %): suit life support is lost (1–2); Down and Out (3–4); the secondary tool is lost (5–6)",
    ]
    assert forecast(odds(state, "roll lars desperate"))[1] == "Fiasco (12.5 %): ablative armour takes the hit"
    assert forecast(odds(state, "roll nora desperate"))[1] == "Fiasco (50 %): Nora dies"


@pytest.mark.clause("VK-21", "VK-44", "VK-64")
def test_what_healing_and_defending_would_cost() -> None:
    """The token that the roll itself costs is named first, and no longer there to be spent on it."""
    crew = {"mara": {"focus": 2}, "lars": {"vitality": 1, "focus": 1, "advancements": ["defender"]}}
    state = campaign(crew=crew)
    found = odds(state, "heal lars by-mara")
    assert forecast(found) == [
        "Whatever the outcome: 1 Focus is spent (1 left)",
        "Fiasco (12.5 %): +1 Focus",
        "Fiasco or drawback (57.9 %): pay 1 more Focus or take damage",
    ]
    assert [spread.label for spread in found.spends] == ["with 1 Focus"]
    defence = odds(after(state, "damage mara"), "defend lars")
    assert (defence.dice, defence.spends) == ("1d6: vitality 1", ())
    assert forecast(defence) == [
        "Whatever the outcome: 1 Focus is spent (0 left)",
        "Fiasco (50 %): +1 Focus",
        "Fiasco (50 %): both take damage",
    ]


@pytest.mark.clause("VN-03", "VK-21")
def test_in_2026_a_drawback_may_hurt_as_well() -> None:
    """Its share of the chance is in the figure."""
    state = campaign(Y2026)
    assert forecast(odds(state, "roll nav desperate", Y2026))[1] == "Fiasco or drawback (69.4 %): integrity is lost"
    assert forecast(odds(state, "roll nav risky", Y2026))[1] == "Fiasco (25 %): integrity is lost"


@pytest.mark.clause("VN-02", "VK-21")
def test_in_2026_no_dice_have_chances_too() -> None:
    """Two dice, lowest counts."""
    found = odds(campaign(Y2026, ship={"focus": 1, "core": {"CPU": 0, "HUL": 2, "NAV": 2}}), "roll cpu", Y2026)
    assert found.dice == "2d6, lowest counts: CPU 0"
    assert chances(found.spread) == ("3/4", "2/9", "1/36", "0")
    assert [note.clause for note in found.reasons] == ["VN-02"]
    assert found.spends[0].chances[0].chance < found.spread.chances[0].chance


@pytest.mark.clause("VK-19")
def test_a_roll_without_dice_is_refused_with_what_would_add_one() -> None:
    """As it can be after an edit by hand: its odds are refused too, and the tokens still do."""
    state, faults = CORE.read(
        {"ship": {"core": {"CPU": 0, "HUL": 3, "NAV": 3}, "modules": {"1": {"name": "BIOSCANNER", "system": "CPU"}}}}
    )
    assert [fault.clause for fault in faults] == ["VK-01"]
    with pytest.raises(ActRefused, match="A shunt or a specialised module would add one") as refused:
        play(state, "roll cpu")
    assert refused.value.refusal.clause == "VK-19"
    roll = move(state, "roll cpu")
    with pytest.raises(ActRefused, match="no dice"):
        CORE.odds(state, roll, complete_answers(roll, {}))
    assert play(state, "roll cpu bioscanner 6").facts
    assert play(state, "roll cpu integrity").facts


@pytest.mark.clause("VK-21")
def test_a_move_that_rolls_nothing_has_no_odds() -> None:
    """None, not a guess."""
    state = campaign()
    assert CORE.odds(state, move(state, "damage ship"), {}) is None
