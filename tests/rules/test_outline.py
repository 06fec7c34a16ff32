"""The outline of a game notices what is no longer there."""

from dataclasses import replace

import pytest

from tests.rules import outline
from tests.rules.outline import NotInOutlineError
from tests.rules.veil_table import CORE, campaign, move
from waylog.rules.model.facts import NoteFact, OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import Move, Text
from waylog.rules.model.panels import MarkRow, Panel, Tag, TextRow, Tone

EXPOSE = move(campaign(crew={"mara": {}}), "expose mara")


@pytest.mark.parametrize(
    "wrong",
    [
        replace(EXPOSE, effect=False),
        replace(EXPOSE, key=""),
        replace(EXPOSE, about=()),
        replace(EXPOSE, about=("crew.mara", "ship")),
        replace(EXPOSE, about=("Crew.mara",)),
        replace(EXPOSE, verb="uncover"),
        replace(EXPOSE, asks=(Text("why", "Why"),)),
    ],
)
def test_a_move_that_is_offered_otherwise_is_noticed(wrong: Move) -> None:
    """It is not an effect any more, has no key or no row, or asks for something else."""
    outline.check_moves("veil-core", [EXPOSE])
    with pytest.raises(NotInOutlineError):
        outline.check_moves("veil-core", [wrong])


def test_rows_that_may_be_many_are_as_many_as_there_are() -> None:
    """Rows that may be many are as many as there are things, each a row of the right kind."""
    for keys in (["mara"], ["mara", "nora quist", "7"]):
        found = move(campaign(crew={key: {} for key in keys}), "award focus crew")
        outline.check_moves("veil-core", [found])
        with pytest.raises(NotInOutlineError):
            outline.check_moves("veil-core", [replace(found, about=(*found.about, "ship.focus"))])


@pytest.mark.parametrize(
    "wrong",
    [
        Panel("ship", "crew", "The ship", ()),
        Panel("ships", "ship", "The ship", ()),
        Panel("ship", "ship", "The ship", (), (Tag("Wrecked", Tone.GOOD),)),
        Panel("mission", "ship", "Mission", (TextRow("mission.over", "Over", "failure"),)),
        Panel("mission", "ship", "Mission", (TextRow("mission.ended", "Over", "failure", Tone.BAD),)),
        Panel(
            "ship.tokens", "ship", "Tokens", (MarkRow("ship.tokens.integrity", "Integrity", held=True, state="lost"),)
        ),
    ],
)
def test_a_panel_that_is_drawn_otherwise_is_noticed(wrong: Panel) -> None:
    """It is in another place, its row has another key, or how a thing stands is said otherwise."""
    outline.check_panels("veil-core", CORE.panels(campaign()))
    with pytest.raises(NotInOutlineError):
        outline.check_panels("veil-core", [wrong])


def test_a_note_without_a_clause_and_an_unknown_outcome_are_noticed() -> None:
    """The outline reports a note without its clause and an unknown outcome; what is only a note needs no clause."""
    success = OutcomeFact("success", "Success", OutcomeGrade.SUCCESS, "NAV")
    outline.check_facts("veil-core", "roll", [NoteFact("Focus +1", "VK-15"), success])
    outline.check_facts("veil-core", "note", [NoteFact("The fog comes in")])
    for fact in (
        NoteFact("Focus +1"),
        replace(success, mood=None, who=""),
        replace(success, mood=OutcomeGrade.CRITICAL),
        replace(success, outcome="luck"),
    ):
        with pytest.raises(NotInOutlineError):
            outline.check_facts("veil-core", "roll", [fact])
