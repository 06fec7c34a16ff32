"""The server: it listens, looks at the campaign, and ends with the session. The addresses of the page: what each is for, who may use it,
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
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from waylog.rules.model.moves import ActRefused
from waylog.serve.connections import Connections, Request, Response, Stream
from waylog.serve.guests_and_feed import Guest, Guests, NotUnderstood
from waylog.store.files_and_lock import describe_error
from waylog.store.players.inbox import InboxRefused
from waylog.store.players.inbox_access_and_phone_keys import TABLE, PageAddress, PhoneKeys, ServeStatus, cookie_of
from waylog.values import dataclass
from waylog.words.sentences import refusal_sentence, sentence

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
