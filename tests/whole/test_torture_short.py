"""Nothing is lost: a taste of every harness in `torture/`, at a desk of a few. CI runs their short form beside the tests."""

import os
import subprocess
import sys

import pytest

from tests.kit import ROOT
from tests.kit.thorough import IS_AT_A_DESK
from torture.figures import Harness
from torture.run import HARNESSES

_SEED = "20260105"
"""The same cases in every run, so that a failure is the change's own; CI's short form takes others each time."""
_AT_A_DESK = ("kill", "failcalls", "limits", "byhand", "enemies")
"""One for each way in which something can be lost: a kill, a call that fails, a full disk, edits by hand, and the network. Other tests
try what is written in fields, such as `test_hostile_input.py`, what git merges, and called rolls that are answered late or taken back.
"""
_TASTED = [harness for harness in HARNESSES if not IS_AT_A_DESK or harness.name in _AT_A_DESK]


@pytest.mark.parametrize("harness", _TASTED, ids=lambda harness: harness.name)
def test_nothing_is_lost(harness: Harness) -> None:
    """The harness finds no fault. Where it can't run, its tools must be installed in CI; only mounting may need more."""
    if reason := harness.missing():
        if os.environ.get("CI") == "true" and not harness.mounts:
            pytest.fail(reason)
        pytest.skip(reason)
    command = [sys.executable, "-m", "torture", "--taste", "--seed", _SEED, "--only", harness.name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
