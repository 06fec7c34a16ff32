"""The inbox of a campaign: the proposals of players, one small file for each, and the answers; and what one player alone may see.

`inbox/mara/` belongs to the player with the key `mara`. A proposal there is `ID.proposal`, and its answer `ID.answer`.
Whoever can write into that folder acts as Mara: make her account its owner, or let `waylog join --as mara` write it.

A proposal is four lines of text. A player's program writes it under another name, syncs it, and then renames it, so nobody
ever reads a part of it. It is removed once it is answered.

    waylog proposal 1
    by mara
    id 0f9d…
    say roll mara primary 2 4 6

`inbox/mara/player.toml` is everything that Mara may see, if that is more than all players see. It lies here because this folder is closed
to all other accounts. A file that is replaced whenever something is played would lose an access list of its own.

Every file here is read as if an enemy had written it: links are not followed, pipes are not waited for, and both the size
of a file and the number of files that are read have a limit.
"""

from __future__ import annotations

import errno
import os
import shlex
import stat
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

from waylog.rules.model.players_and_permissions import is_key
from waylog.signs import is_visible
from waylog.store.files_and_lock import INBOX, OWN_FILE, TICK, make_inside
from waylog.values import NamedTuple, dataclass

FOLDER = INBOX
_PASSABLE = 0o711
LARGEST = 2048
"""The most bytes of a proposal, and of an answer."""
LONGEST = 1000
"""The most characters of what a player says."""
MOST = 64
"""The most proposals of one player that wait."""
MOST_IN_ALL = 512
AT_HAND = 8
"""The most proposals of one player that the wayfinder's program looks at. Each has to be understood again after every act."""
PACE = timedelta(seconds=1)
"""The time between two proposals of one player that are played or declined without asking."""
_MOST_NAMES = 1024
"""The most names of a player's folder that a look reads."""
_MOST_ANSWERS = 64
_HEAD = "waylog proposal 1"
_ANSWER_HEAD = "waylog answer 1"
_ID_LENGTH = 32
MARK_LENGTH = 24
"""The digits of a proposal's id that its sender may choose."""
_PROPOSAL, _ANSWER = ".proposal", ".answer"
_NO_RIGHT = "the account {account} may not propose as {by}. Ask the wayfinder to run: waylog players {campaign} setup {by}={account}"
_FOLDER_FLAGS = os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
_PASS_THROUGH = getattr(os, "O_PATH", os.O_RDONLY)
"""Opens a folder that this account may pass through and not read. macOS has nothing like it."""


class InboxRefused(Exception):
    """A proposal can't be sent. The text says why."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One proposal as it was sent."""

    id: str
    """32 hexadecimal digits: eight that count up, so that a player's proposals keep their order, and the rest at random."""
    by: str
    """The key of the player."""
    words: str
    """The text of the proposal, in one line."""


class AnswerKind(StrEnum):
    """The state of a proposal. The values are written to files and never change."""

    WAITS = "waits"
    PLAYED = "played"
    DECLINED = "declined"
    TAKEN_BACK = "taken back"
    """By the player. It is never written to a file."""
    GONE = "gone"
    """There is neither a proposal nor an answer: it was never sent, or its answer was removed as an old one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The state of a proposal, and the reason."""

    kind: AnswerKind
    why: str = ""
    """Why it was declined; one line, perhaps empty."""


class _Bad(NamedTuple):
    """A proposal that can't be read."""

    id: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class InboxContents:
    """The contents of the inbox, as far as they are read."""

    letters: tuple[Letter, ...] = ()
    """The proposals, grouped by player. Players could forge any order between them."""
    unreadable: tuple[_Bad, ...] = ()
    """Proposals to be declined, each with a reason."""
    overfull: tuple[str, ...] = ()
    """The keys of players whose folder has more files than are read."""


# -- a player's side -------------------------------------------------------------------------------------------------------


def send(campaign: Path, by: str, words: str, mark: str = "") -> str:
    """Put a proposal into the player's part of the inbox and return its id. It is durable when this returns.

    The sender may give it a `mark` of 24 hexadecimal digits. While a proposal with that mark or its answer is there, its id is returned
    and nothing is sent, so that pressing twice is once.
    Raises `InboxRefused` if it is too long, has characters that can't be printed, too many others wait, or this account has no
    right to the player's folder, and `OSError` if it can't be written. In all cases nothing was sent.
    """
    words = " ".join(words.split(" ")).strip()
    if not is_key(by):
        raise InboxRefused(f"“{by[:40]}” is not a player's key")
    if not words or len(words) > LONGEST:
        raise InboxRefused(f"type 1 to {LONGEST} characters" if words else "type what you want to do")
    if not is_visible(words):
        raise InboxRefused("the text contains characters that can't be printed")
    try:
        return _put(campaign, by, words, mark or os.urandom(MARK_LENGTH // 2).hex())
    except PermissionError:
        raise InboxRefused(_NO_RIGHT.format(account=_account(), by=by, campaign=shlex.quote(str(campaign)))) from None


def _put(campaign: Path, by: str, words: str, mark: str) -> str:
    make_inbox(campaign)
    make_inside(campaign / FOLDER / by, 0o700)
    with _open_folder(campaign, by) as folder:
        names = [*_names(folder)]
        for name in names:
            if _is_id(name[:_ID_LENGTH]) and name[_ID_LENGTH - MARK_LENGTH :] in (mark + _PROPOSAL, mark + _ANSWER):
                return name[:_ID_LENGTH]
        if sum(name.endswith(_PROPOSAL) for name in names) >= MOST:
            raise InboxRefused(f"{MOST} proposals are already waiting. Wait until some have been answered")
        number = max((int(name[:8], 16) for name in names if _is_id(name[:_ID_LENGTH])), default=0) + 1
        proposal = f"{number & 0xFFFFFFFF:08x}{mark}"
        data = f"{_HEAD}\nby {by}\nid {proposal}\nsay {words}\n".encode()
        if len(data) > LARGEST:
            raise InboxRefused(f"the text is too long: the limit is {LARGEST} bytes")
        _write(folder, proposal + _PROPOSAL, data)
    return proposal


def _account() -> str:
    """Return the name of the account that runs this program; its number if it has no name."""
    import pwd  # Only a refusal needs it.

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def read_waiting(campaign: Path, by: str) -> list[Letter]:
    """Return the proposals of a player that have no answer, oldest first; nothing if the folder can't be read."""
    with suppress(OSError), _open_folder(campaign, by) as folder:
        names = [*_names(folder)]
        ids = sorted(name.removesuffix(_PROPOSAL) for name in names if name.endswith(_PROPOSAL))
        waiting = [each for each in ids if _is_id(each) and each + _ANSWER not in names][:MOST]
        return [letter for each in waiting if isinstance(letter := _read_letter(folder, by, each), Letter)]
    return []


def take_back(campaign: Path, by: str, proposal: str) -> None:
    """Remove a proposal that waits. If it is being played at this moment, it still gets its answer. Raises `OSError`."""
    if _is_id(proposal):
        with _open_folder(campaign, by) as folder, suppress(FileNotFoundError):
            os.unlink(proposal + _PROPOSAL, dir_fd=folder)


def read_answer(campaign: Path, by: str, proposal: str) -> Answer:
    """Return the state of a proposal. Raises `OSError` if the inbox can't be read."""
    with suppress(FileNotFoundError), _open_folder(campaign, by) as folder:
        if _is_id(proposal):
            # The answer is written before the proposal is removed.
            waits = _exists(folder, proposal + _PROPOSAL)
            found: list[str] | None = None
            with suppress(ValueError):  # The player may write in this folder, so anything may be in the answer's place.
                found = _read_lines(folder, proposal + _ANSWER)
            if found is not None and found[:1] == [_ANSWER_HEAD]:
                kind, _, why = found[1].partition(" ") if len(found) == 2 else ("", "", "")
                if kind in (AnswerKind.PLAYED, AnswerKind.DECLINED):
                    return Answer(AnswerKind(kind), why)
            return Answer(AnswerKind.WAITS if waits else AnswerKind.GONE)
    return Answer(AnswerKind.GONE)


# -- the wayfinder's side --------------------------------------------------------------------------------------------------


class Inbox:
    """The inbox as the wayfinder's program reads it. It opens only the folders of players that it is given."""

    def __init__(self, campaign: Path) -> None:
        self._campaign = campaign
        self._seen: dict[str, tuple[int, int, int]] = {}

    def has_news(self, players: tuple[str, ...]) -> bool:
        """Whether the time of a folder has changed since the last `read`. This costs one system call per player."""
        return any(self._stamp(player) != self._seen.get(player) for player in players)

    def read(self, players: tuple[str, ...]) -> InboxContents:
        """Return the proposals that wait for an answer. Files and folders of other kinds are left alone."""
        letters, unreadable, overfull = list[Letter](), list[_Bad](), list[str]()
        self._seen = {player: stamp for player in players if (stamp := self._stamp(player)) and _is_sure(stamp)}
        for player in players:
            if not is_key(player):
                continue
            with suppress(OSError), _open_folder(self._campaign, player) as folder:
                names = [*_names(folder)]
                ids = sorted(name.removesuffix(_PROPOSAL) for name in names if name.endswith(_PROPOSAL))
                ids = [each for each in ids if _is_id(each)]
                if len(names) >= _MOST_NAMES or len(ids) > MOST:
                    overfull.append(player)
                for each in ids[: min(MOST, MOST_IN_ALL - len(letters))]:
                    match _read_letter(folder, player, each):
                        case Letter() as letter:
                            letters.append(letter)
                        case str() as why:
                            unreadable.append(_Bad(each, player, why))
        return InboxContents(tuple(letters), tuple(unreadable), tuple(overfull))

    def answer(self, by: str, proposal: str, answer: Answer) -> None:
        """Write the answer, then remove the proposal. It can be repeated after a crash between the two. Raises `OSError`."""
        why = " ".join(answer.why.split())[:LONGEST]
        line = f"{_ANSWER_HEAD}\n{answer.kind.value} {why}".encode(errors="replace")[: LARGEST - 1]
        # A character that is cut in two can't be read.
        data = line.decode(errors="ignore").encode() + b"\n"
        with _open_folder(self._campaign, by) as folder:
            _write(folder, proposal + _ANSWER, data)
            self._remove(folder, proposal + _PROPOSAL)
            _remove_old_answers(folder, proposal)

    def clear_answered(self, by: str, proposal: str) -> bool:
        """Remove a proposal if it has an answer, because a crash may have prevented that. Return whether it has one."""
        with suppress(OSError), _open_folder(self._campaign, by) as folder:
            if _exists(folder, proposal + _ANSWER):
                with suppress(OSError):  # It may be a folder that is not empty.
                    self._remove(folder, proposal + _PROPOSAL)
                return True
        return False

    def waits(self, by: str, proposal: str) -> bool:
        """Whether a proposal is still there, without an answer."""
        with suppress(OSError), _open_folder(self._campaign, by) as folder:
            return _exists(folder, proposal + _PROPOSAL) and not _exists(folder, proposal + _ANSWER)
        return False

    @staticmethod
    def _remove(folder: int, name: str) -> None:
        with suppress(FileNotFoundError):
            try:
                os.unlink(name, dir_fd=folder)
            except IsADirectoryError:
                os.rmdir(name, dir_fd=folder)

    def _stamp(self, player: str) -> tuple[int, int, int] | None:
        try:
            found = os.lstat(self._campaign / FOLDER / player) if is_key(player) else None
        except OSError:
            return None
        return (found.st_ino, found.st_mtime_ns, found.st_ctime_ns) if found else None


# -- what one player alone may see -----------------------------------------------------------------------------------------


def write_own_file(campaign: Path, player: str, data: bytes) -> None:
    """Write the file of one player as a whole. Raises `OSError`. It needn't be durable, as it can always be made again."""
    make_inbox(campaign)
    make_inside(campaign / FOLDER / player, 0o700)
    with _open_folder(campaign, player) as folder:
        _write(folder, OWN_FILE, data, durable=False)


def remove_own_files(campaign: Path, but: Collection[str]) -> None:
    """Remove the files of all but these players. Raises `OSError`."""
    with suppress(FileNotFoundError), os.scandir(campaign / FOLDER) as entries:
        others = [entry.name for entry in entries if is_key(entry.name) and entry.name not in but]
        for player in others:
            with suppress(FileNotFoundError, NotADirectoryError), _open_folder(campaign, player) as folder:
                os.unlink(OWN_FILE, dir_fd=folder)


# -- what a player's programs keep there -----------------------------------------------------------------------------------


def read_note(campaign: Path, player: str, name: str) -> str:
    """Return the line of a small file in a player's folder; nothing if there is none."""
    with suppress(OSError, ValueError), _open_folder(campaign, player) as folder:
        return "\n".join(_read_lines(folder, name) or ())
    return ""


def write_note(campaign: Path, player: str, name: str, line: str) -> None:
    """Write a line into a small file in a player's folder. Raises `OSError`."""
    make_inbox(campaign)
    make_inside(campaign / FOLDER / player, 0o700)
    with _open_folder(campaign, player) as folder:
        _write(folder, name, f"{line}\n".encode(), durable=False)


def _is_id(text: str) -> bool:
    return len(text) == _ID_LENGTH and frozenset("0123456789abcdef").issuperset(text)


def _is_sure(stamp: tuple[int, int, int]) -> bool:
    """Whether any later change of the folder is certain to change its time, too."""
    return abs(time.time_ns() - stamp[2]) > TICK


def _read_letter(folder: int, player: str, proposal: str) -> Letter | str:
    """Return a proposal, or why it can't be read."""
    try:
        lines = _read_lines(folder, proposal + _PROPOSAL)
    except (OSError, ValueError):
        lines = None
    if lines is None or len(lines) != 4 or lines[0] != _HEAD:
        return "this proposal can't be read"
    by, id_, say = lines[1].removeprefix("by "), lines[2].removeprefix("id "), lines[3].removeprefix("say ")
    if [f"by {by}", f"id {id_}", f"say {say}"] != lines[1:] or (by, id_) != (player, proposal):
        return "this proposal can't be read"
    if not say.strip() or len(say) > LONGEST or not is_visible(say):
        return "the text is too long, or contains characters that can't be printed"
    return Letter(proposal, player, say)


# -- one folder ------------------------------------------------------------------------------------------------------------


def make_inbox(campaign: Path) -> None:
    """Make the inbox, if it isn't there. Other accounts may pass through it. Raises `OSError`."""
    make_inside(campaign / FOLDER, _PASSABLE)


def prepare_inbox(campaign: Path) -> None:
    """Make the inbox; if it is there, let other accounts pass through it again. Raises `OSError`.

    Somebody may have closed it together with the rest of the campaign. It lists nothing to them: they pass on to the folder
    that they may open, and to the pipe by which they ask for a pause.
    """
    make_inbox(campaign)
    mode = stat.S_IMODE(os.lstat(campaign / FOLDER).st_mode)
    if mode & _PASSABLE != _PASSABLE:
        (campaign / FOLDER).chmod(mode | _PASSABLE)


@contextmanager
def open_inbox(campaign: Path) -> Iterator[int]:
    """Open the inbox, to reach what is in it. Raises `OSError`, also for a link in its place."""
    inbox = os.open(campaign / FOLDER, _FOLDER_FLAGS | _PASS_THROUGH)
    try:
        yield inbox
    finally:
        os.close(inbox)


@contextmanager
def _open_folder(campaign: Path, player: str) -> Iterator[int]:
    """Open a player's folder without following a link on the way into the inbox. Raises `OSError`."""
    with open_inbox(campaign) as inbox:
        folder = os.open(player, _FOLDER_FLAGS | os.O_RDONLY, dir_fd=inbox)
    try:
        yield folder
    finally:
        os.close(folder)


def _names(folder: int) -> Iterator[str]:
    """Yield the first names of a folder, up to the most that are read."""
    with os.scandir(folder) as entries:
        for _, entry in zip(range(_MOST_NAMES), entries, strict=False):
            yield entry.name


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True


def _read_lines(folder: int, name: str) -> list[str] | None:
    """Return the lines of a small file; None if it doesn't exist. Raises `OSError` if it can't be opened, and `ValueError` if it
    isn't a small text file.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
    try:
        descriptor = os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or not 0 < found.st_size <= LARGEST:
            raise ValueError("too large, or not a file")
        data = os.read(descriptor, LARGEST + 1)
    finally:
        os.close(descriptor)
    text = data.decode()
    if len(data) > LARGEST or not text.endswith("\n"):
        raise ValueError("not whole")
    return text[:-1].split("\n")


def _write(folder: int, name: str, data: bytes, *, durable: bool = True) -> None:
    """Write a file under another name, sync it if it has to last, and then rename it. Raises `OSError` and leaves nothing behind."""
    beside = f".{os.urandom(8).hex()}.part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(beside, flags, 0o644, dir_fd=folder)
    try:
        try:
            # The folder is closed to all but the player and the wayfinder, and each of them reads what the other writes.
            os.fchmod(descriptor, 0o644)
            if os.write(descriptor, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if durable:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
        if durable:
            os.fsync(folder)
    except OSError:
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise


def _remove_old_answers(folder: int, latest: str) -> None:
    """Keep only the answers to the latest proposals, and the answer that was written last, even if the system's clock was set back."""
    answers = sorted(name for name in _names(folder) if name.endswith(_ANSWER) and name != latest + _ANSWER)
    for name in answers[: 1 - _MOST_ANSWERS]:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
