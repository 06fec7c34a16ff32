"""What is wrong in the rolls of a game file, in what may be spent on them, and in what follows from them.

Checking the formulas and effects of a game file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from waylog.rules.codec.changes import join_names, slug
from waylog.rules.file_game.declaration import (
    BandRule,
    EffectRule,
    Flaw,
    GameFile,
    MoveRule,
    Path,
    RollOption,
    RollRule,
    SpendRule,
    ValueRule,
    did_you_mean,
)
from waylog.rules.file_game.dice_readings import MOST_DICE, MOST_EXPLOSIONS, cards_of, parse_die
from waylog.rules.file_game.effects import (
    DOWN,
    OTHERS,
    TICK,
    UP,
    WHOM,
    EffectWords,
    WrongEffect,
    kinds_for,
    parse_effect,
    parse_word,
)
from waylog.rules.file_game.expression_types import ValueKind, ValueType, check_expression
from waylog.rules.file_game.expressions import ExpressionError, ValuePath, nodes_of, parse_expression
from waylog.rules.file_game.moment import ACTING, RULES, ValuePlace, WrongPath, find, list_path, lists_of, values_of
from waylog.rules.file_game.roll_plans import CALL, KEEPS, MODIFIER, OPTIONS, PICK, dice_named, ways_of, why_no_die
from waylog.rules.file_game.sheet_types import GONE, is_going, kind_of
from waylog.rules.model.dice_notation import NotDice
from waylog.rules.model.keys_and_letters import VERBS_OF_EVERY_GAME

Names = Mapping[tuple[str, ...], ValueType]
"""What a formula may read beside the sheet."""
VERB = re.compile(r"[a-z][a-z0-9-]*")
"""A word that is typed."""
CLAUSE_ID = re.compile(r"[A-Z][A-Z0-9]*-[0-9A-Z]+")
_OF_LINE_MODE = "conflicts help kit log moves odds pace pause proposals recap redo rewind rule stakes undo why"
WAYLOGS_VERBS = frozenset((*VERBS_OF_EVERY_GAME, *_OF_LINE_MODE.split()))
"""Verbs that Waylog plays in every game, those of rolls, and the commands of line mode that no move may hide: all but `luck`."""
NUMBER, FLAG, TEXT = (ValueType(kind) for kind in ValueKind)

_CHOSEN = {
    "amount": "`amount` can be used only in `does`, in a move that has `amount`; "
    'a formula can be its limit, such as amount = [1, "nerve"]',
    "choose": "`choose` can be used only in `does`, in a move that has `choose`",
    "text": '`text` can be used only in `does`, in a move that asks for a text, such as text = "What is found"',
}
"""Why a formula elsewhere can't read what is chosen for a move."""
_OF_ROLLS = {
    "modifier": "`modifier` can be used only in a roll that asks for a number, such as modifier = [1, 6]",
    **{
        key: f"`{key}` can be used only in the roll that has it: in its options, answers, dice and outcomes. It can't be used in the "
        "roll's own `when`, in a condition of [when], or in a move"
        for key in ("options", "call", "pick")
    },
    **dict.fromkeys(
        ("result", "outcome", "score", "face", "matches", "ones", "doubles", "suit"),
        "what the dice show is known only after a roll: in [after], and in the `when` of a spend",
    ),
}
"""Why a formula elsewhere can't read what belongs to a roll."""


def move_names(rule: MoveRule) -> Names:
    """Return the names that a move brings: the number, the word and the text that were chosen."""
    found: dict[tuple[str, ...], ValueType] = {}
    if rule.amount:
        found[("amount",)] = NUMBER
    if rule.choose:
        found[("choose",)] = ValueType(ValueKind.TEXT, words=tuple(rule.choose))
    if rule.text:
        found[("text",)] = TEXT
    return found


_KIND_WORDS = {"each": "list", "tags": "list of words", "choices": "choice"}
"""What a message calls a kind of value, where its key is not a noun."""


class FormulaCheck:
    """Checks formulas against the sheet of one game."""

    def __init__(self, game: GameFile) -> None:
        self.game = game
        """The game that they are in."""
        self._rules: Names = {
            (RULES, name): FLAG
            if rule.flag is not None
            else ValueType(ValueKind.TEXT, words=rule.choices)
            if rule.choices
            else NUMBER
            for name, rule in game.house_rules.items()
        }

    def number(self, path: Path, formula: object, who: str, names: Names, at: int = 0) -> Iterator[Flaw]:
        """Check a formula that stands for a number. `at` is where it begins in the text at `path`."""
        return self._formula(path, formula, who, names, ValueKind.NUMBER, at)

    def condition(self, path: Path, formula: object, who: str, names: Names) -> Iterator[Flaw]:
        """Check a formula that holds or not."""
        return self._formula(path, formula, who, names, ValueKind.FLAG)

    def _formula(
        self, path: Path, formula: object, who: str, names: Names, wanted: ValueKind | None, at: int = 0
    ) -> Iterator[Flaw]:
        """Check a formula. `at` is where it begins in the text at `path`."""
        if not isinstance(formula, str) or formula == "":
            return
        try:
            expression = parse_expression(formula)
        except ExpressionError as wrong:
            yield Flaw(path, str(wrong), within=at + wrong.column)
            return
        types: dict[tuple[str, ...], ValueType] = {**names, **self._rules}
        flaws = list[Flaw]()
        for node in nodes_of(expression.root):
            if not isinstance(node, ValuePath) or node.names in types:
                continue
            try:
                types[node.names] = self._type_of(node.names, who, names)
            except WrongPath as wrong:
                flaws.append(Flaw(path, str(wrong), within=at + node.start + 1))
        yield from flaws
        if not flaws:
            for fault in check_expression(expression, types, wanted):
                yield Flaw(path, str(fault), within=at + fault.column)

    def _type_of(self, path: tuple[str, ...], who: str, names: Names) -> ValueType:
        if len(path) == 1 and path[0] in self.game.formulas:
            return self._type_of_formula(path[0], who, names)
        if path[0] == RULES:
            known = ", ".join(self.game.house_rules) or "none"
            raise WrongPath(f"there is no house rule `{'.'.join(path[1:])}`; the house rules are {known}")
        if len(path) > 1 and any(path[0] == other[0] and len(other) > 1 for other in names):
            known = ", ".join(".".join(other) for other in names if other[0] == path[0])
            raise WrongPath(f"there is no `{'.'.join(path)}`; there is {known}")
        if len(path) > 1 and path[:1] in names:
            raise WrongPath(f"`{path[0]}` is a single value, so nothing can follow it: write `{path[0]}` alone")
        try:
            place = find(self.game.sheet, who, path)
        except WrongPath:
            if why := (_CHOSEN | _OF_ROLLS).get(path[0], ""):
                raise WrongPath(why) from None
            raise
        found = value_type(place.value)
        return ValueType(found.kind, many=True, words=found.words) if place.of_all else found

    def _type_of_formula(self, name: str, who: str, names: Names) -> ValueType:
        """Return the type of a formula of [formulas] as it is read by a thing of a list. Raises `WrongPath`."""
        inner = {**names, (name,): NUMBER}  # Within itself it isn't looked at again: `check_formulas` has.
        flaws = [*self._formula((), self.game.formulas[name], who, inner, ValueKind.NUMBER)]
        if flaws:
            raise WrongPath(f"`{name}` of [formulas] can't be used here: {flaws[0].message}")
        return NUMBER

    # -- effects --------------------------------------------------------------------------------------------------

    def effects(
        self,
        path: Path,
        effects: Iterable[EffectRule],
        acting: str,
        names: Names,
        chosen: Mapping[str, str] = MappingProxyType({}),
    ) -> Iterator[Flaw]:
        """Check effects in a list. `chosen` are the lists of what can be chosen, by what effects call it."""
        for place, effect in enumerate(effects):
            at = (*path, str(place))
            if wrong := self._wrong_whom(effect.who, acting, chosen):
                yield Flaw((*at, "who"), wrong)
                continue
            who = chosen.get(effect.who, acting if effect.who in ("", OTHERS) else effect.who)
            if effect.roll:
                yield from self._check_following_roll(at, effect.roll, who)
            elif not (effect.do or effect.offer or effect.say):
                yield Flaw(at, 'this does nothing; write an act such as "mark stress 1", or offer, or say')
            yield from self.condition((*at, "when"), effect.when, who, names)
            if effect.do:
                yield from self._effect(at, effect.do, who, names)

    def _wrong_whom(self, whom: str, acting: str, chosen: Mapping[str, str]) -> str:
        """Return why an effect can't be done to these; empty if it can."""
        if whom == OTHERS and not acting:
            return "nobody acts here, so there are no others: write the list, such as crew"
        if whom in ("", OTHERS, *chosen, *lists_of(self.game.sheet)):
            return ""
        return did_you_mean(whom, [*chosen, *lists_of(self.game.sheet), OTHERS], "possible words")

    def _check_following_roll(self, path: Path, name: str, who: str) -> Iterator[Flaw]:
        """Check that what acts can make a roll that follows by itself, and that it doesn't bring itself again."""
        rolls = self.game.dice
        if name not in rolls:
            yield Flaw((*path, "roll"), f"there is no roll {name[:40]}; {did_you_mean(name, [*rolls], 'rolls')}")
        elif rolls[name].who not in ("", who):
            yield Flaw((*path, "roll"), f"{name} belongs to each of {rolls[name].who}, but {who or 'nobody'} does this")
        elif path[0] == "after" and path[1] in self._following_rolls(name, set()):
            yield Flaw(
                (*path, "roll"),
                f'{name} triggers {path[1]} again, which could go on for ever: offer one of the two, such as offer = "roll {name}"',
            )

    def _following_rolls(self, name: str, found: set[str]) -> set[str]:
        """Return a roll and all that follow from it by themselves."""
        if name not in found:
            found.add(name)
            for effects in self.game.after.get(name, {}).values():
                for effect in effects:
                    if effect.roll:
                        self._following_rolls(effect.roll, found)
        return found

    def _effect(self, path: Path, text: str, who: str, names: Names) -> Iterator[Flaw]:
        try:
            words = parse_effect(text)
            if words.verb == TICK:
                yield from self._check_tick(path, words, who, names)
                return
            place = find(self.game.sheet, who, words.names)
        except (WrongEffect, WrongPath) as wrong:
            yield Flaw(path, str(wrong), within=1)
            return
        kind, kinds = kind_of(place.value), kinds_for(words.verb)
        if place.of_all:
            yield Flaw(
                path, f'{words.names[0]} is a list: write who = "{words.names[0]}", or name one of them', within=1
            )
        elif kind not in kinds:
            fitting = join_names([_KIND_WORDS.get(one, one) for one in kinds], "or")
            found = _KIND_WORDS.get(kind, kind)
            yield Flaw(path, f"`{words.verb}` changes a {fitting}, but {'.'.join(words.names)} is a {found}", within=1)
        elif words.verb == "swap":
            yield from self._check_swap(path, words.rest, kind, who)
        elif kind == "each":
            yield from self._check_thing(path, words, place, who, names)
        elif words.verb in ("add", "remove"):
            tag = words.rest.strip("'\"")
            if not tag:
                yield Flaw(path, "which word? For example: add tags hurt")
            elif place.value.choices and tag not in place.value.choices and (words.rest,) not in names:
                yield Flaw(path, f"“{tag}” is not one of {', '.join(place.value.choices)}")
        elif words.verb == "set" and not words.rest:
            yield Flaw(
                path, f"set {'.'.join(words.names)} to what? For example: set {'.'.join(words.names)} to 0", within=1
            )
        elif words.rest:
            wanted = value_type(place.value).kind if words.verb == "set" else ValueKind.NUMBER
            yield from self._formula(path, words.rest, who, names, wanted, words.rest_at)

    def _check_thing(self, path: Path, words: EffectWords, place: ValuePlace, who: str, names: Names) -> Iterator[Flaw]:
        """Check that a thing can be added to a list, or removed from it."""
        name, thing = ".".join(words.names), parse_word(words.rest)
        if words.verb == "remove" and not is_going(place.value.each):
            where = f"sheet.{'.'.join(part for part in place.path if part != ACTING)}"
            yield Flaw(
                path, f"what is removed stays in the file, marked: add {GONE} = {{ flag = false }} to {where}.each"
            )
        if not words.rest:
            if words.verb == "add":
                yield Flaw(path, f"what is added? For example: add {name} 'Old key'")
            elif place.path != list_path(self.game.sheet, who):
                yield Flaw(path, f"what is removed? For example: remove {name} 'Old key'")
        elif (words.rest,) not in names and not slug(thing):
            yield Flaw(path, f"“{thing}” needs at least one letter or digit")
        elif words.rest in _CHOSEN and (words.rest,) not in names:
            yield Flaw(path, _CHOSEN[words.rest])

    def _check_tick(self, path: Path, words: EffectWords, who: str, names: Names) -> Iterator[Flaw]:
        name, known = words.names[0], [*self.game.clocks]
        if name not in known:
            wrong = f"there is no clock {name[:40]} in [clocks]; {did_you_mean(name, known, 'clocks')}"
            yield Flaw(path, wrong, within=1)
        yield from self.number(path, words.rest, who, names, words.rest_at)

    def _check_swap(self, path: Path, other: str, kind: str, who: str) -> Iterator[Flaw]:
        try:
            found = find(self.game.sheet, who, tuple(other.split(".")))
        except WrongPath as wrong:
            yield Flaw(path, f"swap needs two values: {wrong}")
            return
        if kind_of(found.value) != kind:
            yield Flaw(path, f"swap needs two values of one kind; these are a {kind} and a {kind_of(found.value)}")


def value_type(value: ValueRule) -> ValueType:
    """Return the type of a value as formulas know it."""
    match kind_of(value):
        case "range" | "number":
            return NUMBER
        case "flag":
            return FLAG
        case "choices":
            return ValueType(ValueKind.TEXT, words=value.choices)
        case "tags":
            return ValueType(ValueKind.TEXT, many=True, words=value.choices)
        case "deck":
            return ValueType(ValueKind.TEXT, many=True, words=tuple(cards_of(value.deck)))
        case "each":
            return ValueType(ValueKind.FLAG, many=True)
        case _:
            return TEXT


def no_clause(path: Path, clause: str, game: GameFile) -> Flaw:
    """Return the flaw that a rule is named that isn't there."""
    if not CLAUSE_ID.fullmatch(clause):
        return Flaw(
            path,
            f"{clause[:40]} is no id of a rule: write letters, a hyphen and a number, such as NH-01, and put it into [clauses]",
        )
    return Flaw(path, f"there is no rule {clause[:40]} in [clauses]; {did_you_mean(clause, [*game.clauses], 'rules')}")


def wrong_who(game: GameFile, path: Path, who: str) -> Iterator[Flaw]:
    """Check that the things of a list can act."""
    if who:
        try:
            values_of(game.sheet, who)
        except WrongPath as wrong:
            yield Flaw((*path, "who"), str(wrong))


_MOST_RAISED = 100
_OF_FACES = {"highest", "lowest", "sum"}
"""The readings that come to numbers of one kind, so that the same outcomes can be for all of them."""
_LEAST_BURST = 2
"""The lowest face that may bring another die. If every face did, each die would always bring the most dice."""


def check_rolls(game: GameFile, formulas: FormulaCheck) -> Iterator[Flaw]:
    """Yield what is wrong in [dice], [spend] and [after]."""
    for name, rule in game.dice.items():
        path = ("dice", name)
        if not VERB.fullmatch(name):
            yield Flaw(
                path, f"“{name[:40]}” is typed in a command: use lower-case letters, digits and hyphens", at_key=True
            )
        if wrong := [*wrong_who(game, path, rule.who)]:
            yield from wrong
            continue
        if rule.clause and rule.clause not in game.clauses:
            yield no_clause((*path, "clause"), rule.clause, game)
        yield from _roll(path, rule, formulas)
    # Formulas of spends and effects read `who`, so each would report the same fault again.
    sound = {name: rule for name, rule in game.dice.items() if not any(wrong_who(game, (), rule.who))}
    for name, spend in game.spend.items():
        yield from _spend(("spend", name), name, spend, sound, formulas)
    for name, outcomes in game.after.items():
        if name not in game.dice:
            meant = did_you_mean(name, [*game.dice], "rolls")
            yield Flaw(("after", name), f"there is no roll {name[:40]}; {meant}", at_key=True)
            continue
        if name not in sound:
            continue
        rule = sound[name]
        known = [*dict.fromkeys(outcomes_of(rule))]
        for outcome, effects in outcomes.items():
            at = ("after", name, outcome)
            if outcome not in known:
                meant = did_you_mean(outcome, known, "outcomes")
                yield Flaw(at, f"{name} has no outcome {outcome[:40]}; {meant}", at_key=True)
            yield from formulas.effects(at, effects, rule.who, result_names(rule, formulas.game), lists_chosen(rule))


# -- a roll -----------------------------------------------------------------------------------------------------------


def roll_names(rule: RollRule) -> Names:
    """Return what formulas of a roll may read beside the sheet."""
    found: dict[tuple[str, ...], ValueType] = {
        (OPTIONS, name): ValueType(ValueKind.FLAG, many=bool(option.who)) for name, option in rule.options.items()
    }
    found |= {(PICK, name): ValueType(ValueKind.TEXT, words=tuple(ways)) for name, ways in rule.pick.items()}
    if rule.calls:
        found[(CALL,)] = ValueType(ValueKind.TEXT, words=tuple(rule.calls))
    if rule.modifier:
        found[(MODIFIER,)] = NUMBER
    return found


def result_names(rule: RollRule, game: GameFile) -> Names:
    """Return what formulas may read after a roll."""
    outcomes = tuple(dict.fromkeys(outcomes_of(rule)))
    numbers: Names = {(name,): NUMBER for name in ("result", "score", "face", "matches", "ones")}
    found: dict[tuple[str, ...], ValueType] = dict(roll_names(rule))
    found.update(numbers)
    found.update({("outcome",): ValueType(ValueKind.TEXT, words=outcomes), ("doubles",): FLAG})
    if any(is_deck(game, rule.who, text) for text in (rule.die, *(one.die for _, one in choices_in(rule)))):
        found[("suit",)] = TEXT
    return found


def values_in(game: GameFile) -> Iterator[tuple[Path, ValueRule, str]]:
    """Yield every value of the sheet with its place in the file, and the list whose things have it; empty for a single table."""
    for key, part in game.sheet.items():
        inside = ("sheet", key, "each" if part.each else "values")
        for name, value in (part.each or part.values).items():
            yield (*inside, name), value, key if part.each else ""
            yield from (((*inside, name, "each", one), below, f"{key}.{name}") for one, below in value.each.items())


def effects_in(game: GameFile) -> Iterator[tuple[Path, EffectRule, str, Names]]:
    """Yield every effect but costs, with its place, the list to whose things it is done, and what its formulas may read."""
    found = list[tuple[Path, tuple[EffectRule, ...], str, Names, Mapping[str, str]]]()
    for roll, rule in game.dice.items():
        for outcome, effects in game.after.get(roll, {}).items():
            found.append((("after", roll, outcome), effects, rule.who, result_names(rule, game), lists_chosen(rule)))
    for name, move in game.moves.items():
        at, names, whom = ("moves", name), move_names(move), {WHOM: move.whom}
        found.append(((*at, "does"), move.does, move.who, names, whom))
        choices = move.choose.items()
        found += [((*at, "choose", word, "does"), choice.does, move.who, names, whom) for word, choice in choices]
    for path, value, who in values_in(game):
        found += [((*path, key), getattr(value, key), who, {}, {}) for key in ("when_full", "when_empty")]
    for above, effects, who, names, chosen in found:
        for place, effect in enumerate(effects):
            whose = chosen.get(effect.who, who if effect.who in ("", OTHERS) else effect.who)
            yield (*above, str(place)), effect, whose, names


def lists_chosen(rule: RollRule) -> Mapping[str, str]:
    """Return the lists of which things may be chosen for a roll, by what effects call these."""
    return {f"{OPTIONS}.{name}": option.who for name, option in rule.options.items() if option.who}


def outcomes_of(rule: RollRule) -> Iterator[str]:
    """Yield the outcomes that a roll may have."""
    yield from (band.outcome for bands in (rule.bands, *(one.bands for _, one in choices_in(rule))) for band in bands)


def choices_in(rule: RollRule) -> Iterator[tuple[Path, RollOption]]:
    """Yield all that may be chosen for a roll, with its place in the roll."""
    yield from ((("options", word), one) for word, one in rule.options.items())
    yield from ((("calls", word), one) for word, one in rule.calls.items())
    yield from ((("pick", name, word), one) for name, ways in rule.pick.items() for word, one in ways.items())


def _roll(path: Path, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    names, who = roll_names(rule), rule.who
    yield from formulas.condition((*path, "when"), rule.when, who, {})
    for key in ("pool", "target", "plus", "cap", "blank"):
        yield from formulas.number((*path, key), getattr(rule, key), who, names)
    yield from _dice(path, rule, formulas)
    yield from _cards(path, rule, formulas.game)
    if rule.bands:
        yield from _bands((*path, "bands"), rule.bands, rule, formulas)
    elif not any(ways and all(way.bands for way in ways.values()) for ways in ways_of(rule).values()):
        yield Flaw(
            path,
            'the outcomes are missing; write, for example, bands = [{ outcome = "bad", grade = "fiasco" }]',
            at_key=True,
        )
    if rule.reading == "beats" and not any(extra.against for extra in rule.more):
        wrong = (
            'the other side\'s dice are missing; write, for example, more = [{ dice = 2, die = "d10", against = true }]'
        )
        yield Flaw((*path, "reading"), f"`beats` compares a score with dice, and {wrong}")
    if (
        rule.reading in ("count", "count-under", "under")
        and rule.target == 0
        and not any(one.target != "" for _, one in choices_in(rule))
    ):
        yield Flaw((*path, "reading"), f"`{rule.reading}` needs a `target`")
    if rule.modifier and not (len(rule.modifier) == 2 and rule.modifier[0] < rule.modifier[1]):
        yield Flaw((*path, "modifier"), "`modifier` should be the lowest and the highest number, such as [-3, 3]")
    if rule.modifier and not any(
        isinstance(formula, str) and MODIFIER in formula for formula in _formulas(rule, formulas.game, path[-1])
    ):
        yield Flaw(
            (*path, "modifier"), 'a modifier is asked that no formula reads; write, for example, plus = "modifier"'
        )
    yield from _choices(path, rule, formulas)
    yield from _instead_and_group(path, rule, formulas)


def _instead_and_group(path: Path, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    """Check what is paid in place of rolling, and how several roll together."""
    if group := rule.group:
        if "group" in {*formulas.game.moves, *formulas.game.spend}:
            yield Flaw(
                (*path, "group"), "this game already has a move or a spend called `group`: choose another name for it"
            )
        if not rule.who:
            yield Flaw(
                (*path, "group"), 'for several to roll together, the roll must say who rolls, such as who = "crew"'
            )
        yield from formulas.effects(
            (*path, "group", "leader"), group.leader, rule.who, result_names(rule, formulas.game)
        )
        for outcome in {*group.outcomes} - {*outcomes_of(rule)}:
            meant = did_you_mean(outcome, [*outcomes_of(rule)], "outcomes")
            yield Flaw((*path, "group", "outcomes"), f"there is no outcome {outcome[:40]}; {meant}")
    if paid := rule.instead:
        at = (*path, "instead")
        yield from formulas.condition((*at, "when"), paid.when, rule.who, {})
        yield from _cost((*at, "cost"), paid.cost, rule.who, formulas)
        if not paid.cost:
            yield Flaw(at, 'what is paid is missing; write, for example, cost = ["spend luck 2"]', at_key=True)
        first_call = next(iter(rule.calls.values()), RollOption())
        known = [*dict.fromkeys(band.outcome for band in first_call.bands or rule.bands)]
        if paid.outcome not in known:
            where = (*at, "outcome") if paid.outcome else at
            meant = did_you_mean(paid.outcome, known, "outcomes")
            yield Flaw(where, f"there is no outcome “{paid.outcome[:40]}”; {meant}", at_key=not paid.outcome)


def _formulas(rule: RollRule, game: GameFile, name: str) -> Iterator[object]:
    """Yield every formula that may read what is chosen for a roll."""
    yield from (getattr(rule, key) for key in ("pool", "target", "plus", "cap", "blank", *KEEPS))
    yield from (formula for extra in rule.more for formula in (extra.dice, extra.when))
    keys = ("dice", "plus", "pool", "target", "when", *KEEPS[:2])
    yield from (getattr(one, key) for _, one in choices_in(rule) for key in keys)
    every_band = (*rule.bands, *(band for _, one in choices_in(rule) for band in one.bands))
    yield from (formula for band in every_band for formula in (band.least, band.most))
    yield from (spend.when for spend in game.spend.values())
    effects = (effect for outcome in game.after.get(name, {}).values() for effect in outcome)
    yield from (text for effect in effects for text in (effect.do, effect.offer, effect.when))


def _dice(path: Path, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    """Check which dice are rolled, and what happens meanwhile."""
    yield from _die((*path, "die"), rule.die, rule.who, formulas.game)
    for place, extra in enumerate(rule.more):
        at = (*path, "more", str(place))
        yield from _die((*at, "die"), extra.die, rule.who, formulas.game)
        yield from formulas.number((*at, "dice"), extra.dice, rule.who, roll_names(rule))
        yield from formulas.condition((*at, "when"), extra.when, rule.who, roll_names(rule))
    named = [key for key in KEEPS if getattr(rule, key) not in ("", 0)]
    if len(named) > 1:
        yield Flaw((*path, named[-1]), f"use only one of {join_names(KEEPS, 'or')}")
    for key in named:
        number = getattr(rule, key)
        yield from formulas.number((*path, key), number, rule.who, roll_names(rule))
        if isinstance(number, int) and not 1 <= number <= MOST_DICE:
            yield Flaw((*path, key), f"`{key}` should be from 1 to {MOST_DICE}")
    if rule.explode and not 1 <= rule.explode.times <= MOST_EXPLOSIONS:
        yield Flaw((*path, "explode", "times"), f"`times` should be from 1 to {MOST_EXPLOSIONS}")
    if rule.explode and rule.explode.at and (rule.explode.at < _LEAST_BURST or rule.explode.at in rule.reroll):
        yield Flaw((*path, "explode", "at"), f"`at` should be {_LEAST_BURST} or more, and not a face that is rerolled")
    if rule.none:
        at = (*path, "none")
        if not 1 <= rule.none.dice <= MOST_DICE:
            yield Flaw((*at, "dice"), f"`dice` should be from 1 to {MOST_DICE}")
        if rule.none.die and (wrong := why_no_die(rule.none.die)):
            yield Flaw((*at, "die"), wrong)
        if rule.none.reading not in ("", rule.reading) and not {rule.none.reading, rule.reading} <= _OF_FACES:
            wrong = f'the outcomes of this roll are for `{rule.reading}`: write reading = "{rule.reading}" here too'
            yield Flaw((*at, "reading"), wrong)
        if rule.none.best and rule.none.best not in outcomes_of(rule):
            meant = did_you_mean(rule.none.best, [*outcomes_of(rule)], "outcomes")
            yield Flaw((*at, "best"), f"there is no outcome {rule.none.best[:40]}; {meant}")


def _cards(path: Path, rule: RollRule, game: GameFile) -> Iterator[Flaw]:
    """Check a roll with cards: what only dice can do, and a deck on both sides."""
    dice = {rule.die, *(one.die for _, one in choices_in(rule) if one.die)}
    if not any(is_deck(game, rule.who, text) for text in (*dice, *(extra.die for extra in rule.more))):
        return
    for key in ("explode", "reroll", "twice"):
        if getattr(rule, key):
            yield Flaw((*path, key), "cards can't do this; it is for dice")
    twice = [(*path, *at, "twice") for at, one in choices_in(rule) if one.twice]
    twice += [("when", name, "twice") for name, one in game.when.items() if one.twice and path[-1] in one.rolls]
    yield from (Flaw(at, f"{path[-1]} draws cards, which can't be drawn twice") for at in twice)
    if rule.none and not rule.none.die:
        yield Flaw((*path, "none"), 'an empty deck has no cards for this either: write which dice, such as die = "d6"')
    for place, extra in enumerate(rule.more):
        alike = extra.die in dice
        if extra.against and is_deck(game, rule.who, extra.die) and (alike or rule.reading == "beats"):
            why = "both sides draw from one deck" if alike else "with `beats` the other side has dice"
            yield Flaw((*path, "more", str(place), "die"), f"{why}: give the other side dice, or a deck of its own")
    for name, spend in game.spend.items():
        if (not spend.rolls or path[-1] in spend.rolls) and (spend.raises or spend.reroll or spend.dice):
            wrong = (
                f"{path[-1]} draws cards, which can't be raised, rerolled or added to: use plus, step, grade or score"
            )
            yield Flaw(("spend", name), wrong, at_key=True)


def is_deck(game: GameFile, who: str, text: str) -> bool:
    """Whether what a roll names as its die is a deck of cards."""
    try:
        return any(parse_die(die).copies for die in dice_named(game, who, text))
    except (WrongPath, NotDice):
        return False


def _die(path: Path, text: str, who: str, game: GameFile) -> Iterator[Flaw]:
    """Check that a text names a die, or a value whose choices are dice."""
    try:
        named = dice_named(game, who, text)
    except WrongPath:
        named = ()
    if wrong := why_no_die(named[0] if named else text) or next(filter(None, map(why_no_die, named)), ""):
        yield Flaw(path, wrong)


def _bands(path: Path, bands: tuple[BandRule, ...], rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    known: dict[str, BandRule] = {}
    for place, band in enumerate(bands):
        at = (*path, str(place))
        if not VERB.fullmatch(band.outcome):
            yield Flaw(at, 'an outcome needs a word in lower-case letters, such as outcome = "partial"')
        first = known.setdefault(band.outcome, band)
        if (first.grade, first.label) != (band.grade, band.label):
            yield Flaw(at, f"the outcome {band.outcome} has another grade or label further up; make them the same")
        yield from formulas.number((*at, "from"), band.least, rule.who, roll_names(rule))
        yield from formulas.number((*at, "to"), band.most, rule.who, roll_names(rule))
        if band.face and len(band.face) != 2:
            yield Flaw(at, "`face` should be the lowest and the highest face, such as [6, 6]")


def _choices(path: Path, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    """Check options, calls and other choices."""
    names, taken = roll_names(rule), set[str]()
    for where, option in choices_in(rule):
        at, word, is_option = (*path, *where), where[-1], where[0] == "options"
        if not VERB.fullmatch(word) or (is_option and "-" in word):
            may = "lower-case letters and digits" if is_option else "lower-case letters, digits and hyphens"
            yield Flaw(at, f"“{word[:40]}” is typed as an answer: use {may}", at_key=True)
        elif word in taken:
            yield Flaw(at, f"“{word}” is an option too; give one of them another word", at_key=True)
        taken.add(word)
        if option.who and not is_option:
            yield Flaw((*at, "who"), "only an option can be for the things of a list", at_key=True)
        if wrong := [*wrong_who(formulas.game, at, option.who)]:
            yield from wrong
            continue
        owner, _, inner = option.who.partition(".")
        if inner and formulas.game.sheet[owner].each and rule.who.partition(".")[0] != owner:
            yield Flaw(
                (*at, "who"),
                f'{option.who} is what each of {owner} has, so the roll needs who = "{owner}": theirs is meant',
            )
            continue
        who = option.who or rule.who
        if option.most != "" and not option.who:
            yield Flaw((*at, "most"), '`most` is for an option with a list of things, such as who = "crew"')
        for key in ("dice", "plus", "most", "pool", "target", *KEEPS[:2]):
            asks = who if key in ("dice", "plus", "most") else rule.who
            yield from formulas.number((*at, key), getattr(option, key), asks, names)
        yield from formulas.condition((*at, "when"), option.when, who, names)
        yield from _cost((*at, "cost"), option.cost, who, formulas, names)
        yield from _bands((*at, "bands"), option.bands, rule, formulas)
        if option.die:
            yield from _die((*at, "die"), option.die, rule.who, formulas.game)
    for name in rule.pick:
        if not VERB.fullmatch(name) or name in (*rule.options, CALL, OPTIONS, MODIFIER):
            may = "should be a lower-case word that no option uses"
            yield Flaw((*path, "pick", name), f"the name of a choice {may}, such as position", at_key=True)


def _cost(
    path: Path, cost: tuple[EffectRule, ...], who: str, formulas: FormulaCheck, names: Names = MappingProxyType({})
) -> Iterator[Flaw]:
    yield from formulas.effects(path, cost, who, names)
    for place, effect in enumerate(cost):
        if effect.who:
            yield Flaw((*path, str(place), "who"), "a cost is paid by who acts; put this into what happens afterwards")
        try:
            verb = parse_effect(effect.do).verb
        except WrongEffect:
            continue
        if verb not in (*UP, *DOWN, "set"):
            kinds = join_names((*UP, *DOWN, "set"), "or")
            yield Flaw((*path, str(place)), f"a cost is one of {kinds}, such as spend focus 1")


# -- spends, and what follows -----------------------------------------------------------------------------------------


def _spend(
    path: Path, name: str, spend: SpendRule, sound: Mapping[str, RollRule], formulas: FormulaCheck
) -> Iterator[Flaw]:
    yield from _spend_itself(path, name, spend)
    game = formulas.game
    if spend.clause and spend.clause not in game.clauses:
        yield no_clause((*path, "clause"), spend.clause, game)
    for place, roll in enumerate(spend.rolls):
        if roll not in game.dice:
            yield Flaw(
                (*path, "rolls", str(place)),
                f"there is no roll {roll[:40]}; {did_you_mean(roll, [*game.dice], 'rolls')}",
            )
    rules = [rule for key, rule in sound.items() if not spend.rolls or key in spend.rolls]
    if wrong := [*wrong_who(game, path, spend.who)]:
        yield from wrong
        return
    for rule in rules:
        who = spend.who or rule.who
        yield from _cost((*path, "cost"), spend.cost, who, formulas)
        yield from formulas.condition((*path, "when"), spend.when, who, result_names(rule, formulas.game))
        yield from formulas.number((*path, "score"), spend.score, who, roll_names(rule))
    known = [*dict.fromkeys(outcome for rule in rules for outcome in outcomes_of(rule))]
    for place, outcome in enumerate(spend.outcomes):
        if outcome not in known:
            yield Flaw(
                (*path, "outcomes", str(place)),
                f"there is no outcome {outcome[:40]}; {did_you_mean(outcome, known, 'outcomes')}",
            )


def _spend_itself(path: Path, name: str, spend: SpendRule) -> Iterator[Flaw]:
    """Check what a spend says without looking at rolls."""
    if name in WAYLOGS_VERBS:
        yield Flaw(path, f"the verb “{name}” is Waylog's own; choose another name for this spend", at_key=True)
    elif not VERB.fullmatch(name):
        yield Flaw(
            path, f"“{name[:40]}” is typed as a command: use lower-case letters, digits and hyphens", at_key=True
        )
    does = [spend.raises > 0, spend.plus != 0, bool(spend.reroll), spend.dice > 0, spend.step > 0, spend.grade > 0]
    if (*does, spend.score != "").count(True) != 1:
        yield Flaw(path, f"{name} needs exactly one of raise, plus, reroll, dice, step, grade or score", at_key=True)
    if (
        max(abs(spend.raises), abs(spend.plus), abs(spend.step), abs(spend.grade), abs(spend.limit)) > _MOST_RAISED
        or spend.dice > MOST_DICE
    ):
        yield Flaw(
            path, f"a spend's numbers can be at most {_MOST_RAISED}, and its dice at most {MOST_DICE}", at_key=True
        )
    for key in ("raises", "dice", "step", "grade", "limit"):
        if getattr(spend, key) < 0:
            named = SpendRule.RENAMED.get(key, key)
            yield Flaw((*path, named), f"`{named}` should not be below 0")
    if spend.die and (wrong := why_no_die(spend.die)):
        yield Flaw((*path, "die"), wrong)
    if spend.faces and len(spend.faces) != 2:
        yield Flaw((*path, "faces"), "`faces` should be the lowest and the highest, such as [1, 3]")
