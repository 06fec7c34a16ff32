"""What a campaign file holds, read through the rules of its game: the state, how far the log is in it, what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from waylog.rules.changes import Change, Value
from waylog.rules.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.sheets import Fault
from waylog.rules.state import State
from waylog.rules.systems import System, names, system
from waylog.store import table_files
from waylog.store.entries import LogEntry, Mark
from waylog.store.lock_and_replace import FILE, FileSignature
from waylog.toml.document import ABSENT, Document, Edit, Problem, UnreadableFile, format_value, lookup, read_bytes
from waylog.values import dataclass

FORMAT = 1


@dataclass(frozen=True, slots=True)
class CampaignFile:
    """What the campaign file held when it was last read or written."""

    document: Document
    state: State
    mark: Mark
    """How far the log is worked into it."""
    problems: tuple[Problem, ...]
    """What is wrong in it and can be played on with."""
    signature: FileSignature | None
    own: Mark | None = None
    """What its `log` line says. Until something is played it stays as the editor saved it, so the file may say more."""
    faulty: tuple[ValuePath, ...] = ()
    """Values that can be played on with and are no legal ones."""
    kept_out: tuple[ValuePath, ...] = ()
    """Those of them that don't hold in play: the last good value does (see `with_good_values`)."""


def system_of(document: Document) -> System:
    """The system that the file names. Raises `UnreadableFile` when there is none such, or the file is of another format."""
    _refuse_other_formats(document)
    wanted = document.tree.get("system")
    known = ", ".join(names())
    if wanted is None:
        raise UnreadableFile(Problem(document.name, 1, 1, f"system is missing; it should be one of {known}"))
    if wanted not in names():
        message = f"system is “{str(wanted)[:40]}”; it should be one of {known}"
        raise UnreadableFile(Problem(document.name, *document.position(("system",), of_value=True), message))
    return system(wanted)


def _refuse_other_formats(document: Document) -> None:
    made = document.tree.get("format", FORMAT)
    if type(made) is int and made == FORMAT:
        return
    if type(made) is int and made > FORMAT:
        message = (
            f"format is {format_value(made)[:20]}, which a newer Waylog has made; this one reads format {FORMAT}. "
            "Bring Waylog up to date to play it; nothing is written here until then"
        )
    else:
        message = f"format is {format_value(made)[:20]}; it should be {FORMAT}, the only one there is"
    raise UnreadableFile(Problem(document.name, *document.position(("format",), of_value=True), message))


def read_campaign_file(game: Game, document: Document, seen: FileSignature | None) -> CampaignFile:
    """What a campaign file holds. Raises `UnreadableFile` with every problem when any of them is grave."""
    if (named := system_of(document)).id != game.system.id:
        message = f"system is now {named.id}; leave the campaign and open it again to play it with {named.name}"
        raise UnreadableFile(Problem(document.name, *document.position(("system",), of_value=True), message))
    state, faults = game.read(document.tree)
    problems = _locate_faults(document, faults)
    grave = any(fault.grave for fault in faults)
    file_mark = None
    if "log" in document.tree:
        try:
            file_mark = Mark.read(str(document.tree["log"]))
        except ValueError as error:
            problems = (*problems, Problem(document.name, *document.position(("log",), of_value=True), f"log: {error}"))
            grave = True
    problems = tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    if grave:
        raise UnreadableFile(*problems)
    faulty = tuple(fault.path for fault in faults if not (fault.at_key or fault.lacking))
    return CampaignFile(document, state, file_mark or Mark(), problems, seen, file_mark, faulty=faulty)


def with_good_values(game: Game, file: CampaignFile, last: State) -> CampaignFile:
    """The same file, but each value that a person has made illegal holds as it is in `last`.

    What is illegal in `last` too, or no single value, is taken as it stands. A value of a new thing is as on a fresh sheet.
    """
    if not file.faulty:
        return file
    before = {(fault.path, fault.message) for fault in game.read(game.write(last))[1]}
    good, theirs = game.write(last), game.write(file.state)
    state, kept_out = file.state, list[ValuePath]()
    for fault in game.read(file.document.tree)[1]:
        path = _single(file.document.tree, fault.path)
        if fault.at_key or fault.lacking or path is None or (fault.path, fault.message) in before or path in kept_out:
            continue
        value, was = lookup(theirs, path), lookup(good, path)
        if value is not ABSENT and value != was:
            with suppress(ValueError):
                state = game.apply_changes(state, [Change(path, value, None if was is ABSENT else was)])
                kept_out.append(path)
    return replace(file, state=state, kept_out=tuple(kept_out))


def _single(tree: dict[str, Value], path: ValuePath) -> ValuePath | None:
    """The value at `path`, or the list that it is in; None when that is a table."""
    found: Value = tree
    for count, key in enumerate(path):
        if isinstance(found, list):
            return path[:count]
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return None if isinstance(found, dict) else path


def apply_entry(game: Game, state: State, entry: LogEntry) -> State | None:
    """The state after an entry; None if its changes can't be made, as when somebody has changed them in the log."""
    try:
        return game.apply_changes(state, entry.changes)
    except ValueError:
        return None


def spelling_in(document: Document, path: ValuePath, value: Value | None) -> str | None:
    """How a value is written in a file: None for the plain way, empty when it is left out."""
    if value is None or isinstance(value, dict):
        return None
    written = document.spelling(path)
    if written is None:
        return ""
    return None if written == format_value(value) else written


def with_state(game: Game, file: CampaignFile, state: State, mark: Mark, since: Sequence[LogEntry]) -> CampaignFile:
    """The file as it has to be to say `state` and carry `mark`. Raises `EditRefused`.

    `since` are the entries after the mark that it carries now; they say how each value is to be written.
    """
    # One act after the other, as if each had been written at once: when the file is written doesn't show in it.
    edits: list[Edit] = []
    reached = file.state
    for entry in since:
        after = apply_entry(game, reached, entry)
        if after is not None:
            edits += _edits(game, entry.changes)
            reached = after
    edits += _edits(game, game.difference(reached, state))
    # What a person has taken out is in the log as taken out, and not in the file.
    document = file.document.edit((*edits, Edit(("log",), str(mark))), missing_ok=True)
    reread, faults = game.read(document.tree)
    # What a person has made illegal stays in the file until they mend it, or play gives it another value.
    left = [path for path in file.kept_out if lookup(document.tree, path) == lookup(file.document.tree, path)]
    if unsaid := [change for change in game.difference(reread, state) if change.path not in left]:
        # A table that was there by what lay in it alone has gone with that.
        document = document.edit([*_edits(game, unsaid)], missing_ok=True)
        faults = game.read(document.tree)[1]
    faulty = tuple(fault.path for fault in faults if not (fault.at_key or fault.lacking))
    return CampaignFile(
        document, state, mark, _locate_faults(document, faults), None, mark, faulty=faulty, kept_out=tuple(left)
    )


def _edits(game: Game, changes: Sequence[Change]) -> Iterator[Edit]:
    """The changes as they are to stand in the file. What is added with a table and takes a line each is added after it."""
    for change in changes:
        if isinstance(change.after, dict) and not change.now:
            yield from _table_edits(game, change.path, change.after)
        else:
            yield _edit(change)


def _table_edits(game: Game, path: ValuePath, table: dict[str, Value]) -> Iterator[Edit]:
    if game.on_a_line(path):
        yield Edit(path, table, format_value(table))
        return
    lines: list[Edit] = []

    def without_lines(above: ValuePath, table_values: dict[str, Value]) -> dict[str, Value]:
        rest = {}
        for key, item in table_values.items():
            if isinstance(item, dict) and game.on_a_line((*above, key)):
                lines.append(Edit((*above, key), item, format_value(item)))
            else:
                rest[key] = without_lines((*above, key), item) if isinstance(item, dict) else item
        return rest

    yield Edit(path, without_lines(path, table))
    yield from lines


def _edit(change: Change) -> Edit:
    if change.after is None or change.now == "":
        return Edit(change.path, ABSENT)
    only_spelled = change.before == change.after and change.now is None
    return Edit(change.path, change.after, format_value(change.after) if only_spelled else change.now)


def _locate_faults(document: Document, faults: Sequence[Fault]) -> tuple[Problem, ...]:
    found = [
        Problem(
            document.name,
            *document.position(fault.path, of_value=not fault.at_key),
            fault.message,
            fault.clause,
            fault.unfinished,
        )
        for fault in faults
    ]
    return tuple(sorted(found, key=lambda problem: (problem.line, problem.column)))


def with_tables(game: Game, file: CampaignFile) -> CampaignFile:
    """The same file by a game whose random tables are others now."""
    return replace(file, problems=_locate_faults(file.document, game.read(file.document.tree)[1]))


def check(path: Path, name: str) -> tuple[Problem, ...]:
    """Every problem of the campaign file at `path`, grave or not, by place, then those of the random tables beside it.

    There the file is called `name`.
    """
    beside = table_files.read(path.parent) if path.name == FILE else table_files.TableFiles()
    try:
        document = Document.parse(read_bytes(path), name)
        game = Game(system_of(document), beside.tables)
        file = read_campaign_file(game, document, None)
        file_problems, of_tables = file.problems, beside.all_problems(game, file.state)
    except UnreadableFile as unreadable:
        file_problems = tuple(replace(problem, file=name) for problem in unreadable.problems)
        of_tables = beside.local_problems()
    return (*file_problems, *(replace(problem, file=str(Path(name).parent / problem.file)) for problem in of_tables))
