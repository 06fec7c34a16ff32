"""The report of `waylog game check` on a game without mistakes: its contents, and the exact odds of its rolls in a new campaign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from waylog.cli.results import CommandResult
from waylog.cli.text_or_json import json_output, text_output
from waylog.rules.common.random_tables import Tables
from waylog.rules.file_game.declaration import GameFile
from waylog.rules.game import Game
from waylog.rules.odds import Odds
from waylog.rules.odds_changes import first_odds
from waylog.rules.systems import System
from waylog.store import table_files
from waylog.store.game_files import table_folders
from waylog.values import replace


class _NoOdds(str):
    """Why a roll that can be made has no odds."""

    __slots__ = ()


_Rolls = Sequence[tuple[str, "Odds | str"]]
"""Each roll in words, with its odds, or why it can't be made or has none."""


def report(system: System, path: Path) -> CommandResult:
    """Return the report on the game in a file."""
    tables = tables_with(path)
    game = Game(system, tables)
    state = game.fresh("check")
    rolls = [
        (move.id, first_odds(game, state, move) or _NoOdds(game.why_no_odds(state, move, {})))
        for move in game.moves(state)
        if move.rolls and move.verb != "dice"
    ]
    declared: GameFile = system.edition.game  # type: ignore[attr-defined]
    has = _contents(declared, tables)
    return CommandResult(
        lambda: _lines(system, has, rolls),
        lambda: {
            "ok": True,
            "id": system.id,
            "name": system.name,
            "path": str(path),
            "problems": [],
            "has": dict(has),
            "odds": [_odds_data(words, found) for words, found in rolls],
        },
    )


def tables_with(path: Path) -> Tables:
    """Return the random tables that come with the game in a file, also those of its base."""
    return {
        key: table for folder in table_folders(path) for key, table in table_files.read(folder.parent).tables.items()
    }


def _contents(game: GameFile, tables: Any) -> Sequence[tuple[str, Sequence[str]]]:
    sheet = [f"{key} (a list)" if part.each else key for key, part in game.sheet.items()]
    named = (
        ("sheet", sheet),
        ("rolls", [*game.dice]),
        ("spends", [*game.spend]),
        ("moves", [*game.moves]),
        ("conditions", [*game.when]),
        ("house rules", [*game.house_rules]),
        ("rules", [*game.clauses]),
        ("tables", [*tables]),
    )
    return [(name, keys) for name, keys in named if keys]


def _lines(system: System, has: Sequence[tuple[str, Sequence[str]]], rolls: _Rolls) -> Iterator[str]:
    yield f"{system.name} ({system.id}): no mistakes"
    yield from text_output.indent(text_output.columns([(name, ", ".join(keys)) for name, keys in has]))
    yield "The odds of each roll in a new campaign, with the default answers:" if rolls else "It has no rolls"
    for words, found in rolls:
        if isinstance(found, str):
            yield (
                f"{words} {found}"
                if isinstance(found, _NoOdds)
                else f"{words}: not possible in a new campaign: {found}"
            )
        else:
            yield from text_output.odds(replace(found, forecast=()), words)


def _odds_data(words: str, found: Odds | str) -> dict[str, Any]:
    return {"words": words, "refused": found} if isinstance(found, str) else json_output.odds(found, words)
