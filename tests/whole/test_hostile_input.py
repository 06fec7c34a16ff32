"""Whatever a campaign file or folder holds is answered in words, with its place, or shown so that it can do no harm."""

import os
import re
import stat
import unicodedata
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine, Ran
from tests.kit.table import Falling, ticking
from tests.kit.thorough import cases
from tests.whole.hostile_inputs import CAMPAIGN, CLASSES, FILE, Class, Named, Refused, Sound, Way
from waylog.rules.codec.changes import Change
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.store.log.entries_and_version_0_1 import LogEntry, encode_entry
from waylog.table import LogWriteFailed, Table

EACH = [
    pytest.param(each, way, id=f"{each.number} {each.name} {number}")
    for each in CLASSES
    for number, way in enumerate(each.ways, 1)
]
PLACE = re.compile(r":[1-9]\d*:[1-9]\d*: \S")


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """Commands on an empty folder of campaigns."""
    (tmp_path / "campaigns").mkdir()
    return CommandLine(tmp_path / "campaigns")


def made(waylog: CommandLine, way: Way) -> Path:
    """A sound campaign to which that has happened."""
    folder = waylog.campaigns / os.fsdecode(way.folder.encode("utf-8", "surrogateescape"))
    folder.mkdir()
    (folder / FILE).write_text(CAMPAIGN)
    way.do_to(folder)
    return folder


def held(folder: Path) -> list[tuple[object, ...]]:
    """What there is, down to the bytes of what is small enough to be a campaign's."""

    def one(path: Path) -> tuple[object, ...]:
        found = path.lstat()
        small = stat.S_ISREG(found.st_mode) and found.st_size < 1024**3
        return path, found.st_mode, found.st_size, found.st_mtime_ns, path.read_bytes() if small else None

    return sorted(map(one, folder.rglob("*")))


def assert_harmless(ran: Ran) -> None:
    """Nothing of it steers a terminal, hides, or comes from Python."""
    said = ran.out + ran.err
    assert "Traceback" not in said
    assert {char for char in said if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")} <= {"\n", "\u200d"}


def test_every_class_is_there_once() -> None:
    """Under its number, with a way of going wrong; but for two, which are told of where tables and decks are tested."""
    assert [each.number for each in CLASSES] == [number for number in range(1, 67) if number not in (54, 55)]
    assert all(each.ways for each in CLASSES)


@pytest.mark.parametrize(("each", "way"), cases(EACH, 0, 3))
def test_it_is_answered_in_words_and_left_alone(waylog: CommandLine, each: Class, way: Way) -> None:
    """`check` names it with file, line and column; what may be opened is shown; nothing steers; not a byte is different."""
    folder = made(waylog, way)
    before = held(waylog.campaigns)
    ran = {
        command: waylog(command, f"{waylog.campaigns}/{folder.name}") for command in ("check", "show", "log", "moves")
    }
    for each_ran in ran.values():
        assert_harmless(each_ran)
    opened = 1 if isinstance(way.expected, Refused) else 0
    assert {ran[command].code for command in ("show", "log", "moves")} == {opened}, each
    assert ran["check"].code == (0 if isinstance(way.expected, Sound) else 1)
    for code, err in ((ran["check"].code, ran["check"].err), (opened, ran["show"].err)):
        if code:
            assert all(PLACE.search(line) for line in err.splitlines())
            assert not isinstance(way.expected, Sound)
            assert f"{FILE}:{way.expected.place}" in err
            assert way.expected.said in err
    assert held(waylog.campaigns) == before


@pytest.mark.parametrize(("each", "way"), cases(EACH, 1, 3))
def test_it_comes_while_the_campaign_is_open(waylog: CommandLine, each: Class, way: Way) -> None:
    """The table tells of it, plays on from what it knew, and writes nothing over a file that it can't read."""
    folder = made(waylog, replace(way, how=CAMPAIGN))
    table = Table(folder, now=ticking(), chance=Falling())
    way.do_to(folder)
    before = held(folder)
    for _ in range(3):  # what may be half of a file is looked at twice
        with suppress(LogWriteFailed):
            table.refresh()
    refused = isinstance(way.expected, Refused)
    assert table.snapshot.broken == refused, each
    if isinstance(way.expected, Refused):
        assert way.expected.said in " ".join(map(str, table.snapshot.problems))
    if table.snapshot.asked:  # A number out of its rule's range: the table asks, and plays nothing until then.
        assert isinstance(way.expected, Named)
        assert way.expected.said in table.snapshot.asked.about
        table.answer_file(keep=True)
    with suppress(LogWriteFailed):
        number = table.play(table.understand("note on")).number
        assert table.entry(number).words.startswith("note")
    assert table.settle() == (not refused and not table.file_is_behind())
    if refused:
        assert set(before) <= set(held(folder))


LOG = b"# By hand\n\n" + b"\n".join(
    encode_entry(entry)
    for entry in (
        LogEntry(1, datetime(2026, 1, 5, 20, tzinfo=UTC), "session begin", (NoteFact("It begins"),), root=1),
        LogEntry(
            2,
            datetime(2026, 1, 5, 20, tzinfo=UTC),
            "roll nav 3 5",
            (
                RollFact("NAV", (Face("NAV", 3, 6), Face("NAV", 5, 6)), typed=True),
                OutcomeFact("fiasco", "Fiasco", OutcomeGrade.FIASCO),
            ),
            (Change(("ship", "focus"), 1, 2, "0x1"),),
            faces=(3, 5),
            root=2,
            scene={"act": 2},
        ),
        LogEntry(3, datetime(2026, 1, 5, 20, tzinfo=UTC), "undo", changes=(), root=3, undoes=(2,)),
        LogEntry(4, datetime(2026, 1, 5, 20, tzinfo=UTC), "tick hull", (NoteFact("+1", "NM-26"),), root=4),
    )
)
SLIPS = (
    b"",
    b"-1",
    b"0",
    b"99999999999999999999",
    b"0x" + b"f" * 5000,
    b"true",
    b"nan",
    b"[]",
    b"{}",
    b'"\\u001b]2;x\\u0007"',
    b'"\\u202e"',
    b"0001-01-01T00:00:00+14:00",
    b"9999-12-31",
    b"\xff",
    b"\0" * 40,
    b"\x1b[2J",
    b"[[entry]]\n",
)
VALUES = [found.span(1) for found in re.finditer(rb"= ([^\s,{}\[\]]+)", LOG)]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: repr(slip[:20]))
def test_a_slip_anywhere_in_the_log_is_no_more_than_that(waylog: CommandLine, slip: bytes) -> None:
    """Each value in turn is overwritten with what does not belong there: it is told or passed over, and play goes on.

    At a desk, most values are overwritten once.
    """
    for start, end in cases(VALUES, SLIPS.index(slip), 30):
        folder = waylog.campaigns / f"slip-{start}"
        (folder / "log").mkdir(parents=True)
        (folder / FILE).write_text(CAMPAIGN)
        (folder / "log" / "0001.toml").write_bytes(LOG[:start] + slip + LOG[end:])
        for command in (("check",), ("show",), ("log", "-n", "0"), ("why", "ship.focus"), ("do", "note on"), ("undo",)):
            ran = waylog(command[0], folder.name, *command[1:])
            assert ran.code in (0, 1, 3), (slip, start, ran)
            assert_harmless(ran)
        assert "Note: on" in waylog("log", folder.name).out, (slip, start)
