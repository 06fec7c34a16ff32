"""Text from a file on its way to a terminal: nothing in it can steer the terminal, and nothing in it hides."""

from __future__ import annotations

import re

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
