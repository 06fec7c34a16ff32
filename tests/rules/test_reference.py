"""The rules as they are looked up: each clause can be opened by its id, found by its words, and leads to others."""

from dataclasses import fields

import pytest

from tests.rules.outline import games
from waylog.rules.common.clauses import CLAUSES
from waylog.rules.game import Game
from waylog.rules.model.rules_reference import Reference
from waylog.rules.systems import system


def reference(game: str) -> Reference:
    """What a fresh campaign of the game looks up."""
    rules = Game(system(game))
    return rules.reference(rules.fresh("Trial"))


@pytest.mark.parametrize("name", games())
def test_each_clause_has_a_title_a_text_and_related_clauses(name: str) -> None:
    """Titles tell the clauses of a game apart, and no title or text has a code in it."""
    book = reference(name)
    shown = [clause for id_, clause in book.clauses.items() if book.replacement_of(id_) is None]
    titles = [clause.title for clause in shown]
    assert len(set(titles)) == len(titles)
    for id_, clause in book.clauses.items():
        assert clause.title, id_
        assert clause.chapter, id_
        assert book.see_also(id_), id_
        assert not any(other in f"{clause.title} {clause.text}" for other in book.clauses), id_


@pytest.mark.parametrize("name", games())
def test_each_topic_is_a_clause_of_the_game(name: str) -> None:
    """Every house rule says under which clause it is shown, and no topic leads nowhere."""
    rules = Game(system(name))
    book = reference(name)
    assert {id_ for ids in book.topics.values() for id_ in ids} <= set(book.clauses)
    for house_rule in fields(rules.system.rules):
        (id_, *_) = book.topics[f"house_rules.{house_rule.name}"]
        assert house_rule.name in [shown.name for shown in book.house_rules_of(id_)]


def test_an_exact_id_comes_first_then_titles_then_texts() -> None:
    """Words are looked for in ids, titles, texts and house rules, in capitals or not."""
    book = reference("veil-core")
    assert book.search("vk-15")[0] == "VK-15"
    found = book.search("focus")
    assert found[:2] == ("VK-04", "VK-15")
    assert book.search("shunt_focus") == ("VK-33",)
    assert book.search("destroyed module slot")[0] in ("VK-02", "VK-31")
    assert book.search("") == book.search("zyx") == ()
    assert book.find(" vk-16 ") == "VK-16"
    assert book.find("VK-99") is None


def test_an_edition_says_which_clause_holds_in_place_of_another() -> None:
    """The 2026 edition rolls two dice for none, so the CORE clause is replaced there and related clauses lead to the new one."""
    book = reference("veil-2026")
    assert book.replacement_of("VK-19") == "VN-02"
    assert book.replacement_of("VK-15") is None
    assert "VN-03" in book.see_also("VK-15")
    assert "VK-16" not in book.see_also("VK-15")


def test_a_row_has_the_clauses_of_what_it_is_a_part_of() -> None:
    """A row or a move that has no topic of its own is explained by what it belongs to."""
    book = reference("veil-core")
    assert book.about("ship.tokens.integrity")[0] == "VK-30"
    assert book.about("crew.mara.primary")[0] == "VK-12"
    assert book.about("crew.mara.primary.name") == book.about("crew.mara.primary")
    assert book.about("ship.modules.2")[0] == "VK-02"
    assert book.about("roll nav")[0] == "VK-14"
    assert book.about("clocks.fog.filled")[0] == "NM-20"
    assert book.about("weather") == ()


def test_every_common_clause_is_in_every_game() -> None:
    """Clocks, decks and sessions are looked up wherever they are played."""
    for name in games():
        assert set(CLAUSES) < set(reference(name).clauses)
