"""`Table`, the one place where anything changes: play, undo, answers and settings go through it into the store.

The app and the commands each open one. They read `Table.snapshot`, call `play`, `undo` and the like, and `settle`
afterwards, possibly from another thread.

The log is written first and is the truth; `settle` then updates `campaign.toml` by the differences. A person's edit of
the file is taken in as an act of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from waylog.rules.codec.base import Fault
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.dice import Dice, Die
from waylog.rules.model.moves import Act, ActRefused, Move
from waylog.rules.model.state import EntryKind, State
from waylog.store.file.campaign_file import read_campaign_file
from waylog.store.file.open_campaign import ActOvertaken, LogWriteFailed, OpenCampaign, again_if_overtaken
from waylog.store.files import request_players_file
from waylog.store.log.entries import LogEntry
from waylog.store.log.log import AT_A_LOOK, Log
from waylog.store.log.undo import (
    act_entries,
    dependent_entries,
    effective_entries,
    is_latest,
    open_paths,
    reverse_entries,
    scene_so_far,
    undo_status,
    who_began,
)
from waylog.store.new_entries import NewText, keep_entry, play_entry, restore_entry, undo_entry, window_entry
from waylog.store.players.players_update import PlayersUpdate
from waylog.store.shown.timers_left import without_ended
from waylog.store.store import Store
from waylog.toml.document import Document, Problem, UnreadableFile, read_bytes
from waylog.values import dataclass, replace

if TYPE_CHECKING:
    from waylog.rules.chain import ChainOdds
    from waylog.rules.codec.changes import Change
    from waylog.rules.codec.fields import FormSource
    from waylog.rules.language.completion import Completion
    from waylog.rules.language.grammar import Line
    from waylog.rules.model.odds import Odds
    from waylog.rules.set_act import Setting
    from waylog.snapshot import ActPreview, Snapshot, UndoPlan
    from waylog.store.conversion import ConversionPlan
    from waylog.store.file.edit_base import EditConflict
    from waylog.store.file.edit_merge import FileQuestion
    from waylog.store.kit import KitItem
    from waylog.store.log.search_and_filters import LogSearch
    from waylog.store.players.inbox import Letter
    from waylog.store.players.proposals import Proposal, Proposals
    from waylog.store.replay import Replay
    from waylog.store.shown.players_file import Projection
    from waylog.store.shown.recap import Pace, Recap

__all__ = ["LogWriteFailed", "Table", "Unanswered"]

T = TypeVar("T")

_SOME_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""For an act that is tried while it is typed: nobody reads the clock for it."""
LAST_STEP = "last"
"""The word for the last step of the latest act, where the number of an entry may stand: `undo last`."""
NOTHING_IN_SCENE = "nothing has been done since a scene or the session began"


class Unanswered(ActRefused):
    """A question about the campaign file must be answered before anything is played."""

    def __init__(self, question: FileQuestion, campaign: str) -> None:
        super().__init__(f"{question.about}. Answer that first")
        self.question, self.campaign = question, campaign


@dataclass(frozen=True, slots=True)
class _Remembered(Generic[T]):
    """The last result computed for an act. Most keys in the command line change its words but not its act, and each key
    asks again.
    """

    answer: T
    game: Game | None = None
    state: State | None = None
    act: Act | None = None

    def holds(self, game: Game, state: State, act: Act) -> bool:
        """Whether the result is for this act in this state."""
        return self.game is game and self.state is state and self.act == act


class Table:
    """One open campaign. Several windows, in any number of programs, may have it open: their acts take turns."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime], chance: Dice, read_only: bool = False) -> None:
        """Open the campaign in `folder`. Raises `UnreadableFile` with every problem, or `OSError`."""
        self._now, self._chance, self._may_act = now, chance, not read_only
        self.news = ""
        """What a window says once when it shows this campaign: where one is that was just made."""
        self._held: tuple[LogEntry, State] | None = None
        self._act_under_way = 0
        """The entry that began the act that everything belongs to which is played now; 0 if each act is one of its own."""
        self._open(folder)
        self._last_odds: _Remembered[Odds | None] = _Remembered(None)
        self._last_dice: _Remembered[tuple[Die, ...]] = _Remembered(())

    def _open(self, folder: Path) -> None:
        """Read the campaign from its files. Raises `UnreadableFile` or `OSError`."""
        self._store = Store(folder, now=self._now, read_only=not self._may_act)
        self._campaign = self._store.campaign
        self._shown: tuple[int, Snapshot] | None = None
        self._offered: tuple[int, Sequence[Move]] | None = None
        self._players = PlayersUpdate(self._campaign)
        self.__dict__.pop("_proposals", None)  # Those of a campaign that was open before.

    @cached_property
    def _proposals(self) -> Proposals:
        from waylog.store.players.proposals import Proposals

        return Proposals(self._campaign)

    def open_other(self, folder: Path) -> Table:
        """Open the campaign in another folder, with the same clock and dice. Raises `UnreadableFile` or `OSError`."""
        return Table(folder, now=self._now, chance=self._chance)

    def now(self) -> datetime:
        """Return the time, as everything at this table tells it."""
        return self._now()

    @property
    def chance(self) -> Dice:
        """The dice that Waylog rolls with at this table."""
        return self._chance

    @property
    def folder(self) -> Path:
        """The campaign's folder."""
        return self._campaign.folder

    @property
    def players_folder(self) -> Path:
        """The folder where players write, and where they are paused."""
        return self.folder

    def copy_to(self, folder: Path) -> None:
        """Copy the campaign into a folder that doesn't exist yet, without what players write and read. Raises `OSError`."""
        from shutil import copytree, ignore_patterns

        with self._store.settling:
            # The file first: a log that is ahead of it is an ordinary state, and the other way round is not.
            copytree(self.folder, folder, ignore=ignore_patterns("log", "inbox", "players*", ".lock", ".git"))
            if (self.folder / "log").is_dir():
                copytree(self.folder / "log", folder / "log")

    def leave(self) -> None:
        """Give up this table: nobody plays at it any more."""

    def require_playable(self) -> None:
        """Raise `ActRefused` if nothing can be played before something else is settled."""
        if self.read_only:
            raise ActRefused(self.why_read_only)
        if self._store.question:
            raise Unanswered(self._store.question, self.folder.name)
        if self._held:
            raise ActRefused(f"“{self._held[0].words}” is not saved yet: retry or discard it first")

    @property
    def read_only(self) -> bool:
        """Whether this table can't act."""
        return self._campaign.read_only

    @property
    def why_read_only(self) -> str:
        """Why this table can't act, if it can't."""
        if self._store.game_is_missing:
            return f"nothing can be played without the game: {self._store.problems[0]}"
        return "read-only: open the campaign without --read-only to play"

    @property
    def game(self) -> Game:
        """The game, with the random tables that are in its folder now."""
        return self._campaign.game

    @property
    def _state(self) -> State:
        return self._campaign.state

    @property
    def _log(self) -> Log:
        return self._campaign.log

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """Everything a screen shows. It is the same object until something changes."""
        version = self._campaign.version
        if self._shown is None or self._shown[0] != version:
            unlogged = self._held[0] if self._held else None
            from waylog.snapshot import take_snapshot

            snapshot = take_snapshot(self._store, unlogged, self._players.behind)
            # A command that plays never looks for proposals, and does without their module.
            readings = self._proposals.read(snapshot.moves) if "_proposals" in self.__dict__ else ()
            proposals = tuple(each.proposal for each in readings if self.read_only or not each.needs_nobody)
            self._shown = version, replace(snapshot, proposals=proposals) if proposals else snapshot
        return self._shown[1]

    @property
    def question(self) -> str | None:
        """The question that has to be answered first, as in the snapshot, which takes longer."""
        return self.game.question(self._state)

    def damage(self) -> tuple[Problem, ...]:
        """Return the missing and damaged entries of the log, as far as it is verified."""
        return self._campaign.damage

    def entry(self, number: int) -> LogEntry:
        """Return one entry of the log, 1…`snapshot.entries`. Raises `KeyError`."""
        return self._log.entry(number)

    def find_undos(self, start: int, stop: int) -> list[int]:
        """Return the numbers of the entries from `start` up to but not including `stop` that undo others."""
        return self._log.find_undos(start, stop)

    def log_search(self) -> LogSearch:
        """Return a search of the log as it is now."""
        from waylog.store.log.act_texts import LoggedActs
        from waylog.store.log.folded_text import LogText
        from waylog.store.log.search_and_filters import LogSearch

        acts = LoggedActs(self.entry, self._log.mark.number, self.find_undos, self._log.find_rewinds)
        return LogSearch(LogText(self._log.files), acts)

    def understand(self, text: Line, verb: str = "") -> Act:
        """Return the one act that `text` means now. With `verb`, the text may leave that word out. Raises
        `CommandUnclear`.
        """
        from waylog.rules.language.commands import parse_act, refuse_for_last_word

        act = parse_act(self._moves(), text, verb)
        refuse_for_last_word(act, text)
        return act

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """What players have proposed that waits for the wayfinder, in the order in which it came (NM-45), as of the last `refresh`."""
        return self.snapshot.proposals

    def _moves(self) -> Sequence[Move]:
        # The app has them in its snapshot; a command that plays needs nothing else of one before its act.
        version = self._campaign.version
        if self._shown is not None and self._shown[0] == version:
            return self._shown[1].moves
        if self._offered is None or self._offered[0] != version:
            self._offered = version, self.game.moves(self._state)
        return self._offered[1]

    def complete(self, text: str, verb: str = "") -> tuple[Completion, ...]:
        """Return the words that may come next in `text`."""
        from waylog.rules.language.completion import completions

        return completions(self.snapshot.moves, text, verb)

    def odds(self, act: Act) -> Odds | None:
        """Return the exact odds of a roll; None for other acts. Raises `ActRefused` if it isn't legal."""
        if not self._last_odds.holds(self.game, self._state, act):
            odds = self.game.odds(self._state, act.move, complete_answers(act.move, act.answers))
            self.game.check(self._state, act)
            self._last_odds = _Remembered(odds, self.game, self._state, act)
        return self._last_odds.answer

    def chain_odds(self, text: str) -> ChainOdds:
        """Return exactly what acts in a row come to: `roll nav; damage ship if fiasco`. Raises `ActRefused`."""
        from waylog.rules.chain import chain_odds, read_chain

        return chain_odds(self.game, self._state, read_chain(text))

    def why_no_odds(self, act: Act) -> str:
        """Return why an act has no odds, as the end of a sentence."""
        return self.game.why_no_odds(self._state, act.move, act.answers)

    def dice_to_type(self, act: Act) -> tuple[Die, ...]:
        """Return the real dice that an act still needs after those typed with it."""
        if not self._last_dice.holds(self.game, self._state, act):
            self._last_dice = _Remembered(self.game.dice_to_type(self._state, act), self.game, self._state, act)
        return self._last_dice.answer

    def form(self, path: ValuePath) -> FormSource:
        """Return the form of the thing that a row belongs to, as `Game.form` does.

        Raises `ActRefused` if the file has nothing there, or nothing can be set now.
        """
        if self.read_only:
            raise ActRefused(self.why_read_only)
        if self._find_setting() is None:
            raise ActRefused(f"Answer this first: {self.snapshot.question}")
        form = self.game.form(self._state, path)
        if form is None:
            raise ActRefused("this is not a value of the campaign file, so there is nothing to edit")
        from waylog.store.kit import suggestions

        return replace(form, suggestions=suggestions(self.game))

    def try_settings(self, settings: Sequence[Setting]) -> Sequence[Fault]:
        """Return what would be wrong after these settings that isn't wrong now."""
        return self.game.try_settings(self._state, settings).faults

    def shown_by_settings(self, settings: Sequence[Setting]) -> tuple[str, ...]:
        """Return what these settings would show to players that is hidden now."""
        from waylog.rules.what_players_know import revealed_names

        return revealed_names(self._state, self.game.try_settings(self._state, settings).state, self.game.tables)

    def set_values(self, settings: Sequence[Setting], *, overrules: bool = False) -> LogEntry:
        """Set values with one act; with `overrules` also against the ranges of rules. Raises as `play` does."""
        move = self._find_setting("overrule" if overrules else "set")
        if move is None:
            raise ActRefused(f"Answer this first: {self.snapshot.question}")
        from waylog.rules.set_act import format_settings

        return self.play(Act(move, {"text": format_settings(settings)}))

    def add_from_kit(self, names: Sequence[str], who: str = "") -> tuple[Sequence[LogEntry], Sequence[KitItem]]:
        """Add things of the starter kit: each with an act of its own, and tables as files, which undo leaves. `who` gets the tools.
        `Rumours d20` is a new table with empty entries.
        Return the acts and the things.

        Raises as `play` does, where nothing is added if one of the things can't be; `OSError` if a table can't be written.
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

    def _find_setting(self, verb: str = "set") -> Move | None:
        """Return the move that sets values; None while something has to be answered first."""
        return next((move for move in self.snapshot.moves if move.verb == verb and not move.blocked), None)

    def why(self, path: ValuePath) -> list[LogEntry]:
        """Return the entries that changed a value, newest first."""
        touching = set(self._log.entries_changing(path))
        if not touching:
            return []
        effective = effective_entries(self._log, min(touching))
        return [entry for entry in effective if entry.number in touching and not entry.undoes]

    def undo_plan(self, number: int) -> UndoPlan:
        """Return the act that an entry belongs to, and later changes of the same values.

        Raises `ActRefused` if it was undone or can't be read, `KeyError` for a number without an entry.
        """
        try:
            entry = self._log.entry(number)
        except KeyError:
            if not 0 < number <= self.snapshot.entries:
                raise
            raise ActRefused(f"{number} can't be read in the log, so it can't be undone") from None
        now = {effective.number: effective for effective in effective_entries(self._log, down_to=number)}
        # A note or a scene with a new text first gets its old one back.
        entry = next((each for each in now.values() if number in each.undoes and each.kind.is_remark), entry)
        if entry.number not in now:
            raise ActRefused(f"{number} “{entry.words}” is already undone")
        act = act_entries(self._log, entry)
        from waylog.snapshot import UndoPlan

        return UndoPlan(act, dependent_entries(self._log, act))

    def shown_by_undo(self, entries: Sequence[LogEntry]) -> tuple[str, ...]:
        """Return what undoing these entries would show to players that is hidden now."""
        from waylog.rules.what_players_know import revealed_names

        return revealed_names(self._state, reverse_entries(self.game, self._state, entries).state, self.game.tables)

    def scene_so_far(self) -> tuple[LogEntry, ...]:
        """Return what `rewind` would undo, oldest first (NM-43)."""
        return scene_so_far(self._log)

    # Modules that few acts need are imported late, so that start-up is fast.

    def recap(self, session: int | None = None, *, secrets: bool = False) -> Recap:
        """Return the recap of a session (NM-41).

        The default is the latest one, or everything played if there has been none. 0 means acts between sessions. With
        `secrets` it includes everything hidden. Raises `ActRefused` for a session that doesn't exist.
        """
        from waylog.store.shown.recap import recap_of

        panels = self.game.panels(self._state) if secrets else ()
        entries = effective_entries(self._log)
        return recap_of(entries, self._state, session, tables=self.game.tables, secrets=secrets, panels=panels)

    def replay(self, house_rules: Mapping[str, object]) -> Replay:
        """Play the whole log again with its own dice, with other house rules if there are any, and return what differs. Changes nothing.

        Raises `ActRefused` if a house rule can't be so, or the log lacks entries.
        """
        from waylog.store.replay import replay

        return replay(self.game, self._state, self._entries_after(self._log.begins_behind), house_rules)

    def pace(self) -> Pace | None:
        """Return how the latest session was shared; None if it has fewer than three scenes."""
        try:
            return self.recap(secrets=True).pace
        except ActRefused:
            return None

    def write_recap(self) -> Path:
        """Write the players' recap of the latest session to the campaign's folder. Raises `OSError`, or `ActRefused`, also if the
        session is empty and everything was played outside of it.
        """
        if self.read_only:
            raise ActRefused("read-only: `waylog recap` prints the recap")
        from waylog.store.shown.recap import write_recap

        recap = self.recap()
        newest = next(effective_entries(self._log), None)
        between = newest is not None and not (newest.session or newest.kind.is_session)
        if between and recap.session and not recap.scenes:
            nothing = f"nothing was played in session {recap.session}"
            raise ActRefused(f"no session is in progress, and {nothing}", "NM-41")
        return write_recap(recap, self.folder)

    # -- acting -------------------------------------------------------------------------------------------------

    @again_if_overtaken
    def play(self, act: Act) -> LogEntry:
        """Play an act and make it durable. Raises `ActRefused`, `CampaignBusy` or `LogWriteFailed`; then nothing has
        happened.
        """
        with self._turn():
            # Check even if nothing has changed in this turn: the caller may have seen an earlier snapshot.
            return self._play(replace(act, move=self._find_offered_move(act.move)))

    def preview(self, act: Act, now: datetime = _SOME_TIME) -> ActPreview:
        """Return what `play` would do with an act, and do none of it: `now` is the time of an entry that has one. Raises `ActRefused`
        as that would.
        """
        from waylog.rules.lines_and_veils import hold_back
        from waylog.snapshot import ActPreview

        act = replace(act, move=self._find_offered_move(act.move))
        words, odds = format_act(act.move, complete_answers(act.move, act.answers)), self.odds(act)
        if act.faces is None and (dice := self.dice_to_type(act)):
            return ActPreview(words, None, dice, odds)
        before = self._state
        played = self.game.play(before, act, self._chance, f"{now:%Y-%m-%d %H:%M:%S%z}")
        played = hold_back(before, played, act, self._store.find_mentions)
        after = played.state
        return ActPreview(
            words,
            play_entry(self._campaign, played, now, changed=self._find_changed_text(act)),
            (),
            None,
            self.game.question(after),
            self.game.moves(after),
            self.game.settled_facts(after),
        )

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
        from waylog.rules.lines_and_veils import hold_back

        now = self._now()
        # Whoever types the dice that a player's act waits for: the act is still that player's.
        begins = act.move.called or not act.move.follows
        act = replace(act, by=letter.by if letter else "" if begins else who_began(self._log, self._state))
        before, changed = self._state, self._find_changed_text(act)
        played = self.game.play(before, act, self._chance, f"{now:%Y-%m-%d %H:%M:%S%z}")
        played = hold_back(before, played, act, self._store.find_mentions)
        if played.state.timers:
            played = replace(played, state=replace(played.state, timers=without_ended(played.state.timers, now)))
        entry = self._act(play_entry(self._campaign, played, now, letter, changed, self._act_under_way), played.state)
        self._players.note_act(entry.number, before, act)
        return entry

    def show_stakes(self, act: Act) -> None:
        """Show players the odds of a roll and what each outcome would do, as far as they know, until it ends. `settle` does it. Raises
        `ActRefused` for anything else, and for a roll that rests on what players don't know.
        """
        if self.read_only:
            raise ActRefused(self.why_read_only)
        if self.odds(act) is None:
            raise ActRefused(f"“{act.move.label}” {self.why_no_odds(act)}")
        if self._proposals.players_game.stakes(self._state, act) is None:
            raise ActRefused("this roll uses something hidden from players")
        self._players.show_stakes(act)

    def hide_stakes(self) -> None:
        """Show players no longer what is at stake. `settle` does it."""
        self._players.show_stakes(None)

    @property
    def at_stake(self) -> Act | None:
        """The roll whose stakes players see."""
        return self._players.at_stake

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

    def _take_inbox(self, patience: float | None, *, answers: bool) -> None:
        """Read the proposals of players. Play or decline one that needs no asking: keys wait for it, and for its disk."""
        proposals = self._proposals
        if proposals.has_news():
            proposals.look()
        if self.read_only or not answers:
            return
        proposals.decline_unreadable()
        if not proposals or self._held or self._store.question:
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

    def _find_changed_text(self, act: Act) -> NewText | None:
        """Return the note or scene that an act gives a new text, with that text; None for any other act. Raises `ActRefused`."""
        if act.move.verb != "reword":
            return None
        from waylog.store.log.act_texts import FAR

        answers = complete_answers(act.move, act.answers)
        number = int(str(answers["entry"]))
        try:
            entry = self._log.entry(number)
            entry = self._log.entry(entry.undoes[0]) if entry.undoes and entry.kind.is_remark else entry
        except KeyError:
            raise ActRefused(f"the log has no entry {number}") from None
        if not entry.kind.is_remark:
            raise ActRefused("only a note or the title of a scene can be changed; anything else can be undone")
        what = "scene" if entry.kind is EntryKind.SCENE else "note"
        if self._campaign.next_number - entry.number > FAR:
            raise ActRefused(f"that {what} is more than {FAR} entries old; write a new one")
        now = effective_entries(self._log, down_to=entry.number)
        if not any(
            each.number == entry.number or (entry.number in each.undoes and each.kind.is_remark) for each in now
        ):
            raise ActRefused(f"that {what} is undone")
        return NewText(entry, str(answers["text"]))

    @again_if_overtaken
    def undo(self, number: int | None = None, *, with_later: bool = False, last_step: bool = False) -> LogEntry:
        """Undo the latest act with all its follow-ups, or the act that an older entry belongs to. With `last_step`, only the last entry of
        the latest act is undone: what it answered is asked again.

        `with_later` also undoes later changes of the same values; otherwise those values are noted and kept. Raises
        `ActRefused` if there is nothing to undo.
        """
        with self._turn():
            if number is None:
                group = undo_status(self._log).undo
                if not group:
                    raise ActRefused("there is nothing to undo")
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
        """Undo everything after an entry, hand edits too, in one entry; 0 is before the first. What was open then is open again.

        Raises `ActRefused` if the log has no such entry, or nothing has come after it.
        """
        with self._turn():
            later = self._entries_after(number)
            if not later:
                raise ActRefused(f"nothing has come after entry {number}")
            return self._take_back(
                later, EntryKind.UNDO, self._campaign.scene_after(number), f"undo all after {number}"
            )

    def _entries_after(self, number: int) -> tuple[LogEntry, ...]:
        """Return the entries after that one, oldest first, undone ones too. Raises `ActRefused` if it isn't there, or some are missing."""
        last = self._log.mark.number
        if not 0 <= number <= last:
            raise ActRefused(f"there is no entry {number}; the last one is {last}")
        later = tuple(self._log.since(number))
        if len(later) != last - number:
            raise ActRefused("some entries since then are missing from the log")
        return later

    def step_act(self, number: int, by: int) -> int | None:
        """Return the last entry of the act before (`by` -1) or after (1) the one that ends with an entry; None if there is none."""
        last = self._log.mark.number
        number += by
        while 0 <= number < last and self._log.entry(number + 1).root != number + 1:
            number += by
        return number if 0 <= number <= last else None

    def changes_between(self, number: int, other: int) -> tuple[Change, ...]:
        """Return what is different after an entry, and after another one. Raises `ActRefused` if one of them isn't there."""
        from waylog.store.replay import state_before

        before, after = (state_before(self.game, self._state, self._entries_after(each)) for each in (number, other))
        return self.game.difference(before, after)

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
                raise ActRefused("there is nothing to redo")
            # What was open before the undo, which may be of an act from scenes ago.
            return self._take_back((undone,), EntryKind.REDO, self._campaign.scene_after(undone.number - 1))

    @again_if_overtaken
    def keep_edit(self, conflict: EditConflict) -> LogEntry:
        """Settle an edit conflict by keeping the file's value."""
        with self._turn():
            return self._act(keep_entry(self._campaign, conflict), self._state)

    def keep_game_value(self, conflict: EditConflict) -> LogEntry:
        """Settle an edit conflict by restoring the game's value."""
        return self.undo(conflict.entry.number)

    @again_if_overtaken
    def answer_file(self, *, keep: bool) -> LogEntry | None:
        """Answer the question about the files: `keep` the campaign file, or update it from the log. If the log has lost
        entries, go on from the files as they are, or from what this table knows. Return the entry that this made, if any.

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
            raise ActRefused(f"{unreadable.problems[0]}; nothing was done") from None
        self._held, self._campaign.patience = None, patience
        with self._turn(acts=False, answers=True):
            if before is None:
                return None
            self._store.edits.set_question_aside()
            return self._act(window_entry(self._campaign, before), replace(before.state, open=None))

    def plan_conversion(self, target: Game) -> ConversionPlan:
        """Return what would become of the campaign in another game. Changes nothing."""
        from waylog.store.conversion import plan_conversion

        return plan_conversion(self.game, self._state, target)

    def versions(self) -> list[str]:
        """Return the names of earlier versions of the campaign file, oldest first."""
        return [path.stem for path in self._campaign.history.all_versions()]

    @again_if_overtaken
    def restore(self, version: str) -> LogEntry:
        """Restore an earlier version of the campaign file, with its comments, as an act. Raises `ActRefused` or
        `UnreadableFile`.
        """
        found = {path.stem: path for path in self._campaign.history.all_versions()}
        if version not in found:
            raise ActRefused(f"there is no version “{version}”; known versions: {', '.join(found) or 'none'}")
        with self._turn(answers=True):
            self._store.edits.set_question_aside()
            path = found[version]
            theirs = read_campaign_file(self.game, Document.parse(read_bytes(path), path.name), None)
            entry = restore_entry(self._campaign, theirs, version)
            self._act(entry, replace(theirs.state, open=None))
            self._store.bring_back(theirs)
            return entry

    def retry_save(self) -> LogEntry:
        """Write the act that could not be written before. Raises `LogWriteFailed`, or `ActRefused` if others have
        played since.
        """
        if self._held is None:
            raise ActRefused("every action is saved")
        entry, state = self._held
        with self._turn(acts=False):
            self._held = None
            if self._log.lost:
                raise ActRefused(f"the log was replaced; enter “{entry.words}” again")
            with suppress(ActOvertaken):
                if entry.number == self._campaign.next_number:
                    return self._act(entry, state)
            raise ActRefused(f"the log has newer entries; enter “{entry.words}” again")

    def discard_unsaved(self) -> None:
        """Discard the act that could not be written."""
        self._held = None
        self._campaign.mark_changed()

    def limit_waiting(self, seconds: float) -> None:
        """Wait at most that long for another program to release the campaign; after that, acts raise `CampaignBusy`."""
        self._campaign.patience = seconds

    def refresh(self, patience: float | None = None, *, answers: bool = True) -> bool:
        """Take in what editors and other programs have written. Return True if the snapshot is a new one. Without `answers`,
        what players propose is read, but none of it is played or declined yet.

        Raises `CampaignBusy`, or `LogWriteFailed` if an edit can't be logged now; it is then taken in later. `patience`
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
        """Return one line on work that the last program left unfinished, and what was done about it; None if there was
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
        if acts and self._held:
            raise LogWriteFailed(f"“{self._held[0].words}” is not saved yet: retry or discard it first")
        with self._store.turn(patience):
            if acts and not answers and self._store.question:
                raise Unanswered(self._store.question, self.folder.name)
            yield

    def _find_offered_move(self, move: Move) -> Move:
        for offered in self._moves():
            if offered is move or offered.id == move.id:
                return offered
        raise ActRefused(f"“{move.id}” is no longer possible: something changed in the meantime")

    # -- the log ------------------------------------------------------------------------------------------------

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
            self._held = entry, state
            self._campaign.mark_changed()
            raise

    def _take_back(
        self, group: Sequence[LogEntry], kind: EntryKind, scene: dict[str, Any], words: str = ""
    ) -> LogEntry:
        entry = self._act(*undo_entry(self._campaign, group, kind, scene, words))
        self.hide_stakes()
        return entry

    # -- the files ----------------------------------------------------------------------------------------------

    def settle(self) -> bool:
        """Update `campaign.toml` and `players.toml` from the log. Return False if that isn't possible now: the file
        changed or is broken, was not compared since the start, or one of them can't be written.

        The long part holds no lock, so it may run in another thread than play.
        """
        with self._store.settling:
            settled = self._store.bring_up()
            return self._players.bring_up() and settled

    def file_is_behind(self) -> bool:
        """Whether the log is ahead of the campaign file, or of the players' file."""
        return self._campaign.file_is_behind() or self._players.behind is not None or self._players.has_new_reader

    @property
    def has_new_reader(self) -> bool:
        """Whether somebody has begun to watch and has nothing to see yet: `settle` writes the players' file."""
        return self._players.has_new_reader

    def add_reader(self) -> None:
        """Have the players' file written from now on, even if the campaign names no players; where that isn't possible, nothing is."""
        if not self.read_only:
            with suppress(OSError):
                request_players_file(self.folder)

    def projection(self, player: str = "") -> Projection:
        """Return everything that a player may see now; without a key, what all of them may."""
        from waylog.store.shown.players_file import project_table

        game, acting = self._proposals.players_game, open_paths(self._log, self._state)
        odds = self._players.odds_of_roll(game, player)
        stakes = self._players.find_stakes(game, self._state, player)
        return project_table(game, self._state, effective_entries(self._log), acting, odds, player, stakes)

    def entries(self) -> Iterator[LogEntry]:
        """Yield all readable entries, newest first."""
        return self._log.backwards()

    def latest(self) -> Iterator[LogEntry]:
        """Yield the entries that still hold, newest first."""
        return effective_entries(self._log)

    def latest_since(self, number: int) -> Iterator[LogEntry]:
        """Yield the entries after that one that still hold, newest first."""
        return effective_entries(self._log, number + 1)
