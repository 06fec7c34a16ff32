"""Who gets in: which accounts may use a campaign's inbox, and what keeps them from it; and the keys with which phones and the table's
screen come in, one for each player of a campaign and one for the table.

A player's folder belongs to the wayfinder's account. It is closed to all others, but for the account that the player has been
given: `grant` names it in the folder's access list. The list is where it is written down, so nothing can differ from it.

Keys are in the state folder of the account that serves, and never in the campaign. Whoever has a key sees what that player sees, and may
propose as that player. A page gives its key away once, for a cookie that is made from the key: a new key ends the cookie, too.
"""

from __future__ import annotations

import base64
import fcntl
import grp
import hashlib
import hmac
import json
import os
import pwd
import shlex
import stat
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from waylog.rules.model.players_and_permissions import is_key
from waylog.store.files_and_lock import (
    FILE,
    LINES,
    PLAYERS,
    FileSignature,
    describe_error,
    file_signature,
    make_inside,
    open_inside,
)
from waylog.store.players.inbox import FOLDER, prepare_inbox
from waylog.values import NamedTuple

_ACL = "system.posix_acl_access"
_VERSION = 2
_OWNER, _USER, _GROUP, _NAMED_GROUP, _MASK, _OTHERS = 1, 2, 4, 8, 16, 32
_NOBODY = 0xFFFFFFFF
_ALL = 7
_READ, _PASS = 4, 1
_NO_FOLDER = "this is not a folder. To fix this, type: rm {}, then {}"
_UNUSABLE = "Waylog can't use it. To fix this, type: chmod u+rwx {}"
_FOR_PLAYERS = (PLAYERS, FOLDER)
_OPEN_NAMES = ("recap",)
"""How the names of files begin that are written for players."""


class Account(NamedTuple):
    """An account of this machine."""

    name: str
    uid: int
    groups: frozenset[int]
    home: Path


class AccessFault(NamedTuple):
    """Something that keeps a player from the inbox, or opens what is closed."""

    path: Path
    message: str
    """The fault and its cure, with the command to type, as one line."""


def find_account(name: str) -> Account | None:
    """Return the account of that name or number; None if there is none."""
    try:
        found = pwd.getpwuid(int(name)) if name.isascii() and name.isdigit() else pwd.getpwnam(name)
    except (KeyError, OverflowError):
        return None
    groups = frozenset(os.getgrouplist(found.pw_name, found.pw_gid))
    return Account(found.pw_name, found.pw_uid, groups, Path(found.pw_dir))


# -- access lists ----------------------------------------------------------------------------------------------------------

AccessList = Mapping[tuple[int, int], int]
"""Permissions by the kind and the number of who has them."""


def _read_list(path: Path) -> AccessList:
    """Return the access list of a file; empty if it has none, or the file system knows none."""
    try:
        data = os.getxattr(path, _ACL, follow_symlinks=False)
    except (OSError, AttributeError):  # macOS has lists of another kind.
        return {}
    return {(tag, number): allowed for tag, allowed, number in struct.iter_unpack("<HHI", data[4:])}


def _write_list(path: Path, entries: AccessList) -> None:
    """Set the access list of a file. Raises `OSError`, and `AttributeError` where the system knows none."""
    packed = (struct.pack("<HHI", tag, allowed, number) for (tag, number), allowed in sorted(entries.items()))
    os.setxattr(path, _ACL, struct.pack("<I", _VERSION) + b"".join(packed), follow_symlinks=False)


def accounts_of(campaign: Path, player: str) -> tuple[Account, ...]:
    """Return the accounts of others that have been given a player's folder."""
    path = campaign / FOLDER / player
    try:
        found = os.lstat(path)
    except OSError:
        return ()
    uids = [number for tag, number in _read_list(path) if tag == _USER]
    owner = _owner(campaign)
    if found.st_uid != owner:
        uids.append(found.st_uid)
    elif not uids and found.st_mode & 0o070:
        uids += [each.pw_uid for each in pwd.getpwall() if each.pw_gid == found.st_gid]
    return tuple(one for uid in dict.fromkeys(uids) if uid != owner and (one := find_account(str(uid))))


def _owner(campaign: Path) -> int:
    return campaign.stat().st_uid


# -- setting up ------------------------------------------------------------------------------------------------------------


def set_up(
    campaign: Path, players: Iterable[str], given: Mapping[str, Account], shared: Sequence[Account] = ()
) -> Iterator[str]:
    """Make the inbox with a folder for each player, and give these accounts theirs. Yield what was done, and commands for root.

    `shared` are accounts that watch and ask for a pause, even if there are no players. What was given before stays. Raises `OSError`.
    """
    prepare_inbox(campaign)
    _own(campaign / FOLDER, campaign)
    for account in shared:
        yield f"{account.name} can watch and ask for a pause"
    for player in players:
        if not is_key(player):
            continue
        path = campaign / FOLDER / player
        is_new = not path.exists()
        make_inside(path, 0o700)
        _own(path, campaign)
        if path.stat().st_uid != _owner(campaign):
            yield f"inbox/{player} belongs to another account. Only root can change that. As root, type: {_take(path, campaign)}"
            continue
        wanted = (given[player],) if player in given else accounts_of(campaign, player)
        for account in wanted:
            yield from _grant(campaign, player, account)
        if not wanted:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o700)
            yield f"inbox/{player} {'created' if is_new else 'exists'}: only this account can use it"
    if shared or any(accounts_of(campaign, player) for player in players):
        yield from close_to_others(campaign)


def _own(path: Path, campaign: Path) -> None:
    """As root: let a folder belong to the campaign's owner."""
    owner = campaign.stat()
    if os.geteuid() == 0 and path.stat().st_uid != owner.st_uid:
        os.chown(path, owner.st_uid, owner.st_gid)


def _grant(campaign: Path, player: str, account: Account) -> Iterator[str]:
    """Let an account use a player's folder, and no other but the owner's."""
    path = campaign / FOLDER / player
    if account.uid == _owner(campaign):
        path.chmod(0o700)
        return
    entries = {(_OWNER, _NOBODY): _ALL, (_USER, account.uid): _ALL, (_GROUP, _NOBODY): 0}
    try:
        _write_list(path, {**entries, (_MASK, _NOBODY): _ALL, (_OTHERS, _NOBODY): 0})
        yield f"inbox/{player}: this account and {account.name} can use it"
        return
    except (OSError, AttributeError):
        pass  # The file system has no access lists.
    group = pwd.getpwuid(account.uid).pw_gid
    members = {each.pw_name for each in pwd.getpwall() if each.pw_gid == group} | set(grp.getgrgid(group).gr_mem)
    if members != {account.name}:
        yield (
            f"inbox/{player}: the file system has no access lists, and {account.name} has no group of its own. "
            f"Let {player} use your account with a key: waylog players {_quote(campaign)} setup {player}=KEYFILE"
        )
        return
    with suppress(PermissionError):
        os.chown(path, -1, group)
        path.chmod(0o770)
        yield f"inbox/{player}: this account and the group of {account.name} can use it"
        return
    yield f"inbox/{player}: only root can give access to this folder. As root, type: chgrp {group} {_quote(path)} && chmod 770 {_quote(path)}"


def close_to_others(campaign: Path) -> Iterator[str]:
    """Close the campaign to players' accounts, but for what they need: they pass through, read `players.toml` and use the inbox."""
    for path in _list_private(campaign):
        found = os.lstat(path)
        if found.st_mode & _others(found.st_mode):
            path.chmod(stat.S_IMODE(found.st_mode) & ~_others(found.st_mode))
            yield f"{path.name}: closed to other accounts"
    mode = stat.S_IMODE(campaign.stat().st_mode)
    if (wanted := (mode | 0o711) & ~(_others(mode) & 0o066)) != mode:
        campaign.chmod(wanted)
        yield "the campaign's folder: other accounts can pass through it, but not list its files"
    with suppress(FileNotFoundError):
        mode = stat.S_IMODE((campaign / PLAYERS).stat().st_mode)
        if mode & 0o044 != 0o044:
            (campaign / PLAYERS).chmod(mode | 0o044)
            yield f"{PLAYERS}: other accounts can read it"


def _list_private(campaign: Path) -> Iterator[Path]:
    """Yield the files and folders that players' accounts have no business in."""
    for path in sorted(campaign.iterdir()):
        if path.name not in _FOR_PLAYERS and not path.name.startswith(_OPEN_NAMES) and not path.is_symlink():
            yield path


def _others(mode: int) -> int:
    """Return the permissions that are not the wayfinders'. A group that may write is a group of wayfinders."""
    return 0o007 if mode & 0o020 else 0o077


# -- checking --------------------------------------------------------------------------------------------------------------


def find_faults(campaign: Path, players: Collection[str], shared: Sequence[Account] = ()) -> Iterator[AccessFault]:
    """Yield everything that keeps players from proposing and from asking for a pause, and everything that is open to their accounts,
    or to `shared` ones, and should not be. Changes nothing.
    """
    inbox, again = campaign / FOLDER, _again(campaign)
    try:
        found = os.lstat(inbox)
    except FileNotFoundError:
        if players and (campaign / PLAYERS).exists():  # Before that, opening the campaign makes the inbox.
            yield AccessFault(inbox, f"players can't propose anything or ask for a pause. To fix this, type: {again}")
        return
    if not stat.S_ISDIR(found.st_mode):
        yield AccessFault(inbox, _NO_FOLDER.format(_quote(inbox), again))
        return
    if found.st_uid != _owner(campaign):
        yield AccessFault(
            inbox, f"this folder belongs to {_name(found.st_uid)}. To fix this, type as root: {_take(inbox, campaign)}"
        )
    elif not os.access(inbox, os.R_OK | os.W_OK | os.X_OK):
        yield AccessFault(inbox, _UNUSABLE.format(_quote(inbox)))
        return
    if found.st_mode & 0o022 & _others(campaign.stat().st_mode):
        yield AccessFault(
            inbox,
            f"other accounts can write here, so they could interfere with pauses. To fix this, type: chmod go-w {_quote(inbox)}",
        )
    if found.st_mode & 0o011 != 0o011:
        yield AccessFault(inbox, f"other accounts can't ask for a pause. To fix this, type: {again}")
    yield from _pipe_faults(inbox)
    accounts = {each.uid: each for each in shared if each.uid != _owner(campaign)}
    for player in filter(is_key, players):
        yield from _folder_faults(campaign, player)
        accounts |= {each.uid: each for each in accounts_of(campaign, player)}
    for account in accounts.values():
        yield from _account_faults(campaign, account)


def _pipe_faults(inbox: Path) -> Iterator[AccessFault]:
    """Yield faults of the files by which a pause is asked for. Waylog makes them again, if it may."""
    for name, kind in (("attended", stat.S_ISFIFO), ("pause", stat.S_ISREG)):
        path = inbox / name
        with suppress(FileNotFoundError):
            found = os.lstat(path)
            if not kind(found.st_mode):
                yield AccessFault(
                    path, f"this is not the file that Waylog makes here. To fix this, type: rm -r {_quote(path)}"
                )
            elif name == "attended" and found.st_mode & 0o022 != 0o022:
                yield AccessFault(
                    path, f"other accounts can't ask for a pause. To fix this, type: chmod 622 {_quote(path)}"
                )


def _folder_faults(campaign: Path, player: str) -> Iterator[AccessFault]:
    path, again = campaign / FOLDER / player, _again(campaign)
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return  # The player's first proposal from the wayfinder's account makes it.
    except OSError as trouble:
        yield AccessFault(path, f"{describe_error(trouble)}. To fix this, type: {again}")
        return
    if not stat.S_ISDIR(found.st_mode):
        yield AccessFault(path, _NO_FOLDER.format(_quote(path), again))
        return
    if found.st_uid != _owner(campaign):
        name = _name(found.st_uid)
        yield AccessFault(
            path,
            f"this folder belongs to {name}. To fix this, type as root: {_take(path, campaign)}; then type: {again} {player}={name}",
        )
    elif ~found.st_mode & 0o700:
        yield AccessFault(path, _UNUSABLE.format(_quote(path)))
    if found.st_mode & 0o007:
        yield AccessFault(
            path, f"every account may use it, and so act as {player}. To fix this, type: chmod o= {_quote(path)}"
        )
    for account in accounts_of(campaign, player):
        if not _allows(path, account, _ALL):
            yield AccessFault(path, f"{account.name} can't use it. To fix this, type: {again}")


def _account_faults(campaign: Path, account: Account) -> Iterator[AccessFault]:
    """Yield what an account can't reach, and what it can read and should not."""
    for path in (*reversed(campaign.resolve().parents), campaign):
        if not _allows(path, account, _PASS):
            yield AccessFault(
                path, f"{account.name} can't pass through this folder. To fix this, type: chmod o+x {_quote(path)}"
            )
    if (campaign / PLAYERS).exists() and not _allows(campaign / PLAYERS, account, _READ):
        yield AccessFault(
            campaign / PLAYERS,
            f"{account.name} can't read it. To fix this, type: chmod o+r {_quote(campaign / PLAYERS)}",
        )
    for path in _list_private(campaign):
        if _allows(path, account, _READ) or (path.is_dir() and _allows(path, account, _PASS)):
            secret = (
                "it contains information hidden from players"
                if path.name in (FILE, LINES)
                else "players have no need to"
            )
            yield AccessFault(
                path, f"{account.name} can read it, and {secret}. To fix this, type: chmod go= {_quote(path)}"
            )


def _allows(path: Path, account: Account, wanted: int) -> bool:
    """Whether an account has these permissions for a file."""
    found = path.stat()
    entries = _read_list(path)
    if account.uid == 0:
        return True
    if account.uid == found.st_uid:
        return found.st_mode >> 6 & wanted == wanted
    mask = entries.get((_MASK, _NOBODY), _ALL)
    if (_USER, account.uid) in entries:
        return entries[_USER, account.uid] & mask & wanted == wanted
    groups = [
        allowed & mask for (tag, number), allowed in entries.items() if tag == _NAMED_GROUP and number in account.groups
    ]
    if found.st_gid in account.groups:
        groups.append(entries[_GROUP, _NOBODY] & mask if entries else found.st_mode >> 3 & _ALL)
    if groups:
        return any(allowed & wanted == wanted for allowed in groups)
    return found.st_mode & wanted == wanted


def _again(campaign: Path) -> str:
    return f"waylog players {_quote(campaign)} setup"


def _take(path: Path, campaign: Path) -> str:
    return f"chown {_name(_owner(campaign))} {_quote(path)}"


def _quote(path: Path) -> str:
    return shlex.quote(os.fspath(path))


def _name(uid: int) -> str:
    account = find_account(str(uid))
    return account.name if account else str(uid)


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
    """The number of pages that are open there."""


class ServeStatus(NamedTuple):
    """The addresses that are served now, and what is wrong with them."""

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
