"""A moment of play: the position with its types, and what has been told so far. Rules take one and give the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from waylog.rules.clocks import Clock
from waylog.rules.dice import Dice, Die
from waylog.rules.situations import Situations
from waylog.rules.systems.veil_core.editions import Edition
from waylog.rules.systems.veil_core.sheet import TOP_FOCUS, Advancement, Bay, Member, Module, Sheet, Ship
from waylog.rules.systems.veil_core.stages import Scene, Stage
from waylog.rules.turns import Fact, Note, Position, Rolled, Turn
from waylog.values import dataclass

SHIP = ""
"""The ship, where otherwise a crew member's key stands."""
_HELD_AT_ALL = 6
"""As much Focus as anything ever gives (VK-73)."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The position, and the facts that led to it."""

    edition: Edition
    sheet: Sheet
    rules: Any
    """The edition's house rules."""
    clocks: Mapping[str, Clock]
    stages: tuple[Stage, ...] = ()
    facts: tuple[Fact, ...] = ()
    situations: Situations = field(default_factory=dict)
    """Those that touch what is done (NM-19)."""

    @classmethod
    def of(cls, edition: Edition, position: Position) -> Moment:
        """The moment at a position, with nothing told yet."""
        scene: Scene | None = position.scene
        stages = scene.stages if scene else ()
        return cls(edition, position.sheet, position.rules, position.clocks, stages, situations=position.situations)

    def turn(self) -> Turn:
        """The position it has come to, and what was told."""
        scene = Scene(self.stages) if self.stages else None
        return Turn(Position(self.sheet, self.rules, self.clocks, scene), self.facts)

    # -- looking ---------------------------------------------------------------------------------------------------

    @property
    def ship(self) -> Ship:
        return self.sheet.ship

    def crew(self) -> Iterator[tuple[str, Member]]:
        """Everyone in the crew; burned sheets are not (VK-61)."""
        return ((key, member) for key, member in self.sheet.crew.items() if not member.burned)

    def member(self, key: str) -> Member:
        return self.sheet.crew[key]

    def name(self, who: str) -> str:
        """What the ship or a crew member is called."""
        if who == SHIP:
            return self.ship.name or "the ship"
        member = self.sheet.crew.get(who)
        return member.name or who if member else who

    def heading(self, who: str) -> str:
        """The same at the beginning of a line."""
        return "The ship" if who == SHIP and not self.ship.name else self.name(who)

    def modules(self) -> Iterator[tuple[Bay, Module]]:
        """What is built in, by slot."""
        for bay in Bay:
            module = self.ship.modules.get(bay)
            if module and module.name:
                yield bay, module

    def has(self, who: str, advancement: Advancement) -> bool:
        """A crew member has that advancement; the ship never does."""
        return who != SHIP and advancement in self.member(who).advancements

    def focus(self, who: str) -> int:
        """Focus tokens in hand. A file may say anything; what is counted with stays within the rules."""
        held = self.ship.focus if who == SHIP else self.member(who).focus
        return max(0, min(held, _HELD_AT_ALL))

    @property
    def on_mission(self) -> bool:
        """A mission is under way."""
        return not self.sheet.mission.over

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

    def with_module(self, bay: Bay, module: Module) -> Moment:
        return self.with_ship(modules={**self.ship.modules, bay: module})

    def with_member(self, who: str, **values: Any) -> Moment:
        crew = {**self.sheet.crew, who: replace(self.member(who), **values)}
        return replace(self, sheet=replace(self.sheet, crew=crew))

    def with_mission(self, **values: Any) -> Moment:
        return replace(self, sheet=replace(self.sheet, mission=replace(self.sheet.mission, **values)))

    def with_focus(self, who: str, held: int) -> Moment:
        return self.with_ship(focus=held) if who == SHIP else self.with_member(who, focus=held)

    def earns(self, who: str, tokens: int, clause: str) -> Moment:
        """Focus for the ship or a crew member, to 3 at most and none above that (VK-04, VK-15, VK-73)."""
        held = self.focus(who)
        gained = max(0, min(tokens, TOP_FOCUS - held))
        if not gained:
            return self.says(f"{self.heading(who)}: Focus stays at {held}", clause)
        return self.with_focus(who, held + gained).says(
            f"{self.heading(who)}: Focus +{gained}, now {held + gained}", clause
        )

    def spends(self, who: str, tokens: int, clause: str) -> Moment:
        """Focus that is spent. The caller has made sure that it is there."""
        left = self.focus(who) - tokens
        return self.with_focus(who, left).says(f"{self.heading(who)}: Focus −{tokens}, now {left}", clause)

    # -- what is open ------------------------------------------------------------------------------------------------

    def then(self, *stages: Stage) -> Moment:
        """The same with stages opened; the last of them comes first."""
        return replace(self, stages=(*self.stages, *stages))

    def closes(self) -> Moment:
        """The same with the stage that came first done."""
        return replace(self, stages=self.stages[:-1])
