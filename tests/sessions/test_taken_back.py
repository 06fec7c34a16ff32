"""A whole session taken back, act by act."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.table import Falling, ticking, written
from tests.kit.thorough import IS_AT_A_DESK
from tests.sessions.playing import LINE_ENDS, Played, Shell, Step, campaign, last_entry
from waylog.table import Table

_MARK = re.compile(rb'^("?log"? = ")\d{4}:\d+"', re.MULTILINE)
LEAST = 60
"""Acts that the session has, at least."""
_MOST = 25 if IS_AT_A_DESK else 9999
"""Acts that are taken back."""


def but_the_mark(data: bytes) -> bytes:
    """The file, but for how far the log is in it."""
    text, count = _MARK.subn(rb'\1"', data)
    assert count == 1
    return text


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
def test_each_act_taken_back_gives_back_the_file(
    played: Callable[[str], Played], tmp_path: Path, line_end: str
) -> None:
    """From the end to the beginning, one undo an act: each time the file is what it was before that act, to the byte. At a desk, only the
    last acts are taken back.
    """
    once = played(line_end)
    shell = once.shell.copy(tmp_path)
    file = shell.folder / "campaign.toml"
    undone = 0
    while undone < _MOST and shell.undo():
        entry = last_entry(shell.folder)
        assert but_the_mark(file.read_bytes()) == but_the_mark(once.before[entry.undoes[0]]), entry
        undone += 1
    if IS_AT_A_DESK:
        assert undone == _MOST
        return
    assert undone >= LEAST
    assert but_the_mark(file.read_bytes()) == but_the_mark(campaign(line_end))


def test_a_roll_that_was_taken_back_stays_so(tmp_path: Path) -> None:
    """A note was written while a roll waited for Focus. With both taken back, nothing is asked."""
    shell = Shell(tmp_path)
    shell.play(Step("roll hul", dice=(5, 5), asks="Spend Focus"))
    shell.play(Step("note aha", asks="Spend Focus"))
    shell.play(Step("keep"))
    undone = 0
    while shell.undo():
        assert shell.looked("moves")["question"] is None
        undone += 1
    assert undone == 2


@pytest.mark.clause("NM-24", "NM-43")
@pytest.mark.parametrize(("between", "back"), [("roll nav lock 6 1", 2), ("note hm", 2), ("roll nav 6 1", 1)])
def test_undo_of_an_older_act_takes_no_offer_of_another_roll(between: str, back: int, tmp_path: Path) -> None:
    """A roll that was made on the clock offered nothing for it, and neither does a note."""
    clock = '[clocks.lock]\nname = "Lock"\nkind = "push"\nsegments = 8\n'
    campaign = (
        f'format = 1\nname = "T"\nsystem = "veil-core"\n\n[ship]\ncore = {{ CPU = 2, HUL = 2, NAV = 2 }}\n\n{clock}'
    )
    table = Table(written(tmp_path / "lock", campaign), now=ticking(), chance=Falling())
    for words in ("roll nav 6 1", between, "award focus ship", "award focus ship"):
        table.play(table.understand(words))
    table.undo(back)
    (offer,) = (move.label for move in table.snapshot.moves if move.verb == "on")
    assert offer == "Fill 1 segment of “Lock” (offered earlier)"
