"""The panels of the sheet: the current conflict, assets, and everybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.model.panels import FULL, DiceRow, MarkRow, Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems.emissaries import conflict_view
from waylog.rules.systems.emissaries.character_creation import is_first
from waylog.rules.systems.emissaries.dice_pools import (
    OWN,
    At,
    Rows,
    asset_dice,
    boxes_of,
    full_rows,
    is_dying,
    numbers,
    stat_dice,
)
from waylog.rules.systems.emissaries.moment import (
    ASSETS,
    CREW,
    NPCS,
    Being,
    ConflictStage,
    Moment,
    asset_stats,
)
from waylog.rules.systems.emissaries.npcs_and_assets import trait_dice_of, trait_dice_used
from waylog.rules.systems.emissaries.sheet import (
    BACKGROUNDS,
    ROWS,
    Asset,
    Emissary,
    FalloutTrack,
    Npc,
    Stat,
    Trait,
    dice_left,
    dice_remaining,
    format_rating,
)
from waylog.rules.systems.emissaries.sheet import Row as FalloutRow


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels. The conflict comes first, while there is one; before anyone is made, a first step."""
    return (
        *(conflict_view.conflict_panels(moment) if isinstance(moment.top, ConflictStage) else ()),
        *((_start(moment),) if is_first(moment) else ()),
        *(_asset(moment, key, asset) for key, asset in moment.sheet.assets.items()),
        *(_emissary(moment, key, emissary) for key, emissary in moment.crew()),
        *(_npc(moment, key, npc) for key, npc in moment.sheet.npcs.items()),
    )


def _start(moment: Moment) -> Panel:
    """Return the panel with the first step."""
    name = next((emissary.name or key for key, emissary in moment.crew()), "")
    text = f"finish {name}, step by step" if name else "create an emissary, step by step"
    row = TextRow("start.make", "First", text, Tone.WARN)
    return Panel("start", "ship", "Before the first conflict", (row,))


# -- tracks --------------------------------------------------------------------------------------------------------------


def _track(moment: Moment, at: At, rows: Rows, count: int, key: str, label: str) -> Iterator[Row]:
    """Return the rows of a track: conditions of full rows, and the boxes of the row in use."""
    boxes = boxes_of(moment.rules, at)
    shown = [number for number in numbers(count) if rows.get(number, FalloutRow()) != FalloutRow()]
    if len(shown) < count and not any(not rows[number].full for number in shown):
        shown.append(next(number for number in numbers(count) if number not in shown))
    for number in sorted(shown):
        row = rows.get(number, FalloutRow())
        name = f"{label} {number}/{count}"
        if row.full:
            yield MarkRow(f"{key}.{number}", name, held=False, state=FULL, note=row.condition, rank=Rank.VITAL)
        else:
            yield PipsRow(f"{key}.{number}.boxes", name, row.filled_boxes, boxes, rank=Rank.VITAL)


# -- people --------------------------------------------------------------------------------------------------------------


def _emissary(moment: Moment, key: str, emissary: Emissary) -> Panel:
    row, who = f"crew.{key}", f"{CREW}/{key}"
    rows: list[Row] = [TextRow(f"{row}.about", "About", emissary.about, rank=Rank.ABOUT)] if emissary.about else []
    background = BACKGROUNDS.get(emissary.background)
    rows.append(TextRow(f"{row}.background", "Background", background.name if background else "not chosen yet"))
    rows += _stats(moment, who, row)
    rows += _unused_dice(moment, row, emissary)
    rows += _own(row, emissary)
    if any((emissary.lun.colour, emissary.lun.material, emissary.lun.handle)):
        look = ", ".join(filter(None, (emissary.lun.colour, emissary.lun.material, emissary.lun.handle)))
        rows.append(TextRow(f"{row}.lun", "The Lun", look, rank=Rank.ABOUT))
    for track in FalloutTrack:
        at = At(who, track.value)
        current: Rows = getattr(emissary.fallout, track.value)
        rows += _track(moment, at, current, ROWS, f"{row}.fallout.{track}", track.capitalize())
    if emissary.hope:
        came = {"": "", "yes": " (it came true)", "no": " (it did not)"}[emissary.came_true]
        rows.append(TextRow(f"{row}.hope", "Hope", emissary.hope + came, rank=Rank.ABOUT))
    role = background.name if background else ""
    return Panel(row, "crew", emissary.name or key, tuple(rows), _tags(emissary), role=role, next=_acts(moment, who))


def _acts(moment: Moment, who: str) -> bool:
    """It is their turn in the conflict under way."""
    return isinstance(moment.top, ConflictStage) and conflict_view.who_acts(moment) == who


def _stats(moment: Moment, who: str, row: str) -> Iterator[Row]:
    for stat in Stat:
        dice, lost = stat_dice(moment, who, stat)
        note = f"fallout takes {lost} off" if lost else ""
        yield DiceRow(f"{row}.{stat}", stat.capitalize(), dice, note)


def _unused_dice(moment: Moment, row: str, emissary: Emissary) -> Iterator[Row]:
    """Return rows for dice of the background that are left (EG-03, EG-04)."""
    rest = dice_remaining(moment.rules, emissary)
    if rest.stats > 0:
        yield TextRow(f"{row}.left.stats", "Left for stats", f"{rest.stats}d6", Tone.WARN)
    if rest.traits:
        yield TextRow(f"{row}.left.traits", "Left for traits", format_rating(rest.traits), Tone.WARN)
    if rest.relationships:
        yield TextRow(f"{row}.left.relationships", "Left for relationships", format_rating(rest.relationships))


def _traits(row: str, traits: Mapping[str, Trait]) -> Iterator[Row]:
    for key, trait in traits.items():
        yield TextRow(f"{row}.traits.{key}", trait.text or key, trait.dice)


def _own(row: str, being: Being) -> Iterator[Row]:
    yield from _traits(row, being.traits)
    for key, person in being.relationships.items():
        family = ", family" if person.family else ""
        yield TextRow(f"{row}.relationships.{key}", person.who or key, f"{person.dice}{family}")
    for key, thing in being.objects.items():
        yield TextRow(
            f"{row}.objects.{key}", thing.name or key, f"{thing.dice}{', dangerous' if thing.dangerous else ''}"
        )


def _tags(emissary: Emissary) -> tuple[Tag, ...]:
    tags = [] if emissary.made else [Tag("not finished", Tone.DIM)]
    if is_dying(emissary):
        tags.append(Tag("dying", Tone.BAD))
    if emissary.may_recover:
        tags.append(Tag("may recover", Tone.GOOD))
    if emissary.may_accept and any(full_rows(getattr(emissary.fallout, track.value)) for track in FalloutTrack):
        tags.append(Tag("may accept a condition", Tone.GOOD))
    return tuple(tags)


def _npc(moment: Moment, key: str, npc: Npc) -> Panel:
    row, who = f"npcs.{key}", f"{NPCS}/{key}"
    rows: list[Row] = [TextRow(f"{row}.about", "About", npc.about, rank=Rank.ABOUT)] if npc.about else []
    if npc.dice:
        rows.append(TextRow(f"{row}.dice", "Dice", npc.dice))
    rows += [shown for shown in _stats(moment, who, row) if isinstance(shown, DiceRow) and shown.count]
    rows += _own(row, npc)
    rows += _track(moment, At(who, OWN), npc.fallout, npc.stages, f"{row}.fallout", "Fallout")
    out = full_rows(npc.fallout) >= npc.stages
    tags = (Tag("out of play", Tone.BAD),) if out else ()
    return Panel(row, "crew", npc.name or key, tuple(rows), tags, secret=True, next=_acts(moment, who))


def _asset(moment: Moment, key: str, asset: Asset) -> Panel:
    row, at = f"assets.{key}", At(f"{ASSETS}/{key}", OWN)
    rows: list[Row] = [TextRow(f"{row}.about", "About", asset.about, rank=Rank.ABOUT)] if asset.about else []
    gone = full_rows(asset.fallout)
    for number, (name, dice) in enumerate(asset_stats(asset)):
        now = format_rating(asset_dice(dice, asset.fallout)) or "no dice"
        rows.append(TextRow(f"{row}.stats.{number}", name, f"{now}, of {format_rating(dice)}" if gone else now))
    rows += _traits(row, asset.traits)
    if rest := dice_left(trait_dice_of(moment.rules, asset.kind), trait_dice_used(asset)):
        rows.append(TextRow(f"{row}.left.traits", "Left for traits", format_rating(rest), Tone.WARN))
    rows += _track(moment, at, asset.fallout, ROWS, f"{row}.fallout", "Fallout")
    tags = [Tag(asset.kind.value, Tone.DIM)]
    if asset.owner:
        tags.append(Tag(f"{moment.name(moment.owner(asset) or asset.owner)}'s", Tone.DIM))
    if gone >= ROWS:
        tags.append(Tag("unusable", Tone.BAD))
    if asset.may_recover:
        tags.append(Tag("may recover", Tone.GOOD))
    return Panel(row, "ship", asset.name or key, tuple(rows), tuple(tags), secret=moment.hides(asset))
