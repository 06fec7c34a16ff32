"""Acts are found in the whole log, newest first, and no entry is read that can't match."""

import shutil
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from mmap import mmap
from pathlib import Path

import pytest

from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN
from tests.kit.table import Falling, play, table_at, ticking, written
from tests.kit.thorough import cases
from tests.whole.test_played_with_0_1 import PLAYED, PLAYED_BY_NAME, open_copy
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry, encode_entry
from waylog.store.log.grouped_acts_and_texts import LoggedActs
from waylog.store.log.log_and_torn_entries import TITLE, Log
from waylog.store.log.search_and_filters import ActKind, LogQuery, LogSearch, LogText, matches, people, split_terms
from waylog.store.log.undo_and_scenes import scenes_named
from waylog.store.log.verification import map_log_file
from waylog.table import Table

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


@PLAYED_BY_NAME
def test_what_is_found_is_what_matches(played: Path, tmp_path: Path) -> None:
    """The same as if every act had been looked at: for words, people, outcomes, kinds, sessions and scenes, alone and together."""
    table = open_copy(played, tmp_path / played.name)
    search, acts = table.log_search(), LoggedActs(table.entry, table.snapshot.entries)
    scenes = [*search.scenes()]
    first, last = (table.entry(number).at.replace(tzinfo=None) for number in (1, table.snapshot.entries))
    times = [
        first - timedelta(days=400_000),
        first + (last - first) / 3,
        last - (last - first) / 3,
        last + timedelta(days=1),
    ]
    queries = [
        *(LogQuery(split_terms(words)) for words in ("rolls", "fiasco", "the", "now 4", "xyzzy", "success focus")),
        *(LogQuery(person=person) for person in people(table.snapshot.panels, table.snapshot.players)),
        *(LogQuery(outcome=outcome) for outcome in ("fiasco", "success", "won")),
        *(LogQuery(kind=kind) for kind in ActKind),
        *(LogQuery(session=session) for session in range(4)),
        *(LogQuery(since=time) for time in times),
        *(LogQuery(until=time) for time in times),
        LogQuery(since=times[1], until=times[2]),
        *(LogQuery(scenes=scenes_named(title, scenes)) for title in ("", "the")),
        *(
            LogQuery(person=person, kind=ActKind.ROLL, outcome="success")
            for person in people(table.snapshot.panels, table.snapshot.players)
        ),
    ]
    for query in cases(queries, PLAYED.index(played), 6):
        expected = [act.first.number for act in acts.newest_first() if matches(query, act)]
        assert [*search.find(query)] == expected, query


def test_an_answer_is_shown_with_what_asked(tmp_path: Path) -> None:
    """What was done meanwhile takes it over, for undo; but it is none of its doing. So the tray, the log and undo of a chosen act have it
    with its roll, and where its roll is undone, it holds no longer.
    """
    table = Table(shutil.copytree(EXAMPLES / "tenacity", tmp_path / "tenacity"), now=ticking(), chance=Falling())
    for words in (
        "damage odile",
        "close convoy",
        "keep 2",
        "roll nav 6 4",
        "close voice",
        "on open-to-the-veil",
        "shunt 2 2 2",
    ):
        table.play(table.understand(words))
    acts = LoggedActs(table.entry, table.snapshot.entries)
    shown = [[entry.words for entry in act.entries] for act in acts.newest_first()][:4]
    roll = ["roll nav", "on open-to-the-veil", "shunt 2 2 2"]
    assert shown[::-1] == [["damage odile", "keep"], ["close convoy"], roll, ["close voice"]]
    assert [acts.first_of(number) for number in range(49, 56)] == [49, 50, 49, 52, 53, 52, 52]
    assert [entry.words for entry in table.snapshot.act] == roll
    assert [entry.words for entry in table.undo_plan(52).act] == roll
    assert [entry.words for entry in table.undo_plan(53).act] == ["close voice"]
    table.undo()
    acts = LoggedActs(table.entry, table.snapshot.entries)
    assert [(act.entries[0].words, bool(act.undone)) for act in acts.newest_first()][:2] == [
        ("close voice", True),
        ("roll nav", False),
    ]


def test_each_answered_roll_is_one_act(tmp_path: Path) -> None:
    """Also while an earlier roll still offers something; only what another act left open is answered for itself."""
    table = table_at(written(tmp_path, CAMPAIGN), 5, 4, 5, 4, 5, 4)
    play(table, "roll nav", "keep", "roll hul", "keep", "roll cpu", "clock Fog 6 death", "keep")
    acts = LoggedActs(table.entry, table.snapshot.entries)
    listed = [[entry.words for entry in act.entries] for act in acts.newest_first()][::-1]
    assert listed == [["roll nav", "keep"], ["roll hul", "keep"], ["roll cpu", "keep"], ['clock death "Fog"']]


def test_a_clock_is_filled_by_the_latest_of_rolls_that_came_out_alike(tmp_path: Path) -> None:
    """In the log and for undo, also where the roll before it offered the same."""
    table = table_at(written(tmp_path, CAMPAIGN), 6, 2, 6, 1)
    play(table, "clock Fog 6 push", "roll nav", "roll hul", "on fog")
    acts = LoggedActs(table.entry, table.snapshot.entries)
    assert [[entry.words for entry in act.entries] for act in acts.newest_first()][:2] == [
        ["roll hul", "on fog"],
        ["roll nav"],
    ]
    assert [entry.words for entry in table.snapshot.undo] == ["roll hul", "on fog"]


@pytest.mark.parametrize("answer", ["keep", "focus 5"])
def test_an_effect_is_shown_with_what_made_it_ready(tmp_path: Path, answer: str) -> None:
    """A clock that is filled while a roll asks something takes over the answer, for undo: its effect isn't shown under that."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "death"\nsegments = 4\nfilled = 3\nwhen_full = "clock Storm death"\n'
    table = table_at(written(tmp_path, CAMPAIGN + clock), 5, 4)
    play(table, "roll nav", "tick fog", "note meanwhile", answer, "effect fog", "note over")
    acts = LoggedActs(table.entry, table.snapshot.entries)
    listed = [[entry.words for entry in act.entries] for act in acts.newest_first()][::-1]
    assert listed == [["roll nav", answer], ["tick fog", "effect fog"], ['note "meanwhile"'], ['note "over"']]
    assert acts.root_of(5) == 2


def test_a_step_that_was_undone_alone_is_left_out(tmp_path: Path) -> None:
    """Another answer may stand in its place. If the whole act is undone, it is shown as it was."""
    table = table_at(written(tmp_path, CAMPAIGN), 5, 4)
    play(table, "roll nav 5 4", "keep")
    table.undo(last_step=True)
    play(table, "focus 5")
    acts = LoggedActs(table.entry, table.snapshot.entries)
    (act,) = acts.newest_first()
    assert [entry.words for entry in act.entries] == ["roll nav", "focus 5"]
    table.undo()
    (act,) = LoggedActs(table.entry, table.snapshot.entries).newest_first()
    assert act.undone
    assert [entry.words for entry in act.entries][-1] == "focus 5"


def test_undos_are_found_as_by_reading_all(tmp_path: Path) -> None:
    """Which entries undo others is known without reading the rest."""
    table = open_copy(PLAYED[-1], tmp_path / "played")
    count = table.snapshot.entries
    fast, slow = LoggedActs(table.entry, count, table.find_undos), LoggedActs(table.entry, count)
    assert [fast.act(number) for number in range(1, count + 1)] == [slow.act(number) for number in range(1, count + 1)]
    assert table.find_undos(1, count + 1) == [number for number in range(1, count + 1) if table.entry(number).undoes]


@pytest.mark.parametrize("folder", PLAYED, ids=lambda path: path.name)
def test_scenes_are_found_as_by_reading_all(folder: Path, tmp_path: Path) -> None:
    """From every entry, before and after it."""
    table = open_copy(folder, tmp_path / "played")
    count = table.snapshot.entries
    starts = [n for n in range(1, count + 1) if table.entry(n).kind in (EntryKind.SCENE, EntryKind.SESSION_BEGINS)]
    assert starts
    for number in cases(range(1, count + 1), PLAYED.index(folder), 3):
        assert table.step_scene(number, -1) == max((n for n in starts if n < number), default=None)
        after = min((n for n in starts if n > number), default=count)
        assert table.step_scene(number, 1) == (after if number < count else None)


def test_only_what_may_match_is_read(tmp_path: Path) -> None:
    """The first match of a rare word costs the reading of a few entries, wherever it is."""
    table = open_copy(PLAYED[-1], tmp_path / "played")
    count, read = table.snapshot.entries, set[int]()

    def entry(number: int) -> LogEntry:
        read.add(number)
        return table.entry(number)

    rare = next(one for one in range(1, count) if table.entry(one).faces and not table.entry(one).undoes)
    faces = LogQuery(session=table.entry(rare).session, kind=ActKind.ROLL)
    search = LogSearch(
        LogText(lambda: sorted((tmp_path / "played" / "log").glob("*.toml"))),
        LoggedActs(entry, count, table.find_undos),
    )
    assert next(search.find(faces))
    assert len(read) < count / 4


def test_of_several_words_the_rarest_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that every note has costs nothing beside one that few have; without that, the file is opened once for many notes."""
    notes = [f"Something happened at {number}" + (" to a zebra" if number == 150 else "") for number in range(1, 1001)]
    blocks = [
        encode_entry(LogEntry(number, NOON, "note", (NoteFact(text),), root=number, kind=EntryKind.NOTE))
        for number, text in enumerate(notes, 1)
    ]
    (tmp_path / "0001.toml").write_bytes(b"\n".join([TITLE.encode(), *blocks]))
    log, read, opened = Log(tmp_path), set[int](), list[Path]()
    log.follow()

    def entry(number: int) -> LogEntry:
        read.add(number)
        return log.entry(number)

    def map_counted(path: Path, size: int = 0) -> AbstractContextManager[mmap | bytes]:
        opened.append(path)
        return map_log_file(path, size)

    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.map_log_file", map_counted)
    search = LogSearch(LogText(log.files), LoggedActs(entry, 1000, log.find_undos))
    assert [*search.find(LogQuery(split_terms("happened zebra")))] == [150]
    assert len(read) < 10
    found = [*search.find(LogQuery(split_terms("happened")))]
    assert found == [*range(1000, 0, -1)]
    assert len(opened) < 100


def test_a_log_that_grows_is_searched_to_its_end(tmp_path: Path) -> None:
    """What was appended after the text was folded is found too."""
    file = tmp_path / "0001.toml"
    file.write_bytes(b"[[entry]]\nnumber = 1\n")
    text = LogText(lambda: [file])
    assert [*filter(None, text.numbers((b"number",)))] == [1]
    file.write_bytes(b'[[entry]]\nnumber = 1\n\n[[entry]]\nnumber = 2\r\nact = "\xc3\x89cho"\n')
    assert [*filter(None, text.numbers(()))] == [2, 1]
    assert [*filter(None, text.numbers((b"echo",)))] == [2]
    assert [*filter(None, text.numbers((), before=2))] == [1]
    file.write_bytes(b"")
    assert not [*filter(None, text.numbers(()))]


def test_files_are_folded_newest_first(tmp_path: Path) -> None:
    """One at a time, so that it may be stopped; a search can stop after each, too."""
    files = [tmp_path / f"{number:04}.toml" for number in (1, 2)]
    for number, file in enumerate(files, 1):
        file.write_text(f"[[entry]]\nnumber = {number}\n")
    text = LogText(lambda: files)
    assert [text.fold_next(), text.fold_next(), text.fold_next()] == [True, True, False]
    assert [*text.numbers((b"number",))] == [2, 0, 1, 0]
    assert text.count_newest((b"number",)) == 1
