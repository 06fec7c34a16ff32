"""The part of the players' file that says what players may do: the people of the table, their moves, and exact odds.

Everything comes from `PlayersGame`, which knows nothing hidden. A player's program reads it and calls `moves_for`,
`parse_act` and `odds_of`; it has neither the campaign nor the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, product

from waylog.rules.act_words import format_act
from waylog.rules.answers import complete_answers, describe
from waylog.rules.common.people import away_players, name_of
from waylog.rules.facts import OutcomeGrade
from waylog.rules.moves import Act, ActRefused, Answers, Ask, Move, PickMany, PickOne, Text
from waylog.rules.odds import Chance, Odds, Spread
from waylog.rules.players_game import PlayersGame
from waylog.rules.ratio import Ratio
from waylog.rules.state import State
from waylog.values import dataclass

NOT_NOW = "not now: somebody has to answer first: {}"
"""The refusal of a proposal while a question is open. The player who may answer it also sees the answers."""
MOST_MOVES = 400
MOST_ODDS = 160
"""The most rolls, each with its answers, whose odds are worked out for the players' file."""
_EACH = 16
"""The most of them for one move."""
_TRIES = 256
"""The most answers that are tried for one move: a game may have a roll with any number of questions."""


@dataclass(frozen=True, slots=True)
class VisiblePlayer:
    """One of the people of the table."""

    key: str
    """The key, as in `waylog join --as ana`."""
    name: str
    character: str
    """The name of their character; empty without one. The panel of that title is theirs."""
    may: tuple[str, ...]
    """The verbs that are played for them without asking."""
    away: bool
    """They are not at the table this evening."""


@dataclass(frozen=True, slots=True)
class OpenMove:
    """A move that players may propose now."""

    move: Move
    players: tuple[str, ...]
    """The keys of those who may propose it."""


@dataclass(frozen=True, slots=True)
class VisibleChance:
    """The probability of one outcome."""

    label: str
    mood: OutcomeGrade | None
    chance: str
    """A fraction: `5/36`."""


@dataclass(frozen=True, slots=True)
class VisibleSpread:
    """The probabilities of all outcomes, worst first. `label` names a condition: `with 2 Focus`."""

    label: str
    chances: tuple[VisibleChance, ...]

    def spread(self) -> Spread:
        """Return it as the wayfinder's screens show it. Raises `ValueError` if a chance isn't a fraction."""
        chances = (Chance(one.label, one.label, one.mood, Ratio.parse(one.chance)) for one in self.chances)
        return Spread(self.label, tuple(chances))


@dataclass(frozen=True, slots=True)
class VisibleOdds:
    """The exact odds of a roll, from what players know."""

    act: str
    """The roll with its answers, as `roll_words` writes it."""
    dice: str
    """The pool in words: `3d6: NAV 2 + AFTERBURNERS`."""
    spread: VisibleSpread
    spends: tuple[VisibleSpread, ...]
    """The odds with tokens spent in the best way: one spread for each number of tokens."""

    def odds(self) -> Odds | None:
        """Return them as the wayfinder's screens show them; None if a chance isn't a fraction."""
        try:
            return Odds(self.dice, self.spread.spread(), tuple(each.spread() for each in self.spends))
        except ValueError:
            return None


# -- a player's side -------------------------------------------------------------------------------------------------------


def moves_for(moves: Iterable[OpenMove], player: str) -> tuple[Move, ...]:
    """Return the moves that a player may propose now, for `parse_act` and `completions`."""
    return tuple(each.move for each in moves if player in each.players)


def title_of(act: Act) -> str:
    """Return what a player proposes, for people: `Roll Mara: primary, real dice 2 4 6`."""
    dice = f", real dice {' '.join(map(str, act.faces))}" if act.faces else ""
    return describe(act.move, act.answers) + dice


def title_of_words(moves: Sequence[Move], words: str) -> str:
    """Return what words that were sent mean, for people; the words themselves if they mean nothing now."""
    from waylog.rules.commands import parse_act

    try:
        return title_of(parse_act(moves, words))
    except ActRefused:
        return words


def wants_dice(moves: Iterable[Move]) -> bool:
    """Whether a roll waits for real dice that belong to the player of these moves. Then numbers are dice."""
    return any(move.verb == "rest" and move.follows for move in moves)


def odds_of(odds: Iterable[VisibleOdds], act: Act) -> VisibleOdds | None:
    """Return the odds of a roll; None for other acts, and for the few answers whose odds the file doesn't have.

    Raises `ActRefused` if the act isn't complete.
    """
    words = roll_words(act.move, complete_answers(act.move, act.answers))
    return next((each for each in odds if each.act == words), None)


def roll_words(move: Move, answers: Answers) -> str:
    """Return a roll with its answers, without what changes no dice: texts, and the clocks that it is made on."""
    texts = {ask.name for ask in move.asks if isinstance(ask, Text)}
    return format_act(move, {name: answer for name, answer in answers.items() if name not in {*texts, "on"}})


# -- the wayfinder's side --------------------------------------------------------------------------------------------------


def visible_players(game: PlayersGame, state: State) -> tuple[VisiblePlayer, ...]:
    """Return the people of the table."""
    away = away_players(state.players, state.sessions)
    return tuple(
        VisiblePlayer(
            key, name_of(state.players, key), game.character_name(state, key), player.permissions, key in away
        )
        for key, player in state.players.items()
    )


def open_moves(game: PlayersGame, state: State, acting: Collection[str]) -> tuple[OpenMove, ...]:
    """Return the moves that are open to players now, each with those who may propose it."""
    found = {player: {move.id for move in game.moves_of(state, player, acting)} for player in state.players}
    whose = ((move, tuple(key for key, ids in found.items() if move.id in ids)) for move in game.moves(state))
    return tuple(islice((OpenMove(move, players) for move, players in whose if players), MOST_MOVES))


def visible_odds(game: PlayersGame, state: State, moves: Iterable[OpenMove]) -> tuple[VisibleOdds, ...]:
    """Return the odds of the rolls among these moves, with their usual answers and with a few others."""
    rolls = (each.move for each in moves if each.move.rolls and not each.move.blocked)
    return tuple(islice((odds for move in rolls for odds in islice(_odds_of(game, state, move), _EACH)), MOST_ODDS))


def _odds_of(game: PlayersGame, state: State, move: Move) -> Iterator[VisibleOdds]:
    found = set[str]()
    for answers in islice(_likely_answers(move), _TRIES):
        try:
            words = roll_words(move, complete_answers(move, answers))
            odds = None if words in found else game.odds(state, Act(move, answers))
        except ActRefused:
            continue
        found.add(words)
        if odds:
            yield VisibleOdds(words, odds.dice, _spread(odds.spread), tuple(map(_spread, odds.spends)))


def _likely_answers(move: Move) -> Iterator[Answers]:
    """Yield answers to a roll: first only required ones, then with one optional answer, then with two."""
    choices = [(ask.name, _choices(ask)) for ask in move.asks if ask.name != "on"]
    needed = [(name, found) for name, (found, is_needed) in choices if is_needed]
    other = [(name, answer) for name, (found, is_needed) in choices if not is_needed for answer in found]
    names = [name for name, _ in needed]
    for added in (0, 1, 2):
        for each in product(*(found for _, found in needed)):
            base = dict(zip(names, each, strict=True))
            for some in _different(other, added):
                yield {**base, **dict(some)}


_Answer = tuple[str, str | tuple[str, ...]]


def _different(answers: Sequence[_Answer], count: int) -> Iterator[tuple[_Answer, ...]]:
    """Yield each combination of so many answers to different questions."""
    for place, first in enumerate(answers if count else ()):
        if count == 1:
            yield (first,)
        else:
            yield from ((first, other) for other in answers[place + 1 :] if other[0] != first[0])
    if not count:
        yield ()


def _choices(ask: Ask) -> tuple[list[str | tuple[str, ...]], bool]:
    """Return the answers to try for an ask, and whether it requires one of them."""
    match ask:
        case PickOne():
            able = [option.word for option in ask.options if not option.blocked and option.word != ask.default]
            return [*able], ask.default is None
        case PickMany():
            able = [option.word for option in ask.options if not option.blocked]
            return [(word,) for word in able], ask.least > 0
        case _:
            return [], False


def _spread(spread: Spread) -> VisibleSpread:
    chances = tuple(VisibleChance(chance.label, chance.mood, str(chance.chance)) for chance in spread.chances)
    return VisibleSpread(spread.label, chances)
