"""`waylog serve`: what a player's page gets, what it may send, and who is let in."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.kit.phone import Phone
from tests.kit.table import ticking, written
from tests.store.test_proposals import CAMPAIGN
from waylog.rules.model.dice import ChanceDice
from waylog.serve import connections_requests_and_login
from waylog.serve.connections_requests_and_login import ServeOptions, Server
from waylog.serve.guests_and_feed import visible_state
from waylog.store.players.inbox import read_waiting
from waylog.store.players.inbox_access_and_phone_keys import ServeStatus, revoke
from waylog.table import Table

ID = "0123456789abcdef" * 2


class Room:
    """A campaign with its wayfinder's table, served to phones."""

    def __init__(self, place: Path) -> None:
        self.folder = written(place / "trial", CAMPAIGN)
        self.state = place / "state"
        self.table = Table(self.folder, now=ticking(), chance=ChanceDice(lambda _: 0))
        self.table.add_reader()
        self.say("note The lamp is lit")
        self.status: ServeStatus | None = None
        self.server = Server(self.folder, self.state, ServeOptions(port=0), self._hear)
        self._heard = asyncio.Event()

    def _hear(self, status: ServeStatus) -> bool:
        self.status = status
        if any(each.key for each in status.addresses):
            self._heard.set()
        return True

    def say(self, words: str) -> None:
        """The wayfinder plays something, and it is on disk."""
        self.table.play(self.table.understand(words))
        self.table.settle()

    def look(self) -> None:
        """The wayfinder's program looks at the inbox, as it does twice a second."""
        self.table.refresh()
        self.table.settle()

    @classmethod
    def beside(cls, other: Room) -> Room:
        """The same campaign, served again after that server has ended."""
        it = cls.__new__(cls)
        it.folder, it.state, it.table, it.status, it._heard = (
            other.folder,
            other.state,
            other.table,
            None,
            asyncio.Event(),
        )
        it.server = Server(it.folder, it.state, ServeOptions(port=0), it._hear)
        return it

    async def phone(self, player: str) -> Phone:
        """A player's phone that has scanned the code; the table's screen for no player."""
        await self._heard.wait()
        assert self.status
        phone = Phone(next(each.url for each in self.status.addresses if each.key == player))
        assert (await phone.log_in()).status == 204
        return phone


@asynccontextmanager
async def serving(room: Room) -> AsyncIterator[Room]:
    """Serve until the end of the block."""
    task = asyncio.ensure_future(room.server.run())
    try:
        yield room
    finally:
        room.server.end()
        await task


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    """A room whose server runs."""
    async with serving(Room(tmp_path)) as it:
        yield it


async def until(states: AsyncIterator[dict[str, Any]], key: str, wanted: object) -> dict[str, Any]:
    """Return the first state in which a key has that value."""
    async with asyncio.timeout(20):
        async for state in states:
            if state.get(key) == wanted:
                return state
    raise AssertionError(f"the feed ended before {key} was {wanted}")


async def test_a_phone_sees_proposes_and_hears_the_answer(room: Room) -> None:
    """From the code to a note that the wayfinder has played: the state is that of `watch --json`, with the player's own moves."""
    ana = await room.phone("ana")
    async with ana.feed() as states:
        first = await anext(states)
        assert first["me"] == {"key": "ana", "name": "Ana", "character": "Odile", "away": False}
        assert [clock["name"] for clock in first["clocks"]] == ["The storm"]
        assert (first["sent"], first["trouble"]) == ([], "")
        answer = await ana.post("/act", {"id": ID, "words": "note I lock the door"})
        assert (answer.status, answer.data["title"]) == (200, "Note: I lock the door")
        sent = {
            "id": answer.data["proposal"],
            "title": answer.data["title"],
            "answer": "waits",
            "why": "",
            "alone": False,
            "status": "… Note: I lock the door: waiting for the wayfinder",
        }
        await until(states, "sent", [sent])
        room.look()
        state = await until(states, "sent", [{**sent, "answer": "played", "status": "✓ Note: I lock the door: played"}])
    assert state["log"][-1]["facts"][0]["text"] == "I lock the door"


async def test_pressing_twice_is_once(room: Room) -> None:
    """The same id gives the same answer, and one proposal; so does a server that was started again."""
    ana = await room.phone("ana")
    first = await ana.post("/act", {"id": ID, "move": "roll odile", "answers": {}, "faces": [2, 5, 5]})
    assert first.data == (await ana.post("/act", {"id": ID, "move": "roll odile", "answers": {}})).data
    room.server.end()
    again = Room.beside(room)
    async with serving(again):
        after = await again.phone("ana")
        assert (await after.post("/act", {"id": ID, "words": "roll odile"})).data["proposal"] == first.data["proposal"]
    assert [letter.words for letter in read_waiting(room.folder, "ana")] == ["roll odile 2 5 5"]


async def test_an_app_says_when_to_look(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page shows an act as soon as the app that lets phones in has written what players see, however seldom the server looks itself."""
    ana = await room.phone("ana")
    async with ana.feed() as states:
        await anext(states)
        monkeypatch.setattr(connections_requests_and_login, "_LOOK", 3600.0)
        monkeypatch.setattr(connections_requests_and_login, "_SOON", 3600.0)
        for text in (
            "The lamp goes out",
            "The lamp is lit again",
        ):  # Before the second one, the server waits for an hour.
            room.table.play(room.table.understand(f"note {text}"))
            room.table.settle(room.server.look_soon)
            async with asyncio.timeout(20):
                assert (await anext(states))["log"][-1]["facts"][0]["text"] == text


async def test_a_refusal_leaves_nothing_behind(room: Room) -> None:
    """It says why, and the same id may be sent again."""
    ana = await room.phone("ana")
    assert (await ana.post("/act", {"id": ID, "words": "fly away"})).status == 409
    assert (await ana.post("/act", {"id": ID, "words": "tick voice"})).status == 409
    assert read_waiting(room.folder, "ana") == []
    answer = await ana.post("/act", {"id": ID, "words": "note I stay"})
    assert (await ana.post("/take-back", {"proposal": answer.data["proposal"]})).status == 200
    assert (await ana.post("/take-back", {"proposal": answer.data["proposal"]})).status == 409
    assert read_waiting(room.folder, "ana") == []


async def test_odds_are_asked_for_without_effect(room: Room) -> None:
    """The page gets the odds that players know, and which dice to type."""
    ana = await room.phone("ana")
    found = (await ana.post("/odds", {"move": "roll odile", "answers": {"tools": ["primary"]}})).data
    assert (found["ok"], found["why"], len(found["dice"])) == (True, None, 5)
    assert sum(outcome["percent"] for outcome in found["odds"]["outcomes"]) == pytest.approx(100, abs=0.01)
    assert read_waiting(room.folder, "ana") == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example:80"}, 421),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Cookie": ""}, 403),
        ({"Cookie": "waylog=0123456789abcdef0123456789abcdef"}, 403),
    ],
)
async def test_what_comes_from_elsewhere_is_refused(room: Room, headers: dict[str, str], status: int) -> None:
    """A page of another origin, a rebound name, a form and a stranger get a refusal, and nothing is sent to the wayfinder."""
    ana = await room.phone("ana")
    answer = await ana.post("/act", {"id": ID, "words": "note I stay"}, **headers)
    assert (answer.status, answer.data["ok"]) == (status, False)
    assert not {name for name in answer.headers if name.startswith("access-control")}
    assert read_waiting(room.folder, "ana") == []


async def test_a_key_opens_one_seat(room: Room) -> None:
    """Ana's opens no other player's page and not the table's, the table's proposes nothing, and a guessed one opens nothing."""
    ana, table = await room.phone("ana"), await room.phone("")
    assert (await ana.send("POST", "/table/login", b'{"token": "%s"}' % ana.key.encode())).status == 403
    assert (await table.send("POST", "/login", b'{"token": "%s"}' % table.key.encode())).status == 403
    assert (await table.post("/act", {"id": ID, "words": "note I stay"})).status == 404
    assert (await table.send("POST", "/act", b'{"id": "%s", "words": "note I stay"}' % ID.encode())).status == 403
    ana.key = ana.key[:-1] + ("A" if ana.key[-1] != "A" else "B")
    assert (await ana.log_in()).status == 403


async def test_a_revoked_key_ends_the_page(room: Room) -> None:
    """The feed says so and ends, the cookie counts no more, and the new key is shown."""
    ana = await room.phone("ana")
    async with ana.feed() as states:
        await anext(states)
        assert revoke(room.state, "ana", room.folder) == 1
        async with asyncio.timeout(20):
            async for _ in states:
                pass
    assert ana.events == ["revoked"]
    assert (await ana.post("/act", {"id": ID, "words": "note I stay"})).status == 403
    assert (await ana.log_in()).status == 403
    assert (await (await room.phone("ana")).log_in()).status == 204


async def test_a_key_that_was_revoked_opens_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """While no page is open, the server hardly ever looks by itself. It looks when somebody comes in."""
    monkeypatch.setattr("waylog.serve.guests_and_feed._SELDOM", 0.0)
    ana = await room.phone("ana")
    assert revoke(room.state, "ana", room.folder) == 1
    assert (await ana.post("/act", {"id": ID, "words": "note I stay"})).status == 403
    assert (await ana.log_in()).status == 403


def test_the_page_says_what_is_at_stake(tmp_path: Path) -> None:
    """With its odds, and what each outcome would do, in words."""
    room = Room(tmp_path)
    assert visible_state(room.table.projection(), "ana")["stakes"] == []
    room.table.show_stakes(room.table.understand("roll bram desperate"))
    for player in ("ana", ""):
        (stakes,) = visible_state(room.table.projection(player), player)["stakes"]
        assert (stakes["title"], stakes["odds"]["outcomes"][0]["chance"]) == ("Roll for Bram: Desperate", "1/8")
        assert stakes["forecast"][0] == "Fiasco (12.5 %): +1 Focus"


async def test_the_local_network_comes_in_by_both_kinds_of_addresses(tmp_path: Path) -> None:
    """By IPv4, and by IPv6 where the machine has it. A name of elsewhere is refused at both."""
    room = Room(tmp_path)
    room.server = Server(room.folder, room.state, ServeOptions(port=0, lan=True), room._hear)
    async with serving(room):
        await room._heard.wait()
        assert room.status
        found = urlsplit(next(each.url for each in room.status.addresses if each.key == "ana"))
        for host in ("127.0.0.1", *(["[::1]"] if socket.has_dualstack_ipv6() else [])):
            ana = Phone(f"http://{host}:{found.port}/#{found.fragment}")
            assert (await ana.log_in()).status == 204, host
            assert (await ana.post("/act", {"id": ID, "words": "note I stay"})).status == 200
            assert (await ana.post("/act", {"id": ID, "words": "note I stay"}, Host="[2001:db8::1]:80")).status == 421


async def test_no_key_shuts_the_others_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has Ana's key and keeps every connection busy keeps neither Ben out nor Ana's own feed from news."""
    monkeypatch.setattr("waylog.serve.connections_requests_and_login.MOST", 3)
    async with serving(Room(tmp_path)) as room:
        ana = await room.phone("ana")
        async with ana.feed() as states, AsyncExitStack() as kept:
            await anext(states)
            for _ in range(6):
                reader, writer = await asyncio.open_connection(ana.host, ana.port)
                kept.callback(writer.close)
                head = f"POST /odds HTTP/1.1\r\nHost: {ana.host}:{ana.port}\r\nOrigin: {ana.origin}\r\nCookie: {ana.cookie}\r\n"
                writer.write(f"{head}Content-Type: application/json\r\nContent-Length: 21\r\n\r\n".encode())
                writer.write(b'{"move":"roll odile"}')
                assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            await room.phone("ben")
            room.say("note The lamp is out")
            assert (await anext(states))["log"][-1]["facts"][0]["text"] == "The lamp is out"
