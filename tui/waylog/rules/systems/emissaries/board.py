"""A conflict as a screen shows it: plain values, with every rule already asked (EG-23, EG-24)."""

from __future__ import annotations

from waylog.rules.systems.emissaries import adviser, exchange
from waylog.rules.systems.emissaries.blows import reasons
from waylog.rules.systems.emissaries.bringing import thing_name
from waylog.rules.systems.emissaries.moment import Moment
from waylog.rules.systems.emissaries.stages import Line, Lying, Participant, Phase, Side
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody in the conflict, and the dice that lie before them."""

    word: str
    name: str
    side: Side
    approach: str
    """`opposed-neutral`; empty for an obstacle."""
    dice: tuple[Lying, ...]
    """Highest first; of equal ones the smaller die first."""
    rating: str
    """What an obstacle that has not rolled yet will roll."""
    total: int
    best_two: tuple[int, ...]
    in_play: tuple[str, ...]
    """Stats, then what else has come into play, by name."""
    fallout: tuple[str, ...]
    """What a blow would be for them, a point each: `the blow`, `Body`, `blaster` (EG-20)."""
    entered: bool
    gave: bool
    turn: bool
    """They are the ones to act now."""


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the exchange, with the name of whoever it tells of."""

    name: str
    side: Side
    line: Line


@dataclass(frozen=True, slots=True)
class Board:
    """All that lies on the table."""

    stakes: str
    phase: Phase
    seats: tuple[Seat, ...]
    """In the order of turns, once that is known."""
    raiser: str
    """By word; empty before the first turn."""
    raised: tuple[Lying, ...]
    """The raise in the middle."""
    total: int
    waiting: tuple[str, ...]
    """Who still has to see it, by word."""
    fallout: int
    """Fallout that is due; 0 when none is."""
    taker: str
    """Whose it is, by word."""
    exchange: tuple[Told, ...]
    """Oldest first."""
    sees: adviser.Sees | None
    """While somebody sees: the best ways to (EG-23)."""
    raises: tuple[adviser.Raise, ...]
    """While somebody raises: every raise, those that stop the most first (EG-23)."""


def board(moment: Moment) -> Board:
    """The conflict under way."""
    conflict = moment.conflict
    acting = _acting(moment)
    order = {word: place for place, word in enumerate(conflict.order)}
    people = sorted(conflict.people, key=lambda one: order.get(one.word, len(order)))
    by_word = {one.word: one for one in people}
    total = exchange.raised_total(conflict)
    sees = conflict.phase is Phase.SEE
    return Board(
        conflict.stakes,
        conflict.phase,
        tuple(_seat(moment, one, acting) for one in people),
        conflict.turn,
        conflict.raised,
        total,
        conflict.waiting,
        conflict.fallout,
        conflict.taker,
        tuple(Told(by_word[line.who].name, by_word[line.who].side, line) for line in conflict.exchange),
        adviser.sees(exchange.faces_of(exchange.usable(by_word[acting])), total) if sees else None,
        exchange.raises_of(moment, by_word[acting]) if conflict.phase is Phase.RAISE else (),
    )


def _acting(moment: Moment) -> str:
    conflict = moment.conflict
    match conflict.phase:
        case Phase.RAISE:
            return conflict.turn
        case Phase.SEE:
            return conflict.waiting[0]
        case Phase.FALLOUT:
            return conflict.taker
        case _:
            return ""


def _seat(moment: Moment, one: Participant, acting: str) -> Seat:
    dice = tuple(sorted(one.pool, key=lambda die: (-die.face, die.sides)))
    faces = exchange.faces_of(dice)
    stats = tuple(stat.capitalize() for stat in one.stats)
    return Seat(
        one.word,
        one.name,
        one.side,
        one.approach,
        dice,
        one.rating,
        sum(faces),
        faces[:2],
        (*stats, *(thing_name(moment, one.who, thing) for thing in one.brought)),
        reasons(moment, one) if one.entered else (),
        one.entered,
        one.gave,
        one.word == acting,
    )
