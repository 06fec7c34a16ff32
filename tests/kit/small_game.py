"""The smallest game that has everything the contract knows: a roll, a choice after it, damage, a forced refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from waylog.rules.codec.base import Between, Fault
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.dice import Dice, Die
from waylog.rules.model.facts import NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Refusal, RollKey
from waylog.rules.model.odds import Chance, Odds, Ratio, Spread
from waylog.rules.model.panels import Panel, PipsRow
from waylog.rules.model.state import Position, Turn
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
class HouseRules:
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


class SmallGame:
    """One die; a fiasco in wild water costs hull, by another die."""

    id = "small"
    name = "Small Game"
    about = "One die and a boat"
    clauses: Mapping[str, Clause] = {"SG-01": Clause("Hull", "A boat has 0 to 3 hull.")}
    sheet = Harbour
    rules = HouseRules
    scene: Any = Lucky
    roll_key = RollKey(("row",))

    def fresh(self) -> Harbour:
        """A new boat."""
        return Harbour()

    def faults(self, position: Position) -> Sequence[Fault]:  # noqa: ARG002 - the contract's shape
        """None beyond the types."""
        return ()

    def question(self, position: Position) -> str | None:
        """A roll waits while there is luck."""
        return "Use luck?" if position.scene else None

    def moves(self, position: Position) -> Sequence[Move]:
        """Row, or be hit; with an open roll, keep it or use luck."""
        if position.scene:
            return (Move("keep", (), "Keep it", key="k"), Move("luck", (), "One better", key="l"))
        sunk = Refusal("the boat has sunk", "SG-01") if position.sheet.boat.hull == 0 else None
        row = Move("row", ("boat",), "Row", (_RISK,), blocked=sunk, rolls=True, key="b")
        return (row, Move("damage", ("boat",), "The boat is hit", effect=True))

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        """One function is enough for so small a game."""
        boat = position.sheet.boat
        match move.verb:
            case "damage":
                return _hit(position, dice)
            case "keep":
                return _read(replace(position, scene=None), position.scene.face, dice, wild=False)
            case "luck":
                spent = replace(position, sheet=Harbour(replace(boat, luck=boat.luck - 1)), scene=None)
                return _read(spent, min(6, position.scene.face + 1), dice, wild=False)
            case _:
                (face,) = dice.roll([Die("oar")])
                rolled = RollFact("Boat", (face,), dice.are_real)
                if boat.luck and face.face < 6:
                    return Turn(replace(position, scene=Lucky(face.face)), (rolled,))
                turn = _read(position, face.face, dice, wild=answers["call"] == "wild")
                return replace(turn, facts=(rolled, *turn.facts))

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:  # noqa: ARG002 - the contract's shape
        """Each face is as likely as another."""
        if not move.rolls:
            return None
        counts = {mood: sum(1 for own in _MOODS.values() if own is mood) for mood in OutcomeGrade}
        chances = tuple(Chance(mood.value, mood.value, mood, Ratio(n, 6)) for mood, n in counts.items())
        return Odds("1d6: oar", Spread("as it falls", chances))

    def panels(self, position: Position) -> Sequence[Panel]:
        """The boat."""
        return (Panel("boat", "ship", "Boat", (PipsRow("boat.hull", "Hull", position.sheet.boat.hull, 3),)),)


def _read(position: Position, face: int, dice: Dice, *, wild: bool) -> Turn:
    mood = _MOODS[face]
    facts: tuple[Any, ...] = (OutcomeFact(mood.value, mood.value.title(), mood, "Boat"),)
    if mood is OutcomeGrade.FIASCO and wild:
        turn = _hit(position, dice)
        return replace(turn, facts=(*facts, *turn.facts))
    return Turn(position, facts)


def _hit(position: Position, dice: Dice) -> Turn:
    (face,) = dice.roll([Die("damage")])
    boat = position.sheet.boat
    hull = max(0, boat.hull - (position.rules.damage if face.face < 5 else 0))
    facts = (RollFact("damage", (face,), dice.are_real), NoteFact(f"hull {boat.hull} → {hull}", "SG-01"))
    return Turn(replace(position, sheet=Harbour(replace(boat, hull=hull))), facts)
