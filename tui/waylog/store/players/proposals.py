"""The proposals of players, as the wayfinder's program sees them: read from the inbox, understood, and answered (NM-45).

Only `Table` plays a proposal. This order prevents that one is played twice: first the entry with the proposal's id is
appended to the log, then the answer is written, then the proposal is removed. After a crash, a proposal that is still there
is looked up in the log by its id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from waylog.rules.model.answers import complete_answers, describe, reveals
from waylog.rules.model.moves import Act, ActRefused, Move, Refusal
from waylog.rules.model.odds import Odds
from waylog.rules.model.players_and_permissions import is_key, name_of
from waylog.store.file.open_campaign import OpenCampaign
from waylog.store.log.entries_and_version_0_1 import encode_origin
from waylog.store.log.undo_and_scenes import open_paths, who_began
from waylog.store.players.inbox import AT_HAND, PACE, Answer, AnswerKind, Inbox, Letter
from waylog.values import dataclass, replace

if TYPE_CHECKING:
    from waylog.rules.what_players_may_do import PlayersGame


_OPEN = Refusal("a question is open. Waylog will check the proposal again once the question is answered", "NM-45")
REASONS_TO_DECLINE = ("not now", "first say what you want to achieve", "that is for somebody else")
"""The reasons to choose from when the wayfinder declines a proposal; any other is typed."""
NO_LONGER_THERE = "this proposal has already been played or declined"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A player's proposal, as the wayfinder's screens show it."""

    id: str
    by: str
    """The key of the player."""
    name: str
    """The player's name."""
    words: str
    """The text that they typed: one line without control characters."""
    title: str
    """The act for people: `Roll Mara: primary`. If the words can't be understood, the words."""
    act: Act | None = None
    """The act that `Table.accept` would play; None if it can't be played now. Then `why` says why."""
    odds: Odds | None = None
    """The exact odds, from what players know."""
    why: Refusal | None = None
    """Why it can't be played now. Only for the wayfinder, because it may name hidden things."""
    waits: bool = False
    """It can't be played now, for example while a question is open, and is checked again after the next act."""
    alone: bool = False
    """It is played without asking."""

    @property
    def summary(self) -> str:
        """The player's name and the title, in one line. A title that begins with the name stays as it is."""
        return self.title if self.title.startswith(f"{self.name} ") else f"{self.name}: {self.title}"


_EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _ReadLetter:
    """A letter that has been understood, or refused."""

    proposal: Proposal
    decline: str | None = None
    """Why it is declined at once, in words that the player may read."""

    @property
    def needs_nobody(self) -> bool:
        """Whether it is played or declined without asking."""
        return self.decline is not None or self.proposal.alone


class Proposals:
    """The proposals of one open campaign."""

    def __init__(self, campaign: OpenCampaign) -> None:
        self._campaign = campaign
        self._inbox = Inbox(campaign.folder)
        self._letters: dict[tuple[str, str], Letter] = {}
        self._finished: set[tuple[str, str]] = set()
        self._unreadable: dict[tuple[str, str], str] = {}
        """What can't be read and has no answer yet, with the reason."""
        self._crowded = frozenset[str]()
        """The players of whom more waits than the program looks at. Nothing of theirs is played without asking."""
        self._answered: dict[str, datetime] = {}
        """When something of a player was last played or declined without asking."""
        self._looked_for: tuple[str, ...] | None = None
        self._read_letters: tuple[int, tuple[_ReadLetter, ...]] = 0, ()
        self._game: tuple[object, PlayersGame] | None = None
        self.overfull: tuple[str, ...] = ()
        """The players whose folder has more files than are read."""

    @property
    def players_game(self) -> PlayersGame:
        """The game as players know it."""
        game = self._campaign.game
        if self._game is None or self._game[0] is not game:
            from waylog.rules.what_players_may_do import PlayersGame

            self._game = game, PlayersGame(game)
        return self._game[1]

    # -- the inbox -------------------------------------------------------------------------------------------------

    def has_news(self) -> bool:
        """Whether the inbox has changed since the last `look`."""
        players = self._players()
        return players != (self._looked_for or ()) or self._inbox.has_news(players)

    def look(self) -> bool:
        """Read the inbox. Return whether other proposals wait than before."""
        players = self._looked_for = self._players()
        contents = self._inbox.read(players)
        self.overfull = contents.overfull
        self._unreadable = {(bad.by, bad.id): bad.why for bad in contents.unreadable}
        count, crowded, found = Counter[str](), set[str](), dict[tuple[str, str], Letter]()
        for letter in contents.letters:
            key = letter.by, letter.id
            if key in self._finished:
                continue
            if count[letter.by] == AT_HAND:
                crowded.add(letter.by)
            elif key in self._letters or self._is_new(letter):
                count[letter.by] += 1
                found[key] = letter
        if found.keys() == self._letters.keys() and crowded == self._crowded:
            return False
        # Those that were known before keep their place.
        self._letters = {**{key: found[key] for key in self._letters if key in found}, **found}
        self._crowded = frozenset(crowded)
        self._read_letters = 0, ()
        self._campaign.mark_changed()
        return True

    def decline_unreadable(self) -> None:
        """Decline one proposal that can't be read, if there is one. Each is declined once, even if its file can't be removed."""
        for by, proposal in self._unreadable.keys() - self._finished:
            self._finished.add((by, proposal))
            if not self._inbox.clear_answered(by, proposal):
                with suppress(OSError):
                    self._inbox.answer(by, proposal, Answer(AnswerKind.DECLINED, self._unreadable[by, proposal]))
            return

    def find_ready(self, moves: Sequence[Move], now: datetime) -> _ReadLetter | None:
        """Return the next letter to play or decline without asking: at most one of each player in a second. Whoever has waited
        longest comes first. `moves` is as for `read`.
        """
        ready = [each for each in self.read(moves) if each.needs_nobody and self._is_rested(each.proposal.by, now)]
        return min(ready, key=lambda each: self._answered.get(each.proposal.by, _EARLIEST), default=None)

    def note_answered(self, player: str, now: datetime) -> None:
        """Note that something of a player has just been played or declined without asking."""
        self._answered[player] = now

    def _is_rested(self, player: str, now: datetime) -> bool:
        # The clock may have been set back.
        return player not in self._answered or abs(now - self._answered[player]) >= PACE

    def __bool__(self) -> bool:
        """Whether any proposal waits."""
        return bool(self._letters)

    def _players(self) -> tuple[str, ...]:
        return tuple(key for key in self._campaign.state.players if is_key(key))

    def _is_new(self, letter: Letter) -> bool:
        """Whether a letter waits. A letter that was played or answered before a crash is removed."""
        if self._was_played(letter):
            self.answer(letter, Answer(AnswerKind.PLAYED))
            return False
        if self._campaign.read_only:
            return self._inbox.waits(letter.by, letter.id)
        return not self._inbox.clear_answered(letter.by, letter.id)

    def find_waiting(self, proposal: str) -> Letter:
        """Return the letter with that id, if it still waits. The caller has the lock. Raises `ActRefused`."""
        for letter in [*self._letters.values()]:
            if letter.id == proposal:
                if self._was_played(letter):
                    self.answer(letter, Answer(AnswerKind.PLAYED))
                elif self._inbox.waits(letter.by, letter.id):
                    return letter
                self._forget(letter)
        raise ActRefused(NO_LONGER_THERE, "NM-45")

    def answer(self, letter: Letter, answer: Answer) -> None:
        """Answer a proposal and remove it from the inbox. If that isn't possible now, a later `look` does it."""
        if not self._campaign.read_only:
            with suppress(OSError):
                self._inbox.answer(letter.by, letter.id, answer)
        self._finished.add((letter.by, letter.id))
        self._forget(letter)

    def _was_played(self, letter: Letter) -> bool:
        return self._campaign.log.contains(f"\n{encode_origin(letter.by, letter.id)}\n".encode())

    def _forget(self, letter: Letter) -> None:
        if self._letters.pop((letter.by, letter.id), None):
            self._read_letters = 0, ()
            self._campaign.mark_changed()

    # -- what they mean --------------------------------------------------------------------------------------------

    def read(self, moves: Sequence[Move]) -> tuple[_ReadLetter, ...]:
        """Return the letters that wait, in the order in which they came. `moves` are the current ones of the whole campaign."""
        if not self._letters:
            return ()
        version = self._campaign.version
        if not self._read_letters[1] or self._read_letters[0] != version:
            self._read_letters = version, tuple(self.understand(letter, moves) for letter in self._letters.values())
        return self._read_letters[1]

    def understand(self, letter: Letter, moves: Sequence[Move]) -> _ReadLetter:
        """Return the meaning of a letter in the current state."""
        state, game, acting = (
            self._campaign.state,
            self.players_game,
            open_paths(self._campaign.log, self._campaign.state),
        )
        name = name_of(state.players, letter.by)
        nothing = Proposal(letter.id, letter.by, name, letter.words, letter.words)
        if letter.by not in state.players:
            return _ReadLetter(nothing, "you are no longer one of the players")
        answers = False
        try:
            act = game.understand(state, letter.by, letter.words, acting)
            answers = act.move.follows
            if act.move.called and not any(move.called and move.follows for move in moves):
                title = describe(act.move, act.answers)
                return _ReadLetter(
                    replace(nothing, title=title, odds=game.odds(state, act, letter.by), why=_OPEN, waits=True)
                )
            game.check(state, letter.by, act)
        except ActRefused as refused:
            # Once an open question is answered, the letter may become possible.
            if answers or self._campaign.game.question(state) is None:
                return _ReadLetter(replace(nothing, why=refused.refusal), refused.refusal.reason)
            return _ReadLetter(replace(nothing, title=self._title_later(letter), why=_OPEN, waits=True))
        title, odds = describe(act.move, act.answers), game.odds(state, act, letter.by)
        whole = game.whole_act(state, letter.by, moves, act)
        try:
            if whole is None:
                raise ActRefused("that can't be done now", "NM-45")
            complete_answers(whole.move, whole.answers)
            self._campaign.game.check(state, whole)
        except ActRefused as refused:
            return _ReadLetter(replace(nothing, title=title, odds=odds, why=refused.refusal, waits=True))
        alone = (
            letter.by not in self._crowded and self._is_allowed(letter, act) and not reveals(whole.move, whole.answers)
        )
        return _ReadLetter(replace(nothing, act=whole, title=title, odds=odds, alone=alone))

    def _title_later(self, letter: Letter) -> str:
        """Return the meaning of a letter, for people, once the question is answered; its words if that isn't known."""
        try:
            act = self.players_game.understand_later(self._campaign.state, letter.by, letter.words)
        except ActRefused:
            return letter.words
        return describe(act.move, act.answers)

    def _is_allowed(self, letter: Letter, act: Act) -> bool:
        """Whether it is played without asking."""
        log, state = self._campaign.log, self._campaign.state
        began = who_began(log, state) if act.move.follows else ""
        return self.players_game.is_played_unasked(state, letter.by, act, open_paths(log, state), began)
