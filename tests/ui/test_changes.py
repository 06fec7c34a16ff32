"""What has changed is said as people would say it, on every screen alike."""

from datetime import UTC, datetime

import pytest

from tests.ui.test_palette import INK
from waylog.rules.codec.changes import Change, Value
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import NoteFact, OutcomeFact, RollFact
from waylog.rules.what_players_know import Visibility
from waylog.store.file.open_campaign import EditConflict
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import LoggedAct
from waylog.ui.parts.top_bar_banner_and_log_tail import _describe_conflicts
from waylog.ui.views.log import _render_details
from waylog.words.sentences import (
    change_sentence,
    describe_act,
    describe_change,
    name_change,
    untold_changes,
    value_text,
)

BEGUN = Change(("sessions", "7"), None, {"began": "2026-10-30 19:42"})
ENDED = Change(("sessions", "7", "ended"), "", "2026-10-30 21:30")
CLOSED = Change(("clocks", "letter", "closed"), False, True)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "–"),
        ("", "–"),
        ([], "–"),
        ({}, "–"),
        (0, "0"),
        (1, "1"),
        (True, "yes"),
        (False, "no"),
        ("Pilot", "Pilot"),
        ({"name": "Mara"}, "…"),
        (["torch", True, {"a": 1}, []], "torch, yes, …, –"),
    ],
)
def test_a_value_is_said_as_people_say_it(value: Value, words: str) -> None:
    """No form of the program's own shows: what is not there is a dash, yes is yes, a list is its items."""
    assert value_text(value) == words


def test_the_log_says_whose_change_it_was() -> None:
    """One line each, with the names that the screens have."""
    assert describe_change(ENDED) == "sessions 7 ended  – → 2026-10-30 21:30"
    names = {"sessions.7": "Session 7", "clocks.letter": "The letter"}
    entry = LogEntry(1, datetime(2026, 10, 30, tzinfo=UTC), "session end", (), (BEGUN, ENDED, CLOSED))
    lines = [
        " ".join(line.text.split())
        for line in _render_details(LoggedAct((entry,)), Visibility({}, {}, {}, {}), {}, names, INK, 100, 2)
    ]
    assert lines[1:4] == ["Session 7 – → …", "Session 7: ended 30 Oct 2026 21:30", "The letter: now closed"]


NAMES = {
    "crew": "all",
    "crew.odile": "Odile",
    "crew.odile.focus": "Focus",
    "ship": "Tenacity",
    "ship.modules": "Modules",
    "ship.modules.4": "FALL DOORS",
    "ship.tokens.integrity": "Integrity",
    "crew.odile.tokens": "Tokens",
    "flows": "Flows",
    "clocks.reactor": "Reactor",
    "decks.hold": "Hold",
}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("crew", "odile", "focus"), "Odile: Focus  1 → 2"),
        (("crew", "odile", "suit_colour"), "Odile: suit colour  1 → 2"),
        (("ship", "modules", "4", "destroyed"), "Tenacity: FALL DOORS destroyed  1 → 2"),
        (("clocks", "reactor", "filled"), "Reactor: progress  1 → 2"),
        (("clocks", "gone", "filled"), "clocks gone filled  1 → 2"),
        (("crew", "kit", "focus"), "crew kit focus  1 → 2"),
        (("crew", "odile", "tokens", "rumor"), "Odile: Rumor  1 → 2"),
        (("flows", "slack", "value"), "Flows: slack  1 → 2"),
    ],
)
def test_the_tray_calls_a_place_as_the_screens_do(path: tuple[str, ...], words: str) -> None:
    """A path of the file stands only where nothing has a name."""
    assert name_change(Change(path, 1, 2), NAMES) == words


@pytest.mark.parametrize(("after", "words"), [(True, "Players see “Reactor”"), (False, "Players can't see “Reactor”")])
def test_what_players_see_is_said_and_not_the_key_for_it(after: bool, words: str) -> None:
    """As when it was shown: the undo of that says the same."""
    assert name_change(Change(("clocks", "reactor", "seen"), not after, after), NAMES) == words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Change(("ship", "modules", "4", "destroyed"), True, False), "Tenacity: FALL DOORS no longer destroyed"),
        (Change(("clocks", "reactor", "closed"), False, True), "Reactor: now closed"),
        (Change(("crew", "odile", "focus"), False, True), "Odile: now Focus"),
        (Change(("clocks", "reactor", "outcome_seen"), "no", "yes"), "Reactor: ending visible  no → yes"),
        (Change(("course", "safe"), "odile", ""), "course safe  Odile → –"),
        (Change(("ship", "tokens", "integrity"), False, True), "Tenacity: Integrity restored"),
        (Change(("ship", "tokens", "integrity"), True, False), "Tenacity: Integrity lost"),
        (Change(("decks", "hold", "known"), "secret", "partly"), "Hold: cards players see  none → some"),
    ],
)
def test_switches_and_people_are_named_in_a_change(change: Change, words: str) -> None:
    """A switch without a name of its own reads as a sentence, and a key of one of the crew as their name."""
    assert name_change(change, NAMES) == words


def test_the_tray_tells_nothing_twice() -> None:
    """Changes stand under an undo, and where no note says what happened."""
    at = datetime(2026, 10, 30, tzinfo=UTC)
    change = Change(("crew", "odile", "focus"), 1, 2)
    note = NoteFact("Odile: Focus +1, now 2")
    assert [*untold_changes((LogEntry(1, at, "award focus odile", (note,), (change,)),))] == []
    assert [*untold_changes((LogEntry(1, at, "set", (), (BEGUN, change)),))] == [change]
    undo = LogEntry(2, at, "undo", (NoteFact("Undone: Award Focus to Odile"),), (change.reverse(),), undoes=(1,))
    assert [name_change(each, NAMES) for each in untold_changes((undo,))] == ["Odile: Focus  2 → 1"]


def test_the_banner_says_values_as_the_log_does() -> None:
    """Who has to choose between two of them reads the same words for them everywhere."""
    entry = LogEntry(3, datetime(2026, 10, 30, 20, 5, tzinfo=UTC), "by hand against play")
    text = _describe_conflicts((EditConflict(CLOSED.path, True, None, entry),), dict[int, LogEntry]().__getitem__, {})
    assert "to yes in the file (20:05) and to – in play." in text
    assert "keeps yes" in text
    assert "uses –" in text


def test_an_act_is_named_with_its_own_outcome() -> None:
    """That of a roll which came of it stands with that roll. Names within the title have single quotation marks."""
    at = datetime(2026, 10, 30, tzinfo=UTC)
    damage = RollFact("damage to Bram", (Face("damage", 6),), typed=False)
    roll, fell = RollFact("Tove", (Face("Tove", 4),), typed=False), OutcomeFact("drawback", "Drawback", None, "Tove")
    hit = LogEntry(1, at, "damage bram", (damage, roll, fell), root=1, title="Deal damage to Bram")
    assert describe_act((hit,)) == "“Deal damage to Bram”"
    rolled = LogEntry(1, at, "roll tove", (roll, fell), root=1, title="Tick “Fog”")
    assert describe_act((rolled,)) == "“Tick ‘Fog’” (Drawback)"
    group = LogEntry(1, at, "group", (), root=1, title="Group roll")
    ends = LogEntry(2, at, "finish", (roll, fell, OutcomeFact("success", "Success", None, "Group")), root=1)
    assert describe_act((group, ends)) == "“Group roll” (Success) with its follow-up"


def test_a_thing_that_comes_or_goes_is_named() -> None:
    """By its own name, as a timer that has ended is no more on any screen; nobody sees its path in the file."""
    tea = {"name": "Tea", "began": "2026-01-05 12:00:00", "seconds": 60}
    changes = (Change(("timers", "tea"), None, tea), Change(("timers", "tea"), tea, None))
    assert [name_change(change, {}) for change in changes] == ["Tea: new", "Tea: removed"]
    assert [change_sentence(change, {}) for change in changes] == ["Tea: new.", "Tea: removed."]
