"""Everything that can keep a command from being done, in words for the person and with an exit code."""

from __future__ import annotations

from waylog.cli.results import FILES, REFUSED, USAGE, Failed
from waylog.cli.text_output import asked_about
from waylog.rules.moves import Refused
from waylog.store.locations import BadName, NoSuchCampaign
from waylog.store.lock_and_replace import Busy
from waylog.table import NotSaved, Unanswered
from waylog.toml.document import Unreadable

FAILURES = (Failed, Refused, Unreadable, BadName, NoSuchCampaign, NotSaved, Busy, OSError)


def worded(error: Exception) -> Failed:
    """One of `FAILURES` as what is said to the person."""
    match error:
        case Failed():
            return error
        case Unanswered(question=question, campaign=campaign):
            return Failed("; ".join(asked_about(question, campaign)), FILES)
        case Refused(refusal=refusal):
            return Failed(refusal.reason, REFUSED, refusal.clause)
        case Unreadable(problems=problems):
            count = "can't be used" if len(problems) == 1 else f"can't be used: {len(problems)} problems"
            return Failed(f"the campaign {count}", FILES, problems=problems)
        case BadName() | NoSuchCampaign():
            return Failed(str(error), USAGE)
        case OSError(strerror=reason, filename=name):
            where = f"{name}: " if name else ""
            return Failed(f"{where}{(reason or str(error)).lower()}; nothing was done", FILES)
        case _:
            return Failed(str(error), FILES)
