"""What may be paid to change a roll on the table: the spends of a game file with their costs, and the tokens that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from waylog.rules.changes import format_path
from waylog.rules.file_game.clauses import CONDITIONS, COSTS, NOT_NOW
from waylog.rules.file_game.declaration import EffectRule, SpendRule
from waylog.rules.file_game.effects import UP, VERBS, parse_effect, refusal_of
from waylog.rules.file_game.moment import FileMoment, Scope
from waylog.rules.file_game.places import find, label_of, read
from waylog.rules.file_game.roll_plans import RollChoice
from waylog.rules.file_game.sheet_types import kind_of
from waylog.rules.file_game.spend_effects import (
    AddDice,
    Picked,
    RaiseDie,
    RaiseTotal,
    Reroll,
    Spend,
    SpendEffect,
    StepOutcome,
)
from waylog.rules.moves import Refusal
from waylog.values import NamedTuple

_FREE = 1000
"""More tokens than anybody has, where a price has no limit."""


class Price(NamedTuple):
    """What one effect of a cost takes."""

    token: str
    """The path of the value that pays."""
    label: str
    by: int
    there: int
    """How much there is to pay with."""


class OfferedSpend(NamedTuple):
    """A spend for the roll at hand."""

    name: str
    rule: SpendRule
    spend: Spend
    prices: tuple[Price, ...]

    @property
    def label(self) -> str:
        """Its name on screen."""
        return label_of(self.name, self.rule.label)


def spends_for(moment: FileMoment, choice: RollChoice) -> Iterator[OfferedSpend]:
    """Yield the spends that are for a roll, whether they can be paid or not."""
    scope = choice.scope(moment)
    for name, rule in moment.game.spend.items():
        if rule.rolls and choice.name not in rule.rolls:
            continue
        prices = tuple(prices_of(rule.cost, scope))
        token, cost = (prices[0].token, prices[0].by) if prices else ("", 0)
        limits = [price.there // price.by for price in prices[1:] if price.by > 0]
        limit = min([rule.limit, *limits] if rule.limit else limits, default=rule.limit)
        yield OfferedSpend(name, rule, Spend(name, effect_of(rule, choice), token, cost, limit, rule.outcomes), prices)


def effect_of(rule: SpendRule, choice: RollChoice) -> SpendEffect:
    """Return what a spend does to the dice."""
    if rule.raises:
        return RaiseDie(rule.raises)
    if rule.plus:
        return RaiseTotal(rule.plus)
    if rule.reroll:
        low, high = (rule.faces[0], rule.faces[-1]) if rule.faces else (None, None)
        return Reroll(Picked(rule.reroll), low, high, once=not rule.again)
    if rule.dice:
        return AddDice(rule.dice, rule.die or choice.rule.die)
    return StepOutcome(rule.step)


def prices_of(cost: Sequence[EffectRule], scope: Scope) -> Iterator[Price]:
    """Yield what a cost takes, and what there is."""
    for effect in cost:
        if not effect.do or not scope.holds(effect.when):
            continue
        words = parse_effect(effect.do)
        if words.verb not in VERBS[:5]:  # The others can always be paid.
            continue
        place = find(scope.moment.game.sheet, scope.who, words.names)
        path = place.of(scope.keys)
        now, by = read(scope.moment.sheet, path), scope.number(words.rest, 1)
        up, value = words.verb in UP, place.value
        if kind_of(value) == "flag":
            by, there = 1, int(bool(now) is not up)
        elif kind_of(value) == "number":
            there = _FREE if up else max(0, now or 0)
        else:
            least, most = value.range[0], value.range[-1]
            there = max(0, most - (now or 0) if up else (now or 0) - least)
        yield Price(format_path(path), place.label, max(0, by), there)


def purse_of(offered: Sequence[OfferedSpend]) -> Mapping[str, int]:
    """Return what there is to pay the first price of each spend with."""
    return {one.prices[0].token: one.prices[0].there for one in offered if one.prices}


def why_not(one: OfferedSpend, scope: Scope) -> Refusal | None:
    """Return why a spend is impossible, apart from what the dice show."""
    clause = one.rule.clause or CONDITIONS
    if not scope.holds(one.rule.when):
        return Refusal(one.rule.refusal or NOT_NOW, clause)
    if refusal := refusal_of(one.rule.cost, scope, in_full=True):
        return Refusal(refusal.reason, one.rule.clause or COSTS)
    return None
