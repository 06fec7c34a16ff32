"""Healing a crew mate, and what it may cost the healer (VK-44, VK-45)."""

from __future__ import annotations

from waylog.rules.dice import Dice
from waylog.rules.facts import NotePart
from waylog.rules.kit import Chapter, StageRules
from waylog.rules.moves import Answers, Move, Refusal
from waylog.rules.systems.veil_core.crew import mission_end_reason
from waylog.rules.systems.veil_core.moment import Moment, crew_words, keep_in_crew, who_is
from waylog.rules.systems.veil_core.roll_moves import HEEDED, cannot_roll, crew_asks, roll_crew
from waylog.rules.systems.veil_core.rolls import Pool, crew_pool
from waylog.rules.systems.veil_core.sheet import TOP_VITALITY
from waylog.rules.systems.veil_core.stages import Call, Debt, Hit, Purpose, RollRequest


def offers(moment: Moment) -> tuple[Move, ...]:
    """`heal lars by-mara`: for everyone who is hurt, each mate who could be the healer."""
    words = crew_words(moment)
    hurt = [(word, key) for word, key in words.items() if moment.member(key).vitality < TOP_VITALITY]
    if not hurt:
        reason = Refusal(f"nobody in the crew is below {TOP_VITALITY} vitality", "VK-44")
        return (Move("heal", (), "Heal a crew mate", blocked=reason),)
    return tuple(
        Move(
            "heal",
            (word, f"by-{by}"),
            f"{moment.name(healer)} heals {moment.name(mate)}, out of danger",
            crew_asks(moment, healer, Call.STANDARD, healing=True),
            _cannot_heal(moment, healer),
            rolls=True,
            heeds=HEEDED,
            about=(f"crew.{mate}", f"crew.{healer}"),
        )
        for word, mate in hurt
        for by, healer in words.items()
        if healer != mate
    )


def _cannot_heal(moment: Moment, healer: str) -> Refusal | None:
    no = mission_end_reason(moment) or cannot_roll(moment, healer)
    if no is None and not moment.focus(healer):
        return Refusal(f"{moment.name(healer)} has no Focus token to spend on it; a Fiasco would earn one", "VK-44")
    return no


def pool_of(moment: Moment, move: Move, answers: Answers) -> Pool:
    """The dice that the healer would throw. Raises `ActRefused`."""
    mate, healer = who_is(moment, move.words[0]), who_is(moment, move.words[1].removeprefix("by-"))
    return crew_pool(moment, RollRequest(healer, purpose=Purpose.HEAL, mate=mate), answers)


def play(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """A Focus token of the healer's, and a crew roll. Raises `ActRefused` or `DiceWanted`."""
    pool = pool_of(moment, move, answers)
    treats = moment.says(f"{moment.name(pool.roll.who)} treats {moment.name(pool.roll.mate)}", "VK-44", NotePart.DEED)
    return roll_crew(treats.spends(pool.roll.who, 1, "VK-44"), pool, answers, dice)


def question(moment: Moment, debt: Debt) -> str:
    """What the healer owes."""
    return f"{moment.name(debt.who)}: spend another Focus token, or take damage?"


def answers(moment: Moment, debt: Debt) -> tuple[Move, ...]:
    """`pay`, or `suffer`."""
    about = (f"crew.{debt.who}",)
    count = moment.focus(debt.who)
    pay = (Move("pay", (), f"Spend a Focus token ({count} in hand)", about=about, key="p"),) if count else ()
    return (*pay, Move("suffer", (), f"{moment.name(debt.who)} takes damage", about=about, key="s"))


def answer(moment: Moment, debt: Debt, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """The healer pays, or is hurt."""
    if move.verb == "pay":
        return moment.closes().spends(debt.who, 1, "VK-44")
    return moment.closes().then(Hit(debt.who))


def cannot_pay(moment: Moment, debt: Debt, _dice: Dice) -> Moment:
    """With no token to spend, it is damage (VK-45)."""
    after = moment.says(f"{moment.name(debt.who)} has no Focus token left, so it is damage", "VK-45")
    return after.closes().then(Hit(debt.who))


def _can_pay(moment: Moment, debt: Debt) -> int:
    return moment.focus(debt.who)


CHAPTER = Chapter(
    offers=offers,
    plays={"heal": play},
    stages=(StageRules(Debt, question, answers, answer, choices=_can_pay, automatic=cannot_pay, keep=keep_in_crew),),
)
