"""Tokens that are spent on a roll on the table: to raise a die or the total, reroll, add dice, or step the outcome up; and their costs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from waylog.rules.codec.changes import format_path
from waylog.rules.file_game.clauses import CONDITIONS, COSTS, NOT_NOW
from waylog.rules.file_game.dice_readings import Band, Result, RollPlan, outcome_of, read_roll, step_up, worst_first
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, TableDie, Throw, parse_die, roll_by_rules
from waylog.rules.file_game.effects_and_offers import refusal_of
from waylog.rules.file_game.named_values_and_conditions import FileMoment, Scope, ValuePlace, find, label_of, read
from waylog.rules.file_game.roll_and_effect_format import DOWN, UP, EffectRule, SpendRule, parse_effect
from waylog.rules.file_game.roll_plans_and_options import RollChoice, die_of, die_used_for, things_beside
from waylog.rules.file_game.sheet_types import FileRoll, kind_of
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Refusal
from waylog.values import NamedTuple, dataclass, replace


@dataclass(frozen=True, slots=True)
class RaiseDie:
    """One die shows more, up to its highest face."""

    by: int = 1


@dataclass(frozen=True, slots=True)
class RaiseTotal:
    """The result is higher, or lower if the number is negative."""

    by: int = 1


class Picked(StrEnum):
    """The choice of dice for a reroll."""

    ONE = "one"
    """One that the player chooses."""
    LOWEST = "lowest"
    """The lowest of those that may be rerolled; the player chooses between several that show the same face."""
    ALL = "all"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Reroll:
    """Dice are rolled again, others are added to them, or both at once, by the rules of the roll."""

    which: Picked = Picked.ONE
    low: int | None = None
    high: int | None = None
    """Only dice that show a face from `low` to `high`."""
    once: bool = True
    """A die that was rerolled may not be rerolled again."""
    better: bool = False
    """If the outcome is worse then, the dice go back, without those that were added."""
    accept: tuple[str, ...] = ()
    """The outcomes with which they don't."""
    more: int = 0
    """The number of dice that are added."""
    die: str = "d6"
    label: str = ""
    """The label of the added dice; without one, the name of the spend."""
    against: bool = False
    """The other side's dice are rerolled, which no odds are made of."""
    both: bool = False
    """The dice of both sides are, of which there are no odds either."""

    @property
    def asks(self) -> bool:
        """Whether one die is chosen for it."""
        return self.which in (Picked.ONE, Picked.LOWEST)

    def takes(self, face: int, final: bool) -> bool:
        """Whether a die may be rerolled that shows this face."""
        if self.which is Picked.NONE:
            return False
        fits = (self.low is None or face >= self.low) and (self.high is None or face <= self.high)
        return fits and not (self.once and final)


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The outcome is a better one: so many outcomes better, in the order from worst to best, or the worst one that is so many grades
    better.
    """

    by: int = 1
    grades: int = 0


@dataclass(frozen=True, slots=True)
class SetScore:
    """A number stands in place of what one's own dice come to, with everything added. From then on nothing is spent on dice."""

    score: int


SpendEffect = RaiseDie | RaiseTotal | Reroll | StepOutcome | SetScore
ON_DICE = (RaiseDie, Reroll)


@dataclass(frozen=True, slots=True)
class Spend:
    """A way to spend tokens on a roll."""

    name: str
    effect: SpendEffect
    token: str = ""
    cost: int = 1
    limit: int = 0
    """The most uses for one roll; 0 if only the tokens limit it. A spend that costs nothing can be used once if the file sets no limit."""
    when: tuple[str, ...] = ()
    """Only while the roll has one of these outcomes; empty for any."""
    partly: bool = False
    """If fewer tokens are left than it costs, those are enough."""

    @property
    def is_on_theirs(self) -> bool:
        """Whether it rerolls the other side's dice, alone or with one's own."""
        return isinstance(self.effect, Reroll) and (self.effect.against or self.effect.both)

    def uses(self, tokens: int, used: int = 0) -> int:
        """Return how often it may be used with so many tokens left, once it has been used so often."""
        limit = self.limit or (1 if self.cost <= 0 else None)
        bounds = [] if limit is None else [limit - used]
        bounds += [-(-tokens // self.cost) if self.partly else tokens // self.cost] if self.cost > 0 else []
        return max(0, min(bounds))


def outcome_now(plan: RollPlan, roll: FileRoll, result: Result | None = None) -> Band:
    """Return the outcome of the dice as they are, of which the `result` may be known."""
    shown = outcome_of(plan.bands, result or result_now(plan, roll)).outcome
    if not (roll.steps or roll.grades):
        return next(band for band in plan.bands if band.outcome == shown)
    order = worst_first(plan.bands)
    rolled = [band.outcome for band in order].index(shown)
    return order[step_up(order, rolled, roll.steps, roll.grades)]


def result_now(plan: RollPlan, roll: FileRoll) -> Result:
    """Return what the dice come to as they are, with what has been spent."""
    reading = replace(plan.reading, plus=plan.reading.plus + roll.raised)
    return read_roll(reading, roll.dice, None if roll.score is None else roll.score + roll.raised)


def can_spend(plan: RollPlan, roll: FileRoll, spend: Spend, purse: Mapping[str, int]) -> bool:
    """Whether a spend is possible now, with these tokens left."""
    if not spend.uses(purse.get(spend.token, 0), roll.used.count(spend.name)):
        return False
    if spend.when and outcome_now(plan, roll).outcome not in spend.when:
        return False
    if roll.score is not None and isinstance(spend.effect, (*ON_DICE, SetScore)):
        return False
    if isinstance(spend.effect, Reroll) and spend.effect.more:
        return True
    return not isinstance(spend.effect, RaiseDie | Reroll) or bool(places_for(roll, spend.effect))


def is_idle(plan: RollPlan, roll: FileRoll, effect: SpendEffect) -> bool:
    """Whether a step or a score would leave the outcome as it is."""
    match effect:
        case StepOutcome(by=by, grades=grades):
            after = replace(roll, steps=roll.steps + by, grades=roll.grades + grades)
        case SetScore(score=score):
            after = replace(roll, score=score, raised=0, steps=0, grades=0)
        case _:
            return False
    return outcome_now(plan, after) == outcome_now(plan, roll)


def places_for(roll: FileRoll, effect: RaiseDie | Reroll) -> tuple[int, ...]:
    """Return the places of the dice of which one may be raised or rerolled; of a reroll of all, of those that will be."""
    if isinstance(effect, RaiseDie):
        ours = ((place, die) for place, die in enumerate(roll.dice) if not die.against)
        return tuple(place for place, die in ours if die.face < parse_die(die.die).top)
    meant = ((place, die) for place, die in enumerate(roll.dice) if effect.both or die.against is effect.against)
    free = [(place, die) for place, die in meant if effect.takes(die.face, die.final)]
    if effect.which is Picked.LOWEST and free:
        lowest = min(die.face for _, die in free)
        free = [(place, die) for place, die in free if die.face == lowest]
    return tuple(place for place, _ in free)


def spend_on(plan: RollPlan, roll: FileRoll, spend: Spend, place: int | None, throw: Throw) -> FileRoll:
    """Return the roll after a spend that is possible. `place` is the die that the player chose, for one that is raised or rerolled.

    A step raises the outcome at hand; whatever changes the dice or the total afterwards is read without it. May raise what `throw`
    raises, such as `DiceWanted`.
    """
    used = (*roll.used, spend.name)
    if isinstance(spend.effect, StepOutcome):
        steps, grades = roll.steps + spend.effect.by, roll.grades + spend.effect.grades
        return replace(roll, steps=steps, grades=grades, used=used)
    roll = replace(roll, steps=0, grades=0, used=used)
    match spend.effect:
        case SetScore(score=score):
            return replace(roll, score=score, raised=0)
        case RaiseDie(by=by):
            chosen = places_for(roll, spend.effect)[0] if place is None else place
            dice = list(roll.dice)
            dice[chosen] = replace(dice[chosen], face=min(dice[chosen].face + by, parse_die(dice[chosen].die).top))
            return replace(roll, dice=tuple(dice))
        case Reroll() as effect:
            places, thrown = dice_thrown(roll, spend.name, effect, place)
            new = roll_by_rules(thrown, plan.rules, throw)
            dice, before = list(roll.dice), list(roll.dice)
            for at, old, die in zip(places, thrown, new, strict=False):
                dice[at], before[at] = die, replace(roll.dice[at], final=old.final)
            after, back = (replace(roll, dice=tuple(one)) for one in ((*dice, *new[len(places) :]), before))
            if not effect.better:
                return after
            order = [band.outcome for band in worst_first(plan.bands)]
            now, was = (order.index(outcome_now(plan, one).outcome) for one in (after, back))
            return back if now < was and order[now] not in effect.accept else after
        case RaiseTotal(by=by):
            return replace(roll, raised=roll.raised + by)


def dice_thrown(
    roll: FileRoll, name: str, effect: Reroll, place: int | None
) -> tuple[Sequence[int], Sequence[TableDie]]:
    """Return the places of the dice that a spend of that name takes up again, and all that it throws: first those, then what it adds."""
    places = places_for(roll, effect)
    if effect.asks:
        places = places[:1] if place is None else (place,)
    again = [replace(roll.dice[at], final=roll.dice[at].final or effect.once) for at in places]
    return places, [
        *again,
        *[TableDie(effect.die, 0, effect.label or label_of(name.partition(".")[0], ""))] * effect.more,
    ]


def take_up(
    stage: FileRoll, one: OfferedSpend, place: int | None
) -> tuple[FileRoll, tuple[DiceGroup, ...], Collection[bool]]:
    """Return a roll without the dice that a reroll takes up, those that it throws, and whether these may be rerolled again."""
    assert isinstance(one.spend.effect, Reroll)
    places, thrown = dice_thrown(stage, one.spend.name, one.spend.effect, place)
    beside = tuple(die for at, die in enumerate(stage.dice) if at not in places)
    pool = tuple(DiceGroup(1, die.die, die.label, die.against) for die in thrown)
    left = replace(stage, dice=beside, steps=0, grades=0, used=(*stage.used, one.spend.name))
    return left, pool, {die.final for die in thrown}


_FREE = 1000
"""More tokens than anybody has, where a price has no limit."""


class Price(NamedTuple):
    """The amount that one effect of a cost takes, and of what."""

    token: str
    """The path of the value that pays."""
    place: ValuePlace
    by: int
    there: int
    """The amount that there is to pay with."""
    partly: bool
    """Whether less is enough, if there is no more."""
    is_flag: bool
    """Whether it is paid by marking something, of which there is no number."""
    is_gain: bool
    """Whether it is rather something that comes with it, such as a point of the other side."""


class OfferedSpend(NamedTuple):
    """A spend for the roll at hand."""

    name: str
    rule: SpendRule
    spend: Spend
    prices: tuple[Price, ...]
    scope: Scope
    """The values that its formulas and costs read."""
    payer: str = ""
    """The name of the thing that does it, if it isn't who rolls."""
    word: str = ""
    """The word for that thing."""

    @property
    def label(self) -> str:
        """Its name on screen."""
        return f"{label_of(self.name, self.rule.label)}{f' ({self.payer})' if self.payer else ''}"

    @property
    def is_token(self) -> bool:
        """Whether it is called like what it costs: `Luck`, for 1 Luck."""
        return len(self.prices) == 1 and self.prices[0].place.label == self.label

    @property
    def title(self) -> str:
        """Its name with its price: `Push (costs 2 Stress)`, or `Spend 1 Luck`."""
        if not (price := describe_price(self.prices)):
            return self.label
        costs = price if price.startswith("+") else f"costs {price}"
        return f"Spend {price}" if self.is_token else f"{self.label} ({costs})"

    def heading(self, who: str) -> str:
        """Return what the log says of it: `Mara spends 1 Luck`, or `Mara: Push (2 Stress)`."""
        price = describe_price(self.prices)
        if who and self.is_token:
            return f"{who} spends {price}"
        return (f"{who}: " if who else "") + self.label + (f" ({price})" if price else "")


def spends_for(moment: FileMoment, choice: RollChoice) -> Iterator[OfferedSpend]:
    """Yield the spends that are for a roll, whether they can be paid or not. A hidden roll has none: players would see what is asked."""
    for name, rule in moment.game.spend.items() if not choice.rule.hidden else ():
        if rule.rolls and choice.name not in rule.rolls:
            continue
        if not rule.who:
            yield _offer_spend(name, rule, choice, choice.scope(moment))
            continue
        beside = {*things_beside(moment, choice, rule.who)}
        for word, keys in moment.things_by_word(rule.who).items():
            if keys in beside:
                scope = Scope(moment, rule.who, keys, choice.names(), choice.chosen_things(moment))
                one = _offer_spend(f"{name}.{word}", rule, choice, scope)
                yield one._replace(name=name, payer=moment.thing_name(rule.who, keys), word=word)


def _offer_spend(id_: str, rule: SpendRule, choice: RollChoice, scope: Scope) -> OfferedSpend:
    prices = tuple(prices_of(rule.cost, scope))
    token, cost = (prices[0].token, prices[0].by) if prices else ("", 0)
    # Where less is enough, the last payment is what is left.
    limits = [
        -(-price.there // price.by) if price.partly else price.there // price.by for price in prices[1:] if price.by > 0
    ]
    limit = min([rule.limit, *limits] if rule.limit else limits, default=rule.limit)
    partly = bool(prices) and prices[0].partly
    spend = Spend(id_, effect_of(id_, rule, choice, scope), token, cost, limit, rule.outcomes, partly)
    return OfferedSpend(id_, rule, spend, prices, scope)


def effect_of(id_: str, rule: SpendRule, choice: RollChoice, scope: Scope) -> SpendEffect:
    """Return what a spend does to the dice."""
    if rule.score != "":
        return SetScore(scope.number(rule.score))
    if rule.raises:
        return RaiseDie(rule.raises)
    if rule.plus:
        return RaiseTotal(rule.plus)
    if rule.reroll or rule.dice:
        low, high = (rule.faces[0], rule.faces[-1]) if rule.faces else (None, None)
        die = die_of(rule.die or choice.replacing("die").die, scope, choice.rule.symbol) if rule.dice else ""
        return Reroll(
            Picked(rule.reroll),
            low,
            high,
            once=not rule.again,
            better=rule.keep_better,
            accept=rule.accept,
            more=rule.dice,
            die=die_used_for(choice, scope, die, rule.dice_label or id_.partition(".")[0]),
            label=rule.dice_label,
            against=rule.against,
            both=rule.both,
        )
    return StepOutcome(rule.step, rule.grade)


def prices_of(cost: Sequence[EffectRule], scope: Scope) -> Iterator[Price]:
    """Yield what a cost takes, and what there is."""
    for effect in cost:
        if not effect.do or not scope.holds(effect.when):
            continue
        words = parse_effect(effect.do)
        if words.verb not in (*UP, *DOWN):  # The others can always be paid.
            continue
        place = find(scope.moment.game.sheet, scope.who, words.names)
        path = place.of(scope.keys)
        now, by = read(scope.moment.sheet, path), scope.number(words.rest, 1)
        up, value = words.verb in UP, place.value
        if kind_of(value) == "flag":
            by, there = 1, int(bool(now) is not up)
        elif kind_of(value) == "choices":
            at = value.choices.index(now) if now in value.choices else 0
            there = len(value.choices) - 1 - at if up else at
        elif kind_of(value) == "number":
            there = _FREE if up else max(0, now or 0)
        else:
            least, most = scope.moment.limits(value, path)
            there = max(0, most - (now or 0) if up else (now or 0) - least)
        is_gain = there == _FREE or words.verb == "gain"
        yield Price(format_path(path), place, max(0, by), there, effect.partly, kind_of(value) == "flag", is_gain)


def describe_price(prices: Iterable[Price]) -> str:
    """Return the numbers that are paid, for people: `2 Stress, 1 Stores`, and `+1 Doom` for what is gained. Empty for what costs none."""
    shown = (("+" if price.is_gain else "", price) for price in prices if not price.is_flag)
    return ", ".join(f"{sign}{price.place.count_in_words(price.by)}" for sign, price in shown)


def tell_price(label: str, prices: Iterable[Price], clause: str) -> Iterator[NoteFact]:
    """Yield what something costs, if that is numbers: `Push costs 2 Stress`."""
    if price := describe_price(prices):
        named = f"“{label}”" if " " in label and ": " not in label else label
        yield NoteFact(f"{label}: {price}" if price.startswith("+") else f"{named} costs {price}", clause or COSTS)


def purse_of(offered: Sequence[OfferedSpend]) -> Mapping[str, int]:
    """Return what there is to pay the first price of each spend with."""
    return {one.prices[0].token: one.prices[0].there for one in offered if one.prices}


def why_not(one: OfferedSpend, after: Scope) -> Refusal | None:
    """Return why a spend is impossible, with what formulas read after the roll, apart from what the dice show."""
    clause, scope = one.rule.clause or CONDITIONS, replace(one.scope, names=after.names)
    if not scope.holds(one.rule.when):
        return Refusal(one.rule.refusal or NOT_NOW, clause)
    if refusal := refusal_of(one.rule.cost, scope, in_full=True):
        return Refusal(refusal.reason, one.rule.clause or COSTS)
    return None
