"""Characters for terminals that do not take all of Unicode: each sign that Waylog draws has one of ASCII, of the same width.

Where the terminal's character set is UTF-8, nothing is changed.

Text from a file on its way to a terminal: nothing in it can steer the terminal, and nothing in it hides.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

_ASCII = str.maketrans(
    "▀²×–—“”‘’•…‹›⁰←↑→↓↶↺⏎−⊘␛␡─│└═╭╮╯╰▁▂▃▄▅▆▇█░▒▓■□▸▾▰▱◆◇◉○◌●◐★⚀⚁⚂⚃⚄⚅✓✗✦·≠",
    """"2x--""''*~<>0<^>v<<<-/??-|+=++++_.-:=+*#.:%#.>v#.*o@o.*%!123456+x$.#""",
)
# Pictures are made of cells of braille dots: here by how many dots there are.
_ASCII.update({0x2800 + dots: ord(" ..:::###"[dots.bit_count()]) for dots in range(256)})
_FALLBACK = "waylog-fallback"


def is_unicode(encoding: str) -> bool:
    """Whether every character can be written in that character set."""
    try:
        return codecs.lookup(encoding).name.startswith("utf")
    except LookupError:
        return False


def encoder(encoding: str, *, plain_signs: bool = False) -> Callable[[str], bytes]:
    """Return a function from text to bytes for a terminal of a character set. It never fails. With `plain_signs`, signs become ASCII."""
    if is_unicode(encoding):
        if plain_signs:
            return lambda text: text.translate(_ASCII).encode("utf-8", "replace")
        return lambda text: text.encode("utf-8", "replace")
    fallback = register()
    return lambda text: to_charset(text, encoding).encode(encoding, fallback)


def to_charset(text: str, encoding: str | None) -> str:
    """Return the text as it is written to a stream of that character set, whose errors `register` takes care of."""
    return text if is_unicode(encoding or "utf-8") else text.translate(_ASCII)


def register() -> str:
    """Register an error handler for codecs and return its name: signs become fallbacks, letters lose their accents, all else is `?`."""
    codecs.register_error(_FALLBACK, _replace_character)
    return _FALLBACK


def _replace_character(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from unicodedata import combining, east_asian_width, normalize

    found = ""
    for character in error.object[error.start : error.end].translate(_ASCII):
        letter = normalize("NFKD", character)[:1]
        if letter.isascii():
            found += letter
        elif not combining(character) and character not in "\u200d\ufe0e\ufe0f":
            found += "??" if east_asian_width(character) in "WF" else "?"
    return found, error.end


_STEERING = (
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)

_TAGS = "\U000e0000"
"""From here on characters are invisible, also those that Python calls printable."""


def escape_controls(text: str) -> str:
    """`text` on one line, with every control, direction and invisible character made visible: `␛`, `‹U+202E›`."""
    return text if is_visible(text) else re.sub(_STEERING, _visible, text)


def is_visible(text: str) -> bool:
    """Whether nothing in the text is invisible or steers a terminal. True for nearly every text, and found without a pattern to compile."""
    return text.isprintable() and (text.isascii() or max(text) < _TAGS)


def _visible(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number in (0x09, 0x0A):
        return " "
    if number < 0x20:
        return chr(0x2400 + number)
    return "␡" if number == 0x7F else f"‹U+{number:04X}›"
