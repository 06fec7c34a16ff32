"""What people write in the folders beside the campaign file: random tables in `tables/`, and scene cards in `prep/`. Waylog only reads
them; tables of the starter kit are copied by `kit.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from waylog.rules.codec import records
from waylog.rules.codec.base import Fault
from waylog.rules.common import random_tables as rules
from waylog.rules.common.random_tables import RandomTable
from waylog.rules.common.scene_cards import SceneCard
from waylog.rules.game import Game
from waylog.rules.model.state import State
from waylog.store.files import FileSignature, file_signature
from waylog.toml.document import Document, Problem, UnreadableFile, read_bytes
from waylog.values import dataclass, field, replace

TABLES, CARDS = "tables", "prep"
"""The folders."""
_ENDING = ".toml"
_MOST = 500
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


def file_signatures(folder: Path) -> Mapping[str, FileSignature | None]:
    """Return the signature of each file of a campaign's folders, by its path there."""
    names = [name for beside in (TABLES, CARDS) for name in _names_in(folder, beside)[: _MOST + 1]]
    return {name: file_signature(folder / name) for name in names}


def _names_in(folder: Path, beside: str) -> list[str]:
    try:
        with os.scandir(f"{folder}/{beside}") as found:
            names = (entry.name for entry in found if entry.name.endswith(_ENDING) and entry.name[0] != ".")
            return [f"{beside}/{name}" for name in sorted(names)]
    except OSError:
        return []


def read(folder: Path) -> HandFiles:
    """Read the folders beside a campaign file; nothing from one that isn't there."""
    files, documents, problems = file_signatures(folder), dict[str, Document](), list[Problem]()
    found: dict[str, dict[str, Any]] = {}
    for beside, record, what in ((TABLES, RandomTable, "tables"), (CARDS, SceneCard, "scene cards")):
        of_folder, names = found.setdefault(beside, {}), [name for name in files if name.startswith(f"{beside}/")]
        if len(names) > _MOST:
            problems.append(
                Problem(beside, 1, 1, f"there are more than {_MOST} {what}, so only the first {_MOST} are used")
            )
        for name in names[:_MOST]:
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
