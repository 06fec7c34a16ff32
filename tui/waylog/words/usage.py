"""The command of a move, with the answers that it takes."""

from __future__ import annotations

from collections.abc import Sequence

from waylog.rules.moves import Allocate, Ask, Move, Number, Option, PickMany, PickOne, Text

_LISTED = 20
"""How many answers the usage of a move lists at most. Of more, it names what is asked."""


def usage(move: Move) -> str:
    """Return the command of a move, with the answers it takes."""
    return " ".join((move.id, *(_ask_usage(ask) for ask in move.asks)))


def _ask_usage(ask: Ask) -> str:
    match ask:
        case PickOne(name=name, options=options, default=default):
            words = "|".join(_open_now(options)) if len(options) <= _LISTED else name.upper()
            return words if default is None else f"[{words}]"
        case PickMany(name=name, options=options, least=least):
            words = "|".join(_open_now(options)) or name
            return f"{words} …" if least else f"[{words} …]"
        case Allocate(slots=slots):
            return " ".join(slot.word.upper() for slot in slots)
        case Number(name=name, default=default):
            return name.upper() if default is None else f"[{name.upper()}]"
        case Text(name=name, required=required, word=word):
            text = f'{word} "{name.upper()}"' if word else f'"{name.upper()}"'
            return text if required else f"[{text}]"


def _open_now(options: Sequence[Option]) -> list[str]:
    """Return the words that can be chosen; if none can, all of them, because the reason is asked for."""
    return [option.word for option in options if not option.blocked] or [option.word for option in options]
