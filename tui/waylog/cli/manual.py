"""The man page `waylog.1`, made from the table of commands. The wheel is built with it; nothing that runs imports this."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

from waylog import __version__
from waylog.cli.commands_and_options import (
    COMMANDS,
    EVERYWHERE,
    EXAMPLES,
    OPTIONS,
    OPTIONS_OF,
    SHORT,
    START,
    log_filters,
    options_of,
)

_WIDTH = 68
"""Less than the 80 columns that troff sources keep to, because some signs take two bytes there."""
_TRACKS = (
    "Waylog tracks ship, crew, rolls and clocks for the wayfinder, who runs a starship role-playing game. "
    "Without a command, it opens the last campaign. Every action in the app is also a command for `waylog do`."
)
_CAMPAIGN = "A campaign is a folder. It contains the text file campaign.toml, which you can edit at any time, and the log of everything that was played."
ENVIRONMENT = {
    "WAYLOG_CAMPAIGNS": "The folder with your campaigns, if you don't use --dir.",
    "XDG_DATA_HOME, XDG_STATE_HOME, XDG_CONFIG_HOME": "Where Waylog keeps campaigns, its own state, and your "
    "config.toml and themes, each in a folder named waylog. `waylog info` shows the paths.",
    "XDG_CACHE_HOME": "Where Waylog keeps copies of game files that it has checked, in a folder named waylog. You can delete that folder at any time.",
    "VISUAL, EDITOR": "The editor that Ctrl+E and `waylog config --edit` open. If neither is set, Waylog uses nano or vi.",
    "PAGER": "The program that shows output too long for the terminal. If this is not set, Waylog uses `less`. If it is empty or `cat`, Waylog prints straight to the terminal.",
    "NO_COLOR": "If this is set to anything, Waylog uses no colours.",
}
_EXIT = {
    "0": "Done.",
    "1": "There is a problem in the files, or a search of the log found nothing.",
    "2": "Wrong usage.",
    "3": "The rules refused the action.",
}


def man_page() -> Iterator[str]:
    """Yield the lines of the page, in the macros of man(7), ASCII only."""
    yield f'.TH WAYLOG 1 "" "Waylog {__version__}" "User Commands"'
    yield ".SH NAME"
    yield r"waylog \- track a starship role\-playing game in the terminal"
    yield ".SH SYNOPSIS"
    yield r".B waylog"
    yield _escape("[COMMAND] [WORD...] [OPTION...]")
    yield ".SH DESCRIPTION"
    yield from (*_running_text(_TRACKS), ".PP", *_running_text(_CAMPAIGN))
    yield ".SH COMMANDS"
    for command in (START, *COMMANDS):
        names = [option for option in options_of(command) if option not in EVERYWHERE]
        options = f" Options: {', '.join(names)}." if names else ""
        yield from _entry(_bold(command.usage), f"{_sentence(command.about)}{options}")
    yield ".SH OPTIONS"
    for option, (value, about) in OPTIONS.items():
        if takers := _takers_of(option):
            yield from _entry(_option(option, value), f"{_sentence(about)} {takers}")
        for (command_name, name), (value_there, about_there) in OPTIONS_OF.items():
            if name == option:
                yield from _entry(_option(option, value_there), f"{_sentence(about_there)} For: {command_name}.")
    for option, (value, about) in log_filters().items():
        yield from _entry(_option(option, value), f"{_sentence(about)} For: log.")
    examples = {line: does for command in (START, *COMMANDS) for line, does in EXAMPLES[command.name].items()}
    for heading, entries in (("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", _EXIT), ("EXAMPLES", examples)):
        yield f".SH {heading}"
        for name, about in entries.items():
            yield from _entry(_bold(name), about)


def _entry(term: str, about: str) -> Iterator[str]:
    yield from (".TP", term, *_running_text(about))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _option(option: str, value: str) -> str:
    """Return an option with its short form, and the name of its value."""
    names = ", ".join(_bold(name) for name in (*(short for short in SHORT if SHORT[short] == option), option))
    return f"{names} {_escape(value)}".rstrip()


def _takers_of(option: str) -> str:
    if option in EVERYWHERE:
        return "Every command accepts this option."
    takers = [command for command in (START, *COMMANDS) if option in command.options]
    names = [command.name or "waylog alone" for command in takers if (command.name, option) not in OPTIONS_OF]
    return f"For: {', '.join(names)}." if names else ""


def _bold(text: str) -> str:
    return rf"\fB{_escape(text)}\fR"


def _running_text(text: str) -> Iterator[str]:
    """Yield text in lines of its own, with what stands in backquotes in bold."""
    for line in wrap(text, _WIDTH, break_on_hyphens=False):
        yield re.sub(r"`([^`]+)`", r"\\fB\1\\fR", _escape(line))


def _escape(text: str) -> str:
    """Return text with every character that means something to troff written out."""
    ascii_text = text.translate({ord("…"): "...", ord("’"): "'", ord("“"): '"', ord("”"): '"', ord("–"): "-"})
    escaped = ascii_text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped[:1] in (".", "'") else escaped
