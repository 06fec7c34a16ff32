"""The kinds of dice of a game in a file, how a pool of them is rolled, and cards, which are drawn.

A kind has faces that are whole numbers and equally likely: a d6 has 1 to 6, a Fate die −1, 0 and 1, a d66 the numbers 11 to 66 whose
digits are 1 to 6. Some kinds are rolled as other dice: a d66 as two d6, a Fate die as a d3 whose 1, 2 and 3 mean −1, 0 and 1. A face with
symbols is a number too, in which each symbol has digits of its own: so symbols are added up as numbers are (`pack_symbols`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

from waylog.rules.codec.changes import slug
from waylog.rules.file_game.game_file_format import GameFile
from waylog.rules.file_game.roll_and_effect_format import ExplodeRule
from waylog.rules.model.dice import Dice, DiceOfOdds, Die, Face, face_in_words, faces_to_type
from waylog.rules.model.dice_notation import NotDice
from waylog.rules.model.moves import ActRefused
from waylog.values import dataclass, replace

DRAWN_AGAIN = "one of the cards that are left"
"""The words for the card to draw when the dice show one that has gone."""
MOST_FACES = 20
_SIZE = re.compile(r"d([0-9]{1,3})")
_CARDS = re.compile(r"[a-z0-9_.]+:((?: [0-9]+x[0-9]+)+)")
_FACE = r"-?[0-9]+(?:,-?[0-9]+)*(?: [a-z0-9_]+)*"
_FACES = re.compile(rf"[a-z0-9_]+: {_FACE}(?:; {_FACE})*")
_SYMBOL_STEP, MOST_SYMBOLS, MOST_ON_FACE = 1_000, 7, 9
"""Dice of a roll have fewer than 500 of a symbol, with what is added, and the number of a face fits in 64 bits."""
MOST_ADDED = 300
"""The most that can be added to symbols."""


@dataclass(frozen=True, slots=True)
class DieKind:
    """A kind of die."""

    name: str
    faces: tuple[int, ...]
    """Lowest first, equally likely. Those with symbols come in the order of the file."""
    sides: tuple[int, ...]
    """The sides of the dice that are rolled for one of these."""
    copies: tuple[int, ...] = ()
    """Of cards that are still in a deck: how many have each face. Empty for dice."""
    used_for: str = ""
    """The label of dice that an outcome looks at alone, as formulas write it: `gear`, in `d6-gear`. Empty for all other dice."""
    shows: tuple[tuple[str, ...], ...] = ()
    """The symbols on each face. `faces` then has as many numbers, in the same order, some of them more than once."""

    @property
    def top(self) -> int:
        """The highest face."""
        return self.faces[-1]

    @property
    def has_digits(self) -> bool:
        """Whether its face is two digits, which may be doubles."""
        return self.name.partition("-")[0] in ("d66", "d100")

    @property
    def label(self) -> str:
        """Its name for people: `d6`, `ability`."""
        return self.name.partition(":")[0].replace("_", " ") if self.shows else self.name.partition("-")[0]

    def word(self, face: int) -> str:
        """Return what a face shows, for people: `4`, or `success ×2`."""
        return face_in_words(self.shows[self.faces.index(face)]) if self.shows else f"{face}"

    def question(self, label: str, before: int | None) -> str:
        """Return what a person is asked who types the die; `before` is the face that has brought it. Empty if the label is enough."""
        after = "" if before is None else f", after rolling {self.word(before)}"
        if self.shows:
            faces = (f"{face} = {face_in_words(shown)}" for face, shown in faces_to_type(self.shows).items())
            return f"{self.label}{after} ({', '.join(faces)})"
        return f"{label}{after}" if after else ""

    def face(self, rolled: Sequence[int]) -> int:
        """Return the face that the rolled dice mean, one for each of `sides`."""
        if len(rolled) == 2:
            return 10 * rolled[0] + rolled[1]
        return self.faces[rolled[0] - 1]


@lru_cache(64)
def parse_die(text: str) -> DieKind:
    """Return the kind of die: `d2` to `d20`, `d66`, `d100`, or `dF` for a Fate die; or cards, as `cards_left` writes them. Raises
    `NotDice`.
    """
    if found := _CARDS.fullmatch(text):
        cards = [tuple(map(int, each.split("x"))) for each in found[1].split()]
        faces, copies = tuple(face for _, face in cards), tuple(count for count, _ in cards)
        return DieKind(text, faces, faces[-1:], copies)
    if _FACES.fullmatch(text):
        shown = [face.split() for face in text.partition(": ")[2].split("; ")]
        packed = tuple(pack_symbols([*map(int, face[0].split(","))]) for face in shown)
        words = tuple(tuple(face[1:]) for face in shown)
        return DieKind(text, packed, (len(packed),), shows=words)
    name, _, used_for = text.strip().lower().partition("-")
    if used_for:
        kind = parse_die(name)
        return replace(kind, name=f"{kind.name}-{used_for}", used_for=used_for)
    if name == "df":
        return DieKind("dF", (-1, 0, 1), (3,))
    if name == "d66":
        return DieKind("d66", tuple(10 * tens + units for tens in range(1, 7) for units in range(1, 7)), (6, 6))
    size = _SIZE.fullmatch("d100" if name == "d%" else name)
    sides = int(size[1]) if size else 0
    if 2 <= sides <= MOST_FACES or sides == 100:
        return DieKind(f"d{sides}", tuple(range(1, sides + 1)), (sides,))
    raise NotDice(f"“{text[:20]}” is not a die: write d2 to d{MOST_FACES}, d66, d100 or dF")


def pack_symbols(counts: Sequence[int]) -> int:
    """Return how many there are of each symbol as one number. Numbers that are added up are those of all dice."""
    return sum(count * _SYMBOL_STEP**place for place, count in enumerate(counts))


def unpack_symbols(number: int, symbols: int) -> Sequence[int]:
    """Return how many there are of each of so many symbols, given what `pack_symbols` made of them."""
    counts, half = list[int](), _SYMBOL_STEP // 2
    for _ in range(symbols):
        counts.append((number + half) % _SYMBOL_STEP - half)
        number = (number - counts[-1]) // _SYMBOL_STEP
    return counts


def symbols_counted(game: GameFile, first: str = "") -> Sequence[str]:
    """Return the symbols that a game counts: `first`, what those of [symbols] count as, and those on its dice that have no entry there."""
    shown = (word for die in game.faces.values() for face in die for word in face.split())
    every = dict.fromkeys(name for word in (*game.symbols, *shown) for name in game.symbols.get(word, {word: 1}))
    return sorted(every, key=lambda name: name != first)


def die_with_symbols(name: str, game: GameFile, first: str) -> str:
    """Return a die of [faces] as a kind of die, in which the symbol `first` is counted first: `ability: 0,0; 1,1 success advantage`."""
    counted, written = symbols_counted(game, first), list[str]()
    for face in game.faces[name]:
        counts = Counter[str]()
        for word in face.split():
            counts.update(game.symbols.get(word, {word: 1}))
        written.append(" ".join((",".join(f"{counts[one]}" for one in counted), *face.split())))
    return f"{name}: {'; '.join(written)}"


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """Dice of one kind, for one reason."""

    count: int
    die: str
    label: str = ""
    """Their purpose: `NAV`, `help`."""
    against: bool = False
    """They are the other side's."""


@dataclass(frozen=True, slots=True)
class ThrowRules:
    """The rerolls and explosions that are made while dice are rolled, before anybody reads them."""

    reroll: tuple[int, ...] = ()
    """A die of the pool that shows one of these faces is rolled once more, and the new face stands."""
    explosion: ExplodeRule | None = None


@dataclass(frozen=True, slots=True)
class TableDie:
    """A die on the table."""

    die: str
    face: int
    label: str = ""
    against: bool = False
    final: bool = False
    """It was rerolled, and may not be rerolled again."""


@lru_cache(64)
def word_of_dice(label: str) -> str:
    """Return what formulas and outcomes call dice with a label: `old_gear` for “Old gear”."""
    return slug(label).replace("-", "_")


Throw = Callable[[Sequence[Die]], Sequence[Face]]
"""Rolls dice, or takes the faces that a person types."""


def roll_pool(pool: Sequence[DiceGroup], rules: ThrowRules, throw: Throw) -> tuple[TableDie, ...]:
    """Roll the dice of a pool, with their rerolls and explosions. They come in the order of the pool, those of explosions at the end.

    May raise what `throw` raises, such as `DiceWanted`.
    """
    return roll_by_rules([TableDie(g.die, 0, g.label, g.against) for g in pool for _ in range(g.count)], rules, throw)


def roll_by_rules(dice: Sequence[TableDie], rules: ThrowRules, throw: Throw) -> tuple[TableDie, ...]:
    """Roll these dice, whatever they show, with their rerolls and explosions."""
    table = list(roll_dice(dice, throw))
    again = [place for place, die in enumerate(table) if die.face in rules.reroll]
    for place, die in zip(again, roll_dice([table[place] for place in again], throw, after=True), strict=True):
        table[place] = die
    explosion = rules.explosion
    if not explosion:
        return tuple(table)
    # The dice that were rolled last, each with its place on the table.
    last = list(enumerate(table))
    for _ in range(explosion.times):
        burst = [(place, die) for place, die in last if explosion.bursts(parse_die(die.die).top, die.face)]
        rolled = roll_dice([die for _, die in burst], throw, after=True)
        last = []
        for (place, _), die in zip(burst, rolled, strict=True):
            if explosion.adds:
                table[place] = replace(die, face=table[place].face + die.face)
                last.append((place, die))
            else:
                table.append(die)
                last.append((len(table) - 1, die))
    return tuple(table)


def roll_dice(dice: Sequence[TableDie], throw: Throw, *, after: bool = False) -> tuple[TableDie, ...]:
    """Return the dice with new faces. `after` says that what they show now has brought them, for whoever types them."""
    wanted = [
        Die(
            label := die.label or kind.label,
            sides,
            kind.question(label, die.face if after else None),
            (die.die, die.against, digit),
            shows=kind.shows,
            kind=kind.label if kind.shows else "",
        )
        for die in dice
        for kind in [parse_die(die.die)]
        for digit, sides in enumerate(kind.sides)
    ]
    rolled = [face.face for face in throw(wanted)] if wanted else []
    found = []
    for die in dice:
        kind = parse_die(die.die)
        found.append(replace(die, face=kind.face(rolled[: len(kind.sides)])))
        del rolled[: len(kind.sides)]
    return tuple(found)


# -- cards ----------------------------------------------------------------------------------------------------------


def cards_of(deck: Mapping[str, Sequence[int]]) -> Mapping[str, int]:
    """Return the cards of a deck by name, such as `hearts-7`, each with its face."""
    return {f"{suit}-{face}": face for suit, (low, *_, high) in deck.items() for face in range(low, high + 1)}


def cards_left(path: str, deck: Mapping[str, Sequence[int]], drawn: Collection[str]) -> str:
    """Return what is left of the deck at a path as a kind of die: `table.deck: 4x1 3x2`; empty if nothing is."""
    faces = Counter(face for card, face in cards_of(deck).items() if card not in drawn)
    return f"{path}: {' '.join(f'{count}x{face}' for face, count in sorted(faces.items()))}" if faces else ""


def draw_cards(
    deck: Mapping[str, Sequence[int]], drawn: Collection[str], count: int, dice: Dice, label: str = ""
) -> Mapping[str, Sequence[Face]]:
    """Draw so many cards of those that are left, or all. Return each with what is shown for it: its suit by number, if there are several,
    and its own number. If that card has gone, Waylog draws one of those that are left, so that each of them is equally likely. Raises
    `ActRefused` for a real card that can't have been drawn.
    """
    cards, suits = cards_of(deck), [*deck]
    left = [card for card in cards if card not in drawn]
    numbered = ", ".join(f"{place} = {suit}" for place, suit in enumerate(suits, 1))
    asked = [Die(label, len(suits), f"suit ({numbered})", is_card=True)] if len(suits) > 1 else []
    asked.append(Die(label, max(limits[-1] for limits in deck.values()), "card", is_card=True))
    found = dict[str, Sequence[Face]]()
    for _ in range(min(count, len(left))):
        if isinstance(
            dice, DiceOfOdds
        ):  # Each card that is left is as likely, so odds needn't go through those that have gone.
            card = left.pop(dice.roll([Die(label, len(left), DRAWN_AGAIN, is_card=True)])[0].face - 1)
            found[card] = ()
            continue
        shown = dice.roll(asked)
        card = f"{suits[shown[0].face - 1 if len(suits) > 1 else 0]}-{shown[-1].face}"
        if card not in left and dice.are_real:
            name = card.replace("-", " ")
            gone = f"{name} has already been drawn" if card in cards else f"the deck has no {name}"
            raise ActRefused(f"{gone}: type a card that is left")
        if card not in left:
            card = left[dice.roll([Die(label, len(left), DRAWN_AGAIN)])[0].face - 1]
            faces = (suits.index(card.rpartition("-")[0]) + 1, cards[card])[-len(asked) :]
            shown = tuple(replace(old, face=face) for old, face in zip(shown, faces, strict=True))
        left.remove(card)
        words = card.rsplit("-", 1)[-len(asked) :] if asked[1:] else [card.replace("-", " ")]
        found[card] = tuple(replace(face, card=word) for face, word in zip(shown, words, strict=True))
    return found
