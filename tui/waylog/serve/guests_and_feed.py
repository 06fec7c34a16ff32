"""The guests: the players whose pages come in with a key, and the table's screen. The server looks at the campaign through these alone.

What a page knows is its state as JSON, key by key (`visible_state`), and a feed that tells changes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from time import monotonic, time
from typing import Any

from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import chosen_dice, complete_answers, format_typed
from waylog.rules.model.dice import Die
from waylog.rules.model.moves import Act, ActRefused, Allocate, Answer, Answers, Move, PickOne
from waylog.rules.model.odds import Odds
from waylog.rules.what_players_may_do import words_to_send
from waylog.store.players.inbox import MARK_LENGTH, InboxRefused
from waylog.store.players.inbox_access_and_phone_keys import TABLE, PhoneKeys
from waylog.store.players.moves_and_odds_for_players import (
    OpenMove,
    VisiblePlayer,
    moves_for,
    odds_of,
    title_of,
    wants_dice,
)
from waylog.store.players.own_proposals_and_notes import LastLook, SentProposals
from waylog.store.players.pause_and_presence import PlayersPause, is_attended, why_no_pause
from waylog.store.players.players_file import (
    LAST_KNOWN,
    LINES,
    NOT_YET,
    FollowedFile,
    Projection,
    ShownRoll,
    VisibleAct,
    latest_roll,
)
from waylog.values import replace
from waylog.words import json_values
from waylog.words.sentences import refusal_sentence, seen_sentences

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


MOST_FEEDS = 4
"""The most pages of one player that are open at once. A phone that woke up has left its old connection behind."""
_BURST, _PACE = 20, 4.0
"""How many requests of one player are answered at once, and how many each second after that."""
_ID_LENGTH = 32
_SELDOM = 1.0
"""Seconds between two looks at what changes seldom."""
_UNFOLLOWED = "You have opened this page somewhere else, so it has stopped here."
_REVOKED = "The wayfinder has given you a new code. Scan it."


class NotUnderstood(Exception):
    """A request that no page of ours makes."""


class Guest:
    """A player on a phone, or the screen on the table: what was sent there, and the pages that are open."""

    def __init__(self, campaign: Path, player: str, changed: Callable[[], None]) -> None:
        """`player` is a key, or `TABLE`. `changed` hears that a page was opened or closed."""
        self._changed = changed
        self._player = "" if player == TABLE else player
        self._campaign, self._last_look = campaign, LastLook(campaign, self._player)
        self._file = FollowedFile(campaign, LAST_KNOWN, self._player)
        self._sent = SentProposals(campaign, player) if self._player else None
        self._moves: Sequence[Move] = ()
        self._dice: Mapping[str, Sequence[Die]] = {}
        """The dice of moves that have no odds, by the move."""
        self._pause = PlayersPause(campaign)
        self._texts: dict[str, str] = write_values(visible_state(Projection(), ""))
        self._small: dict[str, Any] = {}
        """What is not in the players' file."""
        self._feeds: list[Feed] = []
        self._allowance, self._spent_at = float(_BURST), monotonic()

    @property
    def projection(self) -> Projection | None:
        """The campaign as the player sees it; None if that isn't known."""
        return self._file.seen

    @property
    def trouble(self) -> str:
        """Why the player sees nothing new, or nothing at all."""
        return self._file.trouble or ("" if self.projection else NOT_YET)

    # -- pages --------------------------------------------------------------------------------------------------

    @property
    def pages(self) -> int:
        """The number of open pages of this player."""
        return len(self._feeds)

    def open_feed(self) -> Feed:
        """Return a feed for one more page."""
        for oldest in self._feeds[: 1 - MOST_FEEDS]:
            oldest.close("closed", _UNFOLLOWED)
        missed: tuple[str, ...] = ()
        if self.projection and self._player and not self._feeds:  # A page that was away comes back.
            self._last_look = LastLook(self._campaign, self._player)
            self._last_look.follow(self.projection)
            missed = self._last_look.missed
        feed = Feed(lambda: self._texts, write_values({"missed": missed}), self._leave)
        self._feeds.append(feed)
        self._changed()
        return feed

    def _leave(self, feed: Feed) -> None:
        self._feeds.remove(feed)
        self._changed()

    def close(self, event: str, why: str) -> None:
        """Send every open page a last `event` with the reason, and end its feed."""
        for feed in [*self._feeds]:
            feed.close(event, why)

    def look(self, shared: Mapping[str, Any]) -> bool:
        """Look at what this player sees, at the answers to what they sent, and at a pause. `shared` is the same for all guests. Return
        whether any of it is different.
        """
        before = self._texts
        if self._file.look() and self.projection is not None:
            self._moves = moves_for(self.projection.moves, self._player)
            self._dice = {each.move.id: each.dice for each in self.projection.moves}
            self._texts = {**before, **write_values(visible_state(self.projection, self._player))}
        if self.projection and self._player and self._feeds:
            self._last_look.follow(self.projection)
        if self._sent is not None:
            self._sent.look(self._moves)
        self._pause.look()
        sent = [
            {**each._asdict(), "answer": each.answer.value, "status": each.status}
            for each in (self._sent.latest if self._sent else ())
        ]
        pause = {
            "paused": self._pause.paused,
            "waits": self._pause.waits,
            "lost": self._pause.lost,
            "no_pause": shared["no_pause"],
        }
        small = {
            "sent": sent,
            "pause": pause,
            "trouble": self.trouble if self.projection else NOT_YET,
            "attended": shared["attended"],
        }
        if small != self._small:
            self._small, self._texts = small, {**self._texts, **write_values(small)}
        if self._texts is before:
            return False
        for feed in self._feeds:
            feed.notify()
        return True

    def is_too_fast(self) -> bool:
        """Count a request. Return whether there were too many."""
        now = monotonic()
        self._allowance = min(_BURST, self._allowance + (now - self._spent_at) * _PACE)
        self._spent_at = now
        if self._allowance < 1:
            return True
        self._allowance -= 1
        return False

    # -- what a page sends --------------------------------------------------------------------------------------

    def propose(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Send an act to the wayfinder. Raises `NotUnderstood`, `ActRefused`, `InboxRefused` and `OSError`."""
        assert self._sent is not None
        mark = asked.get("id")
        if not isinstance(mark, str) or len(mark) != _ID_LENGTH or not frozenset("0123456789abcdef").issuperset(mark):
            raise NotUnderstood
        known = next((each for each in self._sent.latest if each.id.endswith(mark[-MARK_LENGTH:])), None)
        if known is None:
            act = self._read_act(asked)
            words = format_typed(replace(act, answers=complete_answers(act.move, act.answers)))
            known = self._sent.send(words_to_send(act.move, words), title_of(act), mark[-MARK_LENGTH:])
        return {"ok": True, "proposal": known.id, "title": known.title}

    def odds(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return what an act would be called, why it isn't possible, and its odds. Raises `NotUnderstood`."""
        found: Odds | None = None
        act, why = self._read_act(asked), None
        try:
            found = odds_of(self.projection.odds, act) if self.projection else None
        except ActRefused as refused:
            why = refusal_sentence(refused.refusal)
        dice = found.to_type if found else self._dice.get(act.move.id) or chosen_dice(act.move, act.answers)
        return {
            "ok": True,
            "title": title_of(act),
            "why": why,
            "dice": [json_values.plain_fields(die) for die in dice],
            "odds": found and json_values.odds(found, found.act),
        }

    def take_back(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Take back a proposal that waits. Raises `InboxRefused` if it doesn't wait, and `OSError`."""
        assert self._sent is not None
        self._sent.look(self._moves)
        wanted = next((each for each in self._sent.waiting if each.id == asked.get("proposal")), None)
        if wanted is None:
            raise InboxRefused("this proposal is no longer waiting")
        self._sent.take_back(wanted)
        return {"ok": True}

    def ask_for_pause(self) -> None:
        """Ask for a pause. Whether it reaches the wayfinder is in the state."""
        if not self._pause.paused:
            self._pause.ask()

    def forget_pause(self) -> None:
        """Forget a pause that has reached nobody."""
        self._pause.dismiss()

    def _read_act(self, asked: Mapping[str, Any]) -> Act:
        """Return the act that a page means: typed words, or a move with its answers. Raises `NotUnderstood` and `ActRefused`."""
        match asked:
            case {"words": str(words)}:
                if wants_dice(self._moves) and not words.strip("0123456789 "):
                    words = f"dice {words}"
                return parse_act(self._moves, words)
            case {"move": str(name)}:
                move = next((each for each in self._moves if each.id == name), None)
                if move is None:
                    raise ActRefused("that can't be done now")
                return Act(move, _read_answers(move, asked.get("answers") or {}), _read_faces(asked.get("faces")))
            case _:
                raise NotUnderstood


def _read_answers(move: Move, given: object) -> Answers:
    """Return answers as the rules take them. Raises `NotUnderstood`."""
    if not isinstance(given, dict):
        raise NotUnderstood
    answers: dict[str, Answer] = {}
    for name, answer in given.items():
        ask = next((each for each in move.asks if each.name == name), None)
        match answer:
            case str() | int() if not isinstance(answer, bool) and not isinstance(ask, Allocate):
                answers[name] = answer
            case list() if isinstance(ask, Allocate):
                answers[name] = _read_faces(answer) or ()
            case list() if all(isinstance(each, str) for each in answer):
                answers[name] = tuple(answer)
            case _:
                raise NotUnderstood
    return answers


def _read_faces(given: object) -> tuple[int, ...] | None:
    """Return whole numbers, such as the faces of dice. Raises `NotUnderstood`."""
    if given is None:
        return None
    if (
        not isinstance(given, list)
        or len(given) > 100
        or not all(type(each) is int and 0 <= each < 1000 for each in given)
    ):
        raise NotUnderstood
    return tuple(given)


class Guests:
    """All guests of one campaign, with their keys."""

    def __init__(self, campaign: Path, keys: PhoneKeys, changed: Callable[[], None]) -> None:
        """`changed` hears that the first page was opened, or the last one closed."""
        self._campaign, self._keys, self._changed = campaign, keys, changed
        self._guests: dict[str, Guest] = {TABLE: Guest(campaign, TABLE, self._note_pages)}
        self.shared: dict[str, Any] = {"attended": True, "no_pause": ""}
        """What is the same for all guests."""
        self._looked_at = -_SELDOM

    @property
    def projection(self) -> Projection | None:
        """The campaign as the table's screen shows it; None if that isn't known."""
        return self._guests[TABLE].projection

    @property
    def trouble(self) -> str:
        """Why the table's screen shows nothing new, or nothing at all."""
        return self._guests[TABLE].trouble

    @property
    def pages(self) -> int:
        """The number of open pages of all players and of the table's screen."""
        return sum(guest.pages for guest in self._guests.values())

    def look(self) -> None:
        """Look, at most once in a second, at who plays, at their keys, and at what is the same for all. Raises `OSError`."""
        if monotonic() - self._looked_at >= _SELDOM:
            self._looked_at = monotonic()
            self.shared = {"attended": is_attended(self._campaign), "no_pause": why_no_pause(self._campaign)}
            self._guests[TABLE].look(self.shared)
            self._follow_players()

    def _note_pages(self) -> None:
        if self.pages <= 1:
            self._changed()

    def present(self) -> Sequence[Guest]:
        """Return the guests who have a page open."""
        return [guest for guest in self._guests.values() if guest.pages]

    def _follow_players(self) -> None:
        """Give each player a guest and a key, and end the pages of a key that no longer counts."""
        players = [each.key for each in self.projection.players] if self.projection else []
        before = dict(self._keys.by_player)
        self._keys.make_missing(players)
        for player, key in before.items():
            if player in self._guests and (self._keys.by_player.get(player) != key or player not in (TABLE, *players)):
                self._guests[player].close("revoked", _REVOKED)
        gone = self._guests.keys() - {TABLE, *players}
        for player in gone:
            del self._guests[player]
        self._guests |= {
            player: Guest(self._campaign, player, self._note_pages) for player in players if player not in self._guests
        }

    def find(self, cookie: str, *, is_table: bool) -> Guest | None:
        """Return the guest whose cookie this is, as things stand now; None if it is nobody's. Raises `OSError`."""
        self.look()
        player = self._keys.find_by_cookie(cookie)
        guest = self._guests.get(player) if player is not None and (player == TABLE) is is_table else None
        if guest is not None:
            guest.look(self.shared)
        return guest

    def opens(self, key: str, *, is_table: bool) -> bool:
        """Whether a key opens a guest. Raises `OSError`."""
        self.look()
        player = self._keys.find(key)
        return player in self._guests and (player == TABLE) is is_table

    def close(self, why: str) -> None:
        """End every page, because the server ends."""
        for guest in self._guests.values():
            guest.close("ended", why)

    def addresses(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield each guest that has a key: the player's key, their name, the key of their phone, and how many pages are open."""
        names = {each.key: each.name for each in self.projection.players} if self.projection else {}
        for player, guest in self._guests.items():
            if player in self._keys.by_player:
                yield player, names.get(player, player), self._keys.by_player[player], guest.pages
