"""Take in what a person has saved: each version is compared with its base, and its changes become entries.

`Store.turn` calls this with the lock held. `edit_base_merge_and_renames` finds the base of a version, divides its changes, and says what a
person is asked first. Functions import it themselves: most starts find no edit.

Many programs empty a file and write it again in pieces. Between the pieces it may be valid TOML that lacks its end, so a file that has
lost something counts only when it hasn't changed for a while (`Stillness`).

The last part updates the campaign file from the log: the new version takes the place of the one it was made from, and of no other.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from waylog.rules.campaign_tree import OVERRULED
from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.changes import format_path
from waylog.rules.common.rulings import tell_overruled
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import EntryKind
from waylog.store.file.campaign_file_tables_and_scene_cards import (
    CampaignFile,
    new_excesses,
    read_campaign_file,
    with_good_values,
    with_state,
)
from waylog.store.file.history import RESTORED_EDIT, FileHistory, checksum
from waylog.store.file.open_campaign import (
    EditBase,
    MarkedState,
    OpenCampaign,
    describe_os_error,
    state_at,
    state_from_history,
    with_true_mark,
)
from waylog.store.files_and_lock import (
    FILE,
    CampaignBusy,
    FileSignature,
    file_signature,
    lock_campaign,
    now_there,
    write_beside,
)
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.toml.document import Document, EditRefused, Problem, UnreadableFile, read_bytes
from waylog.values import NamedTuple, replace

if TYPE_CHECKING:
    from waylog.store.file.edit_base_merge_and_renames import EditSplit, FileQuestion


STILL = 1.6
"""Seconds without a change after which a file that has lost something counts as complete."""
STILL_WHILE_OPEN = 10.0
"""Seconds without a change after which such a file counts as complete although another program has it open for writing."""
_ENDING = 48
"""Bytes at the end of a file, which a save in pieces writes last."""


def looks_cut(before: bytes, now: bytes) -> bool:
    """Whether the file is shorter than before, or has another end."""
    return len(now) < len(before) or now[-_ENDING:] != before[-_ENDING:]


class Stillness:
    """Measures how long a file has not changed."""

    def __init__(self) -> None:
        self._found: FileSignature | None = None
        self._since = 0.0

    def seconds(self, found: FileSignature | None, path: Path) -> float:
        """Return the seconds since the last change of the file at `path`, read with that signature."""
        now = time.monotonic()
        if found is None or found != self._found:
            self._found, self._since = found, now
        by_clock = now_there(path.parent) - found.changed / 1e9 if found else 0.0
        # If the clock was set back, only this process's own observation counts.
        return max(now - self._since, by_clock)

    def enough(self, found: FileSignature | None, path: Path) -> bool:
        """Whether the file at `path`, read with that signature, has been unchanged for long enough to count as
        complete.
        """
        still = self.seconds(found, path)
        if still < STILL:
            return False
        if still >= STILL_WHILE_OPEN or found is None:
            return True
        # Its writer may just have written the rest and closed it.
        return not is_written(found) and file_signature(path) == found


def is_written(found: FileSignature) -> bool:
    """Whether some program has that file open for writing, as far as the system shows."""
    with suppress(OSError):
        return any(_writes(process, found) for process in Path("/proc").iterdir() if process.name.isdigit())
    return False


def _writes(process: Path, found: FileSignature) -> bool:
    with suppress(OSError):  # The process belongs to another account, or has ended.
        for handle in Path(process, "fd").iterdir():
            with suppress(OSError):
                status = handle.stat()
                if (status.st_dev, status.st_ino) == (found.device, found.inode):
                    flags = Path(process, "fdinfo", handle.name).read_text().partition("flags:")[2].split()[0]
                    if int(flags, 8) & os.O_ACCMODE != os.O_RDONLY:
                        return True
    return False


_LOOK = 0.05
"""Seconds between two looks, at start-up, at a file that is being written."""


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
                Problem(FILE, 1, 1, "another program keeps writing to this file: try again when it has finished")
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


_NO_EXCHANGE = f"On this file system, an edit that you save at the very moment Waylog replaces {FILE} could be lost"


class FileUpdate:
    """Writes the campaign file."""

    def __init__(self, campaign: OpenCampaign) -> None:
        self._campaign = campaign
        self._told_of_exchanges = False

    def bring_up(self, file: CampaignFile, known: MarkedState) -> bool:
        """Replace `file`, which is in place, by one that says the known state. Return False if that isn't possible now."""
        campaign = self._campaign
        if campaign.history.has_moved():
            campaign.unsaved = f"{FILE} is now a link, so Waylog won't write to it. Nothing is lost, as the log has every action. Open the campaign again"
            campaign.mark_changed()
            return False
        try:
            since = [entry for entry in campaign.log.since(file.mark.number) if entry.number <= known.mark.number]
            new = self._apply_entries(file, known, since)
            beside = write_beside(campaign.history.path, new.document.data)
            with ExitStack() as lock:
                try:
                    lock.enter_context(lock_campaign(campaign.folder, campaign.patience))
                except (OSError, CampaignBusy):
                    beside.unlink(missing_ok=True)
                    raise
                now = campaign.history.put(beside, file, new)
            if now is None:
                campaign.crashed = campaign.crashed or bool(campaign.history.leftover_files())
                return False
        except (OSError, EditRefused, CampaignBusy) as error:
            campaign.unsaved = (
                f"Could not update {FILE}: {describe_os_error(error)}. Nothing is lost: the log has every action"
            )
            campaign.mark_changed()
            return False
        if not (campaign.history.exchanges or self._told_of_exchanges):
            self._told_of_exchanges = True
            campaign.report(_NO_EXCHANGE)
        shows = campaign.unsaved is not None or now.problems != file.problems
        campaign.file, campaign.unsaved = now, None
        if shows:
            campaign.mark_changed()
        return True

    def _apply_entries(self, file: CampaignFile, known: MarkedState, since: Sequence[LogEntry]) -> CampaignFile:
        """Apply the entries to the file one by one. Raises `EditRefused`.

        If that isn't possible, for example because a person renamed a thing that was played on, make all changes at
        once.
        """
        try:
            return with_state(self._campaign.game, file, known.state, known.mark, since)
        except EditRefused:
            return with_state(self._campaign.game, file, known.state, known.mark, ())

    def bring_back(self, earlier: CampaignFile, since: Sequence[LogEntry] = ()) -> None:
        """In a turn: put an earlier version in place, with its comments, and bring it up to the current state.

        `since` are the entries that the version lacks. If it can't be put in place, `bring_up` changes the current file
        instead.
        """
        campaign = self._campaign
        with suppress(OSError, EditRefused):
            new = self._apply_entries(earlier, campaign.marked, since)
            beside = write_beside(campaign.history.path, new.document.data)
            campaign.file = campaign.history.put(beside, campaign.file, new) or campaign.file
            campaign.mark_changed()


_PLACES = 4
"""The most paths that are listed when they still use an old key."""


class _OpenQuestion(NamedTuple):
    """A question about the file, and the versions it is about."""

    question: FileQuestion
    theirs: CampaignFile
    base: EditBase
    before: CampaignFile
    """The version that was in place before."""
    excesses: Sequence[Fault] = ()
    """The numbers out of their rules' range that it is about."""


class HandEdits:
    """The versions that a person has saved, and the question that one of them may raise."""

    def __init__(
        self, campaign: OpenCampaign, update: FileUpdate, stillness: Stillness, believed: FileSignature | None
    ) -> None:
        """`stillness` is that of the file so far. `believed` is the version that a start has already waited for."""
        self._campaign, self._update = campaign, update
        self._stillness, self._late_stillness = stillness, Stillness()
        self._believed = believed
        self._asked: _OpenQuestion | None = None
        self._doubtful: FileSignature | None = None
        self.is_own = campaign.history.is_own_version(campaign.file.document.data)
        """Whether the file that was opened is the one that Waylog wrote last, as far as the history knows."""
        self.edited_while_closed = not self.is_own or campaign.file_is_behind()
        """The file was, or may have been, edited while no window was open, and has not been compared yet. Until then nobody may
        write the file: once it has the log's entries in it, an edit can't be told from play.
        """

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def question(self) -> FileQuestion | None:
        """The question about the file that must be answered before anything is played."""
        return self._asked and self._asked.question

    @property
    def problems(self) -> Sequence[Problem]:
        """The problems of the file in place: while there is a question, of the saved version, without the numbers that it is about."""
        asked = self._asked
        if asked is None:
            return self._campaign.file.problems
        about = {fault.message for fault in asked.excesses}
        return [problem for problem in asked.theirs.problems if problem.message not in about]

    @property
    def asks_about_copy(self) -> bool:
        """Whether the question is about an old copy of the file, and not about what is missing in it."""
        return self._asked is not None and self._asked.base.is_copy

    def has_news(self) -> bool:
        """Whether there is a version in place that was not taken in yet."""
        return self.edited_while_closed or not self._has_seen(file_signature(self._campaign.history.path))

    def _has_seen(self, found: FileSignature | None) -> bool:
        """Return whether the file needs no reading. `found` is its signature now, or None if there is no file.

        That is so for three versions: the one that was last read, the one that the open question is about, and the one
        that could not be read. If the signature proves nothing, the contents are compared. In doubt, return False.
        """
        campaign = self._campaign
        if self._asked and found == self._asked.theirs.signature:
            return True
        signature, doubtful = campaign.file.signature, self._doubtful
        if found is None or signature is None or found != signature:
            return bool(campaign.trouble) and found == doubtful and (doubtful is None or doubtful.sure)
        if signature.sure:
            return True
        try:
            same = read_bytes(campaign.history.path) == campaign.file.document.data
        except UnreadableFile:
            return False
        if same:
            campaign.file = replace(campaign.file, signature=found)
        return same

    def has_late(self) -> bool:
        """Whether an editor has written to a version after it was replaced."""
        return bool(self._campaign.history.late())

    # -- versions in place --------------------------------------------------------------------------------------

    def take_file(self) -> None:
        """Read the file, and take in its version if a person has saved a new one. The caller holds the lock.

        No value of the campaign changes while the version can't be read, may be incomplete or raises a question. If it
        can't be read, its problems are in the campaign's `trouble`. If there is no new version, values that were
        rejected and have become legal are taken in.
        """
        campaign = self._campaign
        seen = file_signature(campaign.history.path)
        if self._has_seen(seen):
            self._retry_rejected_edits()
            return
        try:
            data = read_bytes(campaign.history.path)
            if file_signature(campaign.history.path) != seen:
                self._doubtful = seen
                return
            if data == campaign.file.document.data:
                campaign.file, self._asked = replace(campaign.file, signature=seen), None
            elif (
                looks_cut(campaign.file.document.data, data) and not self._may_be_taken(data, seen)
            ) or not self._take(read_campaign_file(campaign.game, Document.parse(data, FILE), seen)):
                return
            else:
                self._asked = None
            campaign.trouble, self._doubtful = (), None
        except UnreadableFile as unreadable:
            self._asked = None
            campaign.trouble, self._doubtful = unreadable.problems, seen
        campaign.mark_changed()

    def _may_be_taken(self, data: bytes, seen: FileSignature | None) -> bool:
        """Whether a version that looks cut short is complete: Waylog wrote it, or nobody is writing it any more."""
        if self._campaign.history.is_regular(data) or seen == self._believed:
            return True
        return self._stillness.enough(seen, self._campaign.history.path)

    def compare_with_history(self) -> None:
        """Once: if the file may have been edited while no window was open, take the state from the log and an earlier version, or from
        the log alone.
        """
        campaign = self._campaign
        if not self.edited_while_closed:
            return
        game, log, history = campaign.game, campaign.log, campaign.history
        if not self.is_own and (last := state_from_history(game, log, history, campaign.file)):
            campaign.file = last.before
            campaign.marked = last.marked._replace(state=replace(last.marked.state, open=campaign.state.open))
            campaign.mark_changed()
        elif campaign.file_is_behind():
            self._compare_with_log()
        elif not campaign.read_only:
            campaign.history.record_merge(campaign.file, whole=True)
        # Last: from now on another thread may write the file, and it must start from this version of it.
        self.edited_while_closed = False

    def _compare_with_log(self) -> None:
        """Take in the edits of a file that no earlier version tells: values that are neither as before nor as after the entries that
        the file lacks. So it is after a merge by git; after a crash there are none.
        """
        campaign = self._campaign
        if file_signature(campaign.history.path) != campaign.file.signature:
            return  # Another program has saved it since; that version is looked at next.
        file, known = campaign.file, campaign.marked
        base = EditBase(state_at(campaign.game, campaign.log, known, file.mark), file.mark, by_mark_alone=True)
        if file.own is None:
            missing = {change.path for change in campaign.game.difference(known.state, file.state)}
            played = {change.path for change in campaign.game.difference(base.state, known.state)}
            if not played <= missing:  # A file without a mark that has some of what was played has had all of it.
                base = EditBase(known.state, known.mark)
        parted = self._split_edit(base, file)
        if parted.clean or parted.against or base.mark != file.mark:
            self._merge(file, parted)
            self._took_in(file, base)

    def _take(self, theirs: CampaignFile) -> bool:
        """Take in a version of the file. Return False if it has to wait, or a question must be answered first."""
        campaign = self._campaign
        if campaign.history.is_regular(theirs.document.data) and not self._is_from_before(theirs):
            campaign.file = with_good_values(campaign.game, with_true_mark(campaign.history, theirs), campaign.state)
            return True
        from waylog.store.file.edit_base_merge_and_renames import (
            MANY,
            about_copy,
            about_excesses,
            about_removal,
            base_of,
            play_entries_since,
        )

        base = base_of(
            campaign.game,
            campaign.log,
            campaign.history,
            campaign.marked,
            campaign.file,
            theirs,
        )
        as_saved, theirs = theirs, with_good_values(campaign.game, theirs, campaign.state)
        played = play_entries_since(campaign.log, base.mark.number)
        if not played:
            # Nothing was played, so every difference is an edit, and the file stays as it was saved.
            base = EditBase(campaign.state, campaign.marked.mark)
        parted = self._split_edit(base, theirs)
        if not (self._may_be_taken(theirs.document.data, theirs.signature) or not parted.removed_things):
            return False
        if played and self._is_old_copy(base, theirs, parted):
            return self._ask(about_copy(len({entry.root for entry in played})), theirs, base)
        if len(parted.removed_things) >= MANY:
            return self._ask(about_removal([self._name(path) for path in parted.removed_things]), theirs, base)
        if not campaign.read_only and (excesses := new_excesses(campaign.game, as_saved, campaign.state)):
            return self._ask(about_excesses(self._name(excesses[0].path[:-1]), excesses), as_saved, base, excesses)
        self._merge(theirs, parted)
        self._took_in(theirs, base)
        return True

    def _is_from_before(self, theirs: CampaignFile) -> bool:
        """Whether a version that the history calls the latest is older than the one that was in place: both were put back together."""
        seen = self._campaign.history.seen.of(checksum(theirs.document.data))
        return bool(seen and seen.entry and seen.entry.number < self._campaign.file.mark.number)

    def _split_edit(self, base: EditBase, theirs: CampaignFile) -> EditSplit:
        campaign = self._campaign
        since = campaign.log.since(base.mark.number) if base.by_mark_alone else ()
        from waylog.store.file.edit_base_merge_and_renames import split_edit

        return split_edit(campaign.game, campaign.state, base.state, theirs.state, since)

    def _is_old_copy(self, base: EditBase, theirs: CampaignFile, parted: EditSplit) -> bool:
        """Whether the file brings nothing new and lacks what was played since: somebody has restored an earlier
        version.
        """
        campaign = self._campaign
        if parted.clean or parted.against or not campaign.game.difference(campaign.state, theirs.state):
            return False
        oldest = campaign.history.seen.oldest()
        # A version too old for the list is known only by its contents. A newer one that is not in the list
        # was edited outside values, for example in a comment.
        return base.is_copy or not (oldest and oldest.mark and oldest.mark <= base.mark)

    def _retry_rejected_edits(self) -> None:
        """Take in values that were illegal and have become legal through other changes."""
        campaign = self._campaign
        if not campaign.file.kept_out or campaign.trouble or self._asked:
            return
        raw = read_campaign_file(campaign.game, campaign.file.document, campaign.file.signature)
        good = with_good_values(campaign.game, raw, campaign.state)
        if good.kept_out == campaign.file.kept_out:
            return
        mended = [path for path in campaign.file.kept_out if path not in good.kept_out]
        changes = [c for c in campaign.game.difference(campaign.state, good.state) if c.path in mended]
        from waylog.store.file.edit_base_merge_and_renames import EditSplit

        self._merge(good, EditSplit(changes, [], []))
        campaign.file = replace(
            campaign.file,
            state=campaign.game.apply_changes(campaign.file.state, changes),
            kept_out=good.kept_out,
        )
        campaign.mark_changed()

    # -- questions ----------------------------------------------------------------------------------------------

    def _ask(
        self, question: FileQuestion, theirs: CampaignFile, base: EditBase, excesses: Sequence[Fault] = ()
    ) -> bool:
        """Ask a person about a version of the file. Nothing changes until they answer."""
        campaign = self._campaign
        if self._asked is None and campaign.file.signature is not None and not campaign.read_only:
            campaign.history.keep_copy(campaign.file)
        before = self._asked.before if self._asked else campaign.file
        self._asked = _OpenQuestion(question, theirs, base, before, excesses)
        campaign.trouble, self._doubtful = (), None
        campaign.mark_changed()
        return False

    def answer(self, *, keep: bool) -> LogEntry | None:
        """In a turn: apply a person's answer about the file. Return the entry that this made, if any.

        Raises `ActRefused` if the question no longer exists.
        """
        campaign = self._campaign
        if self._asked is None or self._asked.theirs.signature != file_signature(campaign.history.path):
            raise ActRefused("there is no question about the file")
        asked, self._asked = self._asked, None
        last = campaign.log.mark.number
        parted = self._split_edit(asked.base, asked.theirs)
        if asked.excesses:
            self._answer_excesses(asked, keep=keep)
        elif asked.base.is_copy or not (parted.clean or parted.against):
            self._answer_copy(asked, keep=keep)
        elif keep:
            self._merge(asked.theirs, parted)
            self._took_in(asked.theirs, asked.base)
        else:
            self._put_back(asked, parted)
        campaign.mark_changed()
        return campaign.log.last if campaign.log.mark.number > last else None

    def set_question_aside(self) -> None:
        """In a turn: drop the question about the file, because an act replaces the file."""
        if self._asked:
            self._campaign.file = replace(self._asked.theirs, mark=self._campaign.marked.mark)
            self._asked = None

    def _answer_copy(self, asked: _OpenQuestion, *, keep: bool) -> None:
        campaign = self._campaign
        theirs, entry = asked.theirs, asked.base.mark.number
        if keep:
            changes = campaign.changes_to(theirs.state, theirs.document)
            facts = (NoteFact(f"Restored campaign.toml by hand to how it was at entry {entry}", secret=True),)
            number, words, kind = campaign.next_number, f"restore entry {entry}", EntryKind.RESTORE
            restored = LogEntry(number, campaign.now(), words, facts, changes, root=number, kind=kind)
            campaign.write(restored, replace(theirs.state, open=None))
            self._took_in(theirs, EditBase(campaign.state, campaign.marked.mark))
        else:
            self._took_in(theirs, asked.base)

    def _answer_excesses(self, asked: _OpenQuestion, *, keep: bool) -> None:
        """Overrule the ranges of those numbers, or put the earlier numbers back; take in everything else either way."""
        campaign, paths = self._campaign, [fault.path for fault in asked.excesses]
        theirs = with_good_values(campaign.game, asked.theirs, campaign.state, paths if keep else ())
        parted = self._split_edit(asked.base, theirs)
        if keep:
            self._merge(theirs, parted, asked.excesses)
            self._took_in(theirs, asked.base)
            return
        parted.clean[:] = [change for change in parted.clean if not _is_in_any(change.path, paths)]
        parted.against[:] = [change for change in parted.against if not _is_in_any(change.path, paths)]
        self._merge(theirs, parted)
        campaign.file = replace(asked.theirs, mark=campaign.marked.mark)
        # The saved content is no state of the campaign: neither if it is saved once more, nor in the history.
        campaign.history.record_merge(campaign.file, whole=False)
        self._update.bring_back(campaign.file)
        campaign.history.record_merge(campaign.file, whole=True)

    def _put_back(self, asked: _OpenQuestion, parted: EditSplit) -> None:
        """Restore the file with all the person's changes except their removals."""
        campaign = self._campaign
        campaign.file = replace(asked.theirs, mark=campaign.marked.mark)
        self._update.bring_back(asked.before, campaign.log.since(asked.before.mark.number))
        from waylog.store.file.edit_base_merge_and_renames import EditSplit

        kept = EditSplit(
            [change for change in parted.clean if change.path not in parted.removed_things],
            [change for change in parted.against if change.path not in parted.removed_things],
            parted.renamed,
        )
        self._merge(asked.theirs, kept)

    # -- the merge ----------------------------------------------------------------------------------------------

    def _merge(self, theirs: CampaignFile, parted: EditSplit, excesses: Sequence[Fault] = ()) -> None:
        """Log a person's changes. A value that play has changed too gets the file's value in an entry of its own: an
        edit conflict. The ranges of `excesses` are overruled.
        """
        from waylog.store.file.edit_base_merge_and_renames import told_by_hand

        campaign = self._campaign
        notes = [self._rename_notes(old, new, theirs) for old, new in parted.renamed]
        marks = {format_path(fault.path): fault.excess.amount for fault in excesses if fault.excess}
        against = ((EntryKind.AGAINST_PLAY, [change]) for change in parted.against)
        for kind, group in ((EntryKind.BY_HAND, parted.clean), *against):
            state = campaign.game.apply_changes(campaign.state, group)
            state = replace(state, overruled={**state.overruled, **marks}) if marks else state
            changes = campaign.changes_to(state, theirs.document)
            if campaign.read_only:
                campaign.marked = campaign.marked._replace(state=state)
            elif changes:
                clean = kind is EntryKind.BY_HAND
                told_of = {path for pair in parted.renamed for path in pair} if clean else set()
                facts = [NoteFact(line, secret=True) for line in notes] if clean else []
                facts += [tell_overruled(fault) for fault in excesses] if clean else []
                told_of |= {change.path for change in changes if change.path[0] == OVERRULED}
                facts += [
                    told_by_hand(campaign.game, campaign.state, change)
                    for change in changes
                    if change.path not in told_of
                ]
                number, now, words = campaign.next_number, campaign.now(), kind.value
                scene = campaign.scene_from(number)
                campaign.write(
                    LogEntry(number, now, words, tuple(facts), changes, root=number, scene=scene, kind=kind), state
                )
        if not campaign.read_only:
            for note in notes:
                campaign.report(note)

    def _name(self, path: ValuePath) -> str:
        return self._campaign.game.name_value(self._campaign.state, path)

    def _rename_notes(self, old: ValuePath, new: ValuePath, theirs: CampaignFile) -> str:
        """Return notes on a thing with a new key, and on values that still use the old one."""
        from waylog.store.file.edit_base_merge_and_renames import find_references

        named = [
            place
            for place in find_references(self._campaign.game.write(theirs.state), old)
            if not place.startswith(format_path(new))
        ]
        more = f", but the old key is still used in {', '.join(named[:_PLACES])}" if named else ""
        return f"{format_path(old)} renamed to {format_path(new)}{more}"

    def _took_in(self, theirs: CampaignFile, base: EditBase) -> None:
        """Record a version as taken in. This comes after logging, so that an edit that couldn't be logged is found
        again and not overwritten.
        """
        campaign = self._campaign
        whole = not campaign.game.difference(campaign.state, theirs.state)
        campaign.file = replace(theirs, mark=campaign.marked.mark if whole else base.mark)
        campaign.mark_changed()
        if not campaign.read_only:
            campaign.history.record_merge(campaign.file, whole=whole or base.is_copy)

    # -- versions beside the file, or in the history ------------------------------------------------------------

    def take_saves(self, saves: Sequence[Path]) -> None:
        """Take in a person's saves that a crash has left beside the file, by their changes; and keep them."""
        campaign = self._campaign
        for path in saves:
            outcome_text = "was read"
            try:
                theirs = read_campaign_file(campaign.game, Document.parse(read_bytes(path), path.name), None)
                theirs = with_good_values(campaign.game, theirs, campaign.state)
                base = EditBase(
                    state_at(campaign.game, campaign.log, campaign.marked, theirs.mark),
                    theirs.mark,
                    by_mark_alone=True,
                )
                self._merge(theirs, self._split_edit(base, theirs))
            except UnreadableFile:
                outcome_text = "can't be read"
            with suppress(OSError):
                kept = campaign.history.archive_save(path)
                campaign.report(
                    f"{FILE} was saved while Waylog was replacing it. That version {outcome_text}. It is kept as {kept}"
                )
        if not campaign.read_only:
            campaign.crashed = False

    def take_late(self) -> None:
        """Put such a version in place once it is complete: it is the person's last save. It is then taken in like any
        save.
        """
        campaign = self._campaign
        for path in campaign.history.late():
            if not self._late_stillness.enough(file_signature(path), path):
                continue
            try:
                read_campaign_file(campaign.game, Document.parse(read_bytes(path), path.name), None)
            except UnreadableFile:
                with suppress(OSError):
                    kept = campaign.history.archive_save(path)
                    campaign.report(f"A save of {FILE} was never finished. The part that was written is kept as {kept}")
                continue
            campaign.history.bring_back_late(path)
            campaign.crashed = campaign.crashed or bool(campaign.history.leftover_files())
            campaign.report(RESTORED_EDIT.format(FILE))


def _is_in_any(path: ValuePath, places: Sequence[ValuePath]) -> bool:
    return any(path[: len(place)] == place for place in places)
