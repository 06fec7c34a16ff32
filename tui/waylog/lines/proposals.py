"""What players propose, in words: `proposals`, `play 1`, `decline 1 Not yet`. Line mode and `waylog do` take the same (NM-45).

In line mode, each proposal is announced once, and may be answered by the number of a choice as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from waylog.lines.replies import NumberedChoice, Reply
from waylog.rules.moves import ActRefused
from waylog.store.attendance import Attendance
from waylog.store.entries import LogEntry
from waylog.store.proposals import Proposal
from waylog.table import Table
from waylog.values import dataclass, replace
from waylog.words.sentences import sentence

Do = Callable[[Callable[[], LogEntry | None]], Reply]
"""Makes the table do something, and returns the result in words."""
NOTHING = "nothing has been proposed"
_DECLINED = "the wayfinder has declined it"
_ANSWER = r"(play|decline) +([0-9]{1,3})(?!\S)(.*)"


@dataclass(frozen=True, slots=True)
class ProposalAnswer:
    """The answer to a proposal, by its number in the list, from 1."""

    number: int
    plays: bool
    why: str = ""
    """Why it is declined; may be empty."""


def parse_answer(line: str) -> ProposalAnswer | None:
    """Return the answer that a line gives to a proposal; None for any other line, such as `play med-bay` or `decline`."""
    found = re.fullmatch(_ANSWER, " ".join(line.split()), re.IGNORECASE)
    if found is None:
        return None
    plays, why = found[1].lower() == "play", found[3].strip()
    quoted = len(why) > 1 and why[0] in '"“' and why[-1] in '"”'
    return None if plays and why else ProposalAnswer(int(found[2]), plays, why[1:-1] if quoted else why)


def answer_proposal(table: Table, ids: Sequence[str], answer: ProposalAnswer) -> LogEntry | None:
    """Play or decline one of these proposals. Return the entry of one that was played. Raises `ActRefused`."""
    if not ids:
        raise ActRefused(NOTHING, "NM-45")
    if not 0 < answer.number <= len(ids):
        raise ActRefused(f"there is no proposal {answer.number}: the last one is {len(ids)}", "NM-45")
    proposal = ids[answer.number - 1]
    if answer.plays:
        return table.accept(proposal)
    table.decline(proposal, answer.why or _DECLINED)
    return None


def describe_proposal(proposal: Proposal) -> str:
    """Return who proposes what, and why it can't be played now."""
    why = f" (not now: {proposal.why.reason})" if proposal.why else ""
    return f"{proposal.summary}{why}"


class ProposalNews:
    """Announces proposals, each once. While it is in use, players' windows know that somebody sees what they propose."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._attendance = Attendance(table.folder)
        self._ids = frozenset[str]()
        self._listed: Sequence[str] = ()
        """The ids of the proposals by their numbers, as they were told last. So a number never comes to mean another one."""

    def take_news(self) -> Iterator[str]:
        """Yield each proposal that is new."""
        if not self._table.read_only:
            before = self._attendance.trouble
            self._attendance.hold(self._table.snapshot.players)
            if (trouble := self._attendance.trouble) and trouble != before:
                yield sentence(trouble)
        waiting = {each.id: each for each in self._table.snapshot.proposals}
        new = [id_ for id_ in waiting if id_ not in self._ids]
        yield from (sentence(describe_proposal(waiting[id_])) for id_ in new)
        if new:
            yield "Type proposals to play or decline them."
        self._listed = [*(self._listed if waiting.keys() & {*self._listed} else ()), *new]
        self._ids = frozenset(waiting)

    def end(self) -> None:
        """Let players' windows know that nobody sees proposals any more."""
        self._attendance.end()

    def reply(self, do: Do) -> Reply:
        """List the proposals, each to play if that is possible now, and to decline."""
        waiting, choices = self._table.snapshot.proposals, list[NumberedChoice]()
        self._listed = [each.id for each in waiting]
        for number, each in enumerate(waiting, 1):
            described, answers = describe_proposal(each), []
            if each.act is not None:
                answers.append(ProposalAnswer(number, plays=True))
            for answer in (*answers, ProposalAnswer(number, plays=False)):
                word = "Play" if answer.plays else "Decline"
                choose = partial(self.answer, answer, do)
                choices.append(NumberedChoice(f"{word} {number}: {described}", choose))
        return Reply(() if choices else (sentence(NOTHING),), choices)

    def answer(self, answer: ProposalAnswer, do: Do) -> Reply:
        """Play or decline the proposal that was told under a number."""
        reply = do(partial(answer_proposal, self._table, self._listed, answer))
        if answer.plays or reply.code:
            return reply
        return replace(reply, lines=[f"Proposal {answer.number} is declined.", *reply.lines])
