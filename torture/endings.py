"""Every way in which the app can end: the terminal is left as it was found, and what was on the screen is on the disk."""

from __future__ import annotations

import math
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from torture.campaigns import Witness, made
from torture.figures import Harness, Tally, Work
from torture.processes import scheduled
from torture.seat import FIRST, Seat, app, environment
from waylog.rules.model.facts import NoteFact

_WRONGS = ("terminals left changed", "wrong exit codes", "tracebacks", "never ended", "states wrong")
_LOST = "acknowledged acts lost"
_STARTS = 5
_PATIENCE = 120
_WAIT = 1.0
"""Seconds that a start without a terminal may sleep."""


def endings(work: Work) -> Iterator[Tally]:
    """Each way to end, again and again, each time after an act."""
    stride = work.times(1, 1, 4)
    for name, (end, right) in [*WAYS.items()][work.seed % stride :: stride]:
        tally = Tally(f"ended by {name}", "ends", _WRONGS, work.times(20, 1, 1))
        campaign = made(work.folder / re.sub(r"\W+", "-", name))
        witness, trigger = Witness(campaign), work.folder / "trigger"
        for turn in range(tally.wanted):
            trigger.unlink(missing_ok=True)
            flaw = ("torture.flawed", name.partition(" ")[2], str(trigger)) if name.startswith("flaw") else ()
            with app(work.folder, campaign, *flaw) as seat:
                _ended(seat, end, trigger, right, turn, tally)
            _look(witness, (), f"time {turn}", tally, "states wrong")
            tally.did()
        yield tally


def starting(work: Work) -> Iterator[Tally]:
    """Signals while it starts, when nobody may be listening for them yet."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        wrongs = ("terminals left changed", "never ended")
        tally = Tally(f"{number.name} while it starts", "ends", wrongs, work.times(40, 4, 1))
        campaign, random = made(work.folder / number.name), Random(work.seed)
        for turn in range(tally.wanted):
            with app(work.folder, campaign) as seat:
                seat.left_alone(random.uniform(0, 0.5))
                seat.signalled(number)
                # Which code, and in whose words, is Python's business until Waylog itself runs.
                if seat.ended() is None:
                    tally.wrong("never ended", f"time {turn}:\n{seat.text}")
                elif changed := seat.changed():
                    tally.wrong("terminals left changed", f"time {turn}: {changed}")
            tally.did()
        yield tally


def _ended(seat: Seat, end: Callable[[Seat, Path], None], trigger: Path, right: str, turn: int, tally: Tally) -> None:
    seat.shown(FIRST)
    seat.press(f":note t-{turn}\r")
    end(seat, trigger)
    code = seat.ended()
    if code is None:
        tally.wrong("never ended", f"time {turn}:\n{seat.text}")
        return
    if not re.fullmatch(right, str(code)):
        tally.wrong("wrong exit codes", f"time {turn}: {code}, not {right}: {seat.said[-300:]!r}")
    if "dropped" not in tally.promise and (changed := seat.changed()):
        tally.wrong("terminals left changed", f"time {turn}: {changed}")
    if "Traceback" in seat.said:
        tally.wrong("tracebacks", f"time {turn}: {seat.said[-600:]!r}")


def _signalled(number: signal.Signals) -> Callable[[Seat, Path], None]:
    return lambda seat, _: seat.signalled(number)


def _flawed(seat: Seat, trigger: Path) -> None:
    trigger.touch()
    # An act, so that the thread that writes the file has something to do.
    seat.type(":note flaw\r")


def _left(seat: Seat, _: Path) -> None:
    seat.type("q")


def _hung_up(seat: Seat, _: Path) -> None:
    seat.hang_up()


def _stopped(number: signal.Signals) -> Callable[[Seat, Path], None]:
    def stop(seat: Seat, _: Path) -> None:
        """Stop, look at the terminal, go on, and leave by the key."""
        seat.signalled(number)
        assert seat.stopped(), "it would not stop"
        if number is signal.SIGTSTP:
            assert not seat.changed(), seat.changed()
        seat.signalled(signal.SIGCONT)
        seat.settled()
        seat.press("4")
        seat.press("1")
        seat.type("q")

    return stop


WAYS: dict[str, tuple[Callable[[Seat, Path], None], str]] = {
    "its key": (_left, "0"),
    "SIGTERM": (_signalled(signal.SIGTERM), "143"),
    "SIGHUP": (_signalled(signal.SIGHUP), "129"),
    "SIGINT": (_signalled(signal.SIGINT), "130"),
    "SIGQUIT": (_signalled(signal.SIGQUIT), "131"),
    "flaw exception": (_flawed, "[1-9][0-9]*"),
    "flaw worker": (_flawed, "[1-9][0-9]*"),
    "flaw thread": (_flawed, "[1-9][0-9]*"),
    "a dropped line": (_hung_up, "-?[1-9][0-9]*"),
    "its key, after stop and continue": (_stopped(signal.SIGTSTP), "0"),
    "its key, after a stop it can't see": (_stopped(signal.SIGSTOP), "0"),
}
"""What is done to it, and the exit code that is right."""


def killed(work: Work) -> Iterator[Tally]:
    """Type notes as fast as they are taken, kill it, and look for every note that was on the screen."""
    wrongs = (_LOST, "files unreadable", "strays", "blind")
    tally = Tally("kill -9 of the app in a terminal", "kills", wrongs, work.times(200, 5, 2))
    tally.also["acts acknowledged"] = 0
    random, campaign = Random(work.seed), made(work.folder / "campaign")
    witness, number = Witness(campaign), 0
    while tally.count < tally.wanted:
        shown = list[str]()
        with app(work.folder, campaign) as seat:
            if random.random() < 0.9:
                seat.shown(FIRST)
            for _ in range(random.randrange(8)):
                number += 1
                seat.type(f":note t-{number}\r")
                seat.shown(rf"\d\d:\d\d +t-{number}\b")
                shown.append(f"t-{number}")
            seat.type(f":note t-{number + 1}\r")
            time.sleep(random.uniform(0, 0.3))
            number += 1
        tally.did()
        tally.also["acts acknowledged"] += len(shown)
        _look(witness, shown, f"kill {tally.count}", tally, "files unreadable")
        for stray in witness.strays():
            tally.wrong("strays", f"kill {tally.count}: {stray}")
    if not tally.also["acts acknowledged"]:
        tally.wrong("blind", "no note was seen on the screen, so none could be missed")
    yield tally


def _look(witness: Witness, shown: Collection[str], where: str, tally: Tally, kind: str) -> None:
    """What the next start finds: everything that was on the screen, and a file that says what the log says."""
    found = witness.next_start()
    tally.all_wrong(kind, where, (*found.unreadable, *found.states))
    noted = {fact.text for entry in witness.entries for fact in entry.facts if isinstance(fact, NoteFact)}
    if missing := [text for text in shown if text not in noted]:
        tally.all_wrong(_LOST, where, missing)


def elsewhere(work: Work) -> Iterator[Tally]:
    """Where there is no terminal to draw on, a campaign is played line by line until the input ends, and the players' view
    says in one line that it needs a terminal. Neither draws anything.
    """
    tally = Tally("no terminal to draw on", "starts", ("not plain", "wrong exit codes", "waits"), 10)
    campaign = made(work.folder / "campaign")
    told = environment(work.folder)
    for word, code in (("open", 0), ("watch", 2)):
        command = [sys.executable, "-m", "waylog", word, campaign.name, "--dir", str(campaign.parent)]
        starts: dict[str, Callable[[], _Said]] = {
            what: partial(_without, what, command, told) for what in ("stdin", "stdout", "both")
        }
        for what, setting in (("TERM=dumb", "TERM=dumb"), ("no TERM", "--unset=TERM")):
            starts[what] = partial(_in_a_poor_one, ["env", setting, *command], work.folder)
        for what, start in starts.items():
            _said_plainly(f"{word}, {what}", code, start, tally)
    yield tally


class _Said(NamedTuple):
    """What a start came to."""

    code: int | None
    text: str
    slept: float
    """For how many seconds it neither ran nor wanted to run."""


_END = b"\x04"
"""What ends the input when it is typed at a terminal."""


def _without(what: str, command: Sequence[str], told: Mapping[str, str]) -> _Said:
    """A start without a terminal at one of its ends, or at both. The input ends at once."""
    own, line = os.openpty()
    os.write(own, _END)
    began = time.monotonic()
    with subprocess.Popen(
        command,
        env=told,
        stdin=subprocess.DEVNULL if what != "stdout" else line,
        stdout=subprocess.PIPE if what != "stdin" else line,
        stderr=subprocess.PIPE,
    ) as started:
        process = os.pidfd_open(started.pid)
        select.select([process], [], [], _PATIENCE)
        slept = _slept(started.pid, began)
        os.close(process)
        written, complained = started.communicate(timeout=_PATIENCE)
    os.set_blocking(own, False)
    shown = b""
    with suppress(BlockingIOError):
        shown = os.read(own, 1 << 16)
    os.close(line)
    os.close(own)
    return _Said(started.returncode, (shown + (written or b"") + complained).decode(), slept)


def _in_a_poor_one(command: Sequence[str], home: Path) -> _Said:
    """A start on a terminal that can't draw. The input ends at once."""
    began = time.monotonic()
    with Seat(command, home) as seat:
        seat.type(_END.decode())
        slept = list[float]()
        code = seat.ended(before_it_is_gone=lambda: slept.append(_slept(seat.pid, began)))
        return _Said(code, seat.raw.decode(), *(slept or [math.inf]))


def _slept(pid: int, began: float) -> float:
    return time.monotonic() - began - sum(scheduled(pid))


def _said_plainly(what: str, code: int, start: Callable[[], _Said], tally: Tally) -> None:
    """Hold a start against what is right: lines of text, just one if it is refused, and no wait for answers that no terminal gives. The
    best of a few counts, because a disk may make one sleep.
    """
    slept = math.inf
    for _ in range(_STARTS):
        said = start()
        slept = min(slept, said.slept)
        if said.code != code:
            tally.wrong("wrong exit codes", f"{what}: {said.code}")
        lines = len(said.text.strip().splitlines())
        if not lines or (code and lines != 1) or "\x1b" in said.text:
            tally.wrong("not plain", f"{what}: {said.text[:300]!r}")
        if slept <= _WAIT:
            break
    tally.did()
    if slept > _WAIT:
        tally.wrong("waits", f"{what}: {slept:.1f} s")


ENDINGS = Harness("endings", "signals, flaws and dead lines: how the app leaves the terminal", endings)
STARTING = Harness("starting", "signals while the app starts", starting)
KILLED = Harness("killapp", "kill -9 of the app in a terminal", killed)
ELSEWHERE = Harness("noterm", "starts where there is no terminal to draw on", elsewhere)
