"""A game as one file to pass on: write a zip archive of its folder, read and check one, and unpack it.

An archive may come from anybody. So it is read in full, within limits, before anything is written: only plain files of the two
kinds that a game needs, in one folder, under names that can be shown. It is unpacked into the user's folder of games.

Games that other Python packages contain: each is an entry point of the group `waylog.systems`, named by the game's id.

A package declares it in its `pyproject.toml`:

    [project.entry-points."waylog.systems"]
    iron-moon = "iron_moon:SYSTEM"

`SYSTEM` is a `Rulebook` (`waylog.rules.rulebook`), as in the games that come with Waylog; anything else is refused.
To find entry points, Python reads a file of every installed package. So this module is imported only for an id that no other
game has, and to list all games.
"""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path, PurePosixPath
from typing import Any
from unicodedata import normalize

from waylog.rules.rulebook import Rulebook
from waylog.rules.systems import names
from waylog.signs import is_visible
from waylog.store.files_and_lock import FILE, open_to_read, sync, write_beside
from waylog.store.games.game_files import GAME_FILE, read_game
from waylog.values import NamedTuple

MOST_FILES, MOST_BYTES, MOST_PACKED = 200, 4 * 1024 * 1024, 8 * 1024 * 1024
"""Of one archive: its files, what they have in all, and the archive itself."""
MOST_RATIO = 100
"""The most that a file may grow when it is unpacked, as a multiple of its size in the archive. Files up to `_SMALL` bytes are exempt."""
_SMALL = 64 * 1024
_DEEPEST = 3
_SUFFIXES = (".toml", ".md")
_LONGEST_PATH = 200
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that the same game always makes the same archive."""
EXAMPLE, TABLES = "example", "tables"


class ArchiveRefused(Exception):
    """An archive can't be used, or can't be made. The text says why."""


class GameArchive(NamedTuple):
    """A game that came in an archive, read and checked, and not yet written anywhere."""

    system: Rulebook
    files: Mapping[str, bytes]
    """Its files by their paths in the folder of the game."""


# -- writing ----------------------------------------------------------------------------------------------------------


def pack(game: Rulebook, folder: Path) -> bytes:
    """Return the archive of a game: its file, its tables, its pages and the campaign in `example`. Raises `ArchiveRefused`.

    Beside a campaign only the game and its tables are taken, as the rest belongs to the people who play.
    """
    import io

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(_files_of(folder)):
            entry = zipfile.ZipInfo(f"{game.id}/{path.relative_to(folder).as_posix()}", _FIRST_DAY)
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, _read(path, MOST_BYTES))
    data = made.getvalue()
    _files_in(data)  # Nobody shall get an archive that can't be added.
    return data


def _files_of(folder: Path) -> Iterator[Path]:
    """Yield the files of a game that are passed on. Links are not followed."""
    patterns = [GAME_FILE, f"{TABLES}/*.toml"]
    if not (folder / FILE).exists():
        patterns += ["*.md", f"{EXAMPLE}/{FILE}", f"{EXAMPLE}/*.md", f"{EXAMPLE}/{TABLES}/*.toml"]
    for pattern in patterns:
        for path in folder.glob(pattern):
            if stat.S_ISREG(path.lstat().st_mode) and not path.name.startswith("."):
                yield path


# -- reading ----------------------------------------------------------------------------------------------------------


def read_archive(path: Path) -> GameArchive:
    """Read an archive in full, and its game. Raises `ArchiveRefused`, `OSError`, or `UnreadableFile` for a game with mistakes."""
    files = _files_in(_read(path, MOST_PACKED))
    games = [name for name in files if PurePosixPath(name).name == GAME_FILE]
    top = next((name for name in games if name in (GAME_FILE, f"{PurePosixPath(name).parts[0]}/{GAME_FILE}")), None)
    if top is None:
        raise ArchiveRefused(f"the archive has no {GAME_FILE}")
    within = top.removesuffix(GAME_FILE)
    astray = next((name for name in files if not name.startswith(within)), None)
    if astray is not None:
        raise ArchiveRefused(f"“{astray}” is outside the game's folder, {within}")
    game = read_game(files[top], top)
    return GameArchive(game, {name.removeprefix(within): data for name, data in files.items()})


def _read(path: Path, most: int) -> bytes:
    with open(open_to_read(path, most), "rb") as opened:  # noqa: PTH123 - a descriptor has no path
        return opened.read(most)


def _files_in(data: bytes) -> Mapping[str, bytes]:
    """Return the files of an archive by their paths. Raises `ArchiveRefused` for the first thing that no game needs."""
    import io

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) != _count_entries(data):
                raise ArchiveRefused("the zip archive is damaged: its list of files is not complete")
            _check_entries(entries)
            return {entry.filename: _contents(archive, entry) for entry in entries if not entry.is_dir()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, RuntimeError, OSError) as error:
        raise ArchiveRefused(f"the file is not a zip archive, or is damaged: {error}") from None


def _count_entries(data: bytes) -> int:
    """Return the number of entries that the end of an archive gives. The standard library doesn't check it."""
    end = data.rfind(b"PK\x05\x06")
    return int.from_bytes(data[end + 10 : end + 12], "little")


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MOST_FILES:
        raise ArchiveRefused(f"the archive has {len(entries)} files, but the limit is {MOST_FILES}")
    seen = set[str]()
    for entry in entries:
        if wrong := _wrong_name(entry):
            raise ArchiveRefused(wrong)
        folded = normalize("NFC", entry.filename.rstrip("/")).casefold()
        if folded in seen:
            raise ArchiveRefused(f"the archive contains “{entry.filename}” twice")
        seen.add(folded)
    files = {entry.filename.casefold() for entry in entries if not entry.is_dir()}
    if both := next((name for name in seen for above in PurePosixPath(name).parents if str(above) in files), None):
        raise ArchiveRefused(f"“{both}” is inside another file, not in a folder")
    size = sum(entry.file_size for entry in entries)
    if size > MOST_BYTES:
        raise ArchiveRefused(f"the archive unpacks to {size:,} bytes, but the limit is {MOST_BYTES:,}")
    for entry in entries:
        if entry.file_size > max(_SMALL, MOST_RATIO * entry.compress_size):
            raise ArchiveRefused(
                f"“{entry.filename}” would unpack to more than {MOST_RATIO} times its size in the archive"
            )


def _wrong_name(entry: zipfile.ZipInfo) -> str:
    """Return why a file can't be unpacked under its name; empty if it can."""
    # zipfile itself shortens a name at its first zero byte.
    name = entry.orig_filename
    parts = name.removesuffix("/").split("/")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if not is_visible(name) or name != entry.filename or not name:
        return f"a name contains invisible characters: “{name[:60]}”"
    if name.startswith("/") or "\\" in name or ":" in name or {"", ".", ".."} & set(parts):
        return f"“{name[:60]}” points outside the game's folder"
    if len(name.encode()) > _LONGEST_PATH or len(parts) > _DEEPEST + 1:
        return f"“{name[:60]}” is too long, or nested in too many folders"
    if any(part.startswith(".") or part != part.strip() for part in parts):
        return f"“{name[:60]}” is a hidden file"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return f"“{name[:60]}” is a link or a device, not a file"
    if entry.flag_bits & 1:
        return f"“{name[:60]}” is encrypted"
    if not entry.is_dir() and not name.endswith(_SUFFIXES):
        return f"“{name[:60]}” is not a .toml or .md file"
    return ""


def _contents(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return the contents of a file. No more is unpacked than its entry gives as its size."""
    with archive.open(entry) as opened:
        data = opened.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise ArchiveRefused(f"“{entry.filename}” is not the size that the archive lists")
    return data


# -- unpacking --------------------------------------------------------------------------------------------------------


def unpack(found: GameArchive, games: Path) -> Path | None:
    """Write a game into the folder of games, as a whole or not at all. Raises `OSError`.

    A game of that id that is there already is kept as a hidden folder beside it, whose path is returned.
    """
    games.mkdir(parents=True, exist_ok=True)
    place = games / found.system.id
    half, kept = games / f".{found.system.id}.{os.getpid()}.tmp", games / f".{found.system.id}.before"
    half.mkdir()
    try:
        for name, data in found.files.items():
            path = half / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_beside(path, data).rename(path)
        was_there = os.path.lexists(place)
        if was_there:
            if kept.is_symlink() or kept.is_file():
                kept.unlink()
            elif kept.exists():
                shutil.rmtree(kept)
            place.rename(kept)
        try:
            half.rename(place)
        except OSError:
            if was_there:
                kept.rename(place)
            raise
        sync(games)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return kept if was_there else None


GROUP = "waylog.systems"
_LONGEST = 200


class PackageUnusable(Exception):
    """The game of a package can't be loaded. The text is one line that says why."""


def packaged_ids() -> Iterator[tuple[str, str]]:
    """Yield the ids of the games in packages, each with the name of its package, in order of ids."""
    for entry in sorted(_entries(), key=lambda entry: entry.name):
        yield entry.name, entry.dist.name if entry.dist else "an unknown package"


def package_of(name: str) -> str:
    """Return the name of the package with the game of that id; empty if there is none."""
    return next((entry.dist.name for entry in _entries() if entry.name == name and entry.dist), "")


def packaged_system(name: str) -> Rulebook | None:
    """Return the game with that id from a package; None if no package has one. Raises `PackageUnusable`."""
    entry = next((entry for entry in _entries() if entry.name == name), None)
    return _load(entry) if entry else None


def _entries() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


@cache
def _load(entry: EntryPoint) -> Rulebook:
    package = entry.dist.name if entry.dist else entry.value
    start = f"Waylog can't use the game {entry.name[:40]} from the package {package}"
    if entry.name in names():
        raise PackageUnusable(f"{start}: Waylog already has a game with this id")
    try:
        found: Any = entry.load()
    except Exception as error:  # noqa: BLE001 - other people's code may fail in any way, and the other games must still work
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST]
        raise PackageUnusable(f"{start}: it can't be loaded ({reason})") from None
    found = getattr(found, "SYSTEM", found)
    if not isinstance(found, Rulebook):
        raise PackageUnusable(f"{start}: its SYSTEM is not a Rulebook (waylog.rules.rulebook)")
    if found.id != entry.name:
        raise PackageUnusable(f"{start}: it says that its id is “{str(found.id)[:40]}”")
    return found
