"""The rolls of a game in a file: made with their options, alone or in a group, changed by what is spent, and followed by their effects; or
paid for in place of being rolled.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from waylog.rules.codec.changes import format_path, join_names
from waylog.rules.file_game.clauses import CONDITIONS, COSTS
from waylog.rules.file_game.dice_readings import Band, RollPlan, worst_first
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, TableDie, cards_of, draw_cards, parse_die, roll_pool
from waylog.rules.file_game.effects_and_offers import Throws, apply_all, effects_after, end_what_lasts, with_moves
from waylog.rules.file_game.forecast import (
    Case,
    forecast,
    ranks_of,
    reads_dice,
    reads_result,
    tell_prices,
    what_the_leader_pays,
    who_comes_first,
)
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Found,
    condition_refusal,
    find,
    label_of,
    thing_path,
    value_at,
)
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany
from waylog.rules.file_game.offered_rolls import (
    ALONE,
    GROUP,
    PAY,
    ROLL,
    label_of_payment,
    label_of_roll,
    lack_of_dice,
    offers,
    options_for_one_alone,
    refusal_of_roll,
    rollers_of,
    with_default_answers,
)
from waylog.rules.file_game.question_after_a_roll import (
    KEEP,
    TableRoll,
    answers,
    can_improve,
    find_answer,
    keep_stage,
    look_at,
    odds_of_answer,
    plan_on_table,
    question,
    throws_of_answer,
)
from waylog.rules.file_game.roll_and_effect_format import EffectRule, GroupRule
from waylog.rules.file_game.roll_plans_and_options import (
    CALL,
    MODIFIER,
    OPTIONS,
    TOGETHER,
    RollChoice,
    bands_of,
    dice_in_words,
    first_choice,
    has_choice,
    lack_of_required,
    least_that_reach,
    of_list,
    option_of,
    options_by_word,
    pay_for_options,
    plan_in_words,
    plan_roll,
    refusal_of_choices,
    ways_of,
)
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.file_game.spends import (
    Reroll,
    outcome_now,
    result_now,
    spend_on,
    spends_for,
    take_up,
)
from waylog.rules.model.answers import selected_words
from waylog.rules.model.dice import AlikeThrows, Dice, DiceOfOdds, Die, Face, Foresight, GivenDice, TypedDice
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeFact, RollFact
from waylog.rules.model.moves import ActRefused, Answers, Move
from waylog.rules.model.odds import Odds, Ratio
from waylog.rules.model.state import ACT
from waylog.rules.rulebook import Chapter, StageRules
from waylog.values import replace

_MOST_THROWS = 60
"""The most throws that are tried to find out what an outcome may do: each takes half a millisecond."""


def _throws_to_try(moment: FileMoment, choice: RollChoice) -> Sequence[Case]:
    """Return a roll on the table for each thing that effects may read of the dice, with its chance; nothing if there are too many."""
    from waylog.rules.file_game.odds.throws_in_chains import MOST_IN_FORECASTS, throws_to_play

    plan = plan_roll(moment, choice).plan
    if (plan.twice and plan.reading.theirs) or any(parse_die(group.die).copies for group in plan.pool):
        return ()
    throws = throws_to_play(moment, choice, plan, most=MOST_IN_FORECASTS) or ()
    found, order = list[tuple[FileMoment, TableRoll, int, int]](), [band.outcome for band in worst_first(plan.bands)]
    for throw in throws if len(throws) <= _MOST_THROWS else ():
        # One that is made twice shows the same twice here: how often it is the one that counts is worked out after that.
        after, stage = _throw(moment, choice, TypedDice([face.face for face in throw.faces] * (2 if plan.twice else 1)))
        lies = look_at(after, stage)
        place = result_now(plan, stage).value if plan.by_result else order.index(lies.band.outcome)
        found.append((_end_with_roll(after, choice), lies, place, throw.ways))
    places = sorted({place for _, _, place, _ in found})
    ways = [sum(ways for _, _, at, ways in found if at == place) for place in places]
    factors = dict(zip(places, plan.factors(ways), strict=True))
    whole = sum(ways * factors[place] for _, _, place, ways in found)
    return [
        (after, lies.band.outcome, lies.scope, Ratio(ways * factors[place], whole))
        for after, lies, place, ways in found
    ]


# -- rolling ----------------------------------------------------------------------------------------------------------


def _choice_before_answers(moment: FileMoment, move: Move) -> RollChoice:
    name, *word = move.words
    rule = moment.game.dice[name]
    return first_choice(name, rule, moment.things_by_word(rule.who)[word[0] if word else ""])


def choice_of(moment: FileMoment, move: Move, answers: Answers) -> RollChoice:
    """Return the roll that a move makes with these answers. Raises `ActRefused` for options that can't be paid together."""
    choice = choice_as_answered(moment, move, answers)
    if refusal := (
        refusal_of_choices(moment, choice) or lack_of_required(moment, choice) or lack_of_dice(moment, choice)
    ):
        raise ActRefused(refusal.reason, refusal.clause)
    return choice


def choice_as_answered(moment: FileMoment, move: Move, answers: Answers) -> RollChoice:
    """Return the roll that a move would make with these answers, if nothing refused it."""
    choice = _choice_before_answers(moment, move)
    rule = choice.rule
    call = str(answers.get(CALL, "")) if rule.calls else ""
    modifier = int(str(answers.get(MODIFIER, 0))) if rule.modifier else 0
    picked = tuple(f"{way}.{answers[way]}" for way in rule.pick if way in answers)
    choice = choice._replace(options=picked, call=call, modifier=modifier)
    words = {word for name in (OPTIONS, *map(of_list, rule.options)) for word in selected_words(answers, name)}
    options = tuple(one.id for word, one in options_by_word(moment, choice).items() if word in words)
    return choice._replace(options=(*picked, *options))


def odds(moment: FileMoment, move: Move, answers: Answers) -> Odds | None:
    """Return the odds of a roll; None for a pool so large that they would take too long. Raises `ActRefused`."""
    from waylog.rules.file_game.odds.odds_with_spends import odds_of

    choice = choice_of(moment, move, answers)
    found = odds_of(moment, choice)
    if found is None:
        return None
    paid = _end_with_roll(before := pay_for_options(moment, choice), choice)
    reasons = [] if choice.rule.offered else [NoteFact(_what_brings(moment, choice.name), choice.rule.clause or None)]
    reasons += tell_prices(moment, choice)
    ended = [fact for fact in paid.facts[len(before.facts) :] if isinstance(fact, NoteFact)]
    paying = forecast(paid, choice, found.spread.chances, _throws_if_read(moment, choice))
    return replace(found, forecast=tuple(paying), reasons=(*reasons, *found.reasons, *ended))


def _throws_if_read(moment: FileMoment, choice: RollChoice) -> Sequence[Case]:
    """Return what `_throws_to_try` does if effects read the dice; otherwise nothing."""
    effects = (one for every in moment.game.after.get(choice.name, {}).values() for one in every)
    reading = [effect for effect in with_moves(moment.game, effects) if reads_dice(moment.game, effect)]
    # Throws that effects don't tell apart are one, so only where they read the result is it known of each.
    known = choice.rule.twice_by == "outcome" or any(reads_result(moment.game, effect) for effect in reading)
    return _throws_to_try(moment, choice) if reading and known else ()


def _what_brings(moment: FileMoment, name: str) -> str:
    """Return what a roll follows from that nobody can choose to make: `Rolled only after Act (Bad) or Lose heart`."""
    from waylog.rules.file_game.check_names_and_formulas import bands_in, effects_in  # Only such a roll needs them.

    game, brought, full = moment.game, dict[str, None](), dict[str, None]()
    for (kind, what, *inner), effect, _, _ in effects_in(game):
        if name == effect.roll or effect.offer.split()[:2] == [ROLL, name]:
            if kind == "after":
                labels = {one.outcome: label_of(one.outcome, one.label) for one in bands_in(game.dice[what])}
                outcome = f" ({labels[inner[0]]})" if inner[0] in labels else ""
                brought[f"{label_of(what, game.dice[what].label)}{outcome}"] = None
            elif kind == "moves":
                brought[label_of(what, game.moves[what].label)] = None
            elif kind == "sheet":
                full[label_of(inner[1], "")] = None
    after = f"after {join_names(brought, 'or')}" if brought else ""
    when = f"when {join_names(full, 'or')} is at its limit" if full else ""
    return f"Rolled only {', or '.join(filter(None, (after, when))) or 'after other rolls'}"


def odds_together(moment: FileMoment, move: Move, answers: Answers) -> Odds | None:
    """Return the odds of several who roll together; None if they would take too long. Raises `ActRefused`."""
    from waylog.rules.file_game.odds.odds_with_spends import group_odds

    members = members_of(moment, move, answers)
    if (several := group_odds(moment, members)) is None:
        return None
    found, alone = several
    paid, reasons, paying, leader = moment, list[NoteFact](), list[NoteFact](), members[0]
    group = leader.rule.group
    for member in members:
        whose = f"{moment.thing_name(member.rule.who, member.keys)}: "
        reasons += tell_prices(paid, member, whose)
        reasons += (replace(note, text=f"{whose}{note.text}") for note in plan_roll(moment, member).reasons)
        paid = pay_for_options(paid, member)
    reasons += what_the_leader_pays(paid, leader, alone)
    before = len(paid.facts)
    for member in members:
        paid = _end_with_roll(paid, member)
    reasons += (fact for fact in paid.facts[before:] if isinstance(fact, NoteFact))
    if group and group.counts != "each":
        effects = group.together if group.own_effects else None
        paying += forecast(paid, leader, found.spread.chances, effects=effects)
    if group and (group.counts == "each" or group.own_effects):
        for member, spread in zip(members, alone, strict=True):
            paying += forecast(paid, member, spread.chances, _throws_if_read(moment, member), whose=f"{spread.label}: ")
    paying += who_comes_first(paid, members)
    return replace(found, reasons=tuple(reasons), forecast=tuple(paying))


def _tell_order(moment: FileMoment, found: Sequence[TableRoll], group: GroupRule) -> FileMoment:
    """Tell in which order several come who are ranked: `In order: 1 Mara, 2 Joss and Ana`."""
    names: dict[tuple[int, ...], list[str]] = {}
    for one in found:
        name = moment.thing_name(one.choice.rule.who, one.choice.keys)
        names.setdefault(ranks_of(one.scope, group), []).append(name)
    places, place = list[str](), 1
    for ranks in sorted(names, reverse=True):
        places.append(f"{place} {join_names(names[ranks], 'and')}")
        place += len(names[ranks])
    leader = found[0].choice
    return _say(moment, leader, f"In order: {', '.join(places)}", leader.rule.clause)


def why_no_odds(moment: FileMoment, move: Move, answers: Answers) -> str:
    """Return why a roll has no odds: how many dice it may have at the most for them."""
    from waylog.rules.file_game.odds.odds_without_spends import exact_odds

    plan = plan_roll(moment, choice_of(moment, move, answers)).plan
    largest = max(plan.pool, key=lambda group: group.count)
    most, too_many = 0, largest.count
    while too_many - most > 1:
        count = (most + too_many) // 2
        pool = tuple(replace(group, count=count) if group is largest else group for group in plan.pool)
        try:
            exact_odds(replace(plan, pool=pool))
            most = count
        except TooMany:
            too_many = count
    dice = plan_in_words(plan)
    fewer = dice_in_words([replace(largest, count=most)]) if most else f"0 {parse_die(largest.die).label}"
    return f"has no odds: {dice} has too many combinations. Waylog can work out the odds for up to {fewer}"


def roll(moment: FileMoment, move: Move, answers: Answers, dice: Dice) -> FileMoment:
    """Roll the dice, and leave them on the table."""
    choice = choice_of(moment, move, answers)
    moment, stage = _throw(moment, choice, dice, asks=True)
    return moment.then(stage)


def _hide(moment: FileMoment, choice: RollChoice, since: int, *, of_roller: bool = False) -> FileMoment:
    """Hide the facts since so many from players, if the roll is hidden; those that are `of_roller`, also if they never see who rolls."""
    if not (choice.rule.hidden or (of_roller and moment.hides(choice.rule.who))):
        return moment
    return replace(
        moment, facts=(*moment.facts[:since], *(replace(fact, secret=True) for fact in moment.facts[since:]))
    )


def _say(
    moment: FileMoment, choice: RollChoice, text: str, clause: str | None = None, part: NotePart = NotePart.RESULT
) -> FileMoment:
    """Tell something of a roll; hidden from players if the roll is, or if they never see who rolls."""
    return _hide(moment.says(text, clause or None, part), choice, len(moment.facts), of_roller=True)


def _throw(moment: FileMoment, choice: RollChoice, dice: Dice, *, asks: bool = False) -> tuple[FileMoment, FileRoll]:
    """Pay for a roll and throw its dice. Return it with what lies on the table. `asks` says that something may be spent on it next."""
    since, before = len(moment.facts), moment.sheet
    planned = plan_roll(moment, choice)
    rule, reading = choice.rule, planned.plan.reading
    moment = pay_for_options(moment, choice)
    for reason in planned.reasons:
        moment = moment.tells(reason)
    throw, plan = _throws(moment, choice, dice), planned.plan
    thrown = [group for group in plan.pool if not parse_die(group.die).copies]
    stage = FileRoll(
        choice.name,
        choice.keys,
        choice.options,
        choice.call,
        choice.modifier,
        planned.none and rule.none is not None,
        reading.plus,
        reading.target,
        cap=reading.cap,
        blank=reading.blank,
    )
    # Which of two rolls counts is decided by outcomes as they were before anything was paid; and in a contest, the other side rolls once.
    is_alike = not plan.twice or not (reading.theirs or plan.by_result or moment.sheet is not before)
    if is_alike:
        _foresee(moment, choice, stage, plan.pool, dice, asks=asks and not plan.twice)
    has_cards = len(thrown) < len(plan.pool)
    table = _draw_and_roll(throw, choice, plan) if has_cards else roll_pool(plan.pool, plan.rules, throw)
    if plan.twice:
        if is_alike:
            _foresee(moment, choice, stage, plan.pool, dice)
        again = [group for group in thrown if not (plan.reading.theirs and group.against)]
        stays = [die for die in table if plan.reading.theirs and die.against]
        other = (*roll_pool(again, plan.rules, throw), *stays)
        order = [band.outcome for band in worst_first(plan.bands)]
        rolls = [FileRoll(dice=dice) for dice in (table, other)]
        results = [result_now(plan, roll).value for roll in rolls]
        outcomes = [outcome_now(plan, roll) for roll in rolls]
        places = results if plan.by_result else [order.index(one.outcome) for one in outcomes]
        better = places[1] - places[0]
        first, second = results if plan.by_result else [f"“{one.label}”" for one in outcomes]
        table = other if (better > 0 and plan.twice == "better") or (better < 0 and plan.twice == "worse") else table
        shown = (
            f"Rolled twice: {first} both times"
            if not better
            else f"Rolled twice: {first}, then {second}. The {plan.twice} one counts"
        )
        throw.moment = throw.moment.says(shown, rule.clause or None, NotePart.DETAIL)
    return _hide(throw.moment, choice, since, of_roller=True), replace(stage, dice=table)


def _as_led(moment: FileMoment, leader: RollChoice, choice: RollChoice) -> RollChoice:
    """Return the roll of one in a group, with what the leader has chosen. In a roll of its own, that is what both rolls ask. Where the
    leader has left an answer as a value has it, each has the answer of their own value.
    """
    usual, rule = with_default_answers(moment, choice), choice.rule
    if choice.name == leader.name:
        led = with_default_answers(moment, first_choice(leader.name, rule, leader.keys))
        by_value = {name for name, ways in ways_of(rule).items() if any(one.default != "" for one in ways.values())}
        answers = {option_of(id_): id_ for id_ in usual.options if option_of(id_) in by_value}
        options = tuple(answers.get(option_of(id_), id_) if id_ in led.options else id_ for id_ in leader.options)
        call = usual.call if CALL in by_value and leader.call == led.call else leader.call
        return leader._replace(keys=choice.keys, options=options, call=call)
    same = tuple(id_ for id_ in leader.options if has_choice(rule, id_))
    answered = {option_of(id_) for id_ in same}
    return usual._replace(
        options=(*(id_ for id_ in usual.options if option_of(id_) not in answered), *same),
        call=leader.call if leader.call in rule.calls else usual.call,
        modifier=max(rule.modifier[0], min(rule.modifier[-1], leader.modifier)) if rule.modifier else 0,
    )


def _foresee(
    moment: FileMoment,
    choice: RollChoice,
    stage: FileRoll,
    pool: tuple[DiceGroup, ...],
    dice: Dice,
    *,
    final: bool = False,
    stays: Hashable = None,
    asks: bool = False,
) -> None:
    """Tell the odds of a chain what the throw of a pool can lead to, if it depends on nothing that has been thrown. `stage` is the roll as
    it will lie there, without what is thrown; `final` says that this may not be rerolled again, `stays` what matters of the roll beside
    its dice, and `asks` that something may be spent on it next.
    """
    kinds = (*(group.die for group in pool), *(die.die for die in stage.dice))
    if not isinstance(dice, DiceOfOdds) or any(parse_die(kind).copies for kind in kinds):
        return
    from waylog.rules.file_game.odds.throws_in_chains import AnsweredThrow, merge_answered, throws_to_play

    # A move may have the name of a spend.
    may_spend = dice.is_answer or dice.then in moment.game.spend
    spends = [one.spend for one in spends_for(moment, choice)] if may_spend else []
    left = tuple(one for one in spends if one.uses(_PLENTY, stage.used.count(one.name)))

    def throws() -> AlikeThrows | None:
        plan = plan_on_table(moment, stage, pool)
        found = throws_to_play(moment, choice, plan, left, stage.dice, final=final)
        if not (found and left and asks and dice.only) or len(found) > _MOST_ANSWERED:
            return found

        answered = list[AnsweredThrow]()
        for throw in found:
            table = roll_pool(pool, plan.rules, GivenDice(throw.faces, lambda _: ()).roll)
            answered.append(
                AnsweredThrow(throw, *throws_of_answer(moment, choice, replace(stage, dice=table), dice.only))
            )
        return merge_answered(answered)

    dice.foresee(Foresight(throws, stays))


_MOST_ANSWERED = 300
"""The most throws for which it is looked up what an answer makes of each: that takes a quarter of a millisecond."""
_PLENTY = 1000
"""More tokens than a roll can cost."""


def members_of(moment: FileMoment, move: Move, answers: Answers) -> tuple[RollChoice, ...]:
    """Return the rolls of several who roll together, first that of the leader. Raises `ActRefused`."""
    leader, rollers = choice_of(moment, move, answers), rollers_of(moment, move.words[0])
    words, members = (move.words[1], *selected_words(answers, TOGETHER)), dict[str, RollChoice]()
    for word in words:
        together = tuple(rollers[other].keys for other in words if rollers[other].name == rollers[word].name)
        members[word] = _as_led(moment, leader, rollers[word])._replace(together=together)
    alone = selected_words(answers, ALONE)
    everybody = {word: _as_led(moment, leader, choice) for word, choice in rollers.items()} if alone else {}
    offered = options_for_one_alone(moment, everybody)
    for word, one in (offered[word] for word in alone):
        if word not in members:
            name = moment.thing_name(rollers[word].rule.who, rollers[word].keys)
            raise ActRefused(f"{one.label}: {name} isn't in the group", CONDITIONS)
        # Of a choice with several answers, this one takes the place of the others'.
        others = [id_ for id_ in members[word].options if option_of(id_) != option_of(one.id) or one.rule.who]
        members[word] = members[word]._replace(options=tuple(dict.fromkeys((*others, one.id))))
    paid = moment
    for member in members.values():
        if refusal := refusal_of_choices(paid, member) or lack_of_dice(paid, member):
            raise ActRefused(f"{moment.thing_name(member.rule.who, member.keys)}: {refusal.reason}", refusal.clause)
        paid = pay_for_options(paid, member)
    return (*members.values(),)


def roll_together(moment: FileMoment, move: Move, answers: Answers, dice: Dice) -> FileMoment:
    """Roll for each, and do what follows from the outcome that counts, or for each from their own."""
    found, stages = list[TableRoll](), list[FileRoll]()
    members = members_of(moment, move, answers)
    group = members[0].rule.group
    assert group
    leader_name = moment.thing_name(members[0].rule.who, members[0].keys)
    if group.counts != "each" or group.leader:
        moment = _say(moment, members[0], f"{leader_name} leads", members[0].rule.clause, NotePart.SUMMARY)
    for choice in members:
        moment, stage = _throw(moment, choice, dice)
        found.append(look_at(moment, stage))
        stages.append(stage)
        if group.counts == "each":
            moment = read_outcome(moment.then(stage), stage)
        elif not group.own_effects:
            name = moment.thing_name(choice.rule.who, choice.keys)
            moment = _say(moment, choice, f"{name}: {found[-1].band.label}")
    leader, paid = found[0], sum(one.band.outcome in group.outcomes for one in found[not group.own :])
    for _ in range(paid):
        scope = replace(leader.scope, moment=moment)
        # Whoever is out of it by what they have paid pays no more.
        if condition_refusal(moment, leader.choice.name, scope):
            break
        moment = apply_all(moment, group.leader, scope)
    if group.counts == "each":
        return go_on(_tell_order(moment, found, group) if group.rank_by else moment, dice)
    # One without dice may have fewer outcomes than the others.
    every_band = bands_of(leader.choice, leader.choice.scope(moment), none=False)
    order = [band.outcome for band in worst_first(every_band)]
    ranked = sorted(found, key=lambda one: -order.index(one.band.outcome))
    counted = ranked[least_that_reach(group, len(found)) - 1]
    if not group.own_effects:
        names, label = counted.scope.names, members[0].label
        return go_on(_follow(moment, members[0], counted.band, names, label, rollers=members), dice)
    effects = group.together.get(counted.band.outcome, ())
    moment = _follow(moment, members[0], counted.band, counted.scope.names, members[0].label, effects, ())
    for stage in stages:
        moment = read_outcome(moment.then(stage), stage)
    return go_on(moment, dice)


def _throws(moment: FileMoment, choice: RollChoice, dice: Dice) -> Throws:
    name = moment.thing_name(choice.rule.who, choice.keys)
    deed = f"{name} rolls {choice.label}" if name else ""
    secret = moment.hides(choice.rule.who)
    return Throws(moment, dice, RollFact(name or choice.label, (), typed=True, secret=secret, deed=deed))


def _draw_and_roll(throw: Throws, choice: RollChoice, plan: RollPlan) -> tuple[TableDie, ...]:
    """Draw the cards of a pool and leave them out of their decks, and roll its dice, in order. All of it is one line of the log."""
    table, shown = list[TableDie](), list[Face]()

    def roll(wanted: Sequence[Die]) -> Sequence[Face]:
        faces = throw.dice.roll(wanted)
        shown.extend(faces)
        return faces

    scope = choice.scope(throw.moment)
    for group in plan.pool:
        if not parse_die(group.die).copies:
            table += roll_pool((group,), plan.rules, roll)
            continue
        place = find(throw.moment.game.sheet, scope.who, group.die.partition(":")[0].split("."))
        before, faces = value_at(throw.moment.sheet, place, scope.keys), cards_of(place.value.deck)
        drawn = draw_cards(place.value.deck, before, group.count, throw.dice, group.label)
        shown += (face for thrown in drawn.values() for face in thrown)
        throw.moment = throw.moment.put(place.of(scope.keys), (*before, *drawn))
        table += (TableDie(group.die, faces[card], card.rpartition("-")[0], group.against) for card in drawn)
    throw.tell(tuple(shown))
    return tuple(table)


# -- after the dice are thrown -----------------------------------------------------------------------------------------


def resolve(moment: FileMoment, stage: FileRoll, move: Move, answers: Answers, dice: Dice) -> FileMoment:
    """Keep the dice, or spend something on them."""
    if move.verb == KEEP:
        return go_on(read_outcome(moment, stage), dice)
    lies = look_at(moment, stage)
    one, place = find_answer(stage, lies, move, answers)
    moment = apply_all(moment, one.rule.cost, replace(one.scope, names=lies.scope.names))
    moment = moment.says(one.label, one.rule.clause or COSTS, NotePart.DETAIL)
    if isinstance(one.spend.effect, Reroll):
        after, pool, finals = take_up(stage, one, place)
        if len(finals) == 1:
            # Which dice are kept may depend on those before.
            stays = stage if one.spend.effect.better else replace(stage, dice=())
            _foresee(moment, lies.choice, after, pool, dice, final=True in finals, stays=stays)
    throw = _throws(moment, lies.choice, dice)
    changed = spend_on(lies.plan, stage, one.spend, place, throw)
    moment = throw.moment.closes()
    if one.rule.keep_better and [die.face for die in changed.dice] == [die.face for die in stage.dice]:
        moment = moment.says("The earlier roll counts", one.rule.clause or None, NotePart.DETAIL)
    return moment.then(changed)


def read_outcome(moment: FileMoment, stage: FileRoll) -> FileMoment:
    """Read the roll, and do what follows from its outcome."""
    lies, since = look_at(moment, stage), len(moment.facts)
    choice, moment = lies.choice, moment.closes()
    if lies.compared:
        moment = _say(moment, choice, lies.compared, choice.rule.clause, NotePart.DETAIL)
    who = moment.thing_name(choice.rule.who, choice.keys) or choice.label
    return _hide(_follow(moment, choice, lies.band, lies.scope.names, who), choice, since)


def go_on(moment: FileMoment, dice: Dice) -> FileMoment:
    """Make the rolls that follow by themselves. The last of them may ask something."""
    while moment.forced:
        (name, keys, before), *others = moment.forced
        moment, rule = replace(moment, forced=tuple(others), after=before), moment.game.dice[name]
        choice = first_choice(name, rule, keys[: rule.who.count(".") + 1] if rule.who else ())
        choice = with_default_answers(moment, choice)
        refusal = refusal_of_roll(moment, choice) or refusal_of_choices(moment, choice) or lack_of_dice(moment, choice)
        if refusal:
            moment = _say(moment, choice, f"{label_of_roll(moment, choice)}: {refusal.reason}", refusal.clause)
            continue
        moment, stage = _throw(moment, choice, dice)
        moment = moment.then(stage)
        if not moment.forced:
            break
        moment = read_outcome(moment, stage)
    return moment


def _end_with_roll(moment: FileMoment, choice: RollChoice) -> FileMoment:
    """End what lasts for whoever rolls until they have."""
    return end_what_lasts(moment, ROLL, choice.name, thing_path(choice.rule.who, choice.keys))


def _follow(
    moment: FileMoment,
    choice: RollChoice,
    band: Band,
    names: Mapping[tuple[str, ...], Found],
    who: str,
    effects: Sequence[EffectRule] | None = None,
    rollers: Sequence[RollChoice] | None = None,
) -> FileMoment:
    """Tell an outcome, and do what follows from it for who rolls, or these `effects`; first for those `rollers` who have rolled what no
    longer lasts then.
    """
    aside, secret = not choice.rule.is_on_clocks, moment.hides(choice.rule.who)
    moment = moment.tells(OutcomeFact(band.outcome, band.label, band.grade, who, aside=aside, secret=secret))
    for one in (choice,) if rollers is None else rollers:
        moment = _end_with_roll(moment, one)
    source = format_path(thing_path(choice.rule.who, choice.keys)) or f"{ACT}{choice.name}"
    effects, before = (
        effects_after(moment.game, choice.name, band.outcome) if effects is None else effects,
        moment.after,
    )
    moment = replace(moment, after=(*before, choice.name))
    return replace(apply_all(moment, effects, choice.scope(moment, names), source), after=before)


# -- paying in place of rolling: the outcome is certain --------------------------------------------------------------


def pay(moment: FileMoment, move: Move, _answers: Answers, dice: Dice) -> FileMoment:
    """Pay, and do what follows from the outcome."""
    choice, since = _choice_before_answers(moment, move), len(moment.facts)
    rule = choice.rule
    assert rule.instead
    moment = apply_all(moment, rule.instead.cost, choice.scope(moment))
    moment = moment.says(label_of_payment(choice), rule.clause or COSTS, NotePart.DETAIL)
    bands = bands_of(choice, choice.scope(moment), none=False)
    band = next(band for band in bands if band.outcome == rule.instead.outcome)
    who = moment.thing_name(rule.who, choice.keys) or choice.label
    return go_on(
        _hide(_follow(moment, choice, band, {("outcome",): band.outcome}, who, rollers=()), choice, since), dice
    )


CHAPTER = Chapter(
    offers=offers,
    plays={ROLL: roll, PAY: pay, GROUP: roll_together},
    stages=(
        StageRules(
            FileRoll,
            question,
            answers,
            resolve,
            choices=can_improve,
            automatic=lambda moment, stage, dice: go_on(read_outcome(moment, stage), dice),
            keep=keep_stage,
            odds=odds_of_answer,
        ),
    ),
    odds={ROLL: odds, GROUP: odds_together},
    no_odds={ROLL: why_no_odds, GROUP: why_no_odds},
)
