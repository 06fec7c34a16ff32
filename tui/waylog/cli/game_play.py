"""Evenings of a game that nobody plays: `waylog game check --play 200` walks them at random, and says what came."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from random import Random

from waylog.rules.file_game.check_rolls import outcomes_of
from waylog.rules.file_game.declaration import GameFile, MoveRule, SpendRule
from waylog.rules.file_game.moment import label_of
from waylog.rules.game import Game
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import Act, ActRefused, Answer, Ask, Move, Number, PickMany, PickOne, Text
from waylog.rules.model.state import State
from waylog.values import NamedTuple

MOST_EVENINGS = 10_000
_ACTS = 15
"""How many acts an evening has at most."""
_TRIES = 8
"""How often an act is chosen anew that is refused for its answers."""


class Walked(NamedTuple):
    """What came in so many evenings."""

    evenings: int
    outcomes: dict[str, Counter[str]]
    """How often each outcome of each roll came, by their labels."""
    moves: Counter[str]
    """How often each move and each spend was made."""
    never: tuple[str, ...]
    """The labels of moves and spends that were never made."""
    stuck: Counter[str]
    """In how many evenings nothing could be done any more, by the reason."""


def walk(game: Game, declared: GameFile, evenings: int, seed: int = 1) -> Walked:
    """Play so many evenings at random, the same each time for the same seed."""
    random = Random(seed)
    dice = ChanceDice(random.randrange)
    outcomes, moves, stuck = defaultdict[str, Counter[str]](Counter), Counter[str](), Counter[str]()
    owners = {name: {*outcomes_of(rule)} for name, rule in declared.dice.items()}
    verbs = {"roll", "group", "pay", "keep", *declared.moves, *declared.spend}
    for _ in range(evenings):
        state, rolled = game.fresh(""), ""
        for _ in range(_ACTS):
            every = [move for move in game.moves(state) if move.verb in verbs]
            tried = _play_one(game, state, every, random, dice)
            if tried is None:
                reasons = (move.blocked.reason for move in every if move.blocked and move.verb == "roll")
                stuck[next(reasons, "there is nothing to do")] += 1
                break
            move, state, came = tried
            if move.verb in ("roll", "group", "pay"):
                rolled = move.words[0]
            elif move.verb != "keep":
                moves[move.verb] += 1
            for fact in came:
                # A roll that follows by itself has outcomes of its own.
                has = (name for name in (rolled, *declared.dice) if name and fact.outcome in owners[name])
                rolled_here = next(has, rolled)
                outcomes[label_of(rolled_here, declared.dice[rolled_here].label)][fact.label] += 1
    every_rule: Mapping[str, MoveRule | SpendRule] = {**declared.moves, **declared.spend}
    never = tuple(label_of(name, rule.label) for name, rule in every_rule.items() if not moves[name])
    return Walked(evenings, dict(outcomes), moves, never, stuck)


def _play_one(
    game: Game, state: State, every: list[Move], random: Random, dice: ChanceDice
) -> tuple[Move, State, list[OutcomeFact]] | None:
    """Make one act at random, or none if nothing can be done."""
    possible = [move for move in every if not move.blocked]
    for _ in range(_TRIES if possible else 0):
        move = random.choice(possible)
        try:
            answers = complete_answers(move, {ask.name: answer for ask in move.asks for answer in _answer(ask, random)})
            played = game.play(state, Act(move, answers), dice)
        except ActRefused:
            continue
        return move, played.state, [fact for fact in played.facts if isinstance(fact, OutcomeFact)]
    return None


def _answer(ask: Ask, random: Random) -> Iterator[Answer]:
    """Yield a legal answer, or none where the default will do."""
    match ask:
        case PickOne():
            if legal := [option.word for option in ask.options if not option.blocked]:
                yield random.choice(legal)
        case PickMany():
            legal = [option.word for option in ask.options if not option.blocked]
            yield tuple(random.sample(legal, min(len(legal), random.choice([ask.least, ask.least, ask.least + 1]))))
        case Number():
            yield random.randint(ask.least, ask.most)
        case Text():
            yield "Something"
        case _:
            pass


def lines_of(walked: Walked) -> Iterator[str]:
    """Yield what came, in sentences."""
    yield f"{walked.evenings} random sessions:"
    for roll, came in walked.outcomes.items():
        whole = came.total()
        shown = ", ".join(f"{label} {round(100 * count / whole)} %" for label, count in came.most_common())
        yield f"  {roll}, {whole} times: {shown}"
    if walked.never:
        yield f"  Never done: {', '.join(walked.never)}"
    for reason, count in walked.stuck.most_common():
        yield f"  Nothing could be done any more in {count} of them: {reason}"
