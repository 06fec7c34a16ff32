"""The command line looks back: old acts undone, why a value is what it is, conflicts settled, earlier versions back."""

import json
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import CAMPAIGN, Falling, but_the_mark, saved, written

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line, with one campaign on the smallest game."""
    written(tmp_path / "swallow")
    return CommandLine(tmp_path, chance=Falling(2, 4))


def play(waylog: CommandLine, *lines: str) -> None:
    """Do what the words say."""
    for line in lines:
        waylog.done("do", "swallow", line)


def hull(waylog: CommandLine) -> int:
    """How whole the boat is."""
    value: int = waylog.json("show", "swallow")["panels"][0]["rows"][0]["value"]
    return value


def against(waylog: CommandLine) -> None:
    """Someone saves a file from before the last act, with the value that it changed changed otherwise."""
    old = waylog.file("swallow").read_text()
    play(waylog, "set boat.hull 2")
    waylog.file("swallow").write_text(old.replace("0x3", "1"))


# -- undo at any age


def test_a_log_that_begins_late_is_shown_and_taken_back(waylog: CommandLine) -> None:
    """A campaign file that came without its log goes on counting where it was."""
    saved(waylog.campaigns / "swallow", "0001:0", "0001:42")
    play(waylog, "set boat.hull 2", "note x")
    entries = waylog.json("log", "swallow", "-n", "0")["entries"]
    assert [entry["entry"] for entry in entries] == [43, 44]
    waylog.done("undo", "swallow", "43")
    assert hull(waylog) == 3
    waylog.done("check", "swallow")


def test_an_entry_that_can_not_be_read_is_passed_over(waylog: CommandLine) -> None:
    """What came before it is shown as it is, and can be taken back."""
    play(waylog, "set boat.hull 2", "note broken", "note x")
    log = waylog.campaigns / "swallow" / "log" / "0001.toml"
    log.write_text(log.read_text().replace('"note \\"broken\\""', "broken"))
    assert waylog("check", "swallow").err.count("can't be read") == 1
    assert [entry["entry"] for entry in waylog("log", "swallow", "-n", "0", "--json").data["entries"]] == [1, 3]
    assert waylog("undo", "swallow", "1").code == 0
    assert "hull = 0x3 " in waylog.file("swallow").read_text()


def test_an_old_act_is_taken_back_alone(waylog: CommandLine) -> None:
    """What was done since on other values stays; a program is told what was taken back."""
    play(waylog, "set boat.hull 2", "tick storm", "note x")
    told = waylog.json("undo", "swallow", "1")
    assert told["changes"] == [{"path": "boat.hull", "before": 2, "after": 3}]
    assert (told["undoes"], told["later"]) == ([1], [])
    assert "hull = 0x3 " in waylog.file("swallow").read_text()
    assert "filled = 1" in waylog.file("swallow").read_text()


def test_undo_with_a_number_is_words_too(waylog: CommandLine) -> None:
    """`do CAMPAIGN undo 1` and `do CAMPAIGN "undo 1"` are `undo CAMPAIGN 1`."""
    for words in (["undo", "1"], ["undo 3"]):
        play(waylog, "set boat.hull 2")
        waylog.done("do", "swallow", *words)
        assert hull(waylog) == 3


def test_what_rests_on_an_old_act_is_said(waylog: CommandLine) -> None:
    """Alone, the act is taken back where nothing came after it, and later acts are named; or they go with it."""
    play(waylog, "set boat.hull 2", "tick storm", "set boat.hull 1")
    assert waylog.done("undo", "swallow", "1").out.splitlines() == [
        "4  Undone: “Set Boat: hull to 2”",
        "  Not undone, because it has changed since: Boat: hull",
        "Later changes to the same values stay. Add --with-later to undo them too:",
        "  3  Boat: hull 2 → 1",
    ]
    waylog.done("redo", "swallow")
    told = waylog.json("undo", "swallow", "1", "--with-later")
    assert (told["undoes"], told["later"]) == ([1, 3], [])
    assert hull(waylog) == 3


def test_the_last_step_of_an_act_is_taken_back_alone(waylog: CommandLine) -> None:
    """`undo last` in each way of saying it; a dry run only says so."""
    play(waylog, "set boat.luck 2")
    for way in (["undo", "swallow", "last"], ["do", "swallow", "undo", "last"]):
        waylog.done("do", "swallow", "row", "boat", "--dice", "3")
        waylog.done("do", "swallow", "luck")
        preview = waylog.json("undo", "swallow", "last", "--dry-run")
        taken = waylog.json(*way)
        assert preview["undoes"] == taken["undoes"]
        assert len(taken["undoes"]) == 1
        assert "Undone: “One better”" in str(taken["facts"])
        assert "Use luck?" in str(taken)
        waylog.done("undo", "swallow")


def test_a_dry_run_says_what_would_go(waylog: CommandLine) -> None:
    """A dry run says what would be undone, and does nothing: it makes no entry."""
    play(waylog, "set boat.hull 2", "set boat.hull 1")
    before = waylog.file("swallow").read_bytes()
    assert waylog.done("undo", "swallow", "1", "--dry-run").out.splitlines() == [
        "Preview. This would be undone:",
        "   1  2026-01-05 20:00  Boat: hull 3 → 2",
        "Later changes to the same values stay. Add --with-later to undo them too:",
        "  2  Boat: hull 2 → 1",
    ]
    told = waylog.json("undo", "swallow", "1", "--dry-run", "--with-later")
    assert (told["dry_run"], told["undoes"], told["later"]) == (True, [1, 2], [])
    assert [entry["words"] for entry in told["entries"]] == ['set "boat.hull 2"', 'set "boat.hull 1"']
    assert waylog.json("undo", "swallow", "--dry-run")["undoes"] == [2]
    assert waylog.json("show", "swallow")["entries"] == 2
    assert waylog.file("swallow").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["undo", "swallow", "9"], 2, "there is no entry 9. The last one is 2"),
        (["undo", "swallow", "0"], 2, "there is no entry 0"),
        (["undo", "swallow", "x"], 2, "“x” is not the number of an entry"),
        (["undo", "swallow", "9" * 5000], 2, "is not the number of an entry"),
        (["do", "swallow", "undo", "that"], 2, "“that” is not the number of an entry"),
        (["undo", "swallow", "1"], 3, 'entry 1, “note "a"”, has already been undone'),
        (["undo", "swallow", "--dry-run"], 3, "there is nothing to undo"),
        (["why", "swallow", "boat.hul"], 2, "there is no value “boat.hul” in the campaign. Did you mean boat.hull?"),
        (["why", "swallow", '"\\x"'], 2, "there is no value"),
        (["why", "swallow", ""], 2, "there is no value"),
        (["conflicts", "swallow", "keep", "1"], 2, "there is no edit conflict 1. Open edit conflicts: none"),
        (["conflicts", "swallow", "keep"], 2, "which edit conflict? For example, `keep 12`"),
        (["conflicts", "swallow", "drop", "1"], 2, "which edit conflict? For example, `keep 12`"),
        (["restore", "swallow", "0009-000001"], 2, "there is no version “0009-000001”. Versions: 0001-0000"),
    ],
)
def test_what_can_not_be_said_of_the_past(waylog: CommandLine, arguments: list[str], code: int, said: str) -> None:
    """Wrong words exit 2 and refusals 3, with the reason; nothing is done."""
    play(waylog, "note a", "undo")
    ran = waylog(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert waylog(*arguments, "--json").data["ok"] is False
    assert waylog.json("show", "swallow")["entries"] == 2


# -- why


def test_why_names_what_made_a_value(waylog: CommandLine) -> None:
    """Newest first, without what was taken back, and the place where the value is written."""
    play(waylog, "set boat.hull 2", "tick storm", "row boat wild", "set boat.hull 0", "undo")
    assert waylog.done("why", "swallow", "boat.hull").out.splitlines() == [
        "boat.hull is 1",
        f"  {waylog.file('swallow')}:9:3",
        "   3  2026-01-05 20:02  Row: Wild",
        "      · Boat: Hull 2 → 1",
        "   1  2026-01-05 20:00  Boat: hull 3 → 2",
        "      · Boat: Hull 3 → 2",
    ]
    told = waylog.json("why", "swallow", "boat.hull")
    assert told.keys() == {"ok", "path", "value", "written", "file", "line", "column", "entries"}
    assert (told["value"], told["line"], told["column"]) == (1, 9, 3)
    assert [entry["entry"] for entry in told["entries"]] == [3, 1]
    assert told["entries"][0]["changes"] == [{"path": "boat.hull", "before": 2, "after": 1}]


def test_why_knows_an_edit_by_hand(waylog: CommandLine) -> None:
    """`why` explains a value that was edited by hand, even if nobody has opened the campaign since."""
    play(waylog, "note x")
    saved(waylog.campaigns / "swallow", "0x3", "1")
    assert [entry["words"] for entry in waylog.json("why", "swallow", "boat.hull")["entries"]] == ["by hand"]


def test_why_of_what_no_act_has_changed(waylog: CommandLine) -> None:
    """A value that stands as it was written, one that is left out, a table, and one that only the person knows."""
    saved(waylog.campaigns / "swallow", "[boat]", "born = 2026-01-05\nodds = inf\n[boat]")
    out = waylog.done("why", "swallow", "boat.luck").out
    assert out.startswith("boat.luck is 0\n")
    assert out.endswith("No log entry has changed this value\n")
    assert waylog.done("why", "swallow", "house_rules.damage").out.startswith("house_rules.damage is not in the file\n")
    told = waylog.json("why", "swallow", "house_rules.damage")
    assert (told["value"], told["written"], told["line"], told["column"]) == (None, False, None, None)
    assert waylog.json("why", "swallow", "boat")["value"] == {"hull": 3, "luck": 0}
    assert waylog.json("why", "swallow", "born")["value"] == "2026-01-05"
    assert waylog.json("why", "swallow", "odds")["value"] == "inf"
    assert waylog.json("why", "swallow", "clocks.storm.filled")["value"] == 0


# -- conflicts


def test_a_conflict_is_listed_and_settled(waylog: CommandLine) -> None:
    """The file's value stands until it is settled; `take` puts that of play, `keep` lets it be."""
    play(waylog, "note x")
    assert waylog.done("conflicts", "swallow").out == "No edit conflicts\n"
    against(waylog)
    assert waylog.done("conflicts", "swallow").out.splitlines() == [
        "3  boat.hull: the file says 1, but the game says 2",
        "`keep N` keeps the file's value, and `take N` uses the game's value",
    ]
    assert waylog.json("conflicts", "swallow") == {
        "ok": True,
        "conflicts": [{"entry": 3, "path": "boat.hull", "file": 1, "played": 2}],
    }
    assert waylog.json("conflicts", "swallow", "take", "3")["entry"] == 4
    assert hull(waylog) == 2
    assert waylog.json("conflicts", "swallow")["conflicts"] == []


def test_a_conflict_is_kept_as_the_file_has_it(waylog: CommandLine) -> None:
    """It is settled, and the value stays."""
    play(waylog, "note x")
    against(waylog)
    kept = waylog.json("conflicts", "swallow", "keep", "3")
    assert kept["facts"][0]["text"] == "Boat: hull stays 1, as in the file"
    assert waylog.json("conflicts", "swallow")["conflicts"] == []
    assert hull(waylog) == 1


# -- restore


def test_earlier_versions_are_listed_and_come_back(waylog: CommandLine) -> None:
    """With how much of them is different now; bringing one back is an act that can be taken back."""
    assert waylog.done("restore", "swallow").out == "There are no earlier versions yet\n"
    play(waylog, "set boat.hull 2", "tick storm", "set boat.luck 1")
    listed = waylog.json("restore", "swallow")["versions"]
    assert [(one["version"], one["values"]) for one in listed] == [
        ("0001-000000", 3),
        ("0001-000001", 2),
        ("0001-000002", 1),
    ]
    first, *_, last = waylog.done("restore", "swallow").out.splitlines()
    assert first.startswith("0001-000000  20")
    assert first.endswith("3 values differ from the current file")
    assert last.endswith("1 value differs from the current file")
    assert waylog.json("restore", "swallow", "0001-000000")["entry"] == 4
    assert but_the_mark(waylog.file("swallow").read_text()) == but_the_mark(CAMPAIGN)
    waylog.done("undo", "swallow")
    assert hull(waylog) == 2


def test_a_file_that_can_not_be_read_gives_way_to_an_earlier_version(waylog: CommandLine) -> None:
    """What is broken is kept beside the versions; undo then gives what play had come to."""
    play(waylog, "set boat.hull 2", "set boat.luck 1")
    waylog.file("swallow").write_text("[boat\nhull = 1")
    assert waylog("show", "swallow").code == 1
    assert [one["values"] for one in waylog.json("restore", "swallow")["versions"]] == [None, None]
    assert waylog.done("restore", "swallow").out.splitlines()[0].endswith("can't be compared")
    assert waylog("restore", "swallow", "0009-000009").code == 1
    restored = waylog("restore", "swallow", "0001-000000")
    assert (restored.code, "your unreadable file was saved as unreadable-" in restored.err) == (0, True)
    assert but_the_mark(waylog.file("swallow").read_text()) == but_the_mark(CAMPAIGN)
    (broken,) = (waylog.campaigns / "swallow" / "history").glob("unreadable-*.toml")
    assert broken.read_text() == "[boat\nhull = 1"
    assert waylog.json("restore", "swallow")["versions"][-1]["version"] == broken.stem
    waylog.done("undo", "swallow")
    assert "luck = 1" in waylog.file("swallow").read_text()
    assert hull(waylog) == 2


# -- themes


def test_own_themes_are_checked_with_all_campaigns(
    waylog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake in one's own colours is said with its place; `info` says where they lie."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert waylog.json("check")["problems"] == []
    own = Path(waylog.json("info")["own_themes"])
    assert own == tmp_path / "config" / "waylog" / "themes"
    own.mkdir(parents=True)
    (own / "mine.toml").write_text('name = "Mine"\n')
    ran = waylog("check", "--json")
    assert ran.code == 1
    assert {problem["file"] for problem in json.loads(ran.out)["problems"]} == {str(own / "mine.toml")}
    waylog.done("check", "swallow")


# -- what is asked about the file


def test_an_old_copy_is_answered_by_one_of_two_commands(waylog: CommandLine) -> None:
    """Nothing is done before that; both commands are named, and `--json` tells the same."""
    before = waylog.file("swallow").read_text()
    play(waylog, "set boat.hull 2", "note on we go")
    waylog.file("swallow").write_text(before)
    refused = waylog("do", "swallow", "note hello")
    assert refused.code == 1
    assert "old copy, without the last action" in refused.err
    assert "waylog conflicts swallow keep: go back to the state before it" in refused.err
    assert "waylog conflicts swallow take: add it to the file" in refused.err
    assert waylog.file("swallow").read_text() == before
    told = waylog.json("conflicts", "swallow")
    assert (set(told["answers"]), "old copy" in told["asked"]) == ({"keep", "update"}, True)
    assert waylog("conflicts", "swallow", "both").code == 2
    waylog.done("conflicts", "swallow", "take")
    assert hull(waylog) == 2
    waylog.file("swallow").write_text(before)
    waylog.done("conflicts", "swallow", "keep")
    assert hull(waylog) == 3
    assert waylog.file("swallow").read_text() == before
    waylog.done("undo", "swallow")
    assert hull(waylog) == 2
