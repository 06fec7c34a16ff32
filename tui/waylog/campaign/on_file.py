"""What a campaign file holds, read through the rules of its game: the state, how far the log is in it, what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from waylog.campaign.document import Document, Problem, Unreadable, read_bytes
from waylog.campaign.folder import Signature
from waylog.campaign.log import Mark
from waylog.rules.game import Game, State
from waylog.rules.sheets import Fault
from waylog.rules.systems import System, names, system

FORMAT = 1
FILE = "campaign.toml"


@dataclass(frozen=True, slots=True)
class OnFile:
    """What the campaign file held when it was last read or written."""

    document: Document
    state: State
    mark: Mark
    """How far the log is worked into it."""
    problems: tuple[Problem, ...]
    """What is wrong in it and can be played on with."""
    signature: Signature | None


def system_of(document: Document) -> System:
    """The system that the file names. Raises `Unreadable` when there is none such, or the file is of a newer Waylog."""
    made = document.tree.get("format", FORMAT)
    if made != FORMAT:
        message = f"format is {made}; this Waylog reads format {FORMAT}. A newer Waylog made this file"
        raise Unreadable(Problem(document.name, *document.place(("format",)), message))
    wanted = document.tree.get("system")
    known = ", ".join(names())
    if wanted is None:
        raise Unreadable(Problem(document.name, 1, 1, f"system is missing; it should be one of {known}"))
    if wanted not in names():
        message = f"system is “{str(wanted)[:40]}”; it should be one of {known}"
        raise Unreadable(Problem(document.name, *document.place(("system",)), message))
    return system(wanted)


def on_file(game: Game, document: Document, seen: Signature | None) -> OnFile:
    """What a campaign file holds. Raises `Unreadable` with every problem when any of them is grave."""
    if (named := system_of(document)).id != game.system.id:
        message = f"system is now {named.id}; leave the campaign and open it again to play it with {named.name}"
        raise Unreadable(Problem(document.name, *document.place(("system",)), message))
    state, faults = game.read(document.tree)
    problems = _placed(document, faults)
    grave = any(fault.grave for fault in faults)
    mark = Mark()
    try:
        mark = Mark.read(str(document.tree.get("log", mark)))
    except ValueError as error:
        problems = (*problems, Problem(document.name, *document.place(("log",)), f"log: {error}"))
        grave = True
    problems = tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    if grave:
        raise Unreadable(*problems)
    return OnFile(document, state, mark, problems, seen)


def rewritten(game: Game, held: OnFile, document: Document, state: State, mark: Mark) -> OnFile:
    """What a campaign file holds after Waylog itself has changed it."""
    problems = _placed(document, game.read(document.tree)[1])
    return replace(held, document=document, state=state, mark=mark, problems=problems)


def _placed(document: Document, faults: Sequence[Fault]) -> tuple[Problem, ...]:
    return tuple(Problem(document.name, *document.place(fault.path), fault.message, fault.clause) for fault in faults)


def check(path: Path, name: str) -> tuple[Problem, ...]:
    """Every problem of the campaign file at `path`, grave or not, by place; there it is called `name`."""
    try:
        document = Document.parse(read_bytes(path), name)
        return on_file(Game(system_of(document)), document, None).problems
    except Unreadable as unreadable:
        return tuple(replace(problem, file=name) for problem in unreadable.problems)
