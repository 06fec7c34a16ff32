"""Editors that stay open on a campaign: the file's bytes change by the editor alone, and nobody is warned of anything.

Each editor keeps one buffer and saves it again and again, without ever reading the file anew. A script does the same against
a game that goes on; then the file changes by play too, and what must not come up is a conflict where nobody played.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from bench.terminal import NotShown, Terminal
from torture.campaigns import FILE, Witness, made, opened
from torture.figures import Harness, Tally, Work
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import EntryKind
from waylog.store.files_and_lock import CampaignBusy
from waylog.table import LogWriteFailed
from waylog.toml.document import UnreadableFile

_LOOK = 0.5
"""Seconds between two looks, as the app has it."""
_WARNING = re.compile(r"WARNING|W1[0-9]:|changed on disk|changed since|was modified|Really edit", re.IGNORECASE)
_WRONGS = ("warnings", "bytes changed by others", "conflicts", "questions", "edits lost", "states wrong", "breakdowns")
_PATIENCE = 60.0
_Saves = Callable[[Path, str], None]
"""Have the open editor put a text into the file and save it."""


def run(work: Work) -> Iterator[Tally]:
    """All editors at once, each on a campaign of its own."""
    tally = Tally("editors that stay open and save again and again", "saves", _WRONGS, work.times(500, 6, 4))
    seconds, lock = work.times(600, 2, 0), threading.Lock()
    runs = [(name, editor, False) for name, editor in EDITORS.items() if shutil.which(name) or name == "script"]
    threads = [
        threading.Thread(
            target=_stays_open, args=(work.folder / f"{name}-{plays}", name, editor, seconds, plays, tally, lock)
        )
        for name, editor, plays in [*runs, ("script", EDITORS["script"], True)]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    yield tally


def _stays_open(
    folder: Path,
    name: str,
    editor: Callable[[Path, Callable[[_Saves, Callable[[], str]], None]], None],
    seconds: float,
    plays: bool,
    tally: Tally,
    lock: threading.Lock,
) -> None:
    """Save from one buffer until the time is over, with the campaign open."""
    faults, texts = list[tuple[str, str]](), list[str]()
    made(folder)
    witness, ended, questions = Witness(folder), threading.Event(), list[str]()
    begins = opened(folder, Random(0))
    begins.play(begins.understand("note begins"))
    begins.settle()
    player = threading.Thread(target=_look_on, args=(folder, ended, questions, faults, plays))
    player.start()

    def goes_on(saves: _Saves, shown: Callable[[], str]) -> None:
        until = time.monotonic() + seconds
        while not texts or time.monotonic() < until:
            texts.append(f"{name} saves {len(texts)}")
            saves(folder / FILE, texts[-1])
            data = (folder / FILE).read_bytes()
            time.sleep(1.0)
            if texts[-1].encode() not in data:
                faults.append(("edits lost", f"{name}: {texts[-1]} was not saved: {shown()}"))
            if not plays and (folder / FILE).read_bytes() != data:
                faults.append(("bytes changed by others", f"{name}, after {texts[-1]}"))
            if found := _WARNING.search(shown()):
                faults.append(("warnings", f"{name}, after {texts[-1]}: {found[0]}"))

    try:
        editor(folder, goes_on)
    except (OSError, AssertionError, NotShown, ValueError) as error:
        faults.append(("breakdowns", f"{name}: {error!r}"))
    time.sleep(2 * _LOOK + 2)
    ended.set()
    player.join()
    for path in folder.iterdir():
        if path.name.endswith("~") or path.name.startswith((".viminfo", ".emacs", ".local", ".cache", ".config")):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    found_there = witness.next_start()
    faults += [("states wrong", f"{name}: {wrong}") for wrong in (*found_there.states, *found_there.unreadable)]
    faults += [
        ("conflicts", f"{name}: entry {entry.number}")
        for entry in witness.entries
        if entry.kind is EntryKind.AGAINST_PLAY
    ]
    faults += [("questions", f"{name}: {question}") for question in set(questions)]
    logged = {change.after for entry in witness.entries if entry.kind is EntryKind.BY_HAND for change in entry.changes}
    if texts and texts[-1] not in logged:
        faults.append(("edits lost", f"{name}: {texts[-1]}"))
    with lock:
        tally.did(len(texts))
        tally.also[f"by {name}{' while it is played' if plays else ''}"] = len(texts)
        for kind, where in faults:
            tally.wrong(kind, where)


def _look_on(
    folder: Path, ended: threading.Event, questions: list[str], faults: list[tuple[str, str]], plays: bool
) -> None:
    """The app: a look twice a second, and the file brought up."""
    try:
        table, looks = opened(folder, Random(1)), 0
    except UnreadableFile as error:
        size, now = (folder / FILE).stat().st_size, time.time()
        faults.append(("breakdowns", f"{folder.name} was not opened at {now}: {error}; the file has {size} bytes now"))
        return
    while not ended.wait(_LOOK):
        looks += 1
        with suppress(ActRefused, LogWriteFailed, CampaignBusy):
            table.refresh()
            if plays and looks % 3 == 0:
                table.play(table.understand(f"set ship.focus {looks // 3 % 3}"))
        table.settle()
        if asked := table.snapshot.asked:
            questions.append(asked.about)


# -- editors ----------------------------------------------------------------------------------------------------------


def _until_saved(file: Path, text: str, terminal: Terminal) -> None:
    """Wait until the file says it, or the editor asks whether it shall."""
    deadline = time.monotonic() + _PATIENCE
    while text.encode() not in file.read_bytes() and not _WARNING.search(terminal.text):
        assert time.monotonic() < deadline, f"never saved {text}: {terminal.text}"
        terminal.settled()
    terminal.settled()


def _environment(folder: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "xterm-256color", "LANG": "C.UTF-8"}


def _vim(folder: Path, goes_on: Callable[[_Saves, Callable[[], str]], None]) -> None:
    command = ["vim", "-u", "NONE", "-i", "NONE", "-n", "-c", "set nocompatible", FILE]
    with Terminal(command, _environment(folder), folder) as terminal:
        terminal.shown("schema")

        def saves(file: Path, text: str) -> None:
            terminal.press(f':%s/^about = .*/about = "{text}"/\r')
            terminal.press(":w\r")
            _until_saved(file, text, terminal)

        goes_on(saves, lambda: terminal.text)
        terminal.leave(":q!\r")


def _nano(folder: Path, goes_on: Callable[[_Saves, Callable[[], str]], None]) -> None:
    with Terminal(["nano", "-I", FILE], _environment(folder), folder) as terminal:
        terminal.shown("schema")

        def saves(file: Path, text: str) -> None:
            terminal.press("\x1b\\")  # to the first line
            terminal.press("\x17about = \r")
            terminal.press(f'\x0babout = "{text}"\r')
            terminal.press("\x0f")
            terminal.press("\r")
            _until_saved(file, text, terminal)

        goes_on(saves, lambda: terminal.text)
        terminal.leave("\x18")


def _emacs(folder: Path, goes_on: Callable[[_Saves, Callable[[], str]], None]) -> None:
    with Terminal(["emacs", "-nw", "-Q", FILE], _environment(folder), folder) as terminal:
        terminal.shown("schema")

        def saves(file: Path, text: str) -> None:
            terminal.press("\x1b<")
            terminal.press("\x13about = ")
            terminal.press("\r")
            terminal.press("\x01\x0b")
            terminal.press(f'about = "{text}"')
            terminal.press("\x18\x13")
            _until_saved(file, text, terminal)

        goes_on(saves, lambda: terminal.text)
        terminal.leave("\x18\x03")


def _script(folder: Path, goes_on: Callable[[_Saves, Callable[[], str]], None]) -> None:
    """It has read the file once, and writes its own text over it."""
    buffer = (folder / FILE).read_text()

    def saves(file: Path, text: str) -> None:
        file.write_text(re.sub(r'^about = "[^"\n]*"', f'about = "{text}"', buffer, count=1, flags=re.MULTILINE))

    goes_on(saves, lambda: "")


EDITORS = {"vim": _vim, "nano": _nano, "emacs": _emacs, "script": _script}
"""By the program's name."""
HARNESS = Harness("quiet", "editors that stay open while nothing is played", run, ("vim", "nano", "emacs"))
