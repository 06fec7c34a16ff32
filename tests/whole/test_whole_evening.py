"""One evening from its first key to its last, in a real terminal, and what the command line tells of it afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.kit.terminal import Terminal
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log


@dataclass(frozen=True)
class Step:
    """One act: what is pressed, what stands in the log for it, and what the recap tells the players."""

    pressed: str
    words: str
    told: str = ""
    hidden: str = ""
    """What the wayfinder's recap tells, and the players' does not."""


EVENING = (
    Step("s\r", "session begin ana ben"),
    Step(":session present Ana and Bo\r", 'session present "Ana and Bo"', "Present: Ana and Bo"),
    Step("mThe long way down\r", 'scene "The long way down"', "## The long way down"),
    Step("rn k 355\r", "roll nav keelwing", "- Tenacity rolls NAV with KEELWING: **Success**"),
    Step("f5\r", "focus 5"),
    Step("Tca 23\r", "table calloway", "“Inside the Lantern”, 23: A radio, off"),
    Step("cFog 6 death\r", 'clock death "Fog"'),
    Step("nThe fog comes in\r", 'note "The fog comes in"', "> The fog comes in"),
    Step("NIt counts\r", 'secret "It counts"', hidden="> It counts *(secret)*"),
    Step(":draw keeper 3\r", "draw keeper", hidden="The ledger. Eleven, eleven, eleven, twelve (bad) *(secret)*"),
    Step("E", "effect ledger", hidden="“What learned to count” +1, now 5/6 *(secret)*"),
    Step(":time passes\r", "time passes", "", "“What learned to count” is full"),
    Step(
        "rb s open 2244\r",
        "roll bram secondary open-to-the-veil",
        "- Bram rolls with the good spanner: **Success with drawback**",
    ),
    Step("u\r", "undo"),
    Step("U\r", "redo", hidden="Redone: “Roll for Bram: the good spanner, Open to the Veil” *(secret)*"),
    Step("rw p 11222\r", "roll wick primary", "- Wick rolls (listening set): **Fiasco**"),
    Step("m\r", "scene", "## A new scene"),
    Step("Tw 24\r", "table knocks", hidden="A loose hawser. 4 (d6) knocks, then none *(secret)*"),
    Step(":pick knocks 1\r", "pick knocks 1", hidden="(picked): Ice *(secret)*"),
    Step(":damage ship 4\r", "damage ship", "FALL DOORS"),
    Step(":use sealfoam\r", "use sealfoam", "SEALFOAM used (no uses left)"),
    Step(":draw keeper 1\r", "draw keeper", hidden="Tea, hot, two cups. One is Wick's mug"),
    Step(":shuffle keeper\r", "shuffle keeper", hidden="shuffled"),
    Step(":show deck keeper keys\r", "show deck keeper keys", "The keys. From here on they choose: draw two, keep one"),
    Step("rh 345\r", "roll hul", "- Tenacity rolls HUL: **Success with drawback**"),
    Step("k", "keep"),
    Step("rc 6\r", "roll cpu", "- Tenacity rolls CPU: **Success**"),
    Step(":close lantern\r", "close lantern"),
    Step("nWe never saw it\r", 'note "We never saw it"', "> We never saw it"),
    Step(":session title The fog counts\r", 'session title "The fog counts"'),
    Step("s\r", "session end"),
)


@pytest.fixture
def environment(tmp_path: Path, home: Path) -> dict[str, str]:
    """A person's own folder of campaigns, in which there is none yet."""
    environment = {**os.environ, "HOME": str(home), "TERM": "xterm-256color", "WAYLOG_CAMPAIGNS": str(tmp_path)}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    return environment


@pytest.fixture
def terminal(environment: dict[str, str]) -> Iterator[Terminal]:
    """The app on Tenacity, which it copies first."""
    opened = Terminal([sys.executable, "-m", "waylog", "open", "tenacity"], environment, 120, 36)
    yield opened
    opened.close()


def evening(folder: Path) -> list[LogEntry]:
    """The entries of the session that was played."""
    log = Log(folder / "log")
    log.follow()
    return [entry for entry in log.since(0) if entry.session == 8]


@pytest.mark.clause("NM-40", "NM-41", "NM-43")
def test_an_evening_by_keys_is_told_as_it_was_played(
    terminal: Terminal, tmp_path: Path, environment: dict[str, str]
) -> None:
    """Thirty acts with tables, cards and clocks; then the recap has each of them, in their order, and nothing secret."""
    folder = tmp_path / "tenacity"
    terminal.until(lambda text: "CORE" in text)
    log = Log(folder / "log")
    before = _last_number(log)
    for done, step in enumerate(EVENING, 1):
        terminal.press(step.pressed)
        # Whatever the screen shows, so many acts are on disk.
        terminal.until(lambda _, wanted=before + done: _last_number(log) >= wanted)  # type: ignore[misc]
    terminal.press("q")
    assert terminal.end() == 0
    assert [entry.words for entry in evening(folder)] == [step.words for step in EVENING]

    players, wayfinder = (_recap(environment, *secrets) for secrets in ((), ("--secrets",)))
    assert players.splitlines()[0] == "# Tenacity: session 8, The fog counts"
    _in_order([step.told for step in EVENING if step.told], players)
    for step in EVENING:
        assert not step.hidden or (step.hidden not in players and step.hidden in wayfinder), step
    assert "secret" not in players
    for row in (
        "| NAV |  |  | 1 |",
        "| Bram |  | 1 |  |",
        "| Wick | 1 |  |  |",
        "| HUL |  | 1 |  |",
        "| CPU |  |  | 1 |",
        "- **Fog** started, 0 → 1 of 6",
    ):
        assert f"\n{row}\n" in players, players


def _last_number(log: Log) -> int:
    """The number of the entry that was written last."""
    log.follow()
    assert log.last is not None
    return log.last.number


def _recap(environment: dict[str, str], *options: str) -> str:
    """What the command says."""
    command = [sys.executable, "-m", "waylog", "recap", "tenacity", *options]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def _in_order(parts: list[str], text: str) -> None:
    """Each part stands in the text behind the one before."""
    at = 0
    for part in parts:
        found = text.find(part, at)
        assert found >= 0, f"{part} is not told after that:\n{text[at:]}"
        at = found
