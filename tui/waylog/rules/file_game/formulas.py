"""Expressions in a game's file: `nerve + 2`, `min(3, ship.hull)`, `team.stress > 4 and not alarm`.

They are written as in Python. `parse_expression` reads them, and `formula_types.py` checks them against the values that a game declares.
Here is what they are made of and what they come to. Every number on the way is bounded.

    path        nerve, ship.hull             number      0 to 9999               text     'docked'
    sum         a + b, a - b, a * b, a // 2  flag        true, false             choice   a if b else c
    comparison  a == b, a < b <= c, 'wet' in ship.tags                           logic    a and b, a or b, not a
    function    min(a, b), max(a, b), count(a, b), size(a)

A path may stand for several values, such as `crew.exposed` for one flag a person. `min` and `max` look through these, and `count`
says how many are true, or how many words there are. In `count`, a comparison is made for each of them: `count(crew.nerve > 2)`. A flag
counts as 1 in a sum. Several flags are a number too: how many are true. `size` is the number of sides of a die: 8 for 'd8'.

Python's own parser reads them, which runs nothing: what it finds becomes the few nodes of an expression, and any other node is refused.
The length of the text and the number of nodes are bounded.
"""

from __future__ import annotations

import _ast as ast  # The nodes alone: the module `ast` around them takes longer to import than all formulas to read.
import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from keyword import kwlist
from typing import Any

from waylog.values import dataclass, replace

LARGEST_RESULT = 1_000_000

Value = int | bool | str | tuple[int | bool | str, ...]
"""The value of a path or of an expression: a number, a flag, a text, or several of these."""
Lookup = Callable[[tuple[str, ...]], Value]
"""Returns the value of a path."""
_WorkOut = Callable[[Lookup], Value]
"""Returns the value of a part of an expression."""


class ExpressionError(ValueError):
    """An expression can't be used. The message says what is wrong and what would be right."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        """Where in the text, counted from 1."""


@dataclass(frozen=True, slots=True)
class Span:
    """The place of a part of an expression in its text."""

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
        return self._work_out(lookup)

    def bind(self, lookup: Lookup, is_open: Callable[[tuple[str, ...]], bool]) -> Expression:
        """Return the expression with all parts worked out that read no open path. Raises `ExpressionError`."""
        return Expression(self.text, _bind(self.root, lookup, is_open))

    @cached_property
    def _work_out(self) -> _WorkOut:
        return _compile(self.root)

    @cached_property
    def paths(self) -> frozenset[tuple[str, ...]]:
        """The paths that it reads."""
        return frozenset(node.names for node in nodes_of(self.root) if isinstance(node, ValuePath))


def paths_in(formula: object) -> frozenset[tuple[str, ...]]:
    """Return the paths that a formula reads; none for a number. Raises `ExpressionError`."""
    return parse_expression(formula).paths if isinstance(formula, str) and formula else frozenset()


def nodes_of(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes in it."""
    yield node
    if isinstance(node, Operation):
        for operand in node.operands:
            yield from nodes_of(operand)


# -- values ------------------------------------------------------------------------------------------------------------


def _compile(node: Node) -> _WorkOut:
    """Return what works out a part of an expression: most are worked out many times."""
    match node:
        case Constant(value=value):
            return lambda _: value
        case ValuePath(names=names):
            return lambda lookup: _within(lookup(names))
        case Operation(name="and" | "or"):
            first, second = map(_compile, node.operands)
            wanted = node.name == "and"

            def choose(lookup: Lookup) -> Value:
                found = first(lookup)
                return _as_one(second(lookup) if is_true(found) is wanted else found)

            return choose
        case Operation(name="if"):
            condition, then, otherwise = map(_compile, node.operands)
            return lambda lookup: _as_one((then if is_true(condition(lookup)) else otherwise)(lookup))
        case Operation(name=name, start=start):
            operands = [*map(_compile_counted if name == "count" else _compile, node.operands)]
            operator = _OPERATORS[name]

            def work_out(lookup: Lookup) -> Value:
                values = [operand(lookup) for operand in operands]
                try:
                    return _within(operator(*values))
                except (TypeError, ValueError):
                    shown = " and ".join(
                        "several values" if isinstance(value, tuple) else repr(value) for value in values
                    )
                    raise ExpressionError(f"`{name}` can't be used with {shown}", start + 1) from None

            return work_out


def _bind(node: Node, lookup: Lookup, is_open: Callable[[tuple[str, ...]], bool]) -> Node:
    if not any(isinstance(one, ValuePath) and is_open(one.names) for one in nodes_of(node)):
        value = _compile(node)(lookup)
        return node if isinstance(value, tuple) else Constant(node.start, node.end, value)
    if isinstance(node, ValuePath | Constant) or node.name == "count":
        return node
    first, *others = (_bind(operand, lookup, is_open) for operand in node.operands)
    if isinstance(first, Constant) and node.name in ("and", "or") and is_true(first.value) is (node.name == "or"):
        return first
    return replace(node, operands=(first, *others))


def _compile_counted(node: Node) -> _WorkOut:
    """Return what works out a part of what is counted. A comparison of several values with one is made for each of the several."""
    if not (isinstance(node, Operation) and node.name in _COMPARISONS):
        return _compile(node)
    (first, second), compare = map(_compile, node.operands), _OPERATORS[node.name]

    def work_out(lookup: Lookup) -> Value:
        one, other = first(lookup), second(lookup)
        try:
            if isinstance(one, tuple) and not isinstance(other, tuple):
                return tuple(bool(compare(each, other)) for each in one)
            if isinstance(other, tuple) and not isinstance(one, tuple):
                return tuple(bool(compare(one, each)) for each in other)
            return compare(one, other)
        except TypeError:
            raise ExpressionError(f"`{node.name}` can't be used with these values", node.start + 1) from None

    return work_out


def _as_one(value: Value) -> Value:
    """Return several flags as the number of those that are true; other values as they are."""
    return number_of(value) if isinstance(value, tuple) else value


def _within(value: Value) -> Value:
    """Return a number no larger than any result may be; other values as they are."""
    if isinstance(value, int) and not -LARGEST_RESULT <= value <= LARGEST_RESULT:
        return LARGEST_RESULT if value > 0 else -LARGEST_RESULT
    return value


def is_true(value: Value) -> bool:
    """Whether a condition holds that comes to this value. Of several values, one has to be true."""
    return any(value) if isinstance(value, tuple) else bool(value)


def number_of(value: Value) -> int:
    """Return a value as a number; of several, how many are true. Raises `TypeError` for a text."""
    if isinstance(value, str):
        raise TypeError
    return sum(map(bool, value)) if isinstance(value, tuple) else int(value)


def _flat(values: tuple[Value, ...]) -> list[int | bool | str]:
    return [one for value in values for one in (value if isinstance(value, tuple) else (value,))]


def _numbers(values: tuple[Value, ...]) -> list[int]:
    return [number_of(value) for value in _flat(values)]


def _equal(one: Value, other: Value) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    return number_of(one) == number_of(other)


def _contains(one: Value, many: Value) -> bool:
    if isinstance(one, tuple) or not isinstance(many, tuple):
        raise TypeError
    return one in many


def _sides(die: Value) -> int:
    found = re.search("[0-9]+", die) if isinstance(die, str) else None
    return int(found[0]) if found else 0


_ORDERS = ("<", "<=", ">", ">=")
_COMPARISONS = ("==", "!=", *_ORDERS)
_OPERATORS: dict[str, Callable[..., Value]] = {
    "+": lambda one, other: number_of(one) + number_of(other),
    "-": lambda one, other: number_of(one) - number_of(other),
    "*": lambda one, other: number_of(one) * number_of(other),
    "//": lambda one, other: number_of(one) // number_of(other),
    "minus": lambda one: -number_of(one),
    "plus": lambda one: +number_of(one),
    "not": lambda one: not is_true(one),
    "==": _equal,
    "!=": lambda one, other: not _equal(one, other),
    "<": lambda one, other: number_of(one) < number_of(other),
    "<=": lambda one, other: number_of(one) <= number_of(other),
    ">": lambda one, other: number_of(one) > number_of(other),
    ">=": lambda one, other: number_of(one) >= number_of(other),
    "in": _contains,
    "not in": lambda one, many: not _contains(one, many),
    # Of an empty list, such as a crew of nobody, the smallest and the largest are 0.
    "min": lambda *values: min(_numbers(values), default=0),
    "max": lambda *values: max(_numbers(values), default=0),
    "count": lambda *values: sum(map(bool, _flat(values))),
    "size": _sides,
}
FUNCTIONS = ("min", "max", "count", "size")


MOST_LETTERS, MOST_NODES, LARGEST_NUMBER = 200, 60, 9999

_PIECE = re.compile(
    r"""(?P<text>'[^'"\\]*'|"[^'"\\]*")|(?P<number>[0-9]+(?P<tail>[A-Za-z_.]\w*)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"""
    r"""|(?P<sign>//|[=!<>]=|[-+*<>().,])|(?P<space>\s+)""",
    re.ASCII,
)
_DIE = re.compile("d[0-9]+")
_TEXT = re.compile(r"""'[^'"\\]*'|"[^'"\\]*\"""")
_KEYWORDS = frozenset(kwlist)
_WORDS = frozenset({"and", "or", "not", "in", "if", "else"})
_INSTEAD = {
    "=": "compare with `==`",
    "/": "divide with `//`, which drops the remainder",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or `!=` between two values",
    "[": "write a path with dots, as in `ship.hull`",
    "{": "write the name alone, without braces",
    **dict.fromkeys("'\"", "the closing quotation mark is missing"),
    **dict.fromkeys("‘’“”", "use straight quotation marks: 'text'"),
    "\u2265": "write `>=`",
    "\u2264": "write `<=`",
    "≠": "write `!=`",
    "×": "write `*`",
    **dict.fromkeys("−–", "write `-`"),
}


@lru_cache(1024)
def parse_expression(text: str) -> Expression:
    """Read an expression. Raises `ExpressionError`."""
    if len(text) > MOST_LETTERS:
        raise ExpressionError(
            f"a formula can have at most {MOST_LETTERS} characters, but this one has {len(text)}", MOST_LETTERS + 1
        )
    if not text.strip():
        raise ExpressionError("the formula is empty", 1)
    plain = _plain(text)
    start = len(plain) - len(plain.lstrip())
    try:
        tree: Any = compile(plain[start:], "<formula>", "eval", ast.PyCF_ONLY_AST)
    except SyntaxError as error:
        place = min(max(start + (error.offset or 1), 1), len(text))
        before = [match[0] for match in _PIECE.finditer(text) if not match["space"] and match.start() < place]
        near = before[-1] if before else text[:10]
        raise ExpressionError(f"near “{near}”, something is missing or shouldn't be there", place) from None
    except (MemoryError, RecursionError):
        raise ExpressionError("the brackets are nested too deeply", 1) from None
    return Expression(text, _Translation(text, start).translate(tree.body))


def _plain(text: str) -> str:
    """Return the text as Python's parser may have it, each piece in its place. Raises `ExpressionError` for a piece of no expression."""
    parts, at = list[str](), 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if not match:
            letter = text[at]
            shown = letter if letter.isprintable() else "this letter"
            instead = f": {_INSTEAD[letter]}" if letter in _INSTEAD else ""
            raise ExpressionError(f"`{shown}` has no meaning here{instead}", at + 1)
        piece = match[0]
        if match["number"]:
            _check_number(match, at)
        elif match["space"]:
            piece = " " * len(piece)
        elif match["text"]:
            # A text is taken from where it stands; the parser sees a plain one of the same length.
            piece = f"'{'x' * (len(piece) - 2)}'"
        elif match["name"] and piece in _KEYWORDS - _WORDS:
            # A value may have a name that means something to Python, such as `class`.
            piece = f"_{piece[1:]}"
        parts.append(piece)
        at = match.end()
    return "".join(parts)


def _check_number(match: re.Match[str], at: int) -> None:
    digits = match["number"].removesuffix(match["tail"] or "")
    if match["tail"] == "d" or (match["tail"] or "").startswith("d"):
        raise ExpressionError(f"`{match[0]}`: a formula can't roll dice", at + 1)
    if match["tail"]:
        raise ExpressionError(f"`{match[0]}` is not a whole number", at + 1)
    if len(digits) > 1 and digits[0] == "0":
        raise ExpressionError(f"`{digits}` begins with 0: write {digits.lstrip('0') or 0}", at + 1)
    if len(digits) > len(str(LARGEST_NUMBER)):
        raise ExpressionError(f"a number can be at most {LARGEST_NUMBER}", at + 1)


_BINARY: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}
_UNARY: dict[type[ast.unaryop], str] = {ast.Not: "not", ast.USub: "minus", ast.UAdd: "plus"}
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
}


class _Translation:
    """Turns the parser's nodes into ours, and counts them."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._start = start
        self._count = 0

    def translate(self, node: ast.expr) -> Node:
        """Return our node. Raises `ExpressionError` for one that no expression has."""
        start, end = self._start + node.col_offset, self._start + (node.end_col_offset or 0)
        self._count += 1
        if self._count > MOST_NODES:
            raise ExpressionError(f"a formula can have at most {MOST_NODES} values and operators", start + 1)
        match node:
            case ast.Constant(value=int()) if self._text[start].isdigit():
                return Constant(start, end, int(self._text[start:end]))
            case ast.Constant(value=str()) if _TEXT.fullmatch(self._text, start, end):
                return Constant(start, end, self._text[start + 1 : end - 1])
            case ast.Name() | ast.Attribute():
                return self._path(node, start, end)
            case ast.BinOp() if type(node.op) in _BINARY:
                return self._sum(node, start, end)
            case ast.UnaryOp() if type(node.op) in _UNARY:
                return Operation(start, end, _UNARY[type(node.op)], (self.translate(node.operand),))
            case ast.BoolOp():
                name = "and" if isinstance(node.op, ast.And) else "or"
                return self._chain(name, [self.translate(value) for value in node.values])
            case ast.Compare() if all(type(op) in _COMPARED for op in node.ops):
                return self._comparison(node)
            case ast.IfExp():
                parts = (node.test, node.body, node.orelse)
                return Operation(start, end, "if", tuple(self.translate(part) for part in parts))
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in FUNCTIONS:
                if not node.args:
                    raise ExpressionError(f"`{name}` needs at least one value in its brackets", start + 1)
                return Operation(start, end, name, tuple(self.translate(part) for part in node.args))
        raise ExpressionError(self._refusal(node, start, end), start + 1)

    def _path(self, node: ast.Name | ast.Attribute, start: int, end: int) -> Node:
        """Return a path, or the flag that is written like one. Names are taken from the text itself."""
        names, inner, at = list[str](), node, end
        while isinstance(inner, ast.Attribute):
            names.append(self._text[at - len(inner.attr) : at])
            if not isinstance(inner.value, ast.Name | ast.Attribute):
                raise ExpressionError(
                    "a path is a series of names with dots between them, such as ship.hull", start + 1
                )
            inner = inner.value
            at = self._start + (inner.end_col_offset or 0)
        names.append(self._text[at - len(inner.id) : at])
        if len(names) == 1 and names[0].lower() in ("true", "false"):
            return Constant(start, end, names[0].lower() == "true")
        return ValuePath(start, end, tuple(reversed(names)))

    def _sum(self, node: ast.BinOp, start: int, end: int) -> Node:
        left, right = self.translate(node.left), self.translate(node.right)
        name = _BINARY[type(node.op)]
        if name == "//" and not (isinstance(right, Constant) and type(right.value) is int and right.value):
            raise ExpressionError(
                "you can divide only by a plain number of 1 or more, as in `nerve // 2`", right.start + 1
            )
        return Operation(start, end, name, (left, right))

    def _chain(self, name: str, operands: list[Node]) -> Node:
        """Return `a and b and c` as two operations of two."""
        whole = operands[0]
        for operand in operands[1:]:
            self._count += 1
            whole = Operation(whole.start, operand.end, name, (whole, operand))
        return whole

    def _comparison(self, node: ast.Compare) -> Node:
        """Return a comparison; `a < b < c` as `a < b and b < c`."""
        values = [self.translate(part) for part in (node.left, *node.comparators)]
        pairs = zip(values[:-1], values[1:], node.ops, strict=True)
        return self._chain(
            "and", [Operation(one.start, other.end, _COMPARED[type(op)], (one, other)) for one, other, op in pairs]
        )

    def _refusal(self, node: ast.expr, start: int, end: int) -> str:
        shown = self._text[start:end] if end - start <= 20 else f"{self._text[start : start + 20]}…"
        if isinstance(node, ast.Call):
            return f"`{shown}` can't be used here. The functions are {', '.join(FUNCTIONS)}"
        if isinstance(node, ast.Tuple):
            functions = ", ".join(FUNCTIONS)
            return f"`{shown}`: a comma can only separate values inside {functions}. To allow any of several values, write `or`"
        return f"`{shown}` is not part of a formula"
