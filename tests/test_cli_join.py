"""The command `join`, without a terminal and with wrong arguments."""

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.small_table import written
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
