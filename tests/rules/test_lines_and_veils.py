"""Lines and veils: which texts are marked."""

import re

import pytest

from waylog.rules import lines_and_veils
from waylog.rules.common.random_tables import RandomTable, TableEntry
from waylog.rules.lines_and_veils import LinesAndVeils, mentions_in_campaign, mentions_in_table
from waylog.rules.model.clocks_situations_and_timers import Clock
from waylog.rules.model.decks import Card, Deck

LIMITS = LinesAndVeils(lines=("Spiders", "harm to children"), veils=("torture", "…"))


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("A spider the size of a hand", ("line: Spiders",)),
        ("SPIDERWEBS fill the duct", ("line: Spiders",)),
        ("The inspider", ()),
        ("Harm comes to children", ()),
        ("harm to\nChildren's homes", ("line: harm to children",)),
        ("They torture him with spiders", ("line: Spiders", "veil: torture")),
        ("…", ()),
        ("", ()),
    ],
)
def test_a_text_is_marked_for_every_line_and_veil_in_it(text: str, phrases: tuple[str, ...]) -> None:
    """In upper or lower case, in the singular, and as the beginning of a longer word; a sign alone is nothing."""
    assert LIMITS.find_mentions(text) == phrases


def test_texts_are_searched_one_by_one() -> None:
    """A phrase is not found across two of them."""
    assert LIMITS.find_mentions("harm to", "children") == ()


def test_each_place_in_a_table_has_its_path() -> None:
    """As the file is written: a list of entries, or sections of entries."""
    entries = (TableEntry("Dust"), TableEntry("A spider"))
    assert [*mentions_in_table(RandomTable("Holds", entries=entries), LIMITS)] == [(("entries", "1"), "line: Spiders")]
    table = RandomTable("Holds", sections={"Low": (), "High": entries})
    assert [*mentions_in_table(table, LIMITS)] == [(("sections", "High", "1"), "line: Spiders")]


def test_clocks_and_cards_have_theirs() -> None:
    """A clock's name, ending and notes count."""
    clocks = {"a": Clock("The nest", notes="spiders"), "b": Clock("Dust"), "c": Clock("X", outcome="Torture")}
    decks = {"hold": Deck("Hold", cards={"rats": Card("Rats"), "web": Card("A spider")})}
    found = [*mentions_in_campaign(clocks, decks, LIMITS)]
    assert found == [
        (("clocks", "a"), "line: Spiders"),
        (("clocks", "c"), "veil: torture"),
        (("decks", "hold", "cards", "web"), "line: Spiders"),
    ]


def test_a_long_text_is_searched_for_the_words_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred lines cost no more than one: of those whose first word isn't in the text, nothing is looked for."""
    searched = list[tuple[str, ...]]()
    make = lines_and_veils._pattern

    def pattern(words: tuple[str, ...]) -> re.Pattern[str]:
        searched.append(words)
        return make(words)

    monkeypatch.setattr(lines_and_veils, "_pattern", pattern)
    limits = LinesAndVeils(lines=(*(f"word{number}" for number in range(199)), "ÉCLAIRS"))
    assert limits.find_mentions("lorem ipsum " * 1000 + "éclair") == ("line: ÉCLAIRS",)
    assert searched == [("ÉCLAIR",)]
