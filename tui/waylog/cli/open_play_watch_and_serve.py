"""The commands that open a campaign for people: `open`, the tutorial, and `play`, which is line mode; for players `watch` and `join`.

They load only what the first screen needs. Where there is no terminal that the app can draw on, `open` is line mode, too. `watch` is a
read-only window: the only campaign file that it opens is `players.toml`. `join` is for a player who acts: it opens only `players.toml`
and the player's own folder in `inbox/`.

The command `serve`: a page for players' phones and the table's screen. It opens only what every program of players opens.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waylog.cli import main
from waylog.cli.commands_and_options import Arguments
from waylog.cli.results_and_crashes import (
    DONE,
    FAILURES,
    FILES,
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    table_in,
)
from waylog.cli.results_and_crashes import report as report_crash
from waylog.rules.model.players_and_permissions import is_key
from waylog.settings import Settings, SettingsFile, read_settings, settings_path
from waylog.table import Table

if TYPE_CHECKING:
    from waylog.app.terminal_driver import Handover
    from waylog.line_mode.loop import LineLoop
    from waylog.store.players.inbox_access_and_phone_keys import ServeStatus


def open_(args: Arguments, desk: Environment) -> CommandResult:
    """Open the app on a campaign; where it can't draw, play line by line."""
    if not main.in_terminal():
        return play(args, desk)
    if "--read-only" in args.options:
        return _run_app(table_in(desk.places.find(args.name, to_play=False), desk, read_only=True), args, desk)
    return _play(desk.places.find(args.name, to_play=True), args, desk)


def start(args: Arguments, desk: Environment) -> CommandResult:
    """Open the app on the last campaign; without one, list what there is, and a new one."""
    if not main.in_terminal():
        return play_last(args, desk)
    folder = desk.places.last()
    return _play(folder, args, desk) if folder else _choose(args, desk)


def new(args: Arguments, desk: Environment) -> CommandResult:
    """Make a new campaign step by step, and open it. This needs a terminal."""
    return _choose(args, desk, new=True, game=args.options.get("--system", ""))


def _choose(args: Arguments, desk: Environment, *, new: bool = False, game: str = "") -> CommandResult:
    from waylog.app.campaign_choice import choose_campaign
    from waylog.app.terminal_driver import Handover

    theme, chosen = args.options.get("--theme"), settings_of_user()
    opens = partial(table_in, desk=desk)
    with Handover() as handover:
        table = choose_campaign(desk.places, opens, theme, chosen, handover, now=desk.now(), new=new, game=game)
        return _empty_result() if table is None else _play_table(table, args, desk, handover)


def learn(args: Arguments, desk: Environment) -> CommandResult:
    """Open the tutorial where it was left. One that is over starts again."""
    if not main.in_terminal():
        raise CommandFailed("the tutorial needs a terminal. Without one, use `waylog play` to play line by line", USAGE)
    from waylog.app.tutorial import open_tutorial

    again = "--again" in args.options
    return _run_app(
        open_tutorial(desk.places.tutorial, partial(table_in, desk=desk), desk.now(), again=again), args, desk
    )


def _play(folder: Path, args: Arguments, desk: Environment) -> CommandResult:
    return _play_table(table_in(folder, desk), args, desk)


def _play_table(table: Table, args: Arguments, desk: Environment, handover: Handover | None = None) -> CommandResult:
    with suppress(OSError):  # Only the next bare `waylog` would have used it.
        desk.places.remember(table.folder)
    return _run_app(table, args, desk, handover)


def _run_app(table: Table, args: Arguments, desk: Environment, handover: Handover | None = None) -> CommandResult:
    """Run the app. A `handover` is from the list in which the campaign was chosen."""
    from waylog.app.campaign_loop import run
    from waylog.app.terminal_driver import Handover

    theme, settings = args.options.get("--theme"), settings_of_user()
    with handover or Handover() as passed:
        code = run(table, passed, theme=theme, places=desk.places, chosen=settings)
    return _empty_result(code)


def settings_of_user() -> SettingsFile | None:
    """Return the person's settings; None for an account without a home."""
    path = settings_path()
    return read_settings(path) if path else None


def _empty_result(code: int = 0) -> CommandResult:
    """Return a result without output."""
    return CommandResult(tuple, lambda: {"ok": code == 0}, code=code)


_LOOK = 0.5
"""Seconds between two looks at the file."""


def watch(args: Arguments, desk: Environment) -> CommandResult:
    """Show what players see of a campaign, or one of them, as it is played: on a screen, as sentences, or as values for a program."""
    player, folder = args.options.get("--as", ""), players_folder(args.name, desk)
    if player:
        player = _find_player(args.name, folder, player, desk)
    if args.json:
        return _print_changes(folder, player, desk)
    if "--lines" in args.options:
        from waylog.line_mode.loop import LineLoop
        from waylog.line_mode.players import PlayersSpeaker

        _follow(LineLoop(PlayersSpeaker(folder, player)), announce=True, goes_on=True)
        return _empty_result()
    if not main.in_terminal():
        raise CommandFailed("the players' view needs a terminal (over SSH: `ssh -t`). Without one, add --lines", USAGE)
    from waylog.app.players_apps_and_phones import watch as look_on

    theme, for_table = args.options.get("--theme"), "--table" in args.options
    return _empty_result(look_on(folder, player, for_table=for_table, theme=theme, chosen=settings_of_user()))


def players_folder(name: str, desk: Environment) -> Path:
    """Return the campaign's folder. An example is copied when it is first played."""
    found = desk.places.find(name, to_play=False)
    return desk.places.campaigns / found.name if found.parent == desk.places.examples else found


def _print_changes(folder: Path, player: str, desk: Environment) -> CommandResult:
    """Print everything that players see, or one of them, at once and again with every change, until the reader leaves."""
    import json
    import select

    from waylog.cli.json_output import failure, players_change
    from waylog.line_mode.players import GONE, PlayersChange, look_for_change
    from waylog.store.players.players_file import NOT_YET, FollowedFile

    file, reported = FollowedFile(folder, GONE, player), ""
    change = look_for_change(file)
    if file.seen is None:
        # Nobody plays it now. Whoever may read the campaign needn't wait for that.
        with suppress(*FAILURES):
            file.seen = table_in(folder, desk, read_only=True).projection(player)
            change = PlayersChange(file.seen, file.seen.log, taken_back=False)
    reader = select.poll()
    reader.register(sys.stdout.fileno(), 0)
    while True:
        trouble = file.trouble or ("" if file.seen else NOT_YET)
        if change:
            main.print_lines([json.dumps(players_change(change))])
        elif trouble != reported and trouble:
            main.print_lines([json.dumps(failure(CommandFailed(trouble.rstrip("."), FILES)))])
        reported = trouble
        if reader.poll(_LOOK * 1000):
            raise main.OutputClosed(DONE)
        change = look_for_change(file)


def join(args: Arguments, desk: Environment) -> CommandResult:
    """Open the window of a player."""
    folder = players_folder(args.name, desk)
    player = _find_player(args.name, folder, args.options.get("--as", ""), desk)
    from waylog.store.players.own_proposals_and_notes import PrivateNotes

    notes = PrivateNotes(desk.places.state, folder, player)
    if "--lines" in args.options or not main.in_terminal():
        from waylog.line_mode.loop import LineLoop
        from waylog.line_mode.players import JoinSpeaker

        loop = LineLoop(JoinSpeaker(folder, player, notes))
        _follow(loop, announce=True)
        return CommandResult(tuple, lambda: {"ok": loop.code == 0}, code=0 if main.is_typed() else loop.code)
    from waylog.app.players_apps_and_phones import join as play_along

    return _empty_result(
        play_along(folder, player, notes, theme=args.options.get("--theme"), chosen=settings_of_user())
    )


def _find_player(name: str, folder: Path, wanted: str, desk: Environment) -> str:
    """Return the key of the player with that key or that name. Raises `CommandFailed` if the campaign has no such player. Before the
    wayfinder has opened it, whoever may not read the campaign itself is taken at their word.
    """
    from waylog.line_mode.players import GONE
    from waylog.store.players.players_file import FollowedFile

    file = FollowedFile(folder, GONE)
    file.look()
    if file.seen is None:
        with suppress(*FAILURES):
            file.seen = table_in(desk.places.find(name, to_play=False), desk, read_only=True).projection()
    people = file.seen.players if file.seen else ()
    named = [one.key for one in people if wanted and wanted.casefold() in (one.key, one.name.casefold())]
    if wanted in named or len(named) == 1:
        return wanted if wanted in named else named[0]
    if not is_key(wanted):
        raise CommandFailed("say who you are, for example: waylog join CAMPAIGN --as mara", USAGE)
    if file.seen is None:
        return wanted
    raise CommandFailed(no_such_player(wanted, [one.key for one in people]), USAGE)


def no_such_player(wanted: str, known: Sequence[str]) -> str:
    """Return that the campaign has no player of that key, with the nearest key, or with those that there are."""
    from waylog.rules.language.similar_names import nearest

    if near := nearest(wanted, known):
        return f"this campaign has no player “{wanted[:40]}”. Did you mean {near}?"
    there = f"Its players: {', '.join(known)}" if known else "It has no players yet"
    key = wanted if is_key(wanted) else "ana"
    return f"this campaign has no player “{wanted[:40]}”. {there}. The wayfinder can add [players.{key}] to the campaign file"


_LEAST_WIDTH = 40
"""The least width in which lines are wrapped."""
_INPUT = 0


def play(args: Arguments, desk: Environment) -> CommandResult:
    """Play a campaign line by line, from standard input."""
    _refuse_json(args)
    read_only = "--read-only" in args.options
    folder = desk.places.find(args.name, to_play=not read_only)
    return _play_in(folder, desk, read_only=read_only)


def play_last(args: Arguments, desk: Environment) -> CommandResult:
    """Play the campaign that was opened last."""
    _refuse_json(args)
    folder = desk.places.last()
    if folder is None:
        there = ", ".join((*desk.places.campaign_names(), *desk.places.uncopied_examples()))
        raise CommandFailed(
            f"no campaign has been opened yet. Type `waylog play NAME` with one of these names: {there}", USAGE
        )
    return _play_in(folder, desk)


def _refuse_json(args: Arguments) -> None:
    if args.json:
        raise CommandFailed("--json doesn't work in line mode. Programs can use `waylog do NAME WORDS --json`", USAGE)


def _play_in(folder: Path, desk: Environment, *, read_only: bool = False) -> CommandResult:
    """Play the campaign in a folder until the input ends. If no person typed the lines, the exit code is that of the first line that
    failed.
    """
    from waylog.line_mode.loop import LineLoop
    from waylog.line_mode.wayfinder import Wayfinder
    from waylog.words.saving_after_commands import save

    path = settings_path()
    settings = read_settings(path).settings if path else Settings()
    table = table_in(folder, desk, read_only=read_only)
    if not read_only:
        with suppress(OSError):  # Only the next `waylog` without arguments needs it.
            desk.places.remember(table.folder)
    wayfinder = Wayfinder(table, real_dice=settings.dice == "real")
    loop = LineLoop(wayfinder)
    try:
        _follow(loop, announce=settings.announce, attend=wayfinder.attend)
    finally:
        wayfinder.end()
    if not read_only:
        save(table)
    return CommandResult(tuple, lambda: {"ok": True}, code=0 if main.is_typed() else loop.code)


def _follow(
    loop: LineLoop, *, announce: bool, goes_on: bool = False, attend: Callable[[], object] | None = None
) -> None:
    """Run a loop on standard input and output. With `goes_on`, the end of the input doesn't end it. `attend` is called every second
    while nothing is announced.
    """
    from waylog.line_mode.loop import run

    person = main.is_typed()

    def write(lines: Sequence[str], behind: str) -> None:
        main.print_lines([part for line in lines for part in _wrap(line)], behind)

    with suppress(OSError):  # An input that can't be read has ended.
        looks = (person and announce) or goes_on
        run(loop, _INPUT, write, prompts=person, looks=looks, goes_on=goes_on and not person, attend=attend)


def _wrap(line: str) -> Iterator[str]:
    """Wrap a line for a terminal. A narrow terminal, and anything else, gets the whole line."""
    try:
        width = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout and sys.stdout.isatty() else 0
    except (OSError, ValueError):
        width = 0
    if not _LEAST_WIDTH < width < len(line):
        yield line
        return
    from textwrap import wrap

    yield from wrap(line, width - 1, break_long_words=False, break_on_hyphens=False)


_ON_THE_NETWORK = "Anyone on the local network can reach this server and read what phones send and receive. docs/phones.md explains how to prevent that."


def serve(args: Arguments, desk: Environment) -> CommandResult:
    """Serve the page until somebody ends it, or the session ends. On a terminal, show the codes."""
    from waylog.store.players.inbox_access_and_phone_keys import why_no_phones

    if why_not := why_no_phones():
        raise CommandFailed(why_not, USAGE)
    folder, options = players_folder(args.name, desk), args.options
    port = _read_port(options.get("--port"))
    if main.in_terminal() and not args.json:
        from waylog.app.players_apps_and_phones import PhonesProcess, show_codes

        theme = options.get("--theme")
        words = ["--keep"] if "--keep" in options else []
        words += [word for name in ("--port", "--address") if name in options for word in (name, options[name])]
        phones = PhonesProcess(folder, desk.places.state, words)
        return CommandResult(
            tuple, dict, code=show_codes(phones, lan="--lan" in options, theme=theme, chosen=settings_of_user())
        )
    if "--lan" in options:
        main.complain([_ON_THE_NETWORK])
    return _serve_here(folder, port, args, desk)


def _serve_here(folder: Path, port: int | None, args: Arguments, desk: Environment) -> CommandResult:
    """Serve in this process, and print the addresses whenever they are different, until nobody reads them any more."""
    import asyncio
    import json
    import select
    import signal

    from waylog.serve.connections_requests_and_login import PortTaken, ServeOptions, Server, be_modest

    options, reader = args.options, select.poll()
    reader.register(sys.stdout.fileno(), select.POLLOUT)

    def report(status: ServeStatus) -> bool:
        if not reader.poll(0):  # Whoever reads this is busy. No phone waits for that.
            return False
        if args.json:
            addresses = [each._asdict() for each in status.addresses]
            data = {"url": status.url, "lan": "--lan" in options, "addresses": addresses, "trouble": status.trouble}
            main.print_lines([json.dumps({"ok": True, **data})])
        elif (new := {each[:3] for each in status.addresses}) - shown:
            main.print_lines(f"{each.name}: {each.url}" for each in status.addresses if each[:3] not in shown)
            shown.update(new)
        return True

    def note_crash(_: object, context: Mapping[str, Any]) -> None:
        """Report the first fault of ours. It has cost one phone its connection, and the others go on."""
        error = context.get("exception")
        if isinstance(error, Exception) and not crashes:
            crashes.append(report_crash(type(error), error, error.__traceback__, os.environ))
            main.complain(crashes)

    async def run() -> None:
        chosen = ServeOptions("--lan" in options, port, "--keep" in options, options.get("--address", ""))
        server = Server(folder, desk.places.state, chosen, report)
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(note_crash)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, server.end)
        loop.add_signal_handler(signal.SIGUSR1, server.look_soon)
        if stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode):
            loop.add_reader(sys.stdout.fileno(), server.end)  # Nobody reads from it any more.
        await server.run()

    crashes, shown = list[str](), set[tuple[str, str, str]]()
    be_modest()
    try:
        asyncio.run(run())
    except PortTaken as taken:
        raise CommandFailed(str(taken), FILES) from None
    return CommandResult(tuple, lambda: {"ok": True})


def _read_port(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and int(text) < 65536):
        raise CommandFailed("--port must be a number up to 65535", USAGE)
    return int(text)
