"""The chances after each spend on the dice on the table, and the words for them beside the spend."""

from __future__ import annotations

from contextlib import suppress

from waylog.rules.codec.changes import join_names
from waylog.rules.file_game.dice_readings import RollPlan, worst_first
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup
from waylog.rules.file_game.named_values_and_conditions import FileMoment
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany
from waylog.rules.file_game.odds.odds_with_spends import Advice, spends_that_count, spread_of, weigh_spends
from waylog.rules.file_game.odds.odds_without_spends import Tally
from waylog.rules.file_game.roll_plans_and_options import RollChoice, dice_in_words
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.file_game.spends import OfferedSpend, Reroll, outcome_now, places_for, purse_of, spends_for
from waylog.rules.model.odds import Odds, Ratio, name_chances
from waylog.values import NamedTuple, replace

LATER = "if you also spend all that is left"
"""How the chances are introduced that other spends lead to after one."""
_LONGEST = 70
"""The letters that the chances of all outcomes may take beside a spend."""


class SpendChances(NamedTuple):
    """The chances after a spend on the dice on the table."""

    kept: Tally
    """The chance of each outcome, worst first, if nothing is spent after it."""
    best: Tally
    """The same if all that is left is spent in the best way; as `kept` where that would take too long."""
    place: int | None
    """The die that it is for, by its place on the table."""


def look_ahead(
    moment: FileMoment, choice: RollChoice, plan: RollPlan, roll: FileRoll, one: OfferedSpend, place: int | None = None
) -> SpendChances | None:
    """Return what a spend that is possible leads to, for the die at this place, or for the best die. None if it rerolls the other side's
    dice, of which only the sum is known, or if there are too many dice.
    """
    if one.spend.is_on_theirs:
        return None
    once = replace(one.spend, limit=roll.used.count(one.spend.name) + 1)
    left = spends_that_count(spends_for(moment, choice), plan)
    then, kept = list[Advice](), list[Advice]()
    with suppress(TooMany):
        then += weigh_spends(plan, [each.spend for each in left], roll, purse_of(left))
    with suppress(TooMany):
        kept += weigh_spends(plan, (once,), roll, purse_of([one]))
    then = [advice for advice in then if advice.spend.name == one.spend.name]
    if place is None:
        place = next((place for advice in (*then, *kept) for place in advice.places), None)
    found, best = ([each for each in some if place in each.places or not each.places] for some in (kept, then))
    return SpendChances(found[0].odds, (best or found)[0].odds, place) if found else None


def odds_after(plan: RollPlan, roll: FileRoll, one: OfferedSpend, chances: SpendChances) -> Odds:
    """Return the odds of a roll on the table after a spend."""
    kept, best = spread_of("", plan, chances.kept), spread_of(LATER, plan, chances.best)
    return Odds(_dice_thrown(roll, one), kept, (best,) if chances.best != chances.kept else ())


def _dice_thrown(roll: FileRoll, one: OfferedSpend) -> str:
    """Return which dice a spend throws, for people: `2d6 again, 1d6 more`."""
    effect, parts = one.spend.effect, list[str]()
    if isinstance(effect, Reroll):
        again = [roll.dice[place].die for place in places_for(roll, effect)][: 1 if effect.asks else None]
        groups = [DiceGroup(again.count(die), die) for die in dict.fromkeys(again)]
        parts += [f"{dice_in_words(groups)} again"] if groups else []
        parts += [f"{dice_in_words([DiceGroup(effect.more, effect.die)])} more"] if effect.more else []
    return join_names(parts) if parts else "no dice"


def chances_in_words(plan: RollPlan, roll: FileRoll, chances: SpendChances) -> str:
    """Return the chances after a spend in a few words: of each outcome, or of a better and a worse one."""
    now = outcome_now(plan, roll).outcome
    kept = _tally_in_words(plan, chances.kept, now)
    if not chances.kept[now] or chances.kept[now].denominator > 1 or chances.best == chances.kept:
        return kept
    return f"still “{kept}”. {LATER.capitalize()}: {_tally_in_words(plan, chances.best, now)}"


def _tally_in_words(plan: RollPlan, tally: Tally, now: str) -> str:
    bands = worst_first(plan.bands)
    possible = [band for band in bands if tally[band.outcome]]
    if len(possible) == 1:
        return possible[0].label
    every = name_chances((band.label, tally[band.outcome]) for band in possible)
    if len(every) <= _LONGEST:
        return every
    place = [band.outcome for band in bands].index(now)
    sides = {"worse": bands[:place], "the same": bands[place : place + 1], "better": bands[place + 1 :]}
    chances = {side: sum((tally[band.outcome] for band in those), Ratio()) for side, those in sides.items()}
    return name_chances((side, chance) for side, chance in chances.items() if chance)
