"""The difference of two sheets: what is written to the file, what the log shows, what undo takes back."""

from __future__ import annotations

import re
from typing import Any

from waylog.values import dataclass

Path = tuple[str, ...]
Value = Any
"""A plain TOML value: text, whole number, true or false, a list or a table of them."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PART = re.compile(r'"(?:[^"\\]|\\.)*"|[^."]+')


@dataclass(frozen=True, slots=True)
class Change:
    """One value that is different now. None means that it was not there before, or is not there after."""

    path: Path
    before: Value | None
    after: Value | None
    was: str | None = None
    """How `before` was written in the file, where that is not the plain way; empty when the key was left out."""
    now: str | None = None
    """How `after` is to be written, in the same sense."""

    def reverse(self) -> Change:
        """The change that takes this one back, spelling included."""
        return Change(self.path, self.after, self.before, self.now, self.was)


def format_path(path: Path) -> str:
    """`ship.focus`: the path as a TOML key, parts quoted where TOML asks for it."""
    return ".".join(part if _BARE.fullmatch(part) else _quote_text(part) for part in path)


def parse_path(text: str) -> Path:
    """The path that `format_path` wrote as `text`."""
    return tuple(_unquote_part(part) if part.startswith('"') else part for part in _PART.findall(text))


def _quote_text(part: str) -> str:
    import json  # few keys need it, and no start does

    return json.dumps(part, ensure_ascii=False)


def _unquote_part(part: str) -> str:
    import json

    return str(json.loads(part))
