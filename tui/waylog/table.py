"""`Table`, the one place where anything changes: play, undo, answers and settings go through it into the store.

The app and the commands each open one. They read its `snapshot` and ask whatever else `table_queries` answers, call `play`,
`undo` and the like, and `settle` afterwards, possibly from another thread.

The log is written first and is the truth; `settle` then updates `campaign.toml` by the differences. A person's edit of
the file becomes an act of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.state import EntryKind, State
from waylog.store.file.campaign_file_tables_and_scene_cards import read_campaign_file
from waylog.store.file.history import no_version_text
from waylog.store.file.open_campaign import ActOvertaken, LogWriteFailed, OpenCampaign, again_if_overtaken
from waylog.store.files_and_lock import SEAL, request_players_file
from waylog.store.log.entries_and_version_0_1 import LogEntry, list_headings
from waylog.store.log.undo_and_scenes import (
    NOTHING_TO_REDO,
    NOTHING_TO_UNDO,
    effective_entries,
    is_latest,
    reverse_entries,
    scene_so_far,
    undo_status,
    who_began,
)
from waylog.store.log.verification import AT_A_LOOK
from waylog.store.seals import RolledDice
from waylog.store.store_and_new_log_entries import (
    find_changed_text,
    keep_entry,
    misread_entry,
    play_entry,
    restore_entry,
    undo_entry,
    window_entry,
)
from waylog.table_queries import TableQueries
from waylog.toml.document import Document, UnreadableFile, read_bytes
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.rules.set_command import Setting
    from waylog.store.file.edit_base_merge_and_renames import FileQuestion
    from waylog.store.file.open_campaign import EditConflict
    from waylog.store.kit import KitItem
    from waylog.store.players.inbox import Letter

__all__ = ["LogWriteFailed", "Table", "Unanswered"]

LAST_STEP = "last"
"""The word for the last step of the latest act, where the number of an entry may stand: `undo last`."""
NOTHING_IN_SCENE = "nothing has happened since the scene or session started"


class Unanswered(ActRefused):
    """A question about the campaign file must be answered before anything is played."""

    def __init__(self, question: FileQuestion, campaign: str) -> None:
        super().__init__(f"{question.about}. First decide what to do about that")
        self.question, self.campaign = question, campaign


class Table(TableQueries):
    """One open campaign. Several windows, in any number of programs, may have it open: their acts take turns."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime], chance: Dice, read_only: bool = False) -> None:
        super().__init__(folder, now=now, chance=chance, read_only=read_only)
        self.news = ""
        """What a window says once when it shows this campaign: where one is that was just made."""
        self._act_under_way = 0
        """The entry that began the act that everything belongs to which is played now; 0 if each act is one of its own."""

    def open_other(self, folder: Path) -> Table:
        """Open the campaign in another folder, with the same clock and dice. Raises `UnreadableFile` or `OSError`."""
        return Table(folder, now=self._now, chance=self._chance)

    def copy_to(self, folder: Path) -> None:
        """Copy the campaign into a folder that doesn't exist yet, without what players write and read, and without the seed
        of its dice. Raises `OSError`.
        """
        from shutil import copytree, ignore_patterns

        with self._store.settling:
            # The file first: a log that is ahead of it is an ordinary state, and the other way round is not.
            copytree(self.folder, folder, ignore=ignore_patterns("log", "inbox", "players*", ".lock*", SEAL, ".git"))
            if (self.folder / "log").is_dir():
                copytree(self.folder / "log", folder / "log")

    def leave(self) -> None:
        """Remove what exists only for this table, such as the folder of a copy."""

    def require_playable(self) -> None:
        """Raise `ActRefused` if something else must be settled before anything can be played."""
        if self.read_only:
            raise ActRefused(self.why_read_only)
        if self._store.question:
            raise Unanswered(self._store.question, self.folder.name)
        if self._unsaved:
            raise ActRefused(_not_saved(self._unsaved[0]))

    # -- acting -----------------------------------------------------------------------------------------------------

    @again_if_overtaken
    def play(self, act: Act) -> LogEntry:
        """Play an act and make it durable. Raises `ActRefused`, `CampaignBusy` or `LogWriteFailed`; then nothing has
        happened.
        """
        with self._turn():
            # Check even if nothing has changed in this turn: the caller may have seen an earlier snapshot.
            return self._play(replace(act, move=self._find_offered_move(act.move)))

    def play_all(self, acts: Sequence[tuple[Act, Dice]]) -> LogEntry:
        """Play acts as one act with one undo, each with the dice that Waylog rolls for it. Return the last entry. Raises as `play` does;
        what was played before that stays.
        """
        with self._turn():
            chance = self._chance
            try:
                entries = list[LogEntry]()
                for act, self._chance in acts:
                    entries.append(self._play(replace(act, move=self._find_offered_move(act.move))))
                    self._act_under_way = entries[0].root
                return entries[-1]
            finally:
                self._chance, self._act_under_way = chance, 0

    def _play(self, act: Act, letter: Letter | None = None) -> LogEntry:
        if act.move.verb == "misread":
            return self._correct(act)

        now = self._now()
        # Whoever types the dice that a player's act waits for: the act is still that player's.
        begins = act.move.called or not act.move.follows
        act = replace(act, by=letter.by if letter else "" if begins else who_began(self._log, self._state))
        before, changed = self._state, find_changed_text(self._campaign, act)
        dice = RolledDice(self._chance, self._campaign.seals.find_to_roll, self._campaign.next_number)
        played = self.game.play(before, act, dice, f"{now:%Y-%m-%d %H:%M:%S%z}")
        if any(isinstance(fact, NoteFact) and fact.quote is not None for fact in played.facts):
            from waylog.rules.lines_and_veils import hold_back  # Few acts bring up a text of a table or a deck.

            played = hold_back(before, played, act, self._store.find_mentions)
        if played.state.timers:
            from waylog.store.shown.countdowns import without_ended

            played = replace(played, state=replace(played.state, timers=without_ended(played.state.timers, now)))
        entry = play_entry(self._campaign, played, now, letter, changed, self._act_under_way, dice)
        entry = self._act(entry, played.state)
        self._players.roll.note_act(entry.number, before, act)
        return entry

    def _correct(self, act: Act) -> LogEntry:
        """Play an act again with the faces that its dice really show, and perhaps later ones, as one act with one undo. Return the last
        entry. Raises `ActRefused`.
        """
        from waylog.store.log.grouped_acts_and_texts import FAR
        from waylog.store.replay_and_misread_die import (
            AGAIN,
            ALONE,
            corrected_faces,
            original_entries,
            play_again,
            play_in_its_time,
            read_misread,
        )

        answers = complete_answers(act.move, act.answers)
        number, wanted = int(str(answers["entry"])), read_misread(str(answers["text"]))
        try:
            plan = self.undo_plan(number)
        except KeyError:
            raise ActRefused(f"the log has no entry {number}") from None
        if self._campaign.next_number - plan.act[0].number > FAR:
            raise ActRefused(f"that action is more than {FAR} entries old. Undo it, and type it again")
        faces = corrected_faces(plan.act, wanted)
        is_open = is_latest(self._log, plan.act) or plan.act[0].number == self._campaign.act_under_way(0)
        if not is_open and (question := self.game.question(self._state)):
            raise ActRefused(f"finish this first. {question}")
        if plan.later and not wanted.later:
            raise ActRefused(
                f"later actions changed the same values: {list_headings(plan.later)}. Add “{AGAIN}” to play those actions again with their own dice, or “{ALONE}” to leave them as they are"
            )
        later = plan.later if wanted.later == AGAIN else ()
        group = (*plan.act, *later)
        scene = self._campaign.scene_after(group[0].number - 1) if is_open else self._campaign.scene_without(group)
        back = reverse_entries(self.game, self._state, group).state
        before = replace(back, open=self._campaign.decode_open(scene))
        dice = RolledDice(self._chance, self._campaign.seals.find_to_roll, self._campaign.next_number)
        originals = original_entries(plan.act, self._log.entry)
        if is_open:
            again = play_again(self.game, before, originals, faces, dice)
        else:
            since = self._log.since(group[0].number - 1)
            again = play_in_its_time(self.game, self._state, since, originals, faces, dice, before)
        entry = self._act(misread_entry(self._campaign, act, group, again, faces, dice), again.state)
        for one in later:
            entry = self._play_later(one, entry.root) or entry
        return entry

    def _play_later(self, earlier: LogEntry, root: int) -> LogEntry | None:
        """Play an entry again, with its own dice, as a part of the act that began with `root`. Return None if it is impossible now."""
        from waylog.store.replay_and_misread_die import play_again

        dice = RolledDice(self._chance, self._campaign.seals.find_to_roll, self._campaign.next_number)
        try:
            again = play_again(self.game, self._state, (earlier,), None, dice)
        except ActRefused:
            return None
        (played,) = again.results
        return self._act(
            play_entry(self._campaign, replace(played, state=again.state), self._now(), part_of=root, dice=dice),
            again.state,
        )

    def set_values(self, settings: Sequence[Setting], *, overrules: bool = False) -> LogEntry:
        """Set values with one act. With `overrules`, values may be outside the ranges that the rules give. Raises as `play` does."""
        move = self._find_setting("overrule" if overrules else "set")
        if move is None:
            raise ActRefused(f"Finish this first. {self.snapshot.question}")
        from waylog.rules.set_command import format_settings

        return self.play(Act(move, {"text": format_settings(settings)}))

    def add_from_kit(self, names: Sequence[str], who: str = "") -> tuple[Sequence[LogEntry], Sequence[KitItem]]:
        """Add things of the starter kit: each with an act of its own, and tables as files, which undo leaves. `who` gets the tools.
        `Rumours d20` is a new table with empty entries.
        Return the acts and the things.

        Raises as `play` does, and adds nothing if one of the things can't be added; `OSError` if a table can't be written.
        """
        from waylog.store.kit import check_tables, copy_tables, find_items, settings_for

        if self.read_only:
            raise ActRefused(self.why_read_only)
        items = find_items(self.game, names)
        check_tables(self.folder, items)
        settings = settings_for(self.game, self._state, items, who)
        entries = tuple(map(self.set_values, settings))
        copy_tables(self.folder, items)
        self._store.take_tables()
        return entries, items

    def show_stakes(self, act: Act) -> None:
        """Show players the odds of a roll and what each outcome would do, as far as they know, until it ends. `settle` does it. Raises
        `ActRefused` for anything else, and for a roll that depends on something hidden from players.
        """
        if self.read_only:
            raise ActRefused(self.why_read_only)
        if self.odds(act) is None:
            raise ActRefused(f"“{act.move.label}” {self.why_no_odds(act)}")
        if self._proposals.players_game.stakes(self._state, act) is None:
            raise ActRefused("this roll uses something hidden from players")
        self._players.show_stakes(act)

    def hide_stakes(self) -> None:
        """Stop showing players what is at stake. `settle` does it."""
        self._players.show_stakes(None)

    # -- what players send ------------------------------------------------------------------------------------------

    @again_if_overtaken
    def accept(self, proposal: str, *, patience: float | None = None) -> LogEntry:
        """Play a player's proposal, by its id. The entry names the player. No proposal is ever played twice.

        `patience` is as for `refresh`. Raises `ActRefused` if the proposal is no longer there or can't be played now,
        and otherwise as `play` does.
        """
        from waylog.store.players.inbox import Answer, AnswerKind
        from waylog.store.players.proposals import NO_LONGER_THERE

        with self._turn(patience=patience):
            letter = self._proposals.find_waiting(proposal)
            found = self._proposals.understand(letter, self._moves()).proposal
            if found.act is None:
                raise ActRefused(found.why.reason, found.why.clause) if found.why else ActRefused(NO_LONGER_THERE)
            entry = self._play(found.act, letter)
            self._proposals.answer(letter, Answer(AnswerKind.PLAYED))
            return entry

    def decline(self, proposal: str, why: str = "", *, patience: float | None = None) -> None:
        """Decline a player's proposal, by its id. `why` is one line for the player. The log doesn't mention it.

        `patience` is as for `refresh`. Raises `ActRefused` if the proposal is no longer there, and `CampaignBusy`.
        """
        from waylog.store.players.inbox import Answer, AnswerKind

        with self._turn(patience=patience):
            self._proposals.answer(self._proposals.find_waiting(proposal), Answer(AnswerKind.DECLINED, why))

    @property
    def has_ready_proposal(self) -> bool:
        """Whether a proposal is waiting that the next `refresh` plays or declines without asking."""
        is_held_up = self.read_only or self._unsaved or self._store.question or not self._proposals
        return not is_held_up and self._proposals.find_ready(self._moves(), self._now()) is not None

    def _take_inbox(self, patience: float | None, *, answers: bool) -> None:
        """Read the proposals of players. Play or decline one that needs no asking: keys wait for it, and for its disk."""
        proposals = self._proposals
        if proposals.has_news():
            proposals.look()
        if self.read_only or not answers:
            return
        proposals.decline_unreadable()
        if not proposals or self._unsaved or self._store.question:
            return
        now = self._now()
        ready = proposals.find_ready(self._moves(), now)
        if ready is None:
            return
        proposals.note_answered(ready.proposal.by, now)
        with suppress(ActRefused):
            if ready.decline is None:
                self.accept(ready.proposal.id, patience=patience)
            else:
                self.decline(ready.proposal.id, ready.decline, patience=patience)

    # -- going back -------------------------------------------------------------------------------------------------

    @again_if_overtaken
    def undo(self, number: int | None = None, *, with_later: bool = False, last_step: bool = False) -> LogEntry:
        """Undo the latest act with all its follow-ups, or the act that an older entry belongs to. With `last_step`, only the last entry of
        the latest act is undone, and its question is asked again.

        `with_later` also undoes later changes of the same values; otherwise those values stay. Raises
        `ActRefused` if there is nothing to undo.
        """
        with self._turn():
            if number is None:
                group = undo_status(self._log).undo
                if not group:
                    raise ActRefused(NOTHING_TO_UNDO)
                group = group[-1:] if last_step else group
                scene = self._campaign.scene_after(group[0].number - 1)
                if all(entry.scene == scene for entry in group):  # What left the open act alone doesn't close it now.
                    scene = self._campaign.scene_now
                return self._take_back(group, EntryKind.UNDO, scene)
            resting = self.undo_plan(number)
            group = (*resting.act, *resting.later) if with_later else resting.act
            latest = is_latest(self._log, group)
            scene = (
                self._campaign.scene_after(group[0].number - 1)
                if latest and not resting.later
                else self._campaign.scene_without(group)
            )
            return self._take_back(group, EntryKind.UNDO, scene, f"undo {number}")

    @again_if_overtaken
    def go_back_to(self, number: int) -> LogEntry:
        """Undo everything after an entry, hand edits too, in one entry; 0 is before the first. What was open at that point is open again.

        Raises `ActRefused` if the log has no such entry, or nothing has come after it.
        """
        with self._turn():
            later = self._entries_after(number)
            if not later:
                raise ActRefused(f"nothing has happened since entry {number}")
            return self._take_back(
                later, EntryKind.UNDO, self._campaign.scene_after(number), f"undo everything after entry {number}"
            )

    @again_if_overtaken
    def rewind(self) -> LogEntry:
        """Undo everything since the last scene marker in one entry, for anyone's comfort (NM-43). The log's file keeps what was
        undone; log views, commands and recaps leave it out unless it is asked for.

        Raises `ActRefused` if nothing came since, or there is no scene marker.
        """
        with self._turn():
            group = scene_so_far(self._log)
            if not group:
                raise ActRefused(NOTHING_IN_SCENE, "NM-43")
            return self._take_back(group, EntryKind.REWIND, self._campaign.scene_after(group[0].number - 1))

    @again_if_overtaken
    def redo(self) -> LogEntry:
        """Redo what the latest undo reversed. Raises `ActRefused` if there is none, or something was done since."""
        with self._turn():
            undone = undo_status(self._log).redo
            if undone is None:
                raise ActRefused(NOTHING_TO_REDO)
            # What was open before the undo, which may be of an act from scenes ago.
            return self._take_back((undone,), EntryKind.REDO, self._campaign.scene_after(undone.number - 1))

    def _take_back(
        self, group: Sequence[LogEntry], kind: EntryKind, scene: dict[str, Any], words: str = ""
    ) -> LogEntry:
        entry = self._act(*undo_entry(self._campaign, group, kind, scene, words))
        self.hide_stakes()
        return entry

    @again_if_overtaken
    def restore(self, version: str) -> LogEntry:
        """Restore an earlier version of the campaign file, with its comments, as an act. Raises `ActRefused` or
        `UnreadableFile`.
        """
        found = {path.stem: path for path in self._campaign.history.all_versions()}
        if version not in found:
            raise ActRefused(no_version_text(version, found))
        with self._turn(answers=True):
            self._store.edits.set_question_aside()
            path = found[version]
            theirs = read_campaign_file(self.game, Document.parse(read_bytes(path), path.name), None)
            entry = restore_entry(self._campaign, theirs, version)
            self._act(entry, replace(theirs.state, open=None))
            self._store.bring_back(theirs)
            return entry

    # -- what the files ask -----------------------------------------------------------------------------------------

    @again_if_overtaken
    def keep_edit(self, conflict: EditConflict) -> LogEntry:
        """Resolve an edit conflict by keeping the file's value."""
        with self._turn():
            return self._act(keep_entry(self._campaign, conflict), self._state)

    def keep_game_value(self, conflict: EditConflict) -> LogEntry:
        """Resolve an edit conflict by restoring the game's value."""
        return self.undo(conflict.entry.number)

    @again_if_overtaken
    def answer_file(self, *, keep: bool) -> LogEntry | None:
        """Answer the question about the files: `keep` the campaign file, or update it from the log. If the log has lost
        entries, continue from the files as they are, or from what this table knows. Return the new entry, if there is one.

        Raises `ActRefused` if there is no question.
        """
        with self._turn(answers=True):
            if not self._log.lost:
                return self._store.edits.answer(keep=keep)
            if not keep and self._store.put_back_entries():
                return None
        return self._go_on_from_files(None if keep else self._campaign)

    def _go_on_from_files(self, before: OpenCampaign | None) -> LogEntry | None:
        """Open the campaign again. If `before` is what was known of it, and the log has other entries now, restore its
        values with an act.
        """
        patience = self._campaign.patience
        try:
            self._open(self.folder)
        except UnreadableFile as unreadable:
            raise ActRefused(f"{unreadable.problems[0]}. Nothing was done") from None
        self._unsaved, self._campaign.patience = None, patience
        with self._turn(acts=False, answers=True):
            if before is None:
                return None
            self._store.edits.set_question_aside()
            return self._act(window_entry(self._campaign, before), replace(before.state, open=None))

    # -- a turn -----------------------------------------------------------------------------------------------------

    def limit_waiting(self, seconds: float) -> None:
        """Wait at most that long for another program to release the campaign; after that, acts raise `CampaignBusy`."""
        self._campaign.patience = seconds

    def refresh(self, patience: float | None = None, *, answers: bool = True) -> bool:
        """Read what editors and other programs have written. Return True if the snapshot is a new one. Without `answers`,
        what players propose is read, but none of it is played or declined yet.

        Raises `CampaignBusy`, or `LogWriteFailed` if an edit can't be logged now; a later call tries again. `patience`
        is the number of seconds to wait for another program, if not as many as for an act.
        """
        before = self.snapshot
        if self._store.game_is_back() or (self.read_only and self._log.lost):
            with suppress(UnreadableFile):  # The campaign file has a problem now: a later look opens it.
                self._open(self.folder)
        self._store.take_tables()
        self._store.take_lines()
        self._store.take_game()
        self._campaign.verify_more(AT_A_LOOK)
        if self._store.stale():
            with self._turn(acts=False, patience=patience):
                pass
        self._take_inbox(patience, answers=answers)
        return self.snapshot is not before

    def take_recovery_text(self) -> str | None:
        """Return one line about work that the last program left unfinished, and what was done about it; None if there is
        none.

        The first turn repairs a torn end of the log and left-over files. Each thing is reported once.
        """
        return self._campaign.take_recovery_text()

    @contextmanager
    def _turn(self, *, acts: bool = True, answers: bool = False, patience: float | None = None) -> Iterator[None]:
        """Hold the lock, after taking in everything that others have written. Raises `CampaignBusy`, `LogWriteFailed`,
        or `ActRefused`.
        """
        if acts and self.read_only:
            raise ActRefused(self.why_read_only)
        if acts and self._unsaved:
            raise LogWriteFailed(_not_saved(self._unsaved[0]))
        with self._store.turn(patience):
            if acts and not answers and self._store.question:
                raise Unanswered(self._store.question, self.folder.name)
            yield

    def _act(self, entry: LogEntry, state: State) -> LogEntry:
        """Write an act of this window. If it can't be written, it is kept in memory, so that it needn't be repeated.

        Raises `ActRefused` if the file would have too many things to be read again.
        """
        for fault in self.game.find_excess(state, entry.changes):
            raise ActRefused(f"{fault.message}. Remove some from campaign.toml first")
        try:
            return self._campaign.write(entry, state)
        except ActOvertaken:
            raise
        except LogWriteFailed:
            self._unsaved = entry, state
            self._campaign.mark_changed()
            raise

    def retry_save(self) -> LogEntry:
        """Write the act that could not be written before. Raises `LogWriteFailed`, or `ActRefused` if others have
        played since.
        """
        if self._unsaved is None:
            raise ActRefused("every action is saved")
        entry, state = self._unsaved
        with self._turn(acts=False):
            self._unsaved = None
            if self._log.lost:
                raise ActRefused(f"the log has been replaced. Enter “{entry.words}” again")
            with suppress(ActOvertaken):
                if entry.number == self._campaign.next_number:
                    return self._act(entry, state)
            raise ActRefused(f"the log has newer entries. Enter “{entry.words}” again")

    def discard_unsaved(self) -> None:
        """Discard the act that could not be written. Its dice have been seen, so the next ones come from another seed."""
        if self._unsaved and self._unsaved[0].sealed:
            self._campaign.seals.is_seen = True
        self._unsaved = None
        self._campaign.mark_changed()

    # -- the files --------------------------------------------------------------------------------------------------

    def settle(self, shown: Callable[[], object] | None = None, *, only_players: bool = False) -> bool:
        """Update `players.toml` and, unless it is for `only_players`, `campaign.toml` from the log. Return False if that isn't possible
        now: the file changed or is broken, was not compared since the start, or one of them can't be written. `shown` is called as
        soon as players can see it.

        The long part holds no lock, so it may run in another thread than play.
        """
        with self._store.settling:
            is_shown = self._players.bring_up()  # Players wait for theirs, and nobody for the campaign file.
            if shown:
                shown()
            return (only_players or self._store.bring_up()) and is_shown

    def file_is_behind(self) -> bool:
        """Whether the log is ahead of the campaign file, or of the players' file."""
        return self._campaign.file_is_behind() or self._players.behind is not None or self._players.has_new_reader

    @property
    def has_new_reader(self) -> bool:
        """Whether somebody has started to watch, and `settle` still has to write the players' file for them."""
        return self._players.has_new_reader

    def add_reader(self) -> None:
        """Write the players' file from now on, even if the campaign names no players. Do nothing if that isn't possible."""
        if not self.read_only:
            with suppress(OSError):
                request_players_file(self.folder)

    def write_recap(self) -> Path:
        """Write the players' recap of the latest session to the campaign's folder. Raises `OSError`, or `ActRefused`, also if the
        session is empty and everything was played outside of it.
        """
        if self.read_only:
            raise ActRefused("this campaign is open read-only: to print the recap, use `waylog recap`")
        from waylog.store.shown.recap_in_markdown import write_recap

        recap = self.recap()
        newest = next(effective_entries(self._log), None)
        between = newest is not None and not (newest.session or newest.kind.is_session)
        if between and recap.session and not recap.scenes:
            nothing = f"nothing happened in session {recap.session}"
            raise ActRefused(f"no session is in progress, and {nothing}", "NM-41")
        return write_recap(recap, self.folder)


def _not_saved(entry: LogEntry) -> str:
    """Return why nothing can be played while an entry couldn't be written."""
    return f"“{entry.words}” is not saved yet: retry or discard it first"
