"""Dice that a person gives: real ones as they are typed, and those that are moved between places, such as those of a shunt.

Open dice are picked by typing their faces, a digit each; 0 is the ten. What is moved is said as words in the line at every moment, so
that a hand of keys and a typed `remap 1 2 3` are one thing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from waylog.rules.model.dice import TEN, Die
from waylog.rules.model.moves import Act, ActRefused, Allocate, Move, PickMany, Refusal
from waylog.ui.draw.cell_lines import CellLine, cells_of
from waylog.ui.draw.clickable_line_view import HitArea, Page
from waylog.ui.draw.colours import Palette
from waylog.values import NamedTuple, dataclass, replace

_LONGEST = 3


class DiceInput:
    """The dice that have been typed so far. Only Enter ends them: a slip can be corrected, and no stray key rolls anything."""

    def __init__(self) -> None:
        self._faces: tuple[int, ...] = ()
        self._number = ""
        """The digits of a number that may continue: without `whole`, the 1 of a d10."""
        self.done = False
        """Whether the dice are confirmed."""

    @property
    def faces(self) -> tuple[int, ...]:
        """The dice, including a number that may continue."""
        return (*self._faces, int(self._number)) if self._number else self._faces

    def takes(self, key: str, character: str | None, wanted: Sequence[Die], *, whole: bool) -> bool:
        """Take a key. Return False if it is not for the dice. With `whole`, a number ends at a space or at Enter. Without it, each digit is
        a die, and 0 a ten; but right after the 1 of a d10, it makes that a ten.
        """
        if character and character.isascii() and character.isdigit():
            if whole and len(self._faces) < len(wanted):
                self._number = (self._number + character)[:_LONGEST]
            elif self._number == "1" and character == "0":
                self._number += character
            elif len(self.faces) < len(wanted):  # A digit beyond the last die must not reach another screen either.
                self._faces, self._number = self.faces, ""
                if character == "1" and wanted[len(self._faces)].sides == TEN:
                    self._number = character
                else:
                    self._faces = (*self._faces, int(character) or TEN)
        elif key == "space" and (whole or self.faces):
            self._faces, self._number = self.faces, ""
        elif key == "backspace":
            self._faces = self._faces if self._number else self._faces[:-1]
            self._number = self._number[:-1]
        elif key == "enter":
            self._faces, self._number = self.faces, ""
            self.done = bool(self._faces)
        else:
            return False
        return True


_LAST = r"\d+ $"


def dice_ask(move: Move) -> PickMany | None:
    """Return the ask of a move that is answered with open dice; None if there is none."""
    for ask in move.asks:
        if isinstance(ask, PickMany) and ask.repeats and all(option.word.isdigit() for option in ask.options):
            return ask
    return None


def picks(act: Act | None, text: str) -> bool:
    """Whether a digit after `text` is one more die: the line has nothing but dice so far."""
    if act is None or dice_ask(act.move) is None or not text.endswith(" "):
        return False
    verb, *typed = text.split()
    return act.move.verb.startswith(verb.lower()) and all(word.isdigit() for word in typed)


def without_last(text: str) -> str:
    """Return the line without its last die; unchanged if it ends with none."""
    return re.sub(_LAST, "", text)


def problem(act: Act | None) -> Refusal | None:
    """Return which die isn't there, or how many are still to be picked or too many; None if they may be put forward."""
    ask = dice_ask(act.move) if act else None
    if act is None or ask is None:
        return None
    chosen = act.answers.get(ask.name, ())
    for option in ask.options:
        if option.blocked and isinstance(chosen, tuple) and option.word in chosen:
            return option.blocked
    dice = [int(word) for word in chosen] if isinstance(chosen, tuple) else []
    come = f"{' + '.join(map(str, dice))} = {sum(dice)}" if len(dice) > 1 else "".join(map(str, dice))
    if len(dice) < ask.least:
        left, others = ask.least - len(dice), "more " if dice else ""
        more = f"pick {left} {others}{'die' if left == 1 else 'dice'}: type what {'it shows' if left == 1 else 'they show'}"
        return Refusal(f"{come}: {more}" if come else more)
    if len(dice) > ask.most:
        return Refusal(f"{come}: pick at most {ask.most} dice, not {len(dice)}", ask.clause)
    return None


_NARROWEST = 11
"""The least width of a slot."""
_WIDEST = 24
HEIGHT = 3
"""The height of a slot: its name, its dice, its limits."""
_KEYS = {
    "up": 1, "plus": 1, "equals_sign": 1, "down": -1, "minus": -1,
    "left": -1, "right": 1,
}  # fmt: skip
ALLOCATION_KEYS = (("← →", "slot"), ("↑↓", "move a die"), ("0–9", "set how many"))
"""The keys that move dice, and what each moves."""


class AtSlot(NamedTuple):
    """A slot by its index: what a click on it means."""

    slot: int


@dataclass(frozen=True, slots=True)
class DiceAllocation:
    """The dice in each slot while they are moved, and the slot under the cursor."""

    ask: Allocate
    counts: tuple[int, ...]
    """The number of dice in each slot, whether that is legal yet or not."""
    touched: bool = False
    """Whether they were moved, or given in words."""
    at: int = 0
    came: int = 0
    """The slot where the cursor was before. A die that is put down with none in hand comes from there."""
    figured: frozenset[int] = frozenset()
    """The slots whose number was typed."""
    begun: bool = False
    """A second digit may follow in this slot."""
    last: int | None = None
    """The slot of the last digit, until something else is done."""

    @property
    def in_hand(self) -> int:
        """The number of dice that are in no slot; below 0 if there are too many in the slots."""
        return self.ask.total - sum(self.counts)

    @property
    def problem(self) -> Refusal | None:
        """Why the dice can't stay as they are."""
        for slot, count in zip(self.ask.slots, self.counts, strict=True):
            if not slot.least <= count <= slot.most:
                limits = f"{slot.least}" if slot.least == slot.most else f"{slot.least} to {slot.most}"
                return Refusal(f"{slot.label} takes {limits}, not {count}")
        if self.in_hand > 0:
            return Refusal(f"{_dice(self.in_hand)} left to place")
        if self.in_hand < 0:
            return Refusal(f"{_dice(-self.in_hand)} too many: there are only {self.ask.total}")
        return None if self.touched else Refusal("you haven't moved any dice yet: press ↑ or ↓, or type a number")

    def consume_key(self, key: str) -> DiceAllocation | None:
        """Return the result of a key; None if the key means something else. Raises `ActRefused` if no die can be moved so."""
        if key in ("left", "right"):
            return replace(self.to((self.at + _KEYS[key]) % len(self.counts)), last=None)
        if key == "backspace":
            return None if self.last is None else self._without_digit(self.last)
        if key in _KEYS:
            return self.put(self.at) if _KEYS[key] > 0 else self.take(self.at)
        if key == "space" and self.begun:
            return self.to((self.at + 1) % len(self.counts))
        return self._figure(int(key)) if len(key) == 1 and key.isascii() and key.isdigit() else None

    def to(self, slot: int) -> DiceAllocation:
        """Return the same with the cursor in another slot."""
        return self if slot == self.at else replace(self, at=slot, came=self.at, begun=False)

    def take(self, slot: int) -> DiceAllocation:
        """Take a die from a slot into the hand. Raises `ActRefused`."""
        place = self.ask.slots[slot]
        if self.counts[slot] <= place.least:
            raise ActRefused(
                f"{place.label} must keep at least {_dice(place.least)}" if place.least else f"{place.label} is empty"
            )
        return replace(self.to(slot), counts=self._with({slot: -1}), touched=True, begun=False, last=None)

    def put(self, slot: int) -> DiceAllocation:
        """Put a die into a slot: from the hand, or else from the slot where the cursor was before, or from the fullest.
        Raises `ActRefused`.
        """
        place = self.ask.slots[slot]
        if self.counts[slot] >= place.most:
            raise ActRefused(f"{place.label} takes at most {_dice(place.most)}")
        moved = {slot: 1}
        if self.in_hand <= 0:
            giving = [
                other
                for other, count in enumerate(self.counts)
                if other != slot and count > self.ask.slots[other].least
            ]
            if not giving:
                raise ActRefused("no other slot can give up a die")
            came = self.came if slot == self.at else self.at
            moved[max(giving, key=lambda other: (other == came, self.counts[other]))] = -1
        return replace(self.to(slot), counts=self._with(moved), touched=True, begun=False, last=None)

    def click(self, slot: int) -> DiceAllocation:
        """Put a die down if one is in hand, otherwise take one up. Raises `ActRefused`."""
        return self.put(slot) if self.in_hand > 0 else self.take(slot)

    def _with(self, moved: dict[int, int]) -> tuple[int, ...]:
        return tuple(count + moved.get(slot, 0) for slot, count in enumerate(self.counts))

    def _figure(self, digit: int) -> DiceAllocation:
        """Set the number of a slot and go to the next. When all but one are set, that one gets what is left."""
        here, slots = self.at, self.ask.slots
        number = self.counts[here] * 10 + digit if self.begun else digit
        counts = list(self.counts)
        counts[here] = number
        figured = self.figured | {here}
        (*_, last) = missing = [slot for slot in range(len(slots)) if slot not in figured] or [here]
        if len(missing) == 1 and last != here:
            counts[last] = max(0, self.ask.total - sum(counts) + counts[last])
        more = 0 < number * 10 <= slots[here].most
        figured = frozenset() if len(figured) == len(slots) and not more else figured
        after = replace(self, counts=tuple(counts), touched=True, figured=figured, begun=more, last=here)
        return after if more else after.to((here + 1) % len(slots))

    def _without_digit(self, slot: int) -> DiceAllocation:
        """Return the same without the last digit of that slot, with the cursor there. The next digit continues from
        what is left.
        """
        number = self.counts[slot] // 10
        counts = tuple(number if place == slot else count for place, count in enumerate(self.counts))
        figured = (self.figured or frozenset(range(len(counts)))) - {slot}
        last = slot if number else None
        return replace(self, counts=counts, at=slot, figured=figured, begun=number > 0, last=last)


def remap_of(act: Act | None, before: DiceAllocation | None) -> DiceAllocation | None:
    """Return the dice that the act spreads, as the line has them; None if it spreads none. The cursor stays where it was."""
    ask = next((ask for ask in act.move.asks if isinstance(ask, Allocate)), None) if act else None
    if act is None or ask is None:
        return None
    answer = act.answers.get(ask.name)
    numbers = tuple(int(number) for number in answer) if isinstance(answer, tuple) else ()
    counts = (*numbers, *(slot.now for slot in ask.slots[len(numbers) :]))
    if before is not None and before.ask.name == ask.name and len(before.counts) == len(counts):
        if before.counts == counts:
            return replace(before, ask=ask, touched=bool(numbers))
        return DiceAllocation(ask, counts, bool(numbers), before.at, before.came)
    return DiceAllocation(ask, counts, bool(numbers))


# -- drawing ---------------------------------------------------------------------------------------------------------


def render_remap(remap: DiceAllocation, ink: Palette, width: int, height: int, *, marked: bool) -> Page[AtSlot]:
    """Draw a line with how many dice are left to place, then the slots side by side, with a mark at the one under the
    cursor.
    """
    if height <= HEIGHT + 1:
        return _brief(remap, ink, width, marked=marked)
    head = CellLine(width).to(2).add(f"{remap.ask.label}  ", ink.accent).add(f"{remap.ask.total} in all  ", ink.dim)
    hand = remap.in_hand
    if hand > 0:
        head.add(f"{'◆ ' * min(hand, 9)}{hand} left to place", ink.key)
    else:
        head.add(f"✗ {-hand} too many" if hand else "✓ all placed", ink.bad if hand else ink.held)
    across = max(1, min(len(remap.counts), (width - 2) // _NARROWEST))
    each = min(_WIDEST, (width - 2) // across)
    lines, areas = [head], list[HitArea[AtSlot]]()
    for start in range(0, len(remap.counts), across):
        rows = [CellLine(width) for _ in range(HEIGHT)]
        for column, slot in enumerate(range(start, min(start + across, len(remap.counts)))):
            x = column * each
            areas.append(HitArea(x, len(lines), each, HEIGHT, AtSlot(slot)))
            here = marked and slot == remap.at
            for row, piece in zip(rows, _place(remap, slot, ink, each - 3), strict=True):
                row.to(x).add("▸ " if here and row is rows[0] else "  ", ink.key)
                row.join(piece.over(ink.under_cursor) if here else piece).to(x + each)
        lines += rows
    return Page(lines, areas)


def _brief(remap: DiceAllocation, ink: Palette, width: int, *, marked: bool) -> Page[AtSlot]:
    """Draw all of it in one line: `CPU 2 HUL 3 NAV 1`."""
    line, areas = CellLine(width).to(2), list[HitArea[AtSlot]]()
    for slot, (place, count) in enumerate(zip(remap.ask.slots, remap.counts, strict=True)):
        piece = CellLine(cells_of(place.label) + 4).add(f" {place.label} ", ink.plain).add(f"{count}", ink.strong)
        areas.append(HitArea(line.used, 0, piece.width, 1, AtSlot(slot)))
        line.join(piece.over(ink.under_cursor) if marked and slot == remap.at else piece.to(piece.width))
    return Page([line], areas)


def _place(remap: DiceAllocation, slot: int, ink: Palette, width: int) -> list[CellLine]:
    place, count = remap.ask.slots[slot], remap.counts[slot]
    stayed, gone = min(count, place.now), max(0, place.now - count)
    dice = CellLine(width)
    wide = 2 * (count + gone) <= width
    for sign, many, style in (("◆", stayed, ink.held), ("◆", count - stayed, ink.key), ("◇", gone, ink.dim)):
        dice.add((f"{sign} " if wide else sign) * many, style)
    within = place.least <= count <= place.most
    count_line = CellLine(width).add(f"{count}", ink.strong if within else ink.bad)
    moved = f" was {place.now}" if count != place.now else ""
    for text in (f" ({place.least}–{place.most})", moved):
        if cells_of(text) <= count_line.cells_left:
            count_line.add(text, ink.dim)
    return [CellLine(width).add(place.label, ink.strong), dice, count_line]


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"
