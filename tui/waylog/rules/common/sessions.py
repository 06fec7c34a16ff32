"""Sessions, and the scenes within them (NM-40, NM-43)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, ClassVar

from waylog.rules.codec.base import Fault
from waylog.rules.facts import Fact, NoteFact
from waylog.rules.moves import Answers, Move, Refusal, Text
from waylog.values import dataclass

VERBS = ("session",)
BORDERS = ("begin", "end")
"""The words of the moves that start and end a session."""


@dataclass(frozen=True, slots=True)
class Session:
    """One meeting. It is in progress until it has an end."""

    ALWAYS_WRITTEN: ClassVar = ("began",)

    began: Annotated[str, "When it began, such as 2026-11-21 19:30"] = ""
    ended: Annotated[str, "When it ended; left out while it is in progress"] = ""
    title: Annotated[str, "The session's title"] = ""
    present: Annotated[str, "Who is present"] = ""
    notes: Annotated[str, "For the wayfinder"] = ""


Sessions = Mapping[str, Session]
"""Sessions by number: 1, 2, 3…"""


_NUMBER = re.compile(r"[1-9][0-9]{0,5}")


def sessions_by_number(sessions: Sessions) -> Mapping[int, Session]:
    """Return the sessions by number. Other keys are faults and are left out."""
    return {int(key): session for key, session in sessions.items() if _NUMBER.fullmatch(key)}


def faults(sessions: Sessions) -> Iterator[Fault]:
    """Yield a fault for each key that is not a number (NM-40)."""
    for key in sessions:
        if not _NUMBER.fullmatch(key):
            message = f"“{key[:40]}” is not a session number: use [sessions.1], [sessions.2] …"
            yield Fault(("sessions", key), message, "NM-40", grave=False)


def under_way(sessions: Sessions) -> int:
    """Return the number of the session in progress; 0 between sessions."""
    return max((number for number, session in sessions_by_number(sessions).items() if not session.ended), default=0)


def moves(sessions: Sessions) -> tuple[Move, ...]:
    """Return the moves that start or end a session, and set its title and who is present."""
    now = under_way(sessions)
    number = now or _next(sessions)
    on = Refusal(f"session {now} is in progress", "NM-40") if now else None
    off = None if now else Refusal("no session is in progress", "NM-40")
    latest = None if sessions_by_number(sessions) else Refusal("no session yet", "NM-40")
    title, here = Text("title", "Title", required=True), Text("present", "Who is at the table", required=True)
    return (
        Move("session", ("begin",), f"Start session {number}", blocked=on),
        Move("session", ("end",), f"End session {number}" if now else "End the session", blocked=off),
        Move("session", ("title",), "Give the session a title", (title,), latest),
        Move("session", ("present",), "Who is at the table", (here,), latest),
    )


def play(sessions: Sessions, move: Move, answers: Answers, moment: str) -> tuple[Sessions, tuple[Fact, ...]]:
    """Play one of `moves`: return the sessions and the facts. `moment` is the time of day."""
    word = move.words[0]
    if word == "begin":
        key = str(_next(sessions))
        return {**sessions, key: Session(moment)}, (NoteFact(f"Session {key} starts", "NM-40"),)
    key = str(under_way(sessions) or max(sessions_by_number(sessions)))
    session = sessions[key]
    match word:
        case "end":
            after, text = replace(session, ended=moment), f"Session {key} ends"
        case "title":
            after, text = replace(session, title=str(answers["title"])), f"Session {key}: {answers['title']}"
        case _:
            after, text = replace(session, present=str(answers["present"])), f"Present: {answers['present']}"
    return {**sessions, key: after}, (NoteFact(text, "NM-40"),)


def _next(sessions: Sessions) -> int:
    return max(sessions_by_number(sessions), default=0) + 1
