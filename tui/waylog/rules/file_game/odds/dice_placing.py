"""Placing dice face by face, in the order in which they are read.

So many of the dice that are left show this face, and the rest show faces to come. What has been seen so far is all that is remembered, so
that even many dice make few cases.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import comb, prod

from waylog.rules.file_game.dice_readings import NOTHING, DieKind, Look, Seen, ThrowRules, parse_die
from waylog.rules.file_game.odds.weights import Ways, Work, face_weights, first_weights
from waylog.values import NamedTuple


class AlikeDice(NamedTuple):
    """Dice that are alike, as many as a size says."""

    weights: Ways
    """How likely each face is, compared with the others."""
    has_digits: bool
    are_cards: bool = False
    """Each face is there as often as its weight, and what shows it is gone."""

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
        return [AlikeDice(face_weights(kind, rules), kind.has_digits, bool(kind.copies)) for kind in kinds], {
            tuple(dice.values()): 1
        }
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
        {face: weight for face, weight in weights.items() if (explosion and explosion.bursts(kind, face)) is bursts}
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
    return [AlikeDice(part, kind.has_digits) for part in parts], possible


def place_all(groups: Sequence[AlikeDice], sizes: Sizes, look: Look, work: Work) -> Mapping[Seen, int]:
    """Return in how many ways each thing is seen in the end. Raises `TooMany`."""
    faces = sorted({face for group in groups for face in group.weights}, reverse=look.reading.downwards)
    states: dict[tuple[tuple[int, ...], Seen], int] = {(size, NOTHING): ways for size, ways in sizes.items()}
    found = Counter[Seen]()
    ahead = [sum(group.weights.values()) for group in groups]
    for face in faces:
        here = [group.weights.get(face, 0) for group in groups]
        ahead = [whole - weight for whole, weight in zip(ahead, here, strict=True)]
        after: dict[tuple[tuple[int, ...], Seen], int] = defaultdict(int)
        placements: dict[tuple[int, ...], list[tuple[tuple[int, ...], int, bool, int]]] = {}
        for (left, seen), ways in states.items():
            if left not in placements:
                placements[left] = list(_placements(groups, left, here, ahead))
                work.count(2 * len(placements[left]))
            work.count(len(placements[left]))
            for rest, count, has_digits, more in placements[left]:
                next_seen = look.see(seen, face, count, has_digits) if count else seen
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
    groups: Sequence[AlikeDice], left: tuple[int, ...], here: Sequence[int], ahead: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], int, bool, int]]:
    """Yield how many dice of each group may show a face: the dice left, how many show it, whether one of those has digits, and in
    how many ways.
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
        has_digits = any(count and group.has_digits for count, group in zip(counts, groups, strict=True))
        yield tuple(map(int.__sub__, left, counts)), sum(counts), has_digits, ways
