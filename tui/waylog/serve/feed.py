"""What one player's page, or the table's, knows: its state as JSON, key by key, and the feed that tells changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from time import time
from typing import Any

from waylog.rules.model.moves import Move, PickOne
from waylog.store.players.players_file import (
    LINES,
    OpenMove,
    Projection,
    ShownRoll,
    VisibleAct,
    VisiblePlayer,
    latest_roll,
    moves_for,
    wants_dice,
)
from waylog.words import json_values
from waylog.words.sentences import seen_sentences

_ALIVE = 15.0
"""Seconds after which a feed without news says that it is still there."""


def visible_state(seen: Projection, player: str) -> dict[str, Any]:
    """Return what a player sees and may do, by the keys of the page's state. Without a player, it is what the table's screen shows."""
    moves, view = [each for each in seen.moves if player and player in each.players], json_values.players_view(seen)
    return {
        **view,
        "log": [*map(_act, seen.log)],
        "roll": _roll(latest_roll(seen.log)),
        "me": next((_person(each) for each in seen.players if each.key == player), None),
        "players": [_person(each) for each in seen.players],
        "question": seen.question,
        "wants_dice": wants_dice(moves_for(seen.moves, player)),
        "dice": [json_values.plain_fields(die) for die in seen.dice],
        "moves": [_move(each) for each in moves],
        "stakes": [{**one, "forecast": [note["text"] for note in one["forecast"]]} for one in view["stakes"]],
        "rules": [json_values.plain_fields(rule) for rule in seen.rules],
    }


@lru_cache(maxsize=4 * LINES)
def _act(act: VisibleAct) -> Mapping[str, Any]:
    """Return a line of the log. All players see nearly the same ones, and most of them saw them before."""
    return {
        "at": act.at,
        "facts": [json_values.fact(one) for one in act.facts],
        "odds": [json_values.odds(one, one.act) for one in act.odds],
        "text": " ".join(seen_sentences(act.facts)),
    }


def _roll(roll: ShownRoll | None) -> dict[str, Any] | None:
    return roll and {
        **roll._asdict(),
        "dice": [json_values.plain_fields(die) for die in roll.dice],
        "odds": roll.odds and json_values.odds(roll.odds, roll.odds.act),
        "outcome": roll.outcome and json_values.plain_fields(roll.outcome),
    }


def _person(player: VisiblePlayer) -> dict[str, Any]:
    return {"key": player.key, "name": player.name, "character": player.character, "away": player.away}


def _move(each: OpenMove) -> dict[str, Any]:
    move: Move = each.move
    return {
        **json_values.move(move),
        "title": move.title,
        "name": move.name,
        "whole": move.whole,
        "key": move.key,
        "called": move.called,
        "own": len(each.players) == 1,
        "takes_dice": move.rolls
        or bool(each.dice)
        or any(isinstance(ask, PickOne) and ask.notation for ask in move.asks),
    }


def write_values(values: Mapping[str, Any]) -> dict[str, str]:
    """Return each value as JSON."""
    return {key: json.dumps(value, ensure_ascii=False, separators=(",", ":")) for key, value in values.items()}


class Feed:
    """One page that is open. It is told what has changed since it was last told, however much that was: nothing ever queues."""

    def __init__(
        self, texts: Callable[[], Mapping[str, str]], first: Mapping[str, str], left: Callable[[Feed], None]
    ) -> None:
        """`texts` returns the state as JSON by key, `first` is what only the first message has, and `left` hears of the feed's end."""
        self._texts, self._first, self._left = texts, dict(first), left
        self._sent: dict[str, str] = {}
        self._news = asyncio.Event()
        self._last: bytes | None = None
        self._ended = False

    def notify(self) -> None:
        """Look at the state again."""
        self._news.set()

    def close(self, event: str, why: str) -> None:
        """End the feed, and tell the page why: `closed`, `revoked` or `ended`."""
        if self._last is None:
            self._last = f"event: {event}\ndata: {json.dumps({'why': why})}\n\n".encode()
            self._news.set()

    def end(self) -> None:
        """Stop: the client has gone away."""
        if not self._ended:
            self._ended = True
            self._left(self)
            self._news.set()

    async def next_chunk(self) -> bytes | None:
        """Wait for what is to be sent next; None at the end."""
        while True:
            self._news.clear()
            if self._ended:
                return None
            if self._last is not None:
                last = self._last
                self.end()
                return last
            texts = self._texts()
            changed = {key: text for key, text in texts.items() if self._sent.get(key) != text}
            if changed:
                self._sent |= changed
                changed |= {**self._first, "now": f"{time():.3f}"}
                self._first = {}
                whole = ",".join(f'"{key}":{text}' for key, text in changed.items())
                return f"data: {{{whole}}}\n\n".encode(errors="replace")
            try:
                async with asyncio.timeout(_ALIVE):
                    await self._news.wait()
            except TimeoutError:
                return b":\n\n"
