"""Writes what the documents take from the program: `make reference`.

- docs/game-file.md: every key of a game file, from the types that read it
- docs/house-rules.md: Waylog's own rules, from their clauses
- docs/settings.md: every setting, from the template of the settings file, and every variable of the environment
- docs/keys.md: every key of the app, from its bindings
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from waylog.app.wayfinder_app import WayfinderApp
from waylog.cli.manual import ENVIRONMENT
from waylog.rules.codec.base_and_limits import GAME_LIMITS, MOST_ELSEWHERE, MOST_VALUES
from waylog.rules.codec.changes import join_names
from waylog.rules.codec.records import names_by_key
from waylog.rules.common import clauses as common
from waylog.rules.file_game import clauses as file_game_clauses
from waylog.rules.file_game import game_file_format
from waylog.rules.file_game.check import NO_VALUES
from waylog.rules.file_game.formulas import FUNCTIONS, MOST_LETTERS, MOST_NODES
from waylog.rules.file_game.game_file_format import (
    ChoiceRule,
    ClauseRule,
    ClockRule,
    ConditionRule,
    GameFile,
    HouseRuleSwitch,
    MoveRule,
    PanelRule,
    PartRule,
    Start,
    Table,
    ValueRule,
)
from waylog.rules.file_game.roll_and_effect_format import (
    BandRule,
    DiceOf,
    EffectRule,
    ExplodeRule,
    Formula,
    GroupRule,
    NoDice,
    PaidRule,
    RollOption,
    RollRule,
    SpendRule,
    TheirsRule,
)
from waylog.rules.language.completion_and_what_is_wrong import WAYLOGS_VERBS
from waylog.rules.rulebook import CommonHouseRules
from waylog.settings import TEMPLATE
from waylog.ui.draw.window_layout_and_key_names import format_keys
from waylog.ui.key_bindings import all_bindings
from waylog.values import fields

OWN_RULES = "## Waylog's own rules"
ALL_SETTINGS = "## All settings"
EVERY_VIEW = "## In every view"
VIEWS: Mapping[str, str] = {
    "": EVERY_VIEW,
    "sheet": "## On the bridge, and in ship, crew and scene",
    "log": "## In the log",
    "clocks": "## In the clocks",
    "tables": "## In tables and decks",
}
"""The headings of the page of keys, by how the names of their keys begin."""
OWN_CHAPTERS = ("Players", "Timers", "Playing together", "Free dice")
"""The chapters of the rules for every campaign that no rulebook has."""
TITLES: Mapping[type, tuple[str, str]] = {
    GameFile: ("The whole file", ""),
    PartRule: ("A table of the sheet", "[sheet.NAME]"),
    ValueRule: ("A value", "[sheet.NAME.values] and [sheet.NAME.each]"),
    RollRule: ("A roll", "[dice.NAME]"),
    BandRule: ("An outcome", "bands of a roll"),
    DiceOf: ("More dice", "more of a roll"),
    TheirsRule: ("A contest", "theirs of a roll"),
    NoDice: ("A roll without dice", "none of a roll"),
    ExplodeRule: ("Exploding dice", "explode of a roll"),
    RollOption: ("An option", "[dice.NAME.options.NAME], [dice.NAME.calls.NAME] and [dice.NAME.pick.NAME.NAME]"),
    GroupRule: ("A roll of several", "group of a roll"),
    PaidRule: ("A roll that is paid for", "instead of a roll"),
    SpendRule: ("A spend", "[spend.NAME]"),
    EffectRule: ("An effect", "[after.ROLL], does and cost"),
    MoveRule: ("A move", "[moves.NAME]"),
    ChoiceRule: ("A choice of a move", "[moves.NAME.choose.NAME]"),
    ClockRule: ("A clock", "[clocks.NAME]"),
    ConditionRule: ("A condition", "[when.NAME]"),
    PanelRule: ("A panel", "[panels.NAME]"),
    ClauseRule: ("A rule in words", "[clauses.ID]"),
    HouseRuleSwitch: ("A house rule", "[house_rules.NAME]"),
}
"""The classes in the order of the page, each with its heading and where it stands in a file."""


def game_file() -> str:
    """Return the page of a game file's keys, whole."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# The keys of a game file"
    yield ""
    yield "`make reference` writes this page from the program. To begin, read [Write a game](write-a-game.md). In the"
    yield "tables, *by name* means a table with names that you choose: `[dice.NAME]` for each roll, for example."
    yield ""
    formulas = (inspect.getdoc(game_file_format) or "").partition("\n\n")[2].partition("\n\nAn *effect*")[0]
    yield "## Formulas"
    yield ""
    yield from _as_markdown(formulas).splitlines()
    yield ""
    functions = ", ".join(f"`{name}`" for name in sorted(FUNCTIONS))
    yield (
        "Formulas are made of whole numbers, texts in single quotation marks, `true`, `false`, `+`, `-`, `*`, `//` (divided and "
        f"rounded down), `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `not in`, `and`, `or`, `not`, `A if B else C`, and {functions}."
    )
    for kind, (title, place) in TITLES.items():
        yield from ("", f"## {title}", "")
        if place:
            yield from (f"Where: {_in_code(place)}.", "")
        yield from (
            _as_markdown(inspect.getdoc(kind) or ""),
            "",
            "| key | value | without it | meaning |",
            "|---|---|---|---|",
        )
        yield from _rows(kind)
    yield from ("", "## Limits", "")
    yield f"A file with more than this is refused. Where nothing is said, a table or a list has up to {MOST_ELSEWHERE:,} things."
    yield from ("", "| what | at most |", "|---|---|")
    yield from dict.fromkeys(f"| {limit.what}{' in all' * limit.in_all} | {limit.most:,} |" for limit in GAME_LIMITS)
    yield f"| values of a file in all | {MOST_VALUES:,} |"
    yield f"| characters of a formula | {MOST_LETTERS:,} |"
    yield f"| values and operators of a formula | {MOST_NODES:,} |"
    yield from ("", "## Names", "")
    yield "People type the names of rolls, moves, spends, outcomes and answers: lower-case letters, digits and hyphens, such as `heat-up`."
    yield "Options have only lower-case letters and digits. Tables, values and house rules have lower-case letters, digits and `_`, such as `heat_up`."
    yield from ("", "## Words that are taken", "")
    yield "These are actions of Waylog itself, so no move and no spend of a game can have such a name:"
    yield from ("", f"{join_names(f'`{verb}`' for verb in sorted(WAYLOGS_VERBS))}.", "")
    yield "These have a meaning in formulas, so no value and no formula of [formulas] can have such a name:"
    yield from ("", f"{join_names(f'`{word}`' for word in sorted(NO_VALUES))}.")


def _as_markdown(words: str) -> str:
    """Return a docstring with lists and quoted formulas as Markdown has them."""
    joined = re.sub(r"(?<!\n)\n  +", " ", words)
    return re.sub(r'"([^"\n]+)"', r"`\1`", joined)


def _in_code(place: str) -> str:
    return re.sub(r"\[[^\]]+\]|\b(bands|more|none|explode|does|cost)\b", lambda found: f"`{found[0]}`", place)


def _rows(kind: type) -> Iterator[str]:
    hints = get_type_hints(kind, include_extras=True)
    keys = {name: key for key, name in names_by_key(kind).items()}
    for field in fields(kind):
        hint = hints[field.name]
        _, *notes = get_args(hint)
        about = next(note for note in notes if isinstance(note, str))
        key = keys.get(field.name, field.name)
        yield f"| `{key}` | {_value(hint)} | {_default(field)} | {_cell(about)} |"


def _default(field: Any) -> str:
    """Return what a key is without a line for it; nothing where that is nothing."""
    if isinstance(field.default, bool):
        return f"`{str(field.default).lower()}`"
    if isinstance(field.default, Enum):
        return f"`{field.default.value}`"
    return f"`{field.default}`" if isinstance(field.default, int | str) and field.default != "" else ""


def _cell(words: str) -> str:
    return re.sub(r"\[[a-z_.]*[A-Za-z_.]+\](?!\()", lambda found: f"`{found[0]}`", words).replace("|", "\\|")


_BY_NAME = "by name: "


def _value(hint: Any) -> str:
    """Return what a key may have, in words."""
    for known, words in ((Formula, "a [formula](#formulas)"), (Start, "a value of that kind"), (Table, "a table")):
        if get_args(hint)[:1] == get_args(known)[:1] and get_args(known)[1] in get_args(hint):
            return words
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _value(next(one for one in inner if one is not NoneType))
    if origin is Literal:
        return _one_of([word for word in inner if word])
    if origin is tuple:
        return _list(inner[0])
    if origin is not None:  # A mapping, which may hold mappings or lists.
        value = _value(inner[1])
        return f"by two names: {value.removeprefix(_BY_NAME)}" if value.startswith(_BY_NAME) else f"{_BY_NAME}{value}"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _one_of([member.value for member in hint])
    if hint in TITLES:
        return _link(hint)
    return {int: "a whole number", str: "a text", bool: "`true` or `false`"}[hint]


def _list(item: Any) -> str:
    if item in TITLES:
        return f"a list, each {_link(item)}"
    words = {int: "whole numbers", str: "texts"}
    return f"a list of {words[item]}" if item in words else "a list of [formulas](#formulas)"


def _link(kind: type) -> str:
    title = TITLES[kind][0]
    return f"[{title[0].lower()}{title[1:]}](#{title.lower().replace(' ', '-')})"


def _one_of(words: list[str]) -> str:
    return ", ".join(f"`{word}`" for word in words[:-1]) + f" or `{words[-1]}`"


def own_rules() -> str:
    """Return the sections with the rules that Waylog has beside those of the games, and the house rules that every game has."""
    own = {id_: clause for id_, clause in common.CLAUSES.items() if clause.chapter in OWN_CHAPTERS}
    rules = {**own, **file_game_clauses.CLAUSES}
    return "\n".join(
        (
            OWN_RULES,
            "",
            "The rules of a game are those of its book. The rules below are Waylog's own. They apply in every game, those with GF in every",
            "game that is a file.",
            "",
            "| code | rule | what it says |",
            "|---|---|---|",
            *(f"| {id_} | {clause.title} | {clause.text} |" for id_, clause in rules.items()),
            "",
            "## House rules of every game",
            "",
            "A campaign of any game may have these in `[house_rules]`, as well as those of its own game.",
            "",
            "| house rule | value | without it | meaning |",
            "|---|---|---|---|",
            *_rows(CommonHouseRules),
            "",
        )
    )


def all_settings() -> str:
    """Return the sections with every setting of `config.toml`, as its template describes it, and every variable."""
    found = re.findall(r"^(\w+) = (.+?) +# (.+)$", TEMPLATE, re.MULTILINE)
    return "\n".join(
        (
            ALL_SETTINGS,
            "",
            "| setting | default | what it does |",
            "|---|---|---|",
            *(f"| `{name}` | `{value}` | {_cell(_as_markdown(about))} |" for name, value, about in found),
            "| `[keys]` | | your own keys; their names are in [Keys](keys.md) |",
            "",
            "## Environment variables",
            "",
            "| variable | what it sets |",
            "|---|---|",
            *(f"| `{name.replace(', ', '`, `')}` | {about} |" for name, about in ENVIRONMENT.items()),
            "",
        )
    )


def all_keys() -> str:
    """Return the sections with every key that has a name, one for each view."""
    found: dict[str, list[str]] = {heading: [] for heading in VIEWS.values()}
    for name, binding in all_bindings(WayfinderApp.BINDINGS).items():
        heading = VIEWS.get(name.partition(".")[0] if "." in name else "", EVERY_VIEW)
        keys = " ".join(f"`{key}`" for key in format_keys(binding.key).replace("|", "\\|").split())
        found[heading].append(f"| {keys} | {_cell(binding.tooltip)} | `{name}` |")
    lines = list[str]()
    for heading, rows in found.items():
        lines += (heading, "", "| key | what it does | name |", "|---|---|---|", *rows, "")
    return "\n".join(lines)


SECTIONS: Mapping[str, tuple[str, Callable[[], str]]] = {
    "game-file.md": ("# ", game_file),
    "house-rules.md": (OWN_RULES, own_rules),
    "settings.md": (ALL_SETTINGS, all_settings),
    "keys.md": (EVERY_VIEW, all_keys),
}
"""For each page: the heading from which on it is made from the program, and what makes it."""


def renew(page: str, text: str) -> str:
    """Return the text of the page `page` with what is made from the program as the program has it now."""
    heading, make = SECTIONS[page]
    return f"{text.partition(heading)[0]}{make()}"


if __name__ == "__main__":
    for name in SECTIONS:
        path = Path(__file__).with_name(name)
        path.write_text(renew(name, path.read_text(encoding="utf-8")), encoding="utf-8")
