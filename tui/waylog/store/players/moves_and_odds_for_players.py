"""The people of the table, their moves, and exact odds, as players' programs read them.

All of it comes from `PlayersGame`, which knows nothing hidden. A player's program reads it from the players' file and calls `moves_for`,
`parse_act` and `odds_of`; it has neither the campaign nor the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice, product

from waylog.rules.model.answers import complete_answers, describe, format_act
from waylog.rules.model.dice import Die
from waylog.rules.model.moves import Act, ActRefused, Answers, Ask, Move, PickMany, PickOne, Text
from waylog.rules.model.odds import Odds
from waylog.rules.model.players_and_permissions import away_players, name_of
from waylog.rules.model.state import State
from waylog.rules.what_players_may_do import PlayersGame
from waylog.values import dataclass, replace

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
    dice: tuple[Die, ...] = ()
    """The dice to be typed by somebody who rolls real ones, if it asks for nothing else and has no odds: those of a table."""


def moves_for(moves: Iterable[OpenMove], player: str) -> tuple[Move, ...]:
    """Return the moves that a player may propose now, for `parse_act` and `completions`."""
    return tuple(each.move for each in moves if player in each.players)


def title_of(act: Act) -> str:
    """Return what a player proposes, for people: `Roll Mara: primary, real dice 2 4 6`."""
    dice = f", real dice {' '.join(map(str, act.faces))}" if act.faces else ""
    return describe(act.move, act.answers) + dice


def title_of_words(moves: Sequence[Move], words: str) -> str:
    """Return what words that were sent mean, for people; the words themselves if they mean nothing now."""
    from waylog.rules.language.command_parser import parse_act

    try:
        return title_of(parse_act(moves, words))
    except ActRefused:
        return words


def wants_dice(moves: Iterable[Move]) -> bool:
    """Whether a roll waits for real dice that belong to the player of these moves. Then numbers are dice."""
    return any(move.verb == "rest" and move.follows for move in moves)


def odds_of(odds: Iterable[Odds], act: Act) -> Odds | None:
    """Return the odds of a roll; None for other acts, and for the few answers whose odds the file doesn't have.

    Raises `ActRefused` if the act isn't complete.
    """
    words = roll_words(act.move, complete_answers(act.move, act.answers))
    return next((each for each in odds if each.act == words), None)


def roll_words(move: Move, answers: Answers) -> str:
    """Return a roll with its answers, without what changes no dice: texts, and the clocks that it is made on."""
    texts = {ask.name for ask in move.asks if isinstance(ask, Text)}
    return format_act(move, {name: answer for name, answer in answers.items() if name not in {*texts, "on"}})


def visible_players(game: PlayersGame, state: State) -> tuple[VisiblePlayer, ...]:
    """Return the people of the table."""
    state = game.known_campaign(state).state
    away = away_players(state.players, state.sessions)
    return tuple(
        VisiblePlayer(
            key, name_of(state.players, key), game.character_name(state, key), player.permissions, key in away
        )
        for key, player in state.players.items()
    )


def open_moves(game: PlayersGame, state: State, acting: Collection[str], player: str = "") -> tuple[OpenMove, ...]:
    """Return the moves that are open to players now, each with those who may propose it: to one player, or as all of them know it."""
    found = {key: {move.id for move in game.moves_of(state, key, acting, player)} for key in state.players}
    whose = ((move, tuple(key for key, ids in found.items() if move.id in ids)) for move in game.moves(state, player))
    theirs = ((move, players) for move, players in whose if (player in players if player else players))

    def dice(move: Move) -> tuple[Die, ...]:
        takes_dice = move.effect and not (move.asks or move.rolls or move.blocked)
        return game.dice_to_type(state, Act(move), player) if takes_dice else ()

    return tuple(OpenMove(move, players, dice(move)) for move, players in islice(theirs, MOST_MOVES))


def visible_odds(game: PlayersGame, state: State, moves: Iterable[OpenMove], player: str = "") -> tuple[Odds, ...]:
    """Return the odds of the rolls among these moves, with their usual answers and with a few others."""
    rolls = (each.move for each in moves if each.move.rolls and not each.move.blocked)

    def find(move: Move) -> Iterator[Odds]:
        return islice(_odds_of(game, state, move, player), _EACH)

    odds = chain.from_iterable(game.all_odds(state, move, player, find) for move in rolls)
    return tuple(islice(odds, MOST_ODDS))


def _odds_of(game: PlayersGame, state: State, move: Move, player: str) -> Iterator[Odds]:
    found = set[str]()
    for answers in islice(_likely_answers(move), _TRIES):
        try:
            words = roll_words(move, complete_answers(move, answers))
            odds = None if words in found else game.odds(state, Act(move, answers), player)
        except ActRefused:
            continue
        found.add(words)
        if odds:
            dice = game.dice_to_type(state, Act(move, answers), player)
            yield replace(odds, reasons=(), act=words, to_type=dice)


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
