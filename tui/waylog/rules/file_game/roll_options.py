"""What may be chosen for a roll of a game in a file, such as help or a push: what each choice costs, what doesn't go together, and the
roll with what was chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from waylog.rules.codec.changes import slug, words_for
from waylog.rules.file_game.clauses import CONDITIONS, COSTS, NOT_NOW
from waylog.rules.file_game.effects import apply_all, refusal_of
from waylog.rules.file_game.expressions import paths_in
from waylog.rules.file_game.game_file_format import RollOption, RollRule, is_clocks
from waylog.rules.file_game.named_values_and_conditions import (
    Chosen,
    FileMoment,
    Found,
    Scope,
    label_of,
    refusal_by_conditions,
    things,
    values_of_clock,
)
from waylog.rules.model.moves import Option, Refusal
from waylog.values import NamedTuple, replace

CALL, OPTIONS, PICK, MODIFIER, TOGETHER = "call", "options", "pick", "modifier", "together"


class OptionOfRoll(NamedTuple):
    """Something that may be chosen for a roll: an option, or a thing that one is for."""

    id: str
    """What a roll on the table keeps of it: `push`, with a thing `gear.rope`, or of a choice `position.risky`."""
    label: str
    rule: RollOption
    scope: Scope
    """What its formulas read."""
    also: tuple[str, ...] = ()
    """Other words for a thing: `help-ilse`, and one that another list has too, which is asked about."""
    progress: str = ""
    """Of a clock, how full it is."""
    paths: tuple[str, ...] = ()
    """Of a clock, its path."""


def option_of(id_: str) -> str:
    """Return the name of the option that an id means."""
    return id_.partition(".")[0]


def options_by_word(moment: FileMoment, choice: RollChoice) -> Mapping[str, OptionOfRoll]:
    """Return the options of a roll, by the word that is typed."""
    rule, found = choice.rule, dict[str, OptionOfRoll]()
    taken = {
        *(word for way in ways_of(rule).values() for word in way),
        *(name for name, option in rule.options.items() if not option.who),
    }
    # A word that two lists have means neither: the name of the option stands before it, whoever rolls.
    lists = [option.who for option in rule.options.values() if option.who]
    keys_of = (
        moment.clocks_of(who) if is_clocks(who) else (keys[-1] for keys, _ in things(moment.sheet, who))
        for who in lists
    )
    words_of = Counter(word for keys in keys_of for word in {*map(slug, keys)}) if len(lists) > 1 else {}
    shared = {word for word, count in words_of.items() if count > 1}
    owner = moment.thing_name(rule.who.partition(".")[0], choice.keys[:1])
    for name, option in rule.options.items():
        if not option.who:
            found[name] = OptionOfRoll(name, label_of(name, option.label), option, choice.scope(moment))
            continue
        keys_by_id = {f"{name}.{keys[-1]}": keys for keys in things_beside(moment, choice, option.who)}
        words = words_for(((id_, keys[-1]) for id_, keys in keys_by_id.items()), name, (*taken, *shared, *found))
        for word, id_ in words.items():
            keys = keys_by_id[id_]
            scope = Scope(moment, option.who, keys, choice.names(), choice.chosen(moment))
            if is_clocks(option.who):  # Whoever rolls pays for it.
                scope = choice.scope(moment, values_of_clock(moment.clocks[keys[0]]))
            label = moment.thing_name(option.who, keys).removeprefix(f"{owner}, ")
            if slug(keys[-1]) in shared:
                label = f"{label_of(name, option.label)}: {label}"
            also = (f"{name}-{slug(keys[-1])}", *({slug(keys[-1])} & shared))
            found[word] = OptionOfRoll(id_, label, option, scope, also, *moment.progress_of(option.who, keys))
    return found


def things_beside(moment: FileMoment, choice: RollChoice, who: str) -> Iterator[tuple[str, ...]]:
    """Yield the keys of the things of a list that can do something for a roll: all but the one that rolls; of a list that each has,
    those of who rolls.
    """
    if is_clocks(who):
        yield from ((key,) for key in moment.clocks_of(who))
        return
    for keys, _ in things(moment.sheet, who):
        if (keys != choice.keys or who != choice.rule.who) and (len(keys) == 1 or keys[:1] == choice.keys[:1]):
            yield keys


def ways_of(rule: RollRule) -> Mapping[str, Mapping[str, RollOption]]:
    """Return the choices of a roll of which one has to be made, by what the answer is called."""
    return {**({CALL: rule.calls} if rule.calls else {}), **rule.pick}


def ways_by_word(moment: FileMoment, choice: RollChoice, name: str) -> Mapping[str, OptionOfRoll]:
    """Return what may be chosen of one of these, by the word that is typed."""
    scope = choice.scope(moment)
    return {
        word: OptionOfRoll(f"{name}.{word}", label_of(word, one.label), one, scope)
        for word, one in ways_of(choice.rule)[name].items()
    }


def chosen_options(moment: FileMoment, choice: RollChoice) -> tuple[OptionOfRoll, ...]:
    """Return what was chosen for a roll: first how it is made, then its options."""
    ways = [one for name in ways_of(choice.rule) for one in ways_by_word(moment, choice, name).values()]
    found = (*ways, *options_by_word(moment, choice).values()) if choice.options else ways
    return tuple(one for one in found if one.id in (*choice.options, f"{CALL}.{choice.call}"))


def reads_choices(formula: object) -> bool:
    """Whether a formula reads what is chosen for a roll."""
    return any(path[0] in (CALL, OPTIONS, PICK, MODIFIER) for path in paths_in(formula))


def offered_option(word: str, one: OptionOfRoll, clause: str, price: str) -> Option:
    """Return what is shown of something that may be chosen, with its price, and why it can't be, whatever else is chosen."""
    blocked = None
    if not reads_choices(one.rule.when) and not one.scope.holds(one.rule.when):
        blocked = Refusal(one.rule.refusal or NOT_NOW, clause or CONDITIONS)
    elif refusal := refusal_of(one.rule.cost, one.scope, in_full=True):
        blocked = Refusal(refusal.reason, refusal.clause or COSTS)
    dice, plus = one.scope.number(one.rule.dice), one.scope.number(one.rule.plus)
    notes = [
        *([one.progress] if one.progress else []),
        *([f"{dice:+d} dice" if abs(dice) != 1 else f"{dice:+d} die"] if dice else []),
        *([f"{plus:+d}"] if plus else []),
        *([f"costs {price}"] if price else []),
    ]
    return Option(word, one.label, ", ".join(notes), one.also, blocked, costs=bool(one.rule.cost), paths=one.paths)


def refusal_of_choices(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why what was chosen for a roll doesn't go together, or can't be paid together."""
    left: dict[tuple[str, ...], int] = {}
    chosen = chosen_options(moment, choice)
    for one in chosen:
        # Its own condition reads what else is chosen.
        others = choice._replace(options=tuple(id_ for id_ in choice.options if id_ != one.id)).names()
        same = sum(option_of(other.id) == option_of(one.id) for other in chosen)
        if one.rule.most != "" and same > (most := one.scope.number(one.rule.most)):
            label = label_of(option_of(one.id), one.rule.label)
            return Refusal(f"{label}: choose at most {most}", choice.rule.clause or CONDITIONS)
        if not replace(one.scope, names={**one.scope.names, **others}).holds(one.rule.when):
            return Refusal(one.rule.refusal or f"{one.label}: {NOT_NOW}", choice.rule.clause or CONDITIONS)
        if refusal := refusal_of(one.rule.cost, one.scope, in_full=True, left=left):
            return refusal
    return refusal_by_conditions(moment, choice.name, choice.scope(moment))


def pay_for_options(moment: FileMoment, choice: RollChoice) -> FileMoment:
    """Pay for what was chosen for a roll."""
    for one in chosen_options(moment, choice):
        moment = apply_all(moment, one.rule.cost, one.scope)
    return moment


class RollChoice(NamedTuple):
    """A roll as somebody makes it."""

    name: str
    rule: RollRule
    keys: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """The ids of what was chosen (see `OptionOfRoll`)."""
    call: str = ""
    modifier: int = 0
    together: tuple[tuple[str, ...], ...] = ()
    """The keys of all who roll, if several do."""

    @property
    def label(self) -> str:
        """Its name on screen."""
        return label_of(self.name, self.rule.label)

    def replacing(self, *keys: str) -> RollOption | RollRule:
        """Return the last choice that says one of these keys in place of the roll; the roll itself if none does. The die of a choice with
        dice of its own is theirs.
        """
        chosen = [self.rule.calls[self.call]] if self.call in self.rule.calls else []
        for id_ in self.options:
            name, _, word = id_.partition(".")
            chosen.append(self.rule.pick[name][word] if name in self.rule.pick else self.rule.options[name])
        if keys == ("die",):
            chosen = [one for one in chosen if not one.is_apart]
        saying = (one for one in reversed(chosen) if any(getattr(one, key) not in ("", 0, ()) for key in keys))
        return next(saying, self.rule)

    def names(self) -> dict[tuple[str, ...], Found]:
        """Return what formulas read of it."""
        chosen = [*map(option_of, self.options)]
        found: dict[tuple[str, ...], Found] = {
            (OPTIONS, name): (True,) * chosen.count(name) if option.who else name in chosen
            for name, option in self.rule.options.items()
        }
        for name, ways in self.rule.pick.items():
            found[(PICK, name)] = next((word for word in ways if f"{name}.{word}" in self.options), "")
        if self.rule.calls:
            found[(CALL,)] = self.call
        if self.rule.modifier:
            found[(MODIFIER,)] = self.modifier
        return found

    def chosen(self, moment: FileMoment) -> Mapping[str, Chosen]:
        """Return the things that were chosen from lists, by what effects and formulas call them."""
        chosen = {*map(option_of, self.options)}
        group: dict[str, Chosen] = {TOGETHER: (self.rule.who, self.together or (self.keys,))} if self.rule.group else {}
        return group | {
            f"{OPTIONS}.{name}": (
                option.who,
                tuple(
                    keys
                    for keys in (things_beside(moment, self, option.who) if name in chosen else ())
                    if f"{name}.{keys[-1]}" in self.options
                ),
            )
            for name, option in self.rule.options.items()
            if option.who
        }

    def scope(self, moment: FileMoment, after: Mapping[tuple[str, ...], Found] = MappingProxyType({})) -> Scope:
        """Return what its formulas read, with what they read after the roll."""
        return Scope(moment, self.rule.who, self.keys, {**self.names(), **after}, self.chosen(moment))


def first_choice(name: str, rule: RollRule, keys: tuple[str, ...]) -> RollChoice:
    """Return a roll as it is before anything is answered."""
    return RollChoice(name, rule, keys, call=next(iter(rule.calls), ""))


def choices_change_dice(rule: RollRule) -> bool:
    """Whether what is chosen for a roll may change how many dice it has."""
    formulas = (rule.pool, *(formula for extra in rule.more for formula in (extra.dice, extra.when)))
    offered = [one for ways in (rule.options, *ways_of(rule).values()) for one in ways.values()]
    return any(one.dice != 0 or one.pool != "" for one in offered) or any(map(reads_choices, formulas))
