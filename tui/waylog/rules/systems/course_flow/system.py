"""Course and Flow as a system: what may be done, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move, RollKey
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.sheets import Fault
from waylog.rules.systems.course_flow import asking, chances, checks, panels, people, rolling, scene, slots, table
from waylog.rules.systems.course_flow.house_rules import HouseRules
from waylog.rules.systems.course_flow.moment import Moment
from waylog.rules.systems.course_flow.sheet import Matrix, Member, Sheet, Ship, Track
from waylog.rules.systems.course_flow.stages import Scene
from waylog.rules.turns import Position, Turn
from waylog.values import dataclass

Play = Callable[[Moment, Move, Answers, Dice], Moment]
"""What a move does. Raises `Refused` or `DiceWanted`."""
_OFFERS: Sequence[Callable[[Moment], tuple[Move, ...]]] = (
    rolling.offers,
    table.offers,
    asking.offers,
    slots.offers,
    people.offers,
)
_PLAYS: Mapping[str, Play] = {
    "roll": rolling.play,
    "course": table.set_course,
    "flow": table.begin_flow,
    "raise": table.raise_flow,
    "end": table.end_flow,
    "resume": table.resume_flow,
    "ask": asking.ask,
    "spend": asking.ask,
    "mark": slots.mark,
    "recover": slots.recover,
    "track": slots.begin,
    "matrix": slots.begin,
    "join": people.join,
    "ship": people.come_in,
    "skill": people.give_skill,
    "equip": people.equip,
    "discard": people.discard,
    "award": people.award,
    "take": people.take,
}
"""What each verb does while nothing is asked."""


@dataclass(frozen=True, slots=True)
class CourseFlow:
    """The Course and Flow game."""

    id: str
    name: str
    about: str
    clauses: Mapping[str, str]
    sheet: type = Sheet
    rules: type = HouseRules
    scene: Any = Scene
    roll_key: ClassVar[RollKey] = RollKey(nothing="Nobody is in the crew to roll; : join adds someone")

    def fresh(self) -> Any:
        """The sheet of a new campaign: a ship and a crew to rename, and no Course yet (CF-02)."""
        ship = Ship("The ship", matrices={"hull": Matrix("Hull", 2, 4)}, tracks={"luck": Track("Her luck", 4)})
        crew = {
            "mara": Member(
                "Mara", skills={"Piloting": 2}, tracks={"past": Track("The past", 4)}, matrices={"body": Matrix("Body")}
            ),
            "joss": Member("Joss", skills={"Repairs": 2}),
            "imre": Member("Imre", skills={"Persuasion": 2}),
        }
        return Sheet(ships={"ship": ship}, crew=crew)

    def faults(self, position: Position) -> Sequence[Fault]:
        """What in the sheet breaks a clause, beyond what its types say."""
        return checks.faults(self._moment(position))

    def question(self, position: Position) -> str | None:
        """What has to be answered before anything else goes on, or None."""
        return scene.question(self._moment(position))

    def moves(self, position: Position) -> Sequence[Move]:
        """What may be done now, and what can't and why. While there is a question: its answers alone."""
        moment = self._moment(position)
        if scene.question(moment):
            return scene.answers(moment)
        return tuple(move for offers in _OFFERS for move in offers(moment))

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        """What comes of it. May raise `Refused` or `DiceWanted`."""
        moment = self._moment(position)
        if scene.question(moment):
            after = scene.answer(moment, move, answers, dice)
        else:
            after = _PLAYS[move.verb](moment, move, answers, dice)
        return scene.run(after).turn()

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:
        """The exact chances of a move that rolls, or None."""
        return chances.odds(self._moment(position), move, answers)

    def panels(self, position: Position) -> Sequence[Panel]:
        """The sheet as the screens draw it."""
        return panels.panels(self._moment(position))

    def _moment(self, position: Position) -> Moment:
        return scene.known(Moment.of(position))
