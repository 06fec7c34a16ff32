"""Decks, tables, sessions and scenes on the command line, for people and for programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import CAMPAIGN, Falling, written

BESIDE = """
[decks.hold]
name = "What is in the hold"
known = "partly"
shown = ["rope"]
cards.rope = { text = "A rope", luck = "good" }
cards.mimic = { text = "Teeth", luck = "bad", effect = "tick storm" }
cards.egg = { text = "An egg", luck = "neutral", returns = true }
aside = ["egg"]

[sessions.1]
began = "2026-01-01 20:00"
ended = "2026-01-01 23:00"
title = "The start"
present = "Anna"
notes = "Mine"
"""
WEATHER = 'name = "Weather"\nentries = ["Calm", { text = "d6 gulls", effect = "tick storm" }]\n'

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line, with a campaign that has a deck, a table and a session behind it."""
    folder = written(tmp_path / "swallow", CAMPAIGN + BESIDE)
    (folder / "tables").mkdir()
    (folder / "tables" / "weather.toml").write_text(WEATHER)
    return CommandLine(tmp_path, chance=Falling(2, 4))


# -- looking


def test_show_tells_decks_tables_and_sessions(waylog: CommandLine) -> None:
    """The pile by kind and what is out of it, what is rolled on a table, when a session was and who was there."""
    waylog.done("do", "swallow", "draw", "hold", "--dice", "1")
    out = waylog.done("show", "swallow").out
    assert "\n\nDecks\n  hold  1/3  1 bad  partly  What is in the hold  drawn: A rope; aside: An egg\n" in out
    assert "\n\nTables\n  weather  d2  hidden  Weather\n" in out
    assert "\n\nSessions\n  1  2026-01-01 20:00  to 2026-01-01 23:00  The start  Anna\n" in out
    waylog.done("do", "swallow", "session", "begin")
    assert "  2  2026-01-05 20:01  in progress" in waylog.done("show", "swallow").out


def test_show_tells_a_session_that_somebody_named_by_a_word(waylog: CommandLine, tmp_path: Path) -> None:
    """A key that is no number is shown as it stands."""
    file = tmp_path / "swallow" / "campaign.toml"
    file.write_text(file.read_text().replace("[sessions.1]", "[sessions.one]"))
    assert "\n\nSessions\n  one  2026-01-01 20:00" in waylog.done("show", "swallow").out


def test_show_tells_programs_the_same(waylog: CommandLine) -> None:
    """Every key is there, whatever is in the campaign."""
    told = waylog.json("show", "swallow")
    (deck,), (table,), (session,) = told["decks"], told["tables"], told["sessions"]
    assert deck.keys() >= {
        "key",
        "name",
        "known",
        "draw",
        "together",
        "pile",
        "kinds",
        "owed",
        "drawn",
        "aside",
        "cards",
    }
    assert (deck["key"], deck["pile"], deck["kinds"]) == ("hold", 2, {"good": 1, "neutral": 0, "bad": 1})
    assert [(card["key"], card["where"]) for card in deck["cards"]] == [
        ("rope", "pile"),
        ("mimic", "pile"),
        ("egg", "aside"),
    ]
    assert deck["cards"][1]["effect"] == "tick storm"
    assert (table["key"], table["name"], table["dice"], table["seen"]) == ("weather", "Weather", "d2", False)
    assert [(entry["number"], entry["text"]) for entry in table["entries"]] == [(1, "Calm"), (2, "d6 gulls")]
    assert session == {
        "number": "1",
        "began": "2026-01-01 20:00",
        "ended": "2026-01-01 23:00",
        "title": "The start",
        "present": "Anna",
        "notes": "Mine",
    }
    assert told["session"] is None
    waylog.done("do", "swallow", "session", "begin")
    assert waylog.json("show", "swallow")["session"] == 2
    written(waylog.campaigns / "plain")
    plain = waylog.json("show", "plain")
    assert (plain["decks"], plain["tables"], plain["sessions"], plain["session"]) == ([], [], [], None)


def test_a_draw_has_odds(waylog: CommandLine) -> None:
    """What the next card may be, worst first; of two the better one."""
    assert waylog.done("odds", "swallow", "draw", "hold").out.splitlines() == [
        "draw hold (2 cards), the next card",
        "  Bad       50.0 %  1/2",
        "  Neutral    0.0 %  0",
        "  Good      50.0 %  1/2",
    ]
    waylog.done("do", "swallow", "set", "decks.hold.draw", "2")
    told = waylog.json("odds", "swallow", "draw", "hold")
    assert told["label"] == "the better of two"
    assert [one["chance"] for one in told["outcomes"]] == ["0", "0", "1"]


def test_moves_name_the_draw_and_the_table(waylog: CommandLine) -> None:
    """How many cards are left, and what is rolled."""
    out = waylog.done("moves", "swallow").out
    assert re.search(r"  draw hold \[\S+ …\]  Draw from “What is in the hold” \(2 left\)\n", out)
    assert "  table weather  Roll d2 on “Weather”\n" in out
    assert '    deck copy hold "NAME"' in out


# -- acting


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["table", "weather"], "table weather"),
        (["pick", "weather", "1"], "pick weather 1"),
        (["deck", "copy", "hold", "The other hold"], 'deck copy hold "The other hold"'),
        (["deck", "Hunt", "together"], 'deck together "Hunt"'),
        (["card", "hold", "bad", "theirs", "Rats in it"], 'card hold bad theirs "Rats in it"'),
        (["session", "begin"], "session begin"),
        (["session", "present", "Anna", "and", "Bo"], 'session present "Anna and Bo"'),
        (["scene", "On", "the", "stairs"], 'scene "On the stairs"'),
        (["scene"], "scene"),
        (["secret", "They know"], 'secret "They know"'),
    ],
)
def test_they_are_words_of_the_shell_too(waylog: CommandLine, arguments: list[str], words: str) -> None:
    """Tables, decks, sessions, scenes and secret notes are done like any other act."""
    waylog.done("do", "swallow", *arguments)
    assert waylog.json("log", "swallow")["entries"][-1]["words"] == words


def test_what_is_secret_says_so(waylog: CommandLine) -> None:
    """A roll on a hidden table is marked for the wayfinder; a card that the players know is not."""
    assert waylog.done("do", "swallow", "table", "weather", "--dice", "2,4").out.splitlines() == [
        "1  “Weather”, 2: 4 (d6) gulls (players don't see this line)",
        "  Weather: 2 on d2 (real dice, players don't see this line)",
        "  Weather, d6: 4 (real dice, players don't see this line)",
        "Optional now",
        "    effect weather  d6 gulls: tick “The storm”",
    ]
    drawn = waylog.done("do", "swallow", "draw", "hold", "--dice", "1").out
    assert "A rope (good)\n" in drawn
    told = waylog.json("do", "swallow", "table", "weather", "--dice", "1")
    assert {fact["secret"] for fact in told["facts"]} == {True}
    assert {fact["secret"] for fact in waylog.json("do", "swallow", "note", "x")["facts"]} == {False}


def test_a_note_is_told_once(waylog: CommandLine) -> None:
    """In the answer and in the log its words say it; a program still has it as a fact."""
    for words in ("note", "secret", "scene"):
        assert len(waylog.done("do", "swallow", words, "Fog comes in").out.splitlines()) == 1
    assert len(waylog.done("log", "swallow").out.splitlines()) == 3
    assert len(waylog.json("log", "swallow")["entries"][0]["facts"]) == 1


# -- rewinding


@pytest.mark.clause("NM-43")
def test_a_scene_is_rewound_as_one(waylog: CommandLine) -> None:
    """All since its mark is taken back; the log says only that; redo puts it back."""
    for words in ("tick storm", "scene Fog", "tick storm", "set boat.luck 2"):
        waylog.done("do", "swallow", words)
    dry = waylog.done("undo", "swallow", "--scene", "--dry-run").out.splitlines()
    assert dry[0] == "Preview. This would be undone:"
    assert [line[:4].strip() for line in dry if line[:4].strip()][1:] == ["3", "4"]
    assert waylog.json("undo", "swallow", "--scene", "--dry-run")["undoes"] == [3, 4]
    assert waylog.json("show", "swallow")["entries"] == 4
    assert waylog.done("undo", "swallow", "--scene").out.splitlines()[0] == "5  Scene rewound"
    assert waylog.json("show", "swallow")["clocks"][0]["filled"] == 1
    waylog.done("redo", "swallow")
    assert waylog.json("show", "swallow")["clocks"][0]["filled"] == 2


@pytest.mark.clause("NM-43")
def test_the_log_shows_what_was_rewound_only_on_request(waylog: CommandLine) -> None:
    """Neither it nor what had been undone in that scene is listed or found, as text or as data; `--kind rewound` lists it."""
    for words in ("tick storm", "scene Fog", "note blood", "damage boat"):
        waylog.done("do", "swallow", words)
    waylog.done("undo", "swallow")
    waylog.done("undo", "swallow", "--scene")
    waylog.done("do", "swallow", "note better")
    shown = waylog.done("log", "swallow").out
    assert [line.split()[0] for line in shown.splitlines() if line[:4].strip()] == ["1", "2", "6", "7"]
    assert not any(word in shown for word in ("blood", "damage", "Undone"))
    assert [entry["entry"] for entry in waylog.json("log", "swallow", "-n", "3")["entries"]] == [2, 6, 7]
    assert "Nothing in the log matches" in waylog("log", "swallow", "--grep", "blood").err
    assert "blood" not in waylog.done("recap", "swallow", "--secrets").out
    asked = waylog.json("log", "swallow", "--kind", "rewound")["entries"]
    assert [(entry["entry"], entry["undone"]) for entry in asked] == [(3, True), (4, True)]
    assert "blood" in waylog.done("log", "swallow", "--kind", "rewound", "--grep", "blood").out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--scene"], 3, "nothing has happened since the scene or session started"),
        (["--scene", "--dry-run"], 3, "nothing has happened since the scene or session started"),
        (["1", "--scene"], 2, "--scene undoes the whole scene"),
        (["--scene", "--with-later"], 2, "--scene undoes the whole scene"),
    ],
)
def test_what_can_not_be_rewound_says_why(waylog: CommandLine, arguments: list[str], code: int, said: str) -> None:
    """Nothing since the mark, or something else asked for along with it."""
    waylog.done("do", "swallow", "scene")
    ran = waylog("undo", "swallow", *arguments)
    assert ran.code == code
    assert said in ran.err


# -- the recap


@pytest.mark.clause("NM-41")
def test_a_recap_is_markdown_for_the_players_or_for_the_wayfinder(waylog: CommandLine) -> None:
    """The latest session, or the one asked for; what is secret only with --secrets."""
    for words in ("session begin", "scene Fog", 'note "It comes in"', 'secret "It has teeth"', "row boat wild"):
        waylog.done("do", "swallow", words)
    out = waylog.done("recap", "swallow").out
    assert out.splitlines()[0] == "# The Swallow: session 2"
    assert "> It comes in\n" in out
    assert "- Boat: **Fiasco**. Damage. Hull 3 → 2.\n" in out
    assert "teeth" not in out
    assert "> It has teeth *(secret)*\n" in waylog.done("recap", "swallow", "--secrets").out
    first = waylog.done("recap", "swallow", "1").out
    assert (
        first
        == "# The Swallow: session 1, The start\n\n01 Jan 2026, 20:00 to 23:00\n\nPresent: Anna\n\nNothing was played.\n"
    )
    assert "Notes: Mine *(secret)*" in waylog.done("recap", "swallow", "1", "--secrets").out


def test_a_recap_has_its_parts_for_programs(waylog: CommandLine) -> None:
    """Scenes with their acts, clocks and counts as values, and the text itself."""
    for words in ("session begin", "scene Fog", "row boat wild", "clock Ark 4 push"):
        waylog.done("do", "swallow", words)
    told = waylog.json("recap", "swallow")
    assert told.keys() == {
        *("ok", "campaign", "session", "began", "ended", "title", "present", "notes"),
        *("scenes", "clocks", "outcomes", "pace", "unused", "markdown"),
    }
    assert (told["session"], told["notes"]) == (2, "")
    assert [(scene["title"], [act["entry"] for act in scene["acts"]]) for scene in told["scenes"]] == [("Fog", [3, 4])]
    assert told["clocks"] == [{"name": "Ark", "kind": "push", "segments": 4, "what": "started", "outcome": ""}]
    (count,) = told["outcomes"]
    assert count == {"who": "Boat", "outcome": "fiasco", "label": "Fiasco", "mood": "fiasco", "count": 1}
    assert told["markdown"].startswith("# The Swallow: session 2\n")
    assert waylog.json("recap", "swallow", "1", "--secrets")["notes"] == "Mine"


@pytest.mark.parametrize(
    ("session", "code", "said"),
    [("9", 2, "there is no session 9. Sessions run from 1 to 1"), ("x", 2, "“x” is not the number of a session")],
)
def test_a_session_that_was_not_is_refused(waylog: CommandLine, session: str, code: int, said: str) -> None:
    """A session that never took place is refused, with the sessions that did."""
    ran = waylog("recap", "swallow", session)
    assert ran.code == code
    assert said in ran.err


# -- free dice


@pytest.mark.clause("FD-01", "FD-02")
def test_any_dice_are_rolled_and_their_odds_printed(waylog: CommandLine) -> None:
    """The total for people and for programs; every total with its chance; dice that don't count are in brackets."""
    odds = waylog.done("odds", "swallow", "dice", "2d6+3").out.splitlines()
    assert odds[0] == "dice 2d6+3 (from 5 to 15, average 10)"
    assert odds[1].split() == ["5", "2.8", "%", "1/36"]
    assert odds[-1] == "7+ 91.7 %, 9+ 72.2 %, 10+ 58.3 %, 12+ 27.8 %, 14+ 8.3 %"
    chances = waylog.json("odds", "swallow", "dice", "4d6kh3")["outcomes"]
    assert [chance["label"] for chance in chances] == [str(total) for total in range(3, 19)]
    out = waylog.done("do", "swallow", "dice", "4d6kh3", "the reactor", "--dice", "6,5,3,1").out
    assert "The reactor: 4d6kh3 6 5 3 (1) (real dice)" in out
    assert "The reactor: 4d6kh3 = 14" in out
    roll, note = waylog.json("do", "swallow", "2d6", "+", "3", "--dice", "3,4")["facts"]
    assert (roll["total"], note["text"]) == (10, "2d6+3 = 10")


@pytest.mark.clause("FD-01")
def test_saved_dice_roll_by_their_name_and_the_check_names_wrong_ones(waylog: CommandLine) -> None:
    """Saved dice roll by their name, and `check` names the line of dice that are wrong."""
    path = waylog.file("swallow")
    path.write_text(path.read_text() + '\n[dice]\npanic = "2d6"\nbad = "2d"\n')
    assert "Panic: 2d6 = 7" in waylog.done("do", "swallow", "dice", "panic", "--dice", "3,4").out
    line = path.read_text().splitlines().index('bad = "2d"') + 1
    checked = waylog("check", "swallow")
    assert checked.code == 1
    assert f"campaign.toml:{line}:" in checked.err + checked.out
    assert "“2d” is not a dice roll" in checked.err + checked.out
