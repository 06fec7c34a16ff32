"""The working state of a move, the differences between the games of this family, and the words to type for names.

The parts of a sheet that the games of this family share: the ship with its tokens and modules, and a crew member's
name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal

from waylog.rules.codec.changes import format_path, letters_for, words_for
from waylog.rules.model.act_lists_and_row_verbs import ANYTIME
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.rulebook import MomentBase
from waylog.values import NamedTuple, dataclass, field, replace

CARRIED = 12
"""The most dice of a system or a person that the rules can work with, whatever the wayfinder overrules."""
EmptySlotHit = Annotated[
    Literal["nothing", "destroyed"], "Effect of a crash in an empty slot: none, or the ship is destroyed"
]
"""A house rule of both games."""


class Bay(StrEnum):
    """The numbered slots for modules."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"


class HeldToken(StrEnum):
    """A token, held or lost (RF-01)."""

    INTEGRITY = "integrity"
    ENGINEERING = "engineering"
    SUPPLIES = "supplies"
    RESERVES = "reserves"


@dataclass(frozen=True, slots=True)
class SystemDice:
    """The numbers of dice of a ship's systems, with one field for each system."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens: true while held, false when lost (RF-01)."""

    integrity: Annotated[bool, "Takes the next damage, and is then lost"] = True
    engineering: Annotated[bool, "While lost, every system roll is Desperate"] = True
    supplies: Annotated[bool, "Air, food, medicine"] = True
    reserves: Annotated[bool, "Money, favours, a good name"] = True


@dataclass(frozen=True, slots=True)
class Module:
    """The module in a slot. Without a name the slot is empty."""

    ASKED_FIRST: ClassVar = ("name", "about")
    IN_PLAY: ClassVar = ("destroyed",)

    name: Annotated[str, "Name. Without one, the slot is empty"] = ""
    about: Annotated[str, "Description"] = ""
    destroyed: Annotated[bool, "Destroyed by a system crash"] = False


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship. Its systems depend on the game."""

    ASKED_FIRST: ClassVar = ("name", "about", "modules")
    IN_PLAY: ClassVar = ("destroyed", "tokens", "state", "dice_lost")

    name: Annotated[str, "The ship's name"] = ""
    about: Annotated[str, "Anything worth noting about the ship"] = ""
    destroyed: Annotated[bool, "Destroyed: the adventure is over, unless the wayfinder restores the ship"] = False
    systems: Annotated[SystemDice, "Dice in each system"] = SystemDice()
    tokens: Annotated[Tokens, "Tokens: yes until lost"] = Tokens()
    modules: Annotated[Mapping[Bay, Module], "Modules, slots 1 to 4"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Crewmate:
    """A crew member. The rest of the sheet depends on the game."""

    name: Annotated[str, "Name"] = ""


@dataclass(frozen=True, slots=True)
class PersonalDice:
    """The dice that each crew member brings to a roll, as an edition calls them."""

    key: str
    """Their key in the file, which is also their word: a `vitality` die."""
    name: str
    """The word for all of them together: `vitality`, `personal dice`."""
    rule: str
    """The house rule with their number at the start, which is also the most."""
    clause: str
    rest_clause: str
    """The clause by which a rest restores them."""


def outcome_names(fiasco: tuple[str, str], drawback: tuple[str, str]) -> Mapping[OutcomeGrade, tuple[str, str]]:
    """Return the word and the label of each outcome, worst first. A success is called one in every edition."""
    names = (fiasco, drawback, ("success", "Success"))
    return MappingProxyType(
        dict(zip((OutcomeGrade.FIASCO, OutcomeGrade.DRAWBACK, OutcomeGrade.SUCCESS), names, strict=True))
    )


class TokenLoss(NamedTuple):
    """The consequence of losing a token."""

    text: str
    """Goes on after `Without integrity, `."""
    in_short: str
    """The same in at most 16 cells, for a narrow window."""


def token_losses(engineering: str, supplies: TokenLoss, reserves: TokenLoss) -> Mapping[HeldToken, TokenLoss]:
    """Return the consequence of losing each token. That of integrity is the same in every edition; `engineering` is called differently."""
    return MappingProxyType(
        {
            HeldToken.INTEGRITY: TokenLoss("the next damage may crash a module", "modules at risk"),
            HeldToken.ENGINEERING: TokenLoss(engineering, "Desperate rolls"),
            HeldToken.SUPPLIES: supplies,
            HeldToken.RESERVES: reserves,
        }
    )


@dataclass(frozen=True, slots=True)
class EditionClauses:
    """The ids of the clauses by which an edition has the rules that all of them share."""

    dice: str
    """The dice of the ship's systems."""
    tokens: str
    desperate: str
    """System rolls are Desperate without engineering."""
    integrity: str
    engineering: str
    crash: str
    """Damage to the ship without integrity."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The parts in which the games of this family differ."""

    systems: Mapping[str, str]
    """The ship's systems: the key in the file, and its use."""
    dice: int
    """The number of dice in all systems together."""
    personal: PersonalDice
    outcomes: Mapping[OutcomeGrade, tuple[str, str]]
    """Its outcomes, worst first: the word and the label for each grade."""
    losses: Mapping[HeldToken, TokenLoss]
    reserved: frozenset[str]
    """Words with a meaning in its moves. No crew member, module or skill gets one of them."""
    clauses: EditionClauses


@dataclass(frozen=True, slots=True)
class Moment(MomentBase):
    """The working state of a move. The game's own sheet has a `ship` and a `crew`. At most one stage is open."""

    edition: Edition

    # -- queries ---------------------------------------------------------------------------------------------------

    @property
    def ship(self) -> Ship:
        ship: Ship = self.sheet.ship
        return ship

    def crew(self) -> Mapping[str, Crewmate]:
        """Return everyone in the crew, by key."""
        crew: Mapping[str, Crewmate] = self.sheet.crew
        return crew

    def name(self, who: str) -> str:
        """Return the name of a crew member."""
        return self.crew()[who].name or who

    def modules(self) -> Iterator[tuple[Bay, Module]]:
        """Return the modules, by slot."""
        for bay in Bay:
            module = self.ship.modules.get(bay)
            if module and module.name:
                yield bay, module

    def holds(self, token: HeldToken) -> bool:
        """Whether that token is held."""
        is_held: bool = getattr(self.ship.tokens, token.value)
        return is_held

    def dice(self, system: str) -> int:
        """Return the dice of a system, at most as many as the ship has, whatever the file says."""
        count: int = getattr(self.ship.systems, system)
        return max(0, min(count, self.most_of(f"ship.systems.{system}", self.edition.dice)))

    @property
    def most_personal(self) -> int:
        """The most dice that a crew member has by the house rule."""
        most: int = getattr(self.rules, self.edition.personal.rule)
        return most

    def personal(self, who: str) -> int:
        """Return the dice that someone brings, within the limits of the rules, whatever the file says."""
        key = self.edition.personal.key
        count: int = getattr(self.crew()[who], key)
        return max(0, min(count, self.most_of(format_path(("crew", who, key)), self.most_personal)))

    # -- changes ---------------------------------------------------------------------------------------------------

    def with_ship(self, **values: Any) -> Moment:
        return replace(self, sheet=replace(self.sheet, ship=replace(self.ship, **values)))

    def with_token(self, token: HeldToken, *, is_held: bool) -> Moment:
        return self.with_ship(tokens=replace(self.ship.tokens, **{token.value: is_held}))

    def with_dice(self, dice: Mapping[str, int]) -> Moment:
        """Return the moment with that many dice in those systems."""
        return self.with_ship(systems=replace(self.ship.systems, **dice))

    def with_module(self, bay: Bay, module: Module) -> Moment:
        return self.with_ship(modules={**self.ship.modules, bay: module})

    def with_member(self, who: str, member: Crewmate) -> Moment:
        return replace(self, sheet=replace(self.sheet, crew={**self.crew(), who: member}))

    def with_personal(self, who: str, count: int) -> Moment:
        dice: Any = {self.edition.personal.key: count}
        return self.with_member(who, replace(self.crew()[who], **dice))


# -- words for what has a name ------------------------------------------------------------------------------------------

ALL = "all"
_ANYWHERE = frozenset((ALL, "ship", "die", "passes", *(token.value for token in HeldToken)))
"""Words with a meaning in moves of every game."""


def reserved_words(moment: Moment) -> Collection[str]:
    """Return the words that no crew member, module or skill may get."""
    return _ANYWHERE | moment.edition.reserved


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Return crew keys by the word to type for each."""
    return words_for(((key, key) for key in moment.crew()), "crew", reserved_words(moment))


def crew_letters(moment: Moment) -> Mapping[str, str]:
    """Return a letter for each crew member, by key: one of their name if any is free, otherwise another; empty if none is left."""
    return letters_for(crew_words(moment), ANYTIME)


def who_is(moment: Moment, word: str) -> str:
    """Return the key of the crew member that a word stands for."""
    return crew_words(moment)[word]


def members_named(moment: Moment, word: str) -> tuple[str, ...]:
    """Return the keys of the crew members that a word stands for: one, or with `all` everyone."""
    return tuple(moment.crew()) if word == ALL else (who_is(moment, word),)


def module_words(moment: Moment) -> Mapping[str, Bay]:
    """Return slots by the word to type for their module."""
    names = ((bay.value, module.name) for bay, module in moment.modules())
    found = words_for(names, "module", (*reserved_words(moment), *crew_words(moment)))
    return {word: Bay(bay) for word, bay in found.items()}


def own_words(
    moment: Moment, names: tuple[tuple[str, str], ...], kind: str, more: Collection[str] = ()
) -> Mapping[str, str]:
    """Return words for things that someone has. None is the word of a crew member or a module, or in `more`."""
    return words_for(names, kind, (*reserved_words(moment), *crew_words(moment), *module_words(moment), *more))


def times(count: int, what: str) -> str:
    """Return a number with its noun: `1 die`, `2 dice`, `3 hits`."""
    many = {"die": "dice"}.get(what, f"{what}s")
    return f"{count} {what if count == 1 else many}"
