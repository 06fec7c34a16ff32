"""The types of a sheet, made at run time of what a game file declares: frozen dataclasses, like those of any other game; and a roll on
the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal

from waylog.rules.codec.base_and_limits import Between, Fault
from waylog.rules.codec.records import codec
from waylog.rules.file_game.dice_throws_and_cards import TableDie, cards_of
from waylog.rules.file_game.game_file_format import HouseRuleSwitch, PartRule, ValueRule
from waylog.rules.rulebook import CommonHouseRules
from waylog.values import dataclass, field, replace

_made: dict[str, type] = {}
"""Classes by what was declared: the same declaration gives the same class, so states of it can be compared. Those used last stand last."""
_MOST_KEPT = 256
NAME = "name"
"""The value that every thing in a list has first, whether it is declared or not."""
GONE = "gone"
"""The flag of a thing that is out of play. The file keeps it, and nothing else shows or counts it."""


def kind_of(value: ValueRule) -> str:
    """Return the kind of a value: the key that says it. Empty if none or several do."""
    found = [kind for kind in ("range", "choices", "deck", "each") if getattr(value, kind)]
    found += [kind for kind in ("number", "flag", "text", "tags") if getattr(value, kind) is not None]
    if found == ["choices", "tags"]:
        return "tags"
    return found[0] if len(found) == 1 else ""


MARKED = ("range", "number", "flag")
"""The kinds of values that may be marked."""


def has_marks(value: ValueRule) -> bool:
    """Return whether acts mark and clear the value."""
    return value.moves and kind_of(value) in MARKED


def things_values(each: Mapping[str, ValueRule]) -> Mapping[str, ValueRule]:
    """Return the values of a thing in a list. Its name comes first."""
    return {NAME: each.get(NAME) or ValueRule(text="", about="Its name"), **each}


def is_going(each: Mapping[str, ValueRule]) -> bool:
    """Whether things of a list can be taken out of play."""
    return GONE in each and kind_of(each[GONE]) == "flag"


def new_thing(each: Mapping[str, ValueRule], name: str) -> Mapping[str, Any]:
    """Return a thing that is added to a list, as plain values."""
    return {NAME: name, **_with_lists(each, {})}


def start_of(value: ValueRule) -> Any:
    """Return the value that a fresh sheet has; of a list of things, the plain table."""
    match kind_of(value):
        case "range":
            least, most = value.range[0], value.range[-1]
            return value.start if type(value.start) is int else min(max(least, 0), most)
        case "choices":
            return value.start if value.start in value.choices else value.choices[0]
        case "each":
            return value.start if isinstance(value.start, dict) else {}
        case "tags":
            return value.tags or ()
        case "deck":
            return ()
        case "flag":
            return bool(value.flag)
        case "number":
            return value.number or 0
        case _:
            return value.text or ""


def sheet_type(parts: Mapping[str, PartRule]) -> type:
    """Return the class of a sheet. Its fields are the tables of the campaign file."""
    return _make_once(
        f"sheet {parts!r}", lambda: _record("Sheet", "The sheet of a game in a file.", _part_fields(parts))
    )


def first_sheet(sheet: type, parts: Mapping[str, PartRule]) -> Any:
    """Return the sheet of a new campaign, of the class that `sheet_type` returned, with the things that its lists have at first."""
    tree: dict[str, Any] = {}
    for key, part in parts.items():
        if part.each:
            start = part.start if isinstance(part.start, dict) else {}
            tree[key] = {name: _with_lists(part.each, thing) for name, thing in start.items()}
        else:
            tree[key] = _with_lists(part.values, {})
    return codec(sheet).decode(tree, (), [])


def _with_lists(values: Mapping[str, ValueRule], thing: Any) -> Any:
    """Return a thing of a new campaign with the lists that it has at first, where it says nothing else."""
    lists = {key: start_of(value) for key, value in values.items() if kind_of(value) == "each"}
    return {**lists, **thing} if isinstance(thing, dict) else thing


def _part_fields(parts: Mapping[str, PartRule]) -> dict[str, tuple[Any, Any]]:
    found: dict[str, tuple[Any, Any]] = {}
    for key, part in parts.items():
        name = key.capitalize()
        if part.each:
            each = _thing_type(name, part.about or name, things_values(part.each))
            found[key] = _things(each, part.about or part.label)
        else:
            kind = _thing_type(name, part.about or name, part.values)
            found[key] = Annotated[kind, part.about or part.label], kind()
    return found


def _thing_type(name: str, about: str, values: Mapping[str, ValueRule]) -> type:
    """Return the class of a thing with these values. What it says beside them is for forms, as in `Codec.asked`."""
    kind = _record(name, about, {key: _field(key, value) for key, value in values.items()})
    usual = {key: "play" if has_marks(value) else "more" if value.secret else "first" for key, value in values.items()}
    asked = {key: usual[key] if value.setup == "auto" else value.setup for key, value in values.items()}
    kind.ASKED_FIRST = tuple(key for key, when in asked.items() if when == "first")  # type: ignore[attr-defined]
    kind.IN_PLAY = tuple(key for key, when in asked.items() if when == "play")  # type: ignore[attr-defined]
    kind.LABELS = {key: value.label for key, value in values.items() if value.label}  # type: ignore[attr-defined]
    return kind


def _field(key: str, value: ValueRule) -> tuple[Any, Any]:
    start, about = start_of(value), value.about or value.label
    match kind_of(value):
        case "range":
            limits = Between(value.range[0], value.range[-1], value.clause or None)
            return Annotated[int, limits, about], start
        case "number":
            return Annotated[int, about], start
        case "flag":
            return Annotated[bool, about], start
        case "choices":
            return Annotated[Literal[value.choices], about], start
        case "tags":
            item: Any = Literal[value.choices] if value.choices else str
            return Annotated[tuple[item, ...], about], start
        case "deck":
            card: Any = Literal[tuple(cards_of(value.deck))]
            return Annotated[tuple[card, ...], about], start
        case "each":
            name = key.capitalize()
            return _things(_thing_type(name, about or name, things_values(value.each)), about)
        case _:
            return Annotated[str, about], start


def _things(each: type, about: str) -> tuple[Any, Any]:
    """Return the type of things by key. By default there are none, as a file that lacks a thing says that it is gone."""
    return Annotated[Mapping[str, each], about], field(default_factory=dict)  # type: ignore[valid-type]


def _record(name: str, about: str, made_of: Mapping[str, tuple[Any, Any]], *bases: type) -> type:
    """Return a frozen dataclass with these fields, each with its type and default, and those of `bases`."""
    body: dict[str, Any] = {key: default for key, (_, default) in made_of.items()}
    kinds = {key: kind for key, (kind, _) in made_of.items()}
    made: type = dataclass(frozen=True, slots=True)(
        type(name, bases, {"__module__": __name__, "__doc__": about, "__annotations__": kinds, **body})
    )
    return made


def rules_type(rules: Mapping[str, HouseRuleSwitch]) -> type[CommonHouseRules]:
    """Return the class of the house rules."""

    def make() -> type:
        found = dict[str, tuple[Any, Any]]()
        for key, one in rules.items():
            start = one.range[0] if one.range and type(one.default) is not int else one.default
            kind = ValueRule(choices=one.choices, flag=one.flag, range=one.range)
            found[key] = _field(key, replace(kind, about=one.about, clause=one.clause, start=start))
        return _record("HouseRules", "The house rules.", found, CommonHouseRules)

    return _make_once(f"rules {rules!r}", make)


def start_faults(parts: Mapping[str, PartRule]) -> list[Fault]:
    """Return what is wrong with the things that a fresh sheet has, by their places in the game file."""
    found, sheet = list[Fault](), sheet_type(parts)
    for key, part in parts.items():
        if part.each and isinstance(part.start, dict):
            found += _faults_at(("sheet", key), sheet, {key: part.start}, ())
        for name, value in (part.each or part.values).items():
            path, kind = ("sheet", key, "each" if part.each else "values", name), kind_of(value)
            if value.start == "" or not kind:
                continue
            if kind in ("range", "choices", "each"):
                faults = _faults_at(path, _field(name, value)[0], value.start, (name,))
                found += (
                    replace(one, message=one.message.replace(f"{name} can't", "start can't", 1)) for one in faults
                )
            else:
                text = f"`start` is for a range, a choice or a list: write `{kind} = …` with the start"
                found.append(Fault((*path, "start"), text))
    return found


def _faults_at(path: tuple[str, ...], kind: Any, start: Any, at: tuple[str, ...]) -> Iterator[Fault]:
    """Yield what is wrong with a start, which the codec reads at a path of one key. `path` is the place in the game file that has it."""
    faults: list[Fault] = []
    codec(kind).decode(start, at, faults)
    return (replace(fault, path=(*path, "start", *fault.path[1:])) for fault in faults)


def _make_once(key: str, make: Callable[[], type]) -> type:
    kind = _made.pop(key, None) or make()
    _made[key] = kind
    if len(_made) > _MOST_KEPT:
        # Only the class that has not been used for longest goes: a game that is being read keeps its own.
        del _made[next(iter(_made))]
    return kind


@dataclass(frozen=True, slots=True)
class FileRoll:
    """A roll that waits for a choice. All games in files share it, so a log is read without the game."""

    TAG = "file-roll"

    roll: str = ""
    """The key of its declaration."""
    who: tuple[str, ...] = ()
    """The keys of the thing that rolls."""
    options: tuple[str, ...] = ()
    call: str = ""
    modifier: int = 0
    none: bool = False
    """The pool came to no dice, so others are rolled."""
    plus: int = 0
    """The number added to the result, as it was when the dice were rolled."""
    target: int = 0
    dice: tuple[TableDie, ...] = ()
    raised: int = 0
    """The number that spends have added to the result."""
    steps: int = 0
    """The number of outcomes by which spends have improved the result."""
    used: tuple[str, ...] = ()
    """The spends so far, in order."""
    grades: int = 0
    """The number of grades by which spends have then improved it."""
    score: int | None = None
    """The number in place of that of the dice; None if the dice count."""
    cap: int | None = None
    blank: int | None = None
    """The most that they come to, and the face that counts 0, as when they were rolled."""
