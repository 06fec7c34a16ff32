"""Text with colours and links, for a terminal: what a line is made of, how it is written, and the pager.

A line is a text, or several of which some are a `TerminalText`. Anywhere but on a terminal, both are written as plain text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeAlias

from waylog.signs import escape_controls, to_charset

if TYPE_CHECKING:
    from waylog.toml.document import Problem


class Style(StrEnum):
    """The styles of printed text. Their values are SGR codes of the terminal's own 16 colours, so that every theme stays readable."""

    PLAIN = ""
    TITLE = "1"
    DIM = "2"
    GOOD = "32"
    BEST = "1;32"
    WARN = "33"
    BAD = "31"


class TerminalText(str):
    """A part of a line with a style, and the address that it links to, if any."""

    __slots__ = ("link", "style")

    style: Style
    link: str

    def __new__(cls, text: str, style: Style = Style.PLAIN, link: str = "") -> TerminalText:  # noqa: PYI034 - it is final here
        span = super().__new__(cls, text)
        span.style, span.link = style, link
        return span


Line: TypeAlias = str | tuple[str, ...]


def draw(line: Line, *, links: bool, styles: bool = True) -> str:
    """Return a line with its colours and its links (OSC 8), as far as they are wanted. Nothing else in it steers a terminal."""
    drawn = ""
    for part in (line,) if isinstance(line, str) else line:
        text = escape_controls(part)
        if isinstance(part, TerminalText) and part:
            text = f"\x1b[{part.style}m{text}\x1b[0m" if part.style and styles else text
            text = f"\x1b]8;;{part.link}\x1b\\{text}\x1b]8;;\x1b\\" if part.link and links else text
        drawn += text
    return drawn


def file_address(path: Path, line: int = 0) -> str:
    """Return the address of a file for a link, and of a line in it. It has no character that ends a link."""
    from socket import gethostname
    from urllib.parse import quote

    # Over SSH, the file is on another machine than the terminal, which the name of the host tells it.
    return f"file://{gethostname()}{quote(str(path.absolute()))}{f'#{line}' if line else ''}"


def place_in(file: str, line: int, column: int) -> TerminalText:
    """Return a place in a file, with a link to it."""
    return TerminalText(f"{file}:{line}:{column}", Style.TITLE, file_address(Path(file), line))


def problem_line(problem: Problem) -> Line:
    """Return a problem in a file, whose place links to the file."""
    return place_in(problem.file, problem.line, problem.column), f": {problem.message}"


def wants_colour(stream: TextIO | None, choice: str, environment: Mapping[str, str]) -> bool:
    """Whether a stream gets colours: for `auto`, or without a choice, only a terminal that has them (see no-color.org)."""
    if choice in ("always", "never"):
        return choice == "always"
    if stream is None or environment.get("NO_COLOR") or environment.get("TERM", "dumb") == "dumb":
        return False
    return stream.isatty()


def show(lines: Iterable[Line], stream: TextIO, *, coloured: bool, environment: Mapping[str, str]) -> bool:
    """Show lines in the pager if they don't fit in the terminal. Return whether that was done."""
    kept = [*lines]
    command = _pager(environment) if _is_too_long(kept, stream) else []
    if not command:
        return False
    import signal
    import subprocess

    # Older versions of less show the characters of a link.
    text = "".join(f"{draw(line, links=False, styles=coloured)}\n" for line in kept)
    # Like git: less keeps colours, and leaves the text on the screen.
    less = {"LESS": "FRX", **environment}
    data = to_charset(text, stream.encoding).encode(stream.encoding or "utf-8", stream.errors or "replace")
    # Ctrl+C belongs to the pager, which may go on. What is ignored here would be ignored there too; a function is not handed on.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=less) as pager:
            pager.communicate(data)
            return True
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)


def _pager(environment: Mapping[str, str]) -> Sequence[str]:
    """Return the command of the person's pager; empty if they want none, or there is none."""
    import shlex
    from shutil import which

    command = shlex.split(environment.get("PAGER", "less"))
    return command if command and command != ["cat"] and which(command[0]) else []


def _is_too_long(lines: Iterable[Line], stream: TextIO) -> bool:
    try:
        width, height = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return False
    rows = (max(1, -(-len("".join(line)) // max(1, width))) for line in lines)
    return sum(rows) >= height
