"""Measures of the app as its player feels it: in a terminal, beside a Textual app with one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from bench.measure import Measure, interleaved, p95, plain, ratio, tail_ratio
from bench.programs import Bench
from bench.terminal import Drawn, Terminal

SHIP = r"(?s)CPU.*HUL.*NAV"
"""On the ship screen and on no other."""
_HELLO = "Hello"
_SETTLED = 0.3
"""Seconds of silence after which a start is over."""
_DOWN, _UP, _PAGE_DOWN, _PAGE_UP, _ESCAPE = "\x1b[B", "\x1b[A", "\x1b[6~", "\x1b[5~", "\x1b"
_KEYS, _BREATH = 5, 0.01
"""Keys that are pressed down and up again while a file is saved, and the seconds between them."""
ROLLS = ("rn 6 1", "rn 5 2")
"""Real dice for NAV, so that a roll comes out the same way each time and leaves nothing open: success, drawback."""


@dataclass(frozen=True, slots=True)
class _Start:
    """One start, up to where nothing more comes, and the way out."""

    paint: float
    cpu: float
    size: int
    memory: float
    leave: float


def _started(opened: Callable[[], Terminal], pattern: str) -> _Start:
    with opened() as terminal:
        paint = (terminal.shown(pattern) - terminal.started) * 1000
        terminal.settled(_SETTLED)
        cpu, size, memory = terminal.cpu(), terminal.size, terminal.memory()
        return _Start(paint, cpu, size, memory, terminal.leave("q"))


def starts(bench: Bench) -> Iterator[Measure]:
    """Start, memory and quitting; and whether years of play make a start slower."""
    example = bench.campaign("example", entries=200)
    years = bench.campaign("years", size=1_000_000, entries=100_000)
    runs = {
        "own": lambda: _started(lambda: bench.app(example), SHIP),
        "years": lambda: _started(lambda: bench.app(years), SHIP),
        "hello": lambda: _started(bench.hello, _HELLO),
    }
    interleaved(1, runs)
    seen = interleaved(bench.rounds, runs)
    own, hello = seen["own"], seen["hello"]
    paint, anchor = [run.paint for run in own], [run.paint for run in hello]
    yield ratio("P1", "first paint of the ship, against hello", paint, anchor, 1.25, 1.5)
    cpu = [run.cpu for run in hello]
    yield ratio("P2", "processor time until settled, against hello", [run.cpu for run in own], cpu, 1.35, 1.7)
    yield plain("P2", "bytes until settled", [run.size / 1000 for run in own], "KB", 35, 50)
    later = [run.paint for run in seen["years"]]
    yield ratio("P3", "first paint with 100,000 entries and 1 MB, against P1's own", later, paint, 1.3, 1.6)
    memory = [run.memory for run in hello]
    yield ratio("P12", "memory, against hello", [run.memory for run in own], memory, 1.4, 1.8, "MB")
    gone = [run.leave for run in hello]
    yield ratio("P13", "quit key to process gone, against hello", [run.leave for run in own], gone, 0.25, 1)


def keys(bench: Bench) -> Iterator[Measure]:
    """What keys cost, each against another line in hello, pressed in turn."""
    with ExitStack() as stack:
        own = stack.enter_context(bench.app(bench.campaign("example", entries=200)))
        hello = stack.enter_context(bench.hello())
        own.shown(SHIP)
        hello.shown(_HELLO)
        pressed = _Pressed(own, hello, bench.rounds)
        pressed.turns("w", 2, *((roll, "\r") for roll in ROLLS))
        yield from _roll(pressed)
        yield from _cursor(pressed)
        yield from _typing(pressed)
        yield from _views(pressed)
        yield from _pages(pressed)


@dataclass(frozen=True, slots=True)
class _Pressed:
    """Two programs whose keys are pressed in turn."""

    own: Terminal
    hello: Terminal
    rounds: int

    def turns(self, anchor: str, rounds: int, *steps: tuple[str, str]) -> tuple[list[Drawn], list[Drawn]]:
        """Take the steps in turn, so many in all, and press the anchor's key in hello after each.

        A step is what is typed first, and the key that is measured.
        """
        owns, anchors = [], []
        for number in range(rounds):
            before, key = steps[number % len(steps)]
            self.own.type(before)
            owns.append(self.own.press(key))
            anchors.append(self.hello.press(anchor))
        return owns, anchors


def _last(drawn: list[Drawn]) -> list[float]:
    return [each.last for each in drawn]


def _size(what: str, drawn: list[Drawn], target: int) -> Measure:
    return plain("P8", f"{what}, to the screen", [each.size for each in drawn], "bytes", target, 2 * target)


def _roll(pressed: _Pressed) -> Iterator[Measure]:
    own, anchor = pressed.turns("w", pressed.rounds, *((roll, "\r") for roll in ROLLS))
    first, write = [each.first for each in own], _last(anchor)
    yield ratio("P5", "a roll: Enter to dice on screen, against update, append and fsync", first, write, 2, 4)
    yield ratio("P5", "the same, to its last byte", _last(own), write, 2, 4)
    yield _size("a roll", own, 2500)


def _cursor(pressed: _Pressed) -> Iterator[Measure]:
    own, anchor = pressed.turns("u", 2 * pressed.rounds, ("", _DOWN), ("", _UP))
    yield ratio("P6", "cursor, last byte, against update", _last(own), _last(anchor), 1.5, 3)
    yield tail_ratio("P6", "cursor, the slowest in 20", _last(own), _last(anchor), 3, 6)
    yield _size("cursor", own, 600)


def _typing(pressed: _Pressed) -> Iterator[Measure]:
    letters = "nav 6 1"
    own, anchor = [], []
    for _ in range(max(1, pressed.rounds // 3)):
        pressed.own.press("r")
        typed, updates = pressed.turns("u", len(letters), *(("", letter) for letter in letters))
        own += typed
        anchor += updates
        pressed.own.press(_ESCAPE)
    yield ratio("P6", "typing a roll with live odds, last byte, against update", _last(own), _last(anchor), 1.5, 3)
    yield tail_ratio("P6", "typing, the slowest in 20", _last(own), _last(anchor), 3, 6)
    own, anchor = pressed.turns(_ESCAPE, pressed.rounds, ("r", _ESCAPE))
    first, stock = [each.first for each in own], [each.first for each in anchor]
    yield ratio("P13", "Escape to screen, against stock", first, stock, 0.5, 1)


def _views(pressed: _Pressed) -> Iterator[Measure]:
    for key in "2341":
        pressed.own.press(key)
    own, anchor = pressed.turns("u", 4 * max(1, pressed.rounds // 2), *(("", key) for key in "2341"))
    yield ratio("P7", "change of view, last byte, against update", _last(own), _last(anchor), 3, 8)
    yield _size("change of view", own, 10_000)


def _pages(pressed: _Pressed) -> Iterator[Measure]:
    pressed.own.press("3")
    own, _ = pressed.turns("u", pressed.rounds, ("", _PAGE_UP), ("", _PAGE_DOWN))
    yield _size("a page of the log", own, 10_000)
    pressed.own.press("1")


def idle(bench: Bench) -> Iterator[Measure]:
    """What the app does while people talk."""
    seconds = 2.0
    with ExitStack() as stack:
        own = stack.enter_context(bench.app(bench.campaign("example", entries=200)))
        hello = stack.enter_context(bench.hello())
        own.shown(SHIP)
        hello.shown(_HELLO)
        own.settled(1)
        runs = {"own": lambda: own.rest(seconds), "hello": lambda: hello.rest(seconds)}
        seen = interleaved(max(2, bench.rounds // 5), runs)
    resting, anchor = seen["own"], seen["hello"]
    yield plain("P8", "idle, to the screen each second", [rest.size for rest in resting], "bytes", 0, 0)
    cpu = [rest.cpu for rest in anchor]
    yield ratio("P14", "idle processor time, against hello", [rest.cpu for rest in resting], cpu, 1, 2, "ms/s")
    wakeups = [rest.wakeups for rest in anchor]
    yield ratio("P14", "idle wake-ups, against hello", [rest.wakeups for rest in resting], wakeups, 1, 2, "each s")


def saving(bench: Bench) -> Iterator[Measure]:
    """Whether keys wait while a large campaign file is being saved: right after a roll, against a small file's."""
    with ExitStack() as stack:
        large = stack.enter_context(bench.app(bench.campaign("large", size=1_000_000, entries=200)))
        small = stack.enter_context(bench.app(bench.campaign("little", entries=200)))
        for own in (large, small):
            own.shown(SHIP)
            own.settled(_SETTLED)
        seen = interleaved(bench.rounds, {"large": lambda: _after_a_roll(large), "small": lambda: _after_a_roll(small)})
    upper, lower = (p95([each for times in seen[name] for each in times]) for name in ("large", "small"))
    what = "keys while 1 MB is saved, the slowest in 20, against 12 KB"
    yield Measure("P10", what, upper / lower, "×", 1.3, 1.5, f"{upper:.3g} / {lower:.3g} ms")


def _after_a_roll(own: Terminal) -> list[float]:
    """Roll, and move the cursor while the file is brought up to the log: milliseconds for each key."""
    own.type(ROLLS[0])
    own.frame("\r")
    times = []
    for key in (_DOWN, _UP) * _KEYS:
        times.append(own.frame(key))
        own.settled(_BREATH)
    own.settled(_SETTLED)
    return times
