"""The meaning of a typed line in a few lines: the act with its odds, or what keeps it from being played."""

from __future__ import annotations

from waylog.rules.answers import reveals
from waylog.rules.moves import Act, Allocate, Refusal, Text, reason_of
from waylog.ui.draw.odds import draw_odds
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.ui.line.choices import Choice
from waylog.ui.line.parsed_line import ParsedLine


def draw_refusal(refusal: Refusal, ink: Palette, width: int) -> list[CellLine]:
    """Draw why the line was refused."""
    return [
        CellLine(width).to(2).add("✗ " if not n else "  ", ink.bad).add(part, ink.bad)
        for n, part in enumerate(wrap_text(reason_of(refusal), width - 6))
    ][:3]


def _answer_texts(act: Act) -> str:
    """Return the answers so far, texts last, because they may be long. The list may have no room to show them."""
    words, texts = list[str](), list[str]()
    for ask in act.move.asks:
        match act.answers.get(ask.name):
            case str(answer) if isinstance(ask, Text) and answer:
                texts.append(f"“{answer}”")
            case str() | int() as answer if answer != "":
                words.append(str(answer))
            case tuple() as answer if not isinstance(ask, Allocate):
                words += map(str, answer)
            case _:
                pass
    return " ".join((*((", ".join(words),) if words else ()), *texts))


def meaning(
    reading: ParsedLine,
    problem: Refusal | None,
    marked: Choice | None,
    ink: Palette,
    width: int,
    height: int,
    *,
    title: str,
    pool: bool = True,
) -> list[CellLine]:
    """Draw the line as far as it is understood. `problem` is the reason why it can't be played. What `title` says already
    isn't said again. With `pool`, a roll's dice are drawn too.
    """
    if marked and marked.refused:
        refused = CellLine(width).to(2).add(f"✗ {marked.refused}", ink.warn)
        # The figures stay where they are while the cursor passes what can't be chosen.
        odds_lines = draw_odds(reading.odds, ink, width, height - 1, pool=pool) if reading.odds and height > 1 else []
        return [*odds_lines, refused]
    if reading.act is None:
        return [CellLine(width).to(2).add(part, ink.warn) for part in wrap_text(reason_of(problem), width - 4)][:2]
    label = reading.act.move.label
    line = CellLine(width).to(2).add("" if label == title else label, ink.accent)
    if answered := _answer_texts(reading.act):
        line.add(answered if label == title else f": {answered}", ink.strong)
    if reading.act.faces:
        line.add("  real dice ", ink.dim).add(" ".join(map(str, reading.act.faces)), ink.strong)
    says = [line] if line.text.strip() else []
    if problem:
        why = wrap_text(f"… {reason_of(problem)}", width - 4)[:2]
        lines = [CellLine(width).to(2).add(part, ink.warn) for part in why]
        if reading.wrong and reading.odds and height > len(lines):
            # The figures are those of the other words, and stay where they are.
            return [*draw_odds(reading.odds, ink, width, height - len(lines), pool=pool), *lines]
        return [*says, *lines] if len(lines) < height else lines[:height]
    if reading.odds is None:
        shows = wrap_text(reveals(reading.act.move, reading.act.answers), width - 4)
        warning = [CellLine(width).to(2).add(part, ink.warn) for part in shows]
        forecast = reading.act.move.forecast
        warning += [
            CellLine(width).to(2).add(part, ink.dim) for part in wrap_text(f"→ {forecast}", width - 4) if forecast
        ]
        # If there is no room for both, what players would see comes before what Enter does.
        return [*says, *warning] if len(warning) < height else warning[:height] or says[:height]
    return draw_odds(reading.odds, ink, width, height, pool=pool)
