"""Counts which clauses of the rules passing tests prove, and lets no full run pass while one is missing.

A test names what it proves with `@pytest.mark.clause("VK-14", …)`, or while it runs by calling the `clauses` fixture.
With `--all-clauses`, each clause listed in a module `clauses` under the ini option `clause_package` must be proved.
"""

import importlib
import importlib.util
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

Prove = Callable[..., None]
"""Takes clause ids, each of which the calling test then proves if it passes."""

PROPERTY = "clause"
"""The name under which an id travels in a report's user properties, from a worker to the one who counts."""

LISTED = pytest.StashKey[dict[str, str]]()
LEDGER = pytest.StashKey["Ledger"]()


class UnlistedClauseError(Exception):
    """A test names a clause that no list holds."""

    def __init__(self, ids: Iterable[str]) -> None:
        super().__init__(f"no such clause: {', '.join(ids)}; the lists are the modules called `clauses`")


class Ledger:
    """What has been proved so far: a test counts once it has run and been torn down without a failure."""

    def __init__(self, listed: Iterable[str]) -> None:
        self.listed = tuple(listed)
        self.proved: set[str] = set()
        self._passed: set[str] = set()

    @property
    def missing(self) -> list[str]:
        """The listed clauses that no passing test names, in the order of the lists."""
        return [clause for clause in self.listed if clause not in self.proved]

    def add(self, report: pytest.TestReport) -> None:
        """Take in one phase of one test; an expected failure proves nothing, even if it passes."""
        if not report.passed or hasattr(report, "wasxfail"):
            return
        if report.when == "call":
            self._passed.add(report.nodeid)
        elif report.when == "teardown" and report.nodeid in self._passed:
            self._passed.remove(report.nodeid)
            self.proved.update(str(value) for name, value in report.user_properties if name == PROPERTY)


def listed_clauses(package: str) -> dict[str, str]:
    """Every clause of every module called `clauses` under `package`; an id listed twice is refused."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise pytest.UsageError(f"clause_package: no package {package}")
    found: dict[str, str] = {}
    for folder in map(Path, spec.submodule_search_locations):
        for file in sorted(folder.rglob("clauses.py")):
            name = ".".join((package, *file.relative_to(folder).with_suffix("").parts))
            clauses = importlib.import_module(name).CLAUSES
            if twice := found.keys() & clauses.keys():
                raise pytest.UsageError(f"{name} lists again: {', '.join(sorted(twice))}")
            # A toy game of a test may have plain texts.
            found.update({id_: getattr(clause, "text", clause) for id_, clause in clauses.items()})
    return found


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option of a full run and the place of the lists."""
    parser.addoption("--all-clauses", action="store_true", help="fail unless passing tests prove every listed clause")
    parser.addoption("--only-marked", action="store_true", help="run only tests that prove a clause")
    parser.addini("clause_package", "the package under which modules called `clauses` list clauses", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark, and read the lists."""
    config.addinivalue_line("markers", "clause(*ids): the clauses of the rules that this test proves")
    package = str(config.getini("clause_package"))
    listed = listed_clauses(package) if package else {}
    config.stash[LISTED] = listed
    config.stash[LEDGER] = Ledger(listed)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--only-marked`, leave out tests that prove nothing."""
    if config.getoption("only_marked"):
        marked = [
            item
            for item in items
            if any(mark.args for mark in item.iter_markers("clause")) or "clauses" in getattr(item, "fixturenames", ())
        ]
        config.hook.pytest_deselected(items=[item for item in items if item not in marked])
        items[:] = marked


def _prove(item: pytest.Item, ids: tuple[str, ...]) -> None:
    if unlisted := [clause for clause in ids if clause not in item.config.stash[LISTED]]:
        raise UnlistedClauseError(unlisted)
    item.user_properties.extend((PROPERTY, clause) for clause in ids)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note what the test's marks name; an unlisted clause is an error of that test, even of a skipped one."""
    for mark in item.iter_markers("clause"):
        _prove(item, mark.args)


@pytest.fixture
def clauses(request: pytest.FixtureRequest) -> Prove:
    """A call with clause ids makes the running test prove them, if it passes."""
    item: pytest.Item = request.node
    return lambda *ids: _prove(item, ids)


class _Counter:
    """Hears every report of the run, those of other processes too."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._ledger.add(report)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Count where the reports come together."""
    session.config.pluginmanager.register(_Counter(session.config.stash[LEDGER]), "clause-counter")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A run that passed but for a missing clause has failed."""
    if _counts(session.config) and exitstatus == pytest.ExitCode.OK and session.config.stash[LEDGER].missing:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how many clauses are proved, and name those that are not."""
    if not _counts(config):
        return
    ledger = config.stash[LEDGER]
    missing = ledger.missing
    terminalreporter.ensure_newline()
    for clause in missing:
        terminalreporter.write_line(
            f"not proved by any passing test: {clause}  {config.stash[LISTED][clause]}", red=True
        )
    count = f"clauses proved / listed: {len(ledger.listed) - len(missing)} / {len(ledger.listed)}"
    terminalreporter.write_line(count, red=bool(missing), green=not missing)


def _counts(config: pytest.Config) -> bool:
    return bool(config.getoption("all_clauses")) and not hasattr(config, "workerinput")
