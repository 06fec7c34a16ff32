"""Sentences carry no codes, and each code that stands as data opens its rule.

A clause is named by its id in refusals, facts, odds and faults, beside their text. What the games say in play is held to that by
`tests/rules/promises.py`, in every test of the rules. Here it is the source, and what is printed of the examples.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.source import nodes_of, parse_product
from waylog.rules.file_game.clauses import CLAUSES
from waylog.rules.game import Game
from waylog.rules.systems import names, system

FILES = ("lot-nine", "return-to-sender", "station-ten")
"""Those whose game is a file."""
EXAMPLES = ("tenacity", "first-light", "half-measure", "sunday-ferry", "slack-water", "soft-answer", *FILES)
CODE = re.compile(r"\b(BY|CF|EG|GF|LP|NM|RF|UI|VC|VK|VN)-[0-9]{2}\b")
SAMPLES = {"store/file/template_and_conversion.py"}
"""Modules with a sample of a file, in which a code is a key."""


def _codes() -> frozenset[str]:
    """The id of every clause of every game, and of those that every game in a file has."""
    return frozenset(id_ for name in names() for id_ in Game(system(name)).clauses) | {*CLAUSES}


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every text of a module with its line, docstrings aside."""
    alone = {id(node.value) for node in nodes_of(tree) if isinstance(node, ast.Expr)}
    for node in nodes_of(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def test_a_code_in_the_source_is_the_id_of_a_clause_and_stands_alone() -> None:
    """So no sentence has one in it, and whatever names a clause names one that can be looked up."""
    codes = _codes()
    for path, tree in parse_product().items():
        name = path.as_posix()
        for line, text in _texts(tree) if name not in SAMPLES else ():
            found = {match[0] for match in CODE.finditer(text)}
            assert found <= codes, (name, line, text)
            assert not found or set(text.split()) == found, (name, line, text)


@pytest.mark.parametrize("example", EXAMPLES)
def test_nothing_that_is_printed_of_an_example_has_a_code_in_it(example: str, tmp_path: Path) -> None:
    """Log, moves, state, check, and the recap with everything hidden in it; every code in `--json` is one of the game's."""
    waylog_ = CommandLine(tmp_path)
    codes = {
        rule["id"] for chapter in waylog_.done("rule", example, "--json").data["chapters"] for rule in chapter["rules"]
    }
    commands = (["show"], ["log", "-n", "0"], ["moves"], ["check"], ["recap", "--secrets"])
    for command, *options in commands:
        out = waylog_.done(command, example, *options).out
        assert not CODE.search(out), [line for line in out.splitlines() if CODE.search(line)]
        data = json.dumps(waylog_.done(command, example, *options, "--json").data)
        assert {match[0] for match in CODE.finditer(data)} <= codes


@pytest.mark.parametrize("name", names())
def test_each_code_opens_its_rule(name: str, tmp_path: Path) -> None:
    """`waylog rule CODE` shows that rule, and the rules it leads to can be opened from it."""
    waylog_ = CommandLine(tmp_path)
    rules = Game(system(name))
    book = rules.reference(rules.fresh(""))
    for id_ in book.clauses:
        assert book.find(id_.lower()) == id_
        assert book.search(id_)[0] == id_
        assert set(book.see_also(id_)) <= set(book.clauses)
    last = [*book.clauses][-1]
    assert waylog_.done("rule", "--system", name, last).out.startswith(f"{book.clauses[last].title}  {last}\n")
