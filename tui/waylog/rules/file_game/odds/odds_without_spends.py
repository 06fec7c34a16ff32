"""Exact odds of any pool and reading, without spends, from tables of dice: in order, with faces merged that make no difference, and without
dice that can't matter.

The two sides of a roll are worked out separately: neither depends on the other. Where only a total matters, totals are multiplied as
polynomials. Otherwise dice are placed face by face, in the order in which they are read: so many of the dice that are left show this
face, and the rest show faces to come. What has been seen so far is all that is remembered, so that even many dice make few cases.

Which faces a roll can't tell apart, and which dice can't matter to it, whatever is spent, must be exact. Where a rule is not sure of it,
it says that every face, or every die, is different.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, product
from math import comb, prod
from operator import add, mul

from waylog.rules.file_game.dice_readings import (
    COUNTS,
    DOUBLES,
    NO_MARKS,
    TOTALS,
    Band,
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
    Shown,
    marks_of,
    marks_read,
    meet,
    number_of,
    other_dice,
    outcome_of,
    outcomes_against,
    result_of,
    result_of_theirs,
    worst_first,
)
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, DieKind, TableDie, ThrowRules, parse_die
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import (
    Ways,
    Work,
    count_throws,
    die_throws,
    face_weights,
    first_weights,
    multiply_ways,
    point_ways,
    remembers,
)
from waylog.rules.file_game.odds.odds_of_symbols import asked_alone, multiply_symbols, outcomes_of_symbols
from waylog.rules.file_game.spends import Picked, RaiseDie, RaiseTotal, Reroll, Spend
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.odds import Ratio
from waylog.values import NamedTuple, replace


class AlikeDice(NamedTuple):
    """Dice that are alike, as many as a size says."""

    weights: Ways
    """How likely each face is, compared with the others."""
    has_digits: bool
    are_cards: bool = False
    """Each face is there as often as its weight, and what shows it is gone."""
    used_for: str = ""
    """The word of dice that are looked at alone."""

    def ways(self, dice: int, count: int, weight: int) -> int:
        """Return in how many ways so many of the dice show a face of that weight."""
        return comb(weight, count) if self.are_cards else comb(dice, count) * weight**count


Sizes = dict[tuple[int, ...], int]
"""In how many ways each group has so many dice."""


def groups_of(dice: Mapping[str, int], rules: ThrowRules, work: Work) -> tuple[list[AlikeDice], Sizes]:
    """Return the dice as groups. What explodes into dice of its own is known by kind: its faces that burst, and the others. Raises
    `TooMany`.
    """
    explosion = rules.explosion
    kinds = [parse_die(name) for name in dice]
    if not explosion or explosion.adds:
        alike = [
            AlikeDice(face_weights(kind, rules), kind.has_digits, bool(kind.copies), kind.used_for) for kind in kinds
        ]
        return alike, {tuple(dice.values()): 1}
    groups: list[AlikeDice] = []
    sizes: Sizes = {(): 1}
    for kind, count in zip(kinds, dice.values(), strict=True):
        parts, shapes = _bursting_groups(kind, rules, explosion.times)
        groups += parts
        after: Sizes = {(0,) * len(parts): 1}
        for _ in range(count):
            work.count(len(after) * len(shapes))
            before, after = after, defaultdict(int)
            for size, ways in before.items():
                for shape, others in shapes.items():
                    after[tuple(map(int.__add__, size, shape))] += ways * others
        work.count(len(sizes) * len(after) // 2)
        sizes = {(*size, *more): ways * others for size, ways in sizes.items() for more, others in after.items()}
    return groups, sizes


def _bursting_groups(kind: DieKind, rules: ThrowRules, times: int) -> tuple[list[AlikeDice], Sizes]:
    """Return four groups, those dice that burst and those that don't, first the dice of the pool and then later ones; and how many
    of each a die of the pool may become.
    """
    explosion = rules.explosion
    first, later = first_weights(kind, rules), dict.fromkeys(kind.faces, 1)
    parts = [
        {face: weight for face, weight in weights.items() if (explosion and explosion.bursts(kind.top, face)) is bursts}
        for weights in (first, later)
        for bursts in (True, False)
    ]
    # Throws that are not made would have gone any way.
    unused = [len(kind.faces) ** (times - more) for more in range(times + 1)]
    shapes: Sizes = {(0, 1, 0, 0): unused[0], (1, 0, times, 0): 1}
    shapes.update({(1, 0, more - 1, 1): unused[more] for more in range(1, times + 1)})
    possible = {
        shape: ways for shape, ways in shapes.items() if all(parts[place] for place, dice in enumerate(shape) if dice)
    }
    return [AlikeDice(part, kind.has_digits, used_for=kind.used_for) for part in parts], possible


def place_all(groups: Sequence[AlikeDice], sizes: Sizes, look: Look, work: Work) -> Mapping[Seen, int]:
    """Return in how many ways each thing is seen in the end. Raises `TooMany`."""
    faces = sorted({face for group in groups for face in group.weights}, reverse=look.reading.downwards)
    states: dict[tuple[tuple[int, ...], Seen], int] = {(size, look.start): ways for size, ways in sizes.items()}
    # Which groups are looked at alone, for each word.
    alone = [[group.used_for == word for group in groups] for word, _ in look.marks.of_some]
    found = Counter[Seen]()
    ahead = [sum(group.weights.values()) for group in groups]
    for face in faces:
        here = [group.weights.get(face, 0) for group in groups]
        ahead = [whole - weight for whole, weight in zip(ahead, here, strict=True)]
        after: dict[tuple[tuple[int, ...], Seen], int] = defaultdict(int)
        placements: dict[tuple[int, ...], list[tuple[tuple[int, ...], Shown, list[Shown], int]]] = {}
        for (left, seen), ways in states.items():
            if left not in placements:
                placements[left] = list(_placements(groups, left, here, ahead, alone))
                work.count(2 * len(placements[left]))
            work.count(len(placements[left]))
            for rest, shown, of_some, more in placements[left]:
                next_seen = look.see(seen, face, *shown, of_some) if shown[0] else seen
                if not any(rest) or look.is_settled(next_seen):
                    others = zip(groups, rest, ahead, strict=True)
                    found[next_seen] += (
                        ways * more * prod(group.ways(dice, dice, to_come) for group, dice, to_come in others)
                    )
                else:
                    after[rest, next_seen] += ways * more
        states = after
    for (_, seen), ways in states.items():
        found[seen] += ways
    return found


def _placements(
    groups: Sequence[AlikeDice],
    left: tuple[int, ...],
    here: Sequence[int],
    ahead: Sequence[int],
    alone: Sequence[Sequence[bool]],
) -> Iterator[tuple[tuple[int, ...], Shown, list[Shown], int]]:
    """Yield how many dice of each group may show a face: the dice left, how many show it and whether one of those has digits, the same
    of the groups that are looked at `alone`, and in how many ways.
    """
    # A group with no face to come must place what is left.
    choices = [
        (dice,) if weight and not to_come else range(dice + 1) if weight else (0,)
        for dice, weight, to_come in zip(left, here, ahead, strict=True)
    ]
    for counts in product(*choices):
        parts = zip(groups, left, counts, here, strict=True)
        ways = prod(group.ways(dice, count, weight) for group, dice, count, weight in parts if count)
        if not ways:
            continue
        digits = [count and group.has_digits for count, group in zip(counts, groups, strict=True)]
        some = [(sum(compress(counts, those)), any(compress(digits, those))) for those in alone]
        yield tuple(map(int.__sub__, left, counts)), (sum(counts), any(digits)), some, ways


_BY_ONE_FACE = (ReadingKind.HIGHEST, ReadingKind.LOWEST)


def find_different_faces(plan: RollPlan, spends: Sequence[tuple[Spend, int]], word: str | None = None) -> Sequence[int]:
    """Return the faces of one's own dice that may lead to other outcomes than the face below, given each spend and how often it may be
    used; first the lowest. Those between two of them can be merged. With a `word`, of the dice that are used for that; otherwise of all.

    Two faces are different if a band, a target or a reroll begins between them. If faces or results can be raised, they are also different
    if that can bring one of them there and not the other: so each such place counts together with all that are within reach of it.
    """
    reading, marks = plan.reading, marks_of(plan.bands, plan.reading)
    every_mark = (marks, *(some for used_for, some in marks.of_some if word in (None, used_for)))
    # What other dice show alone says nothing of these.
    bands = [
        band if not band.of or word in (None, band.of) else replace(band, face_low=None, face_high=None, matches=0)
        for band in plan.bands
    ]
    kinds = {parse_die(group.die) for group in plan.pool if not group.against}
    rerolls = [spend.effect for spend, _ in spends if isinstance(spend.effect, Reroll)]
    kinds |= {parse_die(reroll.die) for reroll in rerolls if reroll.more}
    if reading.kind is ReadingKind.SYMBOLS:
        return sorted({face for kind in kinds for face in kind.faces})
    explosion = plan.rules.explosion
    chain = 1 + explosion.times if explosion and explosion.adds else 1
    every = range(
        min([kind.faces[0] for kind in kinds], default=0), chain * max([kind.top for kind in kinds], default=0) + 1
    )
    if (
        reading.kind not in (*_BY_ONE_FACE, *COUNTS)
        or any(one.doubles or one.all_equal for one in every_mark)
        # What a die counts doesn't depend on the other side; where a band begins does.
        or (reading.kind not in COUNTS and any(group.against for group in plan.pool))
        or (len(kinds) > 1 and any(reroll.which is Picked.LOWEST for reroll in rerolls))
        # Of ones alone, it is known at which faces a formula can come to differ.
        or any(path[0] != "ones" for band in bands for path in band.reads)
    ):
        return every
    places = _beginnings(reading, bands, rerolls) | ({1, 2} if any(one.ones for one in every_mark) else set())
    # What is added to a number of dice changes no die.
    raises = RaiseDie if reading.kind in COUNTS else (RaiseDie, RaiseTotal)
    reach = sum(uses * abs(spend.effect.by) for spend, uses in spends if isinstance(spend.effect, raises))
    cuts = {place + step for place in places for step in range(-reach, reach + 1)}
    for band in bands:
        # How many dice show the same face may matter for all faces, or for those that the band is for.
        if band.matches and (band.low is None or band.of or reading.kind not in _BY_ONE_FACE):
            return every
        if band.matches and band.low is not None:
            cuts |= {*every[max(0, band.low - reading.plus - reach - every[0]) :]}
    return [face for face in every if face == every[0] or face in cuts]


def _beginnings(reading: Reading, bands: Sequence[Band], rerolls: Sequence[Reroll]) -> set[int]:
    """Return the faces at which a band, a target or a reroll begins, or is over."""
    places = set[int]().union(*(_edges(reroll.low, reroll.high) for reroll in rerolls))
    places = places.union(*(_edges(band.face_low, band.face_high) for band in bands))
    if reading.kind in COUNTS:
        places = places.union(*(_edges(face, face) for face, _ in reading.worth))
        return {*places, reading.target + (reading.kind is ReadingKind.COUNT_UNDER)}
    return places.union(*(_edges(band.low, band.high, reading.plus) for band in bands))


def _edges(low: int | None, high: int | None, plus: int = 0) -> set[int]:
    """Return the faces at which a range begins, and at which it has ended."""
    return {edge - plus for edge in (low, None if high is None else high + 1) if edge is not None}


def dice_that_matter(plan: RollPlan, spends: Sequence[tuple[Spend, int]], marks: Marks) -> int | None:
    """Return how many of the highest dice decide the outcome, whatever is spent; None if all dice may.

    Raising one of the others by 1 is never better than raising one of these, as long as all dice have the same highest face.
    """
    reading = plan.reading
    effects = [spend.effect for spend, _ in spends]
    sizes = {parse_die(group.die).name for group in plan.pool if not group.against}
    raises = [effect for effect in effects if isinstance(effect, RaiseDie)]
    rerolls = [effect for effect in effects if isinstance(effect, Reroll)]
    sizes |= {parse_die(effect.die).name for effect in rerolls if effect.more}
    if (
        any(effect.which is not Picked.NONE for effect in rerolls)
        or any(spend.when for spend, _ in spends)
        or marks.of_some
        or (raises and (len(sizes) > 1 or any(effect.by != 1 for effect in raises)))
    ):
        return None
    if reading.keep:
        return reading.keep.number if reading.keep.highest and not reading.keep.drops else None
    if reading.kind is ReadingKind.HIGHEST and not (marks.ones or marks.doubles or marks.all_equal):
        return max(1, marks.matches)
    return None


Counts = tuple[tuple[str, int], ...]
"""How many dice there are of each kind."""
Tally = Mapping[str, Ratio]
"""The chance of each outcome, worst first; they add up to 1."""


def exact_odds(plan: RollPlan) -> Tally:
    """Return the chance of each outcome if nothing is spent. Raises `TooMany` for many dice of which much has to be remembered."""
    outcomes = [band.outcome for band in worst_first(plan.bands)]
    if plan.twice and plan.by_result:
        results = sorted({result.value for result in possible_results(plan)})
        each_result = tuple(Band(str(value), str(value), OutcomeGrade.SUCCESS, low=value) for value in results)
        chances = dict.fromkeys(outcomes, Ratio())
        for result, chance in exact_odds(replace(plan, by_result=False, bands=each_result)).items():
            chances[outcome_of(plan.bands, Result(int(result))).outcome] += chance
        return chances
    ours, theirs = (tuple(sorted(count_dice(plan.pool, against=side).items())) for side in (False, True))
    counted = [0] * len(outcomes)
    for ways, more in _outcome_ways(ours, theirs, plan.reading, plan.bands, plan.rules):
        each = [ways.get(outcome, 0) for outcome in outcomes]
        counted = [*map(add, counted, (more * one for one in map(mul, each, plan.factors(each))))]
    return dict(zip(outcomes, (Ratio(one, sum(counted)) for one in counted), strict=True))


def possible_results(plan: RollPlan, marks: Marks | None = None) -> Iterator[Result]:
    """Yield every result that a roll may come to, some of them more than once. Their marks are those that its outcomes ask for, and those
    of `marks`, without any of some dice alone. In a contest, each result of one's own comes once with each outcome. Raises `TooMany`.
    """
    reading, (ours, other) = plan.reading, (count_dice(plan.pool, against=side) for side in (False, True))
    others, asked = other_ways(other, reading, plan.rules), marks_of(plan.bands, reading)
    if marks:
        higher = {key: max(getattr(asked, key), getattr(marks, key)) for key in Marks._fields[:5]}
        asked = asked._replace(**higher)
    for seen in side_ways(ours, reading, plan.rules, asked):
        number = number_of(reading, seen)
        opponents: Iterable[Other] = others
        if reading.theirs:
            names = [other.names_of_theirs() for other in others if isinstance(other, Result)]
            bands = outcomes_against(plan.bands, reading, seen, number, names)
            opponents = {band.outcome: other for band, other in zip(bands, others, strict=True)}.values()
        for met in {meet(reading, number, opponent) for opponent in opponents}:
            yield result_of(reading, seen, met)


def count_dice(pool: Iterable[DiceGroup], *, against: bool) -> Mapping[str, int]:
    """Return the number of dice of each kind (`d6`): of whoever rolls or, with `against`, of the other side."""
    dice = Counter[str]()
    for group in pool:
        if group.count > 0 and group.against is against:
            dice[parse_die(group.die).name] += group.count
    return dice


@lru_cache(256)
def _outcome_ways(
    ours: Counts, other: Counts, reading: Reading, bands: tuple[Band, ...], rules: ThrowRules
) -> Sequence[tuple[Mapping[str, int], int]]:
    """Return in how many ways each outcome comes; for each result of the other side, if that is read by itself, with its ways."""
    if reading.symbols:
        reading = asked_alone(reading, bands)
    theirs, work = other_ways(dict(other), reading, rules), Work()
    # Results that no band tells apart are one.
    alike = defaultdict[Seen, Ways](lambda: defaultdict(int))
    looks_at_face = any(band.is_for_faces for band in bands)
    for seen, ways in side_ways(dict(ours), reading, rules, marks_of(bands, reading)).items():
        alike[seen if looks_at_face else seen._replace(total=0, face=0)][number_of(reading, seen)] += ways
    if reading.theirs:
        results = [other.names_of_theirs() for other in theirs if isinstance(other, Result)]
        against = [Counter[str]() for _ in results]
        # Each meeting reads the formulas of the outcomes.
        work.count(sum(map(len, alike.values())) * len(results))
        for seen, numbers in alike.items():
            for number, ways in numbers.items():
                each = outcomes_against(bands, reading, seen, number, results)
                for found, band in zip(against, each, strict=True):
                    found[band.outcome] += ways
        return [*zip(against, theirs.values(), strict=True)]
    found = Counter[str]()
    for seen, numbers in alike.items():
        work.count(len(numbers) * len(theirs) // (4 if reading.kind is ReadingKind.BEATS else 8))
        meetings = Counter[Met]()
        for number, ways in numbers.items():
            for opponent, more in theirs.items():
                meetings[meet(reading, number, opponent)] += ways * more
        if reading.symbols:
            found.update(outcomes_of_symbols(reading, bands, {met[0]: ways for met, ways in meetings.items()}, work))
            continue
        for met, ways in meetings.items():
            found[outcome_of(bands, result_of(reading, seen, met)).outcome] += ways
    return [(found, 1)]


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
    if reading.theirs:
        asked = reading.theirs.asked
        for seen, ways in side_ways(dice, reading.of_theirs, rules, marks_read(asked)).items():
            found[result_of_theirs(reading, seen, asked)] += ways
        return found
    for seen, ways in side_ways(dice, reading, rules, NO_MARKS).items() if dice else ():
        found[number_of(reading, seen)] += ways
    return found or {0: 1}


def side_ways(dice: Mapping[str, int], reading: Reading, rules: ThrowRules, marks: Marks) -> Mapping[Seen, int]:
    """Return in how many ways one side's dice show each thing that can be seen. The marks are those that matter."""
    return _side_ways(tuple(sorted(dice.items())), reading, rules, marks)


@remembers
def _side_ways(counts: Counts, reading: Reading, rules: ThrowRules, marks: Marks) -> Mapping[Seen, int]:
    dice, work = dict(counts), Work()
    has_cards = any(parse_die(name).copies for name in dice)
    explosion, found = rules.explosion, Counter[Seen]()
    needs_faces = has_cards or any(marks[:4]) or (marks.face and reading.kind in COUNTS)
    adds_up = reading.kind in TOTALS and not needs_faces
    if adds_up and marks.of_some and not reading.keep:
        return _ways_apart(dice, reading, rules, marks, work)
    one_kind = len(dice) == 1 and (not explosion or explosion.adds)
    if adds_up and not marks.of_some and (one_kind or not reading.keep):
        # The ways to each sum, or to each number of faces that count.
        whole: Ways = {0: 1}
        if reading.keep:
            whole = _kept_ways(*counts[0], reading, reading.keep, rules, work)
        if reading.symbols:
            each = [(point_ways(parse_die(name), rules, reading.points), count) for name, count in dice.items()]
            parts = [ways for ways, count in each for _ in range(count)]
            whole = multiply_symbols(len(reading.symbols), parts, work)
        for name, count in dice.items() if not (reading.keep or reading.symbols) else ():
            whole = multiply_ways(whole, *[point_ways(parse_die(name), rules, reading.points)] * count)
        return {Seen(total=total): ways for total, ways in whole.items() if ways}
    if sum(dice.values()) == 1 and (not explosion or explosion.adds) and not marks.of_some:
        kind, look = parse_die(*dice), Look(reading, marks, reading.keep.count(1) if reading.keep else None)
        for face, ways in face_weights(kind, rules).items():
            found[look.see_all((face,), (face,) if kind.has_digits and face in DOUBLES else ())] += ways
        return found
    groups, sizes = groups_of(dice, rules, work)
    for dice_in_all in {sum(size) for size in sizes}:
        starts = {size: ways for size, ways in sizes.items() if sum(size) == dice_in_all}
        look = Look(reading, marks, reading.keep.count(dice_in_all) if reading.keep else None)
        found.update(place_all(groups, starts, look, work))
    return found


def _ways_apart(
    dice: Mapping[str, int], reading: Reading, rules: ThrowRules, marks: Marks, work: Work
) -> Mapping[Seen, int]:
    """Return what is seen where dice that are looked at alone and the others have nothing in common but their total."""
    alone = {
        word: {name: count for name, count in dice.items() if parse_die(name).used_for == word}
        for word, _ in marks.of_some
    }
    rest = {name: count for name, count in dice.items() if parse_die(name).used_for not in alone}
    found = side_ways(rest, reading, rules, marks._replace(of_some=()))
    for word, asked in marks.of_some:
        part, before = side_ways(alone[word], reading, rules, asked), found
        work.count(len(part) * len(before))
        found = Counter()
        for (seen, ways), (one, more) in product(before.items(), part.items()):
            shown = one if asked.face and reading.kind not in COUNTS else one._replace(total=0)
            both = seen._replace(total=seen.total + one.total, of_some=(*seen.of_some, (word, shown)))
            found[both] += ways * more
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


_DICE_FOR_STEP = 8
"""So many dice more take one step more to look through."""


class LaidDie(NamedTuple):
    """One's own die on the table."""

    face: int
    size: int
    """Its kind, by its place in `DiceTables.kinds`."""
    final: bool = False


DiceShown = tuple[tuple[int, ...], tuple[int, ...]]
"""The faces of dice, lowest first, and those that are doubles on a die of digits."""
ShownFaces = tuple[tuple[int, ...], tuple[int, ...], tuple[DiceShown, ...]]
"""The same of all dice, and then of those that are looked at alone."""


class DiceTables:
    """All tables that a roll can lead to, and how dice fall on them."""

    def __init__(self, plan: RollPlan, spends: Sequence[tuple[Spend, int]]) -> None:
        """`spends` are those that are possible, each with how often. Raises `TooMany`."""
        self.pool = count_dice(plan.pool, against=False)
        added = [spend.effect.die for spend, _ in spends if isinstance(spend.effect, Reroll) and spend.effect.more]
        self.kinds = [parse_die(name) for name in sorted({parse_die(name).name for name in (*self.pool, *added)})]
        self.work = Work()
        self.work.count(sum(count_throws(kind, plan.rules) for kind in self.kinds))
        self.throws = [die_throws(kind, plan.rules) for kind in self.kinds]
        """For each kind, how likely each way is that a die can fall, compared with the others."""
        self._brings_dice = plan.rules.explosion is not None and not plan.rules.explosion.adds
        self._reading = plan.reading
        self._marks: Marks = marks_of(plan.bands, plan.reading)
        self._different = [find_different_faces(plan, spends, kind.used_for) for kind in self.kinds]
        self._deciding = dice_that_matter(plan, spends, self._marks)
        self._fallen: dict[tuple[LaidDie, ...], dict[tuple[LaidDie, ...], int]] = {(): {(): 1}}
        self._have_digits = [place for place, kind in enumerate(self.kinds) if kind.has_digits]
        self._fallen_seen: dict[tuple[int, ...], dict[Seen, int]] = {}
        self._look = Look(self._reading, self._marks, 0 if self._reading.keep else None)
        self.joins = self._look.joins
        """Whether what is seen of two sets of dice says what is seen of both together."""
        self._looks: dict[int, Look] = {}
        self._seen: dict[ShownFaces, Seen] = {}

    def _merge(self, face: int, size: int) -> int:
        """Return the face that stands for this one."""
        different = self._different[size]
        return different[bisect_right(different, face) - 1]

    def find_size(self, name: str) -> int:
        """Return the place of a kind of die."""
        return self.kinds.index(parse_die(name))

    def lay(self, dice: Iterable[TableDie]) -> tuple[LaidDie, ...]:
        """Return one's own dice on a real table."""
        return self.in_order(self.lay_one(die) for die in dice if not die.against)

    def lay_one(self, die: TableDie) -> LaidDie:
        """Return a die on a real table."""
        size = self.find_size(die.die)
        return LaidDie(self._merge(die.face, size), size, die.final)

    def settle(self, table: Iterable[LaidDie], dice: Iterable[LaidDie], *, final: bool) -> tuple[LaidDie, ...]:
        """Return a table with dice that go back to it as they were; `final` says that they have been rerolled."""
        return self.in_order((*table, *[die._replace(final=final or die.final) for die in dice]))

    def raise_die(self, table: tuple[LaidDie, ...], die: LaidDie, by: int) -> tuple[LaidDie, ...]:
        """Return the table with one die raised, at most to its highest face."""
        face = min(die.face + by, max(self.kinds[die.size].top, die.face))
        raised = LaidDie(self._merge(face, die.size), die.size, die.final)
        place = table.index(die)
        return self.in_order((*table[:place], raised, *table[place + 1 :]))

    def throw(self, table: tuple[LaidDie, ...], dice: Sequence[LaidDie]) -> Mapping[tuple[LaidDie, ...], int]:
        """Return in how many ways each table comes of throwing dice, whatever they show, beside those on a table. Raises `TooMany`."""
        fallen = self._fall(tuple(dice))
        if not table:
            return fallen
        self.work.count(len(fallen) * steps_for(len(table) + len(dice)))
        tables: dict[tuple[LaidDie, ...], int] = defaultdict(int)
        for more, ways in fallen.items():
            tables[self.in_order((*table, *more))] += ways
        return tables

    def throw_last(self, table: tuple[LaidDie, ...], dice: Sequence[LaidDie]) -> Mapping[Seen, int]:
        """Return in how many ways each thing is seen after throwing dice beside those on a table; for a throw after which no spend touches
        a die. Raises `TooMany`.
        """
        found: dict[Seen, int] = defaultdict(int)
        if self.joins:
            here = self.see(table)
            fallen = self._fall_seen(tuple(sorted(die.size for die in dice)))
            self.work.count(len(fallen))
            for seen, ways in fallen.items():
                found[self._look.join(here, seen)] += ways
            return found
        tables = self._fall(tuple(dice))
        self.work.count(len(tables) * steps_for(len(table) + len(dice)))
        for more, ways in tables.items():
            found[self.see((*table, *more))] += ways
        return found

    def _fall_seen(self, sizes: tuple[int, ...]) -> Mapping[Seen, int]:
        """Return in how many ways each thing is seen of dice of these kinds. Raises `TooMany`."""
        found = self._fallen_seen.get(sizes)
        if found is None:
            found = self._fallen_seen[sizes] = defaultdict(int)
            if len(sizes) < 2:
                for more, ways in self._fall(tuple(LaidDie(0, size) for size in sizes)).items():
                    found[self.see(more)] += ways
                return found
            others, last = self._fall_seen(sizes[:-1]), self._fall_seen(sizes[-1:])
            self.work.count(len(others) * len(last))
            for there, ways in others.items():
                for seen, weight in last.items():
                    found[self._look.join(there, seen)] += ways * weight
        return found

    def throw_pool(self) -> Mapping[tuple[LaidDie, ...], int]:
        """Return in how many ways each table comes of throwing the whole pool. Raises `TooMany`."""
        sizes = [self.find_size(name) for name, count in self.pool.items() for _ in range(count)]
        if not (self._deciding or self._brings_dice):
            kinds = [
                (len({self._merge(face, size) for (face,) in self.throws[size]}), sizes.count(size))
                for size in {*sizes}
            ]
            self.work.expect(prod(comb(faces + dice - 1, dice) for faces, dice in kinds))
        return self.throw((), [LaidDie(0, size) for size in sizes])

    def _fall(self, dice: tuple[LaidDie, ...]) -> Mapping[tuple[LaidDie, ...], int]:
        """Return in how many ways dice fall, whatever they show: those of one kind beside all others, or one beside others of its kind."""
        found = self._fallen.get(dice)
        if found is None:
            found = self._fallen[dice] = defaultdict(int)
            if len(dice) == 1:
                ((_, size, final),) = dice
                for faces, weight in self.throws[size].items():
                    fallen = [LaidDie(self._merge(face, size), size, final) for face in faces]
                    found[self.in_order(fallen)] += weight
                return found
            alike = dice.count(dice[-1])
            cut = len(dice) - (alike if alike < len(dice) else 1)
            others, last = self._fall(dice[:cut]), self._fall(dice[cut:])
            self.work.count(len(others) * len(last) * steps_for(len(dice)))
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
            faces = shown[0]
            look = self._looks.get(len(faces))
            if look is None:
                keep = self._reading.keep
                look = Look(self._reading, self._marks, keep.count(len(faces)) if keep else None)
                self._looks[len(faces)] = look
            self.work.count(1 + len(faces) // 4)
            seen = self._seen[shown] = look.see_all(*shown)
        return seen

    def show_faces(self, table: tuple[LaidDie, ...]) -> ShownFaces:
        """Return all of a table that a reading looks at."""
        words = [word for word, _ in self._marks.of_some]
        some = [self._show([die for die in table if self.kinds[die.size].used_for == word]) for word in words]
        return *self._show(table), tuple(some)

    def _show(self, dice: Sequence[LaidDie]) -> DiceShown:
        faces = tuple(sorted([die.face for die in dice]))
        if not self._have_digits:
            return faces, ()
        return faces, tuple([die.face for die in dice if die.face in DOUBLES and die.size in self._have_digits])


def steps_for(dice: int) -> int:
    """Return what it costs to put so many dice in order, or to look through them."""
    return 1 + dice // _DICE_FOR_STEP


def without(table: tuple[LaidDie, ...], dice: Sequence[LaidDie]) -> tuple[LaidDie, ...]:
    """Return the table less these dice."""
    rest = list(table)
    for die in dice:
        rest.remove(die)
    return tuple(rest)
