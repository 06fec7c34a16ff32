"""Changes: the differences between two sheets. They are written to the file, shown in the log, and reversed by undo."""

from __future__ import annotations

import re
from typing import Any

from waylog.values import dataclass

Path = tuple[str, ...]
NEW = ""
"""The key of an entry that isn't in the file yet and has no name."""
Value = Any
"""A plain TOML value: text, whole number, true or false, a list or a table of these."""

_BARE = r"[A-Za-z0-9_-]+"
_PART = r'"(?:[^"\\]|\\.)*"|[^."]+'


@dataclass(frozen=True, slots=True)
class Change:
    """One value that differs. `before` is None if it was added, `after` is None if it was removed."""

    path: Path
    before: Value | None
    after: Value | None
    was: str | None = None
    """The source of `before` in the file, if it isn't the plain one; empty if the key was left out."""
    now: str | None = None
    """The source of `after` to write to the file, in the same sense."""

    def reverse(self) -> Change:
        """Return the change that reverses this one, with its source texts."""
        return Change(self.path, self.after, self.before, self.now, self.was)


def format_path(path: Path) -> str:
    """Return the path as a TOML key, such as `ship.focus`. Parts are quoted if TOML requires it."""
    return ".".join(part if re.fullmatch(_BARE, part) else _quote_text(part) for part in path)


def parse_path(text: str) -> Path:
    """Return the path that `format_path` wrote as `text`. A part with wrong quotation marks is taken as it is."""
    return tuple(_unquote_part(part) if part.startswith('"') else part for part in re.findall(_PART, text))


def _quote_text(part: str) -> str:
    import json  # Only some commands need this module, and start-up doesn't.

    return json.dumps(part, ensure_ascii=False)


def _unquote_part(part: str) -> str:
    import json

    try:
        return str(json.loads(part))
    except ValueError:
        return part
