"""The keys with which phones and the table's screen come in: one for each player of a campaign, and one for the table.

They are in the state folder of the account that serves, and never in the campaign. Whoever has a key sees what that player sees, and may
propose as that player. A page gives its key away once, for a cookie that is made from the key: a new key ends the cookie, too.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from waylog.store.files import FileSignature, file_signature, open_inside
from waylog.values import NamedTuple

TABLE = "*"
"""Stands for the table's screen among the players. No player can have that key."""
_BYTES, _LENGTH = 16, 22
_INSTALL = "Phones need two more packages. In a shell, type: pip install 'waylog[serve]'"
_MOST = 64 * 1024


def why_no_phones() -> str:
    """Return what is missing for phones; empty if nothing is."""
    return "" if all(map(find_spec, ("h11", "segno"))) else _INSTALL


class PageAddress(NamedTuple):
    """The address of one player's page, with the key that opens it, or of the table's screen."""

    key: str
    """The player's key; empty for the table's screen."""
    name: str
    url: str
    pages: int
    """How many pages are open there."""


class ServeStatus(NamedTuple):
    """What is served now."""

    url: str
    addresses: tuple[PageAddress, ...]
    trouble: str = ""
    """Why players see nothing new, or nothing at all."""


class PhoneKeys:
    """The keys of one campaign, and their file."""

    def __init__(self, state: Path, campaign: Path) -> None:
        """`state` is Waylog's state folder."""
        self._campaign = os.fspath(campaign.resolve())
        self.path = _folder(state) / f"{hashlib.sha256(os.fsencode(self._campaign)).hexdigest()[:16]}.json"
        self._known: FileSignature | None = None
        self.by_player: Mapping[str, str] = {}

    def look(self) -> bool:
        """Read the file again if it has changed. Return whether the keys are different. Raises `OSError`."""
        found = file_signature(self.path)
        if found == self._known and found is not None:
            return False
        before, self._known, self.by_player = self.by_player, found, _read(self.path)[1]
        return self.by_player != before

    def make_missing(self, players: Iterable[str]) -> None:
        """Make keys for the table and for those players who have none. Raises `OSError`."""
        self.look()
        wanted = [key for key in (TABLE, *players) if key not in self.by_player]
        if wanted:
            with _hold_lock(self.path.parent):
                kept = _read(self.path)[1]
                _write(self.path, self._campaign, {**{key: _make() for key in wanted}, **kept})
            self.look()

    def find(self, key: str) -> str | None:
        """Return the player whose key this is; None if it is nobody's."""
        return _match(key, self.by_player)

    def find_by_cookie(self, cookie: str) -> str | None:
        """Return the player whose cookie this is; None if it is nobody's."""
        return _match(cookie, {player: cookie_of(key) for player, key in self.by_player.items()})


def _match(offered: str, known: Mapping[str, str]) -> str | None:
    """Compare with every key, in a time that tells nothing about them."""
    found = None
    for player, key in known.items():
        if hmac.compare_digest(offered.encode(errors="replace"), key.encode()):
            found = player
    return found


def cookie_of(key: str) -> str:
    """Return the cookie that a page gets for a key."""
    return hashlib.sha256(f"cookie of {key}".encode()).hexdigest()[:32]


def revoke(state: Path, player: str, campaign: Path | None = None) -> int:
    """Give a player a new key in one campaign, or in each that has been served from this account. Return how many keys were replaced.
    Raises `OSError`.
    """
    wanted = None if campaign is None else PhoneKeys(state, campaign).path
    count = 0
    for path in sorted(_folder(state).glob("*.json")):
        if wanted in (None, path):
            with _hold_lock(path.parent):
                served, keys = _read(path)
                if player in keys:
                    _write(path, served, {**keys, player: _make()})
                    count += 1
    return count


# -- on disk ---------------------------------------------------------------------------------------------------------------


def _folder(state: Path) -> Path:
    return state / "phones"


def _make() -> str:
    return base64.urlsafe_b64encode(os.urandom(_BYTES)).rstrip(b"=").decode()


def _read(path: Path) -> tuple[str, dict[str, str]]:
    """Return the campaign and the keys of a file; no keys if there is none, or it is damaged: new ones are made then."""
    try:
        descriptor = open_inside(path, os.O_RDONLY)
    except FileNotFoundError:
        return "", {}
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor has no path
        if os.fstat(descriptor).st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
        try:
            tree = json.loads(file.read(_MOST))
            campaign, keys = tree["campaign"], tree["keys"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return "", {}
    if not isinstance(keys, dict):
        return "", {}
    return str(campaign), {player: key for player, key in keys.items() if isinstance(key, str) and len(key) == _LENGTH}


def _write(path: Path, campaign: str, keys: Mapping[str, str]) -> None:
    """Replace the file. Only its owner may read it."""
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    descriptor = open_inside(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123 - a descriptor has no path
        json.dump({"campaign": campaign, "keys": keys}, file, indent=1)
        file.flush()
        os.fsync(descriptor)
    part.replace(path)


@contextmanager
def _hold_lock(folder: Path) -> Iterator[None]:
    """Make the folder, and let one program at a time change keys."""
    folder.mkdir(0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
