"""Pages to print: sheets, clocks, cards, tables, a recap, keys and odds, as HTML for a browser, in black and white.

They are made from the values that screens show. What may still change is printed in grey, so that a pencil can go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from math import cos, pi, sin
from pathlib import Path

from waylog.rules.common.random_tables import RandomTable, numbers_text
from waylog.rules.common.scene_cards import SceneCard
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.odds import Odds, Spread, percent
from waylog.rules.model.panels import FULL, ClockRow, DiceRow, FacesRow, MarkRow, Panel, PipsRow, Row
from waylog.rules.what_players_know import VisibleClock, VisibleDeck
from waylog.signs import escape_controls

PAPERS: Mapping[str, str] = {"a4": "A4", "letter": "letter"}
"""The names of paper sizes in CSS, by the word that is typed for each."""
_NOTE_LINES = 3
_MOST_PIPS = 12
"""Above that, a number is printed as a number, with room for another one."""
_SHADES = ("#fff", "url(#lines)", "#777", "#000")
"""How outcomes are filled in a bar, from the worst on."""
_GRADES = [grade.value for grade in OutcomeGrade]
_MOST_ROLLS = 3
"""How many rolls are named beside a pool."""


def page(title: str, about: str, body: Iterable[str], paper: str) -> str:
    """Return a whole page. `paper` is a key of `PAPERS`."""
    style = (Path(__file__).parent / "paper.css").read_text(encoding="utf-8").replace("PAPER", PAPERS[paper])
    head = f"<header><h1>{_text(title)}</h1><p>{_text(about)}</p></header>"
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{_text(title)}</title><style>{style}</style></head>',
            f"<body>{head}",
            *body,
            "</body></html>\n",
        )
    )


def _text(text: str) -> str:
    return escape(escape_controls(text))


# -- sheets ------------------------------------------------------------------------------------------------------------


def sheets(panels: Sequence[Panel]) -> Iterator[str]:
    """Yield a box for each panel, with its rows to read and to fill in, and lines for notes under each character."""
    yield '<div class="two">'
    for panel in panels:
        tags = "".join(f'<span class="tag">{_text(tag.text)}</span>' for tag in panel.tags)
        role = f'<p class="small">{_text(panel.role)}</p>' if panel.role else ""
        rows = "".join(f"<dt>{_text(row.label)}</dt>{_row(row)}" for row in panel.rows)
        lines = f'<div class="lines">{"<div></div>" * _NOTE_LINES}</div>' if panel.place == "crew" else ""
        yield f'<section class="box"><h2>{_text(panel.title)}{tags}</h2>{role}<dl>{rows}</dl>{lines}</section>'
    yield "</div>"


def _row(row: Row) -> str:
    beside = " · ".join(filter(None, (row.note, row.about)))
    small = f'<span class="small">{_text(beside)}</span>' if beside else ""
    match row:
        case PipsRow(value=value, top=top):
            return f"<dd>{_pips(value, top)}{small}</dd>"
        case DiceRow(count=count):
            return f"<dd>{_shapes(count, count, square=True)} {count}d{small}</dd>"
        case MarkRow():
            return f"<dd>{_shapes(int(row.held or row.state == FULL), 1, square=True)} {_text(row.state)}{small}</dd>"
        case FacesRow(dice=dice):
            return f"<dd>{', '.join(str(face.face) for face in dice)}{small}</dd>"
        case ClockRow(clock=clock):
            return f"<dd>{clock.filled}/{clock.segments}</dd>"
        case _:
            return f'<dd class="free">{_text(row.text)}</dd>'


def _pips(value: int, top: int) -> str:
    if max(value, top) <= _MOST_PIPS:
        return _shapes(value, max(value, top), square=False)
    return f"{value} of {top}"


def _shapes(filled: int, count: int, *, square: bool) -> str:
    """Return so many circles or squares in a row, the first of them filled."""
    size, gap = 14, 4
    shapes = []
    for number in range(count):
        on, x = ' class="on"' if number < filled else "", 1 + number * (size + gap)
        shapes.append(
            f'<rect{on} x="{x}" y="1" width="{size}" height="{size}" rx="2"/>'
            if square
            else f'<circle{on} cx="{x + size / 2:g}" cy="8" r="{size / 2:g}"/>'
        )
    width = max(1, count) * (size + gap)
    return f'<svg width="{width}" height="16" viewBox="0 0 {width} 16">{"".join(shapes)}</svg>'


# -- clocks ------------------------------------------------------------------------------------------------------------


def clocks(of: Iterable[VisibleClock]) -> Iterator[str]:
    """Yield a large face for each clock, three beside each other. One whose progress is hidden is empty and says so."""
    yield '<div class="three">'
    for clock in of:
        kind = f"{clock.kind.value}, {clock.segments}"
        words = [kind if clock.filled is not None else f"{kind} · progress hidden"]
        outcome = f"<br>When full: {_text(clock.outcome)}" if clock.outcome else ""
        yield f'<section class="clock">{_face(clock.filled or 0, clock.segments)}<h2>{_text(clock.name)}</h2>'
        yield f'<p class="small">{_text(words[0])}{outcome}</p></section>'
    yield "</div>"


def _face(filled: int, segments: int) -> str:
    slices = []
    for number in range(segments):
        (x, y), (to_x, to_y) = (_on_rim(each / segments) for each in (number, number + 1))
        far = int(segments == 1)
        on = ' class="on"' if number < filled else ""
        slices.append(f'<path{on} d="M50 50 L{x} {y} A47 47 0 {far} 1 {to_x} {to_y} Z"/>')
    return f'<svg viewBox="0 0 100 100" stroke-width="1.6" stroke-linejoin="round">{"".join(slices)}</svg>'


def _on_rim(share: float) -> tuple[str, str]:
    angle = 2 * pi * share - pi / 2
    return f"{50 + 47 * cos(angle):.2f}", f"{50 + 47 * sin(angle):.2f}"


# -- cards and tables --------------------------------------------------------------------------------------------------


def cards(decks: Iterable[VisibleDeck], scenes: Iterable[SceneCard] = ()) -> Iterator[str]:
    """Yield a card to cut out for each card of the decks, and a box for each scene card."""
    for scene in scenes:
        paragraphs = "".join(f"<p>{_text(part)}</p>" for part in scene.pitch.split("\n\n") if part.strip())
        rows = (
            ("Who is there", scene.who),
            ("Begins with", scene.do),
            ("Tables and decks", (*scene.tables, *scene.decks)),
            ("If nobody comes", (scene.otherwise,)),
            ("Notes", (scene.notes,)),
        )
        listed_secrets = "".join(
            f"<dd>{_shapes(0, 1, square=True)} {_text(one.text)}</dd><dt></dt>" for one in scene.secrets.values()
        )
        listed = "".join(
            f"<dt>{name}</dt><dd>{'<br>'.join(map(_text, lines))}</dd>" for name, lines in rows if any(lines)
        )
        secrets = f"<dt>Secrets</dt>{listed_secrets.removesuffix('<dt></dt>')}" if listed_secrets else ""
        yield f'<section class="box"><h2>{_text(scene.title)}</h2>'
        yield f"<blockquote>{paragraphs}</blockquote><dl>{listed}{secrets}</dl></section>"
    for deck in decks:
        yield f'<h3>{_text(deck.name)}</h3><div class="three" style="gap:0">'
        for card in deck.cards:
            yield f'<section class="cut"><p>{_text(card.text)}</p>'
            yield f'<span class="small">{_text(deck.name)} · {card.luck.value}</span></section>'
        yield "</div>"


def tables(of: Iterable[RandomTable]) -> Iterator[str]:
    """Yield each random table with the numbers of its entries."""
    for table in of:
        yield f'<section class="box"><h2>{_text(table.name)} <span class="tag">{table.dice}</span></h2>'
        yield '<ol class="rolled">'
        for number, entry in table.numbered_entries:
            yield f"<li><b>{numbers_text(number, entry)}</b><span>{_text(entry.text)}</span></li>"
        yield "</ol></section>"


# -- keys and odds -----------------------------------------------------------------------------------------------------


def keys(groups: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[str]:
    """Yield the keys of each view with what they do."""
    yield '<div class="keys">'
    for heading, listed in groups.items():
        rows = "".join(f"<div><kbd>{_text(key)}</kbd><span>{_text(does)}</span></div>" for key, does in listed)
        yield f"<section><h3>{_text(heading)}</h3>{rows}</section>"
    yield "</div>"


def odds(rolls: Iterable[tuple[str, Odds]]) -> Iterator[str]:
    """Yield a wall chart: a row for each pool that differs, in the order of its dice, with the chance of each outcome, and with
    tokens spent. `rolls` are rolls with their titles; those without dice are left out.
    """
    pools: dict[tuple[str, Spread, tuple[Spread, ...]], list[str]] = {}
    for title, each in rolls:
        dice = each.dice.partition(":")[0]
        if dice[:1].isdigit():
            pools.setdefault((dice, each.spread, each.spends), []).append(title)
    if not pools:
        yield "<p>No roll with dice can be made now. Print this page again when one can.</p>"
        return
    in_order = sorted(pools.items(), key=lambda item: (_outcomes(*item[0][1:]), *_size(item[0][0]), _worst(item[0][1])))
    yield '<svg width="0" height="0" style="position:absolute"><defs><pattern id="lines" width="3" height="3" '
    yield 'patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3" height="3" fill="#fff" stroke="none"/>'
    yield '<line x1="0" y1="0" x2="0" y2="3" stroke-width="1"/></pattern></defs></svg>'
    for labels, group in groupby(in_order, key=lambda item: _outcomes(*item[0][1:])):
        heads = "".join(
            f"<th>{_swatch(_shade(mood, at, labels))} {_text(label)}</th>" for at, (label, mood) in enumerate(labels)
        )
        yield f"<table><thead><tr><th>Dice</th><th></th>{heads}</tr></thead>"
        for (dice, spread, spends), titles in group:
            names = list(dict.fromkeys(titles))
            more = f" and {len(names) - _MOST_ROLLS} more" if len(names) > _MOST_ROLLS else ""
            example = f'<span class="small">{_text(" · ".join(names[:_MOST_ROLLS]) + more)}</span>'
            yield f'<tbody><tr class="pools"><td class="pool">{_text(dice)}</td>{_chances(spread, labels)}</tr>'
            yield from (
                f'<tr class="spent"><td>{_text(each.label)}</td>{_chances(each, labels)}</tr>' for each in spends
            )
            yield f'<tr><td colspan="{2 + len(labels)}">{example}</td></tr></tbody>'
        yield "</table>"


_Outcomes = tuple[tuple[str, str], ...]
"""The outcomes of a table, worst first: the label of each, and its grade, which may be empty."""


def _outcomes(spread: Spread, spends: Sequence[Spread]) -> _Outcomes:
    """Return all outcomes of a pool, also those that only tokens bring."""
    every = (chance for each in (spread, *spends) for chance in each.chances)
    return tuple(dict.fromkeys((chance.label, chance.mood.value if chance.mood else "") for chance in every))


def _size(dice: str) -> tuple[int, int, str]:
    """Return what pools are ordered by: how many dice, how large they are, and their text."""
    found = re.match(r"(\d+)d(\d+)", dice)
    return (int(found[1]), int(found[2]), dice) if found else (0, 0, dice)


def _worst(spread: Spread) -> float:
    return -float(spread.chances[0].chance) if spread.chances else 0.0


def _shade(grade: str, place: int, outcomes: _Outcomes) -> str:
    """Return how an outcome is filled: by its grade, or by its place among those that have none."""
    if grade in _GRADES and all(other for _, other in outcomes):
        return _SHADES[_GRADES.index(grade)]
    return _SHADES[round(place * (len(_SHADES) - 1) / max(1, len(outcomes) - 1))]


def _swatch(fill: str) -> str:
    return f'<svg width="10" height="10"><rect x="1" y="1" width="8" height="8" style="fill:{fill}"/></svg>'


def _chances(spread: Spread, outcomes: _Outcomes) -> str:
    """Return the cells of a row: the bar, then the chance of each outcome."""
    chances = {chance.label: chance.chance for chance in spread.chances}
    bar, cells, x = "", "", 0.0
    for place, (label, grade) in enumerate(outcomes):
        width = 200 * float(chances.get(label, 0))
        fill = _shade(grade, place, outcomes)
        bar += f'<rect x="{x:.2f}" y="1" width="{width:.2f}" height="18" style="fill:{fill}"/>' if width else ""
        cells += f'<td class="chance">{percent(chances[label]) if label in chances else "–"}</td>'
        x += width
    return f'<td class="bar"><svg viewBox="0 0 200 20" preserveAspectRatio="none">{bar}</svg></td>{cells}'


def recap(markdown: str) -> Iterator[str]:
    """Yield a recap in Markdown as HTML, without its first heading, which is the page's."""
    yield to_html("\n".join(markdown.splitlines()[1:]))


def to_html(markdown: str) -> str:
    """Return Markdown as HTML. HTML in it is shown as it is written."""
    from markdown_it import MarkdownIt

    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    return html
