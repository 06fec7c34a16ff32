"""Focus: how much of it is earned, kept and spent (VK-04, VK-13, VK-15, VK-73). What it does to rolled dice is in `focus_on_dice`."""

from __future__ import annotations

from waylog.rules.model.facts import NotePart
from waylog.rules.systems.veil_core.sheet import Advancement
from waylog.rules.systems.veil_core.stages_and_typed_names import SHIP, Moment, Purpose, RollRequest


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
