"""The command `join`, without a terminal and with wrong arguments."""

from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import written
from tests.store.test_proposals import CAMPAIGN


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """Commands beside a campaign with players."""
    written(tmp_path / "trial", CAMPAIGN)
    return CommandLine(tmp_path)


@pytest.mark.parametrize("options", [(), ("--as", ""), ("--as", "../ana"), ("--as", "Ana B")])
def test_it_wants_to_know_who_plays(waylog: CommandLine, options: tuple[str, ...]) -> None:
    """By a key, as in the campaign file: nothing else gets into the name of a folder."""
    ran = waylog("join", "trial", *options)
    assert ran.code == 2
    assert "--as" in ran.err


@pytest.mark.clause("NM-45")
@pytest.mark.parametrize("options", [("--lines",), ()])
def test_who_is_not_a_player_is_sent_away_at_once(
    waylog: CommandLine, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With or without a screen: the sentence names the players there are, and the line for the campaign file."""
    waylog.done("do", "trial", "note", "The lamp is lit")  # Now players have their file.
    monkeypatch.setattr("waylog.cli.main.in_terminal", lambda: not options)
    ran = waylog("join", "trial", "--as", "mara", *options)
    assert (ran.code, ran.out) == (2, "")
    assert "this campaign has no player “mara”. Its players: ana, ben. The wayfinder can add [players.mara]" in ran.err


@pytest.mark.clause("NM-45")
@pytest.mark.parametrize("opened", [False, True])
def test_a_typing_mistake_names_the_nearest_player(waylog: CommandLine, tmp_path: Path, opened: bool) -> None:
    """Before the wayfinder has opened the campaign, too: nobody waits in vain as somebody who doesn't exist."""
    if opened:
        waylog.done("do", "trial", "note", "The lamp is lit")
    ran = waylog("join", "trial", "--as", "anna", "--lines")
    assert (ran.code, ran.out) == (2, "")
    assert "this campaign has no player “anna”. Did you mean ana?" in ran.err
    assert not (tmp_path / "trial" / "inbox" / "anna").exists()


@pytest.mark.clause("NM-45")
def test_a_player_may_be_named_as_people_write_it(waylog: CommandLine) -> None:
    """The name stands for the key."""
    waylog.done("do", "trial", "note", "The lamp is lit")
    ran = waylog("join", "trial", "--as", "Ana", "--lines")
    assert ran.code == 0
    assert "The lamp is lit" in ran.out
