"""Five real browsers and the wayfinder's own window: acts at once, presses repeated, phones that sleep. Nothing is lost or doubled.

Each browser has Ana's, Ben's … page. The wayfinder sits at `waylog open` in a terminal and plays notes by keys. A press in a browser is a
press on the page's own buttons. When an act is in the log, and when it is on each screen, is noted by the same clock.
"""

from __future__ import annotations

import re
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random

from tests.kit.browser import Window, browser
from torture.figures import Harness, Tally, Work
from torture.phones import PLAYERS, PROMISED, Evening
from torture.processes import beside
from torture.seat import Seat, app

_TEXT = re.compile(rb"^act = .*?\b(q\d+z)\b", re.MULTILINE)
_LOOK = 0.002
_PATIENCE = 60.0
_WRONGS = ("lost", "doubled", "slower than promised", "errors of a page")
_WATCH = """(() => {
    window.arrived = {}; window.doubled = {};
    const look = () => {
        const seen = {};
        for (const [text] of document.querySelector("#log").innerText.matchAll(/q\\d+z/g)) {
            arrived[text] ??= Date.now() / 1000;
            seen[text] = (seen[text] ?? 0) + 1;
            if (seen[text] > 1) doubled[text] = seen[text];
        }
    };
    new MutationObserver(look).observe(document.querySelector("#log"), {childList: true, subtree: true});
    look();
})()"""
"""Notes when each act is first in the log on the screen, and any that is there twice at one moment."""
_WRITE = """{ document.querySelector("#open-note").click();
    const field = document.querySelector("#sheet input"); field.value = "%s"; field.dispatchEvent(new Event("input")) }"""
_PRESS = (
    """for (let press = 0; press < %d; press++) document.querySelector("#sheet > button.main:not([hidden])").click()"""
)
_CUT = """import("/page.js").then((page) => page.feed.stop.abort())"""


class _Wayfinder:
    """The wayfinder's window, in a thread that reads what it draws and types the notes that it is given."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self.notes = SimpleQueue[str]()
        self._ends = threading.Event()

    def plays(self) -> AbstractContextManager[None]:
        """Play until the end of the block."""
        return beside(self._play, self._ends)

    def _play(self) -> None:
        while not self._ends.is_set():
            self._seat.left_alone(0.02)
            try:
                text = self.notes.get_nowait()
            except Empty:
                continue
            self._seat.frame("n")
            for key in text:
                self._seat.frame(key)
            self._seat.frame("\r")


class _Log:
    """When each act was on disk, by its text."""

    def __init__(self, campaign: Path) -> None:
        self._folder = campaign / "log"
        self.written: dict[str, float] = {}
        self.count = Counter[str]()
        self._read = Counter[Path]()
        self._ends = threading.Event()

    def followed(self) -> AbstractContextManager[None]:
        """Follow it until the end of the block."""
        return beside(self._follow, self._ends)

    def _follow(self) -> None:
        while not self._ends.wait(_LOOK):
            for path in self._folder.glob("*.toml"):
                if path.stat().st_size > self._read[path]:
                    now, data = time.time(), path.read_bytes()
                    whole = data.rfind(b"\n") + 1
                    for text in _TEXT.findall(data[self._read[path] : whole]):
                        self.count[text.decode()] += 1
                        self.written.setdefault(text.decode(), now)
                    self._read[path] = whole


def run(work: Work) -> Iterator[Tally]:
    """Play at once, then let the phones sleep."""
    evening, log = Evening(work, "browsers", 'may = ["note"]\n'), _Log(work.folder / "browsers")
    with ExitStack() as stack:
        stack.enter_context(log.followed())
        seat = stack.enter_context(app(work.folder, evening.folder))
        seat.shown("Trial")
        seat.settled()
        wayfinder = _Wayfinder(seat)
        stack.enter_context(wayfinder.plays())
        _, addresses = stack.enter_context(evening.served())
        pages = stack.enter_context(browser(work.folder / "chromium"))
        windows = {key: stack.enter_context(pages.window(390, 844)) for key in PLAYERS}
        for key, window in windows.items():
            window.open(addresses[key])
            window.see(f"Crew {key}", "#mine")
            window.run(_WATCH)
        texts = (f"q{number}z" for number in count())
        for play in (partial(_play_at_once, work, windows, wayfinder), partial(_sleep_and_wake, work, windows)):
            tally = play(log, texts)
            tally.all_wrong("errors of a page", "", pages.errors)
            yield tally


def _play_at_once(
    work: Work, windows: Mapping[str, Window], wayfinder: _Wayfinder, log: _Log, texts: Iterator[str]
) -> Tally:
    """All five write a note, and the wayfinder too. All press at the same moment, some of them again and again."""
    tally, chance = (
        Tally("five browsers and a wayfinder, at once", "acts", _WRONGS, work.times(50, 50, 6)),
        Random(work.seed),
    )
    wanted = list[str]()
    while len(wanted) < tally.wanted:
        for window in windows.values():
            wanted.append(next(texts))
            window.run(_WRITE % wanted[-1])
        wanted.append(next(texts))
        wayfinder.notes.put(wanted[-1])
        for window in windows.values():
            window.run(_PRESS % chance.randint(1, 3))
        _wait(windows, wanted)
    _compare(tally, windows, log, wanted)
    late = [max(window.run(f"arrived.{text}") for window in windows.values()) - log.written[text] for text in wanted]
    tally.also["ms from the disk to all screens, in the middle"] = round(statistics.median(late) * 1000)
    tally.also["ms at most"] = round(max(late) * 1000)
    if not work.form and statistics.median(late) > PROMISED:  # Shorter forms run beside other work.
        tally.wrong("slower than promised", f"{statistics.median(late):.3f} s")
    return tally


def _sleep_and_wake(work: Work, windows: Mapping[str, Window], log: _Log, texts: Iterator[str]) -> Tally:
    """Phones sleep and wake, and somebody presses while there is no connection."""
    tally, chance = (
        Tally("five browsers that sleep and wake", "sleeps", _WRONGS, work.times(200, 40, 6)),
        Random(work.seed),
    )
    wanted = list[str]()
    while tally.count < tally.wanted:
        window = chance.choice([*windows.values()])
        window.sleep(asleep=True)
        window.run(_CUT)
        if chance.random() < 0.5:
            wanted.append(next(texts))
            window.run(_WRITE % wanted[-1])
            window.run(_PRESS % chance.randint(1, 2))
        time.sleep(chance.random() * 0.1)
        window.sleep(asleep=False)
        tally.did()
        if chance.random() < 0.1:
            _wait(windows, wanted)
    _wait(windows, wanted)
    tally.also["acts meanwhile"] = len(wanted)
    _compare(tally, windows, log, wanted)
    return tally


def _wait(windows: Mapping[str, Window], wanted: list[str]) -> None:
    """Wait until all acts are on all screens, or it is certain that one is lost."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and any(_missing(window, wanted) for window in windows.values()):
        time.sleep(0.02)


def _missing(window: Window, wanted: list[str]) -> list[str]:
    arrived = window.run("Object.keys(arrived)")
    return [text for text in wanted if text not in arrived]


def _compare(tally: Tally, windows: Mapping[str, Window], log: _Log, wanted: list[str]) -> None:
    if tally.counted == "acts":
        tally.did(len(wanted))
    tally.all_wrong("lost", "never in the log", [text for text in wanted if not log.count[text]])
    tally.all_wrong("doubled", "in the log", [text for text in wanted if log.count[text] > 1])
    for key, window in windows.items():
        tally.all_wrong("lost", f"not on {key}'s screen", _missing(window, wanted))
        tally.all_wrong("doubled", f"on {key}'s screen", window.run("Object.keys(doubled)"))


HARNESS = Harness("browsers", "five real browsers and the wayfinder's window", run, tools=("chromium",))
