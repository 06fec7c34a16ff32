"""Small disks of one's own: a file system in memory, and one in a file. Both take root, and both are gone afterwards."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_KIB = 1024


@contextmanager
def in_memory(place: Path, size: int) -> Iterator[Path]:
    """A tmpfs of so many bytes, mounted at a new folder."""
    place.mkdir()
    _run("mount", "-t", "tmpfs", "-o", f"size={size}", "waylog-torture", str(place))
    try:
        yield place
    finally:
        _run("umount", str(place))
        place.rmdir()


def can_mount() -> bool:
    """Whether this process may mount file systems, loop devices included."""
    if os.geteuid() != 0 or not Path("/dev/loop-control").exists():
        return False
    with TemporaryDirectory() as folder:
        try:
            with in_memory(Path(folder) / "trial", _KIB * _KIB):
                return True
        except OSError:
            return False


def new_image(image: Path, size: int) -> Path:
    """An ext4 file system of so many bytes, in a file."""
    with image.open("wb") as file:
        file.truncate(size)
    _run("mkfs.ext4", "-q", "-F", "-b", str(_KIB), str(image))
    return image


@contextmanager
def mounted(image: Path, place: Path) -> Iterator[Path]:
    """The file system in a file, mounted at a new folder by a loop device."""
    place.mkdir()
    _run("mount", "-o", "loop", str(image), str(place))
    try:
        yield place
    finally:
        _run("umount", str(place))
        place.rmdir()


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")
