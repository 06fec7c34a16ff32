"""Entries of a log grouped into acts, as every list of them shows it: follow-ups and undos are folded into the act they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime

from waylog.rules.model.state import EntryKind
from waylog.store.log.entries import Entries, LogEntry
from waylog.toml.document import UnreadableFile
from waylog.values import dataclass, replace

FindRewinds = Callable[[int], tuple[range, Iterable[int]]]
"""Returns, for the number of an entry, a range of numbers with it, and the rewinds that may have undone entries with these."""
FindUndos = Callable[[int, int], Iterable[int]]
"""Returns the numbers of entries that may undo others, from one number up to but not including another, counting up."""
UNREADABLE = LogEntry(0, datetime(1, 1, 1, tzinfo=UTC), "")
"""Stands for an entry that can't be read."""
_FOLDED = (EntryKind.UNDO, EntryKind.REDO)
_SCENE_ENDS = (EntryKind.SCENE, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)
"""The kinds of entries that a rewind doesn't reach behind."""
_FORWARD = (EntryKind.PLAY, EntryKind.NOTE, EntryKind.SECRET)
"""Kinds of entries that don't open again what is over."""
FAR = 100
"""Follow-ups and undos are looked for within so many entries after an act."""
_TOGETHER = 1_000
"""The entries of which undos are looked for at one time."""


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """An act of the log: its entries, oldest first, and the undo that reversed it, if it no longer holds."""

    entries: tuple[LogEntry, ...]
    undone: LogEntry | None = None
    rewound: bool = False
    """It was of a scene that was rewound, so it is shown on request only (NM-43)."""
    written: LogEntry | None = None
    """The note as it was written, if its text was changed since."""

    @property
    def first(self) -> LogEntry:
        """The entry that began it."""
        return self.entries[0]


class LoggedActs:
    """The acts of a log, each by the number of its first entry. Only the requested entries are read."""

    def __init__(
        self,
        entries: Entries,
        count: int,
        find_undos: FindUndos | None = None,
        find_rewinds: FindRewinds | None = None,
    ) -> None:
        """`find_undos` finds the undos faster than by reading every entry. Without `find_rewinds`, a rewind is known once its own
        entry was asked for, as it is before the acts that it undid if these are listed newest first.
        """
        self._entries = entries
        self._find_undos, self._find_rewinds = find_undos or range, find_rewinds
        self._together = _TOGETHER if find_undos else 0
        self.count = count
        """The number of the latest entry; later ones are as if they weren't there. It may be raised when the log grows."""
        self._looked_at = set[int]()
        self._takers: dict[int, list[int]] = {}
        self._scenes: dict[int, frozenset[int]] = {}
        """For each known rewind, the entries that are left out because of it."""
        self._searched = 0, range(0)
        """Where rewinds were looked for last, and how many entries there were."""

    def read(self, number: int) -> LogEntry:
        """Return an entry, or `UNREADABLE`."""
        try:
            return self._entries(number)
        except (KeyError, UnreadableFile, OSError):
            return UNREADABLE

    def act(self, number: int, *, rewound: bool = False) -> LoggedAct | None:
        """Return the act that begins with that entry. None for an entry of another act; and for one of a scene that was rewound,
        unless these are wanted, too (NM-43).
        """
        entry = self.read(number)
        if entry is UNREADABLE:
            return LoggedAct((replace(UNREADABLE, number=number),))
        if self._is_folded(entry) or self._is_follow_up(entry):
            return None
        rewind = self.rewind_of(number)
        if rewind and not rewound:
            return None
        undone = self._undo_of(number) or (self.read(rewind) if rewind else None)
        if undone and undone.kind.is_instead and number == min(undone.undoes):
            # The new text stands where the note was written, and what dice really showed where they were rolled.
            kind = entry.kind
            changed = replace(undone, number=number, root=number, at=entry.at, session=entry.session, kind=kind)
            return LoggedAct((changed, *self._follow_ups(undone)), written=entry)
        return LoggedAct((entry, *self._follow_ups(entry)), undone, rewound=bool(rewind))

    def rewind_of(self, number: int) -> int:
        """Return the rewind of the scene that an entry was of; 0 if that wasn't rewound, or was brought back (NM-43)."""
        if self._find_rewinds is None:
            self._note_rewind(number)
        elif self._searched[0] != self.count or number not in self._searched[1]:
            numbers, rewinds = self._find_rewinds(number)
            self._searched = self.count, numbers
            for rewind in rewinds:
                if rewind <= self.count:
                    self._note_rewind(rewind)
        found = (rewind for rewind, scene in self._scenes.items() if number in scene and not self._undo_of(rewind))
        return next(found, 0)

    def _note_rewind(self, number: int) -> None:
        """Note which entries a rewind leaves out: those it undid; those of its scene that had been undone before, with their undos."""
        rewind = self.read(number)
        if number in self._scenes or rewind.kind is not EntryKind.REWIND:
            return
        gone, left_out = {*rewind.undoes}, set[int]()
        for earlier in range(number - 1, 0, -1):
            entry = self.read(earlier)
            if earlier not in gone:
                if entry.kind in _SCENE_ENDS:
                    break
                gone.update(entry.ends)
            if earlier in gone or entry.kind in _FOLDED:
                left_out.add(earlier)
        self._scenes[number] = frozenset(left_out)

    def first_of(self, number: int) -> int:
        """Return the number of the act that an entry belongs to, or of one near it if that is not shown."""
        number = self.root_of(number)
        return number if self.act(number) else self.before(number) or self.after(number)

    def root_of(self, number: int) -> int:
        """Return the number of the first entry of the act that an entry follows, undid or redid; or is."""
        for _ in range(FAR):
            entry = self.read(number)
            if self._is_folded(entry) and entry.undoes:
                number = min(entry.undoes)
            elif entry is not UNREADABLE and self._is_follow_up(entry):
                number = self._shown_with(entry)
            else:
                break
        return number

    def before(self, number: int) -> int:
        """Return the number of the act before that entry; 0 if there is none."""
        return next((one for one in range(min(number, self.count + 1) - 1, 0, -1) if self.act(one)), 0)

    def after(self, number: int) -> int:
        """Return the number of the act after that entry; 0 if there is none."""
        return next((one for one in range(number + 1, self.count + 1) if self.act(one)), 0)

    def newest_first(self, number: int | None = None) -> Iterator[LoggedAct]:
        """Yield acts, newest first, from the one that begins with that entry, or from the latest."""
        for one in range(self.count if number is None else number, 0, -1):
            if act := self.act(one):
                yield act

    def _is_folded(self, entry: LogEntry) -> bool:
        """Whether an entry is shown with the one that it undid, redid or changed."""
        return entry.kind in _FOLDED or (entry.kind.is_instead and bool(entry.undoes))

    def _is_follow_up(self, entry: LogEntry) -> bool:
        return 0 < self._shown_with(entry) < entry.number

    def _shown_with(self, entry: LogEntry) -> int:
        """Return the number of the entry that an entry is shown with, or its own. What was done while a question was open takes over
        the answers, for undo; they are none of its doing, and are shown behind it.
        """
        if entry.number <= entry.root or not self.read(entry.root).within:
            return entry.root
        later = range(max(entry.root, entry.number - FAR) + 1, entry.number)
        return next((one for one in later if self.read(one).root == entry.root), entry.number)

    def _follow_ups(self, root: LogEntry) -> Iterator[LogEntry]:
        """Yield the follow-ups of an act. Between them come only undos, and acts that leave what is open to it."""
        for number in range(root.number + 1, min(self.count, root.number + FAR) + 1):
            entry = self.read(number)
            if self._is_follow_up(entry) and self._shown_with(entry) == root.number:
                yield entry
            elif entry.kind in _FORWARD and entry.root == entry.number and entry.open_act != root.root:
                break

    def _undo_of(self, number: int) -> LogEntry | None:
        """Return the undo or rewind that reversed an entry, unless it was reversed itself. It is near the entry."""
        last = min(self.count, number + FAR)
        if any(one not in self._looked_at for one in range(number + 1, last + 1)):
            # Who looks at one act mostly looks at those before it next.
            later = {*range(max(1, number + 1 - self._together), last + 1)} - self._looked_at
            self._looked_at |= later
            for taker in self._find_undos(min(later), max(later) + 1):
                if taker in later:
                    for undone in self.read(taker).undoes:
                        self._takers.setdefault(undone, []).append(taker)
        takers = [taker for taker in self._takers.get(number, ()) if self._undo_of(taker) is None]
        return self.read(takers[-1]) if takers else None


def latest_acts(entries: Entries, count: int) -> Iterator[LoggedAct]:
    """Yield the acts of a log with so many entries, newest first."""
    with suppress(OSError):
        yield from LoggedActs(entries, count).newest_first()
