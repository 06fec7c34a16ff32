"""A moment of play: the position with its types, and what has been told so far. Rules take one and give the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from waylog.rules.clocks import Clock, new_key
from waylog.rules.systems.course_flow.house_rules import HouseRules
from waylog.rules.systems.course_flow.sheet import Course, Flow, Member, Sheet, TokenKind
from waylog.rules.systems.course_flow.stages import Scene, Stage
from waylog.rules.turns import Fact, Note, Position, Turn
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """The position, and the facts that led to it."""

    sheet: Sheet
    rules: HouseRules
    clocks: Mapping[str, Clock]
    stages: tuple[Stage, ...] = ()
    facts: tuple[Fact, ...] = ()

    @classmethod
    def of(cls, position: Position) -> Moment:
        """The moment at a position, with nothing told yet."""
        scene: Scene | None = position.scene
        return cls(position.sheet, position.rules, position.clocks, scene.stages if scene else ())

    def turn(self) -> Turn:
        """The position it has come to, and what was told."""
        scene = Scene(self.stages) if self.stages else None
        return Turn(Position(self.sheet, self.rules, self.clocks, scene), self.facts)

    # -- looking ---------------------------------------------------------------------------------------------------

    @property
    def course(self) -> Course:
        return self.sheet.course

    def member(self, key: str) -> Member:
        return self.sheet.crew[key]

    def name(self, who: str) -> str:
        """What a crew member is called; the wayfinder where there is no key."""
        member = self.sheet.crew.get(who)
        return (member.name or who) if member else who or "the wayfinder"

    def ship_name(self, key: str) -> str:
        return self.sheet.ships[key].name or key

    def skill(self, who: str, skill: str) -> int:
        """A skill's value; one that they lack is +0 (CF-04)."""
        return max(0, self.member(who).skills.get(skill, 0))

    def flows(self) -> Iterator[tuple[str, Flow]]:
        """The Flows that may apply."""
        return ((key, flow) for key, flow in self.sheet.flows.items() if not flow.over)

    def flow(self, key: str) -> Flow | None:
        """A Flow that still applies, or None: a person may have taken it out of the file."""
        flow = self.sheet.flows.get(key)
        return None if flow is None or flow.over else flow

    def flow_name(self, key: str) -> str:
        return self.sheet.flows[key].name or key

    def tokens(self, who: str, kind: TokenKind) -> int:
        held: int = getattr(self.member(who).tokens, kind.value)
        return max(0, held)

    # -- going on --------------------------------------------------------------------------------------------------

    def says(self, text: str, clause: str | None = None) -> Moment:
        """The same with a note told."""
        return self.tells(Note(text, clause))

    def tells(self, *facts: Fact) -> Moment:
        return replace(self, facts=(*self.facts, *facts))

    def with_course(self, course: Course) -> Moment:
        return replace(self, sheet=replace(self.sheet, course=course))

    def with_member(self, who: str, **values: Any) -> Moment:
        crew = {**self.sheet.crew, who: replace(self.member(who), **values)}
        return replace(self, sheet=replace(self.sheet, crew=crew))

    def with_skill(self, who: str, skill: str, value: int) -> Moment:
        return self.with_member(who, skills={**self.member(who).skills, skill: value})

    def with_token(self, who: str, kind: TokenKind, by: int) -> Moment:
        held = self.tokens(who, kind) + by
        return self.with_member(who, tokens=replace(self.member(who).tokens, **{kind.value: held}))

    def with_flow(self, key: str, **values: Any) -> Moment:
        flows = {**self.sheet.flows, key: replace(self.sheet.flows[key], **values)}
        return replace(self, sheet=replace(self.sheet, flows=flows))

    def with_new_flow(self, name: str, value: int) -> Moment:
        key = new_key(name, self.sheet.flows)
        return replace(self, sheet=replace(self.sheet, flows={**self.sheet.flows, key: Flow(name, value)}))

    # -- what is open ----------------------------------------------------------------------------------------------

    @property
    def top(self) -> Stage | None:
        """The stage that comes first."""
        return self.stages[-1] if self.stages else None

    def then(self, *stages: Stage) -> Moment:
        """The same with stages opened; the last of them comes first."""
        return replace(self, stages=(*self.stages, *stages))

    def closes(self) -> Moment:
        """The same with the stage that came first done."""
        return replace(self, stages=self.stages[:-1])
