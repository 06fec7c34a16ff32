"""Which acts of the log are wanted: by words, person, outcome, kind, scene and session. The log view and `waylog log` share it.

People, outcomes and kinds come from values in the entries; only words are looked for in texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from waylog.rules.changes import parse_path
from waylog.rules.common.people import Players, name_of
from waylog.rules.facts import Fact, NoteFact, OutcomeFact, RollFact
from waylog.rules.panels import Panel
from waylog.rules.state import EntryKind
from waylog.rules.word_matching import fold
from waylog.store.entries import LogEntry
from waylog.store.entries_of_0_1 import SHIP_ROLLS_OF_0_1
from waylog.store.logged_acts import GLUE, LoggedAct, LoggedActs, search_text
from waylog.values import dataclass

SHIP = "ship"
_PLAYERS = "players."
_LETTERS = re.compile(r"[^\W\d_]+")


class ActKind(StrEnum):
    """What an act is, for a person who looks for it. An act may be of several kinds."""

    ROLL = "roll"
    NOTE = "note"
    SECRET = "secret"
    CLOCK = "clock"
    CARD = "card"
    EFFECT = "effect"
    SCENE = "scene"
    SESSION = "session"
    EDIT = "edit"
    UNDONE = "undone"
    REWOUND = "rewound"


_ENTRY_KINDS = {
    ActKind.NOTE: (EntryKind.NOTE,),
    ActKind.SECRET: (EntryKind.SECRET,),
    ActKind.CARD: (EntryKind.CARD,),
    ActKind.EFFECT: (EntryKind.EFFECT,),
    ActKind.SCENE: (EntryKind.SCENE,),
    ActKind.SESSION: (EntryKind.SESSION, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS),
    ActKind.EDIT: (EntryKind.BY_HAND, EntryKind.AGAINST_PLAY, EntryKind.SET, EntryKind.RESTORE, EntryKind.KEEP),
}
"""The kinds of entries that make an act of a kind. What changed a clock or a deck is of that kind too."""
_PARTS = {ActKind.CLOCK: "clocks", ActKind.CARD: "decks"}


@dataclass(frozen=True, slots=True)
class Person:
    """Someone whose acts are looked for, or a ship."""

    key: str
    """Their place in the campaign: `crew.mara`."""
    name: str


@dataclass(frozen=True, slots=True)
class LogQuery:
    """What an act must have. What is left out may be anything."""

    terms: tuple[str, ...] = ()
    """Parts of its text, folded: all of them."""
    person: Person | None = None
    """Someone who rolled, whom the act was about, or whom it changed."""
    outcome: str = ""
    """A grade, or an outcome of the game, as its facts call it, or its label."""
    kind: ActKind | None = None
    scenes: tuple[range, ...] | None = None
    """The entries of the wanted scenes."""
    session: int | None = None

    def __bool__(self) -> bool:
        """Whether it leaves anything out."""
        return self != LogQuery()


def split_terms(text: str) -> tuple[str, ...]:
    """Return the words of a search as a query has them."""
    return tuple(dict.fromkeys(fold(text).split()))


def find_act(query: LogQuery, acts: LoggedActs, number: int) -> LoggedAct | None:
    """Return the act that begins with that entry, if it has everything that the query wants. What was rewound has to be
    asked for (NM-43).
    """
    act = acts.act(number, rewound=query.kind is ActKind.REWOUND)
    return act if act and matches(query, act) else None


def matches(query: LogQuery, act: LoggedAct) -> bool:
    """Whether an act has everything that the query wants."""
    return (
        (query.session is None or act.first.session == query.session)
        and (query.scenes is None or any(act.first.number in scene for scene in query.scenes))
        and (query.kind is None or _is_of_kind(act, query.kind))
        and (query.person is None or any(_concerns(entry, query.person) for entry in act.entries))
        and (not query.outcome or any(_is_outcome(fact, query.outcome) for fact in _outcomes(act, query.person)))
        and (not query.terms or _has_terms(act, query.terms))
    )


def _facts(act: LoggedAct) -> Iterator[Fact]:
    return (fact for entry in act.entries for fact in entry.facts)


def _has_terms(act: LoggedAct, terms: Sequence[str]) -> bool:
    text = fold(search_text(act))
    return all(term in text for term in terms)


def _is_of_kind(act: LoggedAct, kind: ActKind) -> bool:
    if kind is ActKind.UNDONE:
        return act.undone is not None
    if kind is ActKind.REWOUND:
        return act.rewound
    if kind is ActKind.ROLL:
        return any(isinstance(fact, RollFact) for fact in _facts(act))
    part = _PARTS.get(kind)
    return any(
        entry.kind in _ENTRY_KINDS.get(kind, ()) or any(change.path[:1] == (part,) for change in entry.changes)
        for entry in act.entries
    ) or (kind is ActKind.CLOCK and any(isinstance(fact, NoteFact) and fact.step.segments for fact in _facts(act)))


def _is_about(entry: LogEntry, person: Person) -> bool:
    return any(path == person.key or path.startswith(f"{person.key}.") for path in entry.about)


def _concerns(entry: LogEntry, person: Person) -> bool:
    if person.key.startswith(_PLAYERS):
        return bool(entry.by) and person.key == f"{_PLAYERS}{entry.by}"
    if _is_about(entry, person):
        return True
    key = parse_path(person.key)
    if any(change.path[: len(key)] == key for change in entry.changes):
        return True
    return any(
        (isinstance(fact, RollFact) and fact.what == person.name)
        or (isinstance(fact, OutcomeFact) and fact.who == person.name)
        for fact in entry.facts
    )


def _outcomes(act: LoggedAct, person: Person | None) -> list[OutcomeFact]:
    """Return the outcomes of an act; of one in which several rolled, those of that person."""
    found = [(entry, fact) for entry in act.entries for fact in entry.facts if isinstance(fact, OutcomeFact)]
    if person is None or len({fact.who for _, fact in found}) < 2:
        return [fact for _, fact in found]
    return [fact for entry, fact in found if fact.who == person.name or _is_about(entry, person)]


def _is_outcome(fact: OutcomeFact, outcome: str) -> bool:
    return outcome in (
        fact.outcome,
        fact.mood.value if fact.mood else fact.outcome,
        fold(fact.label),
    )


def people(panels: Iterable[Panel], players: Players) -> list[Person]:
    """Return the people of a campaign, and its ships: whoever has a panel. Then come the players, for what they proposed;
    one who is called like their character is found as that.
    """
    found = [
        Person(panel.key, panel.title)
        for panel in panels
        if panel.key == SHIP or (panel.place in ("ship", "crew") and "." in panel.key and not _is_part(panel.key))
    ]
    taken = {fold(person.name) for person in found}
    names = ((key, name_of(players, key)) for key in players)
    return [*found, *(Person(f"{_PLAYERS}{key}", name) for key, name in names if fold(name) not in taken)]


def _is_part(key: str) -> bool:
    return key.startswith(f"{SHIP}.")


# -- where to look -----------------------------------------------------------------------------------------------------


def clues(query: LogQuery) -> Iterator[tuple[bytes, ...]]:
    """Yield, for each part of the query that allows it, folded pieces of text of which every act that matches has one in an entry.

    An entry that has one need not match.
    """
    yield from ((run,) for term in query.terms if (run := _longest_run((term,))))
    if query.outcome:
        yield (_longest_run((query.outcome,), all_of_it=True) or b"result",)
    if query.person:
        key = parse_path(query.person.key)[-1]
        name = (_longest_run((fold(text),), all_of_it=True) for text in (query.person.name, key))
        found = tuple(run for run in name if run)
        if len(found) == 2:
            yield (*found, *SHIP_ROLLS_OF_0_1) if query.person.key == SHIP else found
    if query.kind and query.kind is not ActKind.REWOUND:  # A rewound act has no sign of that in it.
        yield clues_of_kind(query.kind)
    if query.session is not None and query.session > 0:
        yield (b"\nsession = %d\n" % query.session,)


def _longest_run(words: Iterable[str], *, all_of_it: bool = False) -> bytes:
    """Return the longest run of letters that is in an entry wherever a word is in its text; empty if there is none.

    A run that may come from how sentences are put together is none, unless the words are not looked for in sentences.
    """
    runs = (run for word in words for run in _LETTERS.findall(word))
    return max((run for run in runs if all_of_it or run not in GLUE), key=len, default="").encode()


def clues_of_kind(kind: ActKind) -> tuple[bytes, ...]:
    """Return folded pieces of text of which every act of a kind has one in an entry."""
    match kind:
        case ActKind.UNDONE:
            return (b"\nundoes = ",)
        case ActKind.ROLL:
            return (b'"rolled"',)
        case _:
            kinds = [entry_kind.value.encode() for entry_kind in _ENTRY_KINDS.get(kind, ())]
            of_0_1 = {ActKind.CARD: (b"return", b"stay"), ActKind.SESSION: (b"session",)}.get(kind, ())
            heads = [b'\nkind = "%s"' % word for word in kinds] + [b'\nact = "%s' % word for word in (*kinds, *of_0_1)]
            part = (f'"{_PARTS[kind]}'.encode(),) if kind in _PARTS else ()
            return (*heads, *part, *((b'"note"',) if kind is ActKind.CLOCK else ()))
