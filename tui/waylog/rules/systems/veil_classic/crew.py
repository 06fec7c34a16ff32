"""The crew: new members, grit, days that pass, and tokens spent in the story (VC-03, VC-21…VC-23)."""

from __future__ import annotations

from waylog.rules.kit import Chapter
from waylog.rules.model.clocks import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Number, Refusal, Text
from waylog.rules.systems._veil_hits import damage
from waylog.rules.systems._veil_hits.damage import SHIP, deal, lose_token, now
from waylog.rules.systems._veil_hits.moment import ALL, HeldToken, Moment, crew_letters, crew_words, members_named
from waylog.rules.systems.veil_classic import shunts
from waylog.rules.systems.veil_classic.rolls import member_of, personal
from waylog.rules.systems.veil_classic.sheet import Member
from waylog.values import replace

_MOST_AWARDED = 99
_AWARD = (Number("count", "How many", 1, _MOST_AWARDED, 1), Text("reason", "Reason"))
_SPENT = {HeldToken.ENGINEERING: "VC-21", HeldToken.RESERVES: "VC-23"}
"""The tokens that can be spent in the story, with their clauses."""


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer a day to pass, tokens to spend, grit to award, rest, and a new crew member."""
    tired = [key for key in moment.crew() if personal(moment, key) < moment.rules.personal_dice]
    nobody = None if tired else Refusal("nobody has lost a personal die", "VC-03")
    empty = None if moment.crew() else Refusal("there is no crew yet", "VC-03")
    able = any(personal(moment, key) for key in moment.crew())
    drained = None if able else Refusal("nobody in the crew has a personal die to lose", "VC-03")
    name = (Text("name", "Name", required=True),)
    letters = crew_letters(moment)
    return (
        Move("day", ("passes",), "Let a day pass", about=("crew", f"ship.tokens.{HeldToken.SUPPLIES}"), effect=True),
        *(_spend(moment, token, clause) for token, clause in _SPENT.items()),
        Move("join", (), "Add a crew member", name, about=("crew",)),
        Move("rest", (ALL,), "Everyone rests (personal dice)", blocked=nobody, about=("crew",), effect=True),
        Move("grit", (ALL,), "Award grit to everyone", _AWARD, empty, about=("crew",), effect=True),
        Move("damage", (ALL,), "Take a personal die from everyone", blocked=drained, about=("crew",), effect=True),
        *(
            move
            for word, key in crew_words(moment).items()
            for move in _of(moment, word, key, letters[key], key in tired)
        ),
    )


def _spend(moment: Moment, token: HeldToken, clause: str) -> Move:
    gone = None if moment.holds(token) else Refusal(f"{now(token).lower()} lost", clause)
    reason = (Text("reason", "Reason", required=True),)
    label = f"Spend {token.value} in the story"
    return Move("spend", (token.value,), label, reason, gone, about=(f"ship.tokens.{token}",))


def _of(moment: Moment, word: str, who: str, letter: str, tired: bool) -> tuple[Move, ...]:
    name, about = moment.name(who), (f"crew.{who}",)
    rested = None if tired else Refusal(f"{name} has all personal dice", "VC-03")
    spent = None if personal(moment, who) else Refusal(f"{name} has no personal die left to lose", "VC-03")
    return (
        Move("grit", (word,), f"Award grit to {name}", _AWARD, about=about, effect=True, key=letter),
        Move("rest", (word,), f"{name} rests (personal dice)", blocked=rested, about=about, effect=True, key=letter),
        Move("damage", (word,), f"Take a personal die from {name}", blocked=spent, about=about, effect=True),
    )


def day(moment: Moment, _move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `day passes`: without supplies, everyone loses a personal die (VC-22)."""
    if moment.holds(HeldToken.SUPPLIES):
        return moment.says("A day passes", "VC-22")
    moment = moment.says("A day passes without supplies", "VC-22")
    for who in moment.crew():
        left = personal(moment, who) - 1
        if left < 0:
            moment = moment.says(f"{moment.name(who)} has no personal die left to lose", "VC-22")
            continue
        moment = moment.with_member(who, replace(member_of(moment, who), personal=left))
        moment = moment.says(f"{moment.name(who)} loses a personal die ({left} left)", "VC-22")
    return moment


def spend(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `spend reserves "berths at Amity, no questions"`: spend a token for a reason (VC-21, VC-23)."""
    token = HeldToken(move.words[0])
    return lose_token(moment, token, f"spent: {str(answers['reason']).strip()}", _SPENT[token])


def restore_any(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Play `restore reserves "the fee is paid"` or `restore die engines "a spare"`, as the wayfinder decides (VC-14,
    VC-23).
    """
    if move.words == ("die",):
        return shunts.restore_die(moment, answers)
    return damage.restore(moment, move, answers, dice)


def grit(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `grit mara "her flaw got the better of her"`, `grit mara 2` or `grit all` (VC-03)."""
    count = int(str(answers["count"]))
    reason = str(answers.get("reason", "")).strip()
    why = f": {reason}" if reason else ""
    for who in members_named(moment, move.words[0]):
        member = member_of(moment, who)
        moment = moment.with_member(who, replace(member, grit=member.grit + count))
        moment = moment.says(f"{moment.name(who)}: grit +{count}, now {member.grit + count}{why}", "VC-03")
    return moment


def deal_damage(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Play `damage ship`; or `damage mara` or `damage all`, which cost a personal die each (VC-03). May raise
    `DiceWanted`.
    """
    if move.words[0] == SHIP:
        return deal(moment, move, answers, dice)
    for who in members_named(moment, move.words[0]):
        if count := personal(moment, who):
            moment = moment.with_member(who, replace(member_of(moment, who), personal=count - 1))
            moment = moment.says(f"{moment.name(who)} loses a personal die ({count - 1} left)", "NM-17")
    return moment


def rest(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `rest mara` or `rest all`: restore personal dice, as the wayfinder decides (VC-03)."""
    most: int = moment.rules.personal_dice
    for who in members_named(moment, move.words[0]):
        count = personal(moment, who)
        if count < most:
            moment = moment.with_member(who, replace(member_of(moment, who), personal=most))
            moment = moment.says(f"{moment.name(who)} rests: personal dice {count} → {most}", "VC-03")
    return moment


def join(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Add a crew member, rested (VC-03)."""
    name, rules = str(answers["name"]).strip(), moment.rules
    member = Member(name, personal=rules.personal_dice, grit=rules.grit)
    after = moment.with_member(new_key(name, moment.crew()), member)
    return after.says(f"{name} joins the crew with {rules.personal_dice} personal dice", "VC-03")


CHAPTER = Chapter(
    offers=offers,
    plays={
        "day": day,
        "spend": spend,
        "join": join,
        "grit": grit,
        "rest": rest,
        "damage": deal_damage,
        "restore": restore_any,
    },
)
