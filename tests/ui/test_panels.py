"""Panels laid out: what the cursor marks, what is in full, and what a move of the cursor changes."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from tests.ui.test_palette import INK
from waylog import themes
from waylog.app.base_app_and_attention import BaseApp
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.dice import Face
from waylog.rules.model.panels import (
    ClockRow,
    DiceRow,
    FacesRow,
    MarkRow,
    Panel,
    PipsRow,
    Rank,
    Row,
    Tag,
    TextRow,
    Tone,
)
from waylog.ui.draw.bridge_layout import layout_bridge
from waylog.ui.draw.clickable_line_view import changed_cells
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.drawn_panels import DrawnPanel, Room
from waylog.ui.draw.panel_layout import Column, PanelLayout, layout_bands, layout_panels
from waylog.ui.draw.rows import draw_row, draw_short
from waylog.values import replace


def text(layout: PanelLayout, cursor: int | None = None) -> str:
    """The whole sheet."""
    return "\n".join(layout.line(y, cursor, INK).text.rstrip() for y in range(len(layout.lines)))


@pytest.mark.parametrize("height", [3, 8, 40])
@pytest.mark.parametrize("counts", [(0, 2, 0), (3, 0, 1), (0, 0, 0)])
def test_the_cursor_marks_the_label(counts: Sequence[int], height: int) -> None:
    """The cursor marks the label of its row, also where dice are drawn large or none are left to draw."""
    rows = tuple(DiceRow(f"{n}", f"SYS{n}", count, "to see") for n, count in enumerate(counts))
    layout = layout_panels((Panel("core", "ship", "CORE", rows),), INK, 60, height)
    for index in range(len(rows)):
        marked = [line for line in text(layout, index).splitlines() if "▸" in line]
        assert len(marked) == 1
        assert f"▸   SYS{index} " in marked[0]


def test_a_text_has_room_beside_long_names() -> None:
    """The column of values begins behind the longest name; a text for which too little is left begins behind its own."""
    about = "Grew up two tanks along, in the camps, and hasn't told anyone"
    rows = (
        TextRow("a", "About", about),
        PipsRow("b", "I queued for water until", 1, 3),
        TextRow("c", "Body", "3 dice"),
    )
    lines = text(layout_panels((Panel("ilka", "crew", "Ilka", rows),), INK, 40, 40)).splitlines()
    first = next(line for line in lines if "About" in line)
    assert "About  Grew up two tanks along" in first
    column = {line.index(value) for line in lines for value in ("● ○ ○", "3 dice") if value in line}
    assert len(column) == 1


def test_how_a_thing_stands_is_whole_before_others_are_described() -> None:
    """Where there are lines for some rows only."""
    rows = (
        MarkRow("a", "KEELWING", True, "", "+1d6", "Bites into a Veil current"),
        MarkRow("b", "FALL DOORS", False, "destroyed", "still works", ""),
    )
    drawn = text(layout_panels((Panel("modules", "ship", "Modules", rows),), INK, 36, 4))
    assert "still works" in drawn
    assert "Bites" not in drawn


LONG = "which goes on for a good deal longer than one line of any column has room for, and then ends in"
DICE = tuple(Face("Mara", n % 6 + 1) for n in range(5))


def rows_of(name: str) -> tuple[Row, ...]:
    """A row of each kind, each with a word of its own at the very end of what it says."""
    return (
        TextRow(f"{name}.a", "About", f"A text {LONG} {name}-a."),
        DiceRow(f"{name}.b", "NAV", 3, f"dice {LONG} {name}-b."),
        PipsRow(f"{name}.c", "Focus", 1, 3, f"pips {LONG} {name}-c."),
        MarkRow(f"{name}.d", "Primary", True, "works", f"a mark {LONG} {name}-d."),
        FacesRow(f"{name}.e", "Mara", DICE, f"faces {LONG} {name}-e."),
        TextRow(f"{name}.f", f"A name {LONG} {name}-f.", "short"),
        MarkRow(f"{name}.g", "Secondary", False, "lost"),
    )


SHEET = tuple(Panel(name, "ship", name, rows_of(name), beside=name == "two") for name in ("one", "two", "three"))
LAST_WORDS = [f"{panel.key}-{row}." for panel in SHEET for row in "abcdef"]
laying = pytest.mark.parametrize("lay", [layout_panels, layout_bands])
Lay = Callable[..., PanelLayout]


def of_row(layout: PanelLayout, index: int) -> str:
    """What is drawn of a row, in one line without broken words."""
    mine = [line for held in layout.lines for _, line, place in held if place == index]
    return " ".join(" ".join(line.text for line in mine).split())


@given(st.integers(30, 200), st.integers(1, 120))
def test_what_scrolls_is_never_cut(width: int, height: int) -> None:
    """In a window that scrolls by lines every text is there to its last word, at any size."""
    layout = layout_panels(SHEET, INK, width, height, scrolls=True)
    drawn = " ".join(of_row(layout, index) for index in range(len(layout.places))).replace(" ", "")
    assert "…" not in drawn
    assert [word for word in LAST_WORDS if word not in drawn] == []


@given(st.integers(64, 200), st.integers(8, 40), st.lists(st.integers(1, 30), min_size=2, max_size=5))
def test_columns_that_scroll_end_together(width: int, height: int, counts: Sequence[int]) -> None:
    """Scrolled to the end, no column leaves more than half of the window empty. Every row is there once, in the order of its panel, and
    under its name.
    """
    panels = [
        Panel(f"{n}", "crew", f"P{n}", tuple(TextRow(f"{n}.{row}", f"R{n}", LONG) for row in range(count)))
        for n, count in enumerate(counts)
    ]
    layout = layout_panels(panels, INK, width, height)
    assert sorted(place.row.key for place in layout.places) == sorted(row.key for panel in panels for row in panel.rows)
    for panel in panels:
        assert [place.row for place in layout.places if place.row in panel.rows] == [*panel.rows]
    if len(layout.lines) <= height:
        return
    tallest = max(place.height for place in layout.places) + 3
    columns = {place.x for place in layout.places}
    ends = [max(place.y + place.height for place in layout.places if place.x == x) for x in columns]
    assert max(ends) - min(ends) <= max(height // 2, tallest)
    for x in columns:
        title, row = (next(part.line.text for part in layout.lines[y] if part.x == x) for y in (0, 1))
        assert title.split()[0][1:] == row.split()[0][1:]


@given(st.lists(st.integers(1, 12), min_size=3, max_size=6), st.integers(108, 150), st.integers(8, 40))
def test_no_column_of_three_is_half_empty_if_two_have_everything(
    counts: Sequence[int], width: int, height: int
) -> None:
    """Two columns of which none ends before two thirds of the other are better than three of which one does, if both fit."""
    panels = [
        Panel(f"{n}", "crew", f"P{n}", tuple(TextRow(f"{n}.{row}", "R", "short") for row in range(count)))
        for n, count in enumerate(counts)
    ]
    (columns,) = layout_panels(panels, INK, width, height).bands
    tall = [sum(len(slot.panel.rows) + 2 for slot in column.slots) - 1 for column in columns]
    lines = [count + 2 for count in counts]
    two = min(([sum(lines[:at]) - 1, sum(lines[at:]) - 1] for at in range(1, len(lines))), key=max)
    if max(two) <= height and 3 * min(two) >= 2 * max(two):
        assert max(tall) <= height
        assert len(columns) == 2 or 3 * min(tall) >= 2 * max(tall)


def test_a_person_is_whole_where_another_order_levels_the_columns() -> None:
    """The next one stands in the column that is shorter by then. None is torn, and what adds one more stays the last."""
    panels = [
        Panel(f"{n}", "crew", f"P{n}", tuple(TextRow(f"{n}.{row}", f"R{row}", "short") for row in range(count)))
        for n, count in enumerate((29, 35, 11, 5, 1))
    ]
    layout = layout_panels(panels, INK, 80, 14)
    ((left, right),) = layout.bands
    assert [[slot.panel.title for slot in column.slots] for column in (left, right)] == [
        ["P0", "P2"],
        ["P1", "P3", "P4"],
    ]
    assert "continued" not in text(layout)


@laying
@given(st.integers(30, 200), st.integers(1, 120), st.integers(0, 20))
def test_the_row_under_the_cursor_is_in_full(lay: Lay, width: int, height: int, cursor: int) -> None:
    """In its place, whatever is cut around it; all other rows are as they were."""
    folded = lay(SHEET, INK, width, height)
    opened = folded.with_open_row(cursor)
    assert "…" not in of_row(opened, cursor)
    assert [place.row for place in opened.places] == [place.row for place in folded.places]
    for index in range(len(folded.places)):
        assert index == cursor or of_row(opened, index) == of_row(folded, index)
    if of_row(opened, cursor) == of_row(folded, cursor):
        assert opened is folded


@given(st.integers(30, 200), st.integers(1, 120))
def test_no_room_is_left_that_a_text_needs(width: int, height: int) -> None:
    """A row is cut only where the sheet would be longer than the window with it in full; one that is longer cuts none."""
    layout = layout_panels(SHEET, INK, width, height)
    cut = [index for index in range(len(layout.places)) if "…" in of_row(layout, index)]
    if len(layout.lines) > height:
        assert cut == []
    for index in cut:
        assert len(layout.with_open_row(index).lines) > height


def test_texts_unfold_from_the_top() -> None:
    """Where there is room for one of two, it is the first."""
    rows = (TextRow("a", "About", f"{LONG} a."), TextRow("b", "Beside", f"{LONG} b."))
    drawn = text(layout_panels((Panel("p", "ship", "P", rows),), INK, 60, 5))
    assert " a." in drawn
    assert " b." not in drawn
    assert "…" in drawn


@laying
@given(st.integers(30, 200), st.integers(1, 60), st.integers(0, 20), st.integers(0, 20))
def test_a_move_changes_no_other_line(lay: Lay, width: int, height: int, was: int, now: int) -> None:
    """Outside the cells that are sent, a line looks the same before and after."""
    folded = lay(SHEET, INK, width, height)
    before, after = folded.with_open_row(was), folded.with_open_row(now)
    for y in range(min(len(before.lines), len(after.lines))):
        one, other = before.line(y, was, INK), after.line(y, now, INK)
        changed = changed_cells(one.spans, other.spans)
        assert one.text[: changed.start].rstrip() == other.text[: changed.start].rstrip()
        assert one.text[changed.stop :].rstrip() == other.text[changed.stop :].rstrip()
        assert changed or [span for span in one.spans if span.text] == [span for span in other.spans if span.text]


@given(st.integers(30, 120), st.integers(4, 40), st.integers(0, 20))
def test_a_cursor_moves_no_other_row(width: int, height: int, cursor: int) -> None:
    """No row moves when the cursor comes; a row that shares a line with the one under the cursor stays in its columns."""
    rows = tuple(PipsRow(f"{n}", f"P{n}", n % 4, 3) for n in range(9))
    layout = layout_panels((Panel("p", "ship", "P", rows), Panel("q", "ship", "Q", rows)), INK, width, height)
    plain, marked = text(layout).splitlines(), text(layout, cursor).splitlines()
    assert [line.rstrip() for line in plain] == [line.replace("▸", " ").rstrip() for line in marked]
    assert all(place.x + place.width <= width for place in layout.places)


@pytest.mark.clause("NM-46")
@pytest.mark.parametrize("room", [*Room])
@pytest.mark.parametrize("theme", [*themes.names()])
def test_an_absent_character_is_grey_and_says_the_same(theme: str, room: Room) -> None:
    """In the colour of what is unimportant, whose contrast every theme keeps, or fainter where that is usual; no word is less."""
    app = BaseApp(theme)
    ink = Palette(app.theme_variables)
    tags = (Tag("Exposed", Tone.BAD), Tag("player away", Tone.DIM))
    here = Panel("crew.mara", "crew", "Mara", rows_of("mara"), tags, role="Medic", next=True)
    drawn = [
        [line for band in layout.lines for _, line, _ in band]
        for panel in (here, replace(here, absent=True))
        for layout in (layout_panels((panel,), ink, 60, 60, room),)
    ]
    assert [line.text for line in drawn[0]] == [line.text for line in drawn[1]]
    inks = [{span.style for line in lines for span in line.spans if span.text.strip()} for lines in drawn]
    faint = {ink.dim, ink.dim + Style(reverse=True), ink.rule, ink.empty, ink.struck}
    assert inks[0] - faint
    assert inks[1] <= faint


@pytest.mark.parametrize("width", [40, 80])
def test_tags_and_titles_are_whole_and_apart(width: int) -> None:
    """Two tags don't read as one, and a long title, such as the stakes of a conflict, goes on in another line."""
    stakes = "Are the sluices opened tonight, for the moon and for everybody on it?"
    tags = (Tag("away", Tone.DIM), Tag("Exposed", Tone.DIM))
    shown = text(layout_panels([Panel("crew.mara", "crew", "Mara", (), tags)], INK, width, 20))
    assert " away · Exposed" in shown
    shown = text(layout_panels([Panel("scene", "scene", stakes, ())], INK, width, 20))
    assert stakes in " ".join(shown.replace("─", " ").split())


def test_a_text_with_no_room_beside_its_name_stands_under_it() -> None:
    """A column of a few cells would take a line for each word."""

    def drawn(name: str, text: str) -> list[str]:
        row = draw_row(TextRow("a", name, text), INK, 36, 23, full=True, large=False)
        return [line.text.rstrip() for line in row.lines]

    assert drawn("A letter without a name", "To whoever asks for it") == [
        "  A letter without a name",
        "    To whoever asks for it",
    ]
    assert drawn("A box that hums", "To the Ferryman, and nobody else")[0] == "  A box that hums  To the Ferryman,"


@pytest.mark.parametrize(
    ("width", "heading"),
    [
        (60, "✓ #1 LIFEWATCH  ✓ #2 THREADER  ✓ #3 OX"),
        (38, "✓ #1 LIFEWATCH and 2 more"),
        (30, "✓ 3 whole"),
        (13, "✓ 3"),
    ],
)
def test_rows_without_a_line_are_counted_in_words(width: int, heading: str) -> None:
    """A bare `+2` in a heading would be read as a bonus."""
    rows = tuple(
        MarkRow(f"m.{name}", name, held=True, state="works") for name in ("#1 LIFEWATCH", "#2 THREADER", "#3 OX")
    )
    (line,) = DrawnPanel(Panel("m", "ship", "Modules", rows), INK, width).title(Room.VITAL)
    assert line.text.strip().removeprefix("Modules").strip(" ─") == heading


def test_values_of_nothing_have_no_name_where_others_have_none() -> None:
    """Of a person with many values, the heading first has those that are something: a zero says the least."""
    texts = {"Hunt": "0", "Prowl": "2", "Study": "0", "Sway": "+0", "Trauma": "none", "Coin": "3", "Armed": "no"}
    rows = tuple(TextRow(name, name, text) for name, text in texts.items())
    panel = Panel("m", "crew", "Cole", rows)
    headings = {
        width: DrawnPanel(panel, INK, width).title(Room.VITAL)[0].text.strip().removeprefix("Cole").strip(" ─")
        for width in (40, 22, 80)
    }
    assert headings[40] == "Prowl 2  Coin 3 and 5 more"
    assert headings[22] == "7 more"
    assert headings[80].split("  ")[:3] == ["Prowl 2", "Coin 3", "Hunt 0"]


@pytest.mark.parametrize(
    ("width", "heading"),
    [(60, "Stores 3/6  Cut 2  Coin 6 of 20  Owner"), (38, "Stores 3/6  Cut 2 and 2 more"), (20, "4 more")],
)
def test_values_without_a_line_are_in_the_heading(width: int, heading: str) -> None:
    """A name alone says nothing of a value, and only what is whole has a tick."""
    owner = TextRow("owner", "Owner", "The purser is alive, and still aboard")
    rows = (PipsRow("s", "Stores", 3, 6), DiceRow("c", "Cut", 2), TextRow("coin", "Coin", "6 of 20"), owner)
    (line,) = DrawnPanel(Panel("m", "ship", "Tug", rows), INK, width).title(Room.VITAL)
    assert line.text.strip().removeprefix("Tug").strip(" ─") == heading


def test_a_bridge_draws_each_packed_row_a_few_times_however_many_ways_it_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ways to lay it out ask of each row again and again how long it would be. That was a tenth of the app's own part of a start."""
    drawn = list[str]()

    def note_and_draw(row: Row, *room: Any) -> Any:
        drawn.append(row.key)
        return draw_short(row, *room)

    monkeypatch.setattr("waylog.ui.draw.drawn_panels.draw_short", note_and_draw)
    ship = [Panel(f"part-{n}", "ship", "Part", rows_of("part")) for n in range(3)]
    crew = [Panel(f"crew-{n}", "crew", "Mara", rows_of("mara")) for n in range(3)]
    clocks = Panel("clocks", "clocks", "Clocks", (TextRow("clocks", "", "No clocks"),))
    layout_bridge([*ship, *crew, clocks], INK, 120, 20)
    rows = sum(len(panel.rows) for panel in (*ship, *crew, clocks))
    # Once without a limit, and once in each of four rooms, for the two widths of a panel that may stand in another column.
    assert len(drawn) <= 10 * rows


def test_a_panel_without_names_begins_where_names_would() -> None:
    """What says that there is nothing yet stands in the same column however much room there is."""
    panel = Panel("clocks", "ship", "Clocks", (TextRow("clocks", "", "No clocks yet", Tone.DIM, rank=Rank.VITAL),))
    for room in (Room.PACKED, Room.CLOSE, Room.NOTES):
        drawn = text(PanelLayout(60, room, [[Column(2, [DrawnPanel(panel, INK, 50)])]])).splitlines()
        assert drawn[1].index("No clocks yet") == 4


def test_a_clock_with_a_long_name_keeps_it_together() -> None:
    """It goes on under its first words, with the sign of what players don't see at its end, whatever else the panel has."""
    clock = Clock("The sender wants it back and more", ClockKind.AUGURY, 8, 0, seen=False)
    row = ClockRow("clocks.sender", clock.name, clock)
    lines = [line.text.strip() for line in draw_row(row, INK, 46, 23, full=True, large=False).lines]
    assert lines == ["▱▱▱▱▱▱▱▱ 0/8 The sender wants it back and", "more ⊘"]


def test_a_title_names_the_value_of_a_short_text() -> None:
    """Where its row has no line of its own, a name alone would say nothing."""
    rows = (TextRow("die", "Die", "Daring 5", rank=Rank.VITAL), TextRow("by", "Set by", "the wayfinder"))
    slot = DrawnPanel(Panel("course", "ship", "The Course", rows), INK, 60)
    assert slot.title(Room.NAMED)[0].text.endswith(" Set by the wayfinder ")


def test_tags_of_people_have_their_reasons_only_if_all_do() -> None:
    """Somebody with a short name is no better explained than the others."""
    tag = Tag("Exposed", Tone.WARN, "the clock “Open to the Veil” is running")
    people = [
        Panel(name, "crew", name, (PipsRow(f"{name}.vitality", "Vitality", 3, 3),), (tag,), role=role)
        for name, role in (("Bo", ""), ("Bartholomew Quell", "Master of the vessel"))
    ]
    assert text(layout_panels(people, INK, 200, 40)).count("is running") == 2
    assert "is running" not in text(layout_panels(people, INK, 160, 40))
    assert text(layout_panels(people[:1], INK, 60, 40)).count("is running") == 1


def test_a_text_stands_under_its_name_where_that_takes_fewer_lines() -> None:
    """Long names of others leave it a narrow column."""
    row = TextRow("x", "Harbourmaster Quell", "escalates, opposed physical: 6 6 5, and takes the blow")
    lines = [line.text.strip() for line in draw_row(row, INK, 38, 23, full=True, large=False).lines]
    assert lines == ["Harbourmaster Quell", "escalates, opposed physical: 6 6", "5, and takes the blow"]
    assert draw_row(row, INK, 90, 23, full=True, large=False).lines[0].text.endswith("takes the blow")


def test_a_single_row_of_dice_has_its_name_in_one_line() -> None:
    """Nothing stands below it that its dice would have to line up with."""
    raised = FacesRow("raise", "Harbourmaster Quell raises", (Face("a", 6), Face("a", 2)))
    panel = DrawnPanel(Panel("scene", "scene", "Who?", (raised,)), INK, 56)
    assert len(panel.row(0, Room.CLOSE, full=True).lines) == 1


def test_numbers_are_named_before_texts() -> None:
    """Where rows have no line of their own and a title hasn't room for all of them."""
    rows: tuple[Row, ...] = (
        TextRow("b", "Background", "not chosen yet"),
        *(DiceRow(name, name, 2) for name in ("Body", "Mind", "Soft")),
    )
    panel = DrawnPanel(Panel("crew.mara", "crew", "Mara", rows), INK, 44)
    assert panel.title(Room.VITAL)[0].text.rstrip().endswith(" Body 2  Mind 2  Soft 2 and 1 more")


def test_the_mark_for_more_stands_in_the_column_that_goes_on() -> None:
    """Not under a column that has ended."""
    long = Panel("ship", "ship", "Ship", tuple(PipsRow(f"{n}", f"Row {n}", 1, 3) for n in range(40)))
    short = Panel("crew.a", "crew", "Ana", (PipsRow("a", "Vitality", 1, 3),))
    layout = layout_bridge([long, short], INK, 100, 20, Room.CLOSE)
    assert layout.end_below(10) < 60
    assert layout.end_below(len(layout.lines) - 1) == 100
