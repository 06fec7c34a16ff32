"""Names, checked over the syntax tree: functions are verbs or nouns, a class name means one thing, and `toml/` stands alone."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import waylog

PACKAGE = Path(waylog.__file__).parent
GAMES = ("rules", "systems")

_IRREGULAR = """
    been begun bent bound bought broken brought built burnt caught chosen dealt done drawn driven fallen fed felt forgotten found
    given gone got grown had heard held hidden hung kept known laid lain learnt led left lent lost made meant met paid proven
    risen said seen sent shaken shown sold spelt spent spoken stood struck stuck sunk swept taken taught thought thrown told torn
    understood undone won worn woven written
"""
VERBS_IN_ED = {
    "bleed",
    "breed",
    "embed",
    "exceed",
    "feed",
    "heed",
    "need",
    "proceed",
    "seed",
    "shed",
    "speed",
    "succeed",
    "weed",
}
_PLAIN_IN_ING = """
    bring cling fling sing sling spring swing bearing beginning binding building drawing ending heading meaning naming nothing opening padding rating reading rounding setting sibling
    spacing spelling standing string timing warning wiring wording writing
"""
LEADING = {"be", "just", "newly", "not", "now", "still", "then", "to", "would"}
_PARTICLES = """
    about again against all along also apart as at away back beside between by down far first for from further here in into it last
    now of off on once only out over so there through to together under up way with within without
"""
IRREGULAR = frozenset(_IRREGULAR.split())
PLAIN_IN_ING = frozenset(_PLAIN_IN_ING.split())
PARTICLES = frozenset(_PARTICLES.split())
VAGUE = {"held", "own", "said", "told"}


def is_participle(word: str) -> bool:
    """Return whether an English word is a past or present participle, rather than a verb's plain form or a noun."""
    if word.endswith("ed"):
        return len(word) > 3 and word not in VERBS_IN_ED
    if word.endswith("ing"):
        return len(word) > 4 and word not in PLAIN_IN_ING
    return word in IRREGULAR


def is_named_by_participle(name: str) -> bool:
    """Return whether nothing but a participle is left of a name without adverbs and particles, as in `told` or `taken_back`."""
    words = name.strip("_").lower().split("_")
    while len(words) > 1 and words[0] in LEADING:
        words.pop(0)
    while len(words) > 1 and (words[-1] in PARTICLES or words[-1] in LEADING):
        words.pop()
    return len(words) == 1 and is_participle(words[0])


@cache
def trees() -> tuple[tuple[Path, ast.Module], ...]:
    """Return each module of the product, with its path inside the package."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return tuple((path.relative_to(PACKAGE), ast.parse(path.read_text(encoding="utf-8"))) for path in paths)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("told", True),
        ("_shown", True),
        ("taken_back", True),
        ("would_be_taken", True),
        ("holding", True),
        ("resting_on", True),
        ("render_row", False),
        ("need", False),
        ("heading", False),
        ("typed_faces", False),
        ("is_hidden", False),
        ("run", False),
    ],
)
def test_a_participle_is_recognised(name: str, is_one: bool) -> None:
    """The check below tells `told` from `render_row`, and a participle before a noun from one that stands alone."""
    assert is_named_by_participle(name) is is_one


def test_no_function_is_named_by_a_participle() -> None:
    """A function is named by a verb (`render_row`) or by the value that it returns (`moves`)."""
    found = [
        f"{path}:{node.lineno}: {node.name}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_named_by_participle(node.name)
    ]
    assert found == []


def test_a_class_name_means_one_thing() -> None:
    """No two classes share a name, except counterparts in different games."""
    places = defaultdict(list)
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path)
    for name, paths in places.items():
        if len(paths) > 1:
            games = {path.parts[2] for path in paths if path.parts[:2] == GAMES}
            assert len(games) == len(paths), f"{name} is in {', '.join(map(str, paths))}"


def test_no_value_is_called_held_or_said() -> None:
    """A variable or parameter is named after what it holds. Fields are not looked at: they are keys of files and of `--json`."""
    found = []
    for path, tree in trees():
        fields = {
            line.target
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for line in node.body
            if isinstance(line, ast.AnnAssign)
        }
        for node in ast.walk(tree):
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
    for node in ast.walk(tree):
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
        ("from waylog.toml.plain import Span", []),
    ],
)
def test_a_foreign_import_is_found(line: str, foreign: list[str]) -> None:
    """However it is written."""
    assert list(find_foreign_imports(ast.parse(line))) == foreign


def test_the_toml_editor_stands_alone() -> None:
    """`toml/` could be a library of its own: it imports only itself, the standard library and `tomli`."""
    inside = [(path, tree) for path, tree in trees() if path.parts[0] == "toml"]
    assert inside
    assert [f"{path}: {module}" for path, tree in inside for module in find_foreign_imports(tree)] == []
