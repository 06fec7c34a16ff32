"""The table's screen (`waylog watch --table`): for a television that everybody looks at and nobody types at.

A roll takes the whole window: who rolls, the dice as they fell, the odds that it had, and the outcome. Then it folds away into
clocks, ship and crew, which turn their pages by themselves where there are more than the window shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import ClassVar

from rich.style import Style
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.timer import Timer

from waylog.rules.model.dice import Face
from waylog.rules.model.odds import Odds
from waylog.rules.model.panels import Panel
from waylog.store.players.players_file import Projection, ShownRoll, VisibleAct, latest_roll
from waylog.store.shown.countdowns import Ticker
from waylog.ui.draw import dice as small
from waylog.ui.draw import odds as odds_drawing
from waylog.ui.draw import players_view_in_lines
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.clickable_line_view import LineView, Page
from waylog.ui.draw.colours import SIGNS, Palette
from waylog.ui.draw.large_letters_and_dice import big_dice, big_dice_width, big_text
from waylog.values import replace
from waylog.words.sentences import whole_cards

ROLL_SHOWN = 20.0
"""Seconds for which a roll with its outcome has the window. One that waits for a choice keeps it."""
PAGE_SHOWN = 8.0
"""Seconds until the next page of what doesn't fit into the window."""
_WAITING = "Waiting for the wayfinder to start"


class WallView(LineView[None], can_focus=False):
    """The whole window of the table's screen."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: Projection | None = None
        self._trouble = ""
        self._roll: ShownRoll | None = None
        self._fold: Timer | None = None
        self._turned = 0
        self._ticker = Ticker(self.set_timer, lambda _: self.repaint())

    def on_mount(self) -> None:
        self.set_interval(PAGE_SHOWN, self._turn)

    def show(self, seen: Projection | None, trouble: str = "") -> None:
        """Show another projection. A roll that is new in it takes the window."""
        before = self._seen
        if (seen, trouble) == (before, self._trouble):
            return
        self._seen, self._trouble = seen, trouble
        self._ticker.follow(seen.timers if seen else ())
        if seen and before and seen.log != before.log:
            self._take(seen.log)
        if seen and seen.stakes and seen.stakes != (before.stakes if before else ()):
            self._roll = None  # What comes next is looked at now.
        self.repaint()

    def _take(self, acts: Sequence[VisibleAct]) -> None:
        roll = latest_roll(acts)
        if roll is None and (self._roll is None or self._roll.outcome):
            return  # The last roll stays until its time is over, whatever else is noted meanwhile.
        if roll and self._roll and roll.odds is None and roll.who == self._roll.who:
            roll = roll._replace(odds=self._roll.odds)  # Another program has written the file.
        self._roll = roll
        if self._fold:
            self._fold.stop()
            self._fold = None
        if roll and (roll.outcome or roll.followed):
            self._fold = self.set_timer(ROLL_SHOWN, self._fold_away)

    def _fold_away(self) -> None:
        self._roll = None
        self._turned = 0
        self.repaint()

    def _turn(self) -> None:
        self._turned += 1
        self.repaint()

    # -- rendering ----------------------------------------------------------------------------------------------

    def render_page(self, ink: Palette, width: int, height: int) -> Page[None]:
        seen = self._seen
        if seen is None:
            return Page(_in_the_middle([_centre(self._trouble or _WAITING, ink.strong, width)], width, height))
        head = [players_view_in_lines.title(seen, ink, width, "")]
        if timers := self._ticker.forms():
            fitting = next((each for each in timers if cells_of(each) < width), timers[-1])
            head.append(CellLine(width).to(1).add(fitting, ink.accent))
        head += [CellLine(width).add(f" ! {part}", ink.alert) for part in wrap_text(self._trouble, width - 4, 2)]
        room = height - len(head)
        if self._roll:
            return Page([*head, *_in_the_middle(_draw_roll(self._roll, seen, ink, width, room), width, room)])
        if seen.stakes:
            return Page([*head, *_in_the_middle(_draw_stakes(seen, ink, width, room), width, room)])
        found = _idle_pages(seen, ink, width, room)
        page = found[self._turned % len(found)]
        lines = [*head, *page, *(CellLine(width) for _ in range(room - len(page)))][:height]
        if len(found) > 1:
            number = f" {self._turned % len(found) + 1}/{len(found)} "
            lines[0] = players_view_in_lines.title(seen, ink, width, number)
        return Page(lines)


def _centre(text: str, style: Style, width: int) -> CellLine:
    return CellLine(width).to(max(0, (width - cells_of(text)) // 2)).add(text, style)


def _in_the_middle(lines: Sequence[CellLine], width: int, height: int) -> list[CellLine]:
    above = max(0, (height - len(lines)) // 2)
    filled = [*(CellLine(width) for _ in range(above)), *lines]
    return [*filled, *(CellLine(width) for _ in range(height - len(filled)))][:height]


# -- a roll ----------------------------------------------------------------------------------------------------------


def _draw_roll(roll: ShownRoll, seen: Projection, ink: Palette, width: int, height: int) -> list[CellLine]:
    """Draw a roll as large as there is room for: the outcome gives way last."""
    blank = CellLine(width)
    who = [_centre(part, ink.accent, width) for part in wrap_text(roll.who, width - 4, 2)]
    chances = _draw_odds(roll.odds, ink, width) if roll.odds else []
    result = [*_outcome_forms(roll, seen.question, ink, width)]
    lines = list[CellLine]()
    *drawn, figures = _dice_forms(roll.dice, ink, width)
    for outcome, dice in (*product(result, drawn), *product(result, [figures])):
        parts = [part for part in (who, dice, chances, outcome) if part]
        lines = [line for number, part in enumerate(parts) for line in ([blank, *part] if number else part)]
        if len(lines) <= height:
            break
    at_stake = [note.text for one in seen.stakes for note in one.forecast if roll.outcome is None]
    followed = [
        _centre(part, ink.plain, width) for text in roll.followed or at_stake for part in wrap_text(text, width - 4)
    ]
    return [*lines, blank, *followed][:height] if followed else lines[:height]


def _draw_stakes(seen: Projection, ink: Palette, width: int, height: int) -> list[CellLine]:
    """Draw what is at stake in the next roll, as large as there is room for."""
    lines = list[CellLine]()
    for one in seen.stakes:
        lines += [_centre(part, ink.accent, width) for part in wrap_text(one.title, width - 4)]
        lines += [CellLine(width), *_draw_odds(one.odds, ink, width), CellLine(width)]
        for note in one.forecast:
            lines += [_centre(part, ink.strong, width) for part in wrap_text(note.text, width - 4)]
    return lines[:height]


def _dice_forms(dice: Sequence[Face], ink: Palette, width: int) -> Iterator[list[CellLine]]:
    """Yield the dice, the largest form first."""
    dice = whole_cards(dice)
    figures = small.inline(dice, ink, CellLine(width).to(2), 2)
    if any(die.symbols for die in dice):
        yield figures
        return
    wide = big_dice_width(dice)
    if wide <= width - 2:
        yield [_indent(line, (width - wide) // 2, width) for line in big_dice(dice, ink, wide)]
    wide = small.named_dice_width(dice)
    if wide <= width - 2:
        yield [_indent(line, (width - wide) // 2, width) for line in small.faces(dice, ink, wide)]
    yield figures


def _indent(line: CellLine, by: int, width: int) -> CellLine:
    return CellLine(width).to(by).join(line)


def _draw_odds(odds: Odds, ink: Palette, width: int) -> list[CellLine]:
    margin = width // 8
    thick = odds_drawing.bar(odds.spread, ink, CellLine(width).to(margin), width - 2 * margin)
    return [
        thick,
        thick,
        *(_indent(line, margin - 2, width) for line in odds_drawing.figures(odds.spread, ink, width - 2 * margin + 4)),
    ]


def _outcome_forms(roll: ShownRoll, question: str, ink: Palette, width: int) -> Iterator[list[CellLine]]:
    """Yield the outcome, the largest form first; of a roll that waits for a choice, the question; nothing if there is neither."""
    if roll.outcome is None:
        yield [_centre(part, ink.warn, width) for part in wrap_text(question, width - 4)]
        return
    style, text = ink.moods[roll.outcome.mood], f"{SIGNS[roll.outcome.mood]} {roll.outcome.label}"
    large = big_text(roll.outcome.label, width - 4)
    if large:
        left = (width - max(map(len, large))) // 2
        yield [CellLine(width).to(left).add(line, style) for line in large]
    band = style + Style(reverse=True)
    yield [CellLine(width).fill(" ", band), _centre(text, band, width).over(band), CellLine(width).fill(" ", band)]
    yield [_centre(text, style, width)]


# -- between rolls -----------------------------------------------------------------------------------------------------


def _idle_pages(seen: Projection, ink: Palette, width: int, height: int) -> Sequence[Sequence[CellLine]]:
    """Return clocks, ship, crew and cards on one page, or on as many as they take. The latest of the log is where there is room.

    A panel stands whole on its page if the window is high enough for it.
    """
    blank = CellLine(width)
    discs, panels = (
        players_view_in_lines.clocks(seen, ink, width, height),
        players_view_in_lines.sheet(seen, ink, width, height),
    )
    whole = [*discs, *([blank] if discs else []), *panels]
    if len(whole) <= height:
        return [[*whole, *_latest(seen, ink, width, height - len(whole))]]
    found, left = list[list[CellLine]](), list(seen.panels)
    above = [*discs, blank] if discs else []
    while left:
        count, room = len(left), height - len(above)
        while count and len(_sheet_of(seen, left[:count], ink, width, room)) > room:
            count -= 1
        if not count and not above:
            count = 1  # It is higher than the window, so it takes several pages.
        lines = [*above, *_sheet_of(seen, left[:count], ink, width, room)] if count else above
        found += [lines[at : at + height] for at in range(0, len(lines), height)]
        left, above = left[count:], []
    cards = players_view_in_lines.sheet(replace(seen, panels=()), ink, width, height)
    found += [cards[at : at + height] for at in range(0, len(cards), height)]
    return [[*page, *_latest(seen, ink, width, height - len(page))] for page in found or [above]]


def _latest(seen: Projection, ink: Palette, width: int, room: int) -> list[CellLine]:
    """Return the end of the log under a heading, with a blank line above it; nothing if it has few lines."""
    acts = players_view_in_lines.latest_acts(seen, ink, width, room - 2) if room > 3 else []
    head = CellLine(width).to(2).add("Log ", ink.accent).fill("─", ink.rule, until=width - 2)
    return [CellLine(width), head, *acts] if acts else []


def _sheet_of(seen: Projection, panels: Sequence[Panel], ink: Palette, width: int, height: int) -> list[CellLine]:
    return players_view_in_lines.sheet(replace(seen, panels=tuple(panels), decks=()), ink, width, height)


class WallScreen(Screen[None], inherit_bindings=False):
    """The screen of the table: it has no keys of its own."""

    CSS_PATH = "wall.tcss"
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self) -> None:
        super().__init__()
        self._view = WallView()

    def compose(self) -> ComposeResult:
        yield self._view

    def show(self, seen: Projection | None, trouble: str = "") -> None:
        """Show another projection. `trouble` stands above the last one that could be read."""
        self._view.show(seen, trouble)
