"""Acts and whole evenings of each game in line mode and by keys: what comes of them is the same, to the byte.

A session of the Veil Runners with all that can go wrong is in `tests/sessions`.
"""

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from tests.kit import EXAMPLES
from tests.kit.cli import CommandLine
from tests.kit.lines import Lines, line_of
from tests.kit.thorough import IS_AT_A_DESK, cases
from tests.sessions.playing import Evening, Keys, files, opened
from tests.ui.test_systems_by_keys import PLAYED, Did
from tests.whole.test_examples import NAMES, as_it_was, evening, held
from waylog.rules.model.facts import RollFact
from waylog.rules.systems import names
from waylog.store.files_and_lock import FILE
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import Table

EVENINGS = [name for name in NAMES if name != "first-light"]
"""The examples that have been played."""
_EVENINGS = ["lot-nine"] if IS_AT_A_DESK else EVENINGS
"""At a desk, the one that is typed with the fewest keys."""
_ACTS = 15 if IS_AT_A_DESK else None
"""How many acts of it are played, from the first on; all in CI."""
_PRESSED = {"undo": ("u", "u"), "redo": ("U", "U")}
"""What is not typed as a line in the app."""


def _typed(act: str, *faces: int) -> Did:
    """An act as it is typed behind the colon."""
    return Did(f":{line_of(act, faces)}\r", act, faces or None)


FILES = {
    "lot-nine": (
        *(
            _typed("session begin"),
            _typed("roll cut pim", 5),
            _typed("keep"),
            _typed('note "We cut"'),
            _typed("sell 1"),
        ),
        *(_typed("rest ruske"), _typed("tick vault"), _typed("session end")),
    ),
    "return-to-sender": (
        *(_typed("session begin"), _typed("roll talk bel", 4, 3), _typed('note "We talk"'), _typed("keep")),
        *(_typed("rest anso"), _typed("sleep"), _typed("tick rival"), _typed("session end")),
    ),
    "station-ten": (
        *(_typed("session begin"), _typed("roll watch irsa calm", 44), _typed("on relief"), _typed("night")),
        *(_typed('note "The ice"'), _typed("tick relief"), _typed("session end")),
    ),
}
"""What is played of each game in a file, in a copy of its example."""


@pytest.fixture(autouse=True)
def _clock_that_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app looks at the clock more often than line mode does."""
    monkeypatch.setattr(Evening, "__call__", lambda _: datetime(2026, 1, 5, 20, tzinfo=UTC))


async def say(keys: Keys, words: str) -> None:
    """A line behind the colon."""
    await keys.press("colon")
    await keys.type(words)
    await keys.press("enter")


@pytest.mark.parametrize("name", cases([*PLAYED, *FILES], 0, 5))
async def test_each_game_by_keys_and_by_lines_is_the_same_to_the_byte(name: str, tmp_path: Path) -> None:
    """The acts of each game, with their real dice."""
    for way in ("keys", "lines"):
        if name in names():
            CommandLine(tmp_path / way).done("new", name, "--system", name)
        else:
            shutil.copytree(EXAMPLES / name, tmp_path / way / name)
    async with opened(tmp_path / "keys" / name) as keys:
        before = keys.table.snapshot.entries
        for count, did in enumerate({**PLAYED, **FILES}[name], before + 1):
            if did.keys[0] == ":":
                await say(keys, did.keys[1:-1])
            else:
                await keys.press(*("enter" if key == "\r" else key for key in did.keys))
            await keys.until(partial(_has, keys.table, count), f"{did}\n{keys.seen()}")
            assert keys.table.settle()
            await keys.look()
    lines = Lines(tmp_path / "lines" / name)
    for did in {**PLAYED, **FILES}[name]:
        lines.done(line_of(did.act, did.faces or ()))
    assert files(tmp_path / "lines" / name) == files(tmp_path / "keys" / name)


@pytest.mark.parametrize("name", _EVENINGS)
async def test_a_whole_evening_by_keys_and_by_lines_is_the_same_to_the_byte(name: str, tmp_path: Path) -> None:
    """Each example's own evening, with the dice that fell then typed as real ones."""
    whole, (game, end) = evening(name), held(name)
    for way in ("keys", "lines"):
        shutil.copytree(EXAMPLES / name, tmp_path / way / name, ignore=shutil.ignore_patterns("log"))
        (tmp_path / way / name / FILE).write_bytes(as_it_was(game, end, whole))
    entries = whole[:_ACTS]
    acts = [line_of(entry.words, _faces(entry)) for entry in entries]
    async with opened(tmp_path / "keys" / name) as keys:
        for count, act in enumerate(acts, 1):
            await (keys.press(*_PRESSED[act]) if act in _PRESSED else say(keys, act))
            await keys.until(partial(_has, keys.table, count), f"{act}\n{keys.seen()}")
            assert keys.table.settle()
            await keys.look()
    lines = Lines(tmp_path / "lines" / name)
    for act in acts:
        lines.done(act)
    assert files(tmp_path / "lines" / name) == files(tmp_path / "keys" / name)
    for number, entry in enumerate(entries, 1):
        assert lines.table.entry(number).words == entry.words


def _faces(entry: LogEntry) -> Sequence[int]:
    """The dice of an entry, typed or rolled by Waylog."""
    return entry.faces or [die.face for fact in entry.facts if isinstance(fact, RollFact) for die in fact.dice]


def _has(table: Table, count: int) -> bool:
    """So many entries are in the log."""
    return table.snapshot.entries >= count
