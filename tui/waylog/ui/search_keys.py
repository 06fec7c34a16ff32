"""The keys of a search in the view that is looked at: they type it, and go from match to match until it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual import events

from waylog.rules.model.moves import Refusal
from waylog.ui.line.line_editor_and_recall import LineEditor, SearchLine
from waylog.ui.parts.hints import Search
from waylog.ui.views.bridge_ship_and_crew import SheetView

if TYPE_CHECKING:
    from waylog.ui.act_flow_and_confirmations import KeyHost
    from waylog.ui.window import View

_STEPS = {"up": -1, "down": 1, "shift+tab": -1, "tab": 1}


class SearchKeys:
    """The keys of a search. The view finds and marks the matches."""

    def __init__(self, screen: KeyHost) -> None:
        self._screen, self._window = screen, screen.window
        self._view: View | None = None
        """The view that is searched."""
        self._typed = False
        self._editor = LineEditor()

    @property
    def is_open(self) -> bool:
        """Whether a search is being typed or is kept."""
        return self._view is not None

    @property
    def hints(self) -> Search | None:
        """The search, as the hint line shows it; None if there is none."""
        if self._view is None:
            return None
        enter = "go there"
        if self._view.finds_nothing:
            enter = "end search" if self._window.tab == "log" else "search the log"
        return Search(self._typed, self._match_text, enter)

    @property
    def _match_text(self) -> str:
        """How many matches the view has. If it has none: whether the log has one on screen."""
        assert self._view is not None
        if self._window.tab == "log" or not self._view.finds_nothing:
            return self._view.describe_matches()
        from waylog.rules.language.similar_names import fold  # Imported late: the first paint shows no search.

        logged = fold(" ".join(self._log_on_screen()))
        return "in the log" if all(term in logged for term in self._terms()) else "no match here"

    def _log_on_screen(self) -> Iterator[str]:
        """Yield the lines of the log that stand beside the view, or below its rows."""
        window = self._window
        if window.frame and window.frame.log.width:
            yield from (line.text for line in window.tail.page.lines)
        elif isinstance(window.view, SheetView):
            yield from window.view.log_below

    def open(self) -> None:
        """Open the line for a search in the view that is shown."""
        self.end()
        self._view, self._typed = self._window.view, True
        self._editor.set("")
        self._view.begin_search()
        self.show_again()

    def end(self, *, back: bool = False) -> None:
        """End the search. With `back`, return to where it began."""
        view, self._view, self._typed = self._view, None, False
        if view is not None:
            view.end_search(back=back)
            self._window.tray.show_search(None)
            self._screen.show_hints()

    def show_again(self) -> None:
        """Show the number of matches again, because they may have changed. End the search if the view is another one
        now.
        """
        if self._view is None:
            return
        if self._view is not self._window.view:
            self.end()
            return
        line = SearchLine(f"Search the {self._window.tab}", self._editor.text, self._editor.at, self._match_text)
        self._window.tray.show_search(line if self._typed else None)
        self._screen.show_hints()

    def types(self, event: events.Key) -> bool:
        """Handle a key while a search is being typed. Return False if none is."""
        view, before = self._view, self._editor.text
        if view is None or not self._typed:
            return False
        if event.key in ("escape", "ctrl+c") or (event.key == "enter" and not self._terms()):
            self.end(back=True)
        elif event.key == "enter" and view.finds_nothing:
            self._leave_unfound()
        elif event.key == "enter":
            self._typed = False
            view.keep_search()
        elif event.key in _STEPS:
            self._step(view, event.key)
        elif event.is_printable and event.character:
            self._editor.insert(event.character)
        else:
            self._editor.consume_key(event.key)
        if self._editor.text != before:
            view.search(self._terms())
        self.show_again()
        return True

    def _leave_unfound(self) -> None:
        """End a search that has found nothing, and go on with it in the log, unless that was searched: then say so."""
        text, tab, found = self._editor.text, self._window.tab, self.hints.found if self.hints else ""
        self.end(back=True)
        if tab == "log":
            self._window.refuse(Refusal(f"“{text}”: {found}"))
        else:
            self._screen.call_next(self._search_log, text)

    async def _search_log(self, text: str) -> None:
        await self._window.look("log")
        self.open()
        self.paste(text)

    def paste(self, text: str) -> None:
        """Insert a paste into a search that is being typed."""
        if self._view is not None and self._typed:
            self._editor.insert(text)
            self._view.search(self._terms())
            self.show_again()

    def _terms(self) -> tuple[str, ...]:
        from waylog.store.log.search_and_filters import split_terms  # Imported late: the first paint shows no search.

        return split_terms(self._editor.text)

    def steps(self, event: events.Key) -> bool:
        """Handle a key while a search is kept: go to another match or end the search. Return False for any other key."""
        view = self._view
        if view is None or event.key not in (*_STEPS, "escape"):
            return False
        if event.key == "escape":
            self.end()
        elif not self._step(view, event.key):
            which = ("older " if _STEPS[event.key] < 0 else "newer ") if view.GOES_UP else ""
            self._window.refuse(Refusal(f"no {which}match"))
        self.show_again()
        return True

    @staticmethod
    def _step(view: View, key: str) -> bool:
        """Go to another match, on the screen in the direction of the key. Return False if there is none."""
        return view.step_match(_STEPS[key] * (-1 if view.GOES_UP else 1))
