"""Remember the game files that were checked and have no mistakes, so that a start doesn't check them again.

The cache folder has a copy of each such file, under the game's id. A file that is equal to its copy needs no check. A copy that is
missing, cut or old only costs time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from waylog import __version__

_RULES = Path(__file__).resolve().parents[1] / "rules"
_CHECKS = (_RULES / "file_game", _RULES / "codec")
"""The folders of the modules that check a file."""


def is_known(name: str, data: bytes) -> bool:
    """Whether this version of Waylog has found no mistakes in a game file with these bytes."""
    path = _copy_of(name)
    try:
        return path is not None and path.read_bytes() == _heading() + data
    except OSError:
        return False


def remember(name: str, data: bytes) -> None:
    """Remember a game file without mistakes."""
    path = _copy_of(name)
    if path is not None:
        with suppress(OSError):  # Without a copy, the next start checks the file again.
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_heading() + data)


def _copy_of(name: str) -> Path | None:
    """Return the path of a game's copy; None if the id can't be a file name, or the account has no home folder."""
    if not name.replace("-", "").isalnum() or not name.isascii():
        return None
    named = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = Path(named) if named.startswith("/") else Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "waylog" / "games" / f"{name}.toml"


@cache
def _heading() -> bytes:
    """Return the first line of a copy: the version of Waylog whose checks found no mistakes. Another version may find some."""
    newest = max(_times(), default=0)
    return f"# Found sound by Waylog {__version__}, whose checks are of {newest}\n".encode()


def _times() -> Iterator[int]:
    """Yield the time of each module that checks a file, in nanoseconds."""
    for folder in _CHECKS:
        with suppress(OSError), os.scandir(folder) as entries:
            yield from (entry.stat().st_mtime_ns for entry in entries if entry.name.endswith(".py"))
