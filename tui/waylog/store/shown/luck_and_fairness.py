"""Luck: what the dice of a campaign came to, against what fair dice come to in the same rolls; and whether sealed dice are those of
their seed.

Only rolls that still hold are counted: what was undone didn't happen at the table. All of it is for the wayfinder. The distribution of
a sum is exact, and so are the tests of how often each face came up. `luck_text` writes it as Markdown, for the screen, for commands and
for line mode: one sentence, then the figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import exp, lgamma, log

from waylog.rules.codec.changes import parse_path
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import RollFact
from waylog.rules.model.odds import Ratio, percent
from waylog.rules.model.panels import Panel
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.seals import hash_of, sealed_face
from waylog.store.shown.recap_in_markdown import escape_markdown
from waylog.values import NamedTuple, dataclass

FEWEST = 30
"""The fewest rolls, or dice of one kind for a face, about which anything is said."""
UNUSUAL = 0.05
"""The chance, corrected for the number of tests, from which down a result counts as unusual."""
REAL, OF_WAYLOG = "Real dice", "Waylog's dice"
OTHERS = "Everything else"
_UNIT = 64
"""Chances of sums are whole numbers of units of 2 to the power of minus this."""
_SLOT = 20
"""Bytes for each chance of a sum while they are multiplied: for a product of two, added up to 2³⁰ times."""
_NEGLIGIBLE = 1e-18
"""Terms of a sum that are this much smaller than the largest are left out."""


class Roll(NamedTuple):
    """The dice of one roll."""

    who: str
    typed: bool
    named: str
    """The name that these dice are saved under in the campaign file; empty for any others."""
    dice: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class RollSum:
    """Totals of some rolls: how often they were made, and their results."""

    name: str
    rolls: int
    dice: int
    came: int
    expected: float
    tails: Tails | None
    """None if there are too few rolls."""


@dataclass(frozen=True, slots=True)
class Unusual:
    """A result that fair dice seldom have: a sum, or the number of times that a face came up."""

    what: RollSum | FaceCount
    source: str
    """The person or thing whose dice show the face; empty for a sum."""
    tails: Tails


@dataclass(frozen=True, slots=True)
class Luck:
    """The results of all dice of a log, against those to expect of fair dice."""

    every: RollSum
    people: tuple[RollSum, ...]
    sources: tuple[RollSum, ...]
    faces: tuple[tuple[str, tuple[FaceCount, ...]], ...]
    """The counts of each face, for each source and kind of die."""
    unusual: Unusual | None
    """The most unusual of all that, if something is unusual for so many tests."""


def rolls_of(entries: Iterable[LogEntry], panels: Sequence[Panel], saved: Iterable[str]) -> list[Roll]:
    """Return the rolls among entries. `panels` name who rolled, and `saved` are the names of dice in the campaign file."""
    by_name = {panel.title: panel.title for panel in panels}
    by_path = {parse_path(panel.key): panel.title for panel in reversed(panels)}
    names = {name.casefold(): name for name in saved}
    found = list[Roll]()
    for entry in entries:
        places = (parse_path(path) for path in entry.about)
        about = next((by_path[at[:count]] for at in places for count in (2, 1) if at[:count] in by_path), OTHERS)
        for fact in entry.facts:
            dice = tuple(die for die in fact.dice if not die.symbols) if isinstance(fact, RollFact) else ()
            if isinstance(fact, RollFact) and dice:  # Symbols have no number to expect.
                who = by_name.get(fact.what.partition(", ")[0], about)
                named = names.get(fact.what.casefold(), "") if fact.total is not None else ""
                found.append(Roll(who, fact.typed, named, dice))
    return found


def luck_of(rolls: Sequence[Roll]) -> Luck:
    """Return what the dice of these rolls came to, exactly."""
    people = _sums(rolls, lambda roll: roll.who)
    sources = _sums(rolls, lambda roll: REAL if roll.typed else OF_WAYLOG)
    sources += _sums([roll for roll in rolls if roll.named], lambda roll: roll.named)
    faces = [
        (source, tuple(of_kind))
        for source, typed in ((REAL, True), (OF_WAYLOG, False))
        for _, of_kind in groupby(
            count_faces((die.sides, die.face) for roll in rolls if roll.typed == typed for die in roll.dice),
            key=lambda each: each.sides,
        )
    ]
    every = _sum("All dice", rolls)
    tested = [Unusual(each, "", each.tails) for each in (every, *people, *sources) if each.tails]
    if every.tails:
        tested += [
            Unusual(each, source, each.tails)
            for source, of_kind in faces
            for each in of_kind
            if each.dice >= FEWEST and each.sides > 1
        ]
    corrected = correct_for_many([each.tails.as_far for each in tested])
    rarest = min(zip(corrected, tested, strict=True), key=lambda pair: pair[0], default=None)
    unusual = rarest[1] if rarest and rarest[0] < UNUSUAL else None
    return Luck(every, tuple(people), tuple(sources), tuple(faces), unusual)


def _sums(rolls: Sequence[Roll], name_of: Callable[[Roll], str]) -> list[RollSum]:
    """Return what the rolls of each name came to, in the order of their first rolls; those of nobody come last."""
    names = dict.fromkeys(map(name_of, rolls))
    in_order = sorted(names, key=lambda name: name == OTHERS)
    return [_sum(name, [roll for roll in rolls if name_of(roll) == name]) for name in in_order]


def _sum(name: str, rolls: Sequence[Roll]) -> RollSum:
    dice = [die for roll in rolls for die in roll.dice]
    came, of_kind = sum(die.face for die in dice), Counter(die.sides for die in dice)
    expected = sum((sides + 1) / 2 * count for sides, count in of_kind.items())
    tails = sum_tails(of_kind, came) if len(rolls) >= FEWEST else None
    return RollSum(name, len(rolls), len(dice), came, expected, tails)


# -- sealed dice -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SealCheck:
    """The state of one seal: open or told, and whether its dice match."""

    entry: int
    seal: str
    session: int
    told: bool
    """The seed is told, so that the dice could be computed again."""
    is_open: bool
    """It is the latest seal and its seed is still to be told."""
    dice: int
    """The number of dice that come from the seal."""
    wrong: tuple[int, ...]
    """The entries whose dice are others than those of the seed."""


@dataclass(frozen=True, slots=True)
class SealReport:
    """The seals of a log, each with its state."""

    seals: tuple[SealCheck, ...]
    unsealed: int
    """The number of dice that Waylog rolled and that come from no seal."""
    stray: tuple[int, ...]
    """The entries whose dice should come from an entry that has no seal."""


def check_seals(entries: Sequence[LogEntry]) -> SealReport:
    """Compute all sealed dice of a log again. `entries` are all of it, undone ones too, oldest first."""
    seeds = {hash_of(seed): seed for entry in entries for seed in _seed_of(entry)}
    sealed: Mapping[int, list[LogEntry]] = {entry.number: [] for entry in entries if entry.seal}
    stray, unsealed = list[int](), 0
    for entry in entries:
        if not entry.sealed:
            # Earlier versions kept the dice in the facts alone. What was played again has those of the entries that it stands for.
            in_facts = entry.facts if entry.kind is not EntryKind.MISREAD else ()
            of_facts = sum(len(fact.dice) for fact in in_facts if isinstance(fact, RollFact) and not fact.typed)
            unsealed += len(entry.rolled) or of_facts
        elif entry.sealed in sealed and entry.sealed < entry.number:
            sealed[entry.sealed].append(entry)
        else:
            stray.append(entry.number)
    by_number = {entry.number: entry for entry in entries if entry.seal}
    checks = list[SealCheck]()
    for number, those in sealed.items():
        seal, seed = by_number[number].seal, seeds.get(by_number[number].seal)
        wrong = tuple(entry.number for entry in those if seed is not None and not _comes_from(entry, seed))
        count = sum(len(entry.rolled) for entry in those)
        is_open = seed is None and number == max(sealed)
        checks.append(SealCheck(number, seal, by_number[number].session, seed is not None, is_open, count, wrong))
    return SealReport(tuple(checks), unsealed, tuple(stray))


def _seed_of(entry: LogEntry) -> Iterable[bytes]:
    """Return the seed that an entry tells, if it does and nobody has damaged it."""
    try:
        return [bytes.fromhex(entry.seed)] if entry.seed else []
    except ValueError:
        return []


def _comes_from(entry: LogEntry, seed: bytes) -> bool:
    return all(
        sides > 0 and sealed_face(seed, entry.number, place, sides) == face
        for place, (sides, face) in enumerate(entry.rolled)
    )


# -- what fair dice come to ------------------------------------------------------------------------------------------
# No bell curve stands in for a distribution. Sums are worked out in units of 1 in 2**64 and single faces in floating point: both are
# exact to more digits than anybody reads.


class Tails(NamedTuple):
    """The chances that fair dice give less, the same and more than what came."""

    less: float
    same: float
    more: float

    @property
    def as_high(self) -> float:
        """The chance of this much or more."""
        return self.same + self.more

    @property
    def as_low(self) -> float:
        """The chance of this much or less."""
        return self.same + self.less

    @property
    def as_far(self) -> float:
        """The chance of being as far out at either end: twice the smaller tail, at most 1."""
        return min(1.0, 2 * min(self.as_high, self.as_low))


class FaceCount(NamedTuple):
    """The number of times that one face of some dice came up, against fair dice."""

    sides: int
    face: int
    came: int
    dice: int
    """The number of these dice that were rolled."""

    @property
    def average(self) -> float:
        """The number of times that fair dice show the face, on average."""
        return self.dice / self.sides

    @property
    def tails(self) -> Tails:
        """The chances that fair dice show the face less often than this, as often, and more often."""
        return binomial_tails(self.came, self.dice, 1 / self.sides)


def sum_tails(dice: Mapping[int, int], came: int) -> Tails:
    """Return how likely a sum is, of so many dice by their sides. Raises `ValueError` for a sum that they can't have."""
    least, chances = 0, [1 << _UNIT]
    for sides, count in dice.items():
        first, of_kind = _sum_of_equal(sides, count)
        least, chances = least + first, _convolve(chances, of_kind)
    if not sum(dice.values()) <= came <= sum(sides * count for sides, count in dice.items()):
        raise ValueError(f"these dice can't total {came}")
    at, unit, every = came - least, 1 << _UNIT, sum(chances)
    less, same = sum(chances[: max(0, at)]), chances[at] if 0 <= at < len(chances) else 0
    return Tails(less / unit, same / unit, max(0, every - less - same) / unit)


def _sum_of_equal(sides: int, count: int) -> tuple[int, list[int]]:
    """Return the chances of the sums of equal dice, in units, and the sum that the first of them is for."""
    least, chances = 0, [1 << _UNIT]
    power, power_least = [(1 << _UNIT) // sides] * sides, 1
    while count:
        if count & 1:
            least, chances = _trim(least + power_least, _convolve(chances, power))
        count >>= 1
        if count:
            power_least, power = _trim(2 * power_least, _convolve(power, power))
    return least, chances


def _trim(least: int, chances: list[int]) -> tuple[int, list[int]]:
    """Leave out chances of less than a unit at both ends."""
    first = next(place for place, chance in enumerate(chances) if chance)
    last = next(place for place in range(len(chances), 0, -1) if chances[place - 1])
    return least + first, chances[first:last]


def _convolve(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the chances of the sum of two. All products are made at one time, as one product of two very long numbers."""
    packed = (
        int.from_bytes(b"".join(chance.to_bytes(_SLOT, "little") for chance in each), "little") for each in (one, other)
    )
    size = len(one) + len(other) - 1
    product = (next(packed) * next(packed)).to_bytes(size * _SLOT, "little")
    return [int.from_bytes(product[at : at + _SLOT], "little") >> _UNIT for at in range(0, size * _SLOT, _SLOT)]


def binomial_tails(came: int, count: int, chance: float) -> Tails:
    """Return how likely it is that something with this chance, more than 0 and less than 1, comes so often in so many tries."""
    same = exp(_log_binomial(came, count, chance))
    odds = chance / (1 - chance)
    less = same and _sum_from(same, (k / (count - k + 1) / odds for k in range(came, 0, -1)))
    more = same and _sum_from(same, ((count - k) / (k + 1) * odds for k in range(came, count)))
    if less < more:  # The smaller tail is exact to its last digits; the larger one is the rest.
        return Tails(less, same, max(0.0, 1 - less - same))
    return Tails(max(0.0, 1 - more - same), same, more)


def _log_binomial(came: int, count: int, chance: float) -> float:
    ways = lgamma(count + 1) - lgamma(came + 1) - lgamma(count - came + 1)
    return ways + came * log(chance) + (count - came) * log(1 - chance)


def _sum_from(first: float, ratios: Iterable[float]) -> float:
    """Return the sum of what follows `first`, where each term is the one before it times a ratio. The terms rise before they fall."""
    total, term, largest = 0.0, first, first
    for ratio in ratios:
        term *= ratio
        total, largest = total + term, max(largest, term)
        if ratio < 1 and term < largest * _NEGLIGIBLE:
            break
    return total


def count_faces(dice: Iterable[tuple[int, int]]) -> list[FaceCount]:
    """Return how often each face of some dice came up, also those that never did. Each die is its sides and its face."""
    shown = Counter(dice)
    of_kind = Counter[int]()
    for (sides, _), count in shown.items():
        of_kind[sides] += count
    return [
        FaceCount(sides, face, shown[sides, face], count)
        for sides, count in sorted(of_kind.items())
        for face in range(1, sides + 1)
    ]


def correct_for_many(chances: Sequence[float]) -> list[float]:
    """Return the results of several tests, corrected for their number by Holm's method: none is below 5 % in 95 of 100 cases in which
    nothing is unusual.
    """
    corrected, highest = [1.0] * len(chances), 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[place]))
        corrected[place] = highest
    return corrected


_FINE = 10**9
"""Chances are rounded to this part of 1 before they are written."""
_WIDEST = 12
"""Of dice with more sides, the faces are not listed."""


def luck_text(of: Luck) -> str:
    """Return what the dice came to: the sentence, then tables."""
    return "\n".join(_lines(of)) + "\n"


def luck_sentence(of: Luck) -> str:
    """Return whether the dice were unusual, in a sentence or two."""
    if of.every.tails is None:
        return f"Only {_count(of.every.rolls, 'roll')} so far. Luck can't be judged with fewer than {FEWEST}."
    if (rare := of.unusual) is None:
        return f"The dice look fair. Fair dice end up at least this far from average {_share(of.every.tails.as_far)} of the time."
    high = rare.tails.more < rare.tails.less
    seldom = _share(rare.tails.as_high if high else rare.tails.as_low)
    if isinstance(rare.what, FaceCount):
        often = "that often" if high else "that rarely"
        die = f"{rare.source}, d{rare.what.sides}"
        return f"{die}: {rare.what.face} came up {_count(rare.what.came, 'time')}, compared with {rare.what.average:.1f} expected. With fair dice, a face comes up {often} only {seldom} of the time."
    how = "high" if high else "low"
    return f"{rare.what.name} rolled {how}. Fair dice roll this {how} only {seldom} of the time."


def luck_sentences(of: Luck) -> Iterator[str]:
    """Yield the same for line mode: whether the dice were unusual, then each person and source."""
    yield luck_sentence(of)
    for each in (*of.people, *of.sources):
        chance = f". Fair dice roll at least this high {_share(each.tails.as_high)} of the time" if each.tails else ""
        yield f"{each.name}: {_count(each.rolls, 'roll')}, total {each.came}, expected {each.expected:.1f}{chance}."


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _share(chance: float) -> str:
    return percent(Ratio(round(chance * _FINE), _FINE))


def _lines(of: Luck) -> Iterator[str]:
    yield luck_sentence(of)
    if not of.every.dice:
        return
    yield from ("", "## By person", "", *_table(of.people))
    yield from ("", "## By source", "", *_table((*of.sources, of.every)))
    for sides in sorted({counts[0].sides for _, counts in of.faces if counts[0].sides <= _WIDEST}):
        yield from ("", f"## How often a d{sides} showed each face", "")
        yield f"| | {' | '.join(map(str, range(1, sides + 1)))} | expected |"
        yield "|---" + "|---:" * (sides + 1) + "|"
        for source, counts in of.faces:
            if counts[0].sides == sides:
                yield f"| {source} | {' | '.join(str(each.came) for each in counts)} | {counts[0].average:.1f} each |"
    yield from ("", f"Chances are shown for {FEWEST} rolls or more. Undone rolls don't count.")


def _table(sums: Sequence[RollSum]) -> Iterator[str]:
    chances = [f" {_share(each.tails.as_high) if each.tails else ''} |" for each in sums]
    chances = chances if any(each.tails for each in sums) else [""] * len(sums)
    yield "| | rolls | dice | total | expected |" + (" as high or higher |" if any(chances) else "")
    yield "|---" + "|---:" * (5 if any(chances) else 4) + "|"
    for each, chance in zip(sums, chances, strict=True):
        name = escape_markdown(each.name)
        yield f"| {name} | {each.rolls} | {each.dice} | {each.came} | {each.expected:.1f} |{chance}"


def seal_lines(of: SealReport) -> Iterator[str]:
    """Yield what became of each seal, and how many dice come from none."""
    for seal in of.seals:
        yield f"Session {seal.session}, sealed in entry {seal.entry}: {_verdict(seal)}"
    for number in of.stray:
        yield f"The dice in entry {number} should come from a seal, but the log doesn't have that seal"
    if of.unsealed:
        one = "1 die that Waylog rolled has no seal. It was rolled"
        dice = one if of.unsealed == 1 else f"{of.unsealed} dice that Waylog rolled have no seal. They were rolled"
        yield f"{dice} outside a session, in “What if”, or by an earlier version of Waylog"
    if not (of.seals or of.stray or of.unsealed):
        yield "Waylog has rolled no dice yet"


def _verdict(seal: SealCheck) -> str:
    dice = "1 die" if seal.dice == 1 else f"{seal.dice} dice"
    if not seal.told and not seal.is_open:
        return f"{dice}, which nobody can check, because the seed isn't in the log"
    if not seal.told:
        return f"{dice}. The log will show the seed when the session ends. SHA-256 of the seed: {seal.seal}"
    if seal.wrong:
        return f"{dice}. Entries whose dice don't match the seed: {', '.join(map(str, seal.wrong))}"
    return f"{dice} recomputed from the seed: the result is the same" if seal.dice else "no dice"
