"""Proficiency and help: backgrounds, skills, modules, grit (VC-05, VC-06)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.answers import selected_words
from waylog.rules.moves import Answers
from waylog.rules.systems._veil_hits.hits import target
from waylog.rules.systems._veil_hits.moment import Moment, crew_words, module_words, own_words
from waylog.rules.systems.veil_classic.sheet import Member
from waylog.values import dataclass

PROFICIENCY: Mapping[int, str] = {6: "None", 5: "Amateur", 4: "Skilled", 3: "Expert"}
"""The name of each target (VC-05)."""
GRIT = "grit"
"""The word for help from grit, which is listed only to be refused (VC-06)."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A background or a skill of a crew member, which makes them proficient (VC-05)."""

    kind: str
    text: str
    alone: bool
    """The owner has no other of its kind, so the kind is enough as a name."""

    @property
    def name(self) -> str:
        """The name in moves and in the log."""
        return self.kind if self.alone else self.text


@dataclass(frozen=True, slots=True)
class Helper:
    """Someone who rolls one die for another's roll, with a target of their own (VC-06)."""

    who: str
    factors: tuple[str, ...]

    @property
    def target(self) -> int:
        """The lowest face that is a hit for them."""
        return target(len(self.factors))


def member_of(moment: Moment, who: str) -> Member:
    """Return a crew member's sheet."""
    member: Member = moment.sheet.crew[who]
    return member


def factors(moment: Moment, who: str) -> tuple[Factor, ...]:
    """Return someone's backgrounds and skills (VC-03). If the sheet names none, one of each is assumed."""
    member, found = member_of(moment, who), list[Factor]()
    kinds = (
        ("background", (member.background, *member.backgrounds)),
        ("skill", (member.skill, *member.skills)),
    )
    for kind, texts in kinds:
        words = tuple(dict.fromkeys(text.strip() for text in texts if text.strip())) or ("",)
        found.extend(Factor(kind, text, len(words) == 1) for text in words)
    return tuple(found)


def factor_words(moment: Moment, who: str) -> Mapping[str, Factor]:
    """Return someone's backgrounds and skills by the word to type: `background`, or `reads-water` if there are several."""
    numbered = {str(number): factor for number, factor in enumerate(factors(moment, who))}
    several = tuple((number, factor.text) for number, factor in numbered.items() if not factor.alone)
    words = {number: word for word, number in own_words(moment, several, "factor").items()}
    return {words.get(number, factor.kind): factor for number, factor in numbered.items()}


def helper_words(moment: Moment, who: str) -> Mapping[str, tuple[str, str]]:
    """Return who could help, and with what, by word: `joss`, `joss-background`, `joss-skill`, or `joss-reads-water` if
    there are several.
    """
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
        for text, number in more.items():
            _, mate, name = numbered[number]
            if mate == key:
                found[text] = key, name
    return found


def chosen_factors(moment: Moment, who: str, answers: Answers) -> Iterator[str]:
    """Return the names of what makes the roller proficient; grit comes last (VC-05)."""
    built, bays, current = dict(moment.modules()), module_words(moment), factor_words(moment, who)
    for word in selected_words(answers, "proficiency"):
        yield built[bays[word]].name if word in bays else current[word].name
    yield from ("other help",) * len(selected_words(answers, "other"))
    yield from ("grit",) * len(selected_words(answers, "grit"))


def chosen_helpers(moment: Moment, who: str, answers: Answers) -> Iterator[Helper]:
    """Return who helps, and with what (VC-06)."""
    words, chosen = helper_words(moment, who), selected_words(answers, "helpers")
    for key in moment.crew():
        names = [words[word][1] for word in chosen if words[word][0] == key]
        if names:
            yield Helper(key, tuple(factor.name for factor in factors(moment, key) if factor.name in names))


def helper_text(moment: Moment, helper: Helper) -> str:
    """Describe a helper: `Joss helps: Amateur, target 5, background`."""
    from_what = f", {', '.join(helper.factors)}" if helper.factors else ""
    return f"{moment.name(helper.who)} helps: {PROFICIENCY[helper.target]}, target {helper.target}{from_what}"
