"""The standard streams: whether they are a terminal, and writing to them. They escape control characters, and accept a closed pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from waylog import glyphs
from waylog.safe_text import escape_controls


class OutputClosed(Exception):
    """The output can't be written. The exception has the exit code. The command itself is done."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def is_typed() -> bool:
    """Whether a person types at a terminal. Python has no standard input if it was closed before the start."""
    return sys.stdin is not None and sys.stdin.isatty()


def is_terminal() -> bool:
    """Whether both standard input and standard output are a terminal."""
    return is_typed() and sys.stdout is not None and sys.stdout.isatty()


def in_terminal() -> bool:
    """Whether there is a terminal that the app can draw on."""
    return is_terminal() and os.environ.get("TERM", "dumb") != "dumb"


def print_lines(lines: Iterable[str], behind: str = "") -> None:
    """Write to standard output in one piece. `behind` is written last, without a line end. Raises `OutputClosed`."""
    _write(sys.stdout, lines, behind)


def complain(lines: Iterable[str]) -> None:
    """Write to standard error. Raises `OutputClosed`."""
    _write(sys.stderr, lines)


def _write(stream: TextIO | None, lines: Iterable[str], behind: str = "") -> None:
    text = "".join(f"{escape_controls(line)}\n" for line in lines) + behind
    if not text or stream is None:
        return
    try:
        stream.write(glyphs.to_charset(text, stream.encoding))
        stream.flush()
    except BrokenPipeError:
        # The reader has closed the pipe.
        _silence_stream(stream)
        raise OutputClosed(0) from None
    except OSError as error:
        _silence_stream(stream)
        if stream is sys.stdout:
            complain([f"waylog: can't write the output: {(error.strerror or str(error)).lower()}"])
        raise OutputClosed(1) from None


def _silence_stream(stream: TextIO) -> None:
    """Stop all output to a stream, including what Python writes when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
