"""Make the pictures in `docs/phone/`: the page as a browser shows it, on a phone and on the wall. `make phone-pictures` calls it.

They depend on the fonts of the machine, so no test compares them. Look at them after a change of the page.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from base64 import b64decode
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from tests.kit.browser import Browser, Window, browser
from tests.kit.phone import serving
from waylog.rules.model.dice import ChanceDice
from waylog.table import Table

CHECKOUT = Path(__file__).parents[1]
PICTURES = CHECKOUT / "docs" / "phone"
PHONE, WALL = (390, 760), (1280, 720)


def take(window: Window, name: str) -> None:
    """Save what a window shows, in one of the smallest formats that every browser reads."""
    taken = window.command("Page.captureScreenshot", format="webp", quality=45)
    (PICTURES / f"{name}.webp").write_bytes(b64decode(taken["data"]))


def draw(pages: Browser, table: Table, addresses: Mapping[str, str]) -> None:
    """Play a roll of Ana's, from her page to the wall, and take the pictures on the way."""

    def play(words: str) -> None:
        table.play(table.understand(words))
        table.settle()

    with pages.window(*PHONE) as ana, pages.window(*WALL) as wall:
        ana.open(addresses["ana"])
        wall.open(addresses[""])
        ana.see("Odile", "#mine")
        ana.press("Got it")
        ana.run("scrollTo(0, 0)")
        take(ana, "sheet")
        ana.press("Roll")
        ana.press("Roll for Odile")
        ana.press("tether gun")
        ana.see("5d6", "#sheet")
        for face in (5, 2, 1, 4, 3):
            ana.press(str(face))
        ana.run("document.querySelector('#sheet').scrollTop = 9999")
        take(ana, "roll")
        ana.press("Close")
        play("roll odile primary 5 2 1 4 3")
        ana.see("Spend Focus", "#question")
        wall.see("Spend Focus", "#question")
        take(ana, "question")
        play("keep")
        wall.wait("document.querySelector('#roll .outcome')")
        take(wall, "wall")


def main() -> None:
    """Make every picture, and say how large they are."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        folder = Path(place) / "tenacity"
        shutil.copytree(CHECKOUT / "campaigns" / "examples" / "tenacity", folder)
        table = Table(folder, now=lambda: datetime(2026, 3, 6, 20, 26, tzinfo=UTC), chance=ChanceDice(lambda _: 4))
        table.add_reader()
        table.settle()
        with serving(folder) as addresses, browser(Path(place) / "chromium") as pages:
            draw(pages, table, addresses)
    sizes = {file.name: file.stat().st_size // 1024 for file in sorted(PICTURES.iterdir())}
    sys.stdout.write(f"KiB: {sizes}\n")


if __name__ == "__main__":
    main()
