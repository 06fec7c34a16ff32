"""Checking an expression against the values that a game declares, before anything is played."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from waylog.rules.file_game.expressions import Constant, Expression, ExpressionError, Node, Operation, ValuePath
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

    def __str__(self) -> str:
        return f"several values, each {self.kind}" if self.many else self.kind.value


_NUMBER, _FLAG, _TEXT = (ValueType(kind) for kind in ValueKind)
_ORDERS = ("<", "<=", ">", ">=")


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


class _Check:
    """Finds the type of each part, and what doesn't fit together. A part with a fault has no type."""

    def __init__(self, types: Mapping[tuple[str, ...], ValueType]) -> None:
        self.types = types
        self.faults: list[ExpressionError] = []

    def type_of(self, node: Node) -> ValueType | None:
        """Return the type of a part; None if it has a fault."""
        match node:
            case Constant():
                return _TEXT if isinstance(node.value, str) else _FLAG if isinstance(node.value, bool) else _NUMBER
            case ValuePath():
                return self.types[node.names]
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
            self._fault(node, f"`{sign}` needs numbers, but this is {found}")
            return None
        return found

    def _condition(self, node: Node) -> ValueType | None:
        """Return the type of what must be true or false."""
        found = self.type_of(node)
        if found and not _serves(found, _FLAG):
            hint = "use `count`" if found.many else "compare it with `==`"
            self._fault(node, f"a condition is a flag or a number, but this is {found}: {hint}")
            return None
        return found

    def _either(self, node: Node, first: ValueType | None, second: ValueType | None) -> ValueType | None:
        """Return the type of what is one of two values, which must be alike."""
        if not first or not second:
            return None
        if not (_serves(first, first) and _serves(second, first)):
            several = any(one.many and one.kind is not ValueKind.FLAG for one in (first, second))
            cure = "use `count`, `min` or `max`" if several else "make both numbers, or both texts"
            self._fault(node, f"this is {first} or {second}: {cure}")
            return None
        return _NUMBER if first.many or second.many or first.kind is not second.kind else first

    def _function(self, node: Operation) -> ValueType | None:
        for operand in node.operands:
            found = self.type_of(operand)
            if found and found.kind is ValueKind.TEXT and not (node.name == "count" and found.many):
                self._fault(operand, f"`{node.name}` needs numbers or flags, but this is {found}")
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
                    one if first.many else other, "several values can't be compared: use `count`, `min` or `max`"
                )
            elif not _serves(first, second):
                self._fault(other, f"{first} is never equal to {second}")
            else:
                self._check_word(other, first)
                self._check_word(one, second)
        return _FLAG

    def _check_word(self, node: Node, against: ValueType) -> None:
        """Check that a text that is written out can come up."""
        if (
            isinstance(node, Constant)
            and isinstance(node.value, str)
            and against.words
            and node.value not in against.words
        ):
            close = nearest(node.value, against.words)
            known = f"Did you mean '{close}'?" if close else f"It is one of {', '.join(against.words)}"
            self._fault(node, f"it is never '{node.value}'. {known}")
