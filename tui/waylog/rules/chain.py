"""A chain of acts, walked through every way that its dice can fall: `roll nav; damage ship if fiasco; roll hul`.

The dice of one roll that have the same label and as many sides mean the same to every rule, so it doesn't matter which of them shows
which face: each set of faces is played once and counts as often as it can fall. Ways that lead to the same state go on as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

from waylog.rules.codec.changes import Change, Path
from waylog.rules.game import Game
from waylog.rules.language.commands import parse_act
from waylog.rules.model.dice import Die, Face
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import Act, ActRefused, Move
from waylog.rules.model.odds import Chance, Ratio
from waylog.rules.model.panels import Tone
from waylog.rules.model.state import State
from waylog.values import NamedTuple, dataclass

_MOST_WAYS = 20_000
"""How many ways are walked for one chain, which takes some seconds."""
_CONDITIONS = {" if ": True, " unless ": False}
_KEEP = "keep"
"""The answer, in every game, that leaves a roll as it is."""


@dataclass(frozen=True, slots=True)
class Link:
    """One act of a chain."""

    words: str
    outcome: str = ""
    """The outcome, as it is labelled or called, that the roll before it must have had for it to be done; empty if it always is."""
    wanted: bool = True
    """Whether the roll must have had that outcome, or must not."""


@dataclass(frozen=True, slots=True)
class ChainOdds:
    """What a chain comes to."""

    rolls: tuple[tuple[str, tuple[Chance, ...]], ...]
    """For each act with an outcome its words and the chances of its outcomes. They add up to the chance that it is done."""
    impossible: tuple[tuple[str, str, Ratio], ...]
    """The acts that may be impossible by then: their words, why, and how likely that is."""
    values: tuple[tuple[Path, tuple[tuple[Change, Ratio], ...]], ...]
    """For each value that may be another one at the end, its place and what it may be then, most likely first."""
    marks: tuple[tuple[str, str, Ratio], ...]
    """The bad marks that may be new at the end: whose, which, and how likely."""


class _Way(NamedTuple):
    """Where some ways that the dice can fall have led."""

    state: State
    outcome: OutcomeFact | None
    """The outcome of the latest roll."""
    chance: Ratio


class TooManyWays(ActRefused):
    """Dice can fall in more ways than can be walked through while somebody waits."""

    def __init__(self) -> None:
        super().__init__("too many dice combinations; leave out an action or some dice")


class _MoreDice(Exception):
    """An act rolls more dice than it was given faces."""

    def __init__(self, dice: Sequence[Die]) -> None:
        super().__init__()
        self.dice = dice


class _GivenDice:
    """Dice that fall as they are given. Raises `_MoreDice` when there are no more."""

    are_real = False

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = [*faces]

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        if len(self._faces) < len(dice):
            raise _MoreDice(dice)
        faces, self._faces = self._faces[: len(dice)], self._faces[len(dice) :]
        return tuple(Face(die.source, face, die.sides) for die, face in zip(dice, faces, strict=True))


def read_chain(text: str) -> tuple[Link, ...]:
    """Read a chain: acts with `;` between them, of which each but the first may end in `if OUTCOME` or `unless OUTCOME`."""
    links = list[Link]()
    for part in filter(None, map(str.strip, text.split(";"))):
        link = Link(part)
        for word, wanted in _CONDITIONS.items():
            words, found, outcome = part.rpartition(word)
            if found and links:
                link = Link(words.strip(), outcome.strip().casefold(), wanted)
        links.append(link)
    return tuple(links)


def chain_odds(game: Game, state: State, links: Sequence[Link]) -> ChainOdds:
    """Return what a chain comes to, exactly. A question that the chain doesn't answer is answered by keeping the roll.

    Raises `ActRefused` if an act is impossible whatever the dice show, or if there are too many ways to walk through.
    """
    walk = _Walk(game)
    ways = [_Way(state, None, Ratio(1))]
    rolls, impossible = list[tuple[str, tuple[Chance, ...]]](), list[tuple[str, str, Ratio]]()
    for link, after in zip(links, (*links[1:], None), strict=True):
        following, done, refusals = list[_Way](), list[_Way](), list[tuple[ActRefused, Ratio]]()
        for way in ways:
            if not _is_met(link, way.outcome):
                following.append(way)
                continue
            try:
                for led in walk.play(way, link.words):
                    done += walk.keep(led, after)
            except TooManyWays:
                raise
            except ActRefused as refused:
                refusals.append((refused, way.chance))
                following.append(way)
        if refusals and not done:
            raise refusals[0][0]
        if refusals:
            chance = sum((chance for _, chance in refusals), Ratio())
            impossible.append((link.words, refusals[0][0].refusal.reason, chance))
        if outcomes := _outcomes(done, ways):
            rolls.append((link.words, outcomes))
        ways = walk.merge([*following, *done])
    return ChainOdds(
        tuple(rolls), tuple(impossible), tuple(_values(game, state, ways)), tuple(_marks(game, state, ways))
    )


class _Walk:
    """Plays acts with all faces that their dice can show."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._played = 0
        self._keeps: dict[tuple[str, Link | None], Act | None] = {}

    def play(self, way: _Way, words: str) -> Iterator[_Way]:
        """Yield where an act leads. Raises `ActRefused`."""
        return self._roll(way, parse_act(self._game.moves(way.state), words))

    def _roll(self, way: _Way, act: Act) -> Iterator[_Way]:
        given: list[tuple[tuple[int, ...], Ratio]] = [((), way.chance)]
        while given:
            faces, chance = given.pop()
            self._count(1)
            try:
                played = self._game.play(way.state, act, _GivenDice(faces))
            except _MoreDice as more:
                self._count(_count_falls(more.dice))
                given += [((*faces, *fall), chance * share) for fall, share in _falls(more.dice)]
                continue
            outcomes = [fact for fact in played.facts if isinstance(fact, OutcomeFact)]
            yield _Way(played.state, outcomes[-1] if outcomes else way.outcome, chance)

    def _count(self, ways: int) -> None:
        self._played += ways
        if self._played > _MOST_WAYS:
            raise TooManyWays

    def keep(self, way: _Way, after: Link | None) -> Iterator[_Way]:
        """Yield where a way leads if the roll is kept as it is, unless nothing is asked or what comes `after` is an answer."""
        question = self._game.question(way.state)
        keep = self._find_keep(question, way.state, after) if question else None
        if keep is None:
            yield way
            return
        for kept in self._roll(way, keep):
            yield from self.keep(kept, after)

    def _find_keep(self, question: str, state: State, after: Link | None) -> Act | None:
        """Return the answer that keeps a roll. It is the same whenever the same is asked, and looking for it takes longest."""
        key = question, after
        if key not in self._keeps:
            moves = self._game.moves(state)
            keep = next((Act(move) for move in moves if move.verb == _KEEP and move.follows and not move.blocked), None)
            self._keeps[key] = None if after and _answers(moves, after) else keep
        return self._keeps[key]

    def merge(self, ways: Sequence[_Way]) -> list[_Way]:
        """Return the ways with those as one that lead to the same."""
        found: dict[str, _Way] = {}
        for way in ways:
            key = repr((self._game.write(way.state), self._game.write_open(way.state), way.outcome))
            chance = found[key].chance + way.chance if key in found else way.chance
            found[key] = way._replace(chance=chance)
        return [*found.values()]


def _answers(moves: Sequence[Move], link: Link) -> bool:
    """Whether an act would answer what is asked."""
    try:
        return parse_act(moves, link.words).move.follows
    except ActRefused:
        return False


def _kinds(dice: Sequence[Die]) -> dict[tuple[str, int], list[int]]:
    """Return the places of the dice that mean the same, by their label and sides."""
    kinds: dict[tuple[str, int], list[int]] = {}
    for place, die in enumerate(dice):
        kinds.setdefault((die.source, die.sides), []).append(place)
    return kinds


def _count_falls(dice: Sequence[Die]) -> int:
    """Return how many ways `_falls` yields."""
    return prod(comb(sides + len(at) - 1, len(at)) for (_, sides), at in _kinds(dice).items())


def _falls(dice: Sequence[Die]) -> Iterator[tuple[tuple[int, ...], Ratio]]:
    """Yield how dice can fall, each with its chance. Dice that mean the same have their faces in rising order."""
    kinds = _kinds(dice)
    every = [[*combinations_with_replacement(range(1, sides + 1), len(at))] for (_, sides), at in kinds.items()]
    for fall in product(*every):
        faces, ways, of = [0] * len(dice), 1, 1
        for ((_, sides), at), shown in zip(kinds.items(), fall, strict=True):
            for place, face in zip(at, shown, strict=True):
                faces[place] = face
            ways *= factorial(len(shown))
            for face in {*shown}:
                ways //= factorial(shown.count(face))
            of *= sides ** len(shown)
        yield tuple(faces), Ratio(ways, of)


def _is_met(link: Link, outcome: OutcomeFact | None) -> bool:
    if not link.outcome:
        return True
    if outcome is None:
        return not link.wanted
    names = [outcome.outcome, outcome.label, outcome.mood or ""]
    return any(name.casefold().startswith(link.outcome) for name in names) == link.wanted


def _outcomes(done: Sequence[_Way], before: Sequence[_Way]) -> tuple[Chance, ...]:
    """Return the chances of the outcomes of an act; nothing if it has none of its own."""
    earlier = {id(way.outcome) for way in before}
    found: dict[str, Chance] = {}
    for way in done:
        if (outcome := way.outcome) and id(outcome) not in earlier:
            chance = way.chance + (found[outcome.outcome].chance if outcome.outcome in found else Ratio())
            found[outcome.outcome] = Chance(outcome.outcome, outcome.label, outcome.mood, chance)
    return tuple(sorted(found.values(), key=lambda one: (_BY_GRADE.get(one.mood or "", 0), one.label)))


_BY_GRADE: Mapping[str, int] = {"fiasco": 1, "drawback": 2, "success": 3, "critical": 4}


def _values(game: Game, before: State, ways: Sequence[_Way]) -> Iterator[tuple[Path, tuple[tuple[Change, Ratio], ...]]]:
    found: dict[Path, dict[str, tuple[Change, Ratio]]] = {}
    for way in ways:
        for change in game.difference(before, way.state):
            of_value = found.setdefault(change.path, {})
            key = repr(change.after)
            of_value[key] = change, way.chance + (of_value[key][1] if key in of_value else Ratio())
    for path, of_value in found.items():
        yield path, tuple(sorted(of_value.values(), key=lambda one: one[1], reverse=True))


def _marks(game: Game, before: State, ways: Sequence[_Way]) -> Iterator[tuple[str, str, Ratio]]:
    had = {*_bad_marks(game, before)}
    found: dict[tuple[str, str], Ratio] = {}
    for way in ways:
        for mark in {*_bad_marks(game, way.state)} - had:
            found[mark] = found.get(mark, Ratio()) + way.chance
    for (whose, text), chance in sorted(found.items(), key=lambda one: one[1], reverse=True):
        yield whose, text, chance


def _bad_marks(game: Game, state: State) -> Iterator[tuple[str, str]]:
    for panel in game.panels(state):
        yield from ((panel.title, tag.text) for tag in panel.tags if tag.tone is Tone.BAD)
