"""A game in a file: found, opened, played, and picked up again when it is saved."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.file_games import FOLDER, game_of
from tests.kit.cli import CommandLine
from waylog.rules.game import Game
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.store.file.template_and_conversion import make
from waylog.store.files_and_lock import FILE
from waylog.store.games.game_files import GAME_FILE
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.players.inbox import AnswerKind, read_answer, send
from waylog.table import Table
from waylog.words.sentences import describe_act

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
HEIST = "night-heist"


def opened(folder: Path) -> Table:
    """Return the table of a campaign, with dice that show their highest face."""
    return Table(folder, now=lambda: NOON, chance=ChanceDice(lambda sides: sides - 1))


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign with its game beside it, and no other games."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "heist"
    make(folder, "heist", Game(game_of(HEIST)))
    shutil.copy(FOLDER / HEIST / GAME_FILE, folder / GAME_FILE)
    return folder


def do(table: Table, words: str) -> None:
    """Play an act that is said in words, and save."""
    table.play(table.understand(words))
    assert table.settle()


def saved(folder: Path, change: Callable[[str], str], file: str = GAME_FILE) -> None:
    """Save a file as an editor does: a new one takes its place."""
    new = folder / ".new"
    new.write_text(change((folder / file).read_text()))
    new.rename(folder / file)


def test_a_game_beside_its_campaign_is_played(campaign: Path) -> None:
    """A game in the campaign’s own folder is played, and undo gives back the same bytes."""
    table = opened(campaign)
    do(table, "mark stress 3")
    before = _without_mark(campaign)
    do(table, "use drill")
    assert b"cover = false" in (campaign / FILE).read_bytes()
    table.undo()
    table.settle()
    assert _without_mark(campaign) == before


def test_a_game_in_the_users_folder_is_found(campaign: Path, tmp_path: Path) -> None:
    """Where no game is beside the campaign."""
    games = tmp_path / "data/waylog/games" / HEIST
    games.mkdir(parents=True)
    (campaign / GAME_FILE).rename(games / GAME_FILE)
    do(opened(campaign), "mark stress")


def test_a_missing_game_is_named_and_the_campaign_is_read_only(campaign: Path) -> None:
    """It is played again as soon as the file is back."""
    do(opened(campaign), "mark stress 2")
    (campaign / GAME_FILE).rename(campaign / "gone")
    before = (campaign / FILE).read_bytes()
    table = opened(campaign)
    assert table.read_only
    (problem,) = table.snapshot.problems
    assert str(campaign / GAME_FILE) in problem.message
    with pytest.raises(ActRefused, match="without the game"):
        table.play(table.understand("note hello"))
    assert (campaign / FILE).read_bytes() == before
    (campaign / "gone").rename(campaign / GAME_FILE)
    assert table.refresh()
    assert not table.read_only
    do(table, "mark stress")
    assert "stress = 3" in (campaign / FILE).read_text()


def test_a_game_that_is_back_waits_for_a_campaign_file_that_can_be_read(campaign: Path) -> None:
    """Until that is mended, the campaign stays read-only. Proposals are those of the campaign that is open then."""
    saved(campaign, lambda text: text + '\n[players.ana]\nname = "Ana"\n', FILE)
    do(opened(campaign), "mark stress 2")
    (campaign / GAME_FILE).rename(campaign / "gone")
    table = opened(campaign)
    proposal = send(campaign, "ana", "note hello")
    table.refresh()
    good = (campaign / FILE).read_text()
    saved(campaign, lambda _: "= broken", FILE)
    (campaign / "gone").rename(campaign / GAME_FILE)
    table.refresh()
    assert table.read_only
    saved(campaign, lambda _: good, FILE)
    table.refresh()
    assert not table.read_only
    table.accept(proposal)
    assert read_answer(campaign, "ana", proposal).kind is AnswerKind.PLAYED
    assert next(table.entries()).by == "ana"


def test_a_broken_game_is_told_with_line_and_column(campaign: Path) -> None:
    """A broken game is reported with line and column, and its campaign can still be looked at."""
    do(opened(campaign), "mark stress 2")
    saved(campaign, lambda text: text.replace("coin > 0", "coim > 0"))
    table = opened(campaign)
    (problem,) = table.snapshot.problems
    line = next(n for n, text in enumerate((campaign / GAME_FILE).read_text().splitlines(), 1) if "coim" in text)
    column = (campaign / GAME_FILE).read_text().splitlines()[line - 1].index("team.coim") + 1
    assert (problem.file, problem.line, problem.column) == (GAME_FILE, line, column)
    assert "coin" in problem.message
    assert table.snapshot.entries == 1


def test_a_save_of_the_game_is_picked_up(campaign: Path) -> None:
    """Its new limits hold at once."""
    table = opened(campaign)
    saved(campaign, lambda text: text.replace("range = [0, 9]", "range = [0, 2]"))
    assert table.refresh()
    do(table, "mark stress 2")
    with pytest.raises(ActRefused, match="can't go above 2"):
        do(table, "mark stress")


def test_a_save_says_what_it_changes_in_numbers(campaign: Path) -> None:
    """For each roll that somebody can make now."""
    table = opened(campaign)
    saved(campaign, lambda text: text.replace("from = 4 }", "from = 5 }"))
    assert table.refresh()
    line = table.take_recovery_text()
    assert line
    assert "roll action mara, 3d6: Bad 12.5 → 29.6 %, Partial 45.4 → 28.2 %" in line
    assert "roll vault" not in line
    saved(campaign, lambda text: text.replace('about = "How you get in"', 'about = "The way in"'))
    assert table.refresh()
    assert table.take_recovery_text() == "The new rules are in force. No odds have changed"


def test_a_mistake_leaves_the_last_good_rules_in_force(campaign: Path) -> None:
    """It is told until it is mended."""
    table = opened(campaign)
    saved(
        campaign,
        lambda text: text.replace("range = [0, 9]", "range = [0, 2]").replace('"clear stress 2"', '"clean it"'),
    )
    assert table.refresh()
    (problem,) = table.snapshot.problems
    assert problem.file == GAME_FILE
    assert "“clean” is not an effect" in problem.message
    assert table.take_recovery_text() == "Waylog is still using the last good rules"
    assert not table.refresh()
    assert table.take_recovery_text() is None
    do(table, "mark stress 5")
    assert "stress = 5 " in (campaign / FILE).read_text()
    saved(campaign, lambda text: text.replace('"clean it"', '"clear stress"'))
    assert table.refresh()
    assert not [problem for problem in table.snapshot.problems if problem.file == GAME_FILE]
    assert "The new rules are in force" in (table.take_recovery_text() or "")
    saved(campaign, lambda text: f"{text}\n=")
    assert table.refresh()
    saved(campaign, lambda text: text.removesuffix("\n="))
    assert table.refresh()
    assert (table.take_recovery_text() or "").endswith("no longer has mistakes. The rules have not changed")


def test_a_table_that_the_campaign_lacks_is_told_though_the_rules_are_in_force(campaign: Path) -> None:
    """With its place, until the game offers another one, or the table is there."""

    def told() -> list[str]:
        return [problem.message for problem in table.snapshot.problems if problem.file == GAME_FILE]

    (campaign / "tables").mkdir(exist_ok=True)
    (campaign / "tables/trouble.toml").write_text('entries = ["A guard"]\n')
    table = opened(campaign)
    saved(
        campaign,
        lambda text: text.replace('"The vault is open" }', '"The vault is open" }, { offer = "table troble" }'),
    )
    assert table.refresh()
    assert told() == ["there is no table `troble`. Did you mean `trouble`?"]
    assert "The new rules are in force" in (table.take_recovery_text() or "")
    (campaign / "tables/troble.toml").write_text('entries = ["A dog"]\n')
    assert table.refresh()
    assert told() == []
    (campaign / "tables/troble.toml").unlink()
    saved(campaign, lambda text: text.replace("table troble", "table trouble"))
    assert table.refresh()
    assert told() == []


def test_a_broken_game_is_named_by_each_command(campaign: Path) -> None:
    """An act is refused with what is wrong, `check` says where it is, and the sheet shows it."""
    do(opened(campaign), "mark stress")
    saved(campaign, lambda text: text.replace("coin > 0", "coim > 0"))
    waylog = CommandLine(campaign.parent)
    for command in ("do", "odds"):
        ran = waylog(command, "heist", "roll", "action", "mara")
        assert ran.code == 3
        assert "nothing can be played without the game: game.toml:" in ran.err
    assert f"heist/{GAME_FILE}:" in waylog("check", "heist").err
    assert "The game can't be used" in waylog.done("show", "heist").out
    (campaign / GAME_FILE).unlink()
    assert f"heist/{FILE}:1:1: the game of this campaign is" in waylog("check", "heist").err


def test_a_value_that_is_no_longer_declared_stays_in_the_file(campaign: Path) -> None:
    """Even if it was just played, and not saved yet; and it is told."""
    table = opened(campaign)
    table.play(table.understand("set team.hunter The owl"))
    saved(campaign, lambda text: "\n".join(line for line in text.splitlines() if not line.startswith("hunter = ")))
    assert table.refresh()
    do(table, "mark stress")
    assert 'hunter = "The owl"' in (campaign / FILE).read_text()
    assert any("unknown key hunter" in problem.message for problem in table.snapshot.problems)
    saved(campaign, lambda _: (FOLDER / HEIST / GAME_FILE).read_text())
    assert table.refresh()
    assert any("The owl" in str(row) for panel in table.snapshot.panels for row in panel.rows)


def test_what_was_played_is_kept_though_the_game_has_lost_a_value_meanwhile(campaign: Path) -> None:
    """Where the file was not saved before: what else the act has changed still holds."""
    table = opened(campaign)
    table.play(table.understand("set team.hunter owl team.coin 4"))
    saved(campaign, lambda text: "\n".join(line for line in text.splitlines() if not line.startswith("hunter = ")))
    again = opened(campaign)
    do(again, "mark stress")
    assert "coin = 4" in (campaign / FILE).read_text()
    assert 'hunter = ""' in (campaign / FILE).read_text()


def test_a_value_of_another_kind_keeps_the_last_good_rules(campaign: Path) -> None:
    """Because the file's value can't be read by the new ones."""
    table = opened(campaign)
    saved(campaign, lambda text: text.replace('plan = { text = ""', "plan = { number = 0"))
    assert table.refresh()
    assert any(
        "plan can't be “”: it should be a whole number" in problem.message for problem in table.snapshot.problems
    )
    do(table, "mark stress")
    assert 'plan = ""' in (campaign / FILE).read_text()


EVENING = (
    "session begin",
    "roll action mara 2 3 5",
    "lucky 5",
    "keep",
    "roll action joss help 1 2 3",
    "push 4",
    "roll vault 4 4",
    "keep",
    "patch mara talk",
    "use drill",
    'clock "Guards" 4 death full "mark stress"',
    "tick guards 4",
    "effect guards",
    "rest",
    "bribe 1",
    "session end",
)


def _note_of(entry: LogEntry) -> str:
    """Return what the log says of an undo."""
    return next(fact.text for fact in entry.facts if isinstance(fact, NoteFact))


def test_what_is_done_in_the_middle_of_a_roll_is_named_with_the_answer_that_is_undone_with_it(campaign: Path) -> None:
    """In the log, and before it is undone; then the roll is open again, and is undone by itself."""
    table = opened(campaign)
    versions = [_without_mark(campaign)]
    for words in ("roll action mara 2 3 4", "ruling NH-02 A die falls off the table", "keep"):
        do(table, words)
        versions.append(_without_mark(campaign))
    assert (
        describe_act(table.snapshot.undo)
        == "“Ruling on Nerve: A die falls off the table” and “‘Partial’ kept” (Partial)"
    )
    undone = table.undo()
    assert table.settle()
    assert _note_of(undone) == "Undone: “Ruling: Nerve, A die falls off the table”, “‘Partial’ kept”"
    assert undone.undoes == (2, 3)
    assert _without_mark(campaign) == versions[1]
    assert table.snapshot.question
    assert _note_of(table.redo()) == "Redone: “Ruling: Nerve, A die falls off the table”, “‘Partial’ kept”"
    table = opened(campaign)
    assert (table.undo().undoes, table.undo().undoes) == ((2, 3), (1,))
    assert table.settle()
    assert _without_mark(campaign) == versions[0]


def test_an_answer_is_not_named_beside_its_own_roll(campaign: Path) -> None:
    """Beside a roll stands neither its own answer nor what leaves it as it is, such as a note."""
    table = opened(campaign)
    for words in ("roll action mara 2 3 4", "note It is dark", "keep"):
        do(table, words)
    assert _note_of(table.undo()) == "Undone: “Roll Act for Mara”"


def test_an_evening_can_be_taken_back_step_by_step(campaign: Path) -> None:
    """Each act is read again from the files, and undone, the file has the same bytes but for its mark."""
    versions = [_without_mark(campaign)]
    for words in EVENING:
        table = opened(campaign)
        do(table, words)
        if words.startswith("effect"):  # It is undone with the act that brought it.
            versions.pop()
        if table.snapshot.question is None:
            versions.append(_without_mark(campaign))
    while len(versions) > 1:
        versions.pop()
        table = opened(campaign)
        table.undo()
        assert table.settle()
        assert _without_mark(campaign) == versions[-1]


def _without_mark(folder: Path) -> list[bytes]:
    lines = (folder / FILE).read_bytes().splitlines()
    return [line for line in lines if not line.startswith(b'log = "0001:')]


def test_a_game_in_the_users_folder_is_listed_with_its_place(campaign: Path, tmp_path: Path) -> None:
    """A campaign of it is made with the tables that come with it; one with mistakes says so."""
    games, waylog = tmp_path / "data/waylog/games", CommandLine(tmp_path)
    shutil.copytree(FOLDER / HEIST, games / HEIST)
    (games / HEIST / "tables").mkdir()
    (games / HEIST / "tables/door.toml").write_text('entries = ["nothing", "rats"]')
    (games / "broken").mkdir()
    (games / "broken" / GAME_FILE).write_text("id = 3")
    listed = waylog.done("systems").out
    assert str(games / HEIST / GAME_FILE) in listed
    assert f"{games / 'broken' / GAME_FILE}:1:6: id can't be 3: it should be text in quotes" in listed
    waylog.done("new", "vault", "--system", HEIST)
    waylog.done("do", "vault", "roll", "action", "mara", "--dice", "1,2,3")
    waylog.done("do", "vault", "keep")
    waylog.done("do", "vault", "table", "door")
    assert campaign.exists()


def test_players_never_see_what_the_file_keeps_secret(tmp_path: Path) -> None:
    """Players see neither secret values and lists of a game in a file, nor what happens to them."""
    folder = tmp_path / "odd"
    make(folder, "odd", Game(game_of("odd-dice")))
    shutil.copy(FOLDER / "odd-dice" / GAME_FILE, folder / GAME_FILE)
    table = opened(folder)
    table.add_reader()
    do(table, "mark owl grudge")
    do(table, "set ship.course south")
    do(table, "roll where 6 6")
    seen = (folder / "players.toml").read_text()
    assert "Twins" in seen
    assert not [word for word in ("Owl", "Grudge", "grudge", "south", "north") if word in seen]
