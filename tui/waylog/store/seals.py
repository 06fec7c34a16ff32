"""Sealed dice: those that Waylog rolls in a session come from a seed that it draws before the first of them.

The entry that begins the session has the seed's SHA-256, its seal; the entry that ends it tells the seed. Until then the seed is in a file
of the campaign that only its owner can read. Each die follows from the seed, the number of its entry, and its place among the dice of
that entry, so it is the same whoever rolls it, and a copy of the campaign rolls others.

`OpenCampaign` breaks and makes seals as it writes entries; `Table` rolls with them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from waylog.rules.model.dice import ChanceDice, Dice, Die, Face
from waylog.store.files_and_lock import SEAL, open_inside, open_to_read, sync
from waylog.store.log.log_and_torn_entries import Log
from waylog.values import NamedTuple

_BYTES = 32
"""The length of a seed."""
_LARGEST = 64 * 1024
_BLOCK = 64
"""The block size of SHA-256."""


class Seal(NamedTuple):
    """A seal that is not broken yet."""

    entry: int
    """The entry that has its hash."""
    seed: bytes


@cache
def _hasher() -> Callable[[bytes], Any]:
    """Return SHA-256 of Python itself. `hashlib` and `hmac` would load OpenSSL, which takes eight milliseconds of a roll's command."""
    for module in ("_sha2", "_sha256", "hashlib"):
        with suppress(ImportError):
            return import_module(module).sha256  # type: ignore[no-any-return]
    raise AssertionError("no SHA-256")


def _sha256(data: bytes) -> bytes:
    return bytes(_hasher()(data).digest())


def hash_of(seed: bytes) -> str:
    """Return the seal of a seed, as the log has it."""
    return _sha256(seed).hex()


def sealed_face(seed: bytes, entry: int, place: int, sides: int) -> int:
    """Return what a die of an entry shows, 1…`sides`: HMAC-SHA256 of `ENTRY:PLACE`, read as a number. Places count from 0."""
    key = seed.ljust(_BLOCK, b"\0")
    inner = _sha256(bytes(byte ^ 0x36 for byte in key) + f"{entry}:{place}".encode())
    return int.from_bytes(_sha256(bytes(byte ^ 0x5C for byte in key) + inner), "big") % sides + 1


class Seals:
    """The seals of a campaign, in a file beside its log."""

    def __init__(self, folder: Path, log: Log) -> None:
        self._path, self._log = folder / SEAL, log
        self.is_seen = False
        """Somebody has seen dice of the seal that never came into the log, so no more dice may come from it."""

    def find(self) -> Seal | None:
        """Return the seal that is not broken yet; None if there is none, or its seed is lost."""
        try:
            descriptor = open_to_read(self._path, _LARGEST)
        except OSError:
            return None
        with open(descriptor, encoding="ascii", errors="replace") as file:  # noqa: PTH123 - a descriptor has no path
            lines = file.read().splitlines()
        for line in reversed(lines):
            number, _, seed = line.partition(" ")
            with suppress(ValueError, KeyError):
                found = Seal(int(number), bytes.fromhex(seed))
                if self._log.entry(found.entry).seal == hash_of(found.seed):
                    return found
        return None

    def find_to_roll(self) -> Seal | None:
        """Return the seal that dice come from now; None if they are rolled by chance."""
        return None if self.is_seen else self.find()

    def make(self, entry: int, chance: ChanceDice) -> str:
        """Draw a seed, keep it, and return the seal that this entry is to have. Raises `OSError`."""
        seed = bytes(face.face - 1 for face in chance.roll([Die("seed", 256)] * _BYTES))
        descriptor = open_inside(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(descriptor, f"{entry} {seed.hex()}\n".encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync(self._path.parent)
        return hash_of(seed)

    def forget(self) -> None:
        """Remove the seeds: no die comes from them any more."""
        with suppress(OSError):
            self._path.unlink()


class RolledDice:
    """The dice that Waylog rolls for one act: from the seal if there is one, otherwise by chance. It keeps what they show."""

    are_real = False

    def __init__(self, chance: Dice, find_seal: Callable[[], Seal | None], entry: int) -> None:
        self._chance, self._find_seal, self._entry = chance, find_seal, entry
        self.faces: tuple[tuple[int, int], ...] = ()
        """The sides and the face of each die, in the order in which they were rolled."""
        self._seal: Seal | None = None

    @property
    def seal_entry(self) -> int:
        """The entry whose seal they come from; 0 if they come from none."""
        return self._seal.entry if self._seal else 0

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        # Dice that fall as they are told are nobody's secret.
        if not self.faces and isinstance(self._chance, ChanceDice):
            self._seal = self._find_seal()
        if self._seal is None:
            rolled = self._chance.roll(dice)
        else:
            seed, begin = self._seal.seed, len(self.faces)
            rolled = tuple(
                die.showing(sealed_face(seed, self._entry, begin + at, die.sides)) for at, die in enumerate(dice)
            )
        self.faces += tuple((face.sides, face.face) for face in rolled)
        return rolled
