"""What every test stands on: the count of clauses, and a home that is nobody's."""

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests.kit.table import small_game
from tests.kit.thorough import IS_AT_A_DESK, examples
from tests.kit.warm_start import copies

pytest_plugins = ["pytester", "tests.clause_report"]

# Machines differ in speed and runs share them: how long an example takes says nothing about the code. The same examples
# come up in every run, so that a failure is the change's own; nothing is kept between runs.
settings.register_profile("waylog", max_examples=examples(100), deadline=None, derandomize=True, database=None)
settings.load_profile("waylog")
# Nor do they depend on where the checkout is or which modules the tests before have imported: Hypothesis would take some of its
# values from the source of those.
providers._get_local_constants = lambda: providers._local_constants

_SLOW = (
    "tests/whole/test_torture_short.py",
    "tests/store/test_wrong_games.py",
    "tests/sessions/",
    "tests/rules/test_contract.py",
    "tests/ui/test_leaks.py",
    "tests/store/test_projection_hides.py",
    "tests/whole/test_hostile_input.py",
    "tests/table/test_walks.py",
    "tests/rules/file_game/test_pool_odds.py",
    "tests/test_clause_report.py",
    "tests/cli/test_process.py",
    "tests/whole/test_accounts.py",
    "tests/serve/test_page_in_a_browser.py",
    "tests/app/test_watch.py",
    "tests/whole/test_whole_evening.py",
    "tests/whole/test_watch_over_ssh.py",
    "tests/whole/test_examples.py",
    "tests/ui/test_terminal",
    "tests/ui/test_systems_by_keys.py",
)
"""Where the tests are that take longest, those first whose single cases do, and those that wait for programs: meanwhile the other
workers have the cores.
"""
_PERSONAL = (
    "WAYLOG_CAMPAIGNS",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "NO_COLOR",
    "COLORTERM",
    "SSH_CONNECTION",
    "SSH_TTY",
    "TMUX",
)
_MEMORY = Path("/dev/shm")
_ENOUGH = 2 * 1024**3
"""Bytes of it that have to be free. A run that passes takes less than a tenth of them."""
_FRAME = 0.001
"""Seconds between two frames of a screen in this process. With 60 in a second, a third of a test of the screen would be waiting for the
next.
"""
_NEW_OBJECTS = 200_000
"""The number of new objects at which garbage is collected. Python's default is 700."""

_HOMES = count(1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than there are cores: every so often one waits for a program, a frame of the screen or a disk."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 2


def pytest_collection(session: pytest.Session) -> None:
    """Collect tests without looking for garbage among them, as almost all that is made then stays.

    Each worker begins with other files than the rest. In a new checkout none of them is compiled, and that way each is compiled once.
    """
    gc.disable()
    worker = getattr(session.config, "workerinput", None)
    if worker and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        modules = sorted(Path(__file__).parent.rglob("test_*.py"))
        for path in modules[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
            with suppress(Exception):  # It is collected below, which says what is wrong with it.
                import_module(".".join(path.relative_to(session.config.rootpath).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Don't look through what was collected again and again, and look for garbage seldom: it is a tenth of a run otherwise."""
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, 10, 50)
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that at the end no core waits for another."""
    items.sort(
        key=lambda item: next((rank for rank, slow in enumerate(_SLOW) if item.nodeid.startswith(slow)), len(_SLOW))
    )


def pytest_configure(config: pytest.Config) -> None:
    """Take the developer's own settings away. At a desk, keep all that tests write in memory, if there is room: files are made and
    deleted by the ten thousand. In CI it is on a disk.
    """
    for name in _PERSONAL:
        os.environ.pop(name, None)
    # Screens hold still: no easing, no blinking of what is drawn.
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    if IS_AT_A_DESK and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ENOUGH:
        # The second is for programs that tests start.
        tempfile.tempdir = os.environ["TMPDIR"] = str(_MEMORY)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, so that a test reads and writes only what it made."""
    # In a folder apart, under a number of its own: pytest would look through all folders so far for the next free name.
    folder = tmp_path_factory.getbasetemp() / "homes" / str(next(_HOMES))
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture(scope="session", autouse=True)
def waits_for_nothing() -> Iterator[None]:
    """No test in this process waits: for the disk, for the rest of a file that is saved in pieces, for the next frame, or for a screen
    whose event loop is idle. It is set once for all tests, as there are thousands.

    What has to be on the disk at which moment is tried in processes that are killed. A test presses keys without a pause, and means
    each by itself: none belongs to a word that was refused.
    """
    from tests.kit.idle import (  # Textual takes long to import.
        paint_what_is_seen,
        parse_once,
        until_idle,
        until_screen_is_idle,
    )

    with copies(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr("waylog.store.file.hand_edits.STILL", -1.0)
        patch.setattr("waylog.store.file.hand_edits.STILL_WHILE_OPEN", -1.0)
        patch.setattr(
            "waylog.app.base_app_and_attention._NEW_OBJECTS", _NEW_OBJECTS
        )  # An app sets it too, and for all that follows.
        patch.setattr(
            "waylog.app.base_app_and_attention._ENDINGS", ()
        )  # Signals are for this process. Forty handlers take longer than a key.
        patch.setattr("textual.Logger.__call__", lambda *_, **__: None)  # Nobody reads it.
        patch.setattr("waylog.app.keyboard_and_pastes.WORD_PAUSE", 0.0)
        patch.setattr("waylog.app.keyboard_and_pastes.STRAY", 0.0)
        for module in ("app", "pilot"):
            patch.setattr(f"textual.{module}.wait_for_idle", until_idle)
        patch.setattr("textual.screen.UPDATE_PERIOD", _FRAME)
        patch.setattr("textual.pilot.Pilot._wait_for_screen", until_screen_is_idle)
        patch.setattr("textual.css.stylesheet.Stylesheet._parse_rules", parse_once)
        if IS_AT_A_DESK:
            patch.setattr("textual._compositor.Compositor.render_update", paint_what_is_seen)
        yield


@pytest.fixture
def every_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames are put together although nobody gets them. At a desk, only a test that counts or reads them asks for that."""
    from tests.kit.idle import draw_frame

    monkeypatch.setattr("textual._compositor.Compositor.render_update", draw_frame)


@pytest.fixture
def only_small_game() -> Iterator[None]:
    """The smallest game is the only one there is."""
    with small_game():
        yield
