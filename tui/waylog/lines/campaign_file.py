"""What line mode says about the campaign file and other windows: news, problems with their lines, questions by number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from waylog.lines.replies import GOES_ON, PAUSED, NumberedChoice, Reply
from waylog.store.entries import LogEntry
from waylog.store.pause import is_paused, mark_shown
from waylog.table import Table
from waylog.toml.document import UnreadableFile
from waylog.words.acts import conflicting_entry, sight_of
from waylog.words.changes import describe_value
from waylog.words.place_names import name_place, names_of
from waylog.words.sentences import act_sentences, change_sentence, sentence

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
        if is_paused(self._table.folder) is not self.paused:
            self.paused = not self.paused
            yield PAUSED if self.paused else GOES_ON
        if self.paused and not self._table.read_only:
            mark_shown(self._table.folder)

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
        more = f", the last of them {named}" if len(entries) > _MOST else f": {named}"
        return sentence(f"Another window has played {len(entries)} actions{more}")

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
            yield "The file has no problems now."
        self._problems = found
        yield from new
        if new and snapshot.broken:
            yield "Play goes on from the last good version. Waylog leaves the file alone until you fix it."

    # -- questions ----------------------------------------------------------------------------------------------

    def question_reply(self, do: Do, discard: Callable[[], Reply]) -> Reply | None:
        """Return the question about an act that could not be saved, or about the file; None if there is none."""
        table, snapshot = self._table, self._table.snapshot
        if snapshot.held:
            choices = [NumberedChoice("Try again", lambda: do(table.retry_save)), NumberedChoice("Discard it", discard)]
            return Reply((f"“{snapshot.held.heading}” could not be saved, so it has not happened.",), choices)
        if asked := snapshot.asked:
            choices = [
                NumberedChoice(asked.keep, lambda: do(lambda: table.answer_file(keep=True))),
                NumberedChoice(asked.update, lambda: do(lambda: table.answer_file(keep=False))),
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
        more = f" {len(conflicts) - 1} more edit conflicts follow." if len(conflicts) > 1 else ""
        choices = [
            NumberedChoice(
                f"Keep {describe_value(conflict.file)} from the file", lambda: do(lambda: table.keep_edit(conflict))
            ),
            NumberedChoice(
                f"Take {describe_value(conflict.played)}" + (f" from “{act.heading}”" if act else " from play"),
                lambda: do(lambda: table.keep_game_value(conflict)),
            ),
        ]
        return Reply(
            (f"{name_place(conflict.path, names_of(table.snapshot))} was changed in the file and in play.{more}",),
            choices,
        )
