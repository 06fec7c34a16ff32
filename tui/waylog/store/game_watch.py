"""The game file of an open campaign: looked at again when it has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from waylog.rules.common.random_tables import Tables
from waylog.rules.systems import System
from waylog.store.game_files import (
    GameUnusable,
    find,
    has_file,
    offers_without_table,
    places_read,
    shown_name,
)
from waylog.store.lock_and_replace import FILE, FileSignature, file_signature
from waylog.toml.document import Problem, UnreadableFile, read_bytes


class GameWatch:
    """The game file of an open campaign: what was read of it last, and whether it has changed since."""

    def __init__(self, name: str, folder: Path, lacks: str = "") -> None:
        """Read the game with that id. If it can't be used, a game without rules stands in for it.

        `lacks` says what to do if there is no file for it: its package is gone.
        """
        self._name, self._folder, self._lacks = name, folder, lacks
        self.problems: tuple[Problem, ...] = ()
        """What is wrong in the file as it is now. The rules are those of the last good version meanwhile."""
        self.stands_in = False
        """There is no good version yet, so nothing can be played."""
        self.remarks: tuple[Problem, ...] = ()
        """Offers of random tables that the campaign lacks, in a version that was taken in since it was opened."""
        self._seen = _signatures(places_read(name, folder))
        try:
            self.system = find(name, folder).system
        except GameUnusable as unusable:
            from waylog.rules.file_game.stand_in import stand_in_for

            self.problems, self.stands_in = self._why_not(unusable), True
            self.system = stand_in_for(name, str(self.problems[0]))

    def is_stale(self) -> bool:
        """Whether the file has changed since it was read, or another one is to be used."""
        return _signatures(self._seen) != self._seen

    def look(self) -> System | None:
        """Read the file again. Return the game if it is good, and another one than before."""
        self._seen = _signatures(places_read(self._name, self._folder))
        try:
            found = find(self._name, self._folder).system
        except GameUnusable as unusable:
            self.problems = self._why_not(unusable)
            return None
        self.problems = ()
        return found if found is not self.system else None

    def look_for_tables(self, tables: Tables) -> None:
        """See which of the campaign's random tables its game offers and can't find."""
        try:
            path = find(self._name, self._folder).path
            self.remarks = offers_without_table(read_bytes(path), shown_name(path, self._folder), path, tables)
        except UnreadableFile:  # It is being saved again.
            self.remarks = ()

    def is_back(self) -> bool:
        """Whether the game that something stands in for can be used now. It stays so until the campaign is opened again."""
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
        """Return why the game can't be used: its package is gone, if that is so and there is no file either."""
        if self._lacks and not has_file(self._name, self._folder):
            return (Problem(FILE, 1, 1, self._lacks),)
        return unusable.problems

    def take(self, system: System, refused: tuple[Problem, ...]) -> None:
        """Note that the campaign is played by this game now, or why it can't be: what doesn't fit in its file."""
        if refused:
            self.problems = refused
        else:
            self.system = system


def _signatures(places: Iterable[Path]) -> Mapping[Path, FileSignature | None]:
    return {path: file_signature(path) for path in places}
