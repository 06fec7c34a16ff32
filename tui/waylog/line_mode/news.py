"""What line mode says about the campaign file and other windows: news, problems with their lines, questions by number.

What players propose, in words: `proposals`, `play 1`, `decline 1 Not yet`. Line mode and `waylog do` take the same (NM-45).

In line mode, each proposal is announced once, and may be answered by the number of a choice as well.

What line mode says about timers: the time left of each, and once when a timer has run out (NM-47).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import time

from waylog.line_mode.loop import GOES_ON, PAUSED
from waylog.line_mode.numbered_choices_and_dictation import NumberedChoice, Reply
from waylog.rules.model.moves import ActRefused
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.players.pause_and_presence import Attendance, is_paused, mark_shown
from waylog.store.players.proposals import Proposal
from waylog.store.shown.countdowns import Countdown, describe_left
from waylog.table import Table
from waylog.toml.document import UnreadableFile
from waylog.values import dataclass, replace
from waylog.words.sentences import (
    act_sentences,
    change_sentence,
    conflicting_entry,
    name_place,
    names_of,
    sentence,
    sight_of,
    value_text,
)

Do = Callable[[Callable[[], LogEntry | None]], Reply]
"""Makes the table do something, and returns the result in words."""
_MOST = 3


class FileNews:
    """Reports news of the log and problems of the file, each once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._entries = 0
        self._problems: Sequence[str] = ()
        self.paused = False
        """Whether a pause has been reported."""

    def skip_to(self, entries: int) -> None:
        """Report none of the entries up to that one."""
        self._entries = entries

    def take_pause(self) -> Iterator[str]:
        """Yield a sentence when a pause begins or ends."""
        if is_paused(self._table.players_folder) is not self.paused:
            self.paused = not self.paused
            yield PAUSED if self.paused else GOES_ON
        if self.paused and not self._table.read_only:
            mark_shown(self._table.players_folder)

    def take_news(self, until: int | None = None) -> list[str]:
        """Return a sentence about the acts of others and one about edits, and new problems. `until` is an entry of this window."""
        last = self._table.snapshot.entries
        end = last + 1 if until is None else until
        entries = [*self._read(range(self._entries + 1, end))]
        self._entries = last
        edits = [entry for entry in entries if entry.kind.is_edit]
        acts = [entry for entry in entries if not entry.kind.is_edit]
        lines = [*([self._describe_acts(acts)] if acts else ()), *([self._describe_edits(edits)] if edits else ())]
        return lines if until is not None else [*lines, *self.problems()]

    def _read(self, numbers: range) -> Iterator[LogEntry]:
        for number in numbers:
            try:
                yield self._table.entry(number)
            except (KeyError, UnreadableFile, OSError):
                continue  # Damage is reported elsewhere.

    def _describe_acts(self, entries: Sequence[LogEntry]) -> str:
        snapshot = self._table.snapshot
        if len(entries) == 1:
            # The sentence of a proposal names the player.
            where = "" if entries[0].by else "Another window: "
            return f"{where}{' '.join(act_sentences(entries, sight_of(snapshot), names_of(snapshot)))}"
        named = ", ".join(f"“{entry.heading}”" for entry in entries[-_MOST:])
        more = f". The last {_MOST} are {named}" if len(entries) > _MOST else f": {named}"
        return sentence(f"{len(entries)} actions from another window{more}")

    def _describe_edits(self, entries: Sequence[LogEntry]) -> str:
        names = names_of(self._table.snapshot)
        changes = [
            change_sentence(change, names).removesuffix(".")
            for entry in entries
            for change in entry.changes
            if change.before != change.after
        ]
        more = f" and {len(changes) - _MOST} more" if len(changes) > _MOST else ""
        return (
            sentence(f"campaign.toml was edited: {'; '.join(changes[:_MOST])}{more}")
            if changes
            else "campaign.toml was edited."
        )

    def problems(self) -> Iterator[str]:
        """Yield the problems of the file that have not been reported yet, each with its line."""
        snapshot = self._table.snapshot
        found = [
            sentence(f"{each.file}, line {each.line}: {each.message}")
            for each in snapshot.problems
            if not each.unfinished
        ]
        new = [each for each in found if each not in self._problems]
        if self._problems and not found:
            yield "The file no longer has any problems."
        self._problems = found
        yield from new
        if new and snapshot.broken:
            yield "Waylog continues from the last good version, and leaves the file alone until you fix it."

    # -- questions ----------------------------------------------------------------------------------------------

    def question_reply(self, do: Do, discard: Callable[[], Reply]) -> Reply | None:
        """Return the question about an act that could not be saved, or about the file; None if there is none."""
        table, snapshot = self._table, self._table.snapshot
        if snapshot.held:
            choices = [NumberedChoice("Try again", lambda: do(table.retry_save)), NumberedChoice("Discard it", discard)]
            return Reply((f"“{snapshot.held.heading}” could not be saved, so it has not happened.",), choices)
        if asked := snapshot.asked:

            def answer(does: str, *, keep: bool) -> Reply:
                reply = do(lambda: table.answer_file(keep=keep))
                return reply if reply.lines else replace(reply, lines=(sentence(f"{does}: done"),))

            choices = [
                NumberedChoice(asked.keep, lambda: answer(asked.keep, keep=True)),
                NumberedChoice(asked.update, lambda: answer(asked.update, keep=False)),
            ]
            return Reply((sentence(asked.about),), choices)
        return None

    def conflict_reply(self, do: Do) -> Reply | None:
        """Return the first edit conflict with its two answers; None if there is none."""
        table, conflicts = self._table, self._table.snapshot.conflicts
        if not conflicts:
            return None
        conflict = conflicts[0]
        act = conflicting_entry(table.entry, conflict)
        more = f" Edit conflicts after this one: {len(conflicts) - 1}." if len(conflicts) > 1 else ""
        choices = [
            NumberedChoice(
                f"Keep {value_text(conflict.file)} from the file", lambda: do(lambda: table.keep_edit(conflict))
            ),
            NumberedChoice(
                f"Use {value_text(conflict.played)}" + (f" from “{act.heading}”" if act else " from play"),
                lambda: do(lambda: table.keep_game_value(conflict)),
            ),
        ]
        return Reply(
            (f"{name_place(conflict.path, names_of(table.snapshot))} was changed both in the file and in play.{more}",),
            choices,
        )


NOTHING = "no proposals are waiting"
_DECLINED = "no reason given"
_ANSWER = r"(play|decline) +([0-9]{1,3})(?!\S)(.*)"


@dataclass(frozen=True, slots=True)
class ProposalAnswer:
    """An answer of the wayfinder to a player's proposal. `number` is the proposal's place in the list, from 1."""

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
        self._attendance = Attendance(table.players_folder)
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
            yield "To play or decline them, type proposals."
        self._listed = [*(self._listed if waiting.keys() & {*self._listed} else ()), *new]
        self._ids = frozenset(waiting)

    def end(self) -> None:
        """End the presence of this program, so that players' windows say that nobody sees proposals."""
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
        return replace(reply, lines=[f"Proposal {answer.number} declined.", *reply.lines])


class TimerNews:
    """Describes timers, and reports each that has run out once."""

    def __init__(self, clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self._reported: Sequence[Countdown] = ()

    def take_news(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield each timer that has run out, once."""
        now = self._clock()
        ended = [one for one in timers if one.ends <= now]
        new, self._reported = [one for one in ended if one not in self._reported], ended
        yield from (f"The timer {one.name} has run out." for one in new)

    def describe_running(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield the time left of each running timer, as part of a longer description."""
        now = self._clock()
        yield from (f"The timer {one.name}: {describe_left(one, now)}." for one in timers if one.ends > now)

    def describe(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield the time left of each timer."""
        now = self._clock()
        yield from (sentence(f"{one.name}: {describe_left(one, now)}") for one in timers)
        if not timers:
            yield "There are no timers."
