"""Which faces a roll can't tell apart, and which dice can't matter to it, whatever is spent: so that odds look at few tables.

Both answers must be exact. Where a rule is not sure of it, it says that every face, or every die, is different.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from waylog.rules.file_game.dice_readings import (
    COUNTS,
    Band,
    Marks,
    Reading,
    ReadingKind,
    RollPlan,
    marks_of,
    parse_die,
)
from waylog.rules.file_game.spends import AddDice, Picked, RaiseDie, RaiseTotal, Reroll, Spend
from waylog.values import NamedTuple

_BY_ONE_FACE = (ReadingKind.HIGHEST, ReadingKind.LOWEST)


class FaceMerging(NamedTuple):
    """Faces that lead to the same outcomes, each replaced by the lowest of them."""

    cuts: tuple[int, ...] | None
    """The faces that are different from the one below. None if all are."""
    lowest: int = 1
    """What stands for the faces below all cuts."""

    def merge(self, face: int) -> int:
        """Return the face that stands for this one."""
        if self.cuts is None:
            return face
        return max([cut for cut in self.cuts if cut <= face], default=self.lowest)


def merge_faces(plan: RollPlan, spends: Sequence[tuple[Spend, int]], *, final: bool = False) -> FaceMerging:
    """Return which faces can be merged, given each spend and how often it may be used; `final`: of dice that were rerolled.

    Two faces are different if a band, a target or a reroll begins between them. If faces or results can be raised, they are also different
    if that can bring one of them there and not the other: so each such place counts together with all that are within reach of it.
    """
    reading, bands, marks = plan.reading, plan.bands, marks_of(plan.bands, plan.reading)
    sizes = {parse_die(group.die).name for group in plan.pool if not group.against}
    sizes |= {parse_die(spend.effect.die).name for spend, _ in spends if isinstance(spend.effect, AddDice)}
    rerolls = [spend.effect for spend, _ in spends if isinstance(spend.effect, Reroll)]
    if (
        not sizes
        or reading.kind not in (*_BY_ONE_FACE, *COUNTS)
        or marks.doubles
        or marks.all_equal
        # What a die counts doesn't depend on the other side; where a band begins does.
        or (reading.kind not in COUNTS and any(group.against for group in plan.pool))
        or (len(sizes) > 1 and any(reroll.which is Picked.LOWEST for reroll in rerolls))
    ):
        return FaceMerging(None)
    # If the lowest die is rerolled, those that may be and those that may not are compared.
    compared = any(reroll.which is Picked.LOWEST for reroll in rerolls)
    counted = [reroll for reroll in rerolls if compared or not (final and reroll.once)]
    places = _beginnings(reading, bands, counted) | ({1, 2} if marks.ones else set())
    reach = sum(
        uses * abs(spend.effect.by) for spend, uses in spends if isinstance(spend.effect, RaiseDie | RaiseTotal)
    )
    cuts = {place + step for place in places for step in range(-reach, reach + 1)}
    if marks.matches:
        explosion = plan.rules.explosion
        chain = 1 + explosion.times if explosion and explosion.adds else 1
        matching = _matching_faces(reading, bands, reach, chain * max(parse_die(size).top for size in sizes))
        if matching is None:
            return FaceMerging(None)
        cuts |= matching
    return FaceMerging(tuple(sorted(cuts)), min(parse_die(size).faces[0] for size in sizes))


def _beginnings(reading: Reading, bands: Sequence[Band], rerolls: Sequence[Reroll]) -> set[int]:
    """Return the faces at which a band, a target or a reroll begins, or is over."""
    places = set[int]().union(*(_edges(reroll.low, reroll.high) for reroll in rerolls))
    if reading.kind in COUNTS:
        return {*places, reading.target + (reading.kind is ReadingKind.COUNT_UNDER)}
    return places.union(
        *(_edges(band.low, band.high, reading.plus) | _edges(band.face_low, band.face_high) for band in bands)
    )


def _edges(low: int | None, high: int | None, plus: int = 0) -> set[int]:
    """Return the faces at which a range begins, and at which it has ended."""
    return {edge - plus for edge in (low, None if high is None else high + 1) if edge is not None}


def _matching_faces(reading: Reading, bands: Iterable[Band], reach: int, top: int) -> set[int] | None:
    """Return the faces of which it matters how many dice show the same; None if that can be any."""
    found = set[int]()
    for band in bands:
        if band.matches and (band.low is None or reading.kind not in _BY_ONE_FACE):
            return None
        if band.matches and band.low is not None:
            found |= set(range(band.low - reading.plus - reach, top + 1))
    return found


def dice_that_matter(plan: RollPlan, spends: Sequence[tuple[Spend, int]], marks: Marks) -> int | None:
    """Return how many of the highest dice decide the outcome, whatever is spent; None if all dice may.

    Raising one of the others by 1 is never better than raising one of these, as long as all dice have the same highest face.
    """
    reading = plan.reading
    effects = [spend.effect for spend, _ in spends]
    sizes = {parse_die(group.die).name for group in plan.pool if not group.against}
    raises = [effect for effect in effects if isinstance(effect, RaiseDie)]
    sizes |= {parse_die(effect.die).name for effect in effects if isinstance(effect, AddDice)}
    if (
        any(isinstance(effect, Reroll) for effect in effects)
        or any(spend.when for spend, _ in spends)
        or (raises and (len(sizes) > 1 or any(effect.by != 1 for effect in raises)))
    ):
        return None
    if reading.keep:
        return reading.keep.number if reading.keep.highest and not reading.keep.drops else None
    if reading.kind is ReadingKind.HIGHEST and not (marks.ones or marks.doubles or marks.all_equal):
        return max(1, marks.matches)
    return None
