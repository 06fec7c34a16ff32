"""Errors that prevent a command, as messages for people, with exit codes."""

from __future__ import annotations

from waylog.cli.results import FILES, REFUSED, USAGE, CommandFailed
from waylog.cli.text_or_json import text_output
from waylog.rules.moves import ActRefused
from waylog.store.locations import InvalidName, NoSuchCampaign
from waylog.store.lock_and_replace import CampaignBusy
from waylog.table import LogWriteFailed, Unanswered
from waylog.toml.document import UnreadableFile

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
