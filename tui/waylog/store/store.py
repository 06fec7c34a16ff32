"""One campaign on disk, kept in step with memory: first the log, which is the truth, then the campaign file.

An act takes the lock for a turn (`Store.turn`), which first takes in whatever editors, other windows and a crash have
left. An edit of the file is merged key by key and becomes an entry of its own. `write` appends an entry; `bring_up`
updates the file later, from another thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from waylog.rules.changes import Change, format_path
from waylog.rules.changes import Path as ValuePath
from waylog.rules.common.sessions import under_way
from waylog.rules.facts import NoteFact
from waylog.rules.game import Game
from waylog.rules.moves import ActRefused
from waylog.rules.state import EntryKind, OpenScene, State
from waylog.store import table_files
from waylog.store.campaign_file import (
    CampaignFile,
    read_campaign_file,
    spelling_in,
    system_of,
    with_good_values,
    with_state,
    with_tables,
)
from waylog.store.edit_base import EditBase, KnownState, base_of, played_since, state_after, state_at
from waylog.store.edit_conflicts import EditSplit, split_edit, told_by_hand
from waylog.store.edit_questions import MANY, FileQuestion, about_copy, about_removal
from waylog.store.entries import OPEN_ACT, LogEntry, Mark
from waylog.store.key_renames import find_references
from waylog.store.known_versions import checksum
from waylog.store.lock_and_replace import FILE, CampaignBusy, FileSignature, file_signature, lock_campaign, write_beside
from waylog.store.log import AT_A_START, AT_AN_ACT, Log, SetAside, ahead
from waylog.store.unfinished_saves import STILL_WHILE_OPEN, Stillness, looks_cut
from waylog.store.versions import Versions
from waylog.toml.document import ABSENT, Document, EditRefused, Problem, UnreadableFile, lookup, read_bytes
from waylog.toml.formatting import NotRepresentable

_PLACES = 4
"""The most paths that are listed when they still use an old key."""
_AHEAD = 10_000
"""A mark so far ahead of the log that it must be a typing error. A file can be ahead if the end of the log was lost."""
_LOOK = 0.05
"""Seconds between two looks, at start-up, at a file that is being written."""
_NO_EXCHANGE = (
    f"On this file system, an edit that you save at the very moment when Waylog replaces {FILE} could be lost"
)


class LogWriteFailed(Exception):
    """The act could not be made durable, so it has not happened. It is kept in memory, to be written later."""


class _OpenQuestion(NamedTuple):
    """A question about the file, and the versions it is about."""

    question: FileQuestion
    theirs: CampaignFile
    base: EditBase
    before: CampaignFile
    """The version that was in place before."""


class _FromHistory(NamedTuple):
    """The state according to an earlier version of the file and the log alone."""

    before: CampaignFile
    known: KnownState


class Store:
    """One open campaign on disk."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime], read_only: bool) -> None:
        """Open the campaign in `folder`. Raises `UnreadableFile` with every problem, or `OSError`."""
        self.folder = folder
        self.read_only = read_only
        self.version = 0
        """A number that changes whenever a screen may have something else to show."""
        self.settling = threading.Lock()
        """Held while the file is updated from the log."""
        self.trouble: tuple[Problem, ...] = ()
        """The problems that make the file unreadable now. Its last good contents are used meanwhile."""
        self.unsaved: str | None = None
        """Why the file is not up to date."""
        self.patience: float | None = None
        """Seconds to wait for another program to release the campaign; None to wait longer than any act takes."""
        self.versions = Versions(folder)
        self._now = now
        self._path = self.versions.path
        self._stillness, self._late_stillness = Stillness(), Stillness()
        self._asked: _OpenQuestion | None = None
        self._identity = _identity(folder)
        document, seen = self._read_finished_file()
        self._believed = seen
        """The version that was already waited for."""
        self._tables = table_files.read(folder)
        self.game = Game(system_of(document), self._tables.tables)
        self._file = read_campaign_file(self.game, document, seen)
        self._doubtful: FileSignature | None = None
        self._edited_while_closed = not self.versions.is_own_version(document.data)
        self._begun = self._told_of_exchanges = False
        self._crashed = bool(self.versions.leftover_files())
        self.log = Log(folder / "log")
        self.log.follow()
        self.log.verify(AT_A_START)
        if self.log.last is None and not (self.log.files() or self.versions.earlier()):
            self.log.begins_behind = self._file.mark.number
        self._damage_seen = self.damage
        if not self._edited_while_closed:
            self._file = self._as_known(self._file)
        if self.log.last and self._file.mark.number > self.log.mark.number + _AHEAD:
            self._file = replace(self._file, mark=self.log.mark)
        self.known = KnownState(self._file.state, self._file.mark)
        if self._file.faulty:
            self._file = with_good_values(self.game, self._file, self._last_good(self._file))
            self.known = self.known._replace(state=self._file.state)
        self._take_entries()
        self._recovered: list[str] = []
        if self.log.last:
            self.known = self.known._replace(state=replace(self.state, open=self.decode_open(self.log.last.scene)))
            if self.file_is_behind() and not (read_only or self._edited_while_closed):
                so_far = f"{self.log.last.number} “{self.log.last.words}”"
                self._recovered.append(f"The log is complete up to {so_far}; the campaign file is updated from it")

    def _read_finished_file(self) -> tuple[Document, FileSignature | None]:
        """Read the file once nobody seems to be writing it. Raises `UnreadableFile`."""
        deadline = time.monotonic() + STILL_WHILE_OPEN + _LOOK
        while True:
            seen = file_signature(self._path)
            data = read_bytes(self._path)
            if file_signature(self._path) == seen and not self._is_cut(data, seen):
                return Document.parse(data, FILE), seen
            if time.monotonic() > deadline:
                raise UnreadableFile(
                    Problem(FILE, 1, 1, "another program keeps writing to it; try again when that is done")
                )
            time.sleep(_LOOK)

    def _is_cut(self, data: bytes, seen: FileSignature | None) -> bool:
        """Whether somebody may be writing the file, judged by its earlier versions."""
        if self.versions.is_regular(data) or self._stillness.enough(seen, self._path):
            return False
        if len(data) < self.versions.last_size():
            return True
        earlier = self.versions.earlier()
        with suppress(UnreadableFile):
            return bool(earlier) and looks_cut(read_bytes(earlier[-1])[-len(data) :], data)
        return False

    def _as_known(self, file: CampaignFile) -> CampaignFile:
        """Return a version that Waylog wrote or took in, with its true mark, which may differ from the one in its text."""
        seen = self.versions.seen.of(checksum(file.document.data))
        entry = seen and seen.entry
        return replace(file, mark=entry) if entry else file

    def _last_good(self, file: CampaignFile) -> State:
        """Return the contents of a file, with illegal values replaced by those last logged, or those of the first
        version.
        """
        state, earlier = file.state, self.versions.earlier()
        for path in file.faulty:
            value = self._last_logged_value(path)
            if value is ABSENT and earlier:
                with suppress(UnreadableFile):
                    value = lookup(Document.parse(read_bytes(earlier[0]), FILE).tree, path)
            if value is not ABSENT:
                with suppress(ValueError):
                    state = self.game.apply_changes(state, [Change(path, None, value)])
        return state

    def _last_logged_value(self, path: ValuePath) -> Any:
        """Return the last value in the log at a path; `ABSENT` if there is none."""
        for number in sorted(self.log.entries_changing(path), reverse=True):
            with suppress(KeyError):
                for change in reversed(self.log.entry(number).changes):
                    if change.path == path[: len(change.path)]:
                        return lookup({"": change.after}, ("", *path[len(change.path) :]))
        return ABSENT

    def _from_history(self) -> _FromHistory | None:
        """Return the newest readable earlier version, and the state that it and the log give. None if there is none."""
        stale: _FromHistory | None = None
        for path in reversed(self.versions.earlier()):
            with suppress(UnreadableFile):
                before = read_campaign_file(self.game, Document.parse(read_bytes(path), path.name), None)
                before = replace(before, mark=self.versions.mark_of(path))
                state = state_after(self.game, self.log, before.state, before.mark.number)
                found = _FromHistory(before, KnownState(state, max(before.mark, self.log.mark)))
                seen = self.versions.seen.of(checksum(before.document.data))
                if seen is None or seen.entry is not None:
                    return found
                stale = stale or found  # This version lacked what had been played, but it is better than nothing.
        return stale

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The current state."""
        return self.known.state

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems in everything that a person has written."""
        file_problems = (*self._file.problems, *self._tables.all_problems(self.game, self.state))
        return (*(self.trouble or file_problems), *self.damage)

    @property
    def damage(self) -> tuple[Problem, ...]:
        """The missing and damaged entries of the log, as far as it is verified. Those missing at its end come first."""
        last = max(self.log.highest, self.log.begins_behind)
        return (*ahead(self._file.document, last), *self.log.problems())

    def mark_changed(self) -> None:
        """Say that a screen may have something else to show. `settle` calls this from its own thread."""
        self.version += 1

    @property
    def question(self) -> FileQuestion | None:
        """The question about the file that must be answered before anything is played."""
        return self._asked and self._asked.question

    def file_is_behind(self) -> bool:
        """Whether the log is ahead of the campaign file."""
        return self.log.mark.number > self._file.mark.number

    def stale(self) -> bool:
        """Whether there is something on disk that the next turn will take in."""
        waiting = self._edited_while_closed or ((self._crashed or self._has_late()) and not self.read_only)
        return waiting or not self.log.stands() or not self._has_seen(file_signature(self._path))

    def _has_seen(self, found: FileSignature | None) -> bool:
        """Whether the file is certainly the one that was last read, or that could not be read."""
        if self._asked and found == self._asked.theirs.signature:
            return True
        signature, doubtful = self._file.signature, self._doubtful
        if found is None or signature is None or found != signature:
            return bool(self.trouble) and found == doubtful and (doubtful is None or doubtful.sure)
        if signature.sure:
            return True
        try:
            same = read_bytes(self._path) == self._file.document.data
        except UnreadableFile:
            return False
        if same:
            self._file = replace(self._file, signature=found)
        return same

    def take_recovery_text(self) -> str | None:
        """Return one line on work that the last program left unfinished, and what was done about it; None if there was
        none.

        The first turn repairs a torn end of the log and left-over files. Each thing is reported once.
        """
        messages, self._recovered = self._recovered, []
        return ". ".join(messages) or None

    # -- a turn -------------------------------------------------------------------------------------------------

    @contextmanager
    def turn(self, patience: float | None = None) -> Iterator[None]:
        """Hold the lock, after taking in everything that others have written. Raises `CampaignBusy` or
        `LogWriteFailed`.

        `patience` is the number of seconds to wait for the lock, if not as many as for an act.
        """
        saves = list[Path]()
        with ExitStack() as stack:
            try:
                if not self.read_only:
                    stack.enter_context(lock_campaign(self.folder, self.patience if patience is None else patience))
                self._is_the_same_folder()
                self.log.follow()
                self.log.verify(AT_AN_ACT)
                if not self.read_only:
                    saves = self._begin()
                    self._take_late()
            except OSError as error:
                raise LogWriteFailed(
                    f"{self.folder} can't be written: {describe_os_error(error)}; nothing was done"
                ) from error
            self._take_entries()
            self._compare_with_history()
            self._take_file()
            self._take_saves(saves)
            self._look_at_damage()
            yield

    def _is_the_same_folder(self) -> None:
        """Raise `LogWriteFailed` if another folder has replaced the campaign's."""
        if (found := _identity(self.folder)) == self._identity:
            return
        if self.log.last is None or not self.log.is_as_seen():
            raise LogWriteFailed(
                f"{self.folder} is no longer the folder that was opened; nothing was done. Quit, and open the "
                "campaign again"
            )
        self._identity = found

    def _begin(self) -> list[Path]:
        """Once: keep the file's first version, and repair what a crash has left of the log and beside the file.

        Return saves by a person that are still beside the file.
        """
        if aside := self.log.mend():
            self._recovered.append(self._torn_entry_text(aside))
        if not self._begun:
            self.versions.keep_initial_version(self._file)
            self.versions.remember(self._file)
            self._begun = True
        if not self._crashed and file_signature(self._path) != self._file.signature:
            self._crashed = bool(self.versions.leftover_files())  # Another process did it a moment ago.
        if not self._crashed:
            return []
        saves, message = self.versions.clear_up()
        self._recovered += [message] if message else []
        return saves

    def _torn_entry_text(self, aside: SetAside) -> str:
        """Return what happened to an incomplete end of the log."""
        first, *others = aside.numbers or [self.log.highest + 1]
        if first > max(self._file.mark.number, self.log.highest) and not others:
            return f"An interrupted action was not carried out; its partial log entry is in log/{aside.path.name}"
        return f"The end of the log is damaged; the unreadable part is in log/{aside.path.name}"

    def verify_more(self, most: int) -> None:
        """Verify that many more bytes of the log, if any are left."""
        if self.log.verify(most):
            self._look_at_damage()

    def _look_at_damage(self) -> None:
        """Show damage as soon as it is found."""
        if (damage := self.damage) != self._damage_seen:
            self._damage_seen = damage
            self.mark_changed()

    def take_tables(self) -> None:
        """Take in changes in the folder of random tables."""
        if table_files.file_signatures(self.folder) == self._tables.seen:
            return
        if not self.settling.acquire(
            blocking=False
        ):  # The next look will find it: no screen waits for a file to be written.
            return
        try:
            self._tables = table_files.read(self.folder)
            self.game = Game(self.game.system, self._tables.tables)
            # The table that a card or a clock rolls on may exist now, or no longer.
            self._file = with_tables(self.game, self._file)
        finally:
            self.settling.release()
        self.mark_changed()

    # -- the log ------------------------------------------------------------------------------------------------

    @property
    def next_number(self) -> int:
        """The number of the next entry."""
        return max(self.log.highest, self._file.mark.number) + 1

    def write(self, entry: LogEntry, state: State) -> LogEntry:
        """Append an entry; only then does `state` become the current state. Raises `LogWriteFailed`, or `ActRefused`
        for lone surrogates.
        """
        session = under_way(state.sessions) or under_way(self.state.sessions)
        entry = replace(entry, session=session)
        try:
            self.log.append(entry)
        except NotRepresentable as error:
            raise ActRefused(str(error)) from None
        except OSError as error:
            raise LogWriteFailed(f"can't write the log: {describe_os_error(error)}; nothing was done") from error
        self._knows(state, entry)
        if self._damage_seen:  # Entries missing at the end of the log are a gap from now on.
            with suppress(
                OSError
            ):  # The entry is written, even if something can't be read now; the next look verifies it.
                self.log.verify(AT_AN_ACT)
                self._look_at_damage()
        return entry

    def _knows(self, state: State, entry: LogEntry) -> None:
        self.known = KnownState(state, Mark(entry.number, self.log.file))
        self.mark_changed()

    def _take_entries(self) -> None:
        """Apply the entries that others have appended."""
        for entry in self.log.since(self.known.mark.number):
            state = self.state
            with suppress(ValueError):
                state = replace(self.game.apply_changes(state, entry.changes), open=self.decode_open(entry.scene))
            self._knows(state, entry)

    # -- what is open -------------------------------------------------------------------------------------------

    def scene(self, state: State, act: int) -> dict[str, Any]:
        """Return the open part of `state` as an entry stores it: it belongs to the act that began with that entry."""
        opened = self.game.write_open(state)
        return {OPEN_ACT: act, **opened} if opened else {}

    def decode_open(self, scene: Mapping[str, Any]) -> OpenScene | None:
        """Read the open part of an entry. Stages of another edition are dropped; their facts are in the log."""
        try:
            return self.game.read_open({key: value for key, value in scene.items() if key != OPEN_ACT})
        except ValueError:
            return None

    @property
    def scene_now(self) -> dict[str, Any]:
        """Return the open part now, as an entry stores it."""
        return self.log.last.scene if self.log.last else {}

    def scene_from(self, number: int) -> dict[str, Any]:
        """Return the open part now, with follow-ups that belong to that entry, which came between them and their roll."""
        return {**self.scene_now, OPEN_ACT: number} if self.scene_now else {}

    def scene_after(self, number: int) -> dict[str, Any]:
        """Return the open part after an entry."""
        try:
            return self.log.entry(number).scene
        except KeyError:
            return {}

    def act_under_way(self, number: int) -> int:
        """Return the entry that began what is open; if nothing is, the given one."""
        return int(self.scene_now.get(OPEN_ACT, number)) if self.state.open else number

    # -- spelling -----------------------------------------------------------------------------------------------

    def with_spellings(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the changes with the old values' source texts, if those are not the plain ones."""
        if not changes:
            return ()
        since = self.log.since(self._file.mark.number)
        unsettled = {change.path: change for entry in since for change in entry.changes}
        return tuple(replace(change, was=self._was(change.path, change.before, unsettled)) for change in changes)

    def _was(self, path: ValuePath, value: Any, unsettled: Mapping[ValuePath, Change]) -> str | None:
        """Return the source text of a value, as it is or will be once the file is up to date."""
        if path in unsettled:
            return unsettled[path].now
        for count in range(len(path) - 1, 0, -1):
            if path[:count] in unsettled:
                added = unsettled[path[:count]].after or {}
                return None if lookup(added, path[count:]) is not ABSENT else ""
        return spelling_in(self._file.document, path, value)

    def changes_to(self, state: State, document: Document) -> tuple[Change, ...]:
        """Return the changes to get `state`, with source texts from `document`."""
        return tuple(
            replace(change, now=spelling_in(document, change.path, change.after))
            for change in self.with_spellings(self.game.difference(self.state, state))
        )

    # -- what a person has written ------------------------------------------------------------------------------

    def _take_file(self) -> None:
        """Take in a version that a person has saved, with the lock held. A file that can't be read changes nothing."""
        seen = file_signature(self._path)
        if self._has_seen(seen):
            self._retry_rejected_edits()
            return
        try:
            data = read_bytes(self._path)
            if file_signature(self._path) != seen:
                self._doubtful = seen
                return
            if data == self._file.document.data:
                self._file, self._asked = replace(self._file, signature=seen), None
            elif (looks_cut(self._file.document.data, data) and not self._may_be_taken(data, seen)) or not self._take(
                read_campaign_file(self.game, Document.parse(data, FILE), seen)
            ):
                return
            else:
                self._asked = None
            self.trouble, self._doubtful = (), None
        except UnreadableFile as unreadable:
            self._asked = None
            self.trouble, self._doubtful = unreadable.problems, seen
        self.mark_changed()

    def _may_be_taken(self, data: bytes, seen: FileSignature | None) -> bool:
        """Whether a version that looks cut short is complete: Waylog wrote it, or nobody is writing it any more."""
        if self.versions.is_regular(data) or seen == self._believed:
            return True
        return self._stillness.enough(seen, self._path)

    def _compare_with_history(self) -> None:
        """Once: if the file was edited while no window was open, take the state from the log and an earlier version."""
        if not self._edited_while_closed:
            return
        self._edited_while_closed = False
        if last := self._from_history():
            self._file = last.before
            self.known = last.known._replace(state=replace(last.known.state, open=self.state.open))
            self.mark_changed()
        elif not self.read_only:
            self.versions.record_merge(self._file, whole=True)

    def _take(self, theirs: CampaignFile) -> bool:
        """Take in a version of the file. Return False if it has to wait, or a question must be answered first."""
        if self.versions.is_regular(theirs.document.data):
            self._file = with_good_values(self.game, self._as_known(theirs), self.state)
            return True
        base = base_of(self.game, self.log, self.versions, self.known, self._file, theirs)
        theirs = with_good_values(self.game, theirs, self.state)
        played = played_since(self.log, base.mark.number)
        if not played:
            # Nothing was played, so every difference is an edit, and the file stays as it was saved.
            base = EditBase(self.state, self.known.mark)
        parted = self._split_edit(base, theirs)
        if not (self._may_be_taken(theirs.document.data, theirs.signature) or not parted.removed_things):
            return False
        if played and self._is_old_copy(base, theirs, parted):
            return self._ask(about_copy(base.mark.number, self.known.mark.number), theirs, base)
        if len(parted.removed_things) >= MANY:
            return self._ask(about_removal(parted.removed_things), theirs, base)
        self._merge(theirs, parted)
        self._took_in(theirs, base)
        return True

    def _split_edit(self, base: EditBase, theirs: CampaignFile) -> EditSplit:
        since = self.log.since(base.mark.number) if base.by_mark_alone else ()
        return split_edit(self.game, self.state, base.state, theirs.state, since)

    def _is_old_copy(self, base: EditBase, theirs: CampaignFile, parted: EditSplit) -> bool:
        """Whether the file brings nothing new and lacks what was played since: somebody has restored an earlier
        version.
        """
        if parted.clean or parted.against or not self.game.difference(self.state, theirs.state):
            return False
        oldest = self.versions.seen.oldest()
        # A version too old for the list is known only by its contents. A newer one that is not in the list
        # was edited outside values, for example in a comment.
        return base.is_copy or not (oldest and oldest.mark and oldest.mark <= base.mark)

    def _ask(self, question: FileQuestion, theirs: CampaignFile, base: EditBase) -> bool:
        """Ask a person about a version of the file. Nothing changes until they answer."""
        if self._asked is None and self._file.signature is not None and not self.read_only:
            self.versions.keep_copy(self._file)
        before = self._asked.before if self._asked else self._file
        self._asked = _OpenQuestion(question, theirs, base, before)
        self.trouble, self._doubtful = (), None
        self.mark_changed()
        return False

    def answer(self, *, keep: bool) -> LogEntry | None:
        """In a turn: apply a person's answer about the file. Return the entry that this made, if any.

        Raises `ActRefused` if the question no longer exists.
        """
        if self._asked is None or self._asked.theirs.signature != file_signature(self._path):
            raise ActRefused("there is no question about the file")
        asked, self._asked = self._asked, None
        last = self.log.mark.number
        parted = self._split_edit(asked.base, asked.theirs)
        if asked.base.is_copy or not (parted.clean or parted.against):
            self._answer_copy(asked, keep=keep)
        elif keep:
            self._merge(asked.theirs, parted)
            self._took_in(asked.theirs, asked.base)
        else:
            self._put_back(asked, parted)
        self.mark_changed()
        return self.log.last if self.log.mark.number > last else None

    def set_question_aside(self) -> None:
        """In a turn: drop the question about the file, because an act replaces the file."""
        if self._asked:
            self._file = replace(self._asked.theirs, mark=self.known.mark)
            self._asked = None

    def _answer_copy(self, asked: _OpenQuestion, *, keep: bool) -> None:
        theirs, entry = asked.theirs, asked.base.mark.number
        if keep:
            changes = self.changes_to(theirs.state, theirs.document)
            facts = (NoteFact(f"campaign.toml restored to entry {entry}, by hand", secret=True),)
            number, words, kind = self.next_number, f"restore entry {entry}", EntryKind.RESTORE
            restored = LogEntry(number, self._now(), words, facts, changes, root=number, kind=kind)
            self.write(restored, replace(theirs.state, open=None))
            self._took_in(theirs, EditBase(self.state, self.known.mark))
        else:
            self._took_in(theirs, asked.base)

    def _put_back(self, asked: _OpenQuestion, parted: EditSplit) -> None:
        """Restore the file with all the person's changes except their removals."""
        self._file = replace(asked.theirs, mark=self.known.mark)
        self.bring_back(asked.before, self.log.since(asked.before.mark.number))
        kept = EditSplit(
            [change for change in parted.clean if change.path not in parted.removed_things],
            [change for change in parted.against if change.path not in parted.removed_things],
            parted.renamed,
        )
        self._merge(asked.theirs, kept)

    def _retry_rejected_edits(self) -> None:
        """Take in values that were illegal and have become legal through other changes."""
        if not self._file.kept_out or self.trouble or self._asked:
            return
        raw = read_campaign_file(self.game, self._file.document, self._file.signature)
        good = with_good_values(self.game, raw, self.state)
        if good.kept_out == self._file.kept_out:
            return
        mended = [path for path in self._file.kept_out if path not in good.kept_out]
        changes = [c for c in self.game.difference(self.state, good.state) if c.path in mended]
        self._merge(good, EditSplit(changes, [], []))
        self._file = replace(
            self._file, state=self.game.apply_changes(self._file.state, changes), kept_out=good.kept_out
        )
        self.mark_changed()

    def _merge(self, theirs: CampaignFile, parted: EditSplit) -> None:
        """Log a person's changes. A value that play has changed too gets the file's value in an entry of its own: an
        edit conflict.
        """
        notes = [self._rename_notes(old, new, theirs) for old, new in parted.renamed]
        against = ((EntryKind.AGAINST_PLAY, [change]) for change in parted.against)
        for kind, group in ((EntryKind.BY_HAND, parted.clean), *against):
            state = self.game.apply_changes(self.state, group)
            changes = self.changes_to(state, theirs.document)
            if self.read_only:
                self.known = self.known._replace(state=state)
            elif changes:
                clean = kind is EntryKind.BY_HAND
                told_of = {path for pair in parted.renamed for path in pair} if clean else set()
                facts = [NoteFact(line, secret=True) for line in notes] if clean else []
                facts += [told_by_hand(change) for change in changes if change.path not in told_of]
                number, now, words = self.next_number, self._now(), kind.value
                scene = self.scene_from(number)
                self.write(
                    LogEntry(number, now, words, tuple(facts), changes, root=number, scene=scene, kind=kind), state
                )
        if not self.read_only:
            self._recovered += notes

    def _rename_notes(self, old: ValuePath, new: ValuePath, theirs: CampaignFile) -> str:
        """Return notes on a thing with a new key, and on values that still use the old one."""
        named = [
            place
            for place in find_references(self.game.write(theirs.state), old)
            if not place.startswith(format_path(new))
        ]
        more = f"; the old key is still used in {', '.join(named[:_PLACES])}" if named else ""
        return f"{format_path(old)} renamed to {format_path(new)}{more}"

    def _took_in(self, theirs: CampaignFile, base: EditBase) -> None:
        """Record a version as taken in. This comes after logging, so that an edit that couldn't be logged is found
        again and not overwritten.
        """
        whole = not self.game.difference(self.state, theirs.state)
        self._file = replace(theirs, mark=self.known.mark if whole else base.mark)
        self.mark_changed()
        if not self.read_only:
            self.versions.record_merge(self._file, whole=whole or base.is_copy)

    def _take_saves(self, saves: Sequence[Path]) -> None:
        """Take in a person's saves that a crash has left beside the file, by their changes; and keep them."""
        for path in saves:
            outcome_text = "is taken in"
            try:
                theirs = read_campaign_file(self.game, Document.parse(read_bytes(path), path.name), None)
                theirs = with_good_values(self.game, theirs, self.state)
                base = EditBase(state_at(self.game, self.log, self.known, theirs.mark), theirs.mark, by_mark_alone=True)
                self._merge(theirs, self._split_edit(base, theirs))
            except UnreadableFile:
                outcome_text = "can't be read"
            with suppress(OSError):
                kept = self.versions.archive_save(path)
                self._recovered.append(
                    f"A version of {FILE} that was saved while Waylog was replacing it {outcome_text}; it is kept as "
                    f"{kept}"
                )
        if not self.read_only:
            self._crashed = False

    # -- saves that come late -----------------------------------------------------------------------------------

    def _has_late(self) -> bool:
        """Whether an editor has written to a version after it was replaced."""
        return bool(self.versions.late())

    def _take_late(self) -> None:
        """Put such a version in place once it is complete: it is the person's last save. It is then taken in like any
        save.
        """
        for path in self.versions.late():
            if not self._late_stillness.enough(file_signature(path), path):
                continue
            try:
                read_campaign_file(self.game, Document.parse(read_bytes(path), path.name), None)
            except UnreadableFile:
                with suppress(OSError):
                    kept = self.versions.archive_save(path)
                    self._recovered.append(
                        f"A save of {FILE} was never completed; the part that exists is kept as {kept}"
                    )
                continue
            self.versions.bring_back_late(path)
            self._crashed = self._crashed or bool(self.versions.leftover_files())
            self._recovered.append(f"Restored the edit of {FILE} that you saved while Waylog was replacing it")

    # -- the campaign file --------------------------------------------------------------------------------------

    def bring_up(self) -> bool:
        """Update `campaign.toml` from the log, with `settling` held; see `Table.settle`."""
        # Read the file first, so that a version saved after this look is not the one that is replaced.
        file, known = self._file, self.known
        if known.mark.number <= file.mark.number:
            return True
        if self.trouble or self.read_only or self._asked:
            return False
        if self.versions.has_moved():
            self.unsaved = (
                f"{FILE} has become a link, so Waylog doesn't write it. The log has every action; open the campaign "
                "again"
            )
            self.mark_changed()
            return False
        try:
            since = [entry for entry in self.log.since(file.mark.number) if entry.number <= known.mark.number]
            new = self._apply_entries(file, known, since)
            beside = write_beside(self._path, new.document.data)
            with ExitStack() as lock:
                try:
                    lock.enter_context(lock_campaign(self.folder, self.patience))
                except (OSError, CampaignBusy):
                    beside.unlink(missing_ok=True)
                    raise
                now = self.versions.put(beside, file, new)
            if now is None:
                self._crashed = self._crashed or bool(self.versions.leftover_files())
                return False
        except (OSError, EditRefused, CampaignBusy) as error:
            self.unsaved = (
                f"Could not update {FILE}: {describe_os_error(error)}. Nothing is lost: the log has every action"
            )
            self.mark_changed()
            return False
        if not (self.versions.exchanges or self._told_of_exchanges):
            self._told_of_exchanges = True
            self._recovered.append(_NO_EXCHANGE)
        shows = self.unsaved is not None or now.problems != file.problems
        self._file, self.unsaved = now, None
        if shows:
            self.mark_changed()
        return True

    def _apply_entries(self, file: CampaignFile, known: KnownState, since: Sequence[LogEntry]) -> CampaignFile:
        """Apply the entries to the file one by one. Raises `EditRefused`.

        If that isn't possible, for example because a person renamed a thing that was played on, make all changes at
        once.
        """
        try:
            return with_state(self.game, file, known.state, known.mark, since)
        except EditRefused:
            return with_state(self.game, file, known.state, known.mark, ())

    def bring_back(self, earlier: CampaignFile, since: Sequence[LogEntry] = ()) -> None:
        """In a turn: put an earlier version in place, with its comments, and bring it up to the current state.

        `since` are the entries that the version lacks. If it can't be put in place, `bring_up` changes the current file
        instead.
        """
        with suppress(OSError, EditRefused):
            new = self._apply_entries(earlier, self.known, since)
            beside = write_beside(self._path, new.document.data)
            self._file = self.versions.put(beside, self._file, new) or self._file
            self.mark_changed()


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return the identity of a folder, whatever its name."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def describe_os_error(error: Exception) -> str:
    """Describe an error for the middle of a sentence."""
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower() if reason else str(error)
