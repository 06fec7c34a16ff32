"""The working state of a move in Veil Runners, and the words to type for crew and modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from waylog.rules.codec.changes import format_path, letters_for, words_for
from waylog.rules.model.keys_and_letters import ANYTIME
from waylog.rules.rulebook import MomentBase
from waylog.rules.systems.veil_core.sheet import MOST_FOCUS, Advancement, Bay, Core, Member, Module, Sheet, Ship
from waylog.rules.systems.veil_core.stages_and_edition import Edition
from waylog.values import dataclass, replace

SHIP = ""
"""Stands for the ship where a crew member's key is expected."""


@dataclass(frozen=True, slots=True)
class Moment(MomentBase):
    """The working state of a move, with the queries and changes of Veil Runners."""

    sheet: Sheet
    edition: Edition

    # -- queries ---------------------------------------------------------------------------------------------------

    @property
    def ship(self) -> Ship:
        return self.sheet.ship

    def crew(self) -> Iterator[tuple[str, Member]]:
        """Return everyone in the crew, by key. Burned sheets are left out (VK-61)."""
        return ((key, member) for key, member in self.sheet.crew.items() if not member.burned)

    def member(self, key: str) -> Member:
        return self.sheet.crew[key]

    def name(self, who: str) -> str:
        """Return the name of the ship or a crew member."""
        if who == SHIP:
            return self.ship.name or "the ship"
        member = self.sheet.crew.get(who)
        return member.name or who if member else who

    def heading(self, who: str) -> str:
        """Return the same name with a capital, for the start of a line."""
        return "The ship" if who == SHIP and not self.ship.name else self.name(who)

    def modules(self) -> Iterator[tuple[Bay, Module]]:
        """Return the modules, by slot."""
        for bay in Bay:
            module = self.ship.modules.get(bay)
            if module and module.name:
                yield bay, module

    def has(self, who: str, advancement: Advancement) -> bool:
        """Whether a crew member has that advancement. The ship has none."""
        return who != SHIP and advancement in self.member(who).advancements

    def focus(self, who: str) -> int:
        """Return how much Focus someone has, within the limits of the rules, whatever the file says."""
        if who == SHIP:
            return max(0, min(self.ship.focus, self.most_of("ship.focus", MOST_FOCUS)))
        return max(0, min(self.member(who).focus, self.most_of(format_path(("crew", who, "focus")), MOST_FOCUS)))

    @property
    def on_mission(self) -> bool:
        """Whether a mission is in progress."""
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


def keep_in_crew(moment: Moment, stage: Any) -> Any:
    """Return the stage if its member is still in the crew: not burned, and not removed from the file. Otherwise None."""
    return stage if stage.who in crew_keys(moment) else None


def crew_keys(moment: Moment) -> set[str]:
    """Return the keys of everyone in the crew."""
    return {key for key, _ in moment.crew()}


# -- words for what has a name ------------------------------------------------------------------------------------------

_NOT_FOR_CREW = frozenset(("cpu", "hul", "nav", "ship", "crew", "all", "fill", "empty"))
_NOT_FOR_MODULES = frozenset(("standard", "risky", "desperate", "dice", "integrity", "engineering"))
"""Words that have another meaning in the same moves."""
LETTERS: Mapping[Core, str] = {Core.CPU: "c", Core.HUL: "h", Core.NAV: "n"}
SHIP_LETTER = "s"


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Return crew keys by the word to type for each."""
    return words_for(((key, key) for key, _ in moment.crew()), "crew", _NOT_FOR_CREW)


def crew_letters(moment: Moment) -> Mapping[str, str]:
    """Return a letter for each crew member, by key: one of their name if any is free, otherwise another; empty if none is left."""
    return letters_for(crew_words(moment), (*LETTERS.values(), SHIP_LETTER, *ANYTIME))


def who_is(moment: Moment, word: str) -> str:
    """Return the key of the crew member that a word stands for."""
    return crew_words(moment)[word]


def module_words(moment: Moment) -> Mapping[str, Bay]:
    """Return slots by the word to type for their module."""
    words = words_for(((bay.value, module.name) for bay, module in moment.modules()), "module", _NOT_FOR_MODULES)
    return {word: Bay(bay) for word, bay in words.items()}
