"""Which dice a roll throws, at which hit target, against what, and why (RF-03…RF-05, RF-14, RF-20)."""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.moves import Answers, Refused, picked
from waylog.rules.systems.veil_reference.calls import forced, is_desperate
from waylog.rules.systems.veil_reference.hits import LOW_TARGET, MOST_HELP, on, target
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.naming import module_words, own_words
from waylog.rules.systems.veil_reference.sheet import Item
from waylog.rules.systems.veil_reference.skills import member_of, skill_words
from waylog.rules.turns import Note
from waylog.values import dataclass

DIFFICULTIES: Mapping[str, int] = {"one": 1, "two": 2, "three": 3}
"""The difficulty targets by their words (RF-03)."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice about to be thrown."""

    who: str
    system: str
    """The ship's system, or empty for an EVA roll."""
    items: tuple[str, ...]
    """Keys of the equipment that is used."""
    sources: tuple[str, ...]
    """What each die is for."""
    words: str
    """`vitality 3 + Engines 2`."""
    invoked: tuple[str, ...]
    """What helps."""
    difficulty: int
    desperate: bool
    reasons: tuple[Note, ...]
    """Why the roll is called as it is."""

    @property
    def target(self) -> int:
        """The face that is a hit (RF-05)."""
        return target(len(self.invoked))

    @property
    def targets(self) -> tuple[int, ...]:
        """The same for each die."""
        return (self.target,) * len(self.sources)


def desperate(moment: Moment, *, system: bool) -> tuple[Note, ...]:
    """Every rule that makes a roll Desperate now (RF-14, NM-25)."""
    matters = moment.rules.engineering_lost == "desperate"
    return forced(moment, by_engineering=system and matters)


def item_words(moment: Moment, who: str) -> Mapping[str, str]:
    """Keys of someone's equipment by the word that is typed for it."""
    names = tuple((key, item.name or key) for key, item in member_of(moment, who).equipment.items())
    return own_words(moment, names, "gear", skill_words(moment, who))


def vitality(moment: Moment, who: str) -> int:
    """Vitality dice in hand. A file may say anything; what is rolled stays within the rules."""
    most: int = moment.rules.vitality
    return max(0, min(member_of(moment, who).vitality, most))


def item_dice(moment: Moment, item: Item) -> int:
    """Dice of a piece of equipment."""
    most: int = moment.rules.equipment_dice
    return max(0, min(item.dice, most))


def pool_of(moment: Moment, who: str, system: str, answers: Answers) -> Pool:
    """Vitality, and the system's dice or those of equipment (RF-04). Raises `Refused` where that comes to none (RF-20)."""
    own = vitality(moment, who)
    sources, spoken = [moment.name(who)] * own, [f"vitality {own}"]
    if system:
        sources += [system] * moment.dice(system)
        spoken.append(f"{system} {moment.dice(system)}")
    words, chosen = item_words(moment, who), []
    for word in picked(answers, "equipment"):
        item = member_of(moment, who).equipment[words[word]]
        chosen.append(words[word])
        sources += [item.name or words[word]] * item_dice(moment, item)
        spoken.append(f"{item.name or words[word]} {item_dice(moment, item)}")
    if not sources:
        more = f"a remap that brings dice to {system}" if system else "ready equipment"
        raise Refused(f"no dice to roll: {more} would add some, and so would a rest", "RF-20")
    reasons = desperate(moment, system=bool(system))
    difficulty = DIFFICULTIES[str(answers.get("difficulty", "one"))]
    invoked = _invoked(moment, who, answers)
    return Pool(
        who,
        system,
        tuple(chosen),
        tuple(sources),
        " + ".join(spoken),
        invoked,
        difficulty,
        is_desperate(reasons, answers),
        reasons,
    )


def _invoked(moment: Moment, who: str, answers: Answers) -> tuple[str, ...]:
    """What was invoked, by name (RF-05)."""
    built, bays, skills = dict(moment.modules()), module_words(moment), skill_words(moment, who)
    named = picked(answers, "invoke")
    other = len(picked(answers, "other"))
    return (
        *(skills[word] if word in skills else built[bays[word]].name for word in named),
        *("other help",) * other,
    )


def summary(pool: Pool) -> str:
    """`5d6: vitality 3 + Engines 2; 5+ hits, difficulty 2`."""
    return f"{len(pool.sources)}d6: {pool.words}; {on(pool.target)} hits, difficulty {pool.difficulty}"


def lowered(pool: Pool) -> str:
    """`hit target 4: sharp mind, HARPOON`."""
    if not pool.invoked:
        return f"hit target {pool.target}: nothing invoked"
    capped = f" (never below {LOW_TARGET})" if len(pool.invoked) > MOST_HELP else ""
    return f"hit target {pool.target}{capped}: {', '.join(pool.invoked)}"


def against(pool: Pool) -> str:
    """`Difficulty 2, hit target 5: sharp mind`."""
    return f"Difficulty {pool.difficulty}, {lowered(pool)}"
