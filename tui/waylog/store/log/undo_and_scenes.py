"""Going back in the log: what undo and redo would take back or put back, and the way from one scene or act to the next, with the title of
the scene that is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from waylog.rules.codec.changes import Change, Path
from waylog.rules.game import Game
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.state import EntryKind, State
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log
from waylog.values import dataclass, replace

NOTHING_TO_UNDO, NOTHING_TO_REDO = "there is nothing to undo", "there is nothing to redo"
_COUNTED = (EntryKind.PLAY, EntryKind.EFFECT, EntryKind.CARD)
"""The kinds of entries that change a count by an amount; any other sets it."""
_TURNS = 40
"""No act is undone and redone more often than this."""


@dataclass(frozen=True, slots=True)
class UndoStatus:
    """The acts that can be undone and redone now."""

    undo: tuple[LogEntry, ...] = ()
    """The entries of the latest act that still holds, oldest first; of an act in steps, those since something else that changed the
    same values.
    """
    redo: LogEntry | None = None
    """The undo that redo would reverse; None if something was done since."""


def undo_status(log: Log) -> UndoStatus:
    """Return what undo and redo would reverse now."""
    redo: LogEntry | None = None
    for entry in effective_entries(log):
        if entry.kind is EntryKind.REDO:
            continue
        if entry.is_undo:
            redo = redo or entry
            continue
        return UndoStatus(_steps_on_top(log, act_entries(log, entry)), redo)
    return UndoStatus((), redo)


def _steps_on_top(log: Log, act: tuple[LogEntry, ...]) -> tuple[LogEntry, ...]:
    """Return the steps of an act after anything else that was done between its steps and changed the same values: what was changed last
    is taken back first, or the values before could not come back.
    """
    if act[-1].number - act[0].number < len(act):
        return act
    between = max((one.number for one in dependent_entries(log, act) if not one.is_undo), default=0)
    return tuple(step for step in act if step.number > between)


def effective_entries(log: Log, down_to: int = 1) -> Iterator[LogEntry]:
    """Yield the entries that still hold, newest first. One that was undone and redone holds, and of a text that was changed twice the
    latest does. A scene has its latest title.
    """
    titles = dict[int, LogEntry]()
    for entry, is_over in mark_undone(log.backwards(down_to)):
        if is_over:
            continue
        if entry.kind is EntryKind.TITLE:
            titles = {**dict.fromkeys(entry.undoes, entry), **titles}
        yield replace(entry, facts=titles[entry.number].facts) if entry.number in titles else entry


def mark_undone(entries: Iterable[LogEntry]) -> Iterator[tuple[LogEntry, bool]]:
    """Yield entries, newest first, each with whether it holds no longer: a later one undid it, or stands in the same place."""
    gone = set[int]()
    for entry in entries:
        is_over = entry.number in gone or (entry.kind.is_instead and bool(entry.ends) and gone.issuperset(entry.ends))
        if not is_over:
            gone.update(entry.ends)
        yield entry, is_over


def act_entries(log: Log, entry: LogEntry) -> tuple[LogEntry, ...]:
    """Return the entries that still hold of the act that `entry` belongs to, oldest first."""
    found = [earlier for earlier in effective_entries(log, entry.root) if earlier.root == entry.root]
    return tuple(reversed(found)) or (entry,)


def open_entries(log: Log, state: State) -> tuple[LogEntry, ...]:
    """Return the entries of the open act, oldest first; nothing if no act is open."""
    number = log.last.open_act if state.open and log.last else 0
    try:
        return act_entries(log, log.entry(number)) if number else ()
    except KeyError:
        return ()


def who_began(log: Log, state: State) -> str:
    """Return the key of the player whose act is open: of several called rolls, the latest. Empty for the wayfinder."""
    entries = open_entries(log, state)
    is_called = state.open is not None and state.open.called is not None
    return "".join(entry.by for entry in (entries[-1:] if is_called else entries[:1]))


def open_paths(log: Log, state: State) -> frozenset[str]:
    """Return the paths of the people and things that the open act is about. Of several called rolls, that is the latest."""
    if state.open and state.open.called and state.open.called.now:
        return frozenset(state.open.called.now)
    return frozenset(path for entry in open_entries(log, state) for path in entry.about)


def dependent_entries(log: Log, act: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
    """Return later entries that still hold and changed a value that the act changed, or a part of it, oldest first. The undo of something
    later is none: both are as if nothing had been done.
    """
    changed_paths = {change.path for entry in act for change in entry.changes}
    later = {number for path in changed_paths for number in log.entries_changing(path) if number > act[0].number}
    later -= {entry.number for entry in act}
    found = [entry for entry in effective_entries(log, min(later)) if entry.number in later] if later else []
    return tuple(
        entry
        for entry in reversed(found)
        if not (_puts_back(log, entry, act) or (entry.is_undo and min(entry.undoes) > act[-1].number))
    )


def _puts_back(log: Log, entry: LogEntry, act: Sequence[LogEntry]) -> bool:
    """Whether an entry is a redo of that act, which is not a later change of its own."""
    if entry.kind is not EntryKind.REDO:
        return False
    undone = {number for undo in entry.undoes for number in log.entry(undo).undoes}
    return any(one.number in undone for one in act)


def is_latest(log: Log, act: Sequence[LogEntry]) -> bool:
    """Whether nothing was done since the act, except undoing and redoing it."""
    numbers = {entry.number for entry in act}
    if log.mark.number - act[-1].number > _TURNS:
        return False
    for entry in log.since(act[-1].number):
        if not numbers.intersection(entry.undoes):
            return False
        numbers.add(entry.number)
    return True


@dataclass(frozen=True, slots=True)
class ReversedState:
    """A state with the changes of some entries reversed."""

    state: State
    left_alone: tuple[NoteFact, ...]
    """Notes on values that have changed since, and so keep their current value."""
    wanted: Mapping[Path, Change]
    """For each value, the last change made to it, with its earlier source text."""


def reverse_entries(game: Game, state: State, group: Sequence[LogEntry]) -> ReversedState:
    """Reverse the entries' changes, newest entry first.

    A value that was changed again since is noted and kept; but a count that play changed, such as money, goes back by as much as it had
    changed, if it may. So a sale that is undone gives back the goods and takes the money. The changes of one entry are reversed in their
    order, so that things return in their old order.
    """
    notes, wanted = list[NoteFact](), dict[Path, Change]()
    for kind, change in [(entry.kind, change.reverse()) for entry in reversed(group) for change in entry.changes]:
        after = _if_still_so(game, state, change)
        if after is None and kind in _COUNTED and (counted := _count_back(game, state, change)):
            state = counted
            continue
        if after is None:
            notes.append(
                NoteFact(
                    f"Not undone, because it has changed since: {game.name_value(state, change.path)}",
                    secret=True,
                )
            )
            continue
        state = after
        wanted[change.path] = change
    return ReversedState(state, tuple(notes), wanted)


def _count_back(game: Game, state: State, change: Change) -> State | None:
    """Return the state with a count changed by as much as the change says; None if the value is no count or can't be that much. A count is
    a whole number that may be nothing: a face of a die is none.
    """
    from waylog.rules.codec.form_fields_and_paths import codec_at
    from waylog.rules.set_command import Setting  # Few undos need them.

    found = codec_at(game.tree, change.path)
    if type(change.before) is not int or type(change.after) is not int or not found or not found.limits:
        return None
    if found.limits.least > 0:
        return None
    try:
        now = [each.before for each in game.difference(state, game.apply_changes(state, (change,)))] or [change.after]
        wanted = now[0] + change.after - change.before if type(now[0]) is int else None
        if wanted is None or game.try_settings(state, (Setting(change.path, str(wanted)),)).faults:
            return None
        return game.apply_changes(state, (Change(change.path, now[0], wanted),))
    except ValueError:
        return None


def _if_still_so(game: Game, state: State, change: Change) -> State | None:
    """Return the state after the change, if its value is still the one that the change begins with; otherwise None."""
    try:
        after = game.apply_changes(state, (change,))
        back = game.apply_changes(after, (change.reverse(),))
    except ValueError:
        return None
    return None if game.difference(state, back) else after


_EVENING = 80
"""The entries in which the beginning of a scene is looked for."""


def scene_so_far(log: Log) -> tuple[LogEntry, ...]:
    """Return what was played since the last scene marker, or since the session began, oldest first; without either,
    nothing (NM-43). The end of a session ends its scene. An act of which a die was misread comes before its correction, and a note before
    the one with its new text: without that, it holds again.
    """
    found, gone = list[LogEntry](), set[int]()
    for entry in log.backwards(1):
        if entry.number in gone:
            continue
        if not entry.kind.is_instead:
            gone.update(entry.ends)
        if entry.kind in (EntryKind.SCENE, EntryKind.SESSION_BEGINS):
            return tuple(reversed(found))
        if entry.kind is EntryKind.SESSION_ENDS:
            return ()
        if not (entry.is_undo or entry.kind.is_session or entry.kind.is_edit or entry.kind is EntryKind.TITLE):
            found.append(entry)
    return ()


def scene_title(log: Log) -> str:
    """Return the title of the scene that is played, if it began in the latest acts; empty between scenes, and without a title."""
    if not log.may_hold(EntryKind.SCENE):  # Reading an evening's entries takes longer than drawing the window.
        return ""
    for entry in islice(effective_entries(log), _EVENING):
        if entry.kind is EntryKind.SCENE:
            return next((fact.quote or "" for fact in entry.facts if isinstance(fact, NoteFact)), "")
        if entry.kind in (EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS):
            return ""
    return ""


def step_act(log: Log, number: int, by: int) -> int | None:
    """Return the last entry of the act before (`by` -1) or after (1) the one that ends with an entry; None if there is none."""
    last = log.mark.number
    number += by
    while 0 <= number < last and log.entry(number + 1).root != number + 1:
        number += by
    return number if 0 <= number <= last else None


def step_scene(log: Log, number: int, by: int) -> int | None:
    """Return the entry with which a scene or session begins, before (`by` -1) or after (1) that entry; the last entry if none comes
    after it, and None if there is none at all.
    """
    last = log.mark.number
    found = log.find_scenes(1, number)[::-1] if by < 0 else log.find_scenes(number + 1, last + 1)
    for one in found:
        with suppress(KeyError):
            if log.entry(one).kind in (EntryKind.SCENE, EntryKind.SESSION_BEGINS):
                return one
    return last if number < last and by > 0 else None


def numbers_within(scenes: Iterable[range], count: int) -> Iterator[int]:
    """Yield the numbers in these ranges up to `count`, highest first."""
    for scene in sorted(scenes, key=lambda scene: -scene.start):
        yield from reversed(range(scene.start, min(scene.stop, count + 1)))


def scenes_named(title: str, scenes: Iterable[tuple[str, range]]) -> tuple[range, ...]:
    """Return the entries of the scenes whose titles have that text in them."""
    from waylog.rules.language.similar_names import fold  # Only who looks for a scene needs it.

    return tuple(entries for name, entries in scenes if fold(title) in fold(name))
