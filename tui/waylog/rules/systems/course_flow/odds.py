"""Exact odds before a roll: those of each pair of dice, with the best election (CF-40)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

from waylog.rules.codec.changes import join_names
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Answers, Move
from waylog.rules.model.odds import Chance, Odds, Ratio, Spread, name_chances, percent
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.course_flow.rolls_and_elections import (
    LABELS,
    MOODS,
    Election,
    Outcome,
    cannot_roll,
    course_words,
    elections,
    harms,
    is_noticed,
    lesson,
    pairs,
    roll_of,
    runs,
    settled_words,
    with_dice,
)
from waylog.rules.systems.course_flow.sheet import DieType
from waylog.rules.systems.course_flow.state_stages_and_typed_names import (
    Called,
    ElectionChoice,
    Moment,
    RollSetup,
    crew_words,
)
from waylog.values import dataclass, replace

_WORST_FIRST = tuple(Outcome)
_FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Prospect:
    """The possible results of a pair of dice, with the best election. All probabilities are exact."""

    dice: tuple[DieType, ...]
    outcomes: Mapping[Outcome, Ratio]
    high: Mapping[DieType, Ratio]
    """For each type, the probability that it is the high die of one of the elections. They add up to more than 1."""
    harm: Ratio
    notice: Ratio
    kept: Ratio
    """The probability that a win or the intent is taken and the Flow, if there is one to lose, is kept."""


def odds(moment: Moment, move: Move, answers: Answers) -> Odds | None:
    """Return the odds of a roll with its dice, or with each legal pair while none is picked. None for a roll that can't
    be made.
    """
    if isinstance(moment.top, Called):
        roll = with_dice(moment.top.roll, move.words)
    else:
        roll = roll_of(moment, crew_words(moment)[move.words[0]], answers)
    picked = [dice for dice in pairs(moment, roll.who) if set(roll.dice) <= set(dice)]
    if cannot_roll(moment, roll.who) or not picked:
        return None
    found = [prospect(moment, replace(roll, dice=dice)) for dice in picked]
    best = max(found, key=_good)
    spread = Spread("", tuple(Chance(one, LABELS[one], MOODS[one], best.outcomes[one]) for one in _WORST_FIRST))
    named = " and ".join(die.label for die in best.dice) if len(found) == 1 else "any two dice"
    return Odds(
        f"{named} beside {course_words(moment.course)}: {settled_words(moment, roll)}",
        spread,
        (),
        (*_shield_reason(moment, roll), *_teaches(moment, roll, best)),
        tuple(_forecast(moment, roll, found, best)),
    )


def prospect(moment: Moment, roll: RollSetup) -> Prospect:
    """Work out every throw of both dice, electing the best die in each."""
    outcomes, high = Counter[Outcome](), Counter[DieType]()
    harm = notice = kept = 0
    to_lose = runs(moment, roll)
    # What electing a die comes to doesn't depend on the face of the other one.
    by_face = [elections(moment, ElectionChoice(roll, (face, face))) for face in _FACES]
    first, second = ([(_better(moment, roll, one), one) for one in of_die] for of_die in zip(*by_face, strict=True))
    for (rank, one), (other_rank, other) in product(first, second):
        high.update({election.high for election in (one, other) if election.high})
        elected = one if rank >= other_rank else other
        outcomes[elected.outcome] += 1
        harm += harms(moment, roll, elected)
        notice += is_noticed(roll, elected)
        kept += to_lose and elected.high is DieType.EXPERTISE and elected.outcome in (Outcome.WIN, Outcome.INTENT)
    whole = len(_FACES) ** 2
    return Prospect(
        roll.dice,
        {outcome: Ratio(outcomes[outcome], whole) for outcome in Outcome},
        {die: Ratio(high[die], whole) for die in (*roll.dice, DieType(moment.course.die))},
        Ratio(harm, whole),
        Ratio(notice, whole),
        Ratio(kept, whole),
    )


def _better(moment: Moment, roll: RollSetup, election: Election) -> tuple[bool, int, int, bool]:
    """Return a key to compare elections: what the house rule prefers, the result, few risks, and a kept Flow.

    A tie is the worst result and never the intent, so both house rules choose the same results in any one roll.
    """
    wanted = {"intent": election.outcome is Outcome.INTENT, "fewest-ties": election.outcome is not Outcome.SETBACK}
    return (
        wanted[moment.rules.best_election],
        _WORST_FIRST.index(election.outcome),
        -harms(moment, roll, election) - is_noticed(roll, election),
        election.high is DieType.EXPERTISE,
    )


def _good(found: Prospect) -> tuple[Ratio, Ratio]:
    """Return a key to compare pairs. The results are equally likely with any pair; risks and the Flow differ."""
    return -found.harm - found.notice, found.kept


# -- in words ----------------------------------------------------------------------------------------------------------


def _shield_reason(moment: Moment, roll: RollSetup) -> Sequence[NoteFact]:
    """Return the reason why a dangerous roll does no harm, if there is one."""
    if not (roll.dangerous and moment.course.safe):
        return ()
    return (NoteFact(f"{moment.name(moment.course.safe)}'s high Daring protects: no harm except after a tie", "CF-15"),)


def _teaches(moment: Moment, roll: RollSetup, found: Prospect) -> Sequence[NoteFact]:
    """Return how likely a tie is, and the skill it would teach, which is known from the Course's face."""
    tie, face = found.outcomes[Outcome.SETBACK], moment.course.face
    either = Ratio(11, 36)
    if not lesson(moment, roll, face):
        return ()
    value, skill = moment.skill(roll.who, roll.skill), roll.skill or "a new skill"
    return (
        NoteFact(
            f"Forced tie {percent(tie)}, tie on offer {percent(either)}: {skill} {value} → {value + 1}",
            "CF-14",
        ),
    )


def _forecast(moment: Moment, roll: RollSetup, found: Sequence[Prospect], best: Prospect) -> list[NoteFact]:
    """Return what each pair offers, and the best one if that makes a difference."""
    notes = []
    alike = [one for one in found if _good(one) == _good(best)]
    if len(alike) < len(found):
        named = join_names((" with ".join(die.label for die in one.dice) for one in alike), "or")
        notes.append(NoteFact(f"Best: {named}{_risks(moment, roll, best)}", "CF-40"))
    for one in found:
        named = " and ".join(die.label for die in one.dice)
        lead = "High die" if len(found) == 1 else f"{named}: high die"
        offer = name_chances((die.label, chance) for die, chance in one.high.items())
        notes.append(NoteFact(f"{lead} {offer}{_risks(moment, roll, one)}", "CF-15"))
    return notes


def _risks(moment: Moment, roll: RollSetup, found: Prospect) -> str:
    """Return the risks of this roll: `; harm 25 %, noticed 33.3 %, “Fog” kept 16.7 %`."""
    parts = [
        *([f"harm {percent(found.harm)}"] if roll.dangerous else []),
        *([f"noticed {percent(found.notice)}"] if roll.watched else []),
        *([f"“{moment.flow_name(roll.flow)}” kept {percent(found.kept)}"] if found.kept else []),
    ]
    return f"; {join_names(parts)}" if parts else ""


CHAPTER = Chapter(odds={"roll": odds, "throw": odds})
