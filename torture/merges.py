"""Two copies of a campaign are played and edited apart, and git merges them: what stands in the merged file is in the campaign.

git merges the file line by line, and where both copies have changed a line it takes one side's. The log can only be that of
one side. So the file may have a mark, values and edits that the log knows nothing of.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from torture.acts import one
from torture.by_hand import edited, save
from torture.campaigns import FILE, made, opened, saves_in_one_piece
from torture.figures import Harness, Tally, Work
from waylog.rules.codec.changes import Change
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.language.command_parser import CommandUnclear
from waylog.rules.model.moves import ActRefused
from waylog.store.file.campaign_file_tables_and_scene_cards import read_campaign_file
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.verification import problems
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import ABSENT, Document, UnreadableFile, lookup

_WRONGS = ("edits lost", "things that come back", "states wrong", "logs damaged", "breakdowns")
_NUMBER = re.compile(r"^(?:focus|vitality|filled|segments) = (\d+)", re.MULTILINE)
_CLOCKS = 5
_CLOCK = """
# What k{number} is about
[clocks.k{number}]
name = "Threat {number}"
kind = "push"
segments = 12
notes = "as it began"
"""
_NOTES = re.compile(r'^notes = ("[^"\n]*")', re.MULTILINE)
_MOST_EDITS = 4


class _Merge(NamedTuple):
    """How two copies become one."""

    prefers: str
    """Whose lines count where both have changed them: `ours` or `theirs`."""
    log: str
    """Whose log it is."""
    whole_file: bool
    """The file is that side's as well, and not merged by lines."""
    tracked: bool
    """Whether git knows the history too."""
    cloned: bool
    """Whether the outcome is cloned once more, so that a history that git doesn't know is missing."""


def run(work: Work) -> Iterator[Tally]:
    """Merge after merge, each of new copies."""
    tally = Tally("played copies merged by git", "merges", _WRONGS, work.times(500, 60, 6))
    random = Random(work.seed)
    with saves_in_one_piece():
        for number in range(tally.wanted * 3):
            if tally.count >= tally.wanted:
                break
            folder = work.folder / str(number)
            folder.mkdir()
            _try(folder, random, tally)
            shutil.rmtree(folder)
    yield tally


def _try(folder: Path, random: Random, tally: Tally) -> None:
    prefers, other = random.sample(("ours", "theirs"), 2)
    log = other if random.random() < 0.7 else prefers
    merge = _Merge(prefers, log, random.random() < 0.5, random.random() < 0.3, random.random() < 0.7)
    where = f"merge {tally.count}, {merge}"
    ours, theirs = made(folder / "ours"), folder / "theirs"
    with (ours / FILE).open("a") as file:
        file.writelines(_CLOCK.format(number=number) for number in range(_CLOCKS))
    _play(ours, random)
    (ours / ".gitignore").write_text(".lock\nplayers.toml\n" + ("" if merge.tracked else "history/\n"))
    _git(ours, "init", "--quiet", "--initial-branch=main")
    _commit(ours)
    _git(folder, "clone", "--quiet", "ours", "theirs")
    for copy in (ours, theirs):
        _play(copy, random)
        _commit(copy)
    found = _merged(ours, theirs, merge)
    try:
        document, game = Document.parse((found / FILE).read_bytes(), FILE), opened(theirs, random).game
        broken = bool(read_campaign_file(game, document, None).faulty)
    except UnreadableFile:
        broken = True
    if broken:
        tally.also["files that git left broken"] += 1
    else:
        _look(found, random, tally, where)


def _play(folder: Path, random: Random) -> None:
    """Act and edit in turn. The last edits may be those of a person who has no window open."""
    table = opened(folder, random)
    for _ in range(random.randrange(_MOST_EDITS)):
        for _ in range(random.randrange(5)):
            _act(table, random)
        table.settle()
        _edit(folder, random)
        table.refresh()
        if table.snapshot.asked:
            table.answer_file(keep=True)
    _act(table, random)
    table.settle()
    for _ in range(random.randrange(2)):
        _edit(folder, random)


def _act(table: Table, random: Random) -> None:
    """Do any act, or one that sets a value that people edit too."""
    key = f"k{random.randrange(_CLOCKS)}"
    if random.random() < 0.5 or key not in table.snapshot.clocks:
        one(random, table)
        return
    with suppress(ActRefused, CommandUnclear):
        table.play(table.understand(f'set clocks.{key}.notes "played {random.random()}"'))


def _edit(folder: Path, random: Random) -> None:
    """Save the file with another text, number, key or line, as long as it can still be read."""
    text = (folder / FILE).read_bytes().decode()
    numbers, notes = [*_NUMBER.finditer(text)], [*_NOTES.finditer(text)]
    new = edited(random, text)
    if places := random.choice((notes, notes, numbers, ())):
        place = random.choice(places)
        value = f'"by hand {random.random()}"' if places is notes else random.randrange(4)
        new = f"{text[: place.start(1)]}{value}{text[place.end() :]}"
    with suppress(UnreadableFile):
        game = opened(folder, random).game
        if not read_campaign_file(game, Document.parse(new.encode(), FILE), None).problems:
            save(folder, new)


def _merged(ours: Path, theirs: Path, merge: _Merge) -> Path:
    """Merge their copy into ours; gives the folder of the outcome."""
    _git(ours, "fetch", "--quiet", str(theirs), "main:theirs")
    sides = {"ours": "HEAD", "theirs": "theirs"}
    merged = ("merge", "--quiet", "--no-commit", "--no-ff", "-X", merge.prefers, "theirs")
    _git(ours, *merged, may_fail=True)
    for name, side in (("log", merge.log), *(((FILE, merge.prefers),) if merge.whole_file else ())):
        _git(ours, "rm", "-rq", "--cached", "--ignore-unmatch", name)
        shutil.rmtree(ours / name, ignore_errors=True) if name != FILE else (ours / name).unlink()
        _git(ours, "checkout", "--quiet", sides[side], "--", name, may_fail=True)  # Nothing may have been played there.
    _commit(ours)
    if not merge.cloned:
        return ours
    _git(ours.parent, "clone", "--quiet", "ours", "clone")
    return ours.parent / "clone"


def _look(folder: Path, random: Random, tally: Tally, where: str) -> None:
    """Open what came of it, and look for each value of the file in the file and the log as they are then."""
    tally.did()
    before = _tree(folder)
    try:
        table = opened(folder, random)
        behind = table.file_is_behind()
        table.refresh()
        if table.snapshot.asked:
            tally.also["questions"] += 1
            table.answer_file(keep=True)
        if not table.settle():
            tally.wrong("breakdowns", f"{where}: {table.snapshot.unsaved}")
            return
        after, entries = _tree(folder), [*table.entries()]
        again = opened(folder, random)
        again.refresh()
        again.settle()
    except (LogWriteFailed, UnreadableFile, OSError, ValueError) as error:
        tally.wrong("breakdowns", f"{where}: {error!r}")
        return
    tally.also["files behind their log"] += behind
    tally.also["conflicts"] += len(table.snapshot.conflicts)
    for change in _differences(table.game, before, after):
        named = [change, *(replace(change, path=path) for path in _old_paths(entries, change.path))]
        if not any(_is_explained(each, entries) for each in named):
            kind = "edits lost" if change.before is not None else "things that come back"
            tally.wrong(kind, f"{where}: {change}")
    if again.snapshot.entries != table.snapshot.entries or _differences(table.game, after, _tree(folder)):
        tally.wrong("states wrong", f"{where}: another start finds something else")
    told = [str(problem) for problem in problems(folder / "log", "log")]
    tally.all_wrong("logs damaged", where, [problem for problem in told if "missing" not in problem])


def _tree(folder: Path) -> dict[str, Any]:
    return Document.parse((folder / FILE).read_bytes(), FILE).tree


def _differences(game: Game, one: dict[str, Any], other: dict[str, Any]) -> tuple[Change, ...]:
    return tuple(game.difference(game.read(one)[0], game.read(other)[0]))


def _old_paths(entries: Sequence[LogEntry], path: ValuePath) -> Iterator[ValuePath]:
    """Yield the paths that a value had before its thing got another key by hand: what was played under the old one moves along."""
    for entry in entries:
        gone = [each.path for each in entry.changes if each.after is None]
        if any(each.before is None and each.path == path[: len(each.path)] for each in entry.changes):
            yield from ((*old, *path[len(old) :]) for old in gone)


def _is_explained(change: Change, entries: Sequence[LogEntry]) -> bool:
    """Whether the log has the value that the merged file had; of a thing that it has removed, each value that differs from the last."""
    made = [each for entry in entries for each in entry.changes]
    if any(_explains(each, change) for each in made):
        return True
    gone = next((each.before for each in made if each.path == change.path and each.after is None), None)
    if not (isinstance(change.before, dict) and isinstance(gone, dict)):
        return False
    parts = (Change((*change.path, key), value, None) for key, value in change.before.items() if gone.get(key) != value)
    return all(_is_explained(part, entries) for part in parts)


def _explains(each: Change, change: Change) -> bool:
    """Whether an entry has a value that the merged file had and the campaign no longer has: play replaced it, or an edit did."""
    if each.path != change.path[: len(each.path)]:
        return False
    rest = change.path[len(each.path) :]
    return any(_at(value, rest) == change.before for value in (each.before, each.after))


def _at(value: Any, path: ValuePath) -> Any:
    found = ABSENT if value is None else lookup({"": value}, ("", *path))
    return None if found is ABSENT else found


def _commit(folder: Path) -> None:
    _git(folder, "add", "--all")
    author = ("-c", "user.name=Waylog", "-c", "user.email=waylog@localhost")
    _git(folder, *author, "commit", "--quiet", "--allow-empty", "--message", "played")


def _git(folder: Path, *words: str, may_fail: bool = False) -> None:
    done = subprocess.run(("git", *words), cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode and not may_fail:
        raise AssertionError(f"git {' '.join(words)}: {done.stderr}")


HARNESS = Harness("merges", "copies that git merges after each was played and edited", run, ("git",))
