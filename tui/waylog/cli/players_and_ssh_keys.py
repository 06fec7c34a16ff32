"""The command `players`: the people of the table, their accounts and rights, and the keys that let them join over SSH."""

from __future__ import annotations

import base64
import binascii
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

from waylog.cli.commands_and_options import Arguments
from waylog.cli.open_play_watch_and_serve import no_such_player, players_folder
from waylog.cli.results_and_crashes import DONE, FILES, USAGE, CommandFailed, CommandResult, Environment, open_table
from waylog.rules.model.players_and_permissions import is_key
from waylog.signs import is_visible
from waylog.store.files_and_lock import describe_error, open_inside, open_to_read
from waylog.store.players.moves_and_odds_for_players import VisiblePlayer
from waylog.table import Table
from waylog.words.saving_after_commands import save

if TYPE_CHECKING:
    from waylog.store.players.inbox_access_and_phone_keys import Account

_NOTHING_YET = "there is nothing to see yet: the wayfinder has to open the campaign first"
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
_VERBS = ("add", "setup", "revoke")
_USAGE = "usage: waylog players CAMPAIGN add PLAYER KEYFILE, waylog players CAMPAIGN setup [PLAYER=ACCOUNT…] [PLAYER=KEYFILE…], or waylog players [CAMPAIGN] revoke PLAYER"
_EXAMPLE = '[players.ana]\nname = "Ana"\ncharacter = "mara"'
_NOBODY = f"No players yet. Add them to the campaign file, for example:\n\n{_EXAMPLE}"
_NOBODY_ACTS = (
    f"To let players act as well, add them to the campaign file and run this command again. For example:\n\n{_EXAMPLE}"
)


def players(args: Arguments, desk: Environment) -> CommandResult:
    """List the players, with the commands that they can use without asking; with `add`, print the line for a player's key;
    with `setup`, make the folders, rights and keys by which they play.
    """
    name, *words = args.words
    if name == "revoke" and len(words) == 1:
        return _revoke(None, words[0], desk)
    if name in _VERBS and words and words[0] not in _VERBS:  # `waylog players setup tenacity` says the same.
        name, words = words[0], [name, *words[1:]]
    if words[:1] == ["revoke"] and len(words) == 2:
        return _revoke(players_folder(name, desk), words[1], desk)
    table = open_table(name, desk, to_play="setup" in words[:1])
    match words:
        case []:
            people = table.projection().players
            lines = [_describe_player(player) for player in people] or _NOBODY.splitlines()
            listed = [
                {"key": one.key, "name": one.name, "character": one.character, "may": list(one.may), "away": one.away}
                for one in people
            ]
            return CommandResult(lambda: lines, lambda: {"ok": True, "players": listed})
        case ["add", key, file]:
            line = _key_line(table, key, Path(file))
            return CommandResult(lambda: [line], lambda: {"ok": True, "line": line})
        case ["setup", *given]:
            return _set_up(table, given)
        case _:
            raise CommandFailed(_USAGE, USAGE)


def list_missed(args: Arguments, desk: Environment) -> CommandResult:
    """List the acts that one player, or each of them, has missed since they were last there. Players can ask, too. Asking doesn't count as
    being there.
    """
    from waylog.store.players.own_proposals_and_notes import LastLook
    from waylog.store.players.players_file import FollowedFile

    folder, wanted = players_folder(args.name, desk), args.options.get("--as")
    everybody = FollowedFile(folder, "", "")
    everybody.look()
    people = everybody.seen.players if everybody.seen else ()
    if everybody.seen is None or (wanted and wanted not in [one.key for one in people]):
        why = no_such_player(wanted, [one.key for one in people]) if wanted and people else _NOTHING_YET
        raise CommandFailed(everybody.trouble or why, USAGE)
    found = list[dict[str, Any]]()
    for one in people:
        if wanted in (None, one.key):
            file = FollowedFile(folder, "", one.key)
            file.look()
            lines = LastLook(folder, one.key).find_missed(file.seen or everybody.seen)
            found.append({"key": one.key, "name": one.name, "missed": [*lines]})
    texts = [
        line for one in found for line in (f"{one['name']}:", *(f"  {text}" for text in one["missed"] or ["Nothing"]))
    ]
    return CommandResult(lambda: texts, lambda: {"ok": True, "players": found})


def _revoke(campaign: Path | None, player: str, desk: Environment) -> CommandResult:
    """Give a player's phone a new code: in one campaign, or in all that have been served from this account."""
    from waylog.store.players.inbox_access_and_phone_keys import TABLE, revoke

    count = revoke(desk.places.state, TABLE if player == "table" else player, campaign)
    if not count:
        raise CommandFailed(f"“{player[:40]}” has no code to revoke. `waylog serve` creates codes", USAGE)
    line = f"{player}: the old code no longer works, and the phone that used it is locked out. `waylog serve` shows the new code"
    return CommandResult(lambda: [line], lambda: {"ok": True, "revoked": count})


def _describe_player(player: VisiblePlayer) -> str:
    plays = f" plays {player.character}" if player.character else " plays nobody yet"
    may = f". Allowed without asking: {', '.join(player.may)}" if player.may else ""
    return f"{player.key}: {player.name}{plays}{', away this session' if player.away else ''}{may}"


# -- folders, rights and keys ----------------------------------------------------------------------------------------------


def _set_up(table: Table, given: Sequence[str]) -> CommandResult:
    """Make what players need to play from this account, or from accounts of their own. Doing it again changes nothing."""
    from waylog.store.players.inbox_access_and_phone_keys import find_faults, set_up

    table.refresh()
    people = table.snapshot.players
    accounts, shared, keys = _split(table, given)
    table.add_reader()
    save(table)  # Only then there is something that players may read.
    done = [*set_up(table.folder, people, accounts, shared)]
    for player, line in keys:
        done += _let_in(player, accounts.get(player), line)
    if not people:
        done += (_NOBODY_ACTS if shared else _NOBODY).splitlines()
    faults = [f"{each.path}: {each.message}" for each in find_faults(table.folder, people, shared)]
    data = {"ok": not faults, "done": done, "problems": faults}
    return CommandResult(lambda: done, lambda: data, faults, code=FILES if faults else DONE)


def _split(
    table: Table, given: Sequence[str]
) -> tuple[dict[str, Account], Sequence[Account], Sequence[tuple[str, str]]]:
    """Return the accounts of players, those that all players share, and the line of `authorized_keys` for each key file."""
    from waylog.store.players.inbox_access_and_phone_keys import find_account

    known, keys, shared = table.snapshot.players, list[tuple[str, str]](), list["Account"]()
    accounts: dict[str, Account] = {}
    for word in given:
        player, is_pair, what = word.partition("=")
        if what.endswith(".pub"):
            keys.append((player, _key_line(table, player, Path(what))))
            continue
        name = what if is_pair else word
        if is_pair and (player not in known or not is_key(player)):
            raise CommandFailed(no_such_player(player, [*known]), USAGE)
        account = find_account(name)
        if account is None:
            how = f"Only root can create it: useradd --create-home {shlex.quote(name)}"
            raise CommandFailed(f"there is no account “{name[:40]}” on this machine. {how}", USAGE)
        accounts |= dict.fromkeys([player] if is_pair else known, account)
        shared += [] if is_pair else [account]
    return accounts, shared, keys


def _let_in(player: str, account: Account | None, line: str) -> Iterator[str]:
    """Let a key in, as this account; for another account, return the command that does it."""
    if account is not None and account.uid != os.geteuid():
        write = "umask 077; mkdir -p ~/.ssh; cat >> ~/.ssh/authorized_keys"
        yield f"{player}: only root can add a key to the account {account.name}:"
        yield f"echo {shlex.quote(line)} | sudo -u {account.name} -H sh -c {shlex.quote(write)}"
        return
    file = Path.home() / ".ssh" / "authorized_keys"
    file.parent.mkdir(0o700, exist_ok=True)
    descriptor = open_inside(file, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    with open(descriptor, "r+b") as opened:  # noqa: PTH123 - a descriptor has no path
        text = opened.read()
        lines = text.decode(errors="replace").splitlines()
        encoded = line.rpartition('" ')[2].split()[1]
        if line in lines:
            yield f"{player}: the key is already in {file}"
        elif any(encoded in each.split() for each in lines):
            yield f"{player}: this key is already in {file} for a different purpose, and ssh uses the first match. Ask the player for another key"
        else:
            opened.write((b"" if not text or text.endswith(b"\n") else b"\n") + line.encode() + b"\n")
            yield f"{player}: added the key to {file}"


# -- a line of authorized_keys ---------------------------------------------------------------------------------------------


def _key_line(table: Table, key: str, file: Path) -> str:
    """Return the line of `authorized_keys` that lets the owner of a public key play as that player, and nothing else."""
    known = table.snapshot.players
    if key not in known or not is_key(key):
        raise CommandFailed(no_such_player(key, [*known]), USAGE)
    public = _public_key(file)
    # A login over SSH has another PATH, and knows nothing of WAYLOG_CAMPAIGNS or --dir.
    command = f"{shlex.quote(_program())} join {shlex.quote(os.fspath(table.folder.resolve()))} --as {key}"
    # In these options, OpenSSH knows no other escape than that of a quotation mark.
    if not is_visible(command) or "\\" in command:
        raise CommandFailed(
            "the path of the campaign contains characters that aren't allowed in authorized_keys. Rename the folder",
            USAGE,
        )
    escaped = command.replace('"', '\\"')
    return f'restrict,pty,command="{escaped}" {public}'


def _program() -> str:
    """Return the whole path of the program that runs; its name if that can't be found out."""
    path = Path(sys.argv[0])
    return os.fspath(path.absolute()) if path.name == "waylog" and path.is_file() else which("waylog") or "waylog"


def _public_key(file: Path) -> str:
    """Return the one public key in a file, as one line. Raises `CommandFailed`."""
    try:
        descriptor = open_to_read(file, _LARGEST)
        with open(descriptor, "rb") as opened:  # noqa: PTH123 - a descriptor has no path
            data = opened.read(_LARGEST)
    except OSError as error:
        raise CommandFailed(f"can't read {file}: {describe_error(error)}", USAGE) from None
    if b"PRIVATE KEY" in data:
        raise CommandFailed(
            f"{file} is a private key, which must never be shared. Use the file that ends in .pub", USAGE
        )
    try:
        lines = [line.strip() for line in data.decode().splitlines() if line.strip()]
    except UnicodeDecodeError:
        lines = []
    if len(lines) != 1 or not _is_public_key(lines[0]):
        raise CommandFailed(
            f"{file} must contain one public key on one line, such as: ssh-ed25519 AAAA… ana@home", USAGE
        )
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
