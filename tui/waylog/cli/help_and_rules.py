"""The command `help`: explains a word, whether it is a command of the shell, an action of the game, or in the rules.

Commands about Waylog itself: `systems`, `schema` and `info`.

The command `rule`: looks up the rules of a game, or of a campaign with its house rules and rulings.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import Any

from waylog import __version__
from waylog.cli.commands_and_options import COMMANDS, DEFAULT_SYSTEM, Arguments, Subcommand, help_of, help_of_all
from waylog.cli.pager_and_colours import Line, Style, TerminalText, file_address
from waylog.cli.results_and_crashes import (
    FAILURES,
    FILES,
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    json_output,
    open_table,
    table_in,
    text_output,
)
from waylog.rules.codec.changes import join_names
from waylog.rules.common import random_tables, scene_cards
from waylog.rules.game import Game
from waylog.rules.model.moves import Move
from waylog.rules.model.rules_reference import HouseRule, Reference
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems import names, system
from waylog.store.files_and_lock import FILE
from waylog.store.folders_and_recent import CampaignSummary, NoSuchCampaign, summarise_campaign
from waylog.toml.document import ABSENT, Document, lookup, read_bytes
from waylog.toml.values import format_value
from waylog.values import dataclass

_OUTPUT = "output"
_BESIDE = {"table": random_tables.schema, "card": scene_cards.schema}
"""Arguments of `schema` that name no game: what is printed with --json, and the files in `tables/` and `prep/`."""


def systems(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """List the games, and those in files with their places."""
    from waylog.store.games.game_files import GameUnusable, find, list_games  # Only this command lists files.

    rows, listed = [], []
    for one in (system(name) for name in names()):
        rows.append((one.id, one.name, one.about))
        listed.append({"id": one.id, "name": one.name, "about": one.about})
    for path in list_games():
        name = path.parent.name
        try:
            found = find(name, path.parent).system
        except GameUnusable as unusable:
            problem = unusable.problems[0]._replace(file=str(path))
            rows.append((name, "can't be used", str(problem)))
            listed.append({"id": name, "path": str(path), "problem": str(problem)})
            continue
        rows.append((found.id, found.name, f"{found.about} ({path})".lstrip()))
        listed.append({"id": found.id, "name": found.name, "about": found.about, "path": str(path)})
    for row, shape in _games_of_packages():
        rows.append(row)
        listed.append(shape)
    return CommandResult(lambda: text_output.columns(rows), lambda: {"ok": True, "systems": listed})


def _games_of_packages() -> Iterator[tuple[tuple[str, str, str], dict[str, str]]]:
    """Yield the games in packages as rows and as data. One that can't be loaded says why."""
    from waylog.store.games.packages import (  # Slow: it reads all packages.
        PackageUnusable,
        packaged_ids,
        packaged_system,
    )

    for name, package in packaged_ids():
        try:
            found = packaged_system(name)
        except PackageUnusable as unusable:
            yield (name, "can't be used", str(unusable)), {"id": name, "package": package, "problem": str(unusable)}
        else:
            if found is not None:
                shape = {"id": name, "name": found.name, "about": found.about, "package": package}
                yield (name, found.name, f"{found.about} (package {package})"), shape


def schema(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """Print the JSON Schema of a game's campaign files, of random tables, of scene cards, or of what is printed with --json. It is JSON
    with and without --json.
    """
    import json

    name = args.words[0] if args.words else DEFAULT_SYSTEM
    if name == _OUTPUT:
        from waylog.cli.output_schema import output_schema

        tree = output_schema()
    else:
        tree = _BESIDE[name]() if name in _BESIDE else Game(find_system(name)).schema()
    return CommandResult(lambda: json.dumps(tree, indent=2).splitlines(), lambda: tree)


def find_system(name: str) -> Rulebook:
    """Return a game by its id; it may be in a file. Raises `CommandFailed` if there is none, or `UnreadableFile`."""
    if name in names():
        return system(name)
    from waylog.store.games.game_files import list_games, system_named  # Few games are in files.

    try:
        return system_named(name)
    except KeyError:
        from waylog.store.games.packages import PackageUnusable, packaged_system

        try:
            if found := packaged_system(name):
                return found
        except PackageUnusable as unusable:
            raise CommandFailed(str(unusable), FILES) from None
        known = [*names(), *(path.parent.name for path in list_games())]
        raise CommandFailed(f"there is no game “{name}”. The games are {', '.join(known)}", USAGE) from None


def info(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """Show every path that Waylog uses."""
    from waylog import themes
    from waylog.settings import settings_path

    places, last = desk.places, desk.places.last()
    summary = summarise_campaign(last) if last else CampaignSummary()
    *user_themes, shipped = themes.folders()
    paths = {
        "campaigns": places.campaigns,
        "examples": places.examples,
        "state": places.state,
        "last campaign": last,
        "settings": settings_path(),
        "own themes": user_themes[0] if user_themes else None,
        "themes": shipped,
        "program": places.program,
        "python": sys.executable,
    }
    rows = [(name, str(path or "none")) for name, path in paths.items()]
    rows.insert([*paths].index("last campaign") + 1, ("last played", summary.one_line or "none"))
    keyed = {name.replace(" ", "_"): str(path) if path else None for name, path in paths.items()}
    keyed_summary = {"game": summary.game or None, "session": summary.session or None, "played": summary.played or None}
    return CommandResult(
        lambda: [f"Waylog {__version__}", *text_output.columns(rows)],
        lambda: {"ok": True, "version": __version__, **keyed, "last_played": keyed_summary},
    )


_WIDTH = 100


def rule(args: Arguments, desk: Environment) -> CommandResult:
    """One rule in full, the rules that have some words, or all of them by chapter."""
    game, reference, words, file = find_reference(args, desk)
    if not words:
        return CommandResult(lambda: _chapter_lines(reference), lambda: _chapter_data(game, reference))
    exact = reference.find(words)
    found = (exact,) if exact else reference.search(words)
    if not found:
        raise CommandFailed(f"no rule mentions “{words}”. `waylog rule` lists all rules", FILES)
    return CommandResult(
        lambda: rule_lines(reference, found[0], file) if len(found) == 1 else _result_lines(reference, found),
        lambda: {"ok": True, "system": game, "rules": [rule_data(reference, id_) for id_ in found]},
    )


def find_reference(args: Arguments, desk: Environment) -> tuple[str, Reference, str, Path | None]:
    """Return the id of a game, its rules, the words to look for in them, and the campaign file, if the first word names a campaign.

    Without a campaign and `--system`, the game is the first one whose rules have the words, or else the default one.
    """
    words = " ".join(args.words)
    if "--system" in args.options:
        game = find_system(args.options["--system"]).id
        return game, _fresh_reference(game), words, None
    if args.words:
        try:
            table = open_table(args.words[0], desk, to_play=False)
        except NoSuchCampaign:
            pass
        else:
            snapshot = table.snapshot
            return snapshot.system, snapshot.reference, " ".join(args.words[1:]), table.folder / FILE
    for game in (DEFAULT_SYSTEM, *names()):
        reference = _fresh_reference(game)
        if reference.find(words):
            return game, reference, words, None
    return DEFAULT_SYSTEM, _fresh_reference(DEFAULT_SYSTEM), words, None


def _fresh_reference(name: str) -> Reference:
    game = Game(find_system(name))
    return game.reference(game.fresh(""))


def rule_lines(reference: Reference, id_: str, file: Path | None) -> Iterator[Line]:
    """Yield a rule in full, with what the campaign says of it, which links to its place in that `file`."""

    def heading(text: str, *path: str) -> TerminalText:
        document = Document.parse(read_bytes(file), FILE) if file else None
        if file is None or document is None or lookup(document.tree, path) is ABSENT:
            return TerminalText(text)
        return TerminalText(text, link=file_address(file, document.position(path)[0]))

    clause = reference.clauses[id_]
    yield TerminalText(clause.title, Style.TITLE), TerminalText(f"  {id_}", Style.DIM)
    yield from (f"  {line}" for line in wrap(clause.text, _WIDTH))
    if other := reference.replacement_of(id_):
        yield reference.describe_replacement(other)
    for house_rule in reference.house_rules_of(id_):
        yield heading("House rule", "house_rules", house_rule.name), f"   {house_rule_text(house_rule)}"
    if ruling := reference.rulings.get(id_):
        yield heading("Your ruling", "rulings", id_), f"  {ruling}"
    if see := reference.see_also(id_):
        yield "See also"
        yield from text_output.indent(_titles(reference, see))


def house_rule_text(rule_: HouseRule) -> str:
    """Return a house rule as it stands in the file, with what it is about."""
    default = " (default)" if rule_.is_default else ""
    return f"{rule_.name} = {format_value(rule_.value)}{default}: {rule_.about}"


def _result_lines(reference: Reference, found: Sequence[str]) -> Iterator[Line]:
    for id_ in found:
        clause = reference.clauses[id_]
        yield TerminalText(f"{id_}  ", Style.DIM), TerminalText(clause.title, Style.TITLE)
        yield from (f"       {line}" for line in wrap(clause.text, _WIDTH))


def _chapter_lines(reference: Reference) -> Iterator[Line]:
    for chapter, ids in reference.chapters().items():
        yield TerminalText(chapter or "Rules", Style.TITLE)
        yield from text_output.indent(_titles(reference, ids))


def _titles(reference: Reference, ids: Sequence[str]) -> Iterator[Line]:
    return text_output.columns([(TerminalText(id_, Style.DIM), reference.clauses[id_].title) for id_ in ids])


def _chapter_data(game: str, reference: Reference) -> Mapping[str, Any]:
    chapters = [
        {"title": chapter, "rules": [{"id": id_, "title": reference.clauses[id_].title} for id_ in ids]}
        for chapter, ids in reference.chapters().items()
    ]
    return {"ok": True, "system": game, "chapters": chapters}


def rule_data(reference: Reference, id_: str) -> Mapping[str, Any]:
    """Return a rule with what the campaign says of it."""
    clause = reference.clauses[id_]
    house_rules = [
        {"name": one.name, "value": one.value, "about": one.about, "default": one.is_default}
        for one in reference.house_rules_of(id_)
    ]
    return {
        "id": id_,
        "title": clause.title,
        "text": clause.text,
        "chapter": clause.chapter,
        "see": list(reference.see_also(id_)),
        "replaced_by": reference.replacement_of(id_),
        "house_rules": house_rules,
        "ruling": reference.rulings.get(id_),
    }


_MOST_RULES = 8
_MOST_NEAR = 3


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """What can be explained: the actions and the rules of a campaign, or of a game."""

    where: str
    """The name of the campaign or of the game."""
    moves: Sequence[Move]
    reference: Reference
    later: Sequence[Move] = ()
    """The moves that an open question holds up."""


def help_(args: Arguments, desk: Environment) -> CommandResult:
    """Explain a word, in the campaign that was opened last, or else in a game; without a word, list all commands."""
    if not args.words:
        return CommandResult(help_of_all, lambda: {"ok": True, "commands": {one.name: one.about for one in COMMANDS}})
    words = " ".join(args.words)
    command = next((one for one in COMMANDS if one.name == words), None)
    known = _knowledge(args, desk)
    here = [move for move in known.moves if words in (move.verb, move.id)]
    moves = here or [move for move in known.later if words in (move.verb, move.id)]
    exact = known.reference.find(words)
    # The rules of an action are those that its game names: their text needn't have the action's word.
    about = known.reference.about(*(move.id for move in moves))
    rules = (exact,) if exact else about or _rules_about(words, known.reference)
    if not (command or moves or rules):
        raise CommandFailed(f"there is no help for “{words}”{_near(words, known)}", USAGE)
    return CommandResult(
        lambda: _lines(words, command, moves, rules, known),
        lambda: {
            "ok": True,
            "command": command and {"name": command.name, "usage": command.usage, "about": command.about},
            "moves": [json_output.move(move) for move in moves],
            "rules": [rule_data(known.reference, id_) for id_ in rules],
        },
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
            table = table_in(folder, desk)
            snapshot, later = table.snapshot, table.moves_once_answered()
            return _Knowledge(snapshot.name, snapshot.moves, snapshot.reference, later)
    game = Game(find_system(args.options.get("--system", DEFAULT_SYSTEM)))
    state = game.fresh("")
    return _Knowledge(game.system.name, game.moves(state), game.reference(state))


def _lines(
    words: str, command: Subcommand | None, moves: Sequence[Move], rules: Sequence[str], known: _Knowledge
) -> Iterator[Line]:
    parts = list[list[Line]]()
    if command:
        parts.append([*help_of(command)])
    if moves:
        when = ", once the open question is answered" if moves[0] not in known.moves else ""
        parts.append([f"Actions in {known.where}{when}", *text_output.indent(text_output.moves(moves))])
    if len(rules) == 1:
        parts.append([*rule_lines(known.reference, rules[0], None)])
    elif rules:
        titles = [(id_, known.reference.clauses[id_].title) for id_ in rules[:_MOST_RULES]]
        matching, all_of_them = f"match “{words}”", f"To read them in full, type `waylog rule {words}`"
        if known.reference.about(*(move.id for move in moves)):
            matching, all_of_them = f"apply to “{words}”", f"To read the first in full, type `waylog rule {rules[0]}`"
        elif moves:
            matching = f"apply to “{words}”"
        more = f"{len(rules)} rules {matching}. {all_of_them}"
        parts.append([more, *text_output.indent(text_output.columns(titles))])
    for number, part in enumerate(parts):
        yield from (["", *part] if number else part)


def _near(words: str, known: _Knowledge) -> str:
    """Return the words nearest to one that nothing has, as the end of a sentence."""
    titles = {part.casefold() for clause in known.reference.clauses.values() for part in clause.title.split()}
    names = [command.name for command in COMMANDS] + [move.verb for move in known.moves]
    near = get_close_matches(words.casefold(), [*dict.fromkeys(names), *sorted(titles - {*names})], _MOST_NEAR)
    return (
        f". Did you mean {join_names([f'“{each}”' for each in near], 'or')}?"
        if near
        else ". `waylog help` lists the commands, and `waylog rule` lists the rules"
    )
