"""What a command says to a person."""

from pathlib import Path

from tests.kit.cli import CommandLine
from waylog.rules.language.completion_and_what_is_wrong import usage
from waylog.rules.model.moves import Move, Option, PickOne, Refusal

OPEN, SHUT = Option("rope", "Rope"), Option("tea", "Tea", blocked=Refusal("“Tea” is in the pile already"))


def test_a_move_is_shown_with_the_words_that_may_be_said() -> None:
    """A move is listed with the words that may be typed, without those that would be refused, unless all would."""
    assert usage(Move("back", ("keeper",), "Return", (PickOne("card", "Card", (OPEN, SHUT)),))) == "back keeper rope"
    assert usage(Move("back", ("keeper",), "Return", (PickOne("card", "Card", (SHUT,)),))) == "back keeper tea"


def test_a_full_row_of_fallout_is_shown_with_a_full_sign(tmp_path: Path) -> None:
    """A token that is lost has an empty one."""
    for name, system, more in (
        ("egg", "emissaries", 'crew.mara.fallout.mental.1 = { boxes = 4, condition = "Worn" }'),
        ("tenacity", "veil-core", "ship.tokens.integrity = false"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "campaign.toml").write_text(f'format = 1\nname = "{name}"\nsystem = "{system}"\n{more}\n')
    waylog = CommandLine(tmp_path)
    assert "● full" in waylog("show", "egg").out
    assert "○ lost" in waylog("show", "tenacity").out
