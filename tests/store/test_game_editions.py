"""A game in a file that changes another: what it says takes the place of what the other says, and all else stays."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.file_games import FOLDER, game_of
from tests.kit.cli import CommandLine
from waylog.rules.game import Game
from waylog.rules.model.dice import ChanceDice
from waylog.rules.systems import names, what_can_be_set
from waylog.store.file.campaign_file_tables_and_scene_cards import check
from waylog.store.file.template_and_conversion import make
from waylog.store.files_and_lock import FILE
from waylog.store.games.game_files import GAME_FILE, GameUnusable, find, system_named
from waylog.table import Table

HEIST = "night-heist"
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
PATCH = """\
base = "night-heist"

[sheet.team.values]
luck = { range = [0, 3], start = 1, label = "Luck" }

[sheet.town.values]
heat = { range = [0, 6] }

[spend.luck]
cost = ["spend luck"]
raise = 1

[dice.action]
bands = [
  { outcome = "bad", label = "Bad", grade = "fiasco" },
  { outcome = "partial", label = "Partial", grade = "drawback", from = 5 },
  { outcome = "good", label = "Good", grade = "success", from = 6 },
  { outcome = "critical", label = "Critical", grade = "critical", from = 6, matches = 2 },
]
"""


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the game that is changed, in the user's folder of games."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    games = tmp_path / "data/waylog/games"
    shutil.copytree(FOLDER / HEIST, games / HEIST)
    return games / HEIST / GAME_FILE


@pytest.fixture
def campaign(tmp_path: Path, base: Path) -> Path:
    """A campaign of that game."""
    make(tmp_path / "heist", "heist", Game(game_of(HEIST)))
    return tmp_path / "heist"


def opened(folder: Path) -> Table:
    """Return the table of a campaign."""
    return Table(folder, now=lambda: NOON, chance=ChanceDice(lambda sides: sides - 1))


def problem_of(folder: Path, text: str) -> str:
    """Return the only mistake of a game file."""
    (folder / GAME_FILE).write_text(text)
    with pytest.raises(GameUnusable) as unusable:
        find(HEIST, folder)
    (problem,) = unusable.value.problems
    return str(problem)


def test_a_campaign_patches_its_game(campaign: Path) -> None:
    """Other limits of an outcome, one more token, a track and a spend; what the file doesn't say stays."""
    (campaign / GAME_FILE).write_text(PATCH)
    table = opened(campaign)
    odds = table.odds(table.understand("roll action joss"))
    assert odds
    chances = {chance.outcome: chance.chance for chance in odds.spread.chances}
    assert str(chances["bad"]) == "4/9"
    table.play(table.understand("roll action joss 5 3"))
    table.play(table.understand("luck 5"))
    if table.snapshot.question:
        table.play(table.understand("keep"))
    table.play(table.understand("mark heat 2"))
    assert table.settle()
    text = (campaign / FILE).read_text()
    assert "luck = 0" in text
    assert "heat = 2" in text
    table.play(table.understand("mark stress"))
    table.play(table.understand("rest"))


def test_each_save_of_either_file_is_picked_up(campaign: Path, base: Path) -> None:
    """Of the one that changes, and of the one that is changed."""
    (campaign / GAME_FILE).write_text(PATCH)
    table = opened(campaign)
    base.write_text(base.read_text().replace('label = "Act"', 'label = "Do it"'))
    assert table.refresh()
    assert any("Do it" in move.label for move in table.snapshot.moves)
    (campaign / GAME_FILE).write_text(PATCH.replace("from = 5", "from = 4"))
    assert table.refresh()
    line = table.take_recovery_text()
    assert line
    assert "Bad 44.4 → 25 %" in line


def test_a_mistake_is_told_where_it_stands(campaign: Path, base: Path) -> None:
    """In the file that changes, or in the one that is changed; Waylog keeps using the last good rules."""
    assert problem_of(campaign, PATCH.replace("spend luck", "spend lukc")).startswith("game.toml:10:10: ")
    assert problem_of(campaign, PATCH.replace("town.values", "town.valeus")).startswith("game.toml:6:2: ")
    (campaign / GAME_FILE).write_text(PATCH)
    table = opened(campaign)
    base.write_text(base.read_text().replace('"clear stress 2"', '"clean it"'))
    assert table.refresh()
    (problem,) = table.snapshot.problems
    line = 1 + base.read_text().splitlines().index('does = ["clean it", "mark cover"]')
    assert (problem.file, problem.line) == (str(base), line)
    table.play(table.understand("mark heat"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'base = "veil-core"',
            "1:8: veil-core is written in Python, so a file can't change it. A campaign can change these in its [house_rules]: ablative_down, ",
        ),
        ('base = "nothing"', "1:8: the game “nothing”, which this one changes, is missing. Put it in"),
        ('base = "second"', "1:8: second is itself based on another game: name that one instead (night-heist)"),
        ("base = 3", "base can't be 3: it should be text in quotes"),
    ],
)
def test_a_base_that_cannot_be_is_told(campaign: Path, base: Path, text: str, said: str) -> None:
    """An edition of an impossible base is reported at the place of its name."""
    second = base.parent.with_name("second")
    second.mkdir()
    (second / GAME_FILE).write_text('id = "second"\nbase = "night-heist"\n')
    assert said in problem_of(campaign, f'{text}\nid = "night-heist"\nname = "x"\nsheet.a.values.b.flag = true\n')


def test_an_edition_has_an_id_of_its_own(tmp_path: Path, base: Path) -> None:
    """It is listed, checked, and played like any other game. One of the user may hide the one that it changes."""
    waylog = CommandLine(tmp_path / "campaigns")
    edition = base.parent.with_name("hard-heist") / GAME_FILE
    edition.parent.mkdir()
    edition.write_text(f'id = "hard-heist"\nname = "Hard Heist"\n{PATCH}')
    assert "Hard Heist" in waylog.done("systems").out
    assert "rolls        action, vault" in waylog.done("game", "check", "hard-heist").out
    waylog.done("new", "night", "--system", "hard-heist")
    waylog.done("do", "night", "mark", "heat")
    base.write_text('base = "night-heist"\n')
    assert "which this one changes, is missing" in waylog("game", "check", HEIST).err


LESS = """\
base = "night-heist"
without = [
  "spend.push",
  "dice.action.options.help",
  "sheet.crew.each.nerve",
  "dice.vault",
  "after.vault",
]

[sheet.crew.each]
nerve = { choices = ["none", "some"] }

[dice.action]
pool = "3 if nerve == 'some' else 1"

[after.action]
bad = ["lose cover"]
critical = []

[moves.patch]
choose = { talk = { does = ["set nerve to 'some'"], when = "nerve == 'none'" } }

[sheet.crew.start]
mara = { nerve = "some" }
"""


def test_an_edition_takes_out_what_it_names(campaign: Path) -> None:
    """Rolls, spends, options and values; a value that is taken out may be there again as another kind."""
    (campaign / FILE).write_text((campaign / FILE).read_text().replace("nerve = 3 ", 'nerve = "some" '))
    (campaign / GAME_FILE).write_text(LESS)
    problems = problem_of_all(campaign)
    assert problems == []
    table = opened(campaign)
    ids = {move.id for move in table.snapshot.moves}
    assert "roll action mara" in ids
    assert "roll vault" not in ids
    table.play(table.understand("roll action joss 5"))
    verbs = {move.verb for move in table.snapshot.moves}
    assert "push" not in verbs
    assert "lucky" in verbs


def problem_of_all(folder: Path) -> list[str]:
    """Return every mistake of the game beside a campaign."""
    try:
        find(HEIST, folder)
    except GameUnusable as unusable:
        return [str(problem) for problem in unusable.problems]
    return []


@pytest.mark.parametrize(
    ("without", "said"),
    [
        ('["dice.vaul"]', "2:12: the game that this one is based on has no “dice.vaul”. Did you mean `vault`?"),
        ('["about", "spend.push.cost.0"]', "has no “spend.push.cost.0”. There are no keys"),
        (
            '["dice.vault"]',
            "there is no roll `vault`. The rolls are action. This file is the base of game.toml. In game.toml, redefine [after.vault]",
        ),
        ('["id"]', "id is missing"),
        ("3", "without can't be 3: it should be a list in square brackets"),
        ("['dice.\"\\q\"']", 'has no “dice."\\q"”. The keys are'),
        ('[""]', "has no “”. The keys are format, id, name"),
    ],
)
def test_what_cannot_be_taken_out_is_told(campaign: Path, without: str, said: str) -> None:
    """A part that an edition cannot take out is reported with its place, or with what still needs it."""
    (campaign / GAME_FILE).write_text(f'base = "night-heist"\nwithout = {without}\n')
    (problem,) = problem_of_all(campaign)
    assert said in problem


def test_a_game_without_a_base_takes_nothing_out(tmp_path: Path, campaign: Path) -> None:
    """There is nothing that it could be taken out of."""
    text = (FOLDER / HEIST / GAME_FILE).read_text().replace("format = 1", 'format = 1\nwithout = ["spend.push"]')
    assert "2:1: `without` takes parts out of another game, so it needs a `base`" in problem_of(campaign, text)


@pytest.mark.parametrize(
    ("system", "said"),
    [
        *((name, f"its outcomes, tokens and tracks can't be changed. {what_can_be_set(name)}") for name in names()),
        (HEIST, "put an edition of the game beside this file, as game.toml"),
    ],
)
def test_a_part_of_the_rules_among_the_house_rules_is_told_where_it_belongs(
    tmp_path: Path, base: Path, system: str, said: str
) -> None:
    """Outcomes or a token; but a misspelt setting is only unknown."""
    make(tmp_path / "trip", "trip", Game(system_named(system)))
    path = tmp_path / "trip" / FILE
    text = path.read_text()
    for line, is_part in (
        ("bands = [{ outcome = 'bad' }]", True),
        ("zeal = { range = [0, 3] }", True),
        ("zeall = 3", False),
    ):
        path.write_text(text.replace("[house_rules]\n", f"[house_rules]\n{line}\n"))
        (problem,) = check(path, FILE)
        assert "unknown key" in problem.message
        assert (said in problem.message) is is_part
