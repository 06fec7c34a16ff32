"""The file `lines.toml` beside a campaign: the lines and veils of its table. Waylog only reads it, and players never see it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from waylog.rules.codec import base_and_limits, records
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.lines_and_veils import LinesAndVeils, mentions_in_campaign, mentions_in_card, mentions_in_table
from waylog.store.file import campaign_file_tables_and_scene_cards
from waylog.store.file.campaign_file_tables_and_scene_cards import system_of
from waylog.store.files_and_lock import FILE as CAMPAIGN_FILE
from waylog.store.files_and_lock import LINES as FILE
from waylog.store.files_and_lock import FileSignature, file_signature
from waylog.toml.document import Document, FileMissing, Problem, UnreadableFile, read_bytes
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class LinesFile:
    """The contents of the file when it was last read."""

    limits: LinesAndVeils = LinesAndVeils()
    problems: tuple[Problem, ...] = ()
    """The parts of the file that could not be read, with their places."""
    seen: FileSignature | None = None


def read(folder: Path) -> LinesFile:
    """Read the file in a campaign's folder. A missing or unreadable file lists nothing."""
    path = folder / FILE
    seen = file_signature(path)
    if seen is None:
        return LinesFile()
    try:
        document = Document.parse(read_bytes(path), FILE)
    except FileMissing:
        return LinesFile()
    except UnreadableFile as unreadable:
        return LinesFile(problems=tuple(each._replace(file=FILE) for each in unreadable.problems), seen=seen)
    lines_and_veils, faults = records.read(LinesAndVeils, document.tree, base_and_limits.LINES_LIMITS)
    return LinesFile(
        lines_and_veils, tuple(Problem(FILE, *document.position(each.path), each.message) for each in faults), seen
    )


def find_in_files(folder: Path) -> Iterator[Problem]:
    """Yield every text of a campaign's tables, scene cards, decks and clocks that mentions a line or a veil, with its place.

    Files that can't be read are skipped.
    """
    lines_and_veils = read(folder).limits
    beside = campaign_file_tables_and_scene_cards.read_hand_files(folder)
    for key, table in beside.tables.items():
        for path, phrase in mentions_in_table(table, lines_and_veils):
            yield _problem(beside.documents[f"{campaign_file_tables_and_scene_cards.TABLES}/{key}"], path, phrase)
    for key, card in beside.cards.items():
        for path, phrase in mentions_in_card(card, lines_and_veils):
            yield _problem(beside.documents[f"{campaign_file_tables_and_scene_cards.CARDS}/{key}"], path, phrase)
    try:
        document = Document.parse(read_bytes(folder / CAMPAIGN_FILE), CAMPAIGN_FILE)
        state, _ = Game(system_of(document, folder), beside.tables).read(document.tree)
    except UnreadableFile:
        return
    for path, phrase in mentions_in_campaign(state.clocks, state.decks, lines_and_veils):
        yield _problem(document, path, phrase)


def _problem(document: Document, path: ValuePath, phrase: str) -> Problem:
    return Problem(document.name, *document.position(path), f"mentions {phrase}")
