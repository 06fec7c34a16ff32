"""Sessions, and the scenes within them (NM-40, NM-43)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import words_for
from waylog.rules.model.answers import selected_words
from waylog.rules.model.facts import Fact, NoteFact
from waylog.rules.model.moves import Answers, Ask, Move, Option, PickMany, Refusal, Text
from waylog.values import dataclass, replace

VERBS = ("session",)
BORDERS = ("begin", "end")
"""The words of the moves that start and end a session."""
_TO_THE_MINUTE = len("2026-11-21 19:30")
_WORDS = (*BORDERS, "title", "present")
_ALSO = "with"
"""The word before those who are present and were never before."""


@dataclass(frozen=True, slots=True)
class Session:
    """One meeting. It is in progress until it has an end."""

    ALWAYS_WRITTEN: ClassVar = ("began",)

    began: Annotated[str, "When it started, such as 2026-11-21 19:30"] = ""
    ended: Annotated[str, "When it ended (left out while it is in progress)"] = ""
    title: Annotated[str, "The session's title"] = ""
    present: Annotated[str, "Who is present"] = ""
    notes: Annotated[str, "For the wayfinder"] = ""


Sessions = Mapping[str, Session]
"""Sessions by number: 1, 2, 3…"""


_NUMBER = r"[1-9][0-9]{0,5}"
_BETWEEN_NAMES = r"[,;&]|\band\b"
_MOST_PEOPLE = 12
"""The most people that are proposed."""
_LONGEST_NAME, _MOST_WORDS = 30, 3
"""The letters and words of a name, at most."""


def sessions_by_number(sessions: Sessions) -> Mapping[int, Session]:
    """Return the sessions by number. Other keys are faults and are left out."""
    return {int(key): session for key, session in sessions.items() if re.fullmatch(_NUMBER, key)}


def faults(sessions: Sessions) -> Iterator[Fault]:
    """Yield a fault for each key that is not a number (NM-40)."""
    for key in sessions:
        if not re.fullmatch(_NUMBER, key):
            message = f"“{key[:40]}” is not a session number: use [sessions.1], [sessions.2] …"
            yield Fault(("sessions", key), message, "NM-40", grave=False)


def under_way(sessions: Sessions) -> int:
    """Return the number of the session in progress; 0 between sessions."""
    return max((number for number, session in sessions_by_number(sessions).items() if not session.ended), default=0)


def people_of(session: Session) -> tuple[str, ...]:
    """Return the names of those who were present: `Ana, Bo and Cy` are three. None if it is not a list of names but a sentence."""
    names = tuple(dict.fromkeys(filter(None, (name.strip() for name in re.split(_BETWEEN_NAMES, session.present)))))
    return () if any(len(name) > _LONGEST_NAME or len(name.split()) > _MOST_WORDS for name in names) else names


def _person_words(sessions: Sessions, players: Sequence[str]) -> Mapping[str, str]:
    """Return the players and everybody who has been present, by the word to type for each. After the players come those of
    the latest session.
    """
    latest_first = [session for _, session in sorted(sessions_by_number(sessions).items(), reverse=True)]
    present = (name for session in latest_first for name in people_of(session))
    people = [*dict.fromkeys((*players, *present))][: max(_MOST_PEOPLE, len(players))]
    return words_for(((name, name) for name in people), "player", (*_WORDS, _ALSO))


def _asked_at_start(sessions: Sessions, players: Sequence[str], characters: Sequence[str]) -> tuple[Ask, ...]:
    """Ask who is here, and for a title. The suggestion is everybody who was present the last time; all players before the first
    session, or if the last one has a sentence in place of names. Where no players are listed, the characters can be chosen.
    """
    words = _person_words(sessions, players or characters)
    by_number = sessions_by_number(sessions)
    latest = by_number[max(by_number)] if by_number else None
    last = (latest and people_of(latest)) or (players if latest is None or latest.present else ())
    options = tuple(Option(word, name) for word, name in words.items())
    suggested = tuple(word for word, name in words.items() if name in last)
    here = (PickMany("present", "Who is here", options, suggested=suggested),) if options else ()
    return (
        *here,
        Text("title", "Title", reserved=(_ALSO,)),
        Text("also", "Also here" if options else "Who is here", word=_ALSO),
    )


def moves(sessions: Sessions, players: Sequence[str] = (), characters: Sequence[str] = ()) -> tuple[Move, ...]:
    """Return the moves that start or end a session, and set its title and who is present. `players` are the names of the
    people of the table; where there are none, one of the `characters` can be chosen instead.
    """
    now = under_way(sessions)
    number = now or _next(sessions)
    on = Refusal(f"session {now} is already in progress", "NM-40") if now else None
    off = None if now else Refusal("no session is in progress", "NM-40")
    untitled = (Text("title", "Title"),) if now and not sessions[str(now)].title else ()
    latest = None if sessions_by_number(sessions) else Refusal("no session yet", "NM-40")
    title = Text("title", "Title", required=True)
    here = Text("present", "Who is at the table", required=True, proposed=tuple(players))
    begins, end = _asked_at_start(sessions, players, characters), f"End session {now}" if now else "End the session"
    return (
        Move("session", ("begin",), f"Start session {number}", begins, on, heading=f"Session {number} starts"),
        Move("session", ("end",), end, untitled, off, heading=f"Session {number} ends"),
        Move("session", ("title",), "Give the session a title", (title,), latest, heading="Session title"),
        Move("session", ("present",), "Say who is at the table", (here,), latest, heading="At the table"),
    )


def play(
    sessions: Sessions, move: Move, answers: Answers, when: str, players: Sequence[str] = ()
) -> tuple[Sessions, tuple[Fact, ...]]:
    """Play one of `moves`: return the sessions and the facts. `when` is the time, of which the seconds are left out; `players` are as for
    `moves`.
    """
    word, when = move.words[0], when[:_TO_THE_MINUTE]
    if word == "begin":
        started, words = str(_next(sessions)), _person_words(sessions, players)
        also, title = (str(answers.get(name, "")).strip() for name in ("also", "title"))
        here = (*(words[word] for word in selected_words(answers, "present")), also)
        present = ", ".join(filter(None, here))
        texts = [f"Session {started} starts{f': {title}' if title else ''}"]
        texts += [f"Present: {present}"] if present else []
        session = Session(when, title=title, present=present)
        return {**sessions, started: session}, tuple(NoteFact(text, "NM-40") for text in texts)
    key = str(under_way(sessions) or max(sessions_by_number(sessions)))
    session = sessions[key]
    match word:
        case "end":
            title = str(answers.get("title", "")).strip() or session.title
            after, text = replace(session, ended=when, title=title), f"Session {key} ends"
        case "title":
            after, text = replace(session, title=str(answers["title"])), f"Session {key}: {answers['title']}"
        case _:
            after, text = replace(session, present=str(answers["present"])), f"Present: {answers['present']}"
    return {**sessions, key: after}, (NoteFact(text, "NM-40"),)


def _next(sessions: Sessions) -> int:
    return max(sessions_by_number(sessions), default=0) + 1
