"""Dice in the usual notation, `2d6+3` or `4d6kh3`: reading it, adding faces up, and the exact odds of every total.

    pool = [sign] term, then sign term, as often as needed; a sign is + or -
    term = number | [count] d sides [keep]; `d%` is `d100`, and `d66` is two six-sided dice, one for each digit
    keep = kh, kl, dh or dl and a number (1 if left out): keep or drop the highest or lowest; `k3` is `kh3`

The bounds below keep the odds of any pool within 50 milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from math import comb

from waylog.rules.model.odds import Ratio
from waylog.values import dataclass

MOST_DICE, MOST_SIDES, MOST_TERMS, LARGEST_NUMBER = 30, 1000, 10, 9999
MOST_FACES = 1000
"""The most that all dice of a pool may add up to."""
MOST_KEPT_FACES = 600
"""The most that the dice of a term may add up to, if only some of them are kept."""
SIGNS = "+-−"
"""The signs that can be typed between two terms."""
_TOO_MANY = "roll at most {most} dice at once"
_TERM = r"(?P<sign>[+-]?)(?:(?P<count>[0-9]*)d(?P<sides>[0-9]+|%)(?:(?P<keep>kh|kl|dh|dl|k)(?P<kept>[0-9]*))?|(?P<number>[0-9]+))"
_BEGINS = r"[+-]?(?:[0-9]+[+-])*[0-9]*d[0-9%f]"
_FUDGE = r"([0-9]*)df"
_SIX, _D66 = 6, 66


class NotDice(ValueError):
    """The text is not dice notation, or exceeds a bound. The message says what is wrong."""


@dataclass(frozen=True, slots=True)
class DiceTerm:
    """Dice of one kind, added up or subtracted."""

    count: int
    sides: int
    minus: bool = False
    kept: int = 0
    """The number of dice that count; 0 if all do."""
    highest: bool = True
    """Whether those that count are the highest ones."""
    notation: str = ""

    @property
    def is_d66(self) -> bool:
        """Whether one die is for the tens, and one for the units."""
        return self.sides == _D66

    @property
    def dice(self) -> Sequence[int]:
        """The sides of each die."""
        return (_SIX, _SIX) if self.is_d66 else (self.sides,) * self.count

    def find_dropped(self, faces: Sequence[int]) -> Sequence[int]:
        """Return the positions of the dice that don't count, given a face for each of `dice`."""
        if not self.kept:
            return ()
        order = sorted(range(len(faces)), key=lambda place: faces[place], reverse=self.highest)
        return sorted(order[self.kept :])

    def total(self, faces: Sequence[int]) -> int:
        """Return what the faces add to the pool, or subtract from it."""
        out = self.find_dropped(faces)
        found = 10 * faces[0] + faces[1] if self.is_d66 else sum(f for place, f in enumerate(faces) if place not in out)
        return -found if self.minus else found


@dataclass(frozen=True, slots=True)
class DicePool:
    """Dice of one or several kinds and a number, as a person has written them."""

    notation: str
    """It in the plainest form."""
    terms: tuple[DiceTerm, ...]
    plus: int = 0

    @property
    def largest(self) -> int:
        """The most sides that one of its dice has."""
        return max(sides for term in self.terms for sides in term.dice)

    def split(self, faces: Sequence[int]) -> Iterator[tuple[DiceTerm, Sequence[int]]]:
        """Return each term with its faces, given one for each die in order."""
        rest = [*faces]
        for term in self.terms:
            count = len(term.dice)
            yield term, rest[:count]
            del rest[:count]

    def total(self, faces: Sequence[int]) -> int:
        """Return the total of the faces, given one for each die in order."""
        return self.plus + sum(term.total(part) for term, part in self.split(faces))


def begins_like_dice(word: str) -> bool:
    """Whether a word is meant as dice, however it goes on."""
    return "d" in word.lower() and re.match(_BEGINS, _plain(word)) is not None


def join_typed_apart(words: Sequence[str]) -> tuple[str, int]:
    """Join dice that were typed with spaces, `2d6 + 3`: return their notation, and how many of the first words it takes."""
    joined, count = words[0], 1
    for word in words[1:]:
        if joined[-1] not in SIGNS and word[0] not in SIGNS:
            break
        joined, count = joined + word, count + 1
    return joined, count


@lru_cache(64)
def parse_dice(text: str) -> DicePool:
    """Read the notation. Raises `NotDice`."""
    plain = _plain(text)
    if fudge := re.search(_FUDGE, plain):
        count = int(fudge[1][:3] or 1)
        raise NotDice(f"“{_short(text)}”: type Fudge dice as d3s, in this case {count}d3-{2 * count}")
    terms, parts, plus, at = list[DiceTerm](), list[str](), 0, 0
    while at < len(plain):
        match = re.compile(_TERM).match(plain, at)
        if not match or (at and not match["sign"]):
            raise NotDice(f"“{_short(text)}” is not a dice roll: type one such as 2d6+3, 4d6kh3 or d20")
        sign = "-" if match["sign"] == "-" else "+"
        if match["number"]:
            number = _read_number(match["number"], LARGEST_NUMBER, "a number can be at most {most}")
            plus += -number if sign == "-" else number
            parts.append(f"{sign}{number}")
        else:
            terms.append(_term(match))
            parts.append(f"{sign}{terms[-1].notation.removeprefix('-')}")
        at = match.end()
    if not terms:
        raise NotDice(f"“{_short(text)}” has no dice in it: type a roll such as 2d6+3, 4d6kh3 or d20")
    if len(parts) > MOST_TERMS:
        raise NotDice(f"a roll can have at most {MOST_TERMS} terms, but “{_short(text)}” has {len(parts)}")
    if (count := sum(len(term.dice) for term in terms)) > MOST_DICE:
        raise NotDice(f"you can roll at most {MOST_DICE} dice at once, but “{_short(text)}” has {count}")
    if (most := sum(sum(term.dice) for term in terms)) > MOST_FACES:
        raise NotDice(
            f"the dice of a roll can total at most {MOST_FACES}, but those in “{_short(text)}” could total {most}"
        )
    return DicePool("".join(parts).removeprefix("+"), tuple(terms), plus)


def _plain(text: str) -> str:
    return re.sub(r"\s*([+-])\s*", r"\1", text.strip().lower().replace("−", "-"))


def _short(text: str) -> str:
    return text if len(text) <= 20 else f"{text[:20]}…"


def _read_number(digits: str, most: int, refusal: str) -> int:
    if len(digits.lstrip("0")) > len(str(most)) or int(digits) > most:
        raise NotDice(refusal.format(most=most))
    return int(digits)


def _term(match: re.Match[str]) -> DiceTerm:
    count = _read_number(match["count"] or "1", MOST_DICE, _TOO_MANY)
    sides = 100 if match["sides"] == "%" else _read_number(match["sides"], MOST_SIDES, "a die has at most {most} sides")
    if count < 1 or sides < 2:
        raise NotDice("roll at least one die, with at least two sides")
    keep, kept, text = match["keep"], 0, f"{count if count > 1 else ''}d{sides}"
    if sides == _D66 and (count > 1 or keep):
        raise NotDice("roll a single d66: it is already two dice")
    if keep:
        number = _read_number(match["kept"] or "1", MOST_DICE, _TOO_MANY)
        keep = "kh" if keep == "k" else keep
        text += f"{keep}{number}"
        kept = number if keep[0] == "k" else count - number
        if not 1 <= kept <= count:
            raise NotDice(f"{text}: keep at least one of the dice, and at most {count}")
        if count * sides > MOST_KEPT_FACES:
            raise NotDice(f"{text}: to keep only some of the dice, roll at most {MOST_KEPT_FACES // sides} dice")
        kept %= count
    minus = match["sign"] == "-"
    return DiceTerm(count, sides, minus, kept, keep in ("kh", "dl"), f"-{text}" if minus else text)


# -- odds ------------------------------------------------------------------------------------------------------------
#
# A list of weights says in how many ways each sum comes up. Sums of dice are products of polynomials, and Python multiplies
# nothing faster than whole numbers: the weights are written one after another into one number, each in as many bytes as the
# largest result takes.


@dataclass(frozen=True)
class Distribution:
    """The number of equally likely ways in which each total comes up."""

    low: int
    """The lowest total."""
    ways: tuple[int, ...]
    """The number of ways to `low`, and to each total above it in turn."""

    @cached_property
    def whole(self) -> int:
        """The number of all ways."""
        return sum(self.ways)

    @property
    def chances(self) -> Mapping[int, Ratio]:
        """The chance of each possible total."""
        return {self.low + place: Ratio(ways, self.whole) for place, ways in enumerate(self.ways) if ways}

    @property
    def at_least(self) -> Mapping[int, Ratio]:
        """For each total, the chance of rolling that or more."""
        above = [*accumulate(reversed(self.ways))][::-1]
        return {self.low + place: Ratio(ways, self.whole) for place, ways in enumerate(above)}

    @property
    def average(self) -> Ratio:
        """The mean of all totals."""
        return self.low + Ratio(sum(place * ways for place, ways in enumerate(self.ways)), self.whole)


@lru_cache(64)
def distribution(pool: DicePool) -> Distribution:
    """Return the exact odds of a pool."""
    low, ways = pool.plus, [1]
    for term in pool.terms:
        # The lowest sum of the term, and the ways to each sum from there on.
        size = _bytes_for(term.sides**term.count)
        if term.is_d66:
            lowest, more = 11, [int(1 <= (11 + place) % 10 <= _SIX) for place in range(_D66 - 10)]
        elif not term.kept:
            lowest, more = term.count, _unpack(_pack([1] * term.sides, size) ** term.count, size)
        else:
            lowest, more = term.kept, _ways_of_highest(term)
            more = more if term.highest else more[::-1]
        if term.minus:
            lowest, more = -(lowest + len(more) - 1), more[::-1]
        size = _bytes_for(sum(ways) * sum(more))
        low, ways = low + lowest, _unpack(_pack(ways, size) * _pack(more, size), size)
    return Distribution(low, tuple(ways))


def _ways_of_highest(term: DiceTerm) -> list[int]:
    """Return the ways to each sum of the highest dice, from the lowest sum on. The lowest dice have the same in reverse.

    Faces are placed from the highest down. `placed[n]` has the sums of n dice so far; the face that brings the last die to keep leaves
    the others anything below it.
    """
    count, sides, kept = term.count, term.sides, term.kept
    size = _bytes_for(sides**count)
    placed, found = [1] + [0] * (kept - 1), 0
    for face in range(sides, 0, -1):
        shift = 8 * size * (face - 1)
        after = [*placed]
        for done, sums in enumerate(placed):
            free, missing = count - done, kept - done
            for more in range(1, missing):
                after[done + more] += (comb(free, more) * sums) << (shift * more)
            ends = sum(comb(free, more) * (face - 1) ** (free - more) for more in range(missing, free + 1))
            found += (ends * sums) << (shift * missing)
        placed = after
    return _unpack(found, size)


def _bytes_for(largest: int) -> int:
    return largest.bit_length() // 8 + 1


def _pack(weights: Sequence[int], size: int) -> int:
    return int.from_bytes(b"".join(weight.to_bytes(size, "little") for weight in weights), "little")


def _unpack(number: int, size: int) -> list[int]:
    data = number.to_bytes(-(-number.bit_length() // (8 * size)) * size, "little")
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]
