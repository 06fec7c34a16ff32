"""What the log can be filtered by, and the search for acts that pass: words, person, outcome, kind, date, scene and session. The log view
and `waylog log` share it.

People, outcomes and kinds come from values in the entries; only words are looked for in texts. Acts are found newest first, and only
entries that may match are read. Which ones may, `LogText` says: the log's files as folded text, 100,000 entries in a few hundredths of a
second. A file is folded once, as a whole: lower case, no accents. What is found in it is the number of an entry, never a position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from heapq import heappop, heappush
from itertools import islice
from pathlib import Path
from typing import Any

from waylog.rules.codec.changes import parse_path
from waylog.rules.language.similar_names import Reach, closeness, fold, nearest
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.panels import Panel
from waylog.rules.model.players_and_permissions import Players, name_of
from waylog.rules.model.sessions import Sessions, sessions_by_number
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import FARTHEST, SHIP_ROLLS_OF_0_1, LogEntry
from waylog.store.log.grouped_acts_and_texts import GLUE, LoggedAct, LoggedActs, border_title, search_text
from waylog.store.log.undo_and_scenes import numbers_within, scenes_named
from waylog.store.log.verification import open_log_file
from waylog.values import NamedTuple, dataclass

NOTHING_MATCHES = "Nothing in the log matches"
_HEAD = b"[[entry]]"
_NUMBER = re.compile(rb"number = (\d{1,10})")
_ASCII = bytes(range(128))


class LogText:
    """The folded text of a log. `fold_next` may run in another thread; what is not folded yet is folded when it is needed."""

    def __init__(self, files: Callable[[], Sequence[Path]]) -> None:
        self._files = files
        self._folded: dict[Path, tuple[int, bytes]] = {}

    def fold_next(self) -> bool:
        """Fold the newest file that isn't yet. Return False if there is none."""
        for path in reversed(self._files()):
            if path not in self._folded:
                self._text(path)
                return True
        return False

    def forget(self) -> None:
        """Drop all folded text. It is folded again when it is next searched."""
        self._folded = {}

    def numbers(self, clues: Sequence[bytes], before: int | None = None, files: int | None = None) -> Iterator[int]:
        """Yield the numbers of the entries that contain one of the folded clues, newest first; without clues, of all.

        `before` leaves out that number and later ones; `files` says how many of the newest files are searched. A file that
        can't be read has no entries. After each file comes a 0, so that the caller may pause.
        """
        for path in self._files()[::-1][:files]:
            text = self._text(path)
            yield from _numbers_in(text, clues or (_HEAD,), before)
            yield 0

    def values(self, key: bytes, files: int | None = None) -> list[str]:
        """Return each value that `key` has in the newest `files` log files (None: in all), once and folded.

        Values that contain a quotation mark or a backslash are left out.
        """
        pattern = re.compile(b'%s = "([^"\\\\]+)"' % key)
        found = {value: None for path in self._files()[::-1][:files] for value in pattern.findall(self._text(path))}
        return [value.decode() for value in found]

    def count_newest(self, clues: Sequence[bytes]) -> int:
        """Return how often the clues are in the newest file: the rarer they are, the less has to be read."""
        return sum(self._text(path).count(clue) for path in self._files()[-1:] for clue in clues)

    def _text(self, path: Path) -> bytes:
        """Return the folded text of a file as it is now. Files only grow, by whole entries."""
        known, folded = self._folded.get(path, (0, b""))
        with suppress(OSError):
            size = path.stat().st_size
            if size != known:
                start = known if size > known else 0
                with open_log_file(path) as file:
                    file.seek(start)
                    new = fold_bytes(file.read(size - start))
                folded = folded + new if start else new
                self._folded[path] = size, folded
        return folded


def fold_bytes(text: bytes) -> bytes:
    """Return UTF-8 text folded, like `fold`, with plain line ends, in a few passes over the whole of it."""
    folded = text.lower().replace(b"\r\n", b"\n")
    if folded.isascii():
        return folded
    for char in set(folded.translate(None, _ASCII).decode(errors="ignore")):
        plain = fold(char)
        if plain != char:
            folded = folded.replace(char.encode(), plain.encode())
    return folded


def _numbers_in(text: bytes, clues: Sequence[bytes], before: int | None) -> Iterator[int]:
    end = len(text)
    if before is not None:
        first = _NUMBER.search(text)
        if first is None or int(first[1]) >= before:
            return
        found = text.find(b"\nnumber = %d\n" % before)
        end = found if found >= 0 else end
    places = dict.fromkeys(clues, end)
    while True:
        for clue, place in places.items():
            if place >= end:
                places[clue] = text.rfind(clue, 0, end)
        at = max(places.values())
        start = text.rfind(_HEAD, 0, at + len(_HEAD)) if at >= 0 else -1
        if start < 0:
            return
        # A clue before the first head of a file is in its remarks.
        number = _NUMBER.search(text, start, start + 200)
        if number and (before is None or int(number[1]) < before):
            yield int(number[1])
        end = start


SHIP = "ship"
_PLAYERS = "players."
_LETTERS = re.compile(r"[^\W\d_]+")


class ActKind(StrEnum):
    """A kind of act that a person can look for in the log. An act may be of several kinds."""

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
_STATES = (ActKind.UNDONE, ActKind.REWOUND)
_LISTED = 12
"""The most things that a message lists."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone whose acts are looked for, or a ship."""

    key: str
    """Their place in the campaign: `crew.mara`."""
    name: str


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Conditions that an act must meet, all of them. A field with its default is no condition."""

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
    since: datetime | None = None
    """The earliest time, as the log shows times: without a zone, as they were where the act was played."""
    until: datetime | None = None
    """The latest time."""

    def __bool__(self) -> bool:
        """Whether it leaves anything out."""
        return self != _ANYTHING


_ANYTHING = LogQuery()


_SIGNS = ",:;.!?…“”"
"""Signs that begin or end a word in a sentence."""


def split_terms(text: str) -> tuple[str, ...]:
    """Return the words of a search as a query has them, without the signs between words: the log shows some that no entry has."""
    return tuple(dict.fromkeys(word.strip(_SIGNS) or word for word in fold(text).split()))


def find_act(query: LogQuery, acts: LoggedActs, number: int) -> LoggedAct | None:
    """Return the act that begins with that entry, if it has everything that the query wants. What was rewound has to be
    asked for (NM-43).
    """
    act = acts.act(number, rewound=query.kind is ActKind.REWOUND)
    return act if act and matches(query, act) else None


def matches(query: LogQuery, act: LoggedAct) -> bool:
    """Whether an act has everything that the query wants."""
    return all(each.matches(wanted, act, query) for each, wanted in _wanted_parts(query))


def _wanted_parts(query: LogQuery) -> Iterator[tuple[LogFilter, Any]]:
    """Yield what the query wants, with its filter. What takes longest to look at comes last."""
    for each in reversed(FILTERS):
        wanted = getattr(query, each.part)
        if wanted != getattr(_ANYTHING, each.part):
            yield each, wanted


def _facts(act: LoggedAct) -> Iterator[Fact]:
    return (fact for entry in act.entries for fact in entry.facts)


def _is_of_kind(kind: ActKind, act: LoggedAct, _query: LogQuery) -> bool:
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


def _has_outcome(wanted: str, act: LoggedAct, query: LogQuery) -> bool:
    """Whether the act has that outcome; if several rolled in it, whether the wanted person has."""
    person = query.person
    found = [(entry, fact) for entry in act.entries for fact in entry.facts if isinstance(fact, OutcomeFact)]
    if person is not None and len({fact.who for _, fact in found}) > 1:
        found = [(entry, fact) for entry, fact in found if fact.who == person.name or _is_about(entry, person)]
    return any(
        wanted in (fact.outcome, fact.mood.value if fact.mood else fact.outcome, fold(fact.label)) for _, fact in found
    )


def people(panels: Iterable[Panel], players: Players) -> list[Person]:
    """Return the people of a campaign, and its ships: whoever has a panel. Then come the players, for what they proposed;
    one who is called like their character is found as that.
    """
    found = [
        Person(panel.key, panel.title)
        for panel in panels
        if panel.key == SHIP
        or (panel.place in ("ship", "crew") and "." in panel.key and not panel.key.startswith(f"{SHIP}."))
    ]
    taken = {fold(person.name) for person in found}
    names = ((key, name_of(players, key)) for key in players)
    return [*found, *(Person(f"{_PLAYERS}{key}", name) for key, name in names if fold(name) not in taken)]


# -- where to look -----------------------------------------------------------------------------------------------------


def clues(query: LogQuery) -> Iterator[tuple[bytes, ...]]:
    """Yield, for each part of the query that allows it, folded pieces of text of which every act that matches has one in an entry.

    An entry that has one need not match.
    """
    for each, wanted in _wanted_parts(query):
        yield from each.clues(wanted)


def _clues_of_person(person: Person) -> Iterator[tuple[bytes, ...]]:
    key = parse_path(person.key)[-1]
    name = (_longest_run((fold(text),), all_of_it=True) for text in (person.name, key))
    found = tuple(run for run in name if run)
    if len(found) == 2:
        yield (*found, *SHIP_ROLLS_OF_0_1) if person.key == SHIP else found


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


_LAST_YEAR = "2999-99-99"


def _clues_of_dates(first: str, last: str, begun: str = "") -> Iterator[bytes]:
    """Yield the beginnings of all dates from one to another, each written like 2026-10-30, as few as possible."""
    if (begun + "9999-99-99"[len(begun) :]) < first or (begun + "0000-00-00"[len(begun) :]) > last:
        return
    if first <= begun + "0000-00-00"[len(begun) :] and begun + "9999-99-99"[len(begun) :] <= last:
        yield f"\nat = {begun}".encode()
        return
    for sign in "-" if len(begun) in (4, 7) else "0123456789":
        yield from _clues_of_dates(first, last, begun + sign)


_BORDERS = (EntryKind.SCENE, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)


class LogSearch:
    """Searches the acts of a log. Its text stays in memory until `forget` is called."""

    def __init__(self, text: LogText, acts: LoggedActs) -> None:
        self._text, self._acts = text, acts
        self.fold_next, self.forget = text.fold_next, text.forget

    @property
    def acts(self) -> LoggedActs:
        """The acts that can be found."""
        return self._acts

    def find(self, query: LogQuery) -> Iterator[int]:
        """Yield the acts that match, newest first, each by the number of its first entry."""
        return filter(None, self.find_in_steps(query))

    def find_in_steps(self, query: LogQuery) -> Iterator[int]:
        """Like `find`, with a 0 after each step that took time and found nothing."""
        found, seen = list[int](), set[int]()
        for number in self._candidates(query):
            first = self._acts.root_of(number) if 0 < number <= self._acts.count else 0
            if first and first not in seen:
                seen.add(first)
                if find_act(query, self._acts, first):
                    heappush(found, -first)
            # An act begins before its follow-ups: what comes after all that is still to be looked at is in its place.
            while number and found and -found[0] >= number:
                yield -heappop(found)
            yield 0
        while found:
            yield -heappop(found)

    def _candidates(self, query: LogQuery) -> Iterator[int]:
        if query.scenes is not None:
            return numbers_within(query.scenes, self._acts.count)
        parts = [*clues(query)]
        return self._text.numbers(
            min(parts, key=self._text.count_newest) if len(parts) > 1 else parts[0] if parts else ()
        )

    def outcomes(self, files: int | None = None) -> list[str]:
        """Return the labels of all outcomes in the log, or in so many of its newest files, folded."""
        return self._text.values(b"label", files)

    def outcome_words(self, files: int | None = None) -> list[str]:
        """Return what the facts of all outcomes in the log call them, or of those in so many of its newest files, folded."""
        return self._text.values(b"outcome", files)

    def scenes(self, files: int | None = None) -> Iterator[tuple[str, range]]:
        """Yield each scene's title and entries, from its marker on, newest first. A scene that goes on has no end.

        `files` says how many of the newest files are searched.
        """
        end = FARTHEST
        clue = (*clues_of_kind(ActKind.SCENE), *clues_of_kind(ActKind.SESSION))
        for number in self._text.numbers(clue, files=files):
            act = self._acts.act(number) if 0 < number <= self._acts.count else None
            if act is None or act.undone or act.first.kind not in _BORDERS:
                continue
            if act.first.kind is EntryKind.SCENE:
                yield border_title(act.first), range(number, end)
            end = number


# -- the filters -------------------------------------------------------------------------------------------------------


class FilterUnclear(ValueError):
    """The text typed for a filter names nothing in the campaign or its log. The message says what there is."""


class Filterable(NamedTuple):
    """The data for filters: the log, and the people and things of the campaign."""

    log: LogSearch
    panels: Sequence[Panel]
    players: Players
    sessions: Sessions
    files: int | None = None
    """The number of newest log files that are searched for scenes and outcomes; None searches all."""
    most: int | None = None
    """The number of latest scenes and sessions that are listed; None lists all."""
    now: datetime | None = None
    """The time from which `today` and `yesterday` are counted; None if nobody types dates."""


class FilterChoice(NamedTuple):
    """A value that a filter can have."""

    word: str
    """The value as it is typed."""
    value: Any
    """The value as `LogQuery` has it."""
    about: str = ""


class LogFilter(NamedTuple):
    """A condition by which the log can be filtered, in the log view and by an option of `waylog log`. `FILTERS` has all of them: a new
    one is a field of `LogQuery` and a line there.
    """

    part: str
    """The field of `LogQuery` that it sets."""
    option: str
    value_name: str
    about: str
    """The help of its option."""
    read: Callable[[str, Filterable], Any]
    """Returns the value for what was typed. Raises `FilterUnclear`."""
    matches: Callable[[Any, LoggedAct, LogQuery], bool]
    """Whether an act is wanted, for a value and the query that it is in."""
    clues: Callable[[Any], Iterable[tuple[bytes, ...]]]
    """Returns folded pieces of text, of which every wanted act has one in an entry. Nothing if there are none."""
    choices: Callable[[Filterable], Iterable[FilterChoice]] = lambda _: ()
    heading: str = ""
    """Its heading in the log view's list; empty if it isn't there."""
    label: Callable[[str], str] = str
    """Returns the words of a choice in that list."""


def read_query(options: Mapping[str, str], there: Filterable) -> LogQuery:
    """Return what the options of filters ask for, by what was typed for each. Other options are ignored. Raises `FilterUnclear`."""
    return LogQuery(**{each.part: each.read(options[each.option], there) for each in FILTERS if each.option in options})


def _read_person(typed: str, there: Filterable) -> Person:
    known = people(there.panels, there.players)
    exact = [person for person in known if fold(typed) in (fold(person.name), fold(person.key))]
    rated = [(closeness(typed, (person.name, person.key.rpartition(".")[2]), Reach.NAMES), person) for person in known]
    best = max((rating for rating, _ in rated), default=0)
    found = exact or [person for rating, person in rated if rating == best > 0]
    if len(found) == 1:
        return found[0]
    names = [person.name for person in found or known]
    if found:
        raise FilterUnclear(f"“{typed}” could be {' or '.join(names)}: type more of the name")
    raise _unclear("nobody is called", typed, names, "The names are")


def _read_one_of(typed: str, words: Iterable[str], what: str) -> str:
    known = {fold(word): word for word in words}
    if fold(typed) in known:
        return known[fold(typed)]
    raise _unclear(f"there is no {what}", typed, [*known.values()], f"The {what}s are")


def _read_outcome(typed: str, there: Filterable) -> str:
    """Return an outcome by its label, or by the word that it has in the game and in the log."""
    if fold(typed) in there.log.outcome_words(there.files):
        return fold(typed)
    return _read_one_of(typed, dict.fromkeys([*OutcomeGrade, *there.log.outcomes(there.files)]), "outcome")


def _read_scenes(typed: str, there: Filterable) -> tuple[range, ...]:
    scenes = [*there.log.scenes(there.files)]
    if found := scenes_named(typed, scenes):
        return found
    raise _unclear("there is no scene", typed, [*dict.fromkeys(title for title, _ in scenes)], "The latest are")


def _read_session(typed: str, there: Filterable) -> int:
    known = sorted(sessions_by_number(there.sessions), reverse=True)
    if typed.isascii() and typed.isdigit() and int(typed[:9]) in known:
        return int(typed[:9])
    raise _unclear("there is no session", typed, [*map(str, known)], "The latest are")


def _read_time(typed: str, there: Filterable, *, whole_day: time) -> datetime:
    """Return the time that was typed. A day is that time of the day."""
    word = typed.strip().casefold()
    if there.now and word in ("today", "yesterday"):
        return datetime.combine(there.now.date() - timedelta(days=word == "yesterday"), whole_day)
    with suppress(ValueError):
        return datetime.combine(date.fromisoformat(word), whole_day)
    with suppress(ValueError):
        return datetime.fromisoformat(word).replace(tzinfo=None)
    raise FilterUnclear(f"“{typed}” is not a date: type one such as 2026-10-30, “2026-10-30 21:15”, today or yesterday")


def _unclear(begins: str, typed: str, known: Sequence[str], listed: str) -> FilterUnclear:
    near = nearest(typed, known)
    there = f"{listed} {', '.join(known[:_LISTED])}" if known else "This campaign has none yet"
    return FilterUnclear(f"{begins} “{typed}”. {f'Did you mean “{near}”?' if near else there}")


def _scene_choices(there: Filterable) -> Iterator[FilterChoice]:
    scenes = dict[str, tuple[range, ...]]()
    for title, entries in islice(there.log.scenes(there.files), there.most):
        scenes[title] = (*scenes.get(title, ()), entries)
    yield from (FilterChoice(title, ranges) for title, ranges in scenes.items())


def _session_choices(there: Filterable) -> Iterator[FilterChoice]:
    newest_first = sorted(sessions_by_number(there.sessions).items(), reverse=True)[: there.most]
    yield from (FilterChoice(str(number), number, session.title) for number, session in newest_first)


FILTERS = (
    LogFilter(
        "terms",
        "--grep",
        "TEXT",
        "only actions with these words",
        lambda typed, _: split_terms(typed),
        lambda terms, act, _: all(map(fold(search_text(act)).__contains__, terms)),
        lambda terms: ((run,) for term in terms if (run := _longest_run((term,)))),
    ),
    LogFilter(
        "person",
        "--who",
        "NAME",
        "only what this person or ship did, and what happened to them",
        _read_person,
        lambda person, act, _: any(_concerns(entry, person) for entry in act.entries),
        _clues_of_person,
        lambda there: (FilterChoice(one.name, one) for one in people(there.panels, there.players)),
        "Who",
    ),
    LogFilter(
        "outcome",
        "--outcome",
        "OUTCOME",
        "only actions with this outcome (fiasco, drawback, success, critical …)",
        _read_outcome,
        _has_outcome,
        lambda outcome: ((_longest_run((outcome,), all_of_it=True) or b"result",),),
        lambda there: (FilterChoice(outcome, outcome) for outcome in sorted(there.log.outcomes(there.files))),
        "Outcome",
        lambda word: word[:1].upper() + word[1:],
    ),
    LogFilter(
        "kind",
        "--kind",
        "KIND",
        f"only actions of this kind ({', '.join(ActKind)})",
        lambda typed, _: ActKind(_read_one_of(typed, [*ActKind], "kind")),
        _is_of_kind,
        # A rewound act has no sign of that in it.
        lambda kind: () if kind is ActKind.REWOUND else (clues_of_kind(kind),),
        lambda _: (FilterChoice(kind.value, kind) for kind in ActKind),
        "Kind",
        lambda word: word.capitalize() + ("" if word in _STATES else "s"),
    ),
    LogFilter(
        "scenes",
        "--scene",
        "TEXT",
        "only scenes with this text in their title",
        _read_scenes,
        lambda scenes, act, _: any(act.first.number in scene for scene in scenes),
        lambda _: (),
        _scene_choices,
        "Scene",
    ),
    LogFilter(
        "session",
        "--session",
        "N",
        "only session N",
        _read_session,
        lambda session, act, _: act.first.session == session,
        lambda session: ((b"\nsession = %d\n" % session,),) if session > 0 else (),
        _session_choices,
        "Session",
        lambda word: f"Session {word}",
    ),
    LogFilter(
        "since",
        "--since",
        "DATE",
        "only entries from this day or time on, such as 2026-10-30, '2026-10-30 21:15', today or yesterday",
        lambda typed, there: _read_time(typed, there, whole_day=time.min),
        lambda since, act, _: act.first.at.replace(tzinfo=None) >= since,
        lambda since: (tuple(_clues_of_dates(f"{since:%Y-%m-%d}", _LAST_YEAR)),),
    ),
    LogFilter(
        "until",
        "--until",
        "DATE",
        "only entries up to the end of this day, or up to this time",
        lambda typed, there: _read_time(typed, there, whole_day=time.max),
        lambda until, act, _: act.first.at.replace(tzinfo=None, second=0, microsecond=0) <= until,
        lambda until: (tuple(_clues_of_dates("1000-00-00", f"{until:%Y-%m-%d}")),),
    ),
)
"""Everything that the log can be filtered by, in the order of the help. What is cheapest to look at stands last."""
