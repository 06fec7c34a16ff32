"""How decks come into a campaign file: a line for each card, beside what a person wrote, and out again to the byte."""

from pathlib import Path

import pytest

from tests.kit.table import CAMPAIGN, but_the_mark, table_at, text_of, written

pytestmark = pytest.mark.usefixtures("only_small_game")


def after(folder: Path, decks: str, *acts: str) -> str:
    """What stands behind the clocks once the acts are done; undone one by one, the file is as it was to the byte."""
    start = CAMPAIGN + decks
    table = table_at(written(folder, start))
    for words in acts:
        table.play(table.understand(words))
        assert table.settle(), table.snapshot.unsaved
    text = text_of(folder)
    assert table_at(folder)._state == table._state
    while table.snapshot.undo:
        table.undo()
        assert table.settle()
    assert but_the_mark(text_of(folder)) == but_the_mark(start)
    return text.partition("filled = 0\n")[2]


NEW = """
[decks.the-hold]
name = "The hold"
together = true
drawn = ["rats"]

[decks.the-hold.cards]
rats = { text = "Rats", luck = "bad" }
a-friend = { text = "A friend", luck = "good", by = "players" }
"""


@pytest.mark.clause("NM-10")
def test_a_deck_and_its_cards_read_well(tmp_path: Path) -> None:
    """A block for the deck, one for its cards, and in that one line a card; other things come behind both."""
    cards = ['card the-hold bad "Rats"', 'card the-hold good theirs "A friend"']
    text = after(tmp_path / "a", "", 'deck "The hold" together', "session begin", *cards, "aside the-hold rats")
    assert text == NEW.replace("drawn", "aside") + '\n[sessions.1]\nbegan = "2026-01-05 20:01"\n'
    last = after(tmp_path / "b", "", "session begin", 'deck "The hold"', cards[0], "draw the-hold")
    assert last.endswith('drawn = ["rats"]\n\n[decks.the-hold.cards]\nrats = { text = "Rats", luck = "bad" }\n')


def test_a_copy_is_laid_out_like_a_new_deck(tmp_path: Path) -> None:
    """However the first one is written."""
    text = after(tmp_path / "a", NEW, 'deck copy the-hold "The other hold"')
    copy = NEW.replace("the-hold", "the-other-hold").replace("The hold", "The other hold")
    assert text == NEW + copy.replace('drawn = ["rats"]\n', "")


@pytest.mark.parametrize(
    ("before", "line"),
    [
        # Lines of one's own, aligned and with comments.
        (
            '\n[decks.hold]\nname = "Hold"\n\n[decks.hold.cards]  # two\n  fox  = { text = "Fox" }   # old\n  owl  = { text = "Owl" }\n\n# End\n',
            '  rats = { text = "Rats", luck = "bad" }\n',
        ),
        # A block for each card.
        (
            '\n[decks.hold]\nname = "Hold"\n\n[decks.hold.cards.fox]\ntext = "Fox"\n\n[decks.hunt]\nname = "Hunt"\n',
            '\n[decks.hold.cards.rats]\ntext = "Rats"\nluck = "bad"\n',
        ),
        # All on one line.
        (
            '\n[decks]\nhold = { name = "Hold", cards = { fox = { text = "Fox" } } } # all\n',
            ', rats = { text = "Rats", luck = "bad" }',
        ),
        # Dotted.
        ('\n[decks]\nhold.name = "Hold"\n', 'hold.cards.rats = { text = "Rats", luck = "bad" }\n'),
        # No cards yet.
        ('\n[decks.hold]\nname = "Hold"   # nothing yet\n\n# End\n', 'cards.rats = { text = "Rats", luck = "bad" }\n'),
        ('\n[decks.hold]\nname = "Hold"\n[decks.hold.cards]\n# none\n', 'rats = { text = "Rats", luck = "bad" }\n'),
        ('\n[decks.hold]\nname = "Hold"\ncards = {}\n', 'rats = { text = "Rats", luck = "bad" }'),
        ('\n[decks.hold]\nname = "Hold"\ncards.fox.text = "Fox"\n', 'cards.rats = { text = "Rats", luck = "bad" }\n'),
    ],
)
def test_a_card_comes_in_as_its_deck_is_written(tmp_path: Path, before: str, line: str) -> None:
    """The way a person writes cards is kept, with every byte that was there."""
    text = after(tmp_path / "a", before, 'card hold bad "Rats"')
    assert line in text
    assert text.replace(line, "", 1) == before


@pytest.mark.parametrize("way", ["[decks.hold]\nname = 'Hold'\n", "[decks]\nhold = { name = 'Hold' }\n"])
def test_what_is_done_with_cards_stays_in_the_decks_own_lines(tmp_path: Path, way: str) -> None:
    """Drawn, put back, put aside, shown, drawn by twos: no card's line is touched, and undo is exact after each."""
    cards = [f'card hold bad "Card {number}"' for number in range(1, 4)]
    acts = [
        "draw hold",
        "return",
        "draw hold",
        "aside hold card-2",
        "show deck hold card-1",
        "shuffle hold",
        "hide deck hold",
    ]
    text = after(tmp_path / "a", "\n" + way, *cards, *acts)
    assert text.count('text = "Card') == 3
    assert 'aside = ["card-2"]' in text


@pytest.mark.clause("NM-13", "NM-16")
@pytest.mark.parametrize(
    "effect", ["damage boat", 'clock "The hunters" 4 death', "tick storm 2", "table door", "draw hold"]
)
@pytest.mark.parametrize("draw", [1, 2])
def test_a_draw_and_all_that_comes_of_it_is_one_undo(tmp_path: Path, effect: str, draw: int) -> None:
    """The card, the one that was kept, what it does: one act, and one undo gives back the file to the byte."""
    cards = "".join(f"{key} = {{ text = \"{key}\", effect = '{effect}' }}\n" for key in ("fox", "owl", "wolf"))
    start = f'{CAMPAIGN}\n[decks.hold]\nname = "Hold"\ndraw = {draw}\n\n[decks.hold.cards]\n{cards}'
    folder = written(tmp_path / "swallow", start)
    (folder / "tables").mkdir()
    (folder / "tables" / "door.toml").write_text('entries = ["d6 rats"]')
    table = table_at(folder)
    first = table.play(table.understand("draw hold"))
    for words in (["keep fox"] if draw == 2 else []) + ["effect fox"]:
        assert table.play(table.understand(words)).root == first.number
    assert table.settle()
    assert len(table.snapshot.undo) == draw + 1
    table.undo()
    assert table.settle()
    assert but_the_mark(text_of(folder)) == but_the_mark(start)
    assert (table.snapshot.undo, table.snapshot.question) == ((), None)
