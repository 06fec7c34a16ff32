"""The working state of a move in Veil Runners, the words to type for crew and modules, and the stages: what may be open between two acts.
Each is saved in the log under its `TAG`. Stages form a stack (`OpenStages`). The last one asks first.

`Edition` has the differences between editions: numbers and functions in one value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from waylog.rules.codec.changes import format_path, letters_for, words_for
from waylog.rules.model.act_lists_and_row_verbs import ANYTIME
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.rulebook import MomentBase, StageStack
from waylog.rules.systems.veil_core.sheet import MOST_FOCUS, Advancement, Bay, Core, Member, Module, Sheet, Ship
from waylog.values import dataclass, replace


class Call(StrEnum):
    """The roll types: how bad a roll may turn out (VK-10, VN-03)."""

    STANDARD = "standard"
    RISKY = "risky"
    DESPERATE = "desperate"


class Purpose(StrEnum):
    """The purpose of a roll."""

    PLAIN = "plain"
    HEAL = "heal"
    DEFEND = "defend"


@dataclass(frozen=True, slots=True)
class Hit:
    """A crew member is about to take damage (VK-40)."""

    TAG = "hit"

    who: str = ""
    defended: bool = False
    """No Defender can step in any more (VK-64)."""
    also: tuple[str, ...] = ()
    """Keys of those who take the same damage afterwards, because a defence was a Fiasco."""
    tried: tuple[str, ...] = ()
    """Keys of those who have already tried to defend: each may try once for each hit."""


@dataclass(frozen=True, slots=True)
class RollRequest:
    """A roll before its dice: roller, roll type and purpose."""

    who: str = ""
    """The roller: a crew member's key; empty for the ship."""
    system: str = ""
    """The ship's CORE system."""
    call: Call = Call.STANDARD
    purpose: Purpose = Purpose.PLAIN
    mate: str = ""
    """Key of the crewmate who is healed or defended."""
    hit: Hit = Hit()
    """The hit that a Defender rolls against."""


@dataclass(frozen=True, slots=True)
class FocusChoice:
    """Rolled dice that Focus may still change (VK-13, VK-63)."""

    TAG = "thrown"

    roll: RollRequest = RollRequest()
    sources: tuple[str, ...] = ()
    """The label of each die."""
    faces: tuple[int, ...] = ()
    lowest: bool = False
    """The lowest die decides, not the highest (VN-02)."""
    final: tuple[int, ...] = ()
    """Positions of the dice that were rerolled and stay as they are (VK-63)."""


@dataclass(frozen=True, slots=True)
class ShipHit:
    """The ship is about to take damage (VK-30)."""

    TAG = "shiphit"


@dataclass(frozen=True, slots=True)
class Struck:
    """A damage die that adaptive plating may raise (VK-68)."""

    TAG = "struck"

    who: str = ""
    face: int = 1


@dataclass(frozen=True, slots=True)
class Debt:
    """A healer who spends 1 more Focus or takes damage (VK-44)."""

    TAG = "debt"

    who: str = ""


@dataclass(frozen=True, slots=True)
class LifeSupportChoice:
    """Those who still choose how spent life support helps them (VK-38)."""

    TAG = "recovery"

    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A group roll in progress (VK-20)."""

    TAG = "group"

    waiting: tuple[str, ...] = ()
    """Those who have still to roll, by the words of their moves."""
    rollers: tuple[str, ...] = ()
    """Those who have rolled, by key; empty for the ship."""
    outcomes: tuple[OutcomeGrade, ...] = ()
    call: Call = Call.STANDARD
    all_roll: bool = False
    """The rest roll one after the other, each as they stand."""


@dataclass(frozen=True, slots=True)
class FreePick:
    """A free choice of an advancement from a list (VK-53)."""

    TAG = "freepick"

    who: str = ""
    table: str = ""


@dataclass(frozen=True, slots=True)
class Surplus:
    """One advancement too many: one has to go (VK-66)."""

    TAG = "surplus"

    who: str = ""
    gained: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """An advancement that needs a name: an expertise, or an arm's tool (VK-62, VK-67)."""

    TAG = "naming"

    who: str = ""
    gained: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """A finished roll. It asks nothing, but allows a shunt (VK-33)."""

    TAG = "settled"

    rollers: tuple[str, ...] = ()
    """Those who rolled, by key; empty for the ship."""
    criticals: tuple[str, ...] = ()
    """Those whose rolls were Critical, by key."""


@dataclass(frozen=True, slots=True)
class Advancing:
    """A mission has just ended. It asks nothing, but offers everyone their Upgrade or mission prep (VK-52)."""

    TAG = "advancing"


Stage = (
    FocusChoice
    | ShipHit
    | Hit
    | Struck
    | Debt
    | LifeSupportChoice
    | Group
    | FreePick
    | Surplus
    | Naming
    | Settled
    | Advancing
)


@dataclass(frozen=True, slots=True)
class OpenStages(StageStack):
    """The open stages. The last one asks first."""

    TAG = "scene"

    stages: tuple[Stage, ...] = ()


Harm = frozenset[tuple[Call, OutcomeGrade]]
"""The outcomes that hurt the roller, for each roll type."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The rules of one edition. All editions share the others."""

    core_dice: int
    """Number of dice in the ship's three CORE systems."""
    core_least: int
    """Lowest number of dice in one of them."""
    core_most: int
    core_clause: str
    calls: tuple[Call, ...]
    """Roll types, mildest first."""
    call_clause: str
    harm: Harm
    harm_clause: str
    no_dice: Callable[[str], int]
    """Returns how many dice to roll, lowest read, if a roll has no dice. Raises `ActRefused` if it can't be made."""
    most_dice: Callable[[Any], int | None]
    """Returns the most dice that may be rolled at once under these house rules, or None."""
    group: Callable[[Sequence[OutcomeGrade], Any], OutcomeGrade]
    """Returns the shared outcome of a group roll under these house rules."""
    how_group_counts: Callable[[Any], str]
    """Returns that in one sentence for whoever is about to roll."""
    group_clause: str

    def harms(self, call: Call, outcome: OutcomeGrade) -> bool:
        """Whether a roll of that type with that outcome hurts its roller."""
        return (call, outcome) in self.harm


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
