"""Dice as a parameter of every rule: rolled by Waylog or typed by a person. A rule can't tell the difference."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import ClassVar, Protocol

from waylog.rules.model.moves import ActRefused
from waylog.values import NamedTuple, dataclass, field

TEN = 10
"""The most sides of a die whose faces are typed as one digit each."""
ZERO_IS_TEN = "0 counts as 10"
"""What real dice with ten sides show, for whoever types them."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die to roll, and its label (`NAV`, `AFTERBURNERS`, `damage`)."""

    source: str
    sides: int = 6
    asked: str = ""
    """A longer label for the person who types it, such as the table entry that contains it. Empty if `source` is
    enough.
    """
    role: tuple[object, ...] = field(default=(), compare=False, repr=False)
    """What else tells dice with this label and so many sides apart, such as that it is the tens of a d66. Dice of which all of this is the
    same mean the same, whichever of them shows a face.
    """
    is_card: bool = field(default=False, compare=False)
    """Whether it stands for a card, or the suit of one: `asked` says which."""
    shows: tuple[tuple[str, ...], ...] = field(default=(), compare=False)
    """The symbols on each face, if the faces have symbols in place of numbers."""
    kind: str = field(default="", compare=False)
    """The name of such dice, such as `ability`. Empty for dice with numbers, which their sides name."""

    @property
    def question(self) -> str:
        """What the person is asked who types it: its label, and of a d10 that its 0 is a 10."""
        label = self.asked or self.source
        if self.sides != TEN or self.is_card or self.shows:
            return label
        return f"{label[:-1]}, {ZERO_IS_TEN})" if label.endswith(")") else f"{label} ({ZERO_IS_TEN})"

    def showing(self, face: int) -> Face:
        """Return the die once it has been rolled."""
        return Face(self.source, face, self.sides, symbols=face_in_words(self.shows[face - 1]) if self.shows else "")


def face_in_words(symbols: Sequence[str]) -> str:
    """Return the symbols on a face, for people: `success ×2 + advantage`, or `blank`."""
    counts = Counter(symbol.replace("_", " ") for symbol in symbols)
    return " + ".join(symbol if count == 1 else f"{symbol} ×{count}" for symbol, count in counts.items()) or "blank"


def faces_to_type(shows: Sequence[Sequence[str]]) -> Mapping[int, Sequence[str]]:
    """Return the numbers to type for a real die with symbols, each with the symbols on the face: the first place where these stand."""
    first: dict[tuple[str, ...], int] = {}
    for place, symbols in enumerate(shows, 1):
        first.setdefault(tuple(sorted(symbols)), place)
    return {place: shows[place - 1] for place in first.values()}


@dataclass(frozen=True, slots=True)
class Face:
    """A rolled die. `face` is 1…`sides`."""

    KEYS: ClassVar = {
        "sides": "sides",
        "face": "face",
        "from": "source",
        "dropped": "dropped",
        "card": "card",
        "symbols": "symbols",
    }
    ALWAYS_WRITTEN: ClassVar = ("sides",)

    source: str
    face: int
    sides: int = 6
    dropped: bool = False
    """It doesn't count: only some of the dice are kept."""
    card: str = ""
    """The card that it stands for, in words: `coins 12`. If two dice stand for it, the first has the suit and the second the number."""
    symbols: str = ""
    """What it shows, in words, if its faces have symbols in place of numbers: `success ×2`."""

    @property
    def words(self) -> str:
        """What it shows in words. Empty if that is its number."""
        return self.card or self.symbols


class Dice(Protocol):
    """The dice that a rule rolls with."""

    @property
    def are_real(self) -> bool:
        """Whether the faces come from real dice."""

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """Return the faces, in the order of `dice`. Raises `DiceWanted` if real dice have still to be typed."""


class DiceWanted(Exception):
    """More real dice are needed: `dice` are those still to be typed."""

    def __init__(self, dice: Sequence[Die]) -> None:
        super().__init__(f"{len(dice)} more to type: {', '.join(die.source for die in dice)}")
        self.dice = tuple(dice)


class ChanceDice:
    """Dice rolled by Waylog. `below(n)` must return a whole number from 0 to n - 1, each equally likely."""

    are_real = False

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        return tuple(die.showing(self._below(die.sides) + 1) for die in dice)


class EqualDice:
    """Dice that all show the same face, or their highest if that is lower. They are used to find out what dice decide."""

    are_real = False

    def __init__(self, face: int) -> None:
        self._face = face

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        return tuple(die.showing(min(self._face, die.sides)) for die in dice)


class GivenDice:
    """Dice that fall as given: each shows the first face that is left of its size and, if the face has one, of its label. Those for which
    none is left, `rest` rolls, all at once.
    """

    are_real = False

    def __init__(self, faces: Iterable[Face], rest: Callable[[Sequence[Die]], Sequence[Face]]) -> None:
        self._faces, self._rest = [*faces], rest

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        given = [self._take(die) for die in dice]
        missing = [die for die, face in zip(dice, given, strict=True) if face is None]
        rest = iter(self._rest(missing) if missing else ())
        return tuple(face or next(rest) for face in given)

    def _take(self, die: Die) -> Face | None:
        for place, face in enumerate(self._faces):
            if face.sides == die.sides and face.source in ("", die.source):
                return die.showing(self._faces.pop(place).face)
        return None


class AlikeThrow(NamedTuple):
    """A throw of all dice of a roll that stands for others: they come to the same."""

    faces: tuple[Face, ...]
    """Those of later dice included, in the order in which they are rolled."""
    ways: int
    """How many throws it stands for, compared with the others."""
    leads_to: Hashable
    """All that matters of the dice that lie on the table then."""
    then: tuple[AlikeThrow, ...] = ()
    """The throws of the answer that comes next, if the throws that this one stands for are the same only once that is given. Empty if each
    of them comes to the same before.
    """


AlikeThrows = tuple[AlikeThrow, ...]


class Foresight(NamedTuple):
    """What odds know of a throw before it is made."""

    throws: Callable[[], AlikeThrows | None]
    """Returns the throws to play for it, or None if there is too much to work out."""
    stays: Hashable = None
    """What matters of the roll beside its dice. Throws onto dice that differ come to the same if this is the same, and what they lead to.
    None if nothing is on the table yet.
    """


class DiceOfOdds(GivenDice):
    """Given dice of a way that odds go: rolls that bring themselves again do it once, as there would be too many ways."""

    is_cut = False
    """Whether some roll would have brought itself once more, and was cut."""
    _next: Foresight | None = None
    latest: Foresight | None = None
    """What is known of the roll whose dice were thrown last; None if nothing is."""

    def __init__(
        self,
        faces: Iterable[Face],
        rest: Callable[[Sequence[Die]], Sequence[Face]],
        then: str,
        *,
        is_answer: bool,
        only: str = "",
    ) -> None:
        """`then` is the first word of what comes after the roll in its chain, empty if nothing does; `is_answer` if it is no move. If it is
        given whatever the outcome is, and no other answer after it, `only` has its words.
        """
        super().__init__(faces, rest)
        self.then, self.is_answer, self.only = then, is_answer, only

    def foresee(self, foresight: Foresight) -> None:
        """Note what is known of the dice of a roll, before they are thrown."""
        self._next = foresight

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        self.latest, self._next = self._next, None
        return super().roll(dice)


class TypedDice:
    """Real dice: `faces` in the order of the roll. Then come those of `early`, each for a die with its label; `rest`, if given, rolls
    those that were not typed.
    """

    def __init__(self, faces: Sequence[int], rest: Dice | None = None, early: Sequence[Face] = ()) -> None:
        self._faces, self._early = list(faces), list(early)
        self._rest = rest
        self.typed: list[Face] = []
        """The real dice that rolls have used."""
        self.rolled = 0
        """The number of dice that `rest` has rolled."""

    @property
    def are_real(self) -> bool:
        """Whether every die so far was a real one."""
        return not self.rolled

    @property
    def unused_faces(self) -> tuple[int, ...]:
        """The typed faces that no roll has used."""
        return tuple(self._faces)

    @property
    def early(self) -> tuple[Face, ...]:
        """The early dice that no roll has used."""
        return tuple(self._early)

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        faces = list[Face]()
        # Beside a die of ten sides or more, 16 may be what that one shows.
        have_one_digit = all(die.sides < TEN for die in dice)
        for die in dice:
            if self._faces:
                self._faces[:1] = split_digits(die, self._faces[0]) if have_one_digit else self._faces[:1]
                faces.append(die.showing(require_face(die, self._faces[0])))
                del self._faces[0]
            elif self._early and is_for(self._early[0], die):
                faces.append(self._early.pop(0))
            else:
                break
        self.typed += faces
        missing = dice[len(faces) :]
        if missing and self._rest is None:
            raise DiceWanted(missing)
        if not missing or self._rest is None:
            return tuple(faces)
        self.rolled += len(missing)
        return (*faces, *self._rest.roll(missing))


def is_for(face: Face, die: Die) -> bool:
    """Whether a real die was typed for that die."""
    return (face.source, face.sides) == (die.source, die.sides)


def split_digits(die: Die, face: int) -> Sequence[int]:
    """Return the faces that a number means where each die has one digit: 62 is a 6 and a 2 of two d6."""
    digits = [int(digit) for digit in str(abs(face))]
    return digits if face > die.sides and all(1 <= digit <= die.sides for digit in digits) else [face]


def faces_in_digits(digits: str) -> list[int]:
    """Return the faces of dice with at most ten sides that were typed as digits: one each, but both `0` and `10` are a ten."""
    return [int(face) or TEN for face in re.findall("10|[0-9]", digits)]


def require_face(die: Die, face: int) -> int:
    """Return the face that a typed number means: 0 is the highest of a d10 and, as 00, of a d100. Raises `ActRefused` if the die has none
    such.
    """
    if not face and die.sides in (TEN, TEN**2):
        return die.sides
    if not 1 <= face <= die.sides:
        shown = "0 or 10" if face == TEN else face  # A typed 0 means 10 on a d10.
        raise ActRefused(f"a d{die.sides} has no {shown}: check the die for {die.source}")
    return face
