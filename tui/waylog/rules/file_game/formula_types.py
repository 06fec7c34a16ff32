"""Whether a formula of a game file fits the values that the game declares: the type of each part of it, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from waylog.rules.codec.changes import join_names
from waylog.rules.file_game.formulas import (
    _COMPARISONS,
    _DIE,
    _ORDERS,
    Constant,
    Expression,
    ExpressionError,
    Node,
    Operation,
    ValuePath,
)
from waylog.rules.language.similar_names import nearest
from waylog.values import dataclass


class ValueKind(StrEnum):
    """The kinds of values that an expression may read, with their names in messages."""

    NUMBER = "a number"
    FLAG = "a flag"
    TEXT = "a text"


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of the value that a path leads to."""

    kind: ValueKind
    many: bool = False
    """There are several, as of a list of people."""
    words: tuple[str, ...] = ()
    """The only texts that it may be; empty if any text may be."""
    is_known: bool = True
    """Without it, a mistake where the value is declared hides its type, and nothing that reads it is a second mistake."""

    def __str__(self) -> str:
        return f"several values, each {self.kind}" if self.many else self.kind.value


_NUMBER, _FLAG, _TEXT_TYPE = (ValueType(kind) for kind in ValueKind)


def check_expression(
    expression: Expression, types: Mapping[tuple[str, ...], ValueType], wanted: ValueKind | None = None
) -> tuple[ExpressionError, ...]:
    """Return what is wrong, in the order of the text. If nothing is, the expression never fails with values of these types, which are those
    of all its paths.

    `wanted` is what the expression must come to. A number may stand for a flag and a flag for a number.
    """
    check = _Check(types)
    found = check.type_of(expression.root)
    if found and wanted and not check.faults and not _serves(found, ValueType(wanted)):
        check.faults.append(ExpressionError(f"this must be {wanted}, but it is {found}", expression.root.start + 1))
    return tuple(sorted(check.faults, key=lambda fault: fault.column))


def _serves(found: ValueType, wanted: ValueType) -> bool:
    """Whether a value of one type can stand where the other is wanted. Several flags are a number: how many are true."""
    return (not found.many or found.kind is ValueKind.FLAG) and (found.kind is ValueKind.TEXT) is (
        wanted.kind is ValueKind.TEXT
    )


def _words_for(node: Node) -> str:
    """Return what a message calls a part of a formula."""
    return f"`{'.'.join(node.names)}`" if isinstance(node, ValuePath) else "this"


def _cure(node: Node, found: ValueType) -> str:
    """Return how a choice gives a number."""
    if found.many or not found.words or not isinstance(node, ValuePath):
        return ""
    if all(map(_DIE.fullmatch, found.words)):
        return f": for the number of its sides, write size({'.'.join(node.names)})"
    return f": for a number, write, for example, (2 if {'.'.join(node.names)} == '{found.words[0]}' else 1)"


class _Check:
    """Finds the type of each part, and what doesn't fit together. A part with a fault has no type."""

    def __init__(self, types: Mapping[tuple[str, ...], ValueType]) -> None:
        self.types = types
        self.faults: list[ExpressionError] = []
        self._each: Node | None = None
        """Several values that are compared one by one."""

    def type_of(self, node: Node) -> ValueType | None:
        """Return the type of a part; None if it has a fault."""
        match node:
            case Constant():
                return _TEXT_TYPE if isinstance(node.value, str) else _FLAG if isinstance(node.value, bool) else _NUMBER
            case ValuePath():
                declared = self.types[node.names]
                if not declared.is_known:
                    return None
                return ValueType(declared.kind, words=declared.words) if node is self._each else declared
            case Operation(name="if", operands=(condition, then, otherwise)):
                self._condition(condition)
                return self._either(node, self.type_of(then), self.type_of(otherwise))
            case Operation(name="and" | "or", operands=(one, other)):
                return self._either(node, self._condition(one), self.type_of(other))
            case Operation(name="not", operands=(one,)):
                self._condition(one)
                return _FLAG
            case Operation(name="min" | "max" | "count"):
                return self._function(node)
            case Operation(name="size"):
                return self._size(node)
            case Operation(name="in" | "not in", operands=(one, many)):
                return self._membership(one, many)
            case Operation(name="==" | "!=", operands=(one, other)):
                return self._equality(one, other)
            case Operation():
                found = [self._number(operand, node.name) for operand in node.operands]
                return None if None in found else _FLAG if node.name in _ORDERS else _NUMBER

    def _fault(self, node: Node, message: str) -> None:
        self.faults.append(ExpressionError(message, node.start + 1))

    def _number(self, node: Node, operator: str) -> ValueType | None:
        found = self.type_of(node)
        if found and not _serves(found, _NUMBER):
            sign = {"minus": "-", "plus": "+"}.get(operator, operator)
            self._fault(node, f"`{sign}` needs numbers, but {_words_for(node)} is {found}{_cure(node, found)}")
            return None
        return found

    def _condition(self, node: Node) -> ValueType | None:
        """Return the type of what must be true or false."""
        found = self.type_of(node)
        if found and not _serves(found, _FLAG):
            hint = "use `count`" if found.many else "compare it with `==`"
            self._fault(node, f"a condition must be a flag or a number, but this is {found}: {hint}")
            return None
        return found

    def _either(self, node: Node, first: ValueType | None, second: ValueType | None) -> ValueType | None:
        """Return the type of what is one of two values, which must be alike."""
        if not first or not second:
            return None
        if not (_serves(first, first) and _serves(second, first)):
            several = any(one.many and one.kind is not ValueKind.FLAG for one in (first, second))
            cure = "use `count`, `min` or `max`" if several else "make both values numbers, or both texts"
            self._fault(node, f"this can be {first} or {second}: {cure}")
            return None
        return _NUMBER if first.many or second.many or first.kind is not second.kind else first

    def _function(self, node: Operation) -> ValueType | None:
        for operand in node.operands:
            if node.name == "count" and isinstance(operand, Operation) and operand.name in _COMPARISONS:
                paths = [one for one in operand.operands if isinstance(one, ValuePath)]
                several = [one for one in paths if self.types[one.names].many]
                self._each = several[0] if len(several) == 1 else None
            found = self.type_of(operand)
            if found and found.kind is ValueKind.TEXT and not (node.name == "count" and found.many):
                cure = _cure(operand, found)
                self._fault(
                    operand, f"`{node.name}` needs numbers or flags, but {_words_for(operand)} is {found}{cure}"
                )
        return _NUMBER

    def _size(self, node: Operation) -> ValueType:
        die, *more = [self.type_of(operand) for operand in node.operands]
        if more or (die and (die.many or not die.words)):
            self._fault(node, "`size` needs a value whose choices are dice, as in size(rank)")
        elif die and (wrong := [word for word in die.words if not _DIE.fullmatch(word)]):
            self._fault(node, f"`size` needs dice, but this value can be '{wrong[0]}'")
        return _NUMBER

    def _membership(self, one: Node, many: Node) -> ValueType:
        item, several = self.type_of(one), self.type_of(many)
        if several and not several.many:
            self._fault(many, f"`in` needs a list of words, but this is {several}: compare it with `==`")
        elif item and several and (item.many or not _serves(item, ValueType(several.kind))):
            self._fault(one, f"`in` can't find {item} in {several}")
        elif several:
            self._check_word(one, several)
        return _FLAG

    def _equality(self, one: Node, other: Node) -> ValueType:
        first, second = self.type_of(one), self.type_of(other)
        if first and second:
            if any(one.many and one.kind is not ValueKind.FLAG for one in (first, second)):
                self._fault(
                    one if first.many else other,
                    "several values can't be compared: use `min` or `max`, or count how many are so, as in count(crew.each.nerve > 2)",
                )
            elif not _serves(first, second):
                self._fault(other, f"{first} is never equal to {second}")
            else:
                self._check_word(other, first)
                self._check_word(one, second)
        return _FLAG

    def _check_word(self, node: Node, against: ValueType) -> None:
        """Check that a text that is written out can come up."""
        text = node.value if isinstance(node, Constant) else None
        if isinstance(text, str) and against.words and text not in against.words:
            close, words = nearest(text, against.words), join_names((f"'{word}'" for word in against.words), "or")
            known = f"Did you mean '{close}'?" if close else f"It is always {words}"
            self._fault(node, f"this value is never '{text}'. {known}")
