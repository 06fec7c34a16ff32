"""The app of a player who acts: it shows the players' file, sends proposals, and shows their answers.

Of the campaign it opens only `players.toml` and the player's own folder in `inbox/`.

The players' app: it shows one file and follows it. It knows no campaign and changes nothing.

Phones, from an app: `waylog serve` runs beside it as a process of its own, so that no phone can delay a key.

The process writes what it serves into a pipe, and ends when nobody reads from it any more: with the app, however that ends.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.screen import Screen

from waylog.app.base_app_and_attention import THEMES, BaseApp, defer_signals
from waylog.settings import SettingsFile
from waylog.store.files_and_lock import describe_error
from waylog.store.players.inbox import InboxRefused
from waylog.store.players.inbox_access_and_phone_keys import TABLE, PageAddress, ServeStatus, revoke
from waylog.store.players.moves_and_odds_for_players import moves_for
from waylog.store.players.own_proposals_and_notes import LastLook, PrivateNotes, SentProposals
from waylog.store.players.pause_and_presence import NO_PAUSE, PlayersPause, why_no_pause
from waylog.store.players.players_file import LAST_KNOWN, FollowedFile
from waylog.ui.views.join import JoinScreen
from waylog.ui.views.phones import PhonesScreen
from waylog.ui.views.players_window import ReadOnlyScreen
from waylog.ui.views.wall import WallScreen

if TYPE_CHECKING:
    from waylog.ui.views.pause import PlayersPauseScreen


_LOOK = 0.5
"""Seconds between two looks at the file."""
_NOTICE = 5.0
"""Seconds that a notice is shown."""


class PlayersApp(BaseApp, inherit_bindings=False):
    """The players' view of a campaign, on one terminal. It can't be suspended, because there may be no shell to go back to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+q,ctrl+c,ctrl+d", "leave", "Quit", id="quit", tooltip="Quit"),
        Binding("x", "ask_for_pause", "Pause", id="players.pause", tooltip="Ask for a pause (press twice, or hold)"),
        THEMES,
    ]

    def __init__(
        self, folder: Path, theme: str | None = None, chosen: SettingsFile | None = None, player: str = ""
    ) -> None:
        super().__init__(theme, chosen)
        self._folder, self._file = folder, FollowedFile(folder, LAST_KNOWN, player)
        self._notice = self._no_pause = ""
        self._pause = PlayersPause(folder)
        self._cover: PlayersPauseScreen | None = None

    def get_default_screen(self) -> Screen[None]:
        self._window: ReadOnlyScreen | WallScreen = ReadOnlyScreen(None)
        return self._window

    def on_mount(self) -> None:
        self._look()
        self.look_every(_LOOK, self._look)
        self.heed_endings()
        gc.enable()

    def _look(self) -> None:
        """Show the file, if it has changed since the last look, and a pause while there is one."""
        self.watch_theme_file()
        self._look_for_pause()
        changed, why_not = self._file.look(), why_no_pause(self._folder)
        if not changed and why_not == self._no_pause:
            return
        self._no_pause = why_not
        if seen := self._file.seen:
            self.set_window_title(seen.name)
        self._show()

    def _show(self) -> None:
        seen = self._file.seen
        no_pause = NO_PAUSE.format(self._no_pause) if self._no_pause and seen else ""
        self._window.show(seen, self._file.trouble or self._notice or no_pause)

    # -- a pause ------------------------------------------------------------------------------------------------

    def action_ask_for_pause(self) -> None:
        """Ask for a pause at the second press. The first one says so."""
        if not self._notice:
            self._notify("Press x again to ask for a pause. Nobody sees who asked.")
            return
        self._answer_pause("again")

    def _notify(self, notice: str) -> None:
        """Show a line above the view for a few seconds."""
        self._notice = notice
        self._show()
        if notice:
            self.set_timer(_NOTICE, partial(self._notify, ""), name="notice")

    def _look_for_pause(self) -> None:
        """Cover the window while the game is paused, and while a pause has not reached the wayfinder."""
        pause = self._pause
        pause.look()
        if not (pause.paused or pause.lost):
            if self._cover is not None:
                self.pop_screen()
                self._cover = None
            return
        if self._cover is None:
            from waylog.ui.views.pause import PlayersPauseScreen  # Most games have no pause.

            self._cover = PlayersPauseScreen(self._answer_pause)
            self.push_screen(self._cover)
        self._cover.show(pause.lost, paused=pause.paused)

    def _answer_pause(self, result: str) -> None:
        """Ask for a pause, or forget one that has reached nobody."""
        if self._pause.paused:
            return
        if result == "again":
            self._pause.ask()
        else:
            self._pause.dismiss()
        self._look_for_pause()


class TableApp(PlayersApp, inherit_bindings=False):
    """The table's screen: the same for a television, which shows rolls large and needs no keys."""

    BINDINGS = PlayersApp.BINDINGS

    def get_default_screen(self) -> Screen[None]:
        self._window = WallScreen()
        return self._window


def watch(
    folder: Path,
    player: str = "",
    *,
    for_table: bool = False,
    theme: str | None = None,
    chosen: SettingsFile | None = None,
) -> int:
    """Follow a campaign until the person leaves, on the table's screen or on that of one player, who may have a key. Return the exit code.
    Raises what went wrong, once the terminal is restored.
    """
    with defer_signals():
        app = TableApp(folder, theme, chosen) if for_table else PlayersApp(folder, theme, chosen, player)
        app.run()
    return app.result()


class JoinApp(PlayersApp, inherit_bindings=False):
    """The window of one player at the table."""

    BINDINGS = PlayersApp.BINDINGS

    def __init__(
        self,
        folder: Path,
        player: str,
        theme: str | None = None,
        chosen: SettingsFile | None = None,
        notes: PrivateNotes | None = None,
    ) -> None:
        super().__init__(folder, theme, chosen, player)
        self._notes = notes
        self._player, self._sent = player, SentProposals(folder, player)
        self._last_look = LastLook(folder, player)

    def get_default_screen(self) -> Screen[None]:
        keep = self._keep if self._notes else None
        self._join = self._window = JoinScreen(self._player, self._propose, self._take_back, keep)
        return self._join

    async def on_event(self, event: events.Event) -> None:
        """Handle keys one after the other: the line that a key opens gets the keys after it."""
        is_typed = isinstance(event, events.Key | events.Paste) and not event.is_forwarded
        if not is_typed or self.is_dropped(event) or self.screen is not self._join:
            await super().on_event(event)
            return
        if isinstance(event, events.Paste):
            self._join.paste(event.text)
        elif isinstance(event, events.Key) and not self._join.takes(event):
            await self._check_bindings(event.key)
        await self._join.wait_until_done()

    def _propose(self, words: str, title: str) -> None:
        """Send words to the wayfinder. `title` is their meaning for people."""
        try:
            self._sent.send(words, title)
        except InboxRefused as refused:
            self._join.say(str(refused))
        except OSError as trouble:
            self._join.say(f"the proposal can't be sent: {describe_error(trouble)}")
        else:
            self._join.show_sent(self._sent.latest)

    def _keep(self, text: str) -> None:
        """Write a private note, which nobody is sent."""
        assert self._notes
        try:
            self._join.say(self._notes.add(text))
        except OSError as trouble:
            self._join.say(f"the note couldn't be saved: {describe_error(trouble)}")
        self._join.show_notes(self._notes.read())

    def _take_back(self) -> None:
        """Take back the last proposal that waits."""
        self._look()
        if not self._sent.waiting:
            self._join.say("you have no proposals waiting")
            return
        try:
            self._sent.take_back(self._sent.waiting[-1])
        except OSError as trouble:
            self._join.say(f"the proposal can't be taken back: {describe_error(trouble)}")
            return
        self._join.show_sent(self._sent.latest)

    def _look(self) -> None:
        """Follow the answers, too, and what still waits from another window, such as one whose connection was cut."""
        super()._look()
        seen = self._file.seen
        if seen and self._last_look.follow(seen):
            self._join.show_missed(self._last_look.missed)
            self._join.show_notes(self._notes.read() if self._notes else ())
        if self._sent.look(moves_for(seen.moves, self._player) if seen else ()):
            self._join.show_sent(self._sent.latest)


def join(
    folder: Path,
    player: str,
    notes: PrivateNotes | None = None,
    *,
    theme: str | None = None,
    chosen: SettingsFile | None = None,
) -> int:
    """Run the app until the person leaves. Return the exit code. Raises an error of the app after the terminal is restored."""
    with defer_signals():
        app = JoinApp(folder, player, theme, chosen, notes)
        app.run()
    return app.result()


_CHUNK = 64 * 1024
_ENDED = "The session has ended, so phones can no longer connect."


class PhonesProcess:
    """`waylog serve` beside an app. It needs no event loop, and outlives an app that is opened anew. `look` is called now and then."""

    def __init__(self, campaign: Path, state: Path, options: Sequence[str] = ()) -> None:
        """`state` is Waylog's state folder, `options` are those of `waylog serve` beside `--lan`."""
        self._campaign, self._state, self._options = campaign, state, options
        self._process: subprocess.Popen[bytes] | None = None
        self._read = b""
        self.status: ServeStatus | None = None
        self.trouble = ""

    @property
    def runs(self) -> bool:
        """Whether phones may come in, or soon may."""
        return self._process is not None

    def start(self, *, lan: bool) -> None:
        """Serve the page for phones: with `lan` to the local network, otherwise to this machine alone."""
        self.trouble, self._read = "", b""
        words = [os.fspath(self._campaign.resolve()), "--json", *self._options, *(["--lan"] if lan else [])]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "waylog", "serve", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl+C in the app's terminal is the app's.
        )
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe
            os.set_blocking(pipe.fileno(), False)

    def stop(self) -> None:
        """Stop serving. Pages that are open lose their connection."""
        if self._process is not None:
            self._process.terminate()
            self._end()

    def renew(self, player: str) -> None:
        """Give a player a new code; the table's screen with an empty key."""
        with suppress(OSError):
            revoke(self._state, player or TABLE, self._campaign)
        self.wake()  # It looks seldom while no page is open.

    def wake(self) -> None:
        """Have the process look at the campaign and the codes now. Until it serves, it couldn't take the signal."""
        process = self._process
        if process is not None and self.status is not None:
            with suppress(OSError):
                process.send_signal(signal.SIGUSR1)

    def look(self) -> None:
        """Take in what the process says, and whether it has ended."""
        if self._process is None:
            return
        assert self._process.stdout
        *lines, self._read = (self._read + _read_pipe(self._process.stdout.fileno())).split(b"\n")
        if lines:
            tree = json.loads(lines[-1])
            if "addresses" in tree:
                self.status = ServeStatus(
                    tree["url"], tuple(PageAddress(**each) for each in tree["addresses"]), tree["trouble"]
                )
        if (code := self._process.poll()) is not None:
            assert self._process.stderr
            said_last = _read_pipe(self._process.stderr.fileno()).decode(errors="replace").strip().rpartition("\n")[2]
            self.trouble = said_last.removeprefix("waylog: ") if code else _ENDED
            self._end()

    def _end(self) -> None:
        assert self._process
        assert self._process.stdout
        assert self._process.stderr
        self._process.stdout.close()
        self._process.stderr.close()
        self._process, self.status = None, None


def _read_pipe(descriptor: int) -> bytes:
    """Return what is in a pipe; nothing if there is nothing."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return b""


class PhonesApp(BaseApp, inherit_bindings=False):
    """`waylog serve` on a terminal: the codes, and nothing else."""

    def __init__(self, phones: PhonesProcess, theme: str | None = None, chosen: SettingsFile | None = None) -> None:
        super().__init__(theme, chosen)
        self._phones = phones

    def on_mount(self) -> None:
        self.push_screen(PhonesScreen(self._phones, "end"), lambda _: self.exit())
        self.heed_endings()
        gc.enable()


def show_codes(phones: PhonesProcess, *, lan: bool, theme: str | None, chosen: SettingsFile | None) -> int:
    """Serve phones, and show their codes until the person leaves. Return the exit code. Raises what went wrong, once the terminal is
    restored.
    """
    phones.start(lan=lan)
    try:
        with defer_signals():
            app = PhonesApp(phones, theme, chosen)
            app.run()
    finally:
        phones.stop()
    return app.result()
