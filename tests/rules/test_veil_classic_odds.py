"""The first edition before a roll: exact chances with helpers in them, against every throw, and how dice would go back."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from tests.rules.veil_table import campaign, odds
from waylog.rules.game import Game
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.odds import Odds, Ratio
from waylog.rules.systems import system

GAME = Game(system("veil-classic"))
D6 = range(1, 7)
CREW: dict[str, Any] = {
    "mara": {"name": "Mara", "grit": 2},
    "joss": {"name": "Joss", "personal": 1},
    "imre": {"name": "Imre", "personal": 2},
}


def tally(found: Odds) -> tuple[Ratio, ...]:
    """The chances, worst first."""
    return tuple(chance.chance for chance in found.spread.chances)


def counted(targets: Sequence[int], difficulty: int) -> tuple[Ratio, ...]:
    """The chances as every throw has them, each die against its own target, by the words of the rule."""
    counts: Counter[int] = Counter()
    for throw in product(D6, repeat=len(targets)):
        hits = sum(face >= target for face, target in zip(throw, targets, strict=True))
        counts[(hits > difficulty) - (hits < difficulty)] += 1
    return tuple(Ratio(counts[sign], 6 ** len(targets)) for sign in (-1, 0, 1))


@pytest.mark.clause("VC-04", "VC-05", "VC-06", "VC-07", "VC-08", "VC-25")
@pytest.mark.parametrize(
    ("words", "targets", "difficulty"),
    [
        ("roll mara", (6, 6, 6), 1),
        ("roll mara background", (5, 5, 5), 1),
        ("roll mara background skill risky", (4, 4, 4), 2),
        ("roll mara background skill help help reckless", (3, 3, 3), 3),
        ("roll mara skill grit risky", (4, 4, 4), 2),
        ("roll mara joss", (6, 6, 6, 6), 1),
        ("roll mara background skill risky joss imre-skill", (4, 4, 4, 6, 5), 2),
        ("roll joss impossible mara-background mara-skill imre", (6, 4, 6), 4),
        ("roll joss telemetry skill risky mara-background", (5, 5, 5), 2),
        ("roll imre engines help impossible5 joss-skill joss-background", (5, 5, 5, 5, 4), 5),
        ("roll mara shields skill background help risky joss", (3, 3, 3, 3, 3, 6), 2),
    ],
)
def test_chances_are_those_of_every_throw(words: str, targets: Sequence[int], difficulty: int) -> None:
    """Of the roller's dice against their target and of each helper's against theirs; they add up to one."""
    found = odds(campaign(GAME, crew=CREW), words, GAME)
    assert tally(found) == counted(targets, difficulty)
    assert sum(tally(found)) == 1


@pytest.mark.clause("VC-08", "VC-25")
def test_what_shows_before_a_roll_says_the_dice_and_the_outcomes() -> None:
    """Whose dice, what makes them hits, the difficulty, and the three outcomes by name."""
    found = odds(campaign(GAME, crew=CREW), "roll mara engines skill background risky joss", GAME)
    assert found.dice == "6d6: Engines 2 + personal 3, hits on 4+; Joss 1, hits on 6; difficulty 2 (risky)"
    assert [(chance.outcome, chance.label, chance.mood) for chance in found.spread.chances] == [
        ("failure", "Failure", OutcomeGrade.FIASCO),
        ("partial", "Partial success", OutcomeGrade.DRAWBACK),
        ("success", "Success", OutcomeGrade.SUCCESS),
    ]


def forecast(words: str, **tables: Any) -> list[tuple[str, str | None]]:
    """What would follow, without the chances."""
    found = odds(campaign(GAME, crew=CREW, **tables), words, GAME)
    return [(note.text.partition(": ")[2], note.clause) for note in found.forecast]


@pytest.mark.clause("VC-10", "VC-11", "VC-12", "VC-13", "VC-14", "VC-25")
def test_how_dice_would_go_back_shows_before_a_roll() -> None:
    """For each outcome that can be; a roll that is no systems roll gives none back."""
    assert forecast("roll mara engines") == [
        ("stabilise (return the 2 dice to Engines)", "VC-13"),
        ("standard shunt (place the 2 dice at once)", "VC-12"),
        ("reactive shunt (place the 2 dice after the consequence is known)", "VC-11"),
    ]
    assert forecast("roll mara engines desperate") == [
        ("system fault (1 Engines die is lost)", "VC-14"),
        ("stabilise (return the 2 dice to Engines)", "VC-13"),
        ("standard shunt (place the 2 dice at once)", "VC-12"),
    ]
    assert forecast("roll mara telemetry desperate")[0] == (
        "system fault (the only Telemetry die is lost, and the ship takes damage: integrity is lost)",
        "VC-14",
    )
    empty = {"systems": {"Telemetry": 0, "Engines": 3, "Shields": 2}}
    assert forecast("roll mara telemetry desperate", ship=empty) == [
        ("system fault (the ship takes damage: integrity is lost)", "VC-14")
    ]
    idle = {"fault_without_dice": "nothing"}
    assert forecast("roll mara telemetry desperate", ship=empty, house_rules=idle) == [
        ("system fault (nothing is lost)", "VC-14")
    ]
    assert forecast("roll mara") == []
    assert forecast("roll mara grit") == [("grit −1", "VC-05")]
    assert forecast("roll joss engines impossible") == [("stabilise (return the 2 dice to Engines)", "VC-13")]


@pytest.mark.clause("VC-09", "VC-25")
def test_why_a_roll_is_desperate_is_said_before_it() -> None:
    """With its clause; lost engineering is no matter where no system is rolled."""
    state = campaign(GAME, crew=CREW, ship={"tokens": {"engineering": False}})
    reasons = odds(state, "roll mara engines", GAME).reasons
    assert [(note.text, note.clause) for note in reasons] == [("Desperate while engineering is lost", "VC-09")]
    assert odds(state, "roll mara", GAME).reasons == ()


@pytest.mark.clause("VC-05", "VC-25")
def test_help_that_brings_nothing_more_is_said() -> None:
    """Before the roll; grit that would bring nothing is refused there too."""
    state = campaign(GAME, crew=CREW)
    reasons = odds(state, "roll mara background skill help help", GAME).reasons
    assert [(note.text, note.clause) for note in reasons] == [
        ("A die hits on 3+ (Expert, with background, skill and other help ×2; 3 of these would be enough)", "VC-05")
    ]
    with pytest.raises(ActRefused, match="the other 3 already make this Expert: leave out grit, which adds nothing"):
        odds(state, "roll mara background skill help grit", GAME)


@pytest.mark.clause("VC-20", "VC-25")
def test_what_engineering_makes_sure_is_shown_as_sure() -> None:
    """Whatever the difficulty, and with what it costs."""
    found = odds(campaign(GAME, crew=CREW), "roll mara engines impossible6 engineering", GAME)
    assert tally(found) == (Ratio(0), Ratio(0), Ratio(1))
    assert [(note.text, note.clause) for note in found.forecast] == [
        ("Engineering is spent: system rolls are Desperate", "VC-20")
    ]
    with pytest.raises(ActRefused, match="to spend engineering, name a system or a module that helps"):
        odds(campaign(GAME, crew=CREW, ship={"modules": {"1": {"name": "RAM"}}}), "roll mara engineering", GAME)


@pytest.mark.clause("VC-26")
def test_no_dice_no_chances() -> None:
    """It says what would add some; with a helper there is a die, and chances."""
    crew = {"mara": {"personal": 0}, "joss": {}}
    state = campaign(GAME, crew=crew)
    with pytest.raises(ActRefused, match="a helper or a rest would add one"):
        odds(state, "roll mara", GAME)
    assert tally(odds(state, "roll mara joss", GAME)) == counted((6,), 1)
