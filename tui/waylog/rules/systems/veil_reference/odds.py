"""Exact odds before a roll, and what each outcome would do with the dice now (RF-19)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from waylog.rules.codec.changes import join_names
from waylog.rules.kit import Chapter
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.rules.model.moves import Answers, Move
from waylog.rules.model.odds import Odds, Ratio, percent
from waylog.rules.systems._veil_hits import damage
from waylog.rules.systems._veil_hits.damage import MOST_HELP, OUTCOMES, chances, spread
from waylog.rules.systems._veil_hits.moment import Moment, times
from waylog.rules.systems._veil_hits.roll_moves import dice_on_ship
from waylog.rules.systems.veil_reference import rolls
from waylog.rules.systems.veil_reference.rolls import Pool, summary, target_text, vitality
from waylog.rules.systems.veil_reference.skills import member_of

if TYPE_CHECKING:
    from waylog.rules.systems._veil_hits.damage import Tally


def odds(moment: Moment, move: Move, answers: Answers) -> Odds:
    """Return the odds of a roll. Raises `ActRefused` for one that can't be made."""
    pool = rolls.pool_for(moment, move, answers)
    tally = chances(pool.targets, pool.difficulty)
    wasted = (NoteFact(target_text(pool).capitalize(), "RF-05"),) if len(pool.invoked) > MOST_HELP else ()
    reasons = (*pool.reasons, *pool.given, *wasted)
    return Odds(summary(pool), spread(moment.edition, tally), (), reasons, tuple(_forecast(moment, pool, tally)))


def _forecast(moment: Moment, pool: Pool, tally: Tally) -> Iterator[NoteFact]:
    chance = dict(zip(OUTCOMES, tally, strict=True))
    if pool.system:
        yield from _of_ship(
            moment, pool, chance[OutcomeGrade.FIASCO], chance[OutcomeGrade.DRAWBACK], chance[OutcomeGrade.SUCCESS]
        )
        return
    if pool.items:
        equipment = member_of(moment, pool.who).equipment
        names = join_names(equipment[key].name or key for key in pool.items)
        yield NoteFact(f"Any outcome: {names} spent", "RF-12")
    if pool.desperate and (count := vitality(moment, pool.who)) and chance[OutcomeGrade.FIASCO]:
        yield NoteFact(
            f"Fiasco ({percent(chance[OutcomeGrade.FIASCO])}): a vitality die is lost ({count - 1} left)", "RF-13"
        )


def _of_ship(moment: Moment, pool: Pool, fiasco: Ratio, complication: Ratio, success: Ratio) -> Iterator[NoteFact]:
    dice = times(moment.dice(pool.system), "die")
    if fiasco and pool.desperate:
        yield NoteFact(f"Fiasco ({percent(fiasco)}): the ship takes damage, {damage.forecast(moment)}", "RF-11")
    if success:
        yield NoteFact(
            f"Success ({percent(success)}): all {sum(dice_on_ship(moment).values())} dice may be remapped", "RF-09"
        )
    if complication and moment.dice(pool.system):
        yield NoteFact(
            f"Complication ({percent(complication)}): place the {dice} from {pool.system} in any systems", "RF-10"
        )


CHAPTER = Chapter(odds={"roll": odds})
