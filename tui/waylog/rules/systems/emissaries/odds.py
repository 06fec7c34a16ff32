"""Exact odds of dice of mixed sizes, and the effect of a raise or a see before it is made (EG-12, EG-15, EG-20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod

from waylog.rules.codec.changes import join_names
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Answers, Move
from waylog.rules.model.odds import Chance, Odds, Ratio, Spread
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.emissaries import advice, conflict_start, exchange
from waylog.rules.systems.emissaries.dice_pools import Throw
from waylog.rules.systems.emissaries.fallout import no_fallout_reason, reasons
from waylog.rules.systems.emissaries.sheet import format_rating
from waylog.rules.systems.emissaries.state_stages_and_typed_names import Did, Lying, Moment, plus

Tally = Mapping[int, Ratio]
"""The probability of each possible sum, smallest first; they add up to 1."""


def of_entering(moment: Moment, move: Move, given: Answers) -> Odds:
    """Return the odds of the dice with which somebody enters a conflict. Raises `ActRefused`."""
    _, throw = conflict_start.throw_of(moment, move, given)
    return of_throw(throw, ())


def of_escalating(moment: Moment, _move: Move, given: Answers) -> Odds:
    """Return the odds of new dice beside those already open. Raises `ActRefused`."""
    one, throw = exchange.throw_of(moment, given)
    return of_throw(throw, one.pool)


def of_throw(throw: Throw, lie: Sequence[Lying]) -> Odds:
    """Return the odds of the sum of the two best dice, and of all dice. Dice that are already open count too."""
    dice = [die.sides for die in throw.dice]
    there = tuple(die.face for die in lie)
    two, everything = best_two(dice, there), total(dice, there)
    words = f"{format_rating(dice) or 'no dice'}: {throw.words}" if throw.words else format_rating(dice) or "no dice"
    means = (
        NoteFact(f"the two best average {float(average(two)):.1f}", "EG-13"),
        NoteFact(f"all together average {float(average(everything)):.1f}", "EG-12"),
    )
    return Odds(words, spread("the two best", two), (spread("all together", everything),), throw.reasons, means)


def spread(label: str, tally: Tally) -> Spread:
    """Turn the probabilities of sums into a spread, lowest sum first."""
    return Spread(label, tuple(Chance(str(value), str(value), None, chance) for value, chance in tally.items()))


def of_see(moment: Moment, _move: Move, given: Answers) -> Odds:
    """Return the certain outcome of a see: its kind, with notes on the fallout and the dice that stay (EG-15). Raises `ActRefused`."""
    one, forward, stay = exchange.split_see(moment, given)
    did, label = exchange.SEEN_AS.get(len(forward), exchange.TAKES)
    faces, total = exchange.faces_of(forward), exchange.raised_total(moment.conflict)
    notes = [NoteFact(f"left: {_faces(exchange.faces_of(stay))}", "EG-23")]
    if did is Did.TAKES:
        notes.insert(0, no_fallout_reason(moment, one) or fallout_due(reasons(moment, one)))
    if did is Did.REVERSES:
        notes.insert(0, NoteFact(f"the {faces[0]} is kept for the next raise", "EG-16"))
    words = f"{plus(faces)}{f' = {sum(faces)}' if len(faces) > 1 else ''} against {total}"
    return Odds(words, _certainly(did.value.split()[0], label), forecast=tuple(notes))


def fallout_due(points: Sequence[str]) -> NoteFact:
    """Describe the fallout of a blow."""
    return NoteFact(f"{len(points)} fallout, from {join_names(points)}", "EG-20")


def of_raise(moment: Moment, _move: Move, given: Answers) -> Odds:
    """Return the certain outcome of a raise: what the other side can't do any more, with a note on the dice that stay (EG-23). Raises
    `ActRefused`.
    """
    conflict = moment.conflict
    one, forward, stay = exchange.split_raise(moment, given)
    faces = exchange.faces_of(forward)
    others = [exchange.faces_of(exchange.usable(other)) for other in exchange.opponents(conflict, one)]
    # The raise is judged by these two dice alone.
    (offer,) = advice.raises(faces, others)
    label = _STOPPED[offer.stops]
    notes = (NoteFact(f"left: {_faces(exchange.faces_of(stay))}", "EG-23"),)
    return Odds(f"{plus(faces)} = {sum(faces)}", _certainly(offer.stops.name.lower(), label), forecast=notes)


_STOPPED = {
    advice.Stop.NOTHING: "One die could reverse it",
    advice.Stop.REVERSE: "Can't be reversed",
    advice.Stop.BLOCK: "Can't be reversed or blocked",
    advice.Stop.SEE: "Can't be seen at all",
}


def _certainly(outcome: str, label: str) -> Spread:
    return Spread("", (Chance(outcome, label, None, Ratio(1)),))


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, sorted(faces, reverse=True))) or "nothing"


# -- probabilities ------------------------------------------------------------------------------------------------------

# The sums of the two best dice, and of all dice, are counted without listing every roll. That the best die is at most `a` and
# the next best at most `b` has a probability of its own, a product over the dice; differences of these give that of exactly `a` and
# `b`. The sum of all dice is built up one die at a time, added to every sum so far.


def best_two(dice: Sequence[int], there: Sequence[int] = ()) -> Tally:
    """Return the odds of the sum of the two highest dice, given the sides of new dice and the faces that are `there`
    already.

    For one die it is its face; for none, 0.
    """
    return _best_two(tuple(sorted(dice)), tuple(sorted(there)[-2:]))


def total(dice: Sequence[int], there: Sequence[int] = ()) -> Tally:
    """Return the odds of the sum of all dice, given the sides of new dice and the faces that are `there` already."""
    lie = sum(there)
    return {value + lie: chance for value, chance in _total(tuple(sorted(dice))).items()}


def average(tally: Tally) -> Ratio:
    """Return the mean of the values of a tally."""
    return sum((value * chance for value, chance in tally.items()), start=Ratio(0))


@lru_cache(128)
def _best_two(dice: tuple[int, ...], there: tuple[int, ...]) -> Tally:
    ways: dict[int, int] = {}
    for (best, second), count in _ways_of_two(dice).items():
        value = sum(sorted((best, second, *there))[-2:])
        ways[value] = ways.get(value, 0) + count
    return _tally(ways, prod(dice))


def _ways_of_two(dice: tuple[int, ...]) -> Mapping[tuple[int, int], int]:
    """Return how many throws have this best and this second best die; 0 stands for a die that doesn't exist."""
    if len(dice) < 2:
        return {(face, 0): 1 for face in range(1, dice[0] + 1)} if dice else {(0, 0): 1}
    sizes, top = Counter(dice), max(dice)
    within = [[_within(sizes, best, second) for second in range(best + 1)] for best in range(top + 1)]
    ways = {}
    for best in range(1, top + 1):
        for second in range(1, best + 1):
            below = within[best - 1][min(second, best - 1)]
            lower = within[best - 1][min(second - 1, best - 1)]
            ways[best, second] = within[best][second] - below - within[best][second - 1] + lower
    return ways


def _within(sizes: Mapping[int, int], best: int, second: int) -> int:
    """Return how many throws have no die above `best` and at most one above `second`."""
    if second == 0:
        return 0
    low = 1
    for sides, count in sizes.items():
        low *= min(second, sides) ** count
    # One die is between the two, and the others are not.
    between = (
        count * (min(best, sides) - min(second, sides)) * low // min(second, sides) for sides, count in sizes.items()
    )
    return low + sum(between)


@lru_cache(128)
def _total(dice: tuple[int, ...]) -> Tally:
    ways = [1]
    for sides in dice:
        # A window of `sides` ways moves along: each sum adds the one below it and drops the one out of reach.
        window, after = 0, [0]
        for value in range(len(ways) + sides - 1):
            window += ways[value] if value < len(ways) else 0
            window -= ways[value - sides] if value >= sides else 0
            after.append(window)
        ways = after
    return _tally(dict(enumerate(ways)), prod(dice))


def _tally(ways: Mapping[int, int], throws: int) -> Tally:
    return {value: Ratio(ways[value], throws) for value in sorted(ways) if ways[value]}


CHAPTER = Chapter(odds={"enter": of_entering, "escalate": of_escalating, "see": of_see, "raise": of_raise})
