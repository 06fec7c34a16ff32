"""The file in a campaign's folder that says what players may see, and nothing else: written by the table, read by `waylog watch`.

It is TOML like the others, but nobody's to edit: it is written whole, and what is in it is never taken back in.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, assert_never

import tomli

from waylog.campaign.document import Unreadable, read_bytes
from waylog.campaign.folder import FILE as CAMPAIGN_FILE
from waylog.campaign.folder import PLAYERS, open_inside
from waylog.campaign.sight import SeenCard, SeenClock, SeenDeck
from waylog.campaign.spelling import render
from waylog.projection import LINES, Projection, SeenAct
from waylog.rules.clocks import SIZES, Kind, Running
from waylog.rules.decks import Luck
from waylog.rules.dice import Face
from waylog.rules.panels import DiceRow, FacesRow, MarkRow, Panel, PipsRow, Row, Tag, TextRow, Tone
from waylog.rules.turns import Fact, Mood, Note, Result, Rolled

FILE = PLAYERS
_FORMAT = 1
_HEAD = "# What the players may see, for `waylog watch`. Waylog writes it anew with every act; nothing is read back from it.\n"
_UNSEEN = -1
"""How full a clock is, where players may not see it."""
_numbers = itertools.count(1)


class NotReadable(Exception):
    """The file is not one that this Waylog can show."""


# -- as text -------------------------------------------------------------------------------------------------------------


def encoded(seen: Projection) -> bytes:
    """The file's text."""
    lines = [_HEAD, f"format = {_FORMAT}", f"name = {render(seen.name)}", f"system = {render(seen.system)}"]
    lines += [f"session = {seen.session}", f"title = {render(seen.title)}"]
    for key, parts in (
        ("panels", map(_panel_line, seen.panels)),
        ("clocks", (render(_clock_list(clock)) for clock in seen.clocks)),
        ("decks", (render(_deck_list(deck)) for deck in seen.decks)),
        ("log", map(_act_line, seen.log)),
    ):
        lines += [f"{key} = [", *(f"  {part}," for part in parts), "]"]
    return ("\n".join(lines) + "\n").encode()


@lru_cache(maxsize=64)
def _panel_line(panel: Panel) -> str:
    tags = [[tag.text, tag.tone.value] for tag in panel.tags]
    return render([panel.place, panel.title, tags, [*map(_row_list, panel.rows)]])


@lru_cache(maxsize=4 * LINES)
def _act_line(act: SeenAct) -> str:
    return render([act.at, [*map(_fact_list, act.facts)]])


def _row_list(row: Row) -> list[Any]:
    match row:
        case DiceRow(_, label, count, note):
            return ["dice", label, count, note]
        case PipsRow(_, label, value, top, note):
            return ["pips", label, value, top, note]
        case MarkRow(_, label, held, state, note):
            return ["mark", label, held, state, note]
        case TextRow(_, label, text, tone):
            return ["text", label, text, tone.value]
        case FacesRow(_, label, dice, note):
            return ["faces", label, [[die.source, die.face, die.sides] for die in dice], note]
        case _:
            assert_never(row)


def _fact_list(fact: Fact) -> list[Any]:
    match fact:
        case Rolled(what, dice, typed):
            return ["rolled", what, [[die.source, die.face, die.sides] for die in dice], typed]
        case Result(outcome, label, mood, who):
            return ["result", outcome, label, mood.value if mood else "", who]
        case Note(text, clause):
            return ["note", text, clause or ""]
        case _:
            assert_never(fact)


def _clock_list(clock: SeenClock) -> list[Any]:
    filled = _UNSEEN if clock.filled is None else clock.filled
    return [clock.name, clock.kind.value, clock.segments, filled, clock.outcome, clock.running.value]


def _deck_list(deck: SeenDeck) -> list[Any]:
    return [deck.name, [[card.text, card.luck.value, card.out] for card in deck.cards]]


# -- from text -----------------------------------------------------------------------------------------------------------


def decoded(data: bytes) -> Projection:
    """What `encoded` wrote. Raises `NotReadable`."""
    try:
        tree = tomli.loads(data.decode())
        if tree["format"] != _FORMAT:
            raise NotReadable(f"{FILE} is of another Waylog")
        return Projection(
            tree["name"],
            tree["system"],
            tree["session"],
            tree["title"],
            tuple(
                Panel("", place, title, tuple(map(_row, rows)), tuple(Tag(text, Tone(tone)) for text, tone in tags))
                for place, title, tags, rows in tree["panels"]
            ),
            tuple(map(_clock, tree["clocks"])),
            tuple(
                SeenDeck(name, tuple(SeenCard(text, Luck(luck), out) for text, luck, out in cards))
                for name, cards in tree["decks"]
            ),
            tuple(SeenAct(at, tuple(map(_fact, facts))) for at, facts in tree["log"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotReadable(f"{FILE} can't be read") from error


def _row(raw: Sequence[Any]) -> Row:
    match raw:
        case ["dice", str(label), int(count), str(note)]:
            return DiceRow("", label, count, note)
        case ["pips", str(label), int(value), int(top), str(note)]:
            return PipsRow("", label, value, top, note)
        case ["mark", str(label), bool(held), str(state), str(note)]:
            return MarkRow("", label, held, state, note)
        case ["text", str(label), str(text), str(tone)]:
            return TextRow("", label, text, Tone(tone))
        case ["faces", str(label), list(dice), str(note)]:
            return FacesRow("", label, tuple(Face(source, face, sides) for source, face, sides in dice), note)
        case _:
            raise ValueError(raw)


def _fact(raw: Sequence[Any]) -> Fact:
    match raw:
        case ["rolled", str(what), list(dice), bool(typed)]:
            return Rolled(what, tuple(Face(source, face, sides) for source, face, sides in dice), typed)
        case ["result", str(outcome), str(label), str(mood), str(who)]:
            return Result(outcome, label, Mood(mood) if mood else None, who)
        case ["note", str(text), str(clause)]:
            return Note(text, clause or None)
        case _:
            raise ValueError(raw)


def _clock(raw: Sequence[Any]) -> SeenClock:
    match raw:
        case [str(name), str(kind), int(segments), int(filled), str(outcome), str(running)]:
            size = {int(known): known for known in SIZES}[segments]
            seen = None if filled == _UNSEEN else filled
            return SeenClock(name, Kind(kind), size, seen, outcome, Running(running))
        case _:
            raise ValueError(raw)


# -- on disk -------------------------------------------------------------------------------------------------------------


def written(folder: Path) -> bytes | None:
    """What the file in a campaign's folder says; None where there is none."""
    try:
        return read_bytes(folder / FILE)
    except Unreadable:
        return None


def write(folder: Path, data: bytes) -> None:
    """Put the file in its place, whole. Raises `OSError`. It need not be durable, as it can always be made again."""
    path = folder / FILE
    # With this ending, the next start clears it away should it be left (see `campaign/versions.py`).
    part = path.with_name(f".{FILE}.{os.getpid()}-{next(_numbers)}.part")
    part.unlink(missing_ok=True)
    descriptor = open_inside(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            file.write(data)
            file.flush()
            os.fchmod(descriptor, _mode(path))
        part.rename(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Who may read it: as a person has set it, and at first whoever may read the campaign."""
    for told in (path, path.with_name(CAMPAIGN_FILE)):
        with suppress(OSError):
            return told.stat().st_mode & 0o777
    return 0o600
