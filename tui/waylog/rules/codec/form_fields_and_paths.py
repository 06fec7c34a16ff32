"""The fields of a thing in a campaign file, as a form shows them.

They are made from the codecs that read and check the file, so every game has forms without a line of its own. `Game.fields` calls
`describe_thing`, and `thing_path` finds the thing that a row of the screen belongs to. A value is shown and typed as text:
`text_of` writes it, `read_text` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from waylog.rules.codec.base_and_limits import Asked, Between, Codec, ValueShape
from waylog.rules.codec.changes import INSIDE_QUOTES, NEW, Path, Value, quote_text, quoted_text
from waylog.values import dataclass, replace

_NOBODY: Mapping[str, str] = MappingProxyType({})
_NUMBER = r"[+-]?[0-9]{1,18}"
_QUOTED_ITEM = r'[,"\\]|^\s|\s$'
"""An item of a list that has this is typed in quotes."""
_SWITCH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_ITEM = rf'(?s)\s*(?:"(?P<straight>{INSIDE_QUOTES})"|(?P<plain>[^,"]*(?:"[^,]*)?))\s*(?:,|\Z)'


@dataclass(frozen=True, slots=True)
class FormField:
    """A single value, or a list of single values."""

    path: Path
    label: str
    about: str
    """The meaning of the value, as in the comments of a new campaign file."""
    shape: ValueShape
    text: str
    """The value as it is typed."""
    default: str = ""
    choices: tuple[str, ...] = ()
    """The legal values of a choice, or of the items of a list."""
    limits: Between | None = None
    asked: Asked = Asked.FIRST
    choice_names: tuple[str, ...] = ()
    """The names of the choices on screen, in the same order; empty if the choices are their own names."""
    only_with: NeededItem | None = None
    """What another field has to have for this one to be shown, unless it isn't at its default. None if it is always shown."""


@dataclass(frozen=True, slots=True)
class NeededItem:
    """An item that a list needs for another field to mean anything: ablative armour, for whether that still has its token."""

    path: Path
    """Of the list."""
    item: str
    """As it is typed."""
    text: str
    """The list as the file has it."""

    def is_in(self, text: str) -> bool:
        """Whether a list has the item, as it is typed: by its name, or as the file has it."""
        return self.item.casefold() in {one.replace("-", " ").casefold() for one in split_items(text)}


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """A table: its fields, and tables within it."""

    path: Path
    label: str
    about: str
    parts: tuple[FormField | FieldGroup, ...]
    name: str = ""
    """The name of a thing; empty for any other table."""
    new: FormField | FieldGroup | None = None
    """The description of one more entry, with `NEW` for its key. None where entries can't be added."""
    is_keyed: bool = False
    """It holds things of one type under keys."""
    asked: Asked = Asked.FIRST

    @property
    def fields(self) -> Iterator[FormField]:
        """Every field, also of the tables within it."""
        for part in self.parts:
            if isinstance(part, FormField):
                yield part
            else:
                yield from part.fields

    @property
    def number(self) -> FormField | None:
        """The number that may be typed behind the name of a new entry: the only one that a new one is asked for first."""
        asked = [part for part in self.parts if isinstance(part, FormField) and part.asked is Asked.FIRST]
        numbers = [field for field in asked[1:] if field.shape is ValueShape.NUMBER]
        return numbers[0] if len(numbers) == 1 and asked[0].shape is ValueShape.TEXT else None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A thing, such as a tool of the starter kit, whose name and values fill in a form."""

    path: Path
    """The fields that its name may stand in, with `ANY` for any key."""
    text: str
    """Its name."""
    values: Mapping[Path, str]
    """The texts of its other fields, by their paths within the thing."""


Part = TypeVar("Part", FormField, FieldGroup, FormField | FieldGroup)
ANY = "*"


@dataclass(frozen=True, slots=True)
class FormSource:
    """The fields, values and suggestions that a form is opened with."""

    group: FieldGroup
    """The thing."""
    at: Path = ()
    """The field that the cursor begins on, or what is nearest to it."""
    taken: Collection[str] = ()
    """The keys beside the thing, if it is a new one."""
    known: Sequence[FormField] = ()
    """Every field of the campaign: what is already written in one of the same name completes what is typed."""
    suggestions: Sequence[Suggestion] = ()
    """Things that fill in a form, once their names are typed."""
    title: str = ""
    sibling: Path = ()
    """The path of one more thing of the same kind; empty where there can be none."""
    leave: str = "close"
    """The word for leaving the form."""
    save: str = "save"
    """The word for saving it."""
    placeholders: Collection[Path] = ()
    """Fields with a text that is there only until somebody types one."""
    hint: str = ""
    """The hint of a form for one more thing: its purpose, and the effect of leaving the form empty."""
    is_short: bool = False
    """It ends after what a new thing is asked for first. The rest follows, and can wait."""
    name: str = ""
    """The name that a new thing has already: its first field begins with it."""


@dataclass(frozen=True, slots=True)
class FormPlace:
    """A form that can be opened from anywhere: a table, or one more thing in a table of things."""

    path: Path
    label: str
    tab: str = ""
    """The tab that what is added stands on, `ship` or `crew`; empty for any other form."""


SESSIONS, _TIMERS = "sessions", "timers"
"""The keys of what has no form: acts begin and number sessions, and start timers."""


@dataclass(frozen=True, slots=True)
class TreeCodec(Codec):
    """A whole campaign as one table: the codec of each top-level key, and how its value is taken from the state."""

    tables: Mapping[str, tuple[Codec, Callable[[Any], Any]]]
    empty: Any
    """The state of a campaign with nothing in it."""

    shape = ValueShape.TABLE

    @property
    def nothing(self) -> Any:
        return self.empty

    def parts(self, value: Any) -> Sequence[tuple[str, Codec, Any]]:
        return [(key, codec, take(value)) for key, (codec, take) in self.tables.items()]


def describe_thing(
    codec: Codec,
    value: Any,
    path: Path,
    default: Any = None,
    *,
    entry: bool = False,
    characters: Mapping[str, str] = _NOBODY,
) -> FormField | FieldGroup | None:
    """Describe what is at `path`. With `entry` it is a thing under a key. None for what no form can show.

    `default` is the value that it has if the file leaves it out. `characters` are the names of those that players may have, by key.
    """
    key = path[-1] if path else ""
    label = key if entry else label_of(key)
    default = codec.nothing if default is None else default
    if codec.shape is ValueShape.UNION:
        return None
    if codec.shape is not ValueShape.TABLE:
        raws, choices = [codec.encode(each) for each in (value, default)], codec.choices
        if choices and codec.shape is ValueShape.LIST:
            # They are typed, so they are called by their names. `read_text` reads both.
            raws = [[_title_of(str(one)) for one in raw] if isinstance(raw, list) else raw for raw in raws]
            choices = tuple(map(_title_of, choices))
        text, usual = (text_of(codec, raw) for raw in raws)
        return FormField(path, label, codec.about, codec.shape, text, usual, choices, codec.limits)
    defaults = {name: each for name, _, each in codec.parts(default)}
    found = list[FormField | FieldGroup]()
    for name, item_codec, item in codec.parts(value):
        default = None if codec.is_keyed else defaults.get(name)
        part = describe_thing(item_codec, item, (*path, name), default, entry=codec.is_keyed, characters=characters)
        if part is not None:
            part = replace(part, label=codec.label_of(name) or part.label, asked=codec.time_to_ask(name))
            if NEW in path and codec.must_choose(name) and isinstance(part, FormField):
                part = replace(part, text="", default="")
            if (needs := codec.needs(name)) and isinstance(part, FormField):
                listed, item = needs
                text = next(each.text for each in found if isinstance(each, FormField) and each.path[-1] == listed)
                part = replace(part, only_with=NeededItem((*path, listed), _title_of(item), text))
            about = codec.about_character(name)
            found.append(_as_choice(part, about, characters) if about else part)
    new, new_codec = None, codec.item_codec
    if new_codec is not None:
        new = describe_thing(new_codec, new_codec.nothing, (*path, NEW), entry=True, characters=characters)
    parts = tuple(found)
    name = next((part.text for part in parts[:1] if isinstance(part, FormField)), "") if entry else ""
    return FieldGroup(path, label, codec.about, parts, name, new, codec.is_keyed)


def _as_choice(field: FormField | FieldGroup, about: str, characters: Mapping[str, str]) -> FormField | FieldGroup:
    """Return the field for a character's key as a choice among the characters' names, with what it is about then. What names nobody stays
    a text.
    """
    if not isinstance(field, FormField) or field.text not in ("", *characters):
        return field
    names = ("nobody", *characters.values())
    choices = ("", *characters)
    return replace(field, about=about, shape=ValueShape.CHOICE, choices=choices, choice_names=names)


def with_items(part: Part, key: str, choices: tuple[str, ...]) -> Part:
    """Return a part in which the items of each list under that key are to be chosen from these. Others can be typed."""
    if isinstance(part, FormField):
        return replace(part, choices=choices) if part.path[-1:] == (key,) else part
    parts = tuple(with_items(each, key, choices) for each in part.parts)
    return replace(part, parts=parts, new=part.new and with_items(part.new, key, choices))


def with_choices(part: Part, at: Path, choices: Mapping[str, str]) -> Part:
    """Return a field with these choices alone, each with its name on screen, or a group with them for the fields at a path below it, in
    which `ANY` is any key. What a field has by now stays one. A field that has no other choice is left out.
    """
    match part:
        case FormField():
            kept = tuple(one for one in part.choices if one in (*choices, part.text))
            return (
                part if at else replace(part, choices=kept, choice_names=tuple(choices.get(one, one) for one in kept))
            )
        case FieldGroup() if at:
            matching = {each.path for each in part.parts if at[0] in (ANY, each.path[-1])}
            parts = [with_choices(each, at[1:], choices) if each.path in matching else each for each in part.parts]
            alone = {each.path for each in parts if isinstance(each, FormField) and each.choices == (each.text,)}
            able = tuple(each for each in parts if at[1:] or each.path not in matching & alone)
            return replace(part, parts=able, new=part.new and with_choices(part.new, at[1:], choices))
        case _:
            return part


def label_of(key: str) -> str:
    """Return a key in words: `Uses left`."""
    words = key.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _title_of(choice: str) -> str:
    """Return a choice of a list in words: `Ablative armour`. One with a number in it, such as `d6`, is its own name."""
    return choice if any(map(str.isdigit, choice)) else label_of(choice)


def with_key(part: FormField | FieldGroup, at: int, key: str) -> FormField | FieldGroup:
    """Return the description of an entry with its key, the part of the path at `at`."""
    path = (*part.path[:at], key, *part.path[at + 1 :])
    label = key if len(path) == at + 1 else part.label
    if isinstance(part, FormField):
        needs = part.only_with
        only_with = needs and replace(needs, path=(*needs.path[:at], key, *needs.path[at + 1 :]))
        return replace(part, path=path, label=label, only_with=only_with)
    new = part.new and with_key(part.new, at, key)
    return replace(part, path=path, label=label, parts=tuple(with_key(each, at, key) for each in part.parts), new=new)


def is_within(path: Path, of: Path) -> bool:
    """Return whether `path` is `of` or lies below it."""
    return path[: len(of)] == of


def find_table(group: FieldGroup, path: Path) -> FieldGroup:
    """Return the table at a path within a group."""
    while group.path != path:
        group = next(part for part in group.parts if isinstance(part, FieldGroup) and is_within(path, part.path))
    return group


def with_entry(group: FieldGroup, entry: FormField | FieldGroup, at: int | None = None) -> FieldGroup:
    """Return the group with one more entry in the table that it belongs to: at that place, or the last."""
    holder = find_table(group, entry.path[:-1])
    place = len(holder.parts) if at is None else at
    return _with_parts(group, holder.path, (*holder.parts[:place], entry, *holder.parts[place:]))


def without_entry(group: FieldGroup, path: Path) -> FieldGroup:
    """Return the group without the entry at a path."""
    holder = find_table(group, path[:-1])
    return _with_parts(group, holder.path, tuple(part for part in holder.parts if part.path != path))


def _with_parts(group: FieldGroup, holder: Path, parts: tuple[FormField | FieldGroup, ...]) -> FieldGroup:
    """Return the group with other parts in the table at `holder`."""
    if group.path == holder:
        return replace(group, parts=parts)
    inner = tuple(
        _with_parts(part, holder, parts) if isinstance(part, FieldGroup) and is_within(holder, part.path) else part
        for part in group.parts
    )
    return replace(group, parts=inner)


def thing_path(codec: Codec, value: Any, path: Path) -> Path:
    """Return the deepest thing on the way to `path`: an entry under a key, or a top-level table. Empty if there is none.

    What comes behind it in `path` is a field of it, or nothing that the file has.
    """
    thing: Path = ()
    for place, key in enumerate(path):
        parts = {name: (part, item) for name, part, item in codec.parts(value)}
        if key not in parts:
            break
        is_entry = codec.is_keyed
        codec, value = parts[key]
        if codec.shape is ValueShape.TABLE and (is_entry or place == 0):
            thing = path[: place + 1]
    return thing


def codec_at(codec: Codec, path: Path) -> Codec | None:
    """Return the codec of the value at `path`, also of one that isn't in the file yet."""
    for key in path:
        inner = {name: part for name, part, _ in codec.parts(codec.nothing)}
        found = inner.get(key) or codec.item_codec
        if codec.shape is not ValueShape.TABLE or found is None:
            return None
        codec = found
    return codec


def form_of(whole: FieldGroup, thing: Path, at: Path) -> FormSource | None:
    """Return the form of a thing of the campaign, with the cursor at a path. None if there is no such thing."""
    group, holder = whole, None
    names = list[str]()
    for key in thing:
        inside = group.new if key == NEW else next((part for part in group.parts if part.path[-1] == key), None)
        if not isinstance(inside, FieldGroup):
            return None
        holder, group = group, inside
        names += [group.name] if group.name and group.path != thing else []
    taken, title = list[str](), group.label if group.path else "The whole campaign"
    if holder and holder.is_keyed:
        taken = [part.path[-1] for part in holder.parts]
        of = ", ".join((*names, holder.label.lower() if names else holder.label))
        entry = "a new entry" if group.path[-1] == NEW else group.name or f"{group.path[-1]}, empty"
        title = _NEW_THING.get(thing[0], "") if thing[1:] == (NEW,) else ""
        title = title or f"{of}: {entry}"
    sibling = (*thing[:-1], NEW) if holder and holder.new else ()
    return FormSource(group, at, taken, [*whole.fields], title=title, sibling=sibling)


def short_form(source: FormSource) -> FormSource:
    """Return the form of a thing that is made in session zero: without what play sets, and with what can wait at its end."""
    return replace(source, group=_without_play(source.group), is_short=True)


def _without_play(group: FieldGroup) -> FieldGroup:
    parts = tuple(
        _without_play(part) if isinstance(part, FieldGroup) else part
        for part in group.parts
        if part.asked is not Asked.NEVER
    )
    new = _without_play(group.new) if isinstance(group.new, FieldGroup) else group.new
    return replace(group, parts=parts, new=new)


_NEW_THING = {
    "players": "Add a player",
    "clocks": "Add a clock",
    "decks": "Add a deck",
    "situations": "Add a situation",
}
"""The title of the form of one more thing, for the tables that every game has."""


def form_places(tree: TreeCodec) -> Iterator[FormPlace]:
    """Yield a form for each table of a campaign, and for one more thing in each table of things. Sessions have none."""
    yield FormPlace((), "Edit the whole campaign file")
    for key, codec, _ in tree.parts(tree.empty):
        if codec.shape is not ValueShape.TABLE or key in (SESSIONS, _TIMERS):
            continue
        label = (tree.label_of(key) or label_of(key)).lower()
        if codec.item_codec is not None and codec.item_codec.shape is ValueShape.TABLE:
            yield FormPlace((key, NEW), _NEW_THING.get(key, f"Add to {label}"))
        elif not codec.is_keyed:
            yield FormPlace((key,), f"Edit {label}")


# -- values as text -----------------------------------------------------------------------------------------------------


def text_of(codec: Codec, value: Value) -> str:
    """Return a single value, or a list of them, as it is typed. Items of a list stand between commas."""
    match value:
        case bool():
            return "true" if value else "false"
        case list():
            item = codec.item_codec
            texts = [text_of(item, each) if item else str(each) for each in value]
            return ", ".join(quote_text(one) if not one or re.search(_QUOTED_ITEM, one) else one for one in texts)
        case None:
            return ""
        case _:
            return str(value)


_EMPTY = ("nothing", "none", "empty", "[]")
"""The words that empty a list, if it can't have them as items."""


def read_text(codec: Codec, text: str) -> Value:
    """Return the value that a text means. What means nothing stays a text, and the codec says what is wrong with it."""
    match codec.shape:
        case ValueShape.NUMBER:
            return int(text) if re.fullmatch(_NUMBER, text.strip()) else text
        case ValueShape.SWITCH:
            return _SWITCH.get(text.strip().lower(), text)
        case ValueShape.CHOICE:
            word = text.strip().lower()
            names = {name.lower(): choice for choice in codec.choices for name in (_title_of(choice), choice)}
            chosen = names.get(word)
            if chosen is None:
                return int(word) if re.fullmatch(_NUMBER, word) else text
            return codec.value_of(chosen)
        case ValueShape.LIST if codec.item_codec:
            if (word := text.strip().lower()) in _EMPTY and word not in codec.choices:
                return []
            in_brackets = word[:1] == "[" and word[-1:] == "]"  # As it stands in the file.
            return [
                read_text(codec.item_codec, item) for item in split_items(text.strip()[1:-1] if in_brackets else text)
            ]
        case _:
            return text


def split_items(text: str) -> Sequence[str]:
    """Return the items between commas. One with a comma in it is in quotes."""
    found = list[str]()
    at = 0
    while at < len(text):
        match = re.compile(_ITEM).match(text, at)
        if match is None or match.end() == at:
            break
        quoted = quoted_text(match)
        item = match["plain"].strip() if quoted is None else quoted
        if item or quoted is not None:
            found.append(item)
        at = match.end()
    return found
