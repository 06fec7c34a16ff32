"""Exact odds of any pool and reading, without spends.

The two sides of a roll are worked out separately: neither depends on the other. Where only a total matters, totals are multiplied as
polynomials; otherwise dice are placed face by face (`dice_placing.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from waylog.rules.file_game.odds.die_weights import Ways, face_weights, multiply_ways, point_ways
from waylog.rules.file_game.odds.work_limit import TooMany, Work
from waylog.rules.file_game.pools import DiceGroup, DieKind, ThrowRules, parse_die
from waylog.rules.file_game.readings import (
    DOUBLES,
    Band,
    Look,
    Marks,
    Reading,
    ReadingKind,
    RollPlan,
    Seen,
    marks_of,
    number_of,
    outcome_of,
    result_of,
    worst_first,
)
from waylog.rules.ratio import Ratio

Tally = Mapping[str, Ratio]
"""The chance of each outcome, worst first; they add up to 1."""


def exact_odds(plan: RollPlan) -> Tally:
    """Return the chance of each outcome if nothing is spent. Raises `TooMany` for many dice of which much has to be remembered."""
    dice = tuple(sorted(count_dice(plan.pool).items()))
    ways = _outcome_ways(dice, plan.reading, plan.bands, plan.rules)
    whole = sum(ways.values())
    return {band.outcome: Ratio(ways[band.outcome], whole) for band in worst_first(plan.bands)}


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
    marks = marks_of(bands)
    theirs = number_ways(other, reading, rules) if other else {0: 1}
    # Results that no band tells apart are one.
    alike = defaultdict[Seen, Ways](lambda: defaultdict(int))
    looks_at_face = any(band.face_low is not None or band.face_high is not None for band in bands)
    for seen, ways in side_ways(ours, reading, rules, marks).items():
        alike[seen if looks_at_face else seen._replace(total=0, face=0)][number_of(reading, seen)] += ways
    found = Counter[str]()
    for seen, numbers in alike.items():
        shown = result_of(reading, seen)
        for value, ways in _differences(numbers, theirs).items():
            found[outcome_of(bands, shown._replace(value=value + reading.plus)).outcome] += ways
    return found


def _differences(numbers: Ways, others: Ways) -> Ways:
    found: Ways = defaultdict(int)
    for number, ways in numbers.items():
        for other, more in others.items():
            found[number - other] += ways * more
    return found


def number_ways(dice: Mapping[str, int], reading: Reading, rules: ThrowRules) -> Ways:
    """Return in how many ways one side's dice come to each number."""
    found: Ways = defaultdict(int)
    for seen, ways in side_ways(dice, reading, rules, Marks(0, 0, doubles=False, all_equal=False)).items():
        found[number_of(reading, seen)] += ways
    return found


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
    totals = reading.kind in (ReadingKind.SUM, ReadingKind.COUNT, ReadingKind.UNDER)
    if totals and not reading.keep and not any(marks):
        return {Seen(total=total): ways for total, ways in _total_ways(dice, reading, rules).items() if ways}
    explosion = rules.explosion
    if sum(dice.values()) == 1 and (not explosion or explosion.adds):
        return _one_die_ways(parse_die(*dice), reading, rules, marks)
    # Imported late: most rolls are small, or only their total matters.
    from waylog.rules.file_game.dice_placing import groups_of, place_all

    try:
        groups, sizes = groups_of(dice, rules, work)
        found = Counter[Seen]()
        for dice_in_all in {sum(size) for size in sizes}:
            starts = {size: ways for size, ways in sizes.items() if sum(size) == dice_in_all}
            look = Look(reading, marks, reading.keep.count(dice_in_all) if reading.keep else None)
            found.update(place_all(groups, starts, look, work))
    except TooMany:
        return None
    return found


def _one_die_ways(kind: DieKind, reading: Reading, rules: ThrowRules, marks: Marks) -> Mapping[Seen, int]:
    look = Look(reading, marks, reading.keep.count(1) if reading.keep else None)
    found = Counter[Seen]()
    for face, ways in face_weights(kind, rules).items():
        found[look.see_all((face,), (face,) if kind.has_digits and face in DOUBLES else ())] += ways
    return found


def _total_ways(dice: Mapping[str, int], reading: Reading, rules: ThrowRules) -> Ways:
    """Return the ways to each sum, or to each number of faces at or over the target."""
    whole: Ways = {0: 1}
    for name, count in dice.items():
        kind = parse_die(name)
        points = point_ways(kind, rules, _points_of(reading))
        whole = multiply_ways(whole, *[points] * count)
    return whole


def _points_of(reading: Reading) -> Callable[[int], int]:
    if reading.kind is ReadingKind.COUNT:
        return lambda face: int(face >= reading.target)
    return lambda face: face
