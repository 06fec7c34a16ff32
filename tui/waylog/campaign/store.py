"""What one campaign keeps on disk, and what it comes to: the log first, which is the truth, and the file brought up behind it.

Whoever acts takes the lock for a turn, and in it everything that editors, other windows and a crash have left is taken in. A
person's edit of the file is merged key by key and becomes an entry of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from waylog.campaign import tables
from waylog.campaign.conflicts import sides, told_by_hand
from waylog.campaign.document import ABSENT, Document, EditRefused, Problem, Unreadable, lookup, read_bytes
from waylog.campaign.entries import Entry, Mark
from waylog.campaign.folder import FILE, Busy, Signature, locked, signature, written_beside
from waylog.campaign.log import AT_A_START, AT_AN_ACT, Log, SetAside, ahead
from waylog.campaign.on_file import OnFile, brought_up, checked, followed, on_file, spelled_in, system_of
from waylog.campaign.spelling import Unspeakable
from waylog.campaign.taking_back import AGAINST, BY_HAND
from waylog.campaign.versions import Versions
from waylog.rules.changes import Change
from waylog.rules.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.moves import Refused
from waylog.rules.sessions import under_way
from waylog.rules.state import Open, State

_ACT = "act"
"""The key of an open scene that says which entry began its act."""


_NO_EXCHANGE = (
    "This file system can't let two files change places in one step: what is saved by hand in the very moment in which "
    f"{FILE} is replaced would be lost"
)


class NotSaved(Exception):
    """The act could not be made durable, so it has not happened; it is held, to be written when that can be."""


class Known(NamedTuple):
    """What is known, and how far the log had come then. Set in one piece: `settle` may look at any moment."""

    state: State
    mark: Mark


class Store:
    """One campaign on disk, open."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime], read_only: bool) -> None:
        """Open the campaign in `folder`. Raises `Unreadable` with every problem, or `OSError`."""
        self.folder = folder
        self.read_only = read_only
        self.version = 0
        """Another number whenever a screen may have something else to show."""
        self.settling = threading.Lock()
        """Held while the file is brought up to the log."""
        self.trouble: tuple[Problem, ...] = ()
        """Why the file can't be read now; then what it said last holds."""
        self.unsaved: str | None = None
        """Why the file stays behind."""
        self.patience: float | None = None
        """Seconds that an act waits for another program to let go of the campaign; None for longer than any act takes."""
        self.versions = Versions(folder)
        self._now = now
        self._path = self.versions.path
        seen = signature(self._path)
        document = Document.parse(read_bytes(self._path), FILE)
        self._tables = tables.read(folder)
        self.game = Game(system_of(document), self._tables.tables)
        self._file = on_file(self.game, document, seen)
        self._doubtful: Signature | None = None
        self._edited_while_closed = not self.versions.known(document.data)
        self._begun = self._told_of_exchanges = False
        self._crashed = bool(self.versions.left())
        self.log = Log(folder / "log")
        self.log.follow()
        self.log.verify(AT_A_START)
        if self.log.last is None and not (self.log.files() or self.versions.earlier()):
            self.log.begins_behind = self._file.mark.number
        self._damage_seen = self.damage
        self.known = Known(self._file.state, self._file.mark)
        self._take_entries()
        self._recovered: list[str] = []
        if self.log.last:
            self.known = self.known._replace(state=replace(self.state, open=self.opened(self.log.last.scene)))
            if self.unsettled() and not (read_only or self._edited_while_closed):
                so_far = f"{self.log.last.number} “{self.log.last.words}”"
                self._recovered.append(f"Up to {so_far} all is in the log; the campaign file is brought up to it")

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """What is known."""
        return self.known.state

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong in what a person has written."""
        own = (*self._file.problems, *self._tables.all_problems(self.game, self.state))
        return (*(self.trouble or own), *self.damage)

    @property
    def damage(self) -> tuple[Problem, ...]:
        """What is missing or damaged in the log, as far as it has been verified; first what is missing at its end."""
        last = max(self.log.highest, self.log.begins_behind)
        return (*ahead(self._file.document, last), *self.log.problems())

    def changed(self) -> None:
        """What a screen shows may be different from now on. `settle` says so from a thread of its own."""
        self.version += 1

    def unsettled(self) -> bool:
        """The log is ahead of the campaign file."""
        return self.log.mark.number > self._file.mark.number

    def stale(self) -> bool:
        """Something lies there that the next turn will take in."""
        waiting = self._edited_while_closed or (self._crashed and not self.read_only)
        return waiting or not self.log.stands() or not self._has_seen(signature(self._path))

    def _has_seen(self, found: Signature | None) -> bool:
        """The file is for certain the one that was read last, or that could not be read."""
        held, doubtful = self._file.signature, self._doubtful
        if found is None or held is None or found != held:
            return bool(self.trouble) and found == doubtful and (doubtful is None or doubtful.sure)
        if held.sure:
            return True
        try:
            same = read_bytes(self._path) == self._file.document.data
        except Unreadable:
            return False
        if same:
            self._file = replace(self._file, signature=found)
        return same

    def recovered(self) -> str | None:
        """What was left unfinished by whoever played last, and what became of it, in one line; None if nothing was.

        A torn end of the log and left-over files are dealt with in the first turn. Each thing is told once.
        """
        told, self._recovered = self._recovered, []
        return ". ".join(told) or None

    # -- a turn -------------------------------------------------------------------------------------------------

    @contextmanager
    def turn(self, patience: float | None = None) -> Iterator[None]:
        """The lock, with everything taken in that others have written. Raises `Busy` or `NotSaved`.

        `patience` says how many seconds the lock is waited for, if not as many as for an act.
        """
        saves = list[Path]()
        with ExitStack() as held:
            try:
                if not self.read_only:
                    held.enter_context(locked(self.folder, self.patience if patience is None else patience))
                self.log.follow()
                self.log.verify(AT_AN_ACT)
                if not self.read_only:
                    saves = self._begin()
            except OSError as error:
                raise NotSaved(f"{self.folder} can't be written: {worded(error)}; nothing was done") from error
            self._take_entries()
            self._take_edits_made_while_closed()
            self._take_file()
            self._take_saves(saves)
            self._look_at_damage()
            yield

    def _begin(self) -> list[Path]:
        """Note, once, how the file was before play, and clear up what a crash has left of the log and beside the file.

        Gives what a person has saved and lies there still.
        """
        if aside := self.log.mend():
            self._recovered.append(self._told_of(aside))
        if not self._begun:
            self.versions.begun(self._file)
            self._begun = True
        if not self._crashed and signature(self._path) != self._file.signature:
            self._crashed = bool(self.versions.left())  # by another process, a moment ago
        if not self._crashed:
            return []
        saves, told = self.versions.clear_up()
        self._recovered += [told] if told else []
        return saves

    def _told_of(self, aside: SetAside) -> str:
        """What became of the end of the log that is no whole entry."""
        first, *others = aside.numbers or [self.log.highest + 1]
        if first > max(self._file.mark.number, self.log.highest) and not others:
            return f"An act that was cut short was not done; it is set aside as log/{aside.path.name}"
        return f"The end of the log is damaged; what can't be read of it is set aside as log/{aside.path.name}"

    def verify_more(self, most: int) -> None:
        """Verify so many bytes more of the log, if there are any that have not been."""
        if self.log.verify(most):
            self._look_at_damage()

    def _look_at_damage(self) -> None:
        """Show what is damaged as soon as it is known."""
        if (damage := self.damage) != self._damage_seen:
            self._damage_seen = damage
            self.changed()

    def take_tables(self) -> None:
        """Take in what a person has saved in the folder of random tables."""
        if tables.seen(self.folder) == self._tables.seen:
            return
        if not self.settling.acquire(blocking=False):  # the next look will do: no screen waits for a file to be written
            return
        try:
            self._tables = tables.read(self.folder)
            self.game = Game(self.game.system, self._tables.tables)
            # What a card or a clock rolls on may be there now, or not any more.
            self._file = checked(self.game, self._file)
        finally:
            self.settling.release()
        self.changed()

    # -- the log ------------------------------------------------------------------------------------------------

    @property
    def next_number(self) -> int:
        """Of the next entry."""
        return max(self.log.highest, self._file.mark.number) + 1

    def write(self, entry: Entry, state: State) -> Entry:
        """Append the entry; only then is `state` what is known. Raises `NotSaved`, or `Refused` for half characters."""
        session = under_way(state.sessions) or under_way(self.state.sessions)
        entry = replace(entry, session=session)
        try:
            self.log.append(entry)
        except Unspeakable as error:
            raise Refused(str(error)) from None
        except OSError as error:
            raise NotSaved(f"the log can't be written: {worded(error)}; nothing was done") from error
        self._knows(state, entry)
        if self._damage_seen:  # what is missing at the end of the log is a gap in it from now on
            self.verify_more(AT_AN_ACT)
        return entry

    def _knows(self, state: State, entry: Entry) -> None:
        self.known = Known(state, Mark(entry.number, self.log.file))
        self.changed()

    def _take_entries(self) -> None:
        """Bring the state up to what others have appended to the log."""
        for entry in self.log.since(self.known.mark.number):
            state = self.state
            with suppress(ValueError):
                state = replace(self.game.changed(state, entry.changes), open=self.opened(entry.scene))
            self._knows(state, entry)

    # -- what is open -------------------------------------------------------------------------------------------

    def scene(self, state: State, act: int) -> dict[str, Any]:
        """What is open in `state`, as an entry carries it: it belongs to the act that began with that entry."""
        opened = self.game.write_open(state)
        return {_ACT: act, **opened} if opened else {}

    def opened(self, scene: Mapping[str, Any]) -> Open | None:
        """What a scene of the log says is open. One of an edition that knew other scenes is let go: its facts are logged."""
        try:
            return self.game.read_open({key: value for key, value in scene.items() if key != _ACT})
        except ValueError:
            return None

    @property
    def scene_now(self) -> dict[str, Any]:
        """What is open now."""
        return self.log.last.scene if self.log.last else {}

    def scene_from(self, number: int) -> dict[str, Any]:
        """What is open now. Its follow-ups belong to that entry, which comes between them and their roll."""
        return {**self.scene_now, _ACT: number} if self.scene_now else {}

    def scene_after(self, number: int) -> dict[str, Any]:
        """What was open after an entry."""
        try:
            return self.log.entry(number).scene
        except KeyError:
            return {}

    def act_under_way(self, number: int) -> int:
        """The entry that began what is open; if nothing is, the one given."""
        return int(self.scene_now.get(_ACT, number)) if self.state.open else number

    # -- spelling -----------------------------------------------------------------------------------------------

    def spelled(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """The changes with how the old values are written in the file, where that is not the plain way."""
        since = self.log.since(self._file.mark.number)
        unsettled = {change.path: change for entry in since for change in entry.changes}
        return tuple(replace(change, was=self._was(change.path, change.before, unsettled)) for change in changes)

    def _was(self, path: ValuePath, value: Any, unsettled: Mapping[ValuePath, Change]) -> str | None:
        """How a value is written, or will be once the file has come up to the log."""
        if path in unsettled:
            return unsettled[path].now
        for count in range(len(path) - 1, 0, -1):
            if path[:count] in unsettled:
                added = unsettled[path[:count]].after or {}
                return None if lookup(added, path[count:]) is not ABSENT else ""
        return spelled_in(self._file.document, path, value)

    def changes_to(self, state: State, document: Document) -> tuple[Change, ...]:
        """What is different in `state`, written as it stands in `document`."""
        return tuple(
            replace(change, now=spelled_in(document, change.path, change.after))
            for change in self.spelled(self.game.difference(self.state, state))
        )

    # -- what a person has written ------------------------------------------------------------------------------

    def _take_file(self) -> None:
        """Take in what a person has saved, with the lock held. A file that can't be read leaves everything as it was."""
        seen = signature(self._path)
        if self._has_seen(seen):
            return
        try:
            data = read_bytes(self._path)
            if signature(self._path) != seen or (self._unfinished(data) and seen != self._doubtful):
                self._doubtful = seen
                return
            if data == self._file.document.data:
                self._file = replace(self._file, signature=seen)
            else:
                theirs = on_file(self.game, Document.parse(data, FILE), seen)
                self._merge(theirs, self._state_at(theirs.mark))
                self._took_in(theirs)
            self.trouble, self._doubtful = (), None
        except Unreadable as unreadable:
            self.trouble, self._doubtful = unreadable.problems, seen
        self.changed()

    def _unfinished(self, data: bytes) -> bool:
        """An editor may be in the middle of writing: the file is empty, or the beginning of what it was."""
        return len(data) < len(self._file.document.data) and self._file.document.data.startswith(data)

    def _take_edits_made_while_closed(self) -> None:
        """Log what a person changed when no table was open: what differs from the newest version before it and the log."""
        if not self._edited_while_closed:
            return
        self._edited_while_closed = False
        for path in reversed(self.versions.earlier()):
            with suppress(Unreadable):
                before = on_file(self.game, Document.parse(read_bytes(path), path.name), None)
                if before.mark.number <= self._file.mark.number:
                    base = self._state_after(before.state, before.mark.number, self._file.mark.number)
                    unedited = self._state_after(base, self._file.mark.number, self.known.mark.number)
                    self.known = self.known._replace(state=replace(unedited, open=self.state.open))
                    theirs, self._file = self._file, before
                    self._merge(theirs, base)
                    self._took_in(theirs)
                    return

    def _merge(self, theirs: OnFile, base: State) -> None:
        """Three ways by key: what a person changed since `base` is theirs, what was played since is kept.

        Where both have changed a value the file's stands, and that is an entry of its own: a conflict to settle.
        """
        clean, against = sides(self.game, self.state, base, theirs.state, self.log.since(theirs.mark.number))
        for words, group in ((BY_HAND, clean), *((AGAINST, [change]) for change in against)):
            state = self.game.changed(self.state, group)
            changes = self.changes_to(state, theirs.document)
            if self.read_only:
                self.known = self.known._replace(state=state)
            elif changes:
                facts = tuple(told_by_hand(change) for change in changes)
                number = max(self.next_number, theirs.mark.number + 1)
                entry = Entry(number, self._now(), words, facts, changes, root=number, scene=self.scene_from(number))
                self.write(entry, state)

    def _took_in(self, theirs: OnFile) -> None:
        """Only once it is in the log: an edit that could not be logged is met again, and not written over meanwhile."""
        self._file = theirs
        self.changed()
        if not self.read_only:
            self.versions.taken_in(theirs.document.data)

    def _take_saves(self, saves: Sequence[Path]) -> None:
        """Take in what a person has saved and a crash has left beside the file, by what it changes; and keep it."""
        for path in saves:
            said = "is taken in"
            try:
                theirs = on_file(self.game, Document.parse(read_bytes(path), path.name), None)
                self._merge(theirs, self._gone_back(self.state, theirs.mark.number, self.known.mark.number))
            except Unreadable:
                said = "can't be read"
            with suppress(OSError):
                kept = self.versions.keep_saved(path)
                self._recovered.append(
                    f"A version of {FILE} that was saved while it was being replaced {said}; it is kept as {kept}"
                )
        if not self.read_only:
            self._crashed = False

    def _state_at(self, mark: Mark) -> State:
        """What the table knew when the log had come to `mark`: the true base of a file that carries it."""
        state, own = self._file.state, self._file.mark.number
        if mark.number >= own:
            return self._state_after(state, own, mark.number)
        return self._gone_back(state, mark.number, own)

    def _gone_back(self, state: State, number: int, last: int) -> State:
        """`state` without the changes of the entries after `number`, up to `last`."""
        for entry in reversed(self.log.since(number)):
            if entry.number <= last:
                back = replace(entry, changes=tuple(change.reversed() for change in reversed(entry.changes)))
                state = followed(self.game, state, back) or state
        return state

    def _state_after(self, state: State, number: int, last: int) -> State:
        """`state` with the changes of the entries after `number`, up to `last`."""
        for entry in self.log.since(number):
            if entry.number <= last:
                state = followed(self.game, state, entry) or state
        return state

    # -- the campaign file --------------------------------------------------------------------------------------

    def bring_up(self) -> bool:
        """Bring `campaign.toml` up to the log, with `settling` held; see `Table.settle`."""
        # The file first: one that a person saves after this look is not the one that is replaced.
        held, known = self._file, self.known
        if known.mark.number <= held.mark.number:
            return True
        if self.trouble or self.read_only:
            return False
        try:
            since = [entry for entry in self.log.since(held.mark.number) if entry.number <= known.mark.number]
            new = brought_up(self.game, held, known.state, known.mark, since)
            beside = written_beside(self._path, new.document.data)
            with ExitStack() as lock:
                try:
                    lock.enter_context(locked(self.folder, self.patience))
                except (OSError, Busy):
                    beside.unlink(missing_ok=True)
                    raise
                now = self.versions.put(beside, held, new)
        except (OSError, EditRefused, Busy) as error:
            self.unsaved = f"{FILE} could not be brought up to date: {worded(error)}. The log has everything"
            self.changed()
            return False
        if now is None:
            self._crashed = self._crashed or bool(self.versions.left())
            return False
        if not (self.versions.exchanges or self._told_of_exchanges):
            self._told_of_exchanges = True
            self._recovered.append(_NO_EXCHANGE)
        shows = self.unsaved is not None or now.problems != held.problems
        self._file, self.unsaved = now, None
        if shows:
            self.changed()
        return True

    def bring_back(self, earlier: OnFile) -> None:
        """In a turn: put an earlier version in the place of the file, comments and all. Its values are in the log already.

        When that can't be, `bring_up` brings them into the file as it is.
        """
        with suppress(OSError, EditRefused):
            new = brought_up(self.game, earlier, earlier.state, self.known.mark, ())
            beside = written_beside(self._path, new.document.data)
            self._file = self.versions.put(beside, self._file, new) or self._file
            self.changed()


def worded(error: Exception) -> str:
    """What went wrong, as the middle of a sentence."""
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower() if reason else str(error)
