"""Make the pictures in `docs/pictures/`: the app itself on copies of the examples, each view drawn as SVG. `make pictures` calls it.

Time and dice are fixed, so that a picture changes only when the app does. `tests/docs/test_pictures.py` compares the pictures with what the
app draws; a change that makes a view look different comes with new pictures.
"""

from __future__ import annotations

import asyncio
import html
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count, pairwise
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

from waylog.app.players_apps_and_phones import PlayersApp, TableApp
from waylog.app.tutorial import CAMPAIGN, Tutorial
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.model.dice import Die, Face
from waylog.table import Table

CHECKOUT = Path(__file__).parents[1]
EXAMPLES = CHECKOUT / "campaigns" / "examples"
PICTURES = CHECKOUT / "docs" / "pictures"
_FACES = (5, 3, 6, 2, 4, 1)
_NAMES = {" ": "space", ":": "colon", "?": "question_mark", "/": "slash"}
_NAMED_KEYS = ("enter", "escape", "tab", "down", "ctrl+p")
_CELL = 12.2
"""The width of a character in the pictures."""
_DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""Column and row of each dot of a braille sign, from its lowest bit on."""
_ROW = 24.4
"""The height of a line in the pictures."""
_SECONDS = 1.2
"""How long a moving picture shows what one key did. What is there at the end stays for five times as long."""
_FONTS = "DejaVu Sans Mono, Menlo, Consolas, monospace"


class Picture(NamedTuple):
    """One picture: what is opened, how large the window is, and what is typed before it is taken."""

    name: str
    campaign: str
    size: tuple[int, int]
    keys: Sequence[str] = ()
    """Keys as Textual calls them, or texts that are typed; for the table's screen, acts that are played."""
    theme: str | None = None
    """The name of its theme; None for the theme that people have at first."""
    moves: bool = False
    """It shows the window after each key, one after the other."""


_WATCHED = ("players of ", "table of ")
"""How a picture names the campaign that is watched, and not played."""
PICTURE_LIST = (
    Picture("bridge", "tenacity", (120, 36), ["r", "n", " ", "k"]),
    Picture("ship", "tenacity", (80, 24), ["1"]),
    Picture("crew", "tenacity", (80, 24), ["2"]),
    Picture("log", "tenacity", (100, 30), ["3"]),
    Picture("clocks", "tenacity", (100, 30), ["4"]),
    Picture("tables", "tenacity", (100, 30), ["5"]),
    Picture("moving", "tenacity", (80, 24), ["1", "r", "n k 355", "enter", "f", "5", "enter"], moves=True),
    Picture("roll", "tenacity", (80, 24), ["1", "r", "n k 355", "enter"]),
    Picture("rule", "tenacity", (80, 24), ["1", "i"]),
    Picture("keys", "tenacity", (100, 30), ["1", "?"]),
    Picture("conflict", "soft-answer", (100, 30)),
    Picture("tracks", "slack-water", (100, 30), ["1"]),
    Picture("small", "tenacity", (40, 20), ["1"]),
    Picture("wide", "tenacity", (200, 50)),
    Picture("learn", "learn", (80, 24)),
    Picture("players", "players of tenacity", (80, 24)),
    Picture("table", "table of tenacity", (100, 30), ["roll odile primary standard", "keep"]),
    Picture("light", "tenacity", (120, 36), ["d"], "light"),
    Picture("contrast", "half-measure", (120, 36), ["4"], "contrast"),
    Picture("form", "first-light", (80, 24), ["2", "e"], "light"),
    Picture("menu", "sunday-ferry", (40, 20), ["2", "a"], "contrast"),
    Picture("history", "tenacity", (40, 20), ["1", "w"], "light"),
    Picture("palette", "slack-water", (80, 24), ["ctrl+p", "to"], "contrast"),
)


class _FixedDice:
    """Dice that fall the same each time."""

    are_real = False

    def __init__(self) -> None:
        self._fallen = count()

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """Return the next faces."""
        return tuple(
            Face(die.source, min(_FACES[next(self._fallen) % len(_FACES)], die.sides), die.sides) for die in dice
        )


def main() -> int:
    """Make every picture, or those that are named; say how large they are."""
    wanted = [picture for picture in PICTURE_LIST if len(sys.argv) == 1 or picture.name in sys.argv[1:]]
    PICTURES.mkdir(exist_ok=True)
    for picture in wanted:
        svg = asyncio.run(draw(picture))
        (PICTURES / f"{picture.name}.svg").write_text(svg, encoding="utf-8")
    total = sum(file.stat().st_size for file in PICTURES.glob("*.svg"))
    sys.stdout.write(f"{len(wanted)} pictures made; all pictures take {total // 1024} KiB\n")
    return 0


async def draw(picture: Picture) -> str:
    """Return a picture as SVG, drawn by the app."""
    with tempfile.TemporaryDirectory() as folder:
        table = _table(picture.campaign, Path(folder))
        app: WayfinderApp | PlayersApp
        if picture.campaign == "learn":
            app = WayfinderApp(table, picture.theme, tutorial=Tutorial(table))
        elif picture.campaign.startswith(_WATCHED):
            table.add_reader()
            table.settle()
            app = (TableApp if picture.campaign.startswith("table") else PlayersApp)(table.folder, picture.theme)
        else:
            app = WayfinderApp(table, picture.theme)
        async with app.run_test(size=picture.size) as pilot:
            await pilot.pause()
            frames = list[str]()
            for keys in picture.keys:
                if isinstance(app, PlayersApp):
                    table.play(table.understand(keys))
                    table.settle()
                    app._look()  # noqa: SLF001 - it looks by itself twice a second
                    await pilot.pause()
                    continue
                for key in [keys] if keys in _NAMED_KEYS or not picture.moves else keys:
                    await _press(pilot, key)
                    frames.append(_tidy(app.export_screenshot(title=_title(picture), simplify=True)))
            last = _tidy(app.export_screenshot(title=_title(picture), simplify=True))
            return _animate(frames) if picture.moves else last


def _title(picture: Picture) -> str:
    """Return the command that opens what the picture shows."""
    if picture.campaign == "learn":
        return "waylog learn"
    name = picture.campaign.split(" of ")[-1]
    if picture.campaign.startswith(_WATCHED):
        return f"waylog watch {name}" + (" --table" if picture.campaign.startswith("table") else "")
    return f"waylog open {name}"


async def _press(pilot: Pilot[None], keys: str) -> None:
    """Press a key, or type a text, and wait until the app has taken it."""
    for key in [keys] if keys in _NAMED_KEYS else keys:
        await pilot.press(_NAMES.get(key, key))
        # The app takes keys in its own time.
        while isinstance(pilot.app, WayfinderApp) and pilot.app._keys:  # noqa: SLF001 - nothing else tells
            await pilot.pause()
        await pilot.pause()


def _table(campaign: str, folder: Path) -> Table:
    """Open a copy of an example, or the tutorial, at a fixed time and with fixed dice."""
    here = folder / campaign.rsplit(" of ", maxsplit=1)[-1]
    if campaign == "learn":
        here.mkdir()
        (here / "campaign.toml").write_text(CAMPAIGN.format(began="2026-11-21 19:30"), encoding="utf-8")
    else:
        shutil.copytree(EXAMPLES / here.name, here)
    # The clock stands still, so that it doesn't matter how often the app looks at it.
    return Table(here, now=lambda: datetime(2026, 11, 21, 20, 0, tzinfo=UTC), chance=_FixedDice())


def _tidy(svg: str) -> str:
    """Return the SVG without fonts from the network, and with short names that are the same each time."""
    svg = re.sub(r"\s*@font-face \{.*?\}\n", "\n", svg, flags=re.DOTALL)
    svg = svg.replace("font-family: Fira Code, monospace", f"font-family: {_FONTS}")
    # Each line is clipped to its own place, where it is anyhow.
    svg = re.sub(r' clip-path="url\(#terminal-\d+-line-\d+\)"', "", svg)
    svg = re.sub(r'<clipPath id="terminal-\d+-line-\d+">.*?</clipPath>', "", svg, flags=re.DOTALL)
    (prefix,) = set(re.findall(r"terminal-\d+", svg))
    svg = re.sub(r'<text class="([^"]+)" x="([\d.]+)" y="([\d.]+)"([^>]*)>([^<]*)</text>', _draw_dots, svg)
    svg = _color_dots(svg).replace("&#160;", "\u00a0")
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    return "\n".join(line.rstrip() for line in svg.replace(prefix, "t").splitlines() if line.strip()) + "\n"


_SHAPE = re.compile(
    r'<rect fill="#\w+" x="[\d.]+" y="([\d.]+)"[^>]*/>'
    r'|<text class="t-r[^>]* y="([\d.]+)"[^>]*>[^<]*</text>'
    r'|<path[^>]*dots" d="M[\d.]+ ([\d.]+)[^>]*/>'
)
"""A block of colour, a text, or dots, with how far down it is."""


def _animate(frames: Sequence[str]) -> str:
    """Return one SVG that shows the first frame, and then draws the lines that differ in each of the others over it.

    Where nothing moves, because somebody wants that or because a program can't, the last frame is there.
    """
    styles, drawn = dict[str, str](), list[dict[int, str]]()
    for frame in frames:
        rules = dict(re.findall(r"\.(t-r\d+) (\{[^}]*\})", frame))
        names = {name: styles.setdefault(rule, f"t-r{len(styles) + 1}") for name, rule in rules.items()}
        # The squares that stand for braille signs have a rule of their own, which goes by the name of the colour.
        dotted = re.findall(r"\.(t-r\d+)\.dots (\{[^}]*\})", frame)
        styles.update({rule: f"{names[name]}.dots" for name, rule in dotted})
        lines = dict[int, str]()
        for shape in _SHAPE.finditer(frame.partition('clip-path="url(#t-clip-terminal)">')[2]):
            row = int(float(next(filter(None, shape.groups()))) / _ROW + 0.05)
            text = shape[0].replace(' shape-rendering="crispEdges"', "")
            if name := re.search(r'class="(t-r\d+)', text):
                text = text.replace(f'"{name[1]}', f'"{names[name[1]]}', 1)
            lines[row] = lines.get(row, "") + ("" if text.endswith(">\n</text>") else text)
        drawn.append(lines)
    total = _SECONDS * (len(frames) + 4)
    steps = list[str]()
    rules_of_steps = [f".step {{ animation: {total:.1f}s step-end infinite }}", "rect { shape-rendering: crispEdges }"]
    for number, (before, now) in enumerate(pairwise(drawn), 1):
        new = "".join(
            f'<path fill="#292929" d="M0 {row * _ROW + 1.5:.1f}h{80 * _CELL:.1f}v24.65h-{80 * _CELL:.1f}z"/>{line}'
            for row, line in sorted(now.items())
            if before.get(row) != line
        )
        steps.append(f'<g class="step s{number}">{new}</g>')
        rules_of_steps.append(f".s{number} {{ animation-name: s{number} }}")
        rules_of_steps.append(
            f"@keyframes s{number} {{ 0% {{ visibility: hidden }} {100 * _SECONDS * number / total:.2f}% {{ visibility: visible }} }}"
        )
    head, _, rest = frames[0].partition("    .t-r1 {")
    defs = rest.partition("</style>")[2].partition('clip-path="url(#t-clip-terminal)">')
    rules_of_steps.append("@media (prefers-reduced-motion: reduce) { .step { animation: none } }")
    style = "\n".join([*(f".{name} {rule}" for rule, name in styles.items()), *rules_of_steps])
    first = "".join(line for _, line in sorted(drawn[0].items()))
    return (
        f'{head}{style}\n</style>{defs[0]}{defs[1]}\n<g class="t-matrix">\n{first}\n'
        + "\n".join(steps)
        + "\n</g>\n</g>\n</svg>\n"
    )


def _draw_dots(text: re.Match[str]) -> str:
    """Return a line of text with its braille signs drawn as squares, as few fonts have them in the width of the others.

    Squares beside one another are one dashed line.
    """
    style, left, base, more, content = text.groups()
    signs = html.unescape(content)
    dots = {
        (2 * index + column, row)
        for index, sign in enumerate(signs)
        if "\u2800" < sign <= "\u28ff"
        for dot, (column, row) in enumerate(_DOTS)
        if (ord(sign) - 0x2800) >> dot & 1
    }
    if not dots:
        return text[0]
    lines = list[str]()
    for x, y in sorted(dots, key=lambda dot: (dot[1], dot[0])):
        if (x - 1, y) not in dots:
            size = next(size for size in count(1) if (x + size, y) not in dots)
            start, top = float(left) + x * _CELL / 2 + 1.5, float(base) - 15 + y * 6
            lines.append(f"M{start:.1f} {top:.1f}h{(size - 1) * _CELL / 2 + 4:.1f}")
    rest = "".join("\u00a0" if "\u2800" <= sign <= "\u28ff" else sign for sign in signs)
    kept = (
        f'<text class="{style}" x="{left}" y="{base}"{more}>{html.escape(rest)}</text>' if rest.strip("\u00a0 ") else ""
    )
    return f'{kept}<path class="{style} dots" d="{"".join(lines)}"/>'


def _color_dots(svg: str) -> str:
    """Return the SVG with a rule for lines of dots in each colour."""
    colors = dict(re.findall(r"\.([\w-]+) \{ fill: (#\w+)", svg))
    used = sorted(set(re.findall(r'<path class="([\w-]+) dots"', svg)))
    rules = [
        f".{name}.dots {{ fill: none; stroke: {colors[name]}; stroke-width: 4; stroke-dasharray: 4 2.1 }}"
        for name in used
    ]
    return svg.replace("</style>", "".join(f"{rule}\n" for rule in rules) + "</style>", 1)


if __name__ == "__main__":
    sys.exit(main())
