"""Real editors on the campaign file while it is played: neither what they save nor what is played is lost.

Each edit gives the notes of one clock a text of its own. Nobody but these edits and a few acts ever touches the notes, so
an entry “by hand” that changes anything else has taken an old copy's word for what was played meanwhile.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Self

from bench.terminal import Terminal
from torture.campaigns import FILE, Witness, fingerprint, made, opened
from torture.figures import Harness, Tally, Work
from torture.processes import forked
from waylog.rules.codec.changes import Value, format_path
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import Table

_CLOCKS = 40
_EACH = 0.1
"""Seconds from act to act: ten times as fast as promised."""
_LOOK = 0.02
_PATIENCE = 60.0
_WROTE, _ASKS = r"Wrote \d", "continue saving"
"""What nano says once it has saved, and where somebody else has saved since it read the file."""
_WRONGS = ("hand edits lost", "acts lost", "played values lost", "states wrong", "strays")
_CLOCK = """
# What k{number:02} is about
[clocks.k{number:02}]
name = "Threat {number}"
kind = "push"   # for now
segments = 12
filled = 0
notes = ""  # k{number:02} notes
outcome = ""
"""


@dataclass(frozen=True)
class Edit:
    """One edit by hand: the notes of a clock are to say a text that nothing else says."""

    file: Path
    clock: int
    text: str
    dwell: float
    """Seconds for which the editor has the file open."""

    @property
    def key(self) -> str:
        return f"k{self.clock:02}"

    @property
    def line(self) -> str:
        return f'notes = "{self.text}"  # {self.key} notes'

    @property
    def pattern(self) -> str:
        return f"^notes = .*# {self.key} notes$"

    def edited(self) -> str:
        """The file's text as it is now, with the edit."""
        return re.sub(self.pattern, self.line, self.file.read_text(), flags=re.MULTILINE)


def run(work: Work) -> Iterator[Tally]:
    """Edit and play at once, then look for every edit and every act."""
    chosen = {name: editor for name, editor in EDITORS.items() if shutil.which(name.partition(" ")[0])}
    tally = Tally("hand edits by real editors while it is played", "edits", _WRONGS, work.times(500, 30, len(EDITORS)))
    folder = made(work.folder / "campaign")
    with (folder / FILE).open("a") as file:
        file.writelines(_CLOCK.format(number=number) for number in range(_CLOCKS))
    _run(folder, "git", "init", "--quiet")
    witness, random, edits = Witness(folder), Random(work.seed), list[Edit]()
    # From now on what a person changes is a change; before, it is how the campaign begins.
    begins = opened(folder, Random(work.seed))
    begins.play(begins.understand("note begins"))
    with _Playing(folder, Random(work.seed + 1), work.folder / "said") as player:
        for number in range(tally.wanted):
            name = [*chosen][number % len(chosen)]
            text = f"edit {number:04} by {name}"
            edits.append(Edit(folder / FILE, random.randrange(_CLOCKS), text, random.uniform(0, 0.2)))
            chosen[name](edits[-1])
            _until_noticed(folder, text)
            player.still_plays()
            tally.did()
            tally.also[f"by {name}"] += 1
    _clear_up(folder)
    _look(witness, edits, work.folder / "said", tally)
    yield tally


# -- the game that goes on --------------------------------------------------------------------------------------------


class _Playing:
    """A process that plays on the campaign while this is entered, and has brought the file up when it is left."""

    def __init__(self, folder: Path, random: Random, said: Path) -> None:
        self._folder, self._random, self._said = folder, random, said

    def __enter__(self) -> Self:
        reading, self._ending = os.pipe()
        self._pid = forked(partial(_play, self._folder, self._random, self._said, reading, self._ending))
        os.close(reading)
        return self

    def still_plays(self) -> None:
        """Raises when it has ended."""
        assert os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None, "the player gave up"

    def __exit__(self, *_: object) -> None:
        os.close(self._ending)
        os.waitpid(self._pid, 0)


def _play(folder: Path, random: Random, said: Path, ending: int, own: int) -> None:
    os.close(own)
    table, done = opened(folder, random), threading.Event()
    settling = threading.Thread(target=_settle_until, args=(table, done))
    settling.start()
    due, count = time.monotonic(), 0
    with said.open("w", buffering=1) as lines:
        while not select.select([ending], [], [], _LOOK)[0]:
            table.refresh()
            if time.monotonic() >= due:
                due, count = due + _EACH, count + 1
                with suppress(ActRefused):
                    entry = table.play(table.understand(_line(random, count)))
                    lines.write(f"{entry.number} {fingerprint(entry)}\n")
            lines.writelines(f"conflict {each.file} / {each.played}\n" for each in table.snapshot.conflicts)
    done.set()
    settling.join()
    table.refresh()
    table.settle()


def _line(random: Random, count: int) -> str:
    key = f"k{random.randrange(_CLOCKS):02}"
    lines = (f'set "clocks.{key}.outcome played-{count}"', f'note "{count}"', f"tick {key} {random.choice((1, -1))}")
    if random.random() < 0.1:
        return f'set "clocks.{key}.notes played-{count}"'
    return random.choice((*lines, "roll nav 6 1", "roll cpu 6 1"))


def _settle_until(table: Table, done: threading.Event) -> None:
    while not done.is_set():
        if not table.file_is_behind() or not table.settle():
            time.sleep(0.001)


def _until_noticed(folder: Path, text: str) -> None:
    """Wait until the log tells of an edit. One that it never tells of is looked for at the end."""
    deadline = time.monotonic() + _PATIENCE
    wanted = text.encode()
    while time.monotonic() < deadline:
        if any(wanted in path.read_bytes() for path in (folder / "log").glob("*.toml")):
            return
        time.sleep(0.005)


# -- editors ----------------------------------------------------------------------------------------------------------


def _sed(edit: Edit) -> None:
    _run(edit.file.parent, "sed", "-i", f"s/{edit.pattern}/{edit.line}/", FILE)


def _vim(edit: Edit, *settings: str) -> None:
    wait = f"sleep {1 + int(edit.dwell * 1000)}m"
    commands = [*settings, f"%s/{edit.pattern}/{edit.line}/", wait, "wq!"]
    options = [part for line in commands for part in ("-c", line)]
    command = ("vim", "-u", "NONE", "-n", "-es", *options, FILE)
    # It asks whether to write a file that has changed since it was read; and where one changes under its very hands, it
    # writes nothing and says so (E949). Then one saves again.
    if not any(_exit_code(edit.file.parent, *command, answers="y\n") == 0 for _ in range(20)):
        raise AssertionError(f"vim would not save {edit.text}: {edit.file.read_text()}")


def _vim_renames(edit: Edit) -> None:
    _vim(edit, "set backup backupskip= backupcopy=no")


def _vim_in_place(edit: Edit) -> None:
    _vim(edit, "set backupcopy=yes")


def _emacs(edit: Edit) -> None:
    # As if a person had said yes when asked whether to edit and save a file that has changed.
    program = f"""(progn (load "userlock" nil t)
        (fset 'ask-user-about-supersession-threat 'ignore) (fset 'verify-visited-file-modtime 'always)
        (find-file "{FILE}") (goto-char (point-min)) (re-search-forward "{edit.pattern}") (sleep-for {edit.dwell})
        (replace-match {_lisp(edit.line)} t t) (save-buffer))"""
    _run(edit.file.parent, "emacs", "-Q", "--batch", "--eval", program)


def _lisp(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _nano(edit: Edit) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(edit.file.parent),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }
    with Terminal(["nano", "-I", FILE], environment, edit.file.parent) as terminal:
        terminal.shown("schema")
        terminal.press(f"\x17# {edit.key} notes\r")
        terminal.press(f"\x0b{edit.line}\r")
        terminal.press("\x0f")
        terminal.press("\r")
        # It first says for a moment that the file has changed, and only then asks.
        _until_shown(terminal, f"{_WROTE}|{_ASKS}")
        if re.search(_ASKS, terminal.text):
            terminal.press("y")
            _until_shown(terminal, _WROTE)
        terminal.leave("\x18")


def _until_shown(terminal: Terminal, pattern: str) -> None:
    """Wait until the pattern is on the screen, if it isn't yet."""
    if not re.search(pattern, terminal.text):
        terminal.shown(pattern)


def _cp(edit: Edit) -> None:
    copy = edit.file.parent.with_name("copy.toml")
    copy.write_text(edit.edited())
    time.sleep(edit.dwell)
    _run(edit.file.parent, "cp", str(copy), FILE)


def _mv(edit: Edit) -> None:
    copy = edit.file.parent.with_name("copy.toml")
    copy.write_text(edit.edited())
    time.sleep(edit.dwell)
    _run(edit.file.parent, "mv", str(copy), FILE)


def _git(edit: Edit) -> None:
    """Another version of the file, checked out over this one."""
    copy = edit.file.parent.with_name("copy.toml")
    copy.write_text(edit.edited())
    kept = _run(edit.file.parent, "git", "hash-object", "-w", "--no-filters", str(copy)).strip()
    _run(edit.file.parent, "git", "update-index", "--add", "--cacheinfo", f"100644,{kept},{FILE}")
    time.sleep(edit.dwell)
    # git takes the file away and then makes it anew. Where it is there again in between, git does nothing and says so.
    checkout = ("git", "checkout", "--quiet", "--", FILE)
    if not any(_exit_code(edit.file.parent, *checkout, answers="") == 0 for _ in range(20)):
        raise AssertionError(f"git would not check out {edit.text}")


EDITORS: Mapping[str, Callable[[Edit], None]] = {
    "sed": _sed,
    "vim": _vim_renames,
    "nano": _nano,
    "emacs": _emacs,
    "git": _git,
    "cp": _cp,
    "vim in place": _vim_in_place,
    "mv": _mv,
}
"""By the program's name."""


def _run(folder: Path, *command: str) -> str:
    done = _done(folder, command)
    assert done.returncode == 0, f"{command}: {done.stderr or done.stdout}"
    return done.stdout


def _exit_code(folder: Path, *command: str, answers: str) -> int:
    return _done(folder, command, answers).returncode


def _done(folder: Path, command: Sequence[str], answers: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, input=answers, capture_output=True, text=True, check=False
    )


# -- what came of it --------------------------------------------------------------------------------------------------


def _clear_up(folder: Path) -> None:
    """Take away what editors leave beside a file."""
    shutil.rmtree(folder / ".git")
    for path in folder.iterdir():
        if path.name.endswith("~") or path.name in (".local", ".cache", ".emacs.d", ".viminfo", ".config"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _look(witness: Witness, edits: list[Edit], said: Path, tally: Tally) -> None:
    found = witness.next_start()
    tally.all_wrong("states wrong", "next start", (*found.unreadable, *found.states))
    tally.all_wrong("strays", "next start", found.strays)
    conflicts, said_of = list[str](), dict[int, int]()
    for line in said.read_text().splitlines():
        if line.startswith("conflict"):
            conflicts.append(line)
            continue
        number, kept = map(int, line.split())
        said_of[number] = kept
    tally.all_wrong("acts lost", "entry", witness.lost(said_of))
    tally.also["acts"], tally.also["conflicts listed"] = len(said_of), len(set(conflicts))
    by_hand = _changes(witness.entries, EntryKind.BY_HAND)
    against = _changes(witness.entries, EntryKind.AGAINST_PLAY)
    intended = {(f"clocks.{edit.key}.notes", edit.text) for edit in edits}
    text = (witness.folder / FILE).read_text()
    # An edit against play is in the log too. The next act on the same notes settles it, perhaps before anybody lists it.
    for path, after in sorted(intended - by_hand - against):
        if after not in text and not any(after in line for line in conflicts):
            tally.wrong("hand edits lost", f"{path} = {after!r}")
    for changed in sorted(map(str, by_hand - intended)):
        tally.wrong("played values lost", f"{changed} counts as changed by hand")


def _changes(entries: Iterable[LogEntry], kind: EntryKind) -> set[tuple[str, Value]]:
    """The path and the new value of each change in the entries of that kind."""
    return {
        (format_path(change.path), change.after) for entry in entries if entry.kind is kind for change in entry.changes
    }


HARNESS = Harness(
    "editors", "hand edits by real editors against an app that plays", run, ("vim", "nano", "emacs", "sed", "git", "cp")
)
