"""A chain of acts, walked through every way that its dice can fall: `roll nav; damage ship if fiasco; roll hul`.

The dice of one roll that have the same label, as many sides and one role mean the same to every rule, so it doesn't matter which of
them shows which face: each set of faces is played once and counts as often as it can fall. Where a roll says which throws lead to the
same, one is played for all of them. Ways that lead to the same state go on as one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import TypeVar

from waylog.rules.codec.changes import QUOTED, Change, Path, format_path, join_names, quoted_text
from waylog.rules.game import KEEP, Game
from waylog.rules.language.command_parser import NoSuchCommand, parse_act
from waylog.rules.model.dice import AlikeThrows, DiceOfOdds, Die, Face
from waylog.rules.model.facts import OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import Act, ActRefused, Move
from waylog.rules.model.odds import Chance, Ratio
from waylog.rules.model.panels import Tone
from waylog.rules.model.state import State
from waylog.values import NamedTuple, dataclass, replace

_MOST_STEPS = 3_000
"""How much work one chain may be: about two seconds in the slowest games. To play a way is a step, and each throw in it another one, as
each play begins at the first throw again. What a roll adds is counted before it is walked, as often as there are branches that still have
to make it.
"""
_MOVES_IN_A_STEP = 10
"""So many moves are looked at in one step, for what an act means in a state."""
_LOOK_OF_SMALL_GAME = 15
"""The steps of a look from which on each throw counts once more: it reads all the options and outcomes that a game has."""
_EFFECT = "effect"
_CONDITIONS = {" if ": True, " unless ": False}


@dataclass(frozen=True, slots=True)
class Link:
    """One act of a chain."""

    words: str
    outcome: str = ""
    """The outcome that the roll before it must have had for it to be done, as `_outcomes_called` finds it; empty if it always is."""
    wanted: bool = True
    """Whether the roll must have had that outcome, or must not."""

    @property
    def verb(self) -> str:
        """The first word of the act, as it was typed."""
        return self.words.split()[0]


@dataclass(frozen=True, slots=True)
class ChainOdds:
    """The odds of acts in a row."""

    rolls: tuple[tuple[str, tuple[Chance, ...]], ...]
    """For each act with an outcome its words and the chances of its outcomes. They add up to the chance that it is done."""
    impossible: tuple[tuple[str, str, Ratio], ...]
    """The acts that may be impossible by then: their words, why, and how likely that is."""
    values: tuple[tuple[Path, tuple[tuple[Change, Ratio], ...]], ...]
    """For each value that may be another one at the end, its place and what it may be then, most likely first."""
    marks: tuple[tuple[str, str, Ratio], ...]
    """The bad marks that may be new at the end: whose, which, and how likely."""
    cut: Ratio = Ratio()
    """The chance that a roll brings itself again more than once. The odds leave out what comes after that."""


class _Branch(NamedTuple):
    """Where the dice have led so far, in one or more of the ways that they can fall."""

    state: State
    outcome: OutcomeFact | None
    """The outcome of the latest roll."""
    chance: Ratio
    then: AlikeThrows = ()
    """The throws that the answer makes which comes next, if this branch stands for others until then; empty if it stands for itself."""


_Refusals = list[tuple[ActRefused, _Branch]]
"""Branches that can't make an act, each with why."""


class _BranchInPlay(NamedTuple):
    """A branch that makes an act, and what its dice show so far."""

    start: _Branch
    """Where the act of the chain began that this one is, or is a part of."""
    branch: _Branch
    act: Act
    order: tuple[int, ...]
    """Its place among the ways that began before it, at each throw."""
    path: tuple[object, ...]
    """What the dice so far lead to: ways with equal paths come to the same, whatever their faces."""
    faces: tuple[Face, ...] = ()
    drawn: int = 1
    """How many ways are drawn like it: cards are drawn one by one, whatever came before."""


class TooManyWays(ActRefused):
    """Dice can fall in more ways than can be walked through while somebody waits."""

    def __init__(self, words: str) -> None:
        super().__init__(f"there are too many combinations of dice with “{words}”. Leave out that action, or some dice")


class _MoreDice(Exception):
    """An act rolls more dice than it was given faces."""

    def __init__(self, dice: Sequence[Die]) -> None:
        super().__init__()
        self.dice = dice


def _ask_for_more(dice: Sequence[Die]) -> Sequence[Face]:
    raise _MoreDice(dice)


class _CountedDice(DiceOfOdds):
    """Dice that count how often they are thrown, also where faces are still wanted."""

    thrown = 0

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """Throw them."""
        self.thrown += 1
        return super().roll(dice)


def read_chain(text: str) -> tuple[Link, ...]:
    """Read a chain: acts with `;` between them, of which each but the first may end in `if OUTCOME` or `unless OUTCOME`. Within quotes,
    none of these words and signs counts.
    """
    links, start = list[Link](), 0
    for bare in re.sub(rf"{QUOTED}|[^\s;]+", _hide_quoted, text, flags=re.DOTALL).split(";"):
        part, start = text[start : start + len(bare)], start + len(bare) + 1
        link = Link(part.strip())
        for word, wanted in _CONDITIONS.items():
            place = bare.rfind(word)
            words, outcome = part[:place].strip(), part[place + len(word) :].strip(" \"'“”").casefold()
            if place > 0 and words and outcome and links:
                link = Link(words, outcome, wanted)
        links += [link] if link.words else []
    return tuple(links)


def _hide_quoted(match: re.Match[str]) -> str:
    """Return what stands in a chain; of a text in quotes only how long it is."""
    return match[0] if quoted_text(match) is None else "_" * len(match[0])


def chain_odds(game: Game, state: State, links: Sequence[Link]) -> ChainOdds:
    """Return what a chain comes to, exactly. A question that the chain doesn't answer is answered by keeping the roll.

    Raises `ActRefused` if an act is impossible whatever the dice show, if it depends on an outcome that the roll before it can't have, or
    if there are too many ways to walk through.
    """
    walk = _Walk(game, {_EFFECT, *(move.verb for move in game.moves(state) if not move.follows)})
    branches = [_Branch(state, None, Ratio(1))]
    rolls, impossible = list[tuple[str, tuple[Chance, ...]]](), list[tuple[str, str, Ratio]]()
    for link, after, last in zip(links, (*links[1:], None), (*links[2:], None, None), strict=False):
        came = [branch.outcome for branch in branches if branch.outcome]
        _check_outcome(game, link, came)
        named = _outcomes_called(link.outcome, came)
        met = [branch for branch in branches if _is_met(link, branch.outcome, named)]
        following = [branch for branch in branches if not _is_met(link, branch.outcome, named)]
        done, refusals = walk.play(met, link.words, after, last)
        following += [branch for _, branch in refusals]
        if refusals and not done:
            raise refusals[0][0]
        if refusals:
            chance = sum((branch.chance for _, branch in refusals), Ratio())
            impossible.append((link.words, _reason(game, state, refusals[0][0]), chance))
        if outcomes := _outcomes(game, done, branches):
            rolls.append((link.words, outcomes))
        branches = walk.merge([*following, *done])
    return ChainOdds(
        tuple(rolls),
        tuple(impossible),
        tuple(_values(game, state, branches)),
        tuple(_marks(game, state, branches)),
        min(walk.cut, Ratio(1)),
    )


class _Walk:
    """Plays acts with all faces that their dice can show."""

    def __init__(self, game: Game, verbs: Collection[str]) -> None:
        """`verbs` are those of acts that answer nothing."""
        self._game, self._verbs = game, verbs
        self.cut = Ratio()
        """How likely it is that a loop of rolls is cut, added up over the acts."""
        self._steps, self._look = 0, 0
        """The work so far, and that of one look at all moves."""
        self._then = ""
        """The first word of the act of the chain that comes next; empty if none does."""
        self._words, self._only = "", ""
        """The act of the chain that is played, and the one that comes next, if it answers all that this one asks."""
        self._refusals = _Refusals()
        """Where that act is impossible."""
        self._keeps: dict[tuple[str, Link | None], Act | None] = {}
        self._known = list[tuple[State, OutcomeFact | None, OutcomeFact | None]]()
        """What ways have come to beside the dice on the table."""

    def play(
        self, branches: Sequence[_Branch], words: str, after: Link | None, last: Link | None
    ) -> tuple[list[_Branch], _Refusals]:
        """Return where an act leads that these branches make, and those that can't make it. What it asks is answered by what comes
        `after`, and then by the `last`, or by keeping the roll. Raises `TooManyWays`.
        """
        self._words, self._then, self._refusals = words, after.verb if after else "", _Refusals()
        is_only = after and not after.outcome and not (last and self._is_answer(last.verb))
        self._only = after.words if after and is_only and self._is_answer(after.verb) else ""
        ways, done = list[_BranchInPlay](), list[_BranchInPlay]()
        for place, branch in enumerate(branches):
            try:
                moves = self._game.moves(branch.state)
                self._look = len(moves) // _MOVES_IN_A_STEP
                self._count(self._look)
                act = parse_act(moves, words)
                ways.append(_BranchInPlay(branch, branch, act, (place,), (place,)))
            except ActRefused as refused:
                self._refusals.append((refused, branch))
        while ways:
            ends, ways = self._roll(ways), []
            for place, way in enumerate(ends):
                question = self._game.question(way.branch.state)
                keep = self._find_keep(question, way.branch.state, after) if question else None
                if keep:
                    ways.append(way._replace(act=keep, path=(place,), faces=(), drawn=1))
                else:
                    done.append(way)
        return [way.branch for way in sorted(done, key=lambda way: way.order)], self._refusals

    def _is_answer(self, verb: str) -> bool:
        """Whether an act with that first word answers something, and not just by keeping a roll."""
        return verb not in ("", KEEP) and verb not in self._verbs

    def _roll(self, ways: Sequence[_BranchInPlay]) -> Sequence[_BranchInPlay]:
        """Return the ways to the end of their acts. All make their first throw before any goes on, so that of those that come to the same
        one is played.
        """
        ends, first_throws = list[_BranchInPlay](), dict[object, _BranchInPlay]()
        for place, way in enumerate(ways):
            for led in self._play(way, ends, len(ways), len(first_throws), len(ways) - place):
                known = first_throws.setdefault(led.path, led)
                if known is not led:
                    chance = known.branch.chance + led.branch.chance
                    first_throws[led.path] = known._replace(branch=known.branch._replace(chance=chance))
        left = [*first_throws.values()]
        while left:
            left += self._play(left.pop(), ends, len(ways), len(left))
        return ends

    def _play(
        self, way: _BranchInPlay, ends: list[_BranchInPlay], branches: int, waiting: int, left: int = 1
    ) -> Iterator[_BranchInPlay]:
        """Play a way with its dice. Add it to the `ends`; or yield how the dice can fall that it wants next. Its outcome is
        the first that is told after that with which the act of the chain began: those of rolls that it brings come later.

        It is one of so many `branches`, of which so many are `left`, and so many ways are `waiting`. Raises `TooManyWays`.
        """
        self._expect(waiting + left)
        is_answer = self._is_answer(self._then)
        dice = _CountedDice(way.faces, _ask_for_more, self._then, is_answer=is_answer, only=self._only)
        _, outcome, chance, then = way.branch
        try:
            played = self._game.play(way.branch.state, way.act, dice)
        except ActRefused as refused:
            self._refusals.append((refused, way.start._replace(chance=chance)))
            return
        except _MoreDice as more:
            wanted = more.dice
        else:
            self.cut += chance if dice.is_cut else 0
            if outcome is way.start.outcome:
                outcome = next((fact for fact in played.facts if isinstance(fact, OutcomeFact)), outcome)
            ends.append(way._replace(branch=_Branch(played.state, outcome, chance, then if way.faces else ())))
            return
        finally:
            self._count(1 + dice.thrown * (1 + self._look // _LOOK_OF_SMALL_GAME))
        foreseen, drawn, path = dice.latest, way.drawn, way.path
        is_known = then and not way.faces
        throws = then if is_known else foreseen.throws() if foreseen else None
        falls = len(throws) if throws else _count_falls(wanted)
        if foreseen and foreseen.stays is not None and throws and not way.faces:
            path = self._number_of(way), foreseen.stays
            self._expect(waiting + left + 2 * falls)
        else:
            self._expect(waiting + 2 * left * falls)
        if wanted[0].is_card:
            drawn *= falls
            self._expect(2 * drawn * branches)
        shares = [*(_shares(throws) if throws else _falls(wanted))]
        for place, (faces, share, leads_to, then) in enumerate(reversed(shares)):
            yield way._replace(
                branch=way.branch._replace(chance=chance * share, then=then),
                order=(*way.order, place),
                path=(*path, leads_to),
                faces=(*way.faces, *faces),
                drawn=drawn,
            )

    def _count(self, steps: int) -> None:
        """Count work that has been done. Raises `TooManyWays`."""
        self._steps += steps
        self._expect(0)

    def _expect(self, steps: int) -> None:
        """Raise `TooManyWays` if so many more steps are too many."""
        if self._steps + steps > _MOST_STEPS:
            raise TooManyWays(self._words)

    def _number_of(self, way: _BranchInPlay) -> int:
        """Return a number for all that a way has come to but the dice on the table."""
        state, outcome, start = way.branch.state, way.branch.outcome, way.start.outcome
        beside = replace(state, open=replace(state.open, stage=None) if state.open else None), outcome, start
        if beside not in self._known:
            self._known.append(beside)
        return self._known.index(beside)

    def _find_keep(self, question: str, state: State, after: Link | None) -> Act | None:
        """Return the answer that keeps a roll. It is the same whenever the same is asked, and looking for it takes longest."""
        key = question, after
        if key not in self._keeps:
            moves = self._game.moves(state)
            keep = next((Act(move) for move in moves if move.verb == KEEP and move.follows and not move.blocked), None)
            self._keeps[key] = None if after and _answers(moves, after) else keep
        return self._keeps[key]

    def merge(self, branches: Sequence[_Branch]) -> list[_Branch]:
        """Return the branches with those as one that lead to the same."""
        found: dict[object, _Branch] = {}
        for branch in branches:
            key = (
                branch.then,
                repr((self._game.write(branch.state), self._game.write_open(branch.state), branch.outcome)),
            )
            chance = found[key].chance + branch.chance if key in found else branch.chance
            found[key] = branch._replace(chance=chance)
        return [*found.values()]


def _answers(moves: Sequence[Move], link: Link) -> bool:
    """Whether an act would answer what is asked."""
    try:
        return parse_act(moves, link.words).move.follows
    except ActRefused:
        return False


def _alike(dice: Sequence[Die]) -> list[tuple[int, list[int]]]:
    """Return the dice that mean the same, by their label, sides and role: how many sides they have, and their places."""
    found: dict[tuple[str, int, tuple[object, ...]], list[int]] = {}
    for place, die in enumerate(dice):
        found.setdefault((die.source, die.sides, die.role), []).append(place)
    return [(sides, places) for (_, sides, _), places in found.items()]


def _count_falls(dice: Sequence[Die]) -> int:
    """Return how many ways `_falls` yields."""
    return prod(comb(sides + len(places) - 1, len(places)) for sides, places in _alike(dice))


_Fall = tuple[tuple[Face, ...], Ratio, object, AlikeThrows]
"""How dice can fall, with its chance, what it leads to, and the throws of the answer that comes next, if they stand for others."""


def _shares(throws: AlikeThrows) -> Iterator[_Fall]:
    """Yield throws, each with its chance."""
    whole = sum(throw.ways for throw in throws)
    return ((throw.faces, Ratio(throw.ways, whole), throw.leads_to, throw.then) for throw in throws)


def _falls(dice: Sequence[Die]) -> Iterator[_Fall]:
    """Yield how dice can fall, each with its chance. Dice that mean the same have their faces in rising order."""
    alike, of = _alike(dice), prod(die.sides for die in dice)
    each = (combinations_with_replacement(range(1, sides + 1), len(places)) for sides, places in alike)
    for fall in product(*each):
        faces, ways = [0] * len(dice), 1
        for (_, places), shown in zip(alike, fall, strict=True):
            for place, face in zip(places, shown, strict=True):
                faces[place] = face
            ways *= factorial(len(shown)) // prod(map(factorial, Counter(shown).values()))
        laid = tuple(Face("", face, die.sides) for die, face in zip(dice, faces, strict=True))
        yield laid, Ratio(ways, of), (*faces,), ()


def _reason(game: Game, state: State, refused: ActRefused) -> str:
    """Return why an act may be impossible: where it answers a question, that this may not be asked."""
    not_now = game.reference(state).why_not_now(refused.word) if isinstance(refused, NoSuchCommand) else None
    return (not_now or refused.refusal).reason


def _check_outcome(game: Game, link: Link, came: Sequence[OutcomeFact]) -> None:
    """Raise `ActRefused` if an act depends on an outcome that no roll before it can have. A grade may be one that can't come now."""
    if link.outcome and not came:
        raise ActRefused(f"“{link.words}” depends on an outcome, so put a roll before it")
    is_grade = any(grade.startswith(link.outcome) for grade in OutcomeGrade)
    if link.outcome and not is_grade and not _outcomes_called(link.outcome, came):
        labels = join_names([*dict.fromkeys(fact.label for fact in _in_order(game, came))], "or")
        raise ActRefused(f"the outcome before “{link.words}” can't be “{link.outcome}”: choose {labels}")


def _outcomes_called(word: str, came: Sequence[OutcomeFact]) -> Collection[tuple[str, str]]:
    """Return the outcomes, each with its label, that a word names: those that are called just so; or else all of that grade; or else all of
    which a name begins so.
    """
    exact = [fact for fact in came if word in (fact.outcome.casefold(), fact.label.casefold())]
    graded = [fact for fact in came if fact.mood == word]
    begun = [
        fact
        for fact in came
        if any(name.casefold().startswith(word) for name in (fact.outcome, fact.label, fact.mood or ""))
    ]
    return {(fact.outcome, fact.label) for fact in exact or graded or begun}


def _is_met(link: Link, outcome: OutcomeFact | None, named: Collection[tuple[str, str]]) -> bool:
    if not link.outcome:
        return True
    return (outcome is not None and (outcome.outcome, outcome.label) in named) == link.wanted


def _with_numbers(label: str) -> Sequence[str | int]:
    """Return what to sort a label by, so that 9 stands before 10."""
    return [int(part) if part.isdecimal() else part for part in re.split("([0-9]+)", label)]


def _outcomes(game: Game, done: Sequence[_Branch], before: Sequence[_Branch]) -> tuple[Chance, ...]:
    """Return the chances of the outcomes of an act; nothing if it has none of its own."""
    earlier = {id(branch.outcome) for branch in before}
    found: dict[str, Chance] = {}
    for branch in done:
        if (outcome := branch.outcome) and id(outcome) not in earlier:
            chance = branch.chance + (found[outcome.outcome].chance if outcome.outcome in found else Ratio())
            found[outcome.outcome] = Chance(outcome.outcome, outcome.label, outcome.mood, chance)
    return tuple(_in_order(game, [*found.values()]))


_BY_GRADE: Mapping[str, int] = {"fiasco": 1, "drawback": 2, "success": 3, "critical": 4}
_Outcome = TypeVar("_Outcome", OutcomeFact, Chance)


def _in_order(game: Game, outcomes: Sequence[_Outcome]) -> Sequence[_Outcome]:
    """Return outcomes by their grades, worst first; of one grade, in the order that the game has them in one roll, or by their labels."""
    names = {one.outcome for one in outcomes}
    of_roll = next(filter(names.issubset, game.system.outcomes), ())
    place = {name: at for at, name in enumerate(dict.fromkeys(of_roll))}
    return sorted(
        outcomes,
        key=lambda one: (_BY_GRADE.get(one.mood or "", 0), place.get(one.outcome, 0), _with_numbers(one.label)),
    )


def _values(
    game: Game, before: State, branches: Sequence[_Branch]
) -> Iterator[tuple[Path, tuple[tuple[Change, Ratio], ...]]]:
    found: dict[Path, dict[str, tuple[Change, Ratio]]] = {}
    for branch in branches:
        for change in game.difference(before, branch.state):
            of_value = found.setdefault(change.path, {})
            key = repr(change.after)
            of_value[key] = change, branch.chance + (of_value[key][1] if key in of_value else Ratio())
    for path, of_value in found.items():
        if game.system.is_unseen(path):
            continue
        yield path, tuple(sorted(of_value.values(), key=lambda one: one[1], reverse=True))


def _marks(game: Game, before: State, branches: Sequence[_Branch]) -> Iterator[tuple[str, str, Ratio]]:
    had = {*_bad_marks(game, before)}
    found: dict[tuple[str, str], Ratio] = {}
    for branch in branches:
        changed = {format_path(change.path) for change in game.difference(before, branch.state)}
        # A value of the same name says the same.
        named = {
            (panel.title, row.label) for panel in game.panels(branch.state) for row in panel.rows if row.key in changed
        }
        for mark in {*_bad_marks(game, branch.state)} - had - named:
            found[mark] = found.get(mark, Ratio()) + branch.chance
    for (whose, text), chance in sorted(found.items(), key=lambda one: one[1], reverse=True):
        yield whose, text, chance


def _bad_marks(game: Game, state: State) -> Iterator[tuple[str, str]]:
    for panel in game.panels(state):
        yield from ((panel.title, tag.text) for tag in panel.tags if tag.tone is Tone.BAD)
