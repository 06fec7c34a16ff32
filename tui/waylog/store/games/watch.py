"""The game file of an open campaign, which is read again when it has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from waylog.rules.common.random_tables import Tables
from waylog.rules.kit import Rulebook
from waylog.store.files import FILE, FileSignature, file_signature
from waylog.store.games.game_files import GameUnusable, find, has_file, offers_without_table, places_read, shown_name
from waylog.toml.document import Problem, UnreadableFile, read_bytes


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
