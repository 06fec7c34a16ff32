"""What players propose, in line mode: each proposal is announced once, and is played or declined by number (NM-45)."""

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
"""Makes the table do something, and returns the result in words."""
_DECLINED = "the wayfinder has declined it"


class ProposalNews:
    """Announces proposals, each once. While it is in use, players' windows know that somebody sees what they propose."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._attendance = Attendance(table.folder)
        self._ids = frozenset[str]()

    def take_news(self) -> Iterator[str]:
        """Yield each proposal that is new."""
        if not self._table.read_only:
            before = self._attendance.trouble
            self._attendance.hold(self._table.snapshot.players)
            if (trouble := self._attendance.trouble) and trouble != before:
                yield sentence(trouble)
        waiting = self._table.snapshot.proposals
        yield from (_describe(each) for each in waiting if each.id not in self._ids)
        if any(each.id not in self._ids for each in waiting):
            yield "Type proposals to play or decline them."
        self._ids = frozenset(each.id for each in waiting)

    def end(self) -> None:
        """Let players' windows know that nobody sees proposals any more."""
        self._attendance.end()

    def reply(self, do: Do) -> Reply:
        """List the proposals, each to play if that is possible now, and to decline."""
        table, choices = self._table, list[NumberedChoice]()
        for each in table.snapshot.proposals:
            if each.act is not None:
                choices.append(NumberedChoice(f"Play {_describe(each)}", partial(do, partial(table.accept, each.id))))
            decline = partial(table.decline, each.id, _DECLINED)
            choices.append(NumberedChoice(f"Decline {_describe(each)}", partial(do, decline)))
        return Reply(() if choices else ("Nothing has been proposed.",), choices)


def _describe(proposal: Proposal) -> str:
    why = f" (not now: {proposal.why.reason})" if proposal.why else ""
    return sentence(f"{proposal.summary}{why}")
