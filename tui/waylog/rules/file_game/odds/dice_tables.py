"""Tables of dice as odds look at them: in order, with faces merged that make no difference, and without dice that can't matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from waylog.rules.file_game.odds.die_weights import count_throws, die_throws
from waylog.rules.file_game.odds.face_merging import dice_that_matter, merge_faces
from waylog.rules.file_game.odds.pool_odds import count_dice
from waylog.rules.file_game.odds.work_limit import Work
from waylog.rules.file_game.pools import TableDie, parse_die
from waylog.rules.file_game.readings import DOUBLES, Look, Marks, RollPlan, Seen, marks_of
from waylog.rules.file_game.spend_effects import AddDice, Spend
from waylog.values import NamedTuple


class LaidDie(NamedTuple):
    """One's own die on the table."""

    face: int
    size: int
    """Its kind, by its place in `DiceTables.kinds`."""
    final: bool = False


ShownFaces = tuple[tuple[int, ...], tuple[int, ...]]


class DiceTables:
    """All tables that a roll can lead to, and how dice fall on them."""

    def __init__(self, plan: RollPlan, spends: Sequence[tuple[Spend, int]]) -> None:
        """`spends` are those that are possible, each with how often. Raises `TooMany`."""
        self.pool = {name: count for (name, against), count in count_dice(plan.pool).items() if not against}
        added = [spend.effect.die for spend, _ in spends if isinstance(spend.effect, AddDice)]
        self.kinds = [parse_die(name) for name in sorted({parse_die(name).name for name in (*self.pool, *added)})]
        self.work = Work()
        self.work.count(sum(count_throws(kind, plan.rules) for kind in self.kinds))
        self.throws = [die_throws(kind, plan.rules) for kind in self.kinds]
        """For each kind, how likely each way is that a die can fall, compared with the others."""
        self._reading = plan.reading
        self._marks: Marks = marks_of(plan.bands)
        self._merging = merge_faces(plan, spends), merge_faces(plan, spends, final=True)
        self._deciding = dice_that_matter(plan, spends, self._marks)
        self._fallen: dict[tuple[LaidDie, ...], dict[tuple[LaidDie, ...], int]] = {(): {(): 1}}
        self._have_digits = [place for place, kind in enumerate(self.kinds) if kind.has_digits]
        self._raised: dict[tuple[LaidDie, int], LaidDie] = {}
        self._looks: dict[int, Look] = {}
        self._seen: dict[ShownFaces, Seen] = {}

    def find_size(self, name: str) -> int:
        """Return the place of a kind of die."""
        return self.kinds.index(parse_die(name))

    def lay(self, dice: Iterable[TableDie]) -> tuple[LaidDie, ...]:
        """Return one's own dice on a real table."""
        return self.in_order(self.lay_one(die) for die in dice if not die.against)

    def lay_one(self, die: TableDie) -> LaidDie:
        """Return a die on a real table."""
        return LaidDie(self._merging[die.final].merge(die.face), self.find_size(die.die), die.final)

    def raise_die(self, table: tuple[LaidDie, ...], die: LaidDie, by: int) -> tuple[LaidDie, ...]:
        """Return the table with one die raised, at most to its highest face."""
        raised = self._raised.get((die, by))
        if raised is None:
            face = min(die.face + by, max(self.kinds[die.size].top, die.face))
            raised = self._raised[die, by] = LaidDie(self._merging[die.final].merge(face), die.size, die.final)
        place = table.index(die)
        return self.in_order((*table[:place], raised, *table[place + 1 :]))

    def throw(self, table: tuple[LaidDie, ...], dice: Sequence[LaidDie]) -> Mapping[tuple[LaidDie, ...], int]:
        """Return in how many ways each table comes of throwing dice, whatever they show, beside those on a table. Raises `TooMany`."""
        fallen = self._fall(tuple(dice))
        if not table:
            return fallen
        self.work.count(len(fallen))
        tables: dict[tuple[LaidDie, ...], int] = defaultdict(int)
        for more, ways in fallen.items():
            tables[self.in_order((*table, *more))] += ways
        return tables

    def throw_last(self, table: tuple[LaidDie, ...], dice: Sequence[LaidDie]) -> Iterator[tuple[Seen, int]]:
        """Yield what is seen after throwing dice beside those on a table, and in how many ways; for a throw after which nothing is spent.
        Raises `TooMany`.
        """
        fallen = self._fall(tuple(dice))
        self.work.count(len(fallen))
        for more, ways in fallen.items():
            yield self.see((*table, *more)), ways

    def throw_pool(self) -> Mapping[tuple[LaidDie, ...], int]:
        """Return in how many ways each table comes of throwing the whole pool. Raises `TooMany`."""
        sizes = [self.find_size(name) for name, count in self.pool.items() for _ in range(count)]
        return self.throw((), [LaidDie(0, size) for size in sizes])

    def _fall(self, dice: tuple[LaidDie, ...]) -> Mapping[tuple[LaidDie, ...], int]:
        """Return in how many ways dice fall, whatever they show: those of one kind beside all others, or one beside others of its kind."""
        found = self._fallen.get(dice)
        if found is None:
            found = self._fallen[dice] = defaultdict(int)
            if len(dice) == 1:
                ((_, size, final),) = dice
                for faces, weight in self.throws[size].items():
                    found[self.in_order(LaidDie(self._merging[final].merge(face), size, final) for face in faces)] += (
                        weight
                    )
                return found
            alike = dice.count(dice[-1])
            cut = len(dice) - (alike if alike < len(dice) else 1)
            others, last = self._fall(dice[:cut]), self._fall(dice[cut:])
            self.work.count(len(others) * len(last))
            for there, ways in others.items():
                for more, weight in last.items():
                    found[self.in_order((*there, *more))] += ways * weight
        return found

    def in_order(self, dice: Iterable[LaidDie]) -> tuple[LaidDie, ...]:
        """Return the dice that matter, lowest face first."""
        table = tuple(sorted(dice))
        return table[-self._deciding :] if self._deciding else table

    def see(self, table: tuple[LaidDie, ...]) -> Seen:
        """Return what the reading sees."""
        shown = self.show_faces(table)
        seen = self._seen.get(shown)
        if seen is None:
            faces, doubles = shown
            look = self._looks.get(len(faces))
            if look is None:
                keep = self._reading.keep
                look = Look(self._reading, self._marks, keep.count(len(faces)) if keep else None)
                self._looks[len(faces)] = look
            seen = self._seen[shown] = look.see_all(faces, doubles)
        return seen

    def show_faces(self, table: tuple[LaidDie, ...]) -> ShownFaces:
        """Return all of a table that a reading looks at: the faces, lowest first, and those that are doubles on a die of digits."""
        faces = tuple(sorted([die.face for die in table]))
        return faces, self._doubles_of(table) if self._have_digits else ()

    def _doubles_of(self, table: tuple[LaidDie, ...]) -> tuple[int, ...]:
        """Return the faces of two equal digits."""
        return tuple([die.face for die in table if die.face in DOUBLES and die.size in self._have_digits])


def without(table: tuple[LaidDie, ...], dice: Sequence[LaidDie]) -> tuple[LaidDie, ...]:
    """Return the table less these dice."""
    rest = list(table)
    for die in dice:
        rest.remove(die)
    return tuple(rest)
