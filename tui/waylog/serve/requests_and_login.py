"""The addresses of the page: what each is for, who may use it, and from where.

A request is looked at in this order: the name it asks for (a page of elsewhere may have sent it here under another), where it comes from,
whose cookie it has, how many came before it. Only then is what it says read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from waylog.rules.model.moves import ActRefused
from waylog.serve.connections import Request, Response, Stream
from waylog.serve.guests_and_feed import Guest, Guests, NotUnderstood
from waylog.store.files import describe_error
from waylog.store.players.inbox import InboxRefused
from waylog.store.players.phone_keys import cookie_of
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
_TOO_FAST = "Too many presses at once. Wait a moment."
_FILE_TROUBLE = "The wayfinder's computer couldn't save that: {}."


class Site:
    """Answers requests."""

    def __init__(self, guests: Guests, names: frozenset[str], outside: str = "") -> None:
        """`names` are host names of this machine, in small letters. `outside` is the address of a proxy or tunnel, such as
        `https://ship.example.org`.
        """
        self._guests, self._names, self._outside = guests, names, outside.rstrip("/")
        self._files = {f"/{path.name}": path for path in _PAGE.iterdir() if path.suffix in _KINDS}
        self._files |= dict.fromkeys(("/", "/table"), _PAGE / "page.html")

    def answer(self, request: Request) -> Response | Stream:
        """Answer a request."""
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
