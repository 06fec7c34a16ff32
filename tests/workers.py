"""Runs the tests in several processes. All begin as copies of one that has collected them, and take pieces of the list in turn.

With `--workers N`, or `--workers auto` for two more than there are cores. Collecting takes as long as a hundred tests, and each process
would do it anew if it didn't begin as a copy.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, groupby
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pytest

_PIECE = 40
"""The number of tests that a worker takes at once, at most. They are of one file, which often makes something once for all of them."""
_STOP = 1 << 30
"""The number of the next piece when no more tests are to begin."""
_MOST = 8
"""The number of workers at most, on a machine of many cores."""
_PATIENCE = 10.0
"""Seconds that a worker has for ending its last test before it is ended."""
_NONE = -1
"""What a worker runs before its first test."""

Piece = Sequence[int]
"""Places of tests in the list of what was collected."""


class WorkerError(Exception):
    """A worker ended before it began its first test."""


class TestEndedWorkerError(Exception):
    """A worker ended while it ran a test."""

    def __init__(self, status: int | None) -> None:
        super().__init__(f"the process that ran this test ended with status {status}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the number of processes."""
    parser.addoption(
        "--workers", metavar="N", default="1", help="run tests in N processes; auto is two more than there are cores"
    )
    parser.addini("together", "folders whose tests share what takes long to make: one process runs all of them", "args")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run what was collected, if there is to be more than one process."""
    workers = _count_of_workers(session.config)
    if workers == 1 or session.testsfailed or session.config.option.collectonly:
        return None
    _Run(session, workers).run()
    return True


def _count_of_workers(config: pytest.Config) -> int:
    """The number of processes that run tests. With `auto`, two more than there are cores: every so often one waits for a program, a
    frame of the screen or a disk.
    """
    asked = config.getoption("workers")
    if asked != "auto":
        return max(1, int(asked))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores + 2, _MOST)


class _Run:
    """The process that collected: it hears of each test, and has those run that a worker left when it ended too soon."""

    def __init__(self, session: pytest.Session, workers: int) -> None:
        self._session = session
        self._workers = workers
        self._numbers = count(1)
        self._left = dict.fromkeys(range(len(session.items)))
        folders: Any = session.config._tmp_path_factory  # type: ignore[attr-defined]
        self._folder: Path = folders.getbasetemp()

    def run(self) -> None:
        while self._left:
            self._run_all_that_is_left()
            if self._session.shouldfail:
                raise self._session.Failed(self._session.shouldfail)
            if self._session.shouldstop:
                raise self._session.Interrupted(self._session.shouldstop)

    def _run_all_that_is_left(self) -> None:
        pieces = list(_pieces(self._session.config, self._session.items, self._left))
        fork = get_context("fork")
        next_piece = fork.Value("i", 0)
        running = fork.RawArray("i", [_NONE] * self._workers)
        begun: dict[Connection[Any, Any], tuple[int, Any]] = {}
        try:
            for place in range(min(self._workers, len(pieces))):
                line, theirs = fork.Pipe(duplex=False)
                worker = _Worker(self._session, pieces, next_piece, running, place, theirs)
                folder = self._folder / f"worker-{next(self._numbers)}"
                process = fork.Process(target=worker.work, args=(folder,))
                process.start()
                theirs.close()
                begun[line] = place, process
            while begun:
                for ready in wait([*begun]):
                    from_one: Any = ready
                    try:
                        index, reports = from_one.recv()
                    except EOFError:
                        place, process = begun.pop(from_one)
                        process.join()
                        if process.exitcode:
                            self._hear_of_end(running[place], process.exitcode)
                        continue
                    self._hear(index, reports)
                if self._session.shouldfail or self._session.shouldstop:
                    next_piece.value = _STOP
        finally:
            next_piece.value = _STOP
            for _, process in begun.values():
                process.join(_PATIENCE)
                process.kill()

    def _hear(self, index: int, reports: Sequence[dict[str, Any]]) -> None:
        hook = self._session.config.hook
        for data in reports:
            hook.pytest_runtest_logreport(
                report=hook.pytest_report_from_serializable(config=self._session.config, data=data)
            )
        item = self._session.items[index]
        hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        del self._left[index]

    def _hear_of_end(self, index: int, status: int | None) -> None:
        if index == _NONE:
            raise WorkerError(f"status {status}")
        if index not in self._left:  # It ended between two tests, or after its last.
            return

        def end() -> None:
            raise TestEndedWorkerError(status)

        item = self._session.items[index]
        call = pytest.CallInfo.from_call(end, "call")
        report = pytest.TestReport.from_item_and_call(item, call)
        self._hear(index, [item.config.hook.pytest_report_to_serializable(config=item.config, report=report)])


def _pieces(config: pytest.Config, items: Sequence[pytest.Item], places: Iterable[int]) -> Iterator[Piece]:
    """Cut what is to be run into pieces, in its order."""
    together = [config.rootpath / folder for folder in config.getini("together")]

    def folder_or_file(place: int) -> tuple[Path, bool]:
        file = items[place].path
        return next(((folder, True) for folder in together if file.is_relative_to(folder)), (file, False))

    for (_, whole), group in groupby(places, folder_or_file):
        piece = list(group)
        most = len(piece) if whole else _PIECE
        yield from (piece[start : start + most] for start in range(0, len(piece), most))


class _Worker:
    """A process that runs tests. It tells what it runs before it begins, and its reports afterwards."""

    def __init__(
        self,
        session: pytest.Session,
        pieces: Sequence[Piece],
        next_piece: Any,
        running: Any,
        place: int,
        line: Connection[Any, Any],
    ) -> None:
        self._session = session
        self._pieces = pieces
        self._next_piece = next_piece
        self._running = running
        self._place = place
        self._line = line
        self._reports: list[dict[str, Any]] = []

    def work(self, folder: Path) -> None:
        """Run tests until none is left. They write into that folder, which doesn't exist yet."""
        config = self._session.config
        for name in ("terminalreporter", "terminalprogress"):
            if plugin := config.pluginmanager.getplugin(name):
                config.pluginmanager.unregister(plugin)
        config.pluginmanager.register(self, "worker")
        # The copy would write into the same files as its original.
        capture: Any = config.pluginmanager.getplugin("capturemanager")
        capture.stop_global_capturing()
        capture.start_global_capturing()
        capture.suspend_global_capture(in_=True)
        folder.mkdir()
        config._tmp_path_factory._basetemp = folder  # type: ignore[attr-defined]
        indices = self._take()
        index = next(indices, None)
        try:
            while index is not None and self._next_piece.value < _STOP:
                following = next(indices, None)
                self._run(index, following)
                index = following
        except KeyboardInterrupt:  # The process that collected says it.
            sys.exit(pytest.ExitCode.INTERRUPTED)
        finally:
            self._session._setupstate.teardown_exact(None)
            self._line.close()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what is to be told when the test has ended."""
        config = self._session.config
        self._reports.append(config.hook.pytest_report_to_serializable(config=config, report=report))

    def _take(self) -> Iterator[int]:
        while True:
            with self._next_piece.get_lock():
                number = self._next_piece.value
                self._next_piece.value += 1
            if number >= len(self._pieces):
                return
            yield from self._pieces[number]

    def _run(self, index: int, following: int | None) -> None:
        items = self._session.items
        self._running[self._place] = index
        item = items[index]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None if following is None else items[following])
        self._line.send((index, self._reports))
        self._reports.clear()
