"""Fallout tracks: rows of boxes, how they fill, what a full row costs, and how they are cleared (EG-30…EG-44)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from waylog.rules.systems.emissaries.moment import ASSETS, CREW, Moment
from waylog.rules.systems.emissaries.ratings import Rating
from waylog.rules.systems.emissaries.sheet import (
    BOXES,
    ROWS,
    Emissary,
    FalloutTrack,
    HouseRules,
    Npc,
    Row,
    Stat,
    dice_in,
)
from waylog.values import dataclass, replace

OWN = "own"
"""The name of the track of those who have only one."""
OFF = 3
"""The most boxes that can be cleared after a conflict (EG-36)."""
DEADLY = 2
"""The number of full tracks that kill an emissary (EG-34)."""
Rows = Mapping[Any, Row]
"""Rows by number, from `"1"`. An empty row may be left out."""


@dataclass(frozen=True, slots=True)
class At:
    """A track, given by its holder and its name: `crew/mara` and `physical`, or `npcs/thoss` and `own`."""

    holder: str
    track: str


def numbers(rows: int) -> tuple[str, ...]:
    """Return the row numbers of a track, first to last."""
    return tuple(str(number) for number in range(1, rows + 1))


def full_rows(rows: Rows) -> int:
    """Return how many rows have a condition (EG-32)."""
    return sum(row.full for row in rows.values())


def rows_at(moment: Moment, at: At) -> tuple[Rows, int]:
    """Return a track's rows, and how many it may have; none for an obstacle, or if the holder was removed from the
    file.
    """
    kind, _, key = at.holder.partition("/")
    holder = moment.asset(key) if kind == ASSETS else moment.character(at.holder)
    if holder is None:
        return {}, 0
    if isinstance(holder, Emissary):
        rows: Rows = getattr(holder.fallout, at.track)
        return rows, ROWS
    return holder.fallout, holder.stages if isinstance(holder, Npc) else ROWS


def with_row(moment: Moment, at: At, number: str, row: Row) -> Moment:
    """Return the moment with one row of a track replaced."""
    kind, _, key = at.holder.partition("/")
    rows = {**rows_at(moment, at)[0], number: row}
    if kind == CREW:
        return moment.with_emissary(key, fallout=replace(moment.sheet.crew[key].fallout, **{at.track: rows}))
    return moment.with_asset(key, fallout=rows) if kind == ASSETS else moment.with_npc(key, fallout=rows)


def is_full(moment: Moment, at: At) -> bool:
    """Whether every row of the track is full, so that it takes no more (EG-33)."""
    rows, count = rows_at(moment, at)
    return full_rows(rows) >= count


def in_use(rows: Rows, count: int) -> str | None:
    """Return the row that takes fallout: the newest with open boxes, or else the first empty one (EG-31)."""
    started = [number for number in numbers(count) if _open(rows, number)]
    empty = [number for number in numbers(count) if (row := rows.get(number, Row())).filled_boxes == 0 and not row.full]
    return started[-1] if started else empty[0] if empty else None


def _open(rows: Rows, number: str) -> bool:
    """Whether a row has filled boxes and no condition."""
    return number in rows and rows[number].filled_boxes > 0 and not rows[number].full


def add_fallout(moment: Moment, at: At, points: int) -> tuple[Moment, str]:
    """Return the moment with that many points of fallout in a track, and the row that needs a condition, if one does
    (EG-31).

    The point after the last box is the condition; the rest of the fallout is lost.
    """
    rows, count = rows_at(moment, at)
    number = in_use(rows, count)
    if number is None or not points:
        return moment, ""
    row = rows.get(number, Row())
    boxes = max(row.filled_boxes, min(boxes_of(moment.rules, at), row.filled_boxes + points))
    after = with_row(moment, at, number, replace(row, boxes=boxes)) if boxes != row.boxes else moment
    return after, number if row.filled_boxes + points > boxes else ""


def boxes_of(rules: HouseRules, at: At) -> int:
    """Return the number of boxes before the condition. By house rule, an NPC's rows have none (EG-35)."""
    stage_only = at.track == OWN and not at.holder.startswith(ASSETS) and rules.npc_stage == "condition"
    return 0 if stage_only else BOXES


def stat_of(rules: HouseRules, track: FalloutTrack) -> Stat:
    """Return the stat that loses dice to a track's full rows (EG-32)."""
    swapped = rules.social_takes == "hard"
    match track:
        case FalloutTrack.PHYSICAL:
            return Stat.BODY
        case FalloutTrack.MENTAL:
            return Stat.MIND
        case FalloutTrack.SOCIAL:
            return Stat.HARD if swapped else Stat.SOFT
        case FalloutTrack.SOCIETAL:
            return Stat.SOFT if swapped else Stat.HARD


def stat_dice(moment: Moment, who: str, stat: Stat) -> tuple[int, int]:
    """Return how many d6 somebody rolls for a stat, and how many fallout has taken off (EG-32)."""
    being = moment.character(who)
    if being is None:
        return 0, 0
    dice = dice_in(being, stat)
    if not isinstance(being, Emissary):
        return dice, 0
    track = next(track for track in FalloutTrack if stat_of(moment.rules, track) is stat)
    gone = full_rows(getattr(being.fallout, track.value))
    lost = dice if gone >= ROWS else min(dice, gone)
    return dice - lost, lost


def asset_dice(dice: Rating, rows: Rows) -> Rating:
    """Return the dice left of an asset's stat: each full row takes one, the smallest first (EG-43)."""
    return dice[full_rows(rows) :]


def is_dying(emissary: Emissary) -> bool:
    """Whether two tracks are completely full (EG-34)."""
    return sum(full_rows(getattr(emissary.fallout, track.value)) >= ROWS for track in FalloutTrack) >= DEADLY


# -- clearing fallout ------------------------------------------------------------------------------------------------


def recoverable(moment: Moment, at: At) -> str | None:
    """Return the row whose boxes can be cleared: the newest in use, or by house rule the first (EG-36)."""
    rows, count = rows_at(moment, at)
    started = [number for number in numbers(count) if _open(rows, number)]
    if not started:
        return None
    return started[0] if moment.rules.lowest_row == "first" else started[-1]


def conditions(moment: Moment, at: At) -> tuple[tuple[str, str], ...]:
    """Return the full rows of a track, each with its condition."""
    rows, count = rows_at(moment, at)
    return tuple((number, rows[number].condition) for number in numbers(count) if number in rows and rows[number].full)


def format_row(at: At, number: str) -> str:
    """Return a row as a stage saves it: `crew/mara/physical/1`."""
    return f"{at.holder}/{at.track}/{number}"


def read(text: str) -> tuple[At, str]:
    """Read what `format_row` returned."""
    holder, track, number = text.rsplit("/", 2)
    return At(holder, track), number


def exists(moment: Moment, text: str) -> bool:
    """Whether the row still exists in the file."""
    at, number = read(text)
    return number in numbers(rows_at(moment, at)[1])
