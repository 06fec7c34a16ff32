"""The theme's colours by meaning, and the signs of outcomes, which say the same without colours."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cached_property

from rich.style import Style
from textual.color import Color
from textual.widget import Widget

from waylog.rules.model.facts import OutcomeFact, OutcomeGrade
from waylog.rules.model.panels import Tone

SIGNS: Mapping[OutcomeGrade | None, str] = {
    OutcomeGrade.FIASCO: "✗",
    OutcomeGrade.DRAWBACK: "◐",
    OutcomeGrade.SUCCESS: "✓",
    OutcomeGrade.CRITICAL: "★",
    None: "•",
}
"""The signs of outcomes, which say the same without colours."""


DIFFERS = "≠"
"""The sign at what is different now, in views of an earlier moment."""


def outcome_words(outcome: OutcomeFact) -> str:
    """Return an outcome's sign and name: `✓ Success`."""
    return f"{SIGNS[outcome.mood]} {outcome.label}"


class Palette:
    """The theme's colours by meaning. The widget gives the background unless a name asks for one.

    Without colours, everything with a background of its own is reversed, and everything unimportant is dim.
    """

    def __init__(self, variables: Mapping[str, str], *, coloured: bool = True) -> None:
        def ink(name: str, back: str | None = None, *, bold: bool = False) -> Style:
            if not coloured:
                return Style(reverse=True if back else None, bold=bold or None, dim=True if name == "dim" else None)
            behind = Color.parse(variables[back]).rich_color if back else None
            return Style(color=Color.parse(variables[name]).rich_color, bgcolor=behind, bold=bold or None)

        self.plain = ink("foreground")
        self.strong = ink("title", bold=True)
        self.dim = ink("dim")
        self.rule = ink("rule")
        self.accent = ink("primary", bold=True)
        self.key = ink("key", bold=True)
        self.held = ink("held", bold=True)
        self.lost = ink("lost", bold=True)
        self.warn = ink("tone-warn")
        self.bad = ink("tone-bad", bold=True)
        self.cursor = ink("cursor-text", "cursor", bold=True)
        self.caret = ink("background", "foreground", bold=True)
        behind = Style(bgcolor=Color.parse(variables["cursor"]).rich_color) if coloured else Style(reverse=True)
        self.under_cursor = behind + Style(bold=True)
        self.die = ink("die-text", "die", bold=True)
        self.alert = ink("banner-text", "banner", bold=True)
        self.found = ink("key", bold=True) + Style(underline=True)
        self.filled = ink("clock-filled", bold=True)
        self.empty = ink("clock-empty")
        self.differs = ink("tone-warn", bold=True)
        self.struck = self.dim + Style(strike=True)
        self.moods: Mapping[OutcomeGrade | None, Style] = {
            OutcomeGrade.FIASCO: ink("fiasco", bold=True),
            OutcomeGrade.DRAWBACK: ink("drawback", bold=True),
            OutcomeGrade.SUCCESS: ink("success-text", bold=True),
            OutcomeGrade.CRITICAL: ink("critical", bold=True),
            None: self.strong,
        }
        self.tones: Mapping[Tone, Style] = {
            Tone.PLAIN: self.plain,
            Tone.GOOD: ink("tone-good"),
            Tone.WARN: ink("tone-warn"),
            Tone.BAD: ink("tone-bad", bold=True),
            Tone.DIM: self.dim,
        }

    @cached_property
    def grey(self) -> Palette:
        """The palette for what takes no part: every text is as faint as unimportant ones, which can be read on any theme."""
        grey = copy(self)
        for name in ("plain", "strong", "accent", "key", "held", "lost", "warn", "bad", "filled"):
            setattr(grey, name, self.dim)
        grey.die = self.dim + Style(reverse=True)
        grey.moods = dict.fromkeys(self.moods, self.dim)
        grey.tones = dict.fromkeys(self.tones, self.dim)
        return grey


_made: dict[bool, tuple[Mapping[str, str], Palette]] = {}
"""The palette that was made last, with colours and without, and what it was made from."""


def ink_of(widget: Widget) -> Palette:
    """Return the palette of the colours that the app has now. It is made once for each set of colours."""
    variables, coloured = widget.app.theme_variables, not widget.app.no_color
    made = _made.get(coloured)
    # Not by the theme's name: a file that is edited, or that only one home has, gives other colours to the same name.
    if made is None or made[0] is not variables:
        made = _made[coloured] = variables, Palette(variables, coloured=coloured)
    return made[1]
