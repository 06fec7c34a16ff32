"""HTTP connections: each request within limits of time and size, and no more connections at once than the machine can bear.

h11 parses what comes and frames what goes. A handler gets a `Request` and gives a `Response`, or a `Stream` of events.

The server: it listens, looks at the campaign, and ends with the session. The addresses of the page: what each is for, who may use it,
and from where.

A request is looked at in this order: the name it asks for (a page of elsewhere may have sent it here under another), where it comes from,
whose cookie it has, how many came before it. Only then is what it says read.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import os
import resource
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from time import monotonic
from typing import Any, Protocol
from urllib.parse import urlsplit

import h11

from waylog.rules.model.moves import ActRefused
from waylog.serve.guests_and_feed import Guest, Guests, NotUnderstood
from waylog.store.files_and_lock import describe_error
from waylog.store.players.inbox import InboxRefused
from waylog.store.players.inbox_access_and_phone_keys import TABLE, PageAddress, PhoneKeys, ServeStatus, cookie_of
from waylog.values import dataclass
from waylog.words.sentences import refusal_sentence, sentence

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
    """The path of the address, without the query."""
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


EVER = (
    (
        "Content-Security-Policy",
        (
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)
"""Headers of every answer."""
_PAGE = Path(__file__).parent / "page"
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/manifest+json",
}
_COOKIE_DAYS = 180
_NOT_HERE = "Waylog doesn't answer at this address. Scan the code again."
_FROM_ELSEWHERE = "This request came from another page."
_NO_KEY = "This code is no longer valid. Ask the wayfinder for the new one."
_TOO_FAST = "Too many requests at once. Wait a moment."
_FILE_TROUBLE = "The wayfinder's computer couldn't save that: {}."


class Site:
    """Answers the requests of browsers: the page, its feed, logins, and what players send."""

    def __init__(self, guests: Guests, names: frozenset[str], outside: str = "") -> None:
        """`names` are host names of this machine, in small letters. `outside` is the address of a proxy or tunnel, such as
        `https://ship.example.org`.
        """
        self._guests, self._names, self._outside = guests, names, outside.rstrip("/")
        self._files = {f"/{path.name}": path for path in _PAGE.iterdir() if path.suffix in _KINDS}
        self._files |= dict.fromkeys(("/", "/table"), _PAGE / "page.html")

    def answer(self, request: Request) -> Response | Stream:
        """Return the response to a request, or the stream of a feed. A request that isn't allowed gets a status of 4xx and a sentence."""
        origin = self._find_origin(request)
        if origin is None:
            return _refuse(HTTPStatus.MISDIRECTED_REQUEST, _NOT_HERE)
        if request.method == "GET" and request.path in self._files:
            return self._give_file(request, self._files[request.path])
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return _refuse(HTTPStatus.FORBIDDEN, _FROM_ELSEWHERE)
        is_table = request.path.startswith("/table/")
        path = request.path.removeprefix("/table") if is_table else request.path
        if request.method == "GET":
            return self._open_feed(request, is_table) if path == "/feed" else _refuse(HTTPStatus.NOT_FOUND, _NOT_HERE)
        if request.headers.get("origin") not in {origin, self._outside or origin}:
            return _refuse(HTTPStatus.FORBIDDEN, _FROM_ELSEWHERE)
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _FROM_ELSEWHERE)
        asked = _read_body(request.body)
        if asked is None:
            return _refuse(HTTPStatus.BAD_REQUEST, _FROM_ELSEWHERE)
        if path == "/login":
            return self._log_in(request, asked, is_table)
        guest = self._find_guest(request, is_table)
        if guest is None:
            return _refuse(HTTPStatus.FORBIDDEN, _NO_KEY)
        if is_table:
            return _refuse(HTTPStatus.NOT_FOUND, _NOT_HERE)
        return self._act(guest, path, asked)

    # -- where a request comes from -----------------------------------------------------------------------------

    def _find_origin(self, request: Request) -> str | None:
        """Return the origin that a page of ours has under the name that a request asks for; None for a name that isn't ours."""
        host = request.headers.get("host", "").lower()
        if self._outside and host == urlsplit(self._outside).netloc.lower():
            return self._outside
        name, _, port = (host if ":" in host else f"{host}:80").rpartition(":")
        if port != str(request.address[1]):
            return None
        if name in self._names:
            return f"http://{host}"
        try:
            is_ours = ip_address(name.strip("[]")) == ip_address(request.address[0])
        except ValueError:
            return None
        return f"http://{host}" if is_ours else None

    def _find_guest(self, request: Request, is_table: bool) -> Guest | None:
        wanted = _cookie_name(request, is_table)
        for each in request.headers.get("cookie", "").split(";"):
            name, _, value = each.strip().partition("=")
            if name == wanted and (guest := self._guests.find(value, is_table=is_table)):
                return guest
        return None

    # -- answers ------------------------------------------------------------------------------------------------

    def _give_file(self, request: Request, path: Path) -> Response:
        data = path.read_bytes()
        tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        headers = (("Cache-Control", "no-cache"), ("ETag", tag))
        if request.headers.get("if-none-match") == tag:
            return Response(HTTPStatus.NOT_MODIFIED, kind=_KINDS[path.suffix], headers=headers)
        return Response(HTTPStatus.OK, data, _KINDS[path.suffix], headers)

    def _log_in(self, request: Request, asked: Mapping[str, Any], is_table: bool) -> Response:
        """Trade a key for a cookie."""
        key = asked.get("token")
        if not isinstance(key, str) or not self._guests.opens(key, is_table=is_table):
            return _refuse(HTTPStatus.FORBIDDEN, _NO_KEY)
        parts = [
            f"{_cookie_name(request, is_table)}={cookie_of(key)}",
            f"Path={'/table' if is_table else '/'}",
            f"Max-Age={_COOKIE_DAYS * 86400}",
            "HttpOnly",
            "SameSite=Strict",
            *(["Secure"] if request.headers["origin"].startswith("https:") else []),
        ]
        return Response(HTTPStatus.NO_CONTENT, headers=(("Set-Cookie", "; ".join(parts)), _NEVER_KEPT), proven=True)

    def _open_feed(self, request: Request, is_table: bool) -> Response | Stream:
        guest = self._find_guest(request, is_table)
        if guest is None:
            return _refuse(HTTPStatus.FORBIDDEN, _NO_KEY)
        if guest.is_too_fast():
            return _refuse(HTTPStatus.TOO_MANY_REQUESTS, _TOO_FAST)
        return guest.open_feed()

    def _act(self, guest: Guest, path: str, asked: Mapping[str, Any]) -> Response:
        """Do what a player's page asks for."""
        if guest.is_too_fast():
            return _refuse(HTTPStatus.TOO_MANY_REQUESTS, _TOO_FAST)
        try:
            match path:
                case "/act":
                    return _give(guest.propose(asked))
                case "/odds":
                    return _give(guest.odds(asked))
                case "/take-back":
                    return _give(guest.take_back(asked))
                case "/pause":
                    guest.ask_for_pause()
                case "/forget-pause":
                    guest.forget_pause()
                case _:
                    return _refuse(HTTPStatus.NOT_FOUND, _NOT_HERE)
        except NotUnderstood:
            return _refuse(HTTPStatus.BAD_REQUEST, _FROM_ELSEWHERE)
        except ActRefused as refused:
            return _refuse(HTTPStatus.CONFLICT, refusal_sentence(refused.refusal))
        except InboxRefused as refused:
            return _refuse(HTTPStatus.CONFLICT, sentence(str(refused)))
        except OSError as trouble:
            return _refuse(HTTPStatus.CONFLICT, _FILE_TROUBLE.format(describe_error(trouble)))
        finally:
            guest.look(self._guests.shared)
        return _give({"ok": True})


_NEVER_KEPT = ("Cache-Control", "no-store")


def _cookie_name(request: Request, is_table: bool) -> str:
    """Return the name of a cookie. Browsers tell cookies apart by the machine, and not by the port."""
    return f"waylog-{'table-' if is_table else ''}{request.address[1]}"


def _read_body(body: bytes) -> Mapping[str, Any] | None:
    try:
        tree = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, dict) else None


def _give(data: Mapping[str, Any]) -> Response:
    return Response(HTTPStatus.OK, json.dumps(data).encode(), headers=(_NEVER_KEPT,), proven=True)


def _refuse(status: HTTPStatus, why: str) -> Response:
    return Response(status, json.dumps({"ok": False, "why": why}).encode(), headers=(_NEVER_KEPT,))


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
    """The options for serving the page for phones."""

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
        """Ask the server to stop. Return before it has."""
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
    """Lower the priority of this process, so that the wayfinder's program runs first."""
    os.nice(_MODESTY)
    # Linux may share the processors among sessions first. Then that number counts inside of a session alone.
    if os.getsid(0) == os.getpid():
        with suppress(OSError):
            _SESSION.write_text(f"{_MODESTY}")
