"""The effects that each outcome of a roll would have as things are, beside its odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from waylog.rules.codec.changes import join_names
from waylog.rules.file_game.dice_readings import OF_DICE, SYMBOLS
from waylog.rules.file_game.effects_and_offers import apply_all, effects_after, with_moves
from waylog.rules.file_game.formulas import ExpressionError
from waylog.rules.file_game.game_file_format import GameFile
from waylog.rules.file_game.named_values_and_conditions import FileMoment, Scope, label_of, paths_read
from waylog.rules.file_game.roll_and_effect_format import EffectRule, WrongEffect, dice_of, parse_effect
from waylog.rules.file_game.roll_plans_and_options import RollChoice
from waylog.rules.file_game.spends import prices_of
from waylog.rules.model.facts import Fact, NoteFact
from waylog.rules.model.odds import Chance, Ratio, percent
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
        unknown = [one for one in every if any(map(_rolls_dice, with_moves(moment.game, (one,))))]
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
        parts += ["the rest depends on the dice" if parts else "the dice decide"] if unknown else []
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


def _common_beginning(every: Sequence[Sequence[str]]) -> list[str]:
    """Return what all of these begin with."""
    first = takewhile(lambda texts: len({*texts}) == 1, zip(*every, strict=False))
    return [texts[0] for texts in first]


def reads_result(game: GameFile, effect: EffectRule) -> bool:
    """Whether a number of an effect depends on the result."""
    try:
        words = parse_effect(effect.do) if effect.do else None
        number = words.rest if words and words.verb not in ("add", "remove", "swap") else effect.amount
        return any(path == ("result",) or path[0] == SYMBOLS for path in paths_read(game, number))
    except (WrongEffect, ExpressionError):
        return False


def _rolls_dice(effect: EffectRule) -> bool:
    """Whether an effect has dice of its own."""
    try:
        return any(dice_of(effect))
    except (WrongEffect, ExpressionError):
        return False


def reads_dice(game: GameFile, effect: EffectRule) -> bool:
    """Whether an effect reads the dice of its roll."""
    try:
        words = parse_effect(effect.do) if effect.do else None
        formulas = (effect.when, effect.amount, words.rest if words else "")
        return any(path[0] in OF_DICE for formula in formulas for path in paths_read(game, formula))
    except (WrongEffect, ExpressionError):  # The word at the end of an effect is not a formula.
        return False
