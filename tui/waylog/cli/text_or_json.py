"""The two modules for the output of a command. Each is imported when it is used: a command prints text or JSON, never both."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waylog.cli import json_output, text_output
else:

    class _ModuleWhenUsed:
        """A module of this folder that is imported at the first use."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module(f"waylog.cli.{self._name}"), name)
            setattr(self, name, found)
            return found

    json_output, text_output = _ModuleWhenUsed("json_output"), _ModuleWhenUsed("text_output")

__all__ = ["json_output", "text_output"]
