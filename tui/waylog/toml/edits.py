"""The parts of a change to a TOML document: a path, the new value, and its source text."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

Path = tuple[str, ...]


class EditRefused(Exception):
    """The change can't be made without altering something else, so nothing was changed. Says why."""


class Absent:
    """The type of `ABSENT`."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()
"""Stands for a missing value."""


class Edit(NamedTuple):
    """One change: the new value of `path`, or `ABSENT` to remove it. `spelling` is the source text that a person gave
    that value.
    """

    path: Path
    value: Any
    spelling: str | None = None


def lookup(tree: dict[str, Any], path: Path) -> Any:
    """Return the value at a path of keys, or `ABSENT`. Arrays of tables are not searched."""
    node: Any = tree
    for part in path:
        if not isinstance(node, dict) or part not in node:
            return ABSENT
        node = node[part]
    return node


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """Return line and column of a position in a text, both counted from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
