"""What a person saves while nothing is played stays as they saved it; edits conflict with play alone; old copies are asked about."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import play_and_settle, saved, table_at, text_of, written
from waylog.rules.model.moves import ActRefused
from waylog.store.file.history import FileHistory
from waylog.table import Table, Unanswered
from waylog.toml.document import UnreadableFile

STORM = """
# What presses on
[clocks.storm]
name = \'\'\'The storm\'\'\'
kind = "catastrophe"
segments = 4  # short
filled = 0
"""
MORE = "".join(f'\n[clocks.k{n}]\nname = "Threat {n}"\nkind = "push"\nsegments = 6\nfilled = 0\n' for n in range(4))

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """The Swallow, on which something was played; the file says so."""
    table = table_at(written(tmp_path / "swallow"))
    play_and_settle(table, "note we begin")
    return table


def put(table: Table, text: str) -> None:
    """Save that as an editor does, and have it taken in."""
    beside = table.folder / "campaign.toml~"
    beside.write_text(text)
    beside.replace(table.folder / "campaign.toml")
    table.refresh()


def words(table: Table) -> list[str]:
    """What the log has, oldest first."""
    return [entry.words for entry in table.entries()][::-1]


def reopened(table: Table) -> Table:
    """The same campaign after a new start, once what lies there is taken in."""
    again = table_at(table.folder)
    again.refresh()
    return again


def value(table: Table, path: str) -> object:
    """A value as it holds in play."""
    found: object = table.game.write(table._state)
    for key in path.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    return found


# -- edits without play


@pytest.mark.parametrize("again", [lambda table: table, reopened], ids=["open", "a new start"])
def test_saves_without_play_leave_the_file_as_it_was_saved(table: Table, again: Callable[[Table], Table]) -> None:
    """Each is logged, none is a conflict, and the bytes stay those of the editor, also across a start."""
    text = text_of(table.folder)
    for luck in ("1", "2", "+1", "0x2"):
        text = text.replace(text[text.index("luck = ") :].partition("\n")[0], f"luck = {luck}")
        put(table, text)
        assert table.settle()
        assert not table.file_is_behind()
        assert text_of(table.folder) == text
        table = again(table)
        assert table.settle()
        assert text_of(table.folder) == text
    assert words(table) == ['note "we begin"', *["by hand"] * 4]
    assert table.snapshot.conflicts == ()
    assert value(table, "boat.luck") == 2
    play_and_settle(table, "note on we go")
    assert 'log = "0001:6"' in text_of(table.folder)
    assert reopened(table)._state == table._state


def test_a_second_save_of_one_buffer_is_compared_with_the_first(table: Table) -> None:
    """Saved, then played, then saved again without reading the file anew: what was changed twice by hand is no conflict."""
    buffer = text_of(table.folder).replace("luck = +0", "luck = 1")
    put(table, buffer)
    play_and_settle(table, "set boat.hull 2")
    put(table, buffer.replace("luck = 1", "luck = 0x1").replace("segments = 4", "segments = 6"))
    put(table, f"{buffer}# and so on\n")
    assert table.settle()
    assert table.snapshot.conflicts == ()
    assert (value(table, "boat.luck"), value(table, "clocks.storm.segments")) == (1, 4)
    play_and_settle(table, "set boat.hull 1")
    put(table, buffer.replace("luck = 1", "luck = 0x2"))
    assert table.settle()
    assert table.snapshot.conflicts == ()
    assert (value(table, "boat.luck"), value(table, "boat.hull")) == (2, 1)


def test_what_was_played_and_edited_is_still_a_conflict(table: Table) -> None:
    """The file's value stands, and the played one can be had."""
    buffer = text_of(table.folder)
    play_and_settle(table, "set boat.hull 2")
    put(table, buffer.replace("hull = 0x3", "hull = 1"))
    (conflict,) = table.snapshot.conflicts
    assert (conflict.file, conflict.played) == (1, 2)
    table.keep_game_value(conflict)
    assert table.settle()
    assert "hull = 2" in text_of(table.folder)


def test_an_edit_that_was_taken_back_is_not_done_again_by_the_same_buffer(table: Table) -> None:
    """The buffer still shows it; saving it with another change brings that change alone."""
    buffer = text_of(table.folder).replace("luck = +0", "luck = 1")
    put(table, buffer)
    table.undo()
    assert table.settle()
    put(table, buffer.replace("segments = 4", "segments = 6"))
    assert (value(table, "boat.luck"), value(table, "clocks.storm.segments")) == (None, 6)
    assert table.snapshot.conflicts == ()


def test_an_edit_in_another_window_is_taken_in_once(table: Table) -> None:
    """An edit is taken in once, whichever window sees it first; a second save that only this window sees is an edit of the first."""
    other = table_at(table.folder)
    put(table, text_of(table.folder).replace("luck = +0", "luck = 1"))
    saved(table.folder, "luck = 1", "luck = 2")
    other.refresh()
    table.refresh()
    assert words(table) == words(other) == ['note "we begin"', "by hand", "by hand"]
    assert value(table, "boat.luck") == value(other, "boat.luck") == 2


def test_without_the_list_of_versions_no_edit_is_lost_and_none_comes_twice(table: Table) -> None:
    """The list may be gone, or end in a line that a crash has cut short."""
    put(table, text_of(table.folder).replace("luck = +0", "luck = 1"))
    known = table.folder / "history" / "known"
    again = table
    for left in (b"", known.read_bytes()[:-7], b"filed\n- - -\n\xff\n"):
        known.write_bytes(left)
        again = reopened(table)
        assert words(again) == ['note "we begin"', "by hand"]
        assert value(again, "boat.luck") == 1
    put(again, text_of(table.folder).replace("luck = 1", "luck = 2"))
    assert value(again, "boat.luck") == 2


def test_a_line_of_the_mark_that_was_deleted_loses_no_edit(table: Table) -> None:
    """A deleted line with the mark loses no edit, also of a value that play had changed while no window was open."""
    play_and_settle(table, "set boat.hull 2")
    text = "".join(line for line in text_of(table.folder).splitlines(keepends=True) if not line.startswith("log ="))
    (table.folder / "campaign.toml").write_text(text.replace("hull = 2", "hull = 1"))
    again = reopened(table)
    assert words(again)[-1] == "by hand"
    assert value(again, "boat.hull") == 1
    play_and_settle(again, "note on we go")
    assert 'log = "0001:4"' in text_of(table.folder)


@pytest.mark.parametrize("mark", ["0001:999999999", "0001:9999999999", "0001:99999999999999999999"])
def test_a_mark_beyond_the_log_is_a_slip(table: Table, mark: str) -> None:
    """It neither hangs nor becomes the next number."""
    put(table, text_of(table.folder).replace("0001:1", mark).replace("luck = +0", "luck = 1"))
    again = table
    if table.snapshot.broken:
        assert "too high: no log" in table.snapshot.problems[0].message
        assert (table.snapshot.problems[0].line, table.snapshot.problems[0].column) == (6, 7)
    else:
        again = reopened(table)
        assert value(again, "boat.luck") == 1
        play_and_settle(again, "note on we go")
        assert again.snapshot.entries == 3
        assert 'log = "0001:3"' in text_of(table.folder)


# -- old copies


def _copied(table: Table) -> str:
    """Play on twice; gives the file as it was before."""
    old = text_of(table.folder)
    play_and_settle(table, "set boat.hull 2")
    play_and_settle(table, "set boat.luck 1")
    return old


@pytest.mark.parametrize("again", [lambda table: table, reopened], ids=["open", "a new start"])
def test_an_old_copy_is_asked_about_and_nothing_is_done_meanwhile(
    table: Table, again: Callable[[Table], Table]
) -> None:
    """Neither file nor log changes until somebody answers."""
    old = _copied(table)
    put(table, old)
    table = again(table)
    assert table.snapshot.asked
    assert "without the last 2 actions" in table.snapshot.asked.about
    assert not table.settle() or text_of(table.folder) == old
    with pytest.raises(Unanswered, match="First decide what to do about that"):
        table.play(table.understand("note hello"))
    assert (text_of(table.folder), table.snapshot.entries) == (old, 3)


@pytest.mark.parametrize("again", [lambda table: table, reopened], ids=["open", "a new start"])
def test_one_may_play_on_from_an_old_copy(table: Table, again: Callable[[Table], Table]) -> None:
    """That is one entry, which undo takes back; the file stays as it is until something is played."""
    old = _copied(table)
    put(table, old)
    table = again(table)
    assert table.answer_file(keep=True)
    assert table.settle()
    assert (value(table, "boat.hull"), value(table, "boat.luck")) == (None, None)
    assert text_of(table.folder) == old
    assert reopened(table).snapshot.asked is None
    table.undo()
    assert table.settle()
    assert (value(table, "boat.hull"), value(table, "boat.luck")) == (2, 1)
    assert reopened(table)._state == table._state


@pytest.mark.parametrize("again", [lambda table: table, reopened], ids=["open", "a new start"])
def test_an_old_copy_may_be_brought_up_to_date(table: Table, again: Callable[[Table], Table]) -> None:
    """The later acts are done in it, and no entry is made; and the same copy is asked about when it comes again."""
    old = _copied(table)
    for _ in range(2):
        put(table, old)
        table = again(table)
        assert table.snapshot.asked
        assert table.answer_file(keep=False) is None
        assert table.settle()
        assert (value(table, "boat.hull"), table.snapshot.entries) == (2, 3)
        assert "hull = 2" in text_of(table.folder)
        assert reopened(table).snapshot.asked is None
    with pytest.raises(ActRefused, match="no question"):
        table.answer_file(keep=True)


def test_a_copy_from_before_the_list_is_known_by_what_it_says(table: Table) -> None:
    """A backup of a version that the list has forgotten, or never had."""
    old = _copied(table)
    (table.folder / "history" / "known").unlink()
    table = reopened(table)
    put(table, old)
    assert table.snapshot.asked


def test_a_comment_in_an_older_buffer_is_an_edit_and_no_old_copy(table: Table) -> None:
    """Nothing is asked; the comment stays, and so does what was played."""
    old = _copied(table)
    put(table, old.replace("# she leaks", "# she leaks badly"))
    assert table.snapshot.asked is None
    assert table.settle()
    assert "# she leaks badly" in text_of(table.folder)
    assert "hull = 2" in text_of(table.folder)


def test_an_earlier_save_put_back_with_nothing_played_is_an_edit(table: Table) -> None:
    """As when an editor undoes what it saved before."""
    before = text_of(table.folder)
    put(table, before.replace("luck = +0", "luck = 1"))
    put(table, before)
    assert table.snapshot.asked is None
    assert words(table)[-2:] == ["by hand", "by hand"]
    assert value(table, "boat.luck") is None
    assert text_of(table.folder) == before


# -- removing


def test_a_thing_or_two_go_without_a_question(table: Table) -> None:
    """A deliberate deletion is no nuisance."""
    put(table, text_of(table.folder) + MORE)
    put(table, text_of(table.folder).replace(STORM, ""))
    assert table.snapshot.asked is None
    assert "storm" not in table.snapshot.clocks


@pytest.mark.parametrize("keep", [True, False])
def test_many_things_go_only_when_somebody_says_so(table: Table, *, keep: bool) -> None:
    """Put back, they are there again with their comments, and what else was edited is taken in."""
    put(table, text_of(table.folder) + MORE)
    whole = text_of(table.folder)
    cut = whole.replace(MORE, "").replace("luck = +0", "luck = 1")
    put(table, cut)
    assert table.snapshot.asked
    assert (
        "4 things are missing from campaign.toml: Threat 0, Threat 1, Threat 2 and 1 more" in table.snapshot.asked.about
    )
    assert "k0" in table.snapshot.clocks
    with pytest.raises(Unanswered):
        table.play(table.understand("note hello"))
    table.answer_file(keep=keep)
    assert table.settle()
    assert (text_of(table.folder) == cut) is keep
    assert ("k0" in table.snapshot.clocks) is not keep
    assert ("# short" in text_of(table.folder), value(table, "boat.luck")) == (True, 1)
    again = reopened(table)
    assert again._state == table._state
    assert again.snapshot.asked is None


def test_what_is_put_back_has_everything_that_was_played(table: Table) -> None:
    """A file that is put back has all that was played, even what was played while the file could not be read."""
    put(table, text_of(table.folder) + MORE)
    play_and_settle(table, "set boat.luck 1")
    good = text_of(table.folder)
    put(table, good.replace("luck = 1", "luck = = 1"))
    table.play(table.understand("set boat.hull 1"))
    assert not table.settle()
    put(table, good.replace(MORE, ""))
    assert table.snapshot.asked
    assert "4 things are missing" in table.snapshot.asked.about
    table.answer_file(keep=False)
    assert table.settle()
    again = reopened(table)
    assert again._state == table._state
    assert (value(again, "boat.hull"), value(again, "boat.luck"), "k0" in again.snapshot.clocks) == (1, 1, True)


def test_a_question_goes_when_the_file_is_put_right(table: Table) -> None:
    """By the editor itself, as when the rest of it was still to come."""
    put(table, text_of(table.folder) + MORE)
    whole = text_of(table.folder)
    put(table, whole.replace(MORE, ""))
    assert table.snapshot.asked
    put(table, whole)
    assert table.snapshot.asked is None
    play_and_settle(table, "note hello")
    assert words(table) == ['note "we begin"', "by hand", 'note "hello"']


# -- renaming


def test_a_new_key_keeps_what_was_played(table: Table) -> None:
    """Renamed in a buffer from before the play: no conflict, and the log and the next line on screen say what happened."""
    buffer = text_of(table.folder)
    play_and_settle(table, "tick storm")
    put(table, buffer.replace("[clocks.storm]", "[clocks.squall]").replace("segments = 4", "segments = 6"))
    assert table.snapshot.conflicts == ()
    assert list(table.snapshot.clocks) == ["squall"]
    clock = table.snapshot.clocks["squall"]
    assert (clock.filled, clock.segments) == (1, 6)
    assert table.take_recovery_text() == "clocks.storm renamed to clocks.squall"
    assert table.entry(3).facts[0].text == "clocks.storm renamed to clocks.squall"  # type: ignore[union-attr]
    assert table.settle()
    assert "segments = 6  # short" in text_of(table.folder)
    assert "storm]" not in text_of(table.folder)
    assert reopened(table)._state == table._state
    table.undo()
    assert table.settle()
    assert table.snapshot.clocks["storm"].filled == 1


def test_one_that_goes_and_another_that_comes_are_no_rename(table: Table) -> None:
    """They have too little in common."""
    new = '[clocks.fog]\nname = "Fog"\nkind = "death"\nsegments = 8\nfilled = 2\n'
    put(table, text_of(table.folder).replace(STORM, f"\n{new}"))
    assert list(table.snapshot.clocks) == ["fog"]
    assert table.take_recovery_text() is None
    assert "renamed" not in str(table.entry(2).facts)


# -- values that are out of range


@pytest.mark.parametrize("again", [lambda table: table, reopened], ids=["open", "a new start"])
def test_a_value_out_of_range_is_shown_and_does_not_hold(table: Table, again: Callable[[Table], Table]) -> None:
    """The last good one does; nothing is logged, play goes on around it, and mended it is taken in."""
    play_and_settle(table, "set boat.hull 2")
    put(table, text_of(table.folder).replace("hull = 2 ", "hull = 9 "))
    assert [(p.line, p.column) for p in table.snapshot.problems] == [(9, 10)]
    assert "hull can't be 9" in table.snapshot.problems[0].message
    assert words(table)[-1] == 'set "boat.hull 2"'
    assert value(table, "boat.hull") == 2
    for line in ("note on we go", "set boat.luck 1"):
        play_and_settle(table, line)
        table = again(table)
        assert "hull = 9 " in text_of(table.folder)
        assert value(table, "boat.hull") == 2
        assert table.snapshot.problems
    put(table, text_of(table.folder).replace("hull = 9 ", "hull = 1 "))
    assert words(table)[-1] == "by hand"
    assert [change.before for change in table.entry(table.snapshot.entries).changes] == [2]
    assert value(table, "boat.hull") == 1
    assert not table.snapshot.problems


def test_play_gives_such_a_value_another(table: Table) -> None:
    """What is played is written over it."""
    put(table, text_of(table.folder).replace("hull = 0x3", "hull = 9"))
    play_and_settle(table, "set boat.hull 1")
    assert "hull = 1" in text_of(table.folder)
    assert not table.snapshot.problems
    assert reopened(table)._state == table._state


def test_an_unknown_key_is_named_with_its_table(table: Table) -> None:
    """It is no edit, it stays, and its key is the place."""
    put(table, text_of(table.folder).replace("filled = 0", "filled = 0\n colour = 3"))
    (problem,) = table.snapshot.problems
    assert "unknown key colour in clocks.storm, so Waylog ignores it" in problem.message
    assert problem.column == 2
    assert words(table) == ['note "we begin"']
    play_and_settle(table, "note on we go")
    assert " colour = 3" in text_of(table.folder)


# -- folders and links


def test_another_campaign_in_the_place_of_the_folder_gets_no_entry(table: Table) -> None:
    """Its log stays as it is, and the act is refused."""
    other = table_at(written(table.folder.parent / "gull"))
    play_and_settle(other, "note theirs")
    theirs = {path: path.read_bytes() for path in (other.folder / "log").iterdir()}
    table.folder.rename(table.folder.parent / "away")
    other.folder.rename(table.folder)
    with pytest.raises(Exception, match="has been replaced since it was opened"):
        table.play(table.understand("note mine"))
    assert [path.read_bytes() for path in (table.folder / "log").iterdir()] == list(theirs.values())


def test_the_same_campaign_in_another_folder_is_played_on(table: Table) -> None:
    """As when it was moved away and a copy put back."""
    import shutil

    away = table.folder.parent / "away"
    table.folder.rename(away)
    shutil.copytree(away, table.folder)
    play_and_settle(table, "note still mine")
    assert words(table)[-1] == 'note "still mine"'


def test_a_file_that_became_a_link_is_left_alone(table: Table) -> None:
    """The act is in the log; the link and what it leads to stay as they are, until the campaign is opened again."""
    file, elsewhere = table.folder / "campaign.toml", table.folder.parent / "elsewhere.toml"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    before = elsewhere.read_text()
    table.play(table.understand("note on we go"))
    assert not table.settle()
    assert table.snapshot.unsaved
    assert "is now a link" in table.snapshot.unsaved
    assert (file.is_symlink(), elsewhere.read_text()) == (True, before)
    again = reopened(table)
    assert again.settle()
    assert file.is_symlink()
    assert 'log = "0001:2"' in elsewhere.read_text()


@pytest.mark.parametrize(
    ("leads_to", "played"),
    [("gull/campaign.toml", True), ("gull/.schema.json", False), ("gull/history/0001-000000.toml", True)],
    ids=["a played campaign", "a new campaign", "an earlier version"],
)
def test_a_link_into_another_campaign_is_not_followed(
    table: Table, tmp_path: Path, leads_to: str, *, played: bool
) -> None:
    """It isn't shown, checked or changed, and the message names it."""
    other = written(tmp_path / "gull")
    if played:
        play_and_settle(table_at(other), "note theirs")
    else:
        (other / ".schema.json").write_text("{}")
    target = tmp_path / (leads_to if played else "gull/campaign.toml")
    before = target.read_bytes()
    (table.folder / "campaign.toml").unlink()
    (table.folder / "campaign.toml").symlink_to(target)
    with pytest.raises(UnreadableFile, match="a link into another campaign"):
        table_at(table.folder)
    waylog = CommandLine(tmp_path)
    for command in ("show swallow", "do swallow note", "check swallow", "restore swallow"):
        ran = waylog(*command.split(), *(["hello"] if "do" in command else []))
        assert ran.code
        assert f"a link into another campaign, {other}" in ran.out + ran.err
    assert target.read_bytes() == before


@pytest.mark.parametrize("kept_at", ["dotfiles/campaign.toml", "swallow/versions/main.toml"])
def test_a_link_to_where_a_person_keeps_the_file_stays_one(table: Table, tmp_path: Path, kept_at: str) -> None:
    """In a folder of files from everywhere, or within the campaign's own."""
    file, target = table.folder / "campaign.toml", tmp_path / kept_at
    target.parent.mkdir()
    file.rename(target)
    file.symlink_to(target)
    play_and_settle(table_at(table.folder), "set boat.hull 2")
    assert file.is_symlink()
    assert "hull = 2" in target.read_text()


# -- saves that come late


def test_a_save_into_a_version_that_was_replaced_is_put_in_place(table: Table) -> None:
    """An editor had the file open when Waylog replaced it: what it writes lands in the history, and is found there."""
    text = text_of(table.folder)
    with (table.folder / "campaign.toml").open("r+") as editor:
        play_and_settle(table, "set boat.hull 2")
        editor.truncate()
        editor.write(text.replace("luck = +0", "luck = 1  # by a slow hand"))
    table.refresh()
    assert table.settle()
    assert "luck = 1  # by a slow hand" in text_of(table.folder)
    assert "hull = 2 " in text_of(table.folder)
    assert words(table)[-1] == "by hand"
    assert "Restored your edit" in (table.take_recovery_text() or "")
    assert FileHistory(table.folder).leftover_files() == []


def test_a_late_save_is_found_by_the_next_start(table: Table) -> None:
    """Nobody was there when it came."""
    text = text_of(table.folder)
    with (table.folder / "campaign.toml").open("r+") as editor:
        play_and_settle(table, "set boat.hull 2")
        play_and_settle(table, "set boat.hull 1")
        editor.truncate()
        editor.write(text.replace("luck = +0", "luck = 1  # by a slow hand"))
    again = reopened(table)
    assert again.settle()
    assert "luck = 1  # by a slow hand" in text_of(table.folder)
    assert value(again, "boat.hull") == 1
