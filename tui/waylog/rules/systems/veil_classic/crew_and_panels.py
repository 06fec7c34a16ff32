"""The crew: new members, grit, days that pass, and tokens spent in the story (VC-03, VC-21…VC-23).

The panels of the sheet, for the ship and crew tabs; and the faults in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import in_short
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Number, Refusal, Text
from waylog.rules.model.panels import Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.rulebook import Chapter
from waylog.rules.systems._veil_older_editions import crew_damage_rest_and_panels, damage
from waylog.rules.systems._veil_older_editions.crew_damage_rest_and_panels import (
    count_dice,
    damage_move,
    find_excess,
    join_move,
    lose_die,
    member_tags,
    rest_move,
    ship_panels,
)
from waylog.rules.systems._veil_older_editions.damage import lose_token, now
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    ALL,
    HeldToken,
    Moment,
    crew_letters,
    crew_words,
    members_named,
    times,
)
from waylog.rules.systems.veil_classic import shunts
from waylog.rules.systems.veil_classic.sheet import Member, member_of
from waylog.rules.systems.veil_classic.shunts import ship_of, without_sharing
from waylog.values import replace

_MOST_AWARDED = 99
_AWARD = (Number("count", "How many", 1, _MOST_AWARDED, 1), Text("reason", "Reason"))
_SPENT = {HeldToken.ENGINEERING: "VC-21", HeldToken.RESERVES: "VC-23"}
"""The tokens that can be spent in the story, with their clauses."""


def offers(moment: Moment) -> Iterator[Move]:
    """Offer a day to pass, tokens to spend, grit to award, rest, and a new crew member."""
    empty = None if moment.crew() else Refusal("there is no crew yet", "VC-03")
    affected = ("crew", f"ship.tokens.{HeldToken.SUPPLIES}")
    yield Move("day", ("passes",), "Let a day pass", about=affected, effect=True, heading="A day passes")
    for token, clause in _SPENT.items():
        gone = None if moment.holds(token) else Refusal(f"{now(token).lower()} already lost", clause)
        reason, label = (Text("reason", "Reason", required=True),), f"Spend {token.value} in the story"
        heading = f"{token.value.capitalize()} spent in the story"
        yield Move("spend", (token.value,), label, reason, gone, about=(f"ship.tokens.{token}",), heading=heading)
    yield join_move(moment)
    yield rest_move(moment)
    grit = Move("grit", (ALL,), "Award grit to everyone", _AWARD, empty, about=("crew",), effect=True)
    yield replace(grit, heading="Everyone gains grit")
    yield damage_move(moment)
    letters = crew_letters(moment)
    for word, key in crew_words(moment).items():
        label, about = f"Award grit to {moment.name(key)}", (f"crew.{key}",)
        heading = f"{moment.name(key)} gains grit"
        yield Move("grit", (word,), label, _AWARD, about=about, effect=True, key=letters[key], heading=heading)
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
        "rest": lambda moment, move, _answers, _dice: crew_damage_rest_and_panels.rest(moment, move.words[0]),
        "damage": crew_damage_rest_and_panels.deal_damage,
        "restore": restore_any,
    },
)


def faults(moment: Moment) -> Iterator[Fault]:
    """Yield everything that breaks a clause but doesn't stop play."""
    yield from count_dice(moment, ship_of(moment).dice_lost)
    for key in moment.crew():
        yield from find_excess(moment, key)


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels: the ship, its systems with the number of lost dice (VC-14), tokens and modules; then each crew member."""
    moment, ship = without_sharing(moment), ship_of(moment)
    lost = (TextRow("ship.dice_lost", "Dice lost", str(ship.dice_lost), Tone.WARN),) if ship.dice_lost > 0 else ()
    shown = ship_panels(moment, Tag(ship.state, Tone.DIM), lost=lost)
    return (*shown, *(_member(moment, key) for key in moment.crew()))


def _member(moment: Moment, key: str) -> Panel:
    row, member = f"crew.{key}", member_of(moment, key)
    pairs = (
        ("background", _panel_text((member.background, *member.backgrounds))),
        ("skill", _panel_text((member.skill, *member.skills))),
        ("flaw", member.flaw),
    )
    rows: tuple[Row, ...] = (
        *(TextRow(f"{row}.{name}", name.capitalize(), text) for name, text in pairs if text),
        PipsRow(f"{row}.personal", "Personal", member.personal, moment.rules.personal_dice, rank=Rank.VITAL),
        TextRow(f"{row}.grit", "Grit", times(member.grit, "token") if member.grit else "none", rank=Rank.VITAL),
    )
    return Panel(row, "crew", member.name or key, rows, member_tags(moment, key), role=in_short(member.background))


def _panel_text(texts: tuple[str, ...]) -> str:
    return "; ".join(text for text in texts if text)
