"""The form of a thing: all that the campaign file knows about it, over the view and the tray. Saving it is one act.

`FormDraft` has what is typed. Here it is drawn, and gets the keys.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import NamedTuple

from rich.style import Style
from textual import events

from waylog.rules.codec.base_and_limits import ValueShape
from waylog.rules.codec.changes import format_path
from waylog.rules.codec.form_fields_and_paths import FieldGroup, FormField, FormSource, is_within
from waylog.rules.model.moves import Refusal
from waylog.rules.set_command import Setting
from waylog.ui.draw.cell_lines import CellLine, cells_of, fold, foot, heads, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page
from waylog.ui.draw.colours import Palette, ink_of
from waylog.ui.draw.window_layout_and_key_names import format_keys
from waylog.ui.line.line_editor_and_recall import CANCEL, CLOSE, QUIT, discard_question
from waylog.ui.views.form_filling import Check, FormDraft
from waylog.ui.views.form_rows import FormRow, RowKind
from waylog.ui.views.list_view import in_window
from waylog.ui.views.overlays_and_choosers import Overlay
from waylog.values import replace
from waylog.words.sentences import with_capital

_ABOUT_FROM = 72
"""Columns from which on what a field means stands beside it."""
_ROOMY = 60
"""Columns from which on what is wrong stands under the value, and not under the label."""
_AROUND = 3
"""Lines around the fields, at least: the title, what the field means or what is wrong, and the keys."""
_MOST_NOTE = 4
"""The most lines below the fields that say what a field means or what is wrong."""
_TEXTS = (ValueShape.TEXT, ValueShape.LIST)
"""The shapes whose values may be long."""
_UNCUT = 10_000
"""Cells in which no value is cut."""
_LEAST_VALUE, _SWITCH = 20, 8
"""Cells that labels leave to values, and to switches alone."""
_TRUE = "true"
_STEPPER = " ‹ ›"
"""What a number has behind it while it is changed."""
_BETWEEN = 3
"""Cells between fields that share a line."""


class FormTarget(NamedTuple):
    """The meaning of a click in a form: a row, and one of its choices."""

    row: int
    choice: str | None = None


_BLOCK = FormTarget(-1)
"""Stands for the lines that have to be in sight. Nobody clicks on it."""


class _FormView(LineView[FormTarget], can_focus=False):
    """The rows of a form."""

    def __init__(self, draft: FormDraft, title: str, losing: Collection[str] = ()) -> None:
        super().__init__()
        self.draft, self._title, self.losing = draft, title, losing
        self.refusal: Refusal | None = None
        self.leaving = ""
        """The key that was pressed once and would discard what is typed if it were pressed again; empty if none was."""
        self.asks = ""
        """What has to be confirmed before it is saved: what players would see, or a rule that is overruled."""
        self.confirms = ""
        """The key that confirms it, as the app calls it."""

    def height_at(self, ink: Palette, width: int, most: int) -> int:
        """Return how many lines the form wants at that width, in a window that has `most` for it."""
        return len(self._fit_body(ink, width, most).lines) + self._lines_around(ink, width)

    def _lines_around(self, ink: Palette, width: int) -> int:
        """Return how many lines the form wants around its rows, whichever has the cursor."""
        notes = [self._note(ink)[0], *(self._describe(row) for row in self.draft.rows if row.takes_cursor)]
        note = max(len(wrap_text(text, width - 4, _MOST_NOTE)) for text in notes)
        return len(heads(self._title, ink, width)) + max(1, note) + 1

    def render_page(self, ink: Palette, width: int, height: int) -> Page[FormTarget]:
        body = self._fit_body(ink, width, height)
        # The fields come first; the note and the title have the lines that they leave. How an empty form is passed is said in full.
        text, style = self._note(ink)
        spare = max(0, height - _AROUND - len(body.lines))
        most = _MOST_NOTE if self.draft.is_skipped else min(_MOST_NOTE, spare + 1)
        note = wrap_text(text, width - 4, most) or [""]
        count = len(self.draft.settings)
        is_new = self.draft.is_new or self.draft.source.is_short
        changed = "" if is_new else f"{count} changed" if count else "nothing changed"
        title = heads(self._title, ink, width, changed, most=spare + 2 - len(note))
        room = max(1, height - len(title) - len(note) - 1)
        block = self._open_block(body, room)
        areas = [block, *body.areas] if block.y == body.areas[0].y else [*body.areas, block]
        page = in_window(Page(body.lines, areas), block.target, self.scroll, 0, room, ink, above=1)
        lines = [*title, *page.lines]
        lines += [CellLine(width) for _ in range(height - len(note) - 1 - len(lines))]
        lines += [CellLine(width).to(2).add(part, style) for part in note]
        areas = [area.shift_down(len(title)) for area in page.areas if area.target != _BLOCK]
        keys = foot([(key, does) for key, does in self._keys() if does], ink, width)
        return Page([*lines, keys], areas, page.scroll)

    def _open_block(self, body: Page[FormTarget], room: int) -> HitArea[FormTarget]:
        """Return the lines that stay in sight: the row under the cursor, with the whole of the open entry that it is in, or is, if
        that has room.
        """
        rows, row = self.draft.rows, self.draft.row
        inside = [
            at
            for at, each in enumerate(rows)
            if each.is_open and each.kind is RowKind.ENTRY and is_within(row.part.path, each.part.path)
        ]
        path = rows[inside[-1]].part.path if inside else row.part.path
        shown = {FormTarget(at) for at, each in enumerate(rows) if is_within(each.part.path, path)}
        areas = [area for area in body.areas if area.target in shown]
        here = next((area for area in areas if area.target == FormTarget(self.draft.cursor)), None)
        if here is None:
            return HitArea(0, 0, 0, 1, _BLOCK)
        top, end = areas[0].y, areas[-1].y + areas[-1].height
        if end - top >= room:
            top, end = here.y, here.y + here.height
        return HitArea(0, top, 0, end - top, _BLOCK)

    # -- the rows -----------------------------------------------------------------------------------------------

    def _fit_body(self, ink: Palette, width: int, height: int) -> Page[FormTarget]:
        """Return the rows with values and descriptions in full. If a form of that height has no room for that, values come first, and each
        description that has its lines then is there, one after the other. A form that has to be scrolled anyway cuts no values.
        """
        rows, room, free = self.draft.rows, height - _AROUND, height - self._lines_around(ink, width)
        start, about = self._columns(rows, width)
        draw = partial(self._body, rows, ink, width, start, about)
        whole, plain = draw(), draw(abouts={})
        if len(whole.lines) <= free:
            return whole
        if len(plain.lines) <= room:
            return draw(abouts=_spread_lines(plain, whole, free, parts=False))
        # Where descriptions have hardly any room beside the values, values that stay short share lines.
        short = [index for index, row in enumerate(rows) if width < _ABOUT_FROM and self._short_width(row)]
        shared = draw(abouts={}, shares=short)
        if len(shared.lines) <= room:
            return shared
        cut = draw(values={}, abouts={})
        if len(cut.lines) <= room:
            return draw(values=_spread_lines(cut, plain, room, parts=True), abouts={})
        if width >= _ABOUT_FROM:
            return whole
        return draw(abouts={}, shares=[index for index in short if not self._has_about(rows[index], width - start)])

    def _has_about(self, row: FormRow, room: int) -> bool:
        """Whether a value that stays short leaves room for its description in so many cells."""
        about = _say_more(row.part)
        return bool(about) and self._short_width(row) + 2 + cells_of(about) < room

    def _columns(self, rows: Sequence[FormRow], width: int) -> tuple[int, int]:
        """Return where values begin, and where their descriptions do: close behind values that stay short, so that one reads across."""
        labels = [cells_of(_label(row)) + 2 * row.depth for row in rows if row.kind is not RowKind.HEADING]
        only_switches = all(isinstance(row.part, FormField) and row.part.shape is ValueShape.SWITCH for row in rows)
        size = min(max(labels, default=8), width - 5 - (_SWITCH if only_switches else _LEAST_VALUE))
        start = size + 4
        if only_switches:
            # Switches are narrow, and all alike.
            return start, 0
        behind = start + 2 + max((self._short_width(row) for row in rows), default=0)
        ends = (width - cells_of(row.part.about) - 1 for row in rows if row.kind is RowKind.FIELD)
        # It doesn't read as the text of an empty field; and it is further left where only then all of a description is in the line.
        about = min(max(behind, start + _LEAST_VALUE), *(end for end in ends if end >= behind), width)
        return start, about if width - about > _LEAST_VALUE else behind

    def _body(
        self,
        rows: Sequence[FormRow],
        ink: Palette,
        width: int,
        start: int,
        about: int,
        *,
        values: Mapping[int, int] | None = None,
        abouts: Mapping[int, int] | None = None,
        shares: Collection[int] = (),
    ) -> Page[FormTarget]:
        """Draw the rows, each value and each description in as many lines as is said for its row, which is one if nothing is; without
        these, in full. Of rows that share lines, those that follow each other stand side by side.
        """
        lines, areas, free = list[CellLine](), list[HitArea[FormTarget]](), 0
        for index, row in enumerate(rows):
            label, size = cells_of(_label(row)) + 1, self._short_width(row) if index in shares else 0
            x = width - free + _BETWEEN if size and label + size + _BETWEEN <= free else 0
            if x:
                # It begins with the sign for the cursor, two cells before its label.
                left, at, row = x - 2, 2 + label, replace(row, depth=0)
                areas[-1] = areas[-1]._replace(width=left - areas[-1].x)
            else:
                left, at = 0, start
            drawn, choices = self._row_lines(
                index,
                row,
                ink,
                width - left,
                at,
                0 if size else about,
                _UNCUT if values is None else values.get(index, 1),
                0 if size else _UNCUT if abouts is None else abouts.get(index, 1),
            )
            top = len(lines) - bool(x)
            areas += (HitArea(left + cell, top, cells, 1, FormTarget(index, choice)) for cell, cells, choice in choices)
            if row.takes_cursor:
                areas.append(HitArea(left, top, width - left, len(drawn), FormTarget(index)))
            lines += [lines.pop().to(left).join(drawn[0])] if x else drawn
            free = width - left - at - size if size else 0
        return Page(lines, areas)

    def _short_width(self, row: FormRow) -> int:
        """Return the cells of a value that stays short whatever is done with it: a switch or a number; 0 for any other."""
        if row.kind is not RowKind.FIELD or not isinstance(row.part, FormField) or self.draft.fault_of(row):
            return 0
        if row.part.shape is ValueShape.SWITCH:
            return _SWITCH - 1
        text = cells_of(self.draft.text_of(row.part))
        return text + 1 + len(_STEPPER) if row.part.shape is ValueShape.NUMBER else 0

    def _row_lines(
        self, index: int, row: FormRow, ink: Palette, width: int, start: int, about: int, most: int, most_about: int
    ) -> tuple[Sequence[CellLine], Sequence[tuple[int, int, str]]]:
        """Return the lines of a row, its value and its description in so many at most, and the cells of each of its choices: line, columns,
        choice. A description has all of its lines or none; in a wide form, the first at least.
        """
        here = index == self.draft.cursor
        line = CellLine(width).add("▸ " if here else "  ", ink.key).to(2 + 2 * row.depth)
        if row.kind is RowKind.HEADING:
            line.add(row.part.label, ink.accent)
            if (meaning := _say_more(row.part)) and (width >= _ABOUT_FROM or cells_of(meaning) + 2 < line.cells_left):
                line.add(f"  {meaning}", ink.dim)
            return [line], ()
        fault = self.draft.fault_of(row)
        line.add(_label(row), ink.strong if here else ink.plain, most=start - 2 - 2 * row.depth).to(start)
        choices = list[tuple[int, int, str]]()
        lines = [line]
        if most > 1 and _has_text(row):
            value = CellLine(_UNCUT)
            self._add_value(value, row, here, ink, choices)
            first, *more = fold(value, width - start - 1)
            line.join(first)
            more, left_out = more[: most - 1], more[most - 1 :]
            lines += [CellLine(width).to(start).join(part) for part in more]
            if left_out:
                last = lines[-1]
                lines[-1] = last.add("…", ink.dim) if last.cells_left > 1 else last.with_end("…", ink.dim)
        else:
            self._add_value(line, row, here, ink, choices)
        if row.kind is RowKind.FIELD and len(lines) == 1:
            # What the field under the cursor means stands below; its lines stay, so that nothing moves.
            described = CellLine(width).join(line) if here else line
            more = _add_about(described, row.part, about, ink, most_about)
            lines += [CellLine(width) for _ in more] if here else more
        if fault:
            text = f"{'·' if fault.lacking else '✗'} {with_capital(fault.message)}"
            style = ink.warn if fault.lacking else ink.bad
            indent = start if width >= _ROOMY else 4
            lines += [CellLine(width).to(indent).add(part, style) for part in wrap_text(text, width - indent - 1, 3)]
        return lines, choices

    def _add_value(
        self, line: CellLine, row: FormRow, here: bool, ink: Palette, choices: list[tuple[int, int, str]]
    ) -> None:
        part = row.part
        if row.kind is RowKind.ENTRY:
            line.add("▾ " if row.is_open else "› ", ink.dim)
            name = self.draft.text_of(part) if isinstance(part, FieldGroup) else ""
            line.add(name or "empty", ink.strong if name else ink.dim)
        elif row.kind is RowKind.NEW:
            if here:
                self._add_editor(line, ink)
            if not (here and self.draft.editor.text):
                line.add(" type a name to add one" if here else "add one", ink.dim)
        elif isinstance(part, FormField):
            self._add_field(line, part, here, ink, choices)

    def _add_field(
        self, line: CellLine, field: FormField, here: bool, ink: Palette, choices: list[tuple[int, int, str]]
    ) -> None:
        text = self.draft.text_of(field)
        style = ink.accent if text != field.text else ink.dim if text == field.default else ink.strong
        if field.shape is ValueShape.SWITCH:
            choices.append((line.used, 8, "false" if text == _TRUE else _TRUE))
            line.add("[x] yes" if text == _TRUE else "[ ] no", style)
        elif field.shape is ValueShape.CHOICE:
            _add_choices(line, field, text, ink, choices)
        elif here and field.shape is ValueShape.NUMBER:
            self._add_editor(line, ink)
            line.add(" ‹ ›", ink.key)
        elif here:
            self._add_editor(line, ink)
        else:
            line.add(_on_a_line(text), style)

    def _add_editor(self, line: CellLine, ink: Palette) -> None:
        """Add the text that is being typed, scrolled so that the cursor is in sight, and its completion."""
        editor, rest = self.draft.editor, self.draft.completion
        text = _on_a_line(editor.text)
        start = max(0, editor.at - max(1, line.cells_left - 2))
        if start:
            line.add("…", ink.dim)
            start += 1
        line.add(text[start : editor.at], ink.strong)
        line.add(text[editor.at : editor.at + 1] or rest[:1] or " ", ink.caret)
        line.add(text[editor.at + 1 :], ink.strong).add(rest[1:], ink.dim)

    # -- the foot -----------------------------------------------------------------------------------------------

    def _note(self, ink: Palette) -> tuple[str, Style]:
        """Return what prevents saving, or else what the field means."""
        if self.leaving:
            return discard_question(self.leaving, " in all steps" if self.leaving in self.losing else ""), ink.key
        if self.asks:
            return self.asks, ink.key
        if self.refusal:
            return f"✗ {with_capital(self.refusal.reason)}", ink.bad
        if fault := next(iter(self.draft.other_faults), None):
            sign, style = ("·", ink.warn) if fault.lacking else ("✗", ink.bad)
            return f"{sign} {with_capital(fault.message)}", style
        names = [each.text for each in self.draft.suggestions]
        about = f"Starter kit: {', '.join(names)}" if names else self._describe(self.draft.row)
        is_skipped = self.draft.is_skipped and self.draft.row.kind is not RowKind.NEW
        hint = self.draft.source.hint if is_skipped else ""
        return hint or about, ink.dim

    @staticmethod
    def _describe(row: FormRow) -> str:
        """Return what a row means."""
        if row.kind is RowKind.NEW:
            if isinstance(row.part, FormField):
                return "Type a name and its value, such as piloting 2"
            number = row.part.number
            return (
                f'Type a name, or a name and its number of {number.label.lower()}, such as body 3. If the name ends in a number, put it in quotes: "Unit 4"'
                if number
                else "Type a name to add one"
            )
        about = row.part.about
        if isinstance(row.part, FormField):
            limits = row.part.limits
            if limits and limits.most is not None:
                about = f"{about} · {limits.least} to {limits.most}"
            missing = [choice for choice in row.part.choices if choice and choice not in about]
            if row.part.shape is ValueShape.LIST:
                about = f"{about} · separated by commas" + (f": {', '.join(missing)}" if missing else "")
        return about

    def _keys(self) -> Iterator[tuple[str, str]]:
        if self.asks:
            yield (
                format_keys(self.confirms).replace("Enter", "⏎"),
                "save" if self.confirms == "enter" else "save anyway",
            )
            yield ("Esc", "back to the form")
            return
        row = self.draft.row
        is_short = self.draft.source.is_short
        save, enter = self.draft.source.save, "next field" if is_short else "next"
        if is_short and self.draft.is_new and not self.draft.is_skipped:
            save = "add"  # The next form is for one more.
        if row.kind is RowKind.ENTRY:
            enter = "close" if row.is_open else "open"
        elif self.draft.ends_here:
            enter = save
        yield ("Ctrl+S", "" if enter == save else save)
        # In a narrow window, what Del does is worth more than what Enter does.
        yield ("Del", "remove" if self.draft.removable else "clear" if self.draft.slot else "")
        yield ("⏎", enter)
        yield ("↓", "optional fields" if self.draft.skips_rest else "")
        yield ("Ctrl+Z", "restore" if self.draft.restorable else "")
        if row.kind is RowKind.FIELD and isinstance(row.part, FormField):
            match row.part.shape:
                case ValueShape.CHOICE:
                    yield ("← →", "choose")
                case ValueShape.SWITCH:
                    yield ("Space", "change")
                case ValueShape.NUMBER:
                    yield ("← →", "change")
                case _:
                    pass
        yield ("Tab", "complete" if self.draft.completion else "suggest" if self.draft.suggestions else "")
        # A short form is left with Ctrl+S: beside that, another key that goes on would read as the next step.
        has_parts = sum(row.takes_cursor for row in self.draft.rows) > 1 and not self.draft.source.is_short
        yield ("PgDn", "next part" if has_parts else "")
        yield ("Ctrl+N", "another" if self.draft.source.sibling else "")
        yield ("Esc", self.draft.source.leave)


def _label(row: FormRow) -> str:
    return "+" if row.kind is RowKind.NEW else row.part.label


def _has_text(row: FormRow) -> bool:
    """Whether the value of a row is a text, which may be long."""
    return row.kind is RowKind.FIELD and isinstance(row.part, FormField) and row.part.shape in _TEXTS


def _say_more(part: FormField | FieldGroup) -> str:
    """Return what a part means without the label that stands before it; empty if that says all."""
    if part.about.lower() == part.label.lower():
        return ""
    return with_capital(part.about.removeprefix(f"{part.label}: ").removeprefix(f"{part.label}, "))


def _on_a_line(text: str) -> str:
    return text.replace("\n", "⏎")


def _add_about(line: CellLine, part: FormField | FieldGroup, column: int, ink: Palette, most: int) -> list[CellLine]:
    """Add what a field means, from that column on, or further left if only then all of it fits. Behind a value that needs the column for
    itself, it is there only if it fits. Column 0 is close beside the value. Returns the lines in which it goes on, if it takes at most so
    many; else it is cut in a wide form, and left out of a narrow one.
    """
    about, behind = _say_more(part), line.used + 2
    last = line.width - cells_of(about) - 1
    if not about or not most or (column and behind > column and behind > last):
        return []
    x = max(behind, last if behind <= last < column else column)
    wrapped = wrap_text(about, line.width - x - 1) if line.width - x > _LEAST_VALUE else []
    if x > last and not 1 < len(wrapped) <= most:
        if line.width < _ABOUT_FROM:
            return []
        wrapped = [about]
    first, *more = wrapped or [about]
    line.to(x).add(first, ink.dim)
    return [CellLine(line.width).to(x).add(text, ink.dim) for text in more]


def _spread_lines(less: Page[FormTarget], whole: Page[FormTarget], room: int, *, parts: bool) -> Mapping[int, int]:
    """Return how many lines texts have that have one each in the first page, and all of theirs in the other one, for so many lines in all:
    by row, from the top on. With `parts`, the last that gets some may have too few for all of it.
    """
    heights = [
        {area.target.row: area.height for area in page.areas if area.target.choice is None} for page in (less, whole)
    ]
    free, lines = room - len(less.lines), dict[int, int]()
    for row, height in heights[0].items():
        wanted = heights[1][row] - height
        more = min(wanted, free) if parts or wanted <= free else 0
        lines[row] = 1 + max(0, more)
        free -= max(0, more)
    return lines


def _add_choices(
    line: CellLine, field: FormField, chosen: str, ink: Palette, choices: list[tuple[int, int, str]]
) -> None:
    """Add all choices side by side, or only the chosen one where there is no room for all."""
    words, names = field.choices, [name or "none" for name in field.choice_names or field.choices]
    if sum(cells_of(name) + 6 for name in names) <= line.cells_left:
        for word, name in zip(words, names, strict=True):
            choices.append((line.used, cells_of(name) + 4, word))
            line.add("(•) " if word == chosen else "( ) ", ink.key if word == chosen else ink.dim)
            line.add(f"{name}  ", ink.strong if word == chosen else ink.dim)
        return
    at = words.index(chosen) if chosen in words else -1
    shown = names[at] if chosen in words else chosen or "none"
    choices.append((line.used, cells_of(shown) + 4, words[(at + 1) % len(words)]))
    line.add("‹ ", ink.key).add(shown, ink.strong).add(" ›", ink.key)
    if chosen in words:
        line.add(f"  {at + 1} of {len(words)}", ink.dim)


class FormEnd(Enum):
    """The way in which a form was left."""

    SAVED = 1
    ANOTHER = 2
    """Saved, and a form for one more thing of the kind is wanted."""
    LEFT = 3
    """With nothing saved."""
    CANCELLED = 4
    """With nothing saved, and nothing more is wanted of what the form belongs to."""


Save = Callable[[Sequence[Setting]], Refusal | None]
"""Sets values. Returns why that isn't possible."""
FindShown = Callable[[Sequence[Setting]], Sequence[str]]
"""Returns what setting these values would show to players that is hidden now."""


class FormScreen(Overlay[FormEnd], inherit_bindings=False):
    """A form over the window. It stays until it is saved, or left."""

    CSS_PATH = "form.tcss"

    def __init__(
        self,
        source: FormSource,
        check: Check,
        save: Save,
        find_shown: FindShown = lambda _: (),
        overrule: Save | None = None,
        losing: Collection[str] = (),
    ) -> None:
        """`check` says what would be wrong with what is typed; `save` is called once, when nothing is.

        `losing` names the keys, of `CLOSE`, `CANCEL` and `QUIT`, that lose what earlier forms have taken: each asks first.

        If `find_shown` returns anything, a question names it, and only Enter saves then. With `overrule`, numbers out of their rules'
        range are asked about as well: Ctrl+S, pressed again, saves them. Any other key does what it always does in the form, but Esc,
        which leaves only the question.
        """
        self._draft = FormDraft(source, check)
        self._view = _FormView(self._draft, source.title or format_path(source.group.path), losing)
        super().__init__(self._view)
        self.set_class(source.is_short, "-alone")
        self.source = source
        self._save, self._find_shown, self._overrule = save, find_shown, overrule
        self._saving: FormEnd | None = None
        """How the form is left if the question before saving is confirmed."""

    def fit(self) -> None:
        """Take the height that the form needs."""
        width, lines = self.app.size
        most = lines if self.source.is_short else lines - 1
        wanted = self._view.height_at(ink_of(self._view), width, most)
        if self.source.is_short:
            self.place_alone(width, wanted)
        else:
            self.fit_at_foot(wanted)

    def may_be_discarded(self) -> bool:
        """Return whether quitting loses nothing, or the person has been asked. Otherwise ask."""
        may = self._may_leave(QUIT, self._view.leaving)
        self.fit()
        return may

    def _may_leave(self, key: str, leaving: str) -> bool:
        """Return whether a key loses nothing, or has been pressed before, as `leaving` says. Otherwise ask."""
        if key != leaving and (self._draft.is_changed or key in self._view.losing):
            self._view.leaving = key
            return False
        return True

    # -- keys ---------------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Handle every key: none reaches the window below."""
        event.stop()
        event.prevent_default()
        leaving, saving = self._view.leaving, self._saving
        self._view.refusal, self._view.leaving, self._view.asks, self._saving = None, "", "", None
        if saving and event.key == self._view.confirms:
            self._save_and_leave(saving)
        elif saving and event.key in ("escape", "ctrl+c"):
            pass  # They leave only the question.
        elif event.key in ("escape", "ctrl+c"):
            key, end = (CLOSE, FormEnd.LEFT) if event.key == "escape" else (CANCEL, FormEnd.CANCELLED)
            if self._may_leave(key, leaving):
                self.leave(end)
                return
        elif not leaving:  # Otherwise it only keeps what is typed.
            self._take(event)
        self.fit()

    def _take(self, event: events.Key) -> None:
        draft = self._draft
        match event.key:
            case "ctrl+s":
                self._finish(FormEnd.SAVED)
            case "ctrl+n" if self.source.sibling or (self.source.is_short and draft.is_new and draft.is_changed):
                # In session zero, the form for one more comes by itself.
                self._finish(FormEnd.ANOTHER if self.source.sibling else FormEnd.SAVED)
            case "enter":
                if not draft.enter():
                    self._finish(FormEnd.SAVED)
            case "tab" if draft.complete():
                pass
            case "down" | "tab":
                draft.step(1)
            case "up" | "shift+tab":
                draft.step(-1)
            case "pagedown":
                draft.step_section(1)
            case "pageup":
                draft.step_section(-1)
            case "delete" if draft.remove():
                pass
            case "ctrl+z":
                draft.restore()
            case key:
                draft.takes(key, event.character)

    def _finish(self, end: FormEnd) -> None:
        """Save what was changed. If that isn't possible, keep everything that was typed."""
        excess = None
        if self._draft.is_skipped:
            self.leave(end)
            return
        if not self._draft.finish():
            excess = self._draft.excess
            if excess is None or self._overrule is None:
                return
        shown = " and ".join(self._find_shown(self._draft.settings))
        # Ctrl+S is the key that saves; but held down it repeats, and must not show players anything.
        key, does = ("enter", "Enter saves") if shown else ("ctrl+s", "Ctrl+S saves")
        if excess or shown:
            why = [with_capital(excess.message)] if excess else []
            why += [f"Players would see {shown}"] if shown else []
            self._view.asks = (
                f"{'. '.join(why)}. {does}{' it anyway' if excess else ''}, and any other key goes on in the form"
            )
            self._view.confirms, self._saving = key, end
        else:
            self._save_and_leave(end)

    def _save_and_leave(self, end: FormEnd) -> None:
        settings = self._draft.settings
        save = self._overrule if self._overrule and self._draft.excess else self._save
        self._view.refusal = save(settings) if settings else None
        if self._view.refusal is None:
            self.leave(end)

    def on_paste(self, event: events.Paste) -> None:
        """Insert a paste into the field. It never acts by itself."""
        event.stop()
        self._draft.paste(event.text)
        self.fit()

    def on_click(self, event: events.Click) -> None:
        """Take a choice, or move the cursor."""
        target = self._view.target_at(event)
        if target is None:
            return
        self._draft.go_to(target.row)
        if target.choice is not None:
            self._draft.choose(target.choice)
        elif self._draft.row.kind is RowKind.ENTRY:
            self._draft.fold()
        self.fit()

    def on_mouse_scroll_down(self) -> None:
        """Go down a row."""
        self._draft.step(1)
        self.fit()

    def on_mouse_scroll_up(self) -> None:
        """Go up a row."""
        self._draft.step(-1)
        self.fit()
