"""The working state of a move, what distinguishes one game of this family from another, and the words that are typed for names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from waylog.rules.facts import OutcomeGrade
from waylog.rules.kit import MomentBase
from waylog.rules.naming import letters_for, words_for
from waylog.rules.systems._veil_hits.sheet import Bay, Crewmate, HeldToken, Module, Ship
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Edition:
    """A game's own names for what it shares."""

    systems: Mapping[str, str]
    """The ship's systems as the file names them, and what each is for."""
    dice: int
    """Dice in all of them together."""
    outcomes: Mapping[OutcomeGrade, tuple[str, str]]
    """Its outcomes, worst first: the word and the label for each mood."""
    without: Mapping[HeldToken, str]
    """What it means that a token is lost."""
    in_short: Mapping[HeldToken, str]
    """The same beside the token, where a narrow window has 16 cells for it."""
    reserved: frozenset[str]
    """Words that mean something in its moves, so that no crew member, module or skill is called by them."""
    dice_clause: str
    token_clause: str
    desperate_clause: str
    """What makes system rolls Desperate while engineering is lost."""
    integrity_clause: str
    engineering_clause: str
    crash_clause: str
    """The three steps of damage to the ship."""


@dataclass(frozen=True, slots=True)
class Moment(MomentBase):
    """The working state of a move. The sheet is the game's own, which has a `ship` and a `crew`. One stage is open at most."""

    edition: Edition

    # -- queries ---------------------------------------------------------------------------------------------------

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

    def holds(self, token: HeldToken) -> bool:
        """That token is held."""
        is_held: bool = getattr(self.ship.tokens, token.value)
        return is_held

    def dice(self, system: str) -> int:
        """Dice that belong to a system. A file may say anything; nobody throws more than the ship has."""
        count: int = getattr(self.ship.systems, system)
        return max(0, min(count, self.edition.dice))

    # -- changes ---------------------------------------------------------------------------------------------------

    def with_ship(self, **values: Any) -> Moment:
        return replace(self, sheet=replace(self.sheet, ship=replace(self.ship, **values)))

    def with_token(self, token: HeldToken, *, is_held: bool) -> Moment:
        return self.with_ship(tokens=replace(self.ship.tokens, **{token.value: is_held}))

    def with_dice(self, dice: Mapping[str, int]) -> Moment:
        """The same with so many dice in those systems."""
        return self.with_ship(systems=replace(self.ship.systems, **dice))

    def with_module(self, bay: Bay, module: Module) -> Moment:
        return self.with_ship(modules={**self.ship.modules, bay: module})

    def with_member(self, who: str, member: Crewmate) -> Moment:
        return replace(self, sheet=replace(self.sheet, crew={**self.crew(), who: member}))


# -- words for what has a name ------------------------------------------------------------------------------------------

ALL = "all"
_ANYWHERE = frozenset((ALL, "ship", "die", "passes", *(token.value for token in HeldToken)))
"""Words that mean something in moves of every game."""


def reserved_words(moment: Moment) -> Collection[str]:
    """Words that nothing with a name of its own is called by."""
    return _ANYWHERE | moment.edition.reserved


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Crew keys by the word that is typed for them."""
    return words_for(((key, key) for key in moment.crew()), "crew", reserved_words(moment))


def crew_letters(moment: Moment) -> Mapping[str, str]:
    """The letter of each crew member by key: of their name where one is free, and none where none is left."""
    return letters_for(crew_words(moment))


def who_is(moment: Moment, word: str) -> str:
    """The key of the crew member whose word it is."""
    return crew_words(moment)[word]


def module_words(moment: Moment) -> Mapping[str, Bay]:
    """Slots by the word for the module in them."""
    names = ((bay.value, module.name) for bay, module in moment.modules())
    found = words_for(names, "module", (*reserved_words(moment), *crew_words(moment)))
    return {word: Bay(bay) for word, bay in found.items()}


def own_words(
    moment: Moment, names: tuple[tuple[str, str], ...], kind: str, more: Collection[str] = ()
) -> Mapping[str, str]:
    """Words for what someone has, none of which is a crew member's, a module's or one `more`."""
    return words_for(names, kind, (*reserved_words(moment), *crew_words(moment), *module_words(moment), *more))


def times(count: int, what: str) -> str:
    """`1 die`, `2 dice`, `3 hits`."""
    many = {"die": "dice"}.get(what, f"{what}s")
    return f"{count} {what if count == 1 else many}"
