"""Worth: the chances of a roll as one whole number, so that the better way to play is the larger number.

The best way means what it means in every game: the fewest outcomes of the worst grade first, then the fewest of the two worst, and so
on; outcomes of one grade are told apart only then. The chances of each outcome or a better one, in the order in which they matter, are
the digits of the number. So the worth of a throw is the mean of the worths that it can lead to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from waylog.rules.file_game.readings import Band, worst_first
from waylog.rules.ratio import Ratio

if TYPE_CHECKING:
    from waylog.rules.file_game.odds.pool_odds import Tally


class Worths:
    """The worths of the outcomes of one roll."""

    def __init__(self, bands: Sequence[Band], certain: int, ways: int) -> None:
        """`certain` is what a chance of 1 is written as: every throw on the way must divide it. `ways` is the most by which a worth
        is multiplied.
        """
        order = worst_first(bands)
        self.outcomes = [band.outcome for band in order]
        """Worst first; the place of an outcome is its rank."""
        self._certain = certain
        self._bits = (certain * ways).bit_length() + 1
        # The worst outcome needs no digit. The first digits are those of outcomes that begin a grade.
        ranks = sorted(range(1, len(order)), key=lambda rank: (order[rank].grade is order[rank - 1].grade, rank))
        self._shifts = {rank: self._bits * (len(ranks) - 1 - place) for place, rank in enumerate(ranks)}
        self.of_rank = [
            sum(certain << shift for above, shift in self._shifts.items() if above <= rank)
            for rank in range(len(order))
        ]
        """The worth of each outcome if it is certain."""

    def chances(self, worth: int, ways: int = 1) -> Tally:
        """Return the chance of each outcome, worst first, given the sum of so many worths."""
        whole, mask = self._certain * ways, (1 << self._bits) - 1
        at_least = [whole, *((worth >> self._shifts[rank]) & mask for rank in sorted(self._shifts)), 0]
        return {
            outcome: Ratio(this - better, whole)
            for outcome, (this, better) in zip(self.outcomes, pairwise(at_least), strict=True)
        }

    def ranks(self) -> Mapping[str, int]:
        """Return the rank of each outcome."""
        return {outcome: rank for rank, outcome in enumerate(self.outcomes)}
