"""Tables of dice that are worth the same, whatever is spent: odds look at one of them.

Two tables are worth the same if they have the same outcome with everything that may be added to the result, and if each spend on their
dice leaves the same dice on the table and throws the same. What depends on more than that is never merged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from waylog.rules.file_game.dice_tables import DiceTables, LaidDie, without
from waylog.rules.file_game.readings import RollPlan, Seen, number_of, outcome_of, result_of
from waylog.rules.file_game.spends import Picked, RaiseTotal, Reroll, Spend
from waylog.values import NamedTuple

_MOST_GAINS = 40
"""The most different numbers that spends may add to a result, for tables to be compared with all of them."""
Table = tuple[LaidDie, ...] | Seen
"""The dice in order; or what is seen of them, if no spend touches a die."""
Usable = tuple[int, ...]
"""The places of the spends on dice that are still possible, whatever lies on the table."""
Tables = Sequence[tuple[Table, int]]
"""Tables, with the ways in which each comes up."""
Ranks = tuple[int, ...]
"""The outcomes of a table by their places, worst first: one for each number that the other side can come to."""


class ShownTable(NamedTuple):
    """One of all tables that show the same and leave the same to do."""

    table: Table
    ways: int
    """Those of all of them."""
    rest: Seen
    """What is seen of it, apart from the number."""
    number: int
    options: object


class TableMerging:
    """The tables of one roll."""

    def __init__(
        self,
        plan: RollPlan,
        dice: DiceTables,
        spends: Sequence[tuple[Spend, int]],
        ranks: Mapping[str, int],
        others: Sequence[int],
    ) -> None:
        """`spends` are those that are possible, each with how often; `ranks` are the places of the outcomes, worst first; `others` are
        the numbers that the other side can come to.
        """
        self._plan, self._dice, self._outcome_ranks, self._spends, self._others = plan, dice, ranks, spends, others
        self._asks_for_face = any(band.face_low is not None or band.face_high is not None for band in plan.bands)
        self._gains = self._all_gains()
        self._best = (len(ranks) - 1,) * len(others)
        self._shown: dict[Seen, tuple[Seen, int]] = {}
        self._ranks: dict[tuple[Seen, int], Ranks] = {}
        self._profiles: dict[tuple[Seen, int], object] = {}
        self._fallen: dict[tuple[Table, tuple[LaidDie, ...], Usable], list[ShownTable]] = {}
        self._thrown: dict[tuple[Table, tuple[LaidDie, ...], Usable, int], Tables] = {}

    def ranks(self, table: Table, plus: int) -> Ranks:
        """Return the outcomes of a table with so much added to the result."""
        rest, number = self._show(table)
        return self.ranks_of(rest, number + plus)

    def ranks_of(self, rest: Seen, number: int) -> Ranks:
        """Return the outcomes of all tables of which one sees this, and that come to this number."""
        found = self._ranks.get((rest, number))
        if found is None:
            bands, reading = self._plan.bands, self._plan.reading
            shown = [outcome_of(bands, result_of(reading, rest, other - number)).outcome for other in self._others]
            found = self._ranks[rest, number] = tuple([self._outcome_ranks[outcome] for outcome in shown])
        return found

    def merge_starts(self, tables: Iterable[tuple[Table, int]], usable: Usable) -> Tables:
        """Return the tables that a roll begins with."""
        return self._merge_by_prospects(self._merge_shown(tables, usable), 0)

    def throw(self, table: Table, dice: tuple[LaidDie, ...], plus: int, usable: Usable) -> Tables:
        """Return the tables that come of throwing dice beside those on a table. Raises `TooMany`."""
        key = table, dice, usable, plus
        found = self._thrown.get(key)
        if found is None:
            found = self._thrown[key] = self._merge_by_prospects(self.fall(table, dice, usable), plus)
        return found

    def fall(self, table: Table, dice: tuple[LaidDie, ...], usable: Usable) -> Sequence[ShownTable]:
        """Return what comes of throwing dice beside those on a table, whatever is added to the result. Raises `TooMany`."""
        key = table, dice, usable
        found = self._fallen.get(key)
        if found is None:
            tables = self._dice.throw(() if isinstance(table, Seen) else table, dice)
            found = self._fallen[key] = self._merge_shown(tables.items(), usable)
        return found

    def _all_gains(self) -> tuple[int, ...]:
        """Return all that spends may add to the result, first nothing; empty if that is too much to look through."""
        gains = {0}
        for spend, uses in self._spends:
            if isinstance(spend.effect, RaiseTotal):
                gains = {gain + use * spend.effect.by for gain in gains for use in range(uses + 1)}
            if len(gains) > _MOST_GAINS:
                return ()
        return tuple(sorted(gains, key=abs))

    def _merge_shown(self, tables: Iterable[tuple[Table, int]], usable: Usable) -> list[ShownTable]:
        first: dict[tuple[Seen, int, object], Table] = {}
        merged: dict[tuple[Seen, int, object], int] = defaultdict(int)
        for table, ways in tables:
            rest, number = self._show(table)
            key = rest, number, self._options(table, usable) if usable else ()
            first.setdefault(key, table)
            merged[key] += ways
        return [ShownTable(table, merged[key], *key) for key, table in first.items()]

    def _show(self, table: Table) -> tuple[Seen, int]:
        """Return what is seen of a table apart from the number, if no band asks what the dice themselves show; and the number."""
        seen = table if isinstance(table, Seen) else self._dice.see(table)
        shown = self._shown.get(seen)
        if shown is None:
            rest, number = seen, 0
            if not self._asks_for_face:
                reading = self._plan.reading
                rest = seen._replace(total=0, face=0)
                number = number_of(reading, seen) - number_of(reading, rest)
            shown = self._shown[seen] = rest, number
        return shown

    def _merge_by_prospects(self, tables: Iterable[ShownTable], plus: int) -> Tables:
        first: dict[object, Table] = {}
        merged: dict[Table, int] = defaultdict(int)
        for shown in tables:
            merged[first.setdefault(self._prospects(shown, plus), shown.table)] += shown.ways
        return [*merged.items()]

    def _prospects(self, shown: ShownTable, plus: int) -> object:
        """Return what decides the worth of a table."""
        key = shown.rest, shown.number + plus
        if not self._gains:
            return key, shown.table
        if self.ranks_of(*key) == self._best:  # Nothing is spent on the best outcome.
            return ()
        profile = self._profiles.get(key)
        if profile is None:
            profile = tuple([self.ranks_of(shown.rest, key[1] + gain) for gain in self._gains])
            self._profiles[key] = profile
        return profile, shown.options

    def _options(self, table: Table, usable: Usable) -> object:
        """Return what spends on dice can make of a table: for each, the dice that stay and those that are thrown; or the table itself."""
        found: list[object] = []
        for place in usable if not isinstance(table, Seen) else ():
            effect = self._spends[place][0].effect
            if not isinstance(effect, Reroll):
                return table
            found += ((place, rest, thrown) for _, rest, thrown in rerolls(table, effect))
        return tuple(found)


def rerolls(table: Table, reroll: Reroll) -> Iterator[tuple[LaidDie | None, tuple[LaidDie, ...], tuple[LaidDie, ...]]]:
    """Yield, for each die that may be rerolled or for all of them, that die, the dice that stay, and those that are thrown."""
    if isinstance(table, Seen):
        return
    free = [die for die in table if reroll.takes(die.face, die.final)]
    if reroll.which is Picked.LOWEST:
        free = [die for die in free if die.face == free[0].face]
    again = [LaidDie(0, die.size, reroll.once or die.final) for die in free]
    if reroll.which is not Picked.ALL:
        for die, thrown in dict(zip(free, again, strict=True)).items():
            yield die, without(table, [die]), (thrown,)
    elif free:
        yield None, without(table, free), tuple(again)
