"""The file with what was copied last. A terminal doesn't say whether it has taken a text, so the file is always there."""

from __future__ import annotations

from pathlib import Path

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
