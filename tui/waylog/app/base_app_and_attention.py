"""The base of both apps. It leaves the terminal in good order, whatever ends it: a key, a signal, a lost connection, an
error.

A filter for every line that is drawn: no colours where none are wanted.

Screens in which a text is typed that quitting would lose.

At the foot is what the terminal rings for: a full clock, and a player's proposal.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from operator import attrgetter
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from rich.segment import Segment
from textual import events, on
from textual.app import App
from textual.binding import Binding
from textual.color import Color
from textual.filter import LineFilter, Monochrome
from textual.theme import Theme

from waylog import themes
from waylog.app.keyboard_and_pastes import limit_variables
from waylog.app.terminal_driver import Handover, TerminalDriver, copy_of, takes_codes
from waylog.rules.codec.changes import join_names
from waylog.settings import Settings, SettingsFile, remember
from waylog.signs import escape_controls
from waylog.store.files_and_lock import describe_error
from waylog.toml.document import UnreadableFile
from waylog.ui.draw.clickable_line_view import LineView
from waylog.ui.draw.window_layout_and_key_names import keys_of

if TYPE_CHECKING:
    from waylog.snapshot_and_act_preview import Snapshot
    from waylog.ui.views.themes import ThemesScreen

_NEW_OBJECTS = 10_000
"""The number of new objects at which garbage is collected. With Python's default of 700, each act waits for a collection."""


class Uncoloured(LineFilter):
    """Remove all colours. Bold, dim, underline, strike and reverse stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - the filter's shape
        """Return the segments in the terminal's own colours."""
        return [Segment(text, style and style.without_color, control) for text, style, control in segments]


@runtime_checkable
class HoldsText(Protocol):
    """A screen that may hold an unsaved text."""

    def may_be_discarded(self) -> bool:
        """Return whether nothing would be lost, or the person has been asked already. Otherwise ask."""
        ...


_OTHERS = {
    *("SIGKILL", "SIGSTOP"),  # which nobody can heed
    *("SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGWINCH"),  # which the driver heeds
    *("SIGCHLD", "SIGURG", "SIGPIPE", "SIGXFSZ", "SIGINFO"),  # which end nothing
    *(
        "SIGABRT",
        "SIGBUS",
        "SIGEMT",
        "SIGFPE",
        "SIGILL",
        "SIGSEGV",
        "SIGSYS",
        "SIGTRAP",
    ),  # after which nothing can go on
}
_ENDINGS = tuple(number for number in signal.valid_signals() if getattr(number, "name", "") not in _OTHERS)
"""Signals that end the app with the terminal restored: all that would end a program and can be handled."""
_UNCOLOURED = Uncoloured()
"""One for the whole run: what a filter makes of a style is cached by the filter object."""
DEFAULT_THEME = "dark"
THEMES = Binding("T", "themes", "Theme", id="theme", tooltip="Switch theme")
"""Bindings of both windows."""


class BaseApp(App[None], inherit_bindings=False):
    """An app on Waylog's own driver and with its themes. The wayfinder's and the players' app are such apps."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False

    def __init__(
        self, theme: str | None = None, chosen: SettingsFile | None = None, handover: Handover | None = None
    ) -> None:
        """`theme` goes before the one that is set. Without `chosen` nothing is set, and no choice is remembered. `handover` is from the app
        before.
        """
        self.handover = handover or Handover()
        self._keys_before = self.handover.take_keys()
        """What was typed after the app before had ended."""
        self.chosen = chosen
        self.settings = chosen.settings if chosen else Settings()
        self.setting_problems = list[str]()
        """What is wrong in the settings, for people."""
        for problem in chosen.problems if chosen else ():
            self.report_setting(problem.line, problem.message)
        self._coloured: tuple[Theme, dict[str, str]] | None = None
        """The theme whose colours were worked out last, with these colours."""
        limit_variables(os.environ)  # Textual reads them as it begins.
        super().__init__(driver_class=TerminalDriver)
        # Two widgets on every screen that nothing here uses: messages stand in the tray, and keys in the line of hints.
        self._disable_tooltips = self._disable_notifications = True
        self.no_color = bool(os.environ.get("NO_COLOR"))  # an empty one means nothing: no-color.org
        self.failure: BaseException | None = None
        self._dropped_before = 0.0
        self._screens_ending = 0
        """How many screens have closed of which it isn't shown yet what follows."""
        self._waiting_keys: list[events.Key | events.Paste] = []
        """The keys that wait for it."""
        self._ending: Callable[[Callable[[], None]], object] = self.call_later
        worn = themes.theme(theme) if theme else self._theme_set()
        self.register_theme(worn)
        self.theme = worn.name
        self._css_variables = super().get_css_variables()
        """The colours with which the stylesheet was parsed."""
        self._coloured = worn, self._css_variables
        self.stylesheet.set_variables(self._css_variables)
        self._theme_places = worn.name, themes.file_places(worn.name)
        """The theme, and where its file may be."""
        self._theme_file = themes.file_state(self._theme_places[1])
        self._previewed: tuple[str, ...] = ()
        """The names of the themes in the gallery."""

    @property
    def plain_signs(self) -> bool:
        """Only signs of ASCII are to be drawn."""
        return self.settings.glyphs == "ascii"

    def report_setting(self, line: int, message: str) -> None:
        """Note what is wrong in the settings."""
        self.setting_problems.append(f"config.toml, line {line}: {message}")

    def _theme_set(self) -> Theme:
        """Return the theme of the settings; the usual one in the place of one that is missing or broken."""
        try:
            return themes.theme(self.settings.theme)
        except UnreadableFile as unreadable:
            self.report_setting(self.chosen.line_of("theme") if self.chosen else 1, unreadable.problems[0].message)
            return themes.theme(DEFAULT_THEME, user_themes=False)

    def remember(self, name: str, value: str | bool) -> str:
        """Keep a choice for the next time; return why that is not possible, or nothing."""
        if self.chosen is None:
            return ""
        try:
            remember(self.chosen.path, name, value)
        except OSError as trouble:
            return f"Waylog can't save this setting: {describe_error(trouble)}"
        except UnreadableFile as unreadable:
            return f"Waylog can't save this setting: config.toml has a problem on line {unreadable.problems[0].line}"
        return ""

    def get_line_filters(self) -> Sequence[LineFilter]:
        if self.no_color:
            return [_UNCOLOURED]
        return [each for each in super().get_line_filters() if not isinstance(each, Monochrome)]

    @property
    def unhandled_input(self) -> int:
        """The number of messages that wait to be handled by the app and its top screen. Any thread may ask."""
        return self.message_queue_size + sum(screen.message_queue_size for screen in self.screen_stack[-1:])

    def get_css_variables(self) -> dict[str, str]:
        """Return the colours of the theme. They are cached, because Textual asks often, and at a start before the theme is known."""
        if self._coloured is None:
            return {}
        theme = self.current_theme
        if theme != self._coloured[0]:
            self._coloured = theme, super().get_css_variables()
        return self._coloured[1]

    def refresh_css(self, animate: bool = True) -> None:
        """Parse the stylesheet again if the colours have changed. Textual also calls this at a start, right after parsing."""
        if (variables := self.get_css_variables()) != self._css_variables:
            self._css_variables = variables
            super().refresh_css(animate)
            # Whatever was drawn since the theme changed has the old background.
            for screen in self.screen_stack:
                for view in screen.query(LineView):
                    view.forget_page()

    def heed_endings(self) -> None:
        """Handle signals and exceptions in threads from now on by leaving. Called when the app is mounted."""
        if threading.current_thread() is not threading.main_thread():
            return
        loop = asyncio.get_running_loop()
        for number in _ENDINGS:
            # The event loop can't do this: it may be waiting for a terminal that takes no output.
            signal.signal(number, partial(self._told_to_end, loop))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)
        self._ending = loop.call_soon_threadsafe
        threading.excepthook = self._end_on_thread_error

    def look_every(self, seconds: float, look: Callable[[], None]) -> None:
        """Call a function every so many seconds until the app ends. Textual's own intervals take five times as long to wake."""
        loop = asyncio.get_running_loop()

        def look_again() -> None:
            if self.is_running:
                loop.call_later(seconds, look_again)
                look()

        loop.set_exception_handler(self._end_on_callback_error)
        loop.call_later(seconds, look_again)

    def _end_on_callback_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End the app on an exception in a function that the event loop called, as on any other exception."""
        error = context.get("exception")
        if error is None or "handle" not in context:
            loop.default_exception_handler(context)
        elif self.failure is None:
            self.failure = error
            self._close_messages_no_wait()

    def drop_before(self, time: float) -> None:
        """Drop all input that is older than this."""
        self._dropped_before = time

    def is_dropped(self, event: events.Event) -> bool:
        """Whether an event is input that must not be handled, or not yet: too much of it waited, or the app is leaving, and then it is
        kept for the app that comes next, if one does; or a screen is about to open that it is for.
        """
        if not event.is_forwarded:
            self.handover.keep(event)
        # Also one that the screen which has closed did not take, and passed on: it runs no binding of what is shown next.
        if self._screens_ending and not self._exit and isinstance(event, events.Key | events.Paste):
            self._waiting_keys.append(event)
            return True
        typed = isinstance(event, events.InputEvent | events.Paste)
        return typed and (self._exit or event.time < self._dropped_before)

    def give_way(self) -> None:
        """Leave for another app, which gets what is typed from now on."""
        self.handover.is_due = True
        self.exit()

    def open_soon(self, opens: Callable[[], None]) -> None:
        """Call a function that opens a screen after what is being handled. Keys wait for that screen."""
        self.call_later(opens)
        self.hold_keys()

    def hold_keys(self) -> None:
        """Let keys wait until what follows from the end of a screen is shown, because nobody typed them for what lies below it."""

        async def release() -> None:
            self._screens_ending -= 1
            if not self._screens_ending:
                # Those that the closed screen gives back come after later ones; and all before what the app has not looked at yet.
                keys, self._waiting_keys = sorted(self._waiting_keys, key=attrgetter("time")), []
                for event in keys:
                    await self.on_event(copy_of(event))

        self._screens_ending += 1
        self.call_later(release)

    def take_late(self, event: events.Key | events.Paste) -> None:
        """Handle a key that came to a screen after that had closed: it is for what is shown then."""
        if self.handover.keep(event):
            return
        if self._screens_ending:
            self._waiting_keys.append(event)
        else:
            self.post_message(copy_of(event))

    async def on_event(self, event: events.Event) -> None:
        if not (self.is_dropped(event) or self._quits(event)):
            await super().on_event(event)

    def _quits(self, event: events.Event) -> bool:
        """Quit if the event is a key that quits whatever is open. If a typed text would be lost, ask first. Return whether it was
        such a key.
        """
        if (
            not isinstance(event, events.Key)
            or event.is_forwarded
            or event.is_printable
            # A person's key that is a letter quits only where nothing is typed.
            or event.key not in keys_of("quit", "ctrl+q")
        ):
            return False
        screen = self.screen
        if not isinstance(screen, HoldsText) or screen.may_be_discarded():
            self.action_leave()
        return True

    @on(TerminalDriver.SignalResume)
    def _paint_anew(self) -> None:
        """Paint everything after Ctrl+Z and `fg`, because the terminal shows nothing of the window then."""
        self.screen.refresh()

    def set_window_title(self, name: str) -> None:
        """Show in the title of the terminal's window what is open in it."""
        if isinstance(self._driver, TerminalDriver):
            self._driver.set_title(f"{name} · Waylog")

    def copy_text(self, text: str) -> None:
        """Send a text to the terminal's clipboard (OSC 52). No terminal answers whether it took it."""
        plain = "\n".join(map(escape_controls, text.splitlines())) + ("\n" if text.endswith("\n") else "")
        if takes_codes():
            self.copy_to_clipboard(plain)

    def on_line_view_text_selected(self, message: LineView.TextSelected) -> None:
        self.copy_text(message.cells_text)

    def action_leave(self) -> None:
        """Leave."""
        self.exit()

    def action_themes(self) -> None:
        """Show every theme. The one under the cursor is worn at once, and kept or taken off again at the end."""
        from waylog.ui.views.themes import ThemesScreen

        found = themes.themes()
        for each in found:
            self.register_theme(each)
        self._previewed = tuple(each.name for each in found)
        before = self.theme

        def close(index: int | None) -> None:
            self.theme = before if index is None else self._previewed[index]
            if index is not None and (trouble := self.remember("theme", self.theme)):
                self.tell(trouble)

        self.push_screen(ThemesScreen(themes.names(), self.theme), close)

    def on_themes_screen_previewed(self, message: ThemesScreen.Previewed) -> None:
        self.theme = self._previewed[message.index]

    def tell(self, trouble: str) -> None:
        """Tell the person what went wrong, where there is a place for that."""

    def watch_theme_file(self) -> None:
        """Wear the theme as its file says now, if somebody has edited it. A file with a problem is told and changes nothing."""
        if self.theme != self._theme_places[0]:
            self._theme_places = self.theme, themes.file_places(self.theme)
        signature = themes.file_state(self._theme_places[1])
        if signature == self._theme_file:
            return
        self._theme_file = signature
        try:
            edited = themes.theme(self.theme)
        except UnreadableFile as unreadable:
            self.tell(str(unreadable.problems[0]))
            return
        if edited == self.current_theme:
            return
        self.register_theme(edited)
        self.mutate_reactive(BaseApp.theme)

    def _told_to_end(self, loop: asyncio.AbstractEventLoop, number: int, _: FrameType | None) -> None:
        """Handle a signal. This runs between any two steps of the main thread, also while that waits."""
        if isinstance(self._driver, TerminalDriver):
            self._driver.leave()
        if not loop.is_closed():
            loop.call_soon_threadsafe(partial(self.exit, return_code=128 + number))

    def _fatal_error(self) -> None:
        """Handle an unforeseen exception: leave, and let `result` raise it. Textual would print it over the terminal."""
        self.failure = sys.exc_info()[1]
        self._close_messages_no_wait()

    def _end_on_thread_error(self, args: threading.ExceptHookArgs) -> None:
        """Let an exception in a thread end the app as any other would. A terminal that is gone is not an error."""
        gone = isinstance(args.exc_value, OSError) and args.exc_value.errno in (errno.EIO, errno.EBADF, errno.EPIPE)
        if not gone:
            self.failure = args.exc_value
        # Nobody waits for this: the app may be waiting for this very thread to end.
        self._ending(partial(self.exit, return_code=128 + signal.SIGHUP if gone else 1))

    def result(self) -> int:
        """Return the exit code. Raises what went wrong in the app."""
        if self.failure is not None:
            raise self.failure
        return self.return_code or 0


def collect_garbage_seldom() -> None:
    """Collect garbage from now on. What exists now, with all on screen, lives as long as the app."""
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
    gc.enable()


@contextmanager
def defer_signals() -> Iterator[None]:
    """Delay signals that come between the first change to the terminal and the app's own handlers."""
    before = {number: signal.getsignal(number) for number in _ENDINGS}
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)


# -- what the terminal rings for ---------------------------------------------------------------------------------------


def newly_full(before: Snapshot, after: Snapshot) -> str:
    """Return a sentence about the clocks that were not full before and are now; empty if there are none.

    A clock that players don't see is not named: others may see the screen that the message appears on.
    """
    full = [
        clock.name if clock.seen and not clock.seen_by else "A hidden clock"
        for key, clock in after.clocks.items()
        if clock.full and not clock.closed and key in before.clocks and not before.clocks[key].full
    ]
    return f"{' and '.join(full)} {'is' if len(full) == 1 else 'are'} full" if full else ""


def news_of_proposals(before: Snapshot, after: Snapshot) -> str:
    """Return a sentence about proposals that are new in `after`; empty if there are none."""
    known = {proposal.id for proposal in before.proposals}
    names = dict.fromkeys(proposal.name for proposal in after.proposals if proposal.id not in known)
    return f"{join_names(names)} {'proposes' if len(names) == 1 else 'propose'} something" if names else ""


def call_attention(text: str, driver: TerminalDriver, settings: Settings, *, rings: bool = False) -> None:
    """Ring and have the terminal show a message, as far as the settings say. Somebody waits for a bell that `rings` always: whoever
    sets a timer wants to hear its end.
    """
    if rings or settings.bell:
        driver.ring()
    if settings.notification != "off":
        driver.notify(text, settings.notification)
