"""The panels of the sheet: the current conflict, assets, and everybody.

A conflict is first worked out as values, with all rules already applied, and its panels are made of them (EG-23, EG-24).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from waylog.rules.codec.changes import join_names
from waylog.rules.model.dice import Face
from waylog.rules.model.panels import FULL, DiceRow, FacesRow, MarkRow, Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems.emissaries import advice, exchange
from waylog.rules.systems.emissaries.advice import Stop
from waylog.rules.systems.emissaries.character_creation_and_checks import is_first
from waylog.rules.systems.emissaries.dice_pools import (
    OWN,
    At,
    Rows,
    asset_dice,
    boxes_of,
    full_rows,
    in_use,
    is_dying,
    numbers,
    stat_dice,
    thing_name,
)
from waylog.rules.systems.emissaries.fallout import one_more, reasons
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
from waylog.rules.systems.emissaries.state_stages_and_typed_names import (
    ASSETS,
    CREW,
    NPCS,
    Being,
    ConflictStage,
    Did,
    ExchangeLine,
    Lying,
    Moment,
    Participant,
    Phase,
    Side,
    asset_stats,
    plus,
)
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """A participant, with the dice in front of them."""

    word: str
    name: str
    side: Side
    approach: str
    """The approach, such as `opposed-neutral`; empty for an obstacle."""
    dice: tuple[Lying, ...]
    """Highest first; among equal dice, the smaller die first."""
    rating: str
    """The dice that an obstacle will roll, if it hasn't yet."""
    total: int
    best_two: tuple[int, ...]
    in_play: tuple[str, ...]
    """The names of everything in play; stats come first."""
    fallout: tuple[str, ...]
    """The points of fallout that a blow would cause, each with its reason: `the blow`, `Body`, `blaster` (EG-20)."""
    entered: bool
    gave: bool
    turn: bool
    """It is their turn to act."""


@dataclass(frozen=True, slots=True)
class NamedLine:
    """A line of the exchange, with the name of whoever it is about."""

    name: str
    side: Side
    line: ExchangeLine


@dataclass(frozen=True, slots=True)
class ConflictView:
    """Everything in a conflict that a screen shows."""

    stakes: str
    loss: str
    """The consequence if our side loses; empty if nobody has said it."""
    phase: Phase
    seats: tuple[Seat, ...]
    """The participants, in the order of turns once that is known."""
    raiser: str
    """The raiser's word; empty before the first turn."""
    raised: tuple[Lying, ...]
    """The dice of the current raise."""
    total: int
    waiting: tuple[str, ...]
    """The words of those who have still to see it."""
    fallout: int
    """Fallout that is due, or 0."""
    taker: str
    """The word of the one who takes it."""
    exchange: tuple[NamedLine, ...]
    """The exchange so far, oldest first."""
    sees: advice.Sees | None
    """The best ways to see, while somebody sees (EG-23)."""
    raises: tuple[advice.RaiseOption, ...]
    """Every raise, those that prevent the most first, while somebody raises (EG-23)."""


def open_board(moment: Moment) -> ConflictView | None:
    """Return the current conflict for its screen (EG-24); None if there is none."""
    return build_conflict_view(moment) if isinstance(moment.top, ConflictStage) else None


def build_conflict_view(moment: Moment) -> ConflictView:
    """Return the current conflict. The caller knows that there is one."""
    conflict = moment.conflict
    acting = _participants_to_act(moment)
    order = {word: place for place, word in enumerate(conflict.order)}
    people = sorted(conflict.people, key=lambda one: order.get(one.word, len(order)))
    by_word = {one.word: one for one in people}
    total = exchange.raised_total(conflict)
    sees = conflict.phase is Phase.SEE
    return ConflictView(
        conflict.stakes,
        conflict.loss,
        conflict.phase,
        tuple(_seat(moment, one, acting) for one in people),
        conflict.turn,
        conflict.raised,
        total,
        conflict.waiting,
        conflict.fallout,
        conflict.taker,
        tuple(NamedLine(by_word[line.who].name, by_word[line.who].side, line) for line in conflict.exchange),
        advice.sees(exchange.faces_of(exchange.usable(by_word[acting])), total) if sees else None,
        exchange.raises_of(moment, by_word[acting]) if conflict.phase is Phase.RAISE else (),
    )


def who_acts(moment: Moment) -> str:
    """Return the sheet of the participant whose turn it is; empty while it is nobody's."""
    acting = _participants_to_act(moment)
    return next((one.who for one in moment.conflict.people if one.word == acting), "")


def _participants_to_act(moment: Moment) -> str:
    conflict = moment.conflict
    match conflict.phase:
        case Phase.RAISE:
            return conflict.turn
        case Phase.SEE:
            return conflict.waiting[0]
        case Phase.FALLOUT:
            return conflict.taker
        case _:
            return ""


def _seat(moment: Moment, one: Participant, acting: str) -> Seat:
    dice = tuple(sorted(one.pool, key=lambda die: (-die.face, die.sides)))
    faces = exchange.faces_of(dice)
    stats = tuple(stat.capitalize() for stat in one.stats)
    return Seat(
        one.word,
        one.name,
        one.side,
        one.approach,
        dice,
        one.rating,
        sum(faces),
        faces[:2],
        (*stats, *(thing_name(moment, one.who, thing) for thing in one.brought)),
        reasons(moment, one) if one.entered else (),
        one.entered,
        one.gave,
        one.word == acting,
    )


# -- panels -------------------------------------------------------------------------------------------------------------

_TITLES = {Side.OURS: "Our side", Side.THEIRS: "Their side"}
_STOPS = {Stop.SEE: "Can't be seen", Stop.BLOCK: "Can't be blocked", Stop.REVERSE: "Can't be reversed"}
_ACTS = {Phase.RAISE: "raises", Phase.SEE: "must see", Phase.FALLOUT: "takes the blow"}


def conflict_panels(moment: Moment) -> Iterator[Panel]:
    """Yield the panels: the raise in the middle, both sides next to each other, then advice and exchange."""
    now = build_conflict_view(moment)
    yield Panel("conflict", "scene", now.stakes or "Conflict", tuple(_middle(now)), (Tag("conflict", Tone.WARN),))
    for side in Side:
        # Whoever acts next is the one that everybody looks for.
        seats = sorted((seat for seat in now.seats if seat.side is side), key=lambda seat: not seat.turn)
        rows = tuple(map(_seat_row, seats))
        if rows:
            acts = _ACTS.get(now.phase)
            turn = tuple(Tag(f"{seat.name} {acts}", Tone.WARN) for seat in seats if seat.turn and acts)
            yield Panel(f"conflict.{side}", "scene", _TITLES[side], rows, turn, beside=side is Side.THEIRS)
    if advice := tuple(_advice(now)):
        yield Panel("conflict.advice", "scene", "Best options", advice)
    exchange = tuple(
        TextRow(f"conflict.exchange.{number}", entry.name, _sentence(entry.line))
        for number, entry in reversed([*enumerate(now.exchange, 1)])
    )
    if exchange:
        yield Panel("conflict.exchange", "scene", "The exchange (latest first)", exchange, beside=bool(advice))


def _middle(now: ConflictView) -> Iterator[Row]:
    names = {seat.word: seat for seat in now.seats}
    if now.loss:
        yield TextRow("conflict.loss", "If lost", now.loss)
    if now.raised:
        label = f"{names[now.raiser].name} raises"
        yield FacesRow(
            "conflict.raised", label, _dice(now.raised), f"{plus(die.face for die in now.raised)} = {now.total}"
        )
    if now.fallout:
        taker = names[now.taker]
        due = f"{now.fallout} for {taker.name}: {join_names(taker.fallout)}"
        yield TextRow("conflict.fallout", "Fallout due", due, Tone.BAD)
    if len(now.waiting) > 1:
        later = join_names(names[word].name for word in now.waiting[1:])
        yield TextRow("conflict.waiting", "Then sees", later, Tone.DIM)
    if not now.raised:
        yield TextRow("conflict.raised", "Raised", "nothing yet", Tone.DIM)


def _seat_row(seat: Seat) -> FacesRow:
    """Return somebody's dice, with their sums, what a blow would cause, and what they have in play."""
    if not seat.entered:
        return FacesRow(f"conflict.{seat.word}", seat.name, (), f"{seat.rating}, not rolled yet")
    notes = ["gave in"] if seat.gave else []
    if len(seat.dice) > 1:
        notes.append(f"best two {sum(seat.best_two)}, total {seat.total}")
    if not seat.gave:
        notes.append(f"blow: {len(seat.fallout)} fallout")
    if seat.in_play:
        notes.append(", ".join(seat.in_play))
    return FacesRow(f"conflict.{seat.word}", seat.name, _dice(seat.dice), " · ".join(notes))


def _dice(dice: Sequence[Lying]) -> tuple[Face, ...]:
    return tuple(Face("kept" if die.kept else "", die.face, die.sides) for die in dice)


# -- the adviser (EG-23) -------------------------------------------------------------------------------------------------


def _advice(now: ConflictView) -> Iterator[Row]:
    """Return the best ways to see, each with the dice that stay; or the raises that prevent something, cheapest first."""
    if now.sees:
        sees = now.sees
        ways = {"Fewest dice": sees.fewest, "Reverse": sees.reverse, "Block": sees.block, "Take the blow": sees.blow}
        for label, way in ways.items():
            text = f"{_speech_text(way.dice)}, leaves {_speech_text(way.left)}" if way else "no dice reach it"
            key = label.removeprefix("Take the ").partition(" ")[0].lower()
            yield TextRow(f"conflict.advice.{key}", label, text, Tone.PLAIN if way else Tone.DIM)
    elif now.phase is Phase.RAISE:
        for stop, label in _STOPS.items():
            pairs = [_speech_text(offer.split.dice) for offer in now.raises if offer.stops is stop]
            text = ", ".join(pairs) or "none"
            yield TextRow(f"conflict.advice.{stop.name.lower()}", label, text, Tone.PLAIN if pairs else Tone.DIM)


def _speech_text(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "nothing"


# -- the exchange (EG-24) ------------------------------------------------------------------------------------------------


def _sentence(line: ExchangeLine) -> str:
    match line.did:
        case Did.ENTERS | Did.ESCALATES:
            how = f" ({line.said.replace('-', ', ')})" if line.said else ""
            rolled = _speech_text(sorted(line.faces, reverse=True))
            return f"{line.did}{how}: {rolled}" if line.faces else f"{line.did}{how}"
        case Did.FALLOUT:
            return f"takes {_speech_text(line.faces)} fallout{f': {line.said}' if line.said else ''}"
        case Did.GIVES:
            return "gives in"
        case _:
            total = f" = {sum(line.faces)}" if len(line.faces) > 1 else ""
            text = f" “{line.said}”" if line.said else ""
            return f"{line.did}: {plus(line.faces)}{total}{text}"


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels. The conflict comes first, while there is one; before anyone is made, a first step."""
    return (
        *(conflict_panels(moment) if isinstance(moment.top, ConflictStage) else ()),
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
            next_is_condition = row.filled_boxes >= boxes and number == in_use(rows, count)
            beyond = one_more(moment, at) if next_is_condition else ""
            yield PipsRow(f"{key}.{number}.boxes", name, row.filled_boxes, boxes, rank=Rank.VITAL, beyond=beyond)


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
    return isinstance(moment.top, ConflictStage) and who_acts(moment) == who


def _stats(moment: Moment, who: str, row: str) -> Iterator[Row]:
    for stat in Stat:
        dice, lost = stat_dice(moment, who, stat)
        note = f"fallout: −{lost}" if lost else ""
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
