"""Shunts (VK-33): who pays for one, and the dice that are redistributed; and the ship's mode, in which one may be free (VK-34)."""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart
from waylog.rules.model.moves import Allocate, AllocationSlot, Answers, Move, Option, PickOne, Refusal
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.veil_core.crew_and_focus import spend_focus
from waylog.rules.systems.veil_core.sheet import Core, ShipToken
from waylog.rules.systems.veil_core.stages_and_typed_names import SHIP, Moment, Settled
from waylog.rules.systems.veil_core.tokens_and_restoring import holds, lose_token
from waylog.values import replace


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer a shunt, and the ship's other mode."""
    other = "action" if moment.ship.state == "downtime" else "downtime"
    return (shunt_offer(moment), Move("state", (other,), f"Switch to {other}", about=("ship",)))


def shunt_offer(moment: Moment) -> Move:
    """Offer a shunt, with its price in the label. Engineering is only used if it is named."""
    edition, options = moment.edition, shunt_options(moment)
    now: dict[Core, int] = {system: getattr(moment.ship.core, system.value) for system in Core}
    # Dice that the wayfinder has given to the ship, or taken, stay given or taken.
    total = sum(now.values()) if "ship.core" in moment.overruled else edition.core_dice
    slots = tuple(
        AllocationSlot(
            system.value.lower(),
            system.value,
            min(edition.core_least, dice),
            max(edition.core_most, dice),
            dice,
        )
        for system, dice in now.items()
    )
    permits = [option.word for option in options if not option.blocked and not moment.ship.wrecked]
    usual = next((word for word in permits if word != "engineering"), None)
    asks = (
        Allocate("dice", "Dice", slots, total, edition.core_clause),
        PickOne("by", "Paid with", tuple(sorted(options, key=lambda option: bool(option.blocked))), usual, "VK-33"),
    )
    return Move(
        "shunt",
        (),
        f"System shunt {_COSTS[usual or 'engineering']}: redistribute the CORE dice",
        asks,
        None if permits else _no_shunt(moment),
        follows=any(word in ("critical", "focus") for word in permits),
        anytime=True,
        about=("ship.core", *(f"ship.core.{system}" for system in Core)),
        offer="S",
    )


_COSTS: Mapping[str, str] = {
    "downtime": "in downtime",
    "critical": "after a Critical success",
    "focus": "for 1 Focus",
    "engineering": "for engineering",
}


def shunt_options(moment: Moment) -> tuple[Option, ...]:
    """Return the ways to pay for a shunt, cheapest first. Those that don't work now say why (VK-33)."""
    top = moment.stages[-1] if moment.stages else None
    settled = top if isinstance(top, Settled) else Settled()
    payer = shunt_payer(moment, settled) if settled.rollers else None
    action = Refusal("a shunt is free only in downtime, but the mode is action", "VK-33")
    whose = "the ship" if moment.rules.shunt_focus == "ship" else "whoever rolled"
    no_focus = Refusal(
        f"{whose} has no Focus to pay for a shunt"
        if settled.rollers
        else "Focus pays for a shunt only right after a roll",
        "VK-33",
    )
    no_critical = None
    if settled.criticals and not allowing_criticals(moment, settled):
        no_critical = Refusal("by house rule, only a ship roll's Critical success allows a shunt", "VK-33")
    elif not settled.criticals:
        no_critical = Refusal("a Critical success allows one shunt, right after the roll", "VK-33")
    return (
        Option("downtime", "Free in downtime", blocked=None if moment.ship.state == "downtime" else action),
        Option("critical", "Free after the Critical success", blocked=no_critical),
        Option(
            "focus",
            f"1 Focus of {moment.name(payer)}" if payer is not None else "1 Focus",
            f"{moment.focus(payer)} left" if payer is not None else "",
            blocked=None if payer is not None else no_focus,
            costs=True,
        ),
        Option(
            "engineering",
            "Engineering",
            blocked=_no_engineering(moment),
            costs=True,
        ),
    )


def _no_shunt(moment: Moment) -> Refusal:
    """Return why nothing pays for a shunt now."""
    if moment.ship.wrecked:
        return Refusal("a Wrecked ship can't shunt: restore it first", "VK-33")
    if holds(moment, ShipToken.ENGINEERING) and (by_house_rule := _no_engineering(moment)):
        return by_house_rule
    reason = "a shunt needs downtime, engineering or, right after a roll, a Critical success or the ship's Focus"
    return Refusal(reason, "VK-33")


def _no_engineering(moment: Moment) -> Refusal | None:
    if not holds(moment, ShipToken.ENGINEERING):
        return Refusal("engineering is lost", "VK-33")
    asked = bool(moment.stages) and not isinstance(moment.stages[-1], Settled)
    if asked and moment.rules.shunt_while_asked == "not-allowed":
        return Refusal("by house rule, nobody can shunt while a question is open: answer it first", "VK-33")
    return None


def allowing_criticals(moment: Moment, settled: Settled) -> tuple[str, ...]:
    """Return those whose Critical successes allow a shunt."""
    if moment.rules.shunt_after_critical == "ship-roll":
        return tuple(who for who in settled.criticals if who == SHIP)
    return settled.criticals


def shunt_payer(moment: Moment, settled: Settled) -> str | None:
    """Return whose Focus pays for a shunt after a roll, or None if nobody's can."""
    crew = dict(moment.crew())
    payers = (SHIP,) if moment.rules.shunt_focus == "ship" else settled.rollers
    return next((who for who in payers if (who == SHIP or who in crew) and moment.focus(who)), None)


def shunt(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `shunt 1 2 3`: pay for it and redistribute the dice."""
    dealt, by = answers["dice"], str(answers["by"])
    assert isinstance(dealt, tuple)
    settled = moment.stages[-1] if moment.stages else None
    dice = {system.value: int(str(number)) for system, number in zip(Core, dealt, strict=True)}
    text = "Shunted: " + " · ".join(f"{system} {number}" for system, number in dice.items())
    after = moment.with_ship(core=replace(moment.ship.core, **dice)).says(text, "VK-33", NotePart.DETAIL)
    if by == "critical" and isinstance(settled, Settled):
        return after.closes().then(replace(settled, criticals=()))
    if by == "focus" and isinstance(settled, Settled):
        payer = shunt_payer(moment, settled)
        assert payer is not None
        return spend_focus(after, payer, 1, "VK-33")
    return lose_token(after, ShipToken.ENGINEERING, "is spent", "VK-36") if by == "engineering" else after


def state(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Switch between downtime and action (VK-34)."""
    return moment.with_ship(state=move.words[0]).says(f"Mode: {move.words[0]}", "VK-34")


CHAPTER = Chapter(offers=offers, plays={"shunt": shunt, "state": state}, anytime=lambda moment: (shunt_offer(moment),))
