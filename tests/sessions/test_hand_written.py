"""A file that a person has written by hand, through a whole session."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sessions.lines import assert_only_values_differ, comments
from tests.sessions.playing import LINE_ENDS, Played, Shell, Step, campaign


def folders(folder: Path) -> tuple[Path, Path]:
    """A folder for files as they were, and one for files as they are."""
    before, after = folder / "before", folder / "after"
    before.mkdir()
    after.mkdir()
    return before, after


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
def test_every_comment_stays_and_only_values_differ(
    played: Callable[[str], Played], tmp_path: Path, line_end: str
) -> None:
    """After each act: all comments in their order, and a diff that shows lines of changed values and nothing else."""
    before, after = folders(tmp_path)
    written = comments(campaign().decode())
    for number, (step, old, new) in enumerate(played(line_end).versions):
        text = new.decode()
        assert comments(text) == written, step
        assert text.count("\n") == text.count(line_end), step
        (before / f"{number}.toml").write_bytes(old)
        (after / f"{number}.toml").write_bytes(new)
    assert_only_values_differ(before, after)


def test_a_comment_inside_a_list_stays(tmp_path: Path) -> None:
    """A remark behind one entry of a list is there after another one has gone."""
    data = campaign().replace(b'    "expert",\n', b'    "expert",    # hard won\n')
    shell = Shell(tmp_path, data=data)
    for step in (
        Step("mission over failure"),
        Step("advance lars qualities", dice=(3,), asks="chooses from the qualities"),
        Step("gain reckless", asks="Which one do they give up?"),
        Step("drop defender"),
    ):
        shell.play(step)
    text = (shell.folder / "campaign.toml").read_text(encoding="utf-8")
    assert "# hard won" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("focus = +1  ", "focus = +2 "),
        ("# loud", "# Loud"),
        ("HUL = 2      # resist", "HUL = 0x2    # resist"),
        ("\n[clocks.storm]", "[clocks.storm]"),
        ('\nkind = "death"                   # with time\nsegments = 8 ', "\nsegments = 8 "),
        ('state = "action"   ', 'state = "downtime" '),
        ("format = 1   # the layout", "format  = 2   # the layout"),
    ],
)
def test_the_comparison_sees_more_than_values(tmp_path: Path, old: str, new: str) -> None:
    """What nobody may do to a file is told from a changed value: what the other tests here stand on."""
    text = campaign().decode()
    assert old in text
    before, after = folders(tmp_path)
    (before / "campaign.toml").write_text(text, encoding="utf-8")
    (after / "campaign.toml").write_text(text.replace(old, new), encoding="utf-8")
    if comments(text.replace(old, new)) == comments(text):
        with pytest.raises(AssertionError):
            assert_only_values_differ(before, after)
