"""A phone at the table, without a browser: it logs in, follows its feed, and sends what its page would send. And what serves it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import h11


class Answered(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        """The JSON object in it."""
        return json.loads(self.body)


@contextmanager
def serving(folder: Path) -> Iterator[Mapping[str, str]]:
    """The addresses of the page, by the player's key, while it is served."""
    command = [sys.executable, "-m", "waylog", "serve", str(folder), "--json", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield {each["key"]: each["url"] for each in json.loads(process.stdout.readline())["addresses"]}
        process.terminate()


class Phone:
    """One page. `url` is its address as the wayfinder shows it, with the key."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname
        assert parts.port
        self.host, self.port, self.key = parts.hostname, parts.port, parts.fragment
        self.base = parts.path.removesuffix("/")
        self.origin = f"http://{parts.netloc}"
        self.cookie = ""
        self.state: dict[str, Any] = {}
        self.events: list[str] = []
        """The names of the feed's events that were no changes of the state."""

    # -- single requests ------------------------------------------------------------------------------------------

    async def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answered:
        """Send one request on a connection of its own. Headers are as a browser sends them; `Host=…` replaces one, and an empty text omits
        one.
        """
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            protocol = await self._ask(writer, method, path, body, headers)
            answer, found = None, b""
            while not isinstance(event := await _next(protocol, reader), h11.EndOfMessage):
                if isinstance(event, h11.Response):
                    answer = event
                elif isinstance(event, h11.Data):
                    found += event.data
            assert answer is not None
            return Answered(answer.status_code, {k.decode(): v.decode() for k, v in answer.headers}, found)
        finally:
            writer.close()

    async def _ask(
        self, writer: asyncio.StreamWriter, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> h11.Connection:
        usual = {"Host": self.origin.removeprefix("http://"), "Cookie": self.cookie}
        if method == "POST":
            usual |= {"Origin": self.origin, "Content-Type": "application/json", "Content-Length": f"{len(body)}"}
        wanted = {**usual, **{name.replace("_", "-"): value for name, value in headers.items()}}
        protocol = h11.Connection(h11.CLIENT)
        head = h11.Request(
            method=method, target=path, headers=[(name, value) for name, value in wanted.items() if value]
        )
        for event in (head, *([h11.Data(body)] if body else []), h11.EndOfMessage()):
            writer.write(protocol.send(event) or b"")
        await writer.drain()
        return protocol

    async def post(self, path: str, data: object = None, **headers: str) -> Answered:
        """Send values, as the page does."""
        return await self.send("POST", f"{self.base}{path}", json.dumps(data or {}).encode(), **headers)

    async def log_in(self) -> Answered:
        """Trade the key for a cookie."""
        answer = await self.post("/login", {"token": self.key})
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        return answer

    # -- the feed -------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def feed(self) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
        """Open the feed. It yields the whole state after each message, and ends when the server ends it."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            protocol = await self._ask(writer, "GET", f"{self.base}/feed", b"", {})
            yield self._states(protocol, reader)
        finally:
            writer.close()

    async def _states(self, protocol: h11.Connection, reader: asyncio.StreamReader) -> AsyncIterator[dict[str, Any]]:
        self.state, waiting = {}, b""
        while not isinstance(event := await _next(protocol, reader), h11.EndOfMessage | h11.ConnectionClosed):
            if isinstance(event, h11.Response):
                assert event.status_code == 200, event
            elif isinstance(event, h11.Data):
                *messages, waiting = (waiting + event.data).split(b"\n\n")
                for message in messages:
                    if message.startswith(b"data: "):
                        self.state |= json.loads(message[6:])
                        yield self.state
                    elif message.startswith(b"event: "):
                        self.events.append(message.split(b"\n")[0][7:].decode())


async def _next(protocol: h11.Connection, reader: asyncio.StreamReader) -> Any:
    while (event := protocol.next_event()) is h11.NEED_DATA:
        protocol.receive_data(await reader.read(65536))
    return event
