"""What one player has alone, for the programs of players: what they proposed, in whichever window, with the answers; when they last saw the
game, and what they missed since; and their private notes.

The last look is kept in the player's folder of the inbox, so it is the same for a window, line mode and a phone. The notes are a text file
in their own state folder, which no program of the wayfinder opens. They are not in the campaign, because whoever owns the campaign's
account can read everything in it. For the same reason a player who joins with a key on the wayfinder's account has no place that the
wayfinder can't open: then the notes say so.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from zlib import crc32

from waylog.rules.model.moves import Move, Text
from waylog.store.files_and_lock import open_inside
from waylog.store.players.inbox import AnswerKind, Inbox, read_answer, read_note, send, take_back, write_note
from waylog.store.players.moves_and_odds_for_players import title_of_words
from waylog.store.players.pause_and_presence import is_attended
from waylog.store.players.players_file import Projection
from waylog.store.players.what_players_missed import what_was_missed
from waylog.values import NamedTuple

PRIVATE = Move("private", (), "Private note", (Text("text", "Note", required=True),))
"""The move that a player's program adds to those of the players' file. It is never sent."""
_MOST = 20


class PrivateNotes:
    """The private notes of one player in one campaign."""

    def __init__(self, state: Path, campaign: Path, player: str) -> None:
        campaign = campaign.resolve()
        self._file = state / "notes" / f"{campaign.name}-{crc32(os.fsencode(campaign)):08x}-{player}.txt"
        self._campaign = campaign

    def add(self, text: str) -> str:
        """Write a note at the end. Return who can read it, in words. Raises `OSError`."""
        self._file.parent.mkdir(0o700, parents=True, exist_ok=True)
        descriptor = open_inside(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        with open(descriptor, "a", encoding="utf-8") as file:  # noqa: PTH123 - a descriptor has no path
            file.write(f"{' '.join(text.split())}\n")
        with suppress(OSError):
            if self._campaign.stat().st_uid == os.geteuid():
                return "the note is kept in this account, so the account's owner can read it too"
        return "only you can read this note"

    def read(self) -> tuple[str, ...]:
        """Return the latest notes, oldest first."""
        with suppress(OSError, ValueError):
            return tuple(self._file.read_text("utf-8").splitlines()[-_MOST:])
        return ()


_KEPT = 20
"""The most answers that are remembered."""
_PLAYED_MEANWHILE = 10.0
"""Seconds after a proposal was taken back in which its answer is still read: it may have been played at the same moment."""
_SELDOM = 0.5
"""Seconds between two looks at what no change of the folder tells."""
_LONG = 3.0
"""Seconds after which a proposal that waits says so if nobody has the campaign open."""


class SentProposal(NamedTuple):
    """A proposal of the player, with its answer."""

    id: str
    title: str
    """The proposed act, for people: `Roll Mara: primary, real dice 2 4 6`."""
    answer: AnswerKind = AnswerKind.WAITS
    why: str = ""
    alone: bool = False
    """The wayfinder has no program open for the campaign."""

    @property
    def status(self) -> str:
        """The proposal and its answer in one line."""
        match self.answer:
            case AnswerKind.WAITS:
                return f"… {self.title}: {waits_text(alone=self.alone)}"
            case AnswerKind.PLAYED:
                return f"✓ {self.title}: played"
            case AnswerKind.DECLINED:
                return f"✗ {self.title}: declined" + (f" — {self.why}" if self.why else "")
            case AnswerKind.TAKEN_BACK:
                return f"✗ {self.title}: taken back"
            case _:
                return f"✗ {self.title}: removed without an answer"


class SentProposals:
    """The latest proposals of one player."""

    def __init__(self, campaign: Path, player: str) -> None:
        self._campaign, self._player = campaign, player
        self._inbox = Inbox(campaign)
        self._followed = -_SELDOM
        self._since: dict[str, float] = {}
        """When each proposal was first seen or taken back, by its id."""
        self.latest: tuple[SentProposal, ...] = ()
        """Those with an answer in the order of the answers, those that wait oldest first."""

    @property
    def waiting(self) -> tuple[SentProposal, ...]:
        """The proposals without an answer."""
        return tuple(each for each in self.latest if each.answer is AnswerKind.WAITS)

    def look(self, moves: Sequence[Move]) -> bool:
        """Find what has been sent elsewhere, and the answers. `moves` are those that the player may propose. Return whether `latest` is
        different.
        """
        before, now = self.latest, monotonic()
        if not self._inbox.has_news((self._player,)) and now - self._followed < _SELDOM:
            return False  # An answer changes the folder. Whether the wayfinder is there, and what was taken back, can wait.
        self._followed = now
        if self._inbox.has_news((self._player,)):
            for letter in self._inbox.read((self._player,)).letters:
                if letter.id not in self._since:
                    self._add(letter.id, title_of_words(moves, letter.words))
        self._place([(each, self._follow(each)) for each in self.latest])
        return self.latest != before

    def send(self, words: str, title: str, mark: str = "") -> SentProposal:
        """Send words to the wayfinder and return the proposal. `title` is their meaning for people, `mark` as for `send` of the inbox.
        Raises `InboxRefused` and `OSError`.
        """
        proposal = send(self._campaign, self._player, words, mark)
        if proposal not in self._since:
            self._add(proposal, title)
        return next(each for each in self.latest if each.id == proposal)

    def take_back(self, proposal: SentProposal) -> None:
        """Take back a proposal that waits. Raises `OSError`."""
        take_back(self._campaign, self._player, proposal.id)
        taken = proposal._replace(answer=AnswerKind.TAKEN_BACK)
        self._place([(each, taken if each.id == proposal.id else each) for each in self.latest])
        self._since[proposal.id] = monotonic()

    def _add(self, proposal: str, title: str) -> None:
        answered = [each for each in self.latest if each.answer is not AnswerKind.WAITS]
        forgotten = {each.id for each in answered[:-_KEPT]}
        self.latest = (*(each for each in self.latest if each.id not in forgotten), SentProposal(proposal, title))
        self._since = {each.id: self._since.get(each.id, monotonic()) for each in self.latest}

    def _place(self, changes: Sequence[tuple[SentProposal, SentProposal]]) -> None:
        """Take in each proposal as it was and is: what has a new answer goes behind all that had theirs before."""

        def rank(change: tuple[SentProposal, SentProposal]) -> int:
            was, now = change
            return 2 if now.answer is AnswerKind.WAITS else int(was.answer is not now.answer)

        self.latest = tuple(now for _, now in sorted(changes, key=rank))

    def _follow(self, proposal: SentProposal) -> SentProposal:
        """Return a proposal with its current answer. A proposal that was taken back may have been played at the same moment."""
        since = monotonic() - self._since[proposal.id]
        is_back = proposal.answer is AnswerKind.TAKEN_BACK
        if not (proposal.answer is AnswerKind.WAITS or (is_back and since < _PLAYED_MEANWHILE)):
            return proposal
        try:
            answer = read_answer(self._campaign, self._player, proposal.id)
        except OSError:  # The next look tries again.
            return proposal
        if is_back and answer.kind in (AnswerKind.GONE, AnswerKind.WAITS):
            return proposal
        alone = answer.kind is AnswerKind.WAITS and since > _LONG and not is_attended(self._campaign)
        return proposal._replace(answer=answer.kind, why=answer.why, alone=alone)


_NAME = "looked"


class LastLook:
    """Follows what one player sees."""

    def __init__(self, campaign: Path, player: str) -> None:
        self._campaign, self._player = campaign, player
        self._at: int | None = None
        self.missed: tuple[str, ...] = ()
        """What happened between the last time and this one, in at most ten lines."""

    def find_missed(self, seen: Projection) -> tuple[str, ...]:
        """Return what happened since they last saw the game, in at most ten lines. This changes nothing."""
        return what_was_missed(seen, self._player, self._last_time())

    def follow(self, seen: Projection) -> bool:
        """Note that the player sees this. Return whether it is the first that they see this time: then `missed` says what is new."""
        is_first, before = self._at is None, self._at or 0
        if is_first:
            self.missed, before = self.find_missed(seen), self._last_time()
        self._at = max(seen.when, before)
        if self._at != before:
            with suppress(OSError):  # Next time, the player reads more than they missed.
                write_note(self._campaign, self._player, _NAME, f"{self._at}")
        return is_first

    def _last_time(self) -> int:
        with suppress(ValueError):
            return int(read_note(self._campaign, self._player, _NAME))
        return 0


def waits_text(*, alone: bool) -> str:
    """Return what a proposal waits for; if `alone`, no wayfinder has the campaign open."""
    return "waiting for the wayfinder to open the campaign" if alone else "waiting for the wayfinder"
