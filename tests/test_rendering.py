"""Rendering only reads: what a function that renders finds out is in the value that it returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import waylog

PACKAGE = Path(waylog.__file__).parent
CHANGING = frozenset(
    {
        "add",
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "setdefault",
        "sort",
        "update",
    }
)
"""Methods that change what they are called on."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def rendering_functions() -> Iterator[tuple[str, Function]]:
    """Every function whose name begins with `render`, and every one that is given a `Palette`. `prepare` and its parts may keep
    things.
    """
    for path in sorted((PACKAGE / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, Function) and not _prepares(node) and _renders(node):
                yield f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}", node


def _prepares(function: Function) -> bool:
    return function.name.lstrip("_").startswith("prepare")


def _renders(function: Function) -> bool:
    given = {getattr(argument.annotation, "id", "") for argument in (*function.args.args, *function.args.kwonlyargs)}
    return function.name.lstrip("_").startswith("render") or "Palette" in given


def _changes(function: Function) -> Iterator[int]:
    """The lines in which the function assigns an attribute, or changes something that it reached through `self`."""
    for node in ast.walk(function):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield node.lineno
            case ast.Subscript(ctx=ast.Store() | ast.Del()) if _of_self(node):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Attribute() as changed)) if name in CHANGING:
                if _of_self(changed):
                    yield node.lineno
            case ast.Call(func=ast.Name(id="setattr")):
                yield node.lineno
            case _:
                pass


def _of_self(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name) and node.id == "self"


def test_rendering_changes_nothing() -> None:
    """No attribute is assigned and nothing of a widget is changed where lines are made."""
    found = list(rendering_functions())
    assert {name for where, _ in found for name in [where.split()[-1]]} >= {
        "render_page",
        "render_item",
        "render_input",
    }
    assert [f"{where}, line {line}" for where, function in found for line in _changes(function)] == []


def test_only_what_prepares_calls_what_prepares() -> None:
    """So nothing is kept while lines are made."""
    for where, function in rendering_functions():
        called = {node.attr.lstrip("_") for node in ast.walk(function) if isinstance(node, ast.Attribute)}
        assert not {name for name in called if name.startswith("prepare")}, where


def test_a_change_while_rendering_would_be_found() -> None:
    """Each way to change a widget that the check is there for."""
    for change in ("self.top = 1", "self.top += 1", "self.rows[1] = 2", "self.rows.append(1)", "del self.top"):
        tree = ast.parse(f"def render_page(self, ink):\n    {change}")
        assert list(_changes(next(node for node in ast.walk(tree) if isinstance(node, Function)))) == [2], change
