"""A campaign's folder as a git repository: committing it at a session's end, and joining the logs of two clones that were both played.

git runs without hooks, editor, signature or question, and only for so many seconds. It never pushes. What keeps it from committing is
said in one line; the session has ended all the same.

Two clones that were played apart have logs that go on differently after the same entry. Each entry names the checksum of the one before
it, so the log is a tree, and each clone a branch of it. Joined, the branch that began first stays as it is, and the entries of the other
follow it in their own order, with new numbers. So both clones come to the same log, whoever merges.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.changes import Value
from waylog.rules.model.moves import ActRefused
from waylog.store.files_and_lock import FILE, SEAL, lock_campaign
from waylog.store.log.entries_and_version_0_1 import OPEN_ACT, LogEntry, decode_entry, encode_entry
from waylog.store.log.log_and_torn_entries import TITLE
from waylog.store.log.verification import CHECK, headers, log_files
from waylog.values import dataclass, replace

_SECONDS = 20
"""How long git may take."""
_OWN = ("history", "inbox", ".lock*", SEAL, "players.toml")
"""What only this machine needs, which is never committed."""
_QUIET = ("core.hooksPath=/dev/null", "core.fsmonitor=false", "commit.gpgSign=false", "gc.auto=0", "core.editor=true")
_NOBODY = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "GIT_EDITOR": "true",
    "LC_ALL": "C",
}
OTHER = "campaign.other.toml"
"""The campaign file of the branch that follows, as it was."""
_JOINING = b"""\
# Waylog was joining the logs of two clones. To finish, type: waylog conflicts CAMPAIGN join
<<<<<<< joining
=======
>>>>>>> joining
"""
"""The campaign file while its log is joined. Nobody can open it, and so nobody plays on a log that is half joined."""


def commit_folder(folder: Path, title: str) -> str:
    """Commit the folder with a title. Return one line on what was done, or why nothing was."""
    paths = ("--", ".", *(f":(exclude){name}" for name in _OWN))
    try:
        if _git(folder, "rev-parse", "--is-inside-work-tree")[0]:
            return "Not committed: the folder is not a git repository. To turn it into one, run git init there"
        _git(folder, "add", "--all", *paths)  # It fails for what is ignored, and adds the rest all the same.
        code, output = _git(folder, "commit", "--quiet", "--no-verify", "-m", title, *paths)
        if code and not _git(folder, "status", "--porcelain", *paths)[1].strip():
            return "Nothing to commit: git already has everything"
        if code:
            return f"Not committed: git says “{(output.splitlines() or ['nothing'])[0].strip()}”"
    except OSError:
        return "Not committed: git is not installed on this machine"
    except subprocess.TimeoutExpired:
        return f"Not committed: git did not finish within {_SECONDS} seconds"
    return f"Committed: {title}"


def _git(folder: Path, *words: str) -> tuple[int, str]:
    """Run git in the folder. Return its exit code, and what it said. Raises `OSError` or `TimeoutExpired`."""
    done = _run(folder, *words)
    return done.returncode, (done.stderr.strip() or done.stdout).decode(errors="replace")


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    settings = (part for each in _QUIET for part in ("-c", each))
    return subprocess.run(
        ("git", "-C", str(folder), *settings, *words),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
        start_new_session=True,
        env={**os.environ, **_NOBODY},
    )


# -- joining -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Block:
    """An entry of one of the logs."""

    entry: LogEntry
    text: bytes
    check: str
    parent: str
    """The checksum of the entry before it; empty for the first."""
    first_side: bool
    """The log of the clone in which git has merged has it."""


def has_conflict(text: bytes) -> bool:
    """Whether git has left conflict markers in a file."""
    return re.search(rb"(?m)^<{7} ", text) is not None and re.search(rb"(?m)^>{7} ", text) is not None


def join_logs(folder: Path) -> str:
    """Join the logs of two clones that git is merging, or has just merged. Return what was done.

    Raises `ActRefused` if there is nothing to join, or something is in the way; nothing has been changed then. Raises `OSError`. What was
    interrupted is finished the next time.
    """
    with lock_campaign(folder):
        sides = [_MergedCampaign(folder, commit) for commit in _merged_commits(folder)]
        blocks = _read_blocks([side.files for side in sides])
        children: dict[str, list[_Block]] = {}
        for block in blocks.values():
            children.setdefault(block.parent, []).append(block)
        first, *later = _branches(children)
        if not later and not any(has_conflict(path.read_bytes()) for path in log_files(folder / "log")):
            raise ActRefused("there is nothing to join: the log has a single history")
        joined, numbers = _renumber(first, later)
        was_interrupted = (folder / FILE).read_bytes() == _JOINING
        _require_nothing_newer(folder, {*blocks, *(_check_of(text) for text in joined if was_interrupted)})
        ours_first = first[-1].first_side
        before, after = sides if ours_first else sides[::-1]
        kept = {name: _only(text, {block.check for block in first}) for name, text in before.files.items()}
        kept = {name: text for name, text in kept.items() if headers(text)}
        if joined:
            kept[f"{int(max(kept)[:4]) + 1:04}.toml"] = TITLE.encode() + b"".join(b"\n" + text for text in joined)
        _put(folder / FILE, _JOINING)
        _put(folder / OTHER, after.campaign)
        for name, text in kept.items():
            _put(folder / "log" / name, text)
        for path in log_files(folder / "log"):
            if path.name not in kept:
                path.unlink()
        _put(folder / FILE, before.campaign)
    which = "yours" if ours_first else "theirs"
    if not joined:
        return f"Of the two logs, {which} has every entry of the other and goes on from there, so it is the one that stays. The other campaign file, with any edits made to it, is in {OTHER}. Open the campaign, check it, and commit it"
    moved = f"The entry that was only in the other log now follows as entry {numbers[0]}"
    if joined[1:]:
        moved = f"The {len(joined)} entries that were only in the other log now follow as entries {numbers[0]} to {numbers[-1]}"
    return f"The two logs have been joined. Of the two, {which} started first, so it is unchanged. {moved}. The other campaign file, with any edits made to it, is in {OTHER}. Open the campaign, check it, and commit it"


def _only(text: bytes, checks: Collection[str]) -> bytes:
    """Return a log file with the entries that have one of these checksums, and its comments."""
    starts = headers(text)
    parts = [text[: starts[0]] if starts else text]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        found = re.search(CHECK, text[start:end])
        parts += [text[start:end]] if found and found[1].decode() in checks else []
    return b"".join(parts)


def _put(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.join")
    beside.write_bytes(data)
    beside.replace(path)


class _MergedCampaign:
    """The campaign as one of the merged commits has it."""

    def __init__(self, folder: Path, commit: str) -> None:
        listed = _run(folder, "ls-tree", "-z", "--name-only", commit, "./log/").stdout.decode().split("\0")
        names = sorted(Path(name).name for name in listed if re.fullmatch(r"[0-9]{4}\.toml", Path(name).name))
        self.campaign = _run(folder, "show", f"{commit}:./{FILE}").stdout
        self.files = {name: _run(folder, "show", f"{commit}:./log/{name}").stdout for name in names}


def _merged_commits(folder: Path) -> tuple[str, str]:
    """Return the commits that git merges, or has merged last. Raises `ActRefused` if it has merged nothing here."""
    for commits in (("HEAD", "MERGE_HEAD"), ("HEAD^1", "HEAD^2")):
        if not _run(folder, "rev-parse", "--quiet", "--verify", commits[1]).returncode:
            return commits
    raise ActRefused("there is nothing to join: git hasn't merged anything here")


def _require_nothing_newer(folder: Path, blocks: Collection[str]) -> None:
    """Raise `ActRefused` if the log has entries that neither side has: they were played after the merge."""
    for path in log_files(folder / "log"):
        text = path.read_bytes()
        if not has_conflict(text) and {check.decode() for check in re.findall(CHECK, text)} - {*blocks}:
            raise ActRefused("there is nothing to join: something has been played since git merged")


def _read_blocks(sides: Sequence[Mapping[str, bytes]]) -> dict[str, _Block]:
    """Return every entry of the sides by its checksum. Raises `ActRefused` for one that can't be read."""
    blocks: dict[str, _Block] = {}
    for number, side in enumerate(sides):
        before = ""
        for name, text in side.items():
            starts = headers(text)
            for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
                found = re.search(CHECK, text[start:end])
                if found is None:
                    raise ActRefused(f"log/{name} has an incomplete entry: fix that first")
                block = text[start : start + found.end()]
                after = re.search(rb'(?m)^after = "([0-9a-f]{8})"', block)
                check = found[1].decode()
                parent = after[1].decode() if after else before
                if check not in blocks:
                    blocks[check] = _Block(decode_entry(block, name), block, check, parent, number == 0)
                before = check
    return blocks


def _branches(children: Mapping[str, Sequence[_Block]]) -> list[list[_Block]]:
    """Return the ways in which a log goes on, the one that began first as the first: that one from its beginning, the others from
    where they part.
    """
    found, waiting = list[list[_Block]](), [[]] if not children.get("") else [[each] for each in _by_time(children[""])]
    while waiting:
        branch = waiting.pop(0)
        while branch and (following := _by_time(children.get(branch[-1].check, ()))):
            waiting += ([other] for other in following[1:])
            branch = [*branch, following[0]]
        found.append(branch)
    return found


def _by_time(blocks: Sequence[_Block]) -> list[_Block]:
    return sorted(blocks, key=lambda block: (block.entry.at, block.check))


def _renumber(first: Sequence[_Block], branches: Sequence[Sequence[_Block]]) -> tuple[list[bytes], list[int]]:
    """Return the entries of branches with numbers behind the last entry of the first one, and these numbers."""
    number, check, texts, numbers = first[-1].entry.number, first[-1].check, list[bytes](), list[int]()
    values: dict[ValuePath, Value | None] = {
        change.path: change.after for block in first for change in block.entry.changes
    }
    for branch in branches:
        new = {block.entry.number: number + place for place, block in enumerate(branch, 1)}
        for block in branch:
            number += 1
            text = encode_entry(_with_values(_with_numbers(block.entry, new), values), check)
            check = _check_of(text)
            texts.append(text)
            numbers.append(number)
    return texts, numbers


def _check_of(text: bytes) -> str:
    """Return the checksum at the end of an entry."""
    found = re.search(CHECK, text)
    assert found
    return found[1].decode()


def _with_values(entry: LogEntry, values: dict[ValuePath, Value | None]) -> LogEntry:
    """Return the entry with what its values were before, in the joined log, and note what they are after it."""
    changes = tuple(replace(change, before=values.get(change.path, change.before)) for change in entry.changes)
    values |= {change.path: change.after for change in changes}
    return replace(entry, changes=changes)


def _with_numbers(entry: LogEntry, new: Mapping[int, int]) -> LogEntry:
    """Return the entry with new numbers for itself and for those of the same branch that it refers to."""

    def new_number(number: int) -> int:
        return new.get(number, number)

    scene = {**entry.scene, OPEN_ACT: new_number(entry.open_act)} if OPEN_ACT in entry.scene else entry.scene
    return replace(
        entry,
        number=new_number(entry.number),
        root=new_number(entry.root),
        within=new_number(entry.within),
        undoes=tuple(map(new_number, entry.undoes)),
        settles=new_number(entry.settles),
        sealed=0,  # Sealed dice depend on the number of their entry.
        scene=scene,
    )
