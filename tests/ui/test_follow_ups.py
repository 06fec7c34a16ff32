"""What may follow an act, in the tray: how it is seen, and the one key of each."""

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, SIZES, looked, playing, seen, typed
from tests.kit.tables_and_decks import key_of, searching, to_deck
from tests.kit.thorough import cases
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.rules.model.moves import Move
from waylog.ui.main_screen import MainScreen
from waylog.ui.parts.letter_assignment import assign_keys
from waylog.values import replace


def _choices(pilot: Pilot[None]) -> tuple[tuple[str, Move], ...]:
    """What the tray offers, with its keys."""
    screen = pilot.app.screen
    assert isinstance(screen, MainScreen)
    return screen.window.tray.choices


async def test_what_enter_would_take_has_a_sign(tmp_path: Path) -> None:
    """While something is asked, `▸` stands before the marked answer, with colours or without, and goes with the arrows."""
    async with searching(tmp_path, 1) as (pilot, _):
        await to_deck(pilot, 2)
        await pilot.press("enter", "enter")
        assert "▸k  It hears you" in seen(pilot)
        await pilot.press("right")
        assert "▸a  A way round" in seen(pilot)
        assert "▸k" not in seen(pilot)


async def test_a_key_pressed_twice_does_not_do_another_thing(tmp_path: Path) -> None:
    """What was done by its key leaves it to nothing else of the act; what is still on offer has the key that it had."""
    async with searching(tmp_path, 4, 1) as (pilot, table):
        await pilot.press("T", "d", "enter")
        await to_deck(pilot)
        await pilot.press("enter", "enter")
        assert [key_of(pilot, move) for move in ("effect airlock", "effect door", "return")] == ["E", "E", "b"]
        await pilot.press("E", "E")
        assert table.snapshot.entries == 2
        await pilot.press("backspace", "enter")
        assert [table.entry(number).words for number in (1, 2, 3)] == ["table door", "draw station", "effect airlock"]
        assert table.snapshot.entries == 3
        assert [key_of(pilot, move) for move in ("effect door", "return")] == ["E", "b"]
        await pilot.press("E", "enter")
        assert table.snapshot.entries == 4


async def test_the_first_dice_of_an_offer_may_be_real_ones(tmp_path: Path) -> None:
    """A tick throws no dice, so nothing says yet where those of its effect come from: they are asked for, as for any damage."""
    clock = '\n[clocks.leak]\nname = "Leak"\nkind = "push"\nsegments = 4\nfilled = 3\nwhen_full = "damage ship"\n\n[ship.tokens]\nintegrity = false\n'
    async with playing(tmp_path, 4, text=CAMPAIGN + clock) as (
        pilot,
        table,
    ):
        await pilot.press("t", "l")
        await pilot.press("E")
        assert table.snapshot.entries == 1
        await pilot.press("3", "enter")
        assert table.snapshot.entries == 2
        assert table.entry(2).faces == (3,)


def test_a_question_leaves_the_rule_and_notes_their_keys() -> None:
    """They work while something is asked, as why does. Rolling and editing don't: an answer may have one of their keys as its own."""
    moves = [Move("relate", (word,), word, follows=True) for word in ("ilka", "nia", "wick", "una", "ruth", "edda")]
    own, other = (Move("defend", (who,), "", follows=True, key="i") for who in ("ines", "edda"))
    for some in (moves, moves[:1], [own]):
        assert not set("iwnNure") & {key for key, _ in assign_keys(some, asked=True)}
    assert [key for key, _ in assign_keys([replace(own, key="r"), replace(other, key="e")], asked=True)] == ["r", "e"]


async def test_each_kind_of_offer_has_one_letter(tmp_path: Path) -> None:
    """Filling a clock is always `o` and a shunt always `S`, whichever of them there is."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\n'
    async with playing(tmp_path, 6, 6, text=CAMPAIGN + clock) as (pilot, table):
        await pilot.press("r", "n", "enter")
        assert {key: move.verb for key, move in _choices(pilot)} == {"o": "on", "S": "shunt"}
        await pilot.press("o")
        assert table.snapshot.clocks["fog"].filled == 2
        assert {key: move.verb for key, move in _choices(pilot)} == {"S": "shunt"}
        await pilot.press("o")
        assert table.snapshot.entries == 2


async def test_an_offer_that_cannot_be_taken_is_the_last(tmp_path: Path) -> None:
    """The effect of a drawn card on a clock that is full comes after the way to show the card: the tray may have no room for both."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\nfilled = 4\n'
    deck = '\n[decks.d]\nname = "Fates"\n\n[decks.d.cards]\na = { text = "Fog", effect = "tick fog" }\n'
    async with playing(tmp_path, 1, text=CAMPAIGN + clock + deck) as (pilot, table):
        table.play(table.understand("draw d"))
        looked(pilot)
        await pilot.pause()
        verbs = [move.verb for _, move in _choices(pilot)]
        assert "effect" in verbs[1:]
        assert verbs[-1] == "effect"


@pytest.mark.parametrize("size", [(100, 30), (60, 18)])
async def test_an_offer_that_was_not_taken_stays(tmp_path: Path, size: tuple[int, int]) -> None:
    """Whatever is done next, it has its key, and the bar counts it. What is offered now goes first; of several, the key opens a list."""
    clock = '\n[clocks.{0}]\nname = "{0}"\nkind = "{1}"\nsegments = 4\n'
    clocks = "".join(clock.format(*one) for one in (("fog", "push"), ("dusk", "push"), ("leak", "catastrophe")))
    async with playing(tmp_path, 6, 6, 1, 1, text=CAMPAIGN + clocks, size=size) as (pilot, table):
        await pilot.press("r", "n", "enter")
        table.play(table.understand("lose engineering"))
        looked(pilot)
        await pilot.pause()
        assert "o  Fill clock: 2 offers left" in seen(pilot)
        assert "  2 offers" in seen(pilot) or size[0] < 100
        await pilot.press("r", "n", "enter")
        assert "o  Fill 2 segments of “leak”" in seen(pilot)
        assert "o  Fill clock: 2 offers left" in seen(pilot)
        await pilot.press("o")
        assert "Which one?" in seen(pilot)
        assert "▸ l Fill 2 segments of “leak”" in seen(pilot)
        await pilot.press("enter")
        assert table.entry(table.snapshot.entries).words == "on leak"
        await pilot.press("o")
        assert "f Fill 2 segments of “fog”" in seen(pilot)
        await pilot.press("f")
        assert table.entry(table.snapshot.entries).words == "on fog"
        assert "o  Fill 2 segments of “dusk” (offered earlier)" in seen(pilot)


async def test_a_refusal_leaves_what_is_offered_in_sight(tmp_path: Path) -> None:
    """Its keys still work, and so they are named, right after the act and later."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\n'
    async with playing(tmp_path, 6, 6, text=CAMPAIGN + clock) as (pilot, table):
        await pilot.press("r", "n", "enter", "down")
        for _ in range(2):
            await pilot.press("full_stop")
            assert "death or augury clock is running" in seen(pilot)
            assert "o  Fill 2 segments of “Fog”" in seen(pilot)
        await pilot.press("o")
        assert table.snapshot.clocks["fog"].filled == 2


async def test_offers_end_with_their_scene_and_their_session(tmp_path: Path) -> None:
    """What a roll has brought is not offered in the next scene, nor in another session; undo brings it back."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\n'
    for line in ("scene Later", "session begin"):
        async with playing(tmp_path / line[:5], 6, 6, text=CAMPAIGN + clock) as (pilot, table):
            await pilot.press("r", "n", "enter")
            table.play(table.understand(line))
            assert not [move for move in table.snapshot.moves if move.follows]
            table.undo()
            assert [move.verb for move in table.snapshot.moves if move.follows] == ["shunt", "on"]


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_dice_and_outcome_stay_while_another_die_is_asked_for(tmp_path: Path, size: tuple[int, int]) -> None:
    """A Desperate Fiasco wants a damage die: the dice that were typed and the Fiasco are still there."""
    async with playing(tmp_path, size=size) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "mara desperate 112")
        await pilot.press("enter")
        assert table.snapshot.question
        assert "Fiasco" in seen(pilot)
        assert "damage" in seen(pilot)
        assert "2 Mara" in seen(pilot) or "[1] [1] [2]" in seen(pilot)


async def test_half_typed_dice_stay(tmp_path: Path) -> None:
    """Of a roll that wants more dice, those that were typed are drawn, each with what it is for."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "nav afterburners 11")
        await pilot.press("enter")
        assert [fact.dice for fact in table.snapshot.settled_facts if isinstance(fact, RollFact)] == [
            (Face("NAV", 1), Face("NAV", 1))
        ]
        assert "1 NAV" in seen(pilot)
        table.play(table.understand("dice 2"))
        assert table.snapshot.settled_facts == ()


async def test_an_entry_that_wants_dice_can_be_read(tmp_path: Path) -> None:
    """While a die that stands in an entry of a table is asked for, the entry is there to be read."""
    entries = "[" + ", ".join(f'"{number}: 2d6 rats behind the door"' for number in range(1, 7)) + "]"
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "door.toml").write_text(f'name = "Door"\nentries = {entries}\n')
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        await pilot.press("T")
        await typed(pilot, "door 4")
        await pilot.press("enter")
        assert "4: 2d6 rats behind the door" in seen(pilot)
        table.play(table.understand("dice 35"))
        fact = table.entry(2).facts[-1]
        assert isinstance(fact, NoteFact)
        assert (fact.text, fact.clause, fact.secret) == ("“Door”, 4: 4: 8 (2d6) rats behind the door", "NM-05", True)
        assert (fact.about, fact.quote) == (("tables.door.4",), "4: 8 (2d6) rats behind the door")


async def test_the_line_says_what_enter_would_refuse(tmp_path: Path) -> None:
    """What only the act itself finds out stands in the line before Enter: here a value that no sheet may have."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("colon")
        await typed(pilot, "set ship.focus 9")
        assert "from 0 to 6" in seen(pilot)
        await pilot.press("enter")
        assert table.snapshot.entries == 0


@pytest.mark.clause("VK-52")
async def test_after_a_mission_everyones_choice_is_offered(tmp_path: Path) -> None:
    """`L` lists who may choose what; each choice is an act of its own, and the offers end with the last of them."""
    text = CAMPAIGN + '\n[mission]\nname = "The long fall"\n'
    async with playing(tmp_path, 4, text=text) as (pilot, table):
        table.play(table.understand("mission over success"))
        looked(pilot)
        await pilot.pause()
        assert "L  Level up" in seen(pilot)
        await pilot.press("L")
        assert all(
            f"{name}: {what}" in seen(pilot) for name in ("Lars", "Mara") for what in ("Upgrade", "Mission prep")
        )
        await typed(pilot, "mara: mission")
        await pilot.press("enter")
        await typed(pilot, "care")
        await pilot.press("enter")
        assert table.entry(2).words == "prep mara care"

        def left_to_choose() -> list[str]:
            return [move.id for move in table.snapshot.moves if move.follows and move.verb in ("advance", "prep")]

        assert left_to_choose() == ["advance lars", "prep lars"]
        table.play(table.understand("prep lars dread"))
        assert not left_to_choose()
        table.undo()
        assert left_to_choose() == ["advance lars", "prep lars"]
        table.play(table.understand("roll nav"))
        assert not [move for move in table.snapshot.moves if move.follows and move.verb == "prep"]


async def test_undo_of_showing_a_drawn_card_leaves_the_draw(tmp_path: Path) -> None:
    """Showing it is an act of its own: one `u` hides the card again, the next returns it. The question names which."""
    deck = '\n[decks.d]\nname = "Fates"\n\n[decks.d.cards]\na = { text = "Fog", effect = "damage ship" }\n'
    async with playing(tmp_path, 1, text=CAMPAIGN + deck) as (pilot, table):
        table.play(table.understand("draw d"))
        looked(pilot)
        await pilot.pause()
        await pilot.press("v", "enter")
        shown, verbs = table.snapshot.decks["d"].shown, {move.verb for _, move in _choices(pilot)}
        assert {"effect", "return"} <= verbs, "what the draw offers is still offered"
        await pilot.press("u")
        assert "Undo “‘Fog’ (neutral) shown to the players”? Enter confirms" in " ".join(seen(pilot).split())
        await pilot.press("u")
        assert table.snapshot.decks["d"].shown != shown
        assert table.snapshot.decks["d"].drawn
        assert "effect" in {move.verb for _, move in _choices(pilot)}
        await pilot.press("u", "u")
        assert not table.snapshot.decks["d"].drawn


async def test_a_row_says_whether_a_form_opens_first(tmp_path: Path) -> None:
    """Among answers and in the actions of a row alike: such a row ends in “…”, and one that acts at once doesn't."""
    async with playing(tmp_path, 3, 5) as (pilot, _):
        await pilot.press("r", "n", "enter")
        assert re.search("f  Raise dice[^\n]*…", seen(pilot))
        assert re.search("k  Keep [^…]*$", seen(pilot), re.MULTILINE)
        await pilot.press("k", "a")
        rows = [line.rstrip() for line in seen(pilot).splitlines()]
        assert any("Award Focus to Tenacity…" in row for row in rows)
        assert any("Edit this row…" in row for row in rows)
        assert any(re.search("Show the rule for this row($| )", row) for row in rows)


async def test_an_act_that_ends_an_offer_says_so(tmp_path: Path) -> None:
    """A scene, or a tick of the same clock by hand; not who takes the offer, undoes the roll, or rolls again, after which it stays."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 8\n'
    async with playing(tmp_path, *[6] * 12, text=CAMPAIGN + clock, size=(100, 30)) as (pilot, _):
        for keys, ended in (
            ("o", ""),
            ("rn\r", ""),
            ("uu", ""),
            ("m", "No longer offered: Fill 2 segments of “Fog”"),
            ("t2f", "No longer offered: Fill 2 segments of “Fog”"),
        ):
            await pilot.press("r", "n", "enter")
            assert "o  Fill 2 segments of “Fog”" in seen(pilot)
            await pilot.press(*("enter" if key == "\r" else key for key in keys))
            if keys == "m":
                await typed(pilot, "On the dock")
                await pilot.press("enter")
            assert ("No longer offered" in seen(pilot)) is bool(ended), keys
            assert ended in seen(pilot), keys
