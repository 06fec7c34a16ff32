"""The campaign's random tables: the files `tables/*.toml`. Waylog reads them; those of the starter kit are copied by `kit.py`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from waylog.rules.codec import records
from waylog.rules.codec.base import Fault
from waylog.rules.common import random_tables as rules
from waylog.rules.common.random_tables import RandomTable
from waylog.rules.game import Game
from waylog.rules.model.state import State
from waylog.store.files import FileSignature, file_signature
from waylog.toml.document import Document, Problem, UnreadableFile, read_bytes
from waylog.values import dataclass, field, replace

FOLDER = "tables"
_ENDING = ".toml"
_MOST = 500
"""The most files that are read."""


@dataclass(frozen=True, slots=True)
class TableFiles:
    """The contents of the folder when it was last read."""

    tables: Mapping[str, RandomTable] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    """Files, or parts of files, that could not be read. Such files are not used."""
    seen: Mapping[str, FileSignature | None] = field(default_factory=dict)

    def all_problems(self, game: Game, state: State) -> tuple[Problem, ...]:
        """Return what could not be read, and what breaks a clause in the campaign as it is now."""
        return (*self.problems, *self._locate_faults(game.table_faults(state)))

    def local_problems(self) -> tuple[Problem, ...]:
        """Return what could not be read, and what breaks a clause without looking at the campaign."""
        return (*self.problems, *self._locate_faults({key: [*rules.faults(self.tables, key)] for key in self.tables}))

    def _locate_faults(self, faults: Mapping[str, Sequence[Fault]]) -> Iterator[Problem]:
        for key, table_faults in faults.items():
            yield from sorted(
                (_locate_fault(self.documents[key], fault) for fault in table_faults), key=lambda p: (p.line, p.column)
            )


def file_signatures(folder: Path) -> Mapping[str, FileSignature | None]:
    """Return the signature of each file in the folder."""
    try:
        with os.scandir(f"{folder}/{FOLDER}") as found:
            names = sorted(entry.name for entry in found if entry.name.endswith(_ENDING) and entry.name[0] != ".")
    except OSError:
        return {}
    return {name: file_signature(folder / FOLDER / name) for name in names[: _MOST + 1]}


def read(folder: Path) -> TableFiles:
    """Read the tables of a campaign's folder; none if it has no such folder."""
    tables, documents, problems = {}, {}, list[Problem]()
    files = file_signatures(folder)
    if len(files) > _MOST:
        problems.append(Problem(FOLDER, 1, 1, f"more than {_MOST} tables: only the first {_MOST} are used"))
    for name in [*files][:_MOST]:
        key, shown = name.removesuffix(_ENDING), f"{FOLDER}/{name}"
        try:
            document = Document.parse(read_bytes(folder / FOLDER / name), shown)
        except UnreadableFile as unreadable:
            problems += [problem._replace(file=shown) for problem in unreadable.problems]
            continue
        table, faults = records.read(RandomTable, document.tree)
        problems += [_locate_fault(document, fault) for fault in faults]
        if not any(fault.grave for fault in faults):
            tables[key] = replace(table, name=table.name or key.replace("-", " ").capitalize())
            documents[key] = document
    return TableFiles(tables, documents, tuple(problems), files)


def _locate_fault(document: Document, fault: Fault) -> Problem:
    return Problem(document.name, *document.position(fault.path), fault.message, fault.clause)
