"""Find the faults in the effects of a game file: what they change, whom they are done to, and what they make follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from waylog.rules.codec.changes import join_names, slug
from waylog.rules.file_game.check_names_and_formulas import (
    CHOSEN,
    FormulaCheck,
    Names,
    actor_names,
    added_by,
    choices_in,
    list_of,
    value_type,
)
from waylog.rules.file_game.effects_and_offers import ADDED, OTHERS
from waylog.rules.file_game.formula_types import ValueKind, ValueType
from waylog.rules.file_game.game_file_format import Flaw, Path, did_you_mean, there_is_no
from waylog.rules.file_game.named_values_and_conditions import ACTING, ACTOR, ValuePlace, WrongPath, find, lists_of
from waylog.rules.file_game.roll_and_effect_format import (
    KINDS_OF,
    TICK,
    TYPED,
    EffectRule,
    EffectWords,
    WrongEffect,
    amount_words,
    dice_in,
    dice_of,
    is_clocks,
    parse_effect,
    parse_word,
    without_dice,
)
from waylog.rules.file_game.roll_plans_and_options import OPTIONS, why_no_die
from waylog.rules.file_game.sheet_types import GONE, is_going, kind_of

_NUMBER = ValueType(ValueKind.NUMBER)
_KIND_WORDS = {"each": "list", "tags": "list of words", "choices": "choice"}
"""The noun for a kind of value in a message, where its key is none."""


def check_effects(
    formulas: FormulaCheck,
    path: Path,
    effects: Sequence[EffectRule],
    acting: str,
    names: Names,
    chosen: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Flaw]:
    """Check effects in a list. `chosen` are the lists of what can be chosen, by what effects call it."""
    names = {**names, **actor_names(formulas.game, acting)}
    if any(effect.who for effect in effects):
        names |= {(ACTOR, name): _NUMBER for name in formulas.game.formulas if formulas.is_formula(name, acting, names)}
    for place, effect in enumerate(effects):
        at = (*path, str(place))
        if wrong := _wrong_whom(formulas, effect.who, acting, chosen):
            yield Flaw((*at, "who"), wrong)
            continue
        who = list_of(effect, acting, chosen)
        if effect.amount != "" and not effect.move:
            yield from _check_offered_number(formulas, (*at, "amount"), effect, who, names)
        if effect.roll:
            yield from _check_following_roll(formulas, at, effect.roll, who)
        if effect.move:
            yield from _check_move(formulas, at, effect, who, names)
        elif not (effect.roll or effect.do or effect.offer or effect.say or effect.withdraw):
            yield Flaw(at, 'this effect does nothing: write a change such as "mark stress 1", or add `offer` or `say`')
        yield from _check_offer(formulas, at, effect, who, names)
        yield from formulas.condition((*at, "when"), effect.when, who, names)
        chosen = {**chosen, **added_by(formulas.game, effect, who)}
        if effect.do:
            clocks = [*formulas.game.clocks, *(name for name, whose in chosen.items() if is_clocks(whose))]
            yield from _effect(formulas, at, effect.do, who, names, clocks)


def _check_offered_number(
    formulas: FormulaCheck, path: Path, effect: EffectRule, who: str, names: Names
) -> Iterator[Flaw]:
    """Check the number for a move that isn't done at once."""
    offered = formulas.game.moves.get(effect.offer.partition(" ")[0])
    if not effect.offer:
        yield Flaw(path, "`amount` is the number for a move: add `move` or `offer` as well", at_key=True)
    elif offered is None or not offered.amount:
        yield Flaw(path, "`amount` is the number for a move, but nothing here takes one", at_key=True)
    elif any(dice_of(effect)):
        yield Flaw(path, "an offer can't contain dice: write `move` in place of `offer`, or a number")
    else:
        yield from formulas.number(path, effect.amount, who, names)


def _check_offer(formulas: FormulaCheck, at: Path, effect: EffectRule, who: str, names: Names) -> Iterator[Flaw]:
    """Check what an effect offers of a choice, and the choice that it takes back."""
    if effect.withdraw and effect.withdraw not in (known := set(re.findall(r"one_of='([^']+)'", repr(formulas.game)))):
        yield Flaw((*at, "withdraw"), there_is_no("choice", effect.withdraw, sorted(known)))
    if effect.one_of and not effect.offer:
        yield Flaw((*at, "one_of"), "`one_of` is for offers: add `offer` as well", at_key=True)
    for key in ("take", "takes", "required", "once") if not effect.one_of else ():
        if getattr(effect, key) != getattr(EffectRule(), key):
            wrong = f"`{key}` is for a choice between offers: add `one_of` as well"
            yield Flaw((*at, key), wrong, at_key=True)
    yield from formulas.number((*at, "take"), effect.take, who, names)
    yield from formulas.number((*at, "takes"), effect.takes, who, names)


def _wrong_whom(formulas: FormulaCheck, whom: str, acting: str, chosen: Mapping[str, str]) -> str:
    """Return why an effect can't be done to these; empty if it can."""
    if whom == ADDED and ADDED not in chosen:
        return "no effect before this one adds anything: put one such as “add loot text” first"
    if whom == OTHERS and not acting:
        return "nobody acts here, so there are no “others”: name a list instead, such as crew"
    if is_clocks(chosen.get(whom, "")):
        return f'a clock can only be ticked: write do = "tick {whom} 2", without `who`'
    if whom in ("", OTHERS, *chosen, *lists_of(formulas.game.sheet)):
        return ""
    return f"`{whom[:40]}` can't be used here. {did_you_mean(whom, [*chosen, *lists_of(formulas.game.sheet), OTHERS], 'possible words')}"


def _wrong_maker(maker: str, what: str, who: str) -> str:
    """Return why things of the list `who` can't make what those of the list `maker` do; empty if they can."""
    if maker in ("", who, who.partition(".")[0]):
        return ""
    return f"only those in `{maker}` can make the {what}, but this effect belongs to {f'`{who}`' if who else 'none of them'}"


def _check_following_roll(formulas: FormulaCheck, path: Path, name: str, who: str) -> Iterator[Flaw]:
    """Check that what acts can make a roll that follows by itself."""
    at, rolls = (*path, "roll"), formulas.game.dice
    if name not in rolls:
        yield Flaw(at, there_is_no("roll", name, rolls))
    elif wrong := _wrong_maker(rolls[name].who, f"roll {name}", who):
        yield Flaw(at, wrong)
    elif asked := [
        place[-1] if place[0] == OPTIONS else place[-2] for place, one in choices_in(rolls[name]) if one.required
    ]:
        asks = f"the roll `{name}` needs a choice (`{asked[0]}`), so it can't follow by itself"
        yield Flaw(at, f'{asks}. Offer it instead: offer = "roll {name}"')


def _check_move(formulas: FormulaCheck, path: Path, effect: EffectRule, who: str, names: Names) -> Iterator[Flaw]:
    """Check that what acts can make a move that is done at once, that it asks nothing more, and that it doesn't bring itself again."""
    at, name, moves = (*path, "move"), effect.move, formulas.game.moves
    yield from formulas.number((*path, "amount"), without_dice(amount_words(effect)).rest, who, names)
    if name not in moves:
        yield Flaw(at, there_is_no("move", name, moves))
        return
    rule, way = moves[name], f'offer = "{name}"'
    asked = [key for key in ("choose", "pick", "whom", "text") if getattr(rule, key)]
    if wrong := _wrong_maker(rule.who, f"move {name}", who):
        yield Flaw(at, wrong)
    elif asked:
        yield Flaw(at, f"the move {name} asks a question (`{asked[0]}`), so it can only be offered: write {way}")
    elif bool(rule.amount) is (effect.amount == ""):
        cure = "write `amount`, such as amount = 2" if rule.amount else "remove `amount`"
        yield Flaw(at, f"the move {name} takes {'a' if rule.amount else 'no'} number: {cure}")
    elif path[0] == "moves" and path[1] in _moves_behind(formulas, name):
        why = f"{name} does {'itself' if name == path[1] else path[1]} again, which would never end"
        yield Flaw(at, f"{why}: make one of the two an offer instead, such as {way}")


def _moves_behind(formulas: FormulaCheck, name: str) -> set[str]:
    """Return a move and all those that it does."""
    found, new = set[str](), {name}
    while new:
        found |= new
        new = {effect.move for one in new & {*formulas.game.moves} for effect in formulas.game.moves[one].does} - {
            "",
            *found,
        }
    return found


def _effect(
    formulas: FormulaCheck, path: Path, text: str, who: str, names: Names, clocks: Sequence[str]
) -> Iterator[Flaw]:
    try:
        words = parse_effect(text)
        yield from _check_dice(path, words)
        words = without_dice(words)
        if words.verb == TICK:
            yield from _check_tick(formulas, path, words, who, names, clocks)
            return
        place = _find_changed(formulas, words, who)
    except (WrongEffect, WrongPath) as wrong:
        yield Flaw(path, str(wrong), within=1)
        return
    kind, kinds, name = kind_of(place.value), KINDS_OF[words.verb], ".".join(words.names)
    if place.of_all:
        alone = f'{words.names[0]} is a list: write who = "{words.names[0]}", or name one of them'
        yield Flaw(path, alone, within=1)
    elif kind and kind not in kinds:
        fitting = join_names([_KIND_WORDS.get(one, one) for one in kinds], "or")
        yield Flaw(path, f"`{words.verb}` changes a {fitting}, but {name} is a {_KIND_WORDS.get(kind, kind)}", within=1)
    elif words.verb == "swap":
        yield from _check_swap(formulas, path, words.rest, kind, who)
    elif kind == "each":
        yield from _check_thing(formulas, path, words, place, who, names)
    elif words.verb in ("add", "remove"):
        tag = words.rest.strip("'\"")
        if not tag:
            yield Flaw(path, "which word? For example: add tags hurt")
        elif place.value.choices and tag not in place.value.choices and (words.rest,) not in names:
            yield Flaw(path, f"“{tag}” is not one of {', '.join(place.value.choices)}")
    elif words.verb == "set" and not words.rest:
        yield Flaw(path, f"set {name} to what? For example: set {name} to 0", within=1)
    elif words.rest:
        wanted = value_type(place.value).kind if words.verb == "set" else ValueKind.NUMBER
        yield from formulas.formula(path, words.rest, who, names, wanted, words.rest_at)


def _find_changed(formulas: FormulaCheck, words: EffectWords, who: str) -> ValuePlace:
    """Return the value that an effect changes. Raises `WrongPath`."""
    if TYPED in words.names[1:-1]:
        cure = f'to change what was just added, write do = "{words.verb} {words.names[-1]} …" and who = "added"'
        raise WrongPath(f"`{'.'.join(words.names)}` would look for something with the key “text”: {cure}")
    return find(formulas.game.sheet, who, words.names)


def _check_dice(path: Path, words: EffectWords) -> Iterator[Flaw]:
    yield from (Flaw(path, wrong) for _, die in dice_in(words) if (wrong := why_no_die(die)))
    if words.verb == "spend" and any(dice_in(words)):
        yield Flaw(path, "`spend` needs a number that is known beforehand. For dice, write `lose`", within=1)


def _check_thing(
    formulas: FormulaCheck, path: Path, words: EffectWords, place: ValuePlace, who: str, names: Names
) -> Iterator[Flaw]:
    name, thing = ".".join(words.names), parse_word(words.rest)
    if words.verb == "remove" and not is_going(place.value.each):
        each = f"sheet.{'.'.join(part for part in place.path if part != ACTING)}.each"
        yield Flaw(
            path, f"things that are removed stay in the file, with a mark: add {GONE} = {{ flag = false }} to {each}"
        )
    if not words.rest:
        if words.verb == "add":
            yield Flaw(path, f"what should be added? For example: add {name} 'Old key'")
        elif not who or place.path != find(formulas.game.sheet, who, who.split(".")).path:
            yield Flaw(path, f"what should be removed? For example: remove {name} 'Old key'")
    elif (words.rest,) not in names and not slug(thing):
        yield Flaw(path, f"“{thing}” needs at least one letter or digit")
    elif words.rest in CHOSEN and (words.rest,) not in names:
        yield Flaw(path, CHOSEN[words.rest])


def _check_tick(
    formulas: FormulaCheck, path: Path, words: EffectWords, who: str, names: Names, clocks: Sequence[str]
) -> Iterator[Flaw]:
    if (name := ".".join(words.names)) not in clocks:
        yield Flaw(path, there_is_no("clock", name, clocks, " in [clocks]"), within=1)
    yield from formulas.number(path, words.rest, who, names, words.rest_at)


def _check_swap(formulas: FormulaCheck, path: Path, other: str, kind: str, who: str) -> Iterator[Flaw]:
    try:
        found = kind_of(find(formulas.game.sheet, who, tuple(other.split("."))).value)
    except WrongPath as wrong:
        yield Flaw(path, f"swap needs two values: {wrong}")
        return
    if found != kind:
        yield Flaw(path, f"swap needs two values of the same kind, but these are a {kind} and a {found}")
