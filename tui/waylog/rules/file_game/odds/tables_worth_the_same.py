"""Tables of dice that are worth the same, whatever is spent: odds look at one of them.

Two tables are worth the same if they have the same outcome with everything that may be added to the result, and if each spend on their
dice leaves the same dice on the table and throws the same. What depends on more than that is never merged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from waylog.rules.file_game.dice_readings import (
    Met,
    Other,
    Result,
    RollPlan,
    Seen,
    meet,
    number_of,
    outcome_of,
    outcomes_against,
    result_of,
)
from waylog.rules.file_game.odds.odds_without_spends import DiceTables, LaidDie, steps_for, without
from waylog.rules.file_game.spends import Picked, RaiseTotal, Reroll, SetScore, Spend

_MOST_GAINS = 40
"""The most different numbers that spends may add to a result, for tables to be compared with all of them."""
FEW_OTHERS = 100
"""How many things the other side may come to that cost nothing to look at."""
Table = tuple[LaidDie, ...] | Seen
"""The dice in order; or what is seen of them, if no spend touches a die."""
Usable = tuple[int, ...]
"""The places of the spends on dice that are still possible, whatever lies on the table."""
Tables = Sequence[tuple[Table, int]]
"""Tables, with the ways in which each comes up."""
Ranks = tuple[int, ...]
"""The outcomes of a table by their places, worst first: one for each number that the other side can come to."""


ShownTables = Mapping[tuple[Seen, int], list[tuple[Table, int]]]
"""Tables, and the ways in which each comes up, by what is seen of them: the number, and before it everything else."""


class TableMerging:
    """The tables of one roll."""

    def __init__(
        self,
        plan: RollPlan,
        dice: DiceTables,
        spends: Sequence[tuple[Spend, int]],
        ranks: Mapping[str, int],
        others: Sequence[Other],
    ) -> None:
        """`spends` are those that are possible, each with how often; `ranks` are the places of the outcomes, worst first; `others` are
        what the other side can come to.
        """
        self._plan, self._dice, self._outcome_ranks, self._spends, self._others = plan, dice, ranks, spends, others
        self._theirs = [other.names_of_theirs() for other in others if isinstance(other, Result)]
        self._asks_for_face = any(band.is_for_faces for band in plan.bands)
        self._gains = self._all_gains()
        self._best = (len(ranks) - 1,) * len(others)
        self._splits: dict[Seen, tuple[Seen, int]] = {}
        self._shown: dict[Table, tuple[Seen, int]] = {}
        self._scores = [
            spend.effect.score - plan.reading.plus for spend, _ in spends if isinstance(spend.effect, SetScore)
        ]
        self._by_meeting: dict[Seen, dict[Met, int]] = {}
        """The place of the outcome, for each way in which the two sides meet."""
        self._ranks: dict[tuple[Seen, int], Ranks] = {}
        self._profiles: dict[tuple[Seen, int], object] = {}
        self._options: dict[tuple[Table, Usable], object] = {}
        self._fallen: dict[tuple[Table, tuple[LaidDie, ...], bool], ShownTables] = {}
        self._thrown: dict[tuple[Table, tuple[LaidDie, ...], Usable, int], Tables] = {}

    def ranks(self, table: Table, plus: int, score: int | None = None) -> Ranks:
        """Return the outcomes of a table with so much added to the result, or to a score that stands in place of it."""
        rest, number = self._show(table)
        return self.ranks_of(rest, (number if score is None else score - self._plan.reading.plus) + plus)

    def ranks_of(self, rest: Seen, number: int) -> Ranks:
        """Return the outcomes of all tables of which one sees this, and that come to this number."""
        found = self._ranks.get((rest, number))
        if found is None:
            self._dice.work.count(max(0, len(self._others) - FEW_OTHERS) // 6)
            by_meeting, reading = self._by_meeting.setdefault(rest, {}), self._plan.reading
            if reading.theirs:
                self._dice.work.count(len(self._theirs))
                bands = outcomes_against(self._plan.bands, reading, rest, number, self._theirs)
                found = self._ranks[rest, number] = tuple([self._outcome_ranks[band.outcome] for band in bands])
                return found
            meetings = [meet(reading, number, other) for other in self._others]
            for met in meetings:
                if met not in by_meeting:
                    band = outcome_of(self._plan.bands, result_of(reading, rest, met))
                    by_meeting[met] = self._outcome_ranks[band.outcome]
            found = self._ranks[rest, number] = tuple([by_meeting[met] for met in meetings])
        return found

    def merge_starts(self, tables: Iterable[tuple[Table, int]], usable: Usable) -> Tables:
        """Return the tables that a roll begins with."""
        return self._merge(self._show_all(tables), 0, usable)

    def throw(self, table: Table, dice: tuple[LaidDie, ...], plus: int, usable: Usable) -> Tables:
        """Return the tables that come of throwing dice beside those on a table. Raises `TooMany`."""
        key = table, dice, usable, plus
        found = self._thrown.get(key)
        if found is None:
            found = self._thrown[key] = self._merge(self._fall(table, dice, usable), plus, usable)
        return found

    def fall_last(self, table: Table, dice: tuple[LaidDie, ...]) -> Sequence[tuple[Seen, int, int]]:
        """Return what is seen after throwing dice beside those on a table, the number that it comes to, and in how many ways, if nothing
        is spent after that. Raises `TooMany`.
        """
        return [
            (rest, number, sum([ways for _, ways in alike]))
            for (rest, number), alike in self._fall(table, dice, ()).items()
        ]

    def _fall(self, table: Table, dice: tuple[LaidDie, ...], usable: Usable) -> ShownTables:
        """Return what comes of throwing dice beside those on a table, with nothing merged. Raises `TooMany`."""
        lying = () if isinstance(table, Seen) else table
        # Where no spend touches a die any more, what one sees is enough.
        here = self._dice.see(lying) if not usable and self._dice.joins else lying
        found = self._fallen.get((here, dice, bool(usable)))
        if found is None:
            fallen = (self._dice.throw if usable else self._dice.throw_last)(lying, dice)
            found = self._fallen[here, dice, bool(usable)] = self._show_all(fallen.items())
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

    def _show_all(self, tables: Iterable[tuple[Table, int]]) -> ShownTables:
        found: dict[tuple[Seen, int], list[tuple[Table, int]]] = {}
        for one in tables:
            found.setdefault(self._show(one[0]), []).append(one)
        return found

    def _show(self, table: Table) -> tuple[Seen, int]:
        shown = self._shown.get(table)
        if shown is None:
            seen = table if isinstance(table, Seen) else self._dice.see(table)
            shown = self._shown[table] = self._split(seen)
        return shown

    def _split(self, seen: Seen) -> tuple[Seen, int]:
        """Return what is seen apart from the number, if no band asks what the dice themselves show; and the number."""
        split = self._splits.get(seen)
        if split is None:
            rest = seen if self._asks_for_face else seen._replace(total=0, face=0)
            split = self._splits[seen] = rest, number_of(self._plan.reading, seen)
        return split

    def _merge(self, tables: ShownTables, plus: int, usable: Usable) -> Tables:
        first: dict[object, Table] = {}
        merged: dict[Table, int] = defaultdict(int)
        for (rest, number), alike in tables.items():
            prospects = self._prospects(rest, number + plus)
            for table, ways in alike:
                # Nothing is spent on the best outcome.
                options = self._find_options(table, usable) if usable and prospects else ()
                merged[first.setdefault((prospects, options), table)] += ways
        return [*merged.items()]

    def _prospects(self, rest: Seen, number: int) -> object:
        """Return the outcomes of a table with everything that may be added to the result; nothing, if it is the best one already."""
        if self.ranks_of(rest, number) == self._best:
            return ()
        if not self._gains:
            return rest, number
        profile = self._profiles.get((rest, number))
        if profile is None:
            numbers = (number, *self._scores)
            profile = tuple([self.ranks_of(rest, each + gain) for each in numbers for gain in self._gains])
            self._profiles[rest, number] = profile
        return profile

    def _find_options(self, table: Table, usable: Usable) -> object:
        """Return what spends on dice can make of a table: for each, the dice that stay and those that are thrown; or the table itself."""
        options = self._options.get((table, usable))
        if options is None:
            found: list[object] = []
            for place in usable if not isinstance(table, Seen) else ():
                effect = self._spends[place][0].effect
                if not isinstance(effect, Reroll) or effect.better:
                    return table
                found += (
                    (place, rest, tuple([throw_again(die, effect) for die in dice]))
                    for rest, dice in rerolls(table, effect)
                )
            self._dice.work.count(len(found) * steps_for(0 if isinstance(table, Seen) else len(table)))
            options = self._options[table, usable] = tuple(found)
        return options


def rerolls(table: Table, reroll: Reroll) -> Iterator[tuple[tuple[LaidDie, ...], tuple[LaidDie, ...]]]:
    """Yield, for each die that may be rerolled or for all of them, the dice that stay, and those that are thrown, as they lie there. Where
    dice are added, there may be none to throw again.
    """
    if isinstance(table, Seen):
        return
    free = [die for die in table if reroll.takes(die.face, die.final)]
    if not (free and reroll.asks):
        if free or reroll.more:
            yield tuple([die for die in table if not reroll.takes(die.face, die.final)]), tuple(free)
        return
    for die in dict.fromkeys(free):
        if reroll.which is Picked.ONE or die.face == free[0].face:
            yield without(table, [die]), (die,)


def throw_again(die: LaidDie, reroll: Reroll) -> LaidDie:
    """Return a die that is thrown again, whatever it will show."""
    return LaidDie(0, die.size, reroll.once or die.final)
