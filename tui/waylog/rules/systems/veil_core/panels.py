"""The panels of the sheet: rows and values for the ship and crew tabs.

The faults in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base_and_limits import Excess, Fault, fault_of_value
from waylog.rules.codec.changes import in_short
from waylog.rules.model.panels import DiceRow, MarkRow, Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems.veil_core.crew_focus_and_mission_end import (
    crew_down,
    exposed_reason,
    forced_desperate,
    mission_end_reason,
)
from waylog.rules.systems.veil_core.damage import part_name, works
from waylog.rules.systems.veil_core.sheet import (
    CARRIED,
    TOP_ADVANCEMENTS,
    TOP_USES,
    Advancement,
    Bay,
    Core,
    Member,
    Module,
    ModuleKind,
    ShipToken,
    SuitPart,
)
from waylog.rules.systems.veil_core.state_stages_and_typed_names import SHIP, Moment
from waylog.rules.systems.veil_core.tokens_restoring_and_shunts import loss_matters


def faults(moment: Moment) -> tuple[Fault, ...]:
    """Return everything that breaks a clause but doesn't stop play."""
    of_crew = (fault for key, member in moment.crew() for fault in _check_member(moment, ("crew", key), member))
    return (*_check_ship(moment), *of_crew)


def _check_ship(moment: Moment) -> Iterator[Fault]:
    edition, core = moment.edition, moment.ship.core
    total = sum(getattr(core, system.value) for system in Core)
    if total != edition.core_dice:
        message = f"the CORE systems should hold {edition.core_dice} dice in all, not {total}"
        excess = Excess(total, edition.core_dice, edition.core_dice) if total > 0 else None
        yield Fault(("ship", "core"), message, edition.core_clause, grave=False, excess=excess)
    most = moment.rules.focus
    if moment.ship.focus > most:
        focus, excess = moment.ship.focus, _carried_excess(moment.ship.focus, most)
        yield fault_of_value(("ship", "focus"), focus, f"the limit is {most}", "VK-04", grave=False, excess=excess)
    built = dict(moment.modules())
    for bay in Bay:
        if bay in built:
            yield from _check_module(("ship", "modules", bay.value), built[bay])
        elif moment.rules.empty_slots == "not-allowed":
            message = f"slot #{bay} is empty, but a house rule requires a module there"
            yield Fault(("ship", "modules"), message, "VK-02", grave=False)


def _carried_excess(amount: int, most: int) -> Excess | None:
    """Return a number over its limit as one that the wayfinder may overrule; None if the rules can't work with it."""
    return Excess(amount, 0, most) if amount <= CARRIED else None


def _check_module(path: tuple[str, ...], module: Module) -> Iterator[Fault]:
    if module.kind is ModuleKind.SPECIALISED and not module.system:
        message = f"{module.name} is specialised, so its system should be CPU, HUL or NAV. Otherwise, its kind should be additional or passive"
        yield Fault((*path, "system"), message, "VK-06", grave=False, lacking=True)
    # A file that leaves `uses_left` out means TOP_USES: all uses are left.
    if module.uses and module.uses < module.uses_left != TOP_USES:
        allowed = f"{module.name} has {module.uses} uses"
        yield fault_of_value((*path, "uses_left"), module.uses_left, allowed, "VK-07", grave=False)


def _check_member(moment: Moment, path: tuple[str, ...], member: Member) -> Iterator[Fault]:
    if len(member.advancements) > TOP_ADVANCEMENTS:
        message = f"{len(member.advancements)} advancements are too many: the limit is {TOP_ADVANCEMENTS}"
        yield Fault((*path, "advancements"), message, "VK-66", grave=False)
    if len(set(member.advancements)) < len(member.advancements):
        yield Fault((*path, "advancements"), "the same advancement is listed twice", "VK-53", grave=False)
    full, most = moment.rules.vitality, moment.rules.focus
    if member.vitality > full:
        allowed, excess = f"the limit is {full}", _carried_excess(member.vitality, full)
        yield fault_of_value((*path, "vitality"), member.vitality, allowed, "VK-05", grave=False, excess=excess)
    if member.focus > most and not (member.prep.focus > 1 and moment.on_mission):
        allowed = f"the limit is {most}, or 6 after doubled mission prep (prep.focus = 2)"
        excess = _carried_excess(member.focus, most)
        yield fault_of_value((*path, "focus"), member.focus, allowed, "VK-04", grave=False, excess=excess)


_CORE_ABOUT = {
    Core.CPU: "communicate, detect, compute",
    Core.HUL: "resist, sustain, survive",
    Core.NAV: "navigate, avoid, manoeuvre",
}
_TOKEN_LOST = {
    ShipToken.LIFE_SUPPORT: "the crew is Exposed",
    ShipToken.INTEGRITY: "damage hits the modules",
    ShipToken.ENGINEERING: "ship rolls are Desperate",
}
_PREP = {
    "focus": "starts the mission with 3 Focus",
    "ingenuity": "a Standard roll is a Success",
    "foresight": "a Desperate roll becomes Standard",
    "care": "a healing roll is a Success",
    "willpower": "fills or empties one segment of a clock",
    "dread": "+1 Focus on each Fiasco",
}


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels: the ship, its CORE dice, tokens and modules, the mission; then each crew member."""
    return (
        *_ship(moment),
        _mission(moment),
        *(_member(moment, key, member) for key, member in moment.crew()),
    )


def _ship(moment: Moment) -> Iterator[Panel]:
    """Yield the panels of the ship itself, its CORE dice, its tokens and its modules."""
    ship = moment.ship
    rows: list[Row] = [PipsRow("ship.focus", "Focus", ship.focus, moment.rules.focus, rank=Rank.VITAL)]
    if ship.about:
        rows.append(TextRow("ship.about", "About", ship.about, rank=Rank.ABOUT))
    yield Panel("ship", "ship", ship.name or "The ship", tuple(rows), (*_alarms(moment), Tag(ship.state, Tone.DIM)))
    rows = [
        DiceRow(
            f"ship.core.{system}", system.value, getattr(ship.core, system.value), "", _CORE_ABOUT[system], Rank.VITAL
        )
        for system in Core
    ]
    desperate = (Tag("Desperate", Tone.BAD),) if forced_desperate(moment, SHIP) else ()
    yield Panel("ship.core", "ship", "CORE", tuple(rows), desperate)
    rows = []
    for token in ShipToken:
        is_held, label = getattr(ship.tokens, token.value), token.value.replace("_", " ").capitalize()
        state, lost = ("held", "") if is_held else ("lost", _TOKEN_LOST[token] if loss_matters(moment, token) else "")
        rows.append(MarkRow(f"ship.tokens.{token}", label, is_held, state, lost, rank=Rank.VITAL))
    yield Panel("ship.tokens", "ship", "Tokens", tuple(rows))
    built = dict(moment.modules())
    yield Panel("ship.modules", "ship", "Modules", tuple(_module(bay, built.get(bay)) for bay in Bay))


def _alarms(moment: Moment) -> tuple[Tag, ...]:
    """Return tags for states that matter on every tab (VK-32, VK-42)."""
    tags = [Tag("Wrecked", Tone.BAD)] if moment.ship.wrecked else []
    if crew_down(moment):
        tags.append(Tag("crew Down and Out", Tone.BAD))
    if mission_end_reason(moment):
        tags.append(Tag("mission ended", Tone.BAD))
    elif moment.sheet.mission.carry_on:
        tags.append(Tag("carrying on", Tone.WARN))
    return tuple(tags)


def _module(bay: Bay, module: Module | None) -> Row:
    key = f"ship.modules.{bay}"
    if module is None:
        return MarkRow(key, f"#{bay}", held=False, state="empty")
    state = "destroyed" if module.destroyed else "intact"
    return MarkRow(key, f"#{bay} {module.name}", not module.destroyed, state, _use(module), module.about)


def _use(module: Module) -> str:
    match module.kind:
        case ModuleKind.SPECIALISED:
            return f"{module.system} +1d6" if module.system else "+1d6"
        case ModuleKind.ADDITIONAL:
            return f"{module.remaining_uses} of {module.uses} uses left" if module.uses else "unlimited uses"
        case ModuleKind.PASSIVE:
            return "passive, still works" if module.destroyed else "passive"


def _mission(moment: Moment) -> Panel:
    mission = moment.sheet.mission
    rows: list[Row] = [TextRow("mission.name", f"No. {mission.number}", mission.name or "unnamed", rank=Rank.VITAL)]
    if mission.over:
        rows.append(TextRow("mission.over", "Over", mission.over, Tone.GOOD if mission.over == "success" else Tone.BAD))
    if mission.upgrade:
        rows.append(TextRow("mission.upgrade", "Upgrade", "upgrade available", Tone.GOOD))
    end = mission_end_reason(moment)
    if end:
        rows.append(TextRow("mission.carry_on", "Ended", end.reason, Tone.BAD))
    return Panel("mission", "ship", "Mission", tuple(rows))


def _member(moment: Moment, key: str, member: Member) -> Panel:
    row = f"crew.{key}"
    rows: list[Row] = [TextRow(f"{row}.role", "Role", member.role, rank=Rank.ABOUT)] if member.role else []
    rows.append(
        PipsRow(
            f"{row}.vitality", "Vitality", member.vitality, max(moment.rules.vitality, member.vitality), rank=Rank.VITAL
        )
    )
    rows.append(PipsRow(f"{row}.focus", "Focus", member.focus, moment.rules.focus, rank=Rank.VITAL))
    arm = f"with {member.arm or 'auxiliary arm'} +1d6" if moment.has(key, Advancement.AUXILIARY_ARM) else ""
    for part, label, note, about in (
        (SuitPart.LIFE_SUPPORT, "Life support", arm, ""),
        (SuitPart.PRIMARY, *_tool(moment, key, SuitPart.PRIMARY)),
        (SuitPart.SECONDARY, *_tool(moment, key, SuitPart.SECONDARY)),
    ):
        is_held = works(moment, key, part)
        switch = f"{row}.{part}" if part is SuitPart.LIFE_SUPPORT else f"{row}.{part}.works"
        state = "works" if is_held else "lost"
        rows.append(MarkRow(f"{row}.{part}", label, is_held, state, note, about, switch=switch))
    rows.extend(_advancements(key, member))
    rows.extend(
        PipsRow(f"{row}.prep.{name}", name.capitalize(), count, max(1, count), about=about)
        for name, about in _PREP.items()
        if (count := getattr(member.prep, name))
    )
    return Panel(row, "crew", member.name or key, tuple(rows), _tags(moment, key, member), role=in_short(member.role))


def _tool(moment: Moment, key: str, part: SuitPart) -> tuple[str, str, str]:
    """Return a tool's name, its dice, and what it is."""
    member = moment.member(key)
    tool = member.primary if part is SuitPart.PRIMARY else member.secondary
    dice = 2 if part is SuitPart.PRIMARY or moment.has(key, Advancement.OVERSIZED_SYSTEMS) else 1
    name = part_name(moment, key, part)
    about = " · ".join(filter(None, (f"{part} tool" if tool.name else "", tool.about)))
    return name[:1].upper() + name[1:] if not tool.name else name, f"+{dice}d6", about


def _advancements(key: str, member: Member) -> list[Row]:
    rows: list[Row] = []
    for advancement in member.advancements:
        label = advancement.value.replace("-", " ").capitalize()
        if advancement is Advancement.ABLATIVE_ARMOUR:
            state = "held" if member.ablative else "lost"
            path = f"crew.{key}.ablative"
            rows.append(MarkRow(path, label, member.ablative, state, switch=path))
        else:
            text = member.expertise if advancement is Advancement.EXPERT else ""
            rows.append(TextRow(f"crew.{key}.{advancement}", label, text))
    return rows


def _tags(moment: Moment, key: str, member: Member) -> tuple[Tag, ...]:
    tags = [Tag("Down and Out", Tone.BAD)] if member.down else []
    why = exposed_reason(moment, key)
    if why:
        tags.append(Tag("Exposed", Tone.WARN, why.text))
    if forced_desperate(moment, key):
        tags.append(Tag("rolls Desperate", Tone.BAD))
    if not member.aboard:
        tags.append(Tag("away", Tone.DIM))
    if member.may_advance:
        tags.append(Tag("advancement to choose", Tone.GOOD))
    return tuple(tags)
