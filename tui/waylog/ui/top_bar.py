"""The line at the top: the tabs, the timers, the campaign's name and game, and the key for help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from textual import events
from textual.message import Message

from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.line_view import HitArea, LineView, Page
from waylog.ui.draw.palette import CellLine, Palette
from waylog.ui.key_names import key_name
from waylog.values import dataclass

_HELP = " ? help "
_WORDY = 72
"""The width from which on the session has a word and not only a letter."""
_TITLE = 16
"""Names of tabs are shortened to leave so many cells for the campaign's name."""


class TopBar(LineView[str]):
    """The widget with the tabs and their keys, and the campaign's name and game."""

    @dataclass
    class TabSelected(Message):
        """A tab was clicked. `tab` is its name, empty for help."""

        tab: str

    def __init__(self, tabs: Sequence[str], title: str, system: str) -> None:
        super().__init__(id="bar")
        self._tabs, self._title, self._system = tabs, title, system
        self._current = tabs[0]
        self._marks: tuple[str, ...] = ()
        self._session = 0
        self._badge: tuple[str, ...] = ()
        self._countdowns: Sequence[str] = ()
        self._may_start = True

    def show(
        self,
        tabs: Sequence[str],
        current: str,
        title: str,
        marks: tuple[str, ...],
        session: int,
        badge: tuple[str, ...] = (),
        *,
        may_start: bool = True,
    ) -> None:
        """Show the current tab. `marks` are states that every view shows, such as `Wrecked`; `session` is the number of
        the current session, or 0. The first form of `badge` that fits is shown before the campaign's name. With
        `may_start`, the key for sessions starts one now.
        """
        before = (self._tabs, self._current, self._title, self._marks, self._session, self._badge, self._may_start)
        if before != (tabs, current, title, marks, session, badge, may_start):
            self._tabs, self._current, self._title, self._marks, self._session = tabs, current, title, marks, session
            self._badge, self._may_start = badge, may_start
            self.repaint()

    def show_timers(self, forms: Sequence[str]) -> None:
        """Show the first form of the timers that fits; the last one in any case."""
        if forms != self._countdowns:
            self._countdowns = forms
            self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Open the tab under the mouse."""
        tab = self.target_at(event)
        if tab is not None:
            self.post_message(self.TabSelected(tab))

    def render_page(self, ink: Palette, width: int, height: int) -> Page[str]:  # noqa: ARG002 - one line is all it has
        line = CellLine(width)
        end = width - (len(_HELP) if width >= 48 else 3)
        if self._session:
            session = f" {'Session ' if width >= _WORDY else 's'}{self._session} "
        else:
            session = " no session " if width >= _WORDY else ""
        marks = "".join(f"  ! {mark} " for mark in self._marks)
        timers = next((form for form in self._countdowns if cells_of(form) <= width // 4), (*self._countdowns, "")[-1])
        timers = f" {timers} " if timers else ""
        room = end - cells_of(marks) - cells_of(timers) - min(_TITLE, cells_of(self._title)) - 2
        names, alone = self._names(room - cells_of(session)), self._names(room)
        if not self._session and any(names[tab] != alone[tab] for tab in names):
            # No name of a tab is cut for that.
            names, session = alone, ""
        areas = [*self._add_tabs(line, names, ink)]
        for mark in self._marks:
            line.add(" ", ink.plain).add(f" ! {mark} ", ink.alert, most=max(0, end - line.used))
        line.add(timers, ink.accent, most=max(0, end - line.used))
        if not self._session and session and self._may_start:
            # The key that starts one is shown only if the name and the badge still fit.
            starts = f": {key_name('session', 's')} starts one "
            beside = cells_of(starts) + cells_of(self._title) + max(map(cells_of, self._badge), default=0) + 5
            session = session.rstrip() + starts if line.used + len(session) + beside <= end else session
        line.add(session, ink.held if self._session else ink.warn, most=max(0, end - line.used))
        self._add_title(line, end, ink)
        line.to(end).add(" ? ", ink.key).add("help " if width >= 48 else "", ink.dim)
        areas.append(HitArea(end, 0, width - end, 1, ""))
        return Page([line], areas)

    def _add_tabs(self, line: CellLine, names: Mapping[str, str], ink: Palette) -> Iterator[HitArea[str]]:
        """Add the tabs that have a name, and yield where each can be clicked."""
        for number, tab in enumerate(self._tabs):
            if tab not in names:
                continue
            name, start = names[tab], line.used
            if tab == self._current:
                line.add(f" {number} {name}".rstrip() + " ", ink.cursor)
            else:
                line.add(f" {number} ", ink.key).add(f"{name} " if name else "", ink.plain)
            yield HitArea(start, 0, line.used - start, 1, tab)

    def _add_title(self, line: CellLine, end: int, ink: Palette) -> None:
        """Add the badge, and the campaign's name and game so that they end before `end`."""
        room, named = end - line.used - 3, cells_of(self._title) + 2
        fitting = [form for form in self._badge if cells_of(form) <= room]
        # A shorter form is better than a name that is cut.
        text = next((form for form in fitting if cells_of(form) + named <= room), fitting[-1] if fitting else "")
        line.add(f" {text} " if text else "", ink.dim)
        title = CellLine(max(0, end - line.used - 2)).add(self._title or "(no name)", ink.strong)
        if cells_of(self._system) + 3 <= title.cells_left:
            title.add(f" · {self._system}", ink.dim)
        if title.width > 4:
            line.to(end - title.used - 1).join(title)

    def _names(self, room: int) -> Mapping[str, str]:
        """Return the names of the tabs: in full, or by two letters, or by their numbers alone, except the current one.
        If not all fit in full, the bridge is left out, because the others show the same.
        """
        tabs = [tab for tab in self._tabs if tab in (self._current, *self._tabs[1:])]
        for shown in (self._tabs, tabs):
            names = {tab: tab.title() for tab in shown}
            if sum(len(name) + 4 for name in names.values()) <= room:
                return names
        names = {tab: tab.title()[:2] for tab in tabs}
        if sum(len(name) + 4 for name in names.values()) <= room:
            return names
        return {tab: tab.title()[:2] if tab == self._current else "" for tab in tabs}
