"""What is told beside the odds of a roll: what it costs, the effects that each outcome would have as things are, what a leader pays, and
who comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from waylog.rules.codec.changes import join_names
from waylog.rules.file_game.clauses import COSTS
from waylog.rules.file_game.dice_readings import OF_DICE, SYMBOLS
from waylog.rules.file_game.dice_throws_and_cards import parse_die, roll_pool
from waylog.rules.file_game.effects_and_offers import apply_all, effects_after, with_moves
from waylog.rules.file_game.formulas import ExpressionError
from waylog.rules.file_game.game_file_format import GameFile
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Scope,
    condition_refusal,
    label_of,
    paths_read,
)
from waylog.rules.file_game.roll_and_effect_format import EffectRule, GroupRule, dice_of, parse_effect
from waylog.rules.file_game.roll_plans_and_options import (
    RollChoice,
    bands_of,
    chosen_options,
    names_on_table,
    plan_roll,
    words_of_dice,
)
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.file_game.spends import Price, describe_price, outcome_now, prices_of, result_now, tell_price
from waylog.rules.model.dice import GivenDice
from waylog.rules.model.facts import Fact, NoteFact
from waylog.rules.model.odds import Chance, Ratio, Spread, count_chances, percent
from waylog.values import replace

_MOST_TOLD = 6
"""The most different things that an outcome may do for each to be told."""
Case = tuple[FileMoment, str, Scope, Ratio]
"""A roll on the table: the moment, its outcome, what formulas read after it, and its chance."""


def forecast(
    moment: FileMoment,
    choice: RollChoice,
    chances: Iterable[Chance],
    throws: Sequence[Case] = (),
    effects: Mapping[str, Sequence[EffectRule]] | None = None,
    whose: str = "",
) -> Iterator[NoteFact]:
    """Yield what each outcome would do as things are, and which rolls follow. Where that depends on the dice, it says how likely each of
    the `throws` makes it; without them, or if an effect has dice of its own, only that there is more. `effects` are those of each outcome
    in place of what [after] says of the roll, and `whose` begins each text.
    """
    for chance in chances:
        outcome = chance.outcome
        follow = effects_after(moment.game, choice.name, outcome) if effects is None else effects.get(outcome, ())
        every = [one for one in follow if one.do or one.move or one.roll]
        if not every:
            continue
        unknown = [one for one in every if any(any(dice_of(each)) for each in with_moves(moment.game, (one,)))]
        known = [(one, with_moves(moment.game, (one,))) for one in every if one not in unknown]
        reading = [one for one, whole in known if any(reads_dice(moment.game, each) for each in whole)]
        cases = [(after, scope, share) for after, shown, scope, share in throws if shown == outcome]
        likely = _find_texts([one for one in every if one not in unknown], cases) if reading and cases else {}
        if not 0 < len(likely) <= _MOST_TOLD:
            unknown += reading
            scope = choice.scope(moment, {("outcome",): chance.outcome})
            likely = _find_texts([one for one in every if one not in unknown], [(moment, scope, chance.chance)])
        # What is hidden in one case is hidden in all.
        secret = any(is_secret for _, is_secret in likely.values())
        in_order = sorted(likely.items(), key=lambda one: one[1][0], reverse=True)
        parts = _common_beginning(list(likely))
        if len(likely) > 1:
            each = {", ".join(whole[len(parts) :]) or "nothing": share for whole, (share, _) in in_order}
            texts = [f"{text} ({percent(share)})" for text, share in each.items()]
            parts.append("; ".join(texts) if any(", " in text for text in texts) else join_names(texts, "or"))
        parts += ["and the rest depends on the dice" if parts else "the dice decide"] if unknown else []
        if parts:
            text = f"{whose}{chance.label} ({percent(chance.chance)}): {', '.join(parts)}"
            yield NoteFact(text, choice.rule.clause or None, secret)


def _find_texts(
    effects: Sequence[EffectRule], cases: Iterable[tuple[FileMoment, Scope, Ratio]]
) -> Mapping[tuple[str, ...], tuple[Ratio, bool]]:
    """Return what effects would tell in these cases, and which rolls they would bring, each with its chance and whether it is hidden."""
    found: dict[tuple[str, ...], tuple[Ratio, bool]] = {}
    for moment, scope, share in cases:
        after = apply_all(moment, effects, replace(scope, moment=moment))
        texts, is_secret = _told_since(moment, after)
        earlier, secret = found.get(texts, (Ratio(), False))
        found[texts] = earlier + share, secret or is_secret
    return found


def _told_since(before: FileMoment, after: FileMoment, known: Sequence[Fact] = ()) -> tuple[tuple[str, ...], bool]:
    """Return what is new, but for facts that are `known`, and which rolls are to follow; and whether any of it is secret."""
    new = after.facts[len(before.facts) :]
    notes = [fact for fact in new if isinstance(fact, NoteFact) and fact not in known]
    names = dict.fromkeys(name for name, *_ in after.forced[len(before.forced) :])
    rolls = [f"then the roll “{label_of(name, before.game.dice[name].label)}”" for name in names]
    return (*(note.text for note in notes), *rolls), any(note.secret for note in notes)


def what_paying_brings(
    moment: FileMoment, cost: Sequence[EffectRule], scope: Scope
) -> tuple[FileMoment, tuple[str, ...], bool]:
    """Return the moment after a price is paid, what follows because a value that pays has reached its limit, in words, and whether
    any of it is secret.
    """
    scope = replace(scope, moment=moment)
    after = apply_all(moment, cost, scope)
    # Within its own limit, a value brings nothing.
    paths = (price.place.of(scope.keys) for price in prices_of(cost, scope))
    alone = apply_all(moment, cost, replace(scope, inside=(*scope.inside, *paths)))
    texts, secret = _told_since(moment, after, alone.facts)
    choices = dict.fromkeys(one.one_of for one in after.offers if one.one_of and one not in alone.offers)
    offered = (f"then a choice of {name.replace('_', ' ')}" for name in choices)
    return after, (*texts, *offered), secret


def tell_prices(moment: FileMoment, choice: RollChoice, whose: str = "") -> Iterator[NoteFact]:
    """Yield what each thing that was chosen costs, and what follows if a value that pays for it reaches its limit."""
    for one in chosen_options(moment, choice):
        yield from tell_price(f"{whose}{one.label}", prices_of(one.rule.cost, one.scope), choice.rule.clause)
        moment, texts, secret = what_paying_brings(moment, one.rule.cost, one.scope)
        if texts:
            text = f"The price of {one.label} leads to this: {', '.join(texts)}"
            yield NoteFact(text, choice.rule.clause or COSTS, secret)


def what_the_leader_pays(moment: FileMoment, leader: RollChoice, alone: Sequence[Spread]) -> Iterator[NoteFact]:
    """Yield what the leader pays for outcomes of others, and how likely each price is, with what it leads to. `alone` are the chances of
    each, first the leader's.
    """
    group, scope = leader.rule.group, leader.scope(moment)
    if group and (price := describe_price(prices_of(group.leader, scope))):
        bands = bands_of(leader, scope, none=False)
        labels = dict.fromkeys(f"“{band.label}”" for band in bands if band.outcome in group.outcomes)
        whose = "" if group.own else " other"
        shares = count_chances(
            sum((one.chance for one in spread.chances if one.outcome in group.outcomes), Ratio())
            for spread in alone[not group.own :]
        )
        name, total, places = moment.thing_name(leader.rule.who, leader.keys), Counter[str](), dict[str, Price]()
        likely, brings, secret = dict[str, Ratio](), list[str](), False
        for times, chance in enumerate(shares):
            if times and not condition_refusal(moment, leader.name, scope := replace(scope, moment=moment)):
                for one in prices_of(group.leader, scope):
                    places[one.token], total[one.token] = one, total[one.token] + min(one.by, one.there)
                moment, texts, is_secret = what_paying_brings(moment, group.leader, scope)
                secret = secret or is_secret
                brings += [f"{', '.join(texts)} ({percent(sum(shares[times:], Ratio()))})"] if texts else []
            paid = describe_price(places[token]._replace(by=by) for token, by in total.items() if by) or "nothing"
            likely[paid] = likely.get(paid, Ratio()) + chance
        each_price = join_names((f"{paid} ({percent(chance)})" for paid, chance in likely.items() if chance), "or")
        text = f"{name} pays {price} for each{whose} roll with the outcome {join_names(labels, 'or')}: {each_price}"
        yield NoteFact(text, leader.rule.clause or COSTS)
        if brings:
            text = f"What {name} pays leads to this: {join_names(brings, 'or')}"
            yield NoteFact(text, leader.rule.clause or COSTS, secret)


def ranks_of(scope: Scope, group: GroupRule) -> tuple[int, ...]:
    """Return the numbers by which one of several is ranked, as their roll lies there; the higher comes first."""
    return tuple(scope.number(formula) for formula in group.rank_by)


def who_comes_first(moment: FileMoment, members: Sequence[RollChoice]) -> Iterator[NoteFact]:
    """Yield how likely each of several is to come first, if they are ranked, or that this would take too long."""
    from waylog.rules.file_game.odds.throws_in_chains import throws_to_play

    leader, group = members[0], members[0].rule.group
    if group is None or not group.rank_by:
        return
    each, clause = list[Mapping[tuple[int, ...], Ratio]](), leader.rule.clause or None
    for member in members:
        plan, found = plan_roll(moment, member).plan, Counter[tuple[int, ...]]()
        words = () if plan.reading.symbols else words_of_dice(moment.game, member.rule)
        # What the ranking reads tells throws apart, also of a roll that only joins.
        ranked = member._replace(rule=replace(member.rule, group=group))
        # One that is made twice shows what two throws have made of it.
        is_told = not plan.twice and not any(parse_die(die.die).copies for die in plan.pool)
        for throw in (is_told and throws_to_play(moment, ranked, plan)) or ():
            table = roll_pool(plan.pool, plan.rules, GivenDice(throw.faces, lambda _: ()).roll)
            roll = FileRoll(dice=table)
            read = outcome_now(plan, roll).outcome, result_now(plan, roll)
            names = names_on_table(words, plan.reading, table, *read)
            found[ranks_of(member.scope(moment, names), group)] += throw.ways
        each.append({ranks: Ratio(ways, found.total()) for ranks, ways in found.items()})
    if not all(each):
        yield NoteFact("The odds leave out who comes first", clause)
        return
    firsts = list[tuple[str, Ratio]]()
    for place, member in enumerate(members):
        chance = Ratio()
        for ranks, share in each[place].items():
            for other in (*each[:place], *each[place + 1 :]):
                share *= sum((below for those, below in other.items() if those < ranks), Ratio())
            chance += share
        firsts.append((moment.thing_name(member.rule.who, member.keys), chance))
    firsts.append(("several at once", 1 - sum((chance for _, chance in firsts), Ratio())))
    texts = (f"{name} ({percent(chance)})" for name, chance in firsts if chance)
    yield NoteFact(f"First: {join_names(texts, 'or')}", clause)


def _common_beginning(every: Sequence[Sequence[str]]) -> list[str]:
    first = takewhile(lambda texts: len({*texts}) == 1, zip(*every, strict=False))
    return [texts[0] for texts in first]


def reads_result(game: GameFile, effect: EffectRule) -> bool:
    """Whether a number of an effect depends on the result."""
    try:
        words = parse_effect(effect.do) if effect.do else None
        number = words.rest if words and words.verb not in ("add", "remove", "swap") else effect.amount
        return any(path == ("result",) or path[0] == SYMBOLS for path in paths_read(game, number))
    except ExpressionError:
        return False


def reads_dice(game: GameFile, effect: EffectRule) -> bool:
    """Whether an effect reads the dice of its roll."""
    try:
        words = parse_effect(effect.do) if effect.do else None
        formulas = (effect.when, effect.amount, words.rest if words else "")
        return any(path[0] in OF_DICE for formula in formulas for path in paths_read(game, formula))
    except ExpressionError:  # The word at the end of an effect is not a formula.
        return False
