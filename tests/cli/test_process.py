"""The command line as a process: what it loads, how it ends, and that no traceback ever reaches a person."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

LOADED = "import sys; from waylog.cli.main import main; code = main(sys.argv[1:]); print(code, *sys.modules, file=sys.stderr)"
ENDING = "import atexit; atexit.register(print, 'cleared up'); from waylog.cli.main import program; program()"
UNFORESEEN = """\
import sys, waylog.store.folders_and_recent as locations
locations.Locations.find = lambda *arguments, **named: 1 / 0
sys.argv[1:] = ["show", "x"]
from waylog.cli.main import main
sys.exit(main())
"""
HOMELESS = """\
import pathlib, sys
def home():
    raise RuntimeError
pathlib.Path.home = home
from waylog.cli.main import main
sys.exit(main(["info"]))
"""


@pytest.fixture
def campaigns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one new campaign, which the commands use."""
    folder = tmp_path / "campaigns"
    monkeypatch.setenv("WAYLOG_CAMPAIGNS", str(folder))
    assert waylog("new", "First light").returncode == 0
    return folder


def waylog(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program itself, to its end."""
    return subprocess.run(
        [sys.executable, "-m", "waylog", *arguments],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=60,
    )


def load(*arguments: str) -> tuple[subprocess.CompletedProcess[str], set[str]]:
    """A command run to its end, and the packages that it has loaded by then."""
    run = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    *said, last = run.stderr.splitlines()
    code, *modules = last.split()
    ran = subprocess.CompletedProcess(arguments, int(code), run.stdout, "\n".join(said))
    return ran, {name.partition(".")[0] for name in modules}


def test_a_minute_of_play_loads_only_what_it_needs(campaigns: Path) -> None:
    """Each command exits 0 and says nothing on stderr.

    None that opens no screen loads Textual or Rich; only `new` loads the library that writes comments.
    """
    for arguments in (
        ["--version"],
        ["--help"],
        ["systems", "--json"],
        ["schema"],
        ["do", "first-light", "clock", "Hull breach", "6", "catastrophe"],
        ["odds", "First light", "roll", "nav"],
        ["do", "first light", "roll", "nav", "--dice", "3,5", "--json"],
        ["moves", "First light"],
        ["show", "First light"],
        ["log", "First light"],
        ["why", "First light", "ship.focus"],
        ["undo", "First light", "--dry-run"],
        ["undo", "First light"],
        ["restore", "First light"],
        ["conflicts", "First light"],
        ["check"],
        ["info"],
    ):
        ran, packages = load(*arguments)
        assert (ran.returncode, ran.stderr) == (0, ""), arguments
        assert ran.stdout, arguments
        assert not packages & {"textual", "rich", "tomlkit", "asyncio"}, arguments
        if arguments[0].startswith("--"):
            assert not packages & {"tomli", "json", "dataclasses", "datetime", "random"}, arguments
    assert not load("new", "other")[1] & {"textual", "rich", "asyncio"}
    assert waylog("do", "first-light", "roll", "nav", "7", "--json").returncode == 3


def test_a_command_ends_as_soon_as_it_has_answered(campaigns: Path) -> None:
    """All of its answer arrives, its exit code too, and Python's clearing up is not waited for."""
    run = subprocess.run(
        [sys.executable, "-c", ENDING, "schema"], capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(run.stdout)["title"].startswith("Waylog campaign")
    assert subprocess.run([sys.executable, "-c", ENDING, "nope"], capture_output=True, check=False).returncode == 2


def test_a_reader_that_leaves_early_is_no_error(campaigns: Path) -> None:
    """`waylog log … | head -1` ends quietly; what was to be done is done."""
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(
        [sys.executable, "-m", "waylog", "do", "First light", "roll", "nav"], stdout=writing, stderr=subprocess.PIPE
    ) as run:
        os.close(writing)
        assert run.stderr
        assert run.stderr.read() == b""
        assert run.wait(60) == 0
    assert json.loads(waylog("log", "First light", "--json").stdout)["entries"][0]["words"] == "roll nav"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_answer_is_said(campaigns: Path) -> None:
    """When the answer itself can't be written the reason is on stderr, in a line."""
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run(
            [sys.executable, "-m", "waylog", "show", "First light"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert run.returncode == 1
    assert run.stderr.decode() == "waylog: can't write the output: no space left on device\n"


def test_a_closed_stdout_is_no_error(campaigns: Path) -> None:
    """`waylog do … >&-` does what it was asked."""
    run = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m waylog do "First light" note hello >&-'], capture_output=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, b"")


def test_ctrl_c_ends_quietly(campaigns: Path) -> None:
    """Interrupted while it waits for another program, it says nothing and nothing has happened."""
    import fcntl

    folder = campaigns / "First light"
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen(
            [sys.executable, "-m", "waylog", "do", "First light", "roll", "nav"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as run:
            _wait_until_it_has_open(run.pid, folder / ".lock")
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=60)
    assert (run.returncode, out, err) == (130, b"", b"")
    assert not (folder / "log").exists()


def _wait_until_it_has_open(process: int, path: Path) -> None:
    """Wait until a process has opened a file."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for link in Path(f"/proc/{process}/fd").iterdir():
            try:
                if link.readlink() == path:
                    return
            except OSError:
                continue
    raise AssertionError(f"{path} was never opened")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_unicode_still_gets_an_answer(campaigns: Path, encoding: str) -> None:
    """Where a character can't be shown, `?` stands in its place; exit codes stay what they are."""
    ran = waylog("do", "First light", "clock", "☄ storm", "6", "push", PYTHONIOENCODING=encoding)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "? storm" in ran.stdout
    assert "\\u" not in ran.stdout
    refused = waylog("do", "First light", "☄", PYTHONIOENCODING=encoding)
    assert refused.returncode == 2
    assert "?" in refused.stderr
    assert "\\u" not in refused.stderr


def test_what_nobody_foresaw_is_one_line_and_a_report(campaigns: Path, tmp_path: Path) -> None:
    """A failure of Waylog's own is a line for the person and a file for whoever mends it; never a traceback."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.kit", UNFORESEEN],
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 1
    (line,) = run.stderr.splitlines()
    assert line.startswith("waylog: unexpected error: ZeroDivisionError")
    (report,) = (tmp_path / "state" / "waylog").iterdir()
    assert str(report) in line
    assert "Traceback" in report.read_text()


def test_no_home_is_said_in_words(campaigns: Path) -> None:
    """Without a home folder, and without being told where else, it says what to set."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.kit", HOMELESS], capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 2
    assert run.stderr == "waylog: your account has no home folder: set XDG_STATE_HOME, or name a folder with --dir\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_rights_is_said_in_words(campaigns: Path) -> None:
    """Where one may not write, a new campaign or an act is answered with the reason and exit code 1."""
    campaigns.chmod(0o555)
    try:
        ran = waylog("new", "other")
    finally:
        campaigns.chmod(0o755)
    assert ran.returncode == 1
    assert "permission denied" in ran.stderr


@pytest.mark.parametrize("words", [["watch"], ["join", "--as", "ana"], ["open"], ["play"], ["learn"], ["new"]])
def test_without_standard_input_there_is_no_crash(campaigns: Path, words: list[str]) -> None:
    """As some schedulers start a command. It plays line by line, or says that it needs a terminal."""
    command, *more = words
    named = ["First light"] if command not in ("learn", "new") else []
    line = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "waylog", command, *named, *more]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in (0, 2), done.stderr
    assert "unexpected error" not in done.stderr
    assert campaigns.is_dir()
