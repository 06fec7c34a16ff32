"""Who is in the crew, where they are, and in what surroundings (VK-38, VK-43)."""

from __future__ import annotations

from dataclasses import replace

from waylog.rules.clocks import new_key
from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move, Refusal, Text
from waylog.rules.systems.veil_core.exposure import exposed
from waylog.rules.systems.veil_core.moment import Moment
from waylog.rules.systems.veil_core.naming import crew_letters, crew_words, who_is
from waylog.rules.systems.veil_core.sheet import Member

EVERYONE = "crew"


def offers(moment: Moment) -> tuple[Move, ...]:
    """Marks of the wayfinder's: Exposed or not, aboard or away; and someone new."""
    words, letters = crew_words(moment), crew_letters(moment)
    moves = [Move("join", (), "Someone joins the crew", (Text("name", "Name", required=True),), about=("crew",))]
    members = [moment.member(key) for key in words.values()]
    stop = None
    if all(member.exposed for member in members):
        stop = Refusal("everyone is marked Exposed already" if members else "there is no crew yet", "VK-43")
    moves.append(Move("expose", (EVERYONE,), "The whole crew is Exposed", blocked=stop, about=("crew",), effect=True))
    if any(member.exposed for member in members):
        moves.append(Move("cover", (EVERYONE,), "Nobody is marked Exposed any more", about=("crew",)))
    for word, key in words.items():
        moves.extend(_of(moment, word, key, letters[key]))
    return tuple(moves)


def _of(moment: Moment, word: str, key: str, letter: str) -> tuple[Move, ...]:
    member, name, about = moment.member(key), moment.name(key), (f"crew.{key}",)
    marked = Refusal(f"{name} is marked Exposed already", "VK-43") if member.exposed else None
    place = (
        Move("away", (word,), f"{name} is away from the ship", about=about, key=letter)
        if member.aboard
        else Move("aboard", (word,), f"{name} is aboard", about=about, key=letter)
    )
    expose = Move("expose", (word,), f"{name} is Exposed", blocked=marked, about=about, effect=True, key=letter)
    if not member.exposed:
        return expose, place
    return expose, Move("cover", (word,), f"{name} is no longer marked Exposed", about=about, key=letter), place


def expose(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """`expose mara`, `cover crew`: the wayfinder's mark, and what holds without it (VK-43)."""
    marked = move.verb == "expose"
    word = move.words[0]
    named = [key for key, _ in moment.crew()] if word == EVERYONE else [who_is(moment, word)]
    for key in named:
        if moment.member(key).exposed is marked:
            continue
        moment = moment.with_member(key, exposed=marked)
        why = exposed(moment, key)
        if marked:
            moment = moment.says(f"{moment.name(key)} is Exposed", "VK-43")
        elif why:
            moment = moment.tells(replace(why, text=f"{moment.name(key)} is still Exposed: {why.text}"))
        else:
            moment = moment.says(f"{moment.name(key)} is no longer Exposed", "VK-43")
    return moment


def goes(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """`away mara`, `aboard mara`: whom spent life support reaches (VK-38)."""
    who = who_is(moment, move.words[0])
    after = moment.with_member(who, aboard=move.verb == "aboard")
    return after.says(f"{moment.name(who)} is {'aboard' if move.verb == 'aboard' else 'away from the ship'}", "VK-38")


def join(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Someone new, unhurt and with a suit that works (VK-05)."""
    name = str(answers["name"]).strip()
    crew = {**moment.sheet.crew, new_key(name, moment.sheet.crew): Member(name)}
    return replace(moment, sheet=replace(moment.sheet, crew=crew)).says(f"{name} joins the crew", "VK-05")
