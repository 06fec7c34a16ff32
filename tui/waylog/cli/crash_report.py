"""Handle an unexpected error: a report in a file, and one line for the person."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from types import TracebackType

from waylog import __version__
from waylog.store.locations import InvalidName, locations


def report(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None, environment: Mapping[str, str]
) -> str:
    """Write the details to the state folder. Return a line that says where they are."""
    summary = f"waylog: unexpected error: {kind.__name__}: {error}"
    details = "".join(traceback.format_exception(kind, error, trace))
    try:
        folder = locations(None, environment).state
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
        path.write_text(f"Waylog {__version__}\n{details}", encoding="utf-8", errors="backslashreplace")
    except (OSError, InvalidName):
        return f"{summary} (the details could not be saved)"
    return f"{summary}. Everything played is in the log. Details: {path}"
