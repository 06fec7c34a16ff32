"""Build the man page into the wheel. Called by hatchling; of Waylog it loads the table of commands and the filters of the log."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PAGE = "share/man/man1/waylog.1"


class ManPage(BuildHookInterface):  # type: ignore[type-arg]
    """Adds `share/man/man1/waylog.1` to each wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - as hatchling calls it
        """Write the page and name it among the wheel's data."""
        sys.path.insert(0, str(Path(self.root) / "tui"))
        from waylog.cli.manual import man_page

        page = Path(self.directory) / "waylog.1"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("".join(f"{line}\n" for line in man_page()), encoding="ascii")
        build_data["shared_data"][str(page)] = _PAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the page from beside the wheel."""
        (Path(self.directory) / "waylog.1").unlink(missing_ok=True)
