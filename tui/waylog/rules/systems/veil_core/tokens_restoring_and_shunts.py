"""The ship's tokens: lose, spend and restore them (VK-35…VK-39).

Shunts (VK-33): who pays for one, and the dice that are redistributed; and the ship's mode, in which one may be free (VK-34).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.codec.changes import join_names
from waylog.rules.model.answers import with_reason
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart
from waylog.rules.model.moves import Allocate, AllocationSlot, Answers, Move, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.veil_core import story_awards_and_losses
from waylog.rules.systems.veil_core.crew_focus_and_mission_end import mission_end_reason, spend_focus
from waylog.rules.systems.veil_core.damage import part_name, set_part, works
from waylog.rules.systems.veil_core.sheet import Advancement, Core, ShipToken, SuitPart
from waylog.rules.systems.veil_core.state_stages_and_typed_names import (
    SHIP,
    LifeSupportChoice,
    Moment,
    Settled,
    crew_letters,
    crew_words,
    who_is,
)
from waylog.values import replace

TOKEN_WORDS: Mapping[str, ShipToken] = {token.value.replace("_", "-"): token for token in ShipToken}
_WORDS = {token: word for word, token in TOKEN_WORDS.items()}
_NAMES: Mapping[ShipToken, str] = {
    ShipToken.LIFE_SUPPORT: "life support",
    ShipToken.INTEGRITY: "integrity",
    ShipToken.ENGINEERING: "engineering",
}
_ARMOUR = "armour"
_LOSS: Mapping[ShipToken, tuple[str, str]] = {
    ShipToken.LIFE_SUPPORT: ("The whole crew is Exposed", "VK-37"),
    ShipToken.INTEGRITY: ("The next damage hits a module", "VK-31"),
    ShipToken.ENGINEERING: ("Every ship roll is Desperate", "VK-17"),
}


def foresee_loss(moment: Moment, token: ShipToken) -> str:
    """Return what it means to lose a token, as a forecast; empty if it has no effect by house rule."""
    means, _ = _LOSS[token]
    return means[:1].lower() + means[1:] if loss_matters(moment, token) else ""


def loss_matters(moment: Moment, token: ShipToken) -> bool:
    """Whether the loss of a token changes anything by itself."""
    return token is not ShipToken.ENGINEERING or moment.rules.engineering_lost == "desperate"


def offer_tokens(moment: Moment) -> tuple[Move, ...]:
    """Offer tokens to lose, to spend for the crew, and to restore; suits and tools."""
    return (*_losses(moment), *_restores(moment), *_repairs(moment))


def holds(moment: Moment, token: ShipToken) -> bool:
    """Whether the ship holds that token."""
    is_held: bool = getattr(moment.ship.tokens, token.value)
    return is_held


def _losses(moment: Moment) -> Iterator[Move]:
    """Offer tokens to lose, and life support to spend for the crew."""
    for word, token in TOKEN_WORDS.items():
        gone = None if holds(moment, token) else Refusal(f"{_NAMES[token]} is already lost", "VK-03")
        label, about = f"Lose {_NAMES[token]}", (f"ship.tokens.{token}",)
        lose = Move(
            "lose", (word,), label, blocked=gone, about=about, effect=True, forecast=foresee_loss(moment, token)
        )
        yield replace(lose, heading=f"{_NAMES[token].capitalize()} lost")
    gone = None if holds(moment, ShipToken.LIFE_SUPPORT) else Refusal("life support is lost", "VK-38")
    label, about = "Spend life support: everyone aboard recovers", (f"ship.tokens.{ShipToken.LIFE_SUPPORT}",)
    spend = Move("spend", (_WORDS[ShipToken.LIFE_SUPPORT],), label, blocked=gone, about=about)
    yield replace(spend, heading="Life support is spent to help the crew")


def _restores(moment: Moment) -> tuple[Move, ...]:
    reason = (Text("reason", "Reason (goes into the log)"),)
    lost = tuple(
        Move(
            "restore",
            (word,),
            f"Restore {_NAMES[token]}",
            reason,
            Refusal(f"{_NAMES[token]} is not lost", "VK-39") if holds(moment, token) else None,
            about=(f"ship.tokens.{token}",),
            effect=True,
            heading=f"{_NAMES[token].capitalize()} restored",
        )
        for word, token in TOKEN_WORDS.items()
    )
    whole = None if moment.ship.wrecked else Refusal("the ship is not Wrecked", "VK-32")
    return (
        *lost,
        Move(
            "restore",
            ("ship",),
            "Restore the ship from Wrecked",
            reason,
            whole,
            about=("ship",),
            effect=True,
            heading="The ship is restored from Wrecked",
        ),
    )


_PART_WORDS: Mapping[str, SuitPart] = {
    "suit": SuitPart.LIFE_SUPPORT,
    "primary": SuitPart.PRIMARY,
    "secondary": SuitPart.SECONDARY,
}


def _repairs(moment: Moment) -> Iterator[Move]:
    """Offer what each member wears and carries, to repair it for a reason (NM-17)."""
    reason = (Text("reason", "Reason (goes into the log)"),)
    for who, key in crew_words(moment).items():
        for word, part in _PART_WORDS.items():
            name = _thing(moment, key, part)
            whole = Refusal(f"{name} doesn't need repair", "VK-40") if works(moment, key, part) else None
            about = (f"crew.{key}.{part}",)
            repair = Move("restore", (word, who), f"Repair {name}", reason, whole, about=about, effect=True)
            yield replace(repair, heading=f"{name} repaired")
        if moment.has(key, Advancement.ABLATIVE_ARMOUR):
            name, about = f"{moment.name(key)}'s ablative armour", (f"crew.{key}.ablative",)
            whole = Refusal(f"{name} doesn't need repair", "VK-68") if moment.member(key).ablative else None
            repair = Move("restore", (_ARMOUR, who), f"Repair {name}", reason, whole, about=about, effect=True)
            yield replace(repair, heading=f"{name} repaired")


def _thing(moment: Moment, who: str, part: SuitPart) -> str:
    name = "suit" if part is SuitPart.LIFE_SUPPORT else part_name(moment, who, part).removeprefix("the ")
    return f"{moment.name(who)}'s {name}"


def lose_token(moment: Moment, token: ShipToken, how: str, clause: str, *, spent: bool = False) -> Moment:
    """Lose a token, and say what that means. Life support that was `spent` for the crew may leave them safe (VK-38)."""
    values = {token.value: False, **({"life_support_spent": spent} if token is ShipToken.LIFE_SUPPORT else {})}
    after = moment.with_ship(tokens=replace(moment.ship.tokens, **values))
    after = after.says(f"{_NAMES[token].capitalize()} {how}", clause)
    if spent and after.rules.life_support_spent == "safe":
        return after
    return after.says(*_LOSS[token]) if loss_matters(after, token) else after


def lose(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `lose TOKEN`: the ship loses the token that the move names (VK-03)."""
    return lose_token(moment, TOKEN_WORDS[move.words[0]], "is lost", "VK-03")


def restore(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Restore a token or a Wrecked ship, for a reason (VK-39). Vitality and modules are restored in the same way
    (NM-17).
    """
    match move.words[0]:
        case story_awards_and_losses.VITALITY:
            return _without_leave(story_awards_and_losses.restore_vitality(moment, move, answers))
        case story_awards_and_losses.MODULE:
            return story_awards_and_losses.restore_module(moment, move, answers)
        case word if word in _PART_WORDS:
            who, part = who_is(moment, move.words[1]), _PART_WORDS[word]
            text = with_reason(f"{_thing(moment, who, part)} is repaired", answers)
            return set_part(moment, who, part, works=True).says(text, "NM-17")
        case word if word == _ARMOUR:
            who = who_is(moment, move.words[1])
            text = with_reason(f"{moment.name(who)}'s ablative armour is repaired", answers)
            return moment.with_member(who, ablative=True).says(text, "NM-17")
        case _:
            pass
    if move.words[0] == "ship":
        text = with_reason("The ship is no longer Wrecked", answers)
        return _without_leave(moment.with_ship(wrecked=False)).says(text, "VK-32")
    token = TOKEN_WORDS[move.words[0]]
    values = {token.value: True, **({"life_support_spent": False} if token is ShipToken.LIFE_SUPPORT else {})}
    back = moment.with_ship(tokens=replace(moment.ship.tokens, **values))
    return back.says(with_reason(f"{_NAMES[token].capitalize()} restored", answers), "VK-39")


def _without_leave(moment: Moment) -> Moment:
    """Withdraw the leave to carry on, unless something else has ended the mission too."""
    without = moment.with_mission(carry_on=False)
    return moment if mission_end_reason(without) else without


# -- life support, spent for the crew (VK-38) ------------------------------------------------------------------------


def spend_life_support(moment: Moment, _move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Spend life support: members who are Down and Out recover, the others aboard choose (VK-38)."""
    moment = lose_token(moment, ShipToken.LIFE_SUPPORT, "is spent to help the crew", "VK-38", spent=True)
    choosing = []
    for key, member in moment.crew():
        if not member.aboard and moment.rules.life_support_reaches == "aboard":
            continue
        if member.down:
            moment = moment.with_member(key, vitality=moment.rules.vitality)
            moment = moment.says(f"{member.name or key} recovers to {moment.rules.vitality} vitality", "VK-38")
        else:
            choosing.append(key)
    return moment.then(LifeSupportChoice(tuple(choosing)))


def recoveries(moment: Moment, who: str) -> tuple[Option, ...]:
    """Return what spent life support could do for someone."""
    member, name = moment.member(who), moment.name(who)
    options = []
    if member.vitality < moment.rules.vitality:
        options.append(
            Option("vitality", f"{name} is back to {moment.rules.vitality} vitality", f"from {member.vitality}")
        )
    return (
        *options,
        *(
            Option(part.value.replace("_", "-"), f"Repair {part_name(moment, who, part)}")
            for part in SuitPart
            if not works(moment, who, part)
        ),
    )


def members_to_choose(moment: Moment, recovery: LifeSupportChoice) -> tuple[str, ...]:
    """Return those who still have a choice."""
    crew = dict(moment.crew())
    return tuple(who for who in recovery.waiting if who in crew and len(recoveries(moment, who)) > 1)


def recovery_question(moment: Moment, recovery: LifeSupportChoice) -> str:
    """Return the question of what life support restores once it is spent, with the names of those who choose (VK-38)."""
    names = join_names(moment.name(who) for who in members_to_choose(moment, recovery))
    return f"Life support spent. {names or 'Nobody'}: restore vitality, or repair a suit system?"


def recovery_answers(moment: Moment, recovery: LifeSupportChoice) -> tuple[Move, ...]:
    """Offer `recover NAME` for each who may choose, which asks for vitality or a suit system."""
    letters, left = crew_letters(moment), members_to_choose(moment, recovery)
    moves = tuple(
        Move(
            "recover",
            (word,),
            f"{moment.name(key)} recovers",
            (PickOne("what", "Restore", recoveries(moment, key), clause="VK-38"),),
            about=(f"crew.{key}",),
            key=letters[key],
        )
        for word, key in crew_words(moment).items()
        if key in left
    )
    return moves or (Move("finish", (), "Nobody has a choice left"),)


def answer_recovery(moment: Moment, recovery: LifeSupportChoice, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Apply one member's choice."""
    if move.verb == "finish":
        return moment.closes()
    who = who_is(moment, move.words[0])
    left = LifeSupportChoice(tuple(key for key in recovery.waiting if key != who))
    return apply_recovery(moment.closes().then(left), who, str(answers["what"]))


def apply_recovery(moment: Moment, who: str, what: str) -> Moment:
    """Restore someone's vitality, or one of their suit systems (VK-38)."""
    if what == "vitality":
        after = moment.with_member(who, vitality=moment.rules.vitality)
        return after.says(f"{moment.name(who)} is back to {moment.rules.vitality} vitality", "VK-38")
    part = SuitPart(what.replace("-", "_"))
    after = set_part(moment, who, part, works=True)
    return after.says(f"{moment.name(who)}'s {part_name(moment, who, part)} is repaired", "VK-38")


def without_choice(moment: Moment, recovery: LifeSupportChoice, _dice: Dice) -> Moment:
    """Give everyone who has only one possibility that one, and close the stage."""
    after = moment.closes()
    for who in recovery.waiting:
        if who in dict(after.crew()) and len(options := recoveries(after, who)) == 1:
            after = apply_recovery(after, who, options[0].word)
    return after


def offer_shunts(moment: Moment) -> tuple[Move, ...]:
    """Offer a shunt, and the ship's other mode."""
    other = "action" if moment.ship.state == "downtime" else "downtime"
    return (
        shunt_offer(moment),
        Move("state", (other,), f"Switch to {other}", about=("ship",), heading=f"Mode: {other}"),
    )


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
        f"System shunt ({_COSTS[usual or 'engineering']}): redistribute the CORE dice",
        asks,
        None if permits else _no_shunt(moment),
        follows=any(word in ("critical", "focus") for word in permits),
        anytime=True,
        about=("ship.core", *(f"ship.core.{system}" for system in Core)),
        offer="S",
        title="System shunt",
    )


_COSTS: Mapping[str, str] = {
    "downtime": "in downtime",
    "critical": "after a Critical success",
    "focus": "costs 1 Focus",
    "engineering": "costs engineering",
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


def offers(moment: Moment) -> Iterator[Move]:
    """Offer what tokens and restoring allow, then a shunt and the ship's other mode."""
    yield from offer_tokens(moment)
    yield from offer_shunts(moment)


CHAPTER = Chapter(
    offers=offers,
    plays={"lose": lose, "restore": restore, "spend": spend_life_support, "shunt": shunt, "state": state},
    stages=(
        StageRules(
            LifeSupportChoice,
            recovery_question,
            recovery_answers,
            answer_recovery,
            choices=members_to_choose,
            automatic=without_choice,
        ),
        StageRules(Settled),
    ),
    anytime=lambda moment: (shunt_offer(moment),),
)
