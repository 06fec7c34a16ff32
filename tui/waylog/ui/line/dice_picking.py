"""Open dice are picked by typing their faces, a digit each; 0 is the ten."""

from __future__ import annotations

import re

from waylog.rules.moves import Act, Move, PickMany, Refusal

_LAST = re.compile(r"\d+ $")


def dice_ask(move: Move) -> PickMany | None:
    """Return the ask of a move that is answered with open dice; None if there is none."""
    for ask in move.asks:
        if isinstance(ask, PickMany) and ask.repeats and all(option.word.isdigit() for option in ask.options):
            return ask
    return None


def picks(act: Act | None, text: str) -> bool:
    """Whether a digit after `text` is one more die: the line has nothing but dice so far."""
    if act is None or dice_ask(act.move) is None or not text.endswith(" "):
        return False
    verb, *typed = text.split()
    return act.move.verb.startswith(verb.lower()) and all(word.isdigit() for word in typed)


def without_last(text: str) -> str:
    """Return the line without its last die; unchanged if it ends with none."""
    return _LAST.sub("", text)


def problem(act: Act | None) -> Refusal | None:
    """Return which die isn't there, or how many are still to be picked or too many; None if they may be put forward."""
    ask = dice_ask(act.move) if act else None
    if act is None or ask is None:
        return None
    chosen = act.answers.get(ask.name, ())
    for option in ask.options:
        if option.blocked and isinstance(chosen, tuple) and option.word in chosen:
            return option.blocked
    dice = [int(word) for word in chosen] if isinstance(chosen, tuple) else []
    come = f"{' + '.join(map(str, dice))} = {sum(dice)}" if len(dice) > 1 else "".join(map(str, dice))
    if len(dice) < ask.least:
        left, others = ask.least - len(dice), "more " if dice else ""
        more = f"pick {left} {others}{'die, by its digit' if left == 1 else 'dice, by their digits'}"
        return Refusal(f"{come}: {more}" if come else more)
    if len(dice) > ask.most:
        return Refusal(f"{come}: {ask.most} dice at the most, not {len(dice)}", ask.clause)
    return None
