"""The codes with which phones and the table's screen come in, one at a time, over the current view.

A phone scans the code. Its address has the key, so the code is for one person, and it isn't shown before somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Protocol

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType

from waylog.store.players.inbox_access_and_phone_keys import PageAddress, ServeStatus
from waylog.ui.draw.cell_lines import CellLine, foot, head, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.views.overlays_and_choosers import Overlay

_CODE = Style(color="#ffffff", bgcolor="#000000")
"""The same in every theme, and so no theme's: phones read a code by its contrast, which the colours of a theme may not have."""
_HALVES = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""What stands for two squares of a code, one above the other. The light ones are drawn: a terminal is usually dark, also where it has no
colours.
"""
_ROOM_FOR_TEXT = 20
_LOOK = 0.5
"""Seconds between two looks at what is served."""
_START = (
    "On their phones, players see their view and can propose actions. Nothing is played without you.",
    "m  This machine only, directly or through a tunnel",
    "l  The local network. Anyone on it can read everything that phones send",
)
_STARTING = "One moment…"
_NOBODY = "The campaign has no players yet. Add them to the campaign file, for example: [players.ana]"
_AGAIN = "Press n again to give {} a new code. The old code will then stop working, and the phone that used it will lose its connection"
_KEYS = (("→", "next"), ("n", "new code"), ("x", "stop"))
_KEYS_AT_START = (("m", "this machine"), ("l", "network"))


@lru_cache(maxsize=16)
def _draw_code(text: str) -> Sequence[str]:
    """Return the lines of a code, each half as many as its squares."""
    import segno  # An extra: only `waylog serve` needs it.

    rows = [[int(square) for square in row] for row in segno.make_qr(text, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    return [
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(*[iter(rows)] * 2, strict=True)
    ]


class _PhonesText(LineView[int], can_focus=False):
    """One code with its name and address, and the list of all. A click on a name shows its code."""

    def __init__(self, leaves: str) -> None:
        super().__init__()
        self._leaves = ("Esc", leaves)
        self._status: ServeStatus | None = None
        self._trouble, self._notice, self._starts = "", "", False
        self.shown = 0

    @property
    def addresses(self) -> Sequence[PageAddress]:
        """Everybody who has a code."""
        return self._status.addresses if self._status else ()

    @property
    def one(self) -> PageAddress | None:
        """Whose code is shown."""
        return self.addresses[self.shown % len(self.addresses)] if self.addresses else None

    def show(self, status: ServeStatus | None, trouble: str, *, starts: bool) -> None:
        """Show what is served; None if nothing is. `trouble` says what went wrong."""
        if (status, trouble, starts) != (self._status, self._trouble, self._starts):
            self._status, self._trouble, self._starts = status, trouble, starts
            self.repaint()

    def say(self, notice: str) -> None:
        """Show a notice until another code is shown."""
        self._notice = notice
        self.repaint()

    def turn(self, by: int) -> None:
        """Show the code of the next one, or of the one before."""
        self._notice = ""
        if self.addresses:
            self.shown = (self.shown + by) % len(self.addresses)
            self.repaint()

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        one = self.one
        title = head("Phones", ink, width, self._status.url if self._status else "")
        keys = foot((*(_KEYS if one else () if self._starts else _KEYS_AT_START), self._leaves), ink, width)
        if one is None:
            texts = [self._trouble, *(_START if not self._starts else (_STARTING,))]
            body = [line for text in texts if text for line in (*_wrap_in_ink(text, ink, width), CellLine(width))]
            return _fill(title, Page(body), keys, width, height)
        code = _draw_code(one.url)
        beside, room = width - len(code[0]) - 3 >= _ROOM_FOR_TEXT, height - 2
        names = self._list_names(ink, width - len(code[0]) - 3 if beside else width)
        if beside and room >= len(code) - 1:
            lines = [_code_line(row, width).to(len(code[0]) + 3) for row in code]
            for line, text in zip(lines, names.lines, strict=False):
                line.join(text)
            areas = [area._replace(x=len(code[0]) + 3) for area in names.areas]
            # A small window has the code in place of the title.
            return _fill(title if room >= len(code) else None, Page(lines, areas), keys, width, height)
        # A narrow window has a question in place of the code.
        if width >= len(code[0]) and room > len(code) and not self._notice:
            name = CellLine(width).add(f"{one.name} ", ink.strong).add(self._place, ink.dim)
            return _fill(name, Page([_code_line(row, width) for row in code]), keys, width, height)
        body = [*_wrap_in_ink(f"{one.name}: {one.url}", ink, width), CellLine(width), *names.lines]
        return _fill(title, Page(body), keys, width, height)

    @property
    def _place(self) -> str:
        return f"{self.shown % len(self.addresses) + 1} of {len(self.addresses)}"

    def _list_names(self, ink: Palette, width: int) -> Page[int]:
        """Return everybody's name with the pages that are open, and the address of the one whose code is shown."""
        one, lines, areas = self.one, list[CellLine](), list[HitArea[int]]()
        for number, each in enumerate(self.addresses):
            is_shown = each is one
            pages = f" {each.pages} open" if each.pages else ""
            areas.append(HitArea(0, len(lines), width, 1, number))
            lines.append(
                CellLine(width)
                .add("▸ " if is_shown else "  ", ink.accent)
                .add(each.name, ink.strong if is_shown else ink.plain)
                .add(pages, ink.dim)
            )
        trouble = self._status.trouble if self._status else ""
        texts = [self._notice, one.url if one else "", trouble or ("" if len(self.addresses) > 1 else _NOBODY)]
        for text in filter(None, texts):
            lines += [CellLine(width), *_wrap_in_ink(text, ink, width)]
        return Page(lines, areas)


def _wrap_in_ink(text: str, ink: Palette, width: int) -> list[CellLine]:
    return [CellLine(width).add(part, ink.plain) for part in wrap_text(text, width)]


def _code_line(row: str, width: int) -> CellLine:
    return CellLine(width).add(row, _CODE)


def _fill(title: CellLine | None, page: Page[int], keys: CellLine, width: int, height: int) -> Page[int]:
    """Return a page with its title, if it has one, and its keys, in exactly that height."""
    room = height - 1 - (title is not None)
    blank = [CellLine(width)] * max(0, room - len(page.lines))
    whole = Page([*page.lines[:room], *blank, keys], page.areas)
    return whole.below([title]) if title else whole


class PhonesHost(Protocol):
    """The process that serves phones, as this screen uses it."""

    status: ServeStatus | None
    """The addresses that are served; None if none are, or not yet."""
    trouble: str
    """Why nothing is served."""

    @property
    def runs(self) -> bool:
        """Whether phones may come in, or soon may."""

    def look(self) -> None:
        """Look for what has changed."""

    def start(self, *, lan: bool) -> None:
        """Serve the page for phones: with `lan` to the local network, otherwise to this machine alone."""

    def stop(self) -> None:
        """Stop letting phones in."""

    def renew(self, player: str) -> None:
        """Give a player a new code; the table's screen with an empty key."""


class PhonesScreen(Overlay[None], inherit_bindings=False):
    """The codes."""

    CSS_PATH = "phones.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,tab,space,j", "turn(1)", "Next", id="phones.next", tooltip="The next code"),
        Binding("left,up,shift+tab,k", "turn(-1)", "Previous", id="phones.before", tooltip="The previous code"),
        Binding("l", "start(True)", "Network", id="phones.lan", tooltip="Let phones in from the local network"),
        Binding("m", "start(False)", "Machine", id="phones.machine", tooltip="Let in browsers on this machine"),
        Binding("n", "renew", "New code", id="phones.renew", tooltip="Give this player a new code"),
        Binding("x", "stop", "Stop", id="phones.stop", tooltip="Stop letting phones in"),
        Binding("escape,q,ctrl+c", "close", "Close", id="phones.close", tooltip="Back"),
    ]

    def __init__(self, host: PhonesHost, leaves: str = "back") -> None:
        """`leaves` says what Esc does."""
        self._view = _PhonesText(leaves)
        super().__init__(self._view)
        self._host = host
        self._renews: str | None = None
        """Whose code gets replaced if the key is pressed once more."""

    def on_mount(self) -> None:
        self._look()
        self.set_interval(_LOOK, self._look)

    def _look(self) -> None:
        self._host.look()
        self._view.show(self._host.status, self._host.trouble, starts=self._host.runs)

    def action_turn(self, by: int) -> None:
        """Show another code."""
        self._renews = None
        self._view.turn(by)

    def action_start(self, lan: bool) -> None:
        """Start to serve, unless that has been started already."""
        if not self._host.runs:
            self._host.start(lan=lan)
            self._look()

    def action_renew(self) -> None:
        """Give the one whose code is shown a new one, at the second press."""
        one = self._view.one
        if one is None:
            return
        if self._renews == one.key:
            self._renews = None
            self._host.renew(one.key)
            self._view.say("")
        else:
            self._renews = one.key
            self._view.say(_AGAIN.format(one.name))

    def action_stop(self) -> None:
        """Stop letting phones in."""
        self._host.stop()
        self._look()

    def action_close(self) -> None:
        """Go back. Phones that may come in still may."""
        self.leave(None)

    def on_click(self, event: events.Click) -> None:
        target = self._view.target_at(event)
        if target is not None:
            self.action_turn(target - self._view.shown)
