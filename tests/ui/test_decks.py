"""Decks on their screen, and from anywhere: drawn, kept, put aside, shown to players, built."""

from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN, SIZES, looked, playing, seen, typed
from tests.kit.tables_and_decks import DECKS, key_of, screen_of, searching, station_of, to_deck
from tests.kit.thorough import cases
from waylog.rules.model.decks import DeckVisibility
from waylog.rules.model.facts import NoteFact


async def test_what_begins_several_decks_leaves_them_in_the_list(tmp_path: Path) -> None:
    """Beside tables too: the list has both, and says which words go on. A deck that has a table's word is found by its letter and by its
    name.
    """
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "station.toml").write_text('name = "Noises"\nentries = ["A hiss", "A groan"]')
    more = '[decks.stern]\nname = "Search the stern"\n[decks.stern.cards]\nrope = {text = "A rope", luck = "good"}\n'
    async with playing(tmp_path, *[1] * 5, text=CAMPAIGN + DECKS + more) as (pilot, table):
        await pilot.press("T", *"sear")
        assert "Draw from “Search the station” (3 left)" in seen(pilot)
        assert "Draw from “Search the stern” (1 left)" in seen(pilot)
        await pilot.press("ctrl+u", "s", "enter")
        assert table.entry(1).words == "draw station"
        await pilot.press("escape", "T", *"station", "enter")
        assert table.entry(2).words == "table station"
        await pilot.press("escape", "T", "down", "down", "enter", "enter")
        assert table.entry(3).words == "draw station"


async def test_a_real_card_is_named_where_it_is_drawn(tmp_path: Path) -> None:
    """The form lists the cards of the pile; the one that was drawn at the table is ticked or typed."""
    async with playing(tmp_path, text=CAMPAIGN + DECKS) as (pilot, table):
        await pilot.press("T", "down", "enter")
        assert "Real card" in seen(pilot)
        assert "[ ] A lamp" in seen(pilot)
        await pilot.press(*"lamp", "enter")
        assert table.snapshot.decks["station"].drawn == ("lamp",)


async def test_v_means_what_came_up_last_and_a_card_drawn_before_stays_in_its_list(tmp_path: Path) -> None:
    """In every view: the question names the result, and the card that was drawn before it can still be shown."""
    async with searching(tmp_path, 1, 6, 1, 5) as (pilot, table):
        await to_deck(pilot)
        await pilot.press("enter", "enter")
        assert key_of(pilot, "show card") == "v"
        await pilot.press("home", "down", "enter", "enter")
        assert all(key != "v" for key, _ in screen_of(pilot).window.tray.choices)
        result = next(fact.quote for fact in table.snapshot.act[-1].facts if isinstance(fact, NoteFact) and fact.quote)
        await pilot.press("v")
        assert f"Show “{result}” to the players?" in " ".join(seen(pilot).split())
        await pilot.press("escape", "1", "v")
        assert f"▸ r {result}" in seen(pilot)
        assert "c Show the card to the players" in seen(pilot)
        await pilot.press("c", "enter")
        assert table.snapshot.act[-1].words == "show card"


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_a_drawn_card_is_framed_with_sign_and_word(tmp_path: Path, size: tuple[int, int]) -> None:
    """Bad news says so; what the players don't see is marked; the card is out (NM-11, NM-12)."""
    async with searching(tmp_path, 1, size=size) as (pilot, table):
        await to_deck(pilot)
        await pilot.press("enter", "enter")
        assert station_of(table).drawn == ("airlock",)
        lines = seen(pilot).splitlines()
        top = next(index for index, line in enumerate(lines) if "╭─ ✗ bad · Search the" in line)
        assert "An airlock" in lines[top + 1]
        assert "⊘" in lines[top - 1]


async def test_a_draw_shows_its_odds_first_and_takes_a_real_die(tmp_path: Path) -> None:
    """In the deck's own picture, and in the line; the die says which card of the pile."""
    async with searching(tmp_path) as (pilot, table):
        await to_deck(pilot)
        assert "✗ Bad 33.3 %" in seen(pilot)
        await pilot.press("enter")
        assert seen(pilot).count("✗ Bad 33.3 %") == 2
        await pilot.press("2", "enter")
        assert station_of(table).drawn == ("lamp",)


async def test_a_cards_effect_and_its_way_back_are_one_key_each(tmp_path: Path) -> None:
    """After the draw: the effect, and returning the card, are follow-ups of it (NM-12, NM-16). Which card goes back is asked, and undo
    says what goes with the draw.
    """
    async with searching(tmp_path, 1) as (pilot, table):
        await to_deck(pilot)
        await pilot.press("enter", "enter")
        await pilot.press(key_of(pilot, "effect airlock"))
        await pilot.press(key_of(pilot, "return"))
        assert "? Return “An airlock” (bad) to the deck? Enter confirms, Esc cancels" in seen(pilot)
        assert station_of(table).drawn == ("airlock",)
        await pilot.press("enter")
        assert station_of(table).drawn == ()
        assert [table.entry(number).root for number in (1, 2, 3)] == [1, 1, 1]
        await pilot.press("u")
        asked = " ".join(seen(pilot).split())
        assert "An airlock (bad)” with its 2 follow-ups, “" in asked
        assert "” and “‘An airlock’ (bad) returned to the deck”? Enter confirms" in asked
        assert "Enter confirms, l undoes only “‘An airlock’ (bad)" in asked


async def test_a_card_that_goes_back_takes_its_effect_along(tmp_path: Path) -> None:
    """It is offered no longer, as for a card that is returned by a slip of the hand."""
    async with searching(tmp_path, 1) as (pilot, table):
        await to_deck(pilot)
        await pilot.press("enter", "enter")
        await pilot.press(key_of(pilot, "return"), "enter")
        assert station_of(table).drawn == ()
        assert not [move for move in table.snapshot.moves if move.verb == "effect"]


async def test_of_two_cards_one_is_kept_by_one_key(tmp_path: Path) -> None:
    """Both are framed side by side, the question waits, and the other card stays in the pile (NM-13)."""
    async with searching(tmp_path, 1) as (pilot, table):
        await to_deck(pilot, 2)
        assert "Draw two and keep one" in seen(pilot)
        await pilot.press("enter", "enter")
        assert any("It hears you" in line and "A way round" in line for line in seen(pilot).splitlines())
        await pilot.press(key_of(pilot, "keep way"))
        assert table.snapshot.decks["hunt"].drawn == ("way",)
        assert table.snapshot.question is None


async def test_cards_are_put_aside_and_back_where_they_lie(tmp_path: Path) -> None:
    """With the cursor on a card `a` and `b` mean that card; `S` shuffles all that was drawn."""
    async with searching(tmp_path, 1) as (pilot, table):
        await to_deck(pilot)
        await pilot.press("right", "down", "a")
        assert station_of(table).aside == ("lamp",)
        assert "Set aside  1" in seen(pilot)
        await pilot.press("end", "b")
        assert station_of(table).aside == ()
        await pilot.press("left", "enter", "enter", "S")
        assert station_of(table).drawn == ()
        await pilot.press("S")
        assert "No cards have been drawn from “Search the station”" in seen(pilot)


async def test_cards_and_the_deck_are_shown_to_the_players_and_hidden(tmp_path: Path) -> None:
    """`v` on a card shows that one, in the list all; `V` hides them; a sign and words say how it stands (NM-14)."""
    async with searching(tmp_path) as (pilot, table):
        await to_deck(pilot)
        assert "⊘ hidden from players" in seen(pilot)
        await pilot.press("right", "down", "v")
        assert "Show “A lamp” from “Search the station” to the players?" in " ".join(seen(pilot).split())
        assert station_of(table).shown == ()
        await pilot.press("enter")
        assert station_of(table).shown == ("lamp",)
        assert "◉ known" in seen(pilot)
        await pilot.press("left", "v")
        assert "Show the players all 3 cards in “Search the station”" in " ".join(seen(pilot).split())
        assert station_of(table).known is DeckVisibility.PARTLY
        await pilot.press("y")
        assert station_of(table).known is DeckVisibility.KNOWN
        assert "◉ players see every card" in seen(pilot)
        await pilot.press("V")
        assert "from players? Enter confirms, Esc cancels" in seen(pilot)
        await pilot.press("enter")
        assert station_of(table).known is DeckVisibility.SECRET


async def test_a_deck_is_built_in_lines(tmp_path: Path) -> None:
    """`d` starts one, `+` adds a card, `C` copies; what is owed to a deck built together shows (NM-10, NM-15)."""
    async with searching(tmp_path) as (pilot, table):
        await to_deck(pilot, 3)
        assert "Built together: add " in seen(pilot)
        await pilot.press("enter")
        assert "Built together: add" in seen(pilot)
        await pilot.press("D")
        await typed(pilot, "Night watch")
        await pilot.press("enter", "end", "up", "up", "up")
        await pilot.press("end", "plus")
        await typed(pilot, "bad Footsteps above")
        await pilot.press("enter")
        assert [card.text for card in table.snapshot.decks["night-watch"].cards.values()] == ["Footsteps above"]
        await pilot.press("X")
        await typed(pilot, "Dog watch")
        await pilot.press("enter")
        assert "footsteps-above" in table.snapshot.decks["dog-watch"].cards


async def test_a_new_deck_has_the_cursor(tmp_path: Path) -> None:
    """So the next key adds its first card."""
    async with searching(tmp_path) as (pilot, table):
        await pilot.press("home", "D")
        await typed(pilot, "Night watch")
        await pilot.press("enter", "plus")
        await typed(pilot, "bad Footsteps above")
        await pilot.press("enter")
        assert len(table.snapshot.decks["night-watch"].cards) == 1


async def test_enter_on_a_card_lists_what_can_be_done_with_its_deck(tmp_path: Path) -> None:
    """Every move about the deck is there to choose from."""
    async with searching(tmp_path) as (pilot, _):
        await to_deck(pilot)
        await pilot.press("right", "enter")
        assert "Draw from “Search the station”" in seen(pilot)
        assert "Set aside a card from “Search the station”" in seen(pilot)


async def test_the_cursor_stays_on_its_card_as_the_deck_changes(tmp_path: Path) -> None:
    """What another window draws moves nothing from under the cursor."""
    async with searching(tmp_path, 1) as (pilot, table):
        await to_deck(pilot)
        await pilot.press("right", "end")
        table.play(table.understand("draw station"))
        looked(pilot)
        await pilot.press("a")
        assert station_of(table).aside == ("diary",)


async def test_a_card_without_its_kind_has_the_kinds_marked(tmp_path: Path) -> None:
    """Enter leads to what is missing, also where the line began with words; Space takes it."""
    async with playing(tmp_path, size=(100, 30)) as (pilot, table):
        await pilot.press("5", "D")
        await typed(pilot, "Omens")
        await pilot.press("enter", "+")
        await typed(pilot, "The flood")
        await pilot.press("enter")
        assert "▸ [ ] Good" in seen(pilot)
        await pilot.press("space", "enter")
        assert [card.text for card in table.snapshot.decks["omens"].cards.values()] == ["The flood"]
