"""The exact odds of a roll of a game in a file, as rolled and with what may be spent on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from waylog.rules.facts import NoteFact
from waylog.rules.file_game.clauses import CONDITIONS
from waylog.rules.file_game.moment import FileMoment
from waylog.rules.file_game.odds.pool_odds import Tally, exact_odds
from waylog.rules.file_game.odds.spend_odds import Purse, best_odds
from waylog.rules.file_game.odds.work_limit import TooMany
from waylog.rules.file_game.readings import RollPlan, worst_first
from waylog.rules.file_game.roll_plans import RollChoice, plan_roll, pool_in_words
from waylog.rules.file_game.spend_offers import OfferedSpend, spends_for
from waylog.rules.odds import Chance, Odds, Spread
from waylog.rules.ratio import Ratio

_MOST_SPREADS = 4


def odds_of(moment: FileMoment, choice: RollChoice) -> Odds | None:
    """Return the chances of each outcome, as rolled and with what can be spent in the best way; None for a pool so large that they would
    take too long.
    """
    planned = plan_roll(moment, choice)
    plan, reasons = planned.plan, planned.reasons
    offered = [one for one in spends_for(moment, choice) if _is_possible(one, moment, choice)]
    purses = dict(_purses(offered)) if offered else {}
    found = _with_spends(plan, offered, [None, *purses.values()]) if offered else ()
    if not found:
        try:
            found = (exact_odds(plan),)
        except TooMany:
            return None
        if offered:
            text = "The odds with what can be spent would take too long to work out; those as rolled are exact"
            reasons = (*reasons, NoteFact(text, choice.rule.clause or CONDITIONS))
    tally, *tallies = found
    rolled = _spread("as rolled", plan, tally)
    spends: list[Spread] = []
    known = [dict(tally)]
    for label, best in zip(purses, tallies, strict=False):
        if dict(best) not in known:
            spends.append(_spread(label, plan, best))
            known.append(dict(best))
    return Odds(pool_in_words(plan.pool, plan.reading), rolled, tuple(spends), reasons)


def _with_spends(plan: RollPlan, offered: Sequence[OfferedSpend], purses: Sequence[Purse | None]) -> tuple[Tally, ...]:
    """Return the chances with each purse; none, if they would take too long."""
    try:
        return best_odds(plan, tuple(one.spend for one in offered), purses)
    except TooMany:
        return ()


def _is_possible(one: OfferedSpend, moment: FileMoment, choice: RollChoice) -> bool:
    """Whether a spend can be paid. A condition that reads the result is taken to hold."""
    if any(price.by > price.there for price in one.prices):
        return False
    from waylog.rules.file_game.expression_parser import parse_expression

    behind = {("result",), ("outcome",), ("doubles",), ("matches",), ("ones",), ("face",)}
    when = one.rule.when
    if isinstance(when, str) and when and parse_expression(when).paths & behind:
        return True
    return choice.scope(moment).holds(when)


def _purses(offered: Sequence[OfferedSpend]) -> Iterator[tuple[str, Purse]]:
    """Yield what may be spent, in words and in tokens: of one kind, more and more; of several, each alone and then all."""
    paid: dict[str, list[OfferedSpend]] = {}
    for one in offered:
        if one.prices and one.spend.cost > 0:
            paid.setdefault(one.spend.token, []).append(one)
    most = {token: _most(spends) for token, spends in paid.items()}
    if not paid:
        yield f"with {offered[0].label}" if len(offered) == 1 else "with what costs nothing", ()
    elif len(paid) == 1:
        ((token, spends),) = paid.items()
        least = min(one.spend.cost for one in spends)
        for count in [*range(least, most[token] + 1, least)][:_MOST_SPREADS]:
            yield f"with {count} {spends[0].prices[0].label}", ((token, count),)
    else:
        for token, spends in paid.items():
            yield f"with {most[token]} {spends[0].prices[0].label}", ((token, most[token]),)
        yield "with everything", tuple(most.items())


def _most(spends: Sequence[OfferedSpend]) -> int:
    """Return how many tokens of a kind can be spent on one roll."""
    there = spends[0].prices[0].there
    useful = [one.spend.limit * one.spend.cost for one in spends]
    return min(there, sum(useful)) if all(useful) else there


def _spread(label: str, plan: RollPlan, tally: Mapping[str, Ratio]) -> Spread:
    bands = {band.outcome: band for band in worst_first(plan.bands)}
    chances = tuple(
        Chance(outcome, bands[outcome].label, bands[outcome].grade, chance)
        for outcome, chance in tally.items()
        if chance
    )
    return Spread(label, chances)
