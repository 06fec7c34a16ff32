"""Setting values as an act: what settings would come to, with every fault, and the act `set` itself.

`settings` has the words of such an act; here it is tried and played, on the values of a campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from waylog.rules.campaign_tree import OVERRULED, CampaignTree
from waylog.rules.codec.base import Fault
from waylog.rules.codec.changes import Change, Path, Value, format_path, parse_path
from waylog.rules.codec.fields import codec_at, read_text, text_of
from waylog.rules.common.common_rules import Memo
from waylog.rules.common.rulings import tell_overruled
from waylog.rules.model.facts import Fact, NoteFact, NotePart
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import State
from waylog.rules.set_act import (
    Setting,
    SettingsOutcome,
    common_thing,
    describe_new_thing,
    describe_settings,
    label_within,
    parse_settings,
)
from waylog.values import replace

Reads = Callable[[Mapping[str, Value]], tuple[State, Sequence[Fault]]]
"""Reads a campaign and returns it with all its faults."""

_SHORT = 12
"""The most letters of a value that stands in the title of its act."""


class SettingValues:
    """Sets values of the campaigns of one game. It keeps no state."""

    def __init__(self, tree: CampaignTree, read: Reads) -> None:
        self._tree, self._read = tree, read
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
                faults.append(Fault(setting.path, str(error)))
        before = self._faults_before(state)
        found = self._read(self._tree.write(after))[1]
        faults += (fault for fault in found if (fault.path, fault.message) not in before)
        return SettingsOutcome(after, tuple(faults))

    def _put(self, state: State, setting: Setting) -> State:
        """Set or remove one value. Raises `ValueError`."""
        if setting.text is None:
            holder = codec_at(self._tree.tree, setting.path[:-1])
            if holder is None or not holder.is_keyed:
                raise ValueError(f"{format_path(setting.path)} is not an entry of a table, so it can't be removed")
            return self._tree.put(state, setting.path, None)
        codec = codec_at(self._tree.tree, setting.path)
        raw = read_text(codec, setting.text) if codec else setting.text
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
        outcome = self.outcome(state, settings)
        wrong = [fault for fault in outcome.faults if not fault.lacking]
        hard = [fault for fault in wrong if fault.excess is None]
        if fault := next(iter(hard or (() if overrules else wrong)), None):
            how = "" if hard else f". To overrule that: overrule {line}"
            raise ActRefused(f"{fault.message}{how}", fault.clause)
        outcome, ruled = self._with_overruled(outcome, settings, overrules=overrules)
        changes = self._tree.difference(state, outcome.state)
        if not changes:
            (first, *others) = settings
            path = format_path(first.path)
            reason = f"there is no {path}" if first.text is None else f"{path} is already {first.text}"
            raise ActRefused("all of these values are already set" if others else reason)
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
        names = self._tree.thing_names(outcome.state, settings)
        thing = common_thing(settings, names)
        whole = self._describe_added(state, outcome.state, settings)
        if whole:
            lines = [f"Added: {whole}"]
        elif len(settings) > 1:
            lines = [f"{label_within(thing, c.path)}: {self._step(c)}" for c in shown_changes]
        else:  # No title stands above it in the log, so it says whose value it is.
            owner = f"{names[thing]}: " if thing else ""
            lines = [
                f"{owner}{label_within(thing, c.path).lower()} {_plain(c.before)} → {_plain(c.after)}"
                for c in shown_changes
            ]
        lines += [f"Still to set: {fault.message}" for fault in outcome.faults if fault.lacking]
        overruled = (tell_overruled(fault, names[thing] if thing else "") for fault in ruled)
        part = NotePart.DEED if whole else NotePart.RESULT
        return outcome.state, (*overruled, *(NoteFact(text, secret=True, part=part) for text in lines))

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

    def _step(self, change: Change) -> str:
        """Return `pilot → medic`; of a value that was empty, the new one alone."""
        codec = codec_at(self._tree.tree, change.path)
        if isinstance(change.before, dict) and change.after is None:
            return "removed"
        before, after = (text_of(codec, value) if codec else str(value) for value in (change.before, change.after))
        return f"{before} → {after or 'nothing'}" if before else after

    def name_value(self, state: State, path: Path) -> str:
        """Return what the value at a path is called, for people: `Mara: role`; a whole thing by its name."""
        setting = Setting(path, None)
        names = self._tree.thing_names(state, (setting,))
        thing = path if path in names else common_thing((setting,), names)
        words = " ".join(key.replace("_", " ") for key in path[len(thing) :])
        return ": ".join(filter(None, (names.get(thing, ""), words)))

    def _describe_added(self, before: State, after: State, settings: Sequence[Setting]) -> str:
        """Return the new thing that the settings make, if it holds many entries: nobody reads a line for each value."""
        names = self._tree.thing_names(after, settings)
        thing = common_thing(settings, names)
        is_new = thing and any(change.path == thing for change in self._tree.difference(before, after))
        return describe_new_thing(thing, settings, names[thing]) if is_new else ""

    def title(self, before: State, after: State, line: str, verb: str) -> str:
        """Return what was set, for people: `Set Mara: role, focus and 2 more`; of a single value also to what, if that is
        short; of a new thing with many entries how many, as `Add Searching the wreck, with 11 cards`. Empty if the line can't
        be read. `verb` is `set` or `overrule`.
        """
        with suppress(ValueError):
            settings = parse_settings(line, self._tree.tree.tables)
            if whole := self._describe_added(before, after, settings):
                return f"Add {whole}"
            verb = "remove" if all(setting.text is None for setting in settings) else verb
            title = f"{verb.capitalize()} {describe_settings(settings, self._tree.thing_names(after, settings))}"
            setting, *more = settings
            text = {"true": "yes", "false": "no"}.get(setting.text or "", setting.text or "")
            return f"{title} to {text}" if not more and 0 < len(text) <= _SHORT else title
        return ""


def _concerns(setting: Path, path: Path) -> bool:
    """Whether setting the value at one path may put that at the other out of its range: one is part of the other."""
    shorter = min(len(setting), len(path))
    return setting[:shorter] == path[:shorter]


def _plain(value: Value | None) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case dict() | list():
            return "…" if value else "nothing"
        case _:
            return str(value) or "nothing"
