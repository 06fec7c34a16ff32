"""Checking the formulas and effects of a game file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from waylog.rules.file_game.declaration import EffectRule, GameFile, MoveRule, ValueRule
from waylog.rules.file_game.effects import EffectWords, WrongEffect, kinds_for, parse_effect, parse_word
from waylog.rules.file_game.expression_parser import parse_expression
from waylog.rules.file_game.expression_types import ValueKind, ValueType, check_expression
from waylog.rules.file_game.expressions import Expression, ExpressionError, ValuePath, nodes_of
from waylog.rules.file_game.flaws import Flaw, Path, did_you_mean
from waylog.rules.file_game.moment import RULES
from waylog.rules.file_game.places import ACTING, ValuePlace, WrongPath, find, list_path, values_of
from waylog.rules.file_game.sheet_types import GONE, is_going, kind_of
from waylog.rules.naming import join_names, slug

Names = Mapping[tuple[str, ...], ValueType]
"""What a formula may read beside the sheet."""
NUMBER, FLAG, TEXT = (ValueType(kind) for kind in ValueKind)

_CHOSEN = {
    "amount": "`amount` is known only in `does`, in a move that has `amount`; "
    'a formula can be its limit, such as amount = [1, "nerve"]',
    "choose": "`choose` is known only in `does`, in a move that has `choose`",
    "text": '`text` is known only in `does`, in a move that asks for a text, such as text = "What is found"',
}
"""Why a formula elsewhere can't read what is chosen for a move."""


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
        self._rules: Names = {(RULES, name): _rule_type(game, name) for name in game.house_rules}

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
        types, flaws = self._types(path, expression, who, names, at)
        yield from flaws
        if not flaws:
            for fault in check_expression(expression, types, wanted):
                yield Flaw(path, str(fault), within=at + fault.column)

    def _types(self, path: Path, expression: Expression, who: str, names: Names, at: int) -> tuple[Names, list[Flaw]]:
        """Return the type of everything that a formula reads, and a flaw for what there isn't."""
        types: dict[tuple[str, ...], ValueType] = dict(names)
        types.update(self._rules)
        flaws = []
        for node in nodes_of(expression.root):
            if not isinstance(node, ValuePath) or node.names in types:
                continue
            try:
                types[node.names] = self._type_of(node.names, who, names)
            except WrongPath as wrong:
                flaws.append(Flaw(path, str(wrong), within=at + node.start + 1))
        return types, flaws

    def _type_of(self, path: tuple[str, ...], who: str, names: Names) -> ValueType:
        if path[0] == RULES:
            known = ", ".join(self.game.house_rules) or "none"
            raise WrongPath(f"there is no house rule `{'.'.join(path[1:])}`; the house rules are {known}")
        if len(path) > 1 and any(path[0] == other[0] and len(other) > 1 for other in names):
            known = ", ".join(".".join(other) for other in names if other[0] == path[0])
            raise WrongPath(f"there is no `{'.'.join(path)}`; there is {known}")
        try:
            place = find(self.game.sheet, who, path)
        except WrongPath:
            if path[0] in _CHOSEN:
                raise WrongPath(_CHOSEN[path[0]]) from None
            raise
        found = value_type(place.value)
        return ValueType(found.kind, many=True, words=found.words) if place.of_all else found

    # -- effects --------------------------------------------------------------------------------------------------

    def effects(self, path: Path, effects: Iterable[EffectRule], who: str, names: Names) -> Iterator[Flaw]:
        """Check effects in a list."""
        for place, effect in enumerate(effects):
            at = (*path, str(place))
            if not (effect.do or effect.offer or effect.say):
                yield Flaw(at, 'this does nothing; write an act such as "mark stress 1", or offer, or say')
            yield from self.condition((*at, "when"), effect.when, who, names)
            if effect.do:
                yield from self._effect(at, effect.do, who, names)

    def _effect(self, path: Path, text: str, who: str, names: Names) -> Iterator[Flaw]:
        try:
            words = parse_effect(text)
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
            yield Flaw(path, f"`{words.verb}` changes a {fitting}, and {'.'.join(words.names)} is a {found}", within=1)
        elif words.verb == "swap":
            yield from self._check_swap(path, words.rest, kind, who)
        elif kind == "each":
            yield from self._check_thing(path, words, place, who, names)
        elif words.verb in ("add", "remove"):
            yield from _tag(path, words.rest, place.value, names)
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
            yield Flaw(path, f"“{thing}” has no letter or digit that could be typed")
        elif words.rest in _CHOSEN and (words.rest,) not in names:
            yield Flaw(path, _CHOSEN[words.rest])

    def _check_swap(self, path: Path, other: str, kind: str, who: str) -> Iterator[Flaw]:
        try:
            found = find(self.game.sheet, who, tuple(other.split(".")))
        except WrongPath as wrong:
            yield Flaw(path, f"swap needs two values: {wrong}")
            return
        if kind_of(found.value) != kind:
            yield Flaw(path, f"swap needs two values of one kind; these are a {kind} and a {kind_of(found.value)}")


def _tag(path: Path, word: str, value: ValueRule, names: Names) -> Iterator[Flaw]:
    plain = word.strip("'\"")
    if not plain:
        yield Flaw(path, "which word? For example: add tags hurt")
    elif value.choices and plain not in value.choices and (word,) not in names:
        yield Flaw(path, f"“{plain}” is not one of {', '.join(value.choices)}")


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
        case "each":
            return ValueType(ValueKind.FLAG, many=True)
        case _:
            return TEXT


def _rule_type(game: GameFile, name: str) -> ValueType:
    rule = game.house_rules[name]
    if rule.flag is not None:
        return FLAG
    return ValueType(ValueKind.TEXT, words=rule.choices) if rule.choices else NUMBER


def no_clause(path: Path, clause: str, game: GameFile) -> Flaw:
    """Return the flaw that a rule is named that isn't there."""
    return Flaw(path, f"there is no rule {clause[:40]} in [clauses]; {did_you_mean(clause, [*game.clauses], 'rules')}")


def wrong_who(game: GameFile, path: Path, who: str) -> Iterator[Flaw]:
    """Check that the things of a list can act."""
    if who:
        try:
            values_of(game.sheet, who)
        except WrongPath as wrong:
            yield Flaw((*path, "who"), str(wrong))
