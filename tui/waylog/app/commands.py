"""The person's own editor, on a file at a line. Called by the wayfinder's app, which has given the terminal away before.

The file with what was copied last. A terminal doesn't say whether it has taken a text, so the file is always there.

What the wayfinder's app does with forms: open the one of a row, set what was changed in it, and go on to the next.

What the wayfinder's app does when somebody asks for a pause: cover the window, and go on as the wayfinder chooses.

Commands of the wayfinder's app about recaps: write, show and copy one, and say who acted (NM-41).
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from shutil import which

from textual.screen import Screen

from waylog.app.table_sync import refusal_of_error
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.fields import FormSource
from waylog.rules.model.moves import ActRefused, Refusal
from waylog.rules.settings import Setting
from waylog.store.files import CampaignBusy
from waylog.store.players.presence import ask_for_pause, end_pause
from waylog.store.shown.recap import NONE_YET, latest_recap, recap_text
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import Document, UnreadableFile, read_bytes
from waylog.ui.draw.layout import key_name
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.form import FormEnd, FormScreen
from waylog.ui.views.overlays import PauseScreen, WayfinderPauseScreen
from waylog.ui.views.recap import RecapScreen
from waylog.values import replace

_SHOWN = 40
"""Characters of a text that are named in the message."""


def keep_copy(text: str, file: Path | None) -> str:
    """Write a text that was copied to `file`, for its owner alone; return what to tell the person."""
    first, _, rest = text.partition("\n")
    lines = len(rest.splitlines())
    more = f" and {lines} more {'line' if lines == 1 else 'lines'}" if lines else ""
    news = f"Copied “{first[:_SHOWN]}{'…' if len(first) > _SHOWN else ''}”{more}"
    if file is None:
        return news
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.touch(mode=0o600)
        file.write_text(text if rest.endswith("\n") else f"{text}\n", encoding="utf-8")
    except OSError as trouble:
        return f"{news}. It can't be kept in a file: {(trouble.strerror or str(trouble)).lower()}"
    return f"{news}. If your terminal doesn't paste it, it is in {_short(file)}"


def _short(path: Path) -> str:
    """Return a path as people write it, with `~` for their home."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)


_PLUS = frozenset(
    [
        "vi",
        "vim",
        "nvim",
        "view",
        "vimx",
        "nano",
        "pico",
        "rnano",
        "emacs",
        "emacsclient",
        "zile",
        "mg",
        "micro",
        "kak",
        "joe",
        "jed",
        "ne",
        "mcedit",
        "dte",
    ]
)
"""Editors that take `+LINE FILE`."""
_COLON = frozenset(["hx", "helix", "subl", "zed", "zeditor", "amp"])
"""Editors that take `FILE:LINE`."""
_GOTO = frozenset(["code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"])
"""Editors that take `--goto FILE:LINE`."""
UNSET = "No editor is set. Set EDITOR before you start Waylog, for example: export EDITOR=nano"


class EditorMissing(Exception):
    """There is no editor to start. The text says what to do."""


def edit_at(file: Path, path: tuple[str, ...], suspend: Callable[[], AbstractContextManager[None]]) -> str:
    """Let the person edit a TOML file, at the line of the value at `path`; return what went wrong, or nothing.

    `suspend` gives the terminal away. Raises `EditorMissing`.
    """
    command = editor_command(os.environ, file, find_line(file, path))
    with suspend():
        try:
            code = run_editor(command)
        except OSError as error:
            return f"{command[0]} can't be started: {(error.strerror or str(error)).lower()}"
    return f"{command[0]} ended with an error (code {code})" if code else ""


def find_line(file: Path, path: tuple[str, ...]) -> int:
    """Return the line of a value in a TOML file, or of the nearest table above it; in a broken file the line that is wrong."""
    try:
        return Document.parse(read_bytes(file), file.name).position(path)[0]
    except UnreadableFile as unreadable:
        return unreadable.problems[0].line


def editor_command(environment: Mapping[str, str], file: Path, line: int) -> Sequence[str]:
    """Return the command that opens `file` at `line`, counted from 1, in `$VISUAL`, or else in `$EDITOR`.

    An editor that Waylog doesn't know gets the file alone. Raises `EditorMissing`.
    """
    variable = "VISUAL" if environment.get("VISUAL", "").strip() else "EDITOR"
    chosen = environment.get(variable, "")
    try:
        words = shlex.split(chosen)
    except ValueError:
        raise EditorMissing(f"{variable} has a quotation mark too few: {chosen}") from None
    if not words:
        raise EditorMissing(UNSET)
    if which(words[0], path=environment.get("PATH")) is None:
        raise EditorMissing(f"There is no program “{words[0]}”, which {variable} names as your editor")
    program = Path(words[0]).name.removesuffix(".exe")
    if program in _PLUS:
        return [*words, f"+{line}", str(file)]
    if program in _COLON:
        return [*words, f"{file}:{line}"]
    if program in _GOTO:
        return [*words, "--goto", f"{file}:{line}"]
    return [*words, str(file)]


def run_editor(command: Sequence[str]) -> int:
    """Run an editor on this terminal until it is closed; return its exit code. Raises `OSError`.

    The keys that interrupt and quit reach the editor alone meanwhile.
    """
    # By a function and not by SIG_IGN, which the editor would inherit.
    before = {number: signal.signal(number, _let_pass) for number in (signal.SIGINT, signal.SIGQUIT)}
    try:
        return subprocess.run(command, check=False, close_fds=True).returncode
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _let_pass(*_: object) -> None:
    """Ignore the signal."""


class FormCommands:
    """The commands about forms. What can't be done is said in the window, or in the form."""

    def __init__(
        self,
        table: Table,
        frame: MainScreen,
        push_screen: Callable[[Screen[FormEnd], Callable[[FormEnd | None], None]], object],
        show: Callable[[], None],
    ) -> None:
        """`show` shows what was set, once a form is closed."""
        self._table, self._frame, self._push_screen, self._show = table, frame, push_screen, show

    def open(self, path: ValuePath) -> None:
        """Open the form of what is at that path of the file."""
        table = self._table
        try:
            source = table.form(path)
        except ActRefused as refused:
            self._frame.refuse(refused.refusal)
        else:
            overrule = partial(self._set_values, overrules=True)
            screen = FormScreen(source, table.try_settings, self._set_values, table.shown_by_settings, overrule)
            self._push_screen(screen, partial(self._after, source))

    def _set_values(self, settings: Sequence[Setting], *, overrules: bool = False) -> Refusal | None:
        """Set what was changed in a form. Return why that isn't possible, if the form has to stay."""
        try:
            self._table.set_values(settings, overrules=overrules)
        except (ActRefused, CampaignBusy, LogWriteFailed, OSError) as refused:
            return refusal_of_error(refused)
        return None

    def _after(self, source: FormSource, end: FormEnd | None) -> None:
        self._show()
        if end is FormEnd.ANOTHER:
            self.open(source.sibling)


class PauseCommands:
    """The commands about pauses. What can't be done is said in the window."""

    def __init__(
        self,
        table: Table,
        frame: MainScreen,
        push_screen: Callable[[Screen[str | None], Callable[[str | None], None]], object],
        do: Callable[[Callable[[], object]], None],
    ) -> None:
        """`do` lets the table do something, and shows what came of it."""
        self._table, self._frame, self._push_screen, self._do = table, frame, push_screen, do

    def ask(self) -> bool:
        """Pause the game on every screen. Return False if that isn't possible."""
        try:
            ask_for_pause(self._table.folder)
        except OSError as trouble:
            self._frame.refuse(refusal_of_error(trouble))
            return False
        return True

    def cover(self, mark: str) -> None:
        """Cover the window. What was typed is still there afterwards. The screen has the class `mark`."""
        screen = PauseScreen if self._table.read_only else WayfinderPauseScreen
        self._push_screen(screen(classes=mark), self._go_on)

    def _go_on(self, choice: str | None) -> None:
        """End the pause. A rewind is asked about in the window, as always."""
        try:
            end_pause(self._table.folder)
        except OSError as trouble:
            self._frame.refuse(refusal_of_error(trouble))
        if choice == "rewind":
            self._frame.action_ask_rewind()
        elif choice == "fade":
            self._do(lambda: self._table.play(self._table.understand("scene")))


class RecapCommands:
    """The commands about recaps. The window says why one isn't possible."""

    def __init__(
        self,
        table: Table,
        frame: MainScreen,
        push_screen: Callable[[Screen[None]], object],
        copy: Callable[[str], str],
    ) -> None:
        """`copy` sends a text to the clipboard, and returns what to tell the person."""
        self._table, self._frame, self._push_screen, self._copy = table, frame, push_screen, copy

    def write(self) -> None:
        """Write the recap of the latest session into the campaign's folder, to hand to the players, and show it."""
        try:
            path = self._table.write_recap()
        except ActRefused as refused:
            starts = "" if self._table.read_only else f". {key_name('session', 's')} starts one"
            self._frame.refuse(replace(refused.refusal, reason=f"{refused.refusal.reason}{starts}"))
        except OSError as trouble:
            self._frame.refuse(refusal_of_error(trouble))
        else:
            news, text = f"Recap saved: {path.name}", self._text()
            self._frame.offer_copy(news, text)
            self._show(news, text)

    def read(self) -> None:
        """Show the latest recap that was written, as its file is now."""
        try:
            path = latest_recap(self._table.folder)
            text = read_bytes(path).decode(errors="replace") if path else ""
        except (UnreadableFile, OSError) as trouble:
            self._frame.refuse(refusal_of_error(trouble))
            return
        if path:
            self._show(f"Recap: {path.name}", text)
        else:
            self._frame.refuse(Refusal("no recap has been written yet"))

    def copy(self) -> None:
        """Copy the players' recap of the latest session."""
        try:
            self._frame.say(self._copy(self._text()))
        except ActRefused as refused:
            self._frame.refuse(refused.refusal)

    def say_pace(self) -> None:
        """Say in one quiet line who acted how much in this session."""
        pace = self._table.pace()
        self._frame.say(f"Who acted: {pace.who_acted}" if pace and pace.who_acted else NONE_YET)

    def _show(self, title: str, text: str) -> None:
        self._push_screen(RecapScreen(title, text, self._copy))

    def _text(self) -> str:
        return recap_text(self._table.recap())
