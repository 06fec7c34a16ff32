"""The command `help`: explains a word, whether it is a command of the shell, an action of the game, or in the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

from waylog.cli.about import find_system
from waylog.cli.arguments import COMMANDS, DEFAULT_SYSTEM, Arguments, Subcommand, help_of, help_of_all
from waylog.cli.errors import FAILURES
from waylog.cli.open_table import table_in
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment
from waylog.cli.rules import rule_data, rule_lines
from waylog.cli.text_or_json import json_output, text_output
from waylog.rules.game import Game
from waylog.rules.moves import Move
from waylog.rules.reference import Reference
from waylog.values import dataclass

_MOST_RULES = 8
_MOST_NEAR = 3


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """What can be explained: the actions and the rules of a campaign, or of a game."""

    where: str
    """The name of the campaign or of the game."""
    moves: Sequence[Move]
    reference: Reference


def help_(args: Arguments, desk: Environment) -> CommandResult:
    """Explain a word, in the campaign that was opened last, or else in a game; without a word, list all commands."""
    if not args.words:
        return CommandResult(help_of_all, lambda: {"ok": True, "commands": {one.name: one.about for one in COMMANDS}})
    words = " ".join(args.words)
    command = next((one for one in COMMANDS if one.name == words), None)
    known = _knowledge(args, desk)
    moves = [move for move in known.moves if words in (move.verb, move.id)]
    exact = known.reference.find(words)
    # The rules of an action are those that its game names: their text needn't have the action's word.
    about = known.reference.about(*(move.id for move in moves))
    rules = (exact,) if exact else about or _rules_about(words, known.reference)
    if not (command or moves or rules):
        raise CommandFailed(f"there is no help for “{words}”{_near(words, known)}", USAGE)
    return CommandResult(
        lambda: _lines(words, command, moves, rules, known), lambda: _data(command, moves, rules, known)
    )


def _rules_about(words: str, reference: Reference) -> Sequence[str]:
    """Return the rules with the words in their titles. If there are none, return those about the action of that name, which may
    not be possible now, or else those with the words in their text.
    """
    found = reference.search(words)
    if any(words.casefold() in reference.clauses[id_].title.casefold() for id_ in found):
        return found
    return reference.about(words) or found


def _knowledge(args: Arguments, desk: Environment) -> _Knowledge:
    folder = desk.places.last()
    if folder and "--system" not in args.options:
        with suppress(*FAILURES):  # A campaign that can't be read can't explain anything; its game still can.
            snapshot = table_in(folder, desk).snapshot
            return _Knowledge(snapshot.name, snapshot.moves, snapshot.reference)
    game = Game(find_system(args.options.get("--system", DEFAULT_SYSTEM)))
    state = game.fresh("")
    return _Knowledge(game.system.name, game.moves(state), game.reference(state))


def _lines(
    words: str, command: Subcommand | None, moves: Sequence[Move], rules: Sequence[str], known: _Knowledge
) -> Iterator[str]:
    parts = []
    if command:
        parts.append([*help_of(command)])
    if moves:
        parts.append([f"Actions in {known.where}", *text_output.indent(text_output.moves(moves))])
    if len(rules) == 1:
        parts.append([*rule_lines(known.reference, rules[0])])
    elif rules:
        titles = [(id_, known.reference.clauses[id_].title) for id_ in rules[:_MOST_RULES]]
        matching, all_of_them = f"have “{words}” in them", f"`waylog rule {words}` shows all of them in full"
        if known.reference.about(*(move.id for move in moves)):
            matching, all_of_them = f"are about “{words}”", f"`waylog rule {rules[0]}` shows the first in full"
        more = f"{len(rules)} rules {matching}; {all_of_them}"
        parts.append([more, *text_output.indent(text_output.columns(titles))])
    for number, part in enumerate(parts):
        yield from (["", *part] if number else part)


def _data(
    command: Subcommand | None, moves: Sequence[Move], rules: Sequence[str], known: _Knowledge
) -> Mapping[str, Any]:
    return {
        "ok": True,
        "command": command and {"name": command.name, "usage": command.usage, "about": command.about},
        "moves": [json_output.move(move) for move in moves],
        "rules": [rule_data(known.reference, id_) for id_ in rules],
    }


def _near(words: str, known: _Knowledge) -> str:
    """Return the words nearest to one that nothing has, as the end of a sentence."""
    titles = {part.casefold() for clause in known.reference.clauses.values() for part in clause.title.split()}
    names = [command.name for command in COMMANDS] + [move.verb for move in known.moves]
    near = get_close_matches(words.casefold(), [*dict.fromkeys(names), *sorted(titles - {*names})], _MOST_NEAR)
    return (
        f"; did you mean {' or '.join(near)}?"
        if near
        else "; `waylog help` lists the commands, `waylog rule` the rules"
    )
