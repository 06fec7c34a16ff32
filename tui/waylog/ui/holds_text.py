"""Screens in which a text is typed that quitting would lose."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class HoldsText(Protocol):
    """A screen that may hold an unsaved text."""

    def may_be_discarded(self) -> bool:
        """Return whether nothing would be lost, or the person has been asked already. Otherwise ask."""
        ...
