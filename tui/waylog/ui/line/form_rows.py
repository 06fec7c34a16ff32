"""The rows of a form, as pure functions: what a thing and the entries that are open in it come to, line by line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum

from waylog.rules.changes import Path
from waylog.rules.codec.base import ValueShape
from waylog.rules.fields import Field, FieldGroup
from waylog.values import dataclass, replace

_TYPED = (ValueShape.TEXT, ValueShape.NUMBER, ValueShape.LIST)
"""What is typed; the rest is chosen."""


class RowKind(Enum):
    """The kinds of rows in a form."""

    FIELD = 1
    HEADING = 2
    """The name of a table whose fields follow. The cursor never stands on it."""
    ENTRY = 3
    """A thing within the thing, which Enter opens and closes."""
    NEW = 4
    """A place for the name of one more entry."""


@dataclass(frozen=True, slots=True)
class FormRow:
    """A row of a form. For a new entry, `part` is an empty entry."""

    kind: RowKind
    part: Field | FieldGroup
    depth: int
    is_open: bool = False

    @property
    def takes_cursor(self) -> bool:
        return self.kind is not RowKind.HEADING

    @property
    def is_text(self) -> bool:
        """Whether letters are typed into the row."""
        if self.kind is RowKind.NEW:
            return True
        return isinstance(self.part, Field) and self.part.shape in _TYPED


def list_rows(group: FieldGroup, opened: Collection[Path], depth: int = 0) -> Iterator[FormRow]:
    """Yield the rows of a table. Of the things in it, only those at `opened` show their fields."""
    for part in group.parts:
        if isinstance(part, Field):
            yield FormRow(RowKind.FIELD, part, depth)
        elif not part.is_keyed and (group.is_keyed or not group.path):
            is_open = part.path in opened
            yield FormRow(RowKind.ENTRY, part, depth, is_open)
            if is_open:
                yield from list_rows(part, opened, depth + 1)
        else:
            yield FormRow(RowKind.HEADING, part, depth, is_open=True)
            yield from list_rows(part, opened, depth + 1)
    if group.new is not None:
        yield FormRow(RowKind.NEW, group.new, depth)


def is_within(path: Path, of: Path) -> bool:
    """Return whether `path` is `of` or lies below it."""
    return path[: len(of)] == of


def common_length(path: Path, other: Path) -> int:
    """Return how many keys two paths have in common from their start."""
    count = 0
    for one, two in zip(path, other, strict=False):
        if one != two:
            break
        count += 1
    return count


def find_table(group: FieldGroup, path: Path) -> FieldGroup:
    """Return the table at a path within a group."""
    while group.path != path:
        group = next(part for part in group.parts if isinstance(part, FieldGroup) and is_within(path, part.path))
    return group


def with_entry(group: FieldGroup, entry: Field | FieldGroup, at: int | None = None) -> FieldGroup:
    """Return the group with one more entry in the table that it belongs to: at that place, or the last."""
    holder = find_table(group, entry.path[:-1])
    place = len(holder.parts) if at is None else at
    return _with_parts(group, holder.path, (*holder.parts[:place], entry, *holder.parts[place:]))


def without_entry(group: FieldGroup, path: Path) -> FieldGroup:
    """Return the group without the entry at a path."""
    holder = find_table(group, path[:-1])
    return _with_parts(group, holder.path, tuple(part for part in holder.parts if part.path != path))


def _with_parts(group: FieldGroup, holder: Path, parts: tuple[Field | FieldGroup, ...]) -> FieldGroup:
    if group.path == holder:
        return replace(group, parts=parts)
    inner = tuple(
        _with_parts(part, holder, parts) if isinstance(part, FieldGroup) and is_within(holder, part.path) else part
        for part in group.parts
    )
    return replace(group, parts=inner)
