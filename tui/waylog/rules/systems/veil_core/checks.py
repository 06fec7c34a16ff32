"""The faults in a campaign file that break a clause and that types alone don't show."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Excess, Fault
from waylog.rules.systems.veil_core.moment import Moment
from waylog.rules.systems.veil_core.sheet import (
    CARRIED,
    TOP_ADVANCEMENTS,
    TOP_USES,
    Bay,
    Core,
    Member,
    Module,
    ModuleKind,
)


def faults(moment: Moment) -> tuple[Fault, ...]:
    """Return everything that breaks a clause but doesn't stop play."""
    return (*_core(moment), *_modules(moment), *_crew(moment))


def _core(moment: Moment) -> Iterator[Fault]:
    edition, core = moment.edition, moment.ship.core
    total = sum(getattr(core, system.value) for system in Core)
    if total != edition.core_dice:
        message = f"the CORE systems hold {total} dice; they should hold {edition.core_dice} in all"
        excess = Excess(total, edition.core_dice, edition.core_dice) if total > 0 else None
        yield Fault(("ship", "core"), message, edition.core_clause, grave=False, excess=excess)
    most = moment.rules.focus
    if moment.ship.focus > most:
        message = f"focus is {moment.ship.focus}; the most is {most}"
        yield Fault(("ship", "focus"), message, "VK-04", grave=False, excess=_carried_excess(moment.ship.focus, most))


def _carried_excess(amount: int, most: int) -> Excess | None:
    """Return a number over its limit as one that the wayfinder may overrule; None if the rules can't work with it."""
    return Excess(amount, 0, most) if amount <= CARRIED else None


def _modules(moment: Moment) -> Iterator[Fault]:
    built = dict(moment.modules())
    for bay in Bay:
        path = ("ship", "modules", bay.value)
        if bay in built:
            yield from _module(path, built[bay])
        elif moment.rules.empty_slots == "not-allowed":
            message = f"slot #{bay} is empty; a house rule requires a module there"
            yield Fault(("ship", "modules"), message, "VK-02", grave=False)


def _module(path: tuple[str, ...], module: Module) -> Iterator[Fault]:
    if module.kind is ModuleKind.SPECIALISED and not module.system:
        message = f"{module.name} is specialised; system should be one of CPU, HUL, NAV, or kind additional or passive"
        yield Fault((*path, "system"), message, "VK-06", grave=False, lacking=True)
    # A file that leaves `uses_left` out means TOP_USES: all uses are left.
    if module.uses and module.uses < module.uses_left != TOP_USES:
        message = f"uses_left is {module.uses_left}; {module.name} has {module.uses} uses"
        yield Fault((*path, "uses_left"), message, "VK-07", grave=False)


def _crew(moment: Moment) -> Iterator[Fault]:
    for key, member in moment.crew():
        yield from _member(moment, ("crew", key), member)


def _member(moment: Moment, path: tuple[str, ...], member: Member) -> Iterator[Fault]:
    if len(member.advancements) > TOP_ADVANCEMENTS:
        message = f"{len(member.advancements)} advancements; the most is {TOP_ADVANCEMENTS}"
        yield Fault((*path, "advancements"), message, "VK-66", grave=False)
    if len(set(member.advancements)) < len(member.advancements):
        yield Fault((*path, "advancements"), "the same advancement is listed twice", "VK-53", grave=False)
    full, most = moment.rules.vitality, moment.rules.focus
    if member.vitality > full:
        message = f"vitality is {member.vitality}; the most is {full}"
        excess = _carried_excess(member.vitality, full)
        yield Fault((*path, "vitality"), message, "VK-05", grave=False, excess=excess)
    if member.focus > most and not (member.prep.focus > 1 and moment.on_mission):
        message = f"focus is {member.focus}; the most is {most}, or 6 after doubled mission prep (prep.focus = 2)"
        excess = _carried_excess(member.focus, most)
        yield Fault((*path, "focus"), message, "VK-04", grave=False, excess=excess)
