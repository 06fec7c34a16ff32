"""Commands that look back: `recap`, `luck`, `replay`, `diff`, `branch` and `why`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from waylog.cli.commands_and_options import RECAP_FORMS, Arguments
from waylog.cli.do_undo_and_odds import number_of, put_right
from waylog.cli.pager_and_colours import place_in
from waylog.cli.results_and_crashes import (
    DONE,
    FILES,
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    as_seen_from_here,
    json_output,
    open_table,
    table_in,
    text_output,
)
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.changes import format_path, parse_path
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.files_and_lock import FILE
from waylog.store.log.verification import no_entry_text
from waylog.table import Table
from waylog.toml.document import ABSENT, Document, UnreadableFile, lookup, read_bytes
from waylog.values import replace
from waylog.what_if import WhatIf
from waylog.words.saving_after_commands import save
from waylog.words.sentences import changes_at, names_of

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
    from waylog.store.shown.recap_in_markdown import recap_text

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
        lambda: text_output.why(path, value, place and place_in(file, *place), made_by, names_of(table.snapshot)),
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
