"""The person's settings: one TOML file, read once at each start of the app and checked to the last key.

A value that is wrong counts as left out and is reported with its line, so that the app always starts. Waylog changes a line of the file
only for a choice that is made in the app, and leaves everything else in it alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from waylog.signs import escape_controls
from waylog.store.folders_and_recent import config_folder
from waylog.toml.document import Document, FileMissing, Problem, UnreadableFile, read_bytes
from waylog.values import NamedTuple, dataclass, field

TEMPLATE: Final = """\
# Waylog's settings. `waylog config` says where this file is, and reports any problem in it. The app reads it when it starts.
# A deleted line keeps its default. Waylog changes a line only when you choose something in the app.

theme = "dark"          # Ctrl+T shows every theme
hints = true            # true: show a line of keys at the bottom of the window
glyphs = "unicode"      # "ascii": plain characters in the app, for a font that lacks the symbols
dice = "rolled"         # "real": Enter asks for your real dice. At that prompt, W lets Waylog roll them
first_view = "auto"     # "bridge", "ship", "crew", "log", "clocks" or "tables"; auto: the bridge
log_beside = 160        # the log stays open beside every view if the window has at least this many columns; 0: never
bell = false            # true: the terminal's bell rings when a clock is full or a player proposes something (a timer always rings)
notification = "off"    # a desktop notification for the same events: "osc9" (iTerm2, kitty, WezTerm, Ghostty) or "osc777" (foot, urxvt, GNOME)
git = "off"             # "session": at a session's end, commit the campaign's folder, if it is a git repository (Waylog never pushes)
announce = true         # true: line mode reports changes from another window or your editor at once; false: after your next line

[keys]
# Your own keys. `waylog config --keys` lists the names. For example:
# note = "ctrl+n"
# undo = ["u", "backspace"]
"""
_LARGEST = 64 * 1024
_WIDEST = 500
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a person. The defaults are those of the template."""

    theme: str = "dark"
    hints: bool = True
    """The line of hints is shown."""
    glyphs: str = "unicode"
    dice: str = "rolled"
    """`real` if a roll asks for the dice on the table first."""
    first_view: str = "auto"
    log_beside: int = 160
    """Columns from which on the log stays open beside every view; 0 if never."""
    bell: bool = False
    notification: str = "off"
    announce: bool = True
    """Whether line mode reports changes by others at once."""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys as they were written, by the id of the binding. Whether there are such keys and ids, the app finds out."""
    git: str = "off"
    """`session` if the end of a session commits the folder. No campaign can set it: one from elsewhere must not run git."""


class SettingsFile(NamedTuple):
    """The settings file and its contents."""

    path: Path
    settings: Settings = Settings()
    problems: tuple[Problem, ...] = ()

    def line_of(self, name: str) -> int:
        """Return the line of a setting, or of a key by the id of its binding, as the file is now; 1 if it isn't there.

        Lines take as long to find as all else, so nobody looks for them before one is to be told.
        """
        try:
            document = _parse(read_bytes(self.path, _LARGEST), self.path.name)
        except UnreadableFile:
            return 1
        keys = document.tree.get("keys", {})
        if name in document.tree:
            return document.position((name,))[0]
        return document.position(("keys", *([name] if name in keys else name.split("."))))[0]


@lru_cache(1)
def _parse(data: bytes, name: str) -> Document:
    """Parse the file. Each of a thousand faults asks for its line. Raises `UnreadableFile`."""
    return Document.parse(data, name)


_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "glyphs": ("unicode", "ascii"),
    "dice": ("rolled", "real"),
    "first_view": ("auto", "bridge", "ship", "crew", "log", "clocks", "tables"),
    "notification": ("off", "osc9", "osc777"),
    "git": ("off", "session"),
}
_FLAGS: Final = ("hints", "bell", "announce")
_NAMES: Final = ("theme", *_FLAGS, *_CHOICES, "log_beside", "keys")


def settings_path() -> Path | None:
    """Return the path of the file, which need not exist; None for an account that has no home."""
    folder = config_folder(os.environ)
    return folder / "waylog" / "config.toml" if folder else None


def read_settings(path: Path) -> SettingsFile:
    """Read the file. A missing file sets nothing; one that can't be read is a problem."""
    name = escape_controls(str(path))
    try:
        document = Document.parse(read_bytes(path, _LARGEST), name)
    except FileMissing:
        return SettingsFile(path)
    except UnreadableFile as unreadable:
        return SettingsFile(path, problems=unreadable.problems)
    problems = list[Problem]()
    found: dict[str, Any] = {}
    for key, value in document.tree.items():
        wrong = _fault_of(key, value)
        if wrong:
            problems.append(Problem(name, *document.position((key,)), wrong))
        elif key == "keys":
            found["keys"] = {}
            for path_of_key, keys in _flatten(value):
                id_ = ".".join(path_of_key)
                if keys:
                    found["keys"][id_] = keys
                else:
                    at = document.position(("keys", *path_of_key))
                    problems.append(
                        Problem(name, *at, f'`{_short(id_)}` must be a key, such as "n", or a list of keys')
                    )
        else:
            found[key] = value
    return SettingsFile(path, Settings(**found), tuple(problems))


def _fault_of(key: str, value: object) -> str:
    """Return what is wrong with a setting; empty if nothing is."""
    if key not in _NAMES:
        near = _nearest(key, _NAMES)
        hint = f"Did you mean `{near[0]}`?" if near else f"The settings are {', '.join(_NAMES)}"
        return f"there is no setting `{_short(key)}`. {hint}"
    if key in _CHOICES:
        words = _CHOICES[key]
        if value in words:
            return ""
        near = _nearest(value, words) if isinstance(value, str) else []
        hint = f". Did you mean “{near[0]}”?" if near else ""
        return f"`{key}` must be {' or '.join(words)}, not {_spelling(value)}{hint}"
    if key in _FLAGS:
        return "" if isinstance(value, bool) else f"`{key}` must be true or false, not {_spelling(value)}"
    if key == "log_beside":
        right = isinstance(value, int) and not isinstance(value, bool) and (value == 0 or 80 <= value <= _WIDEST)
        return (
            "" if right else f"`{key}` must be 0, or a number of columns from 80 to {_WIDEST}, not {_spelling(value)}"
        )
    if key == "keys":
        return "" if isinstance(value, dict) else "`keys` must be a table: write the keys below a [keys] line"
    return "" if isinstance(value, str) else f"`{key}` must be a theme's name, not {_spelling(value)}"


def _nearest(word: str, words: Sequence[str]) -> Sequence[str]:
    """Return the word that is most like another, if one is."""
    from difflib import get_close_matches  # Few settings are wrong.

    return get_close_matches(word, words, 1)


def _flatten(
    table: Mapping[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield each value with its path; its keys are empty if it is none. `row.more = "+"` is a table in a table."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, (*above, key))
        elif isinstance(value, str):
            yield (*above, key), (value,) if value else ()
        elif isinstance(value, list) and all(isinstance(one, str) and one for one in value):
            yield (*above, key), tuple(value)
        else:
            yield (*above, key), ()


def _short(text: str) -> str:
    return escape_controls(text)[:_LONGEST]


def _spelling(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"“{_short(value)}”" if isinstance(value, str) else _short(str(value))


def create_settings(path: Path) -> bool:
    """Write the commented file if there is none. Return whether it was written. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE)
    except FileExistsError:
        return False
    return True


def remember(path: Path, name: str, value: str | bool) -> None:
    """Change one line of the file, which is created if there is none. Every comment stays.

    Raises `OSError` if it can't be written, and `UnreadableFile` if it can't be understood: then it is left alone.
    """
    create_settings(path)
    # Dotfiles are often links into a folder of their own.
    target = path.resolve()
    document = Document.parse(read_bytes(target, _LARGEST), escape_controls(str(path)))
    if document.tree.get(name) == value:
        return
    beside = target.with_name(f".{target.name}.new")
    beside.write_bytes(document.set((name,), value).data)
    beside.chmod(target.stat().st_mode & 0o777)
    beside.replace(target)
