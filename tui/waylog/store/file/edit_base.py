"""Find the base of a hand edit: the version of the campaign file that the person had in front of them.

A merge compares the base, the edit and the state of play. The base is looked for in this order:

1. The content is known (`history/known`): the file is a copy of an earlier version, and nothing was edited.
2. The file has no mark: its base is the version that was in place last.
3. Versions with the same mark are known: the latest is the base, because the editor has read or saved it last. So a
   second save of one buffer is compared with the first, whatever was played in between.
4. Otherwise only the mark is known: the base is the state of the log at that entry.

Edit conflicts: values that both a person and play have changed. A merge finds them (`edits`); the log keeps them until they
are settled.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from waylog.rules.codec.changes import Path
from waylog.rules.game import Game
from waylog.rules.model.state import EntryKind, State
from waylog.store.file.campaign_file_tables_and_scene_cards import CampaignFile, read_campaign_file, with_good_values
from waylog.store.file.history import FileHistory, PlacedVersion, checksum
from waylog.store.files_and_lock import FILE
from waylog.store.log.entries_and_version_0_1 import LogEntry, Mark
from waylog.store.log.log_and_torn_entries import Log
from waylog.store.log.undo_and_scenes import effective_entries
from waylog.toml.document import Document, UnreadableFile
from waylog.values import NamedTuple, dataclass, replace


class MarkedState(NamedTuple):
    """The state of the campaign, and the log's mark for it. It is replaced as a whole, because `settle` may read it at
    any moment from another thread.
    """

    state: State
    mark: Mark


class EditBase(NamedTuple):
    """The version that a person had in front of them."""

    state: State
    mark: Mark
    """The entries after it are not in the file, except those for edits."""
    is_copy: bool = False
    """The file has exactly this content."""
    by_mark_alone: bool = False
    """Only the mark is known, so the file may contain edits that are already in the log."""


def base_of(
    game: Game, log: Log, history: FileHistory, known: MarkedState, file: CampaignFile, theirs: CampaignFile
) -> EditBase:
    """Return the base of a saved file. `file` is the version that was in place last."""
    seen_version = history.seen.of(checksum(theirs.document.data))
    if seen_version and seen_version.entry and seen_version.entry.number <= known.mark.number:
        state = state_at(game, log, known, seen_version.entry)
        if not game.difference(state, with_good_values(game, theirs, state).state):
            return EditBase(state, seen_version.entry, is_copy=True)
    if theirs.own is None:
        last = history.seen.last()
        return (last and _state_of(last, game, log, history, known, file)) or EditBase(file.state, file.mark)
    if theirs.own.number > known.mark.number:
        return EditBase(known.state, known.mark)
    before = history.seen.last_with_mark(theirs.own)
    base = before and _state_of(before, game, log, history, known, file)
    return base or EditBase(state_at(game, log, known, theirs.own), theirs.own, by_mark_alone=True)


def _state_of(
    seen: PlacedVersion, game: Game, log: Log, history: FileHistory, known: MarkedState, file: CampaignFile
) -> EditBase | None:
    """Return a known version as a base; None if neither its content nor its entry exists any more."""
    if seen.entry:
        return EditBase(state_at(game, log, known, seen.entry), seen.entry)
    data = file.document.data if checksum(file.document.data) == seen.checksum else history.with_checksum(seen.checksum)
    if data is not None and seen.mark:
        with suppress(UnreadableFile):
            before = with_good_values(game, read_campaign_file(game, Document.parse(data, FILE), None), known.state)
            return EditBase(before.state, seen.mark)
    return None


def play_entries_since(log: Log, number: int) -> Sequence[LogEntry]:
    """Return the entries after that number that changed something in play, not by an edit of the file."""
    return [entry for entry in log.since(number) if entry.changes and not entry.kind.is_edit]


def state_at(game: Game, log: Log, known: MarkedState, mark: Mark) -> State:
    """Return the known state when the log was at `mark`."""
    state = known.state
    for entry in reversed(log.since(mark.number)):
        if entry.number <= known.mark.number:
            back = replace(entry, changes=tuple(change.reverse() for change in reversed(entry.changes)))
            state = game.apply_what_fits(state, back.changes)
    return state


def state_after(game: Game, log: Log, state: State, number: int) -> State:
    """Return `state` with the changes of the entries after `number`."""
    for entry in log.since(number):
        state = game.apply_what_fits(state, entry.changes)
    return state


_RECENT = 40
"""Unsettled conflicts are shown for so many entries."""


@dataclass(frozen=True, slots=True)
class EditConflict:
    """A value that the file and play changed differently since the edit's base."""

    path: Path
    file: Any
    """The file's value, which holds."""
    played: Any
    """The value that play had given it."""
    entry: LogEntry
    """The entry that took the file's value. Undoing it restores play's value."""


def open_conflicts(log: Log) -> tuple[EditConflict, ...]:
    """Return unsettled conflicts: their entry holds, was not kept, and the value has not changed since."""
    if not log.may_hold(
        EntryKind.AGAINST_PLAY
    ):  # Most logs have no conflict, and this check is cheaper than reading their entries.
        return ()
    found, changed, kept = [], set[Path](), set[int]()
    for entry in islice(effective_entries(log), _RECENT):
        if entry.kind is EntryKind.KEEP:
            kept.add(entry.settles)
        elif entry.kind is EntryKind.AGAINST_PLAY and entry.number not in kept:
            found += [EditConflict(c.path, c.after, c.before, entry) for c in entry.changes if c.path not in changed]
        changed.update(change.path for change in entry.changes)
    return tuple(reversed(found))
