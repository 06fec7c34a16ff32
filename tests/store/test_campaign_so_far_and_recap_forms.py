"""A recap as a story, in ten lines, of the whole campaign, and in other formats: by the recap's own sentences, and with nothing hidden."""

import json
import re
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import play, ticking
from tests.kit.thorough import cases
from tests.store.test_projection_hides import Marks, campaign, found, public, written
from waylog.rules.model.dice import ChanceDice
from waylog.store.shown.campaign_so_far_and_recap_forms import as_notes, as_text, previously, story
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table

EXAMPLES = Path(__file__).parents[2] / "campaigns" / "examples"
NAMES = sorted(path.name for path in EXAMPLES.iterdir())


def table_of(name: str) -> Table:
    """An example, to look at."""
    return Table(EXAMPLES / name, now=ticking(), chance=ChanceDice(lambda _: 0), read_only=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_story_says_nothing_that_the_recap_does_not(name: str) -> None:
    """Each of its sentences is in the recap; and ten lines are ten at most."""
    recap = table_of(name).recap()
    whole = recap_text(recap)
    text = " ".join(re.sub(r"^( *- |> )", "", line) for line in whole.splitlines())
    paragraphs = [line for line in story(recap).splitlines()[2:] if line and not line.startswith("#")]
    for paragraph in paragraphs:
        for sentence in paragraph.split(". "):
            assert sentence.rstrip(".") in text, sentence
    lines = previously(recap).splitlines()
    assert 1 < len(lines) <= 10
    for line in lines[1:]:
        assert line.removeprefix("- ").split(". ")[0].rstrip(".") in text


def test_the_campaign_so_far(tmp_path: Path) -> None:
    """It has every session, the clocks with their sessions, and what is gone."""
    text = table_of("tenacity").campaign_so_far()
    assert "- **6, The salt barges, and then the galley** (16 Oct 2026)" in text
    assert "- **Moorings** filled in session 7. The docking ring tears, with us on it" in text
    assert "- Odile: Vitality ranged from 2 to 3, now 3 of 3" in text
    assert "- Tove: signal lamp (lost)" in text
    assert "What learned to count" not in text


def test_other_formats_have_the_same_words() -> None:
    """Plain text has no marks, notes have front matter and links, a page has tags, and JSON the values."""
    waylog, recap = CommandLine(EXAMPLES), table_of("tenacity").recap()
    markdown = recap_text(recap)
    text = as_text(markdown)
    assert "**" not in text
    assert "\\" not in text
    assert "Bram rolls (arc cutter): Critical success." in text
    assert waylog.done("recap", "tenacity", "--as", "text").out == text
    notes = as_notes(markdown, recap, ["Bram", "Tove"])
    assert notes.startswith('---\ncampaign: "Tenacity"\nsession: 7\ndate: "2026-10-30"\n')
    assert notes.count("[[Bram]]") == notes.count("[[Tove]]") == 1
    assert notes.partition("---\n\n")[2].replace("[[", "").replace("]]", "") == markdown
    assert "<strong>Critical success</strong>" in waylog.done("recap", "tenacity", "--story", "--as", "html").out
    data = json.loads(waylog.done("recap", "tenacity", "--previously", "--as", "json").out)
    assert (data["session"], data["markdown"]) == (7, previously(recap))
    for words in (("--story", "--all"), ("7", "--all"), ("--as", "pdf")):
        assert waylog("recap", "tenacity", *words).code == 2


@pytest.mark.parametrize(("turn", "system"), [*enumerate(("veil-core", "emissaries", "breakers-yard"))])
def test_no_form_has_anything_hidden(tmp_path: Path, turn: int, system: str) -> None:
    """Of a campaign with a mark in every hidden field, none of them shows one that players may not see.

    At a desk, the systems take turns at the formats of each.
    """
    folder = written(tmp_path / "trial", campaign(system, Marks()))
    table = Table(folder, now=ticking(), chance=ChanceDice(lambda _: 0))
    play(table, "note Seen", "secret zq9999q", "time passes", "time passes")
    table.settle()
    waylog = CommandLine(tmp_path)
    seen = found(public(table))
    for form in ("--story", "--previously", "--all", "--secrets"):
        for way in cases(("markdown", "html", "text", "notes", "json"), turn, 3):
            marks = found([waylog.done("recap", "trial", form, "--as", way).out])
            assert marks <= seen or form == "--secrets", (form, way)
    assert "zq9999q" in waylog.done("recap", "trial", "--secrets", "--story").out
