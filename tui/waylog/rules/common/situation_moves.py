"""What can be done with situations, and how a roll is asked which of them touch it (NM-19)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from waylog.rules.common.clock_moves import clock_words
from waylog.rules.common.clocks import Clock, WhileRunning, new_key
from waylog.rules.common.situations import Situation, Situations, does, in_force, names_roll, note, title
from waylog.rules.facts import Fact
from waylog.rules.moves import Answers, Move, Option, PickMany, PickOne, Refusal, Text
from waylog.rules.naming import words_for
from waylog.rules.panels import Panel, TextRow, Tone
from waylog.rules.sheets import Fault

VERBS = ("situation",)
_MAKES = {WhileRunning.DESPERATE: "rolls are Desperate", WhileRunning.EXPOSED: "the crew is Exposed"}
_BY_HAND, _WITH, _WITHOUT = "by-hand", "with-", "without-"
_ASK = "situation "
"""What the name of a roll's question about a situation begins with; its key follows."""


def situation_words(situations: Situations, taken: Collection[str] = ()) -> Mapping[str, str]:
    """Keys of situations by the word that is typed for them."""
    return words_for(((key, key) for key in situations), "situation", taken)


def moves(situations: Situations, clocks: Mapping[str, Clock], known: Collection[WhileRunning]) -> tuple[Move, ...]:
    """Set a situation, end one, let one begin again. `known` is what the game has rules for; without any there are none."""
    if not known:
        return ()
    makes = tuple(Option(effect.value, _MAKES[effect]) for effect in known)
    clock_ends = (Option(f"{_WITH}{word}", f"with “{clocks[key].name}”") for word, key in clock_words(clocks).items())
    sight = (Option("open", "visible to players"), Option("hidden", "hidden from players"))
    asks = (
        Text("name", "Name", required=True, reserved=("end", "resume")),
        PickOne("makes", "It makes", makes, makes[0].word),
        Text("rolls", "Which rolls"),
        PickOne("clock", "It ends", (Option(_BY_HAND, "when you end it"), *clock_ends), _BY_HAND),
        PickOne("seen", "Players", sight, "open"),
    )
    found = [Move("situation", (), "Set a situation", asks, effect=True)]
    for word, key in situation_words(situations).items():
        one, about = situations[key], (f"situations.{key}",)
        over = Refusal(f"“{one.name}” is over already", "NM-19") if one.over else None
        on = None if one.over else Refusal(f"“{one.name}” is not over", "NM-19")
        found += [
            Move("situation", ("end", word), f"End “{one.name}”", (), over, about=about, effect=True),
            Move("situation", ("resume", word), f"“{one.name}” begins again", (), on, about=about, effect=True),
        ]
    return tuple(found)


def play(
    situations: Situations, clocks: Mapping[str, Clock], move: Move, answers: Answers
) -> tuple[Situations, tuple[Fact, ...]]:
    """The situations after one of `moves`, and what is told of it."""
    if move.words:
        key = situation_words(situations)[move.words[1]]
        over = move.words[0] == "end"
        one = replace(situations[key], over=over)
        text = f"“{one.name}” is over" if over else f"“{one.name}”: {does(one)}"
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
    return {**situations, key: one}, (note(key, one, f"“{name}”: {does(one)}"),)


# -- rolls -----------------------------------------------------------------------------------------------------------


def on_roll(move: Move, holding: Situations) -> Move:
    """A roll is asked of each situation in force whether it touches the roll: by itself only if it is for all or names it."""
    touching = {key: one for key, one in holding.items() if one.makes in move.heeds}
    if not touching:
        return move
    taken = {option.word for ask in move.asks if isinstance(ask, PickOne | PickMany) for option in ask.options}
    asks = []
    for word, key in situation_words(touching, taken).items():
        one = touching[key]
        yes = Option(f"{_WITH}{word}", one.makes.capitalize())
        no = Option(f"{_WITHOUT}{word}", "not this roll")
        default = yes if names_roll(one, (move.verb, *move.words)) else no
        asks.append(PickOne(f"{_ASK}{key}", title(one), (yes, no), default.word, "NM-19"))
    return replace(move, asks=(*move.asks, *asks))


def without_situations(
    move: Move, answers: Answers, holding: Situations
) -> tuple[Answers, Situations, tuple[Fact, ...]]:
    """The roll's other answers, the situations that touch it, and what is told of those that were switched off for it."""
    rest, touching, off = dict(answers), dict(holding), list[Fact]()
    for ask in move.asks:
        key = ask.name.removeprefix(_ASK)
        if not isinstance(ask, PickOne) or key == ask.name or key not in holding:
            continue
        answer = str(rest.pop(ask.name, ask.default))
        if answer.startswith(_WITHOUT):
            del touching[key]
            if answer != ask.default:
                off.append(note(key, holding[key], f"{title(holding[key])} does not touch this roll"))
    return rest, touching, tuple(off)


# -- what is shown and checked ---------------------------------------------------------------------------------------


def panel(situations: Situations, clocks: Mapping[str, Clock], known: Collection[WhileRunning]) -> Iterator[Panel]:
    """What is in force, beside the ship; nothing where nothing is. Rows and a panel that players may not see say so."""
    holding = in_force(situations, clocks, known)
    rows = tuple(
        TextRow(f"situations.{key}", one.name, f"{does(one)}{_until(one, clocks)}", Tone.WARN, secret=not one.seen)
        for key, one in holding.items()
    )
    if rows:
        yield Panel("situations", "ship", "Situations", rows, secret=all(row.secret for row in rows))


def _until(one: Situation, clocks: Mapping[str, Clock]) -> str:
    """With which clock it ends, if that is a clock which may be named to everybody who sees the situation."""
    clock = clocks.get(one.clock)
    return f", while the clock “{clock.name}” runs" if clock and (clock.seen or not one.seen) else ""


def faults(situations: Situations, clocks: Mapping[str, Clock], known: Collection[WhileRunning]) -> Iterator[Fault]:
    """What of the situations means nothing: what this game has no rule for, and a clock that there is none of."""
    for key, one in situations.items():
        path = ("situations", key)
        if one.makes not in known:
            instead = f": say {' or '.join(known)}" if known else "; leave the situation out"
            message = f"makes is {one.makes}, and this game has no rule for it{instead}"
            yield Fault((*path, "makes"), message, "NM-19", grave=False)
        if one.clock and one.clock not in clocks:
            message = f"there is no clock “{one.clock[:40]}” that the situation could end with"
            yield Fault((*path, "clock"), message, "NM-19", grave=False)
