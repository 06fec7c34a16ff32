"""`make pictures`: each picture comes out the same every time, and needs nothing from the network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
_MOST_BYTES = 600 * 1024


def make(name: str) -> bytes:
    """One picture, made anew. The one that is there stays as it is."""
    file = PICTURES / f"{name}.svg"
    before = file.read_bytes()
    try:
        subprocess.run(
            [sys.executable, ROOT / "docs" / "make_pictures.py", name], check=True, capture_output=True, timeout=120
        )
        return file.read_bytes()
    finally:
        file.write_bytes(before)


def test_a_picture_comes_out_the_same_every_time() -> None:
    """Time and dice are fixed, and so is every name in the file."""
    assert make("small") == make("small")


def test_pictures_are_small_and_whole() -> None:
    """Each picture in the list is there, no other is, and none asks for anything from the network."""
    listed = re.findall(r'Picture\("(\w+)"', (ROOT / "docs" / "make_pictures.py").read_text(encoding="utf-8"))
    assert sorted(file.stem for file in PICTURES.iterdir()) == sorted(listed)
    texts = [file.read_text(encoding="utf-8") for file in PICTURES.iterdir()]
    assert sum(map(len, texts)) < _MOST_BYTES
    assert {url for text in texts for url in re.findall(r"https?://[^\"') ]+", text)} == {"http://www.w3.org/2000/svg"}
