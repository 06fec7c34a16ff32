"""Three players and a wayfinder over SSH, connections cut at any moment: what players propose is played once, or declined, or waits.

Ana and Cy may write notes without asking; Ben may not, and the wayfinder plays each second of his. Players also try what they may not.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

from bench.terminal import NotShown
from torture.figures import Harness, Tally, Work
from torture.processes import forked
from torture.seat import Seat
from torture.ssh_server import Server, make_keys, missing_ssh, serve
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.store.players.inbox import send
from waylog.table import Table

_CAMPAIGN = """\
format = 1
name = "Trial"
system = "veil-core"
log = "0001:0"

[crew.odile]
name = "Odile"

[crew.bram]
name = "Bram"

[players.ana]
name = "Ana"
character = "odile"
may = ["note"]

[players.ben]
name = "Ben"
character = "bram"

[players.cy]
name = "Cy"
may = ["note"]
"""
_PLAYERS = ("ana", "ben", "cy")
_WRONGS = ("lost", "doubled", "played that was not allowed", "somebody else's", "programs that gave up")
_TEXT = re.compile(r"q(\d+)z")
_SHOWN = re.compile(r"· (Ben): .*?q(\d+)z")
_CUT = 0.04
"""How often a connection is cut after a proposal, or while one is typed."""
_FORBIDDEN = 0.1
"""How often a player tries what they may not."""
_PATIENCE = 120.0


def run(work: Work) -> Iterator[Tally]:
    """Let them play, then hold the log against what each has seen to be sent."""
    each = work.times(700, 30, 3)
    tally = Tally("three players over SSH, connections cut", "proposals", _WRONGS, each * len(_PLAYERS))
    folder = work.folder / "trial"
    folder.mkdir()
    (folder / "campaign.toml").write_text(_CAMPAIGN)
    _table(folder).settle()
    ssh = work.folder / "ssh"
    ssh.mkdir()
    keys = make_keys(ssh, ("host", "wayfinder", *_PLAYERS))
    forced = (f'restrict,pty,command="waylog join trial --as {each}" {keys[each]}' for each in _PLAYERS)
    home = {"HOME": work.folder, "WAYLOG_CAMPAIGNS": work.folder}
    with serve(ssh, "".join((keys["wayfinder"], *forced)), home) as server:
        players = {
            player: forked(partial(_propose, server, player, Random(work.seed + n), each, work.folder))
            for n, player in enumerate(_PLAYERS)
        }
        running = dict(players)
        try:
            try:
                _answer(server, folder, work.folder, players)
            except NotShown as ended:
                tally.wrong("programs that gave up", f"the wayfinder: {ended}")
            for player, pid in players.items():
                gave_up = os.waitpid(pid, 0)[1]
                del running[player]
                if gave_up:
                    tally.wrong("programs that gave up", player)
        finally:
            # Only if the harness itself is ended: nothing of it may go on and hold its output open.
            for pid in running.values():
                os.kill(pid, signal.SIGKILL)
    _compare(tally, folder, work.folder)
    yield tally


def _table(folder: Path) -> Table:
    return Table(folder, now=lambda: datetime.now(UTC), chance=ChanceDice(Random(1).randrange))


# -- a player ------------------------------------------------------------------------------------------------------------


def _propose(server: Server, player: str, random: Random, count: int, folder: Path) -> None:
    """Propose so many notes, and note in a file which were seen to be sent, and which may have been."""
    seat: Seat | None = None
    with (folder / f"{player}.sent").open("w", buffering=1) as lines:
        for number in range(count):
            number = number * len(_PLAYERS) + _PLAYERS.index(player)
            if seat is None:
                seat = Seat(server.ssh(player), folder)
                seat.shown("spotlight", _PATIENCE)
            if random.random() < _FORBIDDEN:
                _try_forbidden(seat, folder, player, random)
            seat.type(f"nq{number}z")
            cut = random.random() < _CUT
            if cut and random.random() < 0.5:
                lines.write(f"typed {number}\n")
                _cut(seat)
                seat = None
                continue
            seat.shown(f"q{number}z", _PATIENCE)
            seat.type("\r")
            if cut:
                lines.write(f"maybe {number}\n")
                _cut(seat)
                seat = None
                continue
            # The window says what became of the latest proposal, which may be one from elsewhere; what is in the log was played.
            logged = rf"\d\d:\d\d +q{number}z"
            seat.shown(rf"q{number}z.*(waiting|played|declined)|{logged}", _PATIENCE)
            lines.write(f"sent {number}\n")
            # So that no more than a few of theirs wait: nothing of a flood is played without asking.
            seat.shown(rf"q{number}z.*(played|declined)|{logged}", _PATIENCE)
    if seat:
        _cut(seat)


def _try_forbidden(seat: Seat, folder: Path, player: str, random: Random) -> None:
    """Roll for somebody else's character: by keys, and by a letter that no program of ours would send."""
    other = "bram" if player == "ana" else "odile"
    if random.random() < 0.5:
        send(folder / "trial", player, f"roll {other}")
        return
    seat.type(f":roll {other}\r")
    seat.left_alone(0.2)
    for _ in range(3):
        seat.type("\x1b")
        seat.left_alone(0.1)


def _cut(seat: Seat) -> None:
    """End the connection as a broken line does."""
    seat.hang_up()
    with suppress(ProcessLookupError):
        os.kill(seat.pid, 9)
    os.waitpid(seat.pid, 0)
    seat.pid = 0


# -- the wayfinder -------------------------------------------------------------------------------------------------------


def _answer(server: Server, campaign: Path, folder: Path, players: Mapping[str, int]) -> None:
    """Play what Ben proposes with an even number, and decline the rest, until all players have ended and nothing waits."""
    with Seat(server.ssh("wayfinder", f"waylog open {shlex.quote(campaign.name)}"), folder) as seat:
        seat.shown("CORE|Ship", _PATIENCE)
        quiet = 0.0
        while quiet < 3.0:
            found = _SHOWN.search(" ".join(seat.text.split()))
            if found:
                seat.type("Y" if int(found[2]) % 2 == 0 else "Z\r")
                quiet = 0.0
            seat.settled(0.2)
            waits = any(campaign.glob("inbox/*/*.proposal"))
            running = any(_is_running(pid) for pid in players.values())
            quiet = 0.0 if waits or running else quiet + 0.2


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


# -- what came of it -----------------------------------------------------------------------------------------------------


def _compare(tally: Tally, folder: Path, notes: Path) -> None:
    """Hold the log against what the players have seen."""
    played: Counter[int] = Counter()
    table = _table(folder)
    table.refresh()
    for number in range(1, table.snapshot.entries + 1):
        entry = table.entry(number)
        if any(isinstance(fact, RollFact) for fact in entry.facts):
            tally.wrong("played that was not allowed", f"entry {number}: {entry.words}")
        for fact in entry.facts:
            if isinstance(fact, NoteFact) and (found := _TEXT.search(fact.text)):
                played[int(found[1])] += 1
                if entry.by != _PLAYERS[int(found[1]) % len(_PLAYERS)]:
                    tally.wrong("somebody else's", f"entry {number} by {entry.by}: {fact.text}")
    tally.all_wrong("doubled", "played twice", [number for number, times in played.items() if times > 1])
    sent = set[int]()
    for player in _PLAYERS:
        for line in (notes / f"{player}.sent").read_text().splitlines():
            kind, _, text = line.partition(" ")
            tally.did()
            if kind == "sent":
                sent.add(int(text))
            else:
                tally.also["cut before Enter" if kind == "typed" else "cut behind Enter"] += 1
    declined = {number for number in sent if number % len(_PLAYERS) == 1 and number % 2}
    tally.all_wrong("lost", "sent and not played", sorted(sent - declined - set(played)))
    tally.all_wrong("played that was not allowed", "declined and played", sorted(declined & set(played)))
    tally.also["played"] = sum(played.values())


class _SshHarness(Harness):
    """It needs a server that may be outside the usual path."""

    def missing(self) -> str:
        return missing_ssh()


HARNESS = _SshHarness("players", "three players over SSH", run)
