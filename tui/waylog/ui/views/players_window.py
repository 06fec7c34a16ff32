"""The players' view: in a window of its own (`waylog watch`), or on top of the wayfinder's window."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from waylog.rules.model.panels import Panel, Tag
from waylog.store.players.players_file import NOT_YET, Projection
from waylog.store.shown.countdowns import Ticker
from waylog.ui.draw import players_view_in_lines
from waylog.ui.draw.bridge_layout import layout_bridge
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.drawn_panels import Room, without_repeats
from waylog.ui.draw.window_layout_and_key_names import HEIGHT, WIDTH, format_keys
from waylog.ui.views.help_on_keys import KeyHint, KeysScreen
from waylog.ui.views.list_view import window
from waylog.ui.views.overlays_and_choosers import HoldsKeys
from waylog.values import NamedTuple, replace

_WIDE = 100
"""The width from which on the log stands beside the rest."""
_MOST_TROUBLE = 3
"""The most lines of what is wrong."""
_LEAST_OWN = 4
"""Lines of a player's own character that are in sight from the top."""
_YOU = Tag("you")


class ScrollTarget(IntEnum):
    """The parts that scroll."""

    SHEET = 0
    LOG = 1


class Shown(NamedTuple):
    """A part with its scroll position, and the farthest position."""

    part: ScrollTarget
    moved: int
    most: int


def _is_own(panel: Panel, character: str) -> bool:
    return bool(character) and panel.place == "crew" and panel.title == character


def _rank(panel: Panel, character: str) -> int:
    return 0 if panel.place == "scene" else 1 if _is_own(panel, character) else 2


class PlayersView(LineView[Shown]):
    """Ship, crew, clocks and log as players may see them. At first the end of the log is in sight."""

    def __init__(self, seen: Projection | None, keys: str = " ? help ", name: str = "") -> None:
        """At the top, where the campaign's name is, `keys` names the keys, and `name` the view."""
        super().__init__()
        self._seen, self._keys, self._called = seen, keys, name
        self._trouble = ""
        self.character = ""
        """The title of the panel of the player's own character, which comes first; empty if the player has none."""
        self._moved = dict.fromkeys(ScrollTarget, 0)
        self._scrolling = ScrollTarget.SHEET
        self._due = False
        self._ticker = Ticker(self.set_timer, lambda _: self.repaint())

    def show(self, seen: Projection | None, trouble: str = "") -> None:
        """Show another projection. `trouble` stands above the last one that could be read."""
        if (seen, trouble) != (self._seen, self._trouble):
            self._seen, self._trouble = seen, trouble
            self._follow_timers()
            self.repaint()

    def on_mount(self) -> None:
        self._follow_timers()

    def _follow_timers(self) -> None:
        self._ticker.follow(self._seen.timers if self._seen else ())

    def scroll_part(self, by: int, part: ScrollTarget | None = None) -> None:
        """Scroll the sheet down or the log back in time by so many lines; negative numbers scroll the other way."""
        part = self._scrolling if part is None else part
        # The log's end is where it stands at rest: up is back in time.
        by = -by if part is ScrollTarget.LOG else by
        most = next((area.target.most for area in self.page.areas if area.target.part is part), 0)
        self._moved[part] = max(0, min(most, min(most, self._moved[part]) + by))
        self._draw_soon()

    def change_part(self) -> None:
        """Let the keys scroll the other part."""
        self._scrolling = ScrollTarget.LOG if self._scrolling is ScrollTarget.SHEET else ScrollTarget.SHEET
        self._draw_soon()

    def _draw_soon(self) -> None:
        """Draw once for all keys that have arrived by then."""
        if not self._due:
            self._due = True
            self.call_later(self._draw_due)

    def _draw_due(self) -> None:
        self._due = False
        self.repaint()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll the part under the mouse."""
        self._scroll_at(event, 3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll the part under the mouse."""
        self._scroll_at(event, -3)

    def _scroll_at(self, event: events.MouseEvent, by: int) -> None:
        shown = self.target_at(event)
        self.scroll_part(by, shown.part if shown else ScrollTarget.SHEET)

    # -- rendering ----------------------------------------------------------------------------------------------

    def render_page(self, ink: Palette, width: int, height: int) -> Page[Shown]:
        if width < WIDTH or height < HEIGHT:
            return Page([CellLine(width).add(f"Waylog needs {WIDTH}×{HEIGHT}", ink.plain)])
        if self._seen is None:
            waiting = [
                CellLine(width).to(2).add(part, ink.dim) for part in wrap_text(self._trouble or NOT_YET, width - 4)
            ]
            return Page([CellLine(width).right(self._keys, ink.dim), CellLine(width), *waiting])
        head = [players_view_in_lines.title(self._seen, ink, width, self._keys, self._called)]
        if timers := self._ticker.forms():
            fitting = next((each for each in timers if cells_of(each) < width), timers[-1])
            head.append(CellLine(width).to(1).add(fitting, ink.accent))
        for index, part in enumerate(wrap_text(self._trouble, width - 4, _MOST_TROUBLE)):
            head.append(
                CellLine(width).add("   " if index else " ! ", ink.alert).add(part, ink.alert).fill(" ", ink.alert)
            )
        at_stake = players_view_in_lines.stakes(self._seen, ink, width)[: height // 2]
        head += [*at_stake, CellLine(width)] if at_stake else []
        parts = self._beside if width >= _WIDE else self._stack_parts
        # What is open comes first, and then the player's own panel, which is marked.
        me, panels = self.character, sorted(self._seen.panels, key=lambda each: _rank(each, self.character))
        marked = (replace(each, tags=(_YOU, *each.tags)) if _is_own(each, me) else each for each in panels)
        return parts(replace(self._seen, panels=tuple(marked)), ink, width, height - len(head)).below(head)

    def _beside(self, seen: Projection, ink: Palette, width: int, height: int) -> Page[Shown]:
        """Put the sheet on the left, and clocks and log on the right; above a short log, panels for which the left has no room."""
        left = width * 3 // 5
        blank = CellLine(width)
        clocks = players_view_in_lines.clocks(seen, ink, width - left, height // 2)[: height // 2]
        above = [blank, *clocks, blank] if clocks else [blank]
        free = height - len(above) - 1 - len(players_view_in_lines.acts(seen, ink, width - left))
        lines, panels = players_view_in_lines.sheet(seen, ink, left, height - 1), seen.panels
        moved, kept = list[CellLine](), seen
        for count in range(1, len(panels)):
            if len(lines) < height:
                break
            last = replace(seen, panels=panels[-count:], decks=())
            beside = [*players_view_in_lines.sheet(last, ink, width - left, free), blank]
            if len(beside) > free:
                break
            moved, kept = beside, replace(seen, panels=panels[:-count])
            lines = players_view_in_lines.sheet(kept, ink, left, height - 1)
        if len(lines) >= height:
            lines = [*self._overview(kept, ink, left, height - 1), *lines]
        sheet = self._sheet(lines, left, height - 1, ink).below([CellLine(left)])
        above += moved
        right = self._log(seen, ink, width - left, height - len(above)).below(above)
        lines = [
            CellLine(width).join(sheet.lines[y] if y < len(sheet.lines) else blank).to(left).join(right.lines[y])
            for y in range(height)
        ]
        return Page(lines, [*(area._replace(x=left) for area in right.areas), *sheet.areas])

    def _stack_parts(self, seen: Projection, ink: Palette, width: int, height: int) -> Page[Shown]:
        """Put clocks and sheet above, and the log below."""
        log_room = max(3, min(height // 3 - 1, len(players_view_in_lines.acts(seen, ink, width))))
        above = height - max(4, 1 + len(players_view_in_lines.latest_acts(seen, ink, width, log_room)))
        lines = list[CellLine]()
        if leading := tuple(each for each in seen.panels if _rank(each, self.character) < 2):
            # Of all, players look at what is open and at their own character most. Where that has no room, it comes first in short.
            characters = [each for each in leading if _is_own(each, self.character)]
            open_now = replace(seen, panels=tuple(each for each in leading if each not in characters), decks=())
            if characters and len(players_view_in_lines.sheet(open_now, ink, width, above)) > above - _LEAST_OWN:
                short = layout_bridge([*without_repeats(characters)], ink, width, _LEAST_OWN, Room.BRIEF)
                lines += [*(short.line(y, None, ink) for y in range(len(short.lines))), CellLine(width)]
            lines += [
                *players_view_in_lines.sheet(replace(seen, panels=leading, decks=()), ink, width, above // 2),
                CellLine(width),
            ]
            seen = replace(seen, panels=seen.panels[len(leading) :])
        clocks = players_view_in_lines.clocks(seen, ink, width, above // 2 + 1 - len(lines))
        # How far each clock is comes before what any of them leads to.
        is_short = bool(leading) and len(lines) + len(clocks) > above
        if clocks:
            lines += [*(players_view_in_lines.clock_list(seen, ink, width) if is_short else clocks), CellLine(width)]
        lines += players_view_in_lines.sheet(seen, ink, width, max(1, above - len(lines)))
        lines += [CellLine(width), *clocks] if is_short else []
        if len(lines) > above and not leading:
            lines = [
                *self._overview(seen, ink, width, above, players_view_in_lines.clock_list(seen, ink, width)),
                *lines,
            ]
        sheet = self._sheet(lines, width, above, ink)
        log = self._log(seen, ink, width, height - above).below(sheet.lines)
        return Page(log.lines, [*log.areas, *sheet.areas])

    def _overview(
        self, seen: Projection, ink: Palette, width: int, height: int, clocks: Sequence[CellLine] = ()
    ) -> Sequence[CellLine]:
        """Return ship, crew, clocks and cards in short, or crew and clocks alone if only these fit, and the heading of the sheet below,
        which has to be scrolled. Return nothing if they need more lines than that, a scene is open, or somebody in the crew is the player's
        own character.
        """
        if height < HEIGHT or any(_rank(panel, self.character) < 2 for panel in seen.panels):
            return ()

        panels = [*without_repeats(seen.panels)]

        def shorten(below: Sequence[CellLine]) -> Sequence[CellLine]:
            layout = layout_bridge(panels, ink, width, height - len(below) - 1)
            return [*(layout.line(y, None, ink) for y in range(len(layout.lines))), *below]

        lines = shorten(clocks)
        if len(lines) >= height:
            panels = [panel for panel in panels if panel.place == "crew"]
            lines = shorten(clocks)
        else:
            # What was shown to players last may be a card: in short, too, if there is room for all of them.
            with_cards = shorten([*clocks, *players_view_in_lines.cards(seen, ink, width)])
            lines = with_cards if len(with_cards) < height else lines
        heading = CellLine(width).to(2).add("In full ", ink.accent).fill("─", ink.rule, until=width - 2)
        below = [heading, CellLine(width)]
        return [*lines, *([CellLine(width)] if len(lines) + 2 < height else []), *below] if len(lines) < height else ()

    def _log(self, seen: Projection, ink: Palette, width: int, height: int) -> Page[Shown]:
        """Draw a dividing line and the end of the log, or the lines that it is scrolled to."""
        head = CellLine(width).to(2).add("Log ", ink.accent)
        if self._scrolling is ScrollTarget.LOG:
            head.add("↑↓ ", ink.key)
        lines, room = players_view_in_lines.acts(seen, ink, width), height - 1
        shown = self._visible_part(ScrollTarget.LOG, len(lines) - room)
        end = len(lines) - shown.moved
        inside = lines[max(0, end - room) : end]
        if not shown.moved:
            inside = players_view_in_lines.latest_acts(seen, ink, width, room)
        inside += [CellLine(width)] * (room - len(inside))
        return Page([head.fill("─", ink.rule, until=width - 2), *inside], [HitArea(0, 0, width, height, shown)])

    def _sheet(self, lines: list[CellLine], width: int, height: int, ink: Palette) -> Page[Shown]:
        """Draw as many lines of the sheet as there is room for, from its scroll position on."""
        shown = self._visible_part(ScrollTarget.SHEET, len(lines) - height)
        inside = [*window(lines, shown.moved, height, ink), *[CellLine(width)] * (height - len(lines))]
        return Page(inside, [HitArea(0, 0, width, height, shown)])

    def _visible_part(self, part: ScrollTarget, most: int) -> Shown:
        most = max(0, most)
        return Shown(part, min(self._moved[part], most), most)


class ReadOnlyScreen(Screen[None], inherit_bindings=False):
    """A screen that shows the players' view and changes nothing."""

    CSS_PATH = "players_window.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_by(1)", "Down", id="players.down", tooltip="Line down"),
        Binding("up,k", "scroll_by(-1)", "Up", id="players.up", tooltip="Line up"),
        Binding("pagedown,space", "scroll_by(10)", "Page down", id="players.pagedown", tooltip="Ten lines down"),
        Binding("pageup,b", "scroll_by(-10)", "Page up", id="players.pageup", tooltip="Ten lines up"),
        Binding("home,g", "scroll_by(-9999)", "Top", id="players.home", tooltip="Top"),
        Binding("end,G", "scroll_by(9999)", "Bottom", id="players.end", tooltip="Bottom"),
        Binding(
            "tab",
            "other_part",
            "Sheet or log",
            id="players.part",
            tooltip="Switch between scrolling the log and the other parts",
        ),
        Binding("question_mark,f1", "keys", "Keys", id="players.keys", tooltip="Keys that work here"),
    ]

    KEYS: ClassVar = " ? help "
    """The keys that its first line names."""
    NAME: ClassVar = ""
    """What its first line calls it; empty where there is no other view."""

    def __init__(self, seen: Projection | None) -> None:
        super().__init__()
        self._view = PlayersView(seen, self.KEYS, self.NAME)

    def compose(self) -> ComposeResult:
        yield self._view

    def show(self, seen: Projection | None, trouble: str = "") -> None:
        """Show another projection. `trouble` stands above the last one that could be read."""
        self._view.show(seen, trouble)

    def action_scroll_by(self, by: int) -> None:
        """Scroll by so many lines."""
        self._view.scroll_part(by)

    def action_other_part(self) -> None:
        """Let the keys scroll the other part."""
        self._view.change_part()

    def action_keys(self) -> None:
        """Show the keys."""
        listed, taken = list[KeyHint](), set[str]()
        for one in (*self.BINDINGS, *self.app.BINDINGS):
            if isinstance(one, Binding) and (keys := [key for key in one.key.split(",") if key not in taken]):
                taken.update(keys)
                listed.append(KeyHint(format_keys(",".join(keys)), one.tooltip))
        self.app.push_screen(KeysScreen(listed))


class PlayersScreen(ReadOnlyScreen, inherit_bindings=False):
    """What players see now, on top of the wayfinder's window, until a key closes it."""

    KEYS: ClassVar = " Esc back  ? help "
    NAME: ClassVar = "Players see"

    BINDINGS: ClassVar[list[BindingType]] = [
        *ReadOnlyScreen.BINDINGS,
        Binding("escape,p,q", "close", "Close", id="players.close", tooltip="Back"),
    ]

    def action_close(self) -> None:
        """Close once only: the next key of a burst may arrive before the screen is gone."""
        if self.is_current:
            self.dismiss()
            if isinstance(self.app, HoldsKeys):
                self.app.hold_keys()
