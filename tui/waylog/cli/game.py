"""The command `game`: write a game of your own in a file, check it, and share it.

`waylog game check` reports a game without mistakes: its contents, and the exact odds of its rolls in a new campaign. With `--play 200` it
also walks as many evenings of the game at random, and says what came.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from waylog.cli.commands_and_options import COLOUR, Arguments
from waylog.cli.game_evenings_at_random import MOST_EVENINGS, Walked, answer_at_random, walk
from waylog.cli.pager_and_colours import Line
from waylog.cli.results_and_crashes import (
    FILES,
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    count_advice,
    json_output,
    text_output,
)
from waylog.rules.codec.changes import join_names
from waylog.rules.common.random_tables import Tables
from waylog.rules.file_game import rolls
from waylog.rules.file_game.game_file_format import GameFile
from waylog.rules.file_game.named_values_and_conditions import FileMoment
from waylog.rules.file_game.odds.odds_with_spends import odds_of
from waylog.rules.file_game.offered_rolls import offers
from waylog.rules.file_game.roll_plans_and_options import CALL, lack_of_required, plan_roll
from waylog.rules.game import Game
from waylog.rules.model.answers import complete_answers, selected_words, without_refusal
from waylog.rules.model.moves import ActRefused, Answer, Move, PickMany, PickOne
from waylog.rules.model.odds import Odds
from waylog.rules.model.state import State
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems import names
from waylog.store.file import campaign_file_tables_and_scene_cards
from waylog.store.games.game_files import (
    GAME_FILE,
    FoundGame,
    GameUnusable,
    advice_beside_mistakes,
    advice_on,
    each_once,
    good_games,
    list_games,
    offers_without_table,
    read_game,
    table_folders,
    user_games,
)
from waylog.toml.document import FileMissing, Problem, UnreadableFile, read_bytes
from waylog.values import NamedTuple, replace


def lines_of(walked: Walked) -> Iterator[str]:
    """Yield what came, in sentences."""
    yield f"{walked.evenings} random sessions:"
    for roll, came in walked.outcomes.items():
        whole = came.total()
        shown = ", ".join(f"{label} {round(100 * count / whole)} %" for label, count in came.most_common())
        yield f"  {roll}, {'once' if whole == 1 else f'{whole} times'}: {shown}"
    if walked.never:
        yield f"  Not used in any session: {', '.join(walked.never)}"
    for reason, count in walked.stuck.most_common():
        yield f"  In {count} of the sessions, the game came to a stop: {reason}"


_SEARCHES = 200
"""How many answers are tried for a roll that its default answers don't allow."""
_TEMPLATE = Path(__file__).with_name("new_game.toml")
_SCHEMA = ".game.schema.json"


def game(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """Run the command that the first word names: `list`, `new`, `check`, `schema`, `pack` or `add`."""
    does, words = args.words[0], args.words[1:]
    known: Mapping[str, tuple[Callable[[Arguments, tuple[str, ...]], CommandResult], int, int, str]] = {
        "list": (_list, 0, 0, "waylog game list"),
        "new": (_new, 1, 2, "waylog game new NAME [FOLDER] [--like GAME] [--here]"),
        "check": (_check, 0, 1, "waylog game check [NAME or FILE]"),
        "schema": (_schema, 0, 0, "waylog game schema"),
        "pack": (_pack, 1, 2, "waylog game pack NAME [FILE]"),
        "add": (_add, 1, 1, "waylog game add ARCHIVE [--yes]"),
    }
    if does not in known:
        raise CommandFailed(f"there is no `waylog game {does}`. Use {join_names(known, 'or')}", USAGE)
    command, least, most, usage = known[does]
    if not least <= len(words) <= most:
        raise CommandFailed(f"usage: {usage}", USAGE)
    return command(args, words)


# -- list and new ---------------------------------------------------------------------------------------------------------


def _list(args: Arguments, words: tuple[str, ...]) -> CommandResult:  # noqa: ARG001 - as all of them
    """List the games in files by how they use dice."""
    found = [(game, game.edition.game) for game, _ in good_games()]
    rows = [
        (game.id, declared.kind, f"like {', '.join(declared.like)}" if declared.like else "")
        for game, declared in found
    ]
    shapes = [
        {"id": game.id, "name": game.name, "kind": declared.kind, "like": [*declared.like]} for game, declared in found
    ]
    then = "`waylog game new NAME --like ID` copies one of these games. Instead of an ID, you can type the name of a similar well-known game"
    return CommandResult(lambda: [*text_output.columns(rows), then], lambda: {"ok": True, "games": shapes})


def _game_like(wanted: str) -> FoundGame:
    """Return the game in a file that has this id, or that is like one whose name begins so. Raises `CommandFailed`."""
    games = [*good_games()]
    plain = re.sub(r"[^a-z0-9]+", "", wanted.casefold())
    for found in games:
        names = (found.system.id, *found.system.edition.game.like)
        if plain and any(re.sub(r"[^a-z0-9]+", "", name.casefold()).startswith(plain) for name in names):
            return found
    known = join_names([name for found in games for name in found.system.edition.game.like], "or")
    raise CommandFailed(
        f"Waylog has no game like “{wanted}”. Choose {known}. `waylog game list` describes the games", USAGE
    )


def _new(args: Arguments, words: tuple[str, ...]) -> CommandResult:
    """Write a commented game that can be played: the one that explains the keys, or a copy of one that is there."""
    import shlex

    name = words[0]
    id_ = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    if not id_ or not id_[0].isalpha() or not name.isprintable():
        raise CommandFailed("a game's name must start with a letter from a to z, for example “Iron Moon”", USAGE)
    if id_ in names():
        raise CommandFailed(f"{id_} is already the id of a game that comes with Waylog. Choose another name", USAGE)
    folder = Path(words[1]) if words[1:] else Path() if "--here" in args.options else _games() / id_
    path = folder / GAME_FILE
    if os.path.lexists(path):
        raise CommandFailed(f"{path} already exists. Nothing was changed", USAGE)
    wanted = args.options.get("--like", "")
    _write_new(folder, id_, name, _game_like(wanted).path if "--like" in args.options else _TEMPLATE)
    beside = f'  A campaign in the same folder plays it if its file says system = "{id_}"'
    lines = [
        f"Created {path}. You can play it as it is, and change it in any editor",
        f"  waylog game check {shlex.quote(str(path))}",
        f"  waylog new CAMPAIGN --system {id_}" if folder.parent == user_games() else beside,
    ]
    return CommandResult(lambda: lines, lambda: {"ok": True, "id": id_, "name": name, "path": str(path)})


def _write_new(folder: Path, id_: str, name: str, source: Path) -> None:
    """Write a copy of a game with its tables, under another id and name."""
    import json

    from waylog.rules.file_game.game_file_format import game_schema
    from waylog.store.files_and_lock import write_beside
    from waylog.toml.values import format_value

    text = source.read_text(encoding="utf-8")
    for key, value in (("id", id_), ("name", name)):
        line = f"{key} = {format_value(value)}"
        text = re.sub(rf"^{key} = .*$", lambda _, line=line: line, text, count=1, flags=re.MULTILINE)  # type: ignore[misc]
    text = re.sub(r"^like = .*\n", "", text, count=1, flags=re.MULTILINE)
    text = text if text.startswith("#:schema") else f"#:schema ./{_SCHEMA}\n{text}"
    schema = json.dumps(game_schema(), indent=1, ensure_ascii=False) + "\n"
    tables = source.parent.glob("tables/*.toml") if source != _TEMPLATE else ()
    files = {GAME_FILE: text, _SCHEMA: schema, **{f"tables/{path.name}": path.read_text("utf-8") for path in tables}}
    for file, content in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        write_beside(folder / file, content.encode()).rename(folder / file)


def _games() -> Path:
    """Return the user's folder of games."""
    if (found := user_games()) is None:
        raise CommandFailed(
            "your account has no home folder, so there is nowhere to keep games. Set XDG_DATA_HOME, or name a folder",
            USAGE,
        )
    return found


# -- check and schema -------------------------------------------------------------------------------------------------


def _check(args: Arguments, words: tuple[str, ...]) -> CommandResult:
    """List every mistake of a game. If there are none, list its contents, the odds of its rolls in a new campaign, and what its author
    can't have meant; with `--play`, also what comes of evenings at random.
    """
    path = _path_of(words[0]) if words else Path(GAME_FILE)
    if not words and not path.is_file():
        raise CommandFailed(f"there is no {GAME_FILE} in this folder. Name a game: waylog game check NAME", USAGE)
    from waylog.cli.main import print_lines

    show_progress = _progress if sys.stderr is not None and sys.stderr.isatty() else None
    lines, beside = list[Line](), dict[str, Any]()
    to_terminal = sys.stdout is not None and sys.stdout.isatty()
    at_once = not (args.json or to_terminal or COLOUR in args.options)

    def add(more: Iterable[Line]) -> None:
        """Write lines at once where nobody pages through them."""
        if at_once:
            print_lines(more)
        else:
            lines.extend(more)

    evenings = args.options.get("--play", "")
    if "--play" in args.options and not (evenings.isdecimal() and 1 <= int(evenings) <= MOST_EVENINGS):
        raise CommandFailed(f"--play needs a number from 1 to {MOST_EVENINGS:,}", USAGE)
    advice, is_whole = list[Problem](), False
    try:
        if show_progress:
            show_progress("Trying every part of the game")
        found = _read_sound(path)
        shown = report(found, path)
        add(() if args.json else shown.lines())
        if evenings:
            game = Game(found, tables_with(path))
            walked = walk(game, found.edition.game, int(evenings), progress=show_progress)
            add(lines_of(walked))
            beside["played"] = walked._asdict()
        for problem in advice_on(read_bytes(path), str(path), path):
            advice.append(problem)
        is_whole = True
    finally:
        # Whatever stops the check, what it has found is shown.
        if show_progress:
            show_progress("")
        if advice:
            advice = each_once(advice)
            add((f"The game can be played, but it has {count_advice(advice)}:", *map(str, advice)))
            beside["advice"] = [json_output.problem(one) for one in advice]
        if not (is_whole or args.json):
            print_lines(lines)
    return shown._replace(lines=lambda: lines, data=lambda: {**shown.data(), **beside})


def _progress(text: str) -> None:
    """Show how far a check is, on the line where the next such text will stand."""
    sys.stderr.write(f"\r\x1b[2K{text} …" if text else "\r\x1b[2K")
    sys.stderr.flush()


def _read_sound(path: Path) -> Rulebook:
    """Return the game in a file. Raises `CommandFailed` with every mistake in it and in the tables beside it."""
    from waylog.store.file import campaign_file_tables_and_scene_cards

    beside = campaign_file_tables_and_scene_cards.read_hand_files(path.parent).local_problems()
    tables = [problem._replace(file=str(path.parent / problem.file)) for problem in beside]
    data = b""
    try:
        found = read_game(data := read_bytes(path), str(path), path)
    except FileMissing:
        raise CommandFailed(f"there is no file {path}", USAGE) from None
    except UnreadableFile as unusable:
        advice = each_once(advice_beside_mistakes(data, str(path), path))
        raise _mistakes([*unusable.problems, *tables], advice) from None
    if problems := [*tables, *offers_without_table(data, str(path), path, tables_with(path))]:
        raise _mistakes(problems)
    return found


def _mistakes(problems: Sequence[Problem], advice: Sequence[Problem] = ()) -> CommandFailed:
    count = "1 mistake" if len(problems) == 1 else f"{len(problems)} mistakes"
    return CommandFailed(f"the game has {count}", FILES, problems=problems, advice=advice)


def _path_of(name: str) -> Path:
    """Return the game file for a name, a folder or a file. Raises `CommandFailed`."""
    path = Path(name)
    if os.sep in name or path.suffix == ".toml" or name in (".", ".."):
        return path / GAME_FILE if path.is_dir() else path
    there = [*list_games()]
    for game_file in there:
        if game_file.parent.name == name:
            return game_file
    if (path / GAME_FILE).is_file():
        return path / GAME_FILE
    if name in names():
        raise CommandFailed(f"{name} is written in Python, so it has no file to check", USAGE)
    known = ", ".join(game_file.parent.name for game_file in there) or "none yet"
    raise CommandFailed(f"there is no game file for “{name}”. Games with a file: {known}", USAGE)


def _schema(args: Arguments, words: tuple[str, ...]) -> CommandResult:  # noqa: ARG001 - as all of them
    """Print the JSON Schema of game files. It is JSON with and without --json."""
    import json

    from waylog.rules.file_game.game_file_format import game_schema

    tree = game_schema()
    return CommandResult(lambda: json.dumps(tree, indent=2).splitlines(), lambda: tree)


# -- pack and add -----------------------------------------------------------------------------------------------------


def _pack(args: Arguments, words: tuple[str, ...]) -> CommandResult:
    """Write a game with its tables and its example into one archive."""
    from waylog.store.files_and_lock import write_beside
    from waylog.store.games.packages import ArchiveRefused, pack

    source = _path_of(words[0])
    system = _read_sound(source)
    target = Path(words[1] if words[1:] else f"{system.id}.zip")
    if target.is_dir():
        target = target / f"{system.id}.zip"
    if os.path.lexists(target) and not _ask_first(args, [], f"{target} already exists. Replace it?"):
        raise CommandFailed(f"{target} already exists. To replace it, use --yes", USAGE)
    try:
        data = pack(system, source.parent)
    except ArchiveRefused as refused:
        raise CommandFailed(f"the game can't be packed: {refused}", FILES) from None
    write_beside(target, data).rename(target)
    line = f"Packed {system.name} into {target} ({len(data):,} bytes). Others can add it with: waylog game add {target.name}"
    return CommandResult(lambda: [line], lambda: {"ok": True, "id": system.id, "path": str(target), "bytes": len(data)})


def _add(args: Arguments, words: tuple[str, ...]) -> CommandResult:
    """Show the contents of an archive, and unpack it if the person agrees."""
    from waylog.store.games.packages import ArchiveRefused, read_archive, unpack

    path = Path(words[0])
    try:
        found = read_archive(path)
    except ArchiveRefused as refused:
        raise CommandFailed(f"{path} can't be added: {refused}", FILES) from None
    except GameUnusable as unusable:
        raise _mistakes([problem._replace(file=f"{path}:{problem.file}") for problem in unusable.problems]) from None
    system, games = found.system, _games()
    if system.id in names():
        raise CommandFailed(f"{path} can't be added: {system.id} is a game that comes with Waylog", FILES)
    place = games / system.id
    data = {"ok": True, "id": system.id, "name": system.name, "path": str(place), "files": [*found.files]}
    sizes = [(f"  {name}", f"{len(content):,} bytes") for name, content in found.files.items()]
    lines = [f"{system.name} ({system.id}): {system.about}", *text_output.columns(sizes)]
    there = os.path.lexists(place)
    question = f"{place} already exists. Replace it?" if there else f"Add the game to {games}?"
    if not _ask_first(args, lines, question):
        more = f"Nothing was added. To {f'replace {place}' if there else 'add it'}, use --yes"
        return CommandResult(lambda: [*lines, more], lambda: {**data, "added": False})
    kept = unpack(found, games)
    done = [f"Added {place}. To play it: waylog new CAMPAIGN --system {system.id}"]
    done += [f"The previous version is now in {kept}"] if kept else []
    return CommandResult(lambda: done, lambda: {**data, "added": True, "before": str(kept) if kept else None})


def _ask_first(args: Arguments, lines: Sequence[Line], question: str) -> bool:
    """Whether the person agrees: with --yes, or by an answer in a terminal, where the lines are shown first."""
    if "--yes" in args.options:
        return True
    from waylog.cli.main import is_terminal, print_lines

    if args.json or not is_terminal():
        return False
    print_lines(lines, f"{question} [y/N] ")
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


class _NoOdds(NamedTuple):
    """Why a roll can't be made in a new campaign, or has no odds; and its odds if nothing refused it."""

    why: str
    refused: bool = True
    otherwise: Odds | None = None


_Rolls = Sequence[tuple[str, "Odds | _NoOdds"]]
"""Each roll in words, with its odds, or why there are none."""


def report(system: Rulebook, path: Path) -> CommandResult:
    """Return the report on the game in a file."""
    tables = tables_with(path)
    game = Game(system, tables)
    state = game.fresh("check")
    every = [*_odds_of_rolls(game, state, FileMoment(state.sheet, state.rules, state.clocks, system.edition))]
    declared: GameFile = system.edition.game
    has = _contents(declared, tables)
    return CommandResult(
        lambda: _lines(system, has, every),
        lambda: {
            "ok": True,
            "id": system.id,
            "name": system.name,
            "path": str(path),
            "problems": [],
            "has": dict(has),
            "odds": [
                {"words": words, "refused": found.why} if isinstance(found, _NoOdds) else json_output.odds(found, words)
                for words, found in every
            ],
        },
    )


def _odds_of_rolls(game: Game, state: State, moment: FileMoment) -> Iterator[tuple[str, Odds | _NoOdds]]:
    """Yield every roll in words with its odds: for each of its calls, and also if it only follows from others."""
    follows = [move for move in offers(moment) if not move.listed]
    for move in (*game.moves(state), *follows):
        if not move.rolls or move.verb in ("dice", "group"):
            continue
        calls = [
            option.word for ask in move.asks if ask.name == CALL and isinstance(ask, PickOne) for option in ask.options
        ]
        known = dict[str, Odds | _NoOdds]()
        for call in calls if calls[1:] else [""]:
            given = {
                **({CALL: call} if call else {}),
                **_needed_answers(without_refusal(move) if move.blocked else move),
            }
            given |= {CALL: call} if call else {}
            # Of a dozen skills, most have as many dice as another.
            answered = complete_answers(without_refusal(move), given)
            choice = rolls.choice_as_answered(moment, move, answered)
            plan = repr((plan_roll(moment, choice), lack_of_required(moment, choice)))
            words = " ".join((move.id, *(word for name in given for word in selected_words(given, name))))
            if plan not in known:
                words, known[plan] = _odds_or_why(game, state, moment, move, words, given)
            yield words, known[plan]


def _needed_answers(move: Move) -> dict[str, Answer]:
    """Return the first answer that is possible to each choice of a roll that has no default, or as many as have to be chosen."""
    found = dict[str, Answer]()
    for ask in (ask for ask in move.asks if isinstance(ask, PickOne | PickMany)):
        legal = [one.word for one in ask.options if not one.blocked]
        if isinstance(ask, PickMany) and ask.least:
            found[ask.name] = (*legal[: ask.least],)
        elif isinstance(ask, PickOne) and ask.default is None and legal:
            found[ask.name] = legal[0]
    return found


def _odds_or_why(
    game: Game, state: State, moment: FileMoment, move: Move, words: str, given: Mapping[str, Answer]
) -> tuple[str, Odds | _NoOdds]:
    """Return a roll in words with its odds: with the default answers, or with others if something has to be chosen for it."""
    try:
        found = game.odds(state, move, complete_answers(move, given))
        return words, found or _NoOdds(game.why_no_odds(state, move, given), refused=False)
    except ActRefused as refused:
        why, random = refused.refusal.reason, Random(1)
    for _ in range(0 if move.blocked else _SEARCHES):
        answers = (
            (ask.name, one) for ask in move.asks if isinstance(ask, PickMany) for one in answer_at_random(ask, random)
        )
        chosen = {name: tuple(map(str, one)) for name, one in answers if isinstance(one, tuple)}
        try:
            found = game.odds(state, move, complete_answers(move, {**given, **chosen}))
        except ActRefused:
            continue
        # What isn't needed isn't chosen.
        least = {ask.name: ask.least for ask in move.asks if isinstance(ask, PickMany)}
        for name, word in [(name, word) for name, every in chosen.items() for word in every]:
            fewer = {**chosen, name: tuple(one for one in chosen[name] if one != word)}
            if len(fewer[name]) >= least[name]:
                with suppress(ActRefused):
                    rolls.choice_of(moment, move, complete_answers(move, {**given, **fewer}))
                    chosen = fewer
        found = game.odds(state, move, complete_answers(move, {**given, **chosen}))
        return " ".join((words, *(word for many in chosen.values() for word in many))), found or _NoOdds(why)
    choice = rolls.choice_as_answered(moment, move, complete_answers(without_refusal(move), given))
    has_dice = plan_roll(moment, choice).plan.has_dice
    return words, _NoOdds(why, otherwise=odds_of(moment, choice) if has_dice else None)


def tables_with(path: Path) -> Tables:
    """Return the random tables that come with the game in a file, also those of its base."""
    return {
        key: table
        for folder in table_folders(path)
        for key, table in campaign_file_tables_and_scene_cards.read_hand_files(folder.parent).tables.items()
    }


def _contents(game: GameFile, tables: Any) -> Sequence[tuple[str, Sequence[str]]]:
    sheet = [f"{key} (a list)" if part.each else key for key, part in game.sheet.items()]
    named = (
        ("sheet", sheet),
        ("rolls", [*game.dice]),
        ("spends", [*game.spend]),
        ("moves", [*game.moves]),
        ("conditions", [*game.when]),
        ("house rules", [*game.house_rules]),
        ("rules", [*game.clauses]),
        ("tables", [*tables]),
    )
    return [(name, keys) for name, keys in named if keys]


def _lines(system: Rulebook, has: Sequence[tuple[str, Sequence[str]]], every: _Rolls) -> Iterator[Line]:
    yield f"{system.name} ({system.id}): no mistakes"
    yield from text_output.indent(text_output.columns([(name, ", ".join(keys)) for name, keys in has]))
    if every:
        yield "The odds of each roll in a new campaign, using the default answers:"
    else:
        yield "Nobody can roll in a new campaign yet" if "rolls" in dict(has) else "The game has no rolls"
    # Who rolls is named together if that makes no difference.
    alike = list[tuple[str, Odds | _NoOdds, list[str]]]()
    for words, found in every:
        verb, name, *who = words.split(maxsplit=2)
        result = found if isinstance(found, _NoOdds) else replace(found, forecast=())
        same = next((one for one in alike if one[:2] == (f"{verb} {name}", result)), None)
        if same is None:
            alike.append(same := (f"{verb} {name}", result, []))
        same[2].extend(who)
    for roll, result, people in alike:
        words = f"{roll} {_by_person(people)}".strip()
        if not isinstance(result, _NoOdds):
            yield from text_output.odds(result, words)
        elif not result.refused:
            yield f"{words} {result.why}"
        else:
            yield f"{words} can't be done in a new campaign: {result.why}"
            yield from text_output.odds(result.otherwise, "  if allowed") if result.otherwise else ()


def _by_person(words: Iterable[str]) -> str:
    """Return who rolls, and in which ways: `silk hunt, study; cole wreck`."""
    ways: dict[str, list[str]] = {}
    for who, _, way in (one.partition(" ") for one in words):
        ways.setdefault(who, []).append(way)
    phrases = [f"{who} {', '.join(each)}".strip() for who, each in ways.items()]
    return ("; " if any(map(any, ways.values())) else ", ").join(phrases)
