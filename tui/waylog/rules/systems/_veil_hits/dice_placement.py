"""Placing system dice: redistribute all of them, or place those in hand (RF-09, RF-10).

Dice in hand were rolled and have not been placed yet. The sheet still counts them in the system they came from.
"""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.dice import Dice
from waylog.rules.kit import Chapter, StageRules
from waylog.rules.moves import Allocate, AllocationSlot, Answers, Move
from waylog.rules.systems._veil_hits.moment import Moment, times
from waylog.rules.systems._veil_hits.stages import DicePlacement, InHand


def in_hand(moment: Moment, hand: InHand) -> int:
    """Return how many dice are left to place: as many as were rolled, or fewer if the file was edited."""
    return min(hand.dice, moment.dice(hand.system))


def dice_on_ship(moment: Moment) -> Mapping[str, int]:
    """Return the dice in each system, without those in hand."""
    hand = hand_of(moment)
    return {
        system: moment.dice(system) - (in_hand(moment, hand) if system == hand.system else 0)
        for system in moment.edition.systems
    }


def hand_of(moment: Moment) -> InHand:
    """Return the stage with dice in hand; an empty one if there is none."""
    return moment.top if isinstance(moment.top, InHand) else InHand()


def placement_text(dice: Mapping[str, int]) -> str:
    """Return the dice in words: `SigInt 2 · Shields 1 · Engines 3`."""
    return " · ".join(f"{system} {count}" for system, count in dice.items())


def rows(moment: Moment) -> tuple[str, ...]:
    """Return a panel row for each system of the ship."""
    return ("ship.systems", *(f"ship.systems.{system}" for system in moment.edition.systems))


def all_dice(moment: Moment) -> Allocate:
    """Ask for the places of all dice that are not in hand, with those they have now."""
    now = dice_on_ship(moment)
    total = sum(now.values())
    slots = tuple(AllocationSlot(system.lower(), system, 0, total, count) for system, count in now.items())
    return Allocate("dice", "Dice", slots, total, moment.edition.dice_clause)


def allocation_of(moment: Moment, answers: Answers) -> Mapping[str, int]:
    """Return the dice that an answer gives to each system."""
    numbers = answers["dice"]
    assert isinstance(numbers, tuple)
    return {system: int(str(number)) for system, number in zip(moment.edition.systems, numbers, strict=True)}


def apply_remap(moment: Moment, answers: Answers, clause: str) -> Moment:
    """Redistribute the dice as the answer says. Dice in hand stay in hand."""
    dice, hand = allocation_of(moment, answers), hand_of(moment)
    current = {system: in_hand(moment, hand) if system == hand.system else 0 for system in dice}
    after = moment.with_dice({system: count + current[system] for system, count in dice.items()})
    return after.says(f"Dice now: {placement_text(dice)}", clause)


# -- dice in hand ----------------------------------------------------------------------------------------------------


def place_question(moment: Moment, place: DicePlacement) -> str:
    """Ask where the dice in hand go, and show the dice in each system."""
    dice = times(in_hand(moment, place), "die")
    return f"Place the {dice} from {place.system}. Now on the ship: {placement_text(dice_on_ship(moment))}"


def place_answers(moment: Moment, place: DicePlacement) -> tuple[Move, ...]:
    """Offer `place 0 1 1`, or `keep`."""
    count = in_hand(moment, place)
    slots = tuple(
        AllocationSlot(system.lower(), f"{system} {there} +", 0, count, count if system == place.system else 0)
        for system, there in dice_on_ship(moment).items()
    )
    put = Move(
        "place",
        (),
        "Place the dice",
        (Allocate("dice", "In hand", slots, count, place.clause),),
        about=rows(moment),
        key="p",
    )
    return put, Move("keep", (), f"Return all to {place.system}", about=rows(moment), key="k")


def answer_place(moment: Moment, place: DicePlacement, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Place the dice in hand."""
    there = dice_on_ship(moment)
    if move.verb == "keep":
        return moment.closes().says(f"All returned to {place.system}", place.clause)
    dice = {system: there[system] + more for system, more in allocation_of(moment, answers).items()}
    return moment.closes().with_dice(dice).says(f"Placed: {placement_text(dice)}", place.clause)


CHAPTER = Chapter(stages=(StageRules(DicePlacement, place_question, place_answers, answer_place),))
