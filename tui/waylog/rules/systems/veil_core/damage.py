"""Damage to the ship and to the crew, and the choices that may change it (VK-30…VK-31, VK-40…VK-42, VK-61, VK-64,
VK-68).

A hit opens a stage: `ShipHit` or `Hit`. A Defender may step in (`hit_question`), then the damage die is rolled
(`damage_member`). With adaptive plating it may be raised (`struck_question`). `strike` applies the result.
"""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.codec.changes import join_names
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart
from waylog.rules.model.moves import Answers, Move, Option, PickOne
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.veil_core import story_awards_and_losses
from waylog.rules.systems.veil_core.crew_focus_and_mission_end import crew_down, earn_focus, ends, spend_focus
from waylog.rules.systems.veil_core.rolls import defence_pool, next_of, throw
from waylog.rules.systems.veil_core.sheet import Advancement, Bay, SuitPart
from waylog.rules.systems.veil_core.state_stages_and_typed_names import (
    SHIP,
    SHIP_LETTER,
    FocusChoice,
    Hit,
    Moment,
    Purpose,
    ShipHit,
    Struck,
    crew_keys,
    crew_letters,
    crew_words,
    keep_in_crew,
    who_is,
)
from waylog.values import replace

PART_OF: Mapping[int, SuitPart] = {
    1: SuitPart.LIFE_SUPPORT,
    2: SuitPart.LIFE_SUPPORT,
    3: SuitPart.PRIMARY,
    4: SuitPart.PRIMARY,
    5: SuitPart.SECONDARY,
    6: SuitPart.SECONDARY,
}
"""The suit system that each face of the damage die breaks (VK-40)."""


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer damage, dealt by the wayfinder, to the ship or to a crew member."""
    letters = crew_letters(moment)
    ship = Move("damage", ("ship",), "Deal damage to the ship", about=("ship",), effect=True, key=SHIP_LETTER)
    ship = replace(ship, forecast=ship_damage(moment), title=_SHIP_HIT)
    return (
        ship,
        *(
            Move(
                "damage",
                (word,),
                f"Deal damage to {moment.name(key)}",
                about=(f"crew.{key}",),
                effect=True,
                key=letters[key],
                forecast=crew_damage(moment, key),
                title=_member_hit(moment, key),
            )
            for word, key in crew_words(moment).items()
        ),
    )


_SHIP_HIT = "The ship takes damage"


def _member_hit(moment: Moment, who: str) -> str:
    return f"{moment.name(who)} takes damage"


def offers_meanwhile(moment: Moment) -> tuple[Move, ...]:
    """Offer damage to everybody else while a roll waits for its Focus: it earns Focus, so it must not be theirs who roll (VK-13, VK-40)."""
    thrown = moment.top
    if len(moment.stages) != 1 or not isinstance(thrown, FocusChoice) or thrown.roll.purpose is not Purpose.PLAIN:
        return ()
    who = thrown.roll.who
    excluded = {who, SHIP} if moment.rules.focus_spent == "own-then-ship" else {who}
    rows = {"ship" if key == SHIP else f"crew.{key}" for key in excluded}
    return tuple(replace(move, anytime=True) for move in offers(moment) if not rows.intersection(move.about))


def deal(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `damage ship`, `damage mara` or `damage module keelwing`."""
    who = move.words[0]
    if len(move.words) > 1:
        return story_awards_and_losses.damage_module(moment, move)
    return moment.then(ShipHit() if who == "ship" else Hit(who_is(moment, who)))


# -- what it would do ----------------------------------------------------------------------------------------------


def ship_damage(moment: Moment) -> str:
    """Describe what damage to the ship would do now (VK-30, VK-31)."""
    if moment.ship.tokens.integrity:
        return "integrity is lost"
    built = dict(moment.modules())
    whole = [f"{built[bay].name} #{bay}" for bay in Bay if bay in built and not built[bay].destroyed]
    wrecks = sum(built[bay].destroyed for bay in built)
    if moment.rules.empty_slot_hit == "wrecked":
        wrecks += len(Bay) - len(built)
    parts = [f"{len(whole)} in 6, {join_names(whole, 'or')} is destroyed"] if whole else []
    if wrecks and not moment.ship.wrecked:
        parts.append(f"{wrecks} in 6, the ship is Wrecked")
    safe = 6 - len(whole) - (0 if moment.ship.wrecked else wrecks)
    parts.append(f"{safe} in 6, no further damage")
    return "; ".join(parts)


def crew_damage(moment: Moment, who: str) -> str:
    """Describe what damage to someone would do now (VK-40, VK-41, VK-61, VK-68)."""
    member = moment.member(who)
    if has_armour(moment, who):
        return "ablative armour takes the hit"
    if dies(moment, who):
        return f"{moment.name(who)} dies"
    broken = "" if member.vitality <= 0 else "Down and Out" if member.vitality == 1 else "vitality −1"
    lost = [part for part in SuitPart if not works(moment, who, part)]
    if len(lost) == len(SuitPart):
        return broken or "nothing left to lose"
    effects = {part: broken if part in lost else f"{the_part(moment, who, part)} is lost" for part in SuitPart}
    faces = {part: [face for face, struck in PART_OF.items() if struck is part] for part in SuitPart}
    return "; ".join(f"{effect} ({faces[part][0]}–{faces[part][-1]})" for part, effect in effects.items() if effect)


# -- the ship ------------------------------------------------------------------------------------------------------


def damage_ship(moment: Moment, _hit: ShipHit, dice: Dice) -> Moment:
    """Deal damage to the ship: it gains Focus, then loses integrity if it holds it (VK-30), or else a module (VK-31)."""
    tokens = moment.ship.tokens
    if tokens.integrity:
        # In a turn that has told something already, that is the cause.
        moment = moment if moment.facts else moment.says(_SHIP_HIT, "VK-30", NotePart.DEED)
        after = moment.closes().with_ship(tokens=replace(tokens, integrity=False))
        return earn_focus(after.says("Integrity is lost, with no further damage", "VK-30"), SHIP, 1, "VK-30")
    moment, (face,) = moment.closes().rolls(dice, "damage die for the ship", ("damage",), _SHIP_HIT)
    return earn_focus(_strike_ship(moment, face), SHIP, 1, "VK-30")


def _strike_ship(moment: Moment, face: int) -> Moment:
    """Apply the damage die: the module in the slot of that number is destroyed (VK-31)."""
    if face > len(Bay):
        return moment.says("No further damage", "VK-31")
    bay = Bay(str(face))
    module = moment.ship.modules.get(bay)
    if module is None or not module.name:
        if moment.rules.empty_slot_hit == "wrecked":
            return wreck(moment, f"Slot {bay} has nothing left to lose")
        return moment.says(f"Slot {bay} is empty: no further damage", "VK-31")
    if module.destroyed:
        return wreck(moment, f"{module.name} is already destroyed")
    return moment.with_module(bay, replace(module, destroyed=True)).says(
        f"{module.name} (#{bay}) is destroyed", "VK-31"
    )


def wreck(moment: Moment, why: str) -> Moment:
    """Make the ship Wrecked and end the mission (VK-31, VK-32)."""
    if moment.ship.wrecked:
        return moment.says(f"{why}, and the ship is already Wrecked", "VK-31")
    return ends(moment.with_ship(wrecked=True), f"{why}: the ship is Wrecked", "VK-31").says(
        "The mission has ended", "VK-32"
    )


# -- the crew ------------------------------------------------------------------------------------------------------


def damage_member(moment: Moment, who: str, dice: Dice) -> Moment:
    """Deal damage to a crew member: Focus, then a die for what is lost (VK-40); or death (VK-61); or armour takes it
    (VK-68).
    """
    saved = has_armour(moment, who)
    if dies(moment, who) and not saved:
        return burn(moment, who)
    if saved:
        after = moment.with_member(who, ablative=False)
        after = after.says(f"{moment.name(who)}'s ablative armour takes the damage and is lost", "VK-68")
        return after if moment.rules.ablative_focus == "not-earned" else earn_focus(after, who, 1, "VK-40")
    moment, (face,) = moment.rolls(dice, f"damage die for {moment.name(who)}", ("damage",), _member_hit(moment, who))
    return earn_focus(moment, who, 1, "VK-40").then(Struck(who, face))


def dies(moment: Moment, who: str) -> bool:
    """Whether damage that isn't stopped kills them: they are Relentless, and Down and Out (VK-61)."""
    return moment.member(who).down and moment.has(who, Advancement.RELENTLESS)


def has_armour(moment: Moment, who: str) -> bool:
    """Whether ablative armour takes their next damage. By house rule it doesn't stop damage that would kill (VK-68)."""
    is_held = moment.member(who).ablative and moment.has(who, Advancement.ABLATIVE_ARMOUR)
    return is_held and not (dies(moment, who) and moment.rules.ablative_down == "dies")


def burn(moment: Moment, who: str) -> Moment:
    """Burn the sheet of a Relentless member who was hurt while Down and Out. The file keeps it, but they leave the crew
    (VK-61).
    """
    after = moment.with_member(who, burned=True).says(f"{moment.name(who)} is dead: their sheet is burned", "VK-61")
    return ends(after, "The crew is lost: the mission has ended", "VK-42") if crew_down(after) else after


def works(moment: Moment, who: str, part: SuitPart) -> bool:
    """Whether a suit system works."""
    member = moment.member(who)
    match part:
        case SuitPart.LIFE_SUPPORT:
            return member.life_support
        case SuitPart.PRIMARY:
            return member.primary.works
        case SuitPart.SECONDARY:
            return member.secondary.works


def part_name(moment: Moment, who: str, part: SuitPart) -> str:
    """Return the name of a suit system: the tool's own name, if it has one."""
    member = moment.member(who)
    match part:
        case SuitPart.LIFE_SUPPORT:
            return "suit life support"
        case SuitPart.PRIMARY:
            return member.primary.name or "primary tool"
        case SuitPart.SECONDARY:
            return member.secondary.name or "secondary tool"


def the_part(moment: Moment, who: str, part: SuitPart) -> str:
    """Return the name of a suit system in a sentence: `the primary tool`; or the tool's own name."""
    name = part_name(moment, who, part)
    takes_article = name[:1].islower() and not name.startswith("the ") and part is not SuitPart.LIFE_SUPPORT
    return f"the {name}" if takes_article else name


def set_part(moment: Moment, who: str, part: SuitPart, *, works: bool) -> Moment:
    """Return the moment with that suit system lost or repaired."""
    member = moment.member(who)
    match part:
        case SuitPart.LIFE_SUPPORT:
            return moment.with_member(who, life_support=works)
        case SuitPart.PRIMARY:
            return moment.with_member(who, primary=replace(member.primary, works=works))
        case SuitPart.SECONDARY:
            return moment.with_member(who, secondary=replace(member.secondary, works=works))


def strike(moment: Moment, who: str, face: int) -> Moment:
    """Apply the damage die: a suit system is lost, or 1 vitality if it was already lost (VK-40)."""
    part, name = PART_OF[face], moment.name(who)
    lost = the_part(moment, who, part)
    if works(moment, who, part):
        after = set_part(moment, who, part, works=False)
        arm = part is SuitPart.LIFE_SUPPORT and moment.has(who, Advancement.AUXILIARY_ARM)
        with_it = f", and {moment.member(who).arm or 'the auxiliary arm'} with it" if arm else ""
        return after.says(f"{name} loses {lost}{with_it}", "VK-67" if arm else "VK-40")
    vitality = moment.member(who).vitality
    if vitality <= 0:
        return moment.says(f"{name} has no vitality left to lose: {lost} is already gone", "VK-40")
    after = moment.with_member(who, vitality=vitality - 1)
    after = after.says(f"{name} loses 1 vitality ({vitality - 1} left): {lost} is already gone", "VK-40")
    if vitality > 1:
        return after
    after = after.says(f"{name} is Down and Out", "VK-41")
    return ends(after, "The whole crew is Down and Out: the mission has ended", "VK-42") if crew_down(after) else after


# -- a Defender (VK-64) --------------------------------------------------------------------------------------------


def defenders(moment: Moment, hit: Hit) -> tuple[str, ...]:
    """Return who could step in: each Defender with vitality and Focus who has not yet tried to stop this hit."""
    if hit.defended or (hit.tried and moment.rules.defenders == "one"):
        return ()
    return tuple(
        key
        for key, member in moment.crew()
        if key not in (hit.who, *hit.tried)
        and moment.has(key, Advancement.DEFENDER)
        and moment.focus(key)
        and not member.down
    )


def take(moment: Moment, hit: Hit, dice: Dice) -> Moment:
    """Deal a hit to the first of those it is for, and open it for the next. May raise `DiceWanted`."""
    return damage_member(moment.closes().then(*next_of(hit)), hit.who, dice)


def hit_question(moment: Moment, hit: Hit) -> str:
    """Ask whether a Defender steps in."""
    return f"{moment.name(hit.who)} takes damage. Does a Defender step in?"


def hit_answers(moment: Moment, hit: Hit) -> tuple[Move, ...]:
    """Offer `defend lars`, or `keep` to leave the damage where it is."""
    letters, able = crew_letters(moment), defenders(moment, hit)
    return (
        *(
            Move(
                "defend",
                (word,),
                f"{moment.name(key)} defends: spend 1 Focus and roll vitality",
                about=(f"crew.{key}",),
                key=letters[key],
                title=f"{moment.name(key)} defends",
            )
            for word, key in crew_words(moment).items()
            if key in able
        ),
        Move("keep", (), f"Nobody defends: {moment.name(hit.who)} takes the damage", key="k"),
    )


def answer_hit(moment: Moment, hit: Hit, move: Move, _answers: Answers, dice: Dice) -> Moment:
    """Spend 1 Focus of a Defender and throw their dice; or, with `keep`, leave the hit where it is (VK-64)."""
    if move.verb == "keep":
        return moment.closes().then(replace(hit, defended=True))
    defender = who_is(moment, move.words[0])
    after = spend_focus(moment.closes(), defender, 1, "VK-64")
    return throw(after, defence_pool(after, defender, hit), dice)


# -- adaptive plating (VK-68) --------------------------------------------------------------------------------------


def raises(moment: Moment, struck: Struck) -> tuple[int, ...]:
    """Return the faces that Focus could raise the damage die to, and that break another system."""
    if not moment.has(struck.who, Advancement.ADAPTIVE_PLATING):
        return ()
    top = min(6, struck.face + moment.focus(struck.who))
    return tuple(face for face in range(struck.face + 1, top + 1) if PART_OF[face] is not PART_OF[struck.face])


def struck_question(moment: Moment, struck: Struck) -> str:
    """Ask whether the damage die is raised."""
    return f"{moment.name(struck.who)}'s damage die shows {struck.face}. Raise it with Focus?"


def _would(moment: Moment, who: str, face: int) -> str:
    part = PART_OF[face]
    return f"{the_part(moment, who, part)} is lost" if works(moment, who, part) else "1 vitality is lost"


def struck_answers(moment: Moment, struck: Struck) -> tuple[Move, ...]:
    """Offer `raise 5`, or `keep`."""
    who = struck.who
    options = tuple(
        Option(str(face), f"{face}: {_would(moment, who, face)}", f"{face - struck.face} Focus")
        for face in raises(moment, struck)
    )
    name = moment.name(who)
    heading = f"{name} keeps the {struck.face}"
    keep = Move("keep", (), f"Keep {struck.face}: {_would(moment, who, struck.face)}", key="k", heading=heading)
    if not options:
        return (keep,)
    return Move(
        "raise",
        (),
        "Raise the damage die",
        (PickOne("to", "Raise to", options, clause="VK-68"),),
        about=(f"crew.{who}",),
        heading=f"{name} raises the damage die",
    ), keep


def answer_struck(moment: Moment, struck: Struck, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Raise the damage die or keep it, then apply it."""
    moment = moment.closes()
    if move.verb == "keep":
        return strike(moment, struck.who, struck.face)
    face = int(str(answers["to"]))
    raised = spend_focus(moment, struck.who, face - struck.face, "VK-68")
    return strike(raised.says(f"Adaptive plating raises the {struck.face} to a {face}", "VK-68"), struck.who, face)


def _keep_hit(moment: Moment, hit: Hit) -> Hit | None:
    """Return the hit without those who have left the crew; None if nobody is left."""
    crew = crew_keys(moment)
    left = replace(hit, also=tuple(who for who in hit.also if who in crew))
    if left.who in crew:
        return left
    return next_of(left)[0] if left.also else None


CHAPTER = Chapter(
    offers=offers,
    plays={"damage": deal},
    anytime=offers_meanwhile,
    stages=(
        StageRules(ShipHit, automatic=damage_ship),
        StageRules(Hit, hit_question, hit_answers, answer_hit, choices=defenders, automatic=take, keep=_keep_hit),
        StageRules(
            Struck,
            struck_question,
            struck_answers,
            answer_struck,
            choices=raises,
            automatic=lambda moment, struck, _dice: strike(moment.closes(), struck.who, struck.face),
            keep=keep_in_crew,
        ),
    ),
)
