"""One campaign on disk, kept in step with memory: first the log, which is the truth, then the campaign file.

An act takes the lock for a turn (`Store.turn`), which first takes in whatever editors, other windows and a crash have
left. `HandEdits` makes entries of edits of the file, `OpenCampaign` appends entries, and `FileUpdate` updates the file
later, from another thread.

The entries that a window writes: of an act, of what takes acts back, and of what settles a hand edit.
"""

from __future__ import annotations

from _thread import allocate_lock  # All of `threading` takes a hundredth of a command, which has one thread.
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waylog.rules.codec.changes import Change
from waylog.rules.game import Game
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import NoteFact, OutcomeFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.players_and_permissions import name_of
from waylog.rules.model.state import EntryKind, PlayResult, State
from waylog.rules.what_acts_do import scene_note
from waylog.store.file import campaign_file_tables_and_scene_cards
from waylog.store.file.campaign_file_tables_and_scene_cards import (
    CampaignFile,
    game_of,
    read_campaign_file,
    with_good_values,
    with_tables,
)
from waylog.store.file.hand_edits import FileUpdate, HandEdits, Stillness, read_finished_file
from waylog.store.file.history import FileHistory
from waylog.store.file.open_campaign import (
    LogWriteFailed,
    OpenCampaign,
    describe_os_error,
    last_good_state,
    with_true_mark,
)
from waylog.store.files_and_lock import LINES, file_signature, lock_campaign
from waylog.store.log.entries_and_version_0_1 import LogEntry, list_headings, naming_entries
from waylog.store.log.log_and_torn_entries import Log, torn_entry_text
from waylog.store.log.undo_and_scenes import ReversedState, effective_entries, reverse_entries
from waylog.store.log.verification import AT_A_START, AT_AN_ACT
from waylog.toml.document import Problem
from waylog.values import NamedTuple, replace

if TYPE_CHECKING:
    from waylog.store.file.edit_base_merge_and_renames import FileQuestion
    from waylog.store.file.lines_and_veils_file import LinesFile
    from waylog.store.file.open_campaign import EditConflict
    from waylog.store.kit import KitChoice
    from waylog.store.players.inbox import Letter
    from waylog.store.replay_and_misread_die import PlayedAgain
    from waylog.store.seals import RolledDice


_AHEAD = 10_000
"""A mark so far ahead of the log that it must be a typing error. A file can be ahead if the end of the log was lost."""


class Store:
    """One open campaign on disk."""

    def __init__(
        self, folder: Path, *, now: Callable[[], datetime], read_only: bool, chance: ChanceDice | None = None
    ) -> None:
        """Open the campaign in `folder`. With `chance`, the dice of its sessions are sealed. Raises `UnreadableFile` with every
        problem, or `OSError`.
        """
        self.folder = folder
        self.settling = allocate_lock()
        """Held while the file is updated from the log."""
        self._identity = _identity(folder)
        self._begun = False
        history, stillness = FileHistory(folder), Stillness()
        document, seen = read_finished_file(history, stillness)
        self._beside = campaign_file_tables_and_scene_cards.read_hand_files(folder)
        self._lines: LinesFile | None = None
        self._lines_path = folder / LINES
        system, self._game_watch = game_of(document, folder)
        read_only = read_only or self.game_is_missing
        game = Game(system, self._beside.tables, self._beside.cards)
        file = read_campaign_file(game, document, seen)
        if history.is_own_version(document.data):
            file = with_true_mark(history, file)
        log = Log(folder / "log")
        log.follow()
        log.verify(AT_A_START)
        if log.last is None and not (log.files() or history.earlier()):
            log.begins_behind = file.mark.number
        campaign = OpenCampaign(folder, game, file, log, history, now=now, read_only=read_only, chance=chance)
        self.campaign = campaign
        """What is known of it."""
        self._update = FileUpdate(campaign)
        self.edits = HandEdits(campaign, self._update, stillness, seen)
        """What a person has saved."""
        self.take_lines()
        if log.last and campaign.file.mark.number > log.mark.number + _AHEAD:
            campaign.file = replace(campaign.file, mark=log.mark)
        if campaign.file.faulty:
            good = last_good_state(game, log, history, campaign.file)
            campaign.file = with_good_values(game, campaign.file, good)
        campaign.recall()
        if self.edits.is_own and campaign.file_is_behind() and log.last and not read_only:
            so_far = f"entry {log.last.number}, “{log.last.words}”"
            campaign.report(f"The log is complete up to {so_far}. The campaign file has been updated from the log")

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems in everything that a person has written."""
        campaign = self.campaign
        if self._game_watch and self._game_watch.stands_in:
            return (*self._game_watch.problems, *campaign.damage)
        file_problems = (*self.edits.problems, *self._beside.all_problems(campaign.game, campaign.state))
        if self._game_watch:
            file_problems = (*self._game_watch.problems, *self._game_watch.remarks, *file_problems)
        of_lines = self._lines.problems if self._lines else ()
        return (*(campaign.trouble or file_problems), *of_lines, *campaign.damage)

    def find_mentions(self, *texts: str) -> tuple[str, ...]:
        """Return a phrase for each line and veil of the campaign that the texts mention: `line: spiders`."""
        return self._lines.limits.find_mentions(*texts) if self._lines else ()

    @property
    def game_is_missing(self) -> bool:
        """Whether the campaign's game is in a file that can't be used, so that nothing can be played."""
        return self._game_watch is not None and self._game_watch.stands_in

    def game_is_back(self) -> bool:
        """Whether the file of a missing game can be used now."""
        return self._game_watch is not None and self._game_watch.is_back()

    @property
    def question(self) -> FileQuestion | None:
        """The question about the files that must be answered before anything is played."""
        if (lost := self.campaign.log.lost) and not self.campaign.read_only:
            from waylog.store.file.edit_base_merge_and_renames import about_lost_entries

            return about_lost_entries(self.campaign.log.highest, lost.last)
        return self.edits.question

    def stale(self) -> bool:
        """Whether there is something on disk that the next turn will take in."""
        campaign = self.campaign
        if campaign.log.lost:  # Until a person has answered, nothing but the log itself matters.
            return not campaign.log.stands()
        left = (campaign.crashed or self.edits.has_late()) and not campaign.read_only
        return left or self.edits.has_news() or not campaign.log.stands()

    def kit_choices(self) -> tuple[KitChoice, ...]:
        """Return what can be added from the starter kit now."""
        from waylog.store.kit import choices

        return choices(self.campaign.game, self.campaign.state)

    def take_tables(self) -> None:
        """Take in changes in the folders of random tables and scene cards."""
        campaign = self.campaign
        if campaign_file_tables_and_scene_cards.hand_file_signatures(self.folder) == self._beside.seen:
            return
        if not self.settling.acquire(
            blocking=False
        ):  # The next look will find it: no screen waits for a file to be written.
            return
        try:
            self._beside = campaign_file_tables_and_scene_cards.read_hand_files(self.folder)
            campaign.game = Game(campaign.game.system, self._beside.tables, self._beside.cards)
            # The table that a card or a clock rolls on may exist now, or no longer.
            campaign.file = with_tables(campaign.game, campaign.file)
            if self._game_watch and self._game_watch.remarks:
                self._game_watch.look_for_tables(self._beside.tables)
        finally:
            self.settling.release()
        campaign.mark_changed()

    def take_lines(self) -> None:
        """Take in changes of `lines.toml`."""
        seen = file_signature(self._lines_path)
        if seen == (self._lines.seen if self._lines else None):
            return
        from waylog.store.file import lines_and_veils_file  # Few campaigns have this file.

        self._lines = lines_and_veils_file.read(self.folder)
        self.campaign.mark_changed()

    def take_game(self) -> None:
        """Take in a new version of the campaign's game file. While it has mistakes, the last good rules stay in force."""
        watch, campaign = self._game_watch, self.campaign
        if watch is None or watch.stands_in or self.question or not watch.is_stale():
            return
        if not self.settling.acquire(blocking=False):
            return
        try:
            # Write what was played by the old rules first, so that the file keeps values that the new rules don't declare.
            if not campaign.read_only and not self.bring_up():
                return
            had = watch.problems
            if (system := watch.look()) is not None:
                from waylog.store.file.changed_game import change_game

                watch.take(system, change_game(campaign, Game(system, self._beside.tables, self._beside.cards)))
                watch.look_for_tables(self._beside.tables)
            if watch.problems and watch.problems != had:
                campaign.report("Waylog is still using the last good rules")
            elif had and system is None:
                campaign.report("The game file no longer has mistakes. The rules have not changed")
        finally:
            self.settling.release()
        campaign.mark_changed()

    @contextmanager
    def turn(self, patience: float | None = None) -> Iterator[None]:
        """Hold the lock, after taking in everything that others have written. Raises `CampaignBusy` or
        `LogWriteFailed`.

        `patience` is the number of seconds to wait for the lock, if not as many as for an act.
        """
        campaign = self.campaign
        saves = list[Path]()
        with ExitStack() as stack:
            try:
                if not campaign.read_only:
                    stack.enter_context(lock_campaign(self.folder, campaign.patience if patience is None else patience))
                self._require_same_folder()
                lost = campaign.log.lost
                campaign.log.follow()
                if campaign.log.lost is not lost:
                    campaign.mark_changed()
                campaign.log.verify_newest(AT_AN_ACT)
                if not (campaign.read_only or campaign.log.lost):
                    saves = self._begin()
                    self.edits.take_late()
            except OSError as error:
                raise LogWriteFailed(
                    f"{self.folder} can't be written: {describe_os_error(error)}. Nothing was done"
                ) from error
            if not campaign.log.lost:
                campaign.take_entries()
                self.edits.compare_with_history()
                self.edits.take_file()
                self.edits.take_saves(saves)
            campaign.look_at_damage()
            yield

    def _require_same_folder(self) -> None:
        """Raise `LogWriteFailed` if another folder has replaced the campaign's."""
        if (found := _identity(self.folder)) == self._identity:
            return
        if self.campaign.log.last is None or not self.campaign.log.is_as_seen():
            raise LogWriteFailed(
                f"{self.folder} has been replaced since it was opened, so nothing was done. Quit, and open the campaign again"
            )
        self._identity = found

    def _begin(self) -> list[Path]:
        """Once: keep the file's first version, and repair what a crash has left of the log and beside the file.

        Return saves by a person that are still beside the file.
        """
        campaign = self.campaign
        if aside := campaign.log.mend():
            campaign.report(torn_entry_text(aside, campaign.log.highest, campaign.file.mark.number))
        # Not for a file whose edits nobody has found yet: the history would say that it holds what was played, and nothing else.
        if not (self._begun or self.edits.edited_while_closed):
            campaign.history.keep_initial_version(campaign.file)
            campaign.history.remember(campaign.file)
            self._begun = True
        if not campaign.crashed and file_signature(campaign.history.path) != campaign.file.signature:
            campaign.crashed = bool(campaign.history.leftover_files())  # Another process did it a moment ago.
        if not campaign.crashed:
            return []
        saves, message = campaign.history.clear_up()
        if message:
            campaign.report(message)
        return saves

    def bring_up(self) -> bool:
        """Update `campaign.toml` from the log, with `settling` held; see `Table.settle`."""
        campaign = self.campaign
        if self.edits.edited_while_closed:
            return not campaign.file_is_behind()
        # Read the file first, so that a version saved after this look is not the one that is replaced.
        file, known = campaign.file, campaign.marked
        if known.mark.number <= file.mark.number:
            return True
        if campaign.trouble or campaign.read_only or self.question:
            return False
        return self._update.bring_up(file, known)

    def put_back_entries(self) -> bool:
        """In a turn: append the entries that the log has lost again, and bring an older file up to them.

        Return False, with nothing changed, if the log has other entries in their place. Raises `LogWriteFailed`.
        """
        campaign = self.campaign
        try:
            saves = self._begin()
            if not campaign.log.put_back():
                return False
        except OSError as error:
            raise LogWriteFailed(f"can't write the log: {describe_os_error(error)}") from error
        self.edits.take_file()
        if self.edits.asks_about_copy:
            self.edits.answer(keep=False)
        self.edits.take_saves(saves)
        campaign.mark_changed()
        return True

    def bring_back(self, earlier: CampaignFile) -> None:
        """In a turn: put an earlier version in place, with its comments, and bring it up to the current state."""
        self._update.bring_back(earlier)


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return the identity of a folder, whatever its name."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class NewText(NamedTuple):
    """A new text of a note or a scene."""

    entry: LogEntry
    """The note or scene, as it was written."""
    typed: str


def find_changed_text(campaign: OpenCampaign, act: Act) -> NewText | None:
    """Return the note or scene that an act gives a new text, with that text; None for any other act. Raises `ActRefused`."""
    if act.move.verb != "reword":
        return None
    from waylog.store.log.grouped_acts_and_texts import FAR

    answers = complete_answers(act.move, act.answers)
    number = int(str(answers["entry"]))
    try:
        entry = campaign.log.entry(number)
        entry = campaign.log.entry(entry.undoes[0]) if entry.undoes and entry.kind.is_remark else entry
    except KeyError:
        raise ActRefused(f"the log has no entry {number}") from None
    if not entry.kind.is_remark:
        raise ActRefused("you can change only a note or a scene's title. Anything else can only be undone")
    what = "scene" if entry.kind is EntryKind.SCENE else "note"
    if campaign.next_number - entry.number > FAR:
        raise ActRefused(f"that {what} is more than {FAR} entries old, so it can't be changed. Add a new one")
    now = effective_entries(campaign.log, down_to=entry.number)
    if not any(each.number == entry.number or (entry.number in each.undoes and each.kind.is_remark) for each in now):
        raise ActRefused(f"that {what} has been undone")
    return NewText(entry, str(answers["text"]))


def misread_entry(
    campaign: OpenCampaign,
    act: Act,
    group: Sequence[LogEntry],
    again: PlayedAgain,
    faces: tuple[int, ...],
    dice: RolledDice,
) -> LogEntry:
    """Return the entry that stands in the place of an act of which a die was misread. It undoes all of `group`, and names what those
    stood for themselves.
    """
    from waylog.store.replay_and_misread_die import facts_of

    number, first = campaign.next_number, group[0]
    return LogEntry(
        number,
        campaign.now(),
        format_act(act.move, act.answers),
        facts_of(again),
        campaign.with_spellings(campaign.game.difference(campaign.state, again.state)),
        faces,
        root=number,
        undoes=tuple(sorted({entry.number for entry in group}.union(*(entry.ends for entry in group)))),
        scene=campaign.scene(again.state, number),
        title=first.title,
        kind=EntryKind.MISREAD,
        about=first.about,
        by=first.by,
        rolled=dice.faces,
        sealed=dice.seal_entry,
    )


_MOST_NAMED = 12
"""The most actions that are named when they are undone together."""


def play_entry(
    campaign: OpenCampaign,
    played: PlayResult,
    now: datetime,
    letter: Letter | None = None,
    changed: NewText | None = None,
    part_of: int = 0,
    dice: RolledDice | None = None,
) -> LogEntry:
    """Return the entry of an act that was played; `letter` is the proposal that it comes from, `changed` the note or scene that gets
    a new text from it. A secret note stays secret, and one for some players theirs. The entry belongs to the act `part_of` that began
    with that entry, if it is not 0. `dice` are those that Waylog rolled for it.
    """
    if changed:
        played = _with_kind(played, changed)
    who = name_of(campaign.state.players, letter.by) if letter else ""
    number = campaign.next_number
    root = campaign.act_under_way(number)
    changes = campaign.with_spellings(campaign.game.difference(campaign.state, played.state))
    # An act between a roll and its follow-ups takes over those follow-ups, so that undo reverses the newest act first.
    # It doesn't if it changes nothing, or if the roll waits for its dice: then nothing of the roll has happened yet. Nor does it while
    # others are still to roll for a call, all of which is undone at once.
    open_before = campaign.state.open
    # A roll that comes out like the one before it leaves the same open, but that is its own.
    has_outcome = any(isinstance(fact, OutcomeFact) for fact in played.facts)
    changes_nothing = not changes and played.state.open == open_before and not has_outcome
    after = played.state.open
    is_called = open_before and after and open_before.called and open_before.called == after.called
    waits = open_before is not None and (open_before.waiting is not None or is_called)
    # What a scene card has left open begins with the card.
    is_aside = played.kind.is_remark and (after is None or after == open_before)
    goes_on = played.follows or is_aside or changes_nothing or waits
    return LogEntry(
        number,
        now,
        played.words,
        played.facts,
        changes,
        played.faces,
        root=part_of or (root if played.follows else number),
        within=0 if part_of or goes_on or root == number else root,
        scene=campaign.scene(played.state, part_of or (root if goes_on else number)),
        title=f"{who}: {played.title}" if who else played.title,
        kind=played.kind,
        about=played.about,
        by=letter.by if letter else "",
        proposal=letter.id if letter else "",
        undoes=(changed.entry.number,) if changed else (),
        rolled=dice.faces if dice else (),
        sealed=dice.seal_entry if dice else 0,
    )


def _with_kind(played: PlayResult, changed: NewText) -> PlayResult:
    """Return an act that gives a note or a scene a new text, as an act of its kind."""
    kind, notes = changed.entry.kind, [fact for fact in played.facts if isinstance(fact, NoteFact)]
    if kind is EntryKind.SCENE:
        facts = tuple(scene_note(note, changed.typed) for note in notes)
        return replace(played, facts=facts, kind=EntryKind.TITLE, title=f"Scene title: {changed.typed}")
    seen_by = next((fact.seen_by for fact in changed.entry.facts if isinstance(fact, NoteFact)), ())
    facts = tuple(replace(note, secret=kind is EntryKind.SECRET, seen_by=seen_by) for note in notes)
    return replace(played, facts=facts, kind=kind)


def undo_entry(
    campaign: OpenCampaign, group: Sequence[LogEntry], kind: EntryKind, scene: dict[str, Any], words: str = ""
) -> tuple[LogEntry, State]:
    """Return an entry with the reversed changes of `group`, with their source texts, and the state after it. `scene` is what
    was open before them.
    """
    back = reverse_entries(campaign.game, campaign.state, group)
    redone = kind is EntryKind.REDO
    undone = campaign.log.since(min(group[0].undoes) - 1) if redone else ()
    named = [entry for entry in undone if entry.number in group[0].undoes] if redone else group
    count = len(naming_entries(named))
    headings = list_headings(named) if count <= _MOST_NAMED else f"{count} actions"
    what = NoteFact(f"{'Redone' if redone else 'Undone'}: {headings}", secret=True)
    rewound = kind is EntryKind.REWIND
    facts = (NoteFact("Scene rewound", "NM-43"),) if rewound else (what, *back.left_alone)
    changes = _reverse_changes(campaign, back)
    number = campaign.next_number
    title = "Scene rewound" if rewound else "Redone" if redone else "Undone"
    entry = LogEntry(
        number,
        campaign.now(),
        words or kind.value,
        facts,
        changes,
        root=number,
        undoes=tuple(entry.number for entry in group),
        scene=scene,
        title=title,
        kind=kind,
    )
    return entry, replace(back.state, open=campaign.decode_open(scene))


def _reverse_changes(campaign: OpenCampaign, back: ReversedState) -> tuple[Change, ...]:
    """Return the changes that reverse an act, including values whose source text changed but whose value didn't."""
    differing = campaign.game.difference(campaign.state, back.state)
    again = {change.path: change.after for change in back.wanted.values() if not isinstance(change.after, dict)}
    for change in differing:  # Include its contents: nothing in a removed thing has a source text of its own.
        again = {path: value for path, value in again.items() if path[: len(change.path)] != change.path}
    same = [Change(path, value, value) for path, value in again.items() if value is not None]
    changes = [
        replace(change, now=back.wanted[change.path].now if change.path in back.wanted else None)
        for change in campaign.with_spellings((*differing, *same))
    ]
    return tuple(change for change in changes if change.before != change.after or change.was != change.now)


def keep_entry(campaign: OpenCampaign, conflict: EditConflict) -> LogEntry:
    """Return the entry that settles an edit conflict by keeping the file's value."""
    from waylog.store.file.edit_base_merge_and_renames import plainly

    note = NoteFact(
        f"{campaign.game.name_value(campaign.state, conflict.path)} stays {plainly(conflict.file)}, as in the file",
        secret=True,
    )
    number, settled, kind = campaign.next_number, conflict.entry.number, EntryKind.KEEP
    words, scene = f"keep {settled}", campaign.scene_now
    return LogEntry(number, campaign.now(), words, (note,), root=number, scene=scene, kind=kind, settles=settled)


def window_entry(campaign: OpenCampaign, before: OpenCampaign) -> LogEntry:
    """Return the entry that restores the values that a window knew `before` the log was replaced."""
    changes, number = campaign.changes_to(before.state, before.file.document), campaign.next_number
    facts = (
        NoteFact(f"The log was replaced. The values are now those of entry {before.marked.mark.number}", secret=True),
    )
    words, kind = "restore this window", EntryKind.RESTORE
    return LogEntry(number, campaign.now(), words, facts, changes, root=number, kind=kind)


def restore_entry(campaign: OpenCampaign, theirs: CampaignFile, version: str) -> LogEntry:
    """Return the entry that restores an earlier version of the campaign file, called `version`."""
    changes, number = campaign.changes_to(theirs.state, theirs.document), campaign.next_number
    count = f"{len(changes)} values" if len(changes) != 1 else "1 value"
    facts = (NoteFact(f"Restored campaign.toml as it was at {theirs.mark} ({count} changed)", secret=True),)
    words, kind = f"restore {version}", EntryKind.RESTORE
    return LogEntry(number, campaign.now(), words, facts, changes, root=number, kind=kind)
