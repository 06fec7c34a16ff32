"""The crew: new members, grit, days that pass, and tokens spent in the story (VC-03, VC-21…VC-23)."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.model.clocks import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Number, Refusal, Text
from waylog.rules.rulebook import Chapter
from waylog.rules.systems._veil_older_editions import crew, damage
from waylog.rules.systems._veil_older_editions.crew import JOIN, damage_move, lose_die, rest_move
from waylog.rules.systems._veil_older_editions.damage import lose_token, now
from waylog.rules.systems._veil_older_editions.ship_and_typed_names import (
    ALL,
    HeldToken,
    Moment,
    crew_letters,
    crew_words,
    members_named,
)
from waylog.rules.systems.veil_classic import shunts
from waylog.rules.systems.veil_classic.sheet import Member, member_of
from waylog.values import replace

_MOST_AWARDED = 99
_AWARD = (Number("count", "How many", 1, _MOST_AWARDED, 1), Text("reason", "Reason"))
_SPENT = {HeldToken.ENGINEERING: "VC-21", HeldToken.RESERVES: "VC-23"}
"""The tokens that can be spent in the story, with their clauses."""


def offers(moment: Moment) -> Iterator[Move]:
    """Offer a day to pass, tokens to spend, grit to award, rest, and a new crew member."""
    empty = None if moment.crew() else Refusal("there is no crew yet", "VC-03")
    yield Move("day", ("passes",), "Let a day pass", about=("crew", f"ship.tokens.{HeldToken.SUPPLIES}"), effect=True)
    for token, clause in _SPENT.items():
        gone = None if moment.holds(token) else Refusal(f"{now(token).lower()} already lost", clause)
        reason, label = (Text("reason", "Reason", required=True),), f"Spend {token.value} in the story"
        yield Move("spend", (token.value,), label, reason, gone, about=(f"ship.tokens.{token}",))
    yield JOIN
    yield rest_move(moment)
    yield Move("grit", (ALL,), "Award grit to everyone", _AWARD, empty, about=("crew",), effect=True)
    yield damage_move(moment)
    letters = crew_letters(moment)
    for word, key in crew_words(moment).items():
        label, about = f"Award grit to {moment.name(key)}", (f"crew.{key}",)
        yield Move("grit", (word,), label, _AWARD, about=about, effect=True, key=letters[key])
        yield rest_move(moment, word, key, letters[key])
        yield damage_move(moment, word, key)


def day(moment: Moment, _move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `day passes`: without supplies, everyone loses a personal die (VC-22)."""
    if moment.holds(HeldToken.SUPPLIES):
        return moment.says("A day passes", "VC-22")
    moment = moment.says("A day passes without supplies", "VC-22")
    for who in moment.crew():
        if moment.personal(who):
            moment = lose_die(moment, who, "VC-22")
        else:
            moment = moment.says(f"{moment.name(who)} has no personal dice left to lose", "VC-22")
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
    why = f" ({reason})" if reason else ""
    for who in members_named(moment, move.words[0]):
        member = member_of(moment, who)
        moment = moment.with_member(who, replace(member, grit=member.grit + count))
        moment = moment.says(f"{moment.name(who)}: grit +{count}, now {member.grit + count}{why}", "VC-03")
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
        "rest": lambda moment, move, _answers, _dice: crew.rest(moment, move.words[0]),
        "damage": crew.deal_damage,
        "restore": restore_any,
    },
)
