"""Errors that prevent a command, as messages for people, with exit codes.

Handle an unexpected error: a report in a file, and one line for the person.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType

from waylog import __version__
from waylog.cli.results import FILES, REFUSED, USAGE, CommandFailed
from waylog.cli.text_or_json import text_output
from waylog.rules.model.moves import ActRefused
from waylog.store.files import CampaignBusy
from waylog.store.locations import InvalidName, NoSuchCampaign, locations
from waylog.table import LogWriteFailed, Unanswered
from waylog.toml.document import UnreadableFile


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
        return f"{summary} (the details could not be saved)"
    return f"{summary}. Everything played is in the log. Details: {path}"


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
            return CommandFailed(refusal.reason, REFUSED, refusal.clause)
        case UnreadableFile(problems=problems):
            count = "can't be used" if len(problems) == 1 else f"can't be used: {len(problems)} problems"
            return CommandFailed(f"the campaign {count}", FILES, problems=problems)
        case InvalidName() | NoSuchCampaign():
            return CommandFailed(str(error), USAGE)
        case OSError(strerror=reason, filename=name):
            where = f"{name}: " if name else ""
            return CommandFailed(f"{where}{(reason or str(error)).lower()}; nothing was done", FILES)
        case _:
            return CommandFailed(str(error), FILES)
