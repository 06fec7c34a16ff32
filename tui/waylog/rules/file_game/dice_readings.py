"""The dice of a game in a file once they are rolled: which number they come to, what else shows, and which outcome that is.

Dice are looked at face by face, from the highest down (from the lowest up if the lowest count), and `Seen` is what matters of them. The
odds go the same way, so that a roll and its odds are read in the same way. How dice are rolled is in `dice_throws_and_cards`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate

from waylog.rules.file_game.dice_throws_and_cards import (
    DiceGroup,
    TableDie,
    ThrowRules,
    pack_symbols,
    parse_die,
    unpack_symbols,
    word_of_dice,
)
from waylog.rules.file_game.formulas import ExpressionError, Lookup, Value, is_true, parse_expression, paths_in
from waylog.rules.file_game.roll_and_effect_format import Twice
from waylog.rules.model.facts import OutcomeGrade
from waylog.values import NamedTuple, dataclass, replace

RESULT_NAMES = ("result", "score", "face", "matches", "ones", "doubles")
"""The names of what formulas read of the dice after a roll, apart from the suit of cards."""
OF_SOME = (*RESULT_NAMES, "highest", "lowest")
"""The names of what they read of dice with a label, as in `ones.gear`."""
SHOWN = ("result", "face", "matches", "ones", "doubles")
"""Values of the dice of either side that the formula of an outcome reads; all but the result also of dice with a label: `ones.gear`."""
THEIRS = "theirs"
"""The word before these names for the other side, if its dice are read by themselves: `theirs.face`."""
SYMBOLS = "symbols"
"""The word before the name of a symbol: `symbols.advantage`."""
OF_DICE = frozenset((*OF_SOME, "suit", SYMBOLS))
"""All that only the dice tell."""


class ReadingKind(StrEnum):
    """The way in which dice become one number."""

    HIGHEST = "highest"
    LOWEST = "lowest"
    SUM = "sum"
    COUNT = "count"
    """The number of dice that show the target or more."""
    COUNT_UNDER = "count-under"
    """The number of dice that show the target or less."""
    MATCH = "match"
    """The number of dice in the largest set that shows one face."""
    UNDER = "under"
    """The target minus the sum; negative if the sum is over the target."""
    BEATS = "beats"
    """The number of the other side's dice that show less than the sum."""
    SYMBOLS = "symbols"
    """How many there are of one symbol. The sum of faces is that of all symbols."""


COUNTS = (ReadingKind.COUNT, ReadingKind.COUNT_UNDER)
TOTALS = (*COUNTS, ReadingKind.SUM, ReadingKind.UNDER, ReadingKind.BEATS, ReadingKind.SYMBOLS)
"""The readings for which dice are added up."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Only some of the dice count."""

    number: int
    highest: bool = True
    drops: bool = False
    """`number` is how many are left out."""

    def count(self, dice: int) -> int:
        """Return how many of so many dice count."""
        return max(0, min(dice, dice - self.number if self.drops else self.number))


class Theirs(NamedTuple):
    """The numbers with which the other side's dice are read by themselves, in the same way as one's own."""

    target: int = 0
    plus: int = 0
    asked: tuple[str, ...] = SHOWN
    """The values of them that outcomes read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The way in which the dice of a roll are read."""

    kind: ReadingKind
    plus: int = 0
    """Added to what the dice say."""
    target: int = 0
    """For counting, and for `UNDER`."""
    keep: Keep | None = None
    cap: int | None = None
    """The most that one's own dice come to, with everything added."""
    blank: int | None = None
    """The face that counts 0 where dice are added up."""
    worth: tuple[tuple[int, int], ...] = ()
    """Faces that count another number than others where dice are counted, each with that number."""
    theirs: Theirs | None = None
    """The numbers for reading the other side's dice by themselves; None if they are subtracted, or compared with a score."""
    symbols: tuple[str, ...] = ()
    """The symbols on the dice, in their order; first that whose number is the result. Those that nobody asks for are empty."""

    @property
    def of_theirs(self) -> Reading:
        """The reading of the other side's dice."""
        return replace(self, target=self.theirs.target, plus=self.theirs.plus, cap=None) if self.theirs else self

    @property
    def downwards(self) -> bool:
        """Whether the dice are looked at from the highest face down. Those that count come first."""
        return self.keep.highest is not self.keep.drops if self.keep else self.kind is not ReadingKind.LOWEST

    def points(self, face: int) -> int:
        """Return what one die adds to the total."""
        if self.worth and self.kind in COUNTS and face in (worth := dict(self.worth)):
            return worth[face]
        if self.kind is ReadingKind.COUNT:
            return int(face >= self.target)
        if self.kind is ReadingKind.COUNT_UNDER:
            return int(face <= self.target)
        if "" in self.symbols:
            counts = unpack_symbols(face, len(self.symbols))
            return pack_symbols([count if name else 0 for count, name in zip(counts, self.symbols, strict=True)])
        return 0 if face == self.blank else face


Names = Mapping[tuple[str, ...], Value]
"""The values that formulas read, by their paths."""


class Result(NamedTuple):
    """The result of a roll. If two sides roll, all but `value` is about one's own dice; but `matches`, `doubles` and `all_equal` are about
    dice that a score is compared with.
    """

    value: int
    """The number: one's own less the other side's, unless this is read by itself; or how many of its dice are beaten."""
    face: int = 0
    """The number that the dice show, before anything is added: the highest or lowest face, the sum, or the face of the largest set; of
    dice that are counted, the highest.
    """
    matches: int = 0
    """The number of dice that show the deciding face: the highest or lowest, otherwise that of the largest set."""
    ones: int = 0
    doubles: bool = False
    """Two dice show the same face, or the digits of a d66 or d100 are alike."""
    all_equal: bool = False
    """There are two dice or more, and all show the same face."""
    score: int = 0
    """The number that one's own dice come to, with everything added, at most the cap. Nothing of the other side is subtracted."""
    of_some: tuple[tuple[str, Result], ...] = ()
    """The results of one's own dice that have a label, by the words of their labels; their `value` is 0."""
    theirs: Result | None = None
    """The result of the other side's dice, if they are read by themselves; otherwise None."""
    symbols: tuple[tuple[str, int], ...] = ()
    """How many there are of each symbol, in a roll that counts them."""

    def names(self) -> Names:
        """Return what formulas read of it."""
        names: dict[tuple[str, ...], Value]
        if self.symbols:
            names = {("result",): self.value, ("score",): self.score}
            return {**names, **{(SYMBOLS, name): count for name, count in self.symbols}}
        names = {("result",): self.value}
        names |= {(name,): getattr(self, name) for name in RESULT_NAMES[1:]}
        names |= {(name, word): getattr(some, name) for word, some in self.of_some for name in SHOWN[1:]}
        return {**names, **self.theirs.names_of_theirs()} if self.theirs else names

    def names_of_theirs(self) -> Names:
        """Return what formulas read of it if it is the other side's."""
        return {(THEIRS, name): shown for name, shown in zip(SHOWN, self[:5], strict=True)}


class WhenShown(NamedTuple):
    """A formula about what the dice of both sides show, with all else that it reads."""

    formula: str
    known: tuple[tuple[tuple[str, ...], Value], ...] = ()
    """The values of the campaign and of the choices that it reads."""
    named: tuple[tuple[str, object], ...] = ()
    """The formulas that it names, and those that these name."""

    @property
    def reads(self) -> frozenset[tuple[str, ...]]:
        """The values of the dice that it reads, or that formulas read which it names."""
        every = (paths_in(formula) for formula in (self.formula, *dict(self.named).values()))
        return frozenset(path for paths in every for path in paths if path[0] in (THEIRS, SYMBOLS, *SHOWN))

    def holds(self, shown: Names) -> bool:
        """Whether it is true if this is what all dice show."""
        try:
            return is_true(parse_expression(self.formula).evaluate(self._look_up_in([shown])))
        except ExpressionError:
            return False

    def condition_beside(self, ours: Names) -> Callable[[Names], bool]:
        """Return what says whether it is true, given what the other side's dice show, if this is what one's own show."""
        named, shown = dict(self.named), list[Names](({}, ours))
        look_up = self._look_up_in(shown)
        try:
            bound = parse_expression(self.formula).bind(look_up, lambda path: path[0] == THEIRS or path[0] in named)
        except ExpressionError:
            return lambda _: False

        def holds(theirs: Names) -> bool:
            shown[0] = theirs
            try:
                return is_true(bound.evaluate(look_up))
            except ExpressionError:
                return False

        return holds

    def _look_up_in(self, shown: Sequence[Names]) -> Lookup:
        """Return what says what a path comes to: what the first of these has that has it, or what is known."""
        known, named = dict(self.known), dict(self.named)

        def look_up(path: tuple[str, ...]) -> Value:
            for names in shown:
                if path in names:
                    return names[path]
            if path in known:
                return known[path]
            if path[0] in (SYMBOLS, *SHOWN):  # None of these dice was rolled.
                return 0
            return parse_expression(str(named[path[0]])).evaluate(look_up)

        return look_up


@dataclass(frozen=True, slots=True)
class Band:
    """An outcome, and the results that have it. A bound that is None, and a mark that is 0 or false, asks for nothing."""

    outcome: str
    label: str
    grade: OutcomeGrade
    low: int | None = None
    high: int | None = None
    """The lowest and the highest value."""
    face_low: int | None = None
    face_high: int | None = None
    """The lowest and the highest face, as `Result.face` has it."""
    matches: int = 0
    """At least so many dice show the deciding face."""
    ones: int = 0
    """At least so many dice show 1."""
    doubles: bool = False
    all_equal: bool = False
    of: str = ""
    """The word of the dice that the face and the marks are about; all of one's own without it."""
    when: WhenShown | None = None

    @property
    def reads(self) -> frozenset[tuple[str, ...]]:
        """The values of the dice that its formula reads."""
        return self.when.reads if self.when else frozenset()

    @property
    def words(self) -> frozenset[str]:
        """The words of the dice that it looks at alone."""
        return frozenset(
            (*([self.of] if self.of else []), *(path[1] for path in self.reads if path[0] in SHOWN and path[1:]))
        )

    @property
    def is_for_faces(self) -> bool:
        """Whether it asks for faces."""
        return self.face_low is not None or self.face_high is not None or ("face",) in self.reads

    def fits(self, result: Result) -> bool:
        """Whether the result has this outcome, as far as this band can tell."""
        return self.fits_dice(result) and (self.when is None or self.when.holds(result.names()))

    def fits_dice(self, result: Result) -> bool:
        """Whether the result has this outcome if the formula is true."""
        shown = dict(result.of_some).get(self.of, Result(0)) if self.of else result
        return (
            (self.low is None or result.value >= self.low)
            and (self.high is None or result.value <= self.high)
            and (self.face_low is None or shown.face >= self.face_low)
            and (self.face_high is None or shown.face <= self.face_high)
            and shown.matches >= self.matches
            and shown.ones >= self.ones
            and shown.doubles >= self.doubles
            and shown.all_equal >= self.all_equal
        )


def outcome_of(bands: Sequence[Band], result: Result) -> Band:
    """Return the last band that fits; the first one if none does."""
    return next((band for band in reversed(bands) if band.fits(result)), bands[0])


def step_up(order: Sequence[Band], rank: int, outcomes: int, grades: int) -> int:
    """Return the place of an outcome that is so many outcomes and then so many grades better, at most that of the best."""
    rank = min(rank + outcomes, len(order) - 1)
    for _ in range(grades):
        rank = next((above for above in range(rank, len(order)) if order[above].grade is not order[rank].grade), rank)
    return rank


_GRADES: Mapping[OutcomeGrade, int] = {grade: place for place, grade in enumerate(OutcomeGrade)}


def worst_first(bands: Sequence[Band]) -> tuple[Band, ...]:
    """Return one band for each outcome, in the order of their grades, worst first; of one grade, in the order given."""
    named: dict[str, Band] = {}
    for band in bands:
        named.setdefault(band.outcome, band)
    return tuple(sorted(named.values(), key=lambda band: _GRADES[band.grade]))


@dataclass(frozen=True, slots=True)
class RollPlan:
    """A roll before it is made: the dice, what happens while they are rolled, and how they are read."""

    pool: tuple[DiceGroup, ...]
    reading: Reading
    bands: tuple[Band, ...]
    rules: ThrowRules = ThrowRules()
    twice: Twice = ""
    """Whether it is made twice, and which outcome counts then: the better or the worse one; of two that are the same, the first roll."""
    by_result: bool = False
    """Of two rolls, that with the higher result is the better one. No outcome looks at anything else."""

    def factors(self, ways: Sequence[int]) -> Sequence[int]:
        """Return by what the ways of each rank are multiplied to be those in which it counts. `ways` is how many each rank has in one
        roll, worst first.
        """
        if not self.twice:
            return [1] * len(ways)
        # This roll is the first, and the other one is not better (or worse); or it is the second, and beats the first.
        upward = ways if self.twice == "better" else ways[::-1]
        counted = [2 * below - here for here, below in zip(upward, accumulate(upward), strict=True)]
        return counted if self.twice == "better" else counted[::-1]

    def all_ways(self, ours: int, theirs: int) -> int:
        """Return in how many ways it can fall, if one roll of each side can in so many. What is read by itself is rolled once."""
        if not self.twice:
            return ours * theirs
        return ours**2 * theirs if self.reading.theirs else (ours * theirs) ** 2

    @property
    def has_dice(self) -> bool:
        """Whether there is something to roll: a die of one's own, or with `BEATS`, where a number may do, one of the other side."""
        alone = self.reading.kind is ReadingKind.BEATS
        return any(group.count and (alone or not group.against) for group in self.pool)


# -- face by face ------------------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """One side's dice, as far as they have been looked at."""

    dice: int = 0
    """How many of them count, as far as that matters."""
    total: int = 0
    face: int = 0
    matches: int = 0
    ones: int = 0
    doubles: bool = False
    all_equal: bool = False
    of_some: tuple[tuple[str, Seen], ...] = ()
    """Dice that are looked at alone, by their words, as far as they have been looked at."""


NOTHING = Seen()


class Marks(NamedTuple):
    """The marks that matter. Higher numbers make no difference."""

    matches: int = 99
    ones: int = 99
    doubles: bool = True
    all_equal: bool = True
    face: bool = True
    """The face that shows. Where dice are counted, only a mark needs it."""
    of_some: tuple[tuple[str, Marks], ...] = ()
    """The marks of dice that are looked at alone, by their words."""


NO_MARKS = Marks(0, 0, doubles=False, all_equal=False, face=False)


def marks_read(names: Collection[str]) -> Marks:
    """Return the marks that formulas read by these names, whatever the numbers are."""
    return NO_MARKS._replace(**{name: shown for name, shown in Marks()._asdict().items() if name in names})


def marks_of(bands: Sequence[Band], reading: Reading) -> Marks:
    """Return the marks of one's own dice that the bands ask for."""
    reads = {path for band in bands for path in band.reads}
    words = dict.fromkeys(word for band in bands for word in sorted(band.words))

    def about(word: str) -> Marks:
        asked, name = [band for band in bands if band.of == word], (word,) if word else ()
        return Marks(
            99 if ("matches", *name) in reads else max((band.matches for band in asked), default=0),
            99 if ("ones", *name) in reads else max((band.ones for band in asked), default=0),
            ("doubles", *name) in reads or any(band.doubles for band in asked),
            any(band.all_equal for band in asked),
            ("face", *name) in reads or any(band.is_for_faces for band in asked),
        )

    whole = about("")
    if reading.kind is ReadingKind.BEATS:
        whole = NO_MARKS._replace(ones=whole.ones)
    return whole._replace(of_some=tuple((word, about(word)) for word in words))


Shown = tuple[int, bool]
"""The number of dice that show a face, and whether one of those has digits."""
_COUNTS_NOTHING = Reading(ReadingKind.COUNT, target=1_000_000)


class Look(NamedTuple):
    """A way to look at the dice of one side, face by face: the reading, what outcomes ask, and the number of dice that count."""

    reading: Reading
    marks: Marks
    kept: int | None = None
    """The number of dice that count; None if all do."""

    @property
    def start(self) -> Seen:
        """The value of `Seen` before the first face."""
        return Seen(of_some=tuple([(word, NOTHING) for word, _ in self.marks.of_some]))

    @property
    def of_some(self) -> Iterator[tuple[str, Look]]:
        """How to look at the dice that are looked at alone, by their words. No number is remembered of them that nothing asks for."""
        kind = self.reading.kind
        for word, marks in self.marks.of_some:
            matters = (marks.face and kind not in COUNTS) or (marks.matches and kind not in TOTALS)
            yield word, Look(self.reading if matters else _COUNTS_NOTHING, marks)

    def see(self, seen: Seen, face: int, count: int, has_digits: bool = False, of_some: Sequence[Shown] = ()) -> Seen:
        """Return what is seen after the next face, which `count` dice show, and so many of those that are looked at alone."""
        if of_some:
            each = zip(self.of_some, seen.of_some, of_some, strict=True)
            some = [(word, look.see(one, face, *shown)) for (word, look), (_, one), shown in each]
            seen = seen._replace(of_some=tuple(some))
        if self.kept is not None:
            count = min(count, self.kept - seen.dice)
        if count < 1:
            return seen
        marks, kind = self.marks, self.reading.kind
        first = not seen.dice
        total, best, matches = seen.total, seen.face, seen.matches
        match kind:
            case ReadingKind.HIGHEST | ReadingKind.LOWEST:
                if first or (face > best if kind is ReadingKind.HIGHEST else face < best):
                    best, matches = face, min(count, marks.matches)
            case ReadingKind.MATCH:
                if count > matches or (count == matches and face > best):
                    best, matches = face, count
            case _:
                total += self.reading.points(face) * count
                matches = max(matches, min(count, marks.matches))
                if marks.face and kind in COUNTS:
                    best = face if first else max(best, face)
        return Seen(
            1 if self.kept is None else seen.dice + count,
            total,
            best,
            matches,
            min(count, marks.ones) if face == 1 else seen.ones,
            marks.doubles and (seen.doubles or count > 1 or (has_digits and face in DOUBLES)),
            marks.all_equal and first and count > 1,
            seen.of_some,
        )

    def see_all(
        self,
        faces: Sequence[int],
        doubles: Collection[int] = (),
        of_some: Sequence[tuple[Sequence[int], Collection[int]]] = (),
    ) -> Seen:
        """Return what is seen of dice that all lie there: their faces, lowest first, and which of them are doubles on a die of digits; and
        the same of those that are looked at alone.

        It is what `see` returns after the last face, in a tenth of the time.
        """
        each = zip(self.of_some, of_some, strict=True) if of_some else ()
        some = tuple([(word, look.see_all(*shown)) for (word, look), shown in each])
        kept = self.kept
        if kept is not None:
            faces = faces[max(0, len(faces) - kept) :] if self.reading.downwards else faces[:kept]
        if not faces:
            return Seen(of_some=some)
        marks, kind = self.marks, self.reading.kind
        total = best = matches = 0
        if kind is ReadingKind.HIGHEST or kind is ReadingKind.LOWEST:
            best = faces[-1] if kind is ReadingKind.HIGHEST else faces[0]
            matches = min(faces.count(best), marks.matches)
        elif kind is ReadingKind.MATCH:
            matches, best = max((faces.count(face), face) for face in faces)
        else:
            is_plain = kind not in COUNTS and self.reading.blank is None
            total = sum(faces) if is_plain else sum(map(self.reading.points, faces))
            if marks.matches:
                matches = min(max(map(faces.count, faces)), marks.matches)
            if marks.face and kind in COUNTS:
                best = max(faces)
        return Seen(
            1 if kept is None else len(faces),
            total,
            best,
            matches,
            min(faces.count(1), marks.ones) if marks.ones else 0,
            marks.doubles and (len({*faces}) < len(faces) or not {*doubles}.isdisjoint(faces)),
            marks.all_equal and len(faces) > 1 and faces[0] == faces[-1],
            some,
        )

    @property
    def joins(self) -> bool:
        """Whether what is seen of two sets of dice says what is seen of both together."""
        marks, is_one_face = self.marks, self.reading.kind in (ReadingKind.HIGHEST, ReadingKind.LOWEST)
        if self.kept is not None or self.reading.kind is ReadingKind.MATCH or marks.doubles or marks.all_equal:
            return False
        return (is_one_face or not marks.matches) and all(look.joins for _, look in self.of_some)

    def join(self, one: Seen, other: Seen) -> Seen:
        """Return what is seen of two sets of dice together, if that can be said (`joins`)."""
        if not (one.dice and other.dice):
            return one if one.dice else other
        marks, kind, face, matches = self.marks, self.reading.kind, max(one.face, other.face), 0
        if kind is ReadingKind.HIGHEST or kind is ReadingKind.LOWEST:
            face = face if kind is ReadingKind.HIGHEST else min(one.face, other.face)
            matches = min(sum([each.matches for each in (one, other) if each.face == face]), marks.matches)
        some: tuple[tuple[str, Seen], ...] = ()
        if marks.of_some:
            each = zip(self.of_some, one.of_some, other.of_some, strict=True)
            some = tuple([(word, look.join(first, second)) for (word, look), (_, first), (_, second) in each])
        ones = min(one.ones + other.ones, marks.ones) if marks.ones else 0
        return Seen(1, one.total + other.total, face, matches, ones, doubles=False, all_equal=False, of_some=some)

    def is_settled(self, seen: Seen) -> bool:
        """Whether no further face can make a difference."""
        if self.marks.of_some:
            return False
        if seen.dice == self.kept:
            return True
        decides = ReadingKind.HIGHEST if self.reading.downwards else ReadingKind.LOWEST
        marks = self.marks
        counts_all = marks.ones or marks.doubles or marks.all_equal
        return self.kept is None and self.reading.kind is decides and seen.dice > 0 and not counts_all


def number_of(reading: Reading, seen: Seen) -> int:
    """Return the number that the dice of one side come to."""
    match reading.kind:
        case ReadingKind.HIGHEST | ReadingKind.LOWEST:
            return seen.face
        case ReadingKind.MATCH:
            return seen.matches
        case ReadingKind.UNDER:
            return reading.target - seen.total
        case _:
            return seen.total


DOUBLES = frozenset((*range(11, 100, 11), 100))
"""The numbers of a d66 or d100 whose two digits are alike; 100 is 00."""


class OtherDice(NamedTuple):
    """The other side's dice, each of which a score is compared with."""

    faces: tuple[int, ...]
    """Lowest first."""
    matches: int
    """The number of dice in the largest set that shows one face."""


Other = int | OtherDice | Result
"""The other side: the number that its dice come to, dice of which each counts, or a result of its own."""
Met = tuple[int] | tuple[int, int, int] | tuple[int, Result]
"""How two sides meet: by how much one is over the other; how many dice are beaten, how many of them match, and how many there are; or
one's own number, and the other side's result.
"""


def other_dice(faces: Sequence[int]) -> OtherDice:
    """Return the other side's dice."""
    return OtherDice(tuple(sorted(faces)), max(map(faces.count, faces), default=0))


def score_of(reading: Reading, number: int) -> int:
    """Return a number with what is added to it."""
    score = number + reading.plus
    return score if reading.cap is None else min(score, reading.cap)


def meet(reading: Reading, number: int, other: Other) -> Met:
    """Return how one's own number, to which nothing is added yet, meets the other side."""
    score = score_of(reading, number)
    if isinstance(other, int):
        return (score - other,)
    if isinstance(other, Result):
        return score, other
    return bisect_left(other.faces, score), other.matches, len(other.faces)


def result_of(reading: Reading, ours: Seen, met: Met) -> Result:
    """Return what has been seen as a result, given how the two sides meet."""
    face = ours.total if reading.kind in TOTALS and reading.kind not in COUNTS else ours.face
    if reading.symbols and len(met) == 1:
        counts = unpack_symbols(met[0], len(reading.symbols))
        return Result(counts[0], symbols=tuple(zip(reading.symbols, counts, strict=True)))
    some = tuple([(word, result_of(reading, one, (0,))) for word, one in ours.of_some])
    if len(met) == 1:
        return Result(met[0], face, ours.matches, ours.ones, ours.doubles, ours.all_equal, of_some=some)
    if len(met) == 2:
        return Result(met[0], face, ours.matches, ours.ones, ours.doubles, ours.all_equal, 0, some, met[1])
    value, matches, dice = met
    return Result(value, face, matches, ours.ones, matches > 1, 1 < dice == matches, of_some=some)


def read_roll(reading: Reading, table: Sequence[TableDie], score: int | None = None) -> Result:
    """Return what the dice on the table come to. A `score` stands in place of what one's own dice do, with everything added."""
    words = sorted({word_of_dice(die.label) for die in table if die.label and not die.against})
    ours = _see_side(reading, table, words, against=False)
    number = number_of(reading, ours) if score is None else score - reading.plus
    found = result_of(reading, ours, meet(reading, number, other_side(reading, table)))
    score = score_of(reading, number)
    return found._replace(score=unpack_symbols(score, len(reading.symbols))[0] if reading.symbols else score)


def shown_alone(reading: Reading, dice: Sequence[TableDie]) -> Mapping[str, Value]:
    """Return what formulas read of some of the dice, as if they had been rolled alone and nothing were added."""
    kind = ReadingKind.SUM if reading.kind in (ReadingKind.UNDER, ReadingKind.BEATS) else reading.kind
    shown = read_roll(replace(reading, kind=kind, plus=0, keep=None, cap=None, theirs=None), dice).names()
    faces = [die.face for die in dice]
    ends = {"highest": max(faces, default=0), "lowest": min(faces, default=0)}
    return {**{name: shown[name,] for name in RESULT_NAMES}, **ends}


def other_side(reading: Reading, table: Sequence[TableDie]) -> Other:
    """Return what the other side's dice come to; 0 if there are none."""
    if reading.kind is ReadingKind.BEATS:
        return other_dice([die.face for die in table if die.against])
    seen = _see_side(reading.of_theirs, table, (), against=True)
    if reading.theirs:
        return result_of_theirs(reading, seen, SHOWN)
    return number_of(reading, seen) if any(die.against for die in table) else 0


def result_of_theirs(reading: Reading, seen: Seen, asked: Collection[str]) -> Result:
    """Return what the other side's dice come to by themselves, as far as it is asked."""
    theirs = reading.of_theirs
    result = result_of(theirs, seen, (score_of(theirs, number_of(theirs, seen)),))
    value, face, matches, ones, doubles = (
        shown if name in asked else 0 for name, shown in zip(SHOWN, result[:5], strict=True)
    )
    return Result(value, face, matches, ones, bool(doubles))


def outcomes_against(
    bands: Sequence[Band], reading: Reading, ours: Seen, number: int, others: Iterable[Names]
) -> Iterator[Band]:
    """Yield the outcome of one's own number with each result of the other side, given as what formulas read of it."""
    result = result_of(reading, ours, (score_of(reading, number),))
    # The bands that fit one's own dice, each with what its formula says of the other side's.
    fit, names = [band for band in reversed(bands) if band.fits_dice(result)], result.names()
    fitting = [(band, band.when.condition_beside(names) if band.when else None) for band in fit]
    for other in others:
        yield next((band for band, holds in fitting if holds is None or holds(other)), bands[0])


def _see_side(reading: Reading, table: Sequence[TableDie], words: Sequence[str], *, against: bool) -> Seen:
    """Return what is seen of the dice of one side, and of those with a word alone."""
    dice = [die for die in table if die.against is against]
    marks = Marks(of_some=tuple((word, Marks()) for word in words))
    look = Look(reading, marks, reading.keep.count(len(dice)) if reading.keep else None)
    some = [_faces_of([die for die in dice if word_of_dice(die.label) == word]) for word in words]
    return look.see_all(*_faces_of(dice), some)


def _faces_of(dice: Sequence[TableDie]) -> tuple[list[int], set[int]]:
    """Return the faces of dice, lowest first, and which of them are doubles on a die of digits."""
    doubles = {die.face for die in dice if die.face in DOUBLES and parse_die(die.die).has_digits}
    return sorted(die.face for die in dice), doubles
