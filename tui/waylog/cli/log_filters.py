"""The filters of `waylog log`: from options to a query. Each wrong word is named, with the nearest right one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from waylog.cli.results import USAGE, CommandFailed
from waylog.rules.common.sessions import sessions_by_number
from waylog.rules.facts import OutcomeGrade
from waylog.rules.word_matching import Reach, closeness, fold, nearest
from waylog.store.log_query import ActKind, LogQuery, Person, people, split_terms
from waylog.store.log_search import LogSearch, scenes_named
from waylog.table import Table

_LISTED = 12


def parse_filters(options: Mapping[str, str], table: Table, search: LogSearch) -> LogQuery:
    """Return what the options ask for. Raises `CommandFailed`."""
    session = options.get("--session")
    return LogQuery(
        split_terms(options.get("--grep", "")),
        _person(options["--who"], people(table.snapshot.panels, table.snapshot.players))
        if "--who" in options
        else None,
        _outcome(options["--outcome"], search) if "--outcome" in options else "",
        ActKind(_one_of(options["--kind"], [*ActKind], "kind")) if "--kind" in options else None,
        _scenes(options["--scene"], search) if "--scene" in options else None,
        None if session is None else _session(session, [*sessions_by_number(table.snapshot.sessions)]),
    )


def _person(typed: str, known: Sequence[Person]) -> Person:
    exact = [person for person in known if fold(typed) in (fold(person.name), fold(person.key))]
    rated = [(closeness(typed, (person.name, person.key.rpartition(".")[2]), Reach.NAMES), person) for person in known]
    best = max((rating for rating, _ in rated), default=0)
    found = exact or [person for rating, person in rated if rating == best > 0]
    if len(found) == 1:
        return found[0]
    names = [person.name for person in found or known]
    if found:
        raise CommandFailed(f"“{typed}” may be {' or '.join(names)}: type more of the name", USAGE)
    raise _unknown("nobody is called", typed, names, "the names are")


def _outcome(typed: str, search: LogSearch) -> str:
    outcomes = [*OutcomeGrade, *search.outcomes()]
    return _one_of(typed, dict.fromkeys(outcomes), "outcome")


def _one_of(typed: str, words: Iterable[str], what: str) -> str:
    known = {fold(word): word for word in words}
    if fold(typed) in known:
        return known[fold(typed)]
    raise _unknown(f"there is no {what}", typed, [*known.values()], f"the {what}s are")


def _scenes(typed: str, search: LogSearch) -> tuple[range, ...]:
    scenes = [*search.scenes()]
    if found := scenes_named(typed, scenes):
        return found
    titles = [*dict.fromkeys(title for title, _ in scenes)]
    raise _unknown("there is no scene", typed, titles, "the latest are")


def _session(typed: str, known: Sequence[int]) -> int:
    if typed.isascii() and typed.isdigit() and int(typed[:9]) in known:
        return int(typed[:9])
    raise _unknown(
        "there is no session", typed, [str(number) for number in sorted(known, reverse=True)], "the latest are"
    )


def _unknown(begins: str, typed: str, known: Sequence[str], listed: str) -> CommandFailed:
    near = nearest(typed, known)
    there = f"{listed} {', '.join(known[:_LISTED])}" if known else "the campaign has none yet"
    return CommandFailed(f"{begins} “{typed}”; {f'did you mean {near}?' if near else there}", USAGE)
