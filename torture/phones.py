"""Five phones and a wayfinder over `waylog serve`: nothing is lost or doubled, whatever is cut; and what enemies send has no effect.

Everything stays on this machine, in numbers that have a bound.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from bench.terminal import Terminal, cpu
from tests.kit.phone import Phone
from torture.figures import Harness, Tally, Work
from torture.processes import beside, scheduled
from waylog.rules.model.dice import ChanceDice
from waylog.store.players.inbox import read_waiting
from waylog.table import Table

PLAYERS = ("ana", "ben", "cy", "dee", "eli")
_CAMPAIGN = """\
format = 1
name = "Trial"
system = "veil-core"
log = "0001:0"

[clocks.voice]
name = "zq-hidden-clock"
kind = "augury"
segments = 6
seen = false

""" + "".join(
    f'[crew.{key}]\nname = "Crew {key}"\nnotes = "zq-notes-{key}"\n\n[players.{key}]\nname = "{key.title()}"\ncharacter = "{key}"\nnotes = "zq-player-{key}"\n\n'
    f'[clocks.{key}]\nname = "only-{key}-sees"\nkind = "push"\nsegments = 4\nseen_by = ["{key}"]\n\n'
    for key in PLAYERS
)
PROMISED = 0.3
"""Seconds from an act on disk to all phones, in the middle."""
_CROWD = 200
_DELAY = 50.0
"""Milliseconds by which the wayfinder's keys may be delayed."""
_LOOK = 0.05
_PATIENCE = 120.0


class Evening:
    """A campaign that is served, with its wayfinder in a thread."""

    def __init__(self, work: Work, name: str, rights: str = "") -> None:
        """`rights` is a line of the campaign for each player."""
        self.folder, self._state = work.folder / name, work.folder / f"{name}-state"
        self.folder.mkdir()
        (self.folder / "campaign.toml").write_text(_CAMPAIGN.replace("character =", f"{rights}character ="))
        chance = Random(work.seed)
        self.table = Table(self.folder, now=lambda: datetime.now(UTC), chance=ChanceDice(chance.randrange))
        self.table.add_reader()
        self.play("note The lamp is lit")
        self.written: dict[str, float] = {}
        """When each note was on disk, by its text."""
        self._ends = threading.Event()

    def play(self, words: str) -> None:
        """The wayfinder plays something."""
        self.table.play(self.table.understand(words))
        self.table.settle()

    def accept_all(self) -> None:
        """Play what players propose, until the end."""
        while not self._ends.wait(_LOOK):
            self.table.refresh()
            for each in self.table.proposals:
                if each.act is not None:
                    self.table.accept(each.id)
                    self.table.settle()
                    self.written[each.words] = time.monotonic()

    @contextmanager
    def served(self) -> Iterator[tuple[subprocess.Popen[bytes], dict[str, str]]]:
        """Serve it. Gives the process, and the addresses by player."""
        command = [sys.executable, "-m", "waylog", "serve", str(self.folder), "--json", "--port", "0"]
        environment = {**os.environ, "XDG_STATE_HOME": str(self._state)}
        # In a session of its own, as the app starts it.
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, start_new_session=True) as process:
            assert process.stdout
            addresses: dict[str, str] = {}
            while len(addresses) <= len(PLAYERS):
                addresses = {each["key"]: each["url"] for each in json.loads(process.stdout.readline())["addresses"]}
            drain = threading.Thread(target=process.stdout.read, daemon=True)
            drain.start()
            try:
                yield process, addresses
            finally:
                process.terminate()
                process.wait(20)

    def wayfinder(self) -> AbstractContextManager[None]:
        """The wayfinder plays in a thread."""
        return beside(self.accept_all, self._ends)

    @property
    def notes(self) -> Counter[str]:
        """How often each note that players propose is in the log."""
        return Counter(entry.words for entry in self.table.entries() if entry.by)


# -- an evening ------------------------------------------------------------------------------------------------------------


def run_evening(work: Work) -> Iterator[Tally]:
    """Players propose, press twice, and sleep and wake all the time."""
    wrongs = ("lost", "doubled", "marks seen", "slower than promised")
    tally = Tally("five phones that sleep and wake at any moment", "acts", wrongs, work.times(50, 50, 10))
    evening = Evening(work, "evening")
    with evening.served() as (_, addresses), evening.wayfinder():
        asyncio.run(_play(evening, addresses, work, tally))
    for words, count in evening.notes.items():
        if count > 1:
            tally.wrong("doubled", f"{words}: {count} times")
    yield tally


async def _play(evening: Evening, addresses: dict[str, str], work: Work, tally: Tally) -> None:
    phones = {key: Phone(addresses[key]) for key in (*PLAYERS, "")}
    for phone in phones.values():
        assert (await phone.log_in()).status == 204
    arrived: dict[tuple[str, str], float] = {}
    sleeps = work.times(1000, 200, 20)
    followers = [asyncio.ensure_future(_follow(key, phone, arrived, tally)) for key, phone in phones.items()]
    sleepers = [asyncio.ensure_future(_sleep_and_wake(phones[key], sleeps // len(PLAYERS), tally)) for key in PLAYERS]
    wanted = [
        words
        for each in await asyncio.gather(
            *(_propose(key, phones[key], tally.wanted // len(PLAYERS), work.seed) for key in PLAYERS)
        )
        for words in each
    ]
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and any((key, words) not in arrived for key in phones for words in wanted):  # noqa: ASYNC110 - the phones set it
        await asyncio.sleep(_LOOK)
    await asyncio.gather(*sleepers)
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)
    tally.did(len(wanted))
    for words in wanted:
        if words not in evening.notes:
            tally.wrong("lost", words)
        for key in phones:
            if (key, words) not in arrived:
                tally.wrong("lost", f"{words}, on the phone of {key or 'the table'}")
    late = [at - evening.written[words] for (_, words), at in arrived.items() if words in evening.written]
    tally.also["ms from the disk to a phone, in the middle"] = round(statistics.median(late) * 1000)
    if not work.form and statistics.median(late) > PROMISED:  # Shorter forms run beside other work.
        tally.wrong("slower than promised", f"{statistics.median(late):.3f} s")


async def _propose(key: str, phone: Phone, count: int, seed: int) -> list[str]:
    """Propose so many notes, each sent once, twice, or with the connection cut before the answer."""
    chance, wanted = Random(f"{seed} {key}"), list[str]()
    for number in range(count):
        text = f"{key}x{number}x"
        data = {"id": f"{chance.getrandbits(128):032x}", "words": f"note {text}"}
        if chance.random() < 0.5:
            await _send_and_cut(phone, data)
        for _ in range(chance.randint(1, 2)):
            answer = await phone.post("/act", data)
            for _ in range(100):
                if answer.status != 429:
                    break
                await asyncio.sleep(0.3)
                answer = await phone.post("/act", data)
            assert answer.status == 200, answer
        wanted.append(f'note "{text}"')
        await asyncio.sleep(chance.random() * 0.5)
    return wanted


async def _send_and_cut(phone: Phone, data: object) -> None:
    """Send an act, and lose the connection before the answer."""
    body = json.dumps(data).encode()
    _, writer = await asyncio.open_connection(phone.host, phone.port)
    head = (
        f"POST /act HTTP/1.1\r\nHost: {phone.host}:{phone.port}\r\nOrigin: {phone.origin}\r\nCookie: {phone.cookie}\r\n"
    )
    writer.write(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    with suppress(OSError):
        await writer.drain()
    writer.transport.abort()


async def _follow(key: str, phone: Phone, arrived: dict[tuple[str, str], float], tally: Tally) -> None:
    """Follow the feed, and open it again when a newer page has taken its place. Note when each act came, and look for what this player may
    not see.
    """
    while True:
        async with phone.feed() as states:
            async for state in states:
                _look_for_marks(key, state, tally)
                for act in state["log"]:
                    for fact in act["facts"]:
                        arrived.setdefault((key, f'note "{fact.get("text")}"'), time.monotonic())
        await asyncio.sleep(0.1)


def _look_for_marks(key: str, state: Any, tally: Tally) -> None:
    text = json.dumps(state)
    tally.also["looks for marks"] += 1
    for mark in ("zq-", *(f"only-{other}-sees" for other in PLAYERS if other != key)):
        if mark in text:
            tally.wrong("marks seen", f"{mark} by {key or 'the table'}")


async def _sleep_and_wake(phone: Phone, count: int, tally: Tally) -> None:
    """Open another page of the same phone again and again, and cut it at any moment."""
    for number in range(count):
        other = Phone(f"{phone.origin}/#{phone.key}")
        other.cookie = phone.cookie
        try:
            async with asyncio.timeout(20), other.feed() as states:
                if number % 2:
                    await anext(states)
            tally.also["sleeps"] += 1
        except AssertionError:  # Too fast: a page waits, too.
            pass
        await asyncio.sleep(0.26 if number > 10 else 0.01)


# -- enemies ---------------------------------------------------------------------------------------------------------------


def run_enemies(work: Work) -> Iterator[Tally]:
    """What comes without a key, from elsewhere, or as nonsense."""
    wrongs = ("had an effect", "kept a phone out", "broke the server")
    tally = Tally("enemies of a server for phones", "attacks", wrongs, work.times(12_000, 1_500, 200))
    evening = Evening(work, "enemies")
    before = evening.table.snapshot.entries
    with evening.served() as (process, addresses):
        asyncio.run(_attack(addresses, work, tally))
        status = Path(f"/proc/{process.pid}/status")
        if process.poll() is not None:
            tally.wrong("broke the server", f"it ended with {process.returncode}")
        elif status.exists():
            grown = int(next(line for line in status.read_text().splitlines() if line.startswith("VmHWM")).split()[1])
            tally.also["MB of the server at most"] = grown // 1024
    evening.table.refresh()
    waiting = [words for key in PLAYERS for words in read_waiting(evening.folder, key)]
    if waiting or evening.table.snapshot.entries != before:
        tally.wrong("had an effect", f"{waiting}")
    yield tally


async def _attack(addresses: dict[str, str], work: Work, tally: Tally) -> None:
    """All kinds of attacks at once, with a phone that has to get in meanwhile."""
    ana = Phone(addresses["ana"])
    assert (await ana.log_in()).status == 204
    chance = Random(work.seed)
    most = min(work.times(10_000, 1_000, 120), resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 200)
    crowd = asyncio.ensure_future(_crowd(ana, most, tally))
    others = asyncio.ensure_future(_send_bad_requests(ana, work.times(2_000, 500, 80), chance, tally))
    while not (crowd.done() and others.done()):
        began = time.monotonic()
        try:
            async with asyncio.timeout(10):
                answer = await ana.post("/odds", {"move": "roll ana", "answers": {}})
            if answer.status not in (200, 409, 429):
                tally.wrong("kept a phone out", f"status {answer.status}")
        except (OSError, TimeoutError, AssertionError, EOFError) as error:
            tally.wrong("kept a phone out", f"{type(error).__name__} after {time.monotonic() - began:.1f} s")
        tally.also["answers to the phone meanwhile"] += 1
        await asyncio.sleep(0.3)
    await asyncio.gather(crowd, others)


async def _crowd(phone: Phone, count: int, tally: Tally) -> None:
    """Open connections that say nothing, or too little, and keep them."""
    kept = list[asyncio.StreamWriter]()
    try:
        for number in range(count):
            try:
                _, writer = await asyncio.open_connection(phone.host, phone.port)
            except OSError:
                continue
            if number % 3:
                writer.write(b"GET / HTTP/1.1\r\nHost: "[: 5 + number % 15])
            kept.append(writer)
            tally.did()
            if number % 50 == 0:
                await asyncio.sleep(0)
    finally:
        for writer in kept:
            writer.transport.abort()


async def _send_bad_requests(phone: Phone, count: int, chance: Random, tally: Tally) -> None:
    """Send what nobody may, some of it byte by byte."""
    kinds = [*_bad_requests(phone, chance)]
    for number in range(count):
        data = kinds[number % len(kinds)] if number % 3 else chance.randbytes(chance.randint(1, 3000))
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(5):
                reader, writer = await asyncio.open_connection(phone.host, phone.port)
                try:
                    if number % 7 == 0:
                        for place in range(0, min(len(data), 400), 7):
                            writer.write(data[place : place + 7])
                            await writer.drain()
                    else:
                        writer.write(data)
                    writer.write_eof()
                    answer = await reader.read(4096)
                finally:
                    writer.transport.abort()
                if answer.startswith(b"HTTP/1.1 2"):
                    tally.wrong("had an effect", f"{data[:120]!r} got {answer[:20]!r}")
        tally.did()


def _bad_requests(phone: Phone, chance: Random) -> Iterator[bytes]:
    host, act = f"{phone.host}:{phone.port}", b'{"id": "%032x", "words": "note evil"}' % chance.getrandbits(128)

    def post(path: str, body: bytes, **headers: str) -> bytes:
        usual = {"Host": host, "Origin": phone.origin, "Cookie": phone.cookie, "Content-Type": "application/json"}
        lines = [
            f"{name.replace('_', '-')}: {value}"
            for name, value in {**usual, "Content-Length": f"{len(body)}", **headers}.items()
        ]
        return "\r\n".join([f"POST {path} HTTP/1.1", *lines, "", ""]).encode() + body

    yield post("/act", act, Host="evil.example")
    yield post("/act", act, Host=f"evil.example:{phone.port}")
    yield post("/act", act, Origin="https://evil.example")
    yield post("/act", act, Sec_Fetch_Site="cross-site")
    yield post("/act", act, Content_Type="text/plain")
    yield post("/act", act, Cookie="")
    yield post("/act", act, Cookie=f"waylog-{phone.port}={chance.getrandbits(128):032x}")
    yield post("/login", b'{"token": "%s"}' % phone.key[:-1].encode())
    yield post("/login", b'{"token": ["%s"]}' % phone.key.encode())
    yield post("/table/act", act)
    yield post("/act", act + b" " * 5000)
    yield post("/act", act, Content_Length="99999999999")
    yield post("/act", act, Content_Length="-1")
    yield post("/act", act, Content_Length="10, 11")
    yield post("/act", act, Transfer_Encoding="chunked")
    yield post("/act", act[:-9])
    yield post("/act", b"[" * 4000)
    yield post("/act", b'{"id": 1, "words": {}}')
    yield post("/act", b'{"id": "%032x", "move": "roll ana", "answers": {"tools": {"a": 1}}}' % 7)
    yield post("/act", b'{"id": "%032x", "move": "roll ana", "answers": [], "faces": "6"}' % 7)
    yield post("/act", b'{"id": "../../../../etc/passwd", "words": "note evil"}')
    yield post("/act", act, X="y" * 20_000)
    yield f"GET /feed HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    yield f"GET /../../campaign.toml HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    yield f"GET /page.html%00 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    yield f"GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n".encode()
    yield b"GET / HTTP/1.1\r\n\r\n"
    yield b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    yield b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    yield b"DELETE / HTTP/1.1\r\nHost: x\r\n\r\n"


# -- the wayfinder's keys under attack -------------------------------------------------------------------------------------


def run_keys(work: Work) -> Iterator[Tally]:
    """The wayfinder presses keys while the server is attacked, and while it isn't, in turn."""
    keys, rounds = work.times(150, 60, 12), work.times(10, 3, 1)
    tally = Tally("the wayfinder's keys while phones' server is attacked", "keys", ("delayed",), keys * rounds)
    evening = Evening(work, "keys")
    home = {**os.environ, "HOME": str(work.folder), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    app = Terminal([sys.executable, "-m", "waylog", "open", str(evening.folder)], home, work.folder)
    took = dict[str, list[float]](quiet=[], attacked=[])
    with evening.served() as (server, addresses), app:
        app.shown("Trial")
        app.settled()
        for _ in range(rounds):
            took["quiet"] += [_press(app, server.pid, number)[0] for number in range(keys)]
            with _attacked(addresses["ana"], work.seed):
                for number in range(keys):
                    whole, at_most = _press(app, server.pid, number)
                    took["attacked"].append(whole)
                    tally.did()
                    tally.also["µs by which the server delayed one, at most"] = max(
                        tally.also["µs by which the server delayed one, at most"], round(at_most * 1000)
                    )
                    if at_most > _DELAY:
                        tally.wrong("delayed", f"by up to {at_most:.0f} ms")
    for name, each in took.items():
        for which, place in (("in the middle", len(each) // 2), ("99.9 %", len(each) * 999 // 1000), ("at most", -1)):
            tally.also[f"ms {name} {which}"] = round(sorted(each)[place])
    yield tally


def _press(app: Terminal, server: int, number: int) -> tuple[float, float]:
    """Press a key. Return how long it took to draw, and the most of it that can be the server's fault: the app waited for a processor, and
    the server had one. Both are milliseconds.
    """
    app.settled(0)
    waited, used = scheduled(app.pid).was_ready, cpu(server)
    took = app.frame("12"[number % 2])
    return took, min((scheduled(app.pid).was_ready - waited) * 1000, cpu(server) - used)


@contextmanager
def _attacked(url: str, seed: int) -> Iterator[None]:
    """Attack from another process: what it takes of the processors isn't the server's fault."""
    command = f"from torture.phones import attack_on; attack_on({url!r}, {seed})"
    with subprocess.Popen([sys.executable, "-c", command], stdout=subprocess.PIPE, start_new_session=True) as enemy:
        assert enemy.stdout
        enemy.stdout.readline()
        try:
            yield
        finally:
            enemy.terminate()


def attack_on(url: str, seed: int) -> None:
    """Attack a server without a pause, for a minute at most."""
    tally = Tally("", "", ("had an effect",))

    async def attack() -> None:
        phone = Phone(url)
        await phone.log_in()
        print("on", flush=True)  # noqa: T201 - the keys begin then
        with suppress(TimeoutError):
            async with asyncio.timeout(60):
                others = (_send_bad_requests(phone, 10**9, Random(seed + each), tally) for each in range(8))
                await asyncio.gather(*others, *(_crowd(phone, _CROWD, tally) for _ in range(20)))

    asyncio.run(attack())


EVENING = Harness("phones", "five phones that sleep and wake", run_evening)
ENEMIES = Harness("enemies", "what enemies send to phones' server", run_enemies)
KEYS = Harness("keys", "the wayfinder's keys while phones' server is attacked", run_keys)
