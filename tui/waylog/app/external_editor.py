"""The person's own editor, opened at the right line of a file. It is called after the app has given the terminal away."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from shutil import which

from waylog.store.files_and_lock import describe_error
from waylog.toml.document import Document, UnreadableFile, read_bytes

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
_EVERYWHERE = ("nano", "vi")
"""The editors that are there on nearly every system, the easier one first, for whoever has set none."""
UNSET = "Neither nano nor vi is installed here. Set EDITOR before you start Waylog, for example: export EDITOR=micro"


class EditorMissing(Exception):
    """There is no editor to start. The text says what to do."""


def edit_at(file: Path, path: tuple[str, ...], suspend: Callable[[], AbstractContextManager[None]]) -> str:
    """Open the person's editor on a TOML file, at the line of the value at `path`, and wait. Return what went wrong; empty if nothing did.

    `suspend` gives the terminal away. Raises `EditorMissing`.
    """
    command = editor_command(os.environ, file, find_line(file, path))
    with suspend():
        try:
            code = run_editor(command)
        except OSError as error:
            return f"{command[0]} can't be started: {describe_error(error)}"
    return f"{command[0]} ended with an error (code {code})" if code else ""


def find_line(file: Path, path: tuple[str, ...]) -> int:
    """Return the line of a value in a TOML file, or of the nearest table above it; in a broken file the line that is wrong."""
    try:
        return Document.parse(read_bytes(file), file.name).position(path)[0]
    except UnreadableFile as unreadable:
        return unreadable.problems[0].line


def editor_command(environment: Mapping[str, str], file: Path, line: int) -> Sequence[str]:
    """Return the command that opens `file` at `line`, counted from 1, in `$VISUAL`, or else in `$EDITOR`, or else in nano or vi.

    An editor that Waylog doesn't know gets the file alone. Raises `EditorMissing`.
    """
    variable = "VISUAL" if environment.get("VISUAL", "").strip() else "EDITOR"
    chosen = environment.get(variable, "")
    try:
        words = shlex.split(chosen)
    except ValueError:
        raise EditorMissing(f"{variable} is missing a quotation mark: {chosen}") from None
    if not words:
        words = [each for each in _EVERYWHERE if which(each, path=environment.get("PATH"))][:1]
    if not words:
        raise EditorMissing(UNSET)
    if which(words[0], path=environment.get("PATH")) is None:
        raise EditorMissing(f"{variable} names “{words[0]}” as your editor, but there is no such program")
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
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGQUIT)}
    try:
        return subprocess.run(command, check=False, close_fds=True).returncode
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
