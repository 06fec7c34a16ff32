"""A declared roll with its numbers: how many dice, how they are read, which outcomes there are, and why.

The options of a roll: those that the file names, and one for each thing of the list that an option is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from waylog.rules.codec.changes import words_for
from waylog.rules.file_game.clauses import CONDITIONS, COSTS, NOT_NOW
from waylog.rules.file_game.declaration import BandRule, CallRule, GameFile, RollOption, RollRule
from waylog.rules.file_game.dice_readings import (
    MOST_DICE,
    Band,
    DiceGroup,
    Explosion,
    Keep,
    Reading,
    ReadingKind,
    RollPlan,
    ThrowRules,
    parse_die,
    worst_first,
)
from waylog.rules.file_game.effects import apply_all, refusal_of
from waylog.rules.file_game.expressions import parse_expression
from waylog.rules.file_game.moment import FileMoment, Found, Scope, conditions_for, label_of, things
from waylog.rules.model.dice_notation import NotDice
from waylog.rules.model.facts import NoteFact, NotePart
from waylog.rules.model.moves import Option, Refusal
from waylog.values import NamedTuple, replace


class OptionOfRoll(NamedTuple):
    """Something that may be chosen for a roll: an option, or a thing that one is for."""

    id: str
    """What a roll on the table keeps of it: `push`, or with a thing `gear.rope`."""
    label: str
    rule: RollOption
    scope: Scope
    """What its formulas read."""


def option_of(id_: str) -> str:
    """Return the name of the option that an id means."""
    return id_.partition(".")[0]


def options_by_word(moment: FileMoment, choice: RollChoice) -> Mapping[str, OptionOfRoll]:
    """Return everything that may be chosen for a roll, by the word that is typed."""
    rule, found = choice.rule, dict[str, OptionOfRoll]()
    taken = {*rule.calls, *(name for name, option in rule.options.items() if not option.who)}
    owner = moment.thing_name(rule.who.partition(".")[0], choice.keys[:1]) if choice.keys else ""
    for name, option in rule.options.items():
        if not option.who:
            found[name] = OptionOfRoll(name, label_of(name, option.label), option, choice.scope(moment))
            continue
        keys_by_id = {
            f"{name}.{keys[-1]}": keys
            for keys, _ in things(moment.sheet, option.who)
            # All but the one that rolls; of a list that each has, those of who rolls.
            if keys != choice.keys and (len(keys) == 1 or keys[:1] == choice.keys[:1])
        }
        words = words_for(((id_, keys[-1]) for id_, keys in keys_by_id.items()), name, (*taken, *found))
        for word, id_ in words.items():
            scope = Scope(moment, option.who, keys_by_id[id_], choice.names())
            label = moment.thing_name(option.who, scope.keys).removeprefix(f"{owner}, ")
            found[word] = OptionOfRoll(id_, label, option, scope)
    return found


def chosen_options(moment: FileMoment, choice: RollChoice) -> tuple[OptionOfRoll, ...]:
    """Return what was chosen for a roll."""
    if not choice.options:
        return ()
    return tuple(one for one in options_by_word(moment, choice).values() if one.id in choice.options)


def offered_option(word: str, one: OptionOfRoll, clause: str, price: str) -> Option:
    """Return what is shown of something that may be chosen, with its price, and why it can't be."""
    blocked = None
    if not one.scope.holds(one.rule.when):
        blocked = Refusal(one.rule.refusal or NOT_NOW, clause or CONDITIONS)
    elif refusal := refusal_of(one.rule.cost, one.scope, in_full=True):
        blocked = Refusal(refusal.reason, refusal.clause or COSTS)
    dice, plus = one.scope.number(one.rule.dice), one.scope.number(one.rule.plus)
    notes = [
        *([f"{dice:+d} dice" if abs(dice) != 1 else f"{dice:+d} die"] if dice else []),
        *([f"{plus:+d}"] if plus else []),
        *([f"costs {price}"] if price else []),
    ]
    return Option(word, one.label, ", ".join(notes), blocked=blocked, costs=bool(one.rule.cost))


def refusal_of_costs(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why what was chosen for a roll can't be paid together."""
    left: dict[tuple[str, ...], int] = {}
    for one in chosen_options(moment, choice):
        if refusal := refusal_of(one.rule.cost, one.scope, in_full=True, left=left):
            return refusal
    return None


def pay_for_options(moment: FileMoment, choice: RollChoice) -> FileMoment:
    """Pay for what was chosen for a roll."""
    for one in chosen_options(moment, choice):
        moment = apply_all(moment, one.rule.cost, one.scope)
    return moment


CALL, OPTIONS, MODIFIER = "call", "options", "modifier"


class RollChoice(NamedTuple):
    """A roll as somebody makes it."""

    name: str
    rule: RollRule
    keys: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """The ids of what was chosen (see `OptionOfRoll`)."""
    call: str = ""
    modifier: int = 0

    @property
    def label(self) -> str:
        """Its name on screen."""
        return label_of(self.name, self.rule.label)

    @property
    def call_rule(self) -> CallRule:
        """How it is made."""
        return self.rule.calls.get(self.call) or CallRule()

    def names(self) -> dict[tuple[str, ...], Found]:
        """Return what formulas read of it."""
        chosen = {*map(option_of, self.options)}
        found: dict[tuple[str, ...], Found] = {(OPTIONS, name): name in chosen for name in self.rule.options}
        if self.rule.calls:
            found[(CALL,)] = self.call
        if self.rule.modifier:
            found[(MODIFIER,)] = self.modifier
        return found

    def scope(self, moment: FileMoment) -> Scope:
        """Return what its formulas read."""
        return Scope(moment, self.rule.who, self.keys, self.names())


def choices_change_dice(rule: RollRule) -> bool:
    """Whether what is chosen for a roll may change how many dice it has."""
    chosen = (CALL, OPTIONS, MODIFIER)
    formulas = (rule.pool, *(formula for extra in rule.more for formula in (extra.dice, extra.when)))
    added = (*(one.dice for one in rule.options.values()), *(one.dice for one in rule.calls.values()))
    return any(dice != 0 for dice in added) or any(
        path[0] in chosen
        for formula in formulas
        if isinstance(formula, str) and formula
        for path in parse_expression(formula).paths
    )


class PlannedRoll(NamedTuple):
    """A roll with its numbers."""

    plan: RollPlan
    none: bool
    """There was no die, so others are rolled."""
    reasons: tuple[NoteFact, ...]


def plan_roll(moment: FileMoment, choice: RollChoice) -> PlannedRoll:
    """Return what is rolled. A pool has at most as many dice as odds are made for."""
    rule, call, scope = choice.rule, choice.call_rule, choice.scope(moment)
    # The dice and the number that options, the call and conditions add, and why.
    more, plus = scope.number(call.dice), scope.number(rule.plus) + scope.number(call.plus)
    reasons = [NoteFact(call.about, rule.clause or None, part=NotePart.DETAIL)] if call.about else []
    for one in chosen_options(moment, choice):
        more += one.scope.number(one.rule.dice)
        plus += one.scope.number(one.rule.plus)
    for name, condition in conditions_for(moment, choice.name, scope):
        by, add = scope.number(condition.dice), scope.number(condition.plus)
        if by or add:
            more, plus, about = more + by, plus + add, condition.about or label_of(name, "")
            reasons.append(NoteFact(about, condition.clause or CONDITIONS, part=NotePart.DETAIL))
    groups = [*_groups(choice, scope, more)]
    none = not any(group.count for group in groups if not group.against)
    if none and rule.none:
        groups = [DiceGroup(rule.none.dice, rule.none.die or rule.die, choice.label)]
        groups += (group for group in _groups(choice, scope, more) if group.against)
        dice, kind = rule.none.dice, rule.none.reading or rule.reading
        counts = f", and the {kind} counts" if dice > 1 and kind in ("highest", "lowest", "sum") else ""
        text = rule.none.about or f"no dice: {'1 is' if dice == 1 else f'{dice} are'} rolled{counts}"
        reasons.append(NoteFact(text, rule.clause or None, part=NotePart.DETAIL))
    target = call.target if call.target != "" else rule.target
    cap, blank = (None if formula == "" else scope.number(formula) for formula in (rule.cap, rule.blank))
    reading = reading_of(rule, Reading(ReadingKind.SUM, plus, scope.number(target), None, cap, blank), none=none)
    plan = RollPlan(tuple(groups), reading, bands_of(choice, scope, none=none), throw_rules(rule))
    return PlannedRoll(plan, none, tuple(reasons))


def _groups(choice: RollChoice, scope: Scope, more: int) -> Iterator[DiceGroup]:
    """Yield the dice of a roll. What options and conditions add or take away is of the kind of the pool."""
    rule = choice.rule
    others = [
        DiceGroup(
            max(0, scope.number(extra.dice)), parse_die(extra.die).name, extra.label or choice.label, extra.against
        )
        for extra in rule.more
        if scope.holds(extra.when)
    ]
    room = MOST_DICE
    label = rule.dice_label or choice.label
    for group in (DiceGroup(max(0, scope.number(rule.pool) + more), parse_die(rule.die).name, label), *others):
        count = min(group.count, room)
        room -= count
        if count:
            yield DiceGroup(count, group.die, group.label, group.against)


def reading_of(rule: RollRule, numbers: Reading, *, none: bool) -> Reading:
    """Return how the dice are read, with the numbers of a reading."""
    keep = None
    if none and rule.none:
        return replace(numbers, kind=ReadingKind(rule.none.reading or rule.reading))
    if rule.keep_highest:
        keep = Keep(rule.keep_highest)
    elif rule.keep_lowest:
        keep = Keep(rule.keep_lowest, highest=False)
    elif rule.drop_highest:
        keep = Keep(rule.drop_highest, drops=True)
    elif rule.drop_lowest:
        keep = Keep(rule.drop_lowest, highest=False, drops=True)
    return replace(numbers, kind=ReadingKind(rule.reading), keep=keep)


def throw_rules(rule: RollRule) -> ThrowRules:
    """Return what happens while the dice are rolled."""
    explode = rule.explode
    explosion = Explosion(explode.times, explode.at or None, explode.adds) if explode else None
    return ThrowRules(rule.reroll, explosion)


def bands_of(choice: RollChoice, scope: Scope, *, none: bool) -> tuple[Band, ...]:
    """Return the outcomes with their numbers. Without dice, only those up to the best that a roll can have then."""
    bands = tuple(_band(band, scope) for band in choice.call_rule.bands or choice.rule.bands)
    best = choice.rule.none.best if none and choice.rule.none else ""
    if not best:
        return bands
    order = [band.outcome for band in worst_first(bands)]
    legal = order[: order.index(best) + 1] if best in order else order
    return tuple(band for band in bands if band.outcome in legal)


def _band(rule: BandRule, scope: Scope) -> Band:
    return Band(
        rule.outcome,
        label_of(rule.outcome, rule.label),
        rule.grade,
        None if rule.least == "" else scope.number(rule.least),
        None if rule.most == "" else scope.number(rule.most),
        rule.face[0] if rule.face else None,
        rule.face[-1] if rule.face else None,
        rule.matches,
        rule.ones,
        rule.doubles,
        rule.all_equal,
    )


def are_typed_as_numbers(game: GameFile, rule: RollRule) -> bool:
    """Whether real dice are typed as whole numbers, because a die that a roll may come to has more than ten sides."""
    kinds = [rule.die, *(extra.die for extra in rule.more), *(spend.die for spend in game.spend.values() if spend.die)]
    kinds += [rule.none.die] if rule.none and rule.none.die else []
    return any(max(parse_die(die).sides) > 10 for die in kinds)


def pool_in_words(pool: Sequence[DiceGroup], reading: Reading) -> str:
    """Return a pool for people: `3d6: Nerve`, or `2d6 +1`."""
    dice = " + ".join(f"{group.count}{group.die}" for group in pool if not group.against)
    against = " + ".join(f"{group.count}{group.die}" for group in pool if group.against)
    labels = ", ".join(dict.fromkeys(group.label for group in pool if group.label and not group.against))
    plus = f" {reading.plus:+d}" if reading.plus else ""
    return f"{dice}{plus}{f' against {against}' if against else ''}{f': {labels}' if labels else ''}"


def why_no_die(text: str) -> str:
    """Return why a text is not a die; empty if it is one."""
    try:
        parse_die(text)
    except NotDice as wrong:
        return str(wrong)
    return ""
