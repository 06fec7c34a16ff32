"""Ten thousand game files with something wrong in them: each is told with a line and a reason, or is a game that keeps its promises.

Whatever the file has, nothing breaks, nothing hangs, and the campaign stays as it is.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.file_games import FOLDER, game_of
from tests.kit.thorough import cases, examples, few_at_a_desk
from tests.rules import promises
from tests.rules.any_game import Tree, game_trees
from tests.rules.test_contract import PHASES, next_move
from tests.rules.trial import Trial
from tests.rules.wrong_games import change_game
from waylog.rules.codec.changes import quote
from waylog.rules.game import Game
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.state import EntryKind
from waylog.store.file.changed_game import first_odds
from waylog.store.file.template_and_conversion import make
from waylog.store.files_and_lock import FILE
from waylog.store.games.game_files import GAME_FILE, GameUnusable, read_game
from waylog.table import Table
from waylog.toml.document import Problem

HEIST = "night-heist"
SOUND = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob(f"*/{GAME_FILE}"))]
_PARTS, _ALL = 10, 10_000
_PATIENCE = 60
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """A game that takes longer than all of them should is a failure, not a wait."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("part", cases(range(_PARTS), 0, 4))
def test_a_wrong_game_is_told_or_is_played(part: int) -> None:
    """Each mistake has a line, a column and a reason."""
    for number in range(few_at_a_desk(_ALL // _PARTS)):
        random = Random(part * _ALL + number)
        data = change_game(random.choice(SOUND), random)
        signal.alarm(_PATIENCE)
        try:
            system = read_game(data, GAME_FILE)
        except GameUnusable as unusable:
            _all_are_told(unusable.problems, data)
        else:
            _play(Game(system), random)


def _all_are_told(problems: tuple[Problem, ...], data: bytes) -> None:
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert problems
    for problem in problems:
        assert 1 <= problem.line <= lines
        assert problem.column >= 1
        assert problem.message.strip()
        assert len(problem.message) < 1500


def _play(game: Game, random: Random) -> None:
    """Play a game that was changed by chance, and is a game still."""
    state, dice = game.fresh("Trial"), ChanceDice(random.randrange)
    for _ in range(4):
        promises.position_holds(game, state)
        promises.refusals_hold(game, state, dice)
        verbs = {move.verb for move in game.system.moves(game.position(state))}
        own = [move for move in game.moves(state) if move.verb in verbs and not move.blocked]
        for move in own[:8]:
            odds = first_odds(game, state, move) if move.rolls else ""
            if not isinstance(odds, str):
                promises.odds_hold(game, odds)
        if own:
            move = random.choice(own)
            with suppress(ActRefused):
                state = game.play(state, Act(move, complete_answers(move, {})), dice).state


def test_a_wrong_game_never_changes_the_campaign(tmp_path: Path) -> None:
    """Whatever is saved while a campaign of it is open. It is played again as soon as the file is mended."""
    game, campaign = tmp_path / "heist" / GAME_FILE, tmp_path / "heist" / FILE
    make(tmp_path / "heist", "heist", Game(game_of(HEIST)))
    sound = (FOLDER / HEIST / GAME_FILE).read_text(encoding="utf-8")
    game.write_text(sound)
    table = _open(tmp_path / "heist")
    table.play(table.understand("mark stress 2"))
    assert table.settle()
    before, log = campaign.read_bytes(), _logs(tmp_path / "heist")
    for number in range(examples(250)):
        random = Random(number)
        signal.alarm(_PATIENCE)
        game.write_bytes(change_game(sound, random))
        table.refresh()
        assert table.snapshot.panels or table.snapshot.problems
        assert (campaign.read_bytes(), _logs(tmp_path / "heist")) == (before, log)
        if number % 5 == 0:
            _open(tmp_path / "heist").snapshot  # noqa: B018 - it is worked out
            assert (campaign.read_bytes(), _logs(tmp_path / "heist")) == (before, log)
    game.write_text(sound)
    table.refresh()
    assert not table.snapshot.problems
    table.play(table.understand("mark stress"))
    assert table.settle()
    assert b"stress = 3 " in campaign.read_bytes()


def test_undo_gives_back_the_same_bytes_in_any_game(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Of each act that any game offers; and redone, it is as it was."""

    @settings(max_examples=examples(40), phases=PHASES, deadline=None, suppress_health_check=[*HealthCheck])
    @given(tree=game_trees(), data=st.data())
    def undone(tree: Tree, data: st.DataObject) -> None:
        signal.alarm(_PATIENCE)
        folder = tmp_path_factory.mktemp("undone") / "any"
        text = tomlkit.dumps(tree).encode()
        game = Game(read_game(text, GAME_FILE))
        make(folder, "any", game)
        (folder / GAME_FILE).write_bytes(text)
        table = _open(folder)
        tried = Trial(table.game, st.nothing())
        versions = dict[int, list[bytes]]()
        for _ in range(4):
            state = table._state
            move = next_move(data, tried, state)
            versions[table.snapshot.entries + 1] = _without_mark(folder)
            try:
                entry = table.play(Act(move, data.draw(tried.answers(state, move))))
            except ActRefused:
                continue
            table.settle()
            after = _without_mark(folder)
            # What is done while a roll is open is undone together with the answer that ends it, and both are named.
            took = table.undo()
            assert table.settle()
            # A call and its roll are one act. What was done between them is one of its own, and stays.
            first = min(took.undoes)
            between = [held for held in table.latest() if held.number > first and held.kind is EntryKind.PLAY]
            if not between:
                assert _without_mark(folder) == versions[first]
            if entry.number in took.undoes and (entry.root == entry.number or table._log.entry(entry.root).within):
                assert any(quote(entry.heading) in fact.text for fact in took.facts if isinstance(fact, NoteFact))
            table.redo()
            assert table.settle()
            assert _without_mark(folder) == after

    undone()


def _open(folder: Path) -> Table:
    return Table(folder, now=lambda: NOON, chance=ChanceDice(Random(3).randrange))


def _logs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "log").iterdir()}


def _without_mark(folder: Path) -> list[bytes]:
    return [line for line in (folder / FILE).read_bytes().splitlines() if not line.startswith(b'log = "')]
