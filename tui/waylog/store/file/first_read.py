"""What a start reads: the campaign file once nobody is writing it, and earlier versions where this one is not enough."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

from waylog.rules.codec.changes import Change
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.model.state import State
from waylog.store.file.campaign_file import CampaignFile, read_campaign_file
from waylog.store.file.edit_base import MarkedState, state_after
from waylog.store.file.history import FileHistory
from waylog.store.file.placed_versions import checksum
from waylog.store.file.unfinished_saves import STILL_WHILE_OPEN, Stillness, looks_cut
from waylog.store.files import FILE, FileSignature, file_signature
from waylog.store.log.log import Log
from waylog.toml.document import ABSENT, Document, Problem, UnreadableFile, lookup, read_bytes
from waylog.values import NamedTuple, replace

_LOOK = 0.05
"""Seconds between two looks, at start-up, at a file that is being written."""


class EarlierState(NamedTuple):
    """The state according to an earlier version of the file and the log alone."""

    before: CampaignFile
    marked: MarkedState


def read_finished_file(history: FileHistory, stillness: Stillness) -> tuple[Document, FileSignature | None]:
    """Read the campaign file once nobody seems to be writing it. Raises `UnreadableFile`."""
    deadline = time.monotonic() + STILL_WHILE_OPEN + _LOOK
    while True:
        seen = file_signature(history.path)
        data = read_bytes(history.path)
        if file_signature(history.path) == seen and not _is_cut(history, stillness, data, seen):
            return Document.parse(data, FILE), seen
        if time.monotonic() > deadline:
            raise UnreadableFile(
                Problem(FILE, 1, 1, "another program keeps writing to it; try again when that is done")
            )
        time.sleep(_LOOK)


def _is_cut(history: FileHistory, stillness: Stillness, data: bytes, seen: FileSignature | None) -> bool:
    """Whether somebody may be writing the file, judged by its earlier versions."""
    if history.is_regular(data) or stillness.enough(seen, history.path):
        return False
    if len(data) < history.last_size():
        return True
    earlier = history.earlier()
    with suppress(UnreadableFile):
        return bool(earlier) and looks_cut(read_bytes(earlier[-1])[-len(data) :], data)
    return False


def with_true_mark(history: FileHistory, file: CampaignFile) -> CampaignFile:
    """Return a version that Waylog wrote or took in, with its true mark, which may differ from the one in its text."""
    seen = history.seen.of(checksum(file.document.data))
    entry = seen and seen.entry
    return replace(file, mark=entry) if entry else file


def last_good_state(game: Game, log: Log, history: FileHistory, file: CampaignFile) -> State:
    """Return the contents of a file, with illegal values replaced by those last logged, or those of the first
    version.
    """
    state, earlier = file.state, history.earlier()
    for path in file.faulty:
        value = _last_logged_value(log, path)
        if value is ABSENT and earlier:
            with suppress(UnreadableFile):
                value = lookup(Document.parse(read_bytes(earlier[0]), FILE).tree, path)
        if value is not ABSENT:
            with suppress(ValueError):
                state = game.apply_changes(state, [Change(path, None, value)])
    return state


def _last_logged_value(log: Log, path: ValuePath) -> Any:
    """Return the last value in the log at a path; `ABSENT` if there is none."""
    for number in sorted(log.entries_changing(path), reverse=True):
        with suppress(KeyError):
            for change in reversed(log.entry(number).changes):
                if change.path == path[: len(change.path)]:
                    return lookup({"": change.after}, ("", *path[len(change.path) :]))
    return ABSENT


def state_from_history(game: Game, log: Log, history: FileHistory, file: CampaignFile) -> EarlierState | None:
    """Return the newest readable earlier version, and the state that it and the log give. None if there is none.

    A version that is ahead of both `file` and the log is left from before somebody put older copies of these back.
    """
    stale: EarlierState | None = None
    newest = max(log.mark.number, file.mark.number)
    for path in reversed(history.earlier()):
        if history.mark_of(path).number > newest:
            continue
        with suppress(UnreadableFile):
            before = read_campaign_file(game, Document.parse(read_bytes(path), path.name), None)
            before = replace(before, mark=history.mark_of(path))
            state = state_after(game, log, before.state, before.mark.number)
            found = EarlierState(before, MarkedState(state, max(before.mark, log.mark)))
            seen = history.seen.of(checksum(before.document.data))
            if seen is None or seen.entry is not None:
                return found
            stale = stale or found  # This version lacked what had been played, but it is better than nothing.
    return stale
