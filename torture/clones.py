"""Two clones of a campaign are played apart and merged by git, with the conflicts that it leaves: nothing is lost, nothing silent.

Either git merges cleanly, and the log is whole; or it is named as a conflict, and joining brings every entry of both into one log, in the
same order whoever merges.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from torture.acts import one
from torture.campaigns import FILE, made, opened, saves_in_one_piece
from torture.figures import Harness, Tally, Work
from torture.merges import _commit, _git
from waylog.rules.language.command_parser import CommandUnclear
from waylog.rules.model.moves import ActRefused
from waylog.store.campaign_in_git import OTHER, commit_folder, has_conflict, join_logs
from waylog.store.log.verification import problems
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import UnreadableFile

_WRONGS = ("entries lost", "silent merges", "logs damaged", "values wrong", "breakdowns", "not committed")
Key = tuple[str, str]


def run(work: Work) -> Iterator[Tally]:
    """Pair after pair of clones."""
    tally, random = (
        Tally("two clones played apart and merged", "merges", _WRONGS, work.times(100, 20, 3)),
        Random(work.seed),
    )
    with saves_in_one_piece():
        for number in range(tally.wanted):
            folder = work.folder / str(number)
            folder.mkdir()
            try:
                _try(folder, random, tally, f"merge {number}")
            except (LogWriteFailed, UnreadableFile, OSError, ValueError, ActRefused) as error:
                tally.wrong("breakdowns", f"merge {number}: {error!r}")
            shutil.rmtree(folder)
    yield tally


def _try(folder: Path, random: Random, tally: Tally, where: str) -> None:
    ours, theirs = made(folder / "ours"), folder / "theirs"
    _play(ours, random)
    (ours / ".gitignore").write_text(".lock\nplayers.toml\nhistory/\n")
    _git(ours, "init", "--quiet", "--initial-branch=main")
    _commit(ours)
    for copy in (ours, theirs):
        if copy is theirs:
            _git(folder, "clone", "--quiet", "ours", "theirs")
            _git(ours, "checkout", "--quiet", "-b", "mine")
        _git(copy, "config", "user.name", "Waylog")
        _git(copy, "config", "user.email", "waylog@localhost")
    for copy in (ours, theirs):
        _play(copy, random)
        said = commit_folder(copy, "played")
        if not said.startswith(("Committed", "Nothing")):
            tally.wrong("not committed", f"{where}: {said}")
    wanted = [key for copy in (ours, theirs) for key in _keys(opened(copy, random))]
    _git(ours, "fetch", "--quiet", str(theirs), "main:theirs")
    _git(ours, "merge", "--quiet", "--no-edit", "theirs", may_fail=True)
    tally.did()
    texts = [path.read_bytes() for path in (ours / FILE, *sorted((ours / "log").glob("*.toml")))]
    told = [str(problem) for problem in problems(ours / "log", "log")]
    if told:
        tally.also["conflicts"] += 1
        join_logs(ours)
    else:
        tally.also["clean"] += 1
        if any(map(has_conflict, texts[1:])):
            tally.wrong("silent merges", f"{where}: the check says nothing of git's markers")
        if has_conflict(texts[0]):  # The log is whole. The file can't be read, and the check names the line.
            tally.also["campaign files with markers"] += 1
            return
    table = opened(ours, random)
    table.refresh()
    if table.snapshot.asked:
        table.answer_file(keep=True)
    table.settle()
    found = set(_keys(table))
    tally.all_wrong("entries lost", where, sorted(set(wanted) - found))
    tally.all_wrong("logs damaged", where, [str(problem) for problem in problems(ours / "log", "log")])
    if table.file_is_behind():
        tally.wrong("values wrong", f"{where}: the file doesn't come up to the log")
    (ours / OTHER).unlink(missing_ok=True)


def _play(folder: Path, random: Random) -> None:
    table = opened(folder, random)
    for _ in range(random.randrange(5)):
        if random.random() < 0.3:
            with suppress(ActRefused, CommandUnclear):
                table.play(table.understand(f"session {random.choice(('begin', 'end'))}"))
        one(random, table)
    table.settle()


def _keys(table: Table) -> Iterator[Key]:
    """Yield what an entry is known by when its number changes."""
    return ((entry.at.isoformat(), entry.words) for entry in table.entries())


HARNESS = Harness("clones", "clones that were both played, merged by git with its conflicts", run, ("git",))
