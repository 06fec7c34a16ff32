"""The smallest game that has everything the contract knows: a roll, a choice after it, damage, a forced refusal."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Annotated, Literal

from waylog.rules.codec.base_and_limits import Between
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Refusal, RollKey
from waylog.rules.model.odds import Chance, Odds, Ratio, Spread
from waylog.rules.model.panels import Panel, PipsRow
from waylog.rules.rulebook import Chapter, CommonHouseRules, MomentBase, Rulebook, StageRules
from waylog.values import dataclass, replace


@dataclass(frozen=True)
class Boat:
    """It floats."""

    hull: Annotated[int, Between(0, 3, "SG-01"), "How whole it is"] = 3
    luck: Annotated[int, Between(0, 3)] = 0


@dataclass(frozen=True)
class Harbour:
    """The sheet."""

    boat: Boat = Boat()


@dataclass(frozen=True)
class HouseRules(CommonHouseRules):
    """How it is played."""

    damage: Annotated[Literal[1, 2], "What a hit costs"] = 1


@dataclass(frozen=True)
class Lucky:
    """A roll of `face` that luck may still raise."""

    TAG = "lucky"

    face: int = 0


_MOODS = {
    1: OutcomeGrade.FIASCO,
    2: OutcomeGrade.FIASCO,
    3: OutcomeGrade.FIASCO,
    4: OutcomeGrade.DRAWBACK,
    5: OutcomeGrade.SUCCESS,
    6: OutcomeGrade.CRITICAL,
}
_RISK = PickOne("call", "Call", (Option("calm", "Calm"), Option("wild", "Wild")), "calm")


class _Moment(MomentBase):
    """The boat as a move finds it."""

    sheet: Harbour
    rules: HouseRules


def _offers(moment: _Moment) -> Iterable[Move]:
    """Row, or be hit."""
    sunk = Refusal("the boat has sunk", "SG-01") if moment.sheet.boat.hull == 0 else None
    yield Move("row", ("boat",), "Row", (_RISK,), blocked=sunk, rolls=True, key="b")
    yield Move("damage", ("boat",), "The boat is hit", effect=True)


def _row(moment: _Moment, move: Move, answers: Answers, dice: Dice) -> _Moment:
    """A roll that luck may raise waits for that."""
    moment, (face,) = moment.rolls(dice, "Boat", ("oar",))
    if moment.sheet.boat.luck and face < 6:
        return moment.then(Lucky(face))
    return _read(moment, face, dice, wild=answers["call"] == "wild")


def _answer(moment: _Moment, stage: Lucky, move: Move, answers: Answers, dice: Dice) -> _Moment:
    """Keep the roll, or raise it by one for a point of luck."""
    moment = moment.closes()
    if move.verb == "keep":
        return _read(moment, stage.face, dice, wild=False)
    boat = moment.sheet.boat
    spent = replace(moment, sheet=Harbour(replace(boat, luck=boat.luck - 1)))
    return _read(spent, min(6, stage.face + 1), dice, wild=False)


def _read(moment: _Moment, face: int, dice: Dice, *, wild: bool) -> _Moment:
    mood = _MOODS[face]
    moment = moment.tells(OutcomeFact(mood.value, mood.value.title(), mood, "Boat"))
    return _hit(moment, dice) if mood is OutcomeGrade.FIASCO and wild else moment


def _hit(moment: _Moment, dice: Dice) -> _Moment:
    moment, (face,) = moment.rolls(dice, "damage", ("damage",))
    boat = moment.sheet.boat
    hull = max(0, boat.hull - (moment.rules.damage if face < 5 else 0))
    moment = moment.says(f"hull {boat.hull} → {hull}", "SG-01")
    return replace(moment, sheet=Harbour(replace(boat, hull=hull)))


def _odds(moment: _Moment, move: Move, answers: Answers) -> Odds:
    """Each face is as likely as another."""
    counts = {mood: sum(1 for own in _MOODS.values() if own is mood) for mood in OutcomeGrade}
    chances = tuple(Chance(mood.value, mood.value, mood, Ratio(n, 6)) for mood, n in counts.items())
    return Odds("1d6: oar", Spread("as it falls", chances))


def _panels(moment: _Moment) -> Iterable[Panel]:
    yield Panel("boat", "ship", "Boat", (PipsRow("boat.hull", "Hull", moment.sheet.boat.hull, 3),))


LUCK_ANSWERS = (Move("keep", (), "Keep it", key="k"), Move("luck", (), "One better", key="l"))
LUCK = StageRules[_Moment, Lucky](
    Lucky, question=lambda *_: "Use luck?", answers=lambda *_: LUCK_ANSWERS, resolve=_answer
)
CHAPTER = Chapter(
    _offers,
    {"row": _row, "damage": lambda moment, move, answers, dice: _hit(moment, dice)},  # noqa: ARG005
    (LUCK,),
    {"row": _odds},
)
SYSTEM = Rulebook(
    id="small",
    name="Small Game",
    about="One die and a boat",
    clauses={"SG-01": Clause("Hull", "A boat has 0 to 3 hull.")},
    sheet=Harbour,
    rules=HouseRules,
    scene=Lucky,
    moment=_Moment,
    chapters=(SimpleNamespace(CHAPTER=CHAPTER),),
    panels_of=_panels,
    faults_of=lambda _: (),
    roll_key=RollKey(("row",)),
)
"""One die; a fiasco in wild water costs hull, by another die."""
