"""The table: what was played is durable, hand edits are never lost, and everything can be taken back."""

import errno
import os
from pathlib import Path

import pytest

from tests.kit.table import CAMPAIGN, but_the_mark, play, saved, table_at, text_of, written
from waylog.rules.game import Game
from waylog.rules.model.facts import NoteFact, OutcomeFact, RollFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.panels import PipsRow
from waylog.rules.model.state import State
from waylog.store.files_and_lock import CampaignBusy, lock_campaign
from waylog.store.log.entries_and_version_0_1 import decode_entry, encode_entry
from waylog.store.log.log_and_torn_entries import Log
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import UnreadableFile

PLAIN_LOG = (
    "# Waylog's log. Entries are only ever added. Read it freely, but please don't edit it.\n"
    "\n"
    "[[entry]]\n"
    "number = 1\n"
    "at = 2026-01-05T20:00:00+00:00\n"
    'act = "row boat wild"\n'
    'title = "Row: Wild"\n'
    "rolled = [[6, 2], [6, 4]]\n"
    "facts = [\n"
    '  { kind = "rolled", what = "Boat", dice = [{ sides = 6, face = 2, from = "oar" }], source = "app" },\n'
    '  { kind = "result", outcome = "fiasco", label = "Fiasco", mood = "fiasco", who = "Boat" },\n'
    '  { kind = "rolled", what = "damage", dice = [{ sides = 6, face = 4, from = "damage" }], source = "app" },\n'
    '  { kind = "note", text = "hull 3 → 2", clause = "SG-01" },\n'
    "]\n"
    "changes = [\n"
    '  { path = "boat.hull", before = 3, after = 2, was = "0x3" },\n'
    "]\n"
    'scene = { act = 1, mood = "fiasco", open = true }\n'
    'check = "'
)

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The Swallow's folder."""
    return written(tmp_path / "swallow")


def hull(table: Table) -> int:
    """How whole the boat is."""
    row = table.snapshot.panels[0].rows[0]
    assert isinstance(row, PipsRow)
    return row.value


# -- playing


def test_an_act_is_in_the_log_before_anything_else(folder: Path) -> None:
    """What was played is in the log at once, whole; the campaign file follows."""
    table = table_at(folder, 2, 4)
    entry = table.play(table.understand("row boat wild"))
    assert text_of(folder) == CAMPAIGN
    assert (folder / "log" / "0001.toml").read_text().startswith(PLAIN_LOG)
    assert [type(fact) for fact in entry.facts] == [RollFact, OutcomeFact, RollFact, NoteFact]
    assert table.snapshot.act == (entry,)
    assert table.settle()
    assert text_of(folder) == CAMPAIGN.replace("hull = 0x3", "hull = 2").replace("0001:0", "0001:1")


def test_an_entry_is_read_as_it_was_written(folder: Path) -> None:
    """The log gives back every entry, in another program too."""
    table = table_at(folder, 2, 4)
    table.play(table.understand("row boat wild"))
    table.play(table.understand('note "said \\"no\\" \\\\ twice\x1b[31m"'))
    table.undo()
    entries = [table.entry(number) for number in (1, 2, 3)]
    other = table_at(folder)
    assert [other.entry(number) for number in (1, 2, 3)] == entries
    assert [decode_entry(encode_entry(entry), "log") for entry in entries] == entries
    assert "\x1b" not in (folder / "log" / "0001.toml").read_text()


def test_a_refused_act_leaves_nothing_behind(folder: Path) -> None:
    """What the rules refuse changes neither file."""
    table = table_at(written(folder, CAMPAIGN.replace("0x3", "0")))
    before = text_of(folder), table.snapshot
    with pytest.raises(ActRefused, match="sunk"):
        play(table, "row boat")
    assert (text_of(folder), table.snapshot) == before
    assert not (folder / "log").exists()


def test_half_a_character_is_refused(folder: Path) -> None:
    """Text that no file can hold is refused in words, and nothing is logged."""
    table = table_at(folder)
    act = table.understand("note x")
    with pytest.raises(ActRefused, match="an incomplete character"):
        table.play(Act(act.move, {"text": "\ud800"}))
    assert table.snapshot.entries == 0


def test_real_dice_are_asked_for_across_restarts(folder: Path) -> None:
    """Dice still to be typed are asked for by the next program that opens the campaign; it is one act for undo."""
    table = table_at(folder)
    play(table, "row boat wild 2")
    table.settle()
    again = table_at(folder)
    assert again.snapshot.question == "Damage: what does the die show?"
    play(again, "dice 4")
    assert again.snapshot.question is None
    assert hull(again) == 2
    again.undo()
    again.settle()
    assert but_the_mark(text_of(folder)) == but_the_mark(CAMPAIGN)
    assert again.snapshot.question is None


# -- crashes


def test_a_crash_between_log_and_file_loses_nothing(folder: Path) -> None:
    """Opening a campaign brings the file up to what the log says was played."""
    play(table_at(folder, 2, 4), "row boat wild")
    again = table_at(folder)
    assert hull(again) == 2
    assert again.file_is_behind()
    again.refresh()
    assert again.settle()
    assert "hull = 2" in text_of(folder)
    again.undo()
    again.settle()
    assert but_the_mark(text_of(folder)) == but_the_mark(CAMPAIGN)


@pytest.mark.parametrize("cut", [1, 5, 20, 60, 200])
def test_a_torn_entry_is_set_aside(folder: Path, cut: int) -> None:
    """An append that the power cut short is no entry; its bytes are kept beside the log, and play goes on."""
    table = table_at(folder, 2, 4)
    play(table, "note first")
    play(table, "row boat wild")
    log = folder / "log" / "0001.toml"
    whole = log.read_bytes()
    log.write_bytes(whole[:-cut])
    again = table_at(folder, 6)
    assert again.snapshot.entries == 1
    assert play(again, "row boat") == 2
    torn = [path.read_bytes() for path in (folder / "log").iterdir() if "torn" in path.name]
    assert len(torn) == 1
    assert whole[:-cut].endswith(torn[0])
    assert [entry.words for entry in Log(folder / "log").since(0)] == []
    assert [table_at(folder).entry(number).words for number in (1, 2)] == ['note "first"', "row boat"]


def test_a_short_write_is_taken_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full in the middle of an entry, nothing was done and the log is as it was."""
    table = table_at(folder)
    play(table, "note first")
    before = (folder / "log" / "0001.toml").read_bytes()
    write = os.write
    monkeypatch.setattr(
        "waylog.store.log.log_and_torn_entries.os.write", lambda file, data: write(file, data[: len(data) // 2])
    )
    with pytest.raises(LogWriteFailed, match="no space"):
        play(table, "note second")
    monkeypatch.undo()
    assert (folder / "log" / "0001.toml").read_bytes() == before
    assert table.snapshot.entries == 1
    assert table.snapshot.held
    with pytest.raises(LogWriteFailed, match='“note "second"” is not saved yet'):
        play(table, "note third")
    assert table.retry_save().words == 'note "second"'
    assert play(table, "note third") == 3
    assert [entry.number for entry in table_at(folder).latest()] == [3, 2, 1]


def test_what_is_not_on_disk_has_not_happened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that reports an error while it should make an entry durable keeps none of it."""
    table = table_at(folder, 2, 4)
    snapshot = table.snapshot

    def fails(file: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.os.fsync", fails)
    with pytest.raises(LogWriteFailed, match=r"input/output error\. Nothing was done"):
        play(table, "row boat wild")
    assert table.snapshot.panels == snapshot.panels
    assert table.snapshot.entries == 0
    assert (folder / "log" / "0001.toml").read_bytes() == b""


def test_a_file_whose_fsync_failed_is_not_trusted_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The act is held and written to the next file of the log."""
    table = table_at(folder, 2, 4)

    def fails(file: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.os.fsync", fails)
    with pytest.raises(LogWriteFailed):
        play(table, "row boat wild")
    monkeypatch.undo()
    assert hull(table) == 3
    table.retry_save()
    assert hull(table) == 2
    assert (folder / "log" / "0001.toml").read_bytes() == b""
    assert [entry.number for entry in table_at(folder).latest()] == [1]
    assert (folder / "log" / "0002.toml").exists()


def test_an_act_that_is_held_can_be_dropped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play goes on without an act that was dropped because it could not be written."""
    table = table_at(folder, 2, 4)
    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.os.write", lambda _, data: len(data) - 1)
    with pytest.raises(LogWriteFailed):
        play(table, "row boat wild")
    monkeypatch.undo()
    table.discard_unsaved()
    assert table.snapshot.held is None
    assert play(table, "note on we go") == 1


def test_a_folder_that_cannot_be_written_is_said_in_words(folder: Path) -> None:
    """Where nothing can be written, an act is not done and the reason is given."""
    table = table_at(folder)
    (folder / ".lock").mkdir()
    with pytest.raises(LogWriteFailed, match=r"can't be written: is a directory\. Nothing was done"):
        play(table, "row boat")
    (folder / ".lock").rmdir()
    (folder / "log").write_text("in the way")
    with pytest.raises(LogWriteFailed, match=r"can't write the log: file exists\. Nothing was done"):
        play(table, "row boat")
    assert text_of(folder) == CAMPAIGN


def test_a_held_campaign_is_busy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An act waits its turn, and gives up in words when the turn never comes."""
    table = table_at(folder)
    monkeypatch.setattr("waylog.store.files_and_lock._LONGEST_WAIT_FOR_LOCK", 0.0)
    with lock_campaign(folder), pytest.raises(CampaignBusy, match="Nothing was done"):
        play(table, "row boat")
    assert play(table, "row boat") == 1
    with lock_campaign(folder):
        assert not table.settle()
    assert "another program" in str(table.snapshot.unsaved)
    assert table.settle()
    assert table.snapshot.unsaved is None
    assert not [path for path in folder.iterdir() if path.suffix == ".tmp"]


# -- the file is people's own


def test_a_hand_edit_is_taken_in_and_logged(folder: Path) -> None:
    """What a person saves while the campaign is open counts, is in the log, and can be taken back."""
    table = table_at(folder, 6)
    saved(folder, "luck = +0", "luck = 2  # found a horseshoe")
    assert table.refresh()
    entry = table.entry(1)
    assert entry.words == "by hand"
    assert entry.facts == (NoteFact("Boat: luck 0 → 2", secret=True),)
    assert not table.refresh()
    table.undo()
    table.settle()
    assert "luck = +0  # found a horseshoe" in text_of(folder)
    table.redo()
    table.settle()
    assert "luck = 2  # found a horseshoe" in text_of(folder)


def test_an_odd_spelling_by_hand_comes_back_with_redo(folder: Path) -> None:
    """Taking a hand edit back and putting it back gives the person's own spelling."""
    table = table_at(folder)
    saved(folder, "luck = +0", "luck = 0b10")
    table.refresh()
    table.settle()
    edited = but_the_mark(text_of(folder))
    table.undo()
    table.settle()
    assert but_the_mark(text_of(folder)) == but_the_mark(CAMPAIGN)
    table.redo()
    table.settle()
    assert but_the_mark(text_of(folder)) == edited


def test_edits_to_comments_alone_are_no_act(folder: Path) -> None:
    """A file that says the same in other words is taken up without an entry."""
    table = table_at(folder, 2, 4)
    saved(folder, "# she leaks", "# she is dry")
    table.refresh()
    assert table.snapshot.entries == 0
    play(table, "row boat wild")
    assert table.settle()
    assert "[boat]  # she is dry\n  hull = 2   # in hex, for fun" in text_of(folder)


def test_play_and_a_hand_edit_both_count(folder: Path) -> None:
    """An edit saved after an act that it did not know of keeps both."""
    table = table_at(folder, 2, 4)
    play(table, "row boat wild")
    saved(folder, "luck = +0", "luck = 3")
    assert not table.settle()
    assert table.refresh()
    assert table.settle()
    text = text_of(folder)
    assert "hull = 2" in text
    assert "luck = 3" in text
    assert 'log = "0001:2"' in text


def test_an_old_copy_saved_over_the_file_takes_nothing_back(folder: Path) -> None:
    """An editor that was open for an hour saves what its person changed; what was played meanwhile is kept."""
    table = table_at(folder, 2, 4, 3, 4)
    old = text_of(folder)
    for _ in range(2):
        play(table, "row boat wild")
        table.settle()
    assert "hull = 1" in text_of(folder)
    (folder / "campaign.toml").write_text(old.replace("luck = +0", "luck = 1"))
    table.refresh()
    assert table.settle()
    assert "  hull = 1   # in hex, for fun\nluck = 1\n" in text_of(folder)
    assert table.entry(3).facts == (NoteFact("Boat: luck 0 → 1", secret=True),)


def test_the_persons_value_stands_where_both_changed_it(folder: Path) -> None:
    """A value that was played and edited at once is as the person wrote it, and the log has both."""
    table = table_at(folder, 2, 4)
    play(table, "row boat wild")
    saved(folder, "hull = 0x3", "hull = 1")
    table.refresh()
    table.settle()
    assert "hull = 1 " in text_of(folder)
    assert table.entry(2).facts == (NoteFact("Boat: hull 2 → 1", secret=True),)


def test_a_broken_file_is_left_alone(folder: Path) -> None:
    """While the file can't be read, play goes on, says so, and writes nothing over it; mended, it is taken up."""
    table = table_at(folder, 2, 4)
    saved(folder, "luck = +0", "luck = ")
    broken = text_of(folder)
    assert table.refresh()
    assert table.snapshot.broken
    assert [(problem.line, problem.column) for problem in table.snapshot.problems] == [(10, 8)]
    play(table, "row boat wild")
    assert not table.settle()
    assert text_of(folder) == broken
    saved(folder, "luck = ", "luck = 2")
    assert table.refresh()
    assert not table.snapshot.broken
    assert table.settle()
    assert "hull = 2" in text_of(folder)
    assert "luck = 2" in text_of(folder)


def test_a_missing_file_is_no_reason_to_stop(folder: Path) -> None:
    """Without its file the campaign is played on; put back, the file is brought up to the log."""
    table = table_at(folder, 2, 4)
    (folder / "campaign.toml").rename(folder / "elsewhere.toml")
    play(table, "row boat wild")
    assert table.snapshot.broken
    assert not table.settle()
    (folder / "elsewhere.toml").rename(folder / "campaign.toml")
    table.refresh()
    assert table.settle()
    assert "hull = 2" in text_of(folder)


def test_an_edit_that_cannot_be_logged_is_not_written_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a full disk a hand edit waits; it is neither lost nor overwritten, and taken in when there is room."""
    table = table_at(folder, 2, 4)
    saved(folder, "luck = +0", "luck = 2")

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.os.fsync", full)
    with pytest.raises(LogWriteFailed):
        table.refresh()
    monkeypatch.undo()
    play(table, "row boat")
    assert [table.entry(number).words for number in (1, 2)] == ["by hand", "row boat"]
    assert table.snapshot.question == "Use luck?"
    table.settle()
    assert "luck = 2" in text_of(folder)


def test_another_system_in_the_file_is_a_problem_not_a_guess(folder: Path) -> None:
    """A campaign that becomes another game while it is open says so and is left alone."""
    table = table_at(folder)
    saved(folder, '"small"', '"large"')
    table.refresh()
    assert [problem.line for problem in table.snapshot.problems] == [5]
    assert table.snapshot.broken


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (
            "format = 1",
            "format = 2",
            "campaign.toml:3:10: format 2 comes from a newer version of Waylog. This version reads format 1. Update Waylog",
        ),
        ("format = 1", "format = 0", "campaign.toml:3:10: format can't be 0: the only possible value is 1"),
        ("format = 1", "format = -1", "campaign.toml:3:10: format can't be -1: the only possible value is 1"),
        ("format = 1", "format = '1'", 'campaign.toml:3:10: format can\'t be "1": the only possible value is 1'),
        ("format = 1", "format = true", "campaign.toml:3:10: format can't be true: the only possible value is 1"),
        ('system = "small"\n', "", "campaign.toml:1:1: system is missing"),
        ('"small"', '"smal"', "campaign.toml:5:10: system can't be “smal”: the games are small"),
        ('"0001:0"', '"soon"', "campaign.toml:6:7: log: “soon” is not a position in the log"),
        ("0x3", '"three"', "campaign.toml:9:10: hull can't be “three”: it should be a whole number from 0 to 3"),
    ],
)
def test_what_cannot_be_opened_says_where_and_why(folder: Path, old: str, new: str, place: str) -> None:
    """A file of a newer Waylog, of an unknown game or with a wrong kind of value is refused with its place."""
    written(folder, CAMPAIGN.replace(old, new))
    with pytest.raises(UnreadableFile) as caught:
        table_at(folder)
    assert str(caught.value.problems[0]).startswith(place)


# -- two at once


def test_two_tables_follow_each_other(folder: Path) -> None:
    """Two programs on one campaign take turns: neither act is lost, both see both."""
    one, two = table_at(folder, 2, 4), table_at(folder, 2, 4)
    play(one, "row boat wild")
    play(two, 'clock "Fog" push')
    assert one.refresh()
    assert one.snapshot.entries == two.snapshot.entries == 2
    assert one.snapshot.clocks == two.snapshot.clocks
    assert one.settle()
    assert two.refresh()
    assert two.settle()
    text = text_of(folder)
    assert "hull = 2" in text
    assert "[clocks.fog]" in text
    assert two.snapshot.entries == 2


def test_an_act_that_became_illegal_meanwhile_is_refused(folder: Path) -> None:
    """What another program did counts before one's own act is judged."""
    one, two = table_at(folder, 1, 1, 1), table_at(folder)
    act = two.understand("row boat")
    one.play(one.understand("set boat.hull 0"))
    with pytest.raises(ActRefused, match="sunk"):
        two.play(act)
    assert two.snapshot.entries == 1


# -- taking back


def test_undo_gives_the_file_back_byte_for_byte(folder: Path) -> None:
    """Any chain of undo and redo walks through the files there were, odd spellings included."""
    table = table_at(folder, 2, 4)
    files = [but_the_mark(text_of(folder))]
    acts = ("row boat wild", 'clock "Fog" push hidden', "tick storm 3", "set boat.luck 1", "set name Sparrow")
    for words in acts:
        play(table, words)
        table.settle()
        files.append(but_the_mark(text_of(folder)))
    for expected in reversed(files[:-1]):
        table.undo()
        table.settle()
        assert but_the_mark(text_of(folder)) == expected
    with pytest.raises(ActRefused, match="nothing to undo"):
        table.undo()
    for expected in files[1:]:
        table.redo()
        table.settle()
        assert but_the_mark(text_of(folder)) == expected
    with pytest.raises(ActRefused, match="nothing to redo"):
        table.redo()


def test_undo_works_the_next_week(folder: Path) -> None:
    """Another program takes back what this one did, spelling included."""
    table = table_at(folder, 2, 4)
    play(table, "row boat wild")
    table.settle()
    again = table_at(folder)
    again.undo()
    again.settle()
    assert but_the_mark(text_of(folder)) == but_the_mark(CAMPAIGN)
    assert table_at(folder).snapshot.redo is not None


def test_a_new_act_ends_redo(folder: Path) -> None:
    """What was undone is put back only until something else is done."""
    table = table_at(folder)
    play(table, "tick storm")
    table.undo()
    play(table, "note instead")
    assert table.snapshot.redo is None
    with pytest.raises(ActRefused, match="nothing to redo"):
        table.redo()


def test_redo_of_an_old_act_opens_nothing_that_was_over(folder: Path) -> None:
    """What a note of an earlier scene found open is not open again when that note is taken back and put back."""
    table = table_at(written(folder, CAMPAIGN.replace("+0", "2")), 3)
    play(table, "row boat")
    play(table, "note which one")
    play(table, "luck")
    play(table, "scene")
    table.undo(2)
    assert table.snapshot.question is None
    table.redo()
    assert table.snapshot.question is None


def test_undo_in_the_middle_of_a_roll_opens_what_was_open(folder: Path) -> None:
    """A choice taken back is asked again; taken back once more, the roll was never made."""
    table = table_at(written(folder, CAMPAIGN.replace("+0", "2")), 3)
    play(table, "row boat")
    assert table.snapshot.question == "Use luck?"
    play(table, "note which one")
    play(table, "luck")
    table.settle()
    assert table.snapshot.question is None
    assert [entry.number for entry in table.snapshot.undo] == [1, 3]
    table.undo()
    assert table.snapshot.question is None
    assert [entry.words for entry in table.snapshot.undo] == ['note "which one"']


def test_an_answer_may_be_taken_back_alone(folder: Path) -> None:
    """It is asked again, and the dice lie as they fell; redo gives the answer again, and undo takes the whole act as ever."""
    table = table_at(written(folder, CAMPAIGN.replace("+0", "2")), 3)
    play(table, "row boat")
    play(table, "luck")
    after = table._state
    taken = table.undo(last_step=True)
    assert (taken.undoes, table.snapshot.question, [each.number for each in table.snapshot.undo]) == (
        (2,),
        "Use luck?",
        [1],
    )
    table.redo()
    assert table._state == after
    table.undo(last_step=True)
    play(table, "keep")
    assert [each.number for each in table.snapshot.undo] == [1, 6]
    table.undo()
    assert (table.snapshot.question, table.snapshot.undo) == (None, ())
    assert table.settle()
    assert but_the_mark(text_of(folder)) == but_the_mark(CAMPAIGN.replace("+0", "2"))


def test_many_acts_may_be_settled_at_once(folder: Path) -> None:
    """The file is brought up over several acts in one step, and undo still knows every spelling."""
    table = table_at(folder, 2, 4, 2, 4)
    play(table, "row boat wild")
    play(table, "row boat wild")
    play(table, "tick storm 2")
    assert table.settle()
    for _ in range(3):
        table.undo()
    assert table.settle()
    assert but_the_mark(text_of(folder)) == but_the_mark(CAMPAIGN)


def test_versions_are_kept_and_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last versions of the file are kept beside it, no more than so many."""
    monkeypatch.setattr("waylog.store.file.history.KEPT_VERSIONS", 3)
    table = table_at(folder)
    for _ in range(5):
        play(table, "tick storm -1" if table.snapshot.clocks["storm"].filled else "tick storm")
        table.settle()
    assert sorted(path.name for path in (folder / "history").glob("*.toml")) == [
        "0001-000002.toml",
        "0001-000003.toml",
        "0001-000004.toml",
    ]


def test_a_link_stays_a_link(folder: Path, tmp_path: Path) -> None:
    """A campaign file that is a link to another folder is changed where it lies."""
    elsewhere = tmp_path / "synced.toml"
    (folder / "campaign.toml").rename(elsewhere)
    (folder / "campaign.toml").symlink_to(elsewhere)
    table = table_at(folder, 2, 4)
    play(table, "row boat wild")
    assert table.settle()
    assert (folder / "campaign.toml").is_symlink()
    assert "hull = 2" in elsewhere.read_text()


def test_the_odds_of_an_act_are_computed_once_and_anew_when_the_state_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever types a line asks for them with every key."""
    table, checked = table_at(folder), list[Act]()
    check = Game.check

    def counted(game: Game, state: State, act: Act) -> None:
        checked.append(act)
        check(game, state, act)

    monkeypatch.setattr(Game, "check", counted)
    for _ in range(3):
        assert table.odds(table.understand("row boat"))
    assert len(checked) == 1
    table.odds(table.understand("row boat wild"))
    table.odds(table.understand("row boat"))
    assert len(checked) == 3
    play(table, "row boat wild")
    table.odds(table.understand("row boat"))
    assert len(checked) == 4
