"""A roll on the table that asks something: its outcome as the dice are, what can be spent on it, which dice that may be for, and the odds
of each answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from waylog.rules.codec.changes import join_names, letters_for, slug
from waylog.rules.file_game.dice_readings import (
    Band,
    OtherDice,
    Reading,
    ReadingKind,
    Result,
    RollPlan,
    other_side,
    worst_first,
)
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, ThrowRules, parse_die
from waylog.rules.file_game.effects_and_offers import apply_all, effects_after, with_moves
from waylog.rules.file_game.forecast import forecast, reads_dice, reads_result
from waylog.rules.file_game.game_file_format import GameFile
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Scope,
    once_for_sheet,
    read,
    thing_path,
)
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany
from waylog.rules.file_game.roll_plans_and_options import (
    RollChoice,
    are_typed_as_numbers,
    bands_of,
    has_choice,
    names_on_table,
    reading_of,
    words_of_dice,
)
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.file_game.spends import (
    OfferedSpend,
    RaiseDie,
    RaiseTotal,
    Reroll,
    SetScore,
    can_spend,
    is_idle,
    outcome_now,
    places_for,
    purse_of,
    result_now,
    spend_on,
    spends_for,
    take_up,
    tell_price,
    why_not,
)
from waylog.rules.model.dice import AlikeThrows
from waylog.rules.model.moves import Answers, Ask, Move, Option, PickOne
from waylog.rules.model.odds import Odds
from waylog.values import NamedTuple, replace

KEEP, DIE = "keep", "die"
"""The answer that leaves the dice as they are; and what a spend asks if it may be for more than one die."""


class TableRoll(NamedTuple):
    """A roll on the table, as its rules see it."""

    choice: RollChoice
    plan: RollPlan
    """How its dice are read. What is added stays as it was when they were rolled."""
    band: Band
    """Its outcome, as the dice are."""
    scope: Scope
    """The state that formulas after it can read."""
    compared: str
    """The number of the dice and the number that it is compared with, in words; empty where the dice show it."""
    usable: tuple[OfferedSpend, ...]
    """The spends that are possible now."""


class _RollRules(NamedTuple):
    """What the rules say of a roll on the table whatever its dice show."""

    choice: RollChoice
    plan: RollPlan
    scope: Scope
    offered: Sequence[OfferedSpend]
    purse: Mapping[str, int]
    words: Collection[str]
    """The words of dice that formulas read alone."""


def _rules_for(moment: FileMoment, stage: FileRoll) -> _RollRules:
    return _find_rules(moment, _without_dice(stage))


def _without_dice(stage: FileRoll) -> FileRoll:
    """Return a roll as it is before anything is thrown or spent."""
    return replace(stage, dice=(), raised=0, steps=0, grades=0, score=None, used=())


@once_for_sheet
def _find_rules(moment: FileMoment, stage: FileRoll) -> _RollRules:
    rule = moment.game.dice[stage.roll]
    choice = RollChoice(stage.roll, rule, stage.who, stage.options, stage.call, stage.modifier)
    numbers = Reading(ReadingKind.SUM, stage.plus, stage.target, None, stage.cap, stage.blank)
    before = choice.scope(moment)
    reading = reading_of(choice, before, numbers, none=stage.none)
    plan = RollPlan((), reading, bands_of(choice, before, none=stage.none), ThrowRules(rule.reroll, rule.explode))
    offered = tuple(spends_for(moment, choice))
    words = () if reading.symbols else words_of_dice(moment.game, rule)
    return _RollRules(choice, plan, before, offered, purse_of(offered), words)


@once_for_sheet
def look_at(moment: FileMoment, stage: FileRoll) -> TableRoll:
    """Return a roll on the table as its rules see it. Its scopes have the sheet as it is now, and nothing that this act has done."""
    choice, plan, before, offered, purse, words_alone = _rules_for(moment, stage)
    reading, result = plan.reading, result_now(plan, stage)
    band = outcome_now(plan, stage, result)
    read = names_on_table(words_alone, reading, stage.dice, band.outcome, result)
    scope = replace(before, names={**before.names, **read})
    able = [one for one in offered if can_spend(plan, stage, one.spend, purse) and why_not(one, scope) is None]
    # With the same outcome, a score may still matter to effects, or be raised after that.
    follows = with_moves(moment.game, effects_after(moment.game, stage.roll, band.outcome))
    matters = any(isinstance(one.spend.effect, RaiseTotal) for one in able)
    matters = matters or any(reads_dice(moment.game, effect) for effect in follows)
    usable = [
        one
        for one in able
        if (matters and isinstance(one.spend.effect, SetScore)) or not is_idle(plan, stage, one.spend.effect)
    ]
    compared = _compare(reading, stage, result)
    if result.symbols:
        compared = symbols_in_words(moment.game, dict(result.symbols))
    return TableRoll(choice, plan, band, scope, compared, tuple(usable))


def _compare(reading: Reading, stage: FileRoll, result: Result) -> str:
    """Return what the dice come to where they don't show that themselves, and what that is compared with."""
    other = other_side(reading, stage.dice)
    if isinstance(other, OtherDice):
        return f"{result.score} against {join_names(map(str, other.faces), 'and')}"
    if reading.kind not in (ReadingKind.SUM, ReadingKind.HIGHEST, ReadingKind.LOWEST):
        return ""
    if isinstance(other, Result):
        return f"{result.value} against {other.value}"
    if any(die.against for die in stage.dice):
        return f"{result.score} against {other}"
    return f"Total {result.score}" if stage.plus or stage.raised else ""


def symbols_in_words(game: GameFile, counts: Mapping[str, int]) -> str:
    """Return how many there are of each symbol, for people: `success 2, threat 1`. Less than none are as many of the symbol that cancels
    one. The first is told even if there is none.
    """
    cancels = {name: word for word, counted in game.symbols.items() for name in counted if counted == {name: -1}}
    words = [
        f"{(cancels.get(name, name) if count < 0 else name).replace('_', ' ')} {abs(count)}"
        if count >= 0 or name in cancels
        else f"{name.replace('_', ' ')} {count}"
        for place, (name, count) in enumerate(counts.items())
        if count or not place
    ]
    return ", ".join(words)


def can_improve(moment: FileMoment, stage: FileRoll) -> bool:
    """Whether something may be spent that can make the outcome better, even if it may also make it worse."""
    lies = look_at(moment, stage)
    if not lies.usable:
        return False
    from waylog.rules.file_game.odds.odds_with_spends import weigh_spends
    from waylog.rules.file_game.odds.throws_in_chains import outcomes_of

    order = [band.outcome for band in worst_first(lies.plan.bands)]
    better = order[order.index(lies.band.outcome) + 1 :]
    # Dice may matter beside the outcome: an effect has as many points of damage as there are successes.
    follows = effects_after(moment.game, stage.roll, lies.band.outcome)
    if any(reads_result(moment.game, effect) for effect in follows):
        return True
    if not better or any(one.spend.is_on_theirs for one in lies.usable):
        return bool(better)
    # What one reroll can throw is worked out sooner than what is best.
    purse, rerolls = purse_of(lies.usable), [one for one in lies.usable if isinstance(one.spend.effect, Reroll)]
    is_known = len(rerolls) == len(lies.usable) == 1
    for one in rerolls:
        left = purse.get(one.spend.token, 0) - one.spend.cost
        is_known &= not one.spend.uses(left, stage.used.count(one.spend.name) + 1)
        for place in (*die_words(stage, one).values(),) or (None,):
            throws = throws_after(moment, stage, one, place)
            if throws and not outcomes_of(throws).isdisjoint(better):
                return True
            is_known &= throws is not None
    if is_known:
        return False
    try:
        weighed = weigh_spends(lies.plan, [one.spend for one in lies.usable], stage, purse)
    except TooMany:
        return bool(better)
    return any(advice.odds[outcome] for advice in weighed for outcome in better)


@once_for_sheet
def _pay(moment: FileMoment, stage: FileRoll, name: str, word: str) -> FileMoment:
    """Return the moment after a spend has been paid, the same one for all dice that a roll may show. `stage` has none."""
    one = next(one for one in _rules_for(moment, stage).offered if (one.name, one.word) == (name, word))
    return apply_all(moment, one.rule.cost, one.scope)


def plan_on_table(moment: FileMoment, stage: FileRoll, pool: tuple[DiceGroup, ...] = ()) -> RollPlan:
    """Return how the dice of a roll are read once it lies there, with a pool to throw."""
    plan = _rules_for(moment, stage).plan
    return replace(plan, pool=pool, reading=replace(plan.reading, plus=plan.reading.plus + stage.raised))


def throws_after(moment: FileMoment, stage: FileRoll, one: OfferedSpend, place: int | None) -> AlikeThrows | None:
    """Return what a spend can throw, with its price paid, if nothing is spent after it: one throw of no dice, if it changes those on the
    table. `place` is the die that it is for. None if that isn't told so easily.
    """
    from waylog.rules.file_game.odds.throws_in_chains import throws_to_play

    effect, pool = one.spend.effect, tuple[DiceGroup, ...]()
    if one.word:
        return None
    if isinstance(effect, Reroll) and not (effect.better or one.spend.is_on_theirs):
        after, pool, _ = take_up(stage, one, place)
    elif isinstance(effect, RaiseDie | RaiseTotal):
        after = spend_on(_rules_for(moment, stage).plan, stage, one.spend, place, lambda _: ())
    else:
        return None
    paid, choice = _pay(moment, _without_dice(stage), one.name, one.word), _rules_for(moment, stage).choice
    return throws_to_play(paid, choice, plan_on_table(paid, after, pool), (), after.dice)


def throws_of_answer(moment: FileMoment, choice: RollChoice, stage: FileRoll, words: str) -> tuple[AlikeThrows, bool]:
    """Return what an answer to a roll on the table can throw, if it is the last one, and True; or of a roll that asks nothing a throw of no
    dice, and False; or nothing if that isn't told so easily.
    """
    from waylog.rules.file_game.odds.chances_after_each_spend import look_ahead
    from waylog.rules.file_game.odds.throws_in_chains import throws_to_play

    if not can_improve(moment, stage):
        return throws_to_play(moment, choice, plan_on_table(moment, stage), (), stage.dice) or (), False
    lies = look_at(moment, stage)
    one = next((one for one in lies.usable if one.name == words and not one.word), None)
    if one is None:
        return (), True
    words_of_dice = die_words(stage, one)
    place = next(iter(words_of_dice.values()), None)
    if len(words_of_dice) > 1:
        found = look_ahead(moment, lies.choice, lies.plan, stage, one)
        place = words_of_dice[usual_word(stage, one, words_of_dice, found.place if found else None)]
    return throws_after(moment, stage, one, place) or (), True


def question(moment: FileMoment, stage: FileRoll) -> str:
    """Ask what to do with the dice as they are."""
    lies = look_at(moment, stage)
    labels = dict.fromkeys(one.label for one in lies.usable)
    asked = next((f"Spend {one.label}" for one in lies.usable if one.is_token), next(iter(labels), "Keep it"))
    compared = lies.compared[:1].lower() + lies.compared[1:]
    shown = f"{lies.band.label} ({compared})" if compared else lies.band.label
    # Of several, some may have more than one word.
    asked = join_names((f"“{label}”" for label in labels), "or") if len(labels) > 1 else asked
    return f"{lies.choice.label}: {shown}. {asked}?"


def answers(moment: FileMoment, stage: FileRoll) -> tuple[Move, ...]:
    """Return the spends that are possible, and `keep`."""
    from waylog.rules.file_game.odds.chances_after_each_spend import chances_in_words, look_ahead

    lies = look_at(moment, stage)
    # A spend has the same letter in every roll, whatever else can be spent on it.
    alone = (name for name, rule in moment.game.spend.items() if not rule.who)
    names = dict.fromkeys((*alone, *(one.spend.name for one in spends_for(moment, lies.choice))))
    letters = letters_for({name: name for name in names}, ("k",))
    whole = are_typed_as_numbers(moment, stage.roll, stage.who)
    moves = []

    def foresee(one: OfferedSpend, place: int | None = None) -> tuple[str, int | None]:
        found = look_ahead(moment, lies.choice, lies.plan, stage, one, place)
        return (chances_in_words(lies.plan, stage, found), found.place) if found else ("", None)

    for one in lies.usable:
        title, heading = one.title, one.heading(moment.thing_name(lies.choice.rule.who, lies.choice.keys))
        asks: tuple[Ask, ...] = ()
        words, (chances, best) = die_words(stage, one), foresee(one)
        die = ""
        if len(words) > 1:  # More than one die may be meant.
            default = usual_word(stage, one, words, best)
            shown = {place: parse_die(stage.dice[place].die).word(stage.dice[place].face) for place in words.values()}
            does = "raise" if isinstance(one.spend.effect, RaiseDie) else "reroll"
            die = f" to {does} the {shown[words[default]]}"
            # A face that only one kind of die shows is enough: the 9 of `d10-9`.
            faces = {word: shown[place] for word, place in words.items()}
            enough = {word: face for word, face in faces.items() if [*faces.values()].count(face) == 1}
            options = tuple(
                Option(
                    word,
                    enough.get(word, word),
                    ": ".join(filter(None, (stage.dice[place].label, foresee(one, place)[0]))),
                )
                for word, place in words.items()
            )
            asks = (PickOne(DIE, "Which die", options, default, logged=True),)
        words_of_thing = (one.word,) if one.word else ()
        label = f"{title}{die}: {chances}" if chances else title
        key = letters[one.spend.name]
        spend = Move(one.name, words_of_thing, label, asks, key=key, whole=whole, title=title)
        moves.append(replace(spend, heading=heading))
    return (*moves, Move(KEEP, (), f"Keep “{lies.band.label}”", key="k", title=f"“{lies.band.label}” kept"))


def die_words(now: FileRoll, one: OfferedSpend) -> dict[str, int]:
    """Return the dice that a spend may be for by word, each face once."""
    effect = one.spend.effect
    if not isinstance(effect, RaiseDie | Reroll) or (isinstance(effect, Reroll) and not effect.asks):
        return {}
    found: dict[str, int] = {}
    kinds = {die.die for die in now.dice}
    for place in places_for(now, effect):
        die, kind = now.dice[place], parse_die(now.dice[place].die)
        face = f"minus-{-die.face}" if die.face < 0 and not kind.shows else slug(kind.word(die.face))
        name = slug(kind.label) if kind.shows else die.die
        found.setdefault(f"{name}-{face}" if len(kinds) > 1 else face, place)
    return found


def usual_word(stage: FileRoll, one: OfferedSpend, words: Mapping[str, int], best: int | None) -> str:
    """Return the word of the die that a spend is for unless another one is chosen: that at the best place, or the highest or lowest."""
    first = max if isinstance(one.spend.effect, RaiseDie) else min
    usual = first(words.values(), key=lambda place: stage.dice[place].face) if best is None else best
    is_it = (stage.dice[usual].die, stage.dice[usual].face)
    return next(word for word, at in words.items() if (stage.dice[at].die, stage.dice[at].face) == is_it)


def find_answer(stage: FileRoll, lies: TableRoll, move: Move, answers: Answers) -> tuple[OfferedSpend, int | None]:
    """Return the spend that an answer means, and the place of the die that it is for."""
    offered = spends_for(lies.scope.moment, lies.choice)
    one = next(one for one in offered if one.name == move.verb and one.word == "".join(move.words))
    words = die_words(stage, one)
    return one, words.get(str(answers.get(DIE, ""))) if len(words) > 1 else next(iter(words.values()), None)


def odds_of_answer(moment: FileMoment, stage: FileRoll, move: Move, answers: Answers) -> Odds | None:
    """Return the odds from the dice on the table on, if something is spent on them; None for `keep`, and for too many dice."""
    if move.verb == KEEP:
        return None
    from waylog.rules.file_game.odds.chances_after_each_spend import look_ahead, odds_after

    lies = look_at(moment, stage)
    one, place = find_answer(stage, lies, move, answers)
    chances = look_ahead(moment, lies.choice, lies.plan, stage, one, place)
    if chances is None:
        return None
    found = odds_after(lies.plan, stage, one, chances)
    paid = apply_all(moment, one.rule.cost, replace(one.scope, names=lies.scope.names))
    price = tell_price(one.label, one.prices, one.rule.clause)
    return replace(
        found, forecast=tuple(forecast(paid, lies.choice, found.spread.chances)), reasons=(*price, *found.reasons)
    )


def keep_stage(moment: FileMoment, stage: FileRoll) -> FileRoll | None:
    """Return the stage, if its roll and who makes it are still there."""
    rule = moment.game.dice.get(stage.roll)
    if rule is None or (stage.who and read(moment.sheet, thing_path(rule.who, stage.who)) is None):
        return None
    if bool(rule.who) != bool(stage.who) or not all(has_choice(rule, id_) for id_ in stage.options):
        return None
    return stage if not stage.call or stage.call in rule.calls else None
