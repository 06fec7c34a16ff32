"""The entry point of the command line: it calls one command of `waylog.cli` and prints the result. It imports only what
that command needs.

The standard streams: whether they are a terminal, and writing to them. They escape control characters, and accept a closed pipe.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from waylog import __version__, signs
from waylog.cli.commands_and_options import (
    COLOUR,
    PAGED,
    Arguments,
    Subcommand,
    UnknownCommand,
    UsageError,
    help_of,
    help_of_all,
    parse_arguments,
)
from waylog.signs import escape_controls

if TYPE_CHECKING:
    from datetime import datetime
    from types import TracebackType

    from waylog.cli.pager_and_colours import Line
    from waylog.cli.results_and_crashes import CommandFailed, CommandResult, Environment
    from waylog.rules.model.dice import Dice


class OutputClosed(Exception):
    """The output can't be written. The exception has the exit code. The command itself is done."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def is_typed() -> bool:
    """Whether a person types at a terminal. Python has no standard input if it was closed before the start."""
    return sys.stdin is not None and sys.stdin.isatty()


def is_terminal() -> bool:
    """Whether both standard input and standard output are a terminal."""
    return is_typed() and sys.stdout is not None and sys.stdout.isatty()


def in_terminal() -> bool:
    """Whether there is a terminal that the app can draw on."""
    return is_terminal() and os.environ.get("TERM", "dumb") != "dumb"


def print_lines(lines: Iterable[Line], behind: str = "") -> None:
    """Write to standard output in one piece. `behind` is written last, without a line end. Raises `OutputClosed`."""
    _write(sys.stdout, lines, behind)


def complain(lines: Iterable[Line], draw: Callable[[Line], str] | None = None) -> None:
    """Write to standard error, with colours if `draw` gives them. Raises `OutputClosed`."""
    _write(sys.stderr, lines, draw=draw)


def _plain(line: Line) -> str:
    return escape_controls(line if isinstance(line, str) else "".join(line))


def _write(
    stream: TextIO | None, lines: Iterable[Line], behind: str = "", draw: Callable[[Line], str] | None = None
) -> None:
    text = "".join(f"{(draw or _plain)(line)}\n" for line in lines) + behind
    if not text or stream is None:
        return
    try:
        stream.write(signs.to_charset(text, stream.encoding))
        stream.flush()
    except BrokenPipeError:
        # The reader has closed the pipe.
        _silence_stream(stream)
        raise OutputClosed(0) from None
    except OSError as error:
        _silence_stream(stream)
        if stream is sys.stdout:
            complain([f"waylog: can't write the output: {(error.strerror or str(error)).lower()}"])
        raise OutputClosed(1) from None


def _silence_stream(stream: TextIO) -> None:
    """Stop all output to a stream, including what Python writes when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


_USAGE, _INTERRUPTED = 2, 130


def program() -> NoReturn:
    """The program `waylog`: run the command and end the process."""
    code = main()
    # Everything is written. Python's own shutdown would take apart every module while the shell waits.
    os._exit(code)


def main(
    argv: Sequence[str] | None = None, *, now: Callable[[], datetime] | None = None, chance: Dice | None = None
) -> int:
    """Run one command and return its exit code. `now` and `chance` are the clock and the dice it uses."""
    typed = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        sys.excepthook = _report_crash
        # A command ends before garbage collection would be worth it; the app turns it on again.
        gc.disable()
        # Waylog doesn't use a network. asyncio imports this library if it can, which takes four megabytes and a
        # thirtieth of the app's start-up time; asyncio works without it.
        sys.modules["ssl"] = None  # type: ignore[assignment]
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=signs.register())
    try:
        return _run(typed, now, chance)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OutputClosed as trouble:
        return trouble.code


def _run(typed: list[str], now: Callable[[], datetime] | None, chance: Dice | None) -> int:
    if typed and (typed[0] in ("-h", "--help") or typed == ["help"]):
        return _print(help_of_all())
    if typed and typed[0] in ("-V", "--version"):
        return _print([f"waylog {__version__}"])
    try:
        command, arguments = parse_arguments(typed)
    except UsageError as wrong:
        meant = isinstance(wrong, UnknownCommand) and _campaign_hint(wrong)
        reason = meant or str(wrong)
        complain(f"waylog: {reason}".splitlines())
        if "--json" in typed:
            _print([_json({"ok": False, "error": reason.partition("\n")[0], "clause": None})])
        return _USAGE
    if "--help" in arguments.options:
        return _print(help_of(command))
    return _run_and_print(command, arguments, now, chance)


def _campaign_hint(wrong: UnknownCommand) -> str:
    """Return how to open the campaign whose name was typed in place of a command; empty if there is no such campaign."""
    import shlex

    from waylog.store.folders_and_recent import InvalidName, locations

    try:
        places = locations(wrong.directory, os.environ)
        known = {*places.campaign_names(), *places.uncopied_examples()}
    except (InvalidName, OSError):
        return ""
    if wrong.word not in known:
        return ""
    return f"“{wrong.word}” is a campaign. To open it, type: waylog open {shlex.quote(wrong.word)}"


def _run_and_print(
    command: Subcommand, arguments: Arguments, now: Callable[[], datetime] | None, chance: Dice | None
) -> int:
    """Run the command and print its result. Every error has a message and an exit code."""
    from waylog.cli.results_and_crashes import FAILURES, describe_failure

    module, name = command.place.split()
    try:
        function: Callable[[Arguments, Environment], CommandResult] = getattr(
            import_module(f"waylog.cli.{module}"), name
        )
        answer = function(arguments, _desk(arguments.options.get("--dir"), now, chance))
    except FAILURES as error:
        return _fail(describe_failure(error), arguments)
    complain(answer.warnings)
    if arguments.json:
        return _print([_json(answer.data())], answer.code)
    choice = arguments.options.get(COLOUR, "auto")
    if sys.stdout is None or (choice != "always" and not sys.stdout.isatty()):
        return _print(answer.lines(), answer.code)
    from waylog.cli import pager_and_colours  # Only a terminal needs them.

    lines, coloured = [*answer.lines()], pager_and_colours.wants_colour(sys.stdout, choice, os.environ)
    if not (
        command.name in PAGED and pager_and_colours.show(lines, sys.stdout, coloured=coloured, environment=os.environ)
    ):
        _write(sys.stdout, lines, draw=partial(pager_and_colours.draw, links=True) if coloured else None)
    return answer.code


def _desk(directory: str | None, now: Callable[[], datetime] | None, chance: Dice | None) -> Environment:
    from datetime import datetime

    from waylog.cli.results_and_crashes import Environment
    from waylog.rules.model.dice import ChanceDice
    from waylog.store.folders_and_recent import locations

    return Environment(
        locations(directory, os.environ), now or (lambda: datetime.now().astimezone()), chance or ChanceDice(_below)
    )


def _below(count: int) -> int:
    """Return a number below `count`, each equally likely, from the operating system."""
    while True:
        drawn = int.from_bytes(os.urandom(8), "big")
        if drawn < 2**64 - 2**64 % count:
            return drawn % count


def _fail(failed: CommandFailed, arguments: Arguments) -> int:
    """Report why the command failed, to a person or to a program."""
    if failed.problems is None:
        complain([f"waylog: {failed.reason}"])
    else:
        from waylog.cli.pager_and_colours import draw, problem_line, wants_colour
        from waylog.cli.results_and_crashes import count_advice

        coloured = wants_colour(sys.stderr, arguments.options.get(COLOUR, "auto"), os.environ)
        show = partial(draw, links=True) if coloured else None
        complain(map(problem_line, failed.problems), show)
        if failed.advice:
            complain([f"The game also has {count_advice(failed.advice)}:"])
            complain(map(problem_line, failed.advice), show)
    if arguments.json:
        from waylog.cli.json_output import failure

        _print([_json(failure(failed))])
    return failed.code


def _json(data: Mapping[str, Any]) -> str:
    """Return one line of JSON. Everything but ASCII is escaped, so that nothing can break the line or change its
    colour.
    """
    import json

    return json.dumps(data)


def _print(lines: Iterable[Line], code: int = 0) -> int:
    """Write to standard output in one piece, and return `code`. Raises `OutputClosed`."""
    print_lines(lines)
    return code


def _report_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Report an unexpected error: the details go to a file, and the person is told where."""
    from waylog.cli.results_and_crashes import report

    complain([report(kind, error, trace, os.environ)])
