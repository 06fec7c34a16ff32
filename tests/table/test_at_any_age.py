"""The table over time: edits made while it was closed, conflicts, undo of old acts, earlier versions, looking on."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from tests.kit.table import CAMPAIGN, Falling, play_and_settle, saved, table_at, text_of, written
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.panels import PipsRow
from waylog.rules.model.state import EntryKind
from waylog.table import Table
from waylog.toml.document import UnreadableFile

HULL = ("boat", "hull")

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The Swallow's folder."""
    return written(tmp_path / "swallow")


def hull(table: Table) -> int:
    """How whole the boat is."""
    row = table.snapshot.panels[0].rows[0]
    assert isinstance(row, PipsRow)
    return row.value


def words(table: Table) -> list[str]:
    """What holds, oldest first."""
    return [entry.words for entry in table.latest()][::-1]


def test_things_come_back_in_the_order_in_which_they_stood(folder: Path) -> None:
    """Two clocks that one edit removed are there again, the first of them first."""
    table = table_at(folder)
    play_and_settle(table, "clock Fog 4 death", "clock Rust 4 death")
    whole = text_of(folder)
    (folder / "campaign.toml").write_text(whole[: whole.index("[clocks.fog]")])
    table.refresh()
    assert [*table.snapshot.clocks] == ["storm"]
    table.undo()
    assert table.settle()
    assert [*table.snapshot.clocks] == ["storm", "fog", "rust"]
    assert [*table_at(folder).snapshot.clocks] == ["storm", "fog", "rust"]


def test_an_edit_made_while_nobody_looked_is_logged(folder: Path) -> None:
    """It is an act like any other, and can be taken back."""
    play_and_settle(table_at(folder), "tick storm")
    saved(folder, "0x3", "1")
    table = table_at(folder)
    assert hull(table) == 1
    assert table.refresh()
    assert words(table) == ["tick storm", "by hand"]
    table.undo()
    assert table.settle()
    assert "hull = 0x3 " in text_of(folder)


def test_an_edit_made_while_closed_is_logged_though_the_file_was_never_written(folder: Path) -> None:
    """An act is in the log before the file is brought up; a window may end in between, and a person edit the file then."""
    table = table_at(folder)
    table.play(table.understand("tick storm"))
    assert table.versions() == ["0001-000000"]
    saved(folder, "0x3", "1")
    table = table_at(folder)
    assert table.refresh()
    assert words(table) == ["tick storm", "by hand"]
    table.undo()
    assert table.settle()
    assert "hull = 0x3 " in text_of(folder)
    assert "filled = 1" in text_of(folder)


def test_looking_on_is_no_beginning(folder: Path) -> None:
    """What a person writes before the first act is how the campaign begins, however often it was looked at."""
    table_at(folder).refresh()
    saved(folder, "0x3", "1")
    table = table_at(folder)
    play_and_settle(table, "tick storm")
    assert words(table) == ["tick storm"]


def test_a_linked_file_has_its_versions_in_the_campaign(folder: Path, tmp_path: Path) -> None:
    """Where the link leads, others' files may lie. An edit made while closed is noticed there too."""
    elsewhere = tmp_path / "elsewhere" / "synced.toml"
    elsewhere.parent.mkdir()
    (folder / "campaign.toml").rename(elsewhere)
    (folder / "campaign.toml").symlink_to(elsewhere)
    play_and_settle(table_at(folder), "tick storm")
    elsewhere.write_text(elsewhere.read_text().replace("0x3", "1"))
    table = table_at(folder)
    assert table.refresh()
    assert words(table) == ["tick storm", "by hand"]
    table.restore(table.versions()[0])
    assert [path.name for path in elsewhere.parent.iterdir()] == ["synced.toml"]
    assert (folder / "campaign.toml").is_symlink()


def test_nothing_is_logged_when_nothing_was_edited(folder: Path) -> None:
    """Closing and opening is not an act."""
    play_and_settle(table_at(folder), "tick storm", "note calm")
    table = table_at(folder)
    assert not table.refresh()
    play_and_settle(table, "note calmer")
    assert words(table) == ["tick storm", 'note "calm"', 'note "calmer"']


def test_an_edit_made_while_closed_is_logged_once_by_two_windows(folder: Path) -> None:
    """Whoever takes its turn first logs it, and the other follows."""
    play_and_settle(table_at(folder), "tick storm")
    saved(folder, "0x3", "1")
    one, other = table_at(folder), table_at(folder)
    one.refresh()
    other.refresh()
    assert words(other) == words(one) == ["tick storm", "by hand"]


def conflict(folder: Path) -> Table:
    """A table where play has made the hull 2 and a person, who had not seen that, saved 1 over it."""
    table = table_at(folder)
    old = text_of(folder)
    play_and_settle(table, "note before", "set boat.hull 2")
    (folder / "campaign.toml").write_text(old.replace("0x3", "1"))
    table.refresh()
    return table


def test_a_conflict_takes_the_file_and_says_so(folder: Path) -> None:
    """Both values, and which entry took the one."""
    table = conflict(folder)
    assert hull(table) == 1
    (found,) = table.snapshot.conflicts
    assert (found.path, found.file, found.played, found.entry.kind) == (HULL, 1, 2, EntryKind.AGAINST_PLAY)
    assert table_at(folder).snapshot.conflicts == (found,)


def test_a_conflict_can_be_settled_for_play(folder: Path) -> None:
    """The played value comes back, in the file too."""
    table = conflict(folder)
    table.keep_game_value(table.snapshot.conflicts[0])
    assert hull(table) == 2
    assert table.snapshot.conflicts == ()
    assert table.settle()
    assert "hull = 2 " in text_of(folder)


def test_a_conflict_can_be_settled_for_the_file(folder: Path) -> None:
    """It is not shown again, here or elsewhere; undo brings it back."""
    table = conflict(folder)
    table.keep_edit(table.snapshot.conflicts[0])
    assert hull(table) == 1
    assert table.snapshot.conflicts == table_at(folder).snapshot.conflicts == ()
    table.undo()
    assert len(table.snapshot.conflicts) == 1


def test_what_only_one_side_changed_is_no_conflict(folder: Path) -> None:
    """An old copy saved over the file brings its edit and loses nothing that was played."""
    table = table_at(folder)
    old = text_of(folder)
    play_and_settle(table, "set boat.hull 2", "tick storm")
    (folder / "campaign.toml").write_text(old.replace("luck = +0", "luck = 2"))
    table.refresh()
    assert table.snapshot.conflicts == ()
    assert table.settle()
    text = text_of(folder)
    assert "hull = 2 " in text
    assert "luck = 2" in text
    assert "filled = 1" in text


def test_an_old_act_is_taken_back_alone(folder: Path) -> None:
    """What came after it stays as it is."""
    table = table_at(folder)
    first = play_and_settle(table, "set boat.luck 2")
    play_and_settle(table, "tick storm", "note later")
    assert table.undo_plan(first).later == ()
    table.undo(first)
    assert table.settle()
    assert "luck = +0" in text_of(folder)
    assert "filled = 1" in text_of(folder)
    assert words(table)[-1] == f"undo {first}"
    table.redo()
    assert table.settle()
    assert "luck = 2" in text_of(folder)


def test_what_rests_on_an_old_act_is_named(folder: Path) -> None:
    """Alone, values that were changed since stay; with what rests on it, all of it goes."""
    table = table_at(folder)
    first = play_and_settle(table, "set boat.luck 2")
    second = play_and_settle(table, "tick storm", "set boat.luck 1")
    assert [entry.number for entry in table.undo_plan(first).later] == [second]
    entry = table.undo(first)
    assert "Not undone, because it has changed since: Boat: luck" in [getattr(fact, "text", "") for fact in entry.facts]
    table.undo()
    with pytest.raises(ActRefused, match="has already been undone"):
        table.undo_plan(second)
    table.redo()
    table.redo()
    table.undo(first, with_later=True)
    assert table.settle()
    assert "luck = +0" in text_of(folder)
    assert "filled = 1" in text_of(folder)


def test_counts_go_back_by_as_much_as_the_act_changed_them(folder: Path) -> None:
    """Whatever changed them since, so that one act is never taken back by half; as long as the count can be that much."""
    table = table_at(folder)
    first = play_and_settle(table, "tick storm 2")
    play_and_settle(table, "tick storm", "damage boat", "damage boat")
    table.undo(first)
    assert table.snapshot.clocks["storm"].filled == 1
    table.undo(first + 2)
    assert table.settle()
    assert "hull = 2" in text_of(folder)
    table.redo()
    table.redo()
    assert table.settle()
    assert (table.snapshot.clocks["storm"].filled, "hull = 1" in text_of(folder)) == (3, True)
    low = play_and_settle(table, "tick storm")
    play_and_settle(table, "tick storm -4")
    kept = table.undo(low)
    assert table.snapshot.clocks["storm"].filled == 0
    assert [fact for fact in kept.facts if "has changed since" in getattr(fact, "text", "")]


def test_what_can_not_be_read_is_not_taken_back(folder: Path) -> None:
    """Somebody has broken an entry in the log: it is named; what was undone by it can be put back all the same."""
    table = table_at(folder)
    play_and_settle(table, "set boat.hull 2", "note broken", "note x")
    table.undo(1)
    log = folder / "log" / "0001.toml"
    for old in ('"note \\"broken\\""', '"set \\"boat.hull 2\\""'):
        assert log.read_text().count(f"act = {old}") == 1
        log.write_text(log.read_text().replace(f"act = {old}", "act = broken"))
    table = table_at(folder)
    with pytest.raises(ActRefused, match="entry 2 can't be read"):
        table.undo_plan(2)
    with pytest.raises(KeyError):
        table.undo_plan(5)
    table.redo()
    assert hull(table) == 2


def test_versions_that_can_not_be_listed_are_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that shows them once and not again is no reason to break down in the middle of it."""
    table = table_at(folder)
    play_and_settle(table, "set boat.hull 2", "set boat.hull 1")
    shown = [[], [Path("0001-000000.toml")]]
    monkeypatch.setattr("waylog.store.file.history.FileHistory.all_versions", lambda _: shown.pop() if shown else [])
    with pytest.raises(UnreadableFile, match="there is no such file"):
        table.restore("0001-000000")


def test_why_a_value_is_what_it_is(folder: Path) -> None:
    """The entries that made it so, newest first; what was taken back is not among them."""
    table = table_at(folder)
    numbers = [
        play_and_settle(table, line) for line in ("set boat.hull 2", "tick storm", "set boat.hull 1", "set boat.hull 0")
    ]
    table.undo()
    assert [entry.number for entry in table.why(HULL)] == [numbers[2], numbers[0]]
    assert [entry.number for entry in table.why(("clocks", "storm", "filled"))] == [numbers[1]]
    assert [entry.number for entry in table.why(("boat",))] == [numbers[2], numbers[0]]
    assert table.why(("boat", "luck")) == []


def test_an_earlier_version_comes_back_whole(folder: Path) -> None:
    """Values and comments, as an act that can be taken back."""
    table = table_at(folder)
    play_and_settle(table, "set boat.hull 2")
    saved(folder, "  # she leaks", "")
    play_and_settle(table, "set boat.hull 1")
    (oldest, *_) = table.versions()
    table.restore(oldest)
    assert text_of(folder).replace("0001:3", "0001:0") == CAMPAIGN
    assert hull(table) == 3
    table.undo()
    assert hull(table) == 1
    assert table.settle()
    assert hull(table_at(folder)) == 1


def test_a_version_that_is_not_there_is_refused(folder: Path) -> None:
    """An unknown version is refused, with the names of the versions that there are."""
    with pytest.raises(ActRefused, match=r"there is no version “0001-000009”. Versions: none"):
        table_at(folder).restore("0001-000009")


def test_who_only_looks_on_sees_everything_and_changes_nothing(folder: Path) -> None:
    """Acts and edits of others show; nothing is written, not even a lock."""
    playing = table_at(folder)
    looking = Table(folder, now=playing._now, chance=playing._chance, read_only=True)
    with pytest.raises(ActRefused, match="read-only"):
        looking.play(looking.understand("note me too"))
    assert not (folder / ".lock").exists()
    play_and_settle(playing, "set boat.hull 2")
    saved(folder, "hull = 2 ", "hull = 1 ")
    before = sorted((path, path.read_bytes()) for path in folder.rglob("*") if path.is_file())
    assert looking.refresh()
    assert hull(looking) == 1
    looking.settle()
    assert sorted((path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()) == before


def test_an_act_that_was_put_back_is_taken_back_as_a_whole(folder: Path) -> None:
    """Taken back, put back and picked in the log: nothing rests on it, and what was open before it is open again."""
    table = table_at(folder, 1, 1)
    play_and_settle(table, "set boat.hull 2")
    before = table._state
    number = table.play(table.understand("row boat wild")).number
    table.undo()
    table.redo()
    assert table.undo_plan(number).later == ()
    table.undo(number)
    assert table._state == before
    assert table.settle()
    assert table_at(folder)._state == before


@pytest.mark.parametrize("seconds", [3208, -1, 0, 3600])
def test_any_offset_of_a_clock_is_kept_in_the_log(folder: Path, seconds: int) -> None:
    """The log keeps any offset from UTC, also one that TOML can't write: places had such before there were zones."""
    zone = timezone(timedelta(seconds=seconds))
    at = datetime(2026, 1, 5, 20, tzinfo=zone)
    table = Table(folder, now=lambda: at, chance=Falling())
    entry = table.play(table.understand("note hello"))
    again = table_at(folder)
    assert again.entry(entry.number).at == at
    again.play(again.understand("note again"))
    assert "cut short" not in (again.take_recovery_text() or "")
