"""HTTP connections: each request within limits of time and size, and no more connections at once than the machine can bear.

h11 parses what comes and frames what goes. A handler gets a `Request` and gives a `Response`, or a `Stream` of events.
"""

from __future__ import annotations

import asyncio
import errno
import resource
import socket
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Protocol

import h11

from waylog.values import dataclass

MOST = 256
"""The most connections at once. One more ends the oldest that has shown no key, or else the oldest that follows no feed."""
LARGEST_BODY = 4096
_LARGEST_HEAD = 8192
_CHUNK = 4096
_BACKLOG = 128
_REQUEST_TIME = 10.0
"""Seconds in which a whole request must have come, however slowly its bytes drip."""
_IDLE_TIME = 60.0
"""Seconds that a connection is kept for its next request."""
_PATIENCE = 2.0
"""Seconds in which connections that were ended must be over."""
_WRITE_TIME = 20.0
"""Seconds in which a client takes what was sent before it is given up."""


@dataclass(frozen=True, slots=True)
class Request:
    """A whole request."""

    method: str
    path: str
    """Without the query."""
    headers: Mapping[str, str]
    """By name, in small letters. Of several with one name, the last."""
    body: bytes
    address: tuple[str, int]
    """The address and port of this machine at which it came in."""


@dataclass(frozen=True, slots=True)
class Response:
    """A whole answer."""

    status: HTTPStatus
    body: bytes = b""
    kind: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    proven: bool = False
    """Whether the client has shown a key that counts."""

    @property
    def content_headers(self) -> tuple[tuple[str, str], ...]:
        """The headers that describe the body: its type, and its length in bytes."""
        return (("Content-Type", self.kind), ("Content-Length", f"{len(self.body)}"))


class Stream(Protocol):
    """An answer that goes on until it has no more, or the client goes away."""

    async def next_chunk(self) -> bytes | None:
        """Wait for what is to be sent next; None at the end."""

    def end(self) -> None:
        """Stop: the client has gone away."""


Handler = Callable[[Request], Response | Stream]


class _Refused(Exception):
    """A request that is answered without being looked at."""

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status


class _Client:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.protocol = h11.Connection(h11.SERVER, max_incomplete_event_size=_LARGEST_HEAD)
        self.proven = False
        """Whether it has shown a key that counts."""
        self.streams = False

    async def send(self, *events: h11.Event) -> None:
        """Send, and wait until the client has taken most of it. Raises `OSError` and `TimeoutError`."""
        for event in events:
            if data := self.protocol.send(event):
                self.writer.write(data)
        async with asyncio.timeout(_WRITE_TIME):
            await self.writer.drain()

    async def read(self) -> Request | None:
        """Return a whole request; None if the client sends none. Raises `_Refused`, `h11.RemoteProtocolError`, `OSError` and
        `TimeoutError`.
        """
        head: h11.Request | None = None
        body = b""
        async with asyncio.timeout(_IDLE_TIME if self.proven else _REQUEST_TIME):
            while True:
                match self.protocol.next_event():
                    case h11.NEED_DATA:
                        self.protocol.receive_data(await self.reader.read(_CHUNK))
                    case h11.Request() as request:
                        head = request
                        if head.method not in (b"GET", b"POST"):
                            raise _Refused(HTTPStatus.METHOD_NOT_ALLOWED)
                    case h11.Data(data=data):
                        body += data
                        if len(body) > LARGEST_BODY:
                            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                    case h11.EndOfMessage() if head is not None:
                        return self._make(head, body)
                    case _:
                        return None

    def _make(self, head: h11.Request, body: bytes) -> Request:
        path = head.target.decode("ascii", "replace").partition("?")[0]
        headers = {name.decode("ascii"): value.decode("latin-1") for name, value in head.headers}
        host, port = self.writer.get_extra_info("sockname")[:2]
        host = host.removeprefix("::ffff:")  # An address of IPv4 at a socket that takes both.
        return Request(head.method.decode("ascii"), path, headers, body, (host, port))


class Connections:
    """All connections of one server."""

    def __init__(self, handler: Handler, ever: tuple[tuple[str, str], ...]) -> None:
        """`ever` are headers of every answer."""
        self._handler, self._ever = handler, ever
        self._clients: dict[_Client, asyncio.Task[None] | None] = {}
        """Oldest first."""
        # Files and the event loop need some descriptors, too.
        self._most = min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)

    async def listen(self, host: str, port: int) -> asyncio.Server:
        """Listen at an address, or with an empty one at every address of this machine. Raises `OSError`."""
        return await asyncio.start_server(self._accept, sock=_open_socket(host, port), limit=_LARGEST_HEAD)

    async def close(self) -> None:
        """End every connection."""
        tasks = [task for task in self._clients.values() if task]
        for client in self._clients:
            client.writer.transport.abort()
        if tasks:
            await asyncio.wait(tasks, timeout=_PATIENCE)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = _Client(reader, writer)
        if len(self._clients) >= self._most:
            # There are few streams, so one of the others is always there.
            oldest = min(
                (each for each in self._clients if not each.streams), key=lambda each: each.proven, default=client
            )
            oldest.writer.transport.abort()
            self._clients.pop(oldest, None)
            if oldest is client:
                return
        self._clients[client] = asyncio.current_task()
        try:
            _notice_lost_peers(writer.get_extra_info("socket"))
            while await self._serve(client):
                client.protocol.start_next_cycle()
        except (OSError, TimeoutError, h11.ProtocolError):
            writer.transport.abort()  # It has gone away, is too slow, or speaks something else.
        finally:
            self._clients.pop(client, None)
            writer.close()
            # Somebody who takes nothing of what is left doesn't keep the connection.
            asyncio.get_running_loop().call_later(_WRITE_TIME, writer.transport.abort)

    async def _serve(self, client: _Client) -> bool:
        """Answer one request. Return whether the connection may have another one."""
        answer: Response | Stream
        try:
            request = await client.read()
            if request is None:
                return False
            answer = self._handler(request)
        except h11.RemoteProtocolError as error:
            answer = Response(_HINTS.get(error.error_status_hint, HTTPStatus.BAD_REQUEST), b"{}")
        except _Refused as refused:
            answer = Response(refused.status, b"{}")
        if isinstance(answer, Response):
            await client.send(
                self._head(answer.status, *(answer.content_headers if answer.body else ()), *answer.headers),
                h11.Data(answer.body),
                h11.EndOfMessage(),
            )
            client.proven = answer.proven
            return client.protocol.our_state is h11.DONE and client.protocol.their_state is h11.DONE
        client.proven = client.streams = True
        await self._stream(client, answer)
        return False

    async def _stream(self, client: _Client, stream: Stream) -> None:
        """Send what a stream has, until one of the two ends."""
        # A client that has asked for a stream says nothing more. What comes is its end.
        gone = asyncio.ensure_future(client.reader.read(1))
        gone.add_done_callback(lambda _: stream.end())
        try:
            await client.send(
                self._head(HTTPStatus.OK, ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"))
            )
            while (chunk := await stream.next_chunk()) is not None:
                await client.send(h11.Data(chunk))
            await client.send(h11.EndOfMessage())
        finally:
            stream.end()
            gone.cancel()

    def _head(self, status: HTTPStatus, *headers: tuple[str, str]) -> h11.Response:
        return h11.Response(status_code=status, headers=[*headers, *self._ever], reason=status.phrase.encode())


_HINTS = {status.value: status for status in (HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, HTTPStatus.NOT_IMPLEMENTED)}
"""What h11 may propose as the answer to something malformed."""


def _open_socket(host: str, port: int) -> socket.socket:
    """Open a socket to listen at; for every address, those of IPv6 and of IPv4 where the machine has both. Raises `OSError`."""
    if not host and socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, backlog=_BACKLOG, dualstack_ipv6=True)
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                raise  # Any other means that IPv6 is switched off.
    return socket.create_server((host, port), backlog=_BACKLOG)


def _notice_lost_peers(connection: socket.socket) -> None:
    """Let the system end a connection whose other side has vanished, such as a phone that sleeps."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(_WRITE_TIME * 1000))
