"""Who plays, in what ships, and what they can do and carry (CF-04)."""

from __future__ import annotations

from dataclasses import replace

from waylog.rules.clocks import new_key
from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move, Number, Option, PickOne, Refused, Text
from waylog.rules.naming import words_for
from waylog.rules.systems.course_flow.moment import Moment
from waylog.rules.systems.course_flow.naming import crew_words, held_skill
from waylog.rules.systems.course_flow.sheet import Member, Ship

_MOST = 999
"""As much as a skill can be set to at the keyboard: the rules set no limit, and a figure needs one."""


def offers(moment: Moment) -> tuple[Move, ...]:
    """Someone joins, a ship comes in; skills are given, equipment is taken and left."""
    name = (Text("name", "Name", required=True),)
    moves = [
        Move("join", (), "Someone joins the crew", name, about=("crew",)),
        Move("ship", (), "A ship comes in", name, about=("ships",)),
    ]
    for word, key in crew_words(moment).items():
        who, about = moment.name(key), f"crew.{key}"
        skill = (Text("name", "Skill", required=True), Number("value", "Value", 0, _MOST))
        moves.append(Move("skill", (word,), f"A skill of {who}'s, and its value", skill, about=(f"{about}.skills",)))
        item = (Text("item", "What", required=True),)
        moves.append(Move("equip", (word,), f"{who} takes something along", item, about=(f"{about}.equipment",)))
        carried = tuple(
            Option(item, moment.member(key).equipment[place]) for item, place in _items(moment, key).items()
        )
        if carried:
            left = (PickOne("item", "What", carried),)
            moves.append(Move("discard", (word,), f"{who} leaves something", left, about=(f"{about}.equipment",)))
    return tuple(moves)


def _items(moment: Moment, who: str) -> dict[str, int]:
    """Where each thing stands in someone's equipment, by word."""
    items = ((str(place), item) for place, item in enumerate(moment.member(who).equipment))
    return {word: int(place) for word, place in words_for(items, "item", crew_words(moment)).items()}


def join(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Someone new, with all five dice."""
    name = str(answers["name"]).strip()
    crew = {**moment.sheet.crew, new_key(name, moment.sheet.crew): Member(name)}
    return replace(moment, sheet=replace(moment.sheet, crew=crew)).says(f"{name} joins the crew", "CF-04")


def come_in(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """A ship, with no tracks or matrices yet."""
    name = str(answers["name"]).strip()
    ships = {**moment.sheet.ships, new_key(name, moment.sheet.ships): Ship(name)}
    return replace(moment, sheet=replace(moment.sheet, ships=ships)).says(f"{name} comes in", "CF-04")


def give_skill(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """`skill iko Piloting 2`: a new skill, or another value of one that is there."""
    who, said, value = crew_words(moment)[move.words[0]], str(answers["name"]).strip(), int(str(answers["value"]))
    held = held_skill(moment, who, said)
    if moment.member(who).skills.get(held) == value:
        raise Refused(f"{held} is {value} already", "CF-04")
    return moment.with_skill(who, held, value).says(f"{moment.name(who)}: {held} is {value}", "CF-04")


def equip(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Something more to carry."""
    who, item = crew_words(moment)[move.words[0]], str(answers["item"]).strip()
    after = moment.with_member(who, equipment=(*moment.member(who).equipment, item))
    return after.says(f"{moment.name(who)} has {item}", "CF-04")


def discard(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Something less."""
    who = crew_words(moment)[move.words[0]]
    carried, place = moment.member(who).equipment, _items(moment, who)[str(answers["item"])]
    after = moment.with_member(who, equipment=(*carried[:place], *carried[place + 1 :]))
    return after.says(f"{moment.name(who)} no longer has {carried[place]}", "CF-04")
