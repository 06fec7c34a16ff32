"""Bring the campaign file up to the log after an act, and say why that failed. For commands and line mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic

from waylog.rules.model.state import EntryKind
from waylog.store.files_and_lock import CampaignBusy
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import LogWriteFailed, Table

_TRIES = 5
"""The most attempts to update a file that somebody keeps saving."""
_LONGEST_WAIT_FOR_SAVE = 5.0
"""Seconds of waiting for another program after which there is no further attempt."""


def save(table: Table) -> None:
    """Bring the campaign file up to the log. `why_not_saved` says why that was not possible."""
    began = monotonic()
    for _ in range(_TRIES):
        if table.settle() or table.snapshot.broken or monotonic() - began > _LONGEST_WAIT_FOR_SAVE:
            break
        with suppress(
            OSError, LogWriteFailed, CampaignBusy
        ):  # The requested act is done, even if something else fails now.
            table.refresh()


def why_not_saved(table: Table) -> Iterator[str]:
    """Yield why the campaign file is not up to date with the log; nothing if it is. The act itself is done."""
    if not table.file_is_behind():
        return
    snapshot = table.snapshot
    if snapshot.broken:
        yield "Done and logged. The campaign file has a problem, so it was not updated:"
        yield from map(str, snapshot.problems)
    else:
        yield f"Done and logged. {snapshot.unsaved or 'The campaign file keeps changing, so Waylog will update it later'}"


def damage(table: Table) -> Sequence[str]:
    """Return one line on missing or damaged log entries, if any."""
    found = table.damage()
    if not found:
        return ()
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return (f"the log is damaged: {found[0]}{more}. `waylog check` lists every problem",)


def recovery(table: Table) -> Sequence[str]:
    """Return one line on what was repaired after a crash, if anything."""
    line = table.take_recovery_text()
    return (line,) if line else ()


def commit_session(table: Table, entry: LogEntry) -> Sequence[str]:
    """Commit the folder if an entry has ended a session and the person's settings say so. Return one line on what was done."""
    if entry.kind is not EntryKind.SESSION_ENDS or table.snapshot.tried is not None:
        return ()
    from waylog.settings import read_settings, settings_path  # Few acts end a session.

    path = settings_path()
    if path is None or read_settings(path).settings.git != "session":
        return ()
    from waylog.store.campaign_in_git import commit_folder

    session = table.snapshot.sessions.get(str(entry.session))
    title = f"Session {entry.session}" + (f": {session.title}" if session and session.title else "")
    return (commit_folder(table.folder, title),)
