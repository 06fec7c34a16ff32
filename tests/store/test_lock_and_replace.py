"""Whole-file writes: a file is whole before it has a name, and what stood in its place is held."""

import errno
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from waylog.store import files_and_lock
from waylog.store.files_and_lock import (
    CampaignBusy,
    lock_campaign,
    make_inside,
    open_inside,
    open_to_read,
    put_in_place,
    write_beside,
)


def test_a_file_beside_has_its_name_only_when_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is on the disk, it is called something else."""
    names: list[list[str]] = []
    monkeypatch.setattr(os, "fsync", lambda _: names.append([path.name for path in tmp_path.iterdir()]))
    beside = write_beside(tmp_path / "campaign.toml", b"a = 1\n")
    assert names == [[beside.with_suffix(".part").name]]
    assert [*tmp_path.iterdir()] == [beside]
    assert beside.read_bytes() == b"a = 1\n"


def test_two_files_beside_are_two(tmp_path: Path) -> None:
    """Two threads may each be writing a version of the same file."""
    first, second = (write_beside(tmp_path / "campaign.toml", text) for text in (b"a = 1\n", b"a = 2\n"))
    assert (first.read_bytes(), second.read_bytes()) == (b"a = 1\n", b"a = 2\n")


def test_where_files_cannot_change_places_the_old_version_is_whole_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On file systems without an exchange the old version is copied first, and named only when it is whole."""
    monkeypatch.setattr("waylog.store.files_and_lock._exchange", lambda *_: False)
    path = tmp_path / "campaign.toml"
    path.write_text("old")
    old = put_in_place(write_beside(path, b"new"), path)
    assert path.read_text() == "new"
    assert old is not None
    assert old.read_text() == "old"
    assert old.suffix == ".old"


@pytest.fixture
def no_umask() -> Iterator[None]:
    """An account that lets everybody read its new files."""
    held = os.umask(0)
    yield
    os.umask(held)


@pytest.mark.usefixtures("no_umask")
@pytest.mark.parametrize("exchanges", [True, False])
def test_a_file_under_way_can_be_read_by_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, exchanges: bool
) -> None:
    """From its first byte on. At the end it has the mode of the file that it replaces."""
    path, modes = tmp_path / "campaign.toml", set[int]()
    path.write_text("old")
    path.chmod(0o640)
    write = os.write

    def watched(descriptor: int, data: bytes) -> int:
        modes.add(os.fstat(descriptor).st_mode & 0o777)
        return write(descriptor, data)

    copyfile = shutil.copyfile

    def copied(source: Path, target: Path, **options: bool) -> Path:
        modes.add(target.stat().st_mode & 0o777)
        return copyfile(source, target, **options)

    monkeypatch.setattr(os, "write", watched)
    monkeypatch.setattr(shutil, "copyfile", copied)
    if not exchanges:
        monkeypatch.setattr("waylog.store.files_and_lock._exchange", lambda *_: False)
    old = put_in_place(write_beside(path, b"new"), path)
    assert modes == {0o600}
    assert old is not None
    assert [each.stat().st_mode & 0o777 for each in (path, old)] == [0o640, 0o640]


@pytest.mark.usefixtures("no_umask")
def test_what_a_crash_left_under_that_name_gives_its_mode_to_nothing(tmp_path: Path) -> None:
    """A half-written file that everybody may read is taken away, and not written into."""
    path = tmp_path / "campaign.toml"
    beside = write_beside(path, b"a = 1\n")
    process, number = beside.name.removesuffix(".tmp").rsplit("-", 1)
    left = tmp_path / f"{process}-{int(number) + 1}.part"
    left.touch(0o666)
    with left.open("rb") as reader:
        write_beside(path, b"secret = 1\n")
        assert reader.read() == b""


@pytest.mark.usefixtures("no_umask")
@pytest.mark.parametrize(("campaign", "lock_mode"), [(0o600, 0o600), (0o644, 0o600), (0o664, 0o660), (0o666, 0o666)])
@pytest.mark.parametrize("there", [True, False])
def test_only_who_may_write_the_campaign_can_hold_its_lock(
    tmp_path: Path, campaign: int, lock_mode: int, *, there: bool
) -> None:
    """Another account that may only look on can't keep anybody from playing. Locks of earlier versions are narrowed."""
    (tmp_path / "campaign.toml").touch()
    (tmp_path / "campaign.toml").chmod(campaign)
    if there:
        (tmp_path / ".lock").touch(0o666)
    with lock_campaign(tmp_path):
        pass
    mode = (tmp_path / ".lock").stat().st_mode & 0o777
    assert mode == (lock_mode if there else 0o600)


@pytest.fixture
def unlocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where the lock keeps nobody out, as on some network folders."""
    monkeypatch.setattr(fcntl, "flock", lambda *_: None)
    return tmp_path


def is_free(folder: Path) -> bool:
    """Whether the campaign can be locked now; afterwards nothing but the empty lock is there."""
    try:
        with lock_campaign(folder, patience=0):
            pass
    except CampaignBusy:
        return False
    assert [path.name for path in folder.iterdir()] == [".lock"]
    return True


def claimed(folder: Path, machine: str, pid: int, seconds_ago: float = 0) -> None:
    """Another program has the claim."""
    claim = folder / ".lock.claim"
    claim.symlink_to(f"{machine}:{pid}:1")
    then = claim.lstat().st_mtime - seconds_ago
    os.utime(claim, (then, then), follow_symlinks=False)


def test_where_the_lock_keeps_nobody_out_the_claim_does(unlocked: Path) -> None:
    """One program at a time has it, and takes it back."""
    with lock_campaign(unlocked):
        assert not is_free(unlocked)
    assert is_free(unlocked)


@pytest.mark.parametrize("seconds_ago", [0, 59, -59])
def test_a_claim_of_another_machine_is_kept_for_a_minute(tmp_path: Path, seconds_ago: int) -> None:
    """Nobody can see here whether its program still runs. The clocks may differ."""
    claimed(tmp_path, "elsewhere", 1, seconds_ago)
    assert not is_free(tmp_path)


@pytest.mark.parametrize("seconds_ago", [61, -61])
def test_a_claim_that_nobody_can_still_have_is_taken_away(tmp_path: Path, seconds_ago: int) -> None:
    """No act takes a minute."""
    claimed(tmp_path, "elsewhere", 1, seconds_ago)
    assert is_free(tmp_path)


def test_a_claim_that_a_crash_left_on_this_machine_delays_nobody(tmp_path: Path) -> None:
    """Its program would hold the lock as well, whatever process has its number now."""
    claimed(tmp_path, files_and_lock._machine(), os.getpid())
    assert is_free(tmp_path)


def test_where_the_lock_keeps_nobody_out_the_process_shows_who_is_alive(unlocked: Path) -> None:
    """A claim of a process that is no more is taken away; that of one that runs is kept."""
    claimed(unlocked, files_and_lock._machine(), os.getppid())
    assert not is_free(unlocked)
    (unlocked / ".lock.claim").unlink()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    claimed(unlocked, files_and_lock._machine(), ended.pid)
    assert is_free(unlocked)


def test_a_claim_that_another_program_has_taken_meanwhile_stays_its_own(tmp_path: Path) -> None:
    """A machine that slept through a minute finds another claim in the place of its own."""
    with lock_campaign(tmp_path):
        (tmp_path / ".lock.claim").unlink()
        claimed(tmp_path, "elsewhere", 1)
    assert os.readlink(tmp_path / ".lock.claim") == "elsewhere:1:1"  # noqa: PTH115


def test_a_claim_that_follows_on_another_is_not_taken_for_that_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim that was in the way is taken back before anybody can see whose it is, and another program makes its own."""
    claimed(tmp_path, "elsewhere", 1)

    def read_late(claim: Path) -> str:
        claim.unlink()
        claimed(tmp_path, "elsewhere", 2)
        raise FileNotFoundError

    with monkeypatch.context() as patch:
        patch.setattr(os, "readlink", read_late)
        assert not is_free(tmp_path)
    assert os.readlink(tmp_path / ".lock.claim") == "elsewhere:2:1"  # noqa: PTH115


def test_an_abandoned_claim_is_taken_away_by_one_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs see that nobody has it any more. One of them removes it and makes its own, which the other one then gives back."""
    claimed(tmp_path, "elsewhere", 1, 100)

    def look_late(claim: Path, *_: object) -> bool:
        claim.unlink()
        claimed(tmp_path, "elsewhere", 2)
        return True

    with monkeypatch.context() as patch:
        patch.setattr(files_and_lock, "_is_abandoned", look_late)
        assert not is_free(tmp_path)
    assert os.readlink(tmp_path / ".lock.claim") == "elsewhere:2:1"  # noqa: PTH115
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", ".lock.claim"]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP])
def test_where_files_cannot_be_locked_the_claim_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Some file systems refuse every lock."""

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with lock_campaign(tmp_path):
        assert not is_free(tmp_path)


def test_where_there_are_no_links_the_lock_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems have none, and a full disk has no room for one."""

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "symlink", refuse)
    with lock_campaign(tmp_path):
        assert not is_free(tmp_path)
    assert is_free(tmp_path)


@pytest.mark.parametrize("name", [".lock", "history/written"])
def test_nothing_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    """A link in the place of a file of the campaign is told of, and where it leads nothing is changed."""
    (tmp_path / "history").mkdir()
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / name).symlink_to(victim)
    with pytest.raises(OSError, match="is a symbolic link, which is not allowed here"):
        open_inside(tmp_path / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    with pytest.raises(OSError, match="is a symbolic link"):
        open_inside(tmp_path / name, os.O_RDWR | os.O_CREAT)
    assert victim.read_text() == "mine"


def test_a_folder_that_is_a_link_is_not_written_into(tmp_path: Path) -> None:
    """Neither `log` nor `history` may lead out of the campaign."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "history").symlink_to("elsewhere")
    with pytest.raises(OSError, match="history is a symbolic link"):
        make_inside(tmp_path / "history")
    make_inside(tmp_path / "log")
    make_inside(tmp_path / "log")
    assert (tmp_path / "log").is_dir()


def test_a_pipe_or_a_large_file_is_not_read(tmp_path: Path) -> None:
    """Nobody waits for the one, nor reads the other."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(bytes(11))
    with pytest.raises(OSError, match="pipe is a folder, a device or a pipe"):
        open_to_read(tmp_path / "pipe", 10)
    with pytest.raises(OSError, match="large is 11 bytes long, but the limit is 10"):
        open_to_read(tmp_path / "large", 10)
    with pytest.raises(OSError, match="pipe is a pipe, not a file"):
        open_inside(tmp_path / "pipe", os.O_WRONLY)


@pytest.mark.usefixtures("no_umask")
@pytest.mark.parametrize(("file", "folder"), [(0o644, 0o755), (0o664, 0o775), (0o600, 0o700), (0o666, 0o775)])
def test_a_new_folder_is_for_those_who_have_the_campaign_file(tmp_path: Path, file: int, folder: int) -> None:
    """So neither `history/` nor `log/` lists to players what the file hides from them, and no umask opens them to every account."""
    (tmp_path / "campaign.toml").touch()
    (tmp_path / "campaign.toml").chmod(file)
    make_inside(tmp_path / "history")
    assert (tmp_path / "history").stat().st_mode & 0o777 == folder
