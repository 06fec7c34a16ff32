"""A moment of play: the position with its types, and what has been told so far. Rules take one and give the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from waylog.rules.clocks import Clock, new_key
from waylog.rules.dice import Dice, Die, Face
from waylog.rules.systems.emissaries.house_rules import HouseRules
from waylog.rules.systems.emissaries.sheet import Asset, Emissary, Npc, Sheet
from waylog.rules.systems.emissaries.stages import Conflict, Line, Making, Participant, Scene
from waylog.rules.turns import Fact, Note, Position, Rolled, Turn
from waylog.values import dataclass

CREW, NPCS, ASSETS = "crew", "npcs", "assets"
Being = Emissary | Npc
"""Who has stats, traits, relationships and objects."""
Holder = Being | Asset
"""Who or what may have traits."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The position, and the facts that led to it. Who somebody is, is said as `crew/mara`, `npcs/thoss`."""

    sheet: Sheet
    rules: HouseRules
    clocks: Mapping[str, Clock]
    scene: Scene | None = None
    facts: tuple[Fact, ...] = ()

    @classmethod
    def of(cls, position: Position) -> Moment:
        """The moment at a position, with nothing told yet."""
        return cls(position.sheet, position.rules, position.clocks, position.scene)

    def turn(self) -> Turn:
        """The position it has come to, and what was told."""
        return Turn(Position(self.sheet, self.rules, self.clocks, self.scene), self.facts)

    # -- looking ---------------------------------------------------------------------------------------------------

    def crew(self) -> Iterator[tuple[str, Emissary]]:
        """Every emissary who is alive."""
        return ((key, emissary) for key, emissary in self.sheet.crew.items() if not emissary.dead)

    def being(self, who: str) -> Being | None:
        """Whoever that is; None for an obstacle, or for somebody who has gone from the file."""
        kind, _, key = who.partition("/")
        if kind == CREW:
            return self.sheet.crew.get(key)
        return self.sheet.npcs.get(key) if kind == NPCS else None

    def asset(self, key: str) -> Asset | None:
        return self.sheet.assets.get(key)

    def holder(self, who: str) -> Holder | None:
        """Whoever or whatever that is."""
        kind, _, key = who.partition("/")
        return self.asset(key) if kind == ASSETS else self.being(who)

    def owner(self, asset: Asset) -> str | None:
        """Whose an asset is, as `crew/mara`; empty for a shared one, None for one whose owner has gone from the file.

        Where an emissary and somebody else have the key, it is the emissary's (EG-45).
        """
        if not asset.owner:
            return ""
        if asset.owner in self.sheet.crew:
            return f"{CREW}/{asset.owner}"
        return f"{NPCS}/{asset.owner}" if asset.owner in self.sheet.npcs else None

    def hides(self, asset: Asset) -> bool:
        """It is the wayfinder's to know, as its owner's sheet is: neither an emissary's nor everybody's."""
        return bool(asset.owner) and asset.owner not in self.sheet.crew

    def name(self, who: str) -> str:
        """What they are called: an emissary, somebody else, or an asset."""
        key = who.partition("/")[2]
        named = self.holder(who)
        return named.name or key if named else key

    def new_key(self, name: str) -> str:
        """A key for somebody new, which nobody else has: not an emissary, and none of the others (EG-45)."""
        return new_key(name, {**self.sheet.crew, **self.sheet.npcs})

    @property
    def conflict(self) -> Conflict:
        """The conflict under way. The caller knows that there is one."""
        assert isinstance(self.scene, Conflict)
        return self.scene

    @property
    def making(self) -> Making:
        """The making under way. The caller knows that there is one."""
        assert isinstance(self.scene, Making)
        return self.scene

    def participant(self, word: str) -> Participant:
        """The participant of that word."""
        return next(one for one in self.conflict.people if one.word == word)

    # -- going on ----------------------------------------------------------------------------------------------------

    def says(self, text: str, clause: str | None = None) -> Moment:
        """The same with a note told."""
        return self.tells(Note(text, clause))

    def tells(self, *facts: Fact) -> Moment:
        return replace(self, facts=(*self.facts, *facts))

    def secretly(self) -> Moment:
        """The same with all that was told kept from the players."""
        facts = (replace(fact, secret=True) if isinstance(fact, Note | Rolled) else fact for fact in self.facts)
        return replace(self, facts=tuple(facts))

    def rolls(self, dice: Dice, what: str, wanted: Sequence[Die]) -> tuple[Moment, tuple[Face, ...]]:
        """Throw dice, if there are any. May raise `DiceWanted`."""
        if not wanted:
            return self, ()
        faces = dice.roll(wanted)
        return self.tells(Rolled(what, faces, dice.typed)), faces

    def with_emissary(self, key: str, **values: Any) -> Moment:
        crew = {**self.sheet.crew, key: replace(self.sheet.crew[key], **values)}
        return replace(self, sheet=replace(self.sheet, crew=crew))

    def with_npc(self, key: str, **values: Any) -> Moment:
        npcs = {**self.sheet.npcs, key: replace(self.sheet.npcs[key], **values)}
        return replace(self, sheet=replace(self.sheet, npcs=npcs))

    def with_asset(self, key: str, **values: Any) -> Moment:
        assets = {**self.sheet.assets, key: replace(self.sheet.assets[key], **values)}
        return replace(self, sheet=replace(self.sheet, assets=assets))

    def with_holder(self, who: str, **values: Any) -> Moment:
        kind, _, key = who.partition("/")
        if kind == ASSETS:
            return self.with_asset(key, **values)
        return self.with_emissary(key, **values) if kind == CREW else self.with_npc(key, **values)

    def opens(self, scene: Scene | None) -> Moment:
        """The same with that open, and nothing else."""
        return replace(self, scene=scene)

    def with_conflict(self, **values: Any) -> Moment:
        return replace(self, scene=replace(self.conflict, **values))

    def with_participant(self, word: str, **values: Any) -> Moment:
        people = tuple(replace(one, **values) if one.word == word else one for one in self.conflict.people)
        return self.with_conflict(people=people)

    def writes(self, line: Line) -> Moment:
        """The same with a line more in the exchange (EG-24)."""
        return self.with_conflict(exchange=(*self.conflict.exchange, line))
