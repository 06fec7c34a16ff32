"""The keys of a row, and the lists of letters that work from every view."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, looked, playing, seen, typed
from tests.kit.table import play, table_at, written
from tests.ui.test_key_counts import SHIP
from tests.ui.test_palette import INK
from tests.ui.test_prompt import EMISSARY
from waylog.rules.model.act_lists_and_row_verbs import (
    ANYTIME,
    COMMON,
    ActList,
    Subject,
    list_acts,
    subject_of,
    subjects,
)
from waylog.rules.model.moves import Move, Number, Refusal
from waylog.rules.model.panels import MarkRow
from waylog.rules.systems import names, system
from waylog.table import Table
from waylog.ui.line.choice_list import ActPicker, render_picker
from waylog.ui.line.choices import AppCommand, PromptRequest
from waylog.ui.main_screen import MainScreen
from waylog.ui.row_keys import hint_words, list_moves
from waylog.ui.views.bridge_ship_and_crew import SheetView
from waylog.values import replace
from waylog.words.sentences import names_of


async def to_row(pilot: Pilot[None], tab: str, key: str) -> None:
    """Put the cursor of a view on a row."""
    await pilot.press(tab)
    screen = pilot.app.screen
    assert isinstance(screen, MainScreen)
    view = screen.window.views[screen.window.tab]
    assert isinstance(view, SheetView)
    view.move_to([row.key for panel in view._panels for row in panel.rows].index(key))


def last(table: Table) -> str:
    """The latest entry of the log."""
    return table.entry(table.snapshot.entries).words if table.snapshot.entries else ""


@pytest.mark.parametrize(
    ("tab", "row", "keys", "logged"),
    [
        ("1", "ship.modules.3", ("enter", "enter"), "use sealfoam"),
        ("1", "ship.focus", ("enter", "enter", "enter"), "award focus ship"),
        ("1", "ship.core.NAV", ("enter", "enter"), "roll nav"),
        ("2", "crew.bram.vitality", ("enter", "enter"), "roll bram"),
        ("1", "ship.tokens.integrity", ("enter", "down", "enter", "enter"), "lose integrity"),
        ("1", "ship.tokens.integrity", ("space", "space"), "lose integrity"),
        ("1", "ship.modules.1", ("space", "enter"), "damage module keelwing"),
        ("1", "ship.focus", ("plus",), "award focus ship"),
        ("1", "ship.focus", ("minus",), "take focus ship"),
        ("2", "crew.odile.vitality", ("minus",), 'set "crew.odile.vitality 2"'),
        ("2", "crew.bram.primary", ("space", "space"), 'set "crew.bram.primary.works false"'),
        ("0", "clocks.convoy", ("enter", "enter", "enter"), "tick convoy"),
        ("0", "clocks.convoy", ("minus",), "tick convoy -1"),
        ("2", "crew.tove.vitality", ("x", "x"), "expose tove"),
        ("2", "crew.tove.vitality", ("d", "d", "enter"), "damage tove"),
        ("2", "crew.tove.vitality", ("d", "enter", "enter"), "damage tove"),
    ],
)
async def test_a_row_has_its_keys(tmp_path: Path, tab: str, row: str, keys: tuple[str, ...], logged: str) -> None:
    """Enter opens what the row is for, Space takes away and gives back, + and - count; the key of a list again takes the row."""
    async with playing(tmp_path, 4, 3, 2, text=SHIP) as (pilot, table):
        await to_row(pilot, tab, row)
        await pilot.press(*keys)
        assert last(table) == logged


@pytest.mark.parametrize(("key", "named"), [("plus", "+ and −"), ("minus", "+ and −"), ("space", "Space")])
async def test_a_row_without_the_key_says_how_it_is_edited(tmp_path: Path, key: str, named: str) -> None:
    """The refusal names the key that does it."""
    async with playing(
        tmp_path, text=SHIP + '\n[crew.nova]\nname = "Nova"\nrole = "Cook, who keeps the only key to the pantry"\n'
    ) as (pilot, table):
        await to_row(pilot, "2", "crew.nova.role")
        await pilot.press(key)
        assert f"{named} can't change “Role”. e edits it" in " ".join(seen(pilot).split())
        assert table.snapshot.entries == 0


def test_space_is_hinted_only_where_it_works(tmp_path: Path) -> None:
    """A mark that nothing switches, such as a full row of a track, offers the other keys."""
    table = table_at(written(tmp_path / "t", SHIP))
    full = MarkRow("ship.tokens.track", "Fallout 1/3", held=False, state="full", note="Hull cracked")
    assert hint_words(table.snapshot, full)["row.toggle"] == ""
    switch = MarkRow("crew.bram.primary", "Spanner", held=True, state="works", switch="crew.bram.primary.works")
    assert hint_words(table.snapshot, switch)["row.toggle"] == "Toggle"


async def test_nothing_is_lost_by_one_key(tmp_path: Path) -> None:
    """Space asks before something that is there goes; Esc leaves it. Enter alone never takes anything away, however often it is pressed."""
    async with playing(tmp_path, 4, 4, text=SHIP) as (pilot, table):
        await to_row(pilot, "1", "ship.tokens.integrity")
        await pilot.press("space")
        assert "Esc cancels" in seen(pilot)
        await pilot.press("escape")
        await pilot.press(*["enter"] * 5)
        assert "No line is chosen" in seen(pilot)
        assert table.snapshot.entries == 0
        await pilot.press("escape", "escape")
        await to_row(pilot, "1", "ship.focus")
        await pilot.press("enter", *["down"] * 9)
        assert "Deal damage to the ship" in seen(pilot)
        await typed(pilot, "damage ship")
        await pilot.press("enter")
        assert ": › damage ship" in seen(pilot)
        assert table.snapshot.entries == 0
        await pilot.press("enter")
        assert last(table) == "damage ship"


@pytest.mark.parametrize("view", ["1", "2", "3", "4", "5"])
async def test_lists_open_from_every_view(tmp_path: Path, view: str) -> None:
    """The same key, the same letters; and the line of hints says how one is chosen."""
    async with playing(tmp_path, text=SHIP) as (pilot, table):
        await pilot.press(view, "d")
        assert "s Ship" in seen(pilot) or "s Tenacity" in seen(pilot)
        assert "b Bram" in seen(pilot)
        assert "A–Z choose" in seen(pilot).splitlines()[-1]
        await pilot.press("escape", "x", "b")
        assert last(table) == "expose bram"


async def test_a_letter_that_needs_no_answer_acts_at_once(tmp_path: Path) -> None:
    """Mending does what ticking and marking do: no field opens, so the next keys are keys again and not the reason for it."""
    async with playing(tmp_path, text=SHIP.replace("integrity = true", "integrity = false")) as (pilot, table):
        await pilot.press("M", "i", "n", "a", "enter")
        assert [entry.words for entry in table.entries()] == ['note "a"', "restore integrity"]
        play(table, "lose integrity")
        await pilot.press("n", "b", "enter")
        await typed(pilot, ":restore integrity because the patch sets")
        await pilot.press("enter")
        assert "Integrity restored: the patch sets" in seen(pilot)


async def test_the_list_of_clocks_says_which_are_full_or_hidden(tmp_path: Path) -> None:
    """Whoever shows a clock to the players, or ticks one, sees first how it stands; its letter is that of its name."""
    async with playing(tmp_path, text=SHIP) as (pilot, table):
        table.play(table.understand("tick open 3"))
        table.play(table.understand("hide clock convoy"))
        looked(pilot)
        await pilot.press("v")
        assert "g The grain convoy ⊘" in seen(pilot)
        assert "o Open to the Veil (full)" in seen(pilot)


async def test_a_list_with_nothing_in_it_says_so(tmp_path: Path) -> None:
    """In a game that has no such thing, or while there is none."""
    text = 'format = 1\nname = "Moth"\nsystem = "course-flow"\nlog = "0001:0"\n'
    async with playing(tmp_path, text=text) as (pilot, _):
        await pilot.press("x")
        assert "Nobody can be Exposed in Course and Flow" in seen(pilot)
        await pilot.press("t")
        assert "No clocks yet" in seen(pilot)


def test_letters_are_fixed_or_of_the_name() -> None:
    """Ship and tokens have the same letter in every game, unless somebody's name has it; an article is not part of a name."""
    moves = [
        Move("damage", (word,), word, about=(about,))
        for word, about in (
            ("ship", "ship"),
            ("dov", "crew.dov"),
            ("sam", "crew.sam"),
            ("integrity", "ship.tokens.integrity"),
        )
    ]
    keys = {**COMMON, **system("veil-core").act_keys}
    found = subjects(moves, keys, ActList.DAMAGE, {"crew.dov": "Dov", "crew.sam": "The Sam"})
    assert [(each.key, each.letter) for each in found] == [
        ("ship", "h"),
        ("crew.dov", "d"),
        ("crew.sam", "s"),
        ("ship.tokens.integrity", "i"),
    ]
    found = subjects(moves, keys, ActList.DAMAGE, {"crew.dov": "Dov", "crew.sam": "Sam", "crew.ida": "Ida"})
    assert {each.key: each.letter for each in found}["ship.tokens.integrity"] == "i", (
        "i is nobody's letter: it means the rule"
    )


async def test_somebody_has_one_letter_in_every_list(tmp_path: Path) -> None:
    """That of their roll: also where it is the key of the list, which then takes the row under the cursor no more; Enter still does. All of
    them together have a sign.
    """
    crew = "".join(f'\n[crew.{name.lower()}]\nname = "{name}"\n' for name in ("Dov", "Imre", "Ada", "Cass", "Xavier"))
    async with playing(tmp_path, 2, text=CAMPAIGN + crew + "\n[crew.ada.tools.kit]\n") as (pilot, table):
        names = [*table.game.characters(table._state).values()]
        letters = {move.name or move.label: move.key for move in table.snapshot.moves if move.id.startswith("roll ")}
        by_name = {name: letters[f"Roll for {name}"] for name in names}
        assert {by_name["Dov"], by_name["Imre"], by_name["Ada"], by_name["Xavier"]} == {"d", "r", "a", "x"}
        for key in "dx":
            await pilot.press(key)
            for name in ("Dov", "Imre", "Ada", "Cass", "Xavier"):
                assert f" {by_name[name]} {name}" in seen(pilot)
            if key == "x":
                assert " * all" in seen(pilot)
            await pilot.press("escape")
        await to_row(pilot, "2", "crew.ada.vitality")
        await pilot.press("d")
        assert "▸ a Ada" in seen(pilot)
        assert "⏎ Ada" in seen(pilot)
        assert seen(pilot).split("Who or what takes damage?")[1].count("a Ada") == 1, "once"
        await pilot.press("d", "enter")
        assert last(table) == "damage dov"
        await pilot.press("x", "asterisk")
        assert last(table) == "expose crew"
        await pilot.press("x", "enter")
        assert last(table) == "cover ada"


def test_whoever_cannot_mend_stays_in_the_list_with_the_reason() -> None:
    """Where one may treat somebody and another may not, the other is dimmed below; what needs no mending isn't in the list. A thing
    that its row shows as lost is in the list of mending, whatever its verb is.
    """
    keys = {**COMMON, **system("veil-core").act_keys}
    moves = [
        Move(
            "heal",
            ("dov", "by-imre"),
            "Imre treats Dov",
            (),
            Refusal("Imre has no Focus"),
            about=("crew.dov", "crew.imre"),
        ),
        Move("heal", ("dov", "by-sam"), "Sam treats Dov", about=("crew.dov", "crew.sam")),
        Move(
            "restore", ("suit", "dov"), "Repair Dov's suit", (), Refusal("it works"), about=("crew.dov.life_support",)
        ),
        Move(
            "restore", ("suit", "sam"), "Repair Sam's suit", (), Refusal("it works"), about=("crew.sam.life_support",)
        ),
        Move("mark", ("lamp",), "Mark the lamp", about=("ship.lamp",)),
    ]
    called = {"crew.dov": "Dov", "crew.sam": "Sam", "crew.imre": "Imre"}
    dov, sam, lamp = subjects(moves, keys, ActList.MEND, called, {"mark lamp"})
    assert [move.id for move in dov.moves] == ["heal dov by-sam", "heal dov by-imre"]
    assert (dov.refused, sam.refused, lamp.refused) == ("", "", "")
    shown = ActPicker("Mend", ActList.MEND, (dov, sam, lamp))
    assert not any("Sam" in line.text for line in render_picker(shown, INK, 80).lines)
    acts = list_acts(dov.moves, "M", called, {"crew.imre": "m"}, "crew.dov")
    assert [(each.letter, each.refused) for each in acts] == [("s", ""), ("m", "Imre has no Focus")]
    below = render_picker(replace(shown, subjects=acts), INK, 80).lines[-1]
    assert below.text.strip() == "m Imre treats Dov  ✗ Imre has no Focus"


@pytest.mark.parametrize(("width", "lines"), [(80, 4), (40, 6)])
def test_a_reason_that_several_names_share_is_said_once_and_whole(width: int, lines: int) -> None:
    """Below the last of them, in as many lines as it takes."""
    why = "the ship is Wrecked and the mission is over, unless you carry on"
    blocked = Move("heal", ("bram",), "", blocked=Refusal(why))
    names = [
        Subject(f"crew.{name}", f"{name.title()} treats Bram", name[0], (blocked,), why) for name in ("odile", "tove")
    ]
    shown = [line.text for line in render_picker(ActPicker("Bram: which of these?", None, names), INK, width).lines]
    assert len(shown) == lines
    assert shown[1:3] == ["  o Odile treats Bram", "  t Tove treats Bram"]
    assert " ".join(" ".join(shown[3:]).split()) == f"✗ T{why[1:]}"


def test_no_two_acts_in_a_list_have_one_letter() -> None:
    """What is done to everybody is nobody's, and of two acts with the help of one person the first has their letter."""
    moves = [
        Move("heal", ("dov", "by-imre"), "Imre treats Dov", about=("crew.dov", "crew.imre")),
        Move("heal", ("dov", "by-imre", "fast"), "Imre treats Dov at once", about=("crew.dov", "crew.imre")),
        Move("restore", ("crew",), "Restore everyone", about=("crew.imre", "crew.dov", "crew.sam")),
    ]
    called = {"crew.dov": "Dov", "crew.sam": "Sam", "crew.imre": "Imre"}
    letters = [each.letter for each in list_acts(moves, "M", called, {"crew.imre": "m", "crew.sam": "s"}, "crew.dov")]
    assert letters[0] == "m"
    assert len({*letters}) == 3
    assert all(letters)


def test_arrows_mark_a_name_and_enter_takes_it() -> None:
    """At first that of the row under the cursor, if something can be done to it. Names that can't be taken are passed over."""
    one, other, refused = (
        Subject(key, key.title(), letter, (Move("tick", (key,), "", blocked=why),))
        for key, letter, why in (("fog", "f", None), ("night", "n", None), ("full", "u", Refusal("it is full")))
    )
    picker = ActPicker("Tick", ActList.TICK, (one, other, refused))
    assert picker.subject_for("enter") is None, "nothing is marked until somebody marks it"
    for key, marked in (("down", one), ("right", other), ("down", one), ("up", other)):
        picker = picker.consume_key(key) or picker
        assert picker.marked is marked
        assert picker.subject_for("enter") is picker.subject_for("t") is marked
    assert "▸ n Night" in render_picker(picker, INK, 80).lines[1].text


def test_a_digit_too_many_begins_the_number_again() -> None:
    """No clock takes 32 segments: whoever typed 3 and then 2 meant 2."""
    by = Number("by", "By", -12, 12, 1)
    picker = ActPicker("Tick", ActList.TICK, (Subject("clocks.fog", "Fog", "f", (Move("tick", ("fog",), "", (by,)),)),))
    for key, by_now in (("3", 3), ("2", 2), ("1", 1), ("2", 12), ("backspace", 1)):
        picker = picker.consume_key(key) or picker
        assert picker.by == by_now


def test_the_first_letter_of_a_name_takes_it_too() -> None:
    """Where nobody has that letter, and only one name begins with it."""
    wick, bram = (
        Subject(f"crew.{key}", key.title(), letter, (Move("damage", (key,), ""),))
        for key, letter in (("wick", "a"), ("bram", "b"))
    )
    picker = ActPicker("Damage", ActList.DAMAGE, (wick, bram))
    assert picker.subject_for("w") is picker.subject_for("a") is wick
    assert (
        ActPicker("Damage", ActList.DAMAGE, (wick, replace(wick, key="crew.will", name="Will"))).subject_for("w")
        is None
    )


async def test_a_full_clock_is_the_last_and_listed_once(tmp_path: Path) -> None:
    """It is hardly ever ticked, also where it is under the cursor."""
    clock = '\n[clocks.{0}]\nname = "{0}"\nkind = "push"\nsegments = 4\nfilled = {1}\n'
    async with playing(tmp_path, text=CAMPAIGN + clock.format("Fog", 4) + clock.format("Night", 1)) as (pilot, _):
        await pilot.press("4", "t")
        listed = seen(pilot).split("Tick which clock?")[1]
        assert listed.index("Night") < listed.index("Fog (full)")
        assert listed.split("\n : ")[0].count("Fog (full)") == 1


@pytest.mark.parametrize(("filled", "first"), [(1, "tick"), (4, "close")])
async def test_a_row_lists_the_tick_of_a_full_clock_below_what_it_can_have(
    tmp_path: Path, filled: int, first: str
) -> None:
    """A clock that isn't full is ticked first."""
    clock = f'\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\nfilled = {filled}\n'
    async with playing(tmp_path, text=CAMPAIGN + clock) as (_, table):
        listed = list_moves(table.snapshot, "clocks.fog", "Fog")
        assert isinstance(listed, PromptRequest)
        verbs = [one.does.verb for one in listed.choices or () if isinstance(one.does, Move)]
        assert verbs[0] == first
        assert {"tick", "close"} <= {*verbs}
        # Letters search in that list, so nothing else in it has one.
        assert [one.key for one in listed.choices or () if isinstance(one.does, AppCommand)] == ["", ""]


async def test_of_showing_and_hiding_a_row_lists_what_changes_something(tmp_path: Path) -> None:
    """A hidden clock can be shown, and one that is seen hidden: never both. Its own keys show and hide a part of it."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\nseen = {}\n'
    for seen_now, offered in (("false", "show"), ("true", "hide")):
        async with playing(tmp_path / seen_now, text=CAMPAIGN + clock.format(seen_now)) as (_, table):
            listed = list_moves(table.snapshot, "clocks.fog", "Fog")
            assert isinstance(listed, PromptRequest)
            verbs = [one.does.verb for one in listed.choices or () if isinstance(one.does, Move)]
            assert [verb for verb in verbs if verb in ("show", "hide")] == [offered]


async def test_a_person_has_one_letter_in_questions_and_lists(tmp_path: Path) -> None:
    """w, i, n and u mean why, the rule, a note and undo whatever is asked, and k keeps: they are nobody's letter anywhere."""
    people = ("Wick", "Ines", "Nora", "Una", "Kit")
    crew = "".join(f'\n[crew.{name.lower()}]\nname = "{name}"\n' for name in people)
    async with playing(tmp_path, text=CAMPAIGN + crew) as (_, table):
        rolls = {
            move.about[0]: move.key
            for move in table.snapshot.moves
            if move.id in {f"roll {name.lower()}" for name in people}
        }
        assert not set(rolls.values()) & set(ANYTIME)
        found = subjects(table.snapshot.moves, table.snapshot.act_keys, ActList.DAMAGE, names_of(table.snapshot))
        assert {one.key: one.letter for one in found if one.key in rolls} == rolls


@pytest.mark.parametrize("name", names())
def test_a_game_names_only_verbs_that_it_has(name: str) -> None:
    """Each verb with a key is played by a chapter of the game, or by what every game has; one that only hurts may be an answer."""
    game = system(name)
    answers = {verb for verb, known in game.act_keys.items() if known.hurts and verb in game.topics}
    assert set(game.act_keys) - set(COMMON) - answers <= set(game._plays)


def test_a_part_belongs_to_its_person() -> None:
    """A part of a person belongs to that person; each part of the ship stands for itself."""
    assert subject_of("crew.mara.tools.1") == "crew.mara"
    assert subject_of("ship.tokens.integrity") == "ship.tokens.integrity"
    assert subject_of("ship") == "ship"


@pytest.mark.parametrize(
    ("letters", "marked"),
    [("t", ""), ("l", ""), ("in", "Lose integrity"), ("lo", "Lose integrity")],
)
async def test_a_letter_marks_nothing_that_hurts(tmp_path: Path, letters: str, marked: str) -> None:
    """In a list that is filtered by typing: two first letters of a word are meant, one letter somewhere is not."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("slash")
        await typed(pilot, "integrity")
        await pilot.press("enter", "escape", "a", *letters)
        line = next((line for line in seen(pilot).splitlines()[-14:] if line.startswith("▸")), "")
        assert line.startswith(f"▸ {marked}") if marked else not line.startswith("▸ Lose"), line


async def test_a_key_that_takes_nothing_from_a_list_says_so(tmp_path: Path) -> None:
    """Enter without a mark, and a letter that no line has; the next key that does something removes it."""
    async with playing(tmp_path) as (pilot, table):
        for name in ("Fog", "Night"):
            table.play(table.understand(f"clock {name} 6 death"))
        looked(pilot)
        await pilot.press("t", "enter")
        assert "Nothing is marked" in seen(pilot)
        await pilot.press("q")
        assert "No choice has the letter “q”" in seen(pilot)
        await pilot.press("right")
        assert "No line has" not in seen(pilot)
        assert table.snapshot.entries == 2
        await pilot.press("q", "enter")
        assert table.entry(3).words.startswith("tick fog")


async def test_somebody_who_is_whole_is_said_to_be(tmp_path: Path) -> None:
    """Mending has all of the crew as an entry of its own, and not under the letter of the first of them."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        play(table, "damage mara 3")
        await pilot.press("n", "a", "enter", "M", "l")
        assert "✗ Lars is unhurt" in seen(pilot)
        play(table, "set crew.lars.vitality 1")
        await pilot.press("n", "a", "enter", "M")
        assert "* all" in seen(pilot)
        await pilot.press("asterisk")
        assert last(table).startswith("restore vitality")


async def test_the_list_of_a_condition_says_who_is_in_it(tmp_path: Path) -> None:
    """Its key marks and clears, so that decides which of the two it does."""
    async with playing(tmp_path) as (pilot, table):
        table.play(table.understand("expose mara"))
        looked(pilot)
        await pilot.press("x")
        assert "m Mara (Exposed)" in seen(pilot)
        assert "l Lars (" not in seen(pilot)


async def test_one_more_than_a_full_row_takes_begins_what_the_rules_have_for_it(tmp_path: Path) -> None:
    """Four boxes and then a condition, by `+` as by the command for fallout: the line has all but its words."""
    text = f"{EMISSARY}\n[crew.mara.fallout.social.1]\nboxes = 3\n"
    async with playing(tmp_path, text=text) as (pilot, table):
        await to_row(pilot, "2", "crew.mara.fallout.social.1.boxes")
        await pilot.press("plus")
        assert last(table) == 'set "crew.mara.fallout.social.1.boxes 4"'
        await pilot.press("plus")
        assert table.snapshot.entries == 1
        await typed(pilot, "The man who laughed")
        await pilot.press("enter")
        assert last(table) == 'fallout mara social "The man who laughed"'
        assert table._store.campaign.state.sheet.crew["mara"].fallout.social["1"].full


async def test_what_is_about_the_whole_crew_stands_behind_what_is_about_one_of_it(tmp_path: Path) -> None:
    """Enter twice on somebody's row doesn't begin another person."""
    async with playing(tmp_path, text=EMISSARY) as (pilot, _):
        await to_row(pilot, "2", "crew.mara.body")
        await pilot.press("enter")
        assert "▸ New emissary" not in seen(pilot)
        listed = [line for line in seen(pilot).splitlines() if "New emissary" in line or "Mara" in line]
        assert len(listed) > 1
        assert "New emissary" not in next(line for line in seen(pilot).splitlines() if line.startswith("▸"))
