"""Find acts in a log, newest first, reading only entries that may match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

from waylog.rules.state import EntryKind
from waylog.rules.word_matching import fold
from waylog.store.entries import FARTHEST
from waylog.store.folded_log import LogText
from waylog.store.log_query import ActKind, LogQuery, clues, clues_of_kind, find_act
from waylog.store.logged_acts import LoggedActs, border_title

_BORDERS = (EntryKind.SCENE, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)


class LogSearch:
    """Searches the acts of a log. Its text stays in memory until `forget` is called."""

    def __init__(self, text: LogText, acts: LoggedActs) -> None:
        self._text, self._acts = text, acts
        self.fold_next, self.forget = text.fold_next, text.forget

    @property
    def acts(self) -> LoggedActs:
        """The acts that can be found."""
        return self._acts

    def find(self, query: LogQuery) -> Iterator[int]:
        """Yield the acts that match, newest first, each by the number of its first entry."""
        return filter(None, self.find_in_steps(query))

    def find_in_steps(self, query: LogQuery) -> Iterator[int]:
        """Like `find`, with a 0 after each step that took time and found nothing."""
        found, seen = list[int](), set[int]()
        for number in self._candidates(query):
            first = self._acts.root_of(number) if number else 0
            if first and first not in seen:
                seen.add(first)
                if find_act(query, self._acts, first):
                    heappush(found, -first)
            # An act begins before its follow-ups: what comes after all that is still to be looked at is in its place.
            while number and found and -found[0] >= number:
                yield -heappop(found)
            yield 0
        while found:
            yield -heappop(found)

    def _candidates(self, query: LogQuery) -> Iterator[int]:
        if query.scenes is not None:
            return _numbers_within(query.scenes, self._acts.count)
        parts = [*clues(query)]
        return self._text.numbers(
            min(parts, key=self._text.count_newest) if len(parts) > 1 else parts[0] if parts else ()
        )

    def outcomes(self, files: int | None = None) -> list[str]:
        """Return the labels of all outcomes in the log, or in so many of its newest files, folded."""
        return self._text.values(b"label", files)

    def scenes(self, files: int | None = None) -> Iterator[tuple[str, range]]:
        """Yield each scene's title and entries, from its marker on, newest first. A scene that goes on has no end.

        `files` says how many of the newest files are searched.
        """
        end = FARTHEST
        clue = (*clues_of_kind(ActKind.SCENE), *clues_of_kind(ActKind.SESSION))
        for number in filter(None, self._text.numbers(clue, files=files)):
            act = self._acts.act(number)
            if act is None or act.undone or act.first.kind not in _BORDERS:
                continue
            if act.first.kind is EntryKind.SCENE:
                yield border_title(act.first), range(number, end)
            end = number


def _numbers_within(scenes: Iterable[range], count: int) -> Iterator[int]:
    """Yield the numbers in these ranges up to `count`, highest first."""
    for scene in sorted(scenes, key=lambda scene: -scene.start):
        yield from reversed(range(scene.start, min(scene.stop, count + 1)))


def scenes_named(title: str, scenes: Iterable[tuple[str, range]]) -> tuple[range, ...]:
    """Return the entries of the scenes whose titles have that text in them."""
    return tuple(entries for name, entries in scenes if fold(title) in fold(name))
