"""Games in files that were checked and found sound, so that a start need not check them again.

The cache folder has a copy of each such file, under the game's id. A game whose file is the same, byte for byte, is sound; every other one
is checked. So a copy that is missing, cut or old costs time and nothing else.
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
    """Whether these are the bytes of a game file that this Waylog found sound."""
    path = _copy_of(name)
    try:
        return path is not None and path.read_bytes() == _heading() + data
    except OSError:
        return False


def remember(name: str, data: bytes) -> None:
    """Note that these are the bytes of a game file without mistakes."""
    path = _copy_of(name)
    if path is not None:
        with suppress(OSError):  # Without a copy, the next start checks the file again.
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_heading() + data)


def _copy_of(name: str) -> Path | None:
    """Return where the copy of a game is; None for an id that is no name of a file, and for an account without a home."""
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
    """Return the first line of a copy: which Waylog found the game sound. Other checks may find a mistake."""
    newest = max(_times(), default=0)
    return f"# Found sound by Waylog {__version__}, whose checks are of {newest}\n".encode()


def _times() -> Iterator[int]:
    """Yield when each module was changed that checks a file, in nanoseconds."""
    for folder in _CHECKS:
        with suppress(OSError), os.scandir(folder) as entries:
            yield from (entry.stat().st_mtime_ns for entry in entries if entry.name.endswith(".py"))
