"""What tells one game of this family from another, for the rules that they share: names, numbers and clauses in one value."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from waylog.rules.systems.veil_reference.sheet import Station, Token
from waylog.rules.turns import Mood
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Edition:
    """A game's own names for what it shares."""

    systems: Mapping[str, str]
    """The ship's systems as the file names them, and what each is for."""
    dice: int
    """Dice in all of them together."""
    outcomes: Mapping[Mood, tuple[str, str]]
    """Its outcomes, worst first: the word and the label for each mood."""
    without: Mapping[Token, str]
    """What it means that a token is lost."""
    in_short: Mapping[Token, str]
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


REFERENCE = Edition(
    systems=MappingProxyType(
        {
            Station.SIGINT.value: "see, listen, work things out",
            Station.SHIELDS.value: "withstand, mend, hold",
            Station.ENGINES.value: "fly, flee, push",
        }
    ),
    dice=6,
    outcomes=MappingProxyType(
        {
            Mood.FIASCO: ("fiasco", "Fiasco"),
            Mood.DRAWBACK: ("complication", "Complication"),
            Mood.SUCCESS: ("success", "Success"),
        }
    ),
    without=MappingProxyType(
        {
            Token.INTEGRITY: "the next damage may crash a module",
            Token.ENGINEERING: "system rolls are Desperate",
            Token.SUPPLIES: "air, food and medicine run short",
            Token.RESERVES: "nothing left to pay or bargain with",
        }
    ),
    in_short=MappingProxyType(
        {
            Token.INTEGRITY: "modules at risk",
            Token.ENGINEERING: "Desperate rolls",
            Token.SUPPLIES: "running short",
            Token.RESERVES: "nothing to pay",
        }
    ),
    reserved=frozenset(
        ("roll", "sigint", "shields", "engines", "one", "two", "three", "standard", "desperate", "help", "on")
    ),
    dice_clause="RF-01",
    token_clause="RF-01",
    desperate_clause="RF-14",
    integrity_clause="RF-15",
    engineering_clause="RF-15",
    crash_clause="RF-15",
)
