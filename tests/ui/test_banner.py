"""What the banner shows of the problems in a campaign."""

from pathlib import Path

import pytest

from tests.kit.table import table_at, written
from tests.ui.test_palette import INK
from waylog.ui.parts.top_bar_banner_and_log_tail import Banner, trouble

pytestmark = pytest.mark.usefixtures("every_frame")


@pytest.mark.clause("EG-05")
def test_what_an_emissary_lacks_who_is_still_being_made_is_no_trouble(tmp_path: Path) -> None:
    """It is among the problems that `check` names, and the banner doesn't show it; another problem is shown and counted alone."""
    half = 'system = "emissaries"\n\n[crew.mara]\nname = "Mara"\nbody = 3\n'
    table = table_at(written(tmp_path / "half", half))
    assert [problem.message.partition(". ")[0] for problem in table.snapshot.problems] == [
        "missing among the objects: a Lun and a data-pad"
    ]
    assert trouble(table.snapshot, table.entry) == ""
    wrong = table_at(written(tmp_path / "wrong", half.replace("body = 3", "body = 1")))
    assert len(wrong.snapshot.problems) == 2
    banner = trouble(wrong.snapshot, wrong.entry)
    assert "body" in banner
    assert "more)" not in banner


def test_the_other_files_with_a_problem_are_named(tmp_path: Path) -> None:
    """Behind the first problem, which is told in full."""
    folder = written(tmp_path / "t", 'system = "veil-core"\n')
    (folder / "tables").mkdir()
    for name in ("fog", "sky"):
        (folder / "tables" / f"{name}.toml").write_text("entries = [\n")
    table = table_at(folder)
    assert trouble(table.snapshot, table.entry).endswith("(and 1 more in tables/sky.toml)")


@pytest.mark.parametrize(("size", "lines"), [((26, 24), 6), ((26, 9), 4), ((200, 50), 1)])
def test_a_problem_is_told_to_its_end_where_there_is_room(tmp_path: Path, size: tuple[int, int], lines: int) -> None:
    """A low window gives it four lines, and marks that more is missing."""
    folder = written(tmp_path / "small", 'system = "veil-core"\n')
    table = table_at(folder)
    (folder / "campaign.toml").write_text('system = "veil-core"\n[ship]\nabout = "' + "never closed " * 4)
    table.refresh(0)
    banner = Banner(table.snapshot, table.entry)
    assert banner.lines_at(*size) == lines
    page = banner.render_page(INK, size[0], lines)
    assert ("…" in page.lines[-1].text) == (size[1] == 9)
    shown = " ".join(" ".join(line.text for line in page.lines).split())
    assert shown.endswith("until you fix it") == (size[1] != 9)
