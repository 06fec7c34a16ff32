"""The moves for situations, and the question on each roll: which situations affect it (NM-19)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import words_in_order
from waylog.rules.common.clock_moves import clock_words
from waylog.rules.model.clocks_situations_and_timers import (
    Clock,
    Situation,
    Situations,
    WhileRunning,
    does,
    in_force,
    names_roll,
    new_key,
    note,
    title,
)
from waylog.rules.model.facts import Fact
from waylog.rules.model.moves import Answers, Ask, Move, Option, PickMany, PickOne, Refusal, Text
from waylog.rules.model.panels import Panel, TextRow, Tone
from waylog.values import replace

VERBS = ("situation",)
_MAKES = {WhileRunning.DESPERATE: "rolls are Desperate", WhileRunning.EXPOSED: "the crew is Exposed"}
_BY_HAND, _WITH, _WITHOUT = "by-hand", "with-", "without-"
_ASK = "situation "
"""The names of these questions begin with this; the situation's key follows."""


def situation_words(situations: Situations, taken: Collection[str] = ()) -> Mapping[str, str]:
    """Return the keys of situations by the word to type for each."""
    return words_in_order(situations, [key for key, one in situations.items() if one.seen], "situation", taken)


def moves(situations: Situations, clocks: Mapping[str, Clock], known: Collection[WhileRunning]) -> tuple[Move, ...]:
    """Return the moves that set, end and renew situations. `known` lists the effects that the game has rules for; if
    empty, there are no moves.
    """
    if not known:
        return ()
    makes = tuple(Option(effect.value, _MAKES[effect]) for effect in known)
    clock_ends = (Option(f"{_WITH}{word}", f"with “{clocks[key].name}”") for word, key in clock_words(clocks).items())
    sight = (Option("open", "visible to players"), Option("hidden", "hidden from players"))
    asks = (
        Text("name", "Name", required=True, reserved=("end", "resume")),
        PickOne("makes", "It makes", makes, makes[0].word, "NM-19"),
        Text("rolls", "Applies to"),
        PickOne("clock", "Ends", (Option(_BY_HAND, "when you end it"), *clock_ends), _BY_HAND, "NM-19"),
        PickOne("seen", "Players", sight, "open", "NM-19"),
    )
    found = [Move("situation", (), "Set a situation", asks, effect=True)]
    for word, key in situation_words(situations).items():
        one, about = situations[key], (f"situations.{key}",)
        over = Refusal(f"“{one.name}” has already ended", "NM-19") if one.over else None
        on = None if one.over else Refusal(f"“{one.name}” has not ended", "NM-19")
        found += [
            Move("situation", ("end", word), f"End “{one.name}”", (), over, about=about, effect=True),
            Move("situation", ("resume", word), f"Resume “{one.name}”", (), on, about=about, effect=True),
        ]
    return tuple(found)


def play(
    situations: Situations, clocks: Mapping[str, Clock], move: Move, answers: Answers
) -> tuple[Situations, tuple[Fact, ...]]:
    """Play one of `moves`: return the situations and the facts."""
    if move.words:
        key = situation_words(situations)[move.words[1]]
        over = move.words[0] == "end"
        one = replace(situations[key], over=over)
        text = f"“{one.name}” ends" if over else f"Situation “{one.name}” resumed: {does(one)}"
        return {**situations, key: one}, (note(key, one, text),)
    name, ends = str(answers["name"]).strip(), str(answers["clock"])
    one = Situation(
        name,
        WhileRunning(str(answers["makes"])),
        str(answers["rolls"]).strip(),
        "" if ends == _BY_HAND else clock_words(clocks)[ends.removeprefix(_WITH)],
        seen=answers["seen"] == "open",
    )
    key = new_key(name, situations)
    return {**situations, key: one}, (note(key, one, f"New situation “{name}”: {does(one)}"),)


# -- rolls -----------------------------------------------------------------------------------------------------------


def on_roll(move: Move, holding: Situations) -> Move:
    """Add a question to a roll for each situation in force. The default is yes if it affects all rolls or names this
    one.
    """
    touching = {key: one for key, one in holding.items() if one.makes in move.heeds}
    if not touching:
        return move
    taken = {option.word for ask in move.asks if isinstance(ask, PickOne | PickMany) for option in ask.options}
    asks = []
    for word, key in situation_words(touching, taken).items():
        one = touching[key]
        about = (f"situations.{key}",)
        yes = Option(f"{_WITH}{word}", one.makes.capitalize(), paths=about)
        no = Option(f"{_WITHOUT}{word}", "not this roll", paths=about)
        default = yes if names_roll(one, (move.verb, *move.words)) else no
        asks.append(PickOne(f"{_ASK}{key}", title(one), (yes, no), default.word, "NM-19"))
    return replace(move, asks=(*move.asks, *asks))


def is_about_situation(ask: Ask) -> bool:
    """Whether an ask is one that `on_roll` adds."""
    return ask.name.startswith(_ASK)


def without_situations(
    move: Move, answers: Answers, holding: Situations
) -> tuple[Answers, Situations, tuple[Fact, ...]]:
    """Split the answers to a roll: the game's own answers, the situations that affect it, and notes on those that were
    switched off.
    """
    rest, touching, off = dict(answers), dict(holding), list[Fact]()
    for ask in move.asks:
        key = ask.name.removeprefix(_ASK)
        if not isinstance(ask, PickOne) or key == ask.name or key not in holding:
            continue
        answer = str(rest.pop(ask.name, ask.default))
        if answer.startswith(_WITHOUT):
            del touching[key]
            if answer != ask.default:
                off.append(note(key, holding[key], f"{title(holding[key])} does not affect this roll"))
    return rest, touching, tuple(off)


# -- what is shown and checked ---------------------------------------------------------------------------------------


def panel(situations: Situations, clocks: Mapping[str, Clock], known: Collection[WhileRunning]) -> Iterator[Panel]:
    """Yield a panel of the situations in force, if any, beside the ship. Hidden ones are marked secret."""
    rows = list[TextRow]()
    for key, one in in_force(situations, clocks, known).items():
        # The clock that it ends with is named if everyone who sees the situation may see that clock.
        clock = clocks.get(one.clock)
        until = f" while the clock “{clock.name}” runs" if clock and (clock.seen or not one.seen) else ""
        rows.append(TextRow(f"situations.{key}", one.name, f"{does(one)}{until}", Tone.WARN, secret=not one.seen))
    if rows:
        yield Panel("situations", "ship", "Situations", tuple(rows), secret=all(row.secret for row in rows))


def faults(situations: Situations, clocks: Mapping[str, Clock], known: Collection[WhileRunning]) -> Iterator[Fault]:
    """Yield faults: an effect that this game has no rule for, or a clock that doesn't exist."""
    for key, one in situations.items():
        path = ("situations", key)
        if one.makes not in known:
            instead = f": use {' or '.join(known)}" if known else ". Leave the situation out"
            message = f"`makes` can't be {one.makes}, because this game has no rule for it{instead}"
            yield Fault((*path, "makes"), message, "NM-19", grave=False)
        if one.clock and one.clock not in clocks:
            message = f"the situation ends with the clock “{one.clock[:40]}”, which doesn't exist"
            yield Fault((*path, "clock"), message, "NM-19", grave=False)
