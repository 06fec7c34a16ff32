"""The command `completion`: prints the script that a shell completes `waylog` with, and answers that script.

The script asks the program itself at each Tab, because only the program knows the campaigns and what can be done in one of them.
So it needs no update when a command is added.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from waylog.cli.commands_and_options import (
    COLOUR,
    COLOUR_CHOICES,
    COMMANDS,
    MANY,
    RECAP_FORMS,
    SHORT,
    START,
    Arguments,
    Subcommand,
    is_option,
    option_of,
    options_of,
)
from waylog.cli.results_and_crashes import FAILURES, USAGE, CommandFailed, CommandResult, Environment, open_table
from waylog.rules.codec.changes import join_names
from waylog.signs import is_visible

SCRIPTS: Mapping[str, str] = {"bash": "waylog.bash", "zsh": "_waylog", "fish": "waylog.fish"}
"""The file in `shells/` for each shell."""
_ASKED = "words"
"""The first word of the scripts' own question; the words typed so far follow it, the one under the cursor last."""
_PARTED = "   /   "
"""Parts a word from its meaning. No tab, because what Waylog prints has none, and with a slash, which no name of a campaign has."""
_LATEST_ENTRIES = 20

Candidate = tuple[str, str]
"""A word that may come next, and what it means."""


class Typed(NamedTuple):
    """The arguments that are typed before the word under the cursor."""

    arguments: Arguments
    open_option: str
    """The option whose value comes next, if any."""
    desk: Environment


def completion(args: Arguments, desk: Environment) -> CommandResult:
    """Print a shell's script, or the words that may come next, each with its meaning behind `_PARTED`."""
    shell, *words = args.words
    if shell == _ASKED:
        found = list(candidates(words or [""], desk))
        # A word with a line break or another control character would be another one in a line of text.
        lines = (_PARTED.join(filter(None, one)) for one in found if is_visible(one[0]))
        return CommandResult(lambda: [*lines], lambda: {"ok": True, "words": dict(found)})
    if shell not in SCRIPTS or words:
        raise CommandFailed(
            f"no script for “{' '.join(args.words)}”: Waylog has scripts for {join_names(SCRIPTS)}", USAGE
        )
    script = (Path(__file__).parent / "shells" / SCRIPTS[shell]).read_text(encoding="utf-8")
    return CommandResult(script.splitlines, lambda: {"ok": True, "script": script})


def candidates(typed: Sequence[str], desk: Environment) -> Iterator[Candidate]:
    """Yield the words that the last one of `typed` may become. A campaign that can't be read gives none."""
    *before, begun = typed
    state = _read_line(before, desk)
    command = next((one for one in (START, *COMMANDS) if one.name == (state.arguments.words or ("",))[0]), None)
    found: Iterable[Candidate]
    if state.open_option:
        found = _option_values(state.open_option, state)
    elif begun.startswith("-"):
        option, equals, _ = begun.partition("=")
        given = state.arguments.options
        all_options = options_of(command or START)
        found = (
            ((f"{option}={value}", about) for value, about in _option_values(option, state))
            if equals
            else ((name, about) for name, (_, about) in all_options.items() if name not in given)
        )
    elif not state.arguments.words:
        found = ((one.name, one.about) for one in COMMANDS)
    else:
        found = _words(command, state) if command else ()
    seen = set[str]()
    with suppress(*FAILURES):
        for word, about in found:
            if word.casefold().startswith(begun.casefold()) and word not in seen:
                seen.add(word)
                yield word, about


def _read_line(before: Sequence[str], desk: Environment) -> Typed:
    """Return what an unfinished line has so far. Nothing in it is wrong yet."""
    words: list[str] = []
    options: dict[str, str] = {}
    open_option = ""
    waiting = list(before)
    while waiting:
        option, is_there, value = waiting.pop(0).partition("=")
        option = SHORT.get(option, option)
        if not is_option(option):
            words.append(f"{option}{is_there}{value}")
        elif option_of(words[0] if words else "", option)[0] and not is_there:
            if waiting:
                options[option] = waiting.pop(0)
            else:
                open_option = option
        else:
            options[option] = value
    if folder := options.get("--dir"):
        from waylog.store.folders_and_recent import locations

        desk = desk._replace(places=locations(folder, os.environ))
    return Typed(Arguments(tuple(words), options), open_option, desk)


def _option_values(option: str, typed: Typed) -> Iterator[Candidate]:
    if option == "--system":
        yield from _systems()
    elif option == "--as" and typed.arguments.words[:1] == ("recap",):
        yield from ((form, "") for form in RECAP_FORMS)
    elif option == COLOUR:
        yield from ((when, "") for when in COLOUR_CHOICES)
    elif option == "--theme":
        from waylog import themes

        yield from themes.names().items()
    elif typed.arguments.words[:1] == ("log",) and len(typed.arguments.words) > 1:
        from waylog.store.log.search_and_filters import FILTERS, Filterable

        table = open_table(typed.arguments.words[1], typed.desk, to_play=False)
        snapshot = table.snapshot
        there = Filterable(table.log_search(), snapshot.panels, snapshot.players, snapshot.sessions)
        for each in FILTERS:
            if each.option == option:
                yield from ((choice.word, choice.about) for choice in each.choices(there))


def _words(command: Subcommand, typed: Typed) -> Iterator[Candidate]:
    """Yield what may stand in the next place of a command, as its usage says."""
    places = word_places(command)
    number = len(typed.arguments.words) - 1
    if number >= len(places) and command.most == MANY:
        number = len(places) - 1
    for place in places[number:]:
        for name in place.names:
            if name in _VALUES:
                yield from _VALUES[name](typed)
            elif name.islower():
                yield name, ""
        if not place.is_optional:
            return


class Place(NamedTuple):
    """One place for a word in a command's usage."""

    names: tuple[str, ...]
    """CAMPAIGN, or the words themselves, as in keep|take."""
    is_optional: bool


def word_places(command: Subcommand) -> tuple[Place, ...]:
    """Return the places for words in a command's usage, without its options."""
    without_options = re.sub(r"\[?(--\w[\w-]*|-n)( [A-Z0-9][\w,]*)?\]?", "", command.takes)
    found = re.findall(r"(\[?)([A-Z]{2,}|[a-z]+(?:\|[a-z]+)+)", without_options)
    return tuple(Place(tuple(names.split("|")), bool(bracket)) for bracket, names in found)


def _campaigns(typed: Typed) -> Iterator[Candidate]:
    places = typed.desk.places
    yield from ((name, "campaign") for name in places.campaign_names())
    yield from ((name, "example") for name in places.uncopied_examples())


def _systems(typed: Typed | None = None) -> Iterator[Candidate]:  # noqa: ARG001 - as all of them
    from waylog.rules.systems import names, system
    from waylog.store.games.game_files import good_games

    yield from ((name, system(name).name) for name in names())
    yield from ((found.system.id, found.system.name) for found in good_games())


def _games(typed: Typed) -> Iterator[Candidate]:  # noqa: ARG001 - as all of them
    from waylog.store.games.game_files import list_games

    yield from ((path.parent.name, str(path)) for path in list_games())


def _acts(typed: Typed) -> Iterator[Candidate]:
    """Yield the next words of an action, as the app's own command line would."""
    _, campaign, *words = typed.arguments.words
    line = "".join(f'"{word}" ' if " " in word else f"{word} " for word in words)
    table = open_table(campaign, typed.desk, to_play=False)
    yield from ((one.word, one.label) for one in table.complete(line) if not one.blocked)
    waiting = table.snapshot.proposals
    if not words:
        yield from (("proposals", "What players propose"), ("pause", "Pause the game on every screen"))
        yield from (("play", "Play a proposal"), ("decline", "Decline a proposal")) if waiting else ()
    elif words in (["play"], ["decline"]):
        yield from ((str(number), each.summary) for number, each in enumerate(waiting, 1))
    elif words == ["pause"]:
        yield "end", "Resume the game"


def _entries(typed: Typed) -> Iterator[Candidate]:
    table = open_table(typed.arguments.words[1], typed.desk, to_play=False)
    yield from ((str(entry.number), entry.title or entry.words) for entry in islice(table.latest(), _LATEST_ENTRIES))


def _sessions(typed: Typed) -> Iterator[Candidate]:
    snapshot = open_table(typed.arguments.words[1], typed.desk, to_play=False).snapshot
    yield from ((number, session.title) for number, session in snapshot.sessions.items())


def _versions(typed: Typed) -> Iterator[Candidate]:
    table = open_table(typed.arguments.words[1], typed.desk, to_play=False)
    yield from ((version, "") for version in table.versions())


def _values(typed: Typed) -> Iterator[Candidate]:
    from waylog.cli.recap_luck_diff_and_why import value_paths
    from waylog.rules.codec.changes import format_path
    from waylog.store.files_and_lock import FILE
    from waylog.toml.document import Document, read_bytes

    folder = typed.desk.places.find(typed.arguments.words[1], to_play=False)
    tree = Document.parse(read_bytes(folder / FILE), FILE).tree
    yield from ((format_path(path), "") for path in value_paths(tree))


def _rules(typed: Typed) -> Iterator[Candidate]:
    from waylog.cli.help_and_rules import find_reference

    # The command itself is the first word.
    arguments = typed.arguments._replace(words=typed.arguments.words[1:])
    _, reference, *_ = find_reference(arguments, typed.desk)
    yield from ((id_, clause.title) for id_, clause in reference.clauses.items())


def _topics(typed: Typed) -> Iterator[Candidate]:  # noqa: ARG001 - as all of them
    yield from ((command.name, command.about) for command in COMMANDS)


def _kit(typed: Typed) -> Iterator[Candidate]:
    from waylog.store.kit import kit_for

    table = open_table(typed.arguments.words[1], typed.desk, to_play=False)
    yield from ((item.key, item.name) for item in kit_for(table.game) if item.key not in typed.arguments.words)


_VALUES: Mapping[str, Callable[[Typed], Iterator[Candidate]]] = {
    "CAMPAIGN": _campaigns,
    "ENTRY": _entries,
    "GAME": _games,
    "RULE": _rules,
    "SESSION": _sessions,
    "SYSTEM": _systems,
    "THING": _kit,
    "VALUE": _values,
    "VERSION": _versions,
    "WORD": _topics,
    "WORDS": _acts,
}
"""What may stand for each name in a usage line. A name that is missing here is a person's own to choose."""
