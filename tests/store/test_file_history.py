"""A new version comes in the place of the old one, and nothing of a person's is thrown away, whenever they save and whatever crashes."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.kit.table import CAMPAIGN, saved, table_at, text_of, written
from tests.kit.thorough import IS_AT_A_DESK
from waylog.store.file import history as file_history
from waylog.store.file.history import KEPT_VERSIONS, FileHistory
from waylog.store.files_and_lock import put_in_place
from waylog.table import Table
from waylog.toml.document import LARGEST

BY_A_PERSON = CAMPAIGN.replace("luck = +0", "luck = +1  # she has earned it")

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The Swallow."""
    return written(tmp_path / "swallow")


@pytest.fixture
def gone() -> int:
    """The number of a process that is no more."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def played(folder: Path) -> Table:
    """A table at which something was done that the file doesn't say yet."""
    table = table_at(folder)
    table.play(table.understand("set boat.hull 2"))
    return table


def names(folder: Path) -> list[str]:
    """What lies in a folder, but for the lock and the log."""
    return sorted(path.name for path in folder.iterdir() if path.name not in (".lock", "log", "players.toml"))


class Killed(BaseException):
    """The process is no more."""


def killed() -> None:
    """Be killed here and now."""
    raise Killed


def before_it_is_put(monkeypatch: pytest.MonkeyPatch, *happens: Callable[[], object]) -> None:
    """Each time a version is about to come in its place, the next of these happens."""
    rest = iter(happens)

    def put(beside: Path, path: Path) -> Path | None:
        next(rest, lambda: None)()
        return put_in_place(beside, path)

    monkeypatch.setattr(file_history, "put_in_place", put)


def test_what_is_saved_just_before_goes_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file was looked at, then saved, then replaced: the save is in place again, and is met like any other."""
    table = played(folder)
    before_it_is_put(monkeypatch, lambda: saved(folder, CAMPAIGN, BY_A_PERSON))
    assert not table.settle()
    assert text_of(folder) == BY_A_PERSON
    assert names(folder) == ["campaign.toml", "history"]
    table.refresh()
    assert table.settle()
    assert "luck = +1  # she has earned it" in text_of(folder)
    assert "hull = 2 " in text_of(folder)


def between_calls(monkeypatch: pytest.MonkeyPatch, first: int, *happens: Callable[[], object]) -> list[int]:
    """While a version is put in its place, from that call to the system on, the next of these happens before each. Gives their number."""
    rest, calls, put = iter(happens), [0], FileHistory.put

    def traced(_: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and called.__module__ in ("posix", "_ctypes"):
            calls[0] += 1
            if calls[0] >= first:
                next(rest, lambda: None)()

    def put_traced(*arguments: Any) -> Any:
        sys.setprofile(traced)
        try:
            return put(*arguments)
        finally:
            sys.setprofile(None)

    monkeypatch.setattr(FileHistory, "put", put_traced)
    return calls


@pytest.mark.parametrize("apart", [1, 3])
def test_a_file_that_is_there_anew_and_empty_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: int
) -> None:
    """As git does it: it takes the file away, makes a new one and then writes it, while Waylog is at any step of a replacement. Where git
    doesn't say that a file is in its way, what it wrote is there. At a desk, every third step is tried.
    """
    first, calls = 0, [0]
    while first <= calls[0]:
        first += 3 if IS_AT_A_DESK else 1
        folder = written(tmp_path / f"at-{first}")
        table, path, made = played(folder), folder / "campaign.toml", list[int]()

        def make(path: Path = path, made: list[int] = made) -> None:
            with suppress(FileExistsError):
                made.append(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))

        with monkeypatch.context() as patch:
            calls = between_calls(patch, first, path.unlink, *[lambda: None] * (apart - 1), make)
            table.settle()
        if not path.exists():
            make()
        for descriptor in made:
            os.write(descriptor, BY_A_PERSON.encode())
            os.close(descriptor)
        table.refresh()
        table.settle()
        assert not made or "luck = +1  # she has earned it" in text_of(folder), f"at call {first}"
        assert "hull = 2 " in text_of(folder), f"at call {first}"
        assert names(folder) == ["campaign.toml", "history"], f"at call {first}"
    assert first > 20


def test_what_is_saved_twice_just_before_is_all_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second save was made from what was there for a moment only: it stands, and so does what the first had changed."""
    table = played(folder)
    before_it_is_put(
        monkeypatch,
        lambda: saved(folder, CAMPAIGN, BY_A_PERSON),
        lambda: saved(folder, "segments = 4  # short", "segments = 6  # long"),
    )
    assert not table.settle()
    assert table.refresh()
    assert table.settle()
    assert "luck = +1\n" in text_of(folder)
    assert "segments = 6  # long" in text_of(folder)
    assert "she has earned it" in (folder / "history" / "saved-0001-000000.toml").read_text()
    assert "saved-0001-000000" in table.versions()
    assert names(folder) == ["campaign.toml", "history"]


@pytest.mark.parametrize("exchanges", [True, False], ids=["exchange", "no exchange"])
def test_a_save_that_a_crash_left_out_is_back_with_its_comments(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, exchanges: bool
) -> None:
    """Killed once the file was replaced and before the save was put back: the next start does that."""
    if not exchanges:
        monkeypatch.setattr("waylog.store.files_and_lock._exchange", lambda *_: False)
    before_it_is_put(monkeypatch, lambda: saved(folder, CAMPAIGN, BY_A_PERSON), killed)
    with pytest.raises(Killed):
        played(folder).settle()
    monkeypatch.undo()
    assert "hull = 2 " in text_of(folder)
    assert "luck = +0" in text_of(folder)
    table = table_at(folder)
    table.refresh()
    assert (
        table.take_recovery_text()
        == "Restored your edit of campaign.toml, which you saved while Waylog was replacing the file"
    )
    assert table.settle()
    assert "luck = +1  # she has earned it" in text_of(folder)
    assert "hull = 2 " in text_of(folder)
    by_hand = [entry.changes for entry in table.latest() if entry.words == "by hand"]
    assert [(change.before, change.after) for changes in by_hand for change in changes] == [(0, 1)]
    assert names(folder) == ["campaign.toml", "history"]


def test_another_window_takes_it_in_at_once(folder: Path, gone: int) -> None:
    """It needs no start: whoever meets the file that was put there looks for what it was put in the place of."""
    table = played(folder)
    other = table_at(folder)
    other.refresh()
    assert other.settle()
    (folder / f".campaign.toml.{gone}-1.tmp").write_text(BY_A_PERSON)
    table.refresh()
    assert table.settle()
    assert "luck = +1\n" in text_of(folder)
    assert "was read. It is kept as saved-0001-000000" in (table.take_recovery_text() or "")


def test_what_nobody_needs_goes(folder: Path, gone: int) -> None:
    """A version that was never finished, one that never came in its place, and anything else on its way."""
    table = played(folder)
    history = FileHistory(folder)
    assert table.settle()
    (folder / f".campaign.toml.{gone}-1.part").write_text('log = "0001')
    (folder / f".campaign.toml.{gone}-1.tmp").write_text(text_of(folder))
    (folder / f".players.toml.{gone}-1.part").write_text("a = 1")
    (folder / f".campaign.toml.{gone}-2.tmp").write_text(CAMPAIGN)
    (folder / "history" / "0001-000000.toml").unlink()
    assert history.clear_up() == ([], "")
    assert names(folder) == ["campaign.toml", "history"]
    assert (folder / "history" / "0001-000000.toml").read_text() == CAMPAIGN  # that was in place before


def test_one_that_cannot_be_read_is_kept_and_told(folder: Path, gone: int) -> None:
    """A version that cannot be read is reported and never thrown away."""
    (folder / f".campaign.toml.{gone}-1.tmp").write_text("luck = = 1")
    table = table_at(folder)
    table.refresh()
    said = "campaign.toml was saved while Waylog was replacing it. That version can't be read. It is kept as"
    assert table.take_recovery_text() == f"{said} saved-0000-000000"
    assert (folder / "history" / "saved-0000-000000.toml").read_text() == "luck = = 1"


@pytest.mark.parametrize("kind", ["folder", "pipe", "link", "too large"])
def test_what_is_no_save_stops_no_act(folder: Path, kind: str) -> None:
    """Whatever has the name of a left-over save, the next window plays on, and nothing of it is lost."""
    path = folder / ".campaign.toml.1-1.saved"
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "link":
            path.symlink_to("nowhere")
        case _:
            path.write_bytes(b"#" * (LARGEST + 1))
    table = table_at(folder)
    table.play(table.understand("note hello"))
    assert table.settle()
    kept = [*(folder / "history").glob("saved-*")]
    assert (os.path.lexists(path), len(kept)) == (kind != "too large", int(kind == "too large"))


def test_no_two_of_them_have_one_name(folder: Path) -> None:
    """Each is kept beside the others of its mark, in order; one that is there already, once."""
    history = FileHistory(folder)
    texts = [CAMPAIGN, BY_A_PERSON, CAMPAIGN, *(f"{CAMPAIGN}# {count}\n" for count in range(9))]
    names = [history.archive_save(written(folder / "a", text) / "campaign.toml") for text in texts]
    kept = ["saved-0001-000000", *(f"saved-0001-000000-{count}" for count in range(2, 12))]
    assert names == [*kept[:2], kept[0], *kept[2:]]
    assert [path.stem for path in history.all_versions()] == kept
    assert history.earlier() == []


def test_what_was_just_kept_is_not_what_is_forgotten(folder: Path) -> None:
    """However old a person's copy says it is; and what was put aside doesn't crowd out what was in place, nor the other way."""
    history = FileHistory(folder)
    for number in range(KEPT_VERSIONS + 4):
        text = CAMPAIGN.replace("0001:0", f"0001:{number}")
        history.keep(written(folder / "a", text) / "campaign.toml", f"0001-{number:06}")
    old = written(folder / "a", BY_A_PERSON) / "campaign.toml"
    os.utime(old, (1, 1))
    name = history.archive_save(old)
    assert history.all_versions()[-1].stem == name
    assert len(history.earlier()) == KEPT_VERSIONS
    assert history.earlier()[0].stem == "0001-000004"
    broken = written(folder / "a", "a = = 1") / "campaign.toml"
    os.utime(broken, (1, 1))
    assert history.keep(broken, "unreadable-20260105-200000") in [path.stem for path in history.all_versions()]
    assert len(history.earlier()) == KEPT_VERSIONS


def test_two_versions_of_one_mark_are_both_kept(folder: Path) -> None:
    """Two people edited the same version: what the first had written, comments and all, is among the history."""
    table = table_at(folder)
    table.play(table.understand("note we begin"))
    assert table.settle()
    held = text_of(folder)
    for text in (held.replace("# short", "# precious"), held.replace("# short", "# gold")):
        saved(folder, text_of(folder), text)
        table.refresh()
        table.play(table.understand("tick storm"))
        assert table.settle()
    kept = [path.read_text() for path in FileHistory(folder).earlier()]
    assert sum("# precious" in text for text in kept) == 1
    assert sum("# gold" in text for text in kept) == 1


def test_a_disk_that_fails_in_the_middle_throws_nothing_away(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person's save was swapped out, and can't be put back now: it is found and taken in once the disk works again."""
    table = played(folder)
    before_it_is_put(monkeypatch, lambda: saved(folder, CAMPAIGN, BY_A_PERSON))
    rename = Path.rename

    def fails(path: Path, target: Path) -> Path:
        if str(target).endswith(".saved"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return rename(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fails)
        assert not table.settle()
    assert table.snapshot.unsaved
    (left,) = folder.glob(".campaign.toml.*.tmp")
    assert left.read_text() == BY_A_PERSON
    monkeypatch.setattr(file_history, "writer_has_ended", lambda *_: True)  # as for the next process
    again = table_at(folder)
    again.refresh()
    assert again.settle()
    assert "luck = +1  # she has earned it" in text_of(folder)


def test_campaigns_whose_files_lie_in_one_folder_leave_each_other_alone(tmp_path: Path, gone: int) -> None:
    """Links may lead there. What lies beside them and is none of one's own is nobody's to clear away."""
    files = tmp_path / "files"
    written(files)
    (files / "campaign.toml").rename(files / "a.toml")
    for name in (f".b.toml.{gone}-1.tmp", f".other.{gone}-1.part"):
        (files / name).write_text(BY_A_PERSON)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "campaign.toml").symlink_to(files / "a.toml")
    table_at(mine).refresh()
    assert names(files) == [f".b.toml.{gone}-1.tmp", f".other.{gone}-1.part", "a.toml"]


def test_where_files_can_not_change_places_that_is_said_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A weaker file system is no secret."""
    monkeypatch.setattr("waylog.store.files_and_lock._exchange", lambda *_: False)
    table = played(folder)
    assert table.settle()
    assert "could be lost" in (table.take_recovery_text() or "")
    table.play(table.understand("set boat.hull 1"))
    assert table.settle()
    assert table.take_recovery_text() is None


def test_who_may_write_the_file_may_still(folder: Path) -> None:
    """Whatever the process would take away from a new file."""
    (folder / "campaign.toml").chmod(0o664)
    before = os.umask(0o022)
    try:
        assert played(folder).settle()
    finally:
        os.umask(before)
    assert (folder / "campaign.toml").stat().st_mode & 0o777 == 0o664


def test_a_save_in_the_tick_of_a_replacement_is_seen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written into the new file, as long as the old text and before the file system's clock goes on: nothing tells them apart."""
    table = played(folder)
    assert table.settle()
    known = table._store.campaign.file.signature
    assert known is not None
    (folder / "campaign.toml").write_text(text_of(folder).replace("luck = +0", "luck = +1"))
    monkeypatch.setattr("waylog.store.file.hand_edits.file_signature", lambda _: known)
    assert table.refresh()
    assert "luck 0 → 1" in table.entry(table.snapshot.entries).facts[0].text  # type: ignore[union-attr]


def test_what_a_living_process_is_writing_is_left_alone(folder: Path) -> None:
    """One's own files, another's, and those of people that look alike."""
    for name in (f".campaign.toml.{os.getpid()}-1.tmp", f".campaign.toml.{os.getppid()}-1.tmp", ".campaign.toml.swp"):
        (folder / name).write_text("")
    assert FileHistory(folder).leftover_files() == []


def test_a_number_that_was_given_to_another_process_protects_nothing_for_long(folder: Path) -> None:
    """After a minute such a file is nobody's."""
    path = folder / f".campaign.toml.{os.getppid()}-1.tmp"
    path.write_text("")
    os.utime(path, (1, 1))
    assert FileHistory(folder).leftover_files() == [path]
