"""The act `set`: values as in the file, one or several at once: `set ship.focus 2`, `set crew.mara.name "Mara" crew.mara.role pilot`.

The command line types such a line, and a form makes one of the fields that were changed. `SettingValues` says what settings would come
to, with every fault, and plays them: all values are set, or none.

    line    = setting …
    setting = path value      a path is a key of the file, with dots: crew.mara.role
    value   = "TEXT"          anything, in quotes
            | word …          up to the next path
            | -               removes an entry of a table, or empties a list: crew.mara.skills.piloting -
            | nothing         empties a list, and so do [] and no value at all
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial

from waylog.rules.campaign_tree import OVERRULED, CampaignTree
from waylog.rules.codec.base_and_limits import Codec, Fault, ValueRefused, ValueShape
from waylog.rules.codec.changes import (
    BARE_KEY,
    INSIDE_QUOTES,
    QUOTED,
    Change,
    Path,
    Value,
    format_path,
    join_names,
    parse_path,
    quote_text,
    quoted_text,
)
from waylog.rules.codec.form_fields_and_paths import codec_at, label_of, read_text, text_of, thing_path
from waylog.rules.common.common_rules import Memo
from waylog.rules.common.rulings import tell_overruled
from waylog.rules.model.facts import Fact, NoteFact, NotePart
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.panels import Panel
from waylog.rules.model.state import State
from waylog.values import dataclass, replace

_KEY = rf'(?:{BARE_KEY}|"{INSIDE_QUOTES}")'
# These patterns are compiled when they are first needed: few acts set values, and start-up is fast without them.
_TOKEN = rf'(?P<path>{_KEY}(?:\.{_KEY})+)(?=\s|\Z)|{QUOTED}|[^\s"“]+|\S'
_PLAIN = r"-?[0-9]{1,18}|[a-z][a-z0-9-]*"
_REMOVES = "-"
"""The value, without quotes, that removes an entry."""
_NAMED = 3
"""The most fields that the title of an act names."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A value to set, as it is typed."""

    path: Path
    text: str | None
    """None removes the entry of a table at the path."""


@dataclass(frozen=True, slots=True)
class SettingsOutcome:
    """The result of several settings."""

    state: State
    """The state after all of them that can be made."""
    faults: tuple[Fault, ...]
    """Everything that is wrong with them and was not wrong before. One that is `lacking` prevents nothing."""

    @property
    def refusal(self) -> Fault | None:
        """The first fault that prevents the act."""
        return next((fault for fault in self.faults if not fault.lacking), None)


def parse_settings(line: str, tables: Collection[str]) -> tuple[Setting, ...]:
    """Return the settings of a line. `tables` are the first keys that a path can have, so that any other word with a dot is text.

    Raises `ValueError` if there is none, or a path has no value.
    """
    found: list[tuple[str, list[tuple[str, bool]]]] = []
    for match in re.finditer(_TOKEN, line, re.DOTALL):
        path, quoted = match["path"], quoted_text(match)
        if not found or (path and path.partition(".")[0] in tables):
            found.append((match[0], []))
        else:
            found[-1][1].append((match[0], False) if quoted is None else (quoted, True))
    if not found:
        raise ValueError("which value? Type its path, as in the file, and its new value")
    for path, values in found:
        if not values and len(found) > 1:
            raise ValueError(
                f"what is the new value of {path}? If {path} is only a word in a text, put that text in quotes"
            )
    return tuple(Setting(parse_path(path), _join(values)) for path, values in found)


def _join(values: Sequence[tuple[str, bool]]) -> str | None:
    """Return a value of several words. A text among others keeps its quotes, as an item of a list may need them."""
    if values == [(_REMOVES, False)]:
        return None
    if len(values) == 1:
        return values[0][0]
    commas = any("," in word for word, quoted in values if not quoted)
    return " ".join(quote_text(word) if quoted and commas else word for word, quoted in values)


def format_settings(settings: Sequence[Setting]) -> str:
    """Return the settings as a line. `parse_settings` reads it back to the same settings."""
    words = list[str]()
    for path, text in ((setting.path, setting.text) for setting in settings):
        value = _REMOVES if text is None else text if re.fullmatch(_PLAIN, text) else quote_text(text)
        words += (format_path(path), value)
    return " ".join(words)


def describe_settings(
    settings: Sequence[Setting], names: Mapping[Path, str], label: Callable[[Path, Path], str]
) -> str:
    """Return what is set, for people: `Mara: role, focus, vitality and 2 more`. `names` are the names of things, and `label` returns what
    a value of a thing is called.
    """
    thing = common_thing(settings, names)
    labels = [label(thing, setting.path) for setting in settings]
    more = f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else ""
    listed = f"{', '.join(labels[:_NAMED])}{more}"
    return f"{names[thing]}: {listed}" if thing else listed


def describe_new_thing(thing: Path, settings: Sequence[Setting], name: str) -> str:
    """Return a new thing with what it holds many of, for people: `Searching the wreck, with 11 cards`. If it holds few, that is its name,
    as each value can be listed.
    """
    entries: dict[str, set[str]] = {}
    for path in (setting.path[len(thing) :] for setting in settings):
        if len(path) > 2:  # The key of a table, of an entry, and of a value of that entry.
            entries.setdefault(path[0], set()).add(path[1])
    many = [f"{len(keys)} {label_of(table).lower()}" for table, keys in entries.items() if len(keys) > _NAMED]
    return f"{name}, with {' and '.join(many)}" if many else name


def common_thing(settings: Sequence[Setting], names: Mapping[Path, str]) -> Path:
    """Return the thing among those with names that all of the settings belong to; empty if there is none."""
    holders = [setting.path[:-1] for setting in settings]
    thing = min(holders, key=len, default=())
    while thing and (thing not in names or any(holder[: len(thing)] != thing for holder in holders)):
        thing = thing[:-1]
    return thing


def label_within(tree: Codec, thing: Path, path: Path) -> str:
    """Return what a value of a thing is called, in words: `Primary tool name`. `tree` is the codec of a campaign."""
    labels = list[str]()
    for at in range(len(thing), len(path)):
        holder = codec_at(tree, path[:at])
        label = (holder and holder.label_of(path[at])) or label_of(path[at])
        if holder and holder.is_keyed and at > len(thing) and not label.isdigit():
            labels = [label]  # A key that somebody chose, such as the name of a skill, says what it is by itself.
        else:
            labels.append(label.lower() if labels else label)
    return " ".join(labels)


def _label_in_sentence(tree: Codec, thing: Path, path: Path) -> str:
    """Return the same for the middle of a sentence: `primary tool name`, and the name of a skill as it is."""
    label, holder = label_within(tree, thing, path), codec_at(tree, path[:-1])
    is_name = holder is not None and holder.is_keyed and len(path) > len(thing) + 1
    return label if is_name else label.lower()


Reads = Callable[[Mapping[str, Value]], tuple[State, Sequence[Fault]]]
"""Reads a campaign and returns it with all its faults."""

_SHORT = 12
"""The most letters of a value that stands in the title of its act."""


class SettingValues:
    """Sets values of the campaigns of one game. It keeps no state."""

    def __init__(self, tree: CampaignTree, read: Reads, panels: Callable[[State], Sequence[Panel]]) -> None:
        """`panels` returns those of the sheet."""
        self._tree, self._read, self._panels = tree, read, panels
        self._faults_before: Memo[[State], frozenset[tuple[Path, str]]] = Memo(
            lambda state: frozenset((fault.path, fault.message) for fault in read(tree.write(state))[1])
        )

    def outcome(self, state: State, settings: Sequence[Setting]) -> SettingsOutcome:
        """Return what setting these values would come to, with every fault that it would bring. Changes nothing."""
        after, faults = state, list[Fault]()
        for setting in settings:
            try:
                after = self._put(after, setting)
            except ValueError as error:
                allowed = error.allowed if isinstance(error, ValueRefused) else ""
                faults.append(Fault(setting.path, str(error), allowed=allowed))
        before = self._faults_before(state)
        found = self._read(self._tree.write(after))[1]
        faults += (fault for fault in found if (fault.path, fault.message) not in before)
        return SettingsOutcome(after, tuple(faults))

    def _names(self, state: State, settings: Sequence[Setting]) -> Mapping[Path, str]:
        """Return the names of the things that the settings are parts of, by their paths."""
        named = dict[Path, str]()
        for thing in {thing_path(self._tree.tree, state, setting.path) for setting in settings}:
            while thing and (form := self._tree.form(state, thing)):
                first = next(iter(form.group.fields), None)
                if not (thing[-1].isdigit() and first and first.shape is ValueShape.NUMBER):
                    named[thing] = form.group.name or form.group.label
                    break
                # A row that has only numbers is named by what it is a row of.
                thing = thing_path(self._tree.tree, state, thing[:-1])
        return named

    def _label(self, state: State, thing: Path, path: Path) -> str:
        """Return what a value of a thing is called in the middle of a sentence. In a row that has only a number, it begins with what the
        sheet calls that row: `Social 1/3, boxes`.
        """
        if any(key.isdigit() for key in path[len(thing) :]):
            rows = (row for panel in self._panels(state) for row in panel.rows)
            if row := next((row for row in rows if row.key == format_path(path)), None):
                return f"{row.label}, {label_within(self._tree.tree, path[:-1], path).lower()}"
        return _label_in_sentence(self._tree.tree, thing, path)

    def _put(self, state: State, setting: Setting) -> State:
        """Set or remove one value. Raises `ValueError`."""
        codec = codec_at(self._tree.tree, setting.path)
        if setting.text is None and not (codec and codec.shape is ValueShape.LIST):
            holder = codec_at(self._tree.tree, setting.path[:-1])
            if holder is None or not holder.is_keyed:
                raise ValueError(f"{format_path(setting.path)} can't be removed, because it is not an entry of a table")
            return self._tree.put(state, setting.path, None)
        raw = read_text(codec, setting.text or "") if codec else setting.text
        self._tree.check_keys(state, setting.path, raw)
        return self._tree.put(state, setting.path, raw)

    def play(self, state: State, line: str, *, overrules: bool = False) -> tuple[State, tuple[Fact, ...]]:
        """Set values as in the file, all or none: `ship.focus 2`.

        With `overrules` a number may leave the range of its rule, as far as the rules can work with it. It is then noted as
        overruled. Without it the refusal says how to do that.
        """
        try:
            settings = parse_settings(line, self._tree.tree.tables)
        except ValueError as error:
            raise ActRefused(str(error)) from None
        if settings[0].path and (near := self._find_by_key(state, settings[0].path)):
            raise ActRefused(f"“{format_path(settings[0].path)}” is not a path. Did you mean “{near}”?")
        outcome = self.outcome(state, settings)
        wrong = [fault for fault in outcome.faults if not fault.lacking]
        hard = [fault for fault in wrong if fault.excess is None]
        if fault := next(iter(hard or (() if overrules else wrong)), None):
            how = "" if hard else f". To set it anyway, type “overrule {line}”"
            typed = next((setting.text for setting in settings if setting.path == fault.path), None)
            # The value isn't there: it was only typed.
            wrong_value = (
                fault.allowed and typed and f"{format_path(fault.path[-1:])} can't be {typed}: {fault.allowed}"
            )
            raise ActRefused(f"{wrong_value or fault.message}{how}", fault.clause)
        outcome, ruled = self._with_overruled(outcome, settings, overrules=overrules)
        changes = self._tree.difference(state, outcome.state)
        if not changes:
            (first, *others) = settings
            path = format_path(first.path)
            codec = codec_at(self._tree.tree, first.path)
            is_list = codec is not None and codec.shape is ValueShape.LIST
            there = text_of(codec, read_text(codec, first.text or "")) if codec and is_list else first.text
            reason = f"there is no {path}" if there is None else f"{path} is already {there or 'empty'}"
            raise ActRefused("each of these values is already what you typed" if others else reason)
        # Of a new entry, only the values that were set are noted.
        shown_changes = [
            Change(setting.path, None, setting.text)
            for change in changes
            if isinstance(change.after, dict)
            for setting in settings
            if setting.path[: len(change.path)] == change.path
        ]
        shown_changes += [change for change in changes if not isinstance(change.after, dict)]
        shown_changes = [change for change in shown_changes if change.path[0] != OVERRULED]
        names = self._names(outcome.state, settings)
        thing = common_thing(settings, names)
        added = self._describe_added(state, outcome.state, settings)
        values = [
            f"{label_within(self._tree.tree, thing, change.path)}: {self._step(change, outcome.state)}"
            for change in shown_changes
            if not added or change.after != added
        ]
        if added:
            # Of many entries, only their number is said.
            few = f" ({'; '.join(values)})" if values and added == names[thing] else ""
            place = label_within(self._tree.tree, thing[:-2], thing[:-1]).lower()
            lines = [f"Added to the {place.removeprefix('the ')}: {added}{few}"]
        elif len(settings) > 1:
            lines = values
        else:
            owner = f"{names[thing]}: " if thing else ""
            labels = [self._label(outcome.state, thing, change.path) for change in shown_changes]
            lines = [
                f"{owner}{_say_change(label, change.before, change.after)}"
                for label, change in zip(labels, shown_changes, strict=True)
            ]
        lines += [f"Not complete yet: {fault.message}" for fault in outcome.faults if fault.lacking]
        overruled = (tell_overruled(fault, names[thing] if thing else "") for fault in ruled)
        part = NotePart.DEED if added else NotePart.RESULT
        return outcome.state, (*overruled, *(NoteFact(text, secret=True, part=part) for text in lines))

    def _find_by_key(self, state: State, path: Path) -> str:
        """Return the path of the thing or value that somebody means who types its key alone, `mara`; empty if it is none, or a path."""
        tree = self._tree.tree
        found = (
            key for key, codec, part in tree.parts(state) if any(path[0] == name for name, *_ in codec.parts(part))
        )
        return "" if path[0] in tree.tables else next((format_path((key, *path)) for key in found), "")

    def _with_overruled(
        self, outcome: SettingsOutcome, settings: Sequence[Setting], *, overrules: bool
    ) -> tuple[SettingsOutcome, Sequence[Fault]]:
        """Return the outcome with a mark for each number that is out of range now, and without marks of numbers that no longer
        are; and the faults that are newly overruled. Only numbers that these settings concern are looked at.
        """
        state = outcome.state
        found = self._read(self._tree.write(replace(state, overruled={})))[1]
        out = {
            format_path(fault.path): fault
            for fault in found
            if fault.excess and any(_concerns(setting.path, fault.path) for setting in settings)
        }
        left = {
            key: number
            for key, number in state.overruled.items()
            if key in out or not any(_concerns(setting.path, parse_path(key)) for setting in settings)
        }
        new = {key: fault for key, fault in out.items() if overrules and not fault.is_overruled(state.overruled)}
        marks = {key: fault.excess.amount for key, fault in new.items() if fault.excess}
        if not marks and len(left) == len(state.overruled):
            return outcome, ()
        return replace(outcome, state=replace(state, overruled={**left, **marks})), tuple(new.values())

    def _step(self, change: Change, state: State) -> str:
        """Return what a value is now, and what it was: `3 (was 2)`, `medic (was pilot)`; somebody's character by its name."""
        codec = codec_at(self._tree.tree, change.path)
        if isinstance(change.before, dict) and change.after is None:
            return "removed"
        form = self._tree.form(state, change.path)
        fields = [field for field in form.group.fields if field.path == change.path] if form else []
        names = {key: name for field in fields for key, name in zip(field.choices, field.choice_names, strict=False)}
        before, after = (
            names[value]
            if isinstance(value, str) and value in names
            else text_of(codec, value)
            if codec and not isinstance(value, bool)
            else _plain(value)
            for value in (change.before, change.after)
        )
        return f"{after or 'empty'} (was {before})" if before else after

    def name_value(self, state: State, path: Path) -> str:
        """Return what the value at a path is called, for people: `Mara: role`; a whole thing by its name."""
        setting = Setting(path, None)
        names = self._names(state, (setting,))
        thing = path if path in names else common_thing((setting,), names)
        words = _label_in_sentence(self._tree.tree, thing, path)
        return ": ".join(filter(None, (names.get(thing, ""), words)))

    def _describe_added(self, before: State, after: State, settings: Sequence[Setting]) -> str:
        """Return the new thing that the settings make, with how many entries it holds if there are many; empty if they make none."""
        names = self._names(after, settings)
        thing = common_thing(settings, names)
        is_new = thing and any(change.path == thing for change in self._tree.difference(before, after))
        return describe_new_thing(thing, settings, names[thing]) if is_new else ""

    def title(self, before: State, after: State, line: str, verb: str) -> str:
        """Return what was set, for people: `Set Mara: role, focus and 2 more`; of a single value also to what, if that is
        short; of a new thing its name, as `Add Noor` or `Add Searching the wreck, with 11 cards`. Empty if the line can't be
        read. `verb` is `set` or `overrule`.
        """
        with suppress(ValueError):
            settings = parse_settings(line, self._tree.tree.tables)
            if whole := self._describe_added(before, after, settings):
                return f"Add {whole}"
            verb = "remove" if all(setting.text is None for setting in settings) else verb
            label = partial(self._label, after)
            title = f"{verb.capitalize()} {describe_settings(settings, self._names(after, settings), label)}"
            setting, *more = settings
            text = {"true": "yes", "false": "no"}.get(setting.text or "", setting.text or "")
            return f"{title} to {text}" if not more and 0 < len(text) <= _SHORT else title
        return ""


def _concerns(setting: Path, path: Path) -> bool:
    """Whether setting the value at one path may put that at the other out of its range: one is part of the other."""
    shorter = min(len(setting), len(path))
    return setting[:shorter] == path[:shorter]


def _say_change(label: str, before: Value | None, after: Value | None) -> str:
    """Return what one value has become, as the end of a sentence: `focus 2 → 3`, `“cold” added to trauma`."""
    old, new = (
        [one for one in value if isinstance(one, str)] if isinstance(value, list) else [] for value in (before, after)
    )
    came, went = ([f"“{one}”" for one in some if one not in others] for some, others in ((new, old), (old, new)))
    parts = [f"{join_names(came, 'and')} added to {label}"] if came else []
    parts += [f"{join_names(went, 'and')} removed from {label}"] if went else []
    return ", ".join(parts) or f"{label} {_step(_plain(before), _plain(after))}"


def _step(before: str, after: str) -> str:
    """Return the end of a sentence about one value: `2 → 3` of a number; `set to medic (was pilot)`."""
    if before.isdigit() and after.isdigit():
        return f"{before} → {after}"
    # A text that somebody wrote is told in quotes, a word of the file isn't.
    old, new = (f"“{text}”" if " " in text else text for text in (before, after))
    was = f" (was {old})" if old else ""
    return f"set to {new}{was}" if new else f"removed{was}"


def _plain(value: Value | None) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case dict() | list():
            return "…" if value else ""
        case _:
            return str(value)
