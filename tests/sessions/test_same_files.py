"""One session, played at a shell, by keys and in line mode: what comes of it is the same, to the byte."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.lines import Lines
from tests.kit.table import table_at, written
from tests.kit.thorough import IS_AT_A_DESK
from tests.sessions.playing import Played, Shell, campaign, files, opened, session

_LATE = 20 if IS_AT_A_DESK else None
"""Acts behind which the file lags, from the first on; all in CI."""


@pytest.mark.clause(
    *("VK-13", "VK-16", "VK-18", "VK-20", "VK-31", "VK-32", "VK-33", "VK-35", "VK-38", "VK-39", "VK-40", "VK-44"),
    *("VK-53", "VK-64", "VK-66", "VK-70", "VK-75", "VK-77", "NM-21", "NM-22", "NM-23", "NM-25", "NM-26"),
)
async def test_a_session_by_keys_by_lines_and_at_a_shell_is_the_same_to_the_byte(
    played: Callable[[str], Played], tmp_path: Path
) -> None:
    """Campaign file and log do not tell whether the acts were typed into the app or into line mode, or given to a shell."""
    shell = played("\n").shell
    lines = Lines(written(tmp_path / "lines", campaign()))
    for step in session():
        lines.play(step)
    assert files(tmp_path / "lines") == files(shell.folder)
    async with opened(written(tmp_path / "keys", campaign())) as keys:
        for step in session():
            await keys.play(step)
    assert files(tmp_path / "keys") == files(shell.folder)


def test_a_session_written_out_at_its_end_says_the_same(played: Callable[[str], Played], tmp_path: Path) -> None:
    """However long the file lags behind the log, when it is written does not show in it, nor in the log. At a desk, it lags for the first
    acts.
    """
    late, once = Shell(tmp_path / "late"), played("\n")
    acts = session()[:_LATE]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("waylog.table.Table.settle", lambda _: True)
        patch.setattr("waylog.store.file.open_campaign.OpenCampaign.file_is_behind", lambda _: False)
        for step in acts:
            late.play(step)
    assert (late.folder / "campaign.toml").read_bytes() == campaign()
    again = table_at(late.folder)
    again.refresh()
    assert again.settle()
    written_late, whole = files(late.folder), files(once.shell.folder)
    assert written_late.pop("campaign.toml") == once.versions[len(acts) - 1][2]
    assert all(whole[name].startswith(data) for name, data in written_late.items())
    assert IS_AT_A_DESK or files(late.folder) == whole
