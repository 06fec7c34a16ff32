"""The rows of a form: which fields of a thing it has, under which headings, and where things within the thing open and are added."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum

from waylog.rules.codec.base_and_limits import Asked, ValueShape
from waylog.rules.codec.changes import Path
from waylog.rules.codec.form_fields_and_paths import (
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
    group: FieldGroup, opened: Collection[Path], depth: int = 0, *, asked: Asked | None = None
) -> Iterator[FormRow]:
    """Yield the rows of a table. Only the things at `opened` show their fields. With `asked`, only the fields that are asked then; a part
    that would have a single row is shown as that row.
    """
    is_later = asked is Asked.LATER
    for part in group.parts:
        if asked is Asked.FIRST and part.asked is not asked:
            continue
        if isinstance(part, FormField):
            if asked in (None, part.asked):
                yield FormRow(RowKind.FIELD, part, depth)
            continue
        is_entry = not part.is_keyed and (group.is_keyed or not group.path)
        if is_entry and not is_later:
            is_open = part.path in opened
            yield FormRow(RowKind.ENTRY, part, depth, is_open)
            if is_open:
                yield from list_rows(part, opened, depth + 1, asked=asked)
            continue
        if is_entry and part.path not in opened:
            continue  # What can wait in a thing follows once the thing is open.
        inside = None if is_later and part.asked is asked else asked
        within = [*list_rows(part, opened, depth + 1, asked=inside)]
        alone = within[0].part if len(within) == 1 and within[0].kind is RowKind.FIELD else None
        if inside and isinstance(alone, FormField) and alone.path[:-1] == part.path:
            label, about = (
                (f"{alone.label} ({part.label.lower()})", alone.about) if is_later else (part.label, part.about)
            )
            yield FormRow(RowKind.FIELD, replace(alone, label=label, about=about), depth)
        elif within or not is_later:
            # What stands above already has said what the part is.
            heading = replace(part, about="") if is_later and part.asked is not asked else part
            yield FormRow(RowKind.HEADING, heading, depth, is_open=True)
            yield from within
    if group.new is not None and not is_later:
        yield FormRow(RowKind.NEW, group.new, depth)
