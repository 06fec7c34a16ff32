"""Commands that look back: `recap`, `luck`, `replay`, `diff`, `branch`, `why`, `conflicts` and `restore`.

The command `print`: pages for the wall and the table, as HTML for a browser to print.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any

from waylog.cli.commands_and_options import RECAP_FORMS, Arguments
from waylog.cli.do_undo_and_odds import act_result, number_of, put_right
from waylog.cli.pager_and_colours import place_in
from waylog.cli.results_and_crashes import (
    DONE,
    FILES,
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    FileVersion,
    as_seen_from_here,
    json_output,
    open_table,
    table_in,
    text_output,
)
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.changes import format_path, parse_path
from waylog.rules.game import Game
from waylog.rules.model.moves import Act, ActRefused, Answers, Ask, Move, PickMany, PickOne
from waylog.rules.model.odds import Odds
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.file.campaign_file_tables_and_scene_cards import CampaignFile, read_campaign_file, system_of
from waylog.store.file.edit_base_merge_and_renames import FileQuestion
from waylog.store.file.history import FileHistory, no_version_text
from waylog.store.files_and_lock import FILE, describe_error, lock_campaign, put_in_place, sync, write_beside
from waylog.store.log.verification import no_entry_text
from waylog.table import Table
from waylog.toml.document import ABSENT, Document, UnreadableFile, lookup, read_bytes
from waylog.values import dataclass, replace
from waylog.what_if import WhatIf
from waylog.words import paper
from waylog.words.file_updates import save
from waylog.words.sentences import changes_at, names_of, sentence

_SESSION = "a session. `waylog show` lists the sessions. For example: recap tenacity 3"


def recap(args: Arguments, desk: Environment) -> CommandResult:
    """Print a session: for the players, or for the wayfinder with everything hidden; as a whole, as a story or in short; or all of them."""
    number, secrets = number_of(args.words[1], _SESSION) if len(args.words) > 1 else None, "--secrets" in args.options
    form, given = args.options.get("--as", "markdown"), [each for each in _CONTENTS if each in args.options]
    if form not in RECAP_FORMS:
        raise CommandFailed(f"--as must be {', '.join(RECAP_FORMS[:-1])} or {RECAP_FORMS[-1]}, not “{form}”", USAGE)
    if len(given) > 1 or ("--all" in given and number is not None):
        raise CommandFailed(
            f"{' and '.join(given) if len(given) > 1 else '--all and a session'} can't be combined", USAGE
        )
    table = open_table(args.name, desk, to_play=False)
    table.refresh()
    from waylog.store.shown.campaign_so_far_and_recap_forms import as_notes, as_text, previously, story
    from waylog.store.shown.recap import recap_text

    found = table.recap(number, secrets=secrets)
    if "--all" in given:
        markdown = table.campaign_so_far(secrets=secrets)
    else:
        makes = {"--story": story, "--previously": previously}
        markdown = makes[given[0]](found) if given else recap_text(found)

    def data() -> dict[str, Any]:
        return {**json_output.recap(found), "markdown": markdown}

    def lines() -> list[str]:
        match form:
            case "html":
                from waylog.words import paper

                title, _, body = markdown.removeprefix("# ").partition("\n")
                text = paper.page(as_text(title).strip(), table.snapshot.system_name, [paper.to_html(body)], "a4")
            case "text":
                text = as_text(markdown)
            case "notes":
                text = as_notes(markdown, found, [panel.title for panel in table.projection().panels])
            case "json":
                text = json.dumps(data(), indent=2)
            case _:
                text = markdown
        return text.splitlines()

    return CommandResult(lines, data, put_right(table))


_CONTENTS = ("--story", "--previously", "--all")
"""The options of `recap` that print something else than a session as a whole."""


def luck(args: Arguments, desk: Environment) -> CommandResult:
    """Compare the dice of the log, or of one session, with fair dice; with --verify, compute the sealed ones again."""
    number = number_of(args.words[1], _SESSION) if len(args.words) > 1 else None
    table = open_table(args.name, desk, to_play=False)
    table.refresh()
    from waylog.store.shown.luck_and_fairness import luck_text, seal_lines

    if "--verify" in args.options:
        report = table.check_seals()
        code = FILES if report.stray or any(seal.wrong for seal in report.seals) else DONE
        return CommandResult(lambda: seal_lines(report), lambda: json_output.seals(report), put_right(table), code)
    found = table.luck(number)
    return CommandResult(luck_text(found).splitlines, lambda: json_output.luck(found), put_right(table))


def replay(args: Arguments, desk: Environment) -> CommandResult:
    """Play the log again with its own dice, perhaps under other rules, and say what comes out differently."""
    rules: dict[str, object] = {}
    for word in args.words[1:]:
        key, given, value = word.partition("=")
        if not given:
            raise CommandFailed(f"“{word}” isn't a house rule and a value, such as exposed=always", USAGE)
        rules[key] = _read_value(value)
    table = open_table(args.name, desk, to_play=False)
    table.refresh()
    other = None
    if file := args.options.get("--game"):
        from waylog.store.games.game_files import read_game  # Few replays are of a game in a file.

        other = read_game(read_bytes(Path(file)), file, Path(file))
    played = table.replay(rules, other)
    names = names_of(table.snapshot)
    code = FILES if played.differences and not (rules or other) else DONE
    return CommandResult(
        lambda: text_output.replay(played, names), lambda: json_output.replay(played), put_right(table), code
    )


def _read_value(text: str) -> object:
    """Return a value as it is written in the campaign file; a word needs no quotes."""
    with suppress(UnreadableFile):
        return Document.parse(f"value = {text}".encode(), "value").tree["value"]
    return text


def snapshot_at(table: Table, entry: str) -> Snapshot:
    """Return what the campaign showed after an entry."""
    copy = WhatIf(table, number_of(entry))
    try:
        return copy.snapshot
    finally:
        copy.leave()


def diff(args: Arguments, desk: Environment) -> CommandResult:
    """Show what is different after one entry of the log and after another one, which is the last if it isn't given."""
    table = open_table(args.name, desk, to_play=False)
    table.refresh()
    first, last = number_of(args.words[1]), number_of(args.words[2]) if len(args.words) > 2 else table.snapshot.entries
    changes, names = table.changes_between(first, last), names_of(table.snapshot)
    return CommandResult(lambda: text_output.differences(changes, names), lambda: json_output.differences(changes))


def branch(args: Arguments, desk: Environment) -> CommandResult:
    """Make a campaign of its own that goes on from an entry of the log. The old one stays as it is."""
    if "--into" not in args.options:
        raise CommandFailed("add --into NAME to name the new campaign", USAGE)
    number = number_of(args.words[1])
    table = open_table(args.name, desk, to_play=False)
    table.refresh()
    if number > table.snapshot.entries:
        raise CommandFailed(no_entry_text(number, table.snapshot.entries), USAGE)
    folder = desk.places.new(args.options["--into"])
    table.copy_to(folder)
    sister = table_in(folder, desk)
    if number < table.snapshot.entries:
        sister.go_back_to(number)
    sister.play(sister.understand(f'note "Branched from {args.name} after entry {number}"'))
    save(sister)
    message = f"Created {folder / FILE} from {args.name} as of entry {number}. {args.name} is unchanged"
    return CommandResult(lambda: [message], lambda: {"ok": True, "path": str(folder / FILE), "entry": number})


def why(args: Arguments, desk: Environment) -> CommandResult:
    """Show the entries that changed a value, newest first, and its place in the file."""
    table = open_table(args.name, desk, to_play=False)
    table.refresh()
    path = parse_path(args.words[1]) or (args.words[1],)
    document = Document.parse(read_bytes(table.folder / FILE), FILE)
    made_by = [replace(entry, changes=tuple(changes_at(path, entry))) for entry in table.why(path)]
    value = lookup(document.tree, path)
    if value is ABSENT:
        if not made_by and not _may_exist(table.game.schema(), path):
            from difflib import get_close_matches

            near = get_close_matches(args.words[1], [format_path(each) for each in value_paths(document.tree)], 1)
            hint = f"Did you mean {near[0]}?" if near else "Use the value's name in the file, for example ship.focus"
            raise CommandFailed(f"there is no value “{args.words[1]}” in the campaign. {hint}", USAGE)
        value, place = None, None
    else:
        place = document.position(path)
    file = as_seen_from_here(table.folder / FILE)
    return CommandResult(
        lambda: text_output.why(path, value, place and place_in(file, *place), made_by),
        lambda: json_output.why(path, value, file, place, made_by),
        put_right(table),
    )


def _may_exist(schema: Mapping[str, Any], path: ValuePath) -> bool:
    """Whether a campaign file can have a value there."""
    if not path:
        return True
    below = schema.get("properties", {}).get(path[0], schema.get("additionalProperties"))
    return isinstance(below, Mapping) and _may_exist(below, path[1:])


def value_paths(tree: Mapping[str, Any], above: ValuePath = ()) -> Iterator[ValuePath]:
    """Yield the path of each value and table of a file, in its order."""
    for key, value in tree.items():
        yield (*above, key)
        if isinstance(value, Mapping):
            yield from value_paths(value, (*above, key))


def conflicts(args: Arguments, desk: Environment) -> CommandResult:
    """List edit conflicts, or the question about the file; or settle one of them; or join the logs of two clones that git has merged."""
    if args.words[1:] == ("join",):
        from waylog.store.campaign_in_git import join_logs

        joined = join_logs(desk.places.find(args.name, to_play=True))
        return CommandResult(lambda: [joined], lambda: {"ok": True, "joined": joined})
    table = open_table(args.name, desk, to_play=False)
    table.refresh()
    if question := table.snapshot.asked:
        return _about_file(table, question, [*args.words[1:]])
    open_ = table.snapshot.conflicts
    if len(args.words) == 1:
        return CommandResult(
            lambda: text_output.conflicts(open_), lambda: json_output.conflicts(open_), put_right(table)
        )
    verb, *number = args.words[1:]
    if verb not in ("keep", "take") or not number:
        raise CommandFailed(
            "which edit conflict? For example, `keep 12` keeps your edit, and `take 12` uses the game's value", USAGE
        )
    for conflict in open_:
        if conflict.entry.number == number_of(number[0]):
            return act_result(table, (table.keep_edit if verb == "keep" else table.keep_game_value)(conflict))
    there = ", ".join(str(conflict.entry.number) for conflict in open_) or "none"
    raise CommandFailed(f"there is no edit conflict {number[0]}. Open edit conflicts: {there}", USAGE)


def _about_file(table: Table, question: FileQuestion, words: Sequence[str]) -> CommandResult:
    """Show the question about a saved file, or answer it."""
    if not words:
        lines = [*text_output.file_question_lines(question, table.folder.name)]
        return CommandResult(lambda: lines, lambda: json_output.file_question_data(question), put_right(table))
    if words not in (["keep"], ["take"]):
        raise CommandFailed(f"{question.about}. Type `keep` to {question.keep}, or `take` to {question.update}", USAGE)
    keep = words == ["keep"]
    if entry := table.answer_file(keep=keep):
        return act_result(table, entry)
    message = sentence(f"you chose to {question.keep if keep else question.update}")
    return CommandResult(lambda: [message], lambda: {"ok": True, "entry": None}, put_right(table))


def restore(args: Arguments, desk: Environment) -> CommandResult:
    """List earlier versions of the campaign file, or restore one of them."""
    folder = desk.places.find(args.name, to_play=False)
    if len(args.words) == 1:
        listed = _versions(folder)
        return CommandResult(lambda: text_output.versions(listed), lambda: json_output.versions(listed))
    version = args.words[1].removesuffix(".toml")
    table, aside = _table_whatever_the_file_is(folder, version, desk)
    if version not in table.versions():
        raise CommandFailed(no_version_text(version, table.versions()), USAGE)
    answer = act_result(table, table.restore(version))
    kept = f"your unreadable file was saved as {aside}. `waylog restore` lists it"
    return answer._replace(warnings=[*answer.warnings, kept]) if aside else answer


def _versions(folder: Path) -> Sequence[FileVersion]:
    now = _read(folder / FILE)
    listed = []
    for path in FileHistory(folder).all_versions():
        then = _read(path)
        apart = None
        if now and then and now[0].system.id == then[0].system.id:
            apart = len(now[0].difference(then[1].state, now[1].state))
        with suppress(FileNotFoundError):  # Another program has just released it.
            listed.append(FileVersion(path.stem, datetime.fromtimestamp(path.stat().st_mtime).astimezone(), apart))
    return listed


def _read(path: Path) -> tuple[Game, CampaignFile] | None:
    """Return a version of the campaign file; None if it can't be read."""
    try:
        document = Document.parse(read_bytes(path), path.name)
        game = Game(system_of(document))
        return game, read_campaign_file(game, document, None)
    except UnreadableFile:
        return None


def _table_whatever_the_file_is(folder: Path, version: str, desk: Environment) -> tuple[Table, str]:
    """Return the campaign's table. If the file can't be read, first set it aside and put the wanted version in its
    place.

    Also return the name of the file that was set aside, if any.
    """
    try:
        return table_in(folder, desk), ""
    except UnreadableFile:
        history = FileHistory(folder)
        known = {file.stem: file for file in history.all_versions()}
        if version not in known or not _read(known[version]):
            raise
        with lock_campaign(folder):
            beside = write_beside(history.path, read_bytes(known[version]))
            old = put_in_place(beside, history.path)
            sync(history.path.parent)
            aside = history.keep(old, f"unreadable-{desk.now():%Y%m%d-%H%M%S}") if old is not None else ""
        return table_in(folder, desk), aside


_MOST_OPTIONS = 4
"""Of a choice with more options, a wall chart has the default alone."""
_MOST_ODDS = 600
"""How many rolls a wall chart looks at."""


@dataclass(frozen=True, slots=True)
class _Source:
    """What pages are made from."""

    table: Table
    secrets: bool

    @property
    def snapshot(self) -> Snapshot:
        return self.table.snapshot


def print_(args: Arguments, desk: Environment) -> CommandResult:
    """Print a page of a campaign: as the players know it, or with everything hidden."""
    kind, name = args.words
    if kind not in _PAGES:
        raise CommandFailed(f"there is no page “{kind}”. The pages are {', '.join(_PAGES)}", USAGE)
    size = args.options.get("--paper", "a4")
    if size not in paper.PAPERS:
        raise CommandFailed(f"--paper must be {' or '.join(paper.PAPERS)}, not “{size}”", USAGE)
    table = open_table(name, desk, to_play=False)
    table.refresh()
    source, (title, make) = _Source(table, "--secrets" in args.options), _PAGES[kind]
    snapshot = source.snapshot
    about = f"{snapshot.system_name} · {desk.now():%d %b %Y}" + (" · with secrets" if source.secrets else "")
    html = paper.page(f"{snapshot.name}: {title}", about, make(source), size)
    if "--output" not in args.options:
        return CommandResult(html.splitlines, lambda: {"ok": True, "html": html})
    path = Path(args.options["--output"])
    try:
        path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise CommandFailed(f"can't write {path}: {describe_error(error)}", FILES) from None
    message = f"Saved {path}. Open it in a browser and print it"
    return CommandResult(lambda: [message], lambda: {"ok": True, "path": str(path)})


def _sheets(source: _Source) -> Iterator[str]:
    panels = source.snapshot.panels if source.secrets else source.table.projection().panels
    return paper.sheets([panel for panel in panels if panel.place in ("ship", "crew")])


def _clocks(source: _Source) -> Iterator[str]:
    sight = source.table.sight(secrets=source.secrets)
    seen = (sight.clock(clock) for clock in source.snapshot.clocks.values() if not clock.closed)
    return paper.clocks(filter(None, seen))


def _cards(source: _Source) -> Iterator[str]:
    sight = source.table.sight(secrets=source.secrets)
    decks = filter(None, map(sight.deck, source.snapshot.decks.values()))
    return paper.cards(decks, source.snapshot.cards.values() if source.secrets else ())


def _tables(source: _Source) -> Iterator[str]:
    return paper.tables(table for table in source.snapshot.tables.values() if table.seen or source.secrets)


def _recap(source: _Source) -> Iterator[str]:
    from waylog.store.shown.recap import recap_text

    return paper.recap(recap_text(source.table.recap(secrets=source.secrets)))


def _keys(source: _Source) -> Iterator[str]:  # noqa: ARG001 - as every page
    from waylog.app.wayfinder_app import WayfinderApp
    from waylog.ui.draw.window_layout_and_key_names import format_keys
    from waylog.ui.key_bindings import all_bindings, view_bindings

    groups: dict[str, list[tuple[str, str]]] = {"In every view": []}
    for id_, binding in all_bindings(WayfinderApp.BINDINGS).items():
        view = id_.partition(".")[0]
        heading = view.capitalize() if "." in id_ and view in view_bindings() else "In every view"
        groups.setdefault(heading, []).append((format_keys(binding.key), binding.tooltip))
    return paper.keys(groups)


def _odds(source: _Source) -> Iterator[str]:
    moves, find_odds = source.table.rolls(secrets=source.secrets)
    return paper.odds(_pools(moves, find_odds))


def _pools(moves: Iterable[Move], find_odds: Callable[[Act], Odds | None]) -> Iterator[tuple[str, Odds]]:
    """Yield the odds of each roll, with each set of options that makes another pool."""
    tried = 0
    for move in moves:
        if not move.rolls or move.blocked or move.verb == "dice":
            continue
        for answers in _sets_of_answers(move.asks):
            tried += 1
            if tried > _MOST_ODDS:
                return
            try:
                odds = find_odds(Act(move, answers))
            except ActRefused:
                continue
            if odds is not None:
                yield odds.dice.partition(": ")[2] or move.label, odds


def _sets_of_answers(asks: Sequence[Ask]) -> Iterator[Answers]:
    """Yield answers to what is asked: the defaults, each single option, and all of the options together."""
    ways: list[list[tuple[str, str | tuple[str, ...] | None]]] = []
    for ask in asks:
        words = (
            [option.word for option in ask.options if not option.blocked] if isinstance(ask, PickOne | PickMany) else []
        )
        if isinstance(ask, PickOne) and len(words) <= _MOST_OPTIONS:
            ways.append([(ask.name, word) for word in words] or [(ask.name, None)])
        elif isinstance(ask, PickMany) and not ask.least:
            several = [(), *((word,) for word in words[:_MOST_OPTIONS])]
            several += [tuple(words[: ask.most])] if 1 < len(words) <= _MOST_OPTIONS else []
            ways.append([(ask.name, chosen) for chosen in several])
    for chosen in product(*ways):
        yield {name: answer for name, answer in chosen if answer is not None}


_PAGES: Mapping[str, tuple[str, Callable[[_Source], Iterator[str]]]] = {
    "sheets": ("ship and crew", _sheets),
    "clocks": ("clocks", _clocks),
    "cards": ("cards", _cards),
    "tables": ("tables", _tables),
    "recap": ("recap", _recap),
    "keys": ("keys", _keys),
    "odds": ("odds", _odds),
}
"""Each page: its title, and what makes it."""
