"""Read a campaign file by the rules of its game: the state, the mark (how far the log is worked in), and the problems.
Also work out the text of the next version.

What people write in the folders beside the campaign file: random tables in `tables/`, and scene cards in `prep/`. Waylog only reads
them; tables of the starter kit are copied by `kit.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waylog.rules.codec import records
from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Change, Value, format_path
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.common import random_tables as rules
from waylog.rules.common.random_tables import RandomTable
from waylog.rules.common.scene_cards import SceneCard
from waylog.rules.game import Game
from waylog.rules.model.state import State
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems import names, system, what_can_be_set
from waylog.store.files_and_lock import FILE, FileSignature, file_signature, real_file
from waylog.store.log.entries_and_version_0_1 import LogEntry, Mark
from waylog.toml.document import ABSENT, Document, Edit, Problem, UnreadableFile, format_value, lookup, read_bytes
from waylog.values import dataclass, field, replace

if TYPE_CHECKING:
    from waylog.store.games.game_files import GameWatch


FORMAT = 1
PACKAGE = "package"
"""The key of the Python package that a game comes from."""
_PACKAGE_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"


@dataclass(frozen=True, slots=True)
class CampaignFile:
    """The contents of the campaign file when it was last read or written."""

    document: Document
    state: State
    mark: Mark
    """The log entry that the file is up to date with."""
    problems: tuple[Problem, ...]
    """The problems that don't stop play."""
    signature: FileSignature | None
    own: Mark | None = None
    """The mark in its `log` line. While nothing is played, the file stays as the editor saved it, so the line may
    differ from `mark`.
    """
    faulty: tuple[ValuePath, ...] = ()
    """The paths of illegal values that don't stop play."""
    kept_out: tuple[ValuePath, ...] = ()
    """The paths among `faulty` whose values play ignores, in favour of the last legal ones (see `with_good_values`)."""


def system_of(document: Document, folder: Path | None = None) -> Rulebook:
    """Return the game that the file names. A game in a file may also be in `folder`. Raises `UnreadableFile` if there is no such
    game, or for a newer file format.
    """
    found, watch = game_of(document, folder)
    if watch is not None and watch.stands_in:
        raise UnreadableFile(*watch.problems)
    return found


def game_of(document: Document, folder: Path | None) -> tuple[Rulebook, GameWatch | None]:
    """Return the game that the file names, and the watch of its file if it is in one. If that file can't be used, the game is one
    without rules. Raises `UnreadableFile` if the game can't be in a file either, or for a newer file format.
    """
    _refuse_other_formats(document)
    wanted = document.tree.get("system")
    if isinstance(wanted, str):
        with suppress(KeyError):
            return system(wanted), None
        from waylog.store.games.game_files import has_file, may_be_in_a_file  # Python's games need none of this.

        in_file = folder is not None and has_file(wanted, folder)
        if not in_file and (packaged := _packaged_system(document, wanted)):
            return packaged, None
        lacks = "" if in_file else _package_text(document, wanted)
        if folder is not None and (in_file or may_be_in_a_file(folder)):
            from waylog.store.games.game_files import GameWatch

            watch = GameWatch(wanted, folder, lacks)
            return watch.system, watch
        if lacks:
            raise UnreadableFile(Problem(document.name, *document.position((PACKAGE,), of_value=True), lacks))
    from waylog.store.games.game_files import list_games, places_of

    known = ", ".join((*names(), *(path.parent.name for path in list_games())))
    if wanted is None:
        raise UnreadableFile(Problem(document.name, 1, 1, f"system is missing. Set it to one of these games: {known}"))
    message = f"system can't be “{str(wanted)[:40]}”: the games are {known}"
    if folder is not None and isinstance(wanted, str):
        message += (
            f". If the game is in a file, put that file in {' or '.join(map(str, places_of(wanted, folder)[:2]))}"
        )
    raise UnreadableFile(Problem(document.name, *document.position(("system",), of_value=True), message))


def _package_text(document: Document, wanted: str) -> str:
    """Return how to get the package back that the game is from; empty if the file names none."""
    package = document.tree.get(PACKAGE)
    if not (isinstance(package, str) and re.fullmatch(_PACKAGE_NAME, package)):
        return ""
    return (
        f"the game “{wanted[:40]}” comes from the Python package {package}, which is not installed here. To install it: "
        f"pip install {package}, or pipx inject waylog {package}. Then open the campaign again"
    )


def _packaged_system(document: Document, wanted: str) -> Rulebook | None:
    """Return the game of that id from a package. Raises `UnreadableFile` for one that can't be loaded."""
    from waylog.store.games.packages import PackageUnusable, packaged_system  # Slow, and for few campaigns.

    try:
        return packaged_system(wanted)
    except PackageUnusable as unusable:
        position = document.position(("system",), of_value=True)
        raise UnreadableFile(Problem(document.name, *position, str(unusable))) from None


def _refuse_other_formats(document: Document) -> None:
    made = document.tree.get("format", FORMAT)
    if type(made) is int and made == FORMAT:
        return
    if type(made) is int and made > FORMAT:
        message = f"format {format_value(made)[:20]} comes from a newer version of Waylog. This version reads format {FORMAT}. Update Waylog to play. Until then, Waylog won't change this campaign"
    else:
        message = f"format can't be {format_value(made)[:20]}: the only possible value is {FORMAT}"
    raise UnreadableFile(Problem(document.name, *document.position(("format",), of_value=True), message))


def read_campaign_file(game: Game, document: Document, seen: FileSignature | None) -> CampaignFile:
    """Read the file's contents. Raises `UnreadableFile` with every problem if any of them is grave."""
    _check_same_game(game, document)
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


def new_excesses(game: Game, file: CampaignFile, last: State) -> Sequence[Fault]:
    """Return the numbers of the file that are out of their rules' range, that the wayfinder may overrule but has not, and that
    were not so in `last`.
    """
    if not file.faulty:
        return ()
    before = {(fault.path, fault.message) for fault in game.read(game.write(last))[1]}
    found = game.read(file.document.tree)[1]
    # A total is nobody's ruling while a part of it can't be.
    hard = [fault.path for fault in found if not fault.excess]
    return [
        fault
        for fault in found
        if fault.excess
        and (fault.path, fault.message) not in before
        and not any(path[: len(fault.path)] == fault.path for path in hard)
    ]


def with_good_values(game: Game, file: CampaignFile, last: State, allowed: Collection[ValuePath] = ()) -> CampaignFile:
    """Return the file with its illegal values replaced by those of `last`.

    A value that is illegal in `last` too, that isn't a single value, or whose path is in `allowed`, is kept. A value of a new
    thing gets its default.
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
        if fault.path in allowed:
            continue
        value, was = lookup(theirs, path), lookup(good, path)
        if value is not ABSENT and value != was:
            with suppress(ValueError):
                state = game.apply_changes(state, [Change(path, value, None if was is ABSENT else was)])
                kept_out.append(path)
    return replace(file, state=state, kept_out=tuple(kept_out))


def _single(tree: dict[str, Value], path: ValuePath) -> ValuePath | None:
    """Return the value at `path`, or the list that contains it; None for a table."""
    found: Value = tree
    for count, key in enumerate(path):
        if isinstance(found, list):
            return path[:count]
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return None if isinstance(found, dict) else path


def spelling_in(document: Document, path: ValuePath, value: Value | None) -> str | None:
    """Return the source of a value in a file: None if it is the plain one, empty if the value is left out."""
    if value is None or isinstance(value, dict):
        return None
    written = document.spelling(path)
    if written is None:
        return ""
    return None if written == format_value(value) else written


def with_state(game: Game, file: CampaignFile, state: State, mark: Mark, since: Sequence[LogEntry]) -> CampaignFile:
    """Return the file changed so that it says `state` and carries `mark`. Raises `EditRefused`.

    `since` are the entries after its current mark; they give the source of each value.
    """
    # The entries are applied one by one, so that the result doesn't depend on when the file is written.
    edits: list[Edit] = []
    reached = file.state
    for entry in since:
        for change in entry.changes:
            with suppress(ValueError):  # Somebody may have edited the log, or removed the value from a game in a file.
                reached = game.apply_changes(reached, (change,))
                edits += _edits(game, (change,))
    edits += _edits(game, game.difference(reached, state))
    # The log has removed the things that a person removed, but the file no longer has them.
    document = file.document.edit((*edits, Edit(("log",), str(mark))), missing_ok=True)
    reread, faults = game.read(document.tree)
    # An illegal value stays in the file until the person corrects it, or play changes it.
    left = [path for path in file.kept_out if lookup(document.tree, path) == lookup(file.document.tree, path)]
    if unsaid := [change for change in game.difference(reread, state) if change.path not in left]:
        # A table that existed only because of its contents is gone with them.
        document = document.edit([*_edits(game, unsaid)], missing_ok=True)
        faults = game.read(document.tree)[1]
    faulty = tuple(fault.path for fault in faults if not (fault.at_key or fault.lacking))
    return CampaignFile(
        document, state, mark, _locate_faults(document, faults), None, mark, faulty=faulty, kept_out=tuple(left)
    )


def _edits(game: Game, changes: Sequence[Change]) -> Iterator[Edit]:
    """Return the changes for the file in the right order. Values that get a line of their own come after their table."""
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


def _check_same_game(game: Game, document: Document) -> None:
    """Raise `UnreadableFile` if the file names another game, or is of another format."""
    _refuse_other_formats(document)
    if document.tree.get("system") == game.system.id:
        return
    named = system_of(document)
    message = f"the game is now {named.name} ({named.id}). Quit, and open the campaign again to play it"
    raise UnreadableFile(Problem(document.name, *document.position(("system",), of_value=True), message))


def _locate_faults(document: Document, faults: Sequence[Fault]) -> tuple[Problem, ...]:
    found = [
        Problem(
            document.name,
            *document.position(fault.path, of_value=not fault.at_key),
            fault.message + _why_no_part(document, fault),
            fault.clause,
            fault.unfinished,
        )
        for fault in faults
    ]
    return tuple(sorted(found, key=lambda problem: (problem.line, problem.column)))


def _why_no_part(document: Document, fault: Fault) -> str:
    """Return why a house rule can't be a part of the rules, such as outcomes or a token; empty for any other fault."""
    is_part = isinstance(lookup(document.tree, fault.path), dict | list)
    if not (fault.at_key and is_part and len(fault.path) == 2 and fault.path[0] == "house_rules"):
        return ""
    if (name := document.tree.get("system")) in names():
        return f". This game is written in Python, so its outcomes, tokens and tracks can't be changed. {what_can_be_set(name)}"
    return ". To replace or add a part of the rules, put an edition of the game beside this file, as game.toml"


def with_tables(game: Game, file: CampaignFile) -> CampaignFile:
    """Return the same file for a game with other random tables."""
    return replace(file, problems=_locate_faults(file.document, game.read(file.document.tree)[1]))


def check(path: Path, name: str, before: Document | None = None) -> tuple[Problem, ...]:
    """Return every problem of the campaign file at `path`, grave or not, in order of place; then those of the files
    beside it. Places call the file `name`. `before` is an earlier version of it, which tells what was edited since.
    """
    beside = read_hand_files(path.parent) if path.name == FILE else HandFiles()
    try:
        if path.name == FILE:
            real_file(path.parent)
        document = Document.parse(read_bytes(path), name)
        game = Game(system_of(document, path.parent), beside.tables, beside.cards)
        file = read_campaign_file(game, document, None)
        faults = [_with_overruling(document, fault, before) for fault in game.read(document.tree)[1]]
        file_problems, of_tables = _locate_faults(document, faults), beside.all_problems(game, file.state)
    except UnreadableFile as unreadable:
        file_problems = tuple(
            problem._replace(file=_shown_file(problem, path, name)) for problem in unreadable.problems
        )
        of_tables = beside.local_problems()
    return (*file_problems, *(problem._replace(file=str(Path(name).parent / problem.file)) for problem in of_tables))


def _with_overruling(document: Document, fault: Fault, before: Document | None) -> Fault:
    """Return the fault; for a number that the wayfinder may overrule, with the command that does so. Of a total, it names the
    first number that differs from that in `before`.
    """
    found = lookup(document.tree, fault.path)
    parts = found if isinstance(found, dict) else {"": found}
    numbers = {(*fault.path, *filter(None, (key,))): value for key, value in parts.items() if type(value) is int}
    if fault.excess is None or not numbers:
        return fault
    edited = (path for path, value in numbers.items() if before and lookup(before.tree, path) != value)
    path = next(edited, next(iter(numbers)))
    return replace(
        fault, message=f"{fault.message}. To set it anyway, type “overrule {format_path(path)} {numbers[path]}”"
    )


def overrulings(path: Path, name: str) -> tuple[Problem, ...]:
    """Return what the wayfinder has overruled in the campaign file at `path`, with the places. Places call the file `name`.
    None if it can't be read.
    """
    try:
        document = Document.parse(read_bytes(path), name)
        faults = Game(system_of(document, path.parent)).overrulings(document.tree)
    except UnreadableFile:
        return ()
    ruled = [replace(fault, message=f"{fault.message}. You have overruled this") for fault in faults]
    return _locate_faults(document, ruled)


def _shown_file(problem: Problem, path: Path, name: str) -> str:
    """Return which file has a problem: the game's, if it is there, or the campaign's, which places call `name`."""
    of_game = path.parent / problem.file
    if of_game == path or not of_game.exists() or problem.file == name:
        return name
    return problem.file if Path(problem.file).is_absolute() else str(Path(name).parent / problem.file)


TABLES, CARDS = "tables", "prep"
"""The folders."""
_ENDING = ".toml"
_MOST_HAND_FILES = 500
"""The most files of a folder that are read."""


@dataclass(frozen=True, slots=True)
class HandFiles:
    """The contents of the folders when they were last read."""

    tables: Mapping[str, RandomTable] = field(default_factory=dict)
    cards: Mapping[str, SceneCard] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    """The files by their paths in the campaign's folder, without their ending: `tables/knocks`."""
    problems: tuple[Problem, ...] = ()
    """Files, or parts of files, that could not be read. Such files are not used."""
    seen: Mapping[str, FileSignature | None] = field(default_factory=dict)

    def all_problems(self, game: Game, state: State) -> tuple[Problem, ...]:
        """Return what could not be read, and what breaks a clause in the campaign as it is now."""
        of_tables, of_cards = game.table_faults(state), game.card_faults(state)
        return (*self.problems, *self._locate_faults(TABLES, of_tables), *self._locate_faults(CARDS, of_cards))

    def local_problems(self) -> tuple[Problem, ...]:
        """Return what could not be read, and what breaks a clause without looking at the campaign."""
        of_tables = {key: [*rules.faults(self.tables, key)] for key in self.tables}
        return (*self.problems, *self._locate_faults(TABLES, of_tables))

    def _locate_faults(self, folder: str, faults: Mapping[str, Sequence[Fault]]) -> Iterator[Problem]:
        for key, of_file in faults.items():
            document = self.documents[f"{folder}/{key}"]
            yield from sorted((_locate_fault(document, fault) for fault in of_file), key=lambda p: (p.line, p.column))


def hand_file_signatures(folder: Path) -> Mapping[str, FileSignature | None]:
    """Return the signature of each file of a campaign's folders, by its path there."""
    names = [name for beside in (TABLES, CARDS) for name in _names_in(folder, beside)[: _MOST_HAND_FILES + 1]]
    return {name: file_signature(folder / name) for name in names}


def _names_in(folder: Path, beside: str) -> list[str]:
    try:
        with os.scandir(f"{folder}/{beside}") as found:
            names = (entry.name for entry in found if entry.name.endswith(_ENDING) and entry.name[0] != ".")
            return [f"{beside}/{name}" for name in sorted(names)]
    except OSError:
        return []


def read_hand_files(folder: Path) -> HandFiles:
    """Read the folders beside a campaign file; nothing from one that isn't there."""
    files, documents, problems = hand_file_signatures(folder), dict[str, Document](), list[Problem]()
    found: dict[str, dict[str, Any]] = {}
    for beside, record, what in ((TABLES, RandomTable, "tables"), (CARDS, SceneCard, "scene cards")):
        of_folder, names = found.setdefault(beside, {}), [name for name in files if name.startswith(f"{beside}/")]
        if len(names) > _MOST_HAND_FILES:
            problems.append(
                Problem(
                    beside,
                    1,
                    1,
                    f"there are more than {_MOST_HAND_FILES} {what}, so only the first {_MOST_HAND_FILES} are used",
                )
            )
        for name in names[:_MOST_HAND_FILES]:
            try:
                document = Document.parse(read_bytes(folder / name), name)
            except UnreadableFile as unreadable:
                problems += [problem._replace(file=name) for problem in unreadable.problems]
                continue
            value, faults = records.read(record, document.tree)
            problems += [_locate_fault(document, fault) for fault in faults]
            if not any(fault.grave for fault in faults):
                path = name.removesuffix(_ENDING)
                of_folder[path.removeprefix(f"{beside}/")], documents[path] = value, document
    tables, cards = found[TABLES], found[CARDS]
    return HandFiles(
        {key: replace(table, name=table.name or _name_of(key)) for key, table in tables.items()},
        {key: replace(card, title=card.title or _name_of(key)) for key, card in cards.items()},
        documents,
        tuple(problems),
        files,
    )


def _name_of(key: str) -> str:
    """Return what a file without a name of its own is called."""
    return key.replace("-", " ").capitalize()


def _locate_fault(document: Document, fault: Fault) -> Problem:
    return Problem(document.name, *document.position(fault.path), fault.message, fault.clause)
