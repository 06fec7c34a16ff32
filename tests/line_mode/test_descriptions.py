"""What line mode tells of the log, and answers in words to what it asks."""

from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.lines import Lines
from tests.kit.table import written
from waylog.rules.model.panels import Panel, Tag
from waylog.words.sentences import panel_sentences, sentence

CAMPAIGN = 'format = 1\nname = "Night"\nsystem = "veil-core"\n'


@pytest.mark.clause("NM-43")
def test_what_was_rewound_is_told_only_on_request(tmp_path: Path) -> None:
    """`log` leaves it out, `log rewound` tells it, the latest so many of it if a number is typed."""
    lines = Lines(written(tmp_path / "night", CAMPAIGN))
    assert lines.type("log rewound") == ["Nothing has been rewound."]
    for line in ("session begin", "note kept", "scene Fog", "note blood", "lose integrity"):
        lines.done(line)
    lines.type("rewind")
    lines.type("1")
    assert lines.table.snapshot.entries == 6
    told = " ".join(lines.type("log 20"))
    assert "Kept" in told
    assert "Scene rewound" in told
    assert not any(word in told for word in ("lood", "ntegrity"))
    asked = lines.type("log rewound")
    assert [line.split(",")[0] for line in asked] == ["4", "5"]
    assert all(line.endswith("Rewound.") for line in asked)
    assert lines.type("log rewound 1") == asked[1:]


@pytest.mark.clause("NM-20")
@pytest.mark.parametrize(("word", "segments"), [("short", 4), ("long", 8), ("Extended", 10), ("12", 12), ("6", 6)])
def test_the_size_of_a_clock_is_answered_by_its_word(tmp_path: Path, word: str, segments: int) -> None:
    """The question for the segments takes the word for a size, as a command does."""
    lines = Lines(written(tmp_path / "night", CAMPAIGN))
    lines.type("moves clock")
    lines.type("1")
    lines.type("Storm")
    lines.type("death")
    place = next(line.split(".")[0] for line in lines.said if "Segments" in line)
    lines.type(place)
    lines.type(word)
    lines.type("1")
    assert lines.table.snapshot.clocks["storm"].segments == segments


def test_the_odds_of_a_roll_with_its_dice_are_what_they_come_to(tmp_path: Path) -> None:
    """The outcome, and what Focus would make of it, in the words of the roll itself; nothing is played. Without dice, and while one of them
    is missing, they are chances.
    """
    lines = Lines(written(tmp_path / "night", CAMPAIGN + "\n[ship]\nfocus = 1\n"))
    said = lines.type("odds roll nav 3 5")
    assert said[0] == "Roll nav 3 5."
    assert "25 %" in " ".join(lines.type("odds roll nav 3"))
    assert lines.table.snapshot.entries == 0
    assert said[1] in lines.type("roll nav 3 5")


def test_what_is_misspelt_is_a_choice_that_says_what_it_does(tmp_path: Path) -> None:
    """The word that was meant, and no line that has the mistake; in the words of the act and not as it is typed."""
    lines = Lines(written(tmp_path / "night", CAMPAIGN))
    assert lines.type("clock Fog 8 deth")[1:] == ["1. New clock: Fog, 8 long, death: advances with time, ends badly."]
    assert lines.type("mission ovr")[1:] == ["1. End the mission."]
    assert lines.type("1") == ["Result?", "1. Success.", "2. Failure."]
    lines.type("cancel")


def test_a_command_for_another_moment_hears_what_comes_first(tmp_path: Path) -> None:
    """While a question is open, no command is said not to exist, and nothing is offered in its place."""
    lines = Lines(written(tmp_path / "night", CAMPAIGN + "\n[ship]\nfocus = 1\n"))
    lines.dice.left = [3, 5]
    asked = lines.type("roll nav")[1]
    assert asked.startswith("NAV 3 5: ")
    for line in ("roll cpu", "missoin over", "heal odile"):
        assert lines.type(line) == [f"Finish this first. {asked}"]


def test_a_command_is_not_said_twice(tmp_path: Path) -> None:
    """What begins with the word to type is said once; a move without words of its own stands among the others."""
    said = Lines(written(tmp_path / "night", CAMPAIGN)).type("moves")
    assert {"Note: Write a note in the log.", "Clock: New clock.", "Timer: Start a timer, open."} <= {*said}
    assert not any(line.startswith(("Clock: Clock", "Group: Group")) for line in said)


def test_an_action_with_dice_that_is_no_roll_is_read_with_what_it_comes_to(tmp_path: Path) -> None:
    """As actions in a row are."""
    lines = Lines(written(tmp_path / "night", CAMPAIGN + "\n[ship]\ntokens = { integrity = false }\n"))
    said = lines.type("odds damage ship")
    assert said == lines.type("odds damage ship;")
    assert "100 %" in said[-1]


def test_chances_are_read_without_what_is_known_already(tmp_path: Path) -> None:
    """With a token, only what it changes; of a die, no list of a hundred equal chances. Commands list them with the same words."""
    lines = Lines(written(tmp_path / "night", CAMPAIGN + "\n[ship]\nfocus = 1\ncore = { CPU = 1, HUL = 3, NAV = 2 }\n"))
    said = lines.type("odds roll cpu")
    assert said[1] == "Fiasco 50 %, Success with drawback 33.3 %, Success 16.7 %, Critical success 0 %."
    assert said[2] == "With 1 Focus: Fiasco 33.3 %, Success 33.3 %."
    assert lines.type("odds dice d100")[1:] == ["Each number 1 %.", "11+ 90 %, 26+ 75 %, 51+ 50 %, 76+ 25 %, 91+ 10 %."]
    assert lines.type("odds dice 5d6")[1].count("%") == 12
    printed = CommandLine(tmp_path).done("odds", "night", "dice", "d100").out
    assert "  each number    1.0 %  1/100" in printed
    assert "11+ 90 %, 26+ 75 %, 51+ 50 %, 76+ 25 %, 91+ 10 %" in printed


def test_why_takes_the_end_of_a_path(tmp_path: Path) -> None:
    """As formulas and other commands do, where it means one value."""
    lines = Lines(written(tmp_path / "night", CAMPAIGN + '\n[crew.mara]\nname = "Mara"\n'))
    lines.done("set crew.mara.role to pilot")
    said = lines.type("why mara.role")
    assert said == lines.type("why crew.mara.role")
    assert "No log entry" not in " ".join(said)


def test_steps_slots_and_questions_are_read_as_words() -> None:
    """How far a clock moves, which slots of a track are marked, and no signs; a title that is a question ends as one."""
    assert sentence("“They ask us again” 1 → 2 of 4") == "“They ask us again” goes from 1 to 2 of 4."
    assert sentence("Hull: □ □ ■ ■  2/4") == "Hull: slots 3 and 4, 2 of 4 marked."
    assert sentence("Seal: □ □  0/2") == "Seal: no slots of 2 marked."
    assert sentence("Hull a: □ ■. Hull b: ■ □  1/2") == "Hull a: slot 2. Hull b: slot 1, 1 of 2 marked."
    panel = Panel("", "crew", "Who opens the sluice?", (), tags=(Tag("conflict"),))
    assert next(panel_sentences(panel)) == "Conflict: “Who opens the sluice?”"
