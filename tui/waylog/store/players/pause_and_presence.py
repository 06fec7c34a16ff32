"""The wayfinder's presence: the pipe `inbox/attended`, which a program that has the campaign open holds open for reading.

Only the wayfinder's account may read from the pipe, so no other account can hold it. Whoever may write to it learns whether anybody
reads. One byte asks for a pause: the byte names nobody, and takes no room on the disk. The system closes the pipe when a
program ends, however it ends.

And the pause, which anybody at the table may ask for without a name: the file `inbox/pause` beside the campaign.

While that file has a text, the game is paused on every screen. Only the wayfinder's account writes the file, so its owner shows
nothing: other accounts ask through the pipe `inbox/attended`, and the wayfinder's program writes the file for them. When the
wayfinder's screen shows the pause, a second line says so. Until then nobody at the table can know that the wayfinder has seen
it, and players' screens say that it should be said aloud. The log doesn't mention pauses.
"""

from __future__ import annotations

import errno
import os
import shlex
import stat
import time
from collections.abc import Collection
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path

from waylog.rules.model.players_and_permissions import is_key
from waylog.store.files_and_lock import check_regular, describe_error
from waylog.store.players.inbox import FOLDER, make_inbox, open_inbox, prepare_inbox

NO_PAUSE = "You can't ask for a pause here. If you need one, say so aloud. {}"
"""The message for a player where no pause can be asked for. It is formatted with the reason."""
_PAUSE = "pause"
_ASKED = b"Somebody asks for a pause.\n"
_SHOWN = _ASKED + b"The wayfinder's screen shows it.\n"
_FLAGS = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


class PauseState(Enum):
    """The stage of a pause: none, asked for, or shown."""

    NONE = auto()
    ASKED = auto()
    """Players' screens show it."""
    SHOWN = auto()
    """The wayfinder's screen shows it, too."""


def read_pause(folder: Path) -> PauseState:
    """Return the state of the pause in the campaign at `folder`. Raises `OSError` if it can't be found out."""
    try:
        with open_inbox(folder) as inbox:
            found = os.stat(_PAUSE, dir_fd=inbox, follow_symlinks=False)
    except FileNotFoundError:
        return PauseState.NONE
    if not stat.S_ISREG(found.st_mode):
        return PauseState.ASKED
    return PauseState.SHOWN if found.st_size == len(_SHOWN) else PauseState.ASKED if found.st_size else PauseState.NONE


def is_paused(folder: Path) -> bool:
    """Return whether the game is paused, as far as this account can see."""
    with suppress(OSError):
        return read_pause(folder) is not PauseState.NONE
    return False


def ask_for_pause(folder: Path) -> None:
    """Pause the game, as an account that may write the file. Raises `OSError`."""
    make_inbox(folder)
    if read_pause(folder) is PauseState.NONE:
        _write(folder, _ASKED)


def mark_shown(folder: Path) -> None:
    """Tell players' screens that the wayfinder's screen shows the pause. Where that can't be written, they go on saying that it
    doesn't.
    """
    with suppress(OSError):
        if read_pause(folder) is PauseState.ASKED:
            _write(folder, _SHOWN)


def end_pause(folder: Path) -> None:
    """End the pause for everybody. Nothing happens if there is none. Raises `OSError`."""
    with suppress(FileNotFoundError), open_inbox(folder) as inbox:
        _remove(inbox)


def tidy_pause(folder: Path) -> None:
    """Take from other accounts the right to write the file, which earlier versions gave them."""
    with suppress(OSError), open_inbox(folder) as inbox:
        found = os.stat(_PAUSE, dir_fd=inbox, follow_symlinks=False)
        if stat.S_ISREG(found.st_mode) and found.st_mode & 0o022:
            os.chmod(_PAUSE, 0o644, dir_fd=inbox)


def _write(folder: Path, text: bytes) -> None:
    """Write the file. What is in its place and is no file is removed. Raises `OSError`."""
    with open_inbox(folder) as inbox:
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.stat(_PAUSE, dir_fd=inbox, follow_symlinks=False).st_mode):
                _remove(inbox)
        descriptor = os.open(_PAUSE, os.O_WRONLY | os.O_CREAT | _FLAGS, 0o644, dir_fd=inbox)
    check_regular(descriptor, folder / FOLDER / _PAUSE)
    try:
        os.pwrite(descriptor, text, 0)
        os.ftruncate(descriptor, len(text))
        with suppress(PermissionError):  # Only its owner may.
            os.fchmod(descriptor, 0o644)
            os.utime(descriptor, (0, 0))
    finally:
        os.close(descriptor)


def _remove(inbox: int) -> None:
    """Remove the file, or an empty folder in its place. Raises `OSError`."""
    try:
        os.unlink(_PAUSE, dir_fd=inbox)
    except IsADirectoryError:
        os.rmdir(_PAUSE, dir_fd=inbox)


_ATTENDED = "attended"
_LOCK_FLAGS = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
_MODE = 0o622
_RING = b"!"
_MOST = 64 * 1024
PATIENCE = 3.0
"""Seconds in which the wayfinder's screen shows a pause, if the wayfinder has the campaign open."""
CLOSED_TO_YOU = "{player}'s proposals don't reach you: your account can't use inbox/{player}. Type waylog check {campaign} in a shell"
_LOOK = 0.05
CLOSED = "The wayfinder doesn't have the campaign open."
UNANSWERED = "The wayfinder's screen isn't showing the pause."
UNREACHED = "{why}. To fix this, the wayfinder can type: waylog players {campaign} setup"


class Attendance:
    """The presence of a program that reads the inbox of one campaign. Several programs may be present at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pipe: int | None = None
        self._rung = False
        self.trouble = ""
        """Why players can't reach this program; empty if they can."""

    def hold(self, players: Collection[str]) -> None:
        """Be present for these players, and pass on the pauses that were asked for. Call this at every look.

        It makes the inbox if the campaign has players, and restores what somebody has removed or closed. Without players and
        without an inbox it does nothing.
        """
        if not players and not (self._folder / FOLDER).is_dir():
            return
        self.trouble = ""
        try:
            prepare_inbox(self._folder)
            self._open()
        except OSError as trouble:
            self.trouble = f"Players can't reach you: {FOLDER}/{_ATTENDED}: {describe_error(trouble)}"
        for player in players:
            path = self._folder / FOLDER / player
            if is_key(player) and not os.access(path, os.R_OK | os.W_OK | os.X_OK) and os.path.lexists(path):
                self.trouble = CLOSED_TO_YOU.format(player=player, campaign=shlex.quote(str(self._folder)))
        self._take_rings()

    def _open(self) -> None:
        """Open the pipe; make it again if another file is in its place. Raises `OSError`."""
        with open_inbox(self._folder) as inbox:
            found = _look(inbox)
            if found and not (stat.S_ISFIFO(found.st_mode) and found.st_uid == os.geteuid()):
                (os.rmdir if stat.S_ISDIR(found.st_mode) else os.unlink)(_ATTENDED, dir_fd=inbox)
                found = None
            if found is None:
                with suppress(FileExistsError):  # Another window has just made it.
                    os.mkfifo(_ATTENDED, 0o600, dir_fd=inbox)
                found = os.stat(_ATTENDED, dir_fd=inbox, follow_symlinks=False)
            if stat.S_IMODE(found.st_mode) != _MODE:
                os.chmod(_ATTENDED, _MODE, dir_fd=inbox)
            if self._pipe is not None and os.path.samestat(os.fstat(self._pipe), found):
                return
            self.end()
            self._pipe = os.open(_ATTENDED, os.O_RDONLY | _LOCK_FLAGS, dir_fd=inbox)
        tidy_pause(self._folder)

    def _take_rings(self) -> None:
        """Pause the game if somebody has asked for it. If that can't be written, say so, and try again at the next look."""
        with suppress(BlockingIOError):
            self._rung |= self._pipe is not None and bool(os.read(self._pipe, _MOST))
        if not self._rung:
            return
        try:
            ask_for_pause(self._folder)
            self._rung = False
        except OSError as trouble:
            self.trouble = f"SOMEBODY ASKS FOR A PAUSE. Say it aloud: no screen can show it ({describe_error(trouble)})"

    def end(self) -> None:
        """Be no longer present."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None


def _look(inbox: int) -> os.stat_result | None:
    try:
        return os.stat(_ATTENDED, dir_fd=inbox, follow_symlinks=False)
    except FileNotFoundError:
        return None


# -- a player's side -------------------------------------------------------------------------------------------------------


def is_attended(folder: Path) -> bool:
    """Return whether the wayfinder has the campaign open. True if that can't be found out."""
    try:
        os.close(_open_to_ring(folder))
    except OSError as error:
        return error.errno not in (errno.ENXIO, errno.ENOENT)
    return True


def _open_to_ring(folder: Path) -> int:
    """Open the pipe for writing. Raises `OSError`."""
    with open_inbox(folder) as inbox:
        pipe = os.open(_ATTENDED, os.O_WRONLY | _LOCK_FLAGS, dir_fd=inbox)
    if not stat.S_ISFIFO(os.fstat(pipe).st_mode):
        os.close(pipe)
        raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))
    return pipe


def _ring(folder: Path) -> None:
    """Ask the wayfinder's program to write the file of the pause, as this account can't. Raises `OSError`."""
    pipe = _open_to_ring(folder)
    try:
        with suppress(BlockingIOError):  # It is full of requests already.
            os.write(pipe, _RING)
    except BrokenPipeError:
        raise OSError(errno.ENXIO, os.strerror(errno.ENXIO)) from None
    finally:
        os.close(pipe)


def why_no_pause(folder: Path) -> str:
    """Return why this account could not ask for a pause; empty if it can, whenever the wayfinder has the campaign open."""
    if os.access(folder / FOLDER, os.W_OK | os.X_OK):
        return ""  # It writes the file itself.
    try:
        os.close(_open_to_ring(folder))
    except OSError as error:
        may_make_it = error.errno == errno.ENOENT and os.access(folder, os.W_OK | os.X_OK)
        return "" if may_make_it or _is_closed(folder, error) else _explain_refusal(folder, error)
    return ""


def _is_closed(folder: Path, error: OSError) -> bool:
    """Whether the pipe can't be written to only because the wayfinder doesn't have the campaign open, who makes it if it is missing."""
    return error.errno == errno.ENXIO or (error.errno == errno.ENOENT and (folder / FOLDER).is_dir())


def _explain_refusal(folder: Path, error: OSError) -> str:
    missing = error.errno in (errno.ENOENT, errno.ENOTDIR)
    why = "The campaign has no inbox" if missing else f"This account can't use the inbox: {describe_error(error)}"
    return UNREACHED.format(why=why, campaign=shlex.quote(str(folder)))


class PlayersPause:
    """A pause as a player's window follows it, and whether it has reached the wayfinder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._since: float | None = None
        """When this window asked for the pause, or first saw it. None if there is none, or the wayfinder's screen shows it."""
        self.paused = False
        self.lost = ""
        """Why the pause has not reached the wayfinder; empty if it has, or may still do so."""

    @property
    def waits(self) -> bool:
        """Whether the wayfinder's screen may show it in a moment."""
        return self._since is not None and not self.lost

    def ask(self) -> None:
        """Ask for a pause."""
        self.lost, self._since = "", time.monotonic()
        try:
            ask_for_pause(self._folder)
        except OSError:
            try:
                _ring(self._folder)
            except OSError as error:
                self.lost = CLOSED if _is_closed(self._folder, error) else _explain_refusal(self._folder, error)
        else:
            if not is_attended(self._folder):
                self.lost = CLOSED
        self.look()

    def look(self) -> None:
        """Read from the folder whether a pause is asked for, shown or over."""
        try:
            state = read_pause(self._folder)
        except OSError:
            state = PauseState.NONE  # `why_no_pause` has told why.
        ended = self.paused and state is PauseState.NONE
        self.paused = state is not PauseState.NONE
        if state is PauseState.SHOWN or ended:
            self._since, self.lost = None, ""
        elif self.paused and self._since is None:
            self._since = time.monotonic()
        if self.waits and self._since is not None and time.monotonic() - self._since >= PATIENCE:
            self.lost = UNANSWERED if is_attended(self._folder) else CLOSED

    def wait(self) -> None:
        """Wait until the wayfinder's screen shows the pause, or it is certain that it doesn't."""
        while self.waits:
            time.sleep(_LOOK)
            self.look()

    def dismiss(self) -> None:
        """Forget a pause that has reached nobody."""
        self._since, self.lost = None, ""
