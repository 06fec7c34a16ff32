"""`waylog do` while something is asked: a question, more dice, what players propose, a pause."""

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.store.test_proposals import CAMPAIGN


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """A campaign of the core edition, with players."""
    line = CommandLine(tmp_path)
    line.file("trial").parent.mkdir(parents=True)
    line.file("trial").write_text(CAMPAIGN)
    return line


def test_two_sentences_have_a_full_stop_between_them(waylog: CommandLine) -> None:
    """The question, and the words that answer it."""
    waylog.done("do", "trial", "set", "ship.focus", "2")
    waylog.done("do", "trial", "roll", "nav", "--dice", "4,5")
    said = waylog("do", "trial", "zzz")
    assert said.code == 3
    assert "makes it a Success. Type focus or keep" in said.err


def test_a_roll_is_shown_before_it_waits_for_more_dice(waylog: CommandLine) -> None:
    """The faces and the outcome come first, then what the next die is for."""
    waylog.done("do", "trial", "set", "ship.tokens.integrity", "no")
    lines = waylog.done("do", "trial", "roll", "nav", "desperate", "--dice", "1,2").out.splitlines()
    assert lines.index("  NAV: 1 2 (real dice)") < lines.index("  NAV: Fiasco")
    assert lines.index("  NAV: Fiasco") < lines.index("? Damage: what does the die show?")
