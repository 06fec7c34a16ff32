"""The table: the one place where anything changes. Play, undo, hand edits and other windows all come through here.

The log is written first and is the truth; `campaign.toml` is brought up to it behind (`settle`), by the difference
between what the file says and what the table knows. A person's edit of the file is taken in as an act of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from waylog.campaign import tables
from waylog.campaign.conflicts import KEEP, Conflict, sides, unsettled
from waylog.campaign.document import ABSENT, Document, EditRefused, Problem, Unreadable, lookup, read_bytes, render
from waylog.campaign.folder import FILE, Busy, Signature, locked, signature, written_beside
from waylog.campaign.log import Entry, Log, Mark
from waylog.campaign.on_file import OnFile, brought_up, checked, followed, on_file, system_of
from waylog.campaign.spelling import Unspeakable
from waylog.campaign.taking_back import (
    AGAINST,
    BY_HAND,
    REDO,
    REWIND,
    UNDO,
    Takeable,
    TurnedBack,
    act_of,
    holding,
    resting_on,
    scene_so_far,
    takeable,
    turned_back,
)
from waylog.campaign.versions import Versions
from waylog.rules.changes import Change, dotted
from waylog.rules.changes import Path as ValuePath
from waylog.rules.dice import Dice
from waylog.rules.game import Game
from waylog.rules.moves import Move, Refused, completed
from waylog.rules.odds import Odds
from waylog.rules.sessions import under_way
from waylog.rules.state import Open, Played, State
from waylog.rules.turns import Note
from waylog.rules.words import Act, Completion, completions, understood
from waylog.snapshot import Resting, Snapshot

if TYPE_CHECKING:
    from waylog.campaign.converting import Conversion
    from waylog.campaign.recap import Recap
    from waylog.projection import Projection

_ACT = "act"
"""The key of an open scene that says which entry began its act."""


class NotSaved(Exception):
    """The act could not be made durable, so it has not happened; it is held, to be written when that can be."""


class _Known(NamedTuple):
    """What the table knows, and how far the log had come then. Set in one piece: `settle` may look at any moment."""

    state: State
    mark: Mark


class Table:
    """One campaign, open. Several may be open at once, in any number of programs: acts take turns."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime], chance: Dice, read_only: bool = False) -> None:
        """Open the campaign in `folder`. Raises `Unreadable` with every problem, or `OSError`."""
        self.folder = folder
        self.read_only = read_only
        self._now, self._chance = now, chance
        self._versions = Versions(folder)
        self._path = self._versions.path
        self._settling = threading.Lock()
        self._version = 0
        self._shown: tuple[int, Snapshot] | None = None
        seen = signature(self._path)
        document = Document.parse(read_bytes(self._path), FILE)
        self._tables = tables.read(folder)
        self.game = Game(system_of(document), self._tables.tables)
        self._file = on_file(self.game, document, seen)
        self._trouble: tuple[Problem, ...] = ()
        self._unsaved: str | None = None
        self._held: tuple[Entry, State] | None = None
        self._doubtful: Signature | None = None
        self._edited_while_closed = not self._versions.known(document.data)
        self._begun = False
        self._crashed = bool(self._versions.left())
        self._log = Log(folder / "log")
        self._log.follow()
        self._known = _Known(self._file.state, self._file.mark)
        self._told: _Known | None = None
        self._take_entries()
        self._recovered: list[str] = []
        if self._log.last:
            self._known = self._known._replace(state=replace(self._state, open=self._opened(self._log.last.scene)))
            if self.unsettled() and not (read_only or self._edited_while_closed):
                so_far = f"{self._log.last.number} “{self._log.last.words}”"
                self._recovered.append(f"Up to {so_far} all is in the log; the campaign file is brought up to it")

    @property
    def _state(self) -> State:
        return self._known.state

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """Everything a screen shows. The same object until something changes."""
        version = self._version
        if self._shown is None or self._shown[0] != version:
            self._shown = version, self._looked()
        return self._shown[1]

    def _changed(self) -> None:
        """What a screen shows may be different from now on. `settle` says so from a thread of its own."""
        self._version += 1

    def _looked(self) -> Snapshot:
        try:
            take, conflicts = takeable(self._log), unsettled(self._log)
            act = act_of(self._log, self._log.last) if self._log.last else ()
        except OSError:
            # What is known now stands, whatever the disk won't tell of earlier acts; the next look asks it again.
            take, conflicts, act = Takeable(), (), (self._log.last,) if self._log.last else ()
            self._changed()
        return Snapshot(
            name=self._state.name,
            system=self.game.system.id,
            system_name=self.game.system.name,
            question=self.game.question(self._state),
            moves=self.game.moves(self._state),
            panels=self.game.panels(self._state),
            board=self.game.board(self._state),
            clocks=self._state.clocks,
            decks=self._state.decks,
            tables=self.game.tables,
            session=under_way(self._state.sessions),
            sessions=self._state.sessions,
            act=act,
            undo=take.undo,
            redo=take.redo,
            entries=self._log.last.number if self._log.last else 0,
            problems=self._trouble or (*self._file.problems, *self._tables.all_problems(self.game, self._state)),
            broken=bool(self._trouble),
            unsaved=self._unsaved,
            held=self._held[0] if self._held else None,
            conflicts=conflicts,
            read_only=self.read_only,
        )

    def entry(self, number: int) -> Entry:
        """One entry of the log, 1…`snapshot.entries`. Raises `KeyError`."""
        return self._log.entry(number)

    def understand(self, text: str, verb: str = "") -> Act:
        """The one act that `text` means now. With `verb`, that word may be left out. Raises `words.Unclear`."""
        return understood(self.snapshot.moves, text, verb)

    def complete(self, text: str, verb: str = "") -> tuple[Completion, ...]:
        """Words that could stand where `text` ends."""
        return completions(self.snapshot.moves, text, verb)

    def odds(self, act: Act) -> Odds | None:
        """The exact chances of a roll; None for what is no roll. Raises `Refused` when it is not legal."""
        return self.game.odds(self._state, act.move, completed(act.move, act.answers))

    def why(self, path: ValuePath) -> list[Entry]:
        """The entries that made a value what it is, newest first."""
        touching = set(self._log.touching(path))
        if not touching:
            return []
        held = holding(self._log, min(touching))
        return [entry for entry in held if entry.number in touching and not entry.undoes]

    def resting(self, number: int) -> Resting:
        """The act that an entry belongs to, and what later rests on it.

        Raises `Refused` when it does not hold any more or can't be read, `KeyError` for a number that no entry has yet.
        """
        try:
            entry = self._log.entry(number)
        except KeyError:
            if not 0 < number <= self.snapshot.entries:
                raise
            raise Refused(f"{number} can't be read in the log, so it can't be taken back") from None
        if number not in {held.number for held in holding(self._log, down_to=number)}:
            raise Refused(f"{number} “{entry.words}” has been taken back already")
        act = act_of(self._log, entry)
        return Resting(act, resting_on(self._log, act))

    def scene_so_far(self) -> tuple[Entry, ...]:
        """What `rewind` would take back, oldest first (NM-43)."""
        return scene_so_far(self._log)

    # What few acts need is imported when they do: a start doesn't wait for it.

    def recap(self, session: int | None = None, *, secrets: bool = False) -> Recap:
        """What came of a session, by default the latest, or where there has been none of what was played (NM-41).

        0 is what was played between sessions. With `secrets` it is the wayfinder's own. Raises `Refused` for a session that
        there has not been.
        """
        held = [int(key) for key in self._state.sessions if key.isdecimal()]
        wanted = max(held, default=0) if session is None else session
        own: list[Entry] = []
        for entry in holding(self._log):
            if entry.session == wanted:
                own.append(entry)
            elif own and wanted and entry.session:  # an earlier one
                break
        if not own and wanted and wanted not in held:
            there = f"they go from {min(held)} to {max(held)}" if held else "there has been none yet"
            raise Refused(f"there has been no session {wanted}; {there}", "NM-40")
        from waylog.campaign.recap import recap

        return recap(reversed(own), self._state, wanted, secrets=secrets)

    def write_recap(self) -> Path:
        """The latest session, told to the players, as a file in the campaign's folder. Raises `Refused` or `OSError`."""
        if self.read_only:
            raise Refused("this window only looks on; `waylog recap` prints it")
        from waylog.campaign.recap import written

        return written(self.recap(), self.folder)

    # -- acting -------------------------------------------------------------------------------------------------

    def play(self, act: Act) -> Entry:
        """Do one act and make it durable. Raises `Refused`, `folder.Busy` or `NotSaved`; then nothing has happened."""
        with self._turn():
            # Also where nothing has changed in this turn: whoever acts may have looked at an earlier snapshot.
            act = replace(act, move=self._still_offered(act.move))
            now = self._now()
            played = self.game.play(self._state, act, self._chance, f"{now:%Y-%m-%d %H:%M}")
            return self._act(self._entry_of(played, now), played.state)

    def undo(self, number: int | None = None, *, with_later: bool = False) -> Entry:
        """Take back the latest act with all it caused, or the act that an entry of any age belongs to.

        `with_later` takes back what rests on it too; otherwise values that were changed again since are named and left
        alone. Raises `Refused` when there is nothing to take back.
        """
        with self._turn():
            if number is None:
                group = takeable(self._log).undo
                if not group:
                    raise Refused("there is nothing to take back")
                scene = self._scene_before(group[0])
                if all(entry.scene == scene for entry in group):  # a remark: it has opened nothing that could close now
                    scene = self._scene_from(self._next_number())
                return self._take_back(group, UNDO, scene)
            resting = self.resting(number)
            group = (*resting.act, *resting.later) if with_later else resting.act
            latest = group[-1].number == self._log.mark.number
            scene = (
                self._scene_before(group[0]) if latest and not resting.later else self._scene_from(self._next_number())
            )
            return self._take_back(group, f"{UNDO} {number}", scene)

    def rewind(self) -> Entry:
        """Take back all that came since the last mark of a scene, as one, for anyone's comfort (NM-43).

        The log says no more of it than that. Raises `Refused` when nothing has come since.
        """
        with self._turn():
            group = scene_so_far(self._log)
            if not group:
                raise Refused("nothing has been done since the scene began", "NM-43")
            return self._take_back(group, REWIND, self._scene_before(group[0]))

    def redo(self) -> Entry:
        """Put back what the latest undo took. Raises `Refused` when nothing was undone, or something was done since."""
        with self._turn():
            undone = takeable(self._log).redo
            if undone is None:
                raise Refused("there is nothing to put back")
            return self._take_back((undone,), REDO, self._scene_after(undone.undoes[-1]))

    def keep_file(self, conflict: Conflict) -> Entry:
        """Settle a conflict as it stands: what the file says is right."""
        with self._turn():
            note = Note(f"{dotted(conflict.path)} stays {_plain(conflict.file)}, as in the file", secret=True)
            number = self._next_number()
            words = f"{KEEP} {conflict.entry.number}"
            entry = Entry(number, self._now(), words, (note,), root=number, scene=self._scene_now())
            return self._act(entry, self._state)

    def take_played(self, conflict: Conflict) -> Entry:
        """Settle a conflict the other way: what play had made of it is right."""
        return self.undo(conflict.entry.number)

    def converted(self, target: Game) -> Conversion:
        """What becomes of the campaign in another game. Changes nothing."""
        from waylog.campaign.converting import converted

        return converted(self.game, self._state, target)

    def versions(self) -> list[str]:
        """The names of earlier versions of the campaign file, oldest first."""
        return [path.stem for path in self._versions.listed()]

    def restore(self, version: str) -> Entry:
        """Bring back an earlier version of the campaign file, comments and all, as an act. Raises `Refused`, `Unreadable`."""
        found = {path.stem: path for path in self._versions.listed()}
        if version not in found:
            raise Refused(f"there is no version “{version}”; there are {', '.join(found) or 'none'}")
        with self._turn():
            path = found[version]
            theirs = on_file(self.game, Document.parse(read_bytes(path), path.name), None)
            changes = self._changes_to(theirs.state, theirs.document)
            number = self._next_number()
            said = f"campaign.toml as it was at {theirs.mark}: {len(changes)} values are different"
            facts = (Note(said, secret=True),)
            entry = Entry(number, self._now(), f"restore {version}", facts, changes, root=number)
            self._act(entry, replace(theirs.state, open=None))
            with suppress(OSError, EditRefused):  # the log has the values; `settle` brings them into the file as it is
                new = brought_up(self.game, theirs, theirs.state, self._known.mark, ())
                beside = written_beside(self._path, new.document.data)
                self._file = self._versions.put(beside, self._file, new) or self._file
                beside.unlink(missing_ok=True)
                self._changed()
            return entry

    def write_held(self) -> Entry:
        """Write the act that could not be written before. Raises `NotSaved`, or `Refused` when others have played since."""
        if self._held is None:
            raise Refused("no act is waiting to be written")
        entry, state = self._held
        with self._turn(acts=False):
            self._held = None
            if entry.number != self._next_number():
                raise Refused(f"others have played since; do “{entry.words}” again")
            return self._act(entry, state)

    def drop_held(self) -> None:
        """Let go of the act that could not be written."""
        self._held = None
        self._changed()

    def refresh(self) -> bool:
        """Take in what editors and other programs have written. True when the snapshot is a new one.

        Raises `Busy` or `NotSaved` when a person's edit can't be logged now; then it is taken in later.
        """
        before = self.snapshot
        known = (self._file.signature, self._doubtful if self._trouble else self._file.signature)
        waiting = self._edited_while_closed or (self._crashed and not self.read_only)
        self._take_tables()
        if self._log.stands() and not waiting and signature(self._path) in known:
            return self.snapshot is not before
        with self._turn(acts=False):
            return self.snapshot is not before

    def _take_tables(self) -> None:
        """Take in what a person has saved in the folder of random tables."""
        if tables.seen(self.folder) != self._tables.seen:
            self._tables = tables.read(self.folder)
            self.game = Game(self.game.system, self._tables.tables)
            with self._settling:  # what a card or a clock rolls on may be there now, or not any more
                self._file = checked(self.game, self._file)
            self._changed()

    def recovered(self) -> str | None:
        """What was left unfinished by whoever played last, and what became of it, in one line; None if nothing was.

        A torn end of the log and left-over files are dealt with in the first turn. Each thing is told once.
        """
        told, self._recovered = self._recovered, []
        return ". ".join(told) or None

    @contextmanager
    def _turn(self, *, acts: bool = True) -> Iterator[None]:
        """The lock, with everything taken in that others have written. Raises `Busy`, `NotSaved`, or `Refused`."""
        if acts and self.read_only:
            raise Refused("this window only looks on; open the campaign without --read-only to act")
        if acts and self._held:
            raise NotSaved(f"“{self._held[0].words}” is not in the log yet: write it or drop it first")
        saves = list[Path]()
        with ExitStack() as held:
            try:
                if not self.read_only:
                    held.enter_context(locked(self.folder))
                self._log.follow()
                if not self.read_only:
                    if aside := self._log.mend():
                        self._recovered.append(
                            f"An act that was cut short was not done; it is set aside as log/{aside.name}"
                        )
                    saves = self._begin()
            except OSError as error:
                raise NotSaved(f"{self.folder} can't be written: {_worded(error)}; nothing was done") from error
            self._take_entries()
            self._take_edits_made_while_closed()
            self._take_file()
            self._take_saves(saves)
            yield

    def _begin(self) -> list[Path]:
        """With the lock held: once, note how the file was before play; clear up what a crash has left beside it.

        Gives what a person has saved and lies there still.
        """
        if not self._begun:
            self._versions.begun(self._file)
            self._begun = True
        if not self._crashed and signature(self._path) != self._file.signature:
            self._crashed = bool(self._versions.left())  # by another process, a moment ago
        if not self._crashed:
            return []
        saves, told = self._versions.clear_up()
        self._recovered += [told] if told else []
        return saves

    def _still_offered(self, move: Move) -> Move:
        for offered in self.snapshot.moves:
            if offered is move or offered.id == move.id:
                return offered
        raise Refused(f"“{move.id}” can't be done any more: something else was done meanwhile")

    # -- the log ------------------------------------------------------------------------------------------------

    def _next_number(self) -> int:
        return max(self._log.mark.number, self._file.mark.number) + 1

    def _entry_of(self, played: Played, now: datetime) -> Entry:
        number = self._next_number()
        held = self._log.last.scene.get(_ACT, number) if self._log.last and self._state.open else number
        # What is done between a roll and its follow-ups takes these with it, so that undo takes the latest acts first.
        goes_on = played.follows or played.remark
        return Entry(
            number,
            now,
            played.words,
            played.facts,
            self._spelled(self.game.difference(self._state, played.state)),
            played.faces,
            root=held if played.follows else number,
            scene=self._scene(played.state, held if goes_on else number),
        )

    def _scene(self, state: State, act: int) -> dict[str, Any]:
        opened = self.game.write_open(state)
        return {_ACT: act, **opened} if opened else {}

    def _opened(self, scene: Mapping[str, Any]) -> Open | None:
        """What a scene of the log says is open. One of an edition that knew other scenes is let go: its facts are logged."""
        try:
            return self.game.read_open({key: value for key, value in scene.items() if key != _ACT})
        except ValueError:
            return None

    def _write(self, entry: Entry, state: State) -> Entry:
        """Append the entry; only then is `state` what the table knows. Raises `NotSaved`, or `Refused` for half characters."""
        session = under_way(state.sessions) or under_way(self._state.sessions)
        entry = replace(entry, session=session)
        try:
            self._log.append(entry)
        except Unspeakable as error:
            raise Refused(str(error)) from None
        except OSError as error:
            raise NotSaved(f"the log can't be written: {_worded(error)}; nothing was done") from error
        self._knows(state, entry)
        return entry

    def _knows(self, state: State, entry: Entry) -> None:
        self._known = _Known(state, Mark(entry.number, self._log.file))
        self._changed()

    def _take_entries(self) -> None:
        """Bring the state up to what others have appended to the log."""
        for entry in self._log.since(self._known.mark.number):
            state = self._state
            with suppress(ValueError):
                state = replace(self.game.changed(state, entry.changes), open=self._opened(entry.scene))
            self._knows(state, entry)

    def _act(self, entry: Entry, state: State) -> Entry:
        """Write an act of this window. What can't be written is held, so that it need not be done again."""
        try:
            return self._write(entry, state)
        except NotSaved:
            self._held = entry, state
            self._changed()
            raise

    def _scene_now(self) -> dict[str, Any]:
        return self._log.last.scene if self._log.last else {}

    def _scene_from(self, number: int) -> dict[str, Any]:
        """What is open now. Its follow-ups belong to that entry, which comes between them and their roll."""
        scene = self._scene_now()
        return {**scene, _ACT: number} if scene else {}

    def _scene_before(self, entry: Entry) -> dict[str, Any]:
        """What was open before an entry, unless something else was opened since."""
        return self._scene_after(entry.number - 1)

    def _scene_after(self, number: int) -> dict[str, Any]:
        try:
            return self._log.entry(number).scene
        except KeyError:
            return {}

    def _take_back(self, group: Sequence[Entry], words: str, scene: dict[str, Any]) -> Entry:
        """Log the entries' changes reversed, spelling included, with what was open before them."""
        back = turned_back(self.game, self._state, group)
        named = self._put_back(group[0]) if words == REDO else group
        said = "; ".join(entry.words for entry in named if entry.root == entry.number)
        what = Note(f"{'Put back' if words == REDO else 'Taken back'}: {said}", secret=True)
        facts = (Note("The scene is rewound", "NM-43") if words == REWIND else what, *back.left_alone)
        changes = self._turned(back)
        number = self._next_number()
        undoes = tuple(entry.number for entry in group)
        entry = Entry(number, self._now(), words, facts, changes, root=number, undoes=undoes, scene=scene)
        return self._act(entry, replace(back.state, open=self._opened(scene)))

    def _put_back(self, undo: Entry) -> list[Entry]:
        """What an undo took, oldest first."""
        return [entry for entry in self._log.since(min(undo.undoes) - 1) if entry.number in undo.undoes]

    def _turned(self, back: TurnedBack) -> tuple[Change, ...]:
        """The changes that lead back, each value as it was written: also one that is the same again, but written otherwise."""
        differing = self.game.difference(self._state, back.state)
        again = {change.path: change.after for change in back.wanted.values() if not isinstance(change.after, dict)}
        for change in differing:  # with what lies in it: of what goes nothing is written otherwise
            again = {path: value for path, value in again.items() if path[: len(change.path)] != change.path}
        same = [Change(path, value, value) for path, value in again.items() if value is not None]
        changes = [
            replace(change, now=back.wanted[change.path].now if change.path in back.wanted else None)
            for change in self._spelled((*differing, *same))
        ]
        return tuple(change for change in changes if change.before != change.after or change.was != change.now)

    def _spelled(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """The changes with how the old values are written in the file, where that is not the plain way."""
        since = self._log.since(self._file.mark.number)
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
        return _spelling(self._file.document, path, value)

    # -- the campaign file --------------------------------------------------------------------------------------

    def _take_file(self) -> None:
        """Take in what a person has saved, with the lock held. A file that can't be read leaves everything as it was."""
        seen = signature(self._path)
        if seen == self._file.signature or (self._trouble and seen == self._doubtful):
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
            self._trouble, self._doubtful = (), None
        except Unreadable as unreadable:
            self._trouble, self._doubtful = unreadable.problems, seen
        self._changed()

    def _unfinished(self, data: bytes) -> bool:
        """An editor may be in the middle of writing: the file is empty, or the beginning of what it was."""
        return len(data) < len(self._file.document.data) and self._file.document.data.startswith(data)

    def _take_edits_made_while_closed(self) -> None:
        """Log what a person changed when no table was open: what differs from the newest version before it and the log."""
        if not self._edited_while_closed:
            return
        self._edited_while_closed = False
        for path in reversed(self._versions.earlier()):
            with suppress(Unreadable):
                before = on_file(self.game, Document.parse(read_bytes(path), path.name), None)
                if before.mark.number <= self._file.mark.number:
                    base = self._state_after(before.state, before.mark.number, self._file.mark.number)
                    unedited = self._state_after(base, self._file.mark.number, self._known.mark.number)
                    self._known = self._known._replace(state=replace(unedited, open=self._state.open))
                    theirs, self._file = self._file, before
                    self._merge(theirs, base)
                    self._took_in(theirs)
                    return

    def _merge(self, theirs: OnFile, base: State) -> None:
        """Three ways by key: what a person changed since `base` is theirs, what was played since is kept.

        Where both have changed a value the file's stands, and that is an entry of its own: a conflict to settle.
        """
        clean, against = sides(self.game, self._state, base, theirs.state, self._log.since(theirs.mark.number))
        for words, group in ((BY_HAND, clean), *((AGAINST, [change]) for change in against)):
            state = self.game.changed(self._state, group)
            changes = self._changes_to(state, theirs.document)
            if self.read_only:
                self._known = self._known._replace(state=state)
            elif changes:
                facts = tuple(_by_hand(change) for change in changes)
                number = max(self._next_number(), theirs.mark.number + 1)
                entry = Entry(number, self._now(), words, facts, changes, root=number, scene=self._scene_from(number))
                self._write(entry, state)

    def _took_in(self, theirs: OnFile) -> None:
        """Only once it is in the log: an edit that could not be logged is met again, and not written over meanwhile."""
        self._file = theirs
        self._changed()
        if not self.read_only:
            self._versions.taken_in(theirs.document.data)

    def _take_saves(self, saves: Sequence[Path]) -> None:
        """Take in what a person has saved and a crash has left beside the file, by what it changes; and keep it."""
        for path in saves:
            said = "is taken in"
            try:
                theirs = on_file(self.game, Document.parse(read_bytes(path), path.name), None)
                self._merge(theirs, self._gone_back(self._state, theirs.mark.number, self._known.mark.number))
            except Unreadable:
                said = "can't be read"
            with suppress(OSError):
                kept = self._versions.keep_saved(path)
                self._recovered.append(
                    f"A version of {FILE} that was saved while it was being replaced {said}; it is kept as {kept}"
                )
        if not self.read_only:
            self._crashed = False

    def _changes_to(self, state: State, document: Document) -> tuple[Change, ...]:
        """What is different in `state`, written as it stands in `document`."""
        return tuple(
            replace(change, now=_spelling(document, change.path, change.after))
            for change in self._spelled(self.game.difference(self._state, state))
        )

    def _state_at(self, mark: Mark) -> State:
        """What the table knew when the log had come to `mark`: the true base of a file that carries it."""
        state, own = self._file.state, self._file.mark.number
        if mark.number >= own:
            return self._state_after(state, own, mark.number)
        return self._gone_back(state, mark.number, own)

    def _gone_back(self, state: State, number: int, last: int) -> State:
        """`state` without the changes of the entries after `number`, up to `last`."""
        for entry in reversed(self._log.since(number)):
            if entry.number <= last:
                back = replace(entry, changes=tuple(change.reversed() for change in reversed(entry.changes)))
                state = followed(self.game, state, back) or state
        return state

    def _state_after(self, state: State, number: int, last: int) -> State:
        """`state` with the changes of the entries after `number`, up to `last`."""
        for entry in self._log.since(number):
            if entry.number <= last:
                state = followed(self.game, state, entry) or state
        return state

    def settle(self) -> bool:
        """Bring `campaign.toml` up to the log. False when that can't be now: the file changed, is broken, or can't be written.

        The long part holds no lock, so it may run in another thread than the one that plays.
        """
        with self._settling:
            settled = self._bring_up()
            self._tell_players()
            return settled

    def _bring_up(self) -> bool:
        # The file first: one that a person saves after this look is not the one that is replaced.
        held, known = self._file, self._known
        if known.mark.number <= held.mark.number:
            return True
        if self._trouble or self.read_only:
            return False
        try:
            since = [entry for entry in self._log.since(held.mark.number) if entry.number <= known.mark.number]
            new = brought_up(self.game, held, known.state, known.mark, since)
            beside = written_beside(self._path, new.document.data)
            try:
                with locked(self.folder):
                    now = self._versions.put(beside, held, new)
            finally:
                beside.unlink(missing_ok=True)
        except (OSError, EditRefused, Busy) as error:
            self._unsaved = f"{FILE} could not be brought up to date: {_worded(error)}. The log has everything"
            self._changed()
            return False
        if now is None:
            self._crashed = self._crashed or bool(self._versions.left())
            return False
        shows = self._unsaved is not None or now.problems != held.problems
        self._file, self._unsaved = now, None
        if shows:
            self._changed()
        return True

    def projection(self) -> Projection:
        """All that players may see, as of now."""
        from waylog.projection import projected

        return projected(self.game.system, self._state, holding(self._log))

    def _tell_players(self) -> None:
        """Write what players may see into the file that they watch. What can't be written now is, the next time."""
        known = self._known
        if self.read_only or known is self._told:
            return
        from waylog import players_file
        from waylog.projection import projected

        with suppress(OSError, Busy):
            data = players_file.encoded(projected(self.game.system, known.state, holding(self._log)))
            if data != players_file.written(self.folder):
                with locked(self.folder):
                    # Whoever has played since tells them more, and has done so, or will.
                    if known is not self._known or not self._log.stands():
                        return
                    players_file.write(self.folder, data)
            self._told = known

    def unsettled(self) -> bool:
        """The log is ahead of the campaign file."""
        return self._log.mark.number > self._file.mark.number

    def entries(self) -> Iterator[Entry]:
        """All entries that can be read, newest first."""
        return self._log.backwards()

    def latest(self) -> Iterator[Entry]:
        """The entries that hold, newest first."""
        return holding(self._log)


def _worded(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower() if reason else str(error)


def _by_hand(change: Change) -> Note:
    return Note(f"{dotted(change.path)} {_plain(change.before)} → {_plain(change.after)}", secret=True)


def _spelling(document: Document, path: ValuePath, value: Any) -> str | None:
    """How a value is written in a file: None for the plain way, empty when it is left out."""
    if value is None or isinstance(value, dict):
        return None
    written = document.spelling(path)
    if written is None:
        return ""
    return None if written == render(value) else written


def _plain(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case dict():
            return "…"
        case _:
            return render(value)
