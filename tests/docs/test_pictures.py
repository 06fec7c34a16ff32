"""The pictures in docs/ are what the app draws today. Where one differs, `make pictures` makes it anew, and a review shows the change."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

import pytest

from docs.make_pictures import PICTURE_LIST, PICTURES, Picture, draw

_RULE = re.compile(r"\.(t-r\d+)(?:\.dots)? \{ ([^}]*?) \}")
_TEXT = re.compile(r'<text class="(t-r\d+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')
_DOTS = re.compile(r'<path class="(t-r\d+) dots" d="([^"]*)"/>')
_BLOCK = re.compile(r'<rect fill="(#\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"')
_WIDTH, _HEIGHT = 12.2, 24.4
"""The size of a cell."""
_MOST_BYTES = 768 * 1024
"""What all pictures may take together."""


def contents(svg: str) -> tuple[Sequence[str], frozenset[tuple[str, ...]]]:
    """What a picture shows: its lines of text, and each text, disc and block of colour with its style and its place.

    The frame around the window and the names of the styles are left out: they are the library's own.
    """
    styles = {name: rule.strip("; ") for name, rule in _RULE.findall(svg) if "dasharray" not in rule}
    cells = dict[tuple[int, int], str]()
    shown = set[tuple[str, ...]]()
    for name, x, y, text in _TEXT.findall(svg):
        shown.add((styles[name], x, y, text))
        for offset, char in enumerate(html.unescape(text)):
            cells[round(float(y) / _HEIGHT), round(float(x) / _WIDTH) + offset] = char
    shown.update(("dots", styles[name], path) for name, path in _DOTS.findall(svg))
    shown.update(("block", *block) for block in _BLOCK.findall(svg))
    rows = range(max(row for row, _ in cells) + 1)
    columns = range(max(column for _, column in cells) + 1)
    lines = ["".join(cells.get((row, column), " ") for column in columns).replace("\u00a0", " ") for row in rows]
    return [line.rstrip() for line in lines], frozenset(shown)


@pytest.mark.parametrize("picture", PICTURE_LIST, ids=lambda picture: picture.name)
async def test_a_picture_is_what_the_app_draws(picture: Picture) -> None:
    """The same words in the same places, and then the same colours, discs and cursor."""
    kept = contents((PICTURES / f"{picture.name}.svg").read_text(encoding="utf-8"))
    drawn = contents(await draw(picture))
    assert drawn[0] == kept[0], f"make pictures ARGS={picture.name}"
    assert drawn[1] == kept[1], f"make pictures ARGS={picture.name}"


async def test_a_picture_comes_out_the_same_every_time() -> None:
    """Time and dice are fixed, and so is every name in the file."""
    assert await draw(PICTURE_LIST[0]) == await draw(PICTURE_LIST[0])


def test_pictures_are_small_and_whole() -> None:
    """None asks for anything from the network."""
    texts = [file.read_text(encoding="utf-8") for file in PICTURES.iterdir()]
    assert sum(len(text.encode()) for text in texts) < _MOST_BYTES
    assert {url for text in texts for url in re.findall(r"https?://[^\"') ]+", text)} == {"http://www.w3.org/2000/svg"}


def test_every_picture_is_made_and_shown() -> None:
    """No picture is left over from earlier, and each stands on a page of the documentation."""
    names = {picture.name for picture in PICTURE_LIST}
    assert {file.name for file in PICTURES.iterdir()} == {f"{name}.svg" for name in names}
    readme = PICTURES.parents[1] / "README.md"
    pages = "".join(page.read_text(encoding="utf-8") for page in (readme, *PICTURES.parent.glob("*.md")))
    assert {name for name in names if f"pictures/{name}.svg)" not in pages} == set()


def test_a_picture_with_another_letter_or_colour_is_another() -> None:
    """The comparison sees a letter, a colour of a text, and a disc."""
    svg = (PICTURES / "clocks.svg").read_text(encoding="utf-8")
    before = contents(svg)
    assert any("The grain convoy" in line for line in before[0])
    assert contents(svg.replace("convoy", "convey"))[0] != before[0]
    (name, color) = next(iter(re.findall(r"\.(t-r\d+) \{ fill: (#\w+)", svg)))
    assert contents(svg.replace(f".{name} {{ fill: {color}", f".{name} {{ fill: #123456"))[1] != before[1]
    assert contents(re.sub(r"h4\.0(M)", r"h10.1\1", svg, count=1))[1] != before[1]


def test_pictures_of_the_page_are_small_and_shown() -> None:
    """`make phone-pictures` makes those of the page for phones. Nothing compares them, as each machine has other letters."""
    kept = [*(PICTURES.parent / "phone").iterdir()]
    assert kept
    assert sum(file.stat().st_size for file in kept) < 120 * 1024
    page = (PICTURES.parent / "on-your-phone.md").read_text(encoding="utf-8")
    assert {file.name for file in kept} == set(re.findall(r"\(phone/([^)]+)\)", page))
