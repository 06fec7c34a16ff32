"""Measures of acts without a screen: in this process, and from the command line."""

from __future__ import annotations

import gc
import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from bench.measure import Measure, interleaved, plain, ratio
from bench.programs import EXAMPLE, Bench, ProgramRun
from waylog.rules.model.dice import ChanceDice
from waylog.table import Table

_ROLL = "roll nav 6 1"
"""With real dice, so that nothing is left open."""
_WARM = 3


def opened(folder: Path) -> Table:
    """The table of a campaign."""
    return Table(folder, now=lambda: datetime.now(UTC), chance=ChanceDice(secrets.randbelow))


def _settle_collector() -> None:
    """As the app does once its window stands: what is open now is not looked through for garbage again."""
    gc.collect()
    gc.freeze()


def _act(table: Table) -> float:
    """Milliseconds from an act that is understood to the snapshot that screens draw."""
    act = table.understand(_ROLL)
    began = time.perf_counter()
    table.play(act)
    assert table.snapshot.entries
    return (time.perf_counter() - began) * 1000


def _no_wait(_: int) -> None:
    """Stands in for fsync where the disk is not what is measured."""


def _bare_write(path: Path, block: bytes) -> float:
    """Milliseconds to append and make it durable."""
    began = time.perf_counter()
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    os.write(descriptor, block)
    os.fsync(descriptor)
    os.close(descriptor)
    return (time.perf_counter() - began) * 1000


def acts(bench: Bench) -> Iterator[Measure]:
    """One act, with and without waiting for the disk."""
    table = opened(bench.campaign("acts", size=30_000))
    runs: dict[str, Callable[[], float]] = {
        "act": lambda: _act(table),
        "bare": lambda: _bare_write(bench.folder / "bare.log", b"x" * 400),
    }
    interleaved(_WARM, runs)
    _settle_collector()
    with patch.object(os, "fsync", _no_wait):
        own = [_act(table) for _ in range(4 * bench.rounds)]
    seen = interleaved(4 * bench.rounds, runs)
    yield plain("P9", "an act in process without fsync, 30 KB campaign", own, "ms", 3, 8)
    yield ratio("P9", "an act with fsync, against a bare append and fsync", seen["act"], seen["bare"], 16, 41)


def growth(bench: Bench) -> Iterator[Measure]:
    """Whether an act costs more as the log and the campaign grow."""
    small = opened(bench.campaign("small", size=10_000, entries=1))
    long = opened(bench.campaign("long", size=10_000, entries=100_000))
    large = opened(bench.campaign("wide", size=1_000_000, entries=1))
    runs = {"small": lambda: _act(small), "log": lambda: _act(long), "file": lambda: _act(large)}
    with patch.object(os, "fsync", _no_wait):
        interleaved(_WARM, runs)
        _settle_collector()
        seen = interleaved(2 * bench.rounds, runs)
    yield ratio("P10", "an act, log of 100,000 against 1 entry", seen["log"], seen["small"], 1.1, 1.5)
    yield ratio("P10", "an act, campaign of 1 MB against 10 KB", seen["file"], seen["small"], 1.1, 1.5)


def commands(bench: Bench) -> Iterator[Measure]:
    """One act from the command line."""
    folder = bench.campaign("shell", size=EXAMPLE)
    words = ("-m", "waylog", "do", folder.name, _ROLL, "--json", "--dir", str(folder.parent))
    runs = {"do": lambda: bench.run(*words), "tomlkit": lambda: bench.run("-c", "import tomlkit")}
    interleaved(1, runs)
    seen = interleaved(bench.rounds, runs)
    what = "waylog do --json, one act, against python -c 'import tomlkit'"
    yield ratio("P4", what, [run.wall for run in seen["do"]], [run.wall for run in seen["tomlkit"]], 2, 5)
    cpu = [run.cpu for run in seen["tomlkit"]]
    yield ratio("P4", "the same, processor time", [run.cpu for run in seen["do"]], cpu, 2, 5)


def games(bench: Bench) -> Iterator[Measure]:
    """Commands with a game in a file, against those with a game in Python."""
    folders = {game: bench.campaign(game, game=game) for game in ("breakers-yard", "veil-core")}
    for what, words in (("show", ("show",)), ("do", ("do", "note hello"))):
        runs = {game: _command(bench, folder, words) for game, folder in folders.items()}
        interleaved(1, runs)
        seen = interleaved(bench.rounds, runs)
        ours, python = ([run.cpu for run in seen[game]] for game in folders)
        yield ratio("P4", f"waylog {what}, a game in a file against one in Python, processor", ours, python, 1.1, 1.5)


def _command(bench: Bench, folder: Path, words: Sequence[str]) -> Callable[[], ProgramRun]:
    first, *others = words
    return lambda: bench.run("-m", "waylog", first, folder.name, *others, "--dir", str(folder.parent))


def odds(bench: Bench) -> Iterator[Measure]:
    """The slowest odds there are, each time in a fresh process: of Python games, and of dice as games in files have them."""
    folder = bench.campaign("odds", size=EXAMPLE)
    for what, script, *arguments in (
        ("the slowest legal roll's odds, cold", "cold_odds.py", str(folder)),
        ("the slowest odds of a game in a file, with spends, cold", "cold_file_odds.py"),
    ):
        path = str(Path(__file__).with_name(script))
        seen = [bench.output(path, *arguments) for _ in range(max(5, bench.rounds // 2))]
        target, limit = (1, 5) if arguments else (5, 15)
        yield plain("P11", what, [float(line) for line in seen], "ms", target, limit)
