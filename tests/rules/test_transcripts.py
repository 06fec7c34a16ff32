"""Plays worked through at the table, act by act in words, with what each has to come to. They lie in `transcripts/`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.rules.records import RECORDS, TRANSCRIPTS, Shown, Step, game_and_state, play, record, records, scripts
from waylog.rules.codec.changes import format_path
from waylog.rules.game import Game
from waylog.rules.model.facts import NoteFact, OutcomeFact

FILES = sorted(TRANSCRIPTS.glob("*.toml"))
OF_SCRIPTS = {"title", "system", "clauses", "given", "act", "looks", "tables", "faulty", "apart", "fresh"}
KNOWN = {"say", "outcome", "changes", "told", "asks", "refused", "offers", "offers_not"}


def transcripts() -> list[Any]:
    """Every transcript with its file, marked with the clauses that it proves."""
    found = []
    for file in FILES:
        for script in scripts(file):
            marks = [pytest.mark.clause(*script["clauses"])]
            found.append(pytest.param(file, script, id=f"{file.stem}: {script['title']}", marks=marks))
    return found


def check(game: Game, before: Step, step: Step, act: Mapping[str, Any]) -> None:
    """The outcomes, the changes to the sheet (all of them), what was told, and what is asked now; or why it was refused."""
    assert set(act) <= KNOWN
    open_then = {move.id for move in before.moves if not move.blocked}
    assert set(act.get("offers", ())) <= open_then
    assert not set(act.get("offers_not", ())) & open_then
    assert ((step.refusal.clause or "none") if step.refusal else None) == act.get("refused")
    if step.played is None:
        return
    outcomes = [fact.outcome for fact in step.played.facts if isinstance(fact, OutcomeFact)]
    assert outcomes == act.get("outcome", [])
    changes = {format_path(change.path): change.after for change in game.difference(before.state, step.state)}
    assert changes == act.get("changes", {})
    notes = [f"{fact.text} ({fact.clause})" for fact in step.played.facts if isinstance(fact, NoteFact)]
    for told in act.get("told", ()):
        assert any(told in note for note in notes), f"{told!r} is not in {notes}"
    question = game.question(step.state)
    if "asks" in act:
        assert question is not None
        assert act["asks"] in question
    else:
        assert question is None


@pytest.mark.parametrize(("file", "script"), transcripts())
def test_transcript(file: Path, script: Mapping[str, Any]) -> None:
    """Every act of it comes to what is written beside it, and to nothing else; and all that it shows is as its record has it."""
    assert set(script) <= OF_SCRIPTS
    game, state, faults = game_and_state(script)
    assert [fault for fault in faults if not fault.lacking] == [] or script.get("faulty")
    steps = play(game, script, state)
    for before, step, act in zip(steps, steps[1:], script["act"], strict=False):
        if not isinstance(act, str):
            check(game, before, step, act)
    kept, often = records(file)
    now = [*record(game, script, faults, steps, Shown(often))]
    assert now == kept.get(script["title"], "").splitlines(), "make records writes it anew"


def test_every_record_is_of_a_transcript() -> None:
    """None is left of one that is gone, and no two have one title."""
    for file in FILES:
        titles = [script["title"] for script in scripts(file)]
        assert sorted(records(file)[0]) == sorted(titles)
    assert {kept.name for kept in RECORDS.iterdir()} == {file.name for file in FILES}
