"""A conflict ends: who has won the stakes, what that clears, who dies of it, and what may come after (EG-18, EG-34, EG-36…EG-38)."""

from __future__ import annotations

from waylog.rules.systems.emissaries.exchange import side_name, winner
from waylog.rules.systems.emissaries.moment import CREW, Moment
from waylog.rules.systems.emissaries.recovery import with_aftermath
from waylog.rules.systems.emissaries.sheet import Row
from waylog.rules.systems.emissaries.stages import Conflict, Phase, Side
from waylog.rules.systems.emissaries.tracks import dying, exists, read, rows_at, with_row
from waylog.rules.turns import Result


def settled(moment: Moment) -> Moment:
    """The same, with a conflict ended that one side has won."""
    conflict = moment.scene
    if not isinstance(conflict, Conflict) or conflict.phase is Phase.GATHER:
        return moment
    won = winner(conflict)
    return ended(moment, conflict, won) if won else moment


def ended(moment: Moment, conflict: Conflict, won: Side) -> Moment:
    """The stakes are won or lost (EG-18). That is none of the four outcomes, and moves no clock."""
    ours = won is Side.OURS
    told = moment.says(f"{side_name(conflict, won)}: the stakes are won. {conflict.stakes}", "EG-18")
    told = told.tells(Result("won", "Won", None) if ours else Result("lost", "Lost", None))
    if conflict.clears and ours:
        told = cleared(told, conflict.clears)
    told = _deaths(told)
    return with_aftermath(_what_may_follow(told, conflict))


def cleared(moment: Moment, text: str) -> Moment:
    """A row is empty again, and only that row (EG-37)."""
    if not exists(moment, text):
        return moment
    at, number = read(text)
    condition = rows_at(moment, at)[0].get(number, Row()).condition
    told = with_row(moment, at, number, Row())
    return told.says(f"{moment.name(at.holder)}: “{condition}” is gone, and its row is clear", "EG-37")


def _deaths(moment: Moment) -> Moment:
    """Who has two full tracks is dead now; the sheet stays in the file (EG-34)."""
    for key, emissary in tuple(moment.crew()):
        if dying(emissary):
            moment = moment.with_emissary(key, dead=True).says(f"{moment.name(f'{CREW}/{key}')} is dead", "EG-34")
    return moment


def _what_may_follow(moment: Moment, conflict: Conflict) -> Moment:
    """Every emissary may get rid of fallout once, wherever they were, and so may the assets that they have (EG-36, EG-38, EG-44).

    Somebody else's asset may when its owner took part.
    """
    owners = {one.who for one in conflict.people} | {""}
    for key, _ in tuple(moment.crew()):
        moment = moment.with_emissary(key, may_recover=True, may_accept=True)
        owners.add(f"{CREW}/{key}")
    for key, asset in moment.sheet.assets.items():
        if moment.owner(asset) in owners:
            moment = moment.with_asset(key, may_recover=True)
    return moment
