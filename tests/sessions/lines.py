"""A TOML file by its lines, apart from Waylog's own reading of it: what each is about, and which differ between versions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Any

Where = tuple[str, ...]
"""Keys from the top down."""
_STRING = r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
_COMMENT = re.compile(rf"{_STRING}|(#[^\r\n]*)", re.DOTALL)
_PART = r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|[\w-]+)"""
_KEY = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=\s*")
_FILE = re.compile(rb"^\+\+\+ (.*)\n((?:(?!diff --git ).*\n?)*)", re.MULTILINE)
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_COMMENTED, _BLANK = ("#",), ("",)
"""In place of keys: a line that is a comment alone, and one with nothing on it."""


@dataclass(frozen=True)
class Statement:
    """A key with its value, a header, a comment or a blank line: one or more whole lines."""

    where: Where
    text: str
    header: bool = False

    @property
    def around(self) -> tuple[str, str]:
        """All of it but the value: up to the equals sign and the blanks behind that, and from the remark's blanks on."""
        key = _KEY.match(self.text)
        assert key
        remarks = [match for match in _COMMENT.finditer(self.text) if match[1]]
        value = self.text[key.end() : remarks[-1].start() if remarks else len(self.text)].rstrip()
        return key[0], self.text[key.end() + len(value) :]


def comments(text: str) -> list[str]:
    """Every comment, wherever it stands."""
    return [match[1] for match in _COMMENT.finditer(text) if match[1]]


@lru_cache(4)
def statements(text: str) -> Sequence[Statement]:
    """The file, statement by statement. The versions on both sides of an act are asked for again and again."""
    return tuple(_statements(text.split("\n")))


def _statements(lines: list[str]) -> Iterator[Statement]:
    table: Where = ()
    seen: dict[Where, int] = {}
    while lines:
        chunk = lines.pop(0)
        bare = chunk.strip()
        if not bare or bare.startswith("#"):
            yield Statement(_COMMENTED if bare else _BLANK, chunk)
            continue
        if bare.startswith("["):
            table = _only_path(tomllib.loads(f"{chunk}\n"))
            seen[table] = seen.get(table, 0) + 1
            table = (*table, str(seen[table])) if bare.startswith("[[") else table
            yield Statement(table, chunk, header=True)
            continue
        while not _whole(chunk):
            chunk += "\n" + lines.pop(0)
        key = _KEY.match(chunk)
        assert key, chunk
        yield Statement((*table, *_only_path(tomllib.loads(f"{key[1]} = {{}}"))), chunk)


def _whole(chunk: str) -> bool:
    try:
        tomllib.loads(f"{chunk}\n")
    except tomllib.TOMLDecodeError:
        return False
    return True


def _only_path(tree: Mapping[str, Any]) -> Where:
    """The keys of a tree that has but one."""
    path: Where = ()
    while tree:
        ((key, below),) = tree.items()
        path, tree = (*path, key), below[0] if isinstance(below, list) else below
    return path


def by_line(text: str) -> list[Statement]:
    """For each line the statement that it belongs to."""
    return [statement for statement in statements(text) for _ in statement.text.split("\n")]


def values(text: str) -> dict[Where, str]:
    """Every value by its keys, in a spelling that tells 1 from true."""
    return dict(_values(tomllib.loads(text), ()))


def _values(tree: Any, where: Where) -> Iterator[tuple[Where, str]]:
    match tree:
        case dict() if tree:
            for key, below in tree.items():
                yield from _values(below, (*where, key))
        case [dict(), *_]:
            for number, below in enumerate(tree, 1):
                yield from _values(below, (*where, str(number)))
        case _:
            yield where, repr(tree)


Lines = tuple[set[int], set[int]]
"""The lines that went and the lines that came, each by its number from 0."""


def different_lines(before: Path, after: Path) -> Mapping[str, Lines]:
    """For each file of a folder how it differs from the one of that name in the other: as git has it, where there is git."""
    if shutil.which("git"):
        return _in_hunks(before, after)
    return {path.name: _matched(path, after / path.name) for path in before.iterdir()}


def _matched(before: Path, after: Path) -> Lines:
    old, new = (path.read_bytes().split(b"\n") for path in (before, after))
    gone, come = set[int](), set[int]()
    for tag, *places in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            gone.update(range(places[0], places[1]))
            come.update(range(places[2], places[3]))
    return gone, come


def _in_hunks(before: Path, after: Path) -> Mapping[str, Lines]:
    command = [
        "git",
        "diff",
        "--no-index",
        "--no-color",
        "--no-ext-diff",
        "--no-renames",
        "-U0",
        str(before),
        str(after),
    ]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    ran = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert ran.returncode in (0, 1), ran.stderr
    found: dict[str, Lines] = {path.name: (set(), set()) for path in before.iterdir()}
    for name, hunks in _FILE.findall(ran.stdout):
        gone, come = found[Path(name.decode()).name]
        for hunk in _HUNK.finditer(hunks):
            start, count, new_start, new_count = (1 if part is None else int(part) for part in hunk.groups())
            gone.update(range(start - 1, start - 1 + count))
            come.update(range(new_start - 1, new_start - 1 + new_count))
    return found


def assert_only_values_differ(before: Path, after: Path) -> None:
    """Of each file of a folder and the one of its name in the other only values differ."""
    for name, lines in different_lines(before, after).items():
        old, new = ((folder / name).read_bytes().decode() for folder in (before, after))
        _assert_only_values_differ(old, new, lines)


def _assert_only_values_differ(old: str, new: str, different: Lines) -> None:
    """Each line that differs holds a value that is another one, came or went; around a value nothing is different."""
    was, now = values(old), values(new)
    changed = {where for where in was.keys() | now.keys() if was.get(where) != now.get(where)}
    gone, come = different
    for numbers, text, other in ((gone, old, new), (come, new, old)):
        lines = by_line(text)
        there = {statement.where for statement in statements(other) if statement.header}
        touched = [lines[number] for number in sorted(numbers)]
        tables = any(statement.header for statement in touched)
        for statement in touched:
            if statement.where == _BLANK:
                assert tables, f"a blank line came or went alone: {sorted(numbers)}\n{other}"
                continue
            assert statement.where != _COMMENTED, statement
            assert not statement.header or statement.where not in there, statement
            assert any(where[: len(statement.where)] == statement.where for where in changed), statement
    kept = {statement.where: statement for statement in statements(new) if not statement.header}
    for statement in statements(old):
        if statement.where in changed and statement.where in kept:
            assert statement.around == kept[statement.where].around, statement
