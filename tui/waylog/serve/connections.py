"""HTTP connections: each request within limits of time and size, and no more connections at once than the machine can bear.

h11 parses what comes and frames what goes. A handler gets a `Request` and gives a `Response`, or a `Stream` of events.
"""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from http import HTTPStatus

import h11

from waylog.values import dataclass, field

MOST = 256
"""The most connections at once. One more ends the one that has shown no key for the longest time."""
LARGEST_BODY = 4096
_LARGEST_HEAD = 8192
_CHUNK = 4096
_REQUEST_TIME = 10.0
"""Seconds in which a whole request must have come, however slowly its bytes drip."""
_IDLE_TIME = 60.0
"""Seconds that a connection is kept for its next request."""
_WRITE_TIME = 20.0
"""Seconds in which a client takes what was sent before it is given up."""


@dataclass(frozen=True, slots=True)
class Request:
    """A whole request."""

    method: str
    path: str
    """Without the query."""
    query: str
    headers: Mapping[str, str]
    """By name, in small letters. Of several with one name, the last."""
    body: bytes
    address: tuple[str, int]
    """Where on this machine it came in: an address and a port."""


@dataclass(frozen=True, slots=True)
class Response:
    """A whole answer."""

    status: HTTPStatus
    body: bytes = b""
    kind: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    proven: bool = False
    """Whether the client has shown a key that counts."""


@dataclass(frozen=True, slots=True)
class Stream:
    """An answer that goes on until the events end, or the client goes away."""

    events: AsyncIterator[bytes]
    headers: tuple[tuple[str, str], ...] = ()


Handler = Callable[[Request], Response | Stream]


class _Refused(Exception):
    """A request that is answered without being looked at."""

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status


@dataclass(slots=True, eq=False)
class _Client:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    protocol: h11.Connection = field(
        default_factory=lambda: h11.Connection(h11.SERVER, max_incomplete_event_size=_LARGEST_HEAD)
    )
    proven: bool = False

    async def send(self, *events: h11.Event) -> None:
        """Send, and wait until the client has taken most of it. Raises `OSError` and `TimeoutError`."""
        for event in events:
            if data := self.protocol.send(event):
                self.writer.write(data)
        async with asyncio.timeout(_WRITE_TIME):
            await self.writer.drain()

    async def next_event(self) -> h11.Event | type[h11.PAUSED]:
        """Return what comes next. Raises `h11.RemoteProtocolError` and `OSError`."""
        while (event := self.protocol.next_event()) is h11.NEED_DATA:
            self.protocol.receive_data(await self.reader.read(_CHUNK))
        return event


class Connections:
    """All connections of one server."""

    def __init__(self, handler: Handler, ever: tuple[tuple[str, str], ...]) -> None:
        """`ever` are headers of every answer."""
        self._handler, self._ever = handler, ever
        self._clients: dict[_Client, None] = {}
        """Oldest first."""
        # Files and the event loop need some descriptors, too.
        self._most = min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)

    async def listen(self, host: str, port: int) -> asyncio.Server:
        """Listen. Raises `OSError`."""
        return await asyncio.start_server(self._accept, host, port, limit=_LARGEST_HEAD, backlog=128)

    def close(self) -> None:
        """End every connection."""
        for client in self._clients:
            client.writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = _Client(reader, writer)
        if len(self._clients) >= self._most:
            oldest = next((each for each in self._clients if not each.proven), None)
            (oldest or client).writer.transport.abort()
            if oldest is None:
                return
            self._clients.pop(oldest, None)
        self._clients[client] = None
        _detect_lost_peers(writer.get_extra_info("socket"))
        try:
            while await self._serve(client):
                client.protocol.start_next_cycle()
        except (OSError, TimeoutError, h11.ProtocolError):
            pass  # It has gone away, is too slow, or speaks something else.
        finally:
            self._clients.pop(client, None)
            writer.close()

    async def _serve(self, client: _Client) -> bool:
        """Answer one request. Return whether the connection may have another one."""
        try:
            request = await self._read(client)
        except h11.RemoteProtocolError as error:
            status = error.error_status_hint
            request = _Refused(HTTPStatus(status) if status in _HINTS else HTTPStatus.BAD_REQUEST)
        except _Refused as refused:
            request = refused
        if request is None:
            return False
        if isinstance(request, _Refused):
            await self._respond(client, Response(request.status), goes_on=False)
            return False
        answer = self._handler(request)
        if isinstance(answer, Stream):
            client.proven = True
            await self._stream(client, answer)
            return False
        client.proven = answer.proven
        await self._respond(client, answer, goes_on=True)
        return client.protocol.our_state is h11.DONE and client.protocol.their_state is h11.DONE

    async def _read(self, client: _Client) -> Request | None:
        """Return a whole request; None if the client sends no more. Raises `_Refused` and what `next_event` raises."""
        with suppress(TimeoutError):  # It is kept for the next request, and there is none.
            async with asyncio.timeout(_IDLE_TIME if client.proven else _REQUEST_TIME):
                if not (first := await client.reader.read(_CHUNK)) and not client.protocol.trailing_data[0]:
                    return None
                client.protocol.receive_data(first)
        ...
        return None

    async def _respond(self, client: _Client, answer: Response, *, goes_on: bool) -> None:
        raise NotImplementedError

    async def _stream(self, client: _Client, answer: Stream) -> None:
        raise NotImplementedError
