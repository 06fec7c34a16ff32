"""What is known before dice are rolled or put forward: exact chances, and what a see will be (EG-12, EG-15, EG-20)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from waylog.rules.moves import Answers, Move
from waylog.rules.odds import Chance, Odds, Spread
from waylog.rules.systems.emissaries import adviser, chances, conflicts, exchange
from waylog.rules.systems.emissaries.blows import none_taken, reasons
from waylog.rules.systems.emissaries.bringing import Throw
from waylog.rules.systems.emissaries.moment import Moment
from waylog.rules.systems.emissaries.naming import plus
from waylog.rules.systems.emissaries.ratings import written
from waylog.rules.systems.emissaries.stages import Conflict, Did, Lying, Phase
from waylog.rules.turns import Note


def odds(moment: Moment, move: Move, given: Answers) -> Odds | None:
    """The chances of dice about to be rolled; what a raise or a see will be; None for any other move. Raises `Refused`."""
    if not isinstance(moment.scene, Conflict):
        return None
    match move.verb:
        case "enter":
            one, throw = conflicts.throw_of(moment, move, given)
            return of_throw(throw, ())
        case "escalate":
            one, throw = exchange.throw_of(moment, given)
            return of_throw(throw, one.pool)
        case "see":
            return of_see(moment, given)
        case "raise" if moment.scene.phase is Phase.RAISE:
            return of_raise(moment, given)
        case _:
            return None


def of_throw(throw: Throw, lie: Sequence[Lying]) -> Odds:
    """What the two best of the dice come to, and all of them together; dice that lie there already count with them."""
    dice = [die.sides for die in throw.dice]
    there = tuple(die.face for die in lie)
    two, everything = chances.best_two(dice, there), chances.total(dice, there)
    words = f"{written(dice) or 'no dice'}: {throw.words}" if throw.words else written(dice) or "no dice"
    means = (
        Note(f"the two best come to {float(chances.average(two)):.1f} on average", "EG-13"),
        Note(f"all together to {float(chances.average(everything)):.1f}", "EG-12"),
    )
    return Odds(words, spread("the two best", two), (spread("all together", everything),), throw.reasons, means)


def spread(label: str, tally: chances.Tally) -> Spread:
    """Chances of sums, as a spread: the lowest first."""
    return Spread(label, tuple(Chance(str(value), str(value), None, chance) for value, chance in tally.items()))


def of_see(moment: Moment, given: Answers) -> Odds:
    """Which of the three a see will be, before it is confirmed, and what it leaves (EG-15). Raises `Refused`."""
    one, forward, stay = exchange.seen(moment, given)
    did, label = exchange.SEEN_AS.get(len(forward), exchange.TAKES)
    faces, total = exchange.faces_of(forward), exchange.raised_total(moment.conflict)
    notes = [Note(f"left: {_faces(exchange.faces_of(stay))}", "EG-23")]
    if did is Did.TAKES:
        notes.insert(0, none_taken(moment, one) or fallout_due(reasons(moment, one)))
    if did is Did.REVERSES:
        notes.insert(0, Note(f"the {faces[0]} is kept for the next raise", "EG-16"))
    words = f"{plus(faces)} = {sum(faces)} against {total}"
    return Odds(words, _certainly(did.value.split()[0], label), forecast=tuple(notes))


def fallout_due(points: Sequence[str]) -> Note:
    """What a blow would be."""
    return Note(f"fallout {len(points)}, for {', '.join(points)}", "EG-20")


def of_raise(moment: Moment, given: Answers) -> Odds:
    """What a raise keeps the other side from doing (EG-23). Raises `Refused`."""
    conflict = moment.conflict
    one, forward, stay = exchange.raised_with(moment, given)
    faces = exchange.faces_of(forward)
    others = [exchange.faces_of(exchange.usable(other)) for other in exchange.opponents(conflict, one)]
    # Seen as a raise of these two dice alone, whatever else lies there.
    (offer,) = adviser.raises(faces, others)
    label = _STOPPED[offer.stops]
    notes = (Note(f"left: {_faces(exchange.faces_of(stay))}", "EG-23"),)
    return Odds(f"{plus(faces)} = {sum(faces)}", _certainly(offer.stops.name.lower(), label), forecast=notes)


_STOPPED = {
    adviser.Stop.NOTHING: "One die could reverse it",
    adviser.Stop.REVERSE: "Can't be reversed",
    adviser.Stop.BLOCK: "Can't be reversed or blocked",
    adviser.Stop.SEE: "Can't be seen at all",
}


def _certainly(outcome: str, label: str) -> Spread:
    return Spread("", (Chance(outcome, label, None, Fraction(1)),))


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, sorted(faces, reverse=True))) or "nothing"
