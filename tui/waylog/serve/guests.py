"""The guests: the players whose pages come in with a key, and the table's screen. The server looks at the campaign through these alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from waylog.rules.language.commands import parse_act
from waylog.rules.model.answers import chosen_dice, complete_answers, format_typed
from waylog.rules.model.dice import Die
from waylog.rules.model.moves import Act, ActRefused, Allocate, Answer, Answers, Move
from waylog.rules.model.odds import Odds
from waylog.rules.what_players_may_do import words_to_send
from waylog.serve.feed import Feed, visible_state, write_values
from waylog.store.players.inbox import MARK_LENGTH, InboxRefused
from waylog.store.players.own_proposals_and_notes import LastLook, SentProposals
from waylog.store.players.pause_and_presence import PlayersPause, is_attended, why_no_pause
from waylog.store.players.phone_keys import TABLE, PhoneKeys
from waylog.store.players.players_file import (
    LAST_KNOWN,
    NOT_YET,
    FollowedFile,
    Projection,
    moves_for,
    odds_of,
    title_of,
    wants_dice,
)
from waylog.values import replace
from waylog.words import json_values
from waylog.words.sentences import refusal_sentence

MOST_FEEDS = 4
"""The most pages of one player that are open at once. A phone that woke up has left its old connection behind."""
_BURST, _PACE = 20, 4.0
"""How many requests of one player are answered at once, and how many each second after that."""
_ID_LENGTH = 32
_SELDOM = 1.0
"""Seconds between two looks at what changes seldom."""
_UNFOLLOWED = "You have opened this page somewhere else, so this one has stopped."
_REVOKED = "The wayfinder has given you a new code. Scan it."


class NotUnderstood(Exception):
    """A request that no page of ours makes."""


class Guest:
    """One player, or the table's screen."""

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
        """What the player sees."""
        return self._file.seen

    @property
    def trouble(self) -> str:
        """Why the player sees nothing new, or nothing at all."""
        return self._file.trouble or ("" if self.projection else NOT_YET)

    # -- pages --------------------------------------------------------------------------------------------------

    @property
    def pages(self) -> int:
        """How many pages are open."""
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
        """End every page."""
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
                    raise ActRefused("that isn't possible now")
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
        """What the table's screen shows."""
        return self._guests[TABLE].projection

    @property
    def trouble(self) -> str:
        """Why the table's screen shows nothing new, or nothing at all."""
        return self._guests[TABLE].trouble

    @property
    def pages(self) -> int:
        """How many pages are open."""
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
