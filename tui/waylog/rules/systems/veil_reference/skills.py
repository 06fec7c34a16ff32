"""Skills: those of the rules, the campaign's own, and the skills of each crew member (RF-16)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from waylog.rules.codec.changes import slug
from waylog.rules.kit import Chapter
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Refusal
from waylog.rules.systems._veil_hits.moment import Moment, crew_letters, crew_words, own_words, who_is
from waylog.rules.systems.veil_reference.sheet import Member, Sheet, Skill, Station
from waylog.values import replace

LISTED = (
    Skill("gut feelings", "Investigate", Station.SIGINT.value),
    Skill("deep knowledge", "Investigate", Station.SIGINT.value),
    Skill("sharp mind", "Investigate", Station.SIGINT.value),
    Skill("flex muscles", "Fix", Station.SHIELDS.value),
    Skill("read the manual", "Fix", Station.SHIELDS.value),
)
"""The skills of the rules."""
_LISTED: Mapping[str, Skill] = MappingProxyType({slug(skill.name): skill for skill in LISTED})


def member_of(moment: Moment, who: str) -> Member:
    """Return a crew member's sheet."""
    member: Member = moment.sheet.crew[who]
    return member


def all_skills(sheet: Sheet) -> Mapping[str, Skill]:
    """Return every skill of the campaign, by the slug of its name."""
    current = {slug(skill.name or key): replace(skill, name=skill.name or key) for key, skill in sheet.skills.items()}
    return {**_LISTED, **current}


def skill_words(moment: Moment, who: str) -> Mapping[str, str]:
    """Return someone's skills by the word to type for each."""
    names = tuple((name, name) for name in dict.fromkeys(member_of(moment, who).skills))
    return own_words(moment, names, "skill")


def goes_with(moment: Moment, name: str) -> str:
    """Return a skill's use and system, if the skill is known."""
    skill = all_skills(moment.sheet).get(slug(name))
    return _uses(skill) if skill else ""


def _uses(skill: Skill) -> str:
    """Return the use and system in words: `Investigate, SigInt`."""
    return ", ".join(part for part in (skill.kind, skill.system) if part)


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer each crew member the skills that they lack."""
    letters, moves = crew_letters(moment), []
    for word, key in crew_words(moment).items():
        keys = {slug(name) for name in member_of(moment, key).skills}
        options = tuple(
            Option(text, skill.name, _uses(skill))
            for text, skill in all_skills(moment.sheet).items()
            if text and text not in keys
        )
        none = None if options else Refusal(f"{moment.name(key)} has every skill; add new ones to [skills]", "RF-16")
        asks = (PickOne("skill", "Skill", options, clause="RF-16"),)
        label = f"New skill for {moment.name(key)}"
        moves.append(Move("learn", (word,), label, asks, none, about=(f"crew.{key}",), key=letters[key]))
    return tuple(moves)


def learn(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `learn NAME`: someone gets the skill that was chosen (RF-16)."""
    who = who_is(moment, move.words[0])
    member, skill = member_of(moment, who), all_skills(moment.sheet)[str(answers["skill"])]
    after = moment.with_member(who, replace(member, skills=(*member.skills, skill.name)))
    return after.says(f"{moment.name(who)} learns {skill.name}", "RF-16")


CHAPTER = Chapter(offers=offers, plays={"learn": learn})
