"""The command `join`, for a player who acts. It opens only `players.toml` and the player's own folder in `inbox/`."""

from __future__ import annotations

from pathlib import Path

from waylog.cli import streams
from waylog.cli.arguments import Arguments
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment
from waylog.cli.watch import players_folder
from waylog.rules.common.people import is_key
from waylog.settings import read_settings, settings_path


def join(args: Arguments, desk: Environment) -> CommandResult:
    """Open the window of a player."""
    player = args.options.get("--as", "")
    if not is_key(player):
        raise CommandFailed("say who you are, as in: waylog join CAMPAIGN --as mara", USAGE)
    folder = players_folder(args.name, desk)
    _check_player(folder, player)
    if "--lines" in args.options or not streams.in_terminal():
        from waylog.cli.line_mode import follow
        from waylog.lines.join import JoinSpeaker
        from waylog.lines.loop import LineLoop

        loop = LineLoop(JoinSpeaker(folder, player))
        follow(loop, announce=True)
        return CommandResult(tuple, lambda: {"ok": loop.code == 0}, code=0 if streams.is_typed() else loop.code)
    from waylog.app.join_app import join as play_along

    path = settings_path()
    chosen = read_settings(path) if path else None
    code = play_along(folder, player, theme=args.options.get("--theme"), chosen=chosen)
    return CommandResult(tuple, lambda: {"ok": code == 0}, code=code)


def _check_player(folder: Path, player: str) -> None:
    """Raise `CommandFailed` if the campaign has no such player. Before the wayfinder has opened it, nobody knows."""
    from waylog.lines.players import PlayersFile

    file = PlayersFile(folder)
    file.look()
    if file.seen is None or any(each.key == player for each in file.seen.players):
        return
    known = ", ".join(each.key for each in file.seen.players) or "nobody yet"
    raise CommandFailed(
        f"this campaign has no player {player}. Its players: {known}. "
        f"The wayfinder can add [players.{player}] to the campaign file",
        USAGE,
    )
