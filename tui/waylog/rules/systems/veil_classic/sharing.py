"""Helpers share the risk: whom the consequence of a roll falls on (VC-06)."""

from __future__ import annotations

from dataclasses import replace

from waylog.rules.moves import Move
from waylog.rules.naming import listed
from waylog.rules.systems.veil_classic.pools import Pool
from waylog.rules.systems.veil_classic.stages import Consequence, Inner, Sharing
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.naming import ALL, crew_letters, crew_words, who_is
from waylog.rules.turns import Mood, Turn


def after_roll(moment: Moment, pool: Pool, outcome: Mood) -> Moment:
    """The roll had helpers, and may have a consequence: it is asked for once its dice are dealt with."""
    if not pool.helpers or moment.rules.helpers_risk == "roller":
        return moment
    if moment.stage is None and outcome is Mood.SUCCESS:
        return moment
    who = (pool.who, *(helper.who for helper in pool.helpers))
    return moment.then(Sharing(who, moment.stage))


def at_risk(moment: Moment, sharing: Sharing) -> tuple[str, ...]:
    """Those who are still in the crew."""
    return tuple(who for who in sharing.who if who in moment.crew())


def go_on(sharing: Sharing, turn: Turn) -> Turn:
    """The turn of what came before the question, with the question still to come.

    A consequence that was told falls on someone before the dice are placed; of none that was told nothing is asked.
    """
    inner: Inner = turn.position.scene
    told = isinstance(sharing.inner, Consequence)
    if told and not turn.facts:
        return turn
    return replace(turn, position=replace(turn.position, scene=replace(sharing, inner=inner, told=told)))


def question(moment: Moment, sharing: Sharing) -> str:
    """Whom it falls on."""
    names = listed((moment.name(who) for who in at_risk(moment, sharing)), "or")
    return f"Whom does the consequence fall on: {names}?"


def answers(moment: Moment, sharing: Sharing) -> tuple[Move, ...]:
    """`falls joss`, `falls all`; and `spare`, where no consequence has been told."""
    able, letters = at_risk(moment, sharing), crew_letters(moment)
    each = tuple(
        Move("falls", (word,), f"It falls on {moment.name(key)}", about=(f"crew.{key}",), key=letters[key])
        for word, key in crew_words(moment).items()
        if key in able
    )
    everyone = (Move("falls", (ALL,), "It falls on all of them", about=("crew",)),) if len(able) > 1 else ()
    nothing = () if sharing.told else (Move("spare", (), "There is no consequence", about=("crew",)),)
    return (*each, *everyone, *nothing)


def answer(moment: Moment, sharing: Sharing, move: Move) -> Moment:
    """It is said whom it falls on, and what was still open goes on."""
    if move.verb == "spare":
        return moment.says("No consequence", "VC-06")
    able = at_risk(moment, sharing)
    named = able if move.words[0] == ALL else (who_is(moment, move.words[0]),)
    return moment.says(f"The consequence falls on {listed(moment.name(who) for who in named)}", "VC-06")
