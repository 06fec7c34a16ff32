"""Exact chances of a roll of d6, with Focus spent as well as can be.

"As well as can be" means one thing everywhere: the fewest Fiascos first, then the most Successes or better, then the
most Criticals. Focus that raises dice never has to choose between these. Focus that rerolls them does, in one case only:
a drawback in hand, and nothing left to roll again but the dice it rests on. One more roll would then make a Fiasco at least
three times as likely as a Success, so they stay. That way no spend ever makes the dice on the table worse, and with one
token more the chance of any outcome or a better one never falls.

Outcomes are numbered worst first: 0 Fiasco, 1 Success with drawback, 2 Success, 3 Critical.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from waylog.rules.model.odds import Ratio
from waylog.values import dataclass

Tally = tuple[Ratio, Ratio, Ratio, Ratio]
"""The odds of Fiasco, drawback, Success and Critical; they add up to 1."""

FIASCO, DRAWBACK, SUCCESS, CRITICAL = range(4)


@dataclass(frozen=True, slots=True)
class FocusRaise:
    """A better outcome within reach, and the cheapest way to it."""

    steps: tuple[int, ...]
    """The faces to raise by 1, in order: `(4, 5)` turns a 4 into a 5 and then that 5 into a 6. Each costs 1 Focus."""
    outcome: int
    faces: tuple[int, ...]
    """The dice after the raises, in the order they were rolled. Each step raises the first die that shows its face."""


@dataclass(frozen=True, slots=True)
class FocusReroll:
    """The next die to reroll, and the odds if the rest is also played in the best way."""

    face: int
    tokens: int
    """The most Focus that it can cost, this reroll included."""
    tally: Tally


def read(faces: Sequence[int], lowest: bool = False) -> int:
    """Return the outcome of dice (VK-14): by the highest or, with `lowest`, by the lowest, which is never a Critical
    (VN-02).
    """
    decisive = min(faces) if lowest else max(faces)
    if decisive < 4:
        return FIASCO
    if decisive < 6:
        return DRAWBACK
    return CRITICAL if not lowest and faces.count(6) > 1 else SUCCESS


@cache
def odds_with_raises(dice: int, tokens: int = 0) -> Tally:
    """Return the odds of `dice` d6 (VK-14) with up to `tokens` Focus, each raising a die by 1 (VK-13).

    Raises `ValueError` for no dice, which VK-19 and VN-02 settle.
    """
    _check(dice, tokens)
    throws = 6**dice
    fiasco = max(0, 3 - tokens) ** dice
    short_of_success = max(0, 5 - tokens) ** dice
    critical = sum(
        _with_best_two(dice, first, second)
        for first in range(1, 7)
        for second in range(1, first + 1)
        if 12 - first - second <= tokens
    )
    return (
        Ratio(fiasco, throws),
        Ratio(short_of_success - fiasco, throws),
        Ratio(throws - short_of_success - critical, throws),
        Ratio(critical, throws),
    )


@cache
def odds_with_rerolls(dice: int, tokens: int = 0) -> Tally:
    """Return the odds of `dice` d6 with up to `tokens` Focus rerolling dice (VK-63), each die at most once.

    Focus is spent in the best way, one after another, each result known before the next: the lowest die first, until
    there are two 6s, and never the only die that prevents a Fiasco. Raises `ValueError` for no dice.
    """
    _check(dice, tokens)
    throws = 6**dice
    all_low, no_six, one_six = 3**dice, 5**dice, dice * 5 ** (dice - 1)
    starts = (
        (all_low, _outcomes_after_rerolls(dice, tokens, sixes=0)),
        (no_six - all_low, _outcomes_after_rerolls(dice, tokens, sixes=0, drawback=True, loose=True)),
        (one_six, _outcomes_after_rerolls(dice - 1, tokens, sixes=1)),
        (throws - no_six - one_six, _outcomes_after_rerolls(0, tokens, sixes=2)),
    )
    fiasco, drawback, success, critical = (
        sum((count * tally[outcome] for count, tally in starts), start=Ratio(0)) / throws for outcome in range(4)
    )
    return fiasco, drawback, success, critical


@cache
def lowest_of_two(tokens: int = 0) -> Tally:
    """Return the odds of the lower of two d6, which is never a Critical (VN-02), with up to `tokens` Focus raising
    them.

    Only a ship's system can be without dice, and a ship's Focus never rerolls (VK-63).
    """
    _check(2, tokens)
    throws = tuple(product(range(1, 7), repeat=2))
    fraction, success = (
        Ratio(sum(len(_steps(faces, goal)) <= tokens for faces in throws), len(throws)) for goal in (4, 6)
    )
    return 1 - fraction, fraction - success, success, Ratio(0)


def best_raises(faces: Sequence[int], tokens: int, lowest: bool = False) -> tuple[FocusRaise, ...]:
    """Return the cheapest way to each better outcome that `tokens` Focus can reach, worst outcome first (VK-13, VK-21)."""
    best = sorted(faces, reverse=True)
    moved = best if lowest else best[:1]
    ways = {DRAWBACK: _steps(moved, 4), SUCCESS: _steps(moved, 6)}
    if not lowest and len(best) > 1:
        ways[CRITICAL] = _steps(best[:2], 6)
    now = read(faces, lowest)
    return tuple(
        FocusRaise(steps, outcome, _after(faces, steps))
        for outcome, steps in ways.items()
        if outcome > now and len(steps) <= tokens
    )


def best_rerolls(faces: Sequence[int], tokens: int, *, final: Sequence[int] = ()) -> FocusReroll | None:
    """Return the first die to reroll with `tokens` Focus (VK-63, VK-21), or None if no reroll helps.

    `faces` are the dice that may still be rerolled, `final` those that have been. If several dice are equally good, it
    is the lowest.
    """
    on_table = (*faces, *final)
    sixes, free = on_table.count(6), sum(face < 6 for face in faces)
    drawback = any(face in (4, 5) for face in on_table)
    loose = drawback and not any(face in (4, 5) for face in final)
    planned = 0 if sixes > 1 or (loose and sixes == 0 and free == 1) else min(free, tokens)
    if not planned:
        return None
    return FocusReroll(
        min(faces), planned, _outcomes_after_rerolls(free, tokens, sixes=sixes, drawback=drawback, loose=loose)
    )


def _check(dice: int, tokens: int) -> None:
    if dice < 1 or tokens < 0:
        raise ValueError(f"no odds for {dice} dice and {tokens} tokens")


def _with_best_two(dice: int, first: int, second: int) -> int:
    """Return how many throws of `dice` dice have `first` as the best and `second` as the next best die."""
    ways: int
    if first == second:
        ways = first**dice - (first - 1) ** dice - dice * (first - 1) ** (dice - 1)
    else:
        ways = dice * (second ** (dice - 1) - (second - 1) ** (dice - 1))
    return ways


def _outcomes_after_rerolls(
    free: int, tokens: int, *, sixes: int, drawback: bool = False, loose: bool = False
) -> Tally:
    """Return the outcomes of rerolls, lowest die first, of `sixes` 6s and `free` lower dice that may be rerolled.

    `drawback`: one of the dice is a 4 or 5. `loose`: those may be rerolled themselves.
    """
    if sixes > 1:
        return Ratio(0), Ratio(0), Ratio(0), Ratio(1)
    rolled = min(free, tokens)
    never, low, six = Ratio(0), Ratio(1, 2), Ratio(1, 6)
    no_six = (1 - six) ** rolled
    if sixes == 1:
        return never, never, no_six, 1 - no_six
    one_six = rolled * six * (1 - six) ** (rolled - 1)
    fiasco = never if drawback else low**rolled
    # If all other dice came up low, the last die keeps the drawback and isn't rerolled.
    missed = low ** (rolled - 1) * six if loose and rolled == free else never
    return fiasco, no_six - fiasco + missed, one_six - missed, 1 - no_six - one_six


def _steps(faces: Sequence[int], goal: int) -> tuple[int, ...]:
    """Return the faces to raise, die by die, until each shows at least `goal`."""
    return tuple(step for face in faces for step in range(face, goal))


def _after(faces: Sequence[int], steps: Sequence[int]) -> tuple[int, ...]:
    """Return the dice after each step has raised the first die of its face."""
    dice = list(faces)
    for step in steps:
        dice[dice.index(step)] += 1
    return tuple(dice)
