"""A game file as a `Rulebook`, so that everything works with it as with any other game.

A placeholder for a game whose file is missing or has mistakes. Nothing can be played, and no panel of the game is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from waylog.rules.file_game import effects_and_offers, moves_without_rolls, panels, rolls
from waylog.rules.file_game.based_rolls_and_replaced_parts import GameEdition, read_game, variants
from waylog.rules.file_game.clauses import clauses_of, topics_of
from waylog.rules.file_game.game_file_format import Flaw, GameFile
from waylog.rules.file_game.named_values_and_conditions import FileMoment, label_of, lasting_values
from waylog.rules.file_game.sheet_types import FileRoll, first_sheet, rules_type, sheet_type
from waylog.rules.model.act_lists_and_row_verbs import ActKeys, RowKey, VerbKeys
from waylog.rules.model.clocks_situations_and_timers import Clock
from waylog.rules.model.panels import Panel, TextRow, Tone
from waylog.rules.rulebook import MomentBase, Rulebook

ACT_KEYS: ActKeys = {
    "roll": VerbKeys(row=(RowKey.OPEN,)),
    # Whether more of a value is good or bad, only the people at the table know.
    effects_and_offers.MARK: VerbKeys(row=(RowKey.MORE, RowKey.OPEN, RowKey.TOGGLE), hurts=True),
    effects_and_offers.CLEAR: VerbKeys(row=(RowKey.LESS, RowKey.TOGGLE), hurts=True),
}


class UnplayableGame(Exception):
    """A game file has mistakes."""

    def __init__(self, flaws: tuple[Flaw, ...]) -> None:
        super().__init__("\n".join(flaw.message for flaw in flaws))
        self.flaws = flaws


def rulebook_of(tree: Mapping[str, Any], *, is_sound: bool = False) -> Rulebook:
    """Return the game that the values of a file declare. Raises `UnplayableGame` with all that is wrong.

    `is_sound` says that nothing is: the same file has been checked before.
    """
    if is_sound:
        game = read_game(tree)[0]
    else:
        from waylog.rules.file_game.check import check_game  # Imported late: a file is checked once.

        game, flaws = check_game(tree)
        if flaws:
            raise UnplayableGame(flaws)
    # Verbs that a house rule adds are read as far as they are moves: the check may not have come to them yet.
    added = (changes.get("moves") for changes in variants(game).values())
    verbs = {*game.moves, *(verb for moves in added if isinstance(moves, dict) for verb in moves)}
    sheet = sheet_type(game.sheet)
    return Rulebook(
        id=game.id,
        name=game.name,
        about=game.about,
        clauses=clauses_of(game),
        topics=topics_of(game),
        sheet=sheet,
        first_sheet=lambda: first_sheet(sheet, game.sheet),
        first_clocks=_clocks_of(game),
        rules=rules_type(game.house_rules),
        scene=FileRoll,
        moment=FileMoment,
        chapters=(rolls, SimpleNamespace(CHAPTER=moves_without_rolls.chapter_of(verbs))),
        panels_of=panels.panels,
        is_unseen=lambda path: panels.is_unseen(game, path),
        faults_of=lambda _: (),
        outcomes=[
            [band.outcome for bands in (rule.bands, *(one.bands for one in rule.answers())) for band in bands]
            for rule in game.dice.values()
        ],
        ships=next((key for key, part in game.sheet.items() if part.each and part.place == "ship"), ""),
        private=tuple(key for key, part in game.sheet.items() if part.secret),
        edition=GameEdition(tree, game),
        # What is paid on a roll is gone, so it takes more than a habitual Enter.
        lasting={word for _, value, _ in lasting_values(game) for word in (*value.ends, *value.fades)},
        act_keys={**ACT_KEYS, **{verb: VerbKeys(hurts=True) for verb in game.spend}},
    )


def _clocks_of(game: GameFile) -> Mapping[str, Clock]:
    return {
        key: Clock(
            rule.label or label_of(key, ""),
            rule.kind,
            rule.segments,
            outcome=rule.ending,
            seen=not rule.secret,
            when_full=rule.when_full,
        )
        for key, rule in game.clocks.items()
    }


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
