"""Games in files: where a `game.toml` is found, and the game that it declares.

A game is looked for by its id: beside the campaign, then in the user's folder of games, then among those that come with Waylog. Games
that are written in Python are found before any file. `GameWatch` reads the game file of an open campaign again when it has changed.

The cache folder has a copy of each game file that was checked and has no mistakes, under the game's id. A file that is equal to its copy
needs no check. A copy that is missing, cut or old only costs time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waylog import __version__
from waylog.rules.codec.changes import format_path, join_names, parse_path
from waylog.rules.common.random_tables import Tables
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems import names, what_can_be_set
from waylog.store.files_and_lock import FILE, FileSignature, file_signature
from waylog.toml.document import Document, FileMissing, Problem, UnreadableFile, read_bytes
from waylog.values import NamedTuple

if TYPE_CHECKING:
    from waylog.rules.common.random_tables import Tables
    from waylog.rules.file_game.based_rolls_and_replaced_parts import GameEdition
    from waylog.rules.file_game.game_file_format import Flaw

_RULES = Path(__file__).resolve().parents[2] / "rules"
_CHECKS = (_RULES / "file_game", _RULES / "codec")
"""The folders of the modules that check a file."""


def is_known(name: str, data: bytes) -> bool:
    """Whether this version of Waylog has found no mistakes in a game file with these bytes."""
    path = _copy_of(name)
    try:
        return path is not None and path.read_bytes() == _heading() + data
    except OSError:
        return False


def remember(name: str, data: bytes) -> None:
    """Remember a game file without mistakes."""
    path = _copy_of(name)
    if path is not None:
        with suppress(OSError):  # Without a copy, the next start checks the file again.
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_heading() + data)


def _copy_of(name: str) -> Path | None:
    """Return the path of a game's copy; None if the id can't be a file name, or the account has no home folder."""
    if not name.replace("-", "").isalnum() or not name.isascii():
        return None
    named = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = Path(named) if named.startswith("/") else Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "waylog" / "games" / f"{name}.toml"


@cache
def _heading() -> bytes:
    """Return the first line of a copy: the version of Waylog whose checks found no mistakes. Another version may find some."""
    newest = max(_times(), default=0)
    return f"# Waylog {__version__} found no mistakes here. Its checks date from {newest}\n".encode()


def _times() -> Iterator[int]:
    """Yield the time of each module that checks a file, in nanoseconds."""
    for folder in _CHECKS:
        with suppress(OSError), os.scandir(folder) as entries:
            yield from (entry.stat().st_mtime_ns for entry in entries if entry.name.endswith(".py"))


GAME_FILE = "game.toml"
_FOLDER = "games"


class GameUnusable(UnreadableFile):
    """A campaign's game is in a file that is missing or has mistakes. The exception has the problems of the game file."""


class FoundGame(NamedTuple):
    """A game in a file, where it was found."""

    system: Rulebook
    path: Path


def find(name: str, folder: Path) -> FoundGame:
    """Return the game in a file with that id. Raises `GameUnusable`."""
    beside, *others = places_of(name, folder)
    other = ""
    for path in (beside, *others):
        try:
            data = read_bytes(path)
        except FileMissing:
            continue
        except UnreadableFile as unreadable:
            raise GameUnusable(
                *(problem._replace(file=shown_name(path, folder)) for problem in unreadable.problems)
            ) from None
        game = read_game(data, shown_name(path, folder), path, remembers=True)
        if game.id == name:
            return FoundGame(game, path)
        other = other or game.id
        if path is not beside:
            message = f"the id of this game is “{game.id}”, but in the folder {name} it should be “{name}”"
            raise GameUnusable(Problem(shown_name(path, folder), 1, 1, message))
    raise GameUnusable(Problem(GAME_FILE, 1, 1, _missing_text(name, places_of(name, folder), other)))


def has_file(name: str, folder: Path) -> bool:
    """Whether there is a file for a game of that id."""
    return any(path.exists() for path in places_of(name, folder))


def may_be_in_a_file(folder: Path) -> bool:
    """Whether a campaign whose game is found nowhere has been played, so that its game must have been in a file."""
    return any((folder / "log").glob("*"))


def _missing_text(name: str, places: tuple[Path, ...], other: str) -> str:
    where = " or ".join(map(str, places[:2]))
    if other:
        return f"this file contains the game “{other}”, but the campaign plays “{name[:40]}”, whose file is missing. Put that file in {where}"
    return f"the game of this campaign is “{name[:40]}”, but its file is missing. Put the file in {where}. If the game came from a Python package, install that package again"


def places_of(name: str, folder: Path) -> tuple[Path, ...]:
    """Return the files that may declare a game: beside the campaign, the user's own, and the one that comes with Waylog."""
    beside = folder / GAME_FILE
    if not name or "/" in name or name.startswith("."):
        return (beside,)
    return (beside, *(games / name / GAME_FILE for games in game_folders()))


def game_folders() -> tuple[Path, ...]:
    """Return the folders of games: the user's own, and the one that comes with Waylog."""
    included = Path(__file__).resolve().parents[2] / _FOLDER
    of_user = user_games()
    return (of_user, included) if of_user else (included,)


def user_games() -> Path | None:
    """Return the user's folder of games; None for an account without a home."""
    data = os.environ.get("XDG_DATA_HOME", "")
    try:
        base = Path(data) if data.startswith("/") else Path.home() / ".local/share"
    except RuntimeError:
        return None
    return base / "waylog" / _FOLDER


def list_games() -> Iterator[Path]:
    """Yield the game files in the folders of games, in order of their ids. A game of the user hides an included one."""
    found: dict[str, Path] = {}
    for games in game_folders():
        try:
            names = sorted(entry.name for entry in games.iterdir() if not entry.name.startswith("."))
        except OSError:
            continue
        for name in names:
            if (games / name / GAME_FILE).is_file():
                found.setdefault(name, games / name / GAME_FILE)
    yield from (found[name] for name in sorted(found))


def system_named(name: str) -> Rulebook:
    """Return a game by its id, whether it is written in Python or in a file in a folder of games. Raises `KeyError` if there
    is none, and `GameUnusable` for one with mistakes.
    """
    from waylog.rules.systems import system

    try:
        return system(name)
    except KeyError:
        found = next((path for path in list_games() if path.parent.name == name), None)
        if found is None:
            raise
        return find(name, found.parent).system


def game_name(name: str, folder: Path) -> str:
    """Return what people call the game with that id; the id if there is none. A campaign in `folder` may have it beside it."""
    return game_name_and_line(name, folder)[0]


def game_name_and_line(name: str, folder: Path) -> tuple[str, str]:
    """Return the same and what the game is, in a line; empty if it doesn't say that.

    A game in a file is not read any further, so it may have mistakes.
    """
    from waylog.rules.systems import system

    try:
        found = system(name)
    except KeyError:
        pass
    else:
        return found.name, found.about
    for path in places_of(name, folder):
        with suppress(UnreadableFile):
            tree = Document.parse(read_bytes(path), path.name).tree
            called, about = tree.get("name"), tree.get("about")
            return called if isinstance(called, str) else name, about if isinstance(about, str) else ""
    return name, ""


def tables_of(name: str) -> tuple[Path, ...]:
    """Return the folders of random tables that come with a game in a file; none if it is written in Python."""
    if name in names():
        return ()
    found = next((path for path in list_games() if path.parent.name == name), None)
    return table_folders(found) if found is not None else ()


def table_folders(path: Path) -> tuple[Path, ...]:
    """Return the folders of random tables that come with the game in a file: those of its base, then its own."""
    try:
        data = read_bytes(path)
        base = _find_base(data, path.name, path)
    except UnreadableFile:
        base = None
    folders = (*((base.path.parent,) if base else ()), path.parent)
    return tuple(folder / "tables" for folder in folders if (folder / "tables").is_dir())


def good_games() -> Iterator[FoundGame]:
    """Yield the games in the folders of games that have no mistakes."""
    for path in list_games():
        try:
            yield find(path.parent.name, path.parent)
        except GameUnusable:
            continue


def shown_name(path: Path, folder: Path) -> str:
    """Return what problems call a game file: its name beside a campaign in `folder`, or its path."""
    return path.name if path.parent == folder else str(path)


def read_game(data: bytes, name: str, path: Path | None = None, *, remembers: bool = False) -> Rulebook:
    """Return the game that a file declares. Problems call the file `name`. Raises `GameUnusable` with every mistake.

    The base of the game is looked for in the folders of games, but not at `path`, which the data comes from. With `remembers`, a
    file without mistakes is remembered, so that it isn't checked when it is read again.
    """
    found = _read(data, name, _find_base(data, name, path), remembers)
    if isinstance(found, GameUnusable):
        raise found
    return found


@lru_cache(16)
def _read(data: bytes, name: str, base: BaseFile | None, remembers: bool) -> Rulebook | GameUnusable:
    """Return the game, or what is wrong. The same bytes give the same object, so nothing is made twice."""
    from waylog.rules.file_game.rulebook import UnplayableGame, rulebook_of

    document = below = None
    try:
        document = Document.parse(data, name)
        tree: Mapping[str, Any] = document.tree
        if base:
            below = Document.parse(base.data, str(base.path))
            tree, data = _merge(document, below), data + base.data
        id_ = str(tree.get("id", ""))
        is_sound = remembers and is_known(id_, data)
        game = rulebook_of(tree, is_sound=is_sound)
    except UnplayableGame as unplayable:
        return GameUnusable(*each_once(_locate_in(document, below, flaw) for flaw in unplayable.flaws if document))
    except UnreadableFile as unreadable:
        return GameUnusable(*unreadable.problems)
    if remembers and not is_sound:
        remember(id_, data)
    return game


def offers_without_table(data: bytes, name: str, path: Path, tables: Tables) -> tuple[Problem, ...]:
    """Return a problem for each offer that rolls on a table which doesn't come with the game. The game has no other mistakes."""
    from waylog.rules.file_game.check import check_offers

    edition: GameEdition = read_game(data, name, path).edition
    return tuple(sorted(_locate(data, name, path, check_offers(edition.tree, edition.game, tables))))


def advice_on(data: bytes, name: str, path: Path) -> Iterator[Problem]:
    """Yield what the author of a game without mistakes can't have meant, each as it is found."""
    from waylog.rules.file_game.check_advice import advise

    return _locate(data, name, path, advise(read_game(data, name, path)))


def advice_beside_mistakes(data: bytes, name: str, path: Path) -> Iterator[Problem]:
    """Yield what the author of a game with mistakes can't have meant, as far as the file can be read."""
    from waylog.rules.file_game.check_advice import advise_beside_mistakes

    with suppress(UnreadableFile):
        base, tree = _find_base(data, name, path), Document.parse(data, name)
        whole = _merge(tree, Document.parse(base.data, str(base.path))) if base else tree.tree
        yield from _locate(data, name, path, advise_beside_mistakes(whole))


_MOST_ALIKE = 2
"""How many problems with the same message are told one by one."""
_MOST_LINES = 12
"""How many lines with the same problem are named."""


def each_once(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems by their places. Where many in a file have the same message, the first one names the lines of the rest."""
    alike: dict[tuple[str, str], list[Problem]] = {}
    for problem in sorted(problems):
        alike.setdefault((problem.file, problem.message), []).append(problem)
    found = list[Problem]()
    for first, *others in alike.values():
        if len(others) < _MOST_ALIKE:
            found += (first, *others)
            continue
        lines = [*dict.fromkeys(str(one.line) for one in others)]
        lines[_MOST_LINES:] = ["others"] if len(lines) > _MOST_LINES else []
        where = f"line{'s' if len(lines) > 1 else ''} {join_names(lines)}"
        end = "" if first.message.endswith("?") else "."
        message = f"{first.message}{end} The same mistake occurs {len(others)} more times, in {where}"
        found.append(first._replace(message=message))
    return sorted(found)


def _locate(data: bytes, name: str, path: Path, flaws: Iterable[Flaw]) -> Iterator[Problem]:
    base = _find_base(data, name, path)
    document, below = Document.parse(data, name), Document.parse(base.data, str(base.path)) if base else None
    return (_locate_in(document, below, flaw) for flaw in flaws)


# -- a game that changes another ----------------------------------------------------------------------------------------


class BaseFile(NamedTuple):
    """The file of a game that another one changes."""

    path: Path
    data: bytes


def base_of(data: bytes, name: str) -> tuple[str, Problem | None]:
    """Return the id of the base that a file names, and why that game can't be a base, if so. The id is empty without a base."""
    if b"base" not in data:
        return "", None
    try:
        document = Document.parse(data, name)
    except UnreadableFile:
        return "", None
    wanted = document.tree.get("base", "")
    if not isinstance(wanted, str) or not wanted:
        return "", None
    if wanted not in names():
        return wanted, None
    message = f"{wanted[:40]} is written in Python, so a file can't change it. {what_can_be_set(wanted)}"
    return "", Problem(name, *document.position(("base",), of_value=True), message)


def _merge(document: Document, below: Document) -> Mapping[str, Any]:
    """Return the tree of a game merged into that of its base. Raises `GameUnusable` if it removes something that isn't there."""
    # Imported late: few games change another.
    from waylog.rules.file_game.based_rolls_and_replaced_parts import merge_trees, without_paths, wrong_removals

    tree, removed = document.tree, document.tree.get("without", ())
    if not (isinstance(removed, list) and all(isinstance(text, str) for text in removed)):
        removed = ()  # The check reports it.
    if flaws := [*wrong_removals(below.tree, removed)]:
        raise GameUnusable(*(locate(document, flaw) for flaw in flaws))
    return merge_trees(without_paths(below.tree, map(parse_path, removed)), tree)


def _find_base(data: bytes, name: str, path: Path | None) -> BaseFile | None:
    """Return the base of a game. Raises `GameUnusable` if it is missing, or has a base itself."""
    wanted, problem = base_of(data, name)
    if problem:
        raise GameUnusable(problem)
    if not wanted:
        return None
    at = Document.parse(data, name).position(("base",), of_value=True)
    for place in _base_places(wanted):
        if path is not None and place.resolve() == path.resolve():
            continue
        try:
            below = BaseFile(place, read_bytes(place))
        except FileMissing:
            continue
        except UnreadableFile as unreadable:
            raise GameUnusable(*unreadable.problems) from None
        if deeper := base_of(below.data, str(place))[0]:
            raise GameUnusable(
                Problem(name, *at, f"{wanted} is itself based on another game: name that one instead ({deeper})")
            )
        return below
    where = " or ".join(map(str, _base_places(wanted)[:1]))
    raise GameUnusable(
        Problem(name, *at, f"the game “{wanted[:40]}”, which this one changes, is missing. Put it in {where}")
    )


def _base_places(wanted: str) -> tuple[Path, ...]:
    return places_of(wanted, Path())[1:]


def places_read(name: str, folder: Path) -> tuple[Path, ...]:
    """Return the files that a campaign's game depends on: those that may declare it, and those that may declare its base."""
    places = places_of(name, folder)
    for path in places:
        try:
            wanted, _ = base_of(read_bytes(path), path.name)
        except UnreadableFile:
            continue
        return (*places, *_base_places(wanted)) if wanted else places
    return places


def _locate_in(document: Document, below: Document | None, flaw: Flaw) -> Problem:
    """Return a mistake with its place: in the file itself, or in its base if the mistake is only there."""
    if below is None or _depth(document.tree, flaw.path) >= _depth(below.tree, flaw.path):
        return locate(document, flaw)
    problem, part = locate(below, flaw), format_path(flaw.path[:2])
    name = document.name
    hint = f"This file is the base of {name}. In {name}, redefine [{part}], or remove it with `without`"
    return problem._replace(message=f"{problem.message}. {hint}")


def _depth(tree: Any, path: tuple[str, ...]) -> int:
    """Return how many keys of a path lead somewhere."""
    for count, key in enumerate(path):
        if isinstance(tree, list) and key.isdigit() and int(key) < len(tree):
            tree = tree[int(key)]
        elif isinstance(tree, dict) and key in tree:
            tree = tree[key]
        else:
            return count
    return len(path)


def locate(document: Document, flaw: Flaw) -> Problem:
    """Return a mistake with its line and column."""
    line, column = document.position(flaw.path, of_value=not flaw.at_key)
    if flaw.within and document.text.split("\n")[line - 1][column - 1 : column] in ("'", '"'):
        column += flaw.within  # The text begins after a quotation mark.
    return Problem(document.name, line, column, flaw.message)


class GameWatch:
    """The game file of an open campaign: the version that was read last, and whether it has changed since."""

    def __init__(self, name: str, folder: Path, lacks: str = "") -> None:
        """Read the game with that id. If it can't be used, a game without rules takes its place.

        `lacks` says what to do if there is no file because the game's package is gone.
        """
        self._name, self._folder, self._lacks = name, folder, lacks
        self.problems: tuple[Problem, ...] = ()
        """The problems of the file as it is now. If there are any, the last good version of the rules is in use."""
        self.stands_in = False
        """Whether there is no good version yet, so that a game without rules takes its place and nothing can be played."""
        self.remarks: tuple[Problem, ...] = ()
        """The game's offers of random tables that the campaign doesn't have, if the file has changed since the campaign was opened."""
        self._seen = _signatures(places_read(name, folder))
        try:
            self.system = find(name, folder).system
        except GameUnusable as unusable:
            from waylog.rules.file_game.rulebook import stand_in_for

            self.problems, self.stands_in = self._why_not(unusable), True
            self.system = stand_in_for(name, str(self.problems[0]))

    def is_stale(self) -> bool:
        """Whether the file has changed since it was read, or another file comes before it now."""
        return _signatures(self._seen) != self._seen

    def look(self) -> Rulebook | None:
        """Read the file again. Return the game if the file has no mistakes and the game has changed."""
        self._seen = _signatures(places_read(self._name, self._folder))
        try:
            found = find(self._name, self._folder).system
        except GameUnusable as unusable:
            self.problems = self._why_not(unusable)
            return None
        self.problems = ()
        return found if found is not self.system else None

    def look_for_tables(self, tables: Tables) -> None:
        """Find the random tables that the game offers and the campaign doesn't have."""
        try:
            path = find(self._name, self._folder).path
            self.remarks = offers_without_table(read_bytes(path), shown_name(path, self._folder), path, tables)
        except UnreadableFile:  # Somebody is saving it.
            self.remarks = ()

    def is_back(self) -> bool:
        """Whether a missing game can be used now. The answer stays the same until the campaign is opened again."""
        if not self.stands_in or not self.is_stale():
            return False
        try:
            find(self._name, self._folder)
        except GameUnusable as unusable:
            self._seen = _signatures(places_read(self._name, self._folder))
            self.problems = self._why_not(unusable)
            return False
        return True

    def _why_not(self, unusable: GameUnusable) -> tuple[Problem, ...]:
        """Return why the game can't be used: because its package is gone, or else because of the problems of the file."""
        if self._lacks and not has_file(self._name, self._folder):
            return (Problem(FILE, 1, 1, self._lacks),)
        return unusable.problems

    def take(self, system: Rulebook, refused: tuple[Problem, ...]) -> None:
        """Note that the campaign uses this game now; or, with `refused`, why its file doesn't fit the game."""
        if refused:
            self.problems = refused
        else:
            self.system = system


def _signatures(places: Iterable[Path]) -> Mapping[Path, FileSignature | None]:
    return {path: file_signature(path) for path in places}
