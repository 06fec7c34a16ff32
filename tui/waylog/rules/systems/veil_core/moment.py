"""The working state of a move in Veil Runners, and the words that are typed for crew and modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from waylog.rules.facts import NotePart
from waylog.rules.kit import MomentBase
from waylog.rules.naming import letters_for, words_for
from waylog.rules.systems.veil_core.editions import Edition
from waylog.rules.systems.veil_core.sheet import TOP_FOCUS, Advancement, Bay, Core, Member, Module, Sheet, Ship
from waylog.values import dataclass

SHIP = ""
"""The ship, where otherwise a crew member's key stands."""
_HELD_AT_ALL = 6
"""As much Focus as anything ever gives (VK-73)."""


@dataclass(frozen=True, slots=True)
class Moment(MomentBase):
    """The working state of a move, with what Veil Runners asks of it."""

    sheet: Sheet
    edition: Edition

    # -- queries ---------------------------------------------------------------------------------------------------

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
        count = self.ship.focus if who == SHIP else self.member(who).focus
        return max(0, min(count, _HELD_AT_ALL))

    @property
    def on_mission(self) -> bool:
        """A mission is under way."""
        return not self.sheet.mission.over

    # -- changes ---------------------------------------------------------------------------------------------------

    def with_ship(self, **values: Any) -> Moment:
        return replace(self, sheet=replace(self.sheet, ship=replace(self.ship, **values)))

    def with_module(self, bay: Bay, module: Module) -> Moment:
        return self.with_ship(modules={**self.ship.modules, bay: module})

    def with_member(self, who: str, **values: Any) -> Moment:
        crew = {**self.sheet.crew, who: replace(self.member(who), **values)}
        return replace(self, sheet=replace(self.sheet, crew=crew))

    def with_mission(self, **values: Any) -> Moment:
        return replace(self, sheet=replace(self.sheet, mission=replace(self.sheet.mission, **values)))

    def with_focus(self, who: str, count: int) -> Moment:
        return self.with_ship(focus=count) if who == SHIP else self.with_member(who, focus=count)

    def earns(self, who: str, tokens: int, clause: str) -> Moment:
        """Focus for the ship or a crew member, to 3 at most and none above that (VK-04, VK-15, VK-73)."""
        count = self.focus(who)
        gained = max(0, min(tokens, TOP_FOCUS - count))
        if not gained:
            return self.says(f"{self.heading(who)}: Focus stays at {count}", clause, NotePart.DETAIL)
        return self.with_focus(who, count + gained).says(
            f"{self.heading(who)}: Focus +{gained}, now {count + gained}", clause, NotePart.DETAIL
        )

    def spends(self, who: str, tokens: int, clause: str) -> Moment:
        """Focus that is spent. The caller has made sure that it is there."""
        left = self.focus(who) - tokens
        return self.with_focus(who, left).says(
            f"{self.heading(who)}: Focus −{tokens}, now {left}", clause, NotePart.DETAIL
        )


def keep_in_crew(moment: Moment, stage: Any) -> Any:
    """A stage that concerns one of the crew, while they are in it: not burned, nor taken out of the file by hand."""
    return stage if stage.who in crew_keys(moment) else None


def crew_keys(moment: Moment) -> set[str]:
    """The keys of everyone in the crew."""
    return {key for key, _ in moment.crew()}


# -- words for what has a name ------------------------------------------------------------------------------------------

_NOT_FOR_CREW = frozenset(("cpu", "hul", "nav", "ship", "crew", "all", "fill", "empty"))
_NOT_FOR_MODULES = frozenset(("standard", "risky", "desperate", "dice", "integrity", "engineering"))
"""Words that mean something else in the same moves."""
LETTERS: Mapping[Core, str] = {Core.CPU: "c", Core.HUL: "h", Core.NAV: "n"}
SHIP_LETTER = "s"


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Crew keys by the word that is typed for them."""
    return words_for(((key, key) for key, _ in moment.crew()), "crew", _NOT_FOR_CREW)


def crew_letters(moment: Moment) -> Mapping[str, str]:
    """The letter of each crew member by key: of their name where one is free, and none where none is left."""
    return letters_for(crew_words(moment), (*LETTERS.values(), SHIP_LETTER))


def who_is(moment: Moment, word: str) -> str:
    """The key of the crew member whose word it is."""
    return crew_words(moment)[word]


def module_words(moment: Moment) -> Mapping[str, Bay]:
    """Slots by the word for the module in them."""
    words = words_for(((bay.value, module.name) for bay, module in moment.modules()), "module", _NOT_FOR_MODULES)
    return {word: Bay(bay) for word, bay in words.items()}
