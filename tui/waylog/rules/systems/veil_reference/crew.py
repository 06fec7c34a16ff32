"""The crew: new members, vitality restored by rest, and equipment restored by resupply (RF-02, RF-18)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from waylog.rules.codec.changes import format_path, join_names, slug
from waylog.rules.kit import Chapter
from waylog.rules.model.answers import selected_words
from waylog.rules.model.clocks import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Option, PickMany, PickOne, Refusal, Text
from waylog.rules.systems._veil_hits.damage import SHIP, deal
from waylog.rules.systems._veil_hits.moment import (
    ALL,
    Moment,
    crew_letters,
    crew_words,
    members_named,
    own_words,
    who_is,
)
from waylog.rules.systems.veil_reference.sheet import Item, Member, Sheet, Skill, Station
from waylog.values import replace


def member_of(moment: Moment, who: str) -> Member:
    """Return a crew member's sheet."""
    member: Member = moment.sheet.crew[who]
    return member


def item_words(moment: Moment, who: str) -> Mapping[str, str]:
    """Return the keys of someone's equipment by the word to type for each."""
    names = tuple((key, item.name or key) for key, item in member_of(moment, who).equipment.items())
    return own_words(moment, names, "gear", skill_words(moment, who))


def vitality(moment: Moment, who: str) -> int:
    """Return someone's vitality dice, within the limits of the rules, whatever the file says."""
    most = moment.most_of(format_path(("crew", who, "vitality")), moment.rules.vitality)
    return max(0, min(member_of(moment, who).vitality, most))


def item_dice(moment: Moment, item: Item) -> int:
    """Return the dice of a piece of equipment."""
    most: int = moment.rules.equipment_dice
    return max(0, min(item.dice, most))


# -- skills (RF-16) ----------------------------------------------------------------------------------------------------

LISTED = (
    Skill("gut feelings", "Investigate", Station.SIGINT.value),
    Skill("deep knowledge", "Investigate", Station.SIGINT.value),
    Skill("sharp mind", "Investigate", Station.SIGINT.value),
    Skill("flex muscles", "Fix", Station.SHIELDS.value),
    Skill("read the manual", "Fix", Station.SHIELDS.value),
)
"""The skills of the rules."""
_LISTED: Mapping[str, Skill] = MappingProxyType({slug(skill.name): skill for skill in LISTED})


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


# -- moves -------------------------------------------------------------------------------------------------------------


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer rest and resupply, for one or for all, and a new crew member."""
    words, letters = crew_words(moment), crew_letters(moment)
    tired = [key for key in words.values() if vitality(moment, key) < moment.rules.vitality]
    short = [key for key in words.values() if _spent_equipment(moment, key)]
    nobody = Refusal("nobody has lost a vitality die", "RF-18")
    nothing = Refusal("no equipment is spent", "RF-18")
    drained = Refusal("nobody in the crew has a vitality die to lose", "RF-02")
    moves = [
        Move("join", (), "Add a crew member", (Text("name", "Name", required=True),), about=("crew",)),
        Move("rest", (ALL,), "Everyone rests (vitality)", (), None if tired else nobody, about=("crew",), effect=True),
        Move("resupply", (ALL,), "Resupply everyone", (), None if short else nothing, about=("crew",), effect=True),
        Move(
            "damage",
            (ALL,),
            "Take a vitality die from everyone",
            blocked=None if any(vitality(moment, key) for key in words.values()) else drained,
            about=("crew",),
            effect=True,
        ),
    ]
    for word, key in words.items():
        name, about, letter = moment.name(key), (f"crew.{key}",), letters[key]
        fit = None if key in tired else Refusal(f"{name} has all vitality dice", "RF-18")
        moves.append(Move("rest", (word,), f"{name} rests (vitality)", (), fit, about=about, effect=True, key=letter))
        spent = None if vitality(moment, key) else Refusal(f"{name} has no vitality die left to lose", "RF-02")
        moves.append(Move("damage", (word,), f"Take a vitality die from {name}", (), spent, about=about, effect=True))
        full = None if key in short else Refusal(f"no equipment of {name} is spent", "RF-18")
        options = tuple(
            Option(text, member_of(moment, key).equipment[item].name or item)
            for text, item in item_words(moment, key).items()
            if item in _spent_equipment(moment, key)
        )
        asks = (PickMany("items", "Which (default: all)", options, clause="RF-18"),) if len(options) > 1 else ()
        label = f"Resupply {name}"
        moves.append(Move("resupply", (word,), label, asks, full, about=about, effect=True, key=letter))
    return (*moves, *_offer_skills(moment))


def _spent_equipment(moment: Moment, who: str) -> tuple[str, ...]:
    """Return the keys of equipment that is spent."""
    return tuple(key for key, item in member_of(moment, who).equipment.items() if not item.ready)


def join(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Add a crew member, unhurt (RF-02)."""
    name = str(answers["name"]).strip()
    dice: int = moment.rules.vitality
    after = moment.with_member(new_key(name, moment.crew()), Member(name, vitality=dice))
    return after.says(f"{name} joins the crew with {dice} vitality dice", "RF-02")


def deal_damage(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Play `damage ship`; or `damage mara` or `damage all`, which cost a vitality die each (RF-02, RF-13). May raise
    `DiceWanted`.
    """
    if move.words[0] == SHIP:
        return deal(moment, move, answers, dice)
    for who in members_named(moment, move.words[0]):
        if count := vitality(moment, who):
            moment = moment.with_member(who, replace(member_of(moment, who), vitality=count - 1))
            moment = moment.says(f"{moment.name(who)} loses a vitality die ({count - 1} left)", "NM-17")
    return moment


def rest(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `rest mara` or `rest all`: restore all lost vitality, or by house rule one die (RF-18)."""
    for who in members_named(moment, move.words[0]):
        count, most = vitality(moment, who), moment.rules.vitality
        now = most if moment.rules.rest == "all" else min(most, count + 1)
        if now > count:
            moment = moment.with_member(who, replace(member_of(moment, who), vitality=now))
            moment = moment.says(f"{moment.name(who)} rests: vitality {count} → {now}", "RF-18")
    return moment


def resupply(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `resupply mara`, `resupply all` or `resupply mara torch`: make spent equipment ready again (RF-18)."""
    for who in members_named(moment, move.words[0]):
        words = item_words(moment, who)
        wanted = [words[word] for word in selected_words(answers, "items")] or _spent_equipment(moment, who)
        if not wanted:
            continue
        member = member_of(moment, who)
        ready = {key: replace(member.equipment[key], ready=True) for key in wanted}
        names = join_names(f"{item.name or key} {item_dice(moment, item)}" for key, item in ready.items())
        moment = moment.with_member(who, replace(member, equipment={**member.equipment, **ready}))
        moment = moment.says(f"{moment.name(who)}: ready again, {names}", "RF-18")
    return moment


def _offer_skills(moment: Moment) -> tuple[Move, ...]:
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


CHAPTER = Chapter(
    offers=offers,
    plays={"damage": deal_damage, "join": join, "rest": rest, "resupply": resupply, "learn": learn},
)
