"""Rendering only reads: what a function that renders finds out is in the value that it returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.kit.source import nodes_of, parse_product

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
KEEPING = {
    ("LineView", "_take_page"): "keeps the page that it shows",
    ("LineView", "_paint_all"): "forgets the lines that it has kept",
    ("LineView", "_strip"): "keeps each line as it was drawn",
    ("LineCompositor", "_take_changed"): "takes what is to be written from a queue",
    ("LineCompositor", "_forget_blanks"): "forgets what the terminal shows",
    ("LineCompositor", "unsent_cells"): "keeps which blanks the terminal shows, so that they are sent once",
    ("PanelLayout", "_whole"): "keeps each line as it was drawn",
    ("TablesView", "_keep_count"): "keeps how many lines were drawn, until the next act",
    ("ClocksView", "_keep_count"): "keeps how many lines were drawn, until the clocks change",
}
"""They keep what they have drawn, so that it is drawn once. Nothing else may."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _screens() -> Iterator[tuple[Path, ast.Module]]:
    return ((path, tree) for path, tree in parse_product().items() if path.parts[0] == "ui")


def rendering_functions() -> Iterator[tuple[str, Function]]:
    """Every function whose name begins with `render`, and every one that is given a `Palette`. `prepare` and its parts may keep
    things.
    """
    for path, tree in _screens():
        for node in nodes_of(tree):
            if isinstance(node, Function) and not _prepares(node) and _renders(node):
                yield f"{path}:{node.lineno} {node.name}", node


def reached_methods() -> Iterator[tuple[str, str, Function]]:
    """Every method and property that a rendering method of its class uses, itself included, with its class and its place."""
    for path, tree in _screens():
        for node in nodes_of(tree):
            if isinstance(node, ast.ClassDef):
                for function in reached_in(node):
                    yield node.name, f"{path}:{function.lineno} {function.name}", function


def reached_in(node: ast.ClassDef) -> Iterator[Function]:
    """The methods and properties of a class that are reached through `self` from those that render."""
    methods = {item.name: item for item in node.body if isinstance(item, Function)}
    waiting = [name for name, function in methods.items() if _renders(function) and not _prepares(function)]
    done = set[str]()
    while waiting:
        name = waiting.pop()
        if name in done or name not in methods or _prepares(methods[name]):
            continue
        done.add(name)
        yield methods[name]
        waiting += [used.attr for used in ast.walk(methods[name]) if isinstance(used, ast.Attribute) and _of_self(used)]


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


def test_what_rendering_uses_changes_nothing() -> None:
    """No method or property that rendering uses changes anything, but for the few places that keep what is drawn."""
    found = list(reached_methods())
    changing = {(owner, function.name): where for owner, where, function in found if [*_changes(function)]}
    assert [where for key, where in changing.items() if key not in KEEPING] == []
    assert {*KEEPING} <= {*changing}, "what no longer keeps anything needs no exception"


def test_a_change_behind_a_render_method_would_be_found() -> None:
    """In a method that it calls, and in a property."""
    source = """
class View:
    def render_page(self, ink):
        return self._lines(), self.width

    def _lines(self):
        return self._count()

    def _count(self):
        self.top = 1

    @property
    def width(self):
        self.seen = 1

    def on_click(self):
        self.cursor = 1
"""
    (view,) = ast.parse(source).body
    assert isinstance(view, ast.ClassDef)
    assert {function.name for function in reached_in(view) if [*_changes(function)]} == {"_count", "width"}


def test_only_what_prepares_calls_what_prepares() -> None:
    """Drawing calls nothing that prepares, so nothing is kept while lines are made."""
    for where, function in rendering_functions():
        called = {node.attr.lstrip("_") for node in ast.walk(function) if isinstance(node, ast.Attribute)}
        assert not {name for name in called if name.startswith("prepare")}, where


def test_a_change_while_rendering_would_be_found() -> None:
    """Each way to change a widget that the check is there for."""
    for change in ("self.top = 1", "self.top += 1", "self.rows[1] = 2", "self.rows.append(1)", "del self.top"):
        tree = ast.parse(f"def render_page(self, ink):\n    {change}")
        assert list(_changes(next(node for node in ast.walk(tree) if isinstance(node, Function)))) == [2], change
