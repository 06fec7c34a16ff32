"""The table: the one place where anything changes. Play, undo, hand edits and other windows all come through here.

The log is written first and is the truth; `campaign.toml` is brought up to it behind (`settle`), by the difference
between what the file says and what the table knows. A person's edit of the file is taken in as an act of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from waylog.campaign.document import ABSENT, Document, Edit, EditRefused, Problem, Unreadable, read_bytes, render
from waylog.campaign.folder import Busy, keep_version, locked, put_in_place, signature, written_beside
from waylog.campaign.log import Entry, Log, Mark
from waylog.campaign.on_file import FILE, OnFile, on_file, rewritten, system_of
from waylog.campaign.spelling import Unspeakable
from waylog.campaign.taking_back import REDO, UNDO, act_of, holding, takeable, turned_back
from waylog.rules.changes import Change, dotted
from waylog.rules.changes import Path as ValuePath
from waylog.rules.clocks import Clock
from waylog.rules.dice import Dice
from waylog.rules.game import Game, Open, Played, State
from waylog.rules.moves import Move, Refused, completed
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.turns import Note
from waylog.rules.words import Act, Completion, completions, understood

BY_HAND = "by hand"
_ACT = "act"
"""The key of an open scene that says which entry began its act."""


class NotSaved(Exception):
    """The act could not be made durable, so it has not happened."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a screen shows, as it stood at one moment."""

    name: str
    system: str
    """The system's id."""
    system_name: str
    question: str | None
    """What has to be answered before anything else goes on."""
    moves: tuple[Move, ...]
    panels: tuple[Panel, ...]
    clocks: Mapping[str, Clock]
    act: tuple[Entry, ...]
    """The entries of the latest act, or the latest undo, oldest first; empty in a campaign without a log."""
    undo: tuple[Entry, ...]
    """What undo would take back, oldest first."""
    redo: Entry | None
    """The undo that redo would take back."""
    entries: int
    """How many entries the log has."""
    problems: tuple[Problem, ...]
    """What is wrong in the campaign file."""
    broken: bool
    """The file can't be read at the moment; play goes on from its last good state."""
    unsaved: str | None
    """Why the campaign file could not be brought up to the log."""


class Table:
    """One campaign, open. Several may be open at once, in any number of programs: acts take turns."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime], chance: Dice) -> None:
        """Open the campaign in `folder`. Raises `Unreadable` with every problem, or `OSError`."""
        self.folder = folder
        self._now, self._chance = now, chance
        # Where a link leads, so that saving leaves it a link.
        self._path = (folder / FILE).resolve()
        self._settling = threading.Lock()
        seen = signature(self._path)
        document = Document.parse(read_bytes(self._path), FILE)
        self.game = Game(system_of(document))
        self._file = on_file(self.game, document, seen)
        self._trouble: tuple[Problem, ...] = ()
        self._unsaved: str | None = None
        self._log = Log(folder / "log")
        self._log.follow()
        self._state = self._file.state
        self._taken = self._file.mark.number
        self._take_entries()
        if self._log.last:
            self._state = replace(self._state, open=self._opened(self._log.last.scene))
        self._snapshot: Snapshot | None = None

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """Everything a screen shows. The same object until something changes."""
        if self._snapshot is None:
            self._snapshot = self._looked()
        return self._snapshot

    def _looked(self) -> Snapshot:
        take = takeable(self._log)
        return Snapshot(
            name=self._state.name,
            system=self.game.system.id,
            system_name=self.game.system.name,
            question=self.game.question(self._state),
            moves=self.game.moves(self._state),
            panels=self.game.panels(self._state),
            clocks=self._state.clocks,
            act=act_of(self._log, self._log.last) if self._log.last else (),
            undo=take.undo,
            redo=take.redo,
            entries=self._log.last.number if self._log.last else 0,
            problems=self._trouble or self._file.problems,
            broken=bool(self._trouble),
            unsaved=self._unsaved,
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

    # -- acting -------------------------------------------------------------------------------------------------

    def play(self, act: Act) -> Entry:
        """Do one act and make it durable. Raises `Refused`, `folder.Busy` or `NotSaved`; then nothing has happened."""
        offered = self.snapshot
        with self._turn():
            if self.snapshot is not offered:
                act = replace(act, move=self._still_offered(act.move))
            played = self.game.play(self._state, act, self._chance)
            entry = self._entry_of(played)
            self._write(entry, played.state)
        return entry

    def undo(self) -> Entry:
        """Take back the latest act with all it caused. Raises `Refused` when there is none."""
        with self._turn():
            group = takeable(self._log).undo
            if not group:
                raise Refused("there is nothing to take back")
            return self._take_back(group, UNDO, self._scene_before(group[0]))

    def redo(self) -> Entry:
        """Put back what the latest undo took. Raises `Refused` when nothing was undone, or something was done since."""
        with self._turn():
            undone = takeable(self._log).redo
            if undone is None:
                raise Refused("there is nothing to put back")
            return self._take_back((undone,), REDO, self._log.entry(undone.undoes[-1]).scene)

    def refresh(self) -> bool:
        """Take in what editors and other programs have written. True when the snapshot is a new one.

        Raises `Busy` or `NotSaved` when a person's edit can't be logged now; then it is taken in later.
        """
        before = self.snapshot
        if self._log.stands() and signature(self._path) == self._file.signature:
            return False
        with self._turn():
            return self.snapshot is not before

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """The lock, with everything taken in that others have written. Raises `Busy` or `NotSaved`."""
        with ExitStack() as held:
            try:
                held.enter_context(locked(self.folder))
                self._log.follow()
                self._log.mend()
            except OSError as error:
                raise NotSaved(f"{self.folder} can't be written: {_worded(error)}; nothing was done") from error
            self._take_entries()
            self._take_file()
            yield

    def _still_offered(self, move: Move) -> Move:
        for offered in self.snapshot.moves:
            if offered.id == move.id:
                return offered
        raise Refused(f"“{move.id}” can't be done any more: something else was done meanwhile")

    # -- the log ------------------------------------------------------------------------------------------------

    def _next_number(self) -> int:
        return max(self._log.mark.number, self._file.mark.number) + 1

    def _entry_of(self, played: Played) -> Entry:
        number = self._next_number()
        held = self._log.last.scene.get(_ACT, number) if self._log.last and self._state.open else number
        goes_on = played.follows or played.state.open == self._state.open
        return Entry(
            number,
            self._now(),
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

    def _write(self, entry: Entry, state: State) -> None:
        """Append the entry; only then is `state` what the table knows. Raises `NotSaved`, or `Refused` for half characters."""
        try:
            self._log.append(entry)
        except Unspeakable as error:
            raise Refused(str(error)) from None
        except OSError as error:
            raise NotSaved(f"the log can't be written: {_worded(error)}; nothing was done") from error
        self._state, self._taken, self._snapshot = state, entry.number, None

    def _take_entries(self) -> None:
        """Bring the state up to what others have appended to the log."""
        for entry in self._log.since(self._taken):
            with suppress(ValueError):
                self._state = replace(self.game.changed(self._state, entry.changes), open=self._opened(entry.scene))
            self._taken, self._snapshot = entry.number, None

    def _scene_before(self, entry: Entry) -> dict[str, Any]:
        """What was open before an entry, unless something else was opened since."""
        try:
            return self._log.entry(entry.number - 1).scene
        except KeyError:
            return {}

    def _take_back(self, group: Sequence[Entry], words: str, scene: dict[str, Any]) -> Entry:
        """Log the entries' changes reversed, spelling included, with what was open before them."""
        back = turned_back(self.game, self._state, group)
        named = group if words == UNDO else tuple(map(self._log.entry, group[0].undoes))
        said = "; ".join(entry.words for entry in named if entry.root == entry.number)
        facts = (Note(f"{'Taken back' if words == UNDO else 'Put back'}: {said}"), *back.left_alone)
        changes = tuple(
            replace(change, now=back.spellings.get(change.path))
            for change in self._spelled(self.game.difference(self._state, back.state))
        )
        number = self._next_number()
        undoes = tuple(entry.number for entry in group)
        entry = Entry(number, self._now(), words, facts, changes, root=number, undoes=undoes, scene=scene)
        self._write(entry, replace(back.state, open=self._opened(scene)))
        return entry

    def _spelled(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """The changes with how the old values are written in the file, where that is not the plain way."""
        unsettled = {
            change.path: change.now for entry in self._log.since(self._file.mark.number) for change in entry.changes
        }
        return tuple(replace(change, was=self._was(change, unsettled)) for change in changes)

    def _was(self, change: Change, unsettled: Mapping[ValuePath, str | None]) -> str | None:
        if change.path in unsettled:
            return unsettled[change.path]
        return _spelling(self._file.document, change.path, change.before)

    # -- the campaign file --------------------------------------------------------------------------------------

    def _take_file(self) -> None:
        """Take in what a person has saved, with the lock held. A file that can't be read leaves everything as it was."""
        seen = signature(self._path)
        if seen == self._file.signature:
            return
        try:
            data = read_bytes(self._path)
            if data == self._file.document.data:
                self._file, self._trouble = replace(self._file, signature=seen), ()
                self._snapshot = None
                return
            theirs = on_file(self.game, Document.parse(data, FILE), seen)
        except Unreadable as unreadable:
            if self._trouble != unreadable.problems:
                self._trouble, self._snapshot = unreadable.problems, None
            return
        self._trouble, self._snapshot = (), None
        self._merge(theirs)

    def _merge(self, theirs: OnFile) -> None:
        """Three ways by key: what a person changed since their version's mark is theirs, what was played since is kept."""
        by_hand = self.game.difference(self._state_at(theirs.mark), theirs.state)
        state = self.game.changed(self._state, by_hand)
        changes = tuple(
            replace(change, now=_spelling(theirs.document, change.path, change.after))
            for change in self._spelled(self.game.difference(self._state, state))
        )
        if changes:
            facts = tuple(Note(f"{dotted(c.path)} {_plain(c.before)} → {_plain(c.after)}") for c in changes)
            number = max(self._next_number(), theirs.mark.number + 1)
            scene = self._log.last.scene if self._log.last else {}
            self._write(Entry(number, self._now(), BY_HAND, facts, changes, root=number, scene=scene), state)
        # Only now: an edit that could not be logged is met again at the next look, and not written over meanwhile.
        self._file, self._snapshot = theirs, None

    def _state_at(self, mark: Mark) -> State:
        """What the table knew when the log had come to `mark`: the true base of a file that carries it."""
        state, own = self._file.state, self._file.mark.number
        if mark.number >= own:
            for entry in self._log.since(own):
                if entry.number <= mark.number:
                    state = self.game.changed(state, entry.changes)
            return state
        for entry in reversed(self._log.since(mark.number)):
            if entry.number <= own:
                state = self.game.changed(state, [change.reversed() for change in reversed(entry.changes)])
        return state

    def settle(self) -> bool:
        """Bring `campaign.toml` up to the log. False when that can't be now: the file changed, is broken, or can't be written.

        The long part holds no lock, so it may run in another thread than the one that plays.
        """
        with self._settling:
            state, mark, held = self._state, self._log.mark, self._file
            if mark.number <= held.mark.number:
                return True
            if self._trouble:
                return False
            try:
                document = held.document.edit((*self._edits(held, state), Edit(("log",), str(mark))))
                new = rewritten(self.game, held, document, state, mark)
                beside = written_beside(self._path, document.data)
                try:
                    with locked(self.folder):
                        return self._put(beside, held, new)
                finally:
                    beside.unlink(missing_ok=True)
            except (OSError, EditRefused, Busy) as error:
                self._unsaved = f"{FILE} could not be brought up to date: {_worded(error)}. The log has everything"
                self._snapshot = None
                return False

    def _edits(self, held: OnFile, state: State) -> list[Edit]:
        """What has to be different in the file, each value written as the log says it is to be."""
        spellings = {change.path: change.now for entry in self._log.since(held.mark.number) for change in entry.changes}
        edits = []
        for change in self.game.difference(held.state, state):
            spelling = spellings.get(change.path)
            if change.after is None or spelling == "":
                edits.append(Edit(change.path, ABSENT))
            else:
                edits.append(Edit(change.path, change.after, spelling))
        return edits

    def _put(self, beside: Path, held: OnFile, new: OnFile) -> bool:
        """Put the new version in place, with the lock held, unless the file is not the one it was made from."""
        if signature(self._path) != held.signature:
            return False
        old = put_in_place(beside, self._path)
        if old is not None:
            if not _holds(old, held.document.data):
                put_in_place(old, self._path)
                return False
            with suppress(OSError):  # without room for it the file itself still counts
                keep_version(old, self.folder / "history", f"{held.mark.session:04}-{held.mark.number:06}.toml")
            old.unlink(missing_ok=True)
        self._file = replace(new, signature=signature(self._path))
        self._unsaved, self._snapshot = None, None
        return True

    def unsettled(self) -> bool:
        """The log is ahead of the campaign file."""
        return self._log.mark.number > self._file.mark.number

    def latest(self) -> Iterator[Entry]:
        """The entries that hold, newest first."""
        return holding(self._log)


def _holds(path: Path, data: bytes) -> bool:
    """The file there is exactly that."""
    try:
        return read_bytes(path) == data
    except Unreadable:
        return False


def _worded(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower() if reason else str(error)


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
