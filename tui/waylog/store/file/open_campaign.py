"""What is known of an open campaign: the file in place, the log, and the state that both give. New entries are written here.

`Store` makes one. Hand edits, updates of the file and `Table` share it, so that each sees what the others have done. At the top is what a
start reads: the campaign file once nobody is writing it, and earlier versions where this one is not enough. At the foot are the state as
it was at an entry, and edit conflicts: the values that both a person and play have changed, which the log keeps until they are settled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import wraps
from itertools import islice
from pathlib import Path
from time import sleep
from typing import Any, ParamSpec, TypeVar

from waylog.rules.codec.changes import Change
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.sessions import under_way
from waylog.rules.model.state import EntryKind, OpenState, State, read_shared
from waylog.store.file.campaign_file_tables_and_scene_cards import (
    CampaignFile,
    read_campaign_file,
    spelling_in,
)
from waylog.store.file.history import FileHistory, checksum
from waylog.store.files_and_lock import FILE
from waylog.store.log.entries_and_version_0_1 import OPEN_ACT, LogEntry, Mark
from waylog.store.log.log_and_torn_entries import Log, LogOvertaken
from waylog.store.log.undo_and_scenes import effective_entries, scene_title
from waylog.store.log.verification import AT_AN_ACT, ahead
from waylog.store.seals import Seals
from waylog.toml.document import ABSENT, Document, Problem, UnreadableFile, lookup, read_bytes
from waylog.toml.values import NotRepresentable
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


class EarlierState(NamedTuple):
    """The state according to an earlier version of the file and the log alone."""

    before: CampaignFile
    marked: MarkedState


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


def _without_one(grades: tuple[OutcomeGrade, ...], undone: OutcomeGrade | None) -> tuple[OutcomeGrade, ...]:
    """Return the grades of the rolls that can still move a clock, without that of an undone roll."""
    if undone not in grades:
        return grades
    place = grades.index(undone)
    return (*grades[:place], *grades[place + 1 :])


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


P = ParamSpec("P")
T = TypeVar("T")
_TRIES, _PAUSE = 20, 0.002
"""How often an act is done again where other programs are always quicker, and the seconds by which each wait is longer."""


class LogWriteFailed(Exception):
    """The act could not be made durable, so it has not happened. It is kept in memory, to be written later."""


class ActOvertaken(LogWriteFailed):
    """Another program wrote at the same moment, so nothing has happened. Done again, the act follows on from that."""


def again_if_overtaken(method: Callable[P, T]) -> Callable[P, T]:
    """Have a method done again, with what others have written, while it raises `ActOvertaken`. At last it does raise it."""

    @wraps(method)
    def repeat(*args: P.args, **options: P.kwargs) -> T:
        for tries in range(_TRIES):
            with suppress(ActOvertaken):
                return method(*args, **options)
            sleep(_PAUSE * tries)
        return method(*args, **options)

    return repeat


class OpenCampaign:
    """The file, the log and the state of a campaign. Whoever changes something holds the folder's lock."""

    def __init__(
        self,
        folder: Path,
        game: Game,
        file: CampaignFile,
        log: Log,
        history: FileHistory,
        *,
        now: Callable[[], datetime],
        read_only: bool,
        chance: ChanceDice | None = None,
    ) -> None:
        """`chance` is what the dice of a session are drawn from; without it they are not sealed."""
        self.folder = folder
        self.game = game
        """The game, with the random tables that are in its folder now."""
        self.file = file
        """The version of the file that was last read or written."""
        self.log, self.history, self.now, self.read_only = log, history, now, read_only
        self.chance, self.seals = chance, Seals(folder, log)
        self.marked = MarkedState(file.state, file.mark)
        self.version = 0
        """A number that changes whenever a screen may have something else to show."""
        self.trouble: tuple[Problem, ...] = ()
        """The problems that make the file unreadable now. Its last good contents are used meanwhile."""
        self.unsaved: str | None = None
        """Why the file is not up to date."""
        self.patience: float | None = None
        """Seconds to wait for another program to release the campaign; None to wait longer than any act takes."""
        self.crashed = bool(history.leftover_files())
        """A crash has left something beside the file."""
        self._recovered: list[str] = []
        self._scene_title = -1, ""
        """The title of the scene after the entry with that number."""
        self._damage_seen = self.damage

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The current state."""
        return self.marked.state

    @property
    def damage(self) -> tuple[Problem, ...]:
        """The missing and damaged entries of the log, as far as it is verified. Those missing at its end come first."""
        if self.log.lost:  # The question about them says it, and the file in place may be another one.
            return self.log.problems()
        last = max(self.log.highest, self.log.begins_behind)
        return (*ahead(self.file.document, last), *self.log.problems())

    def mark_changed(self) -> None:
        """Raise the version, so that screens look for changes. `settle` calls this from its own thread."""
        self.version += 1

    def file_is_behind(self) -> bool:
        """Whether the log is ahead of the campaign file."""
        return self.log.mark.number > self.file.mark.number

    def report(self, message: str) -> None:
        """Keep a line for `take_recovery_text`."""
        self._recovered.append(message)

    def take_recovery_text(self) -> str | None:
        """Return one line on work that the last program left unfinished, and what was done about it; None if there was
        none.

        The first turn repairs a torn end of the log and left-over files. Each thing is reported once.
        """
        messages, self._recovered = self._recovered, []
        return ". ".join(messages) or None

    def verify_more(self, most: int) -> None:
        """Verify that many more bytes of the log, if any are left."""
        if self.log.verify(most):
            self.look_at_damage()

    def look_at_damage(self) -> None:
        """Show damage as soon as it is found."""
        if (damage := self.damage) != self._damage_seen:
            self._damage_seen = damage
            self.mark_changed()

    def recall(self) -> None:
        """At a start: work out the state from the file and the entries after its mark."""
        self.marked = MarkedState(self.file.state, self.file.mark)
        self.take_entries()
        if self.log.last:
            self.marked = self.marked._replace(state=replace(self.state, open=self.decode_open(self.log.last.scene)))

    # -- the log ------------------------------------------------------------------------------------------------

    @property
    def next_number(self) -> int:
        """The number of the next entry."""
        return max(self.log.highest, self.file.mark.number) + 1

    def write(self, entry: LogEntry, state: State) -> LogEntry:
        """Append an entry; only then does `state` become the current state. Raises `LogWriteFailed`, or `ActRefused`
        for lone surrogates.
        """
        session = under_way(state.sessions) or under_way(self.state.sessions)
        entry = self._with_seal(replace(entry, session=session), state)
        try:
            self.log.append(entry)
        except NotRepresentable as error:
            raise ActRefused(str(error)) from None
        except LogOvertaken:
            raise ActOvertaken(
                "other programs keep writing to this campaign, and its lock doesn't stop them. Nothing was done"
            ) from None
        except OSError as error:
            raise LogWriteFailed(f"can't write the log: {describe_os_error(error)}. Nothing was done") from error
        if entry.seed:
            self.seals.is_seen = False
        if entry.seed and not entry.seal:
            self.seals.forget()
        self._knows(state, entry)
        if self._damage_seen:  # Entries missing at the end of the log are a gap from now on.
            with suppress(
                OSError
            ):  # The entry is written, even if something can't be read now; the next look verifies it.
                self.log.verify(AT_AN_ACT)
                self.look_at_damage()
        return entry

    def _with_seal(self, entry: LogEntry, state: State) -> LogEntry:
        """Return an entry that breaks the seal of a session that it ends or leaves, and has one for a session that has none."""
        before, after = under_way(self.state.sessions), under_way(state.sessions)
        seal = self.seals.find()
        seed = seal.seed.hex() if seal and (before != after or not after or self.seals.is_seen) else ""
        made = ""
        if after and self.chance and (seed or not seal):
            with suppress(OSError):  # Without a seal, dice are rolled by chance, and `waylog luck --verify` says so.
                made = self.seals.make(entry.number, self.chance)
        return replace(entry, seal=made, seed=seed) if made or seed else entry

    def _knows(self, state: State, entry: LogEntry) -> None:
        self.marked = MarkedState(state, Mark(entry.number, self.log.file))
        self.mark_changed()

    def take_entries(self) -> None:
        """Apply the entries that others have appended."""
        for entry in self.log.since(self.marked.mark.number):
            state = self.game.apply_what_fits(self.state, entry.changes)
            self._knows(replace(state, open=self.decode_open(entry.scene)), entry)

    # -- what is open -------------------------------------------------------------------------------------------

    def scene_title(self) -> str:
        """Return the title of the scene that is played; empty without one, and while the log can't be read."""
        last = self.log.last.number if self.log.last else 0
        if self._scene_title[0] != last:
            with suppress(OSError):
                self._scene_title = last, scene_title(self.log)
        return self._scene_title[1]

    def scene(self, state: State, act: int) -> dict[str, Any]:
        """Return the open part of `state` as an entry stores it: it belongs to the act that began with that entry."""
        opened = self.game.write_open(state)
        return {OPEN_ACT: act, **opened} if opened else {}

    def decode_open(self, scene: Mapping[str, Any]) -> OpenState | None:
        """Read the open part of an entry. Stages of another edition are dropped; their facts are in the log."""
        try:
            return self.game.read_open({key: value for key, value in scene.items() if key != OPEN_ACT})
        except ValueError:
            return None

    @property
    def scene_now(self) -> dict[str, Any]:
        """The open part now, as an entry stores it."""
        return self.log.last.scene if self.log.last else {}

    def scene_from(self, number: int) -> dict[str, Any]:
        """Return the open part now, with follow-ups that belong to that entry, which came between them and their roll."""
        return {**self.scene_now, OPEN_ACT: number} if self.scene_now else {}

    def scene_without(self, act: Sequence[LogEntry]) -> dict[str, Any]:
        """Return the open part now, for an undo of an older act: without what is still offered from that act."""
        number, opened = self.next_number, self.state.open
        facts = [fact for entry in act for fact in entry.facts if isinstance(fact, OutcomeFact) and not fact.aside]
        roll = read_shared(act[-1].scene) if facts else OpenState()
        before = read_shared(self.scene_after(act[0].number - 1)).offers
        brought = {offer for entry in act for offer in read_shared(entry.scene).offers if offer not in before}
        if opened is None or not (opened.missed or brought):
            return self.scene_from(number)
        offers = tuple(one for one in opened.offers if not (one.late and replace(one, late=False) in brought))
        remaining = {
            key: grades if key in roll.moved else _without_one(grades, roll.mood)
            for key, grades in opened.missed.items()
        }
        missed = {key: grades for key, grades in remaining.items() if grades}
        left = replace(opened, offers=offers, missed=missed)
        return self.scene(replace(self.state, open=None if left == OpenState() else left), number)

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
        since = self.log.since(self.file.mark.number)
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
        return spelling_in(self.file.document, path, value)

    def changes_to(self, state: State, document: Document) -> tuple[Change, ...]:
        """Return the changes to get `state`, with source texts from `document`."""
        return tuple(
            replace(change, now=spelling_in(document, change.path, change.after))
            for change in self.with_spellings(self.game.difference(self.state, state))
        )


def describe_os_error(error: Exception) -> str:
    """Describe an error for the middle of a sentence."""
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower() if reason else str(error)


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

    path: ValuePath
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
    found, changed, kept = [], set[ValuePath](), set[int]()
    for entry in islice(effective_entries(log), _RECENT):
        if entry.kind is EntryKind.KEEP:
            kept.add(entry.settles)
        elif entry.kind is EntryKind.AGAINST_PLAY and entry.number not in kept:
            found += [EditConflict(c.path, c.after, c.before, entry) for c in entry.changes if c.path not in changed]
        changed.update(change.path for change in entry.changes)
    return tuple(reversed(found))
