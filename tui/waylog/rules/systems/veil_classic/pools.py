"""Which dice a roll throws, at which targets, against what, and why (VC-04…VC-09, VC-26)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.moves import Answers, Refused, picked
from waylog.rules.systems.veil_classic.sheet import Member
from waylog.rules.systems.veil_reference.calls import forced, is_desperate
from waylog.rules.systems.veil_reference.hits import MOST_HELP, on, target
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.naming import crew_words, module_words, own_words
from waylog.rules.turns import Note
from waylog.values import dataclass

DIFFICULTIES: Mapping[str, int] = {
    "normal": 1,
    "risky": 2,
    "reckless": 3,
    "impossible": 4,
    "impossible5": 5,
    "impossible6": 6,
}
"""The difficulties by their words (VC-04)."""
PROFICIENCY: Mapping[int, str] = {6: "None", 5: "Amateur", 4: "Skilled", 3: "Expert"}
"""What each target is called (VC-05)."""
GRIT = "grit"
"""What nobody helps from: it is there to be refused (VC-06)."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A background or a skill that makes its owner proficient (VC-05)."""

    kind: str
    text: str
    alone: bool
    """There is no other of its kind, so its kind is name enough."""

    @property
    def name(self) -> str:
        """What it is called in moves and in the log."""
        return self.kind if self.alone else self.text


@dataclass(frozen=True, slots=True)
class Helper:
    """Someone who throws one die for another's roll, against a target of their own (VC-06)."""

    who: str
    factors: tuple[str, ...]

    @property
    def target(self) -> int:
        """The face that is a hit for them."""
        return target(len(self.factors))


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice about to be thrown."""

    who: str
    system: str
    """The ship's system, or empty for any other roll."""
    own: tuple[str, ...]
    """What each die of the roller's is for."""
    words: str
    """`Engines 2 + personal 3`."""
    factors: tuple[str, ...]
    """What makes the roller proficient."""
    grit: int
    """Grit tokens among the factors."""
    helpers: tuple[Helper, ...]
    difficulty: str
    """By its word."""
    desperate: bool
    reasons: tuple[Note, ...]
    """Why the roll is called as it is."""

    @property
    def target(self) -> int:
        """The face that is a hit for the roller (VC-05)."""
        return target(len(self.factors))

    @property
    def targets(self) -> tuple[int, ...]:
        """The target of each die, helpers' last (VC-08)."""
        return (*(self.target,) * len(self.own), *(helper.target for helper in self.helpers))

    @property
    def rating(self) -> int:
        """The difficulty as a number (VC-04)."""
        return DIFFICULTIES[self.difficulty]


def member_of(moment: Moment, who: str) -> Member:
    """A crew member's sheet."""
    member: Member = moment.sheet.crew[who]
    return member


def personal(moment: Moment, who: str) -> int:
    """Personal dice in hand. A file may say anything; what is rolled stays within the rules."""
    most: int = moment.rules.personal_dice
    return max(0, min(member_of(moment, who).personal, most))


def desperate(moment: Moment, *, system: bool) -> tuple[Note, ...]:
    """Every rule that makes a roll Desperate now (VC-09, NM-25)."""
    return forced(moment, by_engineering=system)


def factors(moment: Moment, who: str) -> tuple[Factor, ...]:
    """Someone's backgrounds and skills (VC-03). Where the sheet tells of none, there may still be one of each."""
    member, found = member_of(moment, who), list[Factor]()
    kinds = (
        ("background", (member.background, *member.backgrounds)),
        ("skill", (member.skill, *member.skills)),
    )
    for kind, texts in kinds:
        told = tuple(dict.fromkeys(text.strip() for text in texts if text.strip())) or ("",)
        found.extend(Factor(kind, text, len(told) == 1) for text in told)
    return tuple(found)


def factor_words(moment: Moment, who: str) -> Mapping[str, Factor]:
    """Someone's backgrounds and skills by the word that is typed for each: `background`, or `reads-water` of several."""
    numbered = {str(number): factor for number, factor in enumerate(factors(moment, who))}
    several = tuple((number, factor.text) for number, factor in numbered.items() if not factor.alone)
    words = {number: word for word, number in own_words(moment, several, "factor").items()}
    return {words.get(number, factor.kind): factor for number, factor in numbered.items()}


def helper_words(moment: Moment, who: str) -> Mapping[str, tuple[str, str]]:
    """Who could help, and from what, by word: `joss`, `joss-background`, `joss-skill`, or `joss-reads-water` of several."""
    mates = [(word, key) for word, key in crew_words(moment).items() if key != who]
    numbered = {
        str(number): (word, key, name)
        for number, (word, key, name) in enumerate(
            (word, key, name)
            for word, key in mates
            for name in (*(factor.name for factor in factors(moment, key)), GRIT)
        )
    }
    names = tuple((number, f"{word} {name}") for number, (word, _, name) in numbered.items())
    more = own_words(moment, names, "helper")
    found: dict[str, tuple[str, str]] = {}
    for word, key in mates:
        found[word] = key, ""
        for own, number in more.items():
            _, mate, name = numbered[number]
            if mate == key:
                found[own] = key, name
    return found


def pool_of(moment: Moment, who: str, system: str, answers: Answers) -> Pool:
    """The system's dice, personal dice and helpers' (VC-06, VC-07). Raises `Refused`, also for no dice at all (VC-26)."""
    count, dice = personal(moment, who), moment.dice(system) if system else 0
    own = (*(system,) * dice, *(moment.name(who),) * count)
    words = " + ".join((*((f"{system} {dice}",) if system else ()), f"personal {count}"))
    reasons, helpers = desperate(moment, system=bool(system)), tuple(_helpers(moment, who, answers))
    if not own and not helpers:
        raise Refused("no dice to roll: a helper would add one, and so would a rest", "VC-26")
    grit, factors = len(picked(answers, "grit")), tuple(_factors(moment, who, answers))
    if grit and len(factors) > MOST_HELP:
        raise Refused(
            f"Expert with {len(factors) - grit} of these already: leave grit out that brings nothing", "VC-05"
        )
    difficulty = str(answers.get("difficulty", "normal"))
    return Pool(who, system, own, words, factors, grit, helpers, difficulty, is_desperate(reasons, answers), reasons)


def _factors(moment: Moment, who: str, answers: Answers) -> Iterator[str]:
    """What makes the roller proficient, by name; grit last (VC-05)."""
    built, bays, own = dict(moment.modules()), module_words(moment), factor_words(moment, who)
    for word in picked(answers, "proficiency"):
        yield built[bays[word]].name if word in bays else own[word].name
    yield from ("other help",) * len(picked(answers, "other"))
    yield from ("grit",) * len(picked(answers, "grit"))


def _helpers(moment: Moment, who: str, answers: Answers) -> Iterator[Helper]:
    words, chosen = helper_words(moment, who), picked(answers, "helpers")
    for key in moment.crew():
        names = [words[word][1] for word in chosen if words[word][0] == key]
        if names:
            yield Helper(key, tuple(factor.name for factor in factors(moment, key) if factor.name in names))


def summary(moment: Moment, pool: Pool) -> str:
    """`6d6: Engines 2 + personal 3, 4+ hits; Joss 1, 6 hits; Risky 2`."""
    helpers = "".join(f"; {moment.name(helper.who)} 1, {on(helper.target)} hits" for helper in pool.helpers)
    return f"{len(pool.targets)}d6: {pool.words}, {on(pool.target)} hits{helpers}; {called(pool)}"


def called(pool: Pool) -> str:
    """`Risky 2`."""
    return f"{pool.difficulty.rstrip('56').capitalize()} {pool.rating}"


def proficient(pool: Pool) -> str:
    """`Skilled, target 4: background, skill`."""
    capped = ", and never past that" if len(pool.factors) > MOST_HELP else ""
    why = f": {', '.join(pool.factors)}" if pool.factors else ""
    return f"{PROFICIENCY[pool.target]}{capped}, target {pool.target}{why}"


def helped(moment: Moment, helper: Helper) -> str:
    """`Joss helps: Amateur, target 5, background`."""
    from_what = f", {', '.join(helper.factors)}" if helper.factors else ""
    return f"{moment.name(helper.who)} helps: {PROFICIENCY[helper.target]}, target {helper.target}{from_what}"
