"""The command `serve`: a page for players' phones and the table's screen. It opens only what every program of players opens."""

from __future__ import annotations

import json
import os
import select
import signal
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from waylog.cli import main
from waylog.cli.commands_and_options import Arguments
from waylog.cli.open_play_and_watch import players_folder, settings_of_user
from waylog.cli.results_and_crashes import FILES, USAGE, CommandFailed, CommandResult, Environment
from waylog.cli.results_and_crashes import report as report_crash
from waylog.store.players.inbox_access_and_phone_keys import ServeStatus, why_no_phones

_ON_THE_NETWORK = "Anyone on the local network can reach this server and read what phones send and receive. docs/phones.md explains how to prevent that."


def serve(args: Arguments, desk: Environment) -> CommandResult:
    """Serve the page until somebody ends it, or the session ends. On a terminal, show the codes."""
    if why_not := why_no_phones():
        raise CommandFailed(why_not, USAGE)
    folder, options = players_folder(args.name, desk), args.options
    port = _read_port(options.get("--port"))
    if main.in_terminal() and not args.json:
        from waylog.app.phones import PhonesProcess, show_codes

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

    from waylog.serve.server_requests_and_login import PortTaken, ServeOptions, Server, be_modest

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
