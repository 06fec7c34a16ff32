"""Expressions in a game's file: `nerve + 2`, `min(3, ship.hull)`, `team.stress > 4 and not alarm`.

They are written as in Python. `expression_parser.py` reads them, `expression_types.py` checks them against what the game declares. Here is
what they are made of and what they come to. Every number on the way is bounded.

    path        nerve, ship.hull             number      0 to 9999               text     'docked'
    sum         a + b, a - b, a * b, a // 2  flag        true, false             choice   a if b else c
    comparison  a == b, a < b <= c, 'wet' in ship.tags                           logic    a and b, a or b, not a
    function    min(a, b), max(a, b), count(a, b)

A path may stand for several values, such as `crew.exposed` for one flag a person. `min` and `max` look through these, and `count`
says how many are true. A flag counts as 1 in a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from waylog.values import dataclass

LARGEST_RESULT = 1_000_000

Value = int | bool | str | tuple[int | bool | str, ...]
"""What a path stands for, and what an expression comes to."""
Lookup = Callable[[tuple[str, ...]], Value]
"""Returns the value of a path."""


class ExpressionError(ValueError):
    """An expression can't be used. The message says what is wrong and what would be right."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        """Where in the text, counted from 1."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a part of an expression stands in its text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Constant(Span):
    """A number, a flag or a text."""

    value: int | bool | str


@dataclass(frozen=True, slots=True)
class ValuePath(Span):
    """A value of the campaign or of the roll: `ship.hull`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation(Span):
    """An operator or a function with its operands: `+`, `not`, `==`, `min`, `if`."""

    name: str
    operands: tuple[Node, ...]


Node = Constant | ValuePath | Operation
"""A part of an expression."""


@dataclass(frozen=True)
class Expression:
    """An expression that has been read."""

    text: str
    root: Node

    def evaluate(self, lookup: Lookup) -> Value:
        """Return the value. Raises `ExpressionError` for values that don't fit together, which `check_expression` rules out."""
        return _evaluate(self.root, lookup)

    @cached_property
    def paths(self) -> frozenset[tuple[str, ...]]:
        """The paths that it reads."""
        return frozenset(node.names for node in nodes_of(self.root) if isinstance(node, ValuePath))


def nodes_of(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes in it."""
    yield node
    if isinstance(node, Operation):
        for operand in node.operands:
            yield from nodes_of(operand)


# -- values ------------------------------------------------------------------------------------------------------------


def _evaluate(node: Node, lookup: Lookup) -> Value:
    match node:
        case Constant():
            return node.value
        case ValuePath():
            return _within(lookup(node.names))
        case Operation(name="and" | "or"):
            first = _evaluate(node.operands[0], lookup)
            return _evaluate(node.operands[1], lookup) if bool(first) is (node.name == "and") else first
        case Operation(name="if"):
            condition, then, otherwise = node.operands
            return _evaluate(then if _evaluate(condition, lookup) else otherwise, lookup)
        case Operation():
            values = [_evaluate(operand, lookup) for operand in node.operands]
            try:
                return _within(_OPERATORS[node.name](*values))
            except (TypeError, ValueError):
                shown = " and ".join(_describe(value) for value in values)
                raise ExpressionError(f"`{node.name}` can't be used with {shown}", node.start + 1) from None


def _within(value: Value) -> Value:
    """Return a number no larger than any result may be; other values as they are."""
    if isinstance(value, int) and not -LARGEST_RESULT <= value <= LARGEST_RESULT:
        return LARGEST_RESULT if value > 0 else -LARGEST_RESULT
    return value


def _describe(value: Value) -> str:
    return "several values" if isinstance(value, tuple) else repr(value)


def _number(value: Value) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _flat(values: tuple[Value, ...]) -> list[int | bool | str]:
    return [one for value in values for one in (value if isinstance(value, tuple) else (value,))]


def _numbers(values: tuple[Value, ...]) -> list[int]:
    return [_number(value) for value in _flat(values)]


def _equal(one: Value, other: Value) -> bool:
    if isinstance(one, str) is not isinstance(other, str) or isinstance(one, tuple) or isinstance(other, tuple):
        raise TypeError
    return one == other


def _contains(one: Value, many: Value) -> bool:
    if isinstance(one, tuple) or not isinstance(many, tuple):
        raise TypeError
    return one in many


_OPERATORS: dict[str, Callable[..., Value]] = {
    "+": lambda one, other: _number(one) + _number(other),
    "-": lambda one, other: _number(one) - _number(other),
    "*": lambda one, other: _number(one) * _number(other),
    "//": lambda one, other: _number(one) // _number(other),
    "minus": lambda one: -_number(one),
    "plus": lambda one: +_number(one),
    "not": lambda one: not one,
    "==": _equal,
    "!=": lambda one, other: not _equal(one, other),
    "<": lambda one, other: _number(one) < _number(other),
    "<=": lambda one, other: _number(one) <= _number(other),
    ">": lambda one, other: _number(one) > _number(other),
    ">=": lambda one, other: _number(one) >= _number(other),
    "in": _contains,
    "not in": lambda one, many: not _contains(one, many),
    # Of an empty list, such as a crew of nobody, the smallest and the largest are 0.
    "min": lambda *values: min(_numbers(values), default=0),
    "max": lambda *values: max(_numbers(values), default=0),
    "count": lambda *values: sum(map(bool, _flat(values))),
}
FUNCTIONS = ("min", "max", "count")
