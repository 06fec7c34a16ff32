"""A form as it is being filled in: the fields of a thing, the text typed into them, and the faults in it.

`FormDraft` knows no window. The screen gives it keys and asks for its rows. The changes come out as `settings`, which one act
sets. The fields are described by the game (`rules/codec/form_fields_and_paths.py`), and every change is checked by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import takewhile

from waylog.rules.codec.base_and_limits import Asked, Fault, ValueShape
from waylog.rules.codec.changes import INSIDE_QUOTES, NEW, Path, join_names, quoted_text
from waylog.rules.codec.form_fields_and_paths import (
    ANY,
    FieldGroup,
    FormField,
    FormSource,
    Suggestion,
    find_table,
    is_within,
    with_entry,
    with_key,
    without_entry,
)
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.set_command import Setting
from waylog.ui.line.line_editor_and_recall import LineEditor
from waylog.ui.views.form_rows import FormRow, RowKind, list_rows
from waylog.values import dataclass, replace

_CAN_WAIT = FieldGroup((), "Can wait until you play", "", ())
"""Stands above what a short form asks for last."""
Check = Callable[[Sequence[Setting]], Sequence[Fault]]
"""Returns the faults that a campaign would have after these settings and that it doesn't have now."""
_TRUE, _FALSE = "true", "false"
_NAME = "name"
"""The key of a thing's name, which is the first of its fields."""
_NAME_AND_NUMBER = r"(.*[^\s=:])\s*[\s=:]\s*([+-]?[0-9]{1,18})"
"""What may be typed as a new entry whose value is a number: `piloting 2`."""
_QUOTED_NAME = rf'"(?P<straight>{INSIDE_QUOTES})"\s*[=:]?\s*(?P<number>[+-]?[0-9]{{1,18}})?'
"""A name in quotes, which may end in a number of its own: `"Unit 4"`, or `"Unit 4" 3`."""


@dataclass(frozen=True, slots=True)
class _Removed:
    """An entry that was removed in the form, with what brings it back."""

    part: FormField | FieldGroup
    place: int
    is_added: bool
    """It isn't in the file yet."""
    added: tuple[Path, ...]
    """What it has that isn't in the file yet."""


@dataclass(frozen=True, slots=True)
class _Emptied:
    """A slot that was emptied in the form, with what had been typed into it."""

    slot: FieldGroup
    texts: Mapping[Path, str]


class FormDraft:
    """The fields of a thing with what a person has typed so far. Each key changes it."""

    def __init__(self, source: FormSource, check: Check) -> None:
        self.source = source
        self._check = check
        self._group = source.group
        self._texts: dict[Path, str] = {next(source.group.fields).path: source.name} if source.name else {}
        self._added: list[Path] = []
        """Entries that aren't in the file yet, in the order in which they were named."""
        self._removed: list[_Removed | _Emptied] = []
        self._open: set[Path] = set()
        self._taken: Sequence[Suggestion] = ()
        """The suggestions that Tab goes round, with the one that it took last at the front."""
        self._brought: dict[Path, Mapping[Path, str]] = {}
        """By the field of a thing's name, what that name filled in."""
        self.editor = LineEditor()
        self.faults: Sequence[Fault] = ()
        self._fresh = True
        """Nothing has been typed into this field since the cursor came to it: a digit replaces a number."""
        self.cursor = self._first_row(source.at)
        self._load()

    # -- what there is ------------------------------------------------------------------------------------------

    @property
    def is_new(self) -> bool:
        """Whether the thing isn't in the file yet. Its key is then made from its name."""
        return bool(self._group.path) and self._group.path[-1] == NEW

    @property
    def rows(self) -> Sequence[FormRow]:
        """The rows of the form, with those of the entries that are open. In a short form, what can wait comes last."""
        if not self.source.is_short:
            return [*self._list_rows(None)]
        first, later = ([*self._list_rows(asked)] for asked in (Asked.FIRST, Asked.LATER))
        return [*first, FormRow(RowKind.HEADING, _CAN_WAIT, 0, is_open=True), *later] if later else first

    def _list_rows(self, asked: Asked | None) -> Iterator[FormRow]:
        """Yield the rows without those of fields that mean nothing beside what another field has now."""
        for row in list_rows(self._group, self._open, asked=asked):
            needs = row.part.only_with if isinstance(row.part, FormField) else None
            if not needs or needs.is_in(self._texts.get(needs.path, needs.text)) or self._is_set(row.part):
                yield row

    def _is_set(self, part: FormField | FieldGroup) -> bool:
        return isinstance(part, FormField) and self.text_of(part) != part.default

    @property
    def row(self) -> FormRow:
        """The row under the cursor."""
        return self.rows[self.cursor]

    def text_of(self, part: FormField | FieldGroup) -> str:
        """Return the text of a field: what was typed, or else what the file has."""
        if isinstance(part, FieldGroup):
            first = part.parts[0] if part.parts else None
            return self.text_of(first) if isinstance(first, FormField) and first.text == part.name else part.name
        return self._texts.get(part.path, part.text)

    def fault_of(self, row: FormRow) -> Fault | None:
        """Return what is wrong with a row. For a closed entry, this includes its fields."""
        if not isinstance(row.part, FormField) and row.is_open:
            return None
        return next((fault for fault in self.faults if is_within(fault.path, row.part.path)), None)

    @property
    def other_faults(self) -> Sequence[Fault]:
        """The faults that belong to no visible row."""
        shown = [row.part.path for row in self.rows if isinstance(row.part, FormField) or not row.is_open]
        return [fault for fault in self.faults if not any(is_within(fault.path, path) for path in shown)]

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The values that were changed, in the order of the file. A new thing gets a key made from its name."""
        changed = [
            Setting(each.part.path, None) for each in self._removed if isinstance(each, _Removed) and not each.is_added
        ]
        changed += [
            Setting(field.path, self._texts.get(field.path, field.text))
            for field in self._group.fields
            if field.path in self._added or self._texts.get(field.path, field.text) != field.text
        ]
        if not self.is_new:
            return tuple(changed)
        place, names = len(self._group.path) - 1, [*self._group.fields][:1]
        key = new_key(self.text_of(names[0]) if names else "", dict.fromkeys(self.source.taken))
        return tuple(
            Setting((*setting.path[:place], key, *setting.path[place + 1 :]), setting.text) for setting in changed
        )

    @property
    def is_changed(self) -> bool:
        """Whether anything was typed."""
        return bool(self.settings or self._removed or (self.row.kind is RowKind.NEW and self.editor.text.strip()))

    @property
    def is_skipped(self) -> bool:
        """Whether the form is for one more thing in session zero, and nothing was typed, so that no thing is added."""
        return self.source.is_short and self.is_new and not self.is_changed

    @property
    def suggestions(self) -> Sequence[Suggestion]:
        """The things whose names may stand in the field under the cursor, or in the first one of an entry there, and begin with
        what was typed.
        """
        part, typed = self.row.part, self.editor.text if self.row.is_text else self.text_of(self.row.part)
        if self._taken:  # Those that Tab goes round.
            return self._taken
        if typed and (self.row.kind is RowKind.ENTRY or self.editor.at < len(typed)):
            return ()
        path = part.path if isinstance(part, FormField) else next((field.path for field in part.fields), ())
        taken = {self.text_of(field) for field in (*self.source.known, *self._group.fields) if field.path != path}
        return [
            each
            for each in self._things_at(path)
            if each.text.lower().startswith(typed.lower()) and each.text not in (typed, *taken)
        ]

    def _things_at(self, path: Path) -> Sequence[Suggestion]:
        """Return the things whose names are suggested for a field."""
        return [
            each
            for each in self.source.suggestions
            if len(each.path) == len(path)
            and all(want in (ANY, key) for want, key in zip(each.path, path, strict=True))
        ]

    @property
    def completion(self) -> str:
        """The rest of the text: of the first thing that is suggested, or of the one known text that begins with what was typed."""
        row, text = self.row, self.editor.text
        if not row.is_text or not isinstance(row.part, FormField) or self._taken or self.editor.at < len(text):
            return ""
        if text and (found := self.suggestions):
            return found[0].text[len(text) :]
        if row.part.shape is ValueShape.LIST:
            item = text.rpartition(",")[2].lstrip()
            return _rest(item, row.part.choices)
        if row.part.shape is not ValueShape.TEXT:
            return ""
        path = row.part.path
        kind = (path[0], path[-1], len(path))
        same = (each for each in self.source.known if (each.path[0], each.path[-1], len(each.path)) == kind)
        return _rest(text, tuple(each.text for each in same if each.path != path))

    @property
    def removable(self) -> bool:
        """Whether Del removes the entry under the cursor. In a text, it first deletes what stands behind the cursor."""
        return self._is_past_text and self._is_entry(self.row.part.path)

    @property
    def slot(self) -> FieldGroup | None:
        """The slot that Del empties: the cursor is on it or on its name, past the text. A slot is a place with a fixed key for a
        thing with a name, such as a module. None if there is none, or nothing is in it.
        """
        path, is_name = self.row.part.path, self.row.part.path[-1:] == (_NAME,)
        if not (is_name or self.row.kind is RowKind.ENTRY):
            return None
        path = path[:-1] if is_name else path
        is_fixed = not self.source.sibling if path == self._group.path else not self._is_entry(path)
        if not (self._is_past_text and is_fixed and len(path) > 1 and is_within(path, self._group.path)):
            return None
        slot = find_table(self._group, path)
        is_named = not slot.is_keyed and next(slot.fields).path == (*path, _NAME)
        return slot if is_named and any(self.text_of(field) != field.default for field in slot.fields) else None

    @property
    def _is_past_text(self) -> bool:
        """Whether Del has no letter to delete."""
        is_kind = self.row.kind in (RowKind.ENTRY, RowKind.FIELD)
        return is_kind and not (self.row.is_text and self.editor.at < len(self.editor.text))

    @property
    def restorable(self) -> bool:
        """Whether something was removed that can be restored."""
        return bool(self._removed)

    def _is_entry(self, path: Path) -> bool:
        """Whether it is an entry of a table to which others can be added."""
        if len(path) <= len(self._group.path):
            return False
        return find_table(self._group, path[:-1]).new is not None

    # -- moving -------------------------------------------------------------------------------------------------

    def _first_row(self, at: Path) -> int:
        """Return the index of the row at a path. If no row has it, return the row that shares most of the path."""
        rows = self.rows
        able = [index for index, row in enumerate(rows) if row.takes_cursor]
        return max(able, key=lambda index: (_common_length(rows[index].part.path, at), -index), default=0)

    def _load(self) -> None:
        row, self._taken = self.row, ()
        self.editor.set("" if row.kind is RowKind.NEW else self.text_of(row.part))
        self._fresh = True

    def step(self, by: int) -> bool:
        """Go to the next row, or to the one before. Return False at the end."""
        is_plain = isinstance(self.row.part, FormField)
        if self._take_new() and (is_plain or self.row.kind is RowKind.NEW):
            return True
        rows = self.rows
        ahead = range(self.cursor + by, len(rows) if by > 0 else -1, by)
        return self._go_to(next((index for index in ahead if rows[index].takes_cursor), None))

    def step_section(self, by: int) -> None:
        """Go to the first field of the next section of the form, or of the one before. A section is a table of the file, or
        an entry of a list. From the last section, go to the end.
        """
        self._take_new()
        rows = self.rows
        starts = [
            index
            for index, row in enumerate(rows)
            if row.takes_cursor and (index == 0 or row.kind is RowKind.ENTRY or not rows[index - 1].takes_cursor)
        ]
        able = [index for index, row in enumerate(rows) if row.takes_cursor]
        if by > 0:
            self._go_to(next((index for index in starts if index > self.cursor), able[-1]))
        else:
            self._go_to(next((index for index in reversed(starts) if index < self.cursor), able[0]))

    def go_to(self, index: int) -> None:
        """Go to a row."""
        if index < len(self.rows) and self.rows[index].takes_cursor:
            self._go_to(index)

    def _go_to(self, index: int | None) -> bool:
        if index is None:
            return False
        self.cursor = index
        self._load()
        return True

    # -- changing -----------------------------------------------------------------------------------------------

    def takes(self, key: str, character: str | None) -> bool:
        """Change the row under the cursor. Return False for a key that does nothing there."""
        row = self.row
        if row.kind is RowKind.ENTRY:
            if key not in ("space", "left", "right"):
                return self._names_entry(key, character)
            self.fold()
        elif row.is_text:
            return self._edits(row, key, character)
        elif isinstance(row.part, FormField) and row.part.shape is ValueShape.SWITCH:
            if key != "space":
                return False
            self._put(row.part, _FALSE if self.text_of(row.part) == _TRUE else _TRUE)
        elif isinstance(row.part, FormField):
            return self._chooses(row.part, key, character)
        return True

    def _names_entry(self, key: str, character: str | None) -> bool:
        """Open an empty entry and type into its first field. Return False for any other entry or key."""
        part = self.row.part
        first = next(part.fields) if isinstance(part, FieldGroup) else part
        if not (character and character.isprintable()) or first.shape is not ValueShape.TEXT or self.text_of(first):
            return False
        self._open.add(part.path)
        self._go_to(self._first_row(first.path))
        return self._edits(self.row, key, character)

    def _edits(self, row: FormRow, key: str, character: str | None) -> bool:
        is_number = (
            isinstance(row.part, FormField) and row.part.shape is ValueShape.NUMBER and row.kind is RowKind.FIELD
        )
        if is_number and key in ("left", "right"):
            return self._counts(row.part, 1 if key == "right" else -1)
        if key == "ctrl+j" and not is_number:
            self.editor.break_line()
        elif self.editor.consume_key(key):
            pass
        elif character and character.isprintable():
            if self._fresh and (is_number or row.part.path in self.source.placeholders):
                self.editor.set("")
            self.editor.insert(character)
        else:
            return False
        self._take_text()
        return True

    def _counts(self, field: FormField | FieldGroup, by: int) -> bool:
        """Add 1 to a number or subtract 1, within its limits. Any other text doesn't change."""
        if not isinstance(field, FormField) or not self.editor.text.strip().lstrip("-").isdecimal():
            return True
        number, limits = int(self.editor.text) + by, field.limits
        if limits is not None:
            number = max(limits.least, number if limits.most is None else min(limits.most, number))
        self.editor.set(str(number))
        self._take_text()
        self._fresh = True
        return True

    def _chooses(self, field: FormField, key: str, character: str | None) -> bool:
        choices, now = field.choices, self.text_of(field)
        at = choices.index(now) if now in choices else -1
        if key in ("space", "right"):
            self._put(field, choices[(at + 1) % len(choices)])
        elif key == "left":
            self._put(field, choices[(at - 1) % len(choices)])
        elif character and character.isprintable():
            named = [*zip(choices, field.choice_names or choices, strict=True)]
            later = (
                each
                for each, name in (*named[at + 1 :], *named[: at + 1])
                if name.lower().startswith(character.lower())
            )
            if (found := next(later, None)) is not None:
                self._put(field, found)
        else:
            return False
        return True

    def remove(self) -> bool:
        """Remove the entry under the cursor, or empty the slot there. Return False if there is neither."""
        if slot := self.slot:
            self._removed.append(_Emptied(slot, self._texts_of(slot)))
            self._texts.update((field.path, field.default) for field in slot.fields)
            self._load()
            self.check()
            return True
        if not self.removable:
            return False
        part = self.row.part
        holder = find_table(self._group, part.path[:-1])
        added = tuple(path for path in self._added if is_within(path, part.path))
        is_added = self._name_path(part) in added
        self._removed.append(_Removed(part, holder.parts.index(part), is_added, added))
        self._added = [path for path in self._added if not is_within(path, part.path)]
        self._group = without_entry(self._group, part.path)
        self._go_near(self.cursor)
        return True

    def restore(self) -> bool:
        """Restore what was removed last. Return False if nothing was, or another entry has its key now."""
        last = self._removed[-1] if self._removed else None
        if isinstance(last, _Emptied):
            self._removed.pop()
            for path in self._texts_of(last.slot):
                del self._texts[path]
            self._texts.update(last.texts)
            self._go_near(self._first_row(last.slot.path))
            return True
        if last is None or any(part.path == last.part.path for part in self._entries_beside(last.part)):
            return False
        self._removed.pop()
        self._group = with_entry(self._group, last.part, last.place)
        self._added += last.added
        self._go_near(self._first_row(last.part.path))
        return True

    def _texts_of(self, slot: FieldGroup) -> Mapping[Path, str]:
        """Return what was typed into the fields of a slot."""
        return {path: text for path, text in self._texts.items() if is_within(path, slot.path)}

    def _entries_beside(self, part: FormField | FieldGroup) -> Sequence[FormField | FieldGroup]:
        return find_table(self._group, part.path[:-1]).parts

    @staticmethod
    def _name_path(entry: FormField | FieldGroup) -> Path:
        """Return the path of the field that an added entry must have."""
        return entry.path if isinstance(entry, FormField) else next(entry.fields).path

    def _go_near(self, index: int) -> None:
        """Go to that row, or to the nearest one, and check the form."""
        able = [index for index, row in enumerate(self.rows) if row.takes_cursor]
        self._go_to(min(able, key=lambda each: abs(each - index)))
        self.check()

    def paste(self, text: str) -> None:
        """Insert one line of text."""
        if self.row.is_text:
            self.editor.insert(text)
            self._take_text()

    def complete(self) -> bool:
        """Take the first thing that is suggested, and the next one if the last key did the same; or else the completion. A thing
        fills in its other fields, if nothing was typed into them. Return False if there is none.
        """
        row, known = self.row, self.suggestions
        if row.kind not in (RowKind.FIELD, RowKind.ENTRY) or not known:
            if rest := self.completion:
                self.editor.set(f"{self.editor.text}{rest}")
                self._take_text()
            return bool(rest)
        name = row.part.path if isinstance(row.part, FormField) else next(row.part.fields).path
        if self._taken:
            known = (*known[1:], known[0])
        self._bring(name, known[0])
        self._texts[name] = known[0].text
        self._load()
        self._taken = known
        self.check()
        return True

    def _bring(self, name: Path, thing: Suggestion | None) -> None:
        """Fill in the other fields of the thing with that name, if nothing was typed into them. What the name before brought is gone."""
        for path, text in self._brought.get(name, {}).items():
            if self._texts.get(path) == text:
                del self._texts[path]
        values = {(*name[:-1], *path): text for path, text in thing.values.items()} if thing else {}
        unchanged = [each.path for each in self._group.fields if self.text_of(each) == each.default]
        self._brought[name] = {path: values[path] for path in unchanged if path in values}
        self._texts.update(self._brought[name])

    def choose(self, choice: str) -> None:
        """Give the field under the cursor one of its choices."""
        if isinstance(self.row.part, FormField):
            self._put(self.row.part, choice)

    def fold(self) -> None:
        """Open or close the entry under the cursor."""
        self._open ^= {self.row.part.path}

    def _take_text(self) -> None:
        self._fresh, self._taken = False, ()
        part = self.row.part
        if self.row.kind is RowKind.FIELD and isinstance(part, FormField):
            self._put(part, self.editor.text)

    def _put(self, field: FormField, text: str) -> None:
        self._texts[field.path] = text
        if things := self._things_at(field.path):
            # A name that is typed in full brings what it would bring if it had been completed.
            same = (each for each in things if each.text.casefold() == text.strip().casefold())
            self._bring(field.path, next(same, None))
        self.check()

    def check(self) -> None:
        """Check what was typed and note every fault."""
        settings = self.settings
        unnamed = list[Fault]()
        for field in self._name_fields():
            if self.text_of(field).strip():
                continue
            wanted = "a number" if field.shape is ValueShape.NUMBER else "a value"
            needs = f"needs {wanted}. Del removes the entry" if self._is_entry(field.path) else "is missing"
            unnamed.append(Fault(field.path, f"{field.label} {needs}"))
        self.faults = unnamed or self._check(settings)
        if self.is_new and not unnamed:  # In the form, a new thing has no key.
            at = len(self._group.path) - 1
            self.faults = [
                replace(each, path=(*each.path[:at], *[NEW for _ in each.path[at : at + 1]], *each.path[at + 1 :]))
                for each in self.faults
            ]

    def _unchosen(self) -> Iterator[Fault]:
        """Yield a fault for each choice that nothing was chosen for."""
        if self.is_skipped:
            return
        for field in self._group.fields:
            if field.shape is ValueShape.CHOICE and self.text_of(field) not in field.choices:
                yield Fault(
                    field.path, f"{field.label}: choose {join_names(field.choice_names or field.choices, 'or')}"
                )

    def _name_fields(self) -> Iterator[FormField]:
        """Return the fields that a new entry must have."""
        first = [*self._group.fields][:1]
        if self.is_new:
            yield from first
        for field in self._group.fields:
            cleared = field.path in self._texts and field.shape is ValueShape.NUMBER and self._is_entry(field.path)
            if field.path in self._added or cleared:
                yield field

    def _take_new(self) -> bool:
        """Make an entry of the name that was typed, and go to the field that needs a value next. Behind the name, a number may be
        typed as well, if the entry is one or is asked for one: `piloting 2`. Return False if there is none.
        """
        row, text, value = self.row, self.editor.text.strip(), ""
        if row.kind is not RowKind.NEW or not text:
            return False
        place = len(row.part.path) - 1
        taken = [part.path[-1] for part in self._entries_beside(row.part)]
        plain = isinstance(row.part, FormField)
        number = row.part.number if isinstance(row.part, FieldGroup) else row.part
        if number is not None and number.shape is ValueShape.NUMBER:
            if quoted := re.fullmatch(_QUOTED_NAME, text):
                text, value = (quoted_text(quoted) or "").strip(), quoted["number"] or ""
            elif found := re.fullmatch(_NAME_AND_NUMBER, text):
                text, value = found.groups()
        key = text if plain else new_key(text, dict.fromkeys(taken))
        if not text or key in taken:
            return False
        entry = with_key(row.part, place, key)
        self._group = with_entry(self._group, entry)
        name = self._name_path(entry)
        self._added.append(name)
        self._texts = {path: typed for path, typed in self._texts.items() if not is_within(path, entry.path)}
        if value and number is not None:
            self._texts[*entry.path, *number.path[len(entry.path) :]] = value
        if isinstance(entry, FieldGroup):
            self._texts[name] = text
            self._open.add(entry.path)
        # Behind a value, the next name may follow.
        wanted = row.part.path if value else name
        self.check()
        self._go_to(next(index for index, each in enumerate(self.rows) if each.part.path == wanted))
        return True

    def enter(self) -> bool:
        """Handle Enter: name an entry, open one, or go to the next field. Return False on the last row: the form is
        complete.
        """
        row = self.row
        if row.kind is RowKind.ENTRY:
            self.fold()
        elif self.ends_here:
            return False
        else:
            self.step(1)
        return True

    @property
    def ends_here(self) -> bool:
        """Whether Enter completes the form: nothing follows but what can wait, or it is a new thing's and nothing was typed into it."""
        row, below = self.row, self.rows[self.cursor + 1 :]
        if row.kind is RowKind.ENTRY or (row.kind is RowKind.NEW and self.editor.text.strip()):
            return False
        if self.is_skipped and self.cursor == 0:
            return True
        ahead = takewhile(lambda each: each.part is not _CAN_WAIT, below)
        return not any(each.takes_cursor for each in ahead)

    @property
    def skips_rest(self) -> bool:
        """Whether Enter completes the form here, although it would take more, which can wait."""
        can_wait = self.ends_here and any(each.part is _CAN_WAIT for each in self.rows[self.cursor + 1 :])
        return can_wait and not self.is_skipped

    @property
    def excess(self) -> Fault | None:
        """The value that is outside its rule's range, if nothing else is wrong and the wayfinder may overrule the rule."""
        wrong = [fault for fault in self.faults if not fault.lacking]
        return wrong[0] if wrong and all(fault.excess for fault in wrong) else None

    def finish(self) -> bool:
        """Accept what is being typed and check the whole form. If something is wrong, go there and return False."""
        if self.row.kind is RowKind.NEW:
            self._take_new()
        self.check()
        self.faults = [*self.faults, *self._unchosen()]
        wrong = [fault for fault in self.faults if not fault.lacking]
        if not wrong:
            return True
        self._open |= {wrong[0].path[:count] for count in range(1, len(wrong[0].path))}
        self._go_to(self._first_row(wrong[0].path))
        return False


def _common_length(path: Path, other: Path) -> int:
    """Return how many keys two paths have in common from their start."""
    count = 0
    for one, two in zip(path, other, strict=False):
        if one != two:
            break
        count += 1
    return count


def _rest(text: str, known: Collection[str]) -> str:
    """Return the rest of the one known text that begins with `text`; empty if there is none or more than one."""
    if not text:
        return ""
    ends = {each[len(text) :] for each in known if each.lower().startswith(text.lower()) and each != text}
    return ends.pop() if len(ends) == 1 else ""
