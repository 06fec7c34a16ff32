"""A backup put back under an open window is asked about or taken in, whichever of file, log and history come back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import play_and_settle, saved, table_at, text_of, written
from tests.kit.thorough import cases
from waylog.line_mode.loop import LineLoop
from waylog.line_mode.wayfinder import Wayfinder
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import EntryKind
from waylog.store.log.verification import problems
from waylog.table import Table, Unanswered

FILE, LOG, HISTORY = "campaign.toml", "log", "history"
PLAYED = ("set boat.hull 2", "clock Fog 4 death", "note we begin", "set boat.luck 1", "tick fog", "note on we go")
BACKED_UP_AFTER = 3
"""Entries that the backup has."""

pytestmark = pytest.mark.usefixtures("only_small_game")


def copied(folder: Path, to: str) -> Path:
    """A copy of the campaign as it is now."""
    return Path(shutil.copytree(folder, folder.parent / to))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """The Swallow, open in a window that has played all of it; `backup` beside it has the first three entries."""
    table = table_at(written(tmp_path / "swallow"))
    play_and_settle(table, *PLAYED[:BACKED_UP_AFTER])
    copied(table.folder, "backup")
    play_and_settle(table, *PLAYED[BACKED_UP_AFTER:])
    return table


def put_back(*names: str, backup: str = "backup", removes: bool = False) -> Callable[[Table], None]:
    """Copy these over the campaign's; with `removes`, take away first what the backup doesn't have."""

    def put(table: Table) -> None:
        for name in names:
            there, stored = table.folder / name, table.folder.parent / backup / name
            if removes:
                shutil.rmtree(there) if there.is_dir() else there.unlink()
            if stored.is_dir():
                shutil.copytree(stored, there, dirs_exist_ok=True)
            else:
                shutil.copy2(stored, there)

    return put


def without_log(table: Table) -> None:
    """The file and the history come back, and the log is gone."""
    put_back(FILE, HISTORY)(table)
    shutil.rmtree(table.folder / LOG)


def other_evening(table: Table) -> None:
    """All comes back from another machine that has gone on from the same backup, further than here."""
    other = table_at(copied(table.folder.parent / "backup", "other"))
    play_and_settle(other, "set boat.hull 1", *(f"note theirs {number}" for number in range(4)))
    put_back(FILE, LOG, HISTORY, backup="other")(table)


def with_an_edit(table: Table) -> None:
    """File and log come back, and then the file is edited."""
    put_back(FILE, LOG)(table)
    saved(table.folder, "segments = 4  # short", "segments = 6  # short")


def without_history(table: Table) -> None:
    """File and log come back, and no earlier version is known."""
    put_back(FILE, LOG)(table)
    shutil.rmtree(table.folder / HISTORY)


COMBINATIONS: dict[str, tuple[Callable[[Table], None], bool]] = {
    "the file": (put_back(FILE), True),
    "the log": (put_back(LOG), True),
    "the history": (put_back(HISTORY, removes=True), False),
    "the file and the log": (put_back(FILE, LOG), True),
    "the file and the history": (put_back(FILE, HISTORY, removes=True), True),
    "the log and the history": (put_back(LOG, HISTORY), True),
    "all three, over what is there": (put_back(FILE, LOG, HISTORY), True),
    "all three, in place of what is there": (put_back(FILE, LOG, HISTORY, removes=True), True),
    "the file and the history, without the log": (without_log, True),
    "all three, from another machine": (other_evening, True),
    "the file and the log, then edited": (with_an_edit, True),
    "the file and the log, without the history": (without_history, True),
}
"""What comes back, and whether somebody is asked. The file or the history alone may be older; the rest is still whole."""


def contents(folder: Path) -> dict[str, bytes]:
    """The campaign file and the log, byte by byte."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in (folder / FILE, *(folder / LOG).glob("*.toml"))
    }


def values(table: Table) -> object:
    """All values as they hold in play."""
    return table.game.write(table._state)


def look(table: Table) -> None:
    """Look at the files several times, as a window does."""
    for _ in range(3):
        table.refresh()
        table.settle()


def gone(folder: Path) -> list[str]:
    """What is told of the log, but for entries that are missing."""
    found = [problem.message for problem in problems(folder / LOG, LOG)]
    return [message for message in found if "missing" not in message]


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_nothing_that_was_put_back_is_overwritten_before_somebody_answers(table: Table, combination: str) -> None:
    """Neither file nor log changes, no act is played or saved, and the question can be answered in each program."""
    put, asks = COMBINATIONS[combination]
    put(table)
    before = contents(table.folder)
    look(table)
    assert contents(table.folder) == before
    assert (table.snapshot.asked is not None) is asks
    if asks:
        with pytest.raises(Unanswered):
            table.play(table.understand("note hello"))
        with pytest.raises(Unanswered):
            table.undo()
        assert contents(table.folder) == before


@pytest.mark.parametrize(
    ("combination", "keep"),
    cases([*product(COMBINATIONS, (True, False))], 0, 3),
    ids=lambda value: value if isinstance(value, str) else "the files" if value else "the window",
)
def test_either_answer_leaves_log_and_file_whole(table: Table, tmp_path: Path, combination: str, *, keep: bool) -> None:
    """The values are those that were chosen; play goes on in window, command line and the next start; numbers and checksums
    follow each other, but for entries that are told to be missing.
    """
    played = values(table)
    COMBINATIONS[combination][0](table)
    stored = values(reader(table.folder))
    look(table)
    for _ in range(3):
        if table.snapshot.asked:
            table.answer_file(keep=keep)
        look(table)
    assert table.snapshot.asked is None
    edited = combination == "the file and the log, then edited"
    if not edited or keep:
        assert values(table) == (stored if keep else played)
    assert not edited or table.snapshot.clocks["storm"].segments == 6
    play_and_settle(table, "note we go on")
    line = CommandLine(tmp_path)
    assert line("do", "swallow", "tick storm").code == 0
    look(table)
    assert table.snapshot.clocks["storm"].filled == 1
    again = table_at(table.folder)
    look(again)
    assert values(again) == values(table)
    assert again.snapshot.entries == table.snapshot.entries
    assert gone(table.folder) == []
    again.undo()
    assert again.snapshot.clocks["storm"].filled == 0


def reader(folder: Path) -> Table:
    """What a program finds that has nothing but the campaign file."""
    return table_at(written(folder.parent / "reader", text_of(folder)))


def test_the_window_gives_the_log_its_entries_back(table: Table) -> None:
    """They are the same bytes, notes and all, and nothing is missing."""
    before = contents(table.folder)
    COMBINATIONS["all three, over what is there"][0](table)
    look(table)
    assert table.answer_file(keep=False) is None
    look(table)
    assert contents(table.folder) == before
    assert [*problems(table.folder / LOG, LOG)] == []


def test_going_on_from_the_files_leaves_no_gap(table: Table) -> None:
    """The next entry follows the last one of the log that was put back, though the history has later versions."""
    for combination in ("the file and the log", "all three, over what is there"):
        play_and_settle(table, "note once more")
        COMBINATIONS[combination][0](table)
        look(table)
        table.answer_file(keep=True)
        play_and_settle(table, "note from here")
        assert table.snapshot.entries == BACKED_UP_AFTER + 1
        assert [*problems(table.folder / LOG, LOG)] == []


def test_entries_that_the_window_never_read_are_told_to_be_missing(table: Table) -> None:
    """A backup from long before the window was opened, and values that no file has any more: the window's values hold."""
    for number in range(120):
        table.play(table.understand(f"note {number}"))
    window = table_at(table.folder)
    play_and_settle(window, "set boat.hull 1")
    COMBINATIONS["all three, in place of what is there"][0](window)
    look(window)
    window.answer_file(keep=False)
    play_and_settle(window, "note we go on")
    assert values(table_at(window.folder)) == values(window)
    (gap,) = problems(window.folder / LOG, LOG)
    assert gap.message.startswith(f"entries {BACKED_UP_AFTER + 1} to ")
    assert gone(window.folder) == []


def test_the_values_of_the_window_are_one_entry_of_another_log(table: Table) -> None:
    """Its own numbers are taken there; undo goes back to what was put back."""
    other_evening(table)
    look(table)
    stored = values(reader(table.folder))
    entry = table.answer_file(keep=False)
    assert entry
    assert entry.kind is EntryKind.RESTORE
    assert (table.game.write(table._state)["boat"], entry.number) == ({"hull": 2, "luck": 1}, 9)
    table.undo()
    assert values(table) == stored


def test_the_question_goes_when_the_log_comes_back(table: Table) -> None:
    """Whoever put the backup there takes it away again, or another window answers."""
    newest = copied(table.folder, "newest")
    other = table_at(table.folder)
    COMBINATIONS["all three, over what is there"][0](table)
    look(table)
    look(other)
    assert table.snapshot.asked
    assert other.snapshot.asked
    other.answer_file(keep=False)
    look(other)
    look(table)
    assert table.snapshot.asked is None
    COMBINATIONS["all three, over what is there"][0](table)
    look(table)
    put_back(FILE, LOG, HISTORY, backup=newest.name)(table)
    look(table)
    assert table.snapshot.asked is None
    play_and_settle(table, "note on")
    assert [*problems(table.folder / LOG, LOG)] == []


def test_who_only_looks_sees_what_was_put_back(table: Table) -> None:
    """Nobody is asked in a window that can't answer."""
    window = Table(table.folder, now=table._now, chance=table._chance, read_only=True)
    assert window.snapshot.entries == len(PLAYED)
    COMBINATIONS["all three, over what is there"][0](table)
    look(window)
    assert window.snapshot.asked is None
    assert window.snapshot.entries == BACKED_UP_AFTER


def test_a_file_that_cannot_be_read_is_no_place_to_go_on_from(table: Table) -> None:
    """The answer is refused with the line, and the question stands until the file is right."""
    COMBINATIONS["all three, over what is there"][0](table)
    text = text_of(table.folder)
    (table.folder / FILE).write_text(text.replace("luck = +0", "luck = = 0"))
    look(table)
    with pytest.raises(ActRefused, match=r"campaign\.toml"):
        table.answer_file(keep=True)
    assert table.snapshot.asked
    (table.folder / FILE).write_text(text)
    table.answer_file(keep=True)
    assert table.snapshot.entries == BACKED_UP_AFTER


@pytest.mark.parametrize("order", [(FILE, HISTORY, LOG), (LOG, HISTORY, FILE), (HISTORY, FILE, LOG)])
def test_a_look_between_the_parts_of_a_backup_changes_nothing(table: Table, order: tuple[str, ...]) -> None:
    """In whichever order they are copied, the question at the end is about the log, and both answers can be given."""
    for name in order:
        put_back(name)(table)
        look(table)
    backup = contents(table.folder.parent / "backup")
    assert contents(table.folder) == backup
    assert table.snapshot.asked
    assert "log was replaced" in table.snapshot.asked.about
    table.answer_file(keep=True)
    look(table)
    assert contents(table.folder) == backup
    assert values(table) == values(reader(table.folder))


@pytest.mark.parametrize(("number", "entries"), [("1", BACKED_UP_AFTER), ("2", len(PLAYED))])
def test_line_mode_asks_and_takes_a_number(table: Table, number: str, entries: int) -> None:
    """An act that was typed meanwhile is not done, and its refusal is followed by the question with both answers."""
    loop = LineLoop(Wayfinder(table))
    loop.begin()
    COMBINATIONS["all three, over what is there"][0](table)
    said = loop.take("note hello")
    about = "The log was replaced: it ends at entry 3, but this window has seen entry 6."
    assert said[-3:] == [about, "1. Continue from the files.", "2. Continue from entry 6."]
    assert not any("missing" in line for line in said)
    loop.take(number)
    assert table.snapshot.entries == entries
    loop.take("note hello")
    assert table.entry(entries + 1).words == 'note "hello"'
