"""The file `players.toml`: everything that players may see, and nothing else. `Table` writes it, `waylog watch` reads
it.

It is TOML like the others, but not for editing: it is written as a whole, and nothing is read back from it into the
campaign.
"""

from __future__ import annotations

import itertools
import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import tomli

from waylog.rules.codec.records import codec
from waylog.rules.panels import Panel
from waylog.store.countdowns import Countdown
from waylog.store.lock_and_replace import FILE as CAMPAIGN_FILE
from waylog.store.lock_and_replace import PLAYERS, open_inside
from waylog.store.players_moves import MOST_MOVES, MOST_ODDS, OpenMove, VisibleOdds, VisiblePlayer
from waylog.store.projection import LINES, Projection, VisibleAct
from waylog.store.visibility import VisibleClock, VisibleDeck
from waylog.toml.document import UnreadableFile, read_bytes
from waylog.toml.formatting import format_value
from waylog.values import fields

FILE = PLAYERS
_FORMAT = 4
_HEAD = (
    "# Everything that players may see and do, for `waylog watch` and `waylog join`. Waylog replaces this file with every action "
    "and reads nothing back from it.\n"
)
_VALUES = ("name", "system", "session", "title", "question")
_LISTS = ("panels", "clocks", "decks", "log", "players", "moves", "odds", "timers")
"""The list fields of a projection. Each of their items is a line of the file."""
_Part = Panel | VisibleClock | VisibleDeck | VisibleAct | VisiblePlayer | OpenMove | VisibleOdds | Countdown
_numbers = itertools.count(1)


class UnreadablePlayersFile(Exception):
    """The file can't be shown by this version of Waylog."""


# -- as text -------------------------------------------------------------------------------------------------------------


def encode_projection(seen: Projection) -> bytes:
    """Return the file's text."""
    lines = [_HEAD, f"format = {_FORMAT}"]
    lines += [f"{key} = {format_value(getattr(seen, key))}" for key in _VALUES]
    for key in _LISTS:
        lines += [f"{key} = [", *(f"  {_line(part)}," for part in getattr(seen, key)), "]"]
    return ("\n".join(lines) + "\n").encode()


@lru_cache(maxsize=64 + 4 * LINES + 2 * (MOST_MOVES + MOST_ODDS))
def _line(part: _Part) -> str:
    return format_value(codec(type(part)).pack(part))


# -- from text -----------------------------------------------------------------------------------------------------------


def decode_projection(data: bytes) -> Projection:
    """Read what `encode_projection` returned. Raises `UnreadablePlayersFile`."""
    try:
        tree = tomli.loads(data.decode())
        if tree["format"] != _FORMAT:
            raise UnreadablePlayersFile(f"{FILE} comes from another version of Waylog")
        projection: Projection = codec(Projection).unpack([tree[field.name] for field in fields(Projection)])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnreadablePlayersFile(f"{FILE} can't be read") from error
    return projection


# -- on disk -------------------------------------------------------------------------------------------------------------


def read_players_file(folder: Path) -> bytes | None:
    """Return the contents of the file in a campaign's folder; None if there is none."""
    try:
        return read_bytes(folder / FILE)
    except UnreadableFile:
        return None


def write_players_file(folder: Path, data: bytes) -> None:
    """Write the file as a whole. Raises `OSError`. It needn't be durable, as it can always be made again."""
    path = folder / FILE
    # The next start removes leftovers with this ending (see `store/file_history.py`).
    part = path.with_name(f".{FILE}.{os.getpid()}-{next(_numbers)}.part")
    part.unlink(missing_ok=True)
    descriptor = open_inside(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            file.write(data)
            file.flush()
            os.fchmod(descriptor, _mode(path))
        part.rename(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Return the mode: as a person set it; for a new file, the same readers as the campaign file."""
    for model in (path, path.with_name(CAMPAIGN_FILE)):
        with suppress(OSError):
            return model.stat().st_mode & 0o777
    return 0o600
