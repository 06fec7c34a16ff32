"""What a command gets and gives: the environment, the result, the errors that prevent a command, and opening a table.

It is in one file because every command needs all of it before it does anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from waylog import __version__
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import ActRefused, NotThere
from waylog.store.files_and_lock import FILE, CampaignBusy
from waylog.store.folders_and_recent import InvalidName, Locations, NoSuchCampaign, locations
from waylog.table import LogWriteFailed, Table, Unanswered
from waylog.toml.document import Problem, UnreadableFile
from waylog.values import NamedTuple

if TYPE_CHECKING:
    from waylog.cli import json_output as json_output  # noqa: PLC0414 - the commands import them from here
    from waylog.cli import text_output as text_output  # noqa: PLC0414
    from waylog.cli.pager_and_colours import Line
else:

    class _ModuleWhenUsed:
        """A module of this folder that is imported at the first use: a command prints text or JSON, never both."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module(f"waylog.cli.{self._name}"), name)
            setattr(self, name, found)
            return found

    json_output, text_output = _ModuleWhenUsed("json_output"), _ModuleWhenUsed("text_output")


DONE, FILES, USAGE, REFUSED = 0, 1, 2, 3
"""Exit codes: done; a problem in the files; wrong usage; refused by the rules."""
FOUND_NOTHING = 1
"""The exit code of a search that finds nothing, as of `grep`."""


class Environment(NamedTuple):
    """The environment of a command: folders, clock, dice."""

    places: Locations
    now: Callable[[], datetime]
    chance: Dice


class CommandResult(NamedTuple):
    """The result of a command. Only one of its two forms is computed."""

    lines: Callable[[], Iterable[Line]]
    """The lines for a person."""
    data: Callable[[], Mapping[str, Any]]
    """The data for a program."""
    warnings: Sequence[str] = ()
    """Problems that didn't stop the command."""
    code: int = DONE


class CommandFailed(Exception):
    """The command was not done. Has the reason, as a message for the person."""

    def __init__(
        self,
        reason: str,
        code: int,
        clause: str | None = None,
        problems: Sequence[Problem] | None = None,
        advice: Sequence[Problem] = (),
    ) -> None:
        """`advice` is what may be wrong beside the problems."""
        super().__init__(reason)
        self.reason, self.code, self.clause, self.problems, self.advice = reason, code, clause, problems, advice


def count_advice(advice: Sequence[Problem]) -> str:
    """Return how many pieces of advice there are, in words."""
    return "1 possible mistake" if len(advice) == 1 else f"{len(advice)} possible mistakes"


class FileVersion(NamedTuple):
    """An earlier version of a campaign file."""

    name: str
    at: datetime
    """The time it was written."""
    values: int | None
    """The number of values that differ now; None if one of the two can't be read."""


# -- a table -----------------------------------------------------------------------------------------------------------


def open_table(name: str, desk: Environment, *, to_play: bool) -> Table:
    """Open the table of a campaign."""
    return table_in(desk.places.find(name, to_play=to_play), desk)


def table_in(folder: Path, desk: Environment, *, read_only: bool = False) -> Table:
    """Open the table of the campaign in a folder."""
    try:
        return Table(folder, now=desk.now, chance=desk.chance, read_only=read_only)
    except UnreadableFile as unreadable:
        seen = as_seen_from_here(folder / FILE)
        raise UnreadableFile(*(problem._replace(file=seen) for problem in unreadable.problems)) from None


def as_seen_from_here(path: Path) -> str:
    """Return the shortest form of a path, as seen from the current folder."""
    if not path.is_absolute():
        return str(path)
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


# -- errors ------------------------------------------------------------------------------------------------------------


def report(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None, environment: Mapping[str, str]
) -> str:
    """Write the details to the state folder. Return a line that says where they are."""
    import traceback  # It brings tokenize and textwrap: start-up saves a fortieth of a command.

    summary = f"waylog: unexpected error: {kind.__name__}: {error}"
    details = "".join(traceback.format_exception(kind, error, trace))
    try:
        folder = locations(None, environment).state
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
        path.write_text(f"Waylog {__version__}\n{details}", encoding="utf-8", errors="backslashreplace")
    except (OSError, InvalidName):
        return f"{summary} (the details couldn't be saved)"
    return f"{summary}. Everything played so far is in the log. Details: {path}"


FAILURES = (
    CommandFailed,
    ActRefused,
    UnreadableFile,
    InvalidName,
    NoSuchCampaign,
    LogWriteFailed,
    CampaignBusy,
    OSError,
)


def describe_failure(error: Exception) -> CommandFailed:
    """Return the message for one of `FAILURES`."""
    match error:
        case CommandFailed():
            return error
        case Unanswered(question=question, campaign=campaign):
            return CommandFailed("; ".join(text_output.file_question_lines(question, campaign)), FILES)
        case ActRefused(refusal=refusal):
            return CommandFailed(refusal.reason, USAGE if isinstance(error, NotThere) else REFUSED, refusal.clause)
        case UnreadableFile(problems=problems):
            count = "can't be used" if len(problems) == 1 else f"has {len(problems)} problems and can't be used"
            return CommandFailed(f"the campaign {count}", FILES, problems=problems)
        case InvalidName() | NoSuchCampaign():
            return CommandFailed(str(error), USAGE)
        case OSError(strerror=reason, filename=name):
            where = f"{name}: " if name else ""
            return CommandFailed(f"{where}{(reason or str(error)).lower()}. Nothing was done", FILES)
        case _:
            return CommandFailed(str(error), FILES)
