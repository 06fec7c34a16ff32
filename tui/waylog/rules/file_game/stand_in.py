"""A placeholder for a game whose file is missing or has mistakes. Nothing can be played, and no panel of the game is shown."""

from __future__ import annotations

from waylog.rules.file_game.sheet_types import rules_type, sheet_type
from waylog.rules.file_game.stages import FileRoll
from waylog.rules.kit import MomentBase, Rulebook
from waylog.rules.panels import Panel, TextRow, Tone


def stand_in_for(name: str, needs: str) -> Rulebook:
    """Return a game without rules. `needs` says what is wrong; the screens show it."""
    panel = Panel("game", "ship", "The game can't be used", (TextRow("game.file", "Why", needs, Tone.BAD),))
    return Rulebook(
        id=name,
        name=name,
        about="",
        clauses={},
        sheet=sheet_type({}),
        rules=rules_type({}),
        scene=FileRoll,
        moment=MomentBase,
        chapters=(),
        panels_of=lambda _: (panel,),
        faults_of=lambda _: (),
    )
