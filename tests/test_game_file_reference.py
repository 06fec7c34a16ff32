"""`docs/game-file.md` has every key of a game file, and `docs/house-rules.md` Waylog's own rules, as the program has them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docs.make_reference import PAGE, RULES_PAGE, TITLES, text, with_own_rules
from waylog.rules.file_game.schema import game_schema

KEYS = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


def test_it_is_what_the_program_says() -> None:
    """`make reference` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == text()


def test_waylogs_own_rules_are_listed_as_the_program_has_them() -> None:
    """Those for players, timers and free dice, and those of games in files; `make reference` writes them anew."""
    page = RULES_PAGE.read_text(encoding="utf-8")
    assert page == with_own_rules(page)
    codes = re.findall(r"^\| ([A-Z]{2}-\d\d) \|", page, re.MULTILINE)
    assert codes == ["NM-44", "NM-45", "NM-46", "NM-47", "FD-01", "FD-02", "FD-03", "GF-01", "GF-02", "GF-03"]


def test_every_key_of_the_schema_has_a_line() -> None:
    """Wherever in a file it may stand."""
    assert set(_keys_of(game_schema())) == set(KEYS.findall(text()))


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
    assert f"\n## {title}\n" in text()
    links = re.findall(r"\]\(#([^)]+)\)", text())
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^## (.*)$", text(), re.MULTILINE)}
    assert set(links) <= headings
