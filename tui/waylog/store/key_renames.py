"""Find renamed keys in an edit, such as `[crew.imre]` to `[crew.otto]`, and tell them from a deletion and an addition.

One removed and one added thing of the same table are a rename if they are similar enough. All their values count, each
with its path. Of all values that either has, the share that both have must be at least a half if they have the same
name; otherwise three quarters, of at least four values. The most similar pairs are matched first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from waylog.rules.changes import Change, Path, format_path
from waylog.values import NamedTuple

_SAME_NAME, _OTHER_NAME = 0.5, 0.75
_LEAST_VALUES = 4
_KEPT = ("name", "title", "text")
"""The keys that name a thing."""


class KeyRename(NamedTuple):
    """One thing that has a new key."""

    gone: Change
    """The thing under its old key, as in the base."""
    come: Change
    """The thing under its new key, with the person's other changes."""


def renames(changes: Sequence[Change]) -> list[KeyRename]:
    """Return the pairs of changes that are renames."""
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
    """Return how similar the two are, from 0 to 1; 0 if they are too different to be one thing."""
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
    """Yield every value in a table that is not a table itself, with its path."""
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from leaves(value, (*above, key))
    else:
        yield above, tree


def find_references(tree: Mapping[str, Any], path: Path) -> list[str]:
    """Return the paths where a campaign still uses a thing's old key, such as `clocks.storm.set_by`."""
    key = path[-1]
    found = []
    for place, value in leaves(tree):
        values = value if isinstance(value, list) else [value]
        # A free text that happens to be the same word, such as a note, is not a reference.
        if place[-1:] not in _TEXTS and key in [each for each in values if isinstance(each, str)]:
            found.append(format_path(place))
    return found


_TEXTS = (("name",), ("about",), ("role",), ("notes",), ("outcome",), ("text",), ("title",))
