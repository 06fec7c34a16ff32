"""A moment of play: the position with its types, and what has been told so far. Rules take one and give the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from waylog.rules.clocks import Clock
from waylog.rules.dice import Dice, Die
from waylog.rules.situations import Situations
from waylog.rules.systems.veil_core.sheet import Bay
from waylog.rules.systems.veil_reference.editions import Edition
from waylog.rules.systems.veil_reference.sheet import Crewmate, Module, Ship, Token
from waylog.rules.turns import Fact, Note, Position, Rolled, Turn
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """The position, and the facts that led to it."""

    edition: Edition
    sheet: Any
    """The game's own sheet, which has a `ship` and a `crew`."""
    rules: Any
    """The game's own house rules."""
    clocks: Mapping[str, Clock]
    stage: Any = None
    """What is open."""
    facts: tuple[Fact, ...] = ()
    situations: Situations = field(default_factory=dict)
    """Those that touch what is done (NM-19)."""

    @classmethod
    def of(cls, edition: Edition, position: Position) -> Moment:
        """The moment at a position, with nothing told yet."""
        clocks, situations = position.clocks, position.situations
        return cls(edition, position.sheet, position.rules, clocks, position.scene, situations=situations)

    def turn(self) -> Turn:
        """The position it has come to, and what was told."""
        return Turn(Position(self.sheet, self.rules, self.clocks, self.stage), self.facts)

    # -- looking ---------------------------------------------------------------------------------------------------

    @property
    def ship(self) -> Ship:
        ship: Ship = self.sheet.ship
        return ship

    def crew(self) -> Mapping[str, Crewmate]:
        """Everyone in the crew, by key."""
        crew: Mapping[str, Crewmate] = self.sheet.crew
        return crew

    def name(self, who: str) -> str:
        """What a crew member is called."""
        return self.crew()[who].name or who

    def modules(self) -> Iterator[tuple[Bay, Module]]:
        """What is built in, by slot."""
        for bay in Bay:
            module = self.ship.modules.get(bay)
            if module and module.name:
                yield bay, module

    def holds(self, token: Token) -> bool:
        """That token is held."""
        held: bool = getattr(self.ship.tokens, token.value)
        return held

    def dice(self, system: str) -> int:
        """Dice that belong to a system. A file may say anything; nobody throws more than the ship has."""
        count: int = getattr(self.ship.systems, system)
        return max(0, min(count, self.edition.dice))

    # -- going on ----------------------------------------------------------------------------------------------------

    def says(self, text: str, clause: str | None = None) -> Moment:
        """The same with a note told."""
        return self.tells(Note(text, clause))

    def tells(self, *facts: Fact) -> Moment:
        return replace(self, facts=(*self.facts, *facts))

    def rolls(self, dice: Dice, what: str, sources: Sequence[str]) -> tuple[Moment, tuple[int, ...]]:
        """Throw one d6 for each source. May raise `DiceWanted`."""
        thrown = dice.roll(tuple(Die(source) for source in sources))
        return self.tells(Rolled(what, thrown, dice.typed)), tuple(face.face for face in thrown)

    def with_ship(self, **values: Any) -> Moment:
        return replace(self, sheet=replace(self.sheet, ship=replace(self.ship, **values)))

    def with_token(self, token: Token, *, held: bool) -> Moment:
        return self.with_ship(tokens=replace(self.ship.tokens, **{token.value: held}))

    def with_dice(self, dice: Mapping[str, int]) -> Moment:
        """The same with so many dice in those systems."""
        return self.with_ship(systems=replace(self.ship.systems, **dice))

    def with_module(self, bay: Bay, module: Module) -> Moment:
        return self.with_ship(modules={**self.ship.modules, bay: module})

    def with_member(self, who: str, member: Crewmate) -> Moment:
        return replace(self, sheet=replace(self.sheet, crew={**self.crew(), who: member}))

    def then(self, stage: object) -> Moment:
        """The same with a stage open."""
        return replace(self, stage=stage)

    def closes(self) -> Moment:
        """The same with nothing open."""
        return replace(self, stage=None)
