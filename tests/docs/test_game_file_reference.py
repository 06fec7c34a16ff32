"""What the documents take from the program is there as the program has it: keys of a game file, own rules, settings, keys."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from docs import make_reference
from docs.make_reference import SECTIONS, TITLES, game_file, own_rules, renew
from waylog.rules.file_game.game_file_format import game_schema

DOCS = Path(make_reference.__file__).parent
KEYS = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


@pytest.mark.parametrize("name", SECTIONS)
def test_a_page_is_what_the_program_says(name: str) -> None:
    """A page of docs/ that lists keys, rules or settings lists those of the program; `make reference` writes it anew."""
    page = (DOCS / name).read_text(encoding="utf-8")
    assert page == renew(name, page)


def test_waylogs_own_rules_are_listed() -> None:
    """The rules for players, timers and free dice are listed, and those of games in files."""
    codes = re.findall(r"^\| ([A-Z]{2}-\d\d) \|", own_rules(), re.MULTILINE)
    assert codes == [
        "NM-44",
        "NM-45",
        "NM-46",
        "NM-47",
        "NM-48",
        "NM-49",
        "NM-50",
        "FD-01",
        "FD-02",
        "FD-03",
        "GF-01",
        "GF-02",
        "GF-03",
    ]


def test_every_key_of_the_schema_has_a_line() -> None:
    """Wherever in a file it may stand."""
    assert set(_keys_of(game_schema())) == set(KEYS.findall(game_file()))


def _keys_of(schema: Any) -> list[str]:
    """The names of all properties in a schema."""
    if isinstance(schema, list):
        return [key for item in schema for key in _keys_of(item)]
    if not isinstance(schema, dict):
        return []
    named = [*schema["properties"]] if isinstance(schema.get("properties"), dict) else []
    return [*named, *(key for value in schema.values() for key in _keys_of(value))]


@pytest.mark.parametrize("kind", TITLES, ids=lambda kind: kind.__name__)
def test_each_link_leads_to_a_heading(kind: type) -> None:
    """Of the page itself."""
    title = TITLES[kind][0]
    assert f"\n## {title}\n" in game_file()
    links = re.findall(r"\]\(#([^)]+)\)", game_file())
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^## (.*)$", game_file(), re.MULTILINE)}
    assert set(links) <= headings
