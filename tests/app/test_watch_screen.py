"""What players see as it is drawn, and in the wayfinder's window too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from tests.kit import EXAMPLES
from tests.kit.app import playing, seen
from tests.kit.table import table_at
from tests.store.test_projection import WHOLE
from tests.ui.test_palette import INK
from waylog.app.players_apps_and_phones import PlayersApp
from waylog.rules.model.clocks_situations_and_timers import ClockKind, WhileRunning
from waylog.rules.model.decks import CardKind
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeFact, RollFact
from waylog.rules.what_players_know import VisibleCard, VisibleClock, VisibleDeck
from waylog.store.players.players_file import FILE, Projection, VisibleAct, decode_projection, encode_projection
from waylog.ui.draw import players_view_in_lines
from waylog.ui.views.players_window import PlayersScreen, PlayersView, ScrollTarget

pytestmark = pytest.mark.usefixtures("every_frame")

CLOCK = VisibleClock("Storm", ClockKind.DEATH, 4, 4, "", WhileRunning.DESPERATE)


def drawn(*clocks: VisibleClock) -> str:
    """The clocks as text."""
    return "\n".join(line.text for line in players_view_in_lines.clocks(Projection(clocks=clocks), INK, 80))


def test_a_clock_that_may_not_be_counted_shows_a_question_mark() -> None:
    """Nothing in it tells whether it is empty or full: its effect is named either way (NM-20, NM-27)."""
    uncounted = replace(CLOCK, filled=None)
    assert "???? ?/4  Storm" in drawn(uncounted)
    assert "Desperate" in drawn(uncounted)
    assert "full" not in drawn(uncounted)
    assert "▰▰▰▰ 4/4  Storm" in drawn(CLOCK)
    assert "✗ full" in drawn(CLOCK)
    assert "Desperate" not in drawn(CLOCK)
    assert "✓ full" in drawn(replace(CLOCK, kind=ClockKind.PUSH))
    assert drawn() == ""


def test_a_disc_of_a_clock_that_may_not_be_counted_tells_nothing() -> None:
    """It is the same outline, whether it is empty or full, with a question mark beside it (NM-20)."""
    lines = [
        line.text
        for line in players_view_in_lines.clocks(Projection(clocks=(replace(CLOCK, filled=None),)), INK, 80, 40)
    ]
    empty = [
        line.text for line in players_view_in_lines.clocks(Projection(clocks=(replace(CLOCK, filled=0),)), INK, 80, 40)
    ]
    assert "\u2800" <= max("".join(lines)) <= "\u28ff"
    assert [line.replace("?/4", "0/4") for line in lines] == empty


@pytest.mark.parametrize("height", [4, 8, 12, 40])
@pytest.mark.parametrize("count", [1, 3, 12])
def test_clocks_are_discs_where_they_fit(count: int, height: int) -> None:
    """In as many lines as there are for them; nothing that players know of a clock is cut, however it is drawn."""
    seen = Projection(clocks=tuple(replace(CLOCK, name=f"Storm {n}", outcome="All is lost") for n in range(count)))
    for width in (30, 46, 80, 160):
        drawn = [line.text for line in players_view_in_lines.clocks(seen, INK, width, height)]
        discs = "\u2800" <= max("".join(drawn)) <= "\u28ff"
        assert not discs or len(drawn) <= height
        assert " ".join(drawn).count("All is lost") == count
        assert all(f"Storm {n}" in " ".join(drawn) for n in range(count))


@pytest.mark.parametrize("width", [30, 40, 46, 48, 80])
def test_that_a_clock_is_full_is_never_cut(width: int) -> None:
    """It comes before the kind, which takes no line of its own then; a long name goes on in the next line."""
    for name in ("Relight the lantern", "Before the last of the light is gone from the Veil"):
        full = replace(CLOCK, name=name, kind=ClockKind.PUSH)
        lines = [
            line.text.rstrip() for line in players_view_in_lines.clocks(Projection(clocks=(full,)), INK, width)[1:]
        ]
        said = " ".join(" ".join(lines).split())
        assert said.removesuffix(" push") == f"▰▰▰▰ 4/4 {name} ✓ full"
        assert said.endswith(" push") or len(lines[-1]) + 6 > width - 2
        assert all(len(line) <= width for line in lines)


@pytest.mark.parametrize("width", [30, 46, 80, 120])
def test_all_that_was_told_is_there_at_any_width(width: int) -> None:
    """Dice, outcomes and notes go on in the next line where one is full; none of them is cut."""
    dice = tuple(Face("NAV", number % 6 + 1) for number in range(12))
    told = VisibleAct(
        "20:00",
        (
            RollFact("NAV", dice, True),
            OutcomeFact("x", "Success", None, "NAV"),
            NoteFact("word " * 30 + "end"),
            OutcomeFact("y", "Fiasco", None, "Mara"),
        ),
    )
    lines = [line.text.rstrip() for line in players_view_in_lines.acts(Projection(log=(told, told)), INK, width)]
    assert all(len(line) <= width for line in lines)
    assert not any("end" in line and "Fiasco" in line for line in lines), "what follows a note has its own line"
    text = " ".join(" ".join(lines).split())
    assert "…" not in text
    for part in (
        "20:00 NAV",
        " ".join(f"[{die.face}]" for die in dice),
        "real dice",
        "Success",
        "end",
        "Mara • Fiasco",
    ):
        assert text.count(part) == 2, part


def test_the_end_of_the_log_begins_with_an_act() -> None:
    """An act that has no room for all of its lines is left out, unless those after it fill less than half of the room."""
    long = VisibleAct("20:00", (NoteFact("word " * 40 + "end"),))
    short = VisibleAct("20:01", (NoteFact("It rains"),))

    def shown(*log: VisibleAct) -> str:
        lines = players_view_in_lines.latest_acts(Projection(log=log), INK, 40, 4)
        return "\n".join(line.text for line in lines)

    assert shown(long, short, short).splitlines()[0].startswith(" 20:01")
    assert "end" in shown(long, short)
    assert len(shown(long, short).splitlines()) == 4


@pytest.mark.parametrize("size", [(120, 36), (40, 20)])
async def test_the_players_view_says_what_it_is_and_how_to_leave_it(tmp_path: Path, size: tuple[int, int]) -> None:
    """Also where the names of the campaign and of its game are too long for that; players have their help at every width."""
    async with playing(tmp_path / "tenacity", size=size) as (pilot, table):
        await pilot.app.push_screen(PlayersScreen(table.projection()))
        await pilot.pause()
        first = seen(pilot).splitlines()[0]
        assert first.startswith(" Players see Tenacity")
        assert first.rstrip().endswith("Esc back  ? help")
    named = Projection(name="A name that is far too long for a window of this width", system="A game")
    assert players_view_in_lines.title(named, INK, 40).text.endswith("… ? help ")


def test_an_outcome_stands_before_what_others_roll_after_it() -> None:
    """An answer that ends one roll of a group lets the others roll, and the group has its outcome last, once."""
    told = VisibleAct(
        "20:00",
        (
            OutcomeFact("x", "Success", None, "Odile"),
            RollFact("Bram", (Face("Bram", 2),), False, deed="Bram rolls"),
            OutcomeFact("y", "Fiasco", None, "Bram"),
            NoteFact("Odile: Success, Bram: Fiasco", part=NotePart.SUMMARY),
            OutcomeFact("z", "Drawback", None, "Group"),
        ),
    )
    lines = [" ".join(line.text.split()) for line in players_view_in_lines.acts(Projection(log=(told,)), INK, 80)]
    assert lines == ["20:00 Odile • Success", "Bram rolls [2] • Fiasco", "Group • Drawback"]


def test_every_part_is_drawn() -> None:
    """The ship, cards that are known, who played what; nothing where nothing is."""
    text = "\n".join(line.text for line in players_view_in_lines.sheet(WHOLE, INK, 80, 40))
    for part in ("Boat", "Hull", "A rope", "good, out", "‹U+202E›no"):
        assert part in text
    assert "session 3 “Out and back”" in players_view_in_lines.title(WHOLE, INK, 80).text
    assert players_view_in_lines.sheet(Projection(), INK, 80, 40) == []
    assert "Nothing has been played yet" in players_view_in_lines.acts(Projection(), INK, 80)[0].text


@pytest.mark.parametrize("key", ["escape", "p", "q"])
async def test_the_wayfinder_looks_as_players_do_and_back(tmp_path: Path, key: str) -> None:
    """It lies over the window, follows what it is shown, scrolls, and is closed by one key; the app goes on."""
    async with playing(tmp_path / "tenacity", size=(80, 24)) as (pilot, table):
        screen = PlayersScreen(table.projection())
        await pilot.app.push_screen(screen)
        await pilot.pause()
        assert "Lars" in seen(pilot)
        assert "Nothing has been played yet" in seen(pilot)
        table.play(table.understand("note hello"))
        screen.show(table.projection())
        await pilot.pause()
        assert "hello" in seen(pilot)
        before = seen(pilot)
        await pilot.press("pagedown")
        await pilot.pause()
        assert seen(pilot) != before
        await pilot.press("home")
        await pilot.pause()
        assert seen(pilot) == before
        await pilot.press(key)
        await pilot.pause()
        assert not isinstance(pilot.app.screen, PlayersScreen)
        assert pilot.app.is_running


async def test_the_log_scrolls_back_by_itself(tmp_path: Path) -> None:
    """After Tab keys scroll the log: up is back in time, and its end comes back."""
    async with playing(tmp_path / "tenacity", size=(80, 24)) as (pilot, table):
        for number in range(30):
            table.play(table.understand(f"note line-{number}."))
        await pilot.app.push_screen(PlayersScreen(table.projection()))
        await pilot.pause()
        assert "line-29." in seen(pilot)
        await pilot.press("tab", "home")
        await pilot.pause()
        assert "line-0." in seen(pilot)
        assert "line-29." not in seen(pilot)
        await pilot.press("end")
        await pilot.pause()
        assert "line-29." in seen(pilot)


async def test_a_short_log_leaves_its_lines_to_the_sheet(tmp_path: Path) -> None:
    """It has a third of a narrow window, or what it needs, but never fewer than four lines."""
    async with playing(tmp_path / "tenacity", size=(80, 24)) as (pilot, table):
        screen = PlayersScreen(table.projection())
        await pilot.app.push_screen(screen)
        heights = list[int]()
        for number in range(12):
            await pilot.pause()
            heights.append(24 - next(y for y, line in enumerate(seen(pilot).splitlines()) if line.startswith("  Log ")))
            table.play(table.understand(f"note line-{number}."))
            screen.show(table.projection())
        assert heights == [4, 4, 4, 4, 5, 6, *[7] * 6]


def test_a_short_log_beside_the_sheet_leaves_its_lines_to_people(tmp_path: Path) -> None:
    """Those for whom the left has no room stand above it, each whole and once; beside a long log, nobody does."""
    table = table_at(Path(copytree(EXAMPLES / "first-light", tmp_path / "light")))
    shown = table.projection()
    view = PlayersView(shown)
    lines = [line.text for line in view.render_page(INK, 100, 46).lines]
    log = next(y for y, line in enumerate(lines) if " Log ─" in line)
    right = "\n".join(line[60:] for line in lines)
    crew = [panel.title for panel in shown.panels if panel.place == "crew"]
    assert crew[-1] in "\n".join(line[60:] for line in lines[:log])
    assert crew[0] not in right
    assert all("\n".join(lines).count(f"  {name}  ") == 1 for name in crew)
    acts = tuple(VisibleAct("20:00", (NoteFact(f"Note {number}"),)) for number in range(60))
    long = PlayersView(replace(shown, log=acts)).render_page(INK, 100, 46).lines
    assert crew[-1] not in "\n".join(line.text[60:] for line in long)


@pytest.mark.parametrize(
    ("width", "height", "campaign"),
    [(80, 24, "tenacity"), (100, 30, "tenacity"), (80, 24, "slack-water"), (60, 18, "lot-nine")],
)
def test_everybody_and_every_clock_is_in_sight_at_first(tmp_path: Path, width: int, height: int, campaign: str) -> None:
    """In short, where there is no room for all that is known of them. Below that, everything stands in full."""
    table = table_at(Path(copytree(EXAMPLES / campaign, tmp_path / campaign)))
    shown = table.projection()
    view = PlayersView(shown)

    def text() -> str:
        return "\n".join(line.text for line in view.render_page(INK, width, height).lines)

    names = [panel.title for panel in shown.panels] + [clock.name for clock in shown.clocks]
    assert [name for name in names if name not in text()] == []
    read = ""
    for moved in range(0, 200, 5):
        view._moved[ScrollTarget.SHEET] = moved
        read += text()
    descriptions = [row.about.split()[0] for panel in shown.panels for row in panel.rows if row.about]
    assert [word for word in descriptions if word not in read] == []
    view.character = next(panel.title for panel in shown.panels if panel.place == "crew")
    view._moved[ScrollTarget.SHEET] = 0
    assert " you" in text()


async def test_opening_a_campaign_lets_players_see_it(tmp_path: Path) -> None:
    """Before anything is played: who waits for it sees it open."""
    (tmp_path / "tenacity").mkdir()
    (tmp_path / "tenacity" / FILE).touch()
    async with playing(tmp_path / "tenacity") as (pilot, table):
        while not (table.folder / FILE).read_bytes():
            await pilot.pause()
        assert decode_projection((table.folder / FILE).read_bytes()) == table.projection()


async def test_the_theme_changes_in_the_players_window(tmp_path: Path) -> None:
    """`T` opens the gallery as in the wayfinder's window, and is among the keys."""
    app = PlayersApp(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before, dark = seen(pilot), app.screen.styles.background
        await pilot.press("T", "down", "enter")
        await pilot.pause()
        assert app.screen.styles.background != dark
        assert seen(pilot) == before
        await pilot.press("T", "up", "enter")
        await pilot.pause()
        assert app.screen.styles.background == dark
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Switch theme" in seen(pilot)


@pytest.mark.parametrize("size", [(100, 30), (120, 36), (200, 50)])
async def test_headings_stand_beside_one_another(tmp_path: Path, size: tuple[int, int]) -> None:
    """The clocks begin in the line of the ship, and a blank line parts them from the log."""
    async with PlayersApp(tmp_path / "none").run_test(size=size) as pilot:
        pilot.app.screen.query_one(PlayersView).show(WHOLE)
        await pilot.pause()
        lines = seen(pilot).splitlines()
        clocks, log = (next(y for y, line in enumerate(lines) if f"{name} ─" in line) for name in ("Clocks", "Log"))
        assert "─" in lines[clocks][: size[0] // 2]
        assert not lines[log - 1][size[0] * 3 // 5 :].strip()


async def test_the_window_opens_on_what_is_there(tmp_path: Path) -> None:
    """The file is read before the parts of the window are there: its first page is drawn all the same."""
    (tmp_path / FILE).write_bytes(encode_projection(WHOLE))
    async with PlayersApp(tmp_path).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert WHOLE.name in seen(pilot).splitlines()[0]


async def test_what_is_open_comes_before_the_clocks(tmp_path: Path) -> None:
    """In a narrow window, too, and for whoever plays nobody: the conflict is what they look at."""
    folder = tmp_path / "soft-answer"
    copytree(EXAMPLES / "soft-answer", folder)
    table = table_at(folder)
    table.add_reader()
    table.play(table.understand("note on"))
    assert table.settle()
    async with PlayersApp(folder).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Are the sluices opened" in seen(pilot).splitlines()[1]


@pytest.mark.parametrize(("width", "height"), [(80, 26), (100, 30)])
def test_a_card_that_was_shown_is_read_at_first(tmp_path: Path, width: int, height: int) -> None:
    """In short, where the sheet has to be scrolled, its text stands with ship and crew; and that it was drawn looks like no failure."""
    table = table_at(Path(copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")))
    card = VisibleCard("Two rumours about the buyer", CardKind.NEUTRAL, out=True, seen_by=())
    shown = replace(table.projection(), decks=(VisibleDeck("What is in the hold", (card,)),))
    lines = [line.text for line in PlayersView(shown).render_page(INK, width, height).lines]
    assert any("In full" in line for line in lines)
    assert any("· Two rumours about the buyer  neutral, out" in line for line in lines)


@pytest.mark.parametrize(("width", "height"), [(60, 18), (40, 20)])
def test_a_small_window_begins_with_the_crew(tmp_path: Path, width: int, height: int) -> None:
    """How each of them is, and how far each clock is, comes before the ends of clocks and before the ship."""
    table = table_at(Path(copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")))
    lines = [line.text for line in PlayersView(table.projection()).render_page(INK, width, height).lines]
    for name in ("Odile", "Bram", "Tove", "Wick"):
        at = next(at for at, line in enumerate(lines) if line.strip().startswith(name))
        assert "! Exposed" in lines[at]
        assert "Vitality ● ● ●" in lines[at] + lines[at + 1]
    assert any("4/8  The grain convoy" in line for line in lines)
    assert sum("↓ more" in line for line in lines) == 1
    assert not any("…" in line for line in lines[: height // 2 + 4])


def test_every_clock_is_in_sight_beside_ones_own_character(tmp_path: Path) -> None:
    """In a low window in a line each, those that run first; what they lead to is further down."""
    table = table_at(Path(copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")))
    view = PlayersView(table.projection())
    view.character = "Odile"
    lines = [line.text for line in view.render_page(INK, 80, 24).lines]
    assert lines[1].startswith("  Odile")
    clocks = " ".join(lines[next(at for at, line in enumerate(lines) if "  Clocks ─" in line) :])
    assert clocks.index("4/8  The grain convoy") < clocks.index("2/4  Open to the Veil")
    assert "Eleven hulls" not in clocks


def test_what_a_choice_did_is_told_in_sentences(tmp_path: Path) -> None:
    """Then how the roll came out by it, as the game master's log has it."""
    table = table_at(Path(copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")))
    text = " ".join(line.text.strip() for line in players_view_in_lines.acts(table.projection(), INK, 120))
    assert "Tenacity: Focus −2, now 1. Two 5s become 6s. NAV" in " ".join(text.split())


def test_ship_and_crew_leave_room_for_the_cards() -> None:
    """Where a closer layout lets all of it be seen at once, that one is drawn."""
    alone = players_view_in_lines.sheet(replace(WHOLE, decks=()), INK, 120, 60)
    cards = len(players_view_in_lines.sheet(replace(WHOLE, panels=()), INK, 120, 60))
    height = len(alone) + cards - 1
    assert cards > 1
    assert len(players_view_in_lines.sheet(WHOLE, INK, 120, height)) <= height
