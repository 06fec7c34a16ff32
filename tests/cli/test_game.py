"""`waylog game`: a game of one's own is written, checked, passed on and added; nothing hostile in an archive gets out of it."""

from __future__ import annotations

import io
import json
import shutil
import stat
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from tests.file_games import FOLDER
from tests.kit.cli import CommandLine
from tests.kit.thorough import cases, examples
from waylog.cli.commands_and_options import Arguments
from waylog.cli.game import game
from waylog.cli.game_evenings_at_random import walk
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.store.games.packages import MOST_BYTES, MOST_FILES, ArchiveRefused, read_archive
from waylog.toml.document import Problem, UnreadableFile

HEIST = "night-heist"
SOUND = (FOLDER / HEIST / "game.toml").read_text(encoding="utf-8")


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of games of somebody who has none yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data/waylog/games"


@pytest.fixture
def waylog(tmp_path: Path, games: Path) -> CommandLine:
    """The command line of somebody in an empty folder."""
    return CommandLine(tmp_path / "campaigns")


# -- new and check ----------------------------------------------------------------------------------------------------


def test_a_new_game_can_be_played_at_once(waylog: CommandLine, games: Path) -> None:
    """Its file has a comment for everything and no mistakes; a campaign of it rolls."""
    out = waylog.done("game", "new", "Iron Moon").out
    assert f"Created {games / 'iron-moon/game.toml'}" in out
    assert "no mistakes" in waylog.done("game", "check", "iron-moon").out
    waylog.done("new", "evening", "--system", "iron-moon")
    assert "Great" in waylog.done("odds", "evening", "roll", "act", "mara", "help").out
    waylog.done("do", "evening", "roll", "act", "mara", "--dice", "1,2,3")
    waylog.done("do", "evening", "keep")
    waylog.done("do", "evening", "rest")
    assert "Iron Moon" in waylog.done("systems").out
    assert json.loads((games / "iron-moon/.game.schema.json").read_text())["title"] == "Waylog game"


@pytest.mark.parametrize(
    ("wanted", "kind"),
    cases(
        [
            ("nine-banners", "roll many dice, and keep the best of them"),
            ("ironsworn", "one die and a stat, against each of two dice"),
            ("blades", "a pool of dice, of which the best counts"),
            ("D&D", "a d20 and a bonus, against a number"),
            ("mothership", "a d100 at or under a skill"),
        ],
        0,
        3,
    ),
)
def test_a_new_game_begins_with_one_that_it_is_like(waylog: CommandLine, games: Path, wanted: str, kind: str) -> None:
    """By the game that people know, or by its id: a copy under a name of its own, with its tables, and without a trade name."""
    waylog.done("game", "new", "Iron Moon", "--like", wanted)
    text = (games / "iron-moon/game.toml").read_text(encoding="utf-8")
    assert 'id = "iron-moon"\nname = "Iron Moon"' in text
    assert f'kind = "{kind}"' in text
    assert "like = [" not in text
    assert waylog.done("game", "check", "iron-moon").out.startswith("Iron Moon (iron-moon): no mistakes")
    offers = "table trouble" in text or "table price" in text or "table sounds" in text
    assert offers is (games / "iron-moon/tables").is_dir()


def test_the_list_of_games_says_what_each_is_like(waylog: CommandLine) -> None:
    """Each kind, and games that people know."""
    out = waylog.done("game", "list").out
    for kind in ("a pool of dice", "cards from a deck", "like Mothership", "like Ironsworn", "like Savage Worlds"):
        assert kind in out
    listed = json.loads(waylog.done("game", "list", "--json").out)["games"]
    assert len([one for one in listed if one["like"]]) == len({one["kind"] for one in listed}) == 10


def test_a_campaign_named_like_the_beginning_of_an_example_is_played_itself(waylog: CommandLine) -> None:
    """Right after it was made as well as later; the example and an own campaign of that name have nothing to do with it."""
    waylog.done("new", "first", "--system", "under-the-ice")
    refused = waylog("do", "first", "roll", "nav")
    assert (refused.code, refused.out) == (2, "")
    assert [path.name for path in waylog.campaigns.iterdir()] == ["first"]
    waylog.done("new", "first-light")
    assert waylog("do", "first", "roll", "nav").code == 2
    waylog.done("do", "first-light", "roll", "nav")
    assert waylog.done("log", "first").out == "Nothing has been played yet\n"


def test_a_game_that_is_there_is_left_alone(waylog: CommandLine, games: Path) -> None:
    """A new game never overwrites one that is there, even in the folder where the person is."""
    waylog.done("game", "new", "iron moon", "--here")
    (games.parents[2] / "game.toml").write_text("mine")
    ran = waylog("game", "new", "other", "--here")
    assert (ran.code, ran.out) == (2, "")
    assert "already exists" in ran.err
    assert (games.parents[2] / "game.toml").read_text() == "mine"
    assert not games.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["new"], "usage: waylog game new NAME"),
        (["new", "★"], "a game's name must start with a letter"),
        (["new", "Veil Core"], "veil-core is already the id of a game that comes with Waylog"),
        (["frob"], "there is no `waylog game frob`. Use list, new, check, schema, pack or add"),
        (["new", "Mine", "--like", "nope"], "Waylog has no game like “nope”. Choose"),
        (["list", "x"], "usage: waylog game list"),
        (["check"], "there is no game.toml in this folder"),
        (["check", "nope"], "there is no game file for “nope”"),
        (["check", "veil-core"], "veil-core is written in Python"),
        (["check", "./nope.toml"], "there is no file nope.toml"),
        (["schema", "x"], "usage: waylog game schema"),
        (["pack", "nope"], "there is no game file for “nope”"),
        (["add"], "usage: waylog game add ARCHIVE"),
    ],
)
def test_wrong_usage_is_one_plain_answer(waylog: CommandLine, words: list[str], said: str) -> None:
    """Wrong usage of `waylog game` ends with exit code 2 and one plain answer."""
    ran = waylog("game", *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_every_mistake_is_listed_with_its_place(waylog: CommandLine, tmp_path: Path) -> None:
    """Those of the game and of its tables, and what would be right."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/door.toml").write_text("entries = 3")
    (tmp_path / "game.toml").write_text(SOUND.replace("coin > 0", "coim > 0").replace('"clear stress 2"', '"clean it"'))
    ran = waylog("game", "check")
    assert ran.code == 1
    told = ran.err.splitlines()
    assert len(told) == 3
    assert all(line.startswith(("game.toml:", "tables/door.toml:1:")) for line in told)
    assert any("coin" in line and "not a value" in line for line in told)
    assert len(waylog("game", "check", "--json").data["problems"]) == 3


def test_what_looks_unmeant_is_told_beside_mistakes(waylog: CommandLine, tmp_path: Path) -> None:
    """Behind them, and apart from them for programs."""
    wrong = SOUND.replace('"clear stress 2"', '"clean it"')
    (tmp_path / "game.toml").write_text(f'{wrong}\n[moves.never]\ndoes = ["clear stress"]\nwhen = "1 > 2"\n')
    ran = waylog("game", "check")
    assert (ran.code, ran.out) == (1, "")
    mistake, heading, advice = ran.err.splitlines()
    assert "clean" in mistake
    assert heading == "The game also has 1 possible mistake:"
    assert "this move can never be made" in advice
    data = waylog("game", "check", "--json").data
    assert (len(data["problems"]), len(data["advice"])) == (1, 1)


def test_many_equal_mistakes_are_told_once(waylog: CommandLine, tmp_path: Path) -> None:
    """At the first place, with the lines of the others; two are told one by one."""
    dice = ",\n".join(['{ die = "d7s" }'] * 10)
    text = f'{SOUND}\n[dice.many]\nmore = [\n{dice},\n{{ die = "d7t" }}, {{ die = "d7t" }}]\nbands = [{{ outcome = "so" }}]\n'
    (tmp_path / "game.toml").write_text(text)
    first = text[: text.index("d7s")].count("\n") + 1
    told = [line for line in waylog("game", "check").err.splitlines() if "d7" in line]
    assert len(told) == 3
    assert told[0].startswith(f"game.toml:{first}:")
    assert f". The same mistake occurs 9 more times, in lines {first + 1}, {first + 2}," in told[0]
    assert told[0].endswith(f" and {first + 9}")


def test_many_equal_mistakes_that_end_in_a_question_have_no_full_stop_behind_it(
    waylog: CommandLine, tmp_path: Path
) -> None:
    """The question mark ends the sentence."""
    rolls = ", ".join(['"acton"'] * 10)
    (tmp_path / "game.toml").write_text(f'{SOUND}\n[when.storm]\nif = "1 < 2"\nplus = 1\nrolls = [{rolls}]\n')
    (told,) = (line for line in waylog("game", "check").err.splitlines() if "acton" in line)
    assert "Did you mean `action`? The same mistake occurs 9 more times" in told


def test_what_looks_unmeant_is_told_and_evenings_are_played(waylog: CommandLine, tmp_path: Path) -> None:
    """With its line, without being a mistake; and evenings at random come out the same each time."""
    text = f'{SOUND}\n[moves.never]\ndoes = ["clear stress"]\nwhen = "1 > 2"\n'
    (tmp_path / "game.toml").write_text(text)
    said = waylog.done("game", "check", "--play", "3").out
    line = text[: text.index("[moves.never]")].count("\n") + 1
    assert "no mistakes" in said
    assert f"game.toml:{line}:" in said
    assert "this move can never be made" in said
    assert "3 random sessions:" in said
    assert "Never" in said.partition("Not used in any session: ")[2]
    assert waylog.done("game", "check", "--play", "3").out == said
    data = waylog.json("game", "check", "--play", "3")
    assert data["advice"][0]["line"] == line
    assert data["played"]["evenings"] == 3
    assert "--play needs a number" in waylog("game", "check", "--play", "many").err


def test_an_offer_of_a_table_that_is_not_beside_the_game_is_told(waylog: CommandLine, tmp_path: Path) -> None:
    """With its line, until the table is there."""
    offer = '{ offer = "table sounds" }'
    text = SOUND.replace('does = ["clear stress 2", "mark cover"]', f'does = ["clear stress 2", {offer}]')
    (tmp_path / "game.toml").write_text(text)
    line = text[: text.index(offer)].count("\n") + 1
    ran = waylog("game", "check")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[0].startswith(f"game.toml:{line}:")
    assert "there is no table `sounds`. There are no tables" in ran.err
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/sounds.toml").write_text('entries = ["Something knocks", "Nothing"]')
    assert "no mistakes" in waylog.done("game", "check").out


BIG = """
id = "big"
name = "Big"
sheet.team.values.size = { range = [0, 20], start = 20 }
[dice.all]
pool = "size"
die = "d20"
reading = "match"
bands = [{ outcome = "few" }, { outcome = "many", from = 3, ones = 2 }]
"""


def test_a_pool_that_is_too_large_for_odds_says_how_large_it_may_be(waylog: CommandLine, games: Path) -> None:
    """In the check, and when its odds are asked for. With so many dice it has odds, and with one more it has none."""
    (games / "big").mkdir(parents=True)
    (games / "big/game.toml").write_text(BIG)
    told = waylog.done("game", "check", "big").out.splitlines()[-1]
    start = "roll all has no odds: 20d20: All has too many combinations. Waylog can work out the odds for up to "
    assert told.startswith(start)
    most = int(told.removeprefix(start).partition("d20")[0])
    assert 2 < most < 20
    waylog.done("new", "evening", "--system", "big")
    assert waylog("odds", "evening", "roll", "all").err == told.replace("roll all", "waylog: “roll all”") + "\n"
    waylog.done("do", "evening", "set", "team.size", f"{most + 1}")
    assert f"Waylog can work out the odds for up to {most}d20" in waylog("odds", "evening", "roll", "all").err
    waylog.done("do", "evening", "set", "team.size", f"{most}")
    assert "Many" in waylog.done("odds", "evening", "roll", "all").out
    assert "is not a roll, so it has no odds" in waylog("odds", "evening", "note", "Rain").err


def test_a_sound_game_tells_what_it_has_and_its_odds(waylog: CommandLine, tmp_path: Path) -> None:
    """In words and as data, with the reason for a roll that can't be made."""
    (tmp_path / "game.toml").write_text(SOUND)
    lines = waylog.done("game", "check").out.splitlines()
    assert lines[0] == "Night Heist (night-heist): no mistakes"
    assert "  spends       push, lucky" in lines
    assert "roll action mara (3d6: Nerve), with nothing spent" in lines
    assert "  Critical    7.4 %  2/27" in lines
    data = waylog.json("game", "check", "game.toml")
    assert data["has"]["rolls"] == ["action", "vault"]
    assert data["odds"][0]["outcomes"][3]["chance"] == "2/27"
    (tmp_path / "game.toml").write_text(SOUND.replace("cover = { flag = true", "cover = { flag = false"))
    lines = waylog.done("game", "check").out.splitlines()
    assert "roll vault can't be done in a new campaign: you can't crack the vault with the guards about" in lines


@pytest.mark.parametrize(
    ("rolls", "said"),
    [
        ("", "The game has no rolls"),
        (
            '[dice.act]\nwho = "crew"\nbands = [{ outcome = "bad", to = 3 }, { outcome = "good", from = 4 }]',
            "Nobody can roll in a new campaign yet",
        ),
    ],
)
def test_a_game_whose_rolls_nobody_can_make_yet_is_not_one_without_rolls(
    waylog: CommandLine, tmp_path: Path, rolls: str, said: str
) -> None:
    """Its lists are empty in a new campaign."""
    file = tmp_path / "game.toml"
    file.write_text(f'id = "alone"\nname = "Alone"\n[sheet.crew.each]\nname = {{ text = "" }}\n{rolls}\n')
    assert said in waylog.done("game", "check", str(file)).out


CHOSEN = """
id = "duel"
name = "Duel"
[sheet.crew]
each.arm = { range = [1, 5], start = 2 }
start = { ada = { name = "Ada" }, bo = { name = "Bo" }, cy = { name = "Cy", arm = 3 } }
[sheet.foes]
each.guard = { range = [0, 3] }
start = { wolf = { name = "Wolf" } }
[dice.hit]
who = "crew"
pool = "arm"
options.weapon = { dice = 1, label = "With a sword" }
options.foe = { who = "foes", most = 1 }
bands = [{ outcome = "miss" }, { outcome = "hit", from = 4 }]
[dice.rage]
who = "crew"
when = "arm > 4"
refusal = "they are calm"
bands = [{ outcome = "calm" }, { outcome = "wild", from = 4 }]
[when.unarmed]
rolls = ["hit"]
if = "not options.weapon or not options.foe"
refuses = "choose a weapon and a foe"
[after.hit]
hit = [{ do = "mark guard", who = "options.foe" }]
"""


def test_a_check_that_crashes_shows_what_it_had_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The game's rolls, the evenings, and what looks unmeant; in a terminal too."""
    (tmp_path / "game.toml").write_text(SOUND)

    def advice(*_: object) -> Iterator[Problem]:
        yield Problem("game.toml", 3, 1, "this looks odd")
        raise KeyError("theirs")

    monkeypatch.setattr("waylog.cli.game.advice_on", advice)
    monkeypatch.setattr("waylog.cli.game.sys.stdout.isatty", lambda: True, raising=False)
    with pytest.raises(KeyError):
        game(Arguments(("check", str(tmp_path)), {"--play": "2"}), None)  # type: ignore[arg-type]
    said = capsys.readouterr().out
    assert all(words in said for words in ("no mistakes", "2 random sessions", "3:1: this looks odd"))


CALLED = """
id = "called"
name = "Called"
[sheet.crew.each]
slip = { range = [0, 4], start = 2 }
fix = { range = [0, 4], start = 1 }
acts = { range = [0, 2] }
[sheet.crew.start.ada]
name = "Ada"
[sheet.crew.start.bo]
name = "Bo"
fix = 2
[dice.act]
who = "crew"
calls = { slip = { pool = "slip" }, fix = { pool = "fix" } }
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[dice.work]
base = "act"
when = "acts > 0"
refusal = "no time left"
[dice.shake]
who = "crew"
offered = false
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 3 }]
[dice.break]
base = "shake"
[moves.scare]
who = "crew"
does = [{ roll = "shake" }]
[moves.hit]
who = "crew"
does = [{ roll = "break" }]
[moves.begin]
does = [{ do = "mark acts 2", who = "crew" }]
"""


def test_the_odds_of_each_call_and_of_rolls_that_only_follow_are_told(waylog: CommandLine, tmp_path: Path) -> None:
    """Those with the same dice together, and those of a roll that can't be made yet, as if it could. Sessions at random count each roll
    that follows as itself, though another one has the same outcomes.
    """
    (tmp_path / "game.toml").write_text(CALLED)
    lines = waylog.done("game", "check", "game.toml", "--play", "20").out.splitlines()
    told = [line for line in lines if line.startswith(("roll ", "  if allowed"))]
    assert told == [
        "roll act ada slip; bo slip, fix (2d6: Act), with nothing spent",
        "roll act ada fix (1d6: Act), with nothing spent",
        "roll work ada slip; bo slip, fix can't be done in a new campaign: no time left",
        "  if allowed (2d6: Work), with nothing spent",
        "roll work ada fix can't be done in a new campaign: no time left",
        "  if allowed (1d6: Work), with nothing spent",
        "roll shake ada, bo (1d6: Shake), with nothing spent",
        "roll break ada, bo (1d6: Break), with nothing spent",
    ]
    assert all(any(line.startswith(f"  {roll}, ") for line in lines) for roll in ("Shake", "Break"))


def test_the_odds_of_a_roll_that_only_follows_are_told_on_request(waylog: CommandLine, games: Path) -> None:
    """With what it follows from; and for nobody who isn't there."""
    (games / "called").mkdir(parents=True)
    (games / "called/game.toml").write_text(CALLED)
    waylog.done("new", "trial", "--system", "called")
    assert waylog.done("odds", "trial", "roll", "shake", "bo").out.splitlines() == [
        "roll shake bo (1d6: Shake), with nothing spent",
        "  Rolled only after Scare",
        "  Bad    33.3 %  1/3",
        "  Good   66.7 %  2/3",
    ]
    assert waylog("odds", "trial", "roll", "shake", "cy").code == 2


def test_a_roll_that_needs_choices_is_checked_and_played_with_some(
    waylog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its odds are those with choices that are possible; people with equal odds, or one refusal, stand on one line; a roll that never came
    is named. A terminal sees how far the check is, and nothing is left of it.
    """
    (tmp_path / "game.toml").write_text(CHOSEN)
    lines = waylog.done("game", "check", "game.toml", "--play", "5").out.splitlines()
    assert [line for line in lines if line.startswith("roll ")] == [
        "roll hit ada weapon wolf; bo weapon wolf (3d6: Hit), with nothing spent",
        "roll hit cy weapon wolf (4d6: Hit), with nothing spent",
        "roll rage ada, bo, cy can't be done in a new campaign: they are calm",
    ]
    assert any(line.startswith("  Hit, ") for line in lines)
    assert "  Not used in any session: Rage" in lines

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("waylog.cli.game.sys.stderr", shown := Terminal())
    game(Arguments(("check", str(tmp_path)), {"--play": "2"}), None)  # type: ignore[arg-type]
    assert "Random sessions: 1 of 2 …" in shown.getvalue()
    assert shown.getvalue().endswith("\r\x1b[2K")


def test_the_schema_is_json(waylog: CommandLine) -> None:
    """`waylog game schema` prints JSON, with and without --json."""
    assert json.loads(waylog.done("game", "schema").out) == waylog.json("game", "schema")


# -- pack and add -----------------------------------------------------------------------------------------------------


def test_a_game_is_packed_and_added_with_all_that_belongs_to_it(
    waylog: CommandLine, games: Path, tmp_path: Path
) -> None:
    """A game is packed with its own files and nothing else: no log, no hidden file, no link. The same game makes the same archive."""
    source = tmp_path / HEIST
    for name, text in {
        "game.toml": SOUND,
        "tables/door.toml": 'entries = ["nothing", "rats"]',
        "README.md": "# Night Heist",
        "example/campaign.toml": 'format = 1\nname = "x"\nsystem = "night-heist"\nlog = "0001:0"\n',
        "example/log/0001.toml": "",
        ".secret.md": "hidden",
        "notes.txt": "no",
    }.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    (source / "passwords.md").symlink_to("/etc/passwd")
    waylog.done("game", "pack", f"./{HEIST}")
    archive = tmp_path / f"{HEIST}.zip"
    first = archive.read_bytes()
    assert "already exists. To replace it, use --yes" in waylog("game", "pack", f"./{HEIST}").err
    waylog.done("game", "pack", f"./{HEIST}", "--yes")
    assert archive.read_bytes() == first
    seen = waylog.json("game", "add", str(archive))
    assert (seen["added"], games.exists()) == (False, False)
    assert set(seen["files"]) == {"game.toml", "tables/door.toml", "README.md", "example/campaign.toml"}
    assert "Nothing was added. To add it, use --yes" in waylog.done("game", "add", str(archive)).out
    waylog.done("game", "add", str(archive), "--yes")
    assert (games / HEIST / "tables/door.toml").read_text() == 'entries = ["nothing", "rats"]'
    waylog.done("new", "vault", "--system", HEIST)
    assert sorted(path.name for path in games.iterdir()) == [HEIST]


def test_beside_a_campaign_only_the_game_is_packed(waylog: CommandLine, tmp_path: Path) -> None:
    """What the people play is theirs."""
    (tmp_path / "campaign.toml").write_text("secret")
    (tmp_path / "recap-0001.md").write_text("secret")
    (tmp_path / "game.toml").write_text(SOUND)
    waylog.done("game", "pack", "game.toml")
    assert [*read_archive(tmp_path / f"{HEIST}.zip").files] == ["game.toml"]


def test_a_game_that_is_there_is_kept_beside_the_new_one(waylog: CommandLine, games: Path, tmp_path: Path) -> None:
    """Adding a game keeps the one of its name, and replaces it only if that is asked for."""
    (games / HEIST).mkdir(parents=True)
    (games / HEIST / "game.toml").write_text("mine")
    archive = zipped(tmp_path, {"game.toml": SOUND})
    assert "To replace " in waylog.done("game", "add", str(archive)).out
    assert (games / HEIST / "game.toml").read_text() == "mine"
    assert "is now in" in waylog.done("game", "add", str(archive), "--yes").out
    assert (games / HEIST / "game.toml").read_text() == SOUND
    assert (games / f".{HEIST}.before/game.toml").read_text() == "mine"


def test_a_terminal_is_asked(waylog: CommandLine, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After it has seen what is inside."""
    archive = zipped(tmp_path, {"game.toml": SOUND})

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for answer, there in (("n\n", False), ("\n", False), ("y\n", True)):
        monkeypatch.setattr("sys.stdin", Terminal(answer))
        monkeypatch.setattr("waylog.cli.game.sys.stdout", shown := Terminal())
        from waylog.cli.commands_and_options import Arguments
        from waylog.cli.game import game

        result = game(Arguments(("add", str(archive)), {}), None)  # type: ignore[arg-type]
        assert "game.toml" in shown.getvalue()
        assert shown.getvalue().endswith(f"Add the game to {games}? [y/N] ")
        assert result.data()["added"] == there
        assert games.exists() == there


def zipped(folder: Path, files: dict[str, str], change: Callable[[zipfile.ZipInfo], object] | None = None) -> Path:
    """Return an archive with these files; `change` makes the last one different."""
    path = folder / "game.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, text) in enumerate(files.items(), 1):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            if change and number == len(files):
                change(entry)
            archive.writestr(entry, text)
    return path


def _mode(mode: int) -> Callable[[zipfile.ZipInfo], object]:
    return lambda entry: setattr(entry, "external_attr", (mode | 0o777) << 16)


HOSTILE: dict[str, tuple[dict[str, str], Callable[[zipfile.ZipInfo], object] | None, str]] = {
    "an absolute path": ({"/tmp/x.toml": ""}, None, "points outside the game's folder"),
    "a way up": ({"a/../../x.toml": ""}, None, "points outside the game's folder"),
    "a way up at once": ({"../x.toml": ""}, None, "points outside the game's folder"),
    "no name between": ({"a//x.toml": ""}, None, "points outside the game's folder"),
    "a path of another system": ({"..\\x.toml": ""}, None, "points outside the game's folder"),
    "a drive": ({"C:x.toml": ""}, None, "points outside the game's folder"),
    "a link": ({"x.toml": "/etc/passwd"}, _mode(stat.S_IFLNK), "is a link or a device"),
    "a device": ({"x.toml": ""}, _mode(stat.S_IFCHR), "is a link or a device"),
    "a pipe": ({"x.toml": ""}, _mode(stat.S_IFIFO), "is a link or a device"),
    "a control character": ({"x\x1b[2J.toml": ""}, None, "invisible characters"),
    "a turned name": ({"x\u202elmot.toml": ""}, None, "invisible characters"),
    "a zero byte": ({"x.toml": ""}, lambda e: setattr(e, "filename", "x.toml\0.md"), "invisible characters"),
    "a program": ({"x.py": ""}, None, "is not a .toml or .md file"),
    "a hidden file": ({".x.toml": ""}, None, "is a hidden file"),
    "a name in two cases": ({"X.toml": "", "x.toml": ""}, None, "twice"),
    "a name in two spellings of one letter": ({"\u00e9.toml": "", "e\u0301.toml": ""}, None, "twice"),
    "a file that is a folder": ({"x.toml": "", "x.toml/y.md": ""}, None, "is inside another file, not in a folder"),
    "too deep": ({"a/b/c/d/x.toml": ""}, None, "in too many folders"),
    "too many": ({f"{number}.md": "" for number in range(MOST_FILES)}, None, "the limit is"),
    "too large": ({"x.md": Random(1).randbytes(MOST_BYTES).hex()}, None, "the limit is"),
    "a bomb": ({"x.md": "0" * (MOST_BYTES - len(SOUND.encode()))}, None, "100 times its size"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_is_refused(waylog: CommandLine, games: Path, tmp_path: Path, what: str) -> None:
    """With its reason, and nothing is written, not even next to the folder of games."""
    files, change, said = HOSTILE[what]
    archive = zipped(tmp_path, {"game.toml": SOUND, **files}, change)
    before = sorted(tmp_path.rglob("*"))
    ran = waylog("game", "add", str(archive), "--yes")
    assert (ran.code, ran.out) == (1, ""), ran
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    """As two programs would read two different files."""
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("game.toml", SOUND)
        archive.writestr("game.toml", "other")
    with pytest.raises(ArchiveRefused, match="twice"):
        read_archive(tmp_path / "x.zip")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"readme.md": ""}, "the archive has no game.toml"),
        ({"a/b/game.toml": SOUND}, "the archive has no game.toml"),
        ({"a/game.toml": SOUND, "b/x.md": ""}, "“b/x.md” is outside the game's folder, a/"),
        ({"game.toml": SOUND.replace('"night-heist"', '"veil-core"')}, "veil-core is a game that comes with Waylog"),
        ({"game.toml": SOUND.replace("coin > 0", "coim > 0")}, ":game.toml:"),
        ({"game.toml": SOUND.replace('"night-heist"', '"../night-heist"')}, "should contain only lower-case letters"),
    ],
)
def test_an_archive_that_is_no_game_is_refused(
    waylog: CommandLine, games: Path, tmp_path: Path, files: dict[str, str], said: str
) -> None:
    """An archive without a game is refused, and so is one whose game has mistakes."""
    ran = waylog("game", "add", str(zipped(tmp_path, files)), "--yes")
    assert (ran.code, ran.out) == (1, "")
    assert said in ran.err
    assert not games.exists()


def test_damaged_archives_are_refused_without_a_traceback(tmp_path: Path) -> None:
    """Whatever byte is wrong, it is refused, or it is the same game."""
    shutil.rmtree(tmp_path / "x", ignore_errors=True)
    sound = zipped(tmp_path, {"h/game.toml": SOUND, "h/tables/door.toml": 'entries = ["rats"]', "h/a.md": "# A"})
    data, random, refused = sound.read_bytes(), Random(14), 0
    files = read_archive(sound).files
    for _ in range(examples(2000)):
        damaged = bytearray(data)
        for _ in range(random.randint(1, 3)):
            damaged[random.choice((random.randrange(len(data)), -random.randrange(1, 250)))] = random.randrange(256)
        sound.write_bytes(damaged[: random.choice((len(data), len(data), random.randrange(len(data))))])
        try:
            assert sorted(read_archive(sound).files.values()) == sorted(files.values())
        except (ArchiveRefused, UnreadableFile):
            refused += 1
    assert refused > examples(2000) // 2


def test_a_new_campaign_has_the_clocks_of_its_game(waylog: CommandLine) -> None:
    """They are in its file, and outcomes tick them."""
    waylog.done("new", "ring", "--system", "night-cargo")
    assert "[clocks.job]" in (waylog.campaigns / "ring/campaign.toml").read_text(encoding="utf-8")
    assert "“The job” +1, now 1/8" in waylog.done("do", "ring", "roll", "act", "nadi", "slip", "--dice", "1,2,6").out


FOLLOWING = """
id = "trial"
name = "Trial"
[sheet.crew.each]
nerve = { range = [0, 4], start = 4, when_empty = ["fill nerve", { roll = "look" }] }
[sheet.crew.start.runa]
name = "Runa"
[sheet.crew.start.tove]
name = "Tove"
[dice.row]
who = "crew"
group = { counts = "each" }
bands = [{ outcome = "back", grade = "fiasco" }, { outcome = "through", from = 4 }]
[dice.look]
who = "crew"
bands = [{ outcome = "back", grade = "fiasco", label = "Unseen" }, { outcome = "seen", from = 4 }]
[dice.last]
who = "crew"
bands = [{ outcome = "seen", label = "Noted" }]
[after.row]
back = [{ roll = "look" }]
[after.look]
seen = [{ roll = "last" }]
[moves.tire]
who = "crew"
does = ["spend nerve"]
[spend.push]
rolls = ["row"]
cost = ["spend nerve"]
when = "nerve == 1"
reroll = "all"
"""


def test_a_move_with_dice_has_odds_of_what_it_comes_to(waylog: CommandLine, games: Path) -> None:
    """At the end, with the roll that follows by itself."""
    (games / "trial").mkdir(parents=True)
    (games / "trial/game.toml").write_text(FOLLOWING.replace('"spend nerve"]', '"lose nerve 1d3 + 1"]', 1))
    waylog.done("new", "evening", "--system", "trial")
    told = waylog.done("odds", "evening", "tire", "tove").out.splitlines()
    assert told[0] == "tire tove"
    assert [line.split()[-1] for line in told if "Nerve  4 → " in line] == ["1/3", "1/3"]


def test_what_several_roll_stands_below_the_name_of_each(waylog: CommandLine, games: Path) -> None:
    """In their odds, also of the first, and of those with the same chances; and what follows for each."""
    (games / "trial").mkdir(parents=True)
    (games / "trial/game.toml").write_text(FOLLOWING)
    waylog.done("new", "evening", "--system", "trial")
    lines = waylog.done("odds", "evening", "group", "row", "runa", "tove").out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "group row runa tove (Runa 1d6, Tove 1d6)",
        "Runa",
        "Tove",
        "Runa: Back (50 %): then the roll “Look”",
        "Tove: Back (50 %): then the roll “Look”",
    ]


def test_a_roll_may_have_the_name_of_what_answers_a_roll(waylog: CommandLine, games: Path) -> None:
    """While real dice are waited for, it has to wait too."""
    (games / "trial").mkdir(parents=True)
    (games / "trial/game.toml").write_text(FOLLOWING.replace("[dice.last]", "[dice.rest]").replace('"last"', '"rest"'))
    waylog.done("new", "evening", "--system", "trial")
    waylog.done("do", "evening", "roll", "row", "tove", "--dice", "1")
    assert "finish this first. " in waylog("do", "evening", "roll", "rest", "runa").err


def test_what_was_offered_earlier_is_named(waylog: CommandLine, games: Path) -> None:
    """In one line, with the words that take it."""
    (games / "trial").mkdir(parents=True)
    (games / "trial/game.toml").write_text(
        FOLLOWING.replace('back = [{ roll = "look" }]', 'back = [{ offer = "roll look" }]')
    )
    waylog.done("new", "evening", "--system", "trial")
    waylog.done("do", "evening", "roll", "row", "tove", "--dice", "1")
    told = waylog.done("do", "evening", "tire", "runa").out.splitlines()
    assert told[-1] == "Still available: “effect tove” (Roll Look for Tove)"


def test_each_outcome_of_an_evening_counts_for_its_own_roll() -> None:
    """Also those of rolls that follow by themselves, from a roll, from one of several or from a move, though their outcomes have the same
    words; and what only a campaign that goes on makes possible is tried.
    """
    system = rulebook_of(tomllib.loads(FOLLOWING))
    walked = walk(Game(system), system.edition.game, 60)
    came = {roll: {*counts} for roll, counts in walked.outcomes.items()}
    assert came == {"Row": {"Back", "Through"}, "Look": {"Unseen", "Seen"}, "Last": {"Noted"}}
    assert walked.never == ()
