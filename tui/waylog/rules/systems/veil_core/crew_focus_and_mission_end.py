"""The crew: who is aboard or away, who is Exposed, which rolls are Desperate, and when a mission has ended (VK-17,
VK-18, VK-32, VK-38…VK-43).

Focus: how much of it is earned, kept and spent (VK-04, VK-13, VK-15, VK-73). What it does to rolled dice is in `focus_on_dice`.
"""

from __future__ import annotations

from waylog.rules.model.clocks_situations_and_timers import WhileRunning, new_key, reasons_for, running_reason
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact, NotePart
from waylog.rules.model.moves import Answers, Move, Refusal, Text
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.veil_core.sheet import Advancement, Member
from waylog.rules.systems.veil_core.state_stages_and_typed_names import (
    SHIP,
    Moment,
    Purpose,
    RollRequest,
    crew_letters,
    crew_words,
    who_is,
)
from waylog.values import replace


def exposed_reason(moment: Moment, who: str) -> NoteFact | None:
    """Return why a crew member is Exposed, or None (VK-43): set by the wayfinder, lost life support, a clock or a
    situation.
    """
    tokens = moment.ship.tokens
    if moment.member(who).exposed:
        return NoteFact("set by the wayfinder", "VK-43")
    spent_safely = tokens.life_support_spent and moment.rules.life_support_spent == "safe"
    if not tokens.life_support and not spent_safely:
        return NoteFact("the ship's life support is lost", "VK-37")
    return running_reason(moment.clocks, WhileRunning.EXPOSED) or next(
        iter(reasons_for(moment.situations, WhileRunning.EXPOSED)), None
    )


def forced_desperate(moment: Moment, who: str) -> tuple[NoteFact, ...]:
    """Return a note for each rule that makes these rolls Desperate now (VK-17, VK-18, VK-69, NM-19, NM-25)."""
    detail = NotePart.DETAIL
    clock = running_reason(moment.clocks, WhileRunning.DESPERATE)
    reasons = [replace(clock, text=f"Desperate {clock.text}", part=detail)] if clock else []
    made = reasons_for(moment.situations, WhileRunning.DESPERATE)
    reasons += [replace(note, text=f"Desperate {note.text}", part=detail) for note in made]
    if who == SHIP:
        if not moment.ship.tokens.engineering and moment.rules.engineering_lost == "desperate":
            reasons.append(NoteFact("Desperate while engineering is lost", "VK-17", part=detail))
        return tuple(reasons)
    why = exposed_reason(moment, who)
    if why and moment.rules.exposed == "always":
        reasons.append(replace(why, text=f"Desperate while Exposed ({why.text})", clause="VK-18", part=detail))
    elif why and moment.rules.exposed == "suit-lost" and not moment.member(who).life_support:
        text = f"Desperate while Exposed ({why.text}) without suit life support"
        reasons.append(replace(why, text=text, clause="VK-18", part=detail))
    if moment.has(who, Advancement.LIMITER_OVERRIDE):
        reasons.append(NoteFact("Desperate with Limiter override", "VK-69", part=detail))
    return tuple(reasons)


def crew_down(moment: Moment) -> bool:
    """Whether there is a crew and all of it is Down and Out (VK-42)."""
    return bool(moment.sheet.crew) and all(member.burned or member.down for member in moment.sheet.crew.values())


def mission_end_reason(moment: Moment) -> Refusal | None:
    """Return why the mission has ended and rolls wait for `carry-on` (VK-32, VK-42), or None."""
    if moment.sheet.mission.carry_on:
        return None
    if moment.ship.wrecked:
        return Refusal("the ship is Wrecked and the mission is over, unless you carry on", "VK-32")
    if crew_down(moment):
        return Refusal("the whole crew is Down and Out and the mission is over, unless you carry on", "VK-42")
    return None


def ends(moment: Moment, text: str, clause: str) -> Moment:
    """End the mission because of what has just happened. An earlier leave to carry on no longer counts."""
    after = moment.with_mission(carry_on=False) if moment.sheet.mission.carry_on else moment
    return after.says(text, clause)


# -- joining, and the wayfinder's marks ---------------------------------------------------------------------------------

EVERYONE = "crew"


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer the wayfinder's marks (Exposed or not, aboard or away), and a new crew member."""
    words, letters = crew_words(moment), crew_letters(moment)
    new = Text("name", "Name", required=True, taken=tuple(moment.name(key) for key in words.values()))
    moves = [Move("join", (), "Add a crew member", (new,), about=("crew",), heading="New crew member")]
    members = [moment.member(key) for key in words.values()]
    stop = None
    if all(member.exposed for member in members):
        stop = Refusal("everyone is already marked as Exposed" if members else "there is no crew yet", "VK-43")
    moves.append(
        Move(
            "expose",
            (EVERYONE,),
            "Mark the whole crew as Exposed",
            blocked=stop,
            about=("crew",),
            effect=True,
            heading="The whole crew is Exposed",
        )
    )
    if any(member.exposed for member in members):
        label, heading = "Clear the crew's Exposed marks", "Nobody is marked as Exposed any more"
        moves.append(Move("cover", (EVERYONE,), label, about=("crew",), heading=heading))
    for word, key in words.items():
        member, name, about, letter = moment.member(key), moment.name(key), (f"crew.{key}",), letters[key]
        marked = Refusal(f"{name} is already marked as Exposed", "VK-43") if member.exposed else None
        label = f"Mark {name} as Exposed"
        expose = Move("expose", (word,), label, blocked=marked, about=about, effect=True, key=letter)
        moves.append(replace(expose, heading=f"{name} is Exposed"))
        if member.exposed:
            label, heading = f"Clear Exposed for {name}", f"{name} is no longer marked as Exposed"
            moves.append(Move("cover", (word,), label, about=about, key=letter, heading=heading))
        place = "away" if member.aboard else "aboard"
        label, heading = f"Mark {name} as {place}", f"{name} is {place}"
        moves.append(Move(place, (word,), label, about=about, key=letter, heading=heading))
    return tuple(moves)


def expose(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `expose mara` or `cover crew`: set or clear the mark, and say what holds without it (VK-43)."""
    marked = move.verb == "expose"
    word = move.words[0]
    named = [key for key, _ in moment.crew()] if word == EVERYONE else [who_is(moment, word)]
    for key in named:
        if moment.member(key).exposed is marked:
            continue
        moment = moment.with_member(key, exposed=marked)
        why = exposed_reason(moment, key)
        if marked:
            moment = moment.says(f"{moment.name(key)} is Exposed", "VK-43")
        elif why:
            moment = moment.tells(replace(why, text=f"{moment.name(key)} is still Exposed ({why.text})"))
        else:
            moment = moment.says(f"{moment.name(key)} is no longer Exposed", "VK-43")
    return moment


def goes(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `away mara` or `aboard mara`: whether spent life support helps them (VK-38)."""
    who = who_is(moment, move.words[0])
    after = moment.with_member(who, aboard=move.verb == "aboard")
    return after.says(f"{moment.name(who)} is {'aboard' if move.verb == 'aboard' else 'away from the ship'}", "VK-38")


def join(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Add a crew member, unhurt, with a working suit (VK-05)."""
    name = str(answers["name"]).strip()
    crew = {**moment.sheet.crew, new_key(name, moment.sheet.crew): Member(name, vitality=moment.rules.vitality)}
    return replace(moment, sheet=replace(moment.sheet, crew=crew)).says(f"{name} joins the crew", "VK-05")


CHAPTER = Chapter(
    offers=offers,
    plays={"join": join, "expose": expose, "cover": expose, "away": goes, "aboard": goes},
)


def earn_focus(moment: Moment, who: str, tokens: int, clause: str) -> Moment:
    """Give Focus to the ship or a crew member, up to 3 or what a house rule says (VK-04, VK-15, VK-73)."""
    count = moment.focus(who)
    gained = max(0, min(tokens, moment.rules.focus - count))
    if not gained:
        return moment.says(f"{moment.heading(who)}: Focus stays at {count}", clause, NotePart.DETAIL)
    return moment.with_focus(who, count + gained).says(
        f"{moment.heading(who)}: Focus +{gained}, now {count + gained}", clause, NotePart.DETAIL
    )


def spend_focus(moment: Moment, who: str, tokens: int, clause: str) -> Moment:
    """Take Focus away. The caller has checked that there is enough."""
    left = moment.focus(who) - tokens
    return moment.with_focus(who, left).says(
        f"{moment.heading(who)}: Focus −{tokens}, now {left}", clause, NotePart.DETAIL
    )


def in_hand(moment: Moment, who: str) -> int:
    """Return how much Focus a roll may spend: the roller's own and, by house rule, the ship's (VK-13)."""
    count = moment.focus(who)
    if who != SHIP and moment.rules.focus_spent == "own-then-ship":
        return count + moment.focus(SHIP)
    return count


def pays(moment: Moment, who: str, tokens: int, clause: str) -> Moment:
    """Spend Focus on a roll: the roller's own first, then the ship's."""
    count = min(tokens, moment.focus(who))
    if count:
        moment = spend_focus(moment, who, count, clause)
    return spend_focus(moment, SHIP, tokens - count, clause) if tokens > count else moment


def fiasco_focus(moment: Moment, roll: RollRequest) -> tuple[tuple[int, str], ...]:
    """Return the Focus that a Fiasco earns, each part with its clause (VK-15, VK-69, VK-78)."""
    if roll.purpose is Purpose.HEAL and moment.rules.heal_fiasco_focus == "not-earned":
        earned = []
    else:
        earned = [(1, "VK-15")]
    if roll.who == SHIP:
        return tuple(earned)
    if moment.has(roll.who, Advancement.RECIRCULATION_KIT):
        earned.append((1, "VK-69"))
    dread = moment.member(roll.who).prep.dread
    if dread > 0 and moment.on_mission:
        earned.append((dread, "VK-78"))
    return tuple(earned)


def fiasco_earns(moment: Moment, roll: RollRequest) -> Moment:
    """Give the roller the Focus of a Fiasco."""
    for tokens, clause in fiasco_focus(moment, roll):
        moment = earn_focus(moment, roll.who, tokens, clause)
    return moment
