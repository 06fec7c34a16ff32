"""What a transcript shows, act by act and in full: `make records` writes it to `transcripts/records/`, and a test compares it.

A transcript says what an act comes to. Its record says the rest: every word of what was told, and to whom; the chances before the
roll; and what is offered and shown from then on that was not before. A person reads the difference when a record changes.

An act that is only a line, without what it comes to, is held by its record alone. In a transcript that is `apart`, each act is played
from the beginning.

A record is of its transcript's clauses, so it has only the moves with the verbs that the transcript says, or names in `looks`. Of the
panels it has what each act changes, and from the beginning on those that `looks` names: `looks = ["raise", "conflict.*"]`.

    > see 6                                          what was said
      chances …                                      before a roll
      told "…" (EG-16) secret                        a fact
      crew.mara.focus = 1                            a value of the campaign file that is another now
      refused "…" (EG-17)
      asks "…"                                       the question that is open now
    - raise                                          a move, a panel or a row that is no longer there
    + raise: "Raise"                                 a move, what it asks, or a row, that is new or another now
    + raise › dice: many "Two dice" of: 5 6
        5: "5" blocked=…                             an answer to it
    = give                                           a move that is there again as it was
    = raise › said dice/2                            what a move asks, as the same was asked before; or as in “asked often”
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.file_games import game_of
from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import format_path
from waylog.rules.codec.records import read
from waylog.rules.common.random_tables import RandomTable
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import Dice, DiceWanted, Die, Face
from waylog.rules.model.facts import NoteFact, OutcomeFact, RollFact
from waylog.rules.model.moves import Act, ActRefused, Allocate, Move, Number, PickMany, PickOne, Refusal, Text
from waylog.rules.model.odds import Chance, Ratio, Spread
from waylog.rules.model.panels import Panel, Tag
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import names, system

TRANSCRIPTS = Path(__file__).parent / "transcripts"
RECORDS = TRANSCRIPTS / "records"
OFTEN = "asked often"
"""The part of a file of records that has what several of them ask."""
Block = Mapping[str, Mapping[str, str]]
"""A move or a panel: the lines of each thing that it asks, or of each of its rows, by what they are of."""
KINDS: Mapping[type, str] = {
    PickOne: "one",
    PickMany: "many",
    Allocate: "dice",
    Number: "number",
    Text: "text",
    RollFact: "rolled",
    OutcomeFact: "result",
    NoteFact: "told",
}


class NoDice:
    """A transcript types every die: the app rolls none."""

    are_real = False

    def roll(self, dice: tuple[Die, ...]) -> tuple[Face, ...]:
        """Raises `DiceWanted`: the transcript forgot a die."""
        raise DiceWanted(dice)


NO_DICE: Dice = NoDice()  # type: ignore[assignment]


def game_and_state(script: Mapping[str, Any]) -> tuple[Game, State, Sequence[Fault]]:
    """The game of a transcript, and its campaign as it is at the beginning, with what is wrong in the file.

    One that is `fresh` has been made a moment ago; any other has what the transcript has `given`.
    """
    name = script["system"]
    tables = {key: read(RandomTable, table)[0] for key, table in script.get("tables", {}).items()}
    game = Game(system(name) if name in names() else game_of(name), tables)
    if script.get("fresh"):
        return game, game.fresh("Trial"), ()
    return game, *game.read({"name": "Trial", **script.get("given", {})})


@dataclass(frozen=True)
class Step:
    """One act of a transcript, or its beginning: what was offered, what it brought, and where the game stands then."""

    state: State
    moves: Sequence[Move]
    """What may be done then."""
    said: str = ""
    lines: Sequence[str] = ()
    meant: str = ""
    """The id of the move that the act means, also if it is refused."""
    played: PlayResult | None = None
    refusal: Refusal | None = None


def play(game: Game, script: Mapping[str, Any], state: State) -> list[Step]:
    """The beginning of a transcript, and each of its acts."""
    steps = [Step(state, game.moves(state))]
    for act in script["act"]:
        before = steps[0 if script.get("apart") else -1]
        steps.append(_step(game, before, act if isinstance(act, str) else act["say"]))
    return steps


def _step(game: Game, before: Step, text: str) -> Step:
    lines, state = list[str](), before.state
    try:
        said = parse_act(before.moves, text)
        lines += _odds(game, state, said)
        played = game.play(state, said, NO_DICE)
    except ActRefused as refused:
        begins = (move.id for move in before.moves if f"{text} ".startswith(f"{move.id} "))
        lines.append(f"refused {_value(refused.refusal)}")
        meant = max(begins, key=len, default="")
        return Step(state, before.moves, text, lines, meant, refusal=refused.refusal)
    lines += [f"{KINDS[type(fact)]} {_words(fact)}" for fact in played.facts]
    changes = game.difference(state, played.state)
    lines += [f"{format_path(change.path)} = {_value(change.after)}" for change in changes]
    if question := game.question(played.state):
        lines.append(f"asks {_value(question)}")
    return Step(played.state, game.moves(played.state), text, lines, said.move.id, played)


def record(
    game: Game, script: Mapping[str, Any], faults: Sequence[Fault], steps: Sequence[Step], known: Shown
) -> Iterator[str]:
    """All that a transcript shows, line by line."""
    looks = {*script.get("looks", ()), *(step.meant for step in steps)}
    yield from (f"  fault {_path(fault.path)}: {_words(fault, ('path',))}" for fault in faults if script.get("faulty"))
    for key, found in game.table_faults(steps[0].state).items():
        yield from (f"  fault of table {key}: {_path(fault.path)}: {_words(fault, ('path',))}" for fault in found)
    shown = sight(game, steps[0], looks)
    # Of the panels, a record begins with those that the transcript looks at.
    there = {name: block for name, block in shown.items() if not name.startswith("[") or _is_among(name[1:-1], looks)}
    yield from difference({}, there, known)
    for before, step in pairwise(steps):
        now = shown if step.state is before.state else sight(game, step, looks)
        yield from (f"> {step.said}", *(f"  {line}" for line in step.lines), *difference(shown, now, known))
        shown = shown if script.get("apart") else now


@dataclass
class Shown:
    """What a record has shown so far, so that nothing stands in it twice."""

    often: Mapping[str, str]
    """The names of what is asked in several transcripts of the file, by its text."""
    blocks: dict[str, Block] = field(default_factory=dict)
    asks: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """What was asked last under that name, by any move."""
    in_full: list[tuple[str, str]] = field(default_factory=list)
    """The name and the text of each thing asked that stands in this record in full."""


def difference(before: Mapping[str, Block], after: Mapping[str, Block], known: Shown) -> Iterator[str]:
    """What is no longer there, what is there as it was before, and the lines that are new."""
    yield from (f"- {name}" for name in before if name not in after)
    for name, block in after.items():
        then = before.get(name)
        if then is None and known.blocks.get(name) == block:
            yield f"= {name}"
            continue
        known.blocks[name] = block
        same = list[str]()
        for part, lines in block.items():
            was = None if then is None else then.get(part)
            if was == lines:
                continue
            if was is None and part and not name.startswith("["):
                was, known.asks[part] = known.asks.get(part), lines
                if was == lines or (text := ask_text(lines)) in known.often:
                    same.append(part if was == lines else known.often[text])
                    continue
                known.in_full += [(part, text)] * (was is None)
            title = f"+ {name} › {part}".removesuffix(" › ")
            new = {word: text for word, text in lines.items() if (was or {}).get(word) != text}
            yield f"{title}: {new.pop('')}" if "" in new else title
            yield from (f"    {word}: {text}" for word, text in new.items())
        if same:
            yield f"= {name} › {' '.join(same)}"
        yield from (f"- {name} › {part}" for part in then or () if part not in block)


def ask_text(lines: Mapping[str, str]) -> str:
    """What is asked, and a line for each answer."""
    return "\n".join(f"    {word}: {text}" if word else text for word, text in lines.items())


def sight(game: Game, step: Step, looks: Collection[str]) -> Mapping[str, Block]:
    """The moves with these verbs or ids, and all panels."""
    moves = {move.id: dict(_move(move)) for move in step.moves if move.verb in looks or move.id in looks}
    return moves | {f"[{panel.key}]": dict(_panel(panel)) for panel in game.panels(step.state)}


def _is_among(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _move(move: Move) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield "", {"": _words(move, ("verb", "words", "asks"))}
    for ask in move.asks:
        kind, skipped = KINDS[type(ask)], ("name", "options", "slots")
        if isinstance(ask, PickOne | PickMany):
            inside = " ".join(option.word for option in ask.options)
            options = {option.word: _words(option, ("word",)) for option in ask.options}
            yield ask.name, {"": f"{kind} {_words(ask, skipped)} of: {inside}", **options}
        else:
            slots = ask.slots if isinstance(ask, Allocate) else ()
            yield (
                ask.name,
                {"": f"{kind} {_words(ask, skipped)}", **{slot.word: _words(slot, ("word",)) for slot in slots}},
            )


def _panel(panel: Panel) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield "", {"": _words(panel, ("key", "rows"))}
    yield from ((row.key, {"": f"{row.TAG} {_words(row, ('key',))}"}) for row in panel.rows)


def _odds(game: Game, state: State, said: Act) -> Iterator[str]:
    try:
        odds = game.odds(state, said.move, complete_answers(said.move, said.answers))
    except ActRefused:  # Playing it says why.
        return
    if odds is None:
        return
    yield f"chances with {odds.dice}: {_spread(odds.spread)}"
    yield from (f"chances {spend.label}: {_spread(spend)}" for spend in odds.spends)
    yield from (f"because {_words(note)}" for note in odds.reasons)
    yield from (f"would be {_words(note)}" for note in odds.forecast)


def _spread(spread: Spread) -> str:
    return ", ".join(f"{_outcome(one)} {one.chance}" for one in spread.chances)


def _outcome(one: Chance) -> str:
    """The label of an outcome, and its word if that is another one."""
    return one.label if one.label.lower() == one.outcome else f"{one.label} ({one.outcome})"


# -- values in words ----------------------------------------------------------------------------------------------


def _words(value: Any, skipped: Collection[str] = ()) -> str:
    """The fields of a value: those that it always has as they are, the others by name unless they are as usual."""
    found = []
    for name, usual in _fields(value.__class__):
        there = getattr(value, name)
        if name in skipped or (usual is not MISSING and there == usual):
            continue
        if name == "clause":
            found.append(f"({there})")
        elif there is True:
            found.append(name)
        elif usual is MISSING and not isinstance(there, bool | int) and there is not None:
            found.append(_value(there))
        else:
            found.append(f"{name}={_value(there)}")
    return " ".join(found)


_quoted = json.JSONEncoder(ensure_ascii=False).encode


@cache
def _fields(kind: Hashable) -> Sequence[tuple[str, Any]]:
    assert isinstance(kind, type)
    return [
        (one.name, one.default_factory() if one.default_factory is not MISSING else one.default)
        for one in fields(kind)
        if one.repr
    ]


def _value(value: Any) -> str:
    match value:
        case bool() | None | int() | Ratio():
            return str(value).lower()
        case str():
            return _quoted(str(value))
        case Face():
            dropped = " dropped" * value.dropped
            return f"{value.source} {value.face}/{value.sides}{dropped}"
        case Refusal() | Tag():
            return _words(value)
        case Mapping():
            return f"{{{', '.join(f'{key} = {_value(one)}' for key, one in value.items())}}}"
        case tuple() | list():
            return f"[{', '.join(map(_value, value))}]"
        case _ if is_dataclass(value):
            return f"({_words(value)})"
        case _:
            return str(value)


def _path(path: Sequence[str | int]) -> str:
    return ".".join(map(str, path))


# -- the files ----------------------------------------------------------------------------------------------------


def scripts(file: Path) -> Sequence[Mapping[str, Any]]:
    """The transcripts of a file."""
    found: Sequence[Mapping[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["transcript"]
    return found


@cache
def records(file: Path) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The records of a file of transcripts by title; and what several of them ask, its name by its text."""
    kept = RECORDS / file.name
    found = tomllib.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    often = {text.removesuffix("\n"): name for name, text in found.pop(OFTEN, {}).items()}
    return found, often


def record_of(script: Mapping[str, Any], often: Mapping[str, str]) -> tuple[str, Shown]:
    """The record of a transcript, and what it shows."""
    game, state, faults = game_and_state(script)
    known = Shown(often)
    lines = record(game, script, faults, play(game, script, state), known)
    return "".join(f"{line}\n" for line in lines), known


def asked_often(file: Path) -> Mapping[str, str]:
    """What is asked in more than one transcript of a file: its name, such as `call` or `call/2`, by its text."""
    counts = Counter(one for script in scripts(file) for one in dict.fromkeys(record_of(script, {})[1].in_full))
    often, numbers = dict[str, str](), Counter[str]()
    for (name, text), count in counts.items():
        if count > 1 and "\n" in text and text not in often:
            numbers[name] += 1
            often[text] = f"{name}/{numbers[name]}" if numbers[name] > 1 else name
    return often


def write_records() -> None:
    """Make the records anew."""
    RECORDS.mkdir(exist_ok=True)
    for file in sorted(TRANSCRIPTS.glob("*.toml")):
        often = asked_often(file)
        text = f"# What the transcripts of {file.name} show. Written by `make records`; see tests/rules/records.py.\n"
        for script in scripts(file):
            text += f"\n{_value(script['title'])} = '''\n{record_of(script, often)[0]}'''\n"
        text += f"\n[{_value(OFTEN)}]\n" * bool(often)
        text += "".join(f"{_value(name)} = '''\n{block}\n'''\n" for block, name in often.items())
        (RECORDS / file.name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_records()
