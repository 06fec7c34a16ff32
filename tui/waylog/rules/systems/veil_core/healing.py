"""Healing a crewmate, and the price for the healer (VK-44, VK-45)."""

from __future__ import annotations

from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart
from waylog.rules.model.moves import Answers, Move, Refusal
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.veil_core.crew import mission_end_reason
from waylog.rules.systems.veil_core.focus import spend_focus
from waylog.rules.systems.veil_core.roll_moves import HEEDED, cannot_roll, crew_asks, roll_crew
from waylog.rules.systems.veil_core.rolls import Pool, crew_pool
from waylog.rules.systems.veil_core.stages_and_typed_names import (
    Call,
    Debt,
    Hit,
    Moment,
    Purpose,
    RollRequest,
    crew_words,
    keep_in_crew,
    who_is,
)


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer `heal lars by-mara`, for each hurt member and each crewmate who could heal them."""
    words = crew_words(moment)
    hurt = [(word, key) for word, key in words.items() if moment.member(key).vitality < moment.rules.vitality]
    if not hurt:
        reason = Refusal("everyone is at full vitality", "VK-44")
        return (Move("heal", (), "Heal a crewmate", blocked=reason),)
    return tuple(
        Move(
            "heal",
            (word, f"by-{by}"),
            f"{moment.name(healer)} treats {moment.name(mate)} (only out of danger)",
            crew_asks(moment, healer, Call.STANDARD, healing=True),
            mission_end_reason(moment) or cannot_roll(moment, healer) or _no_focus(moment, healer),
            rolls=True,
            heeds=HEEDED,
            about=(f"crew.{mate}", f"crew.{healer}"),
        )
        for word, mate in hurt
        for by, healer in words.items()
        if healer != mate
    )


def _no_focus(moment: Moment, healer: str) -> Refusal | None:
    if moment.focus(healer):
        return None
    return Refusal(f"{moment.name(healer)} has no Focus to spend (a Fiasco would earn one)", "VK-44")


def pool_of(moment: Moment, move: Move, answers: Answers) -> Pool:
    """Return the healer's dice. Raises `ActRefused`."""
    mate, healer = who_is(moment, move.words[0]), who_is(moment, move.words[1].removeprefix("by-"))
    return crew_pool(moment, RollRequest(healer, purpose=Purpose.HEAL, mate=mate), answers)


def play(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Spend 1 Focus and make a crew roll to heal. Raises `ActRefused` or `DiceWanted`."""
    pool = pool_of(moment, move, answers)
    treats = moment.says(f"{moment.name(pool.roll.who)} treats {moment.name(pool.roll.mate)}", "VK-44", NotePart.DEED)
    return roll_crew(spend_focus(treats, pool.roll.who, 1, "VK-44"), pool, answers, dice)


def question(moment: Moment, debt: Debt) -> str:
    """Ask how the healer pays."""
    return f"{moment.name(debt.who)} pays for the treatment: 1 more Focus, or damage?"


def answers(moment: Moment, debt: Debt) -> tuple[Move, ...]:
    """Offer `pay` or `suffer`."""
    about = (f"crew.{debt.who}",)
    count = moment.focus(debt.who)
    pay = (Move("pay", (), f"Spend 1 Focus ({count} left)", about=about, key="p"),) if count else ()
    return (*pay, Move("suffer", (), f"{moment.name(debt.who)} takes damage", about=about, key="s"))


def answer(moment: Moment, debt: Debt, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Pay, or take damage."""
    if move.verb == "pay":
        return spend_focus(moment.closes(), debt.who, 1, "VK-44")
    return moment.closes().then(Hit(debt.who))


def cannot_pay(moment: Moment, debt: Debt, _dice: Dice) -> Moment:
    """Deal damage to a healer without Focus to pay (VK-45)."""
    after = moment.says(f"{moment.name(debt.who)} has no Focus left and takes damage", "VK-45")
    return after.closes().then(Hit(debt.who))


CHAPTER = Chapter(
    offers=offers,
    plays={"heal": play},
    stages=(
        StageRules(
            Debt,
            question,
            answers,
            answer,
            choices=lambda moment, debt: moment.focus(debt.who) > 0,
            automatic=cannot_pay,
            keep=keep_in_crew,
        ),
    ),
)
