"""Tables of dice as odds look at them: in order, with faces merged that make no difference, and without dice that can't matter.

Exact odds of any pool and reading, without spends.

The two sides of a roll are worked out separately: neither depends on the other. Where only a total matters, totals are multiplied as
polynomials; otherwise dice are placed face by face (`dice_placing.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb
from operator import mul

from waylog.rules.file_game.dice_readings import (
    DOUBLES,
    TOTALS,
    Band,
    DiceGroup,
    Keep,
    Look,
    Marks,
    Met,
    Other,
    Reading,
    ReadingKind,
    Result,
    RollPlan,
    Seen,
    TableDie,
    ThrowRules,
    marks_of,
    meet,
    number_of,
    other_dice,
    outcome_of,
    parse_die,
    result_of,
    worst_first,
)
from waylog.rules.file_game.odds.face_merging import dice_that_matter, merge_faces
from waylog.rules.file_game.odds.weights import (
    TooMany,
    Ways,
    Work,
    count_throws,
    die_throws,
    face_weights,
    multiply_ways,
    point_ways,
)
from waylog.rules.file_game.spends import AddDice, Spend
from waylog.rules.model.odds import Ratio
from waylog.values import NamedTuple

_NO_MARKS = Marks(0, 0, doubles=False, all_equal=False)
Tally = Mapping[str, Ratio]
"""The chance of each outcome, worst first; they add up to 1."""


def exact_odds(plan: RollPlan) -> Tally:
    """Return the chance of each outcome if nothing is spent. Raises `TooMany` for many dice of which much has to be remembered."""
    dice = tuple(sorted(count_dice(plan.pool).items()))
    ways = _outcome_ways(dice, plan.reading, plan.bands, plan.rules)
    outcomes = [band.outcome for band in worst_first(plan.bands)]
    each = [ways.get(outcome, 0) for outcome in outcomes]
    counted = [*map(mul, each, plan.counted_ways(each))]
    return dict(zip(outcomes, (Ratio(one, sum(counted)) for one in counted), strict=True))


def possible_results(plan: RollPlan, marks: Marks | None = None) -> Iterator[Result]:
    """Yield every result that a roll may come to, some of them more than once. Their marks are those that its outcomes ask for, or `marks`.
    Raises `TooMany`.
    """
    dice, reading = count_dice(plan.pool), plan.reading
    ours, other = ({die: count for (die, against), count in dice.items() if against is side} for side in (False, True))
    others = other_ways(other, reading, plan.rules)
    for seen in side_ways(ours, reading, plan.rules, marks or marks_of(plan.bands, reading)):
        for met in {meet(reading, number_of(reading, seen), opponent) for opponent in others}:
            yield result_of(reading, seen, met)


def count_dice(pool: Iterable[DiceGroup]) -> Mapping[tuple[str, bool], int]:
    """Return how many dice there are of each kind and side."""
    dice = Counter[tuple[str, bool]]()
    for group in pool:
        if group.count > 0:
            dice[parse_die(group.die).name, group.against] += group.count
    return dice


@lru_cache(256)
def _outcome_ways(
    dice: tuple[tuple[tuple[str, bool], int], ...], reading: Reading, bands: tuple[Band, ...], rules: ThrowRules
) -> Mapping[str, int]:
    ours, other = ({die: count for (die, against), count in dice if against is side} for side in (False, True))
    theirs, work = other_ways(other, reading, rules), Work()
    # Results that no band tells apart are one.
    alike = defaultdict[Seen, Ways](lambda: defaultdict(int))
    looks_at_face = any(band.face_low is not None or band.face_high is not None for band in bands)
    for seen, ways in side_ways(ours, reading, rules, marks_of(bands, reading)).items():
        alike[seen if looks_at_face else seen._replace(total=0, face=0)][number_of(reading, seen)] += ways
    found = Counter[str]()
    for seen, numbers in alike.items():
        work.count(len(numbers) * len(theirs) // (4 if reading.kind is ReadingKind.BEATS else 8))
        meetings = Counter[Met]()
        for number, ways in numbers.items():
            for opponent, more in theirs.items():
                meetings[meet(reading, number, opponent)] += ways * more
        for met, ways in meetings.items():
            found[outcome_of(bands, result_of(reading, seen, met)).outcome] += ways
    return found


def other_ways(dice: Mapping[str, int], reading: Reading, rules: ThrowRules) -> Mapping[Other, int]:
    """Return in how many ways the other side's dice come to each thing. Raises `TooMany`."""
    if reading.kind is ReadingKind.BEATS:
        fallen: dict[tuple[int, ...], int] = {(): 1}
        work = Work()
        for name, count in dice.items():
            falls = die_throws(parse_die(name), rules)
            for _ in range(count):
                work.count(len(fallen) * len(falls))
                before, fallen = fallen, defaultdict(int)
                for lying, ways in before.items():
                    for faces, weight in falls.items():
                        fallen[tuple(sorted((*lying, *faces)))] += ways * weight
        return {other_dice(faces): ways for faces, ways in fallen.items()}
    found: dict[Other, int] = defaultdict(int)
    for seen, ways in side_ways(dice, reading, rules, _NO_MARKS).items() if dice else ():
        found[number_of(reading, seen)] += ways
    return found or {0: 1}


def side_ways(dice: Mapping[str, int], reading: Reading, rules: ThrowRules, marks: Marks) -> Mapping[Seen, int]:
    """Return in how many ways one side's dice show each thing that can be seen. The marks are those that matter."""
    found = _side_ways(tuple(sorted(dice.items())), reading, rules, marks)
    if found is None:
        raise TooMany
    return found


@lru_cache(64)
def _side_ways(
    counts: tuple[tuple[str, int], ...], reading: Reading, rules: ThrowRules, marks: Marks
) -> Mapping[Seen, int] | None:
    dice, work = dict(counts), Work()
    has_cards = any(parse_die(name).copies for name in dice)
    explosion, found = rules.explosion, Counter[Seen]()
    if reading.kind in TOTALS and not any(marks) and not has_cards:
        # The ways to each sum, or to each number of faces that count.
        whole: Ways = {0: 1}
        if not reading.keep:
            for name, count in dice.items():
                whole = multiply_ways(whole, *[point_ways(parse_die(name), rules, reading.points)] * count)
            return {Seen(total=total): ways for total, ways in whole.items() if ways}
        if len(dice) == 1 and (not explosion or explosion.adds):
            try:
                whole = _kept_ways(*counts[0], reading, reading.keep, rules, work)
            except TooMany:
                return None
            return {Seen(total=total): ways for total, ways in whole.items() if ways}
    if sum(dice.values()) == 1 and (not explosion or explosion.adds):
        kind, look = parse_die(*dice), Look(reading, marks, reading.keep.count(1) if reading.keep else None)
        for face, ways in face_weights(kind, rules).items():
            found[look.see_all((face,), (face,) if kind.has_digits and face in DOUBLES else ())] += ways
        return found
    # Imported late: most rolls are small, or only their total matters.
    from waylog.rules.file_game.odds.dice_placing import groups_of, place_all

    try:
        groups, sizes = groups_of(dice, rules, work)
        for dice_in_all in {sum(size) for size in sizes}:
            starts = {size: ways for size, ways in sizes.items() if sum(size) == dice_in_all}
            look = Look(reading, marks, reading.keep.count(dice_in_all) if reading.keep else None)
            found.update(place_all(groups, starts, look, work))
    except TooMany:
        return None
    return found


def _kept_ways(name: str, dice: int, reading: Reading, keep: Keep, rules: ThrowRules, work: Work) -> Ways:
    """Return the ways to each total of those dice that are kept of dice of one kind. Raises `TooMany`.

    For each face: it is the last one that is kept, so many dice are better, and the other dice show it or are worse.
    """
    weights, kept = face_weights(parse_die(name), rules), keep.count(dice)
    low, whole = min(map(reading.points, weights)), sum(weights.values())
    # The ways to each total are the digits of one whole number.
    digit = (whole**dice).bit_length()
    found, better, worse = 0, [1] + [0] * (kept - 1), whole
    """`better[count]` is how so many dice come to each total that are better than the face."""
    for face in sorted(weights, reverse=reading.downwards) if kept else ():
        weight, step = weights[face], digit * (reading.points(face) - low)
        worse -= weight
        work.count(kept * kept * (1 + step // 2_000))
        for more, totals in enumerate(better):
            alike = range(kept - more, dice - more + 1)
            ways = sum(comb(dice - more, same) * weight**same * worse ** (dice - more - same) for same in alike)
            found += totals * ways << step * (kept - more)
        better = [
            sum(
                better[count - same] * comb(dice - count + same, same) * weight**same << step * same
                for same in range(count + 1)
            )
            for count in range(kept)
        ]
    numbers = dict[int, int]()
    total, mask = low * kept, (1 << digit) - 1
    while found:
        if found & mask:
            numbers[total] = found & mask
        found, total = found >> digit, total + 1
    return numbers or {0: whole**dice}


class LaidDie(NamedTuple):
    """One's own die on the table."""

    face: int
    size: int
    """Its kind, by its place in `DiceTables.kinds`."""
    final: bool = False


ShownFaces = tuple[tuple[int, ...], tuple[int, ...]]


class DiceTables:
    """All tables that a roll can lead to, and how dice fall on them."""

    def __init__(self, plan: RollPlan, spends: Sequence[tuple[Spend, int]]) -> None:
        """`spends` are those that are possible, each with how often. Raises `TooMany`."""
        self.pool = {name: count for (name, against), count in count_dice(plan.pool).items() if not against}
        added = [spend.effect.die for spend, _ in spends if isinstance(spend.effect, AddDice)]
        self.kinds = [parse_die(name) for name in sorted({parse_die(name).name for name in (*self.pool, *added)})]
        self.work = Work()
        self.work.count(sum(count_throws(kind, plan.rules) for kind in self.kinds))
        self.throws = [die_throws(kind, plan.rules) for kind in self.kinds]
        """For each kind, how likely each way is that a die can fall, compared with the others."""
        self._reading = plan.reading
        self._marks: Marks = marks_of(plan.bands, plan.reading)
        self._merging = merge_faces(plan, spends), merge_faces(plan, spends, final=True)
        self._deciding = dice_that_matter(plan, spends, self._marks)
        self._fallen: dict[tuple[LaidDie, ...], dict[tuple[LaidDie, ...], int]] = {(): {(): 1}}
        self._have_digits = [place for place, kind in enumerate(self.kinds) if kind.has_digits]
        self._raised: dict[tuple[LaidDie, int], LaidDie] = {}
        self._looks: dict[int, Look] = {}
        self._seen: dict[ShownFaces, Seen] = {}

    def find_size(self, name: str) -> int:
        """Return the place of a kind of die."""
        return self.kinds.index(parse_die(name))

    def lay(self, dice: Iterable[TableDie]) -> tuple[LaidDie, ...]:
        """Return one's own dice on a real table."""
        return self.in_order(self.lay_one(die) for die in dice if not die.against)

    def lay_one(self, die: TableDie) -> LaidDie:
        """Return a die on a real table."""
        return LaidDie(self._merging[die.final].merge(die.face), self.find_size(die.die), die.final)

    def raise_die(self, table: tuple[LaidDie, ...], die: LaidDie, by: int) -> tuple[LaidDie, ...]:
        """Return the table with one die raised, at most to its highest face."""
        raised = self._raised.get((die, by))
        if raised is None:
            face = min(die.face + by, max(self.kinds[die.size].top, die.face))
            raised = self._raised[die, by] = LaidDie(self._merging[die.final].merge(face), die.size, die.final)
        place = table.index(die)
        return self.in_order((*table[:place], raised, *table[place + 1 :]))

    def throw(self, table: tuple[LaidDie, ...], dice: Sequence[LaidDie]) -> Mapping[tuple[LaidDie, ...], int]:
        """Return in how many ways each table comes of throwing dice, whatever they show, beside those on a table. Raises `TooMany`."""
        fallen = self._fall(tuple(dice))
        if not table:
            return fallen
        self.work.count(len(fallen))
        tables: dict[tuple[LaidDie, ...], int] = defaultdict(int)
        for more, ways in fallen.items():
            tables[self.in_order((*table, *more))] += ways
        return tables

    def throw_last(self, table: tuple[LaidDie, ...], dice: Sequence[LaidDie]) -> Iterator[tuple[Seen, int]]:
        """Yield what is seen after throwing dice beside those on a table, and in how many ways; for a throw after which nothing is spent.
        Raises `TooMany`.
        """
        fallen = self._fall(tuple(dice))
        self.work.count(len(fallen))
        for more, ways in fallen.items():
            yield self.see((*table, *more)), ways

    def throw_pool(self) -> Mapping[tuple[LaidDie, ...], int]:
        """Return in how many ways each table comes of throwing the whole pool. Raises `TooMany`."""
        sizes = [self.find_size(name) for name, count in self.pool.items() for _ in range(count)]
        return self.throw((), [LaidDie(0, size) for size in sizes])

    def _fall(self, dice: tuple[LaidDie, ...]) -> Mapping[tuple[LaidDie, ...], int]:
        """Return in how many ways dice fall, whatever they show: those of one kind beside all others, or one beside others of its kind."""
        found = self._fallen.get(dice)
        if found is None:
            found = self._fallen[dice] = defaultdict(int)
            if len(dice) == 1:
                ((_, size, final),) = dice
                for faces, weight in self.throws[size].items():
                    found[self.in_order(LaidDie(self._merging[final].merge(face), size, final) for face in faces)] += (
                        weight
                    )
                return found
            alike = dice.count(dice[-1])
            cut = len(dice) - (alike if alike < len(dice) else 1)
            others, last = self._fall(dice[:cut]), self._fall(dice[cut:])
            self.work.count(len(others) * len(last))
            for there, ways in others.items():
                for more, weight in last.items():
                    found[self.in_order((*there, *more))] += ways * weight
        return found

    def in_order(self, dice: Iterable[LaidDie]) -> tuple[LaidDie, ...]:
        """Return the dice that matter, lowest face first."""
        table = tuple(sorted(dice))
        return table[-self._deciding :] if self._deciding else table

    def see(self, table: tuple[LaidDie, ...]) -> Seen:
        """Return what the reading sees."""
        shown = self.show_faces(table)
        seen = self._seen.get(shown)
        if seen is None:
            faces, doubles = shown
            look = self._looks.get(len(faces))
            if look is None:
                keep = self._reading.keep
                look = Look(self._reading, self._marks, keep.count(len(faces)) if keep else None)
                self._looks[len(faces)] = look
            self.work.count(1 + len(faces) // 4)
            seen = self._seen[shown] = look.see_all(faces, doubles)
        return seen

    def show_faces(self, table: tuple[LaidDie, ...]) -> ShownFaces:
        """Return all of a table that a reading looks at: the faces, lowest first, and those that are doubles on a die of digits."""
        faces = tuple(sorted([die.face for die in table]))
        if not self._have_digits:
            return faces, ()
        return faces, tuple([die.face for die in table if die.face in DOUBLES and die.size in self._have_digits])


def without(table: tuple[LaidDie, ...], dice: Sequence[LaidDie]) -> tuple[LaidDie, ...]:
    """Return the table less these dice."""
    rest = list(table)
    for die in dice:
        rest.remove(die)
    return tuple(rest)
