"""Campaigns that Waylog 0.1.0 played on for 200 actions each still open, undo and recap as they did then.

Each folder of `played_with_0_1/` is one of the examples after 200 random actions in 0.1.0. Its `expected.json` says what 0.1.0
made of it: how many entries the log has, what undoing each of twelve entries changes, and what every recap counts. The wording of
logs and recaps may change; what they are about may not.
"""

import json
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.thorough import cases
from waylog.rules.codec.changes import Change
from waylog.rules.model.clocks_situations_and_timers import Clock
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import ClockStep, Fact, NoteFact, NotePart, RollFact
from waylog.rules.model.moves import ActRefused
from waylog.store.log.entries_and_version_0_1 import decode_entry, fact_tree
from waylog.store.players import players_file
from waylog.table import Table
from waylog.toml.document import format_value

PLAYED = sorted(path for path in (Path(__file__).parent / "played_with_0_1").iterdir() if path.is_dir())
PLAYED_BY_NAME = pytest.mark.parametrize("played", PLAYED, ids=lambda path: path.name)


def open_copy(played: Path, folder: Path) -> Table:
    """A table on a copy of that campaign."""
    shutil.copytree(played, folder)
    return Table(folder, now=lambda: datetime(2026, 11, 2, 19, tzinfo=UTC), chance=ChanceDice(Random(0).randrange))


def load_expected(played: Path) -> Any:
    """What 0.1.0 made of it."""
    return json.loads((played / "expected.json").read_text(encoding="utf-8"))


@PLAYED_BY_NAME
def test_opens_with_every_entry_and_changes_nothing(played: Path, tmp_path: Path) -> None:
    """Every entry can be read, nothing is pending, and the file keeps its bytes until somebody acts."""
    table = open_copy(played, tmp_path / "copy")
    assert table.snapshot.entries == load_expected(played)["entries"]
    assert [table.entry(number).number for number in range(1, table.snapshot.entries + 1)]
    assert not table.snapshot.broken
    table.refresh()
    table.settle()
    assert (tmp_path / "copy" / "campaign.toml").read_bytes() == (played / "campaign.toml").read_bytes()


@PLAYED_BY_NAME
def test_undoes_old_entries_as_it_did(played: Path, tmp_path: Path) -> None:
    """Undoing an entry of any age changes the same values to the same values, and takes back counts that changed again since."""
    for count, undone in enumerate(cases(load_expected(played)["undone"], 0, 6)):
        table = open_copy(played, tmp_path / str(count))
        if undone.get("refused"):
            with pytest.raises(ActRefused):
                table.undo(undone["undo"])
        else:
            entry = table.undo(undone["undo"])
            changes = [[list(change.path), change.after] for change in entry.changes]
            assert [change for change in changes if change in undone["changes"]] == undone["changes"]
            assert all(type(change[1]) is int for change in changes if change not in undone["changes"])
            assert table.settle()


@PLAYED_BY_NAME
@pytest.mark.parametrize("reader", ["players", "wayfinder"])
def test_recaps_count_what_they_did(played: Path, reader: str, tmp_path: Path) -> None:
    """All recaps together have the same scenes, clocks and outcomes, but for clocks that were set lower by hand: 0.1 told that they filled
    anyway. Each session has at least its own: 0.1 told what was played on the evening before it began as played between sessions.
    """
    table = open_copy(played, tmp_path / "copy")
    lowered = {
        table.snapshot.clocks[change.path[1]].name
        for entry in map(table.entry, range(1, table.snapshot.entries + 1))
        for change in entry.changes
        if entry.kind.is_wayfinders and not entry.is_undo and _is_lower(change, table.snapshot.clocks)
    }
    told, as_before = Counter[object](), Counter[object]()
    for session, recaps in load_expected(played)["sessions"].items():
        recap, expected = table.recap(int(session), secrets=reader == "wayfinder"), recaps[reader]
        titles = [scene.title for scene in recap.scenes if scene.title]
        # 0.1 told no closing.
        turned = Counter((one.clock.name, one.full) for one in recap.clocks if not one.was_closed)
        outcomes = Counter(
            {(who, of.label): count for who, counts in recap.outcomes.items() for of, count in counts.items()}
        )
        titles_before = [title for title in expected["scenes"] if title]
        turned_before = Counter((name, full) for name, full in expected["clocks"])
        outcomes_before = Counter(
            {(who, label): count for who, counts in expected["outcomes"].items() for label, count in counts.items()}
        )
        if int(session):
            assert titles[len(titles) - len(titles_before) :] == titles_before
            assert {name for name, _ in turned_before - turned} <= lowered
            assert outcomes_before <= outcomes
        for sums, parts in (
            (told, (Counter(titles), turned, outcomes)),
            (as_before, (Counter(titles_before), turned_before, outcomes_before)),
        ):
            for part in parts:
                sums.update(part)
    differ = (told - as_before) + (as_before - told)
    assert {one[0] if isinstance(one, tuple) else one for one in differ} <= lowered


def _is_lower(change: Change, clocks: Mapping[str, Clock]) -> bool:
    """Whether the change leaves a clock that there still is less than full."""
    match change.path, change.after:
        case ("clocks", key, "filled"), int(after) if key in clocks:
            return after < clocks[key].segments
        case _:
            return False


def _as_in_0_1(fact: Fact) -> Fact:
    match fact:
        case NoteFact():
            return replace(fact, quote=None, part=NotePart.RESULT, step=ClockStep())
        case RollFact():
            return replace(fact, deed="")
        case _:
            return fact


@PLAYED_BY_NAME
def test_facts_are_written_byte_for_byte_as_0_1_wrote_them(played: Path) -> None:
    """Every fact of every entry. A scene's title is quoted now, and what was done is marked, which 0.1 did not do."""
    count = 0
    for path in sorted((played / "log").iterdir()):
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            if "[[entry]]" in block:
                facts = decode_entry(block[block.index("[[entry]]") :].encode(), path.name).facts
                facts = tuple(map(_as_in_0_1, facts))
                lines = [line for line in block.splitlines() if line.startswith("  { kind = ")]
                assert [f"  {format_value(fact_tree(fact))}," for fact in facts] == lines
                count += len(facts)
    assert count > 100


@PLAYED_BY_NAME
def test_what_players_see_is_written_again(played: Path, tmp_path: Path) -> None:
    """Its format has changed, and nothing but `waylog watch` reads it: it is replaced as soon as the campaign is open."""
    path = shutil.copytree(played, tmp_path / "copy") / players_file.FILE
    with pytest.raises(players_file.UnreadablePlayersFile, match="another version of Waylog"):
        players_file.decode_projection(path.read_bytes())
    shutil.rmtree(tmp_path / "copy")
    table = open_copy(played, tmp_path / "copy")
    table.settle()
    assert players_file.decode_projection(path.read_bytes()) == table.projection()
