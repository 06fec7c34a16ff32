"""The choices of a list, and what the command line is opened for: values that keys and menus make."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from waylog.rules.model.moves import Move
from waylog.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ANSWER_FIRST = "Finish this first. {}"
"""Why a line is refused while a question is open."""
REMARKS: Mapping[str, str] = MappingProxyType(
    {"note": "Note", "secret": "Secret note: players never see it", "scene": "New scene (title is optional)"}
)
"""The verbs whose lines are a text as it stands, digits included, with their titles."""


@dataclass(frozen=True, slots=True)
class CompletionWord:
    """A word to continue the line with."""

    word: str


@dataclass(frozen=True, slots=True)
class OptionToggle:
    """An option of an ask, to pick or to drop."""

    ask: str
    word: str


@dataclass(frozen=True, slots=True)
class NumberStep:
    """A number to raise or lower."""

    ask: str


@dataclass(frozen=True, slots=True)
class TextField:
    """A text of an ask, to type."""

    ask: str


@dataclass(frozen=True, slots=True)
class AppCommand:
    """An action of the app that is not an act, by name."""

    action: str


@dataclass(frozen=True, slots=True)
class Choice:
    """An item of a list."""

    does: CompletionWord | OptionToggle | NumberStep | TextField | AppCommand | Move
    label: str
    key: str = ""
    """A key or a word for it, shown before it."""
    note: str = ""
    refused: str = ""
    """Why it can't be chosen now."""
    held: bool | None = None
    """Whether it is picked; None if it can't be picked or dropped."""
    group: str = ""
    """The question that it answers."""
    clause: str | None = None
    """The clause that says which answers there are, or why this one can't be given."""
    also: tuple[str, ...] = ()
    """Other words to find it by. They are not shown."""
    hurts: bool = False
    """It takes something from the players, or stands in for what can't be done now: Enter never takes it before somebody has marked it or
    typed a part of it.
    """


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """A request to open the prompt: its title, the text in it, and what can be chosen."""

    title: str
    verb: str = ""
    text: str = ""
    choices: tuple[Choice, ...] | None = None
    """A list to choose from by typing; None for a line of words."""
    found_by_search: tuple[Choice, ...] = ()
    """Choices below the others, shown only once something is typed."""
    from_text: Callable[[str], Choice] | None = None
    """Returns the choice that the typed text itself stands for, as the last one of the list."""
    suggested: str = ""
    """Words after `text` that Enter takes. Anything typed replaces them."""
    rolls_next: bool = False
    """It is for what has to be done before anybody can roll: once that is done, the line for rolls opens."""
