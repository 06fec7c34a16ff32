"""The rolls that a game in a file offers: who makes them, alone or in a group, what is asked and what it costs, and why one is impossible;
and what can be paid in place of a roll.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.codec.changes import letters_for
from waylog.rules.file_game.clauses import CONDITIONS, COSTS, NOT_NOW
from waylog.rules.file_game.effects_and_offers import refusal_of
from waylog.rules.file_game.named_values_and_conditions import FileMoment, condition_refusal, label_of
from waylog.rules.file_game.roll_plans_and_options import (
    CALL,
    MODIFIER,
    OPTIONS,
    TOGETHER,
    OptionOfRoll,
    RollChoice,
    are_typed_as_numbers,
    choices_change_dice,
    die_of,
    first_choice,
    of_list,
    offered_option,
    option_of,
    options_by_word,
    plan_roll,
    reads_choices,
    usual_answer,
    ways_by_word,
    ways_of,
)
from waylog.rules.file_game.spends import describe_price, prices_of
from waylog.rules.model.act_lists_and_row_verbs import ANYTIME
from waylog.rules.model.moves import Ask, Move, Number, Option, PickMany, PickOne, Refusal
from waylog.values import replace

ROLL, PAY, GROUP = "roll", "pay", "group"
ALONE = "alone"
"""The answer to what is chosen for one alone of several who roll."""


def offers(moment: FileMoment) -> tuple[Move, ...]:
    """Return a move for each roll, for each thing that may make it; for groups, and to pay for one in place of rolling."""
    rolls, groups, paid = list[Move](), list[Move](), list[Move]()
    for name, rule in moment.game.dice.items():
        things = {word: first_choice(name, rule, keys) for word, keys in moment.things_by_word(rule.who).items()}
        alone = dict[str, Move]()
        for word, choice in things.items():
            words = (name, word) if word else (name,)
            about, asks = moment.row_of_thing(rule.who, choice.keys), tuple(asks_of(moment, choice))
            roll = Move(ROLL, words, label_of_roll(moment, choice), asks, refusal_of_roll(moment, choice), about=about)
            whole = are_typed_as_numbers(moment, name, choice.keys)
            roll = replace(roll, rolls=True, whole=whole, on_clocks=rule.is_on_clocks, what=choice.label)
            rolls.append(roll if moment.hides(rule.who) else replace(roll, roller=word))
            alone[word] = roll
            if rule.instead:
                who = moment.thing_name(rule.who, choice.keys)
                price = describe_price(prices_of(rule.instead.cost, choice.scope(moment)))
                label = label_of_payment(choice) + (f": {who}" if who else "") + (f" ({price})" if price else "")
                paid.append(Move(PAY, words, label, (), _refusal_of_payment(moment, choice), about=about))
        if rule.group and things:
            groups += _group_moves(moment, name, alone)
    found = [replace(move, listed=moment.game.dice[move.words[0]].offered) for move in (*rolls, *groups, *paid)]
    ids = {" ".join(reversed(move.words)): move.id for move in found[: len(rolls)] if move.listed}
    letters = letters_for(ids, ANYTIME if any(move.about for move in rolls) else ())
    return tuple(replace(move, key=letters[move.id]) if move.id in letters else move for move in found)


def label_of_roll(moment: FileMoment, choice: RollChoice) -> str:
    """Return `Roll Sanity for Irsa Venn`. Without anybody, a label of several
    words stands in quotation marks.
    """
    if who := moment.thing_name(choice.rule.who, choice.keys):
        return f"Roll {choice.label} for {who}"
    return f"Roll “{choice.label}”" if " " in choice.label else f"Roll {choice.label}"


def refusal_of_roll(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why a roll is impossible, whatever is chosen for it."""
    rule, scope = choice.rule, choice.scope(moment)
    if refusal := condition_refusal(moment, choice.name, scope):
        return refusal
    for name, ways in ways_of(rule).items():
        if all(not reads_choices(way.when) and not scope.holds(way.when) for way in ways.values()):
            return Refusal(f"none of its {label_of(name, '').lower()}s is possible", rule.clause or CONDITIONS)
    if refusal := _lack_of_things(moment, choice):
        return refusal
    kinds = {rule.die, *(way.die for ways in ways_of(rule).values() for way in ways.values() if way.die)}
    if not rule.more and not any(die_of(text, scope) for text in kinds):
        return Refusal("no cards are left: shuffle first", rule.clause or CONDITIONS)
    return None if choices_change_dice(rule) else lack_of_dice(moment, choice)


def _lack_of_things(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why a roll is impossible if nothing can be chosen of a list of which something has to be."""
    clause = choice.rule.clause or CONDITIONS
    # What depends on the other choices is required only where it is possible: that is seen once they are made.
    required = [(name, option) for name, option in choice.rule.options.items() if option.required]
    for name, option in (one for one in required if not reads_choices(one[1].when)):
        there = [one for one in options_by_word(moment, choice).values() if option_of(one.id) == name]
        blocked = [offered_option("", one, clause, "").blocked for one in there]
        if all(blocked):
            none = Refusal(f"there is no {label_of(name, option.label).lower()} to choose", clause)
            return next((refusal for refusal in blocked if refusal), none)
    return None


def lack_of_dice(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why a roll is impossible if there are no dice for it."""
    planned = plan_roll(moment, choice)
    if planned.plan.has_dice or (planned.none and choice.rule.none):
        return None
    return Refusal(choice.rule.refusal or "there are no dice to roll", choice.rule.clause or CONDITIONS)


def asks_of(moment: FileMoment, choice: RollChoice, *, alone: bool = True) -> Iterator[Ask]:
    """Yield what is asked for a roll. What is for people who may roll, or for what they have, isn't offered to several who roll."""
    rule = choice.rule
    for name, answers in ways_of(rule).items():
        ways = _price_options(ways_by_word(moment, choice, name), rule.clause)
        usual = usual_answer(answers, choice.scope(moment))
        # Nobody pays for an answer that they haven't chosen: if only those are left, it is asked.
        free = [option.word for option in ways if not (option.blocked or option.costs)]
        able = [option.word for option in ways if not option.blocked]
        default = usual if usual in able or not able else next(iter(free), None)
        changes = any(one.default != "" for one in answers.values())
        is_asked, clause = any(one.required for one in answers.values()), rule.clause or None
        label = "How" if name == CALL else label_of(name, "")
        ask = PickOne(name, label, ways, default, clause, logged=changes)
        yield replace(ask, default=None, if_unlogged=default) if is_asked else ask
    there = options_by_word(moment, choice)
    owner = rule.who.partition(".")[0]
    shown = {word: one for word, one in there.items() if alone or one.rule.who.partition(".")[0] != owner}
    # The things of a list are a question of their own, with the label of their option.
    questions = {
        of_list(name) if one.who else OPTIONS: label_of(name, one.label) if one.who else "With"
        for name, one in rule.options.items()
    }
    for name, label in questions.items():
        lists = {word: of_list(option_of(one.id)) if one.rule.who else OPTIONS for word, one in shown.items()}
        asked = {word: one for word, one in shown.items() if lists[word] == name}
        if options := _price_options(asked, rule.clause):
            # A number that is the same for everything is asked for at once; another one is known once something is chosen.
            limits = [one.rule.most for one in asked.values() if type(one.rule.most) is int]
            most = min([len(options), *(limit for limit in limits if name != OPTIONS)])
            least = int(any(one.rule.required and not reads_choices(one.rule.when) for one in asked.values()))
            yield PickMany(name, label, options, least, most, clause=rule.clause or None)
    if rule.modifier:
        least, most = rule.modifier[0], rule.modifier[-1]
        yield Number(MODIFIER, "Modifier", least, most, min(max(0, least), most))


def with_default_answers(moment: FileMoment, choice: RollChoice) -> RollChoice:
    """Return a roll for which nobody has answered anything as its default answers have it."""
    asks = [*asks_of(moment, choice)]
    modifier = next((ask.default or 0 for ask in asks if isinstance(ask, Number)), 0)
    asked = {ask.name: ask.default or ask.options[0].word for ask in asks if isinstance(ask, PickOne)}
    options = tuple(f"{way}.{asked[way]}" for way in choice.rule.pick)
    return choice._replace(call=asked.get(CALL, ""), options=options, modifier=modifier)


def _price_options(options: Mapping[str, OptionOfRoll], clause: str) -> tuple[Option, ...]:
    """Return what is shown of what may be chosen, each with its price."""
    prices = {word: describe_price(prices_of(one.rule.cost, one.scope)) for word, one in options.items()}
    return tuple(offered_option(word, one, clause, prices[word]) for word, one in options.items())


def label_of_payment(choice: RollChoice) -> str:
    """Return the name on screen of what is paid in place of a roll."""
    paid = choice.rule.instead
    return (paid and paid.label) or f"{choice.label} without a roll"


def _refusal_of_payment(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why a roll can't be paid for: it could not be made either, or the price isn't there."""
    rule, scope = choice.rule, choice.scope(moment)
    assert rule.instead
    if refusal := condition_refusal(moment, choice.name, scope):
        return refusal
    if not scope.holds(rule.instead.when):
        return Refusal(rule.instead.refusal or NOT_NOW, rule.clause or CONDITIONS)
    refusal = refusal_of(rule.instead.cost, scope, in_full=True)
    return replace(refusal, clause=refusal.clause or COSTS) if refusal else None


def rollers_of(moment: FileMoment, name: str) -> Mapping[str, RollChoice]:
    """Return who can make a roll together, by the word that is typed, each with the roll that they make, before anything is answered.
    Those of the roll's own list come first: they can lead.
    """
    found, group = dict[str, RollChoice](), moment.game.dice[name].group
    for roll in dict.fromkeys((name, *(group.rolls if group else ()))):
        rule = moment.game.dice[roll]
        things = {word: first_choice(roll, rule, keys) for word, keys in moment.things_by_word(rule.who).items()}
        found |= {f"{roll}-{word}" if word in found else word: choice for word, choice in things.items()}
    return found


def _group_moves(moment: FileMoment, name: str, alone: Mapping[str, Move]) -> Iterator[Move]:
    """Yield the moves of those who can lead a roll of several, given the moves with which each of them rolls alone."""
    rule, rollers = moment.game.dice[name], rollers_of(moment, name)
    people = dict[str, Option]()
    for word, choice in rollers.items():
        blocked = alone[word].blocked if word in alone else refusal_of_roll(moment, choice)
        people[word] = Option(word, moment.thing_name(choice.rule.who, choice.keys), blocked=blocked)
    personal = {word: one for word, (_, one) in options_for_one_alone(moment, rollers).items()}
    shown = _price_options(personal, rule.clause)
    whole = any(are_typed_as_numbers(moment, roll) for roll in {choice.name for choice in rollers.values()})
    for word in alone:
        leader = rollers[word]
        others = tuple(one for other, one in people.items() if other != word)
        blocked = alone[word].blocked
        if not blocked and all(one.blocked for one in others):
            blocked = Refusal("nobody else can roll now", rule.clause or CONDITIONS)
        label = f"{leader.label} together, led by {people[word].label}"
        asks: tuple[Ask, ...] = (
            PickMany(TOGETHER, "Together with", others, 1, len(others)),
            *asks_of(moment, leader, alone=False),
        )
        if shown:
            asks = (*asks, PickMany(ALONE, "For one alone", shown, most=len(shown), clause=rule.clause or None))
        yield replace(alone[word], verb=GROUP, label=label, asks=asks, blocked=blocked, whole=whole)


def options_for_one_alone(
    moment: FileMoment, rollers: Mapping[str, RollChoice]
) -> Mapping[str, tuple[str, OptionOfRoll]]:
    """Return what may be chosen for one alone of several, by the word that is typed, each with that of the person."""
    found: dict[str, tuple[str, OptionOfRoll]] = {}
    for word, choice in rollers.items():
        owner, name = choice.rule.who.partition(".")[0], moment.thing_name(choice.rule.who, choice.keys)
        # Where one of the answers changes a roll or has a price, one of the group may have any of them.
        personal = (
            way for way, ways in choice.rule.pick.items() if any(one.cost or one.changes_roll for one in ways.values())
        )
        answers = {option: one for way in personal for option, one in ways_by_word(moment, choice, way).items()}
        for option, one in {**answers, **options_by_word(moment, choice)}.items():
            if not one.rule.who or one.rule.who.partition(".")[0] == owner:
                found[f"{option}-{word}"] = word, one._replace(label=f"{one.label} for {name}", also=())
    return found
