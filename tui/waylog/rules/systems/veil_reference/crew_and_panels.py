"""The crew: new members, vitality restored by rest, and equipment restored by resupply (RF-02, RF-18); skills: those of the rules, the
campaign's own, and those of each crew member (RF-16).

The panels of the sheet, for the ship and crew tabs; and the faults in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import in_short, join_names, slug
from waylog.rules.model.answers import selected_words
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Option, PickMany, PickOne, Refusal
from waylog.rules.model.panels import MarkRow, Panel, PipsRow, Rank, Row, TextRow
from waylog.rules.rulebook import Chapter
from waylog.rules.systems._veil_older_editions import crew_damage_rest_and_panels
from waylog.rules.systems._veil_older_editions.crew_damage_rest_and_panels import (
    count_dice,
    damage_move,
    find_excess,
    join_move,
    member_tags,
    rest_move,
    ship_panels,
)
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    ALL,
    CARRIED,
    Moment,
    crew_letters,
    crew_words,
    members_named,
    own_words,
    times,
    who_is,
)
from waylog.rules.systems.veil_reference.sheet import Item, Member, Sheet, Skill
from waylog.values import replace


def member_of(moment: Moment, who: str) -> Member:
    """Return a crew member's sheet."""
    member: Member = moment.sheet.crew[who]
    return member


def item_words(moment: Moment, who: str) -> Mapping[str, str]:
    """Return the keys of someone's equipment by the word to type for each."""
    names = tuple((key, item.name or key) for key, item in member_of(moment, who).equipment.items())
    return own_words(moment, names, "gear", skill_words(moment, who))


def item_dice(moment: Moment, item: Item) -> int:
    """Return the dice of a piece of equipment."""
    most: int = moment.rules.equipment_dice
    return max(0, min(item.dice, most))


# -- skills (RF-16) ----------------------------------------------------------------------------------------------------

LISTED = (
    Skill("gut feelings", "Investigate", "SigInt"),
    Skill("deep knowledge", "Investigate", "SigInt"),
    Skill("sharp mind", "Investigate", "SigInt"),
    Skill("flex muscles", "Fix", "Shields"),
    Skill("read the manual", "Fix", "Shields"),
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


def offers(moment: Moment) -> Iterator[Move]:
    """Offer rest and resupply, for one or for all, a new crew member, and to each the skills that they lack."""
    words, letters = crew_words(moment), crew_letters(moment)
    short = [key for key in words.values() if _spent_equipment(moment, key)]
    nothing = None if short else Refusal("all equipment is ready: there is nothing to resupply", "RF-18")
    yield join_move(moment)
    yield rest_move(moment)
    resupply = Move("resupply", (ALL,), "Resupply everyone", (), nothing, about=("crew",), effect=True)
    yield replace(resupply, heading="Everyone resupplies")
    yield damage_move(moment)
    for word, key in words.items():
        yield rest_move(moment, word, key, letters[key])
        yield damage_move(moment, word, key)
        full = (
            None
            if key in short
            else Refusal(f"all of {moment.name(key)}'s equipment is ready: there is nothing to resupply", "RF-18")
        )
        options = tuple(
            Option(text, member_of(moment, key).equipment[item].name or item)
            for text, item in item_words(moment, key).items()
            if item in _spent_equipment(moment, key)
        )
        asks = (PickMany("items", "Which (default: all)", options, clause="RF-18"),) if len(options) > 1 else ()
        label, about = f"Resupply {moment.name(key)}", (f"crew.{key}",)
        heading = f"{moment.name(key)} resupplies"
        yield Move("resupply", (word,), label, asks, full, about=about, effect=True, key=letters[key], heading=heading)
    for word, key in words.items():
        keys = {slug(name) for name in member_of(moment, key).skills}
        options = tuple(
            Option(text, skill.name, _uses(skill))
            for text, skill in all_skills(moment.sheet).items()
            if text and text not in keys
        )
        none = (
            None
            if options
            else Refusal(f"{moment.name(key)} has every skill. You can add new ones in the campaign file", "RF-16")
        )
        which = (PickOne("skill", "Skill", options, clause="RF-16"),)
        label, about = f"New skill for {moment.name(key)}", (f"crew.{key}",)
        heading = f"{moment.name(key)} learns a skill"
        yield Move("learn", (word,), label, which, none, about=about, key=letters[key], heading=heading)


def _spent_equipment(moment: Moment, who: str) -> tuple[str, ...]:
    """Return the keys of equipment that is spent."""
    return tuple(key for key, item in member_of(moment, who).equipment.items() if not item.ready)


def join(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Add a crew member, unhurt (RF-02)."""
    name = str(answers["name"]).strip()
    dice: int = moment.rules.vitality
    after = moment.with_member(new_key(name, moment.crew()), Member(name, vitality=dice))
    return after.says(f"{name} joins the crew with {dice} vitality dice", "RF-02")


def rest(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `rest mara` or `rest all`: restore all lost vitality, or by house rule one die (RF-18)."""
    return crew_damage_rest_and_panels.rest(moment, move.words[0], CARRIED if moment.rules.rest == "all" else 1)


def resupply(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `resupply mara`, `resupply all` or `resupply mara torch`: make spent equipment ready again (RF-18)."""
    for who in members_named(moment, move.words[0]):
        words = item_words(moment, who)
        wanted = [words[word] for word in selected_words(answers, "items")] or _spent_equipment(moment, who)
        if not wanted:
            continue
        member = member_of(moment, who)
        ready = {key: replace(member.equipment[key], ready=True) for key in wanted}
        names = join_names(
            f"{item.name or key} ({times(item_dice(moment, item), 'die')})" for key, item in ready.items()
        )
        moment = moment.with_member(who, replace(member, equipment={**member.equipment, **ready}))
        moment = moment.says(f"Resupplied: {moment.name(who)}'s {names}", "RF-18")
    return moment


def learn(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `learn NAME`: someone gets the skill that was chosen (RF-16)."""
    who = who_is(moment, move.words[0])
    member, skill = member_of(moment, who), all_skills(moment.sheet)[str(answers["skill"])]
    after = moment.with_member(who, replace(member, skills=(*member.skills, skill.name)))
    return after.says(f"{moment.name(who)} learns “{skill.name}”", "RF-16")


CHAPTER = Chapter(
    offers=offers,
    plays={
        "damage": crew_damage_rest_and_panels.deal_damage,
        "join": join,
        "rest": rest,
        "resupply": resupply,
        "learn": learn,
    },
)


def faults(moment: Moment) -> Iterator[Fault]:
    """Yield everything that breaks a clause but doesn't stop play."""
    yield from count_dice(moment)
    most_dice, skills = moment.rules.equipment_dice, all_skills(moment.sheet)
    for key in moment.crew():
        member, path = member_of(moment, key), ("crew", key)
        yield from find_excess(moment, key)
        for name in member.skills:
            if slug(name) not in skills:
                listed = ", ".join(skill.name for skill in skills.values())
                message = f"“{name}” is not a known skill. Use {listed}, or add it to [skills]"
                yield Fault((*path, "skills"), message, "RF-16", grave=False)
        for text, item in member.equipment.items():
            if item.dice > most_dice:
                message = f"{item.name or text} can't have {item.dice} dice: the house rule allows at most {most_dice}"
                yield Fault((*path, "equipment", text, "dice"), message, "RF-02", grave=False)


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels: the ship, its systems, tokens and modules; then each crew member."""
    return (*ship_panels(moment), *(_member(moment, key) for key in moment.crew()))


def _member(moment: Moment, key: str) -> Panel:
    row, member = f"crew.{key}", member_of(moment, key)
    rows: list[Row] = [TextRow(f"{row}.about", "About", member.about, rank=Rank.ABOUT)] if member.about else []
    rows.append(PipsRow(f"{row}.vitality", "Vitality", member.vitality, moment.rules.vitality, rank=Rank.VITAL))
    rows.extend(
        TextRow(f"{row}.skills.{slug(name)}", name[:1].upper() + name[1:], goes_with(moment, name))
        for name in member.skills
    )
    for text, item in member.equipment.items():
        place, state = f"{row}.equipment.{text}", "ready" if item.ready else "spent"
        dice = f"+{item_dice(moment, item)}d6"
        rows.append(MarkRow(place, item.name or text, item.ready, state, dice, item.about, switch=f"{place}.ready"))
    return Panel(row, "crew", member.name or key, tuple(rows), member_tags(moment, key), role=in_short(member.about))
