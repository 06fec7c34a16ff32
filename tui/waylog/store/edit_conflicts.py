"""Values that a person and the table have changed differently: found when a file is merged, kept in the log till settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from waylog.rules.changes import Change, Path, format_path
from waylog.rules.facts import NoteFact
from waylog.rules.game import Game
from waylog.rules.state import EntryKind, State
from waylog.store.entries import LogEntry
from waylog.store.key_renames import KeyRename, leaves, renames
from waylog.store.log import Log
from waylog.store.undo import effective_entries
from waylog.toml.edits import ABSENT, lookup
from waylog.toml.formatting import format_value
from waylog.values import dataclass

_RECENT = 40
"""How many entries back an unsettled conflict is still shown."""


@dataclass(frozen=True, slots=True)
class EditConflict:
    """A value that was changed by hand and in play since the version that the person had in front of them."""

    path: Path
    file: Any
    """What the file says, and stands."""
    played: Any
    """What play had made it."""
    entry: LogEntry
    """The entry that took the file's value; undoing it takes the played one."""


class EditSplit(NamedTuple):
    """What a person changed, parted by what play has done meanwhile."""

    clean: list[Change]
    """Values that play has left alone."""
    against: list[Change]
    """Values that play has changed too."""
    renamed: list[tuple[Path, Path]]
    """Things that have another key now; what play has done with them stays."""

    @property
    def removed_things(self) -> list[Path]:
        """Things that the person took out."""
        renamed = {old for old, _ in self.renamed}
        changes = (*self.clean, *self.against)
        return [c.path for c in changes if c.after is None and isinstance(c.before, dict) and c.path not in renamed]


def split_edit(game: Game, state: State, base: State, theirs: State, since: Sequence[LogEntry] = ()) -> EditSplit:
    """The difference between `base` and `theirs`, without what `state` holds already.

    `since` are the entries after a base that is known by its mark alone. An edit that one of them tells of was taken in
    already, by another window or before a crash, and what has become of it since is as it should be.
    """
    parted = EditSplit([], [], [])
    by_hand = [entry for entry in since if entry.kind.is_edit]
    edited_values = [(change.path, change.after) for entry in by_hand for change in entry.changes]
    gone = {change.path: change for change in game.difference(state, theirs) if change.before is None}
    changes = game.difference(base, theirs)
    for rename in renames([change for change in changes if (change.path, change.after) not in edited_values]):
        if _rename_thing(rename, game.write(state), parted):
            changes = tuple(change for change in changes if change not in (rename.gone, rename.come))
    for change in changes:
        if back := _in_which(change, gone):
            # Play has taken away what a person has changed: it comes back whole, not as that one value alone.
            if (back.path, back.after) not in edited_values and back not in parted.against:
                parted.against.append(back)
            continue
        if (change.path, change.after) in edited_values:
            continue
        seen_changes = game.difference(state, game.apply_changes(state, (change,)))
        if [(seen_change.path, seen_change.before) for seen_change in seen_changes] == [(change.path, change.before)]:
            parted.clean.append(change)
        elif seen_changes:
            parted.against.append(change)
    return parted


def _rename_thing(rename: KeyRename, now: Mapping[str, Any], parted: EditSplit) -> bool:
    """Give a thing its new key, with what play has made of it and with what else the person changed in it.

    False when play has taken it away, or has something else under the new key.
    """
    old, new = rename.gone.path, rename.come.path
    thing = lookup(dict(now), old)
    if thing is ABSENT or lookup(dict(now), new) is not ABSENT:
        return False
    before, after, leaf_values = dict(leaves(rename.gone.before)), dict(leaves(rename.come.after)), dict(leaves(thing))
    for path in {**before, **after}:
        if before.get(path) == after.get(path) or leaf_values.get(path) == after.get(path):
            continue
        if leaf_values.get(path) == before.get(path):
            leaf_values[path] = after.get(path)
        else:
            parted.against.append(Change((*new, *path), leaf_values.get(path), after.get(path)))
    parted.clean.extend([Change(old, thing, None), Change(new, None, _tree(leaf_values))])
    parted.renamed.append((old, new))
    return True


def _tree(leaf_values: Mapping[Path, Any]) -> dict[str, Any]:
    """The table with those values."""
    tree: dict[str, Any] = {}
    for path, value in leaf_values.items():
        table = tree
        for key in path[:-1]:
            table = table.setdefault(key, {})
        if value is not None:
            table[path[-1]] = value
    return tree


def _in_which(change: Change, gone: Mapping[Path, Change]) -> Change | None:
    """The thing in which the change is made, if that isn't there any more."""
    above = (gone.get(change.path[:count]) for count in range(1, len(change.path)))
    return next((whole for whole in above if whole is not None), None)


def open_conflicts(log: Log) -> tuple[EditConflict, ...]:
    """Conflicts that nobody has settled: their entry holds, was not kept, and the value was not changed since."""
    if not log.may_hold(
        EntryKind.AGAINST_PLAY
    ):  # as in most logs, and that is known sooner than their entries are read
        return ()
    found, changed, kept = [], set[Path](), set[int]()
    for entry in islice(effective_entries(log), _RECENT):
        if entry.kind is EntryKind.KEEP:
            kept.add(entry.settles)
        elif entry.kind is EntryKind.AGAINST_PLAY and entry.number not in kept:
            found += [EditConflict(c.path, c.after, c.before, entry) for c in entry.changes if c.path not in changed]
        changed.update(change.path for change in entry.changes)
    return tuple(reversed(found))


def told_by_hand(change: Change) -> NoteFact:
    """What the log says of a value that a person has changed: no player's business."""
    return NoteFact(f"{format_path(change.path)} {plainly(change.before)} → {plainly(change.after)}", secret=True)


def plainly(value: Any) -> str:
    """A value in a sentence."""
    match value:
        case None:
            return "nothing"
        case dict():
            return "…"
        case _:
            return format_value(value)
