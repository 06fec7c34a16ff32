"""A conflict as values for the screens, with all rules already applied, and the panels made of them (EG-23, EG-24)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waylog.rules.codec.changes import join_names
from waylog.rules.model.dice import Face
from waylog.rules.model.panels import FacesRow, Panel, Row, Tag, TextRow, Tone
from waylog.rules.systems.emissaries import advice, exchange
from waylog.rules.systems.emissaries.advice import Stop
from waylog.rules.systems.emissaries.dice_pools import thing_name
from waylog.rules.systems.emissaries.fallout import reasons
from waylog.rules.systems.emissaries.moment import (
    ConflictStage,
    Did,
    ExchangeLine,
    Lying,
    Moment,
    Participant,
    Phase,
    Side,
    plus,
)
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """A participant, with the dice in front of them."""

    word: str
    name: str
    side: Side
    approach: str
    """The approach, such as `opposed-neutral`; empty for an obstacle."""
    dice: tuple[Lying, ...]
    """Highest first; among equal dice, the smaller die first."""
    rating: str
    """The dice that an obstacle will roll, if it hasn't yet."""
    total: int
    best_two: tuple[int, ...]
    in_play: tuple[str, ...]
    """The names of everything in play; stats come first."""
    fallout: tuple[str, ...]
    """The points of fallout that a blow would cause, each with its reason: `the blow`, `Body`, `blaster` (EG-20)."""
    entered: bool
    gave: bool
    turn: bool
    """It is their turn to act."""


@dataclass(frozen=True, slots=True)
class NamedLine:
    """A line of the exchange, with the name of whoever it is about."""

    name: str
    side: Side
    line: ExchangeLine


@dataclass(frozen=True, slots=True)
class ConflictView:
    """Everything in a conflict that a screen shows."""

    stakes: str
    loss: str
    """What happens if our side loses; empty if that isn't said."""
    phase: Phase
    seats: tuple[Seat, ...]
    """The participants, in the order of turns once that is known."""
    raiser: str
    """The raiser's word; empty before the first turn."""
    raised: tuple[Lying, ...]
    """The dice of the current raise."""
    total: int
    waiting: tuple[str, ...]
    """The words of those who have still to see it."""
    fallout: int
    """Fallout that is due, or 0."""
    taker: str
    """The word of the one who takes it."""
    exchange: tuple[NamedLine, ...]
    """The exchange so far, oldest first."""
    sees: advice.Sees | None
    """The best ways to see, while somebody sees (EG-23)."""
    raises: tuple[advice.RaiseOption, ...]
    """Every raise, those that prevent the most first, while somebody raises (EG-23)."""


def open_board(moment: Moment) -> ConflictView | None:
    """Return the current conflict for its screen (EG-24); None if there is none."""
    return build_conflict_view(moment) if isinstance(moment.top, ConflictStage) else None


def build_conflict_view(moment: Moment) -> ConflictView:
    """Return the current conflict. The caller knows that there is one."""
    conflict = moment.conflict
    acting = _participants_to_act(moment)
    order = {word: place for place, word in enumerate(conflict.order)}
    people = sorted(conflict.people, key=lambda one: order.get(one.word, len(order)))
    by_word = {one.word: one for one in people}
    total = exchange.raised_total(conflict)
    sees = conflict.phase is Phase.SEE
    return ConflictView(
        conflict.stakes,
        conflict.loss,
        conflict.phase,
        tuple(_seat(moment, one, acting) for one in people),
        conflict.turn,
        conflict.raised,
        total,
        conflict.waiting,
        conflict.fallout,
        conflict.taker,
        tuple(NamedLine(by_word[line.who].name, by_word[line.who].side, line) for line in conflict.exchange),
        advice.sees(exchange.faces_of(exchange.usable(by_word[acting])), total) if sees else None,
        exchange.raises_of(moment, by_word[acting]) if conflict.phase is Phase.RAISE else (),
    )


def who_acts(moment: Moment) -> str:
    """Return the sheet of the participant whose turn it is; empty while it is nobody's."""
    acting = _participants_to_act(moment)
    return next((one.who for one in moment.conflict.people if one.word == acting), "")


def _participants_to_act(moment: Moment) -> str:
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


# -- panels -------------------------------------------------------------------------------------------------------------

_TITLES = {Side.OURS: "Our side", Side.THEIRS: "Their side"}
_STOPS = {Stop.SEE: "Can't be seen", Stop.BLOCK: "Can't be blocked", Stop.REVERSE: "Can't be reversed"}
_ACTS = {Phase.RAISE: "raises", Phase.SEE: "sees", Phase.FALLOUT: "takes the blow"}


def conflict_panels(moment: Moment) -> Iterator[Panel]:
    """Yield the panels: the raise in the middle, both sides next to each other, then advice and exchange."""
    now = build_conflict_view(moment)
    yield Panel("conflict", "scene", now.stakes or "Conflict", tuple(_middle(now)), (Tag("conflict", Tone.WARN),))
    for side in Side:
        # Whoever acts next is the one that everybody looks for.
        seats = sorted((seat for seat in now.seats if seat.side is side), key=lambda seat: not seat.turn)
        rows = tuple(map(_seat_row, seats))
        if rows:
            acts = _ACTS.get(now.phase)
            turn = tuple(Tag(f"{seat.name} {acts}", Tone.WARN) for seat in seats if seat.turn and acts)
            yield Panel(f"conflict.{side}", "scene", _TITLES[side], rows, turn, beside=side is Side.THEIRS)
    if advice := tuple(_advice(now)):
        yield Panel("conflict.advice", "scene", "The best ways", advice)
    exchange = tuple(
        TextRow(f"conflict.exchange.{number}", entry.name, _sentence(entry.line))
        for number, entry in reversed([*enumerate(now.exchange, 1)])
    )
    if exchange:
        yield Panel("conflict.exchange", "scene", "The exchange (latest first)", exchange, beside=bool(advice))


def _middle(now: ConflictView) -> Iterator[Row]:
    names = {seat.word: seat for seat in now.seats}
    if now.loss:
        yield TextRow("conflict.loss", "On losing", now.loss)
    if now.raised:
        label = f"{names[now.raiser].name} raises"
        yield FacesRow(
            "conflict.raised", label, _dice(now.raised), f"{plus(die.face for die in now.raised)} = {now.total}"
        )
    if now.fallout:
        taker = names[now.taker]
        due = f"{now.fallout} for {taker.name}: {join_names(taker.fallout)}"
        yield TextRow("conflict.fallout", "Fallout due", due, Tone.BAD)
    if len(now.waiting) > 1:
        later = join_names(names[word].name for word in now.waiting[1:])
        yield TextRow("conflict.waiting", "Then sees", later, Tone.DIM)
    if not now.raised:
        yield TextRow("conflict.raised", "Raised", "nothing yet", Tone.DIM)


def _seat_row(seat: Seat) -> FacesRow:
    """Return somebody's dice, with their sums, what a blow would cause, and what they have in play."""
    if not seat.entered:
        return FacesRow(f"conflict.{seat.word}", seat.name, (), f"{seat.rating}, not rolled yet")
    notes = ["gave"] if seat.gave else []
    if len(seat.dice) > 1:
        notes.append(f"best two {sum(seat.best_two)}, all {seat.total}")
    if not seat.gave:
        notes.append(f"a blow {len(seat.fallout)}")
    if seat.in_play:
        notes.append(", ".join(seat.in_play))
    return FacesRow(f"conflict.{seat.word}", seat.name, _dice(seat.dice), " · ".join(notes))


def _dice(dice: Sequence[Lying]) -> tuple[Face, ...]:
    return tuple(Face("kept" if die.kept else "", die.face, die.sides) for die in dice)


# -- the adviser (EG-23) -------------------------------------------------------------------------------------------------


def _advice(now: ConflictView) -> Iterator[Row]:
    """Return the best ways to see, each with the dice that stay; or the raises that prevent something, cheapest first."""
    if now.sees:
        sees = now.sees
        ways = {"Fewest": sees.fewest, "Reverse": sees.reverse, "Block": sees.block, "Blow": sees.blow}
        for label, way in ways.items():
            text = f"{_speech_text(way.dice)}, leaves {_speech_text(way.left)}" if way else "no dice reach it"
            yield TextRow(f"conflict.advice.{label.lower()}", label, text, Tone.PLAIN if way else Tone.DIM)
    elif now.phase is Phase.RAISE:
        for stop, label in _STOPS.items():
            pairs = [_speech_text(offer.way.dice) for offer in now.raises if offer.stops is stop]
            text = ", ".join(pairs) or "none"
            yield TextRow(f"conflict.advice.{stop.name.lower()}", label, text, Tone.PLAIN if pairs else Tone.DIM)


def _speech_text(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "nothing"


# -- the exchange (EG-24) ------------------------------------------------------------------------------------------------


def _sentence(line: ExchangeLine) -> str:
    match line.did:
        case Did.ENTERS | Did.ESCALATES:
            how = f", {line.said.replace('-', ' ')}" if line.said else ""
            rolled = _speech_text(sorted(line.faces, reverse=True))
            return f"{line.did}{how}: {rolled}" if line.faces else f"{line.did}{how}"
        case Did.FALLOUT:
            return f"fallout {_speech_text(line.faces)}: {line.said}"
        case Did.GIVES:
            return "gives"
        case _:
            total = f" = {sum(line.faces)}" if len(line.faces) > 1 else ""
            text = f" “{line.said}”" if line.said else ""
            return f"{line.did}: {plus(line.faces)}{total}{text}"
