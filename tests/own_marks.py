"""Breaks the rules of the games at random, and asks only the tests of the broken clause: `make mutants ARGS="--own-marks 400"`.

A mutant is one small change of a function in `rules/systems` or `rules/common` that names a clause. It is noticed if a test fails
whose own `clause` mark names one of the clauses that the function names. What a test says with the `clauses` fixture doesn't count.

The tests are collected once. Each mutant has a process of its own, forked from there, in which the code of the function is replaced.
"""

from __future__ import annotations

import ast
import copy
import inspect
import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
TUI = ROOT / "tui"
FOLDERS = ("waylog/rules/systems", "waylog/rules/common")
CLAUSE = re.compile(r"\b[A-Z]{2}-\d\d\b")
SURVIVED, KILLED, LATE, UNMARKED, BROKEN = range(5)
WORDS = (
    "survived",
    "killed",
    "killed: it did not come back",
    "survived: no test has these marks",
    "could not be tried",
)
UNSEEN = {"strict", "default"}
"""Arguments of calls in which a change shows only where the program is wrong already, or where there is nothing."""
LONGEST = 60
"""Seconds of work that a mutant may take beyond three times those of its tests."""

SWAPS: Mapping[type[ast.AST], type[ast.AST]] = {
    one: other
    for pair in (
        (ast.Eq, ast.NotEq),
        (ast.Lt, ast.LtE),
        (ast.Gt, ast.GtE),
        (ast.Is, ast.IsNot),
        (ast.In, ast.NotIn),
        (ast.And, ast.Or),
        (ast.Add, ast.Sub),
        (ast.Mult, ast.FloorDiv),
    )
    for one, other in (pair, pair[::-1])
}


@dataclass(frozen=True)
class Mutant:
    """One change: the function that has it, and where it is among the nodes of that function."""

    file: str
    function: str
    clauses: frozenset[str]
    node: int
    way: int

    def __str__(self) -> str:
        """The place, and the line before and after."""
        _, function = self._parse()
        node = list(ast.walk(function))[self.node]
        changed = next(found for name, found in functions(self.change()) if name == self.function)
        before, after = ast.unparse(function).splitlines(), ast.unparse(changed).splitlines()
        (removed, added) = (
            next(iter([line for line in one if line not in other]), "")
            for one, other in ((before, after), (after, before))
        )
        place = f"{self.file}:{getattr(node, 'lineno', '?')} {self.function}"
        return (
            f"{' '.join(sorted(self.clauses))} | {place} | {removed.strip()} → {added.strip() or '(moved or removed)'}"
        )

    def _parse(self) -> tuple[ast.Module, ast.FunctionDef]:
        tree = ast.parse((TUI / self.file).read_text(encoding="utf-8"))
        return tree, next(found for name, found in functions(tree) if name == self.function)

    def change(self) -> ast.Module:
        """The module with the change in it."""
        tree, function = self._parse()
        node = list(ast.walk(function))[self.node]
        new = changes(node)[self.way]
        Replace(node, new).visit(tree)
        return ast.fix_missing_locations(tree)

    def install(self) -> None:
        """Put the changed code in the place of that which is loaded, and forget what was counted with it."""
        module = import_module(self.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
        code = find_code(compile(self.change(), str(TUI / self.file), "exec"), self.function)
        found: Any = module
        for part in self.function.split("."):
            found = inspect.getattr_static(found, part)
        plain_function(found).__code__ = code
        for name, loaded in list(sys.modules.items()):
            if name.startswith(("waylog.", "tests.")):
                for value in list(vars(loaded).values()):
                    if callable(getattr(value, "cache_clear", None)):
                        value.cache_clear()


class Replace(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        """The new node for the old one, and all others as they are."""
        return ast.copy_location(self.new, node) if node is self.old else self.generic_visit(node)


def changes(node: ast.AST) -> list[ast.AST]:
    """What may stand in the place of a node of a function."""
    match node:
        case ast.Compare(ops=ops):
            found: list[ast.AST] = []
            for at, op in enumerate(ops):
                new = copy.copy(node)
                new.ops = [*ops[:at], SWAPS[type(op)](), *ops[at + 1 :]]  # type: ignore[list-item]
                found.append(new)
            return found
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign() if type(node.op) in SWAPS:
            swapped = copy.copy(node)
            swapped.op = SWAPS[type(node.op)]()  # type: ignore[assignment]
            return [swapped, ast.Pass()] if isinstance(node, ast.AugAssign) else [swapped]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.Constant(value=bool(value)):
            return [ast.Constant(not value)]
        case ast.Constant(value=int(value)):
            return [ast.Constant(value + 1), ast.Constant(value - 1)]
        case ast.Assign() if not isinstance(node.value, ast.Constant):
            nothing = copy.copy(node)
            nothing.value = ast.Constant(None)
            return [nothing]
        case ast.If(orelse=[]) | ast.Raise() | ast.Continue() | ast.Break():
            return [ast.Pass()]
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))) | ast.Expr(value=ast.Constant()):
            return []
        case ast.Expr():
            return [ast.Pass()]
        case _:
            return []


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module and the methods of its classes, with their names."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{one.name}", one) for one in node.body if isinstance(one, ast.FunctionDef))


def find_mutants() -> list[Mutant]:
    """Every change of every function that names a clause. Wording, types, defaults and decorators stay as they are."""
    found = []
    for path in sorted(
        path for folder in FOLDERS for path in (TUI / folder).rglob("*.py") if path.name != "clauses.py"
    ):
        text = path.read_text(encoding="utf-8")
        for name, function in functions(ast.parse(text)):
            clauses = frozenset(CLAUSE.findall(ast.get_source_segment(text, function) or ""))
            if clauses:
                only = {id(index) for index in only_words(function)}
                inside = {id(node) for statement in function.body for node in changeable(statement)}
                for at, node in enumerate(ast.walk(function)):
                    ways = changes(node) if id(node) in inside else []
                    file = path.relative_to(TUI).as_posix()
                    known = ways[:1] if id(node) in only else ways
                    found += [Mutant(file, name, clauses, at, way) for way in range(len(known))]
    return found


def only_words(function: ast.FunctionDef) -> list[ast.expr]:
    """The 0 of each `move.words[0]`, in a function that asks for no other word: there, the last word is the first."""
    asked = [node for node in ast.walk(function) if isinstance(node, ast.Attribute) and node.attr == "words"]
    first = [
        node.slice
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript) and node.value in asked and ast.unparse(node.slice) == "0"
    ]
    return first if len(first) == len(asked) else []


def changeable(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes in which a change is one of the rules. `tests/mutation.md` says why some are left out."""
    if isinstance(node, ast.Assert) or (isinstance(node, ast.keyword) and node.arg in UNSEEN):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "format_spec", "decorator_list", "conversion"} or isinstance(
            value, ast.arguments
        ):
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST):
                yield from changeable(one)


def find_code(code: CodeType, name: str) -> CodeType:
    """The code of a function of a module, or of a method of one of its classes."""
    for part in name.split("."):
        code = next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == part)
    return code


def plain_function(found: Any) -> FunctionType:
    """The function as it is written, under whatever decorates it."""
    match found:
        case property(fget=inner):
            return plain_function(inner)
        case staticmethod() | classmethod():
            return plain_function(found.__func__)
        case cached_property():
            return plain_function(found.func)
        case _:
            plain: FunctionType = inspect.unwrap(found)
            return plain


class Runner:
    """A plugin that tries mutants instead of running the tests that were collected."""

    def __init__(self, mutants: Sequence[Mutant], children: int) -> None:
        self.mutants, self.children = mutants, children
        self.results: dict[Mutant, int] = {}
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Time the tests as they are, in a process of their own; then fork one for each mutant."""
        marks = {
            item: frozenset(c for mark in item.iter_markers("clause") for c in mark.args) for item in session.items
        }
        wanted = frozenset[str]().union(*(mutant.clauses for mutant in self.mutants))
        self._time([item for item in session.items if marks[item] & wanted])
        running: dict[int, Mutant] = {}
        for mutant in self.mutants:
            items = [item for item in session.items if marks[item] & mutant.clauses and item.nodeid in self.seconds]
            if not items:
                self.results[mutant] = UNMARKED
                continue
            if len(running) == self.children:
                self._wait(running)
            if child := os.fork():
                running[child] = mutant
                continue
            code = BROKEN
            try:
                code = self._try(mutant, sorted(items, key=lambda item: self.seconds[item.nodeid]))
            finally:
                os._exit(code)
        while running:
            self._wait(running)
        return True

    def _time(self, items: Sequence[pytest.Item]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            note = Path(folder, "seconds")
            if child := os.fork():
                os.waitpid(child, 0)
                for line in note.read_text(encoding="utf-8").splitlines():
                    seconds, _, nodeid = line.partition(" ")
                    self.seconds[nodeid] = float(seconds)
                return
            with note.open("w", encoding="utf-8") as out:
                for item in items:
                    began = time.process_time()
                    if run(item):
                        out.write(f"{time.process_time() - began} {item.nodeid}\n")
                    else:
                        print(f"fails without a change, left out: {item.nodeid}", file=sys.__stderr__, flush=True)
            os._exit(0)

    def _try(self, mutant: Mutant, items: Sequence[pytest.Item]) -> int:
        most = int(time.process_time() + 3 * sum(self.seconds[item.nodeid] for item in items)) + LONGEST
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        mutant.install()
        return SURVIVED if all(run(item) for item in items) else KILLED

    def _wait(self, running: dict[int, Mutant]) -> None:
        child, status = os.wait()
        mutant = running.pop(child)
        self.results[mutant] = LATE if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)
        if self.results[mutant] not in (KILLED, LATE):
            print(f"{WORDS[self.results[mutant]]}: {mutant}", file=sys.__stderr__, flush=True)


def run(item: pytest.Item) -> bool:
    """One test, with what it needs and nothing that it leaves. True if it passes or is skipped."""
    from _pytest.runner import runtestprotocol

    return not any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))


def try_mutants(size: int, seed: int, children: int) -> int:
    """Draw so many mutants, try them, and print the score and the survivors."""
    found = find_mutants()
    chosen = Random(seed).sample(found, min(size, len(found)))
    runner = Runner(chosen, children)
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-qqq", "--only-marked", "--capture=sys"]
    pytest.main([*options, str(ROOT / "tests" / "rules")], plugins=[runner])
    results = [runner.results[mutant] for mutant in chosen]
    killed = sum(result in (KILLED, LATE) for result in results)
    for number, word in enumerate(WORDS):
        print(f"{word}: {results.count(number)}")
    print(f"{len(found)} mutants, seed {seed}: {killed} of {len(chosen)} killed, {100 * killed / len(chosen):.1f} %")
    return 0
