"""The moves that roll, and how hits are read, as far as the games of this family share them.

Placing system dice: redistribute all of them, or place those in hand (RF-09, RF-10).

Dice in hand were rolled and have not been placed yet. The sheet still counts them in the system they came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from waylog.rules.model.act_lists_and_row_verbs import ActKeys, ActList, RowKey, VerbKeys
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import Allocate, AllocationSlot, Answers, Ask, Move, Option, PickMany, Refusal, RollKey
from waylog.rules.model.odds import Odds
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems._veil_older_editions.damage import DicePlacement, InHand, destroyed_reason
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    Moment,
    crew_words,
    module_words,
    times,
    who_is,
)
from waylog.rules.systems._veil_older_editions.hits_and_roll_types import (
    HEEDED,
    MOST_HELP,
    HitRoll,
    Tally,
    call_notes,
    chances,
    hits_among,
    hits_text,
    outcome_of,
    spread,
)
from waylog.values import replace

ACT_KEYS: ActKeys = MappingProxyType(
    {
        "roll": VerbKeys(row=(RowKey.OPEN,)),
        "damage": VerbKeys(ActList.DAMAGE),
        "destroy": VerbKeys(ActList.DAMAGE, (RowKey.TOGGLE,)),
        "lose": VerbKeys(ActList.DAMAGE, (RowKey.OPEN, RowKey.TOGGLE)),
        "restore": VerbKeys(ActList.MEND, (RowKey.TOGGLE,)),
        "rest": VerbKeys(ActList.MEND),
        **dict.fromkeys(("spend", "crash"), VerbKeys(hurts=True)),
    }
)
"""The keys for the verbs that the games of this family share."""
ROLL_KEY = RollKey(nothing="There is no crew yet. Press : and type “join” to add a crew member")


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
    return Allocate("dice", "Dice", slots, total, moment.edition.clauses.dice)


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
    return after.says(f"Dice now: {placement_text(dice)}", clause, NotePart.DEED)


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
        (Allocate("dice", "Dice to place", slots, count, place.clause),),
        about=rows(moment),
        key="p",
        heading="Dice placed",
    )
    back = f"Return all to {place.system}"
    return put, Move("keep", (), back, about=rows(moment), key="k", heading=f"All dice returned to {place.system}")


def answer_place(moment: Moment, place: DicePlacement, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Put the dice in hand on the systems that were chosen, or return all of them to the one that they came from."""
    there = dice_on_ship(moment)
    if move.verb == "keep":
        return moment.closes().says(f"All dice returned to {place.system}", place.clause, NotePart.DEED)
    dice = {system: there[system] + more for system, more in allocation_of(moment, answers).items()}
    return moment.closes().with_dice(dice).says(f"Placed: {placement_text(dice)}", place.clause, NotePart.DEED)


CHAPTER = Chapter(stages=(StageRules(DicePlacement, place_question, place_answers, answer_place),))


LOWERS = "target −1"
"""The words for the effect of a helping thing on the target."""


class RollAsks(Protocol):
    """Returns the asks of a roll that `who` makes, with a `system` of the ship or without."""

    def __call__(self, moment: Moment, who: str, *, system: bool) -> tuple[Ask, ...]: ...


def system_words(moment: Moment) -> Mapping[str, str]:
    """Return the ship's systems by the word to type for each."""
    return {system.lower(): system for system in moment.edition.systems}


def roll_offers(moment: Moment, asks: RollAsks, without: str = "") -> Iterator[Move]:
    """Offer `roll mara engines`, a roll of each system for each crew member, and `roll mara`, any other roll, which is
    called `without`.
    """
    end = destroyed_reason(moment)
    for word, who in crew_words(moment).items():
        name, about, count = moment.name(who), (f"crew.{who}",), moment.personal(who)
        label = f"Roll for {name} ({f'{without}, ' if without else ''}{count}d6)"
        title = f"Roll for {name}{f' ({without})' if without else ''}"
        ask = asks(moment, who, system=False)
        roll = Move("roll", (word,), label, ask, end, rolls=True, heeds=HEEDED, about=about, roller=word, title=title)
        yield roll
        ask = asks(moment, who, system=True)
        for text, system in system_words(moment).items():
            title, row = f"Roll {system} for {name}", f"ship.systems.{system}"
            label = f"{title} ({count + moment.dice(system)}d6)"
            about_both = (*about, row)
            yield replace(roll, words=(word, text), label=label, asks=ask, about=about_both, title=title, what=system)


def module_options(moment: Moment, clause: str) -> tuple[Option, ...]:
    """Return the ship's modules as things that help. A destroyed one doesn't, by that clause."""
    built = dict(moment.modules())
    return tuple(
        Option(
            word,
            built[bay].name,
            LOWERS,
            (f"#{bay}",),
            Refusal(f"{built[bay].name} is destroyed, so it can't help", clause) if built[bay].destroyed else None,
        )
        for word, bay in module_words(moment).items()
    )


def other_help(clause: str) -> PickMany:
    """Return the option for any other help: one step each."""
    option = Option("help", "help from elsewhere", LOWERS)
    return PickMany("other", "Other help", (option,), most=MOST_HELP, repeats=True, clause=clause)


def roller_and_system(moment: Moment, move: Move) -> tuple[str, str]:
    """Return the key of who rolls, and the ship's system; that is empty for any other roll."""
    return who_is(moment, move.words[0]), system_words(moment)[move.words[1]] if len(move.words) > 1 else ""


def roll_title(moment: Moment, who: str, system: str) -> str:
    """Return the roller in words: `Mara, Engines`."""
    return ", ".join(part for part in (moment.name(who), system) if part)


def tell_type(moment: Moment, roll: HitRoll) -> Moment:
    """Say why a roll has its type, and which dice the wayfinder gave or took."""
    return moment.tells(*call_notes(moment, roll.reasons, desperate=roll.desperate), *roll.given)


def throw(moment: Moment, roll: HitRoll, dice: Dice, clause: str) -> tuple[Moment, OutcomeGrade, Sequence[int]]:
    """Throw the dice of a roll and read them against their targets. Return the moment with the hits and the outcome, that outcome, and the
    faces. May raise `DiceWanted`.
    """
    title = roll_title(moment, roll.who, roll.system)
    moment, faces = moment.rolls(dice, title, roll.sources, f"{moment.name(roll.who)} rolls {roll.system}".rstrip())
    hits = hits_among(faces, roll.targets)
    outcome = outcome_of(len(hits), roll.difficulty)
    word, label = moment.edition.outcomes[outcome]
    read = moment.says(hits_text(hits, roll.difficulty), clause, NotePart.DETAIL)
    return read.tells(OutcomeFact(word, label, outcome, title)), outcome, faces


def odds_of(
    moment: Moment,
    roll: HitRoll,
    words: str,
    helps: Sequence[str],
    wasted: NoteFact,
    foresee: Callable[[Tally], Iterable[NoteFact]],
) -> Odds:
    """Return the odds of a roll, with `words` for its pool and what `foresee` says of the outcomes. `wasted` is told if more
    `helps` than can count.
    """
    tally = chances(roll.targets, roll.difficulty)
    reasons = (*roll.reasons, *roll.given, *((wasted,) if len(helps) > MOST_HELP else ()))
    return Odds(words, spread(moment.edition, tally), (), reasons, tuple(foresee(tally)))
