"""Names, checked over the syntax tree: a class name means one thing, no value is called `held`, and `toml/` stands alone."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.kit.source import nodes_of, parse_product

GAMES = ("rules", "systems")

VAGUE = {"held", "own", "said", "told"}


def test_a_class_name_means_one_thing() -> None:
    """No two classes share a name, except counterparts in different games."""
    places = defaultdict(list)
    for path, tree in parse_product().items():
        for node in nodes_of(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path)
    for name, paths in places.items():
        if len(paths) > 1:
            games = {path.parts[2] for path in paths if path.parts[:2] == GAMES}
            assert len(games) == len(paths), f"{name} is in {', '.join(map(str, paths))}"


def test_no_value_is_called_held_or_said() -> None:
    """A variable or parameter is named after what it holds. Fields are not looked at: they are keys of files and of `--json`."""
    found = []
    for path, tree in parse_product().items():
        fields = {
            line.target
            for node in nodes_of(tree)
            if isinstance(node, ast.ClassDef)
            for line in node.body
            if isinstance(line, ast.AnnAssign)
        }
        for node in nodes_of(tree):
            if (
                isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Store)
                and node.id in VAGUE
                and node not in fields
            ):
                found.append(f"{path}:{node.lineno}: {node.id}")
            elif isinstance(node, ast.arg) and node.arg in VAGUE:
                found.append(f"{path}:{node.lineno}: {node.arg}")
    assert found == []


def find_foreign_imports(tree: ast.Module) -> Iterator[str]:
    """Yield what a module of `toml/` imports from elsewhere than `toml/`, the standard library and `tomli`."""
    for node in nodes_of(tree):
        match node:
            case ast.Import(names=names):
                modules = [name.name for name in names]
            case ast.ImportFrom(module=module, level=level):
                modules = ["." * level + (module or "")]
            case _:
                continue
        for module in modules:
            is_ours = module == "waylog.toml" or module.startswith("waylog.toml.")
            if not is_ours and module.partition(".")[0] not in {*sys.stdlib_module_names, "tomli"}:
                yield module


@pytest.mark.parametrize(
    ("line", "foreign"),
    [
        ("from waylog.values import replace", ["waylog.values"]),
        ("import waylog.values", ["waylog.values"]),
        ("def f():\n    from ..values import replace", ["..values"]),
        ("import tomlkit", ["tomlkit"]),
        ("import re, tomli", []),
        ("from waylog.toml.values import Span", []),
    ],
)
def test_a_foreign_import_is_found(line: str, foreign: list[str]) -> None:
    """The search for imports finds them however they are written."""
    assert list(find_foreign_imports(ast.parse(line))) == foreign


def test_the_toml_editor_stands_alone() -> None:
    """`toml/` could be a library of its own: it imports only itself, the standard library and `tomli`."""
    inside = [(path, tree) for path, tree in parse_product().items() if path.parts[0] == "toml"]
    assert inside
    assert [f"{path}: {module}" for path, tree in inside for module in find_foreign_imports(tree)] == []
