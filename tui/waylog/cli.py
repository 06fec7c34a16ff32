"""The command line. Parses, hands over to one of `waylog.commands`, prints the answer; imports what that one needs."""

from __future__ import annotations

import gc
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TextIO

from waylog import __version__
from waylog.campaign.shown import shown

if TYPE_CHECKING:
    from datetime import datetime
    from types import TracebackType

    from waylog.commands.answer import Answer, Desk, Failed
    from waylog.rules.dice import Dice

DEFAULT_SYSTEM = "veil-core"
_USAGE, _INTERRUPTED = 2, 130
_LOG_ENTRIES = 20
_WITH_VALUE = ("--dir", "--theme", "--system", "--dice", "-n", "--number")


class Command(NamedTuple):
    """One command: where its function is, what it takes, and what it is for."""

    name: str
    place: str
    """`module function` in `waylog.commands`."""
    takes: str
    about: str


COMMANDS = (
    Command("open", "campaigns open_", "CAMPAIGN", "the app on a campaign: a name or a folder"),
    Command("new", "campaigns new", "NAME [--system ID]", "a new campaign, commented for hand editing"),
    Command("systems", "about systems", "", "the rule systems"),
    Command("moves", "acts moves", "CAMPAIGN", "what can be done now, and what can't and why"),
    Command("do", "acts do", "CAMPAIGN WORDS… [--dice 3,5,6]", "one act"),
    Command("odds", "acts odds", "CAMPAIGN WORDS…", "the exact chances of a roll"),
    Command("show", "campaigns show", "CAMPAIGN", "the ship, the crew and the clocks"),
    Command("log", "campaigns log", "CAMPAIGN [-n N]", "the latest entries of the log"),
    Command("undo", "acts undo", "CAMPAIGN", "take back the latest act with all it caused"),
    Command("redo", "acts redo", "CAMPAIGN", "put back what the latest undo took"),
    Command("check", "campaigns check", "[CAMPAIGN…]", "every problem in campaign files, with its place"),
    Command("schema", "about schema", "[SYSTEM]", "JSON Schema of a campaign file, for editors"),
    Command("info", "about info", "", "every path Waylog uses"),
)
_START = Command("", "campaigns start", "", "the app on the last campaign, or a choice of them")


class WrongUsage(Exception):
    """The command line can't be understood; holds why."""


class _Parser(ArgumentParser):
    """A parser that says what is wrong instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise WrongUsage(f"{message}\n{self.format_usage().strip()}")


def main(
    argv: Sequence[str] | None = None, *, now: Callable[[], datetime] | None = None, chance: Dice | None = None
) -> int:
    """Run one command and give its exit code. `now` and `chance` are the clock and the dice it uses."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        sys.excepthook = _reported
        # A command is over before looking for garbage would pay; the app starts it again.
        gc.disable()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return _run(arguments, now, chance)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except _NobodyListens as trouble:
        return trouble.code


class _NobodyListens(Exception):
    """The answer can't be written; holds the exit code. What was to be done is done."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def _run(arguments: list[str], now: Callable[[], datetime] | None, chance: Dice | None) -> int:
    if arguments and arguments[0] in ("-h", "--help", "help"):
        return _print(_help())
    if arguments and arguments[0] in ("-V", "--version"):
        return _print([f"waylog {__version__}"])
    try:
        options, words = _sorted(arguments)
        command = _command(words)
        args = _parsed(command, options, words[1:])
    except WrongUsage as wrong:
        return _misused(str(wrong), as_json="--json" in arguments)
    if args is None:
        return 0
    return _answered(command, args, now, chance)


def _misused(reason: str, *, as_json: bool) -> int:
    _complain(f"waylog: {reason}".splitlines())
    if as_json:
        _print([_json({"ok": False, "error": reason.partition("\n")[0], "clause": None})])
    return _USAGE


def _sorted(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Options with their values, and all other words. Options may stand anywhere before a lone `--`; −2 is a number."""
    options: list[str] = []
    words: list[str] = []
    waiting = list(arguments)
    while waiting:
        argument = waiting.pop(0)
        if argument == "--":
            words += waiting
            break
        if not argument.startswith("-") or argument[1:].isdigit() or argument == "-" or " " in argument:
            words.append(argument)
            continue
        options.append(argument)
        if argument in _WITH_VALUE and waiting:
            options.append(waiting.pop(0))
    return options, words


def _command(words: list[str]) -> Command:
    """The command that the first word names. Raises `WrongUsage`."""
    if not words:
        return _START
    for command in COMMANDS:
        if command.name == words[0]:
            return command
    raise WrongUsage(_no_command(words[0]))


def _no_command(word: str) -> str:
    from difflib import get_close_matches

    names = [command.name for command in COMMANDS]
    near = get_close_matches(word, names, 1)
    return f"there is no command “{word}”; " + (f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}")


def _parsed(command: Command, options: list[str], words: list[str]) -> Namespace | None:
    """What options and words say; None when they asked for help, which is then given."""
    name = f"waylog {command.name}".strip()
    usage = f"{name} {command.takes}".strip() + " [--json] [--dir FOLDER]"
    parser = _Parser(name, usage, command.about, allow_abbrev=False, add_help=False)
    parser.add_argument("-h", "--help", action="store_true", help="say this")
    parser.add_argument("--json", action="store_true", help="answer with one JSON object")
    parser.add_argument("--dir", metavar="FOLDER", help="where campaigns are; otherwise WAYLOG_CAMPAIGNS says it")
    _arguments_of(command, parser)
    if {"-h", "--help"} & set(options):
        _print(parser.format_help().splitlines())
        return None
    return parser.parse_args([*options, "--", *words] if words else options)


def _arguments_of(command: Command, parser: ArgumentParser) -> None:
    """Add what this command takes beyond what all take."""
    add: Callable[..., Any] = parser.add_argument
    match command.name:
        case "" | "open":
            add("--theme", metavar="NAME", help="the colours to use")
        case "new":
            add("name", metavar="NAME")
            add("--system", metavar="ID", default=DEFAULT_SYSTEM, help=f"its rules; otherwise {DEFAULT_SYSTEM}")
        case "schema":
            add("system", metavar="SYSTEM", nargs="?", default=DEFAULT_SYSTEM)
        case "check":
            add("campaigns", metavar="CAMPAIGN", nargs="*")
        case "log":
            add("-n", "--number", type=int, default=_LOG_ENTRIES, help="how many entries; 0 for all")
        case _:
            pass
    if command.takes.startswith("CAMPAIGN"):
        add("campaign", metavar="CAMPAIGN")
    if "WORDS" in command.takes:
        add("words", metavar="WORDS", nargs="*", help="the act, as in: roll nav afterburners")
    if "--dice" in command.takes:
        add("--dice", metavar="FACES", help="real dice, in the order in which they are rolled")


def _answered(command: Command, args: Namespace, now: Callable[[], datetime] | None, chance: Dice | None) -> int:
    """Do it and print what came of it. Whatever went wrong has its words and its exit code."""
    from waylog.commands.failures import FAILURES, worded

    try:
        answer = _function(command)(args, _desk(args.dir, now, chance))
    except FAILURES as error:
        return _fail(worded(error), as_json=args.json)
    _complain(answer.warnings)
    return _print([_json(answer.data)] if args.json else answer.lines, answer.code)


def _function(command: Command) -> Callable[[Namespace, Desk], Answer]:
    module, function = command.place.split()
    found: Callable[[Namespace, Desk], Answer] = getattr(import_module(f"waylog.commands.{module}"), function)
    return found


def _desk(directory: str | None, now: Callable[[], datetime] | None, chance: Dice | None) -> Desk:
    from datetime import datetime

    from waylog.campaign.places import places
    from waylog.commands.answer import Desk
    from waylog.rules.dice import ChanceDice

    return Desk(
        places(directory, os.environ), now or (lambda: datetime.now().astimezone()), chance or ChanceDice(_below)
    )


def _below(count: int) -> int:
    """An even chance of each number under `count`, from the system's own source."""
    from random import SystemRandom

    return SystemRandom().randrange(count)


def _fail(failed: Failed, *, as_json: bool) -> int:
    """Say why it was not done: to the person, and to a program that reads along."""
    clause = f" [{failed.clause}]" if failed.clause else ""
    problems = None if failed.problems is None else [str(problem) for problem in failed.problems]
    _complain(problems if problems is not None else [f"waylog: {failed.reason}{clause}"])
    if as_json:
        from waylog.commands.shapes import failure

        _print([_json(failure(failed))])
    return failed.code


def _json(data: Mapping[str, Any]) -> str:
    """One line that nothing in it can break or colour: what is not ASCII is escaped."""
    import json

    return json.dumps(data)


def _print(lines: Iterable[str], code: int = 0) -> int:
    """Write to standard output, in one piece. Gives `code`. Raises `_NobodyListens`."""
    _write(sys.stdout, lines)
    return code


def _complain(lines: Iterable[str]) -> None:
    _write(sys.stderr, lines)


def _write(stream: TextIO | None, lines: Iterable[str]) -> None:
    text = "".join(f"{shown(line)}\n" for line in lines)
    if not text or stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # Whoever read has read enough.
        _turned_off(stream)
        raise _NobodyListens(0) from None
    except OSError as error:
        _turned_off(stream)
        if stream is sys.stdout:
            _complain([f"waylog: the answer can't be written: {(error.strerror or str(error)).lower()}"])
        raise _NobodyListens(1) from None


def _turned_off(stream: TextIO) -> None:
    """Let nothing more be written there, not even what Python still holds when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _help() -> Iterator[str]:
    yield "Waylog keeps ship, crew, rolls and clocks of a starship role-playing game."
    yield ""
    rows = [(f"waylog {command.name} {command.takes}".rstrip(), command.about) for command in (_START, *COMMANDS)]
    width = max(len(row[0]) for row in rows)
    yield from (f"  {usage.replace('  ', ' ').ljust(width)}  {about}" for usage, about in rows)
    yield ""
    yield "Each takes --json, --dir FOLDER (where campaigns are) and --help."
    yield "Exit codes: 0 done, 1 a problem in the files, 2 wrong usage, 3 refused by the rules."


def _reported(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """For what should never happen: the details go to a file, and the person hears where it is."""
    from waylog.commands.crash import report

    _complain([report(kind, error, trace, os.environ)])
