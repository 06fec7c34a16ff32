"""The move for free dice, which every game has: anything that the rules don't cover (FD-01…FD-03).

A roll says what was rolled, the dice and their total, and changes nothing in the campaign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import words_for
from waylog.rules.model.answers import dice_named
from waylog.rules.model.clocks_situations_and_timers import Clock, clock_path, find_clock_names
from waylog.rules.model.dice import Dice, Die
from waylog.rules.model.dice_notation import DicePool, NotDice, begins_like_dice, distribution, parse_dice
from waylog.rules.model.facts import Fact, NoteFact, NotePart, RollFact
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Text
from waylog.rules.model.odds import Chance, Odds, Spread, name_chances
from waylog.rules.model.state import Waiting
from waylog.values import replace

VERBS = ("dice",)
SavedDice = Annotated[Mapping[str, str], "Dice that you roll often, each under its name: panic = “2d6”"]
"""Dice in notation, by the name that a person has given them."""
_WAITED = "these"
_USUAL = ("2d6", "d20", "d6", "d4", "d8", "d10", "d12", "d100")
"""Dice that are proposed where nothing has been typed yet."""
_SIGHT = (Option("open", "visible to players"), Option("hidden", "hidden from players"))
_MARKS = (90, 75, 50, 25, 10)
"""The odds of a total or more are told near these percentages."""


def dice_move(saved: Mapping[str, str], waiting: Waiting | None = None) -> Move:
    """Return the move that rolls free dice. If real dice are waited for, it also takes those, and does so by default."""
    # Saved dice in which something is wrong are left out.
    wrong = {fault.path[1] for fault in faults(saved)}
    names = {name: text for name, text in saved.items() if name not in wrong}
    words = words_for(((name, name) for name in names), "dice", (*_USUAL, _WAITED))
    options = [Option(word, name, names[name], dice=names[name]) for word, name in words.items()]
    options += (Option(dice, dice, dice=dice) for dice in _USUAL)
    asks = (
        PickOne("dice", "Dice", tuple(options), clause="FD-01", notation=True),
        PickOne("seen", "Players", _SIGHT, "open", "FD-03"),
        Text("for", "What for"),
    )
    if waiting is None:
        return Move("dice", (), "Roll dice", asks, effect=True)
    awaited = ", ".join(dict.fromkeys(waiting.wants))
    label = f"Type {len(waiting.wants)} more: {awaited}"
    waited = Option(_WAITED, "the dice that Waylog is waiting for", awaited)
    dice = replace(asks[0], options=(waited, *options), default=_WAITED)
    return Move("dice", (), label, (dice, *asks[1:]), follows=True, whole=waiting.whole)


def question(wants: Sequence[str]) -> str:
    """Return the question for the real dice that are waited for, by their labels: `Damage: what does the die show?`"""
    names = ", ".join(dict.fromkeys(wants))
    dice = "does the die" if len(wants) == 1 else f"do the {len(wants)} dice"
    return f"{names[:1].upper()}{names[1:]}: what {dice} show?"


def is_for_waiting(answers: Answers) -> bool:
    """Whether the faces of the act belong to the roll that waits for them."""
    return answers.get("dice") == _WAITED


def play(move: Move, answers: Answers, dice: Dice, clocks: Mapping[str, Clock]) -> tuple[Fact, ...]:
    """Roll the dice; return what was rolled, and a note with the total. If what they are for names one of these clocks,
    players see the roll only if they see the clock. A player's own words hide nothing: there are no clocks then.
    """
    pool, reason, ask = _pool(move, answers), str(answers.get("for", "")).strip(), move.asks[0]
    assert isinstance(ask, PickOne)
    # What the roll is for: as it was typed, or the name that its dice are saved under.
    label = next((option.label for option in ask.options if option.word == answers["dice"]), "")
    name = reason or ("" if label in _USUAL else label)
    name = name[:1].upper() + name[1:]
    wanted = [Die(term.notation, sides) for term in pool.terms for sides in term.dice]
    rolled = dice.roll(wanted)
    values = [face.face for face in rolled]
    total, out, at = pool.total(values), set[int](), 0
    for term, part in pool.split(values):
        out.update(at + place for place in term.find_dropped(part))
        at += len(part)
    faces = tuple(replace(face, dropped=place in out) for place, face in enumerate(rolled))
    secret, about = answers["seen"] == "hidden", tuple(map(clock_path, find_clock_names(name, clocks)))
    text = f"{name}: {pool.notation} = {total}" if name else f"{pool.notation} = {total}"
    return (
        RollFact(name or pool.notation, faces, dice.are_real, secret, about, total=total),
        NoteFact(text, "FD-01", secret, about, part=NotePart.DEED),
    )


def _pool(move: Move, answers: Answers) -> DicePool:
    ask = move.asks[0]
    assert isinstance(ask, PickOne)
    return parse_dice(dice_named(ask, str(answers["dice"])))


# -- odds ------------------------------------------------------------------------------------------------------------


def odds(move: Move, answers: Answers) -> Odds | None:
    """Return the exact odds of every total; None for dice that belong to another roll (FD-02)."""
    if is_for_waiting(answers):
        return None
    pool = _pool(move, answers)
    totals = distribution(pool)
    chances = tuple(Chance(str(total), str(total), None, chance) for total, chance in totals.chances.items())
    low, high = chances[0].label, chances[-1].label
    named = "" if answers["dice"] == pool.notation else f"{pool.notation}, "
    dice = f"{named}from {low} to {high}, average {f'{float(totals.average):.1f}'.removesuffix('.0')}"
    # How likely it is to roll a few totals or more: `8+ 83.3 %, 9+ 72.2 %`.
    reached = {total: chance for total, chance in totals.at_least.items() if chance < 1}
    near = [min(reached, key=lambda total: abs(100 * reached[total] - mark)) for mark in _MARKS if reached]
    text = name_chances((f"{total}+", reached[total]) for total in dict.fromkeys(near))
    return Odds(dice, Spread("", chances), forecast=(NoteFact(text, "FD-02"),))


# -- what is checked -------------------------------------------------------------------------------------------------


def faults(saved: Mapping[str, str]) -> Sequence[Fault]:
    """Return a fault for each saved dice that can't be read, or whose name means dice itself."""
    found = []
    for name, text in saved.items():
        if begins_like_dice(name):
            message = f"“{name[:40]}” looks like dice notation: save these dice under another name"
            found.append(Fault(("dice", name), message, "FD-01", grave=False, at_key=True))
            continue
        try:
            parse_dice(text)
        except NotDice as wrong:
            found.append(Fault(("dice", name), f"{wrong}", "FD-01", grave=False))
    return found
