"""The outline of a game: how each of its moves is offered, what it asks, what a roll comes to, and what the panels show.

One file a game lies in `outlines/`. Everything that a game offers or shows in any test of the rules has to stand there, so that
a move that is no longer an effect, has lost its key or its row, or is refused without a clause is noticed. A move that is new
gets a line of its own; the error says which. A line of a move is its flags, and behind a dot the rows where it is offered. `*`
stands for one key, `+` for as many such rows as there are. A game that is `like` another has what its own file doesn't say.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from waylog.rules.common import clock_and_situation_moves, deck_moves, random_tables, seen_by_some_players
from waylog.rules.model import players_and_permissions
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact
from waylog.rules.model.moves import Allocate, Ask, Move, Number, PickMany, PickOne, Text
from waylog.rules.model.panels import MarkRow, Panel, Row, TextRow, Tone

FOLDER = Path(__file__).parent / "outlines"
BESIDE = {"clocks", "decks", "kept", "situations", "tables", "timers"}
"""What every game has, and no game describes."""
COMMON = {
    *clock_and_situation_moves.VERBS, *deck_moves.VERBS, *random_tables.VERBS, *clock_and_situation_moves.SITUATION_VERBS, *players_and_permissions.VERBS,
    *seen_by_some_players.VERBS,
    "call", "dice", "effect", "misread", "note", "on", "open", "overrule", "prep", "rest", "reveal", "reword", "ruling", "scene", "secret", "session", "set", "timer",
}  # fmt: skip
"""Verbs of moves that every game has."""
FLAGS = ("rolls", "follows", "apart", "anytime", "effect", "whole")


class NotInOutlineError(AssertionError):
    """A game offers or shows something that its outline doesn't have."""

    def __init__(self, game: str, part: str, name: str, line: str) -> None:
        super().__init__(f'outlines/{game}.toml lacks, in [{part}]: "{name}" = ["{line}"]')


@cache
def games() -> tuple[str, ...]:
    """The ids of the games that have an outline."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def _outline(game: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    own: dict[str, Any] = tomllib.loads((FOLDER / f"{game}.toml").read_text("utf-8"))
    if like := own.pop("like", ""):
        other = _outline(like)
        return {part: {**other.get(part, {}), **own.get(part, {})} for part in {**other, **own}}
    return own


def check_moves(game: str, moves: Iterable[Move]) -> None:
    """Each of a game's own moves is offered as its outline says, asks for what stands there, and is blocked by a clause."""
    for move in moves:
        if move.verb in COMMON or (move.called and not move.rolls) or _is_beside(move.about):
            continue
        _check(game, "moves", move.verb, _line_of_move(move), move.about)
        for ask in move.asks:
            if ask.name != "on" and not ask.name.startswith("situation "):
                name = f"{move.verb} {ask.name}"
                _check(game, "asks", name, _line_of_ask(ask))
                for option in ask.options if isinstance(ask, PickOne | PickMany) else ():
                    of_option = "overrules" if option.overrules else "noted" if option.note else "plain"
                    _check(game, "options", name, of_option)


def check_panels(game: str, panels: Iterable[Panel]) -> None:
    """Each of a game's own panels is in its place, with rows of the keys and kinds, and states, that its outline has."""
    for panel in panels:
        if panel.key in BESIDE:
            continue
        flags = [flag for flag in ("secret", "beside") if getattr(panel, flag)]
        _check(game, "panels", panel.key, " ".join((panel.place, *flags)))
        for tag in panel.tags:
            _check(game, "tags", panel.key, tag.tone)
        for row in panel.rows:
            _check(game, "rows", row.key, _line_of_row(row))


def check_facts(game: str, verb: str, facts: Iterable[Fact]) -> None:
    """A roll comes to an outcome of the game, and what follows of a game's own move is told with its clause."""
    for fact in facts:
        if isinstance(fact, OutcomeFact):
            _check(
                game, "outcomes", fact.outcome, " ".join((fact.label, fact.mood or "-", *["named"] * bool(fact.who)))
            )
        if isinstance(fact, NoteFact) and fact.clause is None and verb not in COMMON:
            _check(game, "notes", verb, "without a clause")


def _is_beside(about: Sequence[str]) -> bool:
    return bool(about) and about[0].partition(".")[0] in BESIDE


def _line_of_move(move: Move) -> str:
    parts = [flag for flag in FLAGS if getattr(move, flag)]
    parts += ["key"] if move.key else []
    parts += [f"heeds {'+'.join(move.heeds)}"] if move.heeds else []
    parts += [f"offer {move.offer}"] if move.offer else []
    return " ".join(parts)


def _line_of_ask(ask: Ask) -> str:
    return " ".join(_words_of_ask(ask))


def _words_of_ask(ask: Ask) -> Iterator[str]:
    match ask:
        case PickOne():
            yield "one"
            yield from ["default"] * (ask.default is not None)
            yield from ["logged"] * ask.logged
            yield from [ask.clause] if ask.clause else []
            yield from ["costs"] * any(option.costs for option in ask.options)
        case PickMany():
            yield f"many from {ask.least}"
            yield from ["limited"] * (ask.most < 99)
            yield from ["repeats"] * ask.repeats
            yield from [ask.clause] if ask.clause else []
            yield from ["costs"] * any(option.costs for option in ask.options)
        case Allocate():
            yield "dice"
            yield from [ask.clause] if ask.clause else []
        case Number():
            yield f"number from {ask.least}" if ask.least >= 0 else "number from below 0"
            yield from ["default"] * (ask.default is not None)
            yield from ["overrules"] * ask.overrules
        case Text():
            yield "text"
            yield from ["required"] * ask.required
            yield from [ask.word] if ask.word else []


def _line_of_row(row: Row) -> str:
    return " ".join((type(row).__name__.removesuffix("Row").lower(), *_words_of_row(row)))


def _words_of_row(row: Row) -> Iterator[str]:
    if isinstance(row, TextRow):
        yield from [row.tone] if row.tone is not Tone.PLAIN else []
        yield from ["secret"] * row.secret
        return
    if isinstance(row, MarkRow):
        yield f"{row.state} {'+' if row.held else '-'}"
    if row.note or row.about:
        yield "noted"


def _check(game: str, part: str, name: str, line: str, about: tuple[str, ...] = ()) -> None:
    """Raise `NotInOutlineError` unless the outline has the line for that name, with these rows."""
    if not _is_listed(game, part, name, line, about):
        raise NotInOutlineError(game, part, name, " · ".join((line, " ".join(about))) if about else line)


@cache
def _is_listed(game: str, part: str, name: str, line: str, about: tuple[str, ...]) -> bool:
    listed = (lines for pattern, lines in _outline(game).get(part, {}).items() if _fits(pattern, name))
    return any(_is_line(one, line, about) for lines in listed for one in lines)


def _is_line(listed: str, line: str, about: Sequence[str]) -> bool:
    said, _, rows = listed.partition("·")
    return said.strip() == line and _rows_fit(rows.split(), about)


def _rows_fit(patterns: Sequence[str], rows: Sequence[str]) -> bool:
    one_by_one = (f"(?:{_regex(pattern.removesuffix('+'))}\n){'+' * pattern.endswith('+')}" for pattern in patterns)
    return re.fullmatch("".join(one_by_one), "".join(f"{row}\n" for row in rows)) is not None


def _fits(pattern: str, name: str) -> bool:
    return re.fullmatch(_regex(pattern), name) is not None


def _regex(pattern: str) -> str:
    return r"[^.\n]+".join(map(re.escape, pattern.split("*")))
