"""The JSON Schema of game files, for editors and for the reference."""

from __future__ import annotations

from typing import Any

from waylog.rules.codec.records import RecordCodec
from waylog.rules.file_game.declaration import GameFile, ValueRule


def game_schema() -> dict[str, Any]:
    """Return the JSON Schema of a `game.toml`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Waylog game",
        **RecordCodec(GameFile).schema(),
        "anyOf": [{"required": ["id", "name", "sheet"]}, {"required": ["base"]}],
        "$defs": {ValueRule.SCHEMA_NAME: RecordCodec(ValueRule).whole_schema()},
    }
