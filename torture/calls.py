"""Every system call of one act that touches the campaign: killed at it, and failed at it, by strace.

A first run notes the calls; then the same command runs once for each of them, on a copy of the same campaign, and strace
kills the process there or makes the call fail.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from torture.campaigns import Witness, made, opened
from torture.figures import Harness, Tally, Work

T = TypeVar("T")
_WATCHED = "%file,%desc"
_LINE = re.compile(r"^\d+ +(\w+)\(")
_TRIES = 6
"""How often a call is aimed at: once in many runs Python makes one more of a kind, or one less, before it gets there."""
_Done = subprocess.CompletedProcess[str]
_ERRORS = ("ENOSPC", "EIO", "EACCES", "EROFS")


class Call(NamedTuple):
    """One system call of a command that names the campaign."""

    name: str
    nth: int
    """Among all calls of this name."""
    of_campaign: int
    """Among the calls of this name that name the campaign. It stays, whatever Python does before."""
    text: str


@dataclass(frozen=True)
class Scene:
    """A campaign, and the command that is run on it."""

    name: str
    folder: Path
    words: tuple[str, ...]
    witness: Witness
    before: int
    """How many entries its log has."""


def killed(work: Work) -> Iterator[Tally]:
    """A kill -9 at every call; then all is as before the act, or as after it."""
    wrongs = ("neither old nor new", "files unreadable", "strays", "calls missed")
    for scene in _scenes(work):
        tally = Tally(f"SIGKILL at each call of {scene.name}", "calls", wrongs)
        for call in _some(work, _calls(work, scene), 5):
            trial, done = _aimed(work, scene, call, "signal=SIGKILL", lambda done, _: _was_killed(done))
            tally.did()
            if not _was_killed(done):
                tally.wrong("calls missed", f"{call.text}: the command ended with {done.returncode}")
            _look(scene, trial, call.text, tally)
        yield tally


def failed(work: Work) -> Iterator[Tally]:
    """Each error at every call: nothing is damaged, and whatever was not done is said."""
    wrongs = ("damaged", "files unreadable", "strays", "not told", "told wrongly", "tracebacks", "calls missed")
    for scene in _scenes(work):
        tally = Tally(f"{', '.join(_ERRORS)} at each call of {scene.name}", "errors", wrongs)
        points = [(call, error) for call in _calls(work, scene) for error in _ERRORS]
        for call, error in _some(work, points, 37):
            trial, done = _aimed(work, scene, call, f"error={error}", lambda _, trial: _was_hit(work, trial))
            tally.did()
            if not _was_hit(work, trial):
                tally.wrong("calls missed", call.text)
            _judge(scene, trial, f"{error} at {call.text}", done, tally)
        yield tally


def _look(scene: Scene, trial: Witness, where: str, tally: Tally) -> int:
    """Hold the folder and what the next start finds against what may be. Gives how many entries the log has."""
    tally.all_wrong("files unreadable", where, trial.unreadable())
    found = trial.next_start()
    kind = "neither old nor new" if "neither old nor new" in tally.wrongs else "damaged"
    tally.all_wrong("files unreadable", where, found.unreadable)
    tally.all_wrong(kind, where, found.states)
    tally.all_wrong("strays", where, found.strays)
    entries = len(trial.entries)
    if entries not in (scene.before, scene.before + 1):
        tally.wrong(kind, f"{where}: the log has {entries} entries")
    return entries


def _judge(scene: Scene, trial: Witness, where: str, done: _Done, tally: Tally) -> None:
    """What was said has to be what was done."""
    brought_up = not trial.unreadable() and str(trial.tree().get("log", "")).endswith(f":{scene.before + 1}")
    entries = _look(scene, trial, where, tally)
    said = f"exit {done.returncode}, “{done.stderr.strip()[:150]}”"
    if "Traceback" in done.stderr or "unexpected error" in done.stderr:
        tally.wrong("tracebacks", f"{where}: {said}")
    if not done.stderr.strip() and (done.returncode or not brought_up):
        tally.wrong("not told", f"{where}: {said}")
    if (done.returncode == 0) != (entries == scene.before + 1):
        tally.wrong("told wrongly", f"{where}: {said}, and the log has {entries} entries after {scene.before}")


def _scenes(work: Work) -> Iterator[Scene]:
    """The first act of a campaign, a later one that fills a clock, taking one back, and bringing back an earlier file."""
    fresh = made(work.folder / "fresh")
    yield Scene("the first act", fresh, ("do", "damage", "mara", "--dice", "6"), Witness(fresh), 0)
    played = made(work.folder / "played")
    witness = Witness(played)
    _play(played, 'clock "Hull breach" 4 catastrophe', "tick hull 3", "roll nav 6 1")
    yield Scene("an act", played, ("do", "tick", "hull"), witness, 3)
    yield Scene("an undo", played, ("undo",), witness, 3)
    yield Scene("a restore", played, ("restore", "0001-000000"), witness, 3)


def _play(folder: Path, *lines: str) -> None:
    table = opened(folder, Random(0))
    for line in lines:
        table.play(table.understand(line))
    table.settle()


def _some(work: Work, points: Sequence[T], step: int) -> Sequence[T]:
    """Every point; in the short form each `step`th, from one on that the seed says; for a taste that one alone."""
    stride = work.times(1, step, len(points))
    return points[work.seed % stride :: stride]


# -- strace -----------------------------------------------------------------------------------------------------------


def _copied(work: Work, scene: Scene) -> Witness:
    """The scene's campaign, always at the same place, so that every run makes the same calls."""
    trial = work.folder / "trial"
    shutil.rmtree(trial, ignore_errors=True)
    shutil.copytree(scene.folder, trial)
    return Witness(trial, scene.witness)


def _calls(work: Work, scene: Scene) -> list[Call]:
    """Every call of the scene's command that names the campaign or a file in it."""
    _copied(work, scene)
    _run(work, scene)  # once before, so that Python has compiled what it imports
    return _count_calls(work, scene)


def _count_calls(work: Work, scene: Scene) -> list[Call]:
    """Run the scene's command, and give its calls in their order."""
    trial = _copied(work, scene)
    done = _traced(work, scene, f"trace={_WATCHED}")
    assert done.returncode == 0, done.stderr
    all_calls, of_campaign, calls = Counter[str](), Counter[str](), list[Call]()
    for line in (work.folder / "trace").read_text(errors="replace").splitlines():
        if found := _LINE.match(line):
            name = found[1]
            all_calls[name] += 1
            if str(trial.folder) in line:
                of_campaign[name] += 1
                calls.append(Call(name, all_calls[name], of_campaign[name], line.partition(" ")[2].strip()))
    return calls


def _aimed(
    work: Work, scene: Scene, call: Call, what: str, hit: Callable[[_Done, Witness], bool]
) -> tuple[Witness, _Done]:
    """Run the scene's command on a copy with something happening to one of its calls, again if it happened to another.

    Before it aims again it counts again: Python doesn't always make the same calls before it comes to the campaign.
    """
    tries = 0
    while True:
        trial, tries = _copied(work, scene), tries + 1
        done = _injected(work, scene, call, what)
        if tries == _TRIES or hit(done, trial):
            return trial, done
        for counted in _count_calls(work, scene):
            if (counted.name, counted.of_campaign) == (call.name, call.of_campaign):
                call = counted


def _injected(work: Work, scene: Scene, call: Call, what: str) -> _Done:
    """Run the scene's command with something happening to one of its calls."""
    return _traced(work, scene, f"trace={call.name}", f"inject={call.name}:{what}:when={call.nth}")


def _traced(work: Work, scene: Scene, *expressions: str) -> _Done:
    strace = ["strace", "-f", "-y", "-o", str(work.folder / "trace")]
    strace += [part for expression in expressions for part in ("-e", expression)]
    return _run(work, scene, *strace)


def _run(work: Work, scene: Scene, *before: str) -> _Done:
    """Run the scene's command. `before` goes in front of it."""
    verb, *words = scene.words
    command = [sys.executable, "-m", "waylog", verb, "trial", *words, "--dir", str(work.folder)]
    environment = {**os.environ, "HOME": str(work.folder), "PYTHONHASHSEED": "0"}
    return subprocess.run([*before, *command], env=environment, capture_output=True, text=True, check=False)


def _was_killed(done: _Done) -> bool:
    return done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)


def _was_hit(work: Work, trial: Witness) -> bool:
    """The call that failed was one on the campaign."""
    lines = (work.folder / "trace").read_text(errors="replace").splitlines()
    return any("(INJECTED)" in line and str(trial.folder) in line for line in lines)


KILLED = Harness("killcalls", "kill -9 at every system call of an act, an undo and a restore", killed, ("strace",))
FAILED = Harness("failcalls", "every system call of an act, an undo and a restore fails", failed, ("strace",))
