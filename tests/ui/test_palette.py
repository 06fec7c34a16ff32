"""What widgets draw, without a screen: widths, sums, keys, cuts."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from waylog.app.base_app_and_attention import BaseApp
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.rules.model.odds import Chance, Odds, Ratio, Spread, percent
from waylog.rules.model.panels import DiceRow, MarkRow, Panel, PipsRow, Tag, TextRow, Tone
from waylog.themes import theme
from waylog.ui.draw import dice, odds
from waylog.ui.draw.cell_lines import CellLine, DrawnStyles, cells_of, cut, wrap_text
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.panel_layout import layout_panels
from waylog.ui.line.choice_list import draw_choices, layout_choices
from waylog.ui.line.choices import Choice, CompletionWord
from waylog.ui.line.line_editor_and_recall import LineEditor
from waylog.ui.line.parsed_line import completed_line

_THEME = theme("dark")
INK = Palette({**_THEME.to_color_system().generate(), **_THEME.variables})
texts = st.text(st.characters(codec="utf-8"), max_size=60)


@given(texts, st.integers(0, 30))
def test_a_cut_text_fits(text: str, room: int) -> None:
    """Never wider than it may be, and the same where it fits."""
    fitting = cut(text, room)
    assert cells_of(fitting) <= room or room == 0
    if cells_of(text) <= room:
        assert fitting == text


@given(st.lists(texts, max_size=6), st.integers(1, 60))
def test_a_line_is_as_wide_as_the_window(parts: list[str], width: int) -> None:
    """Whatever is added, its strip has exactly the width it was made for."""
    line = CellLine(width)
    for part in parts:
        line.add(part, INK.plain).to(line.used + 1)
    strip = line.strip(DrawnStyles(Style()))
    assert sum(cells_of(segment.text) for segment in strip) == width


@given(texts, st.integers(1, 20))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    """Every character but blanks is still there, in order."""
    lines = wrap_text(text, width)
    assert "".join("".join(lines).split()) == "".join("".join(wrap_text(text, 10_000)).split())


@given(
    st.lists(st.text("ab", min_size=1, max_size=9), max_size=12).map(" ".join), st.integers(2, 20), st.integers(1, 5)
)
def test_what_is_cut_while_wrapping_says_so(text: str, width: int, most: int) -> None:
    """The last of as many lines as there may be ends with a mark where there was more, and with none where there was not."""
    whole, lines = wrap_text(text, width), wrap_text(text, width, most)
    assert len(lines) == min(len(whole), most)
    assert all(cells_of(line) <= width for line in lines)
    if len(whole) > most:
        assert lines[:-1] == whole[: most - 1]
        assert lines[-1].endswith("…")
    else:
        assert lines == whole


def test_blanks_that_make_room_leave_no_mark() -> None:
    """Under the cursor a line is filled to its end with blanks; nothing of what it says is lost with them."""
    assert (
        CellLine(20).add("Dust", INK.plain).over(INK.under_cursor).with_end("↓ more ", INK.key).text
        == "Dust         ↓ more "
    )
    assert CellLine(12).add("Dust and ash", INK.plain).with_end("↓ ", INK.key).text == "Dust and… ↓ "


chances = st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any)


@given(chances, st.integers(8, 120))
def test_the_bar_is_full_and_shows_every_chance(weights: list[int], width: int) -> None:
    """It has the width it was given, and what may happen has a cell at least."""
    total = sum(weights)
    spread = Spread(
        "", tuple(Chance(m.value, m.value, m, Ratio(w, total)) for m, w in zip(OutcomeGrade, weights, strict=True))
    )
    line = odds.bar(spread, INK, CellLine(width), width)
    assert line.used == width
    assert len(set(line.text)) == sum(1 for weight in weights if weight)


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (Ratio(1, 8), "12.5 %"),
        (Ratio(0), "0 %"),
        (Ratio(1), "100 %"),
        (Ratio(1, 100_000), "<0.1 %"),
        (Ratio(99_999, 100_000), ">99.9 %"),
    ],
)
def test_per_cents_never_round_to_what_is_not_so(chance: Ratio, said: str) -> None:
    """Only the impossible is 0, only the certain is 100."""
    assert percent(chance) == said


def test_odds_keep_to_their_lines() -> None:
    """However few lines there are, the figures are among them."""
    spread = Spread("", tuple(Chance(mood.value, mood.value.title(), mood, Ratio(1, 4)) for mood in OutcomeGrade))
    many = Odds("4d6", spread, (spread,), (NoteFact("because", "VK-17"),) * 3, (NoteFact("then"),) * 5)
    for height in range(1, 12):
        lines = odds.draw_odds(many, INK, 80, height)
        assert len(lines) <= height
        assert any("25 %" in line.text for line in lines)


def test_faces_show_pips_and_figures() -> None:
    """A die has as many pips as its face, and its figure beneath; other dice say what they are."""
    lines = dice.faces((Face("NAV", 5), Face("oracle", 17, 20)), INK, 40)
    assert sum(line.text.count("●") for line in lines) == 5
    assert "d20" in lines[0].text
    assert "17" in lines[1].text
    assert lines[3].text.startswith("5 NAV")


PANELS = (
    Panel("core", "ship", "CORE", (DiceRow("nav", "NAV", 3, "navigate"), PipsRow("focus", "Focus", 2, 3))),
    Panel("tokens", "ship", "Tokens", (MarkRow("i", "Integrity", True, "held"), MarkRow("e", "Engine", False, "lost"))),
    Panel("words", "ship", "", (TextRow("t", "Mission", "a long way to go " * 20),), (Tag("Wrecked"),)),
    Panel("none", "ship", "Nothing", ()),
)


@pytest.mark.parametrize(("width", "height"), [(120, 24), (80, 15), (40, 11), (30, 4), (10, 2)])
def test_every_row_has_a_place(width: int, height: int) -> None:
    """At any size each row can be walked to, lies within the width, and says whether a thing is held by a sign."""
    layout = layout_panels(PANELS, INK, width, height)
    assert [place.row.key for place in layout.places] == ["nav", "focus", "i", "e", "t"]
    assert all(place.x + place.width <= width for place in layout.places)
    drawn = "\n".join(layout.line(y, 0, INK).text for y in range(len(layout.lines)))
    assert width < 30 or ("✓ Integrity" in drawn and "✗ Engine" in drawn)


def test_a_list_lies_within_its_lines() -> None:
    """Cells don't overlap and don't pass the edge."""
    choices = [Choice(CompletionWord(str(n)), f"choice {n} " + "x" * (n % 30), key=str(n)) for n in range(40)]
    for width in (30, 64, 80, 120, 200):
        cells = layout_choices(choices, width)
        taken = {(cell.line, x) for cell in cells for x in range(cell.x, cell.x + cell.width)}
        assert len(taken) == sum(cell.width for cell in cells)
        assert all(cell.x + cell.width <= width for cell in cells)
        assert all(line.used <= width for line in draw_choices(choices, cells, INK, width, 3))


def test_a_list_in_which_labels_are_cut_leaves_out_how_all_of_them_begin() -> None:
    """What tells them apart is in sight. One of them may begin otherwise; where nothing is cut, all are whole."""
    labels = [f"Roll for {name}: {what}" for what in ("Craft", "Watch", "Body") for name in ("Irsa Venn", "Dr Holm")]
    choices = [
        *(Choice(CompletionWord(each), each, key="r") for each in labels),
        Choice(CompletionWord("2d6"), "Any dice"),
    ]

    def drawn(width: int) -> str:
        cells = layout_choices(choices, width, 5)
        return "\n".join(line.text for line in draw_choices(choices, cells, INK, width, None))

    assert "r  Irsa Venn: Craft" in drawn(52)
    assert "Any dice" in drawn(52)
    assert "…" not in drawn(52)
    assert drawn(100).count("Roll for") == len(labels)


@given(st.lists(st.sampled_from(["left", "right", "backspace", "ctrl+w", "home", "delete", "é", "word ", "ctrl+k"])))
def test_the_editor_keeps_its_place_in_its_text(keys: list[str]) -> None:
    """The cursor is never outside the text."""
    editor = LineEditor()
    for key in keys:
        if not editor.consume_key(key):
            editor.insert(key)
        assert 0 <= editor.at <= len(editor.text)


def test_a_paste_is_one_line_without_controls() -> None:
    """Line ends become blanks; nothing that is pasted can act."""
    editor = LineEditor()
    editor.insert("roll nav\r\nundo\x1b[31m")
    assert editor.text == "roll nav undo[31m"


@pytest.mark.parametrize(
    ("text", "word", "line"),
    [("n", "nav", "nav "), ("nav ", "aft", "nav aft "), ("nav x", "aft", "nav aft "), ("", "a", "a ")],
)
def test_a_word_is_completed(text: str, word: str, line: str) -> None:
    """The begun word gives way to the whole one."""
    assert completed_line(text, word) == line


def _drawn(panels: Sequence[Panel], width: int, height: int) -> str:
    layout = layout_panels(panels, INK, width, height)
    return "\n".join(layout.line(y, None, INK).text for y in range(len(layout.lines)))


def test_an_empty_place_is_no_loss() -> None:
    """A slot that never had anything is told from one that was destroyed."""
    rows = (MarkRow("1", "#1", False, "empty"), MarkRow("2", "#2 EAR", False, "destroyed"))
    empty, destroyed = _drawn((Panel("m", "ship", "Modules", rows),), 60, 20).splitlines()[-2:]
    assert empty.split() == ["·", "#1", "empty"]
    assert destroyed.split() == ["✗", "#2", "EAR", "destroyed"]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_how_someone_stands_is_never_cut(width: int) -> None:
    """Long tags go under the title, in full."""
    tags = (Tag("Exposed: while the clock “Open to the Veil” runs", Tone.WARN), Tag("rolls Desperate", Tone.BAD))
    drawn = _drawn((Panel("w", "crew", "Wick", (), tags), Panel("x", "crew", "X", ())), width, 20)
    said = " ".join(line[: width // 2 + 2] if width >= 64 else line for line in drawn.splitlines())
    assert "Exposed: while the clock “Open to the Veil” runs ✗ rolls Desperate" in " ".join(
        said.replace("X ─", "").replace("─", "").split()
    )


def test_four_people_share_the_whole_width() -> None:
    """No column stays empty beside tools that are cut."""
    rows = (MarkRow("p", "Primary", True, "works", "tether gun +2d6 · 200 metres"),) * 6
    panels = tuple(Panel(name, "crew", name, rows) for name in "abcd")
    assert _drawn(panels, 120, 24).count("200 metres") == 24


def test_twenty_cells_of_a_module_show() -> None:
    """A name of twenty characters is whole, in a narrow column too."""
    rows = (MarkRow("1", "#1 AFTERBURNERS PORTSID", True, "whole", "NAV +1d6"),)
    panels = tuple(Panel(f"{n}", "ship", "Modules", rows) for n in range(2))
    assert _drawn(panels, 84, 20).count("AFTERBURNERS PORTSID") == 2


def test_dice_say_whole_what_they_are_for_where_there_is_room() -> None:
    """Names under dice are cut only where the line is."""
    thrown = (Face("NAV", 3), Face("KEELWING", 5))
    assert "5 KEELWING" in dice.faces(thrown, INK, dice.named_dice_width(thrown))[3].text
    assert all(line.used <= 20 for line in dice.faces(thrown, INK, 20))


def test_the_forecast_comes_before_what_focus_would_do() -> None:
    """Where there are few lines, what a Fiasco will bring is among them."""
    spread = Spread("", tuple(Chance(mood.value, mood.value.title(), mood, Ratio(1, 4)) for mood in OutcomeGrade))
    other = Spread(
        "1 Focus", tuple(Chance(m.value, m.value, m, Ratio(m is OutcomeGrade.SUCCESS)) for m in OutcomeGrade)
    )
    lines = odds.draw_odds(Odds("2d6", spread, (other,), (), (NoteFact("On a Fiasco: damage"),)), INK, 80, 4)
    assert "On a Fiasco" in "\n".join(line.text for line in lines)


def test_many_chances_have_labels_in_one_line() -> None:
    """Sums that nothing else names are shown in ranges, each with its percentage; nothing is a sign alone."""
    spread = Spread("the two best", tuple(Chance(str(n), str(n), None, Ratio(1, 19)) for n in range(2, 21)))
    (line,) = odds.figures(spread, INK, 80)
    assert line.text.lstrip().startswith("• 2")
    assert re.fullmatch(r"\s*(• \d+(–\d+)? [\d.]+ %\s+)+", line.text)
    labelled = Spread("", tuple(Chance(m.value, f"A {m.value} of many words", m, Ratio(1, 4)) for m in OutcomeGrade))
    lines = odds.figures(labelled, INK, 40)
    assert len(lines) > 1
    assert all(f" {mood.value.capitalize()} " in " ".join(line.text for line in lines) for mood in OutcomeGrade)
    # Where the short name is no part of the label, there would be two names for one outcome.
    other = Spread("", tuple(Chance(f"x{m.value}", f"Outcome of {m.value}", m, Ratio(1, 4)) for m in OutcomeGrade))
    words = " ".join(line.text for line in odds.figures(other, INK, 40))
    assert all(each.label in words for each in other.chances)


def test_odds_keep_their_order() -> None:
    """However high the window is, the pool stands above the figures and what follows below; a cut is marked."""
    spread = Spread("", tuple(Chance(mood.value, mood.value.title(), mood, Ratio(1, 4)) for mood in OutcomeGrade))
    many = Odds("4d6", spread, (), (NoteFact("because"),), (NoteFact("then"),) * 5)
    for height in range(2, 12):
        text = [line.text.strip() for line in odds.draw_odds(many, INK, 80, height)]
        assert text[0] == "4d6"
        assert [line for line in text if "25 %" in line] == [next(line for line in text[1:3] if "25 %" in line)]
        assert height >= 8 or height == 2 or text[-1].endswith("…")


def test_a_refused_choice_is_measured_with_its_sign() -> None:
    """Why it can't be chosen is whole where the line has room, and the next choice is on a line of its own."""
    why = "integrity is lost (VK-35)"
    choices = [
        Choice(CompletionWord(word), label, refused=refused, held=False, group="Instead of dice")
        for word, label, refused in (("a", "Throw the dice", ""), ("b", "Spend integrity", why), ("c", "Spend it", ""))
    ]
    lines = [line.text for line in draw_choices(choices, layout_choices(choices, 100), INK, 100, None)]
    assert "✗ Integrity is lost (VK-35)" in lines[0]
    assert "Spend it" in "".join(lines)


def test_the_filters_of_all_lines_stay_the_same_objects() -> None:
    """A style is then not filtered again: with each key that would take a third of the time."""
    app = BaseApp()
    for no_color in (False, True):
        app.no_color = no_color
        once, again = app.get_line_filters(), app.get_line_filters()
        assert [id(each) for each in once] == [id(each) for each in again]


def test_outcomes_with_one_sign_are_named() -> None:
    """Where the figures of two outcomes have the same sign, the sign alone would say nothing."""
    bad, worse, good = (
        Chance(name.lower(), name, mood, Ratio(part, 10))
        for name, mood, part in (
            ("Lost", OutcomeGrade.FIASCO, 2),
            ("Hurt", OutcomeGrade.FIASCO, 3),
            ("Fine", OutcomeGrade.SUCCESS, 5),
        )
    )
    spent = Spread("with 1 Luck", (bad, worse, good))
    usual = Spread("", (worse, good))
    text = " ".join(line.text for line in odds.draw_odds(Odds("2d6", usual, (spent,), (), ()), INK, 80, 6))
    assert "with 1 Luck: ✗ Lost 20 %  ✗ Hurt 30 %  ✓ 50 %" in text


def test_a_reason_that_is_too_long_ends_with_its_first_sentence() -> None:
    """Half of the next one would say nothing; where both fit, both are there."""
    why = "this roll is Desperate. The wayfinder can overrule this"
    choices = (Choice(CompletionWord("standard"), "Standard", refused=why, held=False, group="Risk"),)
    drawn = {
        width: draw_choices(choices, layout_choices(choices, width), INK, width, None)[0].text.rstrip()
        for width in (60, 100)
    }
    assert drawn[60].endswith("Standard  ✗ This roll is Desperate")
    assert drawn[100].endswith("can overrule this")
