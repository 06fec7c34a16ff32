"""The log: appended and never rewritten, read from its end, and read on when people have touched it."""

import errno
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from waylog.rules.codec.changes import Change
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry, Mark, decode_entry, encode_entry
from waylog.store.log.log_and_torn_entries import TITLE, Log
from waylog.store.log.undo_and_scenes import scene_title
from waylog.store.log.verification import problems
from waylog.toml.document import UnreadableFile

START = datetime(2026, 1, 5, 20, tzinfo=UTC)


def entry(number: int, kind: EntryKind = EntryKind.NOTE) -> LogEntry:
    """An entry that can be told from others."""
    at, words, facts = START + timedelta(minutes=number), f"note {number}", (NoteFact("é" * 50),)
    return LogEntry(number, at, words, facts, (Change(("ship", "focus"), number, number + 1),), root=number, kind=kind)


def logged(folder: Path, *entries: int | LogEntry, session: int = 1) -> Path:
    """A file of the log with these entries; a number stands for a plain one."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{session:04}.toml"
    blocks = [encode_entry(entry(each) if isinstance(each, int) else each) for each in entries]
    path.write_bytes(f"{TITLE}\n".encode() + b"\n".join(blocks))
    return path


def opened(folder: Path) -> Log:
    """The log as the next program finds it."""
    log = Log(folder)
    log.follow()
    return log


def test_every_entry_is_found_in_logs_of_many_sessions(tmp_path: Path) -> None:
    """Entries are read by their number wherever they lie, the newest from the end of the newest file."""
    logged(tmp_path, *range(1, 301))
    logged(tmp_path, *range(301, 1201), session=2)
    log = opened(tmp_path)
    assert log.mark == Mark(1200, 2)
    assert [log.entry(number).words for number in (1200, 1, 300, 301, 640)] == [
        f"note {number}" for number in (1200, 1, 300, 301, 640)
    ]
    assert [found.number for found in log.since(1195)] == [1196, 1197, 1198, 1199, 1200]
    with pytest.raises(KeyError):
        log.entry(0)
    with pytest.raises(KeyError):
        log.entry(1201)


def test_a_year_of_sessions_is_read_file_by_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Going back through all of it looks for the files a few times for each of them, and not for every entry."""
    for session in range(1, 13):
        logged(tmp_path, *range(session * 50 - 49, session * 50 + 1), session=session)
    log, looks, files = opened(tmp_path), list[Log](), Log.files

    def counted(self: Log) -> list[Path]:
        looks.append(self)
        return files(self)

    monkeypatch.setattr(Log, "files", counted)
    assert [entry.number for entry in log.backwards()] == [*range(600, 0, -1)]
    assert len(looks) <= 3 * 12


def test_of_an_entry_in_two_files_the_later_one_counts(tmp_path: Path) -> None:
    """An entry whose file failed stands in the next file again; what was read before does not change which one is meant."""
    logged(tmp_path, *range(1, 101))
    again = replace(entry(100), words="note again")
    (tmp_path / "0002.toml").write_bytes(
        f"{TITLE}\n".encode() + b"\n".join(map(encode_entry, [again, *map(entry, range(101, 401))]))
    )
    log = opened(tmp_path)
    assert [log.entry(number).words for number in (50, 100)] == ["note 50", "note again"]


def test_the_text_is_searched_for_a_kind_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the end of the newest files is searched; what is appended later is known without another search."""
    logged(tmp_path, *range(1, 8), entry(8, EntryKind.BY_HAND))
    logged(tmp_path, 9, entry(10, EntryKind.KEEP), session=2)
    log = opened(tmp_path)
    assert log.may_hold(EntryKind.BY_HAND)
    assert log.may_hold(EntryKind.KEEP)
    assert not log.may_hold(EntryKind.RESTORE)
    monkeypatch.setattr("waylog.store.log.log_and_torn_entries._ENDING", 400)
    narrow = opened(tmp_path)
    assert narrow.may_hold(EntryKind.KEEP)
    assert not narrow.may_hold(EntryKind.BY_HAND)
    monkeypatch.setattr(Log, "files", lambda _: [])
    log.append(entry(11, EntryKind.RESTORE))
    assert log.may_hold(EntryKind.RESTORE)
    assert not log.may_hold(EntryKind.REWIND)
    assert not opened(tmp_path / "none").may_hold(EntryKind.NOTE)


def test_the_scene_of_an_earlier_moment_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the end of the log says nothing of it. A log that has none in its latest part is not read for it."""
    monkeypatch.setattr("waylog.store.log.log_and_torn_entries._ENDING", 400)
    marker = replace(entry(2, EntryKind.SCENE), facts=(NoteFact("Scene: The dock", quote="The dock"),))
    logged(tmp_path, 1, marker, *range(3, 201))
    log = opened(tmp_path)
    known = len(log._entries)
    assert (scene_title(log), len(log._entries)) == ("", known)
    log.end_at(log.entry(5))
    assert scene_title(log) == "The dock"


def test_a_log_without_files_has_no_scenes(tmp_path: Path) -> None:
    """A campaign that nobody has played yet can be asked for its earlier scenes."""
    assert Log(tmp_path / "log").find_scenes(1, 100) == []


def test_what_others_append_is_followed(tmp_path: Path) -> None:
    """Entries that another program appends are found, also when it begins a new session."""
    one = Log(tmp_path / "log")
    one.follow()
    one.append(entry(1))
    two = opened(tmp_path / "log")
    one.append(entry(2))
    assert not two.stands()
    two.follow()
    assert two.last == one.last == entry(2)
    assert two.stands()
    logged(tmp_path / "log", 3, session=2)
    assert not one.stands()
    one.follow()
    assert one.mark == Mark(3, 2)
    one.append(entry(4))
    assert opened(tmp_path / "log").last == entry(4)


@pytest.mark.parametrize("part", [1, 2], ids=["whole", "half"])
def test_an_entry_that_cannot_be_cut_off_again_counts_if_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    """Where both fsync and the cut fail, what is said of the entry is what the next reader finds."""
    logged(tmp_path, 1)
    log, write = opened(tmp_path), os.write

    def fails(*_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(
        "waylog.store.log.log_and_torn_entries.os.write", lambda file, data: write(file, data[: len(data) // part])
    )
    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.os.fsync", fails)
    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.os.ftruncate", fails)
    if part == 1:
        log.append(entry(2))
    else:
        with pytest.raises(OSError, match="No space left on device"):
            log.append(entry(2))
    monkeypatch.undo()
    written = 2 if part == 1 else 1
    assert log.last == opened(tmp_path).last
    assert log.mark.number == written
    log.follow()
    log.mend()
    log.append(entry(written + 1))
    assert [found.number for found in opened(tmp_path).since(0)] == [*range(1, written + 2)]
    assert [*problems(tmp_path, "log")] == []
    # After a failed fsync nothing more goes into that file.
    assert (tmp_path / "0002.toml").exists() == (part == 1)


def test_a_last_block_under_way_is_left_unread(tmp_path: Path) -> None:
    """A reader that comes in the middle of an append waits for the rest of it."""
    path = logged(tmp_path, 1, 2)
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    log = opened(tmp_path)
    assert log.last == entry(1)
    path.write_bytes(whole)
    log.follow()
    assert log.last == entry(2)


def test_an_unread_log_is_never_cut(tmp_path: Path) -> None:
    """Nothing that was finished is set aside, however much stands behind it."""
    path = logged(tmp_path, *range(1, 400))
    before = path.read_bytes()
    log = opened(tmp_path)
    assert log.mend() is None
    assert path.read_bytes() == before


@pytest.mark.parametrize("remark", ["# what an evening\n", "\n\n", "# no line end", "\r\n# é\r\n"])
def test_remarks_in_the_log_are_left_alone(tmp_path: Path, remark: str) -> None:
    """People may write comments between the entries and behind them; play goes on below."""
    path = logged(tmp_path, 1, 2)
    path.write_bytes(path.read_bytes().replace(b"\n\n[[entry]]\nnumber = 2", b"\n\n# why?\n\n[[entry]]\nnumber = 2"))
    with path.open("ab") as file:
        file.write(remark.encode())
    log = opened(tmp_path)
    assert log.mend() is None
    log.append(entry(3))
    again = opened(tmp_path)
    assert [again.entry(number) for number in (1, 2, 3)] == [entry(1), entry(2), entry(3)]
    assert remark.encode() in path.read_bytes()


def test_an_entry_that_people_changed_counts_as_it_stands(tmp_path: Path) -> None:
    """A typo mended in the log loses nothing behind it, and the check says that somebody was there."""
    path = logged(tmp_path, *range(1, 6))
    path.write_bytes(path.read_bytes().replace(b'"note 3"', b'"note three"').replace(b'"note 5"', b'"note five"'))
    log = opened(tmp_path)
    assert log.mend() is None
    assert [log.entry(number).words for number in (3, 4, 5)] == ["note three", "note 4", "note five"]
    assert [problem.line for problem in problems(tmp_path, "log")] == [29, 55]


def test_an_entry_that_people_broke_is_passed_over(tmp_path: Path) -> None:
    """A block that can't be read is missing; those before and behind it are not, and the check says where it is."""
    path = logged(tmp_path, *range(1, 6))
    path.write_bytes(path.read_bytes().replace(b'"note 3"', b'"note 3'))
    log = opened(tmp_path)
    assert log.mend() is None
    assert [found.number for found in log.since(0)] == [1, 2, 4, 5]
    with pytest.raises(KeyError):
        log.entry(3)
    (problem,) = problems(tmp_path, "log")
    assert str(problem).startswith("log/0001.toml:32:14: a log entry can't be read")


def test_a_log_with_other_line_ends_is_read(tmp_path: Path) -> None:
    """An editor that turns all line ends round doesn't take the log away."""
    path = logged(tmp_path, *range(1, 6))
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    log = opened(tmp_path)
    assert log.mend() is None
    assert [log.entry(number) for number in (1, 5)] == [entry(1), entry(5)]
    log.append(entry(6))
    assert opened(tmp_path).since(0) == [entry(number) for number in range(1, 7)]


def test_a_log_rewritten_while_it_is_open_is_read_again(tmp_path: Path) -> None:
    """When an editor saves the log under a running program, what stands there counts and nothing is cut."""
    path = logged(tmp_path, 1, 2, 3)
    log = opened(tmp_path)
    path.write_bytes(path.read_bytes().replace(b'"note 1"', b'"note one, and more"'))
    after = path.read_bytes()
    log.follow()
    assert log.mend() is None
    assert path.read_bytes() == after
    assert log.entry(1).words == "note one, and more"
    path.write_bytes(path.read_bytes()[: after.index(b"[[entry]]\nnumber = 3") - 1])
    log.follow()
    assert log.last == entry(2)


def test_numbers_left_out_are_missing_and_no_others(tmp_path: Path) -> None:
    """A log that begins late or has a gap gives each entry under its own number."""
    logged(tmp_path, 5, 6, 9, 10)
    log = opened(tmp_path)
    assert [found.number for found in log.since(0)] == [5, 6, 9, 10]
    for number in (1, 7, 8):
        with pytest.raises(KeyError):
            log.entry(number)
    fresh = Log(tmp_path)
    fresh.follow()
    assert fresh.entry(5) == entry(5)


def test_a_far_number_costs_nothing(tmp_path: Path) -> None:
    """A slip of somebody's hand may leave a gap that is wider than one could count through."""
    with logged(tmp_path, 1, 2).open("ab") as file:
        file.write(b"\n" + encode_entry(replace(entry(3), number=10**8, root=10**8)))
    log = opened(tmp_path)
    assert [found.number for found in log.since(0)] == [1, 2, 10**8]
    assert [found.number for found in log.backwards()] == [10**8, 2, 1]
    assert log.may_hold(EntryKind.NOTE)
    assert not log.may_hold(EntryKind.KEEP)


@pytest.mark.parametrize("number", ["0", "-1", "true", "1.0", "9" * 25, "0x" + "f" * 5000])
def test_a_number_that_no_entry_has_is_none(number: str) -> None:
    """A number that no entry has names no entry, stands for no other, and doesn't end the program."""
    text = f'[[entry]]\nnumber = {number}\nat = 2026-01-01T00:00:00Z\nact = "x"\n'
    with pytest.raises(UnreadableFile, match="a log entry can't be read"):
        decode_entry(text.encode(), "log")


@pytest.mark.parametrize(
    "wrong",
    [
        "root = 'x'",
        "undoes = ['1']",
        "undoes = [0]",
        "dice = [true]",
        "scene = 3",
        "session = 'x'",
        "facts = [3]",
        "facts = [{ kind = 'note', text = 3 }]",
        "facts = [{ kind = 'note', text = 'x', clause = [] }]",
        "facts = [{ kind = 'result', outcome = 1, label = 'x' }]",
        "facts = [{ kind = 'rolled', what = 'x', dice = [{ from = 1, face = 1, sides = 6 }], source = 'app' }]",
        "changes = [{ path = 3 }]",
        "changes = [{ path = 'a.b', now = 3 }]",
        "changes = [{ before = 3 }]",
    ],
)
def test_a_part_of_another_kind_makes_it_unreadable(wrong: str) -> None:
    """An entry with a part of the wrong kind is unreadable, so that whoever uses one finds in it what an entry has."""
    text = f'[[entry]]\nnumber = 1\nat = 2026-01-01T00:00:00Z\nact = "x"\n{wrong}\n'
    with pytest.raises(UnreadableFile, match="log:1:1: a log entry can't be read: "):
        decode_entry(text.encode(), "log")


def test_a_pipe_in_the_place_of_a_file_is_no_file_of_the_log(tmp_path: Path) -> None:
    """It is neither waited for nor written to."""
    logged(tmp_path, 1)
    os.mkfifo(tmp_path / "0002.toml")
    log = opened(tmp_path)
    assert log.stands()
    assert log.since(0) == [entry(1)]
    (tmp_path / "0001.toml").unlink()
    os.mkfifo(tmp_path / "0001.toml")
    log = opened(tmp_path)
    assert log.last is None
    with pytest.raises(OSError, match="is a pipe, not a file"):
        log.append(entry(1))


@pytest.mark.parametrize(
    "text", ["", "number = 1\n", '[[entry]]\nnumber = "1"\nat = 2026-01-01T00:00:00Z\nact = "x"\n']
)
def test_what_is_no_entry_is_said_to_be_none(text: str) -> None:
    """A block of something else is a problem, not a crash."""
    with pytest.raises(UnreadableFile, match="a log entry can't be read"):
        decode_entry(text.encode(), "log")


@pytest.mark.parametrize("text", ["", "1", "0001:", ":4", "0001:-4", "0001:٤", "a:b"])
def test_a_mark_is_read_or_refused(text: str) -> None:
    """Only a session and a number, in plain digits, are a place in the log."""
    with pytest.raises(ValueError, match="is not a position in the log"):
        Mark.read(text)
    with pytest.raises(ValueError, match="9999 is too high: no log"):
        Mark.read(f"0001:{'9' * 30}")
    assert Mark.read("0002:42") == Mark(42, 2)
    assert str(Mark(42, 2)) == "0002:42"
