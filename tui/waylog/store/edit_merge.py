"""The merge of a person's edit with what was played since its base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from waylog.rules.changes import Change, Path, format_path
from waylog.rules.facts import NoteFact
from waylog.rules.game import Game
from waylog.rules.state import State
from waylog.store.entries import LogEntry
from waylog.store.key_renames import KeyRename, leaves, renames
from waylog.toml.edits import ABSENT, lookup
from waylog.toml.formatting import format_value
from waylog.values import NamedTuple


class EditSplit(NamedTuple):
    """A person's changes, divided by whether play has changed the same values."""

    clean: list[Change]
    """Values that play has not changed."""
    against: list[Change]
    """Values that play has changed too."""
    renamed: list[tuple[Path, Path]]
    """Things with a new key. Play's changes to them are kept."""

    @property
    def removed_things(self) -> list[Path]:
        """The things that the person removed."""
        renamed = {old for old, _ in self.renamed}
        changes = (*self.clean, *self.against)
        return [c.path for c in changes if c.after is None and isinstance(c.before, dict) and c.path not in renamed]


def split_edit(game: Game, state: State, base: State, theirs: State, since: Sequence[LogEntry] = ()) -> EditSplit:
    """Return the changes from `base` to `theirs` that `state` lacks, divided by what play changed since.

    `since` are the entries after a base of which only the mark is known. An edit that is in one of them was already
    taken in, by another window or before a crash, and is left out.
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
            # Play removed the thing that the person edited: restore the whole thing, not just that value.
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
    """Give a thing its new key, together with play's changes to it and the person's other changes in it.

    Return False if play has removed it, or uses the new key for something else.
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
    """Return a table with these values."""
    tree: dict[str, Any] = {}
    for path, value in leaf_values.items():
        table = tree
        for key in path[:-1]:
            table = table.setdefault(key, {})
        if value is not None:
            table[path[-1]] = value
    return tree


def _in_which(change: Change, gone: Mapping[Path, Change]) -> Change | None:
    """Return the removed thing that contains the changed value, if any."""
    above = (gone.get(change.path[:count]) for count in range(1, len(change.path)))
    return next((whole for whole in above if whole is not None), None)


def told_by_hand(change: Change) -> NoteFact:
    """Return the log's note on a value that a person changed. Players don't see it."""
    return NoteFact(f"{format_path(change.path)} {plainly(change.before)} → {plainly(change.after)}", secret=True)


def plainly(value: Any) -> str:
    """Return a value for use in a sentence."""
    match value:
        case None:
            return "nothing"
        case dict():
            return "…"
        case _:
            return format_value(value)
