"""The snapshot: everything that a screen shows, as values at one moment.

The preview of an act before it is carried out: what it would come to, its dice and odds; and of an undo, what else it would concern.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from waylog.rules.common.random_tables import Tables
from waylog.rules.common.scene_cards import Progress, SceneCards
from waylog.rules.model.act_lists_and_row_verbs import ActKeys
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.clocks_situations_and_timers import Clock, Situations, Timers
from waylog.rules.model.decks import Deck
from waylog.rules.model.dice import Dice, Die
from waylog.rules.model.facts import Fact
from waylog.rules.model.moves import Act, ActRefused, Move, RollKey
from waylog.rules.model.panels import Panel
from waylog.rules.model.players_and_permissions import Players
from waylog.rules.model.sessions import Sessions, under_way
from waylog.store.file.open_campaign import EditConflict, OpenCampaign, open_conflicts
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log
from waylog.store.log.undo_and_scenes import UndoStatus, act_entries, dependent_entries, effective_entries, undo_status
from waylog.store.shown.countdowns import Countdown, countdowns
from waylog.store.store_and_new_log_entries import Store, find_changed_text, play_entry
from waylog.toml.document import Problem
from waylog.values import dataclass, field

if TYPE_CHECKING:
    from waylog.rules.codec.form_fields_and_paths import FormPlace
    from waylog.rules.model.odds import Odds
    from waylog.rules.model.rules_reference import Reference
    from waylog.store.file.edit_base_merge_and_renames import FileQuestion
    from waylog.store.kit import KitChoice
    from waylog.store.players.proposals import Proposal


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that a screen shows, at one moment."""

    name: str
    system: str
    """The game's id."""
    system_name: str
    question: str | None
    """The question that has to be answered first."""
    moves: tuple[Move, ...]
    roll_key: RollKey
    """The moves that the roll key opens in this game."""
    act_keys: ActKeys
    """The keys for this game's verbs, where every game has the same keys."""
    panels: tuple[Panel, ...]
    board: Any
    """The value for the game's own view of what is open between two sides; None if nothing is."""
    clocks: Mapping[str, Clock]
    decks: Mapping[str, Deck]
    tables: Tables
    """The random tables of the campaign."""
    cards: SceneCards
    """The scene cards of the campaign (NM-50)."""
    prep: Progress
    """The campaign's progress with each card, by the name of its file."""
    find_mentions: Callable[..., tuple[str, ...]]
    """Returns a phrase for each line and veil of the table that the given texts mention (`lines.toml`)."""
    faulty_tables: Collection[str]
    """The keys of the tables that can't be rolled on because of faults in the tables themselves."""
    session: int
    """The number of the session in progress; 0 between sessions."""
    situations: Situations
    sessions: Sessions
    """All sessions, by number."""
    act: tuple[LogEntry, ...]
    """The entries of the latest act, or of the latest undo, oldest first; empty without a log."""
    settled_facts: tuple[Fact, ...]
    """The facts of an act that waits for real dice and that those dice can't change. None of them is logged yet."""
    missing_dice: tuple[str, ...]
    """The label of each real die that is still to be typed."""
    undo: tuple[LogEntry, ...]
    """The entries that undo would reverse, oldest first."""
    redo: LogEntry | None
    """The undo that redo would reverse."""
    entries: int
    """The number of entries in the log."""
    problems: tuple[Problem, ...]
    """The problems in the campaign file."""
    reference: Reference
    """The rules, for looking them up."""
    broken: bool
    """The file can't be read at the moment; play continues from its last good state."""
    unsaved: str | None
    """Why the campaign file is not up to date with the log."""
    held: LogEntry | None
    """An act that is only in memory, because the log could not be written. It is written next, or discarded."""
    conflicts: tuple[EditConflict, ...]
    """The unsettled edit conflicts. The file's values hold."""
    asked: FileQuestion | None
    """The question about the campaign file that must be answered before anything is played."""
    forms: Callable[[], tuple[FormPlace, ...]]
    """Returns the forms that can be opened from anywhere. They are worked out when they are first asked for."""
    scene: Callable[[], str]
    """Returns the title of the scene that is played; empty without one. It is looked for when it is first asked for."""
    read_only: bool
    has_scenes: bool = False
    """The game has a tab for what is open between two sides."""
    kit: Callable[[], tuple[KitChoice, ...]] = tuple
    """Returns what can be added from the starter kit now."""
    proposals: tuple[Proposal, ...] = ()
    """The proposals of players that wait, in the order in which they came (NM-45)."""
    players: Players = field(default_factory=dict)
    """The people of the table (NM-44)."""
    timers: Timers = field(default_factory=dict)
    """All timers (NM-47)."""
    countdowns: tuple[Countdown, ...] = ()
    """The timers that run, or that have ended since the latest act."""
    tried: int | None = None
    """The number of acts tried in “What if”, none of which has happened; None where acts are real."""
    as_of: int | None = None
    """The entry after which the campaign stands here, if it has gone on since."""
    differs: frozenset[str] = frozenset()
    """At an earlier moment, the keys of the rows, and the paths of the clocks and decks, that are different now."""

    def values(self) -> dict[str, object]:
        """Return everything that a view shows and that may differ between two moments, by key or path."""
        values: dict[str, object] = {row.key: row for panel in self.panels for row in panel.rows}
        progress = {key: self.prep.get(key) for key in self.cards}
        for kind, things in (("clocks", self.clocks), ("decks", self.decks), ("prep", progress)):
            values |= {f"{kind}.{key}": thing for key, thing in things.items()}
        for key, deck in self.decks.items():
            for card in deck.cards:
                values[f"decks.{key}.cards.{card}"] = deck.cards[card], deck.where(card), card in deck.shown
        return values


def take_snapshot(store: Store, unlogged: LogEntry | None, players_behind: str | None) -> Snapshot:
    """Return everything that a screen shows now. `unlogged` could not be written to the log; `players_behind` says why the players'
    file is not up to date.
    """
    campaign = store.campaign
    game, state, log = campaign.game, campaign.state, campaign.log
    act, take, conflicts = _latest(campaign)
    return Snapshot(
        name=state.name,
        system=game.system.id,
        system_name=game.system.name,
        question=game.question(state),
        moves=game.moves(state),
        roll_key=game.roll_key,
        act_keys=game.act_keys,
        panels=game.panels(state),
        board=game.board(state),
        has_scenes=game.system.board_of is not None,
        clocks=state.clocks,
        decks=state.decks,
        tables=game.tables,
        cards=game.cards,
        prep=state.prep,
        find_mentions=store.find_mentions,
        faulty_tables=game.faulty_tables(state),
        session=under_way(state.sessions),
        situations=state.situations,
        sessions=state.sessions,
        act=act,
        settled_facts=game.settled_facts(state),
        missing_dice=game.missing_dice(state),
        undo=take.undo,
        redo=take.redo,
        entries=log.last.number if log.last else 0,
        problems=store.problems,
        reference=game.reference(state),
        broken=bool(campaign.trouble),
        unsaved=campaign.unsaved or players_behind,
        held=unlogged,
        conflicts=conflicts,
        asked=store.question,
        forms=game.form_places,
        scene=campaign.scene_title,
        read_only=campaign.read_only,
        kit=store.kit_choices,
        players=state.players,
        timers=state.timers,
        countdowns=countdowns(state.timers, log.last.at if log.last else None) if state.timers else (),
    )


def _latest(campaign: OpenCampaign) -> tuple[tuple[LogEntry, ...], UndoStatus, tuple[EditConflict, ...]]:
    """Return the entries of the latest act, what undo and redo would reverse, and the unsettled edit conflicts."""
    log = campaign.log
    try:
        act = act_entries(log, log.last) if log.last else ()
        # Only what took over the answers of another act is undone and shown with different ones.
        act = _shown_act(log, act[-1]) if any(each.within for each in act) else act
        return act, undo_status(log), open_conflicts(log)
    except OSError:
        # The current state is valid even if the disk doesn't return older entries; the next call tries again.
        campaign.mark_changed()
        return (log.last,) if log.last else (), UndoStatus(), ()


def _shown_act(log: Log, entry: LogEntry) -> tuple[LogEntry, ...]:
    """Return the entries that still hold of the act that the log shows an entry with, oldest first. It isn't always the one that undo takes
    it with: an answer is shown with what asked, whatever was done before it was given.
    """
    from waylog.store.log.grouped_acts_and_texts import LoggedActs

    logged = LoggedActs(log.entry, log.mark.number)
    first = logged.act_of(entry)
    found = [each for each in effective_entries(log, first) if logged.act_of(each) == first]
    return tuple(reversed(found)) or (entry,)


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """An act of any age that can be undone."""

    act: tuple[LogEntry, ...]
    """The entries of the act, oldest first."""
    later: tuple[LogEntry, ...]
    """Later entries that changed the same values, oldest first."""


@dataclass(frozen=True, slots=True)
class ActPreview:
    """The result that an act would have if it were played now."""

    words: str
    entry: LogEntry | None
    """The entry that the log would get; None if dice or a card decide."""
    dice: tuple[Die, ...]
    """The dice that decide."""
    odds: Odds | None
    question: str | None = None
    """The question that would come next; None if nothing would be asked."""
    moves: tuple[Move, ...] = ()
    """The moves that would be possible then."""
    settled_facts: tuple[Fact, ...] = ()
    """The facts of an act that would wait for more dice, as far as they are certain."""


def preview_act(
    campaign: OpenCampaign,
    act: Act,
    dice: tuple[Die, ...],
    odds: Odds | None,
    chance: Dice,
    now: datetime,
    find_mentions: Callable[..., tuple[str, ...]],
) -> ActPreview:
    """Return what an act would come to, and change nothing. `dice` are those that decide it and are not typed yet: then its `odds` are all
    that is known. `find_mentions` tells which lines and veils of the table a text mentions. Raises `ActRefused` as playing it would.
    """
    from waylog.rules.lines_and_veils import hold_back

    words = format_act(act.move, complete_answers(act.move, act.answers))
    if dice:
        return ActPreview(words, None, dice, odds)
    game, before = campaign.game, campaign.state
    played = hold_back(before, game.play(before, act, chance, f"{now:%Y-%m-%d %H:%M:%S%z}"), act, find_mentions)
    after = played.state
    return ActPreview(
        words,
        play_entry(campaign, played, now, changed=find_changed_text(campaign, act)),
        (),
        None,
        game.question(after),
        game.moves(after),
        game.settled_facts(after),
    )


def plan_undo(log: Log, number: int, count: int) -> UndoPlan:
    """Return the act that an entry of a log with so many entries belongs to, and later changes of the same values.

    Raises `ActRefused` if it was undone or can't be read, `KeyError` for a number without an entry.
    """
    try:
        entry = log.entry(number)
    except KeyError:
        if not 0 < number <= count:
            raise
        raise ActRefused(f"entry {number} can't be read, so it can't be undone") from None
    now = {effective.number: effective for effective in effective_entries(log, down_to=number)}
    # A note or a scene with a new text first gets its old one back.
    entry = next((each for each in now.values() if number in each.undoes and each.kind.is_instead), entry)
    if entry.number not in now:
        raise ActRefused(f"entry {number}, “{entry.words}”, has already been undone")
    act = _shown_act(log, entry)
    return UndoPlan(act, dependent_entries(log, act))
