"""The writer of TOML files: any edit of any file keeps its promises, and a file that is only saved stays as it is."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterator
from random import Random

from tests.toml.edit_promises import walk
from tests.toml_suite import suite
from torture.figures import Harness, Tally, Work
from waylog.store.files_and_lock import put_in_place, write_beside
from waylog.toml.document import Document

_OF_ONE_FILE = 20
_ENOUGH = 20
"""Faults after which no more are looked for."""


def run(work: Work) -> Iterator[Tally]:
    """Edit files at random, then save the TOML project's own."""
    yield _edits(work)
    yield _unchanged(work)


def _edits(work: Work) -> Tally:
    tally = Tally("random edits by the writer", "edits", ("wrong",), work.times(100_000, 3_000, 25))
    counts = Counter[str]()
    while tally.count < tally.wanted and len(tally.faults) < _ENOUGH:
        seed = f"{work.seed} {tally.also['files']}"
        try:
            counts += walk(Random(seed), _OF_ONE_FILE)
        except AssertionError:
            tally.wrong("wrong", f"{seed}: {traceback.format_exc(limit=-3)}")
        tally.count = counts["made"]
        tally.also["files"] += 1
    tally.also["refused for cause"] = counts["refused"]
    return tally


def _unchanged(work: Work) -> Tally:
    stride = work.times(1, 1, 21)
    files = suite().valid[work.seed % stride :: stride]
    tally = Tally("toml-test valid files opened and saved unchanged", "files", ("not byte-identical",), len(files))
    for file in files:
        data = file.read_bytes()
        target = work.folder / "saved.toml"
        put_in_place(write_beside(target, Document.parse(data, file.name).edit([]).data), target)
        tally.did()
        if target.read_bytes() != data:
            tally.wrong("not byte-identical", str(file))
    return tally


HARNESS = Harness("writer", "random edits of wild files; toml-test saved unchanged", run)
