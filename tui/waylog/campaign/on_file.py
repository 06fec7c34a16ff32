"""What a campaign file holds, read through the rules of its game: the state, how far the log is in it, what is wrong."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from waylog.campaign import tables
from waylog.campaign.document import ABSENT, Document, Edit, Problem, Unreadable, read_bytes, render
from waylog.campaign.folder import FILE, Signature, keep_version, put_in_place, signature, written_beside
from waylog.campaign.log import Entry, Mark
from waylog.rules.changes import Change, Value
from waylog.rules.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.sheets import Fault
from waylog.rules.state import State
from waylog.rules.systems import System, names, system

FORMAT = 1
HISTORY = "history"
_WRITTEN = "written"
"""In the history: the checksum of what Waylog wrote last, which tells at once whether a person has edited it since."""


@dataclass(frozen=True, slots=True)
class OnFile:
    """What the campaign file held when it was last read or written."""

    document: Document
    state: State
    mark: Mark
    """How far the log is worked into it."""
    problems: tuple[Problem, ...]
    """What is wrong in it and can be played on with."""
    signature: Signature | None


def system_of(document: Document) -> System:
    """The system that the file names. Raises `Unreadable` when there is none such, or the file is of another format."""
    _refuse_other_formats(document)
    wanted = document.tree.get("system")
    known = ", ".join(names())
    if wanted is None:
        raise Unreadable(Problem(document.name, 1, 1, f"system is missing; it should be one of {known}"))
    if wanted not in names():
        message = f"system is “{str(wanted)[:40]}”; it should be one of {known}"
        raise Unreadable(Problem(document.name, *document.place(("system",)), message))
    return system(wanted)


def _refuse_other_formats(document: Document) -> None:
    made = document.tree.get("format", FORMAT)
    if type(made) is int and made == FORMAT:
        return
    if type(made) is int and made > FORMAT:
        message = (
            f"format is {render(made)[:20]}, which a newer Waylog has made; this one reads format {FORMAT}. "
            "Bring Waylog up to date to play it; nothing is written here until then"
        )
    else:
        message = f"format is {render(made)[:20]}; it should be {FORMAT}, the only one there is"
    raise Unreadable(Problem(document.name, *document.place(("format",)), message))


def on_file(game: Game, document: Document, seen: Signature | None) -> OnFile:
    """What a campaign file holds. Raises `Unreadable` with every problem when any of them is grave."""
    if (named := system_of(document)).id != game.system.id:
        message = f"system is now {named.id}; leave the campaign and open it again to play it with {named.name}"
        raise Unreadable(Problem(document.name, *document.place(("system",)), message))
    state, faults = game.read(document.tree)
    problems = _placed(document, faults)
    grave = any(fault.grave for fault in faults)
    mark = Mark()
    try:
        mark = Mark.read(str(document.tree.get("log", mark)))
    except ValueError as error:
        problems = (*problems, Problem(document.name, *document.place(("log",)), f"log: {error}"))
        grave = True
    problems = tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    if grave:
        raise Unreadable(*problems)
    return OnFile(document, state, mark, problems, seen)


def followed(game: Game, state: State, entry: Entry) -> State | None:
    """The state after an entry; None if its changes can't be made, as when somebody has changed them in the log."""
    try:
        return game.changed(state, entry.changes)
    except ValueError:
        return None


def brought_up(game: Game, held: OnFile, state: State, mark: Mark, since: Sequence[Entry]) -> OnFile:
    """The file as it has to be to say `state` and carry `mark`. Raises `EditRefused`.

    `since` are the entries after the mark that it carries now; they say how each value is to be written.
    """
    # One act after the other, as if each had been written at once: when the file is written doesn't show in it.
    edits: list[Edit] = []
    reached = held.state
    for entry in since:
        after = followed(game, reached, entry)
        if after is not None:
            edits += _edits(game, entry.changes)
            reached = after
    edits += _edits(game, game.difference(reached, state))
    document = held.document.edit((*edits, Edit(("log",), str(mark))))
    problems = _placed(document, game.read(document.tree)[1])
    return replace(held, document=document, state=state, mark=mark, problems=problems)


def _edits(game: Game, changes: Sequence[Change]) -> Iterator[Edit]:
    """The changes as they are to stand in the file. What is added with a table and takes a line each is added after it."""
    for change in changes:
        if isinstance(change.after, dict) and not change.now:
            yield from _added(game, change.path, change.after)
        else:
            yield _edit(change)


def _added(game: Game, path: ValuePath, table: dict[str, Value]) -> Iterator[Edit]:
    if game.on_a_line(path):
        yield Edit(path, table, render(table))
        return
    lines: list[Edit] = []

    def without_lines(above: ValuePath, held: dict[str, Value]) -> dict[str, Value]:
        rest = {}
        for key, item in held.items():
            if isinstance(item, dict) and game.on_a_line((*above, key)):
                lines.append(Edit((*above, key), item, render(item)))
            else:
                rest[key] = without_lines((*above, key), item) if isinstance(item, dict) else item
        return rest

    yield Edit(path, without_lines(path, table))
    yield from lines


def _edit(change: Change) -> Edit:
    if change.after is None or change.now == "":
        return Edit(change.path, ABSENT)
    only_spelled = change.before == change.after and change.now is None
    return Edit(change.path, change.after, render(change.after) if only_spelled else change.now)


def put(beside: Path, path: Path, history: Path, held: OnFile, new: OnFile) -> OnFile | None:
    """Put the new version, written at `beside`, in the place of the one it was made from, which goes to the history.

    Only with the lock held. None, and nothing is changed, when the file is not that one any more.
    """
    if signature(path) != held.signature:
        return None
    old = put_in_place(beside, path)
    if old is not None:
        if not _holds(old, held.document.data):
            put_in_place(old, path)
            return None
        with suppress(OSError):  # without room for it the file itself still counts
            keep_version(old, history, _version_name(held))
            _remember(history, new.document.data)
        old.unlink(missing_ok=True)
    return replace(new, signature=signature(path))


def begun(path: Path, history: Path, held: OnFile) -> None:
    """Keep the file as it is when it is first played on: what a person changes later, with no window open, differs from it.

    Only with the lock held. Does nothing when there are earlier versions, or no room for one.
    """
    with suppress(OSError):
        if (history / _WRITTEN).exists() or versions(history.parent):
            return
        beside = written_beside(path, held.document.data)  # where the next start would look for what a crash leaves
        try:
            keep_version(beside, history, _version_name(held))
            _remember(history, held.document.data)
        finally:
            beside.unlink(missing_ok=True)


def _remember(history: Path, data: bytes) -> None:
    """Note what Waylog wrote last. Raises `OSError`, also for a pipe, at once."""
    written = os.open(history / _WRITTEN, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NONBLOCK, 0o644)
    try:
        os.write(written, _checksum(data).encode("ascii"))
    finally:
        os.close(written)


def _version_name(held: OnFile) -> str:
    return f"{held.mark.file:04}-{held.mark.number:06}.toml"


def _holds(path: Path, data: bytes) -> bool:
    """The file there is exactly that."""
    try:
        return read_bytes(path) == data
    except Unreadable:
        return False


def versions(folder: Path) -> list[Path]:
    """Earlier versions of the campaign file, oldest first, each named after the mark that it carries."""
    return sorted((folder / HISTORY).glob("[0-9]*-[0-9]*.toml"))


def as_written(folder: Path, data: bytes) -> bool:
    """The file is what Waylog wrote last; or Waylog has never written it."""
    try:
        return read_bytes(folder / HISTORY / _WRITTEN).decode("ascii", "replace") == _checksum(data)
    except Unreadable:
        return not versions(folder)


def _checksum(data: bytes) -> str:
    return f"{len(data)}:{zlib.crc32(data):08x}"


def _placed(document: Document, faults: Sequence[Fault]) -> tuple[Problem, ...]:
    found = [Problem(document.name, *document.place(fault.path), fault.message, fault.clause) for fault in faults]
    return tuple(sorted(found, key=lambda problem: (problem.line, problem.column)))


def checked(game: Game, held: OnFile) -> OnFile:
    """The same file by a game whose random tables are others now."""
    return replace(held, problems=_placed(held.document, game.read(held.document.tree)[1]))


def check(path: Path, name: str) -> tuple[Problem, ...]:
    """Every problem of the campaign file at `path`, grave or not, by place, then those of the random tables beside it.

    There the file is called `name`.
    """
    beside = tables.read(path.parent) if path.name == FILE else tables.TablesOnFile()
    try:
        document = Document.parse(read_bytes(path), name)
        game = Game(system_of(document), beside.tables)
        held = on_file(game, document, None)
        own, of_tables = held.problems, beside.all_problems(game, held.state)
    except Unreadable as unreadable:
        own = tuple(replace(problem, file=name) for problem in unreadable.problems)
        of_tables = beside.own_problems()
    return (*own, *(replace(problem, file=str(Path(name).parent / problem.file)) for problem in of_tables))
