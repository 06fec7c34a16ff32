"""The rolls of a game in a file: made with their options, changed by what is spent, and read, or paid for in place of being rolled.

What a bad outcome of a roll would do is told with its odds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from waylog.rules.codec.changes import format_path, join_names, letters_for
from waylog.rules.file_game.clauses import CONDITIONS, COSTS, NOT_NOW
from waylog.rules.file_game.declaration import EffectRule, PaidRule
from waylog.rules.file_game.dice_readings import (
    Band,
    OtherDice,
    Reading,
    ReadingKind,
    RollPlan,
    other_side,
    roll_pool,
    worst_first,
)
from waylog.rules.file_game.effects import WrongEffect, apply_all, parse_effect, refusal_of
from waylog.rules.file_game.expressions import ExpressionError, parse_expression
from waylog.rules.file_game.moment import FileMoment, Scope, condition_refusal, label_of, read, row_of_thing, thing_path
from waylog.rules.file_game.odds.weights import TooMany
from waylog.rules.file_game.roll_plans import (
    CALL,
    MODIFIER,
    OPTIONS,
    RollChoice,
    are_typed_as_numbers,
    bands_of,
    choices_change_dice,
    offered_option,
    option_of,
    options_by_word,
    pay_for_options,
    plan_roll,
    pool_in_words,
    reading_of,
    refusal_of_costs,
    throw_rules,
)
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.file_game.spends import (
    OfferedSpend,
    OpenRoll,
    Picked,
    RaiseDie,
    Reroll,
    can_spend,
    describe_price,
    outcome_now,
    places_for,
    prices_of,
    purse_of,
    result_now,
    spend_on,
    spends_for,
    why_not,
)
from waylog.rules.kit import Chapter, StageRules
from waylog.rules.model.answers import selected_words
from waylog.rules.model.dice import Dice, Die, Face
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Number, Option, PickMany, PickOne, Refusal
from waylog.rules.model.odds import Chance, Odds, percent
from waylog.rules.model.state import ACT
from waylog.values import NamedTuple, replace

_BAD = (OutcomeGrade.FIASCO, OutcomeGrade.DRAWBACK)
_OF_DICE = {(name,) for name in ("result", "score", "face", "matches", "ones", "doubles")}
"""What formulas read that only the dice tell."""


def forecast(moment: FileMoment, choice: RollChoice, chances: Iterable[Chance]) -> Iterator[NoteFact]:
    """Yield what each bad outcome would do as things are, but for effects that depend on what the dice show."""
    follows = moment.game.after.get(choice.name, {})
    for chance in chances:
        effects = [effect for effect in follows.get(chance.outcome, ()) if effect.do and not _reads_dice(effect)]
        if chance.mood not in _BAD or not effects:
            continue
        names = {**choice.names(), ("outcome",): chance.outcome}
        after = apply_all(moment, effects, Scope(moment, choice.rule.who, choice.keys, names))
        notes = [fact for fact in after.facts[len(moment.facts) :] if isinstance(fact, NoteFact)]
        if notes:
            text = f"{chance.label} ({percent(chance.chance)}): {', '.join(note.text for note in notes)}"
            yield NoteFact(text, choice.rule.clause or None, any(note.secret for note in notes))


def _reads_dice(effect: EffectRule) -> bool:
    formulas = [effect.when]
    try:
        formulas.append(parse_effect(effect.do).rest)
        return any(parse_expression(text).paths & _OF_DICE for text in formulas if isinstance(text, str) and text)
    except (WrongEffect, ExpressionError):  # The word at the end of an effect is not a formula.
        return False


ROLL, KEEP, DIE, PAY = "roll", "keep", "die", "pay"


# -- offering ---------------------------------------------------------------------------------------------------------


def offers(moment: FileMoment) -> tuple[Move, ...]:
    """Return a move for each roll, and for each thing that may make it, and those that pay for one in place of rolling."""
    rolls, paid = list[Move](), list[Move]()
    for name, rule in moment.game.dice.items():
        for word, keys in moment.things_by_word(rule.who).items():
            choice = RollChoice(name, rule, keys, call=next(iter(rule.calls), ""))
            words = (name, word) if word else (name,)
            who = f": {moment.thing_name(rule.who, keys)}" if keys else ""
            about = (format_path(row_of_thing(moment.game.sheet, rule.who, keys)),) if keys else ()
            asks, blocked = tuple(_asks(moment, choice)), _refusal(moment, choice)
            whole = are_typed_as_numbers(moment.game, rule)
            rolls.append(
                Move(
                    ROLL,
                    words,
                    _label_of_roll(moment, choice),
                    asks,
                    blocked,
                    rolls=True,
                    about=about,
                    whole=whole,
                    roller=word,
                )
            )
            if rule.instead:
                price = describe_price(prices_of(rule.instead.cost, choice.scope(moment)))
                label = f"{_paid_label(choice, rule.instead)}{who}{f' ({price})' if price else ''}"
                paid.append(Move(PAY, words, label, (), _paid_refusal(moment, choice), about=about))
    letters = letters_for({" ".join(reversed(move.words)): move.id for move in rolls})
    return (*(replace(move, key=letters[move.id]) for move in rolls), *paid)


def _label_of_roll(moment: FileMoment, choice: RollChoice) -> str:
    """Return `Roll Sanity for Irsa Venn`. A label of several words, such as `Crack the vault`, stands in quotation marks."""
    what = f"“{choice.label}”" if " " in choice.label else choice.label
    return f"Roll {what}{f' for {moment.thing_name(choice.rule.who, choice.keys)}' if choice.keys else ''}"


def _refusal(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why a roll is impossible, whatever is chosen for it."""
    rule, scope = choice.rule, choice.scope(moment)
    if not scope.holds(rule.when):
        return Refusal(rule.refusal or NOT_NOW, rule.clause or CONDITIONS)
    if refusal := condition_refusal(moment, choice.name, scope):
        return refusal
    if rule.calls and all(not scope.holds(call.when) for call in rule.calls.values()):
        return Refusal("none of its calls is possible", rule.clause or CONDITIONS)
    return None if choices_change_dice(rule) else _no_dice(moment, choice)


def _no_dice(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    plan = plan_roll(moment, choice).plan
    if any(group.count and not group.against for group in plan.pool):
        return None
    return Refusal(choice.rule.refusal or "there are no dice to roll", choice.rule.clause or CONDITIONS)


def _asks(moment: FileMoment, choice: RollChoice) -> Iterator[Ask]:
    rule, scope = choice.rule, choice.scope(moment)
    if rule.calls:
        calls = tuple(
            Option(
                word,
                label_of(word, call.label),
                blocked=None if scope.holds(call.when) else Refusal(call.refusal or NOT_NOW, rule.clause or CONDITIONS),
            )
            for word, call in rule.calls.items()
        )
        possible = [option.word for option in calls if not option.blocked]
        yield PickOne(CALL, "Call", calls, (possible or [calls[0].word])[0], clause=rule.clause or None)
    if there := options_by_word(moment, choice):
        options = tuple(
            offered_option(word, one, rule.clause, describe_price(prices_of(one.rule.cost, one.scope)))
            for word, one in there.items()
        )
        yield PickMany(OPTIONS, "With", options, most=len(options), clause=rule.clause or None)
    if rule.modifier:
        least, most = rule.modifier[0], rule.modifier[-1]
        yield Number(MODIFIER, "Modifier", least, most, min(max(0, least), most))


# -- rolling ----------------------------------------------------------------------------------------------------------


def choice_of(moment: FileMoment, move: Move, answers: Answers) -> RollChoice:
    """Return the roll that a move makes with these answers. Raises `ActRefused` for options that can't be paid together."""
    name, *word = move.words
    rule = moment.game.dice[name]
    keys = moment.things_by_word(rule.who)[word[0] if word else ""]
    call = str(answers.get(CALL, "")) if rule.calls else ""
    modifier = int(str(answers.get(MODIFIER, 0))) if rule.modifier else 0
    choice = RollChoice(name, rule, keys, (), call, modifier)
    words = selected_words(answers, OPTIONS)
    options = tuple(one.id for word, one in options_by_word(moment, choice).items() if word in words)
    choice = choice._replace(options=options)
    if refusal := refusal_of_costs(moment, choice) or _no_dice(moment, choice):
        raise ActRefused(refusal.reason, refusal.clause)
    return choice


def odds(moment: FileMoment, move: Move, answers: Answers) -> Odds | None:
    """Return the odds of a roll; None for a pool so large that they would take too long. Raises `ActRefused`."""
    from waylog.rules.file_game.odds.spends import odds_of

    choice = choice_of(moment, move, answers)
    found = odds_of(moment, choice)
    if found is None:
        return None
    paid = pay_for_options(moment, choice)
    return replace(found, forecast=tuple(forecast(paid, choice, found.spread.chances)))


def why_no_odds(moment: FileMoment, move: Move, answers: Answers) -> str:
    """Return why a roll has no odds: how many dice it may have at the most for them."""
    from waylog.rules.file_game.odds.tables import exact_odds

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
    dice = pool_in_words(plan.pool, plan.reading)
    return f"has no odds: {dice} can fall in too many ways. With at most {most}{largest.die} it has them"


def roll(moment: FileMoment, move: Move, answers: Answers, dice: Dice) -> FileMoment:
    """Roll the dice, and leave them on the table."""
    choice = choice_of(moment, move, answers)
    planned = plan_roll(moment, choice)
    rule, reading = choice.rule, planned.plan.reading
    moment = pay_for_options(moment, choice)
    for reason in planned.reasons:
        moment = moment.tells(reason)
    throw = _Throws(moment, choice, dice)
    table = roll_pool(planned.plan.pool, planned.plan.rules, throw)
    stage = FileRoll(
        choice.name,
        choice.keys,
        choice.options,
        choice.call,
        choice.modifier,
        planned.none and rule.none is not None,
        reading.plus,
        reading.target,
        table,
        cap=reading.cap,
        blank=reading.blank,
    )
    return throw.moment.then(stage)


class _Throws:
    """Rolls dice for a roll, and notes each throw."""

    def __init__(self, moment: FileMoment, choice: RollChoice, dice: Dice) -> None:
        self.moment, self._dice = moment, dice
        name = moment.thing_name(choice.rule.who, choice.keys) if choice.keys else ""
        self._what = name or choice.label
        self._deed = f"{name} rolls {choice.label}" if name else ""

    def __call__(self, wanted: Sequence[Die]) -> Sequence[Face]:
        faces = self._dice.roll(tuple(wanted))
        self.moment = self.moment.tells(RollFact(self._what, faces, self._dice.are_real, deed=self._deed))
        return faces


# -- on the table -----------------------------------------------------------------------------------------------------


class _TableRoll(NamedTuple):
    """A roll on the table, as its rules see it."""

    choice: RollChoice
    plan: RollPlan
    """How its dice are read. What is added stays as it was when they were rolled."""
    now: OpenRoll
    band: Band
    """Its outcome, as the dice are."""
    scope: Scope
    """What formulas can read after it."""
    compared: str
    """The score, and the dice that it is compared with, in words; empty for any other reading."""
    usable: tuple[OfferedSpend, ...]
    """The spends that are possible now."""


def _look_at(moment: FileMoment, stage: FileRoll) -> _TableRoll:
    rule = moment.game.dice[stage.roll]
    choice = RollChoice(stage.roll, rule, stage.who, stage.options, stage.call, stage.modifier)
    numbers = Reading(ReadingKind.SUM, stage.plus, stage.target, None, stage.cap, stage.blank)
    reading = reading_of(rule, numbers, none=stage.none)
    plan = RollPlan((), reading, bands_of(choice, choice.scope(moment), none=stage.none), throw_rules(rule))
    now = OpenRoll(stage.dice, stage.raised, stage.steps, stage.used, stage.grades, stage.score)
    band, result = outcome_now(plan, now), result_now(plan, now)
    names = {**choice.names(), ("result",): result.value, ("outcome",): band.outcome, ("doubles",): result.doubles}
    names |= {(name,): getattr(result, name) for name in ("matches", "ones", "face", "score")}
    scope = Scope(moment, rule.who, choice.keys, names)
    offered = list(spends_for(moment, choice))
    purse = purse_of(offered)
    usable = (one for one in offered if why_not(one, scope) is None and can_spend(plan, now, one.spend, purse))
    compared = ""
    if isinstance(other := other_side(reading, now.dice), OtherDice):
        compared = f"{result.score} against {join_names(map(str, other.faces), 'and')}"
    return _TableRoll(choice, plan, now, band, scope, compared, tuple(usable))


def can_improve(moment: FileMoment, stage: FileRoll) -> bool:
    """Whether something may be spent that can make the outcome better, even if it may also make it worse."""
    lies = _look_at(moment, stage)
    if not lies.usable:
        return False
    from waylog.rules.file_game.odds.spends import weigh_spends

    order = [band.outcome for band in worst_first(lies.plan.bands)]
    better = order[order.index(lies.band.outcome) + 1 :]
    try:
        weighed = weigh_spends(lies.plan, [one.spend for one in lies.usable], lies.now, purse_of(lies.usable))
    except TooMany:
        return bool(better)
    return any(advice.odds[outcome] for advice in weighed for outcome in better)


def question(moment: FileMoment, stage: FileRoll) -> str:
    """Ask what to do with the dice as they are."""
    lies = _look_at(moment, stage)
    labels = dict.fromkeys(one.label for one in lies.usable)
    shown = ", ".join(filter(None, (lies.compared, lies.band.label)))
    return f"{lies.choice.label}: {shown}. {' or '.join(labels) or 'Keep it'}?"


def answers(moment: FileMoment, stage: FileRoll) -> tuple[Move, ...]:
    """Return the spends that are possible, and `keep`."""
    lies = _look_at(moment, stage)
    letters = letters_for({one.name: one.name for one in lies.usable}, ("k",))
    whole = are_typed_as_numbers(moment.game, lies.choice.rule)
    moves = []
    for one in lies.usable:
        price = describe_price(one.prices)
        label = f"{one.label} ({price})" if price else one.label
        asks: tuple[Ask, ...] = ()
        words = _die_words(lies.now, one)
        if len(words) > 1:  # More than one die may be meant.
            faces = {word: stage.dice[place].face for word, place in words.items()}
            first = max if isinstance(one.spend.effect, RaiseDie) else min
            options = tuple(Option(word, word, stage.dice[place].label) for word, place in words.items())
            asks = (PickOne(DIE, "Which die", options, first(faces, key=lambda word: faces[word]), logged=True),)
        moves.append(Move(one.name, (), label, asks, key=letters[one.name], whole=whole))
    return (*moves, Move(KEEP, (), f"Keep {lies.band.label}", key="k"))


def _die_words(now: OpenRoll, one: OfferedSpend) -> dict[str, int]:
    """Return the dice that a spend may be for by word, each face once."""
    effect = one.spend.effect
    if not isinstance(effect, RaiseDie | Reroll) or (isinstance(effect, Reroll) and effect.which is Picked.ALL):
        return {}
    found: dict[str, int] = {}
    kinds = {die.die for die in now.dice}
    for place in places_for(now, effect):
        die = now.dice[place]
        face = f"minus-{-die.face}" if die.face < 0 else str(die.face)
        found.setdefault(f"{die.die}-{face}" if len(kinds) > 1 else face, place)
    return found


def resolve(moment: FileMoment, stage: FileRoll, move: Move, answers: Answers, dice: Dice) -> FileMoment:
    """Keep the dice, or spend something on them."""
    if move.verb == KEEP:
        return read_outcome(moment, stage)
    lies = _look_at(moment, stage)
    one = next(one for one in spends_for(moment, lies.choice) if one.name == move.verb)
    words = _die_words(lies.now, one)
    place = words.get(str(answers.get(DIE, ""))) if len(words) > 1 else next(iter(words.values()), None)
    moment = apply_all(moment, one.rule.cost, lies.scope)
    moment = moment.says(one.label, one.rule.clause or COSTS, NotePart.DETAIL)
    throw = _Throws(moment, lies.choice, dice)
    after = spend_on(lies.plan, lies.now, one.spend, place, throw)
    changed = replace(
        stage,
        dice=after.dice,
        raised=after.plus,
        steps=after.steps,
        used=after.used,
        grades=after.grades,
        score=after.score,
    )
    return throw.moment.closes().then(changed)


def read_outcome(moment: FileMoment, stage: FileRoll) -> FileMoment:
    """Read the roll, and do what follows from its outcome."""
    lies = _look_at(moment, stage)
    choice, band = lies.choice, lies.band
    who = moment.thing_name(choice.rule.who, choice.keys) if choice.keys else choice.label
    moment = moment.closes()
    moment = moment.says(lies.compared, choice.rule.clause, NotePart.DETAIL) if lies.compared else moment
    moment = moment.tells(OutcomeFact(band.outcome, band.label, band.grade, who))
    if follows := moment.game.after.get(choice.name, {}).get(band.outcome, ()):
        source = format_path(thing_path(choice.rule.who, choice.keys)) or f"{ACT}{choice.name}"
        moment = apply_all(moment, follows, lies.scope, source)
    return moment


def keep_stage(moment: FileMoment, stage: FileRoll) -> FileRoll | None:
    """Return the stage, if its roll and who makes it are still there."""
    rule = moment.game.dice.get(stage.roll)
    if rule is None or (stage.who and read(moment.sheet, thing_path(rule.who, stage.who)) is None):
        return None
    if bool(rule.who) != bool(stage.who) or not {*map(option_of, stage.options)} <= set(rule.options):
        return None
    return stage if not stage.call or stage.call in rule.calls else None


# -- paying in place of rolling: the outcome is certain --------------------------------------------------------------


def _paid_label(choice: RollChoice, paid: PaidRule) -> str:
    return paid.label or f"{choice.label} without a roll"


def _paid_refusal(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why a roll can't be paid for: it could not be made either, or the price isn't there."""
    rule, scope = choice.rule, choice.scope(moment)
    assert rule.instead
    clause = rule.clause or CONDITIONS
    if not scope.holds(rule.when):
        return Refusal(rule.refusal or "its condition does not hold", clause)
    if refusal := condition_refusal(moment, choice.name, scope):
        return refusal
    if not scope.holds(rule.instead.when):
        return Refusal(rule.instead.refusal or "its condition does not hold", clause)
    refusal = refusal_of(rule.instead.cost, scope, in_full=True)
    return replace(refusal, clause=refusal.clause or COSTS) if refusal else None


def pay(moment: FileMoment, move: Move, _answers: Answers, _dice: Dice) -> FileMoment:
    """Pay, and do what follows from the outcome."""
    name, *word = move.words
    rule = moment.game.dice[name]
    assert rule.instead
    keys = moment.things_by_word(rule.who)[word[0] if word else ""]
    choice = RollChoice(name, rule, keys, call=next(iter(rule.calls), ""))
    moment = apply_all(moment, rule.instead.cost, choice.scope(moment))
    moment = moment.says(_paid_label(choice, rule.instead), rule.clause or COSTS, NotePart.DETAIL)
    band = next(
        band for band in bands_of(choice, choice.scope(moment), none=False) if band.outcome == rule.instead.outcome
    )
    who = moment.thing_name(rule.who, keys) if keys else choice.label
    moment = moment.tells(OutcomeFact(band.outcome, band.label, band.grade, who))
    names = {**choice.names(), ("outcome",): band.outcome}
    source = format_path(thing_path(rule.who, keys)) or f"{ACT}{name}"
    follows = moment.game.after.get(name, {}).get(band.outcome, ())
    return apply_all(moment, follows, Scope(moment, rule.who, keys, names), source)


CHAPTER = Chapter(
    offers=offers,
    plays={ROLL: roll, PAY: pay},
    stages=(
        StageRules(
            FileRoll,
            question,
            answers,
            resolve,
            choices=can_improve,
            automatic=lambda moment, stage, _: read_outcome(moment, stage),
            keep=keep_stage,
        ),
    ),
    odds={ROLL: odds},
    no_odds={ROLL: why_no_odds},
)
