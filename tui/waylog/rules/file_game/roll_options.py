"""The options of a roll: those that the file names, and one for each thing of the list that an option is for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from waylog.rules.file_game.clauses import CONDITIONS, COSTS, NOT_NOW
from waylog.rules.file_game.declaration import RollOption
from waylog.rules.file_game.effects import apply_all, refusal_of
from waylog.rules.file_game.moment import FileMoment, Scope
from waylog.rules.file_game.places import label_of, things
from waylog.rules.moves import Option, Refusal
from waylog.rules.naming import words_for
from waylog.values import NamedTuple

if TYPE_CHECKING:
    from waylog.rules.file_game.roll_plans import RollChoice


class OptionOfRoll(NamedTuple):
    """Something that may be chosen for a roll: an option, or a thing that one is for."""

    id: str
    """What a roll on the table keeps of it: `push`, or with a thing `gear.rope`."""
    label: str
    rule: RollOption
    scope: Scope
    """What its formulas read."""


def option_of(id_: str) -> str:
    """Return the name of the option that an id means."""
    return id_.partition(".")[0]


def options_by_word(moment: FileMoment, choice: RollChoice) -> Mapping[str, OptionOfRoll]:
    """Return everything that may be chosen for a roll, by the word that is typed."""
    rule, found = choice.rule, dict[str, OptionOfRoll]()
    taken = {*rule.calls, *(name for name, option in rule.options.items() if not option.who)}
    for name, option in rule.options.items():
        if not option.who:
            found[name] = OptionOfRoll(name, label_of(name, option.label), option, choice.scope(moment))
            continue
        keys_by_id = {f"{name}.{keys[-1]}": keys for keys in _things_for(moment, choice, option.who)}
        words = words_for(((id_, keys[-1]) for id_, keys in keys_by_id.items()), name, (*taken, *found))
        for word, id_ in words.items():
            scope = Scope(moment, option.who, keys_by_id[id_], choice.names())
            label = moment.thing_name(option.who, scope.keys).removeprefix(f"{_owner(moment, choice)}, ")
            found[word] = OptionOfRoll(id_, label, option, scope)
    return found


def _things_for(moment: FileMoment, choice: RollChoice, who: str) -> Iterator[tuple[str, ...]]:
    """Yield the keys of the things of a list, but for the one that rolls; of a list that each has, those of who rolls."""
    for keys, _ in things(moment.sheet, who):
        if keys != choice.keys and (len(keys) == 1 or keys[:1] == choice.keys[:1]):
            yield keys


def _owner(moment: FileMoment, choice: RollChoice) -> str:
    return moment.thing_name(choice.rule.who.partition(".")[0], choice.keys[:1]) if choice.keys else ""


def chosen_options(moment: FileMoment, choice: RollChoice) -> tuple[OptionOfRoll, ...]:
    """Return what was chosen for a roll."""
    if not choice.options:
        return ()
    return tuple(one for one in options_by_word(moment, choice).values() if one.id in choice.options)


def offered_option(word: str, one: OptionOfRoll, clause: str) -> Option:
    """Return what is shown of something that may be chosen, and why it can't be."""
    blocked = None
    if not one.scope.holds(one.rule.when):
        blocked = Refusal(one.rule.refusal or NOT_NOW, clause or CONDITIONS)
    elif refusal := refusal_of(one.rule.cost, one.scope, in_full=True):
        blocked = Refusal(refusal.reason, refusal.clause or COSTS)
    dice, plus = one.scope.number(one.rule.dice), one.scope.number(one.rule.plus)
    notes = [
        *([f"{dice:+d} dice" if abs(dice) != 1 else f"{dice:+d} die"] if dice else []),
        *([f"{plus:+d}"] if plus else []),
    ]
    return Option(word, one.label, ", ".join(notes), blocked=blocked, costs=bool(one.rule.cost))


def refusal_of_costs(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why what was chosen for a roll can't be paid together."""
    left: dict[tuple[str, ...], int] = {}
    for one in chosen_options(moment, choice):
        if refusal := refusal_of(one.rule.cost, one.scope, in_full=True, left=left):
            return refusal
    return None


def pay_for_options(moment: FileMoment, choice: RollChoice) -> FileMoment:
    """Pay for what was chosen for a roll."""
    for one in chosen_options(moment, choice):
        moment = apply_all(moment, one.rule.cost, one.scope)
    return moment
