"""Evenings of a game in a file that are played at random, for `game check --play`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from random import Random

from waylog.rules.file_game.check_names_and_formulas import bands_in, effects_in
from waylog.rules.file_game.effects_and_offers import effects_after, with_moves
from waylog.rules.file_game.game_file_format import GameFile, MoveRule, effects_of
from waylog.rules.file_game.named_values_and_conditions import label_of
from waylog.rules.file_game.roll_and_effect_format import SpendRule
from waylog.rules.file_game.sheet_types import FileRoll
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
_EVENINGS = 5
"""How many evenings a campaign goes on before another one begins."""
_ROLLS = ("roll", "group", "pay")
_TRIES = 8
"""How often an act is chosen anew that is refused for its answers."""
_MORE = (0, 0, 0, 0, 1, 1, 1, 2, 2, 3)
"""How many options are chosen beyond those that must be, one of these."""


class Walked(NamedTuple):
    """The results of evenings that were played at random."""

    evenings: int
    outcomes: dict[str, Counter[str]]
    """For each roll, the number of times that each outcome came, by their labels."""
    moves: Counter[str]
    """The number of times that each move and each spend was made, by label."""
    never: tuple[str, ...]
    """The labels of rolls, moves and spends that were never made."""
    stuck: Counter[str]
    """The number of evenings in which nothing could be done any more, by the reason."""


def walk(
    game: Game, declared: GameFile, evenings: int, seed: int = 1, progress: Callable[[str], None] | None = None
) -> Walked:
    """Play so many evenings at random, the same each time for the same seed. `progress` is called with how far it is."""
    random = Random(seed)
    dice = ChanceDice(random.randrange)
    outcomes, moves, stuck = defaultdict[str, Counter[str]](Counter), Counter[str](), Counter[str]()
    labels = {
        name: {(band.outcome, label_of(band.outcome, band.label)) for band in bands_in(rule)}
        for name, rule in declared.dice.items()
    }
    forced = [effect.roll for _, effect, _, _ in effects_in(declared) if effect.roll]
    verbs = {*_ROLLS, "keep", *declared.moves, *declared.spend}
    state = game.fresh("")
    for evening in range(evenings):
        if progress:
            progress(f"Random sessions: {evening} of {evenings}")
        if evening % _EVENINGS == 0:
            state = game.fresh("")
        for _ in range(_ACTS):
            every = [move for move in game.moves(state) if move.verb in verbs]
            tried = _play_one(game, state, every, random, dice)
            if tried is None:
                reasons = (move.blocked.reason for move in every if move.blocked and move.verb == "roll")
                stuck[next(reasons, "nobody could do anything")] += 1
                state = game.fresh("")
                break
            stage = state.open.stage if state.open else None
            move, state, came = tried
            made = stage.roll if isinstance(stage, FileRoll) else move.words[0] if move.verb in _ROLLS else ""
            if move.verb not in (*_ROLLS, "keep"):
                moves[move.verb] += 1
            # A move brings the rolls of its own effects.
            rule = declared.moves.get(move.verb)
            brought = [one.roll for one in with_moves(declared, effects_of(rule)) if one.roll] if rule else []
            follow = [made] if made else brought or forced
            for fact in came:
                # First comes the outcome of the roll itself, or of each in a group; then those of rolls that follow by themselves.
                has = (name for name in (*follow, *forced) if (fact.outcome, fact.label) in labels[name])
                rolled = next(has, follow[0])
                outcomes[label_of(rolled, declared.dice[rolled].label)][fact.label] += 1
                brings = effects_after(declared, rolled, fact.outcome)
                follow = [effect.roll for effect in brings if effect.roll] or forced
                follow = [made, *follow] if move.verb == "group" else follow
    every_rule: Mapping[str, MoveRule | SpendRule] = {**declared.moves, **declared.spend}
    never = [label for name, rule in declared.dice.items() if (label := label_of(name, rule.label)) not in outcomes]
    never += [label_of(name, rule.label) for name, rule in every_rule.items() if not moves[name]]
    return Walked(evenings, dict(outcomes), moves, tuple(never), stuck)


def _play_one(
    game: Game, state: State, every: list[Move], random: Random, dice: ChanceDice
) -> tuple[Move, State, list[OutcomeFact]] | None:
    """Make one act at random, or none if nothing can be done."""
    possible = [move for move in every if not move.blocked]
    for _ in range(_TRIES if possible else 0):
        move = random.choice(possible)
        try:
            answers = complete_answers(
                move, {ask.name: answer for ask in move.asks for answer in answer_at_random(ask, random)}
            )
            played = game.play(state, Act(move, answers), dice)
        except ActRefused:
            continue
        return move, played.state, [fact for fact in played.facts if isinstance(fact, OutcomeFact)]
    return None


def answer_at_random(ask: Ask, random: Random) -> Iterator[Answer]:
    """Yield a legal answer, or none where the default will do."""
    match ask:
        case PickOne():
            if legal := [option.word for option in ask.options if not option.blocked]:
                yield random.choice(legal)
        case PickMany():
            legal = [option.word for option in ask.options if not option.blocked]
            count = ask.least + random.choice(_MORE)
            yield tuple(random.sample(legal, min(len(legal), count)))
        case Number():
            yield random.randint(ask.least, ask.most)
        case Text():
            yield "Something"
        case _:
            pass
