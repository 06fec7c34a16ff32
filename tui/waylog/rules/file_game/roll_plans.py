"""A declared roll with its numbers: how many dice there are, how they are read, which outcomes there are, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.file_game.clauses import CONDITIONS
from waylog.rules.file_game.dice_kinds import cards_left, parse_die
from waylog.rules.file_game.dice_readings import (
    COUNTS,
    SHOWN,
    THEIRS,
    Band,
    DiceGroup,
    Keep,
    Reading,
    ReadingKind,
    RollPlan,
    Theirs,
    ThrowRules,
    WhenShown,
    word_of_dice,
    worst_first,
)
from waylog.rules.file_game.effects import dice_in, parse_effect, with_moves
from waylog.rules.file_game.expressions import paths_in
from waylog.rules.file_game.game_file_format import (
    MOST_DICE,
    BandRule,
    GameFile,
    GroupRule,
    RollRule,
    Twice,
)
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Found,
    Scope,
    conditions_for,
    find,
    label_of,
    value_at,
)
from waylog.rules.file_game.roll_options import RollChoice, chosen_options, ways_of
from waylog.rules.model.dice import TEN
from waylog.rules.model.dice_notation import NotDice
from waylog.rules.model.facts import NoteFact, NotePart
from waylog.values import NamedTuple, replace


def least_that_reach(group: GroupRule, members: int) -> int:
    """Return how many of so many have to reach an outcome for it to be that of all."""
    return {"best": 1, "half": -(-members // 2), "worst": members}.get(group.counts, 1)


class PlannedRoll(NamedTuple):
    """A roll with its numbers."""

    plan: RollPlan
    none: bool
    """There was no die, so others are rolled."""
    reasons: tuple[NoteFact, ...]


def plan_roll(moment: FileMoment, choice: RollChoice) -> PlannedRoll:
    """Return what is rolled. A pool has at most as many dice as odds are made for."""
    rule, scope = choice.rule, choice.scope(moment)
    # The dice and the number that choices and conditions add, and why.
    more, plus, reasons = 0, scope.number(rule.plus), list[NoteFact]()
    chosen = chosen_options(moment, choice)
    apart: dict[tuple[str, str, bool], int] = {}
    die = die_of(choice.replacing("die").die, scope)
    for one in chosen:
        dice = one.scope.number(one.rule.dice)
        if one.rule.is_apart:
            its_die = die_of(one.rule.die, one.scope) if one.rule.die else die
            alike = its_die, one.rule.dice_label or one.label, one.rule.against
            apart[alike] = apart.get(alike, 0) + max(0, dice)
        more += 0 if one.rule.is_apart else dice
        plus += one.scope.number(one.rule.plus)
    abouts = dict.fromkeys(one.rule.about for one in chosen if one.rule.about)  # Of several things, it is said once.
    reasons += (NoteFact(about, rule.clause or None, part=NotePart.DETAIL) for about in abouts)
    twice: set[Twice] = {rule.twice, *(one.rule.twice for one in chosen)}
    # Of a roll with one outcome, neither of two is the better.
    can_differ = len({band.outcome for band in choice.replacing("bands").bands}) > 1
    for name, condition in conditions_for(moment, choice.name, scope):
        by, add = scope.number(condition.dice), scope.number(condition.plus)
        twice.add(condition.twice)
        # What changes a formula alone is named for the rolls that have the formula.
        in_formula = (
            condition.rolls and condition.about and condition.dice == condition.plus == 0 and not condition.twice
        )
        if by or add or (condition.twice and can_differ) or in_formula:
            more, plus, about = more + by, plus + add, condition.about or label_of(name, "")
            reasons.append(NoteFact(about, condition.clause or CONDITIONS, part=NotePart.DETAIL))
    pool, target = (
        next((one.scope.number(lent) for one in reversed(chosen) if (lent := getattr(one.rule, key)) != ""), usual)
        for key, usual in (("pool", scope.number(rule.pool)), ("target", scope.number(rule.target)))
    )
    groups = [*_groups(choice, scope, DiceGroup(max(0, pool + more), die, rule.dice_label or choice.label), apart)]
    none = not any(group.count for group in groups if not group.against)
    if none and rule.none:
        its_dice = DiceGroup(rule.none.dice, rule.none.die or die, choice.label)
        groups = [*([its_dice] if its_dice.count else []), *(group for group in groups if group.against)]
        dice, kind = rule.none.dice, rule.none.reading or rule.reading
        counts = f" and the {kind} counts" if dice > 1 and kind in ("highest", "lowest", "sum") else ""
        rolled = f"{'1 is' if dice == 1 else f'{dice} are' if dice else 'nothing is'} rolled{counts}"
        text = rule.none.about or f"No dice, so {rolled}"
        reasons.append(NoteFact(text, rule.clause or None, part=NotePart.DETAIL))
    cap, blank = (None if formula == "" else scope.number(formula) for formula in (rule.cap, rule.blank))
    reading = reading_of(choice, scope, Reading(ReadingKind.SUM, plus, target, None, cap, blank), none=none)
    twice -= {""}
    which: Twice = twice.pop() if len(twice) == 1 and can_differ else ""
    bands = bands_of(choice, scope, none=none)
    plan = RollPlan(tuple(groups), reading, bands, ThrowRules(rule.reroll, rule.explode), which)
    return PlannedRoll(plan, none, tuple(reasons))


def die_of(text: str, scope: Scope) -> str:
    """Return the die that a text names: itself, or by a value of the sheet; what is left of a deck, or nothing."""
    if not why_no_die(text):
        return parse_die(text).name
    place = find(scope.moment.game.sheet, scope.who, text.split("."))
    now = value_at(scope.moment.sheet, place, scope.keys)
    return cards_left(text, place.value.deck, now) if place.value.deck else parse_die(str(now)).name


def _groups(
    choice: RollChoice, scope: Scope, pool: DiceGroup, apart: Mapping[tuple[str, str, bool], int]
) -> Iterator[DiceGroup]:
    """Yield the dice of a roll. `pool` are those of its pool, with what choices and conditions add or take away; `apart` is what choices
    add as dice of their own, by their kinds and labels, and whether they are the other side's.
    """
    rule = choice.rule
    others = [
        DiceGroup(
            max(0, scope.number(extra.dice)), die_of(extra.die, scope), extra.label or choice.label, extra.against
        )
        for extra in rule.more
        if scope.holds(extra.when)
    ]
    room, left = MOST_DICE, dict[str, int]()
    chosen = (DiceGroup(dice, *alike) for alike, dice in apart.items())
    for group in (pool, *others, *chosen):
        # Of an empty deck, the die has no name.
        cards = sum(parse_die(group.die).copies or (MOST_DICE,)) if group.die else 0
        count = min(group.count, room, left.setdefault(group.die, cards))
        room, left[group.die] = room - count, left[group.die] - count
        if count:
            yield DiceGroup(count, die_used_for(choice, group.die, group.label), group.label, group.against)


def die_used_for(choice: RollChoice, die: str, label: str) -> str:
    """Return a die as a kind of its own, such as `d6-gear`, if an outcome looks at those with its label alone."""
    word = word_of_dice(label)
    return f"{die}-{word}" if any(word == band.of for band in choice.replacing("bands").bands if band.of) else die


def words_of_dice(game: GameFile, rule: RollRule, *, theirs: bool = True) -> tuple[str, ...]:
    """Return what formulas and outcomes call the dice of a roll that have a label, those that a spend adds too; without `theirs`, only
    those of one's own.
    """
    chosen = [one for ways in (rule.options, *ways_of(rule).values()) for one in ways.values()]
    labels = [rule.dice_label, *(more.label for more in rule.more if theirs or not more.against)]
    labels += [one.dice_label for one in chosen if theirs or not one.against]
    spends = (one for one in game.spend.values() if not one.rolls or rule in map(game.dice.get, one.rolls))
    labels += [one.dice_label for one in spends]
    return tuple(dict.fromkeys(word_of_dice(label) for label in labels if label))


KEEPS = ("keep_highest", "keep_lowest", "drop_highest", "drop_lowest")
"""The keys of a roll that say how many of its dice count. The number is at least 1."""


def reading_of(choice: RollChoice, scope: Scope, numbers: Reading, *, none: bool) -> Reading:
    """Return how the dice are read, with the numbers of a reading."""
    keep, rule = None, choice.rule
    if theirs := rule.theirs:
        whens = [_when_shown(str(band.when), scope) for band in choice.replacing("bands").bands if band.when != ""]
        asked = tuple(name for name in SHOWN if any(when.asks(THEIRS, name) for when in whens))
        numbers = replace(numbers, theirs=Theirs(scope.number(theirs.target), scope.number(theirs.plus), asked))
    numbers = replace(numbers, worth=tuple((int(face), count) for face, count in rule.worth.items()))
    if none and rule.none:
        kind = ReadingKind(rule.none.reading or rule.reading)
        if rule.reading in COUNTS and kind not in COUNTS:  # Of the dice, one counts or not.
            return replace(numbers, kind=ReadingKind(rule.reading), keep=Keep(1, highest=kind is ReadingKind.HIGHEST))
        return replace(numbers, kind=kind)
    kept = choice.replacing("keep_highest", "keep_lowest")
    for key in KEEPS:
        if (formula := getattr(kept, key, "")) not in ("", 0):
            way, which = key.split("_")
            keep = Keep(max(1, scope.number(formula)), highest=which == "highest", drops=way == "drop")
    return replace(numbers, kind=ReadingKind(rule.reading), keep=keep)


_NEVER = 10**9
"""A result that no roll comes to."""


def bands_of(choice: RollChoice, scope: Scope, *, none: bool) -> tuple[Band, ...]:
    """Return the outcomes with their numbers. Without dice, no result has those above the best that a roll can have then."""
    bands = tuple(_band(band, scope) for band in choice.replacing("bands").bands)
    best = choice.rule.none.best if none and choice.rule.none else ""
    if not best:
        return bands
    order = [band.outcome for band in worst_first(bands)]
    legal = order[: order.index(best) + 1] if best in order else order
    return tuple(band if band.outcome in legal else replace(band, low=_NEVER) for band in bands)


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
        rule.of,
        None if rule.when == "" else _when_shown(str(rule.when), scope),
    )


def _when_shown(formula: str, scope: Scope) -> WhenShown:
    """Return the formula of an outcome with what it reads of the campaign and of the choices, as they are now."""
    named, known = dict[str, object](), dict[tuple[str, ...], Found]()
    new = {*paths_in(formula)}
    while new:
        names = {
            path[0]: str(scope.moment.game.formulas[path[0]])
            for path in new
            if path[0] in scope.moment.game.formulas and len(path) == 1
        }
        known |= {path: scope.value(".".join(path)) for path in new if path[0] not in (THEIRS, *names, *SHOWN)}
        named |= names
        new = {path for inner in names.values() for path in paths_in(inner)} - {*known, *((name,) for name in named)}
    return WhenShown(formula, tuple(sorted(known.items())), tuple(sorted(named.items())))


def are_typed_as_numbers(
    moment: FileMoment, name: str, keys: tuple[str, ...] | None = None, before: tuple[str, ...] = ()
) -> bool:
    """Whether real dice are typed as whole numbers, because a die that a roll may come to now, a roll that follows by itself, or an
    effect, may have more than ten sides. Without keys, whoever makes it. Rolls that came `before` it aren't looked at again.
    """
    game = moment.game
    follows = [*with_moves(game, (effect for effects in game.after.get(name, {}).values() for effect in effects))]
    before = (*before, name)
    rolls = {effect.roll for effect in follows if effect.roll and effect.roll not in before}
    if any(are_typed_as_numbers(moment, roll, None, before) for roll in rolls):
        return True
    rule = game.dice[name]
    texts = [
        rule.die,
        *(extra.die for extra in rule.more),
        *(one.die for one in game.spend.values() if not one.rolls or name in one.rolls),
    ]
    texts += [one.die for ways in ways_of(rule).values() for one in ways.values()]
    texts += [rule.none.die] if rule.none else []
    texts += [die for effect in follows if effect.do for _, die in dice_in(parse_effect(effect.do))]
    scope = Scope(moment, rule.who, keys or ())
    now = ((die_of(text, scope),) if keys is not None else dice_named(game, rule.who, text) for text in texts if text)
    apart = (
        dice_named(game, one.who or rule.who, one.die) for one in rule.options.values() if one.die and one.is_apart
    )
    kinds = (parse_die(die) for dice in (*now, *apart) for die in dice if die)
    return any(max(kind.sides) > TEN or kind.copies for kind in kinds)


def dice_named(game: GameFile, who: str, text: str) -> tuple[str, ...]:
    """Return the dice that a text may name: itself, the choices of a value, or a whole deck. Raises `WrongPath`."""
    if not why_no_die(text):
        return (text,)
    value = find(game.sheet, who, text.split(".")).value
    return (cards_left(text, value.deck, ()),) if value.deck else value.choices


def plan_in_words(plan: RollPlan) -> str:
    """Return what is rolled, for people: `3d6: Nerve`, `2d6 +1`, `6d10, 3 kept`, or `1d20, the better of two rolls`."""
    pool, reading = plan.pool, plan.reading
    dice, against = (" + ".join(_in_words(group) for group in pool if group.against is side) for side in (False, True))
    ours = sum(group.count for group in pool if not group.against)
    kept = reading.keep.count(ours) if reading.keep else ours
    dice = f"{dice}, {kept} kept" if kept < ours else dice or ("" if against else "no dice")
    dice += f", the {plan.twice} of two rolls" if plan.twice else ""
    labels = ", ".join(dict.fromkeys(group.label for group in pool if group.label and not group.against))
    plus = f" {reading.plus:+d}" if reading.plus else ""
    return f"{dice}{plus}{f' against {against}' if against else ''}{f': {labels}' if labels else ''}"


def _in_words(group: DiceGroup) -> str:
    if not parse_die(group.die).copies:
        return f"{group.count}{group.die.partition('-')[0]}"
    return f"{group.count} cards" if group.count > 1 else "1 card"


def why_no_die(text: str) -> str:
    """Return why a text is not a die; empty if it is one."""
    try:
        if parse_die(text).used_for:
            return f"“{text[:20]}” is not a die: write {text.partition('-')[0]}"
    except NotDice as wrong:
        return str(wrong)
    return ""
