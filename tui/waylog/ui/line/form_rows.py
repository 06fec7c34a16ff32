"""The rows of a form, as pure functions: what a thing and the entries that are open in it come to, line by line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum

from waylog.rules.codec.base import Asked, ValueShape
from waylog.rules.codec.changes import Path
from waylog.rules.codec.fields import (
    FieldGroup,
    FormField,
)
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
    MORE = 5
    """What a short form doesn't show yet. Enter shows it."""


@dataclass(frozen=True, slots=True)
class FormRow:
    """A row of a form. For a new entry, `part` is an empty entry."""

    kind: RowKind
    part: FormField | FieldGroup
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
        return isinstance(self.part, FormField) and self.part.shape in _TYPED


def list_rows(
    group: FieldGroup, opened: Collection[Path], depth: int = 0, *, is_short: bool = False
) -> Iterator[FormRow]:
    """Yield the rows of a table. Of the things in it, only those at `opened` show their fields. A short form has only what is asked
    first; there, a thing with one field is that field.
    """
    for part in group.parts:
        if is_short and part.asked is not Asked.FIRST:
            continue
        if isinstance(part, FormField):
            yield FormRow(RowKind.FIELD, part, depth)
        elif not part.is_keyed and (group.is_keyed or not group.path):
            is_open = part.path in opened
            yield FormRow(RowKind.ENTRY, part, depth, is_open)
            if is_open:
                yield from list_rows(part, opened, depth + 1, is_short=is_short)
        else:
            within = [*list_rows(part, opened, depth + 1, is_short=is_short)]
            if is_short and len(within) == 1 and within[0].kind is RowKind.FIELD:
                alone = replace(within[0].part, label=part.label, about=part.about)
                yield replace(within[0], part=alone, depth=depth)
                continue
            yield FormRow(RowKind.HEADING, part, depth, is_open=True)
            yield from within
    if group.new is not None:
        yield FormRow(RowKind.NEW, group.new, depth)


def common_length(path: Path, other: Path) -> int:
    """Return how many keys two paths have in common from their start."""
    count = 0
    for one, two in zip(path, other, strict=False):
        if one != two:
            break
        count += 1
    return count
