"""Help: the keys that work here and now, by purpose. Typing searches them, and the commands of the app; Enter does what is selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile, zip_longest
from typing import TYPE_CHECKING

from textual import events
from textual.binding import Binding

from waylog.rules.model.act_lists_and_row_verbs import ActList, has_list, moves_of_list, moves_without_key
from waylog.rules.model.moves import Move, PickMany, PickOne, reason_of
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.log.undo_and_scenes import NOTHING_TO_REDO, NOTHING_TO_UNDO
from waylog.ui.draw.cell_lines import CellLine, cells_of, foot, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.panel_layout import split_columns
from waylog.ui.draw.window_layout_and_key_names import BRIDGE, SCENE, TABS, format_keys, key_name
from waylog.ui.line.choices import AppCommand, Choice, PromptRequest
from waylog.ui.line.line_editor_and_recall import LineEditor
from waylog.ui.line.lists_and_lines_that_keys_open import (
    LIST_KEYS,
    LOOKING_ON,
    NO_CONFLICT,
    NO_PROPOSAL,
    NO_SCENE,
    NOT_HELD,
    NOTHING_TRIED,
    can_call,
    has_scene_tab,
    pickable_dice,
)
from waylog.ui.parts.letter_assignment import WAYLOG_ROLLS
from waylog.ui.views.list_view import ListView
from waylog.ui.views.overlays_and_choosers import Overlay
from waylog.values import NamedTuple, dataclass
from waylog.words.sentences import with_capital

if TYPE_CHECKING:
    from waylog.ui.line.choice_list import ActPicker


@dataclass(frozen=True, slots=True)
class KeyHint:
    """A key and what it does. `why_not` says why it does nothing now."""

    key: str
    does: str
    why_not: str = ""
    group: str = ""
    press: str = ""
    """The key as the app calls it, for Enter to press; empty if a key alone does nothing."""
    also: str = ""
    """Other words to find it by."""
    runs: PromptRequest | Choice | None = None
    """The line that Enter opens, or the command that it runs, instead of pressing a key."""


_PURPOSES: Mapping[str, Sequence[str]] = {
    "At the table": (
        "roll", "call", "damage", "tick", "exposed", "mend", "sight", "time", "note", "secret", "clock", "close", "table", "scene", "scene_cards", "session",
    ),
    "On this row": ("row.more", "row.less", "row.toggle", "edit", "row.menu", "copy", "editor"),
    "Look and find": ("search", "rule", *(f"look.{tab}" for tab in (BRIDGE, *TABS, SCENE)), "players"),
    "Undo": ("undo", "redo", "rewind", "what_if", "what_if.real"),
    "Earlier moments": ("moment.earlier", "moment.later", "moment.scene_before", "moment.scene_after", "moment.now"),
    "Program": ("do", "palette", "campaigns", "keys", "hints", "theme", "suspend", "interrupt", "quit"),
}  # fmt: skip
"""The keys that work everywhere, by purpose, the most used of each group first."""
_MOVING = (
    "down", "up", "right", "left", "home", "end", "pagedown", "pageup",
)  # fmt: skip
"""The ends of the ids of keys that only move the cursor. They come last."""


def hints(
    snapshot: Snapshot,
    choices: Sequence[tuple[str, Move]],
    own_keys: Iterable[object],
    where: str,
    everywhere: Iterable[object] = (),
    takes_dice: Callable[[Move], bool] = lambda _: False,
) -> Iterator[KeyHint]:
    """Return what the keys do: answers to the open question, then keys of this view, then those that work everywhere,
    by purpose. `takes_dice` knows behind which moves real dice may be typed.

    Keys that do nothing now are left out.
    """
    if wanted := snapshot.missing_dice:
        yield KeyHint("0–9", f"Type the dice: {', '.join(dict.fromkeys(wanted))}", group="Now")
        yield KeyHint("Enter", "Confirm the dice that you typed", group="Now")
        yield KeyHint(WAYLOG_ROLLS, "Let Waylog roll the dice that are missing", group="Now", press=WAYLOG_ROLLS)
    if move := pickable_dice(snapshot, where):
        yield KeyHint("0–9", f"Choose dice to {move.verb}: one digit per die", group="Now")
        yield KeyHint(f"Alt+1…{len(TABS) + 1}", "Go to another tab while you choose (Ctrl works too)", group="Now")
    yield from (KeyHint(key or "·", move.label, group="Now", press=key) for key, move in choices if not move.blocked)
    if snapshot.question is not None and choices:
        yield KeyHint("Enter", "Choose the highlighted answer", group="Now", press="enter")
    taken = {key for key, _ in choices} | ({"enter"} if snapshot.question is not None and choices else set())
    own_keys = [one for one in own_keys if not (isinstance(one, Binding) and one.key in taken)]
    # A key of the view means what it does there, and nothing else.
    taken |= {key for one in own_keys if isinstance(one, Binding) for key in one.key.split(",")}
    known = {
        one.id: one
        for one in everywhere
        if isinstance(one, Binding)
        and taken.isdisjoint((one.key, one.key.split(",")[0]))
        and not _why_not(one, snapshot)
    }
    yield from (
        _key_hint(known[name], _does(known[name], snapshot, takes_dice), "Now") for name in _SELDOM if name in known
    )
    moving = list[Binding]()
    for binding in own_keys:
        if isinstance(binding, Binding) and (binding.id or "").rpartition(".")[2] in _MOVING:
            moving.append(binding)
        elif isinstance(binding, Binding):
            yield _key_hint(binding, binding.tooltip, f"On the {where} tab")
    for number, (purpose, names) in enumerate(_PURPOSES.items()):
        yield from (
            _key_hint(known[name], _does(known[name], snapshot, takes_dice), purpose) for name in names if name in known
        )
        if not number and not snapshot.read_only:
            for verb, moves in moves_without_key(snapshot.moves, snapshot.act_keys).items():
                blocked = reason_of(moves[0].blocked) if all(move.blocked for move in moves) else ""
                line = PromptRequest("Command", "", f"{verb} ")
                yield KeyHint(f": {verb}", _name_moves(moves), blocked, "Commands without a key", also=verb, runs=line)
    yield from (_key_hint(binding, binding.tooltip, "Move") for binding in moving)


def hints_of_list(picker: ActPicker) -> Iterator[KeyHint]:
    """Yield what the keys do while a list of letters is open."""
    for each in picker.subjects:
        yield KeyHint(each.letter or "·", each.name, with_capital(each.refused), picker.title, each.letter)
    if picker.which is ActList.TICK:
        yield KeyHint("1–9", "Fill more than one segment: type the number first", group="In this list")
        yield KeyHint("−", "Empty segments", group="In this list", press="minus")
    yield KeyHint("↑ ↓", "Mark another one", group="In this list")
    yield KeyHint("Enter", "Choose the highlighted item", group="In this list", press="enter")
    yield KeyHint(":", "Menu and command line", group="In this list", press="colon")
    yield KeyHint("Esc", "Close the list", group="In this list", press="escape")


def _name_moves(moves: Sequence[Move]) -> str:
    """Return what moves of one verb do: their label as far as it is the same, such as `Rest` for `Rest: Mara` and `Rest: Joss`. A sentence
    that is the same only at its start says that it goes on.
    """
    first, *others = [move.label for move in moves]
    if all(each.startswith(first) for each in others):
        return first
    letters = takewhile(lambda each: len({*each}) == 1, zip(first, *others, strict=False))
    same = "".join(letter for letter, *_ in letters).rpartition(": " if ": " in first else " ")[0]
    if same and ": " in first:
        return same
    return f"{same} …" if " " in same else f"{first}, …"


def _key_hint(binding: Binding, does: str, group: str) -> KeyHint:
    return KeyHint(format_keys(binding.key), does, group=group, press=binding.key.split(",")[0])


def _does(binding: Binding, snapshot: Snapshot, takes_dice: Callable[[Move], bool]) -> str:
    """Return what a key that works everywhere does now."""
    match binding.id:
        case "damage" if any(map(takes_dice, moves_of_list(snapshot.moves, snapshot.act_keys, ActList.DAMAGE))):
            return f"{binding.tooltip} (type a real die last)"
        case "roll":
            return binding.tooltip + _example(snapshot, format_keys(binding.key))
        case "conflict.file" if snapshot.asked:
            return f"Answer the question about the file: {snapshot.asked.keep}"
        case "conflict.played" if snapshot.asked:
            return f"Answer the question about the file: {snapshot.asked.update}"
        case _:
            return binding.tooltip


def _example(snapshot: Snapshot, key: str) -> str:
    """Return the keys for the first roll that can be made in this game now, such as `r n`."""
    verb = snapshot.roll_key.verb(snapshot.moves)
    for move in snapshot.moves:
        if move.verb == verb and move.words and not move.blocked:
            answers = list[str]()
            for ask in move.asks:
                if isinstance(ask, PickOne) and ask.default is None:
                    answers += [option.word for option in ask.options[:1]]
                elif isinstance(ask, PickMany):
                    answers += [option.word for option in ask.options[: ask.least]]
            return f", for example {' '.join((key, move.key or ' '.join(move.words), *answers))}"
    return ""


_VERBS = ("note", "secret", "scene", "clock", "table", "session")
"""The keys that are named after the verb that they begin."""
_ACTS = (*_VERBS, "roll", "do", "edit", "undo", "redo", "rewind")
_SELDOM = (
    "conflict.file", "conflict.played", "held.write", "held.drop",
    "proposal.play", "proposal.decline", "proposal.next", "proposal.before",
)  # fmt: skip
"""The keys for rare events. They are listed only while they do something."""


def _why_not(binding: Binding, snapshot: Snapshot) -> str:
    verbs = {move.verb for move in snapshot.moves if not move.blocked}
    match binding.id:
        case str(id) if id in _ACTS and snapshot.read_only:
            return LOOKING_ON.reason
        case "look.scene" if not has_scene_tab(snapshot):
            return NO_SCENE
        case "table" if not (snapshot.tables or snapshot.decks):
            return "there are no tables yet: this key makes one"
        case "damage" | "exposed" | "mend" if not has_list(snapshot.act_keys, LIST_KEYS[binding.id]):
            return "not in this game"
        case "call" if not can_call(snapshot):
            return "nobody has a roll that you could call for"
        case str(id) if rare := _why_seldom(id, snapshot):
            return rare
        case "undo" if not snapshot.undo:
            return NOTHING_TO_UNDO
        case "redo" if snapshot.redo is None:
            return NOTHING_TO_REDO
        case "roll" if snapshot.roll_key.verb([move for move in snapshot.moves if not move.blocked]):
            return ""
        case "roll":
            return snapshot.question or snapshot.roll_key.nothing
        case str(verb) if verb in _VERBS and verb not in verbs:
            return snapshot.question or "not now"
        case _:
            return ""


def _why_seldom(id_: str, snapshot: Snapshot) -> str:
    """Return why a key for a rare event does nothing now; empty if it does something, or is for no such event."""
    group = id_.partition(".")[0]
    if group == "conflict" and not (snapshot.conflicts or snapshot.asked):
        return NO_CONFLICT
    if id_ == "moment.now" and snapshot.as_of is None:
        return "this is now"
    if group == "held" and not snapshot.held:
        return NOT_HELD
    if group == "proposal" and not snapshot.proposals:
        return NO_PROPOSAL
    return NOTHING_TRIED if id_ == "what_if.real" and not snapshot.tried else ""


_LEAST_KEYS, _KEYS = 12, 14
"""The width that keys may have in any column that isn't narrow, and at most; longer ones wrap."""
_NARROW = 64
"""In windows narrower than this, the list takes the whole width."""
_PART, _WIDEST, _FRAME = 90, 176, 4
"""The percentage of a larger window that the list takes at most, with its frame; the cells that it has at most, and those of the frame."""
_BESIDE_KEYS = 4
"""Cells for the cursor, and between the keys and what they do."""
_COLUMN, _GAP, _MOST_COLUMNS = 36, 2, 4
"""The width that each column has at least when several stand side by side, the cells between them, and how many there are at most."""


def search_keys(hints: Sequence[KeyHint], text: str) -> Sequence[KeyHint]:
    """Return the hints that contain every word of `text`, or whose key is `text`."""
    words = text.lower().split()
    return [
        hint
        for hint in hints
        if text.strip() == hint.key or all(word in f"{hint.does} {hint.group} {hint.also}".lower() for word in words)
    ]


def hints_of_commands(commands: Iterable[Choice], listed: Iterable[KeyHint]) -> Iterator[KeyHint]:
    """Yield commands of the app as hints, but for those whose key is listed already."""
    keys = {hint.key for hint in listed}
    for each in commands:
        if not each.key or format_keys(each.key) not in keys:
            yield KeyHint(":", each.label, group="Commands", also=" ".join(each.also), runs=each)


def _search_all(text: str) -> KeyHint:
    """Return the last hint of a search: the list of every command, for what has no key."""
    label = f"Search all commands for “{text}”"
    opens = Choice(AppCommand(f"palette({text!r})"), label)
    return KeyHint(key_name("palette", "ctrl+p"), label, group="Commands", runs=opens)


_Group = tuple[str, Sequence[tuple[int, KeyHint]]]
"""The heading of some hints, and the hints with their numbers."""


class _KeyColumn(NamedTuple):
    """Groups of hints that stand below each other."""

    groups: Sequence[tuple[str, int, Sequence[tuple[int, Sequence[tuple[str, str]]]]]]
    """The heading of each, the width of its keys, and its hints: their numbers, and what stands in each line, key and text."""

    @property
    def width(self) -> int:
        """The cells of the longest line."""
        texts = (size + cells_of(text) for _, size, hints in self.groups for _, lines in hints for _, text in lines)
        return _BESIDE_KEYS + max(texts, default=0)

    @property
    def height(self) -> int:
        """How many lines they take, with a blank one between two groups."""
        return sum(2 + sum(len(lines) for _, lines in hints) for _, _, hints in self.groups) - 1


class _KeyList(ListView[int], can_focus=False):
    """The hints that were found, under the headings of their groups. Each takes as many lines as it needs."""

    def __init__(self, hints: Sequence[KeyHint], commands: Sequence[KeyHint] | None = None) -> None:
        super().__init__()
        self._hints, self._commands = hints, commands
        self._text = ""
        self.shown: Sequence[KeyHint] = hints
        """The hints that were found, and behind them the search of all commands."""
        self._found = len(hints)
        self._laid_out: tuple[tuple[int, int], Sequence[_KeyColumn]] | None = None
        """The columns of what is shown, for the width and the height that they were laid out for. The cursor changes none of it."""

    def count(self) -> int:
        return len(self.shown)

    def list_found(self, text: str) -> None:
        """List the hints that contain a text."""
        self._text, self._laid_out = text, None
        commands = self._commands if text.strip() else None
        found = [*search_keys(self._hints, text), *search_keys(commands or (), text)]
        self._found = len(found)
        self.shown = found if commands is None else [*found, _search_all(text.strip())]
        self.cursor = self.scroll = 0
        self.repaint()

    def prepare(self, ink: Palette, width: int, height: int) -> None:  # noqa: ARG002 - as `LineView` calls it
        """Divide the hints into columns, which stay while the cursor moves."""
        place = width, self._room(height)
        if self._laid_out is None or self._laid_out[0] != place:
            self._laid_out = place, _lay_out(self.shown, *place)

    def whole_size(self, width: int, height: int) -> tuple[int, int]:
        """Return how much of a frame of that size the list of every key needs: as many lines as its columns, and the width of one."""
        columns = _lay_out(self._hints, width - _FRAME, self._room(height - 2))
        wide = max((column.width for column in columns), default=0) + _FRAME if len(columns) < 2 else width
        return min(width, max(_NARROW, wide)), min(height, max((column.height for column in columns), default=0) + 6)

    def _room(self, height: int) -> int:
        """Return how many lines there are for the hints."""
        return max(1, height - 4) - (not self._found)

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        count = f"{self._found} found" if self._text else f"{len(self._hints)} keys here"
        head = CellLine(width).add("Help ", ink.accent)
        head.fill("─", ink.rule, until=width - cells_of(count) - 1).add(f" {count}", ink.dim)
        search = CellLine(width).add("/ ", ink.key)
        search.add(f"{self._text}", ink.strong).add(" ", ink.caret) if self._text else search.add(
            "type to search", ink.dim
        )
        keys = foot((("⏎", "do it"), ("↑↓", "choose"), ("Esc", "end search" if self._text else "close")), ink, width)
        room = self._room(height)
        top = [head, search]
        if not self._found:
            top.append(CellLine(width).to(2).add(f"No key matches “{self._text}”", ink.warn))
        page = self.in_window(self._render_columns(ink, width, room), self.cursor, room, ink).below(top)
        blank = [CellLine(width) for _ in range(height - len(page.lines) - 1)]
        return page._replace(lines=[*page.lines, *blank, keys])

    def _render_columns(self, ink: Palette, width: int, room: int) -> Page[int]:
        kept = self._laid_out
        columns = kept[1] if kept and kept[0] == (width, room) else _lay_out(self.shown, width, room)
        each = (width + _GAP) // len(columns)
        lines = [CellLine(width) for _ in range(max((column.height for column in columns), default=0))]
        areas = list[HitArea[int]]()
        for number, column in enumerate(columns):
            x, y = number * each, 0
            for group, size, hints in column.groups:
                lines[y].to(x).add(group, ink.accent)
                y += 1
                for index, texts in hints:
                    areas.append(HitArea(x, y, each - _GAP, len(texts), index))
                    drawn = _render_hint(self.shown[index], texts, ink, each - _GAP, size, here=index == self.cursor)
                    for line, part in zip(lines[y:], drawn, strict=False):
                        line.to(x).join(part)
                    y += len(texts)
                y += 1
        return Page(lines, areas)


def _lay_out(hints: Sequence[KeyHint], width: int, room: int) -> Sequence[_KeyColumn]:
    """Divide hints into one column, or into as many side by side as they need to fit into so many lines, if there is room for those."""
    groups = [(name, [*numbered]) for name, numbered in groupby(enumerate(hints), lambda pair: pair[1].group)]
    columns: Sequence[_KeyColumn] = ()
    most = min(_MOST_COLUMNS, max(1, width // _COLUMN))
    for count in range(1, most + 1):
        each = (width + _GAP) // count - _GAP
        heights = [_column([group], each).height for group in groups]
        # Each column has room for its own keys alone.
        columns = [_column(groups[part.start : part.stop], each) for part in split_columns(heights, count)]
        if all(column.height <= room for column in columns):
            return columns
    # Rather a group in two parts than one that lies below the window while lines are free.
    each = (width + _GAP) // most - _GAP
    for size in range(_keys_width(groups, each), 0, -1):
        # How wide the keys of a column are shows only when it is known which they are.
        flowed = [_column(part, each) for part in _flow_groups(groups, each, room, size)]
        if len(flowed) <= most and all(column.height <= room for column in flowed):
            return flowed
    return columns


def _flow_groups(groups: Sequence[_Group], width: int, room: int, size: int) -> Sequence[Sequence[_Group]]:
    """Distribute hints in their order over columns of so many lines, with so many cells for keys. What doesn't fit of a group stands in
    the next, under its name.
    """
    used = 0
    columns: list[list[tuple[str, list[tuple[int, KeyHint]]]]] = [[]]
    for name, hints in groups:
        begins = True
        for index, hint in hints:
            lines, above = len(_wrap_hint(hint, width, size)), begins * (1 + bool(used))
            if used and used + above + lines > room:
                columns.append([])
                begins, above, used = True, 1, 0
            columns[-1] += [(name, [])] if begins else []
            columns[-1][-1][1].append((index, hint))
            used, begins = used + above + lines, False
    return columns


def _keys_width(groups: Sequence[_Group], width: int) -> int:
    """Return the cells that keys have in a column of that width."""
    longest = max((cells_of(hint.key) for _, hints in groups for _, hint in hints), default=1)
    return min(longest, _KEYS, max(width // 4, _LEAST_KEYS * (width > _COLUMN)))


def _column(groups: Sequence[_Group], width: int) -> _KeyColumn:
    wide, drawn = _keys_width(groups, width), list[tuple[str, int, Sequence[tuple[int, Sequence[tuple[str, str]]]]]]()
    for name, hints in groups:
        # In a narrow window, keys of one letter leave the room of longer ones to what they do.
        size = _keys_width([(name, hints)], width) if width < _NARROW - _FRAME else wide
        drawn.append((name, size, [(index, _wrap_hint(hint, width, size)) for index, hint in hints]))
    return _KeyColumn(drawn)


def _wrap_hint(hint: KeyHint, width: int, size: int) -> Sequence[tuple[str, str]]:
    """Return the lines of a hint: a key in its column, and beside it what it does, and why not. Each wraps within its column."""
    start, why_not = size + _BESIDE_KEYS, with_capital(hint.why_not)
    does = f"{hint.does}  ✗ {why_not}" if why_not else hint.does
    parts = [does] if cells_of(does) <= width - start else wrap_text(hint.does, width - start)
    if why_not and parts != [does]:
        parts += [f"{'  ' if n else '✗ '}{part}" for n, part in enumerate(wrap_text(why_not, width - start - 2))]
    return [*zip_longest(wrap_text(hint.key, size), parts, fillvalue="")]


def _render_hint(
    hint: KeyHint, texts: Sequence[tuple[str, str]], ink: Palette, width: int, size: int, *, here: bool
) -> Iterator[CellLine]:
    """Yield the drawn lines of a hint, which has the cursor or not."""
    for number, (key, part) in enumerate(texts):
        line = CellLine(width).add("▸ " if here and not number else "  ", ink.key)
        line.add(key, ink.dim if hint.why_not else ink.key).to(size + _BESIDE_KEYS)
        line.add(part, ink.dim if hint.why_not else ink.plain)
        yield line.over(ink.under_cursor) if here else line


_STEPS = {"down": 1, "tab": 1, "up": -1, "shift+tab": -1, "pagedown": 10, "pageup": -10, "home": -999, "end": 999}
"""Keys that move the cursor, and by how many hints."""
_LEAVES = ("escape", "f1", "ctrl+c")


class KeysScreen(Overlay[KeyHint | None], inherit_bindings=False):
    """The help screen. It closes with the chosen hint, or with None. A search finds `commands` too, if they are given, and goes on
    in the list of all.
    """

    CSS_PATH = "help_on_keys.tcss"

    def __init__(self, hints: Sequence[KeyHint], commands: Sequence[KeyHint] | None = None) -> None:
        self._list = _KeyList(hints, commands)
        super().__init__(self._list)
        self._editor = LineEditor()

    @property
    def keys(self) -> Sequence[KeyHint]:
        """The hints that are listed."""
        return self._list.shown

    def fit(self) -> None:
        (width, height), is_narrow = self.app.size, self.app.size.width < _NARROW
        self.set_class(is_narrow, "-narrow")
        # A search changes nothing about the frame.
        most = min(_WIDEST, width * _PART // 100), height * _PART // 100
        wide, high = (width, height) if is_narrow else self._list.whole_size(*most)
        self._list.styles.width, self._list.styles.height = wide, high

    def on_key(self, event: events.Key) -> None:
        """Move the cursor, type into the search, run the selected hint, or close. While nothing is typed, the key for
        help closes it.
        """
        event.stop()
        event.prevent_default()
        text = self._editor.text
        if event.key in _STEPS:
            self._list.action_step(_STEPS[event.key])
        elif event.key == "enter":
            self.leave(self._list.shown[self._list.cursor] if self._list.shown else None)
        elif (event.key in _LEAVES and not (text and event.key == "escape")) or (event.character == "?" and not text):
            self.leave(None)
        elif event.key == "escape":
            self._search("")
        elif event.is_printable and event.character and (text or event.character != "/"):
            self._search(text + event.character)
        elif self._editor.consume_key(event.key):
            self._search(self._editor.text)

    def _search(self, text: str) -> None:
        self._editor.set(text)
        self._list.list_found(text)

    def on_click(self, event: events.Click) -> None:
        """A click on a hint runs it; a click elsewhere closes."""
        if event.widget is not self._list:
            self.leave(None)
        elif (index := self._list.target_at(event)) is not None:
            self.leave(self._list.shown[index])
