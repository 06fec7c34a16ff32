"""What players propose, in line mode: each proposal is said once, and played or declined by number (NM-45)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from waylog.lines.replies import NumberedChoice, Reply
from waylog.store.attendance import Attendance
from waylog.store.entries import LogEntry
from waylog.store.proposals import Proposal
from waylog.table import Table
from waylog.words.sentences import sentence

Do = Callable[[Callable[[], LogEntry | None]], Reply]
"""Lets the table do something, and says what came of it."""
_DECLINED = "the wayfinder has declined it"


class ProposalNews:
    """Knows which proposals a person has been told of. Players are told that somebody looks at what they propose."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._attendance = Attendance(table.folder)
        self._ids = frozenset[str]()

    def take_news(self) -> Iterator[str]:
        """Yield each proposal that is new."""
        if not self._table.read_only:
            self._attendance.hold()
        waiting = self._table.snapshot.proposals
        yield from (_describe(each) for each in waiting if each.id not in self._ids)
        if any(each.id not in self._ids for each in waiting):
            yield "Type proposals to play or decline them."
        self._ids = frozenset(each.id for each in waiting)

    def end(self) -> None:
        """Tell players that nobody looks any more."""
        self._attendance.end()

    def reply(self, do: Do) -> Reply:
        """List the proposals, each with the two things that can be done about it."""
        waiting = self._table.snapshot.proposals
        choices = [
            NumberedChoice(f"{word} {_describe(each)}", partial(do, partial(act, each.id)))
            for each in waiting
            for word, act in (("Play", self._table.accept), ("Decline", self._decline))
            if act != self._table.accept or each.act is not None
        ]
        return Reply(() if waiting else ("Nothing has been proposed.",), choices)

    def _decline(self, proposal: str) -> None:
        self._table.decline(proposal, _DECLINED)


def _describe(proposal: Proposal) -> str:
    why = f" (not now: {proposal.why.reason})" if proposal.why else ""
    return sentence(f"{proposal.summary}{why}")
