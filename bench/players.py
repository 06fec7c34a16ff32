"""Measures of a table with players: what their windows cost, how soon a proposal is seen, and whether players make a roll slower."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

from bench.measure import Measure, interleaved, p95, plain, ratio, tail_ratio
from bench.programs import Bench
from bench.screens import ROLLS, SHIP
from bench.terminal import NotShown, Rest, Terminal, cpu
from waylog.store.players.inbox import send

_PLAYERS = ("ana", "ben", "cleo", "dan")
_SETTLED = 1.0
_CALM = 15.0
"""Seconds after which a server that nobody uses has come to rest, and in which it is watched."""
_PATIENCE = 60.0
_BETWEEN = 0.7
"""The most seconds between two proposals: they come at any moment of the time between two looks at the inbox."""


def players(bench: Bench) -> Iterator[Measure]:
    """A table of four."""
    crowded = _with_players(bench.campaign("crowded", entries=200))
    yield from _idle(bench, crowded)
    yield from _serves(bench, crowded)
    yield from _proposals(bench, crowded)
    yield from _rolls(bench, crowded)
    yield from _flood(bench)


def _with_players(folder: Path) -> Path:
    """Give a campaign its players."""
    people = "".join(f'\n[players.{key}]\nname = "{key.title()}"\n' for key in _PLAYERS)
    path = folder / "campaign.toml"
    path.write_text(path.read_text(encoding="utf-8") + people, encoding="utf-8")
    return folder


def _program(bench: Bench, *words: str) -> Terminal:
    return Terminal([sys.executable, "-m", "waylog", *words], bench.environment, bench.folder)


def _idle(bench: Bench, folder: Path) -> Iterator[Measure]:
    seconds = 4.0
    bench.output("-m", "waylog", "do", str(folder), "note", "ready")
    with ExitStack() as stack:
        watch = stack.enter_context(_program(bench, "watch", str(folder)))
        windows = [stack.enter_context(_program(bench, "join", str(folder), "--as", key)) for key in _PLAYERS[:3]]
        for window in (watch, *windows):
            window.shown(SHIP)
            window.settled(_SETTLED)
        runs = {"watch": lambda: watch.rest(seconds), "join": lambda: windows[0].rest(seconds)}
        seen = interleaved(max(2, bench.rounds // 5), runs)
        memory = [each.memory() for each in windows]
        yield from _compared(seen["join"], seen["watch"])
        yield ratio("P14", "memory of a player's window, against watch", memory, [watch.memory()], 1.05, 1.2, "MB")


def _compared(join: list[Rest], watch: list[Rest]) -> Iterator[Measure]:
    cpu, anchor = [rest.cpu for rest in join], [rest.cpu for rest in watch]
    yield ratio("P14", "a player's window at rest, against watch", cpu, anchor, 1.1, 1.5, "ms/s")
    wakeups, anchor = [rest.wakeups for rest in join], [rest.wakeups for rest in watch]
    yield ratio("P14", "its wake-ups, against watch", wakeups, anchor, 1.1, 1.5, "each s")


def _serves(bench: Bench, folder: Path) -> Iterator[Measure]:
    """The server for phones while no page is open. It looks at the campaign ever more seldom."""
    command = [sys.executable, "-m", "waylog", "serve", str(folder), "--json", "--port", "0"]
    used = list[float]()
    with Popen(command, stdout=PIPE, env=dict(bench.environment)) as server:
        assert server.stdout
        server.stdout.readline()
        time.sleep(_CALM)
        for _ in range(max(2, bench.rounds // 5)):
            before = cpu(server.pid)
            time.sleep(_CALM)
            used.append((cpu(server.pid) - before) / _CALM)
        server.terminate()
    yield plain("P14", "the server for phones, without a page", used, "ms/s", 0.2, 0.5)


def _proposals(bench: Bench, folder: Path) -> Iterator[Measure]:
    """Send proposals, and look when each is on the wayfinder's screen."""
    took = list[float]()
    with bench.app(folder) as own:
        own.shown(SHIP)
        own.settled(_SETTLED)
        for number in range(bench.rounds):
            time.sleep(random.uniform(0, _BETWEEN))
            began = time.perf_counter()
            send(folder, _PLAYERS[1], f'note "number {number}."')
            took.append((own.shown(rf"number {number}\.") - began) * 1000)
            own.type("Z")
            own.type("\r")
            own.settled(_SETTLED)
    yield plain("P15", "a proposal, sent to shown", took, "ms", 500, 1000)


@contextmanager
def _opened(bench: Bench, folder: Path) -> Iterator[Terminal]:
    with bench.app(folder) as own:
        own.shown(SHIP)
        own.settled(_SETTLED)
        yield own


def _rolls(bench: Bench, folder: Path) -> Iterator[Measure]:
    """Rolls, each followed by keys while the files are brought up to the log."""
    with _opened(bench, folder) as crowded, _opened(bench, bench.campaign("empty", entries=200)) as empty:
        seen = interleaved(bench.rounds, {"crowded": lambda: _roll(crowded), "empty": lambda: _roll(empty)})
    yield ratio("P5", "a roll with four players, against none", seen["crowded"], seen["empty"], 1.1, 1.3)


def _roll(own: Terminal) -> float:
    own.type(ROLLS[0])
    took = own.frame("\r")
    own.settled(_SETTLED)
    return took


# -- a player who sends without end ------------------------------------------------------------------------------------------


@contextmanager
def _pouring(bench: Bench, folder: Path) -> Iterator[None]:
    """Let a player who may write notes send one after another, without end."""
    with Popen(["yes", "note spam"], stdout=PIPE) as lines:
        join = [sys.executable, "-m", "waylog", "join", str(folder), "--as", "ana", "--lines"]
        with Popen(join, stdin=lines.stdout, stdout=DEVNULL, env=dict(bench.environment)) as player:
            try:
                yield
            finally:
                player.kill()
                lines.kill()


def _flood(bench: Bench) -> Iterator[Measure]:
    """The same notes typed while a player sends without end, and while nobody does."""
    calm = _with_players(bench.campaign("calm", entries=200))
    flooded = _with_players(bench.campaign("flooded", entries=200))
    path = flooded / "campaign.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('name = "Ana"', 'name = "Ana"\nmay = ["note"]'), encoding="utf-8"
    )
    keys, acts = dict[str, list[float]](calm=[], flooded=[]), list[float]()
    with _opened(bench, flooded) as loud, _opened(bench, calm) as quiet, _pouring(bench, flooded):
        loud.shown("1 of", _PATIENCE)
        for number in range(bench.rounds * 4):
            for name, own, folder in (("calm", quiet, calm), ("flooded", loud, flooded)):
                word = f"w{number}z"
                took = [_key(own, "n", "Note"), *(_key(own, key, word[: n + 1]) for n, key in enumerate(word))]
                keys[name].append(max(took))
                own.settled(0)
                if name == "flooded":
                    acts.append(_act(own, folder, word))
                else:
                    own.type("\x15\x1b")  # Here, too, the next note opens a line of its own.
                    own.settled()
    yield ratio(
        "P16", "the slowest key of a note, under a flood, against none", keys["flooded"], keys["calm"], 1.1, 1.3
    )
    yield tail_ratio("P16", "the slowest 5 % of these", keys["flooded"], [p95(keys["calm"])], 1.3, 2.0)
    yield plain("P16", "an act under a flood, to the log: the slowest", [max(acts)], "ms", 100, 500)


def _key(own: Terminal, key: str, shown: str) -> float:
    """Press a key, and wait until what it brings is on the screen: milliseconds."""
    at = own.send(key)
    return (own.shown(shown, _PATIENCE) - at) * 1000


def _act(own: Terminal, folder: Path, word: str) -> float:
    """Confirm what is typed, and wait until the log has it: milliseconds. Raises `NotShown`."""
    at = own.send("\r")
    while not any(word.encode() in path.read_bytes() for path in (folder / "log").glob("*.toml")):
        if time.perf_counter() - at > _PATIENCE:
            raise NotShown(f"{word} never came into the log")
        time.sleep(0.002)
    took = (time.perf_counter() - at) * 1000
    own.settled(_BETWEEN / 4)
    return took
