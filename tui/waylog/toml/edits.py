"""What a change to a TOML document is: a path, the value it is to hold, and how a person would spell that."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

Path = tuple[str, ...]


class EditRefused(Exception):
    """The change can't be made without touching something else, so nothing was changed; says why."""


class Absent:
    """The type of `ABSENT`."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()
"""Stands for a value that isn't there."""


class Edit(NamedTuple):
    """One change: what `path` is to hold, or `ABSENT` to take it out; `spelling` is how a person had written that value."""

    path: Path
    value: Any
    spelling: str | None = None


def lookup(tree: dict[str, Any], path: Path) -> Any:
    """The value at a path of keys, or `ABSENT`; arrays of tables are not looked into."""
    node: Any = tree
    for part in path:
        if not isinstance(node, dict) or part not in node:
            return ABSENT
        node = node[part]
    return node


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """Line and column of a place in a text, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
