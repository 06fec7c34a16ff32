"""What one file tells that is or was a version of the campaign file: its mark, its checksum, its age, and whose it is."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from waylog.store.entries import Mark
from waylog.store.known_versions import checksum
from waylog.toml.document import FileMissing, UnreadableFile, read_bytes

_ABANDONED = 60.0
"""Seconds after which such a file belongs to no process, even if one has that number."""
_MARK = rb'(?m)^log = "(\d{1,9}):(\d{1,9})"'


def version_order(path: Path) -> tuple[str, list[int]]:
    """Return a sort key: the mark in the name, then the number among those with the same mark."""
    head, *rest = path.stem.split("-")
    numbers = [int(part) for part in ((head, *rest) if head.isdecimal() else rest) if part.isdecimal()]
    return "" if head.isdecimal() else head, numbers


def version_name(mark: Mark) -> str:
    """Return the name of a version with that mark, without an ending."""
    return f"{mark.file:04}-{mark.number:06}"


def is_same_file(one: Path, other: Path) -> bool:
    """Whether there is no other file, or it has the same content."""
    try:
        return read_bytes(other) == read_bytes(one)
    except FileMissing:
        return True
    except UnreadableFile:
        return False


def mark_in(path: Path) -> Mark:
    """Return the number of the entry in a version's mark; 0 if it can't be read."""
    try:
        found = re.search(_MARK, read_bytes(path))
    except UnreadableFile:
        found = None
    return Mark(int(found[2]), int(found[1])) if found else Mark(0, 0)


def has_content(path: Path, data: bytes) -> bool:
    """Whether the file has exactly that content."""
    try:
        return read_bytes(path) == data
    except UnreadableFile:
        return False


def checksum_of(path: Path) -> str:
    """Return the checksum of a file; empty if it can't be read."""
    try:
        return checksum(read_bytes(path))
    except UnreadableFile:
        return ""


def writer_has_ended(pid: int, path: Path) -> bool:
    """Whether no process is working on a file any more that the process with that number made."""
    try:
        os.kill(pid, 0)
        return pid != os.getpid() and time.time() - modification_time(path) > _ABANDONED
    except ProcessLookupError:
        return True
    except PermissionError:
        return False


def modification_time(path: Path) -> float:
    """Return when a file was last changed, in seconds; 0 if it is gone."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0
