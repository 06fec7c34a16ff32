"""A key that a person has renamed, as `[crew.imre]` to `[crew.otto]`: found in an edit, and told from deleting one and adding another.

One thing that went and one that came in the same table are a rename when they are much alike. Each written value counts, with
the path it stands at: of all values that either has, the share that both have must be at least a half when they have the same
name, and three quarters, of four values or more, when the names differ. The most alike are paired first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from waylog.rules.changes import Change, Path, format_path

_SAME_NAME, _OTHER_NAME = 0.5, 0.75
_LEAST_VALUES = 4
_KEPT = ("name", "title", "text")
"""What a thing is called."""


class KeyRename(NamedTuple):
    """One thing under another key."""

    gone: Change
    """It under the old key, as the person had it before them."""
    come: Change
    """It under the new key, with whatever else the person changed in it."""


def renames(changes: Sequence[Change]) -> list[KeyRename]:
    """The pairs of changes that are renames."""
    gone = [change for change in changes if change.after is None and isinstance(change.before, dict)]
    come = [change for change in changes if change.before is None and isinstance(change.after, dict)]
    pairs = [
        (_likeness(old, new), KeyRename(old, new)) for old in gone for new in come if old.path[:-1] == new.path[:-1]
    ]
    found, used = list[KeyRename](), set[Path]()
    for likeness, pair in sorted(pairs, key=lambda each: -each[0]):
        if likeness > 0 and not used.intersection((pair.gone.path, pair.come.path)):
            used.update((pair.gone.path, pair.come.path))
            found.append(pair)
    return found


def _likeness(gone: Change, come: Change) -> float:
    """How much of the two is the same, from 0 to 1; 0 when that is too little for one thing."""
    old, new = dict(leaves(gone.before)), dict(leaves(come.after))
    both = {path for path in old if path in new and old[path] == new[path]}
    either = {*old, *new}
    if not either:
        return 1.0
    share = len(both) / len(either)
    names = [(tree.get((key,))) for tree in (old, new) for key in _KEPT if (key,) in tree]
    if len(set(map(str, names))) <= 1:
        return share if share >= _SAME_NAME else 0.0
    return share if share >= _OTHER_NAME and len(either) >= _LEAST_VALUES else 0.0


def leaves(tree: Any, above: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value in a table that is no table itself, with its path."""
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from leaves(value, (*above, key))
    else:
        yield above, tree


def find_references(tree: Mapping[str, Any], path: Path) -> list[str]:
    """Where a campaign still names a thing by its old key, as `clocks.storm.set_by`."""
    key = path[-1]
    found = []
    for place, value in leaves(tree):
        values = value if isinstance(value, list) else [value]
        # A text that happens to be the same word, as a note may, names nothing.
        if place[-1:] not in _TEXTS and key in [each for each in values if isinstance(each, str)]:
            found.append(format_path(place))
    return found


_TEXTS = (("name",), ("about",), ("role",), ("notes",), ("outcome",), ("text",), ("title",))
