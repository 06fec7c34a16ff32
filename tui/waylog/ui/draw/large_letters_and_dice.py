"""Letters and dice that are read from across a room: of full blocks, five lines high, and dice of seven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from unicodedata import normalize

from waylog.rules.model.dice import Face
from waylog.ui.draw.cell_lines import CellLine, cells_of
from waylog.ui.draw.colours import Palette
from waylog.values import NamedTuple

HEIGHT = 5
"""The lines of a letter."""
_LETTERS: Mapping[str, Sequence[str]] = {
    letter: rows.split("|")
    for letter, rows in {
        "A": " ██ |█  █|████|█  █|█  █",
        "B": "███ |█  █|███ |█  █|███ ",
        "C": " ███|█   |█   |█   | ███",
        "D": "███ |█  █|█  █|█  █|███ ",
        "E": "████|█   |███ |█   |████",
        "F": "████|█   |███ |█   |█   ",
        "G": " ███|█   |█ ██|█  █| ███",
        "H": "█  █|█  █|████|█  █|█  █",
        "I": "███| █ | █ | █ |███",
        "J": "  ██|   █|   █|█  █| ██ ",
        "K": "█  █|█ █ |██  |█ █ |█  █",
        "L": "█   |█   |█   |█   |████",
        "M": "█   █|██ ██|█ █ █|█   █|█   █",
        "N": "█   █|██  █|█ █ █|█  ██|█   █",
        "O": " ██ |█  █|█  █|█  █| ██ ",
        "P": "███ |█  █|███ |█   |█   ",
        "Q": " ██ |█  █|█  █|█ ██| ███",
        "R": "███ |█  █|███ |█ █ |█  █",
        "S": " ███|█   | ██ |   █|███ ",
        "T": "█████|  █  |  █  |  █  |  █  ",
        "U": "█  █|█  █|█  █|█  █| ██ ",
        "V": "█   █|█   █|█   █| █ █ |  █  ",
        "W": "█   █|█   █|█ █ █|██ ██|█   █",
        "X": "█   █| █ █ |  █  | █ █ |█   █",
        "Y": "█   █| █ █ |  █  |  █  |  █  ",
        "Z": "████|   █| ██ |█   |████",
        "0": " ██ |█  █|█  █|█  █| ██ ",
        "1": " █ |██ | █ | █ |███",
        "2": "███ |   █| ██ |█   |████",
        "3": "███ |   █| ██ |   █|███ ",
        "4": "█  █|█  █|████|   █|   █",
        "5": "████|█   |███ |   █|███ ",
        "6": " ██ |█   |███ |█  █| ██ ",
        "7": "████|   █|  █ | █  | █  ",
        "8": " ██ |█  █| ██ |█  █| ██ ",
        "9": " ██ |█  █| ███|   █| ██ ",
        "-": "   |   |███|   |   ",
        "'": "█|█| | | ",
        ",": " | | |█|█",
        ".": " | | | |█",
        "!": "█|█|█| |█",
        "?": "███ |   █| ██ |    | █  ",
        "+": "   | █ |███| █ |   ",
    }.items()
}
_BETWEEN = "   "
"""The blanks between two words."""


def big_text(text: str, width: int) -> Sequence[str]:
    """Return a text in capital letters, in lines of at most `width` cells with a blank one between two rows of words.

    Nothing is returned if a word is too wide, or has a letter that isn't there. Accents are left out.
    """
    rows = list[list[str]]()
    for word in normalize("NFD", text.upper()).replace("’", "'").split():
        letters = [_LETTERS.get(letter) for letter in word if letter.isascii()]
        if not letters or None in letters:
            return ()
        drawn = [" ".join(letter[y] for letter in letters if letter) for y in range(HEIGHT)]
        if rows and len(rows[-1][0]) + len(_BETWEEN) + len(drawn[0]) <= width:
            rows[-1] = [before + _BETWEEN + line for before, line in zip(rows[-1], drawn, strict=True)]
        else:
            rows.append(drawn)
    if any(len(row[0]) > width for row in rows):
        return ()
    return [line for number, row in enumerate(rows) for line in (["", *row] if number else row)]


class DieSize(NamedTuple):
    """The size of a drawn die, in cells."""

    width: int = 14
    height: int = 7


DIE = DieSize()
_GAP = 2
_ROWS: Mapping[int, Sequence[str]] = {
    1: ("   ", " ● ", "   "),
    2: ("●  ", "   ", "  ●"),
    3: ("●  ", " ● ", "  ●"),
    4: ("● ●", "   ", "● ●"),
    5: ("● ●", " ● ", "● ●"),
    6: ("● ●", "● ●", "● ●"),
}


def big_dice_width(dice: Sequence[Face]) -> int:
    """Return the width of the dice side by side."""
    return len(dice) * (DIE.width + _GAP) - _GAP


def big_dice(dice: Sequence[Face], ink: Palette, width: int) -> list[CellLine]:
    """Return the dice side by side, with the figure and the source of each under it; of dice that aren't six-sided, the size."""
    lines = [CellLine(width) for _ in range(DIE.height + 1)]
    for number, die in enumerate(dice):
        start = number * (DIE.width + _GAP)
        for line, row in zip(lines, _face(die), strict=False):
            line.to(start).add(row, ink.dim if die.dropped else ink.die)
        size = die.card or f"d{die.sides}"
        under = f"{die.face} {die.source}" if die.sides == 6 else f"{die.source} {size}".strip()
        blanks = max(0, (DIE.width - cells_of(under)) // 2)
        lines[-1].to(start + blanks).add(under, ink.dim, most=DIE.width)
    return lines


def _face(die: Face) -> Sequence[str]:
    blank = " " * DIE.width
    if die.sides == 6 and die.face in _ROWS and not die.card:
        pips = ["  " + "  ".join("██" if pip == "●" else "  " for pip in row) + "  " for row in _ROWS[die.face]]
        return (blank, pips[0], blank, pips[1], blank, pips[2], blank)
    return (
        blank,
        *(line.center(DIE.width) for line in big_text(die.card.rpartition(" ")[2] or str(die.face), DIE.width)),
        blank,
    )
