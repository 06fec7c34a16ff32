"""Pages to print: whole, of every example, from the values that screens show, and without anything that players don't know."""

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import ticking
from tests.kit.thorough import cases
from tests.store.test_projection_hides import Marks, campaign, found, public, written
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.odds import percent
from waylog.table import Table

EXAMPLES = Path(__file__).parents[2] / "campaigns" / "examples"
NAMES = sorted(path.name for path in EXAMPLES.iterdir())
PAGES = ("sheets", "clocks", "cards", "tables", "recap", "keys", "odds")
VOID = ("meta", "br", "rect", "circle", "path", "line", "hr")


class Shape(HTMLParser):
    """What is open, and what a page asks a browser to load or to run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.wrong: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what begins."""
        if tag not in VOID:
            self.open.append(tag)
        self.loads += [name for name, _ in attrs if name in ("src", "href") or name.startswith("on")]
        self.loads += [tag] if tag in ("script", "link", "img", "iframe") else []

    def handle_endtag(self, tag: str) -> None:
        """Compare what ends with what is open."""
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            self.wrong.append(tag)


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line on the examples."""
    return CommandLine(EXAMPLES)


@pytest.mark.parametrize("name", NAMES)
def test_every_page_of_every_game_is_whole(waylog: CommandLine, name: str) -> None:
    """Each tag is closed, and a browser loads nothing and runs nothing. At a desk, games take turns with the pages."""
    for page in cases(PAGES, NAMES.index(name), 4):
        shape = Shape(waylog.done("print", page, name, "--secrets").out)
        assert (shape.open, shape.wrong, shape.loads) == ([], [], []), page


def test_a_sheet_has_all_that_the_screen_has(waylog: CommandLine) -> None:
    """Every panel, label and text; what is marked is grey."""
    page = unescape(waylog.done("print", "sheets", "tenacity", "--secrets").out)
    for panel in waylog.json("show", "tenacity")["panels"]:
        assert panel["title"] in page
        for row in panel["rows"]:
            assert row["label"] in page
            assert row.get("text", "") in page
    assert page.count('class="on"') > 20


def test_a_chart_has_the_exact_odds(tmp_path: Path) -> None:
    """Each pool of the crew is on it, once, with what `odds` says of it, in the order of its dice."""
    waylog = CommandLine(EXAMPLES)
    page = unescape(waylog.done("print", "odds", "tenacity", "--secrets").out)
    pools = re.findall(r'class="pool">(\d+d6)', page)
    assert pools == ["1d6", "2d6", "3d6", "4d6", "5d6", "6d6"]
    table = Table(EXAMPLES / "tenacity", now=ticking(), chance=ChanceDice(lambda _: 0), read_only=True)
    odds = table.odds(table.understand("roll nav keelwing"))
    assert odds
    row = page[page.index('class="pool">3d6') :]
    cells = re.findall(r'class="chance">([^<]*)', row)
    wanted = [percent(chance.chance) for spread in (odds.spread, *odds.spends) for chance in spread.chances]
    assert cells[: len(wanted)] == wanted


@pytest.mark.parametrize("system", cases(["veil-core", "emissaries", "breakers-yard"], 0, 2))
def test_a_page_for_the_table_has_nothing_hidden(tmp_path: Path, system: str) -> None:
    """Of a campaign with a mark in every hidden field, no page shows one, except what players see by the rules; with secrets, most do."""
    parts = campaign(system, Marks())
    parts["players"]["ana"]["may"] = []
    written(tmp_path / "trial", parts)
    waylog = CommandLine(tmp_path)
    table = Table(tmp_path / "trial", now=ticking(), chance=ChanceDice(lambda _: 0), read_only=True)
    open_marks = found(public(table))
    secret = set[str]()
    for page in PAGES:
        assert found([waylog.done("print", page, "trial").out]) <= open_marks, page
        secret |= found([waylog.done("print", page, "trial", "--secrets").out])
    assert len(secret) > 30


def test_paper_and_file(tmp_path: Path) -> None:
    """Letter is said to the printer; with `-o` the page is in a file. What isn't a page or a paper is named."""
    waylog = CommandLine(EXAMPLES)
    file = tmp_path / "keys.html"
    assert "Saved" in waylog.done("print", "keys", "tenacity", "--paper", "letter", "-o", str(file)).out
    assert "@page { size: letter;" in file.read_text()
    assert "@page { size: A4;" in waylog.done("print", "keys", "tenacity").out
    assert waylog.json("print", "clocks", "tenacity")["html"].startswith("<!DOCTYPE html>")
    for words, reason in (
        (("posters", "tenacity"), "The pages are sheets, clocks"),
        (("keys", "tenacity", "--paper", "a3"), "--paper must be a4 or letter"),
        (("keys", "tenacity", "-o", str(tmp_path)), "can't write"),
    ):
        ran = waylog("print", *words)
        assert ran.code
        assert reason in ran.err


def test_a_name_is_no_markup(tmp_path: Path) -> None:
    """What people write is shown as they wrote it."""
    parts = campaign("veil-core", Marks())
    parts["clocks"]["bell"]["name"] = "<script>alert(1)</script> & co"
    written(tmp_path / "trial", parts)
    page = CommandLine(tmp_path).done("print", "clocks", "trial").out
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in page
