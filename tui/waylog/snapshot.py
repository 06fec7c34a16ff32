"""What a table shows: values, as they stood at one moment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from waylog.rules.common.clocks import Clock
from waylog.rules.common.decks import Deck
from waylog.rules.common.random_tables import Tables
from waylog.rules.common.sessions import Sessions
from waylog.rules.common.situations import Situations
from waylog.rules.facts import Fact
from waylog.rules.moves import Move, RollKey
from waylog.rules.panels import Panel
from waylog.rules.reference import Reference
from waylog.store.edit_conflicts import EditConflict
from waylog.store.edit_questions import FileQuestion
from waylog.store.entries import LogEntry
from waylog.toml.document import Problem
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """An act of any age that may be taken back."""

    act: tuple[LogEntry, ...]
    """Its entries, oldest first."""
    later: tuple[LogEntry, ...]
    """Later entries that changed the same values, oldest first; they rest on it."""


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
    roll_key: RollKey
    """What the key for rolling opens in this game."""
    panels: tuple[Panel, ...]
    board: Any
    """What lies open between sides, as the system's own value; None where nothing does."""
    clocks: Mapping[str, Clock]
    decks: Mapping[str, Deck]
    tables: Tables
    """The random tables of the campaign."""
    faulty_tables: Collection[str]
    """The keys of those that can't be rolled on, because of what is wrong in themselves."""
    session: int
    """The number of the session under way; 0 between sessions."""
    situations: Situations
    sessions: Sessions
    """Every session there has been, by number."""
    act: tuple[LogEntry, ...]
    """The entries of the latest act, or the latest undo, oldest first; empty in a campaign without a log."""
    settled_facts: tuple[Fact, ...]
    """What has happened already in an act that waits for real dice; nothing of it is logged before they are typed."""
    missing_dice: tuple[str, ...]
    """What each real die is for that is still to be typed."""
    undo: tuple[LogEntry, ...]
    """What undo would take back, oldest first."""
    redo: LogEntry | None
    """The undo that redo would take back."""
    entries: int
    """How many entries the log has."""
    problems: tuple[Problem, ...]
    """What is wrong in the campaign file."""
    reference: Reference
    """The rules as they are looked up."""
    broken: bool
    """The file can't be read at the moment; play goes on from its last good state."""
    unsaved: str | None
    """Why the campaign file could not be brought up to the log."""
    held: LogEntry | None
    """An act that is in memory alone, because the log could not be written. It is written next, or dropped."""
    conflicts: tuple[EditConflict, ...]
    """Values that a person and the table have changed differently; the file's stand."""
    asked: FileQuestion | None
    """What has to be answered about the campaign file before anything is played."""
    read_only: bool
