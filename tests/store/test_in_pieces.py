"""A save that arrives in pieces is taken in whole: what lies there meanwhile is no deletion, however legal it is."""

import time
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import CAMPAIGN, table_at, text_of, written
from waylog.store.file import hand_edits
from waylog.store.files_and_lock import file_signature
from waylog.table import Table
from waylog.toml.document import UnreadableFile

pytestmark = pytest.mark.usefixtures("only_small_game")
_STILL_WHILE_OPEN = hand_edits.STILL_WHILE_OPEN
"""As it is in earnest: read before other tests are kept from waiting."""
EDITED = CAMPAIGN.replace("luck = +0", "luck = 1 # earned")
CUTS = {
    "before a clock": EDITED.index("# What presses on"),
    "within a word": EDITED.index("catastrophe"),
    "all of it": 0,
    "the last line": EDITED.index("filled"),
}


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """However slow a test is, a file has not stood still for long enough before the test says so."""
    monkeypatch.setattr(hand_edits, "STILL", 1e6)
    monkeypatch.setattr(hand_edits, "STILL_WHILE_OPEN", _STILL_WHILE_OPEN)
    return monkeypatch


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """The Swallow, on which something was played."""
    table = table_at(written(tmp_path / "swallow"))
    table.play(table.understand("note we begin"))
    assert table.settle()
    return table


def pieces(table: Table, cut: int) -> tuple[str, str]:
    """The parts of a save that changes the luck, made from the file as it is."""
    mark = f"0001:{table.snapshot.entries}"
    whole = EDITED.replace("0001:0", mark)
    return whole[:cut], whole[cut:]


def words(table: Table) -> list[str]:
    """What the log has, oldest first."""
    return [entry.words for entry in table.entries()][::-1]


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
def test_the_app_waits_for_the_rest(table: Table, patience: pytest.MonkeyPatch, cut: int) -> None:
    """Play goes on in the log, the file is left to the editor, and then the whole save is one edit."""
    first, rest = pieces(table, cut)
    with (table.folder / "campaign.toml").open("w") as editor:
        editor.write(first)
        editor.flush()
        for _ in range(3):
            table.refresh()
            table.play(table.understand("note meanwhile"))
            assert not table.settle()
        assert not table.snapshot.broken
        assert text_of(table.folder) == first
        editor.write(rest)
    patience.setattr(hand_edits, "STILL", -1.0)
    table.refresh()
    assert table.settle()
    (edit,) = [entry for entry in table.entries() if entry.words == "by hand"]
    assert [(change.before, change.after) for change in edit.changes] == [(0, 1)]
    assert "luck = 1 # earned" in text_of(table.folder)
    assert "# short" in text_of(table.folder)


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
def test_a_new_start_waits_for_the_rest(table: Table, patience: pytest.MonkeyPatch, cut: int) -> None:
    """As a command does that comes in the middle of a save."""
    first, rest = pieces(table, cut)
    editor = (table.folder / "campaign.toml").open("w")
    editor.write(first)
    editor.flush()
    looks = iter(range(100))

    def waits(_: float) -> None:
        if next(looks) == 5:
            editor.write(rest)
            editor.close()
            patience.setattr(hand_edits, "STILL", -1.0)

    patience.setattr(time, "sleep", waits)
    again = table_at(table.folder)
    patience.undo()
    assert next(looks) == 6
    again.play(again.understand("note later"))
    assert again.settle()
    assert words(again)[1:] == ["by hand", 'note "later"']
    assert "luck = 1 # earned" in text_of(table.folder)


def test_a_save_that_never_ends_is_refused_in_the_end(table: Table, patience: pytest.MonkeyPatch) -> None:
    """The command says so, and nothing is changed."""
    (table.folder / "campaign.toml").write_text(EDITED[:200])
    clock = iter(range(10_000))
    patience.setattr(time, "monotonic", lambda: float(next(clock)))
    patience.setattr(time, "sleep", lambda _: None)
    with pytest.raises(UnreadableFile, match="keeps writing"):
        table_at(table.folder)
    assert text_of(table.folder) == EDITED[:200]


def test_a_file_stands_still_later_while_somebody_has_it_open(table: Table, patience: pytest.MonkeyPatch) -> None:
    """The system tells who may still write to it."""
    patience.setattr(hand_edits, "STILL", -1.0)
    file = table.folder / "campaign.toml"
    found = file_signature(file)
    with file.open("r+"):
        assert hand_edits.is_written(found) == Path("/proc/self/fd").exists()  # type: ignore[arg-type]  # it is there
        assert hand_edits.Stillness().enough(found, file) != Path("/proc/self/fd").exists()
    with file.open("r"):
        assert not hand_edits.is_written(found)  # type: ignore[arg-type]  # it is there
        assert hand_edits.Stillness().enough(found, file)


def test_what_has_lost_nothing_is_taken_in_at_once(table: Table) -> None:
    """A longer file that ends as it did is a whole one."""
    first, rest = pieces(table, 0)
    (table.folder / "campaign.toml").write_text(first + rest)
    assert table.refresh()
    assert words(table)[-1] == "by hand"


def test_a_rest_that_came_while_one_looked_is_not_overlooked(table: Table, patience: pytest.MonkeyPatch) -> None:
    """The file was read in part, and finished and closed before anybody asked who has it open."""
    patience.setattr(hand_edits, "STILL", -1.0)
    file = table.folder / "campaign.toml"
    file.write_text(EDITED[:200])
    found = file_signature(file)
    file.write_text(EDITED)
    assert not hand_edits.Stillness().enough(found, file)


def test_a_command_about_a_thing_that_a_save_lacks_says_so(table: Table, patience: pytest.MonkeyPatch) -> None:
    """A command about a thing that half a save lacks says that its rest may still come, not that there is no such command."""
    for name in ("Fog", "Gale"):
        table.play(table.understand(f"clock {name} 4 death"))
    assert table.settle()
    text = text_of(table.folder)
    cut = text[: text.index("# What presses on")]
    (table.folder / "campaign.toml").write_text(cut)
    patience.setattr(hand_edits, "STILL", -1.0)
    ran = CommandLine(table.folder.parent)("do", "swallow", "tick", "storm")
    assert "3 things are missing from campaign.toml" in ran.err
    assert "No such command" not in ran.err
    assert text_of(table.folder) == cut
    assert len(words(table_at(table.folder))) == 3


def test_a_clock_that_is_ahead_of_the_file_systems_ends_no_waiting(table: Table, patience: pytest.MonkeyPatch) -> None:
    """As on a file server: how long a file has not changed is measured by the clock that dates it."""
    patience.setattr(hand_edits, "STILL", 600.0)
    now = time.time
    patience.setattr(time, "time", lambda: now() + 3600)
    file = table.folder / "campaign.toml"
    file.write_text(pieces(table, CUTS["before a clock"])[0])
    assert not hand_edits.Stillness().enough(file_signature(file), file)
    table.refresh()
    assert "by hand" not in words(table)
    assert not [path for path in table.folder.iterdir() if path.name.startswith("tmp")]
