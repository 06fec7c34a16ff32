"""What a bad outcome of a roll would do, told with its odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from waylog.rules.facts import NoteFact, OutcomeGrade
from waylog.rules.file_game.declaration import EffectRule
from waylog.rules.file_game.effects import WrongEffect, apply_all, parse_effect
from waylog.rules.file_game.expression_parser import parse_expression
from waylog.rules.file_game.expressions import ExpressionError
from waylog.rules.file_game.moment import FileMoment, Scope
from waylog.rules.file_game.roll_plans import RollChoice
from waylog.rules.odds import Chance, percent

_BAD = (OutcomeGrade.FIASCO, OutcomeGrade.DRAWBACK)
_OF_DICE = {(name,) for name in ("result", "face", "matches", "ones", "doubles")}
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
