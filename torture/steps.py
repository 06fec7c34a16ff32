"""A person's save at each step of an act, and kill -9 or another save at each step that follows.

What chance hits once in hundreds of kills, because it lies between two calls, is gone through here step by step.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

from torture.campaigns import FILE, Witness, made, opened, saves_in_one_piece
from torture.figures import Harness, Tally, Work
from torture.processes import forked

_Does = Callable[[Path], None]
_SYSTEM = ("posix", "fcntl", "_ctypes")
"""Where the calls to the system are: between two of them nobody else sees a difference. An exchange of files is prepared by `_ctypes`."""
_WRONGS = ("saves lost", "saves taken in twice", "comments lost", "files unreadable", "states wrong", "strays")
_MISSED = 9
"""The exit code of a process that came to its end before the second thing happened."""


class _Save(NamedTuple):
    """What a person writes, where no act does."""

    table: str
    key: str
    text: str

    @property
    def comment(self) -> str:
        return f"# noted with {self.text}"

    def put(self, folder: Path) -> None:
        """Put a file in place that says it, made from the one that is there, as an editor does."""
        file = folder / FILE
        pattern = rf'^(\[{re.escape(self.table)}\]\n(?:[^\[\n]*\n)*?{self.key} = )"[^"\n]*"'
        said = rf'\g<1>"{self.text}"  {self.comment}'
        edited, count = re.subn(pattern, said, file.read_text(), count=1, flags=re.MULTILINE)
        assert count == 1, "nowhere to write it"
        beside = folder / f"{FILE}~"
        beside.write_text(edited)
        beside.replace(file)


_FIRST, _SECOND = _Save("ship", "about", "first"), _Save("crew.mara", "role", "second")


def run(work: Work) -> Iterator[Tally]:
    """A save and then kill -9; then two saves and nobody killed."""
    with saves_in_one_piece():
        yield from _go_through_both(work)


def _go_through_both(work: Work) -> Iterator[Tally]:
    scene = made(work.folder / "scene")
    table = opened(scene, Random(0))
    table.play(table.understand('clock "Hull breach" 6 catastrophe'))
    table.settle()
    witness = Witness(scene)
    yield _gone_through(work, witness, "a save at each step of an act, kill -9 at each later one", _killed, (_FIRST,))
    yield _gone_through(
        work, witness, "a save at each step of an act, another at each later one", _SECOND.put, (_FIRST, _SECOND)
    )


def _killed(_folder: Path) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _gone_through(work: Work, scene: Witness, promise: str, then: _Does, saves: tuple[_Save, ...]) -> Tally:
    """Every pair of steps, the second from the first on, until the process comes to its end before it."""
    tally = Tally(promise, "pairs", _WRONGS)
    stride = work.times(1, 23, 80)
    first, reached = work.seed % stride + 1, True
    while reached:
        later, reached = work.seed % stride, False
        while True:
            trial = _copied(work, scene)
            pid = forked(lambda: _act(trial.folder, first, first + later, then))  # noqa: B023  it is called before they change
            if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == _MISSED:
                break
            reached = True
            tally.did()
            _look(trial, f"steps {first} and {first + later}", saves, tally)
            later += stride
        first += stride
    return tally


def _copied(work: Work, scene: Witness) -> Witness:
    trial = work.folder / "trial"
    shutil.rmtree(trial, ignore_errors=True)
    shutil.copytree(scene.folder, trial)
    return Witness(trial, scene)


def _act(folder: Path, first: int, second: int, then: _Does) -> None:
    """Do an act and look for edits twice, as the app does; the two things happen at their steps."""
    table = opened(folder, Random(0))
    with _at_steps([(first, _FIRST.put), (second, then)], folder) as left:
        table.play(table.understand("tick hull"))
        for _ in range(2):
            table.refresh()
            table.settle()
    if left:
        os._exit(_MISSED)
    table.refresh()
    table.settle()


@contextmanager
def _at_steps(what: list[tuple[int, _Does]], folder: Path) -> Iterator[list[tuple[int, _Does]]]:
    """Do things just before a step: a call to the system. Gives what was not reached."""
    steps = 0

    def traced(_frame: FrameType, event: str, called: Any) -> None:
        nonlocal steps
        if event == "c_call" and called.__module__ in _SYSTEM:
            steps += 1
            while what and what[0][0] == steps:
                what.pop(0)[1](folder)

    sys.setprofile(traced)
    try:
        yield what
    finally:
        sys.setprofile(None)


def _look(trial: Witness, where: str, saves: tuple[_Save, ...], tally: Tally) -> None:
    """Hold what the next start finds against what was saved."""
    tally.all_wrong("files unreadable", where, trial.unreadable())
    found = trial.next_start()
    tally.all_wrong("files unreadable", where, found.unreadable)
    tally.all_wrong("states wrong", where, found.states)
    tally.all_wrong("strays", where, found.strays)
    kept = [trial.folder / FILE, *(trial.folder / "history").glob("*.toml")]
    texts = [path.read_text() for path in kept]
    for save in saves:
        told = [
            entry.number
            for entry in trial.entries
            for change in entry.changes
            if entry.kind.is_edit and change.after == save.text
        ]
        if not told or f'"{save.text}"' not in texts[0]:
            tally.wrong("saves lost", f"{where}: {save.text}, told in {told}")
        elif len(told) > 1:
            tally.wrong("saves taken in twice", f"{where}: {save.text}, told in {told}")
        if not any(save.comment in text for text in texts):
            tally.wrong("comments lost", f"{where}: {save.comment}")


HARNESS = Harness("steps", "a person's save at each step of an act, kill -9 at each later one", run)
