"""The throws of a roll that lead to the same in a chain of actions: one of them is played for all.

Throws are alike if they have the same outcome and show the same to all effects and, where something may be spent on them, if each spend
leaves the same dice on the table and throws the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product, zip_longest
from math import lcm

from waylog.rules.file_game.check_names_and_formulas import text_of
from waylog.rules.file_game.dice_readings import (
    COUNTS,
    OF_DICE,
    RESULT_NAMES,
    SHOWN,
    SYMBOLS,
    THEIRS,
    TOTALS,
    Reading,
    ReadingKind,
    Result,
    RollPlan,
    marks_of,
    other_side,
    outcome_of,
    read_roll,
    shown_alone,
)
from waylog.rules.file_game.dice_throws_and_cards import (
    DiceGroup,
    DieKind,
    TableDie,
    ThrowRules,
    parse_die,
    word_of_dice,
)
from waylog.rules.file_game.formulas import Value
from waylog.rules.file_game.named_values_and_conditions import FileMoment
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany, Work, remembers
from waylog.rules.file_game.odds.odds_without_spends import find_different_faces
from waylog.rules.file_game.roll_plans_and_options import RollChoice
from waylog.rules.file_game.spends import Picked, RaiseDie, Reroll, Spend, StepOutcome
from waylog.rules.model.dice import AlikeThrow, AlikeThrows, Face
from waylog.values import NamedTuple, replace

MOST_IN_CHAINS, MOST_IN_FORECASTS = 60_000, 4_500
"""The most steps of `Work` to find the throws that are alike: for a chain, less than playing fifty of them; for what is told at each key,
about fifteen milliseconds.
"""
_STEPS_TO_READ = 10
"""The steps that it takes to read a throw."""
_MOST_SPENDS = 100
"""The most spends on one roll."""


_MARKED = ("face", "matches", "ones", "doubles", "all_equal", "of_some")
"""Properties of dice beside the number that outcomes read, as `Marks` and `Result` call them."""


Alone = tuple[tuple[str, str], ...]
"""Values of some dice alone that effects read: the name, and the word of these dice."""


class _Fall(NamedTuple):
    """A way in which one die can fall, and how many are like it."""

    ways: int
    rounds: tuple[int | None, ...]
    """Its faces: the first one; that of a reroll, or None; and those of its explosions."""


def throws_to_play(
    moment: FileMoment,
    choice: RollChoice,
    plan: RollPlan,
    spends: tuple[Spend, ...] = (),
    beside: tuple[TableDie, ...] = (),
    *,
    final: bool = False,
    most: int = MOST_IN_CHAINS,
) -> AlikeThrows | None:
    """Return the throws of dice without cards that are played (`alike_throws`). None if they take more than `most` steps to work out."""
    after, game = moment.game.after, moment.game
    # In a group, what follows for the leader may read anybody's dice.
    rules = after if choice.together else after.get(choice.name), choice.rule.group
    text = text_of(game, (*rules, [(one.when, one.cost) for one in game.spend.values()] if spends else ()))
    read = sorted({*_OF_RESULT.findall(text)})
    names = tuple(dict.fromkeys(name for name, word in read if name == SYMBOLS or (name in RESULT_NAMES and not word)))
    alone = tuple(one for one in read if one[1] and one[0] != SYMBOLS)
    if not plan.pool:
        look = _SideReading(names, alone, THEIRS in text, spends, beside, final)
        return (AlikeThrow((), 1, look.leads_to(plan, beside, read_roll(plan.reading, beside))),)
    with suppress(TooMany):
        return alike_throws(plan, names, alone, THEIRS in text, most, spends, beside, final)
    return None


class _Laid(NamedTuple):
    """How the dice of one side can fall, and how many ways are like it."""

    ways: int
    table: tuple[TableDie, ...]
    falls: tuple[_Fall, ...]
    result: Result | None = None
    """What one's own dice come to without the other side, if they have been read."""


@remembers
def alike_throws(
    plan: RollPlan,
    names: tuple[str, ...],
    alone: Alone,
    reads_theirs: bool,
    most: int = MOST_IN_CHAINS,
    spends: tuple[Spend, ...] = (),
    beside: tuple[TableDie, ...] = (),
    final: bool = False,
) -> AlikeThrows:
    """Return a throw of all dice of the pool, rerolls and explosions included, `beside` those that are on the table, for each outcome with
    each thing that effects read of the dice by these names, of some dice `alone`, or of what the other side's dice come to by
    themselves; with each thing, too, that `spends` can make of it, where `final` dice may not be rerolled again; and how many throws it
    stands for. Raises `TooMany`.
    """
    work, look = Work(most), _SideReading(names, alone, reads_theirs, spends, beside, final)
    ours = _lay_side(plan, look, work, against=False)
    asked = SHOWN if reads_theirs or not plan.reading.theirs else plan.reading.theirs.asked
    theirs = _lay_side(plan, look._replace(names=asked), work, against=True)
    work.count(_STEPS_TO_READ * len(ours) * len(theirs))
    found: dict[Hashable, tuple[_Laid, _Laid, int]] = {}
    for mine, other in product(ours, theirs):
        table = mine.table + other.table
        known = None if other.table else mine.result
        key = look.leads_to(plan, table, known or read_roll(plan.reading, table))
        *first, ways = found.get(key, (mine, other, 0))
        found[key] = first[0], first[1], ways + mine.ways * other.ways
    return tuple(
        AlikeThrow(tuple(_faces_in_order(plan, mine, other)), ways, key) for key, (mine, other, ways) in found.items()
    )


def outcomes_of(throws: AlikeThrows) -> set[str]:
    """Return the outcomes that throws of `alike_throws` lead to."""
    return {one.leads_to.outcome for one in throws if isinstance(one.leads_to, _LeadsTo)}


class AnsweredThrow(NamedTuple):
    """A throw of a roll that is answered at once, or that asks nothing."""

    throw: AlikeThrow
    then: AlikeThrows = ()
    """The throws that the answer makes: with what they lead to, the roll is read. If it asks nothing, one of no dice."""
    asks: bool = False
    """Whether it is answered. What neither asks nor has throws is left as it is."""


def merge_answered(throws: Sequence[AnsweredThrow]) -> AlikeThrows:
    """Return fewer throws: of those that ask nothing, one for each thing that they lead to; of those that are answered, only as many as
    have among these one for all that the answer can come to.
    """
    # Ways are counted as shares of a number that all answers divide.
    whole = lcm(*(sum(one.ways for one in each.then) for each in throws if each.then))
    found, left = list[AlikeThrow](), dict[tuple[bool, Hashable], int]()
    for throw, then, asks in throws:
        if not then:
            found.append(throw._replace(ways=throw.ways * whole))
        share = throw.ways * whole // sum(one.ways for one in then) if then else 0
        for one in then:
            left[asks, one.leads_to] = left.get((asks, one.leads_to), 0) + share * one.ways
    for throw, then, asks in sorted(throws, key=lambda each: -len(each.then)):
        mine = [one for one in then if (asks, one.leads_to) in left]
        if mine:
            counted = tuple(one._replace(ways=left.pop((asks, one.leads_to))) for one in mine)
            ways = sum(one.ways for one in counted)
            found.append(throw._replace(ways=ways, then=counted if asks else ()))
    return tuple(found)


class _LeadsTo(NamedTuple):
    """All that matters of the dice of both sides."""

    outcome: str
    shown: Hashable
    """The values that effects read."""
    theirs: Hashable
    left: Hashable
    """What spends can make of it."""


class _SideReading(NamedTuple):
    """What matters of the dice of one side."""

    names: Sequence[str]
    """What is read of them."""
    alone: Alone
    reads_theirs: bool
    """Whether effects read what the other side's dice come to by themselves."""
    spends: Sequence[Spend]
    beside: Sequence[TableDie]
    """Dice of both sides that are on the table already."""
    final: bool
    """Whether those that are thrown may not be rerolled again."""

    def leads_to(self, plan: RollPlan, table: Sequence[TableDie], result: Result) -> Hashable:
        """Return all that matters of the dice of both sides."""
        read = result.names()
        values = (result.symbols if name == SYMBOLS else read[name,] for name in self.names)
        shown = (*values, *_show_alone(plan.reading, table, self.alone))
        left: object = ()
        if self.spends:
            ours, theirs = ([die for die in table if die.against is side] for side in (False, True))
            # What is thrown again meets the same other side.
            left = _in_order(theirs), _left_by(self.spends, ours, result)
        return _LeadsTo(outcome_of(plan.bands, result).outcome, shown, self.reads_theirs and result.theirs, left)


def _in_order(dice: Sequence[TableDie]) -> Sequence[tuple[str, str, int, bool]]:
    """Return what matters of the dice of one side, in whatever order they lie there."""
    return tuple(sorted([(die.die, die.label, die.face, die.final) for die in dice]))


def _left_by(spends: Sequence[Spend], dice: Sequence[TableDie], result: object) -> object:
    """Return what spends can make of one's own dice: for each, the dice that stay and those that it throws; or all dice, or the result."""
    found, laid = list[object](), _in_order(dice)
    for spend in spends:
        effect = spend.effect
        if isinstance(effect, StepOutcome):
            continue  # The outcome says what it leads to.
        if not isinstance(effect, RaiseDie | Reroll) or spend.is_on_theirs:
            found.append(result)
        elif isinstance(effect, RaiseDie) or effect.better:
            found.append(laid)
        else:
            free = [die for die in laid if effect.takes(die[2], die[3])]
            if effect.which is Picked.LOWEST:
                free = [die for die in free if die[2] == min(face for _, _, face, _ in free)]
            for some in [[die] for die in dict.fromkeys(free)] if effect.asks else [free]:
                rest, thrown = [*laid], [(die, label, final or effect.once) for die, label, _, final in some]
                for die in some:
                    rest.remove(die)
                found.append((*rest, *thrown))
    return tuple(found)


def _show_alone(reading: Reading, table: Sequence[TableDie], alone: Alone) -> Sequence[Value]:
    found = list[Value]()
    for name, word in alone:
        dice = [replace(die, against=False) for die in table if word_of_dice(die.label) == word]
        found.append(shown_alone(reading, dice)[name])
    return found


def _lay_side(plan: RollPlan, look: _SideReading, work: Work, *, against: bool) -> Sequence[_Laid]:
    """Return a way in which the dice of one side can fall for each thing that they can come to, of what matters. Raises `TooMany`."""
    reading, (names, alone, _, spends, beside, final) = plan.reading, look
    beside = tuple(die for die in beside if die.against is against)
    words = {word for _, word in alone}
    labels = [(one.label, one.against) for one in plan.pool] + [(die.label, die.against) for die in look.beside]
    on_sides = [{word_of_dice(label) for label, is_theirs in labels if is_theirs is side} for side in (False, True)]
    if words & on_sides[0] & on_sides[1]:
        raise TooMany
    adds_up = not spends and _adds_up(plan, names, against=against)
    merge, points = int if adds_up else _merging(plan, look), (reading.of_theirs if against else reading).points
    # By what dice add up to of which nothing else matters, and by what the others show.
    laid: dict[tuple[int, tuple[tuple[str, tuple[int, ...]], ...]], _Laid] = {(0, ()): _Laid(1, beside, ())}
    groups = [*_fall_by_group([one for one in plan.pool if one.against is against], plan.rules, words, merge, work)]
    if not adds_up:
        work.expect(_count_steps([(kind, group.count, len(falls)) for group, kind, _, falls in groups]))
    for group, kind, is_alone, falls in groups:
        for _ in range(group.count):
            work.count(len(laid) * len(falls))
            before, laid = laid, {}
            for (total, shown), there in before.items():
                for faces, fall in falls.items():
                    if adds_up and not is_alone:
                        at = total + sum(map(points, faces)), shown
                    else:
                        at = total, tuple(sorted((*shown, (kind, faces))))
                    ways = there.ways * fall.ways
                    if known := laid.get(at):
                        laid[at] = known._replace(ways=known.ways + ways)
                    else:
                        dice = [TableDie(group.die, face, group.label, against, final) for face in faces]
                        laid[at] = _Laid(ways, (*there.table, *dice), (*there.falls, fall))
    if adds_up and words.isdisjoint(on_sides[against]):
        return tuple(laid.values())
    work.count(_STEPS_TO_READ * len(laid))
    marks = marks_of(plan.bands, reading)
    shows = {*names, *(name for name in _MARKED if getattr(marks, name))} - {"result"}
    found: dict[object, _Laid] = {}
    for one in laid.values():
        if against:
            other = other_side(reading, one.table)
            seen = (other.value, *(getattr(other, name) for name in shows)) if isinstance(other, Result) else other
            left: object = one.table if any(spend.is_on_theirs for spend in spends) else ()
        else:
            result = read_roll(reading, one.table)
            one = one._replace(result=result)
            seen = (result.score, result.symbols, *(getattr(result, name) for name in shows))
            left = _left_by(spends, one.table, result)
        seen = seen, *_show_alone(reading, one.table, alone), left
        found[seen] = found[seen]._replace(ways=found[seen].ways + one.ways) if seen in found else one
    return tuple(found.values())


def _fall_by_group(
    groups: Iterable[DiceGroup], rules: ThrowRules, words: Collection[str], merge: Callable[[int], int], work: Work
) -> Iterator[tuple[DiceGroup, str, bool, Mapping[tuple[int, ...], _Fall]]]:
    """Yield dice with their kind, whether they are looked at alone, and in which ways one of them can fall. Raises `TooMany`."""
    for group in groups:
        is_alone = word_of_dice(group.label) in words
        kind = f"{group.die} {group.label}" if is_alone else group.die
        yield group, kind, is_alone, _fall_alone(parse_die(group.die), rules, int if is_alone else merge, work)


def _count_steps(groups: Iterable[tuple[str, int, int]]) -> int:
    """Return the steps that it takes to lay dice of these kinds, so many of each, which fall in so many ways, and to read them."""
    laid, dice, steps = 1, Counter[str](), 0
    for kind, count, falls in groups:
        for _ in range(count):
            steps, dice[kind] = steps + laid * falls, dice[kind] + 1
            laid = laid * (falls + dice[kind] - 1) // dice[kind]
    return steps + _STEPS_TO_READ * laid


def _adds_up(plan: RollPlan, names: Sequence[str], *, against: bool) -> bool:
    """Whether nothing matters of the dice of one side but what they add up to."""
    reading, marks = plan.reading, marks_of(plan.bands, plan.reading)
    if reading.kind not in TOTALS or reading.keep:
        return False
    if against:
        return not reading.theirs and reading.kind is not ReadingKind.BEATS
    counts = reading.kind in COUNTS
    known = {"result", "score"} if counts else {"result", "score", "face", SYMBOLS}
    return known.issuperset(names) and not (any(marks[:4]) or marks.of_some or (counts and marks.face))


def _merging(plan: RollPlan, look: _SideReading) -> Callable[[int], int]:
    """Return what gives the face that stands for another one: it leads to the same."""
    counts, names = plan.reading.kind in COUNTS, look.names
    if not {"ones", *(("score", "result") if counts else ())}.issuperset(names):
        return int
    whole = (*plan.pool, *(DiceGroup(1, die.die, die.label, die.against) for die in look.beside))
    # What a die counts is the same on both sides.
    pool = tuple(replace(group, against=False) for group in whole) if counts else whole
    different = find_different_faces(replace(plan, pool=pool), [(spend, _MOST_SPENDS) for spend in look.spends])
    faces = sorted({*different, *((1, 2) if "ones" in names else ())})
    return lambda face: faces[bisect_right(faces, face) - 1]


def _fall_alone(
    kind: DieKind, rules: ThrowRules, merge: Callable[[int], int], work: Work
) -> Mapping[tuple[int, ...], _Fall]:
    """Return a way in which a die can fall for each thing that it can lay on the table: the faces that stand for its own and for those of
    the dice that it brings. Raises `TooMany`.
    """
    explosion, size = rules.explosion, len(kind.faces)
    adds = explosion is not None and explosion.adds
    # What lies there, and whether the last die brings another.
    fallen: dict[tuple[tuple[int, ...], bool], _Fall] = {}

    def put(laid: tuple[int, ...], fall: _Fall, last: int | None = None) -> None:
        key = laid, bool(explosion and last is not None and explosion.bursts(kind.top, last))
        fallen[key] = fall._replace(ways=fall.ways + (fallen[key].ways if key in fallen else 0))

    for first in kind.faces:
        for again in kind.faces if first in rules.reroll else (None,):
            face = first if again is None else again
            put((face if adds else merge(face),), _Fall(size if again is None else 1, (first, again)), face)
    for _ in range(explosion.times if explosion else 0):
        before, fallen = fallen, {}
        work.count(size * sum(bursts for _, bursts in before) + len(before))
        for (laid, bursts), (ways, rounds) in before.items():
            if not bursts:
                put(laid, _Fall(ways * size, rounds))
                continue
            for face in kind.faces:
                after = (laid[0] + face,) if adds else tuple(sorted((*laid, merge(face))))
                put(after, _Fall(ways, (*rounds, face)), face)
    found: dict[tuple[int, ...], _Fall] = {}
    for (laid, _), fall in fallen.items():
        at = tuple(map(merge, laid)) if adds else laid
        found[at] = fall._replace(ways=fall.ways + (found[at].ways if at in found else 0))
    return found


def _faces_in_order(plan: RollPlan, ours: _Laid, theirs: _Laid) -> Iterator[Face]:
    """Yield the faces of a throw in the order in which `roll_pool` rolls them."""
    sides = {False: iter(ours.falls), True: iter(theirs.falls)}
    kinds = [(parse_die(group.die), next(sides[group.against])) for group in plan.pool for _ in range(group.count)]
    for shown in zip_longest(*(fall.rounds for _, fall in kinds)):
        for (kind, _), face in zip(kinds, shown, strict=True):
            if face is not None:
                rolled = divmod(face, 10) if len(kind.sides) == 2 else (kind.faces.index(face) + 1,)
                yield from (Face("", one, sides) for one, sides in zip(rolled, kind.sides, strict=True))


_OF_RESULT = re.compile(rf"\b({'|'.join(OF_DICE - {'suit'})})\b(?:\.(\w+))?")
"""Values of dice that formulas read; cards are never alike."""
