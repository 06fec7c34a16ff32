"""`waylog play` as a process on a pipe: what comes in may be anything, and what goes out is plain text."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.terminal import Terminal
from waylog.line_mode.loop import CONTROLS, LONGEST, NOT_TEXT, TOO_LONG, UNFINISHED
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log

LOADED = "import sys; from waylog.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"


@pytest.fixture
def campaigns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's own folder of campaigns, in which there is none yet."""
    monkeypatch.setenv("WAYLOG_CAMPAIGNS", str(tmp_path))
    return tmp_path


def piped(text: str | bytes, *command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The program with that on its standard input, to its end."""
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run(
        [sys.executable, "-m", "waylog", *(command or ("play", "tenacity"))],
        input=data,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )


def played(folder: Path) -> list[LogEntry]:
    """The entries after those of the example."""
    log = Log(folder / "log")
    log.follow()
    return log.since(48)


def test_a_piped_evening_is_plain_text(campaigns: Path) -> None:
    """Each line ends with a line end, no byte steers a terminal, and nothing is asked of one."""
    ran = piped("session begin\nroll nav 3 5\nstatus\n1\n5\nnote Wer da? 😀\nmoves\nhelp\nrecap\nlog 50\n")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert not any((byte < 0x20 and byte != 0x0A) or byte == 0x7F for byte in ran.stdout)
    lines = ran.stdout.decode().splitlines()
    assert all(line.endswith((".", "!", "?", ":", "…", "”")) for line in lines), lines
    assert "Tenacity rolls NAV: 3 5." in lines
    assert [entry.words for entry in played(campaigns / "tenacity")] == [
        "session begin",
        "roll nav",
        "focus 5",
        'note "Wer da? 😀"',
    ]


def test_a_number_may_be_a_word_wherever_one_is_typed(campaigns: Path) -> None:
    """A number may be typed as a word, as voice typing writes it."""
    ran = piped("note Alpha\nnote Beta\nlog two\nundo number 49\nundo fifty\nrecap Seven\nlog many\n")
    said = ran.stdout.decode()
    assert [entry.undoes for entry in played(campaigns / "tenacity")] == [(), (), (49,)]
    assert "49, " in said
    assert "Type “undo”, “undo last”, or “undo” and the number of an entry." in said
    assert "session 7" in said.rpartition("Type undo")[2]
    assert said.splitlines()[-1].startswith("Type “log” and how many actions")


def test_it_loads_no_screen(campaigns: Path) -> None:
    """Line mode loads neither Textual nor Rich, nor anything that only the app needs."""
    ran = subprocess.run(
        [sys.executable, "-c", LOADED, "play", "tenacity"],
        input=b"roll nav\nhelp\nundo\n",
        capture_output=True,
        check=True,
        timeout=60,
    )
    loaded = {name.partition(".")[0] for name in ran.stderr.decode().split()}
    assert not loaded & {"textual", "rich", "tomlkit", "asyncio"}


def test_an_input_that_ends_in_a_line_does_not_do_half_of_it(campaigns: Path) -> None:
    """`damage ship 1` may be the beginning of `damage ship 12`."""
    ran = piped("note one\nnote tw")
    assert ran.returncode == 2
    assert ran.stdout.decode().splitlines()[-1] == UNFINISHED
    assert [entry.words for entry in played(campaigns / "tenacity")] == ['note "one"']


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"note " + b"x" * LONGEST, TOO_LONG),
        (b"x" * 3_000_000, TOO_LONG),
        (b"note caf\xe9", NOT_TEXT),
        (b"note a\x1b[Ab", CONTROLS),
        (b"note a\x00b", CONTROLS),
        ("note a\x9b31mb".encode(), CONTROLS),
        (b".", "No such command: “.”"),
    ],
)
def test_a_line_that_is_none_is_refused_and_the_next_is_done(campaigns: Path, line: bytes, answer: str) -> None:
    """Nothing of it reaches the log, and nothing of it is echoed."""
    ran = piped(line + b"\nnote after\n")
    assert ran.returncode == 2
    assert answer in ran.stdout.decode().splitlines()
    assert [entry.words for entry in played(campaigns / "tenacity")] == ['note "after"']


def test_line_ends_of_windows_and_a_mark_at_the_start_are_fine(campaigns: Path) -> None:
    """Windows line ends and a byte order mark are read as if they weren't there, and neither gets into the log."""
    ran = piped("\ufeffnote one\r\nnote\ttwo\r\n")
    assert ran.returncode == 0
    assert [entry.words for entry in played(campaigns / "tenacity")] == ['note "one"', 'note "two"']


def test_the_exit_code_tells_a_script_of_the_first_failure(campaigns: Path) -> None:
    """3 for what the rules refuse, 2 for what is not understood; the rest is done all the same."""
    assert piped("roll nav 9\nnonsense here\nnote on\n").returncode == 3
    assert piped("nonsense here\nroll nav 9\n").returncode == 2
    assert [entry.words for entry in played(campaigns / "tenacity")] == ['note "on"']


@pytest.mark.parametrize("command", [("open", "tenacity"), ("play", "tenacity", "--read-only")])
def test_where_nothing_can_be_drawn_open_plays_by_lines(campaigns: Path, command: tuple[str, ...]) -> None:
    """Without a terminal `open` is line mode; who looks on plays nothing and copies nothing."""
    ran = piped("note hello\n", *command)
    assert ran.stdout.startswith(b"Tenacity: Veil Runners")
    read_only = "--read-only" in command
    assert ran.returncode == (3 if read_only else 0)
    assert (campaigns / "tenacity").exists() is not read_only


def test_the_last_campaign_goes_on_without_its_name(campaigns: Path) -> None:
    """`waylog` alone; before any was opened, it names those that there are."""
    ran = piped("", "--dir", str(campaigns))
    assert ran.returncode == 2
    assert b"slack-water" in ran.stderr
    piped("note one\n")
    assert piped("note two\n", "--dir", str(campaigns)).returncode == 0
    assert [entry.words for entry in played(campaigns / "tenacity")] == ['note "one"', 'note "two"']


def test_a_reader_that_leaves_is_no_error(campaigns: Path) -> None:
    """`waylog play … | head -1` ends quietly."""
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(
        [sys.executable, "-m", "waylog", "play", "tenacity"],
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
    ) as run:
        os.close(writing)
        assert run.stdin
        assert run.stderr
        assert run.stderr.read() == b""
        assert run.wait(60) == 0


def test_a_closed_input_is_one_that_has_ended(campaigns: Path) -> None:
    """`waylog play … <&-` says how things stand, and leaves."""
    run = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m waylog play tenacity <&-'], capture_output=True, check=False, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout


def test_ctrl_c_leaves_and_all_is_saved(campaigns: Path) -> None:
    """What was played is in the file, and the exit code is the usual one."""
    with subprocess.Popen(
        [sys.executable, "-m", "waylog", "play", "tenacity"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        assert run.stdin
        assert run.stdout
        run.stdin.write(b"set ship.focus 3\nnote The answer is 3\n")
        run.stdin.flush()
        lines = iter(run.stdout.readline, b"")
        assert any(line == b"The answer is 3.\n" for line in lines)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (130, b"")
    assert "focus = 3" in (campaigns / "tenacity" / "campaign.toml").read_text()


def test_on_a_terminal_there_is_a_prompt_and_nothing_is_drawn(campaigns: Path) -> None:
    """Lines are wrapped at the window's edge, and no byte steers the terminal, with TERM=dumb or by name."""
    for command, term in (("open", "dumb"), ("play", "xterm-256color")):
        terminal = Terminal([sys.executable, "-m", "waylog", command, "tenacity"], {**os.environ, "TERM": term}, 60, 36)
        try:
            terminal.until(lambda text: "\n> " in text)
            terminal.press("help\n")
            terminal.until(lambda text: "To leave, type “quit”." in text)
            terminal.press("quit\n")
            assert terminal.end() == 0
        finally:
            terminal.close()
        assert b"\x1b" not in terminal.raw
        assert max(map(len, terminal.raw.decode().splitlines())) < 60
