"""The command `serve`: a page for players' phones and the table's screen. It opens only what every program of players opens."""

from __future__ import annotations

import select
import signal
import sys
from importlib.util import find_spec

from waylog.cli import main
from waylog.cli.commands_and_options import Arguments
from waylog.cli.results_and_crashes import FILES, USAGE, CommandFailed, CommandResult, Environment
from waylog.cli.windows import players_folder

NEEDS = ("h11", "segno")
_INSTALL = "phones need two more packages; type: pip install 'waylog[serve]'"
_ON_THE_NETWORK = "Whoever is in the local network can reach this, and can read what phones send and get. docs/phones.md says how to close that."


def serve(args: Arguments, desk: Environment) -> CommandResult:
    """Serve the page until somebody ends it, or the session ends."""
    if not all(map(find_spec, NEEDS)):
        raise CommandFailed(_INSTALL, USAGE)
    import asyncio

    from waylog.serve.server import PortTaken, ServeOptions, Server, ServeStatus, be_modest

    folder, options = players_folder(args.name, desk), args.options
    reader = select.poll()
    reader.register(sys.stdout.fileno(), 0)

    def report(status: ServeStatus) -> None:
        if args.json:
            import json

            addresses = [each._asdict() for each in status.addresses]
            lan = "--lan" in options
            main.print_lines([json.dumps({"ok": True, "url": status.url, "lan": lan, "addresses": addresses})])
        else:
            main.print_lines(f"{each.name}: {each.url}" for each in status.addresses)

    async def run() -> None:
        chosen = ServeOptions(
            "--lan" in options, _read_port(options.get("--port")), "--keep" in options, options.get("--address", "")
        )
        server = Server(folder, desk.places.state, chosen, report)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, server.end)
        await server.run(lambda: not reader.poll(0))

    if "--lan" in options:
        main.complain([_ON_THE_NETWORK])
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
        raise CommandFailed("a port is a number up to 65535", USAGE)
    return int(text)
