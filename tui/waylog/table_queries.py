"""`TableQueries`: everything that can be asked of an open campaign. Nothing here changes it: only `Table` does.

Screens and commands ask a `Table`, which is one: what may be done, what an act would do, what changed a value, what would be
undone, what players see. The answers describe the present, and none of them holds the lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import ChanceDice, Dice, Die
from waylog.rules.model.moves import Act, ActRefused, Move, NotThere
from waylog.rules.model.sessions import sessions_by_number
from waylog.rules.model.state import EntryKind, State
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log
from waylog.store.log.undo_and_scenes import (
    effective_entries,
    open_paths,
    reverse_entries,
    scene_so_far,
    step_act,
    step_scene,
)
from waylog.store.log.verification import SOME_MISSING_SINCE, no_entry_text
from waylog.store.players.players_file_update_and_stakes import PlayersUpdate
from waylog.store.store_and_new_log_entries import Store
from waylog.toml.document import Problem
from waylog.values import dataclass, replace

if TYPE_CHECKING:
    from waylog.rules.chains_of_acts import ChainOdds
    from waylog.rules.codec.changes import Change
    from waylog.rules.codec.form_fields_and_paths import FormSource
    from waylog.rules.language.completion_and_what_is_wrong import Completion
    from waylog.rules.language.line_tokens_and_matching import Line
    from waylog.rules.model.odds import Odds
    from waylog.rules.rulebook import Rulebook
    from waylog.rules.set_command import Setting
    from waylog.rules.what_players_know import Visibility
    from waylog.snapshot_and_act_preview import ActPreview, Snapshot, UndoPlan
    from waylog.store.file.template_and_conversion import ConversionPlan
    from waylog.store.log.search_and_filters import LogSearch
    from waylog.store.players.players_file import Projection
    from waylog.store.players.proposals import Proposal, Proposals
    from waylog.store.replay_and_misread_die import Replay
    from waylog.store.shown.luck_and_fairness import Luck, SealReport
    from waylog.store.shown.recap import Pace, Recap

T = TypeVar("T")

READ_ONLY = "this campaign is open read-only: to play, open it without --read-only"
_SOME_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""For an act that is tried while it is typed: nobody reads the clock for it."""


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


class TableQueries:
    """Answers questions about one open campaign. It imports modules that few questions need late, so that start-up is fast."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime], chance: Dice, read_only: bool = False) -> None:
        """Open the campaign in `folder`. Raises `UnreadableFile` with every problem, or `OSError`."""
        self._now, self._chance, self._may_act = now, chance, not read_only
        self._unsaved: tuple[LogEntry, State] | None = None
        """The act that could not be written, and the state after it."""
        self._open(folder)
        self._last_odds: _Remembered[Odds | None] = _Remembered(None)
        self._last_dice: _Remembered[tuple[Die, ...]] = _Remembered(())

    def _open(self, folder: Path) -> None:
        """Read the campaign from its files. Raises `UnreadableFile` or `OSError`."""
        sealing = self._chance if isinstance(self._chance, ChanceDice) else None
        self._store = Store(folder, now=self._now, read_only=not self._may_act, chance=sealing)
        self._campaign = self._store.campaign
        self._shown: tuple[int, Snapshot] | None = None
        self._offered: tuple[int, Sequence[Move]] | None = None
        self._players = PlayersUpdate(self._campaign)
        self.__dict__.pop("_proposals", None)  # Those of a campaign that was open before.

    def now(self) -> datetime:
        """Return the time that this table uses for everything."""
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

    @property
    def read_only(self) -> bool:
        """Whether this table can't play acts."""
        return self._campaign.read_only

    @property
    def why_read_only(self) -> str:
        """Why this table can't play acts, if it can't."""
        if self._store.game_is_missing:
            return f"nothing can be played without the game: {self._store.problems[0]}"
        return READ_ONLY

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

    @cached_property
    def _proposals(self) -> Proposals:
        from waylog.store.players.proposals import Proposals

        return Proposals(self._campaign)

    @property
    def snapshot(self) -> Snapshot:
        """Everything a screen shows. It is the same object until something changes."""
        version = self._campaign.version
        if self._shown is None or self._shown[0] != version:
            unlogged = self._unsaved[0] if self._unsaved else None
            from waylog.snapshot_and_act_preview import take_snapshot

            snapshot = take_snapshot(self._store, unlogged, self._players.behind)
            # A command that plays never looks for proposals, and does without their module.
            readings = self._proposals.read(snapshot.moves) if "_proposals" in self.__dict__ else ()
            proposals = tuple(each.proposal for each in readings if self.read_only or not each.needs_nobody)
            self._shown = version, replace(snapshot, proposals=proposals) if proposals else snapshot
        return self._shown[1]

    @property
    def question(self) -> str | None:
        """The question that must be answered first: the same as in the snapshot, but faster to get."""
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
        from waylog.store.log.grouped_acts_and_texts import LoggedActs
        from waylog.store.log.search_and_filters import LogSearch, LogText

        acts = LoggedActs(self.entry, self._log.mark.number, self.find_undos, self._log.find_rewinds)
        return LogSearch(LogText(self._log.files), acts)

    def understand(self, text: Line, verb: str = "") -> Act:
        """Return the one act that `text` means now. With `verb`, the text may leave that word out. Raises `CommandUnclear`, or another
        `ActRefused` for a command that is possible only at other moments.
        """
        from waylog.rules.language.command_parser import (
            NoSuchCommand,
            parse_act,
            refuse_abbreviation,
            refuse_for_last_word,
        )

        try:
            act = parse_act(self._moves(), text, verb)
        except NoSuchCommand as unclear:
            if self._store.game_is_missing:
                raise ActRefused(self.why_read_only) from None
            why = None if self.snapshot.question else self.snapshot.reference.why_not_now(unclear.word)
            if why is None:
                raise
            raise ActRefused(why.reason, why.clause) from None
        refuse_abbreviation(act, text)
        refuse_for_last_word(act, text)
        return act

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The players' proposals that are waiting for the wayfinder, oldest first (NM-45), as of the last `refresh`."""
        return self.snapshot.proposals

    def _moves(self) -> Sequence[Move]:
        # The app has them in its snapshot; a command that plays needs nothing else of one before its act.
        version = self._campaign.version
        if self._shown is not None and self._shown[0] == version:
            return self._shown[1].moves
        if self._offered is None or self._offered[0] != version:
            self._offered = version, self.game.moves(self._state)
        return self._offered[1]

    def _find_offered_move(self, move: Move) -> Move:
        for offered in self._moves():
            if offered is move or offered.id == move.id:
                return offered
        raise ActRefused(f"“{move.id}” can't be done any more, because something has changed in the meantime")

    def complete(self, text: str, verb: str = "") -> tuple[Completion, ...]:
        """Return the words that may come next in `text`."""
        from waylog.rules.language.completion_and_what_is_wrong import completions

        return completions(self.snapshot.moves, text, verb)

    def odds_of_later_roll(self, text: Line) -> tuple[Act, Odds | None] | None:
        """Return the roll that `text` means later, with its odds as things are now: once the open question is answered, or once another
        roll brings it. None if the text means something now, or nothing. Raises `ActRefused` as `understand` does.
        """
        from waylog.rules.language.command_parser import parse_act

        answered = self._state_once_answered(text)
        state = answered or self._state
        try:
            act = parse_act(self.game.moves(state), text)
            if answered is None:
                return None
        except ActRefused:
            try:
                act = parse_act(self.game.rolls_that_follow(state), text)
            except ActRefused:
                return None
        return act, self.game.odds(state, act.move, complete_answers(act.move, act.answers))

    def _state_once_answered(self, text: Line) -> State | None:
        """Return the state without the question that is open; None if none is, or if `text` means something now."""
        from waylog.rules.language.command_parser import NoSuchCommand, parse_act

        if self.snapshot.question is None:
            return None
        try:
            parse_act(self._moves(), text)
        except NoSuchCommand:
            return replace(self._state, open=None)
        except ActRefused:  # Whoever reads the text says what is wrong.
            return None
        return None

    def odds(self, act: Act) -> Odds | None:
        """Return the exact odds of a roll; None for other acts. Raises `ActRefused` if it isn't legal."""
        if not self._last_odds.holds(self.game, self._state, act):
            odds = self.game.odds(self._state, act.move, complete_answers(act.move, act.answers))
            self.game.check(self._state, act)
            self._last_odds = _Remembered(odds, self.game, self._state, act)
        return self._last_odds.answer

    def chain_odds(self, text: str) -> ChainOdds:
        """Return exactly where several acts in a row lead: `roll nav; damage ship if fiasco`. If a question is open that the first of them
        doesn't answer, it is taken as answered, with everything as it is now. Raises `ActRefused`.
        """
        from waylog.rules.chains_of_acts import chain_odds, read_chain

        links = read_chain(text)
        link = next(iter(links), None)
        answered = self._state_once_answered(link.words) if link else None
        return chain_odds(self.game, answered or self._state, links)

    def is_decided_by_dice(self, act: Act) -> bool:
        """Whether an act that is no roll has dice, so that `chain_odds` tells what it may come to."""
        return not act.move.rolls and bool(self.dice_to_type(act))

    def why_no_odds(self, act: Act) -> str:
        """Return why an act has no odds, as the end of a sentence."""
        return self.game.why_no_odds(self._state, act.move, act.answers)

    def dice_to_type(self, act: Act) -> tuple[Die, ...]:
        """Return the real dice that an act still needs besides those typed with it."""
        if not self._last_dice.holds(self.game, self._state, act):
            self._last_dice = _Remembered(self.game.dice_to_type(self._state, act), self.game, self._state, act)
        return self._last_dice.answer

    def awaited_dice(self) -> tuple[Die, ...]:
        """Return the real dice that the latest act still waits for, in order."""
        return self.game.awaited_dice(self._state)

    def preview(self, act: Act, now: datetime = _SOME_TIME) -> ActPreview:
        """Return what `play` would do with an act, without doing it. `now` is the time that the entry gets. Raises `ActRefused`
        as that would.
        """
        from waylog.snapshot_and_act_preview import preview_act

        act = replace(act, move=self._find_offered_move(act.move))
        odds, dice = self.odds(act), self.dice_to_type(act) if act.faces is None else ()
        return preview_act(self._campaign, act, dice, odds, self._chance, now, self._store.find_mentions)

    def form(self, path: ValuePath) -> FormSource:
        """Return the form of the thing that a row belongs to, as `Game.form` does.

        Raises `ActRefused` if the file has nothing there, or nothing can be set now.
        """
        if self.read_only:
            raise ActRefused(self.why_read_only)
        if self._find_setting() is None:
            raise ActRefused(f"Finish this first. {self.snapshot.question}")
        form = self.game.form(self._state, path)
        if form is None:
            raise ActRefused("this isn't a value in the campaign file, so there is nothing to edit")
        from waylog.store.kit import suggestions

        return replace(form, suggestions=suggestions(self.game))

    def _find_setting(self, verb: str = "set") -> Move | None:
        """Return the move that sets values; None while something has to be answered first."""
        return next((move for move in self.snapshot.moves if move.verb == verb and not move.blocked), None)

    def try_settings(self, settings: Sequence[Setting]) -> Sequence[Fault]:
        """Return the problems that these settings would cause."""
        return self.game.try_settings(self._state, settings).faults

    def shown_by_settings(self, settings: Sequence[Setting]) -> tuple[str, ...]:
        """Return the hidden things that these settings would show to players."""
        from waylog.rules.what_players_know import revealed_names

        return revealed_names(self._state, self.game.try_settings(self._state, settings).state, self.game.tables)

    def why(self, path: ValuePath) -> list[LogEntry]:
        """Return the entries that changed a value, newest first."""
        touching = set(self._log.entries_changing(path))
        if not touching:
            return []
        effective = effective_entries(self._log, min(touching))
        return [entry for entry in effective if entry.number in touching and not entry.is_undo]

    def undo_plan(self, number: int) -> UndoPlan:
        """Return the act that an entry belongs to, and later changes of the same values.

        Raises `ActRefused` if it was undone or can't be read, `KeyError` for a number without an entry.
        """
        from waylog.snapshot_and_act_preview import plan_undo

        return plan_undo(self._log, number, self.snapshot.entries)

    def shown_by_undo(self, entries: Sequence[LogEntry]) -> tuple[str, ...]:
        """Return the hidden things that undoing these entries would show to players."""
        from waylog.rules.what_players_know import revealed_names

        return revealed_names(self._state, reverse_entries(self.game, self._state, entries).state, self.game.tables)

    def scene_so_far(self) -> tuple[LogEntry, ...]:
        """Return what `rewind` would undo, oldest first (NM-43)."""
        return scene_so_far(self._log)

    def recap(self, session: int | None = None, *, secrets: bool = False) -> Recap:
        """Return the recap of a session (NM-41).

        The default is the latest one, or everything played if there has been none. 0 means acts between sessions. With
        `secrets` it includes everything hidden. Raises `ActRefused` for a session that doesn't exist.
        """
        from waylog.store.shown.recap import recap_of
        from waylog.store.shown.recap_in_markdown import describe_unused

        game, state, entries = self.game, self._state, effective_entries(self._log)
        if not secrets:
            return recap_of(entries, state, session, tables=game.tables)
        left = describe_unused(game.cards, state.prep)
        return recap_of(
            entries, state, session, tables=game.tables, secrets=True, panels=game.panels(state), unused=left
        )

    def campaign_so_far(self, *, secrets: bool = False) -> str:
        """Return all sessions, clocks and losses as Markdown: as players know them, or with everything hidden."""
        from waylog.store.shown.campaign_so_far_and_recap_forms import find_tolls, so_far

        recaps = [self.recap(number, secrets=secrets) for number in (*sessions_by_number(self._state.sessions), 0)]
        panels = self.game.panels(self._state)
        seen = panels if secrets else self.projection().panels
        shown = {(panel.title, row.label) for panel in seen for row in panel.rows}
        return so_far(recaps, find_tolls(effective_entries(self._log), panels, shown))

    def sight(self, *, secrets: bool = False) -> Visibility:
        """Return the `Visibility` of what all players see now; with `secrets`, of everything."""
        from waylog.rules.what_players_know import Visibility

        return (Visibility.of_wayfinder if secrets else Visibility.of_players)(self._state, self.game.tables)

    def rolls(self, *, secrets: bool = False) -> tuple[Sequence[Move], Callable[[Act], Odds | None]]:
        """Return the moves that are possible now, and a function that returns the exact odds of one of them and may raise `ActRefused`:
        as all players know them, or with `secrets` as they are.
        """
        if secrets:
            return self._moves(), self.odds
        game, state = self._proposals.players_game, self._state
        return game.moves(state), lambda act: game.odds(state, act)

    def moves_once_answered(self) -> Sequence[Move]:
        """Return the moves that an open question holds up, as they would be without it; none if no question is open."""
        return self.game.moves(replace(self._state, open=None)) if self.question else ()

    def replay(self, house_rules: Mapping[str, object], other: Rulebook | None = None) -> Replay:
        """Play the whole log again with its own dice, with other house rules or by another version of the game if they are given, and
        return what differs. Changes nothing.

        Raises `ActRefused` if a house rule can't have that value, the other version can't read the campaign, or the log lacks entries.
        """
        from waylog.store.replay_and_misread_die import replay

        changed = Game(other, self.game.tables) if other else None
        return replay(self.game, self._state, self._entries_after(self._log.begins_behind), house_rules, changed)

    def luck(self, session: int | None = None) -> Luck:
        """Return the results of all dice that are not undone, in one session or in the whole log."""
        from waylog.store.shown.luck_and_fairness import luck_of, rolls_of

        entries = [each for each in effective_entries(self._log) if session is None or each.session == session]
        return luck_of(rolls_of(reversed(entries), self.game.panels(self._state), self._state.dice))

    def check_seals(self) -> SealReport:
        """Recompute the sealed dice of the log from the seeds that it reveals, and return which of them match."""
        from waylog.store.shown.luck_and_fairness import check_seals

        return check_seals(self._log.since(0))

    def pace(self) -> Pace | None:
        """Return how the latest session was shared; None if it has fewer than three scenes."""
        try:
            return self.recap(secrets=True).pace
        except ActRefused:
            return None

    @property
    def at_stake(self) -> Act | None:
        """The roll whose stakes players see."""
        return self._players.roll.at_stake

    def _entries_after(self, number: int) -> tuple[LogEntry, ...]:
        """Return the entries after that one, oldest first, undone ones too. Raises `ActRefused` if it isn't there, or some are missing."""
        last = self._log.mark.number
        if not 0 <= number <= last:
            raise NotThere(no_entry_text(number, last))
        later = tuple(self._log.since(number))
        if len(later) != last - number:
            raise ActRefused(SOME_MISSING_SINCE)
        return later

    def step_act(self, number: int, by: int) -> int | None:
        """Return the last entry of the act before (`by` -1) or after (1) the act that ends with this entry; None if there is none."""
        return step_act(self._log, number, by)

    def step_scene(self, number: int, by: int) -> int | None:
        """Return the entry with which a scene or session begins, before (`by` -1) or after (1) that entry; the last entry if none comes
        after it, and None if there is none at all.
        """
        return step_scene(self._log, number, by)

    def changes_between(self, number: int, other: int) -> tuple[Change, ...]:
        """Return what changed between the state after one entry and the state after another. Raises `ActRefused` if either is missing."""
        from waylog.store.replay_and_misread_die import state_before

        before, after = (state_before(self.game, self._state, self._entries_after(each)) for each in (number, other))
        return self.game.difference(before, after)

    def plan_conversion(self, target: Game) -> ConversionPlan:
        """Return what a conversion to another game would keep, drop and ask. Changes nothing."""
        from waylog.store.file.template_and_conversion import plan_conversion

        return plan_conversion(self.game, self._state, target)

    def versions(self) -> list[str]:
        """Return the names of earlier versions of the campaign file, oldest first."""
        return [path.stem for path in self._campaign.history.all_versions()]

    def projection(self, player: str = "") -> Projection:
        """Return everything that a player may see now; without a key, what all players may see."""
        from waylog.store.players.players_file import project_table

        game, acting = self._proposals.players_game, open_paths(self._log, self._state)
        odds = self._players.roll.known_odds(game, player)
        stakes = self._players.roll.find_stakes(game, self._state, player)
        return project_table(game, self._state, effective_entries(self._log), acting, odds, player, stakes)

    def entries(self) -> Iterator[LogEntry]:
        """Yield all readable entries, newest first."""
        return self._log.backwards()

    def latest(self) -> Iterator[LogEntry]:
        """Yield the entries that are not undone, newest first."""
        return effective_entries(self._log)

    def may_hold(self, kind: EntryKind) -> bool:
        """Whether one of the latest entries may have that kind; see `Log.may_hold`."""
        return self._log.may_hold(kind)

    def latest_since(self, number: int) -> Iterator[LogEntry]:
        """Yield the entries after this one that are not undone, newest first."""
        return effective_entries(self._log, number + 1)
