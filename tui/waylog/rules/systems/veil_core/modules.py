"""Modules: use and refill, repair, jury-rig and upgrade (VK-06…VK-08, VK-36, VK-51)."""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Ask, Move, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.veil_core.missions_and_advancement import as_offer
from waylog.rules.systems.veil_core.sheet import Bay, Core, Module, ModuleKind, ShipToken, SystemName
from waylog.rules.systems.veil_core.state_stages_and_typed_names import Advancing, Moment, module_words
from waylog.rules.systems.veil_core.tokens_restoring_and_shunts import foresee_loss, holds, lose_token
from waylog.values import replace

_USES = (1, 2, 3, 6)
_SYSTEMS: Mapping[str, SystemName] = {"cpu": "CPU", "hul": "HUL", "nav": "NAV"}


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer the moves of each module, and an upgrade after a successful mission."""
    return (
        *(
            move
            for word, bay in module_words(moment).items()
            for move in _of(moment, word, bay, moment.ship.modules[bay])
        ),
        *_upgrades(moment),
    )


def _of(moment: Moment, word: str, bay: Bay, module: Module) -> list[Move]:
    about = (f"ship.modules.{bay}",)
    needs = None if holds(moment, ShipToken.ENGINEERING) else Refusal("the engineering token is lost", "VK-36")
    costs = foresee_loss(moment, ShipToken.ENGINEERING)
    moves = []
    if module.kind is ModuleKind.ADDITIONAL:
        left = f" ({module.remaining_uses} of {module.uses} left)" if module.uses else ""
        label = f"Use {module.name}{left}"
        use = Move("use", (word,), label, blocked=_no_use(module), about=about, key=bay.value)
        moves.append(replace(use, heading=f"{module.name} used"))
        if module.remaining_uses < module.uses:
            refill, heading = f"Refill {module.name}", f"{module.name} refilled"
            moves.append(Move("refill", (word,), refill, about=about, key=bay.value, heading=heading))
    if module.destroyed:
        label = f"Spend engineering to repair {module.name}"
        repair = Move("repair", (word,), label, blocked=needs, about=about, key=bay.value, forecast=costs)
        moves.append(replace(repair, heading=f"Engineering spent to repair {module.name}"))
    label = f"Spend engineering to jury-rig {module.name}"
    rig = Move("jury-rig", (word,), label, _asks(module), needs, about=about, key=bay.value, forecast=costs)
    moves.append(replace(rig, heading=f"Engineering spent to jury-rig {module.name}"))
    return moves


def _no_use(module: Module) -> Refusal | None:
    if module.destroyed:
        return Refusal(f"{module.name} is destroyed: repair it first", "VK-08")
    if module.uses and module.remaining_uses <= 0:
        return Refusal(f"{module.name} has no uses left: refill it first", "VK-07")
    return None


def _asks(module: Module) -> tuple[Ask, ...]:
    """Return the questions for a rebuilt module: name, description, kind and, for an additional one, uses."""
    kinds = (
        *(Option(system.value.lower(), f"specialised: +1d6 on {system}") for system in Core),
        Option("additional", "additional: a special ability with limited uses"),
        Option("passive", "passive: works even when destroyed"),
    )
    now = module.system.lower() if module.kind is ModuleKind.SPECIALISED else module.kind.value
    numbers = (module.uses,) if module.uses and module.uses not in _USES else ()
    uses = (
        Option("unlimited", "unlimited uses"),
        *(Option(str(count), f"{count} uses" if count > 1 else "1 use") for count in (*_USES, *numbers)),
    )
    return (
        PickOne("kind", "Kind", kinds, now if module.name and now else None, "VK-06"),
        PickOne("uses", "Uses", uses, str(module.uses) if module.uses else "unlimited", "VK-07"),
        Text("name", "Name", required=True),
        Text("about", "Description"),
    )


def _rebuilt(module: Module, answers: Answers) -> Module:
    """Return the module as rebuilt. Damage that it has taken stays."""
    kind, uses = str(answers["kind"]), str(answers["uses"])
    count = int(uses) if kind == "additional" and uses != "unlimited" else 0
    return replace(
        module,
        name=str(answers["name"]).strip(),
        about=str(answers["about"]).strip() or module.about,
        kind=ModuleKind.SPECIALISED if kind in _SYSTEMS else ModuleKind(kind),
        system=_SYSTEMS.get(kind, ""),
        uses=count,
        uses_left=count if count or module.uses else module.uses_left,
    )


def use(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Spend one use of an additional module (VK-07)."""
    bay, module = _module(moment, move)
    if not module.uses:
        return moment.says(f"{module.name} used", "VK-07")
    left = module.remaining_uses - 1
    after = moment.with_module(bay, replace(module, uses_left=left))
    return after.says(f"{module.name} used ({f'{left} of {module.uses} uses' if left else 'no uses'} left)", "VK-07")


def refill(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Restore all uses (VK-07)."""
    bay, module = _module(moment, move)
    after = moment.with_module(bay, replace(module, uses_left=module.uses))
    return after.says(f"{module.name} refilled ({_count_uses(module)})", "VK-07")


def repair(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Spend engineering to repair a destroyed module (VK-36)."""
    bay, module = _module(moment, move)
    repaired = moment.with_module(bay, replace(module, destroyed=False)).says(f"{module.name} is repaired", "VK-36")
    return lose_token(repaired, ShipToken.ENGINEERING, "is spent", "VK-36")


def jury_rig(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Spend engineering to turn a module into another (VK-36)."""
    bay, module = _module(moment, move)
    new = _rebuilt(module, answers)
    rebuilt = moment.with_module(bay, new).says(f"{module.name} jury-rigged into {_module_text(new)}", "VK-36")
    return lose_token(rebuilt, ShipToken.ENGINEERING, "is spent", "VK-36")


def _module(moment: Moment, move: Move) -> tuple[Bay, Module]:
    bay = module_words(moment)[move.words[0]]
    return bay, moment.ship.modules[bay]


def _count_uses(module: Module) -> str:
    return f"{module.uses} {'use' if module.uses == 1 else 'uses'}"


def _module_text(module: Module) -> str:
    what = f"specialised, {module.system}" if module.kind is ModuleKind.SPECIALISED else module.kind.value
    uses = f", {_count_uses(module)}" if module.uses else ""
    return f"{module.name} ({what}{uses})"


def _upgrades(moment: Moment) -> tuple[Move, ...]:
    if not moment.sheet.mission.upgrade:
        reason = Refusal("no upgrade is due: the ship gets one after each successful mission", "VK-51")
        return (Move("upgrade", (), "Upgrade the ship", blocked=reason, about=("ship",)),)
    moves = []
    for bay in Bay:
        module = moment.ship.modules.get(bay, Module())
        label = f"Upgrade slot {bay}: {module.name}" if module.name else f"New module in slot {bay}"
        upgrade = Move("upgrade", (f"#{bay}",), label, _asks(module), about=(f"ship.modules.{bay}",), key=bay.value)
        moves.append(replace(upgrade, heading=f"Slot {bay} upgraded" if module.name else ""))
    return tuple(map(as_offer, moves)) if isinstance(moment.top, Advancing) else tuple(moves)


def upgrade(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Add or change one module after a successful mission (VK-51)."""
    bay = Bay(move.words[0].removeprefix("#"))
    new = _rebuilt(moment.ship.modules.get(bay, Module()), answers)
    return (
        moment.with_module(bay, new)
        .with_mission(upgrade=False)
        .says(f"Upgrade in slot {bay}: {_module_text(new)}", "VK-51")
    )


CHAPTER = Chapter(
    offers=offers,
    plays={"use": use, "refill": refill, "repair": repair, "jury-rig": jury_rig, "upgrade": upgrade},
)
