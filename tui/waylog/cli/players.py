"""The command `players`: the people of the table, and the line that lets one of them join over SSH."""

from __future__ import annotations

import base64
import binascii
import os
import shlex
import sys
from pathlib import Path
from shutil import which

from waylog.cli.arguments import Arguments
from waylog.cli.open_table import open_table
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment
from waylog.rules.common.people import Players, is_key
from waylog.safe_text import is_visible
from waylog.store.lock_and_replace import open_to_read
from waylog.store.players_moves import VisiblePlayer
from waylog.table import Table

_LARGEST = 16 * 1024
_TYPES = (
    "ssh-ed25519",
    "ssh-rsa",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
)
"""The kinds of public keys that OpenSSH takes."""
_NOBODY = (
    'Nobody yet. Players are in the campaign file, for example:\n\n[players.ana]\nname = "Ana"\ncharacter = "mara"'
)


def players(args: Arguments, desk: Environment) -> CommandResult:
    """List the players, with the commands that are played for them without asking; with `add`, print the line for a player's key."""
    table = open_table(args.name, desk, to_play=False)
    match args.words[1:]:
        case []:
            return _list_players(table)
        case ["add", key, file]:
            line = _key_line(table, key, Path(file))
            return CommandResult(lambda: [line], lambda: {"ok": True, "line": line})
        case _:
            raise CommandFailed("usage: waylog players CAMPAIGN add PLAYER KEYFILE", USAGE)


def _list_players(table: Table) -> CommandResult:
    people = table.projection().players
    lines = [_line(player) for player in people] or _NOBODY.splitlines()
    data = [
        {"key": one.key, "name": one.name, "character": one.character, "may": list(one.may), "away": one.away}
        for one in people
    ]
    return CommandResult(lambda: lines, lambda: {"ok": True, "players": data})


def _line(player: VisiblePlayer) -> str:
    plays = f" plays {player.character}" if player.character else " plays nobody yet"
    may = f"; played without asking: {', '.join(player.may)}" if player.may else ""
    return f"{player.key}: {player.name}{plays}{', away this evening' if player.away else ''}{may}"


# -- a line of authorized_keys ---------------------------------------------------------------------------------------------


def _key_line(table: Table, key: str, file: Path) -> str:
    """Return the line of `authorized_keys` that lets the owner of a public key play as that player, and nothing else."""
    known = table.snapshot.players
    if key not in known or not is_key(key):
        raise CommandFailed(_no_such_player(key, known), USAGE)
    public = _public_key(file)
    # A login over SSH has another PATH, and knows nothing of WAYLOG_CAMPAIGNS or --dir.
    command = f"{shlex.quote(_program())} join {shlex.quote(os.fspath(table.folder.resolve()))} --as {key}"
    if not is_visible(command):
        raise CommandFailed("the path of the campaign has characters that can't be in authorized_keys", USAGE)
    escaped = command.replace("\\", "\\\\").replace('"', '\\"')
    return f'restrict,pty,command="{escaped}" {public}'


def _program() -> str:
    """Return the whole path of the program that runs; its name if that can't be found out."""
    path = Path(sys.argv[0])
    return os.fspath(path.absolute()) if path.name == "waylog" and path.is_file() else which("waylog") or "waylog"


def _no_such_player(key: str, known: Players) -> str:
    there = f"the players are {', '.join(known)}" if known else "the campaign has no players yet"
    return f"there is no player “{key[:40]}”; {there}. A player is a table [players.{key if is_key(key) else 'ana'}] in the campaign file"


def _public_key(file: Path) -> str:
    """Return the one public key in a file, as one line. Raises `CommandFailed`."""
    try:
        descriptor = open_to_read(file, _LARGEST)
        with open(descriptor, "rb") as opened:  # noqa: PTH123 - a descriptor has no path
            data = opened.read(_LARGEST)
    except OSError as error:
        raise CommandFailed(f"can't read {file}: {(error.strerror or str(error)).lower()}", USAGE) from None
    if b"PRIVATE KEY" in data:
        raise CommandFailed(f"{file} is a private key, which nobody should send; use the file that ends in .pub", USAGE)
    try:
        lines = [line.strip() for line in data.decode().splitlines() if line.strip()]
    except UnicodeDecodeError:
        lines = []
    if len(lines) != 1 or not _is_public_key(lines[0]):
        raise CommandFailed(f"{file} is not one public key on one line, such as: ssh-ed25519 AAAA… ana@home", USAGE)
    return lines[0]


def _is_public_key(line: str) -> bool:
    """Whether a line is a key that begins with its kind, without options before it and with nothing invisible in it."""
    kind, _, rest = line.partition(" ")
    encoded = rest.partition(" ")[0]
    if kind not in _TYPES or not is_visible(line):
        return False
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return False
    # Inside, the key names its kind again, after the length of that name.
    return len(data) > len(kind) + 4 and data.startswith(len(kind).to_bytes(4, "big") + kind.encode())
