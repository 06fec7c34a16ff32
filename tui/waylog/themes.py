"""Colour themes: a TOML file each, read when needed and checked completely.

`VARIABLES` has the names of all variables. Widgets use them in their `.tcss` as `$held`, `$dim` and so on; no colour is
written anywhere else. Textual is imported with the first theme that is built, not before.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from waylog.signs import escape_controls
from waylog.store.folders_and_recent import config_folder
from waylog.toml.document import Document, FileMissing, Problem, UnreadableFile, read_bytes
from waylog.values import dataclass

if TYPE_CHECKING:
    from textual.theme import Theme

BASE: Final = (
    "background",
    "surface",
    "panel",
    "foreground",
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
)
"""The colours that every theme file gives."""

VARIABLES: Final = {
    "title": "foreground",
    "key": "accent",
    "dim": "foreground",
    "rule": "secondary",
    "cursor": "panel",
    "cursor-text": "foreground",
    "banner": "warning",
    "banner-text": "background",
    "held": "primary",
    "lost": "error",
    "tone-good": "success",
    "tone-warn": "warning",
    "tone-bad": "error",
    "die": "foreground",
    "die-text": "background",
    "clock-filled": "accent",
    "clock-empty": "secondary",
    "fiasco": "error",
    "drawback": "warning",
    "success-text": "success",
    "critical": "accent",
}
"""The names of the colours in widgets, each with the base colour that is used if a file leaves it out."""

_TEXTUAL: Final = {
    "block-cursor-background": "cursor",
    "block-cursor-foreground": "cursor-text",
    "block-cursor-blurred-background": "panel",
    "border-blurred": "rule",
    "footer-key-foreground": "key",
    "foreground-muted": "dim",
    "foreground-disabled": "dim",
    "input-selection-background": "cursor",
    "input-selection-foreground": "cursor-text",
    "screen-selection-background": "cursor",
    "screen-selection-foreground": "cursor-text",
    "scrollbar": "rule",
    "scrollbar-hover": "dim",
    "scrollbar-background": "surface",
    "text-muted": "dim",
    "text-disabled": "dim",
    # Textual would tint these, and with 256 colours no tint is so faint that coloured text stays readable on it.
    "primary-muted": "panel",
    "secondary-muted": "panel",
    "accent-muted": "panel",
    "success-muted": "panel",
    "warning-muted": "panel",
    "error-muted": "panel",
}
"""Textual's own variables, derived from ours, so that its widgets look like ours and stay readable."""

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_LARGEST = 64 * 1024
_LONGEST_LABEL = 40


@dataclass(frozen=True, slots=True)
class _ThemeFile:
    """A theme file without problems."""

    label: str
    dark: bool
    base: dict[str, str]
    variables: dict[str, str]


def folders() -> tuple[Path, ...]:
    """Return the folders of theme files: the person's own, then the one that ships."""
    config = config_folder(os.environ)
    user_folder = config / "waylog" / "themes" if config else None
    return (user_folder, _shipped_folder()) if user_folder else (_shipped_folder(),)


def names() -> dict[str, str]:
    """Return each theme's name, as `theme` takes it, with its label. Themes with problems are left out."""
    return {name: content.label for name, content in _good().items()}


def theme(name: str, *, user_themes: bool = True) -> Theme:
    """Return the theme in the file `name`.toml: the person's own, or else the one that ships. Without `user_themes`,
    only the one that ships.

    Only that file is read. Raises `FileMissing` if there is none, `UnreadableFile` with every problem in it.
    """
    files, _ = _files(folders() if user_themes else (_shipped_folder(),))
    if name not in files:
        raise FileMissing(
            Problem(
                f"{escape_controls(name)}.toml",
                1,
                1,
                no_theme_text(escape_controls(name), files),
            )
        )
    return _build_theme(name, _read(files[name][0]))


def themes() -> tuple[Theme, ...]:
    """Return every theme by name. If one has problems, the one that ships under the same name replaces it."""
    return tuple(_build_theme(name, content) for name, content in _good().items())


def file_places(name: str) -> tuple[str, ...]:
    """Return the places where the file of a theme may be, the one that counts first."""
    return tuple(str(folder / f"{name}.toml") for folder in folders())


def file_state(places: tuple[str, ...]) -> tuple[int, int, int] | None:
    """Return a value that changes when the file of a theme is edited; None if the file is in none of its `places`."""
    for place in places:
        with suppress(OSError):
            found = os.stat(place)  # noqa: PTH116 - twice a second, as long as the app is open
            return found.st_ino, found.st_size, found.st_mtime_ns
    return None


def problems(name: str = "") -> tuple[Problem, ...]:
    """Return every problem of every theme file, or of the files of one theme, and folders that can't be read."""
    files, found = _files(folders())
    for path in (path for of, paths in files.items() if name in ("", of) for path in paths):
        try:
            _read(path)
        except UnreadableFile as error:
            found.extend(error.problems)
    return tuple(found)


def _shipped_folder() -> Path:
    """Return the folder in the installed package; in a checkout, the one beside pyproject.toml."""
    package = Path(__file__).resolve().parent
    installed = package / "themes"
    return installed if installed.is_dir() else package.parents[1] / "themes"


def _files(where: tuple[Path, ...]) -> tuple[dict[str, list[Path]], list[Problem]]:
    """Return the files of each theme, the one that counts first, and the problems with finding them."""
    found: dict[str, list[Path]] = {}
    hindered: list[Problem] = []
    for folder in where:
        try:
            paths = sorted(folder.iterdir())
        except FileNotFoundError:
            continue
        except OSError as error:
            words = (error.strerror or "the system gives no reason").lower()
            hindered.append(Problem(escape_controls(str(folder)), 1, 1, f"can't be searched for themes: {words}"))
            continue
        for path in paths:
            if path.suffix == ".toml" and not path.name.startswith("."):
                found.setdefault(path.stem, []).append(path)
    return dict(sorted(found.items())), hindered


def _good() -> dict[str, _ThemeFile]:
    """Return for each theme the first file without problems."""
    good: dict[str, _ThemeFile] = {}
    for name, paths in _files(folders())[0].items():
        for path in paths:
            try:
                good.setdefault(name, _read(path))
            except UnreadableFile:
                continue  # `problems` tells
    return good


def _build_theme(name: str, content: _ThemeFile) -> Theme:
    from textual.theme import Theme

    colours = {**content.base, **content.variables}
    variables = content.variables | {theirs: colours[ours] for theirs, ours in _TEXTUAL.items()}
    base: dict[str, Any] = {**content.base}
    return Theme(name=name, dark=content.dark, variables=variables, **base)


def _read(path: Path) -> _ThemeFile:
    """Read a theme file. Raises `UnreadableFile` with every problem in it."""
    document = Document.parse(read_bytes(path, _LARGEST), escape_controls(str(path)))
    check = _ThemeReader(document)
    label, dark = check.label(), check.dark()
    base = {name: check.colour((name,), wanted=True) for name in BASE}
    variables = {name: check.colour(("variables", name)) or base[other] for name, other in VARIABLES.items()}
    check.report_unknown((), ("name", "dark", *BASE, "variables"))
    check.report_unknown(("variables",), tuple(VARIABLES))
    if check.problems:
        raise UnreadableFile(*sorted(check.problems, key=lambda problem: (problem.line, problem.column)))
    return _ThemeFile(label, dark, base, variables)


class _ThemeReader:
    """The values of a theme file, and the problems found while reading them."""

    def __init__(self, document: Document) -> None:
        self.problems: list[Problem] = []
        self._document = document
        given = document.tree.get("variables", {})
        if not isinstance(given, dict):
            self._report(("variables",), "`variables` must be a table: write its colours below the header [variables]")
            given = {}
        self._tables: dict[tuple[str, ...], dict[str, Any]] = {(): document.tree, ("variables",): given}

    def label(self) -> str:
        """Return the name that people see."""
        value = self._document.tree.get("name")
        if (
            isinstance(value, str)
            and value.strip()
            and len(value) <= _LONGEST_LABEL
            and escape_controls(value) == value
        ):
            return value
        self._wrong(("name",), f"the theme's display name, one line of at most {_LONGEST_LABEL} characters")
        return ""

    def dark(self) -> bool:
        """Whether text is light on dark."""
        value = self._document.tree.get("dark")
        if isinstance(value, bool):
            return value
        self._wrong(("dark",), "true for light text on a dark background, false for the opposite")
        return False

    def colour(self, path: tuple[str, ...], *, wanted: bool = False) -> str:
        """Return the colour at a path; empty if there is none. That is a problem if it is `wanted`; a wrong value always is."""
        table = self._tables[path[:-1]]
        if not wanted and path[-1] not in table:
            return ""
        value = table.get(path[-1])
        if isinstance(value, str) and _COLOUR.fullmatch(value):
            return value
        self._wrong(path, 'a colour written as "#" and six hexadecimal digits')
        return ""

    def report_unknown(self, path: tuple[str, ...], known: tuple[str, ...]) -> None:
        """Report every unknown key of the table at `path`."""
        for key in self._tables[path]:
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"Did you mean `{near[0]}`?" if near else f"The keys here are {', '.join(known)}"
                self._report((*path, key), f"themes have no key `{escape_controls(key)[:_LONGEST_LABEL]}`. {hint}")

    def _wrong(self, path: tuple[str, ...], right: str) -> None:
        key = path[-1]
        if key not in self._tables[path[:-1]]:
            self._report(path, f"`{key}` is missing: {right}")
            return
        spelling = escape_controls(self._document.spelling(path) or "a table")
        self._report(path, f"`{key}` must be {right}, not {spelling[:_LONGEST_LABEL]}")

    def _report(self, path: tuple[str, ...], message: str) -> None:
        self.problems.append(Problem(self._document.name, *self._document.position(path), message))


def no_theme_text(name: str, there: Iterable[str]) -> str:
    """Return why a theme can't be used that isn't there."""
    return f"there is no theme “{name}”. Available themes: {', '.join(there) or 'none'}"
