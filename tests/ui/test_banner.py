"""What the banner shows of the problems in a campaign."""

from pathlib import Path

import pytest

from tests.small_table import table_at, written
from waylog.ui.banner import trouble


@pytest.mark.clause("EG-05")
def test_what_an_emissary_lacks_who_is_still_being_made_is_no_trouble(tmp_path: Path) -> None:
    """It is among the problems that `check` names, and the banner doesn't show it; another problem is shown and counted alone."""
    half = 'system = "emissaries"\n\n[crew.mara]\nname = "Mara"\nbody = 3\n'
    table = table_at(written(tmp_path / "half", half))
    assert [problem.message.partition(";")[0] for problem in table.snapshot.problems] == [
        "missing: a Lun and a data-pad"
    ]
    assert trouble(table.snapshot, lambda _: None) == ""
    wrong = table_at(written(tmp_path / "wrong", half.replace("body = 3", "body = 1")))
    assert len(wrong.snapshot.problems) == 2
    banner = trouble(wrong.snapshot, lambda _: None)
    assert "body" in banner
    assert "more)" not in banner
