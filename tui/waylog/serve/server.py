"""The server: it listens, looks at the campaign, and ends with the session."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from waylog.serve.connections import Connections
from waylog.serve.guests_and_feed import Guests
from waylog.serve.requests_and_login import EVER, Site
from waylog.store.players.phone_keys import TABLE, PageAddress, PhoneKeys, ServeStatus
from waylog.values import dataclass

PORT = 7717
"""The first port that is tried, and the most that are: a page that was kept finds its server again."""
_PORTS = 10
_LOOK, _SOON = 0.1, 0.03
"""Seconds between two looks at the campaign while pages are open, and while something happens. An app that lets phones in says when to
look, and then nobody waits for that.
"""
_LIVELY = 10.0
"""Seconds that this goes on after something was different."""
_REST = 10.0
"""The most while none is. What phones send is looked at when it comes."""
_FAREWELL = 0.3
"""Seconds in which pages hear that the server ends."""
_MODESTY = 5
_SESSION = Path("/proc/self/autogroup")
_ENDED = "The wayfinder has stopped letting phones in."


class PortTaken(Exception):
    """The port can't be used."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How to serve."""

    lan: bool = False
    """Whether other machines of the local network may come in."""
    port: int | None = None
    """The port; 0 for any that is free, None for the usual ones."""
    keep: bool = False
    """Whether to go on after the session."""
    outside: str = ""
    """The address under which a proxy or a tunnel is reached."""


class Server:
    """Serves one campaign until somebody ends it, or the session ends."""

    def __init__(
        self, campaign: Path, state: Path, options: ServeOptions, report: Callable[[ServeStatus], bool]
    ) -> None:
        """`state` is Waylog's state folder. `report` hears what is served, and again whenever that is different. If it returns that it
        couldn't take it, it hears it later.
        """
        self._options, self._report = options, report
        self._wake, self._ends = asyncio.Event(), False
        self._guests = Guests(campaign, PhoneKeys(state, campaign), self.look_soon)
        self._url = ""
        self._reported: ServeStatus | None = None

    def end(self) -> None:
        """End soon."""
        self._ends = True
        self._wake.set()

    def look_soon(self) -> None:
        """Look at the campaign and the keys now: something may have changed."""
        self._wake.set()

    async def run(self) -> None:
        """Serve. Raises `PortTaken` and `OSError`."""
        host = "" if self._options.lan else "127.0.0.1"
        site = Site(self._guests, _host_names(), self._options.outside)
        connections = Connections(site.answer, EVER)
        listener = await self._listen(connections, host)
        port = listener.sockets[0].getsockname()[1]
        shown = local_address() if self._options.lan else "127.0.0.1"
        self._url = self._options.outside.rstrip("/") or f"http://{shown}:{port}"
        await self._look_until_the_end()
        listener.close()
        self._guests.close(_ENDED)
        await asyncio.sleep(_FAREWELL if self._guests.pages else 0)
        await connections.close()

    async def _listen(self, connections: Connections, host: str) -> asyncio.Server:
        wanted = self._options.port
        ports = range(PORT, PORT + _PORTS) if wanted is None else (wanted,)
        for port in ports:
            try:
                return await connections.listen(host, port)
            except OSError as error:
                if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                    raise
        raise PortTaken(f"port {ports[0]} can't be used. Choose another one with --port")

    async def _look_until_the_end(self) -> None:
        in_session, rest, lively_until = False, _LOOK, 0.0
        while not self._ends:
            self._wake.clear()
            self._guests.look()
            for guest in self._guests.present():
                if guest.look(self._guests.shared):
                    lively_until = monotonic() + _LIVELY
                await asyncio.sleep(0)  # Its pages hear of it before the next guest is looked at.
            rest = min(rest * 2, _REST)
            if (status := self._status()) != self._reported and self._report(status):
                self._reported, rest = status, _LOOK
            session = self._guests.projection.session if self._guests.projection else 0
            if in_session and not session and not self._options.keep:
                return
            in_session = bool(session)
            with suppress(TimeoutError):
                busy = _SOON if monotonic() < lively_until else _LOOK
                async with asyncio.timeout(busy if self._guests.pages else rest):
                    await self._wake.wait()
                    rest = _LOOK

    def _status(self) -> ServeStatus:
        addresses = [
            PageAddress(
                "" if player == TABLE else player,
                "The table" if player == TABLE else name,
                f"{self._url}/{'table' if player == TABLE else ''}#{key}",
                pages,
            )
            for player, name, key, pages in self._guests.addresses()
        ]
        # The table's screen comes last.
        return ServeStatus(self._url, tuple(sorted(addresses, key=lambda each: not each.key)), self._guests.trouble)


def _host_names() -> frozenset[str]:
    """Return the names under which a browser may ask for this machine. A page of elsewhere can't have any of them."""
    name = socket.gethostname().lower()
    return frozenset(("localhost", name, f"{name.partition('.')[0]}.local"))


def local_address() -> str:
    """Return the address of this machine in the local network, as it stands in an address of a page. Nothing is sent for that."""
    # Nobody has these addresses: only the way there is looked up.
    for family, nobody, text in ((socket.AF_INET, "192.0.2.1", "{}"), (socket.AF_INET6, "2001:db8::1", "[{}]")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((nobody, 9))
            return text.format(asking.getsockname()[0])
    return "127.0.0.1"


def be_modest() -> None:
    """Let the wayfinder's program go first."""
    os.nice(_MODESTY)
    # Linux may share the processors among sessions first. Then that number counts inside of a session alone.
    if os.getsid(0) == os.getpid():
        with suppress(OSError):
            _SESSION.write_text(f"{_MODESTY}")
