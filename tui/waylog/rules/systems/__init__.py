"""The games, one folder each.

A folder that defines `SYSTEM` is a game; nothing else has to know of it. A folder whose name begins with `_` is not a
game: it has rules that several games share.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, cast

from waylog.rules.codec.changes import join_names
from waylog.values import fields

if TYPE_CHECKING:
    from waylog.rules.rulebook import Rulebook


@cache
def names() -> tuple[str, ...]:
    """Return the ids of all games, without loading any."""
    import pkgutil  # A campaign that is opened says which game it is, and needs no list.

    found = pkgutil.iter_modules(__path__)
    return tuple(sorted(module.name.replace("_", "-") for module in found if module.ispkg and module.name[0] != "_"))


def system(name: str) -> Rulebook:
    """Return the game with that id. Raises `KeyError` for an unknown id, and `ValueError` if the game says that it has another one."""
    folder = name.replace("-", "_")
    module = f"{__name__}.{folder}"
    if not folder.isidentifier() or folder[0] == "_" or "_" in name:
        raise KeyError(name)
    try:
        found = cast("Rulebook", importlib.import_module(module).SYSTEM)
    except ModuleNotFoundError as missing:
        if missing.name != module:
            raise
        raise KeyError(name) from None
    if found.id != name:
        raise ValueError(f"the game in the folder {folder} has the id “{found.id}”. It must be “{name}”")
    return found


def what_can_be_set(name: str) -> str:
    """Return a sentence with the house rules of a game that is written in Python: all of it that a campaign can change."""
    keys = sorted(field.name for field in fields(system(name).rules))
    return f"A campaign can change these in its [house_rules]: {join_names(keys)}"
