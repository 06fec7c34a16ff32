"""Exact odds before a roll, with helpers, and how each outcome would return the dice (VC-25)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from waylog.rules.kit import Chapter
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Answers, Move
from waylog.rules.model.odds import Odds, Ratio, percent
from waylog.rules.systems._veil_hits import damage
from waylog.rules.systems._veil_hits.damage import MOST_HELP, OUTCOMES, chances, spread
from waylog.rules.systems._veil_hits.moment import HeldToken, Moment, times
from waylog.rules.systems.veil_classic import rolls
from waylog.rules.systems.veil_classic.rolls import Pool, proficient, summary
from waylog.rules.systems.veil_classic.shunts import AFTER, Shunt

if TYPE_CHECKING:
    from waylog.rules.systems._veil_hits.damage import Tally


def odds(moment: Moment, move: Move, answers: Answers) -> Odds:
    """Return the odds of a roll. Raises `ActRefused` for one that can't be made."""
    if str(answers.get("instead", "dice")) != "dice":
        return _sure(moment, move, answers)
    pool = rolls.pool_for(moment, move, answers)
    tally = chances(pool.targets, pool.rating)
    wasted = (NoteFact(proficient(pool), "VC-05"),) if len(pool.factors) > MOST_HELP else ()
    forecast = tuple(_forecast(moment, pool, tally))
    return Odds(
        summary(moment, pool), spread(moment.edition, tally), (), (*pool.reasons, *pool.given, *wasted), forecast
    )


def _sure(moment: Moment, move: Move, answers: Answers) -> Odds:
    """Return a certain Success, for engineering (VC-20). Raises `ActRefused` if that isn't possible."""
    rolls.check_engineering(moment, move, answers)
    sure = (Ratio(0), Ratio(0), Ratio(1))
    cost = NoteFact(f"Engineering is spent: {moment.edition.without[HeldToken.ENGINEERING]}", "VC-20")
    return Odds("no dice: engineering", spread(moment.edition, sure), (), (), (cost,))


def _forecast(moment: Moment, pool: Pool, tally: Tally) -> Iterator[NoteFact]:
    if pool.grit:
        yield NoteFact(f"Any outcome: grit −{pool.grit}", "VC-05")
    if not pool.system:
        return
    for mood, chance in zip(OUTCOMES, tally, strict=True):
        shunt = AFTER[pool.desperate, mood]
        if chance and (moment.dice(pool.system) or shunt is Shunt.FAULT):
            label = moment.edition.outcomes[mood][1].split()[0]
            yield NoteFact(
                f"{label} ({percent(chance)}): {shunt}, {_does(moment, pool.system, shunt)}", _CLAUSES[shunt]
            )


_CLAUSES = {Shunt.REACTIVE: "VC-11", Shunt.STANDARD: "VC-12", Shunt.STABILISE: "VC-13", Shunt.FAULT: "VC-14"}


def _does(moment: Moment, system: str, shunt: Shunt) -> str:
    count = moment.dice(system)
    dice = times(count, "die")
    match shunt:
        case Shunt.REACTIVE:
            return f"place the {dice} after the consequence is known"
        case Shunt.STANDARD:
            return f"place the {dice} at once"
        case Shunt.STABILISE:
            return f"return the {dice} to {system}"
        case Shunt.FAULT if count > 1:
            return f"a die of {system} is lost"
        case Shunt.FAULT if not count and moment.rules.fault_without_dice == "nothing":
            return "nothing is lost"
        case Shunt.FAULT:
            lost = f"the only die of {system} is lost, and " if count else ""
            return f"{lost}the ship takes damage: {damage.forecast(moment)}"


CHAPTER = Chapter(odds={"roll": odds})
