"""Players with accounts of their own: real ones, each with the rights that it has. Nothing fails in silence."""

from __future__ import annotations

import fcntl
import importlib
import os
import pwd
import re
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.kit.source import PRODUCT
from tests.kit.table import Falling, ticking, written
from tests.kit.terminal import Terminal
from tests.kit.thorough import cases
from tests.store.test_proposals import CAMPAIGN
from waylog.cli.main import main
from waylog.line_mode.loop import LineLoop
from waylog.line_mode.players import JoinSpeaker
from waylog.line_mode.wayfinder import Wayfinder
from waylog.store.players import inbox_access_and_phone_keys, pause_and_presence
from waylog.store.players.pause_and_presence import PauseState, end_pause, read_pause
from waylog.table import Table

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be several accounts")
WAYFINDER, ANA, BEN = "daemon", "games", "man"
"""Accounts that every system has."""
_IMPORT = re.compile(r"^ *(?:from ([\w.]+) import |import ([\w.]+)(?: as \w+)?(?: *#.*)?$)", re.MULTILINE)
_PATIENCE = 20.0


@pytest.fixture(scope="module", autouse=True)
def _import_everything() -> None:
    """Other accounts may not be able to read the modules that Waylog imports late."""
    importlib.import_module("concurrent.futures.thread")  # asyncio imports this one late, too
    for path in PRODUCT.rglob("*.py"):
        for found in _IMPORT.finditer(path.read_text(encoding="utf-8")):
            importlib.import_module(found[1] or found[2])


def as_account(name: str, do: Callable[[], object]) -> int:
    """Run a function in a process of another account; return the process's id. The exit code is 1 if it raises."""
    if child := os.fork():
        return child
    try:
        become(name)
        do()
        os._exit(0)
    except BaseException:  # noqa: BLE001 - the process must not go on with the tests
        import traceback

        traceback.print_exc()
        os._exit(1)


def become(name: str) -> None:
    """Go on as that account."""
    account = pwd.getpwnam(name)
    os.setgroups([])
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)
    os.umask(0o022)


def succeeds(name: str, do: Callable[[], object]) -> bool:
    """Run it to its end."""
    return os.waitstatus_to_exitcode(os.waitpid(as_account(name, do), 0)[1]) == 0


def said_by(name: str, do: Callable[[], list[str]]) -> list[str]:
    """Run it as another account, and return the lines that it gives."""
    reader, writer = os.pipe()

    def tell() -> None:
        os.write(writer, "\n".join(do()).encode())

    child = as_account(name, tell)
    os.close(writer)
    with open(reader, "rb") as told:  # noqa: PTH123 - a descriptor has no path
        lines = told.read().decode().splitlines()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, lines
    return lines


@pytest.fixture
def folder() -> Iterator[Path]:
    """A campaign of an account that is not root's, as `setup` leaves it for two players with accounts of their own."""
    # Not `tmp_path`, through which other accounts can't pass.
    top = Path(tempfile.mkdtemp(prefix="waylog-accounts-"))
    top.chmod(0o755)
    campaign = written(top / "campaigns" / "trial", CAMPAIGN)
    owner = pwd.getpwnam(WAYFINDER)
    for path in (top / "campaigns", campaign, *campaign.rglob("*")):
        os.chown(path, owner.pw_uid, owner.pw_gid)
    ran = as_account(WAYFINDER, lambda: _command("players", str(campaign), "setup", f"ana={ANA}", f"ben={BEN}"))
    assert os.waitstatus_to_exitcode(os.waitpid(ran, 0)[1]) == 0
    yield campaign
    shutil.rmtree(top)


def _command(*words: str) -> None:
    code = main(words, now=ticking(), chance=Falling(3))
    if code:
        raise SystemExit(code)


class Running:
    """The wayfinder's program, in line mode, looking all the time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        reader, writer = os.pipe()
        self.pid = as_account(WAYFINDER, lambda: self._run(writer))
        os.close(writer)
        assert os.read(reader, 1) == b"!"
        os.close(reader)

    def _run(self, ready: int) -> None:
        wayfinder = Wayfinder(Table(self._folder, now=ticking(), chance=Falling(3)), real_dice=False)
        loop = LineLoop(wayfinder)
        loop.begin()
        signal.signal(signal.SIGUSR1, lambda *_: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
        os.write(ready, b"!")
        while True:
            loop.look()
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop it, as Ctrl+Z does."""
        os.kill(self.pid, signal.SIGSTOP)
        os.waitpid(self.pid, os.WUNTRACED)

    def end(self, how: int = signal.SIGKILL) -> None:
        """Kill it, or send it another signal."""
        if self.pid:
            os.kill(self.pid, how)
        if how == signal.SIGKILL and self.pid:
            os.waitpid(self.pid, 0)
            self.pid = 0


@pytest.fixture
def running(folder: Path) -> Iterator[Running]:
    """The wayfinder has the campaign open."""
    running = Running(folder)
    yield running
    running.end()


def lines_of(folder: Path, *typed: str, player: str = "ana", patience: float = 3.0) -> list[str]:
    """What the player hears who types that in line mode, on their own account."""

    def speak() -> list[str]:
        pause_and_presence.PATIENCE = patience
        loop = LineLoop(JoinSpeaker(folder, player))
        return [*loop.begin(), *(line for each in typed for line in loop.take(each))]

    return said_by({"ana": ANA, "ben": BEN}[player], speak)


def until(seen: Callable[[], bool]) -> bool:
    """Wait until it is so."""
    end = time.monotonic() + _PATIENCE
    while not seen():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


# -- what works ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("NM-45")
def test_two_accounts_propose_pause_and_take_back(folder: Path, running: Running) -> None:
    """In line mode. The wayfinder's program answers, and no file shows who asked for the pause."""
    assert lines_of(folder, "roll odile")[-1] == "Roll for Odile. Your proposal is waiting for the wayfinder."
    assert "Roll for Odile: waiting for the wayfinder." in lines_of(folder, "waiting")
    assert lines_of(folder, "take back")[-1] == "Roll for Odile: taken back."
    assert lines_of(folder, "roll bram, 4 2", player="ben")[-1].startswith("Roll for Bram")
    assert lines_of(folder, "pause")[-2:] == [
        "Somebody has asked for a pause.",
        "The wayfinder's screen shows the pause.",
    ]
    assert (folder / "inbox" / "pause").stat().st_uid == folder.stat().st_uid
    assert succeeds(WAYFINDER, lambda: end_pause(folder))
    assert lines_of(folder, "pause", player="ben")[-1] == "The wayfinder's screen shows the pause."


def test_each_account_has_its_own_folder_alone(folder: Path, running: Running) -> None:
    """Ben can neither act as Ana, nor read what she proposes, nor see what is hidden."""
    refused = said_by(BEN, lambda: _as(folder, "ana", "note hello"))
    assert any("may not propose as ana" in line and f"waylog players {folder} setup" in line for line in refused)
    for secret in ("campaign.toml", "log", "history", "inbox", "inbox/ana", "inbox/attended"):
        assert not succeeds(BEN, partial(os.open, folder / secret, os.O_RDONLY | os.O_NONBLOCK))
    assert succeeds(BEN, (folder / "players.toml").read_bytes)


def _as(folder: Path, player: str, line: str) -> list[str]:
    return LineLoop(JoinSpeaker(folder, player)).take(line)


def test_other_accounts_cannot_hold_the_presence_of_the_wayfinder(folder: Path) -> None:
    """Whatever they open, the wayfinder is seen as present, and as gone when the program has ended."""
    first = Running(folder)
    pipe = folder / "inbox" / "attended"
    reader, writer = os.pipe()

    def hold() -> None:
        fcntl.flock(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK), fcntl.LOCK_EX)
        os.write(writer, b"!")
        signal.pause()

    holder = as_account(ANA, hold)
    assert os.read(reader, 1) == b"!"
    first.end()
    running = Running(folder)
    try:
        assert not succeeds(ANA, partial(os.open, pipe, os.O_RDONLY | os.O_NONBLOCK))
        assert pause_and_presence.is_attended(folder)
        assert lines_of(folder, "pause", player="ben")[-1] == "The wayfinder's screen shows the pause."
        running.end()
        assert not pause_and_presence.is_attended(folder)
    finally:
        running.end()
        os.kill(holder, signal.SIGKILL)
        os.waitpid(holder, 0)
        os.close(reader)
        os.close(writer)


def test_a_player_can_fill_no_disk_with_a_pause(folder: Path, running: Running) -> None:
    """Nobody but the wayfinder's account may write a file of the pause, and the pipe holds no more than a little."""

    def fill() -> None:
        with suppress(PermissionError):
            (folder / "inbox" / "pause").write_bytes(b"x")
            raise AssertionError("it could be written")
        pipe = os.open(folder / "inbox" / "attended", os.O_WRONLY | os.O_NONBLOCK)
        with suppress(BlockingIOError):
            for _ in range(64):
                os.write(pipe, b"x" * 65536)

    lines_of(folder, "pause")
    assert succeeds(ANA, fill)
    assert sum(path.stat().st_size for path in (folder / "inbox").iterdir() if path.is_file()) < 100


def test_the_documented_chmod_leaves_pause_and_proposals(folder: Path, running: Running) -> None:
    """While the program runs, the next look restores the pause; `setup` restores the rest."""
    everything = [*map(str, folder.rglob("*"))]
    assert succeeds(WAYFINDER, lambda: subprocess.run(["chmod", "go=", *everything], check=True))
    assert until(lambda: bool((folder / "inbox" / "attended").stat().st_mode & 0o002))
    assert succeeds(WAYFINDER, lambda: (folder / "players.toml").chmod(0o644))
    assert lines_of(folder, "pause")[-1] == "The wayfinder's screen shows the pause."
    assert succeeds(WAYFINDER, lambda: _command("players", str(folder), "setup"))
    assert lines_of(folder, "note hello")[-1] == "Note: hello. Your proposal is waiting for the wayfinder."


@pytest.mark.clause("NM-45")
def test_two_accounts_propose_pause_and_take_back_in_the_app(folder: Path) -> None:
    """In windows of their own, beside the wayfinder's. A pause that the wayfinder's window does not show is shouted."""
    environment = {**os.environ, "HOME": str(folder.parent.parent), "TERM": "xterm-256color"}

    def window(account: str, *words: str) -> Terminal:
        def run() -> None:
            become(account)
            _command(*words)

        return Terminal(run, environment)

    join = "join", str(folder), "--as"
    windows = [window(WAYFINDER, "open", str(folder)), window(ANA, *join, "ana"), window(BEN, *join, "ben")]
    wayfinder, ana, ben = windows
    try:
        wayfinder.until(lambda text: "Trial" in text)
        ana.until(lambda text: "roll" in text and "Odile" in text)
        ben.until(lambda text: "roll" in text and "Bram" in text)
        ana.press("s")
        ana.until(lambda text: "waiting for the wayfinder" in text)
        wayfinder.until(lambda text: "Ana" in text and "spotlight" in text)
        ana.press("z")
        ana.until(lambda text: "taken back" in text)
        wayfinder.until(lambda text: "spotlight" not in text)
        ben.press(":roll bram 4 2 1\r")
        wayfinder.until(lambda text: "Ben: Roll for Bram" in text)
        ana.press("xx")
        for each in windows:
            each.until(lambda text: "The game is paused" in text)
        ana.until(lambda text: "SAY" not in text and "not reached" not in text)
        assert until(lambda: read_pause(folder) is PauseState.SHOWN)
        wayfinder.press("g")
        ana.until(lambda text: "The game is paused" not in text)
        os.kill(wayfinder.pid, signal.SIGSTOP)
        ben.until(lambda text: "The game is paused" not in text)
        ben.press("xx")
        ben.until(lambda text: "not reached the wayfinder" in text and "█" in text)
        os.kill(wayfinder.pid, signal.SIGCONT)
        ben.until(lambda text: "The game is paused" in text and "█" not in text)
    finally:
        for each in windows:
            each.close()


# -- what goes wrong -------------------------------------------------------------------------------------------------------


def _replace(path: Path, kind: str) -> None:
    """Put something else in the place of a file or a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    match kind:
        case "file":
            path.write_text("mine")
        case "folder":
            (path / "more").mkdir(parents=True)
        case "link":
            path.symlink_to(path.parent.parent)
        case "pipe":
            os.mkfifo(path)
        case _:
            pass  # It is only removed.


FAULTS: dict[str, Callable[[Path, Running], object]] = {
    "inbox removed": lambda folder, _: _replace(folder / "inbox", ""),
    "inbox is a file": lambda folder, _: _replace(folder / "inbox", "file"),
    "inbox is a link": lambda folder, _: _replace(folder / "inbox", "link"),
    "inbox is a pipe": lambda folder, _: _replace(folder / "inbox", "pipe"),
    "inbox of root": lambda folder, _: os.chown(folder / "inbox", 0, 0),
    "inbox of the player": lambda folder, _: os.chown(folder / "inbox", pwd.getpwnam(ANA).pw_uid, 0),
    "inbox closed to others": lambda folder, _: (folder / "inbox").chmod(0o700),
    "inbox closed to all": lambda folder, _: (folder / "inbox").chmod(0),
    "inbox sticky, for all": lambda folder, _: (folder / "inbox").chmod(0o1777),
    "inbox read-only": lambda folder, _: (folder / "inbox").chmod(0o555),
    "pipe removed": lambda folder, _: _replace(folder / "inbox" / "attended", ""),
    "pipe is a file": lambda folder, _: _replace(folder / "inbox" / "attended", "file"),
    "pipe is a folder": lambda folder, _: _replace(folder / "inbox" / "attended", "folder"),
    "pipe is a link": lambda folder, _: _replace(folder / "inbox" / "attended", "link"),
    "pipe of root": lambda folder, _: os.chown(folder / "inbox" / "attended", 0, 0),
    "pipe closed to others": lambda folder, _: (folder / "inbox" / "attended").chmod(0o600),
    "pause is a folder": lambda folder, _: _replace(folder / "inbox" / "pause", "folder"),
    "pause is a link": lambda folder, _: _replace(folder / "inbox" / "pause", "link"),
    "pause is a pipe": lambda folder, _: _replace(folder / "inbox" / "pause", "pipe"),
    "campaign closed to others": lambda folder, _: folder.chmod(0o700),
    "its parent closed to others": lambda folder, _: folder.parent.chmod(0o700),
    "campaign renamed": lambda folder, _: folder.rename(folder.with_name("other")),
    "disk full": lambda _, running: running.end(signal.SIGUSR1),
    "program stopped": lambda *_: None,
    "program killed": lambda _, running: running.end(),
}
"""At a desk, each of the three tests tries a third of them."""


def _break(folder: Path, running: Running, fault: str) -> None:
    """Make a fault while the wayfinder's program doesn't look."""
    running.stop()
    FAULTS[fault](folder, running)
    if fault != "program stopped":
        running.end(signal.SIGCONT)


@pytest.mark.parametrize("fault", cases([*FAULTS], 0, 6))
def test_a_pause_is_shown_to_the_wayfinder_or_shouted(folder: Path, running: Running, fault: str) -> None:
    """However the folders are set up, and whatever happens to them during play."""
    _break(folder, running, fault)
    heard = lines_of(folder, "pause", patience=1.0)
    shown = False
    with suppress(OSError):
        shown = read_pause(folder) is PauseState.SHOWN
    shouted = any("SAY IT ALOUD" in line for line in heard)
    assert shown is not shouted, heard
    assert shown is any("The wayfinder's screen shows the pause" in line for line in heard)


@pytest.mark.clause("NM-45")
@pytest.mark.parametrize(
    "fault", [*cases([*FAULTS], 2, 6), "folder of root", "folder of the player", "folder closed", "folder a file"]
)
def test_a_proposal_arrives_or_is_refused(folder: Path, running: Running, fault: str) -> None:
    """The player hears it where it can't be sent; otherwise the wayfinder's program finds it, or has said why it can't."""
    mine = folder / "inbox" / "ana"
    match fault:
        case "folder of root":
            os.chown(mine, 0, 0)
        case "folder of the player":
            mine.chmod(0o700)
            os.chown(mine, pwd.getpwnam(ANA).pw_uid, 0)
        case "folder closed":
            mine.chmod(0)
        case "folder a file":
            _replace(mine, "file")
        case _:
            _break(folder, running, fault)
    heard = lines_of(folder, "roll odile")[-1]
    if "Your proposal is waiting for the wayfinder" not in heard:
        assert "may not propose" in heard or "can't be sent" in heard or "Nothing to see yet" in heard
        return
    running.end(signal.SIGCONT)
    running.end()
    told = said_by(WAYFINDER, lambda: LineLoop(Wayfinder(_table(folder), real_dice=False)).begin())
    assert any("Odile" in line and "Ana" in line for line in told) or any("don't reach you" in line for line in told)


def _table(folder: Path) -> Table:
    table = Table(folder, now=ticking(), chance=Falling(3))
    table.refresh()
    return table


@pytest.mark.parametrize("fault", cases([*FAULTS], 4, 6))
def test_check_names_what_stays_wrong_and_setup_mends_what_it_may(folder: Path, fault: str) -> None:
    """Each fault comes with its cure. Where the wayfinder's account can mend it, `setup` or the program does."""
    assert succeeds(WAYFINDER, lambda: _command("do", str(folder), "note", "hello"))
    running = Running(folder)
    running.end()
    if fault in ("disk full", "program stopped", "program killed", "campaign renamed"):
        assert not [*inbox_access_and_phone_keys.find_faults(folder, ["ana", "ben"])]
        return
    FAULTS[fault](folder, running)
    found = said_by(
        WAYFINDER, lambda: [each.message for each in inbox_access_and_phone_keys.find_faults(folder, ["ana", "ben"])]
    )
    harmless = ("pipe removed", "pipe of root")
    assert bool(found) is (fault not in harmless), found
    assert all("To fix this" in each for each in found)


def test_setup_twice_is_harmless_and_needs_no_names_again(folder: Path) -> None:
    """The second run keeps the accounts that were given."""
    before = [each.name for each in inbox_access_and_phone_keys.accounts_of(folder, "ana")]
    assert succeeds(WAYFINDER, lambda: _command("players", str(folder), "setup"))
    assert [each.name for each in inbox_access_and_phone_keys.accounts_of(folder, "ana")] == before == [ANA]
    assert not [*inbox_access_and_phone_keys.find_faults(folder, ["ana", "ben"])]


def test_one_account_may_be_shared(folder: Path) -> None:
    """By all players. Waylog tells them apart by `--as`, which their keys force."""
    assert succeeds(WAYFINDER, lambda: _command("players", str(folder), "setup", ANA))
    for player in ("ana", "ben"):
        assert [each.name for each in inbox_access_and_phone_keys.accounts_of(folder, player)] == [ANA]
        assert any(
            "waiting for the wayfinder" in line
            for line in said_by(ANA, partial(_as, folder, player, f"spotlight {player}"))
        )


def test_an_account_may_watch_a_campaign_without_players(folder: Path) -> None:
    """It is closed to that account but for what players see, and a pause that it asks for arrives."""
    shutil.rmtree(folder / "inbox")
    text = (folder / "campaign.toml").read_text()
    (folder / "campaign.toml").write_text(text[: text.index("[players")])
    (folder / "campaign.toml").chmod(0o644)
    assert succeeds(WAYFINDER, lambda: _command("players", str(folder), "setup", ANA))
    assert stat.S_IMODE((folder / "campaign.toml").stat().st_mode) == 0o600
    account = inbox_access_and_phone_keys.find_account(ANA)
    assert account
    assert not [*inbox_access_and_phone_keys.find_faults(folder, (), (account,))]
    running = Running(folder)
    try:
        assert succeeds(ANA, lambda: pause_and_presence.PlayersPause(folder).ask())
        assert until(lambda: pause_and_presence.is_paused(folder))
    finally:
        running.end()


def test_a_group_stands_in_where_there_are_no_access_lists(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root may give it; otherwise the command for root is printed."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(95, "Operation not supported")

    os.removexattr(folder / "inbox" / "ana", "system.posix_acl_access")
    monkeypatch.setattr(os, "setxattr", refuse)
    account = inbox_access_and_phone_keys.find_account("bin")
    assert account
    said = said_by(WAYFINDER, lambda: [*inbox_access_and_phone_keys.set_up(folder, ["ana"], {"ana": account})])
    assert any("only root" in line and "chgrp 2 " in line for line in said)
    assert any("group of bin" in line for line in inbox_access_and_phone_keys.set_up(folder, ["ana"], {"ana": account}))
    found = (folder / "inbox" / "ana").stat()
    assert (found.st_gid, stat.S_IMODE(found.st_mode)) == (2, 0o770)
    assert [each.name for each in inbox_access_and_phone_keys.accounts_of(folder, "ana")] == ["bin"]
    shared = account._replace(name="somebody")
    assert any(
        "no group of its own" in line for line in inbox_access_and_phone_keys.set_up(folder, ["ana"], {"ana": shared})
    )
