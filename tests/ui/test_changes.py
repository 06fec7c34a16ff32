"""What has changed is said as people would say it, on every screen alike."""

from datetime import UTC, datetime

import pytest

from tests.ui.test_palette import INK
from waylog.rules.changes import Change, Value
from waylog.store.edit_merge import EditConflict
from waylog.store.entries import LogEntry
from waylog.store.logged_acts import LoggedAct
from waylog.store.visibility import Visibility
from waylog.ui.banner import _changed_twice
from waylog.ui.draw.changes import describe_change, describe_value
from waylog.ui.draw.latest_act import _change_lines
from waylog.ui.views.log import _render_details

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
    assert describe_value(value) == words


def test_the_log_and_the_tray_say_a_change_alike() -> None:
    """One line each in the log, one after the other in the tray, which leaves whole things to their notes."""
    assert describe_change(ENDED) == "sessions.7.ended  – → 2026-10-30 21:30"
    entry = LogEntry(1, datetime(2026, 10, 30, tzinfo=UTC), "session end", (), (BEGUN, ENDED, CLOSED))
    lines = [
        " ".join(line.text.split())
        for line in _render_details(LoggedAct((entry,)), Visibility({}, {}, {}, {}), {}, INK, 100)
    ]
    assert lines[1:4] == ["sessions.7 – → …", "sessions.7.ended – → 2026-10-30 21:30", "clocks.letter.closed no → yes"]
    assert _change_lines(entry.changes) == f"{describe_change(ENDED)} · {describe_change(CLOSED)}"


def test_the_banner_says_values_as_the_log_does() -> None:
    """Who has to choose between two of them reads the same words for them everywhere."""
    entry = LogEntry(3, datetime(2026, 10, 30, 20, 5, tzinfo=UTC), "by hand against play")
    text = _changed_twice((EditConflict(CLOSED.path, True, None, entry),), lambda _: None)
    assert "keeps the file's yes (" in text
    assert "takes the played – (" in text
