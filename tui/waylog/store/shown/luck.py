"""Luck: what the dice of a campaign came to, against what fair dice come to in the same rolls; and whether sealed dice are those of
their seed.

Only rolls that still hold are counted: what was undone didn't happen at the table. All of it is for the wayfinder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from waylog.rules.codec.changes import parse_path
from waylog.rules.fairness import FaceCount, Tails, correct_for_many, count_faces, sum_tails
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import RollFact
from waylog.rules.model.panels import Panel
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries import LogEntry
from waylog.store.seals import hash_of, sealed_face
from waylog.values import NamedTuple, dataclass

FEWEST = 30
"""Of fewer rolls nothing can be said, and of a face if fewer such dice were rolled."""
UNUSUAL = 0.05
"""What is as rare as this after the correction for the number of tests is unusual."""
REAL, OF_WAYLOG = "Real dice", "Waylog's dice"
OTHERS = "Everything else"


class Roll(NamedTuple):
    """The dice of one roll."""

    who: str
    typed: bool
    named: str
    """The name that these dice are saved under in the campaign file; empty for any others."""
    dice: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class RollSum:
    """What some rolls came to."""

    name: str
    rolls: int
    dice: int
    came: int
    expected: float
    tails: Tails | None
    """None if there are too few rolls."""


@dataclass(frozen=True, slots=True)
class Unusual:
    """What fair dice seldom do: a sum, or how often a face came up."""

    what: RollSum | FaceCount
    source: str
    """Whose dice a face is of."""
    tails: Tails


@dataclass(frozen=True, slots=True)
class Luck:
    """What the dice came to."""

    every: RollSum
    people: tuple[RollSum, ...]
    sources: tuple[RollSum, ...]
    faces: tuple[tuple[str, tuple[FaceCount, ...]], ...]
    """How often each face came up, for each source and kind of die."""
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
            if isinstance(fact, RollFact) and fact.dice:
                who = by_name.get(fact.what.partition(", ")[0], about)
                named = names.get(fact.what.casefold(), "") if fact.total is not None else ""
                found.append(Roll(who, fact.typed, named, fact.dice))
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
    """What became of one seal."""

    entry: int
    seal: str
    session: int
    told: bool
    """The seed is told, so that the dice could be computed again."""
    is_open: bool
    """It is the latest seal and its seed is still to be told."""
    dice: int
    """How many dice come from it."""
    wrong: tuple[int, ...]
    """The entries whose dice are others than those of the seed."""


@dataclass(frozen=True, slots=True)
class SealReport:
    """What became of all seals of a log."""

    seals: tuple[SealCheck, ...]
    unsealed: int
    """How many dice Waylog rolled that come from no seal."""
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
