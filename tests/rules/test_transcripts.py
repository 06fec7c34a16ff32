"""Plays worked through at the table, act by act in words, with what each has to come to. They lie in `transcripts/`."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.file_games import game_of
from waylog.rules.codec.changes import format_path
from waylog.rules.game import Game
from waylog.rules.language.commands import parse_act
from waylog.rules.model.dice import Dice, DiceWanted, Die, Face
from waylog.rules.model.facts import NoteFact, OutcomeFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import names, system

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.toml"))
KNOWN = {"say", "outcome", "changes", "told", "asks", "refused", "offers", "offers_not"}


class NoDice:
    """A transcript types every die: the app rolls none."""

    are_real = False

    def roll(self, dice: tuple[Die, ...]) -> tuple[Face, ...]:
        """Raises `DiceWanted`: the transcript forgot a die."""
        raise DiceWanted(dice)


NO_DICE: Dice = NoDice()  # type: ignore[assignment]


def transcripts() -> list[Any]:
    """Every transcript, marked with the clauses that it proves."""
    found = []
    for file in FILES:
        for script in tomllib.loads(file.read_text(encoding="utf-8"))["transcript"]:
            marks = [pytest.mark.clause(*script["clauses"])]
            found.append(pytest.param(script, id=f"{file.stem}: {script['title']}", marks=marks))
    return found


def in_words(game: Game, state: State, said: str) -> PlayResult:
    """One act, with the dice that its words bring."""
    return game.play(state, parse_act(game.moves(state), said), NO_DICE)


def check(game: Game, before: State, played: PlayResult, act: Mapping[str, Any]) -> None:
    """The outcomes, the changes to the sheet (all of them), what was told, and what is asked now."""
    outcomes = [fact.outcome for fact in played.facts if isinstance(fact, OutcomeFact)]
    assert outcomes == act.get("outcome", [])
    changes = {format_path(change.path): change.after for change in game.difference(before, played.state)}
    assert changes == act.get("changes", {})
    notes = [f"{fact.text} ({fact.clause})" for fact in played.facts if isinstance(fact, NoteFact)]
    for told in act.get("told", ()):
        assert any(told in note for note in notes), f"{told!r} is not in {notes}"
    question = game.question(played.state)
    if "asks" in act:
        assert question is not None
        assert act["asks"] in question
    else:
        assert question is None


@pytest.mark.parametrize("script", transcripts())
def test_transcript(script: Mapping[str, Any]) -> None:
    """Every act of it comes to what is written beside it, and to nothing else."""
    name = script["system"]
    game = Game(system(name) if name in names() else game_of(name))
    state, faults = game.read({"name": "Trial", **script.get("given", {})})
    assert [fault for fault in faults if not fault.lacking] == []
    for act in script["act"]:
        assert set(act) <= KNOWN
        open_now = {move.id for move in game.moves(state) if not move.blocked}
        assert set(act.get("offers", ())) <= open_now
        assert not set(act.get("offers_not", ())) & open_now
        if "refused" in act:
            with pytest.raises(ActRefused) as refused:
                in_words(game, state, act["say"])
            assert (refused.value.refusal.clause or "none") == act["refused"]
            continue
        played = in_words(game, state, act["say"])
        check(game, state, played, act)
        state = played.state
