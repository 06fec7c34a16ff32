"""The terminal, without waiting: quitting and Escape are as quick as the keys that ask for them.

Textual's own driver looks up from its keyboard ten times a second, so quitting waits for two looks and Escape for one.
This one sleeps until a byte arrives, a time that the parser named is up, or `disable_input` wakes it.

What is drawn goes out in the terminal's own characters. A terminal may stop taking output for ever: a frozen window, a line gone silent.
While the app runs it is waited for. Once the app is leaving, a second in which the terminal takes nothing ends the waiting.
"""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from threading import get_ident
from time import monotonic
from typing import Any, Self, TextIO

from textual import events
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from waylog.app.keyboard_and_pastes import Keyboard, drawable
from waylog.signs import encoder, escape_controls

_STUCK_AFTER = 1.0
"""Seconds in which a terminal has to take something while the app is leaving."""
_LONGEST = 5.0
"""Seconds after which the app no longer waits for a terminal while leaving, however much it has taken."""
_PIECE = 4096
_GATHERED = 65536
RESTORE = (
    b"\x18\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?2048l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l"
    b"\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l\x1b[23;0t"
)
"""Sequences that switch off everything that the app may have switched on, even after a sequence that was cut short."""


class Output:
    """A file that one thread writes to, as Textual's writer does, and that another thread can make give up."""

    def __init__(self, descriptor: int, encoding: str, *, plain_signs: bool = False) -> None:
        self._descriptor = _reopen(descriptor)
        self._blocks = os.get_blocking(self._descriptor)
        self._encode = encoder(encoding, plain_signs=plain_signs)
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        self._gathered = bytearray()
        self._texts = self._sent = 0
        """How many texts the writing thread has taken, and how many of them it has sent."""
        self._leaving: float | None = None
        """When the app began to leave."""
        self.is_given_up = False

    def fileno(self) -> int:
        return self._descriptor

    def is_free(self, texts: int) -> bool:
        """Whether another thread may write: the writing thread has sent so many texts, writing never blocks, and the app isn't
        leaving.
        """
        return self._sent == texts and self._leaving is None and not self._blocks

    def write_at_once(self, text: str) -> bool:
        """Send as much of a text as the terminal takes without waiting. Return False if a rest is left for the writing thread to
        send. Call it only while `is_free`.
        """
        data, sent = self._encode(without_repeated_styles(text)), 0
        with suppress(OSError):  # The terminal takes nothing now; or it is gone, and the thread will find that out.
            sent = os.write(self._descriptor, data)
        self._gathered += data[sent:]
        return sent == len(data)

    def write(self, text: str) -> int:
        """Send a text, now or with what follows."""
        self._gathered += self._encode(without_repeated_styles(text))
        if len(self._gathered) >= _GATHERED:
            self.flush()
        self._texts += 1  # Last, so that the `flush` above doesn't count this text as sent.
        return len(text)

    def flush(self) -> None:
        """Send everything that waits. Raises `OSError` if the terminal is gone."""
        since = monotonic()
        while self._gathered and not self.is_given_up:
            ready, writable, _ = select.select([self._woken], [self._descriptor], [], self._rest(since))
            if ready:
                os.read(self._woken, _PIECE)
            if writable:
                with suppress(BlockingIOError):
                    del self._gathered[: os.write(self._descriptor, self._gathered[:_PIECE])]
                    since = monotonic()
            self.is_given_up = self._rest(since) == 0
        self._gathered.clear()
        # From here on another thread may write.
        self._sent = self._texts

    def _rest(self, since: float) -> float | None:
        """Return how much longer to wait for a terminal that has taken nothing since then; None for as long as it likes."""
        if self._leaving is None:
            return None
        return max(0.0, min(max(since, self._leaving) + _STUCK_AFTER, self._leaving + _LONGEST) - monotonic())

    def leave(self) -> None:
        """Note that the app is leaving: from now on, a terminal that takes nothing is given up in time. Safe in signal handlers."""
        if self._leaving is None:
            self._leaving = monotonic()
            os.write(self._wake, b"!")

    def stay(self) -> None:
        """Note that the app goes on after it was suspended: it waits for the terminal again."""
        self._leaving, self.is_given_up = None, False

    def restore(self) -> None:
        """Restore a terminal that was given up, as far as it takes that."""
        with suppress(OSError, termios.error):
            termios.tcflush(self._descriptor, termios.TCOFLUSH)
            os.write(self._descriptor, RESTORE)


_STYLE = re.compile(r"(\x1b\[0m)?((?:\x1b\[\d+;\d+H)?)\x1b\[([\d;]*)m( +(?=\x1b))?")
"""A style, the end of the style right before it, and the blanks that are all that it is for; between the styles the cursor may move."""
_STYLE_PART = re.compile(r"([34]8);(?:2(?:;\d+){3}|5;\d+)|\d+")
"""A colour, which 38 or 48 begins, or another attribute."""


def without_repeated_styles(text: str) -> str:
    """Return the same output with less to send: between two styles, only their difference is sent.

    Textual ends each style before the next one begins, so it sends the background again with nearly every word and line. Blanks keep the
    colour of the text before them, which they don't show.
    """
    before = ""

    def replace(found: re.Match[str]) -> str:
        nonlocal before
        last, before, blanks = before, found[3], found[4] or ""
        if not (found[1] and last):
            return found[0]
        before = _style_of_blanks(last, before) if blanks else before
        return found[2] + _style_change(last, before) + blanks

    return _STYLE.sub(replace, text)


_ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29", "38": "39", "48": "49"}
"""The code that ends each part of a style; bold and dim end together."""


_UNSEEN_ON_BLANKS = {"1", "2", "3", "38"}
"""Bold, dim, italic and the colour of a text."""


@lru_cache(1024)
def _style_of_blanks(last: str, new: str) -> str:
    """Return a style in which blanks look as in the new one, and that differs as little as possible from the last."""
    before, after = _parts_of(last), _parts_of(new)
    # A line through or below blanks has the colour of the text, and so have reversed blanks.
    if after.keys() - _UNSEEN_ON_BLANKS - {"48"}:
        return new
    kept = [part for kind, part in before.items() if kind in _UNSEEN_ON_BLANKS]
    return ";".join([*kept, *(part for kind, part in after.items() if kind == "48")])


def _parts_of(style: str) -> dict[str, str]:
    """Return the parts of a style by their kinds."""
    return {part[1] or part[0]: part[0] for part in _STYLE_PART.finditer(style)}


@lru_cache(1024)
def _style_change(last: str, new: str) -> str:
    """Return the codes that change a terminal from one style to another."""
    before, after = _parts_of(last), _parts_of(new)
    gone = before.keys() - after.keys()
    if not gone <= _ENDS.keys():
        return f"\x1b[0;{new}m"
    if gone & {"1", "2"}:
        before = {kind: part for kind, part in before.items() if kind not in ("1", "2")}
    ends = sorted({_ENDS[kind] for kind in gone})
    parts = [*ends, *(part for kind, part in after.items() if before.get(kind) != part)]
    return f"\x1b[{';'.join(parts)}m" if parts else ""


def _reopen(descriptor: int) -> int:
    """Open the same terminal by a descriptor that never blocks: what is set on the given one is set for the shell too."""
    names = [os.ctermid()]
    with suppress(OSError):
        names.insert(0, os.ttyname(descriptor))
    for name in names:
        with suppress(OSError):
            return os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    return descriptor


_CHUNK = 4096
_MOST = 200
"""The most messages that wait for the app. Beyond them, only the latest is kept."""
_INTERRUPTS = ("ctrl+c", "ctrl+d", "ctrl+q")
_BUSY = 0.02
"""Seconds between two checks whether the app has room again."""
_KEEP_TITLE, _OLD_TITLE = "\x1b[22;0t", "\x1b[23;0t"
"""Have the terminal remember the title of its window, and show the remembered one again. Many terminals do neither."""
_LONGEST_TITLE = 80


class Handover:
    """The things that one app leaves to the next in the same terminal: keys that were typed after it had ended, and the terminal's own
    modes. Between the two the terminal stays as the apps have it: otherwise it would print such keys, and change Enter into another.
    """

    def __init__(self) -> None:
        self.is_due = False
        """An app has ended to give way to another, which has not begun."""
        self._keys = list[events.Key | events.Paste]()
        self._modes: tuple[int, list[Any]] | None = None
        """The terminal, and the modes in which it was before the first app."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the terminal if no other app has begun after all."""
        if self._modes:
            with suppress(termios.error):
                termios.tcsetattr(self._modes[0], termios.TCSANOW, self._modes[1])

    def keep(self, message: Message) -> bool:
        """Keep a message for the next app, if that is due and the message is something typed. Return whether it was kept."""
        if not self.is_due or not isinstance(message, events.Key | events.Paste):
            return False
        self._keys.append(message)
        return True

    def take_keys(self) -> Sequence[events.Key | events.Paste]:
        """Begin the next app: return what was typed for it, in that order."""
        keys, self._keys, self.is_due = sorted(self._keys, key=lambda key: key.time), [], False
        return [copy_of(key) for key in keys]

    def keep_modes(self, descriptor: int, modes: list[Any] | None) -> None:
        """Keep the modes of a terminal that is not restored yet."""
        if modes:
            self._modes = descriptor, modes

    def take_modes(self) -> list[Any] | None:
        """Return the modes that the terminal gets back at the end, if an app was there before; from now on that is the driver's part."""
        modes, self._modes = self._modes, None
        return modes and modes[1]


def copy_of(event: events.Key | events.Paste) -> events.Key | events.Paste:
    """Return the same key or paste as it came from the terminal, for another app or screen."""
    copied = events.Key(event.key, event.character) if isinstance(event, events.Key) else events.Paste(event.text)
    copied.time = event.time
    return copied


class TerminalDriver(LinuxDriver):
    """A Linux driver whose input thread can be woken, and which leaves when the terminal is gone."""

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        # Standard error may lead elsewhere; standard output is known to be a terminal.
        self._output = Output(2 if os.isatty(2) else 1, _character_set(sys.__stdout__), plain_signs=app.plain_signs)
        self._file: Any = self._output
        self._drop_before: Callable[[float], None] = app.drop_before
        self._waiting: Callable[[], int] = lambda: app.unhandled_input
        self._handover: Handover = app.handover
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        self._title = ""
        self._thread = get_ident()
        """The app's own thread. It alone writes."""
        self._handed = 0
        """How many texts the writing thread was given."""
        self._frame = list[str]()
        """The parts of the current frame, which are sent together."""
        self._latest: Message | None = None
        """The input that had no room. It replaces all earlier input that had none either."""
        self._sent = self._arrived = 0
        """The messages that have left the input thread, which it counts, and those that have reached the app, which the
        app counts.
        """
        self._early = b""
        """What was typed before the app had the terminal, with the Enter that ends each line."""

    def disable_input(self) -> None:
        """Stop listening at once."""
        if self.exit_event.is_set():
            return
        os.write(self._wake, b"!")
        if not self._handover.is_due:
            super().disable_input()
            return
        # As Textual does it, but what has been typed and not been read yet is left to the next app.
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        self._disable_mouse_support()
        self.exit_event.set()
        if self._key_thread is not None:
            self._key_thread.join()
        self.exit_event.clear()

    def _sigcont_application(self, *_: object) -> None:
        """Continue after a stop. A terminal that hangs up sends this signal too, and then there is nothing to continue with."""
        try:
            termios.tcgetattr(self.fileno)
        except termios.error:
            return
        if not self._auto_restart:
            # Another program has the terminal, such as an editor that was stopped together with Waylog.
            return
        if not self._must_signal_resume:
            # Something other than Ctrl+Z stopped it: first restore what was left as it was.
            self.suspend_application_mode()
        super()._sigcont_application()

    def write(self, data: str) -> None:
        """Write, unless the terminal is gone: then nobody takes from the queue, and waiting for a full one would never end.

        The parts of a frame are written together. If the writing thread has nothing to do and the terminal takes them, they
        are written here, because waking the thread takes longer than writing.
        """
        if get_ident() != self._thread:
            # The input thread may write when the terminal answers a query.
            self._loop.call_soon_threadsafe(self.write, data)
            return
        if data == SYNC_START or (self._frame and data != SYNC_END):
            self._frame.append(data)
            return
        if self._frame:
            data = "".join([*self._frame, data])
            self._frame.clear()
        if self._writer_thread is None or not self._writer_thread.is_alive():
            return
        if self._output.is_free(self._handed):
            if self._output.write_at_once(data):
                return
            data = ""
        self._handed += 1
        super().write(data)

    def leave(self) -> None:
        """From now on, wait only for a moment if the terminal takes no output. Safe in signal handlers."""
        self._output.leave()

    def start_application_mode(self) -> None:
        """Take over the terminal."""
        self._output.stay()
        self._early = _lines_typed(self.fileno)
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.attrs_before = self._handover.take_modes() or self.attrs_before
        if self._title:
            self._show_title(_KEEP_TITLE)

    def stop_application_mode(self) -> None:
        """Restore the terminal."""
        self.leave()
        if self._title:
            self.write(_OLD_TITLE)
        if self._handover.is_due:
            self._handover.keep_modes(self.fileno, self.attrs_before)
            self.attrs_before = None
        super().stop_application_mode()

    # -- beside the screen --------------------------------------------------------------------------------------

    def set_title(self, title: str) -> None:
        """Give the window a title. The terminal's own one comes back when the app leaves, where the terminal can do that."""
        before, self._title = self._title, escape_controls(title)[:_LONGEST_TITLE] if takes_codes() else ""
        if self._title != before:
            self._show_title("" if before else _KEEP_TITLE)

    def ring(self) -> None:
        """Ring the terminal's bell."""
        self.write("\x07")
        self.flush()

    def notify(self, text: str, code: str) -> None:
        """Have the terminal's desktop show a message: by OSC 9, or with `osc777` by OSC 777."""
        if takes_codes():
            plain = escape_controls(text)
            self.write(f"\x1b]777;notify;Waylog;{plain}\x07" if code == "osc777" else f"\x1b]9;{plain}\x07")
            self.flush()

    def _show_title(self, first: str) -> None:
        self.write(f"{first}\x1b]2;{self._title}\x07")
        self.flush()

    def close(self) -> None:
        """Wait until the writer has finished, if it still runs. A terminal that takes no output is restored as far as possible."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().close()
        if self._output.is_given_up:
            self._output.restore()

    def _get_terminal_size(self) -> tuple[int, int]:
        """Return the window's size in cells, as far as it is drawn."""
        return drawable(super()._get_terminal_size())

    # -- keys ---------------------------------------------------------------------------------------------------

    def _run_input_thread(self) -> None:
        """In the thread: pass an exception to `threading.excepthook`, which ends the app. Textual would print it over
        the terminal.
        """
        self.run_input_thread()

    def run_input_thread(self) -> None:
        """Pass on keys until woken. If the terminal is gone, the app is told to leave."""
        keyboard = Keyboard(_character_set(sys.__stdin__))
        try:
            if self._early:
                self._pass_on(keyboard, self._early)
            while not self.exit_event.is_set():
                if not self._read_once(keyboard):
                    self.exit_event.wait()
        finally:
            with suppress(BlockingIOError):
                os.read(self._woken, _CHUNK)

    def _read_once(self, keyboard: Keyboard) -> bool:
        """Pass on what one wait brought. Return False if nothing will ever come again."""
        waits = (keyboard.wait(), _BUSY if self._latest else None)
        wait = min((each for each in waits if each is not None), default=None)
        ready, _, _ = select.select([self.fileno, self._woken], [], [], wait)
        if self.fileno in ready:
            data = b""
            with suppress(OSError):  # the terminal is gone, which is the same as its end
                data = os.read(self.fileno, _CHUNK)
            if not data:
                self._loop.call_soon_threadsafe(partial(self._app.exit, return_code=128 + signal.SIGHUP))
                return False
            self._pass_on(keyboard, data)
        if keyboard.wait() == 0:
            for message in keyboard.tick():
                self.process_message(message)
        if self._latest and self._room:
            latest, self._latest = self._latest, None
            self.send_message(latest)
        return True

    def _pass_on(self, keyboard: Keyboard, data: bytes) -> None:
        for message in keyboard.read(data, hurried=not self._room):
            self.process_message(message)

    @property
    def _room(self) -> bool:
        """Whether the app can be sent more without falling behind for long."""
        return self._sent - self._arrived + self._waiting() < _MOST

    def send_message(self, message: Message) -> None:
        """Pass a message on to the app. If input comes faster than it can be handled, only the latest is kept."""
        if isinstance(message, (events.InputEvent, events.Paste)) and not self._room:
            if isinstance(message, events.Key) and message.key in _INTERRUPTS:
                # As in a terminal's own line, where the key that interrupts drops what was typed before it.
                self._loop.call_soon_threadsafe(self._drop_before, message.time)
            self._latest = message
            return
        self._sent += 1
        self._loop.call_soon_threadsafe(self._arrive, message)

    def _arrive(self, message: Message) -> None:
        """Receive a message in the app's own thread."""
        self._arrived += 1
        if not self._handover.keep(message):
            self._app.post_message(message)


def _lines_typed(terminal: int) -> bytes:
    """Return the lines that were typed while the terminal still read by the line, and take them from it. It has made a newline of each
    Enter, which no key of the app is.
    """
    typed = b""
    with suppress(termios.error, OSError):
        reads_lines = bool(termios.tcgetattr(terminal)[3] & termios.ICANON)
        while reads_lines and select.select([terminal], [], [], 0)[0] and (line := os.read(terminal, _CHUNK)):
            typed += line
    return typed.replace(b"\n", b"\r")


def takes_codes() -> bool:
    """Whether the terminal can be sent what draws nothing, as titles and copied texts do. The console of Linux may print it."""
    return os.environ.get("TERM") != "linux"


def _character_set(stream: TextIO | None) -> str:
    """Return the terminal's character set, as Python found it."""
    return (stream and stream.encoding) or "utf-8"
