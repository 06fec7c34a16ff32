"""The command line plays: one act a call, in the words of the app, for people and for programs."""

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from tests.file_games import SHIPPED
from tests.kit.cli import CommandLine
from tests.kit.table import CAMPAIGN, Falling, but_the_mark, saved, written
from waylog import __version__
from waylog.cli.commands_and_options import COMMANDS
from waylog.store.files_and_lock import CampaignBusy, lock_campaign

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line, with one campaign on the smallest game."""
    written(tmp_path / "swallow")
    return CommandLine(tmp_path, chance=Falling(2, 4))


# -- do


def test_an_act_is_told_to_people(waylog: CommandLine) -> None:
    """Dice, outcome, what followed with its clause, and what changed, a line each."""
    assert waylog.done("do", "swallow", "row", "boat", "wild").out.splitlines() == [
        "1  Row: Wild",
        "  Boat: oar 2",
        "  Boat: Fiasco",
        "  Damage: 4",
        "  Hull 3 → 2",
        "Optional now",
        "    on storm  Fill 2 segments of “The storm”",
    ]
    assert "hull = 2" in waylog.file("swallow").read_text()


def test_an_act_is_told_to_programs(waylog: CommandLine) -> None:
    """The object that `do --json` prints has exactly the keys that are promised."""
    assert waylog.json("do", "swallow", "row", "boat", "wild", "--dice", "2,4") == {
        "ok": True,
        "entry": 1,
        "facts": [
            {
                "kind": "rolled",
                "what": "Boat",
                "dice": [{"sides": 6, "face": 2, "from": "oar"}],
                "source": "typed",
                "secret": False,
            },
            {"kind": "result", "outcome": "fiasco", "label": "Fiasco", "mood": "fiasco", "who": "Boat"},
            {
                "kind": "rolled",
                "what": "damage",
                "dice": [{"sides": 6, "face": 4, "from": "damage"}],
                "source": "typed",
                "secret": False,
            },
            {"kind": "note", "text": "hull 3 → 2", "clause": "SG-01", "secret": False},
        ],
        "changes": [{"path": "boat.hull", "before": 3, "after": 2}],
        "pending": None,
    }


def test_a_question_is_told_to_programs(waylog: CommandLine) -> None:
    """What has to be answered comes with its answers, and why one of them can't be given."""
    saved(waylog.campaigns / "swallow", "+0", "1")
    done = waylog.json("do", "swallow", "row", "boat")
    assert done["pending"] == {
        "question": "Use luck?",
        "moves": [
            {"id": "keep", "words": "keep", "label": "Keep it", "blocked": None},
            {"id": "luck", "words": "luck", "label": "One better", "blocked": None},
        ],
    }
    assert waylog.json("do", "swallow", "keep")["pending"] is None


def test_too_few_dice_leave_the_act_open(waylog: CommandLine) -> None:
    """The rest is asked for, and given by --dice alone, by the word, or rolled by the app."""
    for ten in (["--dice", "10"], ["--dice", "0"], ["dice", "10"], ["dice", "0"]):
        waylog.json("do", "swallow", "dice", "2d10", "--dice", "7")
        assert "2d10 = 17" in waylog.done("do", "swallow", *ten).out
    for rest in (["--dice", "4"], ["dice", "4"], ["dice", "--dice=4"], ["rest"]):
        asked = waylog.json("do", "swallow", "row", "boat", "wild", "--dice", "2")
        assert asked["facts"] == []
        assert asked["changes"] == []
        assert asked["pending"]["question"] == "Damage: what does the die show?"
        assert [move["id"] for move in asked["pending"]["moves"]] == ["dice", "rest"]
        done = waylog.json("do", "swallow", *rest)
        assert [change["path"] for change in done["changes"]] == ["boat.hull"]
        waylog.done("undo", "swallow")
        assert but_the_mark(waylog.file("swallow").read_text()) == but_the_mark(CAMPAIGN)


def test_an_abbreviation_makes_no_new_thing(waylog: CommandLine) -> None:
    """A deck or a clock is made by its command in full; abbreviated, it is named. Acts that make nothing may be abbreviated."""
    refused = waylog("do", "swallow", "dec", "boat.hull")
    assert refused.code == 2
    assert "No such command: “dec”. Did you mean “deck”?" in refused.err
    waylog.done("do", "swallow", "ro", "boat")


def test_what_a_hidden_roll_shows_so_far_is_marked_as_secret(waylog: CommandLine) -> None:
    """While it waits for its other dice, too."""
    said = waylog.done("do", "swallow", "dice", "2d6", "hidden", "--dice", "3").out
    assert "2d6: 3 (players don't see this line)" in said


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["row", "boat", "--dice", "7"], 3, "a d6 has no 7: check the die for oar"),
        (["row", "boat", "--dice", "3,4"], 3, "Too many dice: this takes 1, but you typed 2"),
        (["row", "boat", "--dice", "x"], 2, "Separate the numbers with commas"),
        (["row", "boat", "--dice", ""], 2, "--dice needs a value: --dice"),
        (["row", "boat", "3", "--dice", "4"], 2, "you gave dice twice"),
        (["--dice", "4"], 2, "no roll is waiting for dice"),
        ([], 2, "which action? `waylog moves swallow` lists what you can do"),
        (["fly"], 2, "No such command: “fly”. `waylog moves swallow` lists all"),
        (["clock", "Fog"], 3, "Kind: choose push, catastrophe, death or augury"),
        (["redo"], 3, "there is nothing to redo"),
        (["undo"], 3, "there is nothing to undo"),
        (["time", "passes"], 3, "no death or augury clock is running, so time has nothing to advance"),
        (["note", "\udc80"], 3, "an incomplete character"),
    ],
)
def test_what_is_refused_says_why_and_does_nothing(
    waylog: CommandLine, arguments: list[str], code: int, said: str
) -> None:
    """Wrong words exit 2 and the rules' refusals 3; the reason goes to stderr, and to stdout for programs."""
    ran = waylog("do", "swallow", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("waylog: ")
    assert said in ran.err
    told = waylog("do", "swallow", *arguments, "--json")
    assert told.code == code
    assert told.err == ran.err
    assert told.data.keys() == {"ok", "error", "clause"}
    assert told.data["ok"] is False
    assert not (waylog.campaigns / "swallow" / "log").exists()
    assert waylog.file("swallow").read_text() == CAMPAIGN


def test_a_clause_comes_with_a_refusal(waylog: CommandLine) -> None:
    """A program is told which clause says no."""
    saved(waylog.campaigns / "swallow", "0x3", "0")
    assert waylog("do", "swallow", "row", "boat", "--json").data == {
        "ok": False,
        "error": "the boat has sunk",
        "clause": "SG-01",
    }


def test_words_that_do_not_answer_an_open_question_are_against_the_rules(waylog: CommandLine) -> None:
    """While something is asked, other acts wait for it, and the question is said again."""
    saved(waylog.campaigns / "swallow", "+0", "1")
    waylog.done("do", "swallow", "row", "boat")
    ran = waylog("do", "swallow", "row", "boat")
    assert ran.code == 3
    assert "finish this first. Use luck? Type “keep” or “luck”" in ran.err


def test_odds_can_be_asked_while_a_question_is_open(waylog: CommandLine) -> None:
    """Of a roll that waits until it is answered, as things are now; what means nothing then either is refused."""
    saved(waylog.campaigns / "swallow", "+0", "1")
    chain = ("odds", "swallow", "row boat; note done")
    before, in_a_row = waylog("odds", "swallow", "row", "boat"), waylog(*chain)
    waylog.done("do", "swallow", "row", "boat")
    ran = waylog("odds", "swallow", "row", "boat")
    assert (ran.code, ran.out) == (0, before.out)
    assert (in_a_row.code, waylog(*chain).out) == (0, in_a_row.out)
    assert waylog("odds", "swallow", "row", "boot").code != 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["clock", "Hull breach", "6", "catastrophe"], 'clock catastrophe "Hull breach"'),
        (['clock "Hull breach" 8 push hidden'], 'clock 8 push hidden "Hull breach"'),
        (["note", 'he said "no" \\ twice'], 'note "he said \\"no\\" \\\\ twice"'),
        (["note", "one", "and", "all"], 'note "one and all"'),
        (["note", "two\nlines"], 'note "two\nlines"'),
        (["tick", "storm", "2"], "tick storm 2"),
        (["--", "note", "--dice", "are", "real"], 'note "--dice are real"'),
        (["note", "- a list"], 'note "- a list"'),
    ],
)
def test_shell_words_are_the_words_of_the_app(waylog: CommandLine, arguments: list[str], words: str) -> None:
    """An argument with spaces is a text in quotes; a single one is a whole line; the log has the words of the app."""
    waylog.done("do", "swallow", *arguments)
    assert waylog.json("log", "swallow")["entries"][-1]["words"] == words


def test_what_is_only_tried_takes_real_dice_too(waylog: CommandLine) -> None:
    """As the dice of its one action; with several, it isn't clear whose they are."""
    tried = waylog.json("do", "swallow", "row", "boat", "wild", "--dice", "2,4", "--what-if")
    assert [fact["dice"][0]["face"] for fact in tried["acts"][0]["facts"] if fact["kind"] == "rolled"] == [2, 4]
    refused = waylog("do", "swallow", "row boat; note on", "--dice", "2", "--what-if")
    assert refused.code == 2
    assert "type the dice after each roll" in refused.err


def test_negative_numbers_are_no_options(waylog: CommandLine) -> None:
    """A clock can be emptied by a segment."""
    waylog.done("do", "swallow", "tick", "storm", "2")
    waylog.done("do", "swallow", "tick", "storm", "-1")
    assert "filled = 1" in waylog.file("swallow").read_text()


def test_undo_and_redo_are_words_too(waylog: CommandLine) -> None:
    """`do CAMPAIGN undo` is `undo CAMPAIGN`."""
    waylog.done("do", "swallow", "row", "boat", "wild")
    assert waylog.json("do", "swallow", "undo")["facts"][0]["text"] == "Undone: “Row: Wild”"
    assert waylog.json("do", "swallow", "redo")["facts"][0]["text"] == "Redone: “Row: Wild”"
    assert waylog.json("undo", "swallow")["changes"] == [{"path": "boat.hull", "before": 2, "after": 3}]
    assert waylog.json("redo", "swallow")["entry"] == 5


def test_the_same_session_gives_the_same_files(tmp_path: Path) -> None:
    """With the same clock and the same dice, a session typed twice ends in the same bytes."""
    files = []
    for name in ("one", "two"):
        written(tmp_path / name / "swallow")
        waylog = CommandLine(tmp_path / name)
        for words in ("row boat wild", "tick storm 3", "note x", "undo", "row boat", "set boat.luck 2", "undo"):
            waylog.done("do", "swallow", *words.split())
        folder = tmp_path / name / "swallow"
        paths = [path for path in folder.rglob("*.toml") if "history" not in path.parts]
        files.append({path.relative_to(folder): path.read_bytes() for path in paths})
    assert {path.parts[0] for path in files[0]} == {"campaign.toml", "log"}
    assert files[0] == files[1]


# -- when the file is not as it should be


def test_an_act_on_a_broken_file_exits_with_its_problems(waylog: CommandLine) -> None:
    """A file that can't be read keeps a campaign from being opened; every problem is said with its place."""
    saved(waylog.campaigns / "swallow", "0x3", "[]")
    before = waylog.file("swallow").read_bytes()
    ran = waylog("do", "swallow", "row", "boat", "--json")
    assert ran.code == 1
    path = waylog.file("swallow")
    assert ran.err == f"{path}:9:10: hull can't be a list: it should be a whole number from 0 to 3\n"
    assert ran.data["ok"] is False
    assert ran.data["problems"][0]["line"] == 9
    assert path.read_bytes() == before


def test_an_act_whose_file_could_not_follow_is_done_and_says_so(
    waylog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the log has the act and the file can't be written, the act counts: exit code 0, and a word on stderr."""

    def full(path: Path, data: bytes) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("waylog.store.file.hand_edits.write_beside", full)
    ran = waylog("do", "swallow", "row", "boat", "wild", "--json")
    assert ran.code == 0
    assert ran.data["entry"] == 1
    assert ran.err.startswith("Done and logged. Could not update campaign.toml: no space left")


def test_a_file_that_is_held_too_long_is_not_waited_for_again(
    waylog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The act is in the log; one wait for whoever holds the campaign is enough, and that is said."""
    seconds, tried = iter((0.0, 11.0)), list[Path]()

    def held(folder: Path) -> None:
        tried.append(folder)
        raise CampaignBusy("another program is using this campaign")

    monkeypatch.setattr("waylog.words.saving_after_commands.monotonic", lambda: next(seconds))
    monkeypatch.setattr("waylog.store.file.hand_edits.write_beside", lambda path, _: held(path))
    ran = waylog("do", "swallow", "row", "boat", "wild", "--json")
    assert (ran.code, ran.data["entry"], len(tried)) == (0, 1, 1)
    assert "another program is using this campaign. Nothing is lost: the log has every action" in ran.err


def test_a_busy_campaign_is_said_in_words(waylog: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """When another program holds the campaign too long, nothing is done and the exit code is 1."""
    monkeypatch.setattr("waylog.store.files_and_lock._LONGEST_WAIT_FOR_LOCK", 0.0)
    with lock_campaign(waylog.campaigns / "swallow"):
        ran = waylog("do", "swallow", "row", "boat")
    assert (ran.code, ran.err) == (1, "waylog: another program is using this campaign. Nothing was done\n")


def test_nothing_from_a_file_steers_the_terminal(waylog: CommandLine) -> None:
    """Names with control and direction characters are shown, not obeyed; in JSON they are escaped."""
    saved(waylog.campaigns / "swallow", "'''The storm'''", '"\\u001b]0;x\\u0007\\u202eevil"')
    for command in ("show", "moves"):
        out = waylog.done(command, "swallow").out
        assert "␛]0;x␇‹U+202E›evil" in out
        assert not {"\x1b", "\x07", "\u202e"} & set(out)
        assert waylog.done(command, "swallow", "--json").out.isascii()


# -- looking


def test_odds_are_fractions_and_per_cent(waylog: CommandLine) -> None:
    """Every outcome with its exact chance, worst first, for people and for programs; nothing is rolled."""
    assert waylog.done("odds", "swallow", "row", "boat").out.splitlines() == [
        "row boat (1d6: oar), as it falls",
        "  fiasco     50.0 %  1/2",
        "  drawback   16.7 %  1/6",
        "  success    16.7 %  1/6",
        "  critical   16.7 %  1/6",
    ]
    odds = waylog.json("odds", "swallow", "row", "boat")
    assert odds.keys() >= {"ok", "words", "dice", "outcomes", "spends", "reasons", "forecast"}
    assert [(one["outcome"], one["chance"], one["percent"]) for one in odds["outcomes"][:2]] == [
        ("fiasco", "1/2", 50.0),
        ("drawback", "1/6", 16.6667),
    ]
    assert not (waylog.campaigns / "swallow" / "log").exists()


def test_odds_of_what_is_no_roll_are_wrong_usage(waylog: CommandLine) -> None:
    """An act without dice has no odds, and says so."""
    ran = waylog("odds", "swallow", "tick", "storm")
    assert (ran.code, ran.err) == (2, "waylog: “tick storm” is not a roll, so it has no odds\n")


def test_odds_say_what_clocks_would_do(waylog: CommandLine) -> None:
    """A roll on a clock forecasts how far each outcome moves it, with the clause."""
    forecast = waylog.json("odds", "swallow", "row", "boat", "storm")["forecast"]
    assert forecast == [{"text": "“The storm” 0/4: fiasco fills 2, drawback fills 1", "clause": "NM-24"}]


def test_moves_are_grouped_and_blocked_ones_say_why(waylog: CommandLine) -> None:
    """What can be done by verb, with the words to type; then what can't, with the reason."""
    lines = waylog.done("moves", "swallow").out.splitlines()
    assert lines[0] == "row"
    assert lines[1].split("  ")[-1] == "Row"
    assert "row boat [calm|wild] [storm …]" in lines[1]
    refused = lines[lines.index("Not now") + 1 :]
    assert any(
        re.fullmatch(
            r"  ✗ time passes \[because \"REASON\"\] +No death or augury clock is running, so time has nothing to advance",
            line,
        )
        for line in refused
    )
    told = waylog.json("moves", "swallow")
    assert told["question"] is None
    moves = {move["id"]: move for move in told["moves"]}
    assert moves["time passes"]["blocked"] == {
        "reason": "no death or augury clock is running, so time has nothing to advance",
        "clause": "NM-23",
    }
    assert moves["row boat"]["rolls"] is True
    assert [ask["kind"] for ask in moves["clock"]["asks"]] == ["text", "one", "one", "one", "text", "text"]


def test_show_has_panels_and_clocks(waylog: CommandLine) -> None:
    """The state as text, and the same as values."""
    out = waylog.done("show", "swallow").out
    assert out.splitlines()[0] == "The Swallow: Small Game, nothing in the log yet"
    assert "  Hull  3/3" in out
    assert "storm  □□□□  0/4  catastrophe  The storm" in out
    told = waylog.json("show", "swallow")
    assert told["panels"][0]["rows"] == [
        {
            "kind": "pips",
            "key": "boat.hull",
            "label": "Hull",
            "value": 3,
            "top": 3,
            "note": "",
            "about": "",
            "rank": "plain",
            "beyond": "",
        }
    ]
    assert told["clocks"][0]["key"] == "storm"
    assert told["clocks"][0]["segments"] == 4


@pytest.mark.clause("NM-47")
def test_show_has_timers(waylog: CommandLine) -> None:
    """With their end for programs, and what is left of them for people."""
    assert waylog.json("show", "swallow")["timers"] == []
    waylog.done("do", "swallow", "timer", "24h", "fuse")
    waylog.done("do", "swallow", "timer", "open", "23h", "boarding")
    first, second = waylog.json("show", "swallow")["timers"]
    assert (first["key"], first["name"], first["seconds"], first["seen"]) == ("fuse", "fuse", 86400, False)
    assert second["seen"] is True
    assert (
        second["ends"] == int(datetime.strptime(second["began"], "%Y-%m-%d %H:%M:%S%z").timestamp()) + second["seconds"]
    )
    out = waylog.done("show", "swallow").out
    timers = out[out.index("\nTimers\n") :].split()
    assert (timers[1], timers[3], timers[5:]) == ("boarding", "fuse", ["hidden"])


def test_the_log_shows_the_latest_entries_oldest_first(waylog: CommandLine) -> None:
    """So many entries as asked for, what was taken back marked as such."""
    assert waylog.done("log", "swallow").out == "Nothing has been played yet\n"
    for words in ("note one", "note two", "undo"):
        waylog.done("do", "swallow", *words.split())
    lines = waylog.done("log", "swallow", "-n", "2").out.splitlines()
    assert lines[0] == "   2  2026-01-05 20:01  Note: two (undone)"
    assert lines[1] == "   3  2026-01-05 20:02  Undone: “Note: two”"
    entries = waylog.json("log", "swallow", "-n", "0")["entries"]
    assert [(entry["entry"], entry["undone"]) for entry in entries] == [(1, False), (2, True), (3, False)]
    assert entries[2]["undoes"] == [2]
    assert entries[0]["at"] == "2026-01-05T20:00:00+00:00"
    assert waylog("log", "swallow", "-n", "-1").code == 2


def test_looking_at_a_campaign_writes_nothing(waylog: CommandLine) -> None:
    """Only acts write."""
    for command in (["show"], ["moves"], ["log"], ["odds"], ["check"]):
        words = ["row", "boat"] if command == ["odds"] else []
        waylog.done(*command, "swallow", *words)
    assert [path.name for path in (waylog.campaigns / "swallow").iterdir()] == ["campaign.toml"]


# -- usage


@pytest.mark.parametrize("command", [command.name for command in COMMANDS if command.least])
def test_each_command_says_how_it_is_used(waylog: CommandLine, command: str) -> None:
    """A command without what it needs says what that is; with --help it says what it takes."""
    ran = waylog(command)
    assert ran.code == 2
    assert f"usage: waylog {command} " in ran.err
    assert waylog(command, "--json").data["ok"] is False
    helped = waylog.done(command, "--help")
    assert helped.out.startswith(f"usage: waylog {command} ")
    assert "--json" in helped.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["shwo"], "there is no command “shwo”. Did you mean show?"),
        (["quux"], "there is no command “quux”. The commands are open, play, new,"),
        (["swallow"], "“swallow” is a campaign. To open it, type: waylog open swallow"),
        (["show", "a", "b"], "unexpected word “b”"),
        (["show", "--frob", "a"], "--frob is not an option here. Options: --at, --json, --dir, --color, --help"),
        (["log", "swallow", "-n", "9" * 30], "-n needs a number of entries, such as 20, or 0 to show all"),
        (["log", "swallow", "-n", "x"], "-n needs a number of entries, such as 20, or 0 to show all"),
        (["show"], "CAMPAIGN is missing"),
        (["odds", "swallow"], "WORDS is missing"),
        (["show", "swallow", "--json=yes"], "--json takes no value"),
        (["show", "swallow", "--dir"], "--dir needs a value: --dir FOLDER"),
        (["show", "swallow", "--dir="], "--dir needs a value: --dir FOLDER"),
        (["show", "swallow", "--dice", "3"], "--dice is not an option here"),
        (["show", "swalow"], "no campaign “swalow”"),
        (["schema", "nope"], "there is no game “nope”. The games are small"),
        (["new", "x", "--system", "nope"], "there is no game “nope”. The games are small"),
        (["learn"], "the tutorial needs a terminal"),
        ([], "no campaign has been opened yet"),
    ],
)
def test_wrong_usage_is_one_plain_answer(waylog: CommandLine, arguments: list[str], said: str) -> None:
    """Whatever is typed wrongly is answered in a line or two, with exit code 2."""
    ran = waylog(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert len(ran.err.splitlines()) <= 2


def test_options_may_stand_anywhere(waylog: CommandLine) -> None:
    """Before the command, between the words, with = or with a space."""
    for arguments in (
        ["--json", "do", "swallow", "row", "boat", "wild", "--dice", "2,4"],
        ["do", "--dice=2,4", "--json", "swallow", "row", "boat", "wild"],
        ["do", "swallow", "row", "--dice", "2 4", "boat", "wild", "--json"],
    ):
        assert waylog.done(*arguments).data["facts"][0]["kind"] == "rolled"
        waylog.done("undo", "swallow")


def test_help_and_version_are_short(waylog: CommandLine) -> None:
    """`--help` lists every command on one screen; `--version` is one line."""
    for help_ in ("--help", "-h", "help"):
        lines = waylog.alone(help_).out.splitlines()
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 100
        *also, _, _ = [line for line in lines[1:] if not line.startswith("  waylog")]
        for command in COMMANDS:
            named = (
                f", {command.name}" in f",{' '.join(' '.join(also).split())[5:]}"
                if command.seldom
                else f"  waylog {command.name}" in "\n".join(lines)
            )
            assert named, command.name
    assert waylog.alone("--version").out == f"waylog {__version__}\n"


def test_systems_and_schema_and_info(waylog: CommandLine) -> None:
    """What there is to play, how its files look to an editor, and where everything lies."""
    small, *in_files = waylog.json("systems")["systems"]
    assert small == {"id": "small", "name": "Small Game", "about": "One die and a boat"}
    assert [(game["id"], Path(game["path"]).parts[-3:]) for game in in_files] == [
        (name, ("games", name, "game.toml")) for name in SHIPPED
    ]
    schema = json.loads(waylog.done("schema", "small").out)
    assert schema["properties"]["boat"]["properties"]["hull"]["maximum"] == 3
    assert {"clocks", "decks", "sessions"} <= set(schema["properties"])
    assert "entries" in json.loads(waylog.done("schema", "table").out)["properties"]
    info = waylog.json("info")
    assert info["last_campaign"] is None
    assert info["last_played"] == {"game": None, "session": None, "played": None}
    assert info["campaigns"] == str(waylog.campaigns)
    assert info.keys() >= {"version", "campaigns", "examples", "state", "last_campaign", "python"}
