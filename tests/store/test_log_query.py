"""Which acts a query wants: by values of the entries, and by words of what the log shows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waylog.rules.codec.changes import Change
from waylog.rules.language.similar_names import find_words, fold
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import ClockStep, NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry, encode_entry
from waylog.store.log.grouped_acts_and_texts import LoggedAct, search_text
from waylog.store.log.search_and_filters import (
    FILTERS,
    ActKind,
    LogQuery,
    Person,
    clues,
    fold_bytes,
    matches,
    split_terms,
)
from waylog.values import fields

AT = datetime(2026, 1, 5, 20, tzinfo=UTC)
MARA, LARS = Person("crew.mara", "Mara"), Person("crew.lars", "Lars")
ROLL = LogEntry(
    7,
    AT,
    "roll nav",
    (
        RollFact("NAV", (Face("NAV", 6), Face("KEELWING", 2)), typed=True, deed="The Swallow rolls NAV"),
        OutcomeFact("fiasco", "Fiasco", OutcomeGrade.FIASCO, "NAV"),
        NoteFact("“Écho” +2, now 4/6", step=ClockStep("Écho", 2, 4, 6)),
    ),
    (Change(("crew", "mara", "focus"), 0, 1),),
    root=7,
    session=3,
    title="Roll NAV: KEELWING",
    about=("ship.core.NAV",),
)


def test_each_part_of_a_query_has_one_filter() -> None:
    """A part without a line in `FILTERS` would let every act through, and a second line would ask for it twice."""
    assert sorted(each.part for each in FILTERS) == sorted(field.name for field in fields(LogQuery))
    assert len({each.option for each in FILTERS}) == len(FILTERS)


def is_wanted(entry: LogEntry, **query: object) -> bool:
    """Whether the act of one entry matches."""
    return matches(LogQuery(**query), LoggedAct((entry,)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("swallow ROLLS nav", True),
        ("with keelwing", True),
        ("echo 2 → 4", True),
        ("ÉCHO of 6", True),
        ("fiasco", True),
        ("now 4/6", True),
        ("“Swallow” rolls: NAV, Écho.", True),
        ("title", False),
        ("focus", False),
        ("swallow rows", False),
        ("", True),
    ],
)
def test_words_are_found_in_what_the_log_shows(text: str, found: bool) -> None:
    """All of the words, in any order, without regard to case and accents; commands and changed values are no text."""
    assert is_wanted(ROLL, terms=split_terms(text)) is found


def test_a_person_is_known_by_values() -> None:
    """What they rolled, what was about them, and what changed them; a name in a sentence is no fact."""
    assert is_wanted(ROLL, person=MARA)
    assert is_wanted(ROLL, person=Person("ship", "Swallow"))
    assert not is_wanted(ROLL, person=LARS)
    assert not is_wanted(LogEntry(1, AT, "note", (NoteFact("Mara waits"),), kind=EntryKind.NOTE), person=MARA)
    assert is_wanted(LogEntry(1, AT, "roll", (RollFact("Lars", (), typed=False),)), person=LARS)
    assert not is_wanted(replace(ROLL, changes=(Change(("crew", "mara-2", "focus"), 0, 1),)), person=MARA)


@pytest.mark.parametrize(("outcome", "found"), [("fiasco", True), ("success", False), ("critical success", False)])
def test_an_outcome_is_known_by_grade_or_label(outcome: str, found: bool) -> None:
    """The log finds an outcome by the label of its game or by the grade that all games share."""
    assert is_wanted(ROLL, outcome=outcome) is found


def test_an_outcome_belongs_to_a_person() -> None:
    """Where several roll in one act, each is found with the own outcome alone."""
    success = OutcomeFact("success", "Success", OutcomeGrade.SUCCESS, "Lars")
    group = LoggedAct((replace(ROLL, about=("crew.mara",)), LogEntry(8, AT, "roll lars", (success,), root=7)))
    assert matches(LogQuery(person=MARA, outcome="fiasco"), group)
    assert matches(LogQuery(person=LARS, outcome="success"), group)
    assert not matches(LogQuery(person=LARS, outcome="fiasco"), group)
    assert not matches(LogQuery(person=MARA, outcome="success"), group)


def test_an_act_may_be_of_several_kinds() -> None:
    """A roll that ticks a clock is found as either."""
    kinds = [kind for kind in ActKind if is_wanted(ROLL, kind=kind)]
    assert kinds == [ActKind.ROLL, ActKind.CLOCK]
    undone = LoggedAct((ROLL,), replace(ROLL, number=8, kind=EntryKind.UNDO, undoes=(7,)))
    assert matches(LogQuery(kind=ActKind.UNDONE), undone)


def test_session_and_scene_are_places_in_the_log() -> None:
    """A scene is the entries from its marker on."""
    assert is_wanted(ROLL, session=3)
    assert not is_wanted(ROLL, session=2)
    assert is_wanted(ROLL, scenes=(range(2, 4), range(7, 9)))
    assert not is_wanted(ROLL, scenes=())


def test_an_empty_query_wants_everything() -> None:
    """It is false, so nothing is filtered."""
    assert not LogQuery()
    assert LogQuery(session=0)
    assert is_wanted(ROLL)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=12)
NOTES = st.builds(NoteFact, WORDS, quote=st.none() | WORDS)
OUTCOMES = st.builds(
    OutcomeFact, st.sampled_from(["fiasco", "held"]), WORDS, st.sampled_from([*OutcomeGrade, None]), WORDS
)
ROLLS = st.builds(
    RollFact,
    WORDS,
    st.lists(st.builds(Face, WORDS, st.integers(1, 6)), max_size=3).map(tuple),
    st.booleans(),
    deed=WORDS,
)
ENTRIES = st.builds(
    LogEntry,
    st.just(1),
    st.just(AT),
    WORDS,
    st.lists(NOTES | OUTCOMES | ROLLS, max_size=3).map(tuple),
    st.lists(st.builds(Change, st.just(("crew", "mara")), st.none(), WORDS), max_size=1).map(tuple),
    root=st.just(1),
    session=st.integers(0, 3),
    title=WORDS.filter(bool),
    kind=st.sampled_from(EntryKind),
    about=st.sampled_from([(), ("crew.lars",), ("ship.core.NAV",)]),
)
QUERIES = st.builds(
    LogQuery,
    st.lists(st.sampled_from(["fiasco", "a", "with"]), max_size=1).map(tuple),
    st.sampled_from([None, MARA, LARS]),
    st.sampled_from(["", "fiasco", "held"]),
    st.none() | st.sampled_from(ActKind),
    session=st.none() | st.integers(0, 3),
)


@given(ENTRIES, QUERIES, st.data())
def test_every_act_that_matches_has_each_clue(entry: LogEntry, query: LogQuery, data: st.DataObject) -> None:
    """Each act that matches has every clue in it, so that what has no clue need not be read. Words are taken from what is shown."""
    act = LoggedAct((entry,))
    parts: Sequence[str] = split_terms(search_text(act))
    if parts:
        word = data.draw(st.sampled_from(parts))
        start = data.draw(st.integers(0, len(word) - 1))
        query = replace(query, terms=(word[start : data.draw(st.integers(start + 1, len(word)))],))
    text = fold_bytes(encode_entry(entry))
    if matches(query, act):
        assert all(any(clue in text for clue in part) for part in clues(query))


@given(WORDS)
def test_bytes_are_folded_as_texts_are(text: str) -> None:
    """A word of one is found in the other."""
    assert fold_bytes(text.encode()).decode() == "".join(map(fold, text))


@given(WORDS, st.lists(WORDS.map(fold), max_size=3))
def test_found_words_are_parts_of_the_text(text: str, words: list[str]) -> None:
    """In order, apart from each other, and each folds to something with a searched word in it."""
    found = find_words(text, words)
    assert all(one.stop < other.start for one, other in pairwise(found))
    for place in found:
        assert any(word and word in fold(text[place.start : place.stop]) for word in words)


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("The Écho, échoes", ["echo"], ["Écho", "écho"]),
        ("Straße", ["ss"], ["ß"]),
        ("ab abc", ["ab", "bc"], ["ab", "abc"]),
        ("plain", ["x", ""], []),
    ],
)
def test_words_are_marked_as_they_are_written(text: str, words: list[str], marked: list[str]) -> None:
    """Words that were found are marked as the log writes them, whatever their case and accents."""
    assert [text[place.start : place.stop] for place in find_words(text, words)] == marked
