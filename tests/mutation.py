"""Breaks the rules of the games on purpose and counts how many breaks the tests notice: `make mutants`.

A clause is proven only if breaking its rule fails a test that carries a clause's mark, so no other tests are run. mutmut makes
the mutants, one small change to a function each, and runs the marked tests in `tests/rules` that reach the changed function.
All of them take hours; a sample gives the same score within a few per cent.

    make mutants                             # every mutant of every game
    make mutants ARGS="--sample 200"         # 200 of them, the same ones for the same --seed
    make mutants ARGS="--game veil_core"     # those of one game
    make mutants ARGS="--own-marks 400"      # 400 others, and for each only the tests of the broken clause (`own_marks.py`): 5 minutes

A mutant of wording is not counted: one that changes nothing but the inside of a string that people read. A string of small
letters without a blank may be a key or a word of a command, and a clause's id says which rule it is, so both are counted.

The work lies in `.mutants/`, so that a second run goes on where the first one stopped. `survivors.md` there lists the survivors.
The last score that was recorded stands in `tests/mutation.md`.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import unified_diff
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

from tests import own_marks

_ROOT = Path(__file__).resolve().parent.parent
_WORK = _ROOT / ".mutants"
_COPIED = ("tests", "campaigns", "themes", "README.md", "docs", "CHANGELOG.md", "Makefile")
# mutmut names mutants after their modules only where the sources lie in a folder called src.
_SOURCES = ("tui", "src")
_SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = ["src/waylog/rules/systems/*"]
do_not_mutate = ["*/clauses.py"]
also_copy = ["campaigns", "themes", "README.md", "docs", "CHANGELOG.md", "Makefile"]
pytest_add_cli_args = ["--only-marked", "-p", "no:cacheprovider", "-p", "no:xdist"]
pytest_add_cli_args_test_selection = ["tests/rules"]
"""
_SURVIVED, _UNREACHED = 0, -1
"""The result of a mutant that every test passed, and of one that no test reaches; any other was noticed."""
_MISUSED = int(pytest.ExitCode.USAGE_ERROR)
"""That of a test that can't be found: it says nothing about the mutant."""
_TRIED = "tried:"
"""What a line begins with that tells a result."""
_PATIENCE = 3
"""A mutant that takes so many times as long as its tests did, and a minute, doesn't come back."""
_TEXT = re.compile(r"(?![A-Z]{2}-\d\d$).*[^a-z0-9_.:/-]", re.DOTALL)
"""What people read: anything with a blank, a capital or a sign in it, but for the id of a clause."""


def main(arguments: Sequence[str]) -> int:
    """Run the mutants that were asked for, and print the score."""
    options = _parse(arguments)
    if options.own_marks:
        return own_marks.try_mutants(options.own_marks, options.seed, options.children)
    _copy_checkout()
    _make_mutants(options.children)
    names = [name for name in _list_mutants() if f".systems.{options.game}" in name]
    chosen, wording = _draw(names, options.sample or len(names), options.seed)
    print(f"{len(names)} mutants; {len(chosen)} drawn, {wording} of wording passed over", flush=True)
    _run_tests(chosen, options.children)
    _report(chosen)
    return 0


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--game", default="", help="the folder of one game, as veil_core")
    parser.add_argument(
        "--sample", type=int, default=0, help="how many mutants, drawn by chance; all of them without it"
    )
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument(
        "--own-marks",
        type=int,
        default=0,
        metavar="COUNT",
        help="so many, noticed only by the tests of their own clause",
    )
    parser.add_argument("--children", type=int, default=os.cpu_count() or 1, help="how many mutants at once")
    return parser.parse_args(arguments)


def _copy_checkout() -> None:
    """Bring the copy up to the checkout. What mutmut has found out about files that are the same stays."""
    _WORK.mkdir(exist_ok=True)
    for name in _COPIED:
        source = _ROOT / name
        if source.is_dir():
            shutil.rmtree(_WORK / name, ignore_errors=True)
            shutil.copytree(source, _WORK / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, _WORK / name)
    shutil.rmtree(_WORK / _SOURCES[1], ignore_errors=True)
    shutil.copytree(_ROOT / _SOURCES[0], _WORK / _SOURCES[1], ignore=shutil.ignore_patterns("__pycache__"))
    project = (_ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = project.replace('pythonpath = ["."]', 'pythonpath = [".", "src"]')
    (_WORK / "pyproject.toml").write_text(project + _SETTINGS, encoding="utf-8")
    conftest = _WORK / "tests" / "conftest.py"
    plugins = '"tests.clause_report", "tests.mutation"'
    conftest.write_text(
        conftest.read_text(encoding="utf-8").replace('"tests.clause_report"', plugins), encoding="utf-8"
    )


def _make_mutants(children: int) -> None:
    """Let mutmut make the mutants of what has changed, and find out which tests reach which function."""
    # No mutant is called none, so mutmut goes no further: it would run all the tests again before it tries a mutant.
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(children), "none"]
    log = _WORK / "mutmut.log"
    with log.open("w", encoding="utf-8") as out:
        subprocess.run(command, cwd=_WORK, check=False, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    if "nothing matches" not in log.read_text(encoding="utf-8"):
        sys.exit(f"mutmut could not make the mutants: see {log}")


def pytest_runtest_setup() -> None:
    """While mutmut finds out which tests reach which function, let no test find what an earlier one left in a cache."""
    if os.environ.get("MUTANT_UNDER_TEST") == "stats":
        for name, module in list(sys.modules.items()):
            if name.startswith("waylog.rules.systems."):
                for value in vars(module).values():
                    if hasattr(value, "cache_clear"):
                        value.cache_clear()


# -- the mutants --------------------------------------------------------------------------------------------------


def _list_mutants() -> list[str]:
    found = []
    for path in (_WORK / "mutants" / "src").rglob("*.meta"):
        found += json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
    return sorted(found)


def _draw(names: Sequence[str], size: int, seed: int) -> tuple[list[str], int]:
    """Mutants by chance, and how many of wording were passed over on the way to so many."""
    chosen: list[str] = []
    wording = 0
    for name in Random(seed).sample(names, len(names)):
        if len(chosen) == size:
            break
        if _is_wording(*_read_functions(name)):
            wording += 1
        else:
            chosen.append(name)
    return sorted(chosen), wording


def _read_functions(name: str) -> tuple[str, str]:
    """A function as it is, and as the mutant of that name has it."""
    module, _, mutant = name.rpartition(".")
    lines, spans = _read_module(module)
    (first, last), (start, end) = spans[re.sub(r"_\d+$", "_orig", mutant)], spans[mutant]
    return dedent("".join(lines[first - 1 : last])), dedent("".join(lines[start - 1 : end]))


@cache
def _read_module(module: str) -> tuple[list[str], Mapping[str, tuple[int, int]]]:
    """The lines of a module with all its mutants, and from where to where each of them goes."""
    path = (_WORK / "mutants" / _SOURCES[1]).joinpath(*module.split(".")).with_suffix(".py")
    if not path.exists():
        path = path.with_suffix("") / "__init__.py"
    spans = json.loads(path.with_name(f"{path.name}.spans").read_text(encoding="utf-8"))["spans"]
    return path.read_text(encoding="utf-8").splitlines(keepends=True), spans


def _is_wording(function: str, mutant: str) -> bool:
    """Nothing differs but the inside of a string that people read."""
    before, after = (list(ast.walk(ast.parse(text))) for text in (function, mutant))
    if len(before) != len(after):
        return False
    changed = False
    for one, other in zip(before, after, strict=True):
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.Constant) and isinstance(other, ast.Constant) and one.value != other.value:
            if not (isinstance(one.value, str) and isinstance(other.value, str) and _TEXT.match(one.value)):
                return False
            changed = True
    return changed


# -- the tests ----------------------------------------------------------------------------------------------------


def _load_results() -> dict[str, int]:
    """The result of each mutant that has been tried and whose function is still the same."""
    path = _WORK / "results.json"
    noted = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known = set(_list_mutants())
    return {name: code for name, (code, mark) in noted.items() if name in known and mark == _mark(name)}


def _mark(name: str) -> str:
    """Tells a mutant from another that had its name before the function was changed."""
    return sha256("".join(_read_functions(name)).encode()).hexdigest()[:16]


def _run_tests(names: Sequence[str], children: int) -> None:
    """Try the mutants that no test has noticed so far, in a process that has them in place of the modules."""
    results = _load_results()
    left = [name for name in names if results.get(name, _SURVIVED) in (_SURVIVED, _UNREACHED)]
    folder = _WORK / "mutants"
    places = os.pathsep.join((str(folder / _SOURCES[1]), str(folder)))
    command = [sys.executable, "-c", f"from tests.mutation import try_mutants; try_mutants({children})"]
    log = _WORK / "tried.log"
    try:
        with log.open("w", encoding="utf-8") as tried:
            subprocess.run(
                command,
                cwd=folder,
                env={**os.environ, "MUTANT_UNDER_TEST": "", "PYTHONPATH": places},
                input=json.dumps(left),
                text=True,
                stdout=tried,
                check=False,
            )
    finally:  # A run that is interrupted keeps what it has found out.
        for line in log.read_text(encoding="utf-8").splitlines():
            if line.startswith(_TRIED):
                name, code = line.split()[1:]
                results[name] = int(code)
        noted = {name: (code, _mark(name)) for name, code in results.items()}
        (_WORK / "results.json").write_text(json.dumps(noted, indent=1), encoding="utf-8")


def try_mutants(children: int) -> None:
    """Read names of mutants, and print the result of each. Every one has a process of its own, forked when all is imported."""
    statistics = json.loads(Path("mutmut-stats.json").read_text(encoding="utf-8"))
    durations: Mapping[str, float] = statistics["duration_by_test"]
    reached: Mapping[str, Sequence[str]] = statistics["tests_by_mangled_function_name"]
    options = ["--rootdir=.", "--only-marked", "-p", "no:cacheprovider", "-p", "no:xdist", "-q"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # This module is a plugin of its own runs.
    pytest.main([*options, "--collect-only", "-qqq", "tests/rules"])
    running: dict[int, str] = {}
    for name in json.load(sys.stdin):
        tests = sorted(reached.get(re.sub(r"__mutmut_\d+$", "", name), ()), key=lambda test: durations[test])
        if not tests:
            print(_TRIED, name, _UNREACHED, flush=True)
            continue
        if len(running) == children:
            _print_result(running)
        if child := os.fork():
            running[child] = name
            continue
        os.environ["MUTANT_UNDER_TEST"] = name
        seconds = int(time.process_time() + _PATIENCE * sum(durations[test] for test in tests)) + 60
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os._exit(pytest.main([*options, "-x", *tests]))
    while running:
        _print_result(running)


def _print_result(running: dict[int, str]) -> None:
    child, status = os.wait()
    print(_TRIED, running.pop(child), os.waitstatus_to_exitcode(status), flush=True)


# -- the score ----------------------------------------------------------------------------------------------------


def _report(names: Sequence[str]) -> None:
    """Print the score by game, and write the survivors down."""
    results = _load_results()
    if failed := [name for name in names if results.get(name, _MISUSED) == _MISUSED]:
        sys.exit(f"{len(failed)} mutants could not be tried, as {failed[0]}: see {_WORK / 'tried.log'}")
    survivors = [name for name in names if results[name] in (_SURVIVED, _UNREACHED)]
    by_game, survived = Counter(map(_game_of, names)), Counter(map(_game_of, survivors))
    for game, count in (*sorted(by_game.items()), ("all", len(names))):
        killed = count - (survived[game] if game in by_game else len(survivors))
        print(f"{game:18} {killed:5} of {count:5} killed  {100 * killed / max(1, count):5.1f} %")
    lines = [f"# {len(survivors)} mutants that the marked tests did not notice", ""]
    for name in survivors:
        function, mutant = (text.splitlines() for text in _read_functions(name))
        shown = list(unified_diff(function[1:], mutant[1:], n=3, lineterm=""))[2:]
        reached = "" if results[name] == _SURVIVED else " (no marked test reaches it)"
        lines += [f"## {name}{reached}", "", "```diff", *shown, "```", ""]
    (_WORK / "survivors.md").write_text("\n".join(lines), encoding="utf-8")
    print(f"survivors: {(_WORK / 'survivors.md').relative_to(_ROOT)}")


def _game_of(name: str) -> str:
    found = re.search(r"\.systems\.([a-z_0-9]+)\.", name)
    return found[1] if found else "shared"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
