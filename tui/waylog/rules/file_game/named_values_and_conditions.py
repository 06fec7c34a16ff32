"""The state that the rules of a game file work on: the values that names such as `nerve` or `team.stress` mean, what a formula reads, and
the conditions that hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from waylog.rules.codec.changes import format_path, join_names, words_for
from waylog.rules.common.clock_and_situation_moves import clock_words
from waylog.rules.file_game.based_rolls_and_replaced_parts import in_force
from waylog.rules.file_game.clauses import CONDITIONS, NOT_NOW
from waylog.rules.file_game.formulas import ExpressionError, is_true, number_of, parse_expression, paths_in
from waylog.rules.file_game.game_file_format import (
    ConditionRule,
    GameFile,
    PartRule,
    Path,
    ValueRule,
    did_you_mean,
    values_in,
)
from waylog.rules.file_game.roll_and_effect_format import is_clocks
from waylog.rules.file_game.sheet_types import GONE, kind_of, start_of, things_values
from waylog.rules.model.clocks_situations_and_timers import Clock, clock_path
from waylog.rules.model.facts import NoteFact, NotePart, RollFact
from waylog.rules.model.moves import Refusal
from waylog.rules.rulebook import MomentBase
from waylog.values import NamedTuple, dataclass, field, replace

ACTING = "*"
"""Stands in a path for the key of what acts, in order: the person, then the thing that they have."""
EACH = "each"
"""Stands in a path for all things of a list: `crew.each.nerve`, and `crew.gear.each.uses` of all that who acts has."""
Parts = Mapping[str, PartRule]


class ValuePlace(NamedTuple):
    """A declared value and where it stands."""

    path: tuple[str, ...]
    value: ValueRule
    of_all: bool = False
    """It means this value of every thing in a list, which stands before `EACH` in the path."""

    def of(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Return its path in the sheet when the thing with these keys acts."""
        left = iter(keys)
        return tuple(next(left, part) if part == ACTING else part for part in self.path)

    @property
    def label(self) -> str:
        """Its name on screen."""
        return label_of(self.path[-1], self.value.label)

    def count_in_words(self, number: int) -> str:
        """Return so many of it, for people: `2 Bennies`, `1 Benny`."""
        return f"{number} {self.value.one if number == 1 and self.value.one else self.label}"


def label_of(key: str, label: str) -> str:
    """Return the name on screen of a key: what the file says, or the key in words."""
    words = key.replace("_", " ").replace("-", " ")
    return label or words[:1].upper() + words[1:]


R = TypeVar("R")


def once_for(work: Callable[..., R]) -> Callable[..., R]:
    """Make a function of a value that nothing changes, such as a game, and of texts, remember what it has returned for the same one; for
    the last few of them.
    """
    known: dict[int, tuple[Any, dict[tuple[Any, ...], R]]] = {}

    def look_up(one: Any, *more: Any) -> R:
        kept = known.get(id(one))
        if kept is None:
            if len(known) >= _MOST_KNOWN:
                known.clear()
            kept = known[id(one)] = one, {}  # As long as it is kept, nothing else has its id.
        if more not in kept[1]:
            kept[1][more] = work(one, *more)
        return kept[1][more]

    return look_up


def once_for_sheet(work: Callable[..., R]) -> Callable[..., R]:
    """Make a function of a moment, and of things that have a hash, remember what it has returned for the same sheet, house rules and
    clocks; for the last few of them. It sees nothing else of the moment. They stay the same objects until one of their values changes.
    """
    known: dict[tuple[Any, ...], tuple[FileMoment, R]] = {}

    def look_up(moment: FileMoment, *more: Any) -> R:
        key = (*map(id, (moment.sheet, moment.rules, moment.clocks, moment.edition)), *more)
        kept = known.get(key)
        if kept is None:
            if len(known) >= _MOST_LOOKS:
                known.clear()
            bare = FileMoment(moment.sheet, moment.rules, moment.clocks, moment.edition)
            kept = known[key] = bare, work(bare, *more)  # As long as it is kept, nothing else has these ids.
        return kept[1]

    return look_up


_MOST_LOOKS = 256
"""How many rolls on the table something is kept of: for odds of a chain, those that lead to something else."""
_MOST_KNOWN = 64
"""Of how many games something is kept: a large one takes a tenth of a megabyte."""


class WrongPath(Exception):
    """A path names no value. The text says which names there are."""


def values_of(parts: Parts, who: str) -> Mapping[str, ValueRule]:
    """Return the values of the things that act: `crew`, or `crew.gear` for what they have. Raises `WrongPath`."""
    name, _, inner = who.partition(".")
    part = parts.get(name)
    if part is None or not (part.each or inner):
        raise WrongPath(f"`{who[:40]}` is not a list of the sheet. {did_you_mean(who, [*lists_of(parts)], 'lists')}")
    values = things_values(part.each) if part.each else part.values
    if not inner:
        return values
    if inner not in values or kind_of(values[inner]) != "each":
        lists = [key for key, value in values.items() if kind_of(value) == "each"]
        raise WrongPath(f"`{inner[:40]}` is not a list in {name}. {did_you_mean(inner, lists, 'lists')}")
    return things_values(values[inner].each)


def lists_of(parts: Parts) -> Iterator[str]:
    """Yield the lists whose things may act: `crew`, `crew.gear`, `ship.modules`."""
    for key, part in parts.items():
        if part.each:
            yield key
        yield from (f"{key}.{name}" for name, value in (part.each or part.values).items() if kind_of(value) == "each")


def find(parts: Parts, who: str, names: Sequence[str]) -> ValuePlace:
    """Return the value that names mean when a thing of the list `who` acts. Raises `WrongPath`."""
    found = _find_or_why(parts, who, tuple(names))
    if isinstance(found, WrongPath):
        raise WrongPath(str(found))  # The one that is kept would hold on to whoever asked.
    return found


@once_for
def _find_or_why(parts: Parts, who: str, names: tuple[str, ...]) -> ValuePlace | WrongPath:
    """Return the value, or why there is none: to look for the name that was meant takes long, and a check asks for the same ones often."""
    try:
        return _find(parts, who, names)
    except WrongPath as wrong:
        return WrongPath(str(wrong))


def _find(parts: Parts, who: str, names: tuple[str, ...]) -> ValuePlace:
    owner, _, inner = who.partition(".")
    if "" in names:
        raise WrongPath(
            f'“{".".join(names)[:40]}” is not a path. For everybody in a list, write who = "{names[0]}" beside the effect'
        )
    if who:
        values_of(parts, who)
    if len(names) == 1:
        return _by_key(parts, owner, inner, names[0])
    part = parts.get(names[0])
    if part is None and owner and f"{owner}.{names[0]}" in lists_of(parts):
        names, part = (owner, *names), parts[owner]  # A list of who acts.
    if part is None:
        raise WrongPath(f"`{names[0][:40]}` is not a table of the sheet. {did_you_mean(names[0], [*parts], 'tables')}")
    if not part.each:
        return _inside((names[0],), part.values, names[1:], acts=who == ".".join(names[:2]))
    values = things_values(part.each)
    if len(names) >= 2 and names[1] in values and owner == names[0]:
        return _inside((names[0], ACTING), values, names[1:], acts=who == ".".join(names[:2]))
    if len(names) == 2 or (len(names) == 3 and names[1] == EACH):
        return _inside((names[0], EACH), values, names[-1:])._replace(of_all=True)
    if names[1] == EACH:
        return _inside((names[0], EACH), values, names[2:], acts=False)
    return _inside((names[0], names[1]), values, names[2:])


def _inside(
    above: tuple[str, ...], values: Mapping[str, ValueRule], names: Sequence[str], *, acts: bool = True
) -> ValuePlace:
    value = values.get(names[0])
    if value is None:
        raise WrongPath(
            f"`{names[0][:40]}` is not a value of {above[0]}. {did_you_mean(names[0], [*values], 'values')}"
        )
    if len(names) == 1:
        return ValuePlace((*above, names[0]), value)
    if kind_of(value) != "each":
        raise WrongPath(f"`{names[0][:40]}` has no values within it")
    if len(names) == 3 and names[1] == EACH:
        return _inside((*above, *names[:2]), things_values(value.each), names[2:])._replace(of_all=True)
    if len(names) == 2:
        if not acts:
            every = f"{'.'.join(part for part in above if part != ACTING)}.{names[0]}.{EACH}.{names[1]}"
            for_one = f'write who = "{above[0]}.{names[0]}", or name one of them'
            raise WrongPath(f"{names[0][:40]} is a list: {for_one}. A formula can read all of them: count({every})")
        return _inside((*above, names[0], ACTING), things_values(value.each), names[1:])
    return _inside((*above, names[0], names[1]), things_values(value.each), names[2:])


def _by_key(parts: Parts, owner: str, inner: str, name: str) -> ValuePlace:
    """Return a value by its key alone: of the thing that acts, of its owner, or of the only table that has it."""
    near: list[tuple[tuple[str, ...], Mapping[str, ValueRule]]] = []
    at = (owner, ACTING) if owner and parts[owner].each else (owner,)
    if inner:
        near.append(((*at, inner, ACTING), values_of(parts, f"{owner}.{inner}")))
    if owner:
        near.append((at, things_values(parts[owner].each) if parts[owner].each else parts[owner].values))
    for path, values in near:
        if name in values:
            return ValuePlace((*path, name), values[name])
    if name in parts and parts[name].each:
        return ValuePlace((name,), ValueRule(each=parts[name].each))
    single = [key for key, part in parts.items() if name in part.values]
    if len(single) == 1:
        return ValuePlace((single[0], name), parts[single[0]].values[name])
    if single:
        raise WrongPath(
            f"`{name[:40]}` is a value of {' and of '.join(single)}: write, for example, `{single[0]}.{name}`"
        )
    known = [*(key for _, values in near for key in values)]
    known += [f"{key}.{value}" for key, part in parts.items() for value in part.values]
    lists = [] if owner else [key for key, part in parts.items() if name in part.each]
    hint = f'{lists[0]} is a list, so write who = "{lists[0]}"' if lists else ""
    raise WrongPath(f"`{name[:40]}` is not a value here. {hint or did_you_mean(name, known, 'values')}")


def read(sheet: Any, path: Sequence[str]) -> Any:
    """Return what is at a place of a sheet; None if a thing on the way isn't there."""
    found = sheet
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else getattr(found, key, None)
        if found is None:
            return None
    return found


def write(sheet: Any, path: Sequence[str], value: Any) -> Any:
    """Return the sheet with another value at a place that it has."""
    if not path:
        return value
    first, *rest = path
    if isinstance(sheet, Mapping):
        return {**sheet, first: write(sheet[first], rest, value)}
    return replace(sheet, **{first: write(getattr(sheet, first), rest, value)})


def value_at(sheet: Any, place: ValuePlace, keys: Sequence[str]) -> Any:
    """Return a value of the sheet, or the one that it starts with if its thing isn't there."""
    found = read(sheet, place.of(keys))
    return start_of(place.value) if found is None else found


def things(sheet: Any, who: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the things of a list that are in play, with their keys: of each person, of what each person has, or of what a table has."""
    owner, _, inner = who.partition(".")
    if not owner:
        yield (), None
        return
    found = getattr(sheet, owner)
    if not isinstance(found, Mapping):
        yield from (((key,), item) for key, item in in_play(getattr(found, inner)))
        return
    for key, thing in in_play(found):
        if inner:
            yield from (((key, other), item) for other, item in in_play(getattr(thing, inner)))
        else:
            yield (key,), thing


def in_play(found: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the things of a list that are in play, by key."""
    return ((key, thing) for key, thing in found.items() if not getattr(thing, GONE, False))


def thing_path(who: str, keys: Sequence[str]) -> tuple[str, ...]:
    """Return the path of a thing in the campaign file; an empty one for no thing."""
    names = who.split(".")
    if len(keys) == len(names):
        return tuple(part for pair in zip(names, keys, strict=True) for part in pair)
    return (*names, *keys) if keys else ()


def is_near(who: str, other: str) -> bool:
    """Whether two lists are the same, or the things of one have the other: `crew` and `crew.gear`."""
    return bool(who and other) and (f"{who}.".startswith(f"{other}.") or f"{other}.".startswith(f"{who}."))


def thing_at(parts: Parts, path: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the list and the keys of the thing that has the value at a path; nothing for a value of a single table."""
    *above, _ = path
    names, keys = (above[::2], above[1::2]) if parts[above[0]].each else (above[:2], above[2:])
    return (".".join(names), tuple(keys)) if keys else ("", ())


def places_in(sheet: Any, path: Path, who: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield where a value stands in a sheet, once for each thing that has it, with the keys of that thing. `path` and `who` are as
    `values_in` yields them.
    """
    return (((*(thing_path(who, keys) or path[1:2]), path[-1]), keys) for keys, _ in things(sheet, who))


@once_for
def lasting_values(game: GameFile) -> Sequence[tuple[Path, ValueRule, str]]:
    """Return the values that end or fade by themselves, as `values_in` yields them."""
    return [one for one in values_in(game) if one[1].ends or one[1].fades]


@once_for
def values_with_limits(game: GameFile) -> Sequence[tuple[Path, ValueRule, str]]:
    """Return the values whose limits depend on others, as `values_in` yields them."""
    return [one for one in values_in(game) if one[1].most != "" or one[1].least != ""]


def main_value(values: Mapping[str, ValueRule]) -> str:
    """Return the value that is shown for a thing on its row: its first track or flag; empty if it has none."""
    shown = (key for key, value in values.items() if value.show != "nowhere" and kind_of(value) in ("range", "flag"))
    return next(shown, "")


_MOST_STEPS = 20
"""How many values may change because of the limits of others, when one changes."""
RULES = "rules"
"""The word in formulas before the name of a house rule."""
ACTOR = "actor"
"""The word in formulas for whoever acts, where they read somebody else."""
Found = int | bool | str | tuple[int | bool | str, ...]
"""The value of a path or a formula."""
Chosen = tuple[str, tuple[tuple[str, ...], ...]]
"""Things that were chosen: their list, and the keys of each."""


@dataclass(frozen=True, slots=True)
class FileMoment(MomentBase):
    """The sheet of a game in a file."""

    forced: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = ()
    """The rolls that follow by themselves, each with the keys of what makes it, and with the rolls that led to it."""
    after: tuple[str, ...] = ()
    """The rolls that led to what happens now, first to last."""
    followed: int = 0
    """The number of rolls that follow by themselves in this act, with those that are still to be made."""

    @property
    def game(self) -> GameFile:
        """The game, with the house rules of this campaign."""
        return in_force(self.edition, self.rules)

    def put(self, path: Sequence[str], value: Any) -> FileMoment:
        """Set a value of the sheet."""
        return replace(self, sheet=write(self.sheet, path, value))

    def thing_name(self, who: str, keys: Sequence[str]) -> str:
        """Return what a thing in a list is called, with its owner's name before it; empty for no thing."""
        if not keys:
            return ""
        if is_clocks(who):
            return self.clocks[keys[0]].name
        path = thing_path(who, keys)
        owner = f"{self.thing_name(who.partition('.')[0], keys[:1])}, " if len(keys) > 1 else ""
        return f"{owner}{getattr(read(self.sheet, path), 'name', '') or path[-1]}"

    def hides(self, who: str) -> bool:
        """Whether players never see the things of a list."""
        key, *inner = who.split(".")
        part = self.game.sheet.get(key)
        return bool(part and (part.secret or (inner and (part.each or part.values)[inner[0]].secret)))

    def clocks_of(self, who: str) -> Mapping[str, Clock]:
        """Return the clocks that can be chosen where a list of clocks is named: those of its kind. Closed ones are in no moment."""
        kind = who.partition(".")[2]
        return {key: one for key, one in self.clocks.items() if kind in ("", one.kind)}

    def progress_of(self, who: str, keys: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return how full a clock is that can be chosen, and its path, for an `Option`; of a thing of the sheet only its path, if players
        never see it.
        """
        if not is_clocks(who):
            return "", (format_path(thing_path(who, keys)),) if self.hides(who) else ()
        clock = self.clocks[keys[0]]
        return f"{clock.filled}/{clock.segments}", (clock_path(keys[0]),)

    def row_of_thing(self, who: str, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the path of the panel or the row that shows a thing, for `Move.about`; nothing for no thing."""
        path = thing_path(who, keys)
        if "." in who:
            values = values_of(self.game.sheet, who)
            main = main_value(values)
            path = (*path, main) if main and kind_of(values[main]) == "range" and values[main].range[0] >= 0 else path
        return (format_path(path),) if keys else ()

    def name_of(self, path: Sequence[str]) -> str:
        """Return the name of the thing that a path leads through, with its owner's; empty if there is none."""
        found, names = self.sheet, list[str]()
        for key in path[:-1]:
            inside_list = isinstance(found, Mapping)
            found = read(found, (key,))
            if inside_list:
                names.append(str(getattr(found, "name", "") or key))
        return ", ".join(names)

    def changes(self, place: ValuePlace, keys: Sequence[str], value: Any, remark: str = "") -> FileMoment:
        """Set a declared value, and say so, with a remark at the end."""
        before = read(self.sheet, place.of(keys))
        if before is None or before == value:
            return self
        return self._tells_change(ValuePlace(place.of(keys), place.value), value, remark).within_limits()

    def _tells_change(self, place: ValuePlace, value: Any, remark: str = "") -> FileMoment:
        owner, before = self.name_of(place.path), read(self.sheet, place.path)
        text = f"{step_in_words(place, before, value, is_owned=bool(owner))}{remark}"
        changed = self.put(place.path, value)
        return changed if place.value.show == "nowhere" else changed.tells(self._note(place, place.path, owner, text))

    def within_limits(self) -> FileMoment:
        """Raise what is lower than it may be now, and lower what is higher."""
        moment = self
        for _ in range(_MOST_STEPS):  # Limits that contradict each other would go on for ever.
            wrong = next(moment._beyond_limits(), None)
            if wrong is None:
                break
            moment = moment._tells_change(*wrong)
        return moment

    def _beyond_limits(self) -> Iterator[tuple[ValuePlace, int]]:
        """Yield the place of each value that is lower or higher than it may be now, with the number that is next to it."""
        for declared, value, who in values_with_limits(self.game):
            for path, _ in places_in(self.sheet, declared, who):
                least, most = self.limits(value, path)
                if not least <= (now := read(self.sheet, path)) <= most:
                    yield ValuePlace(path, value), max(least, min(most, now))

    def limits(self, value: ValueRule, path: Sequence[str]) -> tuple[int, int]:
        """Return the lowest and the highest number that a range at a path may be now."""
        low, high = value.range[0], value.range[-1]
        if value.most == value.least == "":
            return low, high
        scope = Scope(self, *thing_at(self.game.sheet, path))
        least = max(low, min(high, scope.number(value.least, low)))
        return least, max(least, min(high, scope.number(value.most, high)))

    def changes_list(self, place: ValuePlace, path: Sequence[str], thing: Any) -> FileMoment:
        """Put a thing into a list, in place of the one with that key if there is one, and say whether it comes or goes."""
        *above, key = path
        before = dict(in_play(read(self.sheet, above)))
        name = str(getattr(thing, "name", "")) or key
        if (key in before) is (key in dict(in_play({key: thing}))):
            return self
        noted = self.put(above, {**read(self.sheet, above), key: thing})
        owner, done = self.name_of(path[:-1]), "removed from" if key in before else "added to"
        text = f"“{name}” {done} {place.label}" if owner else f"{done.capitalize()} {place.label}: “{name}”"
        return noted.tells(self._note(place, path, owner, text)).within_limits()

    def says_what_was_done(self, text: str, clause: str, before: FileMoment, who: str) -> FileMoment:
        """Put a note on what a thing of the list `who` did before the facts that are new since `before`. It is secret if all of them are,
        or if players never see that thing. Without any, it is told if something was offered, or taken back.
        """
        since = len(before.facts)
        came = self.facts[since:]
        if not came and self.offers == before.offers:
            return self
        secret = bool(came) and all(isinstance(fact, NoteFact | RollFact) and fact.secret for fact in came)
        deed = NoteFact(text, clause or None, secret or self.hides(who), part=NotePart.DEED)
        return replace(self, facts=(*self.facts[:since], deed, *came))

    def _note(self, place: ValuePlace, path: Sequence[str], owner: str, text: str) -> NoteFact:
        """Return what the log has of a change at a place, with its owner's name if it has one."""
        secret = place.value.secret or self.game.sheet[path[0]].secret
        text = f"{owner}: {text}" if owner else text
        return NoteFact(text, place.value.clause or None, secret, (format_path(tuple(path)),) if secret else ())

    def things_by_word(self, who: str) -> Mapping[str, tuple[str, ...]]:
        """Return the things of a list by the words that are typed for them; without a list, one thing without a word."""
        if not who:
            return {"": ()}
        if is_clocks(who):
            there = self.clocks_of(who)
            return {word: (key,) for word, key in clock_words(self.clocks).items() if key in there}
        named = {"\0".join(keys): keys for keys, _ in things(self.sheet, who)}
        names = ((joined, keys[-1]) for joined, keys in named.items())
        # Words that mean something else after a verb.
        taken = tuple(key for part_key, part in self.game.sheet.items() for key in (part_key, *part.values))
        found = words_for(names, who.rpartition(".")[2], taken)
        return {word: named[joined] for word, joined in found.items()}


_SWITCHED: Mapping[bool | None, tuple[str, str]] = {
    True: (" lost", " gained"),
    False: (" ends", " starts"),
    None: (": no", ": yes"),
}
"""The words for a flag of a single table that goes off and on, by which of the two is good."""


def step_in_words(place: ValuePlace, before: Any, after: Any, *, is_owned: bool) -> str:
    """Return how a value has changed, as a sentence. Of a flag that belongs to somebody the sentence follows their name."""
    match kind_of(place.value):
        case "deck":
            return f"{place.label} shuffled"
        case "flag" if is_owned:
            return f"{'now' if after else 'no longer'} {place.label}"
        case "flag":
            return f"{place.label}{_SWITCHED[place.value.good][after]}"
        case "tags" if added := [tag for tag in after if tag not in before]:
            return f"“{added[-1]}” added to {place.label}"
        case "tags":
            lost = join_names([f"“{tag}”" for tag in before if tag not in after])
            return f"{lost} removed from {place.label}"
        case "range" | "number":
            return f"{place.label} {before} → {after}".replace("-", "−")
        case _:
            was = f" (was {before})" if before else ""
            return f"{place.label} is now {in_words(after)}{was}"


def in_words(value: Any) -> str:
    """Return a value in a sentence."""
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(value) or "nothing"
        case _:
            return str(value) or "nothing"


@dataclass(frozen=True, slots=True)
class Scope:
    """The values that a formula reads: the sheet, seen from the thing that acts."""

    moment: FileMoment
    who: str = ""
    keys: tuple[str, ...] = ()
    names: Mapping[tuple[str, ...], Found] = field(default_factory=dict)
    """Names that only this act has, such as `amount` or `options.help`."""
    chosen: Mapping[str, Chosen] = field(default_factory=dict)
    """The things chosen from lists, as list and keys, by their names in effects: `options.help`, `whom`."""
    inside: tuple[tuple[str, ...], ...] = ()
    """The values whose limits have brought what is done now: they bring it only once."""
    actor: tuple[str, tuple[str, ...]] | None = None
    """The thing that acts, as list and keys, where formulas read another to which something is done; otherwise None."""

    def look_up(self, path: tuple[str, ...]) -> Found:
        """Return the value that a path means. Raises `WrongPath` for none."""
        if path in self.names:
            return self.names[path]
        if len(path) == 1 and path[0] in self.moment.game.formulas:
            return _by_name(self, path[0])
        if path[0] == ACTOR:
            who, keys = self.actor or (self.who, self.keys)
            return replace(self, who=who, keys=keys, actor=None).look_up(path[1:])
        if chosen := self.chosen.get(".".join(path[:-1])):
            return self._of_chosen(*chosen, path[-1])
        if len(path) == 3 and path[1] == EACH and path[2] in self.moment.game.formulas:
            everybody = things(self.moment.sheet, path[0])
            return tuple(replace(self, who=path[0], keys=keys).number(path[2]) for keys, _ in everybody)
        if path[0] == RULES and len(path) == 2:
            return plain(getattr(self.moment.rules, path[1], False))
        place = find(self.moment.game.sheet, self.who, path)
        if place.of_all:
            who = ".".join(part for part in place.path[:-1] if part not in (ACTING, EACH))
            mine = ACTING in place.path
            everything = (
                thing for keys, thing in things(self.moment.sheet, who) if not mine or keys[:1] == self.keys[:1]
            )
            each = (plain(read(thing, path[-1:])) for thing in everything)
            # A list counts how many it has.
            return tuple(len(one) if isinstance(one, tuple) else one for one in each)
        return plain(value_at(self.moment.sheet, place, self.keys))

    def _of_chosen(self, who: str, things: Sequence[tuple[str, ...]], name: str) -> Found:
        """Return a value of the things that were chosen: numbers added up, the text of the first, or the flags or words of all. Formulas
        by name are numbers.
        """
        if name in self.moment.game.formulas:
            each = (replace(self, who=who, keys=keys).number(name) for keys in things)
            return sum(each)
        if is_clocks(who):
            found = [values_of_clock(self.moment.clocks[key])[(name,)] for (key,) in things]
            kind = "text" if name == "kind" else "number"
        else:
            place = find(self.moment.game.sheet, who, (name,))
            found, kind = [plain(value_at(self.moment.sheet, place, keys)) for keys in things], kind_of(place.value)
        if kind in ("text", "choices"):
            return found[0] if found else ""
        if kind in ("range", "number"):
            return sum(map(number_of, found))
        return tuple(word for one in found for word in (one if isinstance(one, tuple) else (one,)))

    def number(self, formula: object, otherwise: int = 0) -> int:
        """Return what a formula comes to as a number; `otherwise` for an empty one."""
        if formula == "":
            return otherwise
        found = self.value(formula)
        return otherwise if isinstance(found, str) else number_of(found)

    def holds(self, formula: object) -> bool:
        """Whether a condition holds. An empty one always does."""
        return formula == "" or is_true(self.value(formula))

    def value(self, formula: object) -> Found:
        """Return what a formula comes to. What can't be worked out, such as a division by nothing, is 0."""
        try:
            return self._work_out(formula)
        except WrongPath:
            return 0

    def _work_out(self, formula: object) -> Found:
        """Return what a formula comes to. Raises `WrongPath` if it comes to read what is not known here, such as a choice."""
        if not isinstance(formula, str):
            return formula if isinstance(formula, int) else 0
        try:
            return parse_expression(formula).evaluate(self.look_up)
        except ExpressionError:
            return 0


@once_for
def _by_name(scope: Scope, name: str) -> Found:
    """Return what a formula of [formulas] comes to. Many others may read it, and what these read, for the same roll."""
    return scope._work_out(scope.moment.game.formulas[name])  # noqa: SLF001


@once_for
def paths_read(game: GameFile, formula: object) -> frozenset[tuple[str, ...]]:
    """Return the paths that a formula reads, and those that the formulas of [formulas] read that it names. Raises `ExpressionError`."""
    found, new = set[tuple[str, ...]](), {*paths_in(formula)}
    while new:
        found |= new
        named = {game.formulas.get(path[-1], "") for path in new}
        new = {path for inner in named for path in paths_in(inner)} - found
    return frozenset(found)


@once_for
def reads_secret(game: GameFile, who: str, formula: str) -> bool:
    """Whether a formula by a thing of a list, or one of [formulas] that it names, reads a value that players never see."""
    known, new = set[tuple[str, tuple[str, ...]]](), {(who, path) for path in paths_in(formula)}
    while new:
        known |= new
        named = ((path[0] if len(path) == 3 else reader, game.formulas.get(path[-1], "")) for reader, path in new)
        new = {(reader, path) for reader, inner in named for path in paths_in(inner)} - known
    read = (
        find(game.sheet, reader, path) for reader, path in known if path[-1] not in game.formulas and path[0] != RULES
    )
    return any(place.value.secret or game.sheet[place.path[0]].secret for place in read)


def values_of_clock(clock: Clock) -> Mapping[tuple[str, ...], Found]:
    """Return what formulas read of a clock."""
    return {("filled",): clock.filled, ("segments",): clock.segments, ("kind",): clock.kind.value}


def plain(value: Any) -> Found:
    """Return a value of a sheet as formulas know it. Each thing of a list is true, so that they can be counted."""
    match value:
        case int() | str() | tuple():
            return value
        case Mapping():
            return tuple(True for _ in in_play(value))
        case _:
            return 0


# -- what follows from values by itself: dice more or fewer, words beside a name, and rolls that are impossible --------


def conditions_for(moment: FileMoment, roll: str, scope: Scope) -> Iterator[tuple[str, ConditionRule]]:
    """Yield the conditions that hold for a roll by the thing that `scope` sees."""
    for name, condition in moment.game.when.items():
        if condition.rolls and roll not in condition.rolls:
            continue
        if condition.who in ("", scope.who, scope.who.partition(".")[0]) and scope.holds(condition.condition):
            yield name, condition


def condition_refusal(moment: FileMoment, roll: str, scope: Scope) -> Refusal | None:
    """Return why a roll is impossible now, whatever is chosen for it, if its own `when` or a condition says so. A condition that comes to
    read what is chosen doesn't hold here: `refusal_of_choices` looks at it.
    """
    rule = moment.game.dice[roll]
    if not scope.holds(rule.when):
        return Refusal(rule.refusal or NOT_NOW, rule.clause or CONDITIONS)
    return refusal_by_conditions(moment, roll, replace(scope, names={}))


def refusal_by_conditions(moment: FileMoment, roll: str, scope: Scope) -> Refusal | None:
    """Return why the conditions that hold make a roll impossible."""
    refusing = (condition for _, condition in conditions_for(moment, roll, scope) if condition.refuses)
    return next((Refusal(one.refuses, one.clause or CONDITIONS) for one in refusing), None)
